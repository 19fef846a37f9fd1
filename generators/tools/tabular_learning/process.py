"""Random processes that fill a table: features, and a result that depends on some of them."""

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean, pstdev
from typing import Literal, NamedTuple

from palaestra.generators.vocabulary import words

SAMPLE = 200
"""On so many rows the parts of a process are scaled."""

FormOfFeature = Literal["uniform", "normal", "skewed", "code", "copy"]

FormOfTerm = Literal[
    "linear", "step", "band", "code", "hinge", "rule", "slope", "corner", "product"
]


class Feature(NamedTuple):
    """A column. A copy is another column with noise, which tells nothing more than that one."""

    name: str
    form: FormOfFeature
    low: float = 0.0
    spread: float = 1.0
    levels: tuple[str, ...] = ()
    source: int = 0
    missing: int = 0
    """The percentage of empty cells."""


class Term(NamedTuple):
    """A part of the result, of one feature or of two.

    ``weights`` belong to the levels of a code; a rule holds where the first feature is above
    ``first_limit`` and the code of the second has a positive weight; a corner where both features
    are above their limits.
    """

    form: FormOfTerm
    first: int
    second: int = 0
    first_limit: float = 0.0
    second_limit: float = 0.0
    weights: tuple[float, ...] = ()
    scale: float = 1.0
    mean: float = 0.0


class Process(NamedTuple):
    """How tables come about."""

    features: tuple[Feature, ...]
    terms: tuple[Term, ...]
    leak: str
    """The column that was filled in after the result, in the training table alone; or nothing."""
    noise: float
    """The standard deviation of the noise where that of the signal is 1."""


Cell = float | str | None

Values = tuple[Cell, ...]


class Table(NamedTuple):
    """Rows as they are shown, with the results and what can be expected of them."""

    rows: tuple[tuple[str, ...], ...]
    results: tuple[float, ...]
    expected: tuple[float, ...]


def random_process(  # noqa: PLR0913
    rng: Random,
    *,
    features: int,
    terms: int,
    interactions: int,
    missing: int,
    noise: float,
    has_leak: bool,
) -> Process:
    """A process with so many features and terms, of which some are of two features."""
    names = iter(words(rng, features + 1, 4, 7))
    columns = _features(rng, [next(names) for _ in range(features)], missing)
    draws = _draws(rng, columns)
    sample = [_values(draws) for _ in range(SAMPLE)]
    parts: list[Term] = []
    while len(parts) < terms:
        is_pair = len(parts) >= terms - interactions
        term = _pair(rng, columns) if is_pair else _single(rng, columns)
        same = [each for each in parts if (each.first, each.form) == (term.first, term.form)]
        scaled = _scaled(rng, term, columns, sample)
        if scaled is not None and not same:
            parts.append(scaled)
    return Process(columns, tuple(parts), next(names) if has_leak else "", noise)


def _features(rng: Random, names: Sequence[str], missing: int) -> tuple[Feature, ...]:
    """At least two numeric features, one code, and copies among many."""
    forms: list[FormOfFeature] = ["uniform", "normal", "code", "uniform"]
    while len(forms) < len(names):
        forms.append(rng.choice(("uniform", "normal", "skewed", "code", "copy")))
    features: list[Feature] = []
    for name, form in zip(names, forms):
        share = rng.choice((0, missing, missing)) if form != "code" else 0
        if form == "code":
            levels = words(rng, rng.randint(3, 5), 3, 5)
            features.append(Feature(name, form, levels=levels))
        elif form == "copy":
            own = [n for n, each in enumerate(features) if each.form in ("uniform", "normal")]
            source = rng.choice(own)
            spread = features[source].spread
            features.append(Feature(name, form, spread=0.5 * spread, source=source))
        else:
            low, spread = float(rng.choice((0, 10, 100))), float(rng.choice((1, 8, 40, 100)))
            features.append(Feature(name, form, low, spread, missing=share))
    return tuple(features)


Draw = Callable[[list[Cell]], Cell]
"""Draws a cell of a row, after those of the features before it."""


def _draws(rng: Random, features: Sequence[Feature]) -> list[Draw]:
    """For each feature, what draws its cells."""
    return [_draw(rng, feature, features) for feature in features]


def _draw(rng: Random, feature: Feature, features: Sequence[Feature]) -> Draw:
    draw, low, spread = rng.random, feature.low, feature.spread
    levels, share, unit = feature.levels, feature.missing, _unit(rng, feature.form)
    if feature.form == "code":
        return lambda cells: levels[int(len(levels) * draw())]
    if feature.form != "copy":
        return lambda cells: None if 100 * draw() < share else round(low + spread * unit(), 2)
    number, middle = feature.source, centre(features[feature.source])

    def copy(cells: list[Cell]) -> Cell:
        source = cells[number]
        base = source if isinstance(source, float) else middle
        return round(base + spread * (draw() - 0.5), 2)

    return copy


def _values(draws: Sequence[Draw]) -> Values:
    """A row."""
    cells: list[Cell] = []
    for draw in draws:
        cells.append(draw(cells))
    return tuple(cells)


def _unit(rng: Random, form: FormOfFeature) -> Callable[[], float]:
    """Draws numbers of a distribution, most often from 0 to 1."""
    if form == "normal":
        gauss = rng.gauss
        return lambda: gauss(0.5, 0.2)
    if form == "skewed":
        return lambda: min(1.0, rng.expovariate(3.0))
    return rng.random


def centre(feature: Feature) -> float:
    """The value that the result depends on where a cell is empty, which is the median."""
    return feature.low + feature.spread * (0.231 if feature.form == "skewed" else 0.5)


