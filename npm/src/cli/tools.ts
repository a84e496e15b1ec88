import { Client, SSEClientTransport, SdkError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport, type StandardSchemaV1, type Transport } from "@modelcontextprotocol/client";
import { version } from "../generated/version.js";
import type { AddPart, Answer } from "./effects.js";
import { ServerProcess } from "./stdio.js";

export interface ListTools {
  readonly kind: "listTools";
  readonly server: string;
  readonly endpoint:
    | { readonly transport: "stdio"; readonly command: string; readonly args?: readonly string[]; readonly env?: Record<string, string> }
    | { readonly transport: "http" | "sse"; readonly url: string; readonly headers?: Record<string, string> };
  readonly startTimeoutMs: number;
  readonly timeoutMs: number;
  readonly progress?: string;
}

/** A page is shown as it was sent; the SDK's own schemas would drop what they do not know. */
const asSent: StandardSchemaV1<unknown, Record<string, unknown>> = {
  "~standard": { version: 1, vendor: "gatewright", validate: (value) => ({ value: value as Record<string, unknown> }) },
};

const MOST_PAGES = 1000;

type Kind = "start" | "timeout" | "protocol" | "list";

class Failure extends Error {
  constructor(readonly kind: Kind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Starts or reaches a server, and asks for its tools, page after page. */
export async function listTools(effect: ListTools, addPart: AddPart): Promise<Answer> {
  try {
    const { endpoint } = effect;
    return await listOver(endpoint.transport === "stdio" ? new ServerProcess(endpoint) : overHttp(endpoint), effect, addPart);
  } catch (error) {
    // An address that is none.
    return { error: { kind: "start", message: firstLine(error) } };
  }
}

async function listOver(transport: ServerProcess | HttpTransport, { startTimeoutMs, timeoutMs }: ListTools, addPart: AddPart): Promise<Answer> {
  const stderr = () => (transport instanceof ServerProcess && transport.stderrTail ? { stderrTail: transport.stderrTail } : {});
  const client = new Client({ name: "gatewright", version });
  const addJson = (value: unknown) => addPart(new TextEncoder().encode(stringify(value)));

  // The SDK hands on what its schemas leave; this is what the server sent. We ask for one thing at a time.
  let sent: Record<string, unknown> = {};
  transport.onmessage = (message) => {
    if ("result" in message) sent = message.result;
  };

  try {
    await within(startTimeoutMs, "initialize", client.connect(transport as Transport, { timeout: startTimeoutMs })).catch((error) => {
      throw startFailure(error, transport);
    });
    const { serverInfo, instructions } = sent;
    const init = addJson({ serverInfo, instructions });

    const pages: number[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const request = client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, asSent, { timeout: timeoutMs });
      await within(timeoutMs, "tools/list", request).catch((error) => {
        throw listFailure(error, transport);
      });
      pages.push(addJson(sent));
      const next = sent["nextCursor"];
      if (typeof next !== "string" || next === "") return { init, pages };
      if (cursors.has(next)) throw new Failure("list", "the server gave the same `nextCursor` twice");
      if (pages.length >= MOST_PAGES) throw new Failure("list", `the server's list has more than ${MOST_PAGES} pages`);
      cursors.add((cursor = next));
    }
  } catch (error) {
    const { kind, message } = error instanceof Failure ? error : new Failure("protocol", firstLine(error));
    return { error: { kind, message, ...httpStatus(error) }, ...stderr() };
  } finally {
    if (transport instanceof StreamableHTTPClientTransport) await within(1000, "", transport.terminateSession()).catch(() => {});
    await client.close().catch(() => {});
    // A connection that never came about is not the client's to close.
    await transport.close().catch(() => {});
  }
}

type HttpTransport = SSEClientTransport | StreamableHTTPClientTransport;

function overHttp({ transport, url, headers }: { transport: "http" | "sse"; url: string; headers?: Record<string, string> }): HttpTransport {
  const address = new URL(url);
  const requestInit = { headers: new Headers(headers) };
  // `fetch` refuses an address with a name and a password in it; this is what they mean.
  const { username, password } = address;
  if (username || password) {
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
    if (!requestInit.headers.has("authorization")) requestInit.headers.set("authorization", `Basic ${credentials}`);
    address.username = address.password = "";
  }
  return transport === "sse" ? new SSEClientTransport(address, { requestInit }) : new StreamableHTTPClientTransport(address, { requestInit });
}

/** `JSON.stringify` writes `null` for a number too large for a double, which would be another answer than the one sent. */
function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === "number" && !Number.isFinite(member)) throw new Failure("list", "the answer has a number beyond the range of a double");
    return member;
  });
}

/** The SDK's own time limits begin when a request is sent; opening a connection may take for ever before that. */
async function within<T>(milliseconds: number, method: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Failure("timeout", `no answer to \`${method}\` within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) await late;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function startFailure(error: unknown, transport: object): Failure {
  if (error instanceof Failure) return error;
  if (transport instanceof ServerProcess && transport.ended) return new Failure("start", transport.ended, { cause: error });
  // `fetch failed` says nothing; its cause does.
  const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : undefined;
  return cause ? new Failure("start", firstLine(cause), { cause: error }) : new Failure("protocol", firstLine(error), { cause: error });
}

function listFailure(error: unknown, transport: object): Failure {
  if (error instanceof Failure) return error;
  const ended = transport instanceof ServerProcess ? transport.ended : undefined;
  return new Failure("list", ended ?? firstLine(error), { cause: error });
}

function firstLine(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: String(error) };
  return message.split("\n", 1)[0] || "no reason given";
}

/** Which answer an HTTP server gave: it tells a server of another transport from one that is out of order. */
function httpStatus(error: unknown): { status?: number } {
  const source = error instanceof Failure ? error.cause : error;
  return source instanceof SdkHttpError && source.status !== undefined ? { status: source.status } : {};
}
