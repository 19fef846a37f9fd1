"""Word ladders, refereed by networkx; texts turned around, by hand."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.strings.letter_counting import LetterCounting
from palaestra.envs.strings.spell_backwards import SpellBackwards
from palaestra.envs.strings.word_ladder import WordLadder
from palaestra.generators.vocabulary import changed, distance, neighbours, words
from palaestra.task import Score, Unreadable


def graph(task):
    found = nx.Graph()
    found.add_nodes_from(task.words)
    found.add_edges_from(
        (a, b) for a in task.words for b in task.words if sum(map(str.__ne__, a, b)) == 1
    )
    return found


@pytest.mark.parametrize("level", range(7))
def test_ladders_are_as_short_as_they_can_be(level):
    for seed in range(3):
        task = Address.of("strings/word_ladder", seed, level).task()
        shortest = nx.shortest_path_length(graph(task), task.start, task.goal)
        assert len(task.answer().split(", ")) == shortest + 1
        assert shortest == WordLadder.Knobs.at(level).steps, "distractors make no short cut"
        for path in list(nx.all_shortest_paths(graph(task), task.start, task.goal))[:5]:
            assert task.verify(" -> ".join(path)).value == 1
            assert task.audit(", ".join(path))


def test_a_detour_earns_less_than_half():
    task = WordLadder(
        start="bat", goal="dot", words=("bad", "bat", "bot", "dat", "dot", "dut", "but")
    )
    right, longer = task.verify("bat, bot, dot"), task.verify("bat, but, dut, dot")
    assert right.value == 1
    assert longer.value == pytest.approx(1 / 3)
    assert task.verify("bat, but, bat, bot, dot").value == 0.25
    for wrong in ("bat, dot", "bot, dot", "bat, bit, bot, dot", "bat, bot", "bat, bad, dot", "bat"):
        assert task.verify(wrong).value == 0, wrong
        assert not task.audit(wrong)
    for broken in ("", "1, 2", "bat, b0t, dot", ","):
        with pytest.raises(Unreadable):
            task.verify(broken)


def test_greed_does_not_get_there():
    for seed in range(30):
        task = Address.of("strings/word_ladder", seed, 2).task()
        assert all(task.verify(reply).value == 0 for reply in task.lazy())


@given(st.integers(), st.integers(2, 8))
def test_changed_words_are_neighbours(seed, length):
    (word,) = words(Random(seed), 1, length, length)
    other = changed(Random(seed), word)
    assert len(other) == length
    assert distance(word, other) == 1
    assert list(neighbours(word, {word, other})) == [other]


BACKWARDS = {
    "whole": ("abcde", "edcba"),
    "words": ("ab cd efg", "efg cd ab"),
    "each": ("ab cde", "ba edc"),
    "threes": ("abcdefgh ijkl", "cbafedhg kjil"),
    "both": ("abcde fghi", "gfih badce"),
}


@pytest.mark.parametrize("way", BACKWARDS)
def test_texts_are_turned_as_the_words_say(way):
    text, right = BACKWARDS[way]
    task = SpellBackwards(text=text, way=way)
    assert task.answer() == right
    assert task.verify(f" {right} ").value == 1
    assert task.verify(text).value == 0


def test_letters_in_their_places_are_counted_and_not_paid():
    task = SpellBackwards(text="abcd", way="whole")
    assert task.verify("dcab") == Score(
        0, "the letters are the right ones, and some stand in wrong places", {"places": 0.5}
    )
    assert task.verify("d").parts == {"places": 0.25}
    assert task.verify("dcbadcba").parts == {"places": 0.5}
    with pytest.raises(Unreadable):
        task.verify("  ")


@pytest.mark.parametrize(
    ("what", "text", "counts"),
    [
        ("letter", "abca cab", [3, 2, 2]),
        ("ends", "aba b ac cab", [3, 3, 2]),
        ("vowel", "aab bac ca", [1, 1, 1]),
        ("between", "bcabe cba", [0, 1, 1]),
    ],
)
def test_letters_are_counted_as_the_words_say(what, text, counts):
    assert LetterCounting(text=text, asked="abc", what=what).counts() == counts


@given(st.integers(0, 5), st.integers(0, 500))
def test_words_are_sorted_like_their_numbers(level, seed):
    task = Address.of("strings/word_sorting", seed, level).task()
    backwards = task.order == "backwards"
    letters = {letter: chr(1 + place) for place, letter in enumerate(task.alphabet)}
    told = ["".join(letters[x] for x in (w[::-1] if backwards else w)) for w in task.sorted()]
    assert told == sorted(told, reverse=task.order == "falling")
    assert sorted(task.sorted()) == sorted(task.words)


@given(st.integers(0, 6), st.integers(0, 500))
def test_divisors_and_multiples(level, seed):
    task = Address.of("numbers/greatest_common_divisor", seed, level).task()
    most = task.value()
    assert not any(n % most for n in task.numbers)
    rest = [n // most for n in task.numbers]
    assert not any(all(n % prime == 0 for n in rest) for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23))
    other = task.model_copy(update={"what": "multiple"})
    assert not any(other.value() % n for n in task.numbers)
    if len(rest) == 2:
        assert other.value() * most == task.numbers[0] * task.numbers[1]
