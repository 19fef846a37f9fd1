"""Random programs: a sequence of idioms, each of which works on the results of earlier ones.

An idiom is one or two loops or a function, with random constants and conditions. Every result is
used or printed, every line is executed, and the output differs between cases.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from keyword import kwlist
from random import Random
from typing import NamedTuple

from palaestra.generators.programs.translate_program.drafting import Draft
from palaestra.generators.programs.translate_program.idioms import IDIOMS
from palaestra.generators.programs.translate_program.running import CALLED, Fault, outcome, parsed
from palaestra.generators.programs.translate_program.writing import ROW, Language

CASES = 8
"""The number of cases on which a new program is run."""


Case = list[int | list[int]]
"""The arguments of the function ``solve``."""

SIZES = ((True, 4), (False, 10), (False, 24))
"""For each input, whether it is of plain cases only, and of how many."""

INPUTS = len(SIZES)


class Source(NamedTuple):
    """The source of a program and the parameters of its function ``solve``."""

    text: str
    parameters: tuple[str, ...]


def random_program(rng: Random, shown: Language, number: int, tier: int) -> Source:
    """A sound program of ``number`` idioms, at least one of them of the tier."""
    while True:
        source = draft(rng, shown, number, tier)
        if sound(source, rng):
            return source


def draft(rng: Random, shown: Language, number: int, tier: int) -> Source:
    """A program of ``number`` idioms, which may be trivial or fail; see :func:`sound`."""
    writer = Draft(rng, shown)
    parameters = rng.choice((("k", ROW), (ROW,), ("k", "m", ROW), (ROW, "k")))
    writer.taken |= {*parameters, "n"}
    writer.numbers += [name for name in parameters if name != ROW] or ["n"]
    last = rng.choice(IDIOMS[tier])
    known = [each for lower in range(tier + 1) for each in IDIOMS[lower] if each != last]
    for function in [*rng.sample(known, number - 1), last]:
        function(writer)
    for name in [name for name in writer.unused if name.endswith("s")]:
        x = writer.fresh("item")
        writer.add(f"for {x} in {name}:\n    print({x})")
    if rest := [name for name in writer.unused if not name.endswith("s")]:
        writer.add(f"print({', '.join(rest)})")
    words = {*_WORD.findall("\n".join(writer.lines))}
    if "n" in words:
        writer.lines.insert(0, f"    n = len({ROW})")
        words.add(ROW)
    used = tuple(name for name in parameters if name in words)
    body = "\n".join([f"def solve({', '.join(used)}):", *writer.lines])
    return Source("\n\n".join([*writer.helpers, body]), used)


@lru_cache(maxsize=64)
def tested(source: Source, seed: int, inputs: int) -> tuple[tuple[str, str], ...]:
    """Inputs with their outputs; the first input has plain cases only."""
    return tuple(map(written_out, cases_of(source, seed, inputs)))


Tried = tuple[Case, str]
"""A case and its output."""


@lru_cache(maxsize=64)
def cases_of(source: Source, seed: int, inputs: int) -> tuple[tuple[Tried, ...], ...]:
    """The cases of each input."""
    rng, values = Random(f"{seed} {source.text}"), []
    for plain, number in SIZES[:inputs]:  # nearly all cases will do, and so they do after a few
        candidates = (case(rng, source.parameters, plain) for _ in range(50 * number))
        values.append(tuple(islice(legal(source, candidates), number)))
    return tuple(values)


def legal(source: Source, cases: Iterable[Case]) -> Iterator[Tried]:
    """The cases for which the output of a program is the same in all languages."""
    program = parsed(source.text)
    for values in cases:
        try:
            yield values, outcome(program, values).printed
        except Fault:
            continue


def written_out(cases: Sequence[Tried]) -> tuple[str, str]:
    """Cases as one input, with the output for all of them."""
    return input_of([values for values, _ in cases]), "\n".join(printed for _, printed in cases)


def input_of(cases: Sequence[Case]) -> str:
    r"""Cases as programs read them.

    >>> input_of([[3, [1, 2]]])
    '1\n3\n2 1 2\n'
    """
    rows = [str(len(cases))]
    for each in cases:
        for value in each:
            row = [len(value), *value] if isinstance(value, list) else [value]
            rows.append(" ".join(map(str, row)))
    return "\n".join([*rows, ""])


def nameless(text: str) -> str:
    """A program with its names replaced in the order in which they come."""
    names: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        word = match[0]
        return word if word in KEPT else names.setdefault(word, f"v{len(names)}")

    return _WORD.sub(renamed, text)


_WORD = re.compile(r"[A-Za-z_]\w*")
KEPT = {*kwlist, *CALLED, "print", "append", "pop", "solve"}


def case(rng: Random, parameters: tuple[str, ...], plain: bool = False) -> Case:
    """What a program may be given: plain, that is small and positive, or not."""
    kinds = ((-50, 50, 12), (-9, 9, 12), (-99, 0, 5))
    low, high, longest = (0, 20, 6) if plain else rng.choice(kinds)
    values: Case = []
    for name in parameters:
        size = rng.randint(1 if not plain else 3, longest)
        row = [rng.randint(low, high) for _ in range(size)]
        values.append(row if name == ROW else rng.randint(low, high))
    return values


def sound(source: Source, rng: Random) -> bool:
    """Whether cases execute all lines of a program and lead to different outputs."""
    program, printed = parsed(source.text), []
    seen: set[int] = set()
    for number in range(CASES):
        try:
            result = outcome(program, case(rng, source.parameters, plain=number < 2))
        except Fault:
            return False
        printed.append(result.printed)
        seen |= result.seen
    heads = ("def ", "else:", "elif ")
    lines = enumerate(source.text.split("\n"), 1)
    wanted = {n for n, line in lines if line.strip() and not line.strip().startswith(heads)}
    words = {word for each in printed for word in each.split()}
    return wanted <= seen and len({*printed}) >= CASES - 1 and len(words) > 5
