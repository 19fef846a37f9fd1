"""Profiles from the reports of evaluations, and the command that measures one."""

from dataclasses import replace

from tests.trainers.evaluation.endpoints import (
    KNIGHTS,
    SMALL,
    Endpoint,
    attempt,
    command,
    manifest,
    run,
)

from palaestra import profiles
from palaestra.catalog import catalog
from palaestra.trainers.evaluation.profiles import profile_of
from palaestra.trainers.evaluation.reports import report
from palaestra.trainers.profiles import suite


def test_a_profile_has_the_rates_of_the_report(tmp_path):
    with Endpoint(SMALL, 0.5).serving() as url:
        done = run(url, SMALL, model="org/A", samples=8, seed=1, temperature=0.5)
    written = done.write(tmp_path)
    (own,) = profiles.load(tmp_path / profiles.IN_FOLDER)
    assert (own.model, own.source, own.date) == ("org/A", "evaluation", written["started"][:10])
    assert own.settings == {"temperature": 0.5, "seed": 1, "answer_formats": ["tags"]}
    for each in written["environments"]:
        assert own.environments[each["env"]].fingerprint == catalog()[each["env"]]["fingerprint"]
        for level in each["levels"]:
            mine = own.environments[each["env"]].levels[level["level"]]
            assert mine.pass_1 == level["success"]["value"]
            assert mine.pass_8 == level["pass_at_k"]["8"]["value"] >= mine.pass_1
            assert (mine.tasks, mine.samples) == (level["tasks"], 8)
            assert mine.low <= mine.pass_1 <= mine.high


def test_what_says_nothing_of_a_level_is_left_out():
    attempts = [
        attempt(0),
        replace(attempt(1), level=2, cell="level 2, people=5"),
        replace(attempt(2), level=3, cell="level 3", score=None),
        replace(attempt(3), env=f"{KNIGHTS}+yes_no"),
    ]
    own = profile_of(report(manifest(), attempts, 4))
    assert {env: [*each.levels] for env, each in own.environments.items()} == {KNIGHTS: [1]}
    assert own.environments[KNIGHTS].levels[1].pass_8 is None


def test_a_measurement_in_two_parts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["games/mastermind", KNIGHTS]
    words = ["profiles", "measure", *names, "--levels", "0", "--tasks", "2", "--model", "org/A"]
    endpoint = Endpoint(suite(names, [0], 2))
    with endpoint.serving() as url:
        for part in ("1/2", "2/2"):
            assert command(*words, "--shard", part, "--base-url", url) == 0
        requests = endpoint.asked.total()
        assert command(*words, "--shard", "2/2", "--base-url", url) == 0
    assert endpoint.asked.total() == requests  # what is complete is not played again
    folder = tmp_path / "profiles" / "org-A"
    assert sorted(each.name for each in folder.iterdir()) == ["1-of-2", "2-of-2"]
    assert command("profiles", "add", str(folder)) == 0
    (own,) = profiles.load(tmp_path / "profiles.yaml")
    rates = {env: each.levels[0].pass_1 for env, each in own.environments.items()}
    assert rates == dict.fromkeys(names, 1.0)
    assert {each.levels[0].pass_8 for each in own.environments.values()} == {1.0}
