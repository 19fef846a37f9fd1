"""Calibrations against scripted endpoints whose curves are known."""

import asyncio
import signal

import pytest
from starlette.responses import JSONResponse, Response
from tests.trainers.calibration.ladders import (
    CURVES,
    ENVIRONMENTS,
    KNIGHTS,
    LETTERS,
    MASTERMIND,
    SORTING,
    calibrated,
    endpoint,
    estimates,
    outcomes,
)
from tests.trainers.evaluation.endpoints import keys_in, process_of, wait_for

from palaestra import Address
from palaestra.trainers.calibration import Calibration, Design, Target, calibrate, selected
from palaestra.trainers.calibration.tokens import usage_in
from palaestra.trainers.evaluation import Evaluation, OtherEvaluation, Refused, Suite


@pytest.fixture(scope="module")
def whole():
    """A calibration that nothing interrupts."""
    with endpoint().serving() as url:
        return calibrated(url, concurrency=1)


def test_estimates_contain_the_truth(whole):
    report = whole.report()
    assert report.complete
    by_env = {each.env: each for each in report.environments}
    assert {env: each.verdict for env, each in by_env.items()} == {
        SORTING: "too easy", KNIGHTS: "too hard", LETTERS: "suitable", MASTERMIND: "suitable",
    }  # fmt: skip
    levels = [(env, each) for env, own in by_env.items() for each in own.levels]
    inside = sum(
        each.success.low - 0.005 <= CURVES[env](each.level) <= each.success.high + 0.005
        for env, each in levels
    )
    assert inside >= 0.9 * len(levels)
    crossing = by_env[LETTERS].crossing
    assert crossing.low <= 2 <= crossing.high
    assert by_env[LETTERS].curve.b > 0
    # What is clear needs few tasks, and what is flat all of them.
    assert by_env[SORTING].attempts < 24
    assert by_env[KNIGHTS].attempts < 24
    assert by_env[MASTERMIND].attempts == 24
    mixture = report.mixture()
    assert mixture.environments.keys() == {LETTERS, MASTERMIND}
    assert mixture.levels[LETTERS] == (2,)
    assert len(mixture.levels[MASTERMIND]) >= 3


def test_tasks_are_training_tasks(whole):
    addresses = [Address.parse(each.address) for each in whole.attempts]
    assert {each.split for each in addresses} == {"train"}
    assert len({*addresses}) == len(addresses)


def test_concurrency_does_not_change_the_result(whole):
    with endpoint(delay=0.002).serving() as url:
        done = calibrated(url, concurrency=24)
    assert outcomes(done) == outcomes(whole)
    assert estimates(done) == estimates(whole)


def test_every_environment_is_tried_before_any_is_tried_twice():
    order = []
    with endpoint().serving() as url:
        calibrated(url, concurrency=1, progress=lambda step: order.append(step.attempt))
    envs = [each.env for each in order if each is not None]
    assert {*envs[:18]} == {*ENVIRONMENTS}
    assert [envs[:20].count(env) for env in ENVIRONMENTS] == [
        min(5, len(levels)) for levels in ENVIRONMENTS.values()
    ]


def test_killed_and_started_again_the_result_is_the_same(tmp_path, whole):
    scripted, out = endpoint(delay=0.01), tmp_path / "out"
    with scripted.serving() as url:
        for lines in (6, 30):
            process = process_of("calibrate", url, out, *ENVIRONMENTS, "-c", "4")
            wait_for(out, lines, process, scripted)
            process.kill()
            process.communicate()
            with (out / "attempts.jsonl").open("ab") as file:
                file.write(b'{"address": "logic/kni')  # as if it had died while it wrote
        scripted.held = lambda: False
        process = process_of("calibrate", url, out, *ENVIRONMENTS, "-c", "4")
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    done = Calibration.load(out)
    assert outcomes(done) == outcomes(whole)
    assert estimates(done) == estimates(whole)
    assert len(keys_in(out)) == len({*keys_in(out)}) == len(whole.attempts)
    # A complete calibration makes no requests.
    requests = sum(scripted.asked.values())
    with scripted.serving() as url:
        assert estimates(calibrated(url, out=tmp_path / "new")) == estimates(whole)
        requests = sum(scripted.asked.values())
        again = calibrated(url, out=tmp_path / "new")
    assert sum(scripted.asked.values()) == requests
    assert estimates(again) == estimates(whole)


def test_interrupted_it_reports_what_there_is(tmp_path):
    scripted, out = endpoint(delay=0.02), tmp_path / "out"
    with scripted.serving() as url:
        process = process_of("calibrate", url, out, *ENVIRONMENTS)
        wait_for(out, 8, process, scripted)
        process.send_signal(signal.SIGTERM)
        shown, errors = process.communicate(timeout=300)
        scripted.held = lambda: False
    assert process.returncode == 130, errors
    assert "interrupted" in errors
    assert "the same command continues" in errors
    assert "Traceback" not in errors
    assert "Not complete" in (out / "calibration.md").read_text()
    assert "undecided" in shown


