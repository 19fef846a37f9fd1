"""Terms and their rewriting: random terms and rules, all single rewrites, path orders.

A term is a tree as :func:`palaestra.verifiers.proofs.rewriting.term` reads it; variables are the
names ``x``, ``y`` and ``z``. The notions are those of Franz Baader and Tobias Nipkow, "Term
Rewriting and All That" (1998).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import NamedTuple

from palaestra.verifiers.proofs.rewriting import Position, Term

VARIABLES = ("x", "y", "z")


class Rule(NamedTuple):
    """An equation from left to right."""

    left: Term
    right: Term


class Signature(NamedTuple):
    """The symbols of terms."""

    constants: tuple[str, ...]
    unary: tuple[str, ...]
    binary: tuple[str, ...]


def signature(constants: int, functions: int) -> Signature:
    """So many constants (at most 4) and functions of one argument (at most 3), and a sum."""
    return Signature(("a", "b", "c", "d")[:constants], ("f", "g", "h")[:functions], ("+",))


def written(term: Term) -> str:
    """A term without spaces, with parentheses around each sum in another one.

    >>> written(("+", ("+", ("a",), ("x",)), ("f", ("+", ("a",), ("b",)))))
    '(a+x)+f(a+b)'
    """
    if len(term) == 1:
        return term[0]
    if len(term) == 2:
        return f"{term[0]}({written(term[1])})"
    left, right = (f"({written(part)})" if len(part) == 3 else written(part) for part in term[1:])
    return f"{left}{term[0]}{right}"


def size(term: Term) -> int:
    """The number of symbols of a term.

    >>> size(("f", ("+", ("a",), ("b",))))
    4
    """
    return 1 + sum(map(size, term[1:]))


def least_renaming(
    terms: Sequence[str], pairs: Sequence[tuple[str, str]], *, directed: bool
) -> str:
    """A text that is the same for the same terms and pairs of terms with other names of constants
    and of functions, with other variables in a pair, with the pairs in another order, and, unless
    they are ``directed``, with their sides exchanged.

    >>> one = least_renaming(["a+b"], [("f(x+y)", "y"), ("b", "a")], directed=True)
    >>> one == least_renaming(["b+a"], [("a", "b"), ("g(y+x)", "x")], directed=True)
    True
    """
    whole = "".join([*terms, *(side for pair in pairs for side in pair)])
    constants, functions = ([*filter(whole.count, names)] for names in ("abcd", "fgh"))
    texts = list[str]()
    for one, other in product(permutations(constants), permutations(functions)):
        names = str.maketrans("".join([*one, *other]), "abcd"[: len(one)] + "fgh"[: len(other)])
        lines = list[str]()
        for left, right in pairs:
            ways = [f"{left} {right}"] if directed else [f"{left} {right}", f"{right} {left}"]
            lines.append(min(_in_order(way.translate(names)) for way in ways))
        texts.append("\n".join([*(each.translate(names) for each in terms), *sorted(lines)]))
    return min(texts)


def _in_order(pair: str) -> str:
    """A pair of terms whose variables appear in the order of :data:`VARIABLES`."""
    known = dict.fromkeys(filter(VARIABLES.__contains__, pair))
    return pair.translate(str.maketrans("".join(known), "".join(VARIABLES[: len(known)])))


def random_term(rng: Random, signature: Signature, leaves: Sequence[str], symbols: int) -> Term:
    """A random term of so many symbols, whose leaves are drawn from some names."""
    if symbols <= 1:
        return (rng.choice(leaves),)
    if symbols == 2 or rng.random() < 0.4:
        return (rng.choice(signature.unary), random_term(rng, signature, leaves, symbols - 1))
    left = rng.randint(1, symbols - 2)
    return (
        rng.choice(signature.binary),
        random_term(rng, signature, leaves, left),
        random_term(rng, signature, leaves, symbols - 1 - left),
    )


def variables(term: Term) -> list[str]:
    """The variables of a term, as often as they occur.

    >>> variables(("+", ("x",), ("f", ("x",))))
    ['x', 'x']
    """
    if len(term) == 1:
        return [term[0]] if term[0] in VARIABLES else []
    return [name for part in term[1:] for name in variables(part)]


def matched(pattern: Term, subject: Term) -> dict[str, Term] | None:
    """The values of variables that make a pattern equal to a term; None if there are none."""
    bound: dict[str, Term] = {}
    pending = [(pattern, subject)]
    while pending:
        one, other = pending.pop()
        if one[0] in VARIABLES:
            if bound.setdefault(one[0], other) != other:
                return None
        elif one[0] != other[0] or len(one) != len(other):
            return None
        else:
            pending += zip(one[1:], other[1:])
    return bound


def instance(pattern: Term, values: Mapping[str, Term]) -> Term:
    """A term with values in place of its variables; those without a value stay."""
    if len(pattern) == 1:
        return values.get(pattern[0], pattern)
    return (pattern[0], *(instance(part, values) for part in pattern[1:]))


def positions(term: Term, at: Position = ()) -> Iterator[tuple[Position, Term]]:
    """Each subterm with its position, from the left and the outside."""
    yield at, term
    for number, part in enumerate(term[1:], 1):
        yield from positions(part, (*at, number))


def replaced(term: Term, at: Position, part: Term) -> Term:
    """A term with another subterm at a position."""
    if not at:
        return part
    return (
        term[0],
        *(
            replaced(each, at[1:], part) if number == at[0] else each
            for number, each in enumerate(term[1:], 1)
        ),
    )


def rewritten(term: Term, rule: Rule) -> set[Term]:
    """All results of one use of a rule, position by position.

    >>> sorted(map(written, rewritten(("f", ("f", ("a",))), Rule(("f", ("x",)), ("b",)))))
    ['b', 'f(b)']
    """
    return {
        replaced(term, at, instance(rule.right, values))
        for at, part in positions(term)
        if (values := matched(rule.left, part)) is not None
    }


class Result(NamedTuple):
    """A term that one use of a rule makes of another one."""

    rule: int
    """The index of the rule."""
    term: Term
    growth: int
    """By how many symbols it is longer than the other term."""


class Rewriting:
    """The results of one use of a rule at any part of a term. No left side is a variable.

    Those of parts are kept, as the terms of a search have most of their parts in common.

    >>> system = Rewriting([Rule(("f", ("x",)), ("x",))])
    >>> [written(term) for _, term, _ in system.results(("f", ("+", ("f", ("a",)), ("b",))))]
    ['f(a)+b', 'f(a+b)']
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self._results = dict[Term, list[Result]]()

    def results(self, term: Term) -> list[Result]:
        """All results, from the outside in, and from the left."""
        known = self._results.get(term)
        if known is not None:
            return known
        results = list[Result]()
        for number, (left, right) in enumerate(self.rules):
            if left[0] == term[0]:
                values = matched(left, term)
                if values is not None:
                    fresh = instance(right, values)
                    results.append(Result(number, fresh, size(fresh) - size(term)))
        name, *parts = term
        for n, each in enumerate(parts):
            for number, part, growth in self.results(each):
                others = list(parts)
                others[n] = part
                results.append(Result(number, (name, *others), growth))
        self._results[term] = results
        return results


def is_greater(one: Term, other: Term, precedence: Mapping[str, int]) -> bool:
    """Whether a term is greater in the lexicographic path order (Samuel Kamin and Jean-Jacques
    Levy, 1980), in which rules that decrease terminate.

    >>> is_greater(("f", ("+", ("x",), ("y",))), ("+", ("x",), ("f", ("y",))), {"f": 2, "+": 1})
    True
    """
    if one[0] in VARIABLES:
        return False
    if other[0] in VARIABLES:
        return other[0] in variables(one)
    if any(part == other or is_greater(part, other, precedence) for part in one[1:]):
        return True
    if precedence[one[0]] < precedence[other[0]]:
        return False
    if not all(is_greater(one, part, precedence) for part in other[1:]):
        return False
    if precedence[one[0]] > precedence[other[0]]:
        return True
    for left, right in zip(one[1:], other[1:]):
        if left != right:
            return is_greater(left, right, precedence)
    return False
