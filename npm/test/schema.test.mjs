// What a changed schema newly accepts, by the public function. Which schemas accept more than others is tested with the
// core's vectors; this is about what JavaScript hands in and gets back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asModule } from "./project.mjs";
import { codeOf, thrownBy } from "./thrown.mjs";

const { canonicalize, schemaWidenings } = await asModule("gatewright");

const object = (properties, members = {}) => ({ type: "object", properties, ...members });
const nothing = { widenings: [], narrowings: [], undecided: [] };
const reads = object({ mode: { enum: ["read"] } });
const deletes = object({ mode: { enum: ["read", "delete"] } });
const mode = { pointer: "/properties/mode/enum", keyword: "enum", witness: { mode: "delete" } };

/** Every form in which a value can be given. */
const forms = (value) => {
  const bytes = Buffer.from(JSON.stringify(value));
  const alone = Uint8Array.from(bytes).buffer;
  return [JSON.stringify(value), bytes, alone, new DataView(alone), value];
};

test("a widening has its place, the keyword before and after, and a value that proves it", () => {
  const widening = { ...mode, before: ["read"], after: ["read", "delete"] };
  assert.deepEqual(schemaWidenings(reads, deletes), { ...nothing, widenings: [widening] });
});

test("the other way round it is a narrowing", () => {
  const narrowing = { ...mode, before: ["read", "delete"], after: ["read"] };
  assert.deepEqual(schemaWidenings(deletes, reads), { ...nothing, narrowings: [narrowing] });
});

test("a keyword that is on one side only has no value on the other", () => {
  const path = { path: { type: "string" } };
  const gone = { pointer: "/required", keyword: "required", witness: {}, before: ["path"] };
  assert.deepEqual(schemaWidenings(object(path, { required: ["path"] }), object(path)), { ...nothing, widenings: [gone] });
  const added = { pointer: "/required", keyword: "required", witness: {}, after: ["path"] };
  assert.deepEqual(schemaWidenings(object(path), object(path, { required: ["path"] })), { ...nothing, narrowings: [added] });
});

test("a keyword that stood elsewhere says where", () => {
  const before = object({ size: { $ref: "#/$defs/size" } }, { $defs: { size: { maximum: 1 } } });
  const [widening, ...others] = schemaWidenings(before, object({ size: { maximum: 2 } })).widenings;
  assert.deepEqual(others, []);
  assert.deepEqual([widening.beforePointer, widening.pointer], ["/$defs/size/maximum", "/properties/size/maximum"]);
});

test("what cannot be decided has no witness", () => {
  const [before, after] = ["^(?=a)b", "^(?=a)c"];
  assert.deepEqual(schemaWidenings({ pattern: before }, { pattern: after }), { ...nothing, undecided: [{ pointer: "/pattern", keyword: "pattern", before, after }] });
});

test("the same in other words is no difference", () => {
  assert.deepEqual(schemaWidenings(deletes, object({ mode: { anyOf: [{ const: "delete" }, { const: "read" }] } })), nothing);
  // A number's spelling is not its value.
  assert.deepEqual(schemaWidenings('{"maximum":1.50}', '{"maximum":15e-1}'), nothing);
});

test("a witness is JSON of any kind", () => {
  const witnessOf = (before, after) => {
    const { widenings } = schemaWidenings(before, after);
    assert.equal(widenings.length, 1);
    assert.ok("witness" in widenings[0]);
    return widenings[0].witness;
  };
  for (const value of [null, false, 0, -1.5e-9, 1e300, "", "é漢😀\u2028\0\"\\", [], [null, {}], {}]) {
    assert.deepEqual(witnessOf({ enum: ["x"] }, { enum: ["x", value] }), value);
  }
  // Keys that mean something to JavaScript are data.
  for (const key of ["toJSON", "__proto__", "constructor", "then"]) {
    const schema = (values) => `{"type":"object","properties":{"${key}":{"enum":${values}}},"required":["${key}"]}`;
    const witness = witnessOf(schema('["a"]'), schema('["a","b"]'));
    assert.deepEqual(Object.entries(witness), [[key, "b"]]);
    assert.equal(Object.getPrototypeOf(witness), Object.prototype);
    assert.deepEqual(witnessOf(JSON.parse(schema('["a"]')), JSON.parse(schema('["a","b"]'))), witness);
  }
});

