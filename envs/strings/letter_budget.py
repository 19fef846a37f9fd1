"""Words from a stock of letters, a multidimensional knapsack problem.

H. Martin Weingartner and D. N. Ness (1967) solve knapsacks with several weights.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress, product
from random import Random
from typing import Self

from palaestra.generators.baselines import natural_orders, stepwise
from palaestra.generators.tiles import across, stacked, wrapped, written
from palaestra.generators.vocabulary import CONSONANTS, VOWELS, words
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.reading.words import word_list

TRIES = 20
"""The most tries to make up a new word from the letters, for each word of the list."""

ORDERS = 12
"""The most orders of a list to try for one in which greedy choices are too small."""


def fits(chosen: Iterable[str], stock: str) -> bool:
    """Whether a stock has enough letters for all of the words.

    >>> fits(["ab", "ba"], "aabb"), fits(["ab", "ba"], "abb")
    (True, False)
    """
    return Counter("".join(chosen)) <= Counter(stock)


@lru_cache(maxsize=256)
def most(listed: tuple[str, ...], stock: str) -> tuple[tuple[str, ...], int]:
    """A largest choice of words by branch and bound, and the number of nodes of the search."""
    alphabet = sorted(set(stock))
    needs = [tuple(word.count(letter) for letter in alphabet) for word in listed]
    order = [n for n in sorted(range(len(listed)), key=lambda n: len(listed[n]))
             if sum(needs[n]) == len(listed[n])]  # fmt: skip
    sizes = [len(listed[n]) for n in order]
    best: list[int] = []
    nodes = 0

    def search(depth: int, counts: tuple[int, ...], free: int, chosen: list[int]) -> None:
        nonlocal best, nodes
        nodes += 1
        if len(chosen) > len(best):
            best = chosen
        bound, unused = len(chosen), free
        for size in sizes[depth:]:  # with the shortest words first, this is an upper bound
            if size > unused:
                break
            bound, unused = bound + 1, unused - size
        if bound <= len(best):
            return
        rest = tuple(map(int.__sub__, counts, needs[order[depth]]))
        if min(rest) >= 0:
            search(depth + 1, rest, free - sizes[depth], [*chosen, order[depth]])
        search(depth + 1, counts, free, chosen)

    search(0, tuple(stock.count(letter) for letter in alphabet), len(stock), [])
    return tuple(listed[n] for n in sorted(best)), nodes


@lru_cache(maxsize=256)
def greedy_choices(listed: tuple[str, ...], stock: str) -> tuple[tuple[str, ...], ...]:
    """The greedy choices as listed, and with the last word first."""
    return _taken(listed, stock), _taken(listed[::-1], stock)


def _taken(order: Sequence[str], stock: str) -> tuple[str, ...]:
    """The greedy choice: each word in this order that the rest of the stock allows."""
    chosen: list[str] = []
    for word in order:
        if (rest := _without(stock, word)) is not None:
            chosen.append(word)
            stock = rest
    return tuple(chosen)


class LetterBudget(Puzzle):
    """Choose as many words as a stock of letters allows; greedy choices have fewer."""

    version = 3
    tags = {"strings", "optimisation", "search"}

    class Knobs(Puzzle.Knobs):
        words: int = ladder(8, 11, 14, 22, 23, 24, 26, low=6)
        length: int = ladder(3, 4, 4, 4, 5, 5, 5, low=3, high=9)  # of each word
        taken: int = ladder(3, 4, 6, 8, 8, 9, 9, low=3)  # so many words have all letters

    listed: tuple[str, ...]
    stock: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw words whose letters are the stock, and other words of the same letters.

        As all words have the same length, a largest choice uses up the whole stock, and most first
        choices leave useless letters. So a few orders of the list are enough to get one in which
        greedy choices are too small.
        """
        taken = min(knobs.taken, knobs.words - 2)
        listed = dict.fromkeys(words(rng, taken, knobs.length, knobs.length))
        stock = "".join(listed)
        letters = [[x for x in stock if x in letters] for letters in (CONSONANTS, VOWELS)]
        for _ in range(TRIES * knobs.words):  # a few letters do not give so many words
            if len(listed) == knobs.words:
                break
            first, places = rng.random() < 0.25, range(knobs.length)
            listed["".join([rng.choice(letters[(n + first) % 2]) for n in places])] = None
        order = list(listed)
        for _ in range(ORDERS):
            rng.shuffle(order)
            if all(len(words) < taken for words in greedy_choices(tuple(order), stock)):
                break
        return cls(listed=tuple(order), stock="".join(sorted(stock)))

    def is_valid(self) -> bool:
        return self.baseline() < len(self.best()) < len(self.listed)

    def best(self) -> tuple[str, ...]:
        """A largest choice of words."""
        return most(self.listed, self.stock)[0]

    def baseline(self) -> int:
        """The number of words of the best greedy choice."""
        return max(map(len, greedy_choices(self.listed, self.stock)))

    def canonical(self) -> str:
        return repr((self.stock, sorted(self.listed)))

    def prompt(self) -> str:
        tiles = ", ".join(f"{number} {letter}" for letter, number in Counter(self.stock).items())
        task = self.phrase(
            "Choose as many words of this list as possible such that all of them can be spelled at "
            "the same time",
            "How many words of this list can be spelled at once? Find a choice of the greatest "
            "number of words that can be spelled",
        )
        return (
            f"{task} with the letters below, each of which is used at most once. Each word may be "
            f"chosen once; letters may be left over.\n\nWords: {' '.join(self.listed)}\n\nLetters: "
            f"{tiles}\n\nOnly the number of words counts. If several choices "
            "have the greatest number of words, any of them is accepted. Answer with the words, "
            f"separated by commas, such as '{self.listed[0]}, {self.listed[-1]}'."
        )

    def answer(self) -> str:
        return ", ".join(self.best())

    def scene(self) -> Panels:
        return stacked({"Letters": self.tiles(Counter()), "Words": written(self.listed)})

    def solved_scene(self, answer: str) -> Panels:
        """The letters, with marks on those that the listed words of an answer use."""
        chosen = {*word_list(answer)}
        words = [word for word in self.listed if word in chosen]
        used = Counter("".join(words))
        return stacked({"Letters": self.tiles(used), f"{len(words)} words": written(words or "-")})

    def tiles(self, used: Counter[str]) -> Grid:
        """The letters of the stock, of each letter the used ones first and marked."""
        cells = [
            Cell(letter, "t2", tone="accent") if n < used[letter] else Cell(letter)
            for letter, number in Counter(self.stock).items()
            for n in range(number)
        ]
        return wrapped(cells, across(len(cells)))

    def verify(self, answer: str) -> Score:
        chosen = word_list(answer)
        unlisted = [word for word in chosen if word not in self.listed]
        if unlisted:
            return Score(0, f"{unlisted[0][:40]!r} is not in the list")
        if len(set(chosen)) < len(chosen):
            return Score(0, "a word is chosen twice")
        if not fits(chosen, self.stock):
            missing = Counter("".join(chosen)) - Counter(self.stock)
            return Score(0, f"there are not enough letters {min(missing)} for these words")
        best = len(self.best())
        parts = {"progress": gap(len(chosen), self.baseline(), best)}
        if len(chosen) < best:
            return Score(0, f"more than {len(chosen)} words can be spelled", parts)
        return Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Dynamic programming: the stocks that remain after each number of words."""
        chosen = word_list(answer)
        remaining = [{self.stock}]
        for word in self.listed:
            new: list[set[str]] = [set() for _ in range(len(remaining) + 1)]
            for number, stocks in enumerate(remaining):
                new[number] |= stocks
                new[number + 1] |= {rest for s in stocks if (rest := _without(s, word)) is not None}
            remaining = new if new[-1] else new[:-1]
        listed = set(chosen) <= set(self.listed) and len(set(chosen)) == len(chosen)
        return (
            listed
            and _without(self.stock, "".join(chosen)) is not None
            and len(chosen) == (len(remaining) - 1)
        )

    def difficulty(self) -> float:
        return float(most(self.listed, self.stock)[1] * len(self.listed))

    def shortcuts(self) -> Iterable[str]:
        yield ", ".join(self.listed)
        yield from map(", ".join, greedy_choices(self.listed, self.stock))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """All words that fit, in each natural order, or the word that leaves most others each time.

        The scarcity of a word is the part of the stock that it uses up, letter by letter.
        """
        stock = Counter(self.stock)

        def scarcity(word: str) -> float:
            return sum(1 / stock[letter] if letter in stock else 1 for letter in word)

        def others_lost(word: str, chosen: list[str]) -> int | None:
            rest = _without(self.stock, "".join([*chosen, word]))
            if rest is None:
                return None
            return -sum(_without(rest, other) is not None for other in self.listed)

        orders = natural_orders(self.listed, rng, {"scarcity of letters": scarcity})
        choices = {name: _taken(order, self.stock) for name, order in orders.items()}
        choices["most other words left first"] = (*stepwise(self.listed, rng, others_lost),)
        return {name: ", ".join(words) for name, words in choices.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(words=7, length=3, taken=3)

    def candidates(self) -> Iterable[str]:
        choices = product((0, 1), repeat=len(self.listed))
        return (", ".join(compress(self.listed, choice)) for choice in choices if any(choice))


def _without(stock: str, word: str) -> str | None:
    """The stock without the letters of a word, if it has all of them."""
    for letter in word:
        if letter not in stock:
            return None
        stock = stock.replace(letter, "", 1)
    return stock
