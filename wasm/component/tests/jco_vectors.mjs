// Runs the vectors, and the JavaScript example of `wit/README.md`, on the component as jco makes a module of it.
//
//     node jco_vectors.mjs
//
// `GATEWRIGHT_COMPONENT` may name another component than the one in `dist/`, and `GATEWRIGHT_EXTRA_VECTORS` a second folder
// of vectors. What cannot cross the typed interface stands in the folder's `skips.json`, and nothing else is left out.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const HOST = "component";
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COMPONENT = path.resolve(process.env.GATEWRIGHT_COMPONENT || path.join(ROOT, "dist/gatewright.component.wasm"));
const README = fs.readFileSync(path.join(ROOT, "wit/README.md"), "utf8");

/** An input that the typed interface has no place for. */
class CannotCross extends Error {}

// --- The wire's operations, and what they are here -------------------------------------------------------------------

const operations = {
  canonicalize: ({ canonical }, json) => canonical.canonicalize(json),
  digest: ({ canonical }, json) => canonical.digest(json),
  hashTool: ({ surface }, tool) => surface.hashTool(tool),
  hashSurface: ({ surface }, text) => {
    const { toolSurfaceHash, tools } = surface.hashSurface(text);
    return { toolSurfaceHash, tools: Object.fromEntries(tools.map(({ name, hashes }) => [name, hashes])) };
  },
  parseLockfile: ({ lockfile }, text) => JSON.parse(lockfile.parse(text)),
  buildLockfile: ({ lockfile }, servers, options, ...parts) =>
    lockfile.build(toServers(servers, parts), ...toOptions(options, { now: "string" })),
  updateLockfile: ({ lockfile }, text, servers, options, ...parts) =>
    lockfile.update(text, toServers(servers, parts), ...toOptions(options, { now: "string", wholeSet: "boolean" })),
  verifyLockfile: ({ lockfile }, text, servers, options, ...parts) => {
    const { verified, findings } = lockfile.verify(text, toServers(servers, parts), ...toOptions(options, { wholeSet: "boolean" }));
    return { verified, findings: findings.map(fromFinding) };
  },
  buildSnapshot: ({ snapshot }, server, options, previous, ...parts) => {
    const { name, surface, endpoint } = toServer(parse(server), parts);
    return snapshot.build(name, string(surface.val), endpoint, ...toOptions(options, { now: "string" }), previous || undefined);
  },
  checkSnapshot: ({ snapshot }, text, surface, options) => {
    const { profile = "default", failOn = "high", endpoint } = toMembers(options, ["profile", "failOn", "endpoint"]);
    const reached = endpoint === undefined ? undefined : toEndpoint(endpoint);
    const { drift, fails } = snapshot.check(text, surface, reached, one(PROFILES, profile), one(SEVERITIES, failOn));
    return { ...fromDrift(drift), fails };
  },
  classifyDrift: ({ drift }, before, after, options) =>
    fromDrift(drift.classify(before, after, one(PROFILES, toMembers(options, ["profile"]).profile ?? "default"))),
  schemaWidenings: ({ schema }, before, after) => {
    const { widenings, narrowings, undecided } = schema.widenings(before, after);
    return { widenings: widenings.map(fromWidening), narrowings: narrowings.map(fromWidening), undecided: undecided.map(fromWidening) };
  },
  rules: ({ meta }) => meta.rules(),
  explain: ({ meta }, rule) => meta.explain(rule),
  version: ({ meta }) => meta.version(),
  specVersions: ({ meta }) => Object.fromEntries(meta.specVersions().map(({ specification, version }) => [specification, version])),
};

const PROFILES = ["default", "mcplock"];
const SEVERITIES = ["critical", "high", "medium", "informational"];

const parsed = (text) => (text === undefined ? undefined : JSON.parse(text));
const fromFinding = ({ evidence, ...finding }) => ({ ...finding, evidence: parsed(evidence) });
const fromChange = ({ before, after, words, ...change }) => ({
  ...change,
  before: parsed(before),
  after: parsed(after),
  words: words.length > 0 ? words : undefined,
});
const fromWidening = ({ witness, before, after, ...widening }) => ({
  ...widening,
  witness: parsed(witness),
  before: parsed(before),
  after: parsed(after),
});
const fromDrift = ({ severity, counts, changes, findings, notChecked }) => ({
  severity: severity ?? null,
  counts,
  changes: changes.map(fromChange),
  findings: findings.map(fromFinding),
  notChecked,
});

