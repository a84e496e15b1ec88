#!/usr/bin/env python3
"""Turns public test data, which may not be committed, into a folder of vectors that every host can run.

    python3 xtask/py/public_vectors.py FOLDER

The data lies in `$GATEWRIGHT_DATA` (default: `../shared/data` beside the repository), in `public`, `corpus` and `oracle`; the last
two need `$GATEWRIGHT_CALL`, a command that answers operations of the core (`cargo run -p xtask -- call`). FOLDER is written anew, in
the form that `tests/README.md` describes, with its own manifest and skips; `GATEWRIGHT_EXTRA_VECTORS=FOLDER` makes the runners
run it. Where the data is not there, this says so, writes a manifest of no files, and exits 0: then `GATEWRIGHT_EXTRA_VECTORS`
is to stay unset, since a runner that is given a folder without tests fails. The last line of the output is `N vectors`.

Needs Python 3.10 and nothing else. What is expected comes from the data. Where the data only says that a text is read or refused,
the canonical form or the error code comes from a small reader in this script, which shares no code with the library.
"""

import csv
import json
import os
import re
import shutil
import struct
import sys
from pathlib import Path

import captures

ROOT = Path(__file__).resolve().parents[2]
MAX_DEPTH = 128


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    data = Path(os.environ.get("GATEWRIGHT_DATA") or ROOT / "../shared/data")
    call = os.environ.get("GATEWRIGHT_CALL")
    output = Output(folder)
    if (data / "public").is_dir():
        for convert in CONVERTERS:
            convert(data / "public", output)
    else:
        print(f"there is no public test data at {data / 'public'}: set GATEWRIGHT_DATA to run it")
    if call and (data / "oracle").is_dir():
        captures.write(data, output, call, ROOT)
    else:
        print(f"no captures of real servers are compared: that takes {data / 'oracle'} and GATEWRIGHT_CALL")
    output.finish()
    print(f"{output.total()} vectors")
    return 0


# --- Writing -------------------------------------------------------------------------------------------------------------


class Output:
    """A folder of vectors."""

    def __init__(self, folder):
        manifest = folder / "manifest.json"
        if manifest.exists() and not all(name.startswith("public/") for name in json.loads(manifest.read_text())["files"]):
            raise SystemExit(f"{folder} holds other vectors, which this would overwrite")
        shutil.rmtree(folder / "public", ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.files = {}
        self.skips = []

    def write(self, topic, spec, header, tests, operation="canonicalize"):
        """Writes a file of tests, given as (id, comment, bytes or a list of texts, expectation)."""
        listed = []
        for identity, comment, given, expect in tests:
            identity = f"public/{topic}/{identity}"
            inputs = given if isinstance(given, list) else [to_input(given)]
            listed.append({"id": identity, "comment": comment, "inputs": inputs, "expect": expect})
            if isinstance(given, bytes) and not is_utf8(given):
                self.skips.append(
                    {"host": "component", "id": identity, "reason": "bytes that are not UTF-8 are no string of WIT's"}
                )
        if not listed:
            raise SystemExit(f"the data for {topic} holds no tests")
        file = {
            "schema": "gatewright-vectors/1",
            "area": "public",
            "operation": operation,
            "spec": spec,
            "header": [header],
            "count": len(listed),
            "tests": listed,
        }
        self.save(f"public/{topic}.json", file)
        self.files[f"public/{topic}.json"] = len(listed)

    def finish(self):
        self.save("skips.json", self.skips)
        self.save("manifest.json", {"schema": "gatewright-manifest/1", "files": self.files, "total": self.total()})

    def total(self):
        return sum(self.files.values())

    def save(self, name, value):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="ascii")


def to_input(given):
    return given.decode() if is_utf8(given) else {"hex": given.hex()}


def is_utf8(given):
    try:
        given.decode()
    except UnicodeDecodeError:
        return False
    return True


def text(expected):
    """The expectation of an answer, given as the bytes that it is."""
    return {"text": expected.decode()}


# --- The data ------------------------------------------------------------------------------------------------------------


def numtext(data, output):
    """JSON number texts and their canonical form."""
    rows = [line.split("\t") for line in lines(data / "numtext.tsv") if line and not line.startswith("#")]
    tests = []
    for start in range(0, len(rows), 500):
        some = rows[start : start + 500]
        given, expected = ("[" + ",".join(column) + "]" for column in zip(*some))
        comment = f"number texts {start} to {start + len(some) - 1}"
        tests.append((f"{start:05}", comment, given.encode(), text(expected.encode())))
    output.write("numtext", "RFC 8785 3.2.2.3", "JSON number texts, 500 in an array.", tests)


def es6_numbers(data, output):
    """The first doubles of the ES6 number test, spelled with 17 digits."""
    pairs = [line.split(",") for line in lines(data / "cyberphone/es6testfile10k.txt") if line]
    output.write(
        "es6-numbers", "RFC 8785 appendix B", "Doubles of the ES6 number test, 500 in an array.", in_arrays(pairs)
    )


