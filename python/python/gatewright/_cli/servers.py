"""Lists the tools of servers with the official `mcp` package, all servers at once.

What a server sent is passed on as it is, byte for byte: see `tap`. No client capability is announced, so that a server
shows every host the same tools.

This module imports `mcp`; who imports this one expects that it may be missing.
"""

import logging
import signal
import sys
import warnings
from contextlib import asynccontextmanager, contextmanager

import anyio
import httpx2
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp_types import (
    CONNECTION_CLOSED,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    EmptyResult,
    Implementation,
    ListToolsRequest,
    PaginatedRequestParams,
)
from pydantic import ValidationError

from gatewright import __version__
from gatewright._cli import http, stdio
from gatewright._cli.effects import Stopped, well_formed
from gatewright._cli.failure import Failure
from gatewright._cli.tap import Refused, Tap

MOST_PAGES = 1000
#: How long a session may take to end in good order, in seconds.
GOODBYE = 5


def list_all(effects, parts):
    """The answers to `listTools` effects, in their order."""
    # Libraries log what is told here as an answer, and servers' own log messages are none of the user's business.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        answers = anyio.run(_list_all, effects)
    finally:
        stdio.kill_remaining()
    return [_with_parts(answer, parts) for answer in answers]


def _with_parts(answer, parts):
    if "error" in answer:
        return answer
    first = len(parts)
    parts.extend([answer["init"], *answer["pages"]])
    return {"init": first, "pages": list(range(first + 1, len(parts)))}


async def _list_all(effects):
    answers = [None] * len(effects)
    stopped_by = []

    async def ask(index, effect):
        with _progress(effect):
            answers[index] = await _answer(effect)

    async with anyio.create_task_group() as everything:
        if sys.platform != "win32":
            everything.start_soon(_stop_on_signal, everything.cancel_scope, stopped_by)
        async with anyio.create_task_group() as asking:
            for index, effect in enumerate(effects):
                asking.start_soon(ask, index, effect)
        everything.cancel_scope.cancel()
    if stopped_by:
        raise Stopped(stopped_by[0])
    return answers


async def _stop_on_signal(scope, stopped_by):
    """Ends all in good order, the servers first, where the default would leave them behind."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for number in signals:
            stopped_by.append(int(number))
            scope.cancel()
            return


@contextmanager
def _progress(effect):
    """Tells whoever watches a terminal what is being waited for."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(effect["progress"] + "\n")
        sys.stderr.flush()
    yield


async def _answer(effect):
    stderr = stdio.Tail()
    try:
        return await _list_tools(effect, stderr)
    except Exception as error:
        kind, message = _describe(error)
    answer = {"error": {"kind": kind, "message": well_formed(message)}}
    if tail := stderr.text():
        answer["stderrTail"] = tail
    return answer


async def _list_tools(effect, stderr):
    answer = None
    waiting_for = None
    # One scope whose deadline moves on, because scopes and sessions must end in the order opposite to their start.
    with anyio.CancelScope() as limit:

        def wait_for(what, seconds):
            nonlocal waiting_for
            waiting_for = f"{what} within {seconds:g} s"
            limit.deadline = anyio.current_time() + seconds

        wait_for("start", effect["startTimeoutMs"] / 1000)
        async with _session(effect["endpoint"], stderr) as session:
            init = await session.initialize()
            pages = []
            cursors = [None]
            while cursors[-1] is not None or not pages:
                wait_for("answer `tools/list`", effect["timeoutMs"] / 1000)
                page, result = await session.list_tools(cursors[-1])
                pages.append(page)
                cursors.append(_next_cursor(result, cursors))
            answer = {"init": init, "pages": pages}
            limit.deadline = anyio.current_time() + GOODBYE
    if answer is None:
        raise Failure("timeout", f"the server did not {waiting_for}")
    return answer


def _next_cursor(result, cursors):
    cursor = result.get("nextCursor")
    if not isinstance(cursor, str) or not cursor:
        return None
    if cursor in cursors:
        raise Failure("list", "the server gave the same cursor twice, so its list has no end")
    if len(cursors) == MOST_PAGES:
        raise Failure("list", f"the server has more than {MOST_PAGES} pages of tools")
    return cursor


