"""Terms, equations between them, and the rule by which an equation rewrites a term.

This is the kernel of :mod:`palaestra.verifiers.proofs.equations`: every accepted step follows from
the axioms by replacing equals with equals (Garrett Birkhoff, 1935).
"""

from collections.abc import Collection, Iterator

from palaestra.task import InvalidAnswer
from palaestra.verifiers.proofs.trees import Grammar, Tree

Term = Tree
Equation = tuple[Term, Term]

Position = tuple[int, ...]
"""The argument numbers, counted from 1, that lead from the root of a term to a subterm."""

_TERMS = Grammar(
    what="a term",
    spellings={sign: sign for sign in ("+", "-", "*", "/", "&", "|", "∘", "'", "~")}
    | {"·": "*", "⋅": "*", "∧": "&", "∨": "|", "¬": "~", "^-1": "'", "⁻¹": "'"}
    | {"\\cdot": "*", "\\circ": "∘", "\\wedge": "&", "\\vee": "|", "\\neg": "~"},
    infix={"+": 0, "-": 0, "|": 0, "*": 1, "/": 1, "&": 1, "∘": 1},
    prefix={"-", "~"},
    postfix={"'"},
    names="[A-Za-z][A-Za-z0-9_]*|[0-9]{1,9}",
    calls=True,
)


def term(text: str) -> Term:
    """Read a term: names, numbers, ``f(x, y)``, brackets and operators.

    ``-`` and ``~`` are prefix operators, ``'`` and ``^-1`` postfix operators; ``* / & ∘`` bind
    tighter than ``+ - |``, and all binary operators are left-associative.

    >>> term("x * f(e, -y')")
    ('*', ('x',), ('f', ('e',), ('-', ("'", ('y',)))))
    """
    return _TERMS.read(text)


def equation(text: str) -> Equation:
    """Read an equation.

    >>> equation("x + 0 = x")
    (('+', ('x',), ('0',)), ('x',))
    """
    sides = text.split("=")
    if len(sides) != 2:
        raise InvalidAnswer("not an equation of two sides")
    return term(sides[0]), term(sides[1])


def follows(
    before: Term,
    after: Term,
    axiom: Equation,
    variables: Collection[str],
    position: Position | None = None,
) -> bool:
    """Whether one application of an axiom, from left to right, rewrites one term to another.

    Without a ``position``, every position is tried at which the terms differ, or, if they are
    equal, every position: ``x * y = y * x`` makes ``(a * a) * b`` into itself.

    >>> follows(term("a * (b * e)"), term("a * b"), equation("x * e = x"), "xyz")
    True
    """
    spots = _differing(before, after) if position is None else _at(before, after, position)
    for one, other in spots:
        bound: dict[str, Term] = {}
        if _matches(axiom[0], one, variables, bound) and _matches(
            axiom[1], other, variables, bound
        ):
            return True
    return False


def _matches(
    pattern: Term, subject: Term, variables: Collection[str], bound: dict[str, Term]
) -> bool:
    """Whether a term is an instance of a pattern, given the bindings so far."""
    if len(pattern) == 1 and pattern[0] in variables:
        return bound.setdefault(pattern[0], subject) == subject
    return (
        pattern[0] == subject[0]
        and len(pattern) == len(subject)
        and all(_matches(p, f, variables, bound) for p, f in zip(pattern[1:], subject[1:]))
    )


def _differing(one: Term, other: Term) -> Iterator[Equation]:
    """The pairs of subterms outside of which two terms are equal, from the top down."""
    if one == other:
        yield from ((part, part) for part in _parts(one))
        return
    while True:
        yield one, other
        if one[0] != other[0] or len(one) != len(other):
            return
        apart = [pair for pair in zip(one[1:], other[1:]) if pair[0] != pair[1]]
        if len(apart) != 1:
            return
        one, other = apart[0]


def _parts(whole: Term) -> Iterator[Term]:
    """The different subterms of a term, itself included."""
    seen = {whole}
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        yield part
        fresh = {inner for inner in part[1:] if isinstance(inner, tuple)} - seen
        seen |= fresh
        waiting.extend(fresh)


def _at(one: Term, other: Term, position: Position) -> Iterator[Equation]:
    """The pair of subterms at a position, provided that two terms are equal outside of it."""
    for number in position:
        if one[0] != other[0] or len(one) != len(other) or not 1 <= number < len(one):
            return
        parts, others = list(one[1:]), list(other[1:])
        one, other = parts.pop(number - 1), others.pop(number - 1)
        if parts != others:
            return
    yield one, other


def symbols(term: Term) -> set[tuple[str, int]]:
    """Return the names and operators in a term with their numbers of arguments.

    >>> sorted(symbols(term("x * f(x)")))
    [('*', 2), ('f', 1), ('x', 0)]
    """
    return {(term[0], len(term) - 1)}.union(*map(symbols, term[1:]))
