"""Reads the lines of rules."""

from typing import NamedTuple

from palaestra.generators.games.puzzles.puzzlescript.diagnostics import Log, Position
from palaestra.generators.games.puzzles.puzzlescript.names import Names
from palaestra.generators.games.puzzles.puzzlescript.parser import RuleLine

Cell = tuple[tuple[str, str], ...]
"""Objects, each with a direction or another word before it; an ellipsis is ``("...", "...")``."""
Row = tuple[Cell, ...]

ELLIPSIS: Cell = (("...", "..."),)

AGGREGATES = {
    "horizontal": ("left", "right"),
    "horizontal_par": ("left", "right"),
    "horizontal_perp": ("left", "right"),
    "vertical": ("up", "down"),
    "vertical_par": ("up", "down"),
    "vertical_perp": ("up", "down"),
    "moving": ("up", "down", "left", "right", "action"),
    "orthogonal": ("up", "down", "left", "right"),
    "perpendicular": ("^", "v"),
    "parallel": ("<", ">"),
}
"""Words that stand for several directions, in the order in which rules are expanded."""

ABSOLUTE = ("up", "down", "left", "right")
RELATIVE = ("^", "v", "<", ">", "perpendicular", "parallel")
PREFIXES = {*ABSOLUTE, "horizontal", "vertical", "orthogonal"}
MODIFIERS = {
    *ABSOLUTE, *RELATIVE, "moving", "stationary", "no", "randomdir", "random", "horizontal",
    "vertical", "orthogonal", "action",
}  # fmt: skip
COMMANDS = {
    "cancel", "checkpoint", "restart", "win", "message", "again",
    *(f"sfx{number}" for number in range(11)),
}  # fmt: skip

LENGTH = 200
"""How many words a rule may have."""


class Rule(NamedTuple):
    """A rule as it is written, or one that it has been expanded to, in one direction."""

    directions: tuple[str, ...]
    before: tuple[Row, ...]
    after: tuple[Row, ...]
    commands: tuple[tuple[str, str], ...]
    position: Position
    group: int
    late: bool
    rigid: bool
    random: bool

    @property
    def direction(self) -> str:
        """The direction of an expanded rule."""
        return self.directions[0]


class Rules(NamedTuple):
    """The rules as written, and where loops begin (True) and end (False)."""

    rules: list[Rule]
    loops: list[tuple[Position, bool]]


def read_rules(lines: list[RuleLine], names: Names, log: Log) -> Rules:
    """The rules of a file."""
    result = Rules([], [])
    for line in lines:
        first = line.tokens[0]
        if len(line.tokens) == 1 and first.text in {"startloop", "endloop"}:
            result.loops.append((first.position, first.text == "startloop"))
        elif len(line.tokens) > LENGTH:
            log.error(first.position, f"a rule has at most {LENGTH} words")
        else:
            rule = _RuleReader(line, names, result.rules, log).rule()
            if rule is not None:
                result.rules.append(rule)
    return result


