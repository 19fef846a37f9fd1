"""Profiles: their files, merging, the releases' own, and what cards show of them."""

from pathlib import Path

import pytest
import yaml

from palaestra import load, names, profiles
from palaestra.catalog import card, catalog
from palaestra.cli import main
from palaestra.profiles import EnvironmentProfile, LevelProfile, Profile
from palaestra.trainers import profiles as measured
from palaestra.trainers.profiles import Shard

KNIGHTS, MASTERMIND = "logic/knights_and_knaves", "games/mastermind"


def level(rate, **changes):
    figures = {"tasks": 16, "samples": 8, "pass_1": rate, "low": rate / 2, "high": 1.0}
    return LevelProfile(**figures | {"pass_8": 1 - (1 - rate) ** 8} | changes)


def profile(rates, fingerprints=None, **changes):
    prints = fingerprints or {env: catalog()[env]["fingerprint"] for env in rates}
    environments = {
        env: EnvironmentProfile(
            fingerprint=prints[env], levels={n: level(rate) for n, rate in own.items()}
        )
        for env, own in rates.items()
    }
    facts = {
        "model": "org/A: 1",
        "source": "evaluation",
        "palaestra": "0.1.0",
        "date": "2026-01-02",
    }
    settings = {"temperature": 0.7, "answer_formats": ["tags"]}
    return Profile(**facts | {"settings": settings, "environments": environments} | changes)


def ran(*arguments):
    """The exit code of the command."""
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return end.value.code


@pytest.fixture
def released(monkeypatch):
    """A release with a profile, whose figures for one environment are of other tasks."""
    prints = {KNIGHTS: catalog()[KNIGHTS]["fingerprint"], MASTERMIND: "000000000000"}
    known = profile({KNIGHTS: {0: 0.9, 1: 0.4}, MASTERMIND: {0: 0.5}}, prints)
    monkeypatch.setattr(profiles, "shipped", lambda: (known,))
    return known


def test_the_profiles_of_this_release_are_of_environments_that_there_are():
    for each in profiles.shipped():
        assert each.environments.keys() <= {*names()}
        for env, own in each.environments.items():
            assert max(own.levels) < load(env).Knobs.levels()


def test_a_file_is_what_was_written(tmp_path):
    several = (profile({KNIGHTS: {0: 1.0, 3: 0.0}}), profile({}, model='b"\nc'))
    profiles.write(several, tmp_path / "profiles.yaml")
    assert profiles.load(tmp_path / "profiles.yaml") == several
    (tmp_path / "none.yaml").write_text(profiles.dump(()))
    assert profiles.load(tmp_path / "none.yaml") == ()
    (tmp_path / "empty.yaml").write_text("")
    assert profiles.load(tmp_path / "empty.yaml") == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- 3", "which are a mapping"),
        ("format: 2", "format"),
        ("profiles: [{model: a}]", "profiles.0.source"),
        ("a: [", "is not YAML"),
        ("!!python/object:os.system {}", "is not YAML"),
    ],
)
def test_other_files_are_refused(tmp_path, text, reason):
    (tmp_path / "odd.yaml").write_text(text)
    with pytest.raises(ValueError, match=reason):
        profiles.load(tmp_path / "odd.yaml")


def test_a_rate_is_from_0_to_1(tmp_path):
    text = profiles.dump([profile({KNIGHTS: {0: 0.5}})]).replace('"pass_1": 0.5', '"pass_1": 1.5')
    (tmp_path / "odd.yaml").write_text(text)
    with pytest.raises(ValueError, match="pass_1"):
        profiles.load(tmp_path / "odd.yaml")


def test_later_levels_replace_earlier_ones():
    first = profile({KNIGHTS: {0: 0.9, 1: 0.4}, MASTERMIND: {0: 0.5}})
    second = profile({KNIGHTS: {1: 0.3, 2: 0.1}}, date="2026-02-03")
    (both,) = profiles.combined([first, second])
    prints = {env: catalog()[env]["fingerprint"] for env in (KNIGHTS, MASTERMIND)}
    assert both.rates(prints) == {KNIGHTS: {0: 0.9, 1: 0.3, 2: 0.1}, MASTERMIND: {0: 0.5}}
    assert both.date == "2026-02-03"


def test_levels_of_other_tasks_are_dropped():
    first = profile({KNIGHTS: {0: 0.9, 1: 0.4}}, {KNIGHTS: "0"})
    second = profile({KNIGHTS: {2: 0.1}}, {KNIGHTS: "1"})
    (both,) = profiles.combined([first, second])
    assert both.rates({KNIGHTS: "1"}) == {KNIGHTS: {2: 0.1}}
    assert both.rates({KNIGHTS: "0"}) == both.rates({}) == {}


