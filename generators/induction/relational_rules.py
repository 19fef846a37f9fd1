"""Relations as rows of bits, programs of rules about them, and all small programs that fit."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.bitsets import ones

Relation = tuple[int, ...]
"""The individuals that each individual is related to, as bits."""

Form = Literal["rule", "union", "closure", "linear", "sandwich", "helper", "helpers"]
FORMS: tuple[Form, ...] = (
    "rule", "union", "closure", "linear", "sandwich", "helper", "helpers",
)  # fmt: skip
"""The forms of programs, from the simplest to the hardest."""

Joint = Literal["then", "before", "both", ""]


class Arc(NamedTuple):
    """A known relation, perhaps from right to left: a literal of a rule."""

    relation: int
    inverse: bool


class Step(NamedTuple):
    """One literal, or two that hold one after the other, or two that hold of the same pair."""

    literals: tuple[Arc, ...]
    both: bool


class Program(NamedTuple):
    """Rules for a relation, by their form.

    ``rule``: the step. ``union``: either step. ``closure``: the step once or more often.
    ``linear``: the second step any number of times, and then the first one. ``sandwich``: the first
    step, between as many of the second as of the third. ``helper`` and ``helpers``: the closure of
    the ``repeated`` steps, before, behind or together with another step or closure, see ``joint``.
    """

    form: Form
    steps: tuple[Step, ...]
    repeated: tuple[Step, ...] = ()
    joint: Joint = ""


class Structure(NamedTuple):
    """Some worlds side by side, whose individuals are numbered on."""

    sizes: tuple[int, ...]
    relations: tuple[Relation, ...]
    unary: tuple[bool, ...]
    """Which relations are properties: an individual is related to itself or to nobody."""

    def pairs(self, relation: Relation, world: int) -> list[tuple[int, int]]:
        """The pairs of a relation in a world, whose individuals are numbered from 1."""
        first = sum(self.sizes[:world])
        return [
            (n + 1, other - first + 1)
            for n in range(self.sizes[world])
            for other in ones(relation[first + n])
        ]


def composed(one: Relation, other: Relation) -> Relation:
    """The pairs with a third individual between them.

    >>> composed((0b10, 0), (0, 0b01))
    (1, 0)
    """
    return tuple([_through(row, other) for row in one])


def _through(left: int, other: Relation) -> int:
    """All that some individuals are related to."""
    value = 0
    while left:
        low = left & -left
        value |= other[low.bit_length() - 1]
        left ^= low
    return value


def closed(relation: Relation) -> Relation:
    """The pairs that are joined by one step or several (S. Warshall, 1962).

    >>> closed((0b010, 0b100, 0))
    (6, 4, 0)
    """
    rows = list(relation)
    for middle in range(len(rows)):
        bit, through = 1 << middle, rows[middle]
        if through:
            rows = [row | through if row & bit else row for row in rows]
    return tuple(rows)


def union(one: Relation, other: Relation) -> Relation:
    """The pairs of either relation."""
    return tuple([a | b for a, b in zip(one, other)])


def meet(one: Relation, other: Relation) -> Relation:
    """The pairs of both relations."""
    return tuple([a & b for a, b in zip(one, other)])


def inverse(relation: Relation) -> Relation:
    """The pairs from right to left."""
    rows = [0] * len(relation)
    for n, row in enumerate(relation):
        for other in ones(row):
            rows[other] |= 1 << n
    return tuple(rows)


def literals(unary: Sequence[bool]) -> list[Arc]:
    """All literals; a property has no inverse of its own."""
    return [
        Arc(n, turned)
        for n, single in enumerate(unary)
        for turned in ((False,) if single else (False, True))
    ]


def steps(unary: Sequence[bool]) -> list[Step]:
    """All steps: single relations, chains of two, and two relations that both hold."""
    every = literals(unary)
    pairs = [each for each in every if not unary[each.relation]]
    chains = [
        Step((a, b), both=False)
        for a, b in product(every, repeat=2)
        if not (unary[a.relation] and unary[b.relation])
    ]
    both = [Step(each, both=True) for each in combinations(pairs, 2)]
    return [*(Step((each,), both=False) for each in pairs), *chains, *both]


class Algebra:
    """The values of steps and programs in a structure."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.values: dict[Step, Relation] = {}
        self.inverses = [inverse(each) for each in structure.relations]

    def literal(self, each: Arc) -> Relation:
        """The pairs of a literal."""
        rows = self.inverses if each.inverse else self.structure.relations
        return rows[each.relation]

    def step(self, step: Step) -> Relation:
        """The pairs of a step."""
        if step not in self.values:
            first, *rest = map(self.literal, step.literals)
            for each in rest:
                first = meet(first, each) if step.both else composed(first, each)
            self.values[step] = first
        return self.values[step]

    def repeated(self, some: Sequence[Step]) -> Relation:
        """The closure of the union of steps."""
        value = self.step(some[0])
        for each in some[1:]:
            value = union(value, self.step(each))
        return closed(value)

    def value(self, program: Program) -> Relation:
        """The pairs of a program."""
        values = [self.step(each) for each in program.steps]
        if program.form == "rule":
            return values[0]
        if program.form == "union":
            return union(*values)
        if program.form == "closure":
            return closed(values[0])
        if program.form == "linear":
            return union(values[0], composed(closed(values[1]), values[0]))
        if program.form == "sandwich":
            return sandwiched(*values)
        other = closed(values[0]) if program.form == "helpers" else values[0]
        return joined(self.repeated(program.repeated), other, program.joint)


