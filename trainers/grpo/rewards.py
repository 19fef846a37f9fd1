"""What rollouts are paid: the true score or what stands in its place, shaped by a recipe."""

import random
from collections.abc import Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any

from palaestra.episode import ANSWER_FORMATS, BARE
from palaestra.scoring import opening
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.trainers.rewards import PREFERENCES, Preference, ShapedReward
from palaestra.verifiers.replies import spoken
from palaestra.verifiers.shaping import RecipeError, Transcript
from palaestra.verifiers.shaping.recipe import FARTHEST
from palaestra.verifiers.votes import Majority, alike

if TYPE_CHECKING:
    from palaestra.trainers.grpo.config import Config
    from palaestra.trainers.grpo.rollouts import Rollout

CONTROLS = ("random", "inverted", "format")
"""Arms of an experiment: they pay exactly what they are called, and nothing is added to it."""

REWARDS = ("true", *CONTROLS, "majority", *PREFERENCES)

OVERLONG = "Truth(right=1, wrong=-1, partial=0.49) + SoftOverlong(limit={}, buffer={})"
"""As in DAPO (Yu et al. 2025): 1 for right and -1 for wrong, down to 1 less for what is too long.

A score between earns up to 0.49 of the way, so that a right reply that is too long is paid 0, and
any other less.
"""

PATIENCE = 1_000
"""So many wrong replies in a row without the part that is to be paid, and it has another name."""


