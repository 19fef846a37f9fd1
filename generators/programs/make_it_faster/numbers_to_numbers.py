"""Parts that give a number for a number: small, huge or in between."""

# ruff: noqa: E501  (texts of programs are not broken)

from palaestra.generators.programs.make_it_faster.parts import Part

NUMBERS_TO_NUMBERS: dict[str, Part] = {
    "tree": Part(
        "recursion", 1, ((2, 99), (2, 99), (1_000, 99_999)),
        ({"back": "2"}, {"back": "3"}),
        """
        if n < 3:
            return n + 1
        return ($a * $name(n - 1) + $b * $name(n - $back)) % $c
        """,
        """
        row = [1, 2, 3]
        for i in range(3, n + 1):
            row.append(($a * row[i - 1] + $b * row[i - $back]) % $c)
        return row[n]
        """,
    ),
    "paths": Part(
        "recursion", 2, ((2, 99), (2, 99), (1_000, 99_999)),
        ({"cell": "i * j % 7"}, {"cell": "(i + 2 * j) % 5"}, {"cell": "abs(i - j)"}),
        """
        def walk(i, j):
            if i == 0 or j == 0:
                return i * $a + j * $b + 1
            return (walk(i - 1, j) * $a + walk(i, j - 1) + $cell) % $c

        return walk(n, n)
        """,
        """
        row = [j * $b + 1 for j in range(n + 1)]
        for i in range(1, n + 1):
            row[0] = i * $a + 1
            for j in range(1, n + 1):
                row[j] = (row[j] * $a + row[j - 1] + $cell) % $c
        return row[n]
        """,
    ),
    "subsets": Part(
        "recursion", 2, ((2, 99), (5, 60), (0, 4)),
        ({"value": "i * $a"}, {"value": "i * i + $a"}, {"value": "$a * i * (i + 1) // 2"}),
        """
        def ways(i, rest):
            if i == 0:
                return 1 if rest == 0 else 0
            return ways(i - 1, rest) + ways(i - 1, (rest - ($value)) % $b)

        return ways(n, $c)
        """,
        """
        ways = [1] + [0] * ($b - 1)
        for i in range(1, n + 1):
            value = $value
            ways = [ways[rest] + ways[(rest - value) % $b] for rest in range($b)]
        return ways[$c]
        """,
    ),
    "splits": Part(
        "recursion", 2, ((2, 99), (2, 99), (20, 999)),
        ({"best": "min"}, {"best": "max"}),
        """
        if n == 0:
            return 0
        best = None
        for k in range(n):
            cost = (k * $a + n * $b) % $c + $name(k)
            best = cost if best is None else $best(best, cost)
        return best
        """,
        """
        costs = [0]
        for m in range(1, n + 1):
            costs.append($best((k * $a + m * $b) % $c + costs[k] for k in range(m)))
        return costs[n]
        """,
    ),
    "brackets": Part(
        "recursion", 3, ((2, 99), (2, 99), (1_000, 99_999)),
        ({"weight": "k * $a + $b"}, {"weight": "$a + $b * (m - k)"}, {"weight": "(m * $a + k) % $b"}),
        """
        def grow(m):
            total = 1
            for k in range(m):
                total += grow(k) * grow(m - 1 - k) * ($weight)
            return total % $c

        return grow(n)
        """,
        """
        grown = []
        for m in range(n + 1):
            total = 1
            for k in range(m):
                total += grown[k] * grown[m - 1 - k] * ($weight)
            grown.append(total % $c)
        return grown[n]
        """,
    ),
    "merging": Part(
        "recursion", 3, ((2, 99), (2, 99), (20, 999)),
        ({"best": "min"}, {"best": "max"}),
        """
        def cost(i, j):
            if i >= j:
                return 0
            one = cost(i + 1, j) + (i * $a + j) % $c
            other = cost(i, j - 1) + (j * $b + i) % $c
            return $best(one, other)

        return cost(0, n)
        """,
        """
        costs = [0] * (n + 1)
        for width in range(1, n + 1):
            for i in range(n - width + 1):
                j = i + width
                one = costs[i + 1] + (i * $a + j) % $c
                other = costs[i] + (j * $b + i) % $c
                costs[i] = $best(one, other)
        return costs[0]
        """,
    ),
    "multiples": Part(
        "loop", 1, ((2, 30), (31, 97), (2, 99)),
        ({"key": "k", "sum": "d * (n // d) * (n // d + 1) // 2"}, {"key": "1", "sum": "n // d"}),
        """
        total = 0
        for k in range(1, n + 1):
            if k % $a == 0 or k % $b == 0:
                total += $key * $c
        return total
        """,
        """
        def upto(d):
            return $sum

        return (upto($a) + upto($b) - upto(lcm($a, $b))) * $c
        """,
        needs="from math import lcm",
    ),
    "series": Part(
        "loop", 1, ((2, 99), (2, 99), (2, 99)),
        (
            {"term": "$a * k + $b", "sum": "$a * n * (n + 1) // 2 + $b * n"},
            {"term": "k * k - $a * k", "sum": "n * (n + 1) * (2 * n + 1) // 6 - $a * n * (n + 1) // 2"},
            {"term": "k * (k + $a) + $b",
             "sum": "n * (n + 1) * (2 * n + 1) // 6 + $a * n * (n + 1) // 2 + $b * n"},
        ),
        """
        total = $c
        for k in range(1, n + 1):
            total += $term
        return total
        """,
        """
        return $c + $sum
        """,
    ),
    "cycle": Part(
        "loop", 2, ((2, 99), (1, 99), (100, 999)),
        ({"next": "x * x + $b"}, {"next": "x * $a + $b"}, {"next": "x * x * x + $a * x + $b"}),
        """
        x, total = $a % $c, 0
        for _ in range(n):
            x = ($next) % $c
            total += x
        return total
        """,
        """
        x, sums, seen = $a % $c, [0], {}
        while x not in seen:
            seen[x] = len(sums) - 1
            x = ($next) % $c
            sums.append(sums[-1] + x)
        start = seen[x]
        length = len(sums) - 1 - start
        if n < start:
            return sums[n]
        turns, rest = divmod(n - start, length)
        return turns * (sums[-1] - sums[start]) + sums[start + rest]
        """,
    ),
    "residues": Part(
        "loop", 2, ((20, 400), (2, 99), (2, 99)),
        ({"term": "k * k % $a"}, {"term": "k * (k + $b) % $a"}, {"term": "k * k * k % $a // $b"}),
        """
        total = 0
        for k in range(1, n + 1):
            total += $term * $c
        return total
        """,
        """
        turns, rest = divmod(n, $a)
        terms = [$term * $c for k in range(1, $a + 1)]
        return turns * sum(terms) + sum(terms[:rest])
        """,
    ),
    "recurrence": Part(
        "loop", 3, ((2, 99), (2, 99), (10_000, 999_999)),
        ({"more": "$b", "row": "[$b, $a, $b]"}, {"more": "x", "row": "[$b + 1, $a, 0]"}),
        """
        x, y = 0, 1
        for _ in range(n):
            x, y = y, ($a * y + $b * x + $more) % $c
        return x
        """,
        """
        def times(one, other):
            columns = list(zip(*other))
            return [[sum(map(mul, row, col)) % $c for col in columns] for row in one]

        power = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        step = [[0, 1, 0], $row, [0, 0, 1]]
        while n:
            if n % 2:
                power = times(power, step)
            step = times(step, step)
            n //= 2
        return (power[0][1] + power[0][2]) % $c
        """,
        needs="from operator import mul",
    ),
    "blocks": Part(
        "loop", 3, ((2, 99), (0, 99)),
        (
            {"term": "n // k", "sum": "quotient * (last - k + 1)"},
            {"term": "k * (n // k)", "sum": "quotient * (k + last) * (last - k + 1) // 2"},
            {"term": "n % k", "sum": "(last - k + 1) * n - quotient * (k + last) * (last - k + 1) // 2"},
        ),
        """
        total = $b
        for k in range(1, n + 1):
            total += $a * ($term)
        return total
        """,
        """
        total, k = 0, 1
        while k <= n:
            quotient = n // k
            last = n // quotient
            total += $sum
            k = last + 1
        return $a * total + $b
        """,
    ),
    "digits": Part(
        "loop", 3, ((3, 40), (0, 2), (2, 99)),
        ({"value": "digit"}, {"value": "digit * digit"}, {"value": "digit % 4"}),
        """
        count = 0
        for k in range(n + 1):
            total = 0
            for digit in map(int, str(k)):
                total += $value
            if total % $a == $b:
                count += $c
        return count
        """,
        """
        # ways[r]: how many rows of so many digits have a sum with the remainder r
        values = [$value for digit in range(10)]
        ways, count, after = [1] + [0] * ($a - 1), 0, 0
        digits = [int(sign) for sign in str(n)]
        sums = [0]
        for digit in digits:
            sums.append(sums[-1] + values[digit])
        for place in reversed(range(len(digits))):
            for value in values[:digits[place]]:
                count += ways[($b - sums[place] - value) % $a]
            ways = [sum(ways[(r - value) % $a] for value in values) for r in range($a)]
        return (count + (sums[-1] % $a == $b)) * $c
        """,
    ),
    "squares": Part(
        "square", 1, ((7, 60), (0, 6), (2, 99)),
        (
            {"one": "i * i * $c", "pair": "(i * i + j * j) * $c", "wanted": "$b - value"},
            {"one": "i * i * $c", "pair": "(i * i - j * j) * $c", "wanted": "value - $b"},
            {"one": "i * $c", "pair": "(i + j) * $c", "wanted": "$b - value"},
        ),
        """
        count = 0
        for i in range(1, n + 1):
            for j in range(1, i):
                if $pair % $a == $b:
                    count += 1
        return count
        """,
        """
        count, seen = 0, {}
        for i in range(1, n + 1):
            value = $one
            count += seen.get(($wanted) % $a, 0)
            seen[value % $a] = seen.get(value % $a, 0) + 1
        return count
        """,
    ),
    "divisors": Part(
        "square", 2, ((2, 99), (2, 99)),
        ({"amount": "1"}, {"amount": "d"}, {"amount": "d % $b"}),
        """
        total = 0
        for k in range(1, n + 1):
            found = 0
            for d in range(1, k + 1):
                if k % d == 0:
                    found += $amount
            total += found * found % $a
        return total
        """,
        """
        found = [0] * (n + 1)
        for d in range(1, n + 1):
            for k in range(d, n + 1, d):
                found[k] += $amount
        return sum(each * each % $a for each in found[1:])
        """,
    ),
    "coprime": Part(
        "square", 3, ((2, 99), (2, 99)),
        ({"share": "1"}, {"share": "i % $b"}),
        """
        total = 0
        for i in range(1, n + 1):
            count = 0
            for j in range(1, i + 1):
                if gcd(i, j) == 1:
                    count += 1
            total += count * $a * ($share)
        return total
        """,
        """
        count = list(range(n + 1))
        for i in range(2, n + 1):
            if count[i] == i:
                for k in range(i, n + 1, i):
                    count[k] -= count[k] // i
        return sum(count[i] * $a * ($share) for i in range(1, n + 1))
        """,
        uses="from math import gcd",
    ),
    "sieve": Part(
        "square", 2, ((2, 99), (2, 99)),
        ({"share": "k % $b"}, {"share": "k // $b"}, {"share": "1"}),
        """
        total = 0
        for k in range(2, n + 1):
            parts = 0
            for d in range(2, k):
                if k % d == 0:
                    parts += 1
            if parts == 0:
                total += $a + $share
        return total
        """,
        """
        prime = [True] * (n + 1)
        for d in range(2, int(n ** 0.5) + 1):
            if prime[d]:
                for k in range(d * d, n + 1, d):
                    prime[k] = False
        return sum($a + $share for k in range(2, n + 1) if prime[k])
        """,
    ),
}  # fmt: skip
