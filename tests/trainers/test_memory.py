"""The memory of a run on a GPU, worked out, against models that are there."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
transformers = pytest.importorskip("transformers", reason="needs palaestra[train]")

from palaestra.registry import names  # noqa: E402
from palaestra.trainers.engines.static import token_bytes  # noqa: E402
from palaestra.trainers.grpo.config import Config  # noqa: E402
from palaestra.trainers.memory import (  # noqa: E402
    CARDS,
    LOGITS_AT_ONCE,
    MODELS,
    ModelShape,
    memory,
)
from palaestra.trainers.models.logprobs import CHUNK, autocast_context, hidden_of  # noqa: E402
from palaestra.trainers.models.policies import checkpoint_layers, with_lora  # noqa: E402

pytestmark = pytest.mark.filterwarnings(  # PEFT asks
    "ignore:.*is_gradient_checkpointing:FutureWarning"
)

RECIPES = sorted((Path(__file__).parents[2] / "examples/gpu").glob("*.yaml"))
SMALLEST = {"qwen2.5-0.5b": "80 GB", "qwen3-1.7b": "80 GB", "qwen3-4b-lora": "80 GB",
            "qwen3-4b": "140 GB"}  # fmt: skip


def made(shape, device="cpu"):
    """A model of transformers of that shape."""
    sizes = {name: value for name, value in vars(shape).items() if name != "head_dim"}
    bias, qk_norm = sizes.pop("attention_bias"), sizes.pop("qk_norm")
    name = "Qwen3" if qk_norm else "Qwen2" if bias else "Llama"
    if shape.head_dim:
        sizes["head_dim"] = shape.head_dim
    with torch.device(device):
        return getattr(transformers, f"{name}ForCausalLM")(
            getattr(transformers, f"{name}Config")(**sizes)
        ).eval()


TINY = [
    ModelShape(64, 3, 4, 2, 96, 50),
    ModelShape(96, 2, 4, 4, 160, 70, tie_word_embeddings=False),
    ModelShape(128, 3, 4, 1, 256, 50, attention_bias=True),
    ModelShape(64, 2, 4, 2, 128, 50, 32, qk_norm=True),
]


@pytest.mark.parametrize(
    "shape", [*TINY, *MODELS.values()], ids=lambda one: f"{one.hidden_size}-{one.intermediate_size}"
)
def test_parameters_are_exact(shape):
    model = made(shape, "meta")
    assert shape.parameters == sum(weight.numel() for weight in model.parameters())
    assert shape.cache_bytes(1, 4) == token_bytes(model)


@pytest.mark.parametrize(
    "shape", TINY, ids=lambda one: f"{one.hidden_size}-{one.intermediate_size}"
)
def test_parameters_of_adapters_are_exact(shape):
    pytest.importorskip("peft")
    model = with_lora(made(shape), 3)
    trained = [weight.numel() for weight in model.parameters() if weight.requires_grad]
    assert shape.adapter_parameters(3) == sum(trained)


def kept_bytes(model, tokens):
    """What is kept for the gradient of so many tokens."""
    kept, alive = {}, []

    def pack(tensor):
        alive.append(tensor)  # or its memory would be another's next
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    ids = torch.randint(5, 50, (tokens // 64, 64), generator=torch.Generator().manual_seed(1))
    with (
        torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor),
        autocast_context("cpu", "bfloat16"),
    ):
        hidden_of(model, ids, torch.ones_like(ids))
    return sum(kept.values())


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize(
    "shape", TINY, ids=lambda one: f"{one.hidden_size}-{one.intermediate_size}"
)
def test_activations_are_those_that_are_kept(shape, checkpointing):
    """In two layers more, of 256 tokens more: what is outside of layers is left out."""
    deeper = replace(shape, num_hidden_layers=shape.num_hidden_layers + 2)
    measured, stated = [], []
    for one in (shape, deeper):
        model = made(one)
        if checkpointing:
            checkpoint_layers(model)
        measured.append(kept_bytes(model, 512) - kept_bytes(model, 256))
        stated.append(one.activation_bytes(256, checkpointing))
    ratio = (stated[1] - stated[0]) / (measured[1] - measured[0])
    assert ratio == pytest.approx(1, abs=0.001) if checkpointing else 0.97 < ratio < 1.3, ratio


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.stem)
def test_recipes_are_configurations_that_fit_their_cards(file):
    plain = yaml.safe_load(file.read_text("utf-8"))
    config = Config.read(plain)
    assert set(config.environments) <= set(names())
    shape = MODELS[plain["model"]]
    for gib in CARDS.values():
        assert memory(shape, plain).fits(gib) == (gib >= CARDS[SMALLEST[file.stem]])


def test_what_takes_memory():
    shape, plain = MODELS["Qwen/Qwen3-1.7B"], {"microbatch_tokens": 8192, "max_episode_tokens": 64}
    need = memory(shape, plain)
    assert need.state == 16 * shape.parameters
    assert memory(shape, {**plain, "gradient_checkpointing": True}).learning < need.learning / 2
    assert memory(shape, {**plain, "loss": {"kl_coef": 0.1}}).state == 20 * shape.parameters
    assert memory(shape, {**plain, "lora_rank": 8}).state < 5 * shape.parameters
    assert LOGITS_AT_ONCE == CHUNK
