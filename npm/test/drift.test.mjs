// What moved, and snapshots, by the public functions. Which change is how bad is tested with the core's vectors; this is
// about what JavaScript hands in and gets back.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import canonicalizeReference from "canonicalize";
import { asModule } from "./project.mjs";
import { codeOf, thrownBy } from "./thrown.mjs";

const { buildLockfile, buildSnapshot, checkSnapshot, classifyDrift, explain, rules } = await asModule("gatewright");

const now = "2026-11-30T12:00:00Z";
const later = "2027-01-01T00:00:00Z";
const sha256 = (value) => `sha256:${createHash("sha256").update(canonicalizeReference(value)).digest("hex")}`;
const tool = {
  name: "rm",
  description: "Removes a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  annotations: { destructiveHint: true },
};
const worse = { ...tool, description: "Removes all files.", annotations: { destructiveHint: false }, title: "Remove" };

/** Every form in which a value can be given. */
const forms = (value) => {
  const bytes = Buffer.from(JSON.stringify(value));
  const alone = Uint8Array.from(bytes).buffer;
  return [JSON.stringify(value), bytes, alone, new DataView(alone), value];
};

test("a drift says what moved, word by word, and how bad it is", () => {
  const drift = classifyDrift([tool], [worse, { name: "ls" }]);
  assert.equal(drift.severity, "critical");
  assert.deepEqual(drift.counts, { critical: 1, high: 1, medium: 0, informational: 2 });
  assert.deepEqual(drift.changes, [
    { kind: "added", tool: "ls", pointer: "/tools/ls", after: { name: "ls" } },
    { kind: "changed", tool: "rm", pointer: "/tools/rm/annotations/destructiveHint", before: true, after: false },
    {
      kind: "changed", tool: "rm", pointer: "/tools/rm/description", before: "Removes a file.", after: "Removes all files.",
      words: [{ kind: "same", text: "Removes " }, { kind: "removed", text: "a file" }, { kind: "added", text: "all files" }, { kind: "same", text: "." }],
    },
    { kind: "changed", tool: "rm", pointer: "/tools/rm/title", after: "Remove" },
  ]);
  assert.deepEqual(drift.findings.map(({ rule, severity, tool, pointer }) => [rule, severity, tool, pointer]), [
    ["annotation-flip", "critical", "rm", "/tools/rm/annotations"],
    ["description-trigger-word", "high", "rm", "/tools/rm/description"],
    ["new-tool", "informational", "ls", "/tools/ls"],
    ["title-edit", "informational", "rm", "/tools/rm/title"],
  ]);
  assert.deepEqual(drift.findings[1].evidence, { entered: ["all"], left: [] });
  assert.ok(drift.notChecked.length > 0 && drift.notChecked.every((text) => typeof text === "string" && text.length > 0));
  const families = new Map(rules().map(({ id, family }) => [id, family]));
  for (const { rule } of drift.findings) {
    assert.equal(families.get(rule), "drift");
    assert.ok(explain(rule).includes(rule));
  }
});

test("where nothing moved there is no severity", () => {
  const counts = { critical: 0, high: 0, medium: 0, informational: 0 };
  const { notChecked, ...drift } = classifyDrift([tool], [{ ...tool }]);
  assert.deepEqual(drift, { severity: null, counts, changes: [], findings: [] });
});

test("a gone tool and one under another name", () => {
  const twin = { name: "unlink", description: "Unlinks a directory entry by its path, and says what it was.", inputSchema: tool.inputSchema };
  const renamed = classifyDrift([tool, twin], [tool, { ...twin, name: "remove_entry" }]);
  assert.deepEqual(renamed.changes, [{ kind: "renamed", tool: "remove_entry", pointer: "/tools/remove_entry", before: "unlink", after: "remove_entry" }]);
  assert.deepEqual(renamed.findings.map(({ rule, severity }) => [rule, severity]), [["renamed-tool", "medium"], ["new-tool", "informational"]]);
  const gone = classifyDrift([tool], []);
  assert.deepEqual(gone.changes, [{ kind: "removed", tool: "rm", pointer: "/tools/rm", before: tool }]);
  assert.equal(gone.severity, "medium");
});

