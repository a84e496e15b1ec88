// The command's host: what it does when the core asks for something. The core itself is tested elsewhere.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const fixture = path.join(here, "fixtures/server.mjs");
const everything = path.join(here, "../node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const posix = { skip: process.platform === "win32" && "process groups are POSIX" };
let folder, perform;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "gatewright-effects-"));
  const outfile = path.join(folder, "effects.mjs");
  await esbuild.build({
    entryPoints: [path.join(here, "../src/cli/effects.ts")], bundle: true, platform: "node", format: "esm", outfile, logLevel: "warning",
    banner: { js: 'import { createRequire as $require } from "node:module"; const require = $require(import.meta.url);' },
  });
  ({ perform } = await import(pathToFileURL(outfile).href));
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Performs one effect, with the parts it gave as text. */
async function ask(effect) {
  const parts = [];
  const { it } = await perform([{ id: "it", ...effect }], (bytes) => parts.push(Buffer.from(bytes)) - 1);
  const texts = parts.map((bytes) => bytes.toString());
  // Bytes that are no text are seen as hexadecimal digits.
  return { ...it, parts: texts, ...(texts.some((text) => text.includes("\ufffd")) && { hexParts: parts.map((bytes) => bytes.toString("hex")) }) };
}
const listTools = (endpoint, limits = {}) => ask({ kind: "listTools", server: "s", endpoint, startTimeoutMs: 20_000, timeoutMs: 20_000, ...limits });
const stdio = (how = {}, more = {}) => ({ transport: "stdio", command: process.execPath, args: [fixture, JSON.stringify(how)], ...more });
const write = (file, text, isPrivate = false) => ask({ kind: "writeFile", path: file, text, private: isPrivate });
const pagesOf = ({ pages, parts }) => pages.map((page) => JSON.parse(parts[page]).result);

test("files: read, missing, unreadable", async () => {
  const file = path.join(folder, "file");
  fs.writeFileSync(file, "é\n");
  assert.deepEqual(await ask({ kind: "readFile", path: file }), { part: 0, parts: ["é\n"] });
  assert.deepEqual(await ask({ kind: "readFile", path: path.join(folder, "none") }), { missing: true, parts: [] });
  const { error } = await ask({ kind: "readFile", path: folder });
  assert.equal(typeof error, "string");
  assert.ok(!error.includes(folder));
});

test("environment and time", async () => {
  process.env.GATEWRIGHT_TEST = "v";
  assert.deepEqual(await ask({ kind: "readEnv", name: "GATEWRIGHT_TEST" }), { value: "v", parts: [] });
  assert.deepEqual(await ask({ kind: "readEnv", name: "GATEWRIGHT_NONE" }), { missing: true, parts: [] });
  const { value } = await ask({ kind: "now" });
  assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.ok(Math.abs(Date.parse(value) - Date.now()) < 5000);
});

