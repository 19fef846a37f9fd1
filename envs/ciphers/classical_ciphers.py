"""Classical ciphers: Polybius's square, Wheatstone's Playfair (1854), Nebel's ADFGVX (1918), Hill's
(1929) and others, alone and chained.
"""

from random import Random
from typing import Literal, Self

from palaestra.generators.ciphers.classical import (
    ANY,
    LAST,
    SIGNS,
    Cipher,
    Kind,
    chained,
    keyed,
    rules,
)
from palaestra.generators.phrases import WORDS, phrase
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

POOLS: dict[str, tuple[Kind, ...]] = {
    "simple": ("atbash", "affine", "rail"),
    "keyed": ("affine", "rail", "columns", "autokey", "polybius"),
    "all": ("affine", "rail", "columns", "autokey", "hill", "playfair", "polybius", "adfgvx"),
}
KEYS = tuple(word for word in WORDS if 4 <= len(word) <= 6)


class ClassicalCiphers(Puzzle):
    """Encipher and decipher with one or several classical ciphers whose rules are stated."""

    version = 2
    tags = {"cipher", "simulation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        words: int = ladder(1, 2, 2, 3, 3, 4, 5, high=12)
        ciphers: int = ladder(1, 1, 1, 1, 2, 3, 4, high=6)
        pool: Literal["simple", "keyed", "all"] = ladder("simple", "simple", "keyed", "all")

    ciphers: tuple[Cipher, ...]
    text: str
    encipher: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        text = "".join(phrase(rng, knobs.words))
        ciphers: list[Cipher] = []
        for _ in range(knobs.ciphers):
            before = {cipher.name for cipher in ciphers[-1:]}
            digits = any(cipher.name in LAST for cipher in ciphers)
            free = [k for k in POOLS[knobs.pool] if k not in before and (k in ANY or not digits)]
            ciphers.append(keyed(rng, rng.choice(free), KEYS))
        encipher = rng.random() < 0.5
        source = text if encipher else chained(text, ciphers)
        return cls(ciphers=tuple(ciphers), text=source, encipher=encipher)

    def is_valid(self) -> bool:
        result = self.result()
        if result in ("number", "wrong"):  # words of the reasons
            return False
        return result != self.text and len(result) >= 4

    def result(self) -> str:
        """The text after enciphering or deciphering."""
        return chained(self.text, self.ciphers, back=not self.encipher)

    def prompt(self) -> str:
        verb, result = ("Encipher", "ciphertext") if self.encipher else ("Decipher", "plaintext")
        ask = self.phrase(f"{verb} this text:", f"{verb} the following text, written in one word:")
        listing = "\n\n".join(
            f"{n}. {rules(cipher)}" if len(self.ciphers) > 1 else rules(cipher)
            for n, cipher in enumerate(self.ciphers, 1)
        )
        how = (
            "A text is enciphered in this way:"
            if len(self.ciphers) == 1
            else "To encipher a text, these are applied one after another, each to the result of "
            "the one before:"
        )
        return (
            f"{ask} {self.text}\n\n{how}\n\n{listing}\n\nAnswer with the "
            f"{result} alone, in lowercase letters (and digits, if there are any) without spaces, "
            "such as 'sevengeese'."
        )

    def answer(self) -> str:
        return self.result()

    def verify(self, answer: str) -> Score:
        row = letters(answer, SIGNS, "a row of letters and digits")
        return compared(row, self.result(), "character")

    def difficulty(self) -> float:
        work = {"atbash": 1.0, "rail": 1.5, "affine": 2.0, "columns": 2.0, "polybius": 3.0}
        text, total = len(min(self.text, self.result(), key=len)), 0.0
        for cipher in self.ciphers:
            total += text * work.get(cipher.name, 4.0)
        return total
