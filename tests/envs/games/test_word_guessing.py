"""Tests of games/word_guessing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.games import word_guessing


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@given(st.text("abc", min_size=5, max_size=5), st.text("abc", min_size=5, max_size=5))
@settings(max_examples=80, deadline=None)
def test_hints_on_words_count_each_letter_once(guess: str, word: str) -> None:
    said = word_guessing.hint(guess, word)
    assert [sign == "=" for sign in said] == [g == w for g, w in zip(guess, word)]
    for letter in "abc":
        told = sum(g == letter and sign != "-" for g, sign in zip(guess, said))
        assert told == min(guess.count(letter), word.count(letter))


def test_a_word_off_the_list_costs_a_guess() -> None:
    drawn = task("games/word_guessing", 0, 0)
    episode = Episode(drawn)
    for _ in range(drawn.guesses):
        assert episode.scores is None
        episode.step("zzzz")
    assert episode.score is not None
    assert episode.score.value == 0


def test_the_way_to_play_finds_the_word_by_what_it_is_told() -> None:
    drawn = task("games/word_guessing", 2, 2)
    left = set(drawn.listed)
    for guess in drawn.solve():
        assert guess in left
        left = {
            w for w in left if word_guessing.hint(guess, w) == word_guessing.hint(guess, drawn.word)
        }
    assert guess == drawn.word
