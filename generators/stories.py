"""Small problems for programs that read an input and print an answer, told as everyday stories.

A family of problems has a setting in two versions, a solution in Python, and a maker of inputs.
All have numbers in them that are drawn with the story, so that the same family asks for different
programs. Each solution is fast enough for long inputs, where the obvious one is not.
"""

# ruff: noqa: E501  (stories are not broken)

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

Numbers = tuple[int, ...]


class Family(NamedTuple):
    """A family of problems. Texts have its numbers a, b, c in braces, or ab for a * b and so on."""

    tier: int
    ranges: tuple[tuple[int, int], ...]
    """From where to where each of its numbers is drawn."""
    told: tuple[str, str]
    """The story, up to what is asked."""
    given: str
    """The input, and what is to be printed."""
    body: str
    """The function ``solve`` of the list of all words of the input."""
    instance: Callable[[Random, int, Numbers], str]
    """An input of about a size."""


def _rows(*rows: Sequence[object]) -> str:
    return "\n".join(" ".join(map(str, row)) for row in rows) + "\n"


def _list(rng: Random, size: int, numbers: Numbers, high: int = 60) -> str:
    top = 4 if size <= 12 and rng.random() < 0.4 else high
    return _rows([size], [rng.randint(0, top) for _ in range(size)])


def _signed(rng: Random, size: int, numbers: Numbers) -> str:
    return _rows([size], [rng.randint(-50, 50) for _ in range(size)])


def _queries(rng: Random, size: int, numbers: Numbers) -> str:
    values = [rng.randint(0, 60) for _ in range(size)]
    asked = [sorted((rng.randint(1, size), rng.randint(1, size))) for _ in range(size)]
    return _rows([size, size], values, *asked)


