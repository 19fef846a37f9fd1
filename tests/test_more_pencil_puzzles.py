"""More pencil puzzles, held to hand-worked cases and to referees of another kind."""

import random
from collections import Counter
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.grids.arrow_maze import ArrowMaze
from palaestra.envs.grids.fillomino import Fillomino
from palaestra.envs.grids.masyu import Masyu
from palaestra.envs.grids.norinori import Norinori
from palaestra.envs.grids.numberlink import Numberlink
from palaestra.envs.grids.numeral_bricks import NumeralBricks
from palaestra.envs.grids.nurikabe import Nurikabe
from palaestra.envs.grids.pattern_copying import PatternCopying
from palaestra.envs.grids.pipes import Pipes
from palaestra.envs.grids.slant import Slant
from palaestra.envs.grids.slide_covering import SlideCovering
from palaestra.envs.grids.word_crossing import WordCrossing
from palaestra.generators.cells import images
from palaestra.generators.grids.arrow_maze import pointing
from palaestra.generators.grids.dominoes import solve
from palaestra.generators.grids.fillomino import region
from palaestra.generators.grids.lines import roots
from palaestra.generators.grids.marks import bits
from palaestra.generators.grids.masyu import outline
from palaestra.generators.grids.pipes import turned
from palaestra.generators.grids.shapes import ways
from palaestra.generators.grids.word_crossing import spoilt
from palaestra.generators.vocabulary import VOWELS
from palaestra.task import Puzzle, Task, Unreadable

PENCILS = (
    ArrowMaze, Fillomino, Masyu, Norinori, Numberlink, NumeralBricks, Nurikabe, PatternCopying,
    Pipes, Slant, SlideCovering, WordCrossing,
)  # fmt: skip
seeds = st.integers(0, 10**6)


def drawn(kind: type[Puzzle], seed: int, level: int = 1, **chosen: object) -> Puzzle:
    return kind.draw(random.Random(seed), kind.Knobs.at(level, **chosen))


@pytest.mark.parametrize("kind", PENCILS)
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_another_tasks_answer_is_judged_by_rule(kind: type[Puzzle], seed: int) -> None:
    """The answer to one task is right for another only if the second opinion says so."""
    one, other = drawn(kind, seed), drawn(kind, seed + 1)
    assert one.verify(one.answer()).value == 1
    assert one.audit(one.answer()) is not False
    try:
        value = one.verify(other.answer()).value
    except Unreadable:
        return
    assert value == 0 or one.audit(other.answer())


def lowest(kind: type[Puzzle]) -> Task.Knobs:
    """The least that every knob may be set to by hand."""
    schemas = kind.Knobs.model_json_schema()["properties"].items()
    return kind.Knobs(**{name: some["minimum"] for name, some in schemas if "minimum" in some})


@pytest.mark.parametrize("kind", PENCILS)
def test_the_least_of_all_knobs_draws_for_either_split(kind: type[Puzzle]) -> None:
    for reserved in (False, True):
        task = kind.draw(random.Random(1), lowest(kind), reserved=reserved)
        assert task.verify(task.answer()).value == 1


@pytest.mark.parametrize("kind", [Fillomino, Masyu, Numberlink, NumeralBricks, Pipes])
def test_the_first_level_has_many_tasks_and_no_usual_answer(kind: type[Puzzle]) -> None:
    tasks = [drawn(kind, seed, 0) for seed in range(1000)]
    assert len({task.canonical() for task in tasks}) > 200
    assert max(Counter(task.answer() for task in tasks).values()) < 50


def test_norinori_counts_pairs_and_regions() -> None:
    task = Norinori(board=("AAA", "ABB", "BBB"))
    assert task.verify("##-\n--#\n--#").value == 1
    assert "touches 2" in task.verify("##-\n-##\n---").reason  # a chain of four
    assert "region A" in task.verify("###\n---\n-##").reason
    assert task.verify("##-\n---\n---").value == 0
    told = Norinori(board=("aAA", "ABB", "BBB"))
    assert "r1c1" in told.verify("##-\n--#\n--#").reason


def test_norinori_without_anything_to_find_needs_no_search() -> None:
    """Once all other cells are told to be clear, each shaded one has one partner left."""
    for seed in range(5):
        task = drawn(Norinori, seed, 3)
        shaded = bits(n for n, sign in enumerate(task.answer().split()) if sign == "#")
        clear = (1 << len(task.board) ** 2) - 1 ^ shaded
        found = solve(len(task.board), tuple(task.regions()), clear)
        assert (found.solutions, found.looks) == ([shaded], 1)


