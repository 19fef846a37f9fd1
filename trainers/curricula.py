"""Which tasks to draw next: curricula over environments and levels.

A curriculum is a mixture of cells, each an environment at a level. It draws addresses for the next
batch and is told what was earned on them; :meth:`Curriculum.state` is all it knows, as plain JSON
values, so that a run goes on exactly where it stopped. Trainer, adapters and the HTTP service share
them.

>>> mixture = cells({"logic/knights_and_knaves": 1.0}, levels=range(2))
>>> easy = make("uniform", mixture, seed=1)
>>> addresses = easy.sample(4)
>>> easy.update([(address, 1.0) for address in addresses])
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from random import Random
from typing import Annotated, Any, ClassVar

from pydantic import Discriminator, Field, Tag

from palaestra.address import Address, Split
from palaestra.profiles import Profile
from palaestra.registry import load
from palaestra.trainers.hints import HintLadder, with_rung
from palaestra.trainers.priors import Prior, crossing, deviation, rates_of

FORMS_OF_LEVELS = ("<list>", "<mapping>")
"""Names of the forms of :data:`Levels`, which pydantic puts into the location of an error."""

_Some = tuple[Annotated[int, Field(ge=0)], ...]
Levels = Annotated[
    Annotated[_Some, Tag(FORMS_OF_LEVELS[0])]
    | Annotated[dict[str, Annotated[_Some, Field(min_length=1)]], Tag(FORMS_OF_LEVELS[1])],
    Discriminator(lambda value: FORMS_OF_LEVELS[isinstance(value, Mapping)]),
]
"""Levels for all environments, or a mapping with those of each, as an option of a run."""

Outcome = tuple[Address | str, float | None]
"""A task and what was earned on it: the mean of a group, or None where nothing could be judged."""

SEEDS = 2**31
HALF = 0.5

PRIOR_WEIGHT = 16
"""How many results a success rate that a curriculum starts from counts for."""


@dataclass(frozen=True, slots=True)
class Cell:
    """An environment at a level, and how much of the mixture its environment is."""

    env: str
    level: int
    weight: float = 1.0


def cells(
    weights: Mapping[str, float], levels: Iterable[int] | Mapping[str, Iterable[int]] | None = None
) -> tuple[Cell, ...]:
    """The cells of some environments: at all their levels, or at those of them that are named.

    ``levels`` may be a mapping with the levels of each environment; one that it does not name has
    all of them. Raises ``ValueError`` for weights that are none, where nothing is left, and for a
    mapping with a name or a level that does not exist.

    >>> cells({"games/mastermind": 1.0}, {"games/mastermind": [2]})
    (Cell(env='games/mastermind', level=2, weight=1.0),)
    """
    if any(not (math.isfinite(weight) and weight > 0) for weight in weights.values()):
        raise ValueError(f"weights are above 0, not {dict(weights)}")
    own = levels if isinstance(levels, Mapping) else {}
    if unknown := sorted(own.keys() - weights.keys()):
        raise ValueError(
            f"levels are of {unknown[0]!r}, which is not an environment of the mixture"
        )
    wanted = None if levels is None or isinstance(levels, Mapping) else {*levels}
    mixture = []
    for env, weight in weights.items():
        available = range(load(env).Knobs.levels())
        if missing := [level for level in own.get(env, ()) if level not in available]:
            raise ValueError(f"{env} has levels 0 to {len(available) - 1}, not {missing[0]}")
        chosen = own.get(env, available if wanted is None else wanted)
        mixture += [Cell(env, level, weight) for level in available if level in {*chosen}]
    if not mixture:
        raise ValueError(f"no environment of {list(weights)} has one of the levels {levels}")
    return tuple(mixture)


class Curriculum(ABC):
    """Draws addresses from a mixture of cells and learns from what was earned on them.

    Environments keep their shares of the mixture, whatever is preferred within each of them.

    With ``hints`` above 0, that share of the addresses are tasks that a whole group failed, with
    hints: see :mod:`palaestra.trainers.hints`. There are none as long as no group fails.
    """

    name: ClassVar[str]

    def __init__(
        self,
        mixture: Sequence[Cell],
        seed: int = 0,
        split: Split = "train",
        *,
        hints: float = 0.0,
        **_: Any,
    ) -> None:
        if not mixture:
            raise ValueError("a mixture has one cell at least")
        if not 0 <= hints <= 1:
            raise ValueError(f"the share of tasks with hints is from 0 to 1, not {hints}")
        self.hints = hints
        self.hinted = HintLadder()
        self.mixture = tuple(mixture)
        self.split: Split = split
        self.rng = Random(seed)
        self.sampled = 0
        """The number of addresses sampled so far."""

    # ------------------------------------------------------------------ to be filled in

    @abstractmethod
    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """How much each of some cells of one environment is wanted now, not all of them 0."""

    def learn(self, index: int, value: float) -> None:  # noqa: B027  some learn nothing
        """Takes note of what was earned on a task of a cell."""

    uses_prior: ClassVar[bool] = False
    """Whether it can start from success rates."""

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Starts from the success rates of some cells, by their indices in the mixture."""
        raise NotImplementedError(f"{self.name} does not start from success rates")

    # ------------------------------------------------------------------ drawing and learning

    def sample(self, number: int) -> list[Address]:
        """The addresses of the next batch."""
        return [self._hinted() or self._one() for _ in range(number)]

    def _hinted(self) -> Address | None:
        """A failed task with a hint, where it is the turn of one."""
        if not self.hints or not self.hinted.rungs or self.rng.random() >= self.hints:
            return None
        self.sampled += 1
        return self.hinted.sample(self.rng)

    def update(self, outcomes: Iterable[Outcome]) -> None:
        """Learns from what was earned. What could not be judged teaches nothing."""
        for task, value in outcomes:
            address = task if isinstance(task, Address) else Address.parse(task)
            index = self.index_of.get((address.env, address.level))
            if value is not None and self.hints and self._is_ours(address):
                self.hinted.note(address, value)
            if value is not None and index is not None:
                self.learn(index, min(1.0, max(0.0, float(value))))
                self.noted(address, value)

    def _is_ours(self, address: Address) -> bool:
        """Whether a task, without its hint, is one of the mixture."""
        plain = with_rung(address, 0)
        return (plain.env, plain.level) in self.index_of

    def noted(self, address: Address, value: float) -> None:  # noqa: B027
        """The same, for those who care for single tasks."""

    def _one(self) -> Address:
        envs = [*self._environments]
        shares = [self.mixture[self._environments[env][0]].weight for env in envs]
        (env,) = self.rng.choices(envs, shares)
        indices = self._environments[env]
        wanted = [max(0.0, each) for each in self.preference(indices)]
        if not sum(wanted):
            wanted = [1.0] * len(indices)
        (index,) = self.rng.choices(indices, wanted)
        return self.address(self.mixture[index])

    def address(self, cell: Cell) -> Address:
        """A new task of a cell."""
        self.sampled += 1
        return Address.of(cell.env, self.rng.randrange(SEEDS), cell.level, self.split)

    @cached_property
    def _environments(self) -> dict[str, list[int]]:
        indices_by_env: dict[str, list[int]] = {}
        for index, cell in enumerate(self.mixture):
            indices_by_env.setdefault(cell.env, []).append(index)
        return indices_by_env

    @cached_property
    def index_of(self) -> dict[tuple[str, int | None], int]:
        """The index of each environment and level in the mixture."""
        return {(cell.env, cell.level): index for index, cell in enumerate(self.mixture)}

    # ------------------------------------------------------------------ what it knows

    def state(self) -> dict[str, Any]:
        """All it knows, as plain JSON values."""
        version, numbers, carried = self.rng.getstate()
        values = {name: deepcopy(getattr(self, name)) for name in self.remembered}
        if self.hints:
            values["hinted"] = dict(self.hinted.rungs)
        return {"rng": [version, [*numbers], carried], "sampled": self.sampled, **values}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a :meth:`state`."""
        version, numbers, carried = state["rng"]
        self.rng.setstate((version, tuple(numbers), carried))
        self.sampled = state["sampled"]
        self.hinted.restore(state.get("hinted", {}))
        for name in self.remembered:
            setattr(self, name, deepcopy(state[name]))

    remembered: ClassVar[tuple[str, ...]] = ()
    """The attributes that are learnt, of plain JSON values."""


class Rates(Curriculum):
    """A curriculum that goes by how well each cell went of late: ``rates``, which forget at
    ``forgetting`` a result, and ``counts``.
    """

    remembered: ClassVar[tuple[str, ...]] = ("rates", "counts")

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, forgetting: float = 0.05, **options: Any
    ) -> None:
        super().__init__(mixture, *args, **options)
        self.forgetting = forgetting
        self.rates = [HALF] * len(self.mixture)
        self.counts = [0] * len(self.mixture)

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Takes the rates for those of as many results."""
        for index, rate in rates.items():
            self.rates[index], self.counts[index] = rate, PRIOR_WEIGHT

    def learn(self, index: int, value: float) -> None:
        """Moves the rate; the first results count more, for there was nothing before them."""
        self.counts[index] += 1
        share = max(self.forgetting, 1 / self.counts[index])
        self.rates[index] += share * (value - self.rates[index])


