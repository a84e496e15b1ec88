import { GatewrightError } from "./error.js";

/** One argument as it crosses into wasm. */
export type Argument = string | Uint8Array;

/** The bytes behind `value`, or nothing if it is not binary. Works on values of another realm too (a frame, a test runner). */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") return new Uint8Array(value as ArrayBuffer);
  return undefined;
}

/** Text and bytes as they are, anything else as the text that `JSON.stringify` makes of it. */
export function toArgument(value: unknown): Argument {
  return typeof value === "string" ? value : guarded(() => bytesOf(value) ?? serialize(value));
}

/** Getters, proxies and `toJSON` are code of others, which can throw anything. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw readingError(thrown);
  }
}

function serialize(value: unknown): string {
  let text = JSON.stringify(value) as string | undefined;
  // Looking at each member while it is written takes twice the time, and is seldom needed.
  if (!isPlain(value)) text = JSON.stringify(value, refuseLosses);
  if (text === undefined) throw notJson(`a value of type \`${typeof value}\` has no JSON form`);
  return text;
}

/** Whether this is made of what JSON has, and of nothing else. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value !== "function";
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

const EMPTIED = /^\[object (?:(?:Weak)?(?:Map|Set)|RegExp|Error|Promise|(?:Shared)?ArrayBuffer|DataView)\]$/;

/** `JSON.stringify` writes `null` for numbers that JSON lacks, and `{}` for what keeps its contents elsewhere. */
function refuseLosses(_key: string, member: unknown): unknown {
  if (typeof member === "number" && !Number.isFinite(member)) throw notJson(`a number is ${member}; JSON has none`);
  if (typeof member === "object" && member !== null) {
    if (member instanceof Number) return refuseLosses(_key, Number(member));
    const tag = Object.prototype.toString.call(member);
    if (EMPTIED.test(tag)) throw notJson(`a value of type \`${tag.slice(8, -1)}\` has no JSON form`);
  }
  return member;
}

function notJson(message: string): GatewrightError {
  return new GatewrightError({ code: "not-json", message, help: "give JSON text, its UTF-8 bytes, or an object" });
}

/** `JSON.stringify` fails on cycles and BigInt (TypeError), on depth and on size (RangeError; Firefox: InternalError). */
function readingError(cause: unknown): GatewrightError {
  const { name, message, own } = described(cause);
  if (own) return own;
  if (name === "RangeError" || name === "InternalError") {
    return /length|size of string|memory/i.test(message) && !/stack/i.test(message)
      ? new GatewrightError({ code: "document-too-large", message: "the JSON text of the object is too long for a string" }, { cause })
      : new GatewrightError({ code: "too-deep", message: "the object is nested too deeply for `JSON.stringify`" }, { cause });
  }
  // V8 explains cycles on several lines; an error is one line.
  const reason = message.replace(/\s*\n[\s\S]*/, "");
  return new GatewrightError({ code: "not-json", message: `the object has no JSON form: ${reason}` }, { cause });
}

function described(thrown: unknown): { name: string; message: string; own?: GatewrightError } {
  try {
    if (thrown instanceof GatewrightError) return { name: thrown.name, message: thrown.message, own: thrown };
    if (thrown instanceof Error) return { name: String(thrown.name), message: String(thrown.message) };
    return { name: "", message: String(thrown) };
  } catch {
    return { name: "", message: "what it throws has no text" };
  }
}

/**
 * One server or a list of them, and the surfaces that travel beside it: those given as text or bytes are authoritative,
 * so they are not packed into another text but passed on untouched.
 */
export function toServers(servers: unknown): { given: Argument; parts: Argument[] } {
  return guarded(() => packed(servers));
}

function packed(servers: unknown): { given: Argument; parts: Argument[] } {
  const parts: Argument[] = [];
  const setApart = (server: unknown): unknown => {
    if (typeof server !== "object" || server === null || !("surface" in server)) return server;
    const { surface, ...rest } = server;
    const raw = typeof surface === "string" ? surface : bytesOf(surface);
    if (raw === undefined) return server;
    return { ...rest, surfacePart: parts.push(raw) - 1 };
  };
  return { given: toArgument(Array.isArray(servers) ? servers.map(setApart) : setApart(servers)), parts };
}

/** The options of `buildSnapshot`, and the snapshot among them, which is a text of its own; empty if there is none. */
export function toSnapshotOptions(options: unknown): [options: Argument, previous: Argument] {
  return guarded(() => {
    if (typeof options !== "object" || options === null || !("previous" in options)) return [toArgument(options ?? {}), ""];
    const { previous, ...rest } = options;
    return [toArgument(rest), previous === undefined ? "" : toArgument(previous)];
  });
}
