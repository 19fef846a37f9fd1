"""Questions about the data of a database, and their answers."""

from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from random import Random
from typing import Literal, NamedTuple, get_args

from palaestra.generators.tools.data_questions import Form, is_tie, plain
from palaestra.generators.tools.database_explorer.data import DAYS, START, Data, Record

TRIES = 200
"""How many questions are tried for one that suits."""

QuestionForm = Literal["total", "mean", "records", "parties", "top", "items"]

ANSWERS: dict[QuestionForm, Form] = {
    "total": "decimal",
    "mean": "decimal",
    "records": "number",
    "parties": "number",
    "top": "text",
    "items": "texts",
}


class Question(NamedTuple):
    """What is to be known of the records that meet all conditions; an empty one is none.

    - ``total``, ``mean``: of their amounts, in a unit;
    - ``records``, ``parties``: how many of them, or of the parties that have one, there are;
    - ``top``: the party with the largest total;
    - ``items``: the items with a total of ``least`` in a unit or more.
    """

    form: QuestionForm
    region: str = ""
    group: str = ""
    status: str = ""
    start: str = ""
    """The first day, in ISO format, or nothing."""
    end: str = ""
    """The last day, which is included."""
    unit: str = ""
    least: int = 0


def matching(data: Data, question: Question, deleted: bool = False) -> list[Record]:
    """The records that a question is about, with deleted ones where these are wanted, too."""
    region = data.regions.index(question.region) if question.region else -1
    group = data.groups.index(question.group) if question.group else -1
    status = data.statuses.index(question.status) if question.status else -1
    first = date.fromisoformat(question.start).toordinal() if question.start else 0
    last = date.fromisoformat(question.end).toordinal() if question.end else 10**7
    return [
        record
        for record in data.records
        if first <= record.day <= last
        and status in {-1, record.status}
        and group in {-1, data.items[record.item].group}
        and region in {-1, data.region(record)}
        and (deleted or data.is_valid(record))
    ]


def _overlooking(data: Data, question: Question) -> list[Record]:
    """What a reader takes for the records who overlooks deletions, units and double entries."""
    twice = {data.records[n] for n in data.twice} if "twice" in data.traps else set()
    records: list[Record] = []
    for record in matching(data, question, deleted=True):
        shown = record._replace(amount=record.amount // data.units[record.unit][1])
        records += [shown, shown] if record in twice else [shown]
    return records


def answer(data: Data, question: Question, records: Sequence[Record]) -> str | None:
    """The answer by the records in question, or None where it is not certain."""
    if question.form == "records":
        return str(len(records))
    if question.form == "parties":
        return str(len({record.party for record in records}))
    if not records:
        return None
    factor = dict(data.units).get(question.unit, 1)
    if question.form in {"total", "mean"}:
        value = Fraction(sum(record.amount for record in records), factor)
        value = value / len(records) if question.form == "mean" else value
        return None if is_tie(value) else plain(value)
    if question.form == "top":
        totals = _totals(records, lambda record: record.party)
        best, *others = sorted(totals, key=lambda party: -totals[party])
        is_tied = any(totals[other] == totals[best] for other in others)
        return None if is_tied or not others else data.parties[best].name
    totals = _totals(records, lambda record: record.item)
    names = [data.items[n].name for n, total in totals.items() if total >= question.least * factor]
    return ", ".join(sorted(names)) if 2 <= len(names) < len(totals) else None


def _totals(records: Sequence[Record], key: Callable[[Record], int]) -> dict[int, int]:
    totals: dict[int, int] = {}
    for record in records:
        totals[key(record)] = totals.get(key(record), 0) + record.amount
    return totals


def random_questions(
    rng: Random, data: Data, number: int, conditions: int
) -> list[tuple[Question, str]]:
    """Questions of different forms with their answers, fewer where no more turn up."""
    results: list[tuple[Question, str]] = []
    for form in rng.sample(get_args(QuestionForm), number):
        for _ in range(TRIES):
            question = _random_question(rng, data, form, conditions)
            records = matching(data, question)
            if len(records) < 3:
                continue
            text = answer(data, question, records)
            if text is None or (text.isdecimal() and int(text) < 3):
                continue
            if text != answer(data, question, _overlooking(data, question)):
                results.append((question, text))
                break
    return results


def _random_question(rng: Random, data: Data, form: QuestionForm, conditions: int) -> Question:
    """A question with so many conditions, in most cases those that some record meets."""
    record = rng.choice(data.records)
    options = {
        "region": data.regions[data.region(record)],
        "group": data.groups[data.items[record.item].group],
        "status": data.statuses[record.status],
    }
    names = rng.sample(["period", *options], conditions)
    values = {name: options[name] for name in options if name in names}
    if "period" in names:
        first = max(START, record.day - rng.randint(60, 400))
        last = min(START + DAYS, record.day + rng.randint(60, 400))
        values["start"] = date.fromordinal(first).isoformat()
        values["end"] = date.fromordinal(last).isoformat()
    if form in {"total", "mean", "items"}:
        values["unit"] = rng.choice(data.units)[0]
    question = Question(form, **values)  # type: ignore[arg-type]
    if form != "items":
        return question
    totals = sorted(_totals(matching(data, question), lambda record: record.item).values())
    middle = totals[len(totals) // 2] if totals else 0
    return question._replace(least=max(1, middle // dict(data.units)[question.unit]))
