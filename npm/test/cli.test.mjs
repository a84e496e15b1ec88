// The command as it is installed, on servers of ours. What it decides is tested with the core; this is about its host.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { installed, project } from "./project.mjs";

const fixture = path.join(path.dirname(fileURLToPath(import.meta.url)), "fixtures/server.mjs");
const cli = path.join(installed, "dist/cli.js");
const posix = { skip: process.platform === "win32" && "signals are POSIX" };

const folder = () => fs.mkdtempSync(path.join(project, "cli-"));
const run = (cwd, ...args) => spawnSync(process.execPath, [cli, ...args], { cwd, encoding: "utf8" });
/** The fixture as `--server` takes it: a quoted command line. */
const server = (how = {}) => `it=${process.execPath} ${fixture} '${JSON.stringify(how)}'`;
const named = (description) => server({ raw: JSON.stringify({ tools: [{ name: "read", description, inputSchema: { type: "object" } }] }) });

test("the installed command runs", () => {
  const bin = path.join(project, "node_modules/.bin/gatewright");
  const { version } = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8"));
  assert.match(execFileSync(bin, ["--version"], { encoding: "utf8", shell: process.platform === "win32" }), new RegExp(`\\b${version.replaceAll(".", "\\.")}\\b`));
});

test("a server is pinned once, checked, and caught when a word changes", () => {
  const cwd = folder();
  const locked = run(cwd, "lock", "--server", named("Reads a file."));
  assert.equal(locked.status, 0, locked.stderr);
  const file = path.join(cwd, "agentgate.lock");
  const text = fs.readFileSync(file, "utf8");
  const { mtimeNs, ino } = fs.statSync(file, { bigint: true });

  // The command line of the server is pinned too, and in it stands what this server answers: so a file plays the server.
  const state = path.join(cwd, "state.mjs");
  fs.writeFileSync(state, `process.argv[2] = JSON.stringify({ raw: '{"tools":[{"name":"read","description":"Reads a file.","inputSchema":{"type":"object"}}]}' }); await import(${JSON.stringify(fixture)});`);
  const moving = `it=${process.execPath} ${state}`;
  assert.equal(run(cwd, "lock", "--server", named("Reads a file.")).status, 0);
  assert.deepEqual([fs.statSync(file, { bigint: true }).mtimeNs, fs.statSync(file, { bigint: true }).ino], [mtimeNs, ino]);
  assert.equal(fs.readFileSync(file, "utf8"), text);

  assert.equal(run(cwd, "lock", "--server", moving).status, 0);
  assert.equal(run(cwd, "ci", "--server", moving).status, 0);
  fs.writeFileSync(state, fs.readFileSync(state, "utf8").replace("a file.", "any file."));
  const caught = run(cwd, "ci", "--server", moving);
  assert.equal(caught.status, 1, caught.stderr);
  assert.match(caught.stdout, /read/);
  assert.match(caught.stdout, /description/);
  assert.deepEqual(fs.readdirSync(cwd).sort(), ["agentgate.lock", "state.mjs"]);
});

test("a server that dies is no silent answer", () => {
  const cwd = folder();
  const { status, stdout, stderr } = run(cwd, "lock", "--server", server({ exit: 3, stderr: "no \u001b[2Jlicence\n" }));
  assert.equal(status, 2);
  assert.match(stdout + stderr, /licence/);
  assert.ok(!(stdout + stderr).includes("\u001b"));
  assert.deepEqual(fs.readdirSync(cwd), []);
});

test("half a character in what a server says is no reason to say nothing", () => {
  const { status, stderr } = run(folder(), "lock", "--server", server({ lines: ['{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"half \\ud800 a word"}}'] }));
  assert.equal(status, 2);
  assert.match(stderr, /half \ufffd a word/);
});

test("what another client could read in another way is no answer", () => {
  for (const result of ['{"tools":[{"name":"read","description":"a","description":"b"}]}', '{"tools":[],"tools":[]}', '{"tools":[{"name":"read","description":"\\ud800"}]}']) {
    const cwd = folder();
    assert.equal(run(cwd, "lock", "--server", server({ raw: result })).status, 2, result);
    assert.deepEqual(fs.readdirSync(cwd), []);
  }
});

test("a reader that closes the pipe is no crash", posix, () => {
  for (const script of [`"${process.execPath}" "${cli}" rules | true`, `"${process.execPath}" "${cli}" --help 2>&1 | head -n 1`]) {
    const { stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    assert.equal(stderr, "");
  }
});

test("an interrupted run ends its servers, writes nothing and says so by its exit code", posix, async () => {
  for (const [signal, exitCode] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]]) {
    const cwd = folder();
    const mark = `mark-${Math.random().toString(36).slice(2)}`;
    const how = { silent: "tools/list", stubborn: true, children: [false, true], mark };
    const child = spawn(process.execPath, [cli, "lock", "--server", server(how)], { cwd, stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("exit", (code, by) => resolve(code ?? by)));
    const alive = () => execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).split("\n").filter((line) => line.includes(mark) && !line.includes("cli.js")).length;
    while (alive() < 3) {
      assert.equal(child.exitCode, null, "the command ended before its servers were there");
      await sleep(20);
    }
    child.kill(signal);
    assert.equal(await ended, exitCode);
    assert.equal(alive(), 0, signal);
    assert.deepEqual(fs.readdirSync(cwd), []);
  }
});
