"""The files of environments that ``palaestra import internbootcamp`` writes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.importers.floors import Floor, floor_of
from palaestra.importers.folders import chosen, existing, next_version, written_class
from palaestra.importers.internbootcamp import CONFIG, LOAD_S, BootcampTask, version_of_package
from palaestra.importers.knobs import knob_lines
from palaestra.importers.processes import Raised, called
from palaestra.registry import class_name

SUMMARY = "Bootcamps of InternBootcamp, written by `palaestra import internbootcamp`."

SOURCE = "git+https://github.com/InternLM/InternBootcamp"

_CAMPS = "palaestra.importers.internbootcamp.camps"


class ImportedCamp(NamedTuple):
    """A bootcamp with the text of its file, and what a player without skill earns."""

    name: str
    text: str
    floor: Floor
    levels: int


def chosen_camps(only: Sequence[str] = ()) -> list[str]:
    """The bootcamps of the installed package, all or some of them.

    Raises ``ValueError`` for one that it does not have, with near matches, and where it is not
    installed.
    """
    if not version_of_package():
        raise ValueError(f"InternBootcamp is not installed: pip install {SOURCE}")
    return chosen(only, _camps(), "InternBootcamp has no bootcamp")


@cache
def _camps() -> dict[str, str]:
    camps: dict[str, str] = called(f"{_CAMPS}:camps", wall_s=LOAD_S)
    return camps


def imported_camps(  # noqa: PLR0913, PLR0917
    names: Sequence[str],
    folder: Path,
    category: str,
    measure: bool = True,
    configs: Path | None = None,
    refused: dict[str, str] | None = None,
) -> Iterator[ImportedCamp]:
    """The files of bootcamps, with their floors measured unless ``measure`` is false.

    ``configs`` is a folder with the package's lists of arguments, ``NAME_train.json``, which are
    the levels. Bootcamps that cannot be imported are added to ``refused`` with the reason; without
    it, they raise ``ValueError``.
    """
    lists = {} if configs is None else lists_in(configs)
    for name in names:
        camp = _camps()[name]
        own = lists.get(_key(name), [])
        try:
            about = called(f"{_CAMPS}:described", camp, own, wall_s=LOAD_S)
        except Raised as error:
            if refused is None:
                raise ValueError(f"{name} cannot be imported: {error.message}") from None
            refused[name] = error.message
            continue
        yield _imported(name, camp, about, folder, category, measure)


def _imported(  # noqa: PLR0913, PLR0917
    name: str, camp: str, about: Mapping[str, Any], folder: Path, category: str, measure: bool
) -> ImportedCamp:
    release = f"{version_of_package()} {about['digest']}"
    version = next_version(existing(folder, category, name), release)
    text = camp_text(name, camp, category, release, version, about, Floor())
    task_type: type[BootcampTask] = written_class(text, f"{category}/{name}")
    floor = floor_of(task_type) if measure else Floor()
    text = camp_text(name, camp, category, release, version, about, floor)
    return ImportedCamp(name, text, floor, task_type.Knobs.levels())


def lists_in(configs: Path) -> dict[str, list[dict[str, Any]]]:
    """The lists of arguments in a folder, by the names of bootcamps without underscores.

    Raises ``ValueError`` for a folder without any, and for a file that is none.
    """
    lists = {}
    for file in sorted(configs.glob("*_train.json")):
        try:
            own = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise ValueError(f"{file} is not JSON: {error}") from None
        if not (isinstance(own, list) and all(isinstance(each, dict) for each in own)):
            raise ValueError(f"{file} is no list of objects")
        lists[_key(file.stem.removesuffix("_train"))] = own
    if not lists:
        raise ValueError(f"there are no files NAME_train.json in {configs}")
    return lists


def _key(name: str) -> str:
    return name.replace("_", "").lower()


def camp_text(  # noqa: PLR0913, PLR0917
    name: str,
    camp: str,
    category: str,
    release: str,
    version: int,
    about: Mapping[str, Any],
    floor: Floor,
) -> str:
    """The text of the file of a bootcamp."""
    note = f"    baseline_note = {floor.warning!r}\n" if floor.warning else ""
    configs, defaults = about["configs"], about["defaults"]
    ladders = {name: [value] for name, value in defaults.items()}
    if configs:
        ladders, defaults = {CONFIG: [*range(len(configs))]}, {}
    listed = "".join(f"        {each!r},\n" for each in configs)
    levels = f"    configs = (\n{listed}    )\n" if configs else ""
    title = f"{name} of InternBootcamp, for the answer format bare"
    return (
        f'"""{name} of InternBootcamp {release}."""\n\n'
        "from palaestra.importers.internbootcamp import BootcampTask\n"
        "from palaestra.task import ladder\n\n\n"
        f"class {class_name(f'{category}/{name}')}(BootcampTask):\n"
        f'    """{floor.summary(title)}"""\n\n'
        f"    version = {version}\n"
        f'    camp = "{camp}"\n'
        f'    release = "{release}"\n{levels}'
        f'    tags = frozenset({{"internbootcamp"}})\n{note}\n'
        f"    class Knobs(BootcampTask.Knobs):\n{knob_lines(ladders, defaults)}"
    )
