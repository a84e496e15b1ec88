// What is in the tarball, and how bundlers and other runtimes take it.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { asCommonJs, asModule, installed, project, wire } from "./project.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const inPackage = (...parts) => path.join(installed, ...parts);
const read = (name) => fs.readFileSync(inPackage(name), "utf8");
const manifest = JSON.parse(read("package.json"));

test("the tarball holds what it should, and nothing else", () => {
  const files = fs.readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).split(path.sep).join("/")).sort();
  assert.deepEqual(names, [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md",
    "dist/THIRD_PARTY_NOTICES.txt",
    "dist/api.d.cts", "dist/api.d.ts", "dist/cli.js", "dist/cli.wasm", "dist/component.wasm", "dist/edge-light.js", "dist/error.d.cts", "dist/error.d.ts",
    "dist/gatewright.wasm", "dist/generated/version.d.cts", "dist/generated/version.d.ts",
    "dist/index.cjs", "dist/index.d.cts", "dist/index.d.ts", "dist/index.js",
    "dist/names.d.cts", "dist/names.d.ts", "dist/slim.cjs", "dist/slim.d.cts", "dist/slim.d.ts", "dist/slim.js", "dist/types.d.cts", "dist/types.d.ts", "dist/workerd.js",
    "package.json",
  ]);
});

test("the package needs nothing but itself", () => {
  for (const field of ["dependencies", "optionalDependencies", "peerDependencies", "bundledDependencies"]) assert.equal(manifest[field], undefined);
  assert.deepEqual(fs.readdirSync(path.join(project, "node_modules")).filter((name) => !name.startsWith(".")), ["gatewright"]);
});

