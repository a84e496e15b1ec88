"""The compiled part. `gatewright` is the public face of it."""

from typing import Any

__all__ = ["call"]

def call(operation: str, /, *inputs: str | bytes | bytearray | memoryview) -> Any:
    """Calls an operation of the core. Its answer is a `str` where it is text, and plain objects where it is JSON."""
