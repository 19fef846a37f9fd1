"""The Royal Game of Ur: published chances and numbers, a search of its own, and the readers."""

from fractions import Fraction
from math import comb

import pytest

from palaestra.address import Address
from palaestra.generators.matches.dice_match import WinChances
from palaestra.generators.matches.royal_game_of_ur import (
    NO_ROLL,
    RoyalGameOfUr,
    State,
    positions,
    rolls,
    table,
)
from palaestra.task import InvalidAnswer, NoValidTask


def test_the_numbers_of_positions_are_the_published_ones():
    """137 913 936 for the side to move is on the page "How we solved the Royal Game of Ur" of
    RoyalUr.net; 248 and 13 112 for fewer pieces have been published with it.
    """
    assert RoyalGameOfUr().number_of_positions() == 137_913_936
    for pieces, number in ((1, 248), (2, 13_112)):
        rules = RoyalGameOfUr(pieces=pieces)
        assert rules.number_of_positions() == number
        every = positions(rules)
        assert len({*every}) == len(every) == number


def test_chances_at_the_end_are_the_published_ones():
    """Both are worked out in the documentation of the program ROGOUR ("King of Ur")."""
    chances = table(RoyalGameOfUr(pieces=1))
    assert chances[(14,), (14,)] == pytest.approx(4 / 7, abs=1e-12)
    assert chances[(13,), (14,)] == pytest.approx(116 / 161, abs=1e-12)
    assert chances[(14,), (13,)] == pytest.approx(74 / 161, abs=1e-12)


def test_a_game_with_too_many_positions_is_refused():
    with pytest.raises(NoValidTask, match="30000 positions"):
        Address.of("matches/royal_game_of_ur", 0, 3, pieces=3).task()


def test_rolls():
    assert [16 * chance for _, chance in rolls(4)] == [1, 4, 6, 4, 1]


def own_moves(rules, mine, theirs, roll):
    """The positions after all moves, each with whether the same player rolls again, from boards as
    lists of who is on each square.
    """
    entry, shared = rules.entry, rules.shared
    length = entry + shared + rules.last
    results = []
    for piece in sorted({*mine}):
        target = piece + roll
        if target > length + 1 or (target <= length and target in mine):
            continue
        own = [*mine]
        own.remove(piece)
        others = [*theirs]
        if target <= length:
            own.append(target)
            if entry < target <= entry + shared and target in others:
                if target == entry + shared // 2:
                    continue
                others[others.index(target)] = 0
        again = target in (entry, entry + shared // 2, length)
        results.append((tuple(sorted(own)), tuple(sorted(others)), again))
    return results if roll else []


@pytest.mark.parametrize("sizes", [(2, 4, 1, 2, 2), (3, 4, 2, 1, 4)])
def test_chances_are_those_of_plain_value_iteration(sizes):
    """From below and from above, so that they do not depend on the first values."""
    rules = RoyalGameOfUr(*sizes)
    chances = table(rules)
    dice = sizes[-1]

    def iterated(values, mine, theirs):
        total = Fraction(0)
        for roll in range(dice + 1):
            moves = own_moves(rules, mine, theirs, roll)
            best = max(
                (
                    1 if not own else values[own, left] if again else 1 - values[left, own]
                    for own, left, again in moves
                ),
                default=1 - values[theirs, mine],
            )
            total += best * comb(dice, roll)
        return float(total / 2**dice)

    live = [each for each in chances if all(each)]
    for first in (0.0, 1.0):
        values = dict.fromkeys(live, first)
        for _ in range(90):
            for each in live:
                values[each] = iterated(values, *each)
        for each in live:
            assert values[each] == pytest.approx(chances[each], abs=1e-9)


def test_legal_moves_are_those_of_another_implementation():
    rules = RoyalGameOfUr(2, 4, 1, 3, 3)
    for mine, theirs in positions(rules)[::3]:
        for roll in range(1, 4):
            state = State(mine, theirs, 0, roll)
            expected = {
                State(own, left, 0 if again else 1, NO_ROLL)
                for own, left, again in own_moves(rules, mine, theirs, roll)
            }
            if mine and theirs:
                assert {rules.apply(state, move) for move in rules.legal(state)} == expected


def test_chances_of_both_players_are_mirrored():
    rules = RoyalGameOfUr(2, 4, 1, 2, 2)
    one = WinChances(rules).expectations(State((0, 3), (0, 4), 0, 2))
    assert one == pytest.approx(WinChances(rules).expectations(State((0, 4), (0, 3), 1, 2)))


def test_the_safe_rosette_keeps_others_out():
    rules = RoyalGameOfUr()
    state = State((6, 7), (8, 9), 0, 2)
    assert [rules.name(state, move) for move in rules.legal(state)] == ["7-9"]
    assert rules.apply(state, 7) == State((6, 9), (0, 8), 1, NO_ROLL)


def test_own_squares_have_no_captures():
    rules = RoyalGameOfUr()
    assert rules.apply(State((0,), (2,), 0, 2), 0) == State((2,), (2,), 1, NO_ROLL)
    assert rules.apply(State((12,), (13,), 0, 1), 12) == State((13,), (13,), 1, NO_ROLL)


def test_rosettes_give_another_roll():
    rules = RoyalGameOfUr()
    for square in (4, 8, 14):
        assert rules.apply(State((square - 1,), (0,), 0, 1), square - 1).turn == 0
    assert rules.apply(State((0,), (0,), 1, 4), 0) == State((0,), (4,), 1, NO_ROLL)


def test_bearing_off_needs_the_exact_roll():
    rules = RoyalGameOfUr()
    assert rules.legal(State((14,), (0,), 0, 1)) == [14]
    assert rules.outcome(rules.apply(State((14,), (0,), 0, 1), 14)) == 2
    assert rules.legal(State((12, 14), (0,), 0, 3)) == [12]
    waiting = State((14,), (0,), 0, NO_ROLL)
    assert rules.apply(waiting, 2) == State((14,), (0,), 1, NO_ROLL)
    assert rules.news(waiting, 2) == "X rolls 2. X cannot move."
    assert rules.news(waiting, 1) == "X rolls 1."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("3-5", "3-5"), ("3 to 5", "3-5"), ("**3-5**", "3-5"),
        ("I move the piece on 3 to 5.", "3-5"),
        ("My move: 3 -> 5", "3-5"), ("from square 3 to square 5", "3-5"), ("X: 3-5", "3-5"),
        ("3\u21925", "3-5"), ("3/5", "3-5"), ("move 3", "3-5"), ("3", "3-5"), ("to 5", "3-5"),
        ("5", "3-5"), ("3x5", "3-5"), ("3 takes 5", "3-5"), ("capture on 5", "3-5"),
        ("3-5, capturing O's piece", "3-5"), ("Put a new piece on 2", "start-2"),
        ("I'll bring a new piece onto the board", "start-2"),
        ("START-2", "start-2"), ("start to 2", "start-2"), ("enter", "start-2"),
        ("Enter a piece", "start-2"), ("I'll enter a new piece on 2", "start-2"),
        ("new piece", "start-2"), ("0-2", "start-2"), ("2", "start-2"), ("13-off", "13-off"),
        ("bear off", "13-off"), ("bear off 13", "13-off"), ("Bear off the piece on 13.", "13-off"),
        ("13 to 15", "13-off"), ("move the piece off the board", "13-off"), ("13", "13-off"),
    ],
)  # fmt: skip
def test_natural_moves_are_read(text, name):
    rules = RoyalGameOfUr()
    state = State((0, 3, 13), (0,), 0, 2)
    assert rules.name(state, rules.read(state, text)) == name