class Uniform(Curriculum):
    """All cells alike."""

    name = "uniform"

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """The same for each."""
        return [1.0] * len(indices)


class Fixed(Curriculum):
    """One level of each environment, or the nearest that it has."""

    name = "fixed"

    def __init__(self, mixture: Sequence[Cell], *args: Any, level: int = 0, **options: Any) -> None:
        super().__init__(mixture, *args, **options)
        self.level = level

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """Only the one."""
        nearest = min(indices, key=lambda index: abs(self.mixture[index].level - self.level))
        return [float(index == nearest) for index in indices]


class EasyToHard(Curriculum):
    """From the lowest level to the highest over ``steps`` tasks, the wanted level being a bell that
    moves (S. Parashar et al., "Curriculum Reinforcement Learning from Easy to Hard Tasks", 2025).
    """

    name = "easy_to_hard"

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, steps: int = 10_000, width: float = 0.75,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.steps, self.width = steps, width

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """The bell at where it stands now."""
        centre = min(1.0, self.sampled / self.steps) * (len(indices) - 1)
        return [math.exp(-(((n - centre) / self.width) ** 2) / 2) for n in range(len(indices))]


class Target(Curriculum):
    """One difficulty for each environment that rises while more than a target is earned and falls
    while less is (T. Shi et al., "Efficient Reinforcement Finetuning via Adaptive Curriculum
    Learning", AdaRFT, 2025).
    """

    name = "adarft"
    remembered = ("difficulty",)
    uses_prior = True

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, target: float = HALF, rate: float = 0.05,
        sharpness: float = 2.0, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.target, self.rate, self.sharpness = target, rate, sharpness
        self.difficulty = dict.fromkeys(self._environments, 0.0)

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """The two levels beside the difficulty, the nearer the more."""
        centre = self.difficulty[self.mixture[indices[0]].env]
        return [max(0.0, 1 - abs(n - centre)) for n in range(len(indices))]

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Starts where the rates cross the target."""
        for env, indices in self._environments.items():
            known = [(n, rates[index]) for n, index in enumerate(indices) if index in rates]
            if known:
                self.difficulty[env] = crossing(known, self.target)

    def learn(self, index: int, value: float) -> None:
        """Moves the difficulty by a squashed surprise."""
        env = self.mixture[index].env
        moved = self.difficulty[env] + self.rate * math.tanh(self.sharpness * (value - self.target))
        self.difficulty[env] = min(len(self._environments[env]) - 1.0, max(0.0, moved))


class Bandit(Curriculum):
    """A bandit over cells whose reward is how much a group's rewards vary, which is what there is
    to learn from (X. Chen et al., "Self-Evolving Curriculum for LLM Reasoning", SEC, 2025): values
    by temporal difference, choice by their soft maximum.
    """

    name = "sec"
    remembered = ("values",)
    uses_prior = True

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, rate: float = 0.1, temperature: float = 0.1,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.rate, self.temperature = rate, temperature
        self.values = [HALF] * len(self.mixture)

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """The soft maximum."""
        top = max(self.values[index] for index in indices)
        return [math.exp((self.values[index] - top) / self.temperature) for index in indices]

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Takes the deviations that rewards with such means have."""
        for index, rate in rates.items():
            self.values[index] = deviation(rate)

    def learn(self, index: int, value: float) -> None:
        """Moves the value of a cell."""
        self.values[index] += self.rate * (deviation(value) - self.values[index])


