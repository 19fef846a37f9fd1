"""Dots and Boxes: known values, rules written another way, the reader, and the match."""

from functools import cache
from random import Random

import pytest

from palaestra.generators.matches.dots_and_boxes import DotsAndBoxes, State
from palaestra.generators.matches.rules import perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def sides(row, column):
    """The lines around a box, as pairs of dots."""
    a, b, c, d = (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)
    return {(a, b), (c, d), (a, c), (b, d)}


def dots_of(rules, line):
    first, second = rules.name(State(0, 0, 0, 0), line).split("-")
    return tuple(tuple(int(n) - 1 for n in dot[1:].split("c")) for dot in (first, second))


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (3, 4)])
def test_games_go_by_the_rules(rows, columns):
    rules, rng = DotsAndBoxes(rows, columns), Random(rows)
    boxes = {(r, c): sides(r, c) for r in range(rows) for c in range(columns)}
    every = set().union(*boxes.values())
    for _ in range(6):
        state, drawn_lines, owners = rules.start(), set(), {}
        while rules.outcome(state) is None:
            legal = {line: dots_of(rules, line) for line in rules.legal(state)}
            assert {*legal.values()} == every - drawn_lines
            move, player = rng.choice([*legal]), state.turn
            drawn_lines.add(legal[move])
            closed = [b for b in boxes if b not in owners and boxes[b] <= drawn_lines]
            owners |= dict.fromkeys(closed, player)
            state = rules.apply(state, move)
            assert state.turn == (player if closed else 1 - player)
            for p, mask in enumerate((state.first, state.second)):
                assert {divmod(n, columns) for n in range(rows * columns) if mask >> n & 1} == {
                    box for box, owner in owners.items() if owner == p
                }
        count = [[*owners.values()].count(player) for player in (0, 1)]
        over = max(count) * 2 > rows * columns or len(owners) == rows * columns
        assert over
        assert rules.outcome(state) == 1 + (count[0] > count[1]) - (count[0] < count[1])


def test_counts_of_games():
    """Before a box can be complete, a game of n plies is any sequence of n different lines."""
    rules = DotsAndBoxes(2, 2)
    assert [perft(rules, rules.start(), n) for n in (1, 2, 3)] == [12, 12 * 11, 12 * 11 * 10]
    assert DotsAndBoxes(3, 3).lines() == 24


def margin(rows, columns):
    """By how many boxes the first player wins, by the boxes that are still to be completed."""
    boxes = [sides(r, c) for r in range(rows) for c in range(columns)]
    every = sorted(set().union(*boxes))

    @cache
    def best(lines):
        values = []
        for line in every:
            if line not in lines:
                after = lines | {line}
                closed = sum(line in box and box <= after for box in boxes)
                values.append(closed + best(after) if closed else -best(after))
        return max(values, default=0)

    return best(frozenset())


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_small_boards(size):
    rules, lead = DotsAndBoxes(*size), margin(*size)
    assert Solver(rules).value(rules.start()) == 1 + (lead > 0) - (lead < 0)


def test_a_double_deal_is_found():
    """Of two chains of three boxes, X takes one box and gives two up, to get the second chain."""
    rules = DotsAndBoxes(2, 3)
    state = rules.start()
    rows = [f"r{r}c{c}-r{r}c{c + 1}" for r in (1, 2, 3) for c in (1, 2, 3)]
    for text in (*rows, "r1c1-r2c1"):
        state = State(state.lines | 1 << rules.read(state, text), 0, 0, 0)
    solver = Solver(rules)
    assert solver.worth(state, 0) == 2
    takes = rules.apply(state, rules.read(state, "r1c2-r2c2"))
    assert takes.turn == 0
    assert [rules.name(takes, move) for move in solver.best_moves(takes)] == ["r1c4-r2c4"]


LINE = ["r1c2-r2c2", "r2c2-r1c2", "R1C2 to R2C2", "(1, 2), (2, 2)", "r1c2 r2c2",
        "row 1 column 2 - row 2 column 2"]  # fmt: skip


@pytest.mark.parametrize("text", LINE)
def test_moves_are_read(text):
    rules = DotsAndBoxes(2, 2)
    line = rules.read(rules.start(), text)
    assert rules.name(rules.start(), line) == "r1c2-r2c2"
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(State(1 << line, 0, 0, 0), text)
    with pytest.raises(InvalidAnswer):
        rules.read(rules.start(), "r1c1-r2c2")


def test_the_board_as_text():
    rules = DotsAndBoxes(1, 2)
    state = rules.start()
    for text in ("r1c1-r1c2", "r1c1-r2c1", "r2c1-r2c2", "r1c2-r2c2"):
        state = rules.apply(state, rules.read(state, text))
    lines = rules.show(state).split("\n")
    assert lines[:4] == ["   1   2   3", "1  +---+   +", "   | O |", "2  +---+   +"]
