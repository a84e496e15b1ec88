// `snapshot` and `check` as they are installed, and `lock`, `ci` and `diff` with texts that are kept.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { drifting, filesIn, fixture, folder, run, runWith } from "./command.mjs";

const posix = { skip: process.platform === "win32" && "modes are POSIX" };
const schema = JSON.parse(fs.readFileSync(new URL("../../docs/schemas/drift-report.schema.json", import.meta.url), "utf8"));
const readFile = { name: "read_file", description: "Reads a file.", inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } };
const snapshots = ".gatewright/snapshots";

/** A folder with a server in it whose tools can be changed: `node server.mjs tools.json`. */
function place() {
  const cwd = folder();
  fs.copyFileSync(drifting, path.join(cwd, "server.mjs"));
  const file = (name) => path.join(cwd, name);
  const it = {
    cwd,
    command: "node server.mjs tools.json",
    says: (changes = {}, ...more) => fs.writeFileSync(file("tools.json"), JSON.stringify([{ ...readFile, ...changes }, ...more])),
    read: (name) => fs.readFileSync(file(name), "utf8"),
    write: (name, text) => (fs.mkdirSync(path.dirname(file(name)), { recursive: true }), fs.writeFileSync(file(name), text)),
    run: (...args) => run(cwd, ...args),
    /** What the command wrote. */
    written: () => filesIn(cwd).filter((name) => !["server.mjs", "tools.json", ".mcp.json"].includes(name)),
  };
  it.says();
  return it;
}

/** Runs the command and compares its exit code; returns what it printed. */
async function expect(status, running) {
  const { status: was, stdout, stderr } = await running;
  assert.equal(was, status, stdout + stderr);
  return { stdout, stderr };
}

const worse = { description: "Reads all files." };

test("a server is pinned with its text, for its owner alone", posix, async () => {
  const it = place();
  const { stdout } = await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  const file = `${snapshots}/fs.json`;
  assert.equal(stdout, `fs: pinned 1 tool in ${path.join(it.cwd, file)}\n`);
  assert.deepEqual(it.written(), [file]);
  assert.deepEqual([".gatewright", snapshots, file].map((name) => (fs.statSync(path.join(it.cwd, name)).mode & 0o777).toString(8)), ["700", "700", "600"]);
  const { tools, server_info, connection, server_id } = JSON.parse(it.read(file));
  assert.deepEqual([server_id, connection, server_info], ["fs", it.command, { name: "drift", version: "1.0.0" }]);
  assert.deepEqual([tools.read_file.raw_description, tools.read_file.raw_schema, tools.read_file.raw_annotations], [readFile.description, readFile.inputSchema, null]);
  assert.equal(tools.read_file.description_hash, `sha256:${createHash("sha256").update('"Reads a file."').digest("hex")}`);

  // Pinning again says what is replaced.
  it.says(worse);
  const again = await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  assert.match(again.stdout, /description-trigger-word at \/tools\/read_file\/description[^]*what was pinned before was replaced: 1 finding \(1 high\)/);
  await expect(0, it.run("check", it.command, "--as", "fs"));
});

test("a server that is as it was pinned is clean, and a check writes nothing", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command));
  const before = it.written().map((name) => [name, it.read(name)]);
  assert.equal(before.length, 1);
  assert.match(before[0][0], /^\.gatewright\/snapshots\/node-server\.mjs-tools\.json~[0-9a-f]{12}\.json$/);
  const { stdout, stderr } = await expect(0, it.run("check", it.command));
  assert.match(stdout, /^node-server\.mjs-tools\.json~[0-9a-f]{12}: 1 tool as /);
  assert.equal(stderr, "");
  assert.deepEqual(it.written().map((name) => [name, it.read(name)]), before);
});

