"""A plot of a ranking: the rating of each player with its interval."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palaestra.trainers.ranking.ratings import Standing

FILE = "ranking.png"


def plot(rows: Sequence["Standing"], folder: Path) -> Path | None:
    """Write ``ranking.png`` and return it; None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(6.4, 1.0 + 0.36 * len(rows)), layout="constrained")
    axes = figure.subplots()
    ratings = [row.rating for row in rows]
    below = [row.rating - row.low for row in rows]
    above = [row.high - row.rating for row in rows]
    axes.errorbar(ratings, range(len(rows)), xerr=[below, above], fmt="o", ms=5, color="tab:blue")
    axes.set_yticks(range(len(rows)), [row.player for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("rating, with the interval of 95 %")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.savefig(folder / FILE, dpi=130)
    return folder / FILE
