"""What judges a row of a file: presets by name.

A preset builds a verifier from the fields of a row, or refuses the row with a reason.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from palaestra.importers.rows.tables import Table
from palaestra.labels import BadLabel, gold_of
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.answers import validate_gold
from palaestra.verifiers.answers.judging import Answer
from palaestra.verifiers.choices import LETTERS, Choice
from palaestra.verifiers.quantities.quantity import Quantity
from palaestra.verifiers.sandbox import MissingTool, SandboxUnavailable, Verdict, sandbox
from palaestra.verifiers.sandbox.judging import IoTest
from palaestra.verifiers.sandbox.published import deepcoder, humaneval, livecodebench, mbpp
from palaestra.verifiers.texts import Normalized
from palaestra.verifiers.verifier import GoldError, Judge, Verifier

MOST_OPTIONS = 26

_NONE: tuple[Any, ...] = (None, "", [], {})
"""Values of a field that is not filled."""


class BadRow(ValueError):
    """A row that a preset cannot judge, with the reason. ``fault`` is one of the audit's."""

    def __init__(self, reason: str, fault: str = "unreadable") -> None:
        super().__init__(reason)
        self.fault = fault


class Fields(NamedTuple):
    """The fields of a row, under their names in Palaestra."""

    question: str
    answer: Any = None
    type: str = ""
    tests: Any = None
    source: str = ""
    options: Any = None
    solution: str = ""
    entry: Any = None
    """The name of the function that is tested, or metadata with ``func_name``."""

    setup: Any = None
    """What assertions need before them, such as imports."""


def maths(fields: Fields) -> Judge:
    """Equivalence in mathematics; of a worked solution, its final answer is the gold."""
    golds = _gold_texts(fields)
    validate_gold(golds)
    return Answer(golds)


def text(fields: Fields) -> Judge:
    """The words of the answer, without regard to case, articles and punctuation."""
    golds = _gold_texts(fields)
    return Normalized(golds)


def science(fields: Fields) -> Judge:
    """An option of a multiple choice question, or a number with its unit.

    A row with ``options`` is multiple choice; its answer is a label, the text of an option, or
    its index from 0 if it is an integer. A number whose gold has a unit requires a unit; without
    one, the answer is judged as in :func:`maths`.
    """
    if fields.options not in _NONE:
        return choice(fields)
    golds = _gold_texts(fields)
    if len(golds) == 1:
        try:
            quantity = Quantity(golds[0], unit_required=True, relative=0.01)
        except GoldError:
            return maths(fields)
        if not any(sign.isalpha() or sign in "%°$€£" for sign in golds[0]):
            return maths(fields)
        return quantity
    return maths(fields)


def choice(fields: Fields) -> Judge:
    """One option of several, by its letter or its text."""
    return Choice(right_letter(fields), _options(fields.options)[1])


def right_letter(fields: Fields) -> str:
    """The letter of the right option of a row, by its place among the options.

    An answer that is an integer counts from 0, unless the options have numbers as labels. Raises
    :class:`BadRow` for an answer that is no option, or could be either of two.
    """
    labels, options = _options(fields.options)
    answer = fields.answer
    is_number = isinstance(answer, int) and not isinstance(answer, bool)
    if is_number and str(answer) not in labels:
        if not 0 <= answer < len(options):
            raise BadRow(f"there is no option {answer}; they count from 0 to {len(options) - 1}")
        return LETTERS[answer]
    (gold, *more) = _gold_texts(fields)
    if more:
        raise BadRow("a multiple choice question has one answer")
    label = gold.strip("(). ").upper()
    matches = {n for n, each in enumerate(labels) if each.strip("(). ").upper() == label}
    matches |= {n for n, option in enumerate(options) if option.strip() == gold.strip()}
    if not matches:
        raise BadRow(f"the answer {gold[:40]!r} is no option, neither by letter nor by text")
    if len(matches) > 1:
        raise BadRow(f"the answer {gold[:40]!r} is the label of one option and the text of another")
    return LETTERS[matches.pop()]


def question_of(preset: str, fields: Fields) -> str:
    r"""The question as a player sees it: of multiple choice, with the options, unless it has them.

    >>> question_of("choice", Fields("Which is red?", "A", options=["blood", "snow"]))
    'Which is red?\n\nA. blood\nB. snow'
    """
    if preset_of(preset, fields) != "choice":
        return fields.question
    _, options = _options(fields.options)
    shown = " ".join(fields.question.split()).casefold()
    if all(_has_option(shown, *each) for each in zip(LETTERS, options)):
        return fields.question
    lines = (f"{letter}. {option}" for letter, option in zip(LETTERS, options))
    return "\n".join([f"{fields.question}\n", *lines])


