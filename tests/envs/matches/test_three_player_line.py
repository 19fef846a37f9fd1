"""Three players and lines: brute force, the sides, the boards and the reader."""

from random import Random

import pytest
from pettingzoo.test import api_test, seed_test

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.three_player_line import State, ThreePlayerLine, sides_of
from palaestra.task import InvalidAnswer
from palaestra.zoo import env

NAME = "matches/three_player_line"
BARE = "bare"


def lines(rows, columns, length):
    """The cells of each line, as pairs."""
    for row in range(rows):
        for column in range(columns):
            for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                cells = [(row + n * down, column + n * right) for n in range(length)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                    yield cells


def wins(board, turn, moves, every):
    """Whether X gets a line within its moves, on a board as a dictionary of signs, by brute force.

    O and Z play together.
    """
    sign = "XOZ"[turn]
    if turn == 0 and not moves:
        return False
    results = []
    for cell in [each for each in board if not board[each]]:
        board[cell] = sign
        if any(cell in line and all(board[each] == sign for each in line) for line in every):
            result = turn == 0
        else:
            result = wins(board, (turn + 1) % 3, moves - (turn == 0), every)
        board[cell] = ""
        if result == (turn == 0):
            return result
        results.append(result)
    return turn > 0 and bool(results)


def board_of(rules, state):
    board = {(r, c): "" for r in range(rules.rows) for c in range(rules.columns)}
    for sign, stones in zip("XOZ", sides_of(state)):
        for cell in board:
            if stones >> cell[0] * rules.columns + cell[1] & 1:
                board[cell] = sign
    return board


def random_state(rng, rules, number, left):
    cells = rng.sample(range(rules.rows * rules.columns), number)
    stones = [sum(1 << cell for cell in cells[n::3]) for n in range(3)]
    return State(*stones, number % 3, left)


@pytest.mark.parametrize(
    ("size", "number", "left", "boards"),
    [((3, 4, 3), 6, 3, 60), ((3, 4, 3), 5, 2, 30), ((3, 4, 3), 4, 2, 15), ((4, 4, 3), 6, 2, 30),
     ((4, 4, 4), 9, 2, 20), ((4, 4, 3), 9, 3, 40), ((4, 4, 3), 6, 3, 4)],
)  # fmt: skip
def test_the_search_agrees_with_brute_force(size, number, left, boards):
    rows, columns, length = size
    rules, every = ThreePlayerLine(rows, columns, length), [*lines(rows, columns, length)]
    for seed in range(boards):
        state = random_state(Random(seed), rules, number, left)
        if any(map(rules.has_line, sides_of(state))):
            continue
        expected = wins(board_of(rules, state), state.turn, left, every)
        assert rules.solved(state) == (WIN if expected else LOSS)


@pytest.mark.parametrize("length", [3, 4])
def test_lines_and_the_cells_that_complete_them(length):
    rules = ThreePlayerLine(5, 6, length)
    every = [{r * 6 + c for r, c in line} for line in lines(5, 6, length)]
    for seed in range(200):
        rng = Random(seed)
        cells = {*rng.sample(range(30), rng.randint(2, 14))}
        stones = sum(1 << cell for cell in cells)
        assert rules.has_line(stones) == any(line <= cells for line in every)
        completed = {min(line - cells) for line in every if len(line - cells) == 1}
        free = (1 << 30) - 1 & ~stones
        assert rules.completing(stones, free) == sum(1 << cell for cell in completed)


@pytest.mark.parametrize("level", range(6))
def test_x_wins_each_board_in_time_and_not_earlier(level):
    for seed in range(2):
        task = Address.of(NAME, seed, level).task()
        rules, start = task.rules(), task.start()
        for board in ((*sides_of(start), start.left), *start.rest):
            state = State(*board[:3], 0, board[3])
            assert rules.is_open(state)
            assert rules.fewest(state, board[3]) == board[3]


def test_winning_moves_are_those_of_brute_force():
    for seed in range(4):
        task = Address.of(NAME, seed, 0).task()
        rules, start = task.rules(), task.start()
        every, good = [*lines(rules.rows, rules.columns, 3)], set()
        board = board_of(rules, start)
        for cell in [each for each in board if not board[each]]:
            board[cell] = "X"
            if wins(board, 1, start.left - 1, every):
                good.add(cell[0] * rules.columns + cell[1])
            board[cell] = ""
        assert {*task.winning_moves()} == good


def picture(text):
    """A state with X to move from rows of signs."""
    rows = text.split()
    stones = [0, 0, 0]
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != ".":
                stones["XOZ".index(sign)] |= 1 << row * len(line) + column
    return ThreePlayerLine(len(rows), len(rows[0]), 3), State(*stones, 0, 2)


def test_three_threats_win_and_two_do_not():
    rules, state = picture("X...O ..... ....X ..... X...O OZO.Z")
    assert rules.threats(state, 12) == 3
    assert rules.solved(state) == WIN
    blocked = state._replace(third=state.third | 1 << 6)
    assert rules.threats(blocked, 12) == 2
    assert rules.solved(blocked) == LOSS


def test_a_threat_of_both_others_cannot_be_parried():
    rules, state = picture("OO... ..... X..X. ..... ZZ...")
    assert rules.solved(state._replace(left=4)) == LOSS


def test_a_line_of_o_or_z_wins_for_both():
    task = Address.of(NAME, 1, 2).task()
    rules = task.rules()
    for line, other in (("O", "Z"), ("Z", "O")):
        _, state = picture(f"{line}{line}..{other} ..... X...X ..... {other}....")
        turn = "XOZ".index(line)
        after = rules.apply(state._replace(turn=turn), 2)
        assert rules.outcome(after) == LOSS
        scores = task._scores(LOSS, task._end(after))
        assert [score.value for score in scores] == [0, 1, 1]
        assert f"{line} has a line" in scores[0].reason


def test_the_built_in_players_take_every_seat():
    for level in (0, 2, 5):
        task = Address.of(NAME, 3, level).task()
        moves, seats = [], []
        episode = Episode(task, BARE, seats=range(3))
        while episode.scores is None:
            seats.append(episode.player)
            moves.append(task.opponent(moves))
            episode.step(moves[-1])
        assert [score.value for score in episode.scores] == [1, 0, 0]
        assert {*seats} == {0, 1, 2}


def test_a_mistake_loses():
    for seed in range(6):
        task = Address.of(NAME, seed, 2).task()
        rules, start = task.rules(), task.start()
        bad = min({*rules.legal(start)} - {*task.winning_moves()})
        episode = Episode(task, BARE, [rules.name(start, bad)])
        while episode.score is None:
            state = rules.decode(episode.turn.state)
            episode.step(rules.name(state, task.solver().best_moves(state)[0]))
        assert episode.score.value == 0


def test_a_board_that_is_won_leads_to_the_next_one():
    task = next(
        each
        for each in (Address.of(NAME, seed, 3).task() for seed in range(5))
        if each.start().rest
    )
    start = task.start()
    episode = Episode(task, BARE, task.solve())
    assert episode.score.value == 1
    texts = [text for _, text in episode.observations]
    assert f"Boards after this one: {len(start.rest)}." in texts[0]
    assert sum("X has a line on this board. The next board begins." in text for text in texts) == (
        len(start.rest)
    )
    rules = ThreePlayerLine(5, 5, 3)
    _, state = picture("XX... ..... O...O ..... Z...Z")
    state = state._replace(rest=((1, 2, 4, 3),))
    assert rules.apply(state, 2) == State(1, 2, 4, 0, 3, ())
    assert rules.apply(state, 8).turn == 1
    # Without a win of the boards that are left, the match is lost.
    assert rules.solved(state) == LOSS
    assert rules.solved(state._replace(rest=())) == WIN


def test_too_many_illegal_moves_lose_for_the_side():
    task = Address.of(NAME, 3, 1).task()
    episode = Episode(task, BARE, ["no cell"] * 4)
    assert [score.value for score in episode.scores] == [0, 1, 1]
    episode = Episode(task, BARE, seats=range(3))
    episode.step(episode.turn.legal_moves[0])
    for _ in range(4):
        assert episode.player == 1
        episode.step("no cell")
    assert [score.value for score in episode.scores] == [1, 0, 0]
    assert "O made too many illegal moves" in episode.scores[1].reason


def test_all_seats_read_what_was_played():
    task = Address.of(NAME, 3, 3).task()
    episode = Episode(task, BARE, seats=range(3))
    first = episode.turn.legal_moves[0]
    episode.step(first)
    second = episode.turn.legal_moves[0]
    episode.step(second)
    seat, text = episode.observations[-1]
    assert seat == 2
    assert f"X played {first}.\n\nO played {second}." in text
    assert "You are Z." in text
    assert "Three" in text or "three" in text


@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are texts, not arrays
def test_pettingzoo_has_three_agents(capsys):
    match = env(NAME, level=1)
    assert match.possible_agents == ["player_0", "player_1", "player_2"]
    api_test(match, num_cycles=100)
    seed_test(lambda: env(NAME, level=1), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_the_example_of_the_prompt_does_not_win():
    for seed in range(6):
        task = Address.of(NAME, seed, 2).task()
        names = {task.rules().name(task.start(), move) for move in task.winning_moves()}
        assert not any(f"'{name}'" in task.description() for name in names)


def test_the_scene_shows_the_state():
    rules, state = picture("X...O ..Z.. ..... ..... O...X")
    scene = rules.scene(state, 7)
    assert [[cell.text for cell in row] for row in scene.cells] == [
        ["X", "", "", "", "O"], ["", "", "Z", "", ""], [""] * 5, [""] * 5, ["O", "", "", "", "X"],
    ]  # fmt: skip
    assert scene.last == ((1, 2),)
    assert rules.show(state).splitlines()[1] == "1  X . . . O"


@pytest.mark.parametrize(
    "text",
    ["r2c4", "R2C4", "row 2, column 4", "I play r2c4.", "**r2c4**", "2 4", "(2, 4)",
     "My move: r2c4", "I place at r2c4!"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    rules, state = picture("X...O ..Z.. ..... ..... O...X")
    assert rules.read(state, text) == 8


@pytest.mark.parametrize("text", ["", "r1c1", "r6c1", "r2", "r2c4 r2c5", "r2c4 or r2c5", "X"])
def test_other_moves_are_refused(text):
    rules, state = picture("X...O ..Z.. ..... ..... O...X")
    with pytest.raises(InvalidAnswer):
        rules.read(state, text)
