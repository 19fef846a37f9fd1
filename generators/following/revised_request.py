"""Requests about a row of words, message by message, with later ones that revise earlier ones.

A message edits the row, withdraws an earlier message, or corrects a word of one. It is in force
unless a later message that is in force withdraws it; so the last one always is.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.phrases import WORDS

Edit = Literal[
    "front", "end", "before", "after", "remove", "swap", "reverse", "replace", "sort", "rotate"
]
Action = Literal[Edit, "withdraw", "correct"]

TEXTS: Mapping[Action, tuple[str, ...]] = {
    "front": ("Move {0} to the front.", "Move {0} so that it comes first."),
    "end": ("Move {0} to the end.", "Move {0} so that it comes last."),
    "before": ("Put {0} directly before {1}.", "Put {0} so that it comes directly before {1}."),
    "after": ("Put {0} directly after {1}.", "Put {0} so that it comes directly after {1}."),
    "remove": ("Take {0} out.", "Drop {0}."),
    "swap": ("Swap {0} and {1}.", "Let {0} and {1} change places."),
    "reverse": ("Reverse the whole list.", "Turn the whole list around."),
    "replace": ("Replace {0} by {1}.", "Put {1} where {0} is, and take {0} out."),
    "sort": (
        "If {0} comes before {1}, swap the two.",
        "Swap {0} and {1}, but only if {0} comes before {1}.",
    ),
    "rotate": ("Move the first item to the end.", "Let the first item come last."),
    "withdraw": ("Forget message {n}.", "I take back message {n}.", "Message {n} does not count."),
    "correct": (
        "In message {n}, I meant {1}, not {0}.",
        "Message {n} should read {1} instead of {0}.",
    ),
}

EDITS: Mapping[Edit, int] = {
    "front": 1, "end": 1, "before": 2, "after": 2, "remove": 1, "swap": 2, "reverse": 0,
    "replace": 2, "sort": 2, "rotate": 0,
}  # fmt: skip
"""How many words each edit has."""

COMMANDS = frozenset(
    word.casefold()
    for texts in TEXTS.values()
    for text in texts
    for word in re.findall(r"[A-Za-z]+", text)
)
"""Words of messages, which are no items, so that it is clear which words of a message are."""

ITEMS = tuple(word for word in WORDS if word not in COMMANDS)

NEW_WORDS = ("before", "after", "replace")
"""Edits that may bring a new word: the first of a pair, and the second of a replacement."""


class Message(NamedTuple):
    """A message: an edit of the row, or a revision of the message with a number."""

    action: Action
    words: tuple[str, ...] = ()
    number: int = 0
    style: int = 0

    def text(self) -> str:
        """The message as it is written."""
        texts = TEXTS[self.action]
        text = texts[self.style % len(texts)].format(*self.words, n=self.number)
        return text[0].upper() + text[1:]


class Request(NamedTuple):
    """A row of words, and messages that are numbered from 1."""

    start: tuple[str, ...]
    messages: tuple[Message, ...]


def in_force(messages: Sequence[Message]) -> list[bool]:
    """Whether each message is in force: from the last one to the first."""
    withdrawn = [False] * len(messages)
    for n in reversed(range(len(messages))):
        if messages[n].action == "withdraw" and not withdrawn[n]:
            withdrawn[messages[n].number - 1] = True
    return [not each for each in withdrawn]


def corrected(messages: Sequence[Message], force: Sequence[bool]) -> list[Message]:
    """The messages with the corrections that are in force, in the order of these."""
    result = list(messages)
    for message, holds in zip(messages, force):
        if message.action == "correct" and holds:
            target = result[message.number - 1]
            old, new = message.words
            words = tuple(new if word == old else word for word in target.words)
            result[message.number - 1] = target._replace(words=words)
    return result


def edited(row: Sequence[str], message: Message) -> list[str]:
    """The row after an edit, which changes nothing if a word that it needs is not in the row.

    >>> edited(["a", "b", "c"], Message("after", ("a", "c")))
    ['b', 'c', 'a']
    >>> edited(["a", "b"], Message("sort", ("b", "a"))), edited(["a"], Message("front", ("x",)))
    (['a', 'b'], ['a'])
    """
    row, (action, words, *_) = list(row), message
    needed = {"before": words[1:], "after": words[1:], "replace": words[:1]}.get(action, words)
    if not set(needed) <= set(row) or len(set(words)) < len(words):
        return row
    if action == "reverse":
        return row[::-1]
    if action == "rotate":
        return row[1:] + row[:1]
    if action in {"swap", "sort"}:
        one, other = map(row.index, words)
        if action == "swap" or one < other:
            row[one], row[other] = row[other], row[one]
        return row
    if action == "replace":
        rest = [word for word in row if word != words[1]]
        return [words[1] if word == words[0] else word for word in rest]
    rest = [word for word in row if word != words[0]]
    if action == "remove":
        return rest
    first = {"front": 0, "end": len(rest)}.get(action)
    if first is None:
        first = rest.index(words[1]) + (action == "after")
    return [*rest[:first], words[0], *rest[first:]]


def result(request: Request, force: Sequence[bool] | None = None) -> list[str]:
    """The row after all edits that are in force, with corrections, in the order of the messages."""
    force = in_force(request.messages) if force is None else force
    row = list(request.start)
    for message, holds in zip(corrected(request.messages, force), force):
        if holds and message.action in EDITS:
            row = edited(row, message)
    return row


# ----------------------------------------------------------------------------- simple players


def simple_results(request: Request) -> dict[str, list[str]]:
    """What players come to who do not apply one of the rules."""
    messages, force = request.messages, in_force(request.messages)
    every = [True] * len(messages)
    withdrawn = {each.number for each in messages if each.action == "withdraw"}
    plain = [n not in withdrawn for n in range(1, len(messages) + 1)]
    uncorrected = [holds and each.action != "correct" for each, holds in zip(messages, force)]
    edits = [each.action in EDITS for each in messages]
    return {
        "all messages": result(request, every),
        "edits alone": result(request, edits),
        "all withdrawals": result(request, plain),
        "no corrections": result(request, uncorrected),
        "list at the start": list(request.start),
        "withdrawals of edits alone": result(request, _shallow(messages)),
        "undone at the end": _undone(request),
    }


def _shallow(messages: Sequence[Message]) -> list[bool]:
    """As if a withdrawal of a withdrawal had no effect on what that one withdrew."""
    withdrawn = {
        each.number
        for each in messages
        if each.action == "withdraw" and messages[each.number - 1].action != "withdraw"
    }
    return [n not in withdrawn for n in range(1, len(messages) + 1)]


def _undone(request: Request) -> list[str]:
    """As if a withdrawal restored the row before the message, with all that came between."""
    rows = [list(request.start)]
    for message in request.messages:
        if message.action == "withdraw":
            rows.append(rows[message.number - 1])
        elif message.action == "correct":
            rows.append(rows[-1])
        else:
            rows.append(edited(rows[-1], message))
    return rows[-1]


# ------------------------------------------------------------------------------------ generation


class Size(NamedTuple):
    """How large a request is."""

    words: int
    edits: int
    withdrawals: int
    corrections: int
    percent: int
    """Of the withdrawals, those that withdraw a withdrawal or a correction, where there is one."""


def random_request(rng: Random, size: Size) -> Request:
    """A request whose revisions concern messages that are in force at that time."""
    pool = rng.sample(ITEMS, size.words + size.edits + size.corrections + 2)
    start, fresh = tuple(pool[: size.words]), pool[size.words :]
    actions = ["edit"] * (size.edits - 2) + ["withdraw"] * size.withdrawals
    actions += ["correct"] * size.corrections
    rng.shuffle(actions)
    messages = list[Message]()
    left = size.withdrawals if size.percent else 0
    for action in ["edit", "edit", *actions]:
        row = result(Request(start, tuple(messages)))
        if action == "edit":
            message = _edit(rng, row, fresh)
        elif action == "withdraw":
            last = not any(is_nested(messages, each) for each in messages)
            left -= 1
            message = _withdrawal(rng, messages, 100 if last and not left else size.percent)
        else:
            message = _correction(rng, messages, row, fresh)
        messages.append(message._replace(style=rng.randrange(6)))
    return Request(start, tuple(messages))


def is_nested(messages: Sequence[Message], message: Message) -> bool:
    """Whether a message withdraws one that is no edit."""
    return message.action == "withdraw" and messages[message.number - 1].action not in EDITS


def _edit(rng: Random, row: Sequence[str], fresh: list[str]) -> Message:
    if len(row) < 2:  # revisions took the others out
        return Message("after", (fresh.pop(), row[0])) if row else Message("reverse")
    edits: Collection[Edit] = [*EDITS]
    if len(row) < 4:
        edits = ["before", "after", "swap", "replace"]
    action = rng.choice([*edits])
    words = rng.sample(row, EDITS[action])
    if action in NEW_WORDS and rng.random() < 0.6:
        new = fresh.pop()
        words = [words[0], new] if action == "replace" else [new, words[0]]
    return Message(action, tuple(words))


def _withdrawal(rng: Random, messages: Sequence[Message], percent: int) -> Message:
    force = in_force(messages)
    numbers = [n for n, holds in enumerate(force, 1) if holds]
    revisions = [n for n in numbers if messages[n - 1].action not in EDITS]
    if revisions and rng.random() * 100 < percent:
        return Message("withdraw", (), rng.choice(revisions))
    edits = [n for n in numbers if messages[n - 1].action in EDITS]
    return Message("withdraw", (), rng.choice(edits or numbers))


def _correction(
    rng: Random, messages: Sequence[Message], row: Sequence[str], fresh: list[str]
) -> Message:
    force = in_force(messages)
    current = corrected(messages, force)
    numbers = [
        n
        for n, holds in enumerate(force, 1)
        if holds and messages[n - 1].action in EDITS and current[n - 1].words
    ]
    if not numbers:
        return _withdrawal(rng, messages, 0)
    number = rng.choice(numbers)
    old = rng.choice(current[number - 1].words)
    free = [word for word in row if word not in current[number - 1].words] or [fresh.pop()]
    return Message("correct", (old, rng.choice(free)), number)
