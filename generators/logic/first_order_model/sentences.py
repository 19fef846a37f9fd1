"""First-order sentences over finite domains: random ones, their truth, and their wording.

A formula is a tuple: ``("all", "x", part)``, ``("some", "x", part)``, ``("not", part)``, ``("and",
one, other)``, the same with ``or``, ``if`` and ``iff``, ``("=", "x", "y")``, or a predicate with
its variables, such as ``("R", "x", "y")``. Elements are numbered from 1.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from typing_extensions import TypeAliasType

Link = Literal["and", "or", "if", "iff"]
Formula = TypeAliasType(
    "Formula",
    "tuple[Literal['all', 'some'], str, Formula]"
    " | tuple[Literal['not'], Formula]"
    " | tuple[Link, Formula, Formula]"
    " | tuple[str, str]"
    " | tuple[str, str, str]",
)

Atom = tuple[str, tuple[int, ...]]
"""A predicate and its elements."""

VARIABLES = "xyzuvw"
LINKS = get_args(Link)


class Signature(NamedTuple):
    """Predicates of one place and of two, and the number of elements."""

    unary: str
    binary: str
    elements: int

    def atoms(self) -> list[Atom]:
        """All atoms, by predicate."""
        whole = range(1, self.elements + 1)
        ones: list[Atom] = [(name, (n,)) for name in self.unary for n in whole]
        return ones + [(name, pair) for name in self.binary for pair in product(whole, repeat=2)]


def masks(formula: Any, worlds: Mapping[Atom, int], every: int, elements: int) -> int:
    """The structures in which a sentence is true, as a mask.

    ``worlds`` has the structures in which each atom is true, and ``every`` all structures.

    >>> worlds = {("P", (1,)): 0b0011, ("P", (2,)): 0b0101}
    >>> bin(masks(("some", "x", ("not", ("P", "x"))), worlds, 0b1111, 2))
    '0b1110'
    """
    bound = dict[str, int]()

    def mask(part: Any) -> int:
        link = part[0]
        if link == "not":
            return every ^ mask(part[1])
        if link in {"all", "some"}:
            before = bound.get(part[1])
            result = every if link == "all" else 0
            for element in range(1, elements + 1):
                bound[part[1]] = element
                inner = mask(part[2])
                result = result & inner if link == "all" else result | inner
            if before is not None:
                bound[part[1]] = before
            return result
        if link == "=":
            return every if bound[part[1]] == bound[part[2]] else 0
        if link in LINKS:
            one, other = mask(part[1]), mask(part[2])
            if link == "and":
                return one & other
            if link == "or":
                return one | other
            if link == "if":
                return (every ^ one) | other
            return every ^ one ^ other
        return worlds[link, tuple([bound[name] for name in part[1:]])]

    return mask(formula)


def satisfying(formula: Any, names: Sequence[str], true: Mapping[Atom, bool], elements: int) -> Any:
    """The values of variables that make a formula true in a structure, as a set of tuples.

    This is the definition of Alfred Tarski (1933), from the parts up to the whole. The set for no
    variables has the empty tuple if the sentence is true.
    """
    whole = set(product(range(1, elements + 1), repeat=len(names)))
    link, *parts = formula
    if link == "not":
        return whole - satisfying(parts[0], names, true, elements)
    if link in {"all", "some"}:
        inner = satisfying(parts[1], [*names, parts[0]], true, elements)
        counts = dict[tuple[int, ...], int]()
        for values in inner:
            counts[values[:-1]] = counts.get(values[:-1], 0) + 1
        return {each for each, n in counts.items() if n == elements or link == "some"}
    if link in LINKS:
        one, other = (satisfying(part, names, true, elements) for part in parts)
        if link == "and":
            return one & other
        if link == "or":
            return one | other
        return (whole - one) | other if link == "if" else whole - (one ^ other)
    places = [max(n for n, each in enumerate(names) if each == name) for name in parts]
    if link == "=":
        return {values for values in whole if len({values[n] for n in places}) == 1}
    return {values for values in whole if true[link, tuple(values[n] for n in places)]}


def wording(formula: Any) -> str:
    """A formula in words and signs.

    >>> wording(("all", "x", ("some", "y", ("if", ("P", "x"), ("not", ("R", "x", "y"))))))
    'for every x, for some y: P(x) implies not R(x,y)'
    """
    link, *parts = formula
    match link:
        case "all" | "some":
            inner = wording(parts[1])
            sign = "," if parts[1][0] in {"all", "some"} else ":"
            return f"for {'every' if link == 'all' else link} {parts[0]}{sign} {inner}"
        case "not":
            part = parts[0]
            if part[0] == "=":
                return f"{part[1]} \u2260 {part[2]}"
            return f"not {_inside(part)}"
        case "=":
            return f"{parts[0]} = {parts[1]}"
    if link in LINKS:
        sign = {"if": "implies", "iff": "if and only if"}.get(link, link)
        return f"{_inside(parts[0])} {sign} {_inside(parts[1])}"
    return f"{link}({','.join(parts)})"


def _inside(formula: Any) -> str:
    """A part of a formula, in parentheses if it is compound."""
    text = wording(formula)
    return f"({text})" if formula[0] in {"all", "some", *LINKS} else text


def random_sentence(rng: Random, signature: Signature, depth: int) -> Any:
    """A random sentence with quantifiers nested up to a depth, most of them in alternation."""
    return _random(rng, signature, rng.randint(max(1, depth - 1), depth), "", "")


def _random(rng: Random, signature: Signature, depth: int, names: str, before: str) -> Any:
    if not depth:
        parts = [_literal(rng, signature, names)]
        while len(parts) < 3 and rng.random() < 0.7:
            extra = _literal(rng, signature, names)
            if _atom(extra) not in map(_atom, parts):
                parts.append(extra)
        whole = parts[0]
        for part in parts[1:]:
            whole = (rng.choice(("and", "or", "or", "iff")), whole, part)
        return whole
    other = {"all": "some", "some": "all"}.get(before)
    link = other if other and rng.random() < 0.75 else rng.choice(("all", "some"))
    names += VARIABLES[len(names)]
    body = _random(rng, signature, depth - 1, names, link)
    if rng.random() < 0.5:
        guard = _literal(rng, signature, names)
        if _atom(guard) not in _atoms(body):
            body = ("if" if link == "all" else "and", guard, body)
    return (link, names[-1], body)


def _literal(rng: Random, signature: Signature, names: str) -> Any:
    """A literal about the latest variable, and perhaps about another one."""
    latest, earlier = names[-1], names[:-1]
    chance = rng.random()
    atom: Any
    if signature.binary and chance < (0.7 if earlier else 0.3):
        pair = [latest, rng.choice(earlier) if earlier and rng.random() < 0.85 else latest]
        rng.shuffle(pair)
        same = len(set(pair)) == 1
        atom = ("=", *pair) if chance < 0.1 and not same else (rng.choice(signature.binary), *pair)
    else:
        atom = (rng.choice(signature.unary), latest)
    return ("not", atom) if rng.random() < 0.5 else atom


def _atom(literal: Any) -> Any:
    return literal[1] if literal[0] == "not" else literal


def _atoms(formula: Any) -> list[Any]:
    """The atoms of a formula."""
    link, *parts = formula
    if link in {"not", *LINKS}:
        return [atom for part in parts for atom in _atoms(part)]
    return _atoms(parts[1]) if link in {"all", "some"} else [formula]
