import assert from "node:assert/strict";
import { test } from "node:test";
import { runTest, runVectors } from "./conformance.mjs";
import { asCommonJs, asModule, wire } from "./project.mjs";
import { vectorSets } from "./vectors.mjs";

const call = await wire("dist/cli.wasm");

for (const [name, vectors] of vectorSets()) {
  for (const [format, load] of [["ESM", asModule], ["CommonJS", asCommonJs]]) {
    test(`${vectors.manifest.total} vectors of ${name}, ${format}`, async (t) => {
      const { ran, failures } = runVectors(await load("gatewright"), call, "node", vectors);
      t.diagnostic(`${ran - failures.length} passed, ${failures.length} failed`);
      assert.deepEqual(failures, []);
      assert.ok(ran > 0);
    });
  }
}

test("the runner sees what is wrong", async () => {
  const api = await asModule("gatewright");
  const run = (inputs, expect) => runTest(api, call, "canonicalize", { inputs, expect });
  assert.equal(run(["[1.0]"], { text: "[1]" }), undefined);
  assert.match(run(["[1.0]"], { text: "[1.0]" }), /returned/);
  assert.match(run(["[1.0]"], { error: { code: "invalid-json" } }), /returned/);
  assert.match(run(["[1.0"], { text: "[1]" }), /threw/);
  assert.match(run(["[1.0"], { error: { code: "invalid-json", line: 2 } }), /line is 1, not 2/);
  const file = { operation: "canonicalize", count: 1, tests: [{ id: "a/b/c", comment: "", inputs: ["[1.0]"], expect: { text: "[1]" } }] };
  const failuresOf = (manifest, skips = []) => runVectors(api, call, "node", { manifest, files: [["a/b.json", file]], skips }).failures.length;
  assert.equal(failuresOf({ files: { "a/b.json": 1 }, total: 1 }), 0);
  assert.notEqual(failuresOf({ files: { "a/b.json": 2 }, total: 2 }), 0);
  assert.notEqual(failuresOf({ files: { "a/b.json": 1, "a/c.json": 1 }, total: 2 }), 0);
  assert.notEqual(failuresOf({ files: { "a/b.json": 1 }, total: 1 }, [{ host: "node", id: "x" }]), 0);
});
