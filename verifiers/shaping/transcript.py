"""What a recipe reads beside the score: the reply as the model gave it."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index


class RecipeError(ValueError):
    """Options or a combination that cannot work, or a transcript without what a recipe needs."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A reply as the model gave it: its text, tokens and figures.

    ``tokens`` are the ids of the reply, or just how many there are. ``limit`` is how many it might
    have had, ``target`` how many its prompt asked for. ``confidence`` is the probability of being
    right, where it is known otherwise than from the text.
    """

    reply: str
    tokens: int | Sequence[int] | None = None
    limit: int | None = None
    target: int | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.tokens, Sequence):
            object.__setattr__(self, "tokens", tuple(self.tokens))
        elif self.tokens is not None and index(self.tokens) < 0:
            raise RecipeError(f"a reply has not {self.tokens} tokens")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise RecipeError(f"a confidence lies between 0 and 1, not at {self.confidence}")

    @property
    def length(self) -> int:
        """The number of tokens of the reply. Raises :class:`RecipeError` if it is unknown."""
        if self.tokens is None:
            raise RecipeError("a recipe needs the tokens of the reply, or how many there are")
        return len(self.tokens) if isinstance(self.tokens, Sequence) else index(self.tokens)

    @property
    def ids(self) -> Sequence[int]:
        """The ids of the tokens. Raises :class:`RecipeError` if they are unknown."""
        if not isinstance(self.tokens, Sequence):
            raise RecipeError("a recipe needs the tokens of the reply, not just their number")
        return self.tokens
