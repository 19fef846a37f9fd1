"""Commands that describe environments: list, show."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

import palaestra
from palaestra.cli import terminal
from palaestra.cli.completion import complete_category, complete_tag
from palaestra.cli.options import Level, Name, Seed, Type
from palaestra.cli.terminal import print_faults

Card = Mapping[str, Any]


# ------------------------------------------------------------------------------------------- list


def list_(
    category: Annotated[
        list[str] | None,
        typer.Argument(
            help="Only these categories, such as logic.", autocompletion=complete_category
        ),
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option(help="Only environments with this tag.", autocompletion=complete_tag),
    ] = None,
    kind: Annotated[Type | None, typer.Option(help="Only environments of this kind.")] = None,
    q: Annotated[
        str, typer.Option("-q", help="Only environments whose name or summary contains this.")
    ] = "",
    categories: Annotated[
        bool, typer.Option("--categories", help="List the categories instead.")
    ] = False,
    tags: Annotated[bool, typer.Option("--tags", help="List the tags instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """List the environments, all of them or those of some categories.

    A terminal shows a table. Elsewhere, each line is a name, or a JSON object with --json.
    """
    if categories and tags:
        raise ValueError("--categories and --tags exclude each other")
    _refuse_unknown_filters(category or (), tag)
    cards = [
        card
        for card in palaestra.environments(None, tag, kind.value if kind else None, q)
        if not category or card["category"] in category
    ]
    if categories:
        _print_counts("category", Counter(card["category"] for card in cards), as_json)
    elif tags:
        _print_counts("tag", Counter(tag for card in cards for tag in card["tags"]), as_json)
    elif as_json:
        for card in cards:
            print(json.dumps(card))
    elif terminal.out.is_terminal:
        terminal.out.print(_overview(cards))
        terminal.note(_counted(cards))
    else:
        for card in cards:
            print(card["name"])
    if not cards:
        terminal.note("no environment matches")
    _note_local()
    if print_faults():
        raise typer.Exit(1)


def _refuse_unknown_filters(chosen: Collection[str], tag: str | None) -> None:
    """Raise ``ValueError`` for a category or a tag that no environment has."""
    cards = palaestra.environments()
    categories = sorted({card["category"] for card in cards})
    for category in sorted({*chosen} - {*categories}):
        if any(card["name"] == category for card in cards):
            raise ValueError(
                f"{category} is an environment, not a category; see `palaestra show {category}`"
            )
        hint = f"the categories are {', '.join(categories)}"
        raise ValueError(f"there is no category {category!r}; {_near(category, categories, hint)}")
    tags = {tag for card in cards for tag in card["tags"]}
    if tag is not None and tag not in tags:
        hint = _near(tag, tags, "see `palaestra list --tags`")
        raise ValueError(f"there is no tag {tag!r}; {hint}")


def _near(word: str, known: Collection[str], otherwise: str) -> str:
    """Which of the known words may have been meant, or else another hint."""
    near = get_close_matches(word.casefold(), sorted(known), 3, 0.6)
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def _overview(cards: Sequence[Card]) -> Table:
    """A table with a line for each environment; what does not fit of a summary is left out."""
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("environment", no_wrap=True, style="bold")
    table.add_column("what the player does")
    table.add_column("kind", no_wrap=True, min_width=6)
    table.add_column("levels", no_wrap=True, justify="right", min_width=6)
    for card in cards:
        table.add_row(card["name"], _cut(card["summary"]), card["kind"], str(card["levels"]))
    return table


def _cut(text: str) -> Text:
    """A text that stays on one line, with an ellipsis where it is too long for its column."""
    return Text(text, no_wrap=True, overflow="ellipsis")


def _counted(cards: Sequence[Card]) -> str:
    categories = len({card["category"] for card in cards})
    one = f"{len(cards)} environment{'s' * (len(cards) != 1)}"
    if categories < 2:
        return f"{one}; `palaestra show NAME` describes one"
    return f"{one} in {categories} categories; see also --categories and --tags"


def _print_counts(heading: str, counts: Counter[str], as_json: bool) -> None:
    """Print categories or tags with the number of environments of each."""
    if as_json:
        for name in sorted(counts):
            print(json.dumps({heading: name, "environments": counts[name]}))
        return
    if not terminal.out.is_terminal:
        for name in sorted(counts):
            print(name)
        return
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(heading, no_wrap=True, style="bold")
    table.add_column("environments", justify="right", no_wrap=True)
    if heading == "category":
        table.add_column("about")
    for name in sorted(counts):
        about = [_cut(_about(name))] if heading == "category" else []
        table.add_row(name, str(counts[name]), *about)
    terminal.out.print(table)


def _about(category: str) -> str:
    """The first line of the docstring of a category."""
    from palaestra.registry import packages

    text = import_module(packages()[category]).__doc__ or ""
    return text.strip().partition("\n")[0]


def _note_local() -> None:
    """State which environments of a folder of the author's own the catalog does not have."""
    from palaestra.registry import local

    if names := local():
        terminal.note(f"not in the catalog, from the folder envs: {', '.join(names)}")


# ------------------------------------------------------------------------------------------- show

FIGURES = {
    "floor": "best score without skill, %",
    "baseline": "best score without search, %",
    "random_baseline": "score of a random answer, %",
    "difficulty": "search effort, steps",
    "tokens": "length of the prompt, tokens",
    "moves": "replies of a perfect player",
}
"""What the measured figures of each level are, in words."""