class Frontier(Rates):
    """What succeeds about half of the time is wanted most; a level opens once the one below it
    succeeds often enough.
    """

    name = "frontier"
    remembered = ("rates", "counts", "open")
    uses_prior = True

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, unlock: float = 0.6, least: int = 16,
        floor: float = 0.02, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.unlock, self.least, self.floor = unlock, least, floor
        self.open = dict.fromkeys(self._environments, 1)

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """How much a success and a failure could teach, within the levels that are open."""
        reach = self.open[self.mixture[indices[0]].env]
        rates = [self.rates[index] for index in indices[:reach]]
        return [self.floor + rate * (1 - rate) for rate in rates] + [0.0] * (len(indices) - reach)

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Opens all levels up to the first that does not go well."""
        super().start_from(rates)
        for env, indices in self._environments.items():
            ready = (rates.get(index, 0.0) >= self.unlock for index in indices[:-1])
            self.open[env] = 1 + sum(1 for _ in takewhile(bool, ready))

    def learn(self, index: int, value: float) -> None:
        """Opens the next level where the last one goes well."""
        super().learn(index, value)
        indices = self._environments[self.mixture[index].env]
        reach = self.open[self.mixture[index].env]
        last = indices[reach - 1]
        ready = self.counts[last] >= self.least and self.rates[last] >= self.unlock
        if reach < len(indices) and ready:
            self.open[self.mixture[index].env] = reach + 1
            if not self.counts[indices[reach]]:
                self.rates[indices[reach]] = HALF


class Transition(Curriculum):
    """One level of each environment at a time; the next begins once the last ``window`` tasks of
    the current one earned ``threshold`` on average (the transitions of H. Liu et al., "SATURN:
    SAT-based Reinforcement Learning to Unleash Language Model Reasoning", 2025, where the average
    is the pass@1 on a validation set of the level instead).
    """

    name = "saturn"
    remembered = ("stage", "recent")
    uses_prior = True

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, threshold: float = 0.5, window: int = 64,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        if window < 1:
            raise ValueError(f"the window has one task at least, not {window}")
        self.threshold, self.window = threshold, window
        self.stage = dict.fromkeys(self._environments, 0)
        self.recent: dict[str, list[float]] = {env: [] for env in self._environments}
        """What the last tasks of the current level earned, by environment."""

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """The current level alone."""
        stage = self.stage[self.mixture[indices[0]].env]
        return [float(n == stage) for n in range(len(indices))]

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Begins with the first level whose rate is below the threshold."""
        for env, indices in self._environments.items():
            over = (rates.get(index, 0.0) >= self.threshold for index in indices[:-1])
            self.stage[env] = sum(1 for _ in takewhile(bool, over))

    def learn(self, index: int, value: float) -> None:
        """Results of levels that are over, as of tasks that were under way, do not count."""
        env = self.mixture[index].env
        levels = self._environments[env]
        if index != levels[self.stage[env]]:
            return
        recent = self.recent[env] = [*self.recent[env], value][-self.window :]
        full = len(recent) == self.window
        if full and sum(recent) >= self.threshold * self.window and levels[-1] != index:
            self.stage[env] += 1
            self.recent[env] = []


