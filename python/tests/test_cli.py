"""The command `gatewright` as a whole: this host, the core, and real servers."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT, SERVER, SITE


def server(behaviour):
    return "s=" + shlex.join([sys.executable, str(SERVER), behaviour])


@pytest.fixture
def changing(tmp_path_factory):
    """A server whose command stays what it is while its behaviour changes."""
    file = tmp_path_factory.mktemp("behaviour") / "file"

    def behave(behaviour):
        file.write_text(behaviour)
        return server(f"@{file}")

    return behave


def test_lock_then_ci(gatewright_command, changing, tmp_path):
    lock = tmp_path / "agentgate.lock"
    assert gatewright_command("ci", "--server", changing("normal")).returncode == 2  # nothing to compare with

    done = gatewright_command("lock", "--server", changing("normal"))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    data = json.loads(lock.read_text(encoding="utf-8"))
    assert set(data["servers"]["s"]["tools"]) == {"ping", "other"}

    before = lock.stat()
    assert gatewright_command("lock", "--server", changing("normal")).returncode == 0
    after = lock.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)

    assert gatewright_command("ci", "--server", changing("normal")).returncode == 0
    assert gatewright_command("diff", "--server", changing("normal")).returncode == 0
    for command in ("ci", "diff"):
        done = gatewright_command(command, "--server", changing("changed"))
        assert done.returncode == 1
        assert "ping" in done.stdout and "description" in done.stdout and "other" not in done.stdout

    lock.write_text(lock.read_text().replace('"lockfileVersion": 1', '"lockfileVersion": 2'))
    done = gatewright_command("ci", "--server", changing("normal"))
    assert done.returncode == 2 and "lockfileVersion" in done.stdout + done.stderr


def test_a_server_that_fails_keeps_its_entry(gatewright_command, changing, tmp_path):
    assert gatewright_command("lock", "--server", changing("normal")).returncode == 0
    before = (tmp_path / "agentgate.lock").read_bytes()
    for command in ("lock", "ci", "diff"):
        done = gatewright_command(command, "--server", changing("crash"))
        assert done.returncode == 2
        output = done.stdout + done.stderr
        assert "no such token" in output and "\x1b" not in output
    assert (tmp_path / "agentgate.lock").read_bytes() == before


@pytest.mark.parametrize("behaviour", ["twice", "no-utf8", "broken", "infinite", "null", "bom", "cut", "deep"])
def test_an_answer_that_is_not_quite_json(gatewright_command, changing, tmp_path, behaviour):
    """Nothing is mended on its way to the core: what a model would read in another way is no answer."""
    assert gatewright_command("lock", "--server", changing("normal")).returncode == 0
    before = (tmp_path / "agentgate.lock").read_bytes()
    for command in ("lock", "ci"):
        done = gatewright_command(command, "--server", changing(behaviour))
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stdout + done.stderr
    assert (tmp_path / "agentgate.lock").read_bytes() == before


def test_secrets_stay_secret(gatewright_command, tmp_path):
    for arguments in (["--env", "TOKEN=hunter2hunter2"], ["--env-from", "TOKEN"]):
        done = gatewright_command("lock", "--server", server("env"), *arguments, TOKEN="hunter2hunter2")
        assert done.returncode == 2
        done = gatewright_command("lock", "--server", server("normal"), *arguments, TOKEN="hunter2hunter2")
        assert done.returncode == 0
        for output in (done.stdout, done.stderr, (tmp_path / "agentgate.lock").read_text()):
            assert "hunter2" not in output
        (tmp_path / "agentgate.lock").unlink()


def test_a_real_server(gatewright_command, tmp_path):
    """The published server for git, with its pinned version."""
    real = f"git={shlex.join([sys.executable, '-m', 'mcp_server_git'])}"
    done = gatewright_command("lock", "--server", real)
    assert done.returncode == 0, done.stdout + done.stderr
    tools = json.loads((tmp_path / "agentgate.lock").read_bytes())["servers"]["git"]["tools"]
    assert {"git_status", "git_diff", "git_log"} <= set(tools)
    assert gatewright_command("ci", "--server", real).returncode == 0


def test_the_plain_installation(plain, tmp_path):
    """Without the extra: what needs no server works, and the rest says what to install."""

    def run(*arguments):
        return subprocess.run(
            [plain / "gatewright", *arguments],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )

    version = json.loads(
        subprocess.run(
            [plain / "python", "-c", "import gatewright, json; print(json.dumps(gatewright.__version__))"],
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    )
    done = run("--version")
    assert (done.returncode, version in done.stdout) == (0, True)
    assert run("--help").returncode == 0
    assert run("no-such-command").returncode == 2
    done = run("lock", "--server", server("normal"))
    assert done.returncode == 2 and 'pip install "gatewright[cli]"' in done.stdout + done.stderr
    assert not (tmp_path / "agentgate.lock").exists()
    (tmp_path / "tools.json").write_text('{"tools": [{"name": "ping"}]}')
    done = run("lock", "--server", "file=tools.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert run("ci", "--server", "file=tools.json").returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "gatewright", "lock", "--server", server("silent")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SITE)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert (process.returncode, output) == (130, b"")
    assert os.listdir(tmp_path) == []


def test_an_argument_that_is_no_text(gatewright_command):
    done = gatewright_command(os.fsdecode(b"\xff\xfe"))
    assert done.returncode == 2 and done.stderr and "Traceback" not in done.stderr


def test_source_distribution_has_all_it_takes(tmp_path):
    """The sdist holds the core, the lockfile and the package: what it takes to build without this repository."""
    import tarfile

    subprocess.run(
        [sys.executable, "-m", "maturin", "sdist", "-m", ROOT / "python" / "Cargo.toml", "-o", tmp_path],
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    names = {name.split("/", 1)[1] for name in tarfile.open(archive).getnames()}
    assert {"pyproject.toml", "Cargo.lock", "core/src/wire.rs", "python/src/lib.rs"} <= names
    assert any(name.endswith("gatewright/__init__.py") for name in names)
    assert not any(name.startswith(("npm/", "python/tests/", "python/bench/")) for name in names)
