"""Tests of users who talk."""

import re
from random import Random

import pytest

from palaestra.generators.tools.conversation import (
    Agenda,
    Deed,
    Fact,
    Intent,
    Topic,
    User,
    has_cue,
    meant,
    normalised,
    slot,
)
from palaestra.generators.tools.user_speech import FRAMES, HELD_OUT, Voice

COLOUR = Topic(("colour", "which paint"), ("I like {}.", "It should be {}."), ("red", "blue"))
SIZE = Topic(("size", "how large"), ("Size {}.", "It is {} wide."))
NAME = Topic(("name",), ("I am {}.", "My name is {}."))
TOPICS = {"colour": COLOUR, "size": SIZE, "name": NAME}


def user(*facts, instead=(), deeds=(), seed=0):
    intents = [Intent("it is about a door.", facts, instead), Intent("and a window.", ())]
    return User(Agenda(TOPICS, intents, (Fact("name", "Ada"),), deeds), seed)


def act_of(text):
    """The acts that a reply has frames of."""
    return {
        act
        for act, frames in FRAMES.items()
        for frame in frames
        for part in [max(frame.split("{}"), key=len).strip()]
        if part and part in text
    }


def plain(customer, message):
    """A reply of a user that makes no typing slips."""
    customer.voice.slips = False
    return customer.reply(message)


def test_facts_are_stated_when_they_are_asked_for_and_as_often():
    customer = user(Fact("colour", "red"), Fact("size", "7"))
    assert "red" not in customer.opening()
    for _ in range(2):
        assert slot(COLOUR.frames, plain(customer, "Which colour?")) == "red"
    both = plain(customer, "What colour and what size, and what is your name?")
    assert (slot(COLOUR.frames, both), slot(SIZE.frames, both)) == ("red", "7")
    assert slot(NAME.frames, both) == "Ada"


def test_what_is_not_known_is_said_so_and_what_is_not_understood():
    customer = user(Fact("colour", "red"))
    assert "unknown" in act_of(plain(customer, "What size?"))
    assert "not understood" in act_of(plain(customer, "Bananas!"))
    assert "not understood" in act_of(plain(customer, ""))


def test_a_mistake_is_corrected_when_the_question_is_repeated():
    customer = user(Fact("size", "7", mistaken="9"))
    assert slot(SIZE.frames, plain(customer, "What size?")) == "9"
    second = plain(customer, "What size, again?")
    assert slot(SIZE.frames, second) == "7"
    assert "corrected" in act_of(second)
    assert slot(SIZE.frames, plain(customer, "size?")) == "7"


def test_second_thoughts_come_with_the_question_to_confirm():
    customer = user(Fact("colour", "red", changed="blue"))
    assert slot(COLOUR.frames, plain(customer, "colour?")) == "red"
    changed = plain(customer, "A red door. Do you confirm?")
    assert "changed" in act_of(changed)
    assert slot(COLOUR.frames, changed) == "blue"
    assert slot(COLOUR.frames, plain(customer, "colour?")) == "blue"
    assert "agreement" in act_of(plain(customer, "A blue door. Is that correct?"))


def test_a_wrong_proposal_meets_an_objection():
    customer = user(Fact("colour", "red"))
    wrong = plain(customer, "Shall I paint it blue?")
    assert "objection" in act_of(wrong)
    assert slot(COLOUR.frames, wrong) == "red"
    assert "agreement" in act_of(plain(customer, "Shall I paint it red and not blue?"))
    assert "agreement" in act_of(plain(customer, "Shall I go ahead?"))


def test_a_refusal_brings_the_second_choice_once():
    customer = user(Fact("colour", "red"), instead=(Fact("colour", "blue"),))
    second = plain(customer, "I am sorry, that is not possible.")
    assert "instead" in act_of(second)
    assert slot(COLOUR.frames, second) == "blue"
    assert slot(COLOUR.frames, plain(customer, "which colour?")) == "blue"
    assert "acceptance" in act_of(plain(customer, "We cannot do that either."))