test("the default entry is small, and does nothing that some host forbids", () => {
  for (const name of ["dist/index.js", "dist/index.cjs"]) {
    const source = read(name);
    assert.ok(gzipSync(source, { level: 9 }).length < 325_000, `${name}: ${gzipSync(source, { level: 9 }).length} bytes gzipped`);
    assert.doesNotMatch(source, /import\.meta|\bfetch\(|node:fs|readFileSync|console\./);
    assert.doesNotMatch(source, /^(?:export )?(?:const|let|var)?[^{}()]*\bawait\b/m);
  }
});

test("the command line is in the command's own module, which nobody else can ask for", async () => {
  const request = JSON.stringify({ argv: ["--version"], answers: {} });
  const [library, command] = [await wire("dist/gatewright.wasm"), await wire("dist/cli.wasm")];
  assert.throws(() => library("cliStep", [request]), { code: "unknown-operation" });
  assert.equal(JSON.parse(command("cliStep", [request])).exitCode, 0);
  assert.equal(command("version"), library("version"));
  for (const specifier of ["gatewright/cli.wasm", "gatewright/dist/cli.wasm"]) assert.throws(() => asCommonJs.resolve(specifier), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
  const naming = fs.readdirSync(inPackage("dist")).filter((name) => /\.c?js$/.test(name) && read(`dist/${name}`).includes("cli.wasm"));
  assert.deepEqual(naming, ["cli.js"]);
  const size = (name) => fs.statSync(inPackage(name)).size;
  assert.ok(size("dist/cli.wasm") < 1_150_000, `${size("dist/cli.wasm")} bytes`);
  assert.ok(size("dist/gatewright.wasm") < 0.75 * size("dist/cli.wasm"), `${size("dist/gatewright.wasm")} bytes`);
});

test("importing starts nothing; the first call does", () => {
  const script = `
    let compiled = 0;
    const { Module } = WebAssembly;
    WebAssembly.Module = new Proxy(Module, { construct: (target, args) => (compiled++, new target(...args)) });
    const { canonicalize, version, specVersions } = await import("gatewright");
    const before = compiled + "," + version + "," + specVersions["agentgate.lock"];
    canonicalize("[]"); canonicalize("[]");
    console.log(before, compiled);
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: project, encoding: "utf8" });
  assert.equal(output.trim(), `0,${manifest.version},1 1`);
});

test("a trap is an error, and the next call starts afresh", () => {
  const script = `
    let started = 0;
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (module, imports) {
      const { exports } = new Instance(module, imports);
      // The first instance breaks down in its second call.
      let calls = 0;
      const call = (...args) => { if (++calls === 2) throw new WebAssembly.RuntimeError("unreachable"); return exports.call(...args); };
      return { exports: ++started === 1 ? { ...exports, call } : exports };
    };
    const { canonicalize, GatewrightError } = require("gatewright");
    const answers = [1, 2, 3].map((n) => { try { return canonicalize("[" + n + ".0]"); } catch (error) { return [error instanceof GatewrightError, error.code, error.cause.name]; } });
    console.log(JSON.stringify([answers, started]));
  `;
  const output = execFileSync(process.execPath, ["-e", script], { cwd: project, encoding: "utf8" });
  assert.deepEqual(JSON.parse(output), [["[1]", [true, "internal-error", "RuntimeError"], "[3]"], 2]);
});

test("publint has nothing to say", async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

test("types resolve in every way that arethetypeswrong knows", () => {
  const attw = path.join(here, "../node_modules/@arethetypeswrong/cli/dist/index.js");
  const files = ["./gatewright.wasm", "./component.wasm", "./package.json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [attw, process.env.GATEWRIGHT_TARBALL, "--format", "ascii", "--profile", "node16", "--exclude-entrypoints", ...files], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
});

test("/slim waits for its module, compiled or as bytes", async () => {
  const bytes = fs.readFileSync(asCommonJs.resolve("gatewright/gatewright.wasm"));
  for (const load of [asModule, asCommonJs]) assert.deepEqual(Object.keys(await load("gatewright/slim")).sort(), [...Object.keys(await load("gatewright")), "init", "initSync"].sort());
  for (const slim of [await asModule("gatewright/slim"), asCommonJs("gatewright/slim")]) {
    assert.throws(() => slim.canonicalize("[]"), { name: "GatewrightError", code: "invalid-argument", help: /init/ });
    slim.initSync(bytes);
    assert.equal(slim.canonicalize("[1.0]"), "[1]");
    slim.initSync(new WebAssembly.Module(bytes));
    assert.equal(slim.canonicalize("[2.0]"), "[2]");
    await slim.init(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
    assert.equal(slim.canonicalize("[3.0]"), "[3]");
    await slim.init(Promise.resolve(bytes));
    assert.equal(slim.canonicalize("[4.0]"), "[4]");
  }
});

for (const [condition, specifier] of [["workerd", "./gatewright.wasm"], ["edge-light", "./gatewright.wasm?module"]]) {
  test(`the ${condition} entry takes its module from the host and compiles nothing`, () => {
    // Stands in for the host's bundler: an import of the file gives the compiled module.
    const hooks = `
      import * as fs from "node:fs";
      export async function load(url, context, next) {
        if (!/\\.wasm(\\?module)?$/.test(url)) return next(url, context);
        const base64 = fs.readFileSync(new URL(url.replace("?module", ""))).toString("base64");
        return { format: "module", shortCircuit: true, source: "export default new globalThis.HostModule(Buffer.from('" + base64 + "', 'base64'))" };
      }`;
    const script = `
      import { register } from "node:module";
      globalThis.HostModule = WebAssembly.Module;
      WebAssembly.Module = class { constructor() { throw new Error("Wasm code generation disallowed by embedder"); } static [Symbol.hasInstance](value) { return value instanceof HostModule; } };
      register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
      const api = await import("gatewright");
      console.log(api.canonicalize("[1.0]"), import.meta.resolve("gatewright").split("/").at(-1), Object.keys(api).sort().join(" "));
    `;
    assert.ok(read(`dist/${condition}.js`).includes(`from "${specifier}"`));
    const { stdout, stderr } = spawnSync(process.execPath, [`--conditions=${condition}`, "--input-type=module", "-e", script], { cwd: project, encoding: "utf8" });
    assert.equal(stdout.trim(), `[1] ${condition}.js ${Object.keys(asCommonJs("gatewright")).sort().join(" ")}`, stderr);
  });
}

test("esbuild bundles it without configuration, for browsers and for Node", async () => {
  for (const [platform, format] of [["browser", "iife"], ["browser", "esm"], ["node", "cjs"]]) {
    const outfile = path.join(project, `bundle-${platform}-${format}.${format === "esm" ? "mjs" : "cjs"}`);
    const { warnings } = await esbuild.build({
      stdin: { contents: 'import { canonicalize } from "gatewright"; globalThis.answer = canonicalize("[1.0]");', resolveDir: project },
      bundle: true, minify: true, platform, format, outfile, logLevel: "silent",
    });
    assert.deepEqual(warnings, []);
    const run = `await import(${JSON.stringify(pathToFileURL(outfile).href)}); console.log(globalThis.answer)`;
    assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" }).trim(), "[1]");
  }
});

test("an import of which nothing is used leaves nothing behind", async () => {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: 'import { canonicalize } from "gatewright"; console.log(1);', resolveDir: project },
    bundle: true, minify: true, format: "esm", write: false,
  });
  assert.equal(outputFiles[0].text.trim(), "console.log(1);");
});

test("it runs where the global encoders are missing and Buffer is not trusted, as in jsdom", () => {
  const script = `
    const { TextEncoder: E, TextDecoder: D } = globalThis;
    delete globalThis.TextEncoder; delete globalThis.TextDecoder; delete globalThis.Buffer;
    const { canonicalize } = require("gatewright");
    console.log(canonicalize('["é漢", 1.0]'));
  `;
  assert.equal(execFileSync(process.execPath, ["-e", script], { cwd: project, encoding: "utf8" }).trim(), '["é漢",1]');
});

test("wasm, text and noise inflate without zlib", async () => {
  const { outputFiles } = await esbuild.build({ entryPoints: [path.join(here, "../src/inflate.ts")], bundle: true, format: "esm", write: false });
  const { inflate } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
  const noise = Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 2654435761) >>> 24));
  for (const bytes of [fs.readFileSync(inPackage("dist/gatewright.wasm")), fs.readFileSync(inPackage("dist/cli.js")), noise, Buffer.alloc(70_000, 7), Buffer.from("ab"), Buffer.alloc(0)]) {
    for (const options of [{ level: 9 }, { level: 1 }, { level: 0 }, { strategy: constants.Z_FIXED }, { strategy: constants.Z_HUFFMAN_ONLY }]) {
      assert.ok(bytes.equals(inflate(deflateRawSync(bytes, options), bytes.length)));
    }
  }
});

test("it runs on a host that has nothing of Node", () => {
  const script = `
    const log = console.log;
    process.getBuiltinModule = undefined; delete globalThis.Buffer;
    const { canonicalize } = require("gatewright");
    log(canonicalize('["é漢", 1.0]'));
  `;
  assert.equal(execFileSync(process.execPath, ["-e", script], { cwd: project, encoding: "utf8" }).trim(), '["é漢",1]');
});

test("the component is a component", () => {
  const bytes = fs.readFileSync(asCommonJs.resolve("gatewright/component.wasm"));
  // The magic, and the layer that tells components from modules.
  assert.deepEqual([...bytes.subarray(0, 4), bytes[6]], [0x00, 0x61, 0x73, 0x6d, 0x01]);
  assert.ok(bytes.length > 10_000);
});

test("the notices name every package in the command", () => {
  const notices = read("dist/THIRD_PARTY_NOTICES.txt");
  for (const name of ["@modelcontextprotocol/client", "zod", "cross-spawn"]) assert.match(notices, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
});
