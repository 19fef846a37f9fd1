"""Combinations over the protocols of others."""

from tests.server.compat.examples import written

from palaestra import Address
from palaestra.episode import TAGS
from palaestra.server.compat.nemo_gym import row


def test_a_combination_that_refuses_the_lowest_level_is_played(nemo):
    """Where a guess is right too often, there are no tasks with several tries."""
    address = Address.of("logic/knights_and_knaves+retry(3)", 0, 4)
    (answer,) = address.task().solve()
    nemo.post("/seed_session", json=row(address))
    first = nemo.post("/answer", json={"text": "I do not know"}).json()
    assert first["done"] is False, first
    assert "Try again" in first["observation"]
    assert nemo.post("/answer", json={"text": answer}).json()["done"]
    assert nemo.post("/verify", json=row(address) | written("so be it")).json()["reward"] == 0.5
    nemo.cookies.clear()
    replies = [TAGS.write("no idea"), TAGS.write(answer)]
    assert nemo.post("/verify", json=row(address) | written(*replies)).json()["reward"] == 0.5
