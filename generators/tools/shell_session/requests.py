"""Drawing requests and the tree that they are about, and putting them into words."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.shell.trees import Entry, differences, whole
from palaestra.generators.tools.shell_session.contents import NOTES, ORDERS, SETTINGS
from palaestra.generators.tools.shell_session.family import Family, Terms, Use
from palaestra.generators.tools.shell_session.histories import DAMAGE, RENAMES
from palaestra.generators.tools.shell_session.properties import LINKS, LOGS, PERMISSIONS

FAMILIES: Mapping[str, Family] = {
    "notes": NOTES,
    "settings": SETTINGS,
    "orders": ORDERS,
    "permissions": PERMISSIONS,
    "links": LINKS,
    "logs": LOGS,
    "renames": RENAMES,
    "damage": DAMAGE,
}


class Request(NamedTuple):
    """A request about an area, with what it names, as pairs of slots and values."""

    family: str
    area: str
    terms: tuple[tuple[str, str], ...]

    @property
    def slots(self) -> Terms:
        """The values of the slots that the request fills."""
        return {"area": self.area, **dict(self.terms)}


class Session(NamedTuple):
    """A tree, requests about areas of it, and the changes that they ask for."""

    tree: tuple[tuple[str, Entry], ...]
    requests: tuple[Request, ...]
    goal: tuple[tuple[tuple[str, ...], str], ...]


def random_session(rng: Random, number: int, size: int, spare: int, odd: bool) -> Session:
    """A tree with an area of about ``size`` files for each request, and spare areas that no request
    is about.
    """
    tree: dict[str, Entry] = {}
    wanted: dict[str, Entry] = {}
    requests: list[Request] = []
    families = rng.sample(sorted(FAMILIES), number)
    others = [rng.choice(families) for _ in range(spare)]
    areas: set[str] = set()
    for n, name in enumerate([*families, *others]):
        family = FAMILIES[name]
        area = rng.choice([area for area in family.areas if area not in areas])
        areas.add(area)
        draft = family.draw(rng, area, size, odd)
        tree |= draft.tree
        if n < number:
            wanted |= draft.wanted
            requests.append(Request(name, area, tuple(draft.terms.items())))
        else:
            wanted |= draft.tree
    start = whole(tree)
    folders = {path: entry for path, entry in start.items() if entry.category == "directory"}
    goal = differences(start, {**folders, **whole(wanted)})
    return Session(tuple(sorted(start.items())), tuple(requests), tuple(sorted(goal.items())))


def in_words(requests: Sequence[Request], wording: int) -> str:
    """The requests as a numbered list, each in one of several wordings."""
    lines = []
    for number, request in enumerate(requests, 1):
        family = FAMILIES[request.family]
        frame = family.frames[(wording + 3 * number) % len(family.frames)]
        text = f"{frame} {family.rule}".format(**request.slots)
        lines.append(f"{number}. {text}")
    return "\n".join(lines)


def fulfil(requests: Sequence[Request], use: Use) -> None:
    """What the oracle does, with the requests and a shell alone."""
    for request in requests:
        FAMILIES[request.family].fulfil(use, request.area, request.slots)


def carelessly(requests: Sequence[Request]) -> Iterable[str]:
    """For each request the command that comes to mind first."""
    for request in requests:
        yield FAMILIES[request.family].careless(request.area, request.slots)


def as_changes(goal: Iterable[tuple[tuple[str, ...], str]]) -> Changes:
    """The changes that are wanted, by path."""
    return dict(goal)
