"""The host's side of the command line: asking servers, and the other effects. What is asked is written out here, so
these tests do not depend on what the core decides."""

import ast
import calendar
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
import pytest
import server
from conftest import SERVER, SITE

from gatewright._cli import effects, http
from gatewright._cli.tap import Tap

posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals are those of POSIX")


def asking(behaviour, *, command=None, start=10, answer=10, env=None, endpoint=None):
    command = command or [sys.executable, str(SERVER), behaviour]
    stdio = {"transport": "stdio", "command": command[0], "args": command[1:], "env": env or {}}
    return {
        "id": behaviour,
        "kind": "listTools",
        "server": behaviour,
        "endpoint": endpoint or stdio,
        "startTimeoutMs": start * 1000,
        "timeoutMs": answer * 1000,
        "progress": f"asking `{behaviour}`",
    }


def ask(*effects_):
    """The answers, with their parts put back in."""
    parts = []
    answers = effects.perform(effects_, parts)
    assert list(answers) == [effect["id"] for effect in effects_]
    for answer in answers.values():
        if "init" in answer:
            answer["init"] = result(parts[answer["init"]])
            answer["pages"] = [result(parts[page]) for page in answer["pages"]]
    return answers


def result(response):
    """The bytes of the result in a response, which came as `server.py` writes it."""
    start, result = response.split(b'"result": ', 1)
    assert start.startswith(b'{"jsonrpc": "2.0", "id": ') and result.rstrip(b"\r").endswith(b"}")
    return result.rstrip(b"\r")[:-1]


def ask_one(behaviour, **options):
    return ask(asking(behaviour, **options))[behaviour]


@pytest.fixture
def over_http():
    started = []

    def start(behaviour, transport="http", headers=None, serving=None, **options):
        command = [sys.executable, str(SERVER), behaviour, serving or transport]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        started.append(process)
        url = process.stdout.readline().strip().replace("//", "//user:hidden@")
        endpoint = {"transport": transport, "url": url, "headers": headers or {}}
        return asking(behaviour, endpoint=endpoint, **options)

    yield start
    for process in started:
        process.kill()
        process.wait()


def is_the_whole_surface(answer):
    assert b'"x-unknown": 1.0}, "instructions": "Be kind."' in answer["init"]
    # As sent: unknown members, the null, the spelling of numbers, the negative time.
    assert answer["pages"] == [
        b'{"tools": [%s], "nextCursor": "page 2", "ttlMs": -5}' % server.TOOL.encode(),
        b'{"tools": [%s], "nextCursor": ""}' % server.OTHER.encode(),
    ]
    return True


def test_a_surface_comes_as_it_was_sent(capfd):
    assert is_the_whole_surface(ask_one("normal"))
    assert is_the_whole_surface(ask_one("noise"))
    assert capfd.readouterr() == ("", "")


def test_a_surface_comes_over_http(over_http, capfd):
    for effect in (over_http("normal"), over_http("events"), over_http("normal", "sse")):
        assert is_the_whole_surface(ask(effect)[effect["id"]])
    authorized = over_http("unauthorized", headers={"authorization": "Bearer secret"})
    authorized["endpoint"]["url"] = authorized["endpoint"]["url"].replace("user:hidden@", "")
    assert is_the_whole_surface(ask(authorized)["unauthorized"])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        ("crash", "start", "ended the connection"),
        ("refuses", "list", "-32603: no tools"),
        ("hangs-up", "list", "ended the connection"),
        ("circle", "list", "same cursor"),
        ("endless", "list", "1000 pages"),
        ("null", "protocol", "no result"),
        ("array", "protocol", "no result"),
        ("both", "protocol", "both a result and an error"),
        ("bom", "protocol", "cannot be read"),
        ("cut", "protocol", "cannot be read"),
        ("deep", "protocol", "cannot be read"),
        ("endless-line", "list", "longer than 128 MiB"),
        ("pages", "list", "longer than 256 MiB"),
    ],
)
def test_a_server_that_fails_is_told_at_once(behaviour, kind, words):
    began = time.monotonic()
    answer = ask_one(behaviour, answer=60)
    assert answer["error"]["kind"] == kind and words in answer["error"]["message"]
    assert answer["stderrTail"].startswith(f"starting as {behaviour}\n")
    assert time.monotonic() - began < 30


def test_both_timeouts():
    answers = ask(asking("silent", start=1), asking("mute", start=20, answer=1), asking("normal", start=20))
    assert answers["silent"]["error"]["kind"] == "timeout" and "start within 1 s" in answers["silent"]["error"]["message"]
    assert answers["mute"]["error"]["kind"] == "timeout" and "`tools/list` within 1 s" in answers["mute"]["error"]["message"]
    assert is_the_whole_surface(answers["normal"])


