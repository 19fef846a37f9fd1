"""What is wrong with a PuzzleScript file: messages with lines and columns."""

from typing import Literal, NamedTuple

LIMIT = 100
"""The number of messages after which reading stops."""


class Position(NamedTuple):
    """A line and a column of a file, both from 1; 0 where there is none."""

    line: int = 0
    column: int = 0


class Diagnostic(NamedTuple):
    """An error or a warning."""

    position: Position
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        line, column = self.position
        where = f"line {line}, column {column}: " if line else ""
        return f"{where}{self.severity}: {self.message}"


class GameError(ValueError):
    """A file that is not a game, with all of its diagnostics, or a game that cannot be run."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type["GameError"], tuple[str, tuple[Diagnostic, ...]]]:
        return type(self), (str(self), self.diagnostics)


class Log:
    """Collects diagnostics, each once.

    A lenient one takes mistakes that have a meaning all the same as warnings.
    """

    def __init__(self, lenient: bool = False) -> None:
        self.lenient = lenient
        self.entries: dict[Diagnostic, None] = {}

    def error(self, position: Position, message: str) -> None:
        """Add an error. Raises :class:`GameError` if there are too many messages."""
        self._add(Diagnostic(position, message))

    def warn(self, position: Position, message: str) -> None:
        """Add a warning."""
        self._add(Diagnostic(position, message, "warning"))

    def mistake(self, position: Position, message: str) -> None:
        """Add an error that the original reports, too, and after which it plays the game."""
        self._add(Diagnostic(position, message, "warning" if self.lenient else "error"))

    def _add(self, entry: Diagnostic) -> None:
        self.entries[entry] = None
        if len(self.entries) >= LIMIT:
            self.error_out("too many errors and warnings")

    def error_out(self, message: str) -> None:
        """Raises :class:`GameError` with all diagnostics so far."""
        entries = tuple(self.entries)
        raise GameError("\n".join([message, *map(str, entries)]), entries)

    def check(self) -> None:
        """Raises :class:`GameError` if there are errors."""
        errors = [entry for entry in self.entries if entry.severity == "error"]
        if errors:
            self.error_out(f"{len(errors)} error{'s' * (len(errors) > 1)} in the file")

    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings."""
        return tuple(entry for entry in self.entries if entry.severity == "warning")
