"""Rows with images are what TRL, veRL and a vision processor of transformers take."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.adapters.vision import model_of, processor_of

from palaestra.cli.datasets import write
from palaestra.cli.options import Format
from palaestra.trainers import trl
from palaestra.trainers.exports import exported
from palaestra.trainers.parquet import dataset_of
from palaestra.trainers.rows import IMAGE, image_parts
from palaestra.trainers.trl import rollouts

SUDOKU = "grids/sudoku"
SIZE = 64

IMAGE_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
PATCH = 16


@pytest.fixture
def processor(tokenizer):
    return processor_of(tokenizer, IMAGE_TEMPLATE, IMAGE, SIZE, PATCH)


@pytest.fixture
def vision_model(processor):
    return model_of(processor, SIZE, PATCH)


@pytest.mark.package("trl")  # and a transformers with this module
@pytest.mark.parametrize("observation", ["image", "both"])
def test_a_vision_processor_takes_the_messages_of_rows(processor, observation):
    (row,) = dataset_of(
        [*exported(SUDOKU, [3], trainer="trl", observation=observation, image_size=SIZE)]
    )
    prompt = processor.apply_chat_template(row["prompt"], add_generation_prompt=True)
    assert prompt.count(IMAGE) == len(row["images"]) == 1
    assert row["prompt"][0]["content"][1]["text"] in prompt
    taken = processor(text=[prompt], images=[row["images"]], return_tensors="np")
    assert taken["pixel_values"].shape == (1, 3, SIZE, SIZE)
    image_id = processor.tokenizer.convert_tokens_to_ids(IMAGE)
    assert (np.asarray(taken["input_ids"]) == image_id).sum() == (SIZE // PATCH) ** 2


@pytest.mark.package("trl")
def test_trl_puts_our_images_in_the_place_of_its_placeholders():
    from trl.data_utils import is_conversational, prepare_multimodal_messages

    (row,) = trl.dataset(SUDOKU, [3], observation="both", image_size=SIZE)
    assert is_conversational(row)
    (message,) = prepare_multimodal_messages(row["prompt"], images=row["images"])
    image, text = message["content"]
    assert image["image"] is row["images"][0]
    assert image["image"].size == (SIZE, SIZE)
    assert text["text"].startswith("Complete this 4 by 4 sudoku.")


@pytest.mark.package("trl")
def test_trl_trains_a_vision_model_on_our_images(
    vision_model, processor, tmp_path, monkeypatch, capsys
):
    from trl import GRPOConfig, GRPOTrainer

    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    seen = []

    def reward(completions, images, **columns):
        seen.extend(images)
        return [float(n % 2) for n, _ in enumerate(trl.reward(completions, **columns))]

    before = vision_model.lm_head.weight.detach().clone()
    config = GRPOConfig(
        output_dir=str(tmp_path), use_cpu=True, bf16=False, per_device_train_batch_size=2,
        num_generations=2, max_completion_length=4, max_steps=1, save_strategy="no", report_to=[],
        disable_tqdm=True, learning_rate=1e-2, seed=1,
    )  # fmt: skip
    trainer = GRPOTrainer(
        model=vision_model, processing_class=processor, reward_funcs=reward, args=config,
        train_dataset=trl.dataset(SUDOKU, range(4), observation="image", image_size=SIZE),
    )  # fmt: skip
    trainer.train()
    assert [image.size for (image,) in seen] == [(SIZE, SIZE)] * 2
    assert (trainer.model.lm_head.weight != before).any()


@pytest.mark.package("trl")
def test_rollouts_of_text_refuse_images():
    (row,) = trl.rows(SUDOKU, [3], observation="image", image_size=SIZE)
    with pytest.raises(ValueError, match="without rollout_func"):
        rollouts._Player(row["prompt"], None)


@pytest.mark.package("verl")
@pytest.mark.parametrize("trainer", ["verl", "all"])
def test_verl_puts_our_images_in_the_place_of_its_placeholders(tmp_path, trainer):
    from datasets import load_dataset
    from verl.utils.dataset.rl_dataset import RLHFDataset

    file = tmp_path / "rows.parquet"
    rows = exported(SUDOKU, [3], trainer=trainer, observation="both", image_size=SIZE)
    write(rows, Format.parquet, file)
    (loaded,) = load_dataset("parquet", data_files=str(file), cache_dir=str(tmp_path))["train"]
    (unread,) = exported(SUDOKU, [3], trainer=trainer, observation="both", image_size=SIZE)
    keys = {"image_key": "images", "video_key": "videos", "audio_key": "audios"}
    dataset = SimpleNamespace(processor=object(), **keys)
    for row in (loaded, unread):  # from a file, and as `Tasks` makes them
        text = row["prompt"][0]["content"]
        (message,) = RLHFDataset._build_messages(dataset, row, key="prompt")
        image, *texts = message["content"]
        assert image["type"] == "image"
        assert image["image"].size == (SIZE, SIZE)
        words = "".join(part["text"] for part in texts)
        assert words.strip() == image_parts(text)[1]["text"]
