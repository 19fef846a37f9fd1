"""The profile of a model from the report of an evaluation."""

from collections.abc import Mapping
from typing import Any

from palaestra.profiles import EnvironmentProfile, LevelProfile, Profile


def profile_of(report: Mapping[str, Any]) -> Profile:
    """Return the profile in the report of an evaluation, of levels without knobs set by hand.

    Environments with combinators and levels without a scored attempt are left out.
    """
    environments = {
        each["env"]: EnvironmentProfile(
            fingerprint=report["fingerprints"].get(each["env"]), levels=levels
        )
        for each in report["environments"]
        if "+" not in each["env"] and (levels := _levels(each, int(report["samples"])))
    }
    formats = report["scaffold"]["answer_formats"]
    return Profile(
        model=report["model"],
        source="evaluation",
        palaestra=report["palaestra"],
        date=report["started"][:10],
        settings={**report["settings"], "answer_formats": formats},
        environments=environments,
    )


def _levels(environment: Mapping[str, Any], samples: int) -> dict[int, LevelProfile]:
    """The levels of an environment in a report. A cell with knobs has a comma in its name."""
    return {
        each["level"]: _level(each, samples)
        for each in environment["levels"]
        if each["success"] is not None and "=" not in each["cell"]
    }


def _level(figures: Mapping[str, Any], samples: int) -> LevelProfile:
    success, passing = figures["success"], figures["pass_at_k"].get("8")
    return LevelProfile(
        tasks=figures["tasks"],
        samples=samples,
        pass_1=success["value"],
        low=success["low"],
        high=success["high"],
        pass_8=passing and passing["value"],
    )
