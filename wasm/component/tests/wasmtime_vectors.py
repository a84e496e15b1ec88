"""Runs the vectors, and the Python example of `wit/README.md`, on the component in wasmtime.

    python wasmtime_vectors.py

`GATEWRIGHT_COMPONENT` may name another component than the one in `dist/`, and `GATEWRIGHT_EXTRA_VECTORS` a second folder
of vectors. What cannot cross the typed interface stands in the folder's `skips.json`, and nothing else is left out.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

HOST = "component"
ROOT = Path(__file__).resolve().parents[3]
COMPONENT = Path(os.environ.get("GATEWRIGHT_COMPONENT") or ROOT / "dist" / "gatewright.component.wasm").resolve()


class Failure(Exception):
    """The record `error`, as an exception."""

    def __init__(self, error):
        super().__init__(error.message)
        self.members = to_json(error)


class CannotCross(Exception):
    """An input that the typed interface has no place for."""


class Gatewright:
    """The component's functions, by interface and name."""

    def __init__(self):
        engine = Engine()
        self.component = Component.from_file(engine, str(COMPONENT))
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, self.component)

    def call(self, interface, function, *arguments):
        within = self.instance.get_export_index(self.store, f"gatewright:core/{interface}@0.1.0")
        index = self.instance.get_export_index(self.store, function, within)
        result = self.instance.get_func(self.store, index)(self.store, *arguments)
        # A `result` comes as a `Variant` where both of its sides are records, and otherwise as the side itself.
        if isinstance(result, Variant):
            result = result.payload
        if isinstance(result, Record) and hasattr(result, "code"):
            raise Failure(result)
        return result


# --- The wire's operations, and what they are here ---------------------------------------------------------------------

OPERATIONS = {
    "canonicalize": lambda core, json_text: core.call("canonical", "canonicalize", json_text),
    "digest": lambda core, json_text: core.call("canonical", "digest", json_text),
    "hashTool": lambda core, tool: to_json(core.call("surface", "hash-tool", tool)),
    "hashSurface": lambda core, surface: surface_to_json(core.call("surface", "hash-surface", surface)),
    "parseLockfile": lambda core, text: json.loads(core.call("lockfile", "parse", text)),
    "buildLockfile": lambda core, servers, options, *parts: core.call(
        "lockfile", "build", to_servers(servers, parts), *to_options(options, now=str)
    ),
    "updateLockfile": lambda core, text, servers, options, *parts: core.call(
        "lockfile", "update", text, to_servers(servers, parts), *to_options(options, now=str, wholeSet=bool)
    ),
    "verifyLockfile": lambda core, text, servers, options, *parts: verification_to_json(
        core.call("lockfile", "verify", text, to_servers(servers, parts), *to_options(options, wholeSet=bool))
    ),
    "buildSnapshot": lambda core, server, options, previous, *parts: core.call(
        "snapshot", "build", *to_listed(server, parts), *to_options(options, now=str), previous or None
    ),
    "checkSnapshot": lambda core, text, surface, options: checked_to_json(
        core.call("snapshot", "check", text, surface, *to_check_options(options))
    ),
    "classifyDrift": lambda core, before, after, options: drift_to_json(
        core.call("drift", "classify", before, after, to_profile(to_members(options, "profile")))
    ),
    "schemaWidenings": lambda core, before, after: widenings_to_json(
        core.call("schema", "widenings", before, after)
    ),
    "rules": lambda core: [to_json(rule) for rule in core.call("meta", "rules")],
    "explain": lambda core, rule: core.call("meta", "explain", rule),
    "version": lambda core: core.call("meta", "version"),
    "specVersions": lambda core: {
        spec.specification: spec.version for spec in core.call("meta", "spec-versions")
    },
}


def record(**members):
    made = Record()
    made.__dict__.update({name.replace("_", "-"): value for name, value in members.items()})
    return made


def to_servers(text, parts):
    return [to_server(server, parts) for server in of_type(list, parse(text))]


def to_server(server, parts):
    match of_type(dict, server):
        case {"name": str(name), "surface": surface, **rest}:
            listed = surface if isinstance(surface, str) else json.dumps(surface)
        case {"name": str(name), "surfacePart": int(part), **rest} if 0 <= part < len(parts):
            listed = parts[part]
        case {"name": str(name), "unreachable": True, **rest}:
            listed = None
        case _:
            raise CannotCross(f"the server {server}")
    endpoint = to_endpoint(rest.pop("endpoint")) if "endpoint" in rest else None
    if rest:
        raise CannotCross(f"the members {list(rest)} of a server")
    return record(name=name, surface=listed, endpoint=endpoint)


