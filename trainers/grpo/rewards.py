"""Rewards of rollouts: the score, or a replacement for it, shaped by a recipe."""

import random
from collections.abc import Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any

from palaestra.episode import ANSWER_FORMATS, BARE
from palaestra.scoring import opening
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.trainers.grpo.config import Config, Rules, refuse
from palaestra.trainers.rewards import PREFERENCES, Preference, ShapedReward, majority, with_value
from palaestra.verifiers.meanings import same_meaning
from palaestra.verifiers.replies import spoken
from palaestra.verifiers.shaping import RecipeError, Transcript
from palaestra.verifiers.shaping.recipe import FARTHEST
from palaestra.verifiers.votes import Majority

if TYPE_CHECKING:
    from palaestra.trainers.grpo.rollouts import Rollout

CONTROLS = ("random", "inverted", "format")
"""Control arms of an experiment, whose rewards are never shaped."""

REWARDS = ("true", *CONTROLS, "majority", *PREFERENCES)

OVERLONG = "Truth(right=1, wrong=-1, partial=0.49) + SoftOverlong(limit={}, buffer={})"
"""As in DAPO (Yu et al. 2025): 1 for right and -1 for wrong, and up to 1 less for long replies.

Scores in between earn at most 0.49 of the difference, so that a right reply which is too long has
reward 0, and every other reply less.
"""

PATIENCE = 1_000
"""Wrong replies in a row without the part ``reward_part``, after which the name is refused."""


