"""What baseline players make of tasks."""

from collections import Counter
from random import Random


def solved_by(names, tasks):
    """How many of the tasks each of the named players solves."""
    solved = Counter(dict.fromkeys(names, 0))
    for seed, task in enumerate(tasks):
        players = task.baselines(Random(seed))
        for name in names:
            solved[name] += task.verify(players[name]).value == 1
    return solved
