"""Cards laid with a partner, against backward induction over orders of all cards."""

from itertools import permutations

import pytest

from palaestra.address import Address
from palaestra.generators.games.cards.firework_cards import NOTHING, WAITS, FireworkCards, State
from palaestra.task import InvalidAnswer

# Cards of red are 0 to 2, and of blue 3 to 5. The player does not see red 1, blue 2 and blue 3.
RULES = FireworkCards((3, 5), 3, 2)
HANDS = tuple(permutations((0, 4, 5), 2))
START = State((0, 1), (1, 2), HANDS, (0, 4, 5), 2, 3, 0, (), NOTHING)


class Solution:
    """The best expectation times the number of worlds; a world lists the cards of the player, with
    colours and ranks. ``table`` maps colours to ranks.
    """

    def __init__(self, task):
        self.task = task

    def pair(self, number):
        return divmod(number, self.task.ranks)

    def lay(self, table, card):
        """The table and the points after a card is laid."""
        colour, rank = card
        if table[colour] == rank:
            return {**table, colour: rank + 1}, self.task.values[colour]
        return table, -self.task.loss

    @staticmethod
    def hint(table, hand):
        """What the partner says: what is hinted, and of which cards it is true."""
        for n, (colour, rank) in enumerate(hand):
            if table[colour] != rank:
                continue
            if rank not in [r for _, r in hand[:n]]:
                return "rank", rank, tuple(r == rank for _, r in hand)
            if colour not in [c for c, _ in hand[:n]]:
                return "colour", colour, tuple(c == colour for c, _ in hand)
        return None

    def value(self, worlds, table, partner, hints, turns):
        if not turns:
            return 0
        options = [self.answered(worlds, table, partner, hints, turns - 1)]
        for n in range(len(worlds[0])):
            shown = {}
            for world in worlds:
                shown.setdefault(world[n], []).append(world[:n] + world[n + 1 :])
            total = 0
            for card, rest in shown.items():
                after, points = self.lay(table, card)
                total += points * len(rest)
                total += self.answered(rest, after, partner, hints, turns - 1)
            options.append(total)
        if hints:
            for position in {self.first(partner, 0, c) for c, _ in partner} | {
                self.first(partner, 1, r) for _, r in partner
            }:
                after, points = self.lay(table, partner[position])
                rest = partner[:position] + partner[position + 1 :]
                total = self.value(worlds, after, rest, hints - 1, turns - 1)
                options.append(points * len(worlds) + total)
        return max(options)

    @staticmethod
    def first(partner, part, what):
        return [card[part] for card in partner].index(what)

    def answered(self, worlds, table, partner, hints, turns):
        answers = {}
        for world in worlds:
            answers.setdefault(self.hint(table, world) if hints else None, []).append(world)
        return sum(
            self.value(same, table, partner, hints - (answer is not None), turns)
            for answer, same in answers.items()
        )


@pytest.mark.parametrize(("seed", "level"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)])
def test_expectations_are_those_of_an_independent_solution(seed, level):
    task = Address.of("games/firework_cards", seed, level).task()
    solution = Solution(task)
    for start, _ in task.starts():
        cards = [solution.pair(number) for number in start.unseen]
        worlds = [*permutations(cards, len(start.hands[0]))]
        table = dict(enumerate(start.heights))
        if start.log:  # the partner has moved
            before = start.hints + (start.log != ("Your partner did nothing.",))
            shown = solution.hint(table, [solution.pair(number) for number in start.hands[0]])
            worlds = [
                world
                for world in worlds
                if (solution.hint(table, world) if before else None) == (shown if before else None)
            ]
        assert len(worlds) == len(start.hands)
        partner = [solution.pair(number) for number in start.partner]
        mine = solution.value(worlds, table, partner, start.hints, start.turns) / len(worlds)
        assert task.solution(task.rules(), start).value(start) == pytest.approx(mine)


def test_the_partner_hints_the_rank_first():
    assert RULES.saying(RULES.answer((0, 1), 1, (4, 0))).endswith("card 1 is 2.")
    assert RULES.saying(RULES.answer((0, 0), 1, (3, 0))).endswith("cards 1, 2 are 1.")
    # Blue 3 has the rank of red 3, which is further left, and no blue card is further left.
    assert RULES.saying(RULES.answer((0, 2), 1, (2, 5))).endswith("card 2 is blue.")
    # Blue 2 can be hinted neither by its rank nor by its colour; red 1 is not in order.
    assert RULES.answer((1, 1), 1, (5, 1, 4)) != WAITS
    assert RULES.answer((2, 1), 1, (5, 1, 4)) == WAITS
    assert RULES.answer((0, 1), 0, (4, 0)) == WAITS


