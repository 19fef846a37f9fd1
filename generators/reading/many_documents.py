"""Documents of a fictional world that contradict each other, and rules by which they count."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from random import Random
from typing import NamedTuple

from palaestra.generators.fiction import World, mixed, reports
from palaestra.generators.vocabulary import changed, words

TYPES = ("charter", "register", "chronicle", "letter", "ballad")

PLURALS = ("charters", "registers", "chronicles", "letters", "ballads")

LINKS = ("mother town", "ally", "rival", "market town")
"""Attributes whose values are towns."""

NUMBERS = ("toll", "levy", "number of mills", "number of bells", "depth of the well")
"""Attributes whose values are numbers."""

ATTRIBUTES = LINKS + NUMBERS

FIRST, LAST = date(1301, 1, 1).toordinal(), date(1398, 12, 31).toordinal()
"""The days on which documents are written."""

NUMBERED = range(100, 10_000)
"""The numbers that documents may have."""

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

SENTENCES = (
    "The {what} of {town} is {value}.",
    "{town} has {value} as its {what}.",
    "As for {town}, its {what} is {value}.",
    "It is {value} that is the {what} of {town}.",
)

RANKS, REVOCATIONS, AUTHORS, ORIGINS = 1, 2, 3, 4
"""How many rules there are from which each of these is one."""


class Fact(NamedTuple):
    """What a statement is about: an attribute of a town, by their indices."""

    town: int
    attribute: int


class Document(NamedTuple):
    """A document with its statements, and the number of the one that it revokes, or 0."""

    number: int
    type: int
    author: int
    origin: int
    """The town in which it was written."""
    day: int
    statements: tuple[tuple[Fact, int], ...]
    revokes: int = 0


class Policy(NamedTuple):
    """The rules by which documents count; the first ``rules`` of them exist."""

    rules: int
    ranks: tuple[int, ...]
    """The types, the one with the highest rank first."""
    author: int
    """Whose documents do not count from a day on."""
    since: int


Documents = tuple[Document, ...]


class Claim(NamedTuple):
    """A value of a fact, and the document that states it."""

    value: int
    document: Document


Judge = Callable[[Fact, Sequence[Claim]], Claim]
"""Which of the claims on a fact counts."""


class Question(NamedTuple):
    """A number of the town to which links lead from a town."""

    town: int
    path: tuple[int, ...]
    """Attributes: links, and a number as the last one."""


def claims_by_fact(documents: Documents) -> Mapping[Fact, list[Claim]]:
    """All claims on each fact, in the order of the documents."""
    claims: dict[Fact, list[Claim]] = {}
    for document in documents:
        for fact, value in document.statements:
            claims.setdefault(fact, []).append(Claim(value, document))
    return claims


def valid_numbers(documents: Documents, policy: Policy) -> frozenset[int]:
    """The numbers of the documents that count.

    Documents revoke earlier ones alone, so that those of later days are settled first.
    """
    revoked, valid = set[int](), set[int]()
    for document in sorted(documents, key=lambda each: -each.day):
        barred = document.author == policy.author and document.day >= policy.since
        if (policy.rules >= AUTHORS and barred) or document.number in revoked:
            continue
        valid.add(document.number)
        if policy.rules >= REVOCATIONS and document.revokes:
            revoked.add(document.revokes)
    return frozenset(valid)


def priority(policy: Policy, fact: Fact, document: Document) -> tuple[bool, int, int]:
    """The larger it is, the more the document counts on a fact."""
    local = policy.rules >= ORIGINS and document.origin == fact.town
    rank = -policy.ranks.index(document.type) if policy.rules >= RANKS else 0
    return local, rank, document.day


def proper_judge(documents: Documents, policy: Policy) -> Judge:
    """A judge by the rules."""
    valid = valid_numbers(documents, policy)

    def judge(fact: Fact, claims: Sequence[Claim]) -> Claim:
        counting = [claim for claim in claims if claim.document.number in valid]
        return max(counting or claims, key=lambda claim: priority(policy, fact, claim.document))

    return judge


def careless_judges(documents: Documents, policy: Policy) -> Mapping[str, Judge]:
    """Judges who go by one rule, or leave one out, by name."""
    revoked = {each.revokes for each in documents}
    simple = tuple(each for each in documents if each.number not in revoked)
    judges: dict[str, Judge] = {
        "commonest value": lambda fact, claims: _commonest(claims),
        "latest document": lambda fact, claims: max(claims, key=lambda each: each.document.day),
        "first document": lambda fact, claims: claims[0],
    }
    if policy.rules >= REVOCATIONS:
        judges |= {
            "rank and date alone": proper_judge(documents, policy._replace(rules=RANKS)),
            "revoked without exception": _among(simple, proper_judge(simple, policy)),
        }
    if policy.rules >= AUTHORS:
        judges["revocations alone"] = proper_judge(documents, policy._replace(rules=REVOCATIONS))
        judges["nothing by the author"] = proper_judge(documents, policy._replace(since=0))
    if policy.rules >= ORIGINS:
        judges["origins left out"] = proper_judge(documents, policy._replace(rules=AUTHORS))
    return judges


def _commonest(claims: Sequence[Claim]) -> Claim:
    counts = Counter(claim.value for claim in claims)
    return max(claims, key=lambda claim: counts[claim.value])


def _among(documents: Documents, judge: Judge) -> Judge:
    """A judge who looks at some documents only, where these state a fact at all."""

    def narrow(fact: Fact, claims: Sequence[Claim]) -> Claim:
        return judge(fact, [each for each in claims if each.document in documents] or claims)

    return narrow


def followed(
    claims: Mapping[Fact, Sequence[Claim]], question: Question, judge: Judge
) -> tuple[int, list[int]]:
    """The value that a judge comes to, and the numbers of the documents that it goes by."""
    value, numbers = question.town, list[int]()
    for attribute in question.path:
        fact = Fact(value, attribute)
        if fact not in claims:
            return 0, numbers
        claim = judge(fact, claims[fact])
        value = claim.value
        numbers.append(claim.document.number)
    return value, numbers


def random_policy(rng: Random, rules: int, authors: int) -> Policy:
    """Rules with a random order of types and a random author."""
    ranks = tuple(rng.sample(range(len(TYPES)), len(TYPES)))
    return Policy(rules, ranks, rng.randrange(authors), rng.randrange(FIRST + 9_000, LAST - 9_000))


class Archive:
    """Collects documents for which the rules have an effect."""

    def __init__(self, rng: Random, policy: Policy, towns: int, authors: int) -> None:
        self.rng, self.policy, self.towns, self.authors = rng, policy, towns, authors
        self.documents = list[Document]()
        self.numbers = iter(rng.sample(NUMBERED, 600))
        self.days = iter(rng.sample(range(FIRST + 2_000, LAST - 2_000), 600))

    def add(self, statements: Sequence[tuple[Fact, int]], type_: int, **fields: int) -> Document:
        """Add a document. It is not by the author whose documents do not count, and from a town
        that it is not about, unless ``fields`` differ.
        """
        others = [n for n in range(self.authors) if n != self.policy.author]
        about = {fact.town for fact, _ in statements}
        away = [n for n in range(self.towns) if n not in about]
        plain = {
            "author": self.rng.choice(others),
            "origin": self.rng.choice(away),
            "day": next(self.days),
        }
        document = Document(
            next(self.numbers), type_, statements=tuple(statements), **(plain | fields)
        )
        self.documents.append(document)
        return document

    def dispute(self, fact: Fact, value: int, wrong: Sequence[int], conflicts: int) -> None:
        """Add documents on a fact: one that counts, and others that state wrong values, of which
        the first one is the commonest.
        """
        rng, rules = self.rng, self.policy.rules
        local = rules >= ORIGINS and rng.random() < 0.5
        rank = rng.randrange(1, len(TYPES) - 1)
        ranks = self.policy.ranks
        fields = {"origin": fact.town} if local else {}
        if rules >= AUTHORS and rng.random() < 0.5:  # what this author wrote before does count
            day = self.policy.since - rng.randint(1, 3_000)
            fields |= {"author": self.policy.author, "day": day}
        right = self.add([(fact, value)], ranks[-1] if local else ranks[rank], **fields)
        common = wrong[0]
        for n in range(conflicts):
            claimed = common if n < 2 else rng.choice(wrong)
            if rules < RANKS or (n % 3 == 2 and not local):  # the same type, but earlier
                self.add([(fact, claimed)], right.type, day=right.day - rng.randint(1, 700))
            else:
                lower = 0 if local else rank + 1
                self.add([(fact, claimed)], ranks[rng.randrange(lower, len(TYPES))])
        traps = [trap for trap in (REVOCATIONS, REVOCATIONS + 10, AUTHORS) if trap % 10 <= rules]
        for trap in rng.sample(traps, min(len(traps), 1 + conflicts // 3)):
            self._trap(trap, fact, rng.choice(wrong), right)

    def _trap(self, trap: int, fact: Fact, value: int, right: Document) -> None:
        """Add a document that would count but for a rule, or one that would revoke the right one.

        Notices are of any type, for types have no effect on revocations.
        """
        rng, policy = self.rng, self.policy
        best = {"origin": right.origin} if right.origin == fact.town else {}
        if trap == REVOCATIONS:
            false = self.add([(fact, value)], policy.ranks[0], **best)
            self._revoke(false)
        elif trap == AUTHORS:
            day = rng.randrange(policy.since, LAST)
            self.add([(fact, value)], policy.ranks[0], author=policy.author, day=day, **best)
        else:
            self._revoke(self._revoke(right))

    def _revoke(self, document: Document) -> Document:
        day = document.day + self.rng.randint(1, 300)
        return self.add([], self.rng.randrange(len(TYPES)), revokes=document.number, day=day)


def random_documents(
    rng: Random, policy: Policy, size: tuple[int, int, int], conflicts: int, authors: int
) -> tuple[Documents, tuple[Question, ...]]:
    """Documents and questions on them. The size is the number of towns, of steps and of questions.

    All facts that some reader needs are stated, whichever claims they go by.
    """
    towns, hops, number = size
    archive = Archive(rng, policy, towns, authors)
    used = rng.sample(range(len(LINKS)), min(hops - 1, len(LINKS)))
    questions = list[Question]()
    disputed = dict[Fact, int]()
    for _ in range(number):
        chain = rng.sample(range(towns), hops)
        path = [rng.choice(used) for _ in range(hops - 1)]
        path.append(len(LINKS) + rng.randrange(len(NUMBERS)))
        for town, attribute, after in zip(chain, path, [*chain[1:], 0]):
            value = after if attribute < len(LINKS) else rng.randint(101, 9_999)
            value = disputed.setdefault(Fact(town, attribute), value)
        questions.append(Question(chain[0], tuple(path)))
    for fact, value in disputed.items():
        wrong = _wrong_values(rng, fact, value, towns)
        archive.dispute(fact, value, wrong, conflicts)
    wanted = {attribute for question in questions for attribute in question.path}
    rest = [Fact(town, each) for town in range(towns) for each in sorted(wanted)]
    rest = [fact for fact in rest if fact not in disputed]
    rng.shuffle(rest)
    while rest:
        facts, rest = rest[: (some := rng.randint(1, 3))], rest[some:]
        statements = [(fact, _wrong_values(rng, fact, -1, towns)[0]) for fact in facts]
        archive.add(statements, rng.randrange(len(TYPES)))
    documents = archive.documents
    rng.shuffle(documents)
    return tuple(documents), tuple(questions)


def _wrong_values(rng: Random, fact: Fact, value: int, towns: int) -> list[int]:
    """Two values of a fact other than the right one."""
    if fact.attribute >= len(LINKS):
        return rng.sample([n for n in rng.sample(range(101, 10_000), 3) if n != value], 2)
    return rng.sample([n for n in range(towns) if n not in (fact.town, value)], 2)


class Names(NamedTuple):
    """The names of towns and authors."""

    towns: tuple[str, ...]
    authors: tuple[str, ...]


def town_names(rng: Random, number: int) -> tuple[str, ...]:
    """Names of towns, about half of which differ from another one in a letter."""
    names: dict[str, None] = {}
    for name in words(rng, number, 5, 8):
        names[name.capitalize()] = None
        if rng.random() < 0.5:
            names[changed(rng, name).capitalize()] = None
    return tuple(names)[:number]


def day_in_words(day: int) -> str:
    """The date of a day.

    >>> day_in_words(date(1302, 3, 12).toordinal())
    '12 March 1302'
    """
    moment = date.fromordinal(day)
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def shown(document: Document, names: Names, rng: Random, others: Iterator[str]) -> str:
    """A document in words: a heading and its sentences, with some of the others among them."""
    sentences = [
        rng.choice(SENTENCES).format(
            what=ATTRIBUTES[fact.attribute],
            town=names.towns[fact.town],
            value=names.towns[value] if fact.attribute < len(LINKS) else value,
        )
        for fact, value in document.statements
    ]
    if document.revokes:
        sentences.append(f"This revokes document {document.revokes}.")
    body = " ".join(mixed(rng, sentences, [*islice(others, rng.randint(0, 3))]))
    return (
        f"Document {document.number}: {TYPES[document.type]} by {names.authors[document.author]}, "
        f"written in {names.towns[document.origin]} on {day_in_words(document.day)}\n{body}"
    )


def other_documents(
    rng: Random, known: World, names: Names, own: Documents, size: tuple[int, int]
) -> Iterator[str]:
    """Documents about other towns; ``size`` has the number of characters of all of them, and that
    of the rules by which documents count. Some of these towns have names that are near to known
    ones, and documents revoke others of these, never own ones; without the rule on revocations,
    none does.
    """
    towns = dict.fromkeys(
        changed(rng, name.casefold()).capitalize() for name in names.towns for _ in range(3)
    )
    theirs = Names(
        tuple(town for town in [*towns, *known.towns] if town not in names.towns), names.authors
    )
    characters, rules = size
    used = {each.number for each in own}
    earlier, others = [(0, LAST)], reports(rng, known)
    while characters > 0:
        number = rng.choice(NUMBERED)
        if number in used:
            continue
        used.add(number)
        town = rng.randrange(len(theirs.towns))
        statements = []
        for attribute in rng.sample(range(len(ATTRIBUTES)), rng.randint(1, 2)):
            values = len(theirs.towns) if attribute < len(LINKS) else 10_000
            statements.append((Fact(town, attribute), rng.randrange(values)))
        day = rng.randint(FIRST, LAST)
        revoked, before = rng.choice(earlier)
        document = Document(
            number,
            rng.randrange(len(TYPES)),
            rng.randrange(len(names.authors)),
            rng.randrange(len(theirs.towns)),
            day,
            tuple(statements),
            revoked if rules >= REVOCATIONS and before < day and rng.random() < 0.2 else 0,
        )
        earlier.append((number, day))
        text = shown(document, theirs, rng, others)
        characters -= len(text) + 2
        yield text
