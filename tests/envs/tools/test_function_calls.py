"""Tests of tools/function_calls."""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random
from time import process_time
from typing import Any

import pytest
from tests.envs.sampling import sample

from palaestra.envs.tools.function_calls import FunctionCalls
from palaestra.generators.tools.function_calls import requests
from palaestra.generators.tools.function_calls.interfaces import Parameter, described
from palaestra.generators.tools.function_calls.meanings import ACTIONS, AXES, NOUNS, ROLES
from palaestra.generators.tools.function_calls.values import FORMS, encoded, phrased
from palaestra.scoring import score
from palaestra.task import InvalidAnswer

LEVELS = range(7)


def with_calls(level: int, seeds: int = 40) -> Iterator[FunctionCalls]:
    """Tasks whose requests come to calls."""
    for seed in range(seeds):
        yield sample(FunctionCalls, seed, level, irrelevant=0, incomplete=0)


def entries(task: FunctionCalls) -> list[dict[str, Any]]:
    answer = json.loads(task.answer())
    return answer if isinstance(answer, list) else [answer]


@pytest.mark.parametrize("level", LEVELS)
def test_the_oracle_wins(level: int) -> None:
    for seed in range(60 if level < 5 else 25):
        task = sample(FunctionCalls, seed, level)
        result = task.verify(task.answer())
        assert result.value == 1
        assert result.parts == {"format": 1, "tool": 1, "arguments": 1, "progress": 1}
        assert len(task.functions) == task.Knobs.at(level).functions
        names = [f.name for f in task.functions]
        arguments = [p.name for f in task.functions for p in f.parameters]
        assert len({*names, *arguments}) == len(names) + len(arguments)


def test_shares_of_outcomes_are_as_the_knobs_say() -> None:
    for knob, start in (("irrelevant", "none"), ("incomplete", "missing: ")):
        knobs = {"irrelevant": 0, "incomplete": 0, knob: 100}
        for level in LEVELS:
            for seed in range(10):
                task = sample(FunctionCalls, seed, level, **knobs)
                assert task.answer().startswith(start)
                assert task.verify(task.answer()).correct
    assert all("tool" in task.answer() for task in with_calls(3))


# Another reading, of the prompt alone

SIZES = {
    "minute": 1, "hour": 60, "day": 1440, "week": 7 * 1440, "millimetre": 1, "centimetre": 10,
    "metre": 1000, "kilometre": 10**6, "gram": 1, "kilogram": 1000, "tonne": 10**6,
    "millilitre": 1, "litre": 1000, "cubic metre": 10**6, "cent": 1, "euro": 100, "piece": 1,
    "pair": 2, "dozen": 12,
}  # fmt: skip
NUMERALS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
CLAUSES = r"(?P<c>(?:[^.?]|\.\d)+?)"


def template(text: str, **groups: str) -> str:
    """A format string as a regular expression."""
    parts = re.split(r"\{(\w+)\}", text)
    return "".join(groups[p] if n % 2 else re.escape(p) for n, p in enumerate(parts))


def either(texts: Any) -> str:
    return "(?:" + "|".join(texts) + ")"


def ask_patterns() -> list[tuple[re.Pattern[str], int | None]]:
    noun = either(re.escape(each) for n in NOUNS for each in n.requests)
    record = rf"the (?P<noun>{noun})(?: (?P<label>[A-Z]\w+|\d+))? \((?P<trait>[^)]+)\)"
    frames: list[tuple[re.Pattern[str], int | None]] = []
    for n, action in enumerate(ACTIONS):
        for wish in action.requests:
            for frame in (*requests.WISHES, *requests.BARE_WISHES):
                text = template(frame, do=template(wish, r=record), clauses=CLAUSES)
                frames.append((re.compile(text + r"(?: |$)", re.IGNORECASE), n))
    for frame in (*requests.REPETITIONS, *requests.BARE_REPETITIONS):
        text = template(frame, r=record, clauses=CLAUSES)
        frames.append((re.compile(text + r"(?: |$)", re.IGNORECASE), None))
    return frames


