import { builtin } from "./builtin.js";

/** Web encoders, wherever they are: jsdom has none of its own, and the Node below it keeps them in `node:util`. */
type Encoders = { TextEncoder: typeof TextEncoder; TextDecoder: typeof TextDecoder };

function encoders(): Encoders {
  if (typeof TextEncoder === "function" && typeof TextDecoder === "function") return { TextEncoder, TextDecoder };
  return builtin("node:util") as Encoders;
}

let encoder: TextEncoder | undefined;
let decoder: TextDecoder | undefined;

export function encodeInto(text: string, bytes: Uint8Array): { read: number; written: number } {
  encoder ??= new (encoders().TextEncoder)();
  return encoder.encodeInto(text, bytes);
}

/** The text of bytes that are known to be UTF-8. The generated glue calls this. */
export function decodeText(bytes: Uint8Array): string {
  decoder ??= new (encoders().TextDecoder)("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes);
}

/** Whether every surrogate has its other half. (`String.prototype.isWellFormed` is younger than some browsers in use.) */
export function isWellFormed(text: string): boolean {
  const native = (text as { isWellFormed?(): boolean }).isWellFormed;
  return native ? native.call(text) : !/\p{Surrogate}/u.test(text);
}

/** With U+FFFD for each surrogate that lacks its other half. Only for messages: it makes different texts the same. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/**
 * UTF-8 in which a lone surrogate is written like any other code point (WTF-8), where `TextEncoder` would put U+FFFD and
 * so turn different texts into the same bytes. The core refuses them with their place.
 */
export function encodeWithSurrogates(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code >= 0xd800 && code <= 0xdfff) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0x80) {
      bytes[at++] = code;
    } else {
      at += encodeInto(character, bytes.subarray(at)).written;
    }
  }
  return bytes.subarray(0, at);
}
