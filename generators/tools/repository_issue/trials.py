"""Calls that test a project, and the trusted project that runs in this process."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from palaestra.generators.tools.repository_issue.project import Function, Project

HIGHEST = 40
"""The highest measure of an item, unless a rule names a higher number."""

FAULTS = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)

_NUMBER = re.compile(r"\d+")


class Trial(NamedTuple):
    """A call of a function and what it gives, as JSON.

    ``form`` is ``plain``, ``item`` where the argument is an item of the row, or ``basket`` where
    the function is a method of a basket of the rows.
    """

    module: str
    function: str
    form: str
    arguments: str
    wanted: str = ""

    def call(self) -> tuple[str, str, str, Any]:
        """What the jail is asked for."""
        module = self.module.removesuffix(".py").replace("/", ".")
        return module, self.function, self.form, json.loads(self.arguments)


class Running:
    """A project that runs here, in which functions can be replaced."""

    def __init__(self, project: Project, code: CodeType | None = None) -> None:
        self.project = project
        self.names: dict[str, Any] = {}
        self.code = code or _code("\n\n".join(project.program()))
        exec(self.code, self.names)  # noqa: S102  our own text

    def twin(self) -> "Running":
        """The same project, unchanged."""
        return Running(self.project, self.code)

    @contextmanager
    def changed(self, each: Function, text: str) -> Iterator[None]:
        """The project with another text of a function."""
        before = getattr(self.names[each.owner], each.name) if each.owner else self.names[each.name]
        self.put(each, text)
        try:
            yield
        finally:
            self._set(each, before)

    def put(self, each: Function, text: str) -> None:
        """Let a function be another one from now on."""
        names = {**self.names}
        exec(_code(text), names)  # noqa: S102  our own text
        self._set(each, FunctionType(names[each.name].__code__, self.names, each.name))

    def _set(self, each: Function, function: Any) -> None:
        """Let a name of a module, of a class and of a table be that of a function."""
        if each.owner:
            setattr(self.names[each.owner], each.name, function)
            return
        self.names[each.name] = function
        for amount in self.project.amounts:
            table = self.names[f"{amount.upper()}_RULES"]
            category = each.name.removesuffix(f"_{amount}")
            if category != each.name and category in table:
                table[category] = function

    def result(self, trial: Trial) -> str:
        """What a call gives, as JSON; nothing where it raises an exception."""
        try:
            value = self._called(trial, _arguments(trial.arguments))
            return str(value) if type(value) is int else json.dumps(value)
        except FAULTS:
            return ""

    def _called(self, trial: Trial, arguments: Sequence[Any]) -> Any:
        if trial.form == "basket":
            return getattr(self.names["Basket"](*arguments), trial.function)()
        if trial.form == "item":
            arguments = [self.names[self.project.item_class](*arguments)]
        return self.names[trial.function](*arguments)

    def wanted(self, trials: Sequence[Trial]) -> list[Trial]:
        """Trials with what they give here, without those that raise an exception."""
        known = (trial._replace(wanted=self.result(trial)) for trial in trials)
        return [trial for trial in known if trial.wanted]


def _code(text: str) -> CodeType:
    """The code of a text, of which no tree is built that another thread could disturb."""
    return compile(text, "<project>", "exec", dont_inherit=True)


@lru_cache(maxsize=8_192)
def _arguments(text: str) -> Sequence[Any]:
    """The arguments of a call, which most calls share with others; nothing changes them."""
    return tuple(json.loads(text))


class Calling:
    """Draws calls of the functions of a project."""

    def __init__(self, rng: Random, project: Project) -> None:
        self.rng, self.project = rng, project

    def trial(self, each: Function, category: str = "", numbers: Sequence[int] = ()) -> Trial:
        """A call of a function; ``numbers`` are worth being measures."""
        rng = self.rng
        if each.parameters == "item":
            return self._trial(each, "item", self.row(category, numbers))
        if each.owner or each.parameters == "rows":
            rows = [self.row(category, numbers) for _ in range(rng.randint(1, 5))]
            return self._trial(each, "basket" if each.owner else "plain", [rows])
        value = rng.randint(0, rng.choice((60, 200, 9_999)))
        return self._trial(each, "plain", [value, rng.randint(1, 20)])

    def _trial(self, each: Function, form: str, arguments: list[Any]) -> Trial:
        return Trial(each.module, each.name, form, json.dumps(arguments))

    def entry(self, each: Function, category: str, numbers: Sequence[int], rows: int) -> Trial:
        """A call of a function of the desk with so many rows, one of them of a category."""
        categories = [category, *self.rng.choices(self.project.categories, k=rows - 1)]
        self.rng.shuffle(categories)
        drawn_rows = [self.row(each_category, numbers) for each_category in categories]
        return self._trial(each, "plain", [drawn_rows])

    def row(self, category: str, numbers: Sequence[int]) -> list[Any]:
        """A row of a category, or of any."""
        rng = self.rng
        name = "".join(rng.choices("bdklmnrst", k=1) + rng.choices("aeiou", k=1)) * 2
        name = name[:3] + rng.choice("abdeklmnorst")
        measures = [
            rng.choice(numbers) if numbers and rng.random() < 0.5 else rng.randint(0, HIGHEST)
            for _ in self.project.fields
        ]
        return [name, category or rng.choice(self.project.categories), *measures]


def near_numbers(each: Function) -> list[int]:
    """The numbers of a function's rules, and those next to them."""
    numbers = {int(value) for rule in each.rules for _, value in rule.slots if value.isdigit()}
    return sorted({number + step for number in numbers for step in (-1, 0, 1)})


