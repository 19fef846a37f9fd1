r"""Chemical formulas and reactions: H_2O, \ce{H2O}, SO_4^{2-}, 2H_2 + O_2 \to 2H_2O.

Two formulas are the same where they have the same symbols, numbers and charge in the same order;
which atoms are bound is not worked out. The terms of a reaction may change places on their side.
"""

import re
from typing import NamedTuple

LONGEST = 200
"""No formula or reaction has more characters."""

_NAMES = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br"
    " Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho"
    " Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es"
    " Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
)
_ELEMENTS = frozenset(_NAMES.split())
_OF_LIFE = frozenset("CHNO")
_WRAPPED = re.compile(r"\\(?:ce|text|mathrm|mathsf|rm|mbox|textrm)(?![a-zA-Z])\s?\{?")
_SPACING = re.compile(r"\\[,;:! ]|~|\$")
_ARROW = re.compile(
    r"\\(?:(?:long)?rightarrow|to|longrightarrow|rightleftharpoons|leftrightarrow)(?![a-zA-Z])"
    r"|<=>|-->|->|→|=>|="
)
_RIGHT_ARROWS = {"\\rightleftharpoons": "<=>", "\\leftrightarrow": "<=>", "<=>": "<=>"}
_PLUS = re.compile(r"(?<=\s)\+\s|(?<=[\w)}\]])\+(?=[\dA-Z])")
_SYMBOL = re.compile(r"([A-Z][a-z]?)|([(\[])|([)\]])|(\d{1,3})|(\*)")
_CHARGE = re.compile(r"\^\(?(\d?)([+-])(\d?)\)?\Z")
_STATE = re.compile(r"\((s|l|g|aq)\)\Z")
_COUNT = re.compile(r"(\d{1,3}) ?(?=[A-Z(\[])")


class Species(NamedTuple):
    """One formula: how many of it, its symbols and numbers in order, its charge and its state."""

    times: int
    pieces: tuple[str, ...]
    charge: int
    state: str

    def same(self, other: "Species") -> bool:
        """Whether it is the same; the state of matter may be left out."""
        states = {self.state, other.state} - {""}
        return self[:3] == other[:3] and len(states) < 2


class Formula(NamedTuple):
    """A formula, or the two sides of a reaction."""

    sides: tuple[tuple[Species, ...], ...]
    arrow: str
    sure: bool
    """Whether it can hardly be algebra: not for a product such as P_2V_2."""

    declared: bool
    """Whether it stands in a command for chemistry."""

    def same(self, other: "Formula") -> bool:
        """Whether it is the same formula, or the same reaction."""
        if self.arrow != other.arrow or len(self.sides) != len(other.sides):
            return False
        return all(
            len(left) == len(right)
            and all(one.same(another) for one, another in zip(sorted(left), sorted(right)))
            for left, right in zip(self.sides, other.sides)
        )


def formula(text: str) -> Formula | None:
    r"""Read a chemical formula or equation; return None if the text is none.

    >>> formula("H_2O").same(formula(r"\ce{H2O}")), formula("H_2O").same(formula("OH_2"))
    (True, False)
    >>> formula("P_2V_2").sure, formula("x^2"), formula("Bob")
    (False, None, None)
    """
    if not 0 < len(text) <= LONGEST or not _UPPER.search(text):
        return None
    declared = "\\ce" in text
    bare = _SPACING.sub(" ", _WRAPPED.sub("", text))
    arrows = _ARROW.findall(bare)
    if len(arrows) > 1:
        return None
    sides = tuple(_side(side) for side in _ARROW.split(bare))
    read = tuple(side for side in sides if side)
    if len(read) < len(sides):
        return None
    species = [one for side in read for one in side]
    arrow = _RIGHT_ARROWS.get(arrows[0], "->") if arrows else ""
    if not arrow and len(species) > 1:
        return None  # a sum is algebra
    sure = _is_sure(species[0]) if not arrow else any(map(_is_molecule, species))
    sure = sure and arrows != ["="]
    return Formula(read, arrow, declared or sure, declared)


_UPPER = re.compile(r"[A-Z]")


def _side(text: str) -> tuple[Species, ...] | None:
    terms = [_species(term) for term in _PLUS.split(text)]
    read = tuple(term for term in terms if term is not None)
    return read if len(read) == len(terms) else None


def _species(text: str) -> Species | None:
    bare = text.strip().replace("{", "").replace("}", "").replace("_", "").strip()
    bare = re.sub(r" ?(?:\\cdot(?![a-z])|·|\*|\.(?=\d)) ?", "*", bare)
    state, times, charge = "", 1, 0
    if match := _STATE.search(bare):
        state, bare = match[1], bare[: match.start()].rstrip()
    if match := _CHARGE.search(bare):
        size = int(match[1] or match[3] or 1)
        charge, bare = size if match[2] == "+" else -size, bare[: match.start()]
    elif bare[-1:] in {"+", "-"}:
        charge, bare = (1 if bare[-1] == "+" else -1), bare[:-1]
    if match := _COUNT.match(bare):
        times, bare = int(match[1]), bare[match.end() :]
    pieces = _pieces(bare)
    return None if pieces is None else Species(times, pieces, charge, state)


def _pieces(text: str) -> tuple[str, ...] | None:
    """Symbols, numbers and brackets in order; None where it is no formula."""
    pieces: list[str] = []
    position = depth = 0
    while position < len(text):
        match = _SYMBOL.match(text, position)
        if match is None:
            return None
        symbol = match[0]
        if match[1] and symbol not in _ELEMENTS:
            symbol = symbol[0]
            if symbol not in _ELEMENTS or match[1] != symbol:
                return None
        depth += bool(match[2]) - bool(match[3])
        if depth < 0 or (match[4] and (not pieces or pieces[-1].isdecimal())):
            return None
        pieces.append(symbol)
        position += len(symbol)
    return tuple(pieces) if pieces and not depth and pieces[0] != "*" else None


def _symbols(one: Species) -> list[str]:
    return [piece for piece in one.pieces if piece[0].isalpha()]


def _is_molecule(one: Species) -> bool:
    """Whether a term of a reaction can hardly be a variable."""
    return one.times > 1 or one.charge != 0 or len(set(_symbols(one))) > 1


def _is_sure(one: Species) -> bool:
    """Whether a formula can hardly be a product of variables."""
    symbols = _symbols(one)
    numbers = [piece for piece in one.pieces if piece.isdecimal()]
    if one.charge and len(symbols) > 0:
        return True
    if len(set(symbols)) < 2 or one.times > 1:
        return False
    if any(len(symbol) > 1 for symbol in symbols):
        return True
    if not numbers or "1" in numbers:
        return False
    return len(numbers) < len(symbols) or len(set(numbers)) > 1 or _OF_LIFE.issuperset(symbols)
