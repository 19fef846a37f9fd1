"""Requests in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from palaestra.generators.tools.nested_calls.meanings import (
    CHARGES,
    MEASURES,
    NOUNS,
    RELATIONS,
)
from palaestra.generators.tools.nested_calls.steps import Schema, Step
from palaestra.generators.vocabulary import VOWELS

FRAMES: Mapping[str, tuple[str, ...]] = {
    "named": (
        "the {noun} {text}",
        "the {noun} called {text}",
        "{text} (the {noun})",
        "the {noun} named {text}",
        "the {noun} by the name of {text}",
    ),
    "select": (
        "those of {x} whose {a} is {b}",
        "those with {an} {a} of {b} among {x}",
        "the {nouns} that have {an} {a} of {b} among {x}",
        "{x}, as far as their {a} is {b}",
        "a choice from {x}, namely those whose {a} is {b}",
    ),
    "both": (
        "the {nouns} that are among {x} as well as among {y}",
        "what {x} and {y} have in common",
        "the {nouns} that both {x} and {y} comprise",
        "those of {x} that are also among {y}",
        "the overlap of {x} and {y}",
    ),
    "without": (
        "those of {x} that are not among {y}",
        "{x} except for those that are also among {y}",
        "what is left of {x} if one leaves out {y}",
        "the {nouns} among {x} that do not occur among {y}",
        "{x}, but none that is among {y}",
    ),
    "extreme": (
        "the one of {x} with the {end} {a}",
        "whichever of {x} has the {end} {a}",
        "the {noun} with the {end} {a} among {x}",
        "the {noun} whose {a} is the {end} among {x}",
        "that {noun} which has the {end} {a} of {x}",
    ),
    "measure": (
        "the {a} of {x}",
        "the {a} that {x} has",
        "what is on record as the {a} of {x}",
        "the figure for the {a} of {x}",
        "the {a} noted for {x}",
    ),
    "total": (
        "the {a} of {x} in total",
        "the combined {a} of {x}",
        "the {a} of {x} put together",
        "what the {a} amounts to for all of {x}",
        "the overall {a} of {x}",
    ),
    "count": (
        "the number of {nouns} among {x}",
        "the number that one gets by counting {x}",
        "the size of the group that {x} form",
        "the number of entries in a list of {x}",
        "the count of {x}",
    ),
    "plus": (
        "{x} plus {y}",
        "the sum of {x} and {y}",
        "what {x} and {y} come to together",
        "{x}, with {y} on top",
        "{x} increased by {y}",
    ),
    "minus": (
        "{x} minus {y}",
        "the amount by which {x} is above {y}",
        "what remains of {x} after {y} is taken off",
        "what one gets by taking {y} from {x}",
        "{x} reduced by {y}",
    ),
    "times": (
        "{n} times {x}",
        "{x}, taken {n} times",
        "the product of {n} and {x}",
        "{x} multiplied by {n}",
        "{n} times as much as {x}",
    ),
    "parts": (
        "{x} divided by {n}",
        "one of {n} equal parts of {x}",
        "each of {n} equal shares of {x}",
        "the result of dividing {x} by {n}",
        "each share if {x} is divided evenly among {n}",
    ),
}
"""Several ways to put each operation."""

DEFINITIONS = (
    "Let {letter} be {x}.",
    "By {letter} we mean {x}.",
    "{letter} stands for {x}.",
    "Below, {letter} means {x}.",
    "We write {letter} for {x}.",
    "As {letter}, take {x}.",
)
"""Several ways to name a result."""

QUESTIONS = (
    "What is {x}{unit}?",
    "We need to know {x}{unit}.",
    "Please find out{unit} {x}.",
    "Work this out{unit}: {x}.",
    "Wanted{unit}: {x}.",
    "The result should be {x}{unit}.",
    "Determine{unit} {x}.",
)
"""Several ways to ask for the result."""

SIDES: Mapping[tuple[bool, bool], tuple[str, ...]] = {
    (True, False): ("more than {b}", "over {b}"),
    (False, False): ("less than {b}", "under {b}"),
    (True, True): ("{b} or more", "no less than {b}"),
    (False, True): ("{b} or less", "no more than {b}"),
}
"""Several ways to put a bound, by whether it is a lower one and whether it is within."""

RANKS = ("", "second ", "third ")

ARITHMETIC = frozenset({"plus", "minus", "times", "parts", "charge"})
"""Operations whose phrases would be ambiguous within one another."""


def request_in_words(schema: Schema, steps: Sequence[Step], unit: str, wording: int) -> str:
    """A request, in one of many wordings."""
    return _Speech(schema, steps, wording).request(unit)


class _Speech:
    """Puts steps into phrases.

    A result gets a letter, in a sentence before the one that uses it, where it is used twice, where
    its phrase is long, and where it would not be clear to what the words after it belong.
    """

    def __init__(self, schema: Schema, steps: Sequence[Step], wording: int) -> None:
        self.schema, self.steps, self.wording = schema, steps, wording
        self.longest = 2 + wording % 3
        self.uses = Counter(n for step in steps for n in step.sources)
        self.letters: dict[int, str] = {}
        self.sentences: list[str] = []

    def request(self, unit: str) -> str:
        """The sentences of the request."""
        frame = QUESTIONS[self.wording // 3 % len(QUESTIONS)]
        is_last = frame.rstrip("?.").endswith("{x}") or not unit
        last = len(self.steps) - 1
        phrase = self._reference(last, len(self.steps) if is_last else self._short(last))
        question = frame.format(x=phrase, unit=f" in {unit}" if unit else "")
        return " ".join([*self.sentences, question[0].upper() + question[1:]])

    def _reference(self, n: int, longest: int) -> str:
        """A phrase for a step within a longer phrase: what it is, or its letter."""
        if n not in self.letters:
            phrase = self._phrase(n)
            if self.uses[n] < 2 and self._length(n) <= longest:
                return phrase
            letter = ascii_uppercase[len(self.letters)]
            frame = DEFINITIONS[(self.wording + 5 * len(self.letters)) % len(DEFINITIONS)]
            self.sentences.append(frame.format(letter=letter, x=phrase))
            self.letters[n] = letter
        return self.letters[n]

    def _length(self, n: int) -> int:
        """How many steps a phrase has that are not behind letters."""
        sources = [each for each in self.steps[n].sources if each not in self.letters]
        return 1 + sum(map(self._length, sources))

    def _choice(self, n: int, options: Sequence[str]) -> str:
        return options[(self.wording // 2 + 7 * n) % len(options)]

    def _frame(self, n: int) -> str:
        step = self.steps[n]
        if step.operation == "related":
            return self._choice(n, RELATIONS[step.key].forward).replace("{e}", "{x}")
        if step.operation == "owned":
            return self._choice(n, RELATIONS[step.key].backward).replace("{f}", "{x}")
        if step.operation == "charge":
            frame = self._choice(n, CHARGES[step.key].requests)
            return frame.replace("{e}", "{x}").replace("{q}", "{y}")
        return self._choice(n + self.wording, FRAMES[step.operation])

    def _phrase(self, n: int) -> str:
        step, frame = self.steps[n], self._frame(n)
        sources = [
            self._reference(source, self._limit(step, source, frame.endswith(f"{{{name}}}")))
            for source, name in zip(step.sources, "xy")
        ]
        x, y = (*sources, "", "")[:2]
        noun = NOUNS[self.schema.nouns[step.record]] if step.record >= 0 else None
        measure = self._choice(n, MEASURES[step.key].requests) if step.key in MEASURES else ""
        one, several = (noun.request, noun.requests) if noun else ("", "")
        names = {"noun": one, "F": one, "nouns": several, "es": several, "text": step.text}
        return frame.format(
            x=x,
            y=y,
            a=measure,
            an="an" if measure[:1] in VOWELS else "a",
            b=self._bound(n) if step.operation == "select" else "",
            n=step.number,
            end=_end(step) if step.operation == "extreme" else "",
            **names,
        )

    def _limit(self, step: Step, source: int, is_last: bool) -> int:
        """How many steps the phrase of a source may have."""
        operation = self.steps[source].operation
        if step.operation in ARITHMETIC and operation in ARITHMETIC:
            return 0
        if self._frame(source).startswith("{x}"):
            return 0  # the words after it, such as "except for", could belong to the whole phrase
        return self.longest if is_last else self._short(source)

    def _short(self, n: int) -> int:
        """How many steps a phrase may have that other words follow."""
        step = self.steps[n]
        if step.operation == "measure" and self.steps[step.sources[0]].operation == "named":
            return 2
        return int(step.operation in {"named", "measure"})

    def _bound(self, n: int) -> str:
        step = self.steps[n]
        side = self._choice(n, SIDES[step.above, step.inclusive])
        return side.format(b=f"{step.number} {step.unit}")


def _end(step: Step) -> str:
    """The superlative of a rank."""
    return RANKS[step.number - 1] + ("highest" if step.above else "lowest")
