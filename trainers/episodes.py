"""Whole episodes against a model behind an OpenAI-compatible client, from a task's address alone.

This is what trainers call whose rollouts are coroutines around such a client (AReaL, rLLM,
agent-lightning, ART, prime-rl, NeMo Gym, slime's agents), and what evaluation is made of::

    result = await run_episode(client, "my-model", "games/mastermind?level=1&seed=3")
    result.score, result.rewards, result.messages

Puzzles, tasks of several turns, matches and tool worlds are all played alike, and nothing is kept
between two episodes. :func:`play_episode` does the same for anything that replies to messages.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, Literal

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode, answer_format_of
from palaestra.observations import (
    SIZE,
    TEXT,
    Content,
    NoImages,
    Observation,
    View,
    content,
    text_of,
)
from palaestra.scoring import Item, is_single_turn, score_many
from palaestra.task import JudgeError, Score
from palaestra.toolbox import call
from palaestra.trainers.spoken_users import Conversation, Speaker, Words

MOST_TURNS = 256
"""How often a model is asked in an episode, unless told otherwise; perfect players take 160."""

ANSWER = "answer"
"""The tool to say something in plain words with, as worlds have it over MCP, too."""

Message = dict[str, Any]
ToolMode = Literal["auto", "native", "text"]
"""Whether tools are offered as functions, as text, or as functions unless these are refused."""

_SAYS = {
    "type": "function",
    "function": {
        "name": ANSWER,
        "description": "Say that you are finished, or what else is to be said without a tool.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "What is said, such as: done"}
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    },
}
_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_FULL = re.compile(
    r"context[_ ](length|window|size)|maximum context|too many tokens", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool as an endpoint tells it: ``arguments`` is JSON, if the model wrote any."""

    name: str
    arguments: str = "{}"
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, the tools it called, why it stopped, and the tokens that took."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    """How many of those were spent on thoughts that are not part of the text."""


Ask = Callable[[list[Message], list[Mapping[str, Any]]], Awaitable[str | Reply]]
"""Replies to a chat. The tools are empty unless they are offered as functions."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """An episode as it was played. ``palaestra.score(address, replies, answer format)`` judges it
    again.

    ``replies`` are what the task heard, with calls of tools in their text form; ``rewards`` has
    one number for each of them, and they add up to the score. ``finish_reasons`` and ``waits``
    (in seconds) have one entry for each time that the model was asked. Tokens are summed over
    these, so what a long chat starts with is counted each time that it is sent.
    """

    address: str
    answer_format: str
    score: float | None
    """From 0 to 1; None where it could not be scored, which is never the same as 0."""

    status: str
    """``scored``, ``no_answer``, ``malformed``, ``limit`` and ``timeout`` are the player's doing;
    ``gold_error`` and ``infra_error`` are not, and have no score.
    """

    reason: str
    parts: Mapping[str, float]
    rewards: tuple[float, ...]
    replies: tuple[str, ...]
    messages: tuple[Message, ...]
    finish_reasons: tuple[str | None, ...]
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    waits: tuple[float, ...]
    seconds: float
    """From the drawing of the task to its score."""

    native_tools: bool
    """Whether tools were offered as functions."""

    user_words: tuple[Words, ...] = ()
    """What the task's user said, where an endpoint spoke in its place."""

    @property
    def correct(self) -> bool | None:
        """Whether the task is solved; None where it could not be scored."""
        return None if self.score is None else self.score == 1

    def plain(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {**asdict(self), "correct": self.correct}


async def run_episode(  # noqa: PLR0913
    client: Any,
    model: str,
    address: Address | str,
    *,
    answer_format: AnswerFormat | str = "tags",
    system: str = "",
    tools: ToolMode = "auto",
    max_turns: int = MOST_TURNS,
    max_context: int | None = None,
    speaker: Speaker | None = None,
    observation: Observation = "text",
    image_size: int = SIZE,
    **sampling: Any,
) -> EpisodeResult:
    """Let a model play the task of an address, and score it.

    ``client`` is an ``openai.AsyncOpenAI``, a :class:`palaestra.trainers.evaluation.ChatClient`, or
    anything else with their ``chat.completions.create``. What is in ``sampling`` (``max_tokens``
    for a reply, ``temperature``, ``seed``, ``extra_body``) is handed on to it with every request.

    An episode ends with status ``limit`` and what an unfinished one scores, which is 0, once the
    model was asked ``max_turns`` times, or its chat is ``max_context`` tokens long, or longer than
    the endpoint takes. A request that fails makes it unscored; retries are the client's business.

    A ``speaker`` puts what a user says who talks into the words of another endpoint.

    With ``observation="image"`` or ``"both"``, messages have image parts of ``image_size`` pixels
    on each side (see :mod:`palaestra.observations`); results of tools remain text.

    Raises what :meth:`Address.parse <palaestra.address.Address.parse>` does,
    :class:`~palaestra.observations.NoImages` for images of an environment without scenes, and
    ``ValueError`` for ``n`` and ``stream``, for which there is no use here.
    """
    if taken := {"n", "stream", "messages"} & sampling.keys():
        raise ValueError(f"an episode has no option {min(taken)!r}")

    async def ask(messages: list[Message], offered: list[Mapping[str, Any]]) -> Reply:
        wish = {"model": model, "messages": messages, **sampling}
        if offered:
            wish["tools"] = offered
        return reply_of(await client.chat.completions.create(**wish))

    return await play_episode(
        ask,
        address,
        answer_format=answer_format,
        system=system,
        tools=tools,
        max_turns=max_turns,
        max_context=max_context,
        speaker=speaker,
        observation=observation,
        image_size=image_size,
    )


async def play_episode(  # noqa: PLR0913
    ask: Ask,
    address: Address | str,
    *,
    answer_format: AnswerFormat | str = "tags",
    system: str = "",
    tools: ToolMode = "auto",
    max_turns: int = MOST_TURNS,
    max_context: int | None = None,
    speaker: Speaker | None = None,
    observation: Observation = "text",
    image_size: int = SIZE,
) -> EpisodeResult:
    """The same with anything that replies to messages: ``await ask(messages, tools)``.

    It gives a text, or a :class:`Reply` where there is more to tell. What it raises makes the
    episode unscored, but for ``TypeError``, which is a slip of whoever wrote it.
    """
    if tools not in {"auto", "native", "text"}:
        raise ValueError(f"tools are offered as auto, native or text, not {tools!r}")
    if max_turns < 1 or (max_context is not None and max_context < 1):
        raise ValueError("max_turns and max_context are at least 1")
    view = View(observation, image_size)
    start = perf_counter()
    where = address if isinstance(address, Address) else Address.parse(address)
    how = answer_format_of(answer_format)
    # Some tasks take a while to draw, and other episodes wait on this loop.
    episode = await asyncio.to_thread(lambda: Episode(where.task(), how))
    if view.has_image and episode.turn.scene() is None:
        raise NoImages(where.env)
    conversation = Conversation(episode, speaker)
    player = _Player(conversation, ask, tools, max_turns, max_context, system, view)
    score = await player.play()
    return EpisodeResult(
        address=str(where),
        answer_format=how.name,
        score=score.value,
        status=score.status,
        reason=score.reason,
        parts=dict(score.parts),
        rewards=tuple(player.rewards),
        replies=tuple(player.replies),
        messages=tuple(player.messages),
        finish_reasons=tuple(reply.finish_reason for reply in player.said),
        prompt_tokens=sum(reply.prompt_tokens for reply in player.said),
        completion_tokens=sum(reply.completion_tokens for reply in player.said),
        reasoning_tokens=sum(reply.reasoning_tokens for reply in player.said),
        waits=tuple(player.waits),
        seconds=perf_counter() - start,
        native_tools=bool(player.offered),
        user_words=tuple(conversation.words),
    )


class _Player:
    """One episode between a task and a model, with the chat that they have."""

    def __init__(  # noqa: PLR0913, PLR0917
        self, conversation: Conversation, ask: Ask, tools: ToolMode, turns: int,
        context: int | None, system: str, view: View = TEXT,
    ) -> None:  # fmt: skip
        episode = conversation.episode
        self.view = view
        self.conversation, self.episode, self.ask, self.tools = conversation, episode, ask, tools
        self.turns, self.context = turns, context
        self.offered = [] if tools == "text" else offered_tools(episode.task.tools())
        self.messages: list[Message] = [{"role": "system", "content": system}] if system else []
        self.said: list[Reply] = []
        self.waits: list[float] = []
        self.replies: list[str] = []
        self.rewards: list[float] = []
        self.result: Score | JudgeError | None = episode.score

    async def play(self) -> Score | JudgeError:
        """Asks and hears until there is a score, or a reason why there is none."""
        await self.conversation.speak_async()
        if self.conversation.messages():
            self.messages.append({"role": "user", "content": await self._content()})
        while self.result is None:
            if len(self.said) >= self.turns:
                self._stop(f"it went on after {self.turns} turns")
            elif self.context is not None and self._size() >= self.context:
                self._stop(f"its chat grew to {self.context} tokens")
            elif (reply := await self._asked()) is not None:
                await self._take(reply)
        return self.result

    def _stop(self, why: str) -> None:
        self.result = Score(0, why, status="limit")

    def _size(self) -> int:
        """The tokens of the chat: as the endpoint counts them, or about four signs each."""
        if self.said and self.said[-1].prompt_tokens:
            return self.said[-1].prompt_tokens + self.said[-1].completion_tokens
        return sum(len(text_of(message.get("content"))) for message in self.messages) // 4

    async def _content(self) -> Content:
        """What the task says to the player, with its image if there is to be one."""
        text = self.conversation.observation
        if not self.view.has_image:
            return text
        return await asyncio.to_thread(content, self.episode, self.view, text)

    async def _asked(self) -> Reply | None:
        """What the model replies; nothing where that failed."""
        start = perf_counter()
        try:
            reply = await self.ask(list(self.messages), list(self.offered))
        except TypeError:
            raise
        except Exception as fault:  # noqa: BLE001  clients have errors of their own
            self._failed(fault)
            return None
        self.waits.append(perf_counter() - start)
        self.said.append(Reply(reply) if isinstance(reply, str) else reply)
        return self.said[-1]

    def _failed(self, fault: Exception) -> None:
        reason = f"{type(fault).__name__}: {fault}"[:500]
        answered = getattr(fault, "status_code", None) is not None
        unwilling = answered and "tool" in reason.casefold()  # so say vLLM, llama.cpp and Ollama
        if self.offered and self.tools == "auto" and not self.said and unwilling:
            self.offered = []
        elif self.said and answered and _FULL.search(str(fault)):
            self._stop("its chat grew longer than the model can read")
        else:
            self.result = JudgeError(reason)

    async def _take(self, reply: Reply) -> None:
        """Has the task hear a reply, and puts what it says to that into the chat."""
        calls = reply.calls if self.offered else ()
        self.messages.append(_spoken(reply, calls))
        if not calls:
            await self._step(reply.text)
            if self.result is None:
                self.messages.append({"role": "user", "content": await self._content()})
            return
        for n, each in enumerate(calls):
            if self.result is not None:
                break
            await self._step(move_of(each, self.episode.answer_format))
            if self.result is None:
                message = {"role": "tool", "tool_call_id": each.id or f"call_{n}"}
                self.messages.append({**message, "content": self.conversation.observation})

    async def _step(self, reply: str) -> None:
        task = self.episode.task
        self.replies.append(reply)
        if is_single_turn(task):
            item = Item(task, reply, self.episode.answer_format)
            # Heavy ones are judged in worker processes, which can be given up if they hang.
            judge = asyncio.to_thread(score_many, [item]) if task.expensive else None
            (self.result,) = await judge if judge else score_many([item])
            if self.result.value is not None:
                self.rewards.append(self.result.value)
            return
        try:
            step = self.episode.step
            earned = await asyncio.to_thread(step, reply) if task.expensive else step(reply)
        except JudgeError as fault:
            self.result = fault
        except Exception as fault:  # noqa: BLE001  whatever it was, it must not become a reward
            self.result = JudgeError(f"{type(fault).__name__}: {fault}"[:500])
        else:
            self.rewards.append(earned)
            self.result = self.episode.score
            await self.conversation.speak_async()


def offered_tools(tools: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The tools of a world, and one to say something in plain words."""
    named = {tool["function"]["name"] for tool in tools}
    return [*tools, _SAYS] if tools and ANSWER not in named else [*tools]


def _spoken(reply: Reply, calls: Sequence[ToolCall]) -> Message:
    """A reply as a message of the chat."""
    if not calls:
        return {"role": "assistant", "content": reply.text}
    # Servers parse what a model called before; what is not JSON would fail the next request.
    texts = [
        {
            "id": each.id or f"call_{n}",
            "type": "function",
            "function": {
                "name": each.name,
                "arguments": "{}" if _arguments(each) is None else each.arguments,
            },
        }
        for n, each in enumerate(calls)
    ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": texts}


def _arguments(each: ToolCall) -> dict[str, Any] | None:
    try:
        value = json.loads(each.arguments or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def move_of(each: ToolCall, answer_format: AnswerFormat) -> str:
    """The reply that a call of a tool is. A world says itself what is wrong with it.

    >>> from palaestra.episode import TAGS
    >>> move_of(ToolCall("book", '{"hour": 9}'), TAGS)
    '<answer>{"tool": "book", "args": {"hour": 9}}</answer>'
    """
    arguments = _arguments(each)
    if each.name == ANSWER and arguments is not None and set(arguments) == {"text"}:
        return answer_format.write(str(arguments["text"]))
    try:
        move = call(each.name, **arguments) if arguments is not None else _miscalled(each)
    except RecursionError:
        move = _miscalled(each)
    # Signs within texts must not end the mark around the move.
    return answer_format.write(_TEXTS.sub(_unmarked, move))


def _miscalled(each: ToolCall) -> str:
    return json.dumps({"tool": each.name, "args": each.arguments})


def _unmarked(text: re.Match[str]) -> str:
    return text[0].translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>{}"})


def reply_of(completion: Any) -> Reply:
    """What an endpoint's completion says, be it an object or a mapping.

    Raises ``ValueError`` where it is no chat completion.
    """
    choices = _get(completion, "choices")
    if not isinstance(choices, list | tuple) or not choices:
        raise ValueError("the endpoint's answer is not a chat completion")
    message = _get(choices[0], "message")
    called = _get(message, "tool_calls")
    calls = tuple(map(_called, called)) if isinstance(called, list | tuple) else ()
    usage = _get(completion, "usage")
    reason = _get(choices[0], "finish_reason")
    return Reply(
        _text(_get(message, "content")),
        calls,
        str(reason)[:40] if reason else None,
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
        _count(_get(usage, "completion_tokens_details"), "reasoning_tokens"),
    )


def _called(fields: Any) -> ToolCall:
    function = _get(fields, "function")
    arguments = _get(function, "arguments")
    if arguments is None:
        arguments = "{}"
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, default=str)  # Ollama gives an object
    return ToolCall(str(_get(function, "name")), arguments, str(_get(fields, "id") or ""))


def _text(content: Any) -> str:
    """The text of a message: itself, its parts together, or none beside calls of tools."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple):
        return "".join(str(_get(part, "text") or "") for part in content)
    raise ValueError("the endpoint's answer holds no text")


def _get(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _count(usage: Any, name: str) -> int:
    value = _get(usage, name)
    return value if type(value) is int and 0 <= value < 2**53 else 0
