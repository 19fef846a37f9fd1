"""Random requests that change something in the apps of a person."""

from collections.abc import Callable, Mapping
from random import Random

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.errands import Asking, Wanted
from palaestra.generators.tools.personal_assistant.apps import TOOLS
from palaestra.generators.tools.personal_assistant.decisions import deeds
from palaestra.generators.tools.personal_assistant.policy import Policy
from palaestra.generators.tools.personal_assistant.records import (
    FIELDS,
    MEETINGS,
    OUTINGS,
    PARTIES,
    TEAMS,
)
from palaestra.generators.tools.personal_assistant.requests import Request
from palaestra.generators.tools.records import RecordWorld, Row
from palaestra.generators.tools.ruled_records import Records, tables_of


def _titled(titles: tuple[str, ...]) -> Callable[[Row], bool]:
    return lambda event: event["title"] in titles


_TYPES: Mapping[tuple[str, ...], Callable[[Row], bool]] = {
    titles: _titled(titles) for titles in (OUTINGS, PARTIES, MEETINGS)
}
"""Whether an event has one of these titles."""


class PersonalAsking(Asking[Request, Policy]):
    """Draws requests of one person."""

    unruled = frozenset({"settle"})

    def __init__(self, rng: Random, records: Records, policy: Policy, wanted: Wanted) -> None:
        world = RecordWorld(TOOLS, tables_of(records, FIELDS))
        super().__init__(rng, world, policy, wanted)

    def ask(self, action: str) -> Request:
        return _DRAW[action](self)

    def deeds(self, known: Known, policy: Policy, request: Request) -> list[Deed]:
        return deeds(known, policy, request)

    def event(self, titles: tuple[str, ...]) -> Row:
        """A random event with one of these titles."""
        events = self.known.by("event", _TYPES[titles])
        return self.rng.choice(events[True])[1]

    def team(self) -> str:
        """A random team."""
        return self.rng.choice(TEAMS)


def _collect(asking: PersonalAsking) -> Request:
    event = asking.event(OUTINGS)
    return Request("collect", event["title"], event["date"])


def _repay(asking: PersonalAsking) -> Request:
    return _collect(asking)._replace(action="repay")


def _todo(asking: PersonalAsking) -> Request:
    return Request("todo", team=asking.team())


def _invite(asking: PersonalAsking) -> Request:
    event = asking.event(PARTIES)
    return Request("invite", event["title"], event["date"], asking.team())


def _share(asking: PersonalAsking) -> Request:
    event = asking.event(PARTIES)
    return Request("share", event["title"], event["date"])


def _reschedule(asking: PersonalAsking) -> Request:
    return Request("reschedule", "", asking.event(MEETINGS)["date"], asking.team())


def _settle(asking: PersonalAsking) -> Request:
    return Request("settle", asking.event(OUTINGS)["title"])


_DRAW: Mapping[str, Callable[[PersonalAsking], Request]] = {
    "collect": _collect,
    "todo": _todo,
    "invite": _invite,
    "repay": _repay,
    "reschedule": _reschedule,
    "share": _share,
    "settle": _settle,
}
