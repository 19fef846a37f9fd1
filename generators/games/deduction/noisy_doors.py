"""The rules of finding a prize behind a door with witnesses who are often wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.verifiers.reading.actions import action


class Witness(NamedTuple):
    """A witness: how often it names the right door, in percent, and its price in points. When it is
    wrong, it names each other door with the same probability.
    """

    percent: int
    price: int


class State(NamedTuple):
    """How often each witness has named each door, the questions left, the witness that is being
    asked, or -1, the door that is being opened, or -1, and whether the prize was behind it: 1 or 0,
    and -1 before.
    """

    named: tuple[tuple[int, ...], ...]
    questions: int
    witness: int
    opened: int
    right: int


Move = tuple[str, int]
"""The verb 'ask' with the number of a witness, or 'open' with that of a door."""


@dataclass(frozen=True)
class NoisyDoors(ChanceRules[State, "Move | int"]):
    """Ask witnesses, and open a door. A chance event is the door that a witness names, or whether
    the prize is behind the open door.
    """

    prior: tuple[int, ...]
    """The probability of each door, in percent."""

    witnesses: tuple[Witness, ...]
    prize: int
    """The points for the right door."""
    loss: int
    """The points that a wrong door costs."""

    state_type = State

    def legal(self, state: State) -> Sequence[Move]:
        if state.witness >= 0 or state.opened >= 0:
            return ()
        doors = [("open", n) for n in range(len(self.prior))]
        return [*(("ask", n) for n in range(len(self.witnesses)) if state.questions), *doors]

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        belief = posterior(self, state.named)
        if state.opened >= 0:
            if state.right >= 0:
                return ()
            return (1, belief[state.opened]), (0, 1 - belief[state.opened])
        if state.witness < 0:
            return ()
        right = self.witnesses[state.witness].percent / 100
        wrong = (1 - right) / (len(belief) - 1)
        return [(n, right * share + wrong * (1 - share)) for n, share in enumerate(belief)]

    def apply(self, state: State, move: "Move | int") -> State:
        if isinstance(move, tuple):
            verb, number = move
            return (
                state._replace(witness=number) if verb == "ask" else state._replace(opened=number)
            )
        if state.opened >= 0:
            return state._replace(right=move)
        rows = [list(row) for row in state.named]
        rows[state.witness][move] += 1
        return State(tuple(map(tuple, rows)), state.questions - 1, -1, -1, -1)

    def payoff(self, state: State) -> float:
        paid = sum(w.price * sum(row) for w, row in zip(self.witnesses, state.named))
        return float((self.prize if state.right else -self.loss) - paid)

    def name(self, state: State, move: "Move | int") -> str:
        assert isinstance(move, tuple)
        verb, number = move
        return f"ask {letter(number)}" if verb == "ask" else f"open {number + 1}"

    def read(self, state: State, text: str) -> Move:
        moves = {self.name(state, move): move for move in self.legal(state)}
        return moves[action(text, {name: synonyms(name) for name in moves})]

    def show(self, state: State) -> str:
        rows = "\n".join(
            f"Witness {letter(n)} has named: "
            + (
                ", ".join(
                    f"door {door} ({'once' if count == 1 else f'{count} times'})"
                    for door, count in enumerate(row, 1)
                    if count
                )
                or "no door yet"
            )
            for n, row in enumerate(state.named)
        )
        return f"{rows}\nQuestions left: {state.questions}"

    def news(self, state: State, event: "Move | int") -> str:
        if state.opened >= 0:
            verdict = "The prize is" if event else "The prize is not"
            return f"You open door {state.opened + 1}. {verdict} there."
        assert isinstance(event, int)
        return f"Witness {letter(state.witness)} names door {event + 1}."

    def end(self, state: State) -> str:
        return f"You have a result of {self.payoff(state):g} points."

    def scene(self, state: State) -> Table:
        rows = [tuple(Cell(f"{percent}%") for percent in self.prior)]
        rows += [tuple(Cell(str(count) if count else "") for count in row) for row in state.named]
        names = (
            f"Witness {letter(n)} ({percent}%, {price})"
            for n, (percent, price) in enumerate(self.witnesses)
        )
        top = tuple(f"Door {n}" for n in range(1, len(self.prior) + 1))
        return Table(tuple(rows), top=top, left=("before", *names))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        def likeliest(state: State) -> Move:
            belief = posterior(self, state.named)
            return ("open", max(range(len(belief)), key=lambda n: belief[n]))

        def surest(state: State) -> Move:
            return ("ask", max(range(len(self.witnesses)), key=lambda n: self.witnesses[n].percent))

        def until(share: float) -> Callable[[State, Random], Move]:
            return lambda state, rng: (
                surest(state)
                if state.questions and max(posterior(self, state.named)) < share
                else likeliest(state)
            )

        def cheapest(state: State, rng: Random) -> Move:
            number = min(range(len(self.witnesses)), key=lambda n: self.witnesses[n].price)
            return ("ask", number) if state.questions else likeliest(state)

        def majority(state: State, rng: Random) -> Move:
            """One question to each witness, then the door that was named most often."""
            fresh = [n for n, row in enumerate(state.named) if not any(row)]
            if fresh and state.questions:
                return ("ask", fresh[0])
            counts = [sum(column) for column in zip(*state.named)]
            return ("open", counts.index(max(counts)))

        return {
            "open the likeliest door": lambda state, rng: likeliest(state),
            "ask the surest witness up to 80%": until(0.8),
            "ask the surest witness up to 90%": until(0.9),
            "ask the cheapest witness to the end": cheapest,
            "one question to each, then the majority": majority,
        }


@lru_cache(maxsize=65_536)
def posterior(rules: NoisyDoors, named: tuple[tuple[int, ...], ...]) -> tuple[float, ...]:
    """The probability of each door after what witnesses have named, by Bayes' rule.

    >>> rules = NoisyDoors((50, 50), (Witness(80, 1),), 1, 1)
    >>> posterior(rules, ((2, 1),)), posterior(rules, ((0, 0),))
    ((0.8, 0.2), (0.5, 0.5))
    """
    weights = [
        percent * _likelihood(rules.witnesses, named, door)
        for door, percent in enumerate(rules.prior)
    ]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def _likelihood(witnesses: Sequence[Witness], named: Sequence[Sequence[int]], door: int) -> float:
    """What is proportional to the probability of all answers, if the prize is behind a door."""
    result = 1.0
    for (percent, _), row in zip(witnesses, named):
        result *= (percent * (len(row) - 1)) ** row[door]
        result *= (100 - percent) ** (sum(row) - row[door])
    return result


def letter(number: int) -> str:
    """The name of a witness.

    >>> letter(1)
    'B'
    """
    return "ABCDEFGH"[number]


def synonyms(name: str) -> list[str]:
    """Other ways to write a move, in lower case.

    >>> "open door 2" in synonyms("open 2"), synonyms("ask B")[:2]
    (True, ['b', 'witness b'])
    """
    verb, what = name.casefold().split()
    if verb == "open":
        doors = [f"{door} {what}" for door in ("door", "the door", "door number", "door no")]
        return [
            what,
            *(f"{verb}{door}" for verb in ("", "open ") for door in [*doors, f"door #{what}"]),
        ]
    return [what, f"witness {what}", f"ask witness {what}", f"ask the witness {what}"]
