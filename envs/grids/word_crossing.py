"""Filling a crossword's skeleton from a list of words, as in criss-cross or fill-in puzzles."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.cells import COUNTED, in_rows
from palaestra.generators.grids.word_crossing import (
    BLACK,
    OPEN,
    Cell,
    Slot,
    cells_of,
    crossings,
    skeleton,
    solve,
    spoilt,
    woven,
)
from palaestra.scenes import Cell as Square
from palaestra.scenes import Grid, Panels, Text
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.labels import pairs


class WordCrossing(Puzzle):
    """Fill the slots of a crossword from a list of made-up words so that all crossings agree."""

    tags = {"grid", "words", "constraint-satisfaction", "search"}

    class Knobs(Puzzle.Knobs):
        slots: int = ladder(3, 4, 6, 8, 10, 13, 16, low=2, high=20)
        decoys: int = ladder(1, 2, 4, 6, 10, 15, 22, high=40)  # words that are left over
        longest: int = ladder(4, 5, 5, 5, 6, 6, 6, low=4, high=8)

    slots: tuple[Slot, ...]
    words: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        slots, used = woven(rng, knobs.slots, knobs.longest)
        known = dict.fromkeys(used)
        while len(known) < len(used) + knobs.decoys:
            # A decoy has the length of some slot, and most often shares most of its letters.
            like = rng.choice(used)
            known[spoilt(rng, like)] = None
        return cls(slots=tuple(sorted(slots)), words=tuple(sorted(known)))

    def is_valid(self) -> bool:
        """Whether a search fills it, and the first word that fits each slot does not."""
        solution, nodes = solve(self.slots, self.words)
        if len({*self.names()}) < len(self.slots) or not solution:
            return False
        return nodes > len(self.slots) and not any(
            self.verify(reply).value for reply in self.shortcuts()
        )

    def names(self) -> tuple[str, ...]:
        """What each slot is called, such as 'r1c2 across'."""
        return tuple(f"{cell_name(row, column)} {way}" for row, column, way, _ in self.slots)

    def prompt(self) -> str:
        rules = self.phrase(
            "Fill this crossword from the list of words: each slot takes a word of its length, "
            "one letter to a cell, and where two slots cross they have the same letter.",
            "Put words from the list into the slots of this crossword, letter by letter, so that "
            "every cell that belongs to two slots gets the same letter from both.",
        )
        names = zip(self.names(), self.slots)
        slots = "\n".join(f"{name}, {slot[3]} letters" for name, slot in names)
        first = self.names()[0]
        return (
            f"{rules} No word may be used twice; some are left over. {COUNTED}; a slot is named "
            "after its first cell, and words are written from left to right (across) or from top "
            f"to bottom (down). '{OPEN}' is a cell to fill and '{BLACK}' one that stays empty.\n\n"
            f"{skeleton(self.slots)}\n\nSlots:\n{slots}\n\nWords:\n{', '.join(self.words)}\n\n"
            f"Answer with one line for each slot, such as '{first}: "
            f"{'zig' * 9:.{self.slots[0][3]}}'. Any filling that obeys the rules is accepted."
        )

    def scene(self) -> Panels:
        return self.picture({})

    def solved_scene(self, answer: str) -> Panels:
        return self.picture(pairs(answer, names=self.names()))

    def picture(self, filling: Mapping[str, str]) -> Panels:
        """The scene of the crossword with words by the names of their slots, and of the list.

        Two letters stand in a cell where words that cross differ.
        """
        letters: dict[Cell, dict[str, None]] = {}
        for name, slot in zip(self.names(), self.slots):
            word = filling.get(name, "").casefold()
            for n, cell in enumerate(cells_of(slot)):
                letters.setdefault(cell, {}).update(dict.fromkeys(word[n : n + 1]))
        rows, columns = (range(max(side) + 1) for side in zip(*letters))
        cells = tuple(
            tuple(
                Square("/".join(letters[row, column]), tone="accent")
                if (row, column) in letters
                else Square(fill="none")
                for column in columns
            )
            for row in rows
        )
        across = max(2, len(columns) // 2)  # words that fit below the grid, side by side
        listed = tuple(map(", ".join, in_rows(self.words, across)))
        return Panels((Grid(cells, coordinates=True), Text(listed)), columns=1)

    def answer(self) -> str:
        return self.written(solve(self.slots, self.words)[0])

    def written(self, filling: Iterable[str]) -> str:
        """A filling as an answer."""
        return "\n".join(f"{name}: {word}" for name, word in zip(self.names(), filling))

    def verify(self, answer: str) -> Score:
        known = {word.casefold(): word for word in self.words}
        values = pairs(answer, names=self.names())
        unknown = next((name for name in values if values[name].casefold() not in known), None)
        if unknown:
            return Score(0, f"the word for {unknown} is not one of the words listed")
        values = {name: known[word.casefold()] for name, word in values.items()}
        filled: dict[Cell, str] = {}
        for name, slot in zip(self.names(), self.slots):
            if len(values[name]) != slot[3]:
                return Score(0, f"the word for {name} does not have the length of its slot")
            for cell, letter in zip(cells_of(slot), values[name]):
                if filled.setdefault(cell, letter) != letter:
                    return Score(0, f"the words that cross in {cell_name(*cell)} differ there")
        if len({*values.values()}) < len(values):
            return Score(0, "a word is used twice")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Compare each pair of slots at the cell that they have in common."""
        values = pairs(answer, names=self.names())
        filling = [values[name].casefold() for name in self.names()]
        if len({*filling}) < len(filling) or not {*filling} <= {*self.words}:
            return False
        if any(len(word) != slot[3] for word, slot in zip(filling, self.slots)):
            return False
        return all(
            filling[one][here] == filling[other][there]
            for one, some in enumerate(crossings(self.slots))
            for here, other, there in some
        )

    def difficulty(self) -> float | None:
        return float(solve(self.slots, self.words)[1] + len(self.words))

    def shortcuts(self) -> Iterable[str]:
        """Each slot gets the first word of its length that is left."""
        left, filling = [*self.words], []
        for *_, length in self.slots:
            filling.append(next((w for w in left if len(w) == length), self.words[0]))
            left = [w for w in left if w != filling[-1]]
        return [self.written(filling)]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a word into slot by slot that agrees with those across it; none is moved again."""
        cells = [cells_of(slot) for slot in self.slots]

        def options(slot: int, words: Mapping[int, str]) -> list[str]:
            letters = {c: x for n, word in words.items() for c, x in zip(cells[n], word)}
            fitting = (
                w for w in self.words if len(w) == len(cells[slot]) and w not in words.values()
            )
            return [
                w for w in fitting if all(letters.get(c, x) == x for c, x in zip(cells[slot], w))
            ]

        numbers = range(len(self.slots))
        return {
            player: self.written([words.get(n, self.words[0]) for n in numbers])
            for player, words in fillings(numbers, options, rng).items()
        }
