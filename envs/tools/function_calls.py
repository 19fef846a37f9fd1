"""Calling functions of an interface that is new with every task.

The four kinds of requests (one call, parallel calls, none that fits, a missing argument) are after
S. Patil and others, "The Berkeley Function Calling Leaderboard" (2025), whose functions are those
of real libraries. Functions that are new with each task are an idea of M. Chen and others, "ReCall"
(2025), a framework that trains models to use arbitrary tools.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, Self

from palaestra.generators.tools.function_calls.interfaces import Function, RecordType
from palaestra.generators.tools.function_calls.players import (
    at_random,
    by_shared_words,
    calls_in_words,
    filled,
    random_gap,
)
from palaestra.generators.tools.function_calls.requests import (
    Outcome,
    Sizes,
    random_problem,
    request_in_words,
)
from palaestra.generators.tools.function_calls.resolution import Ask, Due, Verdict, resolved
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.toolbox import call
from palaestra.verifiers.calls.reading import Call, read_calls
from palaestra.verifiers.calls.tool_calls import OneOf, ToolCalls
from palaestra.verifiers.json.reading import same_json

EXPECTED = (
    'an answer is calls in JSON such as [{"tool": "send_parcel", "args": {"grams": 3}}], '
    "or the text none, or the text missing: ARGUMENT_NAME"
)

ALMOST = 0.99
"""The most progress of an answer that is not right."""

_MISSING = re.compile(r"missing\s*+:\s*+([`'\"]?)(\w{1,100})\1", re.IGNORECASE)


class FunctionCalls(Puzzle):
    """Call the functions that a request needs, among similar ones, or say why that is impossible.

    The answer is a list of calls, ``none``, or ``missing: ARGUMENT_NAME``. The parts of the score
    are ``format`` (1 for an answer that can be read), ``tool`` (the share of the functions that are
    rightly chosen), ``arguments`` (the share of the arguments that are right) and ``progress`` (the
    product of the last two, and 1 only for a right answer).
    """

    tags = {"tool-use", "function-calling", "reading", "long-context"}
    answer_type = "code"

    class Knobs(Puzzle.Knobs):
        functions: int = ladder(5, 10, 20, 40, 80, 130, 200, low=2)
        calls: int = ladder(1, 1, 2, 3, 3, 4, 5, high=8)  # at most; at least half as many
        arguments: int = ladder(1, 2, 2, 3, 3, 4, 5, high=8)  # of a function, beside the record
        near: int = ladder(0, 1, 2, 3, 4, 5, 6, high=12)  # near duplicates of each function needed
        conversions: int = ladder(0, 20, 40, 60, 70, 80, 90, high=100)  # percentage of values
        irrelevant: int = ladder(0, 4, 4, 4, 4, 3, 3, high=100)  # percentage of tasks
        incomplete: int = ladder(0, 10, 10, 15, 15, 20, 20, high=100)  # percentage of the others

    types: tuple[RecordType, ...]
    functions: tuple[Function, ...]
    asks: tuple[Ask, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        outcome: Outcome = "calls"
        if rng.randrange(100) < knobs.irrelevant:
            outcome = "none"
        elif rng.randrange(100) < knobs.incomplete:
            outcome = "missing"
        sizes = Sizes(knobs.functions, knobs.calls, knobs.arguments, knobs.near, knobs.conversions)
        types, functions, asks = random_problem(rng, sizes, outcome)
        return cls(types=types, functions=functions, asks=asks)

    def canonical(self) -> str:
        return repr((self.types, sorted(self.functions, key=_name), self.asks))

    @cached_property
    def verdict(self) -> Verdict:
        """What the request comes to."""
        return resolved(self.types, self.functions, self.asks)

    @cached_property
    def judge(self) -> tuple[Sequence[Call], ToolCalls]:
        """The calls that are due, and what judges calls by them."""
        due = [_expected(each) for each in self.verdict.calls]
        return due, ToolCalls(due)

    def prompt(self) -> str:
        work = self.phrase(
            "Translate a request into calls of functions.",
            "You have functions, and somebody has a request.",
            "Work out which of these functions a request needs, and with which arguments.",
        )
        records = "\n".join(f"- {each.name}: {each.gloss()}" for each in self.types)
        functions = "\n\n".join(each.documentation(self.types) for each in self.functions)
        request = request_in_words(self.asks, self.wording)
        return (
            f"{work} Names are made up; the documentation explains them.\n\n"
            f"Types of records:\n{records}\n\nFunctions:\n\n{functions}\n\n"
            f"Request:\n{request}\n\n{self._rules()}"
        )

    def _rules(self) -> str:
        first = call("send_parcel", grams=3, town="Oslo")
        second = call("send_parcel", grams=5, town="Rome")
        return (
            "Make each call that the request needs, and no other one. Leave out the optional "
            "arguments that the request does not state; one that has its default value may be left "
            "out as well. What is requested as the same as before has the same values, apart from "
            "what is said to differ. If the request wants something that no function does, even if "
            "others do the rest, answer with the text `none`. If there is a function for "
            "everything but the request does not state a required argument, answer with the text "
            "`missing: ` and the name of that argument. Otherwise answer with the calls in JSON, "
            f"in any order, for example:\n[{first}, {second}]"
        )

    def answer(self) -> str:
        if not self.verdict.possible:
            return "none"
        if self.verdict.missing:
            return f"missing: {self.verdict.missing[0]}"
        return calls_in_words(call(due.function.name, **due.values) for due in self.verdict.calls)

    def verify(self, answer: str) -> Score:
        reply = read_reply(answer, self.functions)
        verdict = self.verdict
        if not verdict.possible:
            return _settled(reply.none, "that is not what the request comes to")
        if verdict.missing:
            chosen = reply.missing in {
                p.name for due in verdict.calls for p in due.function.parameters
            }
            right = reply.missing in verdict.missing
            return _settled(right, "that is not what the request comes to", float(chosen))
        if not reply.calls:
            return _settled(False, "the request can be fulfilled as it stands")
        return self._judged(reply.calls)

    def _judged(self, calls: Sequence[Call]) -> Score:
        """The score of calls where calls are due."""
        due, judge = self.judge
        in_json = [{"tool": name, "args": dict(arguments)} for name, arguments in calls]
        score = judge(json.dumps(in_json))
        names, wanted = (Counter(each.name for each in group) for group in (calls, due))
        parts = _parts(
            score.correct,
            (names & wanted).total() / max(names.total(), wanted.total()),
            sum(_best(each, calls) for each in due) / max(len(due), len(calls)),
        )
        if score.correct:
            return Score(1, parts=parts)
        known = {function.name for function in self.functions}
        strange = next((name for name in names if name not in known), None)
        reason = score.reason if strange is None else f"there is no function {strange[:80]!r}"
        return Score(0, reason, parts)

    def audit(self, answer: str) -> bool:
        """Compare what plain JSON says, with defaults filled in, as sorted texts."""
        if not self.verdict.possible or self.verdict.missing:
            return " ".join(answer.split()) == self.answer()
        try:
            entries = json.loads(answer)
        except ValueError:
            return False
        entries = entries if isinstance(entries, list) else [entries]
        due = [(each.function.name, each.values) for each in self.verdict.calls]
        try:
            replied = [(entry["tool"], entry["args"]) for entry in entries]
            return self._filled_in(replied) == self._filled_in(due)
        except (KeyError, TypeError):
            return False

    def _filled_in(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
        defaults = {
            each.name: {p.name: p.default for p in each.parameters if p.default is not None}
            for each in self.functions
        }
        return sorted(json.dumps([n, defaults[n] | dict(a)], sort_keys=True) for n, a in calls)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who make no call, or calls by the words of the request or at random."""
        return {
            "none": "none",
            "random missing argument": random_gap(rng, self.functions),
            "random call": at_random(rng, self.functions),
            "first function": filled(self.functions[0], self.asks[0]),
            "random function, values of the request": calls_in_words(
                filled(rng.choice(self.functions), ask) for ask in self.asks
            ),
            "most shared words": by_shared_words(
                self.types, self.functions, self.asks, self.wording
            ),
        }

    def difficulty(self) -> float:
        """The arguments in the documentation, for each thing that the request wants."""
        return float(len(self.asks) * sum(len(each.parameters) for each in self.functions))


