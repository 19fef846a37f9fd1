"""Small problems for programs that read an input and print an answer, in everyday settings.

A family of problems has a setting in two versions, a solution, and a generator of inputs. All
contain random numbers a, b, c, so that tasks of one family require different programs. Each solution
is fast enough for long inputs, on which the naive solution is not; the reference program contains
the same function that runs here.
"""

# ruff: noqa: E501  (stories are not broken)

import bisect
import heapq
import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

from palaestra.syntax import source_of

MODULES = {"bisect": bisect, "heapq": heapq, "math": math, "re": re}
"""The modules that solutions import."""

Numbers = tuple[int, int, int]
Case = tuple[str, str]
"""An input and the expected output."""


class Family(NamedTuple):
    """A family of problems. Texts have its numbers a, b, c in braces, or ab for a * b and so on."""

    tier: int
    ranges: tuple[tuple[int, int], ...]
    """The range of each of its numbers."""
    texts: tuple[str, str]
    """The story, without its question."""
    specification: str
    """The format of the input, and what to print."""
    solve: Callable[[list[str], int, int, int], str]
    """What is to be printed, from the words of the input and the numbers."""
    instance: Callable[[Random, int, Numbers], str]
    """An input of about a size."""


# -------------------------------------------------------------------------------------- solutions


def stretches(data: list[str], a: int, b: int, c: int) -> str:
    """A window that slides over the days."""
    values = [x if x % c else 0 for x in map(int, data[1:])]
    window = sum(values[:a])
    sums = [window] if len(values) >= a else []
    for old, new in zip(values, values[a:]):
        window += new - old
        sums.append(window)
    return f"{sum(total >= a * b for total in sums)} {max(sums, default=0)}"


def sections(data: list[str], a: int, b: int, c: int) -> str:
    """Prefix sums."""
    n = int(data[0])
    before = [0]
    for x in map(int, data[2 : 2 + n]):
        before.append(before[-1] + (b <= x <= b + c and x % a != 0))
    ends = list(map(int, data[2 + n :]))
    pairs = zip(ends[::2], ends[1::2])
    return "\n".join(str(before[last] - before[first - 1]) for first, last in pairs)


def matches(data: list[str], a: int, b: int, c: int) -> str:
    """How many of each remainder have been seen."""
    seen, pairs = [0] * a, 0
    for x in map(int, data[1:]):
        if x >= c:
            pairs += seen[(b - x) % a]
            seen[x % a] += 1
    return str(pairs)