def test_the_next_intent_comes_when_it_is_asked_for():
    customer = user(Fact("colour", "red"))
    assert "and a window." in plain(customer, "Is there anything else?")
    assert "unknown" in act_of(plain(customer, "Which colour?"))
    assert "nothing more" in act_of(plain(customer, "Anything else?"))
    assert "nothing more" in act_of(plain(customer, "Anything else?"))


def test_deeds_are_done_by_the_user_alone():
    done = []

    def restart():
        done.append(1)
        return "The light is green now."

    customer = user(deeds=[Deed(("restart the router", "turn it off and on"), restart)])
    assert "The light is green now." in plain(customer, "Please restart the router.")
    plain(customer, "Have you seen the router?")
    assert done == [1]


def test_replies_are_a_function_of_the_messages():
    """The same messages get the same replies, whatever the reading of them takes."""
    messages = ["colour?", "size?", "Do you confirm?", "anything else?", "what?", "name"]
    rng = Random(1)
    for seed in range(30):
        order = rng.sample(messages, 6)
        one, other = (user(Fact("colour", "red", changed="blue"), seed=seed) for _ in range(2))
        assert [one.reply(m) for m in order] == [other.reply(m) for m in order]


def test_there_are_thousands_of_wordings():
    replies = {
        user(Fact("colour", "red"), seed=seed).reply("Shall I go ahead?") for seed in range(5_000)
    }
    assert len(replies) > 400
    changed = {
        user(Fact("colour", "red", changed="blue"), seed=seed).reply("Do you confirm?")
        for seed in range(5_000)
    }
    assert len(changed) > 1_000


def test_frames_of_evaluation_are_never_those_of_training():
    for frames in FRAMES.values():
        assert len(frames) >= HELD_OUT + 5
        assert all(frame.count("{}") == frames[0].count("{}") for frame in frames)
        used = {Voice(seed).frame(Random(seed), frames) for seed in range(300)}
        assert used == {*frames[:-HELD_OUT]}
        everything = {Voice(seed, True).frame(Random(seed), frames) for seed in range(300)}
        assert everything == {*frames}


def test_values_are_never_touched_by_typing_slips():
    for seed in range(300):
        customer = user(Fact("colour", "carmine"), seed=seed)
        assert "carmine" in customer.reply("Which colour?")


@pytest.mark.parametrize(
    "message", ["x" * 10_000_000, "colour " * 2_000_000, "\0\ud800", "?" * 999, " ", "名前は"]
)
def test_hostile_messages_are_answered(message):
    assert user(Fact("colour", "red")).reply(message)


def test_cues_are_whole_words():
    assert has_cue(normalised("Which COLOURS?"), ["colour"])
    assert not has_cue(normalised("discolouration"), ["colour"])
    assert not has_cue(normalised("Who names it?"), ["name it"])


def test_stars_in_cues_stand_for_a_few_words():
    cues = ["move * to another day"]
    assert has_cue(normalised("Shall we move it to another day?"), cues)
    assert has_cue(normalised("move to another day"), cues)
    assert has_cue(normalised("move all of the family flights to another day"), cues)
    assert not has_cue(normalised("move all of the four family flights to another day"), cues)
    assert not has_cue(normalised("to another day we move"), cues)


def test_the_longest_cue_counts():
    cues = {"day": ["which day", "day"], "new day": ["which day * instead"]}
    assert meant(normalised("Which day is it?"), cues) == ["day"]
    assert meant(normalised("Which day suits you instead?"), cues) == ["new day"]
    both = "Which day is it now? And please tell me which day suits you instead."
    assert meant(normalised(both), cues) == ["day", "new day"]


