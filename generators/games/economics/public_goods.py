"""A linear public goods game: tokens of a common pot are worth less to their owner than kept ones,
but more to all players together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from palaestra.generators.games.economics.stated_players import (
    LETTERS,
    Moves,
    Rule,
    State,
    StatedPlayers,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import action

Reply = Callable[[int, int, int, Moves, Moves], int]
"""How much a player contributes by a rule with a number, where there are so many tokens and the
player sits at a seat, after the round before the previous one and the previous one. It may be out
of bounds.
"""

QUICK: Mapping[str, Reply] = {
    "constant": lambda number, tokens, seat, early, last: number,
    "copy": lambda number, tokens, seat, early, last: last[0],
    "mean": lambda number, tokens, seat, early, last: sum(last) // len(last),
    "most": lambda number, tokens, seat, early, last: max(last),
    "least": lambda number, tokens, seat, early, last: min(last),
    "threshold": lambda number, tokens, seat, early, last: tokens * (sum(last) >= number),
    "more": lambda number, tokens, seat, early, last: last[0] + 1,
    "less": lambda number, tokens, seat, early, last: last[0] - 1,
}
"""Rules that look at the previous round, other than at the own contribution."""

LASTING: Mapping[str, Reply] = {
    "step": lambda number, tokens, seat, early, last: (
        last[seat] + (1 if last[0] >= last[seat] else -1)
    ),
    "trust": lambda number, tokens, seat, early, last: tokens * (min(last) > 0),
    "late copy": lambda number, tokens, seat, early, last: early[0],
    "both": lambda number, tokens, seat, early, last: tokens * (min(last[0], early[0]) >= number),
    "late threshold": lambda number, tokens, seat, early, last: tokens * (sum(early) >= number),
    "slow": lambda number, tokens, seat, early, last: (last[0] + early[0]) // 2,
}
"""Rules by which a move has an effect on later rounds than the next one."""

FOLLOW = "follow"
"""The name of the rule of a player who contributes what the one before it did."""

REPLIES: Mapping[str, Reply] = {
    **QUICK, **LASTING, FOLLOW: lambda number, tokens, seat, early, last: last[seat - 1],
}  # fmt: skip


@dataclass(frozen=True)
class PublicGoods(StatedPlayers):
    """Contribute tokens to a common pot, or keep them."""

    tokens: int
    """The tokens of each player in each round."""
    keep: tuple[int, ...]
    """The points of a token that is kept, to its owner, in each round."""
    share: int
    """The points of a token in the pot, to each player."""

    memory = 2

    def choices(self) -> range:
        return range(self.tokens + 1)

    def reply(self, rule: Rule, seat: int, recent: Sequence[Moves]) -> int:
        """The tokens that a player contributes after a round."""
        name, number = rule
        early, last = recent
        return min(self.tokens, max(0, REPLIES[name](number, self.tokens, seat, early, last)))

    def gain(self, left: int, moves: Moves) -> int:
        return self.keep[-left] * (self.tokens - moves[0]) + self.share * sum(moves)

    def name(self, state: State, move: int) -> str:
        return f"contribute {move}"

    def read(self, state: State, text: str) -> int:
        names = {f"contribute {n}": self._synonyms(n) for n in self.choices()}
        try:
            chosen = action(text, names)
        except InvalidAnswer:
            raise InvalidAnswer(f"expected a contribution from 0 to {self.tokens}") from None
        return int(chosen.rpartition(" ")[2])

    def _synonyms(self, number: int) -> list[str]:
        """How else a contribution is named."""
        words = [str(number), f"contribution {number}", f"contribution of {number}"]
        for verb in ("", "contribute ", "give ", "put "):
            words += [f"{verb}{number} token", f"{verb}{number} tokens", f"{verb}{number}"]
            words += [f"{verb}nothing", f"{verb}none"] * (number == 0)
            words += [f"{verb}all", f"{verb}everything"] * (number == self.tokens)
        return words

    def in_words(self, moves: Moves) -> str:
        others = ", ".join(f"{LETTERS[n]} {each}" for n, each in enumerate(moves[1:]))
        return f"you {moves[0]}, {others}"