class Pruning(Rates):
    """All cells alike but those that are mastered, which only come back now and then (as C. An et
    al. drop solved problems between the stages of POLARIS, 2025).
    """

    name = "pruning"
    uses_prior = True

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, mastered: float = 0.9, least: int = 16,
        kept: float = 0.05, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.mastered, self.least, self.kept = mastered, least, kept

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """Little of what is mastered."""
        done = [
            self.counts[index] >= self.least and self.rates[index] >= self.mastered
            for index in indices
        ]
        return [self.kept if each else 1.0 for each in done]


class Replay(Rates):
    """New tasks of all cells, and single tasks that failed again, the worse the sooner (after M.
    Jiang et al., "Prioritized Level Replay", 2021).
    """

    name = "replay"
    remembered = ("rates", "counts", "failed")

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, share: float = 0.3, capacity: int = 512,
        solved: float = 0.9, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.share, self.capacity, self.solved = share, capacity, solved
        self.failed: dict[str, float] = {}

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """The same for each."""
        return [1.0] * len(indices)

    def _one(self) -> Address:
        if self.failed and self.rng.random() < self.share:
            known = [*self.failed]
            wanted = [1.0 - value + 0.01 for value in self.failed.values()]
            self.sampled += 1
            return Address.parse(self.rng.choices(known, wanted)[0])
        return super()._one()

    def noted(self, address: Address, value: float) -> None:
        """Keeps what failed in part; what never succeeds teaches as little as what always does."""
        self.failed.pop(str(address), None)
        if 0 < value < self.solved:
            self.failed[str(address)] = value
        if len(self.failed) > self.capacity:
            del self.failed[next(iter(self.failed))]


