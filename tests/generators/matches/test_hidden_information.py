"""Equilibria and best responses of small games of hidden information, and the match around them."""

from itertools import product

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, TAGS, Episode
from palaestra.generators.decisions import right_moves
from palaestra.generators.matches.cfr import equilibrium
from palaestra.generators.matches.hands_match import Hand, Session
from palaestra.generators.matches.hidden_information import (
    CHANCE,
    best_response,
    exploitability,
    game_tree,
    values_of,
)
from palaestra.generators.matches.kuhn_poker import KuhnPoker
from palaestra.generators.matches.leduc_poker import LeducPoker

MATCHES = ["matches/kuhn_poker", "matches/leduc_poker", "matches/liars_dice"]


def test_the_value_of_kuhn_poker():
    """-1/18 for the first player (Kuhn, 1950)."""
    tree, strategy = game_tree(KuhnPoker(3)), equilibrium(KuhnPoker(3), 1_000)
    assert values_of(tree, strategy) == pytest.approx(-1 / 18, abs=1e-4)
    assert 0 <= exploitability(tree, strategy) < 5e-4


def test_kuhns_own_equilibria_are_not_exploitable():
    """The first player bets the lowest card with probability a up to 1/3, the highest with 3a, and
    calls with the middle one with a + 1/3; the second player bluffs and calls with 1/3 (1950).
    """
    tree = game_tree(KuhnPoker(3))
    for a in (0, 0.1, 1 / 3):
        strategy = {
            "1": (1 - a, a), "2": (1, 0), "3": (1 - 3 * a, 3 * a),
            "1cb": (1, 0), "2cb": (2 / 3 - a, 1 / 3 + a), "3cb": (0, 1),
            "1c": (2 / 3, 1 / 3), "2c": (1, 0), "3c": (0, 1),
            "1b": (1, 0), "2b": (2 / 3, 1 / 3), "3b": (0, 1),
        }  # fmt: skip
        assert values_of(tree, strategy) == pytest.approx(-1 / 18)
        assert exploitability(tree, strategy) == pytest.approx(0, abs=1e-12)


def test_the_value_of_leduc_poker():
    """Near -0.0856 for the first player; Southey et al. (2005) describe the game, and OpenSpiel
    (Lanctot et al., 2019) states the value. Best responses prove bounds of it.
    """
    tree = game_tree(LeducPoker(3))
    strategy = equilibrium(LeducPoker(3), 300)
    low = -best_response(tree, strategy, 1).value
    high = best_response(tree, strategy, 0).value
    assert low <= -0.0856 <= high
    assert high - low < 0.01
    assert values_of(tree, strategy) == pytest.approx(-0.0856, abs=1e-3)


def test_leduc_poker_has_288_information_sets():
    assert len(game_tree(LeducPoker(3)).moves) == 288


def mixed(tree, shift):
    """A strategy of odd probabilities."""
    return {
        view: [(n + shift + i) % 5 + 1 for i in range(len(moves))]
        for n, (view, moves) in enumerate(tree.moves.items())
    }


def proportions(strategy):
    return {view: [w / sum(weights) for w in weights] for view, weights in strategy.items()}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("shift", range(3))
def test_best_responses_are_those_of_all_pure_strategies(player, shift):
    tree = game_tree(KuhnPoker(3))
    strategy = proportions(mixed(tree, shift))
    views = [view for view, owner in tree.owner.items() if owner == player]
    values = []
    for choices in product((0, 1), repeat=len(views)):
        pure = {view: (1 - c, c) for view, c in zip(views, choices)}
        values.append(values_of(tree, strategy | pure) * (1 if player == 0 else -1))
    assert best_response(tree, strategy, player).value == pytest.approx(max(values))


@pytest.mark.parametrize("rules", [KuhnPoker(4), LeducPoker(2)])
def test_responding_by_the_expectations_earns_the_value(rules):
    tree = game_tree(rules)
    strategy = proportions(mixed(tree, 1))
    for player, sign in ((0, 1), (1, -1)):
        response = best_response(tree, strategy, player)
        pure = {}
        for view, expectations in response.expectations.items():
            (best, *_) = right_moves(expectations, 0)
            pure[view] = [float(move == best) for move in tree.moves[view]]
        assert sign * values_of(tree, strategy | pure) == pytest.approx(response.value)


