import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { reason } from "./effects.js";
import { Server } from "./processes.js";

const MOST_BYTES_OF_A_MESSAGE = 128 * 1024 * 1024;
const BYTES_OF_STDERR = 4096;

/**
 * The SDK's stdio transport, but for what it cannot do: end everything that the command started, keep the end of stderr,
 * and say how the server ended.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How the server ended, if it did so by itself. */
  ended: string | undefined;

  readonly #endpoint: { command: string; args?: readonly string[]; env?: Record<string, string> };
  readonly #received = new ReadBuffer({ maxBufferSize: MOST_BYTES_OF_A_MESSAGE });
  #stderr = Buffer.alloc(0);
  #server: Server | undefined;

  constructor(endpoint: { command: string; args?: readonly string[]; env?: Record<string, string> }) {
    this.#endpoint = endpoint;
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
        this.ended ??= reason(error);
        failed(error);
      });
    });
  }

  #receive(chunk: Buffer): void {
    try {
      this.#received.append(chunk);
    } catch (error) {
      this.ended ??= (error as Error).message;
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#received.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is no message: servers print banners. What was asked for may still come.
        this.onerror?.(error as Error);
      }
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#server?.child.stdin?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    await this.#server?.end();
  }
}
