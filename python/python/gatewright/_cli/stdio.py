"""A server as a child process, spoken to over stdin and stdout.

The `mcp` package has such a transport, and on Windows, where a job object holds all that a server started, it is the
one used. On POSIX it leaves alone what a server started when the server itself ends in good order, and these do start
others: `npx` runs a shell, which runs node, which may run a browser. So here the whole tree is ended, always.
"""

import os
import signal
import sys
from contextlib import asynccontextmanager, suppress

import anyio
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from gatewright._cli.failure import Failure

#: A longer message is refused by the core anyway; a server that never ends its line must not fill the memory.
LONGEST_MESSAGE = 65 * 1024 * 1024
#: How long a server may take to end when its stdin closes, and again after SIGTERM, in seconds.
GRACE = 1

_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)
_running: set[int] = set()  # process groups, by the process id of their leader


def connect(command, args, env, stderr):
    """The streams of a server that is started here, as an asynchronous context.

    `env` comes on top of the small environment that the `mcp` package holds safe to pass on.
    """
    if sys.platform == "win32":
        return stdio_client(StdioServerParameters(command=command, args=args, env=env), errlog=stderr)
    return _connect(command, args, get_default_environment() | env, stderr)


@asynccontextmanager
async def _connect(command, args, env, stderr):
    try:
        process = await anyio.open_process([command, *args], env=env, stderr=stderr, start_new_session=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Failure("start", f"cannot start `{command}`: {why}") from None
    # Nothing is awaited until the inner `try`: a cancellation in between would leave the process behind.
    _running.add(process.pid)
    inbound, read = anyio.create_memory_object_stream(0)
    write, outbound = anyio.create_memory_object_stream(0)
    async with inbound, read, write, outbound, anyio.create_task_group() as pumps:
        pumps.start_soon(_receive, process.stdout, inbound)
        pumps.start_soon(_send, outbound, process.stdin, inbound)
        try:
            yield read, write
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
            _running.discard(process.pid)
            pumps.cancel_scope.cancel()


def kill_remaining():
    """The last resort, for when even the orderly end was interrupted."""
    for leader in _running:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
    _running.clear()


async def _receive(stdout, inbound):
    """Passes on each line that is a message. After the session's end what still comes is read and dropped."""
    line = bytearray()
    with suppress(*_GONE):
        async for chunk in stdout:
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                line += end
                await _deliver(bytes(line), inbound)
                line.clear()
            line += rest
            if len(line) > LONGEST_MESSAGE:
                break
    inbound.close()


async def _deliver(line, inbound):
    try:
        message = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        # Some servers greet on stdout: that is passed over. But a message that cannot be read may be the answer.
        if b'"jsonrpc"' not in line:
            return
        message = error
    with suppress(*_GONE):
        await inbound.send(message)


async def _send(outbound, stdin, inbound):
    try:
        async for message in outbound:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            await stdin.send(text.encode() + b"\n")
    except _GONE:
        inbound.close()  # nothing will be answered any more


async def _end(process):
    """Closes stdin, as the protocol says, and then ends whatever is left of the tree."""
    others = _descendants(process.pid)
    with suppress(*_GONE):
        await process.stdin.aclose()
    with anyio.move_on_after(GRACE):
        while process.returncode is None:
            await anyio.sleep(0.01)
    await terminate_posix_process_tree(process, GRACE)
    for other in others:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(other, signal.SIGKILL)
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
