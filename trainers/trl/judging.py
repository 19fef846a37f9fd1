"""Reward functions for TRL: scores, what a recipe makes of them, and parts of them one by one."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from palaestra.address import Address
from palaestra.labels import is_address, item_of, labels_of
from palaestra.scoring import score_many
from palaestra.task import Score
from palaestra.trainers.rewards import ShapedReward, longest
from palaestra.trainers.trl.processes import from_all_processes, keeping
from palaestra.verifiers.shaping import Transcript

Completion = Sequence[Mapping[str, Any]] | str
Rewards = list[float | None]


class Judge(Protocol):
    """A reward function as TRL calls it: everything by name, columns of the data set included."""

    def __call__(self, **columns: Any) -> Rewards:
        """A reward for each completion, None where there is none."""


def reward(
    completions: Sequence[Completion],
    address: Sequence[str | None] | None = None,
    answer_format: Sequence[str | None] | None = None,
    episode_score: Sequence[float | None] | None = None,
    **columns: Any,
) -> Rewards:
    r"""The score of each completion, or ``None``, which TRL leaves out, where judging failed.

    Each row of the batch names its task in the column ``address``, or has a plain gold answer in
    one of :data:`palaestra.labels.COLUMNS`. What :func:`rollout` played to its end is scored
    already, and comes as ``episode_score``.

    >>> reward([r"It is \boxed{42}.", "It is 41."], answer=["42", "42"])
    [1.0, 0.0]

    Raises :class:`~palaestra.labels.BadLabel` for a batch without such a column, and for a label
    that names no task; so does an address of an environment that there is not, with near names.
    """
    if episode_score is not None:
        return list(episode_score)
    replies = [text_of(done) for done in completions]
    labels = labels_of({"address": address, **columns}, len(replies))
    answer_formats = answer_format or [None] * len(replies)
    items = [item_of(*each) for each in zip(labels, replies, answer_formats, strict=True)]
    plain = ShapedReward()
    return [plain.one(score, reply) for score, reply in zip(score_many(items), replies)]


class Shaped:
    """What a recipe pays, as a reward function: ``reward_funcs=trl.Shaped("Truth() + ...")``.

    ``recipe``, ``target`` and ``limit`` are as for
    :class:`~palaestra.trainers.rewards.ShapedReward`, ``judge`` is what gives the scores. Targets
    that follow training count the groups of all processes, so that these stay alike, and none
    that is held out for evaluation; :meth:`callback` keeps them beside each checkpoint.
    """

    def __init__(
        self,
        recipe: str,
        target: int | Mapping[str, Any] | None = None,
        limit: int | None = None,
        judge: Judge | None = None,
    ) -> None:
        self.shaped = ShapedReward(recipe, target, limit)
        self._judge = judge or cast("Judge", reward)
        self.__name__ = "shaped_reward"  # by which TRL logs it

    def __call__(self, completions: Sequence[Completion], **columns: Any) -> Rewards:
        """The reward of each completion, ``None`` where there is none."""
        return self.scored(completions, **columns)[1]

    def scored(
        self,
        completions: Sequence[Completion],
        completion_ids: Sequence[Sequence[int]] | None = None,
        episode_replies: Sequence[Sequence[tuple[str, Sequence[int]]]] | None = None,
        **columns: Any,
    ) -> tuple[Rewards, Rewards]:
        """The scores of all completions, and their rewards."""
        values = self._judge(completions=completions, **columns)
        ids: Sequence[Any] = completion_ids or [None] * len(values)
        episodes = episode_replies or [
            [(text_of(done), tokens)] for done, tokens in zip(completions, ids, strict=True)
        ]
        played = [[Transcript(*reply) for reply in episode] for episode in episodes]
        targets = self._targets(values, played, columns)
        rewards = [
            None if value is None else self.shaped.episode(Score(value), episode, target)
            for value, episode, target in zip(values, played, targets, strict=True)
        ]
        return values, rewards

    def _targets(
        self,
        values: Rewards,
        played: Sequence[Sequence[Transcript]],
        columns: Mapping[str, Any],
    ) -> list[int | None]:
        """The target length for each completion, by the scores of its group."""
        adaptive = self.shaped.adaptive
        if adaptive is None:
            return [None] * len(values)
        tasks = [
            str(task or prompt)
            for task, prompt in zip(
                columns.get("address") or [None] * len(values),
                columns.get("prompts") or [""] * len(values),
                strict=True,
            )
        ]
        groups: dict[str, list[tuple[float | None, int]]] = {}
        for task, *outcome in from_all_processes(list(zip(tasks, values, map(longest, played)))):
            groups.setdefault(task, []).append(tuple(outcome))
        targets = {task: adaptive.target([v for v, _ in rows]) for task, rows in groups.items()}
        for task, rows in groups.items():
            if not (is_address(task) and Address.parse(task).split == "eval"):
                adaptive.update([value for value, _ in rows], [length for _, length in rows])
        return [targets[task] for task in tasks]

    def callback(self) -> Any:
        """A ``TrainerCallback`` that keeps the targets beside each checkpoint, and takes them from
        there when training is resumed.
        """
        return keeping(self.shaped, "rewards.json")


def text_of(completion: Completion) -> str:
    """The text of a completion; a message of tool calls alone has no content."""
    return completion if isinstance(completion, str) else completion[-1].get("content") or ""
