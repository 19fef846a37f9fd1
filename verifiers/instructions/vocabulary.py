"""Kinds about words and phrases: which occur, how often, where, and in what order."""

from itertools import pairwise

from palaestra.verifiers.instructions.registry import MANY, Implied, instruction_type, outside
from palaestra.verifiers.instructions.text import Text, unaccented, words_of
from palaestra.verifiers.instructions.values import Count, Phrase, Several, Word
from palaestra.verifiers.instructions.visible import looks

WORDS = Several(1, 20, Word())
TIMES = Count(1, 200)


def spelt(word: str) -> Implied:
    """What the occurrence of a word implies: the word, its letters, and so some words."""
    letters = filter(str.isalpha, unaccented(looks(word)))
    return {
        "words": (1, MANY),
        f"word {looks(word)}": (1, MANY),
        **{f"letter {letter}": (1, MANY) for letter in letters},
    }


def _all_of(words: tuple[str, ...]) -> Implied:
    merged: dict[str, tuple[float, float] | str] = {}
    for word in words:
        merged |= spelt(word)
    return merged | {"words": (len(words), MANY)}


@instruction_type(
    "Use all of the words {words}.", "The words {words} all occur.", implies=_all_of, words=WORDS
)
def _include_words(text: Text, words: tuple[str, ...]) -> str:
    missing = [word for word in words if looks(word) not in text.counts]
    return f"the word '{missing[0]}' does not occur" if missing else ""


@instruction_type(
    "Do not use any of these words: {words}.",
    "These words never occur: {words}.",
    implies=lambda words: {f"word {looks(word)}": (0, 0) for word in words},
    words=WORDS,
)
def _exclude_words(text: Text, words: tuple[str, ...]) -> str:
    hits = [word for word in words if looks(word) in text.counts]
    return f"the word '{hits[0]}' occurs" if hits else ""


@instruction_type(
    "Use exactly one of the words {words}, as often as you like.",
    "Choose one of the words {words} and use it, but none of the others.",
    words=Several(2, 20, Word()),
)
def _one_of_words(text: Text, words: tuple[str, ...]) -> str:
    number = sum(looks(word) in text.counts for word in words)
    return "" if number == 1 else f"of the words, {number} occur"


@instruction_type(
    "Use the word '{word}' at least {n:time}.",
    "The word '{word}' occurs {n:time} or more.",
    implies=lambda word, n: {**spelt(word), f"word {looks(word)}": (n, MANY), "words": (n, MANY)},
    word=Word(),
    n=TIMES,
)
def _word_at_least(text: Text, word: str, n: int) -> str:
    return _occurs(text, word, n, MANY)


@instruction_type(
    "Use the word '{word}' at most {n:time}.",
    "The word '{word}' occurs no more than {n:time}.",
    implies=lambda word, n: {f"word {looks(word)}": (0, n)},
    word=Word(),
    n=TIMES,
)
def _word_at_most(text: Text, word: str, n: int) -> str:
    return _occurs(text, word, 0, n)


@instruction_type(
    "Use the word '{word}' exactly {n:time}.",
    "The word '{word}' occurs {n:time}, no more and no fewer.",
    implies=lambda word, n: {**spelt(word), f"word {looks(word)}": (n, n), "words": (n, MANY)},
    word=Word(),
    n=TIMES,
)
def _word_exactly(text: Text, word: str, n: int) -> str:
    return _occurs(text, word, n, n)


def _occurs(text: Text, word: str, low: float, high: float) -> str:
    amount = outside(text.counts[looks(word)], "time", low, high)
    return amount.replace("it has", f"the word '{word}' occurs")


@instruction_type(
    "Use the word '{word}' in every paragraph.",
    "No paragraph is without the word '{word}'.",
    implies=spelt,
    word=Word(),
)
def _word_in_each_paragraph(text: Text, word: str) -> str:
    if not text.paragraphs:
        return "it has no paragraph"
    without = (n for n, p in enumerate(text.paragraphs, 1) if looks(word) not in words_of(p))
    number = next(without, 0)
    return f"paragraph {number} is without the word" if number else ""


@instruction_type(
    "Use the words {words}, so that each appears for the first time after the one named before it.",
    "The words {words} all occur, and their first appearances are in this order.",
    implies=_all_of,
    words=Several(2, 20, Word()),
)
def _words_in_order(text: Text, words: tuple[str, ...]) -> str:
    if problem := _include_words(text, words):
        return problem
    places = [text.words.index(looks(word)) for word in words]
    early = next((w for w, (a, b) in zip(words[1:], pairwise(places)) if a >= b), "")
    return f"the word '{early}' appears too early" if early else ""


@instruction_type(
    "Use the phrase '{phrase}'.",
    "The phrase '{phrase}' occurs, letter by letter.",
    phrase=Phrase(200),
)
def _include_phrase(text: Text, phrase: str) -> str:
    return "" if _stands(phrase, text.flat) else "the phrase does not occur"


@instruction_type(
    "Never use the phrase '{phrase}', in capital or small letters.",
    "The phrase '{phrase}' does not occur, however it is capitalised.",
    phrase=Phrase(200),
)
def _exclude_phrase(text: Text, phrase: str) -> str:
    return "the phrase occurs" if _stands(_looking(phrase), _looking(text.flat)) else ""


def _looking(text: str) -> str:
    return " ".join(looks(run) for run in text.split(" "))


def _stands(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text, and not merely as part of longer words."""
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        inside = text[at - 1 : at].isalnum() and phrase[0].isalnum()
        if not inside and not (text[end : end + 1].isalnum() and phrase[-1].isalnum()):
            return True
        at = text.find(phrase, at + 1)
    return False


@instruction_type(
    "The first word is '{word}'.",
    "Begin with the word '{word}'.",
    implies=lambda word: {**spelt(word), "first word": looks(word)},
    word=Word(),
)
def _first_word(text: Text, word: str) -> str:
    return "" if text.words[:1] == [looks(word)] else "it begins with another word"


@instruction_type(
    "The last word is '{word}'.",
    "End with the word '{word}'.",
    implies=lambda word: {**spelt(word), "last word": looks(word)},
    word=Word(),
)
def _last_word(text: Text, word: str) -> str:
    return "" if text.words[-1:] == [looks(word)] else "it ends with another word"


def _placed(n: int, word: str) -> Implied:
    position = "first word" if n == 1 else f"word number {n}"
    return {**spelt(word), "words": (n, MANY), position: looks(word)}


@instruction_type(
    "Word number {n}, counted from 1, is '{word}'.",
    "The word '{word}' stands at place {n} among all words.",
    implies=_placed,
    n=Count(1, 2_000),
    word=Word(),
)
def _word_at_place(text: Text, n: int, word: str) -> str:
    return "" if text.words[n - 1 : n] == [looks(word)] else f"word {n} is another one"
