"""What a changed schema newly accepts, from Python: values, kinds of arguments, errors."""

import json
from collections import UserDict
from types import MappingProxyType

import pytest

import gatewright
from gatewright import GatewrightError

NOTHING = {"widenings": [], "narrowings": [], "undecided": []}


def object_schema(properties, **members):
    return {"type": "object", "properties": properties, **members}


READS = object_schema({"mode": {"enum": ["read"]}, "é": True})
DELETES = object_schema({"mode": {"enum": ["read", "delete"]}, "é": True})
MODE = {"pointer": "/properties/mode/enum", "keyword": "enum", "witness": {"mode": "delete"}}


def refused(*arguments):
    with pytest.raises(GatewrightError) as caught:
        gatewright.schema_widenings(*arguments)
    assert str(caught.value) and "\n" not in str(caught.value)
    return caught.value


def test_a_widening_is_proven_by_a_value():
    widening = {**MODE, "before": ["read"], "after": ["read", "delete"]}
    assert gatewright.schema_widenings(READS, DELETES) == {**NOTHING, "widenings": [widening]}


def test_the_other_way_round_it_is_a_narrowing():
    narrowing = {**MODE, "before": ["read", "delete"], "after": ["read"]}
    assert gatewright.schema_widenings(DELETES, READS) == {**NOTHING, "narrowings": [narrowing]}


def test_a_keyword_on_one_side_only_has_no_value_on_the_other():
    path = {"path": {"type": "string"}}
    free, bound = object_schema(path), object_schema(path, required=["path"])
    place = {"pointer": "/required", "keyword": "required", "witness": {}}
    assert gatewright.schema_widenings(bound, free) == {**NOTHING, "widenings": [{**place, "before": ["path"]}]}
    assert gatewright.schema_widenings(free, bound) == {**NOTHING, "narrowings": [{**place, "after": ["path"]}]}


def test_a_keyword_that_stood_elsewhere_says_where():
    before = {**object_schema({"size": {"$ref": "#/$defs/size"}}), "$defs": {"size": {"maximum": 1}}}
    (widening,) = gatewright.schema_widenings(before, object_schema({"size": {"maximum": 2}}))["widenings"]
    assert (widening["beforePointer"], widening["pointer"]) == ("/$defs/size/maximum", "/properties/size/maximum")


def test_what_cannot_be_decided_has_no_witness():
    before, after = "^(?=a)b", "^(?=a)c"
    place = {"pointer": "/pattern", "keyword": "pattern", "before": before, "after": after}
    assert gatewright.schema_widenings({"pattern": before}, {"pattern": after}) == {**NOTHING, "undecided": [place]}


def test_the_same_in_other_words_is_no_difference():
    union = object_schema({"mode": {"anyOf": [{"const": "delete"}, {"const": "read"}]}, "é": {}})
    assert gatewright.schema_widenings(DELETES, union) == NOTHING
    # A number's spelling is not its value.
    assert gatewright.schema_widenings('{"maximum":1.50}', '{"maximum":15e-1}') == NOTHING


@pytest.mark.parametrize(
    "value", [None, False, 0, -1.5e-9, 1e300, 2**53, "", 'é漢😀\u2028\0"\\', [], [None, {}], {}, {"__proto__": []}]
)
def test_a_witness_is_json_of_any_kind(value):
    (widening,) = gatewright.schema_widenings({"enum": ["x"]}, {"enum": ["x", value]})["widenings"]
    # Compared as text, because to Python 1, 1.0 and True are the same.
    assert json.dumps(widening["witness"]) == json.dumps(value)


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_every_kind_of_argument_gives_the_same_answer(ensure_ascii):
    def forms(value):
        text = json.dumps(value, ensure_ascii=ensure_ascii)
        data = text.encode()
        return [text, data, bytearray(data), memoryview(data), value, UserDict(value), MappingProxyType(value)]

    wanted = gatewright.schema_widenings(READS, DELETES)
    for before in forms(READS):
        for after in forms(DELETES):
            assert gatewright.schema_widenings(before, after) == wanted


def test_a_schema_may_be_true_or_false():
    for no, yes in (("false", "true"), (b"false", b"true")):
        assert gatewright.schema_widenings(yes, yes) == NOTHING
        assert len(gatewright.schema_widenings(no, yes)["widenings"]) == 1
        assert len(gatewright.schema_widenings(yes, no)["narrowings"]) == 1


def test_text_is_read_as_it_is():
    twice = '{"maximum":1,"maximum":2}'
    for given in (twice, twice.encode()):
        for which, arguments in (("before", (given, {})), ("after", ({}, given))):
            error = refused(*arguments)
            assert (error.code, error.pointer, error.line, error.column) == ("duplicate-key", "/maximum", 1, 14)
            assert error.message.startswith(f"the schema {which}: ")
    assert refused('{"const":"\ud800"}', {}).code == "lone-surrogate"
    assert refused({}, {"const": "\udc00"}).code == "lone-surrogate"
    assert refused({}, b'"\xff"').code == "invalid-utf8"
    assert refused("", {}).code == "invalid-json"


@pytest.mark.parametrize("text", ["{", "[1,]", '{"a":1e999}', "\ufeff{}", "{} {}", "[" * 129])
def test_canonicalize_refuses_the_same_in_the_same_words(text):
    with pytest.raises(GatewrightError) as caught:
        gatewright.canonicalize(text)
    wanted = vars(caught.value)
    for which, arguments in (("before", (text, {})), ("after", ({}, text))):
        assert vars(refused(*arguments)) == {**wanted, "message": f"the schema {which}: {wanted['message']}"}


def test_objects_without_a_json_form_are_refused():
    circle = {}
    circle["not"] = circle
    for value in (object(), {"enum": {1, 2}}, {"const": b"bytes"}, {"maximum": float("nan")}, circle):
        assert refused(value, {}).code == "not-json"
        assert refused({}, value).code == "not-json"
