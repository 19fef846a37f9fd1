"""Booking a meeting through a desk that answers one question at a time; original."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.people import NAMES
from palaestra.task import Play, Score, Task, Unreadable, ladder
from palaestra.toolbox import World, call, schemas, tool

HOURS = range(8, 20)


class Desk(World):
    """The agendas, and what has been booked."""

    def __init__(self, busy: Mapping[str, Sequence[int]]) -> None:
        self.busy = busy
        self.booked: int | None = None

    @tool
    def agenda(self, person: str) -> str:
        """Tell at which hours a person is busy."""
        if person not in self.busy:
            raise Unreadable(f"nobody here is called {person[:40]!r}")
        return f"{person} is busy at {', '.join(map(str, self.busy[person])) or 'no hour'}."

    @tool
    def book(self, hour: int) -> str:
        """Book the meeting at an hour. Booking again moves it."""
        if hour not in HOURS:
            raise Unreadable(f"the day has hours {HOURS[0]} to {HOURS[-1]}")
        self.booked = hour
        return f"The meeting is booked at {hour}."

    def state(self) -> str:
        return f"booked {self.booked}"


class MeetingDesk(Task):
    """Look through everyone's agenda for the first hour all are free, and book it."""

    tags = {"tool-use", "scheduling", "hidden-state"}
    hidden = {"agendas"}

    class Knobs(Task.Knobs):
        people: int = ladder(2, 3, 4, 5, 6, high=12)
        load: float = ladder(0.45, 0.45, 0.4, 0.36, 0.33, low=0.1, high=0.6)

    people: tuple[str, ...]
    agendas: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        people = tuple(rng.sample(NAMES, knobs.people))
        agendas = (tuple(h for h in HOURS if rng.random() < knobs.load) for _ in people)
        return cls(people=people, agendas=tuple(agendas))

    def fair(self) -> bool:
        return bool(self.free()) and self.free()[0] > HOURS[0]

    def canonical(self) -> str:
        return repr(sorted(self.agendas))

    def free(self) -> list[int]:
        """The hours at which nobody is busy."""
        return [h for h in HOURS if not any(h in hours for hours in self.agendas)]

    def play(self) -> Play:
        desk = Desk(dict(zip(self.people, self.agendas)))
        whom = ", ".join(self.people)
        hours = f"from {HOURS[0]} to {HOURS[-1]}"
        yield from desk.session(
            self.phrase(
                f"Book one meeting for {whom} at the first hour, {hours}, at which all are free.",
                f"{whom} want to meet as early as they can. Of the hours {hours}, find the first "
                "at which none of them is busy, and book it.",
            ),
            calls=len(self.people) + 3,
        )
        if desk.booked is None:
            return Score(0, "nothing is booked")
        if desk.booked == self.free()[0]:
            return Score(1)
        return Score(0, f"the meeting at {desk.booked} is not at the first hour free for all")

    def solve(self) -> Iterable[str]:
        yield from (call("agenda", person=name) for name in self.people)
        yield call("book", hour=self.free()[0])
        yield "done"

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return schemas(Desk)

    def chance(self) -> float:
        return 1 / (len(HOURS) - 1)
