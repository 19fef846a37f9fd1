"""The catalog: what there is, in one file that can be read without importing a thing.

``catalog.yaml`` is written by ``palaestra catalog --write`` from the environments themselves, and
a test holds it against them. Its fingerprints are the promise that a seed keeps its task: one
that changes without its version going up is refused. Its measured figures are taken anew when an
environment changes.
"""

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import yaml

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.registry import load, summary
from palaestra.scoring import score
from palaestra.task import Match, Puzzle, Task

Row = dict[str, Any]

HEAD = """\
# Written by `palaestra catalog --write`; do not edit.
# Lists under `measured` have a figure for each level: `floor` is what the best of several players
# without skill earns and `chance` what a blind guess among well-formed answers does, `effort` the
# solver's, `tokens` about those of the opening. Times are microseconds at the middle level on one
# shared core, `duplicates` the share of 1,000 seeds that repeat a task there. `releases` maps each
# version to the last release of Palaestra that contains it.
"""


@cache
def catalog() -> dict[str, Row]:
    """Every environment's row, by name."""
    text = files("palaestra").joinpath("catalog.yaml").read_text("utf-8")
    rows: dict[str, Row] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return rows or {}


@cache
def _cards() -> tuple[Row, ...]:
    return tuple(
        {"name": name, "slug": slug(name, row["version"]), "category": name.split("/")[0], **row}
        for name, row in catalog().items()
    )


def slug(name: str, version: int) -> str:
    """An environment in the path of a URL.

    >>> slug("games/mastermind", 1)
    'games.mastermind@1'
    """
    return f"{name.replace('/', '.')}@{version}"


def environments(
    category: str | None = None, tag: str | None = None, kind: str | None = None, q: str = ""
) -> list[Row]:
    """The cards of the catalog in the order of their names.

    Only those of a ``category``, with a ``tag``, of a ``kind`` (puzzle, task or match), or whose
    name or summary holds ``q``, where these are given.
    """
    return [
        card
        for card in _cards()
        if category in {None, card["category"]}
        and (tag is None or tag in card["tags"])
        and kind in {None, card["kind"]}
        and q.casefold() in f"{card['name']} {card['summary']}".casefold()
    ]


def row(name: str) -> Row:
    """The row that an environment's own code asks for, without what has to be measured."""
    kind = load(name)
    return {
        "version": kind.version,
        "summary": summary(kind),
        "kind": kind_of(kind),
        "levels": kind.Knobs.levels(),
        "knobs": kind.Knobs.ladders(),
        "tags": sorted(kind.tags),
        "picture": Episode(Address.of(name).task()).turn.picture is not None,
        "fingerprint": fingerprint(name),
    }


def kind_of(kind: type[Task]) -> str:
    """Whether it is a puzzle of one reply, a task of several, or a match of several players."""
    if issubclass(kind, Puzzle):
        return "puzzle"
    return "match" if issubclass(kind, Match) else "task"


def fingerprint(name: str) -> str:
    """A digest of an environment's first tasks, one a level, and of one for evaluation."""
    levels = range(load(name).Knobs.levels())
    drawn = [Address.of(name, seed=level, level=level).task() for level in levels]
    drawn.append(Address.of(name, seed=0, level=0, split="eval").task())
    return sha256("\n".join(task.model_dump_json() for task in drawn).encode()).hexdigest()[:12]


def measured(name: str, seeds: int = 1_000) -> Row:
    """The card of an environment: what was found by drawing, playing and timing it."""
    from palaestra.testing.sampling import duplicates
    from palaestra.testing.unskilled import floor

    levels = range(load(name).Knobs.levels())
    middle = len(levels) // 2
    few = [[Address.of(name, seed, level).task() for seed in range(12)] for level in levels]
    efforts = [[task.effort() or 0.0 for task in tasks] for tasks in few]
    found: Row = {
        "floor": [round(max(floor(name, level).values()), 3) for level in levels],
        "chance": [_short(_mean([task.chance() for task in tasks])) for tasks in few],
        "effort": [_short(_mean(effort)) for effort in efforts],
        "tokens": [round(_mean([float(tokens(task)) for task in tasks])) for tasks in few],
        "moves": [
            round(_mean([float(len(list(task.solve()))) for task in tasks])) for tasks in few
        ],
        "duplicates": round(duplicates(name, middle, seeds), 4),
    }
    if not any(found["effort"]):
        del found["effort"]
    return found | timings(name, middle)


def timings(name: str, level: int, number: int = 15) -> Row:
    """The median microseconds that drawing a task and judging a reply take."""
    kind = load(name)
    knobs = kind.Knobs.at(level)
    draws, verdicts = [], []
    for seed in range(number):
        start = perf_counter()
        task = kind.draw(Random(seed), knobs, reserved=False)
        draws.append(perf_counter() - start)
        moves = list(task.solve())
        score(task, moves, BARE)  # what is worked out once for a task is not judging
        start = perf_counter()
        score(task, moves, BARE)
        verdicts.append((perf_counter() - start) / len(moves))
    return {"draw_us": round(median(draws) * 1e6), "verify_us": round(median(verdicts) * 1e6)}


def tokens(task: Task) -> int:
    """About how many tokens the opening has: its words, numbers and signs."""
    return len(re.findall(r"\w+|[^\w\s]", Episode(task, BARE).says))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def dump(rows: dict[str, Row]) -> str:
    """The catalog as it stands in the file."""
    return HEAD + yaml.safe_dump(rows, sort_keys=False, default_flow_style=None, width=1000)
