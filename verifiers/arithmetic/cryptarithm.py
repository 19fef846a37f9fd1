"""Sums with letters for digits, solved column by column from the right."""

from collections.abc import Iterator, Mapping, Sequence


class Columns:
    """The search for the digits behind the letters of a sum.

    Different letters are different digits, and no number of several digits begins with 0.

    >>> search = Columns(["SEND", "MORE"], "MONEY")
    >>> [sorted(found.items()) for found in search.solutions()]
    [[('D', 7), ('E', 5), ('M', 1), ('N', 6), ('O', 0), ('R', 8), ('S', 9), ('Y', 2)]]
    """

    def __init__(
        self, words: Sequence[str], total: str, known: Mapping[str, int] | None = None
    ) -> None:
        self.places = [
            ([word[-place] for word in words if place <= len(word)], total[-place])
            for place in range(1, len(total) + 1)
        ]
        self.leading = {word[0] for word in (*words, total) if len(word) > 1}
        self.digits = dict(known or {})
        self.free = [digit for digit in range(10) if digit not in self.digits.values()]
        self.nodes = 0

    def solutions(self) -> Iterator[dict[str, int]]:
        """Every way to give the letters digits."""
        return self._column(0, 0, 0)

    def _column(self, place: int, row: int, carried: int) -> Iterator[dict[str, int]]:
        """Go on from a row of a column, to whose digits `carried` adds up so far."""
        self.nodes += 1
        if place == len(self.places):
            if carried == 0:
                yield dict(self.digits)
            return
        above, below = self.places[place]
        if row < len(above):
            letter = above[row]
            for digit in self._options(letter):
                yield from self._given(letter, digit, (place, row + 1, carried + digit))
        else:
            rest, digit = divmod(carried, 10)
            if digit in self._options(below):
                yield from self._given(below, digit, (place + 1, 0, rest))

    def _given(
        self, letter: str, digit: int, then: tuple[int, int, int]
    ) -> Iterator[dict[str, int]]:
        """Go on with a digit for a letter, and take it back where it was new."""
        if letter in self.digits:
            yield from self._column(*then)
            return
        self.digits[letter] = digit
        self.free.remove(digit)
        yield from self._column(*then)
        self.free.append(digit)
        del self.digits[letter]

    def _options(self, letter: str) -> Sequence[int]:
        if letter in self.digits:
            return (self.digits[letter],)
        return [digit for digit in sorted(self.free) if digit or letter not in self.leading]
