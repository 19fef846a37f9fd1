"""Tests of following/revised_request: messages are read from prompts and applied otherwise."""

import re
from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.envs.following.revised_request import RevisedRequest
from palaestra.generators.following.revised_request import (
    COMMANDS,
    ITEMS,
    Message,
    Request,
    in_force,
    result,
)

NAME = "following/revised_request"

W = r"(\w+)"
PATTERNS = {
    "front": (rf"Move {W} to the front", rf"Move {W} so that it comes first"),
    "end": (rf"Move {W} to the end", rf"Move {W} so that it comes last"),
    "before": (rf"Put {W} directly before {W}", rf"Put {W} so that it comes directly before {W}"),
    "after": (rf"Put {W} directly after {W}", rf"Put {W} so that it comes directly after {W}"),
    "remove": (rf"Take {W} out", rf"Drop {W}"),
    "swap": (rf"Swap {W} and {W}", rf"Let {W} and {W} change places"),
    "reverse": ("Reverse the whole list", "Turn the whole list around"),
    "replace": (rf"Replace {W} by {W}",),
    "replaced": (rf"Put {W} where {W} is, and take \w+ out",),
    "sort": (
        rf"If {W} comes before {W}, swap the two",
        rf"Swap {W} and {W}, but only if \w+ comes before \w+",
    ),
    "rotate": ("Move the first item to the end", "Let the first item come last"),
    "withdraw": (
        r"Forget message (\d+)",
        r"I take back message (\d+)",
        r"Message (\d+) does not count",
    ),
    "corrected": (rf"In message (\d+), I meant {W}, not {W}",),
    "correct": (rf"Message (\d+) should read {W} instead of {W}",),
}  # fmt: skip


def read(line):
    """The action of a message and its words, in small letters."""
    for action, patterns in PATTERNS.items():
        for pattern in patterns:
            if match := re.fullmatch(f"{pattern}\\.", line):
                return action.replace("corrected", "correct"), [*map(str.lower, match.groups())]
    raise AssertionError(line)


def solved(prompt):
    """The list, by recursion over messages and by positions that are fractions."""
    start = re.search(r"List at the start: (.+)", prompt)[1].split(", ")
    lines = re.search(r"Messages:\n(.+?)\n\n", prompt, re.DOTALL)[1].splitlines()
    messages = [read(line.split(": ", 1)[1]) for line in lines]

    def holds(n):
        return not any(
            action == "withdraw" and int(words[0]) == n + 1 and holds(m)
            for m, (action, words) in enumerate(messages)
            if m > n
        )

    for n, (action, words) in enumerate(messages):
        if action == "correct" and holds(n):
            number, new, old = int(words[0]), *words[1:]
            kept = messages[number - 1][1]
            kept[:] = [new if word == old else word for word in kept]
    at = {word: Fraction(n) for n, word in enumerate(start)}
    for n, (action, words) in enumerate(messages):
        if action not in {"withdraw", "correct"} and holds(n) and len({*words}) == len(words):
            turned = action == "replaced"
            apply("replace" if turned else action, words[::-1] if turned else words, at)
    return sorted(at, key=at.get)


def apply(action, words, at):
    """Change the positions of words by an edit."""
    needed = {"before": words[1:], "after": words[1:], "replace": words[:1]}.get(action, words)
    if not all(word in at for word in needed):
        return
    order = sorted(at, key=at.get)
    if action in {"front", "end"}:
        at[words[0]] = at[order[0]] - 1 if action == "front" else at[order[-1]] + 1
    elif action in {"before", "after"}:
        at.pop(words[0], None)
        sign = -1 if action == "before" else 1
        side = [p for p in at.values() if (p - at[words[1]]) * sign > 0]
        nearest = min(side, key=lambda p: abs(p - at[words[1]]), default=at[words[1]] + sign)
        at[words[0]] = (at[words[1]] + nearest) / 2
    elif action == "remove":
        del at[words[0]]
    elif action == "replace":
        at[words[1]] = at.pop(words[0])
    elif action == "reverse":
        at |= {word: -p for word, p in at.items()}
    elif action == "rotate":
        at[order[0]] = at[order[-1]] + 1
    elif action == "swap" or at[words[0]] < at[words[1]]:
        at[words[0]], at[words[1]] = at[words[1]], at[words[0]]


@pytest.mark.parametrize("level", range(7))
def test_lists_are_worked_out_from_prompts(level):
    for seed in range(25):
        task = Address.of(NAME, seed, level).task()
        assert task.answer() == ", ".join(solved(task.prompt()))


def test_undoing_an_undoing():
    edits = [Message("front", ("c",)), Message("remove", ("a",))]
    undone = Message("withdraw", (), 2)
    assert result(Request(("a", "b", "c"), (*edits, undone))) == ["c", "a", "b"]
    again = (*edits, undone, Message("withdraw", (), 3))
    assert in_force(again) == [True, True, False, True]
    assert result(Request(("a", "b", "c"), again)) == ["c", "b"]
    third = (*again, Message("withdraw", (), 4))
    assert result(Request(("a", "b", "c"), third)) == ["c", "a", "b"]


def test_corrections_keep_the_position_of_the_message():
    messages = (
        Message("front", ("c",)),
        Message("reverse"),
        Message("correct", ("c", "b"), 1),
        Message("correct", ("b", "a"), 1),
    )
    start = ("c", "a", "b")
    assert result(Request(start, messages[:3])) == ["a", "c", "b"]
    assert result(Request(start, messages)) == ["b", "c", "a"]


def test_scores():
    request = Request(("pen", "cup", "key"), (Message("front", ("key",)), Message("rotate")))
    task = RevisedRequest(request=request)
    assert task.verify("pen, cup, key").correct
    assert task.verify("1. Pen\n2. cup\n3. key").correct
    assert task.verify("cup, pen, key").reason == "the order is wrong"
    assert task.verify("pen, cup").reason == "an item is missing, or does not belong to the list"


def test_items_are_no_words_of_messages():
    assert not COMMANDS & set(ITEMS)
    assert {"first", "last", "out", "take", "where"} <= COMMANDS
    for seed in range(40):
        request = Address.of(NAME, seed, 4).task().request
        assert not COMMANDS & {
            *request.start,
            *(w for each in request.messages for w in each.words),
        }
