"""Connect Four: the solver compared with plain minimax, and how players without search fare."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.connect_four import Solver, best_moves, endgame, unaided
from palaestra.generators.matches.line_games import LineGame, Position, after, reply, sensible
from palaestra.testing.baselines import followed

BOARDS = [LineGame(4, 5, 4, gravity=True), LineGame(6, 7, 4, gravity=True)]


def late_position(game, seed, free):
    """A position of a random game with at most ``free`` free cells, or ``None``."""
    rng, position = Random(seed), Position(0, 0)
    while game.cells(position):
        if game.free(position) <= free:
            return position
        cell = reply(game, position, 2, rng)
        if game.lined(position.mine | cell):
            return None
        position = after(position, cell)
    return None


def stones(game, position):
    """The stones as two sets of (column, row)."""
    cells = [(c, r) for c in range(game.columns) for r in range(game.rows)]
    return tuple(
        frozenset((c, r) for c, r in cells if mask >> (r + c * (game.rows + 1)) & 1)
        for mask in (position.mine, position.theirs)
    )


def minimax(game, mine, theirs):
    """The score of :class:`Solver` by plain search over sets of cells."""

    @cache
    def search(mine, theirs):
        free = game.rows * game.columns - len(mine) - len(theirs)
        best = None
        for column in range(game.columns):
            row = sum(c == column for c, _ in mine | theirs)
            if row == game.rows:
                continue
            if makes_four(mine, column, row):
                return (free + 1) // 2
            score = -search(theirs, mine | {(column, row)})
            best = score if best is None else max(best, score)
        return best or 0

    return search(mine, theirs)


def makes_four(mine, column, row):
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            n = 1
            while (column + sign * n * right, row + sign * n * up) in mine:
                run, n = run + 1, n + 1
        if run >= 4:
            return True
    return False


@given(st.sampled_from(BOARDS), st.integers(0, 10_000))
@settings(max_examples=80, deadline=None)
def test_scores_agree_with_plain_minimax(game, seed):
    position = late_position(game, seed, 9)
    if position is None:
        return
    assert Solver(game).score(position) == minimax(game, *stones(game, position))
    for cell, score in Solver(game).scores(position).items():
        following = after(position, cell)
        if game.lined(following.theirs):
            assert score == (game.free(position) + 1) // 2
        else:
            assert score == -minimax(game, *stones(game, following))


def test_numbers_of_positions():
    """The different positions after 0 to 6 plies: John Tromp, https://oeis.org/A212693."""
    game, states, counts = BOARDS[1], {Position(0, 0)}, []
    for _ in range(7):
        counts.append(len(states))
        going = [state for state in states if not game.lined(state.theirs)]
        states = {after(state, cell) for state in going for cell in game.cells(state)}
    assert counts == [1, 7, 49, 238, 1_120, 4_263, 16_422]


def test_first_player_cannot_win_on_four_rows_and_five_columns():
    """A published result: on boards of 4 rows and 4 or 5 columns, perfect play is a draw."""
    assert Solver(LineGame(4, 4, 4, gravity=True)).score(Position(0, 0)) == 0
    assert Solver(LineGame(4, 5, 4, gravity=True)).score(Position(0, 0)) == 0


def after_columns(columns):
    """The position after stones in these columns, the leftmost of which is 1."""
    game, position = BOARDS[1], Position(0, 0)
    for column in columns:
        position = after(position, game.read(column, position))
    return position


@pytest.mark.parametrize(
    ("columns", "score"),
    [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("5554224333234511764415115", 4),
        ("2737772244262123677516643354", 0),
        ("274552224131661", 0),
    ],
)
def test_published_scores(columns, score):
    """Positions of the test sets of Pascal Pons, "Solving Connect 4: how to build a perfect AI"
    (2015), part 2, http://blog.gamesolver.org: the first ones of Test_L3_R1, two of Test_L2_R1 and
    the first one of Test_L2_R2.
    """
    assert Solver(BOARDS[1]).score(after_columns(columns)) == score


