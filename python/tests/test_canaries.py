"""No secret leaves: not in the name of a file, nor in a file, nor in what is printed. Each secret of these tests is a
token that stands nowhere else, and the server repeats whatever it was told."""

import base64
import json
import os
import shlex
import subprocess
import sys
import urllib.parse

import pytest
from conftest import SERVER, SITE

CANARIES = {
    name: f"canary-{name}-{os.urandom(6).hex()}"
    for name in ("argument", "env", "from", "config-env", "default", "user", "password", "query", "header", "bearer")
}


def spellings():
    for name, canary in CANARIES.items():
        yield name, canary.encode()
        yield name, urllib.parse.quote(canary).replace("-", "%2D").encode()
        # In its three places of base64, without what its neighbours have a part in.
        for before in range(3):
            yield name, base64.b64encode(b" " * before + canary.encode())[4:-4]


class World:
    """Runs commands with one server, and holds what came of them: outputs, and two folders."""

    def __init__(self, folder, command):
        self.folder = folder / "work"
        self.home = folder / "home"
        self.behaviour = folder / "behaviour"
        self.folder.mkdir()
        self._command = command
        self._outputs = []
        self._servers = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._servers:
            process.kill()
            process.wait()

    def behave(self, behaviour):
        self.behaviour.write_text(behaviour)

    def over_stdio(self, *arguments):
        return [sys.executable, str(SERVER), f"@{self.behaviour}", *arguments]

    def over_http(self, transport="http"):
        """The URL of the server."""
        self.behave("echo")
        command = self.over_stdio(transport)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._servers.append(subprocess.Popen(command, text=True, **pipes))
        return self._servers[-1].stdout.readline().strip()

    def environment(self):
        home = str(self.home)
        secrets = {"FROM_OUTSIDE": CANARIES["from"], "BEARER": CANARIES["bearer"]}
        return {"GATEWRIGHT_HOME": home, "HOME": home, "MCPLOCK_HOME": home, **secrets}

    def run(self, *arguments):
        done = self._command(*arguments, folder=self.folder, **self.environment())
        assert "Traceback" not in done.stderr, done.stderr
        self._outputs.append((shlex.join(arguments), (done.stdout + done.stderr).encode()))
        return done.returncode

    def run_before_a_terminal(self, *arguments):
        """There it is said, too, which server is being asked."""
        command = [sys.executable, "-m", "gatewright", *arguments]
        spawn = f"import pty, sys; sys.exit(pty.spawn({command!r}) >> 8)"
        environment = {**os.environ, "PYTHONPATH": str(SITE), **self.environment()}
        done = subprocess.run([sys.executable, "-c", spawn], cwd=self.folder, env=environment, stdout=subprocess.PIPE)
        assert b"asking `" in done.stdout
        self._outputs.append((shlex.join(arguments), done.stdout))
        return done.returncode

    def told(self):
        """All that came of the commands, none of it with a canary."""
        files = [path for root in (self.folder, self.home) for path in root.rglob("*") if path.name != ".mcp.json"]
        told = [(f"what `{command}` printed", output) for command, output in self._outputs]
        told += [(f"the name of {path}", path.name.encode()) for path in files]
        told += [(str(path), path.read_bytes()) for path in files if path.is_file()]
        for what, text in told:
            for name, spelling in spellings():
                at = text.lower().find(spelling.lower())
                assert at < 0, f"the canary `{name}` is in {what}: {text[max(0, at - 200) : at + 100]}"
        return b"\n".join(text for _, text in told)


@pytest.fixture
def world(tmp_path, quick_command):
    with World(tmp_path, quick_command) as world:
        yield world


def every_command(world, what, *options, config=False, failing=("echo-refuses", "echo-name")):
    """With a server that says the same again, then has more to say, and then fails."""
    several = options if config else ["--server", f"s={what}", *options]
    one = [what, *options]
    world.behave("echo")
    assert world.run("lock", *several) == 0
    assert world.run("lock", *several, "--keep-text") == 0
    assert world.run("ci", *several) == 0
    assert world.run("snapshot", *one) == 0
    assert world.run("snapshot", *one, "--as", "mine", "--starts", "2") == 0
    assert world.run("check", *one, "--fail-on", "informational") == 0
    baseline = world.home / "snapshots" / "mine.json"
    world.behave("echo-more")
    assert world.run("lock", *several) == 1
    assert world.run("diff", *several) == 1
    assert world.run("ci", *several, "--json") == 1
    assert world.run("check", *one, "--json", "-") == 1
    assert world.run("check", *one, "--as", "mine", "--json", "report.json") == 1
    assert world.run_before_a_terminal("check", *one, "--baseline", str(baseline)) == 1
    assert world.run("snapshot", *one) == 0
    assert world.run("lock", *several, "--accept") == 0
    for behaviour in failing:
        world.behave(behaviour)
        assert world.run("lock", *several) == 2
        assert world.run("ci", *several) == 2
        assert world.run("check", *one) == 2
        assert world.run("snapshot", *one, "--as", "failing") == 2
    told = world.told()
    # What the server repeated was there, and was taken out.
    assert told.count(b"<redacted>") > 50


