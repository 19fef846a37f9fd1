"""Alquerque: counts of games, moves and wins by rules that are written another way, readers."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.matches.alquerque import Alquerque, State
from palaestra.generators.matches.forced_wins import ForcedSearch
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.task import InvalidAnswer
from palaestra.testing.baselines import followed

FIVE = Alquerque(5)


def board_of(rules, state):
    """The owner of each man, by coordinates that count from 1."""
    return {
        (n // rules.size + 1, n % rules.size + 1): player
        for n in range(rules.size**2)
        for player, men in enumerate((state.first, state.second))
        if men >> n & 1
    }


def lines(cell):
    """The directions of the lines through a point."""
    straight = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    return straight + (diagonal if sum(cell) % 2 == 0 else [])


def further(board, player, path, taken, size):
    """The paths that go on from a path with all jumps that are possible, with what they take."""
    paths = []
    row, column = path[-1]
    for down, right in lines(path[-1]):
        over, end = (row + down, column + right), (row + 2 * down, column + 2 * right)
        inside = 1 <= end[0] <= size and 1 <= end[1] <= size
        if inside and board.get(over) == 1 - player and over not in taken and end not in board:
            paths += further(board, player, [*path, end], taken | {over}, size)
    return paths or [(path, taken)]


def moves(board, player, size):
    """The moves of a player, each with the board after it."""
    jumps, steps = {}, {}
    for cell in [each for each, owner in board.items() if owner == player]:
        rest = {each: owner for each, owner in board.items() if each != cell}
        for path, taken in further(rest, player, [cell], frozenset(), size):
            if taken:
                left = {each: owner for each, owner in rest.items() if each not in taken}
                jumps[tuple(path)] = left | {path[-1]: player}
        for down, right in lines(cell):
            end = cell[0] + down, cell[1] + right
            if 1 <= end[0] <= size and 1 <= end[1] <= size and end not in board:
                steps[cell, end] = rest | {end: player}
    return jumps or steps


def games(board, player, size, plies):
    after = moves(board, player, size).values()
    return (
        len(after)
        if plies == 1
        else sum(games(each, 1 - player, size, plies - 1) for each in after)
    )


def wins(board, player, size, left):
    """Whether the player to move wins within so many own moves, by plain search."""
    if not left:
        return False
    for after in moves(board, player, size).values():
        replies = moves(after, 1 - player, size).values()
        if all(wins(each, player, size, left - 1) for each in replies):
            return True
    return False


def test_the_first_position():
    """Twelve men each around the free middle, to which four men of the first player can go."""
    board = board_of(FIVE, FIVE.start())
    assert sorted(board.values()) == [0] * 12 + [1] * 12
    assert (3, 3) not in board
    assert {FIVE.name(FIVE.start(), move) for move in FIVE.legal(FIVE.start())} == {
        "r4c2-r3c3", "r4c3-r3c3", "r4c4-r3c3", "r3c4-r3c3",
    }  # fmt: skip


@pytest.mark.parametrize("size", [5, 7])
def test_counts_of_games(size):
    rules = Alquerque(size)
    for plies in range(1, 6):
        board = board_of(rules, rules.start())
        assert perft(rules, rules.start(), plies) == games(board, 0, size, plies)


@pytest.mark.parametrize("size", [5, 7])
def test_games_go_by_the_rules(size):
    rules, rng = Alquerque(size), Random(size)
    longest = 0
    for _ in range(12):
        state = rules.start()._replace(left=120)
        while rules.outcome(state) is None:
            legal, board = rules.legal(state), board_of(rules, state)
            expected = moves(board, state.turn, size)
            named = {tuple(divmod(n, size) for n in move): move for move in legal}
            assert {tuple((r + 1, c + 1) for r, c in path) for path in named} == expected.keys()
            assert len({rules.name(state, move) for move in legal}) == len(legal)
            move = rng.choice(legal)
            path = tuple((n // size + 1, n % size + 1) for n in move)
            longest = max(longest, len(path))
            state = rules.apply(state, move)
            assert board_of(rules, state) == expected[path]
        if state.left:
            assert not moves(board_of(rules, state), state.turn, size)
            assert rules.outcome(state) == (WIN if state.turn else LOSS)
    assert longest > 2  # several jumps


def test_wins_are_those_of_a_plain_search():
    rng, won = Random(4), 0
    for _ in range(60):
        cells = rng.sample(range(25), 5)
        state = State(sum(1 << n for n in cells[:4]), 1 << cells[4], 0)
        search = ForcedSearch(FIVE)
        for left in (1, 2):
            expected = wins(board_of(FIVE, state), 0, 5, left)
            assert search.wins(FIVE.view(state), left) == expected
            timed = state._replace(left=2 * left - 1, hunter=0)
            if FIVE.outcome(timed) is None:
                assert FIVE.solved(timed) == (WIN if expected else LOSS)
            won += expected
    assert 10 < won < 110


def test_players_who_offer_a_man_seldom_win():
    """They make the other player capture, and capture then: that may win in two moves."""
    won = 0.0
    for seed in range(40):
        task = Address.of("matches/alquerque", seed, 2).task()
        assert task.start().left == 5  # three moves, and two between them
        policy = task.baselines(Random(seed))["win, else an offer of a man"]
        won += followed(task, policy).score.value
    assert won / 40 <= 0.15


@pytest.mark.parametrize("level", range(5))
def test_tasks_are_won_in_time_and_not_faster(level):
    for seed in range(2):
        task = Address.of("matches/alquerque", seed, level).task()
        start = task.start()
        board, own = board_of(FIVE, start), (start.left + 1) // 2
        assert wins(board, start.turn, 5, own)
        assert not wins(board, start.turn, 5, own - 1)


def test_a_captured_man_stands_in_the_way_until_the_move_ends():
    """X goes r1c1-r1c3-r3c3-r3c1 and cannot end on a point whose man it has captured."""
    board = {(1, 1): 0, (1, 2): 1, (2, 3): 1, (3, 2): 1, (2, 1): 1}
    state = State(
        *(
            sum(1 << 5 * (r - 1) + c - 1 for (r, c), who in board.items() if who == n)
            for n in (0, 1)
        ),
        0,
    )
    names = {FIVE.name(state, move) for move in FIVE.legal(state)}
    assert "r1c1-r1c3-r3c3-r3c1-r1c1" in names
    assert names == {FIVE.name(state, m) for m in FIVE.legal(state) if len(m) > 2}
    move = FIVE.read(state, "r1c1-r1c3-r3c3-r3c1-r1c1")
    assert FIVE.apply(state, move)[:2] == (1, 0)


STATE = State(0b11 << 10, 1 << 24, 0)


@pytest.mark.parametrize(
    "text",
    ["r3c1-r2c1", "R3C1 -> R2C1", "(3, 1) to (2, 1)", "r3c1, r2c1", "from r3c1 to r2c1",
     "I move r3c1 to r2c1.", "My move: r3c1-r2c1", "X: r3c1-r2c1", "**r3c1-r2c1**"],
)  # fmt: skip
def test_moves_are_read(text):
    assert FIVE.read(STATE, text) == (10, 5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("r3c1", "in order"), ("", "in order"), ("r3c1-r1c1", "not legal"), ("r3c2-r2c1", "not legal"),
     ("r9c1-r2c1", "outside"), ("O: r3c1-r2c1", "expected"), ("r5c5-r4c5", "not legal")],
)  # fmt: skip
def test_texts_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        FIVE.read(STATE, text)


def test_captures_are_compulsory():
    state = State(1 << 12 | 1, 1 << 13, 0)  # r3c3 next to r3c4
    assert [FIVE.name(state, move) for move in FIVE.legal(state)] == ["r3c3-r3c5"]
    with pytest.raises(InvalidAnswer, match="a capture is compulsory"):
        FIVE.read(state, "r1c1-r1c2")


def test_the_judgement_counts_men():
    state = State(0b11, 1 << 24, 0)
    assert FIVE.judgement(state, 0) == -FIVE.judgement(state, 1) > 0.5
