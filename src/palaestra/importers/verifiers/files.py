"""The file of an environment that ``palaestra import verifiers:MODULE`` writes."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from palaestra.importers.floors import Floor, floor_of_episodes
from palaestra.importers.folders import BadTarget, existing, next_version, written_class
from palaestra.importers.processes import Raised, called
from palaestra.importers.verifiers import release_of
from palaestra.registry import class_name

SUMMARY = "Environments of the verifiers library, written by `palaestra import`."

LOAD_S = 300.0
"""Seconds that an environment may take to load its data."""

CONSTANTS = ("", "0", "1", "A", "yes", "no", "<answer>1</answer>", "\\boxed{1}")
"""Replies that are tried in every task."""


def imported_module(  # noqa: PLR0913, PLR0917
    module: str,
    name: str,
    folder: Path,
    category: str,
    arguments: Mapping[str, Any],
    measure: bool = True,
) -> tuple[str, str, str]:
    """The name of the environment of a module, the text of its file, and a warning or nothing.

    Raises ``ValueError`` for a module that cannot be imported, with the reason.
    """
    if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", module, re.ASCII):
        raise BadTarget(f"a module is a dotted name such as vf_sums, not {module[:60]!r}")
    name = name or module.rpartition(".")[2].lower()
    if not (name.isidentifier() and name == name.lower()):
        raise BadTarget(f"a name is in lower case such as sums, not {name[:60]!r}")
    try:
        about = called(
            "palaestra.importers.verifiers.rollouts:described",
            module,
            json.dumps(arguments),
            wall_s=LOAD_S,
        )
    except Raised as error:
        raise ValueError(
            f"{module} cannot be imported as an environment: {error.message}"
        ) from None
    release = release_of(module)
    version = next_version(existing(folder, category, name), release)
    header = (module, name, category, release, version, arguments, about["rows"])
    text = module_text(*header, Floor())
    floor = Floor()
    if measure:
        floor = floor_of_episodes(written_class(text, f"{category}/{name}"), CONSTANTS)
        text = module_text(*header, floor)
    return name, text, floor.warning


def module_text(  # noqa: PLR0913, PLR0917
    module: str,
    name: str,
    category: str,
    release: str,
    version: int,
    arguments: Mapping[str, Any],
    rows: int,
    floor: Floor,
) -> str:
    """The text of the file of an environment."""
    note = f"    baseline_note = {floor.warning!r}\n" if floor.warning else ""
    title = f"{module} of the verifiers library, for the answer format bare"
    return (
        f'"""{module}, an environment of the verifiers library."""\n\n'
        "from palaestra.importers.verifiers import VerifiersTask\n"
        "from palaestra.task import ladder\n\n\n"
        f"class {class_name(f'{category}/{name}')}(VerifiersTask):\n"
        f'    """{floor.summary(title)}"""\n\n'
        f"    version = {version}\n"
        f'    module = "{module}"\n'
        f"    arguments = {dict(arguments)!r}\n"
        f'    release = "{release}"\n'
        f"    rows = {rows}\n"
        f'    tags = frozenset({{"verifiers"}})\n{note}\n'
        "    class Knobs(VerifiersTask.Knobs):\n"
        f"        row: int = ladder(0, low=0, high={rows})\n"
    )