def in_arrays(pairs):
    for start in range(0, len(pairs), 500):
        some = pairs[start : start + 500]
        given = "[" + ",".join(spell(bits) for bits, _ in some) + "]"
        expected = "[" + ",".join(expected for _, expected in some) + "]"
        comment = f"doubles {start} to {start + len(some) - 1}"
        yield f"{start:05}", comment, given.encode(), text(expected.encode())


def spell(bits):
    """The double of these hexadecimal digits with 17 digits, which name it and no other."""
    return "%.17g" % struct.unpack(">d", bytes.fromhex(bits.zfill(16)))[0]


def pairs_of_files(data, output):
    """Input and output files of four projects."""
    sources = [
        ("cyberphone", "cyberphone/testdata", "input/*.json", lambda path: path.parents[1] / "output" / path.name),
        (
            "erdtman-canonicalize",
            "erdtman-canonicalize/test/testdata",
            "input/*.json",
            lambda path: path.parents[1] / "output" / path.name,
        ),
        ("serde-jcs", "serde_jcs/tests/fixtures", "*.input.json", of_input(".output.")),
        (
            "serde-json-canonicalizer",
            "serde_json_canonicalizer/tests/resources",
            "*.input.json",
            of_input(".expected."),
        ),
    ]
    for topic, folder, pattern, output_of in sources:
        tests = []
        for path in sorted((data / folder).glob(pattern)):
            # Some of the expected files end with a line break, which no canonical form does.
            expected = output_of(path).read_bytes().rstrip(b"\r\n")
            tests.append((path.stem, f"{topic}: {path.name}", path.read_bytes(), text(expected)))
        output.write(topic, "RFC 8785", "Input and output files.", tests)


def of_input(ending):
    return lambda path: path.with_name(path.name.replace(".input.", ending))


def cyberphone_hex(data, output):
    """The same outputs as hexadecimal text, which no editor can have changed."""
    folder = data / "cyberphone/testdata"
    tests = []
    for path in sorted((folder / "outhex").glob("*.txt")):
        expected = bytes.fromhex(path.read_text(encoding="ascii"))
        given = (folder / "input" / path.name).with_suffix(".json").read_bytes()
        tests.append((path.stem, f"cyberphone: {path.name}", given, {"textHex": expected.hex()}))
        # A canonical form is its own.
        tests.append((f"{path.stem}-again", f"cyberphone: {path.name}", expected, {"textHex": expected.hex()}))
    output.write("cyberphone-hex", "RFC 8785", "Input files and outputs in hexadecimal.", tests)


