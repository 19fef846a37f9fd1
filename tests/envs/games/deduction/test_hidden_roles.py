"""Wolves at a table, against backward induction over worlds that state who is informed."""

from itertools import combinations, product

import pytest

from palaestra.address import Address
from palaestra.generators.games.deduction.hidden_roles import (
    NOTHING,
    VICTIM,
    WOLF,
    HiddenRoles,
    State,
)
from palaestra.task import InvalidAnswer

RULES = HiddenRoles((50, 80, 20, 60, 40), 2, 25, 3, 40, 20, 2)
START = State(((0, 1, 0),), (), 1, 2, NOTHING)


class Solution:
    """The best expectation, with dictionaries from worlds to joint probabilities."""

    def __init__(self, task):
        self.task = task
        self.players = range(len(task.informed))
        self.worlds = {
            (frozenset(pack), knowing): self.prior(frozenset(pack), knowing)
            for pack in combinations(self.players, task.wolves)
            for knowing in product((False, True), repeat=len(task.informed))
        }

    def prior(self, pack, knowing):
        p = 1.0
        for n, percent in enumerate(self.task.informed):
            p *= (
                (not knowing[n])
                if n in pack
                else percent / 100
                if knowing[n]
                else 1 - percent / 100
            )
        return p

    def answers(self, joint, who, there):
        """The joint probabilities after each answer."""
        after = {}
        for (pack, knowing), p in joint.items():
            others = there - {who}
            parts = [(others, 1.0)]
            if who in pack:
                share = self.task.betrayal / 100 if others & pack else 0.0
                parts = [(others & pack, share), (others - pack, 1 - share)]
            elif knowing[who]:
                parts = [(others & pack, 1.0)]
            for names, share in parts:
                for name in names:
                    worlds = after.setdefault(name, {})
                    key = pack, knowing
                    worlds[key] = worlds.get(key, 0.0) + p * share / len(names)
        return after

    def nights(self, joint, there, statements):
        after = {}
        for (pack, knowing), p in joint.items():
            weights = {
                n: self.task.revenge
                if any(who == n and whom in pack & there for who, whom in statements)
                else 1
                for n in there - pack
            }
            for n, weight in weights.items():
                after.setdefault(n, {})[pack, knowing] = p * weight / sum(weights.values())
        return after

    def value(self, joint, there, statements, left):
        """What is still to be won, times the probability of what has happened; ``left`` are the
        questions, the accusations and the wolves that are left.
        """
        questions, accusations, wolves = left
        joint = {world: p for world, p in joint.items() if p > 0}
        if not joint or not accusations or not wolves:
            return 0.0
        options = [0.0]
        for who in there:
            if questions and who not in {each for each, _ in statements}:
                after, left = self.answers(joint, who, there), (questions - 1, accusations, wolves)
                options.append(-self.task.price * sum(joint.values()) + sum(
                    self.value(worlds, there, [*statements, (who, name)], left)
                    for name, worlds in after.items()
                ))  # fmt: skip
            left = questions, accusations - 1, wolves
            options.append(
                self.accused(joint, {who}, there - {who}, statements, left)
                + self.accused(joint, set(), there - {who}, statements, left, innocent=who)
            )
        return max(options)

    def accused(self, joint, wolf, there, statements, left, *, innocent=None):
        """The same after an accusation, of a wolf or of an innocent player."""
        joint = {
            world: p for world, p in joint.items() if wolf <= world[0] and innocent not in world[0]
        }
        questions, accusations, wolves = left
        worth = sum(joint.values()) * (self.task.gain if wolf else -self.task.loss)
        left = questions, accusations, wolves - len(wolf)
        if not self.task.revenge or not accusations or not left[2]:
            return worth + self.value(joint, there, statements, left)
        return worth + sum(
            self.value(worlds, there - {victim}, statements, left)
            for victim, worlds in self.nights(joint, there, statements).items()
        )


@pytest.mark.parametrize(
    ("seed", "level"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)]
)
def test_expectations_are_those_of_an_independent_solution(seed, level):
    task = Address.of("games/hidden_roles", seed, level).task()
    solution, there = Solution(task), frozenset(range(len(task.informed)))
    for start, _ in [*task.starts()][: 1 if level > 1 else None]:
        joint, statements = solution.worlds, [(who, whom) for who, whom, _ in start.named]
        for who, whom in statements:
            joint = solution.answers(joint, who, there)[whom]
        left = start.questions, start.accusations, task.wolves
        mine = solution.value(joint, there, statements, left)
        mine = mine / sum(joint.values()) - task.price * len(statements)
        assert task.solution(task.rules(), start).value(start) == pytest.approx(mine)


