"""Attempts as trajectories in ATIF, the Agent Trajectory Interchange Format, and back.

Version 1.7 is written, and versions 1.0 to 1.8 are read. A step of the agent is one reply: its text
is the ``message``, or a native call of a tool is its ``tool_calls``; the next observation is its
``observation``. What is needed to score the replies again stands under ``palaestra`` in the
``extra`` of the root: ``address`` and ``answer_format``, and the score that they had.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode, answer_format_of
from palaestra.scoring import is_single_turn
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.trainers.episodes import ToolCall, move_of
from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.spoken_users import Conversation, Words

SCHEMA = "ATIF-v1.7"

OWN = "palaestra"
"""Where the ``extra`` of a trajectory has what is Palaestra's."""

_SCHEMAS = re.compile(r"ATIF-v1\.[0-8]")


class BadTrajectory(ValueError):
    """A trajectory that is not in the format, or has no address to score it by."""


# ------------------------------------------------------------------ writing


def trajectory(attempt: Attempt, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """An attempt of an evaluation as a trajectory. ``manifest`` is that of the evaluation.

    The observations are those of the task, which is played again with the replies, so that their
    cost is that of the episode. Raises what :meth:`Address.parse
    <palaestra.address.Address.parse>` does.
    """
    same = manifest.get("same", {})
    task = Address.parse(attempt.address).task()
    answer_format = answer_format_of(attempt.answer_format)
    observations = _observations(attempt, answer_format)
    names = {tool["function"]["name"] for tool in task.tools()} if attempt.native_tools else set()
    system = same.get("system")
    steps: list[dict[str, Any]] = [{"source": "system", "message": system}] if system else []
    steps.append({"source": "user", "message": observations[0]})
    for turn, reply in enumerate(attempt.replies):
        step = {"source": "agent"} | _spoken(reply, turn, names, answer_format)
        if turn + 1 < len(observations):
            result: dict[str, Any] = {"content": observations[turn + 1]}
            if calls := step.get("tool_calls"):
                result = {"source_call_id": calls[0]["tool_call_id"]} | result
            step["observation"] = {"results": [result]}
        if turn < len(attempt.rewards):
            step["extra"] = {"reward": attempt.rewards[turn]}
        steps.append(step)
    agent: dict[str, Any] = {
        "name": "palaestra-eval",
        "version": str(manifest.get("palaestra", "unknown")),
        "model_name": str(same.get("model", "unknown")),
    }
    if names:
        agent["tool_definitions"] = [dict(tool) for tool in task.tools()]
    name = _digest(attempt)
    result = {
        "schema_version": SCHEMA,
        "session_id": name,
        "trajectory_id": name,
        "agent": agent,
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
        "final_metrics": {
            "total_prompt_tokens": attempt.prompt_tokens,
            "total_completion_tokens": attempt.completion_tokens,
            "total_steps": len(steps),
            "extra": {"reasoning_tokens": attempt.reasoning_tokens, "seconds": attempt.seconds},
        },
        "extra": {OWN: _own(attempt)},
    }
    return result | ({"notes": notes} if (notes := _notes(attempt, observations, same)) else {})


def _own(attempt: Attempt) -> dict[str, Any]:
    return {
        "address": attempt.address,
        "answer_format": attempt.answer_format,
        "sample": attempt.sample,
        "score": attempt.score,
        "status": attempt.status,
        "reason": attempt.reason,
        "parts": dict(attempt.parts),
        "finish_reasons": list(attempt.finish_reasons),
    }


def _digest(attempt: Attempt) -> str:
    return blake2b("\n".join(map(str, attempt.key)).encode(), digest_size=8).hexdigest()


def _observations(attempt: Attempt, answer_format: AnswerFormat) -> list[str]:
    """The observations of an attempt, as far as the task can be played again."""
    words = [Words(**each) for each in attempt.user_words]
    task = Address.parse(attempt.address).task()
    conversation = Conversation(Episode(task, answer_format), words=words)
    seen = [conversation.observation]
    for reply in () if is_single_turn(task) else attempt.replies:
        try:
            conversation.episode.step(reply)
        except JudgeError:
            break
        if conversation.episode.score is not None:
            break
        seen.append(conversation.observation)
    return seen


def _notes(attempt: Attempt, observations: Sequence[str], same: Mapping[str, Any]) -> str:
    notes = []
    if same.get("observation", "text") != "text":
        notes.append("The observations had images, which are not part of this file.")
    if len(observations) < len(attempt.replies):
        notes.append("The observations end early, as the episode could not be played again.")
    if attempt.cut:
        notes.append("A reply was longer than what is stored of it.")
    return " ".join(notes)


def _spoken(reply: str, turn: int, names: set[str], answer_format: AnswerFormat) -> dict[str, Any]:
    """A reply as the content of a step: a call of a tool if it is exactly one."""
    call = _call(reply, f"call_{turn}", answer_format) if names else None
    if call is None or call.name not in names or move_of(call, answer_format) != reply:
        return {"message": reply}
    arguments = json.loads(call.arguments)
    calls = [{"tool_call_id": call.id, "function_name": call.name, "arguments": arguments}]
    return {"message": "", "tool_calls": calls}


def _call(reply: str, name: str, answer_format: AnswerFormat) -> ToolCall | None:
    try:
        fields = json.loads(answer_format.read(reply))
    except (InvalidAnswer, ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or fields.keys() != {"tool", "args"}:
        return None
    if not isinstance(fields["tool"], str) or not isinstance(fields["args"], dict):
        return None
    return ToolCall(fields["tool"], json.dumps(fields["args"]), name)


def write(attempts: Iterable[Attempt], manifest: Mapping[str, Any], folder: Path) -> int:
    """Write a file with one line for each attempt into a folder, and return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, attempt in enumerate(attempts, 1):  # noqa: B007  it is what is returned
        env = re.sub(r"\W+", "-", attempt.env).strip("-")
        file = folder / f"{env}-{_digest(attempt)}.json"
        part = file.with_suffix(".part")
        part.write_text(json.dumps(trajectory(attempt, manifest)) + "\n", "utf-8")
        part.replace(file)
    return count


# ------------------------------------------------------------------ reading


def attempt_in(value: Mapping[str, Any]) -> dict[str, Any]:
    """The ``address``, ``replies`` and ``answer_format`` of a trajectory, to score them again.

    If the trajectory states its ``score``, that is there as well: None where it was unscored.
    Raises :class:`BadTrajectory` for one of another version, without an address, or with steps that
    are not in the format, and ``ValueError`` for an unknown answer format.
    """
    schema = value.get("schema_version")
    if not isinstance(schema, str) or not _SCHEMAS.fullmatch(schema):
        raise BadTrajectory(f"a trajectory is of ATIF-v1.0 to v1.8, not {str(schema)[:40]!r}")
    extra = value.get("extra")
    own = extra.get(OWN) if isinstance(extra, Mapping) else None
    if not isinstance(own, Mapping) or not isinstance(own.get("address"), str):
        raise BadTrajectory(f"the trajectory has no address at extra.{OWN}.address")
    answer_format = answer_format_of(str(own.get("answer_format", "tags")))
    steps = value.get("steps")
    if not isinstance(steps, list):
        raise BadTrajectory("the steps of a trajectory are a list")
    replies = [reply for step in steps for reply in _replies(step, answer_format)]
    score = {"score": own["score"]} if "score" in own else {}
    return {
        "address": own["address"],
        "replies": replies,
        "answer_format": answer_format.name,
    } | score


def _replies(step: Any, answer_format: AnswerFormat) -> list[str]:
    """The replies of a step: one for each call of a tool, or its message; none of other sources."""
    if not isinstance(step, Mapping) or "message" not in step:
        raise BadTrajectory("a step is an object with a message")
    if step.get("source") != "agent" or step.get("is_copied_context"):
        return []
    if calls := step.get("tool_calls"):
        if not isinstance(calls, list):
            raise BadTrajectory("the tool_calls of a step are a list")
        return [_move(call, answer_format) for call in calls]
    message = step["message"]
    if isinstance(message, list):
        message = "".join(
            str(part.get("text") or "") for part in message if isinstance(part, Mapping)
        )
    if not isinstance(message, str):
        raise BadTrajectory("the message of a step is a text or a list of parts")
    return [message]


def _move(call: Any, answer_format: AnswerFormat) -> str:
    try:
        name, arguments = call["function_name"], json.dumps(call["arguments"])
    except (KeyError, TypeError):
        raise BadTrajectory("a call has a function_name and arguments") from None
    return move_of(ToolCall(str(name), arguments), answer_format)
