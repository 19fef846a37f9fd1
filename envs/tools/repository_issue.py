"""Resolving an issue of a repository through tools, an original family of worlds.

C. Jimenez and others, "SWE-bench: Can Language Models Resolve Real-World GitHub Issues?" (2023),
judge patches by tests that were not seen. J. Yang and others, "SWE-smith: Scaling Data for Software
Engineering Agents" (2025), break working repositories by mutation and by removing features; J. Pan
and others, "Training Software Engineering Agents and Verifiers with SWE-Gym" (2024), N. Jain and
others, "R2E-Gym: Procedural Environments and Hybrid Verifiers for Scaling Open-Weights SWE Agents"
(2025), and I. Badertdinov and others, "SWE-rebench: An Automated Pipeline for Task Collection and
Decontaminated Evaluation of Software Engineering Agents" (2025), collect such tasks from commits.
Here the repository, the issue and the fault are new with every task.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import BUSY, manual, scripted
from palaestra.generators.tools.repository_issue.client import Client
from palaestra.generators.tools.repository_issue.faults import Needs, documented, drawn_faults
from palaestra.generators.tools.repository_issue.mending import Repair
from palaestra.generators.tools.repository_issue.players import (
    failing_module,
    last_commit,
    policy,
    shared_words,
)
from palaestra.generators.tools.repository_issue.project import ITEMS, Plan, Project, random_project
from palaestra.generators.tools.repository_issue.trials import Trial, test_files
from palaestra.generators.tools.repository_issue.wording import (
    Issue,
    history_of,
    in_words,
    issue_of,
)
from palaestra.generators.tools.repository_issue.workplace import TOOLS, Commit, Workplace
from palaestra.task import Play, Policy, Score, Task, ladder
from palaestra.toolbox import call


class RepositoryIssue(Task):
    """Resolve the issues of a repository of several modules, judged by hidden tests."""

    tags = {"tool-use", "sandboxed", "code", "debugging", "hidden-state"}
    hidden = {"files", "history", "visible", "failing", "passing", "repairs"}
    expensive = True

    class Knobs(Task.Knobs):
        categories: int = ladder(2, 3, 4, 5, 6, 7, 8, high=12)
        amounts: int = ladder(1, 1, 1, 1, 2, 2, 2, high=4)
        parts: int = ladder(2, 2, 3, 3, 3, 3, 3)  # of each category and amount
        rules: int = ladder(1, 1, 2, 2, 2, 3, 3, high=4)  # of each part, beside the first
        measures: int = ladder(0, 1, 1, 2, 2, 3, 4, high=6)
        layers: int = ladder(0, 0, 1, 1, 2, 3, 4)  # between the desk and the basket
        depth: int = ladder(1, 2, 3, 4, 4, 5, 6, high=8)  # calls from the desk to the fault
        rows: int = ladder(1, 1, 2, 3, 3, 4, 5, high=6)  # in the example of an issue
        faults: int = ladder(1, 1, 1, 1, 2, 2, 3, high=4)
        missing: int = ladder(20, 20, 25, 25, 30, 30, 30, low=0, high=100)
        """The percentage of issues that ask for a rule."""
        failing: int = ladder(1, 1, 0, 0, 0, 0, 0)  # whether a visible test shows a fault
        pages: int = ladder(0, 0, 0, 0, 1, 1, 1)  # whether rules are documented on pages
        busy: int = ladder(0, 0, 0, 0, 4, 6, 8, high=30)  # percentage of calls that fail

    package: str
    item: str
    fields: tuple[str, ...]
    issues: tuple[Issue, ...]
    files: tuple[tuple[str, str], ...]
    history: tuple[Commit, ...]
    visible: tuple[Trial, ...]
    failing: tuple[Trial, ...]
    passing: tuple[Trial, ...]
    repairs: tuple[Repair, ...]
    calls: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        plan = Plan(
            knobs.categories, knobs.amounts, knobs.parts, knobs.rules, knobs.measures,
            knobs.layers, bool(knobs.pages),
        )  # fmt: skip
        needs = Needs(knobs.faults, knobs.missing, knobs.rows, knobs.depth, bool(knobs.failing))
        draft = None
        while draft is None:
            draft = drawn_faults(rng, random_project(rng, plan), needs)
        project = documented(draft.project, draft.faults)
        files = project.files(draft.texts)
        mutated = [fault.function for fault in draft.faults if not fault.rule]
        homes = [each.module for each in project.functions if each.name in mutated]
        return cls(
            package=project.name,
            item=project.item,
            fields=project.fields,
            issues=tuple(map(issue_of, draft.faults)),
            files=tuple(sorted({**files, **test_files(project, draft.visible)}.items())),
            history=tuple(history_of(rng, project, homes, 3 + len(files) // 2)),
            visible=draft.visible,
            failing=draft.failing,
            passing=draft.passing,
            repairs=tuple(_repair(draft.project, fault.function) for fault in draft.faults),
            calls=30 + len(files) * 2 // 10 * 10,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def world(self) -> Workplace:
        """The repository at its start."""
        return Workplace(
            dict(self.files), self.visible, self.history, self.package, self.item, self.repairs,
            self.seed, self.busy,
        )  # fmt: skip

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, world.goal)
        return self.judged(world)

    def judged(self, world: Workplace) -> Score:
        """1 if all hidden tests pass and no test was edited, otherwise 0.

        The parts are the share of the tests that failed at first and pass, ``goal``, and how many
        of the others fail, with the edited files of tests: ``damage``.
        """
        if not world.edits():
            return Score(0, "nothing is changed", {"goal": 0.0, "damage": 0.0})
        results = world.outcomes([*self.failing, *self.passing])
        wrong = sum(map(bool, results[: len(self.failing)]))
        broken = sum(map(bool, results[len(self.failing) :])) + len(world.edited_tests())
        parts = {"goal": 1 - wrong / len(self.failing), "damage": float(broken)}
        if broken:
            return Score(0, f"tests that were edited or fail by the edits: {broken}", parts)
        reason = f"hidden tests of the issues that fail: {wrong} of {len(self.failing)}"
        return Score(0, reason, parts) if wrong else Score(1, parts=parts)

    def brief(self) -> str:
        """The issues, and how to work on the repository."""
        ask = self.phrase(
            "You maintain a small repository of Python modules. Resolve what users ask for.",
            "Users have opened issues of a repository of Python modules. Resolve them.",
            "Work on a repository of Python modules until the following is resolved.",
        )
        return (
            f"{ask} The documentation is right about all that is there, and so are the tests; the "
            "code may not be. Hidden tests call the functions of all modules, so keep names and "
            "parameters, and change no behaviour that nobody asks for. Files in tests/ must stay "
            f"as they are.\n\n{self.issues_in_words()}\n\n{manual(TOOLS, self.calls)}"
        )

    def issues_in_words(self) -> str:
        """The issues as users write them, each a paragraph."""
        rng = Random(f"{self.seed} {self.wording}")
        items = (self.item, ITEMS[self.item])
        one = len(self.issues) == 1
        return "\n\n".join(
            ("Issue: " if one else f"Issue {number}: ") + in_words(issue, items, self.fields, rng)
            for number, issue in enumerate(self.issues, 1)
        )

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the issues, documentation, code and results alone."""
        world, moves = self.world(), []

        def use(tool: str, arguments: Mapping[str, Any]) -> str:
            moves.append(call(tool, **arguments))
            return world.use(moves[-1])[0]

        Client(use, BUSY).mend(self.issues_in_words())
        return tuple(moves)

    def solve(self) -> Iterable[str]:
        """Read the documentation and the code, and write functions that differ from it anew."""
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, or change a line of a module that they choose by its looks."""
        return {
            "do nothing": scripted([]),
            "shared words": policy(shared_words(rng)),
            "last commit": policy(last_commit(rng)),
            "failing module": policy(failing_module(rng)),
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of lines of code, once for each issue."""
        lines = sum(text.count("\n") for path, text in self.files if path.endswith(".py"))
        return float(lines * len(self.issues))


def _repair(project: Project, name: str) -> Repair:
    """What mends the fault of a function."""
    function = next(each for each in project.functions if each.name == name)
    return Repair(function.module, name, project.text(function))
