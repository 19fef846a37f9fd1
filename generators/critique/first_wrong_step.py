"""Derivations of quantities from facts, step by step, with faults that carry on.

A derivation has a fact for each quantity, in words or as an equation, and a step for each, which
shows a calculation and its value. A fault changes the calculation or the value of a step; the
steps behind it are calculated from the value that is written.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.verifiers.expressions import worked

SIGNS = ("+", "-", "*", "/", "mod")

Subject = Literal["story", "equations", "remainders"]
SUBJECTS: tuple[Subject, ...] = ("story", "equations", "remainders")


class Values(NamedTuple):
    """Values of the quantities P, Q and R, the numbers a, b and c of a fact, and the modulus."""

    p: int
    q: int
    r: int
    a: int
    b: int
    c: int
    m: int


class Relation(NamedTuple):
    """How a quantity P depends on one or two earlier ones, Q and R, and numbers a and b."""

    text: str
    right: str
    """The calculation of P, from the values q and r."""

    wrong: tuple[str, ...]
    """Calculations by people who misread the fact."""

    holds: Callable[[Values], bool]
    """Whether values satisfy the fact."""

    total: str = ""
    """What the number c is, if there is one: it depends on the value p."""

    @property
    def sources(self) -> int:
        """The number of earlier quantities."""
        return 2 if "{r}" in self.right else 1


STORY = (
    Relation(
        "{P} has {a} more {x} than {Q}.",
        "{q} + {a}",
        ("{q} - {a}", "{q} * {a}"),
        lambda v: v.p - v.q == v.a,
    ),
    Relation(
        "{Q} has {a} more {x} than {P}.",
        "{q} - {a}",
        ("{q} + {a}",),
        lambda v: v.q - v.p == v.a,
    ),
    Relation(
        "{P} has {b} times as many {x} as {Q}.",
        "{b} * {q}",
        ("{q} + {b}", "{q} / {b}"),
        lambda v: v.p == v.b * v.q,
    ),
    Relation(
        "{Q} has {b} times as many {x} as {P}.",
        "{q} / {b}",
        ("{b} * {q}", "{q} - {b}"),
        lambda v: v.q == v.b * v.p,
    ),
    Relation(
        "{P} has as many {x} as {Q} and {R} together.",
        "{q} + {r}",
        ("{q} - {r}", "{r} - {q}"),
        lambda v: v.p - v.r == v.q,
    ),
    Relation(
        "{Q} and {R} together have {a} more {x} than {P}.",
        "{q} + {r} - {a}",
        ("{q} + {r} + {a}", "{q} + {a}", "{r} + {a}"),
        lambda v: v.q + v.r == v.p + v.a,
    ),
    Relation(
        "{P}, {Q} and {R} have {c} {x} in all.",
        "{c} - {q} - {r}",
        ("{c} - {q} + {r}", "{c} - {q}", "{q} + {r}"),
        lambda v: v.p + v.q + v.r == v.c,
        "{p} + {q} + {r}",
    ),
    Relation(
        "{P} had {b} times as many {x} as {Q} has, and then lost {a} of them.",
        "{b} * {q} - {a}",
        ("{b} * ({q} - {a})", "{b} * {q} + {a}", "{q} - {a}"),
        lambda v: v.p + v.a == v.b * v.q,
    ),
    Relation(
        "{P} has {a} {x} more than half of what {Q} has.",
        "{q} / 2 + {a}",
        ("({q} + {a}) / 2", "{q} + {a}", "2 * {q} + {a}"),
        lambda v: 2 * (v.p - v.a) == v.q,
    ),
    Relation(
        "On average, {P} and {Q} have {c} {x} each.",
        "2 * {c} - {q}",
        ("({c} + {q}) / 2", "{c} - {q}", "2 * {c} + {q}"),
        lambda v: v.p + v.q == 2 * v.c,
        "({p} + {q}) / 2",
    ),
)

EQUATIONS = (
    Relation(
        "{P} - {Q} = {a}",
        "{q} + {a}",
        ("{q} - {a}",),
        lambda v: v.p - v.q == v.a,
    ),
    Relation(
        "{Q} - {P} = {a}",
        "{q} - {a}",
        ("{q} + {a}",),
        lambda v: v.q - v.p == v.a,
    ),
    Relation(
        "{b}*{P} + {Q} = {c}",
        "({c} - {q}) / {b}",
        ("({c} + {q}) / {b}", "{c} - {q}", "{c} / {b} - {q}"),
        lambda v: v.b * v.p + v.q == v.c,
        "{b} * {p} + {q}",
    ),
    Relation(
        "{b}*{P} - {a}*{Q} = {c}",
        "({c} + {a} * {q}) / {b}",
        ("({c} - {a} * {q}) / {b}", "({c} + {q}) / {b}", "{c} + {a} * {q}"),
        lambda v: v.b * v.p - v.a * v.q == v.c,
        "{b} * {p} - {a} * {q}",
    ),
    Relation(
        "{P} = {b}*({Q} - {a})",
        "{b} * ({q} - {a})",
        ("{b} * {q} - {a}", "{b} * ({q} + {a})"),
        lambda v: v.p == v.b * (v.q - v.a),
    ),
    Relation(
        "{P} + {Q} = {b}*{R}",
        "{b} * {r} - {q}",
        ("{b} * {r} + {q}", "{b} * ({r} - {q})", "{b} * {q} - {r}"),
        lambda v: v.p + v.q == v.b * v.r,
    ),
    Relation(
        "({P} + {Q})/{b} = {R}",
        "{b} * {r} - {q}",
        ("{r} / {b} - {q}", "{b} * ({r} - {q})", "{b} * {r} + {q}"),
        lambda v: v.p + v.q == v.b * v.r,
    ),
    Relation(
        "{P} - {Q} - {R} = {a}",
        "{a} + {q} + {r}",
        ("{a} + {q} - {r}", "{a} - {q} + {r}"),
        lambda v: v.p == v.a + v.q + v.r,
    ),
    Relation(
        "{Q} - ({P} - {R}) = {c}",
        "{q} + {r} - {c}",
        ("{q} - {r} - {c}", "{c} - {q} + {r}", "{c} + {r} - {q}"),
        lambda v: v.q - v.p + v.r == v.c,
        "{q} + {r} - {p}",
    ),
)

REMAINDERS = (
    Relation(
        "{P} = ({Q} * {R}) mod {m}",
        "({q} * {r}) mod {m}",
        ("({q} + {r}) mod {m}",),
        lambda v: 0 <= v.p < v.m and (v.p - v.q * v.r) % v.m == 0,
    ),
    Relation(
        "{P} = ({Q} + {a} * {R}) mod {m}",
        "({q} + {a} * {r}) mod {m}",
        ("(({q} + {a}) * {r}) mod {m}", "({a} * {q} + {r}) mod {m}"),
        lambda v: 0 <= v.p < v.m and (v.p - v.q - v.a * v.r) % v.m == 0,
    ),
    Relation(
        "{P} = ({a} * {Q} + {b}) mod {m}",
        "({a} * {q} + {b}) mod {m}",
        ("({b} * {q} + {a}) mod {m}", "({a} * ({q} + {b})) mod {m}"),
        lambda v: 0 <= v.p < v.m and (v.p - v.a * v.q - v.b) % v.m == 0,
    ),
)

RELATIONS: Mapping[Subject, tuple[Relation, ...]] = {
    "story": STORY,
    "equations": EQUATIONS,
    "remainders": REMAINDERS,
}


class Fact(NamedTuple):
    """How the next quantity depends on earlier ones; without a relation, its value is stated."""

    relation: int | None
    sources: tuple[int, ...]
    numbers: tuple[int, int, int]
    """The numbers a, b and c; a is the stated value of a quantity without a relation."""


class Step(NamedTuple):
    """A calculation and the value that is written behind it."""

    calculation: str
    value: int


class Derivation(NamedTuple):
    """A problem, of which each quantity has a fact, and the steps of somebody's solution."""

    subject: Subject
    names: tuple[str, ...]
    thing: str
    modulus: int
    facts: tuple[Fact, ...]
    order: tuple[int, ...]
    """The order in which the facts are listed."""

    steps: tuple[Step, ...]


