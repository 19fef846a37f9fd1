"""Tests of games/word_guessing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.games.deduction import word_guessing


@given(st.text("abc", min_size=5, max_size=5), st.text("abc", min_size=5, max_size=5))
@settings(max_examples=80, deadline=None)
def test_hints_count_each_letter_once(guess: str, word: str) -> None:
    hint = word_guessing.hint(guess, word)
    assert [sign == "=" for sign in hint] == [g == w for g, w in zip(guess, word)]
    for letter in "abc":
        matches = sum(g == letter and sign != "-" for g, sign in zip(guess, hint))
        assert matches == min(guess.count(letter), word.count(letter))


def test_an_unlisted_word_costs_a_guess() -> None:
    task = Address.of("games/word_guessing", 0, 0).task()
    episode = Episode(task)
    for _ in range(task.guesses):
        assert episode.scores is None
        episode.step("zzzz")
    assert episode.score is not None
    assert episode.score.value == 0


def test_the_solver_uses_only_the_hints() -> None:
    task = Address.of("games/word_guessing", 2, 2).task()
    candidates = set(task.listed)
    for guess in task.solve():
        assert guess in candidates
        hint = word_guessing.hint(guess, task.word)
        candidates = {word for word in candidates if word_guessing.hint(guess, word) == hint}
    assert guess == task.word
