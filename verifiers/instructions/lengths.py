"""Kinds about length: words, characters, sentences, paragraphs, lines, and the size of each."""

from palaestra.verifiers.instructions.registry import (
    MANY,
    RANGES,
    Measure,
    counted,
    instruction_type,
)
from palaestra.verifiers.instructions.text import Text, words_of
from palaestra.verifiers.instructions.values import Count, Told

for measure in (
    Measure("words", "word", lambda text: len(text.words), 5_000),
    Measure("characters", "character", lambda text: len(text.flat), 20_000),
    Measure("sentences", "sentence", lambda text: len(text.sentences), 1_000),
    Measure("paragraphs", "paragraph", lambda text: len(text.paragraphs), 200),
    Measure("lines", "line", lambda text: len(text.lines), 1_000),
):
    counted(measure, *RANGES)


def _each(sizes: list[int], part: str, unit: str, low: int, high: int) -> str:
    """What is wrong with the size of one of the parts, or nothing; there has to be one."""
    if not sizes:
        return f"it has no {part}"
    sizes_out = ((n, size) for n, size in enumerate(sizes, 1) if not low <= size <= high)
    return next((f"{part} {n} has {Told(size):{unit}}" for n, size in sizes_out), "")


@instruction_type(
    "Every sentence has at most {n:word}.",
    "No sentence is longer than {n:word}.",
    implies=lambda n: {"words": (1, MANY)},
    n=Count(1, 200),
)
def _sentence_words_at_most(text: Text, n: int) -> str:
    return _each([len(words) for words in text.spoken], "sentence", "word", 1, n)


@instruction_type(
    "Every sentence has from {low} to {high:word}.",
    "Each sentence is at least {low} and at most {high:word} long.",
    implies=lambda low, high: {"words": (low, MANY)},
    low=Count(1, 200),
    high=Count(1, 200),
)
def _sentence_words_between(text: Text, low: int, high: int) -> str:
    return _each([len(words) for words in text.spoken], "sentence", "word", low, high)


@instruction_type(
    "Every paragraph has from {low} to {high:word}.",
    "Each paragraph is at least {low} and at most {high:word} long.",
    implies=lambda low, high: {"words": (low, MANY)},
    low=Count(1, 2_000),
    high=Count(1, 2_000),
)
def _paragraph_words_between(text: Text, low: int, high: int) -> str:
    return _each([len(words_of(p)) for p in text.paragraphs], "paragraph", "word", low, high)


@instruction_type(
    "Every paragraph has exactly {n:sentence}.",
    "Each paragraph consists of {n:sentence}, no more and no fewer.",
    implies=lambda n: {"sentences": (n, MANY)},
    n=Count(1, 50),
)
def _paragraph_sentences_exactly(text: Text, n: int) -> str:
    return _each(list(map(len, text.grouped)), "paragraph", "sentence", n, n)


@instruction_type(
    "No line has more than {n:character}.",
    "Every line is at most {n:character} wide.",
    n=Count(5, 1_000),
)
def _line_characters_at_most(text: Text, n: int) -> str:
    return _each([len(line) for line in text.lines], "line", "character", 0, n)


@instruction_type(
    "Every line has exactly {n:word}.",
    "Each line consists of {n:word}, no more and no fewer.",
    implies=lambda n: {"words": (n, MANY)},
    n=Count(1, 100),
)
def _line_words_exactly(text: Text, n: int) -> str:
    return _each([len(words_of(line)) for line in text.lines], "line", "word", n, n)
