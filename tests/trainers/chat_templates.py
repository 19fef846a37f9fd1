"""Tokenizers and chats."""

from dataclasses import dataclass, field
from functools import cache

import pytest

from palaestra.trainers.chat_tokens import ChatTokens

transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")


CORPUS = [
    *(chr(n) for n in range(32, 127)),
    *"\n\t äéßλ▁",
    *["the answer is knight and knave", "user model assistant system", "\n\n", "    ", "<answer>7"],
] * 3


@dataclass(frozen=True)
class Family:
    """A chat template in the shape of a family's, and the tokens that it has.

    A policy's reply is ``head``, its text and ``end``; in later turns the template writes
    ``written`` for the end. ``loose`` are control tokens that the tokenizer does not call special.
    """

    template: str
    special: tuple[str, ...]
    eos: str
    end: str
    stops: tuple[str, ...]
    head: str = ""
    written: str = ""
    bos: str = ""
    loose: tuple[str, ...] = ()
    pieces: str = "bytes"
    options: dict[str, object] = field(default_factory=dict)


WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
"""How the tokenizers of Llama 3, Qwen and others split a text before they merge its bytes: the ends
of lines before a word are a token of their own.
"""

QWEN = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

QWEN_3 = (
    "{% set ns = namespace(last=0) %}"
    "{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}"
    "{% endfor %}"
    "{% for m in messages %}"
    "{% if m.role == 'assistant' %}"
    "{% set parts = m.content.split('</think>') %}"
    "{% set content = parts[-1].lstrip('\n') %}"
    "{% set thought = parts[0].split('<think>')[-1].strip('\n') if parts | length > 1 else '' %}"
    "<|im_start|>assistant\n"
    "{% if loop.index0 > ns.last %}<think>\n{{ thought }}\n</think>\n\n{% endif %}"
    "{{ content }}<|im_end|>\n"
    "{% else %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}"
    "{% endif %}"
)

LLAMA_3 = (
    "{{ bos_token }}<|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: 2023\n"
    "Today Date: {{ strftime_now('%d %b %Y') }}\n\n<|eot_id|>"
    "{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content | trim }}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)

GEMMA_3 = (
    "{{ bos_token }}{% for m in messages %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles take turns') }}{% endif %}"
    "<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
    "{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)

PHI_4 = (
    "{% for m in messages %}<|im_start|>{{ m.role }}<|im_sep|>{{ m.content }}<|im_end|>{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant<|im_sep|>{% endif %}"
)

PHI_4_MINI = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% else %}{{ eos_token }}{% endif %}"
)

MISTRAL = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content }}[/INST]"
    "{% else %} {{ m.content | trim }}{{ eos_token }}{% endif %}{% endfor %}"
)

MISTRAL_TEKKEN = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]"
    "{% else %}{{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
)

GLM = (
    "[gMASK]<sop>{% for m in messages %}"
    "{% if m.role == 'user' %}<|user|>\n{{ m.content }}"
    "{% if enable_thinking is defined and not enable_thinking"
    " and not m.content.endswith('/nothink') %}/nothink{% endif %}"
    "{% else %}<|assistant|>\n<think></think>"
    "{% set content = m.content.split('</think>')[-1].strip() %}"
    "{% if content %}{{ '\n' + content }}{% endif %}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>"
    "{% if enable_thinking is defined and not enable_thinking %}"
    "{{ '\n<think></think>' }}{% endif %}{% endif %}"
)

GLM_TOKENS = ("<|endoftext|>", "[gMASK]", "<sop>", "<|user|>", "<|assistant|>", "<|observation|>")

KIMI = (
    "<|im_system|>system<|im_middle|>You are an assistant.<|im_end|>"
    "{% for m in messages %}<|im_{{ m.role }}|>{{ m.role }}<|im_middle|>{{ m.content }}<|im_end|>"
    "{% endfor %}{% if add_generation_prompt %}<|im_assistant|>assistant<|im_middle|>{% endif %}"
)

GPT_OSS = (
    "<|start|>system<|message|>You are an assistant.\nCurrent date: {{ strftime_now('%Y-%m-%d') }}"
    "\n\nReasoning: {{ reasoning_effort | default('medium') }}<|end|>"
    "{% for m in messages %}{% if m.role == 'user' %}<|start|>user<|message|>{{ m.content }}<|end|>"
    "{% else %}<|start|>assistant<|channel|>final<|message|>{{ m.content }}"
    "{{ '<|return|>' if loop.last and not add_generation_prompt else '<|end|>' }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}"
)

