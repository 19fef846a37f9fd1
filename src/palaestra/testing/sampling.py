"""Checks of how tasks are sampled: from the seed alone, apart by split, varied, harder by level."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from statistics import median
from threading import get_ident
from time import process_time
from types import ModuleType
from typing import Any, Self
from unittest.mock import patch

from palaestra.address import Address
from palaestra.combination import Combination
from palaestra.episode import BARE, TAGS, Episode
from palaestra.registry import FOLDER, load
from palaestra.scoring import score
from palaestra.task import Task
from palaestra.testing.players import levels, moves_of, task

SECONDS, DRAWS = 1.0, 3
"""The budget of a task, which the median of some draws has to keep."""

DUPLICATES = 0.05

COUNTED, COUNTED_AT_LEAST, COUNTING_S = 1_000, 200, 2.0
"""Among how many seeds duplicates are counted: as many as these seconds of processor time suffice
for, but at least the second number.
"""

POISONED: dict[ModuleType, str] = {
    random: "random randrange randint choice choices shuffle sample uniform getrandbits",
    time: "time monotonic perf_counter process_time time_ns",
    os: "urandom",
}
"""Functions that no task may be drawn with."""

if find_spec("numpy"):
    import numpy.random

    POISONED[numpy.random] = "rand randn randint random choice shuffle permutation default_rng"


@contextmanager
def poisoned() -> Iterator[None]:
    """Chance and clocks that raise when they are used in this thread."""
    here = get_ident()

    def guard(real: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(*args: Any, **kwargs: Any) -> Any:
            assert get_ident() != here, "chance or a clock other than `rng` was used"
            return real(*args, **kwargs)

        return refuse

    with ExitStack() as stack:
        for module, functions in POISONED.items():
            for function in functions.split():
                real = getattr(module, function)
                stack.enter_context(patch.object(module, function, guard(real)))
        yield


def check_seeded(name: str) -> None:
    """The same seed gives the same task and other seeds others; no other chance is used.

    :func:`check_varied` looks at how many other tasks there are.
    """
    task_type = load(name)
    knobs = task_type.Knobs.at(task_type.Knobs.levels() // 2)
    with poisoned():
        twice = [task_type.sample(random.Random("seed"), knobs) for _ in range(2)]
        assert twice[0] == twice[1], "the same seed gave two tasks"
        forms = {task_type.sample(random.Random(seed), knobs).canonical() for seed in range(5)}
    assert len(forms) >= 3, f"5 seeds gave {len(forms)} tasks"


def check_threads(name: str) -> None:
    """Sixteen threads that draw and solve at once get what one does."""
    task_type = load(name)
    level = task_type.Knobs.levels() // 2
    knobs = task_type.Knobs.at(level)

    def solved(seed: int) -> tuple[str, list[str]]:
        instance = task_type.sample(random.Random(seed), knobs)
        return instance.model_dump_json(), list(instance.solve())

    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(solved, [0, 1] * 8))
    assert together == [solved(0), solved(1)] * 8, "threads disturb each other"


def transcript(name: str) -> str:
    """A digest of tasks of each level and of one for evaluation: what they are, what they say, how
    they are solved and what lazy players say, in which the order of a set would show.
    """
    instances = [task(name, level, level) for level in levels(name)]
    instances.append(Address.of(name, 0, 0, "eval").task())
    lines = [
        (each.model_dump_json(), each.canonical(), Episode(each, TAGS).observation, moves_of(each))
        for each in instances
    ]
    told_of = [
        (list(each.shortcuts()), each.difficulty(), each.random_baseline()) for each in instances
    ]
    return sha256(repr((lines, told_of)).encode()).hexdigest()[:12]


class OtherProcess:
    """A process with another hash seed, which gives the transcripts of many environments."""

    CODE = (
        "import sys; from palaestra.testing import transcript\n"
        "for line in sys.stdin: print(transcript(line.strip()), flush=True)"
    )

    def __init__(self, hash_seed: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", self.CODE],
            env={name: os.environ[name] for name in (FOLDER,) if name in os.environ}
            | {"PYTHONHASHSEED": hash_seed, "PATH": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def transcript(self, name: str) -> str:
        """The transcript of an environment there; empty where the process has died of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            print(name, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BrokenPipeError):
            self._process.communicate()


