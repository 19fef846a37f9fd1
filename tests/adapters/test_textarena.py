"""Games of TextArena, with the real package."""

import json
import sys

import pytest

pytest.importorskip("textarena")

import palaestra
from palaestra import Episode, registry
from palaestra.address import StaleVersion
from palaestra.cli import main
from palaestra.importers.floors import Floor
from palaestra.importers.processes import called
from palaestra.importers.textarena.files import chosen_games, game_text
from palaestra.task import NoValidTask
from palaestra.workers.pool import workers

GAMES = "palaestra.importers.textarena.games"


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder; returns its exit code and what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PALAESTRA_ENVS", str(tmp_path / "envs"))
    for name in [name for name in sys.modules if name.startswith(registry.LOCAL)]:
        del sys.modules[name]

    def run(*argv):
        capsys.readouterr()
        try:
            main(list(argv))
        except SystemExit as end:
            code = end.code or 0
        else:
            code = 0
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@pytest.fixture
def imported(command):
    """Imports games without measuring them."""

    def run(*games):
        options = [part for game in games for part in ("--only", game)]
        code, _, err = command("import", "textarena", "--no-measure", *options)
        assert code == 0, err

    return run


def test_games_of_one_player_are_those_that_can_be_set_up():
    games = chosen_games()
    assert {"mastermind", "frozen_lake", "sudoku", "game2048"} <= set(games)
    assert not {"chess", "nim", "tic_tac_toe"} & set(games)
    with pytest.raises(ValueError, match=r"twenty_questions cannot be set up .* API key"):
        chosen_games(["twenty_questions"])
    with pytest.raises(ValueError, match="did you mean mastermind"):
        chosen_games(["master_mind"])


def test_equal_moves_have_equal_consequences_in_any_order(imported):
    """The package draws from the generator of its process, which games in progress share."""
    imported("game2048")
    moves = ["[up]", "[left]", "[down]", "[right]"] * 3

    def observed(episodes):
        for move in moves:
            for episode in episodes:
                episode.step(f"<answer>{move}</answer>")
        return [episode.observations for episode in episodes]

    addresses = [palaestra.Address.of("textarena/game2048", seed) for seed in range(3)]
    together = observed([Episode(address.task()) for address in addresses])
    workers().close()  # and in other processes
    palaestra.address._drawn.cache_clear()
    apart = [observed([Episode(address.task())])[0] for address in reversed(addresses)]
    assert together == apart[::-1]
    assert len({str(each) for each in together}) == 3


def test_moves_are_played_until_the_end(imported):
    imported("guess_the_number")
    address = palaestra.Address.of("textarena/guess_the_number", 4)
    low, high, replies = 1, 20, []
    episode = Episode(address.task())
    while episode.score is None:
        guess = (low + high) // 2
        replies.append(f"<answer>[{guess}]</answer>")
        episode.step(replies[-1])
        if "lower" in episode.observation.lower().rpartition("guess")[0][-200:]:
            high = guess - 1
        else:
            low = guess + 1
        assert len(replies) < 30
    assert 0 <= episode.score.value <= 1
    assert palaestra.score(address, replies) == episode.score
    assert sum(episode.rewards) == pytest.approx(episode.score.value)
    assert palaestra.score(address, replies[:0]).status == "no_answer"


def test_hidden_state_is_in_no_task(imported):
    imported("mastermind")
    task = palaestra.Address.of("textarena/mastermind", 1).task()
    assert json.loads(task.model_dump_json()).keys() == {
        "wording", "variant", "game_seed", "opening", "position",
    }  # fmt: skip
    other = palaestra.Address.of("textarena/mastermind", 2).task()
    assert task.opening == other.opening
    assert task.canonical() != other.canonical()
    assert type(task).model_validate_json(task.model_dump_json()) == task


def test_a_variant_with_one_game_is_on_one_side_of_the_split(imported):
    imported("tower_of_hanoi")
    sides = []
    for split in ("train", "eval"):
        try:
            palaestra.Address.of("textarena/tower_of_hanoi", split=split).task()
        except NoValidTask as error:
            sides.append(str(error))
    assert len(sides) == 1
    assert "TowerOfHanoi-v0 has no game for" in sides[0]


@pytest.mark.parametrize("reply", ["", "[", "\ud800", "9" * 5_000, "__import__('os')", "no tags"])
def test_any_reply_is_answered_by_the_package(imported, reply):
    imported("frozen_lake")
    episode = Episode(palaestra.Address.of("textarena/frozen_lake", 3).task(), "bare")
    episode.step(reply)
    assert episode.score is None or 0 <= episode.score.value < 1


def test_other_releases_are_refused(imported, command, tmp_path):
    imported("set")
    file = tmp_path / "envs/textarena/set.py"
    file.write_text(file.read_text().replace('release = "', 'release = "0.0.'))
    sys.modules.pop(f"{registry.LOCAL}.textarena.set", None)
    registry._environment.cache_clear()
    with pytest.raises(StaleVersion, match="run `palaestra import textarena --replace`"):
        palaestra.Address.of("textarena/set", 77).task()


def test_a_floor_is_stated(command):
    code, out, _ = command("import", "textarena", "--only", "blackjack", "--json")
    (row,) = map(json.loads, out.splitlines())
    assert code == 0
    assert row["floor"] > 0.05
    assert "Warning: the constant" in row["warning"]
    assert "Warning" in command("show", "textarena/blackjack")[1]


def test_the_variants_are_levels(imported):
    imported("sudoku")
    knobs = palaestra.load("textarena/sudoku").Knobs
    assert [knobs.at(level).variant for level in range(knobs.levels())][:2] == [
        "Sudoku-v0-very-easy", "Sudoku-v0-easy",
    ]  # fmt: skip
    assert 'Literal["A-v0"]' in game_text("a", "x", "1", 1, ["A-v0"], Floor())
    started = called(f"{GAMES}:start", "Sudoku-v0-easy", 3)
    assert started == called(f"{GAMES}:start", "Sudoku-v0-easy", 3)