test("what moved is shown word by word, and judged", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  it.says(worse);
  const { stdout } = await expect(1, it.run("check", it.command, "--as", "fs"));
  assert.match(stdout, /^high +the description of tool `read_file` now has `all`\n/);
  assert.match(stdout, /\n +- a file\n +\+ all files\n/);
  assert.match(stdout, /\nfs: 1 finding \(1 high\); fails at high \(.*fs\.json, pinned \d{4}-/);
  assert.equal((await expect(0, it.run("check", it.command, "--as", "fs", "--preview"))).stdout, stdout);
  await expect(0, it.run("check", it.command, "--as", "fs", "--fail-on", "critical"));

  it.says({ description: "Reads one file." });
  await expect(0, it.run("check", it.command, "--as", "fs"));
  await expect(0, it.run("check", it.command, "--as", "fs", "--fail-on", "medium"));
  await expect(1, it.run("check", it.command, "--as", "fs", "--fail-on", "informational"));
  assert.match((await expect(2, it.run("check", it.command, "--as", "fs", "--fail-on", "low"))).stderr, /--fail-on: there is no severity `low`/);

  // Another version under the same name.
  it.says();
  it.write("other.mjs", it.read("server.mjs"));
  assert.match((await expect(1, it.run("check", "node other.mjs tools.json", "--as", "fs", "--fail-on", "informational"))).stdout, /server-endpoint-edit/);
});

test("the report as JSON is the same in a file and on standard output, and has the published shape", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  it.says({ ...worse, annotations: { readOnlyHint: false } }, { name: "new" });
  const text = await expect(1, it.run("check", it.command, "--as", "fs", "--json", "made/for/report.json"));
  assert.match(text.stdout, /fails at high/);
  const { stdout, stderr } = await expect(1, it.run("check", it.command, "--as", "fs", "--json", "-"));
  assert.equal(stderr, "");
  assert.equal(stdout, it.read("made/for/report.json"));

  const report = JSON.parse(stdout);
  const isOf = (value, { properties, required }) => {
    const names = Object.keys(value);
    assert.deepEqual([required.filter((name) => !names.includes(name)), names.filter((name) => !(name in properties))], [[], []]);
  };
  isOf(report, schema);
  for (const change of report.changes) isOf(change, schema.$defs.change);
  for (const finding of report.findings) {
    isOf(finding, schema.$defs.finding);
    assert.ok(schema.$defs.rule.enum.includes(finding.rule), finding.rule);
  }
  const { server, baseline, profile, failOn, fails, severity, counts, accepted, acceptances } = report;
  assert.deepEqual({ server, baseline, profile, failOn, fails, severity, counts, accepted, acceptances }, {
    server: "fs", baseline: `${it.cwd}/${snapshots}/fs.json`, profile: "default", failOn: "high", fails: true, severity: "critical",
    counts: { critical: 1, high: 1, medium: 0, informational: 1 }, accepted: [], acceptances: [],
  });
  assert.deepEqual(report.findings.map(({ rule, server, tool }) => [rule, server, tool]), [["annotation-flip", "fs", "read_file"], ["description-trigger-word", "fs", "read_file"], ["new-tool", "fs", "new"]]);
  assert.deepEqual(report.changes.find(({ pointer }) => pointer.endsWith("/description")).words, [
    { kind: "same", text: "Reads " }, { kind: "removed", text: "a file" }, { kind: "added", text: "all files" }, { kind: "same", text: "." },
  ]);
  await expect(2, it.run("check", it.command, "--as", "fs", "--json", "server.mjs/report.json"));
});

