"""The slippery grid, against value iteration on the text of the prompt."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.generators.games.stochastic.slippery_grid import STILL, SlipperyGrid, State
from palaestra.task import InvalidAnswer

RULES = SlipperyGrid(("..3", "#O.", "..."), 20)


def values(text, slip, moves):
    """The expected points of each cell with so many moves left, for all numbers of moves."""
    rows = [line.split() for line in text.splitlines()]
    cells = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    worth = {
        at: Fraction(int(sign)) if sign.isdigit() else Fraction(0) for at, sign in cells.items()
    }
    fixed = {at for at, sign in cells.items() if sign.isdigit() or sign == "O"}

    def to(at, step):
        new = at[0] + step[0], at[1] + step[1]
        return new if cells.get(new, "#") != "#" else at

    def after(at, step):
        down, right = step
        aside = [(right, down), (-right, -down)]
        return (
            worth[to(at, step)] * (100 - 2 * slip)
            + sum(worth[to(at, side)] for side in aside) * slip
        ) / 100

    steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    choices = {}
    for _ in range(moves):
        choices = {
            at: {name: after(at, step) for name, step in steps.items()}
            for at in cells
            if at not in fixed and cells[at] != "#"
        }
        worth = {at: max(choices[at].values()) if at in choices else worth[at] for at in cells}
    return choices


@pytest.mark.parametrize("seed", range(8))
def test_expectations_are_those_of_value_iteration(seed):
    task = Address.of("games/slippery_grid", seed, seed % 4).task()
    rules = task.rules()
    for start, _ in task.starts():
        grid = rules.show(start).partition("\n\n")[0]
        row = next(n for n, line in enumerate(grid.splitlines()) if "@" in line)
        column = grid.splitlines()[row].split().index("@")
        mine = values(grid.replace("@", "."), task.slip, start.left)[row, column]
        theirs = task.solution(rules, start).expectations(start)
        assert {rules.name(start, move): worth for move, worth in theirs.items()} == pytest.approx(
            {name: float(worth) for name, worth in mine.items()}
        )


def test_slips_walls_edges_and_ends():
    middle = State(0, 3, STILL)
    assert dict(RULES.chances(RULES.apply(middle, 1))) == {1: 0.6, 0: 0.2, 2: 0.2}
    assert RULES.beside(0, 0) == 0
    assert RULES.beside(0, 2) == 0
    assert RULES.beside(0, 1) == 1
    assert RULES.payoff(State(2, 1, STILL)) == 3
    assert not RULES.legal(State(2, 1, STILL))
    assert not RULES.legal(State(4, 1, STILL))
    assert not RULES.legal(State(0, 0, STILL))
    assert "pit" in RULES.end(State(4, 1, STILL))
    assert "get 3 points" in RULES.end(State(2, 1, STILL))


@pytest.mark.parametrize("text", ["left", "L", "Move left.", "I go left", "\u2190", "**left**"])
def test_natural_moves_are_read(text):
    assert RULES.name(State(0, 3, STILL), RULES.read(State(0, 3, STILL), text)) == "left"


@pytest.mark.parametrize("text", ["", "north-west", "left or right", "left left", "up" * 300])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0, 3, STILL), text)


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/slippery_grid").task())
    knobs = task_type.Knobs.at(0, height=9, width=9, moves=20)
    assert knobs.height * knobs.width * (knobs.moves + 1) * 5 < task_type.most_states


def test_the_scene_shows_the_grid():
    scene = RULES.scene(State(0, 3, STILL))
    assert [[cell.text for cell in row] for row in scene.cells] == [
        ["@", "", "3"], ["", "O", ""], ["", "", ""],
    ]  # fmt: skip
    assert [scene.cells[1][n].fill for n in range(3)] == ["dark", "muted", "water"]
