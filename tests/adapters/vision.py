"""Tiny vision models in the manner of LLaVA's, with random weights."""


def processor_of(tokenizer, chat_template, image_token, size, patch):
    """A processor around a tokenizer, for square images of a size in pixels."""
    from transformers import LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    tokenizer.add_special_tokens({"additional_special_tokens": [image_token]})
    side = {"height": size, "width": size}
    images = CLIPImageProcessorPil(size={"shortest_edge": size}, crop_size=side)
    return LlavaProcessor(
        images, tokenizer, patch_size=patch, vision_feature_select_strategy="default",
        chat_template=chat_template, num_additional_image_tokens=1, image_token=image_token,
    )  # fmt: skip


def model_of(processor, size, patch, positions=4096):
    """A model with some thousand weights, for as many positions of text."""
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
    )

    torch.manual_seed(0)
    torch.set_num_threads(1)
    width = {"hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2}
    tokenizer = processor.tokenizer
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(
            image_size=size, patch_size=patch, num_hidden_layers=2, projection_dim=16, **width
        ),
        text_config=LlamaConfig(
            vocab_size=len(tokenizer), num_hidden_layers=1, max_position_embeddings=positions,
            **width,
        ),
        image_token_id=tokenizer.convert_tokens_to_ids(processor.image_token),
    )  # fmt: skip
    made = LlavaForConditionalGeneration(config)
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    made.generation_config.update(**ends, bos_token_id=None)
    return made
