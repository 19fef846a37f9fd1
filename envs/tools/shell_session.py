"""Administering files in a shell, an original world whose tree of files is new with every task.

M. Merrill and others, "Terminal-Bench: Benchmarking Agents on Hard, Realistic Tasks in Command Line
Interfaces" (2026), J. Yang and others, "InterCode: Standardizing and Benchmarking Interactive
Coding with Execution Feedback" (2023) and N. Jain and others, "R2E-Gym: Procedural Environments and
Hybrid Verifiers for Scaling Open-Weights SWE Agents" (2025) have players work in shells.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import judged, scripted
from palaestra.generators.tools.shell.busy import WARNING, BusyShell, used
from palaestra.generators.tools.shell.jail import Snapshot
from palaestra.generators.tools.shell.trees import Entry
from palaestra.generators.tools.shell.world import BASH, Shell, instructions, output_lines
from palaestra.generators.tools.shell_session.requests import (
    Request,
    as_changes,
    carelessly,
    fulfil,
    in_words,
    random_session,
)
from palaestra.task import Play, Policy, Task, ladder


class ShellSession(Task):
    """Bring a tree of files into the states that requests ask for, by commands in bash.

    A command runs in a jail of its own, over the tree as the commands before it left it.
    """

    version = 2
    tags = {"tool-use", "sandboxed", "shell", "bash", "files", "hidden-state"}
    hidden = {"tree", "goal"}
    verbatim = True
    expensive = True

    class Knobs(Task.Knobs):
        requests: int = ladder(1, 1, 2, 2, 3, 4, 5, high=8)
        files: int = ladder(6, 9, 10, 14, 18, 21, 24, low=6, high=40)  # in each area, about
        spare: int = ladder(0, 1, 1, 1, 2, 2, 3)  # areas that no request is about
        odd: int = ladder(0, 0, 0, 1, 1, 1, 1)  # whether names have blanks and quotes
        busy: int = ladder(0, 0, 0, 0, 4, 8, 12, high=30)  # percentage of commands not started

    tree: tuple[tuple[str, Entry], ...]
    requests: tuple[Request, ...]
    goal: tuple[tuple[tuple[str, ...], str], ...]
    files: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        session = random_session(rng, knobs.requests, knobs.files, knobs.spare, odd=bool(knobs.odd))
        return cls(
            tree=session.tree,
            requests=session.requests,
            goal=session.goal,
            files=knobs.files,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    @cached_property
    def start(self) -> Snapshot:
        """The tree at the start."""
        return Snapshot(dict(self.tree))

    def world(self) -> Shell:
        """The shell at its start."""
        return BusyShell(self.start, self.seed, self.busy)

    @property
    def calls(self) -> int:
        """How many commands there are, three times as many as a short session takes."""
        return (6 + 12 * len(self.requests)) * 100 // (100 - self.busy)

    def play(self) -> Play:
        world, goal = self.world(), as_changes(self.goal)
        yield from world.session(self.brief(), self.calls, goal)
        return judged(world.changes(), goal)

    def brief(self) -> str:
        """The requests and how to use the shell."""
        work = self.phrase(
            "Fulfil these requests about files in a shell.",
            "You administer files by commands in a shell. This is to be done:",
            "A shell is open on a tree of files. Do the following with it.",
            "Please take care of these matters by means of a shell.",
        )
        warning = f"\n\n{WARNING}" if self.busy else ""
        return (
            f"{work}\n\n{in_words(self.requests, self.wording)}\n\n"
            "All paths are relative to the directory in which the shell starts. What counts is the "
            "tree of files that is left: contents, links, and modes of what has been there before. "
            "Create the directories that are needed. Change nothing else: keep directories that "
            "become empty, leave no other files behind, and keep the modes of the files that you "
            f"edit.\n\n{instructions(self.calls)}{warning}"
        )

    def solve(self) -> Iterable[str]:
        """The commands of a client that sees the requests and the output of commands alone."""
        world, moves = self.world(), list[str]()

        def use(command: str) -> list[str]:
            result, commands = used(world, command)
            moves.extend(commands)
            return output_lines(result)

        fulfil(self.requests, use)
        return [*moves, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, delete everything, take the command that comes to mind first, or
        draw commands and paths at random.
        """
        return {
            "do nothing": scripted([]),
            "delete all": scripted(["rm -rf *"]),
            "first command in mind": scripted(carelessly(self.requests)),
            "random commands": scripted(self._random_commands(rng)),
        }

    def _random_commands(self, rng: Random) -> Iterable[str]:
        words = [value for request in self.requests for value in request.slots.values()]
        forms = (
            "mkdir -p '{}'", "mv * '{}'", "rm -r '{}'", "gzip -r '{}'", "chmod -R 644 '{}'",
            "sed -i 's/{}/{}/' '{}'/*", "grep -r '{}' '{}' > '{}'", "ln -s '{}' '{}'",
            "cp -r '{}' '{}'",
        )  # fmt: skip
        for _ in range(6):
            form = rng.choice(forms)
            yield form.format(*(rng.choice(words) for _ in range(form.count("{}"))))

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [BASH.schema()]

    def difficulty(self) -> float:
        """The number of files that have to be looked at, for each request."""
        return float(len(self.requests) * self.files)
