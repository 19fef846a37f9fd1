"""Tests of ciphers/hidden_message."""

from random import Random

from palaestra.address import Address
from palaestra.generators.ciphers import hidden_message


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_a_hidden_message_is_as_long_as_is_asked_for() -> None:
    for seed in range(300):
        put = "zoban"
        text = hidden_message.HIDERS["case"](Random(seed), put, 1, 1)
        assert hidden_message.read("case", text, 1, 1) == put


def test_a_hidden_message_may_be_spelt_out_and_is_moved_by_one_place() -> None:
    drawn = task("ciphers/hidden_message", 0, 2)
    assert drawn.verify(" ".join(drawn.answer().upper())).value == 1
    told = drawn.model_copy(update={"shift": 1}).prompt()
    assert "moved 1 place back" in told
