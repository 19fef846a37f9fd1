"""Backgammon: legal plays against another implementation, chances against plain iteration, and the
readers of plays.
"""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.generators.matches.backgammon import (
    STANDARD,
    Backgammon,
    State,
    has_contact,
    options,
    rolls,
    shots_at,
    table,
)
from palaestra.generators.matches.dice_match import WinChances
from palaestra.task import InvalidAnswer, NoValidTask


def boards_after(board, dice, points, home):
    """All results of a roll on a board of numbers of own checkers by point, with those of the
    other player negative; the last entry counts own checkers on the bar, and "hit" the others.

    Plays are tried out with boards as lists, in the order of the dice.
    """
    reached = {}

    def walk(cells, left, used, largest):
        reached.setdefault(tuple(cells), set()).add((used, largest))
        for position, die in enumerate(left):
            for start in range(1, points + 2):
                if cells[start] <= 0 or (cells[points + 1] and start != points + 1):
                    continue
                end = start - die
                after = [*cells]
                after[start] -= 1
                if end <= 0:
                    behind = sum(n for n in cells[start + 1 :] if n > 0)
                    if any(n > 0 for n in cells[home + 1 :]) or (end < 0 and behind):
                        continue
                elif cells[end] < -1:
                    continue
                elif cells[end] == -1:
                    after[end], after[0] = 1, cells[0] - 1
                else:
                    after[end] += 1
                rest = left[:position] + left[position + 1 :]
                walk(after, rest, used + 1, max(largest, die))

    walk(board, tuple(dice) * (2 if dice[0] == dice[1] else 1), 0, 0)
    ranks = {rank for each in reached.values() for rank in each}
    # Of different dice, the highest that can be played alone only counts if a second one cannot.
    best = max(ranks)
    if best[0] == 0:
        return set()
    return {
        cells
        for cells, each in reached.items()
        if any(used == best[0] and (used > 1 or largest == best[1]) for used, largest in each)
    }


def as_board(mine, theirs, points):
    cells = [0] * (points + 2)
    for point in mine:
        cells[point] += 1
    for point in theirs:
        cells[0 if point == points + 1 else points + 1 - point] -= 1
    return cells


def results(rules, mine, theirs, dice):
    state = State(mine, theirs, 0, dice)
    after = [rules.apply(state, move) for move in rules.legal(state)]
    assert len({*after}) == len(after)
    return {tuple(as_board(each.first, each.second, rules.points)) for each in after}


def sides(draw, rules):
    points = st.integers(1, rules.points + 1)
    mine, theirs = (
        tuple(sorted(draw(st.lists(points, min_size=1, max_size=rules.checkers)), reverse=True))
        for _ in range(2)
    )
    taken = {rules.points + 1 - point for point in theirs} - {0}
    return tuple(point for point in mine if point not in taken) or (rules.points + 1,), theirs


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_plays_are_those_of_another_implementation(data):
    rules = data.draw(st.sampled_from([Backgammon(8, 4, 4), Backgammon(24, 6, 15)]))
    mine, theirs = sides(data.draw, rules)
    dice, _ = data.draw(st.sampled_from(rolls(6)))
    expected = boards_after(as_board(mine, theirs, rules.points), dice, rules.points, rules.home)
    assert results(rules, mine, theirs, dice) == expected


def test_opening_plays_are_those_of_another_implementation():
    rules = Backgammon()
    numbers = []
    for dice, _ in rolls(6):
        expected = boards_after(as_board(STANDARD, STANDARD, 24), dice, 24, 6)
        assert results(rules, STANDARD, STANDARD, dice) == expected
        numbers.append(len(expected))
    assert numbers == [
        42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11,
    ]  # fmt: skip


def test_the_standard_start():
    rules = Backgammon()
    assert sum(STANDARD) == 167
    assert len(STANDARD) == 15
    assert rules.start() == State(STANDARD, STANDARD, 0, ())
    assert sum(chance for _, chance in rolls(6)) == pytest.approx(1)
    assert len(rolls(6)) == 21