def test_what_the_partner_does_is_evidence():
    waiting = RULES.apply(START, ("pass", -1))
    assert dict(RULES.chances(waiting)) == {
        RULES.answer((0, 1), 2, hand): sum(
            RULES.answer((0, 1), 2, each) == RULES.answer((0, 1), 2, hand) for each in HANDS
        ) / 6
        for hand in HANDS
    }  # fmt: skip
    event = RULES.answer((0, 1), 2, (5, 4))  # card 2 is of rank 2
    after = RULES.apply(waiting, event)
    assert after.hands == ((5, 4),)
    assert after.hints == 1
    assert after.turns == 2


def test_a_round():
    state = RULES.apply(START, ("play", 0))
    assert RULES.chances(state) == [(0, 1 / 3), (4, 1 / 3), (5, 1 / 3)]
    state = RULES.apply(state, 0)
    assert state.hands == ((4,), (5,))
    state = RULES.apply(state, RULES.answer((1, 1), 2, (5,)))
    assert state == State(
        (1, 1), (1, 2), ((5,),), (4, 5), 2, 2, 3,
        ("You played your card 1, which was red 1, in order.", "Your partner did nothing."),
        NOTHING,
    )  # fmt: skip
    state = RULES.apply(state, ("hint", 0))
    assert state.partner == (2,)
    assert (state.heights, state.hints, state.turns, state.points) == ((2, 1), 1, 1, 6)
    assert RULES.show(state) == (
        "You played your card 1, which was red 1, in order.\nYour partner did nothing.\n"
        "You hinted red.\nYour partner played red 2, in order.\n"
        "Table (highest rank of each colour): red 2, blue 1.\n"
        "Your partner's cards, from the left: red 3.\n"
        "You have 1 card. Cards that you do not see: blue 2, blue 3; 1 of them in your hand and 1 "
        "set aside.\nHints left: 1. Turns left: 1. Points: 6."
    )
    over = RULES.apply(RULES.apply(RULES.apply(state, ("play", 0)), 5), WAITS)
    assert not RULES.legal(over)
    assert not RULES.chances(over)
    assert RULES.payoff(over) == 6 - 2


def test_hints_need_a_card_and_a_hint():
    names = [RULES.name(START, move) for move in RULES.legal(START)]
    assert names == ["play 1", "play 2", "hint red", "hint 2", "hint 3", "pass"]
    names = [RULES.name(START, move) for move in RULES.legal(START._replace(hints=0))]
    assert names == ["play 1", "play 2", "pass"]


@pytest.mark.parametrize(
    ("text", "move"),
    [("play 1", ("play", 0)), ("I play my card 2.", ("play", 1)), ("PLAY CARD 1", ("play", 0)),
     ("**hint red**", ("hint", 0)), ("I hint 2", ("hint", 3)), ("Hint rank 3!", ("hint", 4)),
     ("hint all 2s", ("hint", 3)), ("hint the color red", ("hint", 0)), ("pass", ("pass", -1)),
     ("My move: pass", ("pass", -1)), ("I'll wait.", ("pass", -1)), ("'hint red'", ("hint", 0)),
     ("I play hint 2", ("hint", 3)), ("Play: 2", ("play", 1)), ("lay card 1", ("play", 0))],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(START, text) == move


@pytest.mark.parametrize(
    "text",
    ["", "play", "2", "play 3", "hint blue", "hint 1", "play 1 or 2", "hint red and 2",
     "do not play 1", "play red", "hint red 2", "pass, play 1"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(START, text)


def test_the_scene_hides_the_cards_of_the_player():
    scene = RULES.scene(START)
    assert [[card.text for card in row] for row in scene.rows] == [
        ["-", "1"], ["2", "3"], ["?", "?"],
    ]  # fmt: skip
    assert [card.tone for card in scene.rows[1]] == ["bad", "bad"]
    assert scene.labels == ("table", "partner", "you")
