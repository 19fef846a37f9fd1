"""Tests of games/mahjong_hand."""

import re
from collections import Counter

import pytest

from palaestra.address import Address
from palaestra.envs.games.cards.mahjong_hand import MahjongHand
from palaestra.generators.games.cards import mahjong_hand


def test_a_hand_of_mahjong_worked_by_hand() -> None:
    def tiles(text: str) -> list[mahjong_hand.Tile]:
        return [mahjong_hand.Tile("ABC".index(t[0]), int(t[1])) for t in text.split()]

    own, offered = tiles("B1 A9"), tiles("B7 B1")
    rounds = [mahjong_hand.Round(*pair) for pair in zip(own, offered)]
    course = mahjong_hand.played(tiles("A5 A8 B3 B7 B7 B7 B8"), rounds)
    assert [after.outcome for after in course] == ["peng", "pass"]
    assert [str(tile) for tile in course[-1].hand] == ["A5", "B1", "B3", "B7", "B8"]


@pytest.mark.parametrize("level", range(6))
def test_rounds_follow_the_rules_of_the_prompt(level: int) -> None:
    for seed in range(6):
        task: MahjongHand = Address.of("games/mahjong_hand", seed, level).task()
        prompt = task.prompt()
        hand = re.search(r"hand at the start: (.*)", prompt)[1].split()
        outcomes = []
        for new, discarded in re.findall(r"draws (..), the neighbour discards (..)", prompt):
            hand.append(new)
            suits, equal = Counter(tile[0] for tile in hand), Counter(hand)
            least = min((suits[tile[0]], equal[tile]) for tile in hand)
            hand.remove(max(tile for tile in hand if (suits[tile[0]], equal[tile]) == least))
            runs = ["".join(map(str, range(n, n + 3))) for n in range(1, 8)]
            others = [
                [discarded[0] + n for n in run if n != discarded[1]]
                for run in runs
                if discarded[1] in run
            ]
            others = [pair for pair in others if all(tile in hand for tile in pair)]
            pair = [discarded] * 2 if hand.count(discarded) > 1 else next(iter(others), [])
            outcomes.append("pass" if not pair else "peng" if discarded in pair else "chi")
            for tile in pair:
                hand.remove(tile)
        answer = (
            f"Hand: {' '.join(reversed(hand)).lower()}\nOutcomes: {', '.join(outcomes).upper()}"
        )
        assert task.verify(answer).value == 1
        assert task.audit(answer)
        assert task.verify(answer.replace("Hand: ", "Hand: b1 ")).value == 0
