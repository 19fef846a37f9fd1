"""Word ladders, Lewis Carroll's "Doublets" (Vanity Fair, 1879), with invented words."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise, permutations
from random import Random
from typing import Self

from palaestra.generators.tiles import LONGEST, MOST, NOTHING, level, tiles, written
from palaestra.generators.vocabulary import changed, distance, near, neighbours, word
from palaestra.scenes import Grid, Panels
from palaestra.scenes.entries import WordsEntry
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list


class WordLadder(Puzzle):
    """Turn one word into another by changing one letter at a time, with listed words only."""

    version = 2
    tags = {"search", "shortest-path", "words"}

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(3, 4, 5, 6, 8, 10, 12, high=14)
        letters: int = ladder(3, 4, 4, 4, 5, 5, 6, high=7)
        distractors: int = ladder(6, 12, 20, 32, 48, 70, 100, low=0, high=150)

    start: str
    goal: str
    words: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        path = walk(rng, knobs.steps, knobs.letters)
        mark = {rung: n for n, rung in enumerate(path)}
        for _ in range(20 * knobs.distractors):
            if len(mark) == len(path) + knobs.distractors:
                break
            parent = rng.choice(list(mark))
            other = changed(rng, parent)
            # No word is next to two whose marks differ by more than 1, so there is no shortcut.
            if other not in mark and all(
                abs(mark[each] - mark[parent]) <= 1 for each in neighbours(other, mark)
            ):
                mark[other] = mark[parent]
        return cls(start=path[0], goal=path[-1], words=tuple(sorted(mark)))

    def is_valid(self) -> bool:
        # A ladder whose every change comes closer to the goal needs no search.
        return len(self.shortest()) - 1 > distance(self.start, self.goal)

    def shortest(self) -> tuple[str, ...]:
        """A shortest ladder."""
        return breadth_first(self.start, self.goal, self.words)[0]

    def canonical(self) -> str:
        return joined((*sorted((self.start, self.goal)), *self.words))

    def prompt(self) -> str:
        listed = "\n".join(" ".join(self.words[n : n + 10]) for n in range(0, len(self.words), 10))
        task = self.phrase(
            f"Go from '{self.start}' to '{self.goal}' in as few steps as possible. A step replaces "
            "exactly one letter by another and results in another word of this list:",
            f"Build a word ladder, as short as possible, from '{self.start}' to '{self.goal}': "
            "each word after the first differs from the one before it in exactly one position, and "
            "all words are in this list:",
        )
        return (
            f"{task}\n\n{listed}\n\nThe words have no meaning, and letters are never moved, added "
            f"or deleted. Give the whole ladder, with '{self.start}' as its first word and "
            f"'{self.goal}' as its last, separated by commas, such as 'mipa, mipo, mizo'."
        )

    def answer(self) -> str:
        return joined(self.shortest())

    def scene(self) -> Panels:
        rows = [tiles(self.start, "t1"), *[[NOTHING]] * 2, tiles(self.goal, "t2")]
        return Panels((Grid(level(rows)), written(self.words)), columns=1)

    def entry(self) -> WordsEntry:
        return WordsEntry(self.words, ", ")

    def solved_scene(self, answer: str) -> Panels:
        """The words of an answer, one below the other, with marks on the letters that change."""
        rungs = [rung[:LONGEST] for rung in self.read(answer)[:MOST]]
        changes = tuple(
            (n, column)
            for n, pair in enumerate(pairwise(rungs), 1)
            for column, (one, other) in enumerate(zip(*pair))
            if one != other
        )
        ladder = Grid(level(tiles(rung, tone="accent") for rung in rungs), last=changes)
        return Panels((ladder, written(self.words)), columns=1)

    def read(self, answer: str) -> list[str]:
        """The words of an answer."""
        return word_list(answer, what="words separated by commas")

    def verify(self, answer: str) -> Score:
        rungs = self.read(answer)
        if (rungs[0], rungs[-1]) != (self.start, self.goal):
            return Score(0, f"the ladder does not lead from {self.start} to {self.goal}")
        listed = frozenset(self.words)
        for one, other in pairwise(rungs):
            if other not in listed:
                return Score(0, f"{other[:40]!r} is not in the list")
            if not near(one, other):
                return Score(0, f"from {one} to {other} is not a change of exactly one letter")
        fewest, steps = len(self.shortest()) - 1, len(rungs) - 1
        if steps > fewest:
            return Score(
                0, "there is a shorter ladder", {"steps": steps, "progress": fewest / steps}
            )
        return Score(1, parts={"steps": steps, "progress": 1})

    def audit(self, answer: str) -> bool:
        """Find the least number of changes by breadth-first search over sets of words."""
        rungs = word_list(answer)
        reached, changes = {self.start}, 0
        while self.goal not in reached:
            reached |= {w for w in self.words if any(_one_off(w, r) for r in reached)}
            changes += 1
        linked = all(_one_off(a, b) for a, b in pairwise(rungs))
        ends = rungs[:1] == [self.start] and rungs[-1:] == [self.goal]
        return linked and ends and set(rungs) <= set(self.words) and len(rungs) == changes + 1

    def difficulty(self) -> float:
        return breadth_first(self.start, self.goal, self.words)[1]

    def shortcuts(self) -> Iterable[str]:
        yield joined((self.start, self.goal))
        yield joined(self.words)
        here, path = self.start, [self.start]
        while nearer := [
            other
            for other in neighbours(here, self.words)
            if distance(other, self.goal) < distance(here, self.goal)
        ]:
            here = nearer[0]
            path.append(here)
        yield joined(path)
        yield joined((*path, self.goal))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(steps=3, letters=3, distractors=4)

    def candidates(self) -> Iterable[str]:
        inner = [rung for rung in self.words if rung not in (self.start, self.goal)]
        for length in range(4):
            for middle in permutations(inner, length):
                yield joined((self.start, *middle, self.goal))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Go on to a new word of the list: any, or one that differs least from the goal."""

        def ladder_of(key: Callable[[str], float]) -> str:
            path = [self.start]
            while path[-1] != self.goal:
                new = [word for word in neighbours(path[-1], self.words) if word not in path]
                if not new:
                    break
                path.append(self.goal if self.goal in new else min(new, key=key))
            return joined(path)

        return {
            "random new word": ladder_of(lambda word: rng.random()),
            "new word nearest to the goal": ladder_of(
                lambda word: distance(word, self.goal) + rng.random() / 2
            ),
        }


def walk(rng: Random, steps: int, letters: int) -> list[str]:
    """A path of words; two of them differ by one change if and only if they are consecutive."""
    path = [word(rng, letters)]
    for _ in range(200 * steps):
        if len(path) > steps:
            break
        step = changed(rng, path[-1])
        if all(distance(step, earlier) > 1 for earlier in path[:-1]):
            path.append(step)
    return path


def _one_off(one: str, other: str) -> bool:
    return [a == b for a, b in zip(one, other)].count(False) == 1


@lru_cache(maxsize=64)
def breadth_first(start: str, goal: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """A shortest ladder, and the number of words that the search visits."""
    unvisited, before = set(words) - {start}, {start: ""}
    queue = [start]
    for here in queue:
        if here == goal:
            break
        for other in neighbours(here, unvisited):
            unvisited.remove(other)
            before[other] = here
            queue.append(other)
    path, here = [], goal
    while here:
        path.append(here)
        here = before[here]
    return tuple(reversed(path)), queue.index(goal) + 1
