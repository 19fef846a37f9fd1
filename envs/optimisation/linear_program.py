"""Linear programs: an optimum with its dual, or a proof that there is none.

Duality after J. von Neumann (1947) and D. Gale, H. Kuhn and A. Tucker (1951); infeasible programs
are refuted by multipliers after J. Farkas (1902).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Self

from palaestra.generators.optimisation.linear_program import (
    CASES,
    Case,
    Certificate,
    Program,
    Size,
    dot,
    fault,
    is_plain,
    planted,
    raised,
    vertices,
)
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.layout import bare
from palaestra.verifiers.reading.numbers import rationals
from palaestra.verifiers.reading.values import joined

PARTS: Mapping[Case, tuple[str, ...]] = {
    "optimal": ("x", "y"), "infeasible": ("y",), "unbounded": ("x", "d"),
}  # fmt: skip
"""The vectors that prove a case."""


class LinearProgram(Puzzle):
    """Solve a linear program, and prove the solution, or that there is none, by a certificate."""

    tags = {"optimisation", "algebra", "proof"}

    class Knobs(Puzzle.Knobs):
        variables: int = ladder(2, 2, 3, 3, 4, 5, 6, low=2, high=8)
        rows: int = ladder(2, 3, 3, 4, 5, 6, 7, low=2, high=10)
        basis: int = ladder(2, 2, 2, 3, 3, 4, 5, low=2, high=6)  # variables and rows that matter
        halves: bool = ladder(False, False, False, True)

    program: Program
    certificate: Certificate

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(knobs.variables, knobs.rows, knobs.basis, knobs.halves)
        program, certificate = planted(rng, size, rng.choice((*CASES, "optimal")))
        return cls(program=program, certificate=certificate)

    def is_valid(self) -> bool:
        """Whether the objective and each row have a coefficient, and simple answers are wrong."""
        rows = (self.program.objective, *self.program.rows)
        if not all(map(any, rows)) or (len(rows[0]) > 2 and is_plain(self.program)):
            return False
        return not any(self.fault(each) == "" for each in self.simple_certificates().values())

    def canonical(self) -> str:
        return repr(self.program)

    def prompt(self) -> str:
        names = [f"x{n}" for n in range(1, len(self.program.objective) + 1)]
        rows = "\n".join(
            f"{n}: {_sum(row, names)} <= {bound}"
            for n, (row, bound) in enumerate(zip(self.program.rows, self.program.bounds), 1)
        )
        task = self.phrase(
            f"What is the greatest value of {_sum(self.program.objective, names)}, where",
            f"How large can {_sum(self.program.objective, names)} become, where",
        )
        zeros, ones = joined(["0"] * len(names)), joined(["1/2"] * len(self.program.rows))
        return (
            f"{task}\n\n{rows}\n\nand none of {joined(names)} is negative? The values need not be "
            "whole numbers. There are three cases, and each needs a proof:\n"
            "- optimal: there is a greatest value. Give values x of the variables that satisfy all "
            "constraints, and multipliers y of the numbered constraints, none of them negative, "
            "such that in the sum of the constraints times their multipliers no coefficient is "
            "less than that in the objective, and the right side is the value of the objective at "
            "x.\n"
            "- infeasible: no values satisfy all constraints. Give multipliers y, none of them "
            "negative, such that in the sum of the constraints times their multipliers no "
            "coefficient is negative, but the right side is.\n"
            "- unbounded: the objective can become as large as one likes. Give values x that "
            "satisfy all constraints and a direction d: no component of d is negative, no left "
            "side of a constraint grows in the direction d, and the objective does.\n\n"
            "Write the case and the vectors that prove it, with a line for each; numbers are "
            f"integers or fractions. For example:\ncase: optimal\nx: {zeros}\ny: {ones}"
        )

    def scene(self) -> Table:
        """The coefficients, with the objective on top."""
        rows = [(*self.program.objective, ""), *_bounded_rows(self.program)]
        size = len(self.program.objective)
        return Table(
            tuple(tuple(Cell(str(value)) for value in row) for row in rows),
            (*(f"x{n}" for n in range(1, size + 1)), "at most"),
            ("objective", *(str(n) for n in range(1, len(rows)))),
        )

    def answer(self) -> str:
        return as_text(self.certificate)

    def read(self, answer: str) -> Certificate:
        """The certificate of an answer. Raises :class:`InvalidAnswer`."""
        stated = {name.casefold(): value for name, value in labelled(answer, ["case", *"xyd"])}
        named = bare(stated.pop("case", "")).casefold()
        case = next((each for each in CASES if each == named), None)
        if case is None or stated.keys() != {*PARTS[case]}:
            raise InvalidAnswer(
                "expected 'case: optimal' with lines for x and y, 'case: infeasible' with y, or "
                "'case: unbounded' with x and d"
            )
        lengths = {"x": len(self.program.objective), "d": len(self.program.objective)}
        vectors = {
            name: tuple(rationals(text, lengths.get(name, len(self.program.rows))))
            for name, text in stated.items()
        }
        none: tuple[Fraction, ...] = ()
        return Certificate(case, *(vectors.get(name, none) for name in "xyd"))

    def fault(self, certificate: Certificate) -> str:
        """Why a certificate proves nothing; empty if it is right."""
        return fault(self.program, certificate)

    def verify(self, answer: str) -> Score:
        certificate = self.read(answer)
        reason = self.fault(certificate)
        return Score(0, reason) if reason else Score(1)

    def audit(self, answer: str) -> bool | None:
        """Compare the value with that of all vertices, where these are few."""
        program, certificate = self.program, self.read(answer)
        if len(program.objective) > 4:
            return None
        values = [dot(program.objective, x) for x in vertices(program)]
        if certificate.case == "infeasible":
            return not values
        if certificate.case == "optimal":
            value = dot(program.objective, certificate.x)
            return bool(values) and value == max(values) and self.is_bounded(value)
        return bool(values) and not self.is_bounded(max(values))

    def is_bounded(self, value: Fraction) -> bool:
        """Whether no feasible point is better than the best vertex: no vertex is, either, if the
        objective is limited to more than its value there.
        """
        more = int(value) + 2
        limited = Program(
            self.program.objective,
            (*self.program.rows, self.program.objective),
            (*self.program.bounds, more),
        )
        return max(dot(self.program.objective, x) for x in vertices(limited)) <= value

    def difficulty(self) -> float:
        """The number of sets of constraints that may determine a vertex, times their size."""
        size = len(self.program.objective)
        sets = 1.0
        for n in range(size):
            sets *= (size + len(self.program.rows) - n) / (n + 1)
        return sets * (1 + sum(value != 0 for value in (*self.certificate.x, *self.certificate.y)))

    def simple_certificates(self) -> dict[str, Certificate]:
        """What players answer who raise one variable after another, or choose one row."""
        program, size = self.program, len(self.program.objective)
        best = sorted(range(size), key=lambda n: -program.objective[n])
        ones = (Fraction(1),) * len(program.rows)
        points = {
            "zeros": (Fraction(0),) * size,
            "best coefficients first": raised(program, best),
            "in order": raised(program, range(size)),
        }
        chosen = {
            name: Certificate("optimal", x, self.single_multiplier(x)) for name, x in points.items()
        }
        chosen["all rows"] = Certificate("infeasible", y=ones)
        units = [tuple(Fraction(int(i == n)) for i in range(size)) for n in range(size)]
        chosen["best variable alone"] = Certificate(
            "unbounded", points["zeros"], direction=units[best[0]]
        )
        return chosen

    def single_multiplier(self, x: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The multiplier of one constraint that bounds the objective best; others are 0."""
        program, value = self.program, dot(self.program.objective, x)
        rows = len(program.rows)
        for n, (row, bound) in enumerate(zip(program.rows, program.bounds)):
            if bound > 0 and value >= 0:
                scale = value / bound
                if all(scale * a >= c for a, c in zip(row, program.objective)):
                    return tuple(scale if i == n else Fraction(0) for i in range(rows))
        return (Fraction(0),) * rows

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who decide by one variable or one constraint, and one with random numbers."""
        chosen = self.simple_certificates()
        size, rows = len(self.program.objective), len(self.program.rows)
        chosen["random numbers"] = Certificate(
            "optimal",
            tuple(Fraction(rng.randint(0, 3)) for _ in range(size)),
            tuple(Fraction(rng.randint(0, 3)) for _ in range(rows)),
        )
        return {player: as_text(each) for player, each in chosen.items()}


def _bounded_rows(program: Program) -> Iterator[tuple[int, ...]]:
    """The rows with their bounds."""
    return ((*row, bound) for row, bound in zip(program.rows, program.bounds))


def as_text(certificate: Certificate) -> str:
    """A certificate as an answer."""
    vectors = {"x": certificate.x, "y": certificate.y, "d": certificate.direction}
    lines = [f"{name}: {joined(vectors[name])}" for name in PARTS[certificate.case]]
    return "\n".join([f"case: {certificate.case}", *lines])


def _sum(coefficients: Sequence[int], names: Sequence[str]) -> str:
    """A linear form as it is written.

    >>> _sum((2, -1, 0, 1), ("a", "b", "c", "d"))
    '2a - b + d'
    """
    text = ""
    for number, name in zip(coefficients, names):
        if number:
            sign = ("-" if number < 0 else "") if not text else (" - " if number < 0 else " + ")
            text += sign + (name if abs(number) == 1 else f"{abs(number)}{name}")
    return text or "0"
