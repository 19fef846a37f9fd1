"""Doors and witnesses: Bayes' rule by enumeration, backward induction of its own, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.deduction.noisy_doors import NoisyDoors, State, Witness, posterior
from palaestra.task import InvalidAnswer

RULES = NoisyDoors((50, 30, 20), (Witness(60, 3), Witness(80, 7)), 40, 25)
START = State(((0, 0, 0), (0, 0, 0)), 2, -1, -1, -1)


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_an_independent_solution(seed):
    """Joint probabilities of door and answers, without normalisation."""
    task = Address.of("games/noisy_doors", seed, 2).task()
    doors = range(len(task.prior))

    def answered(joint, witness, door):
        percent = Fraction(task.witnesses[witness].percent, 100)
        other = (1 - percent) / (len(doors) - 1)
        return tuple(p * (percent if d == door else other) for d, p in enumerate(joint))

    @cache
    def worth(joint, left):
        """The best expectation times the probability of what was answered so far."""
        total = sum(joint)
        best = max(p * task.prize - (total - p) * task.loss for p in joint)
        if left:
            for n, (_, price) in enumerate(task.witnesses):
                after = sum(worth(answered(joint, n, door), left - 1) for door in doors)
                best = max(best, after - price * total)
        return best

    for start, _ in task.starts():
        joint, paid = tuple(Fraction(p, 100) for p in task.prior), 0
        for n, row in enumerate(start.named):
            for door, count in enumerate(row):
                for _ in range(count):
                    joint, paid = answered(joint, n, door), paid + task.witnesses[n].price
        mine = worth(joint, start.questions) / sum(joint) - paid
        assert task.solution(task.rules(), start).value(start) == pytest.approx(float(mine))


def test_bayes_rule():
    belief = posterior(RULES, ((0, 1, 0), (0, 0, 0)))
    assert belief == pytest.approx((0.5 * 0.2 / 0.32, 0.3 * 0.6 / 0.32, 0.2 * 0.2 / 0.32))
    waiting = RULES.apply(START, ("ask", 0))
    assert [chance for _, chance in RULES.chances(waiting)] == pytest.approx([0.4, 0.32, 0.28])


def test_a_round():
    state = RULES.apply(RULES.apply(START, ("ask", 1)), 2)
    assert state == State(((0, 0, 0), (0, 0, 1)), 1, -1, -1, -1)
    opened = RULES.apply(state, ("open", 2))
    assert not RULES.legal(opened)
    assert RULES.payoff(RULES.apply(opened, 1)) == 40 - 7
    assert RULES.payoff(RULES.apply(opened, 0)) == -25 - 7
    assert not RULES.chances(RULES.apply(opened, 0))
    last = state._replace(questions=0)
    assert [RULES.name(last, move) for move in RULES.legal(last)] == ["open 1", "open 2", "open 3"]


@pytest.mark.parametrize(
    ("text", "move"),
    [("ask B", ("ask", 1)), ("I ask witness B.", ("ask", 1)), ("B", ("ask", 1)),
     ("open 2", ("open", 1)), ("Open door 2!", ("open", 1)), ("I'll open the door 2", ("open", 1)),
     ("door 2", ("open", 1)), ("2", ("open", 1)), ("open door number 2", ("open", 1)),
     ("open door no. 2", ("open", 1)), ("open door #2", ("open", 1))],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(START, text) == move


@pytest.mark.parametrize("text", ["", "ask", "ask C", "open 4", "open 1 or 2", "ask A and B"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(START, text)


def test_the_scene_shows_doors_and_answers():
    scene = RULES.scene(State(((0, 2, 0), (0, 0, 1)), 1, -1, -1, -1))
    assert [[cell.text for cell in row] for row in scene.rows] == [
        ["50%", "30%", "20%"], ["", "2", ""], ["", "", "1"],
    ]  # fmt: skip
    assert scene.left == ("before", "Witness A (60%, 3)", "Witness B (80%, 7)")
