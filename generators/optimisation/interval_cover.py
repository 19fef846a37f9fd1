"""Exact solutions of weighted problems about intervals of days, by sweeps over the days."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

Interval = tuple[int, int]
"""The first and the last day, both of which belong to it."""


class Partial(NamedTuple):
    """The best cost of a state of a sweep, and the options chosen for it."""

    cost: int
    chosen: tuple[int, ...]


States = Mapping[tuple[int, ...], Partial]


def best_of(states: Iterable[tuple[tuple[int, ...], Partial]]) -> dict[tuple[int, ...], Partial]:
    """The cheapest way to each state."""
    best = dict[tuple[int, ...], Partial]()
    for state, way in states:
        if state not in best or way < best[state]:
            best[state] = way
    return best


def cheapest_layers(
    intervals: Sequence[Interval], costs: Sequence[int], needs: Sequence[int]
) -> tuple[list[int], int]:
    """The cheapest intervals such that each day is in as many as it needs, and the states examined.

    A state of the sweep is the last days of the chosen intervals that go on the longest.

    >>> cheapest_layers([(1, 2), (2, 3), (1, 3)], [2, 2, 5], [1, 1, 1])[0]
    [0, 1]
    """
    most, examined = max(needs), 0
    states: States = {(): Partial(0, ())}
    for day, need in enumerate(needs, 1):
        for number in (n for n, (start, _) in enumerate(intervals) if start == day):
            end, cost = intervals[number][1], costs[number]
            states = best_of(
                option
                for ends, way in states.items()
                for option in (
                    (ends, way),
                    (
                        tuple(sorted((*ends, end), reverse=True)[:most]),
                        Partial(way.cost + cost, (*way.chosen, number)),
                    ),
                )
            )
            examined += len(states)
        states = best_of(
            (tuple(end for end in ends if end > day), way)
            for ends, way in states.items()
            if len(ends) >= need
        )
        examined += len(states)
    return sorted(min(states.values()).chosen), examined


def dearest_packing(
    intervals: Sequence[Interval], values: Sequence[int], limit: int
) -> tuple[list[int], int]:
    """The intervals of the greatest value of which at most ``limit`` share a day, and the states.

    >>> dearest_packing([(1, 2), (2, 3), (3, 4)], [2, 3, 2], 1)[0]
    [0, 2]
    """
    examined = 0
    states: States = {(): Partial(0, ())}
    for number in sorted(range(len(intervals)), key=lambda n: intervals[n]):
        start, end = intervals[number]
        options = []
        for ends, way in states.items():
            running = tuple(each for each in ends if each >= start)
            options.append((running, way))
            if len(running) < limit:
                more = Partial(way.cost - values[number], (*way.chosen, number))
                options.append((tuple(sorted((*running, end))), more))
        states = best_of(options)
        examined += len(states)
    return sorted(min(states.values()).chosen), examined


def cheapest_stabbing(intervals: Sequence[Interval], costs: Sequence[int]) -> tuple[list[int], int]:
    """The cheapest days, counted from 0, of which each interval contains one, and the states.

    >>> cheapest_stabbing([(1, 2), (2, 3)], [1, 3, 1])[0]
    [0, 2]
    """
    days, examined = len(costs), 0
    best = {0: Partial(0, ())}  # by the last day chosen
    for day in range(1, days + 2):
        ended = max((start for start, end in intervals if end < day), default=0)
        ways = [way for last, way in best.items() if last >= ended]
        examined += len(ways)
        way = min(ways)
        if day > days:
            return list(way.chosen), examined
        best[day] = Partial(way.cost + costs[day - 1], (*way.chosen, day - 1))
    raise AssertionError("the last day ends the sweep")


def cheapest_dominating(
    intervals: Sequence[Interval], costs: Sequence[int]
) -> tuple[list[int], int]:
    """The cheapest intervals of which each other one meets one, and the states examined.

    A state of the sweep is the last day of the chosen intervals, and the first of the last days of
    those that meet none of them so far.

    >>> cheapest_dominating([(1, 2), (2, 4), (4, 5)], [1, 3, 1])[0]
    [0, 2]
    """
    never, examined = 1 + max(end for _, end in intervals), 0
    states: States = {(0, never): Partial(0, ())}
    for number in sorted(range(len(intervals)), key=lambda n: intervals[n]):
        start, end = intervals[number]
        options = []
        for (last, waiting), way in states.items():
            if waiting < start:
                continue  # one that meets none ended before
            chosen = Partial(way.cost + costs[number], (*way.chosen, number))
            options.append(((max(last, end), never), chosen))
            left = waiting if last >= start else min(waiting, end)
            options.append(((last, left), way))
        states = best_of(options)
        examined += len(states)
    done = (way for (_, waiting), way in states.items() if waiting == never)
    return sorted(min(done).chosen), examined


def flow_cost(
    intervals: Sequence[Interval], costs: Sequence[int], idle: Sequence[int], units: int
) -> int | None:
    """The least cost of sending units from the first day to the last, each along intervals, one
    unit in each of them, or idle; None where they do not fit.

    ``idle`` is how many units may be idle on each day. Where all costs are positive, a unit may
    also go back in time for nothing.
    """
    back = units if min(costs) > 0 else 0
    arcs = [[start - 1, end, 1, cost] for (start, end), cost in zip(intervals, costs)]
    for day, room in enumerate(idle):
        arcs += [[day, day + 1, room, 0], [day + 1, day, back, 0]]
    arcs = [each for u, v, room, cost in arcs for each in ([u, v, room, cost], [v, u, 0, -cost])]
    total = 0
    for _ in range(units):
        way = shortest_way(arcs, len(idle))
        if way is None:
            return None
        for number in way:
            arcs[number][2] -= 1
            arcs[number ^ 1][2] += 1
            total += arcs[number][3]
    return total


def shortest_way(arcs: Sequence[Sequence[int]], last: int) -> list[int] | None:
    """The arcs of a cheapest way from node 0 to the last node, by Bellman and Ford."""
    spent: dict[int, int] = {0: 0}
    into: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for number, (u, v, room, cost) in enumerate(arcs):
            if room and u in spent and spent[u] + cost < spent.get(v, spent[u] + cost + 1):
                spent[v], into[v], changed = spent[u] + cost, number, True
    if last not in spent:
        return None
    way = []
    while last:
        way.append(into[last])
        last = arcs[into[last]][0]
    return way


def random_intervals(rng: Random, number: int, days: int) -> list[Interval]:
    """Different intervals of two days to a third of all, which together contain every day."""
    longest = max(3, days // 3)
    intervals = list[Interval]()
    day = 1
    while day <= days:  # two rows of intervals contain each day
        end = min(days, day + rng.randint(2, longest) - 1)
        intervals.append((min(day, max(1, end - 1)), end))
        day = end + 1
    while len(intervals) < number:
        length = rng.randint(2, longest)
        start = rng.randint(1, days - length + 1)
        if (start, start + length - 1) not in intervals:
            intervals.append((start, start + length - 1))
    rng.shuffle(intervals)
    return intervals


def near_costs(rng: Random, sizes: Iterable[int], unit: int, noise: int) -> list[int]:
    """Costs that follow the sizes, but for noise, so that no one is a bargain."""
    return [max(1, size * unit + rng.randint(-noise, noise)) for size in sizes]


def greedy_cover(
    reach: Sequence[Iterable[int]],
    needs: Sequence[int],
    rank: Callable[[int, int], float],
    rng: Random,
) -> list[int]:
    """The option of the least rank, again and again, until every element has what it needs.

    ``rank`` depends on the option and on how many needs it serves; elements count from 0.
    """
    left, chosen = list(needs), list[int]()
    options = rng.sample(range(len(reach)), len(reach))
    while any(left):
        ranked = []
        for option in options:
            serves = sum(left[each] > 0 for each in reach[option])
            if serves and option not in chosen:
                ranked.append((rank(option, serves), option))
        if not ranked:
            break
        best = min(ranked)[1]
        chosen.append(best)
        for each in reach[best]:
            left[each] = max(0, left[each] - 1)
    return chosen
