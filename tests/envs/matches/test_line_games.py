"""Line games compared with independent rules: lines cell by cell, wins by plain minimax."""

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import Address, InvalidAnswer
from palaestra.envs.matches.tic_tac_toe import TicTacToe
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.line_games import (
    WIN,
    LineGame,
    Position,
    after,
    forced_win,
    opening,
    reply,
    values,
)

GAMES = [
    LineGame(3, 3, 3, gravity=False),
    LineGame(4, 5, 3, gravity=False),
    LineGame(4, 4, 4, gravity=True),
    LineGame(6, 7, 4, gravity=True),
]


def cells(game, stones):
    return {
        (row, column)
        for row in range(game.rows)
        for column in range(game.columns)
        if stones >> (row + column * (game.rows + 1)) & 1
    }


def has_line(game, stones):
    """The same as ``lined``, cell by cell."""
    held = cells(game, stones)
    return any(
        all((row + n * down, column + n * right) in held for n in range(game.length))
        for row, column in held
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def some_position(game, rng, plies):
    position = Position(0, 0)
    for _ in range(plies):
        free = game.cells(position)
        if not free:
            break
        following = after(position, rng.choice(free))
        if game.lined(following.theirs):
            break
        position = following
    return position


def test_numbers_of_games_and_positions_of_tic_tac_toe():
    """255,168 games (Henry Bottomley, 2001, http://www.se16.info/hgb/tictactoe.htm) and 5,478
    positions (Steve Schaefer, 2002, http://www.mathrec.org/old/2002jan/solutions.html).
    """
    game = GAMES[0]

    def following(position):
        if game.lined(position.theirs):
            return []
        return [after(position, cell) for cell in game.cells(position)]

    @cache
    def games(position):
        return sum(map(games, following(position))) or 1

    assert games(Position(0, 0)) == 255_168
    assert games.cache_info().currsize == 5_478


@given(st.sampled_from(GAMES), st.integers(0, 10_000), st.integers(0, 30))
def test_lines_are_detected(game, seed, plies):
    position = some_position(game, Random(seed), plies)
    wins = game.completing(position.mine)
    for cell in game.cells(position):
        assert game.lined(position.mine | cell) == has_line(game, position.mine | cell)
        assert bool(cell & wins) == has_line(game, position.mine | cell)


@given(st.sampled_from(GAMES[:3]), st.integers(0, 10_000), st.integers(0, 12))
def test_moves_are_the_free_cells(game, seed, plies):
    position = some_position(game, Random(seed), plies)
    taken = cells(game, position.mine | position.theirs)
    free = {cell for each in game.cells(position) for cell in cells(game, each)}
    if game.gravity:
        tops = {c: sum(column == c for _, column in taken) for c in range(game.columns)}
        assert free == {(row, c) for c, row in tops.items() if row < game.rows}
    else:
        everything = {(r, c) for r in range(game.rows) for c in range(game.columns)}
        assert free == everything - taken
    for cell in game.cells(position):
        assert game.read(game.name(cell), position) == cell


def wins_within(game, position, moves):
    """The same as ``forced_win``, by plain search."""
    for cell in game.cells(position):
        if has_line(game, position.mine | cell):
            return True
        if moves > 1:
            theirs = after(position, cell)
            replies = game.cells(theirs)
            if (
                replies
                and not any(has_line(game, theirs.mine | other) for other in replies)
                and all(wins_within(game, after(theirs, other), moves - 1) for other in replies)
            ):
                return True
    return False


@given(st.sampled_from(GAMES[:3]), st.integers(0, 10_000), st.integers(2, 9))
def test_forced_wins_agree_with_plain_search(game, seed, plies):
    position = some_position(game, Random(seed), plies)
    for moves in (1, 2):
        win = forced_win(game, position, moves)
        assert (win is not None) == wins_within(game, position, moves)


def minimax(game, position):
    """1, 0 or -1 for a win, a draw or a loss of the player to move."""
    free = game.cells(position)
    if not free:
        return 0
    if any(has_line(game, position.mine | cell) for cell in free):
        return 1
    return max(-minimax(game, after(position, cell)) for cell in free)


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_a_deep_search_of_a_small_board_is_perfect(seed, plies):
    game = GAMES[0]
    position = some_position(game, Random(seed), plies)
    if not game.cells(position):
        return
    best = max(values(game, position, 9).values())
    assert (best > 0) - (best < 0) == minimax(game, position)


def test_an_earlier_win_counts_more():
    game = GAMES[0]
    at = {
        name: 1 << (2 - row) + column * 4
        for name, (row, column) in {
            f"{r + 1} {c + 1}": (r, c) for r in range(3) for c in range(3)
        }.items()
    }
    position = Position(at["1 1"] | at["1 2"], at["2 1"] | at["3 3"])
    by_cell = values(game, position, 5)
    assert by_cell[at["1 3"]] == WIN
    assert all(value < WIN for cell, value in by_cell.items() if cell != at["1 3"])


def test_perfect_players_draw_tic_tac_toe():
    game, position, rng = GAMES[0], Position(0, 0), Random(1)
    while game.cells(position):
        cell = reply(game, position, 9, rng)
        assert not game.lined(position.mine | cell)
        position = after(position, cell)


@pytest.mark.parametrize("forced", [1, 2, 3])
def test_openings_are_won_in_exactly_the_stated_moves(forced):
    game = GAMES[3]
    wins = [p for seed in range(30) if (p := opening(game, forced, Random(seed))) is not None]
    assert wins
    for position in wins[:5]:
        assert forced_win(game, position, forced) is not None
        assert forced == 1 or forced_win(game, position, forced - 1) is None


def test_a_board_without_a_win_that_deep_gives_the_deepest_it_has(monkeypatch):
    monkeypatch.setattr("palaestra.generators.matches.line_match.TRIES", 200)
    knobs = TicTacToe.Knobs(size=4, length=4, forced=3)
    task = TicTacToe.generate(Random(1), knobs)
    assert task.forced == 2
    assert Address.of("matches/tic_tac_toe", size=3, length=5).task().length == 3
    assert Episode(task, BARE, list(task.solve())).score.value == 1


@pytest.mark.parametrize("name", ["matches/connect_four", "matches/tic_tac_toe"])
def test_matches_may_start_on_an_empty_board(name):
    one, other = (Address.of(name, seed, forced=0).task() for seed in (1, 2))
    assert (one.mine, one.theirs) == (0, 0)
    assert {Address.of(name, seed, forced=0).task().seat for seed in range(20)} == {0, 1}
    assert one.canonical() != other.canonical()
    episode = Episode(one, BARE, list(one.solve()))
    assert episode.score is not None


@pytest.mark.parametrize("name", ["matches/connect_four", "matches/tic_tac_toe"])
def test_the_rules_for_questions_are_those_of_play(name):
    """Random games by both: the same boards, moves, players and ends."""
    for seed in range(8):
        task, rng = Address.of(name, seed, seed % 6).task(), Random(seed)
        rules, state = task.rules(), task.start()
        episode = Episode(task, BARE, seats=[0, 1])
        while episode.scores is None:
            assert not rules.is_over(state)
            assert rules.show(state) in episode.observation
            assert f"You are {rules.mover(state)}." in episode.observation
            moves = {rules.name(state, move): move for move in rules.legal(state)}
            assert moves.keys() == {*episode.turn.legal_moves}
            written = rng.choice(sorted(moves))
            assert rules.read(state, f"I play {written}.") == moves[written]
            episode.step(written)
            state = rules.apply(state, moves[written])
            assert rules.decode(rules.encode(state)) == state
        assert rules.is_over(state)


def test_illegal_moves_are_explained_and_limited():
    task = Address.of("matches/connect_four", seed=1).task()
    episode = Episode(task, BARE, ["99"])
    assert "there is no column 99; they go from 1 to 5" in episode.observation
    assert "Illegal moves still allowed: 2" in episode.observation
    episode = Episode(task, BARE, ["", "one", "1 2", "0"])
    assert episode.score.value == 0
    assert "too many illegal moves" in episode.score.reason


def test_a_full_board_is_a_draw():
    task = Address.of("matches/tic_tac_toe", size=3, forced=0, depth=9).task()
    episode = Episode(task, BARE, seats=[0, 1])
    for move in ("2 2", "1 1", "1 2", "3 2", "2 1", "2 3", "3 1", "1 3", "3 3"):
        assert move in episode.turn.legal_moves
        episode.step(move)
    assert [score.value for score in episode.scores] == [0.5, 0.5]


@pytest.mark.parametrize("name", ["matches/connect_four", "matches/tic_tac_toe"])
def test_the_opponent_replies_to_moves_and_not_to_how_they_are_written(name):
    for seed in range(12):
        task = Address.of(name, seed, 2).task()
        for cell in task.game().cells(task.start()):
            move = task.game().name(cell)
            written = f"({move.replace(' ', ', ')})" if " " in move else f"column {move}"
            assert task.opponent(["illegal", written]) == task.opponent([move])


def test_a_taken_cell_is_refused():
    game = GAMES[0]
    position = after(Position(0, 0), game.read("2 2", Position(0, 0)))
    with pytest.raises(InvalidAnswer, match="no free cell"):
        game.read("2 2", position)


def test_games_on_an_empty_board_differ_between_seeds():
    """A player who takes the first free cell is answered in many ways, and both sides open."""
    games = set()
    for seed in range(30):
        task = Address.of("matches/tic_tac_toe", seed, forced=0).task()
        episode = Episode(task, BARE)
        while episode.scores is None:
            episode.step(episode.turn.legal_moves[0])
        games.add(tuple(episode.moves))
    assert len(games) >= 10
