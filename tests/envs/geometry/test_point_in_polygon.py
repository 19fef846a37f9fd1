"""Tests of geometry/point_in_polygon."""

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer


def test_answers_agree_with_winding_numbers() -> None:
    for seed in range(8):
        task = Address.of("geometry/point_in_polygon", seed, 3).task()
        assert task.audit(task.answer())
        names = task.answer().split(", ")
        assert task.verify(" ".join(reversed(names)).lower()).value == 1
        assert task.verify(", ".join(names[1:])).value == 0
        with pytest.raises(InvalidAnswer):
            task.verify(", ".join([*names, names[0]]))