test("the profile mcplock judges by its own rules, and says what it does not look at", () => {
  const titled = [{ ...tool, title: "Remove" }];
  assert.equal(classifyDrift([tool], titled).severity, "informational");
  const drift = classifyDrift([tool], titled, { profile: "mcplock" });
  assert.equal(drift.severity, null);
  assert.ok(drift.notChecked.some((text) => text.includes("titles")));
  assert.equal(classifyDrift([tool], [worse], { profile: "mcplock" }).severity, "critical");
});

test("text, bytes in any wrapping and objects give the same drift, snapshot and check", () => {
  const drift = classifyDrift([tool], [worse]);
  const text = buildSnapshot({ name: "demo", surface: [tool] }, { now });
  const checked = checkSnapshot(text, [worse]);
  for (const before of forms([tool])) {
    for (const after of forms({ tools: [worse] })) assert.deepEqual(classifyDrift(before, after), drift);
    assert.equal(buildSnapshot({ name: "demo", surface: before }, { now }), text);
  }
  for (const server of forms({ name: "demo", surface: [tool] })) assert.equal(buildSnapshot(server, { now }), text);
  for (const snapshot of [text, Buffer.from(text), JSON.parse(text)]) {
    for (const surface of forms({ jsonrpc: "2.0", id: 1, result: { tools: [worse] } })) assert.deepEqual(checkSnapshot(snapshot, surface), checked);
  }
});

test("what came off the wire reaches the core as it came", () => {
  const twice = '[{"name":"rm","description":"a","description":"b"}]';
  for (const run of [() => classifyDrift(twice, []), () => classifyDrift([], Buffer.from(twice)), () => buildSnapshot({ name: "demo", surface: twice }, { now }), () => checkSnapshot(buildSnapshot({ name: "demo", surface: [] }, { now }), twice)]) {
    const error = thrownBy(run);
    assert.deepEqual([error.code, error.pointer, error.line, error.column], ["duplicate-key", "/0/description", 1, 33]);
  }
  assert.equal(codeOf(() => classifyDrift([], '[{"name":"\ud800"}]')), "lone-surrogate");
  assert.equal(codeOf(() => buildSnapshot({ name: "demo", surface: Buffer.from([0x22, 0xff, 0x22]) }, { now })), "invalid-utf8");
  // A number's spelling is not its value.
  assert.equal(classifyDrift('[{"name":"rm","inputSchema":{"maximum":1.50}}]', '[{"name":"rm","inputSchema":{"maximum":15e-1}}]').severity, null);
});

