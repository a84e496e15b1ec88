"""What a server sent, as it sent it.

The `mcp` package parses a message before it passes it on, and then it is no longer what was sent: of two members with
the same name the last one is left, and numbers have lost their spelling. So each transport shows what it receives to a
`Tap` first. That keeps the response to the pending request, and the package is given a stand-in, which says no more
than that there was one.
"""

import json
import re

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, jsonrpc_message_adapter

from gatewright._cli.effects import well_formed
from gatewright._cli.failure import Failure

MIB = 1024 * 1024
#: The core refuses much shorter documents and says so; these limits are for servers that never end.
LONGEST_MESSAGE = 128 * MIB
MOST_BYTES = 256 * MIB
#: As much of an error message as the core gets. It cuts further, once it has taken out secrets.
LONGEST_ERROR = 64 * 1024


class Refused(MCPError):
    """The server itself answered with an error; the package raises its base class for reasons of its own."""


class Tap:
    """Waits for the response to one request at a time, and counts the bytes of all."""

    def __init__(self):
        self._id = None
        self._method = None
        self._outcome = None
        self._bytes = 0

    def expect(self, request_id, method):
        self._id = request_id
        self._method = method
        self._outcome = None

    @property
    def answered(self):
        return self._outcome is not None

    def outcome(self):
        """The text of the response and the result in it; raises where there is none."""
        if self._outcome is None:
            raise Failure("protocol", f"the server's answer to `{self._method}` is to another request")
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def show(self, raw):
        """What the package is to see in place of this message: itself, a stand-in, or nothing (`None`)."""
        try:
            # What is no UTF-8 is for the core to refuse, which is given `raw`.
            message = json.loads(raw.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            # Some servers greet on stdout: that is passed over. But this may have been meant as the answer.
            return self.refuse("protocol", "cannot be read as JSON") if self._is_named_in(raw) else None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return None
        if "method" in message:
            return raw if _is_readable(raw) else None
        if self.answered or not self._is_pending(message.get("id")):
            return None
        self._bytes += len(raw)
        if self._bytes > MOST_BYTES:
            return self.refuse("list", f"makes all its answers longer than {MOST_BYTES // MIB} MiB")
        return self._keep(raw, message)

    def too_long(self):
        """A message that does not end; nothing more will be read."""
        return self.refuse("list", f"is longer than {LONGEST_MESSAGE // MIB} MiB")

    def refuse(self, kind, why):
        return self._settle(Failure(kind, f"the server's answer to `{self._method}` {why}"))

    def _keep(self, raw, message):
        result, error = message.get("result"), message.get("error")
        if "result" in message and "error" in message:
            return self.refuse("protocol", "has both a result and an error")
        if isinstance(result, dict):
            return self._settle((raw, result))
        if isinstance(error, dict):
            code, words = error.get("code"), error.get("message")
            code = code if type(code) is int else INTERNAL_ERROR
            words = well_formed(words) if isinstance(words, str) else "no message"
            words = words.encode()[:LONGEST_ERROR].decode("utf-8", "ignore")
            return self._settle(Refused(code, words, error.get("data")))
        return self.refuse("protocol", "has no result that is an object")

    def _settle(self, outcome):
        if self._id is None or self.answered:
            return None
        self._outcome = outcome
        return b'{"jsonrpc":"2.0","id":%d,"result":{}}' % self._id

    def _is_pending(self, given):
        # Some servers give a number back as text. `True` would be 1.
        return type(given) in (int, str) and self._id is not None and str(given) == str(self._id)

    def _is_named_in(self, raw):
        return (
            self._id is not None
            and b'"jsonrpc"' in raw
            # A log line that quotes a message starts with something else than one.
            and raw.lstrip(b" \t\xef\xbb\xbf").startswith(b"{")
            and re.search(rb'"id"\s*:\s*"?%d"?\s*[,}]' % self._id, raw) is not None
        )


def _is_readable(raw):
    try:
        jsonrpc_message_adapter.validate_json(raw, by_name=False)
    except ValueError:
        return False
    return True
