"""An endpoint whose success by level is known: the solvers answer, right or wrong by a curve.

With it a calibration can be tried without a model, and its estimates compared with the truth::

    python -m palaestra.trainers.calibration.oracle logic games/mastermind --crossing 1.5

An attempt at a level succeeds with probability 1 / (1 + exp(-steepness · (crossing - level))).
Outcomes are digests of the tasks, so that they do not differ between runs.
"""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence

from palaestra.address import Address
from palaestra.extras import needs
from palaestra.trainers.calibration.design import TASKS
from palaestra.trainers.calibration.ladders import address_of, selected
from palaestra.trainers.evaluation.oracle import Oracle, build


def curve(crossing: float, steepness: float) -> Callable[[int], float]:
    """Return the success rate by level of a logistic curve.

    >>> round(curve(2.0, 1.0)(2), 2), round(curve(2.0, 1.0)(4), 2)
    (0.5, 0.12)
    """
    return lambda level: 1 / (1 + math.exp(min(500.0, -steepness * (crossing - level))))


def oracle_of(
    environments: Mapping[str, Sequence[int]],
    rate: Callable[[str, int], float],
    tasks: int = TASKS,
    answer_format: str = "tags",
) -> Oracle:
    """Return an oracle for calibrations with at most as many tasks of an environment.

    ``rate(env, level)`` is the probability of success.
    """
    levels: dict[Address, tuple[str, int]] = {
        address_of(env, level, number): (env, level)
        for env, own in environments.items()
        for level in own
        for number in range(tasks)
    }
    known = [(address, answer_format) for address in levels]
    return Oracle(known, lambda address: 1 - rate(*levels[address]))


def main(argv: Sequence[str] | None = None) -> None:
    """Serve an oracle."""
    with needs("server", "uvicorn"):
        import uvicorn

    parser = argparse.ArgumentParser("palaestra.trainers.calibration.oracle", description=__doc__)
    parser.add_argument("names", nargs="+", help="environments, categories or patterns")
    parser.add_argument("--crossing", type=float, default=1.5, help="the level of 50 %% success")
    parser.add_argument("--steepness", type=float, default=1.5, help="logits by level")
    parser.add_argument("--tasks", type=int, default=TASKS, help="most tasks of an environment")
    parser.add_argument("--answer-format", default="tags", help="how answers are marked")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=8001, help="the port to listen on")
    options = parser.parse_args(argv)
    by_level = curve(options.crossing, options.steepness)
    oracle = oracle_of(
        selected(options.names), lambda _, level: by_level(level), options.tasks,
        options.answer_format,
    )  # fmt: skip
    uvicorn.run(build(oracle), host=options.host, port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
