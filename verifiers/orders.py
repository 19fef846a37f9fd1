"""Rankings, and orders that keep some things before others.

>>> day = TopologicalOrder(("wake", "dress", "eat", "leave"), (("wake", "eat"), ("dress", "leave")))
>>> day("wake, dress, eat, leave").correct, day("eat, wake, dress, leave").reason
(True, 'eat comes before wake')
"""

from bisect import bisect_right, insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import isfinite, log2
from typing import Literal, get_args

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.lists import MOST, phrase
from palaestra.verifiers.sets import Read, gold_keys, said_keys
from palaestra.verifiers.verifier import GoldError, Verifier

Metric = Literal["exact", "kendall", "ndcg"]

_ARROWS = ("->", "=>", "\u2192", "\u227b", "\\to", "\\rightarrow", "\\succ", ">")


def _in_order(answer: str, items: Sequence[Hashable], read: Read) -> list[int]:
    """The places of all items in the order of an answer.

    Raises :class:`~palaestra.task.InvalidAnswer` unless each item is there exactly once.
    """
    known = {item: at for at, item in enumerate(items)}
    keys = said_keys(answer, items, read, *_ARROWS)
    if any(key not in known for key in keys):
        raise InvalidAnswer("something is listed that is not among the items")
    if len(set(keys)) < len(keys):
        raise InvalidAnswer("an item is listed twice")
    if len(keys) < len(items):
        raise InvalidAnswer("not all items are listed")
    return [known[key] for key in keys]


def kendall_tau(ranks: Sequence[int]) -> float:
    """Kendall's tau of an order against the true ranks of its items, from -1 to 1.

    Pairs that are tied in truth count neither way. It is 1 where nothing is out of order, and 0 on
    average over all orders.

    >>> kendall_tau([0, 1, 2]), kendall_tau([2, 1, 0]), kendall_tau([1, 0, 2, 2])
    (1.0, -1.0, 0.6)
    """
    seen: list[int] = []
    swapped = tied = 0
    for rank in ranks:
        at = bisect_right(seen, rank)
        swapped += len(seen) - at
        tied += at - bisect_right(seen, rank - 1)
        insort(seen, rank)
    pairs = len(seen) * (len(seen) - 1) // 2 - tied
    return 1 - 2 * swapped / pairs if pairs else 0.0


def dcg(relevances: Sequence[float]) -> float:
    """Discounted cumulative gain of relevances in the order of a ranking.

    >>> dcg([1, 0, 3])
    2.5
    """
    return sum(gain / log2(rank) for rank, gain in enumerate(relevances, 2))


