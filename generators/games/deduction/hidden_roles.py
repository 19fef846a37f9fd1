"""The rules of finding wolves among players who name one another by stated probabilities."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import mul
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.verifiers.reading.actions import action

LETTERS = "ABCDEFG"
ASK, ACCUSE, STOP, NIGHT, OVER = "ask", "accuse", "stop", "night", "over"
INNOCENT, WOLF, VICTIM = 0, 1, 2
"""Why a player is gone: accused without being a wolf, accused as a wolf, or taken at night."""

FATES = (
    "was accused and was not a wolf", "was accused and was a wolf", "was taken by wolves at night",
)  # fmt: skip

Statement = tuple[int, int, int]
"""Who names whom, after how many players were gone."""

Leavings = tuple[tuple[int, int], ...]
"""The players who are gone, in their order, each with the reason."""

Move = tuple[str, int]
"""What is done, and the player to whom, or -1."""

NOTHING: Move = ("", -1)
"""What waits for chance if it is the player's turn."""


class State(NamedTuple):
    """The statements, sorted; the players who are gone, in their order, each with the reason; the
    questions and accusations that are left; and what waits for chance: a question, an accusation or
    the night, or `OVER` at the end.
    """

    named: tuple[Statement, ...]
    gone: Leavings
    questions: int
    accusations: int
    waiting: Move


