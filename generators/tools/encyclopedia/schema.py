"""The types of articles, the relations between them, and the words for both."""

from typing import Literal, NamedTuple, get_args

Type = Literal["person", "town", "province", "house", "book", "guild"]

YEAR, TRAIT = "year", "trait"
"""The targets of relations that lead to no article."""


class Relation(NamedTuple):
    """A fact that articles of a type state in one sentence, and questions name in a phrase."""

    source: Type
    target: str
    """A type, or :data:`YEAR` or :data:`TRAIT`."""
    sentences: tuple[str, ...]
    phrases: tuple[str, ...]
    optional: bool = False
    """Whether some articles lack it."""


class Inverse(NamedTuple):
    """A relation read backwards. Questions use it where exactly one article states the fact."""

    relation: str
    phrases: tuple[str, ...]


RELATIONS: dict[str, Relation] = {
    "profession": Relation(
        "person",
        TRAIT,
        (
            "{title} was a {value}.",
            "{title} worked as a {value}.",
            "{title} is remembered as a {value}.",
        ),
        ("the profession of {}",),
    ),
    "born": Relation(
        "person",
        YEAR,
        (
            "The year of birth is {value}.",
            "Birth came in the year {value}.",
            "Parish records give {value} as the year of birth.",
        ),
        ("the year of birth of {}", "the birth year of {}", "the year that saw the birth of {}"),
        optional=True,
    ),
    "birthplace": Relation(
        "person",
        "town",
        (
            "The town of birth is {value}.",
            "{value} is where this life began.",
            "At the time of the birth, the family lived in {value}.",
        ),
        ("the birthplace of {}", "the town of birth of {}", "the town that saw the birth of {}"),
        optional=True,
    ),
    "residence": Relation(
        "person",
        "town",
        (
            "Most years of work were spent in {value}.",
            "The workshop stood in {value}.",
            "{value} was the later home, with the workshop.",
        ),
        (
            "the town with the workshop of {}",
            "the town of work of {}",
            "the town that was the later home of {}",
        ),
        optional=True,
    ),
    "teacher": Relation(
        "person",
        "person",
        (
            "{value} was the teacher in younger years.",
            "The craft was learned from {value}.",
            "Lessons were taken with {value}.",
        ),
        ("the teacher of {}", "the person who taught {}", "the person who gave lessons to {}"),
        optional=True,
    ),
    "guild": Relation(
        "person",
        "guild",
        (
            "Membership was held in the {value}.",
            "The {value} had this person among its members.",
            "Dues were paid to the {value}.",
        ),
        (
            "the guild that had among its members {}",
            "the guild of {}",
            "the guild that took dues from {}",
        ),
        optional=True,
    ),
    "trade": Relation(
        "town",
        TRAIT,
        (
            "{title} is a town known for its {value}.",
            "{title} is a town that lives from its {value}.",
            "{title} is a town that sells {value} far and wide.",
        ),
        ("the trade of {}",),
    ),
    "town_founded": Relation(
        "town",
        YEAR,
        (
            "Settlers founded it in {value}.",
            "The town goes back to the year {value}.",
            "Its charter of foundation is of {value}.",
        ),
        (
            "the year of foundation of {}",
            "the founding year of {}",
            "the year of the charter of foundation of {}",
        ),
        optional=True,
    ),
    "province": Relation(
        "town",
        "province",
        (
            "It belongs to the {value}.",
            "It pays its taxes to the {value}.",
            "The {value} counts it among its towns.",
        ),
        (
            "the province that includes {}",
            "the province of {}",
            "the province that takes the taxes of {}",
        ),
    ),
    "builder": Relation(
        "town",
        "person",
        (
            "Its bridge was built by {value}.",
            "{value} built the bridge that crosses its river.",
            "The town hired {value} to build its bridge.",
        ),
        (
            "the builder of the bridge of {}",
            "the person who built the bridge of {}",
            "the person hired to build the bridge of {}",
        ),
        optional=True,
    ),
    "rival": Relation(
        "town",
        "town",
        (
            "Its old rival is {value}.",
            "It has long been at odds with {value}.",
            "A long rivalry sets it against {value}.",
        ),
        (
            "the town that is named as the old rival in the article on {}",
            "the town that counts as the rival of {}",
            "the old rival of {}",
        ),
        optional=True,
    ),
    "house": Relation(
        "province",
        "house",
        (
            "It is ruled by {value}.",
            "{value} rules it.",
            "The rule over it lies with {value}.",
        ),
        ("the house that rules {}", "the ruling house of {}", "the house that holds {}"),
    ),
    "capital": Relation(
        "province",
        "town",
        (
            "The capital is {value}.",
            "{value} is its capital.",
            "Its assembly meets in the capital, {value}.",
        ),
        ("the capital of {}", "the town that is the capital of {}", "the capital town of {}"),
    ),
    "house_founded": Relation(
        "house",
        YEAR,
        (
            "It goes back to the year {value}.",
            "The house was founded in {value}.",
            "Its line begins in {value}.",
        ),
        (
            "the year of foundation of {}",
            "the founding year of {}",
            "the year of the beginning of the line of {}",
        ),
    ),
    "seat": Relation(
        "house",
        "town",
        (
            "Its seat is {value}.",
            "The family has its castle in {value}.",
            "{value} has been its seat for generations.",
        ),
        ("the seat of {}", "the town with the castle of {}", "the town that is the seat of {}"),
        optional=True,
    ),
    "subject": Relation(
        "book",
        TRAIT,
        (
            "{title} is a book on {value}.",
            "{title} is a book that treats of {value}.",
            "{title} is a long book about {value}.",
        ),
        ("the subject of {}",),
    ),
    "published": Relation(
        "book",
        YEAR,
        (
            "It came out in {value}.",
            "The year of publication is {value}.",
            "Readers first had it in their hands in {value}.",
        ),
        (
            "the year of publication of {}",
            "the publication year of {}",
            "the year that saw the publication of {}",
        ),
        optional=True,
    ),
    "author": Relation(
        "book",
        "person",
        (
            "Its author is {value}.",
            "It was written by {value}.",
            "{value} wrote it in a single winter.",
        ),
        ("the author of {}", "the writer of {}", "the person who wrote {}"),
    ),
    "dedicated": Relation(
        "book",
        "person",
        (
            "It is dedicated to {value}.",
            "The first page thanks {value}, to whom it is dedicated.",
            "The dedication names {value}.",
        ),
        (
            "the person named in the dedication of {}",
            "the dedicatee of {}",
            "the person thanked on the first page of {}",
        ),
        optional=True,
    ),
    "printed": Relation(
        "book",
        "town",
        (
            "It was printed in {value}.",
            "The printer had his press in {value}.",
            "{value} is where it was printed.",
        ),
        (
            "the town of printing of {}",
            "the town with the press of the printer of {}",
            "the town that saw the printing of {}",
        ),
        optional=True,
    ),
    "guild_founded": Relation(
        "guild",
        YEAR,
        (
            "Craftsmen founded it in {value}.",
            "The guild has existed since {value}.",
            "Its oldest statutes are of {value}, the year of its foundation.",
        ),
        (
            "the year of foundation of {}",
            "the founding year of {}",
            "the year of the oldest statutes of {}",
        ),
    ),
    "hall": Relation(
        "guild",
        "town",
        (
            "Its hall stands in {value}.",
            "The members meet in a hall in {value}.",
            "{value} is the town of its hall.",
        ),
        (
            "the town of the hall of {}",
            "the town with the hall of {}",
            "the town that has the hall of {}",
        ),
    ),
    "patron": Relation(
        "guild",
        "house",
        (
            "Its patron is {value}.",
            "It enjoys the protection of {value}.",
            "{value} protects it as its patron.",
        ),
        ("the patron of {}", "the house that protects {}", "the house that is the patron of {}"),
        optional=True,
    ),
    "master": Relation(
        "guild",
        "person",
        (
            "Its first master was {value}.",
            "{value} was the first to preside over it as its master.",
            "The first master in its rolls is {value}.",
        ),
        (
            "the first master of {}",
            "the person who was the first master of {}",
            "the first person to preside over {}",
        ),
    ),
}
"""The relations by name."""

