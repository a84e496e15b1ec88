// A server can send anything at any time. This says which of it is the answer to what was asked, and keeps that answer as
// the bytes that came: parsed and written again, it would have lost its duplicate keys and its broken characters, and
// something else would be checked than what other clients of the server read.

import { parseJSONRPCMessage, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { Failure, messageOf } from "./failure.js";

const MOST_BYTES_IN_ALL = 256 * 1024 * 1024;

type Members = { readonly [name: string]: unknown };

interface Asked {
  readonly id: unknown;
  readonly method: string;
}

export interface Received {
  readonly raw: Uint8Array;
  readonly result: Members;
}

export class Responses {
  /** Rejects when waiting on is of no use. */
  readonly failure: Promise<never>;
  fail!: (failure: Failure) => void;

  #asked: Asked | undefined;
  #response: Received | undefined;
  #bytes = 0;

  constructor() {
    this.failure = new Promise((_, reject) => (this.fail = reject));
    // Somebody may be told later, or nobody.
    this.failure.catch(() => {});
  }

  /** Takes note of what is sent. We ask for one thing at a time. */
  asking(message: object): void {
    if (!("method" in message && "id" in message)) return;
    this.#asked = { id: message.id, method: String(message.method) };
    this.#response = undefined;
  }

  /** Whether the answer to this very message is still to come. */
  awaits(message: object): boolean {
    return this.#asked !== undefined && "method" in message && "id" in message && message.id === this.#asked.id;
  }

  /** The answer to what was asked last. */
  get response(): Received {
    if (!this.#response) throw new Failure("protocol", "the answer came in a form that it cannot be checked in");
    return this.#response;
  }

  /** Takes one message that came; returns what of it the client is to see. */
  take(raw: Buffer): JSONRPCMessage | undefined {
    const text = raw.toString("utf8");
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      // Servers print banners; but this is no banner.
      if (this.#asked && looksLikeAnswer(text, this.#asked.id)) this.#refuse(this.#asked, `is no JSON: ${messageOf(error)}`);
      return undefined;
    }
    if (Array.isArray(message)) {
      const asked = this.#asked;
      if (asked && message.some((member) => isAnswer(member, asked.id))) this.#refuse(asked, "is in a batch, which MCP does not have");
      return undefined;
    }
    if (!isObject(message)) return undefined;
    if (!("result" in message || "error" in message) && "method" in message) return requestOrNotification(message);
    // An answer to what nobody asked, or one more to what has been answered, is none.
    if (!this.#asked || !isAnswer(message, this.#asked.id)) return undefined;
    return this.#answer(this.#asked, message, raw);
  }

  #answer(asked: Asked, { jsonrpc, result, error, ...more }: Members, raw: Buffer): JSONRPCMessage | undefined {
    const [hasResult, hasError] = [result !== undefined, error !== undefined];
    if (jsonrpc !== "2.0") return this.#refuse(asked, "is no JSON-RPC 2.0");
    if (hasResult === hasError) return this.#refuse(asked, hasResult ? "has a result and an error" : "has neither a result nor an error");
    if ("method" in more) return this.#refuse(asked, "is a request too");
    this.#asked = undefined;
    const envelope = { jsonrpc, id: asked.id as number } as const;
    if (hasError) {
      if (!isObject(error) || !Number.isSafeInteger(error["code"]) || typeof error["message"] !== "string") return this.#refuse(asked, "is an error without a code or a message");
      return { ...envelope, error: { code: error["code"] as number, message: error["message"] } };
    }
    if (!isObject(result)) return this.#refuse(asked, "has a result that is no object");
    this.#bytes += raw.length;
    if (this.#bytes > MOST_BYTES_IN_ALL) {
      this.fail(new Failure("list", `the server's answers have more than ${MOST_BYTES_IN_ALL / 1024 / 1024} MiB in all`));
      return undefined;
    }
    this.#response = { raw, result };
    // The client connects by what `initialize` says. Of a list it needs to know that it came.
    return { ...envelope, result: asked.method === "initialize" ? result : {} };
  }

  #refuse({ method }: Asked, why: string): undefined {
    this.fail(new Failure("protocol", `the answer to \`${method}\` ${why}`));
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some servers give a number back as a string; the SDKs take it. */
function isAnswer(message: unknown, id: unknown): boolean {
  if (!isObject(message) || (message["id"] !== id && message["id"] !== String(id))) return false;
  // A line of a server's log can have an `id`, too.
  return "result" in message || "error" in message || ("jsonrpc" in message && !("method" in message));
}

function looksLikeAnswer(text: string, id: unknown): boolean {
  return /^\s*\{/.test(text) && new RegExp(`"id"\\s*:\\s*"?${String(id)}\\b`).test(text);
}

function requestOrNotification(message: Members): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(message);
  } catch {
    return undefined;
  }
}
