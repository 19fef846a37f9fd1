"""Dyck's language (after Walther von Dyck; Chomsky and Schützenberger, 1963): balanced brackets."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Self

from palaestra.generators.machines.bracket_completion import GAP, completed, ways
from palaestra.generators.machines.brackets import (
    CLOSING,
    OPENING,
    PARTNER,
    balanced,
    judged,
    reduced,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder


class BracketCompletion(Puzzle):
    """Fill the gaps of a row of brackets of several kinds, so that it is balanced."""

    tags = {"formal-languages", "stack"}

    class Knobs(Puzzle.Knobs):
        pairs: int = ladder(5, 7, 9, 11, 13, 16, 20, low=4, high=24)
        kinds: int = ladder(2, 3, 4, 3, 4, 4, 4, low=2, high=4)
        gaps: int = ladder(4, 4, 5, 6, 8, 10, 14, low=3, high=16)
        anywhere: bool = ladder(False, False, False, True)  # or all of them at the end

    row: str
    kinds: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        row = balanced(rng, knobs.pairs, knobs.kinds)
        if knobs.anywhere:
            # At least half of the row is visible, so that tasks differ.
            gaps = set(rng.sample(range(len(row)), min(knobs.gaps, knobs.pairs)))
            row = "".join(GAP if n in gaps else sign for n, sign in enumerate(row))
            return cls(row=row, kinds=knobs.kinds)
        # The longest prefix of a balanced row after which as many brackets are open as wanted.
        depths, depth = [], 0
        for sign in row:
            depth += 1 if sign in OPENING else -1
            depths.append(depth)
        wanted = min(knobs.gaps, max(depths))
        end = max(n for n, depth in enumerate(depths, 1) if depth == wanted)
        return cls(row=row[:end] + GAP * wanted, kinds=knobs.kinds)

    def is_valid(self) -> bool:
        return self.row.count(GAP) > 1 and self.random_baseline() < 0.05

    def canonical(self) -> str:
        names: dict[str, str] = {GAP: GAP}
        for sign in self.row:
            if sign not in names:
                opening = OPENING[(len(names) - 1) // 2]
                pair = opening + PARTNER[opening]
                names |= dict(zip(sign + PARTNER[sign], pair if sign in OPENING else pair[::-1]))
        return "".join(names[sign] for sign in self.row) + str(self.kinds)

    def prompt(self) -> str:
        pairs = ", ".join(f"{a} {b}" for a, b in zip(OPENING[: self.kinds], CLOSING))
        ask = self.phrase(
            f"Fill each gap ({GAP}) of this row with one bracket, so that the row is balanced:",
            f"Each {GAP} in this row stands for one missing bracket. Replace each of them by a "
            "bracket, so that the row is balanced:",
        )
        return (
            f"{ask}\n\n{' '.join(self.row)}\n\nThe kinds of brackets are {pairs}. A row is "
            "balanced if each opening bracket is closed by a later closing bracket of its own "
            "kind, the row between the two is balanced as well, and no bracket is left over. Any "
            "correct way to fill the gaps is accepted. Answer with the whole row, with the gaps "
            f"filled, such as '{' '.join('(' * len(self.row))}' (which is not balanced)."
        )

    def answer(self) -> str:
        return " ".join(completed(self.row))

    def verify(self, answer: str) -> Score:
        row = self.filled(answer)
        changed = (
            n for n, pair in enumerate(zip(self.row, row), 1) if pair[0] not in (GAP, pair[1])
        )
        if position := next(changed, 0):
            return Score(0, f"the bracket at position {position} was changed")
        verdict = judged(row)
        if verdict.position:
            return Score(
                0,
                f"the row is not balanced: {verdict.error} bracket at position {verdict.position}",
            )
        return Score(1)

    def filled(self, answer: str) -> str:
        """The row that an answer states."""
        signs = "".join(answer.replace(",", " ").split())
        known = OPENING[: self.kinds] + CLOSING[: self.kinds]
        if not signs or not all(sign in known for sign in signs):
            raise InvalidAnswer("not a row of these brackets")
        if len(signs) != len(self.row):
            raise InvalidAnswer(f"the row must have {len(self.row)} brackets, not {len(signs)}")
        return signs

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who fill the gaps from left to right: they close what is open, or open a bracket
        wherever the next one does not fit, or choose at random.
        """
        players = {}
        for name, opens in (("close if possible", 0.0), ("open or close", 0.5)):
            players[name] = " ".join(self.filled_in_order(opens, rng))
        return {**players, "random brackets": " ".join(self.filled_in_order(1.0, rng))}

    def filled_in_order(self, opens: float, rng: Random) -> Iterator[str]:
        """The row, its gaps filled one after the other.

        A player opens a random bracket with probability ``opens``, or if nothing is open, and
        otherwise closes the last bracket that is open.
        """
        pairs = dict(zip(OPENING[: self.kinds], CLOSING))
        stack = list[str]()
        for sign in self.row:
            bracket = sign
            if sign == GAP:
                opening = not stack or rng.random() < opens
                bracket = rng.choice([*pairs]) if opening else pairs[stack[-1]]
            yield bracket
            if bracket in pairs:
                stack.append(bracket)
            elif stack:
                stack.pop()

    def audit(self, answer: str) -> bool:
        row = self.filled(answer)
        kept = all(sign in (GAP, other) for sign, other in zip(self.row, row))
        return kept and reduced(row) == ""

    def difficulty(self) -> float:
        return len(self.row) * (1 + self.row.rstrip(GAP).count(GAP))

    def random_baseline(self) -> float:
        return ways(self.row, self.kinds) / float((2 * self.kinds) ** self.row.count(GAP))