class Reply(NamedTuple):
    """An answer: calls, or one of the two texts that say why there are none."""

    calls: Sequence[Call] = ()
    missing: str = ""
    none: bool = False


def read_reply(answer: str, functions: Sequence[Function]) -> Reply:
    """What an answer says. Raises :class:`InvalidAnswer` for what is in none of the three forms."""
    text = answer.strip()
    if text[:2] in {'"{', '"['} and text.endswith('"'):
        text = text[1:-1]
    if text.casefold() == "none":
        return Reply(none=True)
    if match := _MISSING.fullmatch(text):
        return Reply(missing=match[2])

    def order(name: str) -> tuple[str, ...]:
        function = next((each for each in functions if each.name == name), None)
        return tuple(p.name for p in function.parameters) if function else ()

    try:
        return Reply(read_calls(text, order))
    except InvalidAnswer as error:
        raise InvalidAnswer(f"{error}; {EXPECTED}", error.status) from None


def _name(function: Function) -> str:
    return function.name


def _settled(right: bool, reason: str, tool: float = 0.0) -> Score:
    """The score where one side or both make no calls."""
    parts = _parts(right, max(tool, float(right)), float(right))
    return Score(float(right), "" if right else reason, parts)


def _parts(right: bool, tool: float, arguments: float) -> dict[str, float]:
    """The parts of the score of an answer that can be read."""
    progress = 1.0 if right else min(tool * arguments, ALMOST)
    return {"format": 1.0, "tool": tool, "arguments": arguments, "progress": progress}


def _expected(due: Due) -> Call:
    """A call that is due, whose arguments may be left out where they have their defaults."""
    arguments: dict[str, Any] = {}
    for parameter in due.function.parameters:
        if parameter.name in due.values:
            value = due.values[parameter.name]
            usual = parameter.default is not None and same_json(value, parameter.default)
            arguments[parameter.name] = OneOf([value], optional=usual)
        elif parameter.default is not None:
            arguments[parameter.name] = OneOf([parameter.default], optional=True)
    return Call(due.function.name, arguments)


def _best(due: Call, calls: Sequence[Call]) -> float:
    """The greatest share of arguments that a call of the same function has right."""
    return max((_share(due, each) for each in calls if each.name == due.name), default=0.0)


def _share(due: Call, call: Call) -> float:
    names = dict.fromkeys([*due.arguments, *call.arguments])
    return sum(_agrees(due, call, name) for name in names) / len(names)


def _agrees(due: Call, call: Call, name: str) -> bool:
    """Whether an argument has a value that it may have, or is rightly left out."""
    if name not in due.arguments:
        return False
    if name not in call.arguments:
        return bool(due.arguments[name].optional)
    return any(same_json(value, call.arguments[name]) for value in due.arguments[name].values)