@pytest.mark.parametrize(
    ("mine", "successes"),
    [((6,), 27), ((5,), 31), ((4,), 34), ((3,), 36), ((5, 1), 23), ((2, 2), 26), ((3, 2), 25),
     ((6, 6), 4), ((4, 4), 11), ((5, 5), 6), ((6, 1), 15), ((3, 3), 17), ((1, 1), 36),
     ((5, 2), 19), ((2, 1), 36), ((4, 1), 29), ((3, 1), 34), ((6, 5), 6), ((6, 2), 13)],
)  # fmt: skip
def test_bearing_off_in_one_roll(mine, successes):
    """The well-known table of rolls of 36 that bear off one or two checkers."""
    rules = Backgammon()
    off = [
        chance
        for dice, chance in rolls(6)
        if any(not after for after, _ in options(rules, mine, (1, 1, 1), dice))
    ]
    assert round(36 * sum(off), 9) == successes


@pytest.mark.parametrize(
    ("distance", "shots"),
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3),
     (11, 2), (12, 3), (15, 1), (16, 1), (18, 1), (20, 1), (13, 0), (24, 1)],
)  # fmt: skip
def test_shots_at_a_blot_are_those_of_the_books(distance, shots):
    """The well-known table of rolls of 36 that hit a blot at a distance without blocks."""
    rules = Backgammon(points=30)
    assert round(36 * shots_at(rules, (25,), (6 + distance,)), 9) == shots


def test_the_higher_die_has_to_be_played_where_only_one_can_be():
    rules = Backgammon(8, 2, 4)
    # From 8, the 4 leads to 4 and the 1 to 7, and point 3 is blocked for the second step.
    state = State((8,), (6, 6), 0, (4, 1))
    assert [rules.name(state, move) for move in rules.legal(state)] == ["8/4"]
    # If the higher one is blocked, the lower one is played.
    state = State((8,), (6, 6, 5, 5), 0, (4, 1))
    assert [rules.name(state, move) for move in rules.legal(state)] == ["8/7"]


def test_both_dice_have_to_be_played_where_they_can_be():
    rules = Backgammon(8, 4, 2)
    # 4/off with the 4 would leave no 2 to play; but the 2 first leaves a 4 that bears off.
    state = State((4,), (1,), 0, (4, 2))
    assert {rules.name(state, move) for move in rules.legal(state)} == {"4/2 2/off"}


def test_checkers_on_the_bar_come_first():
    rules = Backgammon(8, 4, 3)
    state = State((9, 9, 3), (1,), 0, (3, 2))
    assert [rules.name(state, move) for move in rules.legal(state)] == ["bar/7 bar/6"]
    state = State((9, 3), (3, 3), 0, (3, 2))  # point 6 of X is blocked
    assert {rules.name(state, move) for move in rules.legal(state)} == {"bar/7 7/4"}


def test_a_player_who_cannot_enter_loses_the_turn():
    rules = Backgammon(8, 4, 3, 3)
    state = State((9,), (2, 2, 1), 0, ())
    assert rules.apply(state, (2, 2)) == state._replace(turn=1)
    assert rules.news(state, (2, 2)) == "X rolls 2-2. X cannot move."
    assert rules.news(state, (3, 3)) == "X rolls 3-3."
    assert rules.apply(state, (3, 3)).dice == (3, 3)


def test_a_hit_sends_a_checker_to_the_bar():
    rules = Backgammon(8, 4, 2)
    state = State((8, 5), (6, 1), 1, (4, 1))  # O's 6 is X's 3, X's 5 is O's 4
    move = rules.read(state, "6/5 5/1")
    assert rules.apply(state, move) == State((9, 5), (1, 1), 0, ())


def test_chances_are_those_of_plain_value_iteration():
    """From below and from above, so that they do not depend on the first values."""
    rules = Backgammon(4, 2, 2, 2)
    chances = table(rules, True)

    def iterated(values, mine, theirs):
        if not theirs:
            return 0.0
        total = 0.0
        for one, other in product((1, 2), repeat=2):
            state = State(mine, theirs, 0, (max(one, other), min(one, other)))
            after = [rules.apply(state, move) for move in rules.legal(state)]
            after = after or [state._replace(turn=1, dice=())]
            total += max(
                1 - values[each.second, each.first] if each.first else 1.0 for each in after
            )
        return total / 4

    for first in (0.0, 1.0):
        values = dict.fromkeys(chances, first)
        for _ in range(120):
            for position in chances:
                values[position] = iterated(values, *position)
        for position, chance in chances.items():
            assert values[position] == pytest.approx(chance, abs=1e-9)


