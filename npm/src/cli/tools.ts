import { Client, SdkError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport, type StandardSchemaV1, type Transport } from "@modelcontextprotocol/client";
import { version } from "../generated/version.js";
import type { AddPart, Answer } from "./effects.js";
import { Failure, messageOf } from "./failure.js";
import { overHttp, type HttpTransport } from "./http.js";
import { Responses } from "./responses.js";
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

/** What comes is read by {@link Responses}, not by the client. */
const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "gatewright", validate: (value) => ({ value }) },
};

const MOST_PAGES = 1000;

/** Starts or reaches a server, and asks for its tools, page after page. */
export async function listTools(effect: ListTools, addPart: AddPart): Promise<Answer> {
  try {
    const { endpoint } = effect;
    const responses = new Responses();
    const transport = endpoint.transport === "stdio" ? new ServerProcess(endpoint, responses) : overHttp(endpoint, responses);
    return await listOver(transport, responses, effect, addPart);
  } catch (error) {
    // An address that is none.
    return { error: { kind: "start", message: messageOf(error) } };
  }
}

async function listOver(transport: ServerProcess | HttpTransport, responses: Responses, { startTimeoutMs, timeoutMs }: ListTools, addPart: AddPart): Promise<Answer> {
  const stderr = () => (transport instanceof ServerProcess && transport.stderrTail ? { stderrTail: transport.stderrTail } : {});
  const client = new Client({ name: "gatewright", version });
  const send = transport.send.bind(transport) as Transport["send"];
  (transport as Transport).send = (message, options) => {
    responses.asking(message);
    return send(message, options);
  };

  try {
    const connection = client.connect(transport as Transport, { timeout: startTimeoutMs });
    await within(startTimeoutMs, "initialize", Promise.race([connection, responses.failure])).catch((error) => {
      throw startFailure(error, transport);
    });
    const init = addPart(responses.response.raw);

    const pages: number[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const request = client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, anything, { timeout: timeoutMs });
      await within(timeoutMs, "tools/list", Promise.race([request, responses.failure])).catch((error) => {
        throw listFailure(error, transport);
      });
      const { raw, result } = responses.response;
      pages.push(addPart(raw));
      const next = result["nextCursor"];
      if (typeof next !== "string" || next === "") return { init, pages };
      if (cursors.has(next)) throw new Failure("list", "the server gave the same `nextCursor` twice");
      if (pages.length >= MOST_PAGES) throw new Failure("list", `the server's list has more than ${MOST_PAGES} pages`);
      cursors.add((cursor = next));
    }
  } catch (error) {
    const { kind, message } = error instanceof Failure ? error : new Failure("protocol", messageOf(error));
    return { error: { kind, message, ...httpStatus(error) }, ...stderr() };
  } finally {
    if (transport instanceof StreamableHTTPClientTransport) await within(1000, "", transport.terminateSession()).catch(() => {});
    await client.close().catch(() => {});
    // A connection that never came about is not the client's to close.
    await transport.close().catch(() => {});
  }
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
  return cause ? new Failure("start", messageOf(cause), { cause: error }) : new Failure("protocol", messageOf(error), { cause: error });
}

function listFailure(error: unknown, transport: object): Failure {
  if (error instanceof Failure) return error;
  const ended = transport instanceof ServerProcess ? transport.ended : undefined;
  return new Failure("list", ended ?? messageOf(error), { cause: error });
}

/** Which answer an HTTP server gave: it tells a server of another transport from one that is out of order. */
function httpStatus(error: unknown): { status?: number } {
  const source = error instanceof Failure ? error.cause : error;
  return source instanceof SdkHttpError && source.status !== undefined ? { status: source.status } : {};
}
