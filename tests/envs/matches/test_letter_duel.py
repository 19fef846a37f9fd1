"""The duel over a list of words, against a search on strings alone."""

from functools import cache
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.matches.letter_duel import LetterDuel, State, word_list
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

RULES = LetterDuel()
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def longer(words, letters):
    """All strings that one more letter makes, tried one by one."""
    strings = {letter + letters for letter in ALPHABET} | {letters + letter for letter in ALPHABET}
    return sorted(string for string in strings if any(string in word for word in words))


def wins(words):
    """Whether the player to move wins, for each string."""

    @cache
    def won(letters):
        if letters in words:
            return True
        return not all(won(string) for string in longer(words, letters))

    return won


def random_words(rng):
    return tuple(word_list(rng, rng.randint(2, 8), rng.randint(4, 8), 2, rng.randint(0, 3)))


@pytest.mark.parametrize("seed", range(20))
def test_the_solver_agrees_with_a_search_on_strings(seed):
    rng = Random(seed)
    words = random_words(rng)
    won, solver = wins(words), Solver(RULES)
    state = State(words, "", rng.randrange(2))
    while RULES.outcome(state) is None:
        legal = RULES.legal(state)
        assert legal == longer(words, state.letters)
        assert (solver.worth(state, state.turn) == 2) == won(state.letters)
        good = [string for string in legal if not won(string)] or legal
        assert solver.best_moves(state) == good
        state = RULES.apply(state, rng.choice(legal))
    assert state.letters in words
    assert RULES.outcome(state) == (2 if state.turn == 0 else 0)  # who completed it has lost


@pytest.mark.parametrize("seed", range(20))
def test_no_word_occurs_in_another_and_neither_parity_prevails(seed):
    words = word_list(Random(seed), 15, 8, 5, 3)
    assert not any(one in other for one in words for other in words if one != other)
    odd = sum(len(word) % 2 for word in words)
    assert abs(2 * odd - len(words)) <= 4  # words that occur in others were dropped


@pytest.mark.parametrize("seed", range(6))
def test_the_opponent_takes_advantage_of_a_mistake(seed):
    task = Address.of("matches/letter_duel", seed, 2).task()
    won = wins(task.start().words)
    bad = [string for string in longer(task.start().words, "") if won(string)]
    assert bad
    assert not won(task.opponent([bad[0]]))


MIDDLE = State(("abeko", "obek", "kobe"), "be", 0)


@pytest.mark.parametrize(
    "text",
    ["obe", "OBE", "**obe**", "I play obe.", "add o in front", "'obe'", "o before", "My move: obe"],
)
def test_natural_moves_are_read(text):
    assert RULES.read(MIDDLE, text) == "obe"


def test_a_letter_behind_is_read():
    assert RULES.read(MIDDLE, "k behind") == "bek"


@pytest.mark.parametrize("text", ["", "o", "be", "obek", "obe or abe", "not obe", "x" * 5000])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(MIDDLE, text)


def test_the_scene_shows_the_letters():
    scene = RULES.scene(MIDDLE, "be")
    assert [cell.text for cell in scene.cells[0]] == ["", "B", "E", ""]


def test_a_letter_that_is_a_word_is_read():
    state = State(("ai", "ib"), "", 0)
    texts = ("a", "I", "i.", "I play a", "add a", "the letter i", "put i", "i")
    assert [RULES.read(state, text) for text in texts] == ["a", "i", "i", "a", "a", "i", "i", "i"]
    later = State(("alo", "lib"), "l", 0)
    texts = ("a in front", "I add the letter i behind", "add i at the end", "a to the left")
    assert [RULES.read(later, text) for text in texts] == ["al", "li", "li", "al"]


@pytest.mark.parametrize("text", ["a d", "a, d", "d, a", "I play e i", "a\nd", "i a", "`a` `d`"])
def test_two_letters_are_not_a_move(text):
    """An examiner's letters a and i were dropped as words that say nothing."""
    state = State(("ade", "dai", "eia"), "", 0)
    with pytest.raises(InvalidAnswer):
        RULES.read(state, text)
