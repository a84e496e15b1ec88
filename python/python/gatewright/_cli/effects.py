"""The effects that the core can ask for, but for servers."""

import os
import re
import stat
import sys

#: The core refuses longer documents; one byte more lets it see that. So an endless file ends, too.
LONGEST = 64 * 1024 * 1024 + 1


class Stopped(BaseException):
    """A signal other than Ctrl-C asked the command to end."""

    def __init__(self, signal):
        super().__init__(signal)
        self.signal = signal


def perform(effects, parts):
    """Performs all effects and returns their answers by id. What was read is appended to `parts`."""
    answers = {}
    listings = []
    for effect in effects:
        if effect["kind"] == "listTools":
            listings.append(effect)
        else:
            answers[effect["id"]] = _PERFORM[effect["kind"]](effect, parts)
    if listings:
        answers.update(zip((effect["id"] for effect in listings), _list_tools(listings, parts)))
    return answers


def print_text(stream, text):
    """Writes to stdout or stderr as UTF-8. A reader that went away (`| head`) is no reason to complain."""
    target = getattr(sys, stream)
    try:
        target.flush()
        target.buffer.write(text.encode())
        target.flush()
    except OSError as error:
        # What is still buffered would fail again when Python flushes at exit.
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, target.fileno())
        os.close(quiet)
        if not isinstance(error, BrokenPipeError):
            raise
    except AttributeError:  # no such stream, or one without bytes below it
        if target is not None:
            target.write(text)


def _list_tools(effects, parts):
    try:
        from gatewright._cli import servers
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("gatewright"):
            raise
        why = 'asking a server for its tools takes the extra `cli`: pip install "gatewright[cli]"'
        return [{"error": {"kind": "start", "message": why}} for _ in effects]
    return servers.list_all(effects, parts)


def _print(effect, _parts):
    print_text(effect["stream"], effect["text"])
    return {"ok": True}


def _read_file(effect, parts):
    try:
        with open(effect["path"], "rb") as file:
            return _part(file.read(LONGEST), parts)
    except FileNotFoundError:
        return {"missing": True}
    except (OSError, ValueError) as error:
        return {"error": _why(error)}


def _read_stdin(_effect, parts):
    if sys.stdin is None:
        return {"error": "standard input is closed"}
    try:
        return _part(sys.stdin.buffer.read(LONGEST), parts)
    except (OSError, ValueError) as error:
        return {"error": _why(error)}


def _read_env(effect, _parts):
    value = os.environ.get(effect["name"])
    return {"missing": True} if value is None else {"value": well_formed(value)}


def _now(_effect, _parts):
    import time

    return {"value": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


def _write_file(effect, _parts):
    try:
        _write_atomically(effect["path"], effect["text"].encode(), effect["private"])
    except (OSError, ValueError) as error:
        return {"error": _why(error)}
    return {"ok": True}


def _write_atomically(path, data, private):
    """A reader, or a crash at any moment, sees the old file or the new one.

    Folders that are missing are made. A private file, and what is made for it, is for its owner alone.
    """
    path = os.path.realpath(path)  # a symbolic link stays, and what it points to is replaced
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise ValueError("not a regular file")
    folder, name = os.path.split(path)
    _make_folders(folder, 0o700 if private else 0o777)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o600 if private else 0o666)
    try:
        with open(handle, "wb") as file:
            if old is not None and not private and hasattr(os, "fchmod"):
                os.fchmod(handle, stat.S_IMODE(old.st_mode))
            file.write(data)
            file.flush()
            os.fsync(handle)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(folder)


def _make_folders(folder, mode):
    """Like `os.makedirs`, which gives its mode to the innermost folder alone."""
    parent = os.path.dirname(folder)
    if parent != folder and not os.path.isdir(parent):
        _make_folders(parent, mode)
    try:
        os.mkdir(folder, mode)
    except FileExistsError:
        pass


def _sync_folder(folder):
    """Makes the rename itself last. Not every system can; the file is whole either way."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _part(data, parts):
    parts.append(data)
    return {"part": len(parts) - 1}


def well_formed(text):
    """The text with U+FFFD for each lone surrogate: bytes that are no text have become such, and JSON can hold some."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _why(error):
    return well_formed(getattr(error, "strerror", None) or str(error))


_PERFORM = {
    "now": _now,
    "print": _print,
    "readEnv": _read_env,
    "readFile": _read_file,
    "readStdin": _read_stdin,
    "writeFile": _write_file,
}
