// The project that test/run.mjs installed the tarball in.

import * as fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

export const project = process.env.GATEWRIGHT_PROJECT;
if (!project) throw new Error("run these tests by `npm test`, which installs the tarball for them");

/** The folder of the installed package. */
export const installed = path.join(project, "node_modules/gatewright");

/** As `require` in that project finds it. */
export const asCommonJs = createRequire(path.join(project, "index.js"));

/** As `import` in that project finds it: it resolves from the file it stands in, so that file has to be there. */
export async function asModule(specifier) {
  const file = path.join(project, `import-${specifier.replace(/\W/g, "-")}.mjs`);
  fs.writeFileSync(file, `export * from ${JSON.stringify(specifier)};\n`);
  return import(pathToFileURL(file).href);
}

/**
 * The way into the core below the public functions, as the source of a module that exports `call` and `useModule`: for
 * operations that are no function of the package.
 */
export async function wireSource() {
  const { outputFiles } = await esbuild.build({ entryPoints: [fileURLToPath(new URL("../src/engine.ts", import.meta.url))], bundle: true, format: "esm", write: false });
  return outputFiles[0].text;
}

/** The same as a function, on one of the package's two modules: `dist/cli.wasm` has all operations, `dist/gatewright.wasm` no command line. */
export async function wire(wasm) {
  // The fragment makes it a module of its own.
  const { call, useModule } = await import(`data:text/javascript;base64,${Buffer.from(await wireSource()).toString("base64")}#${wasm}`);
  useModule(() => new WebAssembly.Module(fs.readFileSync(path.join(installed, wasm))));
  return call;
}
