// The command as it is installed, and servers for it.

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installed, project } from "./project.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));

export const cli = path.join(installed, "dist/cli.js");
/** A server that does what its argument says. */
export const fixture = path.join(here, "fixtures/server.mjs");
/** A server whose tools are what a file says. */
export const drifting = path.join(here, "../../xtask/sh/drift-server.mjs");

/** A folder of its own, to run in. */
export const folder = () => fs.mkdtempSync(path.join(project, "cli-"));

/** Runs the command in a folder, which is the user's home too. */
export const run = (cwd, ...args) => runWith({}, cwd, ...args);

/** The same with variables of its environment, and the text of its standard input. */
export async function runWith({ env = {}, input }, cwd, ...args) {
  const ours = { PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`, SystemRoot: process.env.SystemRoot, HOME: cwd, USERPROFILE: cwd };
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { ...ours, ...env } });
  // Who needs no input may be gone before it is written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) child[stream].setEncoding("utf8").on("data", (text) => (texts[stream] += text));
  const status = await new Promise((ended) => child.on("close", ended));
  return { status, ...texts };
}

/** Every file below a folder, as its path from there. */
export const filesIn = (cwd) =>
  fs.readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(cwd, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
