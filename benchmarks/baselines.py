"""The page of what players without search earn, made from the cards of the catalog.

    python -m benchmarks.baselines [--check]

Writes docs/baselines.md. The figures are those that ``palaestra catalog --write --measure`` takes:
the score of the best player without search at the lowest, the middle and the top level, which
player that is, and the score of a random answer. ``--check`` fails if the page is out of date.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from palaestra.catalog import catalog
from palaestra.registry import load
from palaestra.task import Task
from palaestra.testing.baselines import MIDDLE
from palaestra.testing.players import FLOOR

PAGE = Path(__file__).parents[1] / "docs" / "baselines.md"

HEAD = f"""# Baselines

<!-- Made by `python -m benchmarks.baselines`; do not edit. -->

What players without search earn: those without any skill, which repeat an answer or copy a part of
the prompt, and the baseline players that an environment names (`Task.baselines`): greedy orders, a
random maximal choice, one-ply play, a random legal move, the first or last one listed. The check
`baselines` holds them to {MIDDLE} at the middle level and {FLOOR} at the top, or to the score of a
random answer where that is higher; an environment in which they earn more explains it.
"""

TABLE = """
| environment | lowest | middle | top | best player at the top | random answer at the top |
|---|---:|---:|---:|---|---:|
"""


def page() -> str:
    """The page, as Markdown."""
    rows = catalog()
    cards = {name: row["measured"] for name, row in rows.items() if "baseline" in row["measured"]}
    earning = {name: card for name, card in cards.items() if any(card["baseline"])}
    named = sum(1 for name in rows if _names_players(name))
    calculations = sum(1 for name in rows if load(name).calculation)
    rest = len(cards) - len(earning)
    text = (
        f"\n{named} of {len(rows)} environments name players of their own. {calculations} are "
        "calculations, in which nothing is chosen (`Task.calculation`): they are played by the "
        "general players, who answer with numbers, words and lists of the prompt. "
        f"{len(cards)} environments have been measured. In {rest} of these no player without "
        "search earns anything at any level; the others are listed.\n"
    )
    return HEAD + text + TABLE + "\n".join(_rows(earning)) + "\n" + "".join(_notes())


def _names_players(name: str) -> bool:
    return load(name).baselines is not Task.baselines


def _rows(cards: dict[str, dict[str, Any]]) -> Iterator[str]:
    for name, card in cards.items():
        scores, players = card["baseline"], card["baseline_player"]
        middle = len(scores) // 2
        yield (
            f"| {name} | {scores[0]:.2f} | {scores[middle]:.2f} | {scores[-1]:.2f} | "
            f"{players[-1]} | {card['random_baseline'][-1]:.2g} |"
        )


def _notes() -> Iterator[str]:
    notes = {name: load(name).baseline_note for name in catalog() if load(name).baseline_note}
    if notes:
        yield "\n## Where baseline players earn more\n\n"
    for name, note in notes.items():
        yield f"- {name}: {note}\n"


def main() -> None:
    """Write the page, or check that it is up to date."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    options = parser.parse_args()
    text = page()
    if not options.check:
        PAGE.write_text(text, "utf-8")
    elif PAGE.read_text("utf-8") != text:
        sys.exit("docs/baselines.md is out of date; run python -m benchmarks.baselines")


if __name__ == "__main__":
    main()
