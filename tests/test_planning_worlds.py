"""Plans in worlds of their own: against plain searches, hand-worked cases and known facts."""

from collections import Counter
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.planning.ball_sort import BallSort
from palaestra.envs.planning.box_net import BoxNet
from palaestra.envs.planning.car_painting import CarPainting, best_order, changes, greedy_order
from palaestra.envs.planning.nullify import Nullify
from palaestra.envs.planning.quantum_lock import QuantumLock
from palaestra.envs.planning.river_crossing import RiverCrossing
from palaestra.envs.planning.robot_programming import RobotProgramming
from palaestra.envs.planning.stack_permutation import StackPermutation
from palaestra.envs.planning.truck_logistics import TruckLogistics
from palaestra.generators.planning import river_crossing, stack_permutation
from palaestra.generators.planning.robot_programming import MOST, parsed, path_of, shortest
from palaestra.generators.planning.truck_logistics import planned, tour
from palaestra.task import Unreadable

SEEDS = st.integers(0, 10**6)

PLANNED = (BallSort, BoxNet, Nullify, QuantumLock, RiverCrossing, StackPermutation, TruckLogistics)


def drawn(kind, seed, level, **chosen):
    return kind.draw(Random(seed), kind.Knobs.at(level, **chosen))


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(PLANNED))
def test_a_plan_is_needed_in_full(seed, kind):
    """The oracle's plan is right in both opinions, and is not without its last step."""
    task = drawn(kind, seed, seed % 3)
    answer = task.answer()
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    cut = max(answer.rfind("\n"), answer.rfind(", "))
    assert task.verify(answer[:cut]).value == 0


# -------------------------------------------------------------------------------- cars, in a row


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=2, max_size=7), st.integers(1, 3))
def test_cars_are_ordered_best(colours, reach):
    """Against all orders that there are."""
    colours = tuple(colours)
    legal = [
        order
        for order in permutations(range(len(colours)))
        if all(abs(car - place) <= reach for place, car in enumerate(order))
    ]
    fewest = min(changes(colours[car] for car in order) for order in legal)
    assert changes(colours[car] for car in best_order(colours, reach)) == fewest
    assert best_order(colours, reach) in legal
    assert greedy_order(colours, reach) in legal


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.data())
def test_cars_earn_what_they_save(seed, data):
    """Of the changes that a careless painter makes, after a few swaps in the old order."""
    task = drawn(CarPainting, seed, 0)
    order = list(range(1, len(task.colours) + 1))
    for place in data.draw(st.lists(st.integers(0, len(order) - 2), max_size=6)):
        order[place : place + 2] = order[place + 1], order[place]
    found = changes(task.colours[car - 1] for car in order)
    saved = max(0, task.baseline() - found) / (task.baseline() - task.best())
    far = any(abs(car - place) > task.reach for place, car in enumerate(order, 1))
    score = task.verify(", ".join(map(str, order)))
    assert score.value == (0 if far else saved)
    assert ("from its old place" in score.reason) == far


def test_cars_are_all_painted_once():
    task = drawn(CarPainting, 1, 0)
    assert "exactly once" in task.verify("1, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13").reason
    for told in ("1, 2, 3", "red, blue", "0" * 300):
        with pytest.raises(Unreadable):
            task.verify(told)


# ------------------------------------------------------------------------------------- stacks


@pytest.mark.parametrize("output", list(permutations(range(4))))
def test_one_stack_sorts_what_knuth_says(output):
    """Exactly the orders without a later item followed by two earlier ones in rising order."""
    bad = any(c > b > a for c, a, b in combinations(output, 3))
    assert (stack_permutation.solved("beside", 1, 4, output) is None) == bad


def test_stacks_in_a_row():
    assert [stack_permutation.named(step) for step in stack_permutation.steps_of("behind", 2)] == [
        "inA",
        "AB",
        "Bout",
    ]
    assert all(stack_permutation.solved("behind", 2, 3, out) for out in permutations(range(3)))
    assert stack_permutation.solved("beside", 1, 1, (1, 0)) is None, "there is no room to wait"
    into, out = (stack_permutation.END, 0), (0, stack_permutation.END)
    assert stack_permutation.solved("beside", 1, 2, (1, 0)).moves == (into, into, out, out)


def test_no_row_of_steps_is_right_often():
    """Items that go in and out by fair chance leave no order that is more likely than 1 in 2^6."""
    rows = Counter(drawn(StackPermutation, seed, 0).answer() for seed in range(600))
    assert max(rows.values()) < 600 * 0.04
    assert all(len(set(row.split(", ")[:7])) > 1 for row in rows), "all in, then all out"


def test_stacks_are_told_in_english():
    told = [drawn(StackPermutation, 1, 1, stacks=n).prompt() for n in (1, 2, 3)]
    assert "is a stack, A, empty at first, of at most 4 items." in told[0]
    assert "are 2 stacks, A and B, empty at first, of at most 4 items each." in told[1]
    assert "are 3 stacks, A, B and C, empty" in told[2]


