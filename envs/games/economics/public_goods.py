"""A repeated public goods game (R. Mark Isaac and James Walker, 1988) with players of stated rules.

Ernst Fehr and Simon Gächter, "Cooperation and Punishment in Public Goods Experiments" (2000),
describe the conditional cooperators after whom the rules are modelled.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from palaestra.generators.games.economics.public_goods import FOLLOW, LASTING, QUICK
from palaestra.generators.games.economics.public_goods import PublicGoods as Rules
from palaestra.generators.games.economics.stated_players import (
    LETTERS,
    Moves,
    Rule,
    State,
    StatedPlayersGame,
)
from palaestra.task import ladder


class PublicGoods(StatedPlayersGame):
    """Contribute to a common pot so that players of stated rules do so, for the most points."""

    class Knobs(StatedPlayersGame.Knobs):
        rounds: int = ladder(5, 6, 6, 7, 8, 9, low=3, high=12)
        changes: int = ladder(2, 3, 3, 3, 3, 4, low=0, high=8)
        tokens: int = ladder(3, 3, 3, 3, 3, 3, low=1, high=6)
        lasting: int = ladder(1, 1, 2, 2, 2, 2, low=0, high=5)  # rules of lasting effect, at least
        followers: int = ladder(0, 0, 0, 1, 1, 2, low=0, high=4)  # who follow another player

    tokens: int
    keep: tuple[int, ...]
    share: int

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """Rules of different names. In every round, a token of the pot is worth less to its owner
        than a kept one, and more to all together; how much less changes from round to round, so
        that the best contributions follow no simple pattern.
        """
        share = rng.randint(3, 9)
        followers = min(knobs.followers, knobs.others - 1)
        lasting = min(knobs.lasting, knobs.others - followers)
        names = rng.sample([*LASTING], lasting)
        names += rng.sample([*QUICK], knobs.others - followers - lasting)
        rng.shuffle(names)
        for _ in range(followers):
            names.insert(rng.randint(1, len(names)), FOLLOW)
        total = knobs.tokens * (knobs.others + 1)
        tops = {"constant": knobs.tokens, "both": knobs.tokens + 1}
        tops |= {"threshold": total, "late threshold": total}
        others = tuple(
            (name, rng.randint(1, max(1, tops[name] - 1)) if name in tops else 0) for name in names
        )
        most = share * (knobs.others + 1) - 1
        keep = tuple(rng.randint(share + 1, most) for _ in range(knobs.rounds))
        return {"others": others, "tokens": knobs.tokens, "keep": keep, "share": share}

    @classmethod
    def rounds_before(cls, rng: Random, fields: Mapping[str, Any]) -> tuple[Moves, ...]:
        seats = range(len(fields["others"]) + 1)
        return tuple(tuple(rng.randint(0, fields["tokens"]) for _ in seats) for _ in range(2))

    def rules(self) -> Rules:
        return Rules(self.others, self.need, self.tokens, self.keep, self.share)

    def rule_words(self, seat: int, rule: Rule) -> str:
        name, number = rule
        top = self.tokens
        return {
            "constant": f"contributes {number}",
            "copy": "contributes as much as you did in the previous round",
            "mean": "contributes the mean contribution of all players in the previous round, "
            "rounded down",
            "most": "contributes the largest contribution of the previous round",
            "least": "contributes the smallest contribution of the previous round",
            "threshold": f"contributes {top} if the contributions of the previous round add up to "
            f"{number} or more, and otherwise nothing",
            FOLLOW: f"contributes as much as {LETTERS[seat - 2]} did in the previous round",
            "late copy": "contributes as much as you did two rounds before",
            "both": f"contributes {top} if you contributed {number} or more in each of the two "
            "previous rounds, and otherwise nothing",
            "late threshold": f"contributes {top} if the contributions of two rounds before add "
            f"up to {number} or more, and otherwise nothing",
            "slow": "contributes the mean of your contributions in the two previous rounds, "
            "rounded down",
            "step": "contributes one token more than it did in the previous round if you "
            "contributed at least as much as it did then, and otherwise one token less",
            "trust": f"contributes {top} if all players contributed something in the previous "
            "round, and otherwise nothing",
            "more": "contributes one token more than you did in the previous round",
            "less": "contributes one token less than you did in the previous round",
        }[name]

    def kept(self) -> str:
        """The worth of a kept token in each round, in words."""
        return ", ".join(f"{points} points in round {n}" for n, points in enumerate(self.keep, 1))

    def thumbs(self) -> Mapping[str, Callable[[State], int]]:
        top = self.tokens

        def mean(state: State) -> int:
            last = state.rounds[-1]
            return round(sum(last) / len(last))

        return {
            "contribute nothing": lambda state: 0,
            "contribute all": lambda state: top,
            "contribute all but in the last round": lambda state: top * (state.left > 1),
            "contribute all but in the last two rounds": lambda state: top * (state.left > 2),
            "contribute all in the first half": lambda state: top * (2 * state.left > self.moves),
            "contribute all but in the last two rounds, one token less each time": lambda state: (
                min(top, state.left - 1)
            ),
            "the mean of the previous round": mean,
            "contribute 1": lambda state: 1,
            "contribute 1 but in the last round": lambda state: int(state.left > 1),
        }

    def description(self) -> str:
        others = len(self.others)
        names = LETTERS[:others]
        players = f"{', '.join(names[:-1])} and {names[-1]}"
        bounds = f"No one contributes less than 0 or more than {self.tokens}"
        aim = (
            f"Have {self.need} points or more after {self.moves} rounds, which is the most that is "
            "possible."
        )
        return self.phrase(
            f"A public goods game with {others} other players, {players}. In each round, every "
            f"player has {self.tokens} tokens and contributes some of them to a common pot, from 0 "
            "to all, at the same time as the others. What a token that you keep is worth to you "
            f"changes from round to round: {self.kept()}. Each token in the pot, whoever "
            f"contributed it, is worth {self.share} points to each player, and so to you. The "
            "tokens of a round cannot be saved. The other players follow these rules:\n"
            f"{self.rule_lines()}\n{bounds}, "
            "whatever a rule says. Rounds -1 and 0 are those before the first one; their "
            f"contributions count for the rules, but give no points. {aim} As soon as this is out "
            "of reach, the game is lost. A move is a contribution, such as 'contribute 1'.",
            f"You and {others} others, {players}, play {self.moves} rounds. At the start of a "
            f"round each player gets {self.tokens} tokens, and all decide at once how many of them "
            "they put into a common pot; the rest is kept. A round gives you "
            f"{self.share} points for each token in the pot, your own ones included, and points "
            f"for each token that you keep: {self.kept()}. What the others contribute follows "
            f"from the rounds before:\n{self.rule_lines()}\n{bounds}; where a rule leads beyond, "
            "this bound is what is contributed. The rounds -1 and 0 were before your first move "
            f"and give no points. {aim} The game ends as lost when that can no longer be "
            "reached. Reply with your contribution to the next round, for example 'contribute 1'.",
        )
