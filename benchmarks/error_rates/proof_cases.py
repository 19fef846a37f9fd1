"""Proofs: natural deduction, models, refutations and integer constraints.

Right proofs are derived forwards by this file's own rules. A wrong one is wrong by its meaning: a
line does not follow from the premises and open assumptions by a truth table, a model leaves a
clause without a true literal, a formula that has a model is refuted.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from benchmarks.error_rates.cases import Case

from palaestra.verifiers.proofs import NaturalDeduction, SatModel, SmtModel, Unsat

Formula = Any
"""A letter, or a tuple of an operator and its operands."""

SIGNS = [
    {"&": "&", "|": "|", ">": "->", "~": "~"},
    {"&": "∧", "|": "∨", ">": "→", "~": "¬"},
    {"&": "and", "|": "or", ">": "implies", "~": "not "},
    {"&": r"\land", "|": r"\lor", ">": r"\to", "~": r"\neg "},
]
NAMES = [
    {"&I": "&I", "&E": "&E", "|I": "|I", ">E": "->E", ">I": "->I", "DNE": "DNE", "R": "R"},
    {"&I": "∧I", "&E": "∧E", "|I": "∨I", ">E": "→E", ">I": "→I", "DNE": "¬¬E", "R": "R"},
    {
        "&I": "and introduction", "&E": "and elimination", "|I": "or introduction",
        ">E": "modus ponens", ">I": "implies introduction", "DNE": "double negation elimination",
        "R": "reiteration",
    },
    {"&I": "conjunction", "&E": "simplification", "|I": "addition", ">E": "MP", ">I": "CP",
     "DNE": "double negation", "R": "repetition"},
]  # fmt: skip


def holds(formula: Formula, true: dict[str, bool]) -> bool:
    """The truth of a formula under an assignment."""
    if isinstance(formula, str):
        return true[formula]
    sign, *parts = formula
    truths = [holds(part, true) for part in parts]
    match sign:
        case "~":
            return not truths[0]
        case "&":
            return truths[0] and truths[1]
        case "|":
            return truths[0] or truths[1]
    return not truths[0] or truths[1]


def entails(premises: list[Formula], goal: Formula) -> bool:
    """Whether a goal is true wherever all premises are, by a truth table."""
    for values in itertools.product((False, True), repeat=3):
        true = dict(zip("pqr", values))
        if all(holds(each, true) for each in premises) and not holds(goal, true):
            return False
    return True


def written(formula: Formula, signs: dict[str, str]) -> str:
    """A formula as text, with all brackets but the outermost."""
    if isinstance(formula, str):
        return formula
    parts = [f"({written(p, signs)})" if len(p) > 2 else written(p, signs) for p in formula[1:]]
    if formula[0] == "~":
        return f"{signs['~']}{parts[0]}"
    return f"{parts[0]} {signs[formula[0]]} {parts[1]}"


def formula(rng: random.Random, depth: int = 2) -> Formula:
    """A random formula."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice("pqr")
    sign = rng.choice("~&|>>")
    if sign == "~":
        return (sign, formula(rng, depth - 1))
    return (sign, formula(rng, depth - 1), formula(rng, depth - 1))


Line = tuple[int, Formula, str, str]
"""Depth, formula, rule and citation."""


def derived(rng: random.Random, lines: list[Line], depth: int, usable: list[int]) -> Line | None:
    """A line that follows from usable ones by one rule."""
    steps: list[Line] = []
    for a in usable:
        one = lines[a - 1][1]
        steps.append((depth, ("|", one, formula(rng, 1)), "|I", f"{a}"))
        if one[0] == "&":
            steps += [(depth, one[1], "&E", f"{a}"), (depth, one[2], "&E", f"{a}")] * 3
        if one[0] == "~" and one[1][0] == "~":
            steps += [(depth, one[1][1], "DNE", f"{a}")] * 3
        for b in usable:
            two = lines[b - 1][1]
            if len(str(one)) + len(str(two)) < 60:
                steps.append((depth, ("&", one, two), "&I", f"{a}, {b}"))
            if two[0] == ">" and two[1] == one:
                steps += [(depth, two[2], ">E", f"{b}, {a}")] * 6
    return rng.choice(steps) if steps else None


