"""What players without skill earn at combinations, beside the chance that these state.

    python -m benchmarks.combinators [COMBINATOR ...] [--environments N] [--page]

For each combinator with its default arguments, some environments that it applies to are drawn by a
fixed seed, and the players that the checks use (constants, parts of the prompt, shortcuts, answers
to other tasks) and the baseline players of the environment play at its middle level. ``--page``
writes the table into docs/combinators.md. Environments whose answers are judged by running programs
are left out.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from palaestra.address import Address
from palaestra.combinators import COMBINATORS
from palaestra.measurements import best_player
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import NoValidTask
from palaestra.testing.unskilled import floor

PAGE = Path(__file__).parents[1] / "docs" / "combinators.md"
BEGIN, END = "<!-- measured by benchmarks/combinators.py -->", "<!-- end -->"
TASKS = 12


class Figures(NamedTuple):
    """Of one combination: the chance that its tasks state, and what its best player earns."""

    name: str
    stated: float
    earned: float
    player: str


def measured(combinator: str, number: int) -> Iterator[Figures]:
    """The figures of so many combinations, in an order that depends on the combinator alone.

    Environments that it does not apply to, or not to all tasks of the middle level, are left out.
    """
    environments = sorted(names())
    random.Random(combinator).shuffle(environments)
    for environment in environments:
        name = f"{environment}+{combinator}"
        try:
            if not load(environment).expensive:
                yield figures(name)
                number -= 1
        except (UnknownEnvironment, NoValidTask):
            continue
        if not number:
            return


def figures(name: str) -> Figures:
    """What players without skill earn at the middle level of a combination."""
    level = load(name).Knobs.levels() // 2
    tasks = [Address.of(name, seed, level).task() for seed in range(TASKS)]
    earned, player = best_player(name, level, floor(name, level))
    return Figures(name, fmean(each.random_baseline() for each in tasks), earned, player)


def row(combinator: str, rows: Sequence[Figures]) -> str:
    """A line of the table."""
    stated, earned = (fmean(each[n] for each in rows) for n in (1, 2))
    worst = max(rows, key=lambda each: each.earned - each.stated)
    return (
        f"| `{combinator}` | {len(rows)} | {stated:.3f} | {earned:.3f} | "
        f"{worst.earned:.2f} at `{worst.name.partition('+')[0]}` ({worst.player}), "
        f"which states {worst.stated:.2f} |"
    )


def main() -> None:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("combinators", nargs="*", metavar="COMBINATOR", default=list(COMBINATORS))
    parser.add_argument("--environments", type=int, default=12, metavar="N")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    lines = [
        "| combinator | environments | stated chance | best player | largest excess |",
        "|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for combinator in options.combinators:
        lines.append(row(combinator, [*measured(combinator, options.environments)]))
        print(lines[-1], flush=True)
    if options.page:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        table = "\n".join(lines)
        PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