def test_numbers_of_positions_are_bounded():
    rules = Backgammon(8, 4, 2, 4)
    for contact in (False, True):
        assert len(table(rules, contact)) <= rules.most_positions(contact)
    # Two checkers of each player at most, on points up to 1 and 3, 2 and 2, or 3 and 1.
    assert Backgammon(4, 2, 2).most_positions(False) == 2 * 10 + 3 * 6 + 4 * 3 + 5
    assert len(table(Backgammon(4, 2, 2), False)) == 2 * 10 + 3 * 6 + 4 * 3 + 5
    with pytest.raises(NoValidTask, match="30000 positions"):
        Address.of("matches/backgammon", 0, 4, checkers=3).task()


def test_races_have_the_same_chances_in_both_tables():
    rules = Backgammon(6, 3, 2, 3)
    everything, races = table(rules, True), table(rules, False)
    assert 0 < len(races) < len(everything)
    for (mine, theirs), chance in races.items():
        assert not has_contact(rules, mine, theirs)
        assert chance == pytest.approx(everything[mine, theirs], abs=1e-12)


def test_chances_of_both_players_are_mirrored():
    rules = Backgammon(6, 3, 2, 4)
    one = WinChances(rules).expectations(State((6, 2), (3, 3), 0, (3, 1)))
    other = WinChances(rules).expectations(State((3, 3), (6, 2), 1, (3, 1)))
    assert one == pytest.approx(other)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("8/5 6/4", "8/5 6/4"), ("6/4, 8/5", "8/5 6/4"), ("8/5* 6/4", "8/5 6/4"),
        ("**8/5, 6/4**", "8/5 6/4"), ("I play 8/5 and 6/4.", "8/5 6/4"),
        ("My move: 8 to 5, then 6 to 4", "8/5 6/4"), ("8-5 6-4", "8/5 6/4"),
        ("From 8 to 5 and from 6 to 4.", "8/5 6/4"), ("3-2: 8/5 6/4", "8/5 6/4"),
        ("23: 6/4 8/5", "8/5 6/4"), ("X: 8/5 6/4", "8/5 6/4"), ("8\u21925, 6\u21924", "8/5 6/4"),
        ("8 -> 5\n6 -> 4", "8/5 6/4"), ("- 8/5\n- 6/4", "8/5 6/4"), ("1. 8/5\n2. 6/4", "8/5 6/4"),
        ("Move a checker from 8 to 5 and my checker from 6 to 4", "8/5 6/4"),
        ("8/5/3", "8/5 5/3"), ("8/3 ", "8/5 5/3"), ("MOVE: 8/5 5/3", "8/5 5/3"),
        ("6/3 and 6/4", "6/3 6/4"),
        ("Move one checker from 8 to 5 and another from 6 to 4", "8/5 6/4"),
    ],
)  # fmt: skip
def test_natural_plays_are_read(text, name):
    rules = Backgammon(8, 4, 4)
    state = State((8, 8, 6, 6), (8, 7), 0, (3, 2))
    move = rules.read(state, text)
    # Different steps of one checker may have the same result.
    assert rules.apply(state, move) == rules.apply(state, rules.read(state, name))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4/off 3/off", "4/off 3/off"), ("bear off 4 and 3", "4/off 3/off"),
        ("4 off, 3 off", "4/off 3/off"), ("Bear off from the 4 point; 3/0", "4/off 3/off"),
        ("4/OFF 3/OFF", "4/off 3/off"), ("4 to off the board, 3-off", "4/off 3/off"),
    ],
)  # fmt: skip
def test_bearing_off_is_read(text, name):
    rules = Backgammon(8, 4, 4)
    state = State((4, 3, 3), (1,), 0, (4, 3))
    assert rules.name(state, rules.read(state, text)) == name