def to_listed(text, parts):
    """The parts of one server that listed its tools."""
    server = to_server(parse(text), parts)
    return server.name, of_type(str, server.surface), server.endpoint


def to_endpoint(endpoint):
    match of_type(dict, endpoint):
        case {"command": str(command), **rest} if rest.pop("transport", "stdio") == "stdio":
            args, env_names = strings(rest.pop("args", [])), strings(rest.pop("envNames", []))
            made = Variant("command", record(command=command, args=args, env_names=env_names))
        case {"url": str(url), **rest} if (transport := rest.pop("transport", "http")) in ("http", "sse"):
            made = Variant("url", record(transport=transport, url=url))
        case _:
            raise CannotCross(f"the endpoint {endpoint}")
    if rest:
        raise CannotCross(f"the members {list(rest)} of an endpoint")
    return made


def to_options(text, **types):
    """The options in their order here; an absent flag is false."""
    options = to_members(text, *types)
    return [of_type(kind, options.get(name, False)) for name, kind in types.items()]


def to_check_options(text):
    options = to_members(text, "profile", "failOn", "endpoint")
    endpoint = to_endpoint(options["endpoint"]) if "endpoint" in options else None
    fail_on = options.get("failOn", "high")
    if fail_on not in ("critical", "high", "medium", "informational"):
        raise CannotCross(f"the severity {fail_on}")
    return endpoint, to_profile(options), fail_on


def to_profile(options):
    profile = options.get("profile", "default")
    if profile not in ("default", "mcplock"):
        raise CannotCross(f"the profile {profile}")
    return profile


def to_members(text, *known):
    """The options, of which no other is known."""
    options = of_type(dict, parse(text)) if text else {}
    if not options.keys() <= set(known):
        raise CannotCross(f"the options {options}")
    return options


