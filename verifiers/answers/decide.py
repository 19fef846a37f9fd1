"""Whether an answer says the same as the gold: two trees compared by what they mean.

``Comparison(policy).same(gold, answer)`` is symmetric but for what the policy makes one-sided,
such as rounding. What cannot be compared raises :class:`InvalidAnswer`; what differs is False.
"""

from collections.abc import Sequence
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.assignments import (
    assigned,
    chain,
    names_differ,
    spells,
    without_words,
)
from palaestra.verifiers.answers.equality import equal, proportional, same_stretches
from palaestra.verifiers.answers.measures import amount, is_measured, scaled, unit_text
from palaestra.verifiers.answers.nodes import (
    ARITHMETIC,
    OPERATORS,
    Node,
    infinite,
    places,
    variables,
)
from palaestra.verifiers.answers.renaming import renamed
from palaestra.verifiers.answers.sketches import Sketch, near, sketches
from palaestra.verifiers.answers.values import context, cost, exact, numeric
from palaestra.verifiers.answers.verdicts import Policy
from palaestra.verifiers.quantities.units import unit, unit_like

DEPTH = 16
"""How deep structures are compared."""

ITEMS = 200
"""How many members sets may have."""

SPARE = 10
"""So many alternatives, and twice those of the gold, are looked at for any that say the same."""

PAIRS = 20
"""So many pairs are compared before their work is counted."""

WORK = 6_000
"""How much may be worked out for one comparison; several times what its longest sides take once."""

HUNDRED = Node("number", (), Fraction(100))
_SPANS = frozenset(["union", "less", "reals"])
_ORDERS = frozenset(["<", "<=", ">", ">=", "!="])


