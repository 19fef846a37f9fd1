"""What the tests of readers share."""

import time

import pytest


@pytest.fixture
def linear():
    """A check that reading a unit many times over takes time linear in its length."""

    def check(read, unit):
        """Twenty times the text takes at most a hundred times as long; 400 would be quadratic."""
        times = []
        for size in (5_000, 100_000):
            text = (unit * size)[:size] + "!"
            start = time.process_time()
            read(text)
            times.append(time.process_time() - start)
        assert times[1] < 100 * max(times[0], 0.002)

    return check