def test_nurikabe_by_networkx() -> None:
    for seed in range(6):
        task = drawn(Nurikabe, seed, 3)
        rows = [row.split() for row in task.answer().splitlines()]
        size = len(rows)
        graph = nx.grid_2d_graph(size, size)
        sea = graph.subgraph(n for n in graph if rows[n[0]][n[1]] == "#")
        assert nx.is_connected(sea)
        land = graph.subgraph(n for n in graph if rows[n[0]][n[1]] == "-")
        for island in nx.connected_components(land):
            numbers = [task.numbers[r][c] for r, c in island if task.numbers[r][c]]
            assert numbers == [len(island)]


def test_nurikabe_by_hand() -> None:
    task = Nurikabe(numbers=((1, 0, 0), (0, 0, 0), (0, 0, 2)))
    assert task.verify("-##\n##-\n##-").reason == "there is a 2 by 2 square of sea"
    assert task.verify("-##\n#--\n##-").value == 0
    assert not task.solved().solutions


def test_fillomino_regions_merge() -> None:
    assert sorted(region([2, 2, 2, 1], 0, 2)) == [0, 1, 2]
    task = Fillomino(givens=((3, 0), (0, 1)), largest=3)
    assert task.verify("3 3\n3 1").value == 1
    assert task.verify("3 3\n2 1").value == 0
    with pytest.raises(Unreadable):
        task.verify("3 3\n4 1")


def test_masyu_wants_one_loop() -> None:
    ring = "F--7\nIxxI\nIxxI\nL--J"
    assert Masyu(pearls=("....", "....", "....", "....")).verify(ring).value == 1
    assert Masyu(pearls=("B...", "....", "....", "....")).verify(ring).value == 1
    assert Masyu(pearls=(".W..", "....", "....", "....")).verify(ring).value == 1
    assert Masyu(pearls=("W...", "....", "....", "....")).verify(ring).value == 0
    assert Masyu(pearls=("x...", "....", "....", "....")).verify(ring).value == 0
    two = "F7F7\nLJLJ\nF7F7\nLJLJ"
    assert "more than one" in Masyu(pearls=("oo..", "....", "....", "....")).verify(two).reason
    open_end = "F--7\nIxxI\nIxxI\nL--x"
    assert "breaks off" in Masyu(pearls=("....", "....", "....", "....")).verify(open_end).reason
    assert outline(0b1, 3).bit_count() == 4


def test_masyu_solutions_by_brute_force() -> None:
    """Every loop on a small board is tried out."""
    for seed in range(3):
        task = drawn(Masyu, seed, 0)
        assert sum(task.verify(each).value for each in task.candidates()) == 1


def test_slant_refuses_a_loop() -> None:
    blank = Slant(clues=("...", "...", "..."))
    assert blank.verify("/\\\n\\/").reason == "there is a closed loop"
    assert blank.verify("\\/\n/\\").value == 1  # an X
    assert Slant(clues=("...", ".4.", "...")).verify("\\/\n/\\").value == 1
    assert Slant(clues=("...", ".3.", "...")).verify("\\/\n/\\").value == 0


def test_pipes_by_networkx() -> None:
    for seed in range(6):
        task = drawn(Pipes, seed, 3)
        tiles = [row.split() for row in task.answer().splitlines()]
        graph = nx.Graph()
        step = {"R": (0, 1), "D": (1, 0)}
        for row, line in enumerate(tiles):
            for column, tile in enumerate(line):
                for side in {*tile} & {*step}:
                    graph.add_edge((row, column), (row + step[side][0], column + step[side][1]))
        assert nx.is_tree(graph)
        assert len(graph) == len(tiles) * len(tiles[0])


@given(on=st.integers(0, 2**24 - 1))
def test_roots_by_networkx(on: int) -> None:
    """On a grid of 4 by 4 cells, which has 24 links."""
    graph = nx.Graph()
    graph.add_nodes_from(range(16))
    graph.add_edges_from(pair for n, pair in enumerate(ways(4, 4)) if on >> n & 1)
    pieces = {cell: min(piece) for piece in nx.connected_components(graph) for cell in piece}
    wanted = [pieces[cell] for cell in range(16)] if nx.is_forest(graph) else None
    assert roots(on, 4, 4) == wanted


def test_pipes_mirrored_or_turned_are_the_same_task() -> None:
    task = drawn(Pipes, 1, 0)
    for image in images(task.tiles):
        tiles = tuple(tuple(turned(tile, n) for n, tile in enumerate(row)) for row in image)
        assert Pipes(tiles=tiles).canonical() == task.canonical()


def test_pipes_refuses_other_tiles_and_loops() -> None:
    assert turned("LR", 1) == "DU"
    task = Pipes(tiles=(("DR", "DL"), ("UR", "UL")))
    assert task.verify("DR DL\nUR UL").reason == "the pipes form a closed loop"
    assert "edge" in task.verify("UR DL\nUR UL").reason
    assert "turned" in task.verify("LR DL\nUR UL").reason
    with pytest.raises(Unreadable):
        task.verify("DD DL\nUR UL")


