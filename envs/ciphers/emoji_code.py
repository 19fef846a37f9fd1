"""Substitution ciphers with word lists, solved by the letter patterns of the words."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice, product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.phrases import WORDS
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list

Code = tuple[str, ...]

SYMBOLS = (
    *("🍎", "🍋", "🌵", "🐸", "🐙", "🦊", "🚗", "🚲", "⚓", "🎈", "🎲", "🔑", "🔔"),
    *("🌙", "⭐", "🔥", "🌈", "🎩", "👑", "📚", "🧩", "🪁", "🥕", "🍄", "🐢", "🦋"),
)
"""One symbol for each letter of the alphabet."""


class EmojiCode(Puzzle):
    """Find the listed words behind code words in which each letter is always the same symbol."""

    tags = {"cipher", "words", "deduction", "unique-solution"}
    baseline_note = (
        "a code word that repeats symbols often leaves one word of the list, whose "
        "letters settle the next one, so that many codes are read without a guess"
    )

    class Knobs(Puzzle.Knobs):
        codes: int = ladder(3, 3, 3, 4, 5, 6, 7, high=9)
        listed: int = ladder(12, 20, 30, 45, 70, 110, 160, low=8, high=240)
        shortest: int = ladder(4, 4, 4, 4, 3, 3, 3, low=3, high=5)
        longest: int = ladder(8, 7, 6, 6, 5, 5, 5, low=5, high=9)

    listed: tuple[str, ...]
    codes: tuple[Code, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        fit = [word for word in WORDS if knobs.shortest <= len(word) <= knobs.longest]
        listed = rng.sample(fit, min(knobs.listed, len(fit)))
        table = dict(zip("abcdefghijklmnopqrstuvwxyz", rng.sample(SYMBOLS, len(SYMBOLS))))
        codes = tuple(tuple(table[sign] for sign in word) for word in listed[: knobs.codes])
        return cls(listed=tuple(sorted(listed)), codes=codes)

    def is_valid(self) -> bool:
        if self.random_baseline() > 0.02:
            return False
        return len(solutions(self.listed, self.codes)) == 1

    def canonical(self) -> str:
        names: dict[str, int] = {}
        codes = [[names.setdefault(sign, len(names)) for sign in code] for code in self.codes]
        return f"{codes} {' '.join(self.listed)}"

    def prompt(self) -> str:
        ask = self.phrase(
            "Each letter was replaced by a symbol: the same letter by the same symbol throughout, "
            "and different letters by different symbols.",
            "In the code words below, every symbol stands for a letter, always for the same one, "
            "and no two symbols stand for the same letter.",
        )
        rows = "\n".join(f"{n}: {' '.join(code)}" for n, code in enumerate(self.codes, 1))
        return (
            f"{ask} Each code word stands for a word of this list:\n\n{' '.join(self.listed)}\n\n"
            f"The code words:\n{rows}\n\nExactly one choice of words fits all code words. Answer "
            "with the words that they stand for, in their order, separated by commas, such as "
            f"'{joined(['word', 'letter', 'sign', *['word'] * 9][: len(self.codes)])}'."
        )

    def answer(self) -> str:
        return joined(solutions(self.listed, self.codes)[0])

    def verify(self, answer: str) -> Score:
        text = word_list(answer, len(self.codes), most=100)
        if len(text) != len(self.codes):
            raise InvalidAnswer(f"{len(text)} words instead of {len(self.codes)}")
        table: dict[str, str] = {}
        back: dict[str, str] = {}
        for n, (word, code) in enumerate(zip(text, self.codes), 1):
            if word not in self.listed:
                return Score(0, f"word {n} is not in the list")
            if len(word) != len(code):
                return Score(0, f"word {n} does not have the length of its code word")
            for letter, sign in zip(word, code):
                if (
                    table.setdefault(letter, sign) != sign
                    or back.setdefault(sign, letter) != letter
                ):
                    return Score(0, f"word {n} breaks the rule of one letter for each symbol")
        return Score(1)

    def difficulty(self) -> float:
        tried = [0]
        list(_read(self.listed, self.codes, {}, tried))
        return float(len(self.listed) + tried[0])

    def random_baseline(self) -> float:
        fits = 1.0
        for code in self.codes:
            fits *= max(1, sum(len(word) == len(code) for word in self.listed))
        return 1 / fits

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(codes=3, listed=8, shortest=3, longest=5)

    def candidates(self) -> Iterator[str]:
        return map(joined, product(self.listed, repeat=len(self.codes)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Take a word of the right length and pattern for each code word; none is taken back."""

        def options(n: int, words: Mapping[int, str]) -> list[str]:
            known = {
                sign: letter
                for m, word in words.items()
                for sign, letter in zip(self.codes[m], word)
            }
            return [word for word in self.listed if _fits(word, self.codes[n], known)]

        numbers = range(len(self.codes))
        return {
            player: joined([words.get(n, self.listed[0]) for n in numbers])
            for player, words in fillings(numbers, options, rng).items()
        }


@lru_cache(maxsize=256)
def solutions(listed: tuple[str, ...], codes: tuple[Code, ...]) -> list[tuple[str, ...]]:
    """Up to two ways to decode all code words."""
    return list(islice(_read(listed, codes, {}, [0]), 2))


def _read(
    listed: tuple[str, ...], codes: tuple[Code, ...], known: dict[str, str], tried: list[int]
) -> Iterator[tuple[str, ...]]:
    """All decodings, by search; the code word with the fewest possible words comes first.

    ``tried[0]`` counts the words tried.
    """
    if not codes:
        yield ()
        return
    fits = [[word for word in listed if _fits(word, code, known)] for code in codes]
    n = min(range(len(codes)), key=lambda n: len(fits[n]))
    tried[0] += len(fits[n])
    for word in fits[n]:
        more = known | dict(zip(codes[n], word))
        for rest in _read(listed, codes[:n] + codes[n + 1 :], more, tried):
            yield (*rest[:n], word, *rest[n:])


def _fits(word: str, code: Code, known: dict[str, str]) -> bool:
    if len(word) != len(code):
        return False
    table = dict(known)
    for sign, letter in zip(code, word):
        if table.setdefault(sign, letter) != letter:
            return False
    return len(set(table.values())) == len(table)
