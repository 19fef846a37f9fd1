"""Environments, curves and calibrations that tests of calibration share."""

import asyncio

from tests.trainers.evaluation.endpoints import Endpoint

from palaestra.trainers.calibration import calibrate_endpoint, selected
from palaestra.trainers.calibration.oracle import curve, oracle_of
from palaestra.trainers.evaluation import ChatClient

SORTING, KNIGHTS = "algorithms/sort_six", "logic/knights_and_knaves"
LETTERS, MASTERMIND = "strings/spell_backwards", "games/mastermind"

CURVES = {
    SORTING: lambda level: 0.97,  # too easy
    KNIGHTS: lambda level: 0.03,  # too hard
    LETTERS: curve(2.0, 6.0),  # steep
    MASTERMIND: lambda level: 0.5,  # flat
}

ENVIRONMENTS = selected(CURVES)


def rate(env, level):
    """The success rate of the scripted endpoint."""
    return CURVES[env](level)


def endpoint(environments=ENVIRONMENTS, rates=rate, tasks=24, **options):
    """A scripted endpoint whose success by level is known."""
    return Endpoint(oracle_of(environments, rates, tasks), **options)


def calibrated(url, environments=ENVIRONMENTS, *, client=None, **options):
    """A calibration of what answers at a URL."""

    async def go():
        settings = {"timeout_s": 20, "retries": 1, "backoff_s": 0.01, **(client or {})}
        async with ChatClient(url, **settings) as line:
            return await calibrate_endpoint(line, "oracle", environments, **options)

    return asyncio.run(go())


def outcomes(calibration):
    """What was attempted, and how it ended."""
    return {each.address: (each.level, each.score, each.status) for each in calibration.attempts}


def estimates(calibration):
    """The report without what differs between runs."""
    report = calibration.report()
    return report.environments, report.mixture(), report.complete
