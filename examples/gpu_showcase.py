"""Experiments on one GPU: comparison of engines, timing of steps, training of a decoder.

    python examples/gpu_showcase.py check  --out results   # graph engine against plain forward pass
    python examples/gpu_showcase.py speed  --out results   # tokens per second, step times, MFU
    python examples/gpu_showcase.py train  --out results   # resumes where the last run stopped

Each command writes its results into ``results`` as JSON and ends within ``--minutes``. The training
run is stored in pieces of at most 15 MB, so that limits on the size of files do not matter when it
is copied. ``--tiny`` runs the same on a CPU in a minute, as a test. Requires ``palaestra[train]``.
"""

import argparse
import json
import platform
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from palaestra.trainers.engines import Engine, Sampling, Static
from palaestra.trainers.grpo.checkpoints import CHECKPOINT, manifest
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.trainer import Trainer
from palaestra.trainers.models.decoder import Decoder, Shape
from palaestra.trainers.models.logprobs import autocast_context, logprobs_of
from palaestra.trainers.models.policies import compile_layers
from palaestra.trainers.training import MANIFEST, PLOTS, evaluated, plot

PIECE = 15 << 20
DENSE_TFLOPS = {"H100": 989.0, "H200": 989.0, "A100": 312.0}
"""Peak dense bfloat16 of a GPU by its name; MFU is a share of it."""

MICROBATCH = 64
"""Rollouts that are learnt from at a time."""

SIZES = {
    "0.135B": {"hidden_size": 576, "num_hidden_layers": 30, "num_attention_heads": 9,
               "num_key_value_heads": 3, "intermediate_size": 1536, "vocab_size": 49152},
    "0.5B": {"hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
             "num_key_value_heads": 2, "intermediate_size": 4864, "vocab_size": 151936},
}  # fmt: skip
"""Shapes of usual models; random weights are enough to time them."""

TINY = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
        "num_key_value_heads": 1, "intermediate_size": 128, "vocab_size": 512}  # fmt: skip

SHOWCASE = Config.read(
    {
        "environments": {
            "algorithms/sort_six": 1, "strings/spell_backwards": 1, "arithmetic/base_conversion": 1,
            "numbers/modular_inverse": 1, "numbers/prime_factorization": 1,
            "arithmetic/random_calculation": 1,
        },
        "answer_format": "silent", "levels": [0, 1, 2], "curriculum": "thompson",
        "width": 512, "layers": 8, "heads": 8, "dtype": "bfloat16", "compile": True,
        "max_reply_tokens": 64, "max_episode_tokens": 640, "cohorts": 2,
        "warmup_steps": 1500, "warmup_tasks": 256, "warmup_learning_rate": 1e-3,
        "steps": 400, "groups": 128, "group_size": 8, "microbatch_tokens": 131_072,
        "learning_rate": 2e-4,
        "eval_every": 20, "eval_tasks": 720, "save_every": 0,
    }
)  # fmt: skip


def causal(size: dict[str, int], device: str) -> Any:
    """A Llama of some shape with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(**size, max_position_embeddings=2048)).to(device)


# ------------------------------------------------------------------ right


def check(device: str, tiny: bool) -> dict[str, Any]:
    """How far the engine's log-probabilities are from those of one plain reading."""
    gaps = {}
    models = {
        "decoder": Decoder(Shape(512, 256, 4, 4)).to(device),
        "llama": causal(TINY if tiny else SIZES["0.135B"], device),
    }
    for name, model in models.items():
        chance = torch.Generator(device).manual_seed(1)
        prompts = [[5 + (n * 7 + k) % 400 for k in range(4 + n % 9)] for n in range(37)]
        engine, worst = Static(model, 0, [4]), 0.0
        for _ in range(3):  # graphs are recorded in the first round and replayed in the others
            completions = engine.generate(prompts, Sampling(48), chance)
            for prompt, one in zip(prompts, completions, strict=True):
                ids = torch.tensor([[*prompt, *one.ids]], device=device)
                with torch.no_grad():
                    logprobs, _ = logprobs_of(model, ids, torch.ones_like(ids))
                gap = logprobs[0, len(prompt) - 1 :] - torch.tensor(one.logprobs, device=device)
                worst = max(worst, float(gap.abs().max()))
        gaps[name] = {"worst_gap": worst, "held": worst < (1e-4 if device == "cpu" else 2e-2)}
    return gaps


# ------------------------------------------------------------------ fast


def speed(device: str, tiny: bool) -> dict[str, Any]:
    """What a step of 1,024 rollouts of 256 tokens, after prompts of 64, takes: sampling them with
    and without CUDA graphs, and learning from them in one update.
    """
    report: dict[str, Any] = {}
    rollouts, tokens = (16, 16) if tiny else (1024, 256)
    dtype = "float32" if device == "cpu" else "bfloat16"
    for name, size in ({"tiny": TINY} if tiny else SIZES).items():
        model = causal(size, device)
        sampling = {}
        for mode, capture in (("graphs", None), ("eager", lambda step: step)):
            engine = Static(model, 0, [], rollouts, dtype, capture)
            sampling[mode] = _sampling(engine, rollouts, tokens, device)
            del engine
        learning = _learning(model, rollouts, tokens, device, compiles=not tiny)
        report[name] = {
            "tokens_a_second": {
                mode: round(rollouts * tokens / seconds) for mode, seconds in sampling.items()
            },
            "sample_s": round(sampling["graphs"], 3),
            **learning,
            "step_s": round(sampling["graphs"] + min(learning["learn_s"].values()), 3),
        }
        del model
        if device == "cuda":
            report[name]["peak_gib"] = round(torch.cuda.max_memory_allocated() / 2**30, 1)
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
    return report


