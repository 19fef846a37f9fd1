"""Tests of ciphers/hidden_message."""

from random import Random

from palaestra.address import Address
from palaestra.generators.ciphers import hidden_message


def test_a_hidden_message_keeps_its_length() -> None:
    for seed in range(300):
        message = "zoban"
        text = hidden_message.HIDERS["case"](Random(seed), message, 1, 1)
        assert hidden_message.read("case", text, 1, 1) == message


def test_a_hidden_message_may_be_spelt_out_and_shifted_by_one_place() -> None:
    task = Address.of("ciphers/hidden_message", 0, 2).task()
    assert task.verify(" ".join(task.answer().upper())).value == 1
    prompt = task.model_copy(update={"shift": 1}).prompt()
    assert "moved 1 place back" in prompt
