"""Composition of base classes and rules: sampling, describing, writing and running classes."""

# ruff: noqa: E501  (rows of tables are not broken)

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import islice
from random import Random
from string import Template
from textwrap import dedent, indent
from typing import Any, NamedTuple

from palaestra.generators.programs.class_from_specification.board import BOARD
from palaestra.generators.programs.class_from_specification.cache import CACHE
from palaestra.generators.programs.class_from_specification.editor import EDITOR
from palaestra.generators.programs.class_from_specification.line import LINE
from palaestra.generators.programs.class_from_specification.market import MARKET
from palaestra.generators.programs.class_from_specification.parts import Base, Rule
from palaestra.generators.programs.class_from_specification.record import RECORD
from palaestra.generators.programs.class_from_specification.stock import STOCK

Picked = tuple[str, tuple[int, ...]]
"""The name of a rule, with its numbers; the last one is the number of its version."""

Call = tuple[str, tuple[Any, ...]]
"""The name of a method, and what it is called with."""

BASES: Mapping[str, Base] = {
    "line": LINE, "cache": CACHE, "stock": STOCK, "record": RECORD, "board": BOARD,
    "market": MARKET, "editor": EDITOR,
}  # fmt: skip

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _letters(rng: Random, often: str, least: int, most: int) -> str:
    """A few letters, of some that come again and again, and now and then of all there are."""
    letters = often if rng.random() < 0.8 else LETTERS
    return "".join(rng.choices(letters, k=rng.randint(least, most)))


KINDS: Mapping[str, tuple[str, Callable[[Random], Any]]] = {
    "x": ("a whole number from -5 to 12", lambda rng: rng.randint(-5, 12)),
    "k": ("a whole number from 1 to 4", lambda rng: rng.randint(1, 4)),
    "n": ("a whole number from 1 to 6", lambda rng: rng.randint(1, 6)),
    "m": ("a whole number from -5 to 5", lambda rng: rng.randint(-5, 5)),
    "p": ("a whole number from -3 to 8", lambda rng: rng.randint(-3, 8)),
    "value": ("a whole number from 0 to 9", lambda rng: rng.randint(0, 9)),
    "price": ("a whole number from 5 to 12", lambda rng: rng.randint(5, 12)),
    "key": ("a string of one small letter", lambda rng: _letters(rng, "abcde", 1, 1)),
    "name": ("a string of small letters", lambda rng: rng.choice(("ada", "bo", "cy", "dora", _letters(rng, "abdz", 1, 6)))),
    "s": ("a string of 1 to 4 small letters", lambda rng: _letters(rng, "abcd", 1, 4)),
    "c": ("a string of one small letter", lambda rng: _letters(rng, "abcd", 1, 1)),
}  # fmt: skip
"""The types of the parameters of methods; ``other`` and ``d`` are like the one before them."""

TITLES = ("Box", "Crate", "Ledger", "Tray", "Store", "Shelf", "Keeper", "Desk", "Register", "Chest")

DRIVER = "perform"
"""The function that performs calls; it is appended to a reply."""


class Built(NamedTuple):
    """The parts of a class."""

    base: str
    numbers: tuple[int, ...]
    """Those of the base; the last one is the number of its version."""
    rules: tuple[Picked, ...]


# ------------------------------------------------------------------------------------- drawing


def random_class(rng: Random, number: int) -> Built:
    """A random base with compatible rules."""
    while True:
        name = rng.choice(list(BASES))
        base = BASES[name]
        rules: list[str] = []
        for rule in rng.sample(list(base.rules), len(base.rules)):
            if len(rules) < number and not any(_apart(base, rule, other) for other in rules):
                rules.append(rule)
        if len(rules) == number:
            in_order = [rule for rule in base.rules if rule in rules]
            picked = tuple((rule, _numbers(rng, base.rules[rule])) for rule in in_order)
            return Built(name, _numbers(rng, base), picked)


