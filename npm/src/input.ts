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
  return typeof value === "string" ? value : (bytesOf(value) ?? serialize(value));
}

function serialize(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw serializerError(cause);
  }
  if (text === undefined) {
    throw new GatewrightError({
      code: "not-json",
      message: `a value of type \`${typeof value}\` has no JSON form`,
      help: "give JSON text, its UTF-8 bytes, or an object",
    });
  }
  return text;
}

/** `JSON.stringify` fails on cycles and BigInt (TypeError), on depth and on size (RangeError; Firefox: InternalError). */
function serializerError(cause: unknown): GatewrightError {
  const { name, message } = cause instanceof Error ? cause : { name: "", message: String(cause) };
  if (name === "RangeError" || name === "InternalError") {
    return /length|size of string|memory/i.test(message) && !/stack/i.test(message)
      ? new GatewrightError({ code: "document-too-large", message: "the JSON text of the object is too long for a string" }, { cause })
      : new GatewrightError({ code: "too-deep", message: "the object is nested too deeply for `JSON.stringify`" }, { cause });
  }
  // V8 explains cycles on several lines; an error is one line.
  const reason = message.replace(/\s*\n[\s\S]*/, "");
  return new GatewrightError({ code: "not-json", message: `the object has no JSON form: ${reason}` }, { cause });
}

/**
 * The `servers` argument, and the surfaces that travel beside it: those given as text or bytes are authoritative, so
 * they are not packed into another text but passed on untouched.
 */
export function toServers(servers: unknown): { list: Argument; parts: Argument[] } {
  const parts: Argument[] = [];
  if (!Array.isArray(servers)) return { list: toArgument(servers), parts };
  const list = servers.map((server: unknown) => {
    if (typeof server !== "object" || server === null || !("surface" in server)) return server;
    const { surface, ...rest } = server;
    const raw = typeof surface === "string" ? surface : bytesOf(surface);
    if (raw === undefined) return server;
    return { ...rest, surfacePart: parts.push(raw) - 1 };
  });
  return { list: toArgument(list), parts };
}
