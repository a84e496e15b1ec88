"""Snapshots and drift from Python: values, kinds of arguments, errors, and what holds for any surface."""

import copy
import json
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gatewright
from gatewright import GatewrightError

NOW = "2026-11-30T12:00:00Z"
LATER = "2027-01-01T00:00:00Z"
PING = {"name": "ping", "description": "Answers pong. é", "inputSchema": {"type": "object", "required": ["to"]}}
LIST = {"name": "list", "annotations": {"readOnlyHint": True}}
SURFACE = {"tools": [PING, LIST], "serverInfo": {"name": "demo", "version": "1"}, "instructions": "Be kind."}
ENDPOINT = {"transport": "stdio", "command": "npx", "args": ["-y", "demo@1.0.0"], "envNames": ["TOKEN"]}
SERVER = {"name": "demo", "surface": SURFACE, "endpoint": ENDPOINT}
NOTHING = {"critical": 0, "high": 0, "medium": 0, "informational": 0}


def refused(call, *arguments, **keywords):
    with pytest.raises(GatewrightError) as caught:
        call(*arguments, **keywords)
    assert str(caught.value) and "\n" not in str(caught.value)
    return caught.value


def with_ping(**members):
    return {**SURFACE, "tools": [{**PING, **members}, LIST]}


def rules_of(drift):
    return [(finding["rule"], finding["severity"], finding.get("tool")) for finding in drift["findings"]]


def test_nothing_moved():
    drift = gatewright.classify_drift(SURFACE, SURFACE)
    assert set(drift) == {"severity", "counts", "changes", "findings", "notChecked"}
    assert (drift["severity"], drift["counts"], drift["changes"], drift["findings"]) == (None, NOTHING, [], [])
    assert drift["notChecked"] and all(isinstance(text, str) for text in drift["notChecked"])


def test_what_moved_is_told_field_by_field():
    after = with_ping(description="Answers any pong. é", inputSchema={"type": "object", "required": []})
    drift = gatewright.classify_drift(SURFACE, after)
    assert drift["severity"] == "high"
    assert drift["counts"] == {**NOTHING, "high": 1, "informational": 1}
    assert rules_of(drift) == [("parameter-relaxed", "high", "ping"), ("description-edit", "informational", "ping")]
    assert drift["changes"] == [
        {
            "kind": "changed",
            "tool": "ping",
            "pointer": "/tools/ping/inputSchema/required",
            "before": ["to"],
            "after": [],
        },
        {
            "kind": "changed",
            "tool": "ping",
            "pointer": "/tools/ping/description",
            "before": "Answers pong. é",
            "after": "Answers any pong. é",
            "words": [
                {"kind": "same", "text": "Answers "},
                {"kind": "added", "text": "any "},
                {"kind": "same", "text": "pong. é"},
            ],
        },
    ]


def test_tools_that_come_and_go():
    drift = gatewright.classify_drift([LIST], [{"name": "send_mail"}])
    assert [(change["kind"], change["tool"], change["pointer"]) for change in drift["changes"]] == [
        ("removed", "list", "/tools/list"),
        ("added", "send_mail", "/tools/send_mail"),
    ]
    removed, added = drift["changes"]
    assert removed["before"] == LIST and "after" not in removed
    assert added["after"] == {"name": "send_mail"} and "before" not in added
    assert rules_of(drift) == [("new-tool-trigger-word", "high", "send_mail"), ("missing-tool", "medium", "list")]

    drift = gatewright.classify_drift([PING], [{**PING, "name": "pong"}])
    (change,) = drift["changes"]
    assert change == {"kind": "renamed", "tool": "pong", "pointer": "/tools/pong", "before": "ping", "after": "pong"}
    assert drift["severity"] == "medium"


def test_the_profile_mcplock_looks_at_less():
    after = {**SURFACE, "instructions": "Be quick.", "tools": [{**PING, "title": "Ping"}, LIST]}
    assert gatewright.classify_drift(SURFACE, after)["severity"] == "informational"
    drift = gatewright.classify_drift(SURFACE, after, profile="mcplock")
    assert (drift["severity"], drift["changes"]) == (None, [])
    assert len(drift["notChecked"]) == len(gatewright.classify_drift(SURFACE, after)["notChecked"]) + 1
    renamed = [{**PING, "name": "pong"}]
    assert [change["kind"] for change in gatewright.classify_drift([PING], renamed, profile="mcplock")["changes"]] == [
        "removed",
        "added",
    ]


