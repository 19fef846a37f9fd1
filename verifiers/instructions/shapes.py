"""Kinds about the shape of words and of their run: length, letters, repetition, order."""

from itertools import pairwise

from palaestra.verifiers.instructions.registry import MANY, Measure, counted, instruction_type
from palaestra.verifiers.instructions.text import Text, initial, unaccented, words_of
from palaestra.verifiers.instructions.values import Count, Letter, Letters


def _palindrome(word: str) -> bool:
    return len(word) > 2 and len(set(word)) > 1 and word.isalpha() and word == word[::-1]


counted(
    Measure("distinct_words", "different word", lambda text: len(text.counts), 2_000), "at_least"
)
counted(
    Measure(
        "palindromes",
        "palindrome",
        lambda text: sum(map(_palindrome, text.counts)),
        50,
        "A palindrome is a word of three letters or more, not all the same, that reads the same "
        "backwards; each counts once.",
    ),
    "at_least",
)


@instruction_type(
    "At least {percent} percent of the words are different ones.",
    "The number of different words is at least {percent} percent of the number of words.",
    percent=Count(1, 100),
)
def _unique_words_share(text: Text, percent: int) -> str:
    if not text.words:
        return "it has no words"
    share = 100 * len(text.counts) // len(text.words)
    return (
        "" if 100 * len(text.counts) >= percent * len(text.words) else f"only {share} percent are"
    )


@instruction_type(
    "No word of {n} or more letters occurs twice.",
    "Use each word that has at least {n:letter} only once.",
    n=Count(1, 12),
)
def _no_repeated_word(text: Text, n: int) -> str:
    twice = (word for word, times in text.counts.items() if times > 1 and len(word) >= n)
    return next((f"the word '{word}' occurs twice" for word in twice), "")


@instruction_type(
    "No word has more than {n:letter}.",
    "Every word is at most {n:letter} long.",
    n=Count(2, 30),
)
def _longest_word(text: Text, n: int) -> str:
    return _all_fit(text, 0, n)


@instruction_type(
    "Every word has at least {n:letter}.",
    "No word is shorter than {n:letter}.",
    n=Count(2, 10),
)
def _shortest_word(text: Text, n: int) -> str:
    return _all_fit(text, n, MANY)


def _all_fit(text: Text, low: float, high: float) -> str:
    """Whether all words are of a length, in letters and digits."""
    if not text.words:
        return "it has no words"
    odd = (w[:40] for w in text.counts if not low <= sum(map(str.isalnum, w)) <= high)
    size = "short" if low else "long"
    return next((f"the word '{word}' is too {size}" for word in odd), "")


@instruction_type(
    "At least {percent} percent of the words begin with the letter '{letter}'.",
    "Alliterate: {percent} percent of all words or more begin with '{letter}'.",
    implies=lambda letter, percent: {f"letter {letter}": (1, MANY), "words": (1, MANY)},
    letter=Letter(),
    percent=Count(1, 100),
)
def _alliteration(text: Text, letter: str, percent: int) -> str:
    if not text.words:
        return "it has no words"
    number = sum(initial(word) == letter for word in text.words)
    return "" if 100 * number >= percent * len(text.words) else f"only {number} words do"


@instruction_type(
    "No word begins with the same letter as the word before it.",
    "Neighbouring words always begin with different letters.",
    implies=lambda: {"words": (2, MANY)},
)
def _no_adjacent_initials(text: Text) -> str:
    if len(text.words) < 2:
        return "it has fewer than two words"
    starts = [initial(word) for word in text.words]
    position = next((n for n, (a, b) in enumerate(pairwise(starts), 1) if a == b), 0)
    return f"words {position} and {position + 1} begin alike" if position else ""


@instruction_type(
    "Within every sentence the words are in alphabetical order.",
    "Sort the words of each sentence alphabetically.",
    implies=lambda: {"words": (2, MANY)},
)
def _alphabetical_words(text: Text) -> str:
    rows = [list(map(unaccented, words)) for words in text.spoken]
    if not any(len(row) > 1 for row in rows):
        return "no sentence has two words"
    odd = next((n for n, row in enumerate(rows, 1) if row != sorted(row)), 0)
    return f"the words of sentence {odd} are out of order" if odd else ""


@instruction_type(
    "Write {n:sentence} that begin with the letters a, b, c and so on.",
    "The first letters of the {n:sentence} run through the alphabet, from a on.",
    implies=lambda n: {"sentences": (n, n)},
    n=Count(2, 26),
)
def _alphabetical_sentences(text: Text, n: int) -> str:
    return _acrostic(text.spoken, "abcdefghijklmnopqrstuvwxyz"[:n], "sentences")


@instruction_type(
    "The first letters of the sentences, in order, spell '{letters}'.",
    "Write a sentence for each letter of '{letters}' that begins with it.",
    implies=lambda letters: {"sentences": (len(letters), len(letters))},
    letters=Letters(2, 60),
)
def _sentence_acrostic(text: Text, letters: str) -> str:
    return _acrostic(text.spoken, letters, "sentences")


@instruction_type(
    "The first letters of the lines, in order, spell '{letters}'.",
    "Write a line for each letter of '{letters}' that begins with it.",
    implies=lambda letters: {"lines": (len(letters), len(letters))},
    letters=Letters(2, 60),
)
def _line_acrostic(text: Text, letters: str) -> str:
    return _acrostic(list(map(words_of, text.lines[:100])), letters, "lines")


def _acrostic(rows: list[list[str]], letters: str, what: str) -> str:
    spelt_out = "".join(initial(row[0]) if row else "-" for row in rows[:100])
    return "" if spelt_out == letters else f"the {what} spell '{spelt_out[:60]}'"
