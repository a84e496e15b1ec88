// Runs the tests on what users get: the tarball in ../dist, installed in an empty project.
//   node test/run.mjs [test files…]

import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = process.env.GATEWRIGHT_DIST ?? path.join(here, "../../dist");
const tarballs = fs.existsSync(dist) ? fs.readdirSync(dist).filter((name) => /^gatewright-.*\.tgz$/.test(name)) : [];
if (tarballs.length !== 1) {
  console.error(`npm test: ${dist} has ${tarballs.length} tarballs and should have one: run \`./x build\``);
  process.exit(1);
}

const project = fs.mkdtempSync(path.join(os.tmpdir(), "gatewright-npm-"));
try {
  fs.writeFileSync(path.join(project, "package.json"), JSON.stringify({ name: "empty", private: true }));
  // Offline: the package needs nothing but itself.
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", path.join(dist, tarballs[0])], { cwd: project, stdio: "inherit", shell: process.platform === "win32" });
  const chosen = process.argv.slice(2);
  const files = chosen.length > 0 ? chosen : fs.readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort().map((name) => path.join(here, name));
  const { status } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", "--test-timeout=300000", ...files], { stdio: "inherit", env: { ...process.env, GATEWRIGHT_PROJECT: project, GATEWRIGHT_TARBALL: path.join(dist, tarballs[0]) } });
  process.exitCode = status ?? 1;
} finally {
  fs.rmSync(project, { recursive: true, force: true });
}