def test_first_player_wins_with_the_centre_column():
    """The first position of John Tromp's database of eight plies (1995): the centre column is full
    and the first player, who began there, has a stone beside it: a win.
    https://archive.ics.uci.edu/dataset/26/connect+4
    """
    assert Solver(BOARDS[1]).wins(after_columns("44444433"))


@pytest.mark.parametrize(("forced", "chance"), [(1, 1.0), (3, 0.3), (5, 0.2)])
def test_an_endgame_has_a_single_winning_move(forced, chance):
    game = BOARDS[1]
    for seed in range(3):
        best = endgame(game, forced, chance, Random(seed))
        assert forced <= best.moves <= 2 * forced
        assert best.unaided <= chance
        free = game.free(best.position)
        scores = Solver(game).scores(best.position)
        assert sum(score > 0 for score in scores.values()) == 1
        assert (free + 1) // 2 - max(scores.values()) + 1 == best.moves


def test_a_player_without_choice_wins_with_certainty():
    game = BOARDS[1]
    best = endgame(game, 1, 1.0, Random(3))
    assert best.moves == 1
    assert unaided(game, best.position) == 1


def test_the_opponent_loses_as_late_as_possible_and_uses_each_error():
    for seed in range(4):
        task = Address.of("matches/connect_four", seed, 4).task()
        game, moves = task.game(), list(task.solve())
        assert len(moves) == task.forced
        other = next(c for c in game.cells(task.start()) if game.name(c) != moves[0])
        following = after(task.start(), other)
        answer = task.opponent([game.name(other)])
        assert answer in {game.name(cell) for cell in best_moves(game, following)}
        score = -minimax(game, *stones(game, following))
        if game.free(following) <= 10:
            assert score <= 0


def test_opponents_vary_among_equally_good_moves():
    task = Address.of("matches/connect_four", 1, forced=0).task()
    firsts = {task.model_copy(update={"luck": luck}).opponent([]) for luck in range(30)}
    assert len(firsts) > 1


@pytest.mark.parametrize(("level", "limit"), [(3, 0.25), (5, 0.1)])
def test_win_else_parry_else_centre_seldom_wins(level, limit):
    """The limits are those of the check of baselines, with room for 30 tasks of chance."""
    earned = 0.0
    for seed in range(30):
        task = Address.of("matches/connect_four", seed, level).task()
        policy = task.baselines(Random(seed))["win, else parry, else centre"]
        earned += followed(task, policy).score.value
    assert earned / 30 <= limit


def test_large_boards_and_shallow_opponents_can_be_chosen_by_hand():
    for knobs in ({"rows": 8, "columns": 9}, {"rows": 4, "columns": 4}, {"endgame": 0}):
        task = Address.of("matches/connect_four", 2, 5, **knobs).task()
        assert Episode(task, BARE, list(task.solve())).score.value == 1


@pytest.mark.parametrize("limit", [0.0, 0.05, 0.2])
def test_a_bounded_score_without_search_is_exact_up_to_its_limit(limit):
    game = BOARDS[1]
    for seed in range(3):
        position = endgame(game, 3, 0.3, Random(seed)).position
        exact, bounded = unaided(game, position), unaided(game, position, limit)
        assert bounded <= exact
        assert bounded == exact or limit < bounded


def test_a_score_without_search_agrees_with_plain_minimax():
    """The mean over all moves that are not forced, with scores by :func:`minimax`."""

    def plain(position):
        cells = sensible(game, position, 2)
        if any(game.lined(position.mine | cell) for cell in game.each(cells)):
            return 1.0
        total = 0.0
        for cell in game.each(cells):
            theirs = after(position, cell)
            score = -minimax(game, *stones(game, theirs))
            total += 0.5 * (score == 0)
            if score > 0:
                replies = best_moves(game, theirs)
                total += sum(plain(after(theirs, reply)) for reply in replies) / len(replies)
        return total / len(game.each(cells))

    game, checked = BOARDS[1], 0
    for seed in range(60):
        position = late_position(game, seed, 9)
        if position is not None and Solver(game).wins(position):
            checked += 1
            assert unaided(game, position) == pytest.approx(plain(position))
    assert checked >= 5
