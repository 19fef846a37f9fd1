"""The random generator that tasks are sampled with."""

from collections.abc import Iterable, MutableSequence, Sequence
from math import ceil, log
from random import Random
from typing import Any, Protocol, TypeVar

_SEQUENCES = (list, tuple, str, range)

Item = TypeVar("Item")
Item_co = TypeVar("Item_co", covariant=True)


class _Indexable(Protocol[Item_co]):
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Item_co: ...


class Rng(Random):
    """``random.Random``, with shorter code for the methods that generators call most.

    Every method returns what the one of ``random.Random`` returns for the same seed, and leaves the
    same state. The methods of the standard library spend most of their time on checks of their
    arguments and on calls of each other. Here, each draws a number below ``n`` in place: as many
    bits as ``n`` has, again until they are less than ``n``.

    >>> Rng(7).sample(range(100), 4) == Random(7).sample(range(100), 4)
    True
    """

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """An integer from ``range(start)`` or ``range(start, stop)``."""
        size = start if stop is None else stop - start
        if size.__class__ is not int or size <= 0 or step != 1:
            return super().randrange(start, stop, step)
        getrandbits = self.getrandbits
        bits = size.bit_length()
        number = getrandbits(bits)
        while number >= size:
            number = getrandbits(bits)
        return number if stop is None else start + number

    def randint(self, a: int, b: int) -> int:
        """An integer from ``a`` to ``b``, both included."""
        size = b - a + 1
        if size.__class__ is not int or size <= 0:
            return super().randint(a, b)
        getrandbits = self.getrandbits
        bits = size.bit_length()
        number = getrandbits(bits)
        while number >= size:
            number = getrandbits(bits)
        return a + number

    def choice(self, seq: _Indexable[Item]) -> Item:
        """An element of a sequence that is not empty."""
        size = len(seq)
        if not size:
            raise IndexError("cannot choose from an empty sequence")
        getrandbits = self.getrandbits
        bits = size.bit_length()
        index = getrandbits(bits)
        while index >= size:
            index = getrandbits(bits)
        return seq[index]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle a list in place."""
        getrandbits = self.getrandbits
        for last in range(len(x) - 1, 0, -1):
            size = last + 1
            bits = size.bit_length()
            index = getrandbits(bits)
            while index >= size:
                index = getrandbits(bits)
            x[last], x[index] = x[index], x[last]

    def sample(
        self, population: Sequence[Item], k: int, *, counts: Iterable[int] | None = None
    ) -> list[Item]:
        """``k`` different elements of a sequence, in random order."""
        if not isinstance(population, _SEQUENCES):
            return super().sample(population, k, counts=counts)
        size = len(population)
        # The standard library lists the population only if it is not much larger than k.
        listed = 21 + (4 ** ceil(log(k * 3, 4)) if k > 5 else 0)
        if counts is not None or not 0 <= k <= size or size > listed:
            return super().sample(population, k, counts=counts)
        getrandbits, pool, chosen = self.getrandbits, list(population), []
        for left in range(size, size - k, -1):
            bits = left.bit_length()
            index = getrandbits(bits)
            while index >= left:
                index = getrandbits(bits)
            chosen.append(pool[index])
            pool[index] = pool[left - 1]
        return chosen
