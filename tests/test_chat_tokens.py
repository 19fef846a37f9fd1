"""The stream of an episode's ids equals what the chat template gives for the whole chat."""

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.trainers.chat_tokens import ChatTokens, generation_stop_ids

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


PLAIN = st.text(st.sampled_from("abcdefgh 17 \n<>|.:ä"), max_size=20)
REPLIES = PLAIN.map(str.strip).filter(bool)
TURNS = st.lists(st.tuples(REPLIES, PLAIN, st.booleans()), max_size=3)


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
@pytest.mark.parametrize("name", FAMILIES)
@given(opening=PLAIN, turns=TURNS)
def test_the_stream_of_an_episode_is_the_whole_chat_by_the_template(name, opening, turns):
    family, chat = FAMILIES[name], chat_of(name)
    ids = stream(chat, family, opening, turns)
    expected = whole_chat(chat.inner, opening, turns, family.options)
    if family.written:  # the token at which a reply stops is not the one of earlier replies
        stop, written = chat.inner.convert_tokens_to_ids([family.end, family.written])
        ids = [written if each == stop else each for each in ids]
    assert ids == expected


@pytest.mark.parametrize("name", FAMILIES | REFUSED)
def test_replies_stop_at_every_end(name):
    family, chat = (FAMILIES | REFUSED)[name], chat_of(name)
    assert chat.inner.convert_ids_to_tokens(list(chat.stop_ids)) == list(family.stops)
    assert chat.pad_id == chat.stop_ids[0]
    assert chat.vocabulary_size == len(chat.inner)


@pytest.mark.parametrize("name", FAMILIES)
@given(text=REPLIES)
def test_replies_are_encoded_as_they_are_sampled_and_decoded_to_their_text(name, text):
    family, chat = FAMILIES[name], chat_of(name)
    ids = chat.encode_reply(text)
    assert ids == sampled(family, chat.inner, text)
    assert chat.decode(ids) == chat.decode([*ids, *ids]) == chat.decode(ids[:-1])
    assert chat.decode(ids) == chat.inner.decode(chat.inner.encode(text), skip_special_tokens=True)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_beginning_is_written_once(name):
    """Though the tokenizer adds one to any text that it is given."""
    family, chat = FAMILIES[name], chat_of(name)
    ids = stream(chat, family, "Who is it?", [("a", "no", True), ("b", "no", False)])
    bos = chat.inner.bos_token_id
    assert ids.count(bos) == bool(family.bos)
    assert not family.bos or ids[0] == bos
    assert not family.bos or chat.inner.encode("x")[0] == bos


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
@pytest.mark.parametrize("name", FAMILIES)
@given(data=st.data())
def test_control_tokens_in_texts_stay_text(name, data):
    family, chat = FAMILIES[name], chat_of(name)
    known = {*chat.inner.all_special_ids, *chat.inner.added_tokens_decoder}
    control = st.sampled_from([*family.special, *(each for each in family.loose if each in name)])
    hostile = st.lists(control | PLAIN, max_size=4).map("".join)
    opening, reply, observation = (data.draw(hostile) for _ in range(3))

    def controls(opening, reply, observation):
        reply_ids = chat.encode_reply(reply or "x")
        ids = chat.encode_prompt([user(opening)]) + reply_ids
        ids += chat.encode_observation(observation, reply_ids)
        return ids, [each for each in ids if each in known]

    ids, found = controls(opening, reply, observation)
    assert found == controls("x", "x", "x")[1]
    if family.pieces == "bytes":  # others have no token for some characters
        reply_ids = chat.encode_reply(reply or "x")
        assert chat.decode(reply_ids).strip() == (reply or "x").strip()
        written = chat.inner.decode(ids, clean_up_tokenization_spaces=False)
        assert opening.strip() in written
        assert observation.strip() in written


def test_role_tokens_that_are_not_called_special_stay_text_too():
    chat = chat_of("DeepSeek")
    user_id = chat.inner.convert_tokens_to_ids("<｜User｜>")
    ids = chat.encode_observation("a<｜User｜>b<｜User｜>", chat.encode_reply("x"))
    assert ids.count(user_id) == 1
    assert chat.inner.decode(ids) == "<｜User｜>a<｜User｜>b<｜User｜><｜Assistant｜>"


