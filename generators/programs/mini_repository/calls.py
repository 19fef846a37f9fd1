"""Calls of the functions of a repository, with arguments that bring their corners out."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from palaestra.generators.people import NAMES
from palaestra.generators.programs.mini_repository.repositories import Called, functions

Drawer = Callable[[Random], Any]

GOODS = ("box", "pen", "lamp", "torch", "mug", "bench", "clock", "glass", "rope")
NOISE = ("Big Red-Box", "a, b & c", "Room 12b", "x", "--", "Two  words", "END.", "it is 7 o'clock")


def _many(draw: Drawer, least: int, most: int) -> Drawer:
    return lambda r: [draw(r) for _ in range(r.randint(least, most))]


def _whole(low: int, high: int) -> Drawer:
    return lambda r: r.randint(low, high)


def _of(*values: Any) -> Drawer:
    return lambda r: r.choice(values)


def _each(*draws: Drawer) -> Drawer:
    return lambda r: [draw(r) for draw in draws]


def _span(r: Random) -> list[int]:
    start = r.randint(0, 12)
    return [start, start + r.randint(1, 7)]


def _meeting(r: Random) -> list[int]:
    start = 5 * r.randint(0, 40)
    return [start, start + 5 * r.randint(1, 15)]


def _free_of_clashes(r: Random) -> list[list[int]]:
    slots, moment = [], 0
    for _ in range(r.randint(0, 4)):
        moment += 5 * r.randint(0, 4)
        slots.append([moment, moment + 5 * r.randint(1, 9)])
        moment = slots[-1][1]
    r.shuffle(slots)
    return slots


def _window(r: Random) -> list[int]:
    return [5 * r.randint(0, 8), 5 * r.randint(16, 40)]


def _date(r: Random) -> list[int]:
    year = r.choice((1900, 2000, 2023, 2024, 2025, 2100))
    return [
        year,
        r.choice((1, 2, 2, 3, 7, 11, 12, 12)),
        r.choice((1, 15, 27, 28, r.randint(1, 28))),
    ]


def _edges(r: Random) -> list[list[int]]:
    edges = [[r.randint(1, 7), r.randint(1, 7)] for _ in range(r.randint(5, 14))]
    return [*edges, *edges[: r.randint(0, 2)]]


def _trip(r: Random) -> list[Any]:
    stations = r.sample(range(1, 9), 7)
    chain = [[one, other] for one, other in pairwise(stations)]
    short = [r.sample(stations, 2) for _ in range(r.randint(0, 2))]
    return [r.sample([*chain, *short], len(chain) + len(short)), *r.sample(stations, 2)]


def _forward(r: Random) -> list[list[int]]:
    pairs = [sorted(r.sample(range(1, 8), 2)) for _ in range(r.randint(2, 8))]
    names = r.sample(range(1, 20), 8)
    return [[names[one], names[other]] for one, other in pairs]


def _grid(most: int, height: int = 5) -> Drawer:
    def draw(r: Random) -> list[list[int]]:
        width = r.randint(1, 5)
        return [[r.randint(1, most) for _ in range(width)] for _ in range(r.randint(1, height))]

    return draw


def _cell(r: Random) -> list[Any]:
    grid = _grid(3)(r)
    return [grid, r.randrange(len(grid)), r.randrange(len(grid[0]))]


def _turns(r: Random) -> list[Any]:
    one = _grid(2, 3)(r)
    other = one
    for _ in range(r.randint(0, 3)):
        other = [list(column) for column in zip(*other[::-1])]
    if r.random() < 0.2:
        other = [row[::-1] for row in other]
    return [one, other]


def _line_of_csv(r: Random) -> str:
    parts = ["ab", "", " c d", '"x,y"', '"say ""hi"""', '"q"', "7", '"a"",b"']
    return ",".join(r.choice(parts) for _ in range(r.randint(1, 5)))


def _length(r: Random) -> str:
    hours, rest = r.choice((0, 1, 2, 6, 7, 8, 9, 10, 12)), r.choice((0, 5, 7, 30, 45, 59))
    forms = [f"{hours}h{rest:02d}m", f"{hours}h{rest:02d}m", f"{hours}h"]
    return r.choice(forms if hours else [f"{rest}m"])


