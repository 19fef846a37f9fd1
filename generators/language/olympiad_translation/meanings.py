"""Meanings of short sentences, and how they are put in English."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

NOUNS = (
    "farmer", "sailor", "king", "doctor", "hunter", "dog", "bird", "horse", "goat", "bear", "girl",
    "boy", "cook", "singer", "snake", "duck",
)  # fmt: skip
ADJECTIVES = ("old", "small", "tired", "brave", "happy", "hungry", "tall", "quiet")
TRANSITIVE = (
    ("see", "sees", "saw"), ("help", "helps", "helped"), ("follow", "follows", "followed"),
    ("find", "finds", "found"), ("hear", "hears", "heard"), ("lift", "lifts", "lifted"),
    ("call", "calls", "called"), ("bite", "bites", "bit"),
)  # fmt: skip
INTRANSITIVE = (
    ("sleep", "sleeps", "slept"), ("fall", "falls", "fell"), ("run", "runs", "ran"),
    ("laugh", "laughs", "laughed"), ("wait", "waits", "waited"),
)  # fmt: skip
VERBS = (*TRANSITIVE, *INTRANSITIVE)
"""The plural, singular and past form of each verb."""

ARTICLE = "the"


class Phrase(NamedTuple):
    """A noun with its number, and perhaps an adjective, by their indices; -1 is no adjective."""

    noun: int
    number: int
    adjective: int


class Meaning(NamedTuple):
    """A sentence: what is the case, in the present (0) or in the past (1)."""

    verb: int
    tense: int
    subject: Phrase
    object: Phrase | None

    @property
    def phrases(self) -> list[Phrase]:
        """The subject, and the object if there is one."""
        return [self.subject] if self.object is None else [self.subject, self.object]


class Lexicon(NamedTuple):
    """The English words of a task, by their indices in the lists above."""

    nouns: tuple[int, ...]
    adjectives: tuple[int, ...]
    transitive: tuple[int, ...]
    intransitive: tuple[int, ...]

    @property
    def verbs(self) -> tuple[int, ...]:
        """All verbs."""
        return (*self.transitive, *self.intransitive)


def random_lexicon(
    rng: Random, nouns: int, adjectives: int, transitive: int, intransitive: int
) -> Lexicon:
    """So many words of each class."""
    first = len(TRANSITIVE)
    return Lexicon(
        tuple(rng.sample(range(len(NOUNS)), nouns)),
        tuple(rng.sample(range(len(ADJECTIVES)), adjectives)),
        tuple(rng.sample(range(first), transitive)),
        tuple(rng.sample(range(first, len(VERBS)), intransitive)),
    )


def in_english(meaning: Meaning) -> str:
    """A meaning as a sentence without a full stop.

    >>> in_english(Meaning(0, 1, Phrase(5, 1, 0), Phrase(2, 0, -1)))
    'the old dogs saw the king'
    """
    forms = VERBS[meaning.verb]
    verb = forms[2] if meaning.tense else forms[0 if meaning.subject.number else 1]
    parts = [_phrase(meaning.subject), verb]
    if meaning.object is not None:
        parts.append(_phrase(meaning.object))
    return " ".join(parts)


def _phrase(phrase: Phrase) -> str:
    noun = NOUNS[phrase.noun] + "s" * phrase.number
    adjective = [ADJECTIVES[phrase.adjective]] if phrase.adjective >= 0 else []
    return " ".join([ARTICLE, *adjective, noun])


def read_english(text: str) -> Meaning | None:
    """The meaning of a sentence in the form of :func:`in_english`; None for any other text.

    >>> read_english("The old dogs saw the king.").object
    Phrase(noun=2, number=0, adjective=-1)
    """
    words = text.casefold().strip(" .").split()
    at = next((n for n, word in enumerate(words) if any(word in v for v in VERBS)), None)
    if at is None:
        return None
    subject = _read_phrase(words[:at])
    object_ = _read_phrase(words[at + 1 :]) if words[at + 1 :] else None
    verb = next(n for n, forms in enumerate(VERBS) if words[at] in forms)
    if subject is None:
        return None
    meaning = Meaning(verb, int(words[at] == VERBS[verb][2]), subject, object_)
    return meaning if in_english(meaning) == " ".join(words) else None


def _read_phrase(words: Sequence[str]) -> Phrase | None:
    if len(words) not in (2, 3) or words[0] != ARTICLE:
        return None
    noun, number = words[-1], 0
    if noun not in NOUNS:
        noun, number = noun.removesuffix("s"), 1
    if noun not in NOUNS or (len(words) == 3 and words[1] not in ADJECTIVES):
        return None
    adjective = ADJECTIVES.index(words[1]) if len(words) == 3 else -1
    return Phrase(NOUNS.index(noun), number, adjective)
