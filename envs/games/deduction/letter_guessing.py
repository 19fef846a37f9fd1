"""Guessing the letters of a word, as in hangman, a game of the 19th century, with an adversary.

That the word is chosen late is an old trick of programs ("evil hangman").
"""

from random import Random
from typing import Self

from palaestra.generators.games.deduction.adversary import AdversaryGame
from palaestra.generators.games.deduction.letter_guessing import LetterGuessing as Rules
from palaestra.generators.games.deduction.letter_guessing import State, coins_of, letters_of
from palaestra.generators.phrases import WORDS
from palaestra.generators.states import encoded
from palaestra.generators.vocabulary import words
from palaestra.task import ladder


class LetterGuessing(AdversaryGame):
    """Single out a word of a list by its letters, where misses cost coins."""

    tags = {"planning", "deduction", "strategy", "words"}
    baseline_note = (
        "A letter that rules out much for its price is often the best one, and letters that all "
        "words have cost nothing, so that a player who weighs this needs no search in small games. "
        "In large ones, letters of many words are dearer, and such players mostly lose."
    )

    class Knobs(AdversaryGame.Knobs):
        least_difficulty: float = ladder(1.0, low=1.0, high=1.0)  # all games are hard enough
        listed: int = ladder(10, 11, 12, 12, 14, 18, low=4, high=20)  # words
        length: int = ladder(4, 4, 4, 3, 3, 3, low=3, high=6)
        real: bool = ladder(True, True, True, False)  # English words, or invented ones
        dearest: int = ladder(1, 2, 3, low=1, high=9)  # coins for a miss
        # About the coins for a miss for each word that has the letter, instead of the above.
        per_word: int = ladder(0, 0, 0, 2, 2, 3, low=0, high=3)

    listed: tuple[str, ...]
    prices: tuple[int, ...]

    @classmethod
    def candidate(cls, rng: Random, knobs: Knobs) -> Self:
        known = [word for word in WORDS if len(word) == knobs.length]
        if knobs.real and knobs.listed <= len(known):
            chosen = rng.sample(known, knobs.listed)
        else:
            chosen = [*words(rng, knobs.listed, knobs.length, knobs.length)]
        listed = tuple(sorted(chosen))
        if knobs.per_word:
            # Letters that rule out more words are dearer, so that most seem to be worth the same.
            prices = tuple(
                max(1, round(knobs.per_word * rng.uniform(0.7, 1.3) * number))
                for number in (
                    sum(letter in word for word in listed) for letter in letters_of(listed)
                )
            )
        else:
            prices = tuple(rng.randint(1, knobs.dearest) for _ in letters_of(listed))
        everything = (1 << len(listed)) - 1
        coins = coins_of(Rules(listed, prices), everything)
        return cls(
            position=encoded(State(everything, "", coins)),
            seed_of_adversary=rng.getrandbits(32),
            listed=listed,
            prices=prices,
        )

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls.candidate(rng, knobs)  # all games are hard enough

    def is_valid(self) -> bool:
        """Whether some first letters lose, and none leaves a single word at once."""
        rules, start = self.rules(), self.start()
        for letter in rules.legal(start):
            after = rules.answers(start, letter).values()
            if all(map(rules.is_won, after)):
                return False
        return not all(rules.keeps(start, letter) for letter in rules.legal(start))

    def rules(self) -> Rules:
        return Rules(self.listed, self.prices)

    def description(self) -> str:
        letters = letters_of(self.listed)
        prices = ", ".join(f"{letter}: {price}" for letter, price in zip(letters, self.prices))
        return self.phrase(
            "An adversary has a word of the list below in mind. In each move, you name a letter. "
            "If the word has it, you learn all its positions, which count from 1 at the left, "
            "and this costs nothing. If the word does not have it, that is a miss, which costs "
            f"coins. The coins that a miss costs depend on the letter: {prices}. The adversary "
            "is free to change its word, as long as a word of the list agrees with all answers so "
            "far, and chooses the answer after which you need the most coins. You win when a "
            "single word of the list agrees with all answers. You lose when a miss costs more "
            "coins than you have. At the start, you have as many coins as the best strategy needs "
            "in the worst case. A letter that has been named, or that no word of the list has, is "
            f"not legal. A move is a letter, such as '{letters[-1]}'.",
            "Ask for letters until a single word of the list below is left. In each move, you name "
            "a letter. The answer is either all positions that the letter has in the word, counted "
            "from 1 at the left, or that it is not in the word. The second answer is a miss, and "
            f"only a miss costs coins. These are the coins for each letter: {prices}. There is no "
            "word that is fixed in advance. Of the answers that at least one word fits, together "
            "with the earlier answers, you always get the one that is worst for you. You win as "
            "soon as only one word fits all answers, and lose with a miss that you cannot pay. "
            "Your coins are just enough for a strategy that works whatever the answers are. With 0 "
            "coins, you can still name a letter that cannot miss. You may name each letter once, "
            f"and only letters of the words. Write one letter, for example '{letters[-1]}'.",
        )
