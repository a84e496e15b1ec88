"""Runs the test vectors against the installed package. It needs nothing but the package and the standard library.

    python vectors.py FOLDER...

Every vector is run with its inputs as bytes; as `str`, where they have that form; and through the public functions with
objects, where a success can be expressed that way. The counts must be those of the manifest, so that a folder that was
not found, or half of one, cannot pass.
"""

import json
import sys
from pathlib import Path

import gatewright
from gatewright import _core

HOST = "python"


def main(folders):
    run = Run()
    for folder in folders:
        run.folder(Path(folder))
    for failure in run.failures[:50]:
        print(failure, file=sys.stderr)
    modes = ", ".join(f"{count} as {mode}" for mode, count in run.passed.items())
    print(f"{sum(run.passed.values())} passed, {len(run.failures)} failed ({modes})")
    return 1 if run.failures or not all(run.passed.values()) else 0


class Run:
    def __init__(self):
        self.passed = {"bytes": 0, "text": 0, "object": 0}
        self.failures = []

    def folder(self, folder):
        manifest = read(folder / "manifest.json")
        found = {
            path.relative_to(folder).as_posix(): read(path)
            for path in sorted(folder.glob("*/*.json"))
        }
        counts = {name: len(file["tests"]) for name, file in found.items()}
        stated = {name: file["count"] for name, file in found.items()}
        if not counts == stated == manifest["files"] or sum(counts.values()) != manifest["total"] or not counts:
            self.failures.append(f"{folder}: the files are not those of the manifest")
        skips = Skips(folder / "skips.json")
        for file in found.values():
            for test in file["tests"]:
                if not skips.skip(test["id"]):
                    self.test(file["operation"], test)
        self.failures += [f"{folder}: the skip `{skip}` is not used" for skip in skips.unused()]

    def test(self, operation, test):
        inputs = [decode(given) for given in test["inputs"]]
        ways = {
            "bytes": lambda: _core.call(operation, *inputs),
            "text": in_text(operation, inputs),
            "object": in_objects(operation, inputs) if "error" not in test["expect"] else None,
        }
        for mode, way in ways.items():
            if way is None:
                continue
            why = difference(test["expect"], way)
            if why is None:
                self.passed[mode] += 1
            else:
                self.failures.append(f"{test['id']} as {mode}: {why}")


class Skips:
    def __init__(self, path):
        listed = read(path) if path.exists() else []
        self.uses = {entry["id"]: 0 for entry in listed if entry["host"] == HOST}

    def skip(self, identity):
        for pattern in self.uses:
            if identity == pattern or (pattern.endswith("*") and identity.startswith(pattern[:-1])):
                self.uses[pattern] += 1
                return True
        return False

    def unused(self):
        return [pattern for pattern, uses in self.uses.items() if not uses]


def read(path):
    return json.loads(path.read_bytes())


def decode(given):
    """An input of a vector as bytes."""
    if isinstance(given, str):
        return given.encode("utf-8", "surrogatepass")
    if "hex" in given:
        return bytes.fromhex(given["hex"])
    if "concat" in given:
        return b"".join(decode(part) for part in given["concat"])
    return decode(given["repeat"]["text"]) * given["repeat"]["times"]


def in_text(operation, inputs):
    try:
        texts = [given.decode("utf-8", "surrogatepass") for given in inputs]
    except UnicodeDecodeError:
        return None
    return lambda: _core.call(operation, *texts)


def in_objects(operation, inputs):
    """A call of the public function with objects, or None where there is no such call."""
    if operation in ON_VALUES:
        values = [json.loads(given) for given in inputs]
        # A `str` argument is JSON text, never a JSON string.
        return None if any(isinstance(value, str) for value in values) else lambda: ON_VALUES[operation](*values)
    if operation in ON_SERVERS:
        function, texts = ON_SERVERS[operation]
        options = json.loads(inputs[texts + 1])
        servers = with_parts(json.loads(inputs[texts]), inputs[texts + 2 :])
        if not set(options) <= {"now", "wholeSet"} or ("now" in options and texts == 1 and "verify" in operation):
            return None
        keywords = {KEYWORDS[key]: value for key, value in options.items()}
        return lambda: function(*inputs[:texts], servers, **keywords)
    if operation in ON_SURFACES:
        function, options = ON_SURFACES[operation]
        keywords = {KEYWORDS[key]: value for key, value in json.loads(inputs[options] or b"{}").items()}
        values = [json.loads(given) for given in inputs[:options]]
        return None if any(isinstance(value, str) for value in values) else lambda: function(*values, **keywords)
    if operation == "buildSnapshot":
        (server,) = with_parts([json.loads(inputs[0])], inputs[3:])
        previous = json.loads(inputs[2]) if inputs[2] else None
        return lambda: gatewright.build_snapshot(server, previous=previous, **json.loads(inputs[1]))
    if operation in NO_OBJECT:
        return lambda: NO_OBJECT[operation](*(given.decode() for given in inputs))
    return None


def with_parts(servers, parts):
    """The servers as a caller of the public functions gives them: with their surfaces in place."""
    if not isinstance(servers, list):
        return servers
    return [
        {("surface" if key == "surfacePart" else key): (parts[value] if key == "surfacePart" else value)
         for key, value in server.items()}
        for server in servers
    ]


ON_VALUES = {
    "canonicalize": gatewright.canonicalize,
    "digest": gatewright.digest,
    "hashTool": gatewright.hash_tool,
    "hashSurface": gatewright.hash_surface,
    "schemaWidenings": gatewright.schema_widenings,
}
ON_SERVERS = {
    "buildLockfile": (gatewright.build_lockfile, 0),
    "updateLockfile": (gatewright.update_lockfile, 1),
    "verifyLockfile": (gatewright.verify_lockfile, 1),
}
ON_SURFACES = {
    "checkSnapshot": (gatewright.check_snapshot, 2),
    "classifyDrift": (gatewright.classify_drift, 2),
}
NO_OBJECT = {
    "parseLockfile": gatewright.parse_lockfile,
    "explain": gatewright.explain,
    "rules": gatewright.rules,
    "version": lambda: gatewright.__version__,
    "specVersions": lambda: gatewright.SPEC_VERSIONS,
}
KEYWORDS = {
    "now": "now",
    "wholeSet": "whole_set",
    "profile": "profile",
    "failOn": "fail_on",
    "endpoint": "endpoint",
}


def difference(expect, call):
    """What differs from the expectation, or None."""
    try:
        got = call()
    except gatewright.GatewrightError as error:
        got = {member: getattr(error, member) for member in ("code", "pointer", "line", "column")}
        wanted = expect.get("error")
        if wanted is None or any(got.get(member) != value for member, value in wanted.items()):
            return f"{got} instead of {str(expect)[:500]}"
        return None
    if "text" in expect:
        wanted = expect["text"]
    elif "textHex" in expect:
        wanted = bytes.fromhex(expect["textHex"]).decode()
    elif "json" in expect:
        # Compared as text, because to Python 1, 1.0 and True are the same.
        got = json.dumps(got, sort_keys=True)
        wanted = json.dumps(expect["json"], sort_keys=True)
    else:
        return f"an answer instead of {expect}"
    if got == wanted:
        return None
    at = next((at for at, (one, other) in enumerate(zip(got, wanted)) if one != other), min(len(got), len(wanted)))
    window = slice(max(0, at - 40), at + 40)
    return f"from character {at} on: `{got[window]}` instead of `{wanted[window]}`"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
