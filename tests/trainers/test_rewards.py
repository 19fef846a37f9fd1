"""What trainers are paid: no reward without skill, in float32, whatever the options."""

import json
import math
import random
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.task import JudgeError, Score
from palaestra.trainers.grpo.rewards import CONTROLS, PATIENCE, REWARDS, Rewards
from palaestra.trainers.rewards import Preference, ShapedReward, in_band
from palaestra.verifiers.shaping import RecipeError, Transcript
from palaestra.verifiers.shaping.reading import KNOWN, read
from palaestra.verifiers.shaping.targets import AdaptiveTargets

TASK = Address.of("algorithms/sort_six", 0, 0)
RIGHT = Score(1.0)


@dataclass(frozen=True)
class Options:
    """A stand-in for the options of a run."""

    reward: str = "true"
    reward_part: str = ""
    reward_recipe: Mapping[str, Any] = field(default_factory=dict)
    reward_options: Mapping[str, Any] = field(default_factory=dict)
    overlong_buffer: int = 0
    max_reply_tokens: int | None = 100
    group_size: int = 8
    answer_format: str = "tags"
    advantage: str = "grpo"
    group_variants: str = "none"


@dataclass
class Rollout:
    """A stand-in for a rollout."""

    score: Score | JudgeError | None
    replies: list[str] = field(default_factory=lambda: ["<answer>1</answer>"])
    lengths: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    address: Address = TASK

    def __post_init__(self):
        self.lengths = self.lengths or [10] * len(self.replies)
        self.ids = [n % 7 for n in range(sum(self.lengths))]
        ends = [sum(self.lengths[: n + 1]) for n in range(len(self.lengths))]
        self.turns = [(end - length, end) for end, length in zip(ends, self.lengths)]


JUDGED = {"judge": {"base_url": "http://127.0.0.1:1/v1", "model": "judge"}}
"""Nobody answers there."""


def rewards(**options):
    return Rewards(Options(**options), random.Random(0))


def rollout(value, *lengths, reply="<answer>1</answer>", **parts):
    status = "scored" if value is not None else None
    score = JudgeError("down") if value is None else Score(value, parts=parts, status=status)
    return Rollout(score, [reply] * len(lengths or [1]), [*lengths])


def answers(*texts, values=None):
    """Rollouts that reason each in its own way and come to these answers."""
    return [
        Rollout(Score(value), [f"<think>way {n}</think><answer>{text}</answer>"])
        for n, (text, value) in enumerate(zip(texts, values or [0.0] * len(texts), strict=True))
    ]


def float32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


# ------------------------------------------------------------------------- no reward without skill

VALUES = st.sampled_from([0.0, 0.25, 0.5, 0.999, 1 - 2.0**-30, math.nextafter(1, 0), 1.0])
PARTS = st.floats(-1e6, 1e6) | st.floats(0, 1) | st.sampled_from([0.0, 1.0, 7.0, math.nan])
REPLIES = st.sampled_from([
    "<think>x</think><answer>1</answer>", "<answer>1</answer>", "",
    "<answer>2</answer><confidence>100%</confidence>",
    "<answer>2</answer><confidence>0%</confidence>",
])  # fmt: skip
LENGTHS = st.lists(st.sampled_from([1, 5, 49, 50, 51, 99, 100, 101, 300]), min_size=1, max_size=3)


@st.composite
def rollouts(draw):
    value = draw(st.none() | VALUES)
    part = draw(PARTS)
    parts = {} if math.isnan(part) else {"places": part}
    lengths = draw(LENGTHS)
    replies = [draw(REPLIES) for _ in lengths]
    score = JudgeError("down") if value is None else Score(value, parts=parts)
    return Rollout(score, replies, lengths)


def number(low, high):
    return st.floats(low, high).map("{:.6g}".format)


def call(name, **options):
    """The text of a recipe with some options."""
    inside = ", ".join(f"{key}={{{key}}}" for key in options)
    return st.fixed_dictionaries(options).map(lambda chosen: f"{name}({inside})".format(**chosen))


