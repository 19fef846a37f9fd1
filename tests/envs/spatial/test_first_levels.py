"""No answer is usual at the first level of the spatial environments."""

from collections import Counter

import pytest
from tests.envs.sampling import sample

from palaestra.envs.spatial.compass_bearings import CompassBearings
from palaestra.envs.spatial.map_walk import MapWalk
from palaestra.envs.spatial.rectangle_counting import RectangleCounting
from palaestra.task import Puzzle


@pytest.mark.parametrize("env", [CompassBearings, MapWalk, RectangleCounting])
def test_no_answer_is_usual_at_the_first_level(env: type[Puzzle]) -> None:
    answers = Counter(sample(env, seed, 0).answer() for seed in range(1000))
    assert max(answers.values()) < 50
