"""Data that lies beside the repository and is not part of it; `GATEWRIGHT_DATA` names the folder."""

import json
import os
import struct
from pathlib import Path

import pytest
from conftest import ROOT

import gatewright

DATA = Path(os.environ.get("GATEWRIGHT_DATA", ROOT.parent / "shared" / "data"))
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"the data is not there: no folder {DATA}")


def lines(path):
    return [line for line in (DATA / path).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def check(data, wanted):
    """`wanted` is the canonical text, or None where the input is to be refused. As bytes, and as text if it is that."""
    given = [data]
    try:
        given.append(data.decode())
    except UnicodeDecodeError:
        pass
    for form in given:
        try:
            got = gatewright.canonicalize(form)
        except gatewright.GatewrightError as error:
            assert wanted is None, (data[:200], error)
        else:
            assert got == wanted, data[:200]


def test_numbers():
    for line in lines("vectors/es6_numbers.tsv"):
        bits, text = line.split("\t")
        (value,) = struct.unpack(">d", bytes.fromhex(bits))
        assert gatewright.canonicalize([value]) == f"[{text}]"
        check(repr(value).encode(), text)
        check(text.encode(), text)
    for line in lines("vectors/es6_numbers_nonfinite.tsv"):
        (value,) = struct.unpack(">d", bytes.fromhex(line.split("\t")[0]))
        with pytest.raises(gatewright.GatewrightError):
            gatewright.canonicalize([value])
    for line in lines("public/numtext.tsv"):
        spelling, text = line.split("\t")
        check(spelling.encode(), text)


@pytest.mark.parametrize("name", ["accept-edge", "keyorder", "policy", "reject", "strings", "structures"])
def test_canonical(name):
    count = 0
    for line in lines(f"vectors/{name}.jsonl"):
        vector = json.loads(line)
        expect = vector.get("expect")
        if isinstance(expect, dict):
            wanted = None if expect.get("refuse") else expect["canonical"]
        elif expect == "reject":
            wanted = None
        else:
            wanted = bytes.fromhex(vector["expect_hex"]).decode()
        check(bytes.fromhex(vector["input_hex"]), wanted)
        count += 1
    assert count


# These are JSON that RFC 8259 lets a reader accept, and that I-JSON refuses.
NOT_I_JSON = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}


def test_suite_of_parsers():
    files = sorted((DATA / "public/jsontestsuite/test_parsing").glob("*.json"))
    assert len(files) > 300
    for file in files:
        data = file.read_bytes()
        try:
            canonical = gatewright.canonicalize(data)
        except gatewright.GatewrightError as error:
            assert not file.name.startswith("y_") or file.name in NOT_I_JSON, (file.name, error)
        else:
            assert not file.name.startswith("n_") and file.name not in NOT_I_JSON, file.name
            assert gatewright.canonicalize(canonical) == canonical
            assert json.loads(canonical, parse_int=float) == json.loads(data, parse_int=float)


def test_surfaces():
    seed = json.loads((DATA / "vectors/e2e/agentgate_seed.json").read_bytes())
    assert seed
    for name, wanted in seed.items():
        file = DATA / "vectors/e2e/tools" / f"{name}.json"
        assert gatewright.hash_surface(file.read_bytes()) == wanted, name
        assert gatewright.hash_surface(file.read_text(encoding="utf-8")) == wanted, name
        assert gatewright.hash_surface(json.loads(file.read_bytes())) == wanted, name
