"""Parts that give a number for a list."""

# ruff: noqa: E501  (texts of programs are not broken)

from palaestra.generators.programs.make_it_faster.parts import PLAIN, Part

LISTS_TO_NUMBERS: dict[str, Part] = {
    "matches": Part(
        "list", 1, ((11, 99), (0, 10)),
        (
            {"test": "(x + y) % $a == $b", "wanted": "($b - x) % $a", "key": "x % $a"},
            {"test": "(x - y) % $a == 0", "wanted": "x % $a", "key": "x % $a"},
            {"test": "x // $a == y // $a", "wanted": "x // $a", "key": "x // $a"},
            {"test": "(x - y - $b) % $a == 0", "wanted": "(x - $b) % $a", "key": "x % $a"},
        ),
        """
        count = 0
        for i, x in enumerate(xs):
            for y in xs[:i]:
                if $test:
                    count += 1
        return count
        """,
        """
        count, seen = 0, {}
        for x in xs:
            count += seen.get($wanted, 0)
            seen[$key] = seen.get($key, 0) + 1
        return count
        """,
    ),
    "gain": Part(
        "list", 1, ((2, 99), (2, 99)),
        (
            {"gain": "$a * x - $b * y", "key": "-$b * x", "here": "$a * x"},
            {"gain": "$a * y - $b * x", "key": "$a * x", "here": "-$b * x"},
            {"gain": "x * x % $a + y % $b", "key": "x % $b", "here": "x * x % $a"},
        ),
        """
        best = 0
        for i, x in enumerate(xs):
            for y in xs[:i]:
                if $gain > best:
                    best = $gain
        return best
        """,
        """
        best, before = 0, None
        for x in xs:
            if before is not None:
                best = max(best, $here + before)
            before = $key if before is None else max(before, $key)
        return best
        """,
    ),
    "differences": Part(
        "list", 2, ((2, 99), (100, 9_999)),
        (
            {"term": "abs(x - y)", "sum": "(2 * i - len(values) + 1) * x"},
            {"term": "max(x, y)", "sum": "i * x"},
            {"term": "min(x, y)", "sum": "(len(values) - 1 - i) * x"},
        ),
        """
        values = [x * $a % $b for x in xs]
        total = 0
        for i, x in enumerate(values):
            for y in values[:i]:
                total += $term
        return total
        """,
        """
        values = sorted(x * $a % $b for x in xs)
        return sum($sum for i, x in enumerate(values))
        """,
    ),
    "streak": Part(
        "list", 2, ((20, 999), (3, 499)),
        ({"worth": "x % $a - $b"}, {"worth": "$b - x * x % $a"}, {"worth": "x * $b % $a - $a // 2"}),
        """
        best = 0
        for i in range(len(xs)):
            total = 0
            for x in xs[i:]:
                total += $worth
                if total > best:
                    best = total
        return best
        """,
        """
        best = here = 0
        for x in xs:
            here = max(0, here + $worth)
            best = max(best, here)
        return best
        """,
    ),
    "even sums": Part(
        "list", 2, ((3, 99), (0, 2), (1, 99)),
        PLAIN,
        """
        count = 0
        for i in range(len(xs)):
            total = 0
            for x in xs[i:]:
                total += x * $c
                if total % $a == $b:
                    count += 1
        return count
        """,
        """
        count, total, seen = 0, 0, {0: 1}
        for x in xs:
            total += x * $c
            count += seen.get((total - $b) % $a, 0)
            seen[total % $a] = seen.get(total % $a, 0) + 1
        return count
        """,
    ),
    "few kinds": Part(
        "list", 2, ((1, 60), (61, 999)),
        ({"kind": "x % $b"}, {"kind": "x // $b"}),
        """
        longest = 0
        for i in range(len(xs)):
            kinds, length = set(), 0
            for x in xs[i:]:
                kinds.add($kind)
                length += 1
                if len(kinds) <= $a and length > longest:
                    longest = length
        return longest
        """,
        """
        longest, first, count = 0, 0, {}
        for i, x in enumerate(xs):
            count[$kind] = count.get($kind, 0) + 1
            while len(count) > $a:
                x = xs[first]
                count[$kind] -= 1
                if not count[$kind]:
                    del count[$kind]
                first += 1
            longest = max(longest, i - first + 1)
        return longest
        """,
    ),
    "light": Part(
        "list", 2, ((10, 999), (2, 99)),
        ({"weight": "x % $a", "most": "$a * $b"}, {"weight": "x % $a + $b", "most": "99 * $a"}),
        """
        count = 0
        for i in range(len(xs)):
            total = 0
            for x in xs[i:]:
                total += $weight
                if total <= $most:
                    count += 1
        return count
        """,
        """
        weights = [$weight for x in xs]
        count = total = first = 0
        for i, weight in enumerate(weights):
            total += weight
            while total > $most:
                total -= weights[first]
                first += 1
            count += i - first + 1
        return count
        """,
    ),
    "meetings": Part(
        "list", 2, ((2, 99), (100, 999)),
        (
            {"sign": "<=", "plus": "", "before": "bisect_left"},
            {"sign": "<", "plus": " + 1", "before": "bisect_right"},
        ),
        """
        count = 0
        for i, x in enumerate(xs):
            for y in xs[:i]:
                x_end = x + x * $a % $b$plus
                y_end = y + y * $a % $b$plus
                if x $sign y_end and y $sign x_end:
                    count += 1
        return count
        """,
        """
        ends = sorted(x + x * $a % $b$plus for x in xs)
        return len(xs) * (len(xs) - 1) // 2 - sum($before(ends, x) for x in xs)
        """,
        needs="from bisect import bisect_left, bisect_right",
    ),
    "nearest": Part(
        "list", 2, ((2, 99), (1_000, 99_999)),
        PLAIN,
        """
        best = 10 ** 9
        for i, x in enumerate(xs):
            for y in xs[:i]:
                if abs($a * (x + y) - $b) < best:
                    best = abs($a * (x + y) - $b)
        return best
        """,
        """
        ordered = sorted(xs)
        best, left, right = 10 ** 9, 0, len(xs) - 1
        while left < right:
            off = $a * (ordered[left] + ordered[right]) - $b
            best = min(best, abs(off))
            if off < 0:
                left += 1
            else:
                right -= 1
        return best
        """,
    ),
    "disorder": Part(
        "list", 3, ((0, 999), (2, 99)),
        ({"test": "y > x + $a", "signed": "-x"}, {"test": "y < x - $a", "signed": "x"}),
        """
        count = 0
        for i, x in enumerate(xs):
            for y in xs[:i]:
                if $test:
                    count += 1
        return count % (10 ** 9 + $b)
        """,
        """
        values = sorted({$signed for x in xs})
        tree = [0] * (len(values) + 1)
        count = 0
        for x in xs:
            place = bisect_left(values, $signed - $a)
            while place > 0:
                count += tree[place]
                place -= place & -place
            place = bisect_left(values, $signed) + 1
            while place <= len(values):
                tree[place] += 1
                place += place & -place
        return count % (10 ** 9 + $b)
        """,
        needs="from bisect import bisect_left",
    ),
    "ladder": Part(
        "list", 3, ((1, 99), (100, 9_999)),
        ({"height": "x"}, {"height": "-x"}, {"height": "x * $a % $b"}),
        """
        heights = [$height for x in xs]
        best = []
        for i, x in enumerate(heights):
            longest = 1
            for y, length in zip(heights[:i], best):
                if y + $a <= x and length >= longest:
                    longest = length + 1
            best.append(longest)
        return max(best)
        """,
        """
        tails = []
        for x in xs:
            x = $height
            place = bisect_right(tails, x - $a)
            if place == len(tails):
                tails.append(x)
            elif x < tails[place]:
                tails[place] = x
        return len(tails)
        """,
        needs="from bisect import bisect_right",
    ),
    "board": Part(
        "list", 3, ((10, 999), (1, 99)),
        ({"height": "x % $a + $b"}, {"height": "$a * $b - x % ($a * $b)"}),
        """
        heights = [$height for x in xs]
        best = 0
        for i in range(len(heights)):
            low = heights[i]
            width = 0
            for h in heights[i:]:
                width += 1
                if h < low:
                    low = h
                if low * width > best:
                    best = low * width
        return best
        """,
        """
        heights = [$height for x in xs]
        best, stack = 0, []
        for i, h in enumerate([*heights, 0]):
            start = i
            while stack and stack[-1][1] >= h:
                start, low = stack.pop()
                best = max(best, low * (i - start))
            stack.append((start, h))
        return best
        """,
    ),
    "summits": Part(
        "list", 3, ((2, 99), (100, 9_999)),
        ({"sign": ">", "back": "<="}, {"sign": "<", "back": ">="}),
        """
        heights = [x * $a % $b for x in xs]
        total = 0
        for i in range(len(heights)):
            top = heights[i]
            for h in heights[i:]:
                if h $sign top:
                    top = h
                total += top
        return total
        """,
        """
        total, here, stack = 0, 0, []
        for x in xs:
            h, width = x * $a % $b, 1
            while stack and stack[-1][0] $back h:
                top, covered = stack.pop()
                here -= top * covered
                width += covered
            stack.append((h, width))
            here += h * width
            total += here
        return total
        """,
    ),
    "signals": Part(
        "list", 3, ((3, 99), (0, 4_095)),
        (
            {"sign": "^", "pairs": "ones * (n - ones)"},
            {"sign": "&", "pairs": "ones * (ones - 1) // 2"},
            {"sign": "|", "pairs": "ones * (n - ones) + ones * (ones - 1) // 2"},
        ),
        """
        codes = [(x * $a + $b) % 4096 for x in xs]
        total = 0
        for i, x in enumerate(codes):
            for y in codes[:i]:
                total += x $sign y
        return total
        """,
        """
        codes = [(x * $a + $b) % 4096 for x in xs]
        n, total = len(codes), 0
        for bit in range(12):
            ones = sum(code >> bit & 1 for code in codes)
            total += ($pairs) << bit
        return total
        """,
    ),
}  # fmt: skip
