// Builds dist/ from src/ and the output folder of wasm-pack (`--target web`), given as GATEWRIGHT_WASM_PKG.
//
//   src/generated/   what the sources import of the core: the glue, the wasm, the version
//   dist/            the entries of package.json's exports map, self-contained, and the command

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import * as esbuild from "esbuild";
import { notices } from "./notices.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const inside = (...parts) => path.join(root, ...parts);
const generated = inside("src/generated");
const dist = inside("dist");
const manifest = JSON.parse(fs.readFileSync(inside("package.json"), "utf8"));

const { GATEWRIGHT_WASM_PKG: wasmPackage, GATEWRIGHT_CLI_WASM_PKG: cliWasmPackage } = process.env;
if (!wasmPackage || !cliWasmPackage) fail("set GATEWRIGHT_WASM_PKG and GATEWRIGHT_CLI_WASM_PKG to the output folders of wasm-pack");

for (const folder of [generated, dist]) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
}
takeCore();
await writeVersion();
await bundleEntries();
await bundleCommand();
writeDeclarations();
copyWasm();
copyPages();

/** Copies the glue and the wasm, made smaller and faster. */
function takeCore() {
  const glue = fs.readFileSync(path.join(wasmPackage, "gatewright.js"), "utf8");
  if (glue !== fs.readFileSync(path.join(cliWasmPackage, "gatewright.js"), "utf8")) fail("the two modules need different glue");
  fs.writeFileSync(path.join(generated, "glue.js"), adaptGlue(glue));
  fs.copyFileSync(path.join(wasmPackage, "gatewright.d.ts"), path.join(generated, "glue.d.ts"));
  const bytes = optimized(wasmPackage, path.join(generated, "gatewright.wasm"));
  optimized(cliWasmPackage, path.join(dist, "cli.wasm"));
  const deflated = deflateRawSync(bytes, { level: 9, memLevel: 9 }).toString("base64");
  fs.writeFileSync(path.join(generated, "wasm.ts"), `export const length = ${bytes.length};\nexport const base64 = "${deflated}";\n`);
}

function optimized(folder, to) {
  // The target features that wasm-opt needs to know stand in the file.
  const optimize = ["-O3", "--strip-debug", "--strip-producers", "--strip-target-features"];
  const from = path.join(folder, "gatewright_bg.wasm");
  execFileSync(process.execPath, [inside("node_modules/binaryen/bin/wasm-opt"), from, ...optimize, "-o", to], { stdio: "inherit" });
  return fs.readFileSync(to);
}

