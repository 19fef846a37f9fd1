"""The end of a game of backgammon, an ancient game, with contact and on short boards."""

from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.matches.backgammon import Backgammon as Rules
from palaestra.generators.matches.backgammon import State, has_contact, rolls
from palaestra.generators.matches.dice_match import DiceMatch
from palaestra.task import NoValidTask, ladder


class Backgammon(DiceMatch):
    """Play the end of a game of backgammon with the greatest probability to win."""

    candidates = 16
    most_positions: ClassVar[int] = 30_000
    """The most positions before a roll of a game, all of which are solved at once."""

    class Knobs(DiceMatch.Knobs):
        games: int = ladder(3, 4, 4, 6, 6, 8, low=1, high=8)
        least_decisions: int = ladder(2, 2, 3, 4, 5, 5, low=1, high=6)  # in a trial of each game
        most_gap: float = ladder(0.5, 0.2, 0.1, 0.06, 0.04, 0.03, low=0.01)  # of the closest one
        points: int = ladder(6, 8, 6, 8, 10, 12, low=6, high=12)
        home: int = ladder(3, 4, 3, 4, 4, 4, low=2, high=5)
        checkers: int = ladder(3, 3, 2, 2, 2, 2, low=2, high=3)  # of each player
        faces: int = ladder(3, 4, 3, 4, 4, 4, low=3, high=6)
        contact: bool = ladder(False, False, True, True, True, True)

    points: int
    home: int
    checkers: int
    faces: int

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        rules = Rules(knobs.points, knobs.home, knobs.checkers, knobs.faces)
        if rules.most_positions(knobs.contact) > cls.most_positions:
            raise NoValidTask(f"the game has more than {cls.most_positions} positions")
        return super().generate(rng, knobs)

    def rules(self) -> Rules:
        return Rules(self.points, self.home, self.checkers, self.faces)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any, turn: int) -> State | None:
        for _ in range(40):
            farthest = rules.points, rules.points
            if not knobs.contact:
                far = rng.randint(1, rules.points - 1)
                farthest = far, rules.points - far
            first, second = (
                tuple(sorted((rng.randint(1, far) for _ in range(rules.checkers)), reverse=True))
                for far in farthest
            )
            dice = rng.choices(*zip(*rolls(rules.faces)))[0]
            state = State(first, second, turn, dice)
            if cls._is_opening(rules, state, knobs.contact):
                return state
        return None

    @staticmethod
    def _is_opening(rules: Rules, state: State, contact: bool) -> bool:
        """Whether there is something to decide, and no checkers of both are on the same point."""
        first, second = state.first, state.second
        if {rules.points + 1 - point for point in first} & {*second}:
            return False
        return has_contact(rules, first, second) == contact and len(rules.legal(state)) > 1

    def game(self) -> str:
        points, home, faces, checkers = self.points, self.home, self.faces, self.checkers
        bar, other = points + 1, points - 1
        example = f"'{points}/{points - 2} 3/2' or '2/off 1/off'"
        return self.phrase(
            f"Backgammon for X and O on a short board of {points} points, with {checkers} checkers "
            f"each and two fair dice with the faces 1 to {faces}. Each player numbers the points "
            f"from their end: point 1 of X is point {points} of O, point 2 of X is point {other} "
            "of O, and so on. Both move their checkers from high to low numbers of their own. "
            f"Points 1 to {home} of a player are this player's home board.\n\nAt the start of a "
            "turn, both dice are rolled. Each die moves one checker by as many points as it shows; "
            "the same checker may move with both. After a double, the number is played four times. "
            "A checker cannot enter a point with two or more checkers of the other player, not "
            "even between two dice. If it enters a point with a single checker of the other "
            "player, that checker is hit and goes to the bar. A player with checkers on the "
            "bar must bring them in before any other move: the bar counts as point "
            f"{bar}, so that a die of 1 enters point {points}, a die of 2 point {other}, and so "
            "on. While all checkers that a player still has are in the home board, dice may also "
            "bear them off: a die bears off a checker from the point of its number, or, if it is "
            "higher than the player's highest point with a checker, one from that highest point. "
            "As many of the numbers as possible must be played, in any order; if either die can be "
            "played but not both, it must be "
            "the higher one. A player who cannot move at all loses the turn, which happens by "
            "itself. Whoever bears off their last checker first wins; nothing else counts.\n\n"
            "A move lists the steps for all dice in the numbers of the player who moves, as "
            f"start/end, with 'bar' and 'off', such as {example}; equal steps may be written as "
            "'3/2(2)'.",
            f"X and O play backgammon on {points} points. There are {checkers} checkers on each "
            f"side, and both dice have the equally likely faces 1 to {faces}. The two players move "
            f"in opposite directions, and each counts the points so that their checkers go down "
            f"from point {points} to point 1 and then off the board; what is point p for one "
            f"player is point {bar} - p for the other one. The home board of a player consists of "
            f"the points 1 to {home} as this player counts.\n\nThe rules of moves:\n"
            "- A turn begins with a roll. Either number moves a checker down by exactly so many "
            "points, the same one twice or two different ones; two equal numbers make four moves "
            "of this number.\n"
            "- Points on which the other player has at least two checkers are blocked; a checker "
            "cannot stop there, nor touch down there between two of its moves.\n"
            "- A lone checker of the other player on a point that is entered is hit, and put on "
            "the bar.\n"
            f"- From the bar, a checker starts again as if from point {bar}; as long as one of the "
            "own checkers is there, no other one may move.\n"
            "- Bearing off is possible while none of the player's checkers is on the bar or "
            f"outside the home board. A number n takes a checker off point n; a number above the "
            "highest point that the player occupies takes one off that highest point.\n"
            "- The player chooses the order of the numbers, but must use as many of them as the "
            "position allows, and if that is just one of two different ones, the higher one where "
            "there is a choice. Without any possible move, the turn passes at once.\n"
            "- The first player with no checkers left on the board and the bar wins the game. All "
            "wins count the same.\n\n"
            "Write all steps of a turn as from/to in the numbers of the player whose turn it is; "
            f"'bar' and 'off' are the bar and the end. For example, a move is {example}, and "
            "'3/2(2)' stands for two equal steps.",
        )
