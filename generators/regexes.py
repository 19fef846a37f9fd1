"""Regular expressions as trees: sampling, writing, reading, matching and combining them.

Matching is by Glushkov's position automaton, in time linear in the text, whatever the expression;
a second matcher, by Brzozowski's derivatives, is there to be asked for its opinion.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import islice, product
from operator import or_
from random import Random
from typing import Literal, NamedTuple


class Node(NamedTuple):
    """An expression: a set of letters (``text``), or an operation on its ``parts``."""

    operator: Literal["set", "cat", "alt", "star", "plus", "opt"]
    text: str = ""
    parts: tuple["Node", ...] = ()


EMPTY = Node("cat")
"""Matches the empty text alone."""
NOTHING = Node("alt")
"""Matches no text."""


def literal(text: str) -> Node:
    """The expression that matches one text."""
    return Node("cat", "", tuple(Node("set", letter) for letter in text))


# ------------------------------------------------------------------------------ writing and reading

_SIGNS = {"star": "*", "plus": "+", "opt": "?"}
_KINDS: dict[str, Literal["star", "plus", "opt"]] = {"*": "star", "+": "plus", "?": "opt"}


def written(node: Node, tight: bool = False) -> str:
    """An expression as text, in brackets where it is to be held together.

    >>> written(Node("star", "", (literal("ab"),)))
    '(ab)*'
    """
    if node.operator == "set":
        return node.text if len(node.text) == 1 else f"[{node.text}]"
    if node.operator in _SIGNS:
        text = written(node.parts[0], tight=True) + _SIGNS[node.operator]
        return f"({text})" if tight else text
    if node.operator == "alt":
        text = "|".join(map(written, node.parts))
        return f"({text})"
    text = "".join(written(part) for part in node.parts)
    return f"({text})" if tight and not _is_unit(node) else text


def _is_unit(node: Node) -> bool:
    return len(node.parts) == 1 and node.parts[0].operator in {"set", "alt"}


def parsed(pattern: str) -> Node:
    """The expression that a text denotes. Raises ``ValueError`` if it denotes none.

    >>> written(parsed("a(b|ca)*[ab]+"))
    'a(b|ca)*[ab]+'
    """
    node, rest = _alternatives(pattern)
    if rest:
        raise ValueError(f"{rest[0]!r} is out of place in {pattern!r}")
    return node


def _alternatives(text: str) -> tuple[Node, str]:
    parts = []
    while True:
        part, text = _sequence(text)
        parts.append(part)
        if not text.startswith("|"):
            return (parts[0] if len(parts) == 1 else Node("alt", "", tuple(parts))), text
        text = text[1:]


def _sequence(text: str) -> tuple[Node, str]:
    parts = []
    while text and text[0] not in "|)":
        part, text = _atom(text)
        while text and text[0] in _KINDS:
            part, text = Node(_KINDS[text[0]], "", (part,)), text[1:]
        parts.append(part)
    return Node("cat", "", tuple(parts)), text


def _atom(text: str) -> tuple[Node, str]:
    if text[0] == "(":
        node, rest = _alternatives(text[1:])
        if not rest.startswith(")"):
            raise ValueError("a bracket is not closed")
        return node, rest[1:]
    letters, rest = text[0], text[1:]
    if letters == "[":
        letters, _, rest = rest.partition("]")
    if not letters.isalpha():
        raise ValueError(f"{letters!r} is no letter")
    return Node("set", letters), rest


# ---------------------------------------------------------------------------------------- matching


class Automaton:
    """The position automaton of an expression. Its states are sets of positions, as bits."""

    def __init__(self, node: Node) -> None:
        self.letters: list[str] = [""]  # position 0 is before the text
        self.follow: list[int] = [0]
        first, self.last, nullable = self._build(node)
        self.follow[0] = first
        self.last |= nullable
        self._steps: dict[tuple[int, str], int] = {}

    def _build(self, node: Node) -> tuple[int, int, bool]:
        """The positions that can come first and last, and whether the empty text matches."""
        if node.operator == "set":
            self.letters.append(node.text)
            self.follow.append(0)
            position = 1 << len(self.letters) - 1
            return position, position, False
        built = [self._build(part) for part in node.parts]
        if node.operator == "alt":
            firsts, lasts, nullables = zip(*built) if built else ((), (), ())
            return reduce(or_, firsts, 0), reduce(or_, lasts, 0), any(nullables)
        if node.operator == "cat":
            return reduce(self._chain, built, (0, 0, True))
        ((first, last, nullable),) = built
        if node.operator != "opt":
            self._link(last, first)
        return first, last, nullable or node.operator != "plus"

    def _chain(
        self, one: tuple[int, int, bool], other: tuple[int, int, bool]
    ) -> tuple[int, int, bool]:
        self._link(one[1], other[0])
        first = one[0] | other[0] if one[2] else one[0]
        last = one[1] | other[1] if other[2] else other[1]
        return first, last, one[2] and other[2]

    def _link(self, lasts: int, firsts: int) -> None:
        for position in range(len(self.follow)):
            if lasts >> position & 1:
                self.follow[position] |= firsts

    def step(self, state: int, letter: str) -> int:
        """The state after one more letter; 0 if no continuation matches."""
        key = state, letter
        if key not in self._steps:
            reached = reduce(or_, (f for p, f in enumerate(self.follow) if state >> p & 1), 0)
            fits = (p for p, letters in enumerate(self.letters) if letter in letters)
            self._steps[key] = reached & reduce(or_, (1 << p for p in fits), 0)
        return self._steps[key]

    def accepts(self, state: int) -> bool:
        """Whether the text so far matches."""
        return bool(state & self.last)


START = 1
"""The state of every automaton before the first letter."""


@lru_cache(maxsize=512)
def automaton(pattern: str) -> Automaton:
    """The automaton of a pattern."""
    return Automaton(parsed(pattern))


def matches(pattern: str, text: str) -> bool:
    """Whether the whole of a text matches.

    >>> [matches("(ab|c)*", text) for text in ("", "abc", "aba")]
    [True, True, False]
    """
    machine = automaton(pattern)
    return machine.accepts(reduce(machine.step, text, START))


def derives(pattern: str, text: str) -> bool:
    """The same by derivatives: what may follow each letter, as an expression again."""
    return _nullable(reduce(_derivative, text, parsed(pattern)))


def _nullable(node: Node) -> bool:
    if node.operator == "alt":
        return any(map(_nullable, node.parts))
    return node.operator in {"star", "opt"} or (
        node.operator in {"cat", "plus"} and all(map(_nullable, node.parts))
    )


@lru_cache(maxsize=4096)
def _derivative(node: Node, letter: str) -> Node:
    if node.operator == "set":
        return EMPTY if letter in node.text else NOTHING
    if node.operator == "alt":
        return _either(*(_derivative(part, letter) for part in node.parts))
    if node.operator == "opt":
        return _derivative(node.parts[0], letter)
    if node.operator in {"star", "plus"}:
        return _both(_derivative(node.parts[0], letter), Node("star", "", node.parts))
    if not node.parts:
        return NOTHING
    head, tail = node.parts[0], Node("cat", "", node.parts[1:])
    taken = _both(_derivative(head, letter), tail)
    return _either(taken, _derivative(tail, letter)) if _nullable(head) else taken


def _both(one: Node, other: Node) -> Node:
    if NOTHING in (one, other):
        return NOTHING
    parts = [
        p for node in (one, other) for p in (node.parts if node.operator == "cat" else (node,))
    ]
    return parts[0] if len(parts) == 1 else Node("cat", "", tuple(parts))


def _either(*nodes: Node) -> Node:
    parts = [p for node in nodes for p in (node.parts if node.operator == "alt" else (node,))]
    unlike = tuple(dict.fromkeys(parts))
    return unlike[0] if len(unlike) == 1 else Node("alt", "", unlike)


# ---------------------------------------------------------------------------------- several at once


class Common:
    """The texts of a length that match all of some patterns and none of others."""

    def __init__(self, yes: Sequence[str], no: Sequence[str], letters: str, length: int) -> None:
        self.machines = [automaton(pattern) for pattern in (*yes, *no)]
        self.wanted = [n < len(yes) for n in range(len(self.machines))]
        self.letters, self.length = letters, length
        self.counts: dict[tuple[int, tuple[int, ...]], int] = {}
        """The number of continuations from each position and states, as far as computed."""
        self.total = self._count(length, (START,) * len(self.machines))

    def _count(self, left: int, states: tuple[int, ...]) -> int:
        key = left, states
        if key not in self.counts:
            self.counts[key] = self._counted(left, states)
        return self.counts[key]

    def _counted(self, left: int, states: tuple[int, ...]) -> int:
        if not all(state or not wanted for state, wanted in zip(states, self.wanted)):
            return 0
        if left:
            return sum(self._count(left - 1, self._step(states, c)) for c in self.letters)
        accepted = (machine.accepts(state) for machine, state in zip(self.machines, states))
        return int(list(accepted) == self.wanted)

    def _step(self, states: tuple[int, ...], letter: str) -> tuple[int, ...]:
        return tuple(machine.step(state, letter) for machine, state in zip(self.machines, states))

    def text(self, number: int) -> str:
        """One of the texts, numbered in alphabetical order."""
        states, word = (START,) * len(self.machines), ""
        for left in reversed(range(self.length)):
            for letter in self.letters:
                after = self._step(states, letter)
                if number < (ways := self._count(left, after)):
                    break
                number -= ways
            states, word = after, word + letter
        return word

    def __iter__(self) -> Iterator[str]:
        return map(self.text, range(self.total))


# ----------------------------------------------------------------------------------------- drawing


def generalised(rng: Random, text: str, letters: str, depth: int, loose: float = 0.0) -> Node:
    """A random expression that matches a text, and others like it.

    ``loose`` is the share of its parts whose letters may occur in any order.
    """
    if len(text) < 2 or depth == 0:
        return _leaf(rng, text, letters, loose)
    form = rng.choice(("cut", "cut", "either", "loop", "maybe"))
    if form == "either":
        parts = [generalised(rng, text, letters, depth - 1, loose), _other(rng, text, letters)]
        rng.shuffle(parts)
        return _either(*parts)
    if form == "loop":
        pieces = dict.fromkeys(_pieces(rng, text, rng.randint(1, 1 + len(text) // 2)))
        inner = _either(*(_leaf(rng, piece, letters, loose / 2) for piece in pieces))
        return Node(rng.choice(("star", "plus")), "", (inner,))
    if form == "maybe":
        extra = Node("opt", "", (_other(rng, text[:2], letters),))
        return _both(extra, generalised(rng, text, letters, depth - 1, loose))
    cut = rng.randrange(1, len(text))
    halves = text[:cut], text[cut:]
    return _both(*(generalised(rng, half, letters, depth - 1, loose) for half in halves))


def _leaf(rng: Random, text: str, letters: str, loose: float) -> Node:
    """A text unchanged, or its letters in any order, or one of several letters."""
    if rng.random() >= loose or not text:
        return literal(text)
    extra = rng.choice(letters) if len(text) == 1 else ""
    some = Node("set", "".join(sorted({*text, extra})))
    if len(text) == 1 and rng.random() < 0.5:
        return some
    return Node(rng.choice(("star", "plus")), "", (some,))


def _other(rng: Random, text: str, letters: str) -> Node:
    """A random text of about the same length."""
    length = max(1, len(text) + rng.randint(-1, 1))
    return literal("".join(rng.choices(letters, k=length)))


def _pieces(rng: Random, text: str, number: int) -> list[str]:
    cuts = sorted(rng.sample(range(1, len(text)), min(number, len(text)) - 1))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])]


def plain_texts(letters: str, length: int, period: int = 3) -> Iterator[str]:
    """Texts that are obvious guesses: those that repeat a few letters."""
    for short in product(letters, repeat=period):
        yield "".join(islice("".join(short) * length, length))
