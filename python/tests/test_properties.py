"""The canonical form beside an independent implementation, on values that hypothesis thinks up."""

import hashlib
import json
import os

import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

import gatewright

# `./x test` is bounded and does the same each time; `--soak` looks further.
SOAK = os.environ.get("GATEWRIGHT_SOAK") == "1"
EXAMPLES = settings(max_examples=100_000 if SOAK else 500, derandomize=not SOAK, database=None, deadline=None)

# What both can write: doubles, integers that a double holds, and text that has a UTF-8 form.
scalars = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
keys = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=50)


@EXAMPLES
@given(value=values, ensure_ascii=st.booleans(), indent=st.none() | st.integers(0, 3))
def test_canonical_form_is_that_of_rfc8785(value, ensure_ascii, indent):
    wanted = rfc8785.dumps(value)
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)
    assert gatewright.canonicalize(text).encode() == wanted
    assert gatewright.canonicalize(text.encode()).encode() == wanted
    assert gatewright.canonicalize(wanted).encode() == wanted
    assert gatewright.digest(text) == "sha256:" + hashlib.sha256(wanted).hexdigest()
    if not isinstance(value, str):
        assert gatewright.canonicalize(value).encode() == wanted


@EXAMPLES
@given(data=st.binary())
def test_any_bytes_have_an_answer_or_an_error(data):
    try:
        gatewright.canonicalize(data)
    except gatewright.GatewrightError as error:
        assert error.code