class Impossible(Exception):
    """A value is not a whole number of the allowed size."""


def value_of(calculation: str, most: int) -> int:
    """The value of a calculation.

    Raises :class:`Impossible` if it is no whole number from 1 to ``most``.
    """
    value = worked(calculation, SIGNS).value
    if value.denominator > 1 or not 1 <= value <= most:
        raise Impossible
    return int(value)


def written(derivation: Derivation, index: int, values: Sequence[int], form: str = "right") -> str:
    """The right calculation of a quantity from the values of the earlier ones.

    Any other ``form`` than "right" is the text of a calculation with letters in place of values.
    """
    fact = derivation.facts[index]
    if fact.relation is None:
        return str(fact.numbers[0])
    relation = RELATIONS[derivation.subject][fact.relation]
    words = _words(fact, values, derivation.modulus)
    return (relation.right if form == "right" else form).format(**words)


def _words(fact: Fact, values: Sequence[int], modulus: int) -> dict[str, int]:
    words = dict(zip("qr", (values[source] for source in fact.sources)))
    return {**words, **dict(zip("abc", fact.numbers)), "m": modulus}


def right_steps(derivation: Derivation) -> list[Step]:
    """The steps without faults."""
    values, steps = list[int](), list[Step]()
    for n in range(len(derivation.facts)):
        calculation = written(derivation, n, values)
        values.append(int(worked(calculation, SIGNS).value))
        steps.append(Step(calculation, values[-1]))
    return steps