def test_a_snapshot_keeps_the_text():
    text = gatewright.build_snapshot(SERVER, now=NOW)
    assert isinstance(text, str) and text.endswith("}\n")
    data = json.loads(text)
    assert (data["server_id"], data["snapshot_version"], data["generated_by"]) == ("demo", 1, "gatewright")
    assert (data["created_at"], data["updated_at"]) == (NOW, NOW)
    assert (data["instructions"], data["server_info"]) == ("Be kind.", {"name": "demo", "version": "1"})
    assert data["tools"]["ping"]["raw_description"] == "Answers pong. é"
    hashes = gatewright.hash_tool(PING)
    assert data["tools"]["ping"]["content_hash"] == hashes["contentHash"]
    assert data["tools"]["ping"]["annotations_hash"] == hashes["annotationsHash"]
    assert gatewright.build_snapshot(SERVER, now=NOW) == text


def test_a_snapshot_knows_since_when():
    first = gatewright.build_snapshot({"name": "demo", "surface": [PING]}, now=NOW)
    server = {"name": "demo", "surface": [PING, LIST]}
    wanted = gatewright.build_snapshot(server, now=LATER, previous=first)
    tools = json.loads(wanted)["tools"]
    assert (tools["ping"]["first_seen"], tools["list"]["first_seen"]) == (NOW, LATER)
    assert json.loads(wanted)["created_at"] == NOW
    for previous in (first.encode(), bytearray(first.encode()), memoryview(first.encode()), json.loads(first)):
        assert gatewright.build_snapshot(server, now=LATER, previous=previous) == wanted
    assert gatewright.build_snapshot(server, now=LATER, previous=None) != wanted


def test_a_snapshot_is_checked():
    text = gatewright.build_snapshot(SERVER, now=NOW)
    drift = gatewright.check_snapshot(text, SURFACE, endpoint=ENDPOINT)
    assert (drift["severity"], drift["fails"]) == (None, False)

    flipped = {**SURFACE, "tools": [PING, {**LIST, "annotations": {"readOnlyHint": False}}]}
    drift = gatewright.check_snapshot(text, flipped, endpoint=ENDPOINT)
    assert (drift["severity"], drift["fails"]) == ("critical", True)
    assert drift["findings"][0]["server"] == "demo"
    assert {key: value for key, value in drift.items() if key != "fails"} == {
        **gatewright.classify_drift(SURFACE, flipped),
        "findings": drift["findings"],
    }
    assert len(gatewright.check_snapshot(text, flipped)["notChecked"]) == len(drift["notChecked"]) + 1

    gone = {**SURFACE, "tools": [PING]}
    fails = {bar: gatewright.check_snapshot(text, gone, fail_on=bar)["fails"] for bar in NOTHING}
    assert fails == {"critical": False, "high": False, "medium": True, "informational": True}
    assert gatewright.check_snapshot(text, gone) == gatewright.check_snapshot(text, gone, fail_on="high")


def test_another_way_to_reach_the_server_is_drift():
    text = gatewright.build_snapshot(SERVER, now=NOW)
    other = {**ENDPOINT, "args": ["-y", "evil@1.0.0"]}
    drift = gatewright.check_snapshot(text, SURFACE, endpoint=other)
    assert drift["findings"][0]["rule"] == "server-source-swap" and drift["fails"]
    version = {**ENDPOINT, "args": ["-y", "demo@2.0.0"]}
    drift = gatewright.check_snapshot(text, SURFACE, endpoint=version)
    assert "server-version-edit" in {finding["rule"] for finding in drift["findings"]}
    assert gatewright.check_snapshot(text, SURFACE)["severity"] is None
    assert gatewright.check_snapshot(text, SURFACE, endpoint=other, profile="mcplock")["severity"] is None


def test_a_snapshot_holds_no_credential():
    endpoint = {"transport": "stdio", "command": "npx", "args": ["demo", "--token=canary-canary"]}
    text = gatewright.build_snapshot({"name": "demo", "surface": [], "endpoint": endpoint}, now=NOW)
    assert "canary" not in text
    url = {"transport": "http", "url": "https://user:canary@host/mcp?token=canary"}
    assert "canary" not in gatewright.build_snapshot({"name": "demo", "surface": [], "endpoint": url}, now=NOW)


