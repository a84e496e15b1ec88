from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, type_check_only

from typing_extensions import NotRequired

from gatewright._names import ErrorCode, RuleId

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

_Text: TypeAlias = str | bytes | bytearray | memoryview
"""JSON text, as it came off the wire."""

_Data: TypeAlias = _Text | Mapping[str, Any] | Sequence[Any]
"""JSON text, or an object that `json.dumps` can write."""

@type_check_only
class Endpoint(TypedDict):
    """How a server is reached. Names of environment variables only, never their values."""

    transport: Literal["stdio", "http", "sse"]
    command: NotRequired[str]
    args: NotRequired[Sequence[str]]
    envNames: NotRequired[Sequence[str]]
    url: NotRequired[str]

@type_check_only
class ReachedServer(TypedDict):
    """One server with its surface."""

    name: str
    surface: _Data
    endpoint: NotRequired[Endpoint]

@type_check_only
class UnreachableServer(TypedDict):
    """A server that was asked and did not answer: it is neither clean nor gone, and keeps its entry."""

    name: str
    unreachable: Literal[True]
    endpoint: NotRequired[Endpoint]

_Server: TypeAlias = ReachedServer | UnreachableServer

@type_check_only
class LockedToolHashes(TypedDict):
    """The hashes of one tool in a lockfile, each ``sha256:<hex>``."""

    hash: str
    nameHash: str
    descriptionHash: str
    inputSchemaHash: str

@type_check_only
class ToolHashes(LockedToolHashes):
    """The lockfile's hashes of one tool, and those of a snapshot."""

    contentHash: str
    annotationsHash: str

@type_check_only
class SurfaceHashes(TypedDict):
    """The lockfile's hashes of a surface."""

    toolSurfaceHash: str
    tools: dict[str, LockedToolHashes]

_Severity: TypeAlias = Literal["critical", "high", "medium", "informational"]
_Profile: TypeAlias = Literal["default", "mcplock"]

@type_check_only
class Finding(TypedDict):
    """Something that a check found."""

    rule: RuleId
    severity: _Severity
    server: NotRequired[str]
    tool: NotRequired[str]
    pointer: str
    message: str
    help: NotRequired[str]
    evidence: NotRequired[dict[str, Any]]

@type_check_only
class Verification(TypedDict):
    """What `verify_lockfile` found. ``verified`` means that nothing moved."""

    verified: bool
    findings: list[Finding]

@type_check_only
class Counts(TypedDict):
    """How many findings there are of each severity."""

    critical: int
    high: int
    medium: int
    informational: int

@type_check_only
class WordEdit(TypedDict):
    """A piece of two texts: in both, or only in the old or the new one."""

    kind: Literal["same", "removed", "added"]
    text: str

@type_check_only
class Change(TypedDict):
    """One thing that moved.

    ``pointer`` points into a surface whose tools are members of ``tools``, by their names. ``before`` and ``after`` are
    what is there in the JSON, and absent if there was nothing; ``words`` tells two texts apart.
    """

    kind: Literal["added", "removed", "renamed", "changed"]
    tool: NotRequired[str]
    pointer: str
    before: NotRequired[Any]
    after: NotRequired[Any]
    words: NotRequired[list[WordEdit]]

@type_check_only
class Drift(TypedDict):
    """What moved between two surfaces, and how bad it is. Its ``severity`` is None if nothing moved."""

    severity: _Severity | None
    counts: Counts
    changes: list[Change]
    findings: list[Finding]
    notChecked: list[str]

@type_check_only
class CheckedDrift(Drift):
    """A drift, and whether it is as bad as what to fail on."""

    fails: bool

@type_check_only
class SchemaDifference(TypedDict):
    """A place where one schema accepts what the other refuses, or may accept it.

    ``pointer`` is where ``keyword`` stands in the schema after, or would if it is gone, and ``beforePointer`` where it
    stands in the schema before if that is another place. ``before`` and ``after`` are its values, absent where it is.
    """

    pointer: str
    beforePointer: NotRequired[str]
    keyword: str
    before: NotRequired[Any]
    after: NotRequired[Any]

@type_check_only
class ProvenDifference(SchemaDifference):
    """A difference, and a value that proves it: one schema accepts it, and the other does not."""

    witness: Any

@type_check_only
class SchemaWidenings(TypedDict):
    """How two schemas differ in the values that they accept."""

    widenings: list[ProvenDifference]
    narrowings: list[ProvenDifference]
    undecided: list[SchemaDifference]

@type_check_only
class Rule(TypedDict):
    """A rule whose id findings carry."""

    id: RuleId
    family: Literal["drift", "lint", "agc", "lock"]
    category: str
    severity: _Severity
    summary: str
    since: str
    specification: str

class GatewrightError(ValueError):
    """Input that cannot be read, or an argument of the wrong shape. ``str(error)`` is one line."""

    code: ErrorCode
    message: str
    help: str | None
    pointer: str | None
    line: int | None
    column: int | None
    def __init__(
        self,
        text: str,
        code: str = "",
        message: str | None = None,
        help: str | None = None,
        pointer: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None: ...

__version__: str
SPEC_VERSIONS: dict[str, str]

def canonicalize(data: _Data) -> str: ...
def digest(data: _Data) -> str: ...
def hash_tool(tool: _Data) -> ToolHashes: ...
def hash_surface(surface: _Data) -> SurfaceHashes: ...
def parse_lockfile(text: _Text) -> dict[str, Any]: ...
def build_lockfile(servers: _Text | Sequence[_Server], *, now: str) -> str: ...
def update_lockfile(text: _Text, servers: _Text | Sequence[_Server], *, now: str, whole_set: bool = False) -> str: ...
def verify_lockfile(text: _Text, servers: _Text | Sequence[_Server], *, whole_set: bool = False) -> Verification: ...
def build_snapshot(server: _Text | ReachedServer, *, now: str, previous: _Data | None = None) -> str: ...
def check_snapshot(
    text: _Data,
    surface: _Data,
    *,
    profile: _Profile = "default",
    fail_on: _Severity = "high",
    endpoint: Endpoint | None = None,
) -> CheckedDrift: ...
def classify_drift(before: _Data, after: _Data, *, profile: _Profile = "default") -> Drift: ...
def schema_widenings(before: _Data, after: _Data) -> SchemaWidenings: ...
def rules() -> list[Rule]: ...
def explain(rule: str) -> str: ...
