"""Dodgem: its rules against rules on sets of cells, and its search against retrograde analysis."""

from collections import defaultdict, deque
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

import palaestra
from palaestra.generators.matches.dodgem import NOBODY, OFF, Dodgem, State
from palaestra.generators.matches.rules import DRAW, LOSS, WIN
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.dodgem import car_move

SMALL = (3, 3)


def steps(size, cars, player):
    """The cars of both players, each a set of (row, column), after each move of a player."""
    (rows, columns), taken = size, cars[0] | cars[1]
    ways = [(0, 1), (-1, 0), (1, 0)] if player == 0 else [(-1, 0), (0, -1), (0, 1)]
    after = []
    for car in sorted(cars[player]):
        for number, (down, right) in enumerate(ways):
            end = car[0] + down, car[1] + right
            inside = 0 <= end[0] < rows and 0 <= end[1] < columns
            if (inside and end not in taken) or (not inside and number == 0):
                mine = cars[player] - {car} | ({end} if inside else frozenset())
                after.append((mine, cars[1]) if player == 0 else (cars[0], mine))
    return after


def over(size, cars, player):
    """The winner, if the game is over with a player to move."""
    for each in (0, 1):
        if not cars[each]:
            return each
    return None if steps(size, cars, player) else player


@cache
def table(size):
    """For each position that one player wins by force, who does, and in how many plies."""
    cells = [*product(*map(range, size))]
    sides = [frozenset(c) for number in range(min(size)) for c in combinations(cells, number)]
    before, left, values, queue = defaultdict(list), {}, {}, deque()
    for first in sides:
        for second in sides:
            if first & second or not first | second:
                continue
            for player in (0, 1):
                node = (first, second), player
                winner = over(size, *node)
                if winner is not None:
                    values[node] = winner, 0
                    queue.append(node)
                    continue
                after = steps(size, *node)
                left[node] = len(after)
                for cars in after:
                    before[cars, 1 - player].append(node)
    while queue:
        node = queue.popleft()
        winner, plies = values[node]
        for earlier in before[node]:
            left[earlier] -= 1
            if earlier not in values and (earlier[1] == winner or left[earlier] == 0):
                values[earlier] = winner, plies + 1
                queue.append(earlier)
    return values


def mask(cars, size):
    return sum(1 << row * size[1] + column for row, column in cars)


def sets(state, size):
    return tuple(
        frozenset(divmod(n, size[1]) for n in range(size[0] * size[1]) if side >> n & 1)
        for side in (state.first, state.second)
    )


def random_state(rng, size, most):
    mine, theirs = rng.randint(1, most), rng.randint(1, most)
    cells = rng.sample(range(size[0] * size[1]), mine + theirs)
    first, second = (sum(1 << n for n in part) for part in (cells[:mine], cells[mine:]))
    return State(first, second, rng.randrange(2))


def test_the_first_position():
    """The cars of X stand at the left and those of O below, and the corner between is empty."""
    rules = Dodgem(*SMALL)
    assert rules.show(rules.start()) == (
        "   1 2 3\n1  X . .\n2  X . .\n3  . O O\n\nMoves left for both players together: 60."
    )
    assert [rules.name(rules.start(), move) for move in rules.legal(rules.start())] == [
        "r1c1-r1c2", "r2c1-r2c2", "r2c1-r3c1",
    ]  # fmt: skip


def test_the_first_player_wins_on_three_by_three():
    """As the table in "Winning Ways" states; whoever moves first wins, for the board is symmetric
    with respect to the players.
    """
    start = sets(Dodgem(*SMALL).start(), SMALL)
    assert table(SMALL)[start, 0][0] == 0
    assert table(SMALL)[start, 1][0] == 1
    assert table(SMALL)[start, 0][1] == table(SMALL)[start, 1][1]


def test_the_search_agrees_with_retrograde_analysis():
    rules, rng = Dodgem(*SMALL), Random(1)
    nodes = sorted(table(SMALL), key=lambda node: (*map(sorted, node[0]), node[1]))
    for cars, player in rng.sample(nodes, 400):
        winner, plies = table(SMALL)[cars, player]
        state = State(mask(cars[0], SMALL), mask(cars[1], SMALL), player)
        if plies == 0:
            assert rules.outcome(state) == (LOSS if winner else WIN)
        elif winner == player:
            moves = (plies + 1) // 2
            assert rules.moves_to_win(state, moves) == moves
            for move in rules.legal(state):
                after = rules.apply(state, move)
                value = table(SMALL).get((sets(after, SMALL), after.turn), (None, 0))
                quick = value[0] == player and value[1] < 2 * moves
                assert (move in rules.winning(state, moves)) == quick
        else:
            assert rules.moves_to_win(state, 8) is None


def test_every_position_on_three_by_three_is_won():
    """Nobody can go on for ever, so that the limit on moves decides nothing if it is large."""
    cells = [(row, column) for row in range(3) for column in range(3)]
    numbers = [1, 9, 36]
    pairs = sum(
        numbers[mine] * len([*combinations(cells[mine:], theirs)])
        for mine in range(3)
        for theirs in range(3)
    )
    assert len(table(SMALL)) == 2 * (pairs - 1) == 2844


