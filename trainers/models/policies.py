"""Operations on policies: the small decoder, or any causal language model of transformers."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn

from palaestra.trainers.models.decoder import Decoder


def with_lora(model: Any, rank: int) -> Any:
    """A Hugging Face model whose weights stay and have low-rank adapters beside them (E. Hu et al.,
    "LoRA", 2021).
    """
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(model, config)


def frozen_copy(model: Any) -> Any:
    """Return a copy of a model in evaluation mode; weights that are not trained are shared.

    The copy of a model with adapters takes the memory of its adapters alone.
    """
    shared = {id(weight): weight for weight in model.parameters() if not weight.requires_grad}
    return deepcopy(model, shared).eval()


def merged_weights(model: Any) -> Iterator[tuple[str, Tensor]]:
    """The weights by their names in a checkpoint, adapters added to what they adapt, one by one."""
    if not hasattr(model, "get_base_model"):
        yield from model.state_dict().items()
        return
    merged = {
        f"{name}.base_layer.weight": layer
        for name, layer in model.get_base_model().named_modules()
        if hasattr(layer, "get_delta_weight")
    }
    for name, weight in model.get_base_model().state_dict().items():
        if layer := merged.get(name):
            adapters = [layer.get_delta_weight(each) for each in layer.active_adapters]
            yield name.replace(".base_layer.", "."), sum(adapters, weight)
        elif ".lora_" not in name:
            yield name.replace(".base_layer.", "."), weight


def compile_layers(model: nn.Module) -> None:
    """Compiles each layer of our decoder or of a Hugging Face model, in place.

    Names of weights stay as they are. It happens at the first call, takes some seconds, and needs a
    C compiler.
    """
    for layer in (model if isinstance(model, Decoder) else body_of(model)).layers:
        layer.compile()


def checkpoint_layers(model: Any) -> None:
    """Keeps of each layer only what goes into it, and works out the rest again for the gradient
    (T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016): a third more
    arithmetic, and far less memory.
    """
    if isinstance(model, Decoder):
        model.gradient_checkpointing = True
        return
    enable = getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)
    enable({"use_reentrant": False})
    for module in model.modules():
        # Transformers looks at this, too. What is in a layer stays as it is: dropout is off.
        if getattr(module, "gradient_checkpointing", False):
            module.training = True


@contextmanager
def sampling_mode(model: nn.Module) -> Iterator[None]:
    """Without gradients, in evaluation mode; each module is then put back into its own."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def body_of(model: nn.Module) -> Any:
    """A Hugging Face model without its output layer."""
    plain: Any = model.get_base_model() if hasattr(model, "get_base_model") else model  # PEFT's
    return getattr(plain, plain.base_model_prefix)