test("a baseline can be any file, and one that cannot be trusted is refused", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  const text = it.read(`${snapshots}/fs.json`);
  fs.rmSync(path.join(it.cwd, ".gatewright"), { recursive: true });
  const check = (baseline) => it.run("check", it.command, "--as", "fs", "--baseline", baseline);
  it.write("committed.json", text);
  await expect(0, check("committed.json"));
  it.says(worse);
  assert.match((await expect(1, check("committed.json"))).stdout, /\(committed\.json, pinned /);
  await expect(0, it.run("lock", "--server", `fs=${it.command}`));
  for (const [name, content, why] of [
    ["edited.json", text.replace("Reads a file.", "Reads all files."), /`edited\.json`: .*`content_hash` of tool `read_file` does not follow from its text/],
    ["newer.json", text.replace('"snapshot_version": 1', '"snapshot_version": 2'), /`newer\.json`: .*`snapshot_version` is 2/],
    ["half.json", text.slice(0, 200), /`half\.json`: /],
    ["foreign.json", it.read("agentgate.lock"), /`foreign\.json`: .*no snapshot/],
    ["none.json", undefined, /none\.json.*there is no such file/],
  ]) {
    if (content) it.write(name, content);
    const { stdout, stderr } = await expect(2, check(name));
    assert.match(stderr, why);
    assert.equal(stdout, "");
  }
  // What cannot be read is not replaced either.
  it.write(`${snapshots}/fs.json`, "{");
  await expect(2, it.run("snapshot", it.command, "--as", "fs"));
  assert.equal(it.read(`${snapshots}/fs.json`), "{");
});

test("without a snapshot nothing can be checked, and the output says where one was looked for", async () => {
  const it = place();
  const { stderr } = await expect(2, it.run("check", it.command, "--as", "fs"));
  assert.match(stderr, /no snapshot of `fs`.*run `gatewright snapshot` first/);
  assert.ok(stderr.includes(`${it.cwd}/${snapshots}/fs.json`));
  await expect(2, it.run("check", it.command, "--as", "fs", "--preview"));
  // Another command has another name.
  await expect(0, it.run("snapshot", it.command));
  await expect(2, it.run("check", `${it.command} more`));
  assert.match((await expect(2, runWith({ env: { HOME: "", USERPROFILE: "" } }, it.cwd, "check", it.command))).stderr, /no home folder/);
});

test("GATEWRIGHT_HOME is where snapshots are kept, if they can be", async () => {
  const it = place();
  await expect(0, runWith({ env: { GATEWRIGHT_HOME: path.join(it.cwd, "a/b") } }, it.cwd, "snapshot", it.command, "--as", "fs"));
  assert.deepEqual(it.written(), ["a/b/snapshots/fs.json"]);
  const { stderr } = await expect(2, runWith({ env: { GATEWRIGHT_HOME: path.join(it.cwd, "server.mjs") } }, it.cwd, "snapshot", it.command, "--as", "fs"));
  assert.match(stderr, /fs\.json/);
  assert.deepEqual(it.written(), ["a/b/snapshots/fs.json"]);
});

test("the profile mcplock leaves out what mcplock does not look at", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  it.says({ title: "Read" });
  await expect(1, it.run("check", it.command, "--as", "fs", "--fail-on", "informational"));
  const { stdout } = await expect(0, it.run("check", it.command, "--as", "fs", "--fail-on", "informational", "--profile", "mcplock", "--json", "-"));
  assert.deepEqual([JSON.parse(stdout).profile, JSON.parse(stdout).severity], ["mcplock", null]);
  assert.match((await expect(2, it.run("check", it.command, "--as", "fs", "--profile", "strict"))).stderr, /--profile: there is no profile `strict`; the profiles are: default, mcplock/);
});

