"""Puzzles whose answer is a plan, shown on a toy environment."""

from random import Random

import pytest

from palaestra.task import Puzzle, ladder
from palaestra.verifiers.planning.plans import Illegal, PlanPuzzle
from palaestra.verifiers.reading.moves import tokens

STEPS = {"up": 1, "jump": 3, "down": -1}


class Ladder(PlanPuzzle):
    """Climb to a rung of a ladder, and never below the ground."""

    units = "steps"

    class Knobs(Puzzle.Knobs):
        rungs: int = ladder(4, 8)

    rung: int

    @classmethod
    def generate(cls, rng, knobs):
        return cls(rung=rng.randint(1, knobs.rungs))

    def prompt(self):
        return f"Climb to rung {self.rung} with up (1 rung), jump (3 rungs) and down."

    def search(self):
        jumps, rest = divmod(self.rung, 3)
        return ["jump"] * (jumps + (rest == 2)) + {0: [], 1: ["up"], 2: ["down"]}[rest]

    def read(self, answer):
        return tokens(answer, STEPS, "a list of steps, such as 'up, jump'")

    def as_text(self, moves):
        return ", ".join(moves)

    def initial(self):
        return 0

    def after(self, state, move):
        if state + STEPS[move] < 0:
            raise Illegal("that is below the ground")
        return state + STEPS[move]

    def moves_from(self, state):
        return STEPS

    def violation(self, state):
        return "" if state == self.rung else f"in the end you are on rung {state}"

    def shortcuts(self):
        yield "up"


class Unsolvable(Ladder):
    """A ladder whose solver gives up."""

    def search(self):
        return None


@pytest.mark.parametrize("level", range(Ladder.Knobs.levels()))
def test_a_toy_environment(level):
    for seed in range(20):
        task = Ladder.sample(Random(seed), Ladder.Knobs.at(level))
        assert task.verify(task.answer()).value == 1
        assert task.verify(f"{task.answer()}, down").value == 0
        for shortcut in task.shortcuts():
            assert task.verify(shortcut).correct == (task.rung == 1)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("jump, jump, down", ""),
        ("up, down, down", "in step 3, that is below the ground"),
        ("up, up, up, up, up", "5 steps exceed the limit of 3"),
        ("up, jump", "in the end you are on rung 4"),
    ],
)
def test_a_plan_is_judged_by_carrying_it_out(answer, reason):
    score = Ladder(rung=5).verify(answer)
    assert (score.value, score.reason) == (float(not reason), reason)


def test_a_task_without_a_plan_is_not_valid():
    assert not Unsolvable(rung=5).is_valid()
    assert Ladder(rung=5).is_valid()


def test_players_walk_by_the_rules_and_up_to_the_limit():
    task = Ladder(rung=7)
    plans = task.baseline_plans(Random(0))
    assert set(plans) == {"random moves", "one-ply", "two-ply"}
    assert all(len(plan) <= task.move_limit() for plan in plans.values())
    for seed in range(20):
        for answer in Ladder(rung=seed % 5 + 1).baselines(Random(seed)).values():
            assert "below the ground" not in Ladder(rung=9).verify(answer or "up").reason
