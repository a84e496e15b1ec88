// What only JavaScript can hand in: objects, strings that are no text, values that are no JSON.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import vm from "node:vm";
import canonicalizeReference from "canonicalize";
import fc from "fast-check";
import { asCommonJs, asModule, installed } from "./project.mjs";
import { codeOf, thrownBy } from "./thrown.mjs";
import { readFileSync } from "node:fs";
import path from "node:path";

const gatewright = await asModule("gatewright");
const { buildLockfile, canonicalize, digest, explain, hashSurface, hashTool, parseLockfile, rules, specVersions, updateLockfile, verifyLockfile, version } = gatewright;

/** `./x test --soak` runs the long counts. */
const soak = process.env.GATEWRIGHT_SOAK === "1";
const sha256 = (text) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

const tool = { name: "read", description: "Reads a file.", inputSchema: { type: "object", properties: { path: { type: "string" } } } };
const now = "2026-01-02T03:04:05Z";

test("text, bytes in any wrapping and objects give the same answer", () => {
  const text = JSON.stringify({ b: [1.0, "é"], a: "漢字 😀" });
  const expected = '{"a":"漢字 😀","b":[1,"é"]}';
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array([0, ...bytes, 0]);
  const inputs = [text, bytes, bytes.buffer, Buffer.from(text), padded.subarray(1, -1), new DataView(padded.buffer, 1, bytes.length), JSON.parse(text)];
  for (const input of inputs) assert.equal(canonicalize(input), expected);
  // A value of another realm is no `instanceof` anything of ours.
  assert.equal(canonicalize(vm.runInNewContext(`new Uint8Array([${bytes}])`)), expected);
  assert.equal(canonicalize(vm.runInNewContext(`(${text})`)), expected);
});

test("the digest is the SHA-256 of the canonical form", () => {
  assert.equal(digest('{"b":1,"a":[]}'), sha256('{"a":[],"b":1}'));
});

test("text of every width crosses unharmed, whatever its length", () => {
  for (const character of ["a", "é", "漢", "😀", "a漢", "漢a", "😀a"]) {
    for (const times of [1, 2, 3, 64, 1000, 70_000]) {
      const text = JSON.stringify(character.repeat(times));
      assert.equal(canonicalize(text), text);
      assert.equal(digest(text), sha256(text));
    }
  }
});

test("keys that mean something to JavaScript are data", () => {
  for (const key of ["toJSON", "__proto__", "constructor", "hasOwnProperty", "then", "0"]) {
    const text = `{${JSON.stringify(key)}:{"x":1}}`;
    assert.equal(canonicalize(text), text);
    assert.equal(canonicalize(JSON.parse(text)), text);
    const schema = JSON.parse(`{"properties":${text}}`);
    const expected = sha256(`{"properties":${text}}`);
    assert.equal(hashTool({ name: "t", inputSchema: schema }).inputSchemaHash, expected);
    const { tools } = hashSurface([{ name: key, inputSchema: schema }]);
    assert.deepEqual(Object.keys(tools), [key]);
    assert.equal(Object.getOwnPropertyDescriptor(tools, key).value.inputSchemaHash, expected);
  }
});

test("an object is serialised as JSON.stringify does it", () => {
  const date = new Date(0);
  assert.equal(canonicalize({ a: undefined, b: [null, undefined], c: date, d: { toJSON: () => [1] } }), '{"b":[null,null],"c":"1970-01-01T00:00:00.000Z","d":[1]}');
});

test("strings that are not well-formed are refused, wherever they are, and never repaired", () => {
  const [high, low] = ["\ud83d", "\ude00"];
  for (const [text, line, column] of [
    [`"${high}"`, 1, 2],
    [`"${low}"`, 1, 2],
    [`"${low}${high}"`, 1, 2],
    [`["a",\n"é漢${high}"]`, 2, 4],
    [`"${"x".repeat(100_000)}${high}x"`, 1, 100_002],
    [`"${"é😀".repeat(1000)}${low}"`, 1, 2002],
  ]) {
    const error = thrownBy(() => canonicalize(text));
    assert.deepEqual([error.code, error.line, error.column], ["lone-surrogate", line, column]);
  }
  assert.equal(codeOf(() => canonicalize({ a: [high] })), "lone-surrogate");
  assert.equal(thrownBy(() => canonicalize({ a: [high] })).pointer, "/a/0");
  assert.equal(codeOf(() => hashTool({ name: `t${low}` })), "lone-surrogate");
  // A surrogate whose encoding an attacker wrote by hand.
  assert.equal(codeOf(() => canonicalize(new Uint8Array([0x22, 0xed, 0xa0, 0xbd, 0x22]))), "lone-surrogate");
  assert.equal(codeOf(() => canonicalize(new Uint8Array([0x22, 0xff, 0x22]))), "invalid-utf8");
  // The real replacement character is a character like any other.
  assert.equal(canonicalize('"\ufffd"'), '"\ufffd"');
});

