// The `gatewright` command. The core is the program: it parses the arguments, decides, words the messages and sets the
// exit code, as a pure function from answers to effects. This host performs the effects and asks again.

import * as fs from "node:fs";
import { call, useModule } from "../engine.js";
import { GatewrightError } from "../error.js";
import { perform, type Answer, type Effect } from "./effects.js";
import { toWellFormed } from "../text.js";
import { endProcesses, killProcesses } from "./processes.js";

interface Step {
  readonly effects: readonly Effect[];
  readonly exitCode?: number;
}

useModule(() => new WebAssembly.Module(fs.readFileSync(new URL("cli.wasm", import.meta.url))));

// Whatever goes wrong here, nothing was checked. (Node's own code for a crash is 1, which means that something moved.)
process.on("uncaughtException", fail);
process.on("exit", killProcesses);

// A reader that has seen enough (`| head`) closes the pipe. There is nobody left to tell.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fail(error);
  });
}

/** An interrupted run takes no further step: what it would make of the servers we end is nobody's answer. */
let interrupted = false;
for (const [signal, exitCode] of [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]] as const) {
  process.on(signal, () => {
    // The second time there is no patience left.
    if (interrupted) process.exit(exitCode);
    interrupted = true;
    void endProcesses().finally(() => process.exit(exitCode));
  });
}

run().then((exitCode) => process.exit(exitCode), fail);

function fail(error: unknown): void {
  const message = error instanceof GatewrightError ? `${error.code}: ${error.message}` : String(error);
  process.stderr.write(`gatewright: ${message}\n`, () => process.exit(2));
}

async function run(): Promise<number> {
  const answers: Record<string, Answer> = {};
  const parts: Uint8Array[] = [];
  for (;;) {
    const request = JSON.stringify({ argv: process.argv.slice(2), answers }, wellFormed);
    const step = JSON.parse(call("cliStep", [request, ...parts])) as Step;
    Object.assign(answers, await perform(step.effects, (bytes) => parts.push(bytes) - 1));
    if (interrupted) await new Promise(() => {});
    if (step.exitCode !== undefined) return step.exitCode;
  }
}

/** What others wrote can have half a character in it. In words for the reader that is no reason to give up. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? toWellFormed(value) : value;
}
