"""Kinds about structure: what stands where, and what is said again."""

from itertools import pairwise

from palaestra.verifiers.instructions.formats import parted
from palaestra.verifiers.instructions.registry import MANY, Implied, instruction_type
from palaestra.verifiers.instructions.text import Text, words_of
from palaestra.verifiers.instructions.values import Count, Phrase, Several, Word
from palaestra.verifiers.instructions.visible import looks
from palaestra.verifiers.instructions.vocabulary import spelt


@instruction_type(
    "First repeat this request word by word, then answer it: '{request}'",
    "Begin with the request '{request}', unchanged, and answer after it.",
    request=Phrase(2_000),
)
def _repeat_request(text: Text, request: str) -> str:
    if not text.flat.startswith(request):
        return "it does not begin with the request"
    return "" if words_of(text.flat[len(request) :]) else "nothing follows the request"


@instruction_type(
    "Give two different responses, separated by a line of six asterisks: ******",
    "Write two responses that differ, with a line that is just ****** between them.",
    implies=lambda: {"lines": (3, MANY), "words": (2, MANY)},
)
def _two_responses(text: Text) -> str:
    parts = [words_of(part) for part in parted(text, "******")]
    if len(parts) != 2 or not all(parts):
        return "it is not two responses separated by one line of six asterisks"
    return "the two responses are the same" if parts[0] == parts[1] else ""


@instruction_type(
    "Reply with exactly one of {options} and nothing else.",
    "Choose one of {options}; the whole reply is what you chose.",
    options=Several(2, 10, Phrase(100)),
)
def _choose_one(text: Text, options: tuple[str, ...]) -> str:
    option = _bare(text.flat)
    return "" if option in map(_bare, options) else "it is not one of the options"


def _bare(text: str) -> str:
    return text.strip(" .\"'*`").casefold()


@instruction_type(
    "The last sentence is the same as the first.",
    "End with the sentence that you began with.",
    implies=lambda: {"sentences": (2, MANY)},
)
def _first_last_sentence_equal(text: Text) -> str:
    if len(text.sentences) < 2:
        return "it has fewer than two sentences"
    same = text.spoken[0] == text.spoken[-1]
    return "" if same else "the last sentence is another one than the first"


@instruction_type(
    "The last word is the same as the first.",
    "End with the word that you began with.",
    implies=lambda: {"words": (2, MANY)},
)
def _first_last_word_equal(text: Text) -> str:
    if len(text.words) < 2:
        return "it has fewer than two words"
    return "" if text.words[0] == text.words[-1] else "the last word is another one than the first"


def _starting(n: int, word: str) -> Implied:
    starts = (
        {"first word": looks(word)} if n == 1 else {f"first word of paragraph {n}": looks(word)}
    )
    return {**spelt(word), **starts, "paragraphs": (n, MANY)}


@instruction_type(
    "Paragraph {n}, counted from 1, begins with the word '{word}'.",
    "The first word of paragraph number {n} is '{word}'.",
    implies=_starting,
    n=Count(1, 100),
    word=Word(),
)
def _paragraph_starts(text: Text, n: int, word: str) -> str:
    if len(text.paragraphs) < n:
        return f"it has no paragraph {n}"
    starts = words_of(text.paragraphs[n - 1])[0]
    return "" if starts == looks(word) else f"paragraph {n} begins with another word"


@instruction_type(
    "No two sentences begin with the same word.",
    "Begin every sentence with a word that begins no other one.",
    implies=lambda: {"sentences": (2, MANY)},
)
def _distinct_sentence_starts(text: Text) -> str:
    starts = [words[0] for words in text.spoken]
    if len(starts) < 2:
        return "it has fewer than two sentences"
    return "" if len(set(starts)) == len(starts) else "two sentences begin with the same word"


@instruction_type(
    "Every sentence but the first has more words than the one before it.",
    "The sentences get longer and longer, counted in words.",
    implies=lambda: {"sentences": (2, MANY)},
)
def _growing_sentences(text: Text) -> str:
    sizes = [len(words) for words in text.spoken]
    if len(sizes) < 2:
        return "it has fewer than two sentences"
    odd = next((n for n, (a, b) in enumerate(pairwise(sizes), 2) if a >= b), 0)
    return f"sentence {odd} is not longer than the one before it" if odd else ""


@instruction_type(
    "Every sentence but the first begins with the last word of the one before it.",
    "Chain the sentences: each takes up the last word of the one before as its first word.",
    implies=lambda: {"sentences": (2, MANY)},
)
def _chained_sentences(text: Text) -> str:
    if len(text.spoken) < 2:
        return "it has fewer than two sentences"
    odd = next((n for n, (a, b) in enumerate(pairwise(text.spoken), 2) if a[-1] != b[0]), 0)
    return f"sentence {odd} begins with another word" if odd else ""