test("text, bytes in any wrapping and objects give the same answer", () => {
  const [before, after] = [object({ ...reads.properties, é: true }), object({ ...deletes.properties, é: true })];
  const expected = schemaWidenings(JSON.stringify(before), JSON.stringify(after));
  assert.equal(expected.widenings.length, 1);
  for (const one of forms(before)) {
    for (const other of forms(after)) assert.deepEqual(schemaWidenings(one, other), expected);
  }
});

test("a schema may be `true` or `false`", () => {
  for (const [none, all] of [["false", "true"], [Buffer.from("false"), Buffer.from("true")]]) {
    assert.deepEqual(schemaWidenings(all, all), nothing);
    assert.equal(schemaWidenings(none, all).widenings.length, 1);
    assert.equal(schemaWidenings(all, none).narrowings.length, 1);
  }
});

test("what came off the wire reaches the core as it came", () => {
  const twice = '{"maximum":1,"maximum":2}';
  for (const [run, which] of [
    [() => schemaWidenings(twice, {}), "before"], [() => schemaWidenings(Buffer.from(twice), {}), "before"],
    [() => schemaWidenings({}, twice), "after"], [() => schemaWidenings({}, Buffer.from(twice)), "after"],
  ]) {
    const error = thrownBy(run);
    assert.deepEqual([error.code, error.pointer, error.line, error.column], ["duplicate-key", "/maximum", 1, 14]);
    assert.ok(error.message.startsWith(`the schema ${which}: `), error.message);
  }
  assert.equal(codeOf(() => schemaWidenings('{"const":"\ud800"}', {})), "lone-surrogate");
  assert.equal(codeOf(() => schemaWidenings({}, { const: "\udc00" })), "lone-surrogate");
  assert.equal(codeOf(() => schemaWidenings({}, Buffer.from([0x22, 0xff, 0x22]))), "invalid-utf8");
  assert.equal(codeOf(() => schemaWidenings("{", "{")), "invalid-json");
  assert.equal(codeOf(() => schemaWidenings("", {})), "invalid-json");
  assert.equal(codeOf(() => schemaWidenings({}, "[".repeat(100_000))), "too-deep");
});

test("where one schema is refused, `canonicalize` refuses it in the same words", () => {
  for (const text of ["{", "[1,]", '{"a":1e999}', "\ufeff{}", "{} {}", "[".repeat(129)]) {
    const { message, ...details } = thrownBy(() => canonicalize(text));
    for (const [which, run] of [["before", () => schemaWidenings(text, {})], ["after", () => schemaWidenings({}, text)]]) {
      const error = thrownBy(run);
      assert.equal(error.message, `the schema ${which}: ${message}`);
      assert.deepEqual({ ...error }, details);
    }
  }
});

test("values without a JSON form are refused", () => {
  const cycle = {};
  cycle.self = cycle;
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [undefined, () => 1, Symbol("s"), 1n, cycle, proxy, new Map(), { enum: [NaN] }, { enum: new Set() }, { get enum() { throw new Error("no"); } }]) {
    assert.equal(codeOf(() => schemaWidenings(value, {})), "not-json");
    assert.equal(codeOf(() => schemaWidenings({}, value)), "not-json");
  }
  assert.equal(codeOf(() => schemaWidenings({})), "not-json");
});

test("nothing of what is given is changed", () => {
  const freeze = (value) => (typeof value === "object" && value !== null && Object.values(value).forEach(freeze), Object.freeze(value));
  assert.equal(schemaWidenings(freeze(structuredClone(reads)), freeze(structuredClone(deletes))).widenings.length, 1);
});
