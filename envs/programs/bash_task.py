"""Work on files by shell script, with tools of the kind that the UNIX system of D. Ritchie and
K. Thompson brought in (Communications of the ACM, 1974); the tasks are composed by chance.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Self

from palaestra.generators.programs.bash_task.sufficient import sufficient
from palaestra.generators.programs.bash_task.tasks import (
    Program,
    after,
    random_program,
    script,
    tested,
)
from palaestra.generators.programs.bash_task.trees import drawn_files, listing
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.bash_task.scripts import (
    LIMITS,
    Files,
    State,
    graded_script,
    script_of,
)
from palaestra.verifiers.sandbox import Limits

TREES = 2
"""On so many hidden trees of plain chance a script is tried, and on others chosen for slips."""

STEP_S = 0.025
"""Processor time of a script for each step and file, in seconds: five times what it needs."""


class BashTask(Puzzle):
    """Write a bash script that does some steps of work on any tree of files of a kind."""

    version = 4
    tags = {"sandboxed", "code", "shell", "bash", "files"}
    hidden = {"seed"}
    verbatim = True
    expensive = True  # a jail for each tree, and tens of milliseconds of the script's own processes

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(1, 1, 2, 2, 3, 4, 5, high=6)
        filters: int = ladder(1, 1, 1, 2, 2, 2, 2, high=3)  # that tell the files of a step, at most
        tier: int = ladder(0, 1, 1, 2, 2, 2, 2)  # of what there is to do
        oddity: int = ladder(0, 0, 1, 1, 2, 2, 2)  # of the names
        files: int = ladder(7, 8, 10, 12, 14, 16, 20, high=30)

    shown: Files
    program: Program
    oddity: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        program = None
        while program is None:
            files = drawn_files(rng, knobs.files, knobs.oddity)
            program = random_program(rng, files, knobs.steps, knobs.filters, knobs.tier)
        seed = rng.randrange(2**32)
        return cls(shown=files, program=program, oddity=knobs.oddity, seed=seed)

    def is_valid(self) -> bool:
        return len(self.trees(TREES)) == TREES

    def canonical(self) -> str:
        return repr(self.program)

    def trees(self, number: int, seed: int | None = None) -> list[tuple[Files, State]]:
        """Hidden trees, as they are and as they are wanted."""
        chosen = self.seed if seed is None else seed
        return self._wanted(tested(self.program, chosen, number, len(self.shown), self.oddity))

    def limits(self) -> Limits:
        """Limits of a script on one tree."""
        return replace(
            LIMITS, cpu_s=max(LIMITS.cpu_s, STEP_S * len(self.program) * len(self.shown))
        )

    def judging(self) -> list[tuple[Files, State]]:
        """The hidden trees that decide, among them such on which slips show."""
        size = len(self.shown)
        return self._wanted(sufficient(self.program, self.seed, TREES, size, self.oddity))

    def _wanted(self, trees: Iterable[Files]) -> list[tuple[Files, State]]:
        return [(files, after(self.program, files)) for files in trees]

    def prompt(self) -> str:
        steps = "\n".join(f"{n}. {step.as_text()}" for n, step in enumerate(self.program, 1))
        ask = self.phrase(
            "Write a bash script that works on the files in the current directory and below.",
            "Write a bash script that runs in the top directory of a tree of small files.",
        )
        names = (
            "Names may contain spaces and any character except a slash, a line break and a "
            "backslash, and may begin with a dot or a dash; such files count as well."
            if self.oddity
            else "Names consist of letters, digits, '.' and '_'."
        )
        return (
            f"{ask} It must do these steps, each with the files as the previous steps left "
            f"them:\n\n{steps}\n\nWherever order matters, files are taken in the order of their "
            "paths, compared byte by byte. A path is relative to the top directory and does not "
            "begin with './'. Each line of a file, including the last one, ends with a line break, "
            "and so must each line that you write. Line breaks count as bytes. Upper and lower "
            "case are different. Create the directories that are needed; directories that lose all "
            f"their files stay, unless a step says otherwise. {names} No two files ever "
            "get the same path.\n\n"
            f"This is an example of such a tree, each path followed by the file's lines:\n\n"
            f"{listing(self.shown)}\n\nThe script is judged on other such trees, by the paths "
            "and contents of all files, directories and links that exist when it ends: nothing "
            "else may be changed or left behind (files in /tmp do not count). Available are bash, "
            "the GNU core utilities, find, xargs, grep, sed and awk, which is mawk; /proc and "
            "/dev/fd, which process substitution needs, may be empty. Answer with the script."
        )

    def answer(self) -> str:
        return script(self.program)

    def verify(self, answer: str) -> Score:
        return graded_script(script_of(answer), self.judging(), self.limits())

    def audit(self, answer: str) -> bool:
        """Whether it does the same on other and more trees."""
        others = self.trees(5, self.seed + 1)
        return graded_script(script_of(answer), others, self.limits()).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do one thing to all files, or to what the steps quote."""
        steps = " ".join(step.as_text() for step in self.program)
        quoted = re.findall(r"'([\w.]+)'", steps) or ["archive"]
        first, last = quoted[0], quoted[-1]
        return {
            "nothing": ":",
            "delete what is quoted": f"rm -rf {' '.join(quoted)}",
            "create what is quoted last": f"mkdir -p {last}",
            "list of all files": f"find . -type f | sort > {last}",
            "all files into the last directory": (
                f"mkdir -p {last}; find . -type f -exec mv -- {{}} {last} ';'"
            ),
            "files of a quoted name deleted": f"find . -type f -name '*{first}*' -delete",
            "all files sorted": "find . -type f -exec sort -o {} {} ';'",
            "first quoted word replaced": (
                f"find . -type f -exec sed -i 's/{first}/{last}/g' {{}} +"
            ),
        }

    def difficulty(self) -> float:
        return float(len(script(self.program)) * len(self.shown))

    def shortcuts(self) -> Iterable[str]:
        yield "rm -rf ./*"
        yield "find . -type f -delete"
        yield "find . -mindepth 1 -delete"
        yield "mkdir -p archive sorted picked store links here out by_word parts"
        yield "touch report.txt summary.md index results.csv"
        yield "for f in $(find . -type f); do sort -o $f $f; done"
        yield "sed -i s/x/y/ $(find . -type f)"
