"""Known-plaintext attacks: pairs of plaintext and ciphertext determine the key."""

from random import Random
from typing import Self

from palaestra.generators.ciphers.known_plaintext import Pair, Unknown, random_cipher, readings
from palaestra.generators.ciphers.shifts import LETTERS
from palaestra.generators.phrases import phrase
from palaestra.generators.tiles import level, tiles
from palaestra.scenes import Grid, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

RULES: dict[Unknown, str] = {
    "shift": "with a = 0, b = 1, ..., z = 25, each letter x becomes (x + k) modulo 26",
    "affine": "with a = 0, b = 1, ..., z = 25, each letter x becomes (m * x + k) modulo 26, where "
    "m has no divisor in common with 26 but 1",
    "substitution": "each letter of the alphabet is replaced by a letter that belongs to it, and "
    "no two letters have the same one",
    "columns": "the text is written in rows below {0} columns (the last row may be shorter); "
    "then the columns are read from top to bottom, one column after another, in an order that "
    "does not depend on the text",
    "running": "with a = 0, b = 1, ..., z = 25, the letters of a key word are added to those of "
    "the text modulo 26, over and over from its first letter on; the key word has from 1 to {0} "
    "letters and starts anew with each text",
    "hill": "with a = 0, b = 1, ..., z = 25, the letters are taken in pairs (x, y) from the left, "
    "and each pair becomes (p * x + q * y, r * x + s * y) modulo 26, where p * s - q * r has no "
    "divisor in common with 26 but 1; a single letter left over at the end stays",
    "both": "first, with a = 0, b = 1, ..., z = 25, each letter x becomes (x + k) modulo 26; then "
    "the result is written in rows below {0} columns (the last row may be shorter), and the "
    "columns are read from top to bottom, one column after another, in an order that does not "
    "depend on the text",
}


TEXTS: dict[Unknown, int] = {"substitution": 12, "hill": 2, "running": 3, "columns": 2, "both": 2}
"""The number of known words, if it is more than one."""


class KnownPlaintext(Puzzle):
    """Decipher a ciphertext from other texts and their ciphertexts with the same key."""

    version = 3
    tags = {"cipher", "deduction", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        cipher: Unknown = ladder(
            "shift", "shift", "affine", "substitution", "columns", "running", "hill", "both"
        )
        shift: int = ladder(5, 25, low=2)  # at most, for shifts alone and before columns
        size: int = ladder(1, 1, 1, 1, 5, 6, 2, 6, low=1, high=6)  # columns, or letters of the key
        words: int = ladder(1, 1, 2, 2, 2, 3, 4, 4, high=6)  # of the text to find

    cipher: Unknown
    size: int
    known: tuple[Pair, ...]
    ciphertext: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = max(2, knobs.size)
        texts = [word for word in phrase(rng, 30) if len(word) > 3][: TEXTS.get(knobs.cipher, 1)]
        message = "".join(phrase(rng, knobs.words))
        encipher = random_cipher(rng, knobs.cipher, size, knobs.shift)
        if knobs.cipher in ("columns", "both", "hill"):
            texts = ["".join(texts[n:] + texts[:n]) for n in range(1 + (size > 4))]
        known = tuple((text, encipher(text)) for text in texts)
        return cls(cipher=knobs.cipher, size=size, known=known, ciphertext=encipher(message))

    def is_valid(self) -> bool:
        plaintexts = readings(self.cipher, self.size, self.known, self.ciphertext)
        if len(plaintexts) != 1 or plaintexts[0] in ("number", "wrong"):  # words of the reasons
            return False
        return len(self.ciphertext) > 3 and plaintexts[0] != self.ciphertext

    def prompt(self) -> str:
        ask = self.phrase(
            "Several texts were enciphered with the same cipher and the same key, which is not "
            "known.",
            "The type of a cipher is known, but its key is not. The same key was used for all "
            "texts below.",
        )
        rows = "\n".join(f"{text} becomes {cipher}" for text, cipher in self.known)
        return (
            f"{ask} The cipher: {RULES[self.cipher].format(self.size)}.\n\n{rows}\n\nWhich text "
            f"became {self.ciphertext}? All texts are English words, written without spaces "
            "between them, and the information above determines the answer. Answer with the text "
            "alone, in lowercase letters without spaces, such as 'sevengeese'."
        )

    def answer(self) -> str:
        return readings(self.cipher, self.size, self.known, self.ciphertext)[0]

    def scene(self) -> Panels:
        return self.pictured("")

    def solved_scene(self, answer: str) -> Panels:
        return self.pictured(letters(answer, LETTERS))

    def pictured(self, text: str) -> Panels:
        """Each text above its ciphertext, letter by letter; the last text is empty or an answer."""
        wide = len(self.ciphertext)
        last = tiles(text[:wide], tone="accent") if text else tiles("?" * wide, "muted")
        rows = [[tiles(plain, "t1"), tiles(cipher)] for plain, cipher in self.known]
        rows.append([last, tiles(self.ciphertext)])
        return Panels(tuple(Grid(level(pair)) for pair in rows), columns=3 if rows[4:] else 1)

    def verify(self, answer: str) -> Score:
        row = letters(answer, LETTERS)
        return compared(row, self.answer(), "letter")

    def difficulty(self) -> float:
        steps = {"shift": 1, "affine": 2, "substitution": 3, "columns": 4, "running": 5, "hill": 8}
        effort = len(self.ciphertext) * steps.get(self.cipher, 12) + 8 * self.size
        if self.cipher != "shift":
            return float(effort)
        text, enciphered = self.known[0]
        # Shifts are tried in turn, and most of the wrong ones are dropped after a letter.
        return effort + (ord(enciphered[0]) - ord(text[0])) % 26 / 2
