"""The exception class. It is written in Python because a compiled class cannot extend an exception below 3.12."""


class GatewrightError(ValueError):
    """Input that cannot be read, or an argument of the wrong shape. ``str(error)`` is one line.

    What a check finds is never an exception; it is in the result.

    >>> try:
    ...     gatewright.digest('{"a": 1, "a": 2}')
    ... except gatewright.GatewrightError as error:
    ...     print(error.code, error.pointer, error.line, error.column)
    duplicate-key /a 1 10
    """

    def __init__(self, text, code="", message=None, help=None, pointer=None, line=None, column=None):
        super().__init__(text)
        self.code = code
        self.message = text if message is None else message
        self.help = help
        self.pointer = pointer
        self.line = line
        self.column = column


GatewrightError.__module__ = "gatewright"
