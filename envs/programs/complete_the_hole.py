"""Filling holes in a program until it does what examples show, after A. Solar-Lezama, "Program
Synthesis by Sketching" (2008).
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Literal, Self

from palaestra.generators.programs.complete_the_hole import (
    BLANK,
    Hole,
    cut,
    first_fillings,
    fits,
    holed,
)
from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.english import (
    SUBSET,
    bounds,
    examples,
    listing,
    nameless,
    shortened,
)
from palaestra.generators.programs.mini_python.parameters import Signature
from palaestra.generators.programs.mini_python.players import literals, pieces
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.generators.programs.mini_python.trials import (
    Trial,
    battery,
    confirmed,
    first_failure,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading import layout


class CompleteTheHole(Puzzle):
    """Fill the holes in a Python function, so that it returns what examples show."""

    version = 3
    tags = {"code", "program-synthesis"}
    answer_type = "code-lines"
    hidden = {"right"}

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 1, 2, 2, 2, 3, 4, low=1, high=6)  # loops one after another
        tier: int = ladder(0, 1, 1, 2, 2, 3, 3)  # 1 with branches, 2 with nesting, 3 with recursion
        holes: int = ladder(1, 1, 1, 1, 2, 2, 3, low=1, high=3)
        size: Literal["part", "whole", "line"] = ladder(
            "part", "part", "part", "whole", "whole", "whole", "line"
        )
        length: int = ladder(4, 5, 5, 6, 6, 7, 8, high=10)  # of the lists and strings it is given
        examples: int = ladder(4, 4, 4, 5, 5, 6, 6, low=3, high=8)  # or more, where it needs more

    source: str
    name: str
    signature: Signature
    blanks: tuple[tuple[int, str], ...]
    right: tuple[str, ...]
    examples: tuple[Trial, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        while True:
            function = program(rng, knobs.idioms, knobs.tier, knobs.length)
            blanks = holed(rng, function, knobs.size, knobs.holes, knobs.examples)
            if blanks is None:
                continue
            cuts, shown = blanks
            return cls(
                source=cut(function.source, cuts), name=function.name, signature=function.signature,
                blanks=tuple((hole.line, hole.blank) for hole in cuts),
                right=tuple(hole.right for hole in cuts), examples=tuple(shown),
            )  # fmt: skip

    def canonical(self) -> str:
        return nameless("\n".join((self.source, *self.right)))

    def filled(self, lines: Iterable[str]) -> str:
        """The program with these lines in the place of those with holes."""
        source = self.source
        for (number, _), line in zip(self.blanks, lines):
            source = replaced(source, number, line)
        return source

    def prompt(self) -> str:
        one = len(self.blanks) == 1
        hole = f"a hole, written {BLANK}" if one else f"{len(self.blanks)} holes, written {BLANK}"
        ask = self.phrase(
            f"This Python program has {hole}. The lines are numbered.",
            f"In this Python program, with its lines numbered, there {'is' if one else 'are'} "
            f"{hole}.",
        )
        *first, last = [str(number) for number, _ in self.blanks]
        lines = f"{', '.join(first)} and {last}" if first else last
        return (
            f"{ask}\n\n{listing(self.source)}\n\nThis is what it should return:\n"
            f"{examples(self.examples)}\n\nFill the {'hole' if one else 'holes'}, so that it "
            "returns the right value for these and for all other arguments within these bounds:\n"
            f"{bounds(self.signature)}\n\nA hole may hold anything that fits on its line, and the "
            f"rest of the line stays as it is. It may use {SUBSET}.\n\nWrite the completed "
            + (
                f"line {lines}, and nothing else, such as 'total += n - 4'."
                if one
                else f"lines {lines}, one under another in this order and without their numbers. "
                "Each looks like 'total += n - 4'."
            )
        )

    def answer(self) -> str:
        return "\n".join(self.right)

    def verify(self, answer: str) -> Score:
        lines = self._lines(answer)
        for (number, blank), line in zip(self.blanks, lines):
            if not fits(blank, line):
                return Score(0, f"more than the hole in line {number} was changed")
        running = compiled(self.filled(lines))
        if failing := first_failure(running, self.examples):
            result = shortened(running.call(failing.call).shown)
            return Score(0, f"{failing.call} gives {result}")
        reference = self.filled(self.right)
        if first_failure(running, battery(reference, self.name, self.signature)):
            return Score(0, "the examples are right, but not all other inputs")
        return Score(1)

    def _lines(self, answer: str) -> list[str]:
        lines = layout.code_lines(answer)
        if len(lines) != len(self.blanks):
            raise InvalidAnswer(f"not {len(self.blanks)} completed lines")
        return lines

    def audit(self, answer: str) -> bool:
        source, reference = self.filled(self._lines(answer)), self.filled(self.right)
        return confirmed(source, reference, self.name, self.signature)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who fill holes with pieces of the program, or with another line of it."""
        numbers = {number for number, _ in self.blanks}
        rows = [
            row.strip()
            for number, row in enumerate(self.source.split("\n"), 1)
            if row.strip() and number not in numbers
        ]
        some = pieces(rows)
        parameters = [parameter.name for parameter in self.signature]
        options = {
            "random piece of the program": some,
            "longest piece of the program": [max(some, key=len)],
            "first parameter": parameters[:1],
            "random literal of the program": literals(self.source) or ["0"],
            "random variable": [piece for piece in some if piece.isidentifier()] or parameters,
        }
        lines = [row for row in rows if not row.endswith(":")]
        return {
            name: "\n".join(
                rng.choice(lines) if blank == BLANK else blank.replace(BLANK, rng.choice(choices))
                for _, blank in self.blanks
            )
            for name, choices in options.items()
        }

    def difficulty(self) -> float:
        missing = sum(map(len, self.right)) - sum(len(blank) for _, blank in self.blanks)
        steps = sum(trial.steps for trial in self.examples) / len(self.examples)
        return steps * (missing + 4 * len(self.blanks))

    def shortcuts(self) -> Iterable[str]:
        """Fillings that need no thought."""
        cuts = [Hole(*blank, right) for blank, right in zip(self.blanks, self.right)]
        return map("\n".join, zip(*(first_fillings(hole)[:2] for hole in cuts)))
