"""The planning environments against plain breadth-first search and hand-worked cases."""

from collections import deque
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.planning.blocksworld import Blocksworld
from palaestra.envs.planning.sokoban import Sokoban
from palaestra.envs.planning.tower_of_hanoi import TowerOfHanoi
from palaestra.generators.planning import blocksworld, sokoban
from palaestra.generators.planning.tower_of_hanoi import legal_moves, shortest_plan
from palaestra.generators.search import a_star
from palaestra.task import Unreadable

SEEDS = st.integers(0, 10**6)


def distances(start, ways):
    """How many moves each state is away, by breadth-first search."""
    away, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in ways(here):
            if there not in away:
                away[there] = away[here] + 1
                queue.append(there)
    return away


def drawn(kind, seed, level):
    return kind.draw(Random(seed), kind.Knobs.at(level))


def test_a_star():
    found = a_star((0, 0), lambda p: [((1, 0), (p[0] + 1, p[1])), ((0, 2), (p[0], p[1] + 2))],
                   lambda p: abs(4 - p[0]) + abs(4 - p[1]) / 2, budget=500)  # fmt: skip
    assert len(found.moves) == 6
    assert a_star(0, lambda n: [("+", n + 1)], lambda n: 1, budget=50) is None
    assert a_star(0, lambda n: [], lambda n: 1) is None


@pytest.mark.parametrize(("disks", "pegs"), [(1, 3), (3, 3), (4, 3), (3, 4)])
def test_hanoi_plans_are_shortest(disks, pegs):
    def ways(state):
        return [after for _, after in legal_moves(state, pegs)]

    for start in product(range(pegs), repeat=disks):
        for goal, away in distances(start, ways).items():
            plan = shortest_plan(start, goal, pegs)
            assert len(plan) == away
            state = start
            for move in plan:
                state = dict(legal_moves(state, pegs))[move]
            assert state == goal


def test_hanoi_moves_the_largest_disk_twice():
    """The two small disks swap pegs with the large one, which makes way rather than wait."""
    plan = shortest_plan((1, 1, 0), (0, 0, 1), 3)
    assert len(plan) == 5
    assert (plan[0], plan[-1]) == ((0, 2), (2, 1))


HANOI = TowerOfHanoi(start=(0, 0), goal=(2, 2), pegs=3, limit=3)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A -> B\nA -> C\nB -> C", 1, ""),
        ("1. a->b\n2. a->c\n3. b->c", 1, ""),
        ("A B\nA C\nB C", 1, ""),
        ("A -> B\nA -> B", 0, "move 2 puts disk 2 on the smaller disk 1"),
        ("B -> C", 0, "move 1 takes a disk from B, which is empty"),
        ("A -> C", 0, "at the end, disk 2 is not on C"),
        ("A -> B\nB -> A\nA -> B\nA -> C\nB -> C", 0, "5 moves are more than 3"),
    ],
)
def test_hanoi_scores(answer, value, reason):
    score = HANOI.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert HANOI.audit(answer) == (value == 1)


@pytest.mark.parametrize("answer", ["A", "A -> D", "A -> B -> C", "A -> B, A -> C", "move A"])
def test_hanoi_unreadable(answer):
    with pytest.raises(Unreadable):
        HANOI.verify(answer)


def test_hanoi_bands():
    for apart, low, high in (("near", 4, 7), ("midway", 8, 15), ("far", 16, 31)):
        knobs = TowerOfHanoi.Knobs.at(0, apart=apart)
        limits = {TowerOfHanoi.draw(Random(seed), knobs).limit for seed in range(60)}
        assert low <= min(limits) < max(limits) <= high