test("what mcplock pinned is found where it keeps it, for the same command alone", async () => {
  const it = place();
  const env = { MCPLOCK_HOME: path.join(it.cwd, "mcplock") };
  const check = (...args) => runWith({ env }, it.cwd, "check", it.command, ...args);
  const record = { raw_description: readFile.description, raw_schema: readFile.inputSchema, raw_annotations: null };
  const pin = (changes = {}) => it.write("mcplock/snapshots/node-server.mjs-tools.json.json", JSON.stringify({
    schema_version: 1, hash_model_version: 1, server_id: "x", connection: it.command, created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z", tools: { read_file: record }, ...changes,
  }));
  await expect(2, check());
  pin();
  assert.match((await expect(0, check())).stdout, /the snapshot of mcplock/);
  it.says({ ...worse, title: "Read" });
  const { stdout } = await expect(1, check("--json", "-"));
  const { baseline, findings, notChecked } = JSON.parse(stdout);
  assert.deepEqual([baseline, findings.map(({ rule }) => rule)], ["the snapshot of mcplock", ["description-trigger-word"]]);
  assert.ok(notChecked.some((text) => text.includes("titles")));
  // Below the home folder, by default.
  fs.renameSync(path.join(it.cwd, "mcplock"), path.join(it.cwd, ".mcplock"));
  await expect(1, it.run("check", it.command));
  fs.renameSync(path.join(it.cwd, ".mcplock"), path.join(it.cwd, "mcplock"));

  // Its names collide: another command can have the same.
  pin({ connection: "node server.mjs tools:json" });
  await expect(2, check());
  pin({ hash_model_version: 2 });
  assert.match((await expect(2, check())).stderr, /the snapshot of mcplock: .*`hash_model_version` is 2/);
  // Ours comes first.
  await expect(0, it.run("snapshot", it.command));
  await expect(0, check());
});

test("what a server says in another order at each start is no drift, and what it says anew is", async () => {
  const cwd = folder();
  const says = (description) => fs.writeFileSync(path.join(cwd, "how.json"), JSON.stringify({ tools: [{ name: "run", description }, { name: "ls" }] }));
  const command = `node ${fixture} how.json`;
  says("Runs one of: <ls|cat|rm|cp|mv>. Nothing else.");
  // Pinned at one start, it is.
  await expect(0, run(cwd, "snapshot", command, "--as", "once"));
  assert.match((await expect(1, run(cwd, "check", command, "--as", "once", "--fail-on", "informational"))).stdout, /description-edit/);

  fs.rmSync(path.join(cwd, "how.json.starts"));
  const { stdout } = await expect(0, run(cwd, "snapshot", command, "--as", "run", "--starts", "3"));
  assert.equal(fs.readFileSync(path.join(cwd, "how.json.starts"), "utf8"), "xxx");
  assert.match(stdout, /3 starts differed in 1 place, which `check` lets differ\n$/);
  const { starts, unstable } = JSON.parse(fs.readFileSync(path.join(cwd, snapshots, "run.json"), "utf8"));
  assert.equal(starts, 3);
  assert.deepEqual(Object.keys(unstable), ["/tools/run/description"]);
  const check = () => run(cwd, "check", command, "--as", "run", "--fail-on", "informational");
  for (let start = 0; start < 5; start++) assert.match((await expect(0, check())).stdout, /2 tools as pinned/);

  says("Runs one of: <ls|cat|rm|cp|curl>. Nothing else.");
  assert.match((await expect(1, check())).stdout, /description-edit[^]*curl/);
  says("Runs one of: <ls|cat|rm|cp|mv>. Nothing else. Then send it.");
  assert.match((await expect(1, check())).stdout, /description-trigger-word/);

  for (const wrong of ["0", "21", "many"]) await expect(2, run(cwd, "snapshot", command, "--starts", wrong));
  fs.writeFileSync(path.join(cwd, "list.json"), JSON.stringify({ tools: [] }));
  assert.match((await expect(2, run(cwd, "snapshot", "list.json", "--starts", "2"))).stderr, /--starts is for servers that are started/);
});

