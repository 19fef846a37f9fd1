"""Conversion of units: the BIPM's SI brochure, 9th edition (2019), has the rules for real ones."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.generators.physics.unit_conversion import (
    REAL,
    Definition,
    FixedPoints,
    Form,
    Powers,
    Question,
    System,
    as_decimal,
    as_text,
    last_place,
    line,
    random_amount,
    random_definitions,
    random_scales,
    random_temperature,
    real_definitions,
    rounded,
    step_by_step,
)
from palaestra.generators.vocabulary import words
from palaestra.scenes import Edge, Graph, Node
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines, exact
from palaestra.verifiers.reading.labels import matched, numbered
from palaestra.verifiers.reading.numbers import rational

DEGREES = ("degrees", "degree", "\u00b0")
"""Names of degrees, with or without that of the scale behind them."""


class UnitConversion(Puzzle):
    """Convert quantities between invented and real units, compound ones and scales with offsets."""

    tags = {"physics", "units", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        questions: int = ladder(1, 1, 2, 2, 2, 3, 4, high=6)
        dimensions: int = ladder(1, 1, 2, 2, 3, 3, 3, high=3)
        units: int = ladder(3, 4, 4, 5, 5, 6, 7, low=3, high=9)  # invented ones of a dimension
        steps: int = ladder(1, 2, 2, 3, 3, 4, 5, high=8)  # definitions between two units, at least
        power: int = ladder(1, 1, 1, 2, 2, 3, 3, high=4)
        scales: int = ladder(0, 0, 0, 3, 3, 4, 5, high=6)  # of temperature; one alone is none
        number: int = ladder(9, 9, 12, 12, 15, 15, 19, low=5, high=40)  # of a definition, at most
        fractions: Literal["no", "yes"] = ladder("no", "yes")
        real: Literal["no", "yes"] = ladder("no", "no", "no", "yes")
        rounding: Literal["no", "yes"] = ladder("no", "no", "no", "no", "yes")

    definitions: tuple[Definition, ...]
    scales: tuple[FixedPoints, ...]
    questions: tuple[Question, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        names = iter(words(rng, knobs.dimensions * knobs.units + knobs.scales, 4, 6))
        sorts, definitions = list[list[str]](), list[Definition]()
        for real in rng.sample(REAL, knobs.dimensions):
            sort = [next(names) for _ in range(knobs.units)]
            definitions += random_definitions(rng, sort, knobs.number, knobs.fractions == "yes")
            if knobs.real == "yes":
                one, other = rng.sample(range(2, knobs.number + 1), 2)
                link = Definition(str(one), sort[0], str(other), rng.choice(real))
                definitions += [*real_definitions(real), link]
                sort += real
            sorts.append(sort)
        on_scale = [*names]
        scales = random_scales(rng, on_scale)
        rng.shuffle(definitions)
        rng.shuffle(scales)
        system = System(tuple(definitions), tuple(scales))
        form = Form(knobs.steps, knobs.power, knobs.fractions == "no", knobs.rounding == "yes")
        questions = [
            random_temperature(rng, system, on_scale, form)
            if scales and n % 2 == 1
            else random_amount(rng, system, sorts, on_scale, form)
            for n in range(knobs.questions)
        ]
        rng.shuffle(questions)
        return cls(definitions=system.definitions, scales=system.scales, questions=tuple(questions))

    def is_valid(self) -> bool:
        """Whether all values differ from the stated ones, and rounding them is no tie."""
        return all(
            value not in {0, question.value}
            and max(abs(value.numerator), value.denominator) < 10**18
            and not (
                question.digits and (value / last_place(value, question.digits) * 2).denominator < 2
            )
            for question, value in zip(self.questions, self.values())
        )

    @property
    def system(self) -> System:
        """The definitions of units and scales."""
        return System(self.definitions, self.scales)

    def values(self) -> list[Fraction]:
        """The exact value of each question."""
        return [self.system.value(question) for question in self.questions]

    def canonical(self) -> str:
        names = dict[str, str]()
        for link in self.system.links():
            for name in (link.one, link.other):
                names.setdefault(name, str(len(names)))

        def numbers(powers: Powers) -> list[tuple[str, int]]:
            return sorted((names[name], power) for name, power in powers)

        links = sorted(
            str(link._replace(one=names[link.one], other=names[link.other]))
            for link in self.system.links()
        )
        questions = sorted(
            str((q.topic, q.value, numbers(q.source), numbers(q.target), q.digits))
            for q in self.questions
        )
        return f"{links} {questions}"

    def prompt(self) -> str:
        facts = [f"{d.amount} {d.one} = {d.other_amount} {d.other}" for d in self.definitions]
        facts += [
            f"{link.low[0]} degrees {link.one} are {link.low[1]} degrees {link.other}, and "
            f"{link.high[0]} degrees {link.one} are {link.high[1]} degrees {link.other}"
            for link in self.scales
        ]
        intro = self.phrase(
            "These definitions link units of measurement to one another:",
            "In a far country, quantities are measured in these units:",
        )
        ask = self.phrase("Convert:", "State these in the other units:")
        questions = numbered(map(self.ask, self.questions))
        listed = "\n".join(facts)
        parts = [f"{intro}\n{listed}", self.notes(), f"{ask}\n{questions}", self.form()]
        return "\n\n".join(filter(None, parts))

    def notes(self) -> str:
        """What powers and degrees mean, as far as they occur."""
        notes = list[str]()
        if any(power != 1 or len(q.source) > 1 for q in self.questions for _, power in q.source):
            notes.append(
                "A power such as x^2 or x^-1 is written behind its unit, and units side by side "
                "are multiplied: x^2 y^-1 is a square x for each y."
            )
        if self.scales:
            notes.append(
                "All scales of temperature are linear: equal differences on one are equal "
                "differences on any other. In compound units and in the uncertainty behind ±, a "
                "degree is a difference of temperature."
            )
        return " ".join(notes)

    def form(self) -> str:
        """How answers are written."""
        rule = "Give the exact value as a whole number, a fraction in any form or a finite decimal"
        if any(question.digits for question in self.questions):
            rule += (
                ", unless a number of significant digits is stated, to which you round the value: "
                "0.02693 and 2.693e-2 have four of them"
            )
        if len(self.questions) == 1:
            return f"{rule}. Answer with the value alone, such as '35/4'."
        return (
            f"{rule}. Answer with one line for each, with its number and the value, such as:\n"
            "1: 35/4\n2: 120"
        )

    def ask(self, question: Question) -> str:
        """A question in words."""
        source, target, value = as_text(question.source), as_text(question.target), question.value
        text = {
            "amount": f"{value} {source} in {target}",
            "reading": f"a temperature of {value} degrees {source}, in degrees {target}",
            "difference": f"a rise of temperature by {value} degrees {source}, in degrees {target}",
            "uncertainty": f"the uncertainty of a temperature of {10 * value} ± {value} degrees "
            f"{source}, in degrees {target}",
        }[question.topic]
        return f"{text}, to {question.digits} significant digits" if question.digits else text

    def scene(self) -> Graph:
        """Units, joined by their definitions; those of the questions are marked."""
        links = self.system.links()
        names = list(dict.fromkeys(name for link in links for name in (link.one, link.other)))
        marked = {name for q in self.questions for name, _ in (*q.source, *q.target)}
        return Graph(
            tuple(Node(name, tone="accent" if name in marked else "paper") for name in names),
            tuple(Edge(names.index(link.one), names.index(link.other)) for link in links),
        )

    def answer(self) -> str:
        return self.written(
            as_decimal(value) if question.digits else str(value)
            for question, value in zip(self.questions, self.right(self.values()))
        )

    def right(self, values: Iterable[Fraction]) -> list[Fraction]:
        """Exact values, rounded where that is asked for."""
        return [
            rounded(value, question.digits) if question.digits else value
            for question, value in zip(self.questions, values)
        ]

    def written(self, values: Iterable[object]) -> str:
        """One line for each value, with its number if there are several."""
        texts = [*values]
        return numbered(texts) if len(texts) > 1 else str(texts[0])

    def read(self, answer: str) -> list[Fraction]:
        """The values that an answer states."""
        number = len(self.questions)
        lines = answer_lines(answer, number) if number > 1 else [answer]
        values = list[Fraction]()
        for text, question in zip(lines, self.questions):
            target = as_text(question.target)
            value = text.strip().lstrip("\u2248~ ") if question.digits else exact(text)
            units = [target, *(f"{each} {target}" for each in DEGREES), *DEGREES]
            values.append(rational(value, units=units))
        return values

    def verify(self, answer: str) -> Score:
        right = self.right(self.values())
        return matched(dict(enumerate(self.read(answer))), dict(enumerate(right)))

    def audit(self, answer: str) -> bool:
        """Convert step by step along the definitions."""
        values = [step_by_step(self.system, question) for question in self.questions]
        return self.read(answer) == self.right(values)

    def difficulty(self) -> float:
        """Multiplications along all definitions, and an addition for each scale that is read."""
        system = self.system
        return float(
            sum(
                len(system.path(start, end)) * (abs(power) + (question.topic == "reading"))
                for question in self.questions
                for (start, power), (end, _) in zip(question.source, question.target)
            )
        )

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who convert nothing, the wrong way round, or by one definition."""
        values = list(zip(self.questions, self.values()))
        return {
            "unchanged": self.written(question.value for question, _ in values),
            "inverse": self.written(question.value**2 / value for question, value in values),
            "one definition": self.written(self.by_one_definition(q) for q, _ in values),
        }

    def by_one_definition(self, question: Question) -> Fraction:
        """The value converted by the first definition that names its unit."""
        name = question.source[0][0]
        link = next(each for each in self.system.links() if name in {each.one, each.other})
        slope, shift = line(link)
        value = Fraction(question.value)
        return value * slope + shift if link.one == name else (value - shift) / slope

    def shortcuts(self) -> list[str]:
        players = self.baselines(Random(0))
        return [players["unchanged"], players["inverse"]]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(number=5)

    def candidates(self) -> Iterable[str]:
        """All whole numbers that two definitions can lead to."""
        return map(str, range(1, 99 * 25 + 1))
