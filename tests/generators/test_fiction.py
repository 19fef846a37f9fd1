"""Tests of texts about a fictional world."""

import pytest

from palaestra.generators.fiction import background, mixed, paragraphs, world
from palaestra.rng import Rng


@pytest.mark.parametrize("characters", [1_000, 32_000, 512_000])
def test_length_is_about_what_is_wanted(characters):
    text = " ".join(background(Rng(1), world(1), characters))
    assert characters - 200 < len(text) <= characters


def test_no_text_is_empty():
    assert background(Rng(1), world(1), 0) == background(Rng(1), world(1), -5) == []


def test_names_differ_and_no_sentence_names_a_town_twice():
    known = world(7)
    assert len({*known.towns, *known.people}) == len(known.towns) + len(known.people)
    for sentence in background(Rng(7), known, 100_000):
        named = [town for town in known.towns if town in sentence]
        assert 1 <= len(named) <= 2
        assert all(sentence.count(town) == 1 for town in named)


def test_mixing_keeps_both_orders():
    texts = mixed(Rng(2), list("abc"), list("123456"))
    assert [text for text in texts if text.isalpha()] == list("abc")
    assert [text for text in texts if text.isdigit()] == list("123456")


def test_paragraphs_keep_all_sentences():
    text = paragraphs(Rng(3), list("abcdefghijklmnop"))
    assert text.split() == list("abcdefghijklmnop")
    assert "\n\n" in text
