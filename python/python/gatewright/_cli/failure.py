"""Why a server could not be asked."""


class Failure(Exception):
    """`kind` is `start`, `timeout`, `protocol` or `list`: where it went wrong."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind
        self.message = message
