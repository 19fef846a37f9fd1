"""Shut the box, a traditional dice game, with points of their own for the tiles."""

from random import Random
from typing import Any

from palaestra.generators.games.chance import ChanceGame
from palaestra.generators.games.dice.shut_the_box import ShutTheBox as Rules
from palaestra.generators.games.dice.shut_the_box import State, sets_of, totals
from palaestra.task import ladder


class ShutTheBox(ChanceGame):
    """Choose which tiles to shut after each roll of two dice for the best expectation of points."""

    tags = {"chance", "dice", "expected-value", "planning"}
    tolerance = 0.02
    baseline_note = (
        "Fewer tiles, and of these the ones with most points, is the right choice in most turns, "
        "as low tiles can still be combined."
    )
    one_solution = True
    most_states = 100_000
    balanced = True

    class Knobs(ChanceGame.Knobs):
        rounds: int = ladder(1, 2, 2, 3, 3, 4, low=1, high=6)
        least_decisions: int = ladder(1, 1, 2, 2, 3, 3, low=1, high=6)  # in a trial of each round
        most_gap: float = ladder(9.0, 3.0, 1.0, 0.5, 0.3, 0.2, low=0.05)  # points
        tiles: int = ladder(6, 7, 8, 9, 10, 11, low=4, high=12)
        open: int = ladder(4, 5, 6, 7, 8, 8, low=3, high=12)  # of them, at the start
        faces: int = ladder(4, 4, 5, 6, 6, 6, low=3, high=8)

    values: tuple[int, ...]
    faces: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        values = tuple(rng.randint(1, 9) for _ in range(knobs.tiles))
        return {"values": values, "faces": knobs.faces}

    def rules(self) -> Rules:
        return Rules(self.values, self.faces)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any) -> State | None:
        number = len(rules.values)
        tiles = rng.sample(range(number), min(knobs.open, number))
        bits = sum(1 << tile for tile in tiles)
        choices = [
            total
            for total, _ in totals(rules.faces)
            if sum(move & ~bits == 0 for move in sets_of(total, number)) > 1
        ]
        return State(bits, rng.choice(choices)) if choices else None

    def description(self) -> str:
        values = ", ".join(f"tile {n}: {value}" for n, value in enumerate(self.values, 1))
        judging = self.judging()
        return self.phrase(
            f"Shut the box, a dice game with tiles numbered 1 to {len(self.values)}, some of which "
            f"are open. In each turn, two dice with {self.faces} faces each (1 to {self.faces}, "
            "equally likely) are rolled, and you have to shut one or more open tiles whose numbers "
            "add up to the total of both dice. Tiles stay shut. A round ends when all tiles are "
            "shut, or when no open tiles add up to the total. Then you get the points of all tiles "
            f"that are shut, including those shut from the start. Points: {values}.\n\n{judging} A "
            "move is 'shut' with the numbers of the tiles, such as 'shut 1 3'.",
            f"There are {len(self.values)} tiles, with the numbers from 1 on; those listed as open "
            f"can be shut. Two dice are rolled, whose faces 1 to {self.faces} are equally likely. "
            "Choose any set of different open tiles, one or more, whose numbers have the total of "
            "the dice as their sum; they are shut for the rest of the round, and the dice are "
            "rolled again. If there is no such set, or no tile is open any more, the round is "
            "over, and each shut tile counts its points, whether you have shut it or it was shut "
            f"before. The points of the tiles are: {values}.\n\n{judging} Write 'shut' and the "
            "numbers of the tiles, for example 'shut 1 3'.",
        )
