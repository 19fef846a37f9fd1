"""Reward functions one by one, for TRL's aggregation of several objectives.

``GRPOConfig(multi_objective_aggregation="normalize_then_sum")`` normalises each within its group
before they are added up (GDPO)::

    length = "Reward(SoftOverlong(limit=512, buffer=64), allow_order_change=True)"
    GRPOTrainer(..., reward_funcs=trl.rewards("score", "format", length=length))
"""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from palaestra.labels import item_of, labels_of
from palaestra.scoring import score_many
from palaestra.task import JudgeError, Score
from palaestra.trainers.rewards import RecipeOptions, ShapedReward
from palaestra.trainers.trl.environments import ToolEnvironment, replayed
from palaestra.trainers.trl.judging import Completion, Rewards, text_of
from palaestra.verifiers import shaping
from palaestra.verifiers.shaping import Transcript

UNREADABLE = ("no_answer", "malformed")
"""The statuses of replies whose form is wrong."""

SCORE = ShapedReward()
"""The score itself, where what is nearly right is not right in float32 either."""

Result = Score | JudgeError | None


def rewards(*names: str, **recipes: RecipeOptions) -> list["Part"]:
    r"""One reward function for each part of a score and for each recipe.

    A name is ``score``, the truth; ``format``, which is 1 where an answer could be read and 0 where
    there was none or a malformed one; that of a part in :attr:`Score.parts
    <palaestra.task.Score>`, which TRL leaves out for tasks that have no such part; or the text of a
    recipe (see :mod:`palaestra.verifiers.shaping.reading`). What comes by keyword has the name of
    the keyword, and may be a mapping with ``recipe`` and ``target``, see
    :meth:`~palaestra.trainers.rewards.ShapedReward.of`. TRL logs each under its name.

    They score single replies, :func:`~palaestra.trainers.trl.rollouts.rollout` and environment
    classes alike, and each batch once for all of them. In episodes of calls, a recipe sees the
    texts of all replies as one, and the tokens of the whole completion.

    >>> score, form = rewards("score", "format")
    >>> score([r"\boxed{41}"], answer=["42"]), form([r"\boxed{41}"], answer=["42"])
    ([0.0], [1.0])

    Raises ``ValueError`` for no name, one that comes twice, and a recipe that cannot be read.
    """
    named: list[tuple[str, RecipeOptions]] = [(name, name) for name in names]
    wanted = named + list(recipes.items())
    if not wanted:
        raise ValueError("rewards have one name at least, such as 'score'")
    if twice := [name for n, (name, _) in enumerate(wanted) if name in dict(wanted[:n])]:
        raise ValueError(f"the reward {twice[0]!r} comes twice")
    judged = Judged()
    return [Part(name, _read(text), judged) for name, text in wanted]


def _read(text: RecipeOptions) -> str | ShapedReward:
    """The name of a part, or a recipe."""
    if not isinstance(text, str) or not text.isidentifier():
        return ShapedReward.of(text, groups=False)
    if hasattr(shaping, text):
        raise ValueError(f"{text!r} is the name of a part; write the recipe as '{text}()'")
    return text


class Judged:
    """The results of a batch, which are the same for each of several reward functions."""

    def __init__(self) -> None:
        self._lock = Lock()  # the asynchronous trainer calls reward functions side by side
        self._completions: Any = None
        self._results: list[Result] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return Judged, ()

    def results(
        self, completions: Sequence[Completion], columns: Mapping[str, Any]
    ) -> list[Result]:
        """The result of each completion; None where the environment is none of ours."""
        with self._lock:
            if completions is not self._completions:
                self._results = _results(completions, columns)
                self._completions = completions
            return self._results


def _results(completions: Sequence[Completion], columns: Mapping[str, Any]) -> list[Result]:
    if (played := columns.get("environments")) is not None:
        return [each._result() if isinstance(each, ToolEnvironment) else None for each in played]
    if (results := columns.get("episode_result")) is not None:
        return list(results)
    if columns.get("environment") is not None or any(map(_has_calls, completions)):
        return [
            replayed(address, [] if isinstance(completion, str) else completion)._result()
            for address, completion in zip(columns["address"], completions, strict=True)
        ]
    replies = [text_of(each) for each in completions]
    labels = labels_of(columns, len(replies))
    marks = columns.get("answer_format") or [None] * len(replies)
    return list(score_many([item_of(*each) for each in zip(labels, replies, marks, strict=True)]))


def _has_calls(completion: Completion) -> bool:
    return not isinstance(completion, str) and any(each.get("tool_calls") for each in completion)


class Part:
    """A reward function for one part of the scores, or for one recipe."""

    def __init__(self, name: str, wanted: str | ShapedReward, judged: Judged) -> None:
        self.__name__ = name  # by which TRL logs it
        self.wanted = wanted
        self.judged = judged

    def __call__(
        self,
        completions: Sequence[Completion],
        completion_ids: Sequence[Sequence[int]] | None = None,
        **columns: Any,
    ) -> Rewards:
        """The reward of each completion, None where there is none."""
        results = self.judged.results(completions, columns)
        ids: Sequence[Any] = completion_ids or [None] * len(results)
        episodes: Sequence[Any] = columns.get("episode_replies") or [None] * len(results)
        return [
            self._of(result, completion, tokens, episode)
            for result, completion, tokens, episode in zip(
                results, completions, ids, episodes, strict=True
            )
        ]

    def _of(
        self, result: Result, completion: Completion, tokens: Any, episode: Any
    ) -> float | None:
        if result is None or isinstance(result, JudgeError):
            return None
        if isinstance(self.wanted, ShapedReward):
            replies = episode or [(_said(completion), tokens)]
            return self.wanted.episode(result, [Transcript(*reply) for reply in replies])
        if self.wanted == "score":
            return SCORE.episode(result, [])
        if self.wanted == "format":
            return float(result.status not in UNREADABLE)
        return result.parts.get(self.wanted)


def _said(completion: Completion) -> str:
    """The texts of a model's messages, one after the other."""
    if isinstance(completion, str):
        return completion
    texts = [each.get("content") or "" for each in completion if each.get("role") != "tool"]
    return "\n".join(text for text in texts if text)
