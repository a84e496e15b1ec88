"""`gatewright snapshot` and `check`, and texts kept beside a lockfile: this host, the core, and real servers."""

import json
import shlex
import stat
import sys

import pytest
from conftest import SERVER

posix = pytest.mark.skipif(sys.platform == "win32", reason="file modes are those of POSIX")


@pytest.fixture
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home") / "made by the command"


@pytest.fixture
def run(quick_command, home, tmp_path):
    """Runs the command with a home of its own."""

    def run(*arguments, **environment):
        return quick_command(*arguments, GATEWRIGHT_HOME=str(home), HOME=str(tmp_path / "none"), **environment)

    return run


@pytest.fixture
def changing(tmp_path_factory):
    """The command line of a server that stays what it is while the server's behaviour changes."""
    file = tmp_path_factory.mktemp("behaviour") / "file"

    def behave(behaviour):
        file.write_text(behaviour)
        return shlex.join([sys.executable, str(SERVER), f"@{file}"])

    return behave


def snapshots(home):
    return sorted((home / "snapshots").iterdir())


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_snapshot_then_check(run, changing, home, tmp_path):
    done = run("check", changing("normal"))
    assert done.returncode == 2 and "there is no snapshot" in done.stderr  # nothing to compare with
    assert not home.exists()

    done = run("snapshot", changing("normal"))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert "pinned 2 tools" in done.stdout
    (file,) = snapshots(home)
    data = json.loads(file.read_text(encoding="utf-8"))
    assert set(data["tools"]) == {"ping", "other"}
    assert data["instructions"] == "Be kind." and data["server_info"]["name"] == "test"

    done = run("check", changing("normal"))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert "2 tools as pinned" in done.stdout

    done = run("check", changing("changed"))
    assert done.returncode == 0 and "description-edit" in done.stdout and "pang" in done.stdout
    assert run("check", changing("changed"), "--fail-on", "informational").returncode == 1
    assert run("check", changing("changed"), "--fail-on", "informational", "--preview").returncode == 0

    done = run("check", changing("flipped"))
    assert done.returncode == 1 and "annotation-flip" in done.stdout and "critical" in done.stdout
    assert run("check", changing("flipped"), "--preview").returncode == 0
    assert run("check", changing("flipped"), "--profile", "mcplock").returncode == 1

    done = run("check", changing("crash"))
    assert done.returncode == 2 and "no such token" in done.stderr and "\x1b" not in done.stderr
    assert json.loads(file.read_text(encoding="utf-8")) == data
    assert list(tmp_path.iterdir()) == []  # nothing but the home is written to


def test_a_snapshot_is_replaced_and_says_by_what(run, changing, home):
    assert run("snapshot", changing("normal")).returncode == 0
    (file,) = snapshots(home)
    first = json.loads(file.read_text(encoding="utf-8"))
    done = run("snapshot", changing("more"))
    assert done.returncode == 0 and "new-tool" in done.stdout and "was replaced" in done.stdout
    second = json.loads(file.read_text(encoding="utf-8"))
    assert set(second["tools"]) == {"ping", "other", "third"}
    assert second["created_at"] == first["created_at"]
    assert second["tools"]["ping"]["first_seen"] == first["tools"]["ping"]["first_seen"]
    assert run("check", changing("more")).returncode == 0

    # What cannot be read is left alone: it may be someone's only record.
    file.write_text("{}")
    done = run("snapshot", changing("normal"))
    assert done.returncode == 2 and file.read_text() == "{}"
    assert run("check", changing("normal")).returncode == 2
    before = file.read_bytes()
    assert run("snapshot", changing("crash")).returncode == 2
    assert file.read_bytes() == before


@posix
def test_snapshots_are_for_their_owner_alone(run, changing, home):
    assert run("snapshot", changing("normal"), "--as", "mine").returncode == 0
    (file,) = snapshots(home)
    assert file.name == "mine.json"
    assert (mode(file), mode(file.parent), mode(home)) == (0o600, 0o700, 0o700)
    file.chmod(0o644)
    assert run("snapshot", changing("changed"), "--as", "mine").returncode == 0
    assert mode(file) == 0o600