def groups(data: list[str], a: int, b: int, c: int) -> str:
    """Sets that are joined, with paths halved on the way to a root."""
    n = int(data[0])
    parent = list(range(n + 1))

    def root(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    ends = list(map(int, data[2:]))
    for x, y in zip(ends[::2], ends[1::2]):
        if (x + y) % c:
            parent[root(x)] = root(y)
    sizes = [0] * (n + 1)
    for x in range(1, n + 1):
        sizes[root(x)] += 1
    every = [size for size in sizes if size]
    large = sum(size >= a for size in every)
    return f"{large} {sum(size % (b + 1) == 0 for size in every)} {max(every)}"


def tank(data: list[str], a: int, b: int, c: int) -> str:
    """Day by day."""
    level, dry, lost = b, 0, 0
    for rain in map(int, data[1:]):
        lost += max(0, level + rain - a)
        level = min(a, level + rain)
        dry += level < c
        level = max(0, level - c)
    return f"{dry} {lost} {level}"


def lighthouse(data: list[str], a: int, b: int, c: int) -> str:
    """Squares of distances, which are whole numbers."""
    places = list(map(int, data[1:]))
    far = []
    lit = north = 0
    for x, y in zip(places[::2], places[1::2]):
        square = (x - a) ** 2 + (y - b) ** 2
        if square > c * c:
            far.append(square)
        else:
            lit += 1
            north += y > b
    return f"{lit} {north} {min(far, default=-1)}"


def crowd(data: list[str], a: int, b: int, c: int) -> str:
    """Beginnings and ends in the order of time."""
    ends = list(map(int, data[1:]))
    spans = [(s, e) for s, e in zip(ends[::2], ends[1::2]) if e > c]
    events = sorted([(s, 1) for s, e in spans] + [(e, -1) for s, e in spans])
    now = last = many = best = exact = 0
    for time, change in events:
        many += (time - last) * (now >= a)
        exact += (time - last) * (now == b)
        now, last = now + change, time
        best = max(best, now)
    return f"{many} {best} {exact}"


def playlist(data: list[str], a: int, b: int, c: int) -> str:
    """Two pointers."""
    values = [x for x in map(int, data[1:]) if x % c]
    count: dict[int, int] = {}
    start, best, where = 0, 0, 1
    for n, x in enumerate(values):
        count[x] = count.get(x, 0) + 1
        while count[x] > b or len(count) > a:
            old = values[start]
            count[old] -= 1
            if not count[old]:
                del count[old]
            start += 1
        if n - start + 1 > best:
            best, where = n - start + 1, start + 1
    return f"{best} {where}"


def boxes(data: list[str], a: int, b: int, c: int) -> str:
    """A stack of what is still open."""
    stack, depths = [0], {0: 0}
    for sign in data[0]:
        if sign == "x":
            stack[-1] += c
            depths[len(stack) - 1] += 1
        elif sign in "([":
            stack.append(0)
            depths.setdefault(len(stack) - 1, 0)
        else:
            inner = stack.pop()
            stack[-1] += inner + a if sign == ")" else b * inner + 1
            stack[-1] %= 1000003
    return f"{stack[0] % 1000003} {max(depths)} {depths[max(depths)]}"


def rising(data: list[str], a: int, b: int, c: int) -> str:
    """The lowest end of a row of each length."""
    fit = [x for x in map(int, data[1:]) if x > b and x % c]
    tails: list[int] = []
    for x in fit:
        index = bisect.bisect_right(tails, x - a)
        tails[index : index + 1] = [min([x, *tails[index : index + 1]])]
    return f"{len(tails)} {len(fit)}"


def coins(data: list[str], a: int, b: int, c: int) -> str:
    """The fewest coins of each sum, from the smallest sum on."""
    prices = list(map(int, data[1:]))
    none = 10**9
    fewest = [0]
    for price in range(1, max(prices) + 1):
        before = [fewest[price - coin] for coin in (a, b, c) if coin <= price]
        fewest.append(min(before, default=none) + 1)
    paid = [fewest[price] for price in prices if fewest[price] < none]
    return f"{len(paid)} {sum(paid)} {max(paid, default=-1)}"


def shares(data: list[str], a: int, b: int, c: int) -> str:
    """Divisors come in pairs, of which one is not above the root."""
    ways = []
    for x in map(int, data[1:]):
        small = [k for k in range(1, math.isqrt(x) + 1) if x % k == 0]
        divisors = {*small, *(x // k for k in small)}
        ways.append(sum(a <= k <= x // c and k % b != 0 for k in divisors))
    return f"{sum(ways)} {ways.count(0)} {max(ways)}"


def fence(data: list[str], a: int, b: int, c: int) -> str:
    """The shoelace formula and the theorem of G. Pick (1899)."""
    numbers = list(map(int, data[1:]))
    corners = list(zip(numbers[::2], numbers[1::2]))
    twice = posts = 0
    for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1]):
        twice += x * v - u * y
        posts += math.gcd(u - x, v - y)
    twice = abs(twice)
    trees = (twice - posts) // 2 + 1
    return f"{posts} {trees} {a * posts + b * trees + c * twice}"


def overtaken(data: list[str], a: int, b: int, c: int) -> str:
    """The tree of P. Fenwick (1994), which counts what has come so far."""
    counts = [0] * 1002
    total = many = 0
    for x in reversed([x for x in map(int, data[1:]) if x % c]):
        i, below = x - a, 0
        while i > 0:
            below += counts[i]
            i -= i & -i
        total += below
        many += below >= b
        i = x + 1
        while i < 1002:
            counts[i] += 1
            i += i & -i
    return f"{total} {many}"


def tolls(data: list[str], a: int, b: int, c: int) -> str:
    """Breadth first, over places and how many dear roads were used."""
    n = int(data[0])
    near: list[list[tuple[int, bool]]] = [[] for _ in range(n + 1)]
    rest = list(map(int, data[2:]))
    for u, v, t in zip(rest[::3], rest[1::3], rest[2::3]):
        if (u + v) % c:
            near[u].append((v, t >= a))
            near[v].append((u, t >= a))
    hours = {(1, 0): 0}
    queue = [(1, 0)]
    for u, used in queue:
        for v, dear in near[u]:
            after = v, used + dear
            if after[1] <= b and after not in hours:
                hours[after] = hours[u, used] + 1
                queue.append(after)
    times = [hours[n, used] for used in range(b + 1) if (n, used) in hours]
    return f"{min(times, default=-1)} {len({u for u, _ in queue})}"


def machine(data: list[str], a: int, b: int, c: int) -> str:
    """A heap of those who wait."""
    rest = list(map(int, data[1:]))
    jobs = sorted((s, n, d) for n, (s, d) in enumerate(zip(rest[::2], rest[1::2])) if s % c)
    queue: list[tuple[int, int, int]] = []
    time = position = total = long = end = 0
    while queue or position < len(jobs):
        if not queue:
            time = max(time, jobs[position][0])
        while position < len(jobs) and jobs[position][0] <= time:
            s, n, d = jobs[position]
            heapq.heappush(queue, (d, s, n))
            position += 1
        d, s, n = heapq.heappop(queue)
        total += time - s
        long += time - s > b
        end = time + d
        time = end + a
    return f"{total} {long} {end}"


def swamp(data: list[str], a: int, b: int, c: int) -> str:
    """The algorithm of E. W. Dijkstra (1959)."""
    rows, columns, cells = int(data[0]), int(data[1]), data[2:]
    best = {(0, 0): 0}
    queue = [(0, 0, 0)]
    while queue:
        time, y, x = heapq.heappop(queue)
        if (y, x) == (rows - 1, columns - 1):
            return str(time)
        if time > best[y, x]:
            continue
        for v, u in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if 0 <= v < rows and 0 <= u < columns and cells[v][u] != "#":
                wet = a + b * (cells[y][x] == "~")
                after = time + (wet if cells[v][u] == "~" else c)
                if after < best.get((v, u), after + 1):
                    best[v, u] = after
                    heapq.heappush(queue, (after, v, u))
    return "-1"


def harvest(data: list[str], a: int, b: int, c: int) -> str:
    """The best of the first fields, however many they are, with as few as can be."""
    best = [(0, 0)]
    for n, x in enumerate(map(int, data[1:])):
        total, used = best[max(0, n - a)]
        chosen = total + x - b, used - 1
        best.append(best[-1] if (n + 1) % c == 0 else max(best[-1], chosen))
    return f"{best[-1][0]} {-best[-1][1]}"


def rope(data: list[str], a: int, b: int, c: int) -> str:
    """The monotone chains of A. M. Andrew (1979)."""

    def chain(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
        links: list[tuple[int, int]] = []
        for x, y in points:
            while len(links) > 1:
                (p, q), (r, s) = links[-2:]
                if (r - p) * (y - q) > (s - q) * (x - p):
                    break
                links.pop()
            links.append((x, y))
        return links[:-1]

    numbers = list(map(int, data[1:]))
    posts = sorted((a * x, b * y) for x, y in zip(numbers[::2], numbers[1::2]) if (x + y) % c)
    corners = chain(posts) + chain(posts[::-1])
    sides = list(zip(corners, corners[1:] + corners[:1]))
    twice = sum(x * v - u * y for (x, y), (u, v) in sides)
    if not twice:
        return "0 0 0"
    longest = max((u - x) ** 2 + (v - y) ** 2 for (x, y), (u, v) in sides)
    return f"{len(corners)} {twice} {longest}"


def formula(data: list[str], a: int, b: int, c: int) -> str:
    """A stack of what stands to the left, each with the sign behind it."""
    stack = [(0, "+")]
    for token in re.findall(r"\d+|\S", data[0]):
        if token in "+#":
            stack[-1] = stack[-1][0], token
        elif token == "(":
            stack.append((0, "+"))
        else:
            value = stack.pop()[0] if token == ")" else int(token)
            left, sign = stack.pop()
            joined = left + value if sign == "+" else a * left + b * value + c
            stack.append((joined % 1000003, "+"))
    return str(stack[0][0])


def clockwork(data: list[str], a: int, b: int, c: int) -> str:
    """One turn, two turns, four turns and so on, each from the one before."""
    numbers = list(map(int, data[1:]))
    times = []
    for start, steps in zip(numbers[::2], numbers[1::2]):
        x, left, factor, summand = start, steps, a, b
        while left:
            if left % 2:
                x = (factor * x + summand) % c
            factor, summand, left = factor * factor % c, (factor + 1) * summand % c, left // 2
        times.append(x)
    return "\n".join(map(str, times))


# ------------------------------------------------------------------------------------------ inputs


def as_rows(*rows: Sequence[object]) -> str:
    """Lines of what is separated by spaces."""
    return "\n".join(" ".join(map(str, row)) for row in rows) + "\n"


def _numbers(rng: Random, size: int, high: int) -> str:
    """So many numbers, often small ones that come again, where they are few."""
    top = 4 if size <= 12 and rng.random() < 0.4 else high
    return as_rows([size], [rng.randint(0, top) for _ in range(size)])


def _list(rng: Random, size: int, numbers: Numbers) -> str:
    return _numbers(rng, size, 60)


def _inflows(rng: Random, size: int, numbers: Numbers) -> str:
    c = numbers[2]
    return as_rows([size], [rng.choice((0, c, c + 1, rng.randint(0, 60))) for _ in range(size)])


def _days(rng: Random, size: int, numbers: Numbers) -> str:
    return _numbers(rng, size, 2 * numbers[1] + 5)


def _pieces(rng: Random, size: int, numbers: Numbers) -> str:
    return _numbers(rng, size, rng.choice((numbers[0], numbers[0] + 3, 60)))


def _tall(rng: Random, size: int, numbers: Numbers) -> str:
    return _numbers(rng, size, rng.choice((20, 40, 60) if size <= 30 else (60, 900)))


def _signed(rng: Random, size: int, numbers: Numbers) -> str:
    return as_rows([size], [rng.randint(-50, 50) for _ in range(size)])


def _counts(rng: Random, size: int, numbers: Numbers) -> str:
    high = 60 if size <= 30 else 30_000
    return as_rows([size], [rng.randint(1, high) for _ in range(size)])


def _queries(rng: Random, size: int, numbers: Numbers) -> str:
    values = [rng.randint(0, sum(numbers[1:]) + 5) for _ in range(size)]
    queries = [sorted((rng.randint(1, size), rng.randint(1, size))) for _ in range(size)]
    return as_rows([size, size], values, *queries)


def _around(rng: Random, size: int, numbers: Numbers) -> str:
    a, b, c = numbers
    return as_rows(
        [size],
        *((a + rng.randint(-c - 3, c + 3), b + rng.randint(-c - 3, c + 3)) for _ in range(size)),
    )


def _points(rng: Random, size: int, numbers: Numbers) -> str:
    high = rng.choice((4, 10)) if size <= 30 else 1_000
    return as_rows(
        [size], *((rng.randint(-high, high), rng.randint(-high, high)) for _ in range(size))
    )


def _polygon(rng: Random, size: int, numbers: Numbers) -> str:
    """Two chains from left to right, one above the axis and one below it."""
    size = max(3, size)
    width = 2 * size
    upper = [0, *sorted(rng.sample(range(1, width), (size + 1) // 2 - 2)), width]
    lower = [0, *sorted(rng.sample(range(1, width), max(0, size // 2 - 2))), width][: size // 2]
    corners = [(x, rng.randint(1, 9)) for x in upper]
    corners += [(x, -rng.randint(1, 9)) for x in reversed(lower)]
    start, way = rng.randrange(size), rng.choice((1, -1))
    return as_rows([size], *(corners[start:] + corners[:start])[::way])


def _spans(rng: Random, size: int, numbers: Numbers) -> str:
    starts = [rng.randint(0, 2 * size) for _ in range(size)]
    return as_rows([size], *((s, s + rng.randint(1, 24)) for s in starts))


def _graph(rng: Random, size: int, numbers: Numbers) -> str:
    size = min(size, 4_000)
    roads = [
        (rng.randint(max(1, n - 3), max(1, n - 1)), n, rng.randint(1, 9))
        for n in range(2, size + 1)
    ]
    roads += [
        (rng.randint(1, size), rng.randint(1, size), rng.randint(1, 9)) for _ in range(size // 4)
    ]
    rng.shuffle(roads)
    return as_rows([size, len(roads)], *roads)


def _pairs(rng: Random, size: int, numbers: Numbers) -> str:
    links = [(rng.randint(1, size), rng.randint(1, size)) for _ in range(size * 2 // 3)]
    return as_rows([size, len(links)], *links)


def _jobs(rng: Random, size: int, numbers: Numbers) -> str:
    return as_rows([size], *((rng.randint(0, 5 * size), rng.randint(1, 12)) for _ in range(size)))


def _turns(rng: Random, size: int, numbers: Numbers) -> str:
    tops = rng.choices((3, 10**3, 10**18), k=size)
    return as_rows([size], *((rng.randrange(numbers[2]), rng.randint(0, top)) for top in tops))


def _boxes(rng: Random, size: int, numbers: Numbers) -> str:
    text: list[str] = []
    due: list[str] = []
    for _ in range(max(2, size)):
        if due and rng.random() < 0.35:
            text.append(due.pop())
            continue
        text.append(rng.choice("([xx"))
        if text[-1] != "x":
            due.append(")" if text[-1] == "(" else "]")
    return "".join([*text, *reversed(due)]) + "\n"


def _formula(rng: Random, size: int, numbers: Numbers) -> str:
    text: list[str] = []
    depth = 0
    for index in range(size):
        opened = rng.choice((0, 0, 0, 1, 1, 2))
        closed = rng.randint(0, min(2, depth + opened)) if rng.random() < 0.6 else 0
        text += [rng.choice("+#")] * (index > 0) + ["("] * opened
        text += [str(rng.choice((rng.randint(0, 9), rng.randint(0, 999))))] + [")"] * closed
        depth += opened - closed
    return "".join([*text, ")" * depth]) + "\n"


def _maze(rng: Random, size: int, numbers: Numbers) -> str:
    width = max(2, round(size**0.5))
    walls = rng.choice((1, 1, 3))
    rows = ["".join(rng.choices(".~#", (5, 4, walls), k=width)) for _ in range(width)]
    rows[0], rows[-1] = "." + rows[0][1:], rows[-1][:-1] + "."
    return as_rows([width, width], *([row] for row in rows))


# ---------------------------------------------------------------------------------------- families


FAMILIES: dict[str, Family] = {
    "stretches": Family(
        1,
        ((2, 9), (3, 40), (5, 30)),
        (
            "A shop wrote down its takings day by day. Days are compared over stretches of {a} days in a row. On days whose takings are a multiple of {c} there was a mistake, and they count as 0. A stretch is good if its takings add up to at least {ab}.",
            "A gauge measured the rain of each day. Of every {a} days in a row it is asked whether they were wet, that is, whether their rain adds up to at least {ab}. Where the gauge shows a multiple of {c}, it is wrong, and 0 is taken instead.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000, one for each day. Print how many stretches of {a} consecutive days satisfy this (0 if n is less than {a}), and, after a space, the largest sum of such a stretch (0 if there is none).",
        stretches,
        _days,
    ),
    "sections": Family(
        1,
        ((2, 12), (1, 40), (5, 60)),
        (
            "Along a road there are n houses, and it is known how many letters each one gets. A house is busy if it gets from {b} to {bc} letters and their number is not a multiple of {a}.",
            "A shelf holds n books, and the number of pages of each is known. A book counts as odd if it has from {b} to {bc} pages and their number is not divisible by {a}.",
        ),
        "The first line holds n and q, the second line n whole numbers from 0 to 1000, and each of the following q lines two places l and r (1 <= l <= r <= n, the first place is 1). For each of the q lines print, on a line of its own, how many from place l to place r (both included) are of that kind.",
        sections,
        _queries,
    ),
    "matches": Family(
        1,
        ((3, 12), (0, 20), (1, 20)),
        (
            "Every guest of a party has a number. Two guests may dance with each other if the sum of their numbers leaves the same remainder on division by {a} as {b} does. Guests with a number below {c} do not dance.",
            "Every tile in a bag shows a number. Two tiles fit together if the sum of their numbers leaves the same remainder on division by {a} as {b} does. Tiles with a number below {c} fit with none.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print how many pairs of two different ones there are that go together; equal numbers at different places count as different, and each pair counts once.",
        matches,
        _list,
    ),
    "groups": Family(
        1,
        ((2, 8), (1, 6), (3, 30)),
        (
            "In a school with n pupils some pairs of pupils are friends, unless the sum of their numbers is a multiple of {c}: those have fallen out. Two pupils are in the same circle if one can be reached from the other from friend to friend; a pupil without friends is a circle alone.",
            "On a sea with n islands some pairs of islands are joined by bridges; those between islands whose numbers add up to a multiple of {c} have collapsed. Two islands are in the same group if one can be reached from the other over bridges; an island without bridges is a group alone.",
        ),
        "The first line holds n and m, and each of the following m lines two numbers from 1 to n, a pair that is joined (perhaps the same number twice, which joins nothing, and perhaps a pair that was there before). Print the number of groups with at least {a} members, then, after a space, the number of groups whose size is a multiple of {b1}, then the size of the largest group.",
        groups,
        _pairs,
    ),
    "tank": Family(
        1,
        ((15, 100), (1, 15), (5, 30)),
        (
            "A tank holds at most {a} litres, and {b} litres are in it at first. Every day, some litres of rain flow into it first, and what it cannot hold runs off. Then {c} litres are used; if it holds less than that, all of it is used, and the day is a dry one.",
            "A battery stores at most {a} units, and {b} units are in it at first. Every day, the sun charges it by some units first, and what it cannot store is lost. Then {c} units are used; if it holds less than that, all of it is used, and the day is a dark one.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000, what comes in on each of n days. Print the number of days on which there was too little, then, after a space, how much was lost in all, and then how much is left in the end.",
        tank,
        _inflows,
    ),
    "lighthouse": Family(
        1,
        ((-20, 20), (-20, 20), (5, 30)),
        (
            "A lighthouse stands at x = {a}, y = {b} on a map, and lights all ships at a distance of at most {c}, also those at just that distance.",
            "A sender stands at x = {a}, y = {b} on a map, and is heard in all huts at a distance of at most {c}, also in those at just that distance.",
        ),
        "The first line holds n, and each of the following n lines two whole numbers x and y from -1000 to 1000, a place on the map. Print how many of these places are reached, then, after a space, how many of those have a y greater than {b}, and then the square of the distance of the nearest place that is not reached (-1 if there is none).",
        lighthouse,
        _around,
    ),
    "crowd": Family(
        2,
        ((2, 8), (1, 12), (1, 40)),
        (
            "Visitors come to a museum. A visitor who comes at minute s and leaves at minute e is there during the minutes s, s + 1, ..., e - 1. Visits that end at minute {c} or before (e <= {c}) are left out. A guard is on duty in every minute in which at least {a} visitors are there.",
            "Machines run in a hall. A machine that is started at minute s and stopped at minute e runs during the minutes s, s + 1, ..., e - 1. Runs that end at minute {c} or before (e <= {c}) are left out. The fan is on in every minute in which at least {a} machines run.",
        ),
        "The first line holds n, and each of the following n lines s and e (0 <= s < e <= 10^9). Print in how many minutes there are at least {a} at once, then, after a space, the largest number at once, and then the number of minutes in which the number at once is exactly {b}.",
        crowd,
        _spans,
    ),
    "playlist": Family(
        2,
        ((2, 8), (1, 4), (3, 30)),
        (
            "A radio station played n pieces, each with a number. Those whose number is a multiple of {c} (0 is one) are jingles and are taken out of the list; the others are songs. A run of songs in a row is varied if no song stands in it more than {b} times and it has at most {a} different songs.",
            "On a string there are n beads, each of a colour with a number. Those whose number is a multiple of {c} (0 is one) fall off, and the others close the gaps. A piece of the string is pretty if no colour is on more than {b} of its beads and it has at most {a} different colours.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print the length of the longest piece of neighbouring ones of that kind, then, after a space, the place where the first such piece of that length begins, among those that are left (the first place is 1). If none is left, print 0 1.",
        playlist,
        _pieces,
    ),
    "boxes": Family(
        2,
        ((2, 15), (2, 15), (1, 60)),
        (
            "Boxes lie in boxes. A text describes them: x is a ball, (...) a paper box and [...] a tin box with what is in it. A ball weighs {c}. A paper box weighs {a} plus the weight of what is in it, a tin box {b} times the weight of what is in it, plus 1.",
            "A plant is described by a text: x is a leaf, (...) a twig and [...] a branch with what grows on it. A leaf is worth {c}. A twig is worth {a} plus what grows on it, a branch {b} times what grows on it, plus 1.",
        ),
        "The input is one line, a text of the characters x ( ) [ ] with matching brackets. Its worth is the sum over all that stands side by side at the top. Print it modulo 1000003, then, after a space, the largest depth of nested brackets, and then how many x stand at exactly that depth (a sign outside of all brackets is at depth 0).",
        boxes,
        _boxes,
    ),
    "rising": Family(
        2,
        ((1, 9), (0, 15), (3, 25)),
        (
            "Of n posts in a row, some shall be kept and the others removed, so that each post that is kept is at least {a} higher than the one kept before it. Only posts that are more than {b} high may be kept, and none whose height is a multiple of {c}.",
            "Of n runs, a runner shows some, in order, so that each run shown is at least {a} longer than the one shown before it. Only runs that are longer than {b} may be shown, and none whose length is a multiple of {c}.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print how many there can be at most, then, after a space, how many of the n are such that they may be among them at all, by their size alone.",
        rising,
        _tall,
    ),
    "coins": Family(
        2,
        ((2, 8), (9, 15), (16, 40)),
        (
            "In a country there are coins of {a}, {b} and {c} crowns and no others, but as many of each as one likes. A price can be paid if some coins add up to it exactly.",
            "A carpenter has boards of {a}, {b} and {c} hands and no others, but as many of each as he likes. A length can be made if some boards laid end to end are exactly as long.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print for how many of the n it can be done (for 0 it can, with nothing), then, after a space, the sum of the least numbers of pieces with which it can be done, over all of those, and then the largest of these least numbers (-1 if it can be done for none).",
        coins,
        _tall,
    ),
    "shares": Family(
        2,
        ((2, 9), (2, 9), (1, 9)),
        (
            "Boxes of sweets are given to groups of children. A box can be shared among k children if nobody gets more than another, nothing is left over, and each gets at least {c}. A group has at least {a} children, and the number of its children is not a multiple of {b}.",
            "Ropes of whole metres are cut up. A rope can be cut into k pieces if these are equally long, each a whole number of metres and at least {c}. At least {a} pieces are wanted, and the number of pieces must not be a multiple of {b}.",
        ),
        "The first line holds n, the second line n whole numbers from 1 to 100000. For each of them, count the numbers k for which it can be done. Print the sum of these n counts, then, after a space, how many of them are 0, and then the largest of them.",
        shares,
        _counts,
    ),
    "fence": Family(
        2,
        ((2, 15), (2, 15), (2, 15)),
        (
            "A field is bounded by a fence that goes straight from corner to corner, and from the last corner back to the first; it never meets itself. A post stands at every point of the fence, corners among them, at which both coordinates are whole numbers, and a tree at every such point inside. A post costs {a}, a tree {b}, and every half unit of area {c}.",
            "A pond is bounded by a wall that goes straight from corner to corner, and from the last corner back to the first; it never meets itself. A lamp stands at every point of the wall, corners among them, at which both coordinates are whole numbers, and a lily grows at every such point inside. A lamp costs {a}, a lily {b}, and every half unit of area {c}.",
        ),
        "The first line holds n (at least 3), and each of the following n lines two whole numbers x and y from -10^6 to 10^6, the corners in the order of the bounds. Print how many there are at the bounds, then, after a space, how many inside, and then what they and the area cost together.",
        fence,
        _polygon,
    ),
    "overtaken": Family(
        3,
        ((0, 12), (2, 9), (3, 60)),
        (
            "The pupils of a class stand in a line; those with a number that is a multiple of {c} (0 is one) are ill and not there. A pupil is annoyed by every pupil further on in the line whose number is smaller than his own by more than {a}.",
            "Parcels pass on a belt; those with a number that is a multiple of {c} (0 is one) are taken off first. A parcel is held up by every later parcel whose number is smaller than its own by more than {a}.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print how many pairs of an earlier and a later one there are of that kind, then, after a space, how many have at least {b} later ones of that kind.",
        overtaken,
        _list,
    ),
    "tolls": Family(
        3,
        ((3, 7), (1, 4), (5, 40)),
        (
            "Between n towns there are roads, each with a toll, usable both ways; those between towns whose numbers add up to a multiple of {c} are closed. Driving a road takes an hour. A traveller will drive roads with a toll of {a} or more at most {b} times (the same road again counts again) and others as often as he likes.",
            "Between n caves there are tunnels, each with a depth, usable both ways; those between caves whose numbers add up to a multiple of {c} are blocked. Passing a tunnel takes an hour. A diver can pass tunnels of depth {a} or more at most {b} times (the same tunnel again counts again) and others as often as she likes.",
        ),
        "The first line holds n and m, and each of the following m lines u, v and t: the two ends (from 1 to n, perhaps the same) and a number from 1 to 9. Print the least number of hours from 1 to n, or -1 if it cannot be done; then, after a space, how many of the n places can be reached from 1 at all under that rule (1 itself included).",
        tolls,
        _graph,
    ),
    "machine": Family(
        3,
        ((1, 9), (2, 20), (4, 60)),
        (
            "Jobs that arrive at a minute that is a multiple of {c} (0 is one) are turned away. One machine does the others, one at a time and each without a break. Whenever it is free and jobs are waiting, it takes the shortest of them; among equally short ones the one that came first, and of those the one that is listed first. After each job it rests for {a} minutes.",
            "Customers who arrive at a minute that is a multiple of {c} (0 is one) are turned away. One barber serves the others, one at a time and each without a break. Whenever he is free and customers are waiting, he takes the one who needs least time; among those the one who came first, and of those the one who is listed first. After each customer he sweeps for {a} minutes.",
        ),
        "The first line holds n, and each of the following n lines s and d: the minute of arrival (0 <= s <= 10^9) and how many minutes it takes (1 <= d <= 1000). The waiting time is the time from arrival to when it is begun; one that arrives in the minute in which work could begin is already waiting. What is turned away is among the n, and does not wait. Print the sum of all waiting times, then, after a space, how many wait more than {b} minutes, and then the minute at which the last one is finished (the rest or sweeping after it not included; 0 if there is none).",
        machine,
        _jobs,
    ),
    "swamp": Family(
        3,
        ((2, 15), (1, 12), (1, 40)),
        (
            "A map shows meadow (.), swamp (~) and rock (#). One goes from a cell to the next one up, down, left or right, never onto rock. Stepping onto meadow takes {c} minutes, stepping from meadow onto swamp {a} minutes, and stepping from swamp onto swamp {sum} minutes.",
            "A plan shows floor (.), stairs (~) and walls (#). A robot goes from a cell to the next one up, down, left or right, never into a wall. Moving onto floor takes {c} seconds, moving from floor onto stairs {a} seconds, and moving from stairs onto stairs {sum} seconds.",
        ),
        "The first line holds the number of rows and the number of columns, and then the rows follow, one on each line. Print the shortest time from the top left to the bottom right cell, or -1 if there is no way. Both of these are of kind '.'.",
        swamp,
        _maze,
    ),
    "harvest": Family(
        3,
        ((1, 5), (1, 20), (3, 15)),
        (
            "Fields lie in a row, and each would bring a gain (or, below zero, a loss). Between two fields that are harvested at least {a} fields must be left alone, and each harvested field costs {b}. Fields whose place (the first is 1) is a multiple of {c} are out of use.",
            "Concerts are held evening by evening, and each would bring a pleasure (or, below zero, the opposite). Between two concerts that one goes to at least {a} must be left out, and each one costs {b}. Evenings whose number (the first is 1) is a multiple of {c} are taken.",
        ),
        "The first line holds n, the second line n whole numbers from -1000 to 1000. Print the largest total that can be had, costs taken off (0 if it is best to do nothing), then, after a space, the least number of choices with which that total can be had.",
        harvest,
        _signed,
    ),
    "rope": Family(
        3,
        ((1, 9), (1, 9), (3, 30)),
        (
            "On a map, posts are marked. Those whose x and y add up to a multiple of {c} (0 is one) are rotten and of no use. A rope is laid tightly around the others. One unit of x on the map stands for {a} metres in the field, and one unit of y for {b} metres.",
            "On a chart, stars are marked. Those whose x and y add up to a multiple of {c} (0 is one) are too faint and do not count. The smallest convex figure is drawn that holds the others. One unit of x on the chart stands for {a} spans, and one unit of y for {b} spans.",
        ),
        "The first line holds n, and each of the following n lines two whole numbers x and y from -1000 to 1000; several may be at the same place. Print the number of corners, where the line around them changes its direction, then, after a space, twice the area inside, and then the square of the length of the longest side, from corner to corner, all in the units that those of the drawing stand for. If all that count lie on one straight line, or there are fewer than three of them, print 0 0 0.",
        rope,
        _points,
    ),
    "formula": Family(
        3,
        ((2, 9), (2, 9), (1, 60)),
        (
            "A calculator knows two operations: x + y as usual, and x # y, which is {a} times x plus {b} times y plus {c}. Both have the same rank and are done from left to right, except that what stands in brackets is worked out first.",
            "In a far land, x + y means what it means here, but people also write x # y for {a} times x plus {b} times y plus {c}. Neither sign binds more strongly than the other: it is worked out from left to right, except that what stands in brackets comes first.",
        ),
        "The input is one line without spaces: whole numbers from 0 to 999 with + or # between them, some parts of it in brackets ( and ), perhaps a single number. Print its value modulo 1000003.",
        formula,
        _formula,
    ),
    "clockwork": Family(
        3,
        ((2, 99), (1, 999), (1_000, 9_999)),
        (
            "A dial shows a number from 0 to {c1}. A turn of the crank changes it from x to the remainder of {a} * x + {b} on division by {c}.",
            "Stones in a circle are numbered from 0 to {c1}. A frog on stone x jumps to the stone whose number is the remainder of {a} * x + {b} on division by {c}.",
        ),
        "The first line holds q, and each of the following q lines x and k (0 <= x <= {c1}, 0 <= k <= 10^18). For each of these lines print, on a line of its own, the number that is reached from x in k such steps, one after another.",
        clockwork,
        _turns,
    ),
}


def random_story(rng: Random, tier: int) -> tuple[str, Numbers]:
    """A family of a tier, or of the one below, and its numbers."""
    name = rng.choice([name for name, f in FAMILIES.items() if tier - 1 <= f.tier <= tier])
    a, b, c = (rng.randint(low, high) for low, high in FAMILIES[name].ranges)
    return name, (a, b, c)


@cache
def solution(name: str, numbers: Numbers) -> str:
    """A program that solves a story."""
    source = source_of(FAMILIES[name].solve).rstrip()
    used = [module for module in MODULES if f"{module}." in source]
    head = "\n".join(f"import {module}" for module in sorted([*used, "sys"]))
    call = f"{name}(sys.stdin.read().split(), {', '.join(map(str, numbers))})"
    return f'{head}\n\n\n{source}\n\n\nif __name__ == "__main__":\n    print({call})'


def story(name: str, numbers: Numbers, way: int) -> str:
    """A story in English, with the format of its input and output."""
    family = FAMILIES[name]
    a, b, c = numbers
    values = {"a": a, "b": b, "c": c, "ab": a * b, "sum": a + b, "bc": b + c}
    values |= {"b1": b + 1, "c1": c - 1}
    return f"{family.texts[way % 2]}\n\n{family.specification}".format(**values)


SHORT = (1, 1, 2, 2, 3, 4, 6, 8, 10, 12, 16, 20, 25, 30, 30)
"""The sizes of short inputs, of which a few are chosen."""

CHOSEN = 5
"""So many of them are; a longer one and one of the full size come after them."""


@lru_cache(maxsize=64)
def short_cases(name: str, numbers: Numbers, seed: int) -> tuple[Case, ...]:
    """Short inputs with the expected outputs."""
    rng = Random(f"{seed}")
    return tuple(_case(rng, name, numbers, size) for size in SHORT)


@lru_cache(maxsize=8)
def telling_cases(name: str, numbers: Numbers, seed: int, size: int) -> tuple[Case, ...]:
    """The inputs that show most of what goes wrong with numbers that are one off, one for which
    there is no answer but -1, or else a smallest one, and two long ones.
    """
    rng = Random(f"long {seed}")
    short = short_cases(name, numbers, seed)
    odd = next((case for case in short if "-1" in case[1].split()), short[0])
    rest = [case for case in short if case != odd]
    long = (_case(rng, name, numbers, each) for each in (min(size, 100), size))
    return *telling(name, numbers, rest, CHOSEN - 1), odd, *long


def example(name: str, numbers: Numbers) -> Case:
    """An example input of moderate size."""
    rng = Random(repr(numbers))
    cases = [_case(rng, name, numbers, size) for size in (6, 7, 8, 8, 9, 10)]
    return telling(name, numbers, cases, 1)[0]


def _case(rng: Random, name: str, numbers: Numbers, size: int) -> Case:
    family = FAMILIES[name]
    text = family.instance(rng, size, numbers)
    return text, solved(name, numbers, text)


def solved(name: str, numbers: Numbers, text: str) -> str:
    """The expected output for an input."""
    return FAMILIES[name].solve(text.split(), *numbers)


def telling(name: str, numbers: Numbers, cases: Sequence[Case], number: int) -> list[Case]:
    """So many cases by which a solution is told from those with numbers that are one off, each
    time the one that tells it from the most of those that are left.
    """
    solve = FAMILIES[name].solve
    wrong = list(_one_off(numbers))
    shown = [
        {n for n, other in enumerate(wrong) if solve(text.split(), *other) != wanted}
        for text, wanted in cases
    ]
    left, known = set(range(len(wrong))), {""}
    chosen: list[Case] = []
    for _ in range(number):
        rest = [index for index in range(len(cases)) if cases[index] not in chosen]
        best = max(
            rest, key=lambda n: (len(shown[n] & left), cases[n][1] not in known, len(cases[n][1]))
        )
        chosen.append(cases[best])
        left -= shown[best]
        known.add(cases[best][1])
    return chosen


def _one_off(numbers: Numbers) -> Iterator[Numbers]:
    """The numbers with one of them changed by 1; none becomes 0."""
    a, b, c = numbers
    for change in (-1, 1):
        for other in ((a + change, b, c), (a, b + change, c), (a, b, c + change)):
            if other.count(0) <= numbers.count(0):
                yield other
