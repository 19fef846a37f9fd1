"""Assignment problems: the Hungarian method, in the form of shortest augmenting paths.

After Harold Kuhn (1955) and Roy Jonker and Anton Volgenant (1987).
"""

from collections.abc import Sequence

Costs = Sequence[Sequence[int | None]]
"""The cost of each row in each column; None where the pair is not allowed."""


class _Search:
    """The assignment so far, with prices of rows and columns of which no pair costs less."""

    def __init__(self, costs: Costs) -> None:
        self.costs, self.size = costs, len(costs)
        self.row_of = [-1] * self.size
        self.row_prices, self.column_prices = [0] * self.size, [0] * self.size
        self.examined = 0

    def add(self, row: int) -> bool:
        """Assign one more row, along a cheapest path that ends in a free column; whether there is
        one.
        """
        lengths: dict[int, int] = {}
        before: dict[int, int] = {}
        settled: list[int] = []
        current, column, distance = row, -1, 0
        while True:
            self._relax(current, column, distance, lengths, before)
            reachable = [each for each in lengths if each not in settled]
            if not reachable:
                return False
            column = min(reachable, key=lambda each: (lengths[each], each))
            settled.append(column)
            distance, current = lengths[column], self.row_of[column]
            if current < 0:
                break
        self.row_prices[row] += distance
        for each in settled[:-1]:
            self.row_prices[self.row_of[each]] += distance - lengths[each]
            self.column_prices[each] -= distance - lengths[each]
        while column >= 0:
            previous = before[column]
            self.row_of[column] = self.row_of[previous] if previous >= 0 else row
            column = previous
        return True

    def _relax(
        self,
        row: int,
        start: int,
        distance: int,
        lengths: dict[int, int],
        before: dict[int, int],
    ) -> None:
        """Enter the lengths of paths that continue in a row; settled columns never get shorter."""
        for column, cost in enumerate(self.costs[row]):
            self.examined += 1
            if cost is not None:
                length = distance + cost - self.row_prices[row] - self.column_prices[column]
                if column not in lengths or length < lengths[column]:
                    lengths[column], before[column] = length, start


def cheapest_assignment(costs: Costs) -> tuple[list[int] | None, int]:
    """The column of each row in a cheapest assignment, and how many pairs were examined.

    None in place of the columns where no assignment avoids the pairs that are not allowed.
    """
    search = _Search(costs)
    if not all(search.add(row) for row in range(search.size)):
        return None, search.examined
    columns = [0] * search.size
    for column, row in enumerate(search.row_of):
        columns[row] = column
    return columns, search.examined
