"""Names of made-up people, towns, books, provinces, houses and guilds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from palaestra.generators.phrases import WORDS
from palaestra.generators.tools.encyclopedia.schema import Type
from palaestra.generators.vocabulary import CONSONANTS, VOWELS, changed

QUALIFIERS: dict[Type, str] = {"person": "born", "town": "founded", "book": "published"}
"""What stands before the year in the title of an article that has a namesake."""

FORMS: dict[Type, str] = {"province": "Province of {}", "house": "House {}", "guild": "{} Guild"}
"""The titles of the other types by their names."""

_SYLLABLES = [first + second for first in CONSONANTS for second in VOWELS]

_TITLED = [word.title() for word in WORDS]

_BEGINNINGS = [f"The {word}" for word in _TITLED]


def _words(rng: Random, number: int, shortest: int, longest: int) -> list[str]:
    """Different made-up words like those of :func:`vocabulary.words`, all drawn at once."""
    width = longest // 2 + 1  # syllables, one letter of which may be left out at either end
    distinct: dict[str, None] = {}
    while missing := number - len(distinct):
        letters = "".join(rng.choices(_SYLLABLES, k=missing * width))
        lengths = rng.choices(range(shortest, longest + 1), k=missing)
        firsts = rng.choices((0, 0, 0, 1), k=missing)
        for n, (first, length) in enumerate(zip(firsts, lengths)):
            start = 2 * width * n + first
            distinct[letters[start : start + length].capitalize()] = None
    return [*distinct]


def _pairs(rng: Random, first: Sequence[str], last: Sequence[str], number: int) -> list[str]:
    """So many different pairs of words."""
    names: dict[str, None] = {}
    while missing := number - len(names):
        pairs = zip(rng.choices(first, k=missing), rng.choices(last, k=missing))
        names.update(dict.fromkeys(map(" ".join, pairs)))
    return [*names]


def _people(rng: Random, number: int) -> list[str]:
    """Different full names, of which many share a part."""
    first, last = (_words(rng, 8 + number // part, 4, 6) for part in (15, 6))
    return _pairs(rng, first, last, number)


def _nearly(rng: Random, name: str) -> str:
    """A name of which one part differs: a word of a book, a letter of another name."""
    rest, space, last = name.rpartition(" ")
    is_book = rest.startswith("The ")
    other = rng.choice(WORDS) if is_book else changed(rng, last.casefold())
    return f"{rest}{space}{other.title()}"


def _shared(rng: Random, names: Sequence[str], number: int, percentage: int) -> list[str]:
    """So many names in random order: the different ones and, up to a percentage of all, as many
    that are the same as another one as nearly the same.
    """
    same = number * percentage // 200
    some = [*names, *rng.choices(names, k=same)]
    some += [_nearly(rng, rng.choice(some)) for _ in range(number - len(some))]
    rng.shuffle(some)
    return some


def random_names(
    rng: Random, sizes: Mapping[Type, int], percentage: int
) -> dict[Type, Sequence[str]]:
    """The names of the articles of each type. Some houses, provinces and guilds are called like
    towns.
    """
    different = {name: size - 2 * (size * percentage // 200) for name, size in sizes.items()}
    towns = _words(rng, different["town"], 5, 7)
    people = _people(rng, different["person"])
    books = _pairs(rng, _BEGINNINGS, _TITLED, different["book"])
    plain: dict[Type, Sequence[str]] = {"town": towns, "person": people, "book": books}
    names: dict[Type, Sequence[str]] = {
        name: _shared(rng, each, sizes[name], percentage) for name, each in plain.items()
    }
    for name, form in FORMS.items():
        known = rng.sample(towns, min(len(towns), sizes[name] * percentage // 100))
        rest = _words(rng, sizes[name] - len(known), 8, 9)
        names[name] = [form.format(each) for each in (*known, *rest)]
    return names


def titles_of(rng: Random, type_: Type, names: Sequence[str], years: Sequence[int]) -> list[str]:
    """Unique titles: the names, with the year where a name is shared, and a number where the year
    is too.
    """
    numbers = Counter(names)
    titles: dict[str, None] = {}
    for name, year in zip(names, years):
        if numbers[name] == 1 and name not in titles:
            titles[name] = None
            continue
        bracket = f" ({QUALIFIERS[type_]} {year})" if numbers[name] > 1 else ""
        title = name + bracket
        while title in titles:
            title = f"{name} {rng.randint(2, 99)}{bracket}"
        titles[title] = None
    return [*titles]
