"""The rules of a house, in words; :mod:`.decisions` applies them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, Self

Rule = Literal[
    "window", "held", "children", "occupied", "quiet", "bright", "guests", "ill", "adults",
    "protected",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "window", "held", "children", "occupied", "quiet", "bright", "guests", "ill", "adults",
    "protected",
)  # fmt: skip
"""In the order in which levels add them."""

Type = Literal["light", "heater", "blind", "speaker", "fan", "lock", "plug"]
RANGES: Mapping[Type, tuple[int, int]] = {
    "light": (0, 100), "heater": (5, 30), "blind": (0, 100), "speaker": (0, 100), "fan": (0, 5),
    "lock": (0, 1), "plug": (0, 1),
}  # fmt: skip
"""The lowest and the highest level of each type of device."""


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them."""

    rules: tuple[Rule, ...]
    frost: int
    """The level of heaters next to open windows."""
    minutes: int
    """For so long after a motion a room is in use."""
    quiet_from: str
    quiet_until: str
    now: str
    volume: int
    brightness: int
    floor: str
    ill: str
    protected: tuple[str, ...]
    """Names of devices."""
    night: int
    night_children: int
    dimmed: int
    """The levels of heaters and of night lights in the night."""

    def has(self, rule: Rule) -> bool:
        """Whether a rule holds."""
        return rule in self.rules

    def is_quiet(self, time: str) -> bool:
        """Whether a time is in the quiet hours, which go over midnight."""
        return time >= self.quiet_from or time < self.quiet_until

    def without_rules(self) -> Self:
        """What always holds."""
        return self._replace(rules=())

    def text(self) -> str:
        """All rules with their numbers."""
        lines = (f"Rule {n}: {_TEXTS[rule](self)}" for n, rule in enumerate(self.rules, 1))
        return "\n".join([_general(self), *lines])


def _general(policy: Policy) -> str:
    ranges = ", ".join(f"{name} {low} to {high}" for name, (low, high) in RANGES.items())
    return f"""\
- A device has a level: {ranges}. Lights, speakers, fans and plugs are off at 0; blinds are closed \
and locks are open at 0; the level of a heater is in degrees.
- A device that would get another level but is offline is reported with report_offline, once, and \
not set. No other device is reported. A device that has the level already needs nothing.
- Ready for the night: lights, speakers and fans at 0, blinds at 0, locks at 1, heaters at \
{policy.night}. In rooms of children who are at home, heaters are at {policy.night_children}, and \
devices with 'night light' in their name at {policy.dimmed}. Plugs stay as they are.
- A scene lists levels by type of device; it applies to the devices of these types in the room.
- Two active schedules of a device at the same time are a conflict. The one that stays active is \
that of an adult before that of a child, and that of a child before that of a guest; of two of the \
same role, the one that was entered later. Turn the other ones off.
- Quiet hours are from {policy.quiet_from} to {policy.quiet_until}. A schedule that begins in the \
quiet hours is moved to their end, {policy.quiet_until}, when that is asked for.
- The power in use is the sum of the watts of all devices whose level is not 0; a heater always \
counts. To save power, turn off lights, speakers, fans and plugs, the one with the most watts \
first, of equal ones that with the lower id, until the power in use is at most as wanted. Devices \
that are offline or that a rule keeps as they are count, but are passed over, and need no report.
- Requests are mine, and I am an adult, unless they name a member of the house. If one rule keeps \
a device as it is, no other rule matters to it."""


_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "window": lambda p: (
        f"A heater in a room with an open window gets {p.frost} in place of any level that it "
        "would get otherwise."
    ),
    "held": lambda p: "A device that somebody holds stays as it is.",
    "children": lambda p: (
        "If one of the devices that a child asks for is a heater or a lock, change nothing for the "
        "request, and decline it."
    ),
    "occupied": lambda p: (
        f"Lights in a room with a motion in the last {p.minutes} minutes stay as they are."
    ),
    "quiet": lambda p: (
        f"It is {p.now} now. If that is in the quiet hours, a speaker gets {p.volume} in place of "
        "any higher level that it would get otherwise."
    ),
    "bright": lambda p: (
        f"On the floor '{p.floor}', a light gets {p.brightness} in place of any higher level that "
        "it would get otherwise."
    ),
    "guests": lambda p: (
        "If one of the devices that a guest asks for is not in the room of this guest, change "
        "nothing for the request, and decline it."
    ),
    "ill": lambda p: (
        f"{p.ill} is ill: in the room of {p.ill} all devices but heaters stay as they are."
    ),
    "adults": lambda p: (
        "An exception to the rule on devices that somebody holds: if an adult asks, the devices "
        "that this adult holds may be set."
    ),
    "protected": lambda p: (
        f"Devices whose whole name is one of these are never turned off: {', '.join(p.protected)}. "
        "They stay as they are where they would get 0."
    ),
}


def random_policy(
    rng: Random, rules: int, floors: Sequence[str], names: Sequence[str], devices: Sequence[str]
) -> Policy:
    """The first rules of the list in random order, with random values."""
    start, end = rng.choice((20, 21, 22)), rng.choice((6, 7))
    now = rng.choice((start, 23, 0, end - 1, 12, 17))
    return Policy(
        rules=tuple(rng.sample(RULES[:rules], rules)),
        frost=rng.choice((5, 6, 7, 8)),
        minutes=rng.choice((10, 15, 20)),
        quiet_from=f"{start}:30",
        quiet_until=f"{end:02}:30",
        now=f"{now:02}:{rng.choice((35, 40, 50)) if now != end - 1 else 10}",
        volume=rng.choice((10, 15, 20)),
        brightness=rng.choice((40, 50, 60)),
        floor=rng.choice(floors),
        ill=rng.choice(names),
        protected=tuple(sorted(rng.sample(devices, min(2, len(devices))))),
        night=rng.choice((15, 16, 17)),
        night_children=rng.choice((18, 19)),
        dimmed=rng.choice((5, 10, 15)),
    )
