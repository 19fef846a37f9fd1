"""Turns of simultaneous moves: what is hidden, and when it is reported."""

from palaestra.generators.matches.province_orders.rules import Order, ProvinceOrders, State
from palaestra.generators.matches.simultaneous_rounds import SimultaneousRounds

RULES = ProvinceOrders((0b10, 0b101, 0b10), 0b101)
START = State((0b001, 0b100), (0b001, 0b100), 1)


def rounds(*luck):
    return SimultaneousRounds(RULES, [START] * len(luck), luck, "campaign")


def test_the_first_move_is_hidden_until_the_second():
    session = rounds(1)
    assert session.mover == 0
    shown = RULES.show(session.state, 1), RULES.view(session.state, 1), session.source().random()
    session.move((Order(0, 1),))
    assert session.mover == 1
    assert session.news == [[], []]
    seen = RULES.show(session.state, 1), RULES.view(session.state, 1), session.source().random()
    assert seen == shown
    session.move((Order(2, 2),))
    assert session.news[0][0] == "You chose: B to C. Your opponent chose: D holds."
    assert session.news[1][0] == "You chose: D holds. Your opponent chose: B to C."


def test_results_add_up():
    session = rounds(1, 2)
    assert session.news[0] == ["Campaign 1 of 2."]
    session.move((Order(0, 0),))
    session.move((Order(2, 2),))
    assert (session.number, session.result, session.over) == (1, 0, False)
    assert session.news[1][-1] == "Campaign 2 of 2."
    session.move((Order(0, 1),))
    session.move((Order(2, 2),))
    assert session.over
    assert session.result == 0


def test_choices_differ_between_rounds_and_turns():
    session = rounds(1, 2)
    before = session.source().random()
    session.move((Order(0, 0),))
    session.move((Order(2, 2),))
    assert session.source().random() != before
