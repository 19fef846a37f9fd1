"""The facts that the answer to a question rests on, by the data of an encyclopaedia."""

from collections.abc import Iterator, Sequence

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia
from palaestra.generators.tools.encyclopedia.questions import Chain, Question, following
from palaestra.generators.tools.encyclopedia.schema import INVERSES, TRAITS, YEARS

Evidence = tuple[str, str, str]
"""The title of an article, a relation, and the title, year, trait or number that is its value."""


def beginning(source: Encyclopedia, chain: Chain) -> int:
    """The number of the article that a chain begins at.

    A ``LookupError`` says that there is none.
    """
    if not chain.trait:
        return source.numbers[chain.name.casefold()]
    relation = TRAITS[chain.type][0]
    for number in source.namesakes[chain.name]:
        if source.value(number, relation) == chain.trait:
            return number
    raise LookupError(f"no article is named {chain.name} with {relation} {chain.trait}")


def visited(source: Encyclopedia, chain: Chain) -> list[int]:
    """The numbers of the articles on a chain in order, as far as its steps are known."""
    numbers = [beginning(source, chain)]
    for step in chain.path:
        number = following(source, numbers[-1], step)
        if number is None or step in YEARS.values():
            break
        numbers.append(number)
    return numbers


def relevant(source: Encyclopedia, question: Question) -> list[int]:
    """The numbers of the articles that a reader needs who answers a question."""
    numbers = {number: None for chain in question.chains for number in visited(source, chain)}
    if question.form == "count":
        end = visited(source, question.chains[0])[-1]
        numbers |= dict.fromkeys(source.members(end))
    return [*numbers]


def evidence(source: Encyclopedia, question: Question, answer: str) -> list[Evidence]:
    """The facts that an answer rests on: on each chain the trait that tells its first article from
    namesakes and every step, as far as they are known, and what is compared or counted at the ends.
    The value of a list, ``members``, is its length. A ``LookupError`` says that the question is
    about another encyclopaedia.
    """
    facts = [each for chain in question.chains for each in _steps(source, chain)]
    ends = [visited(source, chain)[-1] for chain in question.chains]
    title = source.titles[ends[0]]
    if question.form == "compare":
        facts += _years(source, ends)
    elif question.form == "count":
        members = source.members(ends[0])
        facts += [(title, "members", str(len(members))), *_years(source, members)]
    elif question.form == "head" and answer.casefold() in source.numbers:
        facts.append((title, "head", answer))
    return [*dict.fromkeys(facts)]


def _steps(source: Encyclopedia, chain: Chain) -> Iterator[Evidence]:
    numbers = visited(source, chain)
    titles = [source.titles[number] for number in numbers]
    if chain.trait:
        yield titles[0], TRAITS[chain.type][0], chain.trait
    for step, title, other in zip(chain.path, titles, titles[1:]):
        inverse = INVERSES.get(step)
        yield (other, inverse.relation, title) if inverse else (title, step, other)
    if chain.path and chain.path[-1] in YEARS.values():
        yield from _years(source, numbers[-1:])


def _years(source: Encyclopedia, numbers: Sequence[int]) -> Iterator[Evidence]:
    for number in numbers:
        article = source[number]
        if article.year is not None:
            yield article.title, YEARS[article.type], str(article.year)
