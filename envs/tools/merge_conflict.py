"""Resolving the conflicts of a merge, an original world whose program is new with every task.

Q. Zhang and others, "CONGRA: Benchmarking Automatic Conflict Resolution" (2024), and A.
Svyatkovskiy and others, "Program Merge Conflict Resolution via Neural Transformers" (2022), on
MergeBERT, take conflicts from public repositories, and compare with what was committed; here hidden
tests decide.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.tools.merge_conflict.changes import Branches, parts_of, random_branches
from palaestra.generators.tools.merge_conflict.functions import text_of
from palaestra.generators.tools.merge_conflict.judging import cases, judged_merge, program_of
from palaestra.generators.tools.merge_conflict.merging import Chunk, marked, resolved
from palaestra.task import Puzzle, Score, ladder

NAMES = ("main", "feature")


class MergeConflict(Puzzle):
    """Resolve a merge so that what both branches have changed holds."""

    tags = {"sandboxed", "code", "python", "version-control"}
    hidden = {"seed"}
    verbatim = True
    expensive = True
    answer_type = "code"

    class Knobs(Puzzle.Knobs):
        conflicts: int = ladder(1, 1, 2, 2, 3, 4, 5, high=6)
        spare: int = ladder(1, 2, 2, 3, 4, 5, 6, high=8)  # functions without conflicts
        semantic: int = ladder(0, 0, 0, 1, 1, 2, 3)  # changes that break what the other adds
        rewrites: int = ladder(0, 0, 1, 1, 1, 1, 1)  # whether changes come with rewriting
        base: int = ladder(1, 1, 1, 0, 0, 0, 0)  # whether conflicts show the base

    branches: Branches
    base: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        branches = None
        while branches is None:
            branches = random_branches(
                rng, knobs.conflicts, knobs.spare, knobs.semantic, bool(knobs.rewrites)
            )
        return cls(branches=branches, base=knobs.base, seed=rng.getrandbits(32))

    def canonical(self) -> str:
        return repr(self.branches)

    @property
    def parts(self) -> tuple[Chunk, ...]:
        """The merge, part by part."""
        return parts_of(*self.branches[:3])

    def prompt(self) -> str:
        work = self.phrase(
            "Resolve the conflicts of this merge.",
            "A merge of two branches has left conflicts in a Python module. Resolve them.",
            "The branches main and feature have both changed a module. Complete their merge.",
            "Merge the branches main and feature of this Python module.",
            "Version control could not merge a module by itself. Please do it.",
        )
        messages = "\n\n".join(
            f"Commits on {name}:\n" + "\n".join(f"- {line}" for line in lines)
            for name, lines in zip(NAMES, self.branches.messages)
        )
        text = "\n".join(marked(self.parts, NAMES, with_base=bool(self.base)))
        return (
            f"{work} What the commits of both branches say must hold in the result, and all "
            "functions that no commit is about must do what they did. The order of work in a "
            "function is fixed: a value that is not skipped is multiplied and added to; then a "
            "small result is raised, and then a large one lowered; then the results are sorted, "
            "and cut after a number of them. Parts without markers were merged line by line, and "
            "may be wrong where one branch uses what the other has changed. Hidden tests call all "
            f"functions; what they return counts, not their style.\n\n{messages}\n\nThe module:\n\n"
            f"{text}\n\nAnswer with the whole module, without markers."
        )

    def answer(self) -> str:
        return "\n".join(text_of(self.branches.merged)) + "\n"

    def verify(self, answer: str) -> Score:
        return judged_merge(program_of(answer), cases(self.branches.merged, self.seed))

    def audit(self, answer: str) -> bool:
        """Whether it does the same in other and more calls."""
        calls = cases(self.branches.merged, self.seed + 1, 12)
        return judged_merge(program_of(answer), calls).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who take one side, both in an order, or a side at random, and those who leave out
        the merge.
        """
        base, ours, theirs = self.branches[:3]
        programs = {
            "the file of main": text_of(ours),
            "the file of feature": text_of(theirs),
            "the file of the base": text_of(base),
            "sides of main": resolved(self.parts, ["ours"]),
            "sides of feature": resolved(self.parts, ["theirs"]),
            "both sides": resolved(self.parts, ["ours", "theirs"]),
            "both sides, feature first": resolved(self.parts, ["theirs", "ours"]),
            "a side at random": resolved(self.parts, [rng.choice(["ours", "theirs"])]),
            "neither side": resolved(self.parts, []),
        }
        return {name: "\n".join(lines) + "\n" for name, lines in programs.items()}

    def shortcuts(self) -> Iterable[str]:
        yield from self.baselines(Random(0)).values()

    def difficulty(self) -> float:
        """The lines of the module with its markers, for each message."""
        lines = len(marked(self.parts, NAMES, with_base=False))
        return float(lines * sum(map(len, self.branches.messages)))
