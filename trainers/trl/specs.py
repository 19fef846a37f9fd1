"""A whole run for TRL in one object: data, environments, rewards and callbacks.

It has the shape of the specs that TRL has for other collections of environments::

    spec = trl.spec({"tools/meeting_desk": 2.0, "games/mastermind": 1.0}, range(1_000), level=1)
    trainer = GRPOTrainer(
        model=...,
        train_dataset=spec.train_dataset,
        environment_factory=spec.environment_factory,
        reward_funcs=spec.reward_funcs,
        callbacks=spec.callbacks,
    )
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palaestra.address import Address, Split
from palaestra.observations import SIZE, Observation, View
from palaestra.registry import load
from palaestra.trainers.curricula import Curriculum, make
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.rewards import RecipeOptions
from palaestra.trainers.spoken_users import UserOptions
from palaestra.trainers.trl.data import features
from palaestra.trainers.trl.environments import Options, environment_class, tool_row
from palaestra.trainers.trl.judging import Completion, Rewards
from palaestra.trainers.trl.parts import Judged, Part
from palaestra.trainers.trl.parts import rewards as reward_functions
from palaestra.trainers.trl.streams import Stream

if TYPE_CHECKING:
    from datasets import Dataset, IterableDataset

Environments = str | Path | Iterable[str] | Mapping[str, float] | Mixture
"""What a mixture may be: one environment, the path of a file, several names, or names with weights.
"""

Levels = int | Sequence[int] | None


def spec(  # noqa: PLR0913
    mixture: Environments,
    seeds: Iterable[int] | None = None,
    level: Levels = None,
    split: Split = "train",
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    rewards: Sequence[str] | Mapping[str, RecipeOptions] = (),
    curriculum: str | Curriculum | None = None,
    user: UserOptions = None,
) -> "Spec":
    """Data, environments, rewards and callbacks for a run of TRL on a mixture of environments.

    - ``mixture``: an environment, several, names with weights, a
      :class:`~palaestra.trainers.mixtures.Mixture` or the path of one in YAML. The environment of
      the greatest weight has a row for every seed, each other one its share of that.
    - ``seeds``: seeds within the ``split``, as for :func:`~palaestra.trainers.trl.data.dataset`.
    - ``level``: one for all environments, or several, over which the seeds are spread; by default
      those of the mixture, or level 0.
    - ``observation`` and ``image_size``: with ``"image"`` or ``"both"``, prompts and what tasks say
      to moves have images of so many pixels on each side, for vision models.
    - ``rewards``: names and recipes of :func:`~palaestra.trainers.trl.parts.rewards`, or a mapping
      of names to these; by default each environment class has its own reward, the score, in a
      column of its own.
    - ``curriculum``: the name of a strategy or a
      :class:`~palaestra.trainers.curricula.Curriculum`, which draws the tasks in place of
      ``seeds``. The trainer needs ``max_steps`` and ``shuffle_dataset=False`` then, see
      :class:`~palaestra.trainers.trl.streams.Stream`.
    - ``user``: as for :func:`~palaestra.trainers.trl.rollouts.rollout`.

    Raises ``ValueError`` for what does not fit together, and what
    :meth:`Address.of <palaestra.address.Address.of>` does.
    """
    chosen = _mixture(mixture, level, all_levels=curriculum is not None)
    if (seeds is None) == (curriculum is None):
        raise ValueError("a spec has seeds, or a curriculum that draws them, one of the two")
    if isinstance(curriculum, str):
        curriculum = make(curriculum, chosen.cells(), split=split)
    view = View(observation, image_size)
    return Spec(chosen, tuple(seeds or ()), split, view, rewards, curriculum, user)


def _mixture(mixture: Environments, level: Levels, all_levels: bool) -> Mixture:
    """The mixture by canonical names, with the levels that were asked for."""
    if isinstance(mixture, Path) or (
        isinstance(mixture, str) and mixture.endswith((".yaml", ".yml"))
    ):
        mixture = Mixture.load(Path(mixture))
    levels: Mapping[str, Sequence[int]] = {}
    if isinstance(mixture, Mixture):
        weights, levels = mixture.environments, mixture.levels
    elif isinstance(mixture, Mapping):
        weights = mixture
    else:
        weights = dict.fromkeys([mixture] if isinstance(mixture, str) else mixture, 1.0)
    if not weights:
        raise ValueError("a mixture names one environment at least")
    if bad := [name for name, weight in weights.items() if not weight > 0]:
        raise ValueError(f"the weight of {bad[0]} is {weights[bad[0]]}; weights are above 0")
    single = [level] if isinstance(level, int) else level

    def own(env: str) -> tuple[int, ...]:
        if single is not None or env in levels:
            return tuple(levels[env] if single is None else single)
        return tuple(range(load(env).Knobs.levels())) if all_levels else (0,)

    own_levels = {env: own(env) for env in weights}
    for env, numbers in own_levels.items():
        for number in numbers:
            Address.of(env, 0, number)  # a level that there is not is told at once
    names = {env: Address.of(env).env for env in weights}
    return Mixture(
        {names[env]: float(weight) for env, weight in weights.items()},
        {names[env]: numbers for env, numbers in own_levels.items()},
    )


class Spec:
    """What :func:`spec` returns: an attribute for each of the trainer's arguments.

    It can be pickled, as all that it has can be but the callbacks.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        mixture: Mixture,
        seeds: Sequence[int],
        split: Split,
        view: View,
        rewards: Sequence[str] | Mapping[str, RecipeOptions],
        curriculum: Curriculum | None,
        user: UserOptions,
    ) -> None:
        self.mixture, self.seeds, self.split, self.view = mixture, seeds, split, view
        self.curriculum = curriculum
        self._owned = not rewards and curriculum is None
        self._parts: list[Part] = []
        if isinstance(rewards, Mapping):
            self._parts = reward_functions(**rewards)
        elif not self._owned:
            self._parts = reward_functions(*(rewards or ["score"]))
        self._options = Options(user, view, self._owned)
        self._stream = None if curriculum is None else _ToolStream(curriculum, view)
        self.environment_factory: dict[str, type[Any]] = {
            env: environment_class(env, self._options) for env in mixture.environments
        }
        """The environment classes by the names in the column ``environment`` of the data."""

    @cached_property
    def train_dataset(self) -> "Dataset | IterableDataset":
        """The rows, with columns ``prompt``, ``address``, ``environment`` and perhaps ``images``:
        environments take turns by their weights. Needs ``palaestra[data]``, and Pillow for images.
        """
        if self._stream is not None:
            return self._stream.dataset()
        from datasets import Dataset

        return Dataset.from_list([_row(address, self.view) for address in self.addresses()])

    @property
    def reward_funcs(self) -> "list[Part | Taught]":
        """The reward functions; none where the environment classes have their own rewards."""
        if self._stream is None:
            return list(self._parts)
        return [Taught(self._parts[0], self._stream), *self._parts[1:]]

    @property
    def callbacks(self) -> list[Any]:
        """What keeps a curriculum beside each checkpoint, and restores it."""
        return [] if self._stream is None else [self._stream.callback()]

    def addresses(self) -> list[Address]:
        """The tasks of the rows, without a curriculum."""
        most = max(self.mixture.environments.values())
        placed: list[tuple[float, int, Address]] = []
        for order, (env, weight) in enumerate(self.mixture.environments.items()):
            number = max(1, round(len(self.seeds) * weight / most)) if self.seeds else 0
            levels = self.mixture.levels[env]
            for n, seed in enumerate(self.seeds[:number]):
                address = Address.of(env, seed, levels[n % len(levels)], self.split)
                placed.append(((n + 0.5) / number, order, address))
        return [address for *_, address in sorted(placed, key=lambda each: each[:2])]