ASKS = ask_patterns()
ROLE_PATTERNS = [
    (key, re.compile(template(text, v="(.+)"), re.IGNORECASE), n)
    for key, role in ROLES.items()
    for n, text in enumerate(role.clauses)
]


def read_clause(text: str) -> tuple[str, str]:
    """The role and the words of a clause, which fits the wordings of one role alone."""
    fitting = {}
    for key, pattern, n in ROLE_PATTERNS:
        if match := pattern.fullmatch(text):
            words = match[1] if match.groups() else "yes" if n < 2 else "no"
            if ROLES[key].family != "choice" or words.lower() in str(ROLES[key].options).lower():
                fitting[key] = words
    ((key, words),) = fitting.items()
    return key, words


def read_request(text: str) -> list[dict[str, Any]]:
    """The things that a request wants, each with all that is said of it."""
    asks: list[dict[str, Any]] = []
    while text:
        matches = [(m, n) for pattern, n in ASKS if (m := pattern.match(text))]
        match, action = max(matches, key=lambda pair: pair[0].end())
        groups = match.groupdict()
        stated = dict(map(read_clause, groups["c"].split("; "))) if groups.get("c") else {}
        if action is None:
            action, stated = asks[-1]["action"], {**asks[-1]["mentions"], **stated}
        asks.append({**groups, "action": action, "mentions": stated})
        text = text[match.end() :]
    return asks


def amount(text: str) -> Decimal:
    total = Decimal(0)
    for part in text.lower().split(" and "):
        number, unit = part.split(" ", 1)
        size = SIZES.get(unit) or SIZES[unit.removesuffix("s")]
        total += size * Decimal(NUMERALS.index(number) if number in NUMERALS else number)
    return total


def day(text: str) -> date:
    head, word, rest = re.fullmatch(r"(?:(.+) (after|before) )?(.+)", text).groups()  # type: ignore[union-attr]
    for form in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y"):
        try:
            start = datetime.strptime(rest, form).date()
        except ValueError:
            continue
    if head:
        count, unit = head.lower().split()
        number = {"the": 1, "a": 1, "two": 2, "three": 3}[count]
        days = number * (7 if unit.startswith("week") else 1)
        start += timedelta(days=days) if word == "after" else -timedelta(days=days)
    return start


def clock(text: str) -> datetime:
    if match := re.fullmatch(r"(half past|a quarter past|a quarter to) (\d+) in .*(\w{4})", text):
        half = "am" if text.endswith("morning") else "pm"
        minutes = {"half past": 30, "a quarter past": 15, "a quarter to": -15}[match[1]]
        hour = int(match[2])
        if match[1] == "a quarter to":
            hour, minutes = (hour - 2) % 12 + 1, 45
        return datetime.strptime(f"{hour}:{minutes} {half}", "%I:%M %p")
    form = "%I:%M %p" if text.endswith("m") else "%H:%M"
    return datetime.strptime(text, form)


def value(documentation: str, role: str, text: str) -> Any:
    """The value of an argument by its documentation."""
    family = ROLES[role].family
    form = documentation.partition(". ")[0]
    if family in {"duration", "length", "mass", "volume", "money", "count"}:
        unit = form.rpartition(", in ")[2]
        number = amount(text) / (SIZES.get(unit) or SIZES[unit.removesuffix("s")])
        assert number == int(number)
        return int(number)
    if family == "date":
        return day(text).strftime("%Y-%m-%d" if form.endswith("DD") and "-" in form else "%Y%m%d")
    if family == "time":
        moment = clock(text)
        in_minutes = form.endswith("minutes after midnight")
        return moment.hour * 60 + moment.minute if in_minutes else moment.strftime("%H:%M")
    if family == "choice":
        pattern = r'("?\w+"?) if ([^,]+?) \(also called ([^)]+)\)'
        (code,) = [c for c, *names in re.findall(pattern, form) if text in names]
        return json.loads(code)
    if family == "flag":
        true, _ = re.fullmatch("True if (.+), false if (.+)", form).groups()  # type: ignore[union-attr]
        return (text == "yes") == (not true.startswith("no "))
    if family == "list":
        names = re.split(", | and ", text)
        return sorted(names) if form.endswith("alphabetical order") else names
    return text


