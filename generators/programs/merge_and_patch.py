"""Patches of texts without context lines, and three-way merges of two of them.

Both follow S. Khanna, K. Kunal and B. Pierce, "A Formal Investigation of Diff3" (2007): a part of
the text ends where a line is unchanged on both sides.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from random import Random
from typing import NamedTuple

OURS, SPLIT, THEIRS = "<<<<<<<", "=======", ">>>>>>>"
FILE = "notes.txt"

Lines = tuple[str, ...]


class Hunk(NamedTuple):
    """Lines in place of others: ``removed`` ones from ``start``, which counts from 0."""

    start: int
    removed: int
    added: Lines

    @property
    def end(self) -> int:
        """The first line behind the removed ones."""
        return self.start + self.removed


Patch = tuple[Hunk, ...]


def patched(lines: Sequence[str], patch: Patch, start: int = 0, end: int | None = None) -> Lines:
    """The lines from ``start`` to ``end`` of a text after a patch, whose hunks there are in order.

    >>> patched(("a", "b", "c"), (Hunk(1, 1, ("x", "y")), Hunk(3, 0, ("z",))))
    ('a', 'x', 'y', 'c', 'z')
    """
    result, position = list[str](), start
    for hunk in patch:
        result += [*lines[position : hunk.start], *hunk.added]
        position = hunk.end
    return (*result, *lines[position:end])


def groups(ours: Patch, theirs: Patch) -> Iterator[tuple[Patch, Patch]]:
    """The hunks of both patches, put together where no unchanged line lies between them."""
    one, two = list[Hunk](), list[Hunk]()
    end = -1
    for hunk, mine in sorted([*((h, True) for h in ours), *((h, False) for h in theirs)]):
        if hunk.start > end and (one or two):
            yield tuple(one), tuple(two)
            one, two = [], []
        (one if mine else two).append(hunk)
        end = max(end, hunk.end)
    if one or two:
        yield tuple(one), tuple(two)


def merged(lines: Sequence[str], ours: Patch, theirs: Patch) -> Lines:
    """The merge of two patches of a text, with marks around conflicts."""
    result, position = list[str](), 0
    for one, two in groups(ours, theirs):
        start = min(hunk.start for hunk in (*one, *two))
        end = max(hunk.end for hunk in (*one, *two))
        result += lines[position:start]
        left, right = (patched(lines, patch, start, end) for patch in (one, two))
        if not one or not two or left == right:
            result += left if one else right
        else:
            result += [OURS, *left, SPLIT, *right, THEIRS]
        position = end
    return (*result, *lines[position:])


def as_diff(lines: Sequence[str], patch: Patch) -> str:
    """A patch as a unified diff without context lines."""
    text, shift = [f"--- a/{FILE}", f"+++ b/{FILE}"], 0
    for hunk in patch:
        old = hunk.start + (hunk.removed > 0)
        new = hunk.start + shift + (len(hunk.added) > 0)
        text.append(f"@@ -{old},{hunk.removed} +{new},{len(hunk.added)} @@")
        text += [f"-{line}" for line in lines[hunk.start : hunk.end]]
        text += [f"+{line}" for line in hunk.added]
        shift += len(hunk.added) - hunk.removed
    return "\n".join(text)


def applied(lines: Sequence[str], diff: str) -> Lines:
    r"""A text after a unified diff without context lines, by the line numbers that it states.

    >>> applied(("a", "b"), "@@ -2,1 +2,2 @@\n-b\n+x\n+y")
    ('a', 'x', 'y')
    """
    old, position, result = [*lines], 0, list[str]()
    for line in diff.split("\n"):
        if line.startswith("@@ "):
            start, _, removed = line.split()[1][1:].partition(",")
            first = int(start) - (removed != "0")
            result += old[position:first]
            position = first + int(removed)
        elif line.startswith("+") and not line.startswith("+++ "):
            result.append(line[1:])
    return (*result, *old[position:])


def merged_texts(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Lines:
    """The merge of two texts, whose changes are looked for line by line."""
    old_lines, ours, theirs = tuple(base), tuple(ours), tuple(theirs)
    partners = [
        {
            block.a + n: block.b + n
            for block in SequenceMatcher(
                None, old_lines, other, autojunk=False
            ).get_matching_blocks()
            for n in range(block.size)
        }
        for other in (ours, theirs)
    ]
    result, starts = list[str](), (0, 0, 0)
    for n in range(len(base) + 1):
        ends = (
            (partners[0].get(n), partners[1].get(n)) if n < len(base) else (len(ours), len(theirs))
        )
        if ends[0] is None or ends[1] is None:
            continue
        old, left, right = (
            old_lines[starts[0] : n],
            ours[starts[1] : ends[0]],
            theirs[starts[2] : ends[1]],
        )
        if right in {left, old}:
            result += left
        elif left == old:
            result += right
        else:
            result += [OURS, *left, SPLIT, *right, THEIRS]
        result += old_lines[n : n + 1]
        starts = (n + 1, ends[0] + 1, ends[1] + 1)
    return tuple(result)


def random_patch(rng: Random, length: int, number: int, fresh: Iterator[str]) -> Patch:
    """Hunks with an unchanged line between them at least, as many as there is room for."""
    hunks = list[Hunk]()
    starts = sorted(rng.sample(range(length + 1), min(number, length // 2)))
    for start in starts:
        if hunks and start <= hunks[-1].end:
            continue
        removed = min(rng.choice((0, 1, 1, 2, 3)), length - start)
        added = rng.randint(0 if removed else 1, 3)
        hunks.append(Hunk(start, removed, tuple(next(fresh) for _ in range(added))))
    return tuple(hunks)


def rival_patch(rng: Random, length: int, ours: Patch, fresh: Iterator[str]) -> Patch:
    """A patch of the same text of which some hunks touch those of ours, or are the same."""
    hunks = list[Hunk]()
    for hunk in ours:
        least = hunks[-1].end + 1 if hunks else 0
        shift = rng.choice((-3, -2, -1, 0, 0, 1, 2, 3))
        start = hunk.start + shift
        if not least <= start <= length:
            continue
        removed = min(rng.choice((0, 1, 1, 2, 3)), length - start)
        added = rng.randint(0 if removed else 1, 3)
        rival = Hunk(start, removed, tuple(next(fresh) for _ in range(added)))
        hunks.append(hunk if hunk.start >= least and rng.random() < 0.15 else rival)
    return tuple(hunks)
