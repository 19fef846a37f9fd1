"""Switching lamps, against brute force, a search and published dimensions of kernels."""

from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.light_switching import LightSwitching
from palaestra.task import InvalidAnswer


def pressed(lamps, at, rules):
    """The lamps, as a dictionary of cells, after a press."""
    row, column = at
    near = [at, (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    if rules.wraps:
        near = [(r % rules.rows, c % rules.columns) for r, c in near]
    after = dict(lamps)
    for cell in near:
        if cell in after:
            after[cell] = (after[cell] + 1) % rules.states
    return after


def cells(rules, state):
    return {divmod(lamp, rules.columns): value for lamp, value in enumerate(state)}


@pytest.mark.parametrize("seed", range(20))
def test_random_presses_lead_where_they_should(seed):
    rng = Random(seed)
    rows, columns, states = rng.randint(3, 7), rng.randint(3, 7), rng.choice((2, 3))
    rules = LightSwitching(rows, columns, states, seed % 2 == 1)
    state = tuple(rng.randrange(states) for _ in range(rows * columns))
    for _ in range(20):
        move = rng.choice(rules.legal(state))
        after = pressed(cells(rules, state), divmod(move, columns), rules)
        state = rules.apply(state, rules.read(state, rules.name(state, move)))
        assert cells(rules, state) == after


def all_fewest(rules):
    """The fewest presses for every state that presses lead to, by trying all of them in order."""
    dark = (0,) * (rules.rows * rules.columns)
    fewest, wave = {dark: 0}, [dark]
    undo = {}
    for move in rules.legal(dark):
        undo[move] = dark
        for _ in range(rules.states - 1):
            undo[move] = rules.apply(undo[move], move)
    while wave:
        grown = []
        for state in wave:
            for effect in undo.values():
                before = tuple((a + b) % rules.states for a, b in zip(state, effect))
                if before not in fewest:
                    fewest[before] = fewest[state] + 1
                    grown.append(before)
        wave = grown
    return fewest


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize(("rows", "columns", "states"), [(3, 3, 2), (3, 4, 2), (3, 3, 3)])
def test_presses_are_the_fewest(rows, columns, states, wraps):
    rules = LightSwitching(rows, columns, states, wraps)
    fewest = all_fewest(rules)
    assert len(fewest) == states ** (rows * columns - rules.defect)
    everything = product(range(states), repeat=rows * columns)
    for state in Random(1).sample([*everything], 400):
        assert rules.distance(state) == fewest.get(state, float("inf"))


def test_kernels_have_their_published_dimensions():
    """On squares of side 1 to 7, the kernel has dimension 0, 0, 0, 4, 2, 0, 0 (OEIS A159257), and
    on tori 0, 0, 4, 0, 8, 8, 0 (OEIS A165738).
    """
    squares = [LightSwitching(n, n, 2, False).defect for n in range(3, 8)]
    tori = [LightSwitching(n, n, 2, True).defect for n in range(3, 8)]
    assert (squares, tori) == ([0, 4, 2, 0, 0], [4, 0, 8, 8, 0])


@pytest.mark.parametrize(("size", "states"), [((5, 5), 2), ((3, 4), 3), ((4, 4), 3)])
def test_kernels_change_nothing(size, states):
    rules = LightSwitching(*size, states, True)
    kernel = {each.to_bytes(size[0] * size[1], "little") for each in rules.solver.kernel}
    assert len(kernel) == states**rules.defect
    for vector in Random(2).sample(sorted(kernel), 8):
        lamps = cells(rules, (0,) * len(vector))
        for lamp, times in enumerate(vector):
            for _ in range(times):
                lamps = pressed(lamps, divmod(lamp, rules.columns), rules)
        assert not any(lamps.values())


@pytest.mark.parametrize("level", range(7))
def test_the_plan_wins_with_the_moves_of_the_level(level):
    for seed in range(5):
        task = Address.of("games/light_switching", seed, level).task()
        knobs = type(task).Knobs.at(level)
        lamps = cells(task.rules(), task.start())
        plan = [*task.solve()]
        assert task.moves == len(plan) + knobs.spare == knobs.presses + knobs.spare
        for name in plan:
            row, column = name[1:].split("c")
            lamps = pressed(lamps, (int(row) - 1, int(column) - 1), task.rules())
        assert not any(lamps.values())


def test_a_wrong_press_costs_moves_and_pays_the_credit_back():
    task = Address.of("games/light_switching", 1, 3).task()
    plan = [*task.solve()]
    episode = Episode(task, BARE)
    other = next(name for name in episode.turn.legal_moves if name not in plan)
    for move in [*plan[:-1], other]:
        episode.step(move)
    assert episode.score.value == 0
    assert max(episode.rewards) > 0
    assert sum(episode.rewards) == pytest.approx(0)


def test_illegal_moves_cost_nothing_but_their_count():
    task = Address.of("games/light_switching", 1, 0).task()
    episode = Episode(task, BARE, ["r9c1", "all", "r0c0", *task.solve()])
    assert episode.score.value == 1
    assert Episode(task, BARE, ["r9c1", "all", "r0c0", ""]).score.status == "malformed"


RULES = LightSwitching(3, 4, 2, False)
DARK = (0,) * 12


@pytest.mark.parametrize(
    "text",
    ["r2c3", "R2 C3", "(2, 3)", "row 2, column 3", "**r2c3**", "2, 3", "Press r2c3.", "push (2, 3)",
     "press the lamp at row 2, column 3"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(DARK, text) == 6


@pytest.mark.parametrize("text", ["", "r4c1", "r1c5", "r1c1 r1c2", "press", "r" * 5000, "3"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(DARK, text)


def test_the_scene_and_the_text_show_the_lamps():
    rules = LightSwitching(3, 3, 3, True)
    state = (0, 1, 2, 2, 1, 0, 0, 0, 1)
    assert rules.show(state) == "   1 2 3\n1  0 1 2\n2  2 1 0\n3  0 0 1"
    shown = [[cell.text or "0" for cell in row] for row in rules.scene(state).cells]
    assert shown == [["0", "1", "2"], ["2", "1", "0"], ["0", "0", "1"]]
    two = LightSwitching(3, 3, 2, False).scene((0, 1) * 4 + (0,))
    assert [cell.tone for row in two.cells for cell in row] == ["shade", "c6"] * 4 + ["shade"]


def test_the_example_of_an_error_is_a_lamp_of_every_panel():
    task = Address.of("games/light_switching", seed=1, level=0).task()
    with pytest.raises(InvalidAnswer, match="such as r2c3"):
        task.rules().read(task.start(), "the lamp in the middle")
