"""Idioms that make a list of numbers of another one."""

from palaestra.generators.programs.mini_python.draft import Draft, idiom


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
        test = d.pick(f"{now} > {last}", f"{now} % 2 != {last} % 2", f"{now} + {last} > 15")
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
    grid = d.pick(f"[[0] * {k}] * {k}", f"[[0] * {k} for {r} in range({k})]",
                  f"[[{r}] * {k} for {r} in range({k})]")  # fmt: skip
    value = d.pick(
        f"sum({table}[{r}])", f"{table}[{r}][{r}]", f"max({table}[{r}]) - {table}[{r}][0]"
    )
    d.add(f"""
{table} = {grid}
for {r} in range({k}):
    for {c} in range({k}):
        {change}
{out} = [{value} for {r} in range({k})]
""")
