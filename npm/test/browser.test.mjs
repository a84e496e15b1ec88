// The tarball's dist/index.js in Chromium, on a page over http that allows no more than WebAssembly needs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { installed, wireSource } from "./project.mjs";
import { vectorSets } from "./vectors.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const page = "<!doctype html><title>gatewright</title><script type=module src=/page.js></script>";
const script = `
import * as gatewright from "/index.js";
import { runVectors } from "/conformance.mjs";
import { call, useModule } from "/wire.js";
const wasm = await WebAssembly.compileStreaming(fetch("/cli.wasm"));
useModule(() => wasm);
globalThis.gatewright = gatewright;
globalThis.run = async (name) => runVectors(gatewright, call, "browser", await (await fetch("/vectors/" + name)).json());
`;
const sets = new Map(vectorSets());
const routes = {
  "/": () => ["text/html", page],
  "/page.js": () => ["text/javascript", script],
  "/index.js": () => ["text/javascript", fs.readFileSync(path.join(installed, "dist/index.js"))],
  "/cli.wasm": () => ["application/wasm", fs.readFileSync(path.join(installed, "dist/cli.wasm"))],
  "/wire.js": () => ["text/javascript", wire],
  "/conformance.mjs": () => ["text/javascript", fs.readFileSync(path.join(here, "conformance.mjs"))],
};

const wire = await wireSource();
let server, browser, tab, profile;
const complaints = [];

before(async () => {
  server = http.createServer((request, response) => {
    const set = /^\/vectors\/(.+)$/.exec(request.url)?.[1];
    const found = set ? ["application/json", JSON.stringify(sets.get(decodeURIComponent(set)))] : routes[request.url]?.();
    if (!found) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": found[0], "content-security-policy": policy }).end(found[1]);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  profile = fs.mkdtempSync(path.join(os.tmpdir(), "gatewright-chromium-"));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  tab = await browser.newPage();
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.location().url.endsWith("/favicon.ico")) complaints.push(message.text());
  });
  tab.on("pageerror", (error) => complaints.push(String(error)));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => globalThis.run);
});

after(async () => {
  await browser?.close();
  server?.close();
  if (profile) fs.rmSync(profile, { recursive: true, force: true });
});

function findBrowser() {
  const names = [process.env.GATEWRIGHT_CHROMIUM, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].filter(Boolean);
  for (const name of names) {
    if (path.isAbsolute(name) && fs.existsSync(name)) return name;
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  throw new Error(`no browser found; looked for ${names.join(", ")} (GATEWRIGHT_CHROMIUM names another)`);
}

for (const [name, { manifest }] of sets) {
  test(`${manifest.total} vectors of ${name} in Chromium`, async () => {
    const { ran, failures } = await tab.evaluate((set) => globalThis.run(set), name);
    assert.deepEqual(failures, []);
    assert.equal(ran, manifest.total);
  });
}

test("text with a lone surrogate is refused, not repaired", async () => {
  const error = await tab.evaluate(() => {
    try {
      return globalThis.gatewright.canonicalize('"\\ud83d"'.replace("\\ud83d", "\ud83d"));
    } catch ({ name, code, line, column }) {
      return { name, code, line, column };
    }
  });
  assert.deepEqual(error, { name: "GatewrightError", code: "lone-surrogate", line: 1, column: 2 });
});

test("nothing is said on the console, and the policy holds", () => assert.deepEqual(complaints, []));
