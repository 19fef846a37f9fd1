"""Programs for the sandbox of the service, and its verdicts."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from palaestra.client.effects import Effects, RetryPolicy, fetch
from palaestra.client.structs import Call, post

if TYPE_CHECKING:
    from palaestra.verifiers.sandbox import Limits, Outcome, Verdict
    from palaestra.verifiers.sandbox.judging import Case, IoTest


def call(source: str, limits: "Limits | None", **body: Any) -> Call:
    """A program, and what is to be done with it."""
    return post("/v1/programs", {"source": source, **body, **_bounds(limits)})


def _bounds(limits: "Limits | None") -> dict[str, Any]:
    if limits is None:
        return {}
    values, usual = asdict(limits), asdict(type(limits)())
    for name in ("file_mb", "stack_mb"):
        if values.pop(name) != usual[name]:
            raise ValueError(f"over HTTP there is no limit {name}")
    return {"limits": values}


def ran(call: Call, patience: RetryPolicy) -> Effects["Outcome"]:
    """What came of running a program."""
    from palaestra.verifiers.sandbox import Outcome

    fields = yield from fetch(call, patience, dict[str, Any])
    streams = {name: fields.pop(name).encode() for name in ("stdout", "stderr")}
    return Outcome(**fields, **streams)


def judged(call: Call, patience: RetryPolicy) -> Effects["Verdict"]:
    """What came of judging one."""
    from palaestra.verifiers.sandbox import Test, Verdict

    fields = yield from fetch(call, patience, dict[str, Any])
    return Verdict(per_test=tuple(Test(**test) for test in fields.pop("tests")), **fields)


def outputs(tests: "Iterable[IoTest | tuple[str, str]]") -> list[dict[str, Any]]:
    """Inputs with the outputs that are wanted."""
    from palaestra.verifiers.sandbox.judging import IoTest

    io = [test if isinstance(test, IoTest) else IoTest(*test) for test in tests]
    if any(test.args for test in io):
        raise ValueError("over HTTP a program has no arguments")
    return [{"stdin": test.stdin, "stdout": test.stdout, "weight": test.weight} for test in io]


def cases(tests: "Iterable[Case | tuple[Sequence[Any], Any]]") -> list[dict[str, Any]]:
    """Calls with the values that are wanted."""
    from palaestra.verifiers.sandbox.judging import Case

    encoded = []
    for case in (each if isinstance(each, Case) else Case(*each) for each in tests):
        args, kwargs = list(case.args), dict(case.kwargs)
        _check_plain([args, kwargs, case.value])
        encoded.append({"args": args, "kwargs": kwargs, "value": case.value, "weight": case.weight})
    return encoded


def _check_plain(value: Any) -> None:
    """Raises ``TypeError`` for a value that would be another one after its way through JSON."""
    if type(value) is dict and all(type(name) is str for name in value):
        value = [*value.values()]
    if type(value) is list:
        for part in value:
            _check_plain(part)
    elif type(value) not in {str, int, float, bool, type(None)} or not _finite(value):
        raise TypeError(f"over HTTP, calls have values that JSON knows, not {str(value)[:80]}")


def _finite(value: Any) -> bool:
    return type(value) is not float or isfinite(value)