test("writing replaces the file whole, keeps its mode and what links to it, and leaves nothing else", posix, async () => {
  const place = fs.mkdtempSync(path.join(folder, "write-"));
  const file = path.join(place, "lock");
  assert.equal((await write(file, "one\n")).ok, true);
  assert.equal(fs.statSync(file).mode & 0o777, 0o666 & ~process.umask());
  fs.chmodSync(file, 0o640);
  const { ino } = fs.statSync(file);
  fs.symlinkSync("lock", path.join(place, "link"));
  assert.equal((await write(path.join(place, "link"), "two\n")).ok, true);
  assert.equal(fs.readFileSync(file, "utf8"), "two\n");
  assert.equal(fs.statSync(file).mode & 0o777, 0o640);
  assert.notEqual(fs.statSync(file).ino, ino);
  assert.ok(fs.lstatSync(path.join(place, "link")).isSymbolicLink());
  assert.deepEqual(fs.readdirSync(place).sort(), ["link", "lock"]);

  // A link to a file that is not there yet, by way of another.
  fs.symlinkSync("later", path.join(place, "ahead"));
  fs.symlinkSync("ahead", path.join(place, "way"));
  assert.equal((await write(path.join(place, "way"), "three\n")).ok, true);
  assert.equal(fs.readFileSync(path.join(place, "later"), "utf8"), "three\n");
  for (const name of ["way", "ahead"]) {
    assert.ok(fs.lstatSync(path.join(place, name)).isSymbolicLink());
    fs.rmSync(path.join(place, name));
  }
  fs.rmSync(path.join(place, "later"));
  fs.symlinkSync("circle", path.join(place, "circle"));
  assert.equal(typeof (await write(path.join(place, "circle"), "x")).error, "string");
  fs.rmSync(path.join(place, "circle"));

  const blocked = path.join(place, "folder");
  fs.mkdirSync(path.join(blocked, "inside"), { recursive: true });
  assert.equal((await write(blocked, "x")).error, "not a regular file");
  assert.equal((await write(os.devNull, "x")).error, "not a regular file");
  assert.ok(!fs.statSync(os.devNull).isFile());
  assert.deepEqual(fs.readdirSync(place).sort(), ["folder", "link", "lock"]);
});

const modeOf = (...parts) => (fs.statSync(path.join(...parts)).mode & 0o777).toString(8);

test("missing folders are made, and a private file is its owner's alone, as is every folder made for it", posix, async () => {
  const umask = process.umask(0);
  try {
    const place = fs.mkdtempSync(path.join(folder, "private-"));
    fs.chmodSync(place, 0o755);
    assert.equal((await write(path.join(place, "open/a/file"), "x")).ok, true);
    assert.deepEqual(["open", "open/a", "open/a/file"].map((name) => modeOf(place, name)), ["777", "777", "666"]);

    const file = path.join(place, "closed/a/b/file");
    assert.equal((await write(file, "one\n", true)).ok, true);
    assert.equal(fs.readFileSync(file, "utf8"), "one\n");
    assert.deepEqual(["closed", "closed/a", "closed/a/b", "closed/a/b/file"].map((name) => modeOf(place, name)), ["700", "700", "700", "600"]);
    // Folders that are there keep their mode, and a file that others could read does not.
    fs.chmodSync(path.dirname(file), 0o750);
    fs.chmodSync(file, 0o644);
    assert.equal((await write(file, "two\n", true)).ok, true);
    assert.deepEqual([modeOf(place), modeOf(path.dirname(file)), modeOf(file)], ["755", "750", "600"]);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ["file"]);

    // A link stays one; what it points to is replaced, and is private from then on.
    const target = path.join(place, "open/target");
    fs.writeFileSync(target, "old\n", { mode: 0o644 });
    const link = path.join(place, "closed/link");
    fs.symlinkSync("../open/target", link);
    assert.equal((await write(link, "new\n", true)).ok, true);
    assert.ok(fs.lstatSync(link).isSymbolicLink());
    assert.deepEqual([fs.readFileSync(target, "utf8"), modeOf(target)], ["new\n", "600"]);
    assert.deepEqual(fs.readdirSync(path.join(place, "open")).sort(), ["a", "target"]);
  } finally {
    process.umask(umask);
  }
});

/** As a user whom permissions bind: root is bound by none. */
async function unprivileged(run) {
  if (process.getuid() !== 0) return run();
  process.seteuid(65534);
  try {
    return await run();
  } finally {
    process.seteuid(0);
  }
}

