"""Random texts of common words, and the constraints that they satisfy.

A text with some planted features is written first, and constraints are then derived from it. The
text therefore satisfies any number of them.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random

from palaestra.verifiers.language.constrained_text.constraints import (
    CHAINED,
    CONDITIONS,
    KINDS,
    Branch,
    Rule,
    Text,
    Value,
    initials,
    kept,
    sizes,
)

_LISTED = """
able about above across acid actor after again age air all along also amber and angle animal
any apple april arch area arm army art ask autumn away baby back bag bake ball band bank barn
basin basket bath beach bear bed bell below bench big bird bitter black blue boat body bone
book both bottle box bread brick bridge bright broom brother brown bus but butter button cake
calm camp candle cap car card care cart cat chair chalk cheese cherry child city clay clean
clear clock cloud coal coat coin cold comb cook copper corn cotton country cousin cow cup dance
dark day deep desk dinner dish dog door down dream dress drink drum dry duck dust each eagle
ear early earth east easy edge egg eight elbow empty end engine even evening every eye face
fair fall far farm fast father feather field fig fine finger fire fish five flag flat floor
flower fly foot forest fork four fox free fresh friend frog from front fruit full game garden
gate gentle giant girl give glad glass goat gold good grain grass gray green ground guest hall
hammer hand happy harbour hard hat hay heart heavy help hen here high hill hold hole honey
horse hour house hundred ice idea inch ink inside iron island ivy jacket jam jar jewel join
jump june jury just keen keep kettle key kind king kitchen kite knee knife know ladder lake
lamb lamp large last leaf learn left lemon letter light line lion little long loud low lunch
magic mail many map market meal meat metal middle milk mill mint mirror month moon morning
most mother mountain mouse mud music nail name narrow near neck needle nest net never new
night nine noise north nose note now number nurse nut oak oat ocean odd off often oil old
olive once one onion open orange other oven over owl page paint pan paper park path pear pen
pepper piano picture pig pillow pine pink plain plant plate play pocket poem pond pony potato
pot proud purple queen quick quiet quilt quite rabbit radio rain red rice rich ring ripe river
road rock roof room rope rose round rule salt sand school sea seed seven sharp sheep shelf
ship shirt shoe shop short silk silver sister six skin sky slow small smoke snow soap sock
soft song soup south spoon spring star stone storm story street sugar summer sun swan sweet
table tail tall tea ten tent thin three tiger time tiny tired today tomato town train tree
twelve twig two uncle under unit until upper upon use useful valley van vase very vest village
violin visit voice wagon walk wall warm water wave week west wet wheat wheel white wide wild
window winter wise wolf wood wool word yard yarn year yellow yes young zebra zero zinc
"""

COMMON = tuple(_LISTED.split())
"""Common English words."""

PLANTED = (
    *CHAINED,
    "alphabetical",
    "rising",
    "acrostic",
    "sentence words",
    "avoids",
    "final letter",
)
"""Features that a random text rarely has."""

SPECIFIC = ("contains", "order", "starts", "ends", "position")
"""Rules that require certain words, so that no prepared text satisfies them."""

Preference = Callable[[str], bool]


def chosen(rng: Random, words: Sequence[str], *preferences: Preference) -> str:
    """A random word that satisfies the preferences as far as possible, in order of priority."""
    for preference in preferences:
        words = [word for word in words if preference(word)] or words
    return rng.choice(words)


def _begins(letter: str) -> Preference:
    return lambda word: word.startswith(letter)


def _ends(letter: str) -> Preference:
    return lambda word: word.endswith(letter)


def _has_length(length: int) -> Preference:
    return lambda word: len(word) == length


def written(rng: Random, sentences: int, features: Collection[str] = ()) -> str:
    r"""A random text with planted features, as far as they are compatible.

    >>> written(Random(3), 2, ["linked"])
    'Paper band onion after word nurse!\n\nNurse country sand, lamb mouse uncle narrow, each!'
    """
    drafted = _sentences(rng, sentences, features)
    lines = [
        " ".join([word + "," * (rng.random() < 0.12) for word in words[:-1]] + words[-1:])
        for words in drafted
    ]
    if "stated" in features or rng.random() < 0.25:
        number = sum(map(len, drafted)) if "stated" in features else rng.randrange(10, 1000)
        n = rng.randrange(sentences)
        lines[n] = lines[n].replace(" ", f" {number} ", 1)
    if rng.random() < 0.6:
        lines = [sentence[0].upper() + sentence[1:] for sentence in lines]
    return rng.choice((" ", "\n", "\n\n")).join(sentence + rng.choice("..?!") for sentence in lines)


def _sentences(rng: Random, number: int, features: Collection[str]) -> list[list[str]]:
    excluded = rng.choice("aeionrstl") if "avoids" in features else "?"
    stock = [word for word in COMMON if excluded not in word]
    heads = ""
    if "acrostic" in features or "backward acrostic" in features:
        heads = chosen(rng, stock, _has_length(number))[:number]
        heads = heads[::-1] if "backward acrostic" in features else heads
    final = rng.choice(stock)[-1] if "final letter" in features else ""
    sentences: list[list[str]] = []
    for n, size in enumerate(_sizes(rng, number, features)):
        first = chosen(rng, stock, _begins(heads[n : n + 1]), _has_length(size))
        if "echo" not in features or n:
            first = chosen(rng, stock, _begins(heads[n : n + 1]))
        if "linked" in features and sentences:
            first = sentences[-1][-1]
        following = heads[n + 1 : n + 2] if "linked" in features else ""
        last = chosen(rng, stock, _begins(following), _ends(final))
        sentences.append(_sentence(rng, stock, [first, last], size, features))
    if "round" in features:
        sentences[-1][-1] = sentences[0][0]
    if "counted" in features:
        sentences[-1][-1] = chosen(rng, stock, _has_length(number))
    return sentences


def _sizes(rng: Random, number: int, features: Collection[str]) -> list[int]:
    """The numbers of words of the sentences."""
    size, step = rng.randint(4, 7), rng.randint(1, 2)
    if "growing" in features:
        return [size + step * n for n in range(number)]
    if "sentence words" in features:
        return [size] * number
    return [rng.randint(4, 8) for _ in range(number)]


def _sentence(
    rng: Random, stock: Sequence[str], ends: list[str], size: int, features: Collection[str]
) -> list[str]:
    """The words of a sentence with these first and last words, if its features allow them."""
    first, last = ends
    if "alphabetical" in features:
        return sorted([first, *_sampled(rng, stock, size - 1, lambda word: word > first)])
    if "rising" in features:
        later = _sampled(rng, stock, size - 1, lambda word: len(word) >= len(first))
        return sorted([first, *later], key=len)
    middle = rng.sample(stock, size - 2)
    if rng.random() < 0.3:
        middle[-1] = first
    return [first, *middle, last]


def _sampled(rng: Random, stock: Sequence[str], size: int, preference: Preference) -> list[str]:
    fit = [word for word in stock if preference(word)]
    return rng.sample(fit if len(fit) >= size else stock, size)


# ------------------------------------------------------------- constraints that a text satisfies

Values = tuple[Value, ...]
Reader = Callable[[Random, Text], "Values | None"]


def _some_word(rng: Random, text: Text) -> Values:
    word = rng.choice(text.words)
    return word, text.words.count(word)


def _two_words(rng: Random, text: Text) -> Values | None:
    words = list(dict.fromkeys(text.words))
    return tuple(words[n] for n in sorted(rng.sample(range(len(words)), 2))) if words[1:] else None


def _some_lengths(rng: Random, text: Text) -> Values:
    n = rng.randrange(len(text.sentences))
    return (n + 1, *map(len, text.sentences[n]))


def _position(rng: Random, text: Text) -> Values:
    n = rng.randrange(1, len(text.words) - 1)
    return n + 1, text.words[n]


def _around(rng: Random, text: Text) -> Values:
    return len(text.words) - rng.randint(0, 2), len(text.words) + rng.randint(1, 2)


def _missing(rng: Random, text: Text) -> Values | None:
    letters = [letter for letter in "aeionrstl" if letter not in text.raw.lower()]
    return (rng.choice(letters),) if letters else None


def _counted_letter(rng: Random, text: Text) -> Values | None:
    letters = [x for x in "aeionrstl" if 2 <= text.raw.lower().count(x) <= 12]
    letter = rng.choice(letters) if letters else ""
    return (letter, text.raw.lower().count(letter)) if letter else None


def _counted_initial(rng: Random, text: Text) -> Values:
    letter = rng.choice(text.words)[0]
    return letter, sum(word[0] == letter for word in text.words)


def _as_many_letters(rng: Random, text: Text) -> Values | None:
    words = [word for word in COMMON if len(word) == len(text.sentences)]
    return (rng.choice(words),) if words else None


def _if(condition: bool, *values: Value) -> Values | None:
    return values if condition else None


READERS: dict[str, Reader] = {
    "words": lambda rng, t: (len(t.words),),
    "words between": _around,
    "sentences": lambda rng, t: (len(t.sentences),),
    "sentences as letters": _as_many_letters,
    "acrostic": lambda rng, t: _if(initials(t) in COMMON, initials(t)),
    "backward acrostic": lambda rng, t: _if(initials(t)[::-1] in COMMON, initials(t)[::-1]),
    "sentence words": lambda rng, t: _if(len(set(sizes(t))) == 1, sizes(t)[0]),
    "sentence range": lambda rng, t: _if(len(set(sizes(t))) > 1, min(sizes(t)), max(sizes(t))),
    "growing": lambda rng, t: _if(len(sizes(t)) > 1, (sizes(t) * 2)[1] - sizes(t)[0]),
    "lengths": _some_lengths,
    "lines": lambda rng, t: _if(t.lines > 1, t.lines),
    "paragraphs": lambda rng, t: _if(t.paragraphs > 1, t.paragraphs),
    "contains": _some_word,
    "order": _two_words,
    "starts": lambda rng, t: t.words[:1],
    "ends": lambda rng, t: t.words[-1:],
    "position": _position,
    "avoids": _missing,
    "letter count": _counted_letter,
    "initial count": _counted_initial,
    "final letter": lambda rng, t: _if(len(t.sentences) > 1, t.words[-1][-1]),
    "linked": lambda rng, t: _if(len(t.sentences) > 1),
    "longest": lambda rng, t: (max(map(len, t.words)),),
    "shortest": lambda rng, t: _if(min(map(len, t.words)) > 2, min(map(len, t.words))),
    "commas": lambda rng, t: _if("," in t.raw, t.raw.count(",")),
    "questions": lambda rng, t: _if("?" in t.raw, t.raw.count("?")),
    "digits": lambda rng, t: _if(any(map(str.isdecimal, t.raw)), sum(map(str.isdecimal, t.raw))),
}
"""For each constraint, values with which it may hold for a text; all others have no values."""


def read(rng: Random, name: str, text: Text) -> Rule | None:
    """A constraint of a name in ``KINDS`` that a text satisfies, if there is one."""
    values = READERS[name](rng, text) if name in READERS else ()
    rule = None if values is None else Rule(name, values)
    return rule if rule and kept(rule, text) else None


def features(rng: Random, chained: int, others: int) -> list[str]:
    """Compatible features: ``chained`` of those in ``CHAINED``, and ``others``."""
    by_family: dict[str, str] = {}
    for names, number in ((CHAINED, chained), (PLANTED[len(CHAINED) :], chained + others)):
        for name in rng.sample(names, len(names)):
            if len(by_family) < number:
                by_family.setdefault(KINDS[name].family, name)
    return list(by_family.values())


def condition(rng: Random) -> Rule:
    """A random condition about words or numbers."""
    name = rng.choice(list(CONDITIONS))
    one, other = rng.sample(COMMON, 2)
    number = rng.randrange(100, 10_000)
    values: dict[str, Values] = {
        "divisible": (number, rng.choice((2, 3, 4, 6, 7, 9))),
        "digit sum": (number, rng.randrange(8, 20)),
        "vowels": (one, rng.randint(1, 3)),
        "holds": (one, rng.choice("aeorst")),
    }
    return Rule(name, values.get(name, (one, other)))


def branch(rng: Random, rule: Rule, other: Rule) -> Branch:
    """A branch whose condition selects the first constraint."""
    true = rng.random() < 0.5
    while True:
        branch = Branch(condition(rng), *((rule, other) if true else (other, rule)))
        if branch.active() is rule:
            return branch


def satisfied_rules(rng: Random, text: Text, families: Collection[str]) -> Iterator[Rule]:
    """Constraints that a text satisfies, in random order, one for each other family."""
    used = set(families)
    for name in rng.sample(list(KINDS), len(KINDS)):
        free = KINDS[name].family not in used and name not in CHAINED
        if free and (rule := read(rng, name, text)):
            used.add(KINDS[name].family)
            yield rule
