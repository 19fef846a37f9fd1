"""Pencil puzzles, held against known numbers, published puzzles and referees of another kind."""

from contextlib import suppress
from itertools import pairwise, permutations
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from palaestra.generators.grids.marks import Sheet, bits, lines
from palaestra.generators.grids.pencil import Board, Cage, Different, Table, Total, between
from palaestra.generators.grids.shapes import connected, cut, gathered, grown, sides, turns, ways
from palaestra.task import Unreadable

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


def draw(kind, seed, level, **chosen):
    return kind.draw(Random(seed), kind.Knobs.at(level, **chosen))


# ------------------------------------------------------------------------------------- the engines


def test_there_are_576_latin_squares_of_order_four_and_92_ways_to_place_eight_queens():
    rules = [Different(tuple(line), between(1, 4)) for line in lines(4, 4)]
    found = Board(16, rules).solve([between(1, 4)] * 16, limit=1000)
    assert len(set(found.solutions)) == 576
    rows = tuple(range(8))
    board = Board(8, [n_queens.Peace(rows), Different(rows, 0xFF)])
    assert len(set(board.solve([0xFF] * 8, limit=1000).solutions)) == 92


def test_there_are_eight_magic_squares_of_order_three():
    board = Board(9, [Different(tuple(range(9)), between(1, 9))])
    for line in magic_square.magic_lines(3):
        board.add(Total(line, 15))
    assert len(set(board.solve([between(1, 9)] * 9, limit=100).solutions)) == 8


@pytest.mark.parametrize(("rows", "columns", "tilings"), [(2, 4, 5), (3, 4, 11), (4, 4, 36)])
def test_the_ways_to_tile_with_dominoes_are_as_many_as_is_known(rows, columns, tilings):
    every = ways(rows, columns)
    sheet = Sheet(len(every), dominosa.covering(every, rows * columns))
    assert len(set(sheet.solve(limit=100).solutions)) == tilings


@pytest.mark.parametrize(("size", "loops"), [(2, 13), (3, 213)])
def test_the_loops_on_a_grid_are_as_many_as_is_known(size, loops):
    blank = slitherlink.Slitherlink(clues=("." * size,) * size)
    right = 0
    for cells in range(1 << size * size):
        signs = ["#" if cells >> n & 1 else "-" for n in range(size * size)]
        rows = "\n".join("".join(signs[n : n + size]) for n in range(0, size * size, size))
        right += blank.verify(rows).correct
    assert right == loops  # OEIS A140517


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
        found = Board(3, [rule]).solve(domains, limit=1000)
        assert sorted(set(found.solutions)) == [row for row in every if holds(row)]


@given(seeds, st.integers(3, 7))
@settings(max_examples=20, deadline=None)
def test_regions_hang_together_and_squares_have_eight_turns(seed, size):
    rng = Random(seed)
    graph = nx.grid_2d_graph(size, size)
    numbers = [rng.randrange(4) for _ in range(size * size)]
    first = rng.sample(range(size * size), 5)
    for region in (grown(rng, size, size, first), cut(rng, size, numbers, 4)):
        for cells in gathered(region):
            assert nx.is_connected(graph.subgraph(divmod(cell, size) for cell in cells))
            assert connected(bits(cells), size, size)
    assert all(len({numbers[c] for c in cells}) == len(cells) for cells in gathered(region))
    assert len(set(turns(size))) == 8


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_pieces_are_those_of_another_library(seed):
    rng = Random(seed)
    cells = [cell for cell in range(20) if rng.random() < 0.6]
    graph = nx.grid_2d_graph(4, 5).subgraph(divmod(cell, 5) for cell in cells)
    assert connected(bits(cells), 4, 5) == (not cells or nx.is_connected(graph))