test("values without a JSON form are refused", () => {
  const cycle = {};
  cycle.self = cycle;
  for (const value of [undefined, () => 1, Symbol("s"), { a: 1n }, cycle]) {
    const error = thrownBy(() => canonicalize(value));
    assert.equal(error.code, "not-json");
    assert.doesNotMatch(error.message, /\n/);
  }
  const thrower = { toJSON() { throw new Error("no\nway"); } };
  assert.match(thrownBy(() => canonicalize(thrower)).message, /no$/);
});

test("an object that would lose something is refused, and not emptied", () => {
  for (const number of [NaN, Infinity, -Infinity, new Number(NaN)]) {
    const error = thrownBy(() => canonicalize({ a: [{ b: number }] }));
    assert.deepEqual([error.code, error.message], ["not-json", `a number is ${number}; JSON has none`]);
  }
  for (const value of [new Map([[1, 2]]), new Set([1]), /x/, new Error("x"), new ArrayBuffer(8), vm.runInNewContext("new Map()")]) {
    assert.equal(codeOf(() => canonicalize({ a: [value] })), "not-json");
    assert.equal(codeOf(() => buildLockfile([{ name: "fs", surface: [{ ...tool, inputSchema: value }] }], { now })), "not-json");
  }
  class Point { constructor() { this.x = 1; } }
  assert.equal(canonicalize([{}, null, Object.create(null), new Point(), new Number(1), Object.assign(new Map(), { toJSON: () => 2 })]), '[{},null,{},{"x":1},1,2]');
});

test("whatever a value throws at who reads it, it is our error", () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const detached = new Uint8Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const thrower = (thrown) => ({ name: "fs", get surface() { throw thrown; } });
  const mute = { toString() { throw new Error("mute"); } };
  for (const value of [proxy, detached, detached.buffer, thrower(new Error("no")), thrower(undefined), thrower(mute), thrower(proxy), { toJSON() { throw "text"; } }, { toJSON() { throw mute; } }]) {
    assert.equal(codeOf(() => canonicalize(value)), "not-json");
    thrownBy(() => buildLockfile([value], { now }));
    assert.equal(codeOf(() => buildLockfile([{ name: "fs", surface: value }], { now })), "not-json");
    assert.equal(codeOf(() => verifyLockfile(value, value, value)), "not-json");
  }
  for (const rule of [undefined, null, 1, {}, Symbol("s")]) assert.equal(codeOf(() => explain(rule)), "invalid-argument");
});

test("depth ends in an error and not in an overflow", () => {
  const nested = (levels) => { let value = 1; for (let level = 0; level < levels; level++) value = [value]; return value; };
  assert.equal(canonicalize(nested(128)), `${"[".repeat(128)}1${"]".repeat(128)}`);
  assert.equal(codeOf(() => canonicalize(nested(129))), "too-deep");
  assert.equal(codeOf(() => canonicalize(nested(100_000))), "too-deep");
  assert.equal(codeOf(() => canonicalize("[".repeat(100_000))), "too-deep");
  assert.equal(codeOf(() => hashSurface(`[{"name":"t","inputSchema":${'{"a":'.repeat(100_000)}`)), "too-deep");
});

test("a document beyond 64 MiB is refused, as text, bytes or object", () => {
  const units = 70 * 1024 * 1024;
  assert.equal(codeOf(() => canonicalize(`"${"x".repeat(units)}"`)), "document-too-large");
  assert.equal(codeOf(() => canonicalize(`"${"漢".repeat(units)}"`)), "document-too-large");
  assert.equal(codeOf(() => canonicalize(Buffer.alloc(units, "x"))), "document-too-large");
  assert.equal(codeOf(() => canonicalize(["x".repeat(units)])), "document-too-large");
  assert.equal(codeOf(() => canonicalize(`"${"漢".repeat(30 * 1024 * 1024)}"`)), "document-too-large");
  // The largest that fits.
  const fits = `"${"x".repeat(64 * 1024 * 1024 - 2)}"`;
  assert.equal(digest(fits), sha256(fits));
});

