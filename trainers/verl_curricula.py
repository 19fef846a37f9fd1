"""Curricula for veRL: a training set whose tasks follow what the model has learnt.

``data.train_files`` names the file of a mixture, as :class:`~palaestra.trainers.mixtures.Mixture`
reads it, and ``+data.curriculum`` says how to draw from it::

    data.custom_cls.path=pkg://palaestra.trainers.verl_curricula
    data.custom_cls.name=CurriculumTasks
    data.train_files='["mixture.yaml"]' data.dataloader_num_workers=0
    +data.curriculum.strategy=frontier +data.curriculum.tasks=4096

veRL reads an epoch of ``tasks`` rows and reports every batch to the training set, which draws the
rows that are still to come anew. The class is created on demand, since it needs veRL.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from palaestra.address import Address
from palaestra.observations import SIZE, View
from palaestra.trainers import verl
from palaestra.trainers.curricula import Cell, Curriculum, make
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.rows import task_row

SUFFIXES = (".yaml", ".yml")
"""How the name of the file of a mixture ends."""

TASKS = 1_024
"""Rows of an epoch, unless the configuration names another number."""

ATTEMPTS = 50
"""How many tasks of a cell are drawn until the prompt of one is short enough."""

Row = dict[str, Any]


class LiveRows:
    """The rows of an epoch, each generated when it is read, from a curriculum.

    :meth:`learn` reports what was earned, and draws all rows anew. ``fits`` states whether the
    prompt of a row is short enough; another task of its cell is drawn where it is not.
    """

    def __init__(
        self,
        curriculum: Curriculum,
        tasks: int,
        answer_format: str = "tags",
        view: View | None = None,
        fits: Callable[[Row], bool] = lambda row: True,
    ) -> None:
        if tasks < 1:
            raise ValueError(f"an epoch has one task at least, not {tasks}")
        self.curriculum, self.answer_format, self.fits = curriculum, answer_format, fits
        self.view = view or View()
        self.addresses = curriculum.sample(tasks)

    def __len__(self) -> int:
        return len(self.addresses)

    def __getitem__(self, index: int) -> Row:
        """A row. Raises ``ValueError`` where no task of its level has a short enough prompt."""
        address = self.addresses[index]
        for _ in range(ATTEMPTS):
            row = task_row(address, self.answer_format, self.view)
            if self.fits(row):
                row["extra_info"]["index"] = index
                return {"tools": None, **row}  # the rows of a batch have the same columns
            cell = Cell(address.env, address.level or 0)
            address = self.addresses[index] = self.curriculum.address(cell)
        raise ValueError(
            f"of {ATTEMPTS} tasks of {address.env} at level {address.level} none has a prompt "
            "within data.max_prompt_length; raise it, or leave the level out of the mixture"
        )

    def learn(self, outcomes: Iterable[tuple[str, float | None]]) -> None:
        """Reports the results of replies, by address, and draws all rows anew.

        The curriculum learns from the mean of the replies to a task; None stands for a reply that
        could not be judged.
        """
        groups: dict[str, list[float]] = {}
        for address, value in outcomes:
            if value is not None:
                groups.setdefault(address, []).append(value)
        self.curriculum.update((task, sum(values) / len(values)) for task, values in groups.items())
        self.addresses = self.curriculum.sample(len(self))

    def state(self) -> Row:
        """The rows and what the curriculum has learnt, as plain JSON values."""
        return {
            "curriculum": self.curriculum.state(), "addresses": [str(one) for one in self.addresses]
        }  # fmt: skip

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a :meth:`state`."""
        self.curriculum.restore(state["curriculum"])
        self.addresses = [Address.parse(text) for text in state["addresses"]]


