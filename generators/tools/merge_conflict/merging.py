"""Three-way merges of lines, with the markers that version control writes."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

OURS, BASE, SPLIT, THEIRS = "<<<<<<< ", "||||||| ", "=======", ">>>>>>> "


class Chunk(NamedTuple):
    """Lines of both branches and of what they started from, between lines that all three share."""

    ours: tuple[str, ...]
    base: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def merged(self) -> tuple[str, ...] | None:
        """The lines of the merge; ``None`` for a conflict."""
        if self.ours in {self.base, self.theirs}:
            return self.theirs
        return self.ours if self.theirs == self.base else None


def chunks(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[Chunk]:
    """The parts of three texts, in order. Where all three share a line, a part ends."""
    matches = [_matches(base, ours), _matches(base, theirs)]
    parts: list[Chunk] = []
    starts = (0, 0, 0)
    for n in range(len(base) + 1):
        at = [match.get(n) for match in matches] if n < len(base) else [len(ours), len(theirs)]
        if None in at:
            continue
        one, two = at[0] or 0, at[1] or 0
        before = Chunk(
            tuple(ours[starts[1] : one]), tuple(base[starts[0] : n]), tuple(theirs[starts[2] : two])
        )
        parts += [before] if any(before) else []
        if n < len(base):
            parts.append(Chunk((base[n],), (base[n],), (base[n],)))
        starts = (n + 1, one + 1, two + 1)
    return parts


def _matches(base: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """The lines of the base that another text has, with their numbers there."""
    blocks = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    return {block.a + n: block.b + n for block in blocks for n in range(block.size)}


def conflicts(parts: Sequence[Chunk]) -> int:
    """The number of conflicts."""
    return sum(part.merged is None for part in parts)


def marked(parts: Sequence[Chunk], names: tuple[str, str], with_base: bool) -> list[str]:
    """The lines of a merge with markers around conflicts."""
    lines: list[str] = []
    for part in parts:
        if part.merged is not None:
            lines += part.merged
            continue
        base = [f"{BASE}base", *part.base] if with_base else []
        lines += [f"{OURS}{names[0]}", *part.ours, *base]
        lines += [SPLIT, *part.theirs, f"{THEIRS}{names[1]}"]
    return lines


def resolved(parts: Sequence[Chunk], sides: Sequence[str]) -> list[str]:
    """The lines of a merge in which each conflict has these sides, one after the other."""
    lines: list[str] = []
    for part in parts:
        if part.merged is not None:
            lines += part.merged
        else:
            lines += [line for side in sides for line in getattr(part, side)]
    return lines
