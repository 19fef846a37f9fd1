"""The tools that read logs."""

from collections.abc import Callable, Sequence
from functools import cached_property

from palaestra.generators.tools.data_questions import DataWorld, Form, page_of
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.log_analysis.lines import LEVELS, Log, milliseconds, stamp
from palaestra.generators.tools.log_analysis.system import Service
from palaestra.task import InvalidAnswer

PAGE = 40
"""How many lines a page has."""

TEXT = 100
"""How many characters an argument may have."""


class World(DataWorld):
    """A log, which is loaded by the first call that needs it."""

    def __init__(
        self, load: Callable[[], Log], forms: Sequence[Form], seed: int, busy: int
    ) -> None:
        super().__init__(TOOLS, forms, seed, busy)
        self.load = load

    @cached_property
    def log(self) -> Log:
        """The log."""
        return self.load()

    def time(self, text: str) -> int | None:
        """A time in an argument, or None for an empty one. Raises :class:`InvalidAnswer`."""
        text = _checked(text).strip().removesuffix("Z")
        if not text:
            return None
        if len(text) <= len("08:00:00.000"):
            text = f"{stamp(self.log.system.start)[:10]}T{text}"
        try:
            return milliseconds(text)
        except ValueError:
            example = stamp(self.log.system.start)
            raise InvalidAnswer(f"a time looks like {example} or {example[11:]}") from None

    def matching(self, arguments: Arguments) -> Sequence[int]:
        """The numbers of the lines that meet all conditions."""
        log = self.log
        text = _checked(arguments["text"]).casefold()
        level = _checked(arguments["level"]).strip().upper()
        name = _checked(arguments["service"]).strip().casefold()
        names = [service.name for service in log.system.services]
        if name and name not in names:
            raise InvalidAnswer("there is no such service; list_services shows their names")
        if level and level not in LEVELS:
            raise InvalidAnswer(f"a level is one of {', '.join(LEVELS)}, or empty for any")
        service = names.index(name) if name else -1
        span = log.between(self.time(arguments["start"]), self.time(arguments["end"]))
        numbers: Sequence[int] = span
        if text:
            texts = log.folded[span.start : span.stop]
            numbers = [number for number, each in enumerate(texts, span.start) if text in each]
        if service >= 0:
            numbers = [number for number in numbers if log.lines[number].service == service]
        if level:
            numbers = [number for number in numbers if log.lines[number].level == level]
        return numbers


def _checked(text: str) -> str:
    if len(text) > TEXT:
        raise InvalidAnswer(f"a text has at most {TEXT} characters")
    return text


def _list_services(world: World, _: Arguments) -> str:
    log = world.log
    first, last = (stamp(log.system.start + time) for time in (log.times[0], log.times[-1]))
    head = f"{len(log.lines)} lines with stamps from {first} to {last}"
    return "\n".join([head, *map(_described, log.system.services)])


def _described(service: Service) -> str:
    if not service.offset:
        return f"{service.name}: its clock is right"
    direction = "ahead of" if service.offset > 0 else "behind"
    return f"{service.name}: its clock is {abs(service.offset) / 1_000:.3f} s {direction} UTC"


def _search_logs(world: World, arguments: Arguments) -> str:
    return page_of(world.matching(arguments), arguments["page"], PAGE, show=world.log.text)


def _count_lines(world: World, arguments: Arguments) -> str:
    return f"{len(world.matching(arguments))} lines"


def _read_lines(world: World, arguments: Arguments) -> str:
    log, first = world.log, arguments["first"]
    if not 1 <= first <= len(log.lines):
        raise InvalidAnswer(f"lines go from 1 to {len(log.lines)}")
    numbers = range(first - 1, min(first - 1 + PAGE, len(log.lines)))
    return "\n".join(map(log.text, numbers))


FILTERS: dict[str, type] = {"text": str, "service": str, "level": str, "start": str, "end": str}
"""The conditions on lines, all of which may be empty."""

_ANY = dict.fromkeys(FILTERS, "")

TOOLS = (
    Tool(
        "list_services",
        "List the services with the errors of their clocks, and how long the log is.",
        {},
        _list_services,
    ),
    Tool(
        "search_logs",
        "List the lines, in the order of their stamps, that meet all conditions which are not "
        "empty: what stands behind the level contains the text in upper or lower case, the "
        f"service, the level ({', '.join(LEVELS)}), and the stamp is not before start and is "
        f"before end, in the form of stamps. There are {PAGE} lines on a page.",
        {**FILTERS, "page": int},
        _search_logs,
        {**_ANY, "page": 1},
    ),
    Tool(
        "count_lines",
        "Count the lines that search_logs lists.",
        FILTERS,
        _count_lines,
        _ANY,
    ),
    Tool(
        "read_lines",
        f"Show {PAGE} lines from one with this number on; the first line of the log has number 1.",
        {"first": int},
        _read_lines,
    ),
)
"""The tools that read."""
