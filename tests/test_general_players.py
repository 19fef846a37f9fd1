"""The general baseline players."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.testing.general_players import general_players, longest_list


@given(st.text(), st.randoms(use_true_random=False))
def test_general_players_answer_any_prompt(prompt: str, rng: Random) -> None:
    players = general_players(prompt, rng)
    assert all(isinstance(answer, str) for answer in players.values())


@given(st.lists(st.integers(-99, 99), min_size=3), st.sampled_from([", ", " "]))
def test_lists_are_answered_in_several_orders(numbers: list[int], separator: str) -> None:
    prompt = f"Do it.\n\nThe list: {separator.join(map(str, numbers))}\n\nAnswer with a list."
    assert longest_list(prompt) == (separator, [str(number) for number in numbers])
    players = general_players(prompt, Random(0))
    orders = {
        "items unchanged": numbers,
        "items reversed": numbers[::-1],
        "items in order": sorted(numbers),
        "items in reverse order": sorted(numbers, reverse=True),
    }
    for player, order in orders.items():
        assert players[player] == separator.join(map(str, order))
    assert sorted(players["items shuffled"].split(separator), key=int) == [
        str(number) for number in sorted(numbers)
    ]


def test_lines_of_the_longest_paragraph_are_answered() -> None:
    players = general_players("Sort these lines.\n\nb\nc\na\n\nThank you.", Random(0))
    assert players["lines in order"] == "a\nb\nc"
    assert players["lines reversed"] == "a\nc\nb"
