"""Pairs and demonstrations from attempts, read by TRL's own trainers."""

import json

import pytest

pytest.importorskip("trl")
pytest.importorskip("datasets")

from palaestra import Address
from palaestra.trainers.evaluation.attempts import ATTEMPTS, MANIFEST, Attempt
from palaestra.trainers.pairs import exported_pairs


@pytest.fixture
def rows(tmp_path):
    """The rows of four attempts at each of four tasks."""

    def of(shape):
        lines = []
        for seed in range(4):
            address = str(Address.of("logic/knights_and_knaves", seed))
            for sample, score in enumerate((1.0, 0.0, 1.0, 0.0)):
                replies = (f"<answer>reply {sample}</answer>",)
                attempt = Attempt(
                    address, "logic/knights_and_knaves", 0, "0", sample, str(seed), score,
                    "scored", replies=replies,
                )  # fmt: skip
                lines.append(attempt.line())
        (tmp_path / ATTEMPTS).write_text("".join(lines))
        (tmp_path / MANIFEST).write_text(json.dumps({"same": {}, "content": "a calibration"}))
        import datasets

        return datasets.Dataset.from_list(list(exported_pairs([tmp_path], shape)))

    return of


def settings(tmp_path):
    return {
        "output_dir": str(tmp_path / "out"), "per_device_train_batch_size": 2, "max_steps": 1,
        "report_to": [], "use_cpu": True, "save_strategy": "no", "logging_steps": 1,
    }  # fmt: skip


@pytest.mark.parametrize("shape", ["dpo", "kto", "sft"])
def test_the_trainer_takes_a_step_on_the_rows(shape, rows, model, tokenizer, tmp_path):
    import trl

    trainers = {
        "dpo": lambda: (trl.DPOTrainer, trl.DPOConfig),
        "kto": _kto,
        "sft": lambda: (trl.SFTTrainer, trl.SFTConfig),
    }
    trainer_class, config_class = trainers[shape]()
    model.save_pretrained(tmp_path / "model")  # the reference model is loaded from there
    trainer = trainer_class(
        model=str(tmp_path / "model"),
        args=config_class(**settings(tmp_path)),
        train_dataset=rows(shape),
        processing_class=tokenizer,
    )
    trainer.train()
    losses = [each["loss"] for each in trainer.state.log_history if "loss" in each]
    assert losses
    assert all(loss == loss for loss in losses)  # noqa: PLR0124  no NaN


def _kto():
    import trl

    if hasattr(trl, "KTOTrainer"):
        return trl.KTOTrainer, trl.KTOConfig
    from trl.experimental import kto

    return kto.KTOTrainer, kto.KTOConfig
