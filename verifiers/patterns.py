"""Answers that must follow a regular expression or a grammar.

Neither can be made to burn time: expressions are matched by RE2, and texts are recognised by
Earley's algorithm within a fixed number of steps.

>>> Pattern(r"[A-Z]{2}-[0-9]{4}")("AB-1234").correct
True
>>> arithmetic = Grammar('''
... start: start ("+" | "*") start | "(" start ")" | /[0-9]+/
... %ignore " "
... ''')
>>> arithmetic("(1 + 2) * 3").correct, arithmetic("(1 + ) * 3").reason
(True, 'the text does not follow the grammar from character 6 on')
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.verifier import GoldError, Verifier

PROGRAM = 20_000
"""How many instructions RE2 may need for an expression; a match takes at most that per byte."""

STEPS = 100_000
"""How many steps a text may take to be recognised, which is about a tenth of a second."""


@lru_cache(maxsize=1024)
def linear_regex(regex: str, ignore_case: bool = False) -> Any:
    """An expression compiled by RE2 for texts as UTF-8 bytes.

    Raises :class:`GoldError` where RE2 cannot: look-around and back-references among others.

    >>> linear_regex("(a+)+$").search(b"a" * 10_000 + b"b") is None
    True
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        compiled = re2.compile(regex.encode(), options)
    except (re2.error, UnicodeEncodeError, OverflowError) as error:
        message = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        raise GoldError(f"RE2 does not read the expression {regex[:80]!r}: {message}") from None
    if compiled.programsize > PROGRAM:
        raise GoldError(f"the expression {regex[:80]!r} is too large")
    return compiled


