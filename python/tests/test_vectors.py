"""The vectors, run by the plain installation's own interpreter. `vectors.py` says what is checked."""

import json
import os
import re
import subprocess
from pathlib import Path

from conftest import ROOT

RUNNER = Path(__file__).with_name("vectors.py")
FOLDER = ROOT / "tests" / "vectors"


def run(plain, *folders):
    done = subprocess.run([plain / "python", RUNNER, *folders], capture_output=True, encoding="utf-8")
    return done, re.fullmatch(r"(\d+) passed, (\d+) failed \(.*\)\n", done.stdout)


def test_vectors(plain):
    extra = [Path(path).resolve() for path in [os.environ.get("GATEWRIGHT_EXTRA_VECTORS")] if path]
    done, counts = run(plain, FOLDER, *extra)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)
    total = sum(json.loads((folder / "manifest.json").read_bytes())["total"] for folder in [FOLDER, *extra])
    assert int(counts[1]) >= total > 0


def test_the_runner_fails_on_a_wrong_expectation_and_a_missing_file(plain, tmp_path):
    vector = {
        "operation": "canonicalize",
        "count": 1,
        "tests": [{"id": "a/b", "inputs": ["[1.0]"], "expect": {"text": "[1.0]"}}],
    }
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.json").write_text(json.dumps(vector))
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {"a/b.json": 1}, "total": 1}))
    done, counts = run(plain, tmp_path)
    assert (done.returncode, counts[1], counts[2]) == (1, "0", "3")

    vector["tests"][0]["expect"]["text"] = "[1]"
    (tmp_path / "a" / "b.json").write_text(json.dumps(vector))
    done, counts = run(plain, tmp_path)
    assert (done.returncode, counts[1], counts[2]) == (0, "3", "0")

    (tmp_path / "manifest.json").write_text(json.dumps({"files": {"a/b.json": 1, "a/c.json": 1}, "total": 2}))
    assert run(plain, tmp_path)[0].returncode == 1
