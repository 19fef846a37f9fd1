"""A duel of letters over a list of words, after Superghost as James Thurber describes it (1951)."""

from collections.abc import Mapping
from random import Random
from typing import Any

from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.letter_duel import LetterDuel as LetterDuelRules
from palaestra.generators.matches.letter_duel import State, word_list
from palaestra.task import Policy, Turn, ladder


class LetterDuel(BoardMatch):
    """Spell a word of a list with an opponent, so that the opponent has to complete it."""

    tags = BoardMatch.tags | {"words"}
    baseline_note = (
        "Near the end, the lengths of the words that are left decide. A player who counts them "
        "after each move and reply finds a third of the wins at the middle level, and a seventh at "
        "the top, where more letters are to come."
    )

    class Knobs(BoardMatch.Knobs):
        number: int = ladder(3, 5, 7, 10, 12, 15, low=2, high=30)  # of pairs of words, at most
        letters: int = ladder(6, 6, 7, 7, 8, 8, low=3, high=12)  # different ones
        core: int = ladder(2, 3, 3, 4, 4, 5, low=2, high=8)  # letters that a pair shares, at least
        spread: int = ladder(1, 1, 3, 2, 3, 3, low=0, high=4)  # at most so many more
        least_moves: int = ladder(2, 2, 3, 4, 4, 4, low=1, high=6)
        most_chance: float = ladder(0.3, 0.1, 0.04, 0.015, 0.008, 0.004, low=1e-7)

    @classmethod
    def rules_of(cls, knobs: Any) -> LetterDuelRules:
        return LetterDuelRules()

    def rules(self) -> LetterDuelRules:
        return LetterDuelRules()

    @classmethod
    def opening(cls, rng: Random, rules: LetterDuelRules, knobs: Any) -> State:
        words = word_list(rng, knobs.number, knobs.letters, knobs.core, knobs.spread)
        return State(tuple(words), "", rng.randrange(2))

    def description(self) -> str:
        return self.phrase(
            "Two players, X and O, take turns to add a letter to a string, in front of it or "
            "behind it; at the beginning it is empty. After each turn, the string has to occur, "
            "letter by letter without gaps, in a word of the list below. Whoever makes it a whole "
            "word of the list loses, and the other player wins. No word of the list occurs in "
            "another one. Each time you see the words that are still possible. A move is written "
            "as the longer string, such as 'zxy' if z is added in front of 'xy'.",
            "This is a duel over a list of words. X and O build a string of letters, and a turn "
            "makes it longer by one letter on its left or on its right. The new string must be a "
            "part of one of the words, a run of neighbouring letters; anything else is not "
            "allowed. A player who completes a word has lost. (None of the words is "
            "a part of another.) The list below shows all words at first, and later those that "
            "contain the letters so far. Reply with the whole new string, such as 'xyz' if you add "
            "z behind 'xy'.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def parity(turn: Turn) -> str:
            """The best share of words of the right lengths after the other player's best reply."""
            state = rules.decode(turn.state)
            legal = [*rules.legal(state)]
            rng.shuffle(legal)

            def worst(move: str) -> float:
                after = rules.apply(state, move)
                if rules.outcome(after) is not None:
                    return -1.0
                replies = (rules.apply(after, reply) for reply in rules.legal(after))
                return min(
                    2.0 if rules.outcome(each) is not None else rules.judgement(each, state.turn)
                    for each in replies
                )

            return max(legal, key=worst)

        return {**super().baselines(rng), "lengths of words after the reply": parity}
