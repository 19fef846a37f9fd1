"""Caesar's cipher (Suetonius, c. 121) and Bellaso's (1553), known as the Vigenère cipher."""

from functools import lru_cache
from itertools import islice
from random import Random
from typing import Self

from palaestra.generators.ciphers.shifts import GAP, LETTERS, key_between, readings, shifted
from palaestra.generators.phrases import phrase
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.words import word_list

Words = tuple[str, ...]


class CaesarAndVigenere(Puzzle):
    """Encrypt, decrypt and break ciphers that shift letters by a number or along a key."""

    version = 3
    tags = {"cipher", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        words: int = ladder(1, 3, 4, 4, 6, 6, 6, 7, high=20)
        key: int = ladder(1, 1, 3, 1, 5, 5, 6, 7, high=12)  # letters of the key; 1 is Caesar's
        unknown: int = ladder(0, 0, 0, 1, 0, 3, 6, 7, high=12)  # how many of them are hidden
        listed: int = ladder(8, 8, 8, 12, 8, 20, 30, 50, low=2, high=80)

    text: str
    """The text to encrypt or decrypt."""

    encrypt: bool
    key: str
    """The key, with a question mark for each letter that is not known."""

    listed: Words
    """The words of the plaintext and others, if letters of the key are not known."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        unknown = min(knobs.unknown, knobs.key)
        # If a text is much shorter than its unknown key, many plaintexts are possible.
        length = max(knobs.words, 2 + unknown // 2 if unknown else 1)
        words = phrase(rng, max(length, knobs.listed if unknown else 0))
        text = " ".join(words[:length])
        key = "".join(rng.choice(LETTERS[1:]) for _ in range(knobs.key))
        if not unknown:
            encrypt = rng.random() < 0.5
            source = text if encrypt else shifted(text, key)
            return cls(text=source, encrypt=encrypt, key=key, listed=())
        gaps = set(rng.sample(range(knobs.key), unknown))
        masked = "".join(GAP if n in gaps else letter for n, letter in enumerate(key))
        return cls(text=shifted(text, key), encrypt=False, key=masked, listed=tuple(sorted(words)))

    def is_valid(self) -> bool:
        if GAP not in self.key:
            return len(self.key) == 1 or len(set(self.key)) > 1
        plaintexts = islice(readings(self.text.split(), self.key, self.listed), 2)
        return len(list(plaintexts)) == 1

    def canonical(self) -> str:
        return f"{self.encrypt} {self.key} {self.text} {' '.join(self.listed)}"

    def prompt(self) -> str:
        verb, source = ("Encrypt", "plaintext") if self.encrypt else ("Decrypt", "ciphertext")
        ask = self.phrase(
            f"{verb} this text:\n\n{self.text}",
            f"{verb} the following {source}:\n\n{self.text}",
        )
        result = "ciphertext" if self.encrypt else "plaintext"
        return (
            f"{ask}\n\n{self.rules()}\n\nGive the {result} alone, in lowercase with its words "
            "separated by spaces, such as 'seven wild geese'."
        )

    def rules(self) -> str:
        """The rules of the cipher, and what is known about the key."""
        if len(self.key) == 1:
            shift = "not known" if self.key == GAP else LETTERS.index(self.key)
            rules = (
                "The cipher is Caesar's: to encrypt, each letter is moved forward through the "
                "alphabet a to z by the same number of places, and after z comes a again; spaces "
                f"do not change. The number of places is {shift}."
            )
        else:
            rules = (
                "The cipher is Vigenère's: to encrypt, each letter is moved forward through the "
                "alphabet a to z, and after z comes a again, by the value of its key letter: a is "
                "0, b is 1, and so on to z, which is 25. The key letters apply to the letters of "
                "the text in turn, over and over; spaces do not change and use no key letter. "
                f"The key has {len(self.key)} letters"
            )
            rules += f": {self.key}." if GAP not in self.key else self.gaps()
        if GAP in self.key:
            rules += (
                "\n\nEvery word of the plaintext is one of these, and only one plaintext is "
                f"possible:\n{', '.join(self.listed)}"
            )
        return rules

    def gaps(self) -> str:
        """What is known about a key with unknown letters."""
        if set(self.key) == {GAP}:
            return ", none of which is known."
        return f"; a question mark stands for a letter that is not known: {self.key}"

    def answer(self) -> str:
        if GAP in self.key:
            return broken(self.text, self.key, self.listed)
        return shifted(self.text, self.key, 1 if self.encrypt else -1)

    def verify(self, answer: str) -> Score:
        source = self.text.split()
        text = word_list(answer, len(source), "the text in words")
        if [*map(len, text)] != [*map(len, source)]:
            return Score(0, "the number of words or their lengths differ from those of the text")
        if not all(letter in LETTERS for word in text for letter in word):
            return Score(0, "the answer has characters other than the letters a to z")
        if GAP in self.key and not set(text) <= set(self.listed):
            return Score(0, "the answer has words that are not in the list")
        plaintext, ciphertext = (source, text) if self.encrypt else (text, source)
        if not self.fits(key_between("".join(plaintext), "".join(ciphertext))):
            return Score(0, "no key that fits the description turns one text into the other")
        return Score(1)

    def fits(self, shifts: str) -> bool:
        """Whether key letters, one for each letter of the text, repeat a key that may be right."""
        key = [*self.key]
        for n, letter in enumerate(shifts):
            if key[n % len(key)] not in (GAP, letter):
                return False
            key[n % len(key)] = letter
        return True

    def difficulty(self) -> float:
        """The number of letters to shift, and of words to try if the key is not known."""
        tried: list[None] = []
        if GAP in self.key:
            for _ in readings(self.text.split(), self.key, self.listed, lambda: tried.append(None)):
                pass
        return len(self.text) * (1 + (len(self.key) > 1)) + 2 * len(tried)


@lru_cache(maxsize=256)
def broken(ciphertext: str, key: str, listed: Words) -> str:
    """The plaintext of listed words that some completion of the key gives."""
    return " ".join(next(readings(ciphertext.split(), key, listed)))