def sandwiched(core: Relation, left: Relation, right: Relation) -> Relation:
    """The least relation with the core that has, with each pair, those around it."""
    value = core
    while True:
        more = union(value, composed(composed(left, value), right))
        if more == value:
            return value
        value = more


def joined(one: Relation, other: Relation, joint: str) -> Relation:
    """The composition of two relations in either order, or the pairs of both."""
    if joint == "both":
        return meet(one, other)
    return composed(one, other) if joint == "then" else composed(other, one)


def _is_composition(one: Relation, other: Relation, wanted: Relation) -> bool:
    """Whether two relations have a composition, which is seldom so: it ends with the first row."""
    for row, target in zip(one, wanted):  # noqa: SIM110 - twice as fast as all()
        if _through(row, other) != target:
            return False
    return True


def _contains(large: Relation, small: Relation) -> bool:
    for a, b in zip(large, small):  # noqa: SIM110 - twice as fast as all()
        if b & ~a:
            return False
    return True


class Search:
    """Lists the programs of all forms whose value in a structure is a relation."""

    def __init__(self, structure: Structure, wanted: Relation) -> None:
        self.algebra, self.wanted, self.examined = Algebra(structure), wanted, 0
        self.unary = structure.unary
        # Steps with the same pairs in this structure are apart, for they may differ in others.
        self.steps = steps(structure.unary)
        self.inside = [s for s in self.steps if _contains(wanted, self.algebra.step(s))]

    def programs(self, forms: Sequence[Form]) -> Iterator[Program]:
        """The programs of these forms."""
        for form in forms:
            yield from self._of_form(form)

    def _of_form(self, form: Form) -> Iterator[Program]:
        value, wanted = self.algebra.step, self.wanted
        if form == "rule":
            self.examined += len(self.steps)
            yield from (Program(form, (s,)) for s in self.inside if value(s) == wanted)
        elif form == "union":
            for pair in combinations(self.inside, 2):
                self.examined += 1
                if union(value(pair[0]), value(pair[1])) == wanted:
                    yield Program(form, pair)
        elif form == "closure":
            for step in self.inside:
                self.examined += 1
                if closed(value(step)) == wanted:
                    yield Program(form, (step,))
        elif form == "linear":
            closures = [(step, closed(value(step))) for step in self.steps]
            for base, (step, closure) in product(self.inside, closures):
                self.examined += 1
                if union(value(base), composed(closure, value(base))) == wanted:
                    yield Program(form, (base, step))
        elif form == "sandwich":
            yield from self._sandwiches()
        else:
            yield from self._with_helpers(form)

    def _sandwiches(self) -> Iterator[Program]:
        single = [step for step in self.steps if len(step.literals) == 1]
        value, wanted = self.algebra.step, self.wanted
        for core, left, right in product(self.inside, single, single):
            self.examined += 1
            around = composed(composed(value(left), value(core)), value(right))
            if _contains(wanted, around) and (
                sandwiched(value(core), value(left), value(right)) == wanted
            ):
                yield Program("sandwich", (core, left, right))

    def _with_helpers(self, form: Form) -> Iterator[Program]:
        single = [step for step in self.steps if len(step.literals) == 1]
        lists: list[tuple[Step, ...]] = [(step,) for step in self.steps]
        lists += combinations(single, 2)
        closures = [(each, self.algebra.repeated(each)) for each in lists]
        others = [(step, self.algebra.step(step)) for step in self.steps]
        if form == "helpers":
            others = [(each[0], value) for each, value in closures if len(each) == 1]
        for (repeated, one), (step, other) in product(closures, others):
            self.examined += 1
            if _is_composition(one, other, self.wanted):
                yield Program(form, (step,), repeated, "then")
            if _is_composition(other, one, self.wanted):
                yield Program(form, (step,), repeated, "before")
            if _contains(one, self.wanted) and meet(one, other) == self.wanted:
                yield Program(form, (step,), repeated, "both")


