"""Drawing requests together with the interface that they are for, and putting them into words."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.function_calls.interfaces import (
    Builder,
    Function,
    Parameter,
    RecordType,
    Roles,
)
from palaestra.generators.tools.function_calls.meanings import ACTIONS, AXES, NOUNS, ROLES
from palaestra.generators.tools.function_calls.resolution import (
    Ask,
    Mention,
    fits,
    resolved,
)
from palaestra.generators.tools.function_calls.values import phrased
from palaestra.generators.vocabulary import word

Outcome = Literal["calls", "none", "missing"]

AGAIN = 0.4
"""The share of later things wanted that are worded as a change of the one before."""

TRIES = 300
"""How many values are drawn for one that suits."""


class Sizes(NamedTuple):
    """How large a problem is; see the knobs of the environment."""

    functions: int
    calls: int
    arguments: int
    near: int
    conversions: int


class Problem(NamedTuple):
    """An interface and a request."""

    types: tuple[RecordType, ...]
    functions: tuple[Function, ...]
    asks: tuple[Ask, ...]


def random_problem(rng: Random, sizes: Sizes, outcome: Outcome) -> Problem:
    """A problem whose request comes to calls, to ``none``, or to a missing argument."""
    number = rng.randint((sizes.calls + 1) // 2, sizes.calls)
    builder = Builder(rng, min(14, 2 + sizes.functions // 8), sizes.arguments)
    functions, targets = _functions(builder, sizes, number, spare=outcome == "none")
    asks = _Asking(builder, functions, sizes.conversions).asks(targets, number, outcome)
    if outcome == "none":
        functions = [each for each in functions if not fits(builder.types, each, asks[-1])]
    rng.shuffle(functions)
    return Problem(builder.types, tuple(functions), asks)


def _functions(
    builder: Builder, sizes: Sizes, number: int, spare: bool
) -> tuple[list[Function], list[Function]]:
    """The functions of an interface, and those of them that a request is about."""
    rng, total = builder.rng, sizes.functions + spare
    used: dict[tuple[int, int], None] = {}
    functions: list[Function] = []
    targets: list[Function] = []
    duplicates: list[tuple[int, int, Roles]] = []
    for left in reversed(range(min(number, total))):
        action, record = _free(builder, used)
        roles = builder.roles()
        used[action, record] = None
        room = total - len(functions) - left > 1
        pair = builder.split(action, record, roles) if room and _half(rng, sizes.near) else []
        targets.append(pair[0] if pair else builder.function(action, record, roles))
        functions += pair or targets[-1:]
        keys = _neighbours(rng, len(builder.types), action, record)
        duplicates += [(*key, roles) for key in keys[: sizes.near - len(pair) // 2]]
    for action, record, roles in duplicates[: total - len(functions)]:
        if (action, record) not in used and len(functions) < total:
            used[action, record] = None
            functions.append(builder.function(action, record, roles))
    while len(functions) < total:
        functions += _decoys(builder, sizes.near, total - len(functions), used, targets)
    return functions, targets


def _decoys(
    builder: Builder,
    near: int,
    room: int,
    used: dict[tuple[int, int], None],
    targets: Sequence[Function],
) -> list[Function]:
    """At most so many functions that no request is about, alike among themselves as others are.

    Otherwise the functions with near duplicates would be those that the request is about.
    """
    rng, roles = builder.rng, builder.roles()
    action, record = _free(builder, used, targets if near else ())
    used[action, record] = None
    pair = builder.split(action, record, roles) if room > 1 and _half(rng, near) else []
    decoys = pair or [builder.function(action, record, roles)]
    for key in _neighbours(rng, len(builder.types), action, record)[: near - len(pair) // 2]:
        if key not in used and len(decoys) < room:
            used[key] = None
            decoys.append(builder.function(*key, roles))
    return decoys


def _half(rng: Random, near: int) -> bool:
    return near > 0 and rng.random() < 0.5


def _free(
    builder: Builder,
    used: dict[tuple[int, int], None],
    targets: Sequence[Function] = (),
) -> tuple[int, int]:
    """An action and a type that no function has yet; half of them share one with a target."""
    rng = builder.rng
    while True:
        action, record = rng.randrange(len(ACTIONS)), rng.randrange(len(builder.types))
        if targets and rng.random() < 0.5:
            target = rng.choice(targets)
            if rng.random() < 0.5:
                action = target.action
            else:
                record = target.record
        if (action, record) not in used:
            return action, record


def _neighbours(rng: Random, types: int, action: int, record: int) -> list[tuple[int, int]]:
    """Actions and types that differ from some in one or two points, the nearest first."""
    nearest = [(action ^ 1, record), (action, record ^ 1)]
    rng.shuffle(nearest)
    nearest.append((action ^ 1, record ^ 1))
    others = [(action, each) for each in range(types) if each // 2 != record // 2]
    return nearest + rng.sample(others, len(others))


class _Asking:
    """Draws what a request wants of some functions."""

    def __init__(self, builder: Builder, functions: Sequence[Function], conversions: int) -> None:
        self.rng, self.types, self.functions = builder.rng, builder.types, functions
        self.conversions = conversions

    def asks(self, targets: Sequence[Function], number: int, outcome: Outcome) -> tuple[Ask, ...]:
        """So many things wanted, of which the last one has the outcome."""
        asks: list[Ask] = []
        for n in range(number):
            target, is_last = targets[n % len(targets)], n == number - 1
            again = None
            if asks and not (is_last and outcome != "calls") and self.rng.random() < AGAIN:
                again = self._again(asks)
            asks.append(again or self._ask(target, omit=is_last and outcome == "missing"))
        return tuple(asks)

    def _ask(self, function: Function, omit: bool) -> Ask:
        """A thing that a function does; with ``omit`` a required argument is not stated."""
        rng = self.rng
        bounded = {limit.role for limit in function.limits}
        required = [each.role for each in function.parameters if each.required]
        omitted = rng.choice([each for each in required if each not in bounded]) if omit else None
        mentions = [
            self._mention(function, parameter)
            for parameter in function.parameters[1:]
            if parameter.role != omitted and (parameter.required or rng.random() < 0.5)
        ]
        rng.shuffle(mentions)
        return self._about(function.action, function.record, mentions, unnamed=omitted == "")

    def _about(
        self, action: int, record: int, mentions: Sequence[Mention], unnamed: bool = False
    ) -> Ask:
        rng, record_type = self.rng, self.types[record]
        trait = rng.choice(AXES[record_type.axis].requests[record_type.side])
        label = str(rng.randint(100, 999)) if record_type.numbered else word(rng, 6).title()
        return Ask(action, record_type.noun, trait, "" if unnamed else label, tuple(mentions))

    def _mention(self, function: Function, parameter: Parameter) -> Mention:
        """Words for a value of an argument, one that is within the limits of the function."""
        for n in range(TRIES):
            convert = self.rng.randrange(100) < self.conversions and n < TRIES // 2
            text = phrased(self.rng, ROLES[parameter.role], parameter.form, convert)
            mention = Mention(parameter.role, text)
            if all(limit.role != parameter.role for limit in function.limits):
                break
            probe = self._about(function.action, function.record, [mention])
            if fits(self.types, function, probe):
                break
        return mention

    def _again(self, asks: Sequence[Ask]) -> Ask | None:
        """A change of the last thing wanted: another record, and perhaps another value."""
        rng = self.rng
        *_, before = resolved(self.types, self.functions, asks).calls
        record = before.function.record ^ (rng.random() < 0.5)
        stated = [p for p in before.function.parameters[1:] if p.name in before.values]
        changed = rng.sample(stated, min(len(stated), 1))
        mentions = [self._mention(before.function, each) for each in changed]
        ask = self._about(before.function.action, record, mentions)._replace(again=True)
        verdict = resolved(self.types, self.functions, [*asks, ask])
        return ask if verdict.possible and not verdict.missing else None


WISHES = (
    "{do}. {clauses}.",
    "Please {do}. {clauses}.",
    "Could you {do}? {clauses}.",
    "We want you to {do}. What matters: {clauses}.",
    "You are to {do}. In detail: {clauses}.",
    "{clauses}: with that in mind, {do}.",
    "Somebody has to {do}, and that is you. {clauses}.",
)
BARE_WISHES = (
    "{do}.",
    "Please {do}.",
    "Could you {do}?",
    "We want you to {do}.",
    "You are to {do}.",
)
REPETITIONS = (
    "The same for {r}, except for this: {clauses}.",
    "Then do likewise with {r}, but {clauses}.",
    "{r} next, in just the same way, only that here {clauses}.",
    "As to {r}, repeat that with one change: {clauses}.",
    "Proceed alike with {r}; what differs is this: {clauses}.",
)
BARE_REPETITIONS = (
    "The same for {r}.",
    "Then do likewise with {r}.",
    "{r} next, in just the same way.",
    "As to {r}, repeat that.",
    "Proceed alike with {r}.",
)


FRAMES: tuple[tuple[Sequence[str], Sequence[str]], ...] = (
    (WISHES, BARE_WISHES),
    (REPETITIONS, BARE_REPETITIONS),
)
"""Frames with and without clauses: those of wishes, and of changes of the wish before."""


def request_in_words(asks: Sequence[Ask], wording: int) -> str:
    """A request as a player reads it."""
    return " ".join(_ask_in_words(ask, wording + 11 * n) for n, ask in enumerate(asks))


def _ask_in_words(ask: Ask, wording: int) -> str:
    record = _record_in_words(ask, wording)
    clauses = "; ".join(clause(each, wording + n) for n, each in enumerate(ask.mentions))
    with_clauses, without = FRAMES[ask.again]
    frames = with_clauses if clauses else without
    wishes = ACTIONS[ask.action].requests
    frame = frames[wording % len(frames)]
    text = frame.format(
        do=wishes[wording % len(wishes)].format(r=record), r=record, clauses=clauses
    )
    return _sentences(text)


def _record_in_words(ask: Ask, wording: int) -> str:
    """A record as ``the bike 417 (imported)``."""
    nouns = NOUNS[ask.noun].requests
    noun = nouns[wording % len(nouns)]
    return f"the {noun} {ask.label} ({ask.trait})" if ask.label else f"the {noun} ({ask.trait})"


def clause(mention: Mention, wording: int) -> str:
    """What a request says of a role."""
    role = ROLES[mention.role]
    if role.family == "flag":
        return role.clauses[wording % 2 + 2 * (mention.text == "no")]
    return role.clauses[wording % len(role.clauses)].format(v=mention.text)


def _sentences(text: str) -> str:
    """A text with a capital letter at the start of each sentence."""
    for stop in (". ", "? "):
        text = stop.join(part[:1].upper() + part[1:] for part in text.split(stop))
    return text
