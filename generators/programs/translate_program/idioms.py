"""The idioms that programs are made of, from plain loops to hashes of 32 bits."""

from palaestra.generators.programs.translate_program.drafting import IDIOMS, Draft, idiom

__all__ = ["IDIOMS"]


@idiom(0)
def _total(d: Draft) -> None:
    row, x, out = d.row(), d.fresh("item"), d.number()
    d.add(f"""
{out} = {d.k(0, 9)}
for {x} in {row}:
    if {d.test(x)}:
        {out} += {d.amount(x)}
    else:
        {out} {d.pick("+=", "-=")} {d.amount(x)}
""")
    d.computed(out)


@idiom(0)
def _signed_parts(d: Draft) -> None:
    row, x, out = d.row(), d.fresh("item"), d.number()
    m = d.k(2, 7)
    d.add(f"""
{out} = 0
for {x} in {row}:
    {out} += {d.div(x, m)} * {d.k()} {d.pick("+", "-")} {d.mod(x, m)}
""")
    d.computed(out)


@idiom(0)
def _digits(d: Draft) -> None:
    name, rest, out = d.known_number(), d.number(), d.number()
    base = d.k(2, 10)
    d.add(f"""
{rest} = abs({name}) * {d.k(3, 40)} + {d.k(1, 99)}
{out} = 0
while {rest} > 0:
    {out} = {d.pick(f"{out} * {d.k(2, 3)} + {d.mod(rest, base)}", f"{out} + {d.mod(rest, base)}")}
    {rest} = {d.div(rest, base)}
""")
    d.computed(out)


@idiom(0)
def _count_up(d: Draft) -> None:
    name, i, out = d.known_number(), d.fresh("index"), d.number()
    step = d.pick("", "", f", {d.k(2, 3)}")
    d.add(f"""
{out} = {name}
for {i} in range({d.k(0, 2)}, {d.small(name)} + {d.k(4, 8)}{step}):
    if {d.test(i, name)}:
        {out} += {d.amount(i, name)}
""")
    d.computed(out)


@idiom(0)
def _count_down(d: Draft) -> None:
    name, i, out = d.known_number(), d.fresh("index"), d.number()
    d.add(f"""
{out} = 1
for {i} in range({d.small(name, 7)} + {d.k(3, 6)}, {d.k(0, 1)}, -{d.k(1, 2)}):
    {out} = {d.mod(f"({out} * {i} + {d.k()})", d.k(20, 99))}
""")
    d.computed(out)


@idiom(0)
def _euclid(d: Draft) -> None:
    name, one, other, out = d.known_number(), d.number(), d.number(), d.number()
    d.add(f"""
{one}, {other} = abs({name}) + {d.k(10, 90)}, {d.small(name, d.k(5, 30))} + {d.k()}
{out} = 0
while {other} != 0:
    {out} += {d.pick("1", d.div(one, other))}
    {one}, {other} = {other}, {d.mod(one, other)}
""")
    d.computed(one, out)


@idiom(0)
def _path(d: Draft) -> None:
    name, now, out = d.known_number(), d.number(), d.number()
    d.add(f"""
{now} = {d.small(name, d.k(20, 60))} + {d.k(2, 9)}
{out} = 0
while {now} != 1 and {out} < {d.k(10, 25)}:
    if {d.mod(now, 2)} == 0:
        {now} = {d.div(now, 2)}
    else:
        {now} = {now} * 3 + 1
    {out} += 1
""")
    d.computed(now, out)


@idiom(1)
def _best(d: Draft) -> None:
    row, i, out = d.row(), d.fresh("index"), d.number()
    keys = d.pick("{} * {}", "abs({} - " + str(d.k()) + ")", "{}", d.mod("{}", d.k(5, 9)))
    one, other = keys.replace("{}", f"{row}[{i}]"), keys.replace("{}", f"{row}[{out}]")
    d.add(f"""
{out} = 0
for {i} in range(1, len({row})):
    if {one} {d.pick(">", "<", ">=", "<=")} {other}:
        {out} = {i}
""")
    d.computed(out)


@idiom(1)
def _longest_run(d: Draft) -> None:
    row, i, run, out = d.row(), d.fresh("index"), d.number(), d.number()
    m = d.k(2, 3)
    test = d.pick(
        f"{row}[{i}] > {row}[{i} - 1]", f"{row}[{i}] <= {row}[{i} - 1]",
        f"{d.mod(f'{row}[{i}]', m)} == {d.mod(f'{row}[{i} - 1]', m)}",
    )  # fmt: skip
    d.add(f"""
{run}, {out} = 1, 1
for {i} in range(1, len({row})):
    {run} = {run} + 1 if {test} else {d.pick("1", "0")}
    {out} = max({out}, {run})
""")
    d.computed(out)


