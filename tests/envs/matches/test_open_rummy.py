"""Open rummy: melds against brute force, rules and search against plain ones with texts, reader."""

from functools import cache
from itertools import combinations
from random import Random

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.bitsets import ones
from palaestra.generators.matches.open_rummy import melds
from palaestra.generators.matches.open_rummy.rules import (
    NONE,
    OpenRummy,
    State,
    Style,
    mask_of,
    numbers_of,
)
from palaestra.generators.matches.stated_match import Planner
from palaestra.scenes import Cards
from palaestra.task import InvalidAnswer
from palaestra.zoo import env, parallel_env

ORDER = "A23456789TJQK"
VALUES = {rank: min(n, 10) for n, rank in enumerate(ORDER, 1)}
EAGER = Style(0, 1, 5)
RULES = OpenRummy(5, 10, 6, EAGER)


def is_meld(cards):
    ranks, suits = sorted(ORDER.index(card[0]) for card in cards), {card[1] for card in cards}
    if len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return True
    return len(suits) == 1 and ranks == [*range(ranks[0], ranks[0] + len(ranks))]


@cache
def splits(hand):
    """All ways to put cards of a hand, a frozen set, into melds: pairs of melds and the rest."""
    if not hand:
        return [((), frozenset())]
    first = min(hand)
    others = hand - {first}
    results = [(groups, rest | {first}) for groups, rest in splits(others)]
    for size in range(2, len(others) + 1):
        for more in combinations(sorted(others), size):
            if is_meld((first, *more)):
                meld = frozenset((first, *more))
                results += [((meld, *groups), rest) for groups, rest in splits(hand - meld)]
    return results


def worth(cards):
    return sum(VALUES[card[0]] for card in cards)


def least(hand):
    return min(worth(rest) for _, rest in splits(hand))


def least_with_layoffs(groups, rest):
    """The least value that is left of cards, if each may be added to any meld that it fits."""
    values = [worth(rest)]
    for card in rest:
        for n, group in enumerate(groups):
            if is_meld(group | {card}):
                grown = (*groups[:n], group | {card}, *groups[n + 1 :])
                values.append(least_with_layoffs(grown, rest - {card}))
    return min(values)


def scored(own, other, most, gin, undercut):
    """What a player who knocks scores; negative where the other one does."""
    if least(own) == 0:
        return gin + least(other)
    differences = []
    for groups, rest in splits(own):
        if worth(rest) <= most:
            left = min(least_with_layoffs(groups, unmelded) for _, unmelded in splits(other))
            differences.append(left - worth(rest))
    best = max(differences)
    return best if best > 0 else best - undercut


def names(hand):
    return frozenset(map(melds.card_name, ones(hand)))


def numbers(text):
    return frozenset(text.split())


def hands(rng, suits, ranks, *sizes):
    """Random disjoint hands; of few ranks, so that they have many melds."""
    deck = [melds.LANE * suit + rank for suit in range(suits) for rank in range(ranks)]
    rng.shuffle(deck)
    return [sum(1 << deck.pop() for _ in range(size)) for size in sizes]


@pytest.mark.parametrize(("suits", "ranks", "size"), [(4, 4, 9), (3, 6, 8), (2, 9, 9), (4, 13, 10)])
def test_the_least_deadwood_is_that_of_brute_force(suits, ranks, size):
    values = set()
    for seed in range(150):
        (hand,) = hands(Random(seed), suits, ranks, size)
        assert melds.value_of(hand) == worth(names(hand))
        assert melds.deadwood(hand) == least(names(hand))
        after = min(least(names(hand) - {card}) for card in names(hand))
        assert melds.deadwood_after_discard(hand) == after
        values.add(melds.deadwood(hand))
    assert len(values) > 5


def test_melds_in_a_hand():
    hand = mask_of("AS 2S 3S 4S AH AD KC QC")
    texts = {" ".join(sorted(names(meld))) for meld in melds.melds_in(hand)}
    assert texts == {"2S 3S AS", "2S 3S 4S AS", "2S 3S 4S", "AD AH AS"}
    assert melds.melds_in(mask_of("KS AS 2S KH AH")) == ()  # from king to ace, no run goes on


