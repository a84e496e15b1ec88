"""Pins the tool surface of MCP servers, and says what changed.

A **surface** is the answer of a server to ``tools/list``: an array of tools, or an object with ``tools`` (and
``serverInfo``, ``instructions``), or a JSON-RPC response around one. Give it as text or bytes where you can: they are
read as they came off the wire, while an object has already lost duplicate keys and the spelling of numbers. Objects
are serialised with ``json.dumps``.

Functions return text or plain dicts and raise `GatewrightError` for input that cannot be read.

>>> surface = '{"tools": [{"name": "ping", "description": "Answers pong."}]}'
>>> lock = build_lockfile([{"name": "demo", "surface": surface}], now="2026-11-30T12:00:00Z")
>>> verify_lockfile(lock, [{"name": "demo", "surface": surface}])["verified"]
True
"""

from gatewright import _core, _objects
from gatewright._error import GatewrightError

__all__ = [
    "GatewrightError",
    "SPEC_VERSIONS",
    "__version__",
    "build_lockfile",
    "build_snapshot",
    "canonicalize",
    "check_snapshot",
    "classify_drift",
    "digest",
    "explain",
    "hash_surface",
    "hash_tool",
    "parse_lockfile",
    "rules",
    "schema_widenings",
    "update_lockfile",
    "verify_lockfile",
]

__version__ = _core.call("version")

#: The versions of the specifications that this release implements.
SPEC_VERSIONS = _core.call("specVersions")


def canonicalize(data):
    """The canonical form (RFC 8785) of a JSON text or object.

    >>> canonicalize('{"b": 1.0, "a": "\\\\u00e9"}')
    '{"a":"é","b":1}'
    """
    return _core.call("canonicalize", _objects.text(data))


def digest(data):
    """``sha256:`` and the hex SHA-256 of the canonical form.

    >>> digest('{}')
    'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
    """
    return _core.call("digest", _objects.text(data))


def hash_tool(tool):
    """Every hash of one tool: the lockfile's four, and those of a snapshot.

    >>> sorted(hash_tool({"name": "ping"}))
    ['annotationsHash', 'contentHash', 'descriptionHash', 'hash', 'inputSchemaHash', 'nameHash']
    """
    return _core.call("hashTool", _objects.text(tool))


def hash_surface(surface):
    """The lockfile's hashes of every tool of a surface, and of the surface as a whole.

    >>> hashes = hash_surface('[{"name": "ping", "inputSchema": {"type": "object"}}]')
    >>> hashes["tools"]["ping"]["nameHash"]
    'sha256:271ba4dc1270c42e5665af239d8910676c6c5e0a6c51d16d6ce6018b66b9a950'
    """
    return _core.call("hashSurface", _objects.text(surface))


def parse_lockfile(text):
    """The data of an ``agentgate.lock``, read-only: `update_lockfile` works on the text.

    >>> lock = build_lockfile([{"name": "demo", "surface": []}], now="2026-11-30T12:00:00Z")
    >>> parse_lockfile(lock)["generatedAt"]
    '2026-11-30T12:00:00Z'
    """
    return _core.call("parseLockfile", _objects.text(text))


def build_lockfile(servers, *, now):
    """The text of a new ``agentgate.lock`` for servers, each ``{"name", "surface", "endpoint"?}``.

    ``now`` is an ISO 8601 text.

    >>> build_lockfile([{"name": "demo", "surface": []}], now="2026-11-30T12:00:00Z").startswith("{")
    True
    """
    listed, parts = _objects.servers(servers)
    return _core.call("buildLockfile", listed, _objects.dumps({"now": now}), *parts)


def update_lockfile(text, servers, *, now, whole_set=False):
    """The text of an ``agentgate.lock`` brought up to date; the same text when nothing changed.

    Fields that this version does not know are kept. With ``whole_set`` an entry whose server is not given is removed.

    >>> lock = build_lockfile([{"name": "demo", "surface": []}], now="2026-11-30T12:00:00Z")
    >>> update_lockfile(lock, [{"name": "demo", "surface": []}], now="2027-01-01T00:00:00Z") == lock
    True
    """
    listed, parts = _objects.servers(servers)
    options = _objects.dumps({"now": now, "wholeSet": whole_set})
    return _core.call("updateLockfile", _objects.text(text), listed, options, *parts)


