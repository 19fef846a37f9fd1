"""Linear and integer programs written from words: L. Kantorovich (1939), G. Dantzig (1947).

A model is judged by solving it, as learning with solvers does (Y. Chen and others, "Solver-Informed
RL: Grounding Large Language Models for Authentic Optimization Modeling", 2025): here exactly, and
with several sets of numbers, so that neither a wrong model with the right value nor a value alone
is right.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.optimisation.write_model.cases import (
    WORK,
    Case,
    Plan,
    adequate_cases,
    omissions,
    program_of,
    random_case,
    random_plan,
    story_of,
    value,
    value_by_cases,
)
from palaestra.generators.optimisation.write_model.parts import Story, relaxed
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.modelling.branching import optimum
from palaestra.verifiers.modelling.language import DEPTH, LINES, VARIABLES, Model, parse
from palaestra.verifiers.modelling.simplex import WorkLimit
from palaestra.verifiers.reading.layout import code_lines, unbulleted
from palaestra.verifiers.reading.values import joined

AUDITED = 12
"""How many further cases a second opinion tries."""


class WriteModel(Puzzle):
    """Write a linear or integer program for a story, right for all numbers that it may have."""

    version = 2
    tags = {"optimisation", "modelling", "language"}
    answer_type = "code-lines"
    expensive = True
    hidden = {"others"}

    class Knobs(Puzzle.Knobs):
        problem: Literal["linear", "mixed", "constraints", "any"] = ladder(
            "linear", "linear", "mixed", "mixed", "any", "any"
        )
        items: int = ladder(2, 3, 3, 3, 4, 4, low=2, high=5)  # ingredients, jobs, talks …
        conditions: int = ladder(1, 2, 1, 3, 4, 6, low=1, high=6)

    plan: Plan
    shown: Case
    others: tuple[Case, ...]
    """Other numbers that models are tried with."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        plan = random_plan(rng, knobs.problem, knobs.items, knobs.conditions)
        cases = adequate_cases(rng, plan, story_of(plan))
        shown, *others = cases or (Case((), ()),)
        return cls(plan=plan, shown=shown, others=tuple(others))

    def is_valid(self) -> bool:
        """Whether each condition matters in one of the cases."""
        return bool(self.others)

    def canonical(self) -> str:
        return repr((self.plan, self.shown.values))

    @property
    def story(self) -> Story:
        """The story with its model."""
        return _story(self.plan)

    @property
    def names(self) -> list[str]:
        """The names of the quantities."""
        return [*self.story.quantities]

    @property
    def is_open(self) -> bool:
        """Whether the story has no objective, so that any solution is right."""
        return not self.story.sense

    def prompt(self) -> str:
        story = self.story
        numbers = "\n".join(
            joined([f"{name} = {number}" for name, number in group]) for group in self._groups()
        )
        top = max(high for _, high in story.quantities.values())
        task = self.phrase(
            "Write a linear model of the following problem; integer variables are allowed.",
            "State the following problem as a linear program, with integer variables if it needs "
            "them.",
        )
        if self.is_open:
            variables = joined([f"slot_{item}" for item in self.plan.items])
            judged = (
                "It must not have an objective. It has to declare the integer variables "
                f"{variables} for the numbers of the slots; it may have further variables. It is "
                "right if the values that these can have together are exactly those that satisfy "
                "the conditions, which is tried by maximizing and minimizing sums of them, "
                "and with other numbers: use the names of the quantities, not their values."
            )
        else:
            judged = (
                "It is right if its optimum is that of the problem, not only with the numbers "
                "above, but with other ones as well: use the names of the quantities, not their "
                "values. You are free to choose the variables."
            )
        texts = " ".join(part.text for part in story.parts)
        return (
            f"{task}\n\n{texts}\n\nThe quantities are for example:\n{numbers}\n\n{judged} "
            f"In other cases, all quantities are whole numbers from 1 to {top}.\n\n"
            "Each line of the model is one of these:\n"
            "- A declaration: 'continuous', 'integer' or 'binary', and the names of variables with "
            "commas between them. Variables are at least 0, and binary ones are 0 or 1. Other "
            "bounds of continuous and integer ones can stand behind the names, as in "
            "'integer n, m >= 2 <= 9'; they must not have variables in them.\n"
            "- The objective: 'maximize' or 'minimize' and a linear expression.\n"
            "- A constraint: two linear expressions with <=, >= or = between them.\n"
            "Expressions have numbers, names of quantities and variables, +, -, *, / and "
            "brackets. A product of two variables is not linear, and neither is a division by a "
            f"variable. There are no loops, functions or sums over indices. A model has at most "
            f"{LINES} lines and {VARIABLES} variables, and brackets are at most {DEPTH} deep. This "
            f"is the form of a model, here of another problem:\n{_EXAMPLE}"
        )

    def _groups(self) -> list[list[tuple[str, int]]]:
        """The quantities with their numbers, those that share the word before ``_`` together."""
        groups: dict[str, list[tuple[str, int]]] = {}
        single = {name for part in self.story.parts for name in part.quantities if "_" not in name}
        for name, number in zip(self.names, self.shown.values):
            key = "" if name in single else name.partition("_")[0]
            groups.setdefault(key, []).append((name, number))
        return [*groups.values()]

    def scene(self) -> Table:
        """The quantities and their numbers."""
        rows = [(Cell(name), Cell(str(n))) for name, n in zip(self.names, self.shown.values)]
        return Table(tuple(rows), ("quantity", "value"))

    def answer(self) -> str:
        return self.story.text()

    def read(self, answer: str) -> Model:
        """The model of an answer. Raises :class:`InvalidAnswer`."""
        # A declaration has no minus sign before it: if all lines have dashes, these are bullets.
        bare = unbulleted(code_lines(answer))
        rows = [row.strip() for line in bare for row in line.split(";")]
        return parse([row.removesuffix(",") for row in rows if row], self.names)

    def verify(self, answer: str) -> Score:
        model = self.read(answer)
        if violation := self.violation(model):
            return Score(0, violation)
        problems = [self._problem(model, case, _target(self, case)) for case in self.cases]
        right = {"progress": problems.count("") / len(problems)}
        if problems[0]:
            return Score(0, f"with the numbers of the prompt, {problems[0]}", right)
        reason = next(filter(None, problems), "")
        return Score(0 if reason else 1, reason and f"with other numbers, {reason}", right)

    @property
    def cases(self) -> tuple[Case, ...]:
        """All cases, that of the prompt first."""
        return (self.shown, *self.others)

    def violation(self, model: Model) -> str:
        """What is wrong with a model whatever the numbers are; empty if nothing is."""
        if not self.is_open:
            return "" if model.sense else "the model has no objective"
        if model.sense:
            return "the model must not have an objective"
        integers = {each.name for each in model.variables if each.is_integer}
        missing = [item for item in self.plan.items if f"slot_{item}" not in integers]
        return f"the integer variable slot_{missing[0]} is not declared" if missing else ""

    def _problem(self, model: Model, case: Case, target: Fraction) -> str:
        """What is wrong with a model in a case; empty if nothing is.

        Raises :class:`InvalidAnswer` for a model that is not linear or takes too much work.
        """
        program = program_of(model, self.plan, self.names, case)
        try:
            result = optimum(program, target, WORK)
        except WorkLimit as error:
            raise InvalidAnswer(f"the model cannot be solved: {error}", "limit") from None
        if result.value == target:
            return ""
        if result.state == "optimal" or result.nodes:
            return "the model has another optimum than the problem"
        return f"the model is {result.state}"

    def audit(self, answer: str) -> bool:
        """Try the model with further numbers, where the optimum is computed by cases."""
        model, rng, tried = self.read(answer), Random(1), 0
        if self.violation(model):
            return False
        for _ in range(4 * AUDITED):
            case = random_case(rng, self.plan, self.story)
            target = value_by_cases(self.plan, self.names, case)
            if target is not None:
                if self._problem(model, case, target):
                    return False
                tried += 1
            if tried == AUDITED:
                break
        return self.verify(answer).value == 1

    def difficulty(self) -> float:
        """The number of names and numbers in the model, those of integer variables twice."""
        model = parse(self.answer(), self.names)
        sides = [code for row in model.constraints for code in (row.left, row.right)]
        integers = {each.name for each in model.variables if each.is_integer}
        used = [each for code in (model.objective, *sides) for each in code]
        return float(sum((each not in (*"+-*/~",)) + (each in integers) for each in used))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who leave out or misread one condition, ignore that variables are integers, or
        write down a value.
        """
        story, right = self.story, self.answer()
        left_out = omissions(story)
        slips = story.text(slipped=range(len(story.conditions)))
        bare = story._replace(conditions=()).text()
        declared = "\n".join(f"integer slot_{item} >= 1" for item in self.plan.items)
        best = _target(self, self.shown)
        constant = declared if self.is_open else f"{story.sense} z\ncontinuous z\nz = {best}"
        other = {"maximize": "minimize", "minimize": "maximize"}.get(story.sense, "")
        return {
            "without the first condition": left_out[0],
            "without the last condition": left_out[-1],
            "without conditions": bare,
            "a slip in each condition": slips if slips != right else bare,
            "continuous variables": relaxed(right) if relaxed(right) != right else bare,
            "the value alone": constant,
            "the other direction": right.replace(story.sense, other) if other else declared,
            "the numbers for the names": self._numbers(right),
        }

    def _numbers(self, text: str) -> str:
        """A model with the numbers of the prompt in place of the names of quantities."""
        known = dict(zip(self.names, self.shown.values))
        tokens: Sequence[str] = _words(text)
        return "".join(str(known.get(token, token)) for token in tokens)


_EXAMPLE = """continuous syrup <= 8
integer trays
binary rush
maximize 5*trays - 2*syrup - 3*rush
2*trays + syrup <= 14
trays <= 4 + 5*rush"""


def _words(text: str) -> list[str]:
    """A text in pieces, of which names are whole.

    >>> _words("x_a<=cap")
    ['x_a', '<', '=', 'cap']
    """
    pieces: list[str] = []
    for sign in text:
        is_part = sign.isalnum() or sign == "_"
        if is_part and pieces and (pieces[-1][-1].isalnum() or pieces[-1][-1] == "_"):
            pieces[-1] += sign
        else:
            pieces.append(sign)
    return pieces


@lru_cache(maxsize=64)
def _story(plan: Plan) -> Story:
    return story_of(plan)


@lru_cache(maxsize=512)
def _target(task: WriteModel, case: Case) -> Fraction:
    """The optimum of a story in one of its cases."""
    result = value(parse(task.answer(), task.names), task.plan, task.names, case)
    if result is None:
        raise ValueError(f"the case {case} has no solution")
    return Fraction(result)