def test_the_choice_of_melds_matters():
    """The ace makes the run longer or completes the aces; only the latter leaves nothing."""
    assert melds.deadwood(mask_of("AS 2S 3S 4S AH AD")) == 0
    assert melds.deadwood(mask_of("5S 6S 7S 7H 7D 8D 9D")) == 0 + 7
    assert melds.deadwood(mask_of("5S 6S 7S 7H 7D 7C")) == 0


@pytest.mark.parametrize(("suits", "ranks", "size"), [(4, 5, 6), (3, 7, 6), (4, 4, 7), (2, 9, 7)])
def test_points_are_those_of_brute_force(suits, ranks, size):
    signs = set()
    for seed in range(3_000):
        own, other = hands(Random(seed), suits, ranks, size, size)
        for most in (4, 9):
            near = melds.deadwood(other) < most + 6
            if melds.deadwood(own) <= most and (near or seed < 300):
                rules = OpenRummy(most, 10, 6, EAGER)
                wanted = scored(names(own), names(other), most, 10, 6)
                assert rules.points(own, other) == wanted
                signs.add(wanted > 0)
    assert signs == {True, False}


def test_points_by_hand():
    """A run of 3 to 5 and a 2 against two cards that continue the run, and one that does not."""
    rules = OpenRummy(5, 10, 6, EAGER)
    run = mask_of("3S 4S 5S 2H")
    assert rules.points(run, mask_of("6S 7S 9D KC")) == 19 - 2
    assert rules.points(run, mask_of("2S AS 2D AC")) == 3 - 2
    assert rules.points(run, mask_of("6S AC 2S 7S")) == (1 - 2) - 6
    assert rules.points(mask_of("3S 4S 5S 6S"), mask_of("7S AC 2S KH")) == 7 + 1 + 2 + 10 + 10
    assert rules.points(mask_of("4S 4H 4D AC"), mask_of("4C AS KD KH")) == 21 - 1
    # The player who knocks may keep back a meld: with AS 2S 3S, the 4S could be laid off.
    assert rules.points(mask_of("AS AH AD 2S 3S"), mask_of("4S 5S TH TD AC")) == 29 - 5
    assert rules.points(mask_of("AS 2S 3S AH AD"), mask_of("4S 5S TH TD KC")) == 39 - 5


class Plain:
    """The game with sets of names, and the rules of the built-in player, written for the test."""

    def __init__(self, rules):
        self.rules = rules

    def options(self, hand, stock, top):
        """The hands after a draw: what has been drawn, whether from the pile, the stock."""
        yield hand | {top}, top, stock
        yield hand | {stock[0]}, "", stock[1:]

    def least_discard(self, hand, barred):
        cards = sorted(hand - {barred}, key=lambda card: "SHDC".index(card[1]))
        cards.sort(key=lambda card: ORDER.index(card[0]), reverse=bool(self.rules.style.high))
        return min(cards, key=lambda card: least(hand - {card}))

    def reply(self, hand, stock, top):
        style = self.rules.style
        taking = hand | {top}
        if style.takes == 0:
            takes = least(taking - {self.least_discard(taking, top)}) < least(hand)
        else:
            takes = style.takes == 1 and any(
                top in meld for groups, _ in splits(taking) for meld in groups
            )
        hand, barred, stock = [*self.options(hand, stock, top)][0 if takes else 1]
        card = self.least_discard(hand, barred)
        return hand - {card}, stock, card, least(hand - {card}) <= style.knocks

    def best(self, own, other, stock, top, left):
        """The most points of the player to draw, with so many turns of both players left."""
        if left <= 0:
            return 0
        rules, values = self.rules, []
        for hand, barred, rest in self.options(own, stock, top):
            for card in hand - {barred}:
                kept = hand - {card}
                if least(kept) <= rules.most:
                    values.append(scored(kept, other, rules.most, rules.gin, rules.undercut))
                if left == 1:
                    values.append(0)
                    continue
                theirs, following, discard, knocks = self.reply(other, rest, card)
                if knocks:
                    numbers = rules.most, rules.gin, rules.undercut
                    values.append(-scored(theirs, kept, *numbers))
                else:
                    values.append(self.best(kept, theirs, following, discard, left - 2))
        return max(values)


