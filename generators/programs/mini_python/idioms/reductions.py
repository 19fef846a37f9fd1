"""Idioms that make a number of a list of numbers."""

from palaestra.generators.programs.mini_python.draft import Draft, idiom


@idiom(0, "numbers")
def _total(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    out, start = d.new("number"), d.number(0, 5) if d.chance(0.5) else "0"
    test = d.test(x, wide=xs in d.wide)
    if d.chance(0.5):
        body = f"    if {test}:\n        {out} += {d.amount(x)}"
        if d.chance(0.5):
            body += f"\n    else:\n        {out} {d.pick('+=', '-=')} {d.pick(x, '1', '2')}"
    else:
        body = f"    {out} += {d.amount(x)}"
    d.add(f"{out} = {start}\nfor {x} in {xs}:\n{body}")


@idiom(0, "numbers")
def _weighted(d: Draft) -> None:
    xs, x, i = d.take("numbers"), d.item(), d.fresh("i", "place")
    out = d.new("number")
    body = d.pick(f"{out} += {i} * {x}", f"{out} += {d.amount(x, i)}")
    if d.chance(0.5):
        sign = d.pick("-=", "+=")
        body = f"if {d.test(x, i)}:\n        {body}\n    else:\n        {out} {sign} {d.pick(i, x)}"
    d.add(f"{out} = 0\n{d.loop(i, x, xs, body)}\n    {body}")


@idiom(0, "numbers")
def _best(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    out, m = d.new("number", "best", "top", "chosen"), d.number(4, 9)
    key = d.pick(f"{{0}} % {m}", f"abs({{0}} - {m})", "{0} * {0} % 11", "{0}")
    d.add(f"""
{out} = {xs}[0]
for {x} in {xs}[1:]:
    if {key.format(x)} {d.pick(">", "<", ">=", "<=")} {key.format(out)}:
        {out} = {x}
""")


@idiom(1, "numbers")
def _checksum(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    out, m = d.new("number", "check", "hashed", "key"), d.rng.choice((11, 13, 17, 19, 23, 97))
    k = d.number(2, 6)
    d.add(f"{out} = {d.number(1, 5)}\nfor {x} in {xs}:\n    {out} = ({out} * {k} + {x}) % {m}")


@idiom(1, "numbers")
def _longest_run(d: Draft) -> None:
    xs, i = d.take("numbers"), d.fresh("i", "j", "at")
    run, out = d.fresh("run", "streak"), d.new("number", "longest", "record")
    test = d.pick(
        f"{xs}[{i}] > {xs}[{i} - 1]", f"{xs}[{i}] <= {xs}[{i} - 1]",
        f"{xs}[{i}] % 2 == {xs}[{i} - 1] % 2", f"abs({xs}[{i}] - {xs}[{i} - 1]) > {d.number(3, 7)}",
    )  # fmt: skip
    d.add(f"""
{run}, {out} = 1, 1
for {i} in range(1, len({xs})):
    if {test}:
        {run} += 1
    else:
        {run} = {d.pick("1", "0")}
    {out} = max({out}, {run})
""")


@idiom(1, "numbers")
def _within_budget(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    out, used = d.new("number", "spent", "load"), d.new("number", "used", "taken")
    test = f"{out} + {x} > {d.rng.randint(5, 15) if xs in d.wide else d.rng.randint(18, 40)}"
    way = d.pick("break", "continue")
    d.add(f"""
{out}, {used} = 0, 0
for {x} in {xs}:
    if {test}:
        {way}
    {out} += {x}
    {used} += {d.pick("1", f"{x} % 2", f"{x} % 3")}
""")


@idiom(1, "numbers")
def _surplus(d: Draft) -> None:
    """The greatest sum of neighbours, by J. B. Kadane."""
    xs, x = d.take("numbers"), d.item()
    here, out = d.fresh("here", "now", "current"), d.new("number", "peak", "most")
    d.add(f"""
{here}, {out} = 0, 0
for {x} in {xs}:
    {here} = max({here} + {x} - {d.rng.randint(7, 12)}, 0)
    {out} = max({out}, {here})
""")


@idiom(2, "numbers")
def _pairs(d: Draft) -> None:
    xs, i, j = d.take("numbers"), d.fresh("i", "a"), d.fresh("j", "b")
    out, m = d.new("number", "pairs", "hits"), d.rng.randint(3, 5)
    sign = d.pick("+", "*", "-")
    test = d.pick(
        f"({xs}[{i}] {sign} {xs}[{j}]) % {m} == {d.rng.randrange(m)}", f"{xs}[{i}] > {xs}[{j}]",
        f"abs({xs}[{i}] - {xs}[{j}]) <= {d.number(2, 6)}",
    )  # fmt: skip
    d.add(f"""
{out} = 0
for {i} in range(len({xs})):
    for {j} in range({i} + 1, len({xs})):
        if {test}:
            {out} += {d.pick("1", f"{j} - {i}", f"{xs}[{j}] % 3")}
""")


@idiom(2, "numbers")
def _from_both_ends(d: Draft) -> None:
    xs, left, right = d.take("numbers"), d.fresh("left", "low"), d.fresh("right", "high")
    out, last = d.new("number"), f"{xs}[{right}]"
    d.add(f"""
{left}, {right}, {out} = 0, len({xs}) - 1, 0
while {left} < {right}:
    if {xs}[{left}] {d.pick("<", "<=", ">")} {xs}[{right}]:
        {out} += {d.amount(f"{xs}[{left}]")}
        {left} += 1
    else:
        {out} {d.pick("+=", "-=")} {d.pick(last, right, f"{last} - {xs}[{left}]")}
        {right} -= 1
""")