test("what cannot be written leaves everything as it was, and says why without the path", posix, async () => {
  const place = fs.mkdtempSync(path.join(folder, "refused-"));
  for (const each of [folder, place]) fs.chmodSync(each, 0o755);
  fs.writeFileSync(path.join(place, "file"), "old\n");
  fs.chmodSync(place, 0o555);
  for (const isPrivate of [true, false]) {
    for (const name of ["file", "new", "made/new"]) {
      const { error } = await unprivileged(() => write(path.join(place, name), "x", isPrivate));
      assert.equal(error, "permission denied", name);
    }
    // A file where a folder should be.
    const { error } = await write(path.join(place, "file/new"), "x", isPrivate);
    assert.match(error, /not a directory|file already exists/);
  }
  assert.deepEqual(fs.readdirSync(place), ["file"]);
  assert.equal(fs.readFileSync(path.join(place, "file"), "utf8"), "old\n");
  fs.chmodSync(place, 0o755);
});

test("a server's answers arrive as they were sent", async () => {
  const raw = '{"resultType":"complete","tools":[{"name":"t","name": "t","x-unknown":1.50,"n":1e400,"inputSchema":{"__proto__":{"a":1},"toJSON":2}}],"_meta":{"m":1}}';
  const answer = await listTools(stdio({ raw, banner: true, echo: { __proto__: null, a: 1 }, instructions: "Be kind." }));
  assert.equal(answer.parts[answer.pages[0]], `{"jsonrpc":"2.0","id":1,"result":${raw}}`);
  const { serverInfo, instructions } = JSON.parse(answer.parts[answer.init]).result;
  assert.deepEqual({ serverInfo, instructions }, { serverInfo: { name: "fixture", version: "1", extra: { a: 1 } }, instructions: "Be kind." });

  const hex = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"tools":"'), Buffer.from([0xff, 0xed, 0xa0, 0x80]), Buffer.from('"}}\r\n')]).toString("hex");
  assert.equal((await listTools(stdio({ hex }))).hexParts[1], hex.slice(0, -2));
});

const answerOf = (text) => `{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"${text}"}]}}`;

test("only the first answer to what was asked counts", async () => {
  const other = answerOf("other").replace("ID", "424242");
  const quiet = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
  const kept = answerOf("kept").replace("ID", "1");
  for (const lines of [[answerOf("kept"), other], [other, answerOf("kept")], [answerOf("kept"), answerOf("late")], ['{"id":1,"level":30}', '{"broken"', quiet, "", answerOf("kept")]]) {
    const { pages, parts } = await listTools(stdio({ lines }));
    assert.equal(parts[pages[0]], kept, JSON.stringify(lines));
  }
  // What other clients pass over is no reason to pass over the list.
  for (const line of [answerOf("kept").replace("ID", '"ID"'), answerOf("kept").replace(/}$/, ',"more":1}')]) {
    const { pages, parts } = await listTools(stdio({ lines: [line] }));
    assert.equal(parts[pages[0]], line.replace("ID", "1"));
  }
});

const broken = [
  '{"jsonrpc":"2.0","id":ID,"result":null}', '{"jsonrpc":"2.0","id":ID,"result":[]}', '{"jsonrpc":"2.0","id":ID}', '{"id":ID,"result":{"tools":[]}}',
  '{"jsonrpc":"2.0","id":ID,"result":{"tools":[]},"error":{"code":1,"message":"m"}}', '{"jsonrpc":"2.0","id":ID,"error":"m"}', '{"jsonrpc":"2.0","id":ID,"method":"m","result":{}}',
  `\ufeff${answerOf("t")}`, answerOf("t").slice(0, -1), `[${answerOf("t")}]`,
];

test("a broken answer is said to be one at once", async () => {
  for (const line of broken) {
    const { error } = await listTools(stdio({ lines: [line] }));
    assert.equal(error.kind, "protocol", line);
    assert.match(error.message, /^the answer to `tools\/list` (is|has) /, line);
  }
});

test("long answers take time in proportion, and end", async () => {
  const started = Date.now();
  const { parts, pages } = await listTools(stdio({ filler: 60_000_000 }));
  assert.ok(parts[pages[0]].length > 60_000_000);
  assert.ok(Date.now() - started < 10_000);
  assert.deepEqual((await listTools(stdio({ filler: 135_000_000 }))).error, { kind: "list", message: "the server sent a message of more than 128 MiB" });
  assert.deepEqual((await listTools(stdio({ filler: 90_000_000, pages: true }))).error, { kind: "list", message: "the server's answers have more than 256 MiB in all" });
});