TERMS = st.one_of(
    call("Truth", right=number(0.5, 3), wrong=number(-2, 0.4), partial=number(0, 1)),
    call("SoftOverlong", limit=st.just("100"), buffer=st.integers(1, 100)),
    call("SoftOverlong", buffer=st.integers(1, 100)),
    call("CosineLength", exceed=st.sampled_from(["None", "-10"])),
    call("L1Exact", alpha=number(1e-4, 1), most=number(0.1, 2)),
    call("L1Max", alpha=number(1e-4, 1), delta=number(0.5, 1), least=number(0, 0.5)),
    call("LaserStep", alpha=number(0.01, 4)),
    call("NGramRepetition", n=st.integers(1, 4), most=number(0.1, 2), spare=number(0, 0.5)),
    call("Confidence", rule=st.sampled_from(["'brier'", "'logarithmic'", "'spherical'"])),
    call("Format", tags=st.just("['answer']"), outside=st.just("True")),
)


def combined(recipes):
    weight = number(1e-6, 1)
    return st.one_of(
        st.builds("{} + {} * {}".format, recipes, weight, TERMS),
        st.builds("{} * {}".format, TERMS, TERMS),
        st.builds("{} * ({})".format, st.just("Format(tags=['answer'], outside=True)"), recipes),
        st.builds("Clip({}, -1, 1.5)".format, recipes),
        st.builds("Gated(Format(['answer'], True), {}, -9)".format, recipes),
    )


RECIPES = st.recursive(TERMS, combined, max_leaves=5)
USUAL = st.builds("Truth(partial={}) + {} * {}".format, number(0, 0.5), number(1e-3, 0.4), TERMS)
TARGETS = st.sampled_from([None, 50, {"lengths": [5, 50, 100], "every": 1}])


def passes(recipe, one):
    """Whether a rollout counts as right: its score does, and every reply passes all gates."""
    gates = recipe.gates()
    transcripts = [Transcript(reply) for reply in one.replies]
    return one.score.correct and all(gate.opens(each) for gate in gates for each in transcripts)


def assert_wrong_earns_less(group, paid, right):
    for earned, ok in zip(paid, right):
        for other, fine in zip(paid, right):
            if ok is True and fine is False:
                assert float32(earned) > float32(other)


@settings(max_examples=500)
@given(RECIPES | USUAL, TARGETS, st.sampled_from(["", "places"]), st.lists(rollouts(), min_size=1))
def test_no_recipe_that_is_accepted_pays_wrong_as_much_as_right(text, target, part, group):
    try:
        recipe = {"recipe": text, "target": target}
        payer = rewards(reward_recipe=recipe, reward_part=part, group_size=len(group))
        for _ in range(3):  # targets move on
            paid = payer(group)
    except RecipeError:
        assume(False)
    scored = [not isinstance(one.score, JudgeError) for one in group]
    assert [math.isfinite(value) for value in paid] == scored
    recipe = read(text).recipe
    right = [passes(recipe, one) if ok else None for one, ok in zip(group, scored)]
    assert_wrong_earns_less(group, paid, right)


@pytest.mark.parametrize(
    "text", ["SoftOverlong()", "Truth() + SoftOverlong()", "Truth(partial=0) + Confidence()"]
)
def test_recipes_without_order_are_refused_unless_they_say_so(text):
    with pytest.raises(ValueError, match="allow_order_change"):
        rewards(reward_recipe={"recipe": text})
    rewards(reward_recipe={"recipe": f"Reward({text}, allow_order_change=True)"})


@settings(max_examples=300)
@given(st.sampled_from(["", "places"]), st.integers(0, 100), st.lists(rollouts(), min_size=1))
def test_parts_and_lengths_never_pay_wrong_as_much_as_right(part, buffer, group):
    paid = rewards(reward_part=part, overlong_buffer=buffer)(group)
    right = [one.score.correct for one in group]
    assert_wrong_earns_less(group, paid, right)
    assert all(math.isnan(value) == (ok is None) for value, ok in zip(paid, right))


def test_parts_keep_their_order_and_never_reach_what_is_right():
    payer = rewards(reward_part="places")
    group = [rollout(0.0, places=n) for n in (7, 0, 3, -2)] + [rollout(1.0), rollout(None)]
    paid = payer(group)
    assert paid[0] > paid[2] > paid[1] > paid[3] == 0
    assert paid[4] == 1 > paid[0]
    assert math.isnan(paid[5])
    # Within the range they are what they are.
    assert payer([rollout(0.25, places=0.5), rollout(1.0)]) == [0.5, 1]
    assert payer.graded(rollout(0.25, places=0.5)) == 0.5
    assert payer.graded(rollout(0.25, places=7)) < 1
    assert payer.graded(rollout(1.0, places=0.5)) == 1
    assert payer.graded(rollout(None)) is None
    assert rewards().graded(rollout(0.25, places=0.5)) == 0.25


