"""Simulating a hand of mahjong, the Chinese game of tiles (19th century), by simplified rules."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.games.cards.mahjong_hand import (
    SUITS,
    After,
    Round,
    Tile,
    offer,
    played,
    tile,
)
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import items, joined

OUTCOMES = ("peng", "chi", "pass")


class MahjongHand(Puzzle):
    """Follow a hand of tiles through rounds of drawing, discarding and claiming tiles."""

    version = 2
    tags = {"simulation", "games", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        rounds: int = ladder(2, 3, 4, 6, 8, 10, high=12)
        tiles: int = ladder(7, 10, 13, 16, 20, 25, low=6, high=30)  # in the hand at the start
        suits: int = ladder(2, 2, 3, 3)

    hand: tuple[Tile, ...]
    rounds: tuple[Round, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        hand = tuple(tile(rng, knobs.suits) for _ in range(knobs.tiles))
        rounds: list[Round] = []
        held = hand
        while len(rounds) < knobs.rounds and len(held) > 3:
            rounds.append(Round(tile(rng, knobs.suits), offer(rng, held, knobs.suits)))
            held = played(held, rounds[-1:])[0].hand
        return cls(hand=hand, rounds=tuple(rounds))

    def is_valid(self) -> bool:
        outcomes = [after.outcome for after in self.course()]
        return len(set(outcomes)) > 1 and len(outcomes) > 1 and len(self.course()[-1].hand) > 1

    def course(self) -> list[After]:
        """The outcomes of the rounds and the hands after them."""
        return played(self.hand, self.rounds)

    def canonical(self) -> str:
        return f"{sorted(self.hand)} {self.rounds}"

    def prompt(self) -> str:
        ask = self.phrase(
            "Follow a hand of tiles through the rounds below.",
            "What happens to a hand of tiles in the rounds below?",
        )
        rounds = "\n".join(
            f"round {n}: the player draws {own}, the neighbour discards {offered}"
            for n, (own, offered) in enumerate(self.rounds, 1)
        )
        outcomes = joined(["chi", "pass", *["peng"] * 12][: len(self.rounds)])
        return (
            f"{ask} A tile has a suit, {joined(SUITS)}, and a number from 1 to 9, such as B7; "
            "several tiles may be equal. Tiles are ordered by suit (A, B, C) and "
            "within a suit by number. A round goes as follows:\n"
            "1. The player draws the tile listed for the round and adds it to the hand.\n"
            "2. The player discards one tile of the hand: one whose suit has the fewest tiles "
            "in the hand; if there are several, one with the fewest equal tiles in the hand; if "
            "there are still several, the last of them in the order.\n3. The neighbour discards "
            "the tile listed for the round. If the hand has two or more tiles equal to it, the "
            "player calls 'peng', and two of these leave the hand. Otherwise, if the hand has "
            "two tiles that form three consecutive numbers of one suit together with the "
            "neighbour's tile, the player calls 'chi', and those two leave the hand; if there are "
            "several ways, the one with the lowest numbers is taken. Otherwise the player says "
            "'pass'. The neighbour's tile never joins the hand.\n\nThe hand at the start: "
            f"{' '.join(map(str, sorted(self.hand)))}\n\n{rounds}\n\nAnswer with two lines: "
            "'outcomes:' and what the player says in each round in order, and 'hand:' and the "
            f"tiles of the hand in the end, in any order. They look like 'outcomes: {outcomes}' "
            "and 'hand: A3, A3, B8'."
        )

    def scene(self) -> Cards:
        return cards({"Hand": sorted(self.hand)} | self.table())

    def solved_scene(self, answer: str) -> Cards:
        """The rounds with the outcomes and the final hand of an answer."""
        outcomes, hand = self.read(answer)
        return cards(self.table() | {"Outcome": outcomes, "Last hand": hand})

    def table(self) -> dict[str, Sequence[object]]:
        """The tiles that the player draws and those that the neighbour discards."""
        return {
            "Draws": [each.draw for each in self.rounds],
            "Discards": [each.offered for each in self.rounds],
        }

    def answer(self) -> str:
        course = self.course()
        return (
            f"outcomes: {joined([after.outcome for after in course])}\n"
            f"hand: {joined(course[-1].hand)}"
        )

    def read(self, answer: str) -> tuple[list[str], list[str]]:
        """The outcomes and the sorted tiles of an answer."""
        values = pairs(answer, names=("outcomes", "hand"))
        outcomes = items(values["outcomes"].casefold(), "a list of outcomes", most=100)
        if len(outcomes) != len(self.rounds) or not set(outcomes) <= set(OUTCOMES):
            raise InvalidAnswer(
                f"not one of {joined(OUTCOMES)} for each of {len(self.rounds)} rounds"
            )
        return outcomes, sorted(items(values["hand"].upper(), "a list of tiles", most=100))

    def verify(self, answer: str) -> Score:
        (outcomes, hand), course = self.read(answer), self.course()
        wrong = [n for n, (a, b) in enumerate(zip(outcomes, course), 1) if a != b.outcome]
        same = hand == sorted(map(str, course[-1].hand))
        outcome_share = 1 - len(wrong) / len(course)
        parts = {
            "progress": (outcome_share + same) / 2,
            "outcomes": outcome_share,
            "hand": float(same),
        }
        if wrong:
            return Score(0, f"the outcome of round {wrong[0]} is wrong", parts)
        return Score(1, "", parts) if same else Score(0, "the final hand is wrong", parts)

    def audit(self, answer: str) -> bool:
        """Compare the outcomes word by word, and the sorted tiles of the hand."""
        words = answer.casefold().replace(",", " ").replace(":", " ").replace("=", " ").split()
        course = self.course()
        outcomes = [word for word in words if word in OUTCOMES]
        tiles = [word for word in words if word not in (*OUTCOMES, "outcomes", "hand")]
        ends = sorted(str(one).casefold() for one in course[-1].hand)
        return outcomes == [after.outcome for after in course] and sorted(tiles) == ends

    def difficulty(self) -> float:
        return float(len(self.rounds) * len(self.hand))


def cards(rows: Mapping[str, Sequence[object]]) -> Cards:
    """Rows of tiles with labels, of which long ones are broken into lines."""
    labels, lines = list[str](), list[tuple[Card, ...]]()
    for label, tiles in rows.items():
        texts = list(map(str, tiles))
        for n in range(0, max(1, len(texts)), 10):
            labels.append("" if n else label)
            lines.append(tuple(map(card, texts[n : n + 10])))
    return Cards(tuple(lines), tuple(labels))


def card(text: str) -> Card:
    """A tile in the colour of its suit, or an outcome."""
    if text in OUTCOMES:
        return Card(text, shape="coin", fill="t6" if text != "pass" else "paper")
    return Card(text, shape="tile", fill={"A": "t0", "B": "t2", "C": "t3"}.get(text[:1], "paper"))
