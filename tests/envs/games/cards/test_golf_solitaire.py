"""The patience on one pile, against a search of its own, and the readers of its moves."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.cards.golf_solitaire import DEAL, GolfSolitaire, State
from palaestra.task import InvalidAnswer

RULES = GolfSolitaire(((3, 5), (9, 1)), (7, 2), 9, True)


def cards(line):
    return [int(card) for card in line.partition(": ")[2].split() if card != "-"]


def read_table(text):
    *columns, pile, stock = text.splitlines()
    return tuple(tuple(cards(line)) for line in columns), cards(pile)[0], tuple(cards(stock))


def moves_of(table, ranks, cyclic):
    columns, top, stock = table
    for n, column in enumerate(columns):
        step = abs(column[-1] - top) if column else 0
        if step == 1 or (cyclic and step == ranks - 1):
            new = (*columns[:n], column[:-1], *columns[n + 1 :])
            yield f"column {n + 1}", (new, column[-1], stock)
    if stock:
        yield "deal", (columns, stock[0], stock[1:])


def fewest_deals(table, ranks, cyclic):
    """The fewest cards of the stock that clear all columns, or None."""
    waves, seen, deals = [table], {table}, 0
    while waves:
        after = []
        for here in waves:  # grows by the states without another deal
            if not any(here[0]):
                return deals
            for name, new in moves_of(here, ranks, cyclic):
                if new not in seen:
                    seen.add(new)
                    (after if name == "deal" else waves).append(new)
        waves, deals = after, deals + 1
    return None


@pytest.mark.parametrize("seed", range(12))
def test_the_stock_is_as_small_as_it_can_be(seed):
    task = Address.of("games/golf_solitaire", seed, seed % 4).task()
    spare = type(task).Knobs.at(seed % 4).spare
    table = read_table(task.rules().show(task.start()))
    fewest = fewest_deals(table, task.ranks, task.cyclic)
    assert len(task.stock) == min(fewest + spare, sum(map(len, table[0])))
    assert len([*task.solve()]) <= task.moves


@pytest.mark.parametrize("seed", range(20))
def test_random_moves_lead_where_the_text_says(seed):
    task, rng = Address.of("games/golf_solitaire", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    while legal := rules.legal(state):
        mine = dict(moves_of(read_table(rules.show(state)), task.ranks, task.cyclic))
        assert [rules.name(state, move) for move in legal] == [*mine]
        name = rng.choice([*mine])
        state = rules.apply(state, rules.read(state, name))
        assert read_table(rules.show(state)) == mine[name]


def test_neighbours_of_ranks():
    assert RULES.legal(State((2, 2), 0, 4)) == [0, DEAL]
    assert RULES.legal(State((2, 2), 0, 9)) == [1, DEAL]  # 9 and 1
    assert GolfSolitaire(((3, 5), (9, 1)), (), 9, False).legal(State((2, 2), 0, 9)) == []
    assert RULES.apply(State((2, 2), 1, 7), DEAL) == State((2, 2), 2, 2)
    assert DEAL not in RULES.legal(State((2, 2), 2, 2))


@pytest.mark.parametrize(
    ("text", "move"),
    [("column 1", 0), ("1", 0), ("I take column 1.", 0), ("the 5 from column 1", 0),
     ("deal", DEAL), ("I deal", DEAL), ("Draw a card", DEAL),
     ("I take the top card of column 1.", 0), ("column #1", 0), ("Deal the next card!", DEAL)],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(State((2, 2), 0, 4), text) == move


@pytest.mark.parametrize(
    "text", ["", "column 2", "3", "column 1 or deal", "the 4 from column 1", "column 9"]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match=r"expected one of|does not fit"):
        RULES.read(State((2, 2), 0, 4), text)


def test_the_scene_shows_what_the_text_shows():
    rows = RULES.scene(State((1, 2), 1, 5)).rows
    assert [[card.text for card in row] for row in rows] == [["3"], ["9", "1"], ["5"], ["2"]]
