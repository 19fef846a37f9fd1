"""Sets, multisets and lists of items.

>>> from palaestra.verifiers.reading.numbers import integer
>>> primes = SetOf(("2", "3", "5"), read=integer)
>>> [primes(text).correct for text in ("{5, 2, 3}", "2, 3", "2, 3, 3, 5")]
[True, False, False]
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.lists import MOST, listed, phrase
from palaestra.verifiers.matching import largest_matching
from palaestra.verifiers.verifier import GoldError, Verifier

Read = Callable[[str], Hashable]
"""Reads an item as a value that is equal for equal items; raises ``InvalidAnswer`` for a bad one.
"""

Credit = Literal["exact", "jaccard", "f1"]
"""What an answer earns that is partly right: nothing, or a share by one of two measures."""

FUZZY = 200
"""How many items may be matched by likeness; all pairs are compared."""


def gold_keys(items: Iterable[str], read: Read) -> list[Hashable]:
    """Items of a gold as values; raises :class:`GoldError` for one that cannot be read."""
    try:
        return [read(item) for item in items]
    except InvalidAnswer as error:
        raise GoldError(f"an item of the gold cannot be read: {error}") from None


def said_keys(
    answer: str, gold: Iterable[Hashable], read: Read, *separators: str
) -> list[Hashable]:
    """The items of an answer as values."""
    known = frozenset(gold)

    def is_known(item: str) -> bool:
        try:
            return read(item) in known
        except InvalidAnswer:
            return False

    return [read(item) for item in listed(answer, *separators, known=is_known)]


def _judged(shared: int, size: int, gold: int, credit: Credit, swapped: str = "") -> Score:
    """The score of a collection that shares so many items with the gold."""
    if shared == size == gold:
        return Score(1.0, parts={"progress": 1} if credit != "exact" else {})
    problem = "items are missing" if size < gold else "there are too many items"
    problem = problem if size != gold else swapped or "not all items are right"
    if credit == "exact":
        return Score(0.0, problem)
    whole = size + gold
    parts = {"precision": shared / size if size else 0.0, "recall": shared / gold if gold else 0.0}
    value = shared / (whole - shared) if credit == "jaccard" else 2 * shared / whole
    return Score(value, problem, {"progress": value, **parts})


def _check_credit(credit: Credit) -> None:
    if credit not in get_args(Credit):
        raise GoldError(f"credit is one of {', '.join(get_args(Credit))}")


def _matched(values: Sequence[Any], gold: Sequence[Any], alike: float) -> int:
    """The most items that can be paired one to one, each pair at least so much alike."""
    with needs("text", "RapidFuzz"):
        from rapidfuzz.distance import Levenshtein

    similarity, least = Levenshtein.normalized_similarity, alike - 1e-9
    golds = [" ".join(key) for key in gold]
    return largest_matching(
        [
            [n for n, text in enumerate(golds) if similarity(" ".join(key), text) >= least]
            for key in values
        ]
    )


def _common_subsequence(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence."""
    with needs("text", "RapidFuzz"):
        from rapidfuzz.distance import LCSseq

    numbers: dict[Hashable, int] = {}
    rows = [[numbers.setdefault(item, len(numbers)) for item in items] for items in (one, other)]
    return int(LCSseq.similarity(*rows))


class _Unordered(Verifier):
    """What sets and multisets share."""

    __slots__ = ()

    gold: tuple[str, ...]
    read: Read
    credit: Credit
    alike: float | None

    def __post_init__(self) -> None:
        _check_credit(self.credit)
        keys = gold_keys(self.gold, self.read)
        if len(keys) > (FUZZY if self.alike else MOST):
            raise GoldError(f"too many items: {len(keys)}")
        if self.alike is not None:
            if not 0 < self.alike <= 1 or self.read is not phrase:
                raise GoldError("a similarity threshold is in (0, 1] and applies to phrases only")
            _matched((), (), self.alike)

    def verify(self, answer: str) -> Score:
        gold = gold_keys(self.gold, self.read)
        keys = self.keys(said_keys(answer, gold, self.read))
        shared = (Counter(keys) & Counter(gold)).total()
        if self.alike is not None and shared < max(len(keys), len(gold)):
            if len(keys) > FUZZY:
                raise InvalidAnswer(f"more than {FUZZY} items", "limit")
            try:
                shared = _matched(keys, gold, self.alike)
            except ImportError as missing:
                raise JudgeError(str(missing)) from missing
        return _judged(shared, len(keys), len(gold), self.credit)

    def keys(self, values: list[Hashable]) -> list[Hashable]:
        """The items of an answer, checked."""
        return values


@dataclass(frozen=True, slots=True)
class SetOf(_Unordered):
    """Items in any order, each once; 1 if they are those of the gold.

    ``read`` makes values of items, such as
    :func:`~palaestra.verifiers.reading.numbers.integer`; words without case and punctuation, unless
    given. An item given twice is malformed. ``alike`` pairs
    items one to one that are at least so similar (Levenshtein, in (0, 1]), as many as can be.

    ``credit`` gives an answer that is partly right its Jaccard index or its F1; whatever is listed
    too much lowers both, so listing all there is earns little: its share of right items, or F1.

    >>> SetOf(("red", "green"), credit="jaccard")("red, green, blue, black").value
    0.5
    """

    gold: tuple[str, ...]
    read: Read = phrase
    credit: Credit = "exact"
    alike: float | None = None

    def __post_init__(self) -> None:
        _Unordered.__post_init__(self)
        keys = gold_keys(self.gold, self.read)
        if len(set(keys)) < len(keys):
            raise GoldError("an item of the gold is listed twice: use Multiset")

    def keys(self, values: list[Hashable]) -> list[Hashable]:
        if len(set(values)) < len(values):
            raise InvalidAnswer("an item is listed twice")
        return values


@dataclass(frozen=True, slots=True)
class Multiset(_Unordered):
    """Items in any order, each as often as in the gold; otherwise as :class:`SetOf`.

    >>> Multiset(("nut", "nut", "bolt"))("nut, bolt, nut").correct
    True
    """

    gold: tuple[str, ...]
    read: Read = phrase
    credit: Credit = "exact"
    alike: float | None = None


@dataclass(frozen=True, slots=True)
class ListOf(Verifier):
    """Items in their order, each as often as in the gold; 1 if they are those of the gold.

    ``credit`` counts the longest common subsequence as what is right, by the measures of
    :class:`SetOf`.

    >>> steps = ListOf(("mix", "bake", "cool"), credit="f1")
    >>> steps("mix, bake, cool").value, round(steps("bake, mix, cool").value, 2)
    (1.0, 0.67)
    """

    gold: tuple[str, ...]
    read: Read = phrase
    credit: Credit = "exact"

    def __post_init__(self) -> None:
        _check_credit(self.credit)
        if len(gold_keys(self.gold, self.read)) > MOST:
            raise GoldError(f"too many items: {len(self.gold)}")
        if self.credit != "exact":
            _common_subsequence((), ())

    def verify(self, answer: str) -> Score:
        gold = gold_keys(self.gold, self.read)
        keys = said_keys(answer, gold, self.read)
        if keys == gold:
            return Score(1.0)
        shared = 0
        if self.credit != "exact":
            try:
                shared = _common_subsequence(keys, gold)
            except ImportError as missing:
                raise JudgeError(str(missing)) from missing
        swapped = "the order is wrong" if Counter(keys) == Counter(gold) else ""
        return _judged(shared, len(keys), len(gold), self.credit, swapped)
