"""What the checks of traces share."""

ENDLESS = "the trace ends without a solution"


class Answer(str):
    """The answer that a search ends with, if it finds one."""

    __slots__ = ()


class BadTrace(ValueError):
    """A line of a trace that is wrong. Its message states which and why."""

    def __init__(self, number: int, line: str, reason: str) -> None:
        super().__init__(f"line {number + 1}, {line[:80]!r}: {reason}")


class Unfinished(BadTrace):
    """A trace without a solution."""

    def __init__(self) -> None:
        ValueError.__init__(self, ENDLESS)
