"""Point tricks for four and six players: rules, built-in players and search against plain ones."""

from random import Random

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.stated_match import Planner
from palaestra.generators.matches.trick_points import (
    PointTricks,
    State,
    Style,
    highest,
    lowest,
    taker,
)
from palaestra.registry import load
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.playing_cards import card_name, playing_card
from palaestra.zoo import env, parallel_env

NAMES = ["matches/point_tricks", "matches/point_tricks_for_six"]
ORDER = "23456789TJQKA"
SUITS = "SHDC"


def rank(card):
    return ORDER.index(card[0])


def first_by_suit(cards):
    return min(cards, key=lambda card: SUITS.index(card[1]))


def top(cards):
    best = max(map(rank, cards))
    return first_by_suit([card for card in cards if rank(card) == best])


def bottom(cards):
    least = min(map(rank, cards))
    return first_by_suit([card for card in cards if rank(card) == least])


def suit_by_length(cards, choose):
    """The cards of the longest or shortest suit, of equal ones the first."""
    lengths = {suit: sum(card[1] == suit for card in cards) for suit in SUITS}
    wanted = choose(length for length in lengths.values() if length)
    suit = next(suit for suit in SUITS if lengths[suit] == wanted)
    return [card for card in cards if card[1] == suit]


class Plain:
    """The game with names of cards, written for the test after the words of the prompt."""

    def __init__(self, rules):
        self.styles = rules.styles
        self.worth = {}
        for suit, value in zip(SUITS, rules.values):
            self.worth |= {each + suit: value for each in ORDER}
        self.worth |= {card_name(card): value for card, value in rules.specials}

    def options(self, hand, trick):
        following = [card for card in hand if trick and card[1] == trick[0][1]]
        return following or list(hand)

    def winner(self, trick):
        led = [card for card in trick if card[1] == trick[0][1]]
        return trick.index(max(led, key=rank))

    def choice(self, seat, hand, trick):
        """The card of a built-in player."""
        style = self.styles[seat]
        if not trick:
            if style.lead < 2:
                return bottom(hand) if style.lead == 0 else top(hand)
            return bottom(suit_by_length(hand, max if style.lead == 2 else min))
        following = [card for card in hand if card[1] == trick[0][1]]
        if following:
            return self.followed(style.follow, following, trick)
        if style.discard == 0:
            fewest = min(self.worth[card] for card in hand)
            return top([card for card in hand if self.worth[card] == fewest])
        return top(hand) if style.discard == 1 else top(suit_by_length(hand, min))

    def followed(self, follow, cards, trick):
        highest_so_far = rank(trick[self.winner(trick)])
        below = [card for card in cards if rank(card) < highest_so_far]
        last = len(trick) == len(self.styles) - 1
        if follow == 3 or (follow == 4 and sum(self.worth[card] for card in trick) > 0):
            return top(cards)
        if follow == 2:
            return bottom(cards)
        if below:
            return top(below)
        return top(cards) if follow == 1 and last else bottom(cards)

    def lines(self, hands, trick, leader, points, seat):
        """The points of all players after each line of the player at a seat."""
        if not trick and not any(hands):
            yield points
            return
        mover = (leader + len(trick)) % len(hands)
        if mover == seat:
            cards = self.options(hands[mover], trick)
        else:
            cards = [self.choice(mover, hands[mover], trick)]
        for card in cards:
            after = [[each for each in hand if each != card] for hand in hands]
            played, now, leads = [*trick, card], list(points), leader
            if len(played) == len(hands):
                leads = (leader + self.winner(played)) % len(hands)
                now[leads] += sum(self.worth[each] for each in played)
                played = []
            yield from self.lines(after, played, leads, now, seat)


def random_rules(rng, players):
    cards = rng.sample(range(52), 2)
    styles = (Style(rng.randrange(4), rng.randrange(5), rng.randrange(3)) for _ in range(players))
    values = tuple(rng.randint(-2, 2) for _ in range(4))
    return PointTricks(values, ((cards[0], -5), (cards[1], 4)), tuple(styles))


def random_deal(rng, players, size, ranks):
    deck = [13 * suit + 12 - n for suit in range(4) for n in range(ranks)]
    cards = rng.sample(deck, players * size)
    hands = (cards[n::players] for n in range(players))
    return State(
        tuple(sum(1 << card for card in hand) for hand in hands),
        (),
        rng.randrange(players),
        (0,) * players,
    )


def texts(state):
    """The hands with the names of their cards."""
    return [[card_name(card) for card in range(52) if hand >> card & 1] for hand in state.hands]