class Rewards:
    """Pays the rollouts of a group.

    ``reward`` is what is paid:

    - ``true``: the score; with ``reward_part``, a wrong reply that part of its score instead;
    - ``random``: a number from 0 to 1, whatever the reply; ``inverted``: 1 less the score;
      ``format``: 1 for a reply that could be read, else 0;
    - ``majority``: 1 for the answer that most of the group gave, else 0 (TTRL, Zuo et al. 2025);
      nobody is paid after a tie, or where fewer agree than the ``quorum`` in ``reward_options``,
      or not as many as are ``trusted`` there (see :class:`~palaestra.verifiers.votes.Majority`);
    - ``pairwise``, ``tournament``: what the ``judge`` in ``reward_options`` prefers (see
      :class:`~palaestra.trainers.rewards.Preference`), from 0.5 to 1 for right replies and from 0
      to 0.49 for others; with ``allow_order_change: true`` the preference alone, from 0 to 1.

    ``reward_recipe`` shapes the true score or the majority's (see
    :class:`~palaestra.trainers.rewards.ShapedReward`); ``overlong_buffer`` is short for
    :data:`OVERLONG`. Lengths are those of single replies, of which ``max_reply_tokens`` is the
    limit; it may be given by ``limit``, where the options leave it open.

    Raises ``ValueError`` for options that contradict each other.
    """

    def __init__(self, options: "Config", rng: random.Random, limit: int | None = None) -> None:
        self.options, self.rng = options, rng
        self.kind, self.missing = options.reward, 0
        limit = options.max_reply_tokens if limit is None else limit
        for wrong, sentence in self._contradictions(limit):
            if wrong:
                raise ValueError(sentence)
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
            if self.kind == "majority":
                self.vote = {**extra, "equal": alike}
                Majority(("",), **self.vote)
            elif self.kind in PREFERENCES:
                self.preference = Preference(kind=self.kind, **extra)
        except TypeError as error:
            raise ValueError(f"reward_options of {self.kind}: {error}") from None

    def _contradictions(self, limit: int | None) -> list[tuple[bool, str]]:
        options, reward = self.options, self.options.reward
        shaped = options.overlong_buffer or options.reward_recipe
        grouped = reward in ("majority", *PREFERENCES)
        return [
            (reward not in REWARDS, f"reward is {', '.join(REWARDS)}, not {reward!r:.80}"),
            (reward in (*CONTROLS, *PREFERENCES) and bool(shaped),
             f"reward: {reward} pays what it is called: no reward_recipe, no overlong_buffer"),
            (reward != "true" and bool(options.reward_part),
             f"reward_part is a part of the true score, and reward is {reward}"),
            (bool(options.overlong_buffer and options.reward_recipe),
             "overlong_buffer is a recipe: say SoftOverlong(...) in reward_recipe instead"),
            (bool(options.overlong_buffer) and limit is None,
             "overlong_buffer wants max_reply_tokens"),
            (grouped and options.group_size < 2,
             f"reward: {reward} compares the rollouts of a group: group_size is 2 or more"),
            (grouped and options.advantage == "remax",
             f"reward: {reward} compares the rollouts of a group, and remax has one by itself"),
            (bool(options.reward_options) and not grouped,
             f"reward: {reward} has no reward_options"),
        ]  # fmt: skip

    def __call__(self, group: Sequence["Rollout"], update: bool = True) -> list[float]:
        """What each rollout of a task is paid; not a number where it could not be judged.

        Without ``update`` targets do not count them: for rollouts that are not learnt from.
        """
        if self.kind in CONTROLS:
            paid: Sequence[float | None] = [self._control(one) for one in group]
        elif self.kind in PREFERENCES:
            paid = self._preferred(group)
        else:
            results = self._votes(group) if self.kind == "majority" else self._graded(group)
            paid = self.shaped.group(results, [self._transcripts(one) for one in group], update)
        return [float("nan") if value is None else float(value) for value in paid]

    def _control(self, one: "Rollout") -> float | None:
        score = _score(one)
        if isinstance(score, JudgeError):
            return None
        if self.kind == "random":
            return self.rng.random()
        return 1 - score.value if self.kind == "inverted" else float(score.status == "scored")

    def _graded(self, group: Sequence["Rollout"]) -> list[Score | JudgeError]:
        """The true scores. Where parts of wrong replies leave the range from 0 to 1, all of the
        group are scaled into it, so that they rank as they did.
        """
        scores = [_score(one) for one in group]
        parts = [self._part(score) for score in scores]
        low = min([0.0, *(part for part in parts if part is not None)])
        high = max([1.0, *(part for part in parts if part is not None)])
        return [
            score
            if part is None or isinstance(score, JudgeError)
            else _with(score, (part - low) / (high - low))
            for score, part in zip(scores, parts, strict=True)
        ]

    def _part(self, score: Score | JudgeError) -> float | None:
        """The part that is paid in place of a score; None where the score itself is."""
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
        vote = Majority(answers, **self.vote)
        if why := vote.refusal():
            return [JudgeError(f"no label: {why}", "gold_error") for _ in group]
        votes: list[Score | JudgeError] = []
        for one, answer in zip(group, answers, strict=True):
            score = _score(one)
            votes.append(score if isinstance(score, JudgeError) else vote(answer))
        return votes

    def _answer(self, one: "Rollout") -> str:
        """The moves of an episode as its answer format reads them; nothing, which is no vote, where
        one of them or all of it could not be read.
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
        """The score of a rollout, or the part of it that is paid in its place, held from 0 to 1;
        None where it could not be judged.
        """
        score = _score(one)
        part = self._part(score)
        return (
            score if part is None or isinstance(score, JudgeError) else _with(score, part)
        ).value

    def of_turns(self, one: "Rollout", reward: float) -> list[float]:
        """What each reply of a rollout earned, which adds up to its ``reward``.

        That is the dense credit of the task where the true score is paid, and where it is
        inverted, less that; what the reward is above it goes to the last reply.
        """
        sign = {"true": 1, "inverted": -1}.get(self.kind, 0)
        turns = [sign * earned for earned in one.rewards]
        if turns:
            turns[-1] = reward - fsum(turns[:-1])
        return turns

    def state(self) -> dict[str, Any]:
        """All that later rewards depend on, but for the random numbers, as plain values."""
        return self.shaped.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a :meth:`state`."""
        self.shaped.restore(state)


def in_band(values: Sequence[float | None], low: float, high: float) -> bool:
    """Whether the share of right ones among the scores of a group lies from ``low`` to ``high``.

    What was not scored counts for nothing, and a group of nothing else is in no band.

    >>> in_band([1, 0, None, 0.5], 0.2, 0.8), in_band([1, 1], 0.2, 0.8), in_band([None], 0, 1)
    (True, False, False)
    """
    known = [value == 1 for value in values if value is not None]
    return bool(known) and low <= sum(known) / len(known) <= high


def _score(one: "Rollout") -> Score | JudgeError:
    """The score; that of an episode which stopped short of its end is 0."""
    return Score(0.0, status="no_answer") if one.score is None else one.score


def _with(score: Score, value: float) -> Score:
    """A score that is not right, with another value: at least 0 and below 1."""
    held = min(max(value, 0.0), 1 - 2.0**-12)
    return Score(held, score.reason, score.parts, score.status)
