"""Texts that are equal up to a renaming of letters, which cryptanalysts call isomorphs."""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Self

from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.moves import steps
from palaestra.verifiers.reading.nodes import links
from palaestra.verifiers.reading.numbers import integers

Pair = tuple[str, str]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def clashes(pair: Pair) -> list[tuple[int, int]]:
    """The pairs of positions, from 1, at which one text has equal letters and the other has not.

    >>> clashes(("egg", "abc")), clashes(("egg", "add"))
    ([(2, 3)], [])
    """
    one, other = pair
    pairs = combinations(range(len(one)), 2)
    return [(i + 1, j + 1) for i, j in pairs if (one[i] == one[j]) != (other[i] == other[j])]


class IsomorphicStrings(Puzzle):
    """Decide which texts are equal up to a renaming of letters, and prove it either way."""

    tags = {"strings", "proof"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        pairs: int = ladder(2, 3, 3, 4, 5, 6, high=8)
        length: int = ladder(8, 10, 13, 17, 22, 30, low=7, high=40)
        letters: int = ladder(4, 5, 6, 7, 8, 10, low=3, high=20)

    pairs: tuple[Pair, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(pairs=tuple(_pair(rng, knobs) for _ in range(knobs.pairs)))

    def canonical(self) -> str:
        return repr(sorted(tuple(_pattern(text) for text in pair) for pair in self.pairs))

    def prompt(self) -> str:
        listed = "\n".join(f"{n}: {a} and {b}" for n, (a, b) in enumerate(self.pairs, 1))
        task = self.phrase(
            "For each pair of texts, can the first be turned into the second by renaming letters?",
            "Is there, for each of these pairs, a renaming of letters that turns the first text "
            "into the second one?",
        )
        return (
            f"{task} A renaming replaces every occurrence of a letter by the same letter, and "
            "different letters by different letters; a letter may also stay the "
            f"same.\n\n{listed}\n\nWrite one line for each pair, in their order. If there is a "
            "renaming, write each different letter of the first text with the letter that replaces "
            "it, such as 'a-q b-r c-a'. If there is none, write two positions, counted from 1 at "
            "the left, at which one of the two texts has the same letter twice and the other has "
            "two different letters, such as '1 2'; any two such positions are accepted."
        )

    def answer(self) -> str:
        return "\n".join(map(_line, self.pairs))

    def verify(self, answer: str) -> Score:
        lines = steps_of(answer)
        if len(lines) != len(self.pairs):
            raise InvalidAnswer(f"{len(lines)} lines instead of {len(self.pairs)}")
        reasons = [_violation(pair, line) for pair, line in zip(self.pairs, lines)]
        parts = {"progress": reasons.count("") / len(reasons)}
        for number, reason in enumerate(reasons, 1):
            if reason:
                return Score(0, f"line {number}: {reason}", parts)
        return Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Rename the first text, or compare the letters at the two positions."""
        lines = steps_of(answer)
        for (one, other), line in zip(self.pairs, lines):
            if not any(map(str.isdecimal, line)):
                mapping = dict(links(line, LETTERS, "a renaming"))
                if "".join(mapping.get(sign, "?") for sign in one) != other:
                    return False
                if len({*mapping.values()}) != len({*one}) or {*mapping} != {*one}:
                    return False
            else:
                i, j = (n - 1 for n in integers(line, 2))
                if len({one[i], one[j]}) == len({other[i], other[j]}):
                    return False
        return len(lines) == len(self.pairs)

    def difficulty(self) -> float:
        return float(sum(len(one) * len(set(one)) for one, _ in self.pairs))

    def shortcuts(self) -> Iterable[str]:
        size = len(self.pairs[0][0])
        for i, j in ((1, 2), (1, size), (size - 1, size), (2, 5), (3, 4)):
            yield "\n".join([f"{i} {j}"] * len(self.pairs))


def _pair(rng: Random, knobs: IsomorphicStrings.Knobs) -> Pair:
    """A text and a renaming of it, in half of the cases with one letter replaced by another."""
    one = "".join(rng.choices(rng.sample(LETTERS, knobs.letters), k=knobs.length))
    alphabet = sorted(set(one))
    names = rng.sample(LETTERS, len(alphabet))
    other = one.translate(str.maketrans("".join(alphabet), "".join(names)))
    if rng.random() < 0.5:
        n = rng.randrange(len(other))
        rest = [name for name in names if name != other[n]] or [LETTERS[0], LETTERS[1]]
        other = other[:n] + rng.choice(rest) + other[n + 1 :]
    return one, other


def _pattern(text: str) -> tuple[int, ...]:
    return tuple(text.index(sign) for sign in text)


def _line(pair: Pair) -> str:
    if clash := clashes(pair):
        return "{} {}".format(*clash[0])
    return " ".join(f"{a}-{b}" for a, b in dict.fromkeys(zip(*pair)))


def steps_of(answer: str) -> list[str]:
    r"""The lines of an answer, without their numbers.

    >>> steps_of("1: a-b\n2 3")
    ['a-b', '2 3']
    """
    return [line.strip() for line in steps(answer.casefold())]


def _violation(pair: Pair, line: str) -> str:
    """What is wrong with the line for a pair, or ""."""
    one, other = pair
    if any(map(str.isdecimal, line)):
        i, j = integers(line, 2, "a renaming such as 'a-q b-r' or two positions such as '1 2'")
        if not (1 <= i <= len(one) and 1 <= j <= len(one)):
            return "there is no such position"
        same = (one[i - 1] == one[j - 1]) == (other[i - 1] == other[j - 1])
        return "these two positions do not rule out a renaming" if same else ""
    names = links(line, LETTERS, "a renaming such as 'a-q b-r' or two positions such as '1 2'")
    mapping = dict(names)
    if len(mapping) < len(names) or set(mapping) != set(one):
        return "not every letter of the first text is renamed exactly once"
    if len(set(mapping.values())) < len(mapping):
        return "two letters are renamed to the same letter"
    renamed = "".join(mapping[sign] for sign in one)
    return "" if renamed == other else "the renaming does not give the second text"