test("every page is asked for", async () => {
  assert.deepEqual(pagesOf(await listTools(stdio({ pages: 3 }))).map(({ tools }) => tools[0].name), ["tool0", "tool1", "tool2"]);
  assert.equal(pagesOf(await listTools(stdio({ pages: 1000 }))).length, 1000);
});

test("a list without an end is an error, never a shorter list", async () => {
  for (const how of [{ loop: true }, { pages: 1001 }, { error: "no tools here" }, { exitOnList: 3 }]) {
    const { error, pages } = await listTools(stdio(how));
    assert.equal(error.kind, "list", JSON.stringify(how));
    assert.equal(pages, undefined);
  }
  // Whole, because what is secret in it is found before it is cut.
  const message = `no tools here\n${"x".repeat(5000)}`;
  assert.equal((await listTools(stdio({ error: message }))).error.message, message);
  assert.equal((await listTools(stdio({ error: "x".repeat(100_000) }))).error.message.length, 65_536);
  assert.match((await listTools(stdio({ exitOnList: 3 }))).error.message, /exit code 3/);
});

test("a server that does not start says why, with the end of its stderr", async () => {
  const missing = await listTools({ transport: "stdio", command: path.join(folder, "no-such-command") });
  assert.equal(missing.error.kind, "start");
  assert.match(missing.error.message, /no such file/i);
  const dying = await listTools(stdio({ exit: 7, stderr: "cannot open \u001b[31mthe thing\n" }));
  assert.deepEqual(dying.error, { kind: "start", message: "the server ended with exit code 7" });
  assert.equal(dying.stderrTail, "cannot open \u001b[31mthe thing\n");
  const long = await listTools(stdio({ exit: 1, stderr: `${"é".repeat(50_000)}x` }));
  assert.equal(long.stderrTail, `${"é".repeat(32_767)}x`);
});

test("both time limits hold", async () => {
  const started = Date.now();
  const [start, answer] = await Promise.all([
    listTools(stdio({ silent: "initialize" }), { startTimeoutMs: 700 }),
    listTools(stdio({ silent: "tools/list" }), { timeoutMs: 300 }),
  ]);
  assert.deepEqual(start.error, { kind: "timeout", message: "no answer to `initialize` within 0.7 s" });
  assert.deepEqual(answer.error, { kind: "timeout", message: "no answer to `tools/list` within 0.3 s" });
  assert.ok(Date.now() - started < 15_000);
});

test("a child sees the SDK's few variables and what is named, nothing else", posix, async () => {
  process.env.GATEWRIGHT_SECRET = "s3cret";
  const { parts, init } = await listTools(stdio({ env: true }, { env: { NAMED: "value" } }));
  const { extra } = JSON.parse(parts[init]).result.serverInfo;
  assert.equal(extra.NAMED, "value");
  assert.equal(extra.PATH, process.env.PATH);
  assert.deepEqual(Object.keys(extra).filter((name) => !["HOME", "LOGNAME", "NAMED", "PATH", "SHELL", "TERM", "USER"].includes(name)), []);
});

const marked = (mark) => execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).split("\n").filter((line) => line.includes(mark));

