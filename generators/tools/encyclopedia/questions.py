"""Questions of several hops, and what an encyclopaedia says on them."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia
from palaestra.generators.tools.encyclopedia.schema import (
    INVERSES,
    STEPS,
    TRAITS,
    TYPES,
    YEARS,
    Type,
    target_of,
)
from palaestra.generators.tools.encyclopedia.world import UNKNOWN

TRIES = 4_000
"""How many questions are tried for one that suits."""

Form = Literal["follow", "compare", "count", "years", "head"]


class Chain(NamedTuple):
    """The way from an article to another one, or to a year."""

    type: Type
    name: str
    trait: str
    """What tells the first article from its namesakes, or nothing where it has none."""
    path: tuple[str, ...]
    """Relations and inverses."""


class Question(NamedTuple):
    """What is to be found out, by its form.

    - ``follow``: where a chain ends;
    - ``compare``: at which of the ends of two chains the year is earlier, or ``later``;
    - ``count``: how many articles in the list of the end have a year before ``bound``, or later
      than that;
    - ``years``: how many years are between the ends of two chains;
    - ``head``: who led the house at the end of one chain in the year at the end of another.
    """

    form: Form
    chains: tuple[Chain, ...]
    later: bool = False
    bound: int = 0


def following(source: Encyclopedia, number: int, step: str) -> int | None:
    """The number of the article, or the year, that a step leads to, or None where it is not known
    or not unique.
    """
    if step in INVERSES:
        sources = source.sources(INVERSES[step].relation, number)
        return sources[0] if len(sources) == 1 else None
    value = source.value(number, step)
    return value if isinstance(value, int) else None


def gold(source: Encyclopedia, question: Question, ends: Sequence[int | None]) -> str | None:
    """The answer, by the ends of the chains, or None for a question that makes no sense."""
    if None in ends:
        return UNKNOWN if question.form != "count" else None
    first, last = ends[0], ends[-1]
    assert first is not None
    assert last is not None
    if question.form == "follow":
        ends_in_year = question.chains[0].path[-1] in YEARS.values()
        return str(first) if ends_in_year else source.titles[first]
    if question.form == "years":
        return str(abs(first - last)) if first != last else None
    if question.form == "compare":
        return _compared(source, question, first, last)
    if question.form == "count":
        return _counted(source, question, first)
    house = source[first]
    led = [n for n, year in zip(house.members, house.years) if year <= last]
    return source.titles[led[-1]] if led else None


def _compared(source: Encyclopedia, question: Question, first: int, second: int) -> str | None:
    one, other = source[first], source[second]
    if first == second or one.year == other.year:
        return None
    if one.year is None or other.year is None:
        return UNKNOWN
    return (one if (one.year > other.year) == question.later else other).title


def _counted(source: Encyclopedia, question: Question, owner: int) -> str | None:
    """The number of members, where all years are known, and some members count and others not."""
    years = [source[member].year for member in source.members(owner)]
    known = [year for year in years if year is not None]
    number = sum(
        year > question.bound if question.later else year < question.bound for year in known
    )
    return str(number) if len(known) == len(years) and 0 < number < len(years) else None


class _Walker:
    """Random chains in an encyclopaedia."""

    def __init__(self, rng: Random, source: Encyclopedia) -> None:
        self.rng, self.source = rng, source

    def anchor(self) -> tuple[int, Chain] | None:
        """A random article, and the chain that ends there, if a question can name it."""
        source = self.source
        number = self.rng.randrange(len(source))
        name, bracket, _ = source.titles[number].partition(" (")
        trait = ""
        if bracket:
            relation = TRAITS[source.types[number]][0]
            traits = [str(source.value(n, relation)) for n in source.namesakes[name]]
            trait = str(source.value(number, relation))
            if traits.count(trait) > 1:
                return None
        return number, Chain(source.types[number], name, trait, ())

    def chain(
        self, hops: int, ends: Sequence[str], known: bool = True
    ) -> tuple[Chain, int | None] | None:
        """A chain of so many hops to an article of certain types, and its number; where it need not
        be ``known``, that may be None.
        """
        start = self.anchor()
        if start is None:
            return None
        number, chain = start
        visited, path, source_type = {number}, list[str](), chain.type
        for n in range(hops):
            is_last = n == hops - 1
            options = self._options(
                number, source_type, ends if is_last else TYPES, known or not is_last
            )
            if not options:
                return None
            step, following_number = self.rng.choice(options)
            path.append(step)
            if following_number is None:
                return chain._replace(path=tuple(path)), None
            if following_number in visited:
                return None
            visited.add(following_number)
            number, source_type = following_number, self.source.types[following_number]
        return (chain._replace(path=tuple(path)), number) if source_type in ends else None

    def _options(
        self, number: int, source_type: Type, ends: Sequence[str], known: bool
    ) -> list[tuple[str, int | None]]:
        options = [
            (step, following(self.source, number, step))
            for step in STEPS[source_type]
            if target_of(step) in ends
        ]
        return [
            (step, value)
            for step, value in options
            if value is not None or (not known and step not in INVERSES)
        ]

    def dated(self, hops: int) -> tuple[Chain, int | None] | None:
        """A chain of so many hops and one more to a year, which may be None."""
        chain, number = self.chain(hops, [*YEARS]) or (None, None)
        if chain is None or number is None:
            return None
        step = YEARS[self.source.types[number]]
        return chain._replace(path=(*chain.path, step)), following(self.source, number, step)

    def pair(self, hops: int, others: int) -> list[tuple[Chain, int | None] | None]:
        """Two chains to articles of the same type that has years."""
        one = self.chain(hops, [*YEARS])
        if one is None or one[1] is None:
            return [None]
        return [one, self.chain(others, [self.source.types[one[1]]])]

    def bound(self, owner: int | None) -> int:
        """The year of a random member in the list of an article, or 0."""
        members = self.source.members(owner) if owner is not None else ()
        return self.source[self.rng.choice(members)].year or 0 if members else 0


def _candidate(walker: _Walker, form: Form, hops: int) -> tuple[Question, list[int | None]] | None:
    """A random question of a form, and the ends of its chains."""
    rng = walker.rng
    half = max(1, hops // 2)
    if form == "follow":
        is_year = rng.random() < 0.3
        chains = [walker.dated(hops - 1) if is_year else walker.chain(hops, TYPES, known=False)]
    elif form == "count":
        chains = [walker.chain(hops - 1, ["province", "guild"])]
    elif form == "years":
        chains = [walker.dated(half - 1), walker.dated(hops - half)]
    elif form == "head":
        chains = [walker.chain(max(1, hops - 2), ["house"]), walker.dated(min(1, hops - 1))]
    else:
        chains = walker.pair(half, max(1, hops - half))
    whole = [each for each in chains if each is not None]
    if len(whole) < len(chains):
        return None
    bound = walker.bound(whole[0][1]) if form == "count" else 0
    later = form in {"compare", "count"} and rng.random() < 0.5
    question = Question(form, tuple(chain for chain, _ in whole), later, bound)
    return question, [end for _, end in whole]


FORMS: tuple[Form, ...] = ("follow", "compare", "years", "head") * 2 + ("count",)
"""The forms of questions. Those with answers that are easily guessed are rarer."""


def random_question(
    rng: Random, source: Encyclopedia, hops: int, unanswerable: bool
) -> tuple[Question, str] | None:
    """A question that follows about so many relations, and its answer; None where none suits."""
    walker = _Walker(rng, source)
    forms = [form for form in FORMS if not (unanswerable and form == "count")]
    form = rng.choice(forms)
    for _ in range(TRIES):
        candidate = _candidate(walker, form, hops)
        if candidate is None:
            continue
        answer = gold(source, *candidate)
        if (
            answer is not None
            and (answer == UNKNOWN) == unanswerable
            and _is_new(*candidate, answer)
        ):
            return candidate[0], answer
    return None


def _is_new(question: Question, ends: Sequence[int | None], answer: str) -> bool:
    """Whether the question does not name the answer, and its chains begin at different articles."""
    starts = [(chain.type, chain.name, chain.trait) for chain in question.chains]
    names = {chain.name for chain in question.chains}
    return len({*starts}) == len(starts) and answer.partition(" (")[0] not in names
