"""Every story states all that is needed: solvers that read nothing else find right answers."""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations, permutations, product
from math import gcd, inf, lcm, prod
from typing import NamedTuple

import pytest

from palaestra import Address
from palaestra.combinators import stories
from palaestra.envs.numbers.greatest_common_divisor import GreatestCommonDivisor
from palaestra.registry import load
from palaestra.task import Puzzle

Solver = Callable[[str], str]

LINK = re.compile(
    r"^(?:from )?(\w+) (?:and|to|with|next to|before) (\w+)(?:: (\d+)(?: km| min| m| h)?)?$",
    re.MULTILINE,
)


class Link(NamedTuple):
    """A line of a story that joins two names."""

    a: str
    b: str
    n: int


def links(text: str, pattern: re.Pattern[str] = LINK) -> list[Link]:
    return [Link(m[1], m[2], int(m[3] or 0)) for m in pattern.finditer(text)]


def listed(text: str, before: str) -> list[str]:
    """The names in a list after some words."""
    match = re.search(rf"{before}((?:\w+(?:, | and |))*\w+)", text)
    assert match, text
    return re.split(r", | and ", match[1])


def nodes(edges: Sequence[Link]) -> list[str]:
    return sorted({node for edge in edges for node in edge[:2]})


def beside(edges: Sequence[Link]) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {node: set() for node in nodes(edges)}
    for a, b, _ in edges:
        near[a].add(b)
        near[b].add(a)
    return near


def first(pattern: str, text: str) -> list[str]:
    match = re.search(pattern, text)
    assert match, text
    return list(match.groups())


def numbers(text: str) -> list[int]:
    return [*map(int, re.findall(r"-?\d+", text))]


def shortest_path(text: str) -> str:
    start, end = first(r"from (?:hut|depot) (\w+) to (?:hut|depot) (\w+)", text)
    ways: dict[str, list[tuple[str, int]]] = {}
    for a, b, n in links(text):
        ways.setdefault(a, []).append((b, n))
        if "in both directions" in text:
            ways.setdefault(b, []).append((a, n))
    queue: list[tuple[int, list[str]]] = [(0, [start])]
    seen = set[str]()
    while True:
        length, path = heappop(queue)
        if path[-1] == end:
            return " -> ".join(path)
        if path[-1] not in seen:
            seen.add(path[-1])
            for node, n in ways.get(path[-1], ()):
                heappush(queue, (length + n, [*path, node]))


AFTER = re.compile(r"^(?P<b>\w+) starts only when (?P<a>\w+) is finished()$", re.MULTILINE)


def critical_path(text: str) -> str:
    days = {job: int(n) for job, n in re.findall(r"^(\w+): (\d+) days?$", text, re.MULTILINE)}
    pairs = [(edge.b, edge.a) for edge in links(text, AFTER)] or [e[:2] for e in links(text)]
    early, late = dict.fromkeys(days, 0), {}
    for _ in days:
        for a, b in pairs:
            early[b] = max(early[b], early[a] + days[a])
    end = max(early[job] + days[job] for job in days)
    late = {job: end - days[job] for job in days}
    for _ in days:
        for a, b in pairs:
            late[a] = min(late[a], late[b] - days[a])
    return "\n".join(f"{job}: {early[job]}, {late[job]}" for job in days)


def coloured(
    items: list[str], apart: dict[str, set[str]], colours: Sequence[str]
) -> dict[str, str]:
    """The first proper colouring, in the order of the items with the most neighbours."""
    order = sorted(items, key=lambda item: -len(apart.get(item, ())))
    chosen: dict[str, str] = {}

    def extend() -> bool:
        if len(chosen) == len(order):
            return True
        item = order[len(chosen)]
        for colour in colours:
            if all(chosen.get(other) != colour for other in apart.get(item, ())):
                chosen[item] = colour
                if extend():
                    return True
                del chosen[item]
        return False

    assert extend()
    return chosen


def graph_coloring(text: str) -> str:
    people = listed(text, "(?:come to a wedding: |which are called )")
    colours = listed(text, "(?:tablecloths are |cards: )")
    chosen = coloured(people, beside(links(text)), colours)
    return "\n".join(f"{who}: {colour}" for who, colour in chosen.items())