SMALL = {KNIGHTS: (0, 1, 2), LETTERS: (0, 1, 2)}


@pytest.mark.parametrize("bound", [900, 2_000, 3_500])
def test_the_limit_of_tokens_holds_and_a_higher_one_goes_on(bound, tmp_path):
    whole = {"sampling": {"max_tokens": 64}, "concurrency": 8}
    with endpoint(SMALL).serving() as url:
        free = calibrated(url, SMALL, **whole)
        part = calibrated(url, SMALL, out=tmp_path, max_tokens_total=bound, **whole)
        report = part.report()
        assert part.usage.total <= bound < free.usage.total
        assert part.stopped == "the limit of tokens is reached"
        assert not report.complete
        assert report.left
        assert report.tokens.limit == bound
        assert sum(each.tokens for each in report.environments) <= part.usage.total
        # With the same limit nothing more is requested.
        same = calibrated(url, SMALL, out=tmp_path, max_tokens_total=bound, **whole)
        assert same.usage.total <= bound
        assert same.stopped
        more = calibrated(url, SMALL, out=tmp_path, max_tokens_total=10**6, **whole)
    assert more.usage == usage_in(tmp_path)
    assert outcomes(more) == outcomes(free)
    assert estimates(more) == estimates(free)


def test_episodes_of_several_turns_do_not_pass_the_limit(tmp_path):
    environments = {MASTERMIND: (0, 1, 2)}
    options = {"sampling": {"max_tokens": 32}, "concurrency": 8, "out": tmp_path}
    with endpoint(environments, lambda env, level: 1.0).serving() as url:
        done = calibrated(url, environments, max_tokens_total=8_000, **options)
        assert done.usage.total <= 8_000
        assert done.stopped
        kept = sum(each.prompt_tokens + each.completion_tokens for each in done.attempts)
        assert 0 < kept <= done.usage.total
        assert calibrated(url, environments, **options).report().complete


def test_without_usage_tokens_are_estimated(tmp_path):
    async def ask(messages, tools):
        return "<answer>?</answer>"

    done = asyncio.run(calibrate(ask, SMALL, max_tokens_total=3_000, out=tmp_path))
    assert done.usage.estimated == done.usage.requests > 0
    assert done.usage.total <= 3_000
    assert "estimated" in (done.write(tmp_path), (tmp_path / "calibration.md").read_text())[1]


def test_failures_of_the_endpoint_are_no_failures_of_the_model(tmp_path):
    scripted = endpoint(SMALL, lambda env, level: 1.0)
    bad = {*[*scripted.oracle.known][1::3]}
    scripted.mood = lambda key, _: Response(b"", 400) if key[0] in bad else None
    with scripted.serving() as url:
        done = calibrated(url, SMALL, out=tmp_path)
        report = done.report()
        assert report.unscored > 0
        assert {each.verdict for each in report.environments} == {"too easy"}
        for environment in report.environments:
            assert environment.unscored == sum(
                level.attempts - level.scored for level in environment.levels
            )
            assert all(level.right == level.scored for level in environment.levels)
            assert all(level.raw is None or level.raw.value == 1 for level in environment.levels)
        assert report.faults[0].attempts == report.unscored
        bad.clear()
        again = calibrated(url, SMALL, out=tmp_path, retry_unscored=True).report()
    assert again.unscored == 0
    assert sum(each.attempts for each in again.environments) >= sum(
        each.attempts for each in report.environments
    )


def test_what_the_judge_cannot_score_is_given_up(monkeypatch):
    drawn_task = Address.task

    def task(address):
        if address.env == KNIGHTS:
            raise RuntimeError("no solver")
        return drawn_task(address)

    with endpoint(SMALL).serving() as url:
        monkeypatch.setattr(Address, "task", task)
        report = calibrated(url, SMALL).report()
    by_env = {each.env: each for each in report.environments}
    assert by_env[KNIGHTS].verdict == "unscored"
    assert by_env[KNIGHTS].attempts == by_env[KNIGHTS].unscored == 3
    assert by_env[KNIGHTS].curve is None
    assert by_env[LETTERS].unscored == 0
    assert report.complete
    assert "no solver" in report.faults[0].reason


def test_an_endpoint_that_goes_away_leaves_no_trace(tmp_path):
    scripted = endpoint(SMALL)
    with scripted.serving() as url:
        free = calibrated(url, SMALL, concurrency=1)
    broken = endpoint(SMALL)
    broken.mood = lambda key, tries: Response(b"", 500) if sum(broken.asked.values()) > 12 else None
    with broken.serving() as url:
        part = calibrated(
            url, SMALL, out=tmp_path, concurrency=1, give_up_after=3, client={"retries": 0}
        )
    assert "3 requests in a row failed" in part.stopped
    assert all(each.score is not None for each in part.attempts)
    with scripted.serving() as url:
        done = calibrated(url, SMALL, out=tmp_path)
    assert outcomes(done) == outcomes(free)


