"""Tasks solved by brute force from the text of their prompts, without the code that made them."""

import re
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product

import pytest

from palaestra.address import Address

SEEDS = range(6)


def task_of(name, seed, **knobs):
    return Address.of(name, seed, 0, **knobs).task()


@pytest.mark.parametrize("seed", SEEDS)
def test_rewriting(seed):
    task = task_of("strings/ab_rewriting", seed)
    prompt = task.prompt()
    text = re.search(r"The text: (\w+)", prompt)[1]
    lines = re.findall(r"^\d+\. (\w+) -> (\S+)$", prompt, re.MULTILINE)
    rules = [(left, "" if right == "(nothing)" else right) for left, right in lines]
    steps = 0
    while places := [(text.find(left), left, right) for left, right in rules if left in text]:
        place, left, right = places[0]
        text = text[:place] + right + text[place + len(left) :]
        steps += 1
        assert steps < 100
    assert task.verify(f"{text} {steps}").correct
    assert not task.verify(f"{text} {steps + 1}").correct


@pytest.mark.parametrize("seed", SEEDS)
def test_cryptarithms(seed):
    task = task_of("arithmetic/cryptarithm", seed)
    prompt = task.prompt()
    *words, total = (
        re.search(r"^[A-Z]+( \+ [A-Z]+)+ = [A-Z]+$", prompt, re.MULTILINE)[0]
        .replace(" = ", " + ")
        .split(" + ")
    )
    clues = prompt.split("It is known that ")[1].split(". Write")[0]
    known = {pair[0]: int(pair[-1]) for pair in clues.split(", ")}
    letters = sorted({*"".join([*words, total])} - known.keys())
    solutions = []
    for row in permutations(sorted({*range(10)} - {*known.values()}), len(letters)):
        digits = known | dict(zip(letters, row))
        numbers = [int("".join(str(digits[c]) for c in word)) for word in (*words, total)]
        if sum(numbers[:-1]) == numbers[-1] and all(digits[w[0]] for w in (*words, total)):
            solutions.append(digits)
    (digits,) = solutions
    assert task.verify("\n".join(f"{letter} = {digit}" for letter, digit in digits.items())).correct


@pytest.mark.parametrize("seed", SEEDS)
def test_letter_budgets(seed):
    task = task_of("strings/letter_budget", seed)
    prompt = task.prompt()
    words = re.search(r"^Words: (.+)$", prompt, re.MULTILINE)[1].split()
    tiles = re.search(r"^Letters: (.+)$", prompt, re.MULTILINE)[1].split(", ")
    stock = Counter({tile.split()[1]: int(tile.split()[0]) for tile in tiles})
    subsets = chain(*(combinations(words, size) for size in range(1, len(words) + 1)))
    possible = [some for some in subsets if Counter("".join(some)) <= stock]
    best = max(map(len, possible))
    for some in possible:
        assert task.verify(", ".join(some)).correct == (len(some) == best)
    kept, left = 0, stock  # greed, in the order of the list, makes fewer
    for word in words:
        if Counter(word) <= left:
            kept, left = kept + 1, left - Counter(word)
    assert kept < best


@pytest.mark.parametrize("seed", SEEDS)
def test_palindromes(seed):
    task = task_of("strings/palindrome_building", seed)
    prompt = task.prompt()
    letters = re.search(r": ((?:[a-z] )+[a-z])\n", prompt)[1].split()
    apart = re.findall(r"^- (\w) and (\w) are never adjacent$", prompt, re.MULTILINE)
    apart += re.findall(r"^- no (\w) is adjacent to another (\w)$", prompt, re.MULTILINE)
    bans = re.findall(r"^- position (\d+) is not (\w)$", prompt, re.MULTILINE)
    right = 0
    for row in set(permutations(letters)):
        good = list(row) == list(reversed(row))
        good = good and not any({a, b} == {*pair} for a, b in pairwise(row) for pair in apart)
        good = good and all(row[int(place) - 1] != letter for place, letter in bans)
        assert task.verify("".join(row)).correct == good
        right += good
    assert right