def role_of(documentation: str) -> str:
    lowered = documentation[0].lower() + documentation[1:]
    for key, role in ROLES.items():
        truth, _, opposite = role.gloss.partition("|")
        flags = {f"True if {truth}, false if {opposite}", f"True if {opposite}, false if {truth}"}
        wording = re.escape(role.gloss) + r"(,|:|\.| as | in )"
        if documentation.partition(". ")[0] in flags or re.match(wording, lowered):
            return key
    assert re.match(r"The (name|number) of the ", documentation)
    return ""


def read_prompt(prompt: str) -> str:
    """The answer, in sorted form, by another reading of the prompt."""
    _, types, _, rest = re.split(r"\n\n(?=Types|Functions)|(?<=:)\n\n", prompt, maxsplit=3)
    functions_text, _, rest = rest.partition("\n\nRequest:\n")
    glosses = dict(line[2:].split(": ") for line in types.splitlines()[1:])
    functions = []
    for block in functions_text.split("\n\n"):
        first, purpose, *lines = block.splitlines()
        documented = dict(line.strip().split(": ", 1) for line in lines)
        assert first.partition("(")[2].count(": ") == len(documented)
        functions.append((first.partition("(")[0], purpose.strip(), documented))
    calls, missing = [], []
    for ask in read_request(rest.split("\n\n")[0]):
        chosen = [each for each in functions if suits(ask, each[1], glosses)]
        if not chosen:
            return "none"
        ((name, _, documented),) = chosen
        arguments = {}
        for argument, text in documented.items():
            role = role_of(text)
            if role in ask["mentions"]:
                arguments[argument] = value(text, role, ask["mentions"][role])
            elif not role and ask["label"]:
                label = ask["label"]
                arguments[argument] = int(label) if text.startswith("The number") else label
            elif "Required." in text:
                missing.append(argument)
        assert len(arguments) == len(ask["mentions"]) + bool(ask["label"])
        calls.append({"tool": name, "args": arguments})
    return f"missing: {missing[0]}" if missing else json.dumps(calls)


def suits(ask: dict[str, Any], purpose: str, glosses: dict[str, str]) -> bool:
    action, _, limit = purpose.partition(" Only for cases in which ")
    match = re.fullmatch(template(ACTIONS[ask["action"]].gloss + ".", a=r"an? (\w+)"), action)
    if not match:
        return False
    (noun,) = {n.gloss for n in NOUNS if ask["noun"].lower() in map(str.lower, n.requests)}
    gloss = glosses[match[1]]
    if not re.match(rf"an? {noun} that", gloss):
        return False
    traits = {t: g for axis in AXES for g, some in zip(axis.glosses, axis.requests) for t in some}
    if not gloss.endswith(traits[ask["trait"]]):
        return False
    if not limit:
        return True
    what, relation, bound = re.fullmatch(r"(.+) is (at most|more than) (.+)\.", limit).groups()  # type: ignore[union-attr]
    (role,) = [key for key, each in ROLES.items() if each.gloss == what]
    text = ask["mentions"].get(role)
    return text is not None and (amount(text) > amount(bound)) == (relation == "more than")


@pytest.mark.parametrize("level", LEVELS)
def test_another_reading_of_the_prompt_agrees(level: int) -> None:
    for seed in range(60 if level < 4 else 15):
        task = sample(FunctionCalls, seed, level, irrelevant=15, incomplete=20)
        answer = read_prompt(task.prompt())
        assert task.verify(answer).correct
        assert task.audit(answer)
        if answer.startswith("["):
            assert json.loads(answer) == entries(task)


def test_values_in_words_are_read_alike_by_another_reader() -> None:
    rng = Random(3)
    for key, role in ROLES.items():
        for form in FORMS[role.family]:
            for n in range(60):
                text = phrased(rng, role, form, convert=n % 2 == 1)
                codes = tuple(range(1, 5)) if role.options else ()
                result = encoded(role, form, codes, text)
                assert result is not None
                parameter = Parameter("x", key, form, codes=codes)
                documentation = described(parameter, "x")
                assert value(documentation, key, text) == result