class Comparison:
    """Compares trees under a policy."""

    __slots__ = ("depth", "left", "pairs", "policy")

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.depth = 0
        self.left = WORK
        self.pairs = 0

    def spend(self, gold: Node, answer: Node) -> None:
        """Raises :class:`InvalidAnswer` if a comparison has taken too many steps."""
        self.pairs += 1
        if self.pairs > PAIRS and (gold.of or answer.of):
            self.left -= cost(gold) + cost(answer)
            if self.left < 0:
                raise InvalidAnswer("too much to compare", "limit")

    def same(self, gold: Node, answer: Node) -> bool:
        """Whether two trees mean the same."""
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer("nested too deep to compare", "limit")
        try:
            return self._same(gold, answer)
        finally:
            self.depth -= 1

    def _same(self, gold: Node, answer: Node) -> bool:
        if gold.op == "letters" and answer.op != "relation":
            return spells(answer, gold.value)
        if answer.op == "letters":  # the gold is no word, so they are multiplied
            answer = answer.of[0]
        kinds = {gold.op, answer.op}
        if kinds <= ARITHMETIC:
            return self.values(gold, answer)
        if "quantity" in kinds or "counted" in kinds:
            return self.quantities(gold, answer)
        if "percent" in kinds:
            return self.percents(gold, answer)
        if "based" in kinds:
            return self.based(gold, answer)
        if "ratio" in kinds:
            return self.ratios(gold, answer)
        if "relation" in kinds:
            return self.relations(gold, answer)
        if kinds & _SPANS:
            return same_stretches(gold, answer)
        if "matrix" in kinds:
            return self.matrices(gold, answer)
        if "tuple" in kinds:
            return self.tuples(gold, answer)
        return self.collections(gold, answer)

    # ------------------------------------------------------------------ single values

    def values(self, gold: Node, answer: Node) -> bool:
        """Return whether two expressions are equal, or close enough for the policy."""
        for one, other in ((gold, answer), (answer, gold)):
            if (sign := infinite(one)) is not None:
                return sign == infinite(other)
        if "degrees" in {gold.op, answer.op} and gold.op != answer.op:
            return self.angles(gold, answer)
        self.spend(gold, answer)
        if gold.op == answer.op == "add" and (row := chain(gold)) and (same := chain(answer)):
            return row == same
        if equal(gold, answer) or self.unmarked(gold, answer):
            return True
        if gold.of and answer.of and any(equal(gold, other) for other in renamed(gold, answer)):
            return True
        return self.near(gold, answer)

    def unmarked(self, gold: Node, answer: Node) -> bool:
        """Whether they are amounts in units of one letter, such as 90 h and 324000 s, or 5 m and 5
        where units may be missing.
        """
        units = unit_text(gold), unit_text(answer)
        if units[0] is None or units[1] is None:
            return self.policy.units == "optional" and self.unitless(gold, answer)
        if units[0][1] == units[1][1]:
            return False
        like = unit(units[0][1])
        if like is None:
            return False
        gold, answer = amount(gold, like), amount(answer, like)
        return gold.op == answer.op == "quantity" and self.both_measured(gold, answer)

    def unitless(self, gold: Node, answer: Node) -> bool:
        """Whether one is an amount in a unit of one letter, and the other its number."""
        for one, other in ((gold, answer), (answer, gold)):
            if is_measured(one) and not variables(other) and (symbol := unit_text(one)):
                amount = unit(symbol[1]) is not None
                return amount and self._ordered(gold, one, symbol[0], other)
        return False

    def angles(self, gold: Node, answer: Node) -> bool:
        """Degrees against a bare number, which may be in degrees, or in radians with its pi."""
        turned, bare = (gold, answer) if gold.op == "degrees" else (answer, gold)
        if equal(turned.of[0], bare):
            return self.policy.units == "optional"
        return bare.has("constant") and equal(turned, bare)

    def near(self, gold: Node, answer: Node) -> bool:
        """Whether a number is within the tolerance, or rounds to a gold of enough digits."""
        policy = self.policy
        rounds = policy.rounding == "auto" and _rounded(gold) and not answer.has("decimal")
        if not (rounds or policy.relative or policy.absolute):
            return False
        if variables(gold) or variables(answer):
            return False
        ctx = context()
        true, value = (numeric(node, {}) for node in (gold, answer))
        apart = abs(true - value)
        if rounds and apart <= ctx.mpf(10) ** -places(gold) / 2 + abs(true) * ctx.mpf(10) ** -40:
            return True
        if not (policy.relative or policy.absolute):
            return False
        return bool(apart <= max(abs(true) * ctx.mpf(policy.relative), ctx.mpf(policy.absolute)))

    def percents(self, gold: Node, answer: Node) -> bool:
        """Percentages, against each other or a number: its value, or the number as written."""
        if gold.op == answer.op:
            return self.same(gold.of[0], answer.of[0])
        percent, other = (gold, answer) if gold.op == "percent" else (answer, gold)
        if other.op not in ARITHMETIC or is_measured(other):
            return other.op == "relation" and self.relations(gold, answer)
        value = Node("div", (percent.of[0], HUNDRED))
        if self.policy.percent == "either" and self._ordered(gold, percent, percent.of[0], other):
            return True
        return self._ordered(gold, percent, value, other)

    def _ordered(self, gold: Node, mark: Node, one: Node, other: Node) -> bool:
        """Compares in the order gold, answer: ``one`` stands for ``mark``."""
        return self.same(one, other) if mark is gold else self.same(other, one)

    def based(self, gold: Node, answer: Node) -> bool:
        """A number with its base, against its digits or its value."""
        if gold.op == answer.op:
            return int(*gold.value) == int(*answer.value)
        based, other = (gold, answer) if gold.op == "based" else (answer, gold)
        if other.op == "relation":
            return self.relations(gold, answer)
        if other.op not in ARITHMETIC:
            return False
        written = other.op == "number" and str(other.value) == based.value[0]
        return written or equal(Node("number", (), Fraction(int(*based.value))), other)

    def ratios(self, gold: Node, answer: Node) -> bool:
        """Proportions, against each other or a quotient."""
        if gold.op == answer.op:
            if any(exact(term) == 0 for term in gold.of + answer.of):
                return self.entries(gold.of, answer.of)  # such as the time of day
            return len(gold.of) == len(answer.of) and all(
                equal(Node("mul", (a, answer.of[0])), Node("mul", (b, gold.of[0])))
                for a, b in zip(gold.of[1:], answer.of[1:])
            )
        ratio, other = (gold, answer) if gold.op == "ratio" else (answer, gold)
        if other.op == "relation":
            return self.relations(gold, answer)
        return len(ratio.of) == 2 and other.op in ARITHMETIC and equal(Node("div", ratio.of), other)

    # ------------------------------------------------------------------ units

    def quantities(self, gold: Node, answer: Node) -> bool:
        """Amounts: units convert within a dimension, and may be missing unless required."""
        if "relation" in {gold.op, answer.op}:
            return self.relations(gold, answer)
        if gold.op == "quantity":
            answer = amount(answer, gold.value[0])
        elif answer.op == "quantity":
            gold = amount(gold, answer.value[0])
        if "degrees" in {gold.op, answer.op}:
            return self.degrees(*((answer, gold) if gold.op == "degrees" else (gold, answer)))
        measured = {"quantity", "counted"}
        if gold.op in measured and answer.op in measured:
            return self.both_measured(gold, answer)
        if is_measured(gold) or is_measured(answer):
            return False
        if any(node.op == "quantity" and not node.value[1] for node in (gold, answer)):
            return False
        if gold.op in measured:
            if self.policy.units == "required":
                return False
            return answer.op in ARITHMETIC and self.same(gold.of[0], answer)
        return gold.op in ARITHMETIC and self.same(gold, answer.of[0])

    def degrees(self, quantity: Node, turned: Node) -> bool:
        """An amount against an angle in degrees."""
        if quantity.op != "quantity":
            return False
        name = dict(quantity.value[0].dimension)
        if name == {"angle:degree": 1}:
            return equal(scaled(quantity), turned.of[0])
        if name == {"angle:radian": 1}:
            return equal(scaled(quantity), turned)
        return name == {"temperature": 1} and self.same(quantity.of[0], turned.of[0])

    def both_measured(self, gold: Node, answer: Node) -> bool:
        if gold.op != answer.op:
            return False
        if gold.op == "counted":
            return bool(gold.value == answer.value) and self.same(gold.of[0], answer.of[0])
        like, words = gold.value[0], answer.value[1]
        if like.dimension != answer.value[0].dimension:
            sense = unit_like(words, like)  # F is a farad, and degrees where those are asked for
            answer = answer._replace(value=(sense or answer.value[0], words))
        if like.dimension != answer.value[0].dimension:
            return False
        if like == answer.value[0]:
            return self.same(gold.of[0], answer.of[0])
        return self.same(scaled(gold), scaled(answer))

    # ------------------------------------------------------------------ equations and the like

    def relations(self, gold: Node, answer: Node) -> bool:
        """Equations, assignments and inequalities, against each other or a bare value."""
        if gold.op == answer.op:
            return self.both_related(gold, answer)
        relation, other = (gold, answer) if gold.op == "relation" else (answer, gold)
        if relation.value == ("in",) and relation.of[0].op == "variable":
            return self._ordered(gold, relation, relation.of[1], other)
        if (naming := assigned(relation)) is not None:
            return any(self._ordered(gold, relation, value, other) for value in naming.values)
        if _ORDERS.isdisjoint(relation.value):
            return False
        return other.op in _SPANS | {"tuple", "or", "set"} and same_stretches(gold, answer)

    def both_related(self, gold: Node, answer: Node) -> bool:
        if {*gold.value, *answer.value} <= {"=", "~"}:
            return self.equations(gold, answer)
        if gold.value == answer.value == ("in",):
            return gold.of[0] == answer.of[0] and self.same(gold.of[1], answer.of[1])
        try:
            return variables(gold) == variables(answer) and same_stretches(gold, answer)
        except InvalidAnswer:
            return self.same_sides(gold, answer) or self.same_sides(gold, _turned(answer))

    def same_sides(self, gold: Node, answer: Node) -> bool:
        """The same relations between equal sides, or an inequality times a positive number."""
        if gold.value != answer.value or len(gold.of) != len(answer.of):
            return False
        return all(self.same(a, b) for a, b in zip(gold.of, answer.of))

    def equations(self, gold: Node, answer: Node) -> bool:
        named, also = assigned(gold), assigned(answer)
        if named is not None and also is not None:
            if names_differ(named.name, also.name):
                return self.as_equations(gold, answer)
            if any(self.same(one, other) for one in named.values for other in also.values):
                return True
        return self.as_equations(gold, answer)

    def as_equations(self, gold: Node, answer: Node) -> bool:
        if len(gold.of) != 2 or len(answer.of) != 2:
            return False
        formula = any(side.op in OPERATORS for side in gold.of)
        gold, answer = (without_words(node, formula) for node in (gold, answer))
        if not all(side.op in ARITHMETIC for side in gold.of + answer.of):
            return self.same_sides(gold, answer)
        self.spend(gold, answer)
        return proportional(_difference(gold), _difference(answer))

    # ------------------------------------------------------------------ structures

    def matrices(self, gold: Node, answer: Node) -> bool:
        if gold.op != answer.op:
            matrix, other = (gold, answer) if gold.op == "matrix" else (answer, gold)
            if other.op != "tuple" or other.value not in {"()", "[]"}:
                return False
            as_matrix = _as_matrix(matrix, other)
            return as_matrix is not None and self._ordered(gold, other, as_matrix, matrix)
        return len(gold.of) == len(answer.of) and all(
            self.entries(row.of, other.of) for row, other in zip(gold.of, answer.of)
        )

    def entries(self, gold: Sequence[Node], answer: Sequence[Node]) -> bool:
        return len(gold) == len(answer) and all(self.alike(a, b) for a, b in zip(gold, answer))

    def alike(self, gold: Node, answer: Node) -> bool:
        """Return whether two members are the same: {1} equals 1 only outside of a collection."""
        return (gold.op == "set") is (answer.op == "set") and self.same(gold, answer)

    def tuples(self, gold: Node, answer: Node) -> bool:
        """Compare points and intervals; a plain list counts as a point in its order."""
        if gold.op == answer.op:
            return bool(gold.value == answer.value) and self.entries(gold.of, answer.of)
        pair, other = (gold, answer) if gold.op == "tuple" else (answer, gold)
        if other.op == "or" and len(pair.of) == 2:
            try:
                return same_stretches(gold, answer)
            except InvalidAnswer:
                return False
        interval = pair.value == "[]" and len(pair.of) == 2
        if other.op != "list" or pair.value not in {"()", "[]"} or interval:
            return False
        return self.entries(*(_by_name(node) for node in (gold, answer)))

    def collections(self, gold: Node, answer: Node) -> bool:
        """Sets and lists: the same members, each once."""
        if _inequalities(gold) or _inequalities(answer):
            return same_stretches(gold, answer)
        left, right = _members(gold), _members(answer)
        if max(len(left), len(right)) > ITEMS:
            return self.long(left, right)
        if gold.op == answer.op == "set" or answer.op == "or":
            if len(right) > 2 * len(left) + SPARE:
                return False
            left, right = self.distinct(left), self.distinct(right)
        if len(left) != len(right):
            return False
        if self.policy.order == "given" and gold.op == "list":
            return self.entries(left, right)
        return self.matched(left, right)

    def distinct(self, members: list[Node]) -> list[Node]:
        kept: list[Node] = []
        rough: list[Sketch | None] = []
        for member, sketch in zip(members, self.sketched(members, len(members))):
            if not any(
                near(sketch, known) and self.alike(member, other)
                for other, known in zip(kept, rough)
            ):
                kept.append(member)
                rough.append(sketch)
        return kept

    def matched(self, gold: list[Node], answer: list[Node]) -> bool:
        """Whether the members pair off; equality is transitive, so that greed suffices."""
        left = list(zip(answer, self.sketched(answer, len(gold))))
        for member, sketch in zip(gold, self.sketched(gold, len(answer))):
            index = next(
                (
                    n
                    for n, (other, known) in enumerate(left)
                    if near(sketch, known) and self.alike(member, other)
                ),
                None,
            )
            if index is None:
                return False
            del left[index]
        return True

    def sketched(self, members: list[Node], others: int) -> list[Sketch | None]:
        """Return sketches of members, if equality is exact and there are many to compare."""
        exactly = not (self.policy.relative or self.policy.absolute)
        return sketches(members, others if exactly else 0)

    def long(self, gold: list[Node], answer: list[Node]) -> bool:
        """Long lists are compared by the exact values of their members alone."""
        if len(gold) != len(answer):
            return False
        left, right = ([exact(member) for member in members] for members in (gold, answer))
        if None in left or None in right:
            raise InvalidAnswer(f"more than {ITEMS} members that are not plain numbers", "limit")
        if self.policy.order == "given":
            return left == right
        return sorted(filter(None, left)) == sorted(filter(None, right))