def json_canon(data, output):
    """json-canon is stricter than RFC 8785: it refuses -0, underflow and noncharacters, which are left out."""
    folder = data / "lattice-json-canon/conformance"
    tests = []
    for path in sorted((folder / "vectors").glob("*.jsonl")):
        for line in lines(path):
            vector = json.loads(line) if line and not line.startswith("#") else {}
            if vector.get("mode") not in ("canonicalize", "verify"):
                continue
            given = vector["input"].encode("utf-8", "surrogatepass")
            expect = expectation(given)
            if "want_stdout" in vector:
                expect = text(vector["want_stdout"].encode())
            elif vector["mode"] == "verify" and vector["want_exit"] == 0:
                expect = text(given)
            elif "error" not in expect:
                continue
            tests.append((vector["id"], f"json-canon: {path.name}", given, expect))
    with open(folder / "official/rfc8785/appendix_b.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if is_finite(row["ieee754_hex"]):
                given = spell(row["ieee754_hex"]).encode()
                expected = text(row["json_string"].encode())
                tests.append((f"appendix-b-{row['ieee754_hex']}", f"RFC 8785: {row['comment']}", given, expected))
    output.write("json-canon", "RFC 8785", "What json-canon and RFC 8785 both say.", tests)


def is_finite(bits):
    return int(bits, 16) & 0x7FF0000000000000 != 0x7FF0000000000000


def json_test_suite(data, output):
    """JSONTestSuite: `y_` is read unless a limit of I-JSON's forbids it, `n_` is refused, `i_` is either."""
    tests = []
    for path in sorted((data / "jsontestsuite/test_parsing").glob("*.json")):
        given = path.read_bytes()
        expect = expectation(given)
        promise = path.name[0]
        if promise == "y" and "error" in expect and expect["error"]["code"] != "duplicate-key":
            raise SystemExit(f"{path.name} is JSON, and this script refuses it: {expect}")
        if promise == "n" and "error" not in expect:
            raise SystemExit(f"{path.name} is not JSON, and this script reads it")
        tests.append((path.stem, f"JSONTestSuite: {path.name}", given, expect))
    for path in sorted((data / "jsontestsuite/test_transform").glob("*.json")):
        given = path.read_bytes()
        tests.append((f"transform-{path.stem}", f"JSONTestSuite: {path.name}", given, expectation(given)))
    output.write("jsontestsuite", "RFC 8259, RFC 7493, RFC 8785", "Texts that are JSON, and that are not.", tests)


CONVERTERS = [numtext, es6_numbers, pairs_of_files, cyberphone_hex, json_canon, json_test_suite]


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")


# --- A strict reader, for the code of a refusal and the canonical form of small texts ------------------------------------


class Refused(Exception):
    pass


def expectation(given):
    """What the library answers to a text, by the rules that it states."""
    try:
        return {"text": canonical(Reader(given).document())}
    except Refused as refused:
        return {"error": {"code": str(refused)}}


NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
LITERALS = {"true": True, "false": False, "null": None}
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Reader:
    def __init__(self, given):
        self.at = 0
        self.depth = 0
        self.broken = None
        if given.startswith(b"\xef\xbb\xbf"):
            raise Refused("byte-order-mark")
        try:
            self.text = given.decode()
        except UnicodeDecodeError as error:
            self.text = given[: error.start].decode()
            is_surrogate = re.match(rb"\xed[\xa0-\xbf][\x80-\xbf]", given[error.start :])
            self.broken = "lone-surrogate" if is_surrogate else "invalid-utf8"

    def document(self):
        value = self.value()
        self.space()
        if self.at < len(self.text):
            raise Refused("trailing-text")
        if self.broken:
            raise Refused(self.broken)
        return value

    def refuse(self, code="invalid-json"):
        # Where the text ends because its bytes are broken, that is the fault.
        raise Refused(self.broken if self.broken and self.at >= len(self.text) else code)

    def space(self):
        while self.next() and self.next() in " \t\n\r":
            self.at += 1

    def next(self):
        return self.text[self.at : self.at + 1]

    def take(self, wanted):
        if not self.text.startswith(wanted, self.at):
            return False
        self.at += len(wanted)
        return True

    def value(self):
        self.space()
        if self.next() in ("{", "["):
            if self.depth == MAX_DEPTH:
                raise Refused("too-deep")
            self.depth += 1
            value = self.object() if self.take("{") else self.array()
            self.depth -= 1
            return value
        if self.next() == '"':
            return self.string()
        for word, value in LITERALS.items():
            if self.take(word):
                return value
        return self.number()

    def array(self):
        self.at += 1
        items = []
        self.space()
        if self.take("]"):
            return items
        while True:
            items.append(self.value())
            self.space()
            if self.take("]"):
                return items
            if not self.take(","):
                self.refuse()

    def object(self):
        members = {}
        is_twice = False
        self.space()
        if self.take("}"):
            return members
        while True:
            self.space()
            if self.next() != '"':
                self.refuse()
            key = self.string()
            self.space()
            if not self.take(":"):
                self.refuse()
            is_twice |= key in members
            members[key] = self.value()
            self.space()
            if self.take("}"):
                if is_twice:
                    raise Refused("duplicate-key")
                return members
            if not self.take(","):
                self.refuse()

    def string(self):
        self.at += 1
        out = []
        while True:
            character = self.next()
            if character == '"':
                self.at += 1
                return "".join(out)
            if character == "\\":
                out.append(self.escape())
            elif character < " ":
                # Also the end of the text, which is the empty string.
                self.refuse()
            else:
                out.append(character)
                self.at += 1

    def escape(self):
        kind = self.text[self.at + 1 : self.at + 2]
        if kind in ESCAPES:
            self.at += 2
            return ESCAPES[kind]
        unit = self.unit(self.at)
        if unit is None:
            self.refuse()
        if 0xD800 <= unit < 0xDC00:
            low = self.unit(self.at + 6)
            if low is None or not 0xDC00 <= low < 0xE000:
                raise Refused("lone-surrogate")
            self.at += 12
            return chr(0x10000 + (unit - 0xD800) * 0x400 + low - 0xDC00)
        if 0xDC00 <= unit < 0xE000:
            raise Refused("lone-surrogate")
        self.at += 6
        return chr(unit)

    def unit(self, at):
        found = re.compile(r"\\u([0-9a-fA-F]{4})").match(self.text, at)
        return int(found[1], 16) if found else None

    def number(self):
        found = NUMBER.match(self.text, self.at)
        if not found:
            self.at += self.next() == "-"
            self.refuse()
        # What goes on like a number and is none: a zero in front, or a point or an exponent without digits.
        more = re.compile(r"[0-9]|\.|[eE][+-]?").match(self.text, found.end())
        has_exponent = "e" in found[0].lower()
        may_follow = more and (more[0] == "." and ("." in found[0] or has_exponent) or more[0][0] in "eE" and has_exponent)
        if more and not may_follow:
            self.at = found.end() if more[0].isdigit() else more.end()
            self.refuse()
        value = float(found[0])
        if value in (float("inf"), float("-inf")):
            raise Refused("number-out-of-range")
        self.at = found.end()
        return value


def canonical(value):
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return ecmascript(value)
    return json.dumps(value, ensure_ascii=False)


def ecmascript(value):
    """`Number::toString`: Python's `repr` finds the same digits, and lays them out in another way."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits times ten to the power of `point`.
    point = int(exponent or 0) + len(whole) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
