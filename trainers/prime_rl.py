"""Curricula for prime-rl: a task sampler over the tasks of :mod:`palaestra.trainers.verifiers`.

prime-rl calls a sampler for each task, reports every finished group to it, and keeps its state in
checkpoints. Releases whose configuration takes user code name it there::

    [orchestrator.train.source.curriculum.sampler]
    import_path = "palaestra.trainers.prime_rl.CurriculumSampler"
    kwargs = { environments = { "logic/knights_and_knaves" = 1.0 }, strategy = "frontier" }

The sampler needs nothing of prime-rl: it has the methods of both of its interfaces, that with
``sample`` and that with ``__next__``. :func:`sampler_type` makes a subclass of its base class.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from palaestra.address import Address
from palaestra.labels import task_answer_format
from palaestra.scoring import opening
from palaestra.trainers.curricula import cells, make

CORRECT, SCORE = "correct", "score"
"""The metric from which a curriculum learns, and the reward that stands in for it."""


class CurriculumSampler:
    """Draws tasks from a curriculum, and learns from the groups that were played.

    ``tasks`` are those that prime-rl loads for the source: the first is the pattern of all, with
    its answer format. ``environments`` has their weights, and ``levels`` those of each that are
    drawn from, all unless named. ``options`` are those of the strategy. Raises ``ValueError`` for
    what is none of these, and for a source of other tasks.
    """

    def __init__(
        self,
        tasks: Sequence[Any] | Iterator[Any],
        *,
        environments: Mapping[str, float],
        levels: Mapping[str, Iterable[int]] | None = None,
        strategy: str = "frontier",
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.pattern: Any = next(iter(tasks), None)
        if not hasattr(getattr(self.pattern, "data", None), "answer_format"):
            raise ValueError("a curriculum needs a source whose taskset is palaestra-tasks")
        self.curriculum = make(strategy, cells(environments, levels), seed, **options)
        self.learnt = 0
        self.mean = 0.0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        """The next task."""
        (address,) = self.curriculum.sample(1)
        number = self.curriculum.sampled - 1
        answer_format = self.pattern.data.answer_format
        task = opening(address, task_answer_format(answer_format))
        return self.pattern.with_data(
            idx=number, id=task.address, name=task.address, label=task.address,
            prompt=task.messages[0]["content"],
        )  # fmt: skip

    def sample(self) -> Any:
        """The next task, for releases that call it so."""
        return next(self)

    def observe(self, group: Any) -> None:
        """Learns from a group of episodes, or from a result that has ``rollouts``.

        Episodes that failed are left out, and teach nothing.
        """
        episodes = list(getattr(group, "rollouts", group))
        values = [value for episode in episodes if (value := _value(episode)) is not None]
        if not values:
            return
        mean = sum(values) / len(values)
        self.curriculum.update([(_address(episodes[0]), mean)])
        self.learnt += 1
        self.mean += (mean - self.mean) / min(self.learnt, 100)

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint keeps, as plain JSON values."""
        return {"curriculum": self.curriculum.state(), "learnt": self.learnt, "mean": self.mean}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Goes on from a checkpoint."""
        self.curriculum.restore(state_dict["curriculum"])
        self.learnt, self.mean = state_dict["learnt"], state_dict["mean"]

    def metrics(self) -> dict[str, float]:
        """Groups and tasks so far, and how many of the latest replies were correct."""
        return {
            "groups": float(self.learnt),
            "tasks": float(self.curriculum.sampled),
            "correct": self.mean,
        }


def sampler_type(base: type[Any]) -> type[Any]:
    """The sampler as a subclass of prime-rl's ``TaskSampler``, for releases that demand one."""
    return type("CurriculumSampler", (CurriculumSampler, base), {})


def _address(episode: Any) -> Address:
    return Address.parse(str(episode.task.key))


def _value(episode: Any) -> float | None:
    """How correct an episode was; None for one that failed."""
    traces = getattr(episode, "traces", None)
    if traces is None:  # a rollout of earlier releases is its trace
        traces = [episode]
    if not getattr(episode, "ok", True):
        return None
    for trace in traces:
        if CORRECT in trace.metrics:
            return float(trace.metrics[CORRECT])
        if SCORE in trace.rewards:
            reward = trace.rewards[SCORE]
            return float(getattr(reward, "score", reward))
    return None