def test_a_command_that_is_not_there():
    error = ask_one("none", command=["no-such-command-anywhere"])["error"]
    assert (error["kind"], "`no-such-command-anywhere`" in error["message"]) == ("start", True)


def test_http_failures_name_the_status_and_keep_secrets(over_http):
    answers = ask(
        over_http("unauthorized"),
        over_http("refuses"),
        over_http("normal", transport="sse", serving="http"),
        asking("closed", endpoint={"transport": "http", "url": "http://user:hidden@127.0.0.1:9/", "headers": {}}),
        asking("bad", endpoint={"transport": "http", "url": "http://user:hidden@127.0.0.1:x/", "headers": {}}),
    )
    errors = {name: answer["error"] for name, answer in answers.items()}
    assert {name: error["kind"] for name, error in errors.items()} == {
        "unauthorized": "start", "refuses": "list", "normal": "start", "closed": "start", "bad": "start",
    }  # fmt: skip
    assert "HTTP status 401" in errors["unauthorized"]["message"]
    assert "HTTP status 405" in errors["normal"]["message"]
    assert "hidden" not in json.dumps(errors)


@pytest.mark.parametrize("transport", ["http", "sse"])
@pytest.mark.parametrize("behaviour", ["null", "array", "both", "bom", "cut", "twice", "no-utf8", "long"])
def test_http_is_as_strict(behaviour, transport, over_http):
    effect = over_http(behaviour, transport)
    answer = ask(effect)[behaviour]
    if behaviour in ("twice", "no-utf8", "long"):
        assert answer["pages"] == ask_one(behaviour)["pages"]
    else:
        assert answer["error"]["kind"] == "protocol"


@pytest.mark.parametrize("behaviour", ["beside-json", "beside-events"])
def test_what_stands_beside_the_answer_over_http_is_none(behaviour, over_http):
    assert is_the_whole_surface(ask(over_http(behaviour))[behaviour])


def test_a_body_that_does_not_end(over_http):
    error = ask(over_http("endless-body"))["endless-body"]["error"]
    assert error["kind"] == "list" and "longer than 128 MiB" in error["message"]


def test_what_cannot_stand_in_a_header_is_not_sent(over_http):
    for value in ("a\r\nx-other: b", "a\0", "\x1b[31m", "\u2019"):
        error = ask(over_http("normal", headers={"x-key": f"secret{value}"}))["normal"]["error"]
        assert error["kind"] == "start" and "`x-key`" in error["message"] and "secret" not in error["message"]


def test_bytes_pass_as_they_are():
    """What the core refuses must reach it: both of two members with one name, and what is no UTF-8."""
    assert b'"description": "hidden", "description": "shown"' in ask_one("twice")["pages"][0]
    assert b'"description": "\xff"' in ask_one("no-utf8")["pages"][0]
    assert b'"x": 1e999' in ask_one("infinite")["pages"][0]


def test_events_however_they_arrive():
    """Any line ends, any chunks; several lines of data are one message, and comments and other events pass."""
    response = b'{"jsonrpc":"2.0","id":7,\n"result":{"tools":[1.0]}}'
    other = b"event: endpoint\ndata: /messages\n\n"
    for end in (b"\n", b"\r\n", b"\r"):
        message = b": comment\nid: 5\ndata:" + response.replace(b"\n", b"\ndata: ") + b"\n\n"
        stream = (other + message).replace(b"\n", end)
        for size in (1, 2, 3, 7, len(stream)):
            tap = Tap()
            tap.expect(7, "tools/list")

            async def collect(size=size, stream=stream, tap=tap):
                async def chunks():
                    for at in range(0, len(stream), size):
                        yield stream[at : at + size]

                return b"".join([piece async for piece in http._events(chunks(), tap)])

            passed = anyio.run(collect)
            assert tap.outcome() == (response, {"tools": [1.0]})
            stand_in = b'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n'
            assert passed == other.replace(b"\n", end) + stand_in, (end, size)


def test_stderr_is_kept_to_its_end():
    tail = ask_one("long-stderr")["stderrTail"]
    assert len(tail) == 64 * 1024 and tail.endswith("x the end\n")


@posix
def test_endless_stderr_takes_no_room():
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = ask_one("endless-stderr", start=2)
    assert answer["error"]["kind"] == "timeout" and answer["stderrTail"] == "x" * 64 * 1024
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 * 1024