@pytest.mark.parametrize(
    "text",
    [
        "bar/6 6/4",
        "bar/4",
        "enter on 6, 6/4",
        "Bar to 6, 6 to 4",
        "9/6/4",
        "from the bar to 6, 6/4",
    ],
)
def test_entering_is_read(text):
    rules = Backgammon(8, 4, 4)
    state = State((9, 2), (2, 1), 0, (3, 2))  # points 7 and 8 of X hold a lone checker of O each
    assert rules.name(state, rules.read(state, "bar/6 6/4")) == "bar/6 6/4"
    if text == "bar/4":
        with pytest.raises(InvalidAnswer, match="in between"):  # by 7 it would hit
            rules.read(state, text)
    else:
        assert rules.name(state, rules.read(state, text)) == "bar/6 6/4"


@pytest.mark.parametrize(
    "text",
    [
        "6/5(2) 8/7 (2)",
        "6/5(2), 8/7(2)",
        "8/7 8/7 6/5 6/5",
        "6/5x2 8/7x2",
        "two checkers from 8 to 7 and both checkers from 6 to 5",
    ],
)
def test_equal_steps_are_read(text):
    rules = Backgammon(8, 4, 4)
    state = State((8, 8, 6, 6), (8, 7), 0, (1, 1))
    assert rules.name(state, rules.read(state, text)) == "8/7(2) 6/5(2)"


@pytest.mark.parametrize(
    "text",
    ["", "8/5", "8/5 6/4 6/4", "8/5 or 6/4", "not 8/5 6/4", "don't play 8/5 6/4", "O: 8/5 6/4",
     "O plays 8/5 6/4", "4-1: 8/5 6/4", "8/5 6/4; or 6/3 8/6", "bar/6 8/6", "5 4", "8/5 6/4 off",
     "8/4 6/4", "pass", "8/5(9)", "1/2 " * 80],
)  # fmt: skip
def test_other_plays_are_refused(text):
    rules = Backgammon(8, 4, 4)
    with pytest.raises(InvalidAnswer):
        rules.read(State((8, 8, 6, 6), (8, 7), 0, (3, 2)), text)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_play_is_read_by_its_name_and_in_any_order(data):
    rules = data.draw(st.sampled_from([Backgammon(8, 4, 4), Backgammon(24, 6, 15)]))
    mine, theirs = sides(data.draw, rules)
    dice, _ = data.draw(st.sampled_from(rolls(6)))
    state = State(mine, theirs, 0, dice)
    moves = rules.legal(state)[:20]
    assert len({rules.name(state, move) for move in moves}) == len(moves)
    for move in moves:
        assert rules.read(state, rules.name(state, move)) == move
        for order in [*permutations(move)][:4]:
            text = ", ".join(f"{start} to {end or 'off'}" for start, end in order)
            assert rules.read(state, text) == move


def test_the_scene_shows_checkers_and_dice():
    rules = Backgammon(8, 4, 4)
    board, aside = rules.scene(State((9, 6, 6, 2), (9, 8, 4), 1, (3, 1)), None).scenes
    assert [cell.text for cell in board.cells[0]] == ["", "", "2X", "1O", "", "", "1X", "1O"]
    assert [*board.top] == [(str(n),) for n in range(8, 0, -1)]
    assert [*board.bottom] == [(str(n),) for n in range(1, 9)]
    assert [[card.text for card in row] for row in aside.rows] == [
        ["X 1", "O 1"], ["X 0", "O 1"], ["3", "1"],
    ]  # fmt: skip
    assert aside.labels == ("On the bar", "Borne off", "Dice of O")


def test_the_board_as_text():
    rules = Backgammon(8, 4, 4)
    assert rules.show(State((9, 6, 6, 2), (9, 8, 4), 1, (3, 1))) == (
        "X's points:   8   7   6   5   4   3   2   1\n"
        "Checkers:     .   .  2X  1O   .   .  1X  1O\n"
        "O's points:   1   2   3   4   5   6   7   8\n"
        "On the bar: X 1, O 1\n"
        "Borne off: X 0, O 1\n"
        "Dice of O: 3-1"
    )
