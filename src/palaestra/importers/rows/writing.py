"""The file of an environment that ``palaestra import FILE`` writes."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from palaestra.importers.folders import (
    BadTarget,
    checked_category,
    existing,
    next_version,
    write_category,
)
from palaestra.importers.rows.audit import SHARE, RowsAudit, audited
from palaestra.importers.rows.files import digest_of
from palaestra.importers.rows.presets import PRESETS
from palaestra.registry import class_name

SUMMARY = "Questions of files, written by `palaestra import`."


class ImportedRows(NamedTuple):
    """The name of an environment, or nothing where no row was accepted, and the audit."""

    name: str
    audit: RowsAudit


def import_rows(  # noqa: PLR0913
    file: Path,
    preset: str,
    into: Path = Path("envs"),
    *,
    category: str = "rows",
    name: str = "",
    columns: Mapping[str, str] | None = None,
    replace: bool = False,
    dry_run: bool = False,
) -> ImportedRows:
    """Audit the rows of a file, and write an environment of those that are accepted.

    ``into`` is a folder of environments, such as the one that ``PALAESTRA_ENVS`` names, and
    ``name`` by default the name of the file. ``columns`` maps fields to columns, see
    :data:`palaestra.importers.rows.files.NAMES`. With ``dry_run``, nothing is written.

    Raises :class:`~palaestra.importers.folders.BadTarget` for a name that cannot be used or is in
    use unless ``replace``, ``ValueError`` for no file and an unknown preset, and what
    :func:`palaestra.importers.rows.files.fields_of` does.
    """
    if not file.is_file():
        raise ValueError(f"there is no file {str(file)[:200]!r}")
    if preset not in PRESETS:
        near = get_close_matches(preset, PRESETS, 3, 0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"presets: {', '.join(PRESETS)}"
        raise ValueError(f"there is no preset {preset[:40]!r}; {hint}")
    name = name or environment_name(file)
    if not (name.isidentifier() and name.isascii() and name == name.lower()):
        raise BadTarget(f"a name is in lower case such as gsm_8k, not {name[:60]!r}")
    checked_category(category)
    if existing(into, category, name) and not (replace or dry_run):
        raise BadTarget(f"{into / category / name}.py already exists; --replace writes over it")
    audit = audited(file, preset, columns)
    if dry_run or not audit.accepted:
        return ImportedRows("", audit)
    text = rows_file_text(file, into, category, name, preset, columns or {}, audit)
    write_category(into, category, SUMMARY, {name: text}, replace)
    return ImportedRows(f"{category}/{name}", audit)


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
    if audit.restated > SHARE * audit.accepted:
        share = audit.restated / audit.accepted
        summary += f" Warning: an expression of the question is right for {share:.0%}."
    tags = ["rows", *(["sandboxed"] if audit.programs else [])]
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