def test_a_snapshot_of_mcplock_is_read():
    record = {"raw_description": "Answers pong. é", "raw_schema": PING["inputSchema"], "raw_annotations": None}
    foreign = {
        "schema_version": 1,
        "hash_model_version": 1,
        "server_id": "demo",
        "transport": "stdio",
        "connection": "npx demo",
        "created_at": NOW,
        "updated_at": NOW,
        "tools": {"ping": {"tool_name": "ping", **record}},
    }
    drift = gatewright.check_snapshot(json.dumps(foreign), [{**PING, "title": "Ping"}], profile="mcplock")
    assert (drift["severity"], drift["fails"]) == (None, False)
    assert gatewright.check_snapshot(foreign, [{**PING, "description": "Answers all."}])["severity"] == "high"
    # Its first sightings are taken over.
    foreign["tools"]["ping"]["first_seen"] = "2025-01-01T00:00:00+00:00"
    text = gatewright.build_snapshot({"name": "demo", "surface": [PING]}, now=NOW, previous=foreign)
    assert json.loads(text)["tools"]["ping"]["first_seen"] == "2025-01-01T00:00:00+00:00"
    assert refused(gatewright.check_snapshot, {**foreign, "hash_model_version": 2}, []).code == (
        "unsupported-snapshot-version"
    )


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_every_kind_of_argument_gives_the_same_answer(ensure_ascii):
    def forms(value):
        text = json.dumps(value, ensure_ascii=ensure_ascii)
        return [value, text, text.encode(), bytearray(text.encode()), memoryview(text.encode())]

    after = with_ping(description="Answers all. é")
    snapshot = gatewright.build_snapshot(SERVER, now=NOW)
    drift = gatewright.classify_drift(SURFACE, after)
    checked = gatewright.check_snapshot(snapshot, after)
    assert drift["severity"] == checked["severity"] == "high"
    for one, other in zip(forms(SURFACE), reversed(forms(after))):
        assert gatewright.classify_drift(one, other) == drift
    for text, live in zip([snapshot, *forms(json.loads(snapshot))], [*forms(after), after]):
        assert gatewright.check_snapshot(text, live) == checked
    for surface in forms(SURFACE):
        server = {**SERVER, "surface": surface}
        assert gatewright.build_snapshot(server, now=NOW) == snapshot
        assert set(server) == {"name", "surface", "endpoint"}  # the caller's objects are left alone
    for server in forms(SERVER):
        assert gatewright.build_snapshot(server, now=NOW) == snapshot


def test_text_is_read_as_it_is():
    twice = '{"tools": [{"name": "a", "description": "hidden", "description": "shown"}]}'
    text = gatewright.build_snapshot(SERVER, now=NOW)
    for surface in (twice, twice.encode()):
        assert refused(gatewright.classify_drift, surface, []).code == "duplicate-key"
        assert refused(gatewright.classify_drift, [], surface).code == "duplicate-key"
        assert refused(gatewright.check_snapshot, text, surface).code == "duplicate-key"
        error = refused(gatewright.build_snapshot, {"name": "a", "surface": surface}, now=NOW)
        assert (error.code, error.pointer) == ("duplicate-key", "/tools/0/description")
    # The place is one in the surface's own text.
    assert (error.line, error.column) == (1, twice.rindex('"description"') + 1)


def test_misuse_is_refused_with_a_code():
    text = gatewright.build_snapshot(SERVER, now=NOW)
    for given in (None, 5, {}, "", "{}", '"text"', object(), [1]):
        assert refused(gatewright.classify_drift, given, []).code
        assert refused(gatewright.classify_drift, [], given).code
        assert refused(gatewright.check_snapshot, text, given).code
        assert refused(gatewright.build_snapshot, given, now=NOW).code
    for given in (None, 5, [], {}, "", "{}", object(), gatewright.build_lockfile([], now=NOW)):
        assert refused(gatewright.check_snapshot, given, []).code
    for given in (5, [], {}, "{}", object(), gatewright.build_lockfile([], now=NOW)):
        assert refused(gatewright.build_snapshot, SERVER, now=NOW, previous=given).code
    for given in (None, "", "strict", 5, ["default"]):
        assert refused(gatewright.classify_drift, [], [], profile=given).code == "invalid-argument"
        assert refused(gatewright.check_snapshot, text, [], profile=given).code == "invalid-argument"
        assert refused(gatewright.check_snapshot, text, [], fail_on=given).code == "invalid-argument"
    for given in ({}, [], "npx", 5, {"command": "a", "url": "b"}, {"command": "a", "env": {"A": "b"}}):
        assert refused(gatewright.check_snapshot, text, [], endpoint=given).code == "invalid-server"
    for now in (None, 5, "yesterday"):
        assert refused(gatewright.build_snapshot, SERVER, now=now).code == "invalid-argument"
    assert refused(gatewright.build_snapshot, {"name": "a", "unreachable": True}, now=NOW).code == "invalid-server"
    assert refused(gatewright.check_snapshot, text, [], endpoint={"command": float("nan")}).code == "not-json"


