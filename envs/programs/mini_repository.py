"""Repairing a small repository by tools, an original world in the manner of SWE-bench.

The benchmark is that of C. Jimenez and others, "SWE-bench: Can Language Models Resolve Real-World
GitHub Issues?" (2023); it, too, decides by tests that the player does not see.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.programs.mini_repository.desk import RepositoryDesk
from palaestra.generators.programs.mini_repository.players import careless_editors
from palaestra.generators.programs.mini_repository.repositories import Constants, Slip, mended
from palaestra.generators.programs.mini_repository.sufficient import sufficient
from palaestra.generators.programs.mini_repository.trials import (
    Repository,
    Telling,
    hidden,
    random_repository,
    start,
    visible,
)
from palaestra.task import Play, Policy, Score, Task, ladder
from palaestra.toolbox import call, schemas
from palaestra.verifiers.programs.mini_repository import graded_repository


class MiniRepository(Task):
    """Find and fix the bugs in a repository of small Python modules, some tests of which fail."""

    version = 3
    tags = {"tool-use", "sandboxed", "code", "debugging"}
    hidden = {"seed"}
    expensive = True

    class Knobs(Task.Knobs):
        modules: int = ladder(2, 3, 4, 5, 6, 7, 9, low=1)  # or one more
        bugs: int = ladder(1, 1, 1, 2, 2, 3, 4, high=5)
        telling: Telling = ladder(
            "functions", "functions", "functions", "functions", "entries", "entries", "entries"
        )
        tests: int = ladder(3, 3, 2, 2, 3, 3, 2, high=5)  # of each function that is tested

    modules: tuple[str, ...]
    constants: Constants
    slips: tuple[Slip, ...]
    telling: Telling
    tests: int
    shown: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        repository = None
        while repository is None:
            repository = random_repository(rng, knobs.modules, knobs.bugs, knobs.telling)
        return cls(
            modules=repository.modules,
            constants=repository.constants,
            slips=repository.slips,
            telling=knobs.telling,
            tests=knobs.tests,
            shown=rng.randrange(2**32),
            seed=rng.randrange(2**32),
        )

    def is_valid(self) -> bool:
        repository = self.repository()
        shown = visible(repository, self.telling, self.tests, self.shown)
        return bool(shown and hidden(repository, self.seed))

    def canonical(self) -> str:
        return repr((self.modules, self.constants, self.slips))

    def repository(self) -> Repository:
        """What is to be repaired."""
        return Repository(self.modules, self.constants, self.slips)

    def desk(self) -> RepositoryDesk:
        """The desk as the player finds it."""
        trials = visible(self.repository(), self.telling, self.tests, self.shown)
        return RepositoryDesk(self.repository().files(), trials)

    def calls(self) -> int:
        """The number of tool calls that the player may make."""
        return 12 + 3 * len(self.modules) + 8 * len(self.slips)

    def play(self) -> Play:
        desk = self.desk()
        yield from desk.session(self.brief(desk), calls=self.calls())
        if desk.files == desk.start:
            return Score(0, "nothing is changed")
        return self.judged(desk.files)

    def judged(self, files: Mapping[str, str]) -> Score:
        """How well modules do on the hidden tests."""
        trials = sufficient(self.repository(), self.seed)
        calls = [((c.module, c.function, c.args), wanted) for c, wanted in trials]
        return graded_repository(files, calls, start(self.repository(), trials))

    def brief(self, desk: RepositoryDesk) -> str:
        """The task and the list of files."""
        one = len(self.slips) == 1
        bugs = "one bug" if one else f"{len(self.slips)} bugs"
        them, are = ("it", "is") if one else ("them", "are")
        ask = self.phrase(
            f"A repository of small Python modules has {bugs}. Find and fix {them}.",
            f"There {are} {bugs} in a repository of small Python modules. Repair it.",
        )
        return (
            f"{ask} The docstring of a function, and the comments and constants around it, state "
            "what it does; they are right. Each bug is in a line of code. A test that fails shows "
            "a bug in the function that it calls or in a function that this one uses. Your result "
            "is judged by hidden tests of all functions of all modules, so keep their names and "
            "parameters. The tests call functions with plain values and compare the results, in "
            "which a tuple equals a list with the same items.\n\nModules: "
            f"{', '.join(desk.files)}\nTests: {', '.join(desk.tests)}"
        )

    def solve(self) -> Iterable[str]:
        """Run the tests, then read each module with a bug and fix it."""
        yield call("run_tests")
        for slip in self.slips:
            wrong, right = mended(slip.module, slip)
            yield call("read", file=f"{slip.module}.py")
            yield call("edit", file=f"{slip.module}.py", old=wrong, new=right)
        yield call("run_tests")
        yield "done"

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return schemas(RepositoryDesk)

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        """Players who change lines at random by the types of mistakes, or nothing."""
        return careless_editors(rng, list(self.desk().files), len(self.slips))

    def difficulty(self) -> float:
        """The lines to be looked at, as often as there are bugs, and again where tests are few."""
        files = self.repository().files()
        lines = sum(text.count("\n") for text in files.values())
        return float(lines * len(self.slips) * (1 if self.telling == "functions" else 2))
