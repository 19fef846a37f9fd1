"""What a decoder of a million parameters learns of the lowest level of each environment.

    python -m benchmarks.lowest_levels [ENVIRONMENT ...] [--seconds S] [--tasks N] [--jobs N]
        [--results FILE] [--page]

The small decoder of the reference trainer starts from random weights and imitates the oracle on
training tasks of level 0 for ``--seconds`` of CPU time of its process, in one thread; drawing the
tasks counts. It then plays ``--tasks`` reserved tasks, taking the likeliest token each time. The
results file has a JSON line for each environment, written as soon as it is measured; a rerun
measures only what is missing there for the environment's version and these settings. ``--page``
writes docs/lowest_levels.md from the results file. Needs ``palaestra[train]``.
"""

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import count
from math import cos, pi
from pathlib import Path
from statistics import fmean, median
from time import process_time
from typing import Any, Literal

import palaestra
from palaestra.address import Address
from palaestra.registry import load
from palaestra.trainers.demonstrations import Demonstration
from palaestra.trainers.grpo import setup
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.trainer import Trainer

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "lowest_levels.jsonl"
"""Committed, so that a rerun anywhere measures only what is missing or of another version."""
PAGE = ROOT / "docs" / "lowest_levels.md"

REACH = 0.05
"""Share of right answers, and advance of the score on that of random answers, from which the lowest
level counts as within reach.
"""

RISING, LAST_RATE = 0.05, 0.02
"""Share of the time in which the learning rate rises, and the share of the rate left at the end."""


@dataclass(frozen=True)
class Settings:
    """How the decoder is trained and examined."""

    seconds: float = 60.0
    tasks: int = 200
    width: int = 208
    layers: int = 2
    heads: int = 8
    batch: int = 16
    learning_rate: float = 1e-3
    context: int = 2048
    tokenizer: Literal["characters", "phrases"] = "phrases"

    def config(self, env: str) -> Config:
        """Return the run of the reference trainer for an environment."""
        return Config(
            environments={env: 1.0}, levels=(0,), answer_format="silent", tokenizer=self.tokenizer,
            width=self.width, layers=self.layers, heads=self.heads, max_turns=64,
            sampling_batch=32, microbatch_tokens=4_096, device="cpu", threads=1,
        )  # fmt: skip


@dataclass(frozen=True)
class Result:
    """What was measured for one environment.

    ``tokens`` is the median length of an oracle's episode. ``score`` and ``right`` are the mean
    score and the share of right answers on reserved tasks; they are None if episodes are longer
    than the context, in which case nothing was trained. ``parameters`` and ``loss`` are None where
    only the row of the table was kept.
    """

    env: str
    version: int
    settings: Mapping[str, Any]
    tokens: int
    random_baseline: float
    parameters: int | None = None
    steps: int = 0
    score: float | None = None
    right: float | None = None
    loss: float | None = None

    @property
    def key(self) -> str:
        """What a rerun compares."""
        return key_of(self.env, self.version, self.settings)

    @property
    def is_within_reach(self) -> bool:
        """Whether enough answers are right, and more than random ones would be."""
        if self.right is None or self.score is None:
            return False
        return self.right >= REACH and self.score >= self.random_baseline + REACH


def key_of(env: str, version: int, settings: Mapping[str, Any]) -> str:
    """The environment, its version and the settings, as one text."""
    return f"{env}@{version} {json.dumps(dict(settings), sort_keys=True)}"


def measure(env: str, settings: Settings) -> Result:
    """Train on the oracle's answers of level 0, and play reserved tasks."""
    start = process_time()
    trainer = Trainer(settings.config(env))
    tokens = int(median(oracle_lengths(trainer, env)))
    reserved = [Address.of(env, seed, 0, "eval").task() for seed in range(settings.tasks)]
    random_baseline = fmean(task.random_baseline() for task in reserved)
    plain = env, load(env).version, asdict(settings), tokens, random_baseline
    if tokens > settings.context:
        return Result(*plain)
    steps, loss = train(trainer, env, settings, process_time() - start)
    rollouts = trainer.rollouts_on_reserved_seeds(settings.tasks, temperature=0.0)
    values = [value for one in rollouts if (value := one.value) is not None]
    return Result(
        *plain, sum(weight.numel() for weight in trainer.model.parameters()), steps,
        fmean(values), fmean(value == 1 for value in values), loss,
    )  # fmt: skip


def oracle_lengths(trainer: Trainer, env: str) -> Iterator[int]:
    """The tokens of some episodes that the oracle plays."""
    for seed in range(setup.PROBES):
        shown = Demonstration.of(Address.of(env, seed, 0), trainer.player.answer_format)
        yield len(shown.rollout(trainer.tokenizer, sys.maxsize).ids)


def train(trainer: Trainer, env: str, settings: Settings, spent: float) -> tuple[int, float]:
    """Imitate the oracle until the CPU time is over, of which some is spent already.

    Returns the steps taken, and the mean loss of a token of a reply in the last step, in nats.
    """
    start, seeds, steps, loss = process_time() - spent, count(setup.PROBES), 0, 0.0
    optimizer = setup.make_optimizer(trainer.model, settings.learning_rate, 0.0)
    while (done := (process_time() - start) / settings.seconds) < 1 or not steps:
        addresses = [Address.of(env, next(seeds), 0, "train") for _ in range(settings.batch)]
        loss = trainer.imitate(addresses, optimizer, learning_rate(settings, done))
        steps += 1
    return steps, loss


