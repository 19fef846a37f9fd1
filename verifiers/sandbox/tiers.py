r"""Tiers of tests: a test that few wrong programs pass counts more than one that most of them pass.

The programs are mutants of a right one, or wrong answers that have been collected. How many of them
pass a test is measured by judging them; see :func:`passed_shares`.

>>> shares = (1.0, 0.9, 0.4, 0.1)
>>> [tier(share) for share in shares], weights(shares)
([0, 0, 2, 3], (1.0, 1.0, 4.0, 8.0))

Mutation analysis is by R. DeMillo, R. Lipton and F. Sayward (1978).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from palaestra.verifiers.sandbox.judging import Case, IoTest
from palaestra.verifiers.sandbox.outcomes import Verdict

BOUNDS = (0.75, 0.5, 0.25)
"""Up to which shares of wrong programs a test is in the tiers 1, 2 and 3."""

AnyTest = TypeVar("AnyTest", IoTest, Case)


def tier(share: float) -> int:
    """The tier of a test that this share of wrong programs passes, from 0 to 3.

    >>> tier(0.8), tier(0.75), tier(0.0)
    (0, 1, 3)
    """
    return sum(share <= bound for bound in BOUNDS)


def weights(shares: Sequence[float]) -> tuple[float, ...]:
    """The weights of tests: each tier counts twice as much as the one below.

    Raises ``ValueError`` for shares that are not between 0 and 1, or none.
    """
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise ValueError("shares of wrong programs are between 0 and 1, one for each test")
    return tuple(2.0 ** tier(share) for share in shares)


def weighted(tests: Sequence[AnyTest], shares: Sequence[float]) -> tuple[AnyTest, ...]:
    """Tests with the weights of their tiers, for ``judge_io`` and ``judge_calls``: the ``fraction``
    of a verdict then is the weighted share.

    Raises ``ValueError`` unless there is a share for each test.
    """
    _check_number(len(tests), shares)
    return tuple(replace(test, weight=weight) for test, weight in zip(tests, weights(shares)))


def with_tiers(verdict: Verdict, shares: Sequence[float]) -> Verdict:
    """A verdict of the same tests by tiers, for ``judge_asserts`` and for tests without weights.

    ``fraction`` and the part ``weighted`` become the weighted share of tests that pass, and
    ``tier_0`` to ``tier_3`` are the shares in each tier that has tests. All are 1 if every test
    passes, and no test that passes lowers one. Where no share is known, as the program cannot be
    loaded, they are 0; a verdict with ``JUDGE_ERROR`` is returned as it is.

    Raises ``ValueError`` for another number of tests than shares, where some of them pass.
    """
    if verdict.fraction is None:
        return verdict
    sizes = weights(shares)
    passes = [test.status == "PASS" for test in verdict.per_test]
    if not any(passes):
        passes = [False] * len(shares)
    _check_number(len(passes), shares)
    tiers = [tier(share) for share in shares]
    parts = {
        f"tier_{each}": _mean([good for good, other in zip(passes, tiers) if other == each])
        for each in sorted({*tiers})
    }
    total = sum(size for size, good in zip(sizes, passes) if good) / sum(sizes)
    share = 1.0 if all(passes) else total
    return replace(verdict, fraction=share, parts={**verdict.parts, **parts, "weighted": share})


def _mean(passes: Sequence[bool]) -> float:
    return sum(passes) / len(passes)


def _check_number(number: int, shares: Sequence[float]) -> None:
    if number != len(shares):
        raise ValueError(f"there are {number} tests, and shares of {len(shares)}")


def passed_shares(
    judge: Callable[[str], Verdict], programs: Iterable[str], number: int
) -> tuple[float, ...]:
    """The share of wrong programs that pass each of a number of tests.

    ``judge`` gives the verdict of a source over all of these tests: without ``early_exit``, and
    with a ``patience`` of as many tests, since tests that are not tried count as failed. Programs
    that pass all tests are left out, as they may be right; so are those that pass none, which may
    be no programs at all, and say nothing about which test is harder.

    Raises ``ValueError`` where no program is left, and ``RuntimeError`` where the judge fails.
    """
    counts, tried = [0] * number, 0
    for source in programs:
        verdict = judge(source)
        if verdict.fraction is None:
            raise RuntimeError(f"a program could not be judged: {verdict.status}")
        if 0 < verdict.passed < number:
            tried += 1
            if len(verdict.per_test) != number:
                raise ValueError(f"the verdict has {len(verdict.per_test)} tests, not {number}")
            for n, test in enumerate(verdict.per_test):
                counts[n] += test.status == "PASS"
    if not tried:
        raise ValueError("no wrong program passes some of the tests but not all")
    return tuple(count / tried for count in counts)
