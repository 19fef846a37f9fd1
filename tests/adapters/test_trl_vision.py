"""TRL trains a vision model on specs with images in prompts and in what tasks say to moves."""

import pytest
from tests.adapters.trl_runs import Scripted, called
from tests.adapters.vision import model_of, processor_of

from palaestra.address import Address
from palaestra.trainers import trl

BOARD = "games/minesweeper"
SIZE, PATCH = 64, 32
PAD = "<|image_pad|>"

pytestmark = pytest.mark.package("trl")


@pytest.fixture
def processor(tokenizer):
    """A processor with the chat template of a vision model that calls tools."""
    from trl import chat_template_utils as templates

    return processor_of(tokenizer, templates.qwen3_vl_chat_template, PAD, SIZE, PATCH)


@pytest.fixture
def vision_model(processor):
    return model_of(processor, SIZE, PATCH, positions=1 << 16)


def test_images_go_with_prompts_and_with_the_answers_to_moves(vision_model, processor, config):
    from trl import GRPOTrainer

    spec = trl.spec([BOARD], range(1), observation="both", image_size=SIZE)
    (address,) = spec.addresses()
    plan = [called("answer", move=move) for move in Address.parse(str(address)).task().solve()]
    trainer = GRPOTrainer(
        model=vision_model,
        processing_class=processor,
        args=config(max_steps=1, max_completion_length=6000, per_device_train_batch_size=2),
        train_dataset=spec.train_dataset,
        environment_factory=spec.environment_factory,
        reward_funcs=spec.reward_funcs,
    )

    def reply(text):
        turn = text.count("<|im_start|>assistant") - 1
        return plan[turn] if turn < len(plan) else "It is done."

    script = Scripted(trainer, processor.tokenizer, reply)
    trainer.train()
    entry = trainer.state.log_history[0]
    assert entry["rewards/GamesMinesweeper/mean"] == 1.0
    shown = (SIZE // PATCH) ** 2  # tokens of an image
    images = [text.count(PAD) // shown for text, *_ in script.asked]
    assert images[0] == 1
    assert images[1:] == sorted(images[1:])
    assert images[-1] >= len(plan) - 1