def test_which_of_two_surfaces_is_wrong():
    assert "`before`" in refused(gatewright.classify_drift, "{", "[]").message
    assert "`after`" in refused(gatewright.classify_drift, "[]", "{").message
    text = gatewright.build_snapshot(SERVER, now=NOW)
    assert "the snapshot" in refused(gatewright.check_snapshot, "{", "[]").message
    assert "the surface" in refused(gatewright.check_snapshot, text, "{").message


def test_an_edited_snapshot_is_refused():
    text = gatewright.build_snapshot(SERVER, now=NOW).replace("Answers pong.", "Answers pang.")
    error = refused(gatewright.check_snapshot, text, SURFACE)
    assert (error.code, error.pointer) == ("invalid-snapshot", "/tools/ping/content_hash")
    assert refused(gatewright.build_snapshot, SERVER, now=NOW, previous=text).code == "invalid-snapshot"


def deep(depth, inner=1):
    for _ in range(depth):
        inner = [inner]
    return inner


def test_any_json_comes_back_in_a_change():
    """What stands in a surface is put into the answer as canonical JSON, whatever it is."""
    values = {
        "1e300": 1e300,
        "-1.5e-9": -1.5e-9,
        "5e-324": 5e-324,
        "100.0": 100,
        "-0.0": 0,
        "1e21": 1e21,
        "100000000000000000000": 100000000000000000000,
        # As a double, and so as RFC 8785 spells it.
        "9007199254740993": 9007199254740992,
        "-9223372036854775809": -9223372036854776000,
        "18446744073709551616": 18446744073709552000,
        '"\\u0000\\u001f\\"\\\\/\\u2028\\ud83d\\ude00\\uffff"': '\0\x1f"\\/\u2028😀\uffff',
        '{"": null, "__proto__": {}, "\\u0000": [], "\\"": false}': {"": None, "__proto__": {}, "\0": [], '"': False},
        '["", [], {}, true]': ["", [], {}, True],
    }
    tool = '[{"name": "a", "inputSchema": {%s}}]'
    for text, value in values.items():
        # Compared as text, because to Python 1, 1.0 and True are the same.
        wanted = json.dumps(value, sort_keys=True)
        live = tool % f'"default": {text}'
        for other in (tool % "", tool % '"default": "x"'):
            (forth,), (back,) = (
                gatewright.classify_drift(*pair)["changes"] for pair in ((other, live), (live, other))
            )
            assert json.dumps(forth["after"], sort_keys=True) == wanted, text
            assert json.dumps(back["before"], sort_keys=True) == wanted, text
        for surface in (live, [{"name": "a", "inputSchema": {"default": value}}]):
            (change,) = gatewright.classify_drift("[]", surface)["changes"]
            assert json.dumps(change["after"]["inputSchema"]["default"], sort_keys=True) == wanted, text


def test_the_deepest_surface_comes_back():
    # Two containers stand around the member, so that 126 more are the most that is read.
    before, after = [{"name": "a", "x": deep(126)}], [{"name": "a", "x": deep(126, 2)}]
    (change,) = gatewright.classify_drift([], before)["changes"]
    assert change["after"] == before[0]
    (change,) = gatewright.classify_drift(before, after)["changes"]
    assert change["pointer"] == "/tools/a/x" + "/0" * 125
    assert (change["before"], change["after"]) == ([1], [2])
    assert refused(gatewright.classify_drift, [], [{"name": "a", "x": deep(127)}]).code == "too-deep"
    # A snapshot has two more around it.
    before = [{"name": "a", "x": deep(124)}]
    text = gatewright.build_snapshot({"name": "a", "surface": json.dumps(before)}, now=NOW)
    assert gatewright.check_snapshot(text, before)["severity"] is None
    assert gatewright.check_snapshot(text, [])["changes"][0]["before"] == before[0]


def test_many_tools_are_told_apart():
    before = [{"name": f"tool {i}", "description": f"Does {i}."} for i in range(5000)]
    after = copy.deepcopy(before)
    after[4321]["description"] = "Does all."
    random.Random(1).shuffle(after)
    drift = gatewright.classify_drift(json.dumps(before), json.dumps(after))
    assert [change["pointer"] for change in drift["changes"]] == ["/tools/tool 4321/description"]


# --- What holds for any surface ---------------------------------------------------------------------------------------

# `./x test` is bounded and does the same each time; `--soak` looks further.
SOAK = os.environ.get("GATEWRIGHT_SOAK") == "1"
EXAMPLES = settings(max_examples=20_000 if SOAK else 150, derandomize=not SOAK, database=None, deadline=None)

