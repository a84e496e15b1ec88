"""The report of `gatewright check --json` is what its published schema says, with all its members."""

import json
from pathlib import Path

import gatewright
import jsonschema
import pytest

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schemas/drift-report.schema.json").read_text(encoding="utf-8"))

BEFORE = {
    "tools": [
        {"name": "read", "description": "Reads a file.", "inputSchema": {"type": "object", "required": ["path"]}},
        {"name": "gone", "description": "Is gone."},
        {"name": "old", "description": "Tells how long the river is today.", "annotations": {"readOnlyHint": True}},
    ],
    "serverInfo": {"name": "s", "version": "1"},
}
AFTER = {
    "tools": [
        {"name": "read", "description": "Reads all files.", "inputSchema": {"type": "object"}, "title": "Read"},
        {"name": "new", "description": "Tells how long the river is today.", "annotations": {"readOnlyHint": False}},
        {"name": "added", "description": "Deletes."},
    ],
    "serverInfo": {"name": "s", "version": "2"},
}
SETTINGS = """
[[accept]]
server = "s"
tool = "read"
rule = "description-trigger-word"
reason = "harmless"
expires = 2999-01-01
[[accept]]
server = "s"
rule = "new-tool"
reason = "unused"
expires = 2999-01-01
"""


@pytest.fixture
def report(quick_command, tmp_path):
    def report(after, *options):
        home = {"GATEWRIGHT_HOME": str(tmp_path / "home")}
        for name, surface in {"before": BEFORE, "after": after}.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(surface))
        (tmp_path / "settings.toml").write_text(SETTINGS)
        assert quick_command("snapshot", str(tmp_path / "before.json"), "--as", "s", **home).returncode == 0
        done = quick_command("check", str(tmp_path / "after.json"), "--as", "s", "--json", "-", *options, **home)
        return json.loads(done.stdout)

    return report


def check(report):
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    # The schema is open, so that members can be added; what is there now is all in it.
    kinds = SCHEMA["$defs"]
    assert set(report) <= set(SCHEMA["properties"])
    for kind, members in {"change": "changes", "finding": "findings", "acceptance": "acceptances"}.items():
        for member in report[members]:
            assert set(member) <= set(kinds[kind]["properties"])


def test_with_everything(report, tmp_path):
    found = report(AFTER, "--settings", str(tmp_path / "settings.toml"))
    check(found)
    assert (found["severity"], found["fails"], found["failOn"]) == ("critical", True, "high")
    assert [finding["rule"] for finding in found["accepted"]] == ["description-trigger-word"]
    assert [acceptance["state"] for acceptance in found["acceptances"]] == ["used", "unused"]
    assert {change["kind"] for change in found["changes"]} == {"added", "removed", "renamed", "changed"}
    assert any("words" in change for change in found["changes"])


def test_with_nothing(report):
    found = report(BEFORE)
    check(found)
    assert (found["severity"], found["changes"], found["findings"]) == (None, [], [])


def test_the_rules_are_those_of_drift():
    rules = [rule["id"] for rule in gatewright.rules() if rule["family"] == "drift"]
    assert SCHEMA["$defs"]["rule"]["enum"] == rules
