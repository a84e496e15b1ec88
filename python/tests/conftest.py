"""The tests run against the wheel that `./x build` made, never against the source folder."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVER = Path(__file__).with_name("server.py")


def find_wheel():
    dist = Path(os.environ.get("GATEWRIGHT_DIST", ROOT / "dist"))
    wheels = sorted(dist.glob("gatewright-*.whl"))
    if len(wheels) != 1:
        raise pytest.UsageError(f"expected one wheel in {dist}, found {len(wheels)}: run `./x build`")
    return wheels[0]


WHEEL = find_wheel()
# Unpacked, a wheel is what an installation puts on the path. The environment of the tests brings the extra `cli`.
_unpacked = tempfile.TemporaryDirectory(prefix="gatewright-wheel-")
SITE = Path(_unpacked.name)
zipfile.ZipFile(WHEEL).extractall(SITE)
sys.path.insert(0, str(SITE))


@pytest.fixture(scope="session")
def plain(tmp_path_factory):
    """An environment that holds the wheel and nothing else; gives the folder of its commands."""
    folder = tmp_path_factory.mktemp("plain") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run(
        [commands / "python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", WHEEL], check=True
    )
    return commands


@pytest.fixture
def gatewright_command(tmp_path):
    """Runs `python -m gatewright` with the extra `cli`, in an empty folder."""

    def run(*arguments, folder=tmp_path, **environment):
        return subprocess.run(
            [sys.executable, "-m", "gatewright", *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(SITE), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return run


@pytest.fixture
def quick_command(tmp_path, monkeypatch, capfd):
    """The same in this process, which spares each run the imports."""
    from gatewright._cli import main

    def run(*arguments, folder=tmp_path, **environment):
        with monkeypatch.context() as patched:
            patched.chdir(folder)
            for name, value in environment.items():
                patched.setenv(name, value)
            code = main([str(argument) for argument in arguments])
        stdout, stderr = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, code, stdout, stderr)

    return run
