"""Rule files with loops, repeated turns and global rules, against their descriptions in Python."""

from itertools import pairwise
from random import Random

import pytest

from palaestra.generators.games.puzzles.puzzlescript.engine import Play
from palaestra.generators.games.puzzles.puzzlescript.library import library, moves_of, random_level
from palaestra.generators.games.puzzles.puzzlescript.solo import PuzzleRules, signs

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
SIDE = 6


class Board:
    """The things in each cell of a level, and how a game says that they move."""

    pushed = ""
    fixed = "#"

    def __init__(self, rows):
        self.cells = {(y, x): set(cell) - {"."} for y, row in enumerate(rows)
                      for x, cell in enumerate(row)}  # fmt: skip

    def find(self, signs):
        return [cell for cell in sorted(self.cells) if self.cells[cell] & set(signs)]

    def has(self, cell, signs):
        return bool(self.cells[cell] & set(signs))

    def is_free(self, cell):
        return cell in self.cells and not self.has(cell, self.fixed + self.pushed + "p")

    def shift(self, cell, to, sign):
        self.cells[cell].remove(sign)
        self.cells[to].add(sign)

    def sign(self, cell, signs):
        (sign,) = self.cells[cell] & set(signs)
        return sign

    def move(self, name):
        dy, dx = STEPS[name]
        (here,) = self.find("p")
        there = here[0] + dy, here[1] + dx
        behind = there[0] + dy, there[1] + dx
        if there in self.cells:
            self.walk(here, there, behind, (dy, dx))
        self.settle()

    def walk(self, here, there, behind, step):
        if self.has(there, self.pushed) and self.is_free(behind):
            self.shift(there, behind, self.sign(there, self.pushed))
        if self.is_free(there):
            self.shift(here, there, "p")

    def settle(self):
        """What follows a move."""

    def won(self):
        raise NotImplementedError


class Gems(Board):
    pushed = "ab"

    def walk(self, here, there, behind, step):
        if not step[0] or not self.has(there, "ab"):
            super().walk(here, there, behind, step)

    def settle(self):
        while self.fall() or self.vanish():
            pass

    def fall(self):
        for y, x in self.find("ab"):
            if self.is_free((y + 1, x)):
                self.shift((y, x), (y + 1, x), self.sign((y, x), "ab"))
                return True
        return False

    def vanish(self):
        pairs = []
        for letter in "ab":
            gems = self.find(letter)
            assert len(gems) in {0, 2}
            if gems and sum(abs(a - b) for a, b in zip(*gems, strict=True)) == 1:
                pairs += gems
        for cell in pairs:
            self.cells[cell] -= {"a", "b"}
        return bool(pairs)

    def won(self):
        return not self.find("ab")


class Embers(Board):
    pushed, fixed = "ts", "#b"

    def settle(self):
        burning = self.find("t")
        for y, x in burning:
            for cell in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if cell in self.cells and self.has(cell, "sb"):
                    self.cells[cell] -= {"s", "b"}
                    burning.append(cell)

    def won(self):
        return all(self.has(cell, "s") for cell in self.find("o"))


class Bond(Board):
    pushed = "ab"

    def walk(self, here, there, behind, step):
        if not self.has(there, "ab"):
            return super().walk(here, there, behind, step)
        while self.is_free(behind):
            self.shift(there, behind, self.sign(there, "ab"))
            there, behind = behind, (behind[0] + step[0], behind[1] + step[1])
        return None

    def won(self):
        return any(self.has((y, x + 1), "b") for y, x in self.find("a") if (y, x + 1) in self.cells)


class Words(Board):
    def walk(self, here, there, behind, step):
        chain = [here]
        while chain[-1] in self.cells and self.has(chain[-1], "pwsgx"):
            chain.append((chain[-1][0] + step[0], chain[-1][1] + step[1]))
        if any(cell not in self.cells or self.has(cell, "#") for cell in chain[1:]):
            return
        for cell, to in reversed([*pairwise(chain)]):
            self.shift(cell, to, self.sign(cell, "pwsgx"))

    def reads(self, first, second):
        return any((y, x + 1) in self.cells and self.has((y, x + 1), second)
                   for y, x in self.find(first))  # fmt: skip

    def settle(self):
        for cell in self.find("#~"):
            self.cells[cell] -= {"#", "~"}
            self.cells[cell].add("#" if self.reads("w", "s") else "~")

    def won(self):
        return self.reads("g", "x") and any(self.has(cell, "f") for cell in self.find("p"))


@pytest.mark.parametrize(
    ("name", "board_type"), [("gems", Gems), ("embers", Embers), ("bond", Bond), ("words", Words)]
)
def test_random_play_is_as_the_description_says(name, board_type):
    entry, won, changes = library(name), 0, 0
    for seed in range(100):
        rng = Random(f"{name} {seed}")
        level = random_level(entry, rng, SIDE, SIDE)
        play, rules = Play(entry.game, level), PuzzleRules(entry.text, SIDE, SIDE)
        state = play.first()
        board = board_type(_rows(rules, state))
        for _ in range(60):
            move, before = rng.choice(moves_of(entry.game)), _rows(rules, state)
            state = play.after(state, move)
            board.move(move)
            after = [[board.cells[y, x] for x in range(SIDE)] for y in range(SIDE)]
            assert _rows(rules, state) == after, (seed, move, before)
            assert state.won == board.won()
            changes += before != after
            won += state.won
            if state.won:
                break
    assert won
    assert changes > 2_000


def _rows(rules, state):
    """The signs of each cell but those that only mark the end of a game."""
    rows = rules.cells(state)
    shown = {name: sign for name, sign in signs(rules.play.game).items() if sign not in "+.*"}
    return [[{shown[name] for name in cell if name in shown} for cell in row] for row in rows]