test("a snapshot keeps hashes and text, and nothing secret", () => {
  const surface = { serverInfo: { name: "demo", version: "1.2.3" }, instructions: "Be kind.", tools: [worse] };
  const endpoint = { transport: "stdio", command: "npx", args: ["-y", "pkg@1.0.0", "--token=canary-of-an-argument"], envNames: ["TOKEN"] };
  const text = buildSnapshot({ name: "demo", surface, endpoint }, { now });
  const snapshot = JSON.parse(text);
  assert.equal(text, `${JSON.stringify(snapshot, null, 2)}\n`);
  const { rm } = snapshot.tools;
  assert.deepEqual(rm, {
    annotations_hash: sha256(worse.annotations),
    content_hash: sha256({ description: worse.description, inputSchema: worse.inputSchema }),
    description_hash: sha256(worse.description),
    extras_hash: sha256({ title: "Remove" }),
    first_seen: now,
    last_verified: now,
    raw_annotations: worse.annotations,
    raw_description: worse.description,
    raw_extras: { title: "Remove" },
    raw_schema: worse.inputSchema,
    schema_hash: sha256(worse.inputSchema),
  });
  const { tools, endpoint_hash, ...about } = snapshot;
  assert.match(endpoint_hash, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(about, {
    connection: "npx -y pkg@1.0.0 '--token=<redacted>'", created_at: now, generated_by: "gatewright", instructions: "Be kind.", server_id: "demo",
    server_info: surface.serverInfo, snapshot_version: 1, source: { type: "npm", package: "pkg", version: "1.0.0" }, starts: 1, transport: "stdio", unstable: {}, updated_at: now,
  });
  assert.ok(!text.includes("canary"));
});

test("an earlier snapshot says when a tool was first seen", () => {
  const first = buildSnapshot({ name: "demo", surface: [tool] }, { now });
  for (const previous of [first, Buffer.from(first), Uint8Array.from(Buffer.from(first)).buffer]) {
    const second = JSON.parse(buildSnapshot({ name: "demo", surface: [worse, { name: "ls" }] }, { now: later, previous }));
    assert.deepEqual([second.created_at, second.updated_at], [now, later]);
    assert.deepEqual([second.tools.rm.first_seen, second.tools.rm.last_verified, second.tools.ls.first_seen], [now, later, later]);
  }
  assert.equal(buildSnapshot({ name: "demo", surface: [tool] }, { now, previous: undefined }), first);
  for (const previous of [null, "{}", "[]", {}]) assert.equal(codeOf(() => buildSnapshot({ name: "demo", surface: [] }, { now, previous })), "foreign-snapshot");
  assert.equal(codeOf(() => buildSnapshot({ name: "demo", surface: [] }, { now, previous: first.slice(0, 40) })), "invalid-json");
});

test("a check says where it fails", () => {
  const text = buildSnapshot({ name: "demo", surface: [tool] }, { now });
  const { fails, ...clean } = checkSnapshot(text, [tool]);
  assert.equal(fails, false);
  assert.deepEqual([clean.severity, clean.changes, clean.findings], [null, [], []]);
  const gone = (options) => checkSnapshot(text, [], options);
  assert.deepEqual(gone().findings.map(({ rule, server, tool }) => [rule, server, tool]), [["missing-tool", "demo", "rm"]]);
  assert.deepEqual([undefined, "critical", "high", "medium", "informational"].map((failOn) => gone({ failOn }).fails), [false, false, false, true, true]);
  assert.equal(checkSnapshot(text, [worse]).fails, true);
  assert.equal(checkSnapshot(text, [{ ...tool, title: "t" }], { profile: "mcplock", failOn: "informational" }).fails, false);
});

test("how the server is reached is compared if both are known, without credentials", () => {
  const endpoint = (version, token) => ({ transport: "stdio", command: "npx", args: ["-y", `pkg${version}`, ...(token ? [`--token=${token}`] : [])] });
  const text = buildSnapshot({ name: "demo", surface: [], endpoint: endpoint("@1.0.0", "one") }, { now });
  const rulesOf = (options) => checkSnapshot(text, [], options).findings.map(({ rule }) => rule);
  assert.deepEqual(rulesOf({ endpoint: endpoint("@1.0.0", "another") }), []);
  assert.deepEqual(rulesOf({ endpoint: undefined }), []);
  assert.deepEqual(rulesOf({}), []);
  assert.ok(rulesOf({ endpoint: { transport: "stdio", command: "npx", args: ["-y", "other"] } }).includes("server-source-swap"));
  assert.deepEqual(checkSnapshot(buildSnapshot({ name: "demo", surface: [] }, { now }), [], { endpoint: endpoint("") }).findings, []);
  const plain = buildSnapshot({ name: "demo", surface: [], endpoint: endpoint("@1.0.0") }, { now });
  assert.deepEqual(checkSnapshot(plain, [], { endpoint: endpoint("@1.0.1") }).findings.map(({ rule, severity }) => [rule, severity]), [["server-version-edit", "informational"]]);
});

test("a snapshot of mcplock is compared by its text", () => {
  const snapshot = {
    schema_version: 1, hash_model_version: 1, server_id: "demo", connection: "npx demo", created_at: now, updated_at: now,
    tools: { rm: { raw_description: tool.description, raw_schema: tool.inputSchema, raw_annotations: tool.annotations, content_hash: "another model" } },
  };
  assert.equal(checkSnapshot(snapshot, [tool]).severity, null);
  const drift = checkSnapshot(JSON.stringify(snapshot), [worse]);
  assert.deepEqual([drift.severity, drift.fails], ["critical", true]);
  assert.ok(drift.findings.every(({ rule }) => rule !== "title-edit"));
  assert.ok(drift.notChecked.some((text) => text.includes("titles")));
});

test("a snapshot that was edited, of a newer version or no snapshot is refused", () => {
  const text = buildSnapshot({ name: "demo", surface: [tool] }, { now });
  const edited = thrownBy(() => checkSnapshot(text.replace("Removes a file.", "Removes it all."), [tool]));
  assert.equal(edited.code, "invalid-snapshot");
  assert.match(edited.pointer, /^\/tools\/rm\/\w+_hash$/);
  assert.equal(codeOf(() => checkSnapshot(text.replace('"snapshot_version": 1', '"snapshot_version": 2'), [tool])), "unsupported-snapshot-version");
  assert.equal(codeOf(() => checkSnapshot(buildLockfile([{ name: "demo", surface: [tool] }], { now }), [tool])), "foreign-snapshot");
  assert.equal(codeOf(() => checkSnapshot("", [tool])), "invalid-json");
});

test("names that mean something to JavaScript are names", () => {
  for (const name of ["__proto__", "constructor", "toJSON", "hasOwnProperty", "then", "0", "a/b~c"]) {
    const pointer = `/tools/${name.replaceAll("~", "~0").replaceAll("/", "~1")}/description`;
    const [before, after] = ["a", "b"].map((description) => [JSON.parse(`{${JSON.stringify(name)}:1,"name":${JSON.stringify(name)},"description":"${description}"}`)]);
    const [change, ...others] = classifyDrift(before, after).changes;
    assert.deepEqual([change.tool, change.pointer, change.before, change.after, others], [name, pointer, "a", "b", []]);
    const text = buildSnapshot({ name, surface: before }, { now });
    const { value } = Object.getOwnPropertyDescriptor(JSON.parse(text).tools, name);
    assert.equal(value.raw_description, "a");
    assert.equal(checkSnapshot(text, before).severity, null);
    assert.equal(checkSnapshot(JSON.parse(text), after).changes[0].pointer, pointer);
  }
  assert.equal({}.description, undefined);
});

test("whatever an argument is or throws, it is our error", () => {
  const text = buildSnapshot({ name: "demo", surface: [] }, { now });
  const cycle = [{ name: "a" }];
  cycle[0].self = cycle;
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const detached = new Uint8Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const thrower = new Proxy({}, { get() { throw undefined; }, has() { throw new Error("no"); }, ownKeys() { throw new Error("no"); } });
  const noJson = [undefined, () => 1, Symbol("s"), 1n, cycle, proxy, detached, new Map(), [{ name: "a", inputSchema: new Set() }], [{ name: "a", inputSchema: { maximum: NaN } }], { toJSON() { throw "text"; } }];
  for (const value of noJson) {
    assert.equal(codeOf(() => classifyDrift(value, [])), "not-json");
    assert.equal(codeOf(() => classifyDrift([], value)), "not-json");
    assert.equal(codeOf(() => checkSnapshot(value, [])), "not-json");
    assert.equal(codeOf(() => checkSnapshot(text, value)), "not-json");
    assert.equal(codeOf(() => buildSnapshot(value, { now })), "not-json");
    // A server without its surface, where JSON.stringify leaves it out.
    assert.equal(codeOf(() => buildSnapshot({ name: "demo", surface: value }, { now })), ["undefined", "function", "symbol"].includes(typeof value) ? "invalid-server" : "not-json");
    if (value !== undefined) assert.equal(codeOf(() => buildSnapshot({ name: "demo", surface: [] }, { now, previous: value })), "not-json");
  }
  for (const options of [thrower, proxy, { get previous() { throw new Error("no"); } }, { get now() { throw new Error("no"); } }, { get profile() { throw new Error("no"); } }]) {
    assert.equal(codeOf(() => buildSnapshot({ name: "demo", surface: [] }, options)), "not-json");
  }
  for (const options of [thrower, proxy, { get profile() { throw new Error("no"); } }]) {
    assert.equal(codeOf(() => classifyDrift([], [], options)), "not-json");
    assert.equal(codeOf(() => checkSnapshot(text, [], options)), "not-json");
  }
  assert.equal(codeOf(() => buildSnapshot(thrower, { now })), "not-json");
});

test("options that are missing, misspelt or of another kind are refused", () => {
  const text = buildSnapshot({ name: "demo", surface: [] }, { now });
  const server = { name: "demo", surface: [] };
  for (const [run, pointer] of [
    [() => buildSnapshot(server), "/now"], [() => buildSnapshot(server, null), "/now"], [() => buildSnapshot(server, {}), "/now"], [() => buildSnapshot(server, { now: "today" }), "/now"],
    [() => buildSnapshot(server, { now, previously: text }), "/previously"], [() => buildSnapshot(server, { now, wholeSet: true }), "/wholeSet"],
    [() => classifyDrift([], [], { profile: "strict" }), "/profile"], [() => classifyDrift([], [], { profile: 1 }), "/profile"], [() => classifyDrift([], [], { failOn: "high" }), "/failOn"],
    [() => checkSnapshot(text, [], { failOn: "low" }), "/failOn"], [() => checkSnapshot(text, [], { profile: "MCPLOCK" }), "/profile"], [() => checkSnapshot(text, [], { fail_on: "high" }), "/fail_on"],
    [() => checkSnapshot(text, [], null), ""], [() => classifyDrift([], [], []), ""],
  ]) {
    const error = thrownBy(run);
    assert.deepEqual([error.code, error.pointer], ["invalid-argument", pointer], String(run));
  }
  for (const endpoint of [{ transport: "pigeon" }, { transport: "stdio", command: "x", env: { TOKEN: "canary" } }, { transport: "http" }, "npx demo", null]) {
    const error = thrownBy(() => checkSnapshot(text, [], { endpoint }));
    assert.equal(error.code, "invalid-server");
    assert.ok(!error.message.includes("canary"));
  }
  for (const server of [[{ name: "demo", surface: "[]" }], { name: "demo", unreachable: true }, { name: "demo" }, { surface: [] }, { name: "demo", surface: [], extra: 1 }]) assert.equal(codeOf(() => buildSnapshot(server, { now })), "invalid-server");
  assert.equal(codeOf(() => buildLockfile({ name: "demo", surface: "[]" }, { now })), "invalid-server");
});

test("an error says which of several texts it is about", () => {
  const text = buildSnapshot({ name: "demo", surface: [] }, { now });
  assert.match(thrownBy(() => classifyDrift("[1]", [])).message, /the surface `before`/);
  assert.match(thrownBy(() => classifyDrift([], "[1]")).message, /the surface `after`/);
  assert.match(thrownBy(() => checkSnapshot("{", [])).message, /the snapshot/);
  assert.match(thrownBy(() => checkSnapshot(text, "[1]")).message, /the surface/);
});

test("nothing of what is given is changed", () => {
  const freeze = (value) => (typeof value === "object" && value !== null && Object.values(value).forEach(freeze), Object.freeze(value));
  const surface = freeze([structuredClone(tool)]);
  const server = freeze({ name: "demo", surface: JSON.stringify(surface), endpoint: { transport: "http", url: "https://me:secret@example.com/mcp" } });
  const options = freeze({ now, previous: buildSnapshot({ name: "demo", surface }, { now }) });
  assert.ok(!buildSnapshot(server, options).includes("secret"));
  assert.equal(classifyDrift(surface, surface, freeze({ profile: "mcplock" })).severity, null);
  assert.equal(typeof server.surface, "string");
});
