"""Repeated throws of signs: the cycle, an independent solution by plain recursion, readers."""

from itertools import product

import pytest

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.matches.hidden_information import best_response, game_tree
from palaestra.generators.matches.rock_paper_scissors import (
    SIGNS,
    RockPaperScissors,
    State,
    ThrowResponse,
    beats,
)
from palaestra.generators.states import encoded
from palaestra.task import InvalidAnswer

WORTH = ((0, 0, 1), (2, 0, 0), (0, 4, 0))
RULES = RockPaperScissors(WORTH, ((20, 30, 50), (60, 25, 15), (5, 5, 90)), by_outcome=False)


def test_the_usual_cycle():
    known = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}
    pairs = product(range(3), repeat=2)
    assert {(SIGNS[a], SIGNS[b]) for a, b in pairs if beats(a, b, 3)} == known


@pytest.mark.parametrize("number", [3, 5])
def test_each_sign_beats_as_many_as_beat_it(number):
    for one in range(number):
        assert sum(beats(one, other, number) for other in range(number)) == number // 2
        for other in range(number):
            assert (beats(one, other, number) + beats(other, one, number)) == (one != other)


def expected(rules, mine, theirs, left):
    """The points of each sign by plain recursion, for player 0."""
    if not left:
        return {}
    table, worth = rules.table, rules.worth
    row = table[mine]
    if rules.by_outcome:
        ended = "tied" if mine == theirs else "won" if worth[theirs][mine] else "lost"
        row = table[3 * mine + ("won", "tied", "lost").index(ended)]
    means = {}
    for sign in range(len(worth)):
        means[sign] = 0.0
        for other, percent in enumerate(row):
            later = expected(rules, sign, other, left - 1)
            gain = worth[sign][other] - worth[other][sign] + max(later.values(), default=0)
            means[sign] += percent / 100 * gain
    return means


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("level", [0, 3])
def test_expectations_are_those_of_plain_recursion(seed, level):
    task = Address.of("matches/rock_paper_scissors", seed, level).task()
    rules = task.rules()
    for mine, theirs in ((0, 1), (2, 2), (1, 0)):
        pair = (mine, theirs) if task.seat == 0 else (theirs, mine)
        known = task.response().expectations(State(*pair, 3, 7 if task.seat == 0 else -7))
        plain = expected(rules, mine, theirs, 3)
        assert known == pytest.approx({sign: worth + 7 for sign, worth in plain.items()})


@pytest.mark.parametrize("player", [0, 1])
def test_the_response_is_that_of_the_whole_tree(player):
    """States that are told apart by views alone: the tree knows nothing of the search."""

    class Tree(RockPaperScissors):
        beginning = State(0, 2, 2, 0)

    rules = Tree(WORTH, RULES.table, by_outcome=False)
    tree = game_tree(rules)
    strategy = {
        view: [chance for _, chance in sorted(rules.chances_of(state, 1 - player).items())]
        for view in tree.moves
        if tree.owner[view] == 1 - player
        for state in [rules.decode(view.split(" ", 1)[1])]
    }
    known = best_response(tree, strategy, player)
    response = ThrowResponse(rules, player, 1 << 20)
    assert response.value(rules.beginning) == pytest.approx(known.value)


def test_what_is_hidden():
    written = State(0, 1, 2, 0, 2)
    assert RULES.view(written, 1) == RULES.view(written._replace(written=0), 1)
    assert RULES.show(written, 1) == RULES.show(written._replace(written=0), 1)


def test_points_of_both_players_add_up():
    state = RULES.apply(RULES.apply(State(0, 0, 1, 5), 2), 1)
    assert state == State(2, 1, 0, 9)
    assert RULES.outcome(state) == 9
    assert "-9" in RULES.end(state, 1)


def test_the_opponent_follows_its_table():
    task = Address.of("matches/rock_paper_scissors", 3, 4).task()
    counts = {}
    for number in range(200):
        other = task.model_copy(update={"luck": (number, *task.luck[1:])})
        session = other.session()
        if session.mover == task.seat:
            session.move(0)
        reply = SIGNS.index(other.opponent([] if task.seat else [SIGNS[0]]))
        counts[reply] = counts.get(reply, 0) + 1
    state = task.session().state
    for sign, chance in task.rules().chances_of(state, 1 - task.seat).items():
        assert abs(counts.get(sign, 0) / 200 - chance) < 0.15


def test_two_players_are_judged_by_points():
    task = Address.of("matches/rock_paper_scissors", 1, 0).task()
    moves = list(task.solve())
    assert Episode(task, "bare", moves).score.value == 1


@pytest.mark.parametrize(
    "text", ["paper", "Paper!", "I throw paper.", "show paper", "I'll play paper", "**paper**",
             "My move: paper", "I choose paper"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(State(0, 0, 1, 0), text) == 1


@pytest.mark.parametrize("text", ["", "paper or rock", "not paper", "fire", "1", "paper " * 99])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0, 0, 1, 0), text)


def test_the_scene_shows_the_points():
    scene = RULES.scene(State(2, 0, 1, 0), 0)
    assert [[cell.text for cell in row] for row in scene.rows] == [
        ["0", "-2", "+1"], ["+2", "0", "-4"], ["-1", "+4", "0"]
    ]  # fmt: skip
    assert scene.last == ((2, 0),)
    assert RULES.scene(State(2, 0, 1, 0), 1).last == ((0, 2),)


@pytest.mark.parametrize(
    "text",
    ["the paper", "- paper", "1. paper", "Next move: **paper**", "throw the paper", "Me: paper",
     "paper (because it beats rock)"],
)  # fmt: skip
def test_moves_with_something_around_them_are_read(text):
    assert RULES.read(State(0, 0, 1, 0), text) == 1


@pytest.mark.parametrize(
    ("signs", "reason"),
    [(("rock", "rock"), "a draw: equal points in all rounds"),
     (("scissors", "paper"), "won: 4 points more in all rounds"),
     (("paper", "rock"), "won: 2 points more in all rounds"),
     (("rock", "scissors"), "won: 1 point more in all rounds")],
)  # fmt: skip
def test_results_are_in_good_english(signs, reason):
    task = Address.of("matches/rock_paper_scissors", 2, 0).task()
    one_throw = {"worth": WORTH, "positions": (encoded(State(0, 0, 1, 0)),), "luck": (1,)}
    match = task.model_copy(update={**one_throw, "table": RULES.table, "by_outcome": False}).play()
    next(match)
    match.send(signs[0])
    with pytest.raises(StopIteration) as end:
        match.send(signs[1])
    assert end.value.value[0].reason == reason


@pytest.mark.parametrize("seed", [144, 1334])
def test_another_opponent_is_tried_where_no_round_has_a_decision(seed):
    task = Address.of("matches/rock_paper_scissors", seed, level=0).task()
    assert len(task.positions) == len(task.luck) > 0
