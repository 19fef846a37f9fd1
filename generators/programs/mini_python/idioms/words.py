"""Idioms on words and lists of words."""

from palaestra.generators.programs.mini_python.draft import Draft, idiom


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
        start, change = "[]", f"{out}.append({d.pick(i, f'{i} * {i}', f'len({word}) - {i}')})"
    else:
        out = d.new("number")
        start, value = d.number(0, 5), f"ord({c}) - ord('a')"
        change = f"{out} {d.pick('+=', '-=')} {d.pick(i, f'{i} + 1', value)}"
    body = f"    if {test}:\n        {change}"
    d.add(f"{out} = {start}\n{d.loop(i, c, word, body)}\n{body}")


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
    size = d.pick("26", "5", "6")
    d.add(f"""
{out} = ''
{d.loop(i, c, word, key)}
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
