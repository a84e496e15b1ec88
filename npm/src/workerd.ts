// Cloudflare's runtime refuses to compile bytes: its bundler compiles the file and hands over the module.
import module from "./gatewright.wasm";
import { useModule } from "./engine.js";

useModule(() => module as WebAssembly.Module);

export * from "./api.js";
