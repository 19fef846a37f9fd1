"""Monte Carlo tree search, a player for every match of two players whose position is in view.

The tree policy is UCT (L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", 2006): of
the moves of a position that have all been tried, the one with the best upper confidence bound is
tried next. A new position is judged by one game of random moves. Dice are rolled anew each time a
position is passed, so that its value is the mean over them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from palaestra.task import Match, Task, Turn

EXPLORATION = sqrt(2)
"""The weight of the confidence bound, for results between 0 and 1."""

WIN = 2
"""What :meth:`Rules.outcome` gives where player 0 has won; half of it is a draw."""


@runtime_checkable
class Rules(Protocol):
    """What a search needs of a game for two players, 0 and 1."""

    def player(self, state: Any) -> int:
        """Whose turn it is."""

    def legal(self, state: Any) -> Sequence[Any]:
        """All legal moves of a state without an outcome."""

    def apply(self, state: Any, move: Any) -> Any:
        """The state after a legal move, or a roll of dice."""

    def outcome(self, state: Any) -> int | None:
        """From 0 to :data:`WIN` for player 0; None while the game goes on."""

    def name(self, state: Any, move: Any) -> str:
        """A legal move as players write it."""


@runtime_checkable
class ReadableRules(Rules, Protocol):
    """The same, with the states of turns as texts."""

    def decode(self, text: str) -> Any:
        """The state of a turn."""


@runtime_checkable
class DiceRules(Rules, Protocol):
    """The same, of a game with dice."""

    def chances(self, state: Any) -> Sequence[tuple[Any, float]]:
        """The possible rolls with their probabilities; none where a player is to move."""


class Node:
    """A position of the tree. ``moves`` are those that have not been tried, in random order.

    ``results`` is the sum of the results of the player who moved here.
    """

    __slots__ = ("children", "moves", "results", "visits")

    def __init__(self, moves: Sequence[Any], rng: Random) -> None:
        self.moves = rng.sample(moves, len(moves))
        self.children: dict[Hashable, Node] = {}
        self.visits, self.results = 0, 0.0

    def most_promising(self) -> Any:
        """The move with the highest upper confidence bound."""
        visits = log(self.visits)

        def bound(move: Any) -> float:
            child = self.children[move]
            return child.results / child.visits + EXPLORATION * sqrt(visits / child.visits)

        return max(self.children, key=bound)


def best_move(rules: Rules, state: Any, simulations: int, rng: Random) -> Any:
    """The move that was tried most often in so many simulations (at least 1) from a state in which
    a player is to move.
    """
    root = Node(rules.legal(state), rng)
    for _ in range(simulations):
        _simulate(rules, state, root, rng)
    return max(root.children, key=lambda move: root.children[move].visits)


def _simulate(rules: Rules, state: Any, root: Node, rng: Random) -> None:
    """Go down the tree, add a node, play a random game from there, and enter its result."""
    node, path = root, list[tuple[int, Node]]()
    while not node.moves and (node.children or _events(rules, state)):
        state, node = _descend(rules, state, node, path, rng)
    if node.moves:
        move = node.moves.pop()
        mover, state = rules.player(state), rules.apply(state, move)
        node.children[move] = child = Node(_choices(rules, state), rng)
        path.append((mover, child))
    result = _random_game(rules, state, rng)
    root.visits += 1
    for mover, each in path:
        each.visits += 1
        each.results += result if mover == 0 else 1 - result


def _descend(
    rules: Rules, state: Any, node: Node, path: list[tuple[int, Node]], rng: Random
) -> tuple[Any, Node]:
    """One step down from a node: a roll of dice, or the most promising move."""
    if events := _events(rules, state):
        event = _rolled(events, rng)
        after = rules.apply(state, event)
        child = node.children.get(event) or Node(_choices(rules, after), rng)
        node.children[event] = child
        mover = path[-1][0] if path else 0  # whoever moved here profits from what the dice show
    else:
        move = node.most_promising()
        mover, after, child = rules.player(state), rules.apply(state, move), node.children[move]
    path.append((mover, child))
    return after, child


def _choices(rules: Rules, state: Any) -> Sequence[Any]:
    """The moves of a state: none where the game is over or dice are to be rolled."""
    over = rules.outcome(state) is not None
    return () if over or _events(rules, state) else rules.legal(state)


def _events(rules: Rules, state: Any) -> Sequence[tuple[Any, float]]:
    """The rolls that are possible in a state, with their probabilities."""
    if not isinstance(rules, DiceRules) or rules.outcome(state) is not None:
        return ()
    return rules.chances(state)


def _rolled(events: Sequence[tuple[Any, float]], rng: Random) -> Any:
    return rng.choices([event for event, _ in events], [chance for _, chance in events])[0]


def _random_game(rules: Rules, state: Any, rng: Random) -> float:
    """The result for player 0 of a game of random moves: 1 for a win, 0.5 for a draw, 0."""
    while (over := rules.outcome(state)) is None:
        events = _events(rules, state)
        move = _rolled(events, rng) if events else rng.choice(rules.legal(state))
        state = rules.apply(state, move)
    return over / WIN


class LineGame(Protocol):
    """What a search needs of a game of lines, such as Connect Four; cells are bits."""

    def cells(self, position: Any) -> Sequence[int]:
        """The legal cells of a position."""

    def lined(self, stones: int) -> bool:
        """Whether stones contain a line."""

    def name(self, cell: int) -> str:
        """A cell as a move."""


@runtime_checkable
class LineMatch(Protocol):
    """A match of such a game. A position has ``mine``, the stones of the player to move, and
    ``theirs``.
    """

    def game(self) -> LineGame:
        """The rules."""

    def seen(self, turn: Turn) -> Any:
        """The position of a turn, whose state begins with X if the first player is to move."""


class LineState(NamedTuple):
    """A position of a game of lines, and whose turn it is."""

    position: Any
    mover: int


@dataclass(frozen=True)
class LineRules:
    """The rules of a game of lines as a search needs them."""

    game: LineGame

    def player(self, state: LineState) -> int:
        """Whose turn it is."""
        return state.mover

    def legal(self, state: LineState) -> Sequence[int]:
        """The legal cells."""
        return self.game.cells(state.position)

    def apply(self, state: LineState, move: int) -> LineState:
        """The state after a stone on a cell."""
        mine, theirs = state.position.mine, state.position.theirs
        after = state.position._replace(mine=theirs, theirs=mine | move)
        return LineState(after, 1 - state.mover)

    def outcome(self, state: LineState) -> int | None:
        """What player 0 has after a line or on a full board."""
        if self.game.lined(state.position.theirs):  # those of the player who has just moved
            return WIN * state.mover
        return None if self.game.cells(state.position) else WIN // 2

    def name(self, state: LineState, move: int) -> str:
        """A cell as players write it."""
        return self.game.name(move)


def position_of(task: Task, turn: Turn) -> tuple[Rules, Any]:
    """The rules of a match and its position at a turn, from what the player to move sees.

    Raises ``ValueError`` for a match with hidden information, simultaneous moves, or more than two
    players.
    """
    if isinstance(task, LineMatch):
        return LineRules(task.game()), LineState(task.seen(turn), "XO".index(turn.state[0]))
    rules = task.rules() if isinstance(task, Match) and hasattr(task, "rules") else None
    is_dealt = hasattr(rules, "dealt")  # games of hidden cards and of moves at the same time
    if is_dealt or not isinstance(rules, ReadableRules) or getattr(task, "players", 0) != 2:
        raise ValueError("tree search needs a match of two players with the whole position in view")
    # Games with dice come in series: their number and the games won precede the position.
    text = turn.state.split(" ", 2)[2] if isinstance(rules, DiceRules) else turn.state
    return rules, rules.decode(text)