def test_control_tokens_that_overlap_stay_text():
    family = Family(CHATML, (*QWEN, "<a><b>", "<b><c>"), IM, IM, (IM,))
    chat = ChatTokens(made(family))
    known = set(chat.inner.all_special_ids) | set(chat.inner.added_tokens_decoder)
    ids = chat.encode_observation("<a><b><c><b><c>", chat.encode_reply("x"))
    start, end = chat.inner.convert_tokens_to_ids(["<|im_start|>", IM])
    assert [each for each in ids if each in known] == [start, end, start]


def test_a_text_of_many_control_tokens_is_encoded_in_pieces_that_add_up():
    chat = chat_of("Qwen 2.5")
    ids = chat.encode_observation(IM * 1_000, chat.encode_reply("x"))
    piece = chat.encode_observation(IM, chat.encode_reply("x"))
    empty = chat.encode_observation("", chat.encode_reply("x"))
    assert len(ids) == len(empty) + 1_000 * (len(piece) - len(empty))


# ---------------------------------------------------------------------------- ends of replies


def test_a_policy_that_runs_on_is_heard_up_to_the_end_of_its_turn():
    """The end of a turn is not Gemma's eos, so its policies used to make up the next turns."""
    chat = chat_of("Gemma 3")
    address = Address.of("logic/knights_and_knaves", 3)
    (move,) = address.task().solve()
    reply = TAGS.write(move)
    text = (
        f"{reply}<end_of_turn>\n<start_of_turn>user\nNo.<end_of_turn>\n<start_of_turn>model\n"
        f"<answer>I do not know</answer><end_of_turn>"
    )
    ids = chat.inner.encode(text, add_special_tokens=False)
    scores = []
    for heard in (chat.decode(ids), chat.inner.decode(ids, skip_special_tokens=True)):
        episode = Episode(address.task(), TAGS)
        episode.step(heard)
        scores.append(episode.result().value)
    assert scores == [1.0, 0.0]
    assert chat.inner.decode(chat.cut(ids)) == f"{reply}<end_of_turn>"


@pytest.mark.parametrize("name", ["Gemma 3", "Phi-4", "Phi-4-mini", "ChatML base", "Qwen 2.5"])
def test_an_end_is_written_once(name):
    family, chat = FAMILIES[name], chat_of(name)
    end, eos = chat.inner.convert_tokens_to_ids([family.end, family.eos])
    ended, cut = (sampled(family, chat.inner, "one", wish) for wish in (True, False))
    after = chat.encode_observation("two", ended)
    assert end not in after[:1]
    assert chat.encode_observation("two", cut) == [end, *after]
    assert chat.encode_observation("two", []) == [end, *after]
    # Another stop token ends a reply as well: a second end would be one too many.
    assert chat.encode_observation("two", [*cut, eos]) == after
    assert eos not in after or eos == end


def test_a_turn_that_ends_where_the_next_one_begins():
    """GLM's replies end with the token of the next speaker; where another one ended it, that of
    the next speaker is still to come.
    """
    family, chat = FAMILIES["GLM"], chat_of("GLM")
    text = {
        end: chat.inner.decode(
            chat.encode_observation("no", chat.inner.encode(f"\n<think></think>\na{end}"))
        )
        for end in ("", *family.stops)
    }
    assert text == {
        "": "<|user|>\nno<|assistant|>",
        "<|user|>": "\nno<|assistant|>",
        "<|endoftext|>": "<|user|>\nno<|assistant|>",
    }


def test_the_final_channel_is_the_reply():
    chat = chat_of("GPT-OSS")
    thought = "<|channel|>analysis<|message|><answer>1</answer>?<|end|><|start|>assistant"
    said = "<|channel|>final<|message|><answer>2</answer>"
    for text in (f"{thought}{said}<|return|>", f"{thought}{said}", said):
        assert chat.decode(chat.inner.encode(text)) == "<answer>2</answer>"
    assert chat.cut(chat.inner.encode(thought)) == chat.inner.encode(thought)


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
def test_empty_replies():
    for name, family in FAMILIES.items():
        chat = chat_of(name)
        found = {chat.decode(ids) for ids in ([], chat.stop_ids[:1], chat.encode_reply(""))}
        assert found == {""}, name
        assert chat.encode_reply("")[-1] == chat.stop_ids[0]
        assert sampled(family, chat.inner, "") != chat.encode_observation("x", [])


