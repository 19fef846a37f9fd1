"""Curricula: shares, what each prefers, and that a state is all they know."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.trainers.curricula import STRATEGIES, Cell, cells, make
from palaestra.trainers.priors import crossing
from palaestra.trainers.simulated import Learner, course

KNIGHTS, MASTERMIND = "logic/knights_and_knaves", "games/mastermind"
MIXTURE = cells({KNIGHTS: 3.0, MASTERMIND: 1.0}, levels=range(4))


def taught(curriculum, value, batches=40, size=16):
    """Lets a curriculum see a learner that earns what a function says of each level."""
    for _ in range(batches):
        curriculum.update([(a, value(a.level)) for a in curriculum.sample(size)])
    return Counter(a.level for a in curriculum.sample(400))


def test_cells():
    assert cells({KNIGHTS: 2.0}, [1, 3]) == (Cell(KNIGHTS, 1, 2.0), Cell(KNIGHTS, 3, 2.0))
    for wrong in ({KNIGHTS: 0.0}, {KNIGHTS: float("nan")}, {}):
        with pytest.raises(ValueError, match=r"weights|no environment"):
            cells(wrong)
    with pytest.raises(ValueError, match="no environment"):
        cells({KNIGHTS: 1.0}, [99])
    with pytest.raises(ValueError, match="one cell"):
        make("uniform", [])
    with pytest.raises(ValueError, match="a curriculum is uniform"):
        make("no such", MIXTURE)
    with pytest.raises(ValueError, match="uniform has no target"):
        make("uniform", MIXTURE, target=1)


def test_each_environment_may_have_its_own_levels():
    weights = {KNIGHTS: 2.0, MASTERMIND: 1.0}
    assert cells(weights, {KNIGHTS: [3, 1], MASTERMIND: [0]}) == (
        *(Cell(KNIGHTS, 1, 2.0), Cell(KNIGHTS, 3, 2.0)),
        Cell(MASTERMIND, 0, 1.0),
    )
    every = cells({MASTERMIND: 1.0})
    assert cells(weights, {KNIGHTS: [1]}) == (Cell(KNIGHTS, 1, 2.0), *every)
    with pytest.raises(ValueError, match="levels 0 to 6, not 99"):
        cells(weights, {KNIGHTS: [0, 99]})
    with pytest.raises(ValueError, match="'games/chess', which is not"):
        cells(weights, {"games/chess": [0]})
    with pytest.raises(ValueError, match="no environment"):
        cells({KNIGHTS: 1.0}, {KNIGHTS: []})


@pytest.mark.parametrize("name", STRATEGIES)
def test_environments_keep_their_shares(name):
    curriculum = make(name, MIXTURE, seed=1)
    addresses = curriculum.sample(1_000)
    assert 0.68 < Counter(a.env for a in addresses)[KNIGHTS] / 1_000 < 0.82
    assert all(a.split == "train" for a in addresses)
    assert curriculum.sampled == 1_000


def test_tasks_for_evaluation():
    assert {a.split for a in make("uniform", MIXTURE, split="eval").sample(20)} == {"eval"}


@settings(max_examples=20)
@given(
    st.sampled_from(sorted(STRATEGIES)), st.integers(0, 99), st.lists(st.floats(0, 1), min_size=40)
)
def test_a_state_is_all_that_is_known(name, seed, values):
    first = make(name, MIXTURE, seed)
    first.update(zip(first.sample(len(values)), values))
    second = make(name, MIXTURE, seed=seed + 1)
    second.restore(json.loads(json.dumps(first.state())))
    for _ in range(2):
        addresses = first.sample(20)
        assert second.sample(20) == addresses
        for each in (first, second):
            each.update(zip(addresses, values))
    assert first.state() == second.state()


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_state_that_is_kept_does_not_go_on_learning(name):
    curriculum = make(name, MIXTURE, seed=1)
    kept = curriculum.state()
    before = json.dumps(kept)
    for _ in range(5):
        curriculum.update([(address, 0.5) for address in curriculum.sample(8)])
    assert json.dumps(kept) == before
    assert json.dumps(curriculum.state()) != before


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_could_not_be_judged_teaches_nothing(name):
    curriculum = make(name, MIXTURE)
    before = curriculum.state()
    curriculum.update([(Address.of(KNIGHTS, 3), None), ("tools/small_shop", 1.0)])
    assert curriculum.state() == before


def test_uniform_and_fixed():
    assert set(taught(make("uniform", MIXTURE), lambda level: 1.0)) == {0, 1, 2, 3}
    assert set(taught(make("fixed", MIXTURE, level=2), lambda level: 1.0)) == {2}
    assert set(taught(make("fixed", MIXTURE, level=9), lambda level: 1.0)) == {3}


def test_easy_to_hard():
    curriculum = make("easy_to_hard", MIXTURE, steps=2_000)
    first = Counter(a.level for a in curriculum.sample(200))
    curriculum.sample(2_000)
    last = Counter(a.level for a in curriculum.sample(200))
    assert first.most_common(1)[0][0] == 0
    assert last.most_common(1)[0][0] == 3


@pytest.mark.parametrize("name", ["adarft", "frontier", "saturn"])
def test_levels_rise_with_success_and_stay_with_failure(name):
    assert max(taught(make(name, MIXTURE), lambda level: 0.0)) == 0
    assert taught(make(name, MIXTURE), lambda level: 1.0)[3] > 0


@pytest.mark.parametrize("name", ["sec", "thompson", "frontier"])
def test_what_half_succeeds_is_wanted_most(name):
    levels = taught(make(name, MIXTURE), lambda level: (1.0, 0.9, 0.5, 0.0)[level], batches=80)
    assert levels.most_common(1)[0][0] == 2


def test_a_transition_takes_a_full_window_of_the_current_level():
    curriculum = make("saturn", cells({KNIGHTS: 1.0}, range(3)), window=4, threshold=0.75)
    first = curriculum.sample(4)
    assert {address.level for address in first} == {0}
    curriculum.update((address, 1.0) for address in first[:3])
    assert curriculum.sample(1)[0].level == 0
    curriculum.update([(first[3], 0.0)])
    assert {address.level for address in curriculum.sample(8)} == {1}
    curriculum.update([(first[0], 1.0)] * 8)  # under way at the transition: they do not count
    assert {address.level for address in curriculum.sample(8)} == {1}
    again = make("saturn", cells({KNIGHTS: 1.0}, range(3)), window=4, threshold=0.75)
    again.restore(curriculum.state())
    assert again.sample(3) == curriculum.sample(3)
    for _ in range(9):  # the highest level goes on
        curriculum.update([(address, 1.0) for address in curriculum.sample(4)])
    assert {address.level for address in curriculum.sample(8)} == {2}


def test_what_is_mastered_is_left():
    levels = taught(make("pruning", MIXTURE), lambda level: float(level < 2))
    assert levels[0] + levels[1] < 60
    assert levels[2] + levels[3] > 300


def test_what_failed_comes_again():
    curriculum = make("replay", MIXTURE, share=0.5, capacity=8)
    failed = curriculum.sample(20)
    curriculum.update([(a, 0.25) for a in failed])
    again = set(map(str, curriculum.sample(60))) & set(map(str, failed))
    assert 1 < len(again) <= 8
    curriculum.update([(a, 1.0) for a in failed])
    assert not curriculum.failed


def test_learners_learn_from_what_varies():
    learner = Learner(seed=1, rate=0.1)
    hard, easy = Address.of(KNIGHTS, 1, 3), Address.of(KNIGHTS, 1, 0)
    for _ in range(30):
        learner.group(hard)
    stuck = learner.skills[KNIGHTS]
    for _ in range(30):
        learner.group(easy)
    assert learner.skills[KNIGHTS] > stuck + 0.2


def test_adaptive_curricula_waste_less():
    levels = {KNIGHTS: 4, MASTERMIND: 4}
    mixture = cells(dict.fromkeys(levels, 1.0), range(4))
    courses = {name: course(make(name, mixture), levels, 4_000) for name in ("uniform", "adarft")}
    assert courses["adarft"].wasted < courses["uniform"].wasted
    assert courses["adarft"].groups < courses["uniform"].groups


def test_a_mapping_without_names_leaves_all_levels():
    weights = {"games/mastermind": 1.0}
    assert cells(weights, {}) == cells(weights)


# ------------------------------------------------------------------ priors

PRIOR = {KNIGHTS: {0: 0.95, 1: 0.8, 2: 0.2, 3: 0.0}, MASTERMIND: {1: 0.5}}


@pytest.mark.parametrize("name", [name for name, each in STRATEGIES.items() if each.uses_prior])
def test_a_prior_moves_a_curriculum_to_where_success_is_mixed(name):
    """The levels that teach most are those near the level at which success falls below one half."""
    plain, started = (make(name, MIXTURE, seed=3, **prior) for prior in ({}, {"prior": PRIOR}))
    counts = [
        Counter(a.level for a in each.sample(2_000) if a.env == KNIGHTS)
        for each in (plain, started)
    ]
    before, after = ((levels[1] + levels[2]) / levels.total() for levels in counts)
    assert after > before
    again = make(name, MIXTURE, seed=5)
    again.restore(json.loads(json.dumps(started.state())))
    assert again.sample(50) == started.sample(50)


@pytest.mark.parametrize("name", [name for name, each in STRATEGIES.items() if not each.uses_prior])
def test_curricula_that_a_prior_says_nothing_to(name):
    with pytest.raises(ValueError, match=f"{name} does not start from success rates; saturn"):
        make(name, MIXTURE, prior=PRIOR)


def test_what_a_prior_does():
    assert make("saturn", MIXTURE, prior=PRIOR).stage == {KNIGHTS: 2, MASTERMIND: 0}
    assert make("adarft", MIXTURE, prior=PRIOR).difficulty == {KNIGHTS: 1.5, MASTERMIND: 1.0}
    assert make("frontier", MIXTURE, prior=PRIOR).open == {KNIGHTS: 3, MASTERMIND: 1}
    assert make("sec", MIXTURE, prior=PRIOR).values[2:4] == [0.4, 0.0]
    assert make("thompson", MIXTURE, prior=PRIOR).wins[1] == pytest.approx(1 + 16 * 0.8)
    assert make("pruning", MIXTURE, prior=PRIOR).preference(range(4)) == [0.05, 1.0, 1.0, 1.0]


def test_a_level_that_opens_keeps_its_prior():
    prior = {KNIGHTS: {0: 0.5, 1: 0.1}}
    curriculum = make("frontier", MIXTURE, prior=prior)
    assert curriculum.open[KNIGHTS] == 1
    for _ in range(20):
        curriculum.learn(curriculum.index_of[KNIGHTS, 0], 1.0)
    assert curriculum.open[KNIGHTS] == 2
    assert curriculum.rates[curriculum.index_of[KNIGHTS, 1]] == 0.1


def test_a_prior_gives_way_to_results():
    curriculum = make("frontier", MIXTURE, prior={KNIGHTS: {0: 0.9}})
    index = curriculum.index_of[KNIGHTS, 0]
    for _ in range(200):
        curriculum.learn(index, 0.0)
    assert curriculum.rates[index] < 0.01


@pytest.mark.parametrize(
    ("prior", "reason"),
    [
        ({}, "no level of the mixture"),
        ({"games/chess": {0: 0.5}}, "no level of the mixture"),
        ({KNIGHTS: {9: 0.5}}, "no level of the mixture"),
        ({KNIGHTS: {0: 1.5}}, "from 0 to 1, not 1.5"),
        ({KNIGHTS: {0: float("nan")}}, "from 0 to 1, not nan"),
        ("no/such", "no profile of 'no/such'"),
    ],
)
def test_odd_priors(prior, reason):
    with pytest.raises(ValueError, match=reason):
        make("sec", MIXTURE, prior=prior)


@given(
    st.sampled_from([name for name, each in STRATEGIES.items() if each.uses_prior]),
    st.dictionaries(st.integers(0, 3), st.floats(0, 1), min_size=1),
)
def test_any_prior_leaves_a_curriculum_that_samples(name, rates):
    curriculum = make(name, MIXTURE, prior={KNIGHTS: rates})
    for _ in range(3):
        curriculum.update([(a, a.level / 3) for a in curriculum.sample(20)])


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0, 1))
def test_a_crossing_is_within_the_ladder(rates, target):
    assert 0 <= crossing([*enumerate(rates)], target) <= len(rates) - 1
