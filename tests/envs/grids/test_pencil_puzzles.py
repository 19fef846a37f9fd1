"""What the pencil puzzles have in common: their rules, their knobs, the forms of their answers."""

from contextlib import suppress
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.grids import (
    aquarium,
    battleships,
    bridges,
    calcudoku,
    dominosa,
    hitori,
    kakuro,
    killer_sudoku,
    kropki,
    light_up,
    lights_out,
    magic_square,
    magnets,
    n_queens,
    numbrix,
    shikaku,
    skyscrapers,
    slitherlink,
    star_battle,
    survo,
    tents,
    thermometers,
    word_search,
)
from palaestra.envs.grids.kakurasu import Kakurasu
from palaestra.generators.bitsets import ones
from palaestra.generators.cells import lines
from palaestra.generators.grids.constraints import Board, Cage, Different, Table, Total, between
from palaestra.task import InvalidAnswer

KINDS = (
    aquarium.Aquarium,
    battleships.Battleships,
    bridges.Bridges,
    calcudoku.Calcudoku,
    dominosa.Dominosa,
    hitori.Hitori,
    kakuro.Kakuro,
    Kakurasu,
    killer_sudoku.KillerSudoku,
    kropki.Kropki,
    light_up.LightUp,
    lights_out.LightsOut,
    magic_square.MagicSquare,
    magnets.Magnets,
    n_queens.NQueens,
    numbrix.Numbrix,
    shikaku.Shikaku,
    skyscrapers.Skyscrapers,
    slitherlink.Slitherlink,
    star_battle.StarBattle,
    survo.Survo,
    tents.Tents,
    thermometers.Thermometers,
    word_search.WordSearch,
)
seeds = st.integers(0, 10**6)


def test_there_are_576_latin_squares_of_order_four_and_92_ways_to_place_eight_queens():
    rules = [Different(tuple(line), between(1, 4)) for line in lines(4, 4)]
    result = Board(16, rules).solve([between(1, 4)] * 16, limit=1000)
    assert len(set(result.solutions)) == 576
    rows = tuple(range(8))
    board = Board(8, [n_queens.Peace(rows), Different(rows, 0xFF)])
    assert len(set(board.solve([0xFF] * 8, limit=1000).solutions)) == 92


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_rules_drop_no_value_of_a_solution_and_accept_no_other(seed):
    rng = Random(seed)
    rows = [row for row in permutations(range(1, 6), 3) if rng.random() < 0.3]
    for rule, holds in (
        (Total((0, 1, 2), 9), lambda row: sum(row) == 9),
        (Cage((0, 1, 2), 9, 5), lambda row: sum(row) == 9 and len({*row}) == 3),
        (Table((2, 0, 1), skyscrapers.Rows(rows, 6)), lambda row: (row[2], *row[:2]) in rows),
    ):
        domains = [sum(1 << n for n in rng.sample(range(1, 6), 3)) for _ in range(3)]
        every = [
            (a, b, c) for a in ones(domains[0]) for b in ones(domains[1]) for c in ones(domains[2])
        ]
        result = Board(3, [rule]).solve(domains, limit=1000)
        assert sorted(set(result.solutions)) == [row for row in every if holds(row)]


@pytest.mark.parametrize("puzzle", KINDS)
@given(seed=seeds)
@settings(max_examples=3, deadline=None)
def test_an_answer_is_right_for_its_own_task_only(puzzle, seed):
    # Smaller ones come up twice now and then: there are but 92 ways to place eight queens.
    one, other = sample(puzzle, seed, 3), sample(puzzle, seed + 1, 3)
    assert one.canonical() != other.canonical()
    assert one.verify(one.answer()).correct
    assert type(one).model_validate_json(one.model_dump_json()).canonical() == one.canonical()
    with suppress(InvalidAnswer):
        assert not one.verify(other.answer()).correct


@pytest.mark.parametrize("puzzle", KINDS)
@given(seed=seeds)
@settings(max_examples=2, deadline=None)
def test_hand_set_knobs_within_bounds_draw(puzzle, seed):
    rng = Random(seed)
    chosen = {}
    for name, field in puzzle.Knobs.model_fields.items():
        rungs = puzzle.Knobs.ladders()[name]
        bounds = [getattr(m, side, None) for m in field.metadata for side in ("ge", "le")]
        low, high = [b for b in bounds if b is not None] or [0, 0]
        if field.annotation is float:
            chosen[name] = rng.uniform(low, high)
        elif field.annotation is int:
            chosen[name] = min(rng.randint(low, high), rungs[-2] if name == "size" else high)
        else:
            chosen[name] = rng.choice(rungs)
    task = puzzle.sample(rng, puzzle.Knobs(**chosen))
    assert task.verify(task.answer()).correct


def test_mirrored_boards_have_the_same_canonical_form():
    task = sample(light_up.LightUp, 1, 3)
    assert task.model_copy(update={"board": task.board[::-1]}).canonical() == task.canonical()
    task = sample(tents.Tents, 1, 3)
    size = len(task.board)
    counts = (*task.counts[:size][::-1], *task.counts[size:])
    mirror = task.model_copy(update={"board": task.board[::-1], "counts": counts})
    assert mirror.canonical() == task.canonical()
    assert mirror.is_valid()
    task = sample(thermometers.Thermometers, 1, 3)
    turned = [
        tuple(cell % task.size * task.size + cell // task.size for cell in t) for t in task.tubes
    ]
    counts = (*task.counts[task.size :], *task.counts[: task.size])
    mirror = task.model_copy(update={"tubes": tuple(turned[::-1]), "counts": counts})
    assert mirror.canonical() == task.canonical()
    assert mirror.is_valid()


def test_lists_may_have_dashes_and_bullets_of_any_kind():
    task = bridges.Bridges(sea=("2.2", "...", "1.1"), known=())
    for text in (
        "- r1c1-r1c3: 1\n- r1c1-r3c1: 1\n- r1c3-r3c3: 1",
        "'r1c1-r1c3: 1'\n'r1c1-r3c1: 1'\n'r1c3-r3c3: 1'",
        "r1c1\u2013r1c3: 1\nR1C1 \u2013 R3C1: 1\nr1c3\u2212r3c3: 1",
    ):
        assert task.verify(text).correct
        assert task.audit(text)
    cut = shikaku.Shikaku(numbers=((2, 0), (0, 2)))
    assert cut.verify("- r1c1-r1c2\n* r2c1-r2c2").correct
    assert cut.verify("'r1c1-r1c2'\n'r2c1-r2c2'").correct
    search = word_search.WordSearch(letters=("abc", "def", "ghi"), words=("abc",))
    assert search.verify("abc: r1c1\u2013r1c3").correct
    assert search.audit("abc: r1c1\u2013r1c3")


@pytest.mark.parametrize("puzzle", [magic_square.MagicSquare, numbrix.Numbrix, survo.Survo])
def test_grids_of_larger_numbers_may_be_lists_or_tables_too(puzzle):
    task = sample(puzzle, 5, 2)
    rows = [line.split() for line in task.answer().splitlines()]
    listed = ",\n".join(f"[{', '.join(row)}]" for row in rows)
    for text in (f"[{listed}]", "\n".join(f"| {' | '.join(row)} |" for row in rows)):
        assert task.verify(text).correct
    with pytest.raises(InvalidAnswer):
        task.verify("\n".join(map(" ".join, rows[1:])))