# -------------------------------------------------------------------------------- all environments


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@settings(max_examples=3, deadline=None)
def test_an_answer_is_right_for_its_own_task_only(kind, seed):
    # Smaller ones come up twice now and then: there are but 92 ways to place eight queens.
    one, other = draw(kind, seed, 3), draw(kind, seed + 1, 3)
    assert one.canonical() != other.canonical()
    assert one.verify(one.answer()).correct
    assert type(one).model_validate_json(one.model_dump_json()).canonical() == one.canonical()
    with suppress(Unreadable):
        assert not one.verify(other.answer()).correct


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@settings(max_examples=2, deadline=None)
def test_hand_set_knobs_within_bounds_draw(kind, seed):
    rng = Random(seed)
    chosen = {}
    for name, field in kind.Knobs.model_fields.items():
        rungs = kind.Knobs.ladders()[name]
        bounds = [getattr(m, side, None) for m in field.metadata for side in ("ge", "le")]
        low, high = [b for b in bounds if b is not None] or [0, 0]
        if field.annotation is float:
            chosen[name] = rng.uniform(low, high)
        elif field.annotation is int:
            chosen[name] = min(rng.randint(low, high), rungs[-2] if name == "size" else high)
        else:
            chosen[name] = rng.choice(rungs)
    task = kind.draw(rng, kind.Knobs(**chosen))
    assert task.verify(task.answer()).correct