@idiom(1)
def _mapped(d: Draft) -> None:
    row, i, out = d.row(), d.fresh("index"), d.fresh("row")
    d.add(f"""
{out} = row(len({row}), {d.k(0, 5)})
for {i} in range(len({row})):
    if {d.test(f"{row}[{i}]", i)}:
        {out}[{i}] = {d.amount(f"{row}[{i}]", i)}
""")
    d.computed(out)


@idiom(1)
def _running(d: Draft) -> None:
    row, i, out = d.row(), d.fresh("index"), d.fresh("row")
    d.add(f"""
{out} = row(len({row}), {row}[0])
for {i} in range(1, len({row})):
    {out}[{i}] = {
        d.pick(
            f"{out}[{i} - 1] + {row}[{i}]",
            f"max({out}[{i} - 1], {row}[{i}])",
            f"{row}[{i}] - {row}[{i} - 1]",
            d.mod(f"({out}[{i} - 1] * {d.k()} + {row}[{i}])", d.k(11, 40)),
        )
    }
""")
    d.computed(out)


@idiom(1)
def _counted(d: Draft) -> None:
    row, x, out, m = d.row(), d.fresh("item"), d.fresh("row"), d.k(3, 5)
    d.add(f"""
{out} = row({m}, 0)
for {x} in {row}:
    {out}[{d.small(x, m)}] += {d.pick("1", "1", x, d.amount(x))}
""")
    d.computed(out)


@idiom(1)
def _turned(d: Draft) -> None:
    row, out, left, right = d.row(), d.fresh("row"), d.fresh("index"), d.fresh("index")
    d.add(f"""
{out} = row(len({row}), 0)
for {left} in range(len({row})):
    {out}[{left}] = {row}[{left}]
{right} = len({out}) - 1
for {left} in range({d.pick("0", "1")}, len({out})):
    if {left} < {right}:
        {out}[{left}], {out}[{right}] = {out}[{right}], {out}[{left}]
        {right} -= {d.pick("1", "2")}
""")
    d.computed(out)


@idiom(1)
def _balance(d: Draft) -> None:
    row, x, out, many = d.row(), d.fresh("item"), d.number(), d.number()
    d.add(f"""
{out} = 0
{many} = 0
for {x} in {row}:
    if {out} + {x} > {d.k(10, 40)} or {out} + {x} < -{d.k(10, 40)}:
        {d.pick("continue", "break")}
    {out} += {x}
    {many} += 1
""")
    d.computed(out, many)


@idiom(2)
def _pairs(d: Draft) -> None:
    row, i, j, out = d.row(), d.fresh("index"), d.fresh("index"), d.number()
    both = d.pick(*(f"{row}[{i}] {sign} {row}[{j}]" for sign in "+-*"))
    m = d.k(2, 5)
    test = d.pick(f"{row}[{i}] > {row}[{j}]", f"{d.mod(f'({both})', m)} == {d.k(0, 1)}")
    d.add(f"""
{out} = 0
for {i} in range(len({row})):
    for {j} in range({i} + 1, len({row})):
        if {test}:
            {out} += {d.pick("1", f"{j} - {i}", d.div(f"({both})", m))}
""")
    d.computed(out)


@idiom(2)
def _stacked(d: Draft) -> None:
    row, x, out, gone = d.row(), d.fresh("item"), d.fresh("row"), d.number()
    d.add(f"""
{out} = stack(len({row}))
{gone} = 0
for {x} in {row}:
    while len({out}) > 0 and {out}[len({out}) - 1] {d.pick(">", "<", ">=")} {x}:
        {gone} += {d.pick(f"{out}.pop()", f"{out}.pop() + 1", f"{x} - {out}.pop()")}
    {out}.append({x})
""")
    d.computed(out, gone)


@idiom(2)
def _sieve(d: Draft) -> None:
    name, i, j = d.known_number(), d.fresh("index"), d.fresh("index")
    out, marks, most = d.number(), d.fresh("row"), d.number()
    d.add(f"""
{most} = {d.small(name, 30)} + {d.k(6, 20)}
{marks} = row({most} + 1, 0)
{out} = 0
for {i} in range(2, {most} + 1):
    if {marks}[{i}] == 0:
        {out} += {d.pick(i, "1", d.mod(i, d.k(3, 7)))}
        for {j} in range({i} * {i}, {most} + 1):
            if {d.mod(j, i)} == 0:
                {marks}[{j}] = 1
""")
    d.computed(out)


@idiom(2)
def _graded(d: Draft) -> None:
    row, name, x, out = d.row(), d.fresh("function"), d.fresh("item"), d.number()
    d.help(f"""
def {name}(u):
    if {d.test("u")}:
        return {d.amount("u")}
    if u {d.pick(">", "<")} {d.k(-9, 9)}:
        return {d.pick("-u", "u - 1", str(d.k()))}
    return {d.amount("u")}
""")
    d.add(f"""
{out} = 0
for {x} in {row}:
    {out} += {name}({x}) {d.pick("", f"* {d.k()}", f"- {x}")}
""")
    d.computed(out)