def random_program(rng: Random, form: Form, unary: Sequence[bool]) -> Program:
    """A program of a form."""
    every = steps(unary)
    single = [step for step in every if len(step.literals) == 1]
    if form == "sandwich":
        return Program(form, (rng.choice(every), rng.choice(single), rng.choice(single)))
    if form in ("helper", "helpers"):
        pair = tuple(rng.sample(single, 2))
        repeated = pair if rng.random() < 0.6 else (rng.choice(every),)
        joint: Joint = rng.choice(("then", "before", "both"))
        return Program(form, (rng.choice(every),), repeated, joint)
    number = 2 if form in ("union", "linear") else 1
    wide = [step for step in every if len(step.literals) == 2]
    return Program(form, tuple(rng.sample(wide if form == "rule" else every, number)))


def random_structure(rng: Random, sizes: Sequence[int], unary: Sequence[bool]) -> Structure:
    """Worlds in which each relation is sparse and has long paths: a tree, a path or loose pairs."""
    rows: list[list[int]] = [[0] * sum(sizes) for _ in unary]
    first = 0
    for size in sizes:
        for relation, single in zip(rows, unary):
            order = [first + n for n in rng.sample(range(size), size)]
            if single:
                for n in order[: rng.randint(size // 2, size - 2)]:
                    relation[n] |= 1 << n
                continue
            for n, node in enumerate(order[1:], 1):
                if rng.random() < 0.75:
                    relation[order[rng.randrange(max(0, n - 2), n)]] |= 1 << node
            one, other = rng.sample(order, 2)
            relation[one] |= 1 << other
        first += size
    return Structure(tuple(sizes), tuple(map(tuple, rows)), tuple(unary))


class Names(NamedTuple):
    """The words of a task: the relations, the one to be explained, and a helper."""

    relations: tuple[str, ...]
    target: str
    helpers: tuple[str, ...]


def step_text(step: Step, ends: str, names: Names, unary: Sequence[bool]) -> str:
    """A step between two variables as atoms; Z is between them.

    >>> chain = Step((Arc(0, False), Arc(0, True)), False)
    >>> step_text(chain, "XY", Names(("p",), "t", ()), [False])
    'p(X, Z), p(Y, Z)'
    """
    one, other = ends[0], ends[1]
    middle = "Z"
    if step.both or len(step.literals) == 1:
        spans = [(one, other)] * len(step.literals)
    elif unary[step.literals[0].relation]:
        spans = [(one, one), (one, other)]
    elif unary[step.literals[1].relation]:
        spans = [(one, other), (other, other)]
    else:
        spans = [(one, middle), (middle, other)]
    atoms = []
    for (n, turned), (start, end) in zip(step.literals, spans):
        if unary[n]:
            atoms.append(f"{names.relations[n]}({start})")
        else:
            atoms.append(f"{names.relations[n]}({end if turned else start}, "
                         f"{start if turned else end})")  # fmt: skip
    return ", ".join(atoms)


def rules_text(program: Program, names: Names, unary: Sequence[bool]) -> list[str]:
    """A program as rules."""

    def text(step: Step, ends: str) -> str:
        return step_text(step, ends, names, unary)

    def repeated(name: str, some: Sequence[Step]) -> list[str]:
        return [f"{name}(X, Y) :- {text(step, 'XY')}." for step in some] + [
            f"{name}(X, Y) :- {text(step, 'XV')}, {name}(V, Y)." for step in some
        ]

    target, form = names.target, program.form
    if form in ("rule", "union"):
        return [f"{target}(X, Y) :- {text(step, 'XY')}." for step in program.steps]
    if form == "closure":
        return repeated(target, program.steps)
    base = program.steps[0]
    if form == "linear":
        return [
            f"{target}(X, Y) :- {text(base, 'XY')}.",
            f"{target}(X, Y) :- {text(program.steps[1], 'XV')}, {target}(V, Y).",
        ]
    if form == "sandwich":
        _, left, right = program.steps
        return [
            f"{target}(X, Y) :- {text(base, 'XY')}.",
            f"{target}(X, Y) :- {text(left, 'XV')}, {target}(V, W), {text(right, 'WY')}.",
        ]
    helper, other = names.helpers
    rules = repeated(helper, program.repeated)
    if form == "helpers":
        rules += repeated(other, program.steps)
    spans = {"then": ("XV", "VY"), "before": ("VY", "XV"), "both": ("XY", "XY")}[program.joint]
    first = f"{helper}({spans[0][0]}, {spans[0][1]})"
    second = text(base, spans[1])
    if form == "helpers":
        second = f"{other}({spans[1][0]}, {spans[1][1]})"
    return [*rules, f"{target}(X, Y) :- {first}, {second}."]


def facts_of(structure: Structure, names: Names) -> Mapping[str, set[tuple[object, ...]]]:
    """The pairs and individuals of all relations by their names."""
    facts: dict[str, set[tuple[object, ...]]] = {}
    for name, relation, single in zip(names.relations, structure.relations, structure.unary):
        pairs = [(n, other) for n, row in enumerate(relation) for other in ones(row)]
        facts[name] = {(n,) for n, _ in pairs} if single else {*pairs}
    return facts


def random_task(
    rng: Random, form: Form, unary: Sequence[bool], size: int, worlds: tuple[int, int]
) -> tuple[Structure, Structure, Relation] | None:
    """Worlds to be shown, others, and a relation in the former; None if the draw is of no use.

    ``worlds`` is how many of each there are. All small programs that explain the relation in the
    worlds shown have the same value in the others, and none is of a simpler form.
    """
    shown = random_structure(rng, [size] * worlds[0], unary)
    program = random_program(rng, form, unary)
    wanted = Algebra(shown).value(program)
    pairs = sum(row.bit_count() for row in wanted)
    least = 0.35 if form == "rule" else 0.7  # for each individual
    if not least <= pairs / (size * worlds[0]) <= 0.4 * size:
        return None
    search = Search(shown, wanted)
    simpler = FORMS[: FORMS.index(form)]
    if next(search.programs(simpler), None) is not None:
        return None
    others = random_structure(rng, [size + 2] * worlds[1], unary)
    algebra = Algebra(others)
    right = algebra.value(program)
    if any(algebra.value(each) != right for each in search.programs(FORMS[FORMS.index(form) :])):
        return None
    return shown, others, wanted