def _apart(base: Base, one: str, other: str) -> bool:
    return one in base.rules[other].apart.split() or other in base.rules[one].apart.split()


def _numbers(rng: Random, part: Base | Rule) -> tuple[int, ...]:
    numbers = [rng.randint(low, high) for low, high in part.ranges]
    return (*numbers, rng.randrange(len(part.versions)))


# ------------------------------------------------------------------------------------- writing


def _parts(built: Built) -> list[tuple[Base | Rule, tuple[int, ...]]]:
    """The base and the rules, each with its numbers."""
    base = BASES[built.base]
    return [(base, built.numbers), *((base.rules[name], numbers) for name, numbers in built.rules)]


def _filled(built: Built, text: str, part: Base | Rule, numbers: Sequence[int]) -> str:
    """A text with the words and numbers of its part, and those of the base."""
    values = dict(zip("ab", map(str, numbers[:-1])))
    if values:
        values["a1"] = str(numbers[0] + 1)
    for words in (part.versions[numbers[-1]], _common(built), values):
        text = Template(text).safe_substitute(words)
    return text


@lru_cache(maxsize=64)
def _common(built: Built) -> dict[str, str]:
    """Words for all texts of a class."""
    base = BASES[built.base]
    *most, last = [f"{name}()" for name in _changing(built)] or [""]
    kept = [f"self.{name}" for name in base.kept.split()]
    return {
        "changing": f"{', '.join(most)} or {last}" if most else last,
        "saved": f"deepcopy({', '.join(kept)})"
        if len(kept) < 2
        else f"deepcopy([{', '.join(kept)}])",
        "restore": ", ".join(kept),
        **base.versions[built.numbers[-1]],
    }


def _changing(built: Built) -> list[str]:
    """The methods whose effects can be undone."""
    return [name for part, _ in _parts(built) for name in part.changing.split()]


def methods(built: Built) -> list[tuple[str, str]]:
    """The methods, as they are called, and what they do."""
    return [
        (_filled(built, call, part, numbers), _filled(built, text, part, numbers))
        for part, numbers in _parts(built)
        for call, text in part.methods
    ]


def as_text(built: Built) -> list[str]:
    """What the class is about, and then its rules."""
    texts = (_filled(built, part.text, part, numbers) for part, numbers in _parts(built))
    return [text for text in texts if text]


def written(built: Built, title: str, hooked: bool = True) -> str:
    """The class in Python; if not hooked, without what rules change of the methods of the base."""
    starts, blocks = [], []
    hooks = {name: [text] for name, text in BASES[built.base].versions[built.numbers[-1]].items()}
    for part, numbers in _parts(built):
        starts.append(_filled(built, part.start, part, numbers))
        blocks.append(_filled(built, dedent(part.code).strip(), part, numbers))
        for name, text in part.hooks.items() if isinstance(part, Rule) and hooked else ():
            hooks.setdefault(name, []).append(_filled(built, text, part, numbers))
    begin = "def __init__(self):\n" + indent("\n".join(filter(None, starts)), "    ")
    code = _hooked("\n\n".join(filter(None, [begin, *blocks])), hooks)
    if "self.past" in begin:
        code = _noting(code, built)
    head = "from copy import deepcopy\n\n\n" if "deepcopy" in code else ""
    return f"{head}class {title}:\n{indent(code, '    ')}"


def _hooked(code: str, hooks: Mapping[str, Sequence[str]]) -> str:
    """Code with lines inserted at its markers."""
    lines: list[str] = []
    for line in code.split("\n"):
        space, mark, name = line.partition("@")
        if mark and not space.strip():
            lines += [indent(text, space) for text in hooks.get(name, [])]
        else:
            lines.append(line)
    return "\n".join(lines)


