"""Observations as images: in chats, and in the faces of Gymnasium and PettingZoo."""

import subprocess
import sys
from base64 import b64decode
from io import BytesIO

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from PIL import Image

import palaestra
import palaestra.gym
from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.gym import TextEnv, TextVectorEnv
from palaestra.observations import (
    LATEST,
    NoImages,
    View,
    content,
    opening_with_images,
    png,
    square,
    text_of,
    text_without_state,
    transcript,
)
from palaestra.registry import load
from palaestra.scenes import Cell, Grid
from palaestra.scenes.raster import rgb
from palaestra.zoo import env

SUDOKU, MASTERMIND, FOUR, FLOW = (
    "grids/sudoku",
    "games/mastermind",
    "matches/connect_four",
    "graphs/maximum_flow",
)
WORDS = "logic/knights_and_knaves"
SEEN = ("text", "image", "both")
ID = palaestra.gym.env_id(SUDOKU, load(SUDOKU).version)


def episode_of(name, seed=1, level=0, replies=()):
    return Episode(Address.of(name, seed, level).task(), TAGS, replies)


def image_in(part):
    url = part["image_url"]["url"]
    assert part["type"] == "image_url"
    assert url.startswith("data:image/png;base64,")
    return Image.open(BytesIO(b64decode(url.partition(",")[2], validate=True)))


def pixels(part):
    return np.asarray(image_in(part))


