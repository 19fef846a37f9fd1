"""Texts built from paragraphs of sentences of words, so that every count is known beforehand."""
# ruff: noqa: E501  (rows of tables are not broken)

import random
import string
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from benchmarks.error_rates.cases import Case

from palaestra.verifiers.instructions import Instruction, Instructions

PLAIN = [
    "the",
    "quiet",
    "river",
    "moved",
    "slowly",
    "past",
    "old",
    "stone",
    "walls",
    "while",
    "birds",
    "sang",
    "over",
    "green",
    "fields",
    "and",
    "children",
    "ran",
    "along",
    "narrow",
    "paths",
    "under",
    "tall",
    "trees",
    "toward",
    "a",
    "small",
    "harbour",
    "where",
    "lanterns",
    "glowed",
    "softly",
    "as",
    "evening",
    "fell",
    "upon",
    "boats",
    "resting",
    "near",
    "wooden",
    "docks",
]
ODD = [
    "don't",
    "mother-in-law",
    "naïve",
    "e.g.",
    "3.5",
    "Dr.",
    "o'clock",
    "well-known",
    "Zoë",
    "1,000",
]
"""Words that careless counting splits: each is one word, and none ends a sentence."""

ENDS = (".", ".", ".", "!", "?")


class Draft(NamedTuple):
    """A text as paragraphs of sentences, each of which has words, an end and commas."""

    paragraphs: list[list[tuple[list[str], str, set[int]]]]

    @property
    def sentences(self) -> list[tuple[list[str], str, set[int]]]:
        """All sentences."""
        return [sentence for paragraph in self.paragraphs for sentence in paragraph]

    @property
    def words(self) -> list[str]:
        """All words."""
        return [word for words, _, _ in self.sentences for word in words]

    @property
    def commas(self) -> int:
        """The number of commas between words, and within numbers."""
        return sum(len(commas) for _, _, commas in self.sentences) + self.text.count("1,000")

    @property
    def text(self) -> str:
        """The draft as text."""
        return "\n\n".join(" ".join(map(_sentence, each)) for each in self.paragraphs)


def _sentence(sentence: tuple[list[str], str, set[int]]) -> str:
    words, end, commas = sentence
    return " ".join(word + "," * (n in commas) for n, word in enumerate(words)) + end


def draft(rng: random.Random) -> Draft:
    """A text of one to three paragraphs."""

    def sentence() -> tuple[list[str], str, set[int]]:
        words = rng.choices(PLAIN, k=rng.randint(3, 9))
        if rng.random() < 0.35:
            words[rng.randrange(1, len(words) - 1)] = rng.choice(ODD)
        words[0] = words[0].capitalize()
        places = [n for n, word in enumerate(words[:-1]) if not word.endswith(".")]
        commas = set(rng.sample(places, 1)) if rng.random() < 0.4 and places else set()
        return words, rng.choice(ENDS), commas

    return Draft([[sentence() for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 3))])


RELATIVE = frozenset({"growing_sentences", "distinct_sentence_starts"})
"""Instructions that say nothing about a single sentence."""


def bare(word: str) -> str:
    """A word without its case."""
    return word.lower()