def test_a_part_that_no_score_has_ends_the_run():
    payer = rewards(reward_part="place")
    with pytest.raises(ValueError, match="have no part 'place'; the last one has places"):
        payer([rollout(0.0, places=0.5)] * PATIENCE)
    payer = rewards(reward_part="places")
    for _ in range(PATIENCE):
        payer([rollout(0.0), rollout(0.0, places=0.5)])


def test_a_long_right_reply_earns_more_than_any_wrong_one():
    """With DAPO's own scale, 1 and -1: a penalty of up to 1 on 1 and 0 ends in a tie."""
    payer = rewards(overlong_buffer=50)
    group = [rollout(1.0, n) for n in (50, 75, 100, 500)] + [rollout(0.0, 1), rollout(0.0, 100)]
    assert payer(group) == [1, 0.5, 0, 0, -1, -2]
    assert payer([rollout(0.999, 1)])[0] < 0


def test_length_is_that_of_the_longest_reply():
    payer = rewards(overlong_buffer=50)
    assert payer([rollout(1.0, 40, 40, 40), rollout(1.0, 10, 75, 10)]) == [1, 0.5]
    shaped = rewards(reward_recipe={"recipe": "Truth(partial=0) + LaserStep()", "target": 50})
    assert shaped([rollout(1.0, 40, 40), rollout(1.0, 40, 51)]) == [1.5, 1]


def test_every_reply_of_an_episode_has_to_pass_a_gate():
    payer = rewards(reward_recipe={"recipe": "Format(['answer']) * Truth()"})
    fine, bare = "<answer>1</answer>", "1"
    episodes = [Rollout(RIGHT, [fine, fine]), Rollout(RIGHT, [bare, fine]), Rollout(RIGHT, [])]
    assert payer(episodes) == [1, 0, 0]


# ------------------------------------------------------------------------- control arms


def test_control_arms_pay_what_they_are_called():
    group = [rollout(0.25), rollout(1.0), rollout(None), Rollout(Score(0, status="malformed"))]
    chance = random.Random(0)
    nan = pytest.approx(math.nan, nan_ok=True)
    numbers = [chance.random(), chance.random(), nan, chance.random()]
    assert rewards(reward="random")(group) == numbers
    assert rewards(reward="inverted")(group) == [0.75, 0, nan, 1]
    assert rewards(reward="format")(group) == [1, 1, nan, 0]
    assert rewards()([*group, Rollout(None)]) == [0.25, 1, nan, 0, 0]


