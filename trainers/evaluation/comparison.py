"""Two evaluations compared task by task: pass@k, coverage, distinct right answers, support.

Tasks are paired by their address without combinators, since a combinator with the same seed poses
the same task. A seed that gives the problem of another one counts with it. Differences have
percentile bootstrap intervals (Efron 1979): tasks are drawn again, the same for both evaluations.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import Any

from palaestra.address import Address
from palaestra.episode import answer_format_of
from palaestra.task import InvalidAnswer, Task
from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.figures import ks_of
from palaestra.trainers.evaluation.formatting import percent
from palaestra.trainers.evaluation.reports import plain, scaffold_of
from palaestra.trainers.evaluation.running import Evaluation
from palaestra.verifiers.groups import pass_at_k
from palaestra.verifiers.meanings import meaning

RESAMPLES = 1_000
"""How many times tasks are drawn again for an interval."""

COVERAGE = 0.95


class Incomparable(ValueError):
    """Two evaluations of which no task is the same, or whose environments have changed."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The scored attempts of two evaluations at one task, in the order of their samples."""

    env: str
    first: tuple[Attempt, ...]
    second: tuple[Attempt, ...]

    @property
    def sides(self) -> tuple[tuple[Attempt, ...], tuple[Attempt, ...]]:
        """The attempts of both."""
        return self.first, self.second

    @property
    def common(self) -> int:
        """The number of samples that both have."""
        return min(map(len, self.sides))


def compare(
    first: Evaluation, second: Evaluation, *, seed: int = 0, allow_changed: bool = False
) -> dict[str, Any]:
    """The figures of two evaluations over the tasks that both have, as plain values.

    ``changed`` has the environments whose fingerprints differ, which were other versions of the
    same name. Raises :class:`Incomparable` for them unless ``allow_changed``, and where no task is
    in both evaluations.
    """
    changed = changed_environments(first, second)
    if changed and not allow_changed:
        raise Incomparable(
            f"environments have changed between the evaluations: {', '.join(changed)}"
        )
    pairs, unpaired = paired(first.attempts, second.attempts)
    if not pairs:
        raise Incomparable("no task has scored attempts in both evaluations")
    by_env: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_env[pair.env].append(pair)
    return {
        "format": 1,
        "first": _about(first),
        "second": _about(second),
        "differences": differences(first, second),
        "changed": changed,
        "tasks": len(pairs),
        "only_in_first": unpaired[0],
        "only_in_second": unpaired[1],
        "overall": figures(pairs, seed),
        "environments": [
            {"env": env, "tasks": len(own), **figures(own, seed)}
            for env, own in sorted(by_env.items())
        ],
    }


def _about(evaluation: Evaluation) -> dict[str, Any]:
    manifest = evaluation.manifest
    return {
        "model": manifest["same"]["model"],
        "suite": manifest["suite"],
        "samples": manifest["samples"],
        "complete": evaluation.complete,
    }


def differences(first: Evaluation, second: Evaluation) -> dict[str, list[Any]]:
    """The settings and scaffolds that are not the same in both: name, then both values."""
    both = [_scaffold(first), _scaffold(second)]
    names = dict.fromkeys([*both[0], *both[1]])
    return {
        name: [each.get(name) for each in both]
        for name in names
        if both[0].get(name) != both[1].get(name)
    }


def _scaffold(evaluation: Evaluation) -> dict[str, Any]:
    """What is around the tasks: the settings, the answer formats and the combinators."""
    same = evaluation.manifest["same"]
    settings = {name: value for name, value in same.items() if name not in {"suite", "settings"}}
    settings.pop("fingerprints", None)
    return settings | dict(same["settings"]) | scaffold_of(evaluation.manifest)


def changed_environments(first: Evaluation, second: Evaluation) -> list[str]:
    """The environments in both evaluations whose fingerprints differ."""
    one, other = (each.manifest["same"].get("fingerprints", {}) for each in (first, second))
    return sorted(name for name in one.keys() & other.keys() if one[name] != other[name])


