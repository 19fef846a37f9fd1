"""Tournaments: who plays whom, what is kept, and that they can be continued."""

import asyncio
import json
import sys
from random import Random

import pytest

from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import BARE, Episode
from palaestra.task import JudgeError
from palaestra.trainers.ranking import (
    Game,
    NoReply,
    OtherTournament,
    endpoint_player,
    games_of,
    play,
    player,
    run_games,
    standings,
)
from palaestra.trainers.ranking.players import endpoint_of
from palaestra.trainers.ranking.tournament import GAMES

ADDRESSES = [Address.of("matches/tic_tac_toe", seed, 1) for seed in range(4)]
NAMES = ["random", "built-in", "baseline:1"]


def tournament(names=NAMES, **options):
    return asyncio.run(run_games(ADDRESSES, [player(name) for name in names], **options))


def test_all_pairs_meet_in_both_orders():
    players = [player(name) for name in NAMES]
    games = [(str(a), tuple(p.name for p in seats)) for a, seats in games_of(ADDRESSES, players)]
    assert len(games) == len(set(games)) == 4 * 6
    assert {frozenset(seats) for _, seats in games} == {
        frozenset(pair) for pair in [NAMES[:2], NAMES[1:], NAMES[::2]]
    }


def test_games_can_be_judged_again():
    done = tournament()
    assert done.complete
    for game in done.games:
        episode = Episode(
            Address.parse(game.address).task(), game.answer_format, game.replies, seats=(0, 1)
        )
        assert tuple(score.value for score in episode.scores) == game.scores


def test_a_tournament_goes_on_where_it_was_stopped(tmp_path):
    whole = tournament(out=tmp_path / "whole")
    tournament(NAMES[:2], out=tmp_path / "parts")
    lines = (tmp_path / "parts" / GAMES).read_text()
    (tmp_path / "parts" / GAMES).write_text(lines + lines[:40])  # ended while it was writing
    steps = []
    done = tournament(out=tmp_path / "parts", progress=lambda n, of: steps.append((n, of)))
    assert steps[0] == (8, 24)
    assert {game.key: game for game in done.games} == {game.key: game for game in whole.games}
    assert (tmp_path / "parts" / GAMES).read_text().startswith(lines)
    again = tournament(out=tmp_path / "parts", progress=lambda n, of: steps.append((n, of)))
    assert steps[-1] == (24, 24)
    assert again.complete


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OtherTournament, match="holds no tournament"):
        tournament(out=tmp_path)
    tournament(out=tmp_path / "one")
    with pytest.raises(OtherTournament, match="answer_format"):
        tournament(out=tmp_path / "one", answer_format="boxed")
    (tmp_path / "one" / GAMES).write_text("{}\n")
    with pytest.raises(OtherTournament, match="line 1"):
        tournament(out=tmp_path / "one")


def test_players_need_different_names():
    with pytest.raises(ValueError, match="differ"):
        tournament(["random", "random"])
    with pytest.raises(ValueError, match="did you mean random"):
        player("randon")
    with pytest.raises(ValueError, match="no player"):
        player("baseline:0")
    assert player("baseline").name == "baseline:1"


def test_a_match_without_so_many_baseline_players_is_refused():
    with pytest.raises(NoReply, match="2 baseline players"):
        asyncio.run(play(ADDRESSES[0], [player("baseline:9"), player("baseline:9")]))


def test_a_player_that_fails_costs_no_game_of_others():
    async def fails(messages, tools):
        raise ConnectionError("nobody there")

    players = [player("random"), player("built-in"), endpoint_player("broken", fails)]
    done = asyncio.run(run_games(ADDRESSES, players, concurrency=1, give_up_after=100))
    assert len(done.games) == 8
    assert len(done.failed) == 16
    assert "broken: nobody there" in done.failed[0]
    few = asyncio.run(run_games(ADDRESSES, players[1:], concurrency=1, give_up_after=2))
    assert len(few.failed) == 2
    assert not few.complete


def test_a_judge_that_fails_makes_nobody_lose(monkeypatch):
    def fails(episode, reply):
        raise JudgeError("out of memory")

    monkeypatch.setattr(Episode, "step", fails)
    done = tournament(NAMES[:2])
    assert done.games == ()
    assert len(done.failed) == 8
    assert "the judge failed: out of memory" in done.failed[0]


