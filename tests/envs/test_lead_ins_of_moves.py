"""Every game and match reads a move behind what models put before it, and not another player's."""

import re

import pytest

import palaestra
from palaestra.episode import TAGS, Episode
from palaestra.registry import load
from palaestra.task import Puzzle

NAMES = [
    name
    for name in palaestra.names()
    if name.startswith(("games/", "matches/")) and not issubclass(load(name), Puzzle)
]

FORMS = (
    "I play {}",
    "I choose {}.",
    "- {}",
    "My move: {}",
    "Next move: **{}**",
    "{} (the best move)",
    '{{"move": "{}"}}',
)


def moved(task, text):
    """What a first move comes to."""
    episode = Episode(task, TAGS)
    episode.step(f"<answer>{text}</answer>")
    return episode.observation, episode.returns


def first_move(task):
    legal = Episode(task, TAGS).turn.legal_moves
    return legal[len(legal) // 2] if legal else next(iter(task.solve()))


@pytest.mark.parametrize("name", NAMES)
def test_moves_are_read_behind_lead_ins(name):
    for level in (0, 2):
        task = palaestra.Address.of(name, 1, level).task()
        move = first_move(task)
        right = moved(task, move)
        assert right != moved(task, "no move at all")
        for form in FORMS:
            assert moved(task, form.format(move)) == right, form


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("matches/")])
def test_a_move_of_another_player_is_refused(name):
    task = palaestra.Address.of(name, 1, 1).task()
    sign = re.search(r"You are (\w+)[.,]", Episode(task, TAGS).observation)
    if sign is None:
        return  # the players of hands have no names
    move = first_move(task)
    other = "X" if sign[1] == "O" else "O"
    assert moved(task, f"{sign[1]}: {move}") == moved(task, move)
    assert moved(task, f"{other}: {move}") != moved(task, move)