@pytest.mark.parametrize("name", ["Gemma 3", "Phi-4-mini", "GLM", "ChatML base"])
@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
def test_rollouts_of_the_trainer_are_the_chat_by_the_template(name, cut):
    torch = pytest.importorskip("torch")
    from palaestra.trainers.grpo.engines import Completion
    from palaestra.trainers.grpo.rollouts import Limits, Player

    family, chat = FAMILIES[name], chat_of(name)
    address = Address.of("games/mastermind", 3, 2)
    moves = [TAGS.write(move) for move in address.task().solve()]
    assert len(moves) > 2
    plan = iter(moves)
    prompts = []

    class Scripted:
        def generate(self, given, *_):
            prompts.extend(map(list, given))
            ids = sampled(family, chat.inner, next(plan), not cut)
            return [Completion(ids, [0.0] * len(ids), not cut)]

    player = Player(Scripted(), chat, TAGS, Limits(1_000, 100_000, 20))
    (rollout,) = player.play([address], 1.0, torch.Generator())
    assert rollout.score.value == 1.0
    assert rollout.replies == moves
    episode = Episode(address.task(), TAGS)
    for n, reply in enumerate(moves):
        expected = chat.inner.apply_chat_template(
            episode.messages(), add_generation_prompt=True, return_dict=False
        )
        assert prompts[n] == expected
        episode.step(reply)


# ---------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("name", REFUSED)
def test_a_template_that_rewrites_earlier_replies_is_refused_from_the_second_turn_on(name):
    family, chat = REFUSED[name], chat_of(name)
    prompt = chat.encode_prompt([user("Who?")])
    assert prompt == whole_chat(chat.inner, "Who?", [], family.options)
    reply = chat.encode_reply("a knave")
    assert chat.decode(reply) == "a knave"
    assert reply[-1] == chat.stop_ids[0]
    with pytest.raises(ValueError, match="is not append-only"):
        chat.encode_observation("no", reply)
    # The way out that the message names.
    other = ChatTokens(chat.inner, {**family.options, "chat_template": DEEPSEEK_V3})
    assert other.encode_observation("no", other.encode_reply("a"))


@pytest.mark.parametrize("name", ["Qwen 3", "GLM", "GLM, not thinking"])
def test_reasoning_that_a_template_leaves_out_is_kept_and_said_once(name, recwarn):
    chat = ChatTokens(made(FAMILIES[name]), FAMILIES[name].options)
    reply = [*chat.inner.encode("<think>\nso\n</think>\n\na"), chat.stop_ids[0]]
    with pytest.warns(UserWarning, match="leaves the reasoning of earlier turns out"):
        first = chat.encode_observation("no", reply)
    recwarn.clear()
    assert chat.encode_observation("no", reply) == first
    assert not recwarn


@pytest.mark.parametrize("name", ["Qwen 3", "GLM", "DeepSeek R1"])
def test_a_demonstration_keeps_reasoning_that_later_turns_would_not_have(name):
    chat = chat_of(name)
    text = "<think>\nso\n</think>\n\na knave"
    ids = chat.encode_reply(text)
    assert ids == [*chat.inner.encode(text, add_special_tokens=False), chat.stop_ids[0]]
    assert chat.decode(ids) == text


def test_what_has_no_end_is_refused():
    family = Family(CHATML.replace("<|im_end|>", ""), (), None, "", ())
    with pytest.raises(ValueError, match="has an end of a reply"):
        ChatTokens(made(family))
    assert ChatTokens(made(family), stop_ids=[5]).stop_ids == (5,)


# ---------------------------------------------------------------------------- models and folders


def test_plain_lines_without_a_template():
    for name in ("Llama 3", "ChatML base"):
        family = FAMILIES[name]
        tokenizer = made(family)
        tokenizer.chat_template = None
        chat = ChatTokens(tokenizer)
        ids = stream(chat, Family("", (), family.eos, family.eos, ()), "Who?", [("a", "no", False)])
        assert tokenizer.decode(ids) == f"{family.bos}Who?\na{family.eos}\nno\n"
        assert ids.count(tokenizer.bos_token_id) == bool(family.bos)
        assert chat.stop_ids == (tokenizer.eos_token_id,)


def test_the_ends_of_a_generation_config_are_among_those_of_a_model(tmp_path):
    chat = chat_of("Qwen 2.5")
    chat.save(tmp_path)
    assert generation_stop_ids(str(tmp_path)) == []
    more = chat.inner.convert_tokens_to_ids("<|endoftext|>")
    for found in (more, [chat.stop_ids[0], more]):
        (tmp_path / "generation_config.json").write_text(json.dumps({"eos_token_id": found}))
        loaded = ChatTokens.load(str(tmp_path), {"enable_thinking": True})
        assert loaded.stop_ids == (*chat.stop_ids, more)
        assert loaded.options == {"enable_thinking": True}
    assert loaded.encode_reply("a") == chat.encode_reply("a")


