"""Battleship with counts, against layouts by brute force and rules that are written another way."""

from itertools import combinations, pairwise
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.deduction.ship_search import ShipSearch
from palaestra.episode import BARE, Episode
from palaestra.generators.games.deduction.ship_search import (
    FLEETS,
    UNKNOWN,
    counted,
    counts_of,
    laid,
    layouts,
    likeliest,
    shot,
)
from palaestra.task import InvalidAnswer


def touch(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def groups(cells):
    """Sets of cells that are connected, also diagonally."""
    cells, parts = set(cells), []
    while cells:
        part = {cells.pop()}
        while near := {cell for cell in cells for other in part if touch(cell, other)}:
            part |= near
            cells -= near
        parts.append(sorted(part))
    return parts


def is_fleet(cells, lengths):
    """Whether cells are straight ships of these lengths that do not touch."""
    parts = groups(cells)
    straight = all(
        len({r for r, _ in part}) == 1 or len({c for _, c in part}) == 1 for part in parts
    )
    joined = all(abs(a - c) + abs(b - d) == 1 for p in parts for (a, b), (c, d) in pairwise(p))
    return straight and joined and sorted(map(len, parts)) == sorted(lengths)


@pytest.mark.parametrize("seed", range(4))
def test_layouts_are_those_of_brute_force(seed):
    """All sets of five cells of a board of four by four cells, with some counts unknown."""
    rng, fleet = Random(seed), (3, 2)
    rows, columns = counts_of(4, laid(rng, 4, fleet))
    unknown = rng.sample(range(4), seed)
    columns = tuple(-1 if n in unknown else number for n, number in enumerate(columns))
    every = layouts(4, fleet, (rows, columns), 100_000)
    sets = {frozenset(divmod(cell, 4) for ship in each for cell in ship) for each in every}
    assert len(sets) == len(every)
    expected = set()
    for cells in combinations([(r, c) for r in range(4) for c in range(4)], 5):
        in_rows = tuple(sum(r == n for r, _ in cells) for n in range(4))
        in_columns = [sum(c == n for _, c in cells) for n in range(4)]
        fits = all(b in (-1, a) for a, b in zip(in_columns, columns))
        if in_rows == rows and fits and is_fleet(cells, fleet):
            expected.add(frozenset(cells))
    assert sets == expected


@pytest.mark.parametrize("level", range(6))
def test_tasks_are_as_described(level):
    for seed in range(20):
        task = ShipSearch.generate(Random(seed), ShipSearch.Knobs.at(level))
        cells = [divmod(cell, task.size) for ship in task.ships for cell in ship]
        assert is_fleet(cells, task.fleet)
        assert task.rows == tuple(sum(r == n for r, _ in cells) for n in range(task.size))
        for n, count in enumerate(task.columns):
            assert count in (-1, sum(c == n for _, c in cells))
        knobs = ShipSearch.Knobs.at(level)
        assert task.columns.count(-1) == task.size - knobs.columns
        possible = task.possible()
        assert not possible or task.ships in possible


@pytest.mark.parametrize("seed", range(12))
def test_answers_go_by_the_rules(seed):
    task = Address.of("games/ship_search", seed, seed % 6).task()
    assert isinstance(task, ShipSearch)
    rng, episode = Random(seed), Episode(task.model_copy(update={"misses": 200}), BARE)
    ships = [{divmod(cell, task.size) for cell in ship} for ship in task.ships]
    shots, total = set(), sum(task.fleet)
    while episode.score is None:
        board = episode.turn.state.split()[0]
        for n, sign in enumerate(board):
            cell = divmod(n, task.size)
            ship = next((ship for ship in ships if cell in ship), None)
            expected = (
                "." if cell not in shots else "o" if ship is None else "S" if ship <= shots else "X"
            )
            assert sign == expected
        name = rng.choice(episode.turn.legal_moves)
        row, column = map(int, name[1:].split("c"))
        shots.add((row - 1, column - 1))
        episode.step(name)
        ship = next((ship for ship in ships if (row - 1, column - 1) in ship), None)
        if episode.score is None:
            first = episode.turn.observation.partition("\n")[0]
            assert ("miss" in first) == (ship is None)
            assert ("sunk" in first) == (ship is not None and ship <= shots)
    assert episode.score.value == 1
    assert len(shots & set().union(*ships)) == total


def agrees(layout, board, size):
    """Whether a layout explains a board."""
    for n, sign in enumerate(board):
        ship = next((ship for ship in layout if n in ship), None)
        if sign == ".":
            continue
        hit = ship is not None
        sunk = hit and all(board[cell] != "." for cell in ship)
        if sign != ("S" if sunk else "X" if hit else "o"):
            return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_the_player_uses_the_board_and_nothing_else(seed):
    """Each shot is at a cell that most layouts that agree with the board have a ship on."""
    task = Address.of("games/ship_search", seed, 2 + seed % 2).task()
    assert isinstance(task, ShipSearch)
    every, board = task.possible(), UNKNOWN * task.size**2
    for name in task.solve():
        row, column = map(int, name[1:].split("c"))
        cell = (row - 1) * task.size + column - 1
        left = [each for each in every if agrees(each, board, task.size)]
        numbers = {
            n: sum(any(n in ship for ship in each) for each in left)
            for n, sign in enumerate(board)
            if sign == "."
        }
        best = max(numbers.values())
        assert likeliest(left, board) == [n for n in numbers if numbers[n] == best]
        assert numbers[cell] == best
        board = shot(task.ships, board, cell)


@pytest.mark.parametrize("level", range(6))
def test_other_strong_players_win_nine_of_ten_tasks(level):
    """They choose at random between equally likely cells, unlike the one that tasks are kept by."""
    wins, number = 0, 0
    for seed in range(24):
        task = Address.of("games/ship_search", seed, level).task()
        assert isinstance(task, ShipSearch)
        for luck in range(2):
            choose = Random(f"{seed} {luck}").choice
            misses = len(counted(task.size, task.possible(), task.ships, choose)) - sum(task.fleet)
            wins += misses <= task.misses
            number += 1
    assert wins >= 0.9 * number


def test_most_generated_tasks_are_kept():
    knobs = ShipSearch.Knobs.at(5)
    tasks = [ShipSearch.generate(Random(f"ship {seed}"), knobs) for seed in range(30)]
    assert sum(task.is_valid() for task in tasks) >= 0.8 * len(tasks)


@pytest.mark.parametrize(
    "text",
    ["r2c5", "R2 C5", "(2, 5)", "row 2 column 5", "shoot r2c5", "Fire at r2c5.", "shoot at (2, 5)",
     "I shoot at row 2, column 5", "attack r2c5"],
)  # fmt: skip
def test_shots_are_read(text):
    task = Address.of("games/ship_search", 0, 1).task()
    assert task.read(UNKNOWN * 36, text) == 10


@pytest.mark.parametrize("text", ["", "r9c9", "r2c5 r2c6", "miss", "do not shoot r2c5", "r1c1"])
def test_other_moves_are_refused(text):
    task = Address.of("games/ship_search", 0, 1).task()
    with pytest.raises(InvalidAnswer):
        task.read("o" + UNKNOWN * 35, text)


def test_illegal_moves_end_the_game():
    episode = Episode(Address.of("games/ship_search", 1, 1).task(), BARE)
    for _ in range(4):
        assert episode.score is None
        episode.step("r0c0")
    assert episode.score.value == 0
    assert episode.score.status == "malformed"


def test_a_lost_game_pays_the_credit_back():
    task = Address.of("games/ship_search", 5, 3).task()
    assert isinstance(task, ShipSearch)
    episode = Episode(task, BARE)
    for move in [*task.solve()][:-1]:
        episode.step(move)
    assert sum(episode.rewards) > 0
    water = set(range(task.size**2)) - {n for ship in task.ships for n in ship}
    names = {f"r{n // task.size + 1}c{n % task.size + 1}" for n in water}
    while episode.score is None:
        episode.step(next(move for move in episode.turn.legal_moves if move in names))
    assert sum(episode.rewards) == pytest.approx(0) == episode.score.value
    assert "missed" in episode.score.reason


def test_fleets_fit_on_the_smallest_boards():
    for ships, fleet in FLEETS.items():
        size = max(5, ships + 1)
        assert is_fleet(
            [divmod(cell, size) for ship in laid(Random(1), size, fleet) for cell in ship], fleet
        )
