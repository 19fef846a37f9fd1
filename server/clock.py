"""The time of day by a clock that nobody sets: sessions would end where somebody set it forward.

It is read from the system once, when the process starts, and goes on from there by the clock that
only ever runs on, also while the machine sleeps where the system counts that (``CLOCK_BOOTTIME``).
Several servers with one database agree as well as their systems did when they started.
"""

import time as system

_SLEEPING = getattr(system, "CLOCK_BOOTTIME", None)


def _steady() -> float:
    return system.monotonic() if _SLEEPING is None else system.clock_gettime(_SLEEPING)


_BEGAN = system.time() - _steady()


def time() -> float:
    """Seconds since 1970."""
    return _BEGAN + _steady()
