"""The tools of a registry of patients: a code book, a search and charts."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property

from palaestra.generators.tools.cohort_query.charts import Patient, Records, line
from palaestra.generators.tools.cohort_query.code_book import Code, CodeBook, decimal
from palaestra.generators.tools.data_questions import DataWorld, Form, page_of
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.task import InvalidAnswer

PAGE = 20
"""How many lines a page of a list has."""

CHART = 25
"""How many entries a page of a chart has."""

TEXT = 100
"""How many characters an argument may have."""


class World(DataWorld):
    """Records, which are loaded by the first call that needs them."""

    def __init__(
        self, load: Callable[[], Records], forms: Sequence[Form], seed: int, busy: int
    ) -> None:
        super().__init__(TOOLS, forms, seed, busy)
        self.load = load

    @cached_property
    def records(self) -> Records:
        """The code book and the charts."""
        return self.load()

    def code(self, text: str) -> int:
        """The number of a code. Raises :class:`InvalidAnswer` where there is none."""
        number = self.records.book.numbers.get(_checked(text).strip().upper())
        if number is None:
            raise InvalidAnswer("there is no such code; search_codes shows codes by name")
        return number


def _checked(text: str) -> str:
    if len(text) > TEXT:
        raise InvalidAnswer(f"a text has at most {TEXT} characters")
    return text


def _day(text: str, default: int) -> int:
    """The ordinal of a date, or the default for an empty text."""
    if not text.strip():
        return default
    try:
        return date.fromisoformat(_checked(text).strip()).toordinal()
    except ValueError:
        raise InvalidAnswer("a date looks like 2061-12-31") from None


def _search_codes(world: World, arguments: Arguments) -> str:
    text = " ".join(_checked(arguments["text"]).casefold().split())
    lines = [
        f"{code.code}: {code.name} ({code.type})"
        for code in world.records.book.codes
        if text in code.name
    ]
    return page_of(sorted(lines), arguments["page"], PAGE)


def _read_code(world: World, arguments: Arguments) -> str:
    book = world.records.book
    number = world.code(arguments["code"])
    code = book.codes[number]
    head = f"{code.code}: {code.name} ({code.type})"
    if code.type == "measurement":
        return f"{head}\n{_measurement(code)}"
    parent = book.codes[code.parent].code if code.parent >= 0 else "none"
    return f"{head}\nparent: {parent}\nsub-codes: {_children(book, number)}"


def _children(book: CodeBook, number: int) -> str:
    return ", ".join(sorted(book.codes[each].code for each in book.children[number])) or "none"


def _measurement(code: Code) -> str:
    first, second = code.units
    return (
        f"reference range: {decimal(code.low)} to {decimal(code.high)} {first}\n"
        f"units: {first}, {second} (1 {second} = {decimal(code.factors[1])} {first})"
    )


def _search_patients(world: World, arguments: Arguments) -> str:
    code = world.code(arguments["code"]) if arguments["code"].strip() else None
    sex = _checked(arguments["sex"]).strip().casefold()
    if sex not in {"", "female", "male"}:
        raise InvalidAnswer("the sex is female, male or empty for any")
    born_from = _day(arguments["born_from"], 0)
    born_to = _day(arguments["born_to"], 10**7)
    lines = [
        str(patient.number)
        for patient in world.records.patients.values()
        if sex in {"", patient.sex}
        and born_from <= patient.born <= born_to
        and (code is None or any(entry.code == code for entry in patient.entries))
    ]
    return page_of(lines, arguments["page"], PAGE)


def _read_chart(world: World, arguments: Arguments) -> str:
    patient = world.records.patients.get(arguments["patient"])
    if patient is None:
        raise InvalidAnswer("there is no patient with this number")
    lines = [line(world.records.book, entry) for entry in patient.entries]
    return page_of(lines, arguments["page"], CHART, f"{_head(patient)}; entries: ")


def _head(patient: Patient) -> str:
    same = f"; the same person as patient {patient.same}" if patient.same else ""
    born = date.fromordinal(patient.born)
    return f"patient {patient.number}: {patient.sex}, born {born}{same}"


TOOLS = (
    Tool(
        "search_codes",
        f"List the codes whose name contains a text, {PAGE} on a page.",
        {"text": str, "page": int},
        _search_codes,
        {"page": 1},
    ),
    Tool(
        "read_code",
        "Show a code: its name, its parent and its direct sub-codes; of a measurement, its units "
        "and its reference range.",
        {"code": str},
        _read_code,
    ),
    Tool(
        "search_patients",
        "List the numbers of the patients who meet all of the conditions that are not empty, "
        f"{PAGE} on a page. The code is looked for in the entries of charts as it is, without its "
        "sub-codes, and also in entries that are withdrawn; dates of birth are included.",
        {"code": str, "sex": str, "born_from": str, "born_to": str, "page": int},
        _search_patients,
        {"code": "", "sex": "", "born_from": "", "born_to": "", "page": 1},
    ),
    Tool(
        "read_chart",
        f"Show the chart of a patient in the order of recording, {CHART} entries on a page.",
        {"patient": int, "page": int},
        _read_chart,
        {"page": 1},
    ),
)
"""The tools that read."""
