"""Ours beside reasoning-gym's, family by family: rates, and what is earned without any skill.

Theirs is taken at its default settings, ours with cases of about the same size. Both are timed from
a seed to the text of a question. The players without skill are the same for both: they say nothing,
repeat the question, give the answer of another task (the one that earns most), or say what has
fooled judges before. Scores are means over the same number of tasks; the largest over the players
is what counts.
"""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any, Self

from palaestra.address import Address
from palaestra.peer_families import DIRECT, FEW, PEERS, QUESTIONS, SEARCHES, SLOWER
from palaestra.registry import load
from palaestra.rng import Rng
from palaestra.scoring import score
from palaestra.task import JudgeError, Puzzle, Score, Task

TASKS, CONSTANTS = 40, 20
STRETCHES = 5
"""Over how many stretches of time a rate is taken."""

CANARY = "PALAESTRA_BENCH_CANARY"
EXECUTES = f"__import__('os').environ.__setitem__('{CANARY}', '1')"
"""A reply that leaves a harmless trace where it is executed."""

HOSTILE = (
    "nan", "inf", "-1", "0", "1", "None", "True", "[]", "{}", "()", "''", "a", "1e999", "0/0",
    "[nan, nan]", "6+6+6+6", "Integral(f, x)", "lambda: 0", "<answer></answer>", "\\boxed{}",
    "yes no", "0 1 2 3 4 5 6 7 8 9", "{'answer': 1}", "[[1]]", EXECUTES,
)  # fmt: skip


class _OneNumber(Puzzle):
    """The least that a task can be: a random number to be repeated.

    What it takes to draw it, every draw takes: seeding, wording, canonical form, reserve.
    """

    number: int

    @classmethod
    def generate(cls, rng: Random, knobs: Puzzle.Knobs) -> Self:
        return cls(number=rng.randrange(1_000_000))

    def prompt(self) -> str:
        return f"Repeat {self.number}."

    def answer(self) -> str:
        return str(self.number)

    def verify(self, answer: str) -> Score:
        return Score(float(answer == self.answer()))


def least_draw(seconds: float = 0.2) -> float:
    """The least CPU time of drawing a task, in seconds."""
    (rate,) = alternating(seconds, lambda n: sampled_prompt(_OneNumber, _OneNumber.Knobs(), n))
    return 1 / rate


def alternating(seconds: float, *works: Callable[[int], object]) -> list[float]:
    """How often each of several things is done in a second of CPU time.

    The rates are the medians of several stretches, which take turns: what slows the machine down
    for a while slows all of them down. Each work is called with 0, 1, 2, …
    """
    rates: list[list[float]] = [[] for _ in works]
    counts = [0] * len(works)
    for work in works:
        work(0)
    for _ in range(STRETCHES):
        for number, work in enumerate(works):
            first, start = counts[number], process_time()
            elapsed = 0.0
            while elapsed < seconds / STRETCHES:
                work(counts[number])
                counts[number] += 1
                elapsed = process_time() - start
            rates[number].append((counts[number] - first) / elapsed)
    return [median(each) for each in rates]


def sampled_prompt(task_type: type[Task], knobs: Task.Knobs, seed: int) -> str:
    """What the task of a seed asks."""
    return _opening(task_type.sample(Rng(seed), knobs, held_out=False))


def families(names: Sequence[str] = ()) -> list[str]:
    """Those of reasoning-gym's families that are named, or have a counterpart that is; all of them
    where nothing is named. Raises ``ValueError`` for a name of neither.
    """
    ours = {title: address.partition("?")[0] for title, address in PEERS.items()}
    if odd := sorted(set(names) - ours.keys() - set(ours.values())):
        raise ValueError(
            f"no counterpart is known of {odd[0]}; reasoning-gym has {', '.join(PEERS)}"
        )
    return [title for title in PEERS if not names or {title, ours[title]} & set(names)]


def beside(title: str, seconds: float = 0.2) -> dict[str, Any]:
    """All figures of a family of reasoning-gym. Raises ``ModuleNotFoundError`` without it."""
    with redirect_stdout(StringIO()), warnings.catch_warnings():  # some of theirs print
        warnings.simplefilter("ignore")
        return _beside(title, seconds)