def states(rules, state):
    """All states of a game after the deal."""
    if rules.outcome(state) is None:
        if rules.player(state) != CHANCE:
            yield state
            following = rules.legal(state)
        else:
            following = [event for event, _ in rules.chances(state)]
        for move in following:
            yield from states(rules, rules.apply(state, move))


def rules_of(name):
    return Address.of(name, 0, 0).task().rules()


@pytest.mark.parametrize("name", MATCHES)
def test_states_of_a_view_look_the_same_and_have_the_same_moves(name):
    rules = rules_of(name)
    seen = {}
    for state in states(rules, rules.start()):
        player = rules.player(state)
        look = rules.show(state, player), rules.scene(state, player), tuple(rules.legal(state))
        assert seen.setdefault(rules.view(state, player), look) == look
    assert len(seen) == len(game_tree(rules).moves)


@pytest.mark.parametrize("name", MATCHES)
def test_chances_add_up_and_the_deal_is_theirs(name):
    rules = rules_of(name)
    assert sum(chance for _, chance in rules.hands()) == pytest.approx(1)
    for state in states(rules, rules.start()):
        if rules.player(state) == CHANCE:
            assert sum(chance for _, chance in rules.chances(state)) == pytest.approx(1)


@pytest.mark.parametrize("name", MATCHES)
def test_the_opponents_hand_is_hidden_before_the_hands_are_compared(name):
    """Other seeds change the opponent's hand, but nothing that a lone player reads at first."""
    task = Address.of(name, 4, 3).task()
    first = Episode(task, BARE)
    hands = set()
    for shift in range(30):
        other = task.model_copy(update={"luck": tuple(seed + shift for seed in task.luck)})
        episode = Episode(other, BARE)
        assert episode.observations == first.observations
        assert episode.turn.state == first.turn.state
        assert episode.turn.scene() == first.turn.scene()
        session = other.session()
        hands.add(str(session.state))
    assert len(hands) > 1


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize("level", [0, 3, 5])
def test_luck_does_not_change_the_score_of_the_ideal_player(name, level):
    task = Address.of(name, 2, level).task()
    results = set()
    for shift in range(5):
        other = task.model_copy(update={"luck": tuple(seed + shift for seed in task.luck)})
        episode = Episode(other, BARE)
        for move in other.solve():
            episode.step(move)
        assert episode.score.value == 1
        results.add(episode.score.parts["result"])
    assert len(results) > 1 or level == 0


@pytest.mark.parametrize("name", MATCHES)
def test_a_mistake_loses_and_its_reason_names_the_hand_only(name):
    task = Address.of(name, 2, 2).task()
    session = task.session()
    expectations = task.expectations(session)
    worst = min(expectations, key=expectations.get)
    episode = Episode(task, BARE)
    episode.step(session.rules.name(session.state, worst))
    while episode.score is None:
        episode.step(episode.turn.legal_moves[0])
    assert episode.score.value == 0
    assert "first in hand 1" in episode.score.reason


def chips(task, choose):
    """The scores of a match in which two players choose moves."""
    episode = Episode(task, TAGS, seats=(0, 1))
    session = task.session()
    while episode.scores is None:
        assert episode.player == session.mover
        move = choose(episode, session)
        session.move(session.rules.read(session.state, move))
        episode.step(f"<answer>{move}</answer>")
    return episode.scores, session.chips


@pytest.mark.parametrize("name", MATCHES)
def test_between_two_players_chips_decide(name):
    winners = set()
    for seed in range(12):
        task = Address.of(name, seed, 3).task()
        (first, second), won = chips(task, lambda episode, session: episode.turn.legal_moves[-1])
        assert won[0] == -won[1]
        assert first.value + second.value == 1
        assert first.value == (won[0] > 0) + 0.5 * (won[0] == 0)
        winners.add(first.value)
    assert len(winners) > 1