def test_of_a_command(world):
    command = shlex.join(world.over_stdio(f"--token={CANARIES['argument']}"))
    options = ["--env", f"GIVEN={CANARIES['env']}", "--env-from", "FROM_OUTSIDE"]
    every_command(world, command, *options, failing=("echo-refuses", "echo-name", "echo-crash"))


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_of_a_url(world, transport):
    user = f"//{CANARIES['user']}:{CANARIES['password']}@"
    url = f"{world.over_http(transport).replace('//', user)}?api_key={CANARIES['query']}"
    every_command(world, url, "--transport", transport)


def test_of_a_config(world):
    arguments = ["--token", CANARIES["argument"], "${NOT_SET:-%s}" % CANARIES["default"]]
    command, *words = world.over_stdio(*arguments)
    servers = {
        "command": {
            "command": command,
            "args": words,
            "env": {"TOKEN": CANARIES["config-env"], "BEARER": "${BEARER}"},
        },
        "url": {
            "url": f"{world.over_http()}?token={CANARIES['query']}",
            "headers": {"authorization": "Bearer ${BEARER}", "x-key": CANARIES["header"]},
        },
    }
    (world.folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    every_command(world, "command", "--env-from", "FROM_OUTSIDE", config=True)
    world.behave("echo")
    assert world.run("snapshot", "url") == 0
    world.behave("echo-more")
    assert world.run("check", "url", "--json", "url.json") == 1
    world.told()


def test_of_wrong_usage(world):
    """What was meant as a secret and stands in another place is not repeated either."""
    world.behave("echo")
    canary = CANARIES["env"]
    command = shlex.join(world.over_stdio())
    for arguments in (
        ["lock", "--server", f"s={command}", "--env", canary],
        ["lock", "--server", f"s={command}", "--env-from", canary],
        ["lock", "--server", f"s={command}", "--env", "A", canary],
        ["snapshot", command, canary],
        ["snapshot", f"TOKEN={canary} {command}"],
        ["snapshot", f"no-such-command --token={canary}"],
        ["snapshot", f"http://{canary}:{canary}@127.0.0.1:9/?token={canary}"],
        ["check", f"{command} --token={canary}"],
        ["check", f"https://{canary}:{canary}@127.0.0.1:9/?token={canary}"],
    ):
        assert world.run(*arguments) == 2
    world.told()


def test_of_a_list_that_cannot_be_read(world):
    url = f"{world.over_http()}?token={CANARIES['query']}"
    world.behave("echo-broken")
    for command in ("snapshot", "check"):
        assert world.run(command, url) == 2
    assert world.run("lock", "--server", f"s={url}") == 2
    world.told()


def test_of_half_a_secret_at_the_end_of_a_quote(world):
    world.behave("echo-cut")
    command = shlex.join(world.over_stdio())
    assert world.run("snapshot", command, "--env", f"GIVEN={CANARIES['env']}") == 2
    assert b"canary-e" not in world.told()


def test_of_user_and_password_as_http_sends_them(world):
    user = f"//{CANARIES['user']}:{CANARIES['password']}@"
    url = world.over_http().replace("//", user)
    world.behave("echo-basic")
    assert world.run("snapshot", url) == 0
    world.told()


def test_of_a_secret_that_another_begins_with(world):
    world.behave("echo")
    command = shlex.join(world.over_stdio())
    canary = CANARIES["env"]
    assert world.run("snapshot", command, "--env", f"A={canary[:10]}", "--env", f"B={canary}") == 0
    assert canary[10:].encode() not in world.told()


def test_of_a_value_with_a_variable_in_it(world):
    command, *words = world.over_stdio()
    env = {"TOKEN": CANARIES["config-env"] + "-${BEARER}"}
    servers = {"command": {"command": command, "args": words, "env": env}}
    (world.folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    world.behave("echo")
    assert world.run("snapshot", "command") == 0
    world.told()