# Judging


@pytest.mark.parametrize("level", LEVELS)
def test_each_other_answer_is_wrong(level: int) -> None:
    for task in with_calls(level, 12 - 3 * max(0, level - 3)):
        calls = entries(task)
        wrong = ["none", "missing: " + task.functions[0].parameters[0].name]
        wrong.append(json.dumps([*calls, calls[0]]))
        wrong += [json.dumps(calls[:n] + calls[n + 1 :]) for n in range(len(calls) > 1 and 2)]
        for n, each in enumerate(calls):
            changes = [{**each, "tool": f.name} for f in task.functions if f.name != each["tool"]]
            changes += [{**each, "args": {**each["args"], "colour": 1}}]
            for name, old in each["args"].items():
                other = (
                    not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else "x"
                )
                changes.append({**each, "args": {**each["args"], name: other}})
                changes.append({**each, "args": {**each["args"], name: None}})
            wrong += [json.dumps([*calls[:n], change, *calls[n + 1 :]]) for change in changes]
        for answer in wrong:
            result = task.verify(answer)
            assert result.value == 0, answer
            assert result.reason
            assert not task.audit(answer)


def test_arguments_left_out_have_their_defaults_and_required_ones_have_none() -> None:
    defaults = 0
    for task in with_calls(4, 60):
        calls = entries(task)
        for n, each in enumerate(calls):
            function = next(f for f in task.functions if f.name == each["tool"])
            for parameter in function.parameters:
                usual = parameter.default
                arguments = {k: v for k, v in each["args"].items() if k != parameter.name}
                without = json.dumps([*calls[:n], {**each, "args": arguments}, *calls[n + 1 :]])
                stated = parameter.name in each["args"]
                may = not stated or (usual is not None and each["args"][parameter.name] == usual)
                assert task.verify(without).correct == may
                if usual is None or stated:
                    continue
                defaults += 1
                arguments[parameter.name] = usual
                filled = json.dumps([*calls[:n], {**each, "args": arguments}, *calls[n + 1 :]])
                assert task.verify(filled).correct
    assert defaults > 20


def test_the_text_none_and_the_missing_argument_are_right_where_they_are_due() -> None:
    for level in LEVELS:
        task = sample(FunctionCalls, 5, level, irrelevant=100)
        assert [task.verify(text).value for text in ("none", "None", "missing: x")] == [1, 1, 0]
        call = json.dumps({"tool": task.functions[0].name, "args": {}})
        assert task.verify(call).parts == {"format": 1, "tool": 0, "arguments": 0, "progress": 0}
        task = sample(FunctionCalls, 5, level, irrelevant=0, incomplete=100)
        name = task.answer().removeprefix("missing: ")
        for text in (f"missing: {name}", f"Missing:{name}", f"missing: `{name}`"):
            assert task.verify(text).correct
        for text in ("none", "missing: x", f"missing: {name}s", f"missing: {name.upper()}", call):
            assert not task.verify(text).correct


def test_parts_are_rates_and_the_value_is_all_or_nothing() -> None:
    task = next(task for task in with_calls(6) if len(task.asks) >= 4)
    calls = entries(task)
    result = task.verify(json.dumps(calls[:-1]))
    share = (len(calls) - 1) / len(calls)
    assert (result.value, result.parts["tool"]) == (0, share)
    assert result.parts["arguments"] == pytest.approx(share, abs=0.2)
    first = calls[0]["args"]
    calls[0]["args"] = dict.fromkeys(first)
    result = task.verify(json.dumps(calls))
    assert result.parts["tool"] == 1
    assert 0 < result.parts["arguments"] < 1
    assert result.value == 0


