"""Curricula as TRL's training sets."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from palaestra.address import Address
from palaestra.episode import TAGS, AnswerFormat, answer_format_of
from palaestra.scoring import opening
from palaestra.trainers.curricula import Curriculum
from palaestra.trainers.trl.data import features, labelled_row
from palaestra.trainers.trl.judging import Judge, Rewards, Shaped, reward
from palaestra.trainers.trl.processes import from_all_processes, keeping

if TYPE_CHECKING:
    from datasets import IterableDataset


class Stream:
    """A curriculum as TRL's training set: it draws the tasks, and is told what they earned.

    >>> from palaestra.trainers.curricula import cells, make
    >>> stream = Stream(make("frontier", cells({"games/mastermind": 1.0})))
    >>> next(stream.rows())["address"].split("?")[0]
    'games/mastermind@1'

    Give :meth:`dataset`, :attr:`reward` and :meth:`callback` to the trainer, with
    ``shuffle_dataset=False``: TRL holds 1,000 rows to shuffle them, and a curriculum would be as
    many tasks late. As it is, one batch lies between a draw and what was learnt before it.

    With several processes each has a curriculum of the same seed; what was earned is gathered from
    all of them, so that they stay alike.
    """

    def __init__(
        self,
        curriculum: Curriculum,
        answer_format: AnswerFormat | str = TAGS,
        judge: Judge | None = None,
    ) -> None:
        self.curriculum = curriculum
        self.answer_format = answer_format_of(answer_format).name  # as rows have it
        self._judge = judge or cast("Judge", reward)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows without end, each drawn when it is asked for."""
        while True:
            (address,) = self.curriculum.sample(1)
            yield labelled_row(opening(address, self.answer_format), self.answer_format)

    def dataset(self) -> "IterableDataset":
        """The rows as a dataset. Needs ``palaestra[data]``; the trainer needs ``max_steps``."""
        from datasets import Features, IterableDataset

        # Without their types a row would be drawn to find them out.
        return IterableDataset.from_generator(self.rows, features=Features(self.features()))

    def features(self) -> dict[str, Any]:
        """The types of the columns."""
        return features()

    def reward(self, address: Sequence[str], **columns: Any) -> Rewards:
        """What the judge says, of which the curriculum is told, too.

        Where a recipe shapes it, the curriculum is told the scores.
        """
        row = {"address": address, **columns}
        if isinstance(self._judge, Shaped):
            scores, earned = self._judge.scored(**row)
        else:
            scores = earned = self._judge(**row)
        self.learn(address, scores)
        return earned

    def learn(self, address: Sequence[str], scores: Rewards) -> None:
        """Has the curriculum learn what the tasks of a batch earned, in all processes."""
        groups: dict[str, list[float]] = {}
        for task, value in from_all_processes(list(zip(address, scores))):
            # Tasks of an evaluation in between are not what it drew.
            if value is not None and Address.parse(task).split == self.curriculum.split:
                groups.setdefault(task, []).append(value)
        self.curriculum.update((task, sum(values) / len(values)) for task, values in groups.items())

    def callback(self) -> Any:
        """A ``TrainerCallback`` that keeps the curriculum beside each checkpoint, and takes it
        from there when training is resumed. Resume with ``ignore_data_skip=True``, for the tasks
        that were drawn before are not drawn again.
        """
        return keeping(self.curriculum, "curriculum.json")