def learning_rate(settings: Settings, done: float) -> float:
    """The learning rate after a share of the time: it rises linearly, then falls as a cosine."""
    if done < RISING:
        return settings.learning_rate * max(done / RISING, LAST_RATE)
    falling = (1 + cos(pi * min(1.0, (done - RISING) / (1 - RISING)))) / 2
    return settings.learning_rate * (LAST_RATE + (1 - LAST_RATE) * falling)


def load_results(file: Path) -> list[Result]:
    """The results in a file, none if it does not exist."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [Result(**json.loads(line)) for line in lines]


def measure_missing(
    names: Iterable[str], settings: Settings, file: Path, jobs: int
) -> dict[str, BaseException]:
    """Measure what the results file lacks, in so many processes, and append each result to it.

    Returns the errors of the environments that could not be measured.
    """
    known = {result.key for result in load_results(file)}
    missing = [
        name for name in names if key_of(name, load(name).version, asdict(settings)) not in known
    ]
    errors: dict[str, BaseException] = {}
    file.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as threads:
        futures = {threads.submit(measure_alone, name, settings): name for name in missing}
        for future in as_completed(futures):
            name, error = futures[future], future.exception()
            if error is not None:
                errors[name] = error
                print(f"{name}: {error!r}", file=sys.stderr, flush=True)
                continue
            with file.open("a", encoding="utf-8") as results:
                results.write(json.dumps(asdict(future.result())) + "\n")
            print(row(future.result()), flush=True)
    return errors


def measure_alone(env: str, settings: Settings) -> Result:
    """Measure in a process of its own, whose CPU time and memory are those of one run. Where it is
    killed, other environments are measured all the same.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(measure, env, settings).result()


HEAD = """\
# Lowest levels

A small decoder, trained for a minute, shows whether the lowest level of an environment is within
reach of a small model. For each environment, the reference trainer's decoder ({layers} layers of
width {width}, {heads} heads, about a million parameters, random initial weights) imitates the
oracle on training tasks of level 0 for {seconds:g} seconds of CPU time in one thread, the time to
generate the tasks included. It then plays {tasks} held-out tasks, always with the most likely
token. `python -m benchmarks.lowest_levels --page` makes the runs and writes this page.

Prompts have no instructions on the answer format (`answer_format: silent`), and a token is a
character or a passage that prompts share (`tokenizer: phrases`). The loss is the mean over the
tokens of the replies. A step takes {batch} new tasks; the learning rate of AdamW rises to
{learning_rate:g} in the first twentieth of the time and then falls to a fiftieth of that as a
cosine. In tasks with several turns the decoder imitates the oracle's whole episode and plays an
episode itself.

"Tokens" is the median length of the oracle's episode with its prompt, and "tasks" the number of
tasks that the decoder was trained on: where episodes are long, it has seen few of them. "Right" is
the share of held-out tasks with a score of 1, "score" the mean score, and "random" the mean of
`random_baseline`. A minute of CPU time is not always the same number of steps, so repetitions
differ by a few hundredths. A level is within reach if at least {reach:.0%} of the answers are right
and the score is at least {reach} above that of random answers. The environments of the second table
are tasks for larger models, or for longer training.
"""

TABLE = "| environment | tokens | tasks | right | score | random |\n|---|---:|---:|---:|---:|---:|"


def row(result: Result) -> str:
    """A result as a row of the table."""
    if result.right is None:
        figures = "| | | "
    else:
        trained = int(result.steps * result.settings["batch"])
        figures = f"{trained:,} | {result.right:.2f} | {result.score:.2f} | "
    return f"| {result.env} | {result.tokens:,} | {figures}{result.random_baseline:.3f} |"


def page(results: Sequence[Result], missing: int = 0) -> str:
    """The page of some results with the same settings; ``missing`` environments have none."""
    trained = [each for each in results if each.right is not None]
    trained.sort(key=lambda each: (-(each.right or 0.0), -(each.score or 0.0), each.env))
    within = [each for each in trained if each.is_within_reach]
    beyond = [each for each in trained if not each.is_within_reach]
    long = sorted((each for each in results if each.right is None), key=lambda each: each.env)
    settings = results[0].settings
    others = f" {missing} others are not measured yet." if missing else ""
    parts = [
        HEAD.format(**settings, reach=REACH),
        f"Of {len(trained)} environments, {len(within)} are within reach.{others}\n",
        "## Within reach\n",
        table(within),
        "## Beyond reach\n",
        table(beyond),
        "## Too long\n",
        f"The oracle's episodes have more than {settings['context']:,} tokens; not trained.\n",
        table(long),
    ]
    return "\n".join(parts)


def table(results: Sequence[Result]) -> str:
    """Some results as a table, or that there are none."""
    return "\n".join([TABLE, *map(row, results), ""]) if results else "None.\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure environments, and write the page."""
    parser = argparse.ArgumentParser("benchmarks.lowest_levels", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ENVIRONMENT", help="default: all")
    parser.add_argument("--seconds", type=float, default=Settings.seconds)
    parser.add_argument("--tasks", type=int, default=Settings.tasks)
    parser.add_argument("--jobs", type=int, default=1, help="processes, with one thread each")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, nargs="?", const=PAGE, help=f"default: {PAGE.name}")
    options = parser.parse_args(argv)
    settings = Settings(seconds=options.seconds, tasks=options.tasks)
    names = options.names or palaestra.names()
    errors = measure_missing(names, settings, options.results, options.jobs)
    if options.page:
        keys = {key_of(name, load(name).version, asdict(settings)) for name in palaestra.names()}
        current = {each.key: each for each in load_results(options.results) if each.key in keys}
        text = page([*current.values()], len(keys) - len(current))
        options.page.write_text(text, encoding="utf-8")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
