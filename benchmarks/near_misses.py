"""How well a classifier finds the right one among options without knowing what the task asks.

    python -m benchmarks.near_misses [ENVIRONMENT ...] [--train N] [--test N]

For each environment, a logistic regression is fitted to surface features of the options of
``choices(4)`` at the middle level, and chooses the most probable option of other tasks, where a
guess is right in one of four. The features are counts of words, numbers, repetitions and
characters, also relative to the other options; they are not those by which near misses are chosen.
Without arguments, all environments with claims that need no programs to be run are measured.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import gcd
from statistics import fmean, median
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from palaestra.address import Address
from palaestra.combinators.choices import ChoicesPuzzle
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import NoValidTask

Array = NDArray[np.float64]

BINS = 48
"""How many features the characters and pairs of characters are hashed to."""

STEPS, RATE, PENALTY = 300, 0.5, 3.0
"""Steps and rate of the gradient descent, and the weight of the squared coefficients."""


def features(option: str, prompt: str) -> Array:
    """Surface features of an option."""
    tokens = re.findall(r"\d+|[^\W\d_]+|[^\w\s]|_", option)
    words = [token for token in tokens if token.isalpha()]
    numerals = [token[:15] for token in tokens if token.isdecimal()]
    numbers = list(map(int, numerals)) or [0]
    lines = option.splitlines()
    items = [item.strip() for item in re.split(r"[,;\n]", option)]
    known = set(re.findall(r"\d+|[^\W\d_]+", prompt))
    counts = Counter(option)
    letters = [each for each in option if each.isalnum()]
    fractions = re.findall(r"(\d{1,15})/(\d{1,15})", option)
    labels = [prompt.find(line.partition(":")[0]) for line in lines if ":" in line]
    values = [
        len(option),
        len(tokens),
        sum(word not in known for word in words),
        sum(numeral not in known for numeral in numerals),
        *(len(each) - len(set(each)) for each in (words, numerals, items, lines)),
        sum(one > other for one, other in pairwise(numbers)),
        sum(one > other for one, other in pairwise(words)),
        sum(one == other for one, other in pairwise(tokens)),
        sum(one > other for one, other in pairwise(labels)),
        sum(len(numeral) - len(numeral.rstrip("0")) for numeral in numerals),
        sum(gcd(int(a), int(b)) > 1 for a, b in fractions),
        *(np.log1p(size) for size in (max(numbers), min(numbers), sum(numbers))),
        *(sum(numbers) % modulus for modulus in (2, 3, 9, 10)),
        *(end % 2 for end in (numbers[0], numbers[-1])),
        sum(number == 0 for number in numbers),
        len(counts),
        sum(count == 1 for count in counts.values()),
        letters == letters[::-1],
        option in prompt,
        sum(one == other for one, other in re.findall(r"(\w+) ?-> ?(\w+)", option)),
    ]
    hashed = np.zeros(BINS)
    for gram in [*option, *map("".join, pairwise(option))]:
        hashed[crc32(gram.encode()) % BINS] += 1
    return np.concatenate([np.array(values, dtype=float), hashed / (1 + len(option))])


def rows(task: ChoicesPuzzle) -> Array:
    """A row of features for each option, also relative to the other options."""
    own = np.array([features(option, task.task.prompt()) for option in task.options])
    return np.hstack([own, own - own.mean(0), own == own.min(0), own == own.max(0)])


def fitted(inputs: Array, targets: Array) -> Callable[[Array], Array]:
    """A logistic regression: the function from rows to their log odds."""
    mean, deviation = inputs.mean(0), inputs.std(0) + 1e-9

    def scaled(some: Array) -> Array:
        standard = np.clip((some - mean) / deviation, -5, 5)
        return np.hstack([standard, np.ones((len(some), 1))])

    design, weights = scaled(inputs), np.zeros(inputs.shape[1] + 1)
    for _ in range(STEPS):
        odds = np.clip(design @ weights, -30, 30)
        gradient = design.T @ (1 / (1 + np.exp(-odds)) - targets)
        weights -= RATE * (gradient + PENALTY * np.append(weights[:-1], 0)) / len(targets)
    return lambda some: scaled(some) @ weights


def accuracy(name: str, train: int, test: int) -> float:
    """The share of tasks whose right option the classifier finds."""
    tasks: list[ChoicesPuzzle] = []
    for seed in range(train + test):
        task = Address.of(f"{name}+choices(4)", seed, load(name).Knobs.levels() // 2).task()
        assert isinstance(task, ChoicesPuzzle)
        tasks.append(task)
    inputs = [rows(task) for task in tasks]
    targets = np.concatenate([np.eye(len(task.options))[task.right] for task in tasks[:train]])
    model = fitted(np.concatenate(inputs[:train]), targets)
    return fmean(
        int(model(each).argmax()) == task.right for each, task in zip(inputs[train:], tasks[train:])
    )


def measurable(names: Sequence[str]) -> list[str]:
    """The environments that ``choices`` applies to."""
    result = []
    for name in names:
        try:
            load(f"{name}+choices(4)")
        except UnknownEnvironment:
            continue
        result.append(name)
    return result


def main() -> None:
    """Print the accuracy for each environment, and a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environments", nargs="*", default=sorted(names()))
    parser.add_argument("--train", type=int, default=120)
    parser.add_argument("--test", type=int, default=80)
    options = parser.parse_args()
    print(f"a guess: 0.25, standard deviation {(0.25 * 0.75 / options.test) ** 0.5:.3f}")
    shares = []
    for name in measurable(options.environments):
        try:
            shares.append(accuracy(name, options.train, options.test))
        except NoValidTask as error:
            print(f"{name:40} {error}", flush=True)
        else:
            print(f"{name:40} {shares[-1]:.2f}", flush=True)
    print(
        f"{len(shares)} environments: mean {fmean(shares):.2f}, median {median(shares):.2f}, "
        f"{sum(share >= 0.4 for share in shares)} at 0.40 or more, "
        f"{sum(share >= 0.6 for share in shares)} at 0.60 or more"
    )


if __name__ == "__main__":
    main()
