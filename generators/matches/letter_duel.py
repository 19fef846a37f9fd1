"""The rules of a duel of two players who spell a word of a list, which neither wants to finish."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.rules import LOSS, WIN, Rules
from palaestra.generators.vocabulary import CONSONANTS, VOWELS
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

_MOVE = re.compile(
    r"(?:(?:i )?(?:add|play|choose|put|write|append|go|take) )?(?:the )?(?:new )?"
    r"(?:(?:letters?|string) )?([a-z]+)"
    r"(?: (?:to |in |on |at )?(?:the )?(front|before|left|behind|back|after|right|end))?",
    re.ASCII,
)
"""A string, or a letter and the end to which it is added."""

_TWO_LETTERS = re.compile(r"\W*[A-Za-z]\W+[A-Za-z]\W*", re.ASCII)
"""Two letters are no move, although one of them may be the word I."""

IN_FRONT = frozenset(("front", "before", "left"))

NOTHING = "(none)"


class State(NamedTuple):
    """The words that contain the letters so far, these letters, and whose turn it is."""

    words: tuple[str, ...]
    letters: str
    turn: int


@dataclass(frozen=True)
class LetterDuel(Rules[State, str]):
    """Players add letters in front of others or behind them, so that they occur in a word of the
    list; who completes a word loses. No word occurs in another one.

    A move is the string that it makes.
    """

    state_type = State

    def start(self) -> State:
        return State(("bed", "bus", "bulb"), "", 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[str]:
        size, longer = len(state.letters), set[str]()
        for word in state.words:
            at = word.find(state.letters)
            while at >= 0:
                if at:
                    longer.add(word[at - 1 : at + size])
                if at + size < len(word):
                    longer.add(word[at : at + size + 1])
                at = word.find(state.letters, at + 1)
        return sorted(longer)

    def apply(self, state: State, move: str) -> State:
        return State(tuple(word for word in state.words if move in word), move, 1 - state.turn)

    def outcome(self, state: State) -> int | None:
        if state.words[0] != state.letters:
            return None
        return WIN if state.turn == 0 else LOSS  # the other player has completed a word

    def judgement(self, state: State, player: int) -> float:
        """The share of the words left that the other player would complete."""
        left = [len(word) - len(state.letters) for word in state.words]
        share = sum(number % 2 == 1 for number in left) / len(left)  # of the player to move
        return 1 - share if state.turn == player else share

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        legal, match = self.legal(state), _MOVE.fullmatch(phrase(text))
        wanted = match[1] if match and not _TWO_LETTERS.fullmatch(text) else ""
        if match and match[2] and len(wanted) == 1:
            wanted = wanted + state.letters if match[2] in IN_FRONT else state.letters + wanted
        if wanted not in legal:
            raise InvalidAnswer(f"expected one of {', '.join(legal)}")
        return wanted

    def show(self, state: State) -> str:
        words = " ".join(state.words)
        letters = state.letters or NOTHING
        return f"Letters so far: {letters}\nWords that contain them, without gaps: {words}"

    def scene(self, state: State, last: str | None) -> Grid:
        cells = [Cell(letter.upper(), fill="t2") for letter in state.letters]
        return Grid(((Cell(), *cells, Cell()),))


def word_list(rng: Random, number: int, letters: int, core: int, spread: int) -> list[str]:
    """So many pairs of words or fewer of so many different letters; no word occurs in another.

    Consonants and vowels alternate, so that words have many parts in common. The words of a pair
    have ``core`` letters or up to ``spread`` more in common, and one has a letter more: counting
    the words that are left of odd and even lengths does not tell who wins.
    """
    vowels = rng.sample(VOWELS, min(len(VOWELS), letters // 2))
    classes = rng.sample(CONSONANTS, letters - len(vowels)), vowels
    words = set[str]()
    for _ in range(number):
        first, size = rng.randrange(2), core + rng.randint(0, spread)
        shared = [rng.choice(classes[(first + n) % 2]) for n in range(size)]
        for more in rng.sample((1, 2), 2):
            before = rng.randint(0, more)
            front = [rng.choice(classes[(first - n) % 2]) for n in range(before, 0, -1)]
            back = [rng.choice(classes[(first + size + n) % 2]) for n in range(more - before)]
            words.add("".join([*front, *shared, *back]))
    return sorted(word for word in words if not any(word in o for o in words if o != word))
