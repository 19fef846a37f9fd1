"""Texts of common words with features that can be counted, and the constraints that they keep.

A text is written first, with some features planted in it, and constraints are then read off it,
so any number of them can be kept at once: the text shows how.
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
"""Words that everybody knows."""

PLANTED = (
    *CHAINED,
    "alphabetical",
    "rising",
    "acrostic",
    "sentence words",
    "avoids",
    "final letter",
)
"""Features that a text seldom has unless they are put into it."""

TELLING = ("contains", "order", "starts", "ends", "position")
"""Kinds that ask for certain words, so that no text made up beforehand will do."""

Wish = Callable[[str], bool]


def chosen(rng: Random, words: Sequence[str], *wishes: Wish) -> str:
    """One of the words that meet as many of the wishes as can be met, the first ones first."""
    for wish in wishes:
        words = [word for word in words if wish(word)] or words
    return rng.choice(words)


def _begins(letter: str) -> Wish:
    return lambda word: word.startswith(letter)


def _ends(letter: str) -> Wish:
    return lambda word: word.endswith(letter)


def _as_long(length: int) -> Wish:
    return lambda word: len(word) == length


def written(rng: Random, sentences: int, features: Collection[str] = ()) -> str:
    r"""A text with planted features. What cannot be had of them together is left out.

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
        place = rng.randrange(sentences)
        lines[place] = lines[place].replace(" ", f" {number} ", 1)
    if rng.random() < 0.6:
        lines = [sentence[0].upper() + sentence[1:] for sentence in lines]
    return rng.choice((" ", "\n", "\n\n")).join(sentence + rng.choice("..?!") for sentence in lines)


def _sentences(rng: Random, number: int, features: Collection[str]) -> list[list[str]]:
    dropped = rng.choice("aeionrstl") if "avoids" in features else "?"
    stock = [word for word in COMMON if dropped not in word]
    heads = ""
    if "acrostic" in features or "backward acrostic" in features:
        heads = chosen(rng, stock, _as_long(number))[:number]
        heads = heads[::-1] if "backward acrostic" in features else heads
    final = rng.choice(stock)[-1] if "final letter" in features else ""
    sentences: list[list[str]] = []
    for place, size in enumerate(_sizes(rng, number, features)):
        first = chosen(rng, stock, _begins(heads[place : place + 1]), _as_long(size))
        if "echo" not in features or place:
            first = chosen(rng, stock, _begins(heads[place : place + 1]))
        if "linked" in features and sentences:
            first = sentences[-1][-1]
        following = heads[place + 1 : place + 2] if "linked" in features else ""
        last = chosen(rng, stock, _begins(following), _ends(final))
        sentences.append(_sentence(rng, stock, [first, last], size, features))
    if "round" in features:
        sentences[-1][-1] = sentences[0][0]
    if "counted" in features:
        sentences[-1][-1] = chosen(rng, stock, _as_long(number))
    return sentences


def _sizes(rng: Random, number: int, features: Collection[str]) -> list[int]:
    """How many words the sentences have."""
    size, step = rng.randint(4, 7), rng.randint(1, 2)
    if "growing" in features:
        return [size + step * place for place in range(number)]
    if "sentence words" in features:
        return [size] * number
    return [rng.randint(4, 8) for _ in range(number)]


def _sentence(
    rng: Random, stock: Sequence[str], ends: list[str], size: int, features: Collection[str]
) -> list[str]:
    """The words of a sentence, with the first and the last one given where they may stand there."""
    first, last = ends
    if "alphabetical" in features:
        return sorted([first, *_sampled(rng, stock, size - 1, lambda word: word > first)])
    if "rising" in features:
        later = _sampled(rng, stock, size - 1, lambda word: len(word) >= len(first))
        return sorted([first, *later], key=len)
    between = rng.sample(stock, size - 2)
    if rng.random() < 0.3:
        between[-1] = first
    return [first, *between, last]


def _sampled(rng: Random, stock: Sequence[str], size: int, wish: Wish) -> list[str]:
    fit = [word for word in stock if wish(word)]
    return rng.sample(fit if len(fit) >= size else stock, size)


# ------------------------------------------------------------- what is true of a text as it stands

Values = tuple[Value, ...]
Reader = Callable[[Random, Text], "Values | None"]


def _some_word(rng: Random, text: Text) -> Values:
    word = rng.choice(text.words)
    return word, text.words.count(word)


def _two_words(rng: Random, text: Text) -> Values | None:
    words = list(dict.fromkeys(text.words))
    return tuple(words[n] for n in sorted(rng.sample(range(len(words)), 2))) if words[1:] else None


def _some_lengths(rng: Random, text: Text) -> Values:
    place = rng.randrange(len(text.sentences))
    return (place + 1, *map(len, text.sentences[place]))


def _position(rng: Random, text: Text) -> Values:
    place = rng.randrange(1, len(text.words) - 1)
    return place + 1, text.words[place]


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
"""The values with which a kind of constraint may be true of a text; other kinds have no values."""


def read(rng: Random, kind: str, text: Text) -> Rule | None:
    """A constraint of a kind that a text keeps, if there is one."""
    values = READERS[kind](rng, text) if kind in READERS else ()
    rule = None if values is None else Rule(kind, values)
    return rule if rule and kept(rule, text) else None


def features(rng: Random, chained: int, others: int) -> list[str]:
    """Features that may be had together, so many of them chained."""
    texts: dict[str, str] = {}
    for kinds, number in ((CHAINED, chained), (PLANTED[len(CHAINED) :], chained + others)):
        for kind in rng.sample(kinds, len(kinds)):
            if len(texts) < number:
                texts.setdefault(KINDS[kind].family, kind)
    return list(texts.values())


def condition(rng: Random) -> Rule:
    """Something that can be asked of given material."""
    kind = rng.choice(list(CONDITIONS))
    one, other = rng.sample(COMMON, 2)
    number = rng.randrange(100, 10_000)
    values: dict[str, Values] = {
        "divisible": (number, rng.choice((2, 3, 4, 6, 7, 9))),
        "digit sum": (number, rng.randrange(8, 20)),
        "vowels": (one, rng.randint(1, 3)),
        "holds": (one, rng.choice("aeorst")),
    }
    return Rule(kind, values.get(kind, (one, other)))


def branch(rng: Random, rule: Rule, other: Rule) -> Branch:
    """A branch whose condition makes the first constraint the one that counts."""
    wanted = rng.random() < 0.5
    while True:
        branch = Branch(condition(rng), *((rule, other) if wanted else (other, rule)))
        if branch.active() is rule:
            return branch


def readable(rng: Random, text: Text, families: Collection[str]) -> Iterator[Rule]:
    """Constraints that a text keeps, in random order, one for each family not yet taken."""
    taken = set(families)
    for kind in rng.sample(list(KINDS), len(KINDS)):
        fresh = KINDS[kind].family not in taken and kind not in CHAINED
        if fresh and (rule := read(rng, kind, text)):
            taken.add(KINDS[kind].family)
            yield rule