test("nothing that a server started outlives the answer", posix, async () => {
  const inGroup = false, outOfGroup = true;
  for (const how of [
    { children: [inGroup, outOfGroup] },
    { children: [inGroup, outOfGroup], stubborn: true },
    { children: [inGroup, outOfGroup], silent: "initialize" },
    // Its parent is gone before we look, so only the group tells whose child it was.
    { children: [inGroup], exitOnList: 0 },
  ]) {
    const mark = `mark-${Math.random().toString(36).slice(2)}`;
    const server = `${process.execPath} ${fixture} '${JSON.stringify({ ...how, mark })}'`;
    // A launcher between us and the server, as npx is one.
    const answering = listTools({ transport: "stdio", command: "sh", args: ["-c", `${server}; true`] }, { startTimeoutMs: how.silent ? 1500 : 20_000 });
    let answer;
    void answering.then((given) => (answer = given));
    while (marked(`0) ${mark}`).length < how.children.length) {
      assert.equal(answer, undefined, "the server was gone before its children were seen");
      await sleep(10);
    }
    answer = await answering;
    assert.equal(answer.error?.kind, how.silent ? "timeout" : how.exitOnList === 0 ? "list" : undefined);
    assert.deepEqual(marked(mark), [], JSON.stringify(how));
  }
});

test("a server over http, in JSON and with headers", async () => {
  const seen = [];
  const server = http.createServer(async (request, response) => {
    seen.push(request.headers.authorization);
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const result = method === "initialize" ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "h", version: "1" } } : { tools: [{ name: "t", "x-kept": null }] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${server.address().port}/mcp`;
  const answer = await listTools({ transport: "http", url, headers: { authorization: "Bearer x" } });
  assert.deepEqual(pagesOf(answer), [{ tools: [{ name: "t", "x-kept": null }] }]);
  assert.deepEqual([...new Set(seen)], ["Bearer x"]);
  seen.length = 0;
  assert.equal(pagesOf(await listTools({ transport: "http", url: url.replace("://", "://me:p%40ss@") })).length, 1);
  assert.deepEqual([...new Set(seen)], [`Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
  server.closeAllConnections();
  server.close();
});

/** An HTTP server that says how it answers `tools/list`: `reply(id)` gives the content type and the body. */
async function overHttp(reply, transport = "http") {
  let stream;
  const server = http.createServer(async (request, response) => {
    if (request.method !== "POST" && transport === "sse") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return stream.write("event: endpoint\ndata: /post\n\n");
    }
    if (request.method !== "POST") return response.writeHead(405).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return response.writeHead(202).end();
    const initialized = () => JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "h", version: "1" } } });
    if (stream) {
      stream.write(method === "initialize" ? `data: ${initialized()}\n\n` : reply(id)[1]);
      return response.writeHead(202).end();
    }
    const [type, body] = method === "initialize" ? ["application/json", initialized()] : reply(id);
    response.writeHead(200, { "content-type": type }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    return await listTools({ transport, url: `http://127.0.0.1:${server.address().port}/` });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const doubled = (id) => `{"jsonrpc":"2.0","id":${id},"result":{"tools":[],"tools": []}}`;

test("answers over http arrive as they were sent, in JSON and in events", async () => {
  const bytes = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"tools":"'), Buffer.from([0xff]), Buffer.from('"}}')]);
  const events = (...all) => Buffer.concat(all.flatMap((each) => [Buffer.from("id: 1\ndata:"), Buffer.from(each), Buffer.from("\n\n")]));
  for (const transport of ["http", "sse"]) {
    const inEvents = async (body) => overHttp((id) => ["text/event-stream; charset=utf-8", body(id)], transport);
    assert.equal((await inEvents((id) => events(doubled(424242), " no JSON", doubled(id)))).parts[1], doubled(1));
    assert.equal((await inEvents(() => events(bytes))).hexParts[1], bytes.toString("hex"));
    assert.equal((await inEvents((id) => `\ufeff: hello\r\ndata: ${doubled(id).replace(",", ",\r\ndata:")}\r\n\r\n`.slice(transport === "sse" ? 1 : 0))).parts[1], doubled(1).replace(",", ",\n"));
    for (const line of broken) assert.equal((await inEvents((id) => events(line.replace("ID", id)))).error?.kind, "protocol", line);
  }
  assert.equal((await overHttp((id) => ["application/json", doubled(id)])).parts[1], doubled(1));
  assert.equal((await overHttp(() => ["application/json", bytes])).hexParts[1], bytes.toString("hex"));
  for (const line of [...broken, doubled(424242), "null", "", "[]"]) {
    assert.equal((await overHttp((id) => ["application/json", line.replace("ID", id)])).error?.kind, "protocol", line);
  }
});

