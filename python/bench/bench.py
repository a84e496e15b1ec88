"""Measures the installed package beside PyPI's rfc8785 with hashlib, and prints one JSON object a line.

    python bench.py FILE...      each a tools/list result of another size; with a changed one beside it,
                                 NAME.after.json, the two are compared, too

Both are given text and give the full result: four hashes for each tool, and the surface's. Each file runs in a process
of its own. The memory is what the process held at most during a call, above what it held with the input.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

COLD_STARTS = 15


def main(files):
    if not files:
        sys.exit("usage: python bench.py FILE...")
    for file in files:
        answers = []
        for impl in IMPLS:
            done = subprocess.run([sys.executable, __file__, "--surface", impl, file], stdout=subprocess.PIPE, check=True)
            result = json.loads(done.stdout)
            answers.append(result.pop("toolSurfaceHash"))
            report(**result)
        if len(set(answers)) != 1:
            sys.exit(f"{file}: the implementations disagree: {answers}")
        measure_drift(Path(file))
    time_import()
    time_one_tool()


def report(**result):
    print(json.dumps(result), flush=True)


def measure_surface(impl, file):
    text = Path(file).read_text(encoding="utf-8")
    size = Path(file).stat().st_size
    hash_surface = IMPLS[impl]()
    hash_surface('{"tools": []}')
    held = reset_peak()
    result = hash_surface(text)
    above = peak() - held
    tools, surface_hash = len(result["tools"]), result["toolSurfaceHash"]
    del result
    report(
        what="hashSurface",
        impl=impl,
        n=tools,
        bytes=size,
        ms=round(median_time(lambda: hash_surface(text)) * 1e3, 3),
        rssAboveInputMB=round(above / 1e6, 2),
        rssAboveInputRatio=round(above / size, 2),
        toolSurfaceHash=surface_hash,
    )


def measure_drift(file):
    """Two surfaces in, drift out, beside what only reading them takes."""
    import gatewright

    changed = file.with_suffix(".after.json")
    if not changed.exists():
        return
    before, after = (path.read_text(encoding="utf-8") for path in (file, changed))
    tools = len(json.loads(before)["tools"])
    findings = gatewright.classify_drift(before, after, profile="mcplock")["findings"]
    assert len({finding["tool"] for finding in findings}) >= tools / 50
    for impl, run in {
        "reading both: the language's own reader": lambda: (json.loads(before), json.loads(after)),
        "gatewright: both texts in, drift out": lambda: gatewright.classify_drift(before, after),
    }.items():
        report(what="classifyDrift", impl=impl, n=tools, ms=round(median_time(run) * 1e3, 3))


def median_time(run):
    """Seconds of one run: the median of as many as fit into a second and a half, and of five at least."""
    times = []
    end = time.perf_counter() + 1.5
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def gatewright_():
    import gatewright

    return gatewright.hash_surface


def rfc8785_():
    import hashlib

    import rfc8785

    def hash_of(value):
        return "sha256:" + hashlib.sha256(rfc8785.dumps(value)).hexdigest()

    def hash_surface(text):
        surface = json.loads(text)
        tools = {}
        for tool in surface if isinstance(surface, list) else surface["tools"]:
            fields = {field: tool.get(field) for field in ("name", "description", "inputSchema")}
            tools[tool["name"]] = {
                "hash": hash_of(fields),
                **{f"{field}Hash": hash_of(value) for field, value in fields.items()},
            }
        ordered = sorted(tools, key=lambda name: name.encode("utf-16-be"))
        return {"toolSurfaceHash": hash_of([tools[name]["hash"] for name in ordered]), "tools": tools}

    return hash_surface


IMPLS = {"gatewright": gatewright_, "rfc8785 + hashlib": rfc8785_}


def time_import():
    """What `-X importtime` says in cold processes."""
    command = [sys.executable, "-X", "importtime", "-c", "import gatewright"]
    microseconds = []
    for _ in range(COLD_STARTS):
        lines = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True).stderr.splitlines()
        line = next(line for line in reversed(lines) if line.split("|")[-1].strip() == "gatewright")
        microseconds.append(int(line.split("|")[1]))
    report(what="import", impl="gatewright", ms=statistics.median(microseconds) / 1e3)


def time_one_tool():
    import gatewright

    tool = {
        "name": "read_file",
        "description": "Reads a file and gives its text. " * 20,
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    }
    text = json.dumps(tool)
    for kind, given in {"text": text, "bytes": text.encode(), "object": tool}.items():

        def run(given=given):
            for _ in range(100):
                gatewright.hash_tool(given)

        report(what="hashTool", impl="gatewright", input=kind, bytes=len(text), us=round(median_time(run) * 1e4, 2))


def reset_peak():
    """What is held now, in bytes. Linux forgets the peak when asked to; elsewhere it is that of the whole process."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return status("VmRSS")
    except OSError:
        return peak()


def peak():
    try:
        return status("VmHWM")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def status(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--surface"]:
        measure_surface(*sys.argv[2:])
    else:
        main(sys.argv[1:])
