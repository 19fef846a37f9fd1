"""Invented statutes of definitions, charges and exceptions, and the cases that they decide."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.fiction import reports, world
from palaestra.generators.vocabulary import changed, words
from palaestra.rng import Rng

Role = Literal["definition", "exception", "charge", "unit charge", "rebate"]

CHARGES = frozenset({"charge", "unit charge", "rebate"})

SIZES = (
    ("length", "paces", 6, 40),
    ("age", "years", 1, 60),
    ("crew", "sailors", 2, 30),
    ("cargo", "sacks", 5, 90),
    ("draught", "spans", 3, 20),
)
"""What can be measured of a ship: the name, the unit, the least and the greatest value."""

TRAITS = ("home port", "port of destination", "town of the owner")
"""What names a town. A case has a town for each."""

TOWNS = 3
"""How many towns a trait is one of."""

CANDIDATES = 40
"""From how many cases those of a task are chosen."""

YEARS = range(1300, 1321)

AROUND = 121
"""How many characters a paragraph has, about."""


class Atom(NamedTuple):
    """A part of a condition: on a size, on a trait, or on a term that paragraphs define."""

    topic: Literal["size", "trait", "term"]
    subject: int
    """The index of the size, the trait or the term."""
    value: int
    """The size that has to be exceeded, or the town."""
    positive: bool


class Paragraph(NamedTuple):
    """A paragraph of a statute: what it does if its conditions are met."""

    role: Role
    target: int
    """The term that it defines, the paragraph that it excludes, or the size that it counts."""
    amount: int
    atoms: tuple[Atom, ...]
    every: bool = True
    """Whether all parts of its condition have to hold, and not just one of them."""
    first: int = YEARS.start
    """The years in which it is in force."""
    last: int = YEARS.stop - 1


class Case(NamedTuple):
    """A ship, and the year in which it comes."""

    year: int
    sizes: tuple[int, ...]
    towns: tuple[int, ...]


Statute = tuple[Paragraph, ...]


class Shape(NamedTuple):
    """How many paragraphs of each type a statute has, and how deep exceptions are nested."""

    terms: int
    charges: int
    exceptions: int
    depth: int
    dated: int
    """How many of 100 paragraphs are not in force in some years."""


def random_statute(rng: Random, shape: Shape, case: Case) -> Statute:
    """A statute with an exception to an exception that matters in a case, unless the depth is 1, in
    which no paragraph depends on itself, in random order.

    A term is defined by terms before it. What excludes a paragraph depends on terms before the one
    that this defines. Exceptions are made from charges and definitions first, and then from
    exceptions, up to the depth.
    """
    paragraphs = list[Paragraph]()
    bounds, depths = list[int](), list[int]()  # of each: the terms that it may use, its depth
    for term in range(shape.terms):
        for _ in range(1 + (rng.random() < 0.5)):
            atoms = _atoms(rng, term)
            paragraphs.append(Paragraph("definition", term, 0, atoms, rng.random() < 0.5))
            bounds.append(term)
            depths.append(0)
    for n in range(shape.charges):
        role: Role = ("unit charge", "charge", "charge", "rebate")[n % 4]
        amount = rng.randint(2, 9) if role == "unit charge" else rng.randint(11, 99)
        atoms = _atoms(rng, shape.terms)
        target = rng.randrange(len(SIZES))
        paragraphs.append(Paragraph(role, target, amount, atoms, rng.random() < 0.5))
        bounds.append(shape.terms)
        depths.append(0)
    roots = len(paragraphs)
    charges = range(roots - shape.charges, roots)
    fixed = set[int]()  # what nothing else is an exception to, and what is in force always
    if shape.depth > 1 < shape.exceptions:
        fixed = {roots - 1, roots, roots + 1}
        paragraphs[-1] = paragraphs[-1]._replace(atoms=_met(rng, case))
        for target in (roots - 1, roots):
            paragraphs.append(Paragraph("exception", target, 0, _met(rng, case)))
            bounds.append(0)
            depths.append(target - roots + 2)
    while len(paragraphs) < roots + shape.exceptions:
        # Most exceptions are made from other ones, where that is allowed.
        free = [n for n in range(roots, len(paragraphs)) if n not in fixed]
        deep = [n for n in free if depths[n] < shape.depth]
        if deep and rng.random() < 0.65:
            target = rng.choice(deep)
        else:
            options = charges if rng.random() < 0.7 else range(roots)
            target = rng.choice([n for n in options if n not in fixed])
        atoms = _atoms(rng, bounds[target])
        paragraphs.append(Paragraph("exception", target, 0, atoms, rng.random() < 0.3))
        bounds.append(bounds[target])
        depths.append(depths[target] + 1)
    order = rng.sample(range(len(paragraphs)), len(paragraphs))
    position = {old: new for new, old in enumerate(order)}
    return tuple(
        each._replace(target=position[each.target]) if each.role == "exception" else each
        for each in (
            _in_force(rng, paragraphs[old], 0 if old in fixed else shape.dated) for old in order
        )
    )


def _in_force(rng: Random, paragraph: Paragraph, dated: int) -> Paragraph:
    """A paragraph that is in force always, or in some years alone."""
    if rng.random() * 100 < dated:
        year = rng.choice(YEARS[5:-5])
        if rng.random() < 0.5:
            return paragraph._replace(first=year)
        return paragraph._replace(last=year)
    return paragraph


def _met(rng: Random, case: Case) -> tuple[Atom, ...]:
    """A condition on a size that a case meets."""
    subject = rng.randrange(len(SIZES))
    _, _, low, high = SIZES[subject]
    bound = rng.randint(low, high - 1)
    return (Atom("size", subject, bound, case.sizes[subject] > bound),)


def _atoms(rng: Random, terms: int) -> tuple[Atom, ...]:
    """One or two parts of a condition, the first of which is a term if there are any."""
    atoms = list[Atom]()
    if terms and rng.random() < 0.8:
        atoms.append(Atom("term", rng.randrange(terms), 0, rng.random() < 0.7))
    while not atoms or (len(atoms) < 2 and rng.random() < 0.6):
        positive = rng.random() < 0.6
        if rng.random() < 0.7:
            index = rng.randrange(len(SIZES))
            _, _, low, high = SIZES[index]
            bound = rng.randint(low + (high - low) // 4, high - (high - low) // 4)
            atoms.append(Atom("size", index, bound, positive))
        else:
            atoms.append(Atom("trait", rng.randrange(len(TRAITS)), rng.randrange(TOWNS), positive))
    if len(atoms) == 2 and atoms[0][:2] == atoms[1][:2]:
        atoms.pop()
    return tuple(atoms)


def random_case(rng: Random) -> Case:
    """A ship of random sizes and towns."""
    return Case(
        rng.choice(YEARS),
        tuple(rng.randint(low, high) for _, _, low, high in SIZES),
        tuple(rng.randrange(TOWNS) for _ in TRAITS),
    )


class Decision(NamedTuple):
    """What is due, and the paragraphs with charges and rebates that apply."""

    amount: int
    paragraphs: frozenset[int]


class Reader:
    """Decides whether paragraphs apply to a case, each at most once.

    ``depth`` is to what depth exceptions have an effect: 0 for none. ``dates`` and ``terms`` are
    whether the years of paragraphs and the definitions of terms do.
    """

    def __init__(
        self, statute: Statute, case: Case, depth: int = 99, dates: bool = True, terms: bool = True
    ) -> None:
        self.statute, self.case = statute, case
        self.depth, self.dates, self.terms = depth, dates, terms
        self.excluding, self.defining = _references(statute)
        self.known: dict[tuple[int, int], bool] = {}

    def applies(self, number: int, depth: int = 0) -> bool:
        """Whether a paragraph applies, which is an exception of a depth."""
        key = number, min(depth, self.depth)
        if key not in self.known:
            exceptions = self.excluding.get(number, ()) if depth < self.depth else ()
            self.known[key] = self._is_met(number) and not any(
                self.applies(each, depth + 1) for each in exceptions
            )
        return self.known[key]

    def _is_met(self, number: int) -> bool:
        """Whether a paragraph is in force, and its condition is met."""
        paragraph = self.statute[number]
        if self.dates and not paragraph.first <= self.case.year <= paragraph.last:
            return False
        parts = (self._holds(atom) == atom.positive for atom in paragraph.atoms)
        return all(parts) if paragraph.every else any(parts)

    def _holds(self, atom: Atom) -> bool:
        if atom.topic == "size":
            return self.case.sizes[atom.subject] > atom.value
        if atom.topic == "trait":
            return self.case.towns[atom.subject] == atom.value
        return self.terms and any(self.applies(each) for each in self.defining[atom.subject])

    def decision(self) -> Decision:
        """What the statute decides."""
        numbers = [n for n, each in enumerate(self.statute) if each.role in CHARGES]
        applied = [n for n in numbers if self.applies(n)]
        return Decision(sum(due(self.statute[n], self.case) for n in applied), frozenset(applied))


@lru_cache(maxsize=64)
def _references(
    statute: Statute,
) -> tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]]:
    """The paragraphs that exclude each paragraph, and those that define each term."""
    excluding, defining = dict[int, list[int]](), dict[int, list[int]]()
    for n, each in enumerate(statute):
        if each.role == "exception":
            excluding.setdefault(each.target, []).append(n)
        elif each.role == "definition":
            defining.setdefault(each.target, []).append(n)
    return excluding, defining


def due(paragraph: Paragraph, case: Case) -> int:
    """What a charge or a rebate adds to the due."""
    match paragraph.role:
        case "unit charge":
            return paragraph.amount * case.sizes[paragraph.target]
        case "rebate":
            return -paragraph.amount
    return paragraph.amount


def careless_readers(statute: Statute, case: Case) -> Mapping[str, Reader]:
    """Readers who leave a part of the statute out, by name."""
    return {
        "without exceptions": Reader(statute, case, depth=0),
        "without exceptions to exceptions": Reader(statute, case, depth=1),
        "without definitions": Reader(statute, case, terms=False),
        "without years": Reader(statute, case, dates=False),
    }


def random_cases(rng: Random, statute: Statute, first: Case, number: int) -> tuple[Case, ...]:
    """Cases in which something is due, the first one and others, so that each careless reader
    decides one of them wrongly if that is possible.
    """
    candidates = list[tuple[Case, frozenset[str]]]()
    for case in [first, *(random_case(rng) for _ in range(CANDIDATES))]:
        right = Reader(statute, case).decision()
        readers = careless_readers(statute, case).items()
        wrong = frozenset(name for name, reader in readers if reader.decision() != right)
        if right.paragraphs:
            candidates.append((case, wrong))
    cases, misled = list[Case](), set[str]()
    while candidates and len(cases) < number:
        best = max(candidates, key=lambda pair: (len(pair[1] - misled), len(pair[1])))
        candidates.remove(best)
        cases.append(best[0])
        misled |= best[1]
    rng.shuffle(cases)
    return tuple(cases)


def settled(statute: Statute, case: Case) -> frozenset[int]:
    """All paragraphs that apply, from rounds in which what is certain grows.

    A paragraph is certain to apply if its condition is certain to be met, and all that exclude it
    are certain not to apply; it is certain not to apply if the opposite of either is certain.
    """
    excluding, defining = _references(statute)
    known: dict[int, bool] = {}

    def truth(atom: Atom) -> bool | None:
        if atom.topic == "size":
            value: bool | None = case.sizes[atom.subject] > atom.value
        elif atom.topic == "trait":
            value = case.towns[atom.subject] == atom.value
        else:
            states = [known.get(n) for n in defining[atom.subject]]
            value = True if True in states else None if None in states else False
        return value if value is None else value == atom.positive

    while len(known) < len(statute):
        for n, each in enumerate(statute):
            parts = [truth(atom) for atom in each.atoms]
            decisive = not each.every  # the value of a part that settles the condition
            met = decisive if decisive in parts else None if None in parts else not decisive
            met = met and True if each.first <= case.year <= each.last else False
            against = [known.get(other) for other in excluding.get(n, ())]
            if met is False or True in against:
                known[n] = False
            elif met and None not in against:
                known[n] = True
    return frozenset(n for n, applies in known.items() if applies)


class Names(NamedTuple):
    """The names of defined terms and of towns."""

    terms: tuple[str, ...]
    towns: tuple[str, ...]


def term_names(rng: Random, number: int) -> tuple[str, ...]:
    """Invented terms, many of which differ from another one in a letter."""
    names: dict[str, None] = {}
    for name in words(rng, number, 5, 7):
        names[name] = None
        names[changed(rng, name)] = None
    return tuple(names)[:number]


def _condition(paragraph: Paragraph, names: Names) -> str:
    parts = []
    for topic, index, value, positive in paragraph.atoms:
        if topic == "size":
            name, unit, _, _ = SIZES[index]
            parts.append(f"whose {name} is {'more than' if positive else 'at most'} {value} {unit}")
        elif topic == "trait":
            not_ = "" if positive else "not "
            parts.append(f"whose {TRAITS[index]} is {not_}{names.towns[value]}")
        else:
            parts.append(
                f"that {'counts' if positive else 'does not count'} as {names.terms[index]}"
            )
    return (" and " if paragraph.every else " or ").join(parts)


def sentence(paragraph: Paragraph, numbers: Sequence[int], names: Names, noun: str) -> str:
    """A paragraph in words, without its number. ``numbers`` are those of all paragraphs."""
    which = f"{noun} {_condition(paragraph, names)}"
    match paragraph.role:
        case "definition":
            text = f"A {which} counts as {names.terms[paragraph.target]}."
        case "exception":
            text = f"§{numbers[paragraph.target]} does not apply to a {which}."
        case "charge":
            text = f"For a {which}, {paragraph.amount} coins are due."
        case "unit charge":
            name, unit, _, _ = SIZES[paragraph.target]
            text = (
                f"For a {which}, {paragraph.amount} coins are due for each of the {unit} of its "
                f"{name}."
            )
        case "rebate":
            text = f"For a {which}, the due is reduced by {paragraph.amount} coins."
    if paragraph.first > YEARS.start:
        text += f" This is in force from {paragraph.first} on."
    elif paragraph.last < YEARS.stop - 1:
        text += f" This was in force until the end of {paragraph.last}."
    return text


NOUNS = ("cart", "kiln", "mill", "barge", "stall", "sledge")
"""What other paragraphs are about."""


def other_sentences(rng: Random, names: Names) -> Iterator[tuple[str, bool]]:
    """Paragraphs about other things without end; true for those that need the number of another
    paragraph of this sort instead of ``{}``.
    """
    terms = tuple(
        dict.fromkeys(
            name
            for term in names.terms
            for _ in range(4)
            if (name := changed(rng, term)) not in names.terms
        )
    )
    others = Names(terms, names.towns)
    roles: tuple[Role, ...] = ("definition", "definition", "charge", "rebate", "exception")
    while True:
        role = rng.choice(roles)
        target = 0 if role == "exception" else rng.randrange(len(terms))
        atoms = _atoms(rng, len(terms))
        amount = rng.randint(11, 99)
        paragraph = Paragraph(role, target, amount, atoms, rng.random() < 0.5)
        text = sentence(_in_force(rng, paragraph, 20), (0,), others, rng.choice(NOUNS))
        yield text.replace("§0", "§{}"), role == "exception"


@lru_cache(maxsize=16)
def text_of(
    statute: Statute, numbers: tuple[int, ...], names: Names, seed: int, paragraphs: int
) -> str:
    """The text of a statute of so many paragraphs, whose own ones have the ``numbers``. Some are
    followed by a note, which is a sentence about a fictional world.
    """
    rng = Rng(f"{seed} text")
    own = dict(zip(numbers, statute))
    others, notes = other_sentences(rng, names), reports(rng, world(seed))
    earlier = list[int]()
    parts = list[str]()
    for number in range(1, paragraphs + 1):
        if number in own:
            text = sentence(own[number], numbers, names, "ship")
        else:
            text, refers = next(others)
            while refers and not earlier:
                text, refers = next(others)
            if refers:
                text = text.format(rng.choice(earlier))
            earlier.append(number)
        parts.append(f"§{number}. {text}")
        if rng.random() < 0.3:
            parts.append(f"Note: {' '.join(islice(notes, 1))}")
    return "\n".join(parts)