def test_arrow_maze_by_walking() -> None:
    assert [pointing(4, n, 3) for n in (0, 1, 2, 3, 5, 8)] == ["NW", "N", "NE", "W", "E", "SE"]
    for seed in range(5):
        task = drawn(ArrowMaze, seed, 3)
        rows = [list(map(int, row.split())) for row in task.answer().splitlines()]
        place = {n: (r, c) for r, row in enumerate(rows) for c, n in enumerate(row)}
        for number in range(1, len(place)):
            (r, c), (row, column) = place[number], place[number + 1]
            arrow = task.arrows[r][c]
            assert ("N" in arrow) == (row < r)
            assert ("S" in arrow) == (row > r)
            assert ("W" in arrow) == (column < c)
            assert ("E" in arrow) == (column > c)
            assert len(arrow) == 1 or abs(row - r) == abs(column - c)


def test_numeral_bricks_counts_own_colour() -> None:
    task = NumeralBricks(numbers=((1, -1), (-1, 1)), given=("A.", ".."), colours=2)
    assert task.verify("A B\nB A").value == 1
    assert task.verify("A A\nB A").value == 0
    assert "given A" in task.verify("B A\nA B").reason
    assert [task.verify(f"A {b}\n{c} A").value for b, c in product("AB", repeat=2)] == [0, 0, 0, 1]


def test_numeral_bricks_have_every_colour() -> None:
    """Else a wall of one colour is right too often."""
    for seed in range(100):
        task = drawn(NumeralBricks, seed, 0)
        assert {*task.answer().split()} == {"A", "B"}


def test_numberlink_at_its_most_lines() -> None:
    """There are never more lines than letters, however short they are to be."""
    task = drawn(Numberlink, 1, size=10, longest=5)
    assert len(task.letters()) <= 26


def test_numberlink_refuses_a_ring_beside_the_line() -> None:
    task = Numberlink(board=("..BCA", ".....", "B....", "C....", "A...."))
    told = "A A B C A\nA A B C A\nB B B C A\nC C C C A\nA A A A A"
    assert task.verify(told).reason == "the cells of A are not one line"
    assert not task.audit(told)


def test_numberlink_lines_do_not_touch_themselves() -> None:
    task = Numberlink(board=("A.A", "B..", "..B"))
    assert task.verify("A A A\nB B B\nB B B").value == 0
    assert task.verify("A A A\nB B B\nA A B").value == 0
    free = Numberlink(board=("A..", "..A", "B.B"))
    assert free.verify("A A A\nA A A\nB B B").value == 0


def test_pattern_copying_later_strokes_cover() -> None:
    task = PatternCopying(board=(".#.", ".##", ".#."), diagonals=False)
    assert task.verify("row 2 black\ncolumn 1 white\ncolumn 2 black").value == 1
    assert task.verify("column 1 white\ncolumn 2 black\nrow 2 black").value == 0
    assert "allowed" in task.verify("row 1 white\n" * 4).reason
    for bad in ("row 4 black", "falling 1 black", "row two black", "row 2", "row 1 red"):
        with pytest.raises(Unreadable):
            task.verify(bad)


def test_slide_covering_stops_at_the_trail() -> None:
    task = SlideCovering(board=("S..", "...", "..."))
    assert task.verify("RDLUR").value == 1
    assert task.verify("DRULD").value == 1
    assert "not covered" in task.verify("RDLU").reason
    assert "leads nowhere" in task.verify("U").reason
    with pytest.raises(Unreadable):
        task.verify("RDX")


def test_word_crossing_checks_lengths_and_repeats() -> None:
    task = WordCrossing(
        slots=((0, 0, "across", 3), (0, 0, "down", 3)), words=("bab", "bod", "dub", "zoka")
    )
    assert task.verify("r1c1 across: bab\nr1c1 down: bod").value == 1
    assert task.verify("r1c1 across: bod\nr1c1 down: bab").value == 1
    assert task.verify("r1c1 across: bab\nr1c1 down: bab").value == 0
    assert task.verify("r1c1 across: bab\nr1c1 down: dub").value == 0
    assert task.verify("r1c1 across: zoka\nr1c1 down: bab").value == 0
    with pytest.raises(Unreadable):
        task.verify("r1c1 across: bab\nr1c1 down: bid")


@given(word=st.text("abeiz", min_size=3, max_size=8), seed=seeds)
def test_decoys_look_like_words_that_fit(word: str, seed: int) -> None:
    """A decoy whose vowels stood elsewhere could be told at sight."""
    other = spoilt(random.Random(seed), word)
    assert [letter in VOWELS for letter in other] == [letter in VOWELS for letter in word]
