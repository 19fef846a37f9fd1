"""The command that turns files and packages of others into environments."""

import json
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from palaestra.cli import terminal

PACKAGES = ("reasoning-gym", "textarena", "internbootcamp")
"""What can be imported by name; everything else is a file, or verifiers:NAME."""

VERIFIERS = "verifiers:"

SHOWN = 20
"""How many faults of rows are printed in full."""


def import_(
    source: Annotated[
        str,
        typer.Argument(
            help="A file of rows, reasoning-gym, textarena, internbootcamp, or verifiers:MODULE."
        ),
    ],
    preset: Annotated[
        str, typer.Option(help="What judges the rows of a file: maths, science, code-io, ….")
    ] = "",
    into: Annotated[
        Path, typer.Option(file_okay=False, help="Folder of environments to write to.")
    ] = Path("envs"),
    category: Annotated[
        str, typer.Option(help="Category; default: rows, rg, textarena, bootcamp or vf.")
    ] = "",
    name: Annotated[str, typer.Option(help="Name of the environment of a file.")] = "",
    only: Annotated[
        list[str] | None, typer.Option(help="Only this family or game of a package.")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(help="The column of a field, such as question=problem."),
    ] = None,
    argument: Annotated[
        list[str] | None,
        typer.Option(help="An argument of load_environment, such as num_examples=100."),
    ] = None,
    configs: Annotated[
        Path | None,
        typer.Option(
            file_okay=False, exists=True, help="Folder with InternBootcamp's lists of arguments."
        ),
    ] = None,
    measure: Annotated[bool, typer.Option(help="Measure what players without skill earn.")] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Audit a file, write nothing.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over files of an earlier import.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(help="Write a line of JSON for each fault of a row.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Make environments of a file of questions, or of a package of others.

    Of a file, the rows are audited first, and those with faults are left out. The exit code is 1
    if no row is left. The environments are found in the folder envs, or in the one that
    PALAESTRA_ENVS names.
    """
    _refuse(configs and source != "internbootcamp", "--configs is for internbootcamp")
    if source in PACKAGES:
        _refuse(column or argument or preset or name, f"options for files do not apply to {source}")
        rows = _packaged(source, into, category, only or (), measure, replace, configs)
        _print_packaged(rows, as_json)
        return
    if source.startswith(VERIFIERS):
        _refuse(column or preset or only, "options for files do not apply to verifiers")
        module = source.removeprefix(VERIFIERS)
        _import_verifiers(module, into, category, name, argument or (), measure, replace)
        return
    _refuse(only or argument, "--only and --argument are for packages, not for files")
    _import_rows(
        Path(source), preset, into, category or "rows", name, _pairs(column or ()), dry_run,
        replace, report, as_json,
    )  # fmt: skip


def _refuse(condition: Any, message: str) -> None:
    if condition:
        raise ValueError(message)


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        field, equals, value = text.partition("=")
        if not equals or not field or not value:
            raise ValueError(f"write this option as name=value, not {text[:60]!r}")
        pairs[field] = value
    return pairs


# --------------------------------------------------------------------------------------- packages


def _packaged(
    source: str,
    into: Path,
    category: str,
    only: Sequence[str],
    measure: bool,
    replace: bool,
    configs: Path | None = None,
) -> list[dict[str, Any]]:
    """Import the environments of a package; what is known about each."""
    from palaestra.importers.folders import checked_category, existing, write_category

    module: Any
    refused: dict[str, str] = {}
    if source == "reasoning-gym":
        from palaestra.importers.reasoning_gym import files as module

        names, default = module.chosen_families(only), "rg"
        imports = module.imported_families
    elif source == "internbootcamp":
        from palaestra.importers.internbootcamp import files as module

        names, default = module.chosen_camps(only), "bootcamp"
        reasons = None if only else refused
        imports = partial(module.imported_camps, configs=configs, refused=reasons)
    else:
        from palaestra.importers.textarena import files as module

        names, default = module.chosen_games(only), "textarena"
        imports = module.imported_games
    category = checked_category(category or default)
    taken = [each for each in names if existing(into, category, each)]
    if taken and not replace:
        raise ValueError(f"{into / category} has {taken[0]} already; --replace writes over it")
    files, rows = {}, []
    done = imports(names, into, category, measure)
    for each in terminal.tracked(_Sized(done, len(names)), "imported"):
        files[each.name] = each.text
        rows.append(
            {
                "name": f"{category}/{each.name}",
                "levels": each.levels,
                "floor": round(each.floor.value, 4) if each.floor.is_measured else None,
                "warning": each.floor.warning,
            }
        )
    write_category(into, category, module.SUMMARY, files, replace)
    for each, reason in refused.items():
        terminal.note(f"{each} cannot be imported: {reason}")
    return rows


class _Sized:
    """An iterator of a known length, for a progress bar."""

    def __init__(self, items: Any, length: int) -> None:
        self.items, self.length = items, length

    def __iter__(self) -> Any:
        return iter(self.items)

    def __len__(self) -> int:
        return self.length


def _print_packaged(rows: Sequence[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        for row in rows:
            print(json.dumps(row))
        return
    table = Table("environment", "levels", "floor", "warning")
    for row in rows:
        floor = "–" if row["floor"] is None else f"{row['floor']:.2f}"
        table.add_row(row["name"], str(row["levels"]), floor, row["warning"])
    terminal.print_table(table)
    warned = sum(bool(row["warning"]) for row in rows)
    terminal.note(f"{len(rows)} environments, {warned} with warnings; see `palaestra show NAME`")


def _import_verifiers(
    module: str,
    into: Path,
    category: str,
    name: str,
    arguments: Sequence[str],
    measure: bool,
    replace: bool,
) -> None:
    from palaestra.importers.folders import write_category
    from palaestra.importers.verifiers.files import SUMMARY, imported_module

    category = category or "vf"
    values = {key: _json_value(text) for key, text in _pairs(arguments).items()}
    environment, text, warning = imported_module(module, name, into, category, values, measure)
    (path,) = write_category(into, category, SUMMARY, {environment: text}, replace)
    terminal.out.print(f"{category}/{environment} in {path}", soft_wrap=True)
    if warning:
        terminal.note(warning)


def _json_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


# ------------------------------------------------------------------------------------------- rows


def _import_rows(
    file: Path,
    preset: str,
    into: Path,
    category: str,
    name: str,
    columns: dict[str, str],
    dry_run: bool,
    replace: bool,
    report: Path | None,
    as_json: bool,
) -> None:
    from palaestra.importers.rows.writing import import_rows

    if not file.is_file() and (near := get_close_matches(str(file), PACKAGES, 1, 0.6)):
        raise ValueError(f"there is no file {str(file)[:200]!r}; did you mean {near[0]}?")
    if file.is_file() and not preset:
        from palaestra.importers.rows.presets import PRESETS

        raise ValueError(f"a file needs --preset: {', '.join(PRESETS)}")
    written, audit = import_rows(
        file, preset, into, category=category, name=name, columns=columns, replace=replace,
        dry_run=dry_run,
    )  # fmt: skip
    if report is not None:
        lines = (json.dumps(fault._asdict()) + "\n" for fault in audit.faults)
        report.write_text("".join(lines), "utf-8")
    if as_json:
        print(json.dumps({"file": str(file), "environment": written, **audit.summary()}))
    else:
        _print_audit(audit, written)
    if not audit.accepted:
        raise typer.Exit(1)


def _print_audit(audit: Any, written: str) -> None:
    from palaestra.importers.rows.audit import FAULTS

    for fault in audit.faults[:SHOWN]:
        line = f"row {fault.row}: {fault.fault}: {fault.detail}"
        terminal.out.print(line.encode("utf-8", "replace").decode(), soft_wrap=True)
    table = Table("fault", "rows", "meaning")
    for fault, count in audit.counts().items():
        table.add_row(fault, f"{count:,}", FAULTS[fault])
    terminal.print_table(table)
    for answer, share in audit.constants.items():
        line = f"the constant answer {answer!r} is right for {share:.0%} of the rows"
        terminal.out.print(line.encode("utf-8", "replace").decode(), soft_wrap=True)
    if audit.restated:
        terminal.out.print(f"an expression of the question is right for {audit.restated:,} rows")
    if audit.unproved:
        terminal.out.print(f"{audit.unproved:,} rows have no solution that passes their tests")
    terminal.out.print(f"{audit.accepted:,} of {audit.rows:,} rows are accepted")
    if audit.hint:
        terminal.note(audit.hint)
    if written:
        terminal.out.print(f"{written}: see `palaestra show {written}`")