def category_of(project: Project, each: Function) -> str:
    """The category that a function is about, or nothing."""
    first = each.name.partition("_")[0]
    return first if first in project.categories else ""


def test_files(project: Project, trials: Sequence[Trial]) -> dict[str, str]:
    """The trials as files of tests, one for each module."""
    by_module: dict[str, list[tuple[str, Trial]]] = {}
    for name, trial in named(trials):
        by_module.setdefault(trial.module, []).append((name, trial))
    return {
        path_of_tests(module): _test_file(project, module, tests)
        for module, tests in by_module.items()
    }


def path_of_tests(module: str) -> str:
    """The file of the tests of a module."""
    return "tests/test_" + "_".join(module.removesuffix(".py").split("/")[1:]) + ".py"


def named(trials: Sequence[Trial]) -> Iterator[tuple[str, Trial]]:
    """Trials with the names of their tests."""
    counts: dict[str, int] = {}
    for trial in trials:
        counts[trial.function] = counts.get(trial.function, 0) + 1
        yield f"test_{trial.function}_{counts[trial.function]}", trial


def _test_file(project: Project, module: str, tests: Sequence[tuple[str, Trial]]) -> str:
    dotted = module.removesuffix(".py").replace("/", ".")
    functions = sorted({"Basket" if t.form == "basket" else t.function for _, t in tests})
    imports = [f"from {dotted} import {', '.join(functions)}"]
    if any(trial.form == "item" for _, trial in tests):
        imports.append(f"from {project.name}.{project.item} import {project.item_class}")
    bodies = [
        f"def {name}():\n    assert {shown(project, t)} == {json.loads(t.wanted)!r}"
        for name, t in tests
    ]
    return "\n".join(sorted(imports)) + "\n\n\n" + "\n\n\n".join(bodies) + "\n"


def shown(project: Project, trial: Trial) -> str:
    """A call as it is written."""
    arguments = ", ".join(map(repr, json.loads(trial.arguments)))
    if trial.form == "basket":
        return f"Basket({arguments}).{trial.function}()"
    if trial.form == "item":
        return f"{trial.function}({project.item_class}({arguments}))"
    return f"{trial.function}({arguments})"


def reached(project: Project) -> Mapping[str, set[str]]:
    """For each function those that its code names, directly, with the functions of tables."""
    names = {each.name for each in project.functions}
    direct = {
        each.name: {*re.findall(r"\w+", project.text(each).rpartition('"""')[2])} & names
        for each in project.functions
    }
    for amount in project.amounts:
        direct[f"{amount}_of"] = {f"{category}_{amount}" for category in project.categories}
    return direct


def distances(direct: Mapping[str, set[str]], start: str) -> dict[str, int]:
    """How many calls lie between a function and each of those that it uses."""
    steps, front = {start: 0}, [start]
    while front:
        name = front.pop(0)
        for other in sorted(direct[name]):
            if other not in steps:
                steps[other] = steps[name] + 1
                front.append(other)
    return steps


def users(direct: Mapping[str, set[str]], name: str) -> set[str]:
    """A function and all that use it, directly or not."""
    using: dict[str, set[str]] = {}
    for user, names in direct.items():
        for used in names:
            using.setdefault(used, set()).add(user)
    return set(distances({key: using.get(key, set()) for key in {*direct, *using}}, name))
