"""How well classifiers tell tasks without a solution from others by the text of their prompts.

    python -m benchmarks.unanswerable [ENVIRONMENT ...] [--tasks N] [--level L]

A linear classifier and the best single statistic are fitted on one half of the tasks and tried on
the other, as in the tests, but on more tasks. A guess is right in one half of them, with the
standard deviation that is printed.
"""

import argparse

from tests.combinators.test_unanswerable import FITTING, accuracies, statistics

from palaestra.address import Address
from palaestra.combinators.unanswerable import UnanswerablePuzzle


def shown(name: str, seed: int, level: int) -> tuple[str, bool]:
    """The prompt of a task, and whether the task has no solution."""
    task = Address.of(f"{name}+unanswerable", seed, level).task()
    assert isinstance(task, UnanswerablePuzzle)
    return task.shown().prompt(), task.altered is not None


def main() -> None:
    """Print the shares of right guesses of each environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environments", nargs="*", default=FITTING)
    parser.add_argument("--tasks", type=int, default=800)
    parser.add_argument("--level", type=int, default=1)
    options = parser.parse_args()
    print(f"standard deviation of a guess: {0.5 / options.tasks**0.5:.3f}")
    for name in options.environments:
        tasks = [shown(name, seed, options.level) for seed in range(options.tasks)]
        rows = [statistics(prompt) for prompt, _ in tasks]
        linear, single = accuracies(rows, [impossible for _, impossible in tasks])
        print(f"{name:28} linear {linear:.2f}  single {single:.2f}", flush=True)


if __name__ == "__main__":
    main()
