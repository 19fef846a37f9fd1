"""Snake, against rules that are written another way, and its careful player."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.arcade.snake import Snake
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.snake import STEPS, Board, careful_way, moved, ways
from palaestra.generators.games.arcade.snake import Snake as Position


def stepped(size, cells, food, way):
    """The cells of a snake, from the tail to the head, after a step; None if it dies."""
    row, column = cells[-1]
    head = {
        "up": (row - 1, column),
        "down": (row + 1, column),
        "left": (row, column - 1),
        "right": (row, column + 1),
    }[way]
    after = [*cells, head] if head == food else [*cells[1:], head]
    inside = all(0 <= r < size and 0 <= c < size for r, c in after)
    return after if inside and len(set(after)) == len(after) else None


@pytest.mark.parametrize("seed", range(40))
def test_steps_go_by_the_rules(seed):
    rng, board = Random(seed), Board(5)
    body, food = (rng.randrange(25),), rng.randrange(25)
    while True:
        cells = [divmod(part, 5) for part in reversed(body)]
        expected = {way: stepped(5, cells, divmod(food, 5), way) for way in STEPS}
        for way in STEPS:
            after = moved(board, Position(body, food), way)
            got = None if after is None else [divmod(part, 5) for part in reversed(after)]
            assert got == expected[way]
        options = ways(board, Position(body, food))
        if not options:
            break
        body = rng.choice([*options.values()])
        free = board.free(body)
        if not free:
            break
        if body[0] == food:
            food = rng.choice(free)


@pytest.mark.parametrize("level", range(6))
def test_the_careful_player_wins_nine_games_of_ten(level):
    """It sees the board only, so that tasks can be solved without knowing where food appears."""
    knobs = Snake.Knobs.at(level)
    tasks = [Snake.generate(Random(f"ideal {seed}"), knobs) for seed in range(60)]
    assert sum(task.is_valid() for task in tasks) >= 0.9 * len(tasks)


def test_the_careful_player_does_not_know_what_comes():
    task = Address.of("games/snake", 4, 3).task()
    other = task.model_copy(update={"luck": (task.luck[0], *(n + 1 for n in task.luck[1:]))})
    one, two = Episode(task, BARE), Episode(other, BARE)
    board = task.board()
    while one.turn.state == two.turn.state and one.score is None:
        body, food, *_ = one.turn.state.split("/")
        way = careful_way(board, Position(tuple(map(int, body.split())), int(food)))
        one.step(way)
        two.step(way)
    assert one.turn.state.split("/")[2] == "2", "they differ in the third piece of food"


def test_illegal_moves_end_the_game():
    episode = Episode(Address.of("games/snake", 1, 1).task(), BARE)
    for _ in range(4):
        episode.step("sideways")
    assert episode.score.value == 0
    assert "illegal" in episode.score.reason


def test_a_lost_game_pays_the_credit_back():
    task = Address.of("games/snake", 5, 2).task()
    episode = Episode(task, BARE)
    for move in [*task.solve()][:30]:
        episode.step(move)
    assert sum(episode.rewards) > 0
    while episode.score is None:
        episode.step("up")
    assert sum(episode.rewards) == pytest.approx(0) == episode.score.value
