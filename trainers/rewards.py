"""Rewards as trainers are paid them: shaping recipes for all of them, and preferences of a judge.

One implementation serves ``palaestra train``, the adapters and the reward functions of exports::

    shaped = ShapedReward("Truth(partial=0) + 0.5 * LaserStep()", target=512)
    shaped.one(score, "<answer>42</answer>", tokens=300)          # 1.25

A recipe is written as over HTTP (see :mod:`palaestra.verifiers.shaping.reading`). It keeps the
order of right and wrong, unless it says that it does not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import ceil, fsum, log2
from typing import Any, TypeAlias

from palaestra.task import JudgeError, Score
from palaestra.verifiers.judges import Endpoint, compare, tournament
from palaestra.verifiers.shaping import RecipeError, Reward, Transcript
from palaestra.verifiers.shaping.reading import read
from palaestra.verifiers.shaping.targets import AdaptiveTargets
from palaestra.verifiers.votes import Majority

PLAIN = "Truth()"
"""The recipe of those who have none: the score itself, as far as float32 tells it from 1."""

Result = Score | JudgeError
Tokens = int | Sequence[int] | None
RecipeOptions: TypeAlias = "str | Mapping[str, Any] | ShapedReward | None"
"""The text of a recipe, or a mapping with it; see :meth:`ShapedReward.of`."""


def majority(
    results: Sequence[Result],
    answers: Sequence[str],
    equal: Callable[[str, str], bool],
    **options: Any,
) -> list[Result]:
    """The scores of a group if its most frequent answer is right (TTRL, Zuo et al. 2025).

    ``answers`` has one for each result, an empty text where there is none; ``equal`` tells whether
    two answers are the same; ``options`` are those of
    :class:`~palaestra.verifiers.votes.Majority`. There are no scores where no answer is chosen.
    """
    vote = Majority(answers, equal=equal, **options)
    if why := vote.refusal():
        return [JudgeError(f"no label: {why}", "gold_error") for _ in results]
    return [
        result if isinstance(result, JudgeError) else vote(answer)
        for result, answer in zip(results, answers, strict=True)
    ]


def in_band(values: Sequence[float | None], low: float, high: float) -> bool:
    """Return whether the fraction of right scores in a group lies from ``low`` to ``high``.

    Rollouts without a score do not count, and a group without any score is in no band.

    >>> in_band([1, 0, None, 0.5], 0.2, 0.8), in_band([1, 1], 0.2, 0.8), in_band([None], 0, 1)
    (True, False, False)
    """
    known = [value == 1 for value in values if value is not None]
    return bool(known) and low <= sum(known) / len(known) <= high


def with_value(score: Score, value: float) -> Score:
    """Return a score that is not right with another value, clamped to at least 0 and below 1."""
    held = min(max(value, 0.0), 1 - 2.0**-12)
    return Score(held, score.reason, score.parts, score.status)


class ShapedReward:
    """What a recipe pays for replies, in groups of one task or one by one.

    ``recipe`` is its text. ``target`` is the target length of its ``LaserStep``, ``L1Exact`` or
    ``L1Max``: a number of tokens, or the ``lengths`` to choose from and ``every`` of
    :class:`~palaestra.verifiers.shaping.targets.AdaptiveTargets`, whose targets follow the pass
    rate of each group as training goes on (LASER-D). ``limit`` is the most tokens of a reply.

    An episode of several replies is paid by the one that earns least: none is to break the form, or
    to go beyond the limit.

    Raises :class:`~palaestra.verifiers.shaping.RecipeError`, a ``ValueError``, for a recipe or a
    target that cannot be, and when it is called for a transcript that lacks what it needs.
    """

    def __init__(
        self,
        recipe: str = PLAIN,
        target: int | Mapping[str, Any] | None = None,
        limit: int | None = None,
    ) -> None:
        if not isinstance(recipe, str):
            raise RecipeError(f"a recipe is a text, such as {PLAIN!r}, not {recipe!r:.80}")
        self.reward: Reward = read(recipe)
        self.limit = limit
        self.target = target if isinstance(target, int) else None
        self.adaptive: AdaptiveTargets | None = None
        if isinstance(target, Mapping):
            try:
                self.adaptive = AdaptiveTargets(**target)
            except TypeError:
                raise RecipeError("a target has lengths to choose from, and every") from None
        elif target is not None and (type(target) is not int or target < 1):
            raise RecipeError(f"a target is a number of tokens above 0, not {target!r:.80}")

    @classmethod
    def of(
        cls,
        options: RecipeOptions,
        limit: int | None = None,
        groups: bool = True,
    ) -> "ShapedReward":
        """One from a configuration: the text of a recipe, or a mapping with ``recipe`` and perhaps
        ``target`` and ``limit``; the plain score where there is none.

        Without ``groups``, for those who score replies one by one, targets that follow the pass
        rates of groups are refused.

        >>> ShapedReward.of({"recipe": "Truth(partial=0) + LaserStep()", "target": 512}).target
        512
        """
        reward = options if isinstance(options, ShapedReward) else cls._read(options, limit)
        if reward.adaptive is not None and not groups:
            raise RecipeError("targets that follow training want groups; give one target instead")
        return reward

    @classmethod
    def _read(cls, options: str | Mapping[str, Any] | None, limit: int | None) -> "ShapedReward":
        values = {"recipe": options} if isinstance(options, str) else dict(options or {})
        if odd := sorted(values.keys() - {"recipe", "target", "limit"}):
            raise RecipeError(f"a reward recipe has recipe, target and limit, not {odd[0]!r:.80}")
        if values and "recipe" not in values:
            raise RecipeError("a reward recipe has its text as `recipe`")
        return cls(**{"limit": limit, **values})

    def group(
        self,
        results: Sequence[Result],
        transcripts: Sequence[Sequence[Transcript]],
        update: bool = True,
    ) -> list[float | None]:
        """The rewards of a group of episodes of one task; None for what was not scored.

        ``transcripts`` has one for each reply of each episode. Targets that follow training
        count the group, unless ``update`` is false.
        """
        values = [result.value for result in results]
        target = self.target_for(values)
        if update and self.adaptive is not None:
            self.adaptive.update(values, [longest(each) for each in transcripts])
        return [
            self.episode(result, each, target)
            for result, each in zip(results, transcripts, strict=True)
        ]

    def target_for(self, values: Sequence[float | None]) -> int | None:
        """The target length for a group with these scores, if there is one."""
        return self.target if self.adaptive is None else self.adaptive.target(values)

    def one(self, result: Result, reply: str, tokens: Tokens = None) -> float | None:
        """The reward of one reply by itself; None where it was not scored."""
        return self.episode(result, [Transcript(reply, tokens)])

    def episode(
        self, result: Result, transcripts: Sequence[Transcript], target: int | None = None
    ) -> float | None:
        """The reward of an episode by the transcripts of its replies; None where it was not scored.

        Raises :class:`RecipeError` where targets follow the pass rates of groups, and none is
        given.
        """
        if self.adaptive is not None and target is None:
            raise RecipeError("targets that follow training want groups; give one target instead")
        if isinstance(result, JudgeError):
            return None
        paid = [
            self.reward(
                result,
                replace(
                    one, limit=one.limit or self.limit, target=target or self.target or one.target
                ),
            )
            for one in transcripts or [Transcript("", ())]
        ]
        return min(value for value in paid if value is not None)

    def sure(
        self, result: Result, transcripts: Sequence[Transcript], unscored: float | None = None
    ) -> float:
        """The same for those who take numbers only.

        What was not scored is ``unscored``, or raised where that is None.
        """
        paid = self.episode(result, transcripts)
        if paid is not None:
            return paid
        if unscored is None and isinstance(result, JudgeError):
            raise result
        return float(unscored or 0.0)

    def state(self) -> dict[str, Any]:
        """All that later rewards depend on, as plain values."""
        return {} if self.adaptive is None else {"adaptive": self.adaptive.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a :meth:`state`."""
        if self.adaptive is not None and "adaptive" in state:
            self.adaptive.restore(state["adaptive"])


