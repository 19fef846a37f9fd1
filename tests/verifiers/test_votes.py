"""Votes: classes, ties, abstentions, and the guards against agreeing for its own sake."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.testing import HOSTILE
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.verifier import GoldError
from palaestra.verifiers.votes import MOST, Majority, Tally, alike, blank, poll, vote_rewards


def near(one, other):
    """Equal within 1, which is not transitive."""
    return abs(int(one) - int(other)) <= 1


def same_number(one, other):
    return rational(one) == rational(other)


def stumped(answer):
    return blank(answer) or answer.casefold().startswith("i do not know")


def test_classes_go_by_the_most_frequent_wording():
    votes = poll(["1/2", "0.5", "0.5", "x", "3", ""], same_number)
    assert votes == Tally((("0.5", 3), ("3", 1), ("x", 1)), abstained=1)
    assert votes.leader == "0.5"
    assert votes.agreement == 0.5


@given(st.lists(st.sampled_from(["1", "2", "3", "4", "7", "7 ", ""]), max_size=7))
def test_the_order_of_the_answers_does_not_matter(answers):
    """Not even with an equality that is not transitive."""
    votes = poll(answers, near)
    assert poll(answers[::-1], near) == votes
    assert poll(sorted(answers), near) == votes
    assert sum(n for _, n in votes.classes) + votes.abstained == len(answers)


def test_an_answer_in_between_joins_the_more_frequent_one():
    answers = ["1", "2", "3", "3"]
    for order in permutations(answers):
        assert poll(order, near).classes == (("3", 3), ("1", 1))


@given(st.lists(st.sampled_from(["aab", "b", "c", "B", " "]), min_size=1, max_size=9))
def test_against_plain_counting(answers):
    ballots = [answer.lower() for answer in answers if answer.strip()]
    votes = poll(answers)
    counts = sorted((ballots.count(word) for word in set(ballots)), reverse=True)
    assert [n for _, n in votes.classes] == counts
    assert votes.agreement == (counts[0] / len(answers) if counts else 0)
    assert (votes.leader is None) == (not counts or counts[:1] == counts[1:2])
    shares = [n / len(ballots) for n in counts]
    assert votes.entropy == pytest.approx(-sum(p * math.log2(p) for p in shares), abs=1e-12)


def test_entropy():
    assert poll(["a"] * 5).entropy == 0
    assert poll(["a", "b", "c", "d"]).entropy == 2
    assert poll(["", "a", "a"]).entropy == 0
    assert poll([""]).entropy == 0
    assert math.copysign(1, poll(["a"]).entropy) == 1


def test_alike():
    assert alike("42", "**42**.")
    assert alike("Forty-Two", "forty-two")
    assert alike("４２", "42")
    assert not alike("42", "4 2")
    assert not alike("а", "a")  # a Cyrillic letter
    assert blank("\u200b \u2060")


@pytest.mark.parametrize(
    ("answers", "options", "why"),
    [
        (["a", "b"], {}, "tie"),
        (["a", "a", "b", "b", "c"], {"quorum": 0.0}, "tie"),
        (["a", "a", "b", "c", "d"], {}, "short of the quorum"),
        (["a", "a", "", "", ""], {}, "short of the quorum"),
        (["a", "a", "I do not know", ""], {"quorum": 0.6, "abstains": stumped}, "quorum"),
        ([""], {}, "everybody abstained"),
        (["", " ", "\u200b"], {"quorum": 0.0}, "everybody abstained"),
        (["a"] * 9, {"trusted": (0.0, 0.9)}, "not trusted"),
        (["a", "a", "b"], {"trusted": (0.7, 1.0)}, "not trusted"),
    ],
)
def test_no_label_means_unscored_and_never_0(answers, options, why):
    vote = Majority(answers, **options)
    assert why in vote.refusal()
    for answer in ("a", "b", "", "zzz", "x" * 100_000):
        with pytest.raises(JudgeError, match=why) as fault:
            vote(answer)
        assert fault.value.status == "gold_error"
    assert vote_rewards(answers, **options) == [None] * len(answers)


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        (["a", "a", "b", "c"], {}),
        (["a", "a", "b", "c", "d"], {"quorum": 0.0}),
        (["a", "a", "b", "c", "d"], {"quorum": 0.4}),
        (["a", "a", "a", ""], {"quorum": 0.75}),
        (["a"], {}),
        (["a", "a", "b"], {"trusted": (0.5, 0.9)}),
    ],
)
def test_a_label_is_the_answer_of_most(answers, options):
    vote = Majority(answers, **options)
    assert vote.refusal() == ""
    assert vote("A").correct
    assert vote("b").value == 0
    assert vote("b").parts == {
        "agreement": vote.tally.agreement,
        "entropy": vote.tally.entropy,
    }
    rewards = vote_rewards(answers, **options)
    assert rewards == [float(answer == "a") for answer in answers]


def test_abstaining_earns_nothing():
    vote = Majority(["a", "a", "I do not know."], abstains=stumped)
    score = vote("I do not know")
    assert (score.value, score.status) == (0, "no_answer")
    everybody = ["I do not know."] * 5
    assert vote_rewards(everybody, abstains=stumped) == [None] * 5
    assert vote_rewards(everybody) == [None] * 5
    assert vote_rewards(everybody, abstains=blank) == [1] * 5  # which is why there is `abstains`


def test_what_the_equality_cannot_read_equals_nothing():
    def strict(one, other):
        if not other.isdigit():
            raise InvalidAnswer("not a number")
        return one == other

    vote = Majority(["7", "7", "seven", "seven!"], equal=strict)
    assert vote.tally.classes == (("7", 2), ("seven", 1), ("seven!", 1))
    assert vote("seven").value == 0
    assert vote_rewards(["7", "7", "seven"], equal=strict) == [1, 1, 0]


def test_an_endless_answer_abstains():
    assert poll(["a", "x" * 3_000]).abstained == 1
    assert vote_rewards(["a", "a", "x" * 3_000]) == [1, 1, 0]
    assert Majority(["a"])("x" * 3_000).status == "limit"


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        ([], {}),
        (["a"] * (MOST + 1), {}),
        (["a"], {"quorum": 1.5}),
        (["a"], {"quorum": math.nan}),
        (["a"], {"trusted": (0.9, 0.1)}),
        (["a"], {"trusted": (0.0, 2.0)}),
        (["a"], {"trusted": (math.nan, 1.0)}),
    ],
    ids=lambda value: f"{len(value)}" if isinstance(value, list) else repr(value),
)
def test_votes_that_cannot_work_are_refused(answers, options):
    with pytest.raises(GoldError):
        Majority(answers, **options)


def test_nobody_voted():
    assert vote_rewards([]) == []
    assert poll([]) == Tally(())
    assert (poll([]).agreement, poll([]).leader) == (0, None)


def test_many_different_answers_are_counted_in_time():
    votes = poll([str(n) for n in range(MOST)])
    assert len(votes.classes) == MOST
    assert votes.entropy == pytest.approx(math.log2(MOST))


def test_hostile_answers_may_vote():
    votes = poll(HOSTILE)
    assert sum(n for _, n in votes.classes) + votes.abstained == len(HOSTILE)


def test_what_every_verifier_must_stand_up_to():
    gold = ["17 apples", "17 apples", "17 Apples.", "no apples"]
    check_verifier(
        Majority(gold), right=["17 apples", "$17 apples$"], wrong=["no apples", "17", "18 apples"]
    )
    check_verifier(
        Majority(["1/4", "0.25", "3"], equal=same_number),
        right=["0.25", "2/8"],
        wrong=["3", "1/4 or 3"],
    )


ABSTENTIONS = [
    "I don't know", "I don\u2019t know.", "i do not know", "I DON'T KNOW!", "idk", "I'm not sure.",
    "I am not sure", "Not sure", "No idea", "I have no idea.", "Sorry, I don't know.",
    "I don't know the answer.", "I do not know the answer to this question.", "Don't know",
    "I'm sorry, but I cannot answer this question.", "I can't answer that.", "**I don't know**",
    "I am unable to answer.", "dunno", "?", "???", "...", "I'm unable to solve this problem.",
    "I could not find the answer.", "I give up.", "n/a", "N/A", "No answer", "I can't tell.",
]  # fmt: skip
SAID = [
    "42", "unknown", "none", "No", "True", "not enough information", "cannot be determined",
    "I don't know, maybe 42", "no solution", "I know", "x", "0", "-1", "-",
    "!", "Ida Know", "undefined",
]  # fmt: skip


@pytest.mark.parametrize("answer", ABSTENTIONS)
def test_who_does_not_know_abstains(answer):
    votes = poll([answer] * 3 + ["42", "42"])
    assert votes == Tally((("42", 2),), abstained=3)
    assert vote_rewards([answer, answer, answer]) == [None] * 3
    assert Majority(["42", "42", answer])(answer).status == "no_answer"


@pytest.mark.parametrize("answer", SAID)
def test_what_may_be_an_answer_is_a_vote(answer):
    assert poll([answer]).abstained == 0
