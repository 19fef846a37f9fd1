"""Bodies on a line whose velocity is constant or changes uniformly, phase by phase."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random
from typing import Literal, NamedTuple

Topic = Literal["first meeting", "first position", "last meeting", "greatest distance", "path"]

DURATIONS = (2, 4, 5, 8, 10)
"""Lengths of phases in s, by which velocities are divided without long decimals."""


class Irrational(Exception):
    """A time that is asked for is no fraction."""


class Phase(NamedTuple):
    """A time in s in which the velocity in m/s changes uniformly from one value to another."""

    duration: int
    first: int
    last: int


class Body(NamedTuple):
    """A name, the position in m at time 0 as a decimal, and phases one after another."""

    name: str
    start: str
    phases: tuple[Phase, ...]

    @property
    def end(self) -> int:
        """The time in s at which the last phase ends."""
        return sum(phase.duration for phase in self.phases)

    def times(self) -> list[int]:
        """The times at which phases begin or end."""
        times = [0]
        for phase in self.phases:
            times.append(times[-1] + phase.duration)
        return times

    def polynomials(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        """The position in each phase as a polynomial of the time in s, its constant first."""
        position, polynomials = Fraction(self.start), list[tuple[Fraction, Fraction, Fraction]]()
        for phase, time in zip(self.phases, self.times()):
            half = Fraction(phase.last - phase.first, 2 * phase.duration)
            slope = phase.first - 2 * half * time
            polynomials.append((position - (slope + half * time) * time, slope, half))
            position += Fraction((phase.first + phase.last) * phase.duration, 2)
        return polynomials


class Question(NamedTuple):
    """What is asked of one or two bodies, by number; a path ends at a time."""

    topic: Topic
    one: int
    other: int = -1
    time: int = 0


def value(bodies: Sequence[Body], question: Question) -> Fraction | None:
    """The time in s or the length in m that a question asks for; None for bodies that never meet.

    Raises :class:`Irrational`.
    """
    one = bodies[question.one]
    if question.topic == "path":
        return path(one, question.time)
    other = bodies[question.other]
    if question.topic == "greatest distance":
        return max(abs(position(one, t) - position(other, t)) for t in turning_points(one, other))
    times = sorted({*meetings(one, other)})
    if not times:
        return None
    if question.topic == "first position":
        return position(one, times[0])
    return times[0] if question.topic == "first meeting" else times[-1]


def pieces(one: Body, other: Body) -> Iterator[tuple[int, int, list[Fraction]]]:
    """The times between which neither body changes its phase, and their difference as a polynomial
    of the time.
    """
    for start, end in pairwise(sorted({*one.times(), *other.times()})):
        both = [
            body.polynomials()[max(n for n, t in enumerate(body.times()[:-1]) if t <= start)]
            for body in (one, other)
        ]
        yield start, end, [a - b for a, b in zip(*both)]


def meetings(one: Body, other: Body) -> Iterator[Fraction]:
    """The times at which two bodies are at the same position.

    Raises :class:`Irrational` for one that is no fraction, or for bodies that stay together.
    """
    for start, end, (constant, slope, half) in pieces(one, other):
        for root in roots(half, slope, constant, start, end):
            if start <= root <= end:
                yield root


def roots(a: Fraction, b: Fraction, c: Fraction, start: int, end: int) -> tuple[Fraction, ...]:
    """The roots of a t² + b t + c, if they are fractions or outside of a span.

    Raises :class:`Irrational` for others, and where all times are roots.
    """
    if not a:
        if not b and not c:
            raise Irrational
        return (-c / b,) if b else ()
    square = b * b - 4 * a * c
    if square < 0:
        return ()
    above, below = isqrt(square.numerator), isqrt(square.denominator)
    if above**2 != square.numerator or below**2 != square.denominator:
        vertex, low, high = -b / (2 * a), Fraction(start), Fraction(end)
        ends = [a * t * t + b * t + c for t in (low, high)]
        inside = low < vertex < high and any(each * a > 0 for each in ends)
        if ends[0] * ends[1] <= 0 or inside:
            raise Irrational
        return ()
    root = Fraction(above, below)
    return tuple((-b + sign * root) / (2 * a) for sign in (1, -1))


def turning_points(one: Body, other: Body) -> Iterator[Fraction]:
    """The times at which the distance of two bodies can be greatest."""
    for start, end, (_, slope, half) in pieces(one, other):
        yield Fraction(start)
        yield Fraction(end)
        if half and start < -slope / (2 * half) < end:
            yield -slope / (2 * half)


def position(body: Body, time: Fraction) -> Fraction:
    """The position of a body in m at a time in s, by the mean velocity of each phase."""
    total = Fraction(body.start)
    for phase, start in zip(body.phases, body.times()):
        spent = min(max(time - start, Fraction(0)), Fraction(phase.duration))
        velocity = phase.first + (phase.last - phase.first) * spent / phase.duration
        total += (phase.first + velocity) * spent / 2
    return total


def path(body: Body, time: int) -> Fraction:
    """The length in m of the path of a body until a time in s, there and back."""
    total = Fraction(0)
    for phase, start in zip(body.phases, body.times()):
        spent = min(max(time - start, 0), phase.duration)
        change = Fraction(phase.last - phase.first, phase.duration)
        velocity = phase.first + change * spent
        if phase.first * velocity < 0:
            turn = -phase.first / change
            total += abs(phase.first * turn) / 2 + abs(velocity * (spent - turn)) / 2
        else:
            total += abs(phase.first + velocity) * spent / 2
    return total


def random_phases(rng: Random, number: int, span: int, accelerated: bool) -> tuple[Phase, ...]:
    """Phases that together take ``span`` s; velocities are multiples of 5 m/s."""
    cuts = sorted(rng.sample(range(1, span // 2), number - 1))
    lengths = [2 * (end - start) for start, end in pairwise([0, *cuts, span // 2])]
    phases, velocity = list[Phase](), 5 * rng.randint(-4, 4)
    for length in lengths:
        following = 5 * rng.choice([n for n in range(-4, 5) if 5 * n != velocity])
        if accelerated and length in DURATIONS and rng.random() < 0.6:
            phases.append(Phase(length, velocity, following))
        else:
            phases.append(Phase(length, following, following))
        velocity = following
    return tuple(phases)


def random_bodies(
    rng: Random, names: Sequence[str], number: int, accelerated: bool
) -> tuple[Body, ...]:
    """Bodies with so many phases, of which each meets the first one in a late phase."""
    span = 4 * number + 2 * rng.randint(2, 4)
    first = Body(
        names[0], str(5 * rng.randint(-20, 20)), random_phases(rng, number, span, accelerated)
    )
    bodies = [first]
    while len(bodies) < len(names):
        phases = random_phases(rng, number, span, accelerated)
        body = Body(names[len(bodies)], "0", phases)
        late = sum(phase.duration for phase in phases[: number // 2])
        time = Fraction(rng.randint(2 * late + 1, 2 * span), 2)
        start = position(first, time) - position(body, time)
        if abs(start - Fraction(first.start)) > 5 and 100 % start.denominator == 0:
            text = (
                str(start.numerator)
                if start.denominator == 1
                else f"{float(start):.2f}".rstrip("0")
            )
            bodies.append(body._replace(start=text))
    return tuple(bodies)
