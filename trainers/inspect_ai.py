"""Evaluation with inspect_ai (0.3): a task, its solver and its scorer.

``inspect eval examples/inspect_tasks.py -T tasks="games/mastermind?split=eval&seeds=0:50"`` and,
from Python, ``inspect_ai.eval(evaluation("games/mastermind?split=eval&seeds=0:50"), model=...)``.

Games are played turn by turn in plain text, tool worlds too: calls are written out. What cannot be
scored is unscored in the log, and no part of its mean. Each score says what came of its episode,
see :class:`Outcome`.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any, NamedTuple

from palaestra.task import JudgeError, Score
from palaestra.trainers.rows import chosen
from palaestra.trainers.spoken_users import speaker_of
from palaestra.trainers.stepwise import Steps, steps_of

RESULT = "palaestra"
"""Where the solver leaves the result for the scorer, in the store of a sample."""


def evaluation(
    tasks: str = "logic/knights_and_knaves?split=eval&seeds=0:100",
    answer_format: str = "tags",
    max_turns: int | None = None,
    user: Mapping[str, Any] | None = None,
    **options: Any,
) -> Any:
    """A ``Task`` of selections with blanks between them; ``options`` go to it.

    A selection may be a file of questions with gold answers, too, such as ``maths.jsonl`` (see
    :func:`palaestra.trainers.rows.questions`), whose golds are the targets of its samples.

    ``max_turns`` ends an episode after so many replies. ``user`` has the options of an endpoint
    that words what users say after the prompt, see
    :func:`~palaestra.trainers.spoken_users.speaker_of`; the log has these words in the store of a
    sample.
    """
    from inspect_ai import Task  # type: ignore[import-not-found]
    from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]

    speaker_of(user)  # so that what is wrong with the options is said at once
    samples = []
    for wish in tasks.split():
        for each in chosen(wish, answer_format):
            ours = each.address
            named = {"env": ours.env, "level": ours.level, "address": each.label} if ours else {}
            samples.append(
                Sample(
                    id=each.name,
                    input=each.question,
                    target="" if ours else each.label,
                    metadata={**named, "answer_format": answer_format},
                )
            )
    play, judge = _solver(), _scorer()
    data = MemoryDataset(samples, name="palaestra")
    return Task(dataset=data, solver=play(max_turns, user), scorer=judge(), **options)


def scorer() -> Any:
    """A scorer for tasks of your own, whose targets are gold answers (or addresses of one reply).

    It goes with any solver, such as ``inspect_ai.solver.generate()``; ``answer_format`` in the
    metadata of a sample says how its answer is marked, in any of the usual ways if it is not there.
    """
    return _scorer()()


@cache
def _solver() -> Any:
    """The solver, which plays an episode through the model."""
    from inspect_ai.model import ChatMessageUser  # type: ignore[import-not-found]
    from inspect_ai.solver import solver  # type: ignore[import-not-found]

    def play_episode(max_turns: int | None = None, user: Mapping[str, Any] | None = None) -> Any:
        """Plays the task of a sample turn by turn."""
        speaker = speaker_of(user)

        async def solve(state: Any, generate: Any) -> Any:
            named = state.metadata
            label = named.get("address") or state.target.text
            steps = await asyncio.to_thread(
                steps_of, label, named["answer_format"], max_turns, None, speaker
            )
            while True:
                state = await generate(state)
                step = await asyncio.to_thread(steps.step, state.output.completion)
                state.store.set(RESULT, _result(steps))
                if step.done or state.completed:
                    return state
                state.messages.append(ChatMessageUser(content=step.observation))

        return solve

    return solver(play_episode)


def _result(steps: Steps) -> dict[str, Any]:
    """The result as plain values, for the store is written to the log."""
    score = steps.score
    replies = steps.turns
    words = [asdict(each) for each in steps.conversation.words]
    spoken = {"user_words": words} if words else {}
    if score is None:
        result = {"value": 0.0, "status": "limit", "reason": "unfinished", "turns": replies}
        return {**result, "parts": {}, **spoken}
    return {
        "value": score.value if isinstance(score, Score) else None,
        "status": score.status,
        "reason": str(score) if isinstance(score, JudgeError) else score.reason,
        "turns": replies,
        "parts": dict(score.parts),
        **spoken,
    }


class Outcome(NamedTuple):
    """What came of an episode, in a word, and what inspect_ai calls it where that is abnormal."""

    word: str
    """``right``, ``partial`` or ``wrong``; ``unreadable`` for a reply whose answer cannot be read,
    ``cut`` if that is because its tokens ran out, ``silent`` and ``refused`` if there was none;
    ``limit`` and ``timeout`` for what took too long, and ``unscored`` where the judge failed.
    """

    reason: str | None = None
    """One of inspect_ai's ``ScoreReason``, or a word of our own; None for a plain verdict."""


def outcome_of(
    value: float | None, status: str | None, stop_reason: str = "stop", reply: str = ""
) -> Outcome:
    """The outcome of an episode with this value and status, whose last reply stopped so.

    >>> outcome_of(0.0, "malformed", "max_tokens").word
    'cut'
    """
    if value is None:
        return Outcome("unscored", "scoring_failed")
    if status in {"limit", "timeout"}:
        return Outcome(status, status)
    if status == "scored":
        return Outcome("right" if value == 1 else "partial" if value > 0 else "wrong")
    if stop_reason == "content_filter":
        return Outcome("refused", "refusal")
    if stop_reason in {"max_tokens", "model_length"}:
        return Outcome("cut", "truncated")
    if not reply.strip():
        return Outcome("silent", "no_response")
    return Outcome("unreadable", "invalid_response_format")


@cache
def _scorer() -> Any:
    """The scorer, which takes what the solver found."""
    from inspect_ai.scorer import (  # type: ignore[import-not-found]
        Score as Logged,
    )
    from inspect_ai.scorer import (
        mean,
        stderr,
    )
    from inspect_ai.scorer import (
        scorer as registered,
    )

    def palaestra_score() -> Any:
        """The score of an episode, from 0 to 1; of a reply to a question, by its target."""

        async def score(state: Any, target: Any) -> Any:
            result = state.store.get(RESULT) or {}
            if not result and target.text:
                steps = await asyncio.to_thread(
                    steps_of, target.text, state.metadata.get("answer_format")
                )
                await asyncio.to_thread(steps.step, state.output.completion)
                result = _result(steps)
            value, status = result.get("value", 0.0), result.get("status", "no_answer")
            reply = state.output.completion
            outcome = outcome_of(value, status, str(state.output.stop_reason), reply)
            why = result.get("reason") or ("" if result else "no reply came")
            fields = {
                "reason": outcome.reason,
                "explanation": f"{outcome.word}: {why}" if why else outcome.word,
                "metadata": {
                    "outcome": outcome.word,
                    "status": status,
                    "turns": result.get("turns", 0),
                    "parts": result.get("parts", {}),
                },
            }
            if value is None:
                return Logged.unscored(**fields)
            return Logged(value=float(value), answer=reply, **fields)

        return score

    return registered(metrics=[mean(), stderr()])(palaestra_score)
