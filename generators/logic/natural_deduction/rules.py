"""The rules of natural deduction as schemas, and proofs as text.

:func:`is_proof` checks a proof by the schemas. It is a second opinion on what the kernel,
:mod:`palaestra.verifiers.proofs.fitch`, accepts, and shares no code with it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from palaestra.verifiers.proofs.fitch import Line
from palaestra.verifiers.proofs.formulas import Formula, formula, written

VARIABLES = ("A", "B", "C")
"""Names that stand for any formula in a schema."""


class Schema(NamedTuple):
    """A rule: what it uses, and what it yields."""

    sign: str
    """Its name in proofs."""
    lines: tuple[str, ...]
    subproofs: tuple[tuple[str, str], ...]
    """The assumption and the last formula of each sub-proof."""
    claims: tuple[str, ...]
    """The formulas that it may yield."""
    classical: bool = False
    """Whether intuitionistic logic lacks it."""


SCHEMAS = {
    "reiteration": Schema("R", ("A",), (), ("A",)),
    "and intro": Schema("&I", ("A", "B"), (), ("A & B",)),
    "and elim": Schema("&E", ("A & B",), (), ("A", "B")),
    "or intro": Schema("|I", ("A",), (), ("A | B", "B | A")),
    "or elim": Schema("|E", ("A | B",), (("A", "C"), ("B", "C")), ("C",)),
    "if intro": Schema("->I", (), (("A", "B"),), ("A -> B",)),
    "if elim": Schema("->E", ("A -> B", "A"), (), ("B",)),
    "iff intro": Schema("<->I", (), (("A", "B"), ("B", "A")), ("A <-> B",)),
    "iff elim": Schema("<->E", ("A <-> B", "A"), (), ("B",)),
    "iff elim back": Schema("<->E", ("A <-> B", "B"), (), ("A",)),
    "not intro": Schema("~I", (), (("A", "false"),), ("~A",)),
    "not elim": Schema("~E", ("A", "~A"), (), ("false",)),
    "false elim": Schema("falseE", ("false",), (), ("A",)),
    "double negation": Schema("DNE", ("~~A",), (), ("A",), classical=True),
    "indirect proof": Schema("IP", (), (("~A", "false"),), ("A",), classical=True),
}
"""All rules but those for the constant ``true``, and for premises and assumptions."""

SIGNS = {rule: schema.sign for rule, schema in SCHEMAS.items()}
SIGNS |= {"premise": "premise", "assumption": "assumption", "true intro": "trueI"}


def proof_text(lines: Iterable[Line]) -> str:
    r"""A proof as text, with each of its lines on a line.

    >>> assumed, end = Line(1, 1, ("p",), "assumption"), ("if", ("p",), ("p",))
    >>> proof_text([assumed, Line(2, 0, end, "if intro", (), ((1, 1),))])
    '1. | p   assumption\n2. p -> p   ->I 1-1'
    """
    texts = list[str]()
    for number, depth, claim, rule, cited, ranges in lines:
        cites = ", ".join([*map(str, cited), *(f"{first}-{last}" for first, last in ranges)])
        texts.append(f"{number}. {'| ' * depth}{written(claim)}   {SIGNS[rule]} {cites}".rstrip())
    return "\n".join(texts)


def rules_text(*, classical: bool) -> str:
    """The rules as text, a line for each of them."""
    texts = list[str]()
    for sign, lines, subproofs, claims, is_classical in SCHEMAS.values():
        if is_classical and not classical:
            continue
        sources = [*lines]
        sources += [f"a sub-proof from {first} to {last}" for first, last in subproofs]
        end = f"{', '.join(sources[:-1])} and {sources[-1]}" if len(sources) > 1 else sources[0]
        texts.append(f"{sign}: from {end}, derive {' or derive '.join(claims)}")
    return "\n".join(texts)


def is_proof(
    lines: Sequence[Line], premises: Collection[Formula], goal: Formula, *, classical: bool
) -> bool:
    """Whether each line is an instance of its schema, and the last is the goal."""
    depth = 0
    for at, line in enumerate(lines):
        opens = line.rule == "assumption"
        if at and line.number <= lines[at - 1].number:
            return False
        if not opens <= line.depth <= depth + opens:
            return False
        depth = line.depth
        if line.rule == "premise" and line.claim not in premises:
            return False
        if line.rule not in {"premise", "assumption"} and not _is_derived(lines, at, classical):
            return False
    return bool(lines) and lines[-1].depth == 0 and lines[-1].claim == goal


def _is_derived(lines: Sequence[Line], at: int, classical: bool) -> bool:
    """Whether a line follows by a rule from lines and sub-proofs that are open to it."""
    line = lines[at]
    cited = [
        each.claim for n, each in enumerate(lines[:at]) for number in line.lines
        if number == each.number and _is_open(lines, n, at)
    ]  # fmt: skip
    ranges = [
        (lines[first].claim, lines[last].claim)
        for first, last in _subproofs(lines, at)
        for pair in line.subproofs
        if pair == (lines[first].number, lines[last].number)
    ]
    if len(cited) < len(line.lines) or len(ranges) < len(line.subproofs):
        return False
    if line.rule == "true intro":
        return not cited and not ranges and line.claim == ("true",)
    rules = [each for each in SCHEMAS if each.removesuffix(" back") == line.rule]
    return any(
        (classical or not SCHEMAS[rule].classical)
        and _fits(SCHEMAS[rule], line.claim, cited, ranges)
        for rule in rules
    )


def _is_open(lines: Sequence[Line], n: int, at: int) -> bool:
    """Whether no sub-proof that contains a line ends between it and a later line."""
    depth = lines[n].depth
    return not any(
        each.depth < depth or (each.depth == depth and each.rule == "assumption")
        for each in lines[n + 1 : at + 1]
    )


def _subproofs(lines: Sequence[Line], at: int) -> Iterator[tuple[int, int]]:
    """The indices of the first and the last line of each sub-proof that a line may cite."""
    for first, line in enumerate(lines[:at]):
        if line.rule != "assumption" or _is_open(lines, first, at):
            continue
        inside = [
            n for n in range(first, at)
            if lines[n].depth == line.depth and (n == first or _is_open(lines, first, n))
        ]  # fmt: skip
        outer = line.depth - 1
        if not any(
            each.depth < outer or (each.depth == outer and each.rule == "assumption")
            for each in lines[first + 1 : at + 1]
        ):
            yield first, inside[-1]


def _fits(
    schema: Schema,
    claim: Formula,
    cited: Sequence[Formula],
    ranges: Sequence[tuple[Formula, Formula]],
) -> bool:
    """Whether formulas are an instance of a schema, in some order of what is cited."""
    if len(cited) != len(schema.lines) or len(ranges) != len(schema.subproofs):
        return False
    ends = [side for pair in schema.subproofs for side in pair]
    for some in permutations(cited):
        for pairs in permutations(ranges):
            values = [*some, *(side for pair in pairs for side in pair), claim]
            for result in schema.claims:
                bound = dict[str, Formula]()
                patterns = map(formula, (*schema.lines, *ends, result))
                if all(_matches(*pair, bound) for pair in zip(patterns, values)):
                    return True
    return False


def _matches(pattern: Formula, value: Formula, bound: dict[str, Formula]) -> bool:
    """Whether a formula is an instance of a pattern, given the variables so far."""
    if pattern[0] in VARIABLES:
        return bound.setdefault(pattern[0], value) == value
    return (
        pattern[0] == value[0]
        and len(pattern) == len(value)
        and all(_matches(part, other, bound) for part, other in zip(pattern[1:], value[1:]))
    )
