import { serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { reason } from "./effects.js";
import type { Failure } from "./failure.js";
import { Lines } from "./lines.js";
import { Server } from "./processes.js";
import type { Responses } from "./responses.js";

/** More than the core shows: it hides secrets first and cuts then. */
const BYTES_OF_STDERR = 64 * 1024;

/**
 * The SDK's stdio transport, but for what it cannot do: end everything that the command started, keep answers as they
 * came and the end of stderr, and say how the server ended.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How the server ended, if it did so by itself. */
  ended: string | undefined;

  readonly #endpoint: { command: string; args?: readonly string[]; env?: Record<string, string> };
  readonly #responses: Responses;
  readonly #lines = new Lines();
  #stderr = Buffer.alloc(0);
  #server: Server | undefined;

  constructor(endpoint: { command: string; args?: readonly string[]; env?: Record<string, string> }, responses: Responses) {
    this.#endpoint = endpoint;
    this.#responses = responses;
  }

  /** The last of what the server wrote to stderr. */
  get stderrTail(): string {
    // Cut in the middle of a character, the text would start with a replacement character.
    const start = this.#stderr.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return this.#stderr.subarray(Math.max(start, 0)).toString("utf8");
  }

  async start(): Promise<void> {
    const { command, args = [], env = {} } = this.#endpoint;
    // The SDK's few variables that are safe to hand on, and what was named; nothing else of ours.
    this.#server = new Server(command, args, { ...getDefaultEnvironment(), ...env });
    const { child } = this.#server;
    child.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-BYTES_OF_STDERR);
    });
    // Writing to a server that is gone: its end is reported below.
    child.stdin?.on("error", () => {});
    child.on("exit", (exitCode, signal) => {
      this.ended ??= signal ? `the server was ended by ${signal}` : `the server ended with exit code ${exitCode}`;
      // What it still wrote is on its way; but a child of its own can hold the pipes open for ever.
      setTimeout(() => this.onclose?.(), 200).unref();
    });
    child.on("close", () => this.onclose?.());
    await new Promise<void>((started, failed) => {
      child.on("spawn", started);
      child.on("error", (error) => {
        this.ended ??= `cannot start \`${command}\`: ${reason(error)}`;
        failed(error);
      });
    });
  }

  #receive(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) {
        const message = this.#responses.take(line);
        if (message) this.onmessage?.(message);
      }
    } catch (error) {
      this.#responses.fail(error as Failure);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#server?.child.stdin?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    await this.#server?.end();
  }
}
