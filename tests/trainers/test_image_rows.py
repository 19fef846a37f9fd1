"""Rows with images; ``tests/adapters/test_images.py`` gives them to the trainers themselves."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import Episode
from palaestra.observations import NoImages, View, square, text_without_state
from palaestra.trainers import trl
from palaestra.trainers.exports import TRAINERS, VISION, exported
from palaestra.trainers.parquet import dataset_of
from palaestra.trainers.rows import IMAGE, image_parts, selected_rows, task_row

SUDOKU, CODE, WORDS = "grids/sudoku", "games/mastermind", "logic/knights_and_knaves"
SIZE = 64


def episode_of(name, seed):
    return Episode(Address.of(name, seed).task())


def command(*argv):
    with pytest.raises(SystemExit) as end:
        main(list(argv))
    return end.value.code or 0


@pytest.mark.parametrize("name", [SUDOKU, CODE])
@pytest.mark.parametrize("trainer", ["verl", "all"])
def test_a_text_begins_with_a_placeholder_for_its_image(name, trainer):
    (row,) = exported(name, [3], trainer=trainer, observation="both", image_size=SIZE)
    episode = episode_of(name, 3)
    assert row["prompt"] == [{"role": "user", "content": f"{IMAGE}\n{episode.observation}"}]
    (image,) = row["images"]
    pixels = np.asarray(Image.open(BytesIO(image["bytes"])))
    assert (pixels == square(episode.turn.scene(), SIZE)).all()
    texts = [row[key] for key in ("input", "problem") if key in row]
    assert all(text == row["prompt"][0]["content"] for text in texts)
    assert row["reward_model"]["ground_truth"] == str(Address.of(name, 3))


def test_an_image_stands_for_the_state():
    (row,) = exported(SUDOKU, [3], trainer="verl", observation="image", image_size=SIZE)
    text = text_without_state(episode_of(SUDOKU, 3))
    assert row["prompt"][0]["content"] == f"{IMAGE}\n{text}"


def test_prompts_for_trl_have_parts():
    (row,) = exported(SUDOKU, [3], trainer="trl", observation="both", image_size=SIZE)
    text = episode_of(SUDOKU, 3).observation
    parts = [{"type": "image"}, {"type": "text", "text": text}]
    assert row["prompt"] == [{"role": "user", "content": parts}]
    (mine,) = trl.rows(SUDOKU, [3], observation="both", image_size=SIZE)
    assert mine["prompt"][0]["content"] == parts
    assert (mine["prompt"][0]["label"], mine["address"]) == (row["address"],) * 2
    assert np.array_equal(mine["images"][0], Image.open(BytesIO(row["images"][0]["bytes"])))


def test_text_is_as_before():
    for trainer in (*VISION, "slime"):
        (row,) = exported(SUDOKU, [3], trainer=trainer)
        assert "images" not in row
        (same,) = exported(SUDOKU, [3], trainer=trainer, observation="text", image_size=SIZE)
        assert same == row


def test_a_perfect_reply_to_a_row_with_an_image_is_right():
    rows = trl.rows(SUDOKU, range(2), observation="image", image_size=SIZE)
    replies = [f"<answer>{Address.parse(row['address']).task().answer()}</answer>" for row in rows]
    columns = {key: [row[key] for row in rows] for key in ("address", "answer_format", "images")}
    assert trl.reward(replies, **columns) == [1.0, 1.0]


def test_selections_have_images(tmp_path):
    view = View("both", SIZE)
    rows = list(selected_rows(f"{SUDOKU}?seeds=2:4", "boxed", view))
    assert [row["seed"] for row in rows] == [2, 3]
    assert rows[0]["prompt"][0]["content"].endswith("\\boxed{}.")
    assert rows == [task_row(Address.of(SUDOKU, n), "boxed", view) for n in (2, 3)]
    file = tmp_path / "maths.jsonl"
    file.write_text('{"question": "1 + 1?", "answer": "2"}\n')
    with pytest.raises(NoImages, match=re.escape(str(file))):
        list(selected_rows(str(file), "tags", view))


@pytest.mark.parametrize("trainer", sorted({*TRAINERS} - {*VISION}))
def test_other_trainers_have_no_rows_with_images(trainer):
    with pytest.raises(ValueError, match=f"for all, trl, verl, not {trainer}"):
        exported(SUDOKU, [1], trainer=trainer, observation="image")


def test_environments_without_images_are_named():
    with pytest.raises(NoImages, match=WORDS):
        list(exported(WORDS, [1], observation="both"))
    with pytest.raises(NoImages, match=WORDS):
        trl.rows(WORDS, [1], observation="image")


def test_a_text_with_a_placeholder_of_its_own_is_refused(monkeypatch):
    monkeypatch.setattr("palaestra.observations.Episode.observation", "Open <video> now.")
    with pytest.raises(ValueError, match=r"contains <video>, which stands for a file"):
        task_row(Address.of(SUDOKU, 1), "tags", View("both", SIZE))


@pytest.mark.parametrize("trainer", VISION)
def test_files_hold_images(trainer, tmp_path, capsys):
    from datasets import load_dataset, load_from_disk

    options = ["--trainer", trainer, "--observation", "both", "--image-size", "80", "-n", "2"]
    file, folder = tmp_path / "rows.parquet", tmp_path / "rows"
    assert not command("export", SUDOKU, *options, "--format", "parquet", "-o", str(file))
    assert not command("export", SUDOKU, *options, "--format", "datasets", "-o", str(folder))
    capsys.readouterr()
    parquet = load_dataset("parquet", data_files=str(file), cache_dir=str(tmp_path))["train"]
    for rows in (parquet, load_from_disk(str(folder))):
        assert [[image.size for image in row["images"]] for row in rows] == [[(80, 80)]] * 2
        for n, row in enumerate(rows):
            scene = episode_of(SUDOKU, n).turn.scene()
            assert (np.asarray(row["images"][0]) == square(scene, 80)).all()


def test_what_a_data_set_of_parts_reads_back():
    """Arrow adds what a part lacks; a part of an image has neither a text nor an image of its own,
    which templates and trainers would take for one.
    """
    (row,) = dataset_of([*exported(SUDOKU, [1], trainer="trl", observation="image")])
    image, text = row["prompt"][0]["content"]
    assert image == {"type": "image", "text": None}
    assert text["type"] == "text"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--observation", "both"], "images require --format parquet, datasets or hub"),
        (["--observation", "picture"], "picture"),
        (["--observation", "image", "--image-size", "32"], "64"),
    ],
)
def test_what_the_command_refuses(options, message, tmp_path, capsys):
    file = tmp_path / "rows"
    assert command("export", SUDOKU, *options, "-o", str(file)) == 2
    assert message in capsys.readouterr().err
    assert not file.exists()


def test_parts_of_a_text():
    assert image_parts(f"{IMAGE}\nSolve.") == [
        {"type": "image"},
        {"type": "text", "text": "Solve."},
    ]
