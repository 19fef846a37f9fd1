"""Matches from positions that are proved won: generation, play, opponent, oracle, baselines."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

from palaestra.generators.game_rules import WonGame
from palaestra.generators.matches.line_games import scores
from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.matches.solver import Line, Solver, TooHard, move_values
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Match, NoValidTask, Play, Policy, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move

ILLEGAL_MOVES = 3
"""The number of illegal moves that a player may make in a match; another one loses it."""

GAMES = 400
"""The most random openings to play in search of a position."""

RANDOM_GAMES = 24
"""The number of games behind the score of a player of random moves."""


class WonPosition(NamedTuple):
    """A position that the player to move wins."""

    state: Any
    line: Line


def won_position(
    rules: Rules[Any, Any],
    candidates: Iterable[Any],
    most_nodes: int,
    least_moves: int,
    most_chance: float,
) -> WonPosition | None:
    """The first candidate that the player to move wins, in so many moves at least, where a player
    of random moves has at most this chance; else, of those that are won, the hardest. None where
    none is won.

    Candidates that take more than ``most_nodes`` steps to solve are left out. So are those with a
    larger share of winning first moves than ``most_chance ** (1 / least_moves)``: a smaller
    ``most_chance`` thus asks for a harder first move, and can leave fewer positions to choose from.
    """
    # What a line of this chance has on average; most candidates are seen to be too easy by it.
    most_share = most_chance ** (1 / least_moves)
    hardest: WonPosition | None = None
    easy: list[tuple[float, Any]] = []
    for state in candidates:
        solver = Solver(rules, most_nodes)
        with suppress(TooHard):
            if solver.worth(state, rules.player(state)) != WIN:
                continue
            if (share := solver.share(state)) > most_share:
                easy.append((share, state))
                continue
            line = solver.line(state)
            if hardest is None or _rank(line, least_moves) < _rank(hardest.line, least_moves):
                hardest = WonPosition(state, line)
            if line.moves >= least_moves and line.random_score <= most_chance:
                break
    if hardest is None and easy:
        _, state = min(easy, key=lambda each: each[0])
        return WonPosition(state, Solver(rules).line(state))
    return hardest


def _rank(line: Line, least_moves: int) -> tuple[int, float]:
    return max(0, least_moves - line.moves), line.random_score


@lru_cache(maxsize=32)
def solver_of(rules: Rules[Any, Any], start: str) -> Solver[Any, Any]:
    """The solver of all positions that follow from a start, which keeps what it has found."""
    return Solver(rules)


class BoardMatch(WonGame, Match):
    """A match from a position whose player to move wins against every reply.

    A subclass gives the rules, a way to reach positions that can be solved, and the rules in words.
    The built-in opponent plays perfectly: it takes whatever a mistake gives it, and else makes the
    win as hard as it can. ``seed_of_opponent`` decides between equally good replies.
    """

    tags: ClassVar = {"two-players", "perfect-information", "search"}
    hidden: ClassVar = {"seed_of_opponent"}

    class Knobs(Match.Knobs):
        """Every match has these; a subclass adds those of its board."""

        least_moves: int = ladder(1, 2, 2, 3, 3, 4, low=1, high=12)  # own moves to the win
        most_chance: float = ladder(1.0, 0.3, 0.1, 0.04, 0.015, 0.005, low=1e-6)

    most_nodes: ClassVar[int] = 2_000
    """How many positions may be searched to solve one candidate."""

    candidates: ClassVar[int] = 24
    """How many positions are looked at for one that is hard enough."""

    position: str
    """The first position, as :meth:`Rules.encode` writes it."""

    seed_of_opponent: int

    @classmethod
    @abstractmethod
    def rules_of(cls, knobs: Any) -> Rules[Any, Any]:
        """The rules for these knobs."""

    @abstractmethod
    def rules(self) -> Rules[Any, Any]:
        """The rules of this match."""

    @classmethod
    @abstractmethod
    def opening(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A position that may be won and can be solved; None where the game ended before."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        rules = cls.rules_of(knobs)
        best = won_position(
            rules,
            cls._openings(rng, rules, knobs),
            cls.most_nodes,
            knobs.least_moves,
            knobs.most_chance,
        )
        if best is None:
            raise NoValidTask(f"none of {GAMES} games led to a won position")
        return cls(
            position=rules.encode(best.state),
            seed_of_opponent=rng.getrandbits(32),
            seat=rules.player(best.state),
            **cls.fields_of(knobs),
        )

    @classmethod
    def fields_of(cls, knobs: Any) -> dict[str, Any]:
        """The fields that a task takes over from its knobs: those of the same name."""
        return {name: value for name, value in knobs if name in cls.model_fields}

    @classmethod
    def _openings(cls, rng: Random, rules: Rules[Any, Any], knobs: Any) -> Iterable[Any]:
        left = cls.candidates
        for _ in range(GAMES):
            state = cls.opening(rng, rules, knobs)
            if state is not None and rules.outcome(state) is None:
                yield state
                left -= 1
            if not left:
                return

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "seed_of_opponent"})

    def start(self) -> Any:
        return self.rules().decode(self.position)

    def solver(self) -> Solver[Any, Any]:
        """The solver of this match."""
        return solver_of(self.rules(), self.position)

    def play(self) -> Play:
        rules = self.rules()
        state, last = rules.decode(self.position), None
        opening = self.description()
        illegal, events = [0, 0], [[opening], [opening]]
        while (over := rules.outcome(state)) is None:
            player = rules.player(state)
            sign = rules.signs[player]
            parts = [*events[player], rules.show(state), f"You are {sign}. Your move?"]
            legal = {rules.name(state, move): move for move in rules.legal(state)}
            try:
                text = yield Turn(
                    "\n\n".join(parts),
                    # By name: the rules list moves that are likely to be good first.
                    legal_moves=sorted(legal),
                    state=rules.encode(state),
                    player=player,
                    scene=partial(rules.scene, state, last),
                )
                move = legal[text] if text in legal else self._read(rules, state, text)
            except InvalidAnswer as error:
                illegal[player] += 1
                left = ILLEGAL_MOVES - illegal[player]
                if left < 0:
                    return scores(1 - player, f"{sign} made too many illegal moves")
                events[player] = [
                    f"That is not a legal move: {error}. Illegal moves still allowed: {left}."
                ]
                continue
            events[player] = []
            events[1 - player].append(f"{sign} played {rules.name(state, move)}.")
            state, last = rules.apply(state, move), move
        winner = {WIN: 0, LOSS: 1}.get(over)
        reason = "nobody has won" if winner is None else f"{rules.signs[winner]} has won the game"
        return scores(winner, reason)

    def opponent(self, moves: Sequence[str]) -> str:
        rules = self.rules()
        state, names = self._replayed(moves)
        return rules.name(state, self._reply(state, names))

    def _replayed(self, moves: Sequence[str]) -> tuple[Any, list[str]]:
        """The position after moves, and the names of those that were legal."""
        rules, state, names = self.rules(), self.start(), list[str]()
        for text in moves:
            try:
                move = self._read(rules, state, text)
            except InvalidAnswer:
                continue
            names.append(rules.name(state, move))
            state = rules.apply(state, move)
        return state, names

    @staticmethod
    def _read(rules: Rules[Any, Any], state: Any, text: str) -> Any:
        """The move of a text. Raises :class:`InvalidAnswer` for one that is not legal."""
        return read_move(partial(rules.read, state), text, (rules.signs[rules.player(state)],))

    def final_scene(self, moves: Sequence[str]) -> Scene | None:
        """The scene after all moves, with the last one marked."""
        rules, state, last = self.rules(), self.start(), None
        for text in moves:
            with suppress(InvalidAnswer):
                move = self._read(rules, state, text)
                state, last = rules.apply(state, move), move
        return rules.scene(state, last)

    def _reply(self, state: Any, names: Sequence[str]) -> Any:
        """The opponent's move; its choice depends on the moves, not on how they were written."""
        rng = Random(f"{self.seed_of_opponent} {' / '.join(names)}")
        return rng.choice(self.solver().hardest_replies(state))

    def solve(self) -> Iterable[str]:
        rules, state, names = self.rules(), self.start(), list[str]()
        solver = self.solver()
        while rules.outcome(state) is None:
            if rules.player(state) == self.seat:
                move = solver.best_moves(state)[0]
                yield rules.name(state, move)
            else:
                move = self._reply(state, names)
            names.append(rules.name(state, move))
            state = rules.apply(state, move)

    def line(self) -> Line:
        """How the position is won."""
        return self.solver().line(self.start())

    def winning_moves(self) -> Sequence[Any]:
        return self.solver().best_moves(self.start())

    def wins_by_search(self, move: Any, most_nodes: int) -> bool | None:
        rules, start = self.rules(), self.start()
        try:
            worth = Solver(rules, most_nodes).worth(rules.apply(start, move), rules.player(start))
        except TooHard:
            return None
        return worth == WIN

    def difficulty(self) -> float:
        """How many games a player of random moves needs for a win against the hardest replies."""
        return 1 / self.line().random_score

    def random_baseline(self) -> float:
        """The mean score of a player of random moves."""
        games = (self._random_game(Random(f"random {n}")) for n in range(RANDOM_GAMES))
        return sum(games) / RANDOM_GAMES

    def _random_game(self, rng: Random) -> float:
        rules, state, solver = self.rules(), self.start(), self.solver()
        while (over := rules.outcome(state)) is None:
            mine = rules.player(state) == self.seat
            moves = rules.legal(state) if mine else solver.hardest_replies(state)
            state = rules.apply(state, rng.choice(moves))
        return (over if self.seat == 0 else WIN - over) / WIN

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who take a win, else avoid a loss at once, and else go by a rule of thumb."""
        rules = self.rules()

        def looks(state: Any, move: Any) -> float:
            return rules.judgement(rules.apply(state, move), rules.player(state))

        def freedom(state: Any, move: Any) -> float:
            after = rules.apply(state, move)
            over = rules.outcome(after) is not None
            same = not over and rules.player(after) == rules.player(state)
            return 0.0 if over or same else -float(len(rules.legal(after)))

        return {
            "win, else parry, else what looks best": self.parrying(looks, rng),
            "win, else parry, else fewest replies": self.parrying(freedom, rng),
        }

    def parrying(self, value: Callable[[Any, Any], float], rng: Random) -> Policy:
        """A player who takes a win, else avoids a loss at once, and else makes the move of the
        greatest value, which a state and a move have.
        """
        rules = self.rules()

        def move(turn: Turn) -> str:
            state = rules.decode(turn.state)
            ahead = move_values(rules, state, 2)
            safe = [each for each in ahead if ahead[each] > -1_000] or list(ahead)
            won = [each for each in safe if ahead[each] == 1_000]
            rng.shuffle(safe)
            best = max(won or safe, key=lambda each: value(state, each))
            return rules.name(state, best)

        return move
