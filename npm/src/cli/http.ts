import { isJsonContentType, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Failure, messageOf } from "./failure.js";
import { Lines, MOST_BYTES_OF_A_MESSAGE, tooLong } from "./lines.js";
import type { Responses } from "./responses.js";

/** An error page is shown, if at all, by its beginning. */
const MOST_BYTES_OF_A_PAGE = 64 * 1024;

type Transform = TransformStream<Uint8Array, Uint8Array>;
export type HttpTransport = SSEClientTransport | StreamableHTTPClientTransport;

export function overHttp({ transport, url, headers }: { transport: "http" | "sse"; url: string; headers?: Record<string, string> }, responses: Responses): HttpTransport {
  const address = new URL(url);
  const requestInit = { headers: new Headers(headers) };
  // `fetch` refuses an address with a name and a password in it; this is what they mean.
  const { username, password } = address;
  if (username || password) {
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
    if (!requestInit.headers.has("authorization")) requestInit.headers.set("authorization", `Basic ${credentials}`);
    address.username = address.password = "";
  }
  return transport === "sse"
    ? new SSEClientTransport(address, { requestInit, fetch: fetchFor(responses, "GET") })
    : new StreamableHTTPClientTransport(address, { requestInit, fetch: fetchFor(responses, "POST") });
}

/**
 * `fetch` whose bodies are read here, and handed to the SDK as far as it is to see them. Answers come with the method given:
 * over server-sent events on the one stream that a GET opens, over streamable HTTP in the response to the POST that asked.
 */
function fetchFor(responses: Responses, answersTo: "GET" | "POST"): typeof fetch {
  return async (input, init) => {
    const method = init?.method ?? "GET";
    // A stream beside the answers, on which a server may say what it likes: we have no use for it, and nothing on it counts.
    if (method === "GET" && answersTo === "POST") return new Response(null, { status: 405 });
    const response = await fetch(input, init);
    const { body, status } = response;
    // A redirection is not the answer yet.
    if (!body || (status >= 300 && status < 400)) return response;
    const asks = method === "GET" || (method === "POST" && responses.awaits(JSON.parse(String(init?.body)) as object));
    const answers = response.ok && method === answersTo && asks;
    const type = response.headers.get("content-type") ?? "";
    if (answers && /event-stream/i.test(type)) return new Response(body.pipeThrough(events(responses)), response);
    if (answers && isJsonContentType(type)) return new Response(await answer(body, init?.body, responses), response);
    return new Response(await beginning(body), response);
  };
}

/** A body that is one message: the answer. */
async function answer(body: ReadableStream<Uint8Array>, asked: unknown, responses: Responses): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MOST_BYTES_OF_A_MESSAGE) {
      responses.fail(tooLong());
      break;
    }
    chunks.push(chunk);
  }
  const message = responses.take(Buffer.concat(chunks));
  if (responses.awaits(JSON.parse(String(asked)) as object)) responses.fail(new Failure("protocol", "the body that should be the answer is none"));
  return JSON.stringify(message ?? null);
}

async function beginning(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MOST_BYTES_OF_A_PAGE) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES_OF_A_PAGE);
}

/** Reads server-sent events and writes them anew, so that there is one reading of where an event's data begins and ends. */
function events(responses: Responses): Transform {
  const lines = new Lines();
  const encoder = new TextEncoder();
  let isFirst = true;
  let fields: string[] = [];
  let data: Buffer[] = [];
  let length = 0;
  let name = "";

  const read = (line: Buffer): void => {
    const colon = line.indexOf(":");
    const field = line.toString("utf8", 0, colon === -1 ? line.length : colon);
    const value = colon === -1 ? Buffer.alloc(0) : line.subarray(colon + (line[colon + 1] === 0x20 ? 2 : 1));
    if (field === "data") {
      length += value.length + 1;
      if (length > MOST_BYTES_OF_A_MESSAGE) throw tooLong();
      data.push(...(data.length > 0 ? [Buffer.from("\n"), value] : [value]));
    } else if (field === "event") {
      name = value.toString("utf8");
    } else if (field === "id" || field === "retry") {
      fields.push(`${field}: ${value.toString("utf8")}`);
    }
  };
  const written = (): Uint8Array => {
    const bytes = Buffer.concat(data);
    let text = bytes.toString("utf8");
    if (name === "" || name === "message") {
      const message = bytes.length > 0 ? responses.take(bytes) : undefined;
      text = message ? JSON.stringify(message) : "";
    }
    if (name !== "") fields.push(`event: ${name}`);
    if (data.length > 0) fields.push(...text.split("\n").map((line) => `data: ${line}`));
    const event = encoder.encode(`${fields.join("\n")}\n\n`);
    [fields, data, length, name] = [[], [], 0, ""];
    return event;
  };

  return new TransformStream({
    transform(chunk, controller) {
      try {
        for (const ended of lines.push(chunk)) {
          for (const line of endedByCr(isFirst ? withoutBom(ended) : ended)) {
            isFirst = false;
            if (line.length > 0) read(line);
            else controller.enqueue(written());
          }
        }
      } catch (error) {
        responses.fail(error instanceof Failure ? error : new Failure("protocol", messageOf(error), { cause: error }));
        throw error;
      }
    },
  });
}

/** What ends in LF can end in CRLF, and can have lines in it that end in CR. */
function endedByCr(line: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let rest = line.at(-1) === 13 ? line.subarray(0, -1) : line;
  for (let end; (end = rest.indexOf(13)) !== -1; rest = rest.subarray(end + 1)) lines.push(rest.subarray(0, end));
  return [...lines, rest];
}

function withoutBom(line: Buffer): Buffer {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}
