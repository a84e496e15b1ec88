"""Runs the examples of README.md on the built packages: what a reader copies must work, and print what it says.

    python pages.py      (run by `./x test pages`, after a build; GATEWRIGHT_CHROMIUM names the browser)

A line that prints and ends with a comment prints what the comment says. Every block but those marked `text` is run.
"""

import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def main():
    with tempfile.TemporaryDirectory(prefix="gatewright-pages-") as folder:
        work = Path(folder)
        install_npm(work)
        runners = {
            "sh": lambda block: run_shell(work, block),
            "js": lambda block: run_js(work, block),
            "python": lambda block: run_python(work, block),
            "html": lambda block: run_html(work, block),
            "rust": lambda block: run_rust(work, block),
        }
        seen = set()
        for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE):
            # What a program said, and what a file may hold, is shown and not run.
            if language not in ("text", "console", "toml"):
                runners[language](block)
                seen.add(language)
                print(f"ok - README.md: {language}", flush=True)
        missing = runners.keys() - seen
        assert not missing, f"README.md has no example in {missing}"
        print(f"{len(seen)} passed, 0 failed")


def install_npm(work):
    (work / "package.json").write_text('{"name":"empty","private":true}')
    (tarball,) = (ROOT / "dist").glob("gatewright-*.tgz")
    run([npm(), "install", "--offline", "--no-audit", "--no-fund", "--silent", tarball], cwd=work)


def npm():
    return shutil.which("npm")


def run(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", timeout=600, **options)
    if done.returncode:
        sys.exit(f"{command} exits {done.returncode}:\n{done.stdout}")
    return done.stdout


def check_comments(block, mark, output):
    """Each line that prints and says what prints exactly that; a line that prints and does not say may print anything."""
    printing = [line for line in block.splitlines() if re.match(r"\s*(console\.log|print)\(", line)]
    lines = output.splitlines()
    assert len(printing) == len(lines), f"{len(printing)} lines print, and the output is:\n{output}"
    said = [(line.rsplit(mark, 1)[1].strip(), out) for line, out in zip(printing, lines, strict=True) if mark in line]
    assert said, f"no line says what it prints:\n{block}"
    for expected, out in said:
        assert out == expected, f"{out!r} is printed, not {expected!r}"


def run_js(work, block):
    (work / "example.mjs").write_text(block, encoding="utf-8")
    check_comments(block, " // ", run(["node", "example.mjs"], cwd=work))


def run_python(work, block):
    (wheel,) = (ROOT / "dist").glob("gatewright-*.whl")
    site = work / "site"
    run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", site, wheel])
    (work / "example.py").write_text(block, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONIOENCODING": "utf-8"}
    check_comments(block, "  # ", run([sys.executable, "example.py"], cwd=work, env=environment))


def run_shell(work, block):
    """The server that is named comes from the project's own pinned packages, as if it had been installed here."""
    packages = work / "node_modules"
    (packages / "@modelcontextprotocol").symlink_to(ROOT / "npm" / "node_modules" / "@modelcontextprotocol")
    (packages / ".bin" / "mcp-server-filesystem").symlink_to("../@modelcontextprotocol/server-filesystem/dist/index.js")
    run(["bash", "-euc", block], cwd=work, env={**os.environ, "npm_config_offline": "true"})
    assert "read_text_file" in (work / "agentgate.lock").read_text(encoding="utf-8")


def run_html(work, block):
    """In Chromium, over http. The comments say what the title is; the body holds the error."""
    (work / "example.html").write_text("<!doctype html><meta charset=utf-8>" + block, encoding="utf-8")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=work))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    profile = work / "profile"
    quiet = "--no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-quic".split()
    command = [os.environ["GATEWRIGHT_CHROMIUM"], "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
    page = run(
        [*command, *quiet, "--dump-dom", f"http://127.0.0.1:{server.server_port}/example.html"], stderr=subprocess.DEVNULL
    )
    server.shutdown()
    (title,) = re.findall(r"document\.title = .* // (.*)", block)
    assert f"<title>{title}</title>" in page, page
    assert "duplicate-key at /a, line 1, column 10" in page.rsplit("</script>", 1)[1], page


def run_rust(work, block):
    """A crate of its own that depends on the core, with the workspace's versions."""
    crate = work / "rust"
    (crate / "src").mkdir(parents=True)
    (crate / "src" / "main.rs").write_text(block, encoding="utf-8")
    core = str(ROOT / "core").replace("\\", "/")
    (crate / "Cargo.toml").write_text(
        f'[package]\nname = "example"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\ngatewright = {{ path = "{core}" }}\n'
    )
    shutil.copy(ROOT / "Cargo.lock", crate)
    run(["cargo", "run", "--quiet", "--offline"], cwd=crate, env={**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "pages")})


if __name__ == "__main__":
    main()
