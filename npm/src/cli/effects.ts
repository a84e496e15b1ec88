import * as fs from "node:fs/promises";
import { getSystemErrorMap } from "node:util";
import { writeAtomically } from "./write.js";
import type { ListTools } from "./tools.js";

/** What the core asks of the world. */
export type Effect = { readonly id: string } & (
  | { readonly kind: "readFile"; readonly path: string }
  | { readonly kind: "readStdin" }
  | { readonly kind: "readEnv"; readonly name: string }
  | { readonly kind: "now" }
  | ListTools
  | { readonly kind: "writeFile"; readonly path: string; readonly text: string; readonly private: boolean }
  | { readonly kind: "print"; readonly stream: "stdout" | "stderr"; readonly text: string }
);

/** What it gets back. Bytes travel beside the answer, as a numbered part. */
export type Answer = object;
export type AddPart = (bytes: Uint8Array) => number;

/** The core refuses documents of more than 64 MiB, so there is no use in reading more than a byte beyond. */
const MOST_BYTES = 64 * 1024 * 1024 + 1;

/** Performs the effects of one step. What reads goes on at the same time; what is seen outside keeps its order. */
export async function perform(effects: readonly Effect[], addPart: AddPart): Promise<Record<string, Answer>> {
  let previous: Promise<unknown> = Promise.resolve();
  const pending = effects.map((effect) => {
    const ordered = effect.kind === "print" || effect.kind === "writeFile";
    const answer = ordered ? previous.then(() => performOne(effect, addPart)) : performOne(effect, addPart);
    if (ordered) previous = answer;
    return answer.then((given) => [effect.id, given] as const);
  });
  return Object.fromEntries(await Promise.all(pending));
}

async function performOne(effect: Effect, addPart: AddPart): Promise<Answer> {
  switch (effect.kind) {
    case "readFile":
      return readFile(effect.path, addPart);
    case "readStdin":
      return readStdin(addPart);
    case "readEnv": {
      const value = process.env[effect.name];
      return value === undefined ? { missing: true } : { value };
    }
    case "now":
      return { value: new Date().toISOString().replace(/\.\d+Z$/, "Z") };
    case "listTools": {
      if (process.stderr.isTTY && effect.progress) process.stderr.write(`${effect.progress}\n`);
      // Only now: the SDK takes longer to load than most commands take to run.
      const { listTools } = await import("./tools.js");
      return listTools(effect, addPart);
    }
    case "writeFile":
      return attempt(() => writeAtomically(effect.path, effect.text, effect.private));
    case "print":
      await new Promise((written) => process[effect.stream].write(effect.text, written));
      return { ok: true };
  }
}

async function readFile(path: string, addPart: AddPart): Promise<Answer> {
  try {
    const file = await fs.open(path);
    try {
      const { size } = await file.stat();
      const bytes = size < MOST_BYTES ? await file.readFile() : await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0).then(({ buffer, bytesRead }) => buffer.subarray(0, bytesRead));
      return { part: addPart(bytes) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? { missing: true } : { error: reason(error) };
  }
}

async function readStdin(addPart: AddPart): Promise<Answer> {
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MOST_BYTES) break;
    }
    return { part: addPart(Buffer.concat(chunks)) };
  } catch (error) {
    return { error: reason(error) };
  }
}

function attempt(action: () => void): Answer {
  try {
    action();
    return { ok: true };
  } catch (error) {
    return { error: reason(error) };
  }
}

/** Why the system refused, without the path, which the core knows and names itself. */
export function reason(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return (errno !== undefined ? getSystemErrorMap().get(errno)?.[1] : undefined) ?? message;
}
