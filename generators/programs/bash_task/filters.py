"""Filters of files: in English, in Python and as options of ``find``; and near misses."""

# ruff: noqa: E501  (rows of a table are not broken)

import re
from collections.abc import Callable
from operator import eq
from typing import NamedTuple

from palaestra.generators.programs.bash_task.trees import (
    CITIES,
    ENDINGS,
    FOLDERS,
    LEVELS,
    WORDS,
    base,
    parent,
    within,
)

Bait = Callable[[int, str, str, str], tuple[str, str]]
"""The n-th way to change a path and a text, such that a criterion of some value only just
holds or only just does not.
"""


def _other_path(*ways: str) -> Bait:
    """The file under another path, where ``{v}`` is the value, ``{w}`` the same without its first
    sign, ``{n}`` the file's name, ``{s}`` that without its ending, and ``{o}`` another directory.
    """

    def bait(n: int, path: str, text: str, value: str) -> tuple[str, str]:
        name, other = base(path), FOLDERS[n % len(FOLDERS)]
        stem = name[:1] + name[1:].partition(".")[0]
        return ways[n % len(ways)].format(v=value, w=value[1:], n=name, s=stem, o=other), text

    return bait


def _other_name(*ways: str) -> Bait:
    """The same file under another name in its own directory."""
    name = _other_path(*ways)

    def bait(n: int, path: str, text: str, value: str) -> tuple[str, str]:
        return within(parent(path), name(n, path, text, value)[0]), text

    return bait


def _of_bytes(n: int, path: str, text: str, value: str) -> tuple[str, str]:
    wanted = int(value) + n % 3 - 1
    while len(text) > wanted:
        text = "".join(text.splitlines(keepends=True)[:-1])
    word = next((word for word in WORDS if word in text), "")
    return path, text.replace(word, word + "s" * (wanted - len(text)), 1) if word else text


def _of_lines(n: int, path: str, text: str, value: str) -> tuple[str, str]:
    wanted = int(value) + n % 3 - 1
    return path, "".join((text.splitlines(keepends=True) * wanted)[:wanted])


def _of_words(n: int, path: str, text: str, value: str) -> tuple[str, str]:
    word = next((word for word in WORDS if word in text), value)
    near = (value.swapcase(), value, f"{value}s", value[:-1], value.title())[n % 5]
    return path, text.replace(value, near).replace(word, near, 1)


def _of_first(n: int, path: str, text: str, value: str) -> tuple[str, str]:
    head, *rest = text.splitlines(keepends=True) or [""]
    first = value + head if head else ""
    return path, "".join((first, *rest) if n % 2 else (head, first, *rest))


def _again(n: int, path: str, text: str, value: str) -> tuple[str, str]:
    head, *rest = text.splitlines(keepends=True) or [""]
    if n % 2 and path.endswith((".md", ".txt")):
        return path, "".join((head, *rest[:-1], "\n\n"))
    return path, "".join((head, *rest, head))


def _same(n: int, path: str, text: str, value: str) -> tuple[str, str]:
    return path, text


Holds = Callable[[str, str, str], bool]
"""Whether a criterion is met, of a path, a text and a value."""


def _repeats(lines: list[str]) -> bool:
    return len(set(lines)) < len(lines)


class Criterion(NamedTuple):
    """A criterion that selects files."""

    text: str
    holds: Holds

    find: str
    """The criterion as options of ``find``."""

    values: tuple[str, ...] = ("",)
    bait: Bait = _same
    tier: int = 0
    near: tuple[Holds, ...] = ()
    """Mistaken readings of the criterion."""

    prints: str = ""
    """Where that saves processes: the same, of all files at once and printing their paths."""


