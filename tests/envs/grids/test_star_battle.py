"""Tests of grids/star_battle."""

from itertools import combinations

import pytest
from tests.envs.grids.satisfiability import Referee
from tests.envs.sampling import sample

from palaestra.envs.grids.star_battle import StarBattle
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import lines, neighbours
from palaestra.generators.grids.star_battle import ways_to_place


def outside_solution(regions, stars):
    """The cells with a star in the only solution of a star battle, by a SAT solver."""
    size = len(regions)
    referee = Referee(size * size)
    letters = "".join(regions)
    groups = [[n for n, sign in enumerate(letters) if sign == letter] for letter in {*letters}]
    for group in (*lines(size, size), *groups):
        referee.exactly([cell + 1 for cell in group], stars)
    for cell, near in enumerate(neighbours(size, size)):
        for other in near:
            referee.add(-cell - 1, -other - 1)
    return bits(cell - 1 for cell in referee.only_solution())


@pytest.mark.parametrize(
    ("level", "seed"), [(3, 0), (4, 0), (4, 1), (5, 0), (5, 1), (6, 0), (6, 1), (6, 2)]
)
def test_a_solver_from_outside_finds_the_same_stars_and_no_others(level, seed):
    task = sample(StarBattle, seed, level)
    assert task.written(outside_solution(task.regions, task.stars)) == task.answer()


def test_the_largest_star_battle_has_three_stars_on_fourteen_rows():
    task = sample(StarBattle, 0, 6)
    assert (len(task.regions), task.stars) == (14, 3)


def test_the_ways_to_place_stars_are_all_that_do_not_touch():
    cells = [0, 1, 2, 5, 9, 10, 12]
    near = neighbours(5, 5)
    free = [
        some for some in combinations(cells, 3) if not any(b in near[a] for a in some for b in some)
    ]
    ways = ways_to_place(5, bits(cells), 3)
    assert sorted(way & (1 << 25) - 1 for way in ways) == sorted(map(bits, free))
    for way in ways:
        stars, empty = way & (1 << 25) - 1, way >> 25
        assert not stars & empty
        assert not bits(cells) & ~(stars | empty)
