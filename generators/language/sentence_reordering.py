"""Invented languages in which endings and a few rules determine the order of words."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import CONSONANTS, words

CLASSES = ("demonstrative", "number word", "size word", "colour word", "material word", "noun")
PHRASES = {"a": "subject", "o": "object", "e": "recipient", "i": "place", "u": "time"}

TWISTS = {
    "question": "If the word '{0}' is in the sentence, it comes first, and the phrases come in "
    "the reverse order.",
    "negation": "If the word '{1}' is in the sentence, it comes right after the verb.",
    "past": "If the word '{2}' is in the sentence, it comes last, and the verb comes before all "
    "phrases.",
    "long": "A phrase of {long} words or more has its words in the reverse order.",
    "pair": "If the object has fewer words than the subject, the two phrases are exchanged.",
}
"""Rules that apply to some sentences only, in the order of application."""

ONE_PHRASE = "Words with the same ending form one phrase."
NO_ENDING = "has no ending and belongs to no phrase."

PARTICLES = ("question", "negation", "past")
"""The twists that a particle marks."""


class Lexeme(NamedTuple):
    """A word without its ending, and its class."""

    stem: str
    word_class: int


class Language(NamedTuple):
    """A lexicon, and the rules for the order of the words of a sentence."""

    lexicon: tuple[Lexeme, ...]
    endings: str
    """The ending of each phrase, in the order of the phrases."""
    classes: tuple[int, ...]
    """The order of the classes in a phrase."""
    verb: str
    verb_after: int
    """The number of phrases before the verb."""
    twists: tuple[str, ...]
    particles: tuple[str, str, str]
    long_from: int
    """The least number of words of a long phrase."""

    def word_classes(self) -> dict[str, int]:
        """The class of each stem."""
        return {lexeme.stem: lexeme.word_class for lexeme in self.lexicon}

    def listed(self) -> list[str]:
        """The lexicon, one line for each class."""
        return [
            f"{name}s: " + ", ".join(f"{w.stem}-" for w in self.lexicon if w.word_class == n)
            for n, name in enumerate(CLASSES)
        ]

    def rules(self) -> list[str]:
        """The grammar in words; later rules override earlier ones."""
        roles = ", ".join(f"-{ending} in the {PHRASES[ending]}" for ending in sorted(self.endings))
        phrases = ", ".join(PHRASES[ending] for ending in self.endings)
        classes = ", ".join(CLASSES[n] for n in self.classes)
        position, long = "before all phrases.", self.long_from
        if self.verb_after:
            position = (
                f"right after phrase number {self.verb_after}, counted in the final order of the "
                "phrases."
            )
        return [
            f"Every word of the lexicon takes an ending: {roles}. {ONE_PHRASE}",
            f"The phrases come in this order: {phrases}.",
            f"In a phrase, the order is: {classes}.",
            f"The verb '{self.verb}' {NO_ENDING} It comes {position}",
            *(TWISTS[twist].format(*self.particles, long=long) for twist in self.twists),
        ]

    def phrases(self, sentence: Iterable[str]) -> dict[str, list[str]]:
        """The phrases of words, by ending, each in the order of classes."""
        classes = self.word_classes()
        by_ending: dict[str, list[str]] = {ending: [] for ending in self.endings}
        for word in sentence:
            if word[:-1] in classes:
                by_ending[word[-1]].append(word)
        for phrase in by_ending.values():
            phrase.sort(key=lambda word: self.classes.index(classes[word[:-1]]))
        return by_ending

    def arranged(self, sentence: Sequence[str]) -> list[str]:
        """The words in order."""
        question, negation, past = (particle in sentence for particle in self.particles)
        phrases = self.phrases(sentence)
        order = list(self.endings)
        if question:
            order.reverse()
        if "pair" in self.twists and len(phrases["o"]) < len(phrases["a"]):
            order = [{"a": "o", "o": "a"}.get(ending, ending) for ending in order]
        if "long" in self.twists:
            for phrase in phrases.values():
                if len(phrase) >= self.long_from:
                    phrase.reverse()
        rows = [phrases[ending] for ending in order]
        rows.insert(0 if past else self.verb_after, [self.verb, *self.particles[1 : 1 + negation]])
        words = [word for row in rows for word in row]
        return [*self.particles[:question], *words, *self.particles[2 : 2 + past]]


def language(rng: Random, phrases: int, longest: int, twists: int) -> Language:
    """A random language with ``phrases`` phrases of up to ``longest`` words."""
    endings = ["a", "o", *rng.sample("eiu", phrases - 2)]
    rng.shuffle(endings)
    stems = _stems(rng, 3 * len(CLASSES) + 4)
    lexicon = [Lexeme(stem, n // 3) for n, stem in enumerate(stems[:-4])]
    verb, one, two, three = (stem + stem[0] + "a" + stem[-1] for stem in stems[-4:])
    chosen = rng.sample(list(TWISTS), twists)
    return Language(
        lexicon=tuple(rng.sample(lexicon, len(lexicon))),
        endings="".join(endings),
        classes=tuple(rng.sample(range(len(CLASSES)), len(CLASSES))),
        verb=verb,
        verb_after=rng.randint(0, phrases),
        twists=tuple(twist for twist in TWISTS if twist in chosen),
        particles=(one, two, three),
        long_from=rng.randint(3, max(3, longest)),
    )


def sentence(rng: Random, grammar: Language, longest: int) -> list[str]:
    """The words of a random sentence with a noun in every phrase, not yet in order."""
    noun = len(CLASSES) - 1
    words = [grammar.verb]
    for ending in grammar.endings:
        for n in (noun, *rng.sample(range(noun), rng.randint(1, longest - 1))):
            stem = rng.choice([lexeme.stem for lexeme in grammar.lexicon if lexeme.word_class == n])
            words.append(stem + ending)
    for twist, particle in zip(PARTICLES, grammar.particles):
        if twist in grammar.twists and rng.random() < 0.6:
            words.append(particle)
    return words


def _stems(rng: Random, number: int) -> list[str]:
    """Different stems that end in a consonant."""
    stems: dict[str, None] = {}
    while len(stems) < number:
        (stem,) = words(rng, 1, 3, 4)
        stems[stem if stem[-1] in CONSONANTS else stem + rng.choice(CONSONANTS)] = None
    return list(stems)
