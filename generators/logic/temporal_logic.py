"""Temporal formulas: their truth at each state of a transition system, and random ones.

A formula is a proposition such as ``("p",)``, a connective (``not``, ``and``, ``or``) with its
parts, or an operator with its parts: ``X``, ``F``, ``G`` and ``U`` of linear time (Amir Pnueli,
1977), and the same after ``E`` or ``A`` of branching time (Edmund Clarke and Allen Emerson, 1981).
Sets of states are masks. Where each state has one next state, both logics mean the same.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from typing_extensions import TypeAliasType

Formula = TypeAliasType(
    "Formula", "tuple[str] | tuple[str, Formula] | tuple[str, Formula, Formula]"
)

LINEAR = ("X", "F", "G", "U", "U")
BRANCHING = ("EX", "AX", "EF", "AF", "EG", "AG", "EU", "AU", "EU", "AU")
"""Operators; the chance of each is how often it is listed."""

TRIES = 12
"""Formulas that are tried for each operator."""

OUTERMOST = (1, 2, 3)
"""The outermost operators that misreadings keep if they leave out those inside."""


class System(NamedTuple):
    """A transition system: the next states of each state, and the propositions that hold there."""

    successors: tuple[tuple[int, ...], ...]
    labels: tuple[str, ...]

    @property
    def every(self) -> int:
        """All states."""
        return (1 << len(self.labels)) - 1

    def holding(self, proposition: str) -> int:
        """The states at which a proposition holds."""
        return sum(1 << n for n, label in enumerate(self.labels) if proposition in label)

    def before(self, states: int, *, surely: bool) -> int:
        """The states with a next state in a set, or all next states in it."""
        test: Callable[[Any], bool] = all if surely else any
        return sum(
            1 << n
            for n, after in enumerate(self.successors)
            if test(states >> each & 1 for each in after)
        )


class Truth(NamedTuple):
    """The states at which a formula holds, and how many rounds of fixpoints that took."""

    states: int
    rounds: int


def truth(formula: Any, system: System) -> Truth:
    """Where a formula holds, by fixpoints from the parts up (Clarke, Emerson and Sistla, 1986).

    >>> line = System(((1,), (2,), (2,)), ("p", "p", "q"))
    >>> bin(truth(("U", ("p",), ("q",)), line).states), bin(truth(("G", ("q",)), line).states)
    ('0b111', '0b100')
    """
    link, *parts = formula
    if not parts:
        return Truth(system.holding(link), 0)
    inner = [truth(part, system) for part in parts]
    rounds = sum(each.rounds for each in inner)
    sets = [each.states for each in inner]
    match link:
        case "not":
            return Truth(system.every ^ sets[0], rounds)
        case "and":
            return Truth(sets[0] & sets[1], rounds)
        case "or":
            return Truth(sets[0] | sets[1], rounds)
    surely, sign = link[0] == "A", link[-1]
    if sign == "X":
        return Truth(system.before(sets[0], surely=surely), rounds + 1)
    if sign == "G":
        states, kept, goal = system.every, sets[0], 0
    else:
        states, kept, goal = 0, sets[0] if sign == "U" else system.every, sets[-1]
    while True:
        rounds += 1
        after = goal | (kept & system.before(states, surely=surely))
        if after == states:
            return Truth(states, rounds)
        states = after


def searched(formula: Any, system: System) -> set[int]:
    """The states at which a formula holds, by a search for paths from each state; a second opinion.

    What holds on all paths is reduced to what holds on some path.
    """
    link, *parts = formula
    whole = {*range(len(system.labels))}
    if not parts:
        return {n for n in whole if link in system.labels[n]}
    sets = [searched(part, system) for part in parts]
    match link:
        case "not":
            return whole - sets[0]
        case "and":
            return sets[0] & sets[1]
        case "or":
            return sets[0] | sets[1]
    if link[0] != "A":
        return {n for n in whole if _on_some_path(link[-1], sets, system, n)}
    opposites = [whole - each for each in sets]
    if link[-1] == "U":  # it fails if g never holds, or if f and g fail before g holds
        failing = [opposites[1], opposites[0] & opposites[1]]
        return {
            n
            for n in whole
            if not _on_some_path("U", failing, system, n)
            and not _on_some_path("G", failing, system, n)
        }
    sign = {"F": "G", "G": "F"}.get(link[-1], link[-1])
    return {n for n in whole if not _on_some_path(sign, opposites, system, n)}


def _on_some_path(sign: str, sets: Sequence[set[int]], system: System, state: int) -> bool:
    """Whether an operator is true on some path from a state."""
    if sign == "X":
        return any(after in sets[0] for after in system.successors[state])
    if sign == "G":
        return _stays(system, state, sets[0])
    through = sets[0] if sign == "U" else {*range(len(system.labels))}
    return _reaches(system, state, through, sets[-1])


def _reaches(system: System, state: int, through: set[int], goal: set[int]) -> bool:
    """Whether a path leads from a state to a goal through some states."""
    seen, waiting = {state}, [state]
    while waiting:
        each = waiting.pop()
        if each in goal:
            return True
        if each in through:
            fresh = set(system.successors[each]) - seen
            seen |= fresh
            waiting += fresh
    return False


def _stays(system: System, state: int, inside: set[int]) -> bool:
    """Whether a path from a state never leaves a set: whether it is as long as there are states."""
    ends = {state} & inside
    for _ in system.labels:
        ends = {after for each in ends for after in system.successors[each]} & inside
    return bool(ends)


def random_system(rng: Random, states: int, propositions: str, *, linear: bool) -> System:
    """A random system, in which every state is reached from the first one.

    In a ``linear`` one, the states follow each other in random order, and the last of them is
    followed by one of the first two thirds, but not by the first. In others, states have up to
    three next states.
    """
    order = [0, *rng.sample(range(1, states), states - 1)]
    after: list[list[int]] = [[] for _ in range(states)]
    if linear:
        for one, other in pairwise(order):
            after[one].append(other)
        after[order[-1]].append(order[rng.randint(1, max(1, states * 2 // 3))])
    else:
        for n, state in enumerate(order[1:], 1):
            parent = rng.choice([each for each in order[:n] if len(after[each]) < 2])
            after[parent].append(state)
        for each in after:
            for _ in range(rng.choice((0, 1, 1)) if each else rng.choice((1, 1, 2))):
                each.append(rng.randrange(states))
    labels = ["".join(p for p in propositions if rng.random() < 0.5) for _ in range(states)]
    return System(tuple(tuple(sorted(set(each))) for each in after), tuple(labels))


def random_formula(
    rng: Random, system: System, propositions: str, operators: int, signs: Sequence[str]
) -> Any | None:
    """A formula with so many operators inside each other, each of which changes where it holds.

    It holds at two states or more, and does not hold at as many. None if no such formula turns up
    in a few tries. Of a few outermost operators, the one is taken with which most misreadings hold
    elsewhere.
    """
    formula: Any = _literal(rng, propositions)
    seen = {0, system.every, truth(formula, system).states}
    for number in range(operators):
        options, is_last = list[Any](), number == operators - 1
        for _ in range(TRIES):
            candidate = _wrapped(rng, formula, propositions, rng.choice(signs))
            states = truth(candidate, system).states
            enough = min(states.bit_count(), (system.every ^ states).bit_count()) > is_last
            if enough and states not in seen:
                options.append(candidate)
        if not options:
            return None
        formula = options[0]
        if is_last:
            formula = min(options, key=lambda each: harmless(each, system))
        states = truth(formula, system).states
        seen |= {states, system.every ^ states}
    return formula


def harmless(formula: Any, system: System) -> tuple[int, int]:
    """How many misreadings make no difference, and the negative of how many do."""
    states = truth(formula, system).states
    same = [each == states for each in misreadings(formula, system).values()]
    return sum(same), sum(same) - len(same)


def _wrapped(rng: Random, formula: Any, propositions: str, sign: str) -> Any:
    """An operator with a formula as a part of it, perhaps with a literal beside it."""
    part = formula
    if rng.random() < 0.2 and part[0] != "not":
        part = ("not", part)
    if rng.random() < 0.4:
        both = [_literal(rng, propositions), part]
        rng.shuffle(both)
        part = (rng.choice(("and", "or")), *both)
    if sign[-1] == "U":
        both = [_literal(rng, propositions), part]
        rng.shuffle(both)
        return (sign, *both)
    return (sign, part)


def _literal(rng: Random, propositions: str) -> Any:
    proposition = (rng.choice(propositions),)
    return ("not", proposition) if rng.random() < 0.4 else proposition


def misreadings(formula: Any, system: System) -> dict[str, int]:
    """Where a formula would hold if operators meant something else, by the mistake; those that do
    not apply to it are left out.
    """
    changes = {
        "some and all exchanged": {"E": "A", "A": "E"},
        "some for all": {"A": "E"},
        "all for some": {"E": "A"},
        "until as eventually": {"U": "F"},
        "next as now": {"X": ""},
        "one step only": {"F": "X", "G": "X"},
        "eventually and always exchanged": {"F": "G", "G": "F"},
    }
    sets = {
        name: truth(changed, system).states
        for name, change in changes.items()
        if (changed := _changed(formula, change)) != formula
    }
    if all(len(each) == 1 for each in system.successors):
        run = [0]
        while (after := system.successors[run[-1]][0]) not in run:
            run.append(after)
        ends = {**dict(enumerate(system.successors)), run[-1]: (run[-1],)}
        ended = System(tuple(ends.values()), system.labels)
        sets["no way back"] = truth(formula, ended).states
    else:
        first = System(tuple(each[:1] for each in system.successors), system.labels)
        sets["first next state only"] = truth(formula, first).states
    sets["outermost operator left out"] = truth(formula[-1], system).states
    for number in OUTERMOST:
        if (cut := _outermost(formula, number)) != formula:
            sets[f"{number} outermost operators only"] = truth(cut, system).states
    sets["opposite"] = system.every ^ truth(formula, system).states
    return sets


def _outermost(formula: Any, number: int) -> Any:
    """A formula without the operators that are inside so many others."""
    link, *parts = formula
    if not parts:
        return formula
    if link not in {"not", "and", "or"}:
        if not number:
            return _outermost(parts[-1], 0)
        number -= 1
    return (link, *(_outermost(part, number) for part in parts))


def _changed(formula: Any, changes: Mapping[str, str]) -> Any:
    """A formula with other quantifiers and signs in its operators."""
    link, *parts = formula
    parts = [_changed(part, changes) for part in parts]
    if not parts or link in {"not", "and", "or"}:
        return (link, *parts)
    prefix, sign = link[:-1], link[-1]
    sign = changes.get(sign, sign)
    if not sign:
        return parts[0]
    if sign != "U":
        parts = parts[-1:]
    return (changes.get(prefix, prefix) + sign, *parts)


def wording(formula: Any) -> str:
    """A formula as text.

    >>> wording(("AU", ("p",), ("not", ("EX", ("or", ("p",), ("q",))))))
    'A(p U not EX(p or q))'
    """
    link, *parts = formula
    if not parts:
        return str(link)
    texts = [wording(part) for part in parts]
    match link:
        case "not":
            return f"not {texts[0]}" if parts[0][0] not in {"and", "or"} else f"not ({texts[0]})"
        case "and" | "or":
            sides = [
                f"({text})" if part[0] in {"and", "or"} else text
                for part, text in zip(parts, texts)
            ]
            return f" {link} ".join(sides)
    if link[-1] != "U":
        return f"{link}({texts[0]})"
    sides = [f"({t})" if part[0] in {"and", "or"} else t for part, t in zip(parts, texts)]
    return f"{link[:-1]}({' U '.join(sides)})"
