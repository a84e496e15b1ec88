// As in workerd.ts, in the spelling of Vercel's edge runtime.
import module from "./gatewright.wasm?module";
import { useModule } from "./engine.js";

useModule(() => module as WebAssembly.Module);

export * from "./api.js";