def rules(rng: random.Random, text: Draft) -> list[tuple[str, dict[str, Any], bool]]:
    """Instructions near to what a text keeps, and whether it keeps them."""
    words, sentences, size = text.words, text.sentences, text.text
    near = rng.choice((-1, 0, 0, 1))
    lowered = [bare(word) for word in words]
    picked, absent = rng.choice(PLAIN), "umbrella"
    letter = rng.choice(string.ascii_lowercase)
    letters = sum(_base(char) == letter for char in size.lower())
    sign = rng.choice(".!?")
    lengths = [len(each) for each, _, _ in sentences]
    starts = [bare(each[0]) for each, _, _ in sentences]
    facts: list[tuple[str, dict[str, Any], bool]] = []

    def count(name: str, number: int, most: int = 10**6) -> None:
        n = min(max(number + near, 1), most)
        facts.append((f"{name}_at_least", {"n": n}, number >= n))
        facts.append((f"{name}_at_most", {"n": n}, number <= n))
        facts.append((f"{name}_exactly", {"n": n}, number == n))

    for name, number in (("words", len(words)), ("sentences", len(sentences)), ("characters", len(" ".join(size.split()))),
                         ("paragraphs", len(text.paragraphs))):  # fmt: skip
        count(name, number)
        low = max(number - rng.randint(0, 2) + near, 0)
        facts.append((f"{name}_between", {"low": low, "high": low + 1}, low <= number <= low + 1))
    n = max(max(lengths) + near, 1)
    facts += [
        ("sentence_words_at_most", {"n": n}, max(lengths) <= n),
        ("commas_at_most", {"n": max(text.commas + near, 0)}, text.commas <= max(text.commas + near, 0)),
        ("commas_exactly", {"n": max(text.commas + near, 0)}, near == 0 or text.commas + near < 0),
        ("no_commas", {}, text.commas == 0),
        ("no_digits", {}, not any(char.isdigit() for char in size)),
        ("question_marks_exactly", {"n": max(size.count("?") + near, 0)}, size.count("?") == max(size.count("?") + near, 0)),
        ("exclamation_marks_at_most", {"n": max(size.count("!") + near, 0)}, size.count("!") <= max(size.count("!") + near, 0)),
        ("sentences_end_with", {"sign": sign}, all(end == sign for _, end, _ in sentences)),
        ("lowercase", {}, size == size.lower()),
        ("include_words", {"words": [picked, lowered[-1]]}, picked in lowered),
        ("exclude_words", {"words": [picked, absent]}, picked not in lowered),
        ("word_at_least", {"word": picked, "n": 2}, lowered.count(picked) >= 2),
        ("word_exactly", {"word": picked, "n": 1}, lowered.count(picked) == 1),
        ("word_at_most", {"word": picked, "n": 1}, lowered.count(picked) <= 1),
        ("one_of_words", {"words": [picked, absent]}, picked in lowered),
        ("word_in_each_paragraph", {"word": picked},
         all(picked in [bare(w) for ws, _, _ in each for w in ws] for each in text.paragraphs)),
        ("first_word", {"word": rng.choice((lowered[0], picked))}, False),
        ("last_word", {"word": rng.choice((lowered[-1], picked))}, False),
        ("lipogram", {"letter": letter}, letters == 0),
        ("letter_exactly", {"letter": letter, "n": max(letters + near, 1)}, letters == max(letters + near, 1)),
        ("letter_at_most", {"letter": letter, "n": max(letters + near, 1)}, letters <= max(letters + near, 1)),
        ("distinct_words_at_least", {"n": max(len(set(lowered)) + near, 1)}, len(set(lowered)) >= max(len(set(lowered)) + near, 1)),
        ("distinct_sentence_starts", {}, len(set(starts)) == len(starts)),
        ("growing_sentences", {}, len(lengths) > 1 and all(a < b for a, b in pairwise(lengths))),
        ("starts_with", {"phrase": rng.choice((size[:6].strip(), "Once upon"))}, False),
        ("ends_with", {"phrase": rng.choice((size[-6:].strip(), "The end."))}, False),
        ("paragraph_sentences_exactly", {"n": len(text.paragraphs[0])},
         len({len(each) for each in text.paragraphs}) == 1),
        ("ascii", {}, size.isascii()),
        ("word_at_place", {"n": 3, "word": rng.choice((lowered[2], picked))}, False),
    ]  # fmt: skip
    known = {"first_word": lowered[0], "last_word": lowered[-1], "word_at_place": lowered[2]}
    return [
        (name, values, values["word"] == known[name]) if name in known
        else (name, values, size.startswith(values["phrase"])) if name == "starts_with"
        else (name, values, size.endswith(values["phrase"])) if name == "ends_with"
        else (name, values, truth)
        for name, values, truth in facts
    ]  # fmt: skip


def _base(char: str) -> str:
    return {"ï": "i", "ë": "e"}.get(char, char)


def cases(rng: random.Random) -> Iterator[Case]:
    """A text and an instruction that it keeps or breaks by little."""
    while True:
        text = draft(rng)
        for name, values, truth in rng.sample(rules(rng, text), 6):
            words = [values["word"]] if "word" in values else values.get("words", [])
            if len(text.sentences) == 1 and name in RELATIVE:
                continue
            if any(not word.isalpha() for word in words) or len(set(words)) < len(words):
                continue
            verifier = Instructions([Instruction(name, **values)])
            yield Case(name, verifier, text.text, truth)