GPT_OSS_TOKENS = (
    *("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>", "<|call|>"),
    "<|endoftext|>",
)

SMOLLM_3 = (
    "{% set thinking = enable_thinking is not defined or enable_thinking %}"
    "<|im_start|>system\n## Metadata\n\nToday Date: {{ strftime_now('%d %B %Y') }}\n"
    "Reasoning Mode: {{ '/think' if thinking else '/no_think' }}\n\n<|im_end|>\n"
    "{% for m in messages %}{% if m.role == 'user' %}"
    "{{ '<|im_start|>user\n' + m.content + '<|im_end|>\n' }}"
    "{% elif thinking %}{{ '<|im_start|>assistant\n' + m.content.lstrip('\n') + '<|im_end|>\n' }}"
    "{% else %}{{ '<|im_start|>assistant\n<think>\n\n</think>\n' + m.content.lstrip('\n')"
    " + '<|im_end|>\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if not thinking %}{{ '<think>\n\n</think>\n' }}{% endif %}{% endif %}"
)

BEGIN, END = "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>"

DEEPSEEK_V3 = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}<｜User｜>{{ m.content }}"
    "{% else %}<｜Assistant｜>{{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<｜Assistant｜>{% endif %}"
)

DEEPSEEK_R1 = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}<｜User｜>{{ m.content }}"
    "{% else %}<｜Assistant｜>{{ m.content.split('</think>')[-1] }}{{ eos_token }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<｜Assistant｜><think>\n{% endif %}"
)

IM = "<|im_end|>"

FAMILIES = {
    "Qwen 2.5": Family(
        "<|im_start|>system\nYou are an assistant.<|im_end|>\n" + CHATML, QWEN, IM, IM, (IM,)
    ),
    "Qwen 3": Family(QWEN_3, QWEN, IM, IM, (IM,), loose=("<think>", "</think>")),
    "Llama 3": Family(
        LLAMA_3,
        (
            *("<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"),
            *("<|start_header_id|>", "<|end_header_id|>"),
        ),
        eos="<|eot_id|>", end="<|eot_id|>", stops=("<|eot_id|>",), bos="<|begin_of_text|>",
    ),
    "Gemma 3": Family(
        GEMMA_3, ("<pad>", "<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>"),
        eos="<eos>", end="<end_of_turn>", stops=("<end_of_turn>", "<eos>"), bos="<bos>",
        pieces="blanks",
    ),
    "Phi-4": Family(
        PHI_4, (*QWEN, "<|im_sep|>"), "<|endoftext|>", IM, (IM, "<|endoftext|>"),
    ),
    "Phi-4-mini": Family(
        PHI_4_MINI, ("<|endoftext|>", "<|user|>", "<|assistant|>", "<|end|>"),
        eos="<|endoftext|>", end="<|end|>", stops=("<|end|>", "<|endoftext|>"),
    ),
    "Mistral": Family(
        MISTRAL, ("<s>", "</s>", "[INST]", "[/INST]"), "</s>", "</s>", ("</s>",), head=" ",
        bos="<s>", pieces="words",
    ),
    "Mistral (Tekken)": Family(
        MISTRAL_TEKKEN, ("<s>", "</s>", "[INST]", "[/INST]"), "</s>", "</s>", ("</s>",), bos="<s>"
    ),
    "GLM": Family(
        GLM, GLM_TOKENS, "<|endoftext|>", "<|user|>", ("<|user|>", "<|endoftext|>"),
        head="\n<think></think>\n", loose=("<think>", "</think>"),
    ),
    "GLM, not thinking": Family(
        GLM, GLM_TOKENS, "<|endoftext|>", "<|user|>", ("<|user|>", "<|endoftext|>"), head="\n",
        loose=("<think>", "</think>"), options={"enable_thinking": False},
    ),
    "Kimi": Family(
        KIMI,
        ("[BOS]", "[EOS]", IM, *(f"<|im_{n}|>" for n in ("system", "user", "assistant", "middle"))),
        "[EOS]", IM, (IM, "[EOS]"),
    ),
    "GPT-OSS": Family(
        GPT_OSS, GPT_OSS_TOKENS, "<|return|>", "<|return|>", ("<|return|>",),
        head="<|channel|>final<|message|>", written="<|end|>", options={"reasoning_effort": "low"},
    ),
    "SmolLM3": Family(SMOLLM_3, QWEN, IM, IM, (IM,), loose=("<think>", "</think>")),
    "SmolLM3, not thinking": Family(
        SMOLLM_3, QWEN, IM, IM, (IM,), loose=("<think>", "</think>"),
        options={"enable_thinking": False},
    ),
    "DeepSeek": Family(
        DEEPSEEK_V3, (BEGIN, END), END, END, (END,), bos=BEGIN,
        loose=("<｜User｜>", "<｜Assistant｜>"),
    ),
    "ChatML base": Family(CHATML, QWEN, "<|endoftext|>", IM, (IM, "<|endoftext|>")),
}  # fmt: skip

