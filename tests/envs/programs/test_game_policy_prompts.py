"""Small games as a stranger reads them: moves and winners worked out from the prompt alone."""

import ast
import re
from functools import cache
from itertools import combinations

import pytest

from palaestra import Address
from palaestra.generators.programs.game_policy.games import starts, table

LEFT = ("nothing", "one block", "two blocks")


def numbers(text):
    return [int(word) for word in re.findall(r"-?\d+", text)]


def between(text, start, end):
    return text.partition(start)[2].partition(end)[0]


def put(state, place, *values):
    return (*state[:place], *values, *state[place + len(values) :])


def heaps(prompt, state):
    may = between(prompt, "from one heap: ", ", as far")
    own = {numbers(part)[-1]: numbers(part)[:-1] for part in may.split("; ")}
    for n, heap in enumerate(state):
        for some in own[n] if "if it is heap" in may else numbers(may):
            if some <= heap:
                yield (n, some), put(state, n, heap - some)


def pairs(prompt, state):
    for some in numbers(between(prompt, "takes either ", "from one heap")):
        for n, heap in enumerate(state):
            if some <= heap:
                yield (n, some), put(state, n, heap - some)
    for some in numbers(between(prompt, "from one heap, or ", "from each")):
        for n, m in combinations(range(len(state)), 2):
            if some <= min(state[n], state[m]):
                one = put(state, n, state[n] - some)
                yield (n, m, some), put(one, m, state[m] - some)


def pins(prompt, state):
    for kind in between(prompt, "one of these: ", ". A position").split("; "):
        number = numbers(kind)[0]
        for first in range(len(state) - number + 1):
            last = first + number
            blocks = any(state[max(0, first - 1) : first]) + any(state[last : last + 1])
            if all(state[first:last]) and ("whatever" in kind or LEFT[blocks] in kind):
                yield (first, number), put(state, first, *[0] * number)


def bites(prompt, state):
    most = (numbers(between(prompt, "takes at most ", "pieces")) or [999])[0]
    kept = {(int(r), int(c)) for r, c in re.findall(r"row (\d+) column (\d+)", prompt)}
    for row, length in enumerate(state):
        for column in range(length):
            gone = {(r, c) for r in range(row, len(state)) for c in range(column, state[r])}
            if len(gone) <= most and not gone & kept:
                rest = [min(each, column) for each in state[row:]]
                yield (row, column), put(state, row, *rest)


def tokens(prompt, state):
    closed = between(prompt, "cells (row, column) ", ";")
    shut = {(int(r), int(c)) for r, c in re.findall(r"\((\d+), (\d+)\)", closed)}
    for token, (up, aside) in (
        (token, step)
        for token in range(len(state) // 2)
        for step in re.findall(r"(\d+) up and (\d+) to the left", prompt)
    ):
        row, column = state[2 * token : 2 * token + 2]
        while True:
            row, column = row - int(up), column - int(aside)
            if row < 0 or column < 0 or (row, column) in shut:
                break
            yield (token, row, column), put(state, 2 * token, row, column)
            if "several times" not in prompt:
                break


def total(prompt, state):
    (bound,) = numbers(between(prompt, "not become more than ", "."))
    for some in numbers(between(prompt, "A move adds ", ", but")):
        if some != state[1] and state[0] + some <= bound:
            yield (some,), (state[0] + some, some)


def coins(prompt, state):
    lead, *row = state
    for some in numbers(between(prompt, "takes exactly ", "from the left")):
        if some <= len(row):
            yield (0, some), (-lead - sum(row[:some]), *row[some:])
    for some in numbers(between(prompt, "or exactly ", "from the right")):
        if some <= len(row):
            rest = len(row) - some
            yield (1, some), (-lead - sum(row[rest:]), *row[:rest])


READERS = {
    "Heaps": heaps, "Pairs": pairs, "Pins": pins, "Bites": bites, "Tokens": tokens,
    "Total": total, "Coins": coins,
}  # fmt: skip


def reader(prompt, moves):
    """Whether a position is won, for the one whose turn it is."""

    @cache
    def wins(state):
        nexts = [after for _, after in moves(prompt, state)]
        if nexts:
            return any(not wins(after) for after in nexts)
        if moves is coins:
            return (state[0] > 0) == ("coins of more value" in prompt)
        return "when it is their turn wins" in prompt

    return wins


@cache
def tasks():
    """A few tasks of each family."""
    by_family = {}
    for seed in range(40):
        task = Address.of("programs/game_policy", seed, 1 + seed % 3).task()
        by_family.setdefault(task.variant.family, []).append(task)
    return by_family


@pytest.mark.parametrize("family", sorted(READERS))
def test_the_prompt_tells_the_game_that_is_played(family):
    for task in tasks()[family]:
        prompt, moves, playing = task.prompt(), READERS[family], table(task.variant)
        wins = reader(prompt, moves)
        for state in starts(task.variant, task.seed, 8):
            after = dict(moves(prompt, state))
            assert sorted(after) == sorted(playing.options(state))
            for how, left in after.items():
                assert left == playing.game.after(state, how)
                assert wins(left) == playing.game.wins(left)


@pytest.mark.parametrize("family", sorted(READERS))
def test_the_moves_of_the_example_are_those_of_its_position(family):
    for task in tasks()[family]:
        prompt = task.prompt()
        shown, listed = re.search(r"position (\[[^]]*\]) the moves are (.*?)\.\n", prompt).groups()
        moves = {how for how, _ in READERS[family](prompt, tuple(ast.literal_eval(shown)))}
        assert [list(how) for how in sorted(moves)] == sorted(ast.literal_eval(f"[{listed}]"))