test("over streamable http nothing but the response to the request that asked is an answer", async () => {
  const list = (id, name) => JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [{ name }] } });
  for (const type of ["application/json", "text/event-stream"]) {
    const server = http.createServer(async (request, response) => {
      if (request.method === "GET") {
        const all = [0, 1, 2, 3].map((id) => list(id, "beside"));
        return response.writeHead(200, { "content-type": type }).end(type.includes("json") ? all[1] : all.map((each) => `data: ${each}\n\n`).join(""));
      }
      let body = "";
      for await (const chunk of request) body += chunk;
      const { id, method, params } = JSON.parse(body || "{}");
      if (id === undefined) return response.writeHead(202).end();
      const initialized = { jsonrpc: "2.0", id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "h", version: "1" } } };
      // Late, so that what stands beside it would come first.
      setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(method === "initialize" ? JSON.stringify(initialized) : list(id, "asked")), method === "initialize" ? 0 : 300);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const answer = await listTools({ transport: "http", url: `http://127.0.0.1:${server.address().port}/` });
    assert.deepEqual(pagesOf(answer), [{ tools: [{ name: "asked" }] }]);
    server.closeAllConnections();
    server.close();
  }
});

test("what an http server sends ends somewhere", async () => {
  const long = Buffer.alloc(130 * 1024 * 1024, "x");
  for (const type of ["application/json", "text/event-stream"]) {
    assert.deepEqual((await overHttp(() => [type, long])).error, { kind: "list", message: "the server sent a message of more than 128 MiB" });
  }
});

test("an http server that is not there", async () => {
  const gone = await listTools({ transport: "http", url: `http://127.0.0.1:${await freePort()}/mcp` });
  assert.equal(gone.error.kind, "start");
  assert.match(gone.error.message, /ECONNREFUSED/);
  assert.equal((await listTools({ transport: "http", url: "http://" })).error.kind, "start");
});

test("an http server that refuses says with which status", async () => {
  const server = http.createServer((_request, response) => response.writeHead(405, { "content-type": "text/plain" }).end("not here"));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { error } = await listTools({ transport: "http", url: `http://127.0.0.1:${server.address().port}/` });
  assert.equal(error.kind, "protocol");
  assert.equal(error.status, 405);
  server.close();
});

test("an http server that never answers is given up", async () => {
  const server = http.createServer(() => {});
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  for (const transport of ["http", "sse"]) {
    const { error } = await listTools({ transport, url: `http://127.0.0.1:${server.address().port}/` }, { startTimeoutMs: 300 });
    assert.deepEqual(error, { kind: "timeout", message: "no answer to `initialize` within 0.3 s" });
  }
  server.closeAllConnections();
  server.close();
});

test("a real server gives the same list over every transport", async () => {
  const overStdio = pagesOf(await listTools({ transport: "stdio", command: process.execPath, args: [everything, "stdio"] }));
  assert.ok(overStdio[0].tools.length > 3);
  for (const [transport, mode, route] of [["http", "streamableHttp", "mcp"], ["sse", "sse", "sse"]]) {
    const port = await freePort();
    const server = spawn(process.execPath, [everything, mode], { env: { ...process.env, PORT: String(port) }, stdio: "ignore" });
    try {
      await listening(port);
      assert.deepEqual(pagesOf(await listTools({ transport, url: `http://127.0.0.1:${port}/${route}` })), overStdio);
    } finally {
      server.kill("SIGKILL");
    }
  }
});

async function freePort() {
  const server = http.createServer();
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

async function listening(port) {
  for (let tries = 0; tries < 200; tries++) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(500) });
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`nothing listens on ${port}`);
}