def utf8(text: str) -> bytes:
    """Encode a text. Raises :class:`InvalidAnswer` if it contains half a surrogate pair."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidAnswer("half a surrogate pair is no text") from None


def _without_line_end(text: str) -> str:
    """A text without the one line end that may be behind it."""
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text


@dataclass(frozen=True, slots=True)
class Pattern(Verifier):
    """The answer matches a regular expression: 1 or 0.

    The expression is in the syntax of RE2 and must match the whole answer, blanks around it
    included, or some part of it where ``whole`` is off. Only one line end behind the answer is not
    looked at. Signs are taken as they stand: no case is folded unless ``ignore_case``
    is on, and no fullwidth digit is a digit. Raises :class:`GoldError` for an expression that RE2
    does not read, or that finds its part in every text.
    """

    regex: str
    whole: bool = True
    ignore_case: bool = False

    def __post_init__(self) -> None:
        if self._matches(b"") and not self.whole:
            raise GoldError("the expression matches the empty part of any answer")

    def verify(self, answer: str) -> Score:
        right = self._matches(utf8(_without_line_end(answer)))
        return Score(right, "" if right else "the text does not match the pattern")

    def _matches(self, text: bytes) -> bool:
        compiled = linear_regex(self.regex, self.ignore_case)
        return bool((compiled.fullmatch if self.whole else compiled.search)(text))


@dataclass(frozen=True, slots=True)
class Grammar(Verifier):
    r"""The answer can be derived from a context-free grammar: 1 or 0.

    The grammar is written as for the library ``lark``, from whose rule ``start`` all begins.
    Blanks around the answer are part of it, but for one line end behind it; ``%ignore`` them where
    they should not matter. Ambiguity does not matter. A terminal takes the longest match of its
    expression where it stands, as in lark's dynamic lexer; its expression must be one that RE2
    reads, so that ``common.ESCAPED_STRING``, which looks behind, is written
    ``/"([^"\\]|\\.)*"/``.

    An answer may have 4,000 characters and take 100,000 steps to be recognised, else its status
    is ``limit``: about n steps for everyday grammars, n² for some right recursions, n³ for
    ambiguous ones. Raises :class:`GoldError` for a grammar that cannot be read or derives nothing.
    """

    longest: ClassVar[int] = 4_000

    grammar: str
    start: str = "start"

    def __post_init__(self) -> None:
        _cfg(self.grammar, self.start)

    def verify(self, answer: str) -> Score:
        text = utf8(_without_line_end(answer))
        reached = _Recognition(_cfg(self.grammar, self.start), text).reached()
        if reached is None:
            return Score(1.0)
        position = len(text[:reached].decode(errors="ignore")) + 1
        if reached == len(text):
            return Score(0.0, "the text ends before the grammar lets it")
        return Score(0.0, f"the text does not follow the grammar from character {position} on")


class _Rule(NamedTuple):
    origin: str
    symbols: tuple[str, ...]


class _Cfg(NamedTuple):
    """A context-free grammar: terminals are matched, everything else is derived."""

    start: str
    rules: Sequence[_Rule]
    choices: Mapping[str, Sequence[int]]
    """The places of the rules of each name."""
    terminals: Mapping[str, Any]
    ignored: Sequence[Any]
    nullable: Collection[str]


@lru_cache(maxsize=256)
def _cfg(grammar: str, start: str) -> _Cfg:
    """What lark makes of a grammar: rules without repetitions and options."""
    with needs("schema", "Lark"):
        from lark import Lark

    try:
        read = Lark(grammar, start=start, parser="earley", maybe_placeholders=False)
    except Exception as error:  # noqa: BLE001  lark and the regex libraries have no common base
        raise GoldError(f"the grammar cannot be read: {str(error)[:300]}") from None
    terminals = {each.name: linear_regex(each.pattern.to_regexp()) for each in read.terminals}
    rules = [
        _Rule(str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion))
        for rule in read.rules
    ]
    choices: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        choices.setdefault(rule.origin, []).append(number)
    symbols = {symbol for rule in rules for symbol in rule.symbols}
    if unknown := sorted(symbols - terminals.keys() - choices.keys()):
        raise GoldError(f"the terminal {unknown[0]} has no pattern")
    if start not in _deriving(rules, terminals):
        raise GoldError(f"no text at all can be derived from {start!r}")
    ignored = [terminals[str(name)] for name in read.ignore_tokens]
    return _Cfg(start, rules, choices, terminals, ignored, _deriving(rules, ()))


def _deriving(rules: Sequence[_Rule], known: Collection[str]) -> frozenset[str]:
    """The names from which a row of known symbols can be derived, or an empty one."""
    deriving: frozenset[str] = frozenset()
    while True:
        grown = frozenset(
            rule.origin for rule in rules if all(s in deriving or s in known for s in rule.symbols)
        )
        if grown == deriving:
            return deriving
        deriving = grown


_Item = tuple[int, int, int]
"""A rule, how many of its symbols have been found, and where the first of them begins."""


class _Recognition:
    """Earley's algorithm (1970) without parse trees, on bytes instead of tokens.

    Names that derive the empty text are passed as they are predicted (J. Aycock and R. N.
    Horspool, 2002).
    """

    def __init__(self, cfg: _Cfg, text: bytes) -> None:
        self.cfg, self.text = cfg, text
        self.columns: list[list[_Item]] = [[] for _ in range(len(text) + 1)]
        self.known: list[set[_Item]] = [set() for _ in range(len(text) + 1)]
        self.waiting: list[dict[str, list[_Item]]] = [{} for _ in range(len(text) + 1)]
        self.steps = 0

    def reached(self) -> int | None:
        """Return where the text stops following the grammar; ``None`` if it never does."""
        reached = 0
        for rule in self.cfg.choices[self.cfg.start]:
            self._add(0, (rule, 0, 0))
        for position, column in enumerate(self.columns):
            if column:
                reached = position
                self._close(position)
                self._scan(position)
        return None if any(map(self._whole, self.columns[-1])) else reached

    def _next(self, item: _Item) -> str:
        """The symbol to be found next; none where all have been."""
        symbols = self.cfg.rules[item[0]].symbols
        return symbols[item[1]] if item[1] < len(symbols) else ""

    def _whole(self, item: _Item) -> bool:
        """Whether it stands for all of the text up to here."""
        rule, _, begun = item
        return self.cfg.rules[rule].origin == self.cfg.start and not (begun or self._next(item))

    def _add(self, position: int, item: _Item) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise InvalidAnswer("the text takes too long to be recognised", "limit")
        if item not in self.known[position]:
            self.known[position].add(item)
            self.columns[position].append(item)

    def _close(self, position: int) -> None:
        """Predict and complete until nothing new comes of it: the column grows on the way."""
        for item in self.columns[position]:
            rule, dot, begun = item
            symbol = self._next(item)
            if not symbol:
                origin = self.cfg.rules[rule].origin
                for parent, child, start in self.waiting[begun].get(origin, ()):
                    self._add(position, (parent, child + 1, start))
            elif symbol in self.cfg.choices:
                self.waiting[position].setdefault(symbol, []).append(item)
                for choice in self.cfg.choices[symbol]:
                    self._add(position, (choice, 0, position))
                if symbol in self.cfg.nullable:
                    self._add(position, (rule, dot + 1, begun))

    def _scan(self, position: int) -> None:
        """Go over terminals, and over what is ignored."""
        expecting: dict[str, list[_Item]] = {}
        for item in self.columns[position]:
            symbol = self._next(item)
            if symbol in self.cfg.terminals or self._whole(item):
                expecting.setdefault(symbol, []).append(item)
        for symbol, items in expecting.items():
            if symbol and (match := self.cfg.terminals[symbol].match(self.text, position)):
                for rule, dot, begun in items:
                    self._add(match.end(), (rule, dot + 1, begun))
        for blank in self.cfg.ignored:
            match = blank.match(self.text, position)
            if match and match.end() > position:
                for item in (item for items in expecting.values() for item in items):
                    self._add(match.end(), item)
