"""What is made of the scores of several responses to one task.

``values`` are scores from 0 to 1, with None for a response that could not be scored: it is left out
everywhere, and has None in what is returned for each response. Everything is a closed form. NaN and
infinities raise ``ValueError``, and so does a ``k`` above the number of scored responses.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import comb, fsum, isfinite, sqrt
from typing import Any

from palaestra.verifiers.votes import plainly

Values = Sequence[float | None]

Key = Callable[[str], Hashable]
"""Gives the same for answers that are the same."""


class UnknownTransform(ValueError):
    """The name of a group transform that does not exist."""


def scored(values: Values) -> list[float]:
    """The values that there are. Raises ``ValueError`` for one that is not a finite number."""
    known = [float(value) for value in values if value is not None]
    if not all(map(isfinite, known)):
        raise ValueError("a score is a finite number")
    return known


def mean(values: Values) -> float | None:
    """Return the mean, or None if nothing was scored.

    >>> mean([1, 0, None, 0.5])
    0.5
    """
    known = scored(values)
    return fsum(known) / len(known) if known else None


def best(values: Values) -> float | None:
    """Return the highest value, or None if nothing was scored."""
    return max(scored(values), default=None)


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that one of ``k`` responses is right, of ``n`` of which ``c`` are; 0 to 1.

    It is unbiased: the share of all choices of k of the n that hold a right one (Chen et al. 2021).
    It is worked out in whole numbers and rounded once. Raises ``ValueError`` for ``k > n``.

    >>> pass_at_k(4, 2, 2)
    0.8333333333333334
    """
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ValueError(f"pass@k has 0 <= c <= n and 1 <= k <= n, not n={n}, c={c}, k={k}")
    # Choosing k so that all miss the c, or c so that all miss the k: the shares are the same.
    few, many = sorted((c, k))
    if few * many > 40 * n:  # all miss with a chance below exp(-40), which rounds to 1
        return 1.0
    total = comb(n, few)
    return (total - comb(n - many, few)) / total


def max_at_k(values: Values, k: int) -> float:
    """The expected best of ``k`` responses; for values of 0 and 1 the same as :func:`pass_at_k`.

    It is the mean of the maximum over all choices of k, hence unbiased; exact, and rounded once.

    >>> max_at_k([0, 0.5, 1], 2)
    0.8333333333333334
    """
    known = sorted(scored(values))
    _check_k(k, known)
    # The n-th of the sorted values is the best of as many choices as take the others from below it.
    total = sum(comb(n, k - 1) * Fraction(value) for n, value in enumerate(known))
    return float(total / comb(len(known), k))


def leave_one_out(values: Values) -> list[float | None]:
    """Each value less the mean of the others (RLOO, Kool et al. 2019); 0 in a group of one.

    >>> leave_one_out([1, None, 0, 0])
    [1.0, None, -0.5, -0.5]
    """
    known = scored(values)
    if len(set(known)) < 2:
        return _zeros(values)
    total, others = fsum(known), len(known) - 1
    return [None if v is None else v - (total - v) / others for v in values]


def group_normalized(
    values: Values, eps: float = 1e-6, std: bool = True, ddof: int = 1
) -> list[float | None]:
    """Each value less the mean, over the standard deviation (GRPO, Shao et al. 2024).

    ``std=False`` leaves the division out (Dr. GRPO, Liu et al. 2025). ``ddof=1`` is the deviation
    of a sample, as trainers take it, 0 that of a population. A group of one, and one of all the
    same, has zeros.

    >>> group_normalized([1, 0, None, 0, 1], std=False)
    [0.5, -0.5, None, -0.5, 0.5]
    """
    known = scored(values)
    if ddof not in (0, 1) or not eps >= 0:
        raise ValueError("ddof is 0 or 1, and eps at least 0")
    if len(set(known)) < 2:
        return _zeros(values)
    centre = fsum(known) / len(known)
    variance = fsum((value - centre) ** 2 for value in known) / (len(known) - ddof)
    scale = sqrt(variance) + eps if std else 1.0
    return [None if v is None else (v - centre) / scale if scale else 0.0 for v in values]


def max_at_k_advantages(values: Values, k: int) -> list[float | None]:
    """What each response adds to the best of ``k - 1`` others, on average; 0 or more.

    ``k / n`` times the sum of advantage times the gradient of the log-likelihood is an unbiased
    estimate of the gradient of max@k: the baseline, the best without the response, does not depend
    on it (PKPO with leave-one-out of k - 1, Walder & Karkhanis 2025). For ``k = 1`` there is no
    such baseline, and it is :func:`leave_one_out`.

    >>> max_at_k_advantages([0, 0.5, 1], 2)
    [0.0, 0.25, 0.75]
    """
    known = sorted(scored(values))
    _check_k(k, known)
    if k == 1:
        return leave_one_out(values)
    total = comb(len(known) - 1, k - 1)
    # Among the choices of k - 1 others, so many have the n-th value on top, below the response's.
    weights = [comb(n, k - 2) / total for n in range(len(known))]
    added = {
        value: fsum(w * (value - below) for w, below in zip(weights, known) if below < value)
        for value in set(known)
    }
    return [None if v is None else added[float(v)] for v in values]


def pass_at_k_advantages(values: Values, k: int) -> list[float | None]:
    """Return the advantages of pass@k, for responses that are right (1) or not (0).

    >>> pass_at_k_advantages([1, 0, 0, 0.9], 2)
    [1.0, 0.0, 0.0, 0.0]
    """
    return max_at_k_advantages([v if v is None else float(v == 1) for v in values], k)


def distinct(values: Values, answers: Sequence[str], key: Key = plainly) -> int:
    """How many different right answers there are.

    >>> distinct([1, 1, 1, 0], ["2", " 2", "3", "4"])
    2
    """
    return len(_right(values, answers, key))


