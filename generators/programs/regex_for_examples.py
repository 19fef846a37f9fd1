"""Regular languages as minimal automata, and sets of examples that settle which one is meant."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.regexes import START, automaton


class Acceptor(NamedTuple):
    """A complete automaton. State 0 is the start; ``moves[state][n]`` goes on with letter n."""

    letters: str
    moves: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]

    def accepts(self, word: str) -> bool:
        """Whether a word is in the language.

        >>> Acceptor("ab", ((1, 0), (0, 1)), (True, False)).accepts("aba")
        True
        """
        state = 0
        for letter in word:
            state = self.moves[state][self.letters.index(letter)]
        return self.accepting[state]


@lru_cache(maxsize=256)
def acceptor(pattern: str, letters: str) -> Acceptor:
    """The minimal automaton of an expression, its states numbered as they are first reached."""
    machine = automaton(pattern)
    states = [START]
    moves: list[list[int]] = []
    for state in states:
        reached = [machine.step(state, letter) for letter in letters]
        states += dict.fromkeys(each for each in reached if each not in states)
        moves.append(reached)
    rows = [[states.index(each) for each in row] for row in moves]
    return _minimal(letters, rows, [machine.accepts(state) for state in states])


def _minimal(letters: str, rows: Sequence[Sequence[int]], accepting: Sequence[bool]) -> Acceptor:
    """States that no word tells apart become one, after E. F. Moore (1956)."""
    classes = [int(each) for each in accepting]
    while True:
        signatures = [(classes[n], *(classes[to] for to in row)) for n, row in enumerate(rows)]
        known = list(dict.fromkeys(signatures))
        finer = [known.index(each) for each in signatures]
        if len(known) == len(set(classes)):
            break
        classes = finer
    order = [finer[0]]
    for each in order:
        row = rows[finer.index(each)]
        order += dict.fromkeys(finer[to] for to in row if finer[to] not in order)
    first = [finer.index(each) for each in order]
    moves = tuple(tuple(order.index(finer[to]) for to in rows[n]) for n in first)
    return Acceptor(letters, moves, tuple(bool(accepting[n]) for n in first))


def words(letters: str, longest: int) -> Iterator[str]:
    """All words of up to a length, the shortest first.

    >>> list(words("ab", 1))
    ['', 'a', 'b']
    """
    for length in range(longest + 1):
        yield from map("".join, product(letters, repeat=length))


@lru_cache(maxsize=64)
def telling(target: Acceptor, extra: int = 0) -> dict[str, bool]:
    """Labelled words that no other automaton with at most as many states fits, or with so many
    states more.

    They are the test suite of T. S. Chow, "Testing software design modeled by finite-state
    machines" (1978): every state and every move is visited, and told from all others.

    >>> telling(Acceptor("a", ((1,), (0,)), (True, False)))
    {'': True, 'a': False, 'aa': True}
    """
    middles = list(words(target.letters, extra + 1))
    covers = dict.fromkeys(way + middle for way in access(target) for middle in middles)
    chosen = {start + end for start in covers for end in distinguishing(target)}
    return {word: target.accepts(word) for word in sorted(chosen, key=lambda w: (len(w), w))}


def access(target: Acceptor) -> list[str]:
    """The first of the shortest words that lead to each state."""
    ways = {0: ""}
    queue = [0]
    for state in queue:
        for letter, to in zip(target.letters, target.moves[state]):
            if to not in ways:
                ways[to] = ways[state] + letter
                queue.append(to)
    return list(ways.values())


def distinguishing(target: Acceptor) -> list[str]:
    """Words by which every two states can be told apart: a shortest one for each pair, without
    those that tell none apart that shorter ones do not.
    """
    number = len(target.moves)
    alike = {(a, b) for a in range(number) for b in range(a)}
    shortest = {pair: "" for pair in alike if _differ(target, *pair, "")}
    while len(shortest) < len(alike):
        shortest |= {
            (a, b): letter + shortest[after]
            for a, b in sorted(alike - shortest.keys())
            for letter, *to in zip(target.letters, target.moves[a], target.moves[b])
            if (after := (max(to), min(to))) in shortest
        }
    chosen: list[str] = []
    for word in sorted({*shortest.values()}, key=lambda w: (len(w), w)):
        apart = {pair for pair in alike if _differ(target, *pair, word)}
        if apart:
            chosen.append(word)
            alike -= apart
    return chosen


def _differ(target: Acceptor, one: int, other: int, word: str) -> bool:
    return _accepts_from(target, one, word) != _accepts_from(target, other, word)


def _accepts_from(target: Acceptor, state: int, word: str) -> bool:
    for letter in word:
        state = target.moves[state][target.letters.index(letter)]
    return target.accepting[state]


def members(target: Acceptor, rng: Random, number: int, longest: int = 24) -> list[str]:
    """Random words of a language that is not empty, long ones where there are such."""
    ends = {0: {state for state, good in enumerate(target.accepting) if good}}
    for left in range(1, longest + 1):
        ends[left] = {n for n, row in enumerate(target.moves) if not ends[left - 1].isdisjoint(row)}
    lengths = [length for length, starts in ends.items() if 0 in starts]
    strings = []
    for _ in range(number):
        length = rng.choice(lengths)
        word, state = "", 0
        for left in reversed(range(length)):
            places = [n for n, to in enumerate(target.moves[state]) if to in ends[left]]
            index = rng.choice(places)
            word, state = word + target.letters[index], target.moves[state][index]
        strings.append(word)
    return strings


def pumped(target: Acceptor, word: str, length: int) -> str:
    """A word of a language made about so long, by going round the first loop on its way again and
    again; the word itself, where there is none.

    >>> pumped(Acceptor("ab", ((0, 1), (1, 1)), (False, True)), "aab", 5)
    'aaaaaaab'
    """
    states = [0]
    for index, letter in enumerate(word, 1):
        states.append(target.moves[states[-1]][target.letters.index(letter)])
        start = states.index(states[-1])
        if start < index:
            return word[:start] + word[start:index] * (length // (index - start)) + word[start:]
    return word


LONGEST = {1: 20, 2: 7, 3: 5, 4: 4}
"""Up to what length all words are probed, by the number of letters."""

VERY_LONG = 2_500
"""More than bounded repetitions can count, of which RE2 allows 1,000."""


def probing(target: Acceptor, rng: Random) -> list[str]:
    """Words on which expressions for a language that is not empty go wrong: those that tell it
    from all automata with a state more, all short ones, and random ones, some of them very long.
    """
    some = members(target, rng, 60)
    return [
        *dict.fromkeys(
            [
                *telling(target, extra=1),
                *words(target.letters, LONGEST[len(target.letters)]),
                *some,
                *(start + end for start in access(target) for end in members(target, rng, 6)),
                *(pumped(target, word, VERY_LONG) for word in some[:4]),
            ]
        )
    ]