test("an error carries what it knows, on one line", () => {
  const error = thrownBy(() => canonicalize('{"a":1,\n"a":2}'));
  assert.deepEqual({ ...error }, { code: "duplicate-key", pointer: "/a", line: 2, column: 1, ...(error.help && { help: error.help }) });
  assert.equal(error.name, "GatewrightError");
  assert.match(String(error), /^GatewrightError: [^\n]+$/);
});

test("a failure leaves nothing behind for the next call", () => {
  for (let n = 0; n < 100; n++) {
    assert.throws(() => canonicalize("{"), { code: "invalid-json" });
    assert.equal(canonicalize("[1.0]"), "[1]");
  }
});

test("canonical form and digest agree with other implementations on any JSON", () => {
  fc.assert(fc.property(fc.jsonValue({ depthSize: "medium" }), (value) => {
    // -0 has no JSON spelling that keeps it; lone surrogates are refused.
    const text = JSON.stringify(value);
    fc.pre(text.isWellFormed() && !/\\ud[89a-f]/i.test(text));
    const expected = canonicalizeReference(JSON.parse(text));
    assert.equal(canonicalize(text), expected);
    if (typeof value === "object") assert.equal(canonicalize(value), expected);
    assert.equal(digest(Buffer.from(text)), sha256(expected));
  }), { seed: 20260102, numRuns: soak ? 100_000 : 500 });
});

test("any string crosses unharmed or is refused", () => {
  fc.assert(fc.property(fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 40 }), (string) => {
    const escaped = string.replace(/["\\\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1));
    if (string.isWellFormed()) assert.equal(canonicalize(`"${escaped}"`), canonicalizeReference(string));
    else assert.equal(codeOf(() => canonicalize(`"${escaped}"`)), "lone-surrogate");
  }), { seed: 20260102, numRuns: soak ? 500_000 : 2000 });
});

test("a surface is the same in every form and every wrapping", () => {
  const expected = hashSurface(JSON.stringify([tool]));
  assert.equal(expected.tools.read.nameHash, sha256('"read"'));
  assert.equal(expected.tools.read.hash, sha256(canonicalizeReference({ description: tool.description, inputSchema: tool.inputSchema, name: tool.name })));
  assert.equal(expected.toolSurfaceHash, sha256(JSON.stringify([expected.tools.read.hash])));
  for (const surface of [[tool], { tools: [tool] }, { jsonrpc: "2.0", id: 1, result: { tools: [tool] } }, Buffer.from(JSON.stringify([tool]))]) {
    assert.deepEqual(hashSurface(surface), expected);
  }
  const { contentHash, annotationsHash, ...lockHashes } = hashTool(tool);
  assert.deepEqual(lockHashes, expected.tools.read);
  assert.match(contentHash, /^sha256:[0-9a-f]{64}$/);
  assert.match(annotationsHash, /^sha256:[0-9a-f]{64}$/);
});

