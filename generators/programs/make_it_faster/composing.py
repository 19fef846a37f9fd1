"""Composition of parts: sampling, writing and running slow and fast programs."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from string import Template
from typing import Any, NamedTuple

from palaestra.generators.programs.make_it_faster.lists_to_lists import LISTS_TO_LISTS
from palaestra.generators.programs.make_it_faster.lists_to_numbers import LISTS_TO_NUMBERS
from palaestra.generators.programs.make_it_faster.numbers_to_numbers import NUMBERS_TO_NUMBERS
from palaestra.generators.programs.make_it_faster.parts import Part, Shape

PARTS: dict[str, Part] = {**LISTS_TO_LISTS, **LISTS_TO_NUMBERS, **NUMBERS_TO_NUMBERS}

Instance = tuple[str, tuple[int, ...]]
"""The name of a part, with its numbers; the last one is the number of its version."""

TOP = 9_999
"""The greatest number in a list."""


class Scale(NamedTuple):
    """Sizes of arguments: for tests of correctness, and for tests of speed."""

    small: tuple[int, ...]
    large: tuple[int, ...]
    """Steps of scale. The slow program takes tens of seconds on the first of them."""


SCALES: dict[Shape, Scale] = {
    "list": Scale((1, 1, 2, 2, 3, 3, *range(4, 40), 60, 90), (32_000, 44_000)),
    "recursion": Scale((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), (60, 150)),
    "loop": Scale(
        (0, 1, 2, 3, 4, 5, 7, 9, 10, 12, 19, 30, 99, 100, 123, 250, 999), (10**9, 10**10)
    ),
    "square": Scale((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 41, 60), (32_000, 44_000)),
}

HEAVY = {"overtaken", "disorder", "signals", "jumps"}
"""Parts of which a program has at most one, since even their fast versions are slow."""

ORDINALS = ("first", "second", "third", "fourth")
"""The names of the parts of a program."""


def random_parts(rng: Random, least: int, tier: int, parts: int) -> tuple[Instance, ...]:
    """Random parts of tiers within bounds; most of them take a list."""
    kinds: tuple[Shape, ...] = ("list", "list", "list", "recursion", "loop", "square")
    fitting = [name for name, part in PARTS.items() if least <= part.tier <= tier]
    while True:
        shape = rng.choice(kinds)
        known = [name for name in fitting if PARTS[name].shape == shape]
        if len(known) >= parts:
            names = rng.sample(known, parts)
            passed_on = all(PARTS[name].maps for name in names[:-1])
            if (passed_on or shape != "list") and len(HEAVY.intersection(names)) <= 1:
                return tuple((name, _numbers(rng, PARTS[name])) for name in names)


def _numbers(rng: Random, part: Part) -> tuple[int, ...]:
    numbers = [rng.randint(low, high) for low, high in part.ranges]
    return (*numbers, rng.randrange(len(part.versions)))


def shape_of(parts: tuple[Instance, ...]) -> Shape:
    """The argument type of a program."""
    return PARTS[parts[0][0]].shape


def argument(shape: Shape) -> str:
    """The name of a program's parameter."""
    return "xs" if shape == "list" else "n"


def program(parts: tuple[Instance, ...], fast: bool) -> str:
    """The function ``solve`` of some parts."""
    names = ORDINALS[: len(parts)] if len(parts) > 1 else ("solve",)
    name_of_argument = argument(shape_of(parts))
    functions = [_function(part, name, fast) for part, name in zip(parts, names)]
    imports = {PARTS[name].needs if fast else PARTS[name].uses for name, _ in parts} - {""}
    if len(parts) > 1:
        functions.append(_whole(names, name_of_argument))
    return "\n\n\n".join(["\n".join(sorted(imports)), *functions]).strip()


def _whole(names: Sequence[str], argument: str) -> str:
    """The function that composes the parts, such that its value depends on the result of each."""
    if argument == "n":
        return f"def solve(n):\n    return {', '.join(f'{name}(n)' for name in names)}"
    lists = ("xs", "ys", "zs", "vs")
    steps = [f"    {lists[n + 1]} = {names[n]}({lists[n]})" for n in range(len(names) - 1)]
    sums = [f"sum({lists[n]})" for n in range(1, len(names))]
    last = f"{names[-1]}({lists[len(names) - 1]})"
    return "\n".join(["def solve(xs):", *steps, f"    return {', '.join([*sums, last])}"])


def _function(instance: Instance, name: str, fast: bool) -> str:
    part, numbers = PARTS[instance[0]], instance[1]
    values = dict(zip("abc", map(str, numbers[:-1])), name=name)
    words = part.versions[numbers[-1]]
    text = Template(part.fast if fast else part.slow).safe_substitute(words)
    lines = Template(text).substitute(values).strip("\n").split("\n")
    body = "\n".join(line[4:] for line in lines).rstrip()
    return f"def {name}({argument(part.shape)}):\n{body}"


@lru_cache(maxsize=64)
def running(parts: tuple[Instance, ...], fast: bool = True) -> Callable[[Any], Any]:
    """The function ``solve`` of some parts; the code is trusted."""
    names: dict[str, Any] = {}
    exec(program(parts, fast), names)  # noqa: S102
    solve: Callable[[Any], Any] = names["solve"]
    return solve


Case = tuple[tuple[Any], Any]
"""An argument and the expected result."""


@lru_cache(maxsize=16)
def small_cases(parts: tuple[Instance, ...], seed: int) -> tuple[Case, ...]:
    """Arguments on which the slow program is fast, too."""
    shape, rng, solve = shape_of(parts), Random(f"{seed} small"), running(parts)
    values: list[Any] = list(SCALES[shape].small)
    if shape == "list":
        tops = [rng.choice((3, 50, TOP)) for _ in values]
        values = [[rng.randint(0, top) for _ in range(n)] for n, top in zip(values, tops)]
    return tuple(((value,), solve(value)) for value in values)


@lru_cache(maxsize=8)
def large_case(parts: tuple[Instance, ...], seed: int, step: int) -> Case:
    """An argument for a step of scale, counted from 0."""
    shape, rng = shape_of(parts), Random(f"{seed} large {step}")
    size = SCALES[shape].large[step]
    value: Any = size - rng.randrange(size // 20)
    if shape == "list":
        value = _valley(rng, value) if step else [rng.randint(0, TOP) for _ in range(value)]
    return (value,), running(parts)(value)


def _valley(rng: Random, size: int) -> list[int]:
    """A long descent and ascent, the worst case of an algorithm that looks ahead."""
    return [abs(size - 2 * i) * (TOP - 9) // size + rng.randint(0, 9) for i in range(size)]
