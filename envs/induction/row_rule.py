"""Rows of panels with one missing, after John Raven's progressive matrices (1938), in numbers."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from random import Random
from typing import Literal, Self

from palaestra.generators.induction.hidden_rules import HiddenRule
from palaestra.generators.induction.row_rule import RULES, Row, random_rows, thirds
from palaestra.generators.tiles import entered
from palaestra.scenes import Border, Cell, Grid, Panels
from palaestra.scenes.elements import Mark
from palaestra.task import ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

NAMES = (
    "circles", "squares", "stars", "dots", "lines", "crosses", "rings", "arrows", "hearts",
    "triangles",
)  # fmt: skip

MARKS: Mapping[str, Mark] = {
    "circles": "disc", "squares": "square", "stars": "star", "dots": "dot", "lines": "horizontal",
    "crosses": "cross", "rings": "ring", "arrows": "right", "hearts": "heart",
    "triangles": "triangle",
}  # fmt: skip
"""How the things in panels are drawn."""

TONES = {name: f"c{n}" for n, name in enumerate(NAMES)}


class RowRule(HiddenRule):
    """Find the rule of each attribute in three rows of panels, and fill the last panel."""

    tags = HiddenRule.tags | {"analogy"}

    class Knobs(HiddenRule.Knobs):
        attributes: int = ladder(2, 3, 4, 5, 6, 8, 10, low=2, high=10)
        rules: int = ladder(4, 5, 6, 7, 8, 9, 9, low=3, high=9)
        layout: Literal["plain", "shuffled"] = ladder(
            "plain", "plain", "plain", "plain", "shuffled"
        )

    attributes: tuple[tuple[Row, Row, Row], ...]
    """The numbers of each attribute, by rows; the last of them is not shown."""
    rules: tuple[str, ...]
    names: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    """The order of the attributes in each panel."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rules = tuple(rng.sample(list(RULES), knobs.rules))
        attributes = list(range(knobs.attributes))
        shuffled = knobs.layout == "shuffled"
        return cls(
            attributes=tuple(random_rows(rng, rng.choice(rules)) for _ in attributes),
            rules=tuple(rule for rule in RULES if rule in rules),
            names=tuple(rng.sample(NAMES, knobs.attributes)),
            orders=tuple(
                tuple(rng.sample(attributes, len(attributes)) if shuffled else attributes)
                for _ in range(9)
            ),
        )

    def outcomes(self) -> list[tuple[int, ...]]:
        """Up to two lists of the numbers of the last panel."""
        return list(islice(product(*(thirds(rows, self.rules) for rows in self.attributes)), 2))

    def canonical(self) -> str:
        return repr((sorted((a, b, c[:2]) for a, b, c in self.attributes), self.rules))

    def prompt(self) -> str:
        lines = []
        for row in range(3):
            for panel in range(3):
                order = self.orders[3 * row + panel]
                text = joined([f"{self.attributes[n][row][panel]} {self.names[n]}" for n in order])
                last = row == panel == 2
                lines.append(f"row {row + 1}, panel {panel + 1}: {'?' if last else text}")
        rules = "\n".join(f"- {RULES[rule][0]}" for rule in self.rules)
        ask = self.phrase("What is in the last panel?", "What does the panel marked '?' hold?")
        opening = self.phrase(
            "Nine panels stand in three rows. Each holds things of several kinds, from 0 to 9 of "
            "each kind:",
            "Here are three rows of three panels. Each panel holds 0 to 9 things of each of "
            "several kinds:",
        )
        sample = joined([4, 0, 9, 2, 7, 1, 5, 3, 8, 6][: len(self.names)])
        return (
            f"{opening}\n\n" + "\n".join(lines) + "\n\nThe number of things of each kind follows a "
            "rule, which may differ from kind to kind but is the same in all three rows. It is one "
            f"of these:\n{rules}\nAll of these rules that fit agree on the last panel.\n\n{ask} "
            f"Write the numbers of {joined(self.names)}, in this order, such as '{sample}'."
        )

    def scene(self) -> Panels:
        return self.pictured(Grid(((Cell("?", "muted"),),)))

    def solved_scene(self, answer: str) -> Panels:
        numbers = entered(integers(answer, len(self.names)))
        return self.pictured(panel([(numbers[n], self.names[n]) for n in self.orders[8]]))

    def pictured(self, last: Grid) -> Panels:
        """The panels, each with a number beside a thing of each sort."""
        panels = [
            panel([(Cell(str(self.attributes[n][row][column])), self.names[n]) for n in order])
            for (row, column), order in zip(product(range(3), repeat=2), self.orders[:8])
        ]
        return Panels((*panels, last))

    def difficulty(self) -> float:
        mixed = len(set(self.orders)) > 1
        return float(len(self.attributes) * len(self.rules) * (1 + mixed))

    def random_baseline(self) -> float:
        return 0.1 ** len(self.attributes)

    def shortcuts(self) -> Iterable[str]:
        """Copies of nearby panels, and the sum of the other two of the last row."""
        for row, panel in ((2, 1), (1, 2), (2, 0), (0, 2)):
            yield joined([rows[row][panel] for rows in self.attributes])
        yield joined([rows[2][0] + rows[2][1] for rows in self.attributes])

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """For each kind of thing the commonest number, a random one, and a constant difference."""

        def commonest(rows: Sequence[Row]) -> int:
            numbers = [number for row in rows for number in row]
            return max(numbers[:-1], key=numbers[:-1].count)

        def any_number(rows: Sequence[Row]) -> int:
            return rng.choice([number for row in rows[:2] for number in row])

        def difference(rows: Sequence[Row]) -> int:
            return max(0, 2 * rows[2][1] - rows[2][0])

        players = {
            "commonest number": commonest,
            "random number of the panels": any_number,
            "constant difference": difference,
        }
        return {
            player: joined([rule(rows) for rows in self.attributes])
            for player, rule in players.items()
        }


def panel(things: Sequence[tuple[Cell, str]]) -> Grid:
    """A panel with numbers of things, in one or two columns."""
    cells = [(number, Cell(mark=MARKS[name], tone=TONES[name])) for number, name in things]
    columns = 1 if len(cells) < 5 else 2
    cells += [(Cell(), Cell())] * (-len(cells) % columns)
    return Grid(
        tuple(sum(cells[n : n + columns], ()) for n in range(0, len(cells), columns)),
        style="plain",
        borders=_frame(-(-len(cells) // columns), 2 * columns),
    )


def _frame(rows: int, columns: int) -> tuple[Border, ...]:
    """A line around a grid."""
    return (Border(((0, 0), (0, columns), (rows, columns), (rows, 0), (0, 0)), width=0.06),)