def test_calls_in_any_dialect_and_any_order() -> None:
    for task in with_calls(3, 10):
        calls = entries(task)[::-1]
        named = [{"name": c["tool"], "arguments": c["args"]} for c in calls]
        python = [
            f"{c['tool']}({', '.join(f'{k}={v!r}' for k, v in c['args'].items())})" for c in calls
        ]
        forms = [
            json.dumps(calls),
            json.dumps(named),
            json.dumps({"tool_calls": [{"type": "function", "function": n} for n in named]}),
            "".join(f"<tool_call>\n{json.dumps(n)}\n</tool_call>\n" for n in named),
            "\n".join(python),
            f"[{', '.join(python)}]",
            f"```json\n{json.dumps(calls)}\n```",
            f"[TOOL_CALLS] {json.dumps(named)}",
        ]
        assert all(score(task, form, "bare").value == 1 for form in forms)


@pytest.mark.parametrize(
    "answer",
    ["", "what?", "missing", "missing:", "missing: a b", "{}", "[]", "null", "f", "none none",
     "{" * 10_000, "[" * 10_000, "missing: " + "a" * 20_000, "missing:" + " " * 20_000,
     '"{', "f(" * 5_000, '{"tool": 3, "args": {}}', '{"tool": "f", "args": [1]}',
     '{"tool": "f", "args": {"a": ' + "[" * 40 + "]" * 40 + "}}", "f(x=__import__('os'))"],
)  # fmt: skip
def test_what_is_no_answer_is_refused_with_the_expected_forms(answer: str) -> None:
    task = sample(FunctionCalls, 1, 3)
    start = process_time()
    with pytest.raises(InvalidAnswer, match=r"calls in JSON .* none, .* missing: ARGUMENT_NAME"):
        task.verify(answer)
    assert process_time() - start < 0.5


def test_hostile_arguments_are_wrong() -> None:
    task = next(with_calls(2))
    calls = entries(task)
    name = next(iter(calls[0]["args"]))
    nested: Any = 1
    for _ in range(27):
        nested = [nested]
    for hostile in ("9" * 15_000, 10**250, -1, 1e300, True, [], {}, nested, "\0", "\u202e"):
        calls[0]["args"][name] = hostile
        start = process_time()
        assert score(task, json.dumps(calls), "bare").value == 0
        assert process_time() - start < 0.5
    many = json.dumps([calls[0]] * 65)
    assert score(task, many, "bare").status == "limit"


def test_requests_state_what_has_to_be_converted_and_overridden() -> None:
    converted = overridden = again = limited = 0
    for task in with_calls(6, 30):
        text = task.prompt()
        again += any(ask.again for ask in task.asks)
        for due in task.verdict.calls:
            limited += bool(due.function.limits)
            for parameter in due.function.parameters:
                if parameter.name in due.values and parameter.default is not None:
                    overridden += due.values[parameter.name] != parameter.default
        for ask in task.asks:
            for mention in ask.mentions:
                flag = ROLES[mention.role].family == "flag"
                assert flag or mention.text.lower() in text.lower()
                converted += bool(re.search(r"half past|after|before| and |\.5", mention.text))
    assert min(converted, overridden, again, limited) > 5


def test_each_function_needed_has_near_duplicates() -> None:
    for task in with_calls(4, 20):
        for due in task.verdict.calls:
            one = due.function
            near = [
                f
                for f in task.functions
                if f is not one and ((f.action == one.action) or (f.record // 2 == one.record // 2))
            ]
            assert len(near) >= 2


def test_limits_do_not_point_to_the_functions_needed() -> None:
    """Few of the functions that are for certain cases alone are those that are due."""
    tasks = list(with_calls(5, 25))
    limited = due_limited = 0
    for task in tasks:
        due = {each.function.name for each in task.verdict.calls}
        names = {f.name for f in task.functions if f.limits}
        limited += len(names)
        due_limited += len(names & due)
    assert due_limited / limited < 0.1


@pytest.mark.parametrize(("level", "number"), [(3, 150), (6, 60)])
def test_players_who_do_not_read_the_documentation_lose(level: int, number: int) -> None:
    earned: dict[str, float] = {}
    for seed in range(number):
        task = sample(FunctionCalls, seed, level)
        for player, answer in task.baselines(Random(seed)).items():
            earned[player] = earned.get(player, 0) + score(task, answer, "bare").value / number
    assert earned.pop("none") <= 0.15  # the share of such tasks, with three standard errors
    assert max(earned.values()) <= 0.02
