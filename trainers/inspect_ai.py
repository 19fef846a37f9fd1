"""Evaluation with inspect_ai (0.3): a task, its solver and its scorer.

``inspect eval examples/inspect_tasks.py -T tasks="games/mastermind?split=eval&seeds=0:50"`` and,
from Python, ``inspect_ai.eval(evaluation("games/mastermind?split=eval&seeds=0:50"), model=...)``.

Games are played turn by turn in plain text, tool worlds too: calls are written out. What cannot be
scored is unscored in the log, and no part of its mean.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

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
        return {**result, **spoken}
    return {
        "value": score.value if isinstance(score, Score) else None,
        "status": score.status,
        "reason": str(score) if isinstance(score, JudgeError) else score.reason,
        "turns": replies,
        **spoken,
    }


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
            metadata = {"status": result.get("status"), "turns": result.get("turns")}
            why = result.get("reason") or "no reply came"
            if result.get("value") is None:
                return Logged.unscored(
                    reason=str(metadata["status"]), explanation=why, metadata=metadata
                )
            return Logged(
                value=float(result["value"]),
                answer=state.output.completion,
                explanation=why if result["value"] < 1 else "right",
                metadata=metadata,
            )

        return score

    return registered(metrics=[mean(), stderr()])(palaestra_score)