# -------------------------------------------------------------------------------------- locks


@pytest.mark.parametrize("level", [0, 3])
def test_no_single_button_opens_a_lock(level):
    """Such a row is the example in the question."""
    for seed in range(150):
        task = drawn(QuantumLock, seed, level)
        assert all(task.verify(row).value == 0 for row in task.lazy())


def test_the_chance_to_open_a_lock():
    """Against all rows of buttons."""
    for seed in range(10):
        task = drawn(QuantumLock, seed, 1)
        rows = list(product("ABCD", repeat=task.presses))
        right = sum(task.verify(", ".join(row)).value for row in rows)
        assert task.chance() == right / len(rows)


# ------------------------------------------------------------------------------------- rivers

FARMER = RiverCrossing(
    names=("farmer", "wolf", "goat", "cabbage"), weights=(6, 3, 3, 3), rowers=1,
    clashes=((1, 2), (2, 3)), capacity=9, least=7,
)  # fmt: skip
KNOWN = "farmer, goat\nfarmer\nfarmer and wolf\nfarmer goat\nFarmer, cabbage\nfarmer\n"


def test_farmer_wolf_goat_cabbage():
    assert len(FARMER.answer().splitlines()) == 7
    for told in (KNOWN + "farmer, goat", KNOWN + "The farmer and the goat"):
        assert FARMER.verify(told).value == 1
        assert FARMER.audit(told)
    assert "the farmer keeps the peace" in FARMER.prompt()
    for told in ("", "ferryman", "farmer, farmer"):
        with pytest.raises(Unreadable):
            FARMER.verify(told or "nobody")


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("farmer, wolf", "in crossing 1, goat and cabbage are left together"),
        ("goat", "in crossing 1, nobody in the boat can row"),
        ("farmer, wolf, goat, cabbage", "in crossing 1, the boat is too heavy"),
        ("farmer, goat\nwolf", "in crossing 2, someone is in the boat who is not on its bank"),
        (KNOWN, "somebody is still on the left bank in the end"),
        (KNOWN + "farmer, goat\nfarmer\nfarmer", "9 crossings are more than 7"),
    ],
)
def test_crossings_that_fail(told, reason):
    assert FARMER.verify(told).reason == reason
    assert not FARMER.audit(told)


def test_a_boat_may_be_full():
    """All who are light enough can cross at once, however many they are."""
    light = river_crossing.Ferry(
        weights=(6, 1, 1, 1, 1, 1, 1), rowers=1, clashes=((1, 2),), capacity=12
    )
    assert river_crossing.shortest(light) == (0b1111111,)


# ------------------------------------------------------------------------------------- robots


@pytest.mark.parametrize(
    ("program", "commands", "symbols"),
    [("F", "F", 1), ("repeat 3 [F L]", "FLFLFL", 3), ("FFRF", "FFRF", 4), ("", "", 0),
     ("Repeat 2[F repeat 2[L]] R", "FLLFLLR", 5)],
)  # fmt: skip
def test_programs(program, commands, symbols):
    assert parsed(program) == (commands, symbols)


@pytest.mark.parametrize(
    "program",
    ["go", "repeat 3 F", "repeat 3 [F", "F ]", "repeat 1 [F]", "repeat 100 [F]", "repeat -2 [F]",
     "repeat", "repeat 2", "repeat [F]", "repeat 99 [" * 30 + "F" + "]" * 30,
     "repeat 99 [repeat 99 [F]]", "repeat x [F]", "F" * 500, "repeat 2 [" * 2000],
)  # fmt: skip
def test_no_programs(program):
    with pytest.raises(Unreadable):
        parsed(program)


@settings(max_examples=40, deadline=None)
@given(st.text("FL", min_size=1, max_size=9))
def test_shortest_programs(commands):
    """Programs come to what they should, in no more symbols than commands."""
    cost, program = shortest(commands)
    assert parsed(program) == (commands, cost)
    assert cost <= len(commands)
    assert shortest(commands * 3)[0] <= cost + 1
    assert len(path_of(commands, (0, 0), 0)) == commands.count("F") + 1
    turned = [shortest(commands + turn) for turn in ("", "L", "R")]
    assert shortest(commands, ("", "L", "R")) == min(turned)


