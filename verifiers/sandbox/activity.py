"""Whether the programs in a jail compute or sleep, as the kernel tells of processes."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Activity(NamedTuple):
    """What some processes do."""

    ticks: int
    """The processor time that they have used, in the kernel's ticks of usually 10 ms."""

    running: bool
    """Whether one of them computes, or would if it had a processor."""

    def sleeps_since(self, before: "Activity") -> bool:
        """Whether nothing was computed since then."""
        return not (self.running or before.running) and self.ticks - before.ticks <= 1


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
