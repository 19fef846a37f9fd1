"""The files of environments that ``palaestra import reasoning-gym`` writes."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.importers.floors import Floor, floor_of
from palaestra.importers.folders import chosen, existing, next_version, written_class
from palaestra.importers.knobs import knob_lines
from palaestra.importers.processes import called, installed
from palaestra.importers.reasoning_gym import EXTRA
from palaestra.registry import class_name
from palaestra.workers.pool import workers

_FAMILIES = "palaestra.importers.reasoning_gym.families"

DESCRIBE_S = 300.0
"""Seconds in which the levels of a family are tried out."""

SUMMARY = "Families of reasoning-gym, written by `palaestra import reasoning-gym`."


class Imported(NamedTuple):
    """A family with the text of its file and what a player without skill earns."""

    name: str
    text: str
    floor: Floor
    levels: int


def chosen_families(only: Sequence[str] = ()) -> list[str]:
    """The families of the installed release, all or some of them.

    Raises ``ValueError`` for one that it does not have, with near matches, and
    :class:`~palaestra.extras.MissingExtra` without the package.
    """
    installed("reasoning-gym", EXTRA)
    known: list[str] = called(f"{_FAMILIES}:families")
    return chosen(only, known, "reasoning-gym has no family")


def imported_families(
    families: Sequence[str], folder: Path, category: str, measure: bool = True
) -> Iterator[Imported]:
    """The files of families, with their floors measured unless ``measure`` is false."""
    release = installed("reasoning-gym", EXTRA)

    def imported(family: str) -> Imported:
        about = called(f"{_FAMILIES}:described", family, wall_s=DESCRIBE_S)
        version = next_version(existing(folder, category, family), release)
        text = file_text(family, category, release, version, about, Floor())
        task_type = written_class(text, f"{category}/{family}")
        floor = floor_of(task_type) if measure else Floor()
        text = file_text(family, category, release, version, about, floor)
        return Imported(family, text, floor, task_type.Knobs.levels())

    with ThreadPoolExecutor(workers().size) as pool:
        yield from pool.map(imported, families)


def file_text(  # noqa: PLR0913, PLR0917
    family: str,
    category: str,
    release: str,
    version: int,
    about: Mapping[str, Any],
    floor: Floor,
) -> str:
    """The text of the file of a family."""
    note = f"    baseline_note = {floor.warning!r}\n" if floor.warning else ""
    knobs = knob_lines(about["ladders"], about["defaults"])
    return (
        f'"""{family} of reasoning-gym {release}."""\n\n'
        "from palaestra.importers.reasoning_gym import ReasoningGymTask\n"
        "from palaestra.task import ladder\n\n\n"
        f"class {class_name(f'{category}/{family}')}(ReasoningGymTask):\n"
        f'    """{floor.summary(f"{family} of reasoning-gym")}"""\n\n'
        f"    version = {version}\n"
        f'    family = "{family}"\n'
        f'    release = "{release}"\n'
        f'    tags = frozenset({{"reasoning-gym"}})\n{note}\n'
        f"    class Knobs(ReasoningGymTask.Knobs):\n{knobs}"
    )
