"""Faults of a project: mutants of a function whose symptom shows at the desk, and missing rules.

SWE-smith makes issues of working repositories in the same two ways. Mutants are those of
:mod:`palaestra.generators.mutants`.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.mutants.changes import replaced, replacements, sites
from palaestra.generators.tools.repository_issue.project import Function, Project
from palaestra.generators.tools.repository_issue.trials import (
    Calling,
    Running,
    Trial,
    category_of,
    distances,
    near_numbers,
    reached,
    users,
)
from palaestra.syntax import parse

TRIES = 16
"""How many calls of the desk are tried to show a fault."""

UNITS = 12
"""How many calls of a function itself are tried before those of the desk."""

SHOWING = 6
"""So many calls of the desk that show a fault are judged beside those of the function itself."""

SOME, MORE = 3, 10
"""So many judging calls are made of each function, and of a helper for whole numbers."""

FEWEST = 4
"""So many of the judging calls show each fault."""

MANY = 40
"""A project with so many functions has one visible test of each, a smaller one two."""

_CLUMSY = re.compile(r"\bpass\b|\bif (True|False)\b|not not|\b(\w+) [-<>=+*/%]{1,2} \2\b|\+ 0|'':")
"""What nobody writes, and would tell where the fault is."""


class Symptom(NamedTuple):
    """What a user sees: a call of the desk and what it gives, as JSON."""

    trial: Trial
    now: str


class Fault(NamedTuple):
    """A function that is not as it is documented, or that lacks a rule.

    ``subject`` and ``rule`` are the function's subject and the sentence of the rule that is
    missing, or nothing.
    """

    function: str
    text: str
    symptom: Symptom
    depth: int
    subject: str = ""
    rule: str = ""


class Needs(NamedTuple):
    """How many faults there are, how many in 100 are missing rules, and how they show.

    With ``failing`` the visible tests show each mutant, otherwise none.
    """

    number: int
    missing: int
    rows: int
    depth: int
    failing: bool


class Draft(NamedTuple):
    """A project with its faults and the calls that judge it."""

    project: Project
    texts: dict[str, str]
    faults: tuple[Fault, ...]
    visible: tuple[Trial, ...]
    failing: tuple[Trial, ...]
    passing: tuple[Trial, ...]


class FaultDrawing:
    """Draws faults of a project and the calls that show them."""

    def __init__(self, rng: Random, project: Project, rows: int, depth: int) -> None:
        self.rng, self.rows, self.depth = rng, rows, depth
        self.project = project
        self.right = Running(project)
        self.wrong = self.right.twin()
        self.direct = reached(project)
        self.calling = Calling(rng, project)

    def fault(self, missing: bool, taken: Sequence[str]) -> Fault | None:
        """A fault of a function that is not taken, or None where the attempt fails."""
        amount = self.rng.choice(self.project.amounts)
        form = "quote" if missing or self.rows > 2 else self.rng.choice(("quote", "quote", "lines"))
        entry = self._entry(f"{amount}_{form}")
        far = distances(self.direct, entry.name)
        least = min(self.depth, max(far.values()) - 1)
        near = [f for f in self.project.functions if far.get(f.name, -1) >= least]
        chosen = [f for f in near if f.name not in taken and (not missing or _can_lack(f))]
        if not chosen:
            return None
        target = self._target(chosen)
        text, lacking = self._without_rule(target) if missing else (self._mutated(target), target)
        if not text:
            return None
        with self.wrong.changed(target, text):
            symptom = self._symptom(entry, target) if self._differs(target) else None
        if symptom is None:
            return None
        sentence = target.rules[-1].sentence() if missing else ""
        subject = lacking.subject if missing else ""
        return Fault(target.name, text, symptom, far[target.name], subject, sentence)

    def _target(self, chosen: Sequence[Function]) -> Function:
        """A function, often one of those of the categories, which are many."""
        helpers = [each for each in chosen if not category_of(self.project, each)]
        return self.rng.choice(helpers if helpers and self.rng.random() < 0.35 else chosen)

    def _entry(self, name: str) -> Function:
        return next(each for each in self.project.functions if each.name == name)

    def _mutated(self, target: Function) -> str:
        """The function with a mutant in its place, or nothing where none turns up."""
        text = self.project.text(target)
        tree = parse(text)
        places = [site for site in sites(tree) if isinstance(site.node, ast.expr | ast.stmt)]
        for _ in range(8):
            site = self.rng.choice(places)
            options = [*replacements(site)]
            if not options:
                continue
            with replaced(site, self.rng.choice(options)):
                mutant = ast.unparse(tree)
            if mutant != text and not _CLUMSY.search(mutant) and _is_program(mutant):
                return mutant
        return ""

    def _without_rule(self, target: Function) -> tuple[str, Function]:
        """The function without its last rule."""
        lacking = target._replace(rules=target.rules[:-1])
        return self.project.text(lacking), lacking

    def _differs(self, target: Function) -> bool:
        """Whether a few calls of the function itself show that it is another one."""
        category, numbers = category_of(self.project, target), near_numbers(target)
        calls = [self.calling.trial(target, category, numbers) for _ in range(UNITS)]
        return any(self.wrong.result(trial) != self.right.result(trial) for trial in calls)

    def _symptom(self, entry: Function, target: Function) -> Symptom | None:
        """A call of the desk that gives something wrong, with as few rows as may be."""
        category, numbers = category_of(self.project, target), near_numbers(target)
        for _ in range(TRIES):
            own = category or self.rng.choice(self.project.categories)
            trial = self.calling.entry(entry, own, numbers, self.rows)
            now, wanted = self.wrong.result(trial), self.right.result(trial)
            if now and wanted and now != wanted:
                return Symptom(trial._replace(wanted=wanted), now)
        return None

    def shown(self, each: int) -> list[Trial]:
        """So many calls of every function."""
        calls = [self.calling.trial(f) for f in self.project.functions for _ in range(each)]
        return self.right.wanted([*dict.fromkeys(calls)])

    def _regression(self) -> Iterator[Trial]:
        """Calls of all functions, with numbers near those of their rules."""
        for each in self.project.functions:
            number = MORE if each.parameters not in {"item", "rows", "self"} else SOME
            category, numbers = category_of(self.project, each), near_numbers(each)
            for _ in range(number):
                yield self.calling.trial(each, category, numbers)

    def hidden(self, faults: Sequence[Fault]) -> list[Trial]:
        """Calls that show the faults, and others of all functions."""
        calls = self.right.wanted([*self._regression()])
        for fault in faults:
            target = self._entry(fault.function)
            category, numbers = category_of(self.project, target), near_numbers(target)
            unit = [self.calling.trial(target, category, numbers) for _ in range(40)]
            entry = self._entry(fault.symptom.trial.function)
            entries = [
                self.calling.entry(entry, category or "", numbers, self.rng.randint(1, 4))
                for _ in range(3 * SHOWING)
            ]
            calls += [*self.right.wanted(unit), *self.right.wanted(entries), fault.symptom.trial]
        return [*dict.fromkeys(calls)]


def _can_lack(each: Function) -> bool:
    """Whether a function is one of a part, which does without its last rule."""
    return each.parameters == "item" and len(each.rules) > 1 and each.name.count("_") == 2


def _is_program(text: str) -> bool:
    try:
        parse(text)
    except SyntaxError:
        return False
    return True


def drawn_faults(rng: Random, project: Project, needs: Needs) -> Draft | None:
    """Faults of a project as they are needed; None where they do not turn up."""
    drawing = FaultDrawing(rng, project, needs.rows, needs.depth)
    faults: list[Fault] = []
    for _ in range(40 * needs.number):
        fault = drawing.fault(rng.randrange(100) < needs.missing, [f.function for f in faults])
        if fault is not None:
            faults.append(fault)
        if len(faults) == needs.number:
            return _judged(drawing, faults, needs.failing)
    return None


def _judged(drawing: FaultDrawing, faults: Sequence[Fault], failing: bool) -> Draft | None:
    """The faults with the calls that judge; None where one of them hides another one."""
    project, wrong = drawing.project, drawing.wrong
    by_name = {each.name: each for each in project.functions}
    hidden = drawing.hidden(faults)
    touched: set[str] = set()
    for fault in faults:  # each of them must be seen when the others are mended
        using = users(drawing.direct, fault.function)
        touched |= using
        with wrong.changed(by_name[fault.function], fault.text):
            near = [trial for trial in hidden if trial.function in using]
            if sum(wrong.result(trial) != trial.wanted for trial in near) < FEWEST:
                return None
    for fault in faults:
        wrong.put(by_name[fault.function], fault.text)
    seen = []
    for fault in faults:
        trial = fault.symptom.trial
        now = wrong.result(trial)
        if now in {"", trial.wanted}:
            return None
        seen.append(fault._replace(symptom=Symptom(trial, now)))
    shown = drawing.shown(2 if len(project.functions) < MANY else 1)

    def passes(trial: Trial) -> bool:
        return trial.function not in touched or wrong.result(trial) == trial.wanted

    visible = [trial for trial in shown if passes(trial)]
    if failing:
        visible += [fault.symptom.trial for fault in faults if not fault.rule]
    texts = {fault.function: fault.text for fault in faults}
    right = [passes(trial) for trial in hidden]
    return Draft(
        project,
        texts,
        tuple(seen),
        tuple(dict.fromkeys(visible)),
        tuple(trial for trial, is_right in zip(hidden, right, strict=True) if not is_right),
        tuple(trial for trial, is_right in zip(hidden, right, strict=True) if is_right),
    )


def documented(project: Project, faults: Sequence[Fault]) -> Project:
    """The project whose documentation knows nothing of the rules that are missing."""
    for fault in faults:
        if fault.rule:
            old = next(each for each in project.functions if each.name == fault.function)
            project = project.changed(old, old._replace(rules=old.rules[:-1]))
    return project
