"""Letters of a word, against a solution of its own on sets of words, and the readers."""

from functools import cache
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.deduction.letter_guessing import (
    LetterGuessing,
    State,
    answer_of,
    classes,
    coins_of,
)
from palaestra.generators.vocabulary import words
from palaestra.task import InvalidAnswer


def need_of(prices):
    """The coins that are needed for a set of words, by trying all letters."""

    @cache
    def need(left):
        if len(left) == 1:
            return 0
        best = 10**6
        for letter, price in prices.items():
            parts = {}
            for word in left:
                where = tuple(n for n, each in enumerate(word) if each == letter)
                parts.setdefault(where, set()).add(word)
            if len(parts) > 1:
                costs = [
                    need(frozenset(part)) + (0 if where else price) for where, part in parts.items()
                ]
                best = min(best, max(costs))
        return best

    return need


@pytest.mark.parametrize("seed", range(12))
def test_the_coins_are_what_the_best_strategy_needs(seed):
    rng = Random(seed)
    listed = tuple(sorted(words(rng, rng.randint(3, 8), 3, 3)))
    letters = sorted({*"".join(listed)})
    prices = tuple(rng.randint(1, 4) for _ in letters)
    rules = LetterGuessing(listed, prices)
    everything = (1 << len(listed)) - 1
    expected = need_of(dict(zip(letters, prices, strict=True)))(frozenset(listed))
    assert coins_of(rules, everything) == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_coins_of_tasks(seed):
    task = Address.of("games/letter_guessing", seed, seed % 2).task()
    letters = sorted({*"".join(task.listed)})
    need = need_of(dict(zip(letters, task.prices, strict=True)))
    assert task.start().coins == need(frozenset(task.listed))


def test_known_numbers_of_misses():
    """Words with no letter in common but one vowel are ruled out one by one."""
    listed = ("abc", "def", "ghi", "jkl", "mno")
    assert coins_of(LetterGuessing(listed, (1,) * 15), 31) == 4
    assert coins_of(LetterGuessing(("bat", "cat", "hat"), (1,) * 5), 7) == 2
    # The positions of a letter that all words have cost nothing.
    assert coins_of(LetterGuessing(("axx", "xax", "xxa"), (1, 1)), 7) == 0


WORDS = ("beef", "cafe", "deaf", "ease")
RULES = LetterGuessing(WORDS, (3, 1, 2, 2, 1, 1, 2))  # a b c d e f s
START = State(15, "", 4)


def test_answers_are_positions():
    assert RULES.answers(START, "e") == {
        "in positions 1, 4": State(8, "e", 4),
        "in position 2": State(4, "e", 4),
        "in positions 2, 3": State(1, "e", 4),
        "in position 4": State(2, "e", 4),
    }
    assert RULES.answers(START, "a") == {
        "not in the word": State(1, "a", 4, 3),
        "in position 2": State(10, "a", 4),
        "in position 3": State(4, "a", 4),
    }
    assert answer_of(0b1001) == "in positions 1, 4"
    assert [letter for letter, _ in classes(WORDS, 1)] == ["b", "e", "f"]


def test_the_game_is_won_with_one_word_and_lost_with_a_miss_too_dear():
    assert RULES.is_won(State(4, "e", 0))
    assert not RULES.is_won(State(4, "a", 2, 3))
    assert not RULES.legal(State(6, "s", 1, 2))
    assert not RULES.wins(State(6, "s", 1, 2))
    assert "a" not in RULES.legal(State(6, "a", 1))
    task = Address.of("games/letter_guessing", 0, 0).task()
    poor = task.model_copy(
        update={
            "listed": ("abc", "def", "ghi"), "prices": (2,) * 9, "position": '[7,"",1]'
        }
    )  # fmt: skip
    assert Episode(poor, BARE, ["a"]).score.value == 0


def test_the_text_shows_the_pattern():
    text = RULES.show(State(10, "ab", 4, 1))
    assert "Pattern: _ a _ _" in text
    assert "Letters so far: a b" in text
    assert "Coins left: 3" in text
    scene = RULES.scene(State(10, "ab", 3))
    assert [cell.text for cell in scene.cells[0]] == ["", "a", "", ""]


@pytest.mark.parametrize("level", range(6))
def test_the_adversary_leaves_a_word_that_fits_all_answers(level):
    task = Address.of("games/letter_guessing", level, level).task()
    episode = Episode(task, BARE)
    left = {*task.listed}
    for move in task.solve():
        state = task.rules().decode(episode.turn.state)
        assert {word for n, word in enumerate(task.listed) if state.words >> n & 1} == left
        episode.step(move)
        text = episode.observation if episode.scores is None else episode.score.reason
        answer = text.splitlines()[0].removeprefix(f"{move}: ").partition(". The")[0]
        left = {
            word for word in left
            if answer_of(sum(1 << n for n, each in enumerate(word) if each == move)) == answer
        }  # fmt: skip
        assert left
    assert len(left) == 1
    assert episode.score.value == 1


@pytest.mark.parametrize(
    "text",
    ["e", "E", "letter e", "My next guess is E.",
     "The letter E.", "I guess e", "guess the letter e", "**e**", "'e'",
     "My guess: e", "Is there an e?", "I try e!", "e.", "I name the letter e", "`e`"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(START, text) == "e"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected one letter, such as 'a'"),
        ("e a", "expected one letter"),
        ("e, a", "expected one letter"),
        ("e or a", "expected one letter"),
        ("cafe", "expected one letter"),
        ("5", "expected one letter"),
        ("not e", "expected one letter"),
        ("z", "no word of the list"),
        ("b", "named before"),
        ("e" * 30_000, "at most 200"),
    ],
)
def test_other_moves_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(State(14, "b", 3), text)


@pytest.mark.parametrize("seed", range(6))
def test_dear_letters_do_not_change_what_is_needed(seed):
    rng = Random(seed)
    listed = tuple(sorted(words(rng, 9, 3, 3)))
    letters = sorted({*"".join(listed)})
    prices = tuple(rng.randint(1, 30) for _ in letters)
    rules, need = LetterGuessing(listed, prices), need_of(dict(zip(letters, prices, strict=True)))
    for left in rng.sample(range(1, 1 << 9), 40):
        expected = need(frozenset(word for n, word in enumerate(listed) if left >> n & 1))
        assert coins_of(rules, left) == expected


@pytest.mark.parametrize("level", [3, 5])
def test_rules_of_thumb_lose_most_large_games(level):
    won = 0.0
    for seed in range(8):
        task = Address.of("games/letter_guessing", seed, level).task()
        for player in task.baselines(Random(seed)).values():
            episode = Episode(task, BARE)
            while episode.score is None:
                episode.step(player(episode.turn))
            won += episode.score.value
    assert won <= 3
