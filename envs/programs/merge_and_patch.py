"""Patches and three-way merges: S. Khanna, K. Kunal and B. Pierce (2007) on diff3."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.programs.merge_and_patch import (
    OURS,
    SPLIT,
    THEIRS,
    Lines,
    Patch,
    applied,
    as_diff,
    groups,
    merged,
    merged_texts,
    patched,
    random_patch,
    rival_patch,
)
from palaestra.generators.vocabulary import words
from palaestra.scenes import Panels, Text
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.rows import compared


class MergeAndPatch(Puzzle):
    """State the text that patches and the three-way merge of two of them lead to."""

    tags = {"programs", "version-control", "execution", "unique-solution"}
    answer_type = "code-lines"
    calculation = True

    class Knobs(Puzzle.Knobs):
        lines: int = ladder(5, 8, 10, 14, 18, 24, 30, low=5, high=40)
        hunks: int = ladder(1, 2, 2, 3, 4, 5, 7, high=12)  # of a patch, at most
        history: int = ladder(0, 0, 1, 1, 2, 2, 3, high=5)  # patches before those to be merged

    lines: Lines
    history: tuple[Patch, ...]
    ours: Patch
    theirs: Patch

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        fresh = iter(words(rng, knobs.lines + 3 * knobs.hunks * (knobs.history + 3), 4, 6))
        lines = tuple(next(fresh) for _ in range(knobs.lines))
        history, base = list[Patch](), lines
        for _ in range(knobs.history):
            history.append(random_patch(rng, len(base), knobs.hunks, fresh))
            base = patched(base, history[-1])
        ours = random_patch(rng, len(base), knobs.hunks, fresh)
        theirs = rival_patch(rng, len(base), ours, fresh)
        return cls(lines=lines, history=tuple(history), ours=ours, theirs=theirs)

    def is_valid(self) -> bool:
        """Whether both patches change something, and no side alone is the merge."""
        base = self.base
        sides = (base, patched(base, self.ours), patched(base, self.theirs))
        return all([self.ours, self.theirs, *self.history]) and self.right() not in sides

    @property
    def base(self) -> Lines:
        """The text that the last two patches change."""
        lines = self.lines
        for patch in self.history:
            lines = patched(lines, patch)
        return lines

    def right(self) -> Lines:
        """The lines of the merge."""
        return merged(self.base, self.ours, self.theirs)

    def canonical(self) -> str:
        names = dict[str, int]()
        for line in self.lines:
            names.setdefault(line, len(names))

        def numbers(patch: Patch) -> list[tuple[int, int, list[int]]]:
            return [
                (h.start, h.removed, [names.setdefault(line, len(names)) for line in h.added])
                for h in patch
            ]

        history = [numbers(patch) for patch in self.history]
        return repr((len(self.lines), history, numbers(self.ours), numbers(self.theirs)))

    def diffs(self) -> list[str]:
        """All patches as unified diffs, the last two of the same text."""
        diffs, lines = list[str](), self.lines
        for patch in self.history:
            diffs.append(as_diff(lines, patch))
            lines = patched(lines, patch)
        return [*diffs, as_diff(lines, self.ours), as_diff(lines, self.theirs)]

    def prompt(self) -> str:
        *history, ours, theirs = self.diffs()
        text = "\n".join(self.lines)
        first = self.phrase("This is a text of one word per line:", "A file has these lines:")
        before = ""
        if history:
            listed = "\n\n".join(f"Patch {n}:\n{diff}" for n, diff in enumerate(history, 1))
            before = (
                f"First the patches 1 to {len(history)} are applied, each to the result of the one "
                f"before. The line numbers behind '-' are those of the text that a patch is "
                f"applied to.\n\n{listed}\n\n"
                if len(history) > 1
                else "First this patch is applied. The line numbers behind '-' are those of the "
                f"text that it is applied to.\n\n{listed}\n\n"
            )
        ask = self.phrase(
            "State all lines of the merged text.", "Write out the text after the merge."
        )
        return (
            f"{first}\n\n{text}\n\n{before}Then two persons change the "
            f"{'result' if history else 'text'} independently of one another. These are their "
            "patches; the line numbers behind '-' are those of the text that both began with.\n\n"
            f"Patch of A:\n{ours}\n\nPatch of B:\n{theirs}\n\nAll patches are unified diffs "
            "without context: '@@ -5,2 +6,1 @@' replaces the 2 lines from line 5 on, and "
            "'@@ -5,0 +6,3 @@' inserts 3 lines behind line 5.\n\nThe two last patches are merged "
            "in three ways. A hunk of A and a hunk of B touch if no line of the text that they "
            "change lies between them that both keep. Hunks that touch, directly or by way of "
            "others, form a group with all lines from its first hunk to its last. A group that "
            "only one person changes is changed so. If both make the same lines of it, these are "
            f"taken once. Otherwise it is a conflict: a line {OURS}, the lines of the group as A "
            f"has them, a line {SPLIT}, the lines as B has them, and a line {THEIRS}. All other "
            f"lines stay.\n\n{ask} Answer with the lines alone, one below the other."
        )

    def scene(self) -> Panels:
        """The text and all patches."""
        names = ["text", *(f"patch {n}" for n in range(1, len(self.history) + 1)), "A", "B"]
        texts = ["\n".join(self.lines), *self.diffs()]
        return Panels(
            tuple(Text(tuple(text.split("\n")), mono=True) for text in texts), tuple(names)
        )

    def answer(self) -> str:
        return "\n".join(self.right())

    def verify(self, answer: str) -> Score:
        return compared(layout.code_lines(answer), self.right(), "line")

    def audit(self, answer: str) -> bool:
        """Apply the diffs by their line numbers, and look for the changes of both texts."""
        lines = self.lines
        *history, ours, theirs = self.diffs()
        for diff in history:
            lines = applied(lines, diff)
        right = merged_texts(lines, applied(lines, ours), applied(lines, theirs))
        return layout.code_lines(answer) == [*right]

    def difficulty(self) -> float:
        """The lines that all hunks move, remove or add."""
        effort, lines = 0, self.lines
        for patch in self.history:
            effort += sum(len(lines) - hunk.start + len(hunk.added) for hunk in patch)
            lines = patched(lines, patch)
        both = [hunk for pair in groups(self.ours, self.theirs) for side in pair for hunk in side]
        return float(effort + sum(len(lines) - hunk.start + len(hunk.added) for hunk in both))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who change nothing, or take one side."""
        base = self.base
        texts: dict[str, Sequence[str]] = {
            "unchanged": self.lines,
            "A": patched(base, self.ours),
            "B": patched(base, self.theirs),
        }
        return {name: "\n".join(lines) for name, lines in texts.items() if lines}

    def shortcuts(self) -> list[str]:
        players = self.baselines(Random(0))
        return [players[name] for name in ("unchanged", "A", "B") if name in players]