def test_measurements_that_differ_in_their_settings_are_not_merged():
    first = profile({KNIGHTS: {0: 0.9}})
    for other in ({"settings": {"temperature": 1.0}}, {"source": "calibration"}):
        with pytest.raises(ValueError, match=f"different {next(iter(other))}"):
            profiles.combined([first, profile({KNIGHTS: {0: 0.9}}, **other)])
    assert len(profiles.combined([first, profile({}, model="B")])) == 2


def test_a_card_shows_what_is_known_of_its_tasks(released):
    shown = profiles.of_environment(KNIGHTS, catalog()[KNIGHTS]["fingerprint"])
    assert shown[released.model][1]["pass_1"] == 0.4
    assert profiles.of_environment(MASTERMIND, catalog()[MASTERMIND]["fingerprint"]) == {}


def test_cards_have_no_profiles_where_there_are_none():
    if not profiles.shipped():
        assert "profiles" not in card(KNIGHTS)


def test_the_profile_of_a_model(released, tmp_path):
    assert profiles.of_model("org/A: 1") == released
    with pytest.raises(ValueError, match="did you mean org/A: 1"):
        profiles.of_model("org/A:1")
    with pytest.raises(ValueError, match="has 1 profiles"):
        profiles.of_model("x" * 500)
    file = tmp_path / "p.yaml"
    profiles.write([released], file)
    assert profiles.find(str(file)) == released
    profiles.write([released, profile({}, model="B")], file)
    with pytest.raises(ValueError, match="2 profiles, not one"):
        profiles.find(str(file))
    with pytest.raises(ValueError, match="no profile of"):  # never the path of a file
        profiles.of_model(str(file))


# ------------------------------------------------------------------ shards and commands


def test_shards_are_a_partition_of_the_environments():
    patterns = ["logic/*", "games/mastermind"]
    whole = measured.suite(patterns, [0, 1], 3)
    parts = [measured.suite(patterns, [0, 1], 3, Shard(n, 4)).cells for n in range(1, 5)]
    cells = [cell for part in parts for cell in part]
    assert sorted(map(str, cells)) == sorted(map(str, whole.cells))
    assert len({cell.env for part in parts[:1] for cell in part} & {c.env for c in parts[1]}) == 0


@pytest.mark.parametrize("text", ["0/8", "9/8", "1", "1/0", "-1/2", "1/2/3", ""])
def test_odd_shards(text):
    with pytest.raises(ValueError, match="a shard is written as"):
        Shard.parse(text)


def test_a_shard_without_environments():
    with pytest.raises(ValueError, match="part 3 of 3 is empty"):
        measured.suite([KNIGHTS, MASTERMIND], shard=Shard(3, 3))


def test_profiles_are_added_to_a_file(tmp_path, capsys):
    folders = [tmp_path / "m" / f"{n}-of-2" for n in (1, 2)]
    for folder, env in zip(folders, (KNIGHTS, MASTERMIND)):
        folder.mkdir(parents=True)
        profiles.write([profile({env: {0: 0.25}})], folder / profiles.IN_FOLDER)
    file = tmp_path / "profiles.yaml"
    for _ in range(2):  # a second time changes nothing
        assert ran("profiles", "add", tmp_path / "m", "--file", file) == 0
        (known,) = profiles.load(file)
        assert {*known.environments} == {KNIGHTS, MASTERMIND}
    other = tmp_path / "other.yaml"
    profiles.write([profile({KNIGHTS: {1: 0.5}}, settings={"seed": 1})], other)
    before = file.read_bytes()
    assert ran("profiles", "add", other, "--file", file) == 2
    assert file.read_bytes() == before
    assert ran("profiles", "add", other, "--file", file, "--replace") == 0
    (known,) = profiles.load(file)
    assert {*known.environments} == {KNIGHTS}
    assert ran("profiles", "show", "--file", file) == 0
    assert "50" in capsys.readouterr().out


def test_a_folder_without_profiles(tmp_path):
    with pytest.raises(ValueError, match=r"contains no profile\.yaml"):
        measured.read(tmp_path)


def test_the_release_says_that_it_has_none(capsys, monkeypatch):
    monkeypatch.setattr(profiles, "shipped", lambda: ())
    assert ran("profiles", "show") == 0
    assert "no profiles here yet" in capsys.readouterr().err


def test_show_prints_what_models_earn(released, capsys, monkeypatch):
    from palaestra import catalog as cards

    own = profiles.of_environment(KNIGHTS, catalog()[KNIGHTS]["fingerprint"])
    monkeypatch.setattr(cards, "card", lambda name: {**catalog()[KNIGHTS], "profiles": own})
    assert ran("show", KNIGHTS) == 0
    assert "org/A: 1" in capsys.readouterr().out


def test_the_file_in_the_repository_is_what_is_read():
    file = Path(__file__).parents[1] / "profiles.yaml"
    assert profiles.shipped() == profiles.load(file)
    assert yaml.safe_load(file.read_text())["format"] == 1
