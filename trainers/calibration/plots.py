"""Plots of a calibration: small multiples of success by level, one image for each category."""

from collections import defaultdict
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from palaestra.trainers.calibration.reports import EnvironmentReport, Report

FOLDER = "plots"

COLUMNS = 4
"""Panels in a row."""

PANEL = (2.9, 2.1)
"""Width and height of a panel, in inches."""


def plot(report: "Report", folder: Path) -> list[Path]:
    """Write ``plots/<category>.png``, and return the files; none without matplotlib.

    A panel shows the target, the estimates with their 95 % intervals as a line in a band, and the
    fractions of right attempts with Jeffreys' intervals as points.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return []
    by_category: dict[str, list[EnvironmentReport]] = defaultdict(list)
    for environment in report.environments:
        if any(level.scored for level in environment.levels):
            by_category[environment.env.partition("/")[0]].append(environment)
    (folder / FOLDER).mkdir(exist_ok=True)
    files = []
    for category, environments in by_category.items():
        columns = min(COLUMNS, len(environments))
        rows = ceil(len(environments) / columns)
        figure = Figure(figsize=(PANEL[0] * columns, PANEL[1] * rows), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
        panels = [axes for row in grid for axes in row]
        for axes, environment in zip(panels, environments):
            _draw(axes, environment, report.target)
        for axes in panels[len(environments) :]:
            axes.set_visible(False)
        files.append(folder / FOLDER / f"{category}.png")
        figure.savefig(files[-1], dpi=110)
    return files


def _draw(axes: Any, environment: "EnvironmentReport", target: tuple[float, float]) -> None:
    """Draw an environment into its panel."""
    levels = [each.level for each in environment.levels]
    estimates = [each.success for each in environment.levels]
    axes.axhspan(*target, color="tab:green", alpha=0.12, lw=0)
    bounds = [each.low for each in estimates], [each.high for each in estimates]
    axes.fill_between(levels, *bounds, color="tab:blue", alpha=0.2, lw=0)
    axes.plot(levels, [each.value for each in estimates], color="tab:blue", lw=1.6)
    tried = [(each.level, each.raw) for each in environment.levels if each.raw is not None]
    values = [raw.value for _, raw in tried]
    errors = [
        [raw.value - raw.low for _, raw in tried],
        [raw.high - raw.value for _, raw in tried],
    ]
    axes.errorbar(
        [level for level, _ in tried], values, errors, fmt="o", ms=3.5, lw=0.8, color="0.25"
    )
    axes.set_title(environment.env.partition("/")[2], fontsize=8)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xticks(levels)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
