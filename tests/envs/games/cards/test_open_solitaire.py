"""A patience with all cards in view, against rules that are written another way."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.cards.open_solitaire import OpenSolitaire
from palaestra.episode import BARE, Episode
from palaestra.generators.games.cards.open_solitaire import OpenSolitaire as Rules
from palaestra.generators.games.cards.open_solitaire import Search
from palaestra.task import InvalidAnswer

RED = {"H", "D"}
ORDER = "A23456789"


class Table:
    """A table of texts: lists of cards such as "7H" by the name of what they lie on."""

    def __init__(self, shown, cells):
        lines = dict(line.split(": ") for line in shown.splitlines())
        self.cells = [card for card in lines.pop("Free cells").split() if card != "-"]
        self.room = cells
        self.highest = {
            card[1]: card[0] for card in lines.pop("Foundations").split() if card != "-"
        }
        self.columns = [[card for card in line.split() if card != "-"] for line in lines.values()]

    def move(self, card, target):
        """Whether a move is allowed; it is carried out if so."""
        source = self.cells if card in self.cells else None
        for column in self.columns:
            if column[-1:] == [card]:
                source = column
        if source is None:
            return False
        rank, suit = card
        if target == "foundation":
            before = ORDER.index(self.highest[suit]) if suit in self.highest else -1
            if ORDER.index(rank) != before + 1:
                return False
            self.highest[suit] = rank
            source.remove(card)
            return True
        if target == "cell":
            if source is self.cells or len(self.cells) == self.room:
                return False
            goal = self.cells
        elif target == "column":
            goal = next((column for column in self.columns if not column), None)
        else:
            goal = next((column for column in self.columns if column[-1:] == [target]), None)
            if ORDER.index(target[0]) != ORDER.index(rank) + 1 or (target[1] in RED) == (
                suit in RED
            ):
                return False
        if goal is None:
            return False
        source.remove(card)
        goal.append(card)
        return True

    def left(self):
        return len(self.cells) + sum(map(len, self.columns))

    def form(self):
        return sorted(self.cells), self.highest, sorted(map(tuple, self.columns))


@pytest.mark.parametrize("seed", range(30))
def test_moves_go_by_the_rules(seed):
    task = Address.of("games/open_solitaire", seed, seed % 6).task()
    assert isinstance(task, OpenSolitaire)
    rng, rules, state = Random(seed), task.rules(), task.start()
    cards = [rank + suit for rank in ORDER for suit in "SHCD"]
    for _ in range(40):
        shown = rules.show(state)
        names = {rules.name(state, move): move for move in rules.legal(state)}
        possible = {
            f"{card} to {target}"
            for card in cards
            for target in [*cards, "cell", "column", "foundation"]
            if Table(shown, task.cells).move(card, target)
        }
        assert set(names) == possible
        if not names:
            break
        name = rng.choice([*names])
        table = Table(shown, task.cells)
        table.move(*name.split(" to "))
        state = rules.apply(state, names[name])
        assert Table(rules.show(state), task.cells).form() == table.form()
        assert (rules.distance(state) == 0) == (table.left() == 0)


@pytest.mark.parametrize("level", range(6))
def test_plans_win_on_the_other_table(level):
    for seed in range(5):
        task = Address.of("games/open_solitaire", seed, level).task()
        assert isinstance(task, OpenSolitaire)
        table, moves = Table(task.rules().show(task.start()), task.cells), [*task.solve()]
        assert all(table.move(*move.split(" to ")) for move in moves)
        assert table.left() == 0
        assert len(moves) + OpenSolitaire.Knobs.at(level).spare == task.moves


def shortest(rules, state):
    """The length of a shortest plan, breadth first."""
    wave, seen, steps = {state}, {state}, 0
    while wave:
        if any(not any(columns) and not cells for columns, cells, _ in wave):
            return steps
        wave = {rules.apply(each, move) for each in wave for move in rules.legal(each)} - seen
        seen |= wave
        steps += 1
    return float("inf")


@pytest.mark.parametrize("seed", range(15))
def test_pruning_keeps_solvable_tables_solvable_and_estimates_are_low(seed):
    cards = [4 * rank + suit for rank in range(3) for suit in (0, 1)]
    Random(seed).shuffle(cards)
    state = tuple(sorted((tuple(cards[:3]), tuple(cards[3:])))), (), (0, 0, -1, -1)
    best = shortest(Rules(3, 1), state)
    assert Rules(3, 1).distance(state) <= best
    assert (best < float("inf")) == (shortest(Search(3, 1), state) < float("inf"))


# 7H (25) and 7S (24) on cells, 8S (28) and 6C (22) on columns, an empty column
TABLE = ((28,), (22,), ()), (24, 25), (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("7H to 8S", (25, 28)),
        ("move 7H onto 8S", (25, 28)),
        ("Put the 7 of hearts on the 8 of spades.", (25, 28)),
        ("seven of hearts -> eight of spades", (25, 28)),
        ("7\u2665 \u2192 8\u2660", (25, 28)),
        ("7h 8s", (25, 28)),
        ("move 7H from the free cell to 8S", (25, 28)),
        ("7H to column", (25, -3)),
        ("7S to an empty column", (24, -3)),
        ("6C to the free cell", (22, -2)),
        ("6C to freecell", (22, -2)),
    ],
)
def test_moves_are_read(text, move):
    assert Rules(8, 3).read(TABLE, text) == move


def test_the_foundation_is_read():
    state = ((1,),), (), (0, 0, -1, -1)
    for text in (
        "AH to foundation",
        "ace of hearts to the foundation",
        "1H home",
        "play AH to foundation",
    ):
        assert Rules(8, 1).read(state, text) == (1, -1)


@pytest.mark.parametrize(
    "text",
    ["", "7H", "7H to 8S to 6C", "8S to 7H", "7S to 8S", "9H to cell", "7H to cell",
     "7H to foundation", "not 7H to 8S", "7H under 8S", "7H or 7S to column", "7X to 8S",
     "77H to 8S", "to cell"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match=r"expected a card|is not possible now"):
        Rules(8, 3).read(TABLE, text)


def test_illegal_moves_end_the_game():
    episode = Episode(Address.of("games/open_solitaire", 1, 1).task(), BARE)
    for _ in range(4):
        assert episode.score is None
        episode.step("2D to 2D")
    assert episode.score.value == 0
    assert episode.score.status == "malformed"


def test_a_lost_game_pays_the_credit_back():
    task = Address.of("games/open_solitaire", 5, 3).task()
    episode = Episode(task, BARE)
    for move in [*task.solve()][:-6]:
        episode.step(move)
    assert sum(episode.rewards) > 0
    while episode.score is None:
        episode.step("no move")
    assert sum(episode.rewards) == pytest.approx(0) == episode.score.value