const toServers = (text, parts) => list(parse(text), (server) => toServer(server, parts));

function toServer(server, parts) {
  const { name, surface, surfacePart, unreachable, endpoint, ...rest } = members(server);
  const ways = [surface, surfacePart, unreachable].filter((way) => way !== undefined);
  if (Object.keys(rest).length > 0 || ways.length !== 1 || (unreachable ?? true) !== true) throw new CannotCross("a server");
  const listed = surfacePart === undefined ? (typeof surface === "string" ? surface : JSON.stringify(surface)) : parts[surfacePart];
  return {
    name: string(name),
    surface: unreachable ? { tag: "unreachable" } : { tag: "listed", val: string(listed) },
    endpoint: endpoint === undefined ? undefined : toEndpoint(endpoint),
  };
}

function toEndpoint(endpoint) {
  const { transport, command, args = [], envNames = [], url, ...rest } = members(endpoint);
  const isCommand = command !== undefined && url === undefined && (transport ?? "stdio") === "stdio";
  const isUrl = url !== undefined && command === undefined && ["http", "sse"].includes(transport ?? "http");
  if (Object.keys(rest).length > 0 || !(isCommand || isUrl)) throw new CannotCross("an endpoint");
  return isCommand
    ? { tag: "command", val: { command: string(command), args: list(args, string), envNames: list(envNames, string) } }
    : { tag: "url", val: { transport: transport ?? "http", url: string(url) } };
}

/** The options in their order here; an absent flag is false. */
function toOptions(text, types) {
  const options = toMembers(text, Object.keys(types));
  return Object.entries(types).map(([name, type]) => {
    const option = Object.hasOwn(options, name) ? options[name] : false;
    return typeof option === type ? option : cannotCross(`the option ${name}`);
  });
}

/** The options, of which no other is known. */
function toMembers(text, known) {
  const options = text === "" ? {} : members(parse(text));
  return Object.keys(options).every((name) => known.includes(name)) ? options : cannotCross("the options");
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new CannotCross("what is not JSON");
  }
}

const cannotCross = (what) => {
  throw new CannotCross(what);
};
const members = (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : cannotCross("what is no object"));
const list = (value, toItem) => (Array.isArray(value) ? value.map(toItem) : cannotCross("what is no list"));
const one = (set, value) => (set.includes(value) ? value : cannotCross("what is none of a closed set"));
/** A text that arrives as it is: half a surrogate pair would not. */
const string = (value) => (typeof value === "string" && value.isWellFormed() ? value : cannotCross("what is no Unicode text"));

// --- The vectors -----------------------------------------------------------------------------------------------------

function runFolder(folder, component) {
  const manifest = read(path.join(folder, "manifest.json"));
  const names = fs.readdirSync(folder, { recursive: true }).map((name) => name.split(path.sep).join("/"));
  const files = names.filter((name) => /^[^/]+\/[^/]+\.json$/.test(name)).map((name) => [name, read(path.join(folder, name))]);
  const failures = [];
  const counts = Object.fromEntries(files.map(([name, { tests }]) => [name, tests.length]));
  const stated = Object.fromEntries(files.map(([name, { count }]) => [name, count]));
  const total = files.reduce((sum, [, { tests }]) => sum + tests.length, 0);
  if (!isDeepStrictEqual(counts, manifest.files) || !isDeepStrictEqual(stated, manifest.files) || total !== manifest.total || total === 0) {
    failures.push(`${folder}: the files are not those of the manifest`);
  }
  const skips = fs.existsSync(path.join(folder, "skips.json")) ? read(path.join(folder, "skips.json")) : [];
  const patterns = skips.filter(({ host }) => host === HOST).map(({ id }) => id);
  const used = new Set();
  let [passed, skipped] = [0, 0];
  for (const [, { operation, tests }] of files) {
    for (const test of tests) {
      const skip = patterns.find((pattern) => covers(pattern, test.id));
      let why = difference(component, operation, test);
      if (skip !== undefined) {
        used.add(skip);
        skipped += 1;
        why = why ? undefined : `it passes, and the skip \`${skip}\` leaves it out`;
      } else if (!why) {
        passed += 1;
      }
      if (why) failures.push(`${test.id} (${test.comment}): ${why}`);
    }
  }
  failures.push(...patterns.filter((pattern) => !used.has(pattern)).map((pattern) => `${folder}: the skip \`${pattern}\` is not used`));
  return { passed, skipped, failures };
}