def _noting(code: str, built: Built) -> str:
    """Code in which the methods that change something note how it was before."""
    for name in _changing(built):
        method, parameters = (
            f"def {name}(self",
            code.partition(f"def {name}(self")[2].partition(")")[0],
        )
        code = code.replace(method, f"def _{name}(self")
        code += f"\n\n{method}{parameters}):\n    return self._noted(self._{name}{parameters})"
    words = _common(built)
    forgotten = "\n        self.undone.clear()" if "self.undone" in code else ""
    return f"""{code}

def _noted(self, change, *given):
    before = {words["saved"]}
    result = change(*given)
    if before != {words["restore"] if "," not in words["restore"] else f"[{words['restore']}]"}:
        self.past.append(before){forgotten}
    return result"""


# ------------------------------------------------------------------------------------- running


@lru_cache(maxsize=256)
def running(built: Built, hooked: bool = True) -> Callable[[], Any]:
    """The class; its code is trusted."""
    names: dict[str, Any] = {}
    exec(written(built, "Made", hooked), names)  # noqa: S102
    make: Callable[[], Any] = names["Made"]
    return make


def performed(make: Callable[[], Any], calls: Iterable[Call]) -> list[Any] | None:
    """The results of method calls on a new object, or ``None`` if one of them fails."""
    instance = make()
    try:
        return [deepcopy(getattr(instance, name)(*args)) for name, args in calls]
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


def drawn_calls(rng: Random, built: Built, length: int) -> tuple[Call, ...]:
    """So many calls, some methods more often than others."""
    signatures = dict(signature.strip(")").split("(") for signature, _ in methods(built))
    often = [*signatures, *2 * BASES[built.base].often.split()]
    calls: list[Call] = []
    for _ in range(length):
        name = rng.choice(often)
        calls.append((name, tuple(_values(rng, signatures[name]))))
    return tuple(calls)


def _values(rng: Random, names: str) -> Iterable[Any]:
    return (KINDS[type_name][1](rng) for _, type_name in parameters(names))


def parameters(names: str) -> Iterable[tuple[str, str]]:
    """The parameters of a method, as they are listed, each with its kind.

    >>> list(parameters("key, other, d, k"))
    [('key', 'key'), ('other', 'key'), ('d', 'key'), ('k', 'k')]
    """
    type_name = ""
    for name in filter(None, names.split(", ")):
        type_name = name if name in KINDS else type_name
        yield name, type_name


def kinds_told(built: Built) -> list[str]:
    """The types of the arguments."""
    rows: dict[str, str] = {}
    for signature, _ in methods(built):
        for name, type_name in parameters(signature.strip(")").partition("(")[2]):
            rows[name] = KINDS[type_name][0]
    return [f"{parameter} is {type_name}" for parameter, type_name in rows.items()]


Row = tuple[tuple[Call, ...], Any]
"""A sequence of calls and the list of their results."""


@lru_cache(maxsize=64)
def tested(built: Built, seed: int, number: int, length: int) -> tuple[Row, ...]:
    """Sequences of calls of about a length, with their results."""
    rng, make = Random(f"{seed}"), running(built)
    lengths = [max(4, length - index % 5) for index in range(number)]
    rows = [drawn_calls(rng, built, each) for each in lengths]
    return tuple((calls, performed(make, calls)) for calls in rows)


def passing(make: Callable[[], Any], rows: Iterable[Row]) -> int:
    """The number of sequences of calls that return the expected results."""
    return sum(performed(make, calls) == results for calls, results in rows)


def is_told(make: Callable[[], Any], rows: Iterable[Row], number: int) -> bool:
    """Whether that many rows of calls at least return something else."""
    others = (calls for calls, results in rows if performed(make, calls) != results)
    return len([*islice(others, number)]) == number


def without(built: Built) -> list[Built]:
    """The classes that lack one of the rules."""
    rules = built.rules
    return [built._replace(rules=rules[:n] + rules[n + 1 :]) for n in range(len(rules))]


def driven(source: str, title: str) -> str:
    """A program with a class of that title, and a function behind it that makes calls."""
    return f"""{source}


def {DRIVER}(calls):
    from copy import deepcopy
    made = {title}()
    return [deepcopy(getattr(made, name)(*given)) for name, given in calls]
"""
