"""Tests of tools/cohort_query."""

import json
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from statistics import median as middle

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.cohort_query import CohortQuery
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.cohort_query.charts import line
from palaestra.generators.tools.cohort_query.client import Client
from palaestra.generators.tools.cohort_query.persons import years
from palaestra.generators.tools.cohort_query.questions import (
    effective,
    persons_of,
    raw_persons,
    terms_of,
)
from palaestra.generators.tools.cohort_query.wording import FRAMES, PHRASES
from palaestra.generators.tools.data_questions import persistent, read_answer
from palaestra.generators.tools.engine import BUSY
from palaestra.testing.baselines import baseline_scores
from palaestra.toolbox import call

NAME = "tools/cohort_query"


def instance(seed: int, level: int, **knobs: int) -> CohortQuery:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, CohortQuery)
    return task


def table(task):
    """Every effective entry as a row: the person, the date, the type, the name, the amount."""
    records = task.world().records
    codes = records.book.codes
    rows, people = [], {}
    for patient in records.patients.values():
        person = min(patient.number, patient.same or patient.number)
        people[person] = (date.fromordinal(patient.born), patient.sex)
        entries = {entry.number: entry for entry in patient.entries}
        fixes = [entry for entry in patient.entries if entry.type == "correction"]

        def holds(number, fixes=fixes):
            """Whether nothing that holds itself withdraws an entry."""
            return not any(
                fix.target == number and fix.change == "withdrawn" and holds(fix.number)
                for fix in fixes
            )

        for entry in entries.values():
            if entry.type in ("correction", "visit") or not holds(entry.number):
                continue
            day, value = date.fromordinal(entry.day), entry.value
            for fix in sorted(fixes):
                if fix.target == entry.number and holds(fix.number):
                    value = fix.value if fix.change == "value" else value
                    day = date.fromordinal(fix.corrected_day) if fix.change == "date" else day
            amount = None
            if entry.type == "measurement":
                per = Fraction(codes[entry.code].factors[entry.unit], 100)
                amount = Fraction(value, 100) * per
            rows.append((person, day, entry.type, entry.code, amount))
    return people, rows


def covered(book, name):
    """The numbers of the codes under a name, by climbing from each code to its root."""
    (top,) = (n for n, code in enumerate(book.codes) if code.name == name)
    numbers = set()
    for n in range(len(book.codes)):
        up = n
        while up >= 0 and up != top:
            up = book.codes[up].parent
        if up == top:
            numbers.add(n)
    return numbers


def brute_force(task, question):  # noqa: PLR0912
    """The answer from rows of entries, condition by condition."""
    book = task.world().records.book
    people, rows = table(task)
    numbers = covered(book, question.diagnosis)
    index = {}
    for person, day, _, code, _ in rows:
        if code in numbers:
            index[person] = min(day, index.get(person, day))
    cohort = set(index)
    for form, name, low, high in question.criteria:
        keep = set()
        for person in cohort:
            start, (born, sex) = index[person], people[person]
            own = [row for row in rows if row[0] == person]
            deaths = [row[1] for row in own if row[2] == "death"]
            if form == "sex":
                good = sex == name
            elif form == "age":
                age = start.year - born.year
                if (start.month, start.day) < (born.month, born.day):
                    age -= 1
                good = low <= age <= high
            elif form in ("survived", "died"):
                dead = bool(deaths) and deaths[0] <= start + timedelta(days=low)
                good = dead == (form == "died")
            else:
                hits = [row for row in own if row[3] in covered(book, name)]
                days = [row[1] for row in hits]
                if form == "above":
                    (code,) = (code for code in book.codes if code.name == name)
                    top = Fraction(code.high, 100)
                    good = len([row for row in hits if row[4] > top]) >= low
                elif form.endswith("drug_after"):
                    window = [start + timedelta(days=n) for n in range(low + 1)]
                    good = bool(set(window) & set(days)) == (form == "drug_after")
                elif form == "drug_before":
                    window = [start - timedelta(days=n) for n in range(1, low + 1)]
                    good = bool(set(window) & set(days))
                else:
                    good = any(day < start for day in days) == (form == "also_before")
            if good:
                keep.add(person)
        cohort = keep
    if question.output == "count":
        return str(len(cohort))
    if question.output == "list":
        return ", ".join(map(str, sorted(cohort)))
    (code,) = (code for code in book.codes if code.name == question.measurement)
    per = Fraction(code.factors[code.units.index(question.unit)], 100)
    firsts = []
    for person in cohort:
        later = sorted(
            (row[1], row[4])
            for row in rows
            if row[0] == person
            and row[3] in covered(book, question.measurement)
            and row[1] >= index[person]
        )
        firsts += [later[0][1] / per] if later else []
    return f"{float(middle(firsts)) + 1e-9:.2f}"


