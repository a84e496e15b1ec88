"""What is particular to Python: kinds of arguments, results, errors, imports."""

import importlib.metadata
import json
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict, UserDict, UserList
from types import MappingProxyType

import pytest
from conftest import SITE

import gatewright
from gatewright import GatewrightError

NOW = "2026-11-30T12:00:00Z"
TOOL = {"name": "ping", "description": "Answers pong. é", "inputSchema": {"type": "object"}}
SURFACE = {"tools": [TOOL]}


def refused(call, *arguments, **keywords):
    with pytest.raises(GatewrightError) as caught:
        call(*arguments, **keywords)
    assert str(caught.value) and "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_every_kind_of_argument_gives_the_same_hash(ensure_ascii):
    text = json.dumps(SURFACE, ensure_ascii=ensure_ascii)
    data = text.encode()
    wanted = gatewright.hash_surface(text)
    objects = [SURFACE, OrderedDict(SURFACE), UserDict(SURFACE), MappingProxyType(SURFACE), [TOOL], (TOOL,)]
    for given in [data, bytearray(data), memoryview(data), *objects, UserList([TOOL])]:
        assert gatewright.hash_surface(given) == wanted
    assert gatewright.hash_surface(memoryview(data + b" ")[:-1]) == wanted


@pytest.mark.parametrize(
    "value",
    [
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": {1, 2}},
        {"a": b"bytes"},
        {"a": object()},
        {("a", "b"): 1},
        {"a": 10**5000},
        {1, 2},
        object(),
    ],
    ids=["nan", "infinity", "set", "bytes", "object", "tuple key", "5000 digits", "a set itself", "an object itself"],
)
def test_objects_without_a_json_form_are_refused(value):
    for call in (gatewright.canonicalize, gatewright.digest, gatewright.hash_tool, gatewright.hash_surface):
        assert refused(call, value).code == "not-json"
    assert refused(gatewright.build_lockfile, [{"name": "s", "surface": value}], now=NOW).code == "not-json"


def test_circles_and_depths_are_refused():
    circle = {}
    circle["self"] = circle
    assert refused(gatewright.digest, circle).code == "not-json"
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert refused(gatewright.digest, deep).code == "too-deep"
    deep = []
    for _ in range(128):
        deep = [deep]
    assert refused(gatewright.digest, deep).code == "too-deep"
    assert gatewright.digest(deep[0]).startswith("sha256:")


def test_keys_that_become_equal_are_refused():
    error = refused(gatewright.canonicalize, {1: "a", "1": "b"})
    assert (error.code, error.pointer) == ("duplicate-key", "/1")


def test_lone_surrogates_are_refused_wherever_they_come_from():
    for given in ('{"a": "x\ud800"}', '{"é": "\udfff"}', {"a": "\ud800"}, b'{"a": "\\ud800"}'):
        error = refused(gatewright.canonicalize, given)
        assert error.code == "lone-surrogate"
        assert (error.pointer, error.line) != (None, None)
    assert gatewright.canonicalize('"\\ud83d\\ude00"') == '"😀"'


def test_70_mebibytes_are_refused():
    for text in ("[" + " " * (70 << 20) + "]", "[" + " " * (70 << 20) + '"é"]'):
        assert refused(gatewright.digest, text).code == "document-too-large"
        assert refused(gatewright.digest, text.encode()).code == "document-too-large"


def test_errors_have_all_attributes_and_can_be_pickled():
    error = refused(gatewright.canonicalize, '{"a":\n "b" "c"}')
    assert isinstance(error, ValueError)
    assert type(error).__module__ == "gatewright"
    assert (error.code, error.line, error.column) == ("invalid-json", 2, 6)
    assert error.message in str(error)
    assert error.help is None or isinstance(error.help, str)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), vars(copy)) == (str(error), vars(error))


def test_misuse_is_refused_with_a_code():
    lock = gatewright.build_lockfile([], now=NOW)
    for given in (None, 5, [], {}, ["{}"]):
        for call in (gatewright.parse_lockfile, gatewright.explain):
            assert refused(call, given).code
        assert refused(gatewright.update_lockfile, given, [], now=NOW).code
        assert refused(gatewright.verify_lockfile, given, []).code
    for given in (None, 5, {}, ["{}"], [None], [[]], object()):
        assert refused(gatewright.build_lockfile, given, now=NOW).code
        assert refused(gatewright.update_lockfile, lock, given, now=NOW).code
        assert refused(gatewright.verify_lockfile, lock, given).code
    for given in (None, 5):
        assert refused(gatewright.explain, given).code == "invalid-argument"
    assert refused(gatewright.explain, "no-such-rule").code == "unknown-rule"
    # An object is serialised like other data.
    assert gatewright.verify_lockfile(json.loads(lock), [])["verified"]
    assert gatewright.parse_lockfile(json.loads(lock)) == gatewright.parse_lockfile(lock)


def test_a_flag_is_a_bool():
    lock = gatewright.build_lockfile([], now=NOW)
    for given in ("false", 1, None, []):
        assert refused(gatewright.verify_lockfile, lock, [], whole_set=given).code == "invalid-argument"
        assert refused(gatewright.update_lockfile, lock, [], now=NOW, whole_set=given).code == "invalid-argument"


