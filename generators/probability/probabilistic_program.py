"""A small probabilistic language in the syntax of Python, and its exact semantics.

A program is a list of lines with indents. Its variables hold small numbers from 0 on. The law of a
program is computed state by state (Claret et al., 2013): a distribution of states goes through each
statement, an ``observe`` removes states, and a loop without a bound is a system of equations.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import Literal, NamedTuple

from palaestra.verifiers.linear import solved

Operation = Literal[
    "flip", "uniform", "set", "if", "else", "repeat", "while flip", "while", "observe", "return"
]

State = tuple[int, ...]
Law = dict[State, Fraction]

NAMES = "xyzw"
RELATIONS = ("==", "!=", "<", ">")
MOST_STATES = 40
"""The most states in which a loop may begin a round."""


class Line(NamedTuple):
    """A line of a program. Its numbers depend on the operation.

    - ``flip``: numerator and denominator of the probability of 1;
    - ``uniform``: the number of values;
    - ``set`` and ``return``: pairs of a factor and a variable, a constant, and the modulus;
    - ``if``, ``while`` and ``observe``: a variable, the index of a relation, and a number;
    - ``repeat``: the number of rounds;
    - ``while flip``: numerator and denominator of the probability of another round.
    """

    indent: int
    operation: Operation
    target: int
    numbers: tuple[int, ...]


Program = tuple[Line, ...]


class LoopError(ValueError):
    """A loop that may run forever, or begins its rounds in too many states."""


@dataclass
class Node:
    """A line with the lines below it."""

    line: Line
    body: list["Node"] = field(default_factory=list)
    otherwise: list["Node"] = field(default_factory=list)


def tree(program: Sequence[Line]) -> list[Node]:
    """The statements of a program with their blocks."""
    blocks: list[list[Node]] = [[]]
    for line in program:
        del blocks[line.indent + 1 :]
        if line.operation == "else":
            blocks.append(blocks[line.indent][-1].otherwise)
            continue
        node = Node(line)
        blocks[line.indent].append(node)
        blocks.append(node.body)
    return blocks[0]


def holds(line: Line, state: State) -> bool:
    """Whether the condition of a line is true in a state."""
    variable, relation, number = line.numbers
    value = state[variable]
    return (value == number, value != number, value < number, value > number)[relation]


def result(line: Line, state: State) -> int:
    """The value of the expression of a line in a state."""
    *pairs, constant, modulus = line.numbers
    terms = zip(pairs[::2], pairs[1::2])
    return (sum(factor * state[variable] for factor, variable in terms) + constant) % modulus


class Machine:
    """Runs distributions through statements, and counts the states that it handles."""

    def __init__(self, observing: bool = True, looping: bool = True) -> None:
        self.observing = observing
        self.looping = looping
        self.work = 0

    def run(self, nodes: Sequence[Node], law: Law) -> Law:
        """The distribution after statements; the mass that is missing was discarded.

        Raises :class:`LoopError`.
        """
        for node in nodes:
            self.work += len(law)
            law = self.step(node, law)
        return law

    def step(self, node: Node, law: Law) -> Law:
        """The distribution after one statement."""
        line = node.line
        match line.operation:
            case "if":
                yes = {state: chance for state, chance in law.items() if holds(line, state)}
                no = {state: chance for state, chance in law.items() if state not in yes}
                return added(self.run(node.body, yes), self.run(node.otherwise, no))
            case "repeat":
                for _ in range(line.numbers[0] if self.looping else 1):
                    law = self.run(node.body, law)
                return law
            case "while flip" | "while":
                return self.loop(node, law)
            case "observe":
                kept = {state: chance for state, chance in law.items() if holds(line, state)}
                return kept if self.observing else law
        after: Law = {}
        for state, chance in law.items():
            for value, part in values_of(line, state):
                new = (*state[: line.target], value, *state[line.target + 1 :])
                after[new] = after.get(new, Fraction(0)) + chance * part
        return after

    def loop(self, node: Node, law: Law) -> Law:
        """The distribution after a loop that ends by chance.

        The expected number of rounds that begin in each state solves a system of equations.
        """
        if not law:
            return {}
        again, moves, stack = dict[State, Fraction](), dict[State, Law](), list(law)
        while stack:
            state = stack.pop()
            if state in again:
                continue
            if len(again) == MOST_STATES:
                raise LoopError("too many states")
            if node.line.operation == "while":
                again[state] = Fraction(int(holds(node.line, state)))
            else:
                again[state] = Fraction(*node.line.numbers)
            moves[state] = {}
            if again[state]:
                moves[state] = self.run(node.body, {state: Fraction(1)})
                stack.extend(moves[state])
        if not self.looping:
            return self.once(law, again, moves)
        _check_end(again, moves)
        order = sorted(again)
        self.work += len(order) ** 2
        rows = []
        for state in order:
            row = [Fraction(int(state == each)) for each in order]
            for n, each in enumerate(order):
                if state in moves[each]:
                    row[n] -= again[each] * moves[each][state]
            row.append(law.get(state, Fraction(0)))
            scale = lcm(*(each.denominator for each in row))
            rows.append(tuple(int(each * scale) for each in row))
        rounds = zip(order, solved(rows))
        return {
            state: visits * (1 - again[state])
            for state, visits in rounds
            if visits and again[state] < 1
        }

    @staticmethod
    def once(law: Law, again: Law, moves: dict[State, Law]) -> Law:
        """The distribution after one round of a loop."""
        after: Law = {}
        for state, chance in law.items():
            ended = {state: 1 - again[state]} if again[state] < 1 else {}
            more = {new: again[state] * part for new, part in moves[state].items()}
            both = added(ended, more)
            after = added(after, {new: chance * part for new, part in both.items()})
        return after


def values_of(line: Line, state: State) -> list[tuple[int, Fraction]]:
    """The values that a line may give to its variable, with their probabilities."""
    match line.operation:
        case "flip":
            chance = Fraction(*line.numbers)
            return [(1, chance), (0, 1 - chance)]
        case "uniform":
            number = line.numbers[0]
            return [(value, Fraction(1, number)) for value in range(number)]
    return [(result(line, state), Fraction(1))]


def added(one: Law, other: Law) -> Law:
    """The sum of two distributions."""
    total = dict(one)
    for state, chance in other.items():
        total[state] = total.get(state, Fraction(0)) + chance
    return total


def _check_end(again: Law, moves: dict[State, Law]) -> None:
    """Raise :class:`LoopError` if the loop cannot be left from one of its states."""
    ends = {state for state, chance in again.items() if chance < 1}
    while True:
        more = {s for s, law in moves.items() if s not in ends and (ends & law.keys() or not law)}
        if not more:
            break
        ends |= more
    if len(ends) < len(again):
        raise LoopError("a loop may run forever")


Floats = dict[State, float]

ROUNDS, TINY = 2_000, 1e-13
"""When the iteration of a loop ends."""


def iterated(program: Program, variables: int) -> list[float]:
    """About the probabilities of the values that a program returns, by iteration of its loops."""
    *body, last = program
    law = _rounds(tree(body), {(0,) * variables: 1.0})
    chances = [0.0] * last.numbers[-1]
    for state, chance in law.items():
        chances[result(last, state)] += chance
    total = sum(chances)
    return [chance / total for chance in chances]


def _rounds(nodes: Sequence[Node], law: Floats) -> Floats:
    """The distribution after statements, with loops round by round until nearly nothing is left."""
    for node in nodes:
        line, after = node.line, defaultdict[State, float](float)
        if line.operation in {"while", "while flip", "repeat"}:
            for n in range(ROUNDS):
                left = {state: chance * _again(line, state, n) for state, chance in law.items()}
                for state, chance in law.items():
                    after[state] += chance - left[state]
                if sum(left.values()) < TINY:
                    break
                law = _rounds(node.body, left)
        elif line.operation == "if":
            for block, true in ((node.body, True), (node.otherwise, False)):
                part = {
                    state: chance for state, chance in law.items() if holds(line, state) == true
                }
                for state, chance in _rounds(block, part).items():
                    after[state] += chance
        else:
            for state, chance in law.items():
                if line.operation == "observe":
                    after[state] += chance * holds(line, state)
                    continue
                for value, share in values_of(line, state):
                    new = (*state[: line.target], value, *state[line.target + 1 :])
                    after[new] += chance * float(share)
        law = dict(after)
    return law


def _again(line: Line, state: State, rounds: int) -> float:
    """The probability of another round of a loop in a state after some rounds."""
    if line.operation == "repeat":
        return float(rounds < line.numbers[0])
    if line.operation == "while":
        return float(holds(line, state))
    return line.numbers[0] / line.numbers[1]


class Meaning(NamedTuple):
    """The law of what a program returns, its modulus, and the number of states handled."""

    chances: tuple[Fraction, ...]
    work: int


@lru_cache(maxsize=256)
def meaning(
    program: Program, variables: int, observing: bool = True, looping: bool = True
) -> Meaning | None:
    """The probabilities of the values 0, 1, ... that a program returns; None if it has none.

    Without ``observing``, conditions of ``observe`` are ignored; without ``looping``, loops have at
    most one round.
    """
    machine = Machine(observing, looping)
    *body, last = program
    try:
        law = machine.run(tree(body), {(0,) * variables: Fraction(1)})
    except LoopError:
        return None
    if not (total := sum(law.values(), Fraction(0))):
        return None
    chances = [Fraction(0)] * last.numbers[-1]
    for state, chance in law.items():
        chances[result(last, state)] += chance / total
    return Meaning(tuple(chances), machine.work)


# ------------------------------------------------------------------------------------ random


class Shape(NamedTuple):
    """What a random program consists of."""

    variables: int
    statements: int
    loop: str
    """``none``, ``repeat``, ``while``, or ``any`` of the last two."""

    observations: int


def random_program(rng: Random, shape: Shape) -> Program:
    """A program that gives each variable a random value first; it need not have a law."""
    sizes = [rng.choice((2, 3, 4)) for _ in range(shape.variables)]
    lines = [_chance(rng, variable, sizes) for variable in range(shape.variables)]
    body = [_statement(rng, sizes) for _ in range(shape.statements)]
    observations = [_condition(rng, "observe", sizes) for _ in range(shape.observations)]
    if shape.loop == "none":
        for line in observations:
            body.insert(rng.randrange(len(body) + 1), [line])
    else:
        inside = max(1, len(body) - 1)
        block = body[:inside]
        for n, line in enumerate(observations):
            block.insert(rng.randrange(len(block) + 1), [line]) if not n else body.append([line])
        body = [_loop(rng, shape.loop, block, sizes), *body[inside:]]
    lines += [line for block in body for line in block]
    return (*lines, _return(rng, shape.variables))


def _statement(rng: Random, sizes: Sequence[int]) -> list[Line]:
    """A random assignment, perhaps under a condition."""
    one = _assignment(rng, sizes)
    if rng.random() < 0.5:
        return [one]
    lines = [_condition(rng, "if", sizes), one._replace(indent=1)]
    if rng.random() < 0.5:
        other = _assignment(rng, sizes)._replace(indent=1)
        lines += [Line(0, "else", 0, ()), other]
    return lines


def _assignment(rng: Random, sizes: Sequence[int]) -> Line:
    target = rng.randrange(len(sizes))
    if rng.random() < 0.3:
        return _chance(rng, target, sizes)
    one, other = rng.randrange(len(sizes)), rng.randrange(len(sizes))
    factor = rng.choice((1, 1, 2))
    numbers = (factor, one, rng.choice((0, 1, 1)), other, rng.randrange(3), sizes[target])
    return Line(0, "set", target, _tidy(numbers))


def _tidy(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """An expression without a term of factor 0, and without two terms of one variable."""
    first, one, second, other, constant, modulus = numbers
    if not second or one == other:
        return (first, one, max(1, constant), modulus)
    return numbers


def _chance(rng: Random, target: int, sizes: Sequence[int]) -> Line:
    if sizes[target] == 2 or rng.random() < 0.4:
        return Line(0, "flip", target, _proper(rng, rng.randint(3, 7)))
    return Line(0, "uniform", target, (sizes[target],))


def _proper(rng: Random, below: int) -> tuple[int, int]:
    """A fraction between 0 and 1 in lowest terms, over a number or a divisor of it."""
    return Fraction(rng.randrange(1, below), below).as_integer_ratio()


def _condition(rng: Random, operation: Operation, sizes: Sequence[int]) -> Line:
    variable = rng.randrange(len(sizes))
    size = sizes[variable]
    if size == 2:
        return Line(0, operation, 0, (variable, 0, rng.randrange(2)))
    relation = rng.randrange(4)
    number = rng.randrange(size) if relation < 2 else rng.randrange(1, size - 1)
    return Line(0, operation, 0, (variable, relation, number))


def _loop(
    rng: Random, loop: str, block: Sequence[Sequence[Line]], sizes: Sequence[int]
) -> list[Line]:
    """A loop around a block."""
    if loop == "any":
        loop = rng.choice(("repeat", "while"))
    if loop == "repeat":
        head = Line(0, "repeat", 0, (rng.randint(2, 3),))
    elif rng.random() < 0.6:
        head = Line(0, "while flip", 0, _proper(rng, rng.randint(3, 5)))
    else:
        head = _condition(rng, "while", sizes)
    return [head, *(line._replace(indent=line.indent + 1) for lines in block for line in lines)]


def _return(rng: Random, variables: int) -> Line:
    pairs = [number for v in range(variables) for number in (rng.choice((1, 2)), v)]
    return Line(0, "return", 0, (*pairs, 0, rng.choice((3, 4))))


# ---------------------------------------------------------------------------------- in words


def as_text(program: Program) -> str:
    """The program as text.

    >>> print(as_text((Line(0, "flip", 0, (1, 3)), Line(0, "return", 0, (1, 0, 1, 2)))))
    x = flip(1/3)
    return (x + 1) % 2
    """
    return "\n".join("    " * line.indent + text for line, text in zip(program, _texts(program)))


def _texts(program: Program) -> Iterator[str]:
    for _, operation, target, numbers in program:
        name = NAMES[target]
        match operation:
            case "flip":
                yield f"{name} = flip({numbers[0]}/{numbers[1]})"
            case "uniform":
                yield f"{name} = uniform({numbers[0]})"
            case "set":
                yield f"{name} = {_expression(numbers)}"
            case "return":
                yield f"return {_expression(numbers)}"
            case "else":
                yield "else:"
            case "repeat":
                yield f"for _ in range({numbers[0]}):"
            case "while flip":
                yield f"while flip({numbers[0]}/{numbers[1]}) == 1:"
            case "observe":
                yield f"observe({_comparison(numbers)})"
            case _:
                yield f"{operation} {_comparison(numbers)}:"


def _comparison(numbers: Sequence[int]) -> str:
    variable, relation, number = numbers
    return f"{NAMES[variable]} {RELATIONS[relation]} {number}"


def _expression(numbers: Sequence[int]) -> str:
    *pairs, constant, modulus = numbers
    terms = [
        f"{factor} * {NAMES[variable]}" if factor > 1 else NAMES[variable]
        for factor, variable in zip(pairs[::2], pairs[1::2])
    ]
    if constant:
        terms.append(str(constant))
    return f"({' + '.join(terms)}) % {modulus}"
