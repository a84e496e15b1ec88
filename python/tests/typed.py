"""A caller that uses every public name with its types. It is checked, and run by nobody."""

from pathlib import Path

import gatewright
from gatewright import GatewrightError

text: str = gatewright.canonicalize(b"{}")
text = gatewright.digest({"a": [1, 2.0, None]})
text = gatewright.hash_tool('{"name": "a"}')["annotationsHash"]
hashes = gatewright.hash_surface([{"name": "a"}])
text = hashes["toolSurfaceHash"]
text = hashes["tools"]["a"]["descriptionHash"]

lock = gatewright.build_lockfile(
    [
        {"name": "a", "surface": Path("tools.json").read_bytes()},
        {"name": "b", "surface": {"tools": []}, "endpoint": {"transport": "stdio", "command": "npx", "args": ["-y"]}},
    ],
    now="2026-11-30T12:00:00Z",
)
lock = gatewright.update_lockfile(lock, "[]", now="2026-11-30T12:00:00Z", whole_set=True)
version: object = gatewright.parse_lockfile(lock)["lockfileVersion"]
verification = gatewright.verify_lockfile(lock, [], whole_set=True)
if not verification["verified"]:
    for finding in verification["findings"]:
        text = finding["rule"] + finding["pointer"] + finding.get("tool", "")
        if finding["severity"] == "critical":
            text = gatewright.explain(finding["rule"])
for rule in gatewright.rules():
    text = rule["summary"]

snapshot = gatewright.build_snapshot({"name": "a", "surface": [{"name": "b"}]}, now="2026-11-30T12:00:00Z")
snapshot = gatewright.build_snapshot(b"{}", now="2026-11-30T12:00:00Z", previous=snapshot)
snapshot = gatewright.build_snapshot("{}", now="2026-11-30T12:00:00Z", previous={"tools": {}})
checked = gatewright.check_snapshot(
    snapshot, "[]", profile="mcplock", fail_on="medium", endpoint={"transport": "http", "url": "https://host/mcp"}
)
fails: bool = checked["fails"]
drift = gatewright.classify_drift([], b"[]", profile="default")
worst: str | None = drift["severity"]
count: int = drift["counts"]["critical"] + checked["counts"]["informational"]
for change in drift["changes"]:
    text = change["kind"] + change["pointer"] + change.get("tool", "")
    values: list[object] = [change.get("before"), change.get("after")]
    text = "".join(word["text"] for word in change.get("words", []) if word["kind"] == "added")
text = drift["findings"][0]["rule"] + drift["notChecked"][0]

moved = gatewright.schema_widenings(b"{}", {"type": "object"})
for widening in moved["widenings"] + moved["narrowings"]:
    text = widening["pointer"] + widening.get("beforePointer", "") + widening["keyword"]
    values = [widening["witness"], widening.get("before"), widening.get("after")]
text = moved["undecided"][0]["pointer"]

try:
    gatewright.canonicalize("{")
except GatewrightError as error:
    code: str = error.code
    line: int | None = error.line
    pointer: str | None = error.pointer

text = gatewright.__version__
specifications = list(gatewright.SPEC_VERSIONS)

gatewright.canonicalize(5)  # type: ignore[arg-type]
gatewright.hash_surface("[]")["surfaceHash"]  # type: ignore[typeddict-item]
gatewright.build_lockfile([{"name": "a"}], now="")  # type: ignore[list-item]
gatewright.build_lockfile([], now=5)  # type: ignore[arg-type]
gatewright.build_snapshot({"name": "a", "unreachable": True}, now="")  # type: ignore[arg-type]
gatewright.check_snapshot(snapshot, [], fail_on="bad")  # type: ignore[arg-type]
gatewright.classify_drift([], [], profile="strict")  # type: ignore[arg-type]
gatewright.schema_widenings("{}")  # type: ignore[call-arg]
moved["undecided"][0]["witness"]  # type: ignore[typeddict-item]
drift["fails"]  # type: ignore[typeddict-item]