def proof(rng: random.Random) -> tuple[list[Formula], list[Line]]:
    """Premises, and the lines of a proof from them."""
    premises = [formula(rng) for _ in range(rng.randint(1, 2))]
    premises += [(">", premises[0], formula(rng, 1))]
    lines: list[Line] = [(0, each, "premise", "") for each in premises]
    usable = list(range(1, len(lines) + 1))

    def extend(depth: int, count: int) -> None:
        for _ in range(count):
            step = derived(rng, lines, depth, usable)
            if step:
                lines.append(step)
                usable.append(len(lines))

    extend(0, 2)
    if rng.random() < 0.7:
        start, outer = len(lines) + 1, usable.copy()
        lines.append((1, formula(rng, 1), "assumption", ""))
        usable.append(start)
        extend(1, rng.randint(1, 3))
        end = len(lines)
        conclusion = (">", lines[start - 1][1], lines[end - 1][1])
        usable[:] = outer
        lines.append((0, conclusion, ">I", f"{start}-{end}"))
        usable.append(len(lines))
    extend(0, rng.randint(1, 2))
    return premises, lines


def printed(rng: random.Random, lines: list[Line]) -> str:
    """A proof as text."""
    signs, names = rng.choice(SIGNS), rng.choice(NAMES)
    gap = rng.choice(("  ", " ", "    "))
    return "\n".join(
        f"{n}. {'| ' * depth}{written(each, signs)}{gap}{names.get(rule, rule)} {source}".rstrip()
        for n, (depth, each, rule, source) in enumerate(lines, 1)
    )


def deduction_cases(rng: random.Random) -> Iterator[Case]:
    """Proofs in natural deduction."""
    while True:
        premises, lines = proof(rng)
        texts = [written(each, SIGNS[0]) for each in premises]
        verifier = NaturalDeduction(texts, written(lines[-1][1], SIGNS[0]))
        for _ in range(2):
            yield Case("natural deduction", verifier, printed(rng, lines), right=True)
        at = rng.randrange(len(premises), len(lines))
        depth, _, rule, source = lines[at]
        strange = formula(rng)
        scope = premises + [
            each for d, each, name, _ in lines[:at] if name == "assumption" and d <= depth
        ]
        if rule != "assumption" and not entails(scope, strange):
            mended = [*lines[:at], (depth, strange, rule, source), *lines[at + 1 :]]
            yield Case("line that does not follow", verifier, printed(rng, mended), right=False)
        if not entails(premises, strange):
            claim = [*lines[: len(premises)], (0, strange, rng.choice(list(NAMES[0])), "1, 2")]
            yield Case("another goal", verifier, printed(rng, claim), right=strange == lines[-1][1])
        if len(lines) > len(premises) + 1 and lines[-1][1] not in [
            each for _, each, _, _ in lines[:-1]
        ]:
            yield Case("goal not reached", verifier, printed(rng, lines[:-1]), right=False)


def clauses_of(rng: random.Random, size: int) -> list[tuple[int, ...]]:
    """Random clauses of two or three literals."""
    count = round(size * rng.choice((2, 3, 5, 7)))
    return [
        tuple(
            n * rng.choice((1, -1)) for n in rng.sample(range(1, size + 1), rng.choice((2, 3, 3)))
        )
        for _ in range(count)
    ]


def models(clauses: list[tuple[int, ...]], size: int) -> Iterator[tuple[int, ...]]:
    """All models, by brute force."""
    for signs in itertools.product((1, -1), repeat=size):
        model = tuple(n * sign for n, sign in zip(range(1, size + 1), signs))
        if all(set(clause) & set(model) for clause in clauses):
            yield model


