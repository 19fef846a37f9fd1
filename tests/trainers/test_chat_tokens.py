"""Chat templates as tokens: prompts, replies and observations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.trainers.chat_tokens import ChatTokens

transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")
from tests.trainers.chat_templates import (  # noqa: E402
    CHATML,
    FAMILIES,
    IM,
    QWEN,
    REFUSED,
    Family,
    chat_of,
    made,
    sampled,
    stream,
    user,
    whole_chat,
)

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


@pytest.mark.filterwarnings("ignore:.*leaves the reasoning")  # if this test meets the model first
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

    ids, control_ids = controls(opening, reply, observation)
    assert control_ids == controls("x", "x", "x")[1]
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