def edge_colouring(text: str) -> str:
    (number,) = first(r"numbered 1 to (\d+)", text)
    games = [f"{a}-{b}" for a, b, _ in links(text)]
    apart = {
        game: {
            other for other in games if other != game and {*game.split("-")} & {*other.split("-")}
        }
        for game in games
    }
    chosen = coloured(games, apart, [str(n + 1) for n in range(int(number))])
    return "\n".join(f"{game}: {colour}" for game, colour in chosen.items())


def bipartite_matching(text: str) -> str:
    left = listed(text, "(?:dancers lead: |of one class are )")
    near = beside(links(text))
    partner: dict[str, str] = {}

    def augment(one: str, tried: set[str]) -> bool:
        for other in near.get(one, set()) - tried:
            tried.add(other)
            if other not in partner or augment(partner[other], tried):
                partner[other] = one
                return True
        return False

    for one in left:
        augment(one, set())
    return ", ".join(f"{a}-{b}" for b, a in partner.items())


def maximum_flow(text: str) -> str:
    (source, sink) = first(r"(?:: (?=\w+ is)|the port )(\w+) (?:is.*?,|to the mill) (\w+)", text)
    capacity = {(a, b): n for a, b, n in links(text)}
    flow = dict.fromkeys(capacity, 0)

    def push(node: str, most: int, seen: set[str]) -> int:
        if node == sink:
            return most
        seen.add(node)
        for (a, b), n in capacity.items():
            for there, back, left in ((b, False, n - flow[a, b]), (a, True, flow[a, b])):
                here = b if back else a
                if here == node and left and there not in seen:
                    sent = push(there, min(most, left), seen)
                    if sent:
                        flow[a, b] += -sent if back else sent
                        return sent
        return 0

    while push(source, 10**6, set()):
        pass
    return "\n".join(f"{a} -> {b}: {n}" for (a, b), n in flow.items() if n)


def minimum_cut(text: str) -> str:
    edges = links(text)
    one, *others = nodes(edges)

    def cost(part: set[str]) -> int:
        return sum(n for a, b, n in edges if (a in part) != (b in part))

    masks = product((False, True), repeat=len(others))
    parts = ({one, *(o for o, inside in zip(others, mask) if inside)} for mask in masks)
    return ", ".join(min((p for p in parts if len(p) <= len(others)), key=cost))


def tree(edges: list[Link]) -> list[Link]:
    """A minimum spanning forest, by Kruskal's algorithm."""
    group = {node: {node} for node in nodes(edges)}
    chosen = []
    for edge in sorted(edges, key=lambda edge: edge.n):
        if group[edge.a] is not group[edge.b]:
            chosen.append(edge)
            group[edge.a] |= group[edge.b]
            for node in group[edge.b]:
                group[node] = group[edge.a]
    return chosen


def minimum_spanning_tree(text: str) -> str:
    return ", ".join(f"{a}-{b}" for a, b, _ in tree(links(text)))


def steiner_tree(text: str) -> str:
    edges = links(text)
    ends = listed(text, r"The (?:buildings|farms) ")
    others = [node for node in nodes(edges) if node not in ends]
    best, least = "", inf
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            used = {*ends, *more}
            chosen = tree([edge for edge in edges if {edge.a, edge.b} <= used])
            total = sum(edge.n for edge in chosen)
            if len(chosen) == len(used) - 1 and total < least:
                best, least = ", ".join(f"{a}-{b}" for a, b, _ in chosen), total
    return best


def smallest(items: list[str], suits: Callable[[set[str]], bool]) -> str:
    for size in range(1, len(items) + 1):
        for some in combinations(items, size):
            if suits(set(some)):
                return ", ".join(some)
    raise AssertionError("there is none")


def dominating_set(text: str) -> str:
    near = beside(links(text))
    return smallest([*near], lambda some: all(n in some or near[n] & some for n in near))


def minimum_vertex_cover(text: str) -> str:
    edges = links(text)
    return smallest(nodes(edges), lambda some: all({a, b} & some for a, b, _ in edges))


def maximum_clique(text: str) -> str:
    near = beside(links(text))

    def largest(team: list[str], free: list[str]) -> list[str]:
        best = team
        for n, one in enumerate(free):
            larger = largest([*team, one], [other for other in free[n + 1 :] if other in near[one]])
            best = max(best, larger, key=len)
        return best

    return ", ".join(largest([], [*near]))