def tokens_of(reply: str, tokenizer: str | None) -> list[int] | None:
    """The tokens of a reply by the tokenizer of this path or name; None without one."""
    return None if tokenizer is None else list(_tokenizer(tokenizer)(reply)["input_ids"])


@cache
def _tokenizer(name: str) -> Any:
    from transformers import AutoTokenizer

    return partial(AutoTokenizer.from_pretrained(name), add_special_tokens=False)


def longest(transcripts: Sequence[Transcript]) -> int:
    """How many tokens the longest reply of an episode has."""
    return max((one.length for one in transcripts), default=0)


PREFERENCES = ("pairwise", "tournament")
"""Group verifiers that ask a judge model which of two replies is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """How the replies of a group compare, as a judge model sees them, each from 0 to 1.

    - ``pairwise``: all pairs meet, and a reply gets its mean outcome (1, 0.5 or 0);
    - ``tournament``: a Swiss tournament of ``log2`` of the group and one more rounds; a reply of
      Bradley-Terry strength p gets ``p / (p + 1)``, its chance against the average one.

    ``judge`` are the settings of an :class:`~palaestra.verifiers.judges.Endpoint`: ``base_url`` and
    ``model`` at least. ``workers`` comparisons are made at a time; the rest is as for
    :func:`~palaestra.verifiers.judges.compare`.
    """

    method: str = "pairwise"
    judge: Mapping[str, Any] = field(default_factory=dict)
    criterion: str = "Which answer is better, whatever its length?"
    votes: int = 1
    cap: int = 2_000
    same_length: bool = False
    canaries: int = 1
    workers: int = 8
    endpoint: Endpoint = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.method not in PREFERENCES:
            raise ValueError(f"a preference is {' or '.join(PREFERENCES)}, not {self.method!r:.80}")
        if not {"base_url", "model"} <= {*self.judge}:
            raise ValueError(
                f"reward: {self.method} asks a judge model: reward_options has a judge, with its"
                " base_url and model"
            )
        object.__setattr__(self, "endpoint", Endpoint(**self.judge))
        if type(self.workers) is not int or self.workers < 1:
            raise ValueError(f"workers are a whole number above 0, not {self.workers!r:.80}")
        self._compared("", "same", "same")  # a tie, unasked; other options are looked at

    def _compared(self, question: str, one: str, other: str) -> float:
        return compare(
            self.endpoint, question, one, other, criterion=self.criterion, votes=self.votes,
            cap=self.cap, same_length=self.same_length, canaries=self.canaries,
        )  # fmt: skip

    def __call__(self, question: str, replies: Sequence[str]) -> list[float] | None:
        """The preference for each of two replies or more; None where the judge fails."""
        names = {f"{number:06}": reply for number, reply in enumerate(replies)}
        swiss = None if self.method == "pairwise" else ceil(log2(len(names))) + 1

        def match(one: str, other: str) -> float:
            return self._compared(question, names[one], names[other])

        try:
            # How many comparisons that makes is decided by the size of the group.
            table = tournament(names, match, swiss, most=len(names) ** 2, workers=self.workers)
        except JudgeError:
            return None
        if swiss is not None:
            return [table.strengths[name] / (table.strengths[name] + 1) for name in names]
        won: dict[str, list[float]] = {name: [] for name in names}
        for one, other, outcome in table.results:
            won[one].append(outcome)
            won[other].append(1 - outcome)
        return [fsum(each) / len(each) if each else 0.5 for each in won.values()]