def base_of(address: str) -> str:
    """An address without combinators, and without a version, which is that of the combination.

    Whether the environments are the same in both evaluations is what fingerprints tell.

    >>> base_of("logic/zebra_puzzle+retry(3,verdict)@3?houses=5&seed=7")
    'logic/zebra_puzzle?houses=5&seed=7'
    """
    name, _, rest = address.partition("@")
    return f"{name.partition('+')[0]}?{rest.partition('?')[2]}"


def paired(
    first: Iterable[Attempt], second: Iterable[Attempt]
) -> tuple[list[Pair], tuple[int, int]]:
    """The tasks of which both have scored attempts, and the numbers of tasks of one alone."""
    problems: dict[str, str] = {}
    sides: list[dict[str, list[Attempt]]] = []
    for attempts in (first, second):
        tasks: dict[str, list[Attempt]] = defaultdict(list)
        for each in attempts:
            if each.score is not None:
                address = base_of(each.address)
                # A problem goes by the first evaluation's digest, which leaves combinators out.
                key = problems.setdefault(address, f"{each.env} {each.cell} {each.problem}")
                tasks[key].append(each)
        sides.append(tasks)
    one, other = sides
    for tasks in sides:
        for own in tasks.values():
            own.sort(key=lambda each: (each.sample, each.address))
    pairs = [
        Pair(own[0].env.partition("+")[0], tuple(own), tuple(other[key]))
        for key, own in sorted(one.items())
        if key in other
    ]
    return pairs, (len(one.keys() - other.keys()), len(other.keys() - one.keys()))


# ------------------------------------------------------------------ figures


def figures(pairs: Sequence[Pair], seed: int = 0) -> dict[str, Any]:
    """The figures of both evaluations over paired tasks, with the differences second - first."""
    wins = [[sum(each.score == 1 for each in side) for side in pair.sides] for pair in pairs]
    sizes = [[len(side) for side in pair.sides] for pair in pairs]
    most = max(pair.common for pair in pairs)
    passes = {}
    for k in ks_of(most):
        values = [
            [pass_at_k(n, c, k) for n, c in zip(size, won)]
            for size, won in zip(sizes, wins)
            if min(size) >= k
        ]
        passes[str(k)] = contrast(values, seed)
    covered = [
        [pass_at_k(n, c, pair.common) for n, c in zip(size, won)]
        for pair, size, won in zip(pairs, sizes, wins)
    ]
    scores = [[fmean(each.score or 0 for each in side) for side in pair.sides] for pair in pairs]
    return {
        "pass_at_k": passes,
        "score": contrast(scores, seed),
        "coverage": contrast(covered, seed),
        "distinct": contrast([distinct(pair) for pair in pairs], seed),
        "support": support(wins, seed),
    }


def distinct(pair: Pair) -> list[float]:
    """The expected numbers of different right answers in as many samples as both have."""
    return [expected_distinct(_right_answers(side), len(side), pair.common) for side in pair.sides]


def _right_answers(attempts: Iterable[Attempt]) -> list[int]:
    """How often each right answer was given; answers are equal that say the same."""
    counts: dict[Any, int] = defaultdict(int)
    for each in attempts:
        if each.score == 1:
            counts[_answer(each)] += 1
    return list(counts.values())


def _answer(attempt: Attempt) -> Any:
    answer_format = answer_format_of(attempt.answer_format)
    try:
        moves = "\n".join(map(answer_format.read, attempt.replies))
    except InvalidAnswer:
        moves = "\n".join(attempt.replies)
    return meaning(_task(attempt.address), moves)


@lru_cache(maxsize=256)
def _task(address: str) -> Task:
    return Address.parse(address).task()


def expected_distinct(counts: Sequence[int], n: int, k: int) -> float:
    """The expected number of different right answers among ``k`` of ``n`` samples without bias.

    ``counts`` says how often each right answer is among the ``n``. An answer that is there c times
    is missed by k samples with the chance C(n - c, k) / C(n, k).

    >>> expected_distinct([1, 1], 2, 1), expected_distinct([3, 1], 4, 4)
    (1.0, 2.0)
    """
    return sum(pass_at_k(n, count, k) for count in counts)