def test_surfaces_given_as_text_are_read_as_they_are():
    twice = '{"tools": [{"name": "a", "name": "a"}]}'
    for surface in (twice, twice.encode(), bytearray(twice.encode())):
        assert refused(gatewright.build_lockfile, [{"name": "s", "surface": surface}], now=NOW).code == "duplicate-key"
    servers = [{"name": name, "surface": surface} for name, surface in zip("abc", [SURFACE, json.dumps(SURFACE), b"[]"])]
    lock = gatewright.build_lockfile(servers, now=NOW)
    data = gatewright.parse_lockfile(lock)["servers"]
    assert data["a"]["toolSurfaceHash"] == data["b"]["toolSurfaceHash"] != data["c"]["toolSurfaceHash"]
    assert all("surfacePart" not in server for server in servers)  # the caller's objects are left alone
    assert gatewright.verify_lockfile(lock.encode(), servers, whole_set=True) == {"verified": True, "findings": []}
    assert gatewright.build_lockfile(json.dumps([{"name": "a", "surface": SURFACE}]), now=NOW) == (
        gatewright.build_lockfile([{"name": "a", "surface": SURFACE}], now=NOW)
    )


def test_update_keeps_what_it_does_not_know():
    lock = gatewright.build_lockfile([{"name": "a", "surface": []}], now=NOW)
    lock = lock.replace('"lockfileVersion"', '"aNumber": 1.50,\n  "lockfileVersion"')
    assert gatewright.update_lockfile(lock, [{"name": "a", "surface": []}], now="2027-01-01T00:00:00Z") == lock
    changed = gatewright.update_lockfile(lock, [{"name": "a", "surface": [TOOL]}], now="2027-01-01T00:00:00Z")
    assert '"aNumber": 1.50' in changed and "2027-01-01T00:00:00Z" in changed
    both = gatewright.update_lockfile(lock, [{"name": "b", "surface": []}], now=NOW)
    assert set(gatewright.parse_lockfile(both)["servers"]) == {"a", "b"}
    only = gatewright.update_lockfile(lock, [{"name": "b", "surface": []}], now=NOW, whole_set=True)
    assert set(gatewright.parse_lockfile(only)["servers"]) == {"b"}


def test_verify_names_what_moved():
    lock = gatewright.build_lockfile([{"name": "a", "surface": SURFACE}], now=NOW)
    moved = {"tools": [{**TOOL, "description": "Answers pang."}]}
    result = gatewright.verify_lockfile(lock, [{"name": "a", "surface": moved}])
    assert result["verified"] is False
    assert [(finding["server"], finding["tool"]) for finding in result["findings"]] == [("a", "ping")]


def test_now_must_be_text_of_a_time():
    for now in (5, None, "yesterday"):
        assert refused(gatewright.build_lockfile, [], now=now).code == "invalid-argument"


def test_results_are_plain_objects():
    """The way of every kind of JSON value from the core to Python."""
    names = ["plain", "esc\"\\/\b\f\n\r\t\u0001", "é", "\u2028", "😀", "", "a" * 300, "__proto__", "toJSON"]
    hashes = gatewright.hash_surface([{"name": name} for name in names])
    assert set(hashes["tools"]) == set(names)
    values = [None, True, False, 0, -1, 2**53 + 1, 2**64, -(2**70), 0.1, 1.5e300, -0.0, 5e-324, "", [], {}, [[{}]]]
    lock = gatewright.build_lockfile([{"name": "a", "surface": []}], now=NOW)
    extended = {**json.loads(lock), "x": values, **{name: name for name in names}}
    data = gatewright.parse_lockfile(json.dumps(extended))
    assert json.dumps(data, sort_keys=True) == json.dumps(extended, sort_keys=True)
    assert type(data["x"][3]) is int and type(data["x"][8]) is float
    assert gatewright.hash_surface("[]")["tools"] == {}


def test_threads_get_their_own_answers():
    surfaces = [json.dumps([{"name": f"tool {i}", "description": "x" * 50_000}]) for i in range(8)]
    wanted = [gatewright.hash_surface(surface) for surface in surfaces]
    got = [None] * len(surfaces)

    def work(index):
        for _ in range(20):
            got[index] = gatewright.hash_surface(surfaces[index])

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(surfaces))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == wanted


def test_text_stays_without_a_second_copy():
    text = json.dumps([{"name": "é" * 200_000}], ensure_ascii=False)
    before = sys.getsizeof(text)
    gatewright.hash_surface(text)
    assert sys.getsizeof(text) == before


def test_import_and_text_take_no_slow_module(plain):
    code = """
import sys
before = set(sys.modules)
import gatewright
gatewright.hash_surface('[{"name": "a"}]')
gatewright.classify_drift('[{"name": "a"}]', b"[]")
gatewright.schema_widenings('{"maximum": 1}', b"{}")
try:
    gatewright.check_snapshot("{}", "[]")
except gatewright.GatewrightError:
    pass
gatewright.rules()
print(*sorted(set(sys.modules) - before))
"""
    done = subprocess.run([plain / "python", "-I", "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["gatewright", "gatewright._core", "gatewright._error", "gatewright._objects"]


def test_versions():
    (distribution,) = importlib.metadata.distributions(name="gatewright", path=[str(SITE)])
    assert gatewright.__version__ == distribution.version
    assert gatewright.SPEC_VERSIONS["agentgate.lock"] == "1"


def test_rules_are_explained():
    rules = gatewright.rules()
    assert rules
    for rule in rules:
        assert set(rule) == {"id", "family", "category", "severity", "summary", "since", "specification"}
        assert rule["id"] in gatewright.explain(rule["id"])