@pytest.mark.parametrize(("level", "seeds"), [(0, 60), (1, 50), (2, 40), (3, 25), (4, 20), (6, 12)])
def test_the_oracle_wins_and_brute_force_agrees(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solution).value == 1
        assert len(task.solution) <= 0.9 * task.calls
        for question, answer in zip(task.questions, task.answers):
            assert brute_force(task, question) == answer, question


def test_the_oracle_needs_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    Client(persistent(caller(episode))).answer(task.questions)
    episode.step("done")
    assert episode.score.value == 1


def test_every_type_of_question_and_criterion_occurs() -> None:
    questions = [q for seed in range(60) for q in instance(seed, 4).questions]
    assert {question.output for question in questions} == {*FRAMES}
    assert {each.form for question in questions for each in question.criteria} == {*PHRASES}
    assert all(len(frames) >= 5 for frames in FRAMES.values())


def test_charts_have_traps() -> None:
    """Corrections, corrections of corrections, second numbers, and days at the end of a span."""
    changes, twice, edges, restored = set(), 0, 0, 0
    for seed in range(30):
        task = instance(seed, 4)
        records = task.world().records
        for patient in records.patients.values():
            twice += bool(patient.same)
            corrections = {e.number for e in patient.entries if e.type == "correction"}
            changes |= {e.change for e in patient.entries if e.change}
            restored += sum(e.target in corrections for e in patient.entries)
            assert len(effective(patient.entries)) <= len(patient.entries)
            assert all(line(records.book, entry) for entry in patient.entries)
        persons, terms = persons_of(records), terms_of(records)
        assert len(persons) < len(raw_persons(records))
        for question in task.questions:
            for each in question.criteria:
                if each.form == "drug_after":
                    for person in persons:
                        days = person.days(terms.codes(question.diagnosis))
                        drugs = person.days(terms.codes(each.name))
                        edges += bool(days) and min(days) + each.low in drugs
    assert changes == {"withdrawn", "value", "date"}
    assert min(twice, restored, edges) > 3


def test_ages_are_in_full_years() -> None:
    born = date(2000, 2, 29).toordinal()
    assert years(born, date(2041, 2, 28).toordinal()) == 40
    assert years(born, date(2041, 3, 1).toordinal()) == 41
    assert years(born, date(2040, 2, 29).toordinal()) == 40


@pytest.mark.parametrize("level", range(7))
def test_other_answers_earn_nothing_and_the_last_one_counts(level: int) -> None:
    for seed in range(6):
        task = instance(seed, level, busy=0)
        for number, (question, answer) in enumerate(zip(task.questions, task.answers), 1):
            wrongs = {
                "count": [str(int(answer) + 1) if answer.isdecimal() else "1", "0", "-1"],
                "list": ["", "none", answer + ", 999", answer.rpartition(", ")[0]],
                "median": [answer + "9", "0.00", "-" + answer],
            }[question.output]
            if question.output == "median":
                wrongs[0] = f"{float(answer) + 0.01:.2f}"
            for wrong in wrongs:
                extra = call("submit_answer", question=number, answer=wrong)
                assert score(task, *task.solution, extra).value == 0
                assert score(task, extra, *task.solution).value == 1
        other = [call("submit_answer", question=n, answer="7") for n in range(1, 9)]
        assert score(task, *other).value == 0 or task.answers == ("7",)


@pytest.mark.parametrize(
    ("form", "text", "canonical"),
    [
        ("number", "12", "12"),
        ("number", " 12 patients", "12"),
        ("number", "1,204", "1204"),
        ("number", "12.0", "12"),
        ("number", "**12**", "12"),
        ("number", "12.5", "12.5"),
        ("decimal", "5.1", "5.10"),
        ("decimal", "5.099 tamo/l", "5.10"),
        ("decimal", "$1,205.333", "1205.33"),
        ("decimal", "0.50%", "0.50"),
        ("numbers", "[3, 12, 3]", "3, 12"),
        ("numbers", "12\n3", "3, 12"),
        ("numbers", "patients 12 and 3", "3, 12"),
        ("numbers", '["12", "3"]', "3, 12"),
        ("numbers", "none", ""),
        ("text", ' "Ulor  Zak". ', "ulor zak"),
        ("texts", "Ulor, bak and Zak", "bak, ulor, zak"),
    ],
)
def test_answers_are_read_in_many_forms(form, text, canonical) -> None:
    assert read_answer(form, text) == canonical


