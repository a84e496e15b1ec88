// Times the package beside what one would otherwise use in Node: npm `canonicalize` with node:crypto.
//
//   node bench/bench.mjs FILE…      each a tools/list result of another size; with a changed one beside it, NAME.after.json,
//                                   the two are compared, too
//
// Prints one JSON object a line. Every impl gives the same answer on every file, or this fails.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const entry = new URL("../dist/index.js", import.meta.url).href;

const impls = {
  gatewright: async () => (await import(entry)).hashSurface,
  "canonicalize + node:crypto": async () => {
    const { default: canonicalize } = await import("canonicalize");
    const hash = (value) => `sha256:${createHash("sha256").update(canonicalize(value)).digest("hex")}`;
    return (text) => {
      const tools = {};
      for (const { name, description = null, inputSchema = null } of JSON.parse(text).tools) {
        tools[name] = { hash: hash({ description, inputSchema, name }), nameHash: hash(name), descriptionHash: hash(description), inputSchemaHash: hash(inputSchema) };
      }
      const hashes = Object.keys(tools).sort().map((name) => tools[name].hash);
      return { toolSurfaceHash: hash(hashes), tools };
    };
  },
};

const print = (record) => console.log(JSON.stringify(record));
const rounded = (value) => Number(value.toPrecision(4));

function median(values) {
  values.sort((a, b) => a - b);
  return values[values.length >> 1];
}

/** Milliseconds of one run: the median of as many as fit into a second or so, after some to warm up. */
function time(run) {
  const once = () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  for (const until = performance.now() + 300; performance.now() < until; ) once();
  const times = [];
  for (const until = performance.now() + 1500; performance.now() < until || times.length < 5; ) times.push(once());
  return rounded(median(times));
}

/** In a process of its own: how much memory one run takes beyond what is there when the input is. */
async function memory(impl, file) {
  const run = await impls[impl]();
  run('{"tools":[]}');
  let text = fs.readFileSync(file, "latin1");
  // Other files than ASCII ones would need "utf8", which keeps two copies for a while.
  if (/[^\0-\x7f]/.test(text)) text = fs.readFileSync(file, "utf8");
  globalThis.gc();
  const before = resetPeak();
  const result = run(text);
  const peak = peakMemory();
  assert.ok(result.toolSurfaceHash);
  const megabytes = (bytes) => rounded(bytes / 1e6);
  print({ rssAboveInputMB: megabytes(peak - before), rssAboveInputRatio: rounded((peak - before) / fs.statSync(file).size) });
}

/** Linux forgets the peak when asked to; elsewhere it is the highest since the process began. */
function resetPeak() {
  try {
    fs.writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not Linux.
  }
  return process.memoryUsage.rss();
}

function peakMemory() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync("/proc/self/status", "latin1"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

/** In fresh processes, because it happens once in each: importing the package, and the first call. */
function start() {
  const script = `
    const start = performance.now();
    const { hashTool } = await import(${JSON.stringify(entry)});
    const imported = performance.now();
    hashTool('{"name":"t"}');
    console.log(JSON.stringify([imported - start, performance.now() - imported]));
  `;
  const runs = Array.from({ length: 15 }, () => JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })));
  print({ what: "import", impl: "gatewright", ms: rounded(median(runs.map(([imported]) => imported))) });
  print({ what: "first call", impl: "gatewright", ms: rounded(median(runs.map(([, called]) => called))) });
}

async function oneTool(file) {
  const { hashTool } = await import(entry);
  const tool = JSON.parse(fs.readFileSync(file, "utf8")).tools[0];
  const text = JSON.stringify(tool);
  const many = (input) => () => {
    for (let n = 0; n < 100; n++) hashTool(input);
  };
  print({ what: "hashTool", impl: "gatewright", input: "text", bytes: text.length, us: rounded(time(many(text)) * 10) });
  print({ what: "hashTool", impl: "gatewright", input: "object", bytes: text.length, us: rounded(time(many(tool)) * 10) });
}

/** Two surfaces in, drift out, beside what only reading them takes. */
async function drift(file) {
  const after = file.replace(/\.json$/, ".after.json");
  if (!fs.existsSync(after)) return;
  const { classifyDrift } = await import(entry);
  const [old, now] = [file, after].map((path) => fs.readFileSync(path, "utf8"));
  const n = JSON.parse(old).tools.length;
  const { findings } = classifyDrift(old, now, { profile: "mcplock" });
  assert.ok(new Set(findings.map(({ tool }) => tool)).size >= n / 50);
  print({ what: "classifyDrift", impl: "reading both: the language's own reader", n, ms: time(() => [JSON.parse(old), JSON.parse(now)]) });
  print({ what: "classifyDrift", impl: "gatewright: both texts in, drift out", n, ms: time(() => classifyDrift(old, now)) });
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--memory") {
  await memory(...rest);
} else {
  const files = [first, ...rest].filter(Boolean);
  assert.ok(files.length > 0, "usage: node bench/bench.mjs FILE…");
  for (const file of files) {
    const text = fs.readFileSync(file, "utf8");
    const n = JSON.parse(text).tools.length;
    const answers = [];
    for (const [impl, load] of Object.entries(impls)) {
      const run = await load();
      answers.push(run(text));
      const ms = time(() => run(text));
      const used = JSON.parse(execFileSync(process.execPath, ["--expose-gc", self, "--memory", impl, file], { encoding: "utf8" }));
      print({ what: "hashSurface", impl, n, bytes: fs.statSync(file).size, ms, ...used });
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    await drift(file);
  }
  start();
  await oneTool(files[0]);
}
