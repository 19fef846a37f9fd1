"""Assignment problems: the Hungarian method, in the form of shortest augmenting paths.

After Harold Kuhn (1955) and Roy Jonker and Anton Volgenant (1987).
"""

from collections.abc import Sequence

Costs = Sequence[Sequence[int | None]]
"""The cost of each row in each column; None where the pair is not allowed."""


def cheapest_assignment(costs: Costs) -> tuple[list[int] | None, int]:
    """The column of each row in a cheapest assignment, and how many pairs were examined.

    None in place of the columns where no assignment avoids the pairs that are not allowed.
    """
    size, examined = len(costs), 0
    row_of = [-1] * size
    row_prices, column_prices = [0] * size, [0] * size
    for row in range(size):
        least: list[int | None] = [None] * size
        before = [-1] * size
        settled: list[int] = []
        current, came_from, distance = row, -1, 0
        while current >= 0:
            best: int | None = None
            for column in range(size):
                if column in settled:
                    continue
                examined += 1
                cost = costs[current][column]
                if cost is not None:
                    length = distance + cost - row_prices[current] - column_prices[column]
                    known = least[column]
                    if known is None or length < known:
                        least[column], before[column] = length, came_from
                length_here = least[column]
                if length_here is not None:
                    shortest = None if best is None else least[best]
                    if shortest is None or length_here < shortest:
                        best = column
            if best is None:
                return None, examined
            came_from = best
            settled.append(best)
            reached = least[best]
            assert reached is not None
            distance, current = reached, row_of[best]
        _reprice(row, settled, least, distance, row_of, row_prices, column_prices)
        _augment(row, came_from, before, row_of)
    columns = [0] * size
    for column, row in enumerate(row_of):
        columns[row] = column
    return columns, examined


def _reprice(
    row: int,
    settled: Sequence[int],
    least: Sequence[int | None],
    distance: int,
    row_of: Sequence[int],
    row_prices: list[int],
    column_prices: list[int],
) -> None:
    """Move the prices, so that no pair costs less than the prices of its row and column."""
    row_prices[row] += distance
    for column in settled[:-1]:
        length = least[column]
        assert length is not None
        row_prices[row_of[column]] += distance - length
        column_prices[column] -= distance - length


def _augment(row: int, column: int, before: Sequence[int], row_of: list[int]) -> None:
    """Shift the rows along the path that ends in a free column."""
    while column >= 0:
        previous = before[column]
        row_of[column] = row_of[previous] if previous >= 0 else row
        column = previous