def parse(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise CannotCross(f"what is not JSON: {text[:100]}") from None


def strings(value):
    return [of_type(str, item) for item in of_type(list, value)]


def of_type(kind, value):
    if not isinstance(value, kind):
        raise CannotCross(f"{value} in the place of {kind.__name__}")
    return value


def to_json(made):
    """A record of texts and numbers with the wire's names; what is absent is left out."""
    return {camel_case(name): value for name, value in vars(made).items() if value is not None}


def surface_to_json(hashes):
    tools = {tool.name: to_json(tool.hashes) for tool in hashes.tools}
    return {"toolSurfaceHash": getattr(hashes, "tool-surface-hash"), "tools": tools}


def verification_to_json(answer):
    return {"verified": answer.verified, "findings": findings_to_json(answer.findings)}


def findings_to_json(findings):
    return [with_parsed(to_json(finding), "evidence") for finding in findings]


def checked_to_json(answer):
    return {**drift_to_json(answer.drift), "fails": answer.fails}


def drift_to_json(drift):
    return {
        "severity": drift.severity,
        "counts": to_json(drift.counts),
        "changes": [change_to_json(change) for change in drift.changes],
        "findings": findings_to_json(drift.findings),
        "notChecked": getattr(drift, "not-checked"),
    }


def change_to_json(change):
    made = with_parsed(to_json(change), "before", "after")
    words = [to_json(word) for word in made.pop("words")]
    return {**made, "words": words} if words else made


def widenings_to_json(moved):
    return {
        name: [with_parsed(to_json(widening), "witness", "before", "after") for widening in widenings]
        for name, widenings in vars(moved).items()
    }


def with_parsed(made, *names):
    """With these members, where they are there, as the JSON whose text they are."""
    return {name: json.loads(value) if name in names else value for name, value in made.items()}


def camel_case(name):
    return re.sub("-(.)", lambda found: found[1].upper(), name)


# --- The vectors -------------------------------------------------------------------------------------------------------


class Run:
    def __init__(self):
        self.core = Gatewright()
        self.passed = 0
        self.skipped = 0
        self.failures = []

    def folder(self, folder):
        manifest = read(folder / "manifest.json")
        files = {path.relative_to(folder).as_posix(): read(path) for path in sorted(folder.glob("*/*.json"))}
        counts = {name: len(file["tests"]) for name, file in files.items()}
        stated = {name: file["count"] for name, file in files.items()}
        if not counts == stated == manifest["files"] or sum(counts.values()) != manifest["total"] or not counts:
            self.failures.append(f"{folder}: the files are not those of the manifest")
        skips = folder / "skips.json"
        unused = {skip["id"] for skip in read(skips) if skip["host"] == HOST} if skips.exists() else set()
        patterns = sorted(unused)
        for file in files.values():
            for test in file["tests"]:
                skip = next((pattern for pattern in patterns if covers(pattern, test["id"])), None)
                self.test(file["operation"], test, skip)
                unused.discard(skip)
        self.failures += [f"{folder}: the skip `{skip}` is not used" for skip in sorted(unused)]

    def test(self, operation, test, skip):
        why = self.difference(operation, test)
        if skip is not None:
            self.skipped += 1
            why = None if why else f"it passes, and the skip `{skip}` leaves it out"
        elif why is None:
            self.passed += 1
        if why:
            self.failures.append(f"{test['id']} ({test['comment']}): {why}")

    def difference(self, operation, test):
        """What differs from the expectation, or None."""
        expect = test["expect"]
        if operation not in OPERATIONS:
            return f"there is no operation `{operation}`"
        try:
            inputs = [decode(given).decode() for given in test["inputs"]]
            got = OPERATIONS[operation](self.core, *inputs)
        except Failure as failure:
            wanted = expect.get("error")
            if wanted is None or any(failure.members.get(name) != value for name, value in wanted.items()):
                return f"{failure.members} instead of {str(expect)[:500]}"
            return None
        except (CannotCross, UnicodeError) as why:
            return f"cannot cross, and is not in skips.json: {why}"
        if "text" in expect:
            same = got == expect["text"]
        elif "textHex" in expect:
            same = got.encode() == bytes.fromhex(expect["textHex"])
        elif "json" in expect:
            # Compared as text, because to Python 1, 1.0 and True are the same.
            same = json.dumps(got, sort_keys=True) == json.dumps(expect["json"], sort_keys=True)
        else:
            same = False
        return None if same else f"{str(got)[:500]} instead of {str(expect)[:500]}"


def covers(pattern, identity):
    return identity.startswith(pattern[:-1]) if pattern.endswith("*") else identity == pattern


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


# --- Beside the vectors ------------------------------------------------------------------------------------------------


def nothing_is_imported():
    wasm_tools = Path(sys.executable).with_name("wasm-tools")
    wit = subprocess.run([wasm_tools, "component", "wit", COMPONENT], check=True, capture_output=True, text=True).stdout
    assert re.search(r"^ *export gatewright:core/canonical@0\.1\.0;$", wit, re.MULTILINE), wit
    assert not re.search(r"^ *import ", wit, re.MULTILINE), wit


def half_a_surrogate_pair_is_refused():
    try:
        Gatewright().call("canonical", "canonicalize", '"\ud800"')
    except UnicodeEncodeError:
        return
    raise AssertionError("half a surrogate pair was taken")


def the_example_prints_what_it_says():
    text = (ROOT / "wit" / "README.md").read_text(encoding="utf-8")
    example, output = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", text, re.DOTALL).groups()
    printed = io.StringIO()
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("gatewright.component.wasm").write_bytes(COMPONENT.read_bytes())
        with contextlib.redirect_stdout(printed):
            exec(compile(example, "wit/README.md", "exec"), {})
    assert printed.getvalue() == output, printed.getvalue()


def main():
    for check in (nothing_is_imported, half_a_surrogate_pair_is_refused, the_example_prints_what_it_says):
        check()
    run = Run()
    extra = os.environ.get("GATEWRIGHT_EXTRA_VECTORS")
    for folder in [ROOT / "tests" / "vectors", *([Path(extra)] if extra else [])]:
        run.folder(folder)
    for failure in run.failures:
        print(failure, file=sys.stderr)
    print(f"wasmtime: {run.passed} passed, {len(run.failures)} failed ({run.skipped} cannot cross)")
    return 1 if run.failures or not run.passed else 0


if __name__ == "__main__":
    sys.exit(main())