def verify_lockfile(text, servers, *, whole_set=False):
    """Compares servers with an ``agentgate.lock``: ``{"verified": bool, "findings": [...]}``.

    With ``whole_set`` a server that only one side knows is a finding.

    >>> lock = build_lockfile([{"name": "demo", "surface": []}], now="2026-11-30T12:00:00Z")
    >>> verify_lockfile(lock, [{"name": "demo", "surface": [{"name": "new"}]}])["verified"]
    False
    """
    listed, parts = _objects.servers(servers)
    options = '{"wholeSet":false}' if whole_set is False else _objects.dumps({"wholeSet": whole_set})
    return _core.call("verifyLockfile", _objects.text(text), listed, options, *parts)


def build_snapshot(server, *, now, previous=None):
    """The text of a snapshot, which pins one server with its text: ``{"name", "surface", "endpoint"?}``.

    ``now`` is an ISO 8601 text. From ``previous``, an earlier snapshot of the server, come the times at which its tools
    were first seen. Credentials in the endpoint are left out.

    >>> server = {"name": "demo", "surface": [{"name": "ping"}]}
    >>> text = build_snapshot(server, now="2026-11-30T12:00:00Z")
    >>> later = build_snapshot(server, now="2027-01-01T00:00:00Z", previous=text)
    >>> '"first_seen": "2026-11-30T12:00:00Z"' in later
    True
    """
    given, parts = _objects.server(server)
    earlier = b"" if previous is None else _objects.text(previous)
    return _core.call("buildSnapshot", given, _objects.dumps({"now": now}), earlier, *parts)


def check_snapshot(text, surface, *, profile="default", fail_on="high", endpoint=None):
    """Compares a surface with a snapshot, of this library or of mcplock: a drift that says whether it ``fails``.

    It fails if its severity is ``fail_on`` or worse. ``endpoint`` is how the server is reached now; without one, that
    is not compared.

    >>> text = build_snapshot({"name": "demo", "surface": [{"name": "ping"}]}, now="2026-11-30T12:00:00Z")
    >>> drift = check_snapshot(text, [{"name": "pong"}])
    >>> drift["severity"], drift["fails"]
    ('medium', False)
    """
    options = _objects.options(profile=profile, failOn=fail_on, endpoint=endpoint)
    return _core.call("checkSnapshot", _objects.text(text), _objects.text(surface), options)


def classify_drift(before, after, *, profile="default"):
    """What moved from one surface to another, and how bad it is.

    A drift is ``{"severity", "counts", "changes", "findings", "notChecked"}``; its severity is None if nothing moved.
    The profile ``mcplock`` judges by the rules of mcplock alone.

    >>> before = [{"name": "rm", "description": "Removes a file."}]
    >>> drift = classify_drift(before, [{"name": "rm", "description": "Removes all files."}])
    >>> drift["severity"], drift["findings"][0]["rule"], drift["changes"][0]["pointer"]
    ('high', 'description-trigger-word', '/tools/rm/description')
    """
    return _core.call(
        "classifyDrift", _objects.text(before), _objects.text(after), _objects.options(profile=profile)
    )


def schema_widenings(before, after):
    """In which ways a JSON Schema accepts values that another refuses, each proven by an example.

    ``{"widenings", "narrowings", "undecided"}``: what only the schema after accepts, what only the schema before
    accepts, and where it could not be decided whether the schema after accepts more. What says the same in other words
    is no difference.

    >>> before = {"type": "object", "properties": {"mode": {"enum": ["read"]}}}
    >>> after = {"type": "object", "properties": {"mode": {"enum": ["read", "delete"]}}}
    >>> (widening,) = schema_widenings(before, after)["widenings"]
    >>> widening["pointer"], widening["witness"]
    ('/properties/mode/enum', {'mode': 'delete'})
    """
    return _core.call("schemaWidenings", _objects.text(before), _objects.text(after))


def rules():
    """Every rule whose id a finding can carry.

    >>> {rule["family"] for rule in rules()} >= {"drift", "lock"}
    True
    """
    return _core.call("rules")


def explain(rule):
    """What one rule finds, why it matters and what to do, as text.

    >>> len(explain(rules()[0]["id"])) > 0
    True
    """
    if not isinstance(rule, str):
        raise GatewrightError("a rule is named by its id, which is text", "invalid-argument")
    return _core.call("explain", rule)