/** The generated glue, made to start again after a trap, and to touch nothing when it is imported. */
function adaptGlue(source) {
  const changes = [
    ["initSync to start a new instance when asked again", /(function initSync\(module\) \{\s*)if \(wasm !== undefined\) return wasm;/, "$1"],
    ["a warning gone that is not for our users", /else \{\s*console\.warn\('using deprecated parameters for `initSync\(\)`[^\n]*\s*\}/, ""],
    ["the default initialiser gone: it finds the wasm by import.meta.url", /\nlet __wbg_init_promise;[\s\S]*\nexport \{ initSync, __wbg_init as default \};/, "\nexport { initSync };"],
    ["the loader gone", /\nasync function __wbg_load\([\s\S]*?\n\}\n/, "\n"],
    ["text decoded by src/text.ts", /\nlet cachedTextDecoder = [\s\S]*?\nfunction decodeText\([\s\S]*?\n\}\n/, '\nimport { decodeText, encodeInto } from "../text";\n'],
    ["text encoded by src/text.ts", /\nconst cachedTextEncoder = [\s\S]*?\n\}\n/, '\nconst cachedTextEncoder = { encodeInto };\n'],
  ];
  for (const [what, pattern, replacement] of changes) {
    const changed = source.replace(pattern, replacement);
    if (changed === source) fail(`the glue of this wasm-bindgen looks different: could not get ${what}`);
    source = changed;
  }
  if (/import\.meta|\bawait\b|console|new TextDecoder|new TextEncoder/.test(source)) fail("the glue still does more than it should");
  return source;
}

/** `version` and `specVersions` are constants, so that reading them starts nothing. They are what the core says. */
async function writeVersion() {
  const glue = await import(pathToFileURL(await bundledGlue()).href);
  glue.initSync({ module: fs.readFileSync(path.join(generated, "gatewright.wasm")) });
  const version = glue.call("version");
  if (version !== manifest.version) fail(`package.json says version ${manifest.version}, the core says ${version}`);
  const source = `/** The version of this package. */
export const version: string = ${JSON.stringify(version)};

/** The version of each specification that this package writes. */
export const specVersions = ${JSON.stringify(JSON.parse(glue.call("specVersions")), null, 2)} as const;
`;
  fs.writeFileSync(path.join(generated, "version.ts"), source);
}

/** The glue as a file that Node can import, which src/generated is not: it names a TypeScript source. */
async function bundledGlue() {
  const outfile = path.join(dist, "glue.mjs");
  await esbuild.build({ entryPoints: [path.join(generated, "glue.js")], bundle: true, format: "esm", outfile, logLevel: "warning" });
  process.on("exit", () => fs.rmSync(outfile, { force: true }));
  return outfile;
}

async function bundleEntries() {
  const common = {
    bundle: true,
    // Not minified: whoever trusts this package to judge others should be able to read it, and the wasm is most of it anyway.
    minify: false,
    target: "es2022",
    platform: "neutral",
    // Left to the host, which makes a module of it.
    external: ["./gatewright.wasm", "./gatewright.wasm?module"],
    logLevel: "warning",
  };
  const entry = (name, format) =>
    esbuild.build({ ...common, format, entryPoints: [inside(`src/${name}.ts`)], outfile: path.join(dist, `${name}.${format === "cjs" ? "cjs" : "js"}`) });
  await Promise.all([
    entry("index", "esm"), entry("index", "cjs"), entry("slim", "esm"), entry("slim", "cjs"),
    entry("workerd", "esm"), entry("edge-light", "esm"),
  ]);
}

/** The command, with the MCP SDK in it: the package itself needs nothing installed. */
async function bundleCommand() {
  const { metafile } = await esbuild.build({
    bundle: true,
    minify: true,
    target: "node20",
    platform: "node",
    format: "esm",
    entryPoints: [inside("src/cli/main.ts")],
    outfile: path.join(dist, "cli.js"),
    // Some of what is bundled is CommonJS and asks for Node's own modules by `require`.
    banner: { js: '#!/usr/bin/env node\nimport { createRequire as $require } from "node:module"; const require = $require(import.meta.url);' },
    metafile: true,
    logLevel: "warning",
  });
  fs.chmodSync(path.join(dist, "cli.js"), 0o755);
  fs.writeFileSync(path.join(dist, "THIRD_PARTY_NOTICES.txt"), notices(root, metafile));
}

/** Declarations of the entries and of what they export, each twice: TypeScript takes `.d.ts` for ESM, `.d.cts` for CommonJS. */
function writeDeclarations() {
  const all = inside("src/generated/declarations");
  execFileSync(process.execPath, [inside("node_modules/typescript/bin/tsc"), "-p", inside("tsconfig.declarations.json"), "--outDir", all], { stdio: "inherit" });
  const wanted = new Set(["index.js", "slim.js"]);
  for (const file of wanted) {
    const name = file.slice(0, -".js".length);
    const source = fs.readFileSync(path.join(all, `${name}.d.ts`), "utf8");
    for (const [, found] of source.matchAll(/from "(\.[^"]*)"/g)) wanted.add(path.posix.join(path.posix.dirname(file), found));
    fs.mkdirSync(path.dirname(path.join(dist, name)), { recursive: true });
    fs.writeFileSync(path.join(dist, `${name}.d.ts`), source);
    fs.writeFileSync(path.join(dist, `${name}.d.cts`), source.replace(/(from "\.[^"]*)\.js"/g, '$1.cjs"'));
  }
}

function copyWasm() {
  fs.copyFileSync(path.join(generated, "gatewright.wasm"), path.join(dist, "gatewright.wasm"));
  const component = process.env.GATEWRIGHT_COMPONENT ?? inside("../dist/gatewright.component.wasm");
  if (fs.existsSync(component)) fs.copyFileSync(component, path.join(dist, "component.wasm"));
}

/** What npm packs beside the manifest and is the same for the whole project. */
function copyPages() {
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) fs.copyFileSync(inside("..", name), inside(name));
  // The pages that README.md links to are not in the package.
  const repository = manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const readme = fs.readFileSync(inside("../README.md"), "utf8");
  if (readme.includes("@@")) fail("README.md has a gap that is marked by @@");
  fs.writeFileSync(inside("README.md"), readme.replace(/\]\((?!https?:|#)/g, `](${repository}/blob/main/`));
}

function fail(message) {
  console.error(`npm build: ${message}`);
  process.exit(1);
}
