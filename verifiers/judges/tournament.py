"""Tournaments of answers, and strengths worked out from who beat whom.

The strengths are those of Bradley and Terry ("Rank analysis of incomplete block designs", 1952),
found by Hunter's minorisation ("MM algorithms for generalized Bradley-Terry models", 2004).
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import NamedTuple

from palaestra.task import JudgeError
from palaestra.verifiers.judges.canaries import CanaryAlarm
from palaestra.verifiers.verifier import GoldError

Match = Callable[[str, str], float]
"""Called with two names; gives 1 where the first one wins, 0 where it loses, 0.5 for a tie."""


class Result(NamedTuple):
    """What came of one comparison: ``outcome`` is 1, 0.5 or 0 for the first."""

    first: str
    second: str
    outcome: float


class Standings(NamedTuple):
    """The end of a tournament."""

    strengths: Mapping[str, float]
    """The strength of each player, the strongest first; 1 is the average player's."""

    results: Sequence[Result]
    """All comparisons that gave an outcome."""

    unscored: Sequence[tuple[str, str]]
    """All that the judge failed to make; they count for nobody."""


def tournament(
    players: Iterable[str],
    match: Match,
    rounds: int | None = None,
    most: int = 2_000,
    workers: int = 1,
) -> Standings:
    """Compare the players pairwise, and return the strength of each.

    Without ``rounds`` it is a round robin: everybody meets everybody, in ``n (n - 1) / 2``
    comparisons. With them it is a Swiss tournament: in each round neighbours in the table meet
    that have not met before, in ``n / 2`` comparisons or fewer; log2 of the players and one more
    are enough to find the best. ``most`` bounds the comparisons, of which ``workers`` are made at
    a time.

    The schedule follows from the names alone, so neither their order nor chance matters. A match
    that raises :class:`~palaestra.task.JudgeError` is left out; a canary's alarm is not.

    Raises :class:`~palaestra.verifiers.verifier.GoldError` for fewer than two players, a name that
    is given twice, or more comparisons than allowed, and JudgeError where no match gave an outcome.

    >>> table = tournament("abc", lambda one, other: float(one < other))
    >>> list(table.strengths), len(table.results)
    (['a', 'b', 'c'], 3)
    """
    names = sorted(players)
    if len(names) < 2 or len(set(names)) < len(names):
        raise GoldError("a tournament has two players or more, each with a name of its own")
    planned = math.comb(len(names), 2) if rounds is None else rounds * (len(names) // 2)
    if not 1 <= planned <= most:
        raise GoldError(f"that makes {planned} comparisons, and from 1 to {most} are allowed")
    results: list[Result] = []
    failed: list[tuple[str, str]] = []
    for _ in range(1 if rounds is None else rounds):
        met = {*failed, *((first, second) for first, second, _ in results)}
        pairs = list(combinations(names, 2)) if rounds is None else _swiss(names, results, met)
        played = _played(pairs, match, workers)
        results += [Result(*pair, o) for pair, o in zip(pairs, played) if o is not None]
        failed += [pair for pair, outcome in zip(pairs, played) if outcome is None]
    if not results:
        raise JudgeError("no comparison gave an outcome")
    strengths = bradley_terry(results, names)
    return Standings(strengths, tuple(results), tuple(failed))


def _played(pairs: Sequence[tuple[str, str]], match: Match, workers: int) -> list[float | None]:
    def outcome(pair: tuple[str, str]) -> float | None:
        try:
            return match(*pair)
        except CanaryAlarm:
            raise  # no other verdict of this judge counts either
        except JudgeError:
            return None

    with ThreadPoolExecutor(max(1, workers)) as pool:
        return list(pool.map(outcome, pairs))


def _swiss(
    names: Sequence[str], results: Iterable[Result], met: set[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The next round: from the top of the table, each meets the nearest it has not met."""
    points = dict.fromkeys(names, 0.0)
    for first, second, outcome in results:
        points[first] += outcome
        points[second] += 1 - outcome
    waiting = sorted(names, key=lambda name: (-points[name], name))
    pairs = []
    while waiting:
        name = waiting.pop(0)
        free = (other for other in waiting if (min(name, other), max(name, other)) not in met)
        rival = next(free, None)
        if rival is not None:  # who has met everybody left sits the round out
            waiting.remove(rival)
            pairs.append((min(name, rival), max(name, rival)))
    return pairs


def bradley_terry(
    results: Iterable[tuple[str, str, float]],
    players: Iterable[str] = (),
    prior: float = 0.5,
    steps: int = 2_000,
) -> dict[str, float]:
    """The strengths that make the results likeliest, the strongest first.

    A player of strength p beats one of strength q with probability p / (p + q); a tie is half a
    win for both. Everybody has won and lost ``prior`` games more against an average player of
    strength 1, so that who never lost, or never played, has a finite strength too. At most
    ``steps`` rounds of improvement are made.

    >>> bradley_terry([("a", "b", 1.0), ("b", "c", 0.5)], prior=1)["a"] > 1
    True
    """
    if not 0 < prior < math.inf:
        raise GoldError(f"prior is a number above 0, not {prior}")
    wins: dict[str, float] = dict.fromkeys(sorted(players), prior)
    games: dict[str, dict[str, int]] = {name: {} for name in wins}
    for first, second, outcome in sorted(results):
        if not 0 <= outcome <= 1 or first == second:
            raise GoldError(f"{first!r} against {second!r} cannot end {outcome}")
        for name, rival, won in ((first, second, outcome), (second, first, 1 - outcome)):
            wins[name] = wins.get(name, prior) + won
            met = games.setdefault(name, {})
            met[rival] = met.get(rival, 0) + 1
    strengths = _likeliest(wins, games, prior, steps)
    return dict(sorted(strengths.items(), key=lambda entry: (-entry[1], entry[0])))


def _likeliest(
    wins: Mapping[str, float], games: Mapping[str, Mapping[str, int]], prior: float, steps: int
) -> dict[str, float]:
    strengths = dict.fromkeys(sorted(wins), 1.0)
    for _ in range(steps):
        better = {}
        for name, own in strengths.items():
            # `fsum` is exact, so the order in which games are counted does not show.
            against = [n / (own + strengths[rival]) for rival, n in games[name].items()]
            better[name] = wins[name] / math.fsum([*against, 2 * prior / (own + 1)])
        moved = max(abs(math.log(better[name] / own)) for name, own in strengths.items())
        strengths = better
        if moved < 1e-12:
            break
    return strengths
