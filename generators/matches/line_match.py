"""Matches of line games: generation, opponent, oracle, baselines, and rules for questions."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from palaestra.generators.game_rules import GameRules, GameTask
from palaestra.generators.matches.line_games import (
    SIGNS,
    SLIP,
    TRIES,
    LineGame,
    Position,
    after,
    contest,
    forced_win,
    opening,
    replayed,
    reply,
    sensible,
    stated_cell,
    unaided,
    values,
)
from palaestra.generators.states import decoded
from palaestra.scenes import Grid
from palaestra.task import Match, NoValidTask, Play, Policy, Turn


def mover(position: Position) -> int:
    """The player to move, 0 or 1: the second one has fewer stones than the first or as many."""
    return abs(position.mine.bit_count() - position.theirs.bit_count())


@dataclass(frozen=True)
class LineRules(GameRules[Position, int]):
    """The rules of a line game for questions about its positions."""

    game: LineGame

    def legal(self, state: Position) -> Sequence[int]:
        return self.game.cells(state)

    def apply(self, state: Position, move: int) -> Position:
        return after(state, move)

    def is_over(self, state: Position) -> bool:
        return self.game.lined(state.theirs) or not self.game.playable(state)

    def name(self, state: Position, move: int) -> str:
        return self.game.name(move)

    def read(self, state: Position, text: str) -> int:
        return stated_cell(self.game, state, text, mover(state))

    def show(self, state: Position) -> str:
        return self.game.show(self._stones(state))

    def mover(self, state: Position) -> str:
        return SIGNS[mover(state)]

    def picture(self, state: Position) -> Grid:
        return self.game.scene(self._stones(state))

    def decode(self, text: str) -> Position:
        return Position(*decoded(text))

    def _stones(self, state: Position) -> Sequence[int]:
        """The stones of the first and the second player."""
        return state if mover(state) == 0 else state[::-1]


class PlacementRules(LineRules):
    """The same without gravity."""

    is_placement = True


class LineMatch(GameTask, Match):
    """A match of a line game, from a position whose mover can force a win.

    The knobs of a subclass include ``forced``, the number of own moves to that win (0 for an empty
    board, which need not be a win), and ``depth``, the plies that the built-in opponent searches: 0
    plays at random, 1 takes a win, 2 also parries a threat.
    """

    hidden = {"luck"}

    forced: int
    depth: int
    mine: int
    theirs: int
    luck: int
    """The seed of the built-in opponent's choices among equally good moves."""

    @abstractmethod
    def game(self) -> LineGame:
        """The rules."""

    def rules(self) -> LineRules:
        game = self.game()
        return LineRules(game) if game.gravity else PlacementRules(game)

    @classmethod
    def position(
        cls, rng: Random, game: LineGame, forced: int, chance: float = 1.0
    ) -> dict[str, int]:
        """Random fields of this class, except the depth; with :func:`unaided` up to ``chance``."""
        # If a small board has no win of this depth, take the deepest one.
        for moves in range(forced, 0, -1):
            hardest: tuple[float, Position] | None = None
            for _ in range(TRIES):
                start = opening(game, moves, rng)
                if start is None:
                    continue
                score = unaided(game, start, moves) if chance < 1 else 1.0
                if hardest is None or score < hardest[0]:
                    hardest = score, start
                if score <= chance:
                    break
            if hardest is not None:
                return cls.fields_of(rng, moves, hardest[1])
        if forced:
            raise NoValidTask(f"no game on {game} led to a forced win")
        return cls.fields_of(rng, 0, Position(0, 0))

    @classmethod
    def fields_of(cls, rng: Random, forced: int, start: Position) -> dict[str, int]:
        """The fields of a start position, from which a player wins in ``forced`` own moves.

        The second player has fewer stones than the first or as many, so the player to move is known
        from the position. On the empty board, the lone player has either seat.
        """
        return {
            "forced": forced,
            "mine": start.mine,
            "theirs": start.theirs,
            "luck": rng.getrandbits(32),
            "seat": mover(start) if forced else rng.randrange(2),
        }

    def canonical(self) -> str:
        # On an empty board, tasks differ only in the choices of the opponent.
        ignored = {"wording", "luck"} if self.forced else {"wording"}
        return self.model_dump_json(exclude=ignored)

    def start(self) -> Position:
        """The first position of the match."""
        return Position(self.mine, self.theirs)

    def play(self) -> Play:
        rules = [self.description()] * self.players
        return contest(self.game(), self.start(), self.first(), rules)

    def opponent(self, moves: Sequence[str]) -> str:
        game = self.game()
        return game.name(self._answer(game, *replayed(game, self.start(), moves, self.first())))

    def _answer(self, game: LineGame, position: Position, moves: Sequence[str]) -> int:
        """The reply of the built-in opponent to moves, which depends on them and not on how they
        are written.
        """
        luck = Random(f"{self.luck} {' / '.join(moves)}")
        return self.reply(game, position, luck)

    def reply(self, game: LineGame, position: Position, rng: Random) -> int:
        """A move of the built-in opponent.

        Where the player has no proved win, the opponent does not search in some of its moves.
        """
        slip = not self.forced and rng.random() < SLIP
        return reply(game, position, min(self.depth, 2) if slip else self.depth, rng)

    def first(self) -> int:
        """The player who makes the first move."""
        return mover(self.start())

    def solve(self) -> Iterable[str]:
        """Play the forced win; without one, search at least as deep as the opponent."""
        game, position, moves = self.game(), self.start(), list[str]()
        mine = self.first() == self.seat
        while game.cells(position):
            if mine:
                left = self.forced - len(moves) // 2
                cell = self.perfect(game, position, left)
                yield game.name(cell)
            else:
                cell = self._answer(game, position, moves)
            moves.append(game.name(cell))
            if game.lined(position.mine | cell):
                return
            position, mine = after(position, cell), not mine

    def perfect(self, game: LineGame, position: Position, moves: int) -> int:
        """The move of a player who can win in ``moves`` own moves."""
        cell = forced_win(game, position, max(1, moves))
        if cell is None:
            by_cell = values(game, position, max(self.depth, 4))
            cell = max(by_cell, key=lambda each: by_cell[each])
        return cell

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who take a win, else parry a threat, and else judge one cell at a time."""
        game = self.game()

        def player(value: Callable[[Position, int], float]) -> Policy:
            def move(turn: Turn) -> str:
                position = self.seen(turn)
                cells = game.each(sensible(game, position, 2))
                return game.name(max(cells, key=lambda cell: value(position, cell)))

            return move

        def threats(position: Position, cell: int) -> float:
            free = ~(position.theirs | cell)
            return (game.completing(position.mine | cell) & free).bit_count()

        return {
            "win, else parry, else centre": player(lambda position, cell: 0),
            "win, else parry, else most threats": player(threats),
        }

    def seen(self, turn: Turn) -> Position:
        """The position of a turn, read from its state."""
        sign, first, second = turn.state.split()
        stones = int(first, 16), int(second, 16)
        return Position(*stones) if sign == SIGNS[0] else Position(*stones[::-1])

    def difficulty(self) -> float:
        """The number of leaves of an exhaustive search for the win."""
        return float(len(self.game().cells(self.start())) ** max(1, 2 * self.forced - 1))

    def random_baseline(self) -> float:
        """The mean score of a player of random moves over 40 games."""
        games = 40
        return (
            sum(self._random_game(Random(f"{self.luck} blind {n}")) for n in range(games)) / games
        )

    def _random_game(self, rng: Random) -> float:
        game, position, mine = self.game(), self.start(), self.first() == self.seat
        while game.cells(position):
            cell = rng.choice(game.cells(position)) if mine else self.reply(game, position, rng)
            if game.lined(position.mine | cell):
                return float(mine)
            position, mine = after(position, cell), not mine
        return 0.5
