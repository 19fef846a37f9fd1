"""Judging a free text by the instructions it was to follow."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.instructions.instruction import Instruction, conflicts
from palaestra.verifiers.instructions.text import Text
from palaestra.verifiers.verifier import GoldError, Verifier

DEFINITIONS = (
    "Only what is seen counts. A word is a run of letters and digits; up to three hyphens or "
    "apostrophes join such runs into one word; each Chinese character or kana is a word. A "
    "sentence ends with '.', '!', '?' or the like before a space, or with its paragraph; full "
    "stops of abbreviations end none, nor do '...' or an end mark in quotes where a small letter "
    "follows. Paragraphs are separated by empty lines. Empty lines do not count as lines, and any "
    "run of spaces and line breaks is one character. Capital and small letters are the same except "
    "where an instruction speaks of them."
)
"""What the words mean that instructions are put in."""

_FILLER = "This is a sentence that says nothing at all, and another one follows it. "

LAZY = (
    "", "I do not know.", "OK", "Yes.", "a", "1", "[]", "...", "\n\n".join("abc"), _FILLER,
    "\n\n".join([_FILLER * 4] * 3), _FILLER * 40,
)  # fmt: skip
"""Texts that cost no thought. What they keep of some instructions earns nothing in part."""


@dataclass(frozen=True, slots=True)
class Instructions(Verifier):
    """Whether a text follows all instructions: 1 if so, and 0 otherwise.

    With ``partial``, a text that follows some earns from 0 to 1: how many more it follows than the
    best of a few lazy texts and than a copy of the instructions, as a share of how many more there
    are. ``parts`` hold 1 or 0 for each instruction in either case.

    Raises :class:`~palaestra.verifiers.verifier.GoldError` where an instruction is listed twice or
    two of them conflict. That instructions are checked by rules, kind by kind, follows IFEval (Zhou
    et al., "Instruction-Following Evaluation for Large Language Models", 2023).

    >>> both = Instructions([Instruction("words_exactly", n=3), Instruction("no_commas")])
    >>> both("Veni vidi vici.").correct
    True
    >>> both("Veni, vidi, vici.").reason
    '1 of 2 instructions are not followed; in number 2, it has a comma'
    """

    instructions: tuple[Instruction, ...]
    partial: bool = False

    def __post_init__(self) -> None:
        instructions = tuple(self.instructions)
        object.__setattr__(self, "instructions", instructions)
        if not 1 <= len(instructions) <= 100:
            raise GoldError(f"there are from 1 to 100 instructions, not {len(instructions)}")
        if len(set(instructions)) < len(instructions):
            raise GoldError("an instruction is listed twice")
        for one, other in combinations(instructions, 2):
            if why := conflicts(one, other):
                raise GoldError(why)

    def text(self, wording: int = 0) -> str:
        """The instructions as a numbered list, with what their words mean."""
        lines = [f"{n}. {each.text(wording)}" for n, each in enumerate(self.instructions, 1)]
        return "\n".join([*lines, "", DEFINITIONS])

    def verify(self, answer: str) -> Score:
        text = Text(answer)
        if not text.shown:
            raise InvalidAnswer("nothing of the text can be seen", "no_answer")
        violations = [each.violation(text) for each in self.instructions]
        names = [f"{n} {each.kind}" for n, each in enumerate(self.instructions, 1)]
        parts = {name: float(not problem) for name, problem in zip(names, violations)}
        parts["progress"] = violations.count("") / len(violations)
        broken = [f"in number {n}, {problem}" for n, problem in enumerate(violations, 1) if problem]
        if not broken:
            return Score(1.0, parts=parts)
        many = f"{len(broken)} of {len(violations)} instructions are not followed; {broken[0]}"
        return Score(self._share(len(violations) - len(broken)), many, parts)

    def _share(self, kept: int) -> float:
        """What it is worth to follow some instructions but not all."""
        lazy = _lazily_kept(self.instructions) if self.partial else len(self.instructions)
        return max(0, kept - lazy) / max(1, len(self.instructions) - lazy)


@lru_cache(maxsize=4_096)
def _lazily_kept(instructions: tuple[Instruction, ...]) -> int:
    """How many instructions are followed by the best lazy text, a copy of them among these."""
    echo = "\n".join(each.text() for each in instructions)
    texts = [Text(lazy) for lazy in (*LAZY, echo)]
    return max(sum(each.kept(text) for each in instructions) for text in texts)