def _sampling(engine: Engine, batch: int, tokens: int, device: str) -> float:
    """Seconds to hand the weights over and sample, once all is recorded."""
    prompts = [[5 + n % 100] * 64 for n in range(batch)]
    generator = torch.Generator(device).manual_seed(1)
    engine.generate(prompts, Sampling(tokens), generator)
    _wait(device)
    start = perf_counter()
    engine.sync()
    engine.generate(prompts, Sampling(tokens), generator)
    _wait(device)
    return perf_counter() - start


def _learning(
    model: Any, rollouts: int, tokens: int, device: str, compiles: bool
) -> dict[str, Any]:
    """Seconds to learn from a batch, as it is and compiled, and how much of the GPU's arithmetic
    that is.
    """
    seconds = {"plain": _update(model, rollouts, tokens, device, fused=False)}
    if compiles:
        compile_layers(model)
        seconds["compiled"] = _update(model, rollouts, tokens, device, fused=True)
    weights = sum(each.numel() for each in model.parameters())
    flops = 6 * weights * rollouts * (64 + tokens)
    name = torch.cuda.get_device_name() if device == "cuda" else ""
    peak = next((value for key, value in DENSE_TFLOPS.items() if key in name), 0.0)
    return {
        "parameters": weights,
        "learn_s": {mode: round(value, 3) for mode, value in seconds.items()},
        "mfu": {
            mode: round(flops / value / (peak * 1e12), 3) for mode, value in seconds.items() if peak
        },
    }


def _update(model: Any, rollouts: int, tokens: int, device: str, fused: bool) -> float:
    """Seconds of one update from so many rollouts, once all is compiled."""
    size, length = (4 if device == "cpu" else MICROBATCH), 64 + tokens
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-6, fused=device == "cuda")
    ids = torch.randint(5, 500, (size, length), device=device)
    mask = torch.zeros_like(ids)
    mask[:, 64:] = 1
    seconds = []
    for _ in range(2):
        _wait(device)
        start = perf_counter()
        for _ in range(rollouts // size):
            with autocast_context(device, "float32" if device == "cpu" else "bfloat16"):
                logprobs, _ = logprobs_of(model, ids, torch.ones_like(ids), 1.0, mask, fused)
            (-logprobs.mean()).backward()
        optimiser.step()
        optimiser.zero_grad()
        _wait(device)
        seconds.append(perf_counter() - start)
    return min(seconds)


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


# ------------------------------------------------------------------ learning


def split(file: Path) -> None:
    """Leaves a file in pieces that are small enough to be brought home."""
    for old in file.parent.glob(f"{file.name}.*"):
        old.unlink()
    held = file.read_bytes()
    for index in range(0, len(held), PIECE):
        file.with_name(f"{file.name}.{index // PIECE:03d}").write_bytes(held[index : index + PIECE])
    file.unlink()


def joined(file: Path) -> bool:
    """Puts a file together again, if its pieces are there."""
    pieces = sorted(file.parent.glob(f"{file.name}.[0-9][0-9][0-9]"))
    if pieces:
        file.write_bytes(b"".join(piece.read_bytes() for piece in pieces))
    return bool(pieces)


def train(device: str, tiny: bool, out: Path, until: float) -> dict[str, Any]:
    """The showcase: goes on from the pieces that are there, and stops in time."""
    config = SHOWCASE.changed(device=device)
    if tiny:
        config = config.changed(
            width=32, layers=1, heads=2, groups=4, group_size=2, warmup_steps=2, warmup_tasks=4,
            steps=3, eval_every=2, eval_tasks=18, dtype="float32", compile=False,
        )  # fmt: skip
    out.mkdir(parents=True, exist_ok=True)
    kept, trainer = out / CHECKPOINT, Trainer(config)
    if joined(kept):
        trainer.restore(kept)
    else:
        trainer.warm_up()
        trainer.log.append(_measured(trainer))
    while trainer.step < config.steps and perf_counter() < until:
        report = trainer.take_step()
        if trainer.step % config.eval_every == 0 or trainer.step == config.steps:
            report.eval_score = trainer.evaluate()
        trainer.log.append(report.row())
    trainer.save(kept)
    split(kept)
    (out / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in trainer.log))
    (out / MANIFEST).write_text(json.dumps(manifest(trainer), indent=1) + "\n")
    plot([row for row in trainer.log if "loss" in row], out / PLOTS)
    return _measured(trainer)


def _measured(trainer: Trainer) -> dict[str, Any]:
    """Held-out success by environment, by the likeliest tokens."""
    row = evaluated(trainer, 0.0, 1, "greedy")
    by_env = {env["env"]: (env["success"] or {}).get("value") for env in row["environments"]}
    return {"step": trainer.step, "greedy": by_env}


def main() -> None:
    """Does one part of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=["check", "speed", "train"])
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--minutes", type=float, default=8.0, help="when training is to stop")
    parser.add_argument("--tiny", action="store_true", help="the same in small, on a CPU")
    options = parser.parse_args()
    until = perf_counter() + 60 * options.minutes
    device = "cuda" if torch.cuda.is_available() and not options.tiny else "cpu"
    if device == "cpu" and not options.tiny:
        parser.error("there is no GPU here; --tiny runs on a CPU")
    if options.part == "train":
        row = train(device, options.tiny, options.out / "train", until)
    else:
        row = {"check": check, "speed": speed}[options.part](device, options.tiny)
    name = torch.cuda.get_device_name() if device == "cuda" else platform.machine()
    options.out.mkdir(parents=True, exist_ok=True)
    report = {"device": name, "torch": torch.__version__, options.part: row}
    (options.out / f"{options.part}.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