def test_one_name_for_several_commands(run, changing, tmp_path):
    assert run("snapshot", changing("normal"), "--as", "mine").returncode == 0
    done = run("check", shlex.join([sys.executable, str(SERVER), "normal"]), "--as", "mine")
    assert done.returncode == 0 and "endpoint" in done.stdout
    (tmp_path / "tools.json").write_text('{"tools": [{"name": "ping", "description": "Answers all."}]}')
    done = run("check", "tools.json", "--as", "mine", "--json", "-")
    assert done.returncode == 1
    assert {finding["rule"] for finding in json.loads(done.stdout)["findings"]} >= {
        "missing-tool",
        "description-trigger-word",
    }


def test_the_report_as_json(run, changing, tmp_path):
    assert run("snapshot", changing("normal"), "--as", "mine").returncode == 0
    done = run("check", changing("flipped"), "--as", "mine", "--json", "report.json")
    assert done.returncode == 1 and "annotation-flip" in done.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["report"], report["version"], report["server"]) == ("drift", 1, "mine")
    assert (report["severity"], report["fails"], report["failOn"]) == ("critical", True, "high")
    done = run("check", changing("flipped"), "--as", "mine", "--json", "-")
    assert done.returncode == 1 and json.loads(done.stdout) == report


def test_findings_are_accepted_for_a_time(run, changing, tmp_path):
    assert run("snapshot", changing("normal"), "--as", "mine").returncode == 0
    entry = '[[accept]]\nserver = "mine"\ntool = "other"\nrule = "annotation-flip"\nreason = "asked"\nexpires = {}\n'
    (tmp_path / "gatewright.toml").write_text(entry.format("2999-01-01"))
    done = run("check", changing("flipped"), "--as", "mine")
    assert done.returncode == 0 and "asked" in done.stdout, done.stdout
    (tmp_path / "gatewright.toml").write_text(entry.format("2020-01-01"))
    assert run("check", changing("flipped"), "--as", "mine").returncode == 1
    assert run("check", changing("flipped"), "--as", "mine", "--settings", "none.toml").returncode == 2


def test_a_baseline_of_mcplock(run, changing, home, tmp_path):
    command = changing("normal")
    assert run("snapshot", command, "--as", "mine").returncode == 0
    tools = json.loads(snapshots(home)[0].read_text(encoding="utf-8"))["tools"]
    raw = ("raw_description", "raw_schema", "raw_annotations")
    foreign = {
        "schema_version": 1,
        "hash_model_version": 1,
        "server_id": "x",
        "connection": command,
        "transport": "stdio",
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": "2026-01-01T00:00:00+00:00",
        "tools": {name: {"tool_name": name, **{key: tool[key] for key in raw}} for name, tool in tools.items()},
    }
    text = json.dumps(foreign)
    (tmp_path / "baseline.json").write_text(text)
    # The name that mcplock gives the file: what is no letter, digit, point or underscore is one hyphen.
    name = "-".join(filter(None, "".join(c if c.isalnum() or c in "._" else "-" for c in command.lower()).split("-")))
    (tmp_path / "mcplock" / "snapshots").mkdir(parents=True)
    (tmp_path / "mcplock" / "snapshots" / f"{name[:120]}.json").write_text(text)
    for arguments, environment in (
        (["--baseline", "baseline.json"], {}),
        (["--profile", "mcplock"], {"MCPLOCK_HOME": str(tmp_path / "mcplock")}),
    ):
        done = run("check", changing("normal"), *arguments, **environment)
        assert done.returncode == 0 and "as pinned" in done.stdout, done.stdout + done.stderr
        assert run("check", changing("flipped"), *arguments, **environment).returncode == 1
    # One that pins another command under the same name is none of this one's.
    (tmp_path / "mcplock" / "snapshots" / f"{name[:120]}.json").write_text(text.replace("server.py", "server-py"))
    assert run("check", changing("normal"), MCPLOCK_HOME=str(tmp_path / "mcplock")).returncode == 2


