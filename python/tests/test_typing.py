"""The stubs: a typed caller passes the strictest check, and they say what the module says."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import SITE

CALLER = Path(__file__).with_name("typed.py")
ENVIRONMENT = {**os.environ, "MYPYPATH": str(SITE), "PYTHONPATH": str(SITE)}


def run(folder, *command):
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=ENVIRONMENT, capture_output=True, encoding="utf-8"
    )


def test_a_typed_caller(tmp_path):
    done = run(tmp_path, "mypy", "--strict", "--warn-unused-ignores", "--python-version", "3.10", str(CALLER))
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_those_of_the_module(tmp_path):
    allowed = tmp_path / "allowed"
    # The command line is no interface for Python callers and has no stubs.
    allowed.write_text(r"gatewright\.(_cli|_error|_objects|_names|__main__).*" + "\n")
    done = run(tmp_path, "mypy.stubtest", "gatewright", "--allowlist", str(allowed), "--ignore-unused-allowlist")
    assert done.returncode == 0, done.stdout + done.stderr
