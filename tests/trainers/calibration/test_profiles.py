"""Profiles from the reports of calibrations."""

from tests.trainers.calibration.ladders import KNIGHTS, MASTERMIND
from tests.trainers.calibration.test_reports import calibration

from palaestra import profiles
from palaestra.trainers.calibration.profiles import profile_of


def test_a_profile_has_the_estimates_of_levels_that_were_tried(tmp_path):
    outcomes = {
        KNIGHTS: {0: {"right": 9, "wrong": 1}, 1: {"unscored": 2}, 2: {"wrong": 8}},
        MASTERMIND: {0: {"unscored": 3}},
    }
    done = calibration(outcomes)
    own, report = profile_of(done.report()), done.report()
    assert (own.model, own.source) == ("org/model", "calibration")
    assert own.settings == {"temperature": 0.7, "answer_formats": ["tags"]}
    assert {env: [*each.levels] for env, each in own.environments.items()} == {KNIGHTS: [0, 2]}
    (knights,) = (each for each in report.environments if each.env == KNIGHTS)
    for level in (0, 2):
        estimate, mine = knights.levels[level].success, own.environments[KNIGHTS].levels[level]
        assert (mine.pass_1, mine.low, mine.high) == (estimate.value, estimate.low, estimate.high)
        assert mine.pass_8 is None
    done.write(tmp_path)
    assert profiles.load(tmp_path / profiles.IN_FOLDER) == (own,)