@pytest.mark.parametrize(
    ("players", "size", "ranks", "deals"),
    [(4, 4, 4, 60), (4, 5, 5, 25), (4, 5, 13, 25), (6, 4, 6, 40), (3, 6, 5, 20)],
)
def test_the_search_agrees_with_all_lines(players, size, ranks, deals):
    values = set()
    for seed in range(deals):
        rng = Random(seed)
        rules, seat = random_rules(rng, players), rng.randrange(players)
        state = random_deal(rng, players, size, ranks)
        lines = Plain(rules).lines(texts(state), [], state.leader, [0] * players, seat)
        wanted = max(points[seat] for points in lines)
        assert rules.planner(seat).value(state) == wanted
        assert Planner(rules, seat).value(state) == wanted
        values.add(wanted)
    assert len(values) > 4


def test_games_go_by_the_rules():
    for seed in range(60):
        rng = Random(seed)
        players = rng.choice((4, 6))
        rules, state = random_rules(rng, players), random_deal(rng, players, 4, 9)
        plain, leader, trick = Plain(rules), state.leader, []
        points = [0] * players
        while rules.results(state) is None:
            mover = (leader + len(trick)) % players
            assert rules.player(state) == mover
            hand = texts(state)[mover]
            legal = sorted(rules.name(state, move) for move in rules.legal(state))
            assert legal == sorted(plain.options(hand, trick))
            assert card_name(rules.reply(state)) == plain.choice(mover, hand, trick)
            move = rng.choice(rules.legal(state))
            trick.append(card_name(move))
            state = rules.apply(state, move)
            if len(trick) == players:
                leader = (leader + plain.winner(trick)) % players
                points[leader] += sum(plain.worth[card] for card in trick)
                trick = []
            assert [*state.points] == points
        assert sum(map(len, texts(state))) == 0


def cards(text):
    return [*map(playing_card, text.split())]


def test_the_highest_card_of_the_suit_that_was_led_takes_the_trick():
    assert taker(cards("5H AS KH 6H")) == 2
    assert taker(cards("5H AS KD 4H")) == 0


def test_equal_ranks_go_by_suit():
    assert highest(cards("5C 9D 9H 2S")) == playing_card("9H")
    assert lowest(cards("9C 9D AH AS")) == playing_card("9D")


def test_styles_by_hand():
    rules = PointTricks((0, -1, 0, 1), ((playing_card("QS"), -5), (playing_card("JD"), 4)), ())

    def play(style, hand, trick=""):
        mask = sum(1 << card for card in cards(hand))
        return card_name(rules.styled(Style(*style), mask, tuple(cards(trick)), 4))

    hand = "3S 9S 4H KH AH 8D AC"
    assert [play((lead, 0, 0), hand) for lead in range(4)] == ["3S", "AH", "4H", "8D"]
    assert play((0, 0, 0), hand, "TH 2H") == "4H"
    assert play((0, 0, 0), "KH AH 2C", "TH 2H") == "KH"
    assert play((0, 1, 0), "KH AH 2C", "TH 2H") == "KH"
    assert play((0, 1, 0), "KH AH 2C", "TH 2H 5H") == "AH"
    assert play((0, 2, 0), hand, "TH 2H") == "4H"
    assert play((0, 3, 0), hand, "TH 2H") == "AH"
    assert play((0, 4, 0), hand, "TH JD") == "AH"  # 4 - 1 points
    assert play((0, 4, 0), hand, "TH 2H") == "4H"
    assert play((0, 0, 0), "QS KH 2H AC", "5D") == "QS"
    assert play((0, 0, 0), "KS KH 2H AC", "5D") == "KH"
    assert play((0, 0, 1), "QS KH 2H AC", "5D") == "AC"
    assert play((0, 0, 2), "QS 3S KH 2H AC KC", "5D") == "QS"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", range(6))
def test_no_line_has_more_points_than_are_needed(name, level):
    task = Address.of(name, 5, level).task()
    rules, best = task.rules(), 0
    assert len(rules.names) == task.players == len(load(name)(**task.model_dump()).styles)
    for deal in map(rules.decode, task.deals):
        lines = Plain(rules).lines(texts(deal), [], deal.leader, [0] * task.players, task.seat)
        best += max(points[task.seat] for points in lines)
    assert best == task.need


