"""A server as a child process, spoken to over stdin and stdout.

The `mcp` package has such a transport, but it shows no one what a server sent, and on POSIX it leaves alone what a
server started when the server itself ends in good order. And these do start others: `npx` runs a shell, which runs
node, which may run a browser. So here the whole tree is ended, always. On Windows a job object holds it.
"""

import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, suppress

import anyio
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.os.win32.utilities import (
    create_windows_process,
    get_windows_executable_command,
    terminate_windows_process_tree,
)
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from gatewright._cli.failure import Failure
from gatewright._cli.tap import LONGEST_MESSAGE

#: As much of a server's stderr as the core gets, its end. It cuts further, once it has taken out secrets.
STDERR_TAIL = 64 * 1024
#: How long a server may take to end when its stdin closes, and again after SIGTERM, in seconds.
GRACE = 1

_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)
_running: set[int] = set()  # process groups, by the process id of their leader


class Tail:
    """The end of what a server wrote to stderr."""

    def __init__(self):
        self._bytes = bytearray()

    def add(self, chunk):
        self._bytes += chunk
        del self._bytes[:-STDERR_TAIL]

    def text(self):
        return self._bytes.decode("utf-8", "replace")


@asynccontextmanager
async def connect(command, args, env, tap, stderr):
    """The streams of a server that is started here.

    `env` comes on top of the small environment that the `mcp` package holds safe to pass on. What the server writes to
    stderr is added to the `Tail` given.
    """
    try:
        process = await _start(command, args, get_default_environment() | env)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Failure("start", f"cannot start `{command}`: {why}") from None
    # Nothing is awaited until the inner `try`: a cancellation in between would leave the process behind.
    _running.add(process.pid)
    inbound, read = anyio.create_memory_object_stream(0)
    write, outbound = anyio.create_memory_object_stream(0)
    stderr_ended = anyio.Event()
    async with inbound, read, write, outbound, anyio.create_task_group() as pumps:
        pumps.start_soon(_receive, process.stdout, inbound, tap)
        pumps.start_soon(_send, outbound, process.stdin, inbound)
        pumps.start_soon(_keep, process.stderr, stderr, stderr_ended)
        try:
            yield read, write
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, stderr_ended)
            _running.discard(process.pid)
            pumps.cancel_scope.cancel()


async def _start(command, args, env):
    if sys.platform == "win32":
        return await create_windows_process(get_windows_executable_command(command), args, env, subprocess.PIPE)
    return await anyio.open_process([command, *args], env=env, stderr=subprocess.PIPE, start_new_session=True)


def kill_remaining():
    """The last resort, for when even the orderly end was interrupted."""
    for leader in _running if sys.platform != "win32" else ():  # there the jobs end with us
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
    _running.clear()


async def _receive(stdout, inbound, tap):
    """Passes on each line that is a message. After the session's end what still comes is read and dropped."""
    line = bytearray()
    with suppress(*_GONE):
        async for chunk in stdout:
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                line += end
                await _deliver(tap.show(bytes(line)), inbound)
                line.clear()
            line += rest
            if len(line) > LONGEST_MESSAGE:
                await _deliver(tap.too_long(), inbound)
                break
    inbound.close()


async def _deliver(shown, inbound):
    if shown is not None:
        message = SessionMessage(jsonrpc_message_adapter.validate_json(shown, by_name=False))
        with suppress(*_GONE):
            await inbound.send(message)


async def _keep(stderr, tail, ended):
    """Reads all, however much it is: a server that nobody reads would stop at a full pipe."""
    with suppress(*_GONE):
        async for chunk in stderr:
            tail.add(chunk)
    ended.set()


async def _send(outbound, stdin, inbound):
    try:
        async for message in outbound:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            await stdin.send(text.encode() + b"\n")
    except _GONE:
        inbound.close()  # nothing will be answered any more


async def _end(process, stderr_ended):
    """Closes stdin, as the protocol says, and then ends whatever is left of the tree."""
    others = _descendants(process.pid)
    with suppress(*_GONE):
        await process.stdin.aclose()
    with anyio.move_on_after(GRACE):
        while process.returncode is None:
            await anyio.sleep(0.01)
    if sys.platform == "win32":
        await terminate_windows_process_tree(process)
    else:
        await terminate_posix_process_tree(process, GRACE)
    for other in others:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(other, signal.SIGKILL)
    with anyio.move_on_after(GRACE):  # its last words; one that got away could hold the pipe open for ever
        await stderr_ended.wait()
    with suppress(*_GONE), anyio.move_on_after(GRACE):
        await process.aclose()


def _descendants(root):
    """Processes below `root` that left its group, which only Linux lets one find without a tool."""
    found = []
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        try:
            with open(f"/proc/{parent}/task/{parent}/children") as file:
                children = [int(child) for child in file.read().split()]
        except (OSError, ValueError):
            continue
        waiting += children
        for child in children:
            with suppress(OSError):
                if os.getpgid(child) != root:
                    found.append(child)
    return found
