"""Random languages, and sentences in them that determine all of their forms."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.language.olympiad_translation.grammars import (
    ALIGNMENTS,
    GEOMETRIES,
    ORDERS,
    SHORTEST_STEM,
    VOWELS,
    Cell,
    Features,
    Grammar,
    Paradigm,
    Syntax,
    cells,
    syntaxes,
    translated,
    word,
)
from palaestra.generators.language.olympiad_translation.meanings import Lexicon, Meaning, Phrase
from palaestra.generators.language.olympiad_translation.solver import (
    Counter,
    Pair,
    agreed,
    fits,
    numbers_of_values,
    words_of,
)
from palaestra.generators.vocabulary import CONSONANTS

MOST_PAIRS = 16


def all_cells(features: Features, lexicon: Lexicon) -> list[Cell]:
    """Every form of every word; adjectives with the markers that they may have."""
    of_nouns, of_verbs = numbers_of_values(features)
    names = [f"n{n}" for n in lexicon.nouns] + [f"a{n}" for n in lexicon.adjectives]
    verbs = [f"v{n}" for n in lexicon.verbs]
    return [
        (lexeme, f, g)
        for lexemes, (first, second) in ((names, of_nouns), (verbs, of_verbs))
        for lexeme, f, g in product(lexemes, range(first), range(second))
    ]


def random_grammar(rng: Random, features: Features, lexicon: Lexicon) -> Grammar:
    """A grammar of the class, with stems for the words of the lexicon."""
    alignments = ALIGNMENTS[features.cases]
    syntax = Syntax(
        rng.choice([order for order in ORDERS if order != "SVO"]),
        not features.adjectives or rng.random() < 0.3,
        rng.choice(alignments[len(alignments) // 2 :]),
        features.adjectives and rng.random() < 0.6,
        features.agreement and rng.random() < 0.4,
    )
    of_nouns, of_verbs = numbers_of_values(features)
    stems = dict[str, None]()
    names = [f"n{n}" for n in lexicon.nouns] + [f"a{n}" for n in lexicon.adjectives]
    names += [f"v{n}" for n in lexicon.verbs]
    while len(stems) < len(names):
        stems[_stem(rng, features.elision)] = None
    table = dict(zip(names, stems))
    nouns = {name: stem for name, stem in table.items() if name[0] != "v"}
    verbs = {name: stem for name, stem in table.items() if name[0] == "v"}
    return Grammar(syntax, _paradigm(rng, of_nouns, nouns), _paradigm(rng, of_verbs, verbs))


def _stem(rng: Random, elision: bool) -> str:
    size = rng.choice((SHORTEST_STEM, 4, 4, 5))
    first = rng.random() < 0.7
    letters = [rng.choice(CONSONANTS if (n % 2 == 0) == first else VOWELS) for n in range(size)]
    if elision and letters[-1] not in VOWELS and rng.random() < 0.6:
        letters.append(rng.choice(VOWELS))
    return "".join(letters)


def _paradigm(rng: Random, values: tuple[int, int], stems: Mapping[str, str]) -> Paradigm:
    geometry = rng.choice(GEOMETRIES)
    rows = []
    for number in values:
        markers = [""] if number == 1 else rng.sample([_marker(rng) for _ in range(9)], number)
        if number > 1 and rng.random() < 0.5:
            markers[rng.choice((0, 0, 1))] = ""
        rows.append(tuple(markers))
    return Paradigm(geometry, dict(stems), rows[0], rows[1])


def _marker(rng: Random) -> str:
    form = rng.choice(("V", "CV", "VC", "VC", "C", "CVC"))
    return "".join(rng.choice(VOWELS if each == "V" else CONSONANTS) for each in form)


def is_distinct(grammar: Grammar) -> bool:
    """Whether markers of a feature differ."""
    rows = [*grammar.nouns[2:], *grammar.verbs[2:]]
    return all(len({*row}) == len(row) for row in rows)


def random_meaning(rng: Random, features: Features, lexicon: Lexicon) -> Meaning:
    """A sentence about two different nouns, or one."""
    verb = rng.choice(lexicon.verbs)
    nouns = rng.sample(lexicon.nouns, 2)
    phrases = []
    for noun in nouns:
        adjective = -1
        if lexicon.adjectives and rng.random() < 0.5:
            adjective = rng.choice(lexicon.adjectives)
        phrases.append(Phrase(noun, int(features.number and rng.random() < 0.5), adjective))
    transitive = verb in lexicon.transitive
    return Meaning(verb, rng.randrange(2), phrases[0], phrases[1] if transitive else None)


class Language(NamedTuple):
    """A grammar with its words in English."""

    features: Features
    lexicon: Lexicon
    grammar: Grammar

    def text(self, meaning: Meaning) -> str:
        """A meaning as a sentence of the language."""
        return translated(self.features, self.grammar, meaning)

    def cells(self, meaning: Meaning) -> set[Cell]:
        """The forms in a sentence."""
        return {*cells(self.features, self.grammar.syntax, meaning)}


def determined_pairs(rng: Random, language: Language, spare: int) -> list[Pair] | None:
    """Sentences from which all forms follow, and up to ``spare`` others that show no new words;
    None if :data:`MOST_PAIRS` sentences do not suffice.
    """
    features, lexicon, _ = language
    every, counter = all_cells(features, lexicon), Counter()
    # Without one of these, no sentences suffice; adjectives need not have markers.
    marks = {mark for cell in every for mark in _marks(cell) if cell[0][0] != "a"}
    marks |= {f"a{n}" for n in lexicon.adjectives}
    among = [*syntaxes(features)]
    pairs = list[Pair]()
    seen = set[Cell]()
    for _ in range(MOST_PAIRS):
        # Each sentence shows as many new words, and then forms, as a few others at most.
        tries = [random_meaning(rng, features, lexicon) for _ in range(3)]
        news = [_news(language.cells(meaning), seen) for meaning in tries]
        best = tries[news.index(max(news))]
        if any(best == meaning for meaning, _ in pairs):
            continue
        pairs.append((best, language.text(best)))
        seen |= language.cells(best)
        among = [each for each in among if words_of(features, each, pairs, counter) is not None]
        if marks <= {mark for cell in seen for mark in _marks(cell)}:
            known = fits(features, pairs, among, counter)
            among = [each.syntax for each in known]
            if agreed(features, known, every) is not None:
                break
    else:
        return None
    for _ in range(20 * spare):
        meaning = random_meaning(rng, features, lexicon)
        if spare and seen.issuperset(language.cells(meaning)):
            pairs.append((meaning, language.text(meaning)))
            spare -= 1
    rng.shuffle(pairs)
    return [*dict.fromkeys(pairs)]


def _marks(cell: Cell) -> list[str]:
    """A word and its values of both features, by the class of the word."""
    sort = "v" if cell[0][0] == "v" else "n"
    return [cell[0], f"{sort}f{cell[1]}", f"{sort}g{cell[2]}"]


def _news(listed: set[Cell], seen: set[Cell]) -> tuple[int, int]:
    """How many words and forms are new."""
    return len({cell[0] for cell in listed} - {cell[0] for cell in seen}), len(listed - seen)


def readings(language: Language, text: str) -> list[Meaning]:
    """All meanings of a sentence, with the words of the lexicon."""
    features, lexicon, grammar = language
    by_word: dict[str, list[Cell]] = {}
    every = all_cells(features, lexicon)
    if not grammar.syntax.declined:
        every = [cell for cell in every if cell[0][0] != "a"]
        every += [(f"a{n}", -1, -1) for n in lexicon.adjectives]
    for cell in every:
        by_word.setdefault(word(features, grammar, cell), []).append(cell)
    options = [by_word.get(each, []) for each in text.split(" ")]
    meanings = dict[Meaning, None]()
    for shape in _shapes(grammar.syntax, len(options)):
        for chosen in product(*options):
            meaning = _assembled(shape, chosen)
            if meaning and language.text(meaning) == text:
                meanings[meaning] = None
    return list(meanings)


def _shapes(syntax: Syntax, length: int) -> Iterator[list[str]]:
    """The roles of words: S, O and V, in lower case for adjectives."""
    for subject, object_ in product((1, 2), (0, 1, 2)):
        sizes = {"S": subject, "O": object_, "V": 1}
        if sum(sizes.values()) == length:
            shape = list[str]()
            for part in syntax.order:
                words = [part] * min(1, sizes[part])
                if sizes[part] == 2:
                    words.insert(0 if syntax.adjective_first else 1, part.lower())
                shape += words
            yield shape


def _assembled(shape: Sequence[str], chosen: Sequence[Cell]) -> Meaning | None:
    """The meaning of words in these roles, if their classes are those of the roles."""
    by_role = dict(zip(shape, chosen))
    classes = {"S": "n", "O": "n", "V": "v", "s": "a", "o": "a"}
    if any(classes[role] != cell[0][0] for role, cell in by_role.items()):
        return None
    phrases = []
    for role in "SO":
        if role in by_role:
            noun, adjective = by_role[role], by_role.get(role.lower())
            index = int(adjective[0][1:]) if adjective else -1
            phrases.append(Phrase(int(noun[0][1:]), noun[1], index))
    verb = by_role["V"]
    object_ = phrases[1] if len(phrases) > 1 else None
    return Meaning(int(verb[0][1:]), verb[1], phrases[0], object_)


def random_queries(
    rng: Random, language: Language, pairs: Sequence[Pair], number: int
) -> list[Meaning] | None:
    """Meanings whose sentences have one reading, and words that are in none of the pairs; None if
    such meanings are rare.
    """
    seen = {each for _, text in pairs for each in text.split(" ")}
    features, lexicon, _ = language
    meanings = dict.fromkeys(random_meaning(rng, features, lexicon) for _ in range(40))
    texts = {meaning: language.text(meaning) for meaning in meanings}
    new = {meaning: len({*text.split(" ")} - seen) for meaning, text in texts.items()}
    order = sorted((m for m in meanings if new[m] >= 1), key=lambda m: -new[m])
    result = list[Meaning]()
    for meaning in order[: 4 * number]:
        if readings(language, texts[meaning]) == [meaning]:
            result.append(meaning)
        if len(result) == number:
            rng.shuffle(result)
            return result
    return None