def test_an_endpoint_reads_the_observations_of_its_own_seat():
    chats = []

    async def model(messages, tools):
        chats.append(messages)
        return "I do not know."

    match = ADDRESSES[1]
    game = asyncio.run(play(match, [endpoint_player("a", model), player("built-in")]))
    assert game.scores == (0.0, 1.0)
    assert [m["role"] for m in chats[-1]] == ["user", "assistant"] * 3 + ["user"]
    assert endpoint_of("org/m@http://h:1/v1") == ("org/m", "http://h:1/v1")
    assert endpoint_of("m@elsewhere") is None


def game(first, second, scores, seed=0):
    address = str(Address.of("matches/tic_tac_toe", seed, 1))
    return Game(address, (first, second), scores, "", ())


def test_the_stronger_one_is_ranked_first():
    rng = Random(3)
    games = []
    for seed in range(60):
        for one, two, chance in (("a", "b", 0.8), ("b", "c", 0.8), ("a", "c", 0.9)):
            won = rng.random() < chance
            games.append(game(one, two, (1.0, 0.0) if won else (0.0, 1.0), seed))
    rows = standings(games)
    assert [row.player for row in rows] == ["a", "b", "c"]
    assert rows == standings(games[::-1])
    assert rows[0].low > rows[2].high
    assert all(row.games == row.wins + row.draws + row.losses == 120 for row in rows)
    assert all(row.score_low <= row.score <= row.score_high for row in rows)


def test_draws_and_games_against_oneself():
    rows = standings([game("a", "b", (0.5, 0.5)), game("a", "a", (1.0, 0.0))])
    by_name = {row.player: row for row in rows}
    assert by_name["b"].draws == 1
    assert (by_name["a"].draws, by_name["a"].wins, by_name["a"].losses) == (1, 1, 1)
    assert by_name["a"].rating == by_name["b"].rating == 25.0


def test_the_command(tmp_path, capsys):
    folder = tmp_path / "out"
    main_of(["ladder", "matches/tic_tac_toe", "--levels", "0", "-n", "2", "-o", str(folder)])
    output = capsys.readouterr().out
    assert all(name in output for name in NAMES)
    ranking = json.loads((folder / "ranking.json").read_text())
    assert ranking["games"] == ranking["planned"] == 12
    assert "| random |" in (folder / "ranking.md").read_text()
    with pytest.raises(SystemExit):
        main(["ladder", "grids/sudoku", "-o", str(tmp_path / "other")])
    assert "has one player" in capsys.readouterr().err


def test_the_plot_stands_in_the_page_if_there_is_one(tmp_path, capsys, monkeypatch):
    command = ["ladder", "matches/tic_tac_toe", "--levels", "0", "-n", "1", "-o", str(tmp_path)]
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib", None)
        without.setitem(sys.modules, "matplotlib.figure", None)
        main_of(command)
    assert "ranking.png" not in (tmp_path / "ranking.md").read_text()
    assert "pip install 'palaestra[ranking]'" in capsys.readouterr().err.replace("\n", " ")
    pytest.importorskip("matplotlib", reason="needs palaestra[ranking]")
    main_of(command)
    assert "![Ratings](ranking.png)" in (tmp_path / "ranking.md").read_text()
    assert (tmp_path / "ranking.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "planned"),
    [("three_player_line", 3), ("trick_taking", 3), ("rock_paper_scissors", 6), ("kuhn_poker", 6)],
)
def test_matches_of_any_kind_are_ranked(name, planned):
    """Of three seats, with moves at the same time, and with hidden cards."""
    addresses = [Address.of(f"matches/{name}", 0, 0)]
    done = asyncio.run(run_games(addresses, [player(each) for each in NAMES]))
    assert done.complete
    assert done.planned == planned
    assert {row.player for row in done.standings()} == {*NAMES}
    for game in done.games:
        seats = range(len(game.players))
        again = Episode(Address.parse(game.address).task(), "tags", game.replies, seats=seats)
        assert tuple(score.value for score in again.scores) == game.scores


def main_of(arguments):
    """Run a command that ends well."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert not end.value.code


def test_a_bare_reply_is_a_move():
    done = asyncio.run(run_games(ADDRESSES[:1], [player(n) for n in NAMES], answer_format="bare"))
    assert all(game.answer_format == BARE.name for game in done.games)
