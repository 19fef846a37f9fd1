"""Steganography in text: acrostics, Bacon's biliteral cipher (1605), invisible characters."""

from random import Random
from typing import Literal, Self

from palaestra.generators.ciphers.hidden_message import HIDERS, Method, read
from palaestra.generators.ciphers.shifts import LETTERS
from palaestra.generators.vocabulary import word
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

METHODS: dict[str, tuple[Method, ...]] = {
    "ends": ("first", "last"),
    "letters": ("first", "last", "counting"),
    "bits": ("case", "spaces", "counting"),
    "all": ("case", "spaces", "selectors", "invisible"),
}

BITS = (
    "Every five of these in a row stand for a letter: they are the digits of a binary number, the "
    "leftmost worth 16, from 0 for a to 25 for z. Ignore digits left over at the end."
)

RULES: dict[Method, str] = {
    "first": "The first letter of every {step} word counts, beginning with word {start}.",
    "last": "The last letter of every {step} word counts, beginning with word {start}.",
    "counting": "These letters count: of word {start}, letter number 1; of the next word, letter "
    "number 2; then 3, then 4, then 1 again, and so on with each further word. In a word that is "
    "too short for its number, take the last letter.",
    "case": "Each letter of the text is one binary digit, 0 for lowercase and 1 for a "
    "capital; spaces do not count. " + BITS,
    "spaces": "Each gap between two words is one binary digit: 0 for a single space, 1 for two "
    "spaces. The end of the text is not a gap. " + BITS,
    "selectors": "After each word there is one of the invisible variation selectors U+FE00 to "
    "U+FE0F, which stand for 0 to 15. Every two of them in a row stand for a letter: 16 times the "
    "first plus the second is 97 for a, 98 for b, and so on to 122 for z.",
    "invisible": "After each word there are five invisible characters, each one binary digit: "
    "U+200B is 0 and U+200C is 1. " + BITS,
}

ORDINALS = {1: "single", 2: "second", 3: "third", 4: "fourth"}


class HiddenMessage(Puzzle):
    """Read a message that is hidden in a text by a stated rule."""

    tags = {"cipher", "steganography", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(4, 5, 6, 6, 8, 10, 14, low=4, high=20)
        methods: Literal["ends", "letters", "bits", "all"] = ladder(
            "ends", "letters", "letters", "bits", "bits", "all"
        )
        twists: int = ladder(0, 0, 1, 0, 1, 1, 2, high=2)  # changes to the letters

    method: Method
    text: str
    step: int
    start: int
    turned: bool
    shift: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        message = word(rng, knobs.letters)
        turned = knobs.twists > 1 or (knobs.twists == 1 and rng.random() < 0.5)
        shift = rng.randint(1, 25) if knobs.twists - turned > 0 else 0
        hidden = "".join(LETTERS[(LETTERS.index(letter) + shift) % 26] for letter in message)
        hidden = hidden[::-1] if turned else hidden
        method = rng.choice(METHODS[knobs.methods])
        step, start = rng.randint(1, 3), rng.randint(1, 3)
        text = HIDERS[method](rng, hidden, step, start)
        return cls(method=method, text=text, step=step, start=start, turned=turned, shift=shift)

    def is_valid(self) -> bool:
        return self.message() not in "".join(self.text.lower().split())

    def message(self) -> str:
        """The hidden message."""
        text = read(self.method, self.text, self.step, self.start)
        text = text[::-1] if self.turned else text
        return "".join(LETTERS[(LETTERS.index(sign) - self.shift) % 26] for sign in text)

    def prompt(self) -> str:
        ask = self.phrase(
            "A message is hidden in the text below. Find it.",
            "The text below means nothing by itself, but another text is hidden in it. What is the "
            "hidden text?",
        )
        rule = RULES[self.method].format(step=ORDINALS[self.step], start=self.start)
        if self.turned:
            rule += " Read the resulting letters backwards, from last to first."
        if self.shift:
            after = " After that, each" if self.turned else " Each"
            places = "place" if self.shift == 1 else "places"
            rule += (
                f"{after} letter must be moved {self.shift} {places} back in the alphabet, where z "
                "comes before a."
            )
        return (
            f"{ask}\n\n{rule}\n\nThe text is between the two lines of equals signs:\n=====\n"
            f"{self.text}\n=====\n\nThe message is an invented word. Answer with it alone, in "
            "lowercase letters without spaces, such as 'zoban'."
        )

    def answer(self) -> str:
        return self.message()

    def verify(self, answer: str) -> Score:
        return compared(letters(answer, LETTERS), self.message(), "letter")

    def difficulty(self) -> float:
        steps = {"first": 1, "last": 1, "counting": 2, "case": 6, "spaces": 6}
        each = steps.get(self.method, 7) + bool(self.shift)
        return float(each * len(self.message()) + 3 * self.turned)
