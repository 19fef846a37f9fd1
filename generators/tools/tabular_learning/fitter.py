"""A method that learns from a table of numbers, codes and empty cells: least squares, and trees for
what it leaves.

After J. Friedman, "Greedy Function Approximation: A Gradient Boosting Machine" (2001). It runs in
the sandbox, on the standard library alone, so that it imports nothing of this project.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from operator import mul

BINS = 12
"""How many ranges the values of a number fall into."""

DEPTH = 3
ROUNDS = 120
RATE = 0.1
LEAST = 7
"""How many rows a leaf has at least."""

Row = dict[str, str]
"""The texts of a row by column."""


class Column:
    """A column of a table: numbers or codes, by what the texts of the training rows are."""

    def __init__(self, name: str, texts: Sequence[str]) -> None:
        self.name = name
        self.is_number = all(is_number(text) for text in texts if text)
        values = sorted(float(text) for text in texts if text) if self.is_number else []
        self.limits = sorted({values[len(values) * n // BINS] for n in range(1, BINS) if values})
        self.median = values[len(values) // 2] if values else 0.0
        self.spread = (values[-1] - values[0] or 1.0) if values else 1.0
        self.codes = {text: n for n, text in enumerate(sorted({*texts}))}

    def bin(self, text: str) -> int:
        """The number of the range or the code; that of the median for an empty cell."""
        if not self.is_number:
            return self.codes.get(text, 0)
        return sum(self._number(text) >= limit for limit in self.limits)

    def _number(self, text: str) -> float:
        return float(text) if is_number(text) else self.median

    def terms(self, text: str) -> list[float]:
        """The terms of a linear model."""
        if self.is_number:
            return [(self._number(text) - self.median) / self.spread]
        code = self.codes.get(text, 0)
        return [float(code == n) for n in range(1, len(self.codes))]


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


class Tree:
    """A node: the bins of a column that go to the first branch, or a value."""

    def __init__(self, value: float, column: int = 0, keys: frozenset[int] = frozenset()) -> None:
        self.value, self.column, self.keys = value, column, keys
        self.branches: tuple[Tree, ...] = ()

    def predict(self, bins: Sequence[int]) -> float:
        """The value for the bins of a row."""
        node = self
        while node.branches:
            node = node.branches[bins[node.column] not in node.keys]
        return node.value


class Booster:
    """Boosted trees on binned columns."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Row], seed: int = 0) -> None:
        self.columns = columns
        self.by_row = [self.bins(row) for row in rows]
        self.by_column = [*zip(*self.by_row)]
        self.random = random.Random(seed)
        self.trees: list[Tree] = []

    def bins(self, row: Row) -> tuple[int, ...]:
        """The bins of a row."""
        return tuple(column.bin(row[column.name]) for column in self.columns)

    def fit(self, residuals: list[float]) -> None:
        """Learn what is left of the results."""
        for _ in range(ROUNDS):
            sample = [n for n in range(len(residuals)) if self.random.random() < 0.7]
            tree = self._grown(sample, residuals, DEPTH)
            self.trees.append(tree)
            for n, bins in enumerate(self.by_row):
                residuals[n] -= RATE * tree.predict(bins)

    def predict(self, row: Row) -> float:
        """The sum of all trees."""
        bins = self.bins(row)
        return RATE * sum(tree.predict(bins) for tree in self.trees)

    def _grown(self, rows: Sequence[int], residuals: Sequence[float], depth: int) -> Tree:
        value = sum(residuals[n] for n in rows) / (len(rows) + 1)
        choice = self._split(rows, residuals) if depth and len(rows) > 2 * LEAST else None
        if choice is None:
            return Tree(value)
        column, keys = choice
        own = self.by_column[column]
        tree = Tree(value, column, keys)
        one = [n for n in rows if own[n] in keys]
        other = [n for n in rows if own[n] not in keys]
        tree.branches = tuple(self._grown(each, residuals, depth - 1) for each in (one, other))
        return tree

    def _split(
        self, rows: Sequence[int], residuals: Sequence[float]
    ) -> tuple[int, frozenset[int]] | None:
        """The column and the bins that lower the squared error most."""
        number = len(rows)
        total = sum(residuals[n] for n in rows)
        best, choice = total * total / number + 1e-9, None
        for column, own in enumerate(self.by_column):
            size = max(own) + 1
            sums, counts = [0.0] * size, [0] * size
            for n in rows:
                key = own[n]
                sums[key] += residuals[n]
                counts[key] += 1
            keys = [key for key in range(size) if counts[key]]
            if not self.columns[column].is_number:
                keys.sort(key=lambda key: sums[key] / counts[key])
            left, left_number = 0.0, 0
            for n, key in enumerate(keys[:-1]):
                left += sums[key]
                left_number += counts[key]
                right, right_number = total - left, number - left_number
                if left_number < LEAST or right_number < LEAST:
                    continue
                gain = left * left / left_number + right * right / right_number
                if gain > best:
                    best, choice = gain, (column, frozenset(keys[: n + 1]))
        return choice


def least_squares(terms: Sequence[Sequence[float]], results: Sequence[float]) -> list[float]:
    """The weights of terms, with a trace of ridge that keeps them finite."""
    columns = [*zip(*terms)]
    matrix = [
        [sum(map(mul, one, other)) + 1e-3 * (n == m) for m, other in enumerate(columns)]
        + [sum(map(mul, one, results))]
        for n, one in enumerate(columns)
    ]
    size = len(columns)
    for n in range(size):
        for m in range(size):
            factor = matrix[m][n] / matrix[n][n] if m != n else 0.0
            if factor:
                matrix[m] = [a - factor * b for a, b in zip(matrix[m], matrix[n])]
    return [matrix[n][size] / matrix[n][n] for n in range(size)]


def fit(rows: Sequence[Row], target: str, ignored: Iterable[str]) -> Callable[[Row], float]:
    """A function from a row to a prediction of the target."""
    unused = {target, *ignored}
    names = [name for name in rows[0] if name not in unused]
    columns = [Column(name, [row[name] for row in rows]) for name in names]
    results = [float(row[target]) for row in rows]

    def terms(row: Row) -> list[float]:
        return [1.0, *(term for column in columns for term in column.terms(row[column.name]))]

    table = [terms(row) for row in rows]
    weights = least_squares(table, results)
    booster = Booster(columns, rows)
    booster.fit([y - sum(map(mul, weights, own)) for y, own in zip(results, table)])
    return lambda row: sum(map(mul, weights, terms(row))) + booster.predict(row)
