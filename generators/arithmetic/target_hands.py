"""Hands of numbers, of each of which an expression is to make a target, where that is possible."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random

from palaestra.generators.baselines import shuffled
from palaestra.scenes import Card, Cards, Panels, Text
from palaestra.task import Puzzle, Score
from palaestra.verifiers.arithmetic.reach import Reach, values
from palaestra.verifiers.expressions import second_opinion, worked
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined

Hand = tuple[int, ...]

NONE = "impossible"

LONGEST = 60
"""How many characters of an expression are drawn at most."""


class TargetHands(Puzzle):
    """Hands of numbers, with each of which an expression has to have the value of a target.

    A new environment of this family defines its fields, with ``hands``, ``target`` and ``signs``
    among them, :class:`Knobs`, ``generate`` and ``prompt``, and :meth:`faces` if its cards show
    something else than their numbers.
    """

    answer_type = "expression"

    hands: tuple[Hand, ...]
    target: int
    signs: str

    def faces(self) -> Sequence[Sequence[str]]:
        """What the cards of each hand show."""
        return [[*map(str, hand)] for hand in self.hands]

    def rules(self) -> str:
        """What an expression may contain, and how the answer is written."""
        signs = joined([f"'{sign}'" for sign in self.signs])
        division = "" if "/" not in self.signs else " Division is exact, so fractions may arise."
        return (
            "An expression uses every number of the hand exactly once (a "
            "number that is listed twice, twice) and no others; numbers may not be joined into "
            f"longer numbers. The only signs between numbers are {signs}, with round brackets "
            f"where needed; not all of them need to appear.{division} The hands are independent of "
            "one another.\n\nWrite one line for each hand: its number, a colon, and the "
            f"expression alone, such as '1: (9 - 1) * 7 - 3', or the word {NONE}, such as '1: "
            f"{NONE}', if no expression has that value."
        )

    def is_valid(self) -> bool:
        distinct = len(set(self.hands)) == len(self.hands)
        if all(sum(hand) == self.target for hand in self.hands):
            return False  # which leaves nothing to search
        return distinct and any(expression(hand, self.target, self.signs) for hand in self.hands)

    def canonical(self) -> str:
        return f"{sorted(self.hands)} {self.target} {self.signs}"

    def answer(self) -> str:
        ways = [expression(hand, self.target, self.signs) or NONE for hand in self.hands]
        return "\n".join(f"{n}: {line}" for n, line in enumerate(ways, 1))

    def scene(self) -> Cards:
        goal = Card(str(self.target), fill="t6", shape="tile")
        hands = [tuple(map(Card, faces)) for faces in self.faces()]
        return Cards(((goal,), *hands), ("make", *(str(n) for n in range(1, len(hands) + 1))))

    def solved_scene(self, answer: str) -> Panels:
        lines = tuple(f"{name}: {line[:LONGEST]}" for name, line in self.read(answer).items())
        return Panels((self.scene(), Text(lines)), columns=1)

    def read(self, answer: str) -> dict[str, str]:
        """The line of each hand in an answer."""
        return pairs(answer, names=[str(n) for n in range(1, len(self.hands) + 1)])

    def verify(self, answer: str) -> Score:
        lines = self.read(answer)
        for (name, line), hand in zip(lines.items(), self.hands):
            if reason := self.violation(hand, line):
                return Score(0, f"hand {name}: {reason}")
        return Score(1)

    def violation(self, hand: Hand, line: str) -> str:
        """What is wrong with the line for a hand, or ""."""
        if line.casefold() == NONE:
            return "there is an expression" if expression(hand, self.target, self.signs) else ""
        result = worked(line, self.signs)
        if Counter(result.numbers) != Counter(hand):
            return "the expression does not use each number exactly once"
        value = str(result.value)[:40]
        return "" if result.value == self.target else f"the value of the expression is {value}"

    def audit(self, answer: str) -> bool:
        by_hand = pairs(answer, names=[str(n) for n in range(1, len(self.hands) + 1)])
        return all(map(self._agrees, self.hands, by_hand.values()))

    def _agrees(self, hand: Hand, line: str) -> bool:
        if line.casefold() == NONE:
            return self.target not in values(hand, self.signs)
        result = second_opinion(line)
        if result is None or result.value != self.target:
            return False
        return sorted(result.numbers) == sorted(hand)

    def difficulty(self) -> float:
        searches = [Reach(hand, self.signs) for hand in self.hands]
        for search in searches:
            search.find((1 << len(search.numbers)) - 1, (self.target, 1))
        return sum(search.nodes for search in searches)

    def shortcuts(self) -> list[str]:
        def as_text(text: str) -> str:
            return "\n".join(f"{n}: {text}" for n in range(1, len(self.hands) + 1))

        sums = (f"{n}: {'+'.join(map(str, hand))}" for n, hand in enumerate(self.hands, 1))
        return [as_text(NONE), as_text(str(self.target)), "\n".join(sums)]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """From number to number a random operation, or the one that comes nearest to the target."""

        def chain(hand: Hand, key: Callable[[float], float]) -> str:
            first, *rest = shuffled(hand, rng)
            value, text = float(first), str(first)
            for number in rest:
                results = {
                    sign: result
                    for sign, result in {
                        "+": value + number,
                        "-": value - number,
                        "*": value * number,
                        "/": value / number,
                    }.items()
                    if sign in self.signs
                }
                sign = min(results, key=lambda each: key(results[each]))
                value, text = results[sign], f"({text}) {sign} {number}"
            return text

        def lines(key: Callable[[float], float]) -> str:
            return "\n".join(f"{n}: {chain(hand, key)}" for n, hand in enumerate(self.hands, 1))

        return {
            "random operations": lines(lambda result: rng.random()),
            "nearest to the target": lines(lambda result: abs(result - self.target)),
        }


@lru_cache(maxsize=1_024)
def expression(hand: Hand, target: int, signs: str) -> str | None:
    """An expression that makes the target from all numbers of a hand, if there is one."""
    search, whole = Reach(hand, signs), (1 << len(hand)) - 1
    reachable = search.find(whole, (target, 1)) is not False
    return search.text(whole, (target, 1)) if reachable else None


def sampled_hand(draw: Callable[[], Hand], target: int, signs: str, solvable: bool) -> Hand:
    """A solvable or unsolvable hand, if a limited number of attempts gives one; else any hand."""
    hand: Hand = ()
    # Nearly all hands of six are solvable, and searching them takes long.
    attempts = 300 if solvable else 30
    while attempts > 0:
        hand = draw()
        if (expression(hand, target, signs) is not None) == solvable:
            break
        attempts -= 1 if solvable or len(hand) < 6 else 15
    return hand
