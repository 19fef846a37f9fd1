"""Reads the sections of a PuzzleScript file.

Names are read in lower case. Comments in parentheses, which may be nested, are replaced with spaces
so that columns stay as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from palaestra.generators.games.puzzles.puzzlescript.diagnostics import Log, Position

LONGEST = 300_000
"""How many characters a file may have."""

SECTIONS = (
    "objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels",
)  # fmt: skip

FLAGS = {
    "debug", "noaction", "norepeat_action", "noundo", "norestart", "require_player_movement",
    "run_rules_on_level_start", "scanline", "throttle_movement", "verbose_logging",
    "case_sensitive",
}  # fmt: skip
VALUES = {
    "title", "author", "homepage", "again_interval", "background_color", "color_palette",
    "flickscreen", "key_repeat_interval", "realtime_interval", "text_color", "zoomscreen",
    "youtube",
}  # fmt: skip
WITHOUT_EFFECT = {
    "realtime_interval": "turns happen only when the player moves",
    "flickscreen": "the whole level is shown",
    "zoomscreen": "the whole level is shown",
    "case_sensitive": "names are read in lower case",
}


class Token(NamedTuple):
    """A word of a line in lower case, and where it begins."""

    text: str
    position: Position


@dataclass
class GameObject:
    """An object: its name in lower case and as written, its colours and its sprite."""

    name: str
    title: str
    position: Position
    colours: tuple[str, ...] = ()
    sprite: tuple[str, ...] = ()


class Level(NamedTuple):
    """The rows of a level, or its message, and its first line."""

    rows: tuple[str, ...]
    line: int
    message: str = ""


class RuleLine(NamedTuple):
    """A line of the section of rules: its tokens, and its text for messages."""

    tokens: tuple[Token, ...]
    text: str


@dataclass
class Source:
    """A file that has been split into its parts."""

    prelude: dict[str, str] = field(default_factory=dict)
    objects: dict[str, GameObject] = field(default_factory=dict)
    synonyms: list[tuple[Token, Token]] = field(default_factory=list)
    legend: list[tuple[Token, ...]] = field(default_factory=list)
    layers: list[tuple[Token, ...]] = field(default_factory=list)
    rules: list[RuleLine] = field(default_factory=list)
    conditions: list[tuple[Token, ...]] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)


def parse(text: str, log: Log) -> Source:
    """The parts of a file. Errors go to ``log``."""
    if len(text) > LONGEST:
        log.error_out(f"the file has {len(text)} characters; at most {LONGEST} are read")
    reader = _Reader(log)
    for number, line in enumerate(_lines(text, log), 1):
        reader.read(number, line)
    reader.finish()
    return reader.source


def _lines(text: str, log: Log) -> Iterator[str]:
    """The lines without comments. A message is taken as it stands."""
    depth, opened = 0, Position()
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        signs = list(line.replace("\t", " "))
        start = _message_start(line) if not depth else -1
        for column, sign in enumerate(signs):
            if 0 <= start <= column and not depth:
                break
            if sign == "(":
                opened = opened if depth else Position(number, column + 1)
                depth += 1
            elif sign == ")" and not depth:
                log.warn(Position(number, column + 1), "a comment is closed that was not opened")
            if depth:
                signs[column] = " "
            if sign == ")":
                depth, signs[column] = max(0, depth - 1), " "
        yield "".join(signs)
    if depth:
        log.warn(opened, "this comment is not closed")


def _message_start(line: str) -> int:
    """Where the text of a message begins; -1 if the line has none."""
    start = 0
    while (at := line.lower().find("message", start)) >= 0:
        end = at + len("message")
        before, after = line[at - 1 : at], line[end : end + 1]
        if not before.strip(" \t]") and not after.strip():
            return end
        start = end
    return -1


def tokens(line: str, number: int, alone: str = "") -> tuple[Token, ...]:
    """The words of a line; the signs of ``alone`` are words of their own.

    >>> [token.text for token in tokens("[> Player|Crate]", 1, "[]|")]
    ['[', '>', 'player', '|', 'crate', ']']
    """
    words, start = list[Token](), -1
    for column, sign in enumerate([*line, " "]):
        if sign.isspace() or sign in alone:
            if start >= 0:
                words.append(Token(line[start:column].lower(), Position(number, start + 1)))
            start = -1
            if sign in alone:
                words.append(Token(sign, Position(number, column + 1)))
        elif start < 0:
            start = column
    return tuple(words)


class _Reader:
    """Reads line after line."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.source = Source()
        self.section = ""
        self.current: GameObject | None = None
        self.rows: list[str] = []
        self.first = 0
        self.visited: list[str] = []

    def read(self, number: int, line: str) -> None:
        """Read a line without comments."""
        stripped = line.strip()
        if self._is_rule_of_signs(stripped):
            return
        if self.section != "levels" and stripped.lower() in SECTIONS:
            self._open(stripped.lower(), number)
        elif not stripped:
            self._blank()
        elif not self.section:
            self._prelude(number, line)
        else:
            getattr(self, f"_{self.section}")(number, line)

    def _is_rule_of_signs(self, line: str) -> bool:
        """Whether a line consists of equals signs, or begins with some outside of the levels."""
        if self.section == "levels":
            return bool(line) and not line.strip("= ")
        return line.startswith("=")

    def _open(self, section: str, number: int) -> None:
        position = Position(number, 1)
        expected = SECTIONS[len(self.visited)] if len(self.visited) < len(SECTIONS) else ""
        if section in self.visited:
            self.log.error(position, f"the section {section.upper()} appears twice")
        elif section != expected:
            self.log.error(
                position,
                f"the section {section.upper()} is out of order; {expected.upper()} comes next, "
                "and no section may be missing, even if it is empty",
            )
        self.visited.append(section)
        self.section, self.current = section, None

    def _blank(self) -> None:
        self.current = None
        self._end_level()

    def finish(self) -> None:
        """Check that all sections were there."""
        self._end_level()
        for section in SECTIONS:
            if section not in self.visited:
                self.log.error(Position(), f"the section {section.upper()} is missing")

    def _prelude(self, number: int, line: str) -> None:
        key, _, value = line.strip().partition(" ")
        key, position = key.lower(), Position(number, len(line) - len(line.lstrip()) + 1)
        if key not in FLAGS | VALUES:
            self.log.mistake(position, f"the prelude has no option {key[:40]!r}")
            return
        if key in VALUES and not value.strip():
            self.log.error(position, f"the option {key!r} needs a value")
        if key in WITHOUT_EFFECT:
            self.log.warn(position, f"{key} is ignored: {WITHOUT_EFFECT[key]}")
        self.source.prelude[key] = value.strip()

    def _objects(self, number: int, line: str) -> None:
        words, current = tokens(line, number), self.current
        if current is None or (current.colours and not _is_sprite(line)):
            if current is not None and current.sprite and len(current.sprite) < 5:
                self.log.warn(current.position, "a sprite has five rows")
            self._name(words, line)
        elif not current.colours:
            current.colours = tuple(word.text for word in words)
            if len(words) > 10:
                self.log.mistake(words[10].position, "an object has at most ten colours")
        else:
            current.sprite = (*current.sprite, line.strip())
            if len(line.strip()) != 5:
                self.log.warn(words[0].position, "a row of a sprite has five signs")
            if len(current.sprite) == 5:
                self.current = None

    def _name(self, words: tuple[Token, ...], line: str) -> None:
        first = words[0]
        title = line.strip().split()[0]
        entry = GameObject(first.text, title, first.position)
        if first.text in self.source.objects:
            self.log.mistake(first.position, f"the object {title[:40]!r} is defined twice")
        self.source.objects[first.text] = self.current = entry
        self.source.synonyms += [(word, first) for word in words[1:]]

    def _legend(self, number: int, line: str) -> None:
        text = line.strip()
        at = text.find("=", 1)
        offset = len(line) - len(line.lstrip())
        name = tokens(text[:at], number) if at > 0 else ()
        padded = " " * (offset + at + 1) + text[at + 1 :]
        values = tokens(padded, number)
        if len(name) != 1 or len(values) % 2 == 0:
            self.log.error(
                Position(number, offset + 1),
                "an entry of the legend has the form 'A = B', 'A = B and C' or 'A = B or C'",
            )
            return
        self.source.legend.append((Token(name[0].text, Position(number, offset + 1)), *values))

    def _sounds(self, number: int, line: str) -> None:
        """Sounds have no effect."""

    def _collisionlayers(self, number: int, line: str) -> None:
        names = tokens(line.replace(",", " "), number)
        if names:
            self.source.layers.append(names)

    def _rules(self, number: int, line: str) -> None:
        cut = _message_start(line)
        end = cut if cut >= 0 else len(line)
        spaced = line[:end].replace("->", "\1\1")  # as wide as the arrow
        words = [
            Token(word.text.replace("\1\1", "->"), word.position)
            for word in _with_arrows(tokens(spaced, number, "[]|"))
        ]
        if cut >= 0:
            words.append(Token(line[cut:].strip(), Position(number, cut + 1)))
        self.source.rules.append(RuleLine(tuple(_with_plus(words)), line.strip()))

    def _winconditions(self, number: int, line: str) -> None:
        self.source.conditions.append(tokens(line, number))

    def _levels(self, number: int, line: str) -> None:
        text = line.strip()
        if text.lower().split()[0] == "message":
            self._end_level()
            self.source.levels.append(Level((), number, text[len("message") :].strip() or " "))
            return
        if not self.rows:
            self.first = number
        self.rows.append(text.lower())

    def _end_level(self) -> None:
        if self.rows:
            self.source.levels.append(Level(tuple(self.rows), self.first))
        self.rows = []


def _is_sprite(line: str) -> bool:
    return line.strip()[0] in ".0123456789"


def _with_arrows(words: tuple[Token, ...]) -> Iterator[Token]:
    """Splits words at arrows, which are two marks wide."""
    for word in words:
        line, column = word.position
        for number, part in enumerate(word.text.split("\1\1")):
            if number:
                yield Token("\1\1", Position(line, column))
                column += 2
            if part:
                yield Token(part, Position(line, column))
            column += len(part)


def _with_plus(words: list[Token]) -> Iterator[Token]:
    """Splits a plus sign from the first word."""
    for number, (text, position) in enumerate(words):
        if number == 0 and text.startswith("+") and len(text) > 1:
            yield Token("+", position)
            yield Token(text[1:], Position(position.line, position.column + 1))
        else:
            yield Token(text, position)
