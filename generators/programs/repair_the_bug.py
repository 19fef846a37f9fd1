"""Programs with several bugs at once: slips within lines, and lines that stand in the wrong place.

Every bug can be told from examples of what the program should do, together with the others and
without them: however many of the bugs are repaired, some example shows that one is left.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.programs.mini_python.mutate import slips
from palaestra.generators.programs.mini_python.parameters import Signature, literal
from palaestra.generators.programs.mini_python.parse import parsed
from palaestra.generators.programs.mini_python.repairs import repairs
from palaestra.generators.programs.mini_python.rewriting import Change, replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import (
    Pool,
    Trial,
    drawn_calls,
    first_failure,
    killer,
    pool_of,
    telling,
    trials,
)
from palaestra.task import InvalidAnswer

INPUTS = 12
"""How many inputs the examples are chosen from."""

ALWAYS = 4
"""How many of them are examples in any case."""

SHOWING = 3
"""How many of them at least show that something is wrong."""

TRIES = 12
"""How many bugs are tried for each that is wanted."""

MOVED = (
    "a line stands one line too low (and so perhaps inside a block instead of in front of it), or "
    "is indented one level too deep or not deep enough"
)
"""What it means that a line has moved, in words."""

WORDS = ("no", "one", "two", "three", "four", "five", "six")

Way = Literal["", "below", "deeper", "shallower"]
"""Where a line has gone."""


class Bug(NamedTuple):
    """What is wrong with a line of a program: how it reads now, or where it has gone."""

    line: int
    text: str = ""
    way: Way = ""


class Case(NamedTuple):
    """What a program is given, and the value that it should give."""

    values: list[Any]
    value: Any


Row = tuple[int, str]
"""A line with the number that it has in the right program."""


def spoilt(source: str, bugs: Iterable[Bug]) -> str:
    r"""A program with bugs in it.

    Raises :class:`InvalidAnswer` where they leave no program.

    >>> bugs = [Bug(2, "n += 2"), Bug(2, "", "below")]
    >>> print(spoilt("def f(n):\n    n += 1\n    return n", bugs))
    def f(n):
        return n
        n += 2
    """
    rows = list(enumerate(source.split("\n"), 1))
    for bug in bugs:
        index = next(index for index, (line, _) in enumerate(rows) if line == bug.line)
        if bug.way:
            _move(rows, index, bug.way)
        else:
            rows[index] = bug.line, " " * _indent(rows[index]) + bug.text
    return "\n".join(text for _, text in rows)


def _move(rows: list[Row], index: int, way: Way) -> None:
    """Put a line elsewhere, or indent it otherwise, where that makes sense."""
    line, text = rows[index]
    depth, words = _indent(rows[index]), text.strip()
    above = rows[index - 1]
    below = rows[index + 1] if index + 1 < len(rows) else (0, "")
    if words.endswith(":") or not words:
        raise InvalidAnswer("only simple lines move")
    if way == "below" and below[1] and _indent(below) == depth:
        depth += 4 * below[1].endswith(":")
        rows[index : index + 2] = [below, (line, " " * depth + words)]
    elif way == "deeper" and _indent(above) > depth:
        rows[index] = line, " " * _indent(above) + words
    elif way == "shallower" and depth > 4 and _indent(below) < depth:
        rows[index] = line, " " * (depth - 4) + words
    else:
        raise InvalidAnswer("the line cannot go there")


def _indent(row: Row) -> int:
    return len(row[1]) - len(row[1].lstrip(" "))


def drawn_bugs(
    rng: Random, source: str, wanted: Sequence[Trial], number: int, moved: bool
) -> tuple[Bug, ...] | None:
    """So many bugs in as many lines, each of which some of the trials show; None where that fails.

    With ``moved``, lines may also stand in the wrong place.
    """
    chosen_bugs: list[Bug] = []
    for bug in _suspects(rng, source, TRIES * number, moved):
        if bug.line not in {other.line for other in chosen_bugs} and _shows(source, [bug], wanted):
            chosen_bugs.append(bug)
        if len(chosen_bugs) == number:
            # Lines change their texts first, and then their places.
            bugs = tuple(sorted(chosen_bugs, key=lambda bug: (bug.way != "", bug.line)))
            rest = (left for left in unrepaired(bugs) if len(left) < number)
            sound = _shows(source, bugs, wanted) and all(_fails(source, b, wanted) for b in rest)
            return bugs if sound else None
    return None


def _suspects(rng: Random, source: str, most: int, moved: bool) -> Iterator[Bug]:
    """Bugs as they come to mind, some of them lines in the wrong place."""
    small = [Bug(slip.line, slip.text) for slip in slips(source)]
    gone = list(_moves(source)) if moved else []
    rng.shuffle(small)
    rng.shuffle(gone)
    for bug in small[:most]:
        while gone and rng.random() < 0.4:
            yield gone.pop()
        yield bug


def _moves(source: str) -> Iterator[Bug]:
    """Every way in which a line may stand in the wrong place."""
    ways: tuple[Way, ...] = ("below", "deeper", "shallower")
    for line in range(2, source.count("\n") + 2):
        for way in ways:
            try:
                spoilt(source, [Bug(line, way=way)])
            except InvalidAnswer:
                continue
            yield Bug(line, way=way)


def _shows(source: str, bugs: Sequence[Bug], wanted: Sequence[Trial]) -> bool:
    """Whether trials show bugs, by wrong values for the most part, and all come to an end."""
    try:
        text = spoilt(source, bugs)
        parsed(text)
    except InvalidAnswer:
        return False
    program, wrong, faults = Program(text), 0, 0
    for trial in wanted:
        outcome = program.call(trial.call, 4 * trial.steps + 60)
        if outcome.why:
            return False
        wrong += outcome.shown != trial.shown
        faults += outcome.fault
    return wrong >= SHOWING and 2 * faults <= wrong


def _fails(source: str, bugs: Sequence[Bug], wanted: Sequence[Trial]) -> bool:
    try:
        return first_failure(Program(spoilt(source, bugs)), wanted) is not None
    except InvalidAnswer:
        return False


def unrepaired(bugs: Sequence[Bug]) -> Iterator[tuple[Bug, ...]]:
    """All that may be left of some bugs, before the last one is repaired.

    >>> [len(left) for left in unrepaired([Bug(1), Bug(2)])]
    [1, 1, 2]
    """
    for size in range(1, len(bugs) + 1):
        yield from combinations(bugs, size)


def counted(number: int, noun: str) -> str:
    """A number of things, in words.

    >>> counted(1, "bug"), counted(3, "line")
    ('one bug', 'three lines')
    """
    return f"{WORDS[number]} {noun}{'s' * (number > 1)}"


@lru_cache(maxsize=8)  # the same are wanted when a task is drawn and when it is told
def inputs(source: str, name: str, signature: Signature) -> tuple[Trial, ...]:
    """Trials to choose examples from, the shortest runs first."""
    calls = trials(compiled(source), drawn_calls(name, signature, source, INPUTS))
    return tuple(sorted(calls, key=lambda trial: trial.steps))


class Shown(NamedTuple):
    """Examples of what a program with bugs should do, and what they leave open."""

    examples: tuple[Trial, ...]
    allowed: tuple[str, ...]
    """The programs that some repair of the last bug makes, and that do what the examples say."""


@lru_cache(maxsize=32)
def shown(
    source: str, name: str, signature: Signature, bugs: tuple[Bug, ...], moved: bool
) -> Shown:
    """Examples that show every bug, whichever others are left, and every slip in its place.

    Any repair of the last bug, of the kinds that there are, which does what the examples say does
    so on all of a wide choice of inputs. With ``moved``, lines that stand in the wrong place are
    one of the kinds. Where there are several bugs, which takes longer, repairs of other lines than
    the one with the slip are not looked at.
    """
    wanted = inputs(source, name, signature)
    chosen = dict.fromkeys(wanted[:ALWAYS])
    for left in unrepaired(bugs):
        wrong = compiled(spoilt(source, left))
        if not first_failure(wrong, chosen) and (trial := first_failure(wrong, wanted)):
            chosen[trial] = None
    cases = telling(Program(source), slips(source), wanted, chosen)
    pool = pool_of(source, name, signature)
    allowed: list[str] = []
    for bug in bugs:
        wrong = Program(spoilt(source, [bug]))
        anywhere = bool(bug.way) or len(bugs) == 1
        near = [r for r in repairs(wrong.source) if anywhere or r.line == bug.line]
        elsewhere = [*map(Program, relocations(wrong.source))] if moved and anywhere else []
        allowed += _narrowed(wrong, near, elsewhere, pool, cases)
    return Shown(tuple(sorted(cases)), tuple(dict.fromkeys(allowed)))


def _narrowed(
    wrong: Program,
    near: Iterable[Change],
    others: Iterable[Program],
    pool: Pool,
    candidates: list[Trial],
) -> Iterator[str]:
    """The repairs that pass a pool of trials; ``found`` grows until the others fail it too."""
    # What leaves the bug as it is fails the first of these at once.
    candidates.sort(key=lambda trial: wrong.call(trial.call).shown == trial.shown)
    for repair in near:
        if killer(wrong, repair, candidates) is None:
            if trial := killer(wrong, repair, pool):
                candidates.append(trial)
            else:
                yield replaced(wrong.source, repair.line, repair.text)
    for other in others:
        if first_failure(other, candidates) is None:
            if trial := first_failure(other, pool):
                candidates.append(trial)
            else:
                yield other.source


def relocations(source: str) -> Iterator[str]:
    r"""Every program from which one comes when a simple line goes to the wrong place.

    >>> print(*relocations("def f(n):\n    n += 1\n    n //= 2\n    return n"), sep="\n\n")
    def f(n):
        n //= 2
        n += 1
        return n
    <BLANKLINE>
    def f(n):
        n += 1
        return n
        n //= 2
    """
    rows = source.split("\n")
    for index, row in enumerate(rows):
        words, depth = row.strip(), len(row) - len(row.lstrip(" "))
        if not words or words.endswith(":"):
            continue
        above = rows[index - 1]
        tops = {depth, len(above) - len(above.lstrip(" "))}
        higher = [[*rows[: index - 1], " " * top + words, above] for top in sorted(tops)]
        aside = [[*rows[:index], " " * top + words] for top in (depth - 4, depth + 4) if top > 0]
        for begun in (*higher, *aside):
            text = "\n".join([*begun, *rows[index + 1 :]])
            try:
                parsed(text)
            except InvalidAnswer:
                continue
            yield text


@lru_cache(maxsize=32)
def tested(
    source: str, name: str, signature: Signature, seed: int, number: int
) -> tuple[Case, ...]:
    """Inputs within the bounds on which a program ends well, with what it gives."""
    rng, program = Random(f"{seed}"), compiled(source)
    cases: list[Case] = []
    for _ in range(3 * number):
        values = [parameter.sample(rng) for parameter in signature]
        outcome = program.apply(name, values)
        if not outcome.fault:
            cases.append(Case(values, literal(outcome.shown)))
        if len(cases) == number:
            break
    return tuple(cases)


def passing(source: str, name: str, cases: Iterable[Case]) -> Iterator[bool]:
    """Whether a program gives what is wanted, case by case."""
    program = compiled(source)
    return (program.apply(name, values).shown == repr(value) for values, value in cases)


def exemplified(source: str, examples: Iterable[Trial], with_values: bool) -> Iterator[str]:
    """Calls with what they should return and, if told, what a program makes of them instead."""
    running = compiled(source)
    for call, shown, _ in examples:
        now = running.call(call)
        how = f"{'raises' if now.fault else 'returns'} {now.shown}"
        instead = f"   (now it {'does not end' if now.why else how})"
        yield f"{call} -> {shown}{instead if with_values and now.shown != shown else ''}"


def table(name: str, signature: Signature, examples: Sequence[Trial]) -> str:
    """A program that knows the examples by heart, and nothing else."""
    names = ", ".join(parameter.name for parameter in signature)
    rows = {trial.call.partition("(")[2][:-1]: literal(trial.shown) for trial in examples}
    key = f"', '.join(map(repr, [{names}]))"
    return f"def {name}({names}):\n    return {rows!r}.get({key}, {examples[0].shown})"
