"""Calls of a tool before the answer."""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field, ValidationError

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.batch import judged
from palaestra.combinators.combinator import Combinator
from palaestra.combinators.several_replies import SeveralReplies
from palaestra.combinators.toolkits import SEARCHABLE, TOOLKITS, Name, Toolkit
from palaestra.task import InvalidAnswer, Play, Puzzle, Score, Task, Turn
from palaestra.toolbox import Call, call, manual, schemas
from palaestra.verifiers.replies import unwrapped

ANSWER = "answer"
_ANSWER: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": ANSWER,
        "description": "Give the final answer, in the form that the task states.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The answer.", "maxLength": Task.longest}
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    },
}
"""The tool for the answer, which players have who call functions."""

_EXAMPLES: dict[Name, dict[str, str]] = {
    "python": {"code": "print(2 + 2)"},
    "calculator": {"expression": "2 + 2"},
    "search": {"words": "Ada Rome"},
}
_CALL = re.compile(rf'\{{\s*"(?:tool"\s*:|name"\s*:\s*"(?:{"|".join(TOOLKITS)})")')
"""How a move begins that is meant as a call, even if the rest is malformed."""


class ToolsTask(SeveralReplies):
    """A puzzle with a tool, which may be called before the answer."""

    combinator: ClassVar["Tools"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        if cls.combinator.tool == "search" and len(task.prompt()) < SEARCHABLE:
            raise Unsuitable(
                f"a question of fewer than {SEARCHABLE} characters has nothing to search; use a "
                "higher level"
            )
        return cls(task=task)

    def play(self) -> Play:
        """The score is that of the answer, whatever the number of calls."""
        question = self.task.prompt()
        toolkit = self.combinator.toolkit()(question)
        observation, calls = f"{question}\n\n{self._rules()}", 0
        state = blake2b(digest_size=8)
        while True:
            left = self.combinator.calls - calls
            state.update(observation.encode("utf-8", "replace"))
            try:
                move = yield Turn(observation, state=f"{left} {state.hexdigest()}")
            except InvalidAnswer as error:
                if not left:
                    raise
                result = f"Error: {error}"
            else:
                text, is_call = self._read(move)
                if not is_call:
                    score = judged(self.task, text)
                    break
                if not left:
                    score = Score(0, "a call instead of an answer", status="malformed")
                    break
                result = toolkit.use(text)
            calls += 1
            observation = f"{result}\n\n{self._remaining(left - 1)}"
        parts = {**score.parts, "calls": float(calls)}
        return Score(score.value, score.reason, parts, score.status)

    def _rules(self) -> str:
        number = self.combinator.calls
        calls = "1 call" if number == 1 else f"{number} calls, one in a reply,"
        opening = self.phrase(
            f"Before you answer you can make up to {calls} of this tool:",
            f"You can use a tool, with at most {calls} before your answer:",
        )
        example = call(self.combinator.tool, **_EXAMPLES[self.combinator.tool])
        return (
            f"{opening}\n{manual(self.combinator.toolkit())}\n"
            f"In place of an answer, a call looks like {example}. Any other reply is your final "
            "answer. A call that fails counts, too."
        )

    def _remaining(self, calls: int) -> str:
        if not calls:
            return "No calls are left: the next reply is your final answer."
        return f"{calls} {'call is' if calls == 1 else 'calls are'} left."

    def _read(self, move: str) -> tuple[str, bool]:
        """The text of a call, or that of the answer, and which of the two it is."""
        text = unwrapped(move)
        if not text.startswith("{"):
            return move, False
        try:
            wish = Call.model_validate_json(text)
        except ValidationError:
            return (text, True) if _CALL.match(text) else (move, False)
        if wish.tool == ANSWER and wish.args.keys() == {"text"}:
            return str(wish.args["text"]), False
        known = wish.tool in self.combinator.toolkit().toolkit
        is_call = known or "args" in wish.model_fields_set or _CALL.match(text)
        return (text, True) if is_call else (move, False)

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [*schemas(self.combinator.toolkit()), _ANSWER]


class Tools(Combinator):
    """A tool may be called before the answer: Python, a calculator or a search.

    The ``tool`` is ``python`` (code that runs in the sandbox), ``calculator`` (exact arithmetic) or
    ``search`` (passages of a long question). Up to ``calls`` calls are made, one in each reply. The
    score is that of the answer, and its parts have the number of ``calls``.
    """

    name: ClassVar[str] = "tools"
    template: ClassVar[type[Combination]] = ToolsTask

    tool: Name = "python"
    calls: int = Field(3, ge=1, le=32)

    def toolkit(self) -> type[Toolkit]:
        """The class of the tool."""
        return TOOLKITS[self.tool]

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {
            "tags": base.tags - {"unique-solution"} | {self.name, "tool-use"},
            "verbatim": True,
            "longest": max(base.longest, Task.longest),
            "expensive": base.expensive or self.tool == "python",
        }
