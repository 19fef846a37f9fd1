"""The card game 24, well known in China; some of the hands have no solution."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.baselines import shuffled
from palaestra.scenes import Card, Cards, Panels, Text
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.arithmetic.reach import Reach, values
from palaestra.verifiers.expressions import second_opinion, worked
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined

Hand = tuple[int, ...]

NONE = "impossible"

LONGEST = 60
"""How many characters of an expression are drawn at most."""


class GameOf24(Puzzle):
    """Make 24, or another target, with all numbers of each hand, or state that it is impossible."""

    version = 2
    tags = {"calculation", "search", "impossibility"}
    answer_type = "expression"

    class Knobs(Puzzle.Knobs):
        hands: int = ladder(1, 2, 2, 3, 3, 4, 4, 5, high=8)
        cards: int = ladder(3, 3, 4, 4, 4, 4, 5, 5, high=6)
        highest: int = ladder(20, 10, 10, 10, 13, 20, 30, 50, low=10, high=100)
        target: int = ladder(20, 24, 24, 24, 24, 24, 50, 60, low=10, high=60)
        spread: int = ladder(10, 0, 0, 0, 0, 20, 40, 40)
        signs: Literal["+-*", "+-*/"] = ladder("+-*/")

    hands: tuple[Hand, ...]
    target: int
    signs: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        target = knobs.target + rng.randint(0, knobs.spread)
        hands: list[Hand] = []
        while len(hands) < knobs.hands:
            # At least one hand is solvable, so "impossible" for all of them is never right.
            solvable = not hands or rng.random() < 0.7
            hands.append(_hand(rng, knobs, target, solvable))
        rng.shuffle(hands)
        return cls(hands=tuple(hands), target=target, signs=knobs.signs)

    def is_valid(self) -> bool:
        distinct = len(set(self.hands)) == len(self.hands)
        if all(sum(hand) == self.target for hand in self.hands):
            return False  # which leaves nothing to search
        return distinct and any(expression(hand, self.target, self.signs) for hand in self.hands)

    def canonical(self) -> str:
        return f"{sorted(self.hands)} {self.target} {self.signs}"

    def prompt(self) -> str:
        hands = "\n".join(f"{n}: {joined(hand)}" for n, hand in enumerate(self.hands, 1))
        ask = self.phrase(
            f"Make {self.target} of each of these hands of numbers, where that is possible:",
            f"For each hand, find an expression with the value {self.target}, or state that there "
            "is none:",
        )
        signs = joined([f"'{sign}'" for sign in self.signs])
        division = "" if "/" not in self.signs else " Division is exact, so fractions may arise."
        return (
            f"{ask}\n\n{hands}\n\nAn expression uses every number of the hand exactly once (a "
            "number that is listed twice, twice) and no others; numbers may not be joined into "
            f"longer numbers. The only signs between numbers are {signs}, with round brackets "
            f"where needed; not all of them need to appear.{division} The hands are independent of "
            "one another.\n\nWrite one line for each hand: its number, a colon, and the "
            f"expression alone, such as '1: (9 - 1) * 7 - 3', or the word {NONE}, such as '1: "
            f"{NONE}', if no expression has that value."
        )

    def answer(self) -> str:
        ways = [expression(hand, self.target, self.signs) or NONE for hand in self.hands]
        return "\n".join(f"{n}: {line}" for n, line in enumerate(ways, 1))

    def scene(self) -> Cards:
        goal = Card(str(self.target), fill="t6", shape="tile")
        hands = [tuple(Card(str(number)) for number in hand) for hand in self.hands]
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


def _hand(rng: Random, knobs: GameOf24.Knobs, target: int, solvable: bool) -> Hand:
    """A solvable or unsolvable hand, if a limited number of attempts gives one; else any hand."""
    hand: Hand = ()
    # Nearly all hands of six are solvable, and searching them takes long.
    for _ in range(300 if solvable else 30 if knobs.cards < 6 else 2):
        hand = tuple(sorted(rng.randint(1, knobs.highest) for _ in range(knobs.cards)))
        if (expression(hand, target, knobs.signs) is not None) == solvable:
            break
    return hand


@lru_cache(maxsize=1_024)
def expression(hand: Hand, target: int, signs: str) -> str | None:
    """An expression that makes the target from all numbers of a hand, if there is one."""
    search, whole = Reach(hand, signs), (1 << len(hand)) - 1
    reachable = search.find(whole, (target, 1)) is not False
    return search.text(whole, (target, 1)) if reachable else None
