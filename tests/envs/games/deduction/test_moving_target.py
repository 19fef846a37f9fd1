"""A search for a moving target: walks of all targets, shortest searches, known graphs, readers."""

from itertools import combinations
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.games.deduction.moving_target import MovingTarget, State, shortest_search
from palaestra.task import InvalidAnswer


def rules_of(links, rooms, searchers=1):
    near = [0] * rooms
    for one, other in links:
        near[one] |= 1 << other
        near[other] |= 1 << one
    return MovingTarget(tuple(near), searchers)


def path(rooms):
    return [(n, n + 1) for n in range(rooms - 1)]


def length(rules, budget=100_000):
    plan = shortest_search(rules, State((1 << len(rules.near)) - 1), budget)
    return plan and len(plan.moves)


@pytest.mark.parametrize("rooms", range(3, 9))
def test_a_row_of_rooms_takes_two_passes(rooms):
    """Britnell and Wildon (2013): 2 (n - 2) inspections of a path of n rooms."""
    assert length(rules_of(path(rooms), rooms)) == 2 * (rooms - 2)


def test_where_a_single_searcher_fails():
    """Haslegrave (2014): on cycles, and on the tree of three legs of three rooms each."""
    assert length(rules_of([*path(4), (3, 0)], 4)) is None
    legs = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (0, 7), (7, 8), (8, 9)]
    assert length(rules_of(legs, 10)) is None
    assert length(rules_of(legs[:-1], 9))


@pytest.mark.parametrize("seed", range(6))
def test_no_target_escapes(seed):
    """All walks of a target are followed one by one."""
    task = Address.of("games/moving_target", seed, seed % 3).task()
    rooms = range(len(task.near))
    walks = {(room,) for room in rooms}
    letters = "ABCDEFGHJKLMN"
    for move in task.solve():
        looked = {letters.index(letter) for letter in move.split()}
        walks = {walk for walk in walks if walk[-1] not in looked}
        walks = {(walk[-1], room) for walk in walks for room in rooms
                 if task.near[walk[-1]] >> room & 1}  # fmt: skip
    assert not walks


@pytest.mark.parametrize("searchers", [1, 2])
def test_searches_are_shortest(searchers):
    """Against waves of all sets of rooms, with all inspections."""
    rng = Random(searchers)
    lengths = set()
    for _ in range(12):
        rooms = rng.randint(4, 7)
        links = [(rng.randrange(n), n) for n in range(1, rooms)]
        if searchers == 2:
            links += rng.sample([*combinations(range(rooms), 2)], rng.randint(0, 6))
        rules = rules_of(links, rooms, searchers)
        wave, seen, moves = {(1 << rooms) - 1}, set(), 0
        while wave and 0 not in wave:
            seen |= wave
            after = {
                rules.after(each & ~sum(1 << room for room in looked))
                for each in wave
                for looked in combinations(range(rooms), searchers)
            }
            wave, moves = after - seen, moves + 1
        assert length(rules) == (moves if wave else None)
        lengths.add(moves)
    assert len(lengths) > 2


def test_fewer_moves_are_not_enough():
    task = Address.of("games/moving_target", 1, 3).task()
    moves = list(task.solve())
    assert Episode(task, "bare", moves).score.value == 1
    assert Episode(task, "bare", [moves[0], *moves[:-1]]).score.value == 0


RULES = rules_of([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], 4, 2)


@pytest.mark.parametrize(
    "text", ["A C", "a, c", "C and A", "AC", "rooms A and C", "I inspect A and C.", "A+C", "A & C",
             "check room A and room C", "**A C**", "My move: A, C"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(State(15), text) == 0b101


@pytest.mark.parametrize("text", ["", "A", "A A", "A B C", "A E", "A or C", "not A C", "1 3"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(15), text)


def test_the_scene_shows_where_the_target_may_be():
    scene = RULES.scene(State(0b0110))
    assert [node.tone for node in scene.nodes] == ["paper", "c4", "c4", "paper"]
    assert {(edge.start, edge.end) for edge in scene.edges} == {
        (0, 1), (1, 2), (2, 3), (0, 3), (0, 2)
    }  # fmt: skip


PAIRS = rules_of(path(10), 10, searchers=2)


@pytest.mark.parametrize(
    "text", ["B/F", "B-F", "B then F", "- B F", "1. B and F", "Next move: **B F**"]
)
def test_pairs_of_rooms_are_read(text):
    assert PAIRS.read(State((1 << 10) - 1), text) == 0b100010


def test_the_names_of_rooms_in_an_error_are_those_of_the_map():
    with pytest.raises(InvalidAnswer, match=r"named A, B, C, D, E, F, G, H, J, K$"):
        PAIRS.read(State((1 << 10) - 1), "B L")


@pytest.mark.parametrize("level", [2, 3, 4])
def test_looking_two_turns_ahead_is_not_enough(level):
    lost = 0
    for seed in range(6):
        task = Address.of("games/moving_target", seed, level).task()
        player = task.baselines(Random(seed))["fewest rooms after two turns"]
        episode = Episode(task, "bare")
        while episode.score is None:
            episode.step(player(episode.turn))
        lost += episode.score.value == 0
    assert lost >= 5


def test_the_rule_of_two_turns_by_hand():
    """In a row of four rooms, inspecting the second or the third one leaves three rooms, of which
    the next turn leaves two; an end leaves all four.
    """
    row = rules_of(path(4), 4)
    assert sorted(row.two_ahead(State(0b1111))) == [0b0010, 0b0100]