REFUSED = {
    "DeepSeek R1": Family(
        DEEPSEEK_R1, (BEGIN, END), END, END, (END,), bos=BEGIN,
        loose=("<｜User｜>", "<｜Assistant｜>", "<think>", "</think>"),
    ),
    "Qwen 3, not thinking": Family(
        QWEN_3, QWEN, IM, IM, (IM,), loose=("<think>", "</think>"),
        options={"enable_thinking": False},
    ),
}  # fmt: skip


def made(family):
    """A tokenizer of the family's kind, which puts its own beginning before a text that it is
    given without a template.
    """
    from tokenizers import AddedToken, decoders, models, pre_tokenizers, processors, trainers

    inner = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
    alphabet = ["▁"]
    if family.pieces == "bytes":
        inner.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(tokenizers.Regex(WORDS), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        inner.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
    elif family.pieces == "words":  # of the SentencePiece kind, with a blank before a text
        inner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
        inner.decoder = decoders.Metaspace(prepend_scheme="first")
    else:  # the same without that blank
        inner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
        inner.decoder = decoders.Metaspace(prepend_scheme="never")
    trainer = trainers.BpeTrainer(
        vocab_size=500, special_tokens=["<unk>", *family.special], initial_alphabet=alphabet,
        show_progress=False,
    )  # fmt: skip
    inner.train_from_iterator(CORPUS, trainer)
    inner.add_tokens([AddedToken(each, special=False, normalized=False) for each in family.loose])
    if family.bos:
        inner.post_processor = processors.TemplateProcessing(
            single=f"{family.bos} $A",
            special_tokens=[(family.bos, inner.token_to_id(family.bos))],
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token=family.eos, unk_token="<unk>", pad_token=None,
        bos_token=family.bos or None, chat_template=family.template,
    )  # fmt: skip


@cache
def chat_of(name):
    family = (FAMILIES | REFUSED)[name]
    return ChatTokens(made(family), family.options)


def sampled(family, tokenizer, text, ended=True):
    """The ids of a reply as a policy samples it, behind a control token."""
    whole = f"{tokenizer.eos_token}{family.head}{text}{family.end if ended else ''}"
    return tokenizer.encode(whole, add_special_tokens=False)[1:]


def user(text):
    return {"role": "user", "content": text}


def whole_chat(tokenizer, opening, turns, options):
    chat = [user(opening)]
    for reply, observation, _ in turns:
        chat += [{"role": "assistant", "content": reply}, user(observation)]
    return tokenizer.apply_chat_template(
        chat, add_generation_prompt=True, return_dict=False, **options
    )


def stream(chat, family, opening, turns):
    ids = chat.encode_prompt([user(opening)])
    for reply, observation, ended in turns:
        reply_ids = sampled(family, chat.inner, reply, ended)
        ids = [*ids, *reply_ids, *chat.encode_observation(observation, reply_ids)]
    return ids


TOOLS = (
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"),
    *("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "<|eom_id|>", "<|system|>"),
    *(f"<|tool_call{n}|>" for n in ("s_section_begin", "s_section_end", "_begin", "_end")),
    *("<|tool_call_argument_begin|>", "<｜Assistant｜>", "<｜User｜>"),
    *(f"<｜tool▁{n}｜>" for n in ("calls▁begin", "calls▁end", "call▁begin", "call▁end", "sep")),
    *(f"<｜tool▁{n}｜>" for n in ("outputs▁begin", "outputs▁end", "output▁begin", "output▁end")),
)
"""Tokens that renderers look up, whether or not there are tools."""
