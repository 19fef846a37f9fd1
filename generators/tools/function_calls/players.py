"""Players who do not read the documentation of an interface, for its baselines."""

import json
import re
from collections.abc import Iterable, Sequence
from random import Random

from palaestra.generators.tools.function_calls.interfaces import Function, Parameter, RecordType
from palaestra.generators.tools.function_calls.requests import request_in_words
from palaestra.generators.tools.function_calls.resolution import Ask
from palaestra.generators.tools.function_calls.values import Json
from palaestra.toolbox import call

_WORD = re.compile(r"[a-z]{3,}")
_NUMBER = re.compile(r"\d+")


def calls_in_words(calls: Iterable[str]) -> str:
    """Some calls as one answer."""
    lines = list(calls)
    return lines[0] if len(lines) == 1 else f"[{', '.join(lines)}]"


def by_shared_words(
    types: Sequence[RecordType], functions: Sequence[Function], asks: Sequence[Ask], wording: int
) -> str:
    """For each sentence of a request the function whose documentation shares most words with it.

    Definitions of record types count as documentation.
    """
    texts = [f"{each.documentation(types)} {types[each.record].gloss()}" for each in functions]
    vocabularies = [set(_WORD.findall(text.casefold())) for text in texts]
    calls = []
    for n, ask in enumerate(asks):
        wanted = set(_WORD.findall(request_in_words([ask], wording + 11 * n).casefold()))
        best = max(range(len(functions)), key=lambda i: len(wanted & vocabularies[i]))
        calls.append(filled(functions[best], ask))
    return calls_in_words(calls)


def filled(function: Function, ask: Ask) -> str:
    """A call with the values of a request as they stand there, in the order of their types."""
    texts = [mention.text for mention in ask.mentions]
    arguments: dict[str, Json] = {}
    for parameter in function.parameters:
        if not parameter.role:
            arguments[parameter.name] = int(ask.label) if ask.label.isdigit() else ask.label
        elif text := next((each for each in texts if _suits(parameter, each)), ""):
            texts.remove(text)
            arguments[parameter.name] = _as_it_stands(parameter, text)
    return call(function.name, **arguments)


def _suits(parameter: Parameter, text: str) -> bool:
    """Whether a text may stand for an argument of this type."""
    expected = parameter.type_name()
    if expected == "boolean":
        return text in {"yes", "no"}
    return bool(_NUMBER.search(text)) == (expected == "integer") and text not in {"yes", "no"}


def _as_it_stands(parameter: Parameter, text: str) -> Json:
    expected = parameter.type_name()
    if expected == "integer":
        return int(_NUMBER.findall(text)[0])
    if expected == "boolean":
        return text == "yes"
    if expected.startswith("array"):
        return text.replace(" and ", ", ").split(", ")
    return text


def at_random(rng: Random, functions: Sequence[Function]) -> str:
    """A call of a random function with random values of the right types."""
    function = rng.choice(functions)
    samples = {"integer": rng.randint(1, 99), "boolean": True, "string": "abc"}
    values = {p.name: samples.get(p.type_name(), ["abc"]) for p in function.parameters}
    return json.dumps({"tool": function.name, "args": values})


def random_gap(rng: Random, functions: Sequence[Function]) -> str:
    """A reply that a random required argument is missing."""
    names = [p.name for each in functions for p in each.parameters if p.required]
    return f"missing: {rng.choice(names)}"
