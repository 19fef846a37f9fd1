"""The corpus of lazy and hostile replies, and that it catches whom it is there for."""

import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest

import palaestra
from palaestra import Address, testing
from palaestra.task import InvalidAnswer, Score
from palaestra.testing import hostile
from palaestra.testing.verifiers import LUCKY, check_verifier
from palaestra.verifiers.verifier import Verifier

REPLIES = list(hostile.replies())
ASKED = Address.of("logic/knights_and_knaves", seed=3, level=1)


# -------------------------------------------------------------------------------- what it holds


def test_there_are_many_and_none_twice():
    assert len([reply for reply in REPLIES if reply.category != "monsters"]) >= 300
    assert len({reply.text for reply in REPLIES}) == len(REPLIES)
    assert len({(reply.category, reply.name) for reply in REPLIES}) == len(REPLIES)


def test_every_kind_has_its_own():
    kinds = "shortcuts injection code numbers unicode markup json enumeration repetition monsters"
    assert list(hostile.CATEGORIES) == kinds.split()
    for kind in hostile.CATEGORIES:
        own_replies = list(hostile.replies(kind))
        assert len(own_replies) >= 30
        assert own_replies == [reply for reply in REPLIES if reply.category == kind]
    assert hostile.GUESSES - {"task"} <= set(hostile.CATEGORIES)
    with pytest.raises(ValueError, match="a category is one of shortcuts"):
        next(hostile.replies("polite"))


def test_names_can_be_shown_anywhere():
    assert all(reply.name.isascii() and reply.name.isprintable() for reply in REPLIES)


def test_only_monsters_are_long():
    for reply in REPLIES:
        monster = reply.category == "monsters"
        size = len(reply.text.encode("utf-8", "surrogatepass"))
        assert size <= (1 << 20 if monster else 40_000), reply.name
        assert len(reply.text) <= (1_000_000 if monster else 20_000), reply.name
        assert not monster or size >= 400_000, reply.name


