// The command as it is installed, on servers of ours. What it decides is tested with the core; this is about its host.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cli, fixture, folder, run } from "./command.mjs";
import { installed, project } from "./project.mjs";

const posix = { skip: process.platform === "win32" && "signals are POSIX" };

/** The fixture as `--server` takes it: a quoted command line. */
const server = (how = {}) => `it=${process.execPath} ${fixture} '${JSON.stringify(how)}'`;

test("the installed command runs", () => {
  const bin = path.join(project, "node_modules/.bin/gatewright");
  const { version } = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8"));
  assert.match(execFileSync(bin, ["--version"], { encoding: "utf8", shell: process.platform === "win32" }), new RegExp(`\\b${version.replaceAll(".", "\\.")}\\b`));
});

test("a server is pinned once, checked, and caught when a word changes", async () => {
  const cwd = folder();
  const says = (description) => fs.writeFileSync(path.join(cwd, "state.json"), JSON.stringify({ tools: [{ name: "read", description, inputSchema: { type: "object" } }] }));
  const it = `it=${process.execPath} ${fixture} state.json`;
  says("Reads a file.");
  const locked = await run(cwd, "lock", "--server", it);
  assert.equal(locked.status, 0, locked.stderr);
  const file = path.join(cwd, "agentgate.lock");
  const text = fs.readFileSync(file, "utf8");
  const { mtimeNs, ino } = fs.statSync(file, { bigint: true });

  assert.equal((await run(cwd, "lock", "--server", it)).status, 0);
  assert.deepEqual([fs.statSync(file, { bigint: true }).mtimeNs, fs.statSync(file, { bigint: true }).ino], [mtimeNs, ino]);
  assert.equal(fs.readFileSync(file, "utf8"), text);

  assert.equal((await run(cwd, "ci", "--server", it)).status, 0);
  says("Reads any file.");
  const caught = await run(cwd, "ci", "--server", it);
  assert.equal(caught.status, 1, caught.stderr);
  assert.match(caught.stdout, /read/);
  assert.match(caught.stdout, /description/);
  assert.deepEqual(fs.readdirSync(cwd).sort(), ["agentgate.lock", "state.json"]);
});

test("a server that dies is no silent answer", async () => {
  const cwd = folder();
  const { status, stdout, stderr } = await run(cwd, "lock", "--server", server({ exit: 3, stderr: "no \u001b[2Jlicence\n" }));
  assert.equal(status, 2);
  assert.match(stdout + stderr, /licence/);
  assert.ok(!(stdout + stderr).includes("\u001b"));
  assert.deepEqual(fs.readdirSync(cwd), []);
});

test("half a character in what a server says is no reason to say nothing", async () => {
  const { status, stderr } = await run(folder(), "lock", "--server", server({ lines: ['{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"half \\ud800 a word"}}'] }));
  assert.equal(status, 2);
  assert.match(stderr, /half \ufffd a word/);
});

test("what another client could read in another way is no answer", async () => {
  for (const result of ['{"tools":[{"name":"read","description":"a","description":"b"}]}', '{"tools":[],"tools":[]}', '{"tools":[{"name":"read","description":"\\ud800"}]}']) {
    const cwd = folder();
    assert.equal((await run(cwd, "lock", "--server", server({ raw: result }))).status, 2, result);
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