def diversity(
    values: Values, answers: Sequence[str], key: Key = plainly, bonus: float = 1.0
) -> list[float | None]:
    """A bonus for each different right answer, shared by those that give it; 0 to ``bonus``.

    Wrong answers get none, however original. Saying a right answer once more only splits its share.

    >>> diversity([1, 1, 1, 0], ["2", " 2", "3", "4"])
    [0.5, 0.5, 1.0, 0.0]
    """
    if not 0 <= bonus < float("inf"):
        raise ValueError("a bonus is a finite number of at least 0")
    givers = _right(values, answers, key)
    return [
        None if value is None else bonus / givers[key(answer)] if value == 1 else 0.0
        for value, answer in zip(values, answers)
    ]


def majority(values: Values, answers: Sequence[str], key: Key = plainly) -> float | None:
    """Return the value of the most frequent answer (maj@n), or None if nothing was scored.

    Where several are given most often it is their mean, which is what a draw of lots is worth.

    >>> majority([1, 1, 0, 0, 0], ["2", "2", "3", "4", "5"])
    1.0
    """
    _check_answers(values, answers)
    scored(values)
    pairs = [(key(a), v) for v, a in zip(values, answers) if v is not None]
    votes = Counter(name for name, _ in pairs)
    most = max(votes.values(), default=0)
    # All classes at the top are of the same size, so the mean over them is that over the answers.
    return mean([value for name, value in pairs if votes[name] == most])


def length_preference(values: Values, lengths: Sequence[int]) -> list[float | None]:
    """A preference for the shorter of a group's responses, from -0.5 to 0.5 (Kimi k1.5, 2025).

    From 0.5 for the shortest to -0.5 for the longest, in proportion; for wrong responses at most 0.
    All are 0 where all are of one length. With a weight below 2 beside a truth of 0 or 1 it keeps
    order: the two ends of it, -0.5 for a long right and 0 for a short wrong one, are 0.5 apart.

    >>> length_preference([1, 1, 0, 0], [100, 300, 100, 200])
    [0.5, -0.5, 0.0, 0.0]
    """
    _check_answers(values, lengths)
    scored(values)
    known = [length for value, length in zip(values, lengths) if value is not None]
    if any(length < 0 for length in known):
        raise ValueError("a length is at least 0")
    if len(set(known)) < 2:
        return _zeros(values)
    shortest, spread = min(known), max(known) - min(known)
    rewards = [0.5 - (length - shortest) / spread for length in lengths]
    return [
        None if value is None else g if value == 1 else min(0.0, g)
        for value, g in zip(values, rewards)
    ]


PLAIN: Mapping[str, Callable[[Values], Any]] = {
    "mean": mean,
    "best": best,
    "leave_one_out": leave_one_out,
    "group_normalized": group_normalized,
}
BY_K: Mapping[str, Callable[[Values, int], Any]] = {
    "pass": lambda values, k: pass_at_k(len(scored(values)), sum(v == 1 for v in values), k),
    "max": max_at_k,
    "pass_advantages": pass_at_k_advantages,
    "max_advantages": max_at_k_advantages,
}
BY_ANSWER: Mapping[str, Callable[[Values, Sequence[str]], Any]] = {
    "majority": majority,
    "distinct": distinct,
    "diversity": diversity,
}


def transform(name: str, values: Values, answers: Sequence[str] | None = None) -> Any:
    """A transform by its name: a number for the group, or a list with one for each response.

    The names are ``mean``, ``best``, ``leave_one_out`` and ``group_normalized``; ``pass@4`` and
    likewise ``max@k``, ``pass_advantages@k`` and ``max_advantages@k``; and, where the ``answers``
    are given, ``majority``, ``distinct`` and ``diversity``. A ``k`` above the number of scored
    responses, though not above that of all, gives None: that the judge failed is nobody's slip.

    Raises :class:`UnknownTransform` for any other name.

    >>> transform("pass@2", [1, 0, None, 0]), transform("distinct", [1, 0], ["2", "3"])
    (0.6666666666666666, 1)
    """
    name_of_transform, at, k = name.partition("@")
    if not at and name_of_transform in PLAIN:
        return PLAIN[name_of_transform](values)
    if not at and name_of_transform in BY_ANSWER and answers is not None:
        return BY_ANSWER[name_of_transform](values, answers)
    if (
        name_of_transform in BY_K
        and k.isascii()
        and k.isdecimal()
        and len(k) < 7
        and 0 < int(k) <= len(values)
    ):
        return BY_K[name_of_transform](values, int(k)) if int(k) <= len(scored(values)) else None
    names = [
        *PLAIN,
        *(BY_ANSWER if answers is not None else ()),
        *(f"{name_of_transform}@k" for name_of_transform in BY_K),
    ]
    raise UnknownTransform(
        f"a transform is {', '.join(names[:-1])} or {names[-1]}, with k up to the {len(values)} "
        f"responses, not {name[:40]!r}"
    )


def _zeros(values: Values) -> list[float | None]:
    return [None if value is None else 0.0 for value in values]


def _check_k(k: int, known: Sequence[float]) -> None:
    if not 1 <= k <= len(known):
        raise ValueError(f"k goes from 1 to the {len(known)} scored responses, so it is not {k}")


def _check_answers(values: Values, answers: Sequence[Any]) -> None:
    if len(values) != len(answers):
        raise ValueError(f"{len(values)} values do not go with {len(answers)} answers")


def _right(values: Values, answers: Sequence[str], key: Key) -> Counter[Hashable]:
    """How often each right answer is given."""
    _check_answers(values, answers)
    scored(values)
    return Counter(key(answer) for value, answer in zip(values, answers) if value == 1)
