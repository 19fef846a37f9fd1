"""A desk with agendas, rooms and bookings of meetings; times are in half-hours."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import NamedTuple, TypeVar

from palaestra.scenes import Bar, Panels, Timeline
from palaestra.task import InvalidAnswer, Turn
from palaestra.toolbox import World, tool

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri")
OPENS = 8
DAY = 20
"""The half-hours of a day, from 08:00 to 18:00; they are numbered through the week."""
TREES = (
    "Alder", "Ash", "Bay", "Beech", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Holly", "Larch",
    "Lime", "Maple", "Oak", "Pine", "Rowan",
)  # fmt: skip
"""Names of rooms."""

LABELLED = 3
"""How many half-hours a bar has at least that has a text."""

Spans = tuple[tuple[int, int], ...]
"""Spans of half-hours within days: the first one of each, and the one after the last."""

Thing = TypeVar("Thing")


class Person(NamedTuple):
    """The daily working hours and the busy times of a person, in desk time."""

    ahead: int
    """The hours by which their clock is ahead of the desk's."""
    works: tuple[int, int]
    busy: Spans


class Room(NamedTuple):
    """A room: its capacity, its name, and the times when it is taken."""

    holds: int
    name: str
    taken: Spans


def clock(halves: int, ahead: int = 0) -> str:
    """The time after a number of half-hours from the opening of the desk.

    >>> clock(3), clock(20), clock(0, ahead=-1)
    ('09:30', '18:00', '07:00')
    """
    return f"{OPENS + halves // 2 + ahead:02}:{30 * (halves % 2):02}"


def listed(spans: Spans, ahead: int = 0) -> str:
    """Spans in words.

    >>> listed(((0, 2), (25, 26)))
    'Mon 08:00-09:00, Tue 10:30-11:00'
    """

    def as_text(start: int, end: int) -> str:
        day, begin = divmod(start, DAY)
        return f"{DAYS[day]} {clock(begin, ahead)}-{clock(begin + end - start, ahead)}"

    return ", ".join(as_text(*span) for span in spans) or "never"