@idiom(2)
def _sorted_by_hand(d: Draft) -> None:
    row, out, i, j, moves = d.row(), d.fresh("row"), d.fresh("index"), d.fresh("index"), d.number()
    key = d.pick("{}", "{}", "abs({})", d.mod("{}", d.k(3, 9)))
    one, other = key.replace("{}", f"{out}[{j} - 1]"), key.replace("{}", f"{out}[{j}]")
    d.add(f"""
{out} = stack(len({row}))
{moves} = 0
for {i} in range(len({row})):
    {out}.append({row}[{i}])
    {j} = {i}
    while {j} > 0 and {one} {d.pick(">", "<")} {other}:
        {out}[{j} - 1], {out}[{j}] = {out}[{j}], {out}[{j} - 1]
        {j} -= 1
        {moves} += 1
""")
    d.computed(out, moves)


@idiom(2)
def _searched(d: Draft) -> None:
    name, i, out, m = d.known_number(), d.fresh("index"), d.number(), d.k(7, 23)
    d.add(
        f"""
{out} = -1
for {i} in range({m}):
    if {d.mod(f"({i} * {i} + {i} * {d.k()} + abs({name}))", m)} == {d.k(0, 3)}:
        {out} = {i}
        {d.pick("break", "continue")}
""".replace("        continue\n", "")
    )
    d.computed(out)


@idiom(3)
def _recursion(d: Draft) -> None:
    name, function, out = d.known_number(), d.fresh("function"), d.number()
    m = d.k(50, 997)
    call, back = f"{function}(u - 1)", f"{function}(u - {d.k(2, 3)})"
    both = f"{call} * {d.k()} {d.pick('+', '-')} {back}"
    d.help(f"""
def {function}(u):
    if u < {d.k(1, 3)}:
        return {d.pick("u + 1", str(d.k(1, 9)), f"{d.k()} - u")}
    return {d.mod(f"({both})", m)}
""")
    d.add(f"{out} = {function}({d.small(name, 10)})")
    d.computed(out)


@idiom(3)
def _grid_of_ways(d: Draft) -> None:
    name, function, out = d.known_number(), d.fresh("function"), d.number()
    d.help(f"""
def {function}(a, b):
    if a == 0 or b == 0:
        return {d.pick("1", "a + b + 1", "a - b")}
    if {d.test("a", "b")}:
        return {function}(a - 1, b) {d.pick("-", "+")} {d.k()}
    return {function}(a - 1, b) {d.pick("+", "-")} {function}(a, b - 1)
""")
    d.add(f"{out} = {function}({d.small(name, 5)}, {d.k(2, 5)})")
    d.computed(out)


@idiom(3)
def _halved(d: Draft) -> None:
    row, function, out = d.row(), d.fresh("function"), d.number()
    join = d.pick("max(u, v)", "u * 2 - v", "min(u, v) + 1", d.mod("(u + 3 * v)", 31), "v - u")
    d.help(f"""
def {function}(cells, low, high):
    if high - low == 1:
        return cells[low]
    middle = {d.div("(low + high)", 2)}
    u = {function}(cells, low, middle)
    v = {function}(cells, middle, high)
    return {join}
""")
    d.add(f"{out} = {function}({row}, 0, len({row}))")
    d.computed(out)


@idiom(3)
def _coins(d: Draft) -> None:
    name, i, most = d.known_number(), d.fresh("index"), d.number()
    coin, ways, out = d.fresh("item"), d.fresh("row"), d.number()
    d.add(f"""
{most} = {d.small(name, 15)} + {d.k(3, 9)}
{ways} = row({most} + 1, 0)
{ways}[0] = 1
for {coin} in range({d.k(1, 2)}, {d.k(4, 6)}):
    for {i} in range({coin}, {most} + 1):
        {ways}[{i}] = {d.mod(f"({ways}[{i}] + {ways}[{i} - {coin}])", d.k(50, 99))}
{out} = {ways}[{most}]
""")
    d.computed(out)


@idiom(3)
def _changed_by_a_function(d: Draft) -> None:
    row, function, x = d.row(), d.fresh("function"), d.fresh("item")
    out, sum_ = d.fresh("row"), d.number()
    m = d.k(3, 5)
    d.help(f"""
def {function}(cells, u):
    place = {d.mod("abs(u)", "len(cells)")}
    if cells[place] {d.pick("<", ">")} u:
        cells[place] = u
        return {d.pick("1", "place", "-1")}
    cells[place] += {d.k(1, 4)}
    return {d.pick("0", f"cells[{d.mod('(place + 1)', 'len(cells)')}]", "cells[0]")}
""")
    d.add(f"""
{out} = row({m}, {d.k(0, 3)})
{sum_} = 0
for {x} in {row}:
    {sum_} += {function}({out}, {x})
""")
    d.computed(out, sum_)


