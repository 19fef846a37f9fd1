"""Trails: turns against rules that are written another way, an independent solution, readers."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.matches.light_trails import LightTrails, State
from palaestra.task import InvalidAnswer

STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
WAYS = [*STEPS]


def begin(rules, state):
    """A state as cells: both heads, the ways, and all that is not free."""
    cells = [divmod(n, rules.columns) for n in range(rules.rows * rules.columns)]
    taken = rules.walls | state.first_trail | state.second_trail
    free = {cell for n, cell in enumerate(cells) if not taken >> n & 1}
    return cells[state.first], cells[state.second], WAYS[state.first_way], WAYS[
        state.second_way
    ], frozenset(free)  # fmt: skip


def options(at, free):
    ahead = {name: (at[0] + down, at[1] + right) for name, (down, right) in STEPS.items()}
    return {name: cell for name, cell in ahead.items() if cell in free}


def opponent(at, way, free, turns):
    """The chances of the built-in opponent."""
    here = options(at, free)
    order = WAYS.index(way)
    weights = dict(zip((WAYS[order], WAYS[(order + 1) % 4], WAYS[order - 1]), turns, strict=True))
    weights = {name: weight for name, weight in weights.items() if name in here}
    if not weights:
        return {next(iter(here)): 1.0}
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


def value(mine, theirs, way, free, turns):
    """The expectation of a player against the opponent, by plain recursion."""
    if mine == theirs:
        return 0
    here, there = options(mine, free), options(theirs, free)
    if not here or not there:
        return bool(here) - bool(there)
    return max(means(mine, theirs, way, free, turns).values())


def means(mine, theirs, way, free, turns):
    here, there = options(mine, free), options(theirs, free)
    return {
        name: sum(
            chance * value(cell, there[other], other, free - {cell, there[other]}, turns)
            for other, chance in opponent(theirs, way, free, turns).items()
        )
        for name, cell in here.items()
    }


@pytest.mark.parametrize("seed", range(8))
def test_expectations_are_those_of_plain_recursion(seed):
    task = Address.of("matches/light_trails", seed, seed % 3).task()
    rules = task.rules()
    for text in task.positions:
        state = rules.decode(text)
        first, second, first_way, second_way, free = begin(rules, state)
        sides = (first, second, second_way) if task.seat == 0 else (second, first, first_way)
        plain = means(*sides, free, rules.turns)
        known = task.response().expectations(state)
        assert {rules.name(state, move): worth for move, worth in known.items()} == pytest.approx(
            plain
        )


def test_rounds_go_by_the_rules():
    rng = Random(4)
    ends = set()
    for seed in range(60):
        task = Address.of("matches/light_trails", seed, 1).task()
        rules = task.rules()
        state = rules.decode(task.positions[0])
        while (outcome := rules.outcome(state)) is None:
            first, second, _, _, free = begin(rules, state)
            here, there = options(first, free), options(second, free)
            assert {WAYS[move] for move in rules.choices(state, 0)} == set(here)
            assert {WAYS[move] for move in rules.choices(state, 1)} == set(there)
            one, two = rng.choice([*here]), rng.choice([*there])
            state = rules.turned(state, WAYS.index(one), WAYS.index(two))
            assert begin(rules, state)[:2] == (here[one], there[two])
            assert begin(rules, state)[4] == free - {here[one], there[two]}
        first, second, _, _, free = begin(rules, state)
        ends.add(outcome)
        if first == second:
            assert outcome == 0
        else:
            assert outcome == bool(options(first, free)) - bool(options(second, free))
    assert ends == {-1, 0, 1}


RULES = LightTrails(3, 4, 0b10, (60, 30, 10))
START = State(4, 7, 1, 3, 1 << 4, 1 << 7)
"""X is in r2c1, O in r2c4; r1c2 is a wall."""


def test_the_opponent_turns_as_stated():
    """O faces left, so that its right is up."""
    assert RULES.chances_of(START, 1) == pytest.approx({3: 0.6, 0: 0.3, 2: 0.1})
    assert RULES.chances_of(START, 0) == pytest.approx({1: 0.6, 2: 0.3, 0: 0.1})
    blocked = START._replace(first_trail=START.first_trail | 1 << 6)
    assert RULES.chances_of(blocked, 1) == pytest.approx({0: 0.75, 2: 0.25})
    corner = LightTrails(1, 3, 0, (60, 30, 10))
    assert corner.chances_of(State(0, 2, 1, 1, 1, 4), 1) == {3: 1.0}


def test_what_is_hidden():
    written = START._replace(written=1)
    other = START._replace(written=2)
    assert RULES.view(written, 1) == RULES.view(other, 1) == RULES.view(START, 1)
    assert RULES.show(written, 1) == RULES.show(other, 1)
    assert RULES.scene(written, 1) == RULES.scene(other, 1)


@pytest.mark.parametrize("text", ["right", "R", "go right", "I move to the right.", "\u2192"])
def test_natural_moves_are_read(text):
    assert RULES.read(START, text) == 1


@pytest.mark.parametrize("text", ["left", "", "wait", "up or down", "not right", "r2c2"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(START, text)


def test_the_scene_shows_what_the_text_shows():
    state = RULES.turned(START, 1, 0)
    lines = [line.split()[1:] for line in RULES.show(state, 0).splitlines()[1:4]]
    assert lines == [list(".#.O"), list("xX.o"), list("....")]
    shown = [[cell.text for cell in row] for row in RULES.scene(state, 0).cells]
    assert shown == [["", "", "", "O"], ["", "X", "", ""], [""] * 4]
    fills = [[cell.fill for cell in row] for row in RULES.scene(state, 0).cells]
    assert fills == [
        ["paper", "dark", "paper", "t1"], ["t0", "t0", "paper", "t1"], ["paper"] * 4
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["X: right", "- right", "1. right", "Next move: **right**", "right (because it is free)"],
)
def test_moves_with_something_around_them_are_read(text):
    assert START.written is None  # X is to move
    assert RULES.read(START, text) == 1


def test_a_move_in_the_name_of_the_other_player_is_refused():
    with pytest.raises(InvalidAnswer):
        RULES.read(START, "O: right")


def test_the_rule_of_the_nearer_cells():
    """O is far away, so that X, who can step down to two cells or right to the rest, goes right."""
    task = Address.of("matches/light_trails", 1, 1).task()
    task = task.model_copy(update={"rows": 3, "columns": 4, "walls": 0b10, "turns": (60, 30, 10)})
    choose = task.thumbs()["most cells nearer to the own next cell"]
    sizes = {}
    for way, cell in RULES.options(START, 0):
        gone = {4, 7, 1, cell}
        mine, theirs = walk(cell, gone), walk(7, {4, 7, 1})
        sizes[way] = sum(steps < theirs.get(each, 99) for each, steps in mine.items())
    assert choose(START, 0, Random(1)) == max(sizes, key=sizes.get)
    assert len({*sizes.values()}) > 1


def walk(start, gone):
    """The steps to each cell of the board of 3 by 4 that is not gone, without the start."""
    steps, wave = {start: 0}, [start]
    for here in wave:
        row, column = divmod(here, 4)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            each = 4 * r + c
            if 0 <= r < 3 and 0 <= c < 4 and each not in steps and each not in gone:
                steps[each] = steps[here] + 1
                wave.append(each)
    del steps[start]
    return steps
