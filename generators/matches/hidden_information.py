"""The protocol of two-player games of hidden information, their trees, and exact best responses.

A strategy maps each view of a player, which is all that the player knows, to the probabilities of
the legal moves in their order. A game is solved by :mod:`~palaestra.generators.matches.cfr`.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from palaestra.scenes import Scene

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Hashable)

Strategy = Mapping[str, Sequence[float]]

CHANCE = -1
"""Chance, as the player to move."""


class HiddenRules(ABC, Generic[State, Move]):
    """The rules of a zero-sum game for two players, 0 and 1, who do not see the whole state.

    A state is a named tuple of integers, texts and tuples. The game begins with chance events that
    deal the hands. A view contains all moves and public events so far (perfect recall). Subclasses
    are immutable and hashable.
    """

    @abstractmethod
    def start(self) -> State:
        """The state before the hands are dealt."""

    @abstractmethod
    def hands(self) -> Sequence[tuple[Any, float]]:
        """The hands that a player may have, each with its probability."""

    @abstractmethod
    def dealt(self, hand: Any, owner: int, rng: Random) -> State:
        """The state in which a player has this hand, and the other one a random one."""

    @abstractmethod
    def player(self, state: State) -> int:
        """Whose turn it is; :data:`CHANCE` before a chance event."""

    @abstractmethod
    def chances(self, state: State) -> Sequence[tuple[Any, float]]:
        """The chance events of a state, each with its probability."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """The legal moves of the player to move."""

    @abstractmethod
    def apply(self, state: State, move: Any) -> State:
        """The state after a legal move or a chance event."""

    @abstractmethod
    def outcome(self, state: State) -> float | None:
        """What player 0 wins from player 1; None while the game goes on."""

    @abstractmethod
    def view(self, state: State, player: int) -> str:
        """What a player knows: equal for states that the player cannot tell apart."""

    @abstractmethod
    def name(self, state: State, move: Move) -> str:
        """A legal move as the prompt writes it."""

    @abstractmethod
    def read(self, state: State, text: str) -> Move:
        """The legal move that a text names. Raises :class:`~palaestra.task.InvalidAnswer`."""

    @abstractmethod
    def show(self, state: State, player: int) -> str:
        """What a player knows, as text."""

    @abstractmethod
    def news(self, state: State, event: Any) -> str:
        """A sentence that states a chance event after the deal, which both players see."""

    @abstractmethod
    def end(self, state: State, player: int) -> str:
        """How a game ended, for a player: the hands that are shown, and who wins how much."""

    @abstractmethod
    def scene(self, state: State, player: int) -> Scene:
        """What a player sees."""


class Node(NamedTuple):
    """A node of a game tree."""

    player: int
    """Whose turn it is; :data:`CHANCE` also where the game is over."""
    view: str
    """What the player to move knows."""
    children: tuple[int, ...]
    """The numbers of the nodes that follow, one for each legal move or chance event."""
    chances: tuple[float, ...]
    """The probabilities of the children, where chance decides."""
    outcome: float
    """What player 0 wins, where the game is over."""


@dataclass(frozen=True)
class GameTree(Generic[State, Move]):
    """All histories of a game."""

    nodes: Sequence[Node]
    """Children stand before their parents; the last node is the root."""
    moves: Mapping[str, Sequence[Any]]
    """The legal moves of each view."""
    owner: Mapping[str, int] = field(default_factory=dict)
    """The player of each view."""


@lru_cache(maxsize=32)
def game_tree(rules: HiddenRules[Any, Any]) -> GameTree[Any, Any]:
    """The tree of a game."""
    nodes, moves, owner = list[Node](), dict[str, Sequence[Any]](), dict[str, int]()

    def grown(state: Any) -> int:
        outcome = rules.outcome(state)
        if outcome is not None:
            nodes.append(Node(CHANCE, "", (), (), outcome))
        elif (player := rules.player(state)) == CHANCE:
            events = rules.chances(state)
            children = tuple(grown(rules.apply(state, event)) for event, _ in events)
            nodes.append(Node(CHANCE, "", children, tuple(c for _, c in events), 0.0))
        else:
            view, legal = rules.view(state, player), tuple(rules.legal(state))
            moves[view], owner[view] = legal, player
            children = tuple(grown(rules.apply(state, move)) for move in legal)
            nodes.append(Node(player, view, children, (), 0.0))
        return len(nodes) - 1

    grown(rules.start())
    return GameTree(tuple(nodes), moves, owner)


def values_of(tree: GameTree[Any, Any], strategy: Strategy) -> float:
    """What player 0 wins on average if both follow a strategy."""
    values = list[float]()
    for node in tree.nodes:
        weights = node.chances or strategy.get(node.view, ())
        worth = sum(w * values[child] for w, child in zip(weights, node.children))
        values.append(worth if node.children else node.outcome)
    return values[-1]


class Response(NamedTuple):
    """The best response of a player to a strategy of the other one."""

    value: float
    """What the player wins on average."""
    expectations: Mapping[str, Mapping[Any, float]]
    """What the player wins on average from each view that has a positive probability, by move, with
    the best play afterwards."""


def best_response(tree: GameTree[Any, Any], strategy: Strategy, player: int) -> Response:
    """The exact best response of a player.

    A view of the player is decided when the value of one of its nodes is needed. With perfect
    recall, its value depends only on views of longer histories.
    """
    search = _BestResponse(tree, strategy, player)
    return Response(search.value(len(tree.nodes) - 1), search.expectations)


class _BestResponse:
    """The values of nodes for a player who responds best, each computed once."""

    def __init__(self, tree: GameTree[Any, Any], strategy: Strategy, player: int) -> None:
        self.tree = tree
        self.strategy = strategy
        self.player = player
        self.expectations: dict[str, Mapping[Any, float]] = {}
        self._values: dict[int, float] = {}
        self._reach = _reach(tree, strategy, player)
        self._members = defaultdict[str, list[int]](list)
        for index, node in enumerate(tree.nodes):
            if node.player == player:
                self._members[node.view].append(index)

    def value(self, index: int) -> float:
        """What the player wins on average from a node."""
        if index not in self._values:
            node = self.tree.nodes[index]
            if node.player == self.player:
                self._decide(node.view)
            elif node.children:
                weights = node.chances or self.strategy[node.view]
                pairs = zip(weights, node.children)
                self._values[index] = sum(w * self.value(child) for w, child in pairs if w)
            else:
                self._values[index] = node.outcome if self.player == 0 else -node.outcome
        return self._values[index]

    def _decide(self, view: str) -> None:
        """Set the values of all nodes of a view, which have the same best move."""
        nodes, moves = self._members[view], self.tree.moves[view]
        weight = sum(self._reach[index] for index in nodes)
        weights = [self._reach[index] / weight if weight else 1 / len(nodes) for index in nodes]
        after = [self.tree.nodes[index].children for index in nodes]
        worth = [
            sum(w * self.value(children[n]) for w, children in zip(weights, after))
            for n in range(len(moves))
        ]
        best = worth.index(max(worth))
        for index, children in zip(nodes, after):
            self._values[index] = self.value(children[best])
        if weight:
            self.expectations[view] = dict(zip(moves, worth))


def _reach(tree: GameTree[Any, Any], strategy: Strategy, player: int) -> list[float]:
    """The probability of each node, if the player does all to reach it."""
    reach = [1.0] * len(tree.nodes)
    for index in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[index]
        own = node.player == player
        weights = node.chances or (() if own or not node.children else strategy[node.view])
        for n, child in enumerate(node.children):
            reach[child] = reach[index] * (1.0 if own else weights[n])
    return reach


def exploitability(tree: GameTree[Any, Any], strategy: Strategy) -> float:
    """How much the best responses to both halves of a strategy win together; 0 in equilibrium."""
    return sum(best_response(tree, strategy, player).value for player in (0, 1))
