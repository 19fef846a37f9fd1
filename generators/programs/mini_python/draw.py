"""Making programs up: a few idioms one after another, each on what those before it have found.

An idiom is a loop or two that anyone who programs would know at a glance (a running total, a stack,
counts of letters, a recursion), with tests and amounts in it that are drawn. Every result is used
by a later idiom or returned, so that nothing is idle. What comes out is tried: each test must hold
and fail on one input or another, each loop must be entered, and inputs must give different outputs.
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
"""On how many inputs a new program is tried at least, and on twice as many at most."""

BUDGET = 600, DEEPEST // 2
"""How many statements it may carry out on each of them, and how deep its calls may go."""

WIDEST = 150
"""How many signs its result may have."""

TITLES = (
    "blend", "build", "check", "collect", "compute", "convert", "derive", "digest", "encode",
    "evaluate", "examine", "fold", "gather", "handle", "inspect", "measure", "mix", "pack",
    "process", "rate", "reduce", "scan", "score", "shuffle", "sift", "solve", "study", "summarise",
    "transform", "weave",
)  # fmt: skip


class Function(NamedTuple):
    """A program, the function to call, and what it may be given."""

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
"""What programs are given, from which tier on."""


def parameter(draft: Draft, type_name: Kind, length: int) -> Parameter:
    """A parameter of a kind, with lists and words of about so many parts."""
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
    """A program of so many idioms, which may come out dull; see :func:`sound`.

    There is none where it does not use all that it is given.
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
    """How likely an idiom comes next: more so where it uses something new, and at a high tier."""
    new = 0
    for type_name in idiom.needs:
        if len(draft.have(type_name)) < idiom.needs.count(type_name):
            return 0
        new += sum(draft.kinds[name] == type_name for name in draft.unused)
    # The idioms of a higher tier are fewer, and yet what it is about.
    return (1 + 2 * idiom.tier) * (1 + 3 * min(new, 2))


def branches(program: Program) -> set[int]:
    """What is seen when each loop is entered, and each test holds and fails."""
    body = [s for function in program.parsed.values() for s in statements(function.body)]
    lines = {s.line for s in body if isinstance(s.head, For | If)}
    return lines | {-s.line for s in body if isinstance(s.head, If)}


def sound(function: Function, rng: Random) -> bool:
    """Whether a program does something with all of its lines, and different things on inputs."""
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
    """A sound program of so many idioms."""
    while True:
        function = draft(rng, number, tier, length)
        if function is not None and sound(function, rng):
            return function