test("a lockfile is built, read, verified and renewed", () => {
  const endpoint = { transport: "stdio", command: "npx", args: ["-y", "pkg@1.0.0"], envNames: [] };
  const text = buildLockfile([{ name: "fs", surface: [tool], endpoint }], { now });
  const hashes = hashSurface([tool]);
  const data = parseLockfile(text);
  assert.equal(data.lockfileVersion, 1);
  assert.equal(data.servers.fs.toolSurfaceHash, hashes.toolSurfaceHash);
  assert.equal(data.servers.fs.tools.read.hash, hashes.tools.read.hash);

  // However the surface is given, beside others or alone.
  for (const surface of [JSON.stringify([tool]), Buffer.from(JSON.stringify([tool])), { tools: [tool] }]) {
    assert.equal(buildLockfile([{ name: "fs", surface, endpoint }], { now }), text);
  }
  assert.equal(buildLockfile(JSON.stringify([{ name: "fs", surface: [tool], endpoint }]), { now }), text);
  const two = [{ name: "a", surface: JSON.stringify([tool]) }, { name: "b", surface: [] }, { name: "c", surface: Buffer.from("[]") }];
  assert.equal(parseLockfile(buildLockfile(two, { now })).servers.a.toolSurfaceHash, hashes.toolSurfaceHash);
  assert.deepEqual(Object.keys(parseLockfile(buildLockfile(two, { now })).servers), ["a", "b", "c"]);

  assert.deepEqual(verifyLockfile(text, [{ name: "fs", surface: [tool], endpoint }]), { verified: true, findings: [] });
  const changed = [{ ...tool, description: "Reads a file. " }];
  const { verified, findings } = verifyLockfile(Buffer.from(text), [{ name: "fs", surface: changed, endpoint }], { wholeSet: true });
  assert.equal(verified, false);
  assert.ok(findings.some((finding) => finding.server === "fs" && finding.tool === "read" && /description/.test(finding.pointer + finding.message)), JSON.stringify(findings));
  const known = new Set(rules().map(({ id }) => id));
  for (const finding of findings) assert.ok(known.has(finding.rule), finding.rule);

  assert.equal(updateLockfile(text, [{ name: "fs", surface: [tool], endpoint }], { now: "2027-01-01T00:00:00Z" }), text);
  const renewed = updateLockfile(text, [{ name: "fs", surface: changed, endpoint }], { now: "2027-01-01T00:00:00Z" });
  assert.equal(parseLockfile(renewed).generatedAt, "2027-01-01T00:00:00Z");
  assert.equal(verifyLockfile(renewed, [{ name: "fs", surface: changed, endpoint }]).verified, true);
});

test("a lockfile of a newer version, half a lockfile and a foreign text are refused", () => {
  const text = buildLockfile([{ name: "fs", surface: [tool] }], { now });
  assert.equal(codeOf(() => parseLockfile(text.replace('"lockfileVersion": 1', '"lockfileVersion": 2'))), "unsupported-lockfile-version");
  assert.equal(codeOf(() => parseLockfile(text.slice(0, text.length / 2))), "invalid-json");
  assert.equal(codeOf(() => verifyLockfile("[]", [])), "invalid-lockfile");
});

test("rules explain themselves", () => {
  const all = rules();
  assert.deepEqual([...new Set(all.map(({ family }) => family))].sort(), ["drift", "lock"]);
  for (const { id, severity, summary } of all) {
    assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.match(severity, /^(critical|high|medium|informational)$/);
    assert.ok(summary.length > 0);
    assert.ok(explain(id).includes(id), id);
  }
  assert.equal(codeOf(() => explain("no-such-rule")), "unknown-rule");
});

test("versions are constants that say what the core says", async () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  assert.equal(version, manifest.version);
  const exports = await coreExports();
  assert.equal(version, exports.version);
  assert.deepEqual(specVersions, JSON.parse(exports.specVersions));
});

/** What the wasm in the package answers, asked without any of the package's JavaScript. */
async function coreExports() {
  const module = new WebAssembly.Module(readFileSync(path.join(installed, "dist/gatewright.wasm")));
  const glue = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (glue[from] ??= {})[name] = () => {};
  const { exports } = new WebAssembly.Instance(module, glue);
  const ask = (operation) => {
    const place = exports.__wbindgen_malloc(operation.length, 1);
    new Uint8Array(exports.memory.buffer).set(new TextEncoder().encode(operation), place);
    const [at, length] = exports.call(place, operation.length);
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
  };
  return { version: ask("version"), specVersions: ask("specVersions") };
}

test("ESM and CommonJS offer the same", () => {
  const common = asCommonJs("gatewright");
  assert.deepEqual(Object.keys(common).sort(), Object.keys(gatewright).sort());
  assert.equal(common.hashSurface([tool]).toolSurfaceHash, hashSurface([tool]).toolSurfaceHash);
  assert.deepEqual(Object.keys(gatewright).sort(), [
    "GatewrightError", "buildLockfile", "buildSnapshot", "canonicalize", "checkSnapshot", "classifyDrift", "digest", "explain", "hashSurface", "hashTool", "parseLockfile", "rules", "schemaWidenings", "specVersions", "updateLockfile", "verifyLockfile", "version",
  ]);
});
