"""Whether the programs in a jail compute or sleep, as the kernel tells of processes, and how many
processes share a processor.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MOST_CROWDED = 20.0
"""More processes to a processor are taken for so many: not all that the kernel counts compute."""


class Activity(NamedTuple):
    """What some processes do."""

    ticks: int
    """The processor time that they have used, in the kernel's ticks of usually 10 ms."""

    running: bool
    """Whether one of them computes, or would if it had a processor. Waiting in the kernel does not
    count: a parent waits there for a child that it has made with ``vfork``, as long as it likes.
    """

    def sleeps_since(self, before: "Activity") -> bool:
        """Whether nothing was computed since then, and no process ended and took its time along."""
        return not (self.running or before.running) and 0 <= self.ticks - before.ticks <= 1


def activity(pids: Iterable[str]) -> Activity | None:
    """What some processes do; None where that cannot be seen, as when one ends meanwhile."""
    ticks, running = 0, False
    try:
        for pid in pids:
            state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, numbers[10:14]))
            running = running or state == "R"
    except OSError:
        return None
    return Activity(ticks, running)


def crowding(file: Path = Path("/proc/loadavg")) -> float:
    """How many processes share a processor, from 1 to :data:`MOST_CROWDED`: so many times longer a
    program may take on the clock. It is the larger of the number now and of its mean over the last
    minute; 1 where the kernel does not tell.
    """
    with suppress(OSError):
        mean, _, _, now, _ = file.read_text().split()
        processes = max(float(mean), float(now.partition("/")[0]))
        return min(max(1.0, processes / len(os.sched_getaffinity(0))), MOST_CROWDED)
    return 1.0
