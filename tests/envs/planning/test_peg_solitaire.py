"""Tests of planning/peg_solitaire."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.planning.breadth_first import distances
from tests.envs.sampling import sample

from palaestra.envs.planning.peg_solitaire import PegSolitaire
from palaestra.generators.planning.peg_solitaire import jumps, solved

SEEDS = st.integers(0, 10**6)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_pegs_that_cannot_be_solved(seed):
    """The search finds a plan where a plain one over all boards does."""
    cells = Random(seed).sample(range(16), 5)
    pegs = sum(1 << cell for cell in cells)

    def ways(board):
        for a, b, c in jumps("square"):
            if board >> a & 1 and board >> b & 1 and not board >> c & 1:
                yield (a, c), board ^ (1 << a | 1 << b | 1 << c)

    reached = distances(pegs, lambda state: [there for _, there in ways(state)])
    assert any(board.bit_count() == 1 for board in reached) == (solved("square", pegs) is not None)


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_pegs_take_a_plan(seed, level):
    """Who makes the first jump there is, or the last, by where it starts, is left with pegs."""
    task = sample(PegSolitaire, seed, level)
    for order in (jumps(task.shape), jumps(task.shape)[::-1]):
        board, answer = task.pegs, []
        while legal := [
            (a, b, c)
            for a, b, c in order
            if board >> a & 1 and board >> b & 1 and not board >> c & 1
        ]:
            a, b, c = legal[0]
            board ^= 1 << a | 1 << b | 1 << c
            answer.append(f"{task.names()[a]} -> {task.names()[c]}")
        assert task.verify("\n".join(answer)).reason.endswith("pegs are left")


def test_pegs_that_any_jumps_solve_are_no_task():
    assert not PegSolitaire(shape="wide", pegs=0b11, count=2).is_valid()
