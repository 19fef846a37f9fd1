"""Booking a meeting and a room through a desk with tools; an original world."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.people import NAMES
from palaestra.generators.tools.engine import scripted
from palaestra.generators.tools.meeting_desk import (
    DAY,
    DAYS,
    TREES,
    Desk,
    Person,
    Room,
    Spans,
    clock,
    spans,
)
from palaestra.task import Play, Policy, Score, Task, ladder
from palaestra.toolbox import call, schemas

LENGTHS = {1: "half an hour", 2: "one hour", 3: "one and a half hours", 4: "two hours"}


class MeetingDesk(Task):
    """Book the earliest common free time, in the smallest free room that holds everyone."""

    version = 2
    tags = {"tool-use", "scheduling", "hidden-state"}
    hidden = {"people", "rooms"}

    class Knobs(Task.Knobs):
        people: int = ladder(2, 2, 3, 4, 5, 7, high=12)
        rooms: int = ladder(2, 2, 3, 4, 5, 6)
        days: int = ladder(1, 2, 2, 3, 4, 5)
        load: float = ladder(0.25, 0.25, 0.25, 0.2, 0.16, 0.14, low=0.05, high=0.4)
        full: int = ladder(0, 1, 1, 2, 3, 5)  # times when all people are free, but no room is
        zones: int = ladder(0, 0, 0, 0, 2, 3)  # hours by which clocks may differ from the desk's

    names: tuple[str, ...]
    guests: int
    length: int
    days: int
    people: tuple[Person, ...]
    rooms: tuple[Room, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw agendas and rooms with a common free time on the last day.

        At some earlier times everyone is free, but all rooms that hold everyone are taken.
        """
        length, guests = rng.choice(list(LENGTHS)), rng.randint(0, 6)
        start = rng.randrange(DAY - length + 1)
        last = (knobs.days - 1) * DAY + start
        free = range(last, last + length)
        earlier = [s for s in range(last - length + 1) if s % DAY + length <= DAY]
        full = list[range]()
        for s in sorted(rng.sample(earlier, min(3 * knobs.full, len(earlier)))):  # rather early
            if len(full) < knobs.full and all(abs(s - time.start) >= length for time in full):
                full.append(range(s, s + length))
        heads = knobs.people + guests
        seats = rng.sample(range(max(1, heads - 3), heads + 7), knobs.rooms)
        room_names = rng.sample(TREES, knobs.rooms)
        return cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            guests=guests,
            length=length,
            days=knobs.days,
            people=tuple(_person(rng, knobs, [free, *full]) for _ in range(knobs.people)),
            rooms=tuple(
                Room(holds, name, spans(rng, knobs.days, 0.25, [free], full * (holds >= heads)))
                for holds, name in zip(seats, room_names)
            ),
        )

    def is_valid(self) -> bool:
        best = self.best()
        return best is not None and best[0] > 0

    def canonical(self) -> str:
        rooms = sorted((room.holds, room.taken) for room in self.rooms)
        return repr((self.guests, self.length, self.days, sorted(self.people), rooms))

    def suits(self, start: int) -> bool:
        """Whether all people are at work and free during a meeting with this start."""
        begin, end = start % DAY, start % DAY + self.length
        return all(
            works[0] <= begin and end <= works[1] and self.open(busy, start)
            for _, works, busy in self.people
        )

    def open(self, taken: Spans, start: int) -> bool:
        """Whether a meeting with this start overlaps none of the spans."""
        return all(end <= start or start + self.length <= begin for begin, end in taken)

    def best(self) -> tuple[int, str] | None:
        """The earliest possible start, and the smallest room that is free then."""
        heads = len(self.people) + self.guests
        rooms = sorted(room for room in self.rooms if room.holds >= heads)
        for start in range(self.days * DAY):
            if self.suits(start):
                for room in rooms:
                    if self.open(room.taken, start):
                        return start, room.name
        return None

    def play(self) -> Play:
        desk = Desk(dict(zip(self.names, self.people)), self.rooms, self.days, self.length)
        whom = ", ".join(self.names)
        guests = {0: "", 1: " and a guest, who is always free,"}.get(
            self.guests, f" and {self.guests} guests, who are always free,"
        )
        brief = self.phrase(
            f"Book a meeting of {LENGTHS[self.length]} for {whom}{guests} as early as possible.",
            f"{whom}{guests} are to meet for {LENGTHS[self.length]}. Book the earliest possible "
            "time.",
        )
        days = DAYS[0] if self.days == 1 else f"{DAYS[0]} to {DAYS[self.days - 1]}"
        yield from desk.session(
            f"{brief} Meetings are on {days}, start on the hour or half-hour, from "
            f"{clock(0)} on, and end by {clock(DAY)} desk time. From start to end, everyone named "
            "must be within their working hours and not busy, and one room that holds everyone, "
            "guests included, must be free; a meeting may begin when something else ends. If "
            "several rooms are possible at the earliest possible time, take the one that holds the "
            "fewest people.",
            calls=len(self.people) + len(self.rooms) + 6,
        )
        if desk.booked is None:
            return Score(0, "nothing is booked")
        return Score(1) if desk.booked == self.best() else Score(0, self._violation(*desk.booked))

    def _violation(self, start: int, name: str) -> str:
        """What is wrong with a booking."""
        (room,) = (room for room in self.rooms if room.name == name)
        if not self.suits(start):
            return "not everyone is at work and free at the booked time"
        if room.holds < len(self.people) + self.guests:
            return f"{name} does not hold everyone"
        if not self.open(room.taken, start):
            return f"{name} is taken at the booked time"
        return "there is an earlier time, or a smaller room at the same time"

    def solve(self) -> Iterable[str]:
        yield from (call("agenda", person=name) for name in self.names)
        yield call("list_rooms")
        yield from (call("room_bookings", room=room.name) for room in self.rooms)
        start, room = self.best() or (0, "")
        yield self.booking(room, start)
        yield "done"

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who book the earliest time of one person, the first time of all without looking
        at rooms, or the smallest room that holds everyone at the opening of the desk.
        """
        heads = len(self.people) + self.guests
        large = [room for room in self.rooms if room.holds >= heads] or list(self.rooms)
        room = min(large)
        first = self.people[0]
        starts = range(self.days * DAY - self.length + 1)
        alone = [
            s
            for s in starts
            if first.works[0] <= s % DAY <= first.works[1] - self.length
            and self.open(first.busy, s)
        ]
        together = [s for s in starts if s % DAY + self.length <= DAY and self.suits(s)]
        plans = {
            "opening of the desk": ([call("list_rooms")], 0),
            "free time of one person": ([call("agenda", person=self.names[0])], min(alone)),
            "free time of all": (
                [call("agenda", person=name) for name in self.names],
                min(together),
            ),
        }
        return {
            name: scripted([*calls, self.booking(room.name, start), "done"])
            for name, (calls, start) in plans.items()
        }

    def booking(self, room: str, start: int) -> str:
        """The call that books a room."""
        return call("book", room=room, day=DAYS[start // DAY], start=clock(start % DAY))

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return schemas(Desk)

    def difficulty(self) -> float:
        """The number of spans in all agendas and room bookings."""
        return float(sum(1 + len(one[-1]) for one in (*self.people, *self.rooms)))

    def random_baseline(self) -> float:
        return 1 / (self.days * DAY * len(self.rooms))


def _person(rng: Random, knobs: MeetingDesk.Knobs, times: Sequence[range]) -> Person:
    """A person who is at work and free at some times."""
    ahead = rng.randint(-knobs.zones, knobs.zones)
    starts = max(0, rng.randint(0, 4) - 2 * ahead)
    ends = min(DAY, rng.randint(DAY - 4, DAY) - 2 * ahead)
    works = (
        min(starts, *(time.start % DAY for time in times)),
        max(ends, *((time.stop - 1) % DAY + 1 for time in times)),
    )
    return Person(ahead, works, spans(rng, knobs.days, knobs.load, times))