texts = st.lists(
    st.sampled_from(["delete", "all", "reads", "a file", " ", "\n", "\u200b", "é", "😀", ".", "1"]), max_size=6
).map("".join)
scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | texts
names = st.sampled_from(["a", "b", "path", "delete_all", "sendMail", "/~", "é", ""])
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))
schemas = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["object", ["object", "null"]]),
        "required": st.lists(names, max_size=3),
        "properties": st.dictionaries(names, values, max_size=3),
        "x": values,
    },
)
hints = st.sampled_from(["readOnlyHint", "destructiveHint", "title"])
tools = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b", "c", "send", "/~", "é"])},
    optional={
        "description": st.none() | texts,
        "inputSchema": st.none() | schemas,
        "annotations": st.none() | st.dictionaries(hints, st.booleans() | st.none()),
        "title": texts,
        "x": values,
    },
)
surfaces = st.fixed_dictionaries(
    {"tools": st.lists(tools, max_size=4, unique_by=lambda tool: tool["name"])},
    optional={"instructions": texts, "serverInfo": st.dictionaries(names, scalars, max_size=2)},
)
profiles = st.sampled_from(["default", "mcplock"])
BANDS = ["informational", "medium", "high", "critical"]


def shuffled(value, random):
    """The same JSON with its keys in another order."""
    if isinstance(value, dict):
        items = [(key, shuffled(member, random)) for key, member in value.items()]
        random.shuffle(items)
        return dict(items)
    return [shuffled(item, random) for item in value] if isinstance(value, list) else value


@EXAMPLES
@given(surface=surfaces, profile=profiles, random=st.randoms(use_true_random=False))
def test_a_surface_has_not_moved_from_itself(surface, profile, random):
    again = shuffled(surface, random)
    random.shuffle(again["tools"])
    for after in (surface, again, json.dumps(again, ensure_ascii=False)):
        drift = gatewright.classify_drift(surface, after, profile=profile)
        assert (drift["severity"], drift["changes"], drift["findings"]) == (None, [], [])
    text = gatewright.build_snapshot({"name": "s", "surface": surface}, now=NOW)
    assert gatewright.build_snapshot({"name": "s", "surface": again}, now=NOW) == text
    assert gatewright.check_snapshot(text, again, profile=profile, fail_on="informational")["fails"] is False


@EXAMPLES
@given(before=surfaces, after=surfaces, profile=profiles, random=st.randoms(use_true_random=False))
def test_what_a_drift_says_hangs_together(before, after, profile, random):
    drift = gatewright.classify_drift(before, after, profile=profile)
    severities = [finding["severity"] for finding in drift["findings"]]
    assert drift["counts"] == {band: severities.count(band) for band in BANDS}
    assert drift["severity"] == max(severities, key=BANDS.index, default=None)
    assert severities == sorted(severities, key=BANDS.index, reverse=True)
    assert (drift["severity"] is None) == (drift["changes"] == [])
    known = {rule["id"]: rule for rule in gatewright.rules()}
    assert all(known[finding["rule"]]["family"] == "drift" for finding in drift["findings"])
    found = {finding.get("tool") for finding in drift["findings"]}
    for change in drift["changes"]:
        assert change.get("tool") in found
        assert change["pointer"].startswith("/tools/") == ("tool" in change)
        if "words" in change:
            for side, other in (("before", "added"), ("after", "removed")):
                assert change[side] == "".join(word["text"] for word in change["words"] if word["kind"] != other)
    # The order of keys and of tools is of no account, nor is what was in between.
    one, other = shuffled(before, random), shuffled(after, random)
    random.shuffle(one["tools"])
    random.shuffle(other["tools"])
    assert gatewright.classify_drift(one, json.dumps(other), profile=profile) == drift
    text = gatewright.build_snapshot({"name": "s", "surface": before}, now=NOW)
    checked = gatewright.check_snapshot(text, after, profile=profile)
    assert checked.pop("fails") == (drift["severity"] in ("high", "critical"))
    assert all(finding.pop("server") == "s" for finding in checked["findings"])
    assert set(checked["notChecked"]) > set(drift["notChecked"])  # how the server is reached
    assert {**checked, "notChecked": drift["notChecked"]} == drift


@EXAMPLES
@given(before=surfaces, after=surfaces)
def test_what_moved_is_found_in_both_directions(before, after):
    forth, back = (gatewright.classify_drift(*pair, profile="mcplock") for pair in ((before, after), (after, before)))
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    assert sorted((turned[change["kind"]], change["pointer"]) for change in forth["changes"]) == sorted(
        (change["kind"], change["pointer"]) for change in back["changes"]
    )
