"""Tests of logic/common_time_slot."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.logic import common_time_slot
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@settings(max_examples=10)
@given(SEEDS)
def test_meetings_minute_by_minute(seed: int) -> None:
    task = sampled("logic/common_time_slot", seed, 3)

    def available(minute: int) -> bool:
        for zone, begin, end, breaks, busy in task.diaries:  # type: ignore[attr-defined]
            day, own = divmod(minute + 60 * zone, 1440)
            blocked = [*breaks, *((a, b) for d, a, b in busy if d == day)]
            away = not (0 <= day < task.days and begin <= own < end)  # type: ignore[attr-defined]
            if away or any(a <= own < b for a, b in blocked):
                return False
        return True

    free = [available(minute) for minute in range(task.days * 1440)]  # type: ignore[attr-defined]
    length = task.length  # type: ignore[attr-defined]
    starts = [n for n in range(len(free)) if all(free[n : n + length]) and n + length <= len(free)]
    first, last = (common_time_slot.moment(starts[end]) for end in (0, -1))
    assert task.answer() == f"earliest: {first}\nlatest: {last}"


@pytest.mark.parametrize("text", ["monday 36:30", "Monday 24:00", "Sunday 10:00", "Monday 12.30"])
def test_times_that_do_not_exist_are_invalid(text: str) -> None:
    task = sampled("logic/common_time_slot", 1, 0)
    with pytest.raises(InvalidAnswer):
        task.verify(f"earliest: {text}\nlatest: {text}")


def test_a_time_may_have_its_zone() -> None:
    task = sampled("logic/common_time_slot", 1, 2)
    first, last = task.answer().splitlines()
    assert task.verify(f"- {last} UTC.\n- {first.upper()} utc").correct
    assert not task.verify(f"earliest: {last.split(': ')[1]}\nlatest: {last.split(': ')[1]}").value
