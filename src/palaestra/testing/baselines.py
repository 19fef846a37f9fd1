"""What baseline players earn: players that need no search, which each environment names."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from time import process_time

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.task import Puzzle, Task, Turn
from palaestra.testing.general_players import general_players
from palaestra.testing.players import (
    FLOOR,
    TURNS,
    Outcome,
    fresh_seeds,
    judged,
    levels,
    outcome,
    repeated,
    slack,
    task,
)

MIDDLE = 0.15
"""What a baseline player may earn at the middle level without a ``baseline_note``."""

TASKS = 40
"""Tasks of a level that every baseline player is tried on first."""


def baseline_scores(name: str, level: int, seeds: Iterable[int]) -> Mapping[str, float]:
    """The mean score of each baseline player at a level, over the tasks of these seeds.

    A player that does not apply to a task, and so does not play it, earns 0 there.
    """
    if issubclass(load(name), Puzzle) and not has_players(name):
        return {}  # nobody plays, so no task need be sampled
    earned, number = defaultdict[str, float](float), 0
    for seed in seeds:
        number += 1
        for player, result in _outcomes(task(name, seed, level), seed):
            earned[player] += result.score.value if result.score is not None else 0.0
    return {player: total / number for player, total in earned.items()}


def has_players(name: str) -> bool:
    """Whether an environment names its baseline players, or states that it is a calculation."""
    task_type = load(name)
    return task_type.calculation or task_type.baselines is not Task.baselines


def _outcomes(instance: Task, seed: int) -> Iterable[tuple[str, Outcome]]:
    """Each baseline player of a task with what it earns there."""
    rng = random.Random(seed)
    players = dict(instance.baselines(rng))
    if instance.calculation:
        players |= general_players(Episode(instance, BARE).observation, rng)
    for player, play in players.items():
        if isinstance(play, str):
            yield player, repeated(instance, play)
        else:
            yield player, followed(instance, play)
    if not isinstance(instance, Puzzle) and Episode(instance, BARE).turn.legal_moves:
        yield "random legal move", followed(instance, random_mover(random.Random(seed)))
        yield "first legal move", followed(instance, _mover_at(0))
        yield "last legal move", followed(instance, _mover_at(-1))


def followed(instance: Task, policy: Callable[[Turn], str]) -> Outcome:
    """What a policy comes to that sees each turn and answers with a move."""
    episode = Episode(instance, BARE)
    for _ in range(TURNS):
        if episode.scores is not None:
            break
        episode.step(episode.answer_format.write(policy(episode.turn)))
    return outcome(episode)


def random_mover(rng: random.Random) -> Callable[[Turn], str]:
    """A policy that draws a legal move, with equal chances."""

    def move(turn: Turn) -> str:
        return rng.choice(turn.legal_moves) if turn.legal_moves else ""

    return move


def _mover_at(index: int) -> Callable[[Turn], str]:
    """A policy that plays the legal move at this index: an order may give the best move away."""
    return lambda turn: turn.legal_moves[index] if turn.legal_moves else ""


def commonest_answer(name: str, level: int, tasks: int = 2_000, seconds: float = 0.3) -> float:
    """The share of tasks that their commonest answer solves, sampled.

    The answer is the commonest of one half of the tasks, and judged on the other half, so that the
    share is not too high by selection. Sampling ends after ``tasks`` tasks, or after ``seconds`` of
    CPU time with at least 20. The share is 0 for tasks of several moves, and for those that are
    expensive to judge, as programs are: no two have the same answer.
    """
    if not issubclass(load(name), Puzzle) or load(name).expensive:
        return 0.0
    start, instances = process_time(), list[Puzzle]()
    for seed in range(3_000, 3_000 + tasks):
        instance = Address.of(name, seed, level).task()
        assert isinstance(instance, Puzzle)
        instances.append(instance)
        if len(instances) >= 20 and process_time() - start > seconds:
            break
    half = len(instances) // 2
    answer, times = Counter(each.answer() for each in instances[:half]).most_common(1)[0]
    if times < max(2, half / 1_000):
        return 0.0
    return sum(judged(each, answer).value for each in instances[half:]) / (len(instances) - half)


def check_baselines(name: str) -> None:
    """Baseline players earn at most 0.15 at the middle level and 0.05 at the top.

    They may earn as much as a random answer does, and more in an environment that explains it in
    its ``baseline_note``. An environment that names players has one that plays at the middle level.
    """
    middle = len(levels(name)) // 2
    if has_players(name):
        assert baseline_scores(name, middle, range(1)), "no baseline player plays the middle level"
    if load(name).baseline_note:
        return
    for level, limit in ((middle, MIDDLE), (levels(name)[-1], FLOOR)):
        for player, value in _high_scores(name, level, limit):
            raise AssertionError(
                f"level {level}: the baseline player '{player}' earns {value:.2f}, more than "
                f"{limit}; make the level harder, or explain it in `baseline_note`"
            )


def _high_scores(name: str, level: int, limit: float) -> Iterable[tuple[str, float]]:
    """The players that earn more than a limit, and do so again on fresh tasks."""
    few = _asked(name)
    chance = sum(task(name, seed, level).random_baseline() for seed in few) / len(few)
    bound = max(limit, chance)
    if all(value <= bound for value in baseline_scores(name, level, few).values()):
        return
    fresh = fresh_seeds(task(name, 0, level))
    for player, value in baseline_scores(name, level, fresh).items():
        if value > bound + slack(bound, len(fresh)):
            yield player, value


def _asked(name: str) -> range:
    """Seeds of the tasks that players are tried on; fewer where judging is expensive."""
    return range(8 if load(name).expensive else TASKS)