def live_rows(file: Path, options: Mapping[str, Any], **more: Any) -> LiveRows:
    """The rows of a mixture in a file.

    ``options`` are ``strategy`` (``frontier`` unless named), ``tasks``, ``seed``, and those of the
    strategy; answers are marked as the mixture says unless ``answer_format`` does. Raises
    ``ValueError`` for what is none, and ``OSError`` without the file.
    """
    own = dict(options)
    strategy, seed = str(own.pop("strategy", "frontier")), int(own.pop("seed", 0))
    tasks = int(own.pop("tasks", TASKS))
    mixture = Mixture.load(file)
    more["answer_format"] = more.get("answer_format") or mixture.answer_format
    return LiveRows(make(strategy, mixture.cells(), seed, **own), tasks, **more)


def outcomes_of(columns: Mapping[str, Sequence[Any]]) -> list[tuple[str, float | None]]:
    """Address and correctness of each reply of a batch, out of the columns that veRL logs.

    They are ``reward_model``, and ``acc`` and ``unscored`` as
    :func:`~palaestra.trainers.verl.compute_score` reports them. Raises ``ValueError`` without
    them.
    """
    if missing := {"reward_model", "acc"} - columns.keys():
        raise ValueError(
            f"the batch has no {' and no '.join(sorted(missing))}; a curriculum learns from the "
            "reward function or the agent loop of palaestra.trainers.verl"
        )
    truths = [row["ground_truth"] for row in columns["reward_model"]]
    unscored = columns.get("unscored", [0.0] * len(truths))
    return [
        (truth, None if missing else float(value))
        for truth, value, missing in zip(truths, columns["acc"], unscored, strict=True)
    ]


@cache
def _curriculum_tasks() -> type[Any]:
    """The class ``CurriculumTasks``."""
    tasks: Any = verl.Tasks

    class CurriculumTasks(tasks):  # type: ignore[misc]  # no types without the package
        """A training set that follows a curriculum, where its only file is that of a mixture.

        With other files, such as those of the validation set, it is ``Tasks``.
        """

        live: LiveRows | None = None

        def _read_files_and_tokenize(self) -> None:
            mixtures = [file for file in self.data_files if str(file).endswith(SUFFIXES)]
            if not mixtures:
                super()._read_files_and_tokenize()
                return
            if len(self.data_files) > 1:
                raise ValueError(
                    f"{mixtures[0]} is a mixture, which is the only file of its data set"
                )
            if self.config.get("dataloader_num_workers", 8):
                raise ValueError(
                    "a curriculum needs data.dataloader_num_workers=0: processes of a loader would "
                    "read the tasks that were drawn before the last batch was learnt"
                )
            options = dict(self.config.get("curriculum") or {})
            if self.max_samples > 0:
                options["tasks"] = min(int(options.get("tasks", TASKS)), self.max_samples)
            self.live = self.dataframe = live_rows(
                Path(str(mixtures[0])), options,
                answer_format=self.config.get("answer_format"),
                view=View(
                    self.config.get("observation", "text"), self.config.get("image_size", SIZE)
                ),
                fits=self._fits,
            )  # fmt: skip

        def _fits(self, row: Row) -> bool:
            """Whether a prompt is short enough. Images are not counted."""
            if not self.filter_overlong_prompts:
                return True
            text = self.tokenizer.apply_chat_template(
                row["prompt"], add_generation_prompt=True, tokenize=False,
                **dict(self.apply_chat_template_kwargs),
            )  # fmt: skip
            ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            return len(ids) <= int(self.max_prompt_length)

        def on_batch_end(self, batch: Any) -> None:
            """Learns from a batch; veRL calls this at the end of each."""
            if self.live is not None:
                self.live.learn(outcomes_of(batch.non_tensor_batch))

        def state_dict(self) -> Row:
            """What veRL keeps in a checkpoint, with the state of its loader."""
            return self.live.state() if self.live is not None else {}

        def load_state_dict(self, state: Row) -> None:
            """Goes on from a checkpoint."""
            if self.live is not None:
                self.live.restore(state)

    CurriculumTasks.__qualname__ = "CurriculumTasks"
    return CurriculumTasks


def __getattr__(name: str) -> Any:
    """Makes the class when it is asked for, since it needs the package."""
    if name == "CurriculumTasks":
        return _curriculum_tasks()
    raise AttributeError(f"{__name__} has no {name!r}")