def _beside(title: str, seconds: float) -> dict[str, Any]:
    import reasoning_gym

    address = Address.parse(PEERS[title])
    task_type, knobs = load(address.env), address.knobs
    data = reasoning_gym.create_dataset(title, size=500, seed=1)
    items = [data[n] for n in range(TASKS)]
    tasks = [task_type.sample(Rng(seed), knobs, held_out=False) for seed in range(TASKS)]
    moves = [list(task.solve()) for task in tasks]
    draws, peer_draws = alternating(
        seconds, lambda n: sampled_prompt(task_type, knobs, n), lambda n: data[n % 500]
    )
    verdicts, peer_verdicts = alternating(
        seconds,
        lambda n: score(tasks[n % TASKS], moves[n % TASKS], "bare"),
        lambda n: _theirs(data, items[n % TASKS]),
    )
    questions = 1.0
    if title in QUESTIONS:
        questions = mean(len(getattr(task, QUESTIONS[title])) for task in tasks)
    return {
        "env": PEERS[title],
        "peer": title,
        "draws": draws,
        "peer_draws": peer_draws,
        "draw_ratio": draws / peer_draws,
        "questions": questions,
        "verdicts": verdicts,
        "peer_verdicts": peer_verdicts,
        "verdict_ratio": verdicts / peer_verdicts,
        "unskilled": unskilled(
            [_opening(task) for task in tasks],
            [row[0] for row in moves],
            lambda index, reply: _judged(tasks[index], reply),
        ),
        "peer_unskilled": unskilled(
            [item["question"] for item in items],
            [str(item["answer"]) for item in items],
            lambda index, reply: float(data.score_answer(reply, items[index])),
        ),
    }


def _opening(task: Task) -> str:
    """What is asked, without what an answer format says about tags."""
    turn = next(task.play())
    return turn if isinstance(turn, str) else turn.observation


def _judged(task: Task, reply: str) -> float:
    try:
        return score(task, [reply], "bare").value
    except JudgeError:
        return 0.0


def _theirs(data: Any, item: Mapping[str, Any]) -> float:
    return float(data.score_answer(str(item["answer"]), item))


def unskilled(
    questions: Sequence[str], answers: Sequence[str], judge: Callable[[int, str], float]
) -> dict[str, float | bool]:
    """What each player without skill earns, and whether a reply was executed."""
    every = range(len(questions))

    def earned(reply: Callable[[int], str]) -> float:
        return mean(_safely(judge, index, reply(index)) for index in every)

    os.environ.pop(CANARY, None)
    row: dict[str, float | bool] = {
        "blank": earned(lambda index: ""),
        "echo": earned(lambda index: questions[index]),
        "constant": max(
            mean(_safely(judge, index, answer) for index in every if answers[index] != answer)
            if any(each != answer for each in answers) else 1.0
            for answer in dict.fromkeys(answers[:CONSTANTS])
        ),
        "hostile": max(earned(lambda index, reply=reply: reply) for reply in HOSTILE),  # type: ignore[misc]
    }  # fmt: skip
    row["executed"] = CANARY in os.environ
    os.environ.pop(CANARY, None)
    return row


def _safely(judge: Callable[[int, str], float], index: int, reply: str) -> float:
    """A verdict; a judge that fails gives none, which a trainer would see as 0."""
    try:
        return judge(index, reply)
    except Exception:  # noqa: BLE001  it is a peer's, and may raise anything
        return 0.0


def best(baselines: Mapping[str, float | bool]) -> float:
    """The most that any player without skill earns."""
    return max(float(baselines[name]) for name in ("blank", "echo", "constant", "hostile"))