# ---------------------------------------------------------------------------- images


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (3, 40), (40, 3)])
@pytest.mark.parametrize("size", [64, 97, 448])
def test_a_scene_stands_in_the_middle_of_a_square(shape, size):
    scene = Grid(((Cell("7"),) * shape[1],) * shape[0])
    board, image = rgb(scene, size), square(scene, size)
    assert (image.shape, image.dtype) == ((size, size, 3), np.uint8)
    top, left = ((size - side) // 2 for side in board.shape[:2])
    inside = np.zeros((size, size), bool)
    inside[top : top + board.shape[0], left : left + board.shape[1]] = True
    assert (image[inside].reshape(board.shape) == board).all()
    assert (image[~inside] == 255).all()  # the ground colour


def test_without_a_scene_there_is_the_ground():
    assert (square(None, 64) == 255).all()


@pytest.mark.parametrize("size", [63, 1_025, 448.0, True, "448"])
def test_sizes_are_bounded(size):
    with pytest.raises(ValueError, match="64 to 1,024 pixels"):
        View("both", size)


def test_an_observation_is_one_of_three():
    with pytest.raises(ValueError, match="one of text, image, both, not 'picture'"):
        View("picture")


def test_a_missing_extra_is_named():
    code = (
        "import sys; sys.modules['PIL'] = None; from palaestra.observations import *; "
        f"from palaestra.address import Address; opening_with_images(Address.of({SUDOKU!r}), "
        "'tags', View('both'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'palaestra[pictures]'" in done.stderr


# ---------------------------------------------------------------------------- messages


FIRST = {name.partition("/")[0]: name for name in reversed(palaestra.names())}


@pytest.mark.parametrize("name", sorted({SUDOKU, MASTERMIND, FOUR, FLOW, *FIRST.values()}))
def test_both_is_the_whole_text_with_an_image(name):
    episode = episode_of(name)
    assert content(episode, View("text")) == episode.observation
    parts = content(episode, View("both", 64))
    assert parts[-1] == {"type": "text", "text": episode.observation}
    assert text_of(parts) == episode.observation
    scene = episode.turn.scene()
    assert len(parts) == 1 + (scene is not None)
    if scene is not None:
        assert (pixels(parts[0]) == square(scene, 64)).all()


def test_with_an_image_the_text_of_a_number_grid_leaves_its_board_out():
    episode = episode_of(SUDOKU, level=2)
    task = episode.task
    image, text = content(episode, View("image", 128))
    assert image_in(image).size == (128, 128)
    board = task.board().splitlines()
    assert all(line in episode.observation for line in board)
    assert not any(line in text["text"] for line in board)
    assert task.answer_format() in text["text"]
    assert type(task).__doc__.partition("\n")[0] in text["text"]
    assert text["text"].endswith(f"\n\n{TAGS.rule}")


@pytest.mark.parametrize("name", [MASTERMIND, FOUR, FLOW, "grids/nonogram"])
def test_other_texts_stay_whole(name):
    """Whether the rest is in the image, nobody knows: a method with arguments states no form."""
    episode = episode_of(name)
    assert text_without_state(episode) is None
    assert content(episode, View("image", 64)) == content(episode, View("both", 64))


def test_after_the_end_the_text_is_the_reason():
    episode = episode_of(SUDOKU, replies=["<answer>no</answer>"])
    assert text_of(content(episode, View("image", 64))) == episode.score.reason


def test_an_opening_has_the_image_in_its_message():
    address = Address.of(SUDOKU, 3)
    opening = opening_with_images(address, "boxed", View("both", 64))
    (message,) = opening.messages
    assert message["role"] == "user"
    assert message["content"][1]["text"].endswith("\\boxed{}.")
    assert opening_with_images(address).messages[0]["content"].endswith("</answer>.")


@pytest.mark.parametrize("name", [WORDS, f"{SUDOKU}+hint(1)"])
def test_what_has_no_scene_has_no_image(name):
    with pytest.raises(NoImages, match=r"no images of .*; use the observation 'text'") as error:
        opening_with_images(Address.of(name), "tags", View("image"))
    assert name in str(error.value)


@pytest.mark.parametrize("name", ["matches/othello+next_state", "games/flood_fill+reachable(2)"])
def test_questions_about_games_have_images_in_gymnasium(name):
    """The position, also where the first seeds have no task."""
    one = TextEnv(name, level=1, observation="both", image_size=64, render_mode="rgb_array")
    observation, info = one.reset(seed=3)
    assert observation["image"].shape == (64, 64, 3)
    assert (observation["image"] != square(None, 64)).any()
    assert one.render().ndim == 3
    assert info["address"].startswith(name.partition("+")[0])
    with pytest.raises(NoImages):
        TextEnv(f"{SUDOKU}+hint(1)", observation="image")


@pytest.mark.parametrize("name", [MASTERMIND, FOUR])
def test_a_transcript_has_the_image_of_each_turn(name):
    live, seen, view = episode_of(name, level=3), [], View("both", 64)
    for move in live.task.solve():
        seen.append(content(live, view))
        live.step(TAGS.write(move))
    messages = transcript(live, view)
    assert [m["content"] for m in messages if m["role"] == "user"] == seen
    assert len({str(parts[0]) for parts in seen}) == len(seen) > 1
    plain = [{**m, "content": text_of(m["content"])} for m in messages]
    assert plain == live.messages() == transcript(live, View("text"))


def test_long_transcripts_have_the_latest_images():
    episode = episode_of("games/game_2048", level=1)
    for move in list(episode.task.solve())[: LATEST + 4]:
        episode.step(TAGS.write(move))
    assert episode.score is None
    users = [m["content"] for m in transcript(episode, View("image", 64)) if m["role"] == "user"]
    assert [len(parts) for parts in users] == [1] * 5 + [2] * LATEST
    assert [text_of(parts) for parts in users] == [text for _, text in episode.observations]


def test_the_other_seat_has_its_own_images():
    task = Address.of(FOUR, 1).task()
    episode = Episode(task, TAGS, (), seats=(0, 1))
    for _ in range(3):
        episode.step(TAGS.write(episode.turn.legal_moves[0]))
    users = [m for m in transcript(episode, View("both", 64)) if m["role"] == "user"]
    assert [text_of(m["content"]) for m in users] == [
        text for player, text in episode.observations if player == episode.seat
    ]
    assert all(len(m["content"]) == 2 for m in users)


# ---------------------------------------------------------------------------- Gymnasium


def made(name, observation, **options):
    return TextEnv(name, observation=observation, **{"image_size": 64, **options})


@pytest.mark.filterwarnings("ignore:.*alternative render modes:UserWarning")
@pytest.mark.parametrize("observation", SEEN)
@pytest.mark.parametrize("name", [SUDOKU, MASTERMIND, FOUR, FLOW, "planning/tower_of_hanoi"])
def test_every_observation_passes_gymnasiums_check(name, observation):
    check_env(made(name, observation, level=1, render_mode="ansi"))


def test_the_spaces():
    text, image, both = (made(SUDOKU, seen).observation_space for seen in SEEN)
    assert text == palaestra.gym.AnyText()
    assert image == gymnasium.spaces.Box(0, 255, (64, 64, 3), np.uint8)
    assert both == gymnasium.spaces.Dict({"text": text, "image": image})


@pytest.mark.parametrize("name", [SUDOKU, MASTERMIND])
def test_observations_keep_their_type_to_the_end(name):
    texts, images, both = (made(name, seen) for seen in SEEN)
    first = [each.reset(seed=4) for each in (texts, images, both)]
    moves = [TAGS.write(move) for move in Address.parse(first[0][1]["address"]).task().solve()]
    steps = [[each.step(move) for move in moves] for each in (texts, images, both)]
    turns = next(zip(*first)), *([step[0] for step in turn] for turn in zip(*steps))
    infos = [[info, *(step[-1] for step in turn)] for (_, info), turn in zip(first, steps)]
    for text, image, pair in turns:
        assert image in images.observation_space
        assert pair["text"] == text
        assert (pair["image"] == image).all()
    assert [info["text"] for info in infos[1]] == [text for text, _, _ in turns]
    assert not any("text" in info for info in infos[0] + infos[2])
    assert turns[-1][0] == texts.episode.score.reason
    assert (turns[-1][1] == turns[-2][1]).all()  # the last scene
    assert (turns[0][1] == square(episode_of(name, 4).turn.scene(), 64)).all()


def test_observations_share_no_memory():
    environment = made(SUDOKU, "image")
    before, _ = environment.reset(seed=1)
    after, *_ = environment.step("no")
    before[:] = 0
    assert after.any()


def test_it_is_an_option_of_make():
    environment = gymnasium.make(ID, observation="both", image_size=96, level=1)
    observation, _ = environment.reset(seed=1)
    assert observation["image"].shape == (96, 96, 3)


@pytest.mark.parametrize("make", [TextEnv, TextVectorEnv])
@pytest.mark.parametrize("name", [WORDS])
def test_an_environment_without_scenes_is_named(make, name):
    with pytest.raises(ValueError, match=f"no images of {name}"):
        make(name, observation="image")
    make(name, observation="text")


@pytest.mark.parametrize("observation", SEEN)
def test_a_vector_environment_is_as_many_single_ones(observation):
    vector = TextVectorEnv(MASTERMIND, 3, observation=observation, image_size=64)
    first, infos = vector.reset(seed=5)
    assert first in vector.observation_space
    second, *_ = vector.step(["<answer>11</answer>", "no", "<answer>12</answer>"])
    rows = [*gymnasium.vector.utils.iterate(vector.observation_space, first)]
    later = [*gymnasium.vector.utils.iterate(vector.observation_space, second)]
    for n, move in enumerate(["<answer>11</answer>", "no", "<answer>12</answer>"]):
        single = made(MASTERMIND, observation)
        observed, info = single.reset(seed=5 + n)
        assert same(rows[n], observed)
        assert same(later[n], single.step(move)[0])
        assert infos.get("text", [None] * 3)[n] == info.get("text")


def test_a_vector_environment_starts_anew_with_new_images():
    vector = TextVectorEnv(SUDOKU, 2, observation="image", image_size=64)
    first, _ = vector.reset(seed=0)
    last, *_ = vector.step(["no", "no"])
    assert (last == first).all()
    assert not np.shares_memory(last, first)
    anew, *_ = vector.step(["", ""])
    assert (anew != first).any(axis=(1, 2, 3)).all()


@pytest.mark.parametrize("observation", ["image", "both"])
def test_gymnasiums_own_vector_environments_batch_images(observation):
    vector = gymnasium.make_vec(
        ID, num_envs=2, vectorization_mode="sync", observation=observation, image_size=64
    )
    observed, _ = vector.reset(seed=3)
    mine, _ = TextVectorEnv(SUDOKU, 2, observation=observation, image_size=64).reset(seed=3)
    assert same(observed, mine)


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return np.array_equal(one, other)


# ---------------------------------------------------------------------------- PettingZoo


@pytest.mark.filterwarnings("ignore::UserWarning")  # that observations are no arrays
@pytest.mark.parametrize("observation", ["image", "both"])
def test_matches_with_images_pass_pettingzoos_test(observation, capsys):
    api_test(env(FOUR, observation=observation, image_size=64), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_each_agent_sees_its_own_last_turn():
    match = env(FOUR, observation="image", image_size=64)
    match.reset(seed=1)
    mover = match.agent_selection
    (other,) = {*match.agents} - {mover}
    first = match.observe(mover)["image"]
    assert (match.observe(other)["image"] == 255).all()
    assert match.infos[mover]["text"] == match.unwrapped.episode.observation
    match.step(TAGS.write(match.infos[mover]["legal_moves"][0]))
    assert (match.observe(mover)["image"] == first).all()
    assert (match.observe(other)["image"] != first).any()
    assert match.observe(other).keys() == {"image"}
    last = match.observe(other)["image"]
    while not match.terminations[other]:
        last = match.observe(other)["image"]
        match.step("nonsense")
    assert (match.observe(other)["image"] == last).all()
    assert match.infos[other]["text"] == match.infos[other]["reason"]


def test_a_file_is_the_same_image():
    scene = episode_of(SUDOKU).turn.scene()
    assert (np.asarray(Image.open(BytesIO(png(scene, 80)))) == square(scene, 80)).all()
