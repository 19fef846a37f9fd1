"""The learning curve of the reference trainer that the README shows.

    python -m benchmarks.learning_curve [--out docs/images]

Trains a decoder of 0.1 M parameters as examples/sorting.yaml says, on one core, and draws the score
on held-out tasks and the mean reward of training by step. Needs palaestra[train].
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

CONFIG = Path(__file__).parents[1] / "examples" / "sorting.yaml"
GREY = "#808080"  # legible on light and dark pages


def train(folder: Path) -> tuple[list[dict[str, float]], float]:
    """The lines of a run's log, and the seconds that it took."""
    command = [sys.executable, "-m", "palaestra", "train", str(CONFIG), "--out", str(folder)]
    start = perf_counter()
    subprocess.run(command, check=True, env=os.environ | {"OMP_NUM_THREADS": "1"})
    seconds = perf_counter() - start
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()], seconds


def draw(lines: list[dict[str, float]], file: Path) -> None:
    """Write the curve as SVG, without a ground."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "palaestra"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 2.6))
    for key, label, colour in (
        ("reward", "mean reward in training", "#8cb8d8"),
        ("eval_score", "score on held-out tasks", "#d55e00"),
    ):
        points = [(line["step"], line[key]) for line in lines if key in line]
        axes.plot(*zip(*points, strict=True), label=label, color=colour, linewidth=2)
    axes.set(xlabel="GRPO step", ylim=(0, 1), xlim=(0, None))
    axes.tick_params(colors=GREY)
    axes.xaxis.label.set_color(GREY)
    for side in axes.spines.values():
        side.set_color(GREY)
    axes.legend(frameon=False, labelcolor=GREY, loc="lower right")
    figure.tight_layout()
    figure.savefig(file, transparent=True, metadata={"Date": None})


def main() -> None:
    """Train, draw, and print what was reached."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=CONFIG.parents[1] / "docs" / "images")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        lines, seconds = train(Path(folder))
    draw(lines, options.out / "learning_curve.svg")
    scores = [line["eval_score"] for line in lines if "eval_score" in line]
    print(f"held-out score {scores[0]:.2f} → {scores[-1]:.2f} in {seconds:.0f} s")


if __name__ == "__main__":
    main()
