import { embeddedWasm } from "./embedded.js";
import { useModule } from "./engine.js";

useModule(() => new WebAssembly.Module(embeddedWasm()));

export * from "./api.js";