@pytest.mark.parametrize("name", MATCHES)
def test_a_player_who_moves_like_the_built_in_opponent_is_judged_by_chips(name):
    """Only moves of the task's own opponent, which nobody else can write, make it a lone match."""
    task = Address.of(name, 1, 3).task()

    def choose(episode, session):
        if session.mover != task.seat:
            return task.opponent(episode.moves)
        expectations = task.expectations(session)
        return session.rules.name(session.state, right_moves(expectations, 0)[0])

    (first, second), won = chips(task, choose)
    assert first.value + second.value == 1
    assert (first.value > second.value) == (won[0] > won[1])
    assert not first.parts


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize("fences", range(8))
def test_no_reply_looks_like_a_move_of_the_built_in_opponent(name, fences):
    """Whatever spaces and fences are around a move, the match is one between two players."""
    task = Address.of(name, 1, 2).task()
    episode = Episode(task, BARE, seats=range(2))
    while episode.scores is None:
        move = episode.turn.legal_moves[-1]
        if episode.player != task.seat:
            move = "```\n" * fences + f"{move} " + "```" * fences
        episode.step(move)
    if all(score.status != "malformed" for score in episode.scores):
        assert not any(score.parts for score in episode.scores)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_the_openings_of_the_opponent_are_as_frequent_as_stated(level):
    """The share of bets, where the lone player acts second, is that of the stated strategy."""
    bets, expected, variance = 0, 0.0, 0.0
    for seed in range(40):
        task = Address.of("matches/kuhn_poker", seed, level).task()
        strategy = task.solution().strategy
        for number, (mine, luck) in enumerate(zip(task.mine, task.luck)):
            if number % 2 == 0:
                continue
            session = Session(task.rules(), [Hand(mine, luck)], task.seat, role=1)
            others = [strategy[str(card)][1] for card, _ in task.rules().hands() if card != mine]
            chance = sum(others) / len(others)
            bets += task.rules().name(session.state, task._reply(session)) == "bet"
            expected += chance
            variance += chance * (1 - chance)
    assert abs(bets - expected) < 3 * variance**0.5


def test_the_openings_of_liars_dice_are_doubted_as_well():
    firsts = set()
    for seed in range(12):
        task = Address.of("matches/liars_dice", seed, 3).task()
        for number, hand in enumerate(map(Hand, task.mine, task.luck)):
            if number % 2:
                firsts.add(task._decisions(hand, number)[0].best)
    assert "liar" in firsts
    assert len(firsts) > 1


@pytest.mark.parametrize("name", MATCHES)
def test_the_end_of_the_last_hand_is_reported(name):
    task = Address.of(name, 2, 2).task()
    episode = Episode(task, BARE)
    for move in task.solve():
        episode.step(move)
    assert episode.score.value == 1
    assert any(each in episode.observation for each in ("You win", "You lose", "Nobody wins"))


@pytest.mark.parametrize("name", MATCHES)
def test_the_opponent_plays_by_its_strategy(name):
    """The share of each move, over many seeds, is the stated probability."""
    task = Address.of(name, 3, 0).task()
    first = task.session()
    move = first.rules.name(first.state, first.rules.legal(first.state)[0])
    counts, expected, number = {}, {}, 1_500
    for seed in range(number):
        other = task.model_copy(update={"luck": (seed, *task.luck[1:])})
        session = other.session()
        session.move(session.rules.read(session.state, move))
        if session.number or session.mover == task.seat:
            continue
        chances = other.solution().strategy[session.view(session.mover)]
        for each, chance in zip(session.rules.legal(session.state), chances):
            name_of_move = session.rules.name(session.state, each)
            expected[name_of_move] = expected.get(name_of_move, 0) + chance
        reply = other.opponent([move]).strip()
        counts[reply] = counts.get(reply, 0) + 1
    for reply, mean in expected.items():
        assert counts.get(reply, 0) == pytest.approx(mean, abs=4 * (mean + 1) ** 0.5)


@pytest.mark.parametrize("name", MATCHES)
def test_illegal_moves_lose_in_the_end(name):
    episode = Episode(Address.of(name, 1, 1).task(), BARE)
    for _ in range(4):
        assert episode.score is None
        episode.step("whatever")
    assert episode.score.value == 0
    assert episode.score.status == "malformed"


@pytest.mark.parametrize("name", MATCHES)
def test_only_the_lone_player_reads_the_strategy_of_the_opponent(name):
    task = Address.of(name, 1, 1).task()
    assert task.table_text() in task.description(task.seat)
    assert task.table_text() not in task.description(1 - task.seat)
