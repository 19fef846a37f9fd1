"""Pairs of answers that are more than one value, or a value of a kind: units, sets, words."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

from cases import Case, makes
from trees import Tree, X, Y, close, equal, names, neg, num, points, sqrt, style, tree, value, write

Cases = Iterator[Case]
F = Fraction


# Quantities


SCALES = {
    "length": {"mm": F(1, 1000), "cm": F(1, 100), "m": F(1), "km": F(1000)},
    "mass": {"mg": F(1, 10**6), "g": F(1, 1000), "kg": F(1)},
    "time": {"s": F(1), "min": F(60), "h": F(3600)},
    "volume": {"mL": F(1, 1000), "L": F(1)},
    "area": {"cm^2": F(1, 10**4), "m^2": F(1), "km^2": F(10**6)},
    "speed": {"m/s": F(1), "km/h": F(5, 18)},
    "energy": {"J": F(1), "kJ": F(1000)},
    "power": {"W": F(1), "kW": F(1000)},
    "force": {"N": F(1), "kN": F(1000)},
}
"""Units by their dimension, with their worth in the first of unit worth."""
DIMENSION = {unit: name for name, units in SCALES.items() for unit in units}


def quantity(number: str, unit: str, hand: int) -> str:
    """A number and its unit, in one of several ways."""
    base, _, power = unit.partition("^")
    raised = f"^{power}" if power else ""
    return (
        f"{number} {unit}",
        f"{number}\\text{{ {base}}}{raised}",
        f"{number}\\,\\mathrm{{{base}}}{raised}",
        f"{number} \\text{{{base}}}{raised}",
        f"{number}\\ \\text{{{base}}}{raised}",
    )[hand]


def worth(number: str, unit: str) -> tuple[str, Fraction]:
    return DIMENSION[unit], F(number) * SCALES[DIMENSION[unit]][unit]


def decimal(q: Fraction) -> str:
    """A fraction whose decimal ends."""
    text = f"{q.numerator * 10**9 // q.denominator:010}"
    assert F(int(text), 10**9) == q
    return f"{text[:-9]}.{text[-9:]}".rstrip("0").rstrip(".")


@makes("units")
def units(rng: Random) -> Cases:
    def case(gold: tuple[str, str], answer: tuple[str, str], why: str) -> Case:
        right = worth(*gold) == worth(*answer)
        texts = (quantity(*gold, rng.choice((0, 1, 2))), quantity(*answer, rng.randrange(5)))
        return Case(*texts, right, why if right else f"not equal: {why}", "R23")

    for dimension, scale in SCALES.items():
        wishes = sorted(scale)
        for unit in wishes:
            number = str(rng.choice((18, 36, 45, 72, 90, 5)))
            yield case((number, unit), (number, unit), "the same unit")
            yield case((number, unit), (str(int(number) + 9), unit), "another number")
            yield Case(quantity(number, unit, 1), number, True, "a missing unit is accepted", "R23")
            yield Case(
                quantity(number, unit, 1), str(int(number) + 1), False, "another number", "R23"
            )
            required = {"units": "required"}
            yield Case(quantity(number, unit, 1), number, False, "a unit was asked for", "R23",
                       policy=required)  # fmt: skip
            yield Case(quantity(number, unit, 1), quantity(number, unit, 2), True, "the same unit",
                       "R23", policy=required)  # fmt: skip
            for other in wishes:
                if other != unit:
                    changed = F(number) * scale[unit] / scale[other]
                    if (changed * 10**9).denominator == 1:
                        yield case((number, unit), (decimal(changed), other), "converted")
                    yield case((number, unit), (number, other), "the same number of another unit")
            stranger = rng.choice([u for d in SCALES if d != dimension for u in sorted(SCALES[d])])
            yield case((number, unit), (number, stranger), "another dimension")
    for gold, answer, right, why in (
        ("1 km", "1000 m", True, "converted"),
        ("1 km", "1000", False, "the number belongs to another unit"),
        ("5 cm", "5 kg", False, "another dimension"),
        ("5 kg", "5 cm", False, "another dimension"),
        ("5", "5 cm", True, "a missing unit is accepted"),
        ("5", "6 cm", False, "another number"),
        ("\\frac{1}{2} \\text{ km}", "500 \\text{ m}", True, "converted"),
        ("12\\text{ m}^2", "12 m²", True, "a power in Unicode"),
        ("12\\text{ m}^2", "12 \\text{ m}", False, "a length is not an area"),
        ("12\\text{ m}^2", "12 \\text{ m}^3", False, "a volume is not an area"),
        ("2 \\text{ hours}", "120 \\text{ minutes}", True, "units in words"),
        ("2 \\text{ hours}", "100 \\text{ minutes}", False, "an hour has sixty minutes"),
        ("3 \\text{ meters}", "300 \\text{ cm}", True, "a unit in a word"),
    ):
        yield Case(gold, answer, right, why, "R23")


@makes("currency")
def currency(rng: Random) -> Cases:
    for _ in range(7):
        whole, cents = rng.randrange(2, 9999), rng.choice((0, 25, 50, 99))
        number = f"{whole}.{cents:02}" if cents else str(whole)
        comma = f"{whole:,}.{cents:02}"
        more = f"{whole + 1}.{cents:02}"
        for gold, answer, right, why in (
            (f"\\${number}", number, True, "a missing sign is accepted"),
            (number, f"\\${number}", True, "a missing sign is accepted"),
            (f"\\${number}", f"\\${comma}", True, "written with cents"),
            (f"\\${number}", f"\\${comma.replace(',', '{,}')}", True, "written with cents"),
            (f"\\${number}", f"{number} \\text{{ dollars}}", True, "the unit in a word"),
            (f"\\${number}", f"\\$ {number}", True, "a space after the sign"),
            (f"\\${number}", f"\\${more}", False, "one too many"),
            (f"\\${number}", more, False, "one too many"),
            (f"\\${number}", f"£{number}", False, "another currency"),
            (f"\\${number}", f"{number} \\text{{ euros}}", False, "another currency"),
            (f"\\${number}", f"{number}\\text{{ kg}}", False, "another dimension"),
        ):
            yield Case(gold, answer, right, why, "R23")
    yield Case("€5", "5 €", True, "the sign after the number", "R23")
    yield Case("€5", "£5", False, "another currency", "R23")


# Relations


def proportional(one: Tree, other: Tree) -> bool:
    """Whether two expressions have a constant ratio other than 0."""
    spots = points(names(one) | names(other))
    ratios = [value(one, spot) / value(other, spot) for spot in spots]
    return all(close(ratio, ratios[0]) for ratio in ratios)


Equation = tuple[Tree, Tree]


@makes("equations")
def equations(rng: Random) -> Cases:
    def case(gold: Equation, answer: Equation, right: bool, why: str) -> Case:
        assert proportional(gold[0] - gold[1], answer[0] - answer[1]) is right, (gold, answer)
        return Case(equation(gold), equation(answer, rng), right, why)

    for _ in range(7):
        m, c = rng.randrange(2, 9), rng.randrange(1, 12)
        k = rng.randrange(2, 5)
        gold = (Y, m * X + c)
        yield case(gold, (m * X + c, Y), True, "its sides exchanged")
        yield case(gold, (m * X - Y + c, num(0)), True, "all on one side")
        yield case(gold, (k * Y, k * m * X + k * c), True, "both sides multiplied")
        yield case(gold, (Y - c, m * X), True, "a term on the other side")
        yield case(gold, (X, (Y - c) / m), True, "solved for the other variable")
        yield case(gold, (Y, m * X - c), False, "one sign changed")
        yield case(gold, (Y, (m + 1) * X + c), False, "another slope")
        yield case(gold, (m * X + Y + c, num(0)), False, "one sign changed")
        yield case(gold, (k * Y, m * X + c), False, "one side multiplied")
        yield Case(equation(gold), write(m * X + c), True, "what y is equal to")
        yield Case(write(m * X + c), equation(gold), True, "it says what it is equal to")
        yield Case(write(m * X + c), equation((Y, m * X - c)), False, "one sign changed")
    for gold, answer, right, why in (
        ((X**2 + Y**2, num(25)), (X**2 + Y**2 - 25, num(0)), True, "all on one side"),
        ((X**2 + Y**2, num(25)), (num(25), Y**2 + X**2), True, "its sides exchanged"),
        ((X**2 + Y**2, num(25)), (2 * X**2 + 2 * Y**2, num(50)), True, "both sides multiplied"),
        ((X**2 + Y**2, num(25)), (X**2 / 25 + Y**2 / 25, num(1)), True, "both sides divided"),
        ((X**2 + Y**2, num(25)), (X**2 - Y**2, num(25)), False, "one sign changed"),
        ((X**2 + Y**2, num(25)), (X**2 + Y**2, num(5)), False, "another radius"),
        (((X - 1) ** 2 + Y**2, num(4)), (X**2 - 2 * X + Y**2 - 3, num(0)), True, "multiplied out"),
        (((X - 1) ** 2 + Y**2, num(4)), ((X + 1) ** 2 + Y**2, num(4)), False, "another centre"),
        (((X - 1) ** 2 + Y**2, num(4)), (X**2 - 2 * X + Y**2 + 3, num(0)), False, "another sign"),
        ((X + Y, num(7)), (Y, num(7) - X), True, "solved for one variable"),
        ((X + Y, num(7)), (Y, X - 7), False, "one sign changed"),
    ):  # fmt: skip
        yield case(gold, answer, right, why)
    for gold, answer, right, why in (
        ("5", "x=5", True, "it says what it is equal to"),
        ("x=5", "5", True, "what x is equal to"),
        ("x=5", "x = 5", True, "spaces"),
        ("x=5", "5=x", True, "its sides exchanged"),
        ("x=5", "x=6", False, "another number"),
        ("x=5", "6", False, "another number"),
        ("5", "x=-5", False, "the other sign"),
        ("x=\\frac{1}{2}", "x=0.5", True, "as a decimal"),
        ("x=\\frac{1}{2}", "2x=1", True, "both sides multiplied"),
        ("x=\\frac{1}{2}", "x=2", False, "upside down"),
        ("7", "3+4=7", True, "a chain that holds"),
        ("7", "7=3+5", False, "a false chain"),
        ("8", "7=3+5", False, "a false chain"),
        ("7", "3+5=7", False, "a false chain"),
        ("10", "2 \\cdot 5 = 10", True, "a chain that holds"),
        ("10", "2 \\cdot 6 = 10", False, "a false chain"),
        ("12", "10+2=11+2", False, "a false chain"),
        ("7", "0=0", False, "true, and no answer"),
        ("x=5", "0=0", False, "true of every x"),
        ("x=5", "x=x", False, "true of every x"),
        ("y=2x+1", "0=0", False, "true of every x"),
    ):
        yield Case(gold, answer, right, why)


def equation(sides: Equation, rng: Random | None = None) -> str:
    if rng is None:
        return f"{write(sides[0])} = {write(sides[1])}"
    hand = style(rng)
    return f"{write(sides[0], hand)}{rng.choice(('=', ' = '))}{write(sides[1], hand)}"


# Sets of real numbers: pairs of ends, each a number (or none) and whether it belongs

End = tuple[Fraction | None, bool]
Stretch = tuple[End, End]


def stretch(low: Fraction | int | None, high: Fraction | int | None, kind: str = "()") -> Stretch:
    ends = [None if end is None else F(end) for end in (low, high)]
    return tuple((end, end is not None and mark in "[]") for end, mark in zip(ends, kind))


def merged(parts: Sequence[Stretch]) -> list[Stretch]:
    """The union, as stretches apart from each other and in order."""
    done: list[Stretch] = []
    for low, high in sorted(parts, key=lambda s: (s[0][0] is not None, s[0][0] or 0, not s[0][1])):
        if done and meets(done[-1][1], low):
            done[-1] = (done[-1][0], max(done[-1][1], high, key=reach))
        else:
            done.append((low, high))
    return done


def meets(high: End, low: End) -> bool:
    """Whether nothing lies between the end of a stretch and the start of the next."""
    if high[0] is None or low[0] is None:
        return True
    return low[0] < high[0] or (low[0] == high[0] and (low[1] or high[1]))


def reach(high: End) -> tuple[bool, Fraction, bool]:
    return high[0] is None, high[0] or F(0), high[1]


def interval(part: Stretch, wide: bool = False) -> str:
    (low, closed), (high, shut) = part
    first = "-\\infty" if low is None else write(tree(low))
    ends = f"{first}, " + ("\\infty" if high is None else write(tree(high)))
    left, right = "[" if closed else "(", "]" if shut else ")"
    return f"\\left{left}{ends}\\right{right}" if wide else f"{left}{ends}{right}"


def union(parts: Sequence[Stretch], mark: str = " \\cup ", wide: bool = False) -> str:
    return mark.join(interval(part, wide) for part in parts)


AT_MOST = ("\\le", "\\leq", "≤", "<=", "\\leqslant")
AT_LEAST = ("\\ge", "\\geq", "≥", ">=", "\\geqslant")


def inequality(part: Stretch, hand: int = 0) -> str:
    (low, closed), (high, shut) = part
    at_most, at_least = AT_MOST[hand], AT_LEAST[hand]
    if low is None:
        return f"x {at_most if shut else '<'} {write(tree(high))}"
    if high is None:
        return f"x {at_least if closed else '>'} {write(tree(low))}"
    first, second = at_most if closed else "<", at_most if shut else "<"
    return f"{write(tree(low))} {first} x {second} {write(tree(high))}"


def turned(part: Stretch, hand: int) -> str:
    """An inequality with one end, read from the right."""
    (low, closed), (high, shut) = part
    at_most, at_least = AT_MOST[hand], AT_LEAST[hand]
    if low is None:
        return f"{write(tree(high))} {at_least if shut else '>'} x"
    return f"{write(tree(low))} {at_most if closed else '<'} x"


@makes("inequalities")
def inequalities(rng: Random) -> Cases:
    for _ in range(6):
        end = F(rng.randrange(-9, 10), rng.choice((1, 1, 2, 3)))
        closed = rng.random() < 0.5
        for low, high in ((end, None), (None, end)):
            kinds = ("[]", "()") if closed else ("()", "[]")
            gold, strict = (stretch(low, high, kind) for kind in kinds)
            other = stretch(high, low, kinds[0])
            moved = stretch(*(e if e is None else e + 1 for e in (low, high)), kinds[0])
            text = inequality(gold)
            hand = rng.randrange(5)
            for answer, why in (
                (gold, "the same"), (strict, "its end"), (other, "the other side"),
                (moved, "another end"),
            ):  # fmt: skip
                right = merged([answer]) == merged([gold])
                assert right is (answer == gold)
                forms = {inequality(answer, hand), turned(answer, hand), interval(answer),
                         f"x \\in {interval(answer, wide=True)}"}  # fmt: skip
                for form in sorted(forms) if right else [rng.choice(sorted(forms))]:
                    yield Case(text, form, right, "the same" if right else f"wrong: {why}")
    for gold, answer in (
        (stretch(2, 5, "(]"), stretch(2, 5, "[)")),
        (stretch(-1, 3, "[)"), stretch(-1, 4, "[)")),
        (stretch(0, 1, "()"), stretch(0, 1, "[]")),
    ):
        yield Case(inequality(gold), interval(gold), True, "between two ends")
        yield Case(inequality(gold), inequality(gold, 1), True, "between two ends")
        yield Case(inequality(gold), inequality(answer), False, "other ends")
        yield Case(inequality(gold), interval(answer), False, "other ends")
    yield Case("x > 3", "3", False, "its end alone")
    yield Case("x > 3", "x = 3", False, "an equation")
    yield Case("3", "x > 3", False, "an inequality", "R9")
    yield Case("3", "x \\ge 3", False, "an inequality", "R9")


@makes("intervals")
def intervals(rng: Random) -> Cases:
    for _ in range(6):
        a, b, c, d = sorted(rng.sample(range(-12, 13), 4))
        kind = rng.choice(("(]", "[)", "[]"))
        gold = [stretch(a, b, kind)]
        ends = [stretch(a, b, "[]" if kind != "[]" else "()"), stretch(a, b + 1, kind),
                stretch(a - 1, b, kind), stretch(-b, -a, kind)]  # fmt: skip
        yield union_case(gold, gold, True, "brackets that grow", wide=True)
        for answer in ends:
            if merged([answer]) != merged(gold):
                yield union_case(gold, [answer], False, "other ends")
        two = [stretch(a, b, "(]"), stretch(c, d, "[)")]
        yield union_case(two, two[::-1], True, "its parts in the other order")
        yield union_case(two, [two[0]], False, "a part left out")
        yield union_case(two, [stretch(a, b, "()"), two[1]], False, "an end left out")
        yield union_case(two, [stretch(a, d, "()")], False, "the gap filled")
        whole = [stretch(a, c, "(]")]
        yield union_case(whole, [stretch(a, b, "()"), stretch(b, c, "[]")], True, "parts that meet")
        yield union_case(
            whole, [stretch(a, b, "()"), stretch(b, c, "(]")], False, "a point missing"
        )
        yield union_case(
            whole, [stretch(a, c, "(]"), stretch(a, b, "(]")], True, "parts that overlap"
        )
        rays = [stretch(None, a), stretch(b, None, "[)")]
        yield union_case(rays, rays[::-1], True, "its parts in the other order")
        yield union_case(rays, [rays[0], stretch(b, None)], False, "an end left out")
        yield union_case(rays, [stretch(a, b)], False, "what lies between them")
    yield Case("(-\\infty, 2) \\cup (2, \\infty)", "(-\\infty,2)∪(2,∞)", True, "signs of Unicode")
    yield Case("[0, 1]", "[0, 1)", False, "an end left out")
    yield Case("[\\frac{1}{2}, 2)", "[0.5, 2)", True, "an end as a decimal")
    yield Case("[\\frac{1}{2}, 2)", "[0.5, 2]", False, "an end too many")
    yield Case("(-\\sqrt{2}, \\sqrt{2}]", "\\left(-\\sqrt{2}, \\frac{2}{\\sqrt{2}}\\right]", True,
               "an end not worked out")  # fmt: skip


def union_case(
    gold: Sequence[Stretch], answer: Sequence[Stretch], right: bool, why: str, wide: bool = False
) -> Case:
    assert (merged(gold) == merged(answer)) is right, (gold, answer)
    return Case(union(gold), union(answer, wide=wide), right, why)


# Collections

POOL = (
    (num(1), num(1)), (num(2), num(2)), (num(3), sqrt(9)), (num(-4), neg(num(4))), (num(5), num(5)),
    (tree(F(1, 2)), num(2) / 4), (tree(F(-3, 4)), num(-3) / 4), (sqrt(2), num(2) / sqrt(2)),
    (2 * sqrt(3), sqrt(12)), (num(7), num(7)), (num(10), num(2) * 5), (num(0), num(0)),
    (tree(F(5, 3)), num(10) / 6), (num(1) + sqrt(5), sqrt(5) + 1),
)  # fmt: skip
"""Values, each written in two ways."""


def drawn(rng: Random, count: int) -> tuple[list[Tree], list[Tree]]:
    """Distinct values, and the same values written in another way."""
    chosen = rng.sample(POOL, count)
    return [one for one, _ in chosen], [other for _, other in chosen]


def same_set(one: Sequence[Tree], other: Sequence[Tree]) -> bool:
    within = lambda these, those: all(any(equal(a, b) for b in those) for a in these)  # noqa: E731
    return within(one, other) and within(other, one)


def same_list(one: Sequence[Tree], other: Sequence[Tree]) -> bool:
    return len(one) == len(other) and all(map(equal, one, other))


def joined(items: Sequence[Tree], mark: str = ", ") -> str:
    return mark.join(map(write, items))


def shifted(rng: Random, items: Sequence[Tree]) -> list[Tree]:
    """One of them off by a hundred, which no other is."""
    place = rng.randrange(len(items))
    return [item + 100 if i == place else item for i, item in enumerate(items)]


@makes("sets")
def sets(rng: Random) -> Cases:
    for size in (2, 3, 3, 4, 4, 5):
        gold, again = drawn(rng, size)
        mixed = rng.sample(again, size)
        extra = next(one for one, _ in POOL if not any(equal(one, item) for item in gold))
        for answer, why in (
            (again, "the same values"),
            (mixed, "in another order"),
            ([*mixed, mixed[0]], "one of them twice"),
            (shifted(rng, gold), "one of them another"),
            (gold[1:], "one left out"),
            ([*gold, extra], "one too many"),
            ([neg(item) for item in gold], "the other signs"),
        ):
            right = same_set(gold, answer)
            text = rng.choice(("\\{{{}\\}}", "\\left\\{{{}\\right\\}}")).format(joined(answer))
            yield Case(f"\\{{{joined(gold)}\\}}", text, right, why)
    for gold, answer, right, why in (
        ("\\{1, 2\\}", "\\{2, 1, 1, 2\\}", True, "each of them twice"),
        ("\\{1, 2, 3\\}", "\\{1, 2, 3, 4, 5, 6, 7, 8, 9, 10\\}", False, "everything there is"),
        ("\\emptyset", "\\varnothing", True, "another sign for it"),
        ("\\emptyset", "\\{\\}", True, "braces around nothing"),
        ("\\emptyset", "∅", True, "the sign of Unicode"),
        ("\\emptyset", "\\{0\\}", False, "zero is something"),
        ("\\emptyset", "0", False, "zero is something"),
        ("\\{1, 2\\}", "\\{12\\}", False, "a comma left out"),
        ("\\{(1,2), (3,4)\\}", "\\{(3,4), (1,2)\\}", True, "points in another order"),
        ("\\{(1,2), (3,4)\\}", "\\{(2,1), (3,4)\\}", False, "the parts of a point exchanged"),
        ("\\{(1,2), (3,4)\\}", "\\{(1,4), (3,2)\\}", False, "the parts of points exchanged"),
    ):
        yield Case(gold, answer, right, why)


@makes("lists")
def lists(rng: Random) -> Cases:
    for size in (2, 2, 3, 3, 4):
        gold, again = drawn(rng, size)
        for answer, why in (
            (again, "the same values"),
            (shifted(rng, gold), "one of them another"),
            (gold[1:], "one left out"),
            ([*gold, num(77)], "one too many"),
        ):
            right = same_list(gold, answer)
            yield Case(joined(gold), joined(answer), right, why, "R4")
        yield Case(joined(gold), joined(again, ","), True, "no spaces", "R4")
        last = f"{joined(again[:-1])} \\text{{ and }} {write(again[-1])}"
        yield Case(joined(gold), last, True, "the last one after 'and'", "R4")
    for gold, answer, right, why in (
        ("(1,2), (3,4)", "(1, 2), (3, 4)", True, "points"),
        ("(1,2), (3,4)", "(1,2) \\text{ and } (3,4)", True, "points"),
        ("(1,2), (3,4)", "(2,1), (3,4)", False, "the parts of a point exchanged"),
        ("(1,2), (3,4)", "(1,2)", False, "one left out"),
        ("(1,2), (3,4)", "(1,4), (3,2)", False, "the parts of points exchanged"),
        ("(1,2,3,4), (5,6,7,8)", "(1, 2, 3, 4), (5, 6, 7, 8)", True, "points"),
        ("(1,2,3,4), (5,6,7,8)", "(1, 2, 3, 4, 5, 6, 7, 8)", False, "points made into one"),
    ):
        yield Case(gold, answer, right, why, "R4")
    for _ in range(6):
        (a, b), _ = drawn(rng, 2)
        left, right = write(a), write(b)
        gold = f"x = {left} \\text{{ or }} x = {right}"
        for answer, holds, why in (
            (f"x = {right} \\text{{ or }} x = {left}", True, "in the other order"),
            (f"x={left} \\text{{ or }} {right}", True, "the variable once"),
            (f"x = {left}", False, "one left out"),
            (f"{right}", False, "one left out"),
            (f"x = {left} \\text{{ or }} x = {write(b + 100)}", False, "one of them another"),
            (f"x = {left} \\text{{ or }} x = {right} \\text{{ or }} x = 77", False, "one too many"),
        ):
            yield Case(gold, answer, holds, why, "R4")
    for k in (2, 3, 7):
        for gold, answer, holds, why in (
            (f"\\pm {k}", f"{k}, -{k}", True, "both values"),
            (f"x = \\pm {k}", f"x = {k} \\text{{ or }} x = -{k}", True, "both values"),
            (f"x = {k} \\text{{ or }} x = -{k}", f"x = \\pm {k}", True, "both values"),
            (f"x = \\pm {k}", f"x = ±{k}", True, "the sign of Unicode"),
            (f"x = \\pm {k}", f"x = {k}", False, "one left out"),
            (f"\\pm {k}", f"{k}", False, "one left out"),
            (f"\\pm {k}", f"-{k}", False, "one left out"),
            (f"{k}", f"\\pm {k}", False, "one too many"),
            (f"x = \\pm {k}", f"x = \\pm {k + 1}", False, "other values"),
            (f"{k} \\pm \\sqrt{{2}}", f"{k} + \\sqrt{{2}}, {k} - \\sqrt{{2}}", True, "both values"),
            (f"{k} \\pm \\sqrt{{2}}", f"{k} + \\sqrt{{2}}", False, "one left out"),
        ):
            yield Case(gold, answer, holds, why, "R4")


@makes("hedges")
def hedges(rng: Random) -> Cases:
    """More values than were asked for, one of them right."""
    for gold, other in (
        ("42", "24"),
        ("\\frac{1}{2}", "2"),
        ("x+1", "x-1"),
        ("-7", "7"),
        ("3", "4"),
    ):
        for answer in (
            f"{gold} \\text{{ or }} {other}",
            f"{other} \\text{{ or }} {gold}",
            f"{gold}, {other}",
            f"{other}, {gold}",
            f"\\{{{gold}, {other}\\}}",
            f"{gold} \\text{{ and }} {other}",
        ):
            yield Case(gold, answer, False, "two values for one", "R4")
    for gold, answer in (
        ("5", "1,2,3,4,5,6,7,8,9,10"), ("5", "1,\\ldots,10"), ("42", "42 \\pm 1"), ("3", "3 or 4"),
        ("42", "41, 42, 43"), ("1, 2", "1, 2, 3"), ("1, 2", "1"), ("7", "6 < x < 8"),
        ("7", "[6, 8]"), ("12", "1 or 2 or 12"), ("100", "0 or 100"),
        ("5", "\\{1, 2, 3, 4, 5\\}"), ("B", "A, B, C, D"), ("yes", "yes or no"), ("yes", "yes, no"),
    ):  # fmt: skip
        yield Case(gold, answer, False, "the number of values must match", "R4")


@makes("tuples")
def tuples(rng: Random) -> Cases:
    for size in (2, 2, 2, 3, 3, 4):
        gold, again = drawn(rng, size)
        for answer, why in (
            (again, "the same values"),
            (gold[::-1], "in another order"),
            (shifted(rng, gold), "one of them another"),
            ([*gold, num(77)], "one too many"),
            ([neg(gold[0] + 1), *gold[1:]], "one of them another"),
        ):
            text = rng.choice(("({})", "\\left({}\\right)")).format(joined(answer))
            yield Case(f"({joined(gold)})", text, same_list(gold, answer), why)
    for gold, answer, right, why in (
        ("(1,2)", "(1, 2)", True, "a space"),
        ("(1,2)", "(1,\\ 2)", True, "a space"),
        ("(1,2)", "(2,1)", False, "in the other order"),
        ("(1,2)", "1", False, "its first part alone"),
        ("(1,2)", "3", False, "its sum"),
        ("(1,2,3)", "(1,2)", False, "a part left out"),
        ("(1,2,3)", "(1,2,3,4)", False, "a part too many"),
        ("(\\frac{1}{2}, 3)", "(0.5, 3)", True, "a part as a decimal"),
        ("(\\frac{1}{2}, 3)", "(2, 3)", False, "a part upside down"),
        ("(2, \\pi)", "(2, 3.14)", False, "a rounded part"),
        ("(-1, 0)", "(1, 0)", False, "a sign lost"),
        ("(0,0)", "(0,-0)", True, "zero has no sign"),
    ):
        yield Case(gold, answer, right, why)


Rows = list[list[Tree]]


def matrix(rows: Rows, kind: str = "pmatrix", tight: bool = False) -> str:
    cells, lines = ("&", "\\\\") if tight else (" & ", " \\\\ ")
    body = lines.join(joined(row, cells) for row in rows)
    if kind == "array":
        return f"\\left[\\begin{{array}}{{{'c' * len(rows[0])}}}{body}\\end{{array}}\\right]"
    return f"\\begin{{{kind}}} {body} \\end{{{kind}}}"


def same_matrix(one: Rows, other: Rows) -> bool:
    return len(one) == len(other) and all(map(same_list, one, other))


@makes("matrices")
def matrices(rng: Random) -> Cases:
    for height, width in ((2, 2), (2, 2), (2, 3), (3, 3), (3, 1), (1, 3), (3, 2)):
        gold, again = [], []
        for _ in range(height):
            one, other = drawn(rng, width)
            gold.append(one)
            again.append(other)
        place = rng.randrange(height)
        for answer, why in (
            (again, "its entries written in another way"),
            (gold, "other brackets"),
            ([list(row) for row in zip(*gold)], "its rows as columns"),
            ([shifted(rng, r) if i == place else r for i, r in enumerate(gold)], "another entry"),
            ([*gold[1:], gold[0]], "its rows in another order"),
            ([*gold, gold[0]], "a row too many"),
            ([[neg(cell) for cell in row] for row in gold], "the other signs"),
        ):
            right = same_matrix(gold, answer)
            kind = rng.choice(("pmatrix", "bmatrix", "array", "pmatrix"))
            yield Case(matrix(gold), matrix(answer, kind, rng.random() < 0.5), right, why)


@makes("ratios")
def ratios(rng: Random) -> Cases:
    for count in (2, 2, 2, 2, 3, 3, 3):
        gold = rng.sample(range(1, 14), count)
        k = rng.randrange(2, 6)
        for answer, why in (
            (gold, "spaces around the colon"),
            ([part * k for part in gold], "not in lowest terms"),
            (gold[::-1], "in the other order"),
            ([gold[0] + 1, *gold[1:]], "another part"),
            ([*gold[:-1], gold[-1] + 1], "another part"),
            ([gold[0] * k, *gold[1:]], "one part multiplied"),
            ([*gold, 1], "a part too many"),
        ):
            scale = F(answer[0], gold[0])
            right = len(answer) == len(gold) and all(a == scale * b for a, b in zip(answer, gold))
            mark = rng.choice((":", " : "))
            yield Case(":".join(map(str, gold)), mark.join(map(str, answer)), right, why)


NUMERALS = "0123456789ABCDEF"


def in_base(number: int, base: int) -> str:
    return (in_base(number // base, base) if number >= base else "") + NUMERALS[number % base]


@makes("bases")
def bases(rng: Random) -> Cases:
    for base in (2, 2, 3, 5, 7, 8, 16, 16):
        number = rng.randrange(base**2, base**3 * 2)
        gold = in_base(number, base)
        other = rng.choice([b for b in (2, 3, 4, 6, 8, 9) if b != base])
        reader = base + 1 if base < 16 else 15
        for answer, its_base, why in (
            (gold, base, "braces around the base"),
            (in_base(number, other), other, "the same number to another base"),
            (in_base(number + 1, base), base, "one too many"),
            (in_base(number - base, base), base, "a digit changed"),
            (gold, reader, "the same digits to another base"),
        ):
            if any(NUMERALS.index(digit) >= its_base for digit in answer):
                continue
            right = int(answer, its_base) == number
            yield Case(f"{gold}_{{{base}}}", f"{answer}_{{{its_base}}}", right, why, "R21")
        if base < 10:
            yield Case(f"{gold}_{{{base}}}", f"{gold}_{base}", True, "no braces", "R21")
            more = in_base(number + 1, base)
            yield Case(f"{gold}_{base}", f"{more}_{base}", False, "one too many", "R21")


# Words


@makes("choices")
def choices(rng: Random) -> Cases:
    for gold in "ABCDE":
        other = rng.choice([letter for letter in "ABCDE" if letter != gold])
        for answer in (
            f"({gold})", f"\\text{{{gold}}}", f"{gold}.", f"\\textbf{{{gold}}}",
            f"\\mathrm{{{gold}}}", f"\\text{{({gold})}}", f"(\\text{{{gold}}})", f" {gold} ",
            f"${gold}$",
            f"\\textbf{{({gold})}}",
        ):  # fmt: skip
            yield Case(gold, answer, True, "the letter")
        for answer, why in (
            (other, "another letter"), (f"({other})", "another letter"),
            (f"\\text{{{other}}}", "another letter"), (f"{gold} or {other}", "two letters"),
            (f"{gold}, {other}", "two letters"), (f"{gold}{other}", "two letters"),
            (f"{gold}{gold}", "the letter twice"), (f"\\text{{{other} or {gold}}}", "two letters"),
            (f"not {gold}", "it is denied"), ("ABCDE", "every letter"),
            (str("ABCDE".index(gold) + 1), "a number"),
        ):  # fmt: skip
            yield Case(gold, answer, False, why, "R9" if "not" in answer else "R4")
        yield Case(f"({gold})", gold, True, "the letter")
        yield Case(f"\\text{{{gold}}}", gold, True, "the letter")
        yield Case(f"\\text{{{gold}}}", other, False, "another letter")
    yield Case("A", "A dog", False, "an article")
    yield Case("A", "a fair coin", False, "an article")
    yield Case("A", "А", False, "a letter of another script that looks like it", "R18")
    yield Case("B", "В", False, "a letter of another script that looks like it", "R18")
    yield Case("C", "С", False, "a letter of another script that looks like it", "R18")


@makes("words")
def words(rng: Random) -> Cases:
    for gold, other in (
        ("yes", "no"), ("no", "yes"), ("Tuesday", "Thursday"), ("Alice", "Bob"),
        ("circle", "ellipse"), ("true", "false"), ("Marie Curie", "Pierre Curie"), ("odd", "even"),
        ("east", "west"),
        ("isosceles triangle", "right triangle"),
    ):  # fmt: skip
        for answer, right, why in (
            (gold, True, "the same word"),
            (gold.lower(), True, "small letters"),
            (gold.upper(), True, "capital letters"),
            (gold.title(), True, "a capital letter"),
            (f"\\text{{{gold}}}", True, "as text"),
            (f"\\text{{{gold.title()}}}", True, "as text, with a capital letter"),
            (f"\\textbf{{{gold}}}", True, "in bold"),
            (f"{gold}.", True, "a full stop after it"),
            (f" {gold} ", True, "spaces"),
            (other, False, "another word"),
            (f"\\text{{{other}}}", False, "another word"),
            (f"not {gold}", False, "it is denied"),
            (f"{gold} or {other}", False, "two words"),
            (f"\\text{{{other} or {gold}}}", False, "two words"),
            (gold[:-1], False, "a letter left out"),
            ("42", False, "a number"),
        ):
            rule = "R9" if "not " in answer else "R4" if " or " in answer else "section 2"
            yield Case(gold, answer, right, why, rule)
        yield Case(f"\\text{{{gold}}}", gold, True, "as text in the gold answer")
        yield Case(f"\\text{{{gold}}}", other, False, "another word")
    for gold, answer, right in (
        ("circle", "a circle", True), ("circle", "the circle", True),
        ("the circle", "circle", True), ("an ellipse", "ellipse", True),
        ("circle", "a square", False), ("ellipse", "circle", False),
    ):  # fmt: skip
        yield Case(gold, answer, right, "an article" if right else "another word")


@makes("unicode")
def unicode(rng: Random) -> Cases:
    forty_two = (
        ("٤٢", "Arabic digits"), ("४२", "digits of Devanagari"), ("４２", "fullwidth digits"),
        ("৪২", "digits of Bengali"), ("๔๒", "Thai digits"),
    )  # fmt: skip
    for digits, why in forty_two:
        yield Case("42", digits, True, why, "R18")
        yield Case("24", digits, False, why, "R18")
        yield Case("42", digits[::-1], False, why, "R18")
    for sign, why in (
        ("\u200b", "a zero-width space"), ("\u200d", "a zero-width joiner"),
        ("\ufeff", "a mark of byte order"), ("\u2060", "a word joiner"),
    ):  # fmt: skip
        yield Case("42", f"4{sign}2", True, f"{why} inside", "R18")
        yield Case("42", f"{sign}42{sign}", True, f"{why} around it", "R18")
        yield Case("42", f"4{sign}3", False, "another number", "R18")
        yield Case("yes", f"y{sign}es", True, f"{why} inside", "R18")
    for mark in ("\u202e", "\u202d", "\u202a", "\u2066", "\u2067"):
        yield Case("42", f"{mark}24", False, "a sign that turns the direction of writing", "R18")
        yield Case("42", f"{mark}42", False, "a sign that turns the direction of writing", "R18")
    for gold, answer, right, why in (
        ("25", "5²", True, "a superscript is an exponent"),
        ("52", "5²", False, "a superscript is an exponent"),
        ("5^2", "5²", True, "a superscript is an exponent"),
        ("x^{10}", "x¹⁰", True, "a superscript is an exponent"),
        ("x^{11}", "x¹⁰", False, "another exponent"),
        ("x^{-1}", "x⁻¹", True, "a superscript is an exponent"),
        ("x10", "x¹⁰", False, "a superscript is an exponent"),
        ("210", "2¹⁰", False, "a superscript is an exponent"),
        ("1024", "2¹⁰", True, "a superscript is an exponent"),
        ("-5", "−5", True, "the minus sign"),
        ("5", "−5", False, "the minus sign"),
        ("6", "2×3", True, "the sign of multiplication"),
        ("6", "2·3", True, "the sign of multiplication"),
        ("23", "2×3", False, "the sign of multiplication"),
        ("\\sqrt{2}", "√2", True, "the sign of a root"),
        ("\\sqrt{2}", "√3", False, "the sign of a root"),
        ("\\pi", "π", True, "a Greek letter"),
        ("2\\pi", "2π", True, "a Greek letter"),
        ("2\\pi", "3π", False, "a Greek letter"),
        ("x+1", "х+1", False, "a Cyrillic letter that looks like x"),
        ("a+1", "а+1", False, "a Cyrillic letter that looks like a"),
        ("yes", "уes", False, "a Cyrillic letter that looks like y"),
        ("no", "nο", False, "a Greek letter that looks like o"),
        ("e", "е", False, "a Cyrillic letter that looks like e"),
        ("x \\le 2", "x ≤ 2", True, "the sign of an inequality"),
        ("x \\le 2", "x ≥ 2", False, "the sign of an inequality"),
        ("-42", "−４２", True, "fullwidth digits"),
    ):
        yield Case(gold, answer, right, why, "R18")


@makes("negations")
def negations(rng: Random) -> Cases:
    for gold in ("42", "\\frac{1}{2}", "x+1"):
        for answer in (
            f"not {gold}", f"\\neq {gold}", f"\\ne {gold}", f"> {gold}", f"< {gold}",
            f"\\text{{not }} {gold}", f"x \\neq {gold}", f"\\ge {gold}",
            f"\\text{{is not }} {gold}", f"≠ {gold}", f"\\neg {gold}",
            f"{gold} \\text{{ is wrong}}",
        ):  # fmt: skip
            yield Case(gold, answer, False, "it denies the answer", "R9")


@makes("code")
def code(rng: Random) -> Cases:
    """What a parser that can execute would execute."""
    for answer in (
        "__import__('os').getpid()*0+42", "eval('6*7')", "exec('x=42')", "(lambda: 42)()",
        "int('42')", "42 if True else 0", "[42][0]", "max(42, 0) if 1 else 2", "print(42)",
        "().__class__.__bases__[0].__subclasses__()", "__import__('builtins').int(42)",
        "open('/etc/hostname').read() and 42", "{'a': 42}['a']", "len('a'*42)",
        "ord('*')", "sum(range(10))-3", "True*42", "globals()", "breakpoint()",
        "import os; os._exit(0)", "exit()", "raise SystemExit", "42; 1", "lambda x: 42",
        "type('X', (), {'__eq__': lambda *a: True})()", "X().__class__", "sympify('42')",
        "os.system('true')", "[c for c in [42]][0]", "f'{6*7}'",
    ):  # fmt: skip
        yield Case("42", answer, False, "code is not an answer", "R19")
