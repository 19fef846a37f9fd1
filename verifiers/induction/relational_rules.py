"""Definite clauses without function symbols and constants: Datalog, with a parser and evaluation.

>>> program = parsed(["up(X, Y) :- p(X, Y).", "up(X, Y) :- p(X, Z), up(Z, Y)."], {"p": 2}, "up")
>>> sorted(derived(program, {"p": {("a", "b"), ("b", "c")}})["up"])
[('a', 'b'), ('a', 'c'), ('b', 'c')]
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from palaestra.task import InvalidAnswer

RULES, ATOMS, VARIABLES = 10, 5, 6
"""How many rules a program may have, and how many body atoms and variables a rule."""

LONGEST = 2_000
"""How many characters a program may have."""

STEPS = 200_000
"""How many partial matches an evaluation may look at."""

_ATOM = re.compile(
    r"\s*([a-z]\w{0,30})\s*\(\s*([A-Z]\w{0,8})\s*(?:,\s*([A-Z]\w{0,8})\s*)?\)", re.ASCII
)
_ARROW = re.compile(r"\s*(?::-|<-|\u2190|<=|if\b)")
_AND = re.compile(r"\s*(?:,|;|&|\band\b)")

Facts = Mapping[str, AbstractSet[tuple[object, ...]]]


class Atom(NamedTuple):
    """A predicate with one or two variables."""

    name: str
    variables: tuple[str, ...]


class Rule(NamedTuple):
    """The head holds wherever all atoms of the body do."""

    head: Atom
    body: tuple[Atom, ...]


def parsed(lines: Iterable[str], predicates: Mapping[str, int], target: str) -> list[Rule]:
    """Read rules such as ``up(X, Y) :- p(X, Z), up(Z, Y).``, one on each line.

    ``predicates`` are those that the facts are about, with their numbers of arguments; no rule has
    one of them as its head. The ``target`` has two arguments and is the head of some rule. Any
    other predicate is a helper, which is the head of some rule, too.

    Raises :class:`InvalidAnswer` for other texts, and for programs that are too large.
    """
    lines = [line for line in lines if line.strip()]
    if sum(map(len, lines)) > LONGEST or len(lines) > RULES:
        raise InvalidAnswer(f"expected at most {RULES} rules, {LONGEST} characters in all", "limit")
    rules = [_rule(line) for line in lines]
    arity = {**predicates, target: 2}
    for rule in rules:
        if rule.head.name in predicates:
            raise InvalidAnswer(f"no rule may have {rule.head.name!r} on its left side")
        for name, variables in (rule.head, *rule.body):
            if arity.setdefault(name, len(variables)) != len(variables):
                raise InvalidAnswer(f"{name!r} has {arity[name]} variables")
    heads = {rule.head.name for rule in rules}
    missing = arity.keys() - predicates.keys() - heads
    if missing:
        raise InvalidAnswer(f"no rule has {min(missing)!r} on its left side")
    return rules


def _rule(line: str) -> Rule:
    head, end = _atom(line, 0)
    arrow = _ARROW.match(line, end)
    if not arrow:
        raise InvalidAnswer("expected rules such as 'p(X, Y) :- q(X, Z), r(Z, Y).'")
    body, end = list[Atom](), arrow.end()
    while True:
        atom, end = _atom(line, end)
        body.append(atom)
        more = _AND.match(line, end)
        if not more:
            break
        end = more.end()
    if line[end:].strip(" \t."):
        raise InvalidAnswer(f"expected the rule to end before {line[end:].strip()[:20]!r}")
    variables = {name for atom in body for name in atom.variables}
    if len(body) > ATOMS or len(variables) > VARIABLES:
        raise InvalidAnswer(f"a rule has at most {ATOMS} atoms and {VARIABLES} variables", "limit")
    if not variables.issuperset(head.variables):
        raise InvalidAnswer("each variable on the left side of a rule has to be on its right side")
    return Rule(head, tuple(body))


def _atom(line: str, start: int) -> tuple[Atom, int]:
    match = _ATOM.match(line, start)
    if not match:
        raise InvalidAnswer("expected rules such as 'p(X, Y) :- q(X, Z), r(Z, Y).'")
    name, *variables = match.groups()
    return Atom(str(name), tuple(v for v in variables if v)), match.end()


def derived(program: Sequence[Rule], facts: Facts) -> dict[str, set[tuple[object, ...]]]:
    """All facts that follow from some facts by the rules, which are applied until nothing is new.

    Raises :class:`InvalidAnswer` if that takes more than :data:`STEPS` steps.
    """
    known = {name: set(rows) for name, rows in facts.items()}
    for rule in program:
        for name, _ in (rule.head, *rule.body):
            known.setdefault(name, set())
    steps, changed = 0, True
    while changed:
        changed = False
        for rule in program:
            rows, spent = _matches(rule, known, STEPS - steps)
            steps += spent
            if not rows <= known[rule.head.name]:
                known[rule.head.name] |= rows
                changed = True
    return known


def _matches(
    rule: Rule, known: Mapping[str, AbstractSet[tuple[object, ...]]], most: int
) -> tuple[set[tuple[object, ...]], int]:
    """The facts of the head that the body gives, and how many partial matches there were."""
    left, names = [*rule.body], list[str]()
    rows: list[tuple[object, ...]] = [()]
    steps = 0
    while left and rows:
        # An atom with variables that have values comes before others, of which the smallest.
        atom = max(left, key=lambda a: (sum(v in names for v in a.variables), -len(known[a.name])))
        left.remove(atom)
        shared = [(n, names.index(v)) for n, v in enumerate(atom.variables) if v in names]
        new = [n for n, v in enumerate(atom.variables) if v not in names]
        twice = len(atom.variables) == 2 and len({*atom.variables}) == 1
        new = new[:1] if twice else new
        by_key: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
        for fact in known[atom.name]:
            if not twice or fact[0] == fact[1]:
                key = tuple(fact[n] for n, _ in shared)
                by_key.setdefault(key, []).append(tuple(fact[n] for n in new))
        names += [atom.variables[n] for n in new]
        extended = list[tuple[object, ...]]()
        for row in rows:
            steps += 1
            extended += [row + more for more in by_key.get(tuple(row[n] for _, n in shared), ())]
            if steps + len(extended) > most:
                raise InvalidAnswer("the rules take too many steps to evaluate", "limit")
        rows, steps = extended, steps + len(extended)
    columns = [names.index(v) for v in rule.head.variables] if rows else []
    return {tuple(row[n] for n in columns) for row in rows}, steps