class Desk(World):
    """The agendas, the rooms and the booking of a meeting of some half-hours."""

    def __init__(
        self, people: Mapping[str, Person], rooms: Iterable[Room], days: int, length: int
    ) -> None:
        self.people, self.days, self.length = people, days, length
        self.rooms = {room.name: room for room in rooms}
        self.booked: tuple[int, str] | None = None
        self.seen: set[str] = set()

    @tool
    def agenda(self, person: str) -> str:
        """Give a person's daily working hours and busy times, by their own clock."""
        ahead, works, busy = _known(self.people, person)
        self.seen.add(person)
        zone = f", whose clock shows desk time {ahead:+} h," if ahead else ""
        hours = "-".join(clock(end, ahead) for end in works)
        return f"{person}{zone} works {hours} and is busy: {listed(busy, ahead)}."

    @tool
    def list_rooms(self) -> str:
        """List the rooms and the number of people that each one holds."""
        self.seen.add("rooms")
        return ", ".join(f"{name} holds {room.holds}" for name, room in self.rooms.items()) + "."

    @tool
    def room_bookings(self, room: str) -> str:
        """List the times at which a room is taken, in desk time."""
        taken = _known(self.rooms, room).taken
        self.seen.add(room)
        return f"{room} is taken: {listed(taken)}."

    @tool
    def book(self, room: str, day: str, start: str) -> str:
        """Book the meeting in desk time, such as 'Wed', '16:30'. Booking again moves it."""
        _known(self.rooms, room)
        slots = {(DAYS[s // DAY], clock(s % DAY)): s for s in range(self.days * DAY)}
        if (day, start) not in slots:
            raise InvalidAnswer(
                f"a start is on {', '.join(DAYS[: self.days])} at 08:00, 08:30, ..."
            )
        self.booked = slots[day, start], room
        return f"The meeting is booked in {room} on {day} from {start}."

    def session(self, brief: str, calls: int) -> Generator[Turn, str, None]:
        turns = super().session(brief, calls)
        turn = next(turns)
        while True:
            scene = partial(self.scene, frozenset(self.seen), self.booked)
            following: Callable[[], Turn]
            try:
                move = yield replace(turn, scene=scene)
            except InvalidAnswer as error:
                following = partial(turns.throw, error)
            else:
                following = partial(turns.send, move)
            try:
                turn = following()
            except StopIteration:
                return

    def scene(self, seen: frozenset[str], booked: tuple[int, str] | None) -> Panels:
        """A panel for each day, with the agendas and bookings that have been seen.

        The times of a person are those of their own clock, as in their agenda.
        """
        ahead = [person.ahead for name, person in self.people.items() if name in seen]
        hours = range(2 * min([0, *ahead]), DAY + 2 * max([0, *ahead]))
        listed = "rooms" in seen
        rooms = [
            room
            for name, room in self.rooms.items()
            if listed or name in seen or (booked is not None and booked[1] == name)
        ]
        labels = [
            f"{name} {person.ahead:+} h" if name in seen and person.ahead else name
            for name, person in self.people.items()
        ]
        labels += [f"{room.name} ({room.holds})" if listed else room.name for room in rooms]

        def bars(day: int) -> Iterator[tuple[Bar, ...]]:
            for name, person in self.people.items():
                yield agenda_bars(person, day, hours) if name in seen else _unseen(hours)
            for room in rooms:
                meeting = booked[0] if booked and booked[1] == room.name else -1
                known = room_bars(room, day) if room.name in seen else _unseen(hours)
                yield (*known, *_bars(((meeting, meeting + self.length),), day, "meeting", "c2"))

        panels = [
            Timeline(
                tuple(bars(day)),
                tuple(labels),
                start=hours.start,
                end=hours.stop,
                ticks=tuple((n, clock(n)) for n in hours[::4]),
            )
            for day in range(self.days)
        ]
        return Panels(tuple(panels), DAYS[: self.days], columns=1 if self.days < 3 else 2)

    def state(self) -> str:
        return f"booked {self.booked}, seen {sorted(self.seen)}"


def agenda_bars(person: Person, day: int, hours: range) -> tuple[Bar, ...]:
    """What a person does not work and is busy on a day, by their own clock, in half-hours."""
    shift = 2 * person.ahead
    starts, ends = (end + shift for end in person.works)
    off = [Bar(hours.start, starts, "off", "muted"), Bar(ends, hours.stop, "off", "muted")]
    free = (bar for bar in off if bar.start < bar.end)
    return (*free, *_bars(person.busy, day, "busy", "c3", shift))


def room_bars(room: Room, day: int) -> tuple[Bar, ...]:
    """When a room is taken on a day, in half-hours of the desk."""
    return _bars(room.taken, day, "taken", "c1")


def _bars(spans: Spans, day: int, text: str, tone: str, shift: int = 0) -> tuple[Bar, ...]:
    """The spans of a day as bars, of which the long ones have a text."""
    return tuple(
        Bar(
            start - day * DAY + shift,
            end - day * DAY + shift,
            text if end - start >= LABELLED else "",
            tone,
        )
        for start, end in spans
        if start >= 0 and start // DAY == day
    )


def _unseen(hours: range) -> tuple[Bar, ...]:
    """The bar of what has not been asked for."""
    return (Bar(hours.start, hours.stop, "?", "muted"),)


def _known(things: Mapping[str, Thing], name: str) -> Thing:
    if name not in things:
        raise InvalidAnswer(f"there is no {name[:40]!r} here")
    return things[name]


def spans(
    rng: Random, days: int, load: float, free: Sequence[range], taken: Sequence[range] = ()
) -> Spans:
    """Random spans that leave some times free, and others that are taken.

    >>> spans(Random(0), 1, 0.0, [range(0, 4)], [range(4, 6)])
    ((4, 6),)
    """
    times = [(time.start, time.stop) for time in taken]
    clear = {half for time in (*free, *taken) for half in time}
    for day in range(days):
        start = 0
        while start < DAY:
            end = min(DAY, start + rng.randint(1, 4))
            clash = not clear.isdisjoint(range(day * DAY + start, day * DAY + end))
            if rng.random() < 2 * load and not clash:
                times.append((day * DAY + start, day * DAY + end))
            start = end
    return tuple(sorted(times))
