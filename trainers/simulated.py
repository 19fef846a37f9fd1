"""A learner made of formulas, to compare curricula without training anything.

Its success on a level is a logistic function of its skill less the level, and its skill at an
environment grows with what there was to learn from: groups in which some attempts succeed and some
fail. That is a caricature of policy gradients, which have no gradient from groups of one mind.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from palaestra.address import Address
from palaestra.trainers.curricula import Curriculum


@dataclass
class Learner:
    """A learner with a skill for each environment, in levels.

    ``rate`` is how much skill a group of full variance brings, and ``slope`` how suddenly levels
    get too hard.
    """

    seed: int = 0
    rate: float = 0.02
    slope: float = 2.0
    start: float = -0.5
    skills: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)

    def success_rate(self, env: str, level: int) -> float:
        """How likely it is to succeed."""
        skill = self.skills.get(env, self.start)
        return 1 / (1 + math.exp(-self.slope * (skill - level)))

    def group(self, address: Address, size: int = 8) -> list[float]:
        """The rewards of a group of attempts, from which it learns."""
        assert address.level is not None
        success_rate = self.success_rate(address.env, address.level)
        rewards = [float(self.rng.random() < success_rate) for _ in range(size)]
        mean = sum(rewards) / size
        gain = self.rate * 4 * mean * (1 - mean)
        self.skills[address.env] = self.skills.get(address.env, self.start) + gain
        return rewards


@dataclass(frozen=True, slots=True)
class Course:
    """How a curriculum did: groups until everything was mastered, None where it never was, and the
    share of groups that taught nothing.
    """

    groups: int | None
    wasted: float


def course(  # noqa: PLR0913
    curriculum: Curriculum,
    levels: Mapping[str, int],
    most: int = 20_000,
    *,
    batch: int = 32,
    mastery: float = 0.8,
    seed: int = 0,
) -> Course:
    """Lets a learner follow a curriculum until it masters the top level of each environment."""
    learner = Learner(seed)
    wasted = done = 0
    while done < most:
        addresses = curriculum.sample(batch)
        outcomes = []
        for address in addresses:
            rewards = learner.group(address)
            wasted += len(set(rewards)) == 1
            outcomes.append((address, sum(rewards) / len(rewards)))
        curriculum.update(outcomes)
        done += batch
        if all(learner.success_rate(env, number - 1) >= mastery for env, number in levels.items()):
            return Course(done, wasted / done)
    return Course(None, wasted / done)