@pytest.mark.parametrize("style", [Style(0, 1, 4), Style(1, 0, 2), Style(2, 1, 0), Style(0, 0, 4)])
def test_the_search_agrees_with_a_plain_one(style):
    rules, values = OpenRummy(4, 7, 5, style), set()
    for seed in range(6):
        rng = Random(seed)
        south, north = hands(rng, 3, 6, 4, 4)
        deck = [16 * suit + rank for suit in range(3) for rank in range(6)]
        rest = [card for card in deck if not (south | north) >> card & 1]
        rng.shuffle(rest)
        for turns in (1, 2, 3, 4):
            state = State((south, north), tuple(rest[1 : turns + 1]), rest[0], NONE, 0, 0, turns, 0)
            own, other = names(south), names(north)
            stock = [melds.card_name(card) for card in state.stock]
            top = melds.card_name(rest[0])
            wanted = Plain(rules).best(own, other, tuple(stock), top, turns)
            assert rules.planner(0).value(state) == wanted
            assert Planner(rules, 0).value(state) == wanted
            mirrored = state._replace(hands=(north, south), turn=1)
            assert rules.planner(1).value(mirrored) == wanted
            values.add(wanted)
    assert len(values) > 3


def test_the_fast_search_has_the_values_of_the_plain_one_in_every_state():
    """Also in the middle of turns, and after moves that lose points."""
    checked = 0
    for seed in range(4):
        rng = Random(seed)
        task = Address.of("matches/open_rummy", seed, 1).task()
        rules, state = task.rules(), task.rules().decode(task.deals[0])
        fast, slow = rules.planner(task.seat), Planner(rules, task.seat)
        while rules.results(state) is None:
            assert fast.value(state) == slow.value(state)
            checked += 1
            state = rules.apply(state, rng.choice(rules.legal(state)))
    assert checked > 12


@pytest.mark.parametrize("level", range(6))
def test_no_line_is_better_than_the_best_one(level):
    task = Address.of("matches/open_rummy", 5, level).task()
    rules = task.rules()
    best = [rules.planner(task.seat).value(rules.decode(deal)) for deal in task.deals]
    assert sum(best) == task.need > 0
    rng = Random(level)
    for _ in range(30):
        episode = Episode(task, BARE)
        while episode.scores is None:
            episode.step(rng.choice(episode.turn.legal_moves))
        points = int(episode.scores[task.seat].reason.split(" has ")[1].split()[0])
        assert points <= task.need
        assert (episode.scores[task.seat].value == 1) == (points == task.need)


def test_between_players_points_decide():
    results = set()
    for seed in range(12):
        task = Address.of("matches/open_rummy", seed, 2).task()
        rules, episode = task.rules(), Episode(task, BARE, seats=range(2))
        while episode.scores is None:
            state = rules.decode(episode.turn.state.split(" ", 2)[2])
            episode.step(rules.name(state, rules.reply(state)))
        results.add(tuple(score.value for score in episode.scores))
        south, north = (int(text.strip(",")) for text in episode.scores[0].reason.split()[-3::2])
        assert south == -north
        assert episode.scores[1].value == (north > south) + (north == south) / 2
    assert {(1, 0), (0, 1)} <= results


def test_a_move_like_that_of_the_built_in_player_is_still_a_players_own():
    """With the same moves, a player of the other seat is judged by points and not by the goal."""
    task = Address.of("matches/open_rummy", 1, 0).task()
    alone, moves = Episode(task, BARE), [*task.solve()]
    for move in moves:
        alone.step(move)
    assert alone.scores[task.seat].reason.endswith("points")
    both = Episode(task, BARE, seats=range(2))
    for move in alone.moves:
        both.step(str(move))
    assert both.scores[task.seat].reason.startswith("won: points")


