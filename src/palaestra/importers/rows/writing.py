"""The file of an environment that ``palaestra import FILE`` writes."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from palaestra.importers.folders import existing, next_version
from palaestra.importers.rows.audit import RowsAudit
from palaestra.importers.rows.files import digest_of
from palaestra.importers.rows.presets import PROGRAMS
from palaestra.registry import class_name

SUMMARY = "Questions of files, written by `palaestra import`."


def environment_name(file: Path) -> str:
    """The name that an environment has by the name of its file.

    >>> environment_name(Path("GSM-8k.train.jsonl"))
    'gsm_8k_train'
    """
    name = re.sub(r"\W+", "_", file.stem, flags=re.ASCII).strip("_").lower()
    return name if name[:1].isalpha() else f"rows_{name}".rstrip("_")


def rows_file_text(  # noqa: PLR0913, PLR0917
    file: Path,
    folder: Path,
    category: str,
    name: str,
    preset: str,
    columns: Mapping[str, str],
    audit: RowsAudit,
) -> str:
    """The text of the environment of a file, for the folder that it is written to."""
    digest = digest_of(file)
    version = next_version(existing(folder, category, name), digest)
    path = os.path.relpath(file.resolve(), (folder / category).resolve())
    summary = f"{audit.accepted} questions of {file.name}, judged by the preset {preset}."
    if audit.constants:
        answer, share = next(iter(audit.constants.items()))
        shown = " ".join(answer.split())[:30]
        summary += f" Warning: the constant answer {shown!r} is right for {share:.0%}."
    tags = ["rows", *(["sandboxed"] if preset in PROGRAMS else [])]
    lines = [
        f'"""Questions of {_quoted(file.name)}, imported by `palaestra import`."""',
        "",
        "from palaestra.importers.rows import RowsEnvironment",
        "from palaestra.task import ladder",
        "",
        "",
        f"class {class_name(f'{category}/{name}')}(RowsEnvironment):",
        f'    """{_quoted(summary)}"""',
        "",
        f"    version = {version}",
        f"    file = {path!r}",
        f'    digest = "{digest}"',
        f'    preset = "{preset}"',
    ]
    lines += [f"    columns = {dict(columns)!r}"] if columns else []
    lines += [f"    left_out = frozenset({sorted(audit.left_out)!r})"] if audit.left_out else []
    lines += [
        f"    tags = frozenset({tags!r})",
        "",
        "    class Knobs(RowsEnvironment.Knobs):",
        f"        row: int = ladder(0, low=0, high={audit.last})",
    ]
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
