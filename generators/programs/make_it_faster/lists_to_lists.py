"""Parts that give a list as long as the one they are given."""

from palaestra.generators.programs.make_it_faster.parts import PLAIN, Part

LISTS_TO_LISTS: dict[str, Part] = {
    "totals": Part(
        "list", 1, ((100, 9_999), (2, 99)),
        ({"term": "x * $b"}, {"term": "abs(x - $b)"}, {"term": "x % $b"}, {"term": "x // $b"}),
        """
        ys = []
        for i in range(len(xs)):
            total = 0
            for x in xs[:i + 1]:
                total += $term
            ys.append(total % $a)
        return ys
        """,
        """
        ys, total = [], 0
        for x in xs:
            total += $term
            ys.append(total % $a)
        return ys
        """,
        maps=True,
    ),
    "records": Part(
        "list", 1, ((3, 99), (50, 9_999)),
        ({"key": "x * $a % $b"}, {"key": "(x + $b) // $a"}, {"key": "x * x % $b + $a"}),
        """
        ys = []
        for i in range(len(xs)):
            best = 0
            for x in xs[:i + 1]:
                if $key > best:
                    best = $key
            ys.append(best + xs[i] % $a)
        return ys
        """,
        """
        ys, best = [], 0
        for x in xs:
            best = max(best, $key)
            ys.append(best + x % $a)
        return ys
        """,
        maps=True,
    ),
    "repeats": Part(
        "list", 1, ((11, 400), (0, 10)),
        (
            {"test": "y % $a == x % $a", "wanted": "x % $a", "key": "x % $a"},
            {"test": "(x + y) % $a == $b", "wanted": "($b - x) % $a", "key": "x % $a"},
            {"test": "y // $a == x // $a", "wanted": "x // $a", "key": "x // $a"},
        ),
        """
        ys = []
        for i, x in enumerate(xs):
            count = 0
            for y in xs[:i]:
                if $test:
                    count += 1
            ys.append(count * $a + x % ($b + 2))
        return ys
        """,
        """
        ys, seen = [], {}
        for x in xs:
            ys.append(seen.get($wanted, 0) * $a + x % ($b + 2))
            seen[$key] = seen.get($key, 0) + 1
        return ys
        """,
        maps=True,
    ),
    "gaps": Part(
        "list", 1, ((11, 400), (0, 99)),
        (
            {"of_x": "x % $a", "of_i": "xs[i] % $a", "of_j": "xs[j] % $a"},
            {"of_x": "x // $a", "of_i": "xs[i] // $a", "of_j": "xs[j] // $a"},
            {"of_x": "x * x % $a", "of_i": "xs[i] * xs[i] % $a", "of_j": "xs[j] * xs[j] % $a"},
        ),
        """
        ys = []
        for i in range(len(xs)):
            gap = $b
            for j in range(i):
                if $of_j == $of_i:
                    gap = i - j
            ys.append(gap)
        return ys
        """,
        """
        ys, last = [], {}
        for i, x in enumerate(xs):
            key = $of_x
            ys.append(i - last[key] if key in last else $b)
            last[key] = i
        return ys
        """,
        maps=True,
    ),
    "window": Part(
        "list", 2, ((40, 70), (100, 9_999)),
        ({"term": "x"}, {"term": "x * x"}, {"term": "x * $a % $b"}, {"term": "abs(x - $b)"}),
        """
        width = len(xs) * $a // 100 + 1
        ys = []
        for i in range(len(xs)):
            total = 0
            for j in range(max(0, i + 1 - width), i + 1):
                x = xs[j]
                total += $term
            ys.append(total % $b)
        return ys
        """,
        """
        width = len(xs) * $a // 100 + 1
        terms = [$term for x in xs]
        ys, total = [], 0
        for i, term in enumerate(terms):
            total += term
            if i >= width:
                total -= terms[i - width]
            ys.append(total % $b)
        return ys
        """,
        maps=True,
    ),
    "outlook": Part(
        "list", 2, ((40, 70), (2, 99), (100, 9_999)),
        ({"sign": ">", "back": "<="}, {"sign": "<", "back": ">="}),
        """
        width = len(xs) * $a // 100 + 1
        ys = []
        for i in range(len(xs)):
            best = xs[i] * $b % $c
            for j in range(max(0, i + 1 - width), i):
                if xs[j] * $b % $c $sign best:
                    best = xs[j] * $b % $c
            ys.append(best + xs[i])
        return ys
        """,
        """
        width = len(xs) * $a // 100 + 1
        ys, waiting = [], deque()
        for i, x in enumerate(xs):
            height = x * $b % $c
            while waiting and waiting[-1][1] $back height:
                waiting.pop()
            waiting.append((i, height))
            if waiting[0][0] <= i - width:
                waiting.popleft()
            ys.append(waiting[0][1] + x)
        return ys
        """,
        maps=True,
        needs="from collections import deque",
    ),
    "beyond": Part(
        "list", 2, ((2, 99), (0, 9_999)),
        ({"sign": ">"}, {"sign": "<"}, {"sign": ">="}, {"sign": "<="}),
        """
        ys = []
        for i in range(len(xs)):
            found = $b
            for j in range(len(xs) - 1, i, -1):
                if xs[j] $sign xs[i]:
                    found = xs[j]
            ys.append(found * $a - xs[i])
        return ys
        """,
        """
        found, waiting = [$b] * len(xs), []
        for i, y in enumerate(xs):
            while waiting and y $sign xs[waiting[-1]]:
                found[waiting.pop()] = y
            waiting.append(i)
        return [y * $a - x for x, y in zip(xs, found)]
        """,
        maps=True,
    ),
    "layers": Part(
        "list", 2, ((2, 99), (2, 99), (3, 999)),
        ({"amount": "x % $c"}, {"amount": "$c - x % $b"}, {"amount": "i * x % $c"}),
        """
        n = len(xs)
        ys = [0] * n
        for i, x in enumerate(xs):
            left = (x * $a + i) % n
            right = (i * $b + x) % n
            for j in range(min(left, right), max(left, right) + 1):
                ys[j] += $amount
        return ys
        """,
        """
        n = len(xs)
        change = [0] * (n + 1)
        for i, x in enumerate(xs):
            left = (x * $a + i) % n
            right = (i * $b + x) % n
            change[min(left, right)] += $amount
            change[max(left, right) + 1] -= $amount
        return list(accumulate(change[:n]))
        """,
        maps=True,
        needs="from itertools import accumulate",
    ),
    "ranks": Part(
        "list", 2, ((0, 999), (2, 99)),
        (
            {"test": "y < x - $a", "count": "bisect_left(ordered, x - $a)"},
            {"test": "y <= x - $a", "count": "bisect_right(ordered, x - $a)"},
            {"test": "y > x + $a", "count": "len(xs) - bisect_right(ordered, x + $a)"},
            {"test": "y >= x + $a", "count": "len(xs) - bisect_left(ordered, x + $a)"},
        ),
        """
        ys = []
        for x in xs:
            count = 0
            for y in xs:
                if $test:
                    count += 1
            ys.append(count * $b + x)
        return ys
        """,
        """
        ordered = sorted(xs)
        return [($count) * $b + x for x in xs]
        """,
        maps=True,
        needs="from bisect import bisect_left, bisect_right",
    ),
    "overtaken": Part(
        "list", 3, ((0, 99), (2, 99)),
        (
            {"test": "y < x - $a", "signed": "x"},
            {"test": "y > x + $a", "signed": "-x"},
        ),
        """
        ys = []
        for i, x in enumerate(xs):
            count = 0
            for y in xs[:i]:
                if $test:
                    count += 1
            ys.append(count * $b + x % $b)
        return ys
        """,
        """
        values = sorted({$signed for x in xs})
        tree = [0] * (len(values) + 1)
        ys = []
        for x in xs:
            count, place = 0, bisect_left(values, $signed - $a)
            while place > 0:
                count += tree[place]
                place -= place & -place
            ys.append(count * $b + x % $b)
            place = bisect_left(values, $signed) + 1
            while place <= len(values):
                tree[place] += 1
                place += place & -place
        return ys
        """,
        maps=True,
        needs="from bisect import bisect_left",
    ),
    "islands": Part(
        "list", 3, ((2, 99), (0, 99), (2, 4)),
        ({"test": "x % $c == 0"}, {"test": "(x + $c) % 3 != 1"}),
        """
        n = len(xs)
        group = list(range(n))
        for i, x in enumerate(xs):
            one, other = group[i], group[(x * $a + $b) % n]
            if $test:
                other = one
            for j in range(n):
                if group[j] == one:
                    group[j] = other
        size = [0] * n
        for g in group:
            size[g] += 1
        return [size[g] for g in group]
        """,
        """
        n = len(xs)
        parent = list(range(n))

        def root(i):
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            return i

        for i, x in enumerate(xs):
            if not ($test):
                parent[root(i)] = root((x * $a + $b) % n)
        roots = [root(i) for i in range(n)]
        size = [0] * n
        for g in roots:
            size[g] += 1
        return [size[g] for g in roots]
        """,
        maps=True,
    ),
    "jumps": Part(
        "list", 3, ((0, 99), (0, 99)),
        ({"to": "i + xs[i] + $a"}, {"to": "i * $a + xs[i]"}, {"to": "xs[i] - i + $a"}),
        """
        n = len(xs)
        ys = []
        for start in range(n):
            i = start
            for _ in range(n + $b):
                i = ($to) % n
            ys.append(xs[i] + start)
        return ys
        """,
        """
        n = len(xs)
        jump = [($to) % n for i in range(n)]
        place, left = list(range(n)), n + $b
        while left:
            if left % 2:
                place = [jump[i] for i in place]
            jump = [jump[i] for i in jump]
            left //= 2
        return [xs[i] + start for start, i in enumerate(place)]
        """,
        maps=True,
    ),
    "medians": Part(
        "list", 3, ((2, 99), (2, 9_999)),
        PLAIN,
        """
        ys = []
        for i in range(len(xs)):
            ordered = sorted(xs[:i + 1])
            ys.append(ordered[i // 2] * $a + xs[i] % $b)
        return ys
        """,
        """
        low, high, ys = [], [], []
        for x in xs:
            heappush(high, -heappushpop(low, -x))
            if len(high) > len(low):
                heappush(low, -heappop(high))
            ys.append(-low[0] * $a + x % $b)
        return ys
        """,
        maps=True,
        needs="from heapq import heappop, heappush, heappushpop",
    ),
}  # fmt: skip
