import { GatewrightError, type ErrorDetails } from "./error.js";
import * as glue from "./generated/glue.js";
import type { Argument } from "./input.js";
import { encodeInto, encodeWithSurrogates, isWellFormed } from "./text.js";

/** The core reads no document beyond 64 MiB. One unit more is all it needs to see to say so. */
const MOST_UNITS = 64 * 1024 * 1024 + 1;

let load: () => WebAssembly.Module;
let module: WebAssembly.Module | undefined;
let memory: WebAssembly.Memory | undefined;

/** Says where the compiled module comes from. Nothing is compiled or started before the first call. */
export function useModule(source: () => WebAssembly.Module): void {
  load = source;
  module = memory = undefined;
}

function start(): WebAssembly.Memory {
  module ??= load();
  return glue.initSync({ module }).memory;
}

/** Runs one operation of the core and returns its text. */
export function call(operation: string, args: readonly Argument[] = []): string {
  memory ??= start();
  try {
    for (const argument of args) {
      if (typeof argument === "string") writeText(memory, argument);
      else glue.bytes(argument.length > MOST_UNITS ? argument.subarray(0, MOST_UNITS) : argument);
    }
    return glue.call(operation);
  } catch (thrown) {
    if (isDetails(thrown)) throw new GatewrightError(thrown);
    // A trap leaves the instance in the middle of something. The next call starts a new one.
    memory = undefined;
    throw new GatewrightError(
      { code: "internal-error", message: `\`${operation}\` failed inside the core: ${String(thrown)}`, help: "please report this with its input" },
      { cause: thrown },
    );
  }
}

/** The core throws plain objects; everything else thrown is a trap or a bug. */
function isDetails(thrown: unknown): thrown is ErrorDetails {
  return typeof thrown === "object" && thrown !== null && !(thrown instanceof Error) && "code" in thrown;
}

/**
 * Encodes straight into wasm memory. ASCII takes one pass and its exact size; for other text the buffer grows once. A view
 * is made for each write, because memory that grows moves to a new buffer.
 */
function writeText(memory: WebAssembly.Memory, text: string): void {
  const units = Math.min(text.length, MOST_UNITS);
  const place = glue.input(units);
  const { read, written } = encodeInto(text, new Uint8Array(memory.buffer, place, units));
  // Not all of it: this one is too long anyway.
  if (read === units || text.length > MOST_UNITS) return;

  if (!isWellFormed(text)) {
    const bytes = encodeWithSurrogates(text);
    const moved = glue.resize(bytes.length);
    new Uint8Array(memory.buffer, moved, bytes.length).set(bytes);
    return;
  }
  const rest = text.slice(read);
  // No code unit takes more than three bytes.
  const moved = glue.resize(written + rest.length * 3);
  const more = encodeInto(rest, new Uint8Array(memory.buffer, moved + written, rest.length * 3));
  glue.resize(written + more.written);
}
