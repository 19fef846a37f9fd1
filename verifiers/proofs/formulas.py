"""Formulas of propositional logic: parsing in the notations of textbooks, and truth tables.

A formula is a tree such as ``("if", ("p",), ("not", ("q",)))``, with the connectives of
:data:`SIGNS`, names of atoms, and the constants ``("true",)`` and ``("false",)``.
Names are case-sensitive. Not binds tightest, then and, or, if, iff; if is right-associative, the
others are left-associative.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from palaestra.verifiers.proofs.trees import Grammar, Tree

Formula = Tree

SIGNS: dict[str, tuple[str, int]] = {
    "iff": ("<->", 0),
    "if": ("->", 1),
    "or": ("|", 2),
    "and": ("&", 3),
}
"""The sign and the precedence of each connective; ``~``, for ``not``, binds tightest."""

FALSE: Formula = ("false",)
TRUE: Formula = ("true",)

MOST_FACTS = 16
"""The maximum number of atoms of a truth table; with as many, it takes some milliseconds."""

SPELLINGS: dict[str, tuple[str, ...]] = {
    "not": ("~", "¬", "∼", "!", "not", "\\lnot", "\\neg"),
    "and": ("&", "&&", "∧", "/\\", "and", "\\land", "\\wedge"),
    "or": ("|", "||", "∨", "\\/", "or", "\\lor", "\\vee"),
    "if": ("->", "=>", "→", "⇒", "⊃", "implies", "\\to", "\\rightarrow", "\\implies", "\\supset"),
    "iff": ("<->", "<=>", "↔", "⇔", "≡", "iff", "\\leftrightarrow", "\\iff", "\\equiv"),
    "false": ("⊥", "_|_", "false", "\\bot"),
    "true": ("⊤", "true", "\\top"),
}
"""The spellings of connectives and constants; words and commands in any case."""

_LOGIC = Grammar(
    what="a formula",
    spellings={spelling: link for link, row in SPELLINGS.items() for spelling in row},
    infix={link: binding for link, (_, binding) in SIGNS.items()},
    right={"if"},
    prefix={"not"},
    constants={"true", "false"},
)


def formula(text: str) -> Formula:
    r"""Read a formula.

    Raises :class:`InvalidAnswer` if the text is not a formula, or has more than 2,000 signs or 100
    levels.

    >>> formula("~p | q -> r")
    ('if', ('or', ('not', ('p',)), ('q',)), ('r',))
    >>> formula(r"\lnot p \lor q \to r") == formula("(not p or q) implies r") == _
    True
    """
    return _LOGIC.read(text)


def written(claim: Formula) -> str:
    """Write a formula in ASCII, with parentheses around every binary subformula.

    >>> written(formula("p and not (q or r) iff ⊥"))
    '(p & ~(q | r)) <-> false'
    """

    def inner(part: Formula) -> str:
        return f"({written(part)})" if len(part) == 3 else written(part)

    match claim:
        case (link, left, right):
            return f"{inner(left)} {SIGNS[link][0]} {inner(right)}"
        case ("not", part):
            return f"~{inner(part)}"
    return claim[0]


def facts(claim: Formula) -> set[str]:
    """The names in a formula.

    >>> sorted(facts(formula("p & (q -> p) | false")))
    ['p', 'q']
    """
    if len(claim) == 1:
        return {claim[0]} - {"true", "false"}
    return set().union(*map(facts, claim[1:]))


def entails(premises: Iterable[Formula], claim: Formula) -> bool:
    """Whether the premises entail a formula, by truth tables.

    Raises ``ValueError`` if there are more than 16 atoms.

    >>> entails([formula("p -> q"), formula("~q")], formula("~p"))
    True
    """
    premises = list(premises)
    names = sorted(set().union(facts(claim), *map(facts, premises)))
    if len(names) > MOST_FACTS:
        raise ValueError(f"{len(names)} facts are too many for a truth table")
    columns = _columns(tuple(names))
    models = columns["true"]
    for premise in premises:
        models &= _table(premise, columns)
    return models & ~_table(claim, columns) == 0


def truth_table(claim: Formula, names: Sequence[str]) -> int:
    """The truth of a formula in each valuation of some atoms, which include its own, as bits.

    The bit of a valuation has the number in which bit n is the truth of the nth atom.

    >>> bin(truth_table(formula("p & q"), "pq")), bin(truth_table(formula("q -> p"), "pq"))
    ('0b1000', '0b1011')
    """
    return _table(claim, _columns(tuple(names)))


@lru_cache(maxsize=16)
def _columns(names: tuple[str, ...]) -> dict[str, int]:
    """The truth of each atom in each valuation, and of both constants, as bits."""
    columns = {name: _column(index, len(names)) for index, name in enumerate(names)}
    return columns | {"true": (1 << (1 << len(names))) - 1, "false": 0}


def _column(index: int, number: int) -> int:
    """The truth of one atom in each valuation, as bits: runs of ``2 ** place``."""
    run = 1 << index
    bits, width = ((1 << run) - 1) << run, 2 * run
    while width < 1 << number:
        bits |= bits << width
        width *= 2
    return bits


def _table(claim: Formula, columns: Mapping[str, int]) -> int:
    """The truth of a formula in each valuation, as bits."""
    everywhere = columns["true"]
    match claim:
        case (name,):
            return columns[name]
        case ("not", part):
            return everywhere ^ _table(part, columns)
    one, other = (_table(part, columns) for part in claim[1:])
    match claim[0]:
        case "and":
            return one & other
        case "or":
            return one | other
        case "if":
            return (everywhere ^ one) | other
        case "iff":
            return everywhere ^ one ^ other
    raise ValueError(f"there is no link {claim[0]!r}")
