import { builtin } from "./builtin.js";
import { base64, length } from "./generated/wasm.js";
import { inflate } from "./inflate.js";

interface Zlib {
  inflateRawSync(bytes: Uint8Array, options: { chunkSize: number }): Uint8Array<ArrayBuffer>;
}

/**
 * The wasm that is in this file: deflated, because in base64 it can no longer be compressed well on its way here, and
 * because a shorter file loads faster. A hook starts a process for every tool call, so this is paid again and again;
 * Node inflates in a millisecond or two.
 */
export function embeddedWasm(): Uint8Array<ArrayBuffer> {
  const deflated = decodeBase64(base64);
  const zlib = builtin("node:zlib") as Zlib | undefined;
  return zlib ? zlib.inflateRawSync(deflated, { chunkSize: length }) : inflate(deflated, length);
}

/** `Buffer` takes 0.3 ms for 136 KB, a loop 5 ms, and `Uint8Array.from(atob(…), …)` over 20 ms. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> } };
  if (typeof Buffer?.from === "function") return Buffer.from(text, "base64");
  const { fromBase64 } = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (fromBase64) return fromBase64.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