def block_ways(state):
    tops = [stack[-1] for stack in state]
    moves = [(b, onto) for b in tops for onto in [*tops, blocksworld.TABLE] if b != onto]
    return [blocksworld.moved(state, move) for move in moves]


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(2, 5), st.integers(1, 3))
def test_blocks_plans_are_shortest(seed, number, towers):
    rng = Random(seed)
    start, *goals = (blocksworld.stacked(rng, number, towers) for _ in range(6))
    away = distances(start, block_ways)
    for goal in goals:
        plan = blocksworld.shortest_plan(start, goal).moves
        assert len(plan) == away[goal]
        assert blocksworld.moves_left(start, blocksworld.below(goal)) <= away[goal]
        for tidy in (False, True):
            state = start
            for move in blocksworld.heedless_plan(start, goal, tidy):
                state = blocksworld.moved(state, move)
            assert state == goal


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 5))
def test_blocksworld_needs_a_plan(seed, level):
    task = drawn(Blocksworld, seed, level)
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())
    for lazy in task.lazy():
        assert "moves are more than" in task.verify(lazy).reason
    lines = task.answer().splitlines()
    assert task.verify("\n".join(lines[:-1])).value == 0


TOWER = Blocksworld(
    names=tuple("ABC"), start=((0, 1), (2,)), goal=((1,), (2, 0)), trap=False, form="stacks"
)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("move B to table\nmove A onto C", 1, ""),
        ("1. Move b to the table\n2. Move a on c", 1, ""),
        ("move A onto C", 0, "in move 1, A has a block on it"),
        ("move C onto A", 0, "in move 1, A has a block on it"),
        ("move B onto B", 0, "move 1 puts B onto itself"),
        ("move B to table", 0, "at the end, A is on the table"),
        ("move B onto C\nmove B to table\nmove A onto C", 0, "3 moves are more than 2"),
    ],
)
def test_blocksworld_scores(answer, value, reason):
    score = TOWER.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert TOWER.audit(answer) == (value == 1)


@pytest.mark.parametrize(
    "answer", ["move", "move A", "move A B", "move D to table", "move A onto D", "move table to A"]
)
def test_blocksworld_unreadable(answer):
    with pytest.raises(Unreadable):
        TOWER.verify(answer)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 4))
def test_sokoban_is_solved_by_its_keeper(seed, level):
    task = drawn(Sokoban, seed, level)
    answer = task.answer()
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    assert task.verify(answer[:-1]).value == 0
    assert not any(task.verify(lazy).value for lazy in task.lazy())
    signs = "".join(task.rows)
    goals, boxes = (sum(signs.count(s) for s in kind) for kind in (".*+", "$*"))
    assert goals == boxes
    assert signs.count("@") + signs.count("+") == 1


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.text("UDLR", min_size=1, max_size=60))
def test_sokoban_judges_agree(seed, letters):
    task = drawn(Sokoban, seed % 50, seed % 3)
    assert task.audit(letters) == (task.verify(letters).value == 1)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_pulls_undo_pushes(seed):
    """A state pulls back to all that push to it, and the guess never exceeds the true distance."""
    rng = Random(seed)
    floor = sokoban.room(rng, 6, 6, 0.2)
    goals = sum(1 << cell for cell in rng.sample(list(sokoban.cells(floor)), 2))
    house = sokoban.Warehouse(6, floor, goals)
    free = list(sokoban.cells(floor & ~goals))
    solved = goals, house.reach(rng.choice(free), goals)
    away = distances(solved, house.pulls)
    for state, pushes in list(away.items())[:300]:
        assert house.distance(state[0]) <= pushes
        after = [there for _, there in house.pushes(state)]
        if pushes:
            assert any(away.get(there) == pushes - 1 for there in after)
        for there in after:
            assert state in list(house.pulls(there))


BOARD = Sokoban(rows=("######", "#@$-.#", "#-$--#", "#-.--#", "######"), limit=20)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("RRLLL", 0, "step 5 runs into a wall"),
        ("RRLDD", 0, "step 5 pushes a box that has no room to move"),
        ("u", 0, "step 1 runs into a wall"),
        ("RRR", 0, "step 3 pushes a box that has no room to move"),
        ("RR", 0, "at the end, 1 of the boxes are not on goals"),
        ("R R\nL, D", 1, ""),
        ("LR" * 11, 0, "22 steps are more than 20"),
    ],
)
def test_sokoban_scores(answer, value, reason):
    score = BOARD.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert BOARD.audit(answer) == (value == 1)


@pytest.mark.parametrize("answer", ["", "north", "U1", "2U", "^v", "UX"])
def test_sokoban_unreadable(answer):
    with pytest.raises(Unreadable):
        BOARD.verify(answer)