def first_fault(derivation: Derivation) -> tuple[int, int] | None:
    """The number of the first wrong step, counted from 1, with its right value; None without one.

    Up to that step, all values are right, so that they are compared with a solution.
    """
    for n, (right, step) in enumerate(zip(right_steps(derivation), derivation.steps), 1):
        if right != step:
            return n, right.value
    return None


def first_broken_fact(derivation: Derivation, most: int) -> tuple[int, int] | None:
    """The same as :func:`first_fault`, by trying for each fact which values satisfy it."""
    values = [step.value for step in derivation.steps]
    for n, fact in enumerate(derivation.facts):
        if not satisfies(derivation, fact, values[n], values):
            fit = [p for p in range(1, most + 1) if satisfies(derivation, fact, p, values)]
            return n + 1, fit[0]
    return None


def satisfies(derivation: Derivation, fact: Fact, value: int, values: Sequence[int]) -> bool:
    """Whether a value of a quantity satisfies its fact."""
    if fact.relation is None:
        return value == fact.numbers[0]
    relation = RELATIONS[derivation.subject][fact.relation]
    q, r = (values[fact.sources[0]], values[fact.sources[-1]])
    return relation.holds(Values(value, q, r, *fact.numbers, derivation.modulus))


def fact_text(derivation: Derivation, index: int) -> str:
    """The sentence or equation that states a fact."""
    fact, names = derivation.facts[index], derivation.names
    if fact.relation is None:
        if derivation.subject == "story":
            return f"{names[index]} has {fact.numbers[0]} {derivation.thing}."
        return f"{names[index]} = {fact.numbers[0]}"
    people = dict(zip("QR", (names[source] for source in fact.sources)))
    numbers = dict(zip("abc", fact.numbers))
    text = RELATIONS[derivation.subject][fact.relation].text
    return text.format(
        P=names[index], x=derivation.thing, m=derivation.modulus, **people, **numbers
    )


def step_text(derivation: Derivation, index: int) -> str:
    """A step as it is written."""
    calculation, value = derivation.steps[index]
    name = derivation.names[index]
    return f"{name} = {value}" if calculation == str(value) else f"{name} = {calculation} = {value}"


# ------------------------------------------------------------------------------------- generation


def random_derivation(
    rng: Random, subject: Subject, words: tuple[Sequence[str], str], span: int, faults: int
) -> Derivation:
    """A derivation with a step for each name, and a number of faults at random steps.

    ``words`` are the names of the quantities, and the things that people have in a story. The
    numbers in facts are at most ``span``, and values at most ten times as large.
    """
    names, thing = words
    while True:
        modulus = rng.randint(span + 10, 2 * span + 20) if subject == "remainders" else 0
        facts = _facts(rng, subject, len(names), span, modulus)
        order = tuple(rng.sample(range(len(names)), len(names)))
        blank = Derivation(subject, tuple(names), thing, modulus, facts, order, ())
        stated = sum(fact.relation is None for fact in facts)
        wrong = sorted(rng.sample(range(stated, len(names)), faults))
        try:
            return blank._replace(steps=_steps(rng, blank, wrong, 10 * span))
        except Impossible:
            continue


