"""Idioms that start from a number."""

from palaestra.generators.programs.mini_python.draft import Draft, idiom


@idiom(1, "number")
def _digits(d: Draft) -> None:
    n, rest = d.take("number"), d.fresh("rest", "left_over", "m")
    out, base = d.new("numbers", "digits", "places", wide=True), d.pick("2", "3", "4", "10")
    start = d.pick(f"{n} * {n} + {d.number(3, 30)}", f"{n} * {d.rng.randint(13, 77)}", f"{n} ** 3")
    d.add(f"""
{rest} = {start}
{out} = []
while {rest} > 0:
    {out}.append({rest} % {base})
    {rest} //= {base}
""")


@idiom(1, "number")
def _path(d: Draft) -> None:
    """A way through the numbers like that of L. Collatz."""
    n, at = d.take("number"), d.fresh("at", "now", "cur")
    out, m = d.new("numbers", "path", "visited", wide=True), d.rng.randint(2, 3)
    up = d.pick(f"{at} * 3 + 1", f"{at} + {d.rng.randint(3, 9)}", f"{at} * 2 - 1")
    d.add(f"""
{at} = {n} + {d.rng.randint(3, 20)}
{out} = []
while {at} > {d.pick("1", "2", "4")} and len({out}) < {d.rng.randint(5, 8)}:
    if {at} % {m} == 0:
        {at} //= {m}
    else:
        {at} = {up}
    {out}.append({at})
""")


@idiom(1, "number")
def _generated(d: Draft) -> None:
    n, state, i = d.take("number"), d.fresh("state", "cur", "roll"), d.fresh("i", "turn", "_")
    out, m = d.new("numbers", wide=True), d.rng.choice((11, 13, 17, 19, 23))
    first = d.pick(f"{n} * {d.rng.randint(2, 9)}", f"{n} + {d.rng.randint(2, 9)}")
    change = f"({state} * {d.rng.randint(2, 7)} + {d.pick(n, i, '1')}) % {m}"
    number = d.pick(str(d.rng.randint(4, 6)), f"{n} // 2 + 2")
    d.add(f"""
{state} = {first}
{out} = []
for {i} in range({number}):
    {state} = {change}
    {out}.append({state})
""")


@idiom(1, "number")
def _two_before(d: Draft) -> None:
    n, a, b = d.take("number"), d.fresh("a", "prev", "f0"), d.new("number", "b", "cur", "f1")
    i, m = d.fresh("i", "_", "turn"), d.rng.choice((50, 64, 97, 100))
    rule = d.pick(f"({a} + {b}) % {m}", f"(2 * {b} - {a}) % {m}", f"({b} + {a} * 2) % {m}",
                  f"({b} * {b} + {a}) % {m}")  # fmt: skip
    d.add(f"""
{a}, {b} = {d.rng.randrange(3)}, {n}
for {i} in range({d.pick(n, str(d.rng.randint(4, 7)))}):
    {a}, {b} = {b}, {rule}
""")


@idiom(2, "number")
def _divisors(d: Draft) -> None:
    n, i, target = d.take("number"), d.fresh("i", "f"), d.fresh("target", "whole")
    out = d.new("numbers", "factors", "divs", wide=True)
    d.add(f"""
{target} = {n} * {d.pick("6", "10", "12", "15")} + {d.rng.randint(2, 20)}
{i} = 2
{out} = []
while {i} * {i} <= {target}:
    if {target} % {i} == 0:
        {out}.append({i})
        {target} //= {i}
    else:
        {i} += 1
{out}.append({target})
""")


@idiom(2, "number", "number")
def _common(d: Draft) -> None:
    """A quarrel of two numbers, as in Euclid's algorithm."""
    n, m = d.take("number"), d.take("number")
    if n == m:
        m = d.use(next(name for name in d.have("number") if name != n))
    a, b, out = d.fresh("a", "p", "u"), d.fresh("b", "q", "w"), d.new("numbers", wide=True)
    last = d.pick(f"{a} // {b}", f"{a} % {b}", f"{a} - {b}")
    d.add(f"""
{a}, {b} = {n} * {d.rng.randint(5, 19)}, abs({m}) + {d.rng.randint(5, 30)}
{out} = []
while {b} > 0:
    {out}.append({last})
    {a}, {b} = {b}, {a} % {b}
""")
