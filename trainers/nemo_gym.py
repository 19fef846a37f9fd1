"""NeMo Gym 0.4: rows of its data sets, and what its resources server answers for them.

``palaestra export logic/knights_and_knaves --trainer nemo-gym -o train.jsonl`` writes the rows.
They are for the resources server in ``examples/nemo_gym``, which scores in its own process, and for
``palaestra serve --protocol nemo-gym``, which is one that others share. NeMo RL trains on the same
rows, through NeMo Gym.

A row holds the address of its task, the request to the model, and the agent that plays it: one that
asks once for tasks of one reply, and one that goes on turn by turn for the others. It holds no
answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.address import Address
from palaestra.episode import TAGS, AnswerFormat, EpisodeOver, answer_format_of
from palaestra.registry import load
from palaestra.scoring import Item, opening, score_many
from palaestra.task import JudgeError, Puzzle, Score
from palaestra.trainers.episodes import ToolCall, move_of, offered_tools
from palaestra.trainers.stepwise import Steps

COLUMNS = ("agent_ref", "responses_create_params", "verifier_metadata")
"""The columns of a row."""

SIMPLE_AGENT = "palaestra_simple_agent"
"""The agent in the configuration that asks the model once, and has ``/verify`` score the reply."""

TURN_AGENT = "palaestra_gymnasium_agent"
"""The agent in the configuration that asks turn by turn, and has ``/step`` answer."""

UNSCORED = "_ng_failure_class"
"""By what NeMo Gym 0.4 knows a rollout that is no result, and writes to its file of failures."""


def nemo_gym_row(
    address: Address | str, answer_format: AnswerFormat | str = TAGS
) -> dict[str, Any]:
    """The row of a task.

    Environments with tools offer them as functions, beside ``answer``, which says something in
    words. Raises what :meth:`Address.parse <palaestra.address.Address.parse>` does.
    """
    parsed = address if isinstance(address, Address) else Address.parse(address)
    marked = answer_format_of(answer_format)
    task = opening(parsed, marked)
    request: dict[str, Any] = {"input": [dict(message) for message in task.messages]}
    if task.tools:
        known = [dict(each["function"]) for each in offered_tools(task.tools)]
        request["tools"] = [{"type": "function", "strict": False, **tool} for tool in known]
        request["parallel_tool_calls"] = False
    agent = SIMPLE_AGENT if is_verified_once(parsed) else TURN_AGENT
    return {
        "agent_ref": {"type": "responses_api_agents", "name": agent},
        "responses_create_params": request,
        "verifier_metadata": {
            "address": task.address,
            "answer_format": marked.name,
            "env": parsed.env,
            "level": parsed.level,
        },
    }


def is_verified_once(address: Address | str) -> bool:
    """Whether one reply settles a task, so that ``/verify`` scores it."""
    parsed = address if isinstance(address, Address) else Address.parse(address)
    return issubclass(load(parsed.env), Puzzle)


def scored(
    address: str, output: Sequence[Mapping[str, Any]], answer_format: AnswerFormat | str = TAGS
) -> Score | JudgeError:
    """The score of a response to a task of one reply, from the items of its output.

    >>> message = {"type": "message", "content": "I do not know."}
    >>> scored("logic/knights_and_knaves?seed=1", [message]).status
    'no_answer'
    """
    (score,) = score_many([Item(address, "\n".join(texts_of(output)), answer_format)])
    return score


def verdict(score: Score | JudgeError) -> dict[str, Any]:
    """What ``/verify`` answers, beside the request: ``reward``, ``reward_components``, and why.

    ``reward_components`` are the parts of the score. Where the judge failed, ``failure_reason``
    says why, and the reward, which NeMo Gym asks for, is 0 and not to be used: ``mask_sample`` is
    true, and :data:`UNSCORED` keeps the rollout out of the results.
    """
    fields: dict[str, Any] = {
        "reward": score.value or 0.0,
        "reward_components": dict(score.parts),
        "correct": bool(score.correct),
        "status": score.status,
        "reason": score.reason,
        "mask_sample": False,
    }
    if isinstance(score, JudgeError):
        return fields | {
            "mask_sample": True,
            "failure_kind": "verifier_error",
            "failure_reason": score.reason,
            UNSCORED: "verifier_error",
        }
    return fields


class Played(NamedTuple):
    """What came of a response of the model: what the agent sends it next, and what it earned."""

    observation: str | None
    reward: float
    terminated: bool
    info: dict[str, Any]


class Rollout:
    """An episode that is played response by response, as the Gymnasium agent of NeMo Gym does.

    A response has calls of tools, which are moves one after the other, or a text, which is one.

    >>> rollout = Rollout("logic/knights_and_knaves?seed=1", "bare")
    >>> rollout.play([{"type": "message", "content": "no idea"}]).terminated
    True
    """

    def __init__(self, address: str, answer_format: AnswerFormat | str = TAGS) -> None:
        self.steps = Steps(address, answer_format)

    def play(self, output: Sequence[Mapping[str, Any]]) -> Played:
        """Play the items of a response, as plain values.

        Calls after the end of the episode are ignored. Raises
        :class:`~palaestra.task.JudgeError` where the judge fails, and
        :class:`~palaestra.episode.EpisodeOver` after the end.
        """
        if self.steps.score is not None:
            raise EpisodeOver("the episode is over")
        calls = calls_of(output) if self.steps.episode.task.tools() else []
        if not calls:
            earned = self._step("\n".join(texts_of(output)))
            return self._played(earned, [])
        earned, outputs = 0.0, []
        for each in calls:
            if self.steps.score is not None:
                break
            earned += self._step(move_of(each, self.steps.episode.answer_format))
            outputs.append({"call_id": each.id, "output": self._seen()})
        return self._played(earned, outputs)

    def _step(self, reply: str) -> float:
        step = self.steps.step(reply)
        if isinstance(self.steps.score, JudgeError):
            raise self.steps.score
        return step.reward or 0.0

    def _seen(self) -> str:
        return self.steps.observation if self.steps.score is None else "The episode is over."

    def _played(self, earned: float, outputs: list[dict[str, str]]) -> Played:
        score = self.steps.score
        info: dict[str, Any] = {"tool_outputs": outputs} if outputs else {}
        if score is None:
            return Played(None if outputs else self.steps.observation, earned, False, info)
        named = {"reward_components", "correct", "status", "reason"}
        ended = {name: value for name, value in verdict(score).items() if name in named}
        return Played(None, earned, True, info | ended | {"address": self.steps.address})


def texts_of(output: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the assistant wrote in the items of a response, message by message.

    >>> texts_of([{"type": "message", "content": [{"type": "output_text", "text": "4"}]}])
    ['4']
    """
    return [
        _text(item.get("content"))
        for item in output
        if item.get("type", "message") == "message" and item.get("role", "assistant") == "assistant"
    ]


def _text(content: Any) -> str:
    """The text of a message, which is one or is in parts; refusals have none."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(
        part["text"]
        for part in parts
        if isinstance(part, Mapping) and isinstance(part.get("text"), str)
    )


def calls_of(output: Sequence[Mapping[str, Any]]) -> list[ToolCall]:
    """The calls of tools in the items of a response."""
    return [
        ToolCall(
            str(item.get("name", "")), str(item.get("arguments") or "{}"), str(item.get("call_id"))
        )
        for item in output
        if item.get("type") == "function_call"
    ]