def _row(address: Address, view: View) -> dict[str, Any]:
    return {**tool_row(address, view), "environment": address.env}


class _ToolStream(Stream):
    """A curriculum whose rows ask for calls."""

    def __init__(self, curriculum: Curriculum, view: View) -> None:
        super().__init__(curriculum)
        self.view = view

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows without end, each drawn when it is asked for."""
        while True:
            (address,) = self.curriculum.sample(1)
            yield _row(address, self.view)

    def features(self) -> dict[str, Any]:
        """The types of the columns."""
        known = features(("role", "content"), self.view.has_image)
        known["environment"] = known.pop("answer_format")  # which is a text, too
        return known


class Taught:
    """A reward function that lets a curriculum learn the scores of each batch."""

    def __init__(self, part: Part, stream: Stream) -> None:
        self.__name__ = part.__name__
        self.part, self.stream = part, stream

    def __call__(
        self, completions: Sequence[Completion], address: Sequence[str], **columns: Any
    ) -> Rewards:
        """The rewards of the part."""
        columns = {"address": address, **columns}
        results = self.judged.results(completions, columns)
        self.stream.learn(address, [None if each is None else each.value for each in results])
        return self.part(completions, **columns)

    @property
    def judged(self) -> Judged:
        """The results that it has in common with the other reward functions."""
        return self.part.judged
