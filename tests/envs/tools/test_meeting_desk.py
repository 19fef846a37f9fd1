"""Tests of tools/meeting_desk."""

from itertools import product

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.meeting_desk import DAY, DAYS, MeetingDesk, Person, Room, clock
from palaestra.episode import BARE, Episode
from palaestra.toolbox import call


def desk(**changed):
    task = MeetingDesk(
        names=("Ada", "Bo"),
        guests=1,
        length=2,
        days=1,
        people=(Person(0, (0, 20), ((0, 3),)), Person(-1, (2, 16), ((6, 8),))),
        rooms=(Room(2, "Ash", ()), Room(5, "Elm", ((3, 5),)), Room(9, "Oak", ())),
    )
    return task.model_copy(update=changed)


def book(room, start, day="Mon"):
    return call("book", room=room, day=day, start=start)


@pytest.mark.parametrize(
    ("room", "start", "reason"),
    [
        ("Oak", "09:30", None),
        ("Elm", "09:30", "taken"),
        ("Ash", "09:30", "does not hold"),
        ("Oak", "10:30", "not everyone"),
        ("Elm", "12:00", "earlier"),
        ("Oak", "16:00", "not everyone"),
    ],
)
def test_bookings_by_hand(room, start, reason):
    result = score(desk(), book(room, start))
    assert result.value == (reason is None)
    assert (reason or "") in result.reason


def test_smaller_room_wins_and_booking_moves():
    free = desk(rooms=(Room(9, "Oak", ()), Room(3, "Elm", ())))
    assert score(free, book("Oak", "09:30")).value == 0
    assert score(free, book("Oak", "09:30"), book("Elm", "09:30")).value == 1
    assert score(free, book("Elm", "09:30"), book("Oak", "09:30")).value == 0
    assert score(free, book("Elm", "09:30"), book("Elm", "9.30"), book("X", "09:30")).value == 1


def test_agendas_state_the_difference_of_clocks():
    episode = Episode(desk(), BARE)
    episode.step(call("agenda", person="Bo"))
    assert "Bo, whose clock shows desk time -1 h, works 08:00-15:00" in episode.observation
    assert "busy: Mon 10:00-11:00" in episode.observation
    assert episode.turn.state.endswith("booked None, seen ['Bo']")


@pytest.mark.parametrize("level", range(6))
def test_first_time_by_brute_force(level):
    for seed in range(6):
        task = Address.of("tools/meeting_desk", seed, level).task()
        busy = [{h for a, b in p.busy for h in range(a, b)} for p in task.people]
        off = [
            {h for h in range(100) if not p.works[0] <= h % DAY < p.works[1]} for p in task.people
        ]
        never = set().union(*busy, *off)
        options = []
        for room, start in product(task.rooms, range(task.days * DAY)):
            halves = set(range(start, start + task.length))
            taken = {h for a, b in room.taken for h in range(a, b)}
            fits = room.holds >= len(task.people) + task.guests
            same_day = start // DAY == max(halves) // DAY
            if fits and same_day and not halves & (never | taken):
                options.append((start, room.holds, room.name))
        start, _, name = min(options)
        assert score(task, book(name, clock(start % DAY), DAYS[start // DAY])).value == 1