@pytest.mark.parametrize(
    "message",
    [
        "I cannot find a door of this colour. Which colour is it?",
        "We are unable to locate it: what colour?",
        "May I have the colour, please?",
        "Before I proceed, which colour is it?",
        "What colour should I paint it?",
        "Which of the colours would you like me to use?",
        "I will check it next. What colour?",
        "Could you confirm your name, and which colour it is?",
        "Is there anything else I should know about the colour?",
    ],
)
def test_questions_are_neither_proposals_nor_refusals(message):
    """What sounds like one has no effect, and the question gets its answer."""
    customer = user(Fact("colour", "red", changed="green"), instead=(Fact("colour", "blue"),))
    assert slot(COLOUR.frames, plain(customer, message)) == "red"


@pytest.mark.parametrize(
    "message",
    ["Is that okay with you?", "Does that sound good?", "Do you want to have it done?", "Is it OK?",
     "Would you like me to do that?", "May I do it?", "Is everything correct?"],
)  # fmt: skip
def test_proposals_in_other_words(message):
    customer = user(Fact("colour", "red"))
    assert "agreement" in act_of(plain(customer, message))


def test_a_refusal_with_the_question_for_more_brings_the_second_choice_first():
    customer = user(Fact("colour", "red"), instead=(Fact("colour", "blue"),))
    message = "Unfortunately that isn't possible. Is there anything else I can do for you?"
    assert slot(COLOUR.frames, plain(customer, message)) == "blue"
    assert "and a window." in plain(customer, message)


def test_deeds_that_are_not_to_be_done_are_not():
    done = []
    deeds = [Deed(("restart",), lambda: done.append(1) or ""), Deed(("reset",), lambda: "")]
    customer = user(deeds=deeds)
    for message in ("Please do not restart it.", "Don't restart!", "Reset it without restart."):
        plain(customer, message)
    assert not done
    plain(customer, "Restart it, and do not restart it again.")
    assert done == [1]


def test_messages_begin_sentences_with_capital_letters():
    texts = {user(seed=seed).opening() for seed in range(300)}
    assert not any(re.search(r"\. it is about", text) for text in texts)
    assert any("Good afternoon. It is about a door." in text for text in texts)
    replies = {user(Fact("colour", "red"), seed=n).reply("Which colour?") for n in range(300)}
    assert not any(re.match(r"\w+, (It|I) ", reply) for reply in replies)


def test_slots_end_where_the_frame_goes_on():
    assert slot(["It is {} wide."], "Hm. It is 12 wide. I am in a hurry.") == "12"
    assert slot(["It is {} wide."], "It is raining here.") is None
    assert slot(["It is {}."], "") is None


@pytest.mark.parametrize(
    "message",
    ["Is there another one?", "Are there any further issues?", "Do you have another matter?",
     "Is that everything?", "Do you have any more questions?", "Anything further?",
     "Have you got another wish?", "Do you need further assistance?", "Another one?"],
)  # fmt: skip
def test_questions_for_the_next_intent_in_other_words(message):
    assert "and a window." in plain(user(Fact("colour", "red")), message)


@pytest.mark.parametrize(
    "message",
    ["What else would you want instead?", "Is there anything else you would like instead?",
     "Do you have an alternative?", "What would be your second choice?",
     "Would something else do instead?", "Do you see any other option?"],
)  # fmt: skip
def test_a_question_for_an_alternative_is_about_the_same_intent(message):
    customer = user(Fact("colour", "red"), instead=(Fact("colour", "blue"),))
    assert slot(COLOUR.frames, plain(customer, message)) == "blue"
    assert "acceptance" in act_of(plain(customer, message))
    assert "acceptance" in act_of(plain(user(Fact("colour", "red")), message))
    assert customer.number == 0


@pytest.mark.parametrize(
    "message",
    ["I have another question: which colour?", "There is another issue, the colour.",
     "Which colour? Or would you like another one?", "Any other preference than the colour?"],
)  # fmt: skip
def test_statements_and_questions_about_details_are_no_question_for_the_next_intent(message):
    assert slot(COLOUR.frames, plain(user(Fact("colour", "red")), message)) == "red"
