"""Tests of logic/knights_and_knaves: the claims of the prompt are evaluated in all worlds."""

import re
from itertools import product

import pytest

from palaestra.address import Address

SPEECH = re.compile(r'^(\w+): "(.*)"$', re.MULTILINE)
CLAIM = re.compile(r"(I am|\w+ is) a (knight|knave)")
NOT = re.compile(r"it is not the case that ")


def parts_of(claim: str) -> tuple[str, str, str] | None:
    """The text before the connective outside of brackets, the connective, and the text after it."""
    depth = 0
    for n, character in enumerate(claim):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            for link in (" if and only if ", " and ", " or "):
                if claim.startswith(link, n):
                    return claim[:n], link.strip(), claim[n + len(link) :]
    return None


def true(claim: str, speaker: str, knights: dict[str, bool]) -> bool:
    """Whether a claim, in words, is true of a world."""
    if claim.startswith("(") and claim.endswith(")") and not parts_of(claim):
        return true(claim[1:-1], speaker, knights)
    if negated := NOT.match(claim):
        return not true(claim[negated.end() :], speaker, knights)
    if parts := parts_of(claim):
        left, right = (true(part, speaker, knights) for part in (parts[0], parts[2]))
        return {"if and only if": left == right, "and": left and right, "or": left or right}[
            parts[1]
        ]
    who, role = CLAIM.fullmatch(claim).groups()
    name = speaker if who == "I am" else who.removesuffix(" is")
    return knights[name] == (role == "knight")


@pytest.mark.parametrize("level", range(6))
@pytest.mark.parametrize("seed", range(5))
def test_exactly_one_world_fits_the_claims(seed, level):
    task = Address.of("logic/knights_and_knaves", seed, level).task()
    speeches = SPEECH.findall(task.prompt())
    names = [name for name, _ in speeches]
    assert names == list(task.names)
    fitting = []
    for roles in product((True, False), repeat=len(names)):
        knights = dict(zip(names, roles))
        fits = all(true(claim, name, knights) == knights[name] for name, claim in speeches)
        text = "\n".join(f"{name}: {'knight' if knights[name] else 'knave'}" for name in names)
        assert task.verify(text).value == fits
        if fits:
            fitting.append(text)
    assert fitting == [task.answer()]
