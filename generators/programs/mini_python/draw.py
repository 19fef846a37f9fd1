"""Random programs: a sequence of idioms, each of which works on the results of earlier ones.

An idiom is one or two loops that programmers recognise (a running total, a stack, counts of
letters, a recursion), with random conditions and constants. A later idiom uses every result, or the
program returns it, so that no line is dead. The program is then tested: every condition must hold
and fail on some input, every loop must be entered, and outputs must differ between inputs.
"""

from random import Random
from typing import NamedTuple

from palaestra.generators.programs.mini_python.draft import POOLS, Draft, Idiom, Kind
from palaestra.generators.programs.mini_python.idioms import IDIOMS
from palaestra.generators.programs.mini_python.machine import DEEPEST
from palaestra.generators.programs.mini_python.parameters import Parameter, Signature
from palaestra.generators.programs.mini_python.parse import statements
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.syntax import For, If

TRIALS = 5
"""The minimum number of inputs on which a new program is run; the maximum is twice as large."""

BUDGET = 600, DEEPEST // 2
"""The maximum number of statements per input, and the maximum depth of calls."""

WIDEST = 150
"""The maximum number of characters of its result."""

TITLES = (
    "blend", "build", "check", "collect", "compute", "convert", "derive", "digest", "encode",
    "evaluate", "examine", "fold", "gather", "handle", "inspect", "measure", "mix", "pack",
    "process", "rate", "reduce", "scan", "score", "shuffle", "sift", "solve", "study", "summarise",
    "transform", "weave",
)  # fmt: skip


class Function(NamedTuple):
    """The source of a program, the name of its main function, and the parameters."""

    source: str
    name: str
    signature: Signature


OPENINGS: tuple[tuple[int, tuple[Kind, ...]], ...] = (
    (0, ("numbers",)),
    (0, ("numbers", "number")),
    (0, ("word",)),
    (1, ("number", "number")),
    (1, ("word", "number")),
    (1, ("words",)),
    (1, ("numbers", "numbers")),
    (2, ("numbers", "word")),
    (2, ("words", "number")),
)
"""The parameter types of programs, with the lowest tier that uses them."""


def parameter(draft: Draft, type_name: Kind, length: int) -> Parameter:
    """A parameter of a type, with lists and words of about ``length`` parts."""
    name = draft.new(type_name, *POOLS[f"given {type_name}"])
    draft.settle()
    letters = "abcde"
    match type_name:
        case "number":
            draft.unused_arguments.append(name)
            return Parameter(name, "number", 2, 12)
        case "numbers":
            return Parameter(name, "numbers", 0, 20, length - 1, length + 1)
        case "word":
            return Parameter(name, "word", fewest=length, most=length + 3, letters=letters)
        case _:
            return Parameter(name, "words", fewest=length - 2, most=length, letters=letters)


def draft(rng: Random, number: int, tier: int, length: int) -> Function | None:
    """A program of ``number`` idioms, which may be trivial; see :func:`sound`.

    Returns ``None`` if it does not use all its arguments.
    """
    writer = Draft(rng, tier)
    kinds = rng.choice([kinds for least, kinds in OPENINGS if least <= tier])
    signature = tuple(parameter(writer, type_name, length) for type_name in kinds)
    left = [idiom for idiom in IDIOMS if idiom.tier <= tier]
    for _ in range(number):
        weights = [_weight(writer, idiom) for idiom in left]
        if not any(weights):  # no idiom that is left can use what there is
            return None
        chosen = rng.choices(left, weights)[0]
        left.remove(chosen)
        chosen.write(writer)
        writer.settle()
    if any(parameter.name in writer.unused for parameter in signature):
        return None
    name = writer.fresh(*TITLES)
    head = f"def {name}({', '.join(parameter.name for parameter in signature)}):"
    last = f"    return {', '.join(writer.unused)}"
    return Function("\n".join([*writer.helpers, head, *writer.lines, last]), name, signature)


def _weight(draft: Draft, idiom: Idiom) -> int:
    """The weight of an idiom: larger if it uses new variables, and at a high tier."""
    new = 0
    for type_name in idiom.needs:
        if len(draft.have(type_name)) < idiom.needs.count(type_name):
            return 0
        new += sum(draft.kinds[name] == type_name for name in draft.unused)
    # The idioms of a higher tier are fewer, and yet what it is about.
    return (1 + 2 * idiom.tier) * (1 + 3 * min(new, 2))


def branches(program: Program) -> set[int]:
    """The events of full coverage: every loop is entered, every condition holds and fails."""
    body = [s for function in program.parsed.values() for s in statements(function.body)]
    lines = {s.line for s in body if isinstance(s.head, For | If)}
    return lines | {-s.line for s in body if isinstance(s.head, If)}


def sound(function: Function, rng: Random) -> bool:
    """Whether all lines of a program are covered and its outputs differ between inputs."""
    program = compiled(function.source)
    missing, shown = branches(program), []
    for trial in range(2 * TRIALS):
        if trial >= TRIALS and not missing:
            break
        values = [parameter.sample(rng) for parameter in function.signature]
        outcome = program.apply(function.name, values, *BUDGET)
        if outcome.fault or len(outcome.shown) > WIDEST:
            return False
        shown.append(outcome.shown)
        missing -= outcome.seen
    return not missing and len(set(shown)) >= 0.7 * len(shown)


def program(rng: Random, number: int, tier: int, length: int) -> Function:
    """A sound program of ``number`` idioms."""
    while True:
        function = draft(rng, number, tier, length)
        if function is not None and sound(function, rng):
            return function