/** What differs from the expectation, or nothing. */
function difference(component, operation, { inputs, expect }) {
  if (!Object.hasOwn(operations, operation)) return `there is no operation \`${operation}\``;
  let got;
  try {
    got = operations[operation](component, ...inputs.map((input) => toText(decode(input))));
  } catch (error) {
    if (error instanceof CannotCross) return `cannot cross, and is not in skips.json: ${error.message}`;
    if (error.payload?.code === undefined) throw error;
    const wanted = expect.error ?? { code: undefined };
    const same = Object.keys(wanted).every((member) => error.payload[member] === wanted[member]);
    return same ? undefined : `${show(error.payload)} instead of ${show(expect)}`;
  }
  let same = false;
  if ("text" in expect) same = got === expect.text;
  else if ("textHex" in expect) same = Buffer.from(got).toString("hex") === expect.textHex;
  // Through text, which leaves out members that are there and undefined.
  else if ("json" in expect) same = isDeepStrictEqual(JSON.parse(JSON.stringify(got)), expect.json);
  return same ? undefined : `${show(got)} instead of ${show(expect)}`;
}

const covers = (pattern, id) => (pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern);
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const show = (value) => JSON.stringify(value).slice(0, 500);

/** An input of a vector as bytes, or as text where it is long. */
function decode(input) {
  if (typeof input === "string") return Buffer.from(input);
  if ("hex" in input) return Buffer.from(input.hex, "hex");
  if ("concat" in input) return Buffer.concat(input.concat.map(decode));
  return Buffer.from(input.repeat.text.repeat(input.repeat.times));
}

function toText(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CannotCross("bytes that are not UTF-8");
  }
}

// --- The component ---------------------------------------------------------------------------------------------------

/** Makes a module of the component with the command line of the README, and returns the folder it is in. */
function transpile() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gatewright-jco-"));
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  fs.copyFileSync(COMPONENT, path.join(folder, "gatewright.component.wasm"));
  fs.writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  const [, line] = README.match(/^npx jco (.+)$/m);
  const jco = path.join(ROOT, "npm/node_modules/@bytecodealliance/jco/dist/jco.js");
  execFileSync(process.execPath, [jco, ...line.split(" ")], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

function theExamplePrintsWhatItSays(folder) {
  const [, example, output] = README.match(/```js\n([^]*?)```[^]*?```text\n([^]*?)```/);
  fs.writeFileSync(path.join(folder, "example.mjs"), example);
  assert.equal(execFileSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" }), output);
}

const folder = transpile();
theExamplePrintsWhatItSays(folder);
const { instantiate } = await import(pathToFileURL(path.join(folder, "gatewright/gatewright.js")).href);
const component = instantiate((name) => new WebAssembly.Module(fs.readFileSync(path.join(folder, "gatewright", name))), {});
const folders = [path.join(ROOT, "tests/vectors"), process.env.GATEWRIGHT_EXTRA_VECTORS].filter(Boolean);
const results = folders.map((folder) => runFolder(folder, component));
const sum = (count) => results.map(count).reduce((a, b) => a + b);
for (const failure of results.flatMap(({ failures }) => failures)) console.error(failure);
const failed = sum(({ failures }) => failures.length);
console.log(`jco: ${sum(({ passed }) => passed)} passed, ${failed} failed (${sum(({ skipped }) => skipped)} cannot cross)`);
process.exitCode = failed > 0 || sum(({ passed }) => passed) === 0 ? 1 : 0;