@pytest.mark.parametrize("name", NAMES)
def test_a_lone_player_wins_with_the_best_result_only(name):
    task, results = Address.of(name, 4, 1).task(), set()
    for seed in range(60):
        rng, episode = Random(seed), Episode(task, BARE)
        while episode.scores is None:
            episode.step(rng.choice(episode.turn.legal_moves))
        score = episode.scores[task.seat]
        points = int(score.reason.split(" has ")[1].split()[0])
        assert score.value == (points == task.need)
        assert points <= task.need
        results.add(score.value)
    assert 0 in results


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_between_players_points_are_shared(name, seed):
    """The scores are points on a scale from the sum of the costs to that of the gains."""
    task, rng = Address.of(name, seed, 3).task(), Random(seed)
    episode = Episode(task, BARE, seats=range(task.players))
    seats = set()
    while episode.scores is None:
        seats.add(episode.player)
        episode.step(rng.choice(episode.turn.legal_moves))
    assert seats == {*range(task.players)}
    plain, low, high = Plain(task.rules()), 0, 0
    for deal in map(task.rules().decode, task.deals):
        worth = [plain.worth[card] for hand in texts(deal) for card in hand]
        low, high = low + sum(min(n, 0) for n in worth), high + sum(max(n, 0) for n in worth)
    points = [int(score.reason.split(" has ")[1].split()[0]) for score in episode.scores]
    assert sum(points) == low + high
    values = [(each - low) / (high - low) for each in points]
    assert [score.value for score in episode.scores] == pytest.approx(values)


@pytest.mark.parametrize("name", NAMES)
def test_built_in_players_play_as_the_prompt_states(name):
    """Their moves are those of the plain player, of whose rules the prompt has the words."""
    task = Address.of(name, 7, 2).task()
    episode, plain = Episode(task, BARE), Plain(task.rules())
    for move in task.solve():
        episode.step(move)
    assert episode.scores[task.seat].value == 1
    rules, state, number = task.rules(), task.rules().decode(task.deals[0]), 0
    for move in episode.moves:
        mover = rules.player(state)
        if mover != task.seat:
            trick = [card_name(card) for card in state.trick]
            assert move == plain.choice(mover, texts(state)[mover], trick)
        state = rules.apply(state, rules.read(state, move))
        if rules.results(state) is not None and number + 1 < len(task.deals):
            number += 1
            state = rules.decode(task.deals[number])


def test_illegal_moves_are_refused_with_reasons():
    task = Address.of(NAMES[0], 3, 1).task()
    episode = Episode(task, BARE, seats=range(4))
    mover = episode.player
    episode.step(episode.turn.legal_moves[0])
    mover = episode.player
    for number in range(4):
        assert episode.player == mover
        assert number == 0 or f"still allowed: {3 - number}." in episode.observation
        episode.step("no card")
    assert [score.value for score in episode.scores] == [float(n != mover) for n in range(4)]


def test_who_has_a_card_of_the_suit_plays_it():
    rules = PointTricks((0, -1, 0, 1), ((0, -5), (13, 4)), (Style(0, 0, 0),) * 4)
    hands = tuple(sum(1 << card for card in cards(hand)) for hand in ("2S", "KS 4H", "QD", "5S"))
    state = rules.apply(State(hands, (), 0, (0,) * 4), playing_card("2S"))
    assert rules.read(state, "P2 plays the king of spades") == playing_card("KS")
    with pytest.raises(InvalidAnswer, match="P2 has to follow suit"):
        rules.read(state, "4H")
    with pytest.raises(InvalidAnswer, match="not one of the cards of P2"):
        rules.read(state, "QD")


@pytest.mark.parametrize("name", NAMES)
def test_the_scene_shows_all_hands_and_the_trick(name):
    task = Address.of(name, 3, 2).task()
    turn = Episode(task, BARE).turn
    scene, state = turn.scene(), task.rules().decode(turn.state.split(" ", 2)[2])
    sizes = [hand.bit_count() for hand in state.hands]
    assert [len(row) for row in scene.rows] == [*sizes, len(state.trick)]
    assert sum(label.endswith("(plays next)") for label in scene.labels) == 1


@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are texts, not arrays
@pytest.mark.parametrize(("name", "players"), [(NAMES[0], 4), (NAMES[1], 6)])
def test_pettingzoo_has_an_agent_for_each_seat(name, players, capsys):
    match = env(name, level=2)
    assert match.possible_agents == [f"player_{n}" for n in range(players)]
    api_test(match, num_cycles=200)
    parallel_api_test(parallel_env(name, level=1), num_cycles=200)
    seed_test(lambda: env(name, level=1), num_cycles=50)
    assert "Passed" in capsys.readouterr().out
