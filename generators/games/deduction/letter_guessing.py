"""The rules of guessing the letters of a word of a list, which an adversary chooses late."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

from palaestra.generators.games.deduction.adversary import AdversaryRules
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import action

FORMS = (
    "letter {}", "the letter {}", "guess {}", "guess the letter {}", "name {}", "try {}",
    "pick {}", "ask for {}", "is there a {}?", "is {} in the word?", "is there an {}?",
    "guess letter {}", "try the letter {}", "name the letter {}", "say {}", "is it {}?",
    "my guess {}", "my next guess is {}",
    "my letter {}", "my guess is {}", "my letter is {}", "my next letter is {}", "{}?",
)  # fmt: skip
"""Other ways to name a letter, in lower case."""

NAMES = {letter: [form.format(letter) for form in FORMS] for letter in ascii_lowercase}

MISS = "not in the word"


class State(NamedTuple):
    """The words that are left, as bits, the letters that have been named, in order, the coins of
    the whole game, and those that misses have cost, which are more after one that was too dear.
    """

    words: int
    letters: str
    coins: int
    spent: int = 0


@dataclass(frozen=True)
class LetterGuessing(AdversaryRules[State, str]):
    """Leave a single word. A move is a letter."""

    words: tuple[str, ...]
    """Different words of the same length."""

    prices: tuple[int, ...]
    """The coins that a miss costs, for each letter of the words in alphabetical order."""

    state_type = State

    def is_won(self, state: State) -> bool:
        return state.words.bit_count() == 1 and state.spent <= state.coins

    def legal(self, state: State) -> Sequence[str]:
        if state.spent > state.coins or self.is_won(state):
            return ()
        return [letter for letter in letters_of(self.words) if letter not in state.letters]

    def price_of(self, letter: str) -> int:
        """The coins that a miss with a letter costs."""
        return self.prices[letters_of(self.words).index(letter)]

    def useful(self, state: State) -> Sequence[str]:
        return [letter for letter, parts in classes(self.words, state.words) if len(parts) > 1]

    def answers(self, state: State, move: str) -> Mapping[str, State]:
        parts = dict(classes(self.words, state.words)).get(move, {0: state.words})
        letters, price = state.letters + move, self.price_of(move)
        return {
            answer_of(positions): State(
                words, letters, state.coins, state.spent + price * (positions == 0)
            )
            for positions, words in sorted(parts.items())
        }

    def weight(self, state: State) -> float:
        return float(state.words.bit_count())

    def needed(self, state: State) -> float:
        return float(state.spent + coins_of(self, state.words))

    def left(self, state: State) -> float:
        return state.coins

    def hardest(self, state: State, move: str) -> list[str]:
        """Of the answers after which the player needs the most coins, those that leave the most
        words.
        """
        after = self.answers(state, move)
        answers = super().hardest(state, move)
        most = max(self.weight(after[answer]) for answer in answers)
        return [answer for answer in answers if self.weight(after[answer]) == most]

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        letters = letters_of(self.words)
        try:
            move = action(text, NAMES)
        except InvalidAnswer as error:
            if "at most" in str(error):
                raise
            raise InvalidAnswer(f"expected one letter, such as '{letters[0]}'") from None
        if move not in letters:
            raise InvalidAnswer(f"no word of the list has the letter {move}")
        if move in state.letters:
            raise InvalidAnswer(f"the letter {move} has been named before")
        return move

    def show(self, state: State) -> str:
        named = " ".join(state.letters) or "none"
        return (
            f"Words: {' '.join(self.words)}\nPattern: {' '.join(self.pattern(state))}\n"
            f"Letters so far: {named}\nCoins left: {max(0, state.coins - state.spent)}"
        )

    def pattern(self, state: State) -> str:
        """The letters that have been named, where they are in the word, and _ elsewhere."""
        word = self.words[state.words.bit_length() - 1]
        return "".join(letter if letter in state.letters else "_" for letter in word)

    def scene(self, state: State) -> Grid:
        shown = tuple(Cell("" if each == "_" else each) for each in self.pattern(state))
        return Grid((shown,))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], str]]:
        def by(value: Callable[[str, Mapping[int, int]], float]) -> Callable[[State, Random], str]:
            def choose(state: State, rng: Random) -> str:
                options = [
                    (letter, parts)
                    for letter, parts in classes(self.words, state.words)
                    if len(parts) > 1 and letter not in state.letters
                ]
                rng.shuffle(options)
                if not options:
                    return self.legal(state)[0]
                return min(options, key=lambda option: value(*option))[0]

            return choose

        def largest(letter: str, parts: Mapping[int, int]) -> float:
            return max(map(int.bit_count, parts.values()))

        def missing(letter: str, parts: Mapping[int, int]) -> float:
            return parts.get(0, 0).bit_count()

        def price(letter: str, parts: Mapping[int, int]) -> float:
            return self.price_of(letter) if 0 in parts else 0.01

        def number(parts: Mapping[int, int]) -> int:
            return sum(map(int.bit_count, parts.values()))

        def expected(letter: str, parts: Mapping[int, int]) -> float:
            return price(letter, parts) * missing(letter, parts)

        def ruled_out(letter: str, parts: Mapping[int, int]) -> float:
            return -(number(parts) - missing(letter, parts)) / price(letter, parts)

        def halvings(letter: str, parts: Mapping[int, int]) -> float:
            share = number(parts) / max(1.0, missing(letter, parts))
            return -log2(share) / price(letter, parts)

        return {
            "the letter of the most words": by(missing),
            "the smallest largest class": by(largest),
            "the most classes": by(lambda letter, parts: -len(parts)),
            "the cheapest letter": by(price),
            "the fewest coins on average": by(expected),
            "few coins, then small classes": by(
                lambda letter, parts: expected(letter, parts) + largest(letter, parts)
            ),
            "the most words ruled out by a miss, for a coin": by(ruled_out),
            "the most halvings by a miss, for a coin": by(halvings),
        }


def answer_of(positions: int) -> str:
    """What is answered to a letter, by its positions, as bits.

    >>> answer_of(0), answer_of(0b10), answer_of(0b10101)
    ('not in the word', 'in position 2', 'in positions 1, 3, 5')
    """
    numbers = [str(n + 1) for n in range(positions.bit_length()) if positions >> n & 1]
    if not numbers:
        return MISS
    return f"in position{'s' * (len(numbers) > 1)} {', '.join(numbers)}"


@lru_cache(maxsize=32_768)
def classes(words: tuple[str, ...], left: int) -> tuple[tuple[str, Mapping[int, int]], ...]:
    """For each letter of the words that are left, these words by the positions of the letter."""
    table, result = positions_of(words), list[tuple[str, Mapping[int, int]]]()
    for letter, groups in table:
        parts = {where: left & group for where, group in groups if left & group}
        if parts.keys() - {0}:
            result.append((letter, parts))
    return tuple(result)


@lru_cache(maxsize=64)
def positions_of(words: tuple[str, ...]) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    """For each letter, the words by its positions, both as bits."""
    table = dict[str, dict[int, int]]()
    for letter in sorted({*"".join(words)}):
        for n, word in enumerate(words):
            where = sum(1 << k for k, each in enumerate(word) if each == letter)
            groups = table.setdefault(letter, {})
            groups[where] = groups.get(where, 0) | 1 << n
    return tuple((letter, tuple(sorted(groups.items()))) for letter, groups in table.items())


@lru_cache(maxsize=256)
def letters_of(words: tuple[str, ...]) -> str:
    """The letters of words, in alphabetical order.

    >>> letters_of(("tea", "eat"))
    'aet'
    """
    return "".join(sorted({*"".join(words)}))


def coins_of(rules: LetterGuessing, left: int) -> int:
    """The coins that the best strategy needs in the worst case to leave a single word."""
    return _needs(rules).coins(left, MANY)


MANY = 10**6
"""More coins than any strategy needs."""


@lru_cache(maxsize=64)
def _needs(rules: LetterGuessing) -> "_Needs":
    return _Needs(rules)


class _Needs:
    """The coins that the best strategy needs, by the words that are left."""

    def __init__(self, rules: LetterGuessing) -> None:
        self.letters = [
            (rules.price_of(letter), dict(groups).get(0, 0), [part for at, part in groups if at])
            for letter, groups in positions_of(rules.words)
        ]
        self.known: dict[int, tuple[int, bool]] = {}
        """For the words that are left, as bits, a number of coins, and whether it is exact or a
        lower bound.
        """

    def coins(self, left: int, bound: int) -> int:
        """The coins that the words need, if they are fewer than a bound, or else a lower bound of
        them that is at least that.
        """
        if left.bit_count() == 1:
            return 0
        known = self.known.get(left)
        if known and (known[1] or known[0] >= bound):
            return known[0]
        number, options = left.bit_count(), list[tuple[float, int, int, list[int]]]()
        least, best = MANY, bound
        for price, missed, groups in self.letters:
            missing = left & missed
            parts = [left & group for group in groups if left & group]
            if missing and parts:
                ratio = price / log2(number / missing.bit_count())
                options.append((ratio, price, missing, parts))
            elif len(parts) > 1:  # a letter that is in all words costs nothing
                options, least = [], self._worst(parts, bound)
                break
        for _, price, missing, parts in sorted(options):
            coins = price
            if coins < best:
                coins += self.coins(missing, best - price)
            if coins < best:
                coins = max(coins, self._worst(parts, best))
            least, best = min(least, coins), min(best, coins)
        self.known[left] = least, least < bound
        return least

    def _worst(self, parts: Sequence[int], bound: int) -> int:
        """The most coins that one of some parts needs, if they are fewer than the bound, or else a
        number that is at least the bound.
        """
        worst = 0
        for part in sorted(parts, key=int.bit_count, reverse=True):
            worst = max(worst, self.coins(part, bound))
            if worst >= bound:
                break
        return worst