test("a server of a config is pinned by its name there", async () => {
  const it = place();
  const config = (...args) => JSON.stringify({ mcpServers: { fs: { command: "node", args }, other: { command: "no-such-command" } } });
  it.write(".mcp.json", config("server.mjs", "tools.json"));
  await expect(0, it.run("snapshot", "fs"));
  assert.match(it.written()[0], /^\.gatewright\/snapshots\/fs~[0-9a-f]{12}\.json$/);
  await expect(0, it.run("check", "fs"));
  it.says(worse);
  assert.match((await expect(1, it.run("check", "fs"))).stdout, /^high/);
  // The same command, given by hand, is another server; another command is one under the same name.
  await expect(2, it.run("check", it.command));
  it.write(".mcp.json", config("server.mjs", "tools.json", "more"));
  await expect(2, it.run("check", "fs"));

  it.write("elsewhere.json", config("server.mjs", "tools.json"));
  await expect(1, it.run("check", "fs", "--config", "elsewhere.json"));
  assert.match((await expect(2, it.run("check", "none", "--config", "elsewhere.json"))).stderr, /no server named `none`/);
  await expect(2, it.run("check", "fs", "--config", "missing.json"));
});

test("files and standard input are surfaces too", async () => {
  const it = place();
  const list = (changes) => JSON.stringify({ tools: [{ ...readFile, ...changes }] });
  it.write("list.json", list());
  await expect(0, it.run("snapshot", "list.json"));
  assert.equal(it.written().length, 2);
  await expect(0, it.run("check", "list.json"));
  it.write("list.json", list(worse));
  await expect(1, it.run("check", "list.json"));
  await expect(0, runWith({ input: list() }, it.cwd, "snapshot", "-", "--as", "in"));
  await expect(1, runWith({ input: list(worse) }, it.cwd, "check", "-", "--as", "in"));
  assert.match((await expect(2, runWith({ input: list() }, it.cwd, "check", "-"))).stderr, /--as NAME/);
  await expect(2, runWith({ input: list().replace("{", '{"tools":[],') }, it.cwd, "check", "-", "--as", "in"));
});

test("a server that dies cannot be checked, and nothing is written", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  const before = it.read(`${snapshots}/fs.json`);
  fs.rmSync(path.join(it.cwd, "tools.json"));
  for (const [command, ...more] of [["check"], ["check", "--json", "report.json"], ["snapshot"], ["snapshot", "--starts", "2"]]) {
    assert.match((await expect(2, it.run(command, it.command, "--as", "fs", ...more))).stderr, /server `fs` could not be reached/);
  }
  assert.deepEqual(it.written(), [`${snapshots}/fs.json`]);
  assert.equal(it.read(`${snapshots}/fs.json`), before);
});

test("a finding can be accepted, for a time", async () => {
  const it = place();
  await expect(0, it.run("snapshot", it.command, "--as", "fs"));
  it.says(worse);
  const accept = (rule, expires) => `[[accept]]\nserver = "fs"\ntool = "read_file"\nrule = "${rule}"\nreason = "reviewed"\nexpires = ${expires}\n`;
  it.write("gatewright.toml", accept("description-trigger-word", "2999-12-31") + accept("title-edit", "2999-12-31"));
  const { stdout } = await expect(0, it.run("check", it.command, "--as", "fs"));
  assert.match(stdout, /accepted +description-trigger-word of tool `read_file` until 2999-12-31: reviewed\n/);
  assert.match(stdout, /accepted +title-edit of tool `read_file` until 2999-12-31, but nothing was found that it accepts/);
  const report = JSON.parse((await expect(0, it.run("check", it.command, "--as", "fs", "--json", "-"))).stdout);
  assert.deepEqual([report.severity, report.findings, report.accepted.map(({ rule }) => rule), report.acceptances.map(({ state }) => state)], [null, [], ["description-trigger-word"], ["used", "unused"]]);
  it.write("over.toml", accept("description-trigger-word", "2026-01-01"));
  assert.match((await expect(1, it.run("check", it.command, "--as", "fs", "--settings", "over.toml"))).stdout, /which is over: it counts again/);
  it.write("broken.toml", accept("no-such-rule", "2999-12-31"));
  await expect(2, it.run("check", it.command, "--as", "fs", "--settings", "broken.toml"));
  await expect(2, it.run("check", it.command, "--as", "fs", "--settings", "none.toml"));
});

