"""The idioms that programs are made of, from plain loops to recursion; see ``draw``."""

from palaestra.generators.mini_python.draft import IDIOMS, Draft, idiom

__all__ = ["IDIOMS"]

# ---------------------------------------------------------------------- numbers to a number


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
    d.add(f"{out} = 0\nfor {i}, {x} in enumerate({xs}):\n    {body}")


@idiom(0, "numbers")
def _best(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    out, m = d.new("number", "best", "top", "chosen"), d.number(4, 9)
    key = d.pick("{} % " + m, "abs({} - " + m + ")", "{} * {} % 1" + str(len(m)), "{}")
    one, other = key.replace("{}", x), key.replace("{}", out)
    d.add(
        f"{out} = {xs}[0]\nfor {x} in {xs}[1:]:\n    if {one} {d.pick('>', '<', '>=', '<=')} "
        f"{other}:\n        {out} = {x}"
    )


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


# -------------------------------------------------------------------------- numbers to numbers


@idiom(0, "numbers")
def _keep(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    wide = xs in d.wide
    out = d.new("numbers", wide=True)
    body = f"    if {d.test(x, wide=wide)}:\n        {out}.append({d.pick(x, d.amount(x))})"
    if d.tier and d.chance(0.5):
        body += f"\n    elif {d.test(x, wide=wide)}:\n        {out}.append({d.amount(x)})"
    if d.chance(0.5):
        last = f"{out}.insert(0, {x})" if d.chance(0.4) else f"{out}.append({d.amount(x)})"
        body += f"\n    else:\n        {last}"
    d.add(f"{out} = []\nfor {x} in {xs}:\n{body}")


@idiom(0, "numbers")
def _comprehended(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    test = f" if {d.test(x, wide=xs in d.wide)}" if d.chance(0.6) else ""
    out = d.new("numbers", wide=True)
    d.add(f"{out} = [{d.amount(x)} for {x} in {xs}{test}]")


@idiom(0, "numbers")
def _running(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    now, out = d.fresh("now", "acc", "state"), d.new("numbers", wide=True)
    m = d.number(6, 12)
    change = d.pick(
        f"{now} += {x}", f"{now} = {x} - {now}", f"{now} = ({now} + {x}) % {m}",
        f"{now} = max({now} - 2, {x})", f"{now} = {now} // 2 + {x}", f"{now} = abs({now} - {x})",
    )  # fmt: skip
    start = d.rng.randrange(4)
    d.add(f"{now} = {start}\n{out} = []\nfor {x} in {xs}:\n    {change}\n    {out}.append({now})")


@idiom(0, "numbers")
def _rearranged(d: Draft) -> None:
    xs = d.take("numbers")
    out, k = d.new("numbers", wide=xs in d.wide), d.number(1, 3)
    if not k.isdigit():
        k = f"{k} % len({xs})"
    d.add(
        f"{out} = "
        + d.pick(
            f"{xs}[{k}:] + {xs}[:{k}]",
            f"{xs}[::2] + {xs}[1::2]",
            f"{xs}[::-1][{k}:] + {xs}[:2]",
            f"sorted({xs})[::2] + {xs}[-1:]",
            f"sorted({xs}[:-1]) + {xs}[-2:]",
            f"{xs}[:{k}][::-1] + sorted({xs}[{k}:])",
            f"sorted({xs}, reverse=True)[{k}:]",
        )
    )


@idiom(1, "numbers")
def _neighbours(d: Draft) -> None:
    xs, i = d.take("numbers"), d.fresh("i", "j", "at")
    out = d.new("numbers", "diffs", "gaps", "jumps", wide=True)
    now, last = f"{xs}[{i}]", f"{xs}[{i} - 1]"
    value = d.pick(
        f"{now} - {last}", f"abs({now} - {last})", f"{now} + {last}", f"{now} * {i} - {last}"
    )
    if d.chance(0.5):
        d.add(f"{out} = []\nfor {i} in range(1, len({xs})):\n    {out}.append({value})")
    else:
        test = d.pick(f"{now} > {last}", f"{now} % 2 != {last} % 2", f"{now} + {last} > 1{i and 5}")
        d.add(f"""
{out} = []
for {i} in range(1, len({xs})):
    if {test}:
        {out}.append({value})
    else:
        {out}.append({d.pick(i, last, "0")})
""")


@idiom(1, "numbers")
def _buckets(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    out, k = d.new("numbers", "buckets", "bins", "slots", wide=True), d.number(3, 5)
    change = d.pick("1", x, f"{x} // {k}", f"{x} % 4 + 1")
    d.add(f"{out} = [0] * {k}\nfor {x} in {xs}:\n    {out}[{x} % {k}] += {change}")


@idiom(1, "numbers")
def _distinct(d: Draft) -> None:
    xs, x, k = d.take("numbers"), d.item(), d.number(4, 8)
    out = d.new("numbers", "unique", "known", wide=xs in d.wide)
    value = d.pick(f"{x} % {k}", f"{x} // 3", f"{x} - {x} % 4")
    d.add(
        f"{out} = []\nfor {x} in {xs}:\n    if {value} not in {out}:\n        {out}.append({value})"
    )


@idiom(1, "numbers")
def _chunks(d: Draft) -> None:
    xs, i, k = d.take("numbers"), d.fresh("i", "start"), d.pick("2", "3")
    out = d.new("numbers", "sums", "groups", "blocks", wide=True)
    part = f"{xs}[{i}:{i} + {k}]"
    value = d.pick(
        f"sum({part})", f"max({part})", f"max({part}) - min({part})", f"sum({part}) % 10"
    )
    row = d.pick(f"0, len({xs}), {k}", f"0, len({xs}), 2", f"len({xs}) - 1")
    d.add(f"{out} = []\nfor {i} in range({row}):\n    {out}.append({value})")


@idiom(1, "numbers")
def _in_place(d: Draft) -> None:
    xs, i = d.take("numbers"), d.fresh("i", "at")
    row = d.new("numbers", wide=True)
    cell, back = f"{row}[{i}]", f"{row}[{i} - 1]"
    test = d.test(cell, wide=xs in d.wide)
    change = d.pick(f"{cell} += {back}", f"{cell} = {back} - {cell}", f"{cell} -= {i}",
                    f"{cell} = {cell} % 5 + {back}")  # fmt: skip
    start = d.pick("", "1, ")
    d.add(
        f"{row} = {xs}[:]\nfor {i} in range({start}len({row})):\n    if {test}:\n        {change}"
    )


@idiom(1, "numbers", "numbers")
def _zipped(d: Draft) -> None:
    xs, ys = d.take("numbers"), d.take("numbers")
    if xs == ys:
        ys = d.use(next(name for name in d.have("numbers") if name != xs))
    a, b = d.fresh("a", "p", "x1"), d.fresh("b", "q", "y1")
    out = d.new("numbers", wide=True)
    value = d.pick(f"{a} * {b}", f"{a} - {b}", f"max({a}, {b})", f"{a} if {a} % 2 else {b}",
                   f"{a} + 2 * {b}", f"abs({a} - {b})")  # fmt: skip
    test = f" if {a} {d.pick('!=', '>', '<')} {b}" if d.chance(0.4) else ""
    d.add(f"{out} = [{value} for {a}, {b} in zip({xs}, {ys}){test}]")


@idiom(2, "numbers")
def _stacked(d: Draft) -> None:
    xs, x = d.take("numbers"), d.item()
    stack = d.new("numbers", "stack", "pile", wide=True)
    m = d.rng.randint(3, 4)
    test = d.pick(
        f"{stack}[-1] {d.pick('<', '>', '<=')} {x}",
        f"({stack}[-1] + {x}) % {m} == {d.rng.randrange(m)}",
    )
    inner = d.pick(f"{stack}.pop()", f"{x} += {stack}.pop()", f"{x} = {stack}.pop() - {x}")
    d.add(f"""
{stack} = []
for {x} in {xs}:
    while {stack} and {test}:
        {inner}
    {stack}.append({x})
""")


@idiom(2, "numbers")
def _swaps(d: Draft) -> None:
    xs, turn, i = d.take("numbers"), d.fresh("turn", "_"), d.fresh("i", "j")
    row, count = d.new("numbers", wide=xs in d.wide), d.new("number", "swaps", "moves")
    one, two = f"{row}[{i}]", f"{row}[{i} + 1]"
    m = d.rng.randint(4, 9)
    test = d.pick(f"{one} > {two}", f"{one} < {two}", f"{one} % {m} > {two} % {m}")
    d.add(f"""
{row} = {xs}[:]
{count} = 0
for {turn} in range({d.pick("2", "2", "3")}):
    for {i} in range(len({row}) - 1):
        if {test}:
            {one}, {two} = {two}, {one}
            {count} += 1
""")


@idiom(2, "numbers")
def _smaller_behind(d: Draft) -> None:
    xs, i, x = d.take("numbers"), d.fresh("i", "at"), d.item()
    count, out = d.fresh("count", "fewer"), d.new("numbers", "ranks", "orders", wide=True)
    part = d.pick(f"{xs}[{i} + 1:]", f"{xs}[:{i}]")
    d.add(f"""
{out} = []
for {i} in range(len({xs})):
    {count} = 0
    for {x} in {part}:
        if {x} {d.pick("<", ">", "<=", ">=")} {xs}[{i}]:
            {count} += {d.pick("1", "1", f"{x} % 3")}
    {out}.append({count})
""")


@idiom(2, "numbers", "numbers")
def _merged(d: Draft) -> None:
    xs, ys = d.take("numbers"), d.take("numbers")
    if xs == ys:
        ys = d.use(next(name for name in d.have("numbers") if name != xs))
    i, j, out = d.fresh("i", "p"), d.fresh("j", "q"), d.new("numbers", "merged", "woven", wide=True)
    d.add(f"""
{i}, {j}, {out} = 0, 0, []
while {i} < len({xs}) and {j} < len({ys}):
    if {xs}[{i}] {d.pick("<", "<=", ">")} {ys}[{j}]:
        {out}.append({xs}[{i}])
        {i} += 1
    else:
        {out}.append({ys}[{j}])
        {j} += {d.pick("1", "1", "2")}
""")


@idiom(3, "numbers")
def _shared(d: Draft) -> None:
    """Two names for one list, or for lists of which one is a copy."""
    xs, i = d.take("numbers"), d.fresh("i", "at")
    one, two = d.new("numbers", wide=True), d.new("numbers", wide=True)
    rows = d.fresh("rows", "lists", "both")
    copy = d.pick(f"{one}", f"{one}", f"{one}[:]")
    third = d.pick(f"{one}[:]", one, f"{two}[::-1]")
    d.add(f"""
{one} = {xs}[:{d.pick("3", "4")}]
{two} = {copy}
{rows} = [{one}, {two}, {third}]
for {i} in range(len({xs})):
    {rows}[{i} % 3][{i} % {d.pick("2", "3")}] {d.pick("+=", "-=")} {xs}[{i}]
    if {xs}[{i}] % {d.rng.randint(2, 4)} == 0:
        {rows}[{d.pick("0", "1", "2")}].append({d.pick(i, f"{xs}[{i}]")})
""")


@idiom(3, "numbers")
def _grid(d: Draft) -> None:
    xs, k = d.take("numbers"), d.pick("2", "3")
    table, r, c = d.fresh("grid", "board", "cells"), d.fresh("r", "y"), d.fresh("col", "w")
    out = d.new("numbers", "sums", "edges", "totals", wide=True)
    change = d.pick(f"{table}[{r}][{c}] += {xs}[({r} + {c}) % len({xs})]",
                    f"{table}[{r}][{c}] = {table}[{c}][{r}] + {xs}[{r} * {k} % len({xs})] + {c}",
                    f"{table}[{r}][{c}] = {table}[{r} - 1][{c}] + {xs}[{r} + {c}] % 7")  # fmt: skip
    made = d.pick(f"[[0] * {k}] * {k}", f"[[0] * {k} for {r} in range({k})]",
                  f"[[{r}] * {k} for {r} in range({k})]")  # fmt: skip
    value = d.pick(
        f"sum({table}[{r}])", f"{table}[{r}][{r}]", f"max({table}[{r}]) - {table}[{r}][0]"
    )
    d.add(f"""
{table} = {made}
for {r} in range({k}):
    for {c} in range({k}):
        {change}
{out} = [{value} for {r} in range({k})]
""")


# ---------------------------------------------------------------------------------- from a number


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


# ------------------------------------------------------------------------------------- from words


@idiom(0, "word")
def _respelt(d: Draft) -> None:
    word, c, out = d.take("word"), d.fresh("c", "letter", "ch"), d.new("word")
    first = d.pick(f"{out} += {c}.upper()", f"{out} = {c} + {out}", f"{out} += {c} * 2")
    second = d.pick(f"{out} += {c}", f"{out} = {c} + {out}", f"{out} = {out}[::-1] + {c}")
    if first == second:
        second = f"{out} += '-'"
    test = d.pick(f"{c} in {d.letters()}", f"{c} > {d.pick('b', 'c')!r}", f"{c} not in {out}")
    d.add(f"""
{out} = ''
for {c} in {word}:
    if {test}:
        {first}
    else:
        {second}
""")


@idiom(0, "word")
def _places(d: Draft) -> None:
    word, i, c = d.take("word"), d.fresh("i", "at"), d.fresh("c", "letter", "ch")
    test = d.pick(f"{c} in {d.letters()}", f"{c} > {d.pick('b', 'c')!r}", f"{c} == {word}[{i} - 1]")
    if d.chance(0.5):
        out = d.new("numbers", "places", "spots", wide=True)
        body = f"{out} = []\nfor {i}, {c} in enumerate({word}):\n    if {test}:\n"
        d.add(f"{body}        {out}.append({d.pick(i, f'{i} * {i}', f'len({word}) - {i}')})")
    else:
        out = d.new("number")
        body = f"{out} = {d.number(0, 5)}\nfor {i}, {c} in enumerate({word}):\n    if {test}:\n"
        value = f"ord({c}) - ord('a')"
        d.add(f"{body}        {out} {d.pick('+=', '-=')} {d.pick(i, f'{i} + 1', value)}")


@idiom(0, "word")
def _turned(d: Draft) -> None:
    word, out, k = d.take("word"), d.new("word"), d.number(1, 3)
    if not k.isdigit():
        k = f"{k} % len({word})"
    d.add(
        f"{out} = "
        + d.pick(
            f"{word}[{k}:] + {word}[:{k}]",
            f"{word}[::2] + {word}[1::2]",
            f"{word}[{k}:] + {word}[::-1][:2]",
            f"{word}[:{k}].upper() + {word}[{k}:][::-1]",
            f"''.join(sorted({word}))[{k}:] + {word}[0]",
        )
    )


@idiom(0, "word")
def _to_numbers(d: Draft) -> None:
    word, c = d.take("word"), d.fresh("c", "letter", "ch")
    out = d.new("numbers", "codes", "ords", wide=True)
    value = f"ord({c}) - ord('a')"
    value = d.pick(f"{value} + {d.number(1, 5)}", f"({value}) * {d.number(2, 4)}", f"{value} + 1")
    test = d.pick("", f" if {c} not in {d.letters()}", f" if {c} != {word}[-1]")
    d.add(f"{out} = [{value} for {c} in {word}{test}]")


@idiom(1, "word")
def _shifted(d: Draft) -> None:
    """The cipher of Caesar, with a key that may move on."""
    word, i, c, out = d.take("word"), d.fresh("i", "at"), d.fresh("c", "ch"), d.new("word")
    key = d.pick(d.number(1, 6), i, f"2 * {i}")
    loop = f"for {i}, {c} in enumerate({word})" if i in key else f"for {c} in {word}"
    size = d.pick("26", "5", "6")
    d.add(f"""
{out} = ''
{loop}:
    {out} += chr((ord({c}) - ord('a') + {key}) % {size} + ord('a'))
""")


@idiom(1, "word")
def _letter_counts(d: Draft) -> None:
    word, c = d.take("word"), d.fresh("c", "letter", "ch")
    counts = d.new("counts", "counts", "freq", "tally_of")
    d.add(f"{counts} = {{}}\nfor {c} in {word}:\n    {counts}[{c}] = {counts}.get({c}, 0) + 1")
    d.settle()
    _spread(d)


def _spread(d: Draft) -> None:
    """Make something of counts by letter."""
    counts, c = d.take("counts"), d.fresh("key", "k0", "sym")
    test = d.pick(f"{counts}[{c}] > 1", f"{counts}[{c}] % 2 == 1", f"{c} > 'b'")
    order = d.pick(f"sorted({counts})", counts, f"sorted({counts}, reverse=True)")
    if d.chance(0.5):
        out = d.new("word")
        value = d.pick(f"{c} + str({counts}[{c}])", f"{c} * {counts}[{c}]")
        d.add(f"{out} = ''\nfor {c} in {order}:\n    if {test}:\n        {out} += {value}")
    else:
        out = d.new("numbers", wide=True)
        d.add(f"{out} = [{counts}[{c}] for {c} in {order} if {test}]")


@idiom(1, "word")
def _last_seen(d: Draft) -> None:
    word, i, c = d.take("word"), d.fresh("i", "at"), d.fresh("c", "letter", "ch")
    last, out = d.fresh("last", "where"), d.new("numbers", "gaps", "returns", wide=True)
    d.add(f"""
{last} = {{}}
{out} = []
for {i}, {c} in enumerate({word}):
    if {c} in {last}:
        {out}.append({d.pick(f"{i} - {last}[{c}]", f"{i} + {last}[{c}]")})
    {last}[{c}] = {d.pick(i, i, f"{i} + 1")}
""")


@idiom(2, "word")
def _run_lengths(d: Draft) -> None:
    word, i, j, out = d.take("word"), d.fresh("i", "p"), d.fresh("j", "q"), d.new("word")
    value = d.pick(f"{word}[{i}] + str({j} - {i})", f"str({j} - {i}) + {word}[{i}]",
                   f"{word}[{i}] * (({j} - {i}) % 2 + 1)")  # fmt: skip
    d.add(f"""
{out} = ''
{i} = 0
while {i} < len({word}):
    {j} = {i}
    while {j} < len({word}) and {word}[{j}] == {word}[{i}]:
        {j} += 1
    {out} += {value}
    {i} = {j}
""")


@idiom(2, "word")
def _mirrored(d: Draft) -> None:
    """Count pairs of places that fit together."""
    word, i, j = d.take("word"), d.fresh("i", "a"), d.fresh("j", "b")
    out = d.new("number", "pairs", "matches", "hits")
    test = d.pick(f"{word}[{i}] == {word}[{j}]", f"{word}[{i}] > {word}[{j}]")
    d.add(f"""
{out} = 0
for {i} in range(len({word})):
    for {j} in range({i} + {d.pick("1", "2")}, len({word})):
        if {test}:
            {out} += {d.pick("1", f"{j} - {i}", i)}
""")


@idiom(1, "words")
def _joined(d: Draft) -> None:
    words, w, out = d.take("words"), d.fresh("w", "part"), d.new("word")
    value = d.pick(
        f"{w}[0] + {w}[-1]", f"{w}[::-1]", f"{w}[1:]", f"{w}.upper()", f"{w} + str(len({w}))"
    )
    test = d.pick(f"len({w}) > 2", f"{w}[0] in {d.letters()}", f"{w}[-1] > 'b'")
    other = d.pick(f"{out} = {w} + {out}", f"{out} += {w}[:1]", f"{out} += '-'")
    d.add(f"""
{out} = ''
for {w} in {words}:
    if {test}:
        {out} += {value}
    else:
        {other}
""")


@idiom(1, "words")
def _measured(d: Draft) -> None:
    words, w = d.take("words"), d.fresh("w", "part", "t")
    out = d.new("numbers", "lengths", "sizes", wide=True)
    letter = d.pick("'a'", "'b'", "'c'")
    value = d.pick(f"len({w}) + {w}.count({letter})", f"len({w}) * {w}.count({letter})",
                   f"{w}.find({letter})", f"ord({w}[0]) - ord('a') + len({w})")  # fmt: skip
    d.add(f"{out} = [{value} for {w} in {words}]")


@idiom(1, "words")
def _grouped(d: Draft) -> None:
    words, w, groups = d.take("words"), d.fresh("w", "part"), d.fresh("groups", "by_key")
    key, out = d.pick(f"{w}[0]", f"{w}[-1]", f"len({w})"), d.new("word")
    each = d.fresh("key", "g")
    value = d.pick(f"{groups}[{each}][-1]", f"''.join({groups}[{each}])", f"max({groups}[{each}])")
    d.add(f"""
{groups} = {{}}
for {w} in {words}:
    {groups}.setdefault({key}, []).append({w})
{out} = ''
for {each} in {d.pick(f"sorted({groups})", groups)}:
    {out} += {value} + str(len({groups}[{each}]))
""")


# -------------------------------------------------------------------------- functions of their own


@idiom(2, "numbers")
def _graded(d: Draft) -> None:
    """A function of a few cases, for each number."""
    name, n = d.fresh("grade", "adjust", "cost", "rank"), d.pick("n", "x", "m")
    m, k = d.rng.randint(2, 4), d.rng.randint(7, 12)
    d.help(f"""
def {name}({n}):
    if {n} % {m} == {d.rng.randrange(m)}:
        return {d.pick(f"{n} // {m}", f"{n} + {m}", f"-{n}")}
    if {n} > {k}:
        return {d.pick(f"{n} - {k}", f"{n} * 2", f"{k}")}
    return {d.pick(f"{n} + 1", f"{n} * {n}", f"{k} - {n}")}
""")
    _apply(d, name)


@idiom(2, "numbers")
def _digit_work(d: Draft) -> None:
    """A function that takes a number apart."""
    name, n = d.fresh("weigh", "crunch", "spin"), d.pick("n", "x", "m")
    out, base = d.pick("total", "acc", "res"), d.pick("2", "3", "4", "10")
    change = d.pick(f"{out} += {n} % {base}", f"{out} = {out} * {base} + {n} % {base}",
                    f"{out} = {n} % {base} - {out}")  # fmt: skip
    d.help(f"""
def {name}({n}):
    {out} = {d.rng.randrange(3)}
    while {n} > 0:
        {change}
        {n} //= {base}
    return {out}
""")
    _apply(d, name, d.pick("{} * 3", "{} * {}", "{} + 25", "abs({})"))


def _apply(d: Draft, name: str, argument: str = "{}") -> None:
    """Call a function on each number of a list."""
    xs, x = d.take("numbers"), d.item()
    if argument == "{}" and xs in d.wide:
        argument = "{} % 20"
    call = f"{name}({argument.replace('{}', x)})"
    if d.chance(0.5):
        out = d.new("numbers", wide=True)
        test = f" if {d.test(x, wide=xs in d.wide)}" if d.chance(0.4) else ""
        d.add(f"{out} = [{call} for {x} in {xs}{test}]")
    else:
        out = d.new("number")
        change = d.pick(f"{out} + {call}", f"{call} - {out}")
        d.add(f"{out} = 0\nfor {x} in {xs}:\n    {out} = {change}")


@idiom(3, "numbers")
def _recursive_numbers(d: Draft) -> None:
    """A recursion on numbers that calls itself twice."""
    name, n, m = d.fresh("walk", "climb", "tree"), d.pick("n", "k"), d.rng.choice((7, 10, 13, 100))
    one, two = d.rng.choice((("n // 2", "n // 3"), ("n - 3", "n // 2"), ("n - 4", "n - 6")))
    one, two = one.replace("n", n), two.replace("n", n)
    d.help(f"""
def {name}({n}):
    if {n} < {d.rng.randint(2, 3)}:
        return {d.pick(n, "1", f"{n} + 2")}
    return ({name}({one}) {d.pick("+", "*", "+ 2 *")} {name}({two}) + {d.pick(n, "1")}) % {m}
""")
    _apply(d, name, "{} % 20")


@idiom(3, "numbers")
def _divided(d: Draft) -> None:
    """A recursion that halves a list."""
    name, xs, mid = d.fresh("halve", "split_up", "fold_in"), d.pick("row", "part", "ys"), "mid"
    ends = d.pick(f"{xs}[:]", f"[x + 1 for x in {xs}]", f"[x % 7 for x in {xs}]")
    left, right = f"{name}({xs}[:{mid}])", f"{name}({xs}[{mid}:])"
    joint = d.pick(f"{right} + {left}", f"{left}[::-1] + {right}", f"{right}[1:] + {left}",
                   f"{left} + {right}[::-1]")  # fmt: skip
    d.help(f"""
def {name}({xs}):
    if len({xs}) < 2:
        return {ends}
    {mid} = len({xs}) {d.pick("// 2", "// 2", "// 3 + 1 - 1 // len(" + xs + ")")}
    return {joint}
""")
    given, out = d.take("numbers"), d.new("numbers", wide=True)
    d.add(f"{out} = {name}({given})")


@idiom(3, "numbers")
def _peeled(d: Draft) -> None:
    """A recursion that takes the first of a list, and hands something on."""
    name, xs, k = d.fresh("peel", "chain", "fall"), d.pick("row", "part", "ys"), d.pick("k", "acc")
    test = d.pick(f"{xs}[0] > {k}", f"({xs}[0] + {k}) % 2 == 0", f"{xs}[0] % 3 == {k} % 3")
    first = d.pick(f"[{k}] + {name}({xs}[1:], {xs}[0])", f"{name}({xs}[1:], {k} + 1) + [{xs}[0]]")
    second = d.pick(f"{name}({xs}[1:], {k} + {xs}[0])", f"{name}({xs}[1:], {xs}[0] - {k})")
    d.help(f"""
def {name}({xs}, {k}):
    if not {xs}:
        return [{k}]
    if {test}:
        return {first}
    return {second}
""")
    given, start, out = d.take("numbers"), d.number(2, 9), d.new("numbers", wide=True)
    d.add(f"{out} = {name}({given}, {start})")


@idiom(3, "number")
def _ways(d: Draft) -> None:
    """Ways through a grid, counted by recursion."""
    name, a, b = d.fresh("ways", "paths", "routes"), "a", "b"
    out = d.new("number", "count", "options")
    d.help(f"""
def {name}({a}, {b}):
    if {a} == 0 or {b} == 0:
        return {d.pick("1", f"{a} + 1", f"{b} + 1", f"{a} + {b}")}
    return {name}({a} - 1, {b}) {d.pick("+", "+", "-", "+ 2 *")} {name}({a}, {b} - 1)
""")
    n = d.take("number")
    d.add(f"{out} = {name}({n} % {d.pick('4', '5')}, {d.pick('2', '3', f'{n} % 3')})")


@idiom(3, "word")
def _unravelled(d: Draft) -> None:
    """A recursion on a word."""
    name, s = d.fresh("unravel", "twist", "flip"), d.pick("t", "u")
    first = d.pick(f"{s}[0]", f"{s}[0].upper()", f"{s}[-1]")
    rest = f"{s}[1:]" if "[0]" in first else f"{s}[:-1]"
    test = d.pick(f"{s}[0] > {s}[-1]", f"{s}[0] in {d.letters()}", f"len({s}) % 2 == 0")
    d.help(f"""
def {name}({s}):
    if len({s}) < 2:
        return {s}
    if {test}:
        return {name}({rest}) + {first}
    return {d.pick(f"{first} + {name}({rest})", f"{s}[-1] + {name}({s}[:-1])")}
""")
    word, out = d.take("word"), d.new("word")
    d.add(f"{out} = {name}({word})")


@idiom(3, "numbers")
def _pushed(d: Draft) -> None:
    """A function that changes the list it is given."""
    name, out, x = d.fresh("push", "place_in", "settle"), d.pick("acc", "box", "pool"), "v"
    test = d.pick(f"{out} and {out}[-1] > {x}", f"{x} in {out}", f"len({out}) > 2 and {x} % 2 == 0")
    change = d.pick(f"{out}[-1] += {x}", f"{out}.insert(0, {x})", f"{out}[0] = {x}")
    if "in " in test and "-1" not in test:
        change = d.pick(f"{out}.remove({x})", f"{out}.insert(0, {x} + 1)")
    elif "and" not in test or test.startswith("len"):
        change = d.pick(f"{out}.pop()", f"{out}[0] += {x}")
    d.help(f"""
def {name}({out}, {x}):
    if {test}:
        {change}
        return {d.pick("1", f"len({out})")}
    {out}.append({x})
    return 0
""")
    xs, item, made = d.take("numbers"), d.item(), d.new("numbers", wide=True)
    count, k = d.new("number", "changes", "hits"), d.rng.randint(4, 9)
    d.add(f"""
{made}, {count} = [], 0
for {item} in {xs}:
    {count} += {name}({made}, {d.pick(item, f"{item} % {k}")})
""")
