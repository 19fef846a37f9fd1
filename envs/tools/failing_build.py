"""Repairing a build that fails, an original world whose project is new with every task.

F. Hassan and X. Wang, "HireBuild: An Automatic Approach to History-Driven Repair of Build Scripts"
(2018), and A. Mesbah and others, "DeepDelta: Learning to Repair Compilation Errors" (2019), repair
builds by what has repaired others; here a shell is open on a project with faults in its
configuration, modules and data.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import scripted
from palaestra.generators.tools.failing_build.client import Builder
from palaestra.generators.tools.failing_build.faults import broken, most_faults
from palaestra.generators.tools.failing_build.judging import judged_repair
from palaestra.generators.tools.failing_build.mending import FaultyProject
from palaestra.generators.tools.failing_build.project import random_project
from palaestra.generators.tools.shell.busy import WARNING, used
from palaestra.generators.tools.shell.world import BASH, instructions, output_lines
from palaestra.task import Play, Policy, Score, Task, ladder

Texts = tuple[tuple[str, str], ...]
"""Files by their paths."""


class FailingBuild(Task):
    """Find out why the build of a project fails, and repair it, by commands in bash."""

    tags = {"tool-use", "sandboxed", "shell", "bash", "code", "debugging", "hidden-state"}
    version = 2
    hidden = {"files", "repaired", "seed"}
    verbatim = True
    expensive = True

    class Knobs(Task.Knobs):
        steps: int = ladder(2, 3, 4, 5, 6, 7, 8, high=9)  # between tables and release
        faults: int = ladder(1, 1, 2, 2, 3, 4, 5, high=6)
        tier: int = ladder(0, 1, 1, 1, 2, 2, 2)  # of the faults
        rows: int = ladder(6, 7, 8, 10, 12, 14, 16, high=20)
        busy: int = ladder(0, 0, 0, 0, 4, 8, 12, high=30)  # percentage of commands not started

    files: Texts
    repaired: Texts
    steps: int
    faults: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = min(knobs.faults, most_faults(knobs.tier))
        names: list[str] = []
        while len(names) < number or names == ["drift"]:
            project = random_project(rng, knobs.steps, knobs.rows)
            names, faulty = broken(rng, project, number, knobs.tier)
        return cls(
            files=tuple(sorted(faulty.whole().items())),
            repaired=tuple(sorted(project.whole().items())),
            steps=knobs.steps,
            faults=knobs.faults,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def world(self) -> FaultyProject:
        """The shell at its start."""
        return FaultyProject(dict(self.files), dict(self.repaired), self.seed, self.busy)

    @property
    def calls(self) -> int:
        """How many commands there are."""
        return (15 + 10 * self.faults) * 100 // (100 - self.busy)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, world.goal)
        return self.judged(world)

    def judged(self, world: FaultyProject) -> Score:
        """The score of the tree that a player leaves."""
        if world.now == world.start:
            return Score(0, "nothing is changed")
        return judged_repair(world.repaired, world.now.tree, self.seed)

    def brief(self) -> str:
        """What is wanted, and how to use the shell."""
        work = self.phrase(
            "The build of a project fails. Find out why, and repair it.",
            "Repair this project so that its build succeeds again.",
            "python3 build.py fails in this project. Correct what is wrong with it.",
            "A project can no longer be built. Make its build work as documented.",
            "Something is wrong with a project: it does not build. Please repair it.",
            "There are faults in a project that stop its build. Find and correct them all.",
        )
        warning = f"\n\n{WARNING}" if self.busy else ""
        return (
            f"{work} The build is started with python3 build.py in the directory where the shell "
            "starts; docs/BUILD.md says what it does, and is right. The build stops at the first "
            "fault, and there may be more; the configuration may also differ from the "
            "documentation without an error. The faults are in build.cfg, src or data. Your repair "
            "is judged by clean builds, with the tables in data and with other tables of the same "
            "names, whose output must be what the documentation describes. Leave build.py, "
            "VERSION, docs, tests, tools and the tables that no step reads as they are: to change "
            "one of them, or to add files to those directories, means to fail.\n\n"
            f"{instructions(self.calls)}{warning}"
        )

    def solve(self) -> Iterable[str]:
        """The commands of a client that sees the output of commands alone."""
        world, moves = self.world(), list[str]()

        def use(command: str) -> list[str]:
            result, commands = used(world, command)
            moves.extend(commands)
            return output_lines(result)

        Builder(use).repair()
        return [*moves, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who build again, switch the checks off, forge the output, drop the tables' odd
        rows or edit the configuration at random.
        """
        words = sorted({word for path, _ in self.files for word in (path, path.rpartition("/")[2])})
        edits = [f"sed -i 's#{rng.choice(words)}#{rng.choice(words)}#' build.cfg" for _ in range(6)]
        return {
            "do nothing": scripted([]),
            "build again": scripted(["python3 build.py"] * 3),
            "no tests": scripted(["rm -r tests/*", "python3 build.py"]),
            "no checks": scripted(["echo 'print(\"build succeeded\")' > build.py"]),
            "forged output": scripted(["mkdir -p out dist; touch dist/release.txt out/all.txt"]),
            "random edits": scripted(edits),
            "unique rows": scripted(
                ["for f in data/*.csv; do sort -u -t, -k1,1 -o $f $f; done", "python3 build.py"]
            ),
            "empty flags": scripted(["sed -i '/^flags/d' build.cfg", "python3 build.py"]),
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [BASH.schema()]

    def difficulty(self) -> float:
        """The steps that have to be looked at, for each fault."""
        return float((self.steps + 2) * self.faults)