def test_an_error_message_is_whole_and_well_formed():
    message = ask_one("refuses-at-length")["error"]["message"]
    assert "\ufffd" + "x" * 60_000 in message and len(message.encode()) < 65 * 1024


def test_a_server_gets_a_small_environment(monkeypatch):
    monkeypatch.setenv("HIDDEN", "from the caller")
    tail = ask_one("env", env={"GIVEN": "value"})["stderrTail"]
    given = json.loads(tail.splitlines()[1])
    assert given["GIVEN"] == "value" and "HIDDEN" not in given and "PYTHONPATH" not in given
    assert set(given) - {"GIVEN", "LC_CTYPE"} <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"} or (
        sys.platform == "win32"
    )


@posix
def test_all_that_a_server_started_is_ended(tmp_path):
    script = f"{sys.executable} {SERVER} family 2>{tmp_path}/log; true"
    assert is_the_whole_surface(ask_one("family", command=["sh", "-c", script]))
    children = [int(line.split()[1]) for line in (tmp_path / "log").read_text().splitlines() if "child" in line]
    assert len(children) == 2
    # Only Linux can find one that left the process group.
    assert_gone(children if sys.platform == "linux" else children[:1])


@posix
def test_a_stubborn_server_is_ended():
    began = time.monotonic()
    assert is_the_whole_surface(ask_one("stubborn"))
    assert time.monotonic() - began < 15


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_servers_first(number, tmp_path):
    script = f"echo $$ >{tmp_path}/pid; sleep 300 & {sys.executable} {SERVER} mute; true"
    effect = asking("mute", command=["sh", "-c", script], start=60, answer=60)
    # The loop of the command line with a core that asks for one server.
    code = f"""
import sys
from gatewright import _cli
from gatewright._cli import effects
_cli._run = lambda argv: effects.perform([{effect!r}], [])
sys.exit(_cli.main([]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SITE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip())
    time.sleep(0.5)
    process.send_signal(number)
    output, _ = process.communicate(timeout=30)
    assert (process.returncode, output) == (128 + number, b"")
    leader = int((tmp_path / "pid").read_text())
    wait_until(lambda: not group_alive(leader))


def test_without_the_extra_the_answer_says_what_to_install(plain):
    code = f"from gatewright._cli import effects; print(effects.perform([{asking('normal')!r}], [])['normal'])"
    done = subprocess.run([plain / "python", "-c", code], capture_output=True, encoding="utf-8", check=True)
    error = ast.literal_eval(done.stdout)["error"]
    assert error["kind"] == "start" and 'pip install "gatewright[cli]"' in error["message"]


def perform(kind, **effect):
    parts = []
    return effects.perform([{"id": "1", "kind": kind, **effect}], parts)["1"], parts


def test_reading(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"\xff\x00text")
    assert perform("readFile", path=str(tmp_path / "file")) == ({"part": 0}, [b"\xff\x00text"])
    assert perform("readFile", path=str(tmp_path / "none")) == ({"missing": True}, [])
    assert set(perform("readFile", path=str(tmp_path))[0]) == {"error"}
    assert set(perform("readFile", path="a\0b")[0]) == {"error"}
    monkeypatch.setenv("NAMED", "value")
    assert perform("readEnv", name="NAMED")[0] == {"value": "value"}
    monkeypatch.setenv("NAMED", "no text: \udcff")
    assert sys.platform == "win32" or perform("readEnv", name="NAMED")[0] == {"value": "no text: \ufffd"}
    assert perform("readEnv", name="NOT_NAMED")[0] == {"missing": True}


@posix
def test_an_endless_file_ends():
    answer, parts = perform("readFile", path="/dev/zero")
    assert answer == {"part": 0} and len(parts[0]) == 64 * 1024 * 1024 + 1


def test_the_time_is_utc():
    value = perform("now")[0]["value"]
    assert abs(time.time() - calendar.timegm(time.strptime(value, "%Y-%m-%dT%H:%M:%SZ"))) < 5


def write(path, text, private=False):
    return perform("writeFile", path=str(path), text=text, private=private)[0]


def mode(path):
    return path.stat().st_mode & 0o777


def test_writing_is_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "file"
    assert write(path, "é\n") == {"ok": True}
    assert path.read_bytes() == "é\n".encode()
    umask = os.umask(0)
    os.umask(umask)
    assert sys.platform == "win32" or mode(path) == 0o666 & ~umask

    def failing(*_):
        raise OSError(28, "No space left on device")

    path.chmod(0o640)
    for private in (False, True):
        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", failing)
            assert write(path, "new", private) == {"error": "No space left on device"}
        assert path.read_bytes() == "é\n".encode() and os.listdir(tmp_path) == ["file"]

    assert write(path, "new") == {"ok": True}
    assert path.read_bytes() == b"new" and os.listdir(tmp_path) == ["file"]
    assert sys.platform == "win32" or mode(path) == 0o640
    for private in (False, True):
        assert set(write(tmp_path, "", private)) == {"error"}
        assert set(write(tmp_path / "file" / "below", "", private)) == {"error"}
        assert set(write("a\0b", "", private)) == {"error"}
    assert path.read_bytes() == b"new" and os.listdir(tmp_path) == ["file"]


@posix
def test_writing_follows_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    for private in (False, True):
        assert write(tmp_path / "link", f"new {private}", private) == {"ok": True}
        assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == f"new {private}"
    # Where the folder behind a link is missing, too.
    (tmp_path / "away").symlink_to("elsewhere/deep")
    assert write(tmp_path / "away" / "file", "new", True) == {"ok": True}
    assert (tmp_path / "elsewhere" / "deep" / "file").read_text() == "new"
    (tmp_path / "circle").symlink_to("circle")
    assert set(write(tmp_path / "circle", "new", True)) == {"error"}
    assert set(write(tmp_path / "circle" / "file", "new", True)) == {"error"}


@posix
@pytest.mark.parametrize("umask", [0o022, 0o000, 0o077])
def test_a_private_file_is_for_its_owner_alone(tmp_path, umask):
    (tmp_path / "old").mkdir(mode=0o755)
    (tmp_path / "old").chmod(0o755)
    before = os.umask(umask)
    try:
        assert write(tmp_path / "old" / "a" / "b" / "file", "secret", True) == {"ok": True}
        assert write(tmp_path / "old" / "c" / "d" / "file", "open") == {"ok": True}
        (tmp_path / "file").write_text("was open")
        (tmp_path / "file").chmod(0o644)
        assert write(tmp_path / "file", "secret", True) == {"ok": True}
    finally:
        os.umask(before)
    assert [mode(tmp_path / name) for name in ("old/a/b/file", "old/a/b", "old/a", "file")] == [
        0o600, 0o700, 0o700, 0o600,
    ]  # fmt: skip
    assert [mode(tmp_path / name) for name in ("old/c/d/file", "old/c/d", "old/c")] == [
        0o666 & ~umask, 0o777 & ~umask, 0o777 & ~umask,
    ]  # fmt: skip
    # What is there already is left as it is.
    assert mode(tmp_path / "old") == 0o755
    assert (tmp_path / "file").read_text() == "secret"


@posix
def test_nobody_can_read_a_private_file_while_it_is_written(tmp_path, monkeypatch):
    seen = []
    replace = os.replace

    def watching(old, new):
        seen.append(os.stat(old).st_mode & 0o777)
        replace(old, new)

    monkeypatch.setattr(os, "replace", watching)
    (tmp_path / "file").write_text("was open")
    assert write(tmp_path / "file", "secret", True) == {"ok": True}
    assert seen == [0o600]


@pytest.fixture
def guarded():
    """A folder in which permissions apply, as they do to anyone but root."""
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder:
        if is_root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.chmod(folder, 0o700)
            if is_root:
                os.seteuid(0)


@posix
def test_a_folder_that_may_not_be_written_to(guarded):
    (guarded / "file").write_text("old")
    guarded.chmod(0o500)
    for private in (False, True):
        for path in (guarded / "file", guarded / "new", guarded / "folder" / "new"):
            assert write(path, "new", private) == {"error": "Permission denied"}
    assert os.listdir(guarded) == ["file"] and (guarded / "file").read_text() == "old"


def test_printing_in_order_and_as_utf8(capfdbinary):
    prints = [
        {"id": str(index), "kind": "print", "stream": stream, "text": text}
        for index, (stream, text) in enumerate([("stdout", "é"), ("stderr", "1\n"), ("stdout", "2\n")])
    ]
    assert set(map(str, effects.perform(prints, []).values())) == {"{'ok': True}"}
    assert capfdbinary.readouterr() == ("é2\n".encode(), b"1\n")


@posix
def test_a_closed_pipe_is_no_reason_to_complain():
    code = """
from gatewright._cli.effects import print_text
for _ in range(3):
    print_text("stdout", "x" * 1_000_000)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SITE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def group_alive(leader):
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def assert_gone(processes):
    wait_until(lambda: not any(alive(process) for process in processes))


def alive(process):
    """Whether a process runs; one that nobody has waited for yet is dead all the same."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
