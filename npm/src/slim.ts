import { useModule } from "./engine.js";
import { GatewrightError } from "./error.js";

useModule(() => {
  throw new GatewrightError({
    code: "invalid-argument",
    message: "`gatewright/slim` was used before it was given its WebAssembly module",
    help: "call `init` or `initSync` with `gatewright/gatewright.wasm` first",
  });
});

/** What a WebAssembly module can be made from. */
export type WasmSource = WebAssembly.Module | BufferSource;

/** Takes the module from `gatewright/gatewright.wasm`, compiled or as bytes. */
export function initSync(source: WasmSource): void {
  const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
  useModule(() => module);
}

/** As {@link initSync}, compiling in the background; takes a `fetch` as it is. */
export async function init(source: WasmSource | Response | Promise<WasmSource | Response>): Promise<void> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return initSync(given);
  const bytes = "arrayBuffer" in given ? await given.arrayBuffer() : given;
  initSync(await WebAssembly.compile(bytes));
}

export * from "./api.js";
