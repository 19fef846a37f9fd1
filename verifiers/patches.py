r'''Patches: how many of the changed lines are those of the gold.

>>> gold = """\
... --- a/x.py
... +++ b/x.py
... @@ -1,2 +1,2 @@
...  def f():
... -    return 1
... +    return 2
... """
>>> verifier = PatchSimilarity(gold)
>>> verifier(gold).value, verifier(gold.replace("return 2", "return 3")).value
(1.0, 0.5)
'''

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.texts import graded
from palaestra.verifiers.verifier import GoldError, Verifier

_FENCE = re.compile(r"([ \t]{0,12})(`{3,}|~{3,})[ \t]*([\w+.-]*)[ \t]*", re.ASCII)
_LANGUAGES = frozenset({"", "diff", "patch", "udiff", "text"})
_OF_A_DIFF = ("--- ", "+++ ", "@@ ", "diff --git ")
_HUNK = re.compile(r"@@ -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))? @@(?: .*)?", re.ASCII)
_BETWEEN = (
    "diff --git ", "index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ",
    "similarity index ", "rename from ", "rename to ",
)  # fmt: skip


class Change(NamedTuple):
    """A line that a patch takes away or adds."""

    file: str
    sign: str
    text: str
    line: int
    """The line number in the old file, counted from 1."""


def changes(patch: str) -> list[Change]:
    """What a unified diff changes, file by file in the order of their names.

    Raises :class:`~palaestra.task.InvalidAnswer` for anything but a well-formed unified diff whose
    hunks are as long as they say, in order and apart.
    """
    reader = _Reader(_unfenced(patch).split("\n"))
    while reader.lines_left():
        reader.step()
    if not reader.hunks:
        raise InvalidAnswer("not a unified diff")
    return sorted(reader.found, key=lambda change: change.file)


def _unfenced(text: str) -> str:
    """What stands in the one fenced block of a text, or the text; its lines keep their blanks.

    Around the block there may be prose, but no lines of another diff.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    fences = [(at, fence) for at, line in enumerate(lines) if (fence := _FENCE.fullmatch(line))]
    if not fences or any(line.startswith(_OF_A_DIFF) for line in lines[: fences[0][0]]):
        return "\n".join(lines)
    start, opening = fences[0]
    closing = [at for at, fence in fences[1:] if not fence[3] and fence[2][:3] == opening[2][:3]]
    if opening[3].casefold() not in _LANGUAGES or len(fences) != 2 or not closing:
        raise InvalidAnswer("expected exactly one fenced block with a diff")
    if any(line.startswith(_OF_A_DIFF) for line in lines[closing[0] :]):
        raise InvalidAnswer("a diff is outside the fenced block")
    inside, indent = lines[start + 1 : closing[0]], opening[1]
    return "\n".join(line.removeprefix(indent) for line in [*inside, ""])


class _Reader:
    """Goes through the lines of a diff once."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.file: str | None = None
        self.end = 0  # the line of the old file up to which it has been changed
        self.hunks = 0
        self.found: list[Change] = []

    def lines_left(self) -> bool:
        return self.at < len(self.lines)

    def step(self) -> None:
        """One hunk, or one line outside hunks."""
        line = self.lines[self.at]
        self.at += 1
        hunk = _HUNK.fullmatch(line)
        if hunk and self.file is not None:
            self.hunk(hunk)
        elif line.startswith("--- ") and self.lines_left():
            self.opening(line, self.lines[self.at])
        elif line.strip() and not line.startswith(_BETWEEN):
            raise InvalidAnswer("not a unified diff")

    def opening(self, old: str, new: str) -> None:
        """The two lines that name a file."""
        if not new.startswith("+++ "):
            raise InvalidAnswer("a file is not opened by '---' and '+++'")
        self.at += 1
        names = [_path(line[4:]) for line in (old, new)]
        self.file = names[0] if names[1] == "/dev/null" else names[1]
        self.end = 0

    def hunk(self, head: re.Match[str]) -> None:
        """The lines of a hunk, as many of the old and the new file as its head says."""
        line_number = int(head[1])
        old, new = (int(count) if count else 1 for count in (head[2], head[4]))
        if line_number < self.end:
            raise InvalidAnswer("hunks overlap or are out of order")
        while old > 0 or new > 0:
            line = self.lines[self.at] if self.lines_left() else "@"
            self.at += 1
            sign = line[:1] or " "
            if sign not in "+- \\":
                raise InvalidAnswer("a hunk is shorter than its header states")
            if sign in "+-":
                self.found.append(Change(self.file or "", sign, line[1:], line_number))
            old -= sign in "- "
            new -= sign in "+ "
            line_number += sign in "- "
        if old < 0 or new < 0:
            raise InvalidAnswer("a hunk is longer than its header states")
        if self.lines_left() and self.lines[self.at].startswith("\\"):
            self.at += 1
        self.end = line_number
        self.hunks += 1


def _path(name: str) -> str:
    """The path of a file, without the ``a/`` or ``b/`` before it and the date behind it."""
    return re.sub(r"^[ab]/", "", name.partition("\t")[0].strip())


def changes_nothing(changed: Sequence[Change]) -> bool:
    """Whether a patch adds what it takes away, and no more."""
    taken = [(file, text) for file, sign, text, _ in changed if sign == "-"]
    return taken == [(file, text) for file, sign, text, _ in changed if sign == "+"]


def _alike(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Twice the longest common subsequence over both lengths."""
    with needs("text", "RapidFuzz"):
        from rapidfuzz.distance import Indel

    numbers: dict[Hashable, int] = {}
    rows = [[numbers.setdefault(line, len(numbers)) for line in lines] for lines in (one, other)]
    return Indel.normalized_similarity(*rows)


@lru_cache(maxsize=256)
def _gold(patch: str) -> tuple[Change, ...]:
    try:
        gold_changes = changes(patch)
    except InvalidAnswer as error:
        raise GoldError(f"the gold is no patch: {error}") from None
    if changes_nothing(gold_changes):
        raise GoldError("the gold patch changes nothing")
    return tuple(gold_changes)


@dataclass(frozen=True, slots=True)
class PatchSimilarity(Verifier):
    """A unified diff like the gold: the share of changed lines that both have, in their order.

    The format is a gate: what is not a well-formed diff is malformed, and one that changes nothing
    earns 0. Only lines taken away or added count, with their file and sign, because lines around
    them can be copied from the source. The value is twice the longest common subsequence over both
    numbers of lines, so more lines never raise it unless the gold has them; it is 1 for the same
    changes at the same places alone. A similarity reward, after SWE-RL (Wei et al. 2025,
    arXiv:2502.18449), where hidden tests cannot be run: lines that are deleted can be guessed.

    The common subsequence is found with rapidfuzz: difflib, used there, takes cubic time in the
    worst case and finds no longer one.
    """

    gold: str

    def __post_init__(self) -> None:
        _alike((), ())
        _gold(self.gold)

    def verify(self, answer: str) -> Score:
        gold, edits = _gold(self.gold), tuple(changes(answer))
        if changes_nothing(edits):
            return Score(0.0, "the patch changes nothing")
        try:
            similarity = _alike([change[:3] for change in edits], [change[:3] for change in gold])
        except ImportError as missing:
            raise JudgeError(str(missing)) from missing
        return graded(similarity, edits == gold)
