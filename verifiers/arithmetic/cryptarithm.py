"""A solver for cryptarithms that searches column by column from the right."""

from collections.abc import Mapping, Sequence


class Columns:
    """The search for the digits that the letters of a sum stand for.

    Different letters stand for different digits, and no number of several digits begins with 0.

    >>> search = Columns(["SEND", "MORE"], "MONEY")
    >>> [sorted(digits.items()) for digits in search.solutions()]
    [[('D', 7), ('E', 5), ('M', 1), ('N', 6), ('O', 0), ('R', 8), ('S', 9), ('Y', 2)]]
    """

    def __init__(
        self, words: Sequence[str], total: str, known: Mapping[str, int] | None = None
    ) -> None:
        self.known = dict(known or {})
        self.letters = list(dict.fromkeys([*self.known, *"".join((*words, total))]))
        number = {letter: n for n, letter in enumerate(self.letters)}
        leading = {word[0] for word in (*words, total) if len(word) > 1}
        self.first = [int(letter in leading) for letter in self.letters]
        """The least digit of each letter."""
        self.cells: list[tuple[int, int]] = []
        """The indices of the letters from the right, column by column: first the addends', each
        with -1, but the last with the index of the total's letter; then the total's, as ~index.
        """
        for column in range(1, len(total) + 1):
            above = [number[word[-column]] for word in words if column <= len(word)]
            below = number[total[-column]]
            self.cells += [(letter, -1) for letter in above[:-1]]
            self.cells += [(letter, below) for letter in above[-1:]]
            self.cells.append((~below, -1))
        self.nodes = 0

    def solutions(self, most: int = 1_000_000) -> list[dict[str, int]]:
        """All assignments of digits to letters, or the first ``most`` of them."""
        self.most = most
        self.digits = [self.known.get(letter, -1) for letter in self.letters]
        self.free = (1 << 10) - 1 & ~sum(1 << digit for digit in self.known.values())
        self.complete: list[dict[str, int]] = []
        self._search(0, 0)
        return self.complete

    def _search(self, cell: int, carried: int) -> None:
        """Continue from a cell of a column whose digits add up to ``carried`` so far."""
        digits = self.digits
        while cell < len(self.cells):
            self.nodes += 1
            letter, below = self.cells[cell]
            cell += 1
            if letter < 0:  # in the total, where the column leaves one digit
                letter = ~letter
                carried, digit = divmod(carried, 10)
                if digits[letter] >= 0:
                    if digits[letter] != digit:
                        return
                    continue
                self._try((digit,), letter, cell, carried, 0)
                return
            if digits[letter] >= 0:
                carried += digits[letter]
                continue
            settled = below >= 0 and digits[below] >= 0
            options = ((digits[below] - carried) % 10,) if settled else range(10)
            self._try(options, letter, cell, carried, 1)
            return
        if not carried:
            self.complete.append(dict(zip(self.letters, digits)))

    def _try(
        self, options: Sequence[int], letter: int, cell: int, carried: int, times: int
    ) -> None:
        """Continue with each digit that a letter may have, added ``times`` times."""
        for digit in options:
            if self.free >> digit & 1 and digit >= self.first[letter]:
                self.digits[letter] = digit
                self.free ^= 1 << digit
                self._search(cell, carried + times * digit)
                self.free ^= 1 << digit
                if len(self.complete) >= self.most:
                    break
        self.digits[letter] = -1