SCORES = {"floor", "baseline", "random_baseline"}


def show(name: Name, level: Level = 0, seed: Seed = 0) -> None:
    """Show an environment: its levels, what was measured, an example task and its solution."""
    from palaestra.applicability import applicable
    from palaestra.catalog import card, catalog, kind_of
    from palaestra.registry import summary

    address = palaestra.Address.of(name, seed, level)
    task_type = palaestra.load(address.env)
    known = card(address.env)
    row = catalog().get(address.env) or known
    description = row.get("summary") or summary(task_type)
    terminal.print_text(f"{name}  {description}", bold=True)
    tags = ", ".join(sorted(task_type.tags))
    terminal.print_text(
        f"{kind_of(task_type)}, version {task_type.version}, "
        f"{task_type.Knobs.levels()} levels; tags: {tags}"
    )
    for version, release in row.get("releases", {}).items():
        terminal.print_text(f"version {version}: latest in palaestra {release}")
    measured = row.get("measured", {})
    _print_levels(task_type.Knobs, measured, level, known.get("profiles", {}))
    for line in _sentences(measured, task_type.Knobs.levels() // 2):
        terminal.print_text(line)
    terminal.print_text(f"combinators: {', '.join(applicable(address.env)) or 'none applies'}")
    task = address.task()
    terminal.print_text(f"\n{address}", bold=True)
    terminal.print_text(f"\n{palaestra.Episode(task).observation}\n")
    moves = list(task.solve())
    terminal.print_text(
        "A perfect player replies:" if moves else "There is no solution.", bold=True
    )
    for move in moves:
        terminal.print_text(move)


def _print_levels(
    knobs: Any, measured: Mapping[str, Any], chosen: int, profiles: Mapping[str, Any]
) -> None:
    """Print the knobs and the figures of each level, in several tables where one is too wide."""
    rows = {
        knob: [str(getattr(knobs.at(level), knob)) for level in range(knobs.levels())]
        for knob in knobs.model_fields
    }
    rows |= {
        words: [_figure(key, value) for value in measured[key]]
        for key, words in FIGURES.items()
        if key in measured
    }
    rows |= {
        f"success of {model}, %": [
            _figure("floor", own[level]["pass_1"]) if level in own else "–"
            for level in range(knobs.levels())
        ]
        for model, own in profiles.items()
    }
    levels, width = range(knobs.levels()), terminal.width()
    first = 0
    while first < len(levels):
        last = len(levels)
        while last > first + 1 and _width(_levels(rows, levels[first:last], chosen)) > width:
            last -= 1
        terminal.print_table(_levels(rows, levels[first:last], chosen))
        first = last


def _levels(rows: Mapping[str, Sequence[str]], levels: Sequence[int], chosen: int) -> Table:
    """A column for each level; the chosen one is emphasised."""
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("level", no_wrap=True)
    for level in levels:
        style = "bold" if level == chosen else None
        table.add_column(str(level), justify="right", no_wrap=True, style=style)
    for words, values in rows.items():
        table.add_row(words, *(values[level] for level in levels))
    return table


def _width(table: Table) -> int:
    return Measurement.get(terminal.out, terminal.out.options.update(width=10_000), table).maximum


def _figure(key: str, value: float) -> str:
    """A figure in few signs: scores in per cent, efforts with a prefix such as k."""
    return _percent(value) if key in SCORES else _short(value)


def _percent(value: float) -> str:
    """A share in per cent, to two digits.

    >>> [_percent(share) for share in (0, 1, 0.517, 0.0213, 0.00002)]
    ['0', '100', '52', '2.1', '<0.01']
    """
    if 0 < value < 0.0001:
        return "<0.01"
    return f"{value * 100:.2g}" if value < 0.995 else f"{value * 100:.0f}"


def _short(value: float) -> str:
    """A number with a prefix, to three digits.

    >>> [_short(number) for number in (7.5, 216, 1300, 262000, 2.1e6)]
    ['7.5', '216', '1.3k', '262k', '2.1M']
    """
    for size, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{prefix}"
    return f"{value:.3g}"


def _sentences(measured: Mapping[str, Any], middle: int) -> list[str]:
    """The figures that are not one for each level."""
    if not measured:
        return []
    players: dict[str, list[str]] = {}
    for level, player in enumerate(measured["baseline_player"]):
        if player != "none":
            players.setdefault(player, []).append(str(level))
    best = (f"{each} (level {', '.join(levels)})" for each, levels in players.items())
    times = (
        f"At level {middle}, sampling a task takes {_time(measured['sample_us'])} and judging a "
        f"reply {_time(measured['verify_us'])}; {_percent(measured['duplicates'])} % of seeds "
        "repeat a task."
    )
    sentences = [f"Best players without search: {', '.join(best) or 'none scores'}.", times]
    if tasks := measured.get("tasks"):
        sentences.append(f"Players were measured on {tasks} tasks of each level.")
    return sentences


def _time(microseconds: float) -> str:
    """A time in a fitting unit.

    >>> _time(19), _time(1125), _time(2_500_000)
    ('19 µs', '1.1 ms', '2.5 s')
    """
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.2g} {unit}"
    return f"{microseconds:.0f} µs"