class Filter(NamedTuple):
    """A criterion and its value."""

    criterion: str
    value: str = ""

    def mistaken(self) -> "list[Filter]":
        """Filters that differ slightly from this one; all files pass the last one."""
        return [
            Filter(name, self.value) for name in MISTAKEN if name.startswith(f"{self.criterion} ")
        ]

    def as_text(self) -> str:
        """The filter in words."""
        return CRITERIA[self.criterion].text.format(v=self.value)

    def holds(self, path: str, text: str) -> bool:
        """Whether a file passes the filter."""
        return bool(self.passing([(path, text)]))

    def passing(self, files: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Those of some files that pass the filter, in their order."""
        row = CRITERIA.get(self.criterion) or MISTAKEN[self.criterion]
        holds, value = row.holds, self.value
        return [(path, text) for path, text in files if holds(path, text, value)]

    def find(self) -> str:
        """The filter as options of ``find``."""
        return CRITERIA[self.criterion].find.replace("{v}", self.value)

    def prints(self) -> str:
        """The same where it comes last and prints the paths, each with a zero byte at its end."""
        row = CRITERIA[self.criterion]
        return (row.prints or f"{row.find} -print0").replace("{v}", self.value)


CRITERIA: dict[str, Criterion] = {
    "suffix": Criterion("whose name ends in '{v}'", lambda p, t, v: p.endswith(v), "-name '*{v}'", ENDINGS, bait=_other_name("{s}{w}", "{s}{w}.txt", "{s}{v}.txt"), near=(lambda p, t, v: v in base(p)[:-1], lambda p, t, v: v in base(p), lambda p, t, v: p.endswith(v[1:]))),
    "prefix": Criterion("whose name begins with '{v}'", lambda p, t, v: base(p).startswith(v), "-name '{v}*'", ("old_", "p", "r", "s", "no", "m"), bait=_other_name("{v}{n}", "x{v}{n}", "{n}{v}"), near=(lambda p, t, v: base(p).lower().startswith(v), lambda p, t, v: v in base(p), lambda p, t, v: p.startswith(v))),
    "digit": Criterion("whose name has a digit in it", lambda p, t, v: any(c.isdigit() for c in base(p)), "-name '*[0-9]*'", bait=_other_name("0{n}", "{n}"), near=(lambda p, t, v: any(c in '123456789' for c in base(p)), lambda p, t, v: any(c.isdigit() for c in p),)),
    "capital": Criterion("whose name has a capital letter in it", lambda p, t, v: base(p) != base(p).lower(), "-name '*[A-Z]*'", tier=1, near=(lambda p, t, v: base(p)[:1].isupper(),)),
    "below": Criterion("that lies in the directory '{v}' or anywhere below it", lambda p, t, v: p.startswith(f"{v}/"), "-path './{v}/*'", FOLDERS, bait=_other_path("{v}/{n}", "{v}/{o}/{n}", "{o}/{v}/{n}", "{v}s/{n}"), near=(lambda p, t, v: f"/{v}/" in f"/{p}", lambda p, t, v: parent(p) == v, lambda p, t, v: p.startswith(v))),
    "inside": Criterion("that lies in the directory '{v}' itself, not further down", lambda p, t, v: parent(p) == v, "-path './{v}/*' ! -path './{v}/*/*'", FOLDERS, bait=_other_path("{v}/{n}", "{v}/{o}/{n}", "{o}/{v}/{n}", "{v}s/{n}"), tier=1, near=(lambda p, t, v: p.startswith(f"{v}/"), lambda p, t, v: base(parent(p)) == v)),
    "deep": Criterion("that lies two or more directories deep", lambda p, t, v: p.count("/") > 1, "-path './*/*/*'", bait=_other_path("{o}/{n}", "{o}/{o}/{n}"), tier=1, near=(lambda p, t, v: "/" in p, lambda p, t, v: p.count("/") > 2)),
    "larger": Criterion("that has more than {v} bytes", lambda p, t, v: len(t) > int(v), "-size +{v}c", ("20", "30", "40", "50", "60"), bait=_of_bytes, near=(lambda p, t, v: len(t) >= int(v), lambda p, t, v: len(t) > int(v) + 1)),
    "smaller": Criterion("that has fewer than {v} bytes", lambda p, t, v: len(t) < int(v), "-size -{v}c", ("20", "30", "40", "50", "60"), bait=_of_bytes, near=(lambda p, t, v: len(t) <= int(v), lambda p, t, v: len(t) < int(v) - 1)),
    "filled": Criterion("that is not empty", lambda p, t, v: bool(t), "! -empty", tier=1, near=(lambda p, t, v: t.count(chr(10)) > 1,)),
    "word": Criterion("that has '{v}' somewhere in its text", lambda p, t, v: v in t, "-exec grep -q -F -e '{v}' {} ';'", WORDS + LEVELS + CITIES, bait=_of_words, near=(lambda p, t, v: v in re.findall(r'\w+', t), lambda p, t, v: v in t.split(), lambda p, t, v: v.lower() in t.lower()), prints="-exec grep -l -Z -F -e '{v}' {} +"),
    "without": Criterion("that does not have '{v}' anywhere in its text", lambda p, t, v: v not in t, "! -exec grep -q -F -e '{v}' {} ';'", WORDS + LEVELS + CITIES, bait=_of_words, tier=1, near=(lambda p, t, v: v not in re.findall(r'\w+', t), lambda p, t, v: v not in t.split(), lambda p, t, v: v.lower() not in t.lower()), prints="-exec grep -L -Z -F -e '{v}' {} +"),
    "lines": Criterion("that has at least {v} lines", lambda p, t, v: t.count("\n") >= int(v), "-exec awk 'END { exit NR < {v} }' {} ';'", ("2", "3", "4", "5"), bait=_of_lines, tier=1, near=(lambda p, t, v: t.count('\n') >= int(v) - 1, lambda p, t, v: t.count("\n") > int(v),)),
    "few": Criterion("that has fewer than {v} lines", lambda p, t, v: t.count("\n") < int(v), "-exec awk 'END { exit NR >= {v} }' {} ';'", ("2", "3", "4"), bait=_of_lines, tier=1, near=(lambda p, t, v: t.count('\n') < int(v) - 1, lambda p, t, v: t.count("\n") <= int(v),)),
    "first": Criterion("whose first line begins with '{v}'", lambda p, t, v: t.startswith(v), "-exec awk -v v='{v}' 'NR == 1 && index($0, v) == 1 { yes = 1 } END { exit !yes }' {} ';'", ("#", "a", *LEVELS), bait=_of_first, tier=2, near=(lambda p, t, v: t.lower().startswith(v.lower()), lambda p, t, v: f"\n{v}" in f"\n{t}", lambda p, t, v: v in t.partition("\n")[0])),
    "repeating": Criterion("in which some line stands more than once (an empty line counts, too)", lambda p, t, v: _repeats(t.splitlines()), "-exec awk 'n[$0]++ { yes = 1 } END { exit !yes }' {} ';'", bait=_again, tier=2, near=(lambda p, t, v: any(map(eq, t.splitlines(), t.splitlines()[1:])), lambda p, t, v: _repeats(list(filter(None, t.splitlines()))))),
}  # fmt: skip


def _any(path: str, text: str, value: str) -> bool:
    return True


MISSED: dict[str, Holds] = {
    "hidden": lambda p, t, v: not base(p).startswith("."),
    "dashes": lambda p, t, v: not base(p).startswith("-"),
    "blanks": lambda p, t, v: " " not in p,
    "two blanks": lambda p, t, v: "  " not in p,
    "quotes": lambda p, t, v: "'" not in p,
    "signs": lambda p, t, v: not any(c in p for c in "*[]&()"),
    "empty": lambda p, t, v: bool(t),
    "top": lambda p, t, v: "/" in p,
    "nested": lambda p, t, v: "/" not in p,
    "deep": lambda p, t, v: p.count("/") < 2,
    "capitals": lambda p, t, v: p == p.lower(),
    "endings": lambda p, t, v: base(p).count(".") < 2,
}
"""Files that a careless script misses whatever its filter, by the property of all other files."""

MISTAKEN: dict[str, Criterion] = {
    f"{phrasing} {n}": row._replace(holds=holds)
    for phrasing, row in CRITERIA.items()
    for n, holds in enumerate((*row.near, _any), 1)
}
"""The mistaken readings of each criterion, by its name and a number."""

MISTAKEN |= {f"missed {phrasing}": Criterion("", holds, "") for phrasing, holds in MISSED.items()}
