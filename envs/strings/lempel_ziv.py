"""The codes of Abraham Lempel and Jacob Ziv: copies (1977) and numbered phrases (1978)."""

from random import Random
from typing import Literal, Self

from palaestra.generators.strings.phrase_codes import copied, copies, entries, phrased, repetitive
from palaestra.generators.strings.renaming import renaming
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.nodes import links
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

LETTERS = "abcde"


class LempelZiv(Puzzle):
    """Decode or encode a text with copies of earlier letters or with numbered phrases."""

    tags = {"strings", "coding", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        way: Literal["from copies", "from phrases", "to phrases"] = ladder(
            "from copies", "from phrases", "from copies", "to phrases", "to phrases", "to phrases"
        )
        length: int = ladder(10, 16, 26, 30, 48, 80, low=8, high=120)
        letters: int = ladder(2, 2, 3, 2, 3, 3, high=5)

    way: str
    text: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = rng.sample(LETTERS, knobs.letters)
        return cls(way=knobs.way, text=repetitive(rng, knobs.length, "".join(alphabet)))

    def is_valid(self) -> bool:
        # The prompt does not explain a last phrase without a letter.
        return len(set(self.text)) > 1 and (self.way == "from copies" or bool(self.code()[-1][-1]))

    def code(self) -> list[tuple[int, str]] | list[tuple[int, int, str]]:
        """The code of the text."""
        return copies(self.text) if self.way == "from copies" else entries(self.text)

    def canonical(self) -> str:
        return f"{self.way} {self.text.translate(renaming(self.text))}"

    def prompt(self) -> str:
        task = self.phrase("Here is a code for texts.", "Texts can be shortened by this code.")
        if self.way == "from copies":
            rules = (
                "It is a list of items of two numbers and a letter, which build the text from left "
                "to right. In an item such as '3-2-x', the first number is how many letters to go "
                "back from the end of the text so far, and the second how many letters to copy "
                "from there to the end of the text, one by one (this may include letters that were "
                "just copied); then the letter is appended. '0-0-x' copies nothing."
            )
        else:
            rules = (
                "The text is cut, from left to right, into phrases, which are numbered 1, 2, 3, "
                "... Each phrase is the longest earlier phrase with which the rest of the text "
                "begins, and one more letter. It is written as the number of that earlier phrase "
                "and the letter, such as '3-x', or '0-x' for a phrase of one letter that "
                "continues no earlier one."
            )
        if self.way == "to phrases":
            return (
                f"{task} {rules}\n\nWrite this text in the code:\n\n{self.text}\n\nAnswer with the "
                "items on one line, separated by spaces, such as '0-a 0-b 2-c'."
            )
        return (
            f"{task} {rules}\n\nWhich text does this stand for?\n\n{_written(self.code())}\n\n"
            "Answer with the text, such as 'abbabc'."
        )

    def answer(self) -> str:
        if self.way == "to phrases":
            return _written(entries(self.text))
        if self.way == "from copies":
            return copied(copies(self.text))
        return phrased(entries(self.text))

    def verify(self, answer: str) -> Score:
        if self.way != "to phrases":
            return compared(letters(answer, LETTERS), self.text, "letter")
        right = entries(self.text)
        names = [*map(str, range(len(self.text))), *LETTERS]
        code = links(answer, names, "items such as '0-a 0-b 2-c'")
        return compared(code, [(str(number), letter) for number, letter in right], "item")

    def difficulty(self) -> float:
        code = self.code()
        return float(len(code) * len(self.text) if self.way == "to phrases" else len(self.text))


def _written(code: list[tuple[int, str]] | list[tuple[int, int, str]]) -> str:
    return " ".join("-".join(map(str, item)) for item in code)
