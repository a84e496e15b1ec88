"""Arguments of the public functions, turned into what the core reads: text.

Objects are serialised with `json.dumps`, which is imported only when there is one.
"""

from gatewright._error import GatewrightError

_TEXT = (str, bytes, bytearray, memoryview)
#: What the core takes for an option that is not there.
_DEFAULTS = {"profile": "default", "failOn": "high", "endpoint": None}


def text(data):
    """`data` itself where it is text or bytes, its JSON text otherwise."""
    return data if isinstance(data, _TEXT) else dumps(data)


def servers(given):
    """The text of a list of servers, and the surfaces that were given as text."""
    if isinstance(given, _TEXT):
        return given, ()
    if _is_mapping(given) or not hasattr(given, "__iter__"):
        return dumps(given), ()  # the core says what is wrong with it
    parts = []
    return dumps([_set_apart(each, parts) for each in given]), parts


def server(given):
    """The text of one server, and its surface if that was given as text."""
    if isinstance(given, _TEXT):
        return given, ()
    parts = []
    return dumps(_set_apart(given, parts)), parts


def _set_apart(server, parts):
    """The server, with a surface that is text moved to `parts`.

    It stays out of the server's own text, so that its duplicate keys, number spellings and places in the text reach the
    core as they are.
    """
    if not (_is_mapping(server) and isinstance(server.get("surface"), _TEXT)):
        return server
    server = dict(server)
    parts.append(server.pop("surface"))
    server["surfacePart"] = len(parts) - 1
    return server


def options(**given):
    """The text of options. What is as it is by default is left out: then no call of text alone imports `json`."""
    given = {name: value for name, value in given.items() if value != _DEFAULTS[name]}
    return dumps(given) if given else "{}"


def dumps(data):
    """Strict JSON text of an object. What has no JSON form is refused; nothing is left out or guessed."""
    import json

    try:
        return json.dumps(data, allow_nan=False, ensure_ascii=True, separators=(",", ":"), default=_plain)
    except RecursionError:
        raise GatewrightError("the object is nested too deep to be written as JSON", "too-deep") from None
    except (TypeError, ValueError) as error:
        raise GatewrightError(f"the object has no JSON form: {error}", "not-json") from None


def _plain(value):
    """Mappings and sequences that `json` does not know as such."""
    from collections.abc import Mapping, Sequence

    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, _TEXT):
        return list(value)
    raise TypeError(f"`{type(value).__name__}` is no JSON type")


def _is_mapping(value):
    if isinstance(value, dict):
        return True
    from collections.abc import Mapping

    return isinstance(value, Mapping)