def _steps(*draws: Drawer) -> Drawer:
    return _many(lambda r: r.choice(draws)(r), 8, 20)


def _games(r: Random) -> list[list[Any]]:
    teams = ["ants", "bees", "cats", "dogs"]
    return [[*r.sample(teams, 2), r.randint(0, 3), r.randint(0, 3)] for _ in range(r.randint(3, 9))]


def _fitted(r: Random) -> list[Any]:
    text = _sentence(r)
    return [text, r.choice((max(2, len(text) + r.randint(-1, 1)), r.randint(4, 16)))]


def _price(r: Random) -> str:
    whole = r.choice((0, 3, 7, 12, 140))
    return r.choice((f"{whole}", f"{whole}.5", f"{whole}.05", f"{whole}.{r.randint(10, 99)}"))


_settings = _many(_of("a=1", "b=x=y", "c", "a=", "d=2=", "b=4"), 0, 4)
_cents = _of(0, 1, 5, 49, 50, 99, 100, 105, 1_000, 1_249, 12_345)
_store = lambda r: {good: r.randint(1, 9) for good in r.sample(GOODS, r.randint(1, 5))}  # noqa: E731
_good = _of(*GOODS)
_text = _many(_of(*NOISE, *GOODS), 1, 5)
_sentence: Drawer = lambda r: " ".join(_text(r))  # noqa: E731
_numbers_of = _many(_of(0, 1, 2, 3, 5, 7, 9, 10, 19, 20, 24, 25, 30, 41, 50, 68), 1, 9)
_order = _many(_each(_good, _of(1, 2, 2, 4, 5), _of(250, 500, 1_000, 1_000, 1_999, 2_500)), 1, 4)
_week = _many(_length, 1, 7)
_booking = _each(_of("cash", "bank"), _whole(1, 4), _of(-500, -120, -5, 40, 300, 1_000))
_wishes = _many(_each(_good, _whole(1, 9)), 1, 5)
_joins = _each(_of("join"), _of(*NAMES), _whole(1, 6))

