"""Tests of arithmetic/time_intervals."""

import pytest

from palaestra.address import Address
from palaestra.envs.arithmetic.time_intervals import TimeIntervals
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize("seed", range(8))
def test_time_is_counted_minute_by_minute(seed):
    for level in (1, 3, 4):
        task = Address.of("arithmetic/time_intervals", seed, level).task()
        assert task.audit(task.answer())
    with pytest.raises(InvalidAnswer):
        task.verify("12:60")


def test_time_zones_are_subtracted():
    flight = (10 * 3600, 12 * 3600, 2, -5)
    task = TimeIntervals(spans=(flight,), seconds=False, what="total")
    assert "day 1, 12:00 (UTC+2) to day 1, 07:00 (UTC-5)" in task.prompt()
    assert task.verify("2:00").correct
