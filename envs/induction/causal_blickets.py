"""The blicket detector of A. Gopnik and D. Sobel (2000), which some objects set off."""

from collections.abc import Iterable, Mapping
from itertools import permutations, product
from random import Random
from typing import Literal, Self

from palaestra.generators.baselines import verdicts
from palaestra.generators.induction.causal_blickets import Rule, Trial, sets_off, settled
from palaestra.generators.tiles import COLOURS as TONES
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import Mark, changed
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.values import joined

SHAPES = ("cube", "ball", "cone", "ring", "star", "disc")
COLOURS = ("red", "blue", "green", "grey")
STATUS = ("blicket", "not", "undetermined")

RULES = {
    "one": "The machine lights up if and only if at least one blicket is on it.",
    "two": "The machine lights up if and only if at least two blickets are on it.",
    "odd": "The machine lights up if and only if the number of blickets on it is odd.",
}

MARKS: dict[str, Mark] = {
    "cube": "square", "ball": "disc", "cone": "triangle", "ring": "ring", "star": "star",
    "disc": "dot",
}  # fmt: skip
SIGNS = {
    "blicket": Cell("yes", tone="accent"),
    "not": Cell("no", tone="accent"),
    "undetermined": Cell("?", tone="accent"),
}
"""How the status of an object is drawn."""


class CausalBlickets(Puzzle):
    """Decide which objects set a machine off, which do not, and which are undetermined."""

    tags = {"induction", "causality", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        objects: int = ladder(5, 6, 7, 8, 9, 11, 13, low=5, high=14)
        trials: int = ladder(4, 5, 6, 7, 8, 10, 12, low=3, high=20)
        blickets: int = ladder(2, 3, 3, 4, 4, 5, 6, low=1, high=7)
        rule: Literal["one", "two", "odd"] = ladder("one", "one", "one", "two", "two", "odd")

    names: tuple[str, ...]
    trials: tuple[Trial, ...]
    rule: Rule

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        names = [f"{colour} {shape}" for colour in COLOURS for shape in SHAPES]
        objects = range(knobs.objects)
        # A machine that needs two blickets would never light up for one.
        number = max(knobs.blickets, 2) if knobs.rule == "two" else knobs.blickets
        blickets = set(rng.sample(objects, min(number, knobs.objects - 1)))
        # Too many trials settle everything, and too few nothing.
        wanted = min(max(knobs.trials, knobs.objects // 2 + 1), knobs.objects + 2)
        trials: dict[tuple[int, ...], bool] = {}
        while len(trials) < wanted:
            size = rng.randint(1 if knobs.rule == "one" else 2, min(5, knobs.objects - 1))
            chosen = tuple(sorted(rng.sample(objects, size)))
            trials[chosen] = sets_off(knobs.rule, len(blickets.intersection(chosen)))
        return cls(
            names=tuple(rng.sample(names, knobs.objects)),
            trials=tuple(Trial(*trial) for trial in trials.items()),
            rule=knobs.rule,
        )

    def is_valid(self) -> bool:
        """Whether each status occurs, and dark and lit machines alone do not settle them."""
        return set(self.statuses()) == set(STATUS) and self.answer() not in self.shortcuts()

    def canonical(self) -> str:
        return repr((len(self.names), self.rule, sorted(self.trials)))

    def prompt(self) -> str:
        lines = "\n".join(
            f"{n}. {joined([self.names[o] for o in trial.objects])}: "
            + ("it lights up" if trial.lit else "it stays dark")
            for n, trial in enumerate(self.trials, 1)
        )
        setting = self.phrase(
            "Some objects are blickets, and a machine detects them.",
            "A machine responds to certain objects, called blickets.",
        )
        ask = self.phrase(
            "What do the trials show about each object?",
            "What is known about each object after this?",
        )
        return (
            f"{setting} {RULES[self.rule]} There may be any number of blickets among these "
            f"objects: {joined(self.names)}.\n\nIn each trial, exactly these objects were on the "
            f"machine together:\n{lines}\n\n{ask} It is a 'blicket' if it must be one, 'not' if "
            "it cannot be one, and 'undetermined' if both are possible. Write one line for each "
            f"object, such as '{self.names[0]}: undetermined'."
        )

    def statuses(self) -> tuple[str, ...]:
        """The status of each object."""
        return settled(len(self.names), self.trials, self.rule)

    def as_text(self, statuses: Iterable[str]) -> str:
        return "\n".join(f"{name}: {status}" for name, status in zip(self.names, statuses))

    def answer(self) -> str:
        return self.as_text(self.statuses())

    def scene(self) -> Grid:
        """A row for each trial, with the objects on the machine and whether it lit up."""
        rows = [
            (*map(self.sign, range(len(self.names)), [trial] * len(self.names)), lamp(trial))
            for trial in self.trials
        ]
        return Grid(
            tuple(rows),
            top=(*(tuple(name.split()) for name in self.names), ("",)),
            left=tuple((str(n),) for n in range(1, len(rows) + 1)),
        )

    def sign(self, thing: int, trial: Trial) -> Cell:
        """The cell of an object in a trial, empty if it was not on the machine."""
        colour, shape = self.names[thing].split()
        on = thing in trial.objects
        return Cell(mark=MARKS[shape], tone=TONES[colour]) if on else Cell()

    def solved_scene(self, answer: str) -> Grid:
        read, grid = self.read(answer), self.scene()
        row = (*(SIGNS[read[name]] for name in self.names), Cell(fill="none"))
        return changed(grid, cells=(*grid.cells, row), left=(*grid.left, ("=",)))

    def read(self, answer: str) -> Mapping[str, str]:
        """The status of each object in an answer."""
        return pairs(answer, self.names, STATUS)

    def verify(self, answer: str) -> Score:
        return matched(self.read(answer), dict(zip(self.names, self.statuses())))

    def difficulty(self) -> float:
        weight = {"one": 1, "two": 2, "odd": 3}[self.rule]
        return float(weight * sum(len(trial.objects) for trial in self.trials) * len(self.names))

    def random_baseline(self) -> float:
        # Each status occurs, which a guesser may use.
        objects = len(self.names)
        return 1.0 / int(3**objects - 3 * 2**objects + 3)

    def shortcuts(self) -> Iterable[str]:
        """Statuses by whether an object was ever on a dark machine, or ever on a lit one."""
        dark = {o for trial in self.trials if not trial.lit for o in trial.objects}
        lit = {o for trial in self.trials if trial.lit for o in trial.objects}
        for yes, no, other in permutations(STATUS):
            yield self.as_text(
                no if n in dark else yes if n in lit else other for n in range(len(self.names))
            )

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(objects=5, trials=4)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, product(STATUS, repeat=len(self.names)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """All alike, at random, and whether most trials with an object light up."""
        players = verdicts(STATUS, len(self.names), rng)

        def usual(thing: int) -> str:
            lit = [trial.lit for trial in self.trials if thing in trial.objects]
            share = sum(lit) / len(lit) if lit else 0.5
            return STATUS[0] if share > 0.5 else STATUS[1] if share < 0.5 else STATUS[2]

        players["what most trials show"] = [usual(n) for n in range(len(self.names))]
        return {player: self.as_text(statuses) for player, statuses in players.items()}


def lamp(trial: Trial) -> Cell:
    """The cell that shows whether the machine lit up."""
    return Cell("lit", "c6") if trial.lit else Cell("dark", "dark")