ARGUMENTS: dict[str, Drawer] = {
    "money.parse_price": _each(_price),
    "money.show_price": _each(lambda r: r.choice((1, -1)) * _cents(r)),
    "money.split_evenly": _each(_whole(0, 200), _whole(1, 7)),
    "money.percentage": _each(_cents, _whole(1, 60)),
    "words.slug": _each(_sentence),
    "words.shorten": _fitted,
    "words.counted": _each(_whole(0, 3), _of(*GOODS, "cloth", "disc")),
    "words.wrap": _each(_sentence, _whole(5, 16)),
    "spans.overlaps": _each(_span, _span),
    "spans.merged": _each(_many(_span, 0, 5)),
    "spans.length": _each(_many(_span, 0, 5)),
    "spans.gaps": _each(_many(_span, 0, 4), _whole(0, 7), _whole(8, 21)),
    "dates.is_leap": _each(_of(1896, 1900, 1999, 2000, 2024, 2025, 2100, 2400)),
    "dates.month_length": _each(_of(1900, 2000, 2023, 2024), _whole(1, 12)),
    "dates.day_of_year": _date,
    "dates.later": _each(_date, _of(0, 1, 2, 3, 4, 20, 31, 60, 400)),
    "graphs.targets": _each(_edges, _whole(1, 7)),
    "graphs.distances": _each(_edges, _whole(1, 7)),
    "graphs.sources": _each(_edges),
    "graphs.layers": _each(_forward),
    "grids.turned": _each(_grid(9)),
    "grids.around": _cell,
    "grids.region": _cell,
    "grids.border_sum": _each(_grid(9)),
    "stats.median": _each(_numbers_of),
    "stats.mode": _each(_many(_whole(1, 4), 1, 8)),
    "stats.mean": _each(_numbers_of),
    "stats.bins": _each(_numbers_of),
    "stats.running": _each(_numbers_of, _whole(1, 4)),
    "parsing.fields": _each(_line_of_csv),
    "parsing.pairs": _each(lambda r: ";".join(_settings(r))),
    "parsing.minutes": _each(_length),
    "parsing.duration": _each(_of(0, 5, 45, 59, 60, 61, 65, 90, 119, 120, 125, 610)),
    "caches.replay": _each(
        _whole(1, 3),
        _steps(_each(_of("put"), _of(*"abc"), _whole(1, 9)), _each(_of("get"), _of(*"abc"))),
    ),
    "caches.hits": _each(_whole(1, 3), _many(_of(*"abcd"), 3, 12)),
    "stock.added": _each(_store, _good, _whole(1, 5)),
    "stock.taken": _each(_store, _good, _whole(1, 9)),
    "stock.scarce": _each(_store),
    "stock.joined": _each(_store, _store),
    "league.points": _each(_games),
    "league.goal_difference": _each(_games, _of("ants", "bees", "cats", "dogs")),
    "league.standings": _each(_games),
    "league.pairings": _each(lambda r: r.sample(NAMES, r.randint(0, 4))),
    "queues.served": _each(_steps(_joins, _each(_of("serve")))),
    "queues.left_over": _each(_steps(_joins, _each(_of("serve")))),
    "orders.subtotal": _each(_order),
    "orders.total": _each(_order),
    "orders.receipt": _each(_order),
    "orders.dearest": _each(_order),
    "shipping.fulfilled": _each(_store, _wishes),
    "shipping.to_reorder": _each(_store, _wishes),
    "shipping.parcels": _each(_many(_of(1, 2, 4, 5, 5, 8, 10), 1, 12)),
    "meetings.clashes": _each(_many(_meeting, 0, 4)),
    "meetings.first_free": lambda r: [_many(_meeting, 0, 4)(r), _of(5, 10, 30, 45)(r), *_window(r)],
    "meetings.busy_time": _each(_many(_meeting, 0, 4)),
    "meetings.with_breaks": _each(_many(_meeting, 0, 4)),
    "reports.summary": _each(_numbers_of),
    "reports.table": _each(_many(_many(_of(*NOISE, *GOODS), 1, 3), 1, 3)),
    "reports.bars": _each(_numbers_of),
    "travel.fare": lambda r: r.choice((_trip, _trip, _each(_edges, _whole(1, 3), _whole(1, 3))))(r),
    "travel.within": _each(_edges, _whole(1, 7), _whole(0, 4)),
    "travel.walk": _each(_edges, _whole(1, 7), _many(_whole(0, 5), 0, 5)),
    "accounts.balances": _each(
        _steps(
            lambda r: ["book", *_booking(r)],
            _each(_of("undo")),
            _each(_of("ask"), _of("cash", "bank")),
        )
    ),
    "accounts.lowest": _each(_many(_booking, 0, 7), _of("cash", "bank")),
    "accounts.shared": _each(lambda r: r.sample(NAMES, r.randint(1, 4)), _cents),
    "payroll.worked": _each(_week),
    "payroll.day_wage": _each(_length, _of(900, 1_250, 1_999, 3_000)),
    "payroll.week_wage": _each(_week, _of(900, 1_250, 1_999, 3_000)),
    "payroll.longest_day": _each(_week),
    "seasons.fixtures": _each(lambda r: r.sample(NAMES, r.randint(0, 4)), _date),
    "seasons.champion": _each(_games),
    "seasons.gap": _each(_games),
    "seasons.span": _each(lambda r: [[2024, *_date(r)[1:]] for _ in range(r.randint(1, 4))]),
    "fields.largest_patch": _each(_grid(2)),
    "fields.fences": _each(_grid(3)),
    "fields.is_turned": _turns,
    "fields.rim": _each(_grid(6)),
    "office.result": _each(_many(_order, 0, 3), _week, _of(900, 1_250)),
    "office.agenda": _each(lambda r: r.choice((_many(_meeting, 0, 3), _free_of_clashes))(r)),
    "office.call_back": lambda r: [
        _many(_meeting, 0, 3)(r), _many(_of(5, 20, 40), 1, 4)(r), *_window(r)
    ],
    "office.taxed": _each(_many(_order, 0, 3)),
}  # fmt: skip
"""The arguments of each function that is called from outside, by chance."""


def called(module: str, function: str, rng: Random) -> Called:
    """A call of a function with arguments drawn by chance."""
    return Called(module, function, ARGUMENTS[f"{module}.{function}"](rng))


@cache
def entries(module: str) -> tuple[str, ...]:
    """The functions of a module that are called from outside."""
    return tuple(name for name in functions(module) if f"{module}.{name}" in ARGUMENTS)