def test_what_differs_at_each_start_is_let_differ(run, changing, home, tmp_path):
    counter = tmp_path / "counter"
    assert run("snapshot", changing(f"turns {counter}"), "--as", "one").returncode == 0
    done = run("check", changing(f"turns {counter}"), "--as", "one", "--fail-on", "informational")
    assert done.returncode == 1  # as another start is another list

    done = run("snapshot", changing(f"turns {counter}"), "--as", "several", "--starts", "4")
    assert done.returncode == 0 and "4 starts differed in" in done.stdout, done.stdout
    assert counter.read_text() == "x" * 6
    data = json.loads((home / "snapshots" / "several.json").read_text(encoding="utf-8"))
    assert data["starts"] == 4
    assert set(data["tools"]) == {"run", "sometimes"}
    assert set(data["unstable"]) == {
        "/tools/run/description",
        "/tools/run/inputSchema/properties/command/enum",
        "/tools/sometimes",
    }
    for _ in range(3):
        done = run("check", changing(f"turns {counter}"), "--as", "several", "--fail-on", "informational")
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
    # The same kind of difference, and one word that was never there.
    for _ in range(2):
        done = run("check", changing(f"turns-evil {counter}"), "--as", "several", "--fail-on", "informational")
        assert done.returncode == 1 and "curl" in done.stdout

    done = run("snapshot", changing("normal"), "--as", "stable", "--starts", "2")
    assert done.returncode == 0 and "2 starts listed the same" in done.stdout
    for starts in ("0", "21", "x", "-1"):
        assert run("snapshot", changing("normal"), "--starts", starts).returncode == 2
    (tmp_path / "tools.json").write_text("[]")
    assert run("snapshot", "tools.json", "--starts", "2").returncode == 2


def surfaces(folder):
    kept = folder / ".gatewright" / "surfaces"
    return sorted(kept.iterdir()) if kept.exists() else []


def test_a_kept_text_says_how_bad_a_change_is(run, changing, tmp_path):
    def server(behaviour):
        return ["--server", f"s={changing(behaviour)}"]

    assert run("lock", *server("normal")).returncode == 0
    assert surfaces(tmp_path) == []
    done = run("ci", *server("changed"))
    assert done.returncode == 1 and "description-changed" in done.stdout and "high" in done.stdout

    assert run("lock", *server("normal"), "--keep-text").returncode == 0
    (kept,) = surfaces(tmp_path)
    entry = json.loads((tmp_path / "agentgate.lock").read_text(encoding="utf-8"))["servers"]["s"]["gatewright"]
    assert entry["textHash"] == f"sha256:{kept.stem}"
    assert {tool["name"] for tool in json.loads(kept.read_text(encoding="utf-8"))["tools"]} == {"ping", "other"}

    done = run("ci", *server("changed"))
    assert done.returncode == 1 and "description-edit" in done.stdout and "pang" in done.stdout
    assert "high" not in done.stdout
    assert run("ci", *server("changed"), "--fail-on", "high").returncode == 0
    assert run("diff", *server("flipped"), "--fail-on", "critical").returncode == 1
    assert run("ci", *server("normal")).returncode == 0

    # A text that is not what was kept counts for nothing: the change is unclassified, and high.
    text = kept.read_bytes()
    kept.write_bytes(text.replace(b"pong", b"pang"))
    done = run("ci", *server("changed"), "--fail-on", "high")
    assert done.returncode == 1 and "its hash is another" in done.stderr
    kept.unlink()
    done = run("ci", *server("changed"), "--fail-on", "high")
    assert done.returncode == 1 and "there is no such file" in done.stderr


def test_what_is_bad_takes_a_yes_to_be_locked(run, changing, tmp_path):
    lock = tmp_path / "agentgate.lock"

    def server(behaviour):
        return ["--server", f"s={changing(behaviour)}"]

    assert run("lock", *server("normal"), "--keep-text").returncode == 0
    before = lock.read_bytes()
    (first,) = surfaces(tmp_path)
    for accepted in ([], ["--accept", "s/ping", "--accept", "other", "--accept", "S"]):
        done = run("lock", *server("flipped"), *accepted)
        assert done.returncode == 1 and "s/other" in done.stdout and "--accept" in done.stdout
        assert lock.read_bytes() == before and surfaces(tmp_path) == [first]

    # What is not so bad needs none, and its text is kept on.
    done = run("lock", *server("changed"))
    assert done.returncode == 0 and "description-edit" in done.stdout, done.stdout
    assert lock.read_bytes() != before and len(surfaces(tmp_path)) == 2
    assert run("ci", *server("changed")).returncode == 0

    for accepted in (["--accept", "s/other"], ["--accept=s"], ["--accept"]):
        lock.write_bytes(before)
        done = run("lock", *server("flipped"), *accepted)
        assert done.returncode == 0 and "annotation-flip" in done.stdout, done.stdout
        assert run("ci", *server("flipped")).returncode == 0