@settings(max_examples=30, deadline=None)
@given(st.text("FL", min_size=1, max_size=8))
def test_no_program_is_shorter(commands):
    """Against all ways to part a row of commands, or to repeat any period."""

    def fewest(row):
        parts = [fewest(row[:cut]) + fewest(row[cut:]) for cut in range(1, len(row))]
        loops = [
            fewest(row[:period]) + 1
            for period in range(1, len(row))
            if row[:period] * (len(row) // period) == row
        ]
        return min([*parts, *loops], default=1)

    assert shortest(commands)[0] == fewest(commands)


def test_every_reason_to_refuse_a_program_is_told():
    """Also that it may not turn on the spot all day."""
    task = drawn(RobotProgramming, 3, 2)
    assert f"at most {MOST} commands" in task.prompt()
    with pytest.raises(Unreadable, match=f"more than {MOST} commands"):
        task.verify("repeat 99 [repeat 99 [L]]")


# ------------------------------------------------------------------------------------ parcels


def test_tours_keep_the_order():
    rng = Random(3)
    for _ in range(200):
        pairs = [tuple(rng.sample(range(5), 2)) for _ in range(rng.randint(1, 6))]
        route = [start := rng.randrange(5), *tour(pairs, start)]
        for a, b in pairs:
            assert a in route
            assert b in route[route.index(a) :]


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 5))
def test_parcels_are_handled_as_often_as_they_must(seed, level):
    """Each is loaded by its first truck, the plane and its last truck, if it needs them."""
    task = drawn(TruckLogistics, seed, level)
    needed = sum(1 if a[0] == b[0] else (a[1] != 0) + 1 + (b[1] != 0) for a, b in task.parcels)
    for at_once in (True, False):
        verbs = Counter(action[0] for action in planned(task.world(), at_once))
        assert verbs["load"] == verbs["unload"] == needed
    assert task.verify(next(iter(task.lazy()))).value == 0


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("unload p1", "in action 1, p1 is in no vehicle"),
        ("load p1 plane", "in action 1, p1 is not where the plane is"),
        ("fly plane A1", "in action 1, the plane flies to a place that is no airport"),
        ("drive truckA B1", "in action 1, a truck would leave its city"),
        ("drive truckA A1", "in the end parcel"),
    ],
)
def test_parcels_that_are_mislaid(told, reason):
    task = TruckLogistics(
        places=3, start=(0, 0), plane=0, parcels=(((0, 1), (0, 2)), ((1, 1), (0, 0))), spare=0
    )
    assert task.verify(told).reason.startswith(reason)
    assert not task.audit(told)


@pytest.mark.parametrize(
    "told",
    ["wait", "load p1", "load p99 truckA", "drive plane A0", "fly truckA A0", "drive truckZ A0"],
)
def test_no_actions(told):
    with pytest.raises(Unreadable):
        drawn(TruckLogistics, 1, 1).verify(told)


# --------------------------------------------------------------------------------- arms, merges

ARMS = BoxNet(
    rows=1, columns=3, boxes=(((0, 0), (0, 2)), ((0, 0), (0, 1))), idle=((0, 2),), spare=0
)


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A right\nA right, B right", 1, ""),
        ("a RIGHT\n1. B right, A right", 1, ""),
        ("A right, B right\nA right", 0, "in step 1, the arm of r1c1 moves two boxes"),
        ("A up", 0, "in step 1, box A leaves the grid"),
        ("A right\nA right\nA left", 0, "3 steps are more than 2"),
        ("A right", 0, "box A is not where it has to be in the end"),
        ("B right\nA right\nA right", 0, "3 steps are more than 2"),
    ],
)
def test_arms(answer, value, reason):
    score = ARMS.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert ARMS.audit(answer) == (value == 1)


def test_a_broken_arm_moves_nothing():
    stuck = ARMS.model_copy(update={"spare": 1})
    assert stuck.verify("A right\nA right\nA left").reason == "in step 3, the arm of r1c3 is broken"


@pytest.mark.parametrize("answer", ["AB right\nA right, B right", "C right", "A right,", "A"])
def test_boxes_are_called_by_their_names(answer):
    """Letters that follow one another in the alphabet are no name of a box."""
    with pytest.raises(Unreadable):
        ARMS.verify(answer)


MERGES = Nullify(blocks=(("+", 6), ("+", -2), ("/", 3)))


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("C -> A\nB -> A", 1, ""),
        ("C -> A\nA -> B", 1, ""),
        ("C -> B\nA -> B", 0, "in merge 1, -2 cannot be divided by 3 without remainder"),
        ("A -> C", 0, "in merge 1, block C holds an operation"),
        ("C -> A", 0, "2 blocks are left"),
        ("B -> A\nB -> A", 0, "in merge 2, there are no two such blocks"),
        ("A -> A", 0, "in merge 1, there are no two such blocks"),
    ],
)
def test_merges(answer, value, reason):
    score = MERGES.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert MERGES.audit(answer) == (value == 1)


# -------------------------------------------------------------------------------------- balls


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("A -> C\nB -> A\nB -> C", 1, ""),
        ("b to c\n2. A -> B\n3) A -> C", 1, ""),
        ("A -> B", 0, "in move 1, tube B is full"),
        ("C -> A", 0, "in move 1, tube C is empty"),
        ("A -> C\nA -> C", 0, "in move 2, the top ball of tube C has another colour"),
        ("A -> A", 0, "in move 1, the ball stays where it is"),
        ("A -> C\nB -> A", 0, "the balls are not sorted in the end"),
    ],
)
def test_balls(answer, value, reason):
    """Blue on red, and red on blue."""
    task = BallSort(tubes=((0, 1), (1, 0), (), ()), height=2, spare=0)
    score = task.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert task.audit(answer) == (value == 1)