def test_failures_at_the_end_end_their_rounds():
    failing = endpoint({KNIGHTS: (0, 1)})
    failing.mood = lambda key, tries: Response(b"", 500)
    with failing.serving() as url:
        done = calibrated(url, {KNIGHTS: (0, 1)}, client={"retries": 0}, give_up_after=0)
    assert done.report().complete
    assert done.report().unscored == 2


@pytest.mark.parametrize("status", [401, 404])
def test_an_endpoint_that_refuses_everything_stops_it(status, tmp_path):
    refusing = endpoint(SMALL)
    refusing.mood = lambda key, tries: JSONResponse({"error": "no"}, status)
    with refusing.serving() as url, pytest.raises(Refused, match=str(status)):
        calibrated(url, SMALL, out=tmp_path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"design": Design(Target(0.2, 0.8))}, r"target \[0.3, 0.7\], not \[0.2, 0.8\]"),
     ({"design": Design(width=2)}, "width 1.0, not 2"),
     ({"answer_format": "boxed"}, "answer_format 'tags', not 'boxed'"),
     ({"environments": {KNIGHTS: (0, 1)}}, rf"levels of {KNIGHTS} \[0, 1, 2\], not \[0, 1\]"),
     ({"sampling": {"temperature": 1.0}}, "settings of temperature None, not 1.0"),
     ({"system": "Be brief."}, "system '', not 'Be brief.'")],
)  # fmt: skip
def test_a_folder_holds_one_calibration(changed, message, tmp_path):
    few = {"design": Design(tasks=3), "out": tmp_path}
    with endpoint(SMALL).serving() as url:
        calibrated(url, SMALL, **few)
        with pytest.raises(OtherEvaluation, match=message) as refused:
            calibrated(url, changed.pop("environments", SMALL), **few | changed)
    assert "holds a calibration with" in str(refused.value)
    assert "choose another folder" in str(refused.value)


def test_a_larger_budget_goes_on_and_a_smaller_one_takes_nothing_away(tmp_path):
    with endpoint(SMALL).serving() as url:
        few = calibrated(url, SMALL, out=tmp_path, design=Design(tasks=5))
        more = calibrated(url, SMALL, out=tmp_path, design=Design(tasks=9))
        back = calibrated(url, SMALL, out=tmp_path, design=Design(tasks=5))
        fresh = calibrated(url, SMALL, design=Design(tasks=9))
    assert outcomes(few).items() < outcomes(more).items()
    assert outcomes(more) == outcomes(fresh) == outcomes(back)


def test_evaluations_and_calibrations_are_kept_apart(tmp_path):
    from tests.trainers.evaluation.endpoints import run

    suite = Suite.of(KNIGHTS, [0], 2)
    with endpoint(SMALL).serving() as url:
        calibrated(url, SMALL, out=tmp_path / "c", design=Design(tasks=2))
        run(url, suite, out=tmp_path / "e", give_up_after=0)
        with pytest.raises(OtherEvaluation, match="holds an evaluation, not a calibration"):
            calibrated(url, SMALL, out=tmp_path / "e")
        with pytest.raises(OtherEvaluation, match="holds a calibration, not an evaluation"):
            run(url, suite, out=tmp_path / "c")
    with pytest.raises(OtherEvaluation, match="holds a calibration, not an evaluation"):
        Evaluation.load(tmp_path / "c")
    with pytest.raises(OtherEvaluation, match="holds an evaluation, not a calibration"):
        Calibration.load(tmp_path / "e")
    with pytest.raises(OtherEvaluation, match="holds no calibration"):
        Calibration.load(tmp_path)


def test_settings_that_cannot_work():
    async def ask(messages, tools):
        return ""

    for odd in ({"model": " "}, {"concurrency": 0}, {"give_up_after": -1}, {"tools": "x"},
                {"answer_format": "fancy"}, {"max_tokens_total": 0}):  # fmt: skip
        with pytest.raises(ValueError, match=r"model|concurrency|give_up|tools|format|limit"):
            asyncio.run(calibrate(ask, SMALL, **odd))
    for none in ({}, {KNIGHTS: ()}):
        with pytest.raises(ValueError, match="one environment and level"):
            asyncio.run(calibrate(ask, none))


def test_several_turns_and_combinators_are_calibrated_alike():
    environments = selected([f"{KNIGHTS}+hint(1)"], [0, 1])
    (name,) = environments
    with endpoint(environments, lambda env, level: 1.0).serving() as url:
        report = calibrated(url, environments, design=Design(tasks=4)).report()
    assert report.environments[0].env == name
    assert sum(level.right for level in report.environments[0].levels) == 4