def _has_option(question: str, letter: str, option: str) -> bool:
    text = re.escape(" ".join(option.split()).casefold())
    return re.search(rf"(?<![^\W_]){letter.lower()}[)\].:]{{0,3}} ?{text}", question) is not None


def table(fields: Fields) -> Judge:
    """A table, cell by cell; numbers are compared as numbers. See :class:`Table`."""
    return Table(table_text(fields.answer))


def code_io(fields: Fields) -> Judge:
    """A Python program, by what it prints for each input, in the sandbox.

    ``tests`` are ``{"inputs": [...], "outputs": [...]}`` or a list of objects with ``input`` and
    ``output``.
    """
    return PrintsOutputs(_io_tests(fields.tests))


def code_asserts(fields: Fields) -> Judge:
    """Python code, by assertions that run in another jail and reach it by calls alone.

    ``tests`` is a text, or a list of ``assert`` statements.
    """
    tests = _parsed(fields.tests)
    if isinstance(tests, list) and tests and all(isinstance(each, str) for each in tests):
        tests = "\n".join(tests)
    if not isinstance(tests, str) or not tests.strip():
        raise BadRow("the tests are neither a text nor a list of assertions", "no answer")
    if "assert" not in tests:
        raise BadRow("the tests have no assertion")
    return PassesAsserts(tests)


def code(fields: Fields) -> Judge:
    """A Python program, by tests in one of the forms of HumanEval, MBPP, APPS, LiveCodeBench and
    DeepCoder, which their content tells apart.
    """
    try:
        tests = _published(fields)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BadRow(
            f"the tests have no known form: {' '.join(str(error).split())[:200]}"
        ) from None
    return PassesAsserts(tests) if isinstance(tests, str) else PrintsOutputs(tuple(tests))


def _published(fields: Fields) -> list[IoTest] | str:
    """The tests of a row, as inputs with outputs or as a suite of assertions."""
    tests = _parsed(fields.tests)
    if isinstance(tests, str):
        if "def check(" in tests:
            return humaneval(tests, _entry(fields.entry))
        if "assert" not in tests:
            raise ValueError("a text without an assertion")
        return tests
    if isinstance(tests, list) and tests and all(isinstance(each, str) for each in tests):
        return mbpp(tests, _parsed(fields.setup) or "")
    if isinstance(tests, list) and tests and "testtype" in tests[0]:
        entry = {"func_name": _entry(fields.entry)} if fields.entry else tests[0].get("metadata")
        return livecodebench(tests, entry or {})
    return deepcoder(tests)


def _entry(value: Any) -> str:
    """The name of the function that is tested."""
    value = _parsed(value)
    name = value.get("func_name") if isinstance(value, Mapping) else value
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError("the name of the function is missing")
    return name


PRESETS: Mapping[str, Callable[[Fields], Judge]] = {
    "maths": maths,
    "science": science,
    "choice": choice,
    "text": text,
    "table": table,
    "code": code,
    "code-io": code_io,
    "code-asserts": code_asserts,
}
"""The presets by name."""

PROGRAMS = frozenset({"code", "code-io", "code-asserts"})
"""Presets whose answers are programs, which run in the sandbox."""

TYPES: Mapping[str, str] = {
    **{name: name for name in PRESETS},
    "math": "maths",
    "number": "maths",
    "numeric": "maths",
    "multiple_choice": "choice",
    "multiple-choice": "choice",
    "mcq": "choice",
    "string": "text",
    "stdin_stdout": "code-io",
    "io": "code-io",
    "asserts": "code-asserts",
    "assert": "code-asserts",
}
"""What the column ``type`` may contain, and the preset that it selects."""


def preset_of(preset: str, fields: Fields) -> str:
    """The preset of a row: that of its type where it has one, else that of the file.

    Science with options is multiple choice.
    """
    name = TYPES.get(fields.type.strip().lower(), preset)
    return "choice" if name == "science" and fields.options not in _NONE else name


def judge_of(preset: str, fields: Fields) -> Judge:
    """The verifier of a row, by its type where it has one, else by the preset.

    Raises :class:`BadRow` with the reason for a row that cannot be judged.
    """
    name = preset_of(preset, fields)
    if name in PROGRAMS and fields.tests in _NONE:
        raise BadRow("there are no tests", "no answer")
    try:
        return PRESETS[name](fields)
    except (GoldError, BadLabel) as error:
        raise BadRow(str(error)[:300]) from None