def drawing(hand="AS 2S 4H 5H 9D", top="3S", stock="8C TD"):
    return State((mask_of(hand), mask_of("7C 7D AD 3D 9H")), numbers_of(stock), numbers_of(top)[0],
                 NONE, 0, 0, 3, 0)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "move"),
    [("stock", "stock"), ("Draw from the stock.", "stock"), ("I draw the top card", None),
     ("pile", "pile"), ("take the discard", "pile"), ("discard pile", "pile"),
     ("the 3S from the discard pile", "pile"), ("take the three of spades", "pile"),
     ("draw 8C from the stock", "stock"), ("stock pile", "stock"), ("8♣", "stock"),
     ("draw 3S from the stock", None), ("stock or pile", None), ("not stock", None),
     ("discard 5H", None), ("pick up the discard pile", "pile"), ("", None),
     ("take the top card of the discard pile", "pile"), ("the top card of the stock", "stock"),
     ("stock discard", None), ("pile, stock", None), ("stock, pile", None), ("pile (stock)", None)],
)  # fmt: skip
def test_draws_are_read(text, move):
    if move is None:
        with pytest.raises(InvalidAnswer):
            RULES.read(drawing(), text)
    else:
        assert RULES.read(drawing(), text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("discard 5H", "discard 5H"), ("5H", "discard 5H"), ("the five of hearts", "discard 5H"),
     ("throw away the 5♥", "discard 5H"), ("knock 9D", "knock 9D"), ("knock with 9D", "knock 9D"),
     ("discard 9D and knock", "knock 9D"), ("knock, discarding the nine of diamonds", "knock 9D"),
     ("knock", None), ("gin", "knock 9D"), ("gin, discard 9D", "knock 9D"), ("discard", None),
     ("knock 5H", None), ("discard 3S", None), ("discard KS", None), ("5H 4H", None),
     ("discard 5H or 4H", None), ("do not discard 5H", None), ("gin 6H", None)],
)  # fmt: skip
def test_discards_are_read(text, move):
    state = RULES.apply(drawing("AS 2S 4H 5H 6H 9D"), "pile")
    rules = OpenRummy(6, 10, 6, EAGER)
    if text == "knock":  # the two of spades and the four of hearts could not go: only one knock
        assert [rules.name(state, each) for each in rules.legal(state) if each[1]] == ["knock 9D"]
        assert rules.name(state, rules.read(state, text)) == "knock 9D"
    elif move is None:
        with pytest.raises(InvalidAnswer):
            rules.read(state, text)
    else:
        assert rules.name(state, rules.read(state, text)) == move


def test_a_knock_without_a_card_is_ambiguous_if_several_are_legal():
    rules = OpenRummy(9, 10, 6, EAGER)
    state = RULES.apply(drawing("AS 2S 4H 5H 6H 9D"), "pile")
    state = state._replace(hands=(mask_of("AS 2S 3S 4H 5H 6H 9D"), state.hands[1]))
    assert sum(move[1] for move in rules.legal(state)) == 2 - 1
    wide = state._replace(hands=(mask_of("AS 2S 3S 4H 5H 6H 2D"), state.hands[1]))
    assert sum(move[1] for move in rules.legal(wide)) > 1
    with pytest.raises(InvalidAnswer, match="expected a card"):
        rules.read(wide, "knock")


def test_the_card_from_the_pile_stays():
    state = RULES.apply(drawing(), "pile")
    assert "discard 3S" not in {RULES.name(state, move) for move in RULES.legal(state)}
    with pytest.raises(InvalidAnswer, match="was taken from the discard pile"):
        RULES.read(state, "discard 3S")
    state = RULES.apply(drawing(), "stock")
    assert RULES.name(state, RULES.read(state, "8C")) == "discard 8C"


def test_the_scene_shows_all_cards():
    task = Address.of("matches/open_rummy", 3, 3).task()
    state = task.rules().decode(task.deals[0])
    scene = task.rules().scene(state, None)
    assert isinstance(scene, Cards)
    size = state.hands[0].bit_count()
    assert [len(row) for row in scene.rows] == [size, 1, state.left, size, 0]
    assert sum(label.endswith("(draws next)") for label in scene.labels) == 1


@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are texts, not arrays
def test_pettingzoo(capsys):
    api_test(env("matches/open_rummy", level=3), num_cycles=100)
    parallel_api_test(parallel_env("matches/open_rummy", level=1), num_cycles=100)
    seed_test(lambda: env("matches/open_rummy", level=1), num_cycles=30)
    assert "Passed" in capsys.readouterr().out
