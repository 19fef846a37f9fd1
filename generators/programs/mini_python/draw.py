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


class Drawn(NamedTuple):
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


def parameter(draft: Draft, kind: Kind, length: int) -> Parameter:
    """A parameter of a kind, with lists and words of about so many parts."""
    name = draft.new(kind, *POOLS[f"given {kind}"])
    draft.settle()
    letters = "abcde"
    match kind:
        case "number":
            draft.given.append(name)
            return Parameter(name, "number", 2, 12)
        case "numbers":
            return Parameter(name, "numbers", 0, 20, length - 1, length + 1)
        case "word":
            return Parameter(name, "word", fewest=length, most=length + 3, letters=letters)
        case _:
            return Parameter(name, "words", fewest=length - 2, most=length, letters=letters)


def draft(rng: Random, number: int, tier: int, length: int) -> Drawn | None:
    """A program of so many idioms, which may come out dull; see :func:`sound`.

    There is none where it does not use all that it is given.
    """
    made = Draft(rng, tier)
    kinds = rng.choice([kinds for least, kinds in OPENINGS if least <= tier])
    signature = tuple(parameter(made, kind, length) for kind in kinds)
    left = [idiom for idiom in IDIOMS if idiom.tier <= tier]
    for _ in range(number):
        weights = [_weight(made, idiom) for idiom in left]
        if not any(weights):  # no idiom that is left can use what there is
            return None
        chosen = rng.choices(left, weights)[0]
        left.remove(chosen)
        chosen.write(made)
        made.settle()
    if any(parameter.name in made.unused for parameter in signature):
        return None
    name = made.fresh(*TITLES)
    head = f"def {name}({', '.join(parameter.name for parameter in signature)}):"
    last = f"    return {', '.join(made.unused)}"
    return Drawn("\n".join([*made.helpers, head, *made.lines, last]), name, signature)


def _weight(made: Draft, idiom: Idiom) -> int:
    """How likely an idiom comes next: more so where it uses something new, and at a high tier."""
    new = 0
    for kind in idiom.needs:
        if len(made.have(kind)) < idiom.needs.count(kind):
            return 0
        new += sum(made.kinds[name] == kind for name in made.unused)
    # The idioms of a higher tier are fewer, and yet what it is about.
    return (1 + 2 * idiom.tier) * (1 + 3 * min(new, 2))


def branches(program: Program) -> set[int]:
    """What is seen when each loop is entered, and each test holds and fails."""
    body = [s for function in program.parsed.values() for s in statements(function.body)]
    lines = {s.line for s in body if isinstance(s.head, For | If)}
    return lines | {-s.line for s in body if isinstance(s.head, If)}


def sound(drawn: Drawn, rng: Random) -> bool:
    """Whether a program does something with all of its lines, and different things on inputs."""
    program = compiled(drawn.source)
    missing, shown = branches(program), []
    for trial in range(2 * TRIALS):
        if trial >= TRIALS and not missing:
            break
        values = [parameter.drawn(rng) for parameter in drawn.signature]
        outcome = program.apply(drawn.name, values, *BUDGET)
        if outcome.fault or len(outcome.shown) > WIDEST:
            return False
        shown.append(outcome.shown)
        missing -= outcome.seen
    return not missing and len(set(shown)) >= 0.7 * len(shown)


def program(rng: Random, number: int, tier: int, length: int) -> Drawn:
    """A sound program of so many idioms."""
    while True:
        drawn = draft(rng, number, tier, length)
        if drawn is not None and sound(drawn, rng):
            return drawn
