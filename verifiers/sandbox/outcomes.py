"""What a program may use, and what is said of one that ran."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["PASS", "WA", "RE", "CE", "TLE", "MLE", "OLE", "VIOLATION", "JUDGE_ERROR"]
"""Passed, wrong answer, runtime error, compilation error, time, memory or output limit, a call that
no program may make, and a failure of ours."""

Level = Literal["none", "landlock", "container", "namespaces"]
"""How a program is held: by nothing but limits, by Landlock, in a container, in namespaces."""

LEVELS: tuple[Level, ...] = ("none", "landlock", "container", "namespaces")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run of a program may use.

    Raises ``ValueError`` for limits out of their bounds.
    """

    cpu_s: float = 10.0
    """Processor time, from 0.05 to 600 seconds. It decides on a time-out."""

    wall_s: float | None = None
    """Time on the clock; three times the processor time and a second unless given. Without one that
    is given, a program that does not sleep has as many times longer as processes share a processor.
    """

    sleep_s: float | None = None
    """Time that it may sleep without a pause, from 0.2 to 3600 seconds, where that can be seen: as
    long as on the clock unless given.
    """

    memory_mb: int = 512
    """Address space of each process, from 16 MB to 64 GB; data for engines that reserve more."""

    output_kb: int = 1024
    """Standard output and standard error, each, from 1 kB to 64 MB."""

    file_mb: int = 16
    """The largest file that it may write."""

    processes: int = 32
    """How many processes and threads it may have at once."""

    stack_mb: int = 64
    """Stack of its main thread."""

    compile_s: float = 10.0
    """Processor time of the compiler, from 0.5 to 600 seconds; on the clock three times as much and
    a second. It is not part of the program's."""

    def __post_init__(self) -> None:
        bounds = {
            "cpu_s": (0.05, 600),
            "memory_mb": (16, 65_536),
            "output_kb": (1, 65_536),
            "file_mb": (0, 4_096),
            "processes": (1, 1_024),
            "stack_mb": (1, 4_096),
            "compile_s": (0.5, 600),
        }
        for name, (low, high) in bounds.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} lies from {low} to {high}, not at {getattr(self, name)}")
        for name, low in (("wall_s", 0.05), ("sleep_s", 0.2)):
            value = getattr(self, name)
            if value is not None and not low <= value <= 3_600:
                raise ValueError(f"{name} lies from {low} to 3600, not at {value}")

    @property
    def wall(self) -> float:
        """Time on the clock, in seconds."""
        return self.wall_s if self.wall_s is not None else 3 * self.cpu_s + 1

    @property
    def sleep(self) -> float:
        """Time that it may sleep without a pause, in seconds."""
        return self.sleep_s if self.sleep_s is not None else self.wall


DEFAULT = Limits()


def readable(text: str) -> str:
    r"""A text that can be written in UTF-8, as reasons are: a surrogate becomes a question mark.

    >>> readable("as it is"), readable("\ud800 and \udcff")
    ('as it is', '? and ?')
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ran. That it ended well says nothing of whether it is right."""

    status: Status
    """``PASS`` where it ended by itself with exit code 0."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int | None = None
    """The exit code, or the number of the signal that ended it, below zero."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_kb: int = 0
    """The largest resident set of it and of what it has waited for."""

    isolation: Level = "none"
    reason: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", readable(self.reason))

    @property
    def text(self) -> str:
        """Standard output as text; what is no UTF-8 is replaced."""
        return self.stdout.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Test:
    """How one test went."""

    status: Status
    weight: float = 1.0
    cpu_s: float = 0.0
    memory_kb: int = 0
    reason: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", readable(self.reason))


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a program did on its tests. The share is None where the judge failed."""

    fraction: float | None
    """The weight of the tests passed, as a share; None after a ``JUDGE_ERROR``."""

    passed: int
    per_test: tuple[Test, ...]
    status: Status
    """``PASS``, or what went wrong first."""

    integrity: Literal["strong", "weak"] = "strong"
    """Weak where tests had to take the program's word for something that may not be so."""

    isolation: Level = "none"
    parts: Mapping[str, float] = field(default_factory=dict)