# ------------------------------------------------------------------ what nodes stand for


def _rounded(gold: Node) -> bool:
    """Whether a gold is a decimal number of three significant digits or more."""
    if gold.op == "neg":
        return _rounded(gold.of[0])
    if gold.op != "decimal":
        return False
    mantissa = gold.value[1].lower().partition("e")[0]
    return len(mantissa.replace(".", "").lstrip("0")) >= 3


def _difference(equation: Node) -> Node:
    return Node("add", (equation.of[0], Node("neg", (equation.of[1],))))


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _turned(relation: Node) -> Node:
    """A relation read from right to left."""
    signs = tuple(_MIRRORED.get(sign, sign) for sign in reversed(relation.value))
    return relation._replace(of=relation.of[::-1], value=signs)


def _as_matrix(matrix: Node, other: Node) -> Node | None:
    """A tuple as a column, or rows of brackets as a matrix."""
    if all(part.op == "tuple" for part in other.of):
        return Node("matrix", other.of)
    if any(len(row.of) != 1 for row in matrix.of) and len(matrix.of) != 1:
        return None
    if len(matrix.of) == 1:
        return Node("matrix", (Node("tuple", other.of, "()"),))
    return Node("matrix", tuple(Node("tuple", (part,), "()") for part in other.of))


def _by_name(node: Node) -> tuple[Node, ...]:
    """Entries, in the order of their names where each has one: y = 2, x = 1 is the point (1, 2)."""
    named = [assigned(part) if part.op == "relation" else None for part in node.of]
    heads = [one.name for one in named if one is not None and one.name is not None]
    if len(heads) < len(named) or any(head.op != "variable" for head in heads):
        return node.of
    order = sorted(range(len(heads)), key=lambda index: str(heads[index].value))
    return tuple(node.of[index] for index in order)


def _inequalities(node: Node) -> bool:
    return node.op == "or" and any(
        part.op in _SPANS or (part.op == "relation" and not _ORDERS.isdisjoint(part.value))
        for part in node.of
    )


def _members(node: Node) -> list[Node]:
    """The members of a set or a list; both values of a plus or minus."""
    if node.op in {"set", "list", "or"}:
        return [
            member
            for part in node.of
            for member in ([part] if part.op == "set" else _members(part))
        ]
    if node.op == "relation" and len(node.of) == 2 and node.of[1].has("pm"):
        return [node._replace(of=(node.of[0], value)) for value in _members(node.of[1])]
    if node.has("pm"):
        return [_chosen(node, 1), _chosen(node, -1)]
    return [node]


def _chosen(node: Node, sign: int) -> Node:
    """An expression with its plus or minus signs all read one way."""
    if node.op == "pm":
        before, varying = (_chosen(part, sign) for part in node.of)
        return Node("add", (before, varying if sign == node.value else Node("neg", (varying,))))
    return node.changed(lambda part: _chosen(part, sign))
