"""The profile of a model from the report of a calibration."""

from palaestra.profiles import EnvironmentProfile, LevelProfile, Profile
from palaestra.trainers.calibration.reports import Report


def profile_of(report: Report) -> Profile:
    """Return the profile in the report of a calibration: its estimates of levels that it tried."""
    environments = {}
    for each in report.environments:
        levels = {
            level.level: LevelProfile(
                tasks=level.scored,
                samples=1,
                pass_1=level.success.value,
                low=level.success.low,
                high=level.success.high,
            )
            for level in each.levels
            if level.scored
        }
        if levels and "+" not in each.env:
            fingerprint = report.fingerprints.get(each.env)
            environments[each.env] = EnvironmentProfile(fingerprint=fingerprint, levels=levels)
    return Profile(
        model=report.model,
        source="calibration",
        palaestra=report.palaestra,
        date=report.started[:10],
        settings={**report.settings, "answer_formats": [report.answer_format]},
        environments=environments,
    )
