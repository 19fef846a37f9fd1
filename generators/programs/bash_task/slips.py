"""Mistaken readings of the steps: operations that differ slightly from the right one."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from palaestra.generators.programs.bash_task.operations import (
    DEEDS,
    EDITS,
    MOVES,
    OTHERS,
    REPORTS,
    Edit,
    Lines,
    Move,
    Other,
    Report,
)
from palaestra.generators.programs.bash_task.trees import Tree, base, parent, within

Given = Sequence[tuple[str, str]]
"""The paths and texts of the files of a report."""


def _found(word: str, line: str) -> bool:
    """Whether a line contains a word that is not part of a longer word."""
    return re.search(rf"\b{re.escape(word)}\b", line) is not None


def _by_column(lines: Lines, sign: str, column: int) -> Lines:
    return sorted(lines, key=lambda line: line.split(sign)[column])


def _split_lines(lines: Lines, sign: str) -> list[list[str]]:
    return [line.split(sign) for line in lines]


EDITED: dict[str, tuple[Callable[[Lines, str, str], Lines], ...]] = {
    "sort": (
        lambda v, a, b: sorted(v, key=str.lower),
        lambda v, a, b: sorted(set(v)),
        lambda v, a, b: sorted(v, reverse=True),
    ),
    "sort different": (
        lambda v, a, b: sorted(v),
        lambda v, a, b: [*dict.fromkeys(v)],
        lambda v, a, b: sorted(set(v), key=lambda x: (x.lower(), x)),
        lambda v, a, b: [x for x, _ in groupby(v)],
    ),
    "backwards": (lambda v, a, b: sorted(v, reverse=True), lambda v, a, b: [*v[-1:], *v[:-1]]),
    "head": (lambda v, a, b: v[-int(a) :],),
    "tail": (lambda v, a, b: v[: int(a)],),
    "behead": (lambda v, a, b: v[:-1], lambda v, a, b: v[1:] or v, lambda v, a, b: v[2:]),
    "drop": (
        lambda v, a, b: [x for x in v if a.lower() not in x.lower()],
        lambda v, a, b: [x for x in v if not _found(a, x)],
        lambda v, a, b: [x.replace(a, "") for x in v],
        lambda v, a, b: [x for x in v if not x.startswith(a)],
    ),
    "keep": (
        lambda v, a, b: [x for x in v if a.lower() in x.lower()],
        lambda v, a, b: [x for x in v if _found(a, x)],
        lambda v, a, b: [x for x in v if x.startswith(a)],
    ),
    "replace": (
        lambda v, a, b: [x.replace(a, b, 1) for x in v],
        lambda v, a, b: [re.sub(rf"\b{a}\b", b, x) for x in v],
        lambda v, a, b: [re.sub(a, b, x, flags=re.IGNORECASE) for x in v],
    ),
    "replace first": (
        lambda v, a, b: [x.replace(a, b) for x in v],
        lambda v, a, b: [re.sub(a, b, x, count=1, flags=re.IGNORECASE) for x in v],
        lambda v, a, b: "\n".join(v).replace(a, b, 1).split("\n") if v else v,
    ),
    "numbered": (
        lambda v, a, b: [f"{n}: {x}" for n, x in enumerate(v)],
        lambda v, a, b: [f"{n}:{x}" for n, x in enumerate(v, 1)],
        lambda v, a, b: [f"{n}: {x}" if x else "" for n, x in enumerate(v, 1)],
    ),
    "capitals": (
        lambda v, a, b: [x.title() for x in v],
        lambda v, a, b: [x.swapcase() for x in v],
        lambda v, a, b: [x[:1].upper() + x[1:] for x in v],
    ),
    "append": (lambda v, a, b: [a, *v], lambda v, a, b: v if a in v else [*v, a]),
    "prepend": (lambda v, a, b: [*v, a], lambda v, a, b: [*v[:1], a, *v[1:]]),
    "no blanks": (
        lambda v, a, b: [x for x, _ in groupby(v)],
        lambda v, a, b: [x for n, x in enumerate(v) if x or not n],
    ),
    "squeeze": (
        lambda v, a, b: [*dict.fromkeys(v)],
        lambda v, a, b: sorted(set(v)),
        lambda v, a, b: [x for n, x in enumerate(v) if x or v[n - 1 : n] != [""]],
    ),
    "without repeats": (
        lambda v, a, b: [x for x, _ in groupby(v)],
        lambda v, a, b: sorted(set(v)),
        lambda v, a, b: [x for n, x in enumerate(v) if x not in v[n + 1 :]],
        lambda v, a, b: [x for x in v if v.count(x) == 1],
    ),
    "longest word": (
        lambda v, a, b: [(x.split() or [""])[0] for x in v],
        lambda v, a, b: [max(x.split() or [""], key=len) for x in v],
        lambda v, a, b: [(x.split() or [""])[-1] for x in v if x],
    ),
    "total line": (
        lambda v, a, b: [*v, str(len(v) + 1)],
        lambda v, a, b: [*v, str(sum(map(bool, v)))],
        lambda v, a, b: [str(len(v)), *v],
        lambda v, a, b: [*v, str(len(set(v)))],
    ),
    "log swap": (
        lambda v, a, b: [f"{x} {n} {y}" for x, y, n in _split_lines(v, " ")],
        lambda v, a, b: [f"{n} {y} {x}" for x, y, n in _split_lines(v, " ")],
    ),
    "log above": (
        lambda v, a, b: [x for x in v if int(x.split()[2]) >= int(a)],
        lambda v, a, b: [x for x in v if x.split()[2] > a],
        lambda v, a, b: [x for x in v if int(x.split()[2]) <= int(a)],
    ),
    "csv column": (
        lambda v, a, b: [x.split(",")[int(a) % 3] for x in v],
        lambda v, a, b: [x.split(",")[int(a) - 2] for x in v],
    ),
    "csv turn": (
        lambda v, a, b: [f"{n},{y},{x}" for x, y, n in _split_lines(v, ",")],
        lambda v, a, b: [f"{y},{n},{x}" for x, y, n in _split_lines(v, ",")],
    ),
    "csv sort": (
        lambda v, a, b: _by_column(v, ",", 2),
        lambda v, a, b: sorted(v, key=lambda x: int(x.split(",")[2])),
        lambda v, a, b: sorted(v, key=lambda x: (-int(x.split(",")[2]), x)),
        lambda v, a, b: sorted(v),
    ),
}


def _stemmed(path: str, added: str) -> str:
    """A path with an insertion before the extension of its name."""
    name = base(path)
    stem, dot, ending = name.rpartition(".")
    return within(parent(path), f"{stem or ending}{added}{dot + ending if stem else ''}")


MOVED: dict[str, tuple[Callable[[str, str, str], str], ...]] = {
    "into": (
        lambda p, t, a: within(parent(p), f"{a}/{base(p)}"),
        lambda p, t, a: f"{a}/{p}",
    ),
    "copied": (
        lambda p, t, a: within(parent(p), f"{a}/{base(p)}"),
        lambda p, t, a: f"{a}/{p}",
    ),
    "beside": (lambda p, t, a: f"{a}/{base(p)}", lambda p, t, a: f"{a}/{p}"),
    "spare": (lambda p, t, a: base(p) + a, lambda p, t, a: _stemmed(p, a)),
    "added": (lambda p, t, a: _stemmed(p, a), lambda p, t, a: base(p) + a),
    "before": (
        lambda p, t, a: a + p,
        lambda p, t, a: p + a,
        lambda p, t, a: a + base(p),
    ),
    "small": (
        lambda p, t, a: within(parent(p), base(p)[:1].lower() + base(p)[1:]),
        lambda p, t, a: base(p).lower(),
    ),
    "dashes": (
        lambda p, t, a: within(parent(p), base(p).replace("_", "-", 1)),
        lambda p, t, a: within(parent(p), base(p).replace("_", "")),
    ),
    "joined": (
        lambda p, t, a: within(parent(p), base(p).replace(" ", "_", 1)),
        lambda p, t, a: within(parent(p), re.sub(" +", "_", base(p))),
    ),
    "top": (lambda p, t, a: within(parent(parent(p)), base(p)),),
    "up": (lambda p, t, a: base(p), lambda p, t, a: within(parent(parent(parent(p))), base(p))),
    "letters": (
        lambda p, t, a: f"{base(p)[0].lower()}/{base(p)}",
        lambda p, t, a: within(parent(p), f"{base(p)[0]}/{base(p)}"),
        lambda p, t, a: f"{p[0]}/{base(p)}",
    ),
    "headed": (
        lambda p, t, a: f"{(t.split() or ['x'])[-1]}/{base(p)}",
        lambda p, t, a: f"{t.partition(chr(10))[0].split()[-1]}/{base(p)}",
        lambda p, t, a: f"{t.split()[0].lower()}/{base(p)}",
        lambda p, t, a: within(parent(p), f"{t.split()[0]}/{base(p)}"),
    ),
    "lengths": (
        lambda p, t, a: f"{a}{t.count(chr(10)) + 1}/{base(p)}",
        lambda p, t, a: f"{a}{sum(map(bool, t.splitlines()))}/{base(p)}",
        lambda p, t, a: f"{a}{len(t)}/{base(p)}",
        lambda p, t, a: within(parent(p), f"{a}{t.count(chr(10))}/{base(p)}"),
    ),
    "pathed": (
        lambda p, t, a: p.replace("/", a, 1),
        lambda p, t, a: base(p),
        lambda p, t, a: f"{base(parent(p))}{a}{base(p)}" if parent(p) else p,
    ),
}


def _filled(text: str) -> Lines:
    return [line for line in text.splitlines() if line]


def _right(deed: str) -> Callable[[Given, str], Lines]:
    return REPORTS[deed].python


def _named(files: Given) -> Given:
    return [(base(path), text) for path, text in files]


def _dictionary(pair: tuple[str, str]) -> str:
    """The sort key of a path if case and punctuation do not count."""
    return re.sub(r"\W|_", "", pair[0]).lower()


ORDERS: tuple[Callable[[Given], Given], ...] = (
    lambda v: v[::-1],
    lambda v: sorted(v, key=lambda pair: pair[0].lower()),
    lambda v: sorted(v, key=_dictionary),
    lambda v: sorted(v, key=lambda pair: (base(pair[0]), pair[0])),
    lambda v: sorted(v, key=lambda pair: (pair[0].count("/"), pair[0])),
    lambda v: v[:-1],
    lambda v: v[1:],
    _named,
)
"""Mistakes of any report: other orders of the files, and missing files."""

REPORTED: dict[str, tuple[Callable[[Given, str], Lines], ...]] = {
    "line counts": (
        lambda v, a: [f"{p}: {len(_filled(t))}" for p, t in v],
        lambda v, a: [f"{p}: {len(t)}" for p, t in v],
    ),
    "byte counts": (
        lambda v, a: [f"{t.count(chr(10))} {p}" for p, t in v],
        lambda v, a: [f"{max(0, len(t) - 1)} {p}" for p, t in v],
        lambda v, a: sorted((f"{len(t)} {p}" for p, t in v), key=lambda x: int(x.split()[0])),
    ),
    "how many": (lambda v, a: [str(len({t for _, t in v}))],),
    "total": (
        lambda v, a: [str(sum(len(_filled(t)) for _, t in v))],
        lambda v, a: [str(len({x for _, t in v for x in t.splitlines()}))],
    ),
    "all": (
        lambda v, a: [x for _, t in v for x in _filled(t)],
        lambda v, a: sorted(_right("all")(v, a)),
    ),
    "titled": (
        lambda v, a: [x for p, t in v if t for x in [f"{a} {p}", *t.splitlines()]],
        lambda v, a: [x for p, t in v for x in [*t.splitlines(), f"{a} {p}"]],
    ),
    "hits": (
        lambda v, a: [f"{p}: {t.count(a)}" for p, t in v],
        lambda v, a: [x for x in _right("hits")(v, a) if not x.endswith(": 0")],
        lambda v, a: [f"{p}: {sum(_found(a, x) for x in t.splitlines())}" for p, t in v],
        lambda v, a: [f"{p}: {sum(a in x.lower() for x in t.splitlines())}" for p, t in v],
    ),
    "matches": (
        lambda v, a: [f"{p}:{n}:{x}" for p, t in v for n, x in enumerate(t.splitlines()) if a in x],
        lambda v, a: [
            f"{p}:{n}:{x}" for p, t in v for n, x in enumerate(t.splitlines(), 1) if _found(a, x)
        ],
        lambda v, a: [
            f"{p}:{n}:{x}" for p, t in v for n, x in enumerate(t.splitlines(), 1) if a in x.lower()
        ],
    ),
    "first lines": (
        lambda v, a: [x for _, t in v for x in t.splitlines()[-1:]],
        lambda v, a: [x for _, t in v for x in t.splitlines()[:1] or [""]],
    ),
    "different": (
        lambda v, a: sorted(_right("all")(v, a)),
        lambda v, a: [*dict.fromkeys(_right("all")(v, a))],
        lambda v, a: [x for x in _right("different")(v, a) if x],
    ),
    "frequent": (
        lambda v, a: _right("frequent")(v, str(int(a) + 1)),
        lambda v, a: _right("frequent")(v, str(int(a) - 1)),
        lambda v, a: _right("frequent")([(p, t.lower()) for p, t in v], a),
        lambda v, a: sorted(
            _right("frequent")(v, "999"),
            key=lambda x: (int(x.split()[0]), x.split()[1]),
            reverse=True,
        )[: int(a)],
    ),
    "folders": (
        lambda v, a: sorted(
            f"{sum(within(p, '').startswith(within(f, '')) for p, _ in v)} {f or '.'}"
            for f in {parent(p) for p, _ in v}
        ),
        lambda v, a: sorted(_right("folders")(v, a)),
    ),
    "sums": (
        lambda v, a: [f"{x.split()[0]} 1" for x in _right("sums")(v, a)],
        lambda v, a: sorted(_right("sums")(v, a), key=lambda x: -int(x.split()[1])),
    ),
    "csv total": (lambda v, a: [str(len(_right("all")(v, a)))],),
    "csv cities": (
        lambda v, a: sorted(_right("csv cities")(v, a), key=lambda x: -int(x.split(",")[1])),
    ),
    "largest": (
        lambda v, a: [max(v, key=lambda pair: (len(pair[1]), pair[0]))[0]],
        lambda v, a: [min(v, key=lambda pair: (-pair[1].count("\n"), pair[0]))[0]],
        lambda v, a: [min(v, key=lambda pair: (len(pair[1]), pair[0]))[0]],
    ),
    "shared": (
        lambda v, a: sorted({x for _, t in v for x in t.splitlines()}),
        lambda v, a: _right("shared")(v[:2], a),
        lambda v, a: [x for x in _right("shared")(v, a) if x],
    ),
}


def _first_deleted(tree: Tree, paths: Sequence[str], _: str) -> None:
    for path in paths[:1]:
        del tree.files[path]


def _equals(tree: Tree, paths: Sequence[str]) -> Mapping[str, list[str]]:
    values: dict[str, list[str]] = {}
    for path in paths:
        values.setdefault(tree.files[path], []).append(path)
    return values


def _last_kept(tree: Tree, paths: Sequence[str], _: str) -> None:
    for rows in _equals(tree, paths).values():
        for path in rows[:-1]:
            del tree.files[path]


def _none_kept(tree: Tree, paths: Sequence[str], _: str) -> None:
    for rows in _equals(tree, paths).values():
        for path in rows if len(rows) > 1 else ():
            del tree.files[path]


def _filled_deduped(tree: Tree, paths: Sequence[str], _: str) -> None:
    OTHERS["dedupe"].python(tree, [path for path in paths if tree.files[path]], _)


def _ends_pruned(tree: Tree, *_: object) -> None:
    """Only the directories that have nothing at all in them."""
    held = {parent(path) for path in tree.state()}
    tree.folders = {folder: None for folder in tree.folders if folder in held}


def _split_anew(tree: Tree, paths: Sequence[str], folder: str) -> None:
    """Each file of lines begun again by each file that has some."""
    for path in paths:
        for line in tree.files[path].splitlines():
            name = f"{folder}/{line.split()[1]}.txt"
            rows = [x for x in tree.files[path].splitlines() if x.split()[1] == line.split()[1]]
            tree.files.pop(name, None)
            tree.put(name, "".join(f"{row}\n" for row in rows))


def _split_backwards(tree: Tree, paths: Sequence[str], folder: str) -> None:
    OTHERS["split"].python(tree, paths[::-1], folder)


def _linked_by_name(tree: Tree, paths: Sequence[str], folder: str) -> None:
    for path in paths:
        tree.link(f"{folder}/{base(path)}", f"../{base(path)}")


def _companions_filled(tree: Tree, paths: Sequence[str], ending: str) -> None:
    for path in paths:
        tree.put(path + ending, f"{len(_filled(tree.files[path]))}\n")


def _companions_of_bytes(tree: Tree, paths: Sequence[str], ending: str) -> None:
    for path in paths:
        tree.put(path + ending, f"{len(tree.files[path])}\n")


CHANGED: dict[str, tuple[Callable[[Tree, Sequence[str], str], None], ...]] = {
    "delete": (_first_deleted, OTHERS["dedupe"].python),
    "dedupe": (_last_kept, _none_kept, _filled_deduped, OTHERS["delete"].python),
    "prune": (_ends_pruned,),
    "split": (_split_anew, _split_backwards),
    "link": (_linked_by_name,),
    "companion": (_companions_filled, _companions_of_bytes),
}

Row = Edit | Move | Report | Other


def _wrong() -> Iterator[tuple[str, Row]]:
    tables: tuple[Mapping[str, tuple[Callable[..., Any], ...]], ...] = (
        EDITED, MOVED, REPORTED, CHANGED,
    )  # fmt: skip
    for table in tables:
        for deed, ways in table.items():
            for n, python in enumerate(ways, 1):
                yield f"{deed} {n}", DEEDS[deed]._replace(python=python)
    for deed, move in MOVES.items():
        yield f"{deed} 0", move._replace(copies=not move.copies)
    for deed, report in REPORTS.items():
        for n, order in enumerate(ORDERS):
            yield f"{deed} by {n}", report._replace(python=_after(order, report.python))


def _after(
    order: Callable[[Given], Given], python: Callable[[Given, str], Lines]
) -> Callable[[Given, str], Lines]:
    return lambda files, word: python(order(files), word)


WRONG: Mapping[str, Row] = dict(_wrong())
"""The mistaken readings of each operation, by its name and a number."""

assert set(EDITED) <= set(EDITS)


def near(deed: str) -> list[str]:
    """The names of the mistaken readings of an operation."""
    return [name for name in WRONG if re.fullmatch(rf"{deed} (by )?\d+", name)]