@pytest.mark.parametrize(
    "text",
    ["", "3-6", "4-6", "3-5 or 13-off", "3-5, 13-off", "not 3-5", "don't move 3", "O: 3-5",
     "O plays 3-5", "pass", "7", "bear off 3", "enter on 3", "to 6", "start-off", "3-5-7"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    rules = RoyalGameOfUr()
    with pytest.raises(InvalidAnswer):
        rules.read(State((0, 3, 13), (0,), 0, 2), text)


def test_a_new_piece_is_never_one_on_the_board():
    rules = RoyalGameOfUr()
    state = State((0, 1), (0,), 0, 1)
    assert rules.name(state, rules.read(state, "the piece on 1")) == "1-2"
    for text in ("put a new piece on 1", "enter on 1", "enter"):
        with pytest.raises(InvalidAnswer):
            rules.read(state, text)


def test_every_move_is_read_by_its_name():
    rules = RoyalGameOfUr(2, 4, 1, 3, 3)
    for mine, theirs in positions(rules)[1::41]:
        for roll in range(1, 4):
            state = State(mine, theirs, 0, roll)
            for move in rules.legal(state):
                assert rules.read(state, rules.name(state, move)) == move


def test_the_scene_shows_pieces_and_the_roll():
    rules = RoyalGameOfUr(2, 4, 1, 3, 3)
    state = State((0, 2, 4), (3, 7), 0, 2)
    board, aside = rules.scene(state, None).scenes
    assert [[cell.text for cell in row] for row in board.cells] == [
        ["", "X", "", "", "", "", ""],
        ["", "", "O", "X", "", "", ""],
        ["", "", "", "", "", "", "O"],
    ]
    assert [name for (name,) in board.top] == ["1", "2*", "3", "4*", "5", "6", "7*"]
    assert [[card.text for card in row] for row in aside.rows] == [
        ["X 1", "O 0"], ["X 0", "O 1"], ["2"],
    ]  # fmt: skip
    assert aside.labels == ("At the start", "Borne off", "Roll of X")
    assert rules.show(state) == (
        "Square    1  2*   3  4*   5   6  7*\n"
        "X only    .   X                   .\n"
        "shared            O   X   .   .    \n"
        "O only    .   .                   O\n"
        "At the start: X 1, O 0\n"
        "Borne off: X 0, O 1\n"
        "Roll of X: 2"
    )