@pytest.mark.parametrize("seed", SEEDS)
def test_angles(seed):
    task = task_of("geometry/polygon_angles", seed)
    prompt = task.prompt()
    asked = int(re.search(r"angle (\d+)", prompt)[1])
    sizes = {int(a): Fraction(n) for a, n in re.findall(r"Angle (\d+) is (\d+) degrees", prompt)}
    facts = [line for line in prompt.splitlines() if line.startswith("- Angles ")]
    for _ in facts:
        for fact in facts:
            angles = [int(number) for number in re.findall(r"\d+", fact)]
            unknown = [angle for angle in angles if angle not in sizes]
            if len(unknown) == 1:
                rest = sum(sizes[angle] for angle in angles if angle in sizes)
                assert ("alternate" in fact) + ("triangle" in fact) + ("adjacent" in fact) == 1
                sizes[unknown[0]] = rest if "alternate" in fact else 180 - rest
    assert task.verify(str(sizes[asked])).correct
    assert not task.verify(str(sizes[asked] + 1)).correct


@pytest.mark.parametrize("seed", SEEDS)
def test_colourings(seed):
    task = task_of("graphs/graph_coloring", seed, encoding="edges")
    prompt = task.prompt()
    nodes = re.search(r"^Nodes: (.+)\.$", prompt, re.MULTILINE)[1].split(", ")
    edges = re.findall(r"^(\w+) - (\w+)$", prompt, re.MULTILINE)

    def proper(some):
        rows = (dict(zip(nodes, row)) for row in product(some, repeat=len(nodes)))
        return (row for row in rows if all(row[u] != row[v] for u, v in edges))

    assert not any(proper(["red", "green"]))
    coloring = next(proper(["red", "green", "blue"]))
    assert task.verify("\n".join(f"{node}: {each}" for node, each in coloring.items())).correct
    u, v = edges[0]
    coloring[u] = coloring[v]
    assert not task.verify("\n".join(f"{n}: {each}" for n, each in coloring.items())).correct


def holds(claim, regions):
    """Whether a claim is true where there are things in these regions, sets of kinds."""
    words = re.match(r"(All|No|Some) (\w+) are (not )?(\w+)\.", claim)
    form, subject, negated, predicate = words.groups()
    both = any(subject in r and predicate in r for r in regions)
    only = any(subject in r and predicate not in r for r in regions)
    return {"All": not only, "No": not both, "Some": only if negated else both}[form]


@pytest.mark.parametrize("seed", SEEDS)
def test_syllogisms(seed):
    """All ways to have things in at most three regions, which is enough for a few claims."""
    task = task_of("logic/syllogism", seed, terms=3, premises=2, conclusions=4)
    prompt = task.prompt()
    premises = re.findall(r"^  ((?:All|No|Some) .+\.)$", prompt, re.MULTILINE)
    claims = re.findall(r"^\d+\. ((?:All|No|Some) .+\.)$", prompt, re.MULTILINE)
    kinds = sorted({word for p in premises for word in re.match(r"\w+ (\w+) are (?:not )?(\w+)",
                                                                p).groups()})  # fmt: skip
    sets = [{k for k, take in zip(kinds, row) if take} for row in product((0, 1), repeat=3)]
    worlds = [[s for s, take in zip(sets, row) if take] for row in product((0, 1), repeat=8)]
    inhabited = "at least one thing of each kind" in prompt
    worlds = [w for w in worlds if not inhabited or all(any(k in s for s in w) for k in kinds)]
    worlds = [w for w in worlds if all(holds(premise, w) for premise in premises)]
    lines = []
    for number, claim in enumerate(claims, 1):
        truths = {holds(claim, world) for world in worlds}
        verdict = "open" if len(truths) > 1 else "follows" if truths == {True} else "contradicts"
        lines.append(f"{number}: {verdict}")
    assert task.verify("\n".join(lines)).correct


@pytest.mark.parametrize("seed", SEEDS)
def test_queens(seed):
    task = task_of("grids/n_queens", seed, spare=1)
    rows = re.findall(r"^[.Q](?: [.Q])+$", task.prompt(), re.MULTILINE)
    given = {n: row.split().index("Q") for n, row in enumerate(rows) if "Q" in row}
    solutions = [
        columns
        for columns in permutations(range(len(rows)))
        if all(columns[row] == column for row, column in given.items())
        and len({c + r for r, c in enumerate(columns)}) == len(rows)
        and len({c - r for r, c in enumerate(columns)}) == len(rows)
    ]
    (columns,) = solutions
    assert task.verify(", ".join(str(column + 1) for column in columns)).correct