@idiom(3)
def _power(d: Draft) -> None:
    name = d.known_number()
    base, left, out, m = d.number(), d.number(), d.number(), d.k(1_000, 30_000)
    d.add(f"""
{base} = {d.small(name, 1_000)} + {d.k()}
{left} = abs({name}) + {d.k()}
{out} = 1
while {left} > 0:
    if {d.mod(left, 2)} == 1:
        {out} = {d.mod(f"({out} * {base})", m)}
    {base} = {d.mod(f"({base} * {base})", m)}
    {left} = {d.div(left, 2)}
""")
    d.computed(out)


@idiom(3)
def _last_one(d: Draft) -> None:
    row, here, i = d.row(), d.fresh("row"), d.fresh("index")
    at, left, out = d.number(), d.number(), d.number()
    d.add(f"""
{here} = row(len({row}), 1)
{left} = len({row})
{at} = 0
while {left} > 1:
    for {i} in range({d.k(2, 4)}):
        {at} = {d.mod(f"({at} + 1)", f"len({row})")}
        while {here}[{at}] == 0:
            {at} = {d.mod(f"({at} + 1)", f"len({row})")}
    {here}[{at}] = 0
    {left} -= 1
{out} = 0
while {here}[{out}] == 0:
    {out} += 1
""")
    d.computed(out)


@idiom(4)
def _hash(d: Draft) -> None:
    row, x, out, low = d.row(), d.fresh("item"), d.number(), d.number()
    d.add(f"""
{out} = {d.k(100, 9_999)}
for {x} in {row}:
    {out} = wrap({out} * {d.pick("31", "33", "65599", "131")} {d.pick("+", "-")} {x})
{low} = {d.mod(out, d.k(50, 999))}
""")
    d.computed(low)
    d.unused.append(out)


@idiom(4)
def _signed_hash(d: Draft) -> None:
    row, x, out = d.row(), d.fresh("item"), d.number()
    d.add(f"""
{out} = {d.k(100, 9_999)}
for {x} in {row}:
    {out} = int32({out} * {d.pick("31", "37", "1021")} {d.pick("+", "-")} {x} * {d.k(2, 99)})
""")
    d.unused.append(out)


@idiom(4)
def _generator(d: Draft) -> None:
    name, state, i, out = d.known_number(), d.number(), d.fresh("index"), d.number()
    factor = d.pick("1103515245", "1664525", "214013", "22695477", "134775813")
    d.add(f"""
{state} = abs({name}) + {d.k(1, 99)}
{out} = 0
for {i} in range({d.k(5, 12)}):
    {state} = mul32({state}, {factor})
    {state} = wrap({state} + {d.pick("12345", "1013904223", "2531011", "1")})
    {out} += ({state} >> {d.k(15, 20)}) & {d.pick("7", "15", "31", "127")}
""")
    d.computed(out)
    d.unused.append(state)


@idiom(4)
def _shifted(d: Draft) -> None:
    row, x, out = d.row(), d.fresh("item"), d.number()
    a, b, c = d.rng.choice(((13, 17, 5), (3, 1, 14), (7, 1, 9), (5, 9, 7)))
    d.add(f"""
{out} = {d.k(1_000, 99_999)}
for {x} in {row}:
    {out} = {out} ^ wrap({out} + {x})
    {out} = {out} ^ shl32({out}, {a})
    {out} = {out} ^ {out} >> {b}
    {out} = {out} ^ shl32({out}, {c})
""")
    d.unused.append(out)


@idiom(4)
def _fowler(d: Draft) -> None:
    """A hash like that of G. Fowler, L. C. Noll and K.-P. Vo."""
    row, x, out = d.row(), d.fresh("item"), d.number()
    d.add(f"""
{out} = {d.pick("2166136261", "84696351", "1540483477")}
for {x} in {row}:
    {out} = mul32({out} ^ abs({x}) & 255, {d.pick("16777619", "16777633", "1540483")})
""")
    d.unused.append(out)


@idiom(4)
def _bits(d: Draft) -> None:
    row, x, rest, out = d.row(), d.fresh("item"), d.number(), d.number()
    d.add(f"""
{out} = 0
for {x} in {row}:
    {rest} = wrap({x} * {d.pick("1", "40503", "73", "-1")})
    while {rest} > 0:
        {out} += {d.pick(f"{rest} & 1", f"{rest} & 3", "1")}
        {rest} = {rest} >> {d.k(1, 3)}
""")
    d.computed(out)