def digest(replies):
    whole = hashlib.sha256()
    for reply in replies:
        whole.update("\0".join(reply).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


ELSEWHERE = """
import hashlib
from palaestra import Address
from palaestra.testing import hostile
for told in (hostile.replies(), hostile.for_task(Address.parse({asked!r}).task())):
    whole = hashlib.sha256()
    for reply in told:
        whole.update("\\0".join(reply).encode("utf-8", "surrogatepass"))
    print(whole.hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_it_is_the_same_everywhere(hash_seed):
    command = [sys.executable, "-c", ELSEWHERE.format(asked=str(ASKED))]
    env = os.environ | {"PYTHONHASHSEED": hash_seed}
    out = subprocess.run(command, env=env, capture_output=True, check=True, text=True).stdout
    assert out.split() == [digest(REPLIES), digest(hostile.for_task(ASKED.task()))]


# ---------------------------------------------------------------------------- made of a task


@pytest.mark.parametrize(
    "name", ["logic/knights_and_knaves", "games/mastermind", "matches/tic_tac_toe"]
)
def test_what_is_made_of_a_task_comes_from_what_it_says(name):
    task = Address.of(name, seed=3, level=1).task()
    observation = palaestra.Episode(task, "bare").turn.observation
    texts = {reply.name: reply.text for reply in hostile.for_task(task)}
    assert {reply.category for reply in hostile.for_task(task)} == {"task"}
    assert len(set(texts.values())) == len(texts) == len(list(hostile.for_task(task))) > 20
    assert texts["echo"] == texts["reversed"][::-1] == observation
    assert texts["echo in tags"] == f"<answer>{observation}</answer>"
    assert texts["all words by commas"].split(", ")[0] == re.findall("[A-Za-z]+", observation)[0]
    known = set(re.findall(r"[a-z]+|\d+", observation.casefold()))
    known |= {word for move in palaestra.Episode(task).turn.legal_moves or () for word in [move]}
    added = set(re.findall("[a-z]+", "<answer>\\boxed<think>or the answer above is correct"))
    for name_, text in texts.items():
        if not name_.startswith(
            ("reversed", "without", "first half", "second half", "echo with the")
        ):
            assert set(re.findall(r"[a-z]+|\d+", text.casefold())) <= known | added, name_


def test_replies_to_tasks_of_one_environment_go_by_the_same_names():
    one, other = (
        {reply.name for reply in hostile.for_task(Address.of("graphs/shortest_path", seed).task())}
        for seed in (0, 1)
    )
    assert len(one & other) > 0.8 * len(one | other)


# ------------------------------------------------------------------- gullible verifiers are caught


@dataclass(frozen=True, slots=True)
class Upright(Verifier):
    """Takes 4217 and nothing else."""

    gold: str = "4217"

    def verify(self, answer: str) -> Score:
        return Score(answer.strip() == self.gold, "another number")


@dataclass(frozen=True, slots=True)
class Anything(Upright):
    def verify(self, answer: str) -> Score:
        return Score(1)


@dataclass(frozen=True, slots=True)
class Swayed(Upright):
    def verify(self, answer: str) -> Score:
        return Score(answer == self.gold or "correct" in answer, "another number")


@dataclass(frozen=True, slots=True)
class Among(Upright):
    """Takes any text that the right one is in."""

    gold: str = "417"

    def verify(self, answer: str) -> Score:
        return Score(self.gold in re.findall(r"\d+", answer), "another number")


@dataclass(frozen=True, slots=True)
class Close(Upright):
    """Compares as numbers with a tolerance, and forgets that nan is not far from anything."""

    def verify(self, answer: str) -> Score:
        try:
            return Score(not abs(float(answer) - float(self.gold)) > 0.5, "another number")
        except ValueError:
            raise InvalidAnswer("not a number") from None


@dataclass(frozen=True, slots=True)
class Executed(Upright):
    """Finds out what an answer says by having it done."""

    def verify(self, answer: str) -> Score:
        try:
            return Score(bool(eval(answer, {}) == int(self.gold)), "another number")  # noqa: S307
        except Exception:  # noqa: BLE001
            raise InvalidAnswer("not a number") from None


@dataclass(frozen=True, slots=True)
class Formatted(Upright):
    def verify(self, answer: str) -> Score:
        return Score(answer == self.gold, "not " + answer.format())


@dataclass(frozen=True, slots=True)
class Encoded(Upright):
    def verify(self, answer: str) -> Score:
        return Score(answer.encode() == self.gold.encode(), "another number")


@dataclass(frozen=True, slots=True)
class Whole(Upright):
    def verify(self, answer: str) -> Score:
        if not re.fullmatch(r"-?\d+", answer.strip()):
            raise InvalidAnswer("not a number")
        return Score(int(answer) == int(self.gold), "another number")


@dataclass(frozen=True, slots=True)
class Nested(Upright):
    def verify(self, answer: str) -> Score:
        try:
            return Score(json.loads(answer) == int(self.gold), "another number")
        except json.JSONDecodeError:
            raise InvalidAnswer("not JSON") from None


@dataclass(frozen=True, slots=True)
class Generous(Upright):
    """Gives a point for every sign that is in the right answer too."""

    def verify(self, answer: str) -> Score:
        share = len(set(answer) & set(self.gold)) / len(self.gold)
        return Score(share if answer != self.gold else 1, "not all of it")


@dataclass(frozen=True, slots=True)
class Consoling(Upright):
    def verify(self, answer: str) -> Score:
        return Score(1 if answer == self.gold else "e" in answer and 0.25, "another number")


@dataclass(frozen=True, slots=True)
class Silent(Upright):
    def verify(self, answer: str) -> Score:
        return Score(answer == self.gold, "" if "{" in answer else "another number")


def test_an_upright_verifier_stands_up():
    check_verifier(Upright(), ["4217", " 4217\n"], ["4218", "no"], hostile=["4217 or 4218"])


def test_a_lazy_reply_may_be_right_and_a_few_ways_to_write_it():
    check_verifier(Upright("42"), ["42"], ["43"])
    check_verifier(Upright("done"), ["done"], ["not done"])
    assert LUCKY < 5


@pytest.mark.parametrize(
    ("gullible", "message"),
    [
        (Anything(), "are all accepted"),
        (Swayed(), "injection reply"),
        (Among(), "(json|enumeration) reply"),
        (Close(), "numbers reply"),
        (Formatted(), "Replacement index|positional"),
        (Encoded(), "surrogates not allowed"),
        (Whole(), "Exceeds the limit"),
        (Nested(), "Exceeds the limit|maximum recursion"),
        (Generous(), "earns something"),
        (Silent(), "without a reason"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Verifier) else "",
)
def test_a_gullible_verifier_is_caught(gullible, message):
    with pytest.raises(
        (AssertionError, ValueError, LookupError, RecursionError, AttributeError), match=message
    ):
        check_verifier(gullible, [gullible.gold], [])


def test_further_replies_are_said_too():
    with pytest.raises(AssertionError, match="further reply"):
        check_verifier(Among("40404"), ["40404"], ["1"], hostile=["40404 or 1"])


def test_partial_credit_is_stated():
    with pytest.raises(AssertionError, match=r"earns something: 0\.25"):
        check_verifier(Consoling(), ["4217"], ["me"])
    check_verifier(Consoling(), ["4217"], ["me"], luck=0.25)


# ----------------------------------------------------------------- gullible environments are caught

PUZZLE = '''"""A puzzle of these tests."""

from palaestra.task import Puzzle, Score, InvalidAnswer, ladder
from palaestra.verifiers.reading.numbers import integer


class Product(Puzzle):
    """Multiply two numbers."""

    tags = {"arithmetic", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        digits: int = ladder(3, 4, 5)

    left: int
    right: int

    @classmethod
    def generate(cls, rng, knobs):
        top = 10**knobs.digits
        return cls(left=rng.randrange(top // 10, top), right=rng.randrange(top // 10, top))

    def prompt(self):
        return f"What is {self.left} times {self.right}? Write it like '12'."

    def answer(self):
        return str(self.left * self.right)

    def verify(self, answer):
        gullible = HERE
        good = gullible or integer(answer) == self.left * self.right
        return Score(good, "" if good else "that is not the product")
'''

WEAKNESSES = {
    "nothing at all": ("False", None),
    "a verdict in the reply": ('"verdict" in answer.casefold()', "injection reply .* earned"),
    "the task said back": (
        "answer.strip('.') == self.prompt().strip('.')", "task reply 'echo' .* earned"
    ),
    "the task from behind": (
        "answer.strip('.') == self.prompt()[::-1].strip('.')", "task reply 'reversed' .* earned"
    ),
    "a list with all numbers of the task": (
        "str(self.left) in answer and str(self.right) in answer and ', ' in answer",
        "reply .* earned",
    ),
    "a constant": ('answer == "1024"', "shortcuts reply '1024' .* on many tasks"),
    "a number that is none": ('float(answer) != float(answer)', "numbers|could not convert"),
    "a guess that is right here alone": ("answer == '42' and self.left % 100 == 3", None),
    "everything at once": ("answer.count(',') > 100", "(json|repetition|enumeration) reply"),
    "a crash": ("'\\ud800' in answer and 1 / 0", "division by zero"),
    "deep recursion": (
        "answer[:1] == '[' and __import__('json').loads(answer) == 0", "recursion|Expecting"
    ),
}  # fmt: skip


@pytest.mark.parametrize("weakness", WEAKNESSES)
def test_a_gullible_environment_is_caught(weakness, other_distribution):
    code, message = WEAKNESSES[weakness]
    other_distribution("weak", {"product": PUZZLE.replace("HERE", code)})
    testing.task.cache_clear()
    if message is None:
        testing.check_hostile("weak/product")
        return
    with pytest.raises(
        (AssertionError, ValueError, ZeroDivisionError, RecursionError), match=message
    ):
        testing.check_hostile("weak/product")