def test_statements_as_evidence():
    """Two players and a wolf: A, who knows with 50 %, names B; worked by hand."""
    rules = HiddenRoles((50, 50, 50), 1, 25, 0, 40, 20, 2)
    weights = (1 / 2, 1 / 2 + 1 / 4, 1 / 4)  # A is the wolf and lies; B is; C is, and A guesses
    state = State(((0, 1, 0),), (), 1, 1, NOTHING)
    assert rules.suspicion(state) == pytest.approx([weight / 1.5 for weight in weights])


def test_wolves_take_those_who_have_named_them():
    """A has named B: a weight of 3 if B is one of the two wolves and A is not."""
    night = State(((0, 1, 0),), ((4, 0),), 1, 1, ("night", -1))
    columns = RULES.taking(night.named, night.gone)
    pack = RULES.packs.index(0b00110)
    assert {n: column[pack] for n, column in columns.items()} == {0: 3 / 4, 1: 0, 2: 0, 3: 1 / 4}
    assert sum(chance for _, chance in RULES.chances(night)) == pytest.approx(1)


def test_a_round():
    state = RULES.apply(RULES.apply(START, ("ask", 3)), 1)
    assert state == State(((0, 1, 0), (3, 1, 0)), (), 0, 2, NOTHING)
    assert ("ask", 2) not in RULES.legal(state)
    state = RULES.apply(RULES.apply(state, ("accuse", 1)), 1)
    assert state.waiting == ("night", -1)
    state = RULES.apply(state, 3)
    assert state == State(((0, 1, 0), (3, 1, 0)), ((1, WOLF), (3, VICTIM)), 0, 1, NOTHING)
    assert RULES.show(state) == (
        "A named B.\nD named B.\nB was accused and was a wolf.\nD was taken by wolves at night.\n"
        "At the table: you, A, C, E. Wolves among them: 1.\n"
        "Questions left: 0. Accusations left: 1."
    )
    over = RULES.apply(RULES.apply(state, ("accuse", 0)), 0)
    assert not RULES.legal(over)
    assert not RULES.chances(over)
    assert RULES.payoff(over) == 40 - 20 - 2 * 2


def test_a_round_ends_with_the_last_wolf_or_by_stopping():
    state = State((), ((0, WOLF), (1, VICTIM)), 1, 2, ("accuse", 2))
    assert RULES.apply(state, 1).waiting == ("over", -1)
    assert RULES.payoff(RULES.apply(START, ("stop", -1))) == -2
    assert not RULES.legal(RULES.apply(START, ("stop", -1)))


def test_probabilities_add_up_to_1():
    for seed in range(4):
        task = Address.of("games/hidden_roles", seed, 3).task()
        rules = task.rules()
        for start, _ in task.starts():
            for move in rules.legal(start)[:-1]:
                waiting = rules.apply(start, move)
                assert sum(chance for _, chance in rules.chances(waiting)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "move"),
    [("ask B", ("ask", 1)), ("I ask player B.", ("ask", 1)), ("ACCUSE C", ("accuse", 2)),
     ("**accuse player c**", ("accuse", 2)), ("I vote for D!", ("accuse", 3)),
     ("My move: stop", ("stop", -1)), ("Stop the round.", ("stop", -1)), ("'ask E'", ("ask", 4)),
     ("I play ask B", ("ask", 1))],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(START, text) == move


@pytest.mark.parametrize(
    "text",
    ["", "B", "ask", "ask A", "ask F", "accuse B or C", "ask B and C", "do not accuse B",
     "accuse you", "ask B about C", "stop, accuse B"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(START, text)


def test_the_scene_shows_who_named_whom_and_who_is_gone():
    scene = RULES.scene(State(((0, 1, 0), (3, 2, 1)), ((1, WOLF), (4, VICTIM)), 0, 1, NOTHING))
    assert [[cell.text for cell in row] for row in scene.rows] == [
        ["50%", "B", ""], ["80%", "", "wolf"], ["20%", "", ""], ["60%", "C", ""],
        ["40%", "", "taken"],
    ]  # fmt: skip
    assert scene.left == ("A", "B", "C", "D", "E")