def check_processes(name: str) -> None:
    """Other processes, with other hash seeds, sample the same tasks, and say and solve the same."""
    for hash_seed in ("1", "2"):
        with OtherProcess(hash_seed) as process:
            check_same_transcript(name, process)


def check_same_transcript(name: str, process: OtherProcess) -> None:
    """Another process samples the same tasks, and says and solves the same."""
    other = process.transcript(name)
    assert other, "another process fails where this one does not, see its error"
    assert other == transcript(name), "another process does otherwise"


def check_split(name: str) -> None:
    """No training seed gives a task that an evaluation seed gives, at any level.

    The canonical form alone decides which of the two a task is for, so the splits are disjoint if
    it is always the same for the same task, and if sampling goes by it. Whether a task is valid
    does not matter to that and may be a long search, so evaluation tasks are sampled without it.
    A combination is held out if and only if its tasks are.
    """
    task_type = load(name)
    base = task_type
    while issubclass(base, Combination):
        base = base.base
    assert base.sample.__func__ is Task.sample.__func__, "`sample` is overridden"  # type: ignore[attr-defined]
    assert base.held_out is Task.held_out, "`held_out` is overridden"
    assert Address.of(name, 0, 0, "eval").task().held_out(), "an evaluation task is not held out"
    for level in levels(name):
        train = [task(name, seed, level) for seed in range(4)]
        with patch.object(task_type, "is_valid", lambda _: True):
            held_out = task_type.sample(
                random.Random(level), task_type.Knobs.at(level), held_out=True
            )
        for each in (*train, held_out):
            again = task_type.model_validate_json(each.model_dump_json())
            assert again.canonical() == each.canonical(), "a task has two canonical forms"
        assert not any(each.held_out() for each in train), (
            f"level {level}: a training task is held out"
        )
        assert held_out.held_out(), f"level {level}: an evaluation task is not held out"
        assert held_out.canonical() not in {each.canonical() for each in train}


def duplicates(
    name: str, level: int, seeds: int = COUNTED, seconds: float = COUNTING_S
) -> tuple[float, int]:
    """The share of seeds that give a task which an earlier one gave, canonically, and the number of
    seeds that were counted.

    These are the first ``seeds``, or fewer where sampling takes longer than ``seconds`` of
    processor time, but 200 at least. The catalog states this share for the middle level.
    """
    forms, start, number = set[str](), process_time(), 0
    while number < seeds:
        forms.add(Address.of(name, number, level).task().canonical())
        number += 1
        if number >= COUNTED_AT_LEAST and process_time() - start > seconds:
            break
    return 1 - len(forms) / number, number


def check_varied(name: str) -> None:
    """At the middle level at most 5 % of the seeds that the catalog counts repeat a task."""
    share, number = duplicates(name, load(name).Knobs.levels() // 2)
    assert share <= DUPLICATES, f"{share:.1%} of {number:,} tasks are repeated"


def yardstick() -> float:
    """The processor time of a fixed computation, as a multiple of what it takes on a processor of
    2023 with nothing else to do (12 ms).
    """
    start = process_time()
    sum(number * number for number in range(200_000))
    return (process_time() - start) / 0.012


def check_quick(name: str) -> None:
    """A task is made, solved and scored within the budget of an exception."""
    task_type = load(name)

    def seconds(seed: int, level: int) -> float:
        start = process_time()
        instance = task_type.sample(random.Random(seed), task_type.Knobs.at(level))
        score(instance, instance.solve(), BARE)
        return process_time() - start

    for level in levels(name):
        # Other work on the machine can slow one draw, but seldom most of them.
        costs = [seconds(level + n * 1_000, level) for n in range(DRAWS)]
        if median(costs) >= SECONDS:  # because of the task, or of a slow or busy processor
            costs = [
                seconds(level + n * 1_000, level) / max(1, median(yardstick() for _ in range(3)))
                for n in range(DRAWS)
            ]
        assert median(costs) < SECONDS, f"level {level} takes too long"