EARLIER = re.compile(
    r"^(?P<a>\w+) (?:is a prerequisite of|before) (?P<b>\w+)()$",
    re.MULTILINE,
)


def topological_order(text: str) -> str:
    left = listed(text, "(?:one after the other: |which are called )")
    pairs = [edge[:2] for edge in links(text, EARLIER)]
    order = list[str]()
    while left:
        one = next(o for o in left if all(b != o for a, b in pairs if a not in order))
        left.remove(one)
        order.append(one)
    return ", ".join(order)


SPAN = re.compile(r"^(\w+): from \w+ (\d+) to \w+ (\d+), (\d+) (?:dollar|point)s?$", re.MULTILINE)


def interval_independent_set(text: str) -> str:
    spans = sorted(((int(e), int(s), int(w), name) for name, s, e, w in SPAN.findall(text)))
    best: list[tuple[int, int, list[str]]] = [(0, 0, [])]
    for end, start, worth, name in spans:
        _, before, names = max((b for b in best if b[0] <= start), key=lambda b: b[1])
        best.append((end, before + worth, [*names, name]))
    return ", ".join(max(best, key=lambda b: b[1])[2])


def travelling_salesman(text: str) -> str:
    edges = links(text)
    length = {(a, b): n for a, b, n in edges} | {(b, a): n for a, b, n in edges}
    start, *others = nodes(edges)
    trips = ([start, *rest] for rest in permutations(others))
    return " -> ".join(min(trips, key=lambda t: sum(length[s] for s in zip(t, [*t[1:], t[0]]))))


def eulerian_path(text: str) -> str:
    near = {node: sorted(some) for node, some in beside(links(text)).items()}
    odd = [node for node, some in near.items() if len(some) % 2]
    stack, walk = [odd[0] if odd else min(near)], list[str]()
    while stack:
        if near[stack[-1]]:
            there = near[stack[-1]].pop()
            near[there].remove(stack[-1])
            stack.append(there)
        else:
            walk.append(stack.pop())
    return " -> ".join(walk)


def greatest_common_divisor(text: str) -> str:
    row = numbers(text.partition("Answer with")[0])
    if "flash" in text or "smallest number of screws" in text:
        return str(lcm(*[n for n in row if n]))
    return str(gcd(*row))


AMOUNT = re.compile(
    r"(?P<plus>collects|bought)|(?P<minus>hands back|returned)"
    r"|(?P<n>\d+) (?:tokens?|crates?)(?: of)? (?P<name>\w)\b"
)
EXTRA = re.compile(r"(?:gets|paid a fee of|had a voucher of) (\d+) (?:points?|dollars?)( as a p)?")


def side(text: str) -> tuple[dict[str, int], int]:
    """The coefficients of the unknowns on a side, and a number."""
    row, sign, more = dict[str, int](), 0, 0
    for match in AMOUNT.finditer(text):
        if match["name"]:
            row[match["name"]] = sign * int(match["n"])
        else:
            sign = 1 if match["plus"] else -1
    if extra := EXTRA.search(text):
        minus = extra[2] or "voucher" in extra[0]
        more = -int(extra[1]) if minus else int(extra[1])
    return row, more


def linear_system(text: str) -> str:
    rows = list[dict[str, Fraction]]()
    for line in re.findall(r"^(?:A|One) (?:player|customer) .*$", text, re.MULTILINE):
        left, _, right = line.partition("; another " if line.startswith("One") else "score of")
        if not right:
            left, _, right = line.partition("The total is")
        (one, m), (other, n) = side(left), side(right)
        if not line.startswith("One"):
            n = numbers(right)[0]
        row = {x: Fraction(one.get(x, 0) - other.get(x, 0)) for x in {*one, *other}}
        rows.append(row | {"": Fraction(n - m)})
    return "\n".join(f"{name} = {value}" for name, value in eliminated(rows).items())