INVERSES: dict[str, Inverse] = {
    "wrote": Inverse(
        "author", ("the only book by {}", "the only book written by {}", "the sole work of {}")
    ),
    "taught": Inverse(
        "teacher",
        (
            "the only pupil of {}",
            "the only person taught by {}",
            "the one person who learned from {}",
        ),
    ),
    "capital_of": Inverse(
        "capital",
        (
            "the province whose capital is {}",
            "the province with the capital {}",
            "the province governed from {}, its capital",
        ),
    ),
    "seat_of": Inverse(
        "seat",
        (
            "the only house whose seat is {}",
            "the only house that has its castle in {}",
            "the only house with the seat {}",
        ),
    ),
    "presides": Inverse(
        "master",
        (
            "the only guild whose first master was {}",
            "the only guild first presided over by {}",
            "the only guild with the first master {}",
        ),
    ),
}
"""Relations read backwards, by name."""

OPENINGS: dict[str, tuple[str, ...]] = {
    "province": (
        "The {title} is a part of the realm.",
        "The {title} lies inland.",
        "The {title} lies by the sea.",
    ),
    "house": (
        "{title} is a noble family.",
        "{title} is a family of landowners.",
        "{title} is an old family.",
    ),
    "guild": (
        "The {title} is a union of craftsmen.",
        "The {title} unites masters of many crafts.",
        "The {title} is a brotherhood of crafts.",
    ),
}
"""The first sentences of types without a trait."""

LISTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "province": (
        "province",
        ("Its towns are {value}.", "The towns in it are {value}.", "It is made up of {value}."),
    ),
    "guild": (
        "guild",
        (
            "Its members were {value}.",
            "Its rolls list {value}.",
            "Those who belonged to it: {value}.",
        ),
    ),
    "house": (
        "heads",
        (
            "Its heads, each until the next, were {value}.",
            "The family was led by {value}, each until the next.",
            "The line of its heads, each until the next: {value}.",
        ),
    ),
}
"""For each type with a list, the relation of which it shows the sources, and its sentences. The
list of a house shows its heads, each with the year from which on.
"""

TRAITS: dict[str, tuple[str, tuple[str, ...]]] = {
    "person": (
        "profession",
        (
            "botanist", "cartographer", "gardener", "lawyer", "mason", "miller", "painter",
            "poet", "printer", "sailor", "surgeon", "weaver",
        ),
    ),
    "town": (
        "trade",
        (
            "amber", "cheese", "copper", "fish", "glass", "honey", "linen", "paper", "pottery",
            "salt", "timber", "wool",
        ),
    ),
    "book": (
        "subject",
        (
            "bees", "clocks", "comets", "dreams", "fevers", "gardens", "law", "mirrors",
            "music", "rivers", "ships", "trade",
        ),
    ),
}  # fmt: skip
"""For each type that may have namesakes, the relation to its trait and the values of that."""

YEARS: dict[str, str] = {
    "person": "born",
    "town": "town_founded",
    "house": "house_founded",
    "book": "published",
    "guild": "guild_founded",
}
"""For each type that has one, the relation to its year."""


def target_of(step: str) -> str:
    """The type that a relation or an inverse leads to."""
    if step in INVERSES:
        return RELATIONS[INVERSES[step].relation].source
    return RELATIONS[step].target


def phrases_of(step: str) -> tuple[str, ...]:
    """The phrases for what a relation or an inverse leads to."""
    return INVERSES[step].phrases if step in INVERSES else RELATIONS[step].phrases


def steps_from(source: str) -> tuple[str, ...]:
    """The relations and inverses that lead from a type to articles."""
    forward = [
        name
        for name, relation in RELATIONS.items()
        if relation.source == source and relation.target not in (YEAR, TRAIT)
    ]
    backward = [
        name for name, inverse in INVERSES.items() if RELATIONS[inverse.relation].target == source
    ]
    return (*forward, *backward)


TYPES: tuple[Type, ...] = get_args(Type)

STEPS: dict[Type, tuple[str, ...]] = {source: steps_from(source) for source in TYPES}
"""For each type the steps that lead on to articles."""

FACTS: dict[Type, tuple[str, ...]] = {
    source: tuple(name for name, relation in RELATIONS.items() if relation.source == source)
    for source in STEPS
}
"""For each type the relations that its articles state."""

LINKS = {name for name, relation in RELATIONS.items() if relation.target in TYPES}
"""The relations to articles."""

OPTIONAL = {name for name, relation in RELATIONS.items() if relation.optional}
"""The relations that some articles lack."""