@dataclass(frozen=True)
class HiddenRoles(ChanceRules[State, "Move | int"]):
    """Ask players and accuse them. A chance event is the player who is named or taken, or whether
    the accused one is a wolf: 1 or 0.
    """

    informed: tuple[int, ...]
    """The probability, in percent, that each player knows the wolves without being one."""

    wolves: int
    betrayal: int
    """The probability, in percent, that a wolf names another wolf."""

    revenge: int
    """The weight, as the victim of a night, of a player who has named a wolf that is there; that of
    others is 1. There are no nights if it is 0.
    """

    gain: int
    loss: int
    price: int

    state_type = State

    @cached_property
    def packs(self) -> tuple[int, ...]:
        """All sets of wolves, as bits. They are equally likely."""
        packs = combinations(range(len(self.informed)), self.wolves)
        return tuple(sum(1 << n for n in pack) for pack in packs)

    @cached_property
    def everybody(self) -> int:
        return (1 << len(self.informed)) - 1

    @cached_property
    def _factors(self) -> dict[tuple[int, int, int], tuple[float, ...]]:
        return {}

    @cached_property
    def _joints(self) -> dict[tuple[object, object], tuple[float, ...]]:
        return {}

    @cached_property
    def _nights(self) -> dict[tuple[object, object], Mapping[int, tuple[float, ...]]]:
        return {}

    def present(self, gone: Sequence[tuple[int, int]]) -> int:
        """The players who are there, as bits."""
        return self.everybody & ~sum(1 << n for n, _ in gone)

    def naming(self, who: int, whom: int, present: int) -> tuple[float, ...]:
        """For each set of wolves, the probability that a player who is asked names another one."""
        key = who, whom, present
        known = self._factors.get(key)
        if known is None:
            known = tuple(self._naming(who, whom, present & ~(1 << who), p) for p in self.packs)
            self._factors[key] = known
        return known

    def _naming(self, who: int, whom: int, others: int, pack: int) -> float:
        wolves, is_wolf = (others & pack).bit_count(), pack >> whom & 1
        innocents = others.bit_count() - wolves
        if pack >> who & 1:
            share = self.betrayal / 100 if wolves and innocents else float(not innocents)
            return share / wolves if is_wolf else (1 - share) / innocents
        knows = self.informed[who] / 100 if wolves else 0.0
        return knows * is_wolf / max(1, wolves) + (1 - knows) / others.bit_count()

    def joint(self, named: tuple[Statement, ...], gone: Leavings) -> tuple[float, ...]:
        """What is proportional to the probability of each set of wolves, after what is known."""
        key = named, gone
        known = self._joints.get(key)
        if known is None:
            known = self._joints[key] = tuple(self._joint(named, gone))
        return known

    def _joint(self, named: Sequence[Statement], gone: Leavings) -> list[float]:
        if not gone:
            weights = [1.0] * len(self.packs)
        else:
            # What was stated after the last player was gone does not matter for why it was so.
            before = tuple(each for each in named if each[2] < len(gone))
            weights = self._after_leaving(self.joint(before, gone[:-1]), before, gone)
            named = [each for each in named if each[2] == len(gone)]
        present = self.present(gone)
        for who, whom, _ in named:
            weights = [*map(mul, weights, self.naming(who, whom, present))]
        return weights

    def _after_leaving(
        self, weights: Sequence[float], named: tuple[Statement, ...], gone: Leavings
    ) -> list[float]:
        """The weights after the last player who is gone has left."""
        player, why = gone[-1]
        if why == VICTIM:
            return [*map(mul, weights, self.taking(named, gone[:-1])[player])]
        return [
            weight if pack >> player & 1 == why else 0.0
            for weight, pack in zip(weights, self.packs)
        ]

    def taking(
        self, named: tuple[Statement, ...], gone: Leavings
    ) -> Mapping[int, tuple[float, ...]]:
        """For each player who may be taken at night, the probability with each set of wolves."""
        key = named, gone
        known = self._nights.get(key)
        if known is None:
            present = self.present(gone)
            targets = [
                (1 << who, 1 << whom) for who, whom, _ in named
                if present >> who & 1 and present >> whom & 1
            ]  # fmt: skip
            rows = [self._taken(present, targets, pack) for pack in self.packs]
            columns = {n: tuple(row[n] for row in rows) for n in range(len(self.informed))}
            known = {n: column for n, column in columns.items() if any(column)}
            self._nights[key] = known
        return known

    def _taken(self, present: int, targets: Sequence[tuple[int, int]], pack: int) -> list[float]:
        """The probability of each player to be the victim of a set of wolves."""
        weights = [float((present & ~pack) >> n & 1) for n in range(len(self.informed))]
        for who, whom in targets:
            if whom & pack and not who & pack:
                weights[who.bit_length() - 1] = float(self.revenge)
        total = sum(weights)
        return [weight / total for weight in weights]

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """For each player, whether it belongs to each set of wolves: 1 or 0."""
        return tuple(tuple(pack >> n & 1 for pack in self.packs) for n in range(len(self.informed)))

    def suspicion(self, state: State) -> list[float]:
        """The probability of each player to be a wolf."""
        joint = self.joint(state.named, state.gone)
        total = sum(joint)
        return [sum(map(mul, joint, member)) / total for member in self.members]

    def legal(self, state: State) -> Sequence[Move]:
        if state.waiting != NOTHING:
            return ()
        present = self.present(state.gone)
        there = [n for n in range(len(self.informed)) if present >> n & 1]
        spoken = {who for who, _, _ in state.named}
        asks = [(ASK, n) for n in there if n not in spoken] if state.questions else []
        return [*asks, *((ACCUSE, n) for n in there), (STOP, -1)]

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        what, player = state.waiting
        if what in {"", OVER}:
            return ()
        if what == ACCUSE:
            share = self.suspicion(state)[player]
            return [(event, p) for event, p in ((1, share), (0, 1 - share)) if p > 1e-12]
        joint, present = self.joint(state.named, state.gone), self.present(state.gone)
        total = sum(joint)
        there = [n for n in range(len(self.informed)) if present >> n & 1 and n != player]
        factors = (
            {n: self.naming(player, n, present) for n in there}
            if what == ASK
            else self.taking(state.named, state.gone)
        )
        shares = {n: sum(map(mul, joint, factor)) / total for n, factor in factors.items()}
        return [(n, share) for n, share in shares.items() if share > 1e-12]

    def apply(self, state: State, move: "Move | int") -> State:
        if isinstance(move, tuple):
            return state._replace(waiting=move if move[0] != STOP else (OVER, -1))
        what, player = state.waiting
        if what == ASK:
            named = tuple(sorted((*state.named, (player, move, len(state.gone)))))
            return State(named, state.gone, state.questions - 1, state.accusations, NOTHING)
        if what == NIGHT:
            return state._replace(gone=(*state.gone, (move, VICTIM)), waiting=NOTHING)
        gone, left = (*state.gone, (player, move)), state.accusations - 1
        caught = sum(why == WOLF for _, why in gone)
        over = not left or caught == self.wolves
        waiting = (OVER, -1) if over else (NIGHT, -1) if self.revenge else NOTHING
        return State(state.named, gone, state.questions, left, waiting)

    def payoff(self, state: State) -> float:
        worth = {WOLF: self.gain, INNOCENT: -self.loss, VICTIM: 0}
        return float(sum(worth[why] for _, why in state.gone) - self.price * len(state.named))

    def solved(self, state: State) -> float | None:
        """The expectation before the last accusation, or before the night that precedes it, if no
        questions are left.
        """
        if state.accusations > 1 or state.questions:
            return None
        joint, gone = self.joint(state.named, state.gone), state.gone
        if state.waiting == NOTHING:
            worth = self._last(joint, gone)
        elif state.waiting[0] == NIGHT:
            worth = sum(
                self._last([*map(mul, joint, factor)], (*gone, (victim, VICTIM)))
                for victim, factor in self.taking(state.named, gone).items()
            )
        else:
            return None
        return self.payoff(state) + worth / sum(joint)

    def _last(self, joint: Sequence[float], gone: Leavings) -> float:
        """What the last accusation is worth, times the sum of the weights of all sets."""
        left = {*range(len(self.informed))}.difference(n for n, _ in gone)
        most: float = max(sum(map(mul, joint, self.members[n])) for n in left)
        return max(0.0, most * (self.gain + self.loss) - self.loss * sum(joint))

    def name(self, state: State, move: "Move | int") -> str:
        assert isinstance(move, tuple)
        what, player = move
        return f"{what} {LETTERS[player]}" if player >= 0 else what

    def read(self, state: State, text: str) -> Move:
        moves = {self.name(state, move): move for move in self.legal(state)}
        return moves[action(text, {name: synonyms(name) for name in moves})]

    def show(self, state: State) -> str:
        present = self.present(state.gone)
        there = ", ".join(LETTERS[n] for n in range(len(self.informed)) if present >> n & 1)
        left = self.wolves - sum(why == WOLF for _, why in state.gone)
        events = "\n".join(self._events(state)) or "Nothing has happened yet."
        return (
            f"{events}\nAt the table: you, {there}. Wolves among them: {left}.\n"
            f"Questions left: {state.questions}. Accusations left: {state.accusations}."
        )

    def _events(self, state: State) -> Iterator[str]:
        """What has happened, in order; statements between two other events have no order."""
        for number in range(len(state.gone) + 1):
            for who, whom, after in state.named:
                if after == number:
                    yield f"{LETTERS[who]} named {LETTERS[whom]}."
            if number < len(state.gone):
                player, why = state.gone[number]
                yield f"{LETTERS[player]} {FATES[why]}."

    def news(self, state: State, event: "Move | int") -> str:
        what, player = state.waiting
        assert isinstance(event, int)
        if what == ASK:
            return f"{LETTERS[player]} names {LETTERS[event]}."
        if what == NIGHT:
            return f"Night falls. The wolves take {LETTERS[event]}."
        return f"{LETTERS[player]} leaves, and is {'a wolf' if event else 'not a wolf'}."

    def end(self, state: State) -> str:
        return f"The round is over. You have a result of {self.payoff(state):g} points."

    def scene(self, state: State) -> Table:
        names = {who: LETTERS[whom] for who, whom, _ in state.named}
        fates = {player: ("not a wolf", "wolf", "taken")[why] for player, why in state.gone}
        rows = tuple(
            (
                Cell(f"{percent}%", fill="muted" if n in fates else "paper"),
                Cell(names.get(n, "")),
                Cell(fates.get(n, ""), fill="bad" if (n, WOLF) in state.gone else "paper"),
            )
            for n, percent in enumerate(self.informed)
        )
        return Table(
            rows, top=("informed", "named", "gone"), left=tuple(LETTERS[: len(self.informed)])
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        def there(state: State) -> list[int]:
            present = self.present(state.gone)
            return [n for n in range(len(self.informed)) if present >> n & 1]

        def likeliest(state: State) -> Move:
            shares = self.suspicion(state)
            player = max(there(state), key=lambda n: shares[n])
            pays = shares[player] * self.gain > (1 - shares[player]) * self.loss
            return (ACCUSE, player) if pays else (STOP, -1)

        def asks(state: State) -> list[Move]:
            return [move for move in self.legal(state) if move[0] == ASK]

        def surest(state: State) -> Move:
            return max(asks(state), key=lambda move: self.informed[move[1]])

        def until(share: float) -> Callable[[State, Random], Move]:
            return lambda state, rng: (
                surest(state)
                if asks(state) and max(self.suspicion(state)[n] for n in there(state)) < share
                else likeliest(state)
            )

        def most_named(state: State, rng: Random) -> Move:
            """All questions, then the player who was named most often, by the surest players."""
            if asks(state):
                return surest(state)
            votes = {
                n: sum(self.informed[who] for who, whom, _ in state.named if whom == n)
                for n in there(state)
            }
            return (ACCUSE, max(votes, key=lambda n: votes[n]))

        def innocent(state: State, rng: Random) -> Move:
            """All questions, each to who is likeliest to be informed now; then the likeliest."""
            shares = self.suspicion(state)
            return max(
                asks(state),
                key=lambda move: self.informed[move[1]] * (1 - shares[move[1]]),
                default=likeliest(state),
            )

        def single(state: State) -> float:
            """What a single accusation is worth, if it pays."""
            shares = self.suspicion(state)
            best = max(shares[n] for n in there(state))
            return max(0.0, best * self.gain - (1 - best) * self.loss)

        def one_ahead(state: State, rng: Random) -> Move:
            """A question if a single accusation after it is worth more than one at once."""
            worth = {}
            for move in asks(state):
                after = self.apply(state, move)
                answers = self.chances(after)
                worth[move] = sum(p * single(self.apply(after, each)) for each, p in answers)
            best = max(worth, key=lambda move: worth[move], default=None)
            if best is not None and worth[best] - self.price > single(state):
                return best
            return likeliest(state)

        return {
            "ask who is likeliest to be informed, then accuse": innocent,
            "a question if it pays for a single accusation": one_ahead,
            "accuse the likeliest wolf, if that pays": lambda state, rng: likeliest(state),
            "ask the best informed up to 60%": until(0.6),
            "ask the best informed up to 80%": until(0.8),
            "all questions, then the likeliest wolf": until(1.1),
            "all questions, then the one named most": most_named,
        }


def synonyms(name: str) -> list[str]:
    """Other ways to write a move, in lower case.

    >>> "vote for player b" in synonyms("accuse B"), "question b" in synonyms("ask B")
    (True, True)
    """
    if name == STOP:
        return ["i say stop", "say stop", "end", "end the round", "stop the round", "stop here",
                "no accusation", "accuse nobody", "accuse no one", "do nothing",
                "pass"]  # fmt: skip
    verb, letter = name.casefold().split()
    verbs = {
        ASK: ("ask", "question", "put a question to", "put my question to"),
        ACCUSE: ("accuse", "vote for", "vote against", "vote out", "eliminate", "vote to eliminate",
                 "vote"),
    }[verb]  # fmt: skip
    players = (letter, f"player {letter}")
    return [f"{each} {player}" for each in verbs for player in players]