test("with its text kept, a locked server is judged like a pinned one, and pinned again only with a yes", async () => {
  const it = place();
  it.says({}, { name: "ls", description: "Lists." });
  const server = ["--server", `fs=${it.command}`];
  await expect(0, it.run("lock", ...server, "--keep-text"));
  const lockfile = it.read("agentgate.lock");
  const kept = it.written().filter((name) => name.startsWith(".gatewright/surfaces/"));
  assert.deepEqual(it.written(), [...kept, "agentgate.lock"]);
  assert.deepEqual(kept, [`.gatewright/surfaces/${createHash("sha256").update(it.read(kept[0])).digest("hex")}.json`]);
  assert.deepEqual(JSON.parse(it.read(kept[0])).tools.map(({ name }) => name).sort(), ["ls", "read_file"]);
  await expect(0, it.run("ci", ...server));

  // Harmless: any change fails a pipeline, unless the bar is raised, and none needs a yes.
  it.says({}, { name: "ls", description: "Lists it." });
  assert.match((await expect(1, it.run("ci", ...server))).stdout, /^informational.*\n.*description-edit/);
  await expect(0, it.run("ci", ...server, "--fail-on", "high"));
  await expect(0, it.run("diff", ...server, "--fail-on", "medium"));

  it.says(worse, { name: "ls", description: "Lists it." });
  const { stdout } = await expect(1, it.run("ci", ...server, "--fail-on", "high"));
  assert.match(stdout, /^high +server `fs`: the description of tool `read_file`.*now has `all`/);
  assert.match(stdout, /\n +- a file\n +\+ all files\n/);
  await expect(0, it.run("ci", ...server, "--preview"));

  const before = it.written();
  for (const accept of [[], ["--accept", "fs/ls"], ["--accept", "read_file"], ["--accept=other"]]) {
    const refused = await expect(1, it.run("lock", ...server, ...accept));
    assert.match(refused.stdout, /nothing was written: changes of `fs\/read_file` need a yes, by --accept SERVER\/TOOL/);
    assert.match(refused.stdout, /\+ all files/);
    assert.deepEqual(it.written(), before);
    assert.equal(it.read("agentgate.lock"), lockfile);
  }
  const accepted = await expect(0, it.run("lock", ...server, "--accept", "fs/read_file"));
  assert.match(accepted.stdout, /\+ all files[^]*locked 1 server and 2 tools/);
  // Once kept, texts are kept on.
  assert.equal(it.written().length, before.length + 1);
  await expect(0, it.run("ci", ...server));
  for (const accept of ["--accept=fs", "--accept"]) {
    it.says();
    await expect(0, it.run("lock", ...server, accept));
    it.says(worse);
    await expect(1, it.run("lock", ...server));
  }
});

test("without its text, a changed tool is high, and a text that was edited is none", async () => {
  const it = place();
  const server = ["--server", `fs=${it.command}`];
  await expect(0, it.run("lock", ...server));
  assert.deepEqual(it.written(), ["agentgate.lock"]);
  it.says({ description: "Reads one file." });
  assert.match((await expect(1, it.run("ci", ...server, "--fail-on", "high"))).stdout, /^high.*\n +description-changed/);
  await expect(1, it.run("lock", ...server));
  await expect(0, it.run("lock", ...server, "--accept", "--keep-text"));

  const [kept] = it.written();
  it.write(kept, it.read(kept).replace("one file", "a file"));
  it.says();
  const { stdout, stderr } = await expect(1, it.run("ci", ...server, "--fail-on", "high"));
  assert.match(stdout, /^high.*\n +description-changed/);
  assert.match(stderr, /note: a kept text cannot be used: .*its hash is another/);
  fs.rmSync(path.join(it.cwd, kept));
  assert.match((await expect(1, it.run("ci", ...server, "--fail-on", "high"))).stderr, /note: a kept text cannot be used: .*no such file/);
});