def support(wins: Sequence[Sequence[int]], seed: int = 0) -> dict[str, Any]:
    """The tasks that one evaluation solves at least once and the other never."""
    gained = [float(second > 0 == first) for first, second in wins]
    lost = [float(first > 0 == second) for first, second in wins]
    return {
        "both": sum(first > 0 and second > 0 for first, second in wins),
        "neither": sum(first == 0 == second for first, second in wins),
        "gained": {"tasks": int(sum(gained)), **_share(gained, seed)},
        "lost": {"tasks": int(sum(lost)), **_share(lost, seed)},
    }


def contrast(values: Sequence[Sequence[float]], seed: int = 0) -> dict[str, Any]:
    """The means of both evaluations and their difference with its paired bootstrap interval."""
    first, second = (fmean(side) for side in zip(*values))
    changes = [two - one for one, two in values]
    low, high = bootstrap(changes, seed)
    return {
        "tasks": len(values),
        "first": round(first, 6),
        "second": round(second, 6),
        "difference": {"value": round(second - first, 6), "low": low, "high": high},
    }


def _share(values: Sequence[float], seed: int) -> dict[str, float]:
    low, high = bootstrap(values, seed)
    return {"value": round(fmean(values), 6), "low": low, "high": high}


def bootstrap(
    values: Sequence[float],
    seed: int = 0,
    statistic: Callable[[Sequence[float]], float] = fmean,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of a statistic of one value for each task.

    >>> bootstrap([0.25] * 8)
    (0.25, 0.25)
    """
    rng = random.Random(f"bootstrap {seed}")
    tail = (1 - COVERAGE) / 2
    resampled = sorted(statistic(rng.choices(values, k=len(values))) for _ in range(resamples))
    low, high = resampled[int(tail * resamples)], resampled[int((1 - tail) * resamples) - 1]
    return round(low, 6), round(high, 6)


# ------------------------------------------------------------------ in words


def markdown(comparison: Mapping[str, Any]) -> str:
    """A comparison in Markdown."""
    names = [comparison[side]["model"] for side in ("first", "second")]
    lines = [f"# {plain(names[1])} compared with {plain(names[0])}", ""]
    counts = [f"{comparison[name]:,}" for name in ("tasks", "only_in_first", "only_in_second")]
    lines.append("{} tasks are in both, {} in the first alone, {} in the second.".format(*counts))
    if comparison["changed"]:
        changed = ", ".join(comparison["changed"])
        lines += ["", f"**Environments have changed between the evaluations: {changed}.**"]
    if comparison["differences"]:
        lines += ["", "| setting | first | second |", "|---|---|---|"]
        for name, (one, other) in comparison["differences"].items():
            lines.append(f"| {name} | {plain(one)} | {plain(other)} |")
    lines += ["", *_table("all", comparison["overall"])]
    for env in comparison["environments"] if len(comparison["environments"]) > 1 else ():
        lines += ["", f"## {env['env']}", "", *_table("", env)]
    return "\n".join([*lines, ""])


def _table(name: str, row: Mapping[str, Any]) -> list[str]:
    lines = [f"| {name} | tasks | first | second | difference |", "|---|---:|---:|---:|---:|"]
    for k, each in row["pass_at_k"].items():
        lines.append(_line(f"pass@{k}", each, percent))
    lines.append(_line("score", row["score"], percent))
    lines.append(_line("coverage", row["coverage"], percent))
    lines.append(_line("distinct right answers", row["distinct"], "{:.2f}".format))
    held = row["support"]
    for label in ("gained", "lost"):
        each = held[label]
        span = f"{percent(each['value'])} [{100 * each['low']:.1f}, {100 * each['high']:.1f}]"
        lines.append(f"| support {label} | {each['tasks']} | | | {span} |")
    return lines


def _line(name: str, row: Mapping[str, Any], shown: Callable[[float], str]) -> str:
    change = row["difference"]
    scale, digits = (100, 1) if shown is percent else (1, 2)
    value, low, high = (f"{scale * change[end]:+.{digits}f}" for end in ("value", "low", "high"))
    figure = f"{value} [{low}, {high}]"
    return (
        f"| {name} | {row['tasks']} | {shown(row['first'])} | {shown(row['second'])} | {figure} |"
    )
