"""Lines of Action: moves and wins by rules that are written another way, readers."""

from random import Random

import pytest

import palaestra
from palaestra.generators.matches.forced_wins import ForcedSearch
from palaestra.generators.matches.lines_of_action import LinesOfAction, State
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.task import InvalidAnswer

WAYS = [(d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if (d, r) != (0, 0)]


def pieces(rules, state):
    """The owner of each cell that has a piece."""
    owners = {}
    for n in range(rules.rows * rules.columns):
        for player, mask in enumerate((state.first, state.second)):
            if mask >> n & 1:
                owners[divmod(n, rules.columns)] = player
    return owners


def moves(owners, player, size):
    """The moves of a player, each with the pieces after it, a cell at a time."""
    rows, columns = size
    inside = {(r, c) for r in range(rows) for c in range(columns)}
    for (row, column), owner in owners.items():
        if owner != player:
            continue
        for down, right in WAYS:
            line = [(row + n * down, column + n * right) for n in range(-8, 9)]
            number = sum(cell in owners for cell in line if cell in inside)
            passed = [(row + n * down, column + n * right) for n in range(1, number + 1)]
            end = passed[-1]
            if not inside.issuperset(passed) or owners.get(end) == player:
                continue
            if any(owners.get(cell, player) != player for cell in passed[:-1]):
                continue
            rest = {cell: each for cell, each in owners.items() if cell != (row, column)}
            yield ((row, column), end), rest | {end: player}


def connected(owners, player):
    mine = {cell for cell, each in owners.items() if each == player}
    if not mine:
        return False
    wave = [next(iter(mine))]
    reached = set(wave)
    for row, column in wave:
        for cell in ((row + d, column + r) for d, r in WAYS):
            if cell in mine and cell not in reached:
                reached.add(cell)
                wave.append(cell)
    return reached == mine


def wins(owners, player, left, size):
    """Whether the player to move wins within so many own moves, by plain search."""
    for _, after in moves(owners, player, size):
        if connected(after, player):
            return True
        if connected(after, 1 - player):
            continue
        replies = [each for _, each in moves(after, 1 - player, size)]
        if not replies:
            return True
        if left > 1 and all(
            not connected(each, 1 - player)
            and (connected(each, player) or wins(each, player, left - 1, size))
            for each in replies
        ):
            return True
    return False


def random_state(rng, rules, number):
    chosen = rng.sample(range(rules.rows * rules.columns), 2 * number)
    return State(*(sum(1 << n for n in chosen[k::2]) for k in (0, 1)), rng.randrange(2))


@pytest.mark.parametrize("size", [(4, 4), (5, 5), (6, 7), (8, 8)])
def test_moves_go_by_the_rules(size):
    rules, rng = LinesOfAction(*size), Random(str(size))
    for n in range(30):
        state = rules.start() if n == 0 else random_state(rng, rules, rng.randint(2, 6))
        known = dict(moves(pieces(rules, state), state.turn, size))
        legal = {
            (divmod(start, rules.columns), divmod(end, rules.columns)): (start, end)
            for start, end in rules.legal(state)
        }
        assert legal.keys() == known.keys()
        for cells, move in legal.items():
            after = rules.apply(state, move)
            assert pieces(rules, after) == known[cells]
            assert after.turn == 1 - state.turn
            ended = [connected(known[cells], player) for player in (0, 1)]
            if any(ended):
                winner = state.turn if ended[state.turn] else 1 - state.turn
                assert rules.outcome(after) == (WIN if winner == 0 else LOSS)


def test_counts_of_games():
    """36 moves at the start of the game on 8 by 8 cells, as it is published."""
    rules = LinesOfAction(8, 8)
    owners = pieces(rules, rules.start())
    assert len(owners) == 24

    def games(owners, player, plies):
        after = [each for _, each in moves(owners, player, (8, 8))]
        if plies == 1:
            return len(after)
        return sum(games(each, 1 - player, plies - 1) for each in after)

    assert perft(rules, rules.start(), 1) == 36
    assert perft(rules, rules.start(), 2) == games(owners, 0, 2)


def test_wins_are_those_of_plain_search():
    rules, rng, lengths = LinesOfAction(4, 4), Random(3), []
    while len(lengths) < 24:
        state = random_state(rng, rules, 3)
        owners = pieces(rules, state)
        if any(connected(owners, player) for player in (0, 1)):
            continue
        plain = next((n for n in (1, 2) if wins(owners, state.turn, n, (4, 4))), None)
        assert ForcedSearch(rules).shortest(rules.view(state), 2) == plain
        lengths.append(plain)
    assert {1, 2} < {*lengths}


def test_the_search_agrees_with_plain_search_of_the_rules():
    """Also in positions where the other player is to move."""
    rules, rng = LinesOfAction(4, 4), Random(8)

    def value(state):
        over = rules.outcome(state)
        if over is None:
            best = max if state.turn == 0 else min
            over = best(value(rules.apply(state, move)) for move in rules.legal(state))
        return over

    seen = set()
    for _ in range(40):
        state = random_state(rng, rules, 3)
        state = state._replace(left=rng.randint(1, 3), hunter=rng.randrange(2))
        # The number of moves that are left is odd where the hunter is to move.
        if (state.left % 2 == 1) == (state.turn == state.hunter) and rules.outcome(state) is None:
            assert rules.solved(state) == value(state)
            seen.add(value(state))
    assert seen == {WIN, LOSS}
    assert DRAW not in seen


def test_both_together_is_a_win_of_the_mover():
    rules = LinesOfAction(3, 3)
    state = State(0b100000000, 0b000000001, 1)  # X has moved last; both have a single piece
    assert rules.outcome(state) == WIN
    assert rules.outcome(state._replace(turn=0)) == LOSS


def test_the_end_of_the_moves():
    rules = LinesOfAction(4, 4)
    state = random_state(Random(1), rules, 3)
    assert rules.outcome(state._replace(left=0, hunter=0)) in {LOSS, WIN}
    apart = State(1 | 1 << 15, 1 << 3 | 1 << 12, 0)
    assert rules.outcome(apart._replace(left=0, hunter=0)) == LOSS
    assert rules.outcome(apart._replace(left=0, hunter=1)) == WIN
    assert rules.outcome(apart._replace(left=1, hunter=1)) is None


def test_the_opponent_resists_to_the_end():
    for seed in range(4):
        task = palaestra.Address.of("matches/lines_of_action", seed, 2).task()
        start = task.start()
        assert task.line().moves == (start.left + 1) // 2 == 2
        assert start.hunter == start.turn == task.seat


BOARD = State(1 << 1 | 1 << 13, 1 << 8 | 1 << 3, 0)
"""X is on r1c2 and r4c2, O on r3c1 and r1c4."""


@pytest.mark.parametrize(
    "text", ["r1c2-r3c2", "My move: r1c2 -> r3c2", "(1, 2) to (3, 2)", "move r1c2 to r3c2",
             "row 1 column 2 to row 3 column 2", "**r1c2-r3c2**", "R1C2, R3C2"],
)  # fmt: skip
def test_moves_are_read(text):
    assert LinesOfAction(4, 4).read(BOARD, text) == (1, 9)


@pytest.mark.parametrize("text", ["r1c2-r2c2", "r1c2", "", "r3c1-r1c3", "r1c2-r3c2 or r4c2-r2c2"])
def test_texts_that_are_refused(text):
    with pytest.raises(InvalidAnswer):
        LinesOfAction(4, 4).read(BOARD, text)


@pytest.mark.parametrize(
    "text",
    ["X: r1c2-r3c2", "I move r1c2 to r3c2", "move the piece at r1c2 to r3c2", "r1c2xr3c2",
     '{"from": "r1c2", "to": "r3c2"}', '{"move": "r1c2-r3c2"}', "Next move: **r1c2-r3c2**",
     "r1c2-r3c2 (because it joins both groups)", "1. r1c2-r3c2", "- r1c2 x r3c2",
     "move my piece from r1c2 to r3c2", "r\uff11c2-r3c2"],
)  # fmt: skip
def test_moves_with_something_around_them_are_read(text):
    assert LinesOfAction(4, 4).read(BOARD, text) == (1, 9)


@pytest.mark.parametrize("text", ["O: r1c2-r3c2", "do not move r1c2 to r3c2", "r1c2xr3c2xr1c2"])
def test_moves_of_nobody_are_refused(text):
    with pytest.raises(InvalidAnswer):
        LinesOfAction(4, 4).read(BOARD, text)


@pytest.mark.parametrize("level", [2, 4])
def test_rules_of_thumb_do_not_begin_a_win(level):
    """Each rule makes moves that are as good as any by its own measure; none of them wins."""
    hits = 0
    for seed in range(6):
        task = palaestra.Address.of("matches/lines_of_action", seed, level).task()
        rules, start = task.rules(), task.start()
        won = {*task.winning_moves()}
        for value in rules.thumbs().values():
            worth = {move: value(start, move) for move in rules.legal(start)}
            best = {move for move, each in worth.items() if each == max(worth.values())}
            hits += bool(best & won)
    assert hits <= 2  # a task without such a position is possible, but rare
