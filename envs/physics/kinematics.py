"""Motion on a line: Galileo Galilei, "Two New Sciences" (1638), has the laws of uniform change."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Literal, Self

from palaestra.generators.people import NAMES
from palaestra.generators.physics.kinematics import (
    MISLEADING,
    Aim,
    Body,
    Irrational,
    Phase,
    Question,
    Topic,
    by_ends,
    path,
    position,
    random_bodies,
    random_question,
    random_topics,
    value,
)
from palaestra.scenes import Bar, Timeline
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.quantities.measures import measured
from palaestra.verifiers.quantities.quantity import Quantity
from palaestra.verifiers.quantities.units import unit
from palaestra.verifiers.reading.answer_lines import answer_lines, exact
from palaestra.verifiers.reading.labels import matched, numbered

TOPICS: dict[str, tuple[Topic, ...]] = {
    "meetings": ("first meeting",),
    "some": ("first meeting", "first position", "path"),
    "all": ("first meeting", "first position", "last meeting", "greatest distance", "path"),
}

DRAWS = 20
"""Questions that are tried for each; two bodies have few of them."""

PLANTED = 0.85
"""How often a topic has what misleads; in the others, everything has to be looked at as well."""

GRID = 16
"""Parts of a second that the audit looks at."""


class Kinematics(Puzzle):
    """State when and where bodies meet, and how far they move, phase by phase."""

    tags = {"physics", "motion", "fractions", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        bodies: int = ladder(2, 2, 2, 3, 3, 4, 4, low=2, high=6)
        phases: int = ladder(1, 2, 3, 3, 4, 5, 6, high=8)  # of a body
        questions: int = ladder(1, 1, 2, 2, 3, 3, 4, high=6)
        topics: Literal["meetings", "some", "all"] = ladder("meetings", "some", "all")
        acceleration: Literal["no", "yes"] = ladder("no", "no", "no", "yes")
        units: Literal["m/s", "mixed"] = ladder("m/s", "m/s", "m/s", "mixed")

    bodies: tuple[Body, ...]
    questions: tuple[Question, ...]
    mixed: bool
    """Whether velocities are stated in several units, and answers have to state their unit."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        names = rng.sample(NAMES, knobs.bodies)
        accelerated = knobs.acceleration == "yes"
        topics = random_topics(rng, TOPICS[knobs.topics], knobs.questions, accelerated)
        # Questions about two bodies are dealt out to the bodies after the first one.
        owners = {
            topic: n % (knobs.bodies - 1) + 1 for n, topic in enumerate(dict.fromkeys(topics))
        }
        aims = [
            Aim(rng.randrange(n), _planted(rng, [t for t in owners if owners[t] == n]))
            for n in range(1, knobs.bodies)
        ]
        bodies = random_bodies(rng, names, knobs.phases, accelerated, aims)
        questions = list[Question]()
        for topic in topics:
            pair = (aims[owners[topic] - 1].near, owners[topic])
            question = random_question(rng, bodies, topic, pair)
            for _ in range(DRAWS):
                if question not in questions:
                    questions.append(question)
                    break
                one, other = rng.sample(range(knobs.bodies), 2)
                question = random_question(rng, bodies, topic, (one, other))
        rng.shuffle(questions)
        return cls(bodies=bodies, questions=tuple(questions), mixed=knobs.units == "mixed")

    def is_valid(self) -> bool:
        """Whether all values are fractions, and those of the first phases alone are others."""
        try:
            values = self.values()
        except Irrational:
            return False
        if any(not each or max(abs(each.numerator), each.denominator) > 10**6 for each in values):
            return False
        if self.misled() < min(len(self.questions) + 1, 4) // 2:
            return False
        if max(len(body.phases) for body in self.bodies) == 1:
            return True
        return all(
            self.by_first_phase(question) != each
            for question, each in zip(self.questions, values)
            if each is not None
        )

    def misled(self) -> int:
        """How many topics a look at the ends of phases misleads about; 4 where it never does."""
        mobile = any(phase.first != phase.last for body in self.bodies for phase in body.phases)
        if not mobile or not any(each.topic in MISLEADING for each in self.questions):
            return 4
        values = zip(self.questions, self.values())
        return len({q.topic for q, each in values if by_ends(self.bodies, q) != each})

    def values(self) -> list[Fraction | None]:
        """The value of each question; None for bodies that do not meet."""
        return [value(self.bodies, question) for question in self.questions]

    def unit_of(self, question: Question) -> str:
        """The unit of the answer to a question."""
        return "s" if question.topic in {"first meeting", "last meeting"} else "m"

    def canonical(self) -> str:
        return f"{[body[1:] for body in self.bodies]} {sorted(self.questions)}"

    def prompt(self) -> str:
        end = self.bodies[0].end
        motions = "\n".join(map(self.motion, self.bodies))
        intro = self.phrase(
            f"Vehicles move on a straight line from time 0 s to time {end} s. Positions and "
            "velocities are positive to the right and negative to the left.",
            f"On a straight track, with positions and velocities that count to the right, vehicles "
            f"move for {end} s.",
        )
        names = ", ".join(body.name for body in self.bodies[:-1]) + f" and {self.bodies[-1].name}"
        ask = self.phrase("Answer exactly:", "Compute these values exactly:")
        questions = numbered(map(self.ask, self.questions))
        example = {"s": "19/3 s", "m": "70.5 m"}
        lines = [f"{n}: {example[self.unit_of(q)]}" for n, q in enumerate(self.questions, 1)]
        form = (
            "Answer with one line for each, with its number, the value and its unit, such as:\n"
            + "\n".join(lines[:2])
        )
        return (
            f"{intro} A vehicle changes its velocity at once where nothing else is stated, and "
            "uniformly where it accelerates. Vehicles pass each other without touching. The "
            f"drivers are {names}.\n\n{motions}\n\n{ask}\n{questions}\n\nGive each value as a "
            f"whole number, a fraction or a finite decimal, without rounding. {form}"
        )

    def motion(self, body: Body) -> str:
        """The phases of a body in words."""
        phases = "; then ".join(self.phase(n, each) for n, each in enumerate(body.phases))
        return f"{body.name} starts at {body.start} m and {phases}."

    def phase(self, number: int, phase: Phase) -> str:
        """A phase in words."""
        if phase.first == phase.last == 0:
            return f"stands still for {phase.duration} s"
        first, last = (self.velocity(each, number) for each in (phase.first, phase.last))
        if phase.first == phase.last:
            return f"moves at {first} for {phase.duration} s"
        return f"accelerates uniformly from {first} to {last} within {phase.duration} s"

    def velocity(self, velocity: int, number: int) -> str:
        """A velocity in one of two units, which depends on the number of the phase."""
        if self.mixed and (velocity // 5 + number) % 2:
            return f"{velocity * 18 // 5} km/h"
        return f"{velocity} m/s"

    def ask(self, question: Question) -> str:
        """A question in words."""
        one, other = (self.bodies[n].name for n in (question.one, question.other))
        end = self.bodies[0].end
        return {
            "first meeting": f"At which time are {one} and {other} at the same position for the "
            "first time?",
            "first position": f"At which position are {one} and {other} when they are at the same "
            "position for the first time?",
            "last meeting": f"At which time, up to {end} s, are {one} and {other} at the same "
            "position for the last time?",
            "greatest distance": f"What is the greatest distance between {one} and {other} from "
            f"time 0 s to {end} s?",
            "path": f"How long is the path of {one} from time 0 s to {question.time} s, with all "
            "ways there and back?",
        }[question.topic]

    def scene(self) -> Timeline:
        """The phases of each vehicle over time."""
        rows = tuple(
            tuple(
                Bar(start, start + phase.duration, f"{phase.first}..{phase.last} m/s")
                for phase, start in zip(body.phases, body.times())
            )
            for body in self.bodies
        )
        return Timeline(rows, tuple(body.name for body in self.bodies))

    def written(self, values: Mapping[int, object]) -> str:
        """One line for each value with its unit."""
        return numbered(
            f"{values[n]} {self.unit_of(question)}" for n, question in enumerate(self.questions)
        )

    def answer(self) -> str:
        return self.written(dict(enumerate(self.values())))

    def read(self, answer: str) -> list[str]:
        """The value of each question as text, with its unit."""
        return [*map(exact, answer_lines(answer, len(self.questions)))]

    def verify(self, answer: str) -> Score:
        texts = self.read(answer)
        golds = [f"{each} {self.unit_of(q)}" for q, each in zip(self.questions, self.values())]
        scores = [
            Quantity(gold, unit_required=self.mixed).verify(text)
            for gold, text in zip(golds, texts)
        ]
        for number, score in enumerate(scores, 1):
            if score.reason.startswith(("the unit", "not a unit")):
                return Score(0, f"{score.reason} in answer {number}")
        return matched(
            {n: each.correct for n, each in enumerate(scores)},
            dict.fromkeys(range(len(scores)), True),
        )

    def audit(self, answer: str) -> bool:
        """Follow the bodies in small steps of time, by the mean velocity of each phase."""
        for question, text in zip(self.questions, self.read(answer)):
            asked_unit = unit(self.unit_of(question))
            quantity = measured(text, asked_unit)
            stated = quantity.value
            if quantity.unit and asked_unit:
                stated = quantity.unit.convert(stated, asked_unit)
            if not self.is_followed(question, stated):
                return False
        return True

    def is_followed(self, question: Question, stated: Fraction) -> bool:
        """Whether a value agrees with what is seen at many times."""
        one, other = self.bodies[question.one], self.bodies[question.other]
        times = [Fraction(n, GRID) for n in range(one.end * GRID + 1)]
        if question.topic == "path":
            points = [position(one, t) for t in times if t <= question.time]
            walked = sum(abs(b - a) for a, b in pairwise(points))
            return 0 <= stated - walked <= 2 and stated == path(one, question.time)
        gaps = [position(one, t) - position(other, t) for t in times]
        if question.topic == "greatest distance":
            return 0 <= stated - max(map(abs, gaps)) <= 2
        if question.topic == "first position":
            meeting = value(self.bodies, question._replace(topic="first meeting"))
            return meeting is not None and position(other, meeting) == stated
        if not 0 <= stated <= one.end or position(one, stated) != position(other, stated):
            return False
        first = question.topic == "first meeting"
        rest = [gap for t, gap in zip(times, gaps) if (t < stated if first else t > stated)]
        return all(gap > 0 for gap in rest) or all(gap < 0 for gap in rest)

    def difficulty(self) -> float:
        """The phases in which a question has to be looked at, twice for accelerated ones."""
        phases = [
            sum(1 + (phase.first != phase.last) for phase in body.phases) for body in self.bodies
        ]
        return float(
            sum(
                phases[q.one] + (phases[q.other] if q.topic != "path" else 0)
                for q in self.questions
            )
        )

    def by_first_phase(self, question: Question) -> Fraction:
        """The value if the first velocities of both bodies held all the time."""
        one, other = self.bodies[question.one], self.bodies[question.other]
        end = Fraction(one.end)
        velocity, second = Fraction(one.phases[0].first), Fraction(other.phases[0].first)
        gap = Fraction(other.start) - Fraction(one.start)
        if question.topic == "path":
            return abs(velocity) * question.time
        if question.topic == "greatest distance":
            return max(abs(gap), abs(gap + (second - velocity) * end))
        time = gap / (velocity - second) if velocity != second else end
        return time if question.topic != "first position" else velocity * time + Fraction(one.start)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who see the first phases only, the end only, or the ends of phases."""
        first = {n: self.by_first_phase(question) for n, question in enumerate(self.questions)}
        ends = dict[int, Fraction]()
        for n, question in enumerate(self.questions):
            one, other = self.bodies[question.one], self.bodies[question.other]
            time = Fraction(one.end)
            ends[n] = {
                "path": abs(position(one, Fraction(question.time)) - Fraction(one.start)),
                "greatest distance": abs(position(one, time) - position(other, time)),
                "first position": Fraction(0),
            }.get(question.topic, Fraction(one.phases[0].duration))
        by_phases = {n: by_ends(self.bodies, each) for n, each in enumerate(self.questions)}
        players = {"ends": self.written(ends), "ends of phases": self.written(by_phases)}
        if max(len(body.phases) for body in self.bodies) > 1:
            players["first phases"] = self.written(first)
        return players

    def shortcuts(self) -> list[str]:
        players = self.baselines(Random(0))
        return [players[name] for name in ("first phases",) if name in players]


def _planted(rng: Random, topics: Iterable[Topic]) -> tuple[Topic, ...]:
    """Topics, of which some ask for nothing that misleads."""
    return tuple(
        topic if rng.random() < PLANTED else "first meeting" for topic in topics if topic != "path"
    )
