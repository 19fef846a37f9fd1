"""Words from a stock of letters, as with movable type: a knapsack of many dimensions.

Packing the most things by several weights goes back to H. Martin Weingartner and D. N. Ness (1967).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress, product
from random import Random
from typing import Self

from palaestra.generators.vocabulary import CONSONANTS, VOWELS, words
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.reading.values import items

ORDERS = 12
"""How many orders of a list are tried for one in which greed makes too few words."""


def fits(chosen: Iterable[str], stock: str) -> bool:
    """Whether a stock has letters enough for all of some words.

    >>> fits(["ab", "ba"], "aabb"), fits(["ab", "ba"], "abb")
    (True, False)
    """
    return Counter("".join(chosen)) <= Counter(stock)


@lru_cache(maxsize=256)
def most(listed: tuple[str, ...], stock: str) -> tuple[tuple[str, ...], int]:
    """As many words as the letters are enough for, and the choices looked at to find them."""
    kinds = sorted(set(stock))
    needs = [tuple(word.count(kind) for kind in kinds) for word in listed]
    order = [n for n in sorted(range(len(listed)), key=lambda n: len(listed[n]))
             if sum(needs[n]) == len(listed[n])]  # fmt: skip
    sizes = [len(listed[n]) for n in order]
    best: list[int] = []
    looked = 0

    def search(here: int, left: tuple[int, ...], room: int, chosen: list[int]) -> None:
        nonlocal best, looked
        looked += 1
        if len(chosen) > len(best):
            best = chosen
        hope, free = len(chosen), room
        for size in sizes[here:]:  # the shortest words first: no choice has room for more
            if size > free:
                break
            hope, free = hope + 1, free - size
        if hope <= len(best):
            return
        rest = tuple(map(int.__sub__, left, needs[order[here]]))
        if min(rest) >= 0:
            search(here + 1, rest, room - sizes[here], [*chosen, order[here]])
        search(here + 1, left, room, chosen)

    search(0, tuple(stock.count(kind) for kind in kinds), len(stock), [])
    return tuple(listed[n] for n in sorted(best)), looked


def greedy_orders(listed: Sequence[str]) -> tuple[Sequence[str], ...]:
    """The shortest words first, as listed, and from behind."""
    return sorted(listed, key=len), listed, listed[::-1]


@lru_cache(maxsize=256)
def greedy_choices(listed: tuple[str, ...], stock: str) -> tuple[tuple[str, ...], ...]:
    """Whatever can still be made, in each of the greedy orders."""
    return tuple(_taken(order, stock) for order in greedy_orders(listed))


def _taken(order: Sequence[str], stock: str) -> tuple[str, ...]:
    """What is made by someone who makes whatever can still be made, in this order."""
    chosen: list[str] = []
    for word in order:
        if (rest := _without(stock, word)) is not None:
            chosen.append(word)
            stock = rest
    return tuple(chosen)


class LetterBudget(Puzzle):
    """Choose as many words as a stock of letters is enough for, where greed makes fewer."""

    version = 2
    tags = {"strings", "optimisation", "search"}

    class Knobs(Puzzle.Knobs):
        words: int = ladder(8, 9, 11, 13, 16, 19, low=6, high=22)
        longest: int = ladder(4, 5, 5, 6, 6, 7, low=4, high=9)
        taken: int = ladder(4, 4, 5, 6, 7, 8, low=3)  # words for which there are letters, at least

    listed: tuple[str, ...]
    stock: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Words for which the letters are there, and others made of the same letters.

        Nearly every word can be made then, so that most of the words that greed makes first leave
        letters that are of no use, and a few orders of the list are enough to find one in which
        greed makes too few.
        """
        taken = min(knobs.taken, knobs.words - 2)
        listed = dict.fromkeys(words(rng, taken, 3, knobs.longest))
        stock = "".join(listed)
        letters = [[sign for sign in stock if sign in kind] for kind in (CONSONANTS, VOWELS)]
        while len(listed) < knobs.words:
            first, length = rng.random() < 0.25, rng.randint(3, knobs.longest)
            listed["".join([rng.choice(letters[(n + first) % 2]) for n in range(length)])] = None
        order = list(listed)
        for _ in range(ORDERS):
            rng.shuffle(order)
            if all(len(_taken(each, stock)) < taken for each in greedy_orders(order)):
                break
        return cls(listed=tuple(order), stock="".join(sorted(stock)))

    def is_valid(self) -> bool:
        return self.baseline() < len(self.best()) < len(self.listed)

    def best(self) -> tuple[str, ...]:
        """A choice of the most words."""
        return most(self.listed, self.stock)[0]

    def baseline(self) -> int:
        """How many words the greedy choices have."""
        return max(map(len, greedy_choices(self.listed, self.stock)))

    def canonical(self) -> str:
        return repr((self.stock, sorted(self.listed)))

    def prompt(self) -> str:
        tiles = ", ".join(f"{number} {kind}" for kind, number in Counter(self.stock).items())
        task = self.phrase(
            "Choose as many words of this list as possible such that they can all be laid at the "
            "same time",
            "How many words of this list can be laid at once? Find a choice of the greatest number "
            "of words that can be laid",
        )
        return (
            f"{task} with the letters below, each of which is used at most once. Each word may be "
            f"chosen once; letters may be left over.\n\nWords: {' '.join(self.listed)}\n\nLetters: "
            f"{tiles}\n\nOnly the number of words counts, not their length. If several choices "
            "have the greatest number of words, any of them is accepted. Answer with the words, "
            f"separated by commas, such as '{self.listed[0]}, {self.listed[-1]}'."
        )

    def answer(self) -> str:
        return ", ".join(self.best())

    def verify(self, answer: str) -> Score:
        words = items(answer.casefold(), "a list of words")
        if not words:
            raise InvalidAnswer("not a list of words", "no_answer")
        strange = [word for word in words if word not in self.listed]
        if strange:
            return Score(0, f"{strange[0][:40]!r} is not in the list")
        if len(set(words)) < len(words):
            return Score(0, "a word is chosen twice")
        if not fits(words, self.stock):
            short = Counter("".join(words)) - Counter(self.stock)
            return Score(0, f"there are not enough letters {min(short)} for these words")
        worth = gap(len(words), self.baseline(), len(self.best()))
        return Score(worth, "" if worth == 1 else f"more than {len(words)} words can be made")

    def audit(self, answer: str) -> bool:
        """Keeps, for each number of words, every way to have letters left."""
        words = answer.casefold().replace(",", " ").split()
        lefts = [{self.stock}]
        for word in self.listed:
            new: list[set[str]] = [set() for _ in range(len(lefts) + 1)]
            for number, stocks in enumerate(lefts):
                new[number] |= stocks
                new[number + 1] |= {rest for s in stocks if (rest := _without(s, word)) is not None}
            lefts = new if new[-1] else new[:-1]
        good = set(words) <= set(self.listed) and len(set(words)) == len(words)
        return (
            good
            and _without(self.stock, "".join(words)) is not None
            and len(words) == (len(lefts) - 1)
        )

    def difficulty(self) -> float:
        return float(most(self.listed, self.stock)[1] * len(self.listed))

    def shortcuts(self) -> Iterable[str]:
        yield ", ".join(self.listed)
        yield from map(", ".join, greedy_choices(self.listed, self.stock))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(words=7, longest=4, taken=3)

    def candidates(self) -> Iterable[str]:
        choices = product((0, 1), repeat=len(self.listed))
        return (", ".join(compress(self.listed, choice)) for choice in choices if any(choice))


def _without(stock: str, word: str) -> str | None:
    """What is left of letters when some are taken out, if they are there."""
    for letter in word:
        if letter not in stock:
            return None
        stock = stock.replace(letter, "", 1)
    return stock