@dataclass(frozen=True, slots=True)
class Ranking(Verifier):
    """All items from the first to the last; 1 if none is out of order.

    ``gold`` lists them in their order, tied ones together in a tuple, whose order is then free. An
    answer that leaves one out, repeats one or adds another is malformed.

    What an order with mistakes earns depends on ``metric``: ``exact`` nothing, ``kendall`` its
    Kendall tau (1938), and ``ndcg`` its discounted cumulative gain (Järvelin and Kekäläinen 2002)
    with the ``relevances`` given for the items of ``gold``, which must fall. Both are scaled so
    that the average over all orders is at 0, and what lies below it is cut off; thus a blind guess
    earns a little (with kendall, 0.16 for 5 items and 0.07 for 20), and a reversed order nothing.

    >>> Ranking(("gold", "silver", "tin", "lead"), "kendall")("gold > tin > silver > lead").value
    0.6666666666666667
    """

    gold: tuple[str | tuple[str, ...], ...]
    metric: Metric = "exact"
    relevances: tuple[float, ...] | None = None
    read: Read = phrase

    def __post_init__(self) -> None:
        if self.metric not in get_args(Metric):
            raise GoldError(f"a metric is one of {', '.join(get_args(Metric))}")
        items, ranks = self._ranked()
        if not 2 <= len(items) <= MOST or len(set(items)) < len(items) or len(set(ranks)) < 2:
            raise GoldError("a ranking needs different items, and at least two ranks")
        if (self.metric == "ndcg") != (self.relevances is not None):
            raise GoldError("relevances require the credit 'ndcg', and it requires them")
        if self.relevances is not None:
            self._check_relevances(len(items))

    def _check_relevances(self, items: int) -> None:
        gains = self.relevances or ()
        if len(gains) != items or any(isinstance(entry, tuple) for entry in self.gold):
            raise GoldError(
                "give one relevance for each item; items with equal relevances are tied"
            )
        if not all(isfinite(gain) and gain >= 0 for gain in gains):
            raise GoldError("relevances are finite and not negative")
        if list(gains) != sorted(gains, reverse=True) or gains[0] == gains[-1]:
            raise GoldError("the relevances fall from the first item to the last")

    def _ranked(self) -> tuple[list[Hashable], list[int]]:
        """The items, and their ranks."""
        groups = [entry if isinstance(entry, tuple) else (entry,) for entry in self.gold]
        names = [name for group in groups for name in group]
        if self.relevances is not None and len(self.relevances) == len(names):
            gains = sorted(set(self.relevances), reverse=True)
            ranks = [gains.index(gain) for gain in self.relevances]
        else:
            ranks = [rank for rank, group in enumerate(groups) for _ in group]
        return gold_keys(names, self.read), ranks

    def verify(self, answer: str) -> Score:
        items, ranks = self._ranked()
        order = _in_order(answer, items, self.read)
        ranking = [ranks[at] for at in order]
        if ranking == sorted(ranking):
            return Score(1.0, parts={"progress": 1} if self.metric != "exact" else {})
        if self.metric == "kendall":
            tau = kendall_tau(ranking)
            parts = {"progress": max(0.0, tau), "tau": tau}
            return Score(parts["progress"], "some items are out of order", parts)
        if self.relevances is not None:
            return self._by_gain([self.relevances[at] for at in order])
        return Score(0.0, "some items are out of order")

    def _by_gain(self, gains: list[float]) -> Score:
        best, size = dcg(sorted(gains, reverse=True)), len(gains)
        average = sum(gains) / size * dcg([1.0] * size)
        value = min(gap(dcg(gains), average, best), 1 - 1e-9)
        parts = {"progress": value, "ndcg": dcg(gains) / best}
        return Score(value, "some items are out of order", parts)


@dataclass(frozen=True, slots=True)
class TopologicalOrder(Verifier):
    """All items in any order that keeps the first of each pair before the second; 1 or 0.

    An answer that leaves an item out, repeats one or adds another is malformed. Raises
    :class:`GoldError` for pairs of unknown items and for pairs that no order can keep.
    """

    items: tuple[str, ...]
    before: tuple[tuple[str, str], ...]
    read: Read = phrase

    def __post_init__(self) -> None:
        keys = gold_keys(self.items, self.read)
        if not 1 <= len(keys) <= MOST or len(set(keys)) < len(keys):
            raise GoldError("the items are different ones")
        sorter: TopologicalSorter[int] = TopologicalSorter()
        for first, second in self._arcs():
            sorter.add(second, first)
        try:
            sorter.prepare()
        except CycleError:
            raise GoldError("no order keeps all pairs") from None

    def _arcs(self) -> list[tuple[int, int]]:
        places = {key: at for at, key in enumerate(gold_keys(self.items, self.read))}
        ends = [gold_keys(pair, self.read) for pair in self.before]
        if not all(len(pair) == 2 and places.keys() >= set(pair) for pair in ends):
            raise GoldError("the pairs are made of the items")
        return [(places[first], places[second]) for first, second in ends]

    def verify(self, answer: str) -> Score:
        order = _in_order(answer, gold_keys(self.items, self.read), self.read)
        index = {item: at for at, item in enumerate(order)}
        for first, second in self._arcs():
            if index[first] > index[second]:
                return Score(0.0, f"{self.items[second]} comes before {self.items[first]}")
        return Score(1.0)