def _gold_texts(fields: Fields) -> tuple[str, ...]:
    if fields.answer is None or (isinstance(fields.answer, str) and not fields.answer.strip()):
        raise BadRow("there is no answer", "no answer")
    return gold_of(fields.answer).gold


def _options(value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of the options of a row, and their texts."""
    value, labels = _parsed(value), None
    if isinstance(value, Mapping) and "text" in value:
        value, labels = value["text"], value.get("label")
    if isinstance(value, Mapping):
        labels = sorted(map(str, value), key=lambda label: (len(label), label))
        named = {str(label): option for label, option in value.items()}
        value = [named[label] for label in labels]
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_OPTIONS:
        raise BadRow(f"the options are not a list of 2 to {MOST_OPTIONS} texts")
    if not isinstance(labels, list) or len(labels) != len(value):
        labels = list(LETTERS[: len(value)])
    return tuple(map(str, labels)), tuple(map(str, value))


def _parsed(value: Any) -> Any:
    """A value that a table holds as JSON text; any other text as it is."""
    if isinstance(value, str) and value.strip()[:1] in {"[", "{"}:
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def table_text(value: Any) -> str:
    """A table as text: a text as it is, any other value as JSON."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise BadRow("there is no answer", "no answer")
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _io_tests(value: Any) -> tuple[IoTest, ...]:
    value = _parsed(value)
    if isinstance(value, Mapping) and {"inputs", "outputs"} <= value.keys():
        inputs, outputs = value["inputs"], value["outputs"]
        if not isinstance(inputs, list) or not isinstance(outputs, list):
            raise BadRow("inputs and outputs are lists")
        if len(inputs) != len(outputs):
            raise BadRow(f"there are {len(inputs)} inputs and {len(outputs)} outputs")
        pairs = list(zip(inputs, outputs))
    elif isinstance(value, list) and all(
        isinstance(each, Mapping) and {"input", "output"} <= each.keys() for each in value
    ):
        pairs = [(each["input"], each["output"]) for each in value]
    else:
        raise BadRow("tests are inputs and outputs, or a list of objects with input and output")
    if not pairs:
        raise BadRow("there are no tests", "no answer")
    return tuple(IoTest(_lines(stdin), _lines(stdout)) for stdin, stdout in pairs)


def _lines(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


# ------------------------------------------------------------------ programs


def program_in(answer: str) -> str:
    r"""The program in an answer: what its one fenced block contains, or all of it.

    Raises :class:`~palaestra.task.InvalidAnswer` where several blocks are fenced, or one is not
    closed.

    >>> program_in("Here:\n```python\nprint(1)\n```\nIt prints 1.")
    'print(1)'
    """
    lines = answer.replace("\r\n", "\n").split("\n")
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    if not fences:
        return answer
    if len(fences) != 2:
        raise InvalidAnswer("the answer is not one program, fenced or not fenced")
    return "\n".join(lines[fences[0] + 1 : fences[1]])


class _Program(Verifier):
    """A verifier whose answers are Python programs."""

    __slots__ = ()

    def verify(self, answer: str) -> Score:
        program = program_in(answer)
        try:
            verdict = self.run(program)
        except (SandboxUnavailable, MissingTool) as error:
            raise JudgeError(str(error)[:300]) from None
        if verdict.status == "JUDGE_ERROR" or verdict.fraction is None:
            raise JudgeError("; ".join(test.reason for test in verdict.per_test)[:300])
        if verdict.fraction == 1:
            return Score(1.0)
        failed = sum(test.status != "PASS" for test in verdict.per_test)
        return Score(0.0, f"{failed} of {len(verdict.per_test)} tests fail ({verdict.status})")

    def run(self, program: str) -> Verdict:
        """Run a program against the tests."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class PrintsOutputs(_Program):
    """Accepts a program that prints what each test expects.

    >>> PrintsOutputs((IoTest("2", "4"), IoTest("3", "6")))("print(2 * int(input()))").correct
    True
    """

    longest: ClassVar[int] = 100_000
    tests: tuple[IoTest, ...] = field(repr=False)

    def run(self, program: str) -> Verdict:
        """Run a program once for each test."""
        return sandbox().judge_io(program, self.tests, early_exit=True)


@dataclass(frozen=True, slots=True)
class PassesAsserts(_Program):
    """Accepts code that passes a suite of assertions."""

    longest: ClassVar[int] = 100_000
    tests: str = field(repr=False)

    def run(self, program: str) -> Verdict:
        """Run the suite."""
        return sandbox().judge_asserts(program, self.tests)


@lru_cache(maxsize=64)
def preset_names(separator: str = ", ") -> str:
    """The names of all presets, for messages."""
    return separator.join(PRESETS)