class Thompson(Curriculum):
    """A belief about the success of each cell, from which a guess is drawn each time; the cell
    whose guess lies nearest to one half is taken (in the manner of Y. Qu et al., "Can Prompt
    Difficulty be Online Predicted for Accelerating RL Finetuning of Reasoning Models?", MoPPS,
    2025).
    """

    name = "thompson"
    remembered = ("wins", "losses")
    uses_prior = True

    def __init__(
        self, mixture: Sequence[Cell], *args: Any, memory: float = 64.0, target: float = HALF,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(mixture, *args, **options)
        self.memory, self.target = memory, target
        self.wins = [1.0] * len(self.mixture)
        self.losses = [1.0] * len(self.mixture)

    def preference(self, indices: Sequence[int]) -> Sequence[float]:
        """Only the nearest guess."""
        guesses = [self.rng.betavariate(self.wins[n], self.losses[n]) for n in indices]
        best = min(range(len(indices)), key=lambda n: abs(guesses[n] - self.target))
        return [float(n == best) for n in range(len(indices))]

    def start_from(self, rates: Mapping[int, float]) -> None:
        """Takes the rates for those of as many results, or of what its memory holds."""
        weight = min(PRIOR_WEIGHT, self.memory)
        for index, rate in rates.items():
            self.wins[index] = 1 + weight * rate
            self.losses[index] = 1 + weight * (1 - rate)

    def learn(self, index: int, value: float) -> None:
        """Adds to the belief, which forgets what is long ago: the learner changes."""
        kept = self.memory / (self.memory + 1)
        self.wins[index] = 1 + (self.wins[index] - 1) * kept + value
        self.losses[index] = 1 + (self.losses[index] - 1) * kept + 1 - value


STRATEGIES: Mapping[str, type[Curriculum]] = {
    each.name: each
    for each in (
        *(Uniform, Fixed, EasyToHard, Transition, Target, Bandit, Frontier, Pruning, Replay),
        Thompson,
    )
}


def make(
    name: str,
    mixture: Sequence[Cell],
    seed: int = 0,
    *,
    prior: Prior | Profile | str | None = None,
    **options: Any,
) -> Curriculum:
    """The curriculum of a name.

    ``prior`` has success rates to start from, by environment and level; a profile has them, which
    the name of a model or the path of a file stands for. Cells without one start as they do
    without a prior. Raises ``ValueError`` for a name of none, odd options, and a prior that says
    nothing of the mixture, or to a curriculum that does not use it.
    """
    if name not in STRATEGIES:
        raise ValueError(f"a curriculum is {', '.join(STRATEGIES)}, not {name!r}")
    known = _options(STRATEGIES[name])
    if odd := sorted(options.keys() - known):
        raise ValueError(f"{name} has no {', '.join(odd)}; it has {', '.join(sorted(known))}")
    curriculum = STRATEGIES[name](mixture, seed, **options)
    if prior is not None:
        start(curriculum, prior)
    return curriculum


def start(curriculum: Curriculum, prior: Prior | Profile | str) -> None:
    """Has a new curriculum start from a prior, as :func:`make` does, with the same errors."""
    if not curriculum.uses_prior:
        able = ", ".join(name for name, each in STRATEGIES.items() if each.uses_prior)
        raise ValueError(f"{curriculum.name} does not start from success rates; {able} do")
    rates = rates_of(prior, {(cell.env, cell.level) for cell in curriculum.mixture})
    curriculum.start_from(
        {n: rates[cell] for cell, n in curriculum.index_of.items() if cell in rates}
    )


def _options(curriculum: type[Curriculum]) -> set[str]:
    """What can be set of a curriculum."""
    names = {"split"}
    for each in curriculum.__mro__:
        init = vars(each).get("__init__")
        names |= set(getattr(init, "__kwdefaults__", None) or ())
    return names
