"""Inputs of stories that kill the mutants of their solutions, so that tests by them are sufficient.

The input format of each family is defined once; the caller chooses the numbers: the search for
tests takes numbers near those of the story, a second opinion takes any numbers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.mutants.killing import killers
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.stdin_story.stories import (
    FAMILIES,
    MODULES,
    Case,
    Numbers,
    as_rows,
    short_cases,
    solved,
    telling_cases,
)
from palaestra.syntax import source_of

Pick = Callable[[int, int], int]
"""A function that returns an integer between two bounds, inclusive."""

Form = Callable[[Random, int, Pick, Numbers], str]
"""An input of about a size, with numbers as they are picked."""

MORE = 200
"""Among so many other inputs those are looked for that kill mutants."""


# ---------------------------------------------------------------------------------------- forms


def _listed(low: int, high: int) -> Form:
    def form(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
        return as_rows([size], [pick(low, high) for _ in range(size)])

    return form


def _rows(low: Sequence[int], high: Sequence[int]) -> Form:
    """Lines of numbers, each number within its own bounds."""

    def form(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
        return as_rows([size], *([pick(*bounds) for bounds in zip(low, high)] for _ in range(size)))

    return form


def _sections(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    queries = [sorted((pick(1, size), pick(1, size))) for _ in range(rng.randint(1, size + 2))]
    return as_rows([size, len(queries)], [pick(0, 1_000) for _ in range(size)], *queries)


def _groups(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    links = [(rng.randint(1, size), pick(1, size)) for _ in range(rng.randint(0, size + 2))]
    return as_rows([size, len(links)], *links)


def _around(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    """Places at the rim of a circle, near it, and anywhere."""
    a, b, c = numbers
    values = []
    for _ in range(size):
        out = c + rng.choice((0, 0, 1, -1))
        rim = [(out, 0), (-out, 0), (0, out), (0, -out)]
        near = (rng.randint(-c - 2, c + 2), rng.randint(-c - 2, c + 2))
        x, y = rng.choice((*rim, *[near] * 4))
        far = (pick(-1_000, 1_000), pick(-1_000, 1_000))
        values.append(far if rng.random() < 0.2 else (a + x, b + y))
    return as_rows([size], *values)


def _spans(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    top = rng.choice((20, 60, 200))
    starts = [pick(0, top) for _ in range(size)]
    return as_rows([size], *((s, rng.choice((s + 1, pick(s + 1, 2 * top)))) for s in starts))


def _roads(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    roads = [(pick(max(1, n - 2), max(1, n - 1)), n, pick(1, 9)) for n in range(2, size + 1)]
    roads = [road for road in roads if rng.random() < 0.95]
    roads += [(pick(1, size), pick(1, size), pick(1, 9)) for _ in range(rng.randint(0, size))]
    rng.shuffle(roads)
    return as_rows(
        [size, len(roads)], *(rng.choice((road, (road[1], road[0], road[2]))) for road in roads)
    )


def _maze(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    """Grids whose numbers of rows and columns are independent."""
    height = rng.randint(1, max(1, min(size, 9)))
    width = max(1, min(12, size // height + rng.randint(0, 2)))
    walls = rng.choice((0, 1, 2, 4))
    rows = [[*rng.choices(".~#", (4, 4, walls), k=width)] for _ in range(height)]
    rows[0][0] = rows[-1][-1] = "."
    return as_rows([height, width], *(["".join(row)] for row in rows))


def _turns(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    tops = rng.choices((4, 40, 10**6, 10**18), k=size)
    return as_rows([size], *((pick(0, numbers[2] - 1), pick(0, top)) for top in tops))


def _polygon(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    """A polygon that is rotated, scaled and moved, such that its sides do not intersect."""
    head, *words = FAMILIES["fence"].instance(rng, size, numbers).split()
    corners = [*zip(map(int, words[::2]), map(int, words[1::2]))]
    p, q, r = rng.randint(1, 4), rng.randint(1, 4), rng.randint(-3, 3)
    x, y = rng.randint(-90, 90), rng.randint(-90, 90)
    moved = [(p * u + r * v + x, q * v + y) for u, v in corners]
    turned = [(v, u) for u, v in moved] if rng.random() < 0.5 else moved
    return as_rows([head], *turned)


def _drawn(name: str) -> Form:
    """As the family draws them: texts in which only what they are made of varies."""
    return lambda rng, size, pick, numbers: FAMILIES[name].instance(rng, size, numbers)


def _added(rng: Random, size: int, pick: Pick, numbers: Numbers) -> str:
    words, depth = "", 0
    for index in range(size):
        opened = rng.choice((0, 0, 1, 2))
        words += rng.choice("+#") * (index > 0) + "(" * opened + str(pick(0, 999))
        closed = rng.randint(0, depth + opened)
        words, depth = words + ")" * closed, depth + opened - closed
    return words + ")" * depth + "\n"


FORMS: Mapping[str, Form] = {
    "stretches": _listed(0, 1_000), "sections": _sections, "matches": _listed(0, 1_000),
    "groups": _groups, "tank": _listed(0, 1_000), "lighthouse": _around,
    "crowd": _spans, "playlist": _listed(0, 1_000), "boxes": _drawn("boxes"),
    "rising": _listed(0, 1_000), "coins": _listed(0, 1_000), "shares": _listed(1, 100_000),
    "fence": _polygon, "overtaken": _listed(0, 1_000), "tolls": _roads,
    "machine": _rows([0, 1], [10**9, 1_000]), "swamp": _maze, "harvest": _listed(-1_000, 1_000),
    "rope": _rows([-1_000] * 2, [1_000] * 2), "formula": _added, "clockwork": _turns,
}  # fmt: skip


def searched(rng: Random, name: str, numbers: Numbers) -> str:
    """An input with numbers near those of its story, and equal or neighbouring ones."""
    size = rng.choice((1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 16, 24))
    near = [*numbers, 0, 1, sum(numbers[:2]), sum(numbers[1:]), numbers[0] * numbers[1]]
    few = rng.sample(near, 2)
    reach = rng.choice((0, 1, 1, 2, 4, 12))

    def pick(low: int, high: int) -> int:
        middle = rng.choice(few if rng.random() < 0.6 else near) * rng.choice((1, 1, 1, 2, 3))
        middle *= -1 if low < 0 and rng.random() < 0.3 else 1
        value = middle + rng.randint(-reach, reach)
        if low <= value <= high and rng.random() < 0.9:
            return value
        return min(high, low + int(rng.expovariate(1 / 12)))

    return FORMS[name](rng, size, pick, numbers)


def other(rng: Random, name: str, numbers: Numbers) -> str:
    """An input for a second opinion, with numbers from a window that is wide or narrow."""
    size = 1 + min(40, int(rng.expovariate(0.12)))
    start, width = rng.random() ** 3, 10 ** rng.uniform(0, 2.2)

    def pick(low: int, high: int) -> int:
        least = low + int(start * min(high - low, 100))
        return rng.randint(least, int(min(high, least + width)))

    return FORMS[name](rng, size, pick, numbers)


# ---------------------------------------------------------------------------------------- tests


def program(name: str, numbers: Numbers) -> str:
    """A solution with a function ``solve`` of the whole input."""
    arguments = ", ".join(map(str, numbers))
    source = source_of(FAMILIES[name].solve).rstrip()
    return f"{source}\n\n\ndef solve(text):\n    return {name}(text.split(), {arguments})"


def subject(name: str, numbers: Numbers) -> Subject:
    """A solution whose mutants are to be killed, which is given whole inputs."""
    return Subject(program(name, numbers), _solved, MODULES)


def _solved(names: Mapping[str, Any], text: str) -> Any:
    return names["solve"](text)


@lru_cache(maxsize=64)
def sufficient(name: str, numbers: Numbers, seed: int, size: int) -> tuple[Case, ...]:
    """The same as :func:`telling_cases`, and inputs more, before the long ones, until no mutant of
    the solution passes that another input of a wide choice shows up.
    """
    *short, middle, long = telling_cases(name, numbers, seed, size)
    rng = Random(f"more {seed}")
    candidates = [text for text, _ in short_cases(name, numbers, seed)]
    candidates += [searched(rng, name, numbers) for _ in range(MORE)]
    candidates.sort(key=len, reverse=True)  # long ones show more at once
    added = killers(subject(name, numbers), [text for text, _ in short], candidates)
    return (*short, *_cases(name, numbers, added), middle, long)


def others(name: str, numbers: Numbers, seed: int, number: int) -> list[Case]:
    """Inputs for a second opinion, with what is to be printed."""
    rng = Random(f"others {seed}")
    return _cases(name, numbers, (other(rng, name, numbers) for _ in range(number)))


def _cases(name: str, numbers: Numbers, inputs: Iterable[str]) -> list[Case]:
    return [(text, solved(name, numbers, text)) for text in inputs]