class Rewards:
    """Computes the rewards of a group of rollouts.

    The option ``reward`` selects them:

    - ``true``: the score; with ``reward_part``, that part of its score for a wrong reply;
    - ``random``: a number from 0 to 1, whatever the reply; ``inverted``: 1 minus the score;
      ``format``: 1 for a reply that could be read, else 0;
    - ``majority``: 1 for the most frequent answer of the group, else 0 (TTRL, Zuo et al. 2025).
      Answers are the same that say the same (see :mod:`palaestra.verifiers.meanings`).
      There is no reward after a tie, if fewer replies agree than the ``quorum`` in
      ``reward_options``, or fewer than are ``trusted`` there (see
      :class:`~palaestra.verifiers.votes.Majority`);
    - ``pairwise``, ``tournament``: the preference of the ``judge`` in ``reward_options`` (see
      :class:`~palaestra.trainers.rewards.Preference`), from 0.5 to 1 for right replies and from 0
      to 0.49 for others; with ``allow_order_change: true`` the preference alone, from 0 to 1.

    ``reward_recipe`` shapes the score or the majority's (see
    :class:`~palaestra.trainers.rewards.ShapedReward`); ``overlong_buffer`` is short for
    :data:`OVERLONG`. Lengths are those of single replies, limited by ``max_reply_tokens``, or by
    ``limit`` if that option is not set.

    Raises ``ValueError`` for options that contradict each other.
    """

    def __init__(self, options: Config, rng: random.Random, limit: int | None = None) -> None:
        self.options, self.rng = options, rng
        self.reward, self.missing = options.reward, 0
        limit = options.max_reply_tokens if limit is None else limit
        refuse(self._contradictions(limit))
        recipe: Any = options.reward_recipe
        if options.overlong_buffer:
            recipe = OVERLONG.format(limit, options.overlong_buffer)
        try:
            self.shaped = ShapedReward.of(recipe, limit)
        except RecipeError as error:
            name = "overlong_buffer" if options.overlong_buffer else "reward_recipe"
            raise RecipeError(f"{name}: {error}") from None
        self.answer_format = ANSWER_FORMATS.get(options.answer_format, BARE)
        extra = dict(options.reward_options)
        self.free = bool(extra.pop("allow_order_change", False))
        self.vote: Mapping[str, Any] = {}
        try:
            if self.reward == "majority":
                self.vote = extra
                Majority(("",), **self.vote)
            elif self.reward in PREFERENCES:
                self.preference = Preference(method=self.reward, **extra)
        except TypeError as error:
            raise ValueError(f"reward_options of {self.reward}: {error}") from None

    def _contradictions(self, limit: int | None) -> Rules:
        options, reward = self.options, self.options.reward
        shaped = options.overlong_buffer or options.reward_recipe
        grouped = reward in ("majority", *PREFERENCES)
        return [
            (reward not in REWARDS, f"reward is {', '.join(REWARDS)}, not {reward!r:.80}"),
            (reward in (*CONTROLS, *PREFERENCES) and bool(shaped),
             f"reward: {reward} is never shaped: no reward_recipe, no overlong_buffer"),
            (reward != "true" and bool(options.reward_part),
             f"reward_part is a part of the true score, and reward is {reward}"),
            (bool(options.overlong_buffer and options.reward_recipe),
             "overlong_buffer is a recipe: use SoftOverlong(...) in reward_recipe instead"),
            (bool(options.overlong_buffer) and limit is None,
             "overlong_buffer wants max_reply_tokens"),
            (grouped and options.group_size < 2,
             f"reward: {reward} compares the rollouts of a group: group_size is 2 or more"),
            (grouped and options.advantage == "remax",
             f"reward: {reward} compares the rollouts of a group, and remax has one by itself"),
            (grouped and options.group_variants == "rename",
             f"reward: {reward} compares answers, whose names differ with group_variants: rename"),
            (bool(options.reward_options) and not grouped,
             f"reward: {reward} has no reward_options"),
        ]  # fmt: skip

    def __call__(self, group: Sequence["Rollout"], update: bool = True) -> list[float]:
        """Return the reward of each rollout of a task, NaN for those without a score.

        Without ``update``, adaptive targets ignore the group: for rollouts outside of an update.
        """
        if self.reward in CONTROLS:
            paid: Sequence[float | None] = [self._control(one) for one in group]
        elif self.reward in PREFERENCES:
            paid = self._preferred(group)
        else:
            results = self._votes(group) if self.reward == "majority" else self._graded(group)
            paid = self.shaped.group(results, [self._transcripts(one) for one in group], update)
        return [float("nan") if value is None else float(value) for value in paid]

    def _control(self, one: "Rollout") -> float | None:
        score = _score(one)
        if isinstance(score, JudgeError):
            return None
        if self.reward == "random":
            return self.rng.random()
        return 1 - score.value if self.reward == "inverted" else float(score.status == "scored")

    def _graded(self, group: Sequence["Rollout"]) -> list[Score | JudgeError]:
        """Return the scores, with parts of wrong replies in their place.

        If parts leave the range from 0 to 1, those of the whole group are scaled into it, which
        keeps their order.
        """
        scores = [_score(one) for one in group]
        parts = [self._part(score) for score in scores]
        low = min([0.0, *(part for part in parts if part is not None)])
        high = max([1.0, *(part for part in parts if part is not None)])
        return [
            score
            if part is None or isinstance(score, JudgeError)
            else with_value(score, (part - low) / (high - low))
            for score, part in zip(scores, parts, strict=True)
        ]

    def _part(self, score: Score | JudgeError) -> float | None:
        """Return the part that replaces a score; None if the score itself is the reward."""
        name = self.options.reward_part
        if not name or isinstance(score, JudgeError) or score.correct:
            return None
        if score.status == "scored":
            self.missing = 0 if name in score.parts else self.missing + 1
        if self.missing == PATIENCE:
            known = ", ".join(score.parts) or "none"
            raise ValueError(f"reward_part: scores have no part {name!r}; the last one has {known}")
        return min(max(score.parts.get(name, 0.0), -FARTHEST), FARTHEST)

    def _votes(self, group: Sequence["Rollout"]) -> list[Score | JudgeError]:
        answers = [self._answer(one) for one in group]
        equal = same_meaning(group[0].address.task())
        return majority([_score(one) for one in group], answers, equal, **self.vote)

    def _answer(self, one: "Rollout") -> str:
        """Return the moves of an episode as its answer format reads them.

        An empty text, which is no vote, stands for an episode with a move that cannot be read.
        """
        score = _score(one)
        if isinstance(score, Score) and score.status != "scored":
            return ""
        try:
            return "\n".join(map(self.answer_format.read, one.replies))
        except InvalidAnswer:
            return ""

    def _preferred(self, group: Sequence["Rollout"]) -> list[float | None]:
        scores = {n: s for n, one in enumerate(group) if isinstance(s := _score(one), Score)}
        paid: list[float | None] = [None] * len(group)
        if len(scores) < 2:  # there is nothing to compare
            return paid
        question = opening(group[0].address, self.answer_format).messages[0]["content"]
        shown = ["\n".join(map(spoken, group[n].replies)) for n in scores]
        liked = self.preference(question, shown)
        for (n, score), value in zip(scores.items(), liked or (), strict=liked is not None):
            paid[n] = value if self.free else 0.5 + value / 2 if score.correct else 0.49 * value
        return paid

    def _transcripts(self, one: "Rollout") -> list[Transcript]:
        return [
            Transcript(reply, one.ids[start:end])
            for reply, (start, end) in zip(one.replies, one.turns, strict=True)
        ]

    def graded(self, one: "Rollout") -> float | None:
        """Return the score of a rollout, or the part that replaces it, clamped to 0 to 1.

        None stands for a rollout without a score.
        """
        score = _score(one)
        part = self._part(score)
        return (
            score if part is None or isinstance(score, JudgeError) else with_value(score, part)
        ).value

    def of_turns(self, one: "Rollout", reward: float) -> list[float]:
        """Return the share of each reply in the ``reward`` of a rollout.

        For the true score that is the dense credit of the task, for the inverted score its
        negative, and otherwise 0; the last reply receives the rest.
        """
        sign = {"true": 1, "inverted": -1}.get(self.reward, 0)
        turns = [sign * earned for earned in one.rewards]
        if turns:
            turns[-1] = reward - fsum(turns[:-1])
        return turns

    def state(self) -> dict[str, Any]:
        """Return what later rewards depend on, except random numbers, as plain values."""
        return self.shaped.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        self.shaped.restore(state)


def _score(one: "Rollout") -> Score | JudgeError:
    """Return the score, which is 0 for an episode without an end."""
    return Score(0.0, status="no_answer") if one.score is None else one.score
