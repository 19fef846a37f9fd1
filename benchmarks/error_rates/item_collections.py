"""Sets, multisets, lists, rankings and orders; which answers are right follows by definition."""

import json
import random
from collections import Counter
from collections.abc import Iterator

from benchmarks.error_rates.cases import Case, fenced, joined

from palaestra.verifiers.orders import Ranking, TopologicalOrder
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.sets import ListOf, Multiset, SetOf

WORDS = [
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "ivory",
    "jasper",
    "kelp",
    "lotus",
    "maple",
    "north",
    "opal",
    "pearl",
    "quartz",
    "raven",
    "sage",
    "tulip",
    "umber",
    "violet",
    "willow",
    "xenon",
    "yarrow",
    "zinc",
]
PHRASES = [
    "New York", "San Marino", "Costa Rica", "Sri Lanka", "Burkina Faso", "El Salvador", "Peru",
    "Chad", "Trinidad and Tobago", "Bosnia and Herzegovina", "Côte d'Ivoire", "Guinea-Bissau",
]  # fmt: skip


def unordered(rng: random.Random, items: list[str]) -> tuple[str, str]:
    """A way of writing a collection, and the items in it."""
    quoted = [f'"{item}"' for item in items]
    forms = {
        "commas": ", ".join(items),
        "commas without spaces": ",".join(items),
        "semicolons": "; ".join(items),
        "braces": "{" + ", ".join(items) + "}",
        "brackets": "[" + ", ".join(items) + "]",
        "JSON": json.dumps(items, ensure_ascii=False),
        "JSON in a fence": fenced(json.dumps(items, ensure_ascii=False), "json"),
        "quoted": ", ".join(quoted),
        "Python's repr": repr(items),
        "LaTeX set": rf"$\{{{', '.join(items)}\}}$",
        "lines": "\n".join(items),
        "bullets": "\n".join(f"- {item}" for item in items),
        "starred bullets": "\n".join(f"* {item}" for item in items),
        "numbered": "\n".join(f"{n}. {item}" for n, item in enumerate(items, 1)),
        "bold": ", ".join(f"**{item}**" for item in items),
        "full stop": ", ".join(items) + ".",
    }
    if not any(" and " in item for item in items):
        forms["and"] = joined(items)
        forms["serial comma"] = ", and ".join([", ".join(items[:-1]), items[-1]])
    if not any(item.lstrip("-").isdigit() for item in items):
        forms["capitals"] = ", ".join(items).upper()
    return rng.choice(sorted(forms.items()))


def ordered(rng: random.Random, items: list[str]) -> tuple[str, str]:
    """A way of writing a ranking, and the items in it."""
    forms = {
        "arrows": " -> ".join(items),
        "arrows of Unicode": " → ".join(items),
        "greater-than signs": " > ".join(items),
        "commas": ", ".join(items),
        "brackets": "[" + ", ".join(items) + "]",
        "JSON": json.dumps(items),
        "numbered": "\n".join(f"{n}. {item}" for n, item in enumerate(items, 1)),
        "numbered with brackets": "\n".join(f"{n}) {item}" for n, item in enumerate(items, 1)),
        "numbered on one line": ", ".join(f"{n}. {item}" for n, item in enumerate(items, 1)),
        "lines": "\n".join(items),
        "bullets": "\n".join(f"- {item}" for item in items),
        "bold": ", ".join(f"**{item}**" for item in items),
        "LaTeX arrows": "$" + r" \to ".join(rf"\text{{{item}}}" for item in items) + "$",
    }
    return rng.choice(sorted(forms.items()))


def altered(
    rng: random.Random, items: list[str], others: list[str]
) -> Iterator[tuple[str, list[str]]]:
    """Collections near to one, by the change."""
    index = rng.randrange(len(items))
    fresh = rng.choice(others)
    yield "item missing", items[:index] + items[index + 1 :]
    yield "item added", [*items[:index], fresh, *items[index:]]
    yield "item replaced", [*items[:index], fresh, *items[index + 1 :]]
    yield "item twice", [*items, items[index]]
    turned = items[::-1]
    yield "reversed", turned
    if len(items) > 1:
        swapped = items.copy()
        swapped[index - 1], swapped[index] = swapped[index], swapped[index - 1]
        yield "two items swapped", swapped


def pools(rng: random.Random, size: int) -> tuple[list[str], list[str], object]:
    """Items, others of their sort, and how they are read (None for words)."""
    sort = rng.choice(("words", "numbers", "phrases"))
    if sort == "numbers":
        pool = [str(number) for number in rng.sample(range(-99, 999), size + 3)]
        return pool[:size], pool[size:], integer
    pool = rng.sample(WORDS if sort == "words" else PHRASES, size + 3)
    return pool[:size], pool[size:], None


def set_cases(rng: random.Random) -> Iterator[Case]:
    """Sets, multisets and lists."""
    while True:
        items, others, read = pools(rng, rng.randint(2, 6))
        options = {"read": read} if read else {}
        sort = rng.choice(("set", "multiset", "list"))
        if sort == "multiset":
            items += rng.choices(items, k=rng.randint(1, 2))
        verifier = {"set": SetOf, "multiset": Multiset, "list": ListOf}[sort](
            tuple(items), **options
        )
        shuffled = items if sort == "list" else rng.sample(items, len(items))
        for _ in range(3):
            form, answer = unordered(rng, shuffled)
            yield Case(form, verifier, answer, right=True)
        for change, values in altered(rng, shuffled, others):
            same = values == items if sort == "list" else Counter(values) == Counter(items)
            if len(values) > 0:
                yield Case(change, verifier, unordered(rng, values)[1], right=same)


def ranking_cases(rng: random.Random) -> Iterator[Case]:
    """Rankings, with and without ties, and orders that keep some items before others."""
    while True:
        pool = rng.sample(WORDS, 9)
        items, others = pool[: rng.randint(3, 6)], pool[6:]
        if rng.random() < 0.5:
            tied = rng.randrange(len(items) - 1) if len(items) > 3 and rng.random() < 0.4 else None
            groups = [(item,) for item in items]
            if tied is not None:
                groups[tied : tied + 2] = [(items[tied], items[tied + 1])]
            gold = tuple(group if len(group) > 1 else group[0] for group in groups)
            rank = {item: n for n, group in enumerate(groups) for item in group}
            verifier: Ranking | TopologicalOrder = Ranking(gold, rng.choice(("exact", "kendall")))

            def right(values: list[str], rank: dict[str, int] = rank) -> bool:
                ranks = [rank.get(value, -1) for value in values]
                return sorted(values) == sorted(rank) and ranks == sorted(ranks)

        else:
            pairs = [
                (items[a], items[b])
                for a in range(len(items))
                for b in range(a + 1, len(items))
                if rng.random() < 0.4
            ]
            names = rng.sample(items, len(items))
            verifier = TopologicalOrder(tuple(names), tuple(pairs))

            def right(  # type: ignore[misc]
                values: list[str], names: list[str] = names, pairs: list[tuple[str, str]] = pairs
            ) -> bool:
                return sorted(values) == sorted(names) and all(
                    values.index(first) < values.index(second) for first, second in pairs
                )

        for values in [items, *(rng.sample(items, len(items)) for _ in range(3))]:
            form, answer = ordered(rng, values)
            yes = right(values)
            yield Case(form if yes else "another order", verifier, answer, yes)
        form, answer = ordered(rng, items)
        yield Case(form, verifier, answer, right=True)
        for change, values in altered(rng, items, others):
            yield Case(change, verifier, ordered(rng, values)[1], right(values))
