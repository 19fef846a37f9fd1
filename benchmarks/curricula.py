"""Curricula compared on a learner made of formulas: groups of rollouts until all is mastered.

python benchmarks/curricula.py
"""

from statistics import median

from palaestra.registry import load
from palaestra.trainers.curricula import STRATEGIES, cells, make
from palaestra.trainers.simulated import Course, course

MIXTURE = {"logic/knights_and_knaves": 1.0, "algorithms/sort_six": 1.0, "games/mastermind": 1.0}
RUNS, MOST = 5, 20_000
OPTIONS = {"easy_to_hard": {"steps": 6_000}}


def courses(strategy: str) -> list[Course]:
    """How a curriculum did on several seeds."""
    mixture = cells(MIXTURE)
    levels = {env: load(env).Knobs.levels() for env in MIXTURE}
    return [
        course(make(strategy, mixture, seed, **OPTIONS.get(strategy, {})), levels, MOST, seed=seed)
        for seed in range(RUNS)
    ]


def main() -> None:
    """Prints the table."""
    print("| curriculum | groups to mastery (median) | mastered | groups without a gradient |")
    print("| --- | ---: | ---: | ---: |")
    for strategy in STRATEGIES:
        course = courses(strategy)
        done = [one.groups for one in course if one.groups is not None]
        groups = f"{median(done):,.0f}" if done else f"more than {MOST:,}"
        wasted = median(one.wasted for one in course)
        print(f"| {strategy} | {groups} | {len(done)} of {RUNS} | {wasted:.0%} |")


if __name__ == "__main__":
    main()
