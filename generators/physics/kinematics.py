"""Bodies on a line whose velocity is constant or changes uniformly, phase by phase."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random
from typing import Literal, NamedTuple

Topic = Literal["first meeting", "first position", "last meeting", "greatest distance", "path"]

Span = tuple[int, int, list[Fraction]]
"""Two times in s, and a polynomial of the time that holds between them, its constant first."""

MISLEADING: tuple[Topic, ...] = ("last meeting", "greatest distance", "path")
"""Topics of which the ends of phases do not tell the value, where bodies are accelerated."""

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


def pieces(one: Body, other: Body) -> Iterator[Span]:
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
    for span in pieces(one, other):
        yield Fraction(span[0])
        yield Fraction(span[1])
        yield from _vertices(span)


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


def by_ends(bodies: Sequence[Body], question: Question) -> Fraction | None:
    """What a question leads to if bodies are looked at where phases begin and end only, and the
    last meeting is taken for the first one.

    Raises :class:`Irrational`.
    """
    one, topic = bodies[question.one], question.topic
    if topic == "path":
        times = [*(t for t in one.times() if t < question.time), question.time]
        positions = [position(one, Fraction(time)) for time in times]
        return sum((abs(b - a) for a, b in pairwise(positions)), Fraction(0))
    other = bodies[question.other]
    if topic == "greatest distance":
        ends = map(Fraction, {*one.times(), *other.times()})
        return max(abs(position(one, t) - position(other, t)) for t in ends)
    return value(
        bodies, question._replace(topic="first meeting") if topic == "last meeting" else question
    )


def random_phases(rng: Random, number: int, span: int, accelerated: bool) -> tuple[Phase, ...]:
    """Phases that together take ``span`` s; velocities are multiples of 5 m/s.

    If they are accelerated, a body turns round within one of them.
    """
    cuts = sorted(rng.sample(range(1, span // 2), number - 1))
    lengths = [2 * (end - start) for start, end in pairwise([0, *cuts, span // 2])]
    usable = [n for n, length in enumerate(lengths) if length in DURATIONS]
    turn = rng.choice(usable) if accelerated and usable else -1
    phases, velocity = list[Phase](), 5 * rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))
    for n, length in enumerate(lengths):
        steps = [step for step in range(-4, 5) if 5 * step != velocity]
        if n == turn:
            steps = [step for step in steps if step * velocity < 0]
        elif n == turn - 1:
            steps = [step for step in steps if step]
        following = 5 * rng.choice(steps)
        if n == turn or (accelerated and n in usable and rng.random() < 0.6):
            phases.append(Phase(length, velocity, following))
        else:
            phases.append(Phase(length, following, following))
        velocity = following
    return tuple(phases)


class Aim(NamedTuple):
    """The number of an earlier body, and what is to be planted between that and a new one."""

    near: int
    topics: tuple[Topic, ...]


TRIES = 60
"""Motions that are tried for a body; the last one is taken as it is."""


def random_bodies(
    rng: Random, names: Sequence[str], number: int, accelerated: bool, aims: Sequence[Aim]
) -> tuple[Body, ...]:
    """Bodies with so many phases, of which each but the first meets another in a late phase.

    An aim for each body but the first has the topics of questions about the two: for a last
    meeting there is an earlier one as well; a greatest distance is, if they are accelerated, inside
    a phase of both.
    """
    span = 4 * number + 2 * rng.randint(2, 4)
    first = Body(
        names[0], str(5 * rng.randint(-20, 20)), random_phases(rng, number, span, accelerated)
    )
    bodies = [first]
    for name, aim in zip(names[1:], aims, strict=True):
        for _ in range(TRIES):
            phases = random_phases(rng, number, span, accelerated)
            body = Body(name, "0", phases)
            start = _start(rng, bodies[aim.near], body, aim.topics, accelerated)
            if start is not None:
                body = body._replace(start=_decimal(start))
                break
        bodies.append(body)
    return tuple(bodies)


def _start(
    rng: Random, near: Body, body: Body, topics: Sequence[Topic], accelerated: bool
) -> Fraction | None:
    """A position from which a body meets another one as the topics want it; None if there is none.

    The distance of the two over time is the same for all starts but for a constant. So a meeting
    at any time is had by the choice of the start, and one with an earlier meeting where the
    distance has the same value twice; and the distance that is greatest is the highest or the
    lowest one of that shape.
    """
    spans = [*pieces(near, body)]
    late = sum(phase.duration for phase in body.phases[: len(body.phases) // 2])
    times = [Fraction(n, 2) for n in range(2 * late + 1, 2 * body.end + 1)]
    rng.shuffle(times)
    ends = [gap(span, Fraction(t)) for span in spans for t in span[:2]]
    inner = [gap(span, t) for span in spans for t in _vertices(span)]
    for time in times:
        start = position(near, time) - position(body, time)
        if abs(start - Fraction(near.start)) <= 5 or 100 % start.denominator:
            continue
        if "greatest distance" in topics and accelerated:
            longest = max(abs(each - start) for each in ends)
            if not any(abs(each - start) > longest for each in inner):
                continue
        if {*topics} <= {"greatest distance"} or _suits(spans, start, "last meeting" in topics):
            return start
    return None


def _suits(spans: Sequence[Span], start: Fraction, several: bool) -> bool:
    """Whether two bodies meet at fractions of a second, several times if that is wanted."""
    times = set[Fraction]()
    try:
        for first, last, (constant, slope, half) in spans:
            for root in roots(half, slope, constant - start, first, last):
                if first <= root <= last:
                    times.add(root)
    except Irrational:
        return False
    return len(times) > several


def gap(span: Span, time: Fraction) -> Fraction:
    """The value of the polynomial of a span at a time."""
    constant, slope, half = span[2]
    return constant + (slope + half * time) * time


def _vertices(span: Span) -> Iterator[Fraction]:
    """The time inside a span at which its polynomial turns round, if there is one."""
    start, end, (_, slope, half) = span
    if half and start < -slope / (2 * half) < end:
        yield -slope / (2 * half)


def _decimal(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    return f"{float(number):.2f}".rstrip("0")


def random_topics(
    rng: Random, among: Sequence[Topic], number: int, accelerated: bool
) -> list[Topic]:
    """Topics of questions; those that the ends of phases mislead about come first, if any do."""
    topics = rng.sample(among, len(among))
    if accelerated:
        topics.sort(key=lambda topic: topic not in MISLEADING)
    return [topics[n % len(topics)] for n in range(number)]


def random_question(
    rng: Random, bodies: Sequence[Body], topic: Topic, pair: tuple[int, int]
) -> Question:
    """A question about a pair of bodies, or about the path of any body.

    Within the path, the body turns round, if one of the bodies does so.
    """
    if topic != "path":
        return Question(topic, *sorted(pair))
    question = Question(topic, 0)
    for _ in range(TRIES):
        one = rng.randrange(len(bodies))
        question = Question(topic, one, time=rng.randint(bodies[one].end // 2, bodies[one].end))
        if by_ends(bodies, question) != path(bodies[one], question.time):
            break
    return question
