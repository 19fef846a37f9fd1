"""Sorting words into groups of anagrams; Jon Bentley (1986) compares their signatures."""

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.strings.renaming import renaming
from palaestra.generators.tiles import NOTHING, level, tiles
from palaestra.scenes import Cell, Grid
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.moves import steps
from palaestra.verifiers.reading.words import word_list


class GroupAnagrams(Puzzle):
    """Group words that are anagrams, among others that differ in a single letter."""

    tags = {"strings", "sorting", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        groups: int = ladder(3, 4, 5, 7, 9, 12, low=2, high=16)
        words: int = ladder(7, 10, 14, 20, 28, 42, low=7, high=60)
        length: int = ladder(3, 4, 5, 6, 8, 10, low=3, high=12)
        letters: int = ladder(6, 6, 5, 5, 5, 5, low=4, high=20)  # few letters make groups similar

    words: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)
        sets: list[list[str]] = [rng.choices(alphabet, k=knobs.length)]
        while len(sets) < knobs.groups:
            similar = list(rng.choice(sets))
            similar[rng.randrange(len(similar))] = rng.choice(alphabet)
            sets.append(similar)
        anagrams: dict[str, None] = {}
        for number in range(50 * knobs.words):
            if len(anagrams) == knobs.words:
                break
            chosen = sets[number] if number < len(sets) else rng.choice(sets)
            anagrams["".join(rng.sample(chosen, len(chosen)))] = None
        return cls(words=tuple(rng.sample(list(anagrams), len(anagrams))))

    def is_valid(self) -> bool:
        return 1 < len(self.grouped()) < len(self.words)

    def grouped(self) -> list[list[str]]:
        """The words of each group, in the order in which they are listed."""
        classes: dict[str, list[str]] = {}
        for word in self.words:
            classes.setdefault("".join(sorted(word)), []).append(word)
        return list(classes.values())

    def canonical(self) -> str:
        table = renaming("".join(sorted(self.words)))
        return repr(sorted([word.translate(table) for word in self.words]))

    def prompt(self) -> str:
        task = self.phrase(
            "Sort these words into groups: two words belong to the same group if and only if they "
            "have the same letters, each the same number of times, in any order.",
            "Which of these words are anagrams of one another, that is, have the same letters, "
            "each the same number of times? Put all words that are anagrams of one another into "
            "one group.",
        )
        return (
            f"{task} A word without a partner is a group of its own.\n\n{' '.join(self.words)}\n\n"
            "Write one group per line, its words separated by spaces, such as 'xyz zxy'. The order "
            "of the groups, and of the words in them, does not matter. Every word is in exactly "
            "one group."
        )

    def answer(self) -> str:
        return "\n".join(map(" ".join, self.grouped()))

    def scene(self) -> Grid:
        return self.pictured({})

    def solved_scene(self, answer: str) -> Grid:
        """The words of the list, with the numbers and colours of their groups."""
        return self.pictured(
            {word: n for n, group in enumerate(self.read(answer), 1) for word in group}
        )

    def pictured(self, groups: Mapping[str, int]) -> Grid:
        """The words as rows of tiles in up to three columns, from the top down."""
        tall = -(-len(self.words) // -(-len(self.words) // 14))
        rows = [list[Cell]() for _ in range(tall)]
        for n, word in enumerate(self.words):
            group = groups.get(word, 0)
            cells = tiles(word, f"t{group % 12}" if group else "paper")
            gap = [NOTHING] if n >= tall else []
            name = [Cell(str(group), tone="accent")] if groups else []
            rows[n % tall] += [*gap, *name, *cells]
        return Grid(level(rows))

    def read(self, answer: str) -> list[list[str]]:
        """The groups of an answer."""
        return [word_list(line, what="one group of words per line") for line in steps(answer)]

    def verify(self, answer: str) -> Score:
        lines = self.read(answer)
        if sorted(word for line in lines for word in line) != sorted(self.words):
            return Score(0, "the answer does not use each word of the list exactly once")
        for number, line in enumerate(lines, 1):
            if len({"".join(sorted(word)) for word in line}) > 1:
                return Score(0, f"the words of line {number} do not all have the same letters")
        if len(lines) > len(self.grouped()):
            return Score(0, "words with the same letters are in different groups")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Whether two words are on one line if and only if they have the same letters."""
        line_of = {w: n for n, line in enumerate(steps(answer)) for w in word_list(line)}
        bags = {word: Counter(word) for word in self.words}
        return sorted(line_of) == sorted(self.words) and all(
            (line_of[a] == line_of[b]) == (bags[a] == bags[b]) for a in bags for b in bags
        )

    def difficulty(self) -> float:
        return float(len(self.words) * sum(map(len, self.words)))

    def shortcuts(self) -> Iterable[str]:
        yield " ".join(self.words)
        yield "\n".join(self.words)
