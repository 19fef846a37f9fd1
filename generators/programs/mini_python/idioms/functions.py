"""Idioms that put a function in front of the program, down to recursion."""

from palaestra.generators.programs.mini_python.draft import Draft, idiom


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
    _apply(d, name, d.pick("{0} * 3", "{0} * {0}", "{0} + 25", "abs({0})"))


def _apply(d: Draft, name: str, argument: str = "{0}") -> None:
    """Call a function on each number of a list."""
    xs, x = d.take("numbers"), d.item()
    if argument == "{0}" and xs in d.wide:
        argument = "{0} % 20"
    call = f"{name}({argument.format(x)})"
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
    _apply(d, name, "{0} % 20")


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
    {mid} = len({xs}) {d.pick("// 2", "// 2", "// 3 + 1")}
    return {joint}
""")
    numbers, out = d.take("numbers"), d.new("numbers", wide=True)
    d.add(f"{out} = {name}({numbers})")


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
    numbers, start, out = d.take("numbers"), d.number(2, 9), d.new("numbers", wide=True)
    d.add(f"{out} = {name}({numbers}, {start})")


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
    test, *changes = d.rng.choice((
        (f"{out} and {out}[-1] > {x}",
         f"{out}[-1] += {x}", f"{out}.insert(0, {x})", f"{out}[0] = {x}"),
        (f"{x} in {out}", f"{out}.remove({x})", f"{out}.insert(0, {x} + 1)"),
        (f"len({out}) > 2 and {x} % 2 == 0", f"{out}.pop()", f"{out}[0] += {x}"),
    ))  # fmt: skip
    change = d.pick(*changes)
    d.help(f"""
def {name}({out}, {x}):
    if {test}:
        {change}
        return {d.pick("1", f"len({out})")}
    {out}.append({x})
    return 0
""")
    xs, item, stack = d.take("numbers"), d.item(), d.new("numbers", wide=True)
    count, k = d.new("number", "changes", "hits"), d.rng.randint(4, 9)
    d.add(f"""
{stack}, {count} = [], 0
for {item} in {xs}:
    {count} += {name}({stack}, {d.pick(item, f"{item} % {k}")})
""")
