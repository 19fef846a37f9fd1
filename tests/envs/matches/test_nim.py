"""Nim: Bouton's theorem held to plain search, the reader, and the match."""

from functools import cache
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.impartial import ImpartialSolver
from palaestra.generators.matches.nim import Nim, State, paired
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


@cache
def wins(heaps, misere):
    """Whether the player to move wins, by trying every move on sorted heaps."""
    if not any(heaps):
        return misere
    after = (
        tuple(sorted((*heaps[:n], left, *heaps[n + 1 :])))
        for n, size in enumerate(heaps)
        for left in range(size)
    )
    return not all(wins(each, misere) for each in after)


@pytest.mark.parametrize("misere", [False, True])
def test_wins_and_winning_moves_are_those_of_a_search(misere):
    rules = Nim((5, 5, 5, 5), misere)
    for heaps in product(range(6), range(5), range(4), range(3)):
        state = State(heaps, 0)
        assert rules.wins(state) == wins(tuple(sorted(heaps)), misere)
        losing = [m for m in rules.legal(state) if not rules.wins(rules.apply(state, m))]
        assert sorted(rules.winning(state)) == sorted(losing)
        assert rules.choices(state) == len(rules.legal(state))


@pytest.mark.parametrize("misere", [False, True])
def test_the_solver_agrees_with_alpha_beta(misere):
    rules, rng = Nim((3, 4, 5), misere), Random(1)
    for _ in range(40):
        state = State(tuple(rng.randint(0, 4) for _ in range(3)), rng.randrange(2))
        if rules.outcome(state) is not None:
            continue
        searched, known = Solver(rules), ImpartialSolver(rules)
        assert searched.value(state) == known.value(state)
        assert searched.best_moves(state) == known.best_moves(state)
        assert searched.share(state) == known.share(state)


def test_boutons_example():
    """From 3, 5, 7 the only winning moves take one object from any heap; 1, 2, 3 is lost."""
    rules = Nim((3, 5, 7), misere=False)
    assert [*rules.winning(rules.start())] == [(0, 1), (1, 1), (2, 1)]
    assert not rules.wins(State((1, 2, 3), 0))


@pytest.mark.parametrize(("misere", "winner"), [(False, 1), (True, 0)])
def test_the_last_object(misere, winner):
    rules = Nim((1,), misere)
    last = rules.apply(State((1,), 1), (0, 1))
    assert rules.outcome(last) == (2 if winner == 0 else 0)
    assert rules.outcome(State((1,), 1)) is None


TAKES = [
    "take 3 from B", "Take 3 from b.", "3 from heap B", "B 3", "B: 3", "I take 3 stones from B",
    "remove 3 objects from pile B", "from heap B take 3", "take all from B", "Heap B, take 3",
    "**take 3 from B**", "(B, 3)", '{"heap": "B", "count": 3}', "take ３ from B",
]  # fmt: skip


@pytest.mark.parametrize("text", TAKES)
def test_moves_are_read(text):
    rules = Nim((2, 3), misere=False)
    assert rules.read(rules.start(), text) == (1, 3)


REFUSED = [
    "take 3", "take 4 from B", "take 0 from B", "take 1 from C", "take -1 from B", "B -> 3", "",
    "take 1 from A and B",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_other_texts_are_refused(text):
    rules = Nim((2, 3), misere=False)
    with pytest.raises(InvalidAnswer):
        rules.read(rules.start(), text)


def test_pairs_do_not_count():
    assert paired([]) == 0
    assert paired([4, 4, 2, 4]) == 2


@pytest.mark.parametrize("level", range(6))
def test_the_opponent_takes_what_a_mistake_gives(level):
    task = Address.of("matches/nim", 1, level).task()
    rules, start = task.rules(), task.start()
    won = task.solver().best_moves(start)
    episode = Episode(task, BARE)
    episode.step(rules.name(start, next(m for m in rules.legal(start) if m not in won)))
    rng = Random(level)
    while episode.score is None:
        state = rules.decode(episode.turn.state)
        assert not rules.wins(state)
        episode.step(rng.choice(episode.turn.legal_moves))
    assert episode.score.value == 0