def model_forms(model: tuple[int, ...]) -> dict[str, str]:
    """Ways to write a model."""

    def pairs(yes: str, no: str, sign: str = " = ") -> list[str]:
        return [f"x{abs(n)}{sign}{yes if n > 0 else no}" for n in model]

    return {
        "literals": " ".join(map(str, model)),
        "literals with a 0": " ".join(map(str, [*model, 0])),
        "literals with commas": ", ".join(map(str, model)),
        "literals in brackets": str(list(model)),
        "solver's lines": "s SATISFIABLE\nv " + " ".join(map(str, [*model, 0])),
        "true and false": ", ".join(pairs("true", "false")),
        "True and False on lines": "\n".join(pairs("True", "False", ": ")),
        "1 and 0": ", ".join(pairs("1", "0", "=")),
        "T and F": ", ".join(pairs("T", "F", "=")),
    }


def sat_cases(rng: random.Random) -> Iterator[Case]:
    """Models of clauses, and refutations."""
    while True:
        size = rng.randint(3, 5)
        clauses = clauses_of(rng, size)
        satisfying = list(models(clauses, size))
        if satisfying:
            verifier = SatModel(clauses)
            for _ in range(2):
                form, answer = rng.choice(sorted(model_forms(rng.choice(satisfying)).items()))
                yield Case(form, verifier, answer, right=True)
            guess = tuple(n * rng.choice((1, -1)) for n in range(1, size + 1))
            answer = rng.choice(sorted(model_forms(guess).values()))
            yield Case("random assignment", verifier, answer, guess in satisfying)
            doubted = Unsat(clauses)
            yield Case(
                "refutation of what has a model", doubted, resolvents(clauses, 40), right=False
            )
            yield Case("empty clause alone", doubted, "0", right=False)
        elif (refutation := resolvents(clauses, 4000)).endswith("\n0"):
            proved = Unsat(clauses)
            yield Case("refutation by resolution", proved, refutation, right=True)
            lines = refutation.splitlines()
            yield Case("refutation cut short", proved, "\n".join(lines[:-1]) or "c", right=False)


def resolvents(clauses: list[tuple[int, ...]], most: int) -> str:
    """Resolvents line by line until the empty clause; a false claim of it where there is none."""
    known = [frozenset(clause) for clause in clauses]
    seen, lines = set(known), []
    at = 0
    while at < len(known) and len(lines) < most:
        for other in known[:at]:
            for literal in known[at]:
                if -literal in other:
                    fresh = (known[at] - {literal}) | (other - {-literal})
                    if fresh in seen or any(-n in fresh for n in fresh):
                        continue
                    seen.add(fresh)
                    known.append(fresh)
                    lines.append(" ".join(map(str, [*sorted(fresh), 0])))
                    if not fresh:
                        return "\n".join(lines)
        at += 1
    return "\n".join([*lines, "0 "]).rstrip(" ") if most < 100 else "\n".join(lines)


def smt_cases(rng: random.Random) -> Iterator[Case]:
    """Integers that keep linear and quadratic constraints."""
    while True:
        x, y = rng.randint(-20, 20), rng.randint(-20, 20)
        a, b, c = rng.randint(1, 5), rng.randint(-5, 5), rng.randint(1, 9)

        total, bound = a * x + b * y, x * x + y + c

        def number(n: int) -> str:
            return str(n) if n >= 0 else f"(- {-n})"

        verifier = SmtModel(
            "(declare-const x Int) (declare-const y Int)"
            f"(assert (= (+ (* {a} x) (* {number(b)} y)) {number(total)}))"
            f"(assert (< (+ (* x x) y) {number(bound)}))"
        )
        for u, v in ((x, y), (x + b, y - a), (x + 1, y), (y, x), (-x, y)):
            forms = [
                f"x = {u}\ny = {v}",
                f"x = {u}, y = {v}",
                f"y = {v}, x = {u}",
                f"x: {u}\ny: {v}",
            ]
            right = a * u + b * v == total and u * u + v < bound
            form = "integer solution" if right else "constraint broken"
            yield Case(form, verifier, rng.choice(forms), right)


def cases(rng: random.Random) -> Iterator[Case]:
    """The kinds in turn."""
    for row in zip(deduction_cases(rng), sat_cases(rng), deduction_cases(rng), smt_cases(rng)):
        yield from row