@asynccontextmanager
async def _session(endpoint, stderr):
    tap = Tap()
    trouble = []
    async with _transport(endpoint, tap, stderr, trouble) as (read, write):
        recorder = _Recorder(read, write, tap)
        client = ClientSession(
            dispatcher=recorder, client_info=Implementation(name="gatewright", version=__version__)
        )
        async with client:
            yield _Session(client, recorder, trouble)


def _transport(endpoint, tap, stderr, trouble):
    if endpoint["transport"] == "stdio":
        return stdio.connect(endpoint["command"], endpoint["args"], endpoint["env"], tap, stderr)
    return http.connect(endpoint["transport"], endpoint["url"], endpoint["headers"], tap, trouble)


class _Recorder(JSONRPCDispatcher):
    """The `mcp` package's dispatcher, for which the tap answers; it keeps the last response."""

    def __init__(self, read, write, tap):
        super().__init__(read, write)
        self.response = None
        self.result = None
        self._tap = tap
        self._requests = 0

    async def send_raw_request(self, method, params, opts=None, **context):
        self._requests += 1
        self._tap.expect(self._requests, method)
        await super().send_raw_request(method, params, {**(opts or {}), "request_id": self._requests}, **context)
        self.response, result = self._tap.outcome()
        self.result = dict(result)  # a copy, because the session changes its own
        return result


class _Session:
    """The two questions that are asked, answered with what came over the wire."""

    def __init__(self, client, recorder, trouble):
        self._client = client
        self._recorder = recorder
        self._trouble = trouble

    async def initialize(self):
        with self._explained("initialize", closed="start", refused="protocol"):
            try:
                await self._client.initialize()
            except MCPError as error:
                if error.code not in (METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION):
                    raise
                await self._client.discover()  # a server of a later protocol, which has no handshake
        return self._recorder.response

    async def list_tools(self, cursor):
        params = PaginatedRequestParams(cursor=cursor) if cursor is not None else None
        self._recorder.result = None
        with self._explained("tools/list", closed="list", refused="list"):
            try:
                await self._client.send_request(ListToolsRequest(params=params), EmptyResult)
            except ValidationError:
                # What the models make of the result does not matter: it is the core that reads it.
                if self._recorder.result is None:
                    raise
        return self._recorder.response, self._recorder.result

    @contextmanager
    def _explained(self, method, *, closed, refused):
        try:
            yield
        except Refused as error:
            raise Failure(refused, f"the server answered `{method}` with error {error.code}: {error.message}") from None
        except MCPError as error:
            asked = f"when asked to `{method}`"
            if self._trouble:
                raise Failure(closed, f"the server {self._trouble[-1]} {asked}") from None
            if error.code == CONNECTION_CLOSED:
                raise Failure(closed, f"the server ended the connection {asked}") from None
            raise Failure(refused, f"`{method}` failed: {error.message}") from None


def _describe(error):
    """What went wrong, as kind and message. Task groups wrap the one error that matters."""
    found = list(_leaves(error))
    error = next((leaf for leaf in found if isinstance(leaf, Failure)), found[0])
    if isinstance(error, Failure):
        return error.kind, error.message
    if isinstance(error, httpx2.HTTPStatusError):
        # Its own text quotes the URL, which may hold credentials; other texts of this library may quote headers.
        return "start", f"the server answered with HTTP status {error.response.status_code}"
    if isinstance(error, httpx2.ConnectError):
        return "start", f"cannot connect to the server: {error}"
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL):
        return "start", f"cannot connect to the server ({type(error).__name__})"
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        return "protocol", f"the server's answer has the wrong shape at `{place}`: {first['msg']}"
    kind = "start" if isinstance(error, OSError) else "protocol"
    return kind, str(error) or type(error).__name__


def _leaves(error):
    inner = getattr(error, "exceptions", None)
    if inner is None:
        yield error
    else:
        for each in inner:
            yield from _leaves(each)
