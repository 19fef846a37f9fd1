"""The catalog: what there is, in one file that can be read without importing a thing.

``catalog.yaml`` is written by ``palaestra catalog --write`` from the environments themselves, and
a test holds it against them. Its fingerprints are the promise that a seed keeps its task: one
that changes without its version going up is refused. Its measured figures are taken anew when an
environment changes. At run time it is read as JSON, see :mod:`palaestra.catalog_file`.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from palaestra import profiles
from palaestra.address import Address
from palaestra.catalog_file import read
from palaestra.combination import BadCombination
from palaestra.episode import Episode
from palaestra.extras import needs
from palaestra.registry import load, summary
from palaestra.task import Match, Puzzle, Task

Row = dict[str, Any]

HEAD = """\
# Written by `palaestra catalog --write`; do not edit.
# Lists under `measured` have one value for each level: `floor` is the score of the best of several
# players without skill, `baseline` that of the best of these and of the environment's own baseline
# players, who use no search, and `baseline_player` which one it is. `random_baseline` is the score
# of a random well-formed answer, or of the commonest one where that is higher, `difficulty` the
# search effort of the solver, and `tokens` the approximate length of the prompt. Times are
# microseconds at the middle level on one core, and `duplicates` is the fraction of up to 1,000
# seeds that repeat a task there. In a card with `tasks`, the players had only this many tasks at
# some level instead of 60, because it was measured quickly or its tasks take long to sample.
# `releases` maps each version to the last release of Palaestra that contains it.
"""


@cache
def catalog() -> dict[str, Row]:
    """Every environment's row, by name."""
    with needs("yaml", "PyYAML, which reads a changed catalog.yaml,"):
        return read(Path(__file__).parent)


@cache
def _cards() -> tuple[Row, ...]:
    return tuple(
        {"name": name, "slug": slug(name, row["version"]), "category": name.split("/")[0], **row}
        | _profiles_of(name, row)
        for name, row in catalog().items()
    )


def _profiles_of(name: str, row: Row) -> Row:
    """The success of models that are known, by level, if there is any."""
    known = profiles.of_environment(name, row.get("fingerprint"))
    return {"profiles": known} if known else {}


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


def card(name: str) -> Row:
    """The card of an environment. That of a combination has the levels and knobs of its base, and
    no measured figures.

    Raises :class:`~palaestra.registry.UnknownEnvironment` for a combination that does not exist.
    """
    base, plus, _ = name.partition("+")
    own = next((card for card in _cards() if card["name"] == base), {"name": base})
    if not plus:
        return own

    from palaestra.combinators import split

    task_type, combinators = load(name), split(name)[1]
    about = [
        own.get("summary", summary(load(base))),
        *(summary(type(each)) for each in combinators),
    ]
    return {key: own[key] for key in own if key not in {"measured", "profiles", "releases"}} | {
        "name": name,
        "slug": slug(name, task_type.version),
        "version": task_type.version,
        "summary": " ".join(about),
        "kind": kind_of(task_type),
        "tags": sorted(task_type.tags),
        "image": False,
        "fingerprint": recorded_fingerprint(name),
    }


def row(name: str) -> Row:
    """The row that an environment's own code asks for, without what has to be measured."""
    task_type = load(name)
    return {
        "version": task_type.version,
        "summary": summary(task_type),
        "kind": kind_of(task_type),
        "levels": task_type.Knobs.levels(),
        "knobs": task_type.Knobs.ladders(),
        "tags": sorted(task_type.tags),
        "image": Episode(Address.of(name).task()).turn.scene() is not None,
        "fingerprint": fingerprint(name),
    }


def kind_of(task_type: type[Task]) -> str:
    """Whether it is a puzzle of one reply, a task of several, or a match of several players."""
    if issubclass(task_type, Puzzle):
        return "puzzle"
    return "match" if issubclass(task_type, Match) else "task"


def fingerprint(name: str) -> str:
    """A digest of an environment's first tasks, one a level, and of one for evaluation."""
    levels = range(load(name).Knobs.levels())
    instances = [Address.of(name, seed=level, level=level).task() for level in levels]
    instances.append(Address.of(name, seed=0, level=0, split="eval").task())
    return sha256("\n".join(task.model_dump_json() for task in instances).encode()).hexdigest()[:12]


def recorded_fingerprint(name: str) -> str | None:
    """An environment's fingerprint in the catalog, or None if it is not in there.

    That of a combination is a digest of its base's, of its combinators with their versions, and of
    those of the other environments that these draw tasks from.
    """
    base, plus, _ = name.partition("+")
    fingerprint: str | None = catalog().get(base, {}).get("fingerprint")
    if not plus or fingerprint is None:
        return fingerprint

    from palaestra.combinators import split

    try:
        combinators = split(name)[1]
    except BadCombination:
        return None
    partners = [partner for each in combinators for partner in each.partners()]
    parts = [f"{each}@{each.version}" for each in combinators]
    parts += [catalog().get(partner, {}).get("fingerprint", partner) for partner in partners]
    return sha256("+".join([fingerprint, *parts]).encode()).hexdigest()[:12]


def dump(rows: dict[str, Row]) -> str:
    """The content of ``catalog.yaml``."""
    with needs("yaml", "PyYAML"):
        import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return HEAD + yaml.dump(
        rows, None, dumper, sort_keys=False, default_flow_style=None, width=1000
    )