def _spans(rng: Random, size: int, numbers: Numbers) -> str:
    starts = [rng.randint(0, 3 * size) for _ in range(size)]
    return _rows([size], *((s, s + rng.randint(1, 4 + size // 3)) for s in starts))


def _graph(rng: Random, size: int, numbers: Numbers) -> str:
    size = min(size, 4_000)
    roads = [
        (rng.randint(max(1, n - 6), max(1, n - 1)), n, rng.randint(1, 9))
        for n in range(2, size + 1)
    ]
    roads += [
        (rng.randint(1, size), rng.randint(1, size), rng.randint(1, 9)) for _ in range(size // 2)
    ]
    rng.shuffle(roads)
    return _rows([size, len(roads)], *roads)


def _pairs(rng: Random, size: int, numbers: Numbers) -> str:
    links = [(rng.randint(1, size), rng.randint(1, size)) for _ in range(size * 2 // 3)]
    return _rows([size, len(links)], *links)


def _jobs(rng: Random, size: int, numbers: Numbers) -> str:
    return _rows([size], *((rng.randint(0, 5 * size), rng.randint(1, 12)) for _ in range(size)))


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


def _maze(rng: Random, size: int, numbers: Numbers) -> str:
    width = max(2, round(size**0.5))
    rows = ["".join(rng.choices(".~#", (6, 2, 2), k=width)) for _ in range(width)]
    rows[0], rows[-1] = "." + rows[0][1:], rows[-1][:-1] + "."
    return _rows([width, width], *([row] for row in rows))


FAMILIES: dict[str, Family] = {
    "stretches": Family(
        1,
        ((2, 9), (3, 40), (5, 30)),
        (
            "A shop wrote down its takings day by day. Days are compared over stretches of {a} days in a row. On days whose takings are a multiple of {c} there was a mistake, and they count as 0. A stretch is good if its takings add up to at least {ab}.",
            "A gauge measured the rain of each day. Of every {a} days in a row it is asked whether they were wet, that is, whether their rain adds up to at least {ab}. Where the gauge shows a multiple of {c}, it is wrong, and 0 is taken instead.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000, one for each day. Print how many stretches of {a} consecutive days satisfy this (0 if n is less than {a}), and, after a blank, the largest sum of such a stretch (0 if there is none).",
        """
        values = [x if x % {c} else 0 for x in map(int, data[1:])]
        window = sum(values[:{a}])
        sums = [window] if len(values) >= {a} else []
        for old, new in zip(values, values[{a}:]):
            window += new - old
            sums.append(window)
        return f"{{sum(s >= {a} * {b} for s in sums)}} {{max(sums, default=0)}}"
        """,
        _list,
    ),
    "sections": Family(
        1,
        ((2, 12), (1, 40), (5, 60)),
        (
            "Along a road there are n houses, and it is known how many letters each one gets. A house is busy if it gets from {b} to {bc} letters and their number is not a multiple of {a}.",
            "A shelf holds n books, and the number of pages of each is known. A book counts as odd if it has from {b} to {bc} pages and their number is not divisible by {a}.",
        ),
        "The first line holds n and q, the second line n whole numbers from 0 to 1000, and each of the following q lines two places l and r (1 <= l <= r <= n, the first place is 1). For each of the q lines print, on a line of its own, how many from place l to place r (both included) are of that kind.",
        """
        n, q = int(data[0]), int(data[1])
        before = [0]
        for x in map(int, data[2:2 + n]):
            before.append(before[-1] + ({b} <= x <= {b} + {c} and x % {a} != 0))
        ends = list(map(int, data[2 + n:]))
        return "\\n".join(str(before[r] - before[l - 1]) for l, r in zip(ends[::2], ends[1::2]))
        """,
        _queries,
    ),
    "matches": Family(
        1,
        ((3, 30), (0, 29), (1, 20)),
        (
            "Every guest of a party has a number. Two guests may dance with each other if the sum of their numbers leaves the same remainder on division by {a} as {b} does. Guests with a number below {c} do not dance.",
            "Every tile in a bag shows a number. Two tiles fit together if the sum of their numbers leaves the same remainder on division by {a} as {b} does. Tiles with a number below {c} fit with none.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print how many pairs of two different ones there are that go together; equal numbers at different places count as different, and each pair counts once.",
        """
        seen, pairs = [0] * {a}, 0
        for x in map(int, data[1:]):
            if x >= {c}:
                pairs += seen[({b} - x) % {a}]
                seen[x % {a}] += 1
        return str(pairs)
        """,
        _list,
    ),
    "groups": Family(
        1,
        ((2, 12), (1, 12), (3, 100)),
        (
            "In a school with n pupils some pairs of pupils are friends, unless the sum of their numbers is a multiple of {c}: those have fallen out. Two pupils are in the same circle if one can be reached from the other from friend to friend; a pupil without friends is a circle alone.",
            "On a sea with n islands some pairs of islands are joined by bridges; those between islands whose numbers add up to a multiple of {c} have collapsed. Two islands are in the same group if one can be reached from the other over bridges; an island without bridges is a group alone.",
        ),
        "The first line holds n and m, and each of the following m lines two numbers from 1 to n, a pair that is joined (perhaps the same number twice, which joins nothing, and perhaps a pair that was there before). Print the number of groups with at least {a} members, then, after a blank, the number of groups whose size is a multiple of {b1}, then the size of the largest group.",
        """
        n = int(data[0])
        parent = list(range(n + 1))

        def root(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        ends = list(map(int, data[2:]))
        for x, y in zip(ends[::2], ends[1::2]):
            if (x + y) % {c}:
                parent[root(x)] = root(y)
        sizes = {{}}
        for x in range(1, n + 1):
            sizes[root(x)] = sizes.get(root(x), 0) + 1
        every = list(sizes.values())
        large = sum(size >= {a} for size in every)
        return f"{{large}} {{sum(size % ({b} + 1) == 0 for size in every)}} {{max(every)}}"
        """,
        _pairs,
    ),
    "crowd": Family(
        2,
        ((2, 8), (1, 12), (1, 100)),
        (
            "Visitors come to a museum. A visitor who comes at minute s and leaves at minute e is there during the minutes s, s + 1, ..., e - 1. Visits that end at minute {c} or before (e <= {c}) are left out. A guard is on duty in every minute in which at least {a} visitors are there.",
            "Machines run in a hall. A machine that is started at minute s and stopped at minute e runs during the minutes s, s + 1, ..., e - 1. Runs that end at minute {c} or before (e <= {c}) are left out. The fan is on in every minute in which at least {a} machines run.",
        ),
        "The first line holds n, and each of the following n lines s and e (0 <= s < e <= 10^9). Print in how many minutes there are at least {a} at once, then, after a blank, the largest number at once, and then the number of minutes in which the number at once is exactly {b}.",
        """
        ends = list(map(int, data[1:]))
        spans = [(s, e) for s, e in zip(ends[::2], ends[1::2]) if e > {c}]
        events = sorted([(s, 1) for s, e in spans] + [(e, -1) for s, e in spans])
        now = last = many = best = exact = 0
        for time, change in events:
            many += (time - last) * (now >= {a})
            exact += (time - last) * (now == {b})
            now, last = now + change, time
            best = max(best, now)
        return f"{{many}} {{best}} {{exact}}"
        """,
        _spans,
    ),
    "playlist": Family(
        2,
        ((2, 20), (1, 6), (4, 60)),
        (
            "A radio station played n pieces, each with a number. Those whose number is a multiple of {c} are jingles and are taken out of the list; the others are songs. A run of songs in a row is varied if no song stands in it more than {b} times and it has at most {a} different songs.",
            "On a string there are n beads, each of a colour with a number. Those whose number is a multiple of {c} fall off, and the others close the gaps. A piece of the string is pretty if no colour is on more than {b} of its beads and it has at most {a} different colours.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print the length of the longest piece of neighbouring ones of that kind, then, after a blank, the place where the first such piece of that length begins, among those that are left (the first place is 1). If none is left, print 0 1.",
        """
        values = [x for x in map(int, data[1:]) if x % {c}]
        count, start, best, where = {{}}, 0, 0, 1
        for n, x in enumerate(values):
            count[x] = count.get(x, 0) + 1
            while count[x] > {b} or len(count) > {a}:
                old = values[start]
                count[old] -= 1
                if not count[old]:
                    del count[old]
                start += 1
            if n - start + 1 > best:
                best, where = n - start + 1, start + 1
        return f"{{best}} {{where}}"
        """,
        _list,
    ),
    "boxes": Family(
        2,
        ((2, 15), (2, 15), (1, 60)),
        (
            "Boxes lie in boxes. A text describes them: x is a ball, (...) a paper box and [...] a tin box with what is in it. A ball weighs {c}. A paper box weighs {a} plus the weight of what is in it, a tin box {b} times the weight of what is in it, plus 1.",
            "A plant is described by a text: x is a leaf, (...) a twig and [...] a branch with what grows on it. A leaf is worth {c}. A twig is worth {a} plus what grows on it, a branch {b} times what grows on it, plus 1.",
        ),
        "The input is one line, a text of the signs x ( ) [ ] with matching brackets. Its worth is the sum over all that stands side by side at the top. Print it modulo 1000003, then, after a blank, the largest depth of nested brackets, and then how many x stand at exactly that depth (a sign outside of all brackets is at depth 0).",
        """
        stack, depths = [0], {{0: 0}}
        for sign in data[0]:
            if sign == "x":
                stack[-1] += {c}
                depths[len(stack) - 1] += 1
            elif sign in "([":
                stack.append(0)
                depths.setdefault(len(stack) - 1, 0)
            else:
                inner = stack.pop()
                stack[-1] += inner + {a} if sign == ")" else {b} * inner + 1
                stack[-1] %= 1000003
        return f"{{stack[0] % 1000003}} {{max(depths)}} {{depths[max(depths)]}}"
        """,
        _boxes,
    ),
    "rising": Family(
        2,
        ((1, 15), (0, 15), (3, 100)),
        (
            "Of n posts in a row, some shall be kept and the others removed, so that each post that is kept is at least {a} higher than the one kept before it. Only posts that are more than {b} high may be kept, and none whose height is a multiple of {c}.",
            "Of n runs, a runner shows some, in order, so that each run shown is at least {a} longer than the one shown before it. Only runs that are longer than {b} may be shown, and none whose length is a multiple of {c}.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print how many can be kept at most.",
        """
        from bisect import bisect_right
        tails = []
        for n, x in enumerate(map(int, data[1:])):
            if x > {b} and x % {c}:
                place = bisect_right(tails, x - {a})
                tails[place:place + 1] = [min([x, *tails[place:place + 1]])]
        return str(len(tails))
        """,
        lambda rng, size, numbers: _list(rng, size, numbers, 900),
    ),
    "overtaken": Family(
        3,
        ((0, 12), (2, 9), (3, 60)),
        (
            "The pupils of a class stand in a line; those with a number that is a multiple of {c} are ill and not there. A pupil is annoyed by every pupil further on in the line whose number is smaller than his own by more than {a}.",
            "Parcels pass on a belt; those with a number that is a multiple of {c} are taken off first. A parcel is held up by every later parcel whose number is smaller than its own by more than {a}.",
        ),
        "The first line holds n, the second line n whole numbers from 0 to 1000. Print how many pairs of an earlier and a later one there are of that kind, then, after a blank, how many have at least {b} later ones of that kind.",
        """
        counts = [0] * 1002
        total = many = 0
        for x in reversed([x for x in map(int, data[1:]) if x % {c}]):
            i, below = x - {a}, 0
            while i > 0:
                below += counts[i]
                i -= i & -i
            total += below
            many += below >= {b}
            i = x + 1
            while i < 1002:
                counts[i] += 1
                i += i & -i
        return f"{{total}} {{many}}"
        """,
        _list,
    ),
    "tolls": Family(
        3,
        ((4, 9), (1, 9), (5, 100)),
        (
            "Between n towns there are roads, each with a toll, usable both ways; those between towns whose numbers add up to a multiple of {c} are closed. Driving a road takes an hour. A traveller will drive roads with a toll of {a} or more at most {b} times (the same road again counts again) and others as often as he likes.",
            "Between n caves there are tunnels, each with a depth, usable both ways; those between caves whose numbers add up to a multiple of {c} are blocked. Passing a tunnel takes an hour. A diver can pass tunnels of depth {a} or more at most {b} times (the same tunnel again counts again) and others as often as she likes.",
        ),
        "The first line holds n and m, and each of the following m lines u, v and t: the two ends (from 1 to n, perhaps the same) and a number from 1 to 9. Print the least number of hours from 1 to n, or -1 if it cannot be done; then, after a blank, how many of the n places can be reached from 1 at all under that rule (1 itself included).",
        """
        n = int(data[0])
        near = [[] for _ in range(n + 1)]
        rest = list(map(int, data[2:]))
        for u, v, t in zip(rest[::3], rest[1::3], rest[2::3]):
            if (u + v) % {c}:
                near[u].append((v, t >= {a}))
                near[v].append((u, t >= {a}))
        hours = {{(1, 0): 0}}
        queue = [(1, 0)]
        for u, used in queue:
            for v, dear in near[u]:
                after = v, used + dear
                if after[1] <= {b} and after not in hours:
                    hours[after] = hours[u, used] + 1
                    queue.append(after)
        times = [hours[n, used] for used in range({b} + 1) if (n, used) in hours]
        return f"{{min(times, default=-1)}} {{len({{u for u, _ in queue}})}}"
        """,
        _graph,
    ),
    "machine": Family(
        3,
        ((1, 9), (2, 20), (4, 60)),
        (
            "Jobs that arrive at a minute that is a multiple of {c} are turned away. One machine does the others, one at a time and each without a break. Whenever it is free and jobs are waiting, it takes the shortest of them; among equally short ones the one that came first, and of those the one that is listed first. After each job it rests for {a} minutes.",
            "Customers who arrive at a minute that is a multiple of {c} are turned away. One barber serves the others, one at a time and each without a break. Whenever he is free and customers are waiting, he takes the one who needs least time; among those the one who came first, and of those the one who is listed first. After each customer he sweeps for {a} minutes.",
        ),
        "The first line holds n, and each of the following n lines s and d: the minute of arrival (0 <= s <= 10^9) and how many minutes it takes (1 <= d <= 1000). The waiting time is the time from arrival to when it is begun; one that arrives in the minute in which work could begin is already waiting. There are n before any are turned away. Print the sum of all waiting times, then, after a blank, how many wait more than {b} minutes, and then the minute at which the last one is finished (the rest or sweeping after it not included; 0 if there is none).",
        """
        import heapq
        rest = list(map(int, data[1:]))
        jobs = sorted((s, n, d) for n, (s, d) in enumerate(zip(rest[::2], rest[1::2])) if s % {c})
        queue, time, place, total, long, end = [], 0, 0, 0, 0, 0
        while queue or place < len(jobs):
            if not queue:
                time = max(time, jobs[place][0])
            while place < len(jobs) and jobs[place][0] <= time:
                s, n, d = jobs[place]
                heapq.heappush(queue, (d, s, n))
                place += 1
            d, s, n = heapq.heappop(queue)
            total += time - s
            long += time - s > {b}
            end = time + d
            time = end + {a}
        return f"{{total}} {{long}} {{end}}"
        """,
        _jobs,
    ),
    "swamp": Family(
        3,
        ((2, 15), (1, 12), (1, 40)),
        (
            "A map shows meadow (.), swamp (~) and rock (#). One goes from a cell to the next one up, down, left or right, never onto rock. Stepping onto meadow takes {c} minutes, stepping onto swamp {a} minutes, and {b} minutes more if one comes from swamp.",
            "A plan shows floor (.), stairs (~) and walls (#). A robot goes from a cell to the next one up, down, left or right, never into a wall. Moving onto floor takes {c} seconds, moving onto stairs {a} seconds, and {b} seconds more if it comes from stairs.",
        ),
        "The first line holds the number of rows and the number of columns, and then the rows follow, one on each line. Print the shortest time from the top left to the bottom right cell, or -1 if there is no way. Both of these are of kind '.'.",
        """
        import heapq
        rows, columns = int(data[0]), int(data[1])
        cells = data[2:]
        best, queue = {{(0, 0): 0}}, [(0, 0, 0)]
        while queue:
            time, r, c = heapq.heappop(queue)
            if (r, c) == (rows - 1, columns - 1):
                return str(time)
            if time > best[r, c]:
                continue
            for y, x in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if 0 <= y < rows and 0 <= x < columns and cells[y][x] != "#":
                    cost = {c}
                    if cells[y][x] == "~":
                        cost = {a} + {b} * (cells[r][c] == "~")
                    if time + cost < best.get((y, x), 10**18):
                        best[y, x] = time + cost
                        heapq.heappush(queue, (time + cost, y, x))
        return "-1"
        """,
        _maze,
    ),
    "harvest": Family(
        3,
        ((1, 6), (1, 12), (3, 100)),
        (
            "Fields lie in a row, and each would bring a gain (or, below zero, a loss). Between two fields that are harvested at least {a} fields must be left alone, and each harvested field costs {b}. Fields whose place (the first is 1) is a multiple of {c} are out of use.",
            "Concerts are held evening by evening, and each would bring a pleasure (or, below zero, the opposite). Between two concerts that one goes to at least {a} must be left out, and each one costs {b}. Evenings whose number (the first is 1) is a multiple of {c} are taken.",
        ),
        "The first line holds n, the second line n whole numbers from -1000 to 1000. Print the largest total that can be had, costs taken off (0 if it is best to do nothing), then, after a blank, the least number of choices with which that total can be had.",
        """
        best = [(0, 0)]
        for n, x in enumerate(map(int, data[1:])):
            total, used = best[max(0, n - {a})]
            kept = best[-1]
            best.append(kept if (n + 1) % {c} == 0 else max(kept, (total + x - {b}, used - 1)))
        return f"{{best[-1][0]}} {{-best[-1][1]}}"
        """,
        _signed,
    ),
}


def drawn(rng: Random, tier: int) -> tuple[str, Numbers]:
    """A family of a tier, or of the one below, and its numbers."""
    name = rng.choice([name for name, f in FAMILIES.items() if tier - 1 <= f.tier <= tier])
    return name, tuple(rng.randint(low, high) for low, high in FAMILIES[name].ranges)


_HEAD = "import sys\n\n\ndef solve(data):\n"
_TAIL = '\n\n\nif __name__ == "__main__":\n    print(solve(sys.stdin.read().split()))'


@cache
def solution(name: str, numbers: Numbers) -> str:
    """A program that solves a story."""
    family = FAMILIES[name]
    values = dict(zip("abc", numbers))
    lines = family.body.format(**values).strip("\n").splitlines()
    body = "\n".join(line.removeprefix("    ") for line in lines).rstrip()
    return _HEAD + body + _TAIL


@lru_cache(maxsize=128)
def _solver(name: str, numbers: Numbers) -> Callable[[list[str]], str]:
    """The function ``solve`` of a solution; it is our own text, no player's."""
    names: dict[str, Any] = {"__name__": "story"}
    exec(solution(name, numbers), names)  # noqa: S102
    solve: Callable[[list[str]], str] = names["solve"]
    return solve


def story(name: str, numbers: Numbers, way: int) -> str:
    """A story in words, with its input and what is asked."""
    family = FAMILIES[name]
    a, b, c = numbers
    values = {"a": a, "b": b, "c": c, "ab": a * b, "bc": b + c, "b1": b + 1}
    return f"{family.told[way % 2]}\n\n{family.given}".format(**values)


@lru_cache(maxsize=8)
def tested(name: str, numbers: Numbers, seed: int, size: int) -> tuple[tuple[str, str], ...]:
    """Inputs, most of them short and two of the full size, with what is to be printed."""
    rng = Random(f"{seed}")
    sizes = (1, 2, 3, 5, 8, 12, 20, 30, min(size, 100), size, size)
    inputs = [FAMILIES[name].instance(rng, each, numbers) for each in sizes]
    return tuple((text, _solver(name, numbers)(text.split())) for text in inputs)
