"""Word problems as in school books; K. Cobbe et al. collected such problems as GSM8K (2021)."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.people import NAMES
from palaestra.generators.quantities import OPERATIONS, THINGS, Quantity, as_text, extended, values
from palaestra.task import Derivation, Puzzle, Score, Sentence, Step, ladder
from palaestra.verifiers.reading.numbers import integer

KINDS = {
    "sums": "more fewer sum times",
    "parts": "more fewer sum times part difference packs",
    "all": "more fewer sum times part share gave percent packs difference average",
}


class WordProblem(Puzzle):
    """Compute a number from a story in which quantities depend on one another."""

    version = 2
    tags = {"calculation", "word-problem", "unique-solution"}
    calculation = True
    independent_sentences = True

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(2, 3, 4, 5, 7, 10, 14, low=1, high=16)
        distractors: int = ladder(0, 0, 1, 2, 3, 4, 6, high=6)
        kinds: Literal["sums", "parts", "all"] = ladder("sums", "sums", "parts", "all")
        shuffled: bool = ladder(False, False, False, False, True)

    story: tuple[Quantity, ...]
    target: int
    """The index of the quantity to give."""
    owners: tuple[tuple[str, str], ...]
    order: tuple[int, ...]
    """The order of the sentences."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        kinds = KINDS[knobs.kinds].split()
        start = "given" if knobs.kinds == "sums" else rng.choice(("given", "boxes", "hours"))
        story = [_stated(rng, start), _stated(rng, "given")]
        target = 0
        for _ in range(knobs.steps):
            if extended(rng, story, kinds, target, 5000):
                target = len(story) - 1
        for _ in range(knobs.distractors):
            extended(rng, story, kinds, rng.randrange(len(story)), 5000)
        pairs = [(name, thing) for name in NAMES for thing in THINGS]
        order = list(range(len(story)))
        if knobs.shuffled:
            rng.shuffle(order)
        return cls(
            story=tuple(story),
            target=target,
            owners=tuple(rng.sample(pairs, len(story))),
            order=tuple(order),
        )

    def is_valid(self) -> bool:
        """Whether the answer is neither a number of the story nor the sum of all of them."""
        stated = [number for quantity in self.story for number in quantity.numbers]
        return values(self.story)[self.target] not in {*stated, sum(stated), 0, 1, 2, 3, 4, 5}

    def canonical(self) -> str:
        return repr((sorted(self.needed()), self.story))

    def needed(self) -> set[int]:
        """The quantities that the answer depends on, including its own."""
        required = {self.target}
        for number in range(self.target, -1, -1):
            if number in required:
                required.update(self.story[number].sources)
        return required

    def sentences(self) -> Sequence[Sentence]:
        return [self._statement(self.story[n], n) for n in self.order]

    def _statement(self, quantity: Quantity, n: int) -> Sentence:
        owners = [self.owners[source] for source in quantity.sources]
        text = as_text(quantity, self.owners[n], owners, self.wording + n)
        return Sentence(text, {name for name, _ in (self.owners[n], *owners)})

    def prompt(self) -> str:
        sentences = (statement.text for statement in self.sentences())
        name, thing = self.owners[self.target]
        ask = self.phrase(
            f"How many {thing} does {name} have?",
            f"What is the number of {name}'s {thing}?",
            f"Find out how many {thing} {name} has.",
        )
        return (
            f"{' '.join(sentences)}\n\n{ask} All statements hold at the same time, now. "
            "Write the number alone, such as '57'."
        )

    def answer(self) -> str:
        return str(values(self.story)[self.target])

    def verify(self, answer: str) -> Score:
        if integer(answer, units=[self.owners[self.target][1]]) == values(self.story)[self.target]:
            return Score(1)
        return Score(0, "the number is wrong")

    def derivation(self) -> Derivation:
        """The quantities that the answer depends on."""
        amounts: dict[int, Any] = {}
        for number in sorted(self.needed()):
            operation, sources, numbers = self.story[number]
            amount = OPERATIONS[operation].value([amounts[s] for s in sources], numbers)
            name, thing = self.owners[number]
            value = int(amount) if amount.denominator == 1 else amount
            amounts[number] = yield Step(f"{name}'s {thing}", value)

    def difficulty(self) -> float:
        return len(self.needed()) + len(self.story) / 2

    def shortcuts(self) -> Iterable[str]:
        """The sum and the largest of the numbers in the story."""
        stated = [number for quantity in self.story for number in quantity.numbers]
        yield str(sum(stated))
        yield str(max(stated))


def _stated(rng: Random, operation: str) -> Quantity:
    low, high = (3, 60) if operation == "given" else (2, 12)
    numbers = (rng.randint(low, high), rng.randint(3, high))
    return Quantity(operation, (), numbers[: 1 if operation == "given" else 2])