def _quantile(rng: Random, feature: Feature) -> float:
    """A limit that a good part of the values are on either side of."""
    share = rng.choice((0.35, 0.45, 0.55, 0.65))
    if feature.form == "skewed":
        share = {0.35: 0.14, 0.45: 0.2, 0.55: 0.27, 0.65: 0.35}[share]
    elif feature.form == "normal":
        share = 0.5 + (share - 0.5) * 0.5
    return round(feature.low + feature.spread * share, 2)


def _numeric(features: Sequence[Feature]) -> list[int]:
    return [n for n, each in enumerate(features) if each.form not in ("code", "copy")]


def _codes(features: Sequence[Feature]) -> list[int]:
    return [n for n, each in enumerate(features) if each.form == "code"]


def _weights(rng: Random, feature: Feature) -> tuple[float, ...]:
    """Weights of which some are positive and some are not."""
    number = len(feature.levels)
    weights = [rng.uniform(0.5, 1.5) for _ in range(number)]
    for n in rng.sample(range(number), number // 2):
        weights[n] = -weights[n]
    return tuple(round(weight, 2) for weight in weights)


def _single(rng: Random, features: Sequence[Feature]) -> Term:
    form: FormOfTerm = rng.choice(("linear", "step", "code", "hinge", "band"))
    first = rng.choice(_codes(features) if form == "code" else _numeric(features))
    if form == "code":
        return Term(form, first, weights=_weights(rng, features[first]))
    return Term(form, first, first_limit=_quantile(rng, features[first]))


def _pair(rng: Random, features: Sequence[Feature]) -> Term:
    form: FormOfTerm = rng.choice(("rule", "slope", "corner", "product"))
    first, other = rng.sample(_numeric(features), 2)
    limit = _quantile(rng, features[first])
    if form in ("rule", "slope"):
        second = rng.choice(_codes(features))
        return Term(form, first, second, limit, weights=_weights(rng, features[second]))
    return Term(form, first, other, limit, _quantile(rng, features[other]))


def _scaled(
    rng: Random, term: Term, features: Sequence[Feature], sample: Sequence[Values]
) -> Term | None:
    """The term with a mean of 0 and a standard deviation about 1 on a sample."""
    part = part_of(term, features)
    values = [part(row) for row in sample]
    spread = pstdev(values)
    if spread == 0:
        return None
    scale = rng.choice((-1, 1)) * rng.uniform(0.8, 1.2) / spread
    return term._replace(scale=scale, mean=fmean(values))


def part_of(term: Term, features: Sequence[Feature]) -> Callable[[Values], float]:
    """A term as a function of the values of a row."""
    first, second = term.first, term.second
    one, other = centre(features[first]), centre(features[second])
    low, spread = features[first].low, features[first].spread
    form, limit, bound = term.form, term.first_limit, term.second_limit
    code = first if form == "code" else second
    weights = dict(zip(features[code].levels, term.weights))
    sides = features[second]

    def number(cell: Cell, empty: float) -> float:
        return cell if isinstance(cell, float) else empty

    forms: dict[FormOfTerm, Callable[[float, Cell], float]] = {
        "linear": lambda x, _: x,
        "step": lambda x, _: float(x > limit),
        "hinge": lambda x, _: max(0.0, x - limit),
        "band": lambda x, _: float(abs(x - one) < 0.2 * spread),
        "rule": lambda x, y: float(x > limit and weights[str(y)] > 0),
        "slope": lambda x, y: (x - low) / spread * (weights[str(y)] + 0.5),
        "corner": lambda x, y: float(x > limit and number(y, other) > bound),
        "product": lambda x, y: (x - low) * (number(y, other) - sides.low),
        "code": lambda x, y: weights[str(y)],
    }
    raw, side = forms[form], first if form == "code" else second
    mean, scale = term.mean, term.scale

    def part(row: Values) -> float:
        cell = row[first]
        return (raw(cell if isinstance(cell, float) else one, row[side]) - mean) * scale

    return part


class Generator:
    """Draws tables of a process, all on one scale."""

    def __init__(self, process: Process, rng: Random) -> None:
        self.process, self.rng = process, rng
        self.parts = [part_of(term, process.features) for term in process.terms]
        self.draws = _draws(rng, process.features)
        signals = [self.signal(_values(self.draws)) for _ in range(SAMPLE)]
        self.spread = pstdev(signals) or 1.0

    def signal(self, row: Values) -> float:
        """The sum of all terms."""
        return sum([part(row) for part in self.parts])

    def table(self, number: int, is_training: bool) -> Table:
        """A table of so many rows."""
        rows, results, expected = list[Values](), list[float](), list[float]()
        for _ in range(number):
            row = _values(self.draws)
            mean = 50 + 10 * self.signal(row) / self.spread
            noise = 10 * self.process.noise * self.rng.gauss(0, 1)
            rows.append(row)
            expected.append(mean)
            results.append(round(mean + noise, 2))
        texts = [tuple(map(_text, row)) for row in rows]
        if self.process.leak:
            leaks = self._leaks(results, is_training)
            texts = [(*row, leak) for row, leak in zip(texts, leaks)]
        return Table(tuple(texts), tuple(results), tuple(expected))

    def _leaks(self, results: Sequence[float], is_training: bool) -> list[str]:
        """Values near the results, which in the test table belong to other rows."""
        leaks = [f"{result + self.rng.gauss(0, 2):.2f}" for result in results]
        if not is_training:
            self.rng.shuffle(leaks)
        return leaks


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else f"{cell:g}"


def mean_squared_error(predictions: Sequence[float], results: Sequence[float]) -> float:
    """The mean of the squared differences."""
    return fmean((one - other) ** 2 for one, other in zip(predictions, results))
