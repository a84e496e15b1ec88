"""Drift between real captures, as vectors that every host can run.

Each pair of captures that the oracle names is judged natively, and the severity of every tool under the profile `mcplock` must
be the oracle's, which is what mcplock 0.1.1 answered. Only then does the native answer become what the other hosts are to give,
byte for byte. On the way the invariants of drift are checked on real text: nothing moved between a surface and itself, the order
of keys and tools does not matter, and every change has a finding that names its tool.
"""

import json
import shlex
import subprocess

BANDS = ["informational", "medium", "high", "critical"]


def write(data, output, command, root):
    rows = [json.loads(line) for line in (data / "oracle/mcplock_diff.jsonl").read_text().splitlines()]
    rows = [row for row in rows if "error" not in row]
    pairs = [[capture(data, row, side) for side in ("from", "to")] for row in rows]
    answers = Answers(command, root)
    for row, (before, after) in zip(rows, pairs):
        for profile in ("mcplock", "default"):
            answers.ask(before, after, profile)
        answers.ask(before, shuffled(before), "default")
        answers.ask(shuffled(before), shuffled(after), "default")
    answers = iter(answers.get())
    tests = []
    for row, (before, after) in zip(rows, pairs):
        mcplock, default, itself, reordered = (next(answers) for _ in range(4))
        name = f"{row['package']} {row['from']} to {row['to']}"
        expected = {tool: answer["severity"] for tool, answer in row["tools"].items()}
        if worst(mcplock) != expected:
            raise SystemExit(f"{name}: other severities than the oracle's: {difference(worst(mcplock), expected)}")
        if itself["severity"] is not None or itself["changes"]:
            raise SystemExit(f"{name}: a surface differs from itself")
        if reordered != default:
            raise SystemExit(f"{name}: the order of keys or tools changes the answer")
        for drift in (mcplock, default):
            named = {finding.get("tool") for finding in drift["findings"]}
            if any(change.get("tool") not in named for change in drift["changes"]):
                raise SystemExit(f"{name}: a change has no finding")
        for profile, drift in (("mcplock", mcplock), ("default", default)):
            inputs = [before, after, json.dumps({"profile": profile})]
            identity = f"{row['registry']}-{row['package']}-{row['from']}-{row['to']}-{profile}".replace("/", "+")
            tests.append((identity, name, inputs, {"json": drift}))
    header = "Pairs of captures of real servers; the severities are those of mcplock 0.1.1."
    output.write("drift", 'mcplock 0.1.1, "Severity"', header, tests, operation="classifyDrift")


def capture(data, row, side):
    folder = f"{row['registry']}__{row['package'].replace('/', '+')}"
    return (data / "corpus" / folder / f"{row[side]}.json").read_text(encoding="utf-8")


def shuffled(text):
    """The surface with its tools and all keys in the opposite order."""

    def turned(value):
        if isinstance(value, dict):
            return {key: turned(member) for key, member in reversed(value.items())}
        return [turned(item) for item in value] if isinstance(value, list) else value

    surface = turned(json.loads(text))
    surface["tools"].reverse()
    return json.dumps(surface)


def worst(drift):
    """The severity of each tool: the worst of its findings."""
    tools = {}
    for finding in drift["findings"]:
        tool, severity = finding.get("tool"), finding["severity"]
        if tool is not None and BANDS.index(severity) >= BANDS.index(tools.get(tool, "informational")):
            tools[tool] = severity
    return tools


def difference(got, expected):
    return {tool: (got.get(tool), expected.get(tool)) for tool in got | expected if got.get(tool) != expected.get(tool)}


class Answers:
    """Asks the native core, all at once."""

    def __init__(self, command, root):
        self.command, self.root, self.requests = command, root, []

    def ask(self, before, after, profile):
        inputs = [before, after, json.dumps({"profile": profile})]
        self.requests.append(json.dumps({"operation": "classifyDrift", "inputs": inputs}))

    def get(self):
        ran = subprocess.run(
            shlex.split(self.command), input="\n".join(self.requests).encode(), cwd=self.root, check=True, stdout=subprocess.PIPE
        )
        answers = [json.loads(line) for line in ran.stdout.decode().rstrip("\n").split("\n")]
        for answer in answers:
            if "error" in answer:
                raise SystemExit(f"a capture cannot be compared: {answer['error']}")
        return [json.loads(answer["answer"]) for answer in answers]