def _facts(rng: Random, subject: Subject, number: int, span: int, modulus: int) -> tuple[Fact, ...]:
    """Facts whose values are different whole numbers; the first two state values."""
    facts, values = list[Fact](), list[int]()
    while len(facts) < number:
        if len(facts) < 2:
            fact, value = (
                Fact(
                    None,
                    (),
                    (rng.randint(2, span), 0, 0),
                ),
                0,
            )
            value = fact.numbers[0]
        else:
            try:
                fact, value = _fact(rng, subject, values, span, modulus)
            except Impossible:
                continue
        if value not in values:
            facts.append(fact)
            values.append(value)
    return tuple(facts)


def _fact(
    rng: Random, subject: Subject, values: Sequence[int], span: int, modulus: int
) -> tuple[Fact, int]:
    """A fact about one or two of the last quantities, with the value of its own."""
    which = rng.randrange(len(RELATIONS[subject]))
    relation = RELATIONS[subject][which]
    recent = range(max(0, len(values) - 4), len(values))
    sources = tuple(rng.sample(recent, relation.sources))
    a, b = rng.randint(2, span), rng.randint(2, 6)
    if "{a} *" in relation.right:
        a = rng.randint(2, 9)
    if a == b:
        raise Impossible
    fact = Fact(which, sources, (a, b, 0))
    if relation.total:
        value = rng.randint(2, 5 * span)
        words = _words(fact, values, modulus) | {"p": value}
        total = value_of(relation.total.format(**words), 100 * span)
        fact = fact._replace(numbers=(a, b, total))
    return fact, value_of(relation.right.format(**_words(fact, values, modulus)), 10 * span)


def _steps(rng: Random, blank: Derivation, wrong: Sequence[int], most: int) -> tuple[Step, ...]:
    steps, values = list[Step](), list[int]()
    for n in range(len(blank.facts)):
        calculation = written(blank, n, values)
        step = Step(calculation, value_of(calculation, most))
        if n in wrong:
            step = _faulty(rng, blank, n, values, most)
        steps.append(step)
        values.append(step.value)
    return tuple(steps)


def _faulty(rng: Random, blank: Derivation, n: int, values: Sequence[int], most: int) -> Step:
    """A step with another value than the right one: by a slip, or by another calculation.

    Raises :class:`Impossible` if no fault of the type that comes up gives a whole number.
    """
    calculation = written(blank, n, values)
    right = Step(calculation, value_of(calculation, most))
    if rng.random() < 0.1:
        value = right.value + rng.choice((-100, -20, -10, -2, -1, 1, 2, 10, 20, 100))
        if not 1 <= value <= most:
            raise Impossible
        return Step(right.calculation, value)
    fact = blank.facts[n]
    assert fact.relation is not None
    relation = RELATIONS[blank.subject][fact.relation]
    way = rng.choice(("misread", "number", "source"))
    form, other = relation.right, blank
    if way == "misread":
        form = rng.choice(relation.wrong)
    elif way == "number":
        numbers = [each for each in blank.facts if each.relation is not None]
        swapped = rng.choice(numbers).numbers
        fact = fact._replace(numbers=(swapped[0], swapped[1], swapped[2] or fact.numbers[2]))
    else:
        sources = list(fact.sources)
        free = [source for source in range(n) if source not in sources]
        if not free:
            raise Impossible
        sources[rng.randrange(len(sources))] = rng.choice(free)
        fact = fact._replace(sources=tuple(sources))
    facts = (*blank.facts[:n], fact, *blank.facts[n + 1 :])
    other = blank._replace(facts=facts)
    calculation = written(other, n, values, form)
    value = value_of(calculation, most)
    if value == right.value:
        raise Impossible
    return Step(calculation, value)