def page(rows: Sequence[Mapping[str, Any]], least: float) -> str:
    """The comparison in Markdown; generating a task takes ``least`` seconds or more."""
    searched = [row for row in rows if row["peer"] in SEARCHES]
    direct = [row for row in rows if row["peer"] in DIRECT]
    slower = sorted(row["peer"] for row in rows if row["draw_ratio"] < 1)
    parts = ["# Comparison with reasoning-gym", _summary(rows, least)]
    if searched:
        parts += [
            "## Where both search, prove or solve",
            (
                f"In the median of these {len(searched)} families, Palaestra generates "
                f"{median(row['draw_ratio'] for row in searched):.1f} times as many tasks."
            ),
            _table(searched, SEARCHES),
        ]
    if direct:
        content = median(row["draw_ratio"] * row["questions"] for row in direct)
        low = [row["peer"] for row in direct if row["draw_ratio"] * row["questions"] < 0.1]
        parts += [
            "## Where reasoning-gym writes a random task down",
            "Here a task of reasoning-gym is a template, a stored item, or random numbers whose "
            "answer follows by computation. Palaestra rejects tasks that an easy guess answers, "
            f"and proves uniqueness where the prompt claims it. In the median of these "
            f"{len(direct)} families, it generates "
            f"{median(row['draw_ratio'] for row in direct):.2f} times as many tasks, and "
            f"{content:.2f} times as many questions: where a task of Palaestra has several of "
            "the questions of which one is a task of reasoning-gym, the ratio of questions "
            "stands in brackets. " + _below(low),
            _table(direct, DIRECT),
        ]
    if slower:
        reasons = "\n".join(f"- {title}: {SLOWER.get(title, FEW)}." for title in slower)
        parts += ["## Where Palaestra generates fewer tasks, and why", reasons]
    return "\n\n".join(parts) + "\n"


def _below(titles: Sequence[str]) -> str:
    """Which families are far slower, and why, where they have a reason of their own."""
    if not titles:
        return "No family is below 0.1."
    reasons = [f" In {title}, {SLOWER[title]}." for title in titles if title in SLOWER]
    return f"Below 0.1: {', '.join(titles)}.{''.join(reasons)}"


def _summary(rows: Sequence[Mapping[str, Any]], least: float) -> str:
    ours, theirs = (
        1e6 / median(row[name] for row in rows) for name in ("verdicts", "peer_verdicts")
    )
    earned = [[best(row[name]) for row in rows] for name in ("unskilled", "peer_unskilled")]
    executed = sum(bool(row["peer_unskilled"]["executed"]) for row in rows)
    return (
        f"The {len(rows)} families below exist in both collections and are compared at about the "
        "same size. Rates are tasks generated and answers judged per second of CPU time; the two "
        "collections take turns in one process. Palaestra judges an answer by rules, in "
        f"{ours:.0f} µs in the median; reasoning-gym, which mostly compares two texts, takes "
        f"{theirs:.1f} µs.\n\n"
        f"Generating a task takes Palaestra at least {1e6 * least:.0f} µs, for the seed, the "
        "canonical form that detects duplicates, and the held-out split; a task of reasoning-gym "
        f"takes {1e6 / median(row['peer_draws'] for row in rows):.0f} µs in the median.\n\n"
        f"Players without skill score more than 0.05 in {sum(n > 0.05 for n in earned[0])} "
        f"families of Palaestra (at most {max(earned[0]):.2f}) and in "
        f"{sum(n > 0.05 for n in earned[1])} of reasoning-gym (at most {max(earned[1]):.2f}). In "
        f"{executed} families, reasoning-gym executed a reply."
    )


def _table(rows: Sequence[Mapping[str, Any]], how: Mapping[str, str]) -> str:
    """Rates and scores, a row for each family, with how reasoning-gym generates a task."""
    lines = [
        (
            "| Palaestra | reasoning-gym | tasks/s | r-g | ratio | judged/s | r-g | ratio "
            "| no skill | r-g | executed by r-g | how reasoning-gym generates it |"
        ),
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|",
    ]
    for row in rows:
        draws, verdicts = (
            f"{row[name]:,.0f} | {row[f'peer_{name}']:,.0f} | {row[ratio]:.2f}"
            for name, ratio in (("draws", "draw_ratio"), ("verdicts", "verdict_ratio"))
        )
        if row["questions"] > 1:
            draws += f" ({row['draw_ratio'] * row['questions']:.2f})"
        theirs = row["peer_unskilled"]
        lines.append(
            f"| {row['env']} | {row['peer']} | {draws} | {verdicts} "
            f"| {best(row['unskilled']):.2f} | {best(theirs):.2f} "
            f"| {'yes' if theirs['executed'] else ''} | {how[row['peer']]} |"
        )
    return "\n".join(lines)