@pytest.mark.parametrize("size", [(3, 3), (4, 5), (5, 4), (5, 5)])
def test_games_go_by_the_rules(size):
    rules, rng = Dodgem(*size), Random(f"{size}")
    for _ in range(20):
        state = random_state(rng, size, min(size) - 1)
        while rules.outcome(state) is None:
            legal = rules.legal(state)
            ends = [sets(rules.apply(state, move), size) for move in legal]
            expected = steps(size, sets(state, size), state.turn)
            assert len(ends) == len(expected)
            assert set(ends) == set(expected)
            assert len({rules.name(state, move) for move in legal}) == len(legal)
            for move, cars in zip(legal, ends):
                own = len(cars[state.turn]) < len(sets(state, size)[state.turn])
                assert own == (move[1] == OFF)
            move = rng.choice(legal)
            state = rules.apply(state, move)
        if state.left:
            winner = over(size, sets(state, size), state.turn)
            assert rules.outcome(state) == (LOSS if winner else WIN)


def test_blocked_players_win_and_moves_run_out():
    rules = Dodgem(*SMALL)
    blocked = State(0b000_000_001, 0b000_001_010, 0)
    assert rules.outcome(blocked) == WIN
    assert rules.outcome(blocked._replace(turn=1)) is None
    start = rules.start()
    assert rules.outcome(start._replace(left=0)) == DRAW
    assert rules.outcome(start._replace(left=0, hunter=0)) == LOSS
    assert rules.outcome(start._replace(left=0, hunter=1)) == WIN
    assert rules.solved(start._replace(left=3, hunter=NOBODY)) is None


def test_earlier_positions_lead_to_later_ones():
    rules, rng = Dodgem(4, 5), Random(3)
    for _ in range(60):
        state = random_state(rng, (4, 5), 3)
        for player in (0, 1):
            before = rules.before(state, player, 3)
            for cars in before:
                sides = list(state[:2])
                sides[player] = cars
                after = steps((4, 5), sets(State(*sides, player), (4, 5)), player)
                assert sets(state, (4, 5)) in after
            assert len(set(before)) == len(before)


@pytest.mark.parametrize(
    ("text", "name"),
    [("r2c3-r2c4", "r2c3-r2c4"), ("I play R2C3-R2C4.", "r2c3-r2c4"),
     ("(2, 3) -> (2, 4)", "r2c3-r2c4"),
     ("move r2c3 to r1c3", "r2c3-r1c3"), ("r2c3 up", "r2c3-r1c3"), ("r2c3 forward", "r2c3-r2c4"),
     ("My move: r2c3-r3c3!", "r2c3-r3c3"), ("r1c4-off", "r1c4-off"), ("**r1c4-off**", "r1c4-off"),
     ("Move the car from r2c3 to r3c3.", "r2c3-r3c3"),
     ("I drive my car at r2c3 to r3c3", "r2c3-r3c3"),
     ("The car at r2c3 moves to r3c3", "r2c3-r3c3"),
     ("R1C4 OFF", "r1c4-off"), ("r1c4 -> off", "r1c4-off"),
     ("I move r1c4 off the board.", "r1c4-off"),
     ("car r1c4 leaves the board", "r1c4-off"), ("My move: r1c4-off", "r1c4-off"),
     ("row 1 column 4 to the right", "r1c4-off"), ("I play \u201cr1c4-off\u201d", "r1c4-off"),
     ("(1, 4) off", "r1c4-off"), ("r1c4 moves forwards", "r1c4-off"), ("'r1c4, off'", "r1c4-off")],
)  # fmt: skip
def test_moves_are_read(text, name):
    rules = Dodgem(4, 4)
    state = State(1 << 6 | 1 << 3, 1 << 15, 0)
    assert rules.name(state, rules.read(state, text)) == name


@pytest.mark.parametrize(
    "text",
    ["r2c3", "off", "", "r2c3-off", "not r1c4-off", "r1c4 not off", "O: r1c4-off",
     "O plays r1c4-off",
     "r1c4-off or r2c3-r2c4", "r1c4-off, r2c3-off", "r2c3 up right", "r2c3-r2c2", "r2c3 left",
     "r1c4 up", "r4c4 up", "r2c3-r2c4 r1c4-off", "r1c5-off", "r1c4 r1c4 off", "don't play r1c4-off",
     "off " * 500],
)  # fmt: skip
def test_other_texts_are_refused(text):
    rules = Dodgem(4, 4)
    with pytest.raises(InvalidAnswer):
        rules.read(State(1 << 6 | 1 << 3, 1 << 15, 0), text)


def test_tasks_state_the_number_of_moves_that_the_win_takes():
    for level in range(6):
        task = palaestra.Address.of("matches/dodgem", 3, level).task()
        rules, start = task.rules(), task.start()
        moves = (start.left + 1) // 2
        assert rules.moves_to_win(start, moves) == moves
        assert f"{moves} " in task.description()
        assert f"may still make: {moves}." in rules.show(start)
        assert not any(rules.is_forward(start, move) for move in task.winning_moves())


def test_no_car_is_marked_where_none_is():
    rules = Dodgem(4, 4)
    state = State(1 << 6, 1 << 15, 1)
    assert rules.scene(state, (3, OFF)).last == ((0, 3),)
    assert rules.judgement(state, 0) == -rules.judgement(state, 1)


def test_a_move_is_read_as_a_whole_or_not_at_all():
    """Only the first two hundred characters were read."""
    with pytest.raises(InvalidAnswer, match="at most"):
        car_move("r2c3-off" + " \n" * 100 + "or r3c3-off", 4, 4)