def test_mirrored_boards_have_the_same_canonical_form():
    task = draw(light_up.LightUp, 1, 3)
    assert task.model_copy(update={"board": task.board[::-1]}).canonical() == task.canonical()
    task = draw(tents.Tents, 1, 3)
    size = len(task.board)
    counts = (*task.counts[:size][::-1], *task.counts[size:])
    mirror = task.model_copy(update={"board": task.board[::-1], "counts": counts})
    assert mirror.canonical() == task.canonical()
    assert mirror.fair()
    task = draw(thermometers.Thermometers, 1, 3)
    turned = [
        tuple(cell % task.size * task.size + cell // task.size for cell in t) for t in task.tubes
    ]
    counts = (*task.counts[task.size :], *task.counts[: task.size])
    mirror = task.model_copy(update={"tubes": tuple(turned[::-1]), "counts": counts})
    assert mirror.canonical() == task.canonical()
    assert mirror.fair()


# --------------------------------------------------------------------------------- one by one


def test_towers_are_counted_from_each_side():
    rows = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    seen = [number for _, number in skyscrapers.every_clue(rows)[9:]]
    assert seen == [3, 2, 1, 3, 2, 1, 1, 2, 2, 1, 2, 2]  # left, top, right, bottom
    task = skyscrapers.Skyscrapers(
        givens=((0,) * 3,) * 3, seen=((3, 0, 0), (0, 0, 0), (0, 0, 2), (0, 0, 0))
    )
    assert task.verify("1 2 3\n2 3 1\n3 1 2").correct
    assert "row 1 from the left" in task.verify("2 1 3\n1 3 2\n3 2 1").reason


def test_towers_can_be_told_by_the_sum_of_their_heights():
    rows = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    sums = [number for _, number in skyscrapers.every_clue(rows, "sum")[9:]]
    assert sums == [6, 5, 3, 6, 5, 3, 3, 4, 5, 3, 4, 5]
    task = skyscrapers.Skyscrapers(
        givens=((0,) * 3,) * 3, seen=((6, 5, 0), (0, 0, 0), (0, 0, 5), (0, 0, 0)), told="sum"
    )
    assert task.verify("1 2 3\n2 3 1\n3 1 2").correct
    assert task.verify("2 1 3\n1 3 2\n3 2 1").reason == "a sum of 5 is seen in row 1 from the left"


def test_the_puzzle_of_survo_s_inventor_has_its_published_solution():
    task = survo.Survo(
        givens=((0, 6, 0, 0), (8, 0, 0, 0), (0, 0, 3, 0)),
        across=(30, 18, 30),
        down=(27, 16, 10, 25),
    )
    assert task.fair()
    assert " ".join(task.answer().split()) == "12 6 2 10 8 1 5 4 7 9 3 11"


def test_the_sums_of_kakurasu_are_those_of_places():
    task = Kakurasu(givens=("...",) * 3, rows=(4, 2, 0), columns=(1, 2, 1))
    assert task.verify("#-#\n-#-\n---").correct
    assert "row 1 has the sum 3" in task.verify("##-\n-#-\n---").reason


def test_any_magic_square_will_do():
    task = magic_square.MagicSquare(first=1, givens=((0, 0, 0), (0, 5, 0), (0, 0, 0)))
    for square in ("2 7 6\n9 5 1\n4 3 8", "8 1 6\n3 5 7\n4 9 2"):
        assert task.verify(square).correct
        assert task.audit(square)
    assert not task.verify("1 2 3\n4 5 6\n7 8 9").correct
    with pytest.raises(Unreadable):
        task.verify("2 7 6\n9 5 1")
    blank = task.model_copy(update={"givens": ((0,) * 3,) * 3})
    assert "falling diagonal has the sum 6" in blank.verify("2 7 6\n4 3 8\n9 5 1").reason


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_trees_and_tents_are_matched_as_by_another_library(seed):
    rng = Random(seed)
    cells = rng.sample(range(16), 8)
    trees, pitched = cells[:4], cells[4:]
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from((t, n) for t in trees for n in sides(4, 4)[t] if n in pitched)
    matching = nx.bipartite.maximum_matching(graph, trees)
    assert tents.paired(trees, pitched, 4) == (len(matching) == 8)


def test_tents_that_touch_or_belong_to_no_tree_are_refused():
    task = tents.Tents(board=("T..", "...", "..T"), counts=(-1,) * 6)
    assert task.verify("T A -\n- - -\n- A T").correct
    assert "touch" in task.verify("T A -\n- - A\n- - T").reason
    assert "matched" in task.verify("T A -\n- - -\nA - T").reason
    assert "trees" in task.verify("- A -\n- - -\n- A T").reason


def test_the_rules_of_hitori():
    task = hitori.Hitori(numbers=((1, 1, 2), (3, 2, 2), (2, 3, 1)))
    assert "still shows" in task.verify("---\n---\n---").reason
    assert "side by side" in task.verify("##-\n---\n---").reason
    task = hitori.Hitori(numbers=((1, 1, 2), (1, 2, 3), (2, 3, 1)))
    assert "connected" in task.verify("-#-\n#--\n---").reason


def test_lamps_may_not_see_each_other_and_leave_nothing_dark():
    task = light_up.LightUp(board=("..#", "2..", "..."))
    assert task.verify("*-#\n#-*\n*--").correct
    assert "is lit by another" in task.verify("**#\n#--\n---").reason
    assert "is dark" in task.verify("*-#\n#--\n*--").reason
    three = task.model_copy(update={"board": ("..#", "3..", "...")})
    assert "has 2 lamps" in three.verify("*-#\n#-*\n*--").reason


def test_a_path_from_backbiting_goes_everywhere_by_single_steps():
    for seed in range(20):
        path = numbrix.wandering(Random(seed), 6)
        assert sorted(path) == [*range(36)]
        assert all(after in sides(6, 6)[cell] for cell, after in pairwise(path))


def test_bridges_that_cross_or_leave_islands_alone_are_refused():
    task = bridges.Bridges(sea=(".1.", "1.1", ".1."), told=())
    assert "cross" in task.verify("r1c2-r3c2: 1\nr2c1-r2c3: 1").reason
    task = bridges.Bridges(sea=("1.1", "...", "1.1"), told=())
    assert "connected" in task.verify("r1c1-r1c3: 1\nr3c1-r3c3: 1").reason
    for text in ("r1c1-r3c3: 1", "r1c1-r1c3: 3", "r1c1: 1", "r1c1-r1c3: 1\nr1c3-r1c1: 1"):
        with pytest.raises(Unreadable):
            task.verify(text)


def test_relations_that_are_not_listed_do_not_hold():
    task = kropki.Kropki(kind="consecutive", related=((),), givens=((0, 0),) * 2)
    assert "not told" in task.verify("1 2\n2 1").reason
    pairs = ((0, 1), (0, 2), (1, 3), (2, 3))
    assert task.model_copy(update={"related": (pairs,)}).verify("1 2\n2 1").correct


@pytest.mark.parametrize(
    ("sign", "numbers", "result"),
    [("-", (2, 5), 3), ("/", (6, 3), 2), ("/", (3, 2), 0), ("x", (2, 3, 4), 24), ("", (4,), 4)],
)
def test_operations_of_cages(sign, numbers, result):
    assert calcudoku.result(sign, numbers) == result


def test_ships_that_touch_or_have_the_wrong_length_are_refused():
    task = battleships.Battleships(
        fleet=(2, 1), board=("....",) * 4, counts=(2, 0, 0, 1, 1, 1, 0, 1)
    )
    assert task.verify("##--\n----\n----\n---#").correct
    assert (
        "lengths" in task.model_copy(update={"fleet": (3,)}).verify("##--\n----\n----\n---#").reason
    )
    corner = task.model_copy(update={"counts": (1, 1, 0, 1, 1, 1, 0, 1)})
    assert "corner" in corner.verify("#---\n-#--\n----\n---#").reason


def test_loops_with_holes_or_in_two_parts_are_refused():
    task = slitherlink.Slitherlink(clues=("...",) * 3)
    assert "cut off" in task.verify("###\n#-#\n###").reason
    assert "one piece" in task.verify("#-#\n---\n---").reason
    assert "one piece" in task.verify("#--\n-#-\n---").reason
    assert "no loop" in task.verify("---\n---\n---").reason


def test_rectangles_must_hold_their_area_and_leave_nothing_out():
    task = shikaku.Shikaku(numbers=((2, 0), (0, 2)))
    assert task.verify("r2c1-r2c2, r1c1-r1c2").correct
    assert task.verify("r1c1-r2c1\nr1c2-r2c2").correct
    assert "overlaps" in task.verify("r1c1-r1c2\nr1c2-r2c2").reason
    assert "2 cells are in no rectangle" in task.verify("r1c1-r1c2").reason
    assert "area" in task.verify("r1c1-r2c2").reason
    for text in ("r1c2-r1c1", "r1c1", "r1c1-r3c1", "r1c1-r1c2-r2c2"):
        with pytest.raises(Unreadable):
            task.verify(text)


def test_equal_poles_may_not_be_neighbours_and_dominoes_have_both_or_none():
    task = magnets.Magnets(slates=("AB", "AB"), poles=((1, 1, 1, 1), (1, 1, 1, 1)))
    assert task.verify("+ -\n- +").correct
    assert "beside an equal one" in task.verify("+ +\n- -").reason
    assert "neither a magnet nor plain" in task.verify("+ -\no +").reason
    assert "row 1 has 0 of the poles +" in task.verify("o o\no o").reason


def test_all_boards_of_five_by_five_lights_need_the_rank_that_is_known():
    assert len(lights_out.eliminated(5, 5)) == 23
    assert len(lights_out.eliminated(4, 4)) == 12
    task = lights_out.LightsOut(lamps=("##-", "#--", "---"))
    assert task.verify("x--\n---\n---").correct
    assert "3 of the lamps" in task.verify("---\n---\n---").reason


def test_words_are_found_where_they_are_and_nowhere_else():
    task = word_search.WordSearch(letters=("abab", "bbba", "aaba", "bbaa"), words=("abab", "bbb"))
    assert task.verify("abab: r1c1-r1c4\nbbb: r2c3-r2c1").correct
    assert task.verify("abab: r1c1-r1c4\nbbb: r1c2-r4c2").value == 0.25
    assert task.verify("abab: r1c4-r1c1\nbbb: r2c1-r2c4").value == 0
    for text in ("abab: r1c1-r1c4", "abab: r1c1\nbbb: r1c1-r1c3", "abab: r1c1-r1c5\nbbb: r1c1"):
        with pytest.raises(Unreadable):
            task.verify(text)


def test_lists_may_have_dashes_and_bullets_of_any_kind():
    task = bridges.Bridges(sea=("2.2", "...", "1.1"), told=())
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


def test_hard_arithmetic_is_not_searched_for_long():
    # Without multiplication a square of seven may have solutions in thousands of corners.
    knobs = calcudoku.Calcudoku.Knobs(size=7, cage=4, times=False, given=0)
    for seed in range(4):
        task = calcudoku.Calcudoku.draw(Random(seed), knobs)
        assert task.solved().looks <= calcudoku.LOOKS
        assert task.verify(task.answer()).correct


def test_short_thermometers_do_not_keep_a_large_grid_from_being_drawn(monkeypatch):
    laid, layouts = thermometers.laid, []
    monkeypatch.setattr(thermometers, "laid", lambda *some: layouts.append(1) or laid(*some))
    knobs = thermometers.Thermometers.Knobs(size=8, length=3, bent=False, silent=0)
    for seed in range(4):
        thermometers.Thermometers.draw(Random(seed), knobs)
    assert len(layouts) < 500


@pytest.mark.parametrize("kind", [magic_square.MagicSquare, numbrix.Numbrix, survo.Survo])
def test_grids_of_larger_numbers_may_be_lists_or_tables_too(kind):
    task = draw(kind, 5, 2)
    rows = [line.split() for line in task.answer().splitlines()]
    listed = ",\n".join(f"[{', '.join(row)}]" for row in rows)
    for text in (f"[{listed}]", "\n".join(f"| {' | '.join(row)} |" for row in rows)):
        assert task.verify(text).correct
    with pytest.raises(Unreadable):
        task.verify("\n".join(map(" ".join, rows[1:])))
