"""The command line, as a host of the core's `cliStep`.

The core parses the arguments, decides, words every message and picks the exit code. It asks for effects, which this
package performs: read, tell the time, list a server's tools, write, print. See `effects` and `servers`.
"""

import sys


def main(argv=None):
    """Runs the command and returns its exit code."""
    try:
        return _main(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        return 130


def _main(argv):
    from gatewright import GatewrightError
    from gatewright._cli.effects import Stopped, print_text

    try:
        return _run(argv)
    except Stopped as stopped:
        return 128 + stopped.signal
    except (GatewrightError, OSError) as error:  # an argument that is no text; an output that is full
        print_text("stderr", f"gatewright: {error}\n")
        return 2


def _run(argv):
    from gatewright import _core, _objects
    from gatewright._cli import effects

    answers = {}
    parts = []  # what was read, apart from the request's JSON: bytes pass as they are
    while True:
        request = _objects.dumps({"argv": argv, "answers": answers})
        step = _core.call("cliStep", request, *parts)
        answers.update(effects.perform(step["effects"], parts))
        if "exitCode" in step:
            return step["exitCode"]
