"""The tests of programming problems, in the forms in which large collections publish them.

Each function turns a record's fields into tests for :meth:`Sandbox.judge_io`, or into a suite for
:meth:`Sandbox.judge_asserts`. Fields of JSON may be given as text or as values.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from keyword import iskeyword
from typing import Any

from palaestra.verifiers.sandbox.judging import IoTest


def humaneval(test: str, entry_point: str) -> str:
    r"""The suite of a HumanEval record: its ``check(candidate)``, called with the entry point.

    Source: Chen et al., Evaluating Large Language Models Trained on Code, 2021.

    >>> print(humaneval("def check(candidate):\n    assert candidate(1) == 2", "f"))
    def check(candidate):
        assert candidate(1) == 2
    <BLANKLINE>
    check(f)
    <BLANKLINE>
    """
    return f"{test}\n\ncheck({entry_point})\n"


def mbpp(test_list: Sequence[str], setup: str | Sequence[str] = "") -> str:
    r"""The suite of an MBPP record: ``test_setup_code`` or ``test_imports``, then the asserts.

    Source: Austin et al., Program Synthesis with Large Language Models, 2021.

    >>> mbpp(["assert f(1) == 2"], ["import math"])
    'import math\nassert f(1) == 2\n'
    """
    before = [setup] if isinstance(setup, str) else setup
    return "\n".join([*filter(None, before), *test_list]) + "\n"


def apps(input_output: str | Mapping[str, Any]) -> list[IoTest] | str:
    r"""The tests of an APPS record: inputs and outputs, or with ``fn_name`` a suite of calls.

    The function may be a method of a class ``Solution``. As published, a list of one value stands
    for the value too, and a tuple for a list. Raises ``ValueError`` for fields that are missing.

    Source: Hendrycks et al., Measuring Coding Challenge Competence With APPS, 2021.

    >>> apps({"inputs": ["1 2\n"], "outputs": ["3\n"]})
    [IoTest(stdin='1 2\n', stdout='3\n', weight=1.0, args=())]
    >>> apps({"fn_name": "f", "inputs": [[1, 2]], "outputs": [[3]]}).splitlines()[-1]
    'assert same(entry(*[1, 2]), [3], True)'
    """
    record = _read(input_output)
    inputs, outputs = _field(record, "inputs"), _field(record, "outputs")
    if len(inputs) != len(outputs):
        raise ValueError("as many outputs as inputs are needed")
    name = record.get("fn_name")
    if name is None:
        return [IoTest(_text(stdin), _text(wanted)) for stdin, wanted in zip(inputs, outputs)]
    return _calls(name, zip(inputs, outputs), alone=True)


def livecodebench(
    tests: str | Sequence[Mapping[str, Any]], metadata: str | Mapping[str, Any] = "{}"
) -> list[IoTest] | str:
    r"""The tests of a LiveCodeBench record: ``public_test_cases``, or the private ones unpacked.

    Those of the type ``functional`` are a suite of calls of ``func_name``, which may be a method of
    a class ``Solution``, with one argument in JSON on each line. Raises ``ValueError`` for fields
    that are missing.

    Source: Jain et al., LiveCodeBench, 2024.

    >>> livecodebench([{"input": "3\n", "output": "6", "testtype": "stdin"}])
    [IoTest(stdin='3\n', stdout='6', weight=1.0, args=())]
    >>> test = {"input": "[1]\n2", "output": "3", "testtype": "functional"}
    >>> livecodebench([test], {"func_name": "f"}).splitlines()[-1]
    'assert same(entry(*[[1], 2]), 3, False)'
    """
    records = _read(tests)
    if not records:
        raise ValueError("there are no tests")
    if _field(records[0], "testtype") != "functional":
        return [IoTest(_field(record, "input"), _field(record, "output")) for record in records]
    calls = [(_arguments(_field(each, "input")), json.loads(_field(each, "output")))
             for each in records]  # fmt: skip
    return _calls(_field(_read(metadata), "func_name"), calls, alone=False)


def deepcoder(tests: str | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[IoTest] | str:
    r"""The tests of a record of DeepCoder's training set, whose parts have forms of their own.

    A mapping is as in APPS, tests with a ``testtype`` are as in LiveCodeBench, with the function's
    name in the ``metadata`` of the first, and tests with a ``type`` are calls of ``fn_name`` or
    inputs with outputs. Raises ``ValueError`` for fields that are missing.

    Source: Luo et al., DeepCoder: A Fully Open-Source 14B Coder at O3-mini Level, 2025.

    >>> test = {"type": "function_call", "fn_name": "f", "input": [1, 2], "output": 3}
    >>> deepcoder([test]).splitlines()[-1]
    'assert same(entry(*[1, 2]), 3, True)'
    >>> deepcoder([{"type": "stdin_stdout", "input": "3\n", "output": "6"}])
    [IoTest(stdin='3\n', stdout='6', weight=1.0, args=())]
    """
    records = _read(tests)
    if isinstance(records, Mapping):
        return apps(records)
    if not isinstance(records, list) or not records or not isinstance(records[0], Mapping):
        raise ValueError("there are no tests")
    first = records[0]
    if "testtype" in first:
        return livecodebench(records, first.get("metadata") or {})
    if first.get("type") == "function_call" or "fn_name" in first:
        calls = ((_field(each, "input"), _field(each, "output")) for each in records)
        return _calls(_field(first, "fn_name"), calls, alone=True)
    return [IoTest(_text(_field(each, "input")), _text(_field(each, "output"))) for each in records]


_SAME = """
import solution

entry = getattr(solution.Solution(), {name!r}) if hasattr(solution, "Solution") else solution.{name}

def same(given, wanted, alone):
    given = list(given) if isinstance(given, tuple) else given
    return given == wanted or (alone and isinstance(wanted, list) and given in wanted[:1])

"""


def _calls(name: str, calls: Iterable[tuple[Any, Any]], alone: bool) -> str:
    """A suite with an assert for each call. Raises ``ValueError`` for what is no name."""
    if not name.isidentifier() or iskeyword(name):
        raise ValueError(f"a function is not called {name[:40]!r}")
    tests = [
        f"assert same(entry(*{arguments!r}), {wanted!r}, {alone})" for arguments, wanted in calls
    ]
    return _SAME.format(name=name) + "\n".join(tests) + "\n"


def _arguments(text: str) -> list[Any]:
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _read(field: Any) -> Any:
    return json.loads(field) if isinstance(field, str) else field


def _field(record: Mapping[str, Any], name: str) -> Any:
    if name not in record:
        raise ValueError(f"the record has no field {name}")
    return record[name]


def _text(lines: str | Sequence[Any]) -> str:
    """An input or an output, which may be given as its lines."""
    return lines if isinstance(lines, str) else "\n".join(map(str, lines)) + "\n"