def eliminated(rows: list[dict[str, Fraction]]) -> dict[str, Fraction]:
    """The solution of a system, by the elimination of one unknown after the other."""
    names = sorted({name for row in rows for name in row} - {""})
    for name in names:
        n = next(n for n, row in enumerate(rows) if row.get(name) and not row.get("done"))
        pivot = {k: v / rows[n][name] for k, v in rows[n].items()}
        rows = [
            row
            if number == n
            else {
                k: row.get(k, Fraction(0)) - row.get(name, Fraction(0)) * pivot.get(k, 0)
                for k in {*row, *pivot} - {"done"}
            }
            | {"done": row.get("done", Fraction(0))}
            for number, row in enumerate(rows)
        ]
        rows[n] = pivot | {"done": Fraction(1)}
    return {name: next(r[""] for r in rows if r.get(name) == 1 and r["done"]) for name in names}


def simultaneous_congruences(text: str) -> str:
    lines = re.findall(r"^(?:When|From) .*$", text, re.MULTILINE)
    value, step = 0, 1
    for line in lines:
        times, modulus, rest = numbers(line)
        value = next(
            v for v in range(value, value + step * modulus, step) if times * v % modulus == rest
        )
        step = lcm(step, modulus // gcd(times, modulus))
    return str(value)


def long_multiplication(text: str) -> str:
    if one := re.search(r"(\d+) times (\d+)\. For each", text):
        a, b = one[1], one[2]
    else:
        b, a = first(r"print (\d+) copies of a book with (\d+) pages", text)
    parts = [int(a) * int(digit) * 10**n for n, digit in enumerate(reversed(b))]
    return ", ".join(map(str, [*parts, int(a) * int(b)]))


ITEM = re.compile(r"^(\d+): (\d+) (?:minute|dollar)s?, (\d+) (?:vote|reader)s?$", re.MULTILINE)


def knapsack(text: str) -> str:
    (most,) = first(r"has (\d+) (?:minute|dollar)", text)
    best = {0: (0, list[str]())}
    for number, weight, value in ITEM.findall(text):
        for used, (worth, items) in sorted(best.items(), reverse=True):
            total, more = used + int(weight), worth + int(value)
            if total <= int(most) and more > best.get(total, (-1,))[0]:
                best[total] = more, [*items, number]
    return ", ".join(max(best.values())[1])


def job_shop(text: str) -> str:
    jobs = [
        [(int(m), int(n)) for m, n in re.findall(r"\w+ (\d+) \((\d+) minutes?\)", line)]
        for line in re.findall(r"^(?:Patient|Dish) \d+: .*$", text, re.MULTILINE)
    ]
    best, least = list[list[int]](), inf

    def extend(starts: list[list[int]], free: dict[int, int], ready: list[int]) -> None:
        nonlocal best, least
        if max(ready) >= least:
            return
        if all(len(row) == len(job) for row, job in zip(starts, jobs)):
            best, least = starts, max(ready)
        for n, (row, job) in enumerate(zip(starts, jobs)):
            if len(row) < len(job):
                machine, time = job[len(row)]
                begin = max(ready[n], free.get(machine, 0))
                extend(
                    [[*r, begin] if k == n else r for k, r in enumerate(starts)],
                    free | {machine: begin + time},
                    [begin + time if k == n else r for k, r in enumerate(ready)],
                )

    extend([[] for _ in jobs], {}, [0] * len(jobs))
    return "\n".join(", ".join(map(str, row)) for row in best)


def water_jugs(text: str) -> str:
    rows = re.findall(r"^(\w): (\d+) \w+, (full|empty) at the start$", text, re.MULTILINE)
    sizes = {name: int(size) for name, size, _ in rows}
    amount, jug = first(r"exactly (\d+) .*?(?:flask|barrel) (\w)", text)
    start = tuple(int(size) * (state == "full") for _, size, state in rows)
    queue: list[tuple[tuple[int, ...], tuple[str, ...]]] = [(start, ())]
    seen = {start}
    for levels, plan in queue:
        state = dict(zip(sizes, levels))
        if state[jug] == int(amount):
            (limit,) = first(r"at most (\d+) steps", text)
            assert len(plan) <= int(limit)
            return "\n".join(plan)
        for step, change in steps(state, sizes):
            new = tuple((state | change).values())
            if new not in seen:
                seen.add(new)
                queue.append((new, (*plan, step)))
    raise AssertionError("there is no plan")


def steps(state: dict[str, int], sizes: dict[str, int]) -> Iterator[tuple[str, dict[str, int]]]:
    for a, held in state.items():
        yield f"fill {a}", {a: sizes[a]}
        yield f"empty {a}", {a: 0}
        for b in set(state) - {a}:
            poured = min(held, sizes[b] - state[b])
            yield f"pour {a} into {b}", {a: held - poured, b: state[b] + poured}


def longest_common_subsequence(text: str) -> str:
    one, other = first(r"\n\n([a-z]+)\n([a-z]+)\n\n", text)
    best = {(0, n): "" for n in range(len(other) + 1)} | {(n, 0): "" for n in range(len(one) + 1)}
    for n, a in enumerate(one, 1):
        for k, b in enumerate(other, 1):
            both = best[n - 1, k - 1] + a if a == b else ""
            best[n, k] = max(both, best[n - 1, k], best[n, k - 1], key=len)
    return best[len(one), len(other)]


def n_queens(text: str) -> str:
    board = [line.split() for line in re.findall(r"^[Q.](?: [Q.])+$", text, re.MULTILINE)]
    columns = list[int]()

    def extend() -> bool:
        row = len(columns)
        if row == len(board):
            return True
        for column in range(len(board)):
            fixed = "Q" not in board[row] or board[row][column] == "Q"
            apart = all(c != column and abs(c - column) != row - r for r, c in enumerate(columns))
            if fixed and apart:
                columns.append(column)
                if extend():
                    return True
                columns.pop()
        return False

    assert extend()
    return ", ".join(str(column + 1) for column in columns)


SOLVERS: dict[str, tuple[Solver, int]] = {
    "algebra/linear_system": (linear_system, 6),
    "algebra/simultaneous_congruences": (simultaneous_congruences, 4),
    "arithmetic/long_multiplication": (long_multiplication, 6),
    "graphs/bipartite_matching": (bipartite_matching, 6),
    "graphs/critical_path": (critical_path, 6),
    "graphs/dominating_set": (dominating_set, 2),
    "graphs/edge_colouring": (edge_colouring, 1),
    "graphs/eulerian_path": (eulerian_path, 6),
    "graphs/graph_coloring": (graph_coloring, 2),
    "graphs/interval_independent_set": (interval_independent_set, 6),
    "graphs/maximum_clique": (maximum_clique, 2),
    "graphs/maximum_flow": (maximum_flow, 6),
    "graphs/minimum_cut": (minimum_cut, 2),
    "graphs/minimum_spanning_tree": (minimum_spanning_tree, 6),
    "graphs/minimum_vertex_cover": (minimum_vertex_cover, 1),
    "graphs/shortest_path": (shortest_path, 6),
    "graphs/steiner_tree": (steiner_tree, 3),
    "graphs/topological_order": (topological_order, 6),
    "graphs/travelling_salesman": (travelling_salesman, 2),
    "grids/n_queens": (n_queens, 4),
    "numbers/greatest_common_divisor": (greatest_common_divisor, 6),
    "optimisation/job_shop": (job_shop, 0),
    "optimisation/knapsack": (knapsack, 3),
    "planning/water_jugs": (water_jugs, 5),
    "strings/longest_common_subsequence": (longest_common_subsequence, 4),
}
"""A solver of the stories of each environment, and the highest level at which it is fast."""


def test_all_stories_have_a_solver() -> None:
    assert set(SOLVERS) == set(stories.names())


@pytest.mark.parametrize("name", SOLVERS)
def test_the_text_is_enough_to_solve_it(name: str) -> None:
    solver, highest = SOLVERS[name]
    levels = min(highest, load(name).Knobs.levels() - 1)
    for level in {0, levels // 2, levels}:
        for seed in range(2):
            task = Address.of(name, seed, level).task()
            assert isinstance(task, Puzzle)
            for number in range(stories.count(load(name))):
                text = stories.prompt(task, number)
                answer = solver(text)
                assert task.verify(answer).value == 1, (text, answer)


def test_common_multiples_are_asked_for_in_stories_of_their_own() -> None:
    for numbers_ in ((4, 6), (10, 15, 35), (12, 18, 8, 5)):
        task = GreatestCommonDivisor(numbers=numbers_, what="multiple")
        for number in (0, 1):
            answer = greatest_common_divisor(stories.prompt(task, number))
            assert task.verify(answer).value == 1
            assert int(answer) < prod(numbers_)