TOOLS = (
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"),
    *("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "<|eom_id|>", "<|system|>"),
    *(f"<|tool_call{n}|>" for n in ("s_section_begin", "s_section_end", "_begin", "_end")),
    *("<|tool_call_argument_begin|>", "<｜Assistant｜>", "<｜User｜>"),
    *(f"<｜tool▁{n}｜>" for n in ("calls▁begin", "calls▁end", "call▁begin", "call▁end", "sep")),
    *(f"<｜tool▁{n}｜>" for n in ("outputs▁begin", "outputs▁end", "output▁begin", "output▁end")),
)
"""Tokens that renderers look up, whether or not there are tools."""


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Qwen 3", "Qwen/Qwen3-0.6B"),
        ("Llama 3", "meta-llama/Llama-3.2-1B-Instruct"),
        ("Kimi", "moonshotai/Kimi-K2-Instruct"),
        ("DeepSeek", "deepseek-ai/DeepSeek-V3"),
        ("GLM", "zai-org/GLM-4.5-Air"),
    ],
)
def test_renderers_of_known_models_write_the_same(name, model, monkeypatch):
    pytest.importorskip("renderers")
    family = FAMILIES[name]
    tokenizer = made(family)
    tokenizer.add_tokens([each for each in TOOLS if each not in tokenizer.get_vocab()])
    alone = ChatTokens(tokenizer)
    tokenizer.name_or_path = model
    chat = ChatTokens(tokenizer)
    assert alone.renderer is None
    assert chat.renderer is not None
    assert set(chat.renderer.get_stop_token_ids()) <= set(chat.stop_ids)
    asked = []
    bridge = chat.renderer.bridge_to_next_turn

    def bridged(*given, **options):
        asked.append(bridge(*given, **options))
        return asked[-1]

    monkeypatch.setattr(chat.renderer, "bridge_to_next_turn", bridged)
    for ended in (True, False):
        reply_ids = sampled(family, tokenizer, "It is a knave.", ended)
        for text in ("No.\nTry again.", "x", "1\n\n2"):
            assert chat.encode_observation(text, reply_ids) == alone.encode_observation(
                text, reply_ids
            ), (text, ended)
    assert len(asked) == 3
    assert None not in asked
    reply_ids, hostile = sampled(family, tokenizer, "a knave"), f"a{family.end}b"
    expected = alone.encode_observation(hostile, reply_ids)
    assert chat.encode_observation(hostile, reply_ids) == expected
    assert len(asked) == 3  # renderers would write the token
    # Options that a renderer does not know leave it to the template.
    assert ChatTokens(tokenizer, {"no_such_option": 1}).renderer is None


def test_the_page_of_templates_names_the_families_that_are_tested():
    page = (Path(__file__).parents[1] / "docs/trainers/chat_templates.md").read_text()
    rows = re.findall(r"^\| ([^|]+?) \| ", page, re.MULTILINE)[1:]
    assert rows == [*FAMILIES, *REFUSED]


def real_tokenizers():
    """Those that lie in the cache of Hugging Face."""
    from huggingface_hub.constants import HF_HUB_CACHE

    return [
        str(file.parent) for file in sorted(Path(HF_HUB_CACHE).glob("**/tokenizer_config.json"))
    ]


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
def test_the_stream_of_real_tokenizers():
    folders = real_tokenizers()
    if not folders:
        pytest.skip("no tokenizer in the cache of Hugging Face")
    turns = [("<answer>1</answer>", "No.\nTry again.", True), ("2", " Not yet. ", False)]
    for folder in folders:
        chat = ChatTokens.load(folder)
        if not chat.templated or not chat.append_only:
            continue
        ids = chat.encode_prompt([user("Who?")])
        for reply, observation, ended in turns:
            reply_ids = chat.encode_reply(reply)[: None if ended else -1]
            ids += [*reply_ids, *chat.encode_observation(observation, reply_ids)]
        expected = whole_chat(chat.inner, "Who?", turns, {})
        assert [each for each in ids if each not in chat.stop_ids] == [
            each for each in expected if each not in chat.stop_ids
        ], folder
