"""The recipe ``Confidence`` on the combinator ``confidence``: honesty earns most."""

import random
from statistics import fmean

import pytest

from palaestra import Address, score
from palaestra.episode import BARE
from palaestra.verifiers.shaping import Confidence, Transcript
from palaestra.verifiers.shaping.calibration import Rule

ADDRESS = Address.of("arithmetic/long_multiplication+confidence", 3, 2)
RULES: tuple[Rule, ...] = ("brier", "logarithmic", "spherical")


def earned(rule: Rule, answer: str, percentage: int) -> float:
    """What the recipe pays for a reply to the task."""
    reply = f"{answer}\nConfidence: {percentage}%"
    return Confidence(rule)(score(ADDRESS, reply, BARE), Transcript(reply))


@pytest.mark.parametrize("rule", RULES)
def test_the_recipe_pays_the_stated_confidence(rule: Rule) -> None:
    right = ADDRESS.task().solve()
    answer = next(iter(right)).rpartition("\n")[0]
    payments = [earned(rule, answer, percentage) for percentage in (0, 20, 50, 80, 100)]
    assert payments == sorted(payments)
    assert payments[-1] == pytest.approx(0)
    assert len(set(payments)) == 5
    wrong = [earned(rule, "1, 2, 3, 4", percentage) for percentage in (0, 20, 50, 80, 100)]
    assert wrong == sorted(wrong, reverse=True)


@pytest.mark.parametrize("rule", RULES)
def test_the_honest_player_earns_most(rule: Rule) -> None:
    """Of players that know their answers' chances, and state these, more, less, or a constant."""
    right = next(iter(ADDRESS.task().solve())).rpartition("\n")[0]
    table = {
        (correct, percentage): earned(rule, right if correct else "1, 2, 3, 4", percentage)
        for correct in (False, True)
        for percentage in range(101)
    }
    rng = random.Random(rule)
    chances = [rng.randrange(5, 96) for _ in range(20_000)]
    outcomes = [rng.randrange(100) < chance for chance in chances]
    players = {
        "honest": lambda chance: chance,
        "boastful": lambda chance: min(100, chance + 15),
        "modest": lambda chance: max(0, chance - 15),
        "extreme": lambda chance: 100 * (chance >= 50),
        "certain": lambda chance: 100,
        "undecided": lambda chance: 50,
    }
    means = {
        name: fmean(table[won, player(chance)] for won, chance in zip(outcomes, chances))
        for name, player in players.items()
    }
    assert max(means, key=means.__getitem__) == "honest"
    assert all(means["honest"] > mean + 0.005 for name, mean in means.items() if name != "honest")