class _RuleReader:
    """Reads one line."""

    def __init__(self, line: RuleLine, names: Names, rules: list[Rule], log: Log) -> None:
        self.words = line.tokens
        self.names, self.earlier, self.log = names, rules, log
        self.at = 0
        self.failed = False
        self.directions: list[str] = []
        self.flags: set[str] = set()
        self.sides: list[list[Row]] = [[]]
        self.commands: list[tuple[str, str]] = []

    def error(self, position: Position, message: str) -> None:
        self.failed = True
        self.log.error(position, message)

    def rule(self) -> Rule | None:
        """The rule; None if there are errors."""
        self._prefix()
        self._patterns()
        start = self.words[0].position
        if len(self.sides) == 1:
            self.error(start, "a rule has an arrow, '->'")
        elif not self.sides[0]:
            self.error(start, "a rule needs a pattern before its arrow")
        else:
            self._compare(start)
        return None if self.failed else self._built(start)

    def _built(self, start: Position) -> Rule:
        before, after = map(tuple, self.sides)
        joined = "+" in self.flags and self.earlier
        directions = tuple(self.directions) or AGGREGATES["orthogonal"]
        rule = Rule(
            directions, before, after, tuple(self.commands), start,
            self.earlier[-1].group if joined else start.line,
            "late" in self.flags, "rigid" in self.flags, "random" in self.flags,
        )  # fmt: skip
        return rule if _directional(rule) else rule._replace(directions=directions[:1])

    def _prefix(self) -> None:
        while self.at < len(self.words) and self.words[self.at].text != "[":
            text, position = self.words[self.at]
            self.at += 1
            if text == "+":
                self._plus(position)
            elif text in PREFIXES:
                self.directions += AGGREGATES.get(text, (text,))
            elif text in {"late", "rigid", "random"}:
                self._flag(text, position)
            elif text in RELATIVE:
                self.error(position, f"{text!r} is relative; a rule begins with absolute ones")
            else:
                self.error(position, f"{text[:40]!r} cannot stand before the first bracket")

    def _plus(self, position: Position) -> None:
        if self.at != 1:
            self.error(position, "'+' stands at the start of a line")
        elif not self.earlier:
            self.error(position, "'+' joins a rule with the one before, and there is none")
        self.flags.add("+")

    def _flag(self, text: str, position: Position) -> None:
        self.flags.add(text)
        if text == "random" and "+" in self.flags:
            self.error(position, "only the first rule of a group can be marked 'random'")
        if {"late", "rigid"} <= self.flags:
            self.error(position, "a late rule cannot be rigid, as late rules have no movements")

    def _patterns(self) -> None:
        while self.at < len(self.words):
            text, position = self.words[self.at]
            self.at += 1
            if text == "[":
                self.sides[-1].append(self._row(position))
            elif text == "->":
                if len(self.sides) == 2:
                    self.error(position, "a rule has one arrow")
                else:
                    self.sides.append([])
            elif text in COMMANDS:
                self._command(text, position)
            else:
                self.error(position, f"{text[:40]!r} cannot stand outside of brackets")

    def _command(self, text: str, position: Position) -> None:
        if len(self.sides) == 1:
            self.error(position, f"the command {text!r} stands at the end of a rule")
        message = ""
        if text == "message" and self.at < len(self.words):
            message = self.words[self.at].text or " "
            self.at = len(self.words)
        self.commands.append((text, message))

    def _row(self, opened: Position) -> Row:
        """The cells up to the closing bracket."""
        cells, cell, word = list[Cell](), list[tuple[str, str]](), ""
        while self.at < len(self.words):
            text, position = self.words[self.at]
            self.at += 1
            if text in {"|", "]"}:
                if word:
                    self.error(position, f"{word!r} needs an object")
                cells.append(tuple(cell))
                cell, word = [], ""
                if text == "]":
                    return tuple(cells)
            elif text in {"->", "["}:
                self.error(opened, "this bracket is not closed")
                self.at -= 1
                return (*cells, tuple(cell))
            else:
                word = self._item(text, position, cell, word)
        self.error(opened, "this bracket is not closed")
        return tuple(cells)

    def _item(self, text: str, position: Position, cell: list[tuple[str, str]], word: str) -> str:
        """Adds an object or an ellipsis to a cell; returns the word that waits for an object."""
        if text == "...":
            cell.append(("...", "..."))
        elif self.names.defined(text):
            if any(name == text for _, name in cell):
                self.log.mistake(position, f"{text[:40]!r} appears twice in a cell")
            cell.append((word, text))
        elif text in MODIFIERS:
            if word:
                self.error(position, f"an object has one of {word!r} and {text!r} before it")
            if "late" in self.flags and text not in {"no", "random", "randomdir"}:
                self.error(position, f"a late rule has no movements, so {text!r} cannot stand here")
            return text
        elif text in COMMANDS and len(self.sides) == 2:
            self.log.warn(position, f"the command {text!r} stands at the end of a rule")
            self.commands.append((text, ""))
        else:
            self.error(position, f"{text[:40]!r} is not defined")
        return ""

    def _compare(self, start: Position) -> None:
        """Whether both sides have the same form."""
        before, after = self.sides
        if not after and self.commands:
            return
        if len(before) != len(after):
            self.error(start, "both sides of a rule have the same number of brackets")
            return
        for left, right in zip(before, after):
            if len(left) != len(right):
                self.error(start, "patterns on both sides of a rule have the same number of cells")
                return
            self._ellipses(left, right, start)

    def _ellipses(self, left: Row, right: Row, start: Position) -> None:
        for number, (one, other) in enumerate(zip(left, right)):
            if (ELLIPSIS[0] in one or ELLIPSIS[0] in other) and not one == other == ELLIPSIS:
                self.error(start, "an ellipsis is alone in its cell, on both sides of a rule")
                return
            if one == ELLIPSIS and number in {0, len(left) - 1}:
                self.error(start, "a pattern neither begins nor ends with an ellipsis")
                return
        if left.count(ELLIPSIS) > 2:
            self.error(start, "a pattern has at most two ellipses")


def _directional(rule: Rule) -> bool:
    """Whether the direction of a rule matters."""
    return any(len(row) > 1 for row in rule.before) or any(
        word in RELATIVE
        for side in (rule.before, rule.after)
        for row in side
        for cell in row
        for word, _ in cell
    )
