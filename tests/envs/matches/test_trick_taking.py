"""Trick-taking: rules and search against a plain search with texts, the seats, the reader."""

from functools import cache
from random import Random

import pytest
from pettingzoo.test import api_test, seed_test

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.trick_taking import (
    HANDS,
    NO_TRUMPS,
    State,
    TrickTaking,
    deal_value,
    strongest,
    to_play,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.playing_cards import card_name, playing_card
from palaestra.zoo import env

RULES = TrickTaking()
ORDER = "23456789TJQKA"
TABLE = "SWNE"


def options(cards, led):
    """The names of the cards that may be played to a trick that a suit, or nothing, has led."""
    return [name for name in cards if name[1] == led] or [*cards]


def taker(trick, trumps):
    """Who wins a trick of pairs of a hand and a card's name."""
    suit = trumps if any(name[1] == trumps for _, name in trick) else trick[0][1][1]
    following = [(ORDER.index(name[0]), hand) for hand, name in trick if name[1] == suit]
    return max(following)[1]


@cache
def most(hands, trick, hand, trumps):
    """The most tricks for S and N from here on: all cards are tried, without any pruning."""
    if len(trick) == 4:
        winner = taker(trick, trumps)
        return (winner in "SN") + most(hands, (), winner, trumps)
    own = dict(hands)[hand]
    if not own:
        return 0
    values = []
    for name in options(own, trick[0][1][1] if trick else ""):
        rest = tuple(
            (each, cards - {name} if each == hand else cards) for each, cards in hands
        )  # a frozen set for each hand
        following = TABLE[(TABLE.index(hand) + 1) % 4]
        values.append(most(rest, (*trick, (hand, name)), following, trumps))
    return max(values) if hand in "SN" else min(values)


def deal(rng, size, ranks=13):
    """A random deal; of few ranks, so that the suits are long."""
    deck = [13 * suit + 12 - rank for suit in range(4) for rank in range(ranks)]
    cards = rng.sample(deck, 4 * size)
    hands = (cards[n : n + size] for n in range(0, 4 * size, size))
    in_order = tuple(tuple(sorted(hand, reverse=True)) for hand in hands)
    return State(in_order, (), rng.randrange(4), 1, rng.randrange(5))


def brute_force(state):
    hands = tuple(
        (name, frozenset(map(card_name, cards))) for name, cards in zip(TABLE, state.hands)
    )
    trick = tuple(
        (TABLE[(state.leader + n) % 4], card_name(card)) for n, card in enumerate(state.trick)
    )
    return most(hands, trick, TABLE[to_play(state)], "SHDC-"[state.trumps])


@pytest.mark.parametrize(
    ("size", "ranks", "deals"), [(2, 13, 60), (3, 3, 40), (3, 9, 40), (4, 5, 4)]
)
def test_the_search_agrees_with_brute_force(size, ranks, deals):
    values = set()
    for seed in range(deals):
        state = deal(Random(seed), size, ranks)
        assert deal_value(state) == brute_force(state)
        values.add(deal_value(state))
    assert len(values) > 2 or size == 4


def test_the_search_agrees_in_the_middle_of_tricks():
    checked = 0
    for seed in range(60):
        rng = Random(seed)
        state = deal(rng, 3, 4)
        while any(state.hands):
            state = RULES.apply(state, rng.choice(RULES.legal(state)))
            if state.trick:
                for need in range(1, RULES.left(state) + 1):
                    wanted = state._replace(need=need)
                    assert (RULES.solved(wanted) == 2) == (brute_force(state) >= need)
                    checked += 1
    assert checked > 500


def test_games_go_by_the_rules():
    for seed in range(40):
        rng = Random(seed)
        state = deal(rng, 4, 6)._replace(need=9)
        tricks, trick = 0, []
        while any(state.hands):
            hand, trumps = to_play(state), "SHDC-"[state.trumps]
            names = [card_name(card) for card in state.hands[hand]]
            legal = options(names, trick[0][1][1] if trick else "")
            assert [RULES.name(state, card) for card in RULES.legal(state)] == legal
            assert RULES.player(state) == "SWNE".index(TABLE[hand]) % 2
            move = rng.choice(RULES.legal(state))
            trick.append((TABLE[hand], card_name(move)))
            state = RULES.apply(state, move)
            if len(trick) == 4:
                winner = taker(trick, trumps)
                tricks, trick = tricks + (winner in "SN"), []
                assert TABLE[to_play(state)] == winner
                assert state.need == 9 - tricks


def cards(text):
    return tuple(sorted(map(playing_card, text.split()), reverse=True))


def test_a_finesse_wins_if_the_king_is_before_the_queen():
    """South leads towards the ace and the queen; no other card takes both tricks."""
    hands = cards("2S 3S"), cards("KS 4S"), cards("AS QS"), cards("5S 6S")
    state = State(hands, (), 0, 1, NO_TRUMPS)
    assert deal_value(state) == 2
    behind = State((hands[0], hands[3], hands[2], hands[1]), (), 0, 1, NO_TRUMPS)
    assert deal_value(behind) == 1


def test_a_simple_squeeze():
    """The ace of clubs forces West, who guards hearts and spades, to give up one of them."""
    south, north = cards("AC 3S 2H"), cards("AS JS AH")
    west, east = cards("KS QS KH"), cards("2C 3C 4C")
    assert deal_value(State((south, west, north, east), (), 0, 1, NO_TRUMPS)) == 3


def test_an_entry_is_needed():
    """North's spades are high, but only a heart of South reaches them."""
    north, south = cards("AS KS AH"), cards("2H 3C 4C")
    west, east = cards("AC KC QS"), cards("QC JC JS")
    assert deal_value(State((south, west, north, east), (), 0, 1, NO_TRUMPS)) == 3
    assert deal_value(State((cards("2D 3C 4C"), west, north, east), (), 0, 1, NO_TRUMPS)) == 1


def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led():
    trick = [*map(playing_card, ("KH", "2S", "AH", "3S"))]
    assert [strongest(trick, trumps) for trumps in (0, 1, 2, NO_TRUMPS)] == [3, 2, 2, 2]


def test_whoever_has_a_card_of_the_suit_has_to_play_it():
    hands = cards("2S 3S"), cards("KS 4H"), cards("AS QS"), cards("5S 6S")
    state = RULES.apply(State(hands, (), 0, 2, NO_TRUMPS), playing_card("2S"))
    assert RULES.read(state, "the king of spades") == playing_card("KS")
    with pytest.raises(InvalidAnswer, match="West has to follow suit"):
        RULES.read(state, "4H")
    with pytest.raises(InvalidAnswer, match="not one of the cards of West"):
        RULES.read(state, "AS")


@pytest.mark.parametrize("level", range(6))
def test_so_many_tricks_are_possible_and_no_more(level):
    task = Address.of("matches/trick_taking", level, level).task()
    start = task.start()
    assert deal_value(start) == start.need
    assert sorted(map(len, start.hands)) == [len(start.hands[0])] * 4
    assert RULES.solved(start._replace(need=start.need + 1)) == 0


@pytest.mark.parametrize("level", [0, 2, 5])
def test_the_built_in_players_take_every_seat(level):
    """If all are built in, the declarer wins; in a position that is lost, the defenders win."""
    task = Address.of("matches/trick_taking", 3, level).task()
    moves, seats = [], set()
    episode = Episode(task, BARE, seats=range(3))
    while episode.scores is None:
        seats.add(episode.player)
        moves.append(task.opponent(moves))
        episode.step(moves[-1])
    assert [score.value for score in episode.scores] == [1, 0, 0]
    assert seats <= {0, 1, 2}


def test_a_defender_plays_with_the_other_one():
    """Against a declarer who errs, a lone West and a built-in East win together."""
    for seed in range(8):
        task = Address.of("matches/trick_taking", seed, 3).task()
        rules, start = task.rules(), task.start()
        bad = {*rules.legal(start)} - {*task.solver().best_moves(start)}
        if bad:
            break
    episode = Episode(task, BARE, seats=range(3))
    episode.step(rules.name(start, min(bad)))
    moves = list(episode.moves)
    while episode.scores is None:
        moves.append(task.opponent(moves))
        episode.step(moves[-1])
    assert [score.value for score in episode.scores] == [0, 1, 1]


def test_too_many_illegal_moves_lose_for_both_defenders():
    task = Address.of("matches/trick_taking", 3, 1).task()
    episode = Episode(task, BARE, seats=range(3))
    episode.step(episode.turn.legal_moves[0])
    for _ in range(4):
        assert episode.player in {1, 2}
        episode.step("no card")
    assert [score.value for score in episode.scores] == [1, 0, 0]
    assert "West made too many illegal moves" in episode.scores[1].reason or (
        "East made too many illegal moves" in episode.scores[1].reason
    )


def test_all_seats_read_what_was_played():
    task = Address.of("matches/trick_taking", 3, 1).task()
    episode = Episode(task, BARE, seats=range(3))
    opener = to_play(task.start())
    move = episode.turn.legal_moves[0]
    episode.step(move)
    seat, text = episode.observations[-1]
    assert seat == (2 if opener == 2 else 1)
    assert f"{('South', '', 'North')[opener]} played {move}." in text
    assert f"You are {('', 'West', 'East')[seat]}." in text


@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are texts, not arrays
def test_pettingzoo_has_three_agents(capsys):
    match = env("matches/trick_taking", level=2)
    assert match.possible_agents == ["player_0", "player_1", "player_2"]
    api_test(match, num_cycles=200)
    seed_test(lambda: env("matches/trick_taking", level=1), num_cycles=50)
    assert "Passed" in capsys.readouterr().out


def test_the_scene_shows_all_hands_and_the_trick():
    task = Address.of("matches/trick_taking", 3, 1).task()
    state = RULES.apply(task.start(), RULES.legal(task.start())[0])
    scene = RULES.scene(state, None)
    hands = [len(state.hands[n]) for n in (2, 3, 0, 1)]
    assert [len(row) for row in scene.rows] == [*hands, 1, 0, 0]
    following = HANDS[to_play(state)]
    assert [text for text in scene.labels if text.endswith("(plays next)")] == [
        f"{following} (plays next)"
    ]
    assert scene.labels[-1] == f"Needed: {state.need} of {len(task.start().hands[0])}"


def test_who_wins_a_trick_is_reported():
    task = Address.of("matches/trick_taking", 3, 1).task()
    episode, state = Episode(task, BARE, seats=range(3)), task.start()
    assert "won the trick" not in episode.observation
    for _ in range(4):
        move = RULES.legal(state)[0]
        state = RULES.apply(state, move)
        episode.step(RULES.name(state, move))
    assert f"{HANDS[state.leader]} won the trick." in episode.observation


@pytest.mark.parametrize(
    "text",
    ["TH", "10H", "H10", "th", "ten of hearts", "the 10 of hearts", "10♥", "♥️T", "Play TH.",
     "**TH**", "I play the ten of hearts", "North plays TH", "10 hearts", "T-H", "North leads TH",
     "N: TH", "N TH", "North's TH", "TH (North)", "TH from North", "Play TH from North", "10❤️",
     "North will play TH", "the ten of hearts from North's hand", "cash TH", "lead with TH",
     "T\\heartsuit", "$10\\heartsuit$"],
)  # fmt: skip
def test_cards_are_read(text):
    assert playing_card(text, "North") == 21


@pytest.mark.parametrize(
    "text",
    ["", "H", "10", "1H", "TH 9H", "TX", "ten", "TH or 9H", "hh", "T" * 300, "a spade",
     "play a spade", "I play a heart", "South plays AS", "West: AS", "North South plays AS",
     "plays plays AS", "East AS", "AS from South", "not AS"],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        playing_card(text, "North")