@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize(
    "more",
    [
        {"overlong_buffer": 10},
        {"reward_part": "places"},
        {"reward_recipe": {"recipe": "Truth()"}},
        {"reward_options": {"quorum": 0.5}},
    ],
)
def test_nothing_is_added_to_a_control_arm(name, more):
    with pytest.raises(ValueError, match=f"reward: {name}|reward is {name}"):
        rewards(reward=name, **more)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"reward": "gold"}, "reward is true, random"),
        ({"reward": "majority", "group_size": 1}, "group_size is 2 or more"),
        ({"reward": "majority", "advantage": "remax"}, "remax has one by itself"),
        ({"reward": "majority", "group_variants": "rename"}, "whose names differ"),
        ({"reward": "majority", "reward_options": {"quota": 1}}, "reward_options of majority"),
        ({"reward": "majority", "reward_options": {"quorum": 2}}, "quorum"),
        ({"reward": "pairwise"}, "reward: pairwise asks a judge model"),
        ({"reward": "tournament", "reward_options": {"judge": {"model": "x"}}}, "base_url"),
        ({"reward": "pairwise", "reward_options": JUDGED | {"votes": 2}}, "votes are an odd"),
        ({"reward": "pairwise", "reward_options": JUDGED | {"cap": 0}}, "cap is from 1"),
        ({"reward": "pairwise", "reward_options": JUDGED | {"workers": 0}}, "workers"),
        ({"reward": "pairwise", "reward_options": JUDGED | {"vote": 1}}, "'vote'"),
        (
            {"reward": "pairwise", "reward_options": {"judge": JUDGED["judge"] | {"url": ""}}},
            "'url'",
        ),
        (
            {"reward": "pairwise", "reward_recipe": {"recipe": "Truth()"}},
            "reward: pairwise is never shaped",
        ),
        ({"overlong_buffer": 10, "max_reply_tokens": None}, "wants max_reply_tokens"),
        ({"overlong_buffer": 200}, "overlong_buffer: a buffer has at least 1 token"),
        ({"overlong_buffer": 10, "reward_recipe": {"recipe": "Truth()"}}, "use SoftOverlong"),
        ({"reward_recipe": {"target": 5}}, "its text as `recipe`"),
        ({"reward_recipe": {"recipe": "Truth()", "goal": 5}}, "not 'goal'"),
        ({"reward_recipe": {"recipe": 5}}, "a recipe is a text"),
        ({"reward_recipe": {"recipe": "Truths()"}}, "reward_recipe: there is no recipe 'Truths'"),
        ({"reward_recipe": {"recipe": "Truth()", "target": 0}}, "a target is a number of tokens"),
        ({"reward_recipe": {"recipe": "Truth()", "target": True}}, "a target is a number"),
        ({"reward_recipe": {"recipe": "Truth()", "target": {"length": 1}}}, "lengths to choose"),
        (
            {"reward_recipe": {"recipe": "Truth()", "target": {"lengths": [9, 5]}}},
            "numbers of tokens that rise",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        rewards(**options)


def test_credit_of_turns_adds_up_to_the_reward():
    one = Rollout(Score(0.75), ["a", "b", "c"], rewards=[0.25, 0.25, 0.25])
    assert rewards().of_turns(one, 0.75) == [0.25, 0.25, 0.25]
    assert rewards().of_turns(one, 0.5) == [0.25, 0.25, 0]
    assert rewards(reward="inverted").of_turns(one, 0.25) == [-0.25, -0.25, 0.75]
    for name in ("random", "format", "majority"):
        assert rewards(reward=name).of_turns(one, 0.5) == [0, 0, 0.5]
    assert rewards().of_turns(Rollout(None, []), 0.0) == []


# ------------------------------------------------------------------------- majority


def test_the_majority_is_of_answers_and_not_of_whole_replies():
    payer = rewards(reward="majority")
    assert payer(answers("41", "42", "42", "42")) == [0, 1, 1, 1]
    assert payer(answers("41", " 42.", "$42$", "42")) == [0, 1, 1, 1]


def test_without_a_label_nobody_is_paid():
    payer = rewards(reward="majority")
    for texts in (["1", "2"], ["1", "1", "2", "2"], ["1", "1", "2", "3", "4"], ["", "?", "1"]):
        assert all(map(math.isnan, payer(answers(*texts)))), texts
    bounded = rewards(reward="majority", reward_options={"trusted": [0.3, 0.9], "quorum": 0.2})
    assert all(map(math.isnan, bounded(answers(*"1111"))))
    assert bounded(answers(*"11123")) == [1, 1, 1, 0, 0]


def test_replies_that_cannot_be_read_do_not_vote_and_unscored_ones_are_not_paid():
    payer = rewards(reward="majority", reward_options={"quorum": 0.25})
    group = answers(*"1122")
    group += [Rollout(Score(0, status="malformed"), ["no answer"]) for _ in range(3)]
    assert all(map(math.isnan, payer(group)))  # a tie of 2 and 2, and not "no answer"
    group = [*answers(*"112"), Rollout(JudgeError("down"), ["<answer>1</answer>"])]
    assert payer(group)[:3] == [1, 1, 0]
    assert math.isnan(payer(group)[3])


def test_games_of_several_turns_agree_move_by_move():
    payer = rewards(reward="majority")
    same = [Rollout(Score(0), ["<answer>a</answer>", "<answer>b</answer>"]) for _ in range(2)]
    other = Rollout(Score(0), ["<answer>c</answer>", "<answer>b</answer>"])
    assert payer([*same, other]) == [1, 1, 0]


def test_a_majority_may_be_shaped():
    recipe = {"recipe": "Truth(partial=0) + LaserStep()", "target": 50}
    group = [replace_length(one, n) for one, n in zip(answers("1", "1", "2"), (10, 60, 10))]
    assert rewards(reward="majority", reward_recipe=recipe)(group) == [1.5, 1, 0]


def replace_length(one, length):
    return replace(one, lengths=[length])


# ------------------------------------------------------------------------- targets that follow


def test_the_target_is_the_shortest_within_which_a_right_reply_is_expected():
    targets = AdaptiveTargets([10, 20, 30], every=3)
    targets.update([1, 1, 1, 1], [5, 15, 25, 30])
    targets.update([1, 1, 1, 0], [15, 15, 30, 5])
    assert targets.target([1, 1, 1, 0]) == 30  # nothing is chosen before the third group
    targets.update([1, 0, 0, 0], [5, 6, 7, 8])
    assert targets.target([1, 1, 1, 1]) == 20  # 3 right replies within 20 in 2 groups
    assert targets.target([1, 0, 0, 0]) == 10
    assert targets.target([1, 0, 1, 0]) == 30  # of medium difficulty none was seen


def test_targets_count_only_right_replies_and_what_was_scored():
    targets = AdaptiveTargets([10, 20], every=2)
    targets.update([None, None], [1, 1])
    targets.update([1, None], [99, 1])
    assert targets.state()["groups"] == [0, 0, 1]
    targets.update([1, 1], [99, 99])
    assert targets.target([1, 1]) == 20


@given(st.lists(st.lists(st.tuples(VALUES, st.integers(0, 40)), min_size=1), max_size=12))
def test_targets_go_on_from_their_state(groups):
    one, other = AdaptiveTargets([5, 10, 20], 4), AdaptiveTargets([5, 10, 20], 4)
    for group in groups:
        other.restore(json.loads(json.dumps(one.state())))
        for each in (one, other):
            each.update([value for value, _ in group], [length for _, length in group])
        assert one.state() == other.state()
        assert one.targets == other.targets
        assert {*one.targets} <= {5, 10, 20}


def test_a_state_of_other_lengths_is_refused():
    with pytest.raises(RecipeError, match="other lengths"):
        AdaptiveTargets([5]).restore(AdaptiveTargets([5, 10]).state())


def test_rewards_go_on_from_their_state():
    recipe = {
        "recipe": "Truth(partial=0) + LaserStep()",
        "target": {"lengths": [10, 50, 100], "every": 2},
    }
    payer, again = rewards(reward_recipe=recipe), rewards(reward_recipe=recipe)
    group = [rollout(1.0, 40), rollout(1.0, 90)]
    assert payer(group) == [1.5, 1.5]
    again.restore(json.loads(json.dumps(payer.state())))
    assert payer(group, update=False) == [1.5, 1.5]
    assert again(group) == [1.5, 1.5]
    assert again(group) == [1.5, 1]  # the second group moved the target to 50
    assert rewards().state() == {}


# ------------------------------------------------------------------------- one by one


def test_one_reply_by_itself():
    shaped = ShapedReward.of({"recipe": "Truth(partial=0) + LaserStep()", "target": 50})
    assert shaped.one(RIGHT, "x", 50) == 1.5
    assert shaped.one(RIGHT, "x", [1] * 51) == 1
    assert shaped.one(JudgeError("down"), "x", 5) is None
    assert ShapedReward.of(shaped) is shaped
    assert ShapedReward.of(None).one(Score(0.5), "x") == 0.5
    assert ShapedReward.of("Truth(wrong=-1)").one(Score(0), "x") == -1
    with pytest.raises(RecipeError, match="needs the tokens"):
        shaped.one(RIGHT, "x")
    follows = ShapedReward("Truth(partial=0) + LaserStep()", {"lengths": [5]})
    with pytest.raises(RecipeError, match="want groups"):
        follows.one(RIGHT, "x", 5)


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_recipe_of_the_service_is_there(name):
    texts = {
        "Clip": "Clip(Truth(), -1, 1)", "Format": "Format() * Truth()",
        "CosineLength": "CosineLength()", "Gated": "Gated(Format(), Truth())",
        "L1Max": "Truth(partial=0) * L1Max(least=0.1)", "Reward": "Reward(Truth())",
        "NGramRepetition": "Truth(partial=0) + 0.5 * NGramRepetition(3)", "Truth": "Truth()",
    }  # fmt: skip
    text = texts.get(name, f"Truth(partial=0) + 0.5 * {name}()")
    if "SoftOverlong" in text:
        text = text.replace("()", "(buffer=20)")
    recipe = {"recipe": text, "target": 50}
    right = "<think>x</think><answer>1</answer>"
    paid = rewards(reward_recipe=recipe)([rollout(1.0, 10, reply=right), rollout(0.0, 10)])
    assert paid[0] > paid[1]


# ------------------------------------------------------------------------- bands


def test_bands_of_pass_rates():
    assert in_band([1, 0.99, 0, None], 1 / 3, 1 / 3)  # nearly right does not pass
    assert not in_band([0, 0], 0.1, 1)
    assert not in_band([None], 0, 1)
    assert not in_band([], 0, 1)
    assert in_band([1, 1], 0.5, 1)


# ------------------------------------------------------------------------- preferences of a judge


class Judge(ThreadingHTTPServer):
    """A judge that likes the longer of two answers, and counts what it is asked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), JudgeHandler)
        self.asked = 0
        self.status = 200


class JudgeHandler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.server.asked += 1
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"]
        shown = re.findall(r"<(first|second) (\w+)>\n(.*?)\n</\1 \2>", text, re.DOTALL)
        first, second = (len(inside) for _, _, inside in shown)
        verdict = "tie" if first == second or "sort" not in text.lower() else "second"
        if verdict == "second" and first > second:
            verdict = "first"
        if any("not sure of the answer" in inside for _, _, inside in shown):
            verdict = "tie"  # a canary
        completion = {"choices": [{"message": {"role": "assistant", "content": verdict}}]}
        answer = json.dumps(completion).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@pytest.fixture
def judge(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server = Judge()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    server.settings = {
        "base_url": f"http://127.0.0.1:{server.server_port}/v1", "model": "judge",
        "timeout_s": 60, "retries": 0,
    }  # fmt: skip
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def written(*pairs):
    """Rollouts with so many digits each, by their scores."""
    return [Rollout(Score(value), ["7 " * size]) for value, size in pairs]


@pytest.mark.parametrize("name", ["pairwise", "tournament"])
def test_a_judge_ranks_what_is_right_above_what_is_wrong(judge, name):
    group = [*written((0.0, 9), (1.0, 3), (1.0, 6), (0.5, 1)), Rollout(JudgeError("down"), ["x"])]
    paid = rewards(reward=name, reward_options={"judge": judge.settings})(group)
    assert paid[2] > paid[1] >= 0.5
    assert paid[0] <= 0.49
    assert paid[0] > paid[3] >= 0
    assert math.isnan(paid[4])
    free = {"judge": judge.settings, "allow_order_change": True}
    paid = rewards(reward=name, reward_options=free)(group)
    assert 1 >= paid[0] > paid[2] > paid[1] > paid[3] >= 0


def test_a_group_meets_pair_by_pair_or_in_rounds(judge):
    liked = Preference(method="pairwise", judge=judge.settings, canaries=0)
    assert liked("sort", ["7" * n for n in (1, 2, 3)]) == [0, 0.5, 1]
    assert judge.asked == 6  # 3 pairs in both orders
    judge.asked = 0
    rounds = Preference(method="tournament", judge=judge.settings, canaries=0)
    strengths = rounds("sort", ["7" * n for n in range(1, 9)])
    assert strengths.index(max(strengths)) == 7
    assert all(0 < strength < 1 for strength in strengths)
    assert judge.asked <= 2 * 4 * 4  # 4 rounds of 4 pairs


def test_large_groups_meet_too():
    """Replies that are the same are a tie, unasked; 70 of them are 2,415 pairs."""
    liked = Preference(judge=JUDGED["judge"])
    assert liked("?", ["same"] * 70) == [0.5] * 70


def test_a_judge_that_fails_pays_nobody(judge):
    judge.status = 500
    payer = rewards(reward="pairwise", reward_options={"judge": judge.settings})
    assert all(map(math.isnan, payer(written((1.0, 3), (0.0, 5)))))
    assert all(map(math.isnan, payer(written((1.0, 3)))))


def test_all_rewards_are_named():
    assert {*REWARDS} == {
        "true", "random", "inverted", "format", "majority", "pairwise", "tournament",
    }  # fmt: skip
