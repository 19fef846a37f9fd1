"""The Royal Game of Ur (about 2600 BC) with the rules that Irving Finkel reconstructed in 2007."""

from math import comb
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.matches.dice_match import DiceMatch
from palaestra.generators.matches.royal_game_of_ur import RoyalGameOfUr as Rules
from palaestra.generators.matches.royal_game_of_ur import State, rolls
from palaestra.task import NoValidTask, ladder


class RoyalGameOfUr(DiceMatch):
    """Race pieces over shared squares and rosettes with the greatest probability to win."""

    candidates = 12
    most_positions: ClassVar[int] = 30_000
    """The most positions before a roll of a game, all of which are solved at once."""

    class Knobs(DiceMatch.Knobs):
        games: int = ladder(2, 3, 3, 3, 3, 4, low=1, high=6)
        least_decisions: int = ladder(2, 3, 4, 5, 5, 6, low=1, high=10)  # in a trial of each game
        most_gap: float = ladder(0.2, 0.1, 0.05, 0.02, 0.015, 0.01, low=0.005)  # of the closest
        entry: int = ladder(2, 2, 3, 4, 2, 2, low=2, high=4)
        shared: int = ladder(4, 4, 6, 8, 4, 4, low=4, high=8)
        last: int = ladder(1, 1, 1, 2, 1, 2, low=1, high=2)
        pieces: int = ladder(2, 2, 2, 2, 3, 3, low=2, high=3)  # of each player
        dice: int = ladder(2, 2, 3, 4, 3, 3, low=2, high=4)

    entry: int
    shared: int
    last: int
    pieces: int
    dice: int

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        rules = Rules(knobs.entry, knobs.shared, knobs.last, knobs.pieces, knobs.dice)
        if rules.number_of_positions() > cls.most_positions:
            raise NoValidTask(f"the game has more than {cls.most_positions} positions")
        return super().generate(rng, knobs)

    def rules(self) -> Rules:
        return Rules(self.entry, self.shared, self.last, self.pieces, self.dice)

    @classmethod
    def opening(cls, rng: Random, rules: Rules, knobs: Any, turn: int) -> State | None:
        state = rules.start()
        for _ in range(rng.randint(2, 4 * rules.pieces)):
            state = cls._played(rng, rules, state)
        for _ in range(20):
            if rules.outcome(state) is not None:
                return None
            number, chances = zip(*rolls(rules.dice))
            rolled = rules.apply(state, rng.choices(number, chances)[0])
            if rolled.turn == turn and len(rules.legal(rolled)) > 1:
                return rolled
            state = cls._played(rng, rules, state)
        return None

    @staticmethod
    def _played(rng: Random, rules: Rules, state: State) -> State:
        """The position after a roll and a random move."""
        if rules.outcome(state) is not None:
            return state
        numbers, chances = zip(*rolls(rules.dice))
        state = rules.apply(state, rng.choices(numbers, chances)[0])
        moves = rules.legal(state)
        return rules.apply(state, rng.choice(moves)) if moves else state

    def game(self) -> str:
        rules, pieces, dice = self.rules(), self.pieces, self.dice
        entry, safe, end = rules.rosettes
        first, last, off = self.entry + 1, self.entry + self.shared, end + 1
        chances = ", ".join(f"{n} with {comb(dice, n)}/{2**dice}" for n in range(dice + 1))
        example = f"'3-5', 'start-1' or '{end}-off'"
        return self.phrase(
            f"The Royal Game of Ur for X and O, with {pieces} pieces each. The path of a player "
            f"has the squares 1 to {end}. Squares {first} to {last} are shared: they are the same "
            "ones for both players. The other squares belong to each player alone, so that square "
            "1 of X is not square 1 of O. All pieces wait at the start at first, which counts as "
            f"0; a piece that gets to {off} has been borne off. Squares {entry}, {safe} and {end} "
            f"are rosettes, marked by an asterisk.\n\nA turn begins with a roll of {dice} dice, "
            f"each of which shows 0 or 1 with equal chances. Their sum is the roll: {chances}. The "
            "player moves one piece on the board or at the start forwards by exactly the roll. A "
            "piece cannot enter a square with a piece of the same player, nor go beyond "
            f"{off}. If it enters a shared square with a piece of the other player, that piece is "
            f"captured and goes back to the start; but the rosette {safe} is safe, so that a piece "
            "on it cannot be captured and the square cannot be entered. A piece may pass any "
            "others. After a move to a rosette, the same player rolls again; otherwise, it is the "
            "other player's turn. A legal move must be made. After a roll of 0 or another one "
            "without a legal move, the turn passes by itself. Whoever bears off their last piece "
            "first wins.\n\nA move names the square that a piece leaves and the one that it "
            f"enters, such as {example}.",
            f"X and O play the Royal Game of Ur. Each has {pieces} pieces, which run along a path "
            f"of {end} squares, numbered in the direction of play. Both paths meet on squares "
            f"{first} to {last}; before and after these, each player has squares of the same "
            f"numbers for their pieces only. The squares {entry}, {safe} and {end} are rosettes "
            "(with an asterisk on the board). A piece enters from the start as if from square 0, "
            f"and leaves the board as if on square {off}.\n\nThe rules of a turn:\n"
            f"- The number of steps is how many of {dice} fair coins show heads: {chances}.\n"
            "- One piece of the player, which may come from the start, goes on by all of these "
            f"steps. To leave the board, it needs the exact number that takes it to {off}.\n"
            "- The square at which it arrives must have no piece of the same player. A piece of "
            "the other player on it is sent back to that player's start, unless it stands on "
            f"rosette {safe}, where it cannot be captured and keeps others out. Pieces in between "
            "do not matter.\n"
            "- If the piece arrives at a rosette, the player takes another turn at once; if not, "
            "the other player is next.\n"
            "- A player who can move must. If no piece can move, as always with 0 steps, the turn "
            "is over.\n"
            "- The first player without pieces on the board and at the start wins.\n\n"
            f"Write a move as from-to, for example {example}.",
        )
