"""A server over HTTP. The transports are those of the `mcp` package; a `Tap` sees the bodies before they do."""

import re
from contextlib import aclosing, asynccontextmanager

from mcp.client.sse import sse_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

from gatewright._cli.failure import Failure
from gatewright._cli.tap import LONGEST_MESSAGE


@asynccontextmanager
async def connect(transport, url, headers, tap, trouble):
    """The streams of a server. `trouble` is told what the package's own errors leave out."""
    for name, value in headers.items():
        if re.search(r"[^\t\x20-\x7e]", value):
            # What it is stays unsaid: such values are secrets.
            raise Failure("start", f"the value of the header `{name}` has a control character or one beyond ASCII")

    async def on_response(response):
        # The `mcp` package answers with an error that does not name the status.
        if response.status_code >= 400 and response.request.method == "POST":
            trouble.append(f"answered with HTTP status {response.status_code}")
        if response.request.method == "GET" and transport == "http":
            # A stream beside the answers, on which a server may say what it likes: nothing on it counts.
            response.status_code = 405
        _show_body(response, transport, tap)

    def http_client(headers=None, timeout=None, auth=None):
        client = create_mcp_http_client(headers, timeout, auth)
        client.event_hooks = {"response": [on_response]}
        return client

    if transport == "sse":
        async with sse_client(url, headers, httpx_client_factory=http_client) as streams:
            yield streams
    else:
        async with (
            http_client(headers) as client,
            streamable_http_client(url, http_client=client, max_sse_event_size=LONGEST_MESSAGE) as streams,
        ):
            yield streams


def _show_body(response, transport, tap):
    """Every way to read a body goes through `aiter_bytes`, after decompression and before any decoding of text."""
    kind = response.headers.get("content-type", "").lower()
    chunks = response.aiter_bytes
    if response.is_success and kind.startswith("text/event-stream"):
        response.encoding = "utf-8"  # the only one that event streams have
        response.aiter_bytes = lambda: _events(chunks(), tap)
    elif response.is_success and kind.startswith("application/json") and transport == "http":
        response.aiter_bytes = lambda: _document(chunks(), tap)
    else:
        response.aiter_bytes = lambda: _beginning(chunks())


async def _beginning(chunks):
    """A body that cannot be an answer, such as one that explains an HTTP status."""
    length = 0
    async with aclosing(chunks):
        async for chunk in chunks:
            length += len(chunk)
            if length > LONGEST_MESSAGE:
                return
            yield chunk


async def _document(chunks, tap):
    """A body that is one response."""
    body = bytearray()
    async with aclosing(chunks):
        async for chunk in chunks:
            body += chunk
            if len(body) > LONGEST_MESSAGE:
                yield tap.too_long() or b""
                return
    shown = tap.show(bytes(body))
    if not tap.answered:
        shown = tap.refuse("protocol", "is no JSON-RPC response to it")
    yield shown or b""


async def _events(chunks, tap):
    """A stream of events. Those that carry a message are shown, and the others pass."""
    event = []
    length = 0
    async with aclosing(chunks):
        async for line in _lines(chunks):
            length += len(line or b"")
            if line is None or length > LONGEST_MESSAGE:
                yield _event(tap.too_long())
                return
            event.append(line)
            if not line.rstrip(b"\r\n"):
                yield _shown(event, tap)
                event = []
                length = 0


async def _lines(chunks):
    """Lines with their ends; `None` is one that is too long. They end with CR, LF, or both."""
    line = bytearray()
    held = b""  # a CR at the end of a chunk, whose LF may be the next one's first byte
    async for chunk in chunks:
        chunk = held + chunk
        held = b"\r" if chunk.endswith(b"\r") else b""
        for piece in chunk.removesuffix(held).splitlines(keepends=True):
            line += piece
            if piece.endswith((b"\r", b"\n")):
                yield bytes(line)
                line.clear()
        if len(line) > LONGEST_MESSAGE:
            yield None
            return
    if held:
        yield bytes(line + held)


def _shown(event, tap):
    kind = b""
    data = []
    for line in event:
        name, _, value = line.rstrip(b"\r\n").partition(b":")
        value = value.removeprefix(b" ")
        if name == b"event":
            kind = value
        elif name == b"data":
            data.append(value)
    if not data or kind not in (b"", b"message"):
        return b"".join(event)
    raw = b"\n".join(data)
    shown = tap.show(raw)
    return b"".join(event) if not raw or shown is raw else _event(shown)


def _event(message):
    return b"" if message is None else b"data: " + message + b"\n\n"
