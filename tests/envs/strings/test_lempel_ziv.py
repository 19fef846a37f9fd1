"""Tests of strings/lempel_ziv: codes are read and written by the rules of the prompt."""

import re
from itertools import product

import pytest

from palaestra.address import Address

ITEMS = re.compile(r"^\d+(?:-\d+)?-[a-e](?: \d+(?:-\d+)?-[a-e])*$", re.MULTILINE)


def from_copies(code: str) -> str:
    text = ""
    for item in code.split():
        back, number, letter = item.split("-")
        for _ in range(int(number)):
            text += text[len(text) - int(back)]
        text += letter
    return text


def from_phrases(code: str) -> str:
    phrases = [""]
    for item in code.split():
        number, letter = item.split("-")
        phrases.append(phrases[int(number)] + letter)
    return "".join(phrases)


def to_phrases(text: str) -> str:
    """The code of a text, which must not end within a phrase."""
    phrases, items = [""], []
    while text:
        fits = [n for n, phrase in enumerate(phrases) if text.startswith(phrase)]
        number = max(fits, key=lambda n: len(phrases[n]))
        letter = text[len(phrases[number])]
        items.append(f"{number}-{letter}")
        phrases.append(phrases[number] + letter)
        text = text[len(phrases[-1]) :]
    return " ".join(items)


@pytest.mark.parametrize(("way", "read"), [("from copies", from_copies),
                                           ("from phrases", from_phrases)])  # fmt: skip
@pytest.mark.parametrize("level", [0, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_texts_are_read_from_codes(seed, level, way, read):
    task = Address.of("strings/lempel_ziv", seed, level, way=way).task()
    (code,) = ITEMS.findall(task.prompt())
    text = read(code)
    assert task.answer() == text
    assert task.verify(text).value == 1
    for n, letter in product(range(len(text)), sorted(set(text))):
        near = text[:n] + letter + text[n + 1 :]
        assert (task.verify(near).value == 1) == (near == text)
    rotated = {text[n:] + text[:n] for n in range(len(text))} - {text}
    for near in (text[:-1], text[1:], text + text[-1], *rotated):
        assert task.verify(near).value < 1


@pytest.mark.parametrize("level", [0, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_texts_are_written_in_the_longest_phrases(seed, level):
    task = Address.of("strings/lempel_ziv", seed, level, way="to phrases").task()
    (text,) = re.findall(r"^[a-e]{8,}$", task.prompt(), re.MULTILINE)
    code = to_phrases(text)
    assert from_phrases(code) == text
    assert task.answer() == code
    assert task.verify(code).value == 1
    plain = " ".join(f"0-{letter}" for letter in text)
    assert from_phrases(plain) == text, "that is a code of the text, but not of longest phrases"
    assert task.verify(plain).value < 1
    items = code.split()
    for n, item in enumerate(items):
        number, letter = item.split("-")
        near = [*items[:n], f"{int(number) + 1}-{letter}", *items[n + 1 :]]
        assert task.verify(" ".join(near)).value < 1