def test_numbers_and_lists_may_be_submitted_as_such() -> None:
    for seed in range(12):
        task = instance(seed, 2, questions=1, busy=0)
        question, answer = task.questions[0], task.answers[0]
        value = [int(each) for each in answer.split(", ")] if question.output == "list" else 0
        move = json.dumps(
            {"name": "submit_answer", "arguments": {"answer": value or float(answer)}}
        )
        assert score(task, move).value == 1


def test_rewards_add_up_to_the_score() -> None:
    task = instance(5, 4)
    wrong = call("submit_answer", question=1, answer="1")
    for moves in ([*task.solution, "done"], [*task.solution, wrong, "done"], ["?", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_errors_and_busy_services_change_nothing() -> None:
    world = instance(2, 6).world()
    for move in (
        call("search_codes", text="x" * 10_000),
        call("search_codes", text="x", page=0),
        call("search_codes", text="", page=10**30),
        call("search_codes", text=3),
        call("read_code", code="no"),
        call("read_code", code="\u0130" * 90),
        call("search_patients", code="D000"),
        call("search_patients", sex="x"),
        call("search_patients", born_from="2061-02-30"),
        call("search_patients", born_from="9" * 5_000),
        call("search_patients", page=True),
        call("read_chart", patient=1),
        call("read_chart", patient=-(10**40)),
        call("read_chart", patient="1000"),
        call("submit_answer", question=0, answer="1"),
        call("submit_answer", question=10**30, answer="1"),
        call("submit_answer", question=1, answer="x" * 100_000),
        call("submit_answer", question=1, answer=["a", ["b"]]),
        call("submit_answer", question=1, answer=10**4000),
        call("submit_answer", question=1, answer=None),
        call("submit_answer", question=1, answer=1e300),
        call("submit_answer", question=1),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error")
        assert not world.changes()
    results = {world.use(call("search_codes", text="zzz"))[0] for _ in range(99)}
    assert results == {BUSY, "0 in all (page 1 of 1)"}


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    arguments = {"code": task.world().records.book.codes[0].code}
    named = json.dumps({"name": "search_patients", "arguments": arguments})
    forms = [
        call("search_patients", **arguments),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"[{named}]",
        f"search_patients({arguments['code']!r})",
        f"search_patients(code={arguments['code']!r}, page=1)",
        f"Action: search_patients\nAction Input: {json.dumps(arguments)}",
    ]
    results = {task.world().use(form) for form in forms}
    assert len(results) == 1
    assert " in all (page 1 of " in next(iter(results))[0]
    calls = [json.loads(move) for move in task.solution]
    assert score(task, json.dumps(calls)).value == 1


def test_search_and_charts_agree() -> None:
    """The search finds who has an entry with a code, and pages hold every entry once."""
    task = instance(1, 6, busy=0)
    world = task.world()
    rng = Random(1)
    for code in rng.sample(world.records.book.codes, 10):
        hits, page, pages = [], 1, 1
        while page <= pages:
            head, *lines = world.use(call("search_patients", code=code.code, page=page))[
                0
            ].splitlines()
            pages, page = int(head.split()[-1][:-1]), page + 1
            hits += map(int, lines)
        expected = [
            number
            for number, patient in world.records.patients.items()
            if any(
                e.code >= 0 and world.records.book.codes[e.code] == code for e in patient.entries
            )
        ]
        assert hits == expected


def test_replays_give_the_same_states() -> None:
    task = instance(7, 3)
    episodes = [Episode(task, BARE) for _ in range(2)]
    for move in task.solution:
        for episode in episodes:
            episode.step(move)
        if episodes[0].scores is None:
            assert episodes[0].turn.state == episodes[1].turn.state


@pytest.mark.parametrize(("level", "limit"), [(1, 0.05), (3, 0.05), (6, 0.05)])
def test_players_without_understanding_earn_little(level: int, limit: float) -> None:
    values = baseline_scores(NAME, level, range(30))
    assert max(values.values()) <= limit
    assert values["do nothing"] == 0


@pytest.mark.parametrize("level", [2, 4, 6])
def test_random_calls_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(20):
        task = instance(seed, level)
        patients = [*task.world().records.patients]
        moves = [call("read_chart", patient=rng.choice(patients)) for _ in range(5)]
        for n in range(1, len(task.questions) + 1):
            answer = rng.choice([str(rng.randint(1, 20)), str(rng.choice(patients))])
            moves.append(call("submit_answer", question=n, answer=answer))
        values.append(score(task, *moves).value)
    assert sum(values) / len(values) <= 0.05
