"""Natural deduction for propositional logic, line by line, after Frederic Fitch (1952).

A line has a number, a bar for each sub-proof that contains it, a formula, a rule, and the lines
that the rule cites; a range such as ``2-4`` cites a whole sub-proof::

    1. p -> q      premise
    2. ~q          premise
    3. | p         assumption
    4. | q         ->E 1, 3
    5. | false     ~E 2, 4
    6. ~p          ~I 3-5

An assumption opens a sub-proof with one more bar, or closes a sub-proof and opens another at the
same depth. A line with fewer bars closes the sub-proofs that it leaves. The lines of a closed
sub-proof can no longer be cited, only the sub-proof as a whole, from its assumption to its last
line.

============== =================================== ==========================================
rule           from                                to
============== =================================== ==========================================
premise        the list of premises                one of them
assumption     nothing                             anything, as the start of a sub-proof
R              A                                   A
&I             A, B                                A & B
&E             A & B                               A, or B
|I            A                                   A | B, or B | A
|E            A | B, A…C, B…C                    C
->I            A…B                                 A -> B
->E            A -> B, A                           B
<->I           A…B, B…A                            A <-> B
<->E           A <-> B, one side                   the other side
~I             A…false                             ~A
~E             A, ~A                               false
falseE         false                               anything
trueI          nothing                             true
DNE            ~~A                                 A (classical)
IP             ~A…false                            A (classical)
============== =================================== ==========================================

Without the last two rules the logic is intuitionistic. Lines may be cited in any order.

This module is the kernel: it alone decides what is proved.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from palaestra.verifiers.proofs.formulas import FALSE, TRUE, Formula

Subproof = tuple[Formula, Formula]
"""The assumption and the last formula of a sub-proof."""

CLASSICAL = frozenset({"double negation", "indirect proof"})
"""The rules that intuitionistic logic lacks."""


class Line(NamedTuple):
    """A line of a proof."""

    number: int
    depth: int
    claim: Formula
    rule: str
    lines: tuple[int, ...] = ()
    subproofs: tuple[tuple[int, int], ...] = ()


class _Frame(NamedTuple):
    """An open proof: its lines so far, and the closed sub-proofs directly inside it."""

    lines: dict[int, Formula]
    closed: dict[tuple[int, int], Subproof]


def proof_error(
    proof: Sequence[Line], premises: Collection[Formula], classical: bool = True
) -> str:
    """Return why the first invalid line does not follow, or an empty string if all lines follow.

    If no error is returned, each line follows from the premises and its open assumptions.
    """
    frames = [_Frame({}, {})]
    latest = 0
    for line in proof:
        opens = line.rule == "assumption"
        if line.number <= latest:
            return f"line {line.number} does not have a higher number than the line before it"
        if not opens <= line.depth < len(frames) + opens:
            return f"line {line.number} is inside a sub-proof that no assumption opened"
        while len(frames) > line.depth + (not opens):
            _close(frames)
        if opens:
            frames.append(_Frame({}, {}))
        elif problem := _unfounded(line, frames, premises, classical):
            return f"line {line.number} {problem}"
        frames[-1].lines[line.number] = line.claim
        latest = line.number
    return ""


def _close(frames: list[_Frame]) -> None:
    """Close the innermost sub-proof; from now on it can only be cited as a whole."""
    lines = frames.pop().lines
    first, last = min(lines), max(lines)
    frames[-1].closed[first, last] = lines[first], lines[last]


def _unfounded(
    line: Line, frames: Sequence[_Frame], premises: Collection[Formula], classical: bool
) -> str:
    """Return why a line other than an assumption is invalid, or an empty string."""
    if line.rule == "premise":
        return "" if line.claim in premises else "is not one of the premises"
    if line.rule in CLASSICAL and not classical:
        return "uses a rule that is not allowed here"
    lines = [frame.lines[n] for n in line.lines for frame in frames if n in frame.lines]
    closed = [frame.closed[s] for s in line.subproofs for frame in frames if s in frame.closed]
    if len(lines) < len(line.lines) or len(closed) < len(line.subproofs):
        return "leans on a line or sub-proof that cannot be cited there"
    if closed:
        founded = _discharges(line.claim, line.rule, lines, closed)
    else:
        founded = _follows(line.claim, line.rule, lines)
    return "" if founded else "does not follow by its rule from what it cites"


def _follows(claim: Formula, rule: str, lines: Sequence[Formula]) -> bool:
    """Whether a formula follows by a rule from lines, cited in any order."""
    match rule, lines:
        case "reiteration", [a]:
            return claim == a
        case "and intro", [a, b]:
            return claim in {("and", a, b), ("and", b, a)}
        case "and elim", [("and", a, b)]:
            return claim in {a, b}
        case "or intro", [a]:
            return claim[0] == "or" and a in claim[1:]
        case "if elim", [a, b]:
            return a == ("if", b, claim) or b == ("if", a, claim)
        case "iff elim", [a, b]:
            either = {("iff", a, claim), ("iff", claim, a)}
            return b in either or a in {("iff", b, claim), ("iff", claim, b)}
        case "not elim", [a, b]:
            return claim == FALSE and (a == ("not", b) or b == ("not", a))
        case "false elim", [a]:
            return a == FALSE
        case "true intro", []:
            return claim == TRUE
        case "double negation", [a]:
            return a == ("not", ("not", claim))
    return False


def _discharges(
    claim: Formula, rule: str, lines: Sequence[Formula], subproofs: Sequence[Subproof]
) -> bool:
    """Whether a formula follows by a rule that discharges the assumptions of sub-proofs."""
    match rule, lines, subproofs:
        case "or elim", [("or", a, b)], [(c, one), (d, other)]:
            return one == other == claim and (a, b) in {(c, d), (d, c)}
        case "if intro", [], [(a, b)]:
            return claim == ("if", a, b)
        case "iff intro", [], [(a, b), (c, d)]:
            return (a, b) == (d, c) and claim in {("iff", a, b), ("iff", b, a)}
        case "not intro", [], [(a, end)]:
            return end == FALSE and claim == ("not", a)
        case "indirect proof", [], [(a, end)]:
            return end == FALSE and a == ("not", claim)
    return False
