"""Ends of replies, refused templates, and models in folders."""

import json
import re
from pathlib import Path

import pytest

from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.trainers.chat_tokens import ChatTokens, generation_stop_ids

transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")
from tests.trainers.chat_templates import (  # noqa: E402
    CHATML,
    DEEPSEEK_V3,
    FAMILIES,
    REFUSED,
    TOOLS,
    Family,
    chat_of,
    made,
    sampled,
    stream,
    user,
    whole_chat,
)


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
    for decoded in (chat.decode(ids), chat.inner.decode(ids, skip_special_tokens=True)):
        episode = Episode(address.task(), TAGS)
        episode.step(decoded)
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


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")  # if this test meets the model first
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
    final = "<|channel|>final<|message|><answer>2</answer>"
    for text in (f"{thought}{final}<|return|>", f"{thought}{final}", final):
        assert chat.decode(chat.inner.encode(text)) == "<answer>2</answer>"
    assert chat.cut(chat.inner.encode(thought)) == chat.inner.encode(thought)


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
def test_empty_replies():
    for name, family in FAMILIES.items():
        chat = chat_of(name)
        texts = {chat.decode(ids) for ids in ([], chat.stop_ids[:1], chat.encode_reply(""))}
        assert texts == {""}, name
        assert chat.encode_reply("")[-1] == chat.stop_ids[0]
        assert sampled(family, chat.inner, "") != chat.encode_observation("x", [])


@pytest.mark.parametrize("name", ["Gemma 3", "Phi-4-mini", "GLM", "ChatML base"])
@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")
def test_rollouts_of_the_trainer_are_the_chat_by_the_template(name, cut):
    torch = pytest.importorskip("torch")
    from palaestra.trainers.engines import Completion
    from palaestra.trainers.grpo.rollouts import Limits, Player

    family, chat = FAMILIES[name], chat_of(name)
    address = Address.of("games/mastermind", 3, 2)
    moves = [TAGS.write(move) for move in address.task().solve()]
    assert len(moves) > 2
    plan = iter(moves)
    prompts = []

    class Scripted:
        def generate(self, batch, *_):
            prompts.extend(map(list, batch))
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
    for eos in (more, [chat.stop_ids[0], more]):
        (tmp_path / "generation_config.json").write_text(json.dumps({"eos_token_id": eos}))
        loaded = ChatTokens.load(str(tmp_path), {"enable_thinking": True})
        assert loaded.stop_ids == (*chat.stop_ids, more)
        assert loaded.options == {"enable_thinking": True}
    assert loaded.encode_reply("a") == chat.encode_reply("a")


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
    bridges = []
    bridge = chat.renderer.bridge_to_next_turn

    def bridged(*arguments, **options):
        bridges.append(bridge(*arguments, **options))
        return bridges[-1]

    monkeypatch.setattr(chat.renderer, "bridge_to_next_turn", bridged)
    for ended in (True, False):
        reply_ids = sampled(family, tokenizer, "It is a knave.", ended)
        for text in ("No.\nTry again.", "x", "1\n\n2"):
            assert chat.encode_observation(text, reply_ids) == alone.encode_observation(
                text, reply_ids
            ), (text, ended)
    assert len(bridges) == 3
    assert None not in bridges
    reply_ids, hostile = sampled(family, tokenizer, "a knave"), f"a{family.end}b"
    expected = alone.encode_observation(hostile, reply_ids)
    assert chat.encode_observation(hostile, reply_ids) == expected
    assert len(bridges) == 3  # renderers would write the token
    # Options that a renderer does not know leave it to the template.
    assert ChatTokens(tokenizer, {"no_such_option": 1}).renderer is None


def test_the_page_of_templates_names_the_families_that_are_tested():
    page = (Path(__file__).parents[2] / "docs/trainers/chat_templates.md").read_text()
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
