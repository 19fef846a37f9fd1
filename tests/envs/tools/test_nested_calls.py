"""Tests of tools/nested_calls."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from time import process_time
from typing import Any

import pytest
from tests.envs.sampling import sample

from palaestra.envs.tools.nested_calls import NestedCalls
from palaestra.generators.tools.nested_calls.interfaces import (
    ARITY,
    Documentation,
    Function,
    argument_types,
    taken,
)
from palaestra.generators.tools.nested_calls.meanings import (
    CHARGES,
    MEASURES,
    NOUNS,
    RELATIONS,
    UNITS,
)
from palaestra.generators.tools.nested_calls.programs import (
    Failure,
    Id,
    Ids,
    applied,
    read_program,
    run,
)
from palaestra.generators.tools.nested_calls.records import RECORDS, Records
from palaestra.generators.tools.nested_calls.steps import Step
from palaestra.generators.tools.nested_calls.wording import (
    DEFINITIONS,
    FRAMES,
    QUESTIONS,
    request_in_words,
)
from palaestra.task import InvalidAnswer

LEVELS = range(7)
SIZES = {unit: size for units in UNITS.values() for unit, size in units.items()}


def entries(task: NestedCalls) -> list[dict[str, Any]]:
    calls = json.loads(task.answer())
    assert isinstance(calls, list)
    return calls


def labelled(task: NestedCalls) -> list[dict[str, Any]]:
    """The calls of the answer, the last one with a name as well."""
    calls = entries(task)
    calls[-1]["as"] = f"r{len(calls)}"
    return calls


def value(task: NestedCalls, calls: list[dict[str, Any]]) -> float:
    return task.verify(json.dumps(calls)).value


@pytest.mark.parametrize("level", LEVELS)
def test_the_oracle_wins(level: int) -> None:
    for seed in range(40):
        task = sample(NestedCalls, seed, level)
        score = task.verify(task.answer())
        assert (score.value, score.parts) == (1, {"format": 1, "progress": 1})
        assert task.audit(task.answer())
        assert len(task.functions) == task.Knobs.at(level).functions
        functions = [each.name for each in task.functions]
        parameters = [name for each in task.functions for name in each.parameters]
        assert len({*functions, *parameters}) == len(functions) + len(parameters)
        assert len({each.meaning() for each in task.functions}) == len(functions)


def chosen(step: Step, records: Records, column: list[int], one: Any, other: Any) -> Any:
    """The record or the records that a step results in."""
    in_order = 1 if step.above else -1
    match step.operation:
        case "named":
            return records.names[step.record, step.text.lower()]
        case "related":
            return records.links(step.origin, step.key)[one]
        case "owned":
            links = records.links(step.record, step.key)
            return {n for n in range(RECORDS) if links[n] == one}
        case "select":
            bound = step.number * SIZES[step.unit]
            over = {n for n in one if in_order * column[n] > in_order * bound}
            return over | {n for n in one if step.inclusive and column[n] == bound}
        case "extreme":
            ranks = {n: sum(in_order * column[m] > in_order * column[n] for m in one) for n in one}
            (best,) = (n for n in one if ranks[n] == step.number - 1)
            return best
    return one & other if step.operation == "both" else one - other


def brute_force(task: NestedCalls, records: Records) -> Fraction:
    """The result that the question asks for, from the columns of a data set."""
    results: list[Any] = []
    for step in task.steps:
        one, other = ([results[n] for n in step.sources] + [None, None])[:2]
        column = records.values(step.record, step.key) if step.key in MEASURES else []
        match step.operation:
            case "measure":
                result: Any = column[one]
            case "total":
                result = sum(column[n] for n in one)
            case "count":
                result = len(one)
            case "plus":
                result = one + other
            case "minus" if not isinstance(one, set):
                result = one - other
            case "times":
                result = one * step.number
            case "parts":
                result = Fraction(one) / step.number
            case "charge":
                result = records.charge(step.record, step.key, one, Fraction(other))
            case _:
                result = chosen(step, records, column, one, other)
        results.append(result)
    return Fraction(results[-1]) / SIZES[task.unit]


@pytest.mark.parametrize("level", LEVELS)
def test_programs_return_what_brute_force_finds(level: int) -> None:
    for seed in range(30):
        task = sample(NestedCalls, seed, level)
        program = read_program(task.answer(), task.by_name)
        results = []
        for records, _ in task.expected:
            *_, last = run(program, task.by_name, task.records_schema, records)
            assert last == brute_force(task, records)
            results.append(last)
        assert len(set(map(str, results))) >= 3  # no constant is right


PURPOSES = {
    "related": r"Returns the id of (?P<r>.+)\.",
    "owned": r"Lists (?P<r>.+), by their ids\.",
    "measure": r"Returns the (?P<m>.+?) of an? \w+(?: in (?P<u>.+))?\.",
    "total": r"Adds up the (?P<m>.+) of several \w+\. Returns the sum(?: in (?P<u>.+))?\.",
    "mean": r"Returns the average (?P<m>.+) of several \w+?(?: in (?P<u>.+))?\.",
    "extreme": r"Returns the one of several \w+ with the "
    r"(?P<e>greatest|smallest) (?P<m>.+): the id\.",
    "select": (
        r"Returns those \w+ of a list whose (?P<m>.+) is "
        r"(?P<e>more than|less than|at least|at most) a bound in (?P<u>.+)\."
    ),
    "convert": r"Converts an amount from (?P<u>.+) to (?P<v>.+)\.",
    "charge": r"Returns (?P<c>what .+), in (?P<u>.+)\.",
    "minus": r"Returns (?P<x>\w+) less (?P<y>\w+)\.",
    "parts": r"Returns (?P<x>\w+) divided by (?P<y>\w+)\.",
    "without": r"Returns the \w+ that are in (?P<x>\w+) but not in (?P<y>\w+)\.",
}


def from_words(task: NestedCalls, function: Function, records: Records, values: list[Any]) -> Any:
    """What the documentation says that a function returns."""
    text = Documentation(task.records_schema).of(function)
    purpose = text.splitlines()[1].strip()
    match = re.fullmatch(PURPOSES[function.work], purpose)
    assert match, purpose
    groups = {"m": "", "u": None, **match.groupdict()}
    number = function.record
    keys = [
        key
        for key, each in MEASURES.items()
        if each.gloss == groups["m"] and each.sort == task.records_schema.sort(number)
    ]
    column = records.values(number, keys[0]) if keys else []
    unit = groups["u"]
    if unit is None and keys and function.work != "extreme":
        default = re.search(r'text = "([a-z ]+)"', text)
        assert default
        unit = default[1]
    one = values[0]
    match function.work:
        case "measure":
            return Fraction(column[one.number], SIZES[unit])
        case "total":
            return Fraction(sum(column[n] for n in one.numbers), SIZES[unit])
        case "mean":
            return Fraction(sum(column[n] for n in one.numbers), SIZES[unit] * len(one.numbers))
        case "extreme":
            sign = 1 if groups["e"] == "greatest" else -1
            return Id(number, max(one.numbers, key=lambda n: sign * column[n]))
        case "select":
            bound = values[1] * SIZES[unit]
            tests = {
                "more than": lambda n: n > bound,
                "less than": lambda n: n < bound,
                "at least": lambda n: n >= bound,
                "at most": lambda n: n <= bound,
            }
            return Ids(number, tuple(n for n in one.numbers if tests[groups["e"]](column[n])))
        case "convert":
            return one * SIZES[groups["u"]] / SIZES[groups["v"]]
        case "minus" | "parts" | "without":
            named = dict(zip(function.parameters, values))
            x, y = named[groups["x"]], named[groups["y"]]
            if function.work == "without":
                return Ids(number, tuple(n for n in x.numbers if n not in y.numbers))
            return x - y if function.work == "minus" else x / y
        case "charge":
            (argument,) = re.findall(r"The \w+ in ([a-z ]+)\.", text)
            amount = values[1] * SIZES[argument]
            return records.charge(number, function.key, one.number, amount) / SIZES[groups["u"]]
    return None


def some_value(rng: Random, expected: str, record: int) -> Any:
    if expected == "id":
        return Id(record, rng.randrange(RECORDS))
    if expected == "ids":
        return Ids(record, tuple(sorted(rng.sample(range(RECORDS), rng.randint(1, RECORDS)))))
    return Fraction(rng.randint(1, 60))


def test_functions_do_what_their_documentation_says() -> None:
    """Another reading of the documentation, from its text, agrees on random arguments."""
    rng, checked = Random(3), set[str]()
    for seed in range(40):
        task = sample(NestedCalls, seed, 6)
        records = task.expected[0][0]
        for function in task.functions:
            if function.work not in PURPOSES or function.work in {"related", "owned"}:
                continue
            types = argument_types(function)[: ARITY[function.work]]
            record = taken(task.records_schema, function)
            values = [some_value(rng, each, record) for each in types]
            options = [None] * function.has_option
            result = applied(records, function, values + options)
            assert result == from_words(task, function, records, values)
            checked.add(function.work)
    assert checked == PURPOSES.keys() - {"related", "owned"}


def test_relations_are_told_apart_by_their_words() -> None:
    for way in ("gloss", "gloss_back"):
        texts = [getattr(each, way) for each in RELATIONS.values()]
        assert len(set(texts)) == len(texts)
    phrases = [text for each in RELATIONS.values() for text in (*each.forward, *each.backward)]
    phrases += [text for each in CHARGES.values() for text in each.requests]
    assert len(set(phrases)) == len(phrases)
    for sort in ("thing", "person", "site"):
        names = [n for each in MEASURES.values() if each.sort == sort for n in each.requests]
        assert len(set(names)) == len(names)
    nouns = [n for each in NOUNS for n in each[1:]]
    assert len(set(nouns)) == len(nouns)


def test_every_slip_in_a_needed_function_is_wrong() -> None:
    """Another function of the same types in place of a needed one does not give the right result,
    unless a second opinion says that it does the same.
    """
    wrong = 0
    for seed in range(25):
        task = sample(NestedCalls, seed, 4)
        calls = entries(task)
        for n, entry in enumerate(calls):
            own = task.by_name[entry["tool"]]
            for other in task.functions:
                same = (other.work, other.record) == (own.work, own.record)
                if other.name == own.name or not same or other.has_option != own.has_option:
                    continue
                names = dict(zip(own.parameters, other.parameters))
                arguments = {names[key]: each for key, each in entry["args"].items()}
                changed = [*calls]
                changed[n] = entry | {"tool": other.name, "args": arguments}
                text = json.dumps(changed)
                assert task.verify(text).value == 0 or task.audit(text)
                wrong += task.verify(text).value == 0
    assert wrong > 100


def test_units_matter() -> None:
    """A program without one of its conversions is wrong."""
    checked = 0
    for seed in range(40):
        task = sample(NestedCalls, seed, 5)
        calls = labelled(task)
        for n, entry in enumerate(calls[:-1]):
            if task.by_name[entry["tool"]].work != "convert":
                continue
            ((_, source),) = entry["args"].items()
            text = json.dumps(calls[:n] + calls[n + 1 :]).replace(
                f'"${entry["as"]}"', f'"{source}"'
            )
            assert task.verify(text).value == 0
            checked += 1
    assert checked >= 10


def test_other_programs_with_the_right_result_are_right() -> None:
    """Calls in another order, with other names, with more calls, by numbers."""
    rng = Random(5)
    for level in LEVELS:
        task = sample(NestedCalls, level, level)
        calls = labelled(task)
        by_number = json.dumps([{k: v for k, v in each.items() if k != "as"} for each in calls])
        for n, each in enumerate(calls, 1):
            by_number = re.sub(rf"\${each['as']}(?=[\".])", f"${n}", by_number)
        assert task.verify(by_number).value == 1
        renamed = re.sub(r"\br(\d+)\b", r"step_\1", json.dumps(calls))
        assert task.verify(renamed).value == 1
        assert value(task, [calls[0] | {"as": "twice"}, *calls]) == 1
        assert value(task, [*calls, calls[0] | {"as": "last"}]) == 0
        assert value(task, calls[:-1]) == 0
        if len(calls) > 2:
            shuffled = [*calls]
            rng.shuffle(shuffled)
            known: set[str] = set()
            runs = True
            for each in shuffled:
                used = re.findall(r"\$(\w+)", json.dumps(each["args"]))
                runs &= known.issuperset(used)
                known.add(each["as"])
            assert value(task, shuffled) == (runs and shuffled[-1] == calls[-1])


def test_a_longer_way_is_right_too() -> None:
    """Twice half of a quantity is the quantity."""
    done = 0
    for seed in range(60):
        task = sample(NestedCalls, seed, 6)
        works = {each.work: each for each in task.functions}
        if not {"times", "parts"} <= works.keys():
            continue
        calls = labelled(task)
        for work in ("parts", "times"):
            one, other = works[work].parameters
            if not works[work].above:
                one, other = other, one
            source = f"${calls[-1]['as']}"
            calls.append({"tool": works[work].name, "args": {one: source, other: 2}, "as": work})
        assert value(task, calls) == 1
        assert value(task, calls[:-1]) == 0
        done += 1
    assert done


def test_dialects() -> None:
    task = sample(NestedCalls, 3, 2)
    calls = [each | {"as": str(n)} for n, each in enumerate(labelled(task), 1)]
    text = json.dumps(calls)
    for n, each in enumerate(labelled(task), 1):
        text = re.sub(rf"\${each['as']}(?=[\".])", f"${n}", text)
    calls = json.loads(text)
    openai = [{"name": each["tool"], "arguments": each["args"]} for each in calls]
    python = [
        f"{each['tool']}({', '.join(f'{k}={v!r}' for k, v in each['args'].items())})"
        for each in calls
    ]
    forms = [
        json.dumps(openai),
        "[TOOL_CALLS] " + json.dumps(openai),
        json.dumps(
            {
                "tool_calls": [
                    {
                        "id": f"call_{n}",
                        "type": "function",
                        "function": each | {"arguments": json.dumps(each["arguments"])},
                    }
                    for n, each in enumerate(openai)
                ]
            }
        ),
        "\n".join(map(json.dumps, openai)),
        "\n".join(f"<tool_call>{json.dumps(each)}</tool_call>" for each in openai),
        "\n".join(f"<tool_call>{json.dumps(each)}</tool_call>" for each in calls),
        "\n".join(python),
        f"[{', '.join(python)}]",
        f"Here it is:\n```json\n{text}\n```",
        text.replace('"as"', '"label"'),
        re.sub(r'"\$(\d+)"', r'"${\1}"', text),
    ]
    for form in forms:
        assert task.verify(form).value == 1, form


def test_names_of_records_and_units_are_read_in_any_case() -> None:
    task = sample(NestedCalls, 1, 3)
    text = task.answer()
    for name in {step.text for step in task.steps if step.text}:
        text = text.replace(f'"{name}"', f'" {name.upper()} "')
    assert text != task.answer()
    assert task.verify(text).value == 1


def test_bad_answers_are_refused_with_a_reason() -> None:
    task = sample(NestedCalls, 2, 3)
    calls = labelled(task)
    for text in ("", "[]", "7", "{", "[1]", '{"as": "x"}', "none", json.dumps(calls * 20)):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
    with pytest.raises(InvalidAnswer):
        task.verify(json.dumps([*calls, calls[0]]))  # the same name twice
    first = calls[0]
    ((name, argument),) = first["args"].items()
    for changed, reason in (
        ({"tool": "no_such"}, "there is no function"),
        ({"args": {}}, "needs the argument"),
        ({"args": {name: argument, "more": 1}}, "has no argument"),
        ({"args": {name: 5}}, "another type"),
        ({"args": {name: [argument]}}, "another type"),
        ({"args": {name: None}}, "another type"),
        ({"args": {name: "$r2"}}, "no call before it"),
        ({"args": {name: "nobody"}}, "nothing of this name"),
    ):
        score = task.verify(json.dumps([first | changed, *calls[1:]]))
        assert score.value == 0
        assert score.reason.startswith("call 1: ")
        assert reason in score.reason
    assert value(task, [{**calls[0], "args": {name: f"${{{calls[0]['as']}}}"}}, *calls[1:]]) == 0


def test_numbers_cannot_grow_without_end() -> None:
    task = next(
        each
        for each in (sample(NestedCalls, seed, 6) for seed in range(50))
        if any(function.work == "times" for function in each.functions)
    )
    times = next(each for each in task.functions if each.work == "times")
    one, other = times.parameters
    calls = [{"tool": times.name, "args": {one: 10**290, other: 7}, "as": "a0"}]
    for n in range(1, 60):
        arguments = {one: f"$a{n - 1}", other: f"$a{n - 1}"}
        calls.append({"tool": times.name, "args": arguments, "as": f"a{n}"})
    start = process_time()
    score = task.verify(json.dumps(calls))
    assert "too long" in score.reason
    assert process_time() - start < 0.1
    records = task.expected[0][0]
    program = read_program(json.dumps(calls), task.by_name)
    with pytest.raises(Failure):
        list(run(program, task.by_name, task.records_schema, records))


def test_progress_counts_results_on_the_way() -> None:
    task = sample(NestedCalls, 4, 5)
    calls = labelled(task)
    shares = [
        task.verify(json.dumps(calls[:n])).parts["progress"] for n in range(1, len(calls) + 1)
    ]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-2] < 1
    assert shares[-1] == 1


def test_wordings_differ_and_ask_the_same() -> None:
    """A request has dozens of wordings, and all of them have its names and numbers."""
    task = sample(NestedCalls, 6, 4)
    texts = {
        request_in_words(task.records_schema, task.steps, task.unit, wording)
        for wording in range(60)
    }
    assert len(texts) >= 30
    for text in texts:
        assert all(step.text in text for step in task.steps)
        assert task.unit in text


@pytest.mark.parametrize("level", [3, 6])
def test_players_without_understanding_earn_nothing(level: int) -> None:
    earned: dict[str, float] = {}
    for seed in range(60):
        task = sample(NestedCalls, seed, level)
        for name, answer in task.baselines(Random(seed)).items():
            try:
                earned[name] = earned.get(name, 0) + task.verify(answer).value / 60
            except InvalidAnswer:
                continue
    assert max(earned.values()) <= (0.15 if level == 3 else 0.05)


# Another reading of the request, of its words alone

PIECE = re.compile(r"\{(\w+)\}")
BOUNDS = {
    "more than": (1, False), "over": (1, False), "less than": (-1, False), "under": (-1, False),
    "no less than": (1, True), "no more than": (-1, True),
}  # fmt: skip
RANKED = {"": 1, "second ": 2, "third ": 3}


class Words:
    """Finds all that a phrase can mean on a data set: records, lists of them and quantities."""

    def __init__(self, task: NestedCalls, records: Records) -> None:
        self.schema, self.records = task.records_schema, records
        self.letters: dict[str, Any] = {}
        self.known: dict[str, set[Any]] = {}
        self.nouns = {NOUNS[n].request: r for r, n in enumerate(self.schema.nouns)}
        self.plurals = {NOUNS[n].requests: r for r, n in enumerate(self.schema.nouns)}
        measures: dict[str, list[str]] = {}
        for key, measure in MEASURES.items():
            for text in measure.requests:
                measures.setdefault(text, []).append(key)
        ends = {f"{r}{e}": (n, e) for r, n in RANKED.items() for e in ("highest", "lowest")}
        self.closed = {
            "noun": self.nouns, "F": self.nouns, "nouns": self.plurals, "es": self.plurals,
            "a": measures, "an": {"a": "", "an": ""}, "end": ends,
        }  # fmt: skip
        self.frames = [(op, "", frame) for op, frames in FRAMES.items() for frame in frames]
        for key, relation in RELATIONS.items():
            texts = [each.replace("{e}", "{x}") for each in relation.forward]
            self.frames += [("related", key, each) for each in texts]
            texts = [each.replace("{f}", "{x}") for each in relation.backward]
            self.frames += [("owned", key, each) for each in texts]
        for key, charge in CHARGES.items():
            texts = [each.replace("{e}", "{x}").replace("{q}", "{y}") for each in charge.requests]
            self.frames += [("charge", key, each) for each in texts]

    def request(self, text: str, unit: str) -> set[Fraction]:
        """What a request can ask for, in its unit."""
        *definitions, question = re.split(r"(?<=\.) ", text)
        for sentence in definitions:
            for frame in DEFINITIONS:
                pattern = re.escape(frame).replace(r"\{letter\}", "(?P<letter>[A-Z])")
                if match := re.fullmatch(pattern.replace(r"\{x\}", "(?P<x>.+)"), sentence):
                    (self.letters[match["letter"]],) = self.readings(match["x"])
        answers: set[Fraction] = set()
        for frame in QUESTIONS:
            filled = frame.replace("{unit}", f" in {unit}" if unit else "")
            before, after = filled.split("{x}")
            if question.startswith(before) and question.endswith(after):
                phrase = question[len(before) : len(question) - len(after)]
                answers |= {each[2] for each in self.readings(phrase) if each[0] == "quantity"}
        return {each / SIZES[unit] for each in answers}

    def readings(self, text: str) -> set[Any]:
        if text in self.letters:
            return {self.letters[text]}
        if text not in self.known:
            self.known[text] = set()
            for operation, key, frame in self.frames:
                for slots in self.slots(PIECE.split(frame), text):
                    self.known[text] |= {*self.meanings(operation, key, slots)}
        return self.known[text]

    def slots(self, parts: list[str], text: str) -> Iterator[dict[str, Any]]:
        """All ways in which a frame fits a phrase."""
        literal, *rest = parts
        if not text.startswith(literal):
            return
        text = text[len(literal) :]
        if not rest:
            if not text:
                yield {}
            return
        name, *after = rest
        starts = [n for n in range(1, len(text) + 1) if text.startswith(after[0], n)]
        for n in starts:
            values = self.slot(name, text[:n])
            if values:
                for others in self.slots(after, text[n:]):
                    yield from ({name: value, **others} for value in values)

    def slot(self, name: str, text: str) -> list[Any]:
        if name in self.closed:
            table = self.closed[name]
            return [table[text]] if text in table else []
        if name == "n":
            return [int(text)] if text.isdecimal() else []
        if name == "text":
            return [text] if text.isalpha() and text.istitle() and len(text) > 1 else []
        if name == "b":
            match = re.fullmatch(r"(?:([a-z ]+?) )?(\d+) ([a-z ]+?)(?: or (more|less))?", text)
            if not match or match[3] not in SIZES or bool(match[1]) == bool(match[4]):
                return []
            if match[1] and match[1] not in BOUNDS:
                return []
            side = BOUNDS[match[1]] if match[1] else ((1 if match[4] == "more" else -1), True)
            return [(*side, int(match[2]), match[3])]
        return [text]  # a phrase, which is read later

    def keys(self, slots: dict[str, Any], record: int) -> list[str]:
        return [k for k in slots["a"] if MEASURES[k].sort == self.schema.sort(record)]

    def meanings(self, operation: str, key: str, slots: dict[str, Any]) -> Iterator[Any]:
        if operation == "named":
            where = slots["noun"], slots["text"].casefold()
            if where in self.records.names:
                yield "record", slots["noun"], self.records.names[where]
            return
        for one in self.readings(slots["x"]):
            others = self.readings(slots["y"]) if "y" in slots else {None}
            for other in others:
                yield from self.meaning(operation, key, slots, one, other)

    def meaning(
        self, operation: str, key: str, slots: dict[str, Any], one: Any, other: Any
    ) -> Iterator[Any]:
        kind, about, value = one
        if operation == "related" and kind == "record":
            for link in self.schema.links:
                if link == (key, about, slots["F"]):
                    yield "record", slots["F"], self.records.links(about, key)[value]
        if operation == "owned" and kind == "record":
            for link in self.schema.links:
                if link == (key, slots["es"], about):
                    column = self.records.links(slots["es"], key)
                    chosen = frozenset(n for n in range(RECORDS) if column[n] == value)
                    yield "records", slots["es"], chosen
        if kind == "quantity":
            yield from self.amount(operation, slots, one, other)
        if operation == "charge" and kind == "record" and other[0] == "quantity":
            charge = CHARGES[key]
            if (charge.sort, charge.family) == (self.schema.sort(about), other[1]):
                yield "quantity", "money", self.records.charge(about, key, value, other[2])
        if operation == "measure" and kind == "record":
            for name in self.keys(slots, about):
                amount = Fraction(self.records.values(about, name)[value])
                yield "quantity", MEASURES[name].family, amount
        if kind == "records" and slots.get("nouns", slots.get("noun", about)) == about:
            yield from self.of_records(operation, slots, one, other)

    def amount(self, operation: str, slots: dict[str, Any], one: Any, other: Any) -> Iterator[Any]:
        kind, family, value = one
        if other and other[:2] == (kind, family) and operation in {"plus", "minus"}:
            yield kind, family, value + other[2] * (1 if operation == "plus" else -1)
        if operation in {"times", "parts"}:
            yield kind, family, value * slots["n"] if operation == "times" else value / slots["n"]

    def of_records(
        self, operation: str, slots: dict[str, Any], one: Any, other: Any
    ) -> Iterator[Any]:
        kind, about, some = one
        if operation == "count":
            yield "quantity", "number", Fraction(len(some))
        if other and other[:2] == (kind, about) and operation in {"both", "without"}:
            yield kind, about, some & other[2] if operation == "both" else some - other[2]
        for name in self.keys(slots, about) if "a" in slots else ():
            column, family = self.records.values(about, name), MEASURES[name].family
            if operation == "total":
                yield "quantity", family, Fraction(sum(column[n] for n in some))
            if operation == "extreme" and some:
                rank, end = slots["end"]
                ordered = sorted(some, key=lambda n: column[n], reverse=end == "highest")
                if rank <= len(ordered):
                    yield "record", about, ordered[rank - 1]
            if operation == "select" and slots["b"][3] in UNITS[family]:
                sign, within, number, unit = slots["b"]
                bound = number * SIZES[unit]
                over = {n for n in some if sign * column[n] > sign * bound}
                over |= {n for n in some if within and column[n] == bound}
                yield kind, about, frozenset(over)


@pytest.mark.parametrize("level", LEVELS)
def test_the_words_of_a_request_mean_one_thing_and_that_is_wanted(level: int) -> None:
    for seed in range(12):
        task = sample(NestedCalls, seed + 70, level)
        for records, _ in task.expected[:2]:
            for wording in (task.wording, task.wording + 1 + seed):
                text = request_in_words(task.records_schema, task.steps, task.unit, wording)
                meanings = Words(task, records).request(text, task.unit)
                assert meanings == {brute_force(task, records)}, text
