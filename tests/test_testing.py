"""Each check finds the fault that it is there for, and nothing in a good environment."""

from types import SimpleNamespace

import pytest

from palaestra import NoValidTask, testing
from palaestra.registry import load
from palaestra.testing import sampling

GOOD = '''"""A puzzle of these tests."""

import random
import time

from palaestra.task import Play, Puzzle, Score, Task, Turn, InvalidAnswer, ladder
from palaestra.verifiers.reading.numbers import integer

COUNT = [0]


class Product(Puzzle):
    """Multiply two numbers."""

    tags = {"arithmetic", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        digits: int = ladder(3, 4, 5, low=1, high=9)

    left: int
    right: int

    @classmethod
    def generate(cls, rng, knobs):
        top = 10**knobs.digits
        return cls(left=rng.randrange(top // 10, top), right=rng.randrange(top // 10, top))

    def prompt(self):
        return f"What is {self.left} times {self.right}? An answer looks like '12'."

    def answer(self):
        return str(self.left * self.right)

    def verify(self, answer):
        good = integer(answer) == self.left * self.right
        return Score(good, "" if good else "that is not the product")

    @classmethod
    def small(cls):
        return cls.Knobs(digits=1)

    def candidates(self):
        return map(str, range(100))

    def audit(self, answer):
        return sum([self.left] * self.right) == int(answer)
'''

GAME = '''"""A game of these tests."""

from palaestra.scenes import Cell, Grid
from palaestra.task import Play, Score, Task, Turn, InvalidAnswer, ladder


class Hunt(Task):
    """Say the numbers that are shown, one after the other."""

    tags = {"game"}
    hidden = {"code"}
    baseline_note = "a turn has one legal move"

    class Knobs(Task.Knobs):
        length: int = ladder(3, 4, 5)

    shown: tuple[int, ...]
    code: int

    @classmethod
    def generate(cls, rng, knobs):
        shown = tuple(rng.randrange(1000) for _ in range(knobs.length))
        return cls(shown=shown, code=rng.randrange(10**6))

    def play(self):
        says, earned = f"Say these: {self.shown}. A move looks like '7'.", 0.0
        for place, number in enumerate(self.shown):
            try:
                move = yield Turn(
                    says, reward=earned, legal_moves=[str(number)], state=f"{place}",
                    scene=lambda: Grid(((Cell(str(number)),),)),
                )
            except InvalidAnswer as error:
                return Score(0, str(error))
            if move != str(number):
                return Score(0, "another number")
            says, earned = "Go on.", 0.1
        return Score(1)

    def solve(self):
        return [str(number) for number in self.shown]
'''


def faulty(source, *changes):
    for old, new in changes:
        assert old in source, f"{old!r} is not there to be changed"
        source = source.replace(old, new)
    return source


CHECKS = {check.__name__: check for check in testing.CHECKS}


@pytest.mark.parametrize("check", [c for c in CHECKS if c != "check_processes"])
@pytest.mark.parametrize(("name", "source"), [("product", GOOD), ("hunt", GAME)])
def test_nothing_is_found_in_a_good_environment(check, name, source, other_distribution):
    other_distribution("good", {name: source})
    testing.task.cache_clear()
    CHECKS[check](f"good/{name}")


FAULTS = {
    "no sentence": ("check_described", "sentence", GOOD, ('"""Multiply two numbers."""', '"""Multiply"""')),
    "no tags": ("check_described", "tags", GOOD, ('{"arithmetic", "unique-solution"}', "set()")),
    "long summary": ("check_described", "fits", GOOD, ("Multiply two", "Multiply" + " two" * 30)),
    "hidden nothing": ("check_described", "hidden", GAME, ('{"code"}', '{"cod"}')),
    "two levels": ("check_levels", "three levels", GOOD, ("ladder(3, 4, 5,", "ladder(3, 4,")),
    "same levels": ("check_levels", "the same", GOOD, ("ladder(3, 4, 5,", "ladder(3, 4, 4,")),
    "open knob": ("check_levels", "digits", GOOD, ("low=1", "low=-(10**10)")),
    "knob of any word": (
        "check_levels", "Literal", GOOD,
        ("digits: int =", 'word: str = ladder("a", "b")\n        digits: int ='),
    ),
    "an end without tasks": (
        "check_bounds", "no valid task", GOOD,
        ("    def prompt", "    def is_valid(self):\n        return self.left > 9\n\n    def prompt"),
    ),
    "an end without oracle": (
        "check_bounds", "oracle is wrong", GOOD,
        ("return str(self.left * self.right)", "return str(self.left * self.right % 10**15)"),
    ),
    "global chance": ("check_seeded", "other than `rng`", GOOD, ("right=rng.", "right=random.")),
    "a clock": (
        "check_seeded", "clock", GOOD, ("right=rng.randrange(top // 10, top)", "right=int(time.time())"),
    ),
    "a counter": (
        "check_seeded", "two tasks", GOOD,
        ("        top = ", "        COUNT[0] += 1\n        top = 100 * COUNT[0] or "),
    ),
    "few tasks": (
        "check_seeded", "5 seeds gave", GOOD,
        ("left=rng.randrange(top // 10, top), right=rng.randrange(top // 10, top)",
         "left=rng.choice([3, 5]), right=7"),
    ),
    "threads disturb": (
        "check_threads", "disturb", GOOD,
        ("return str(self.left * self.right)",
         "COUNT[0] += 1\n        return str(self.left * self.right + COUNT[0])"),
    ),
    "canonical forgets": (
        "check_split", "canonical|held out", GOOD,
        ("    def prompt", "    def canonical(self):\n        COUNT[0] += 1\n        return str(COUNT[0])\n\n    def prompt"),
    ),
    "canonical of the object": (
        "check_split", "canonical forms", GOOD,
        ("    def prompt", "    def canonical(self):\n        return f'{self.left} {self.right} {id(self)}'\n\n    def prompt"),
    ),
    "a split of its own": (
        "check_split", "overridden", GOOD,
        ("    def prompt", "    def held_out(self):\n        return self.left % 2 == 0\n\n    def prompt"),
    ),
    "sampling of its own": (
        "check_split", "overridden", GOOD,
        ("    @classmethod\n    def small", "    @classmethod\n    def sample(cls, rng, knobs, held_out=None, tries=1):\n        return cls.generate(rng, knobs)\n\n    @classmethod\n    def small"),
    ),
    "repeats": (
        "check_varied", "repeated", GOOD,
        ("left=rng.randrange(top // 10, top), right=rng.randrange(top // 10, top)",
         "left=rng.randrange(30), right=3"),
    ),
    "easier at the top": ("check_ladder", "is not harder", GOOD, ("ladder(3, 4, 5,", "ladder(5, 4, 3,")),
    "a dip": (
        "check_ladder", "level 2 is not harder", GOOD,
        ("ladder(3, 4, 5,", "ladder(1, 9, 4,"), ("    def prompt", "    def difficulty(self):\n        return len(str(self.left))\n\n    def prompt"),
    ),
    "a greedy player wins": (
        "check_baselines", "baseline player 'greedy' earns 1.00", GOOD,
        ("    def prompt", "    def baselines(self, rng):\n        return {'none': '0', 'greedy': self.answer()}\n\n    def prompt"),
    ),
    "a general player wins": (
        "check_baselines", "baseline player 'sum of the numbers' earns 1.00", GOOD,
        ("    tags", "    calculation = True\n    tags"), ("self.left * self.right", "self.left + self.right + 12"),
    ),
    "nobody plays": (
        "check_baselines", "no baseline player plays", GOOD,
        ("    def prompt", "    def baselines(self, rng):\n        return {}\n\n    def prompt"),
    ),
    "a policy wins": (
        "check_baselines", "baseline player 'random legal move' earns 1.00", GAME, ("a turn has one legal move", ""),
    ),
    "the order of moves wins": (
        "check_baselines", "baseline player 'last legal move' earns 1.00", GAME,
        ("a turn has one legal move", ""), ("legal_moves=[str(number)]", "legal_moves=[*'xyzuvw', str(number)]"),
    ),
    "a policy of its own wins": (
        "check_baselines", "baseline player 'follower' earns 1.00", GAME,
        ("a turn has one legal move", ""), ("legal_moves=[str(number)], ", ""),
        ("    def play", "    def baselines(self, rng):\n        moves = self.solve()\n        return {'follower': lambda turn: moves.pop(0)}\n\n    def play"),
    ),
    "JSON loses": (
        "check_round_trip", "JSON changes", GOOD,
        ("    def prompt(self):\n", "    def model_post_init(self, _):\n        COUNT[0] += 1\n        self.__dict__['left'] += COUNT[0]\n\n    def prompt(self):\n"),
    ),
    "replay differs": (
        "check_replay", "replay", GOOD,
        ("        return f\"What is", "        COUNT[0] += 1\n        return f\"{COUNT[0]} What is"),
    ),
    "illegal oracle": ("check_turns", "legal", GAME, ("legal_moves=[str(number)]", 'legal_moves=["x"]')),
    "twice legal": ("check_turns", "twice", GAME, ("legal_moves=[str(number)]", "legal_moves=[str(number)] * 2")),
    "untyped scene": ("check_turns", "Expected `str`", GAME, ("Cell(str(number))", "Cell(number)")),
    "scene differs": ("check_turns", "twice the same", GAME, ("Cell(str(number))", "Cell(str(__import__('random').random()))")),
    "endless credit": ("check_rewards", "credit", GAME, ("earned = \"Go on.\", 0.1", "earned = \"Go on.\", 9.0")),
    "code shown": ("check_hidden", "opening", GAME, ("Say these:", "Say {self.code}:")),
    "code in state": ("check_hidden", "state", GAME, ('f"{place}"', 'f"{place} {self.code}"')),
    "code in moves": ("check_hidden", "moves", GAME, ("legal_moves=[str(number)]", "legal_moves=[str(number), str(self.code)]")),
    "code in scene": ("check_hidden", "scene", GAME, ("Cell(str(number))", "Cell(str(self.code))")),
    "unsolvable": ("check_solvable", "not the product", GOOD, ("str(self.left * self.right)", "str(self.left)")),
    "wrong the second time": (
        "check_oracle", "not the product", GOOD,
        ("return str(self.left * self.right)",
         "COUNT[0] += 1\n        return str(self.left * self.right * (COUNT[0] % 5))"),
    ),
    "wrong oracle": ("check_oracle", "not the product", GOOD, ("str(self.left * self.right)", "str(self.left)")),
    "slow": (
        "check_quick", "too long", GOOD,
        ("        good = ", "        for _ in range(2 * 10**8):\n            pass\n        good = "),
    ),
    "two answers": (
        "check_small", "answers are right", GOOD, ("good = integer(answer) ==", "good = integer(answer) + 1 <= 1 +"),
    ),
    "audit disagrees": ("check_small", "audit", GOOD, ("sum([self.left] * self.right) ==", "1 +")),
    "no candidates": ("check_small", "candidates", GOOD, ("range(100)", "range(0)")),
    "loose verifier": (
        "check_mutants", "is taken for", GOOD,
        ("good = integer(answer) ==", "good = abs(integer(answer) - self.left * self.right) < 10**9 or 0 =="),
    ),
    "crash on junk": ("check_hostile", "integer|invalid", GOOD, ("integer(answer)", "int(answer)")),
    "reward for junk": ("check_hostile", "earned", GOOD, ("good = integer(answer)", 'good = answer == "?" or integer(answer)')),
    "no reason for junk": ("check_hostile", "reason", GOOD, ('"that is not the product"', '""')),
    "never over": ("check_hostile", "never comes to an end", GAME, ('return Score(0, "another number")', "continue\n        while True:\n            yield 'again'")),
    "strict about blanks": ("check_formats", "refused", GOOD, ("    tags =", "    verbatim = True\n    tags ="), ("integer(answer) ==", "int(answer + '0') // 10 =="), ("def verify(self, answer):", "def verify(self, answer):\n        if answer != answer.strip():\n            return Score(0, 'blanks')")),
    "moves in one form": ("check_formats", "earn less", GAME, ('    hidden =', '    answer_type = "moves"\n    hidden =')),
    "tells the answer": ("check_reasons", "away", GOOD, ('"that is not the product"', "f'it is {self.answer()}'")),
    "gives no reason": ("check_reasons", "without a reason", GOOD, ('"that is not the product"', '""')),
    "answer in the prompt": ("check_secret", "prompt holds", GOOD, ("An answer looks", "It is {self.answer()}. An answer looks")),
    "constant wins": (
        "check_unskilled", "constant", GOOD,
        ("good = integer(answer)", "good = integer(answer) == 7 or integer(answer)"),
    ),
    "echo wins": (
        "check_unskilled", "echo", GOOD,
        ("good = integer(answer)", "good = answer.startswith('What') or integer(answer)"),
    ),
    "example wins": (
        "check_unskilled", "example", GOOD,
        ("good = integer(answer)", "good = integer(answer) in (12, self.left) or integer(answer)"),
    ),
    "no example": ("check_example", "no example", GOOD, ("An answer looks like '12'.", "")),
    "an example that does not read": ("check_example", "no example", GOOD, ("like '12'", "like '1x2'")),
    "the answer as an example": ("check_example", "is the answer", GOOD, ("like '12'", "like '{self.answer()}'")),
    "no example of a move": ("check_example", "no example", GAME, ("like '7'", "like 'up'")),
    "a usual answer": (
        "check_unskilled", "constant", GOOD,
        ("        return cls(left", "        if rng.random() < 0.13:\n            return cls(left=25, right=40)\n        return cls(left"),
    ),
    "lazy wins": (
        "check_unskilled", "shortcuts", GOOD,
        ("good = integer(answer)", "good = integer(answer) == self.left + 1 or integer(answer)"),
        ("    def prompt", "    def shortcuts(self):\n        yield str(self.left + 1)\n\n    def prompt"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_found(fault, other_distribution, monkeypatch):
    # How busy the machine is must not decide whether a task counts as slow here.
    monkeypatch.setattr(sampling, "yardstick", lambda: 1.0)
    check, message, source, *changes = FAULTS[fault]
    name = "product" if source is GOOD else "hunt"
    other_distribution("bad", {name: faulty(source, *changes)})
    testing.task.cache_clear()
    with pytest.raises((AssertionError, ValueError, NoValidTask), match=message):
        CHECKS[check](f"bad/{name}")


def test_a_class_goes_by_its_file(other_distribution):
    other_distribution(
        "bad", {"product": GOOD + "\n\nclass Other(Product):\n    pass\n\n\nProduct = Other\n"}
    )
    with pytest.raises(AssertionError, match="called Product"):
        testing.check_described("bad/product")


def test_processes_agree():
    testing.check_processes("logic/knights_and_knaves")


@pytest.mark.parametrize("method", ["prompt", "answer", "shortcuts", "difficulty", "canonical"])
def test_a_transcript_shows_all_that_an_order_of_sets_may_change(method, monkeypatch):
    name = "numbers/modular_inverse"
    before = testing.transcript(name)
    assert testing.transcript(name) == before
    monkeypatch.setattr(load(name), method, lambda _: "7")
    assert testing.transcript(name) != before


def test_what_words_say():
    assert testing.words("a: 1\nb: 2") == testing.words("b: 2\n\n a : 1")
    assert testing.words("1, 2") != testing.words("2, 1")
    assert testing.words("-1") != testing.words("1")


def test_repeats_are_counted_among_as_many_seeds_as_the_catalog_counts(monkeypatch):
    """Of the first 200 seeds 1 % repeat a task here, of all 1,000 seeds 6 %."""
    forms = [f"{seed % 198}" if seed < 200 else f"{seed}" for seed in range(1_000)]
    forms[942:] = ["again"] * 58

    class Drawn:
        def __init__(self, seed):
            self.seed = seed

        def task(self):
            return self

        def canonical(self):
            return forms[self.seed]

    drawn = SimpleNamespace(of=lambda name, seed, level: Drawn(seed))
    monkeypatch.setattr("palaestra.testing.sampling.Address", drawn)
    knights = "logic/knights_and_knaves"
    assert testing.duplicates(knights, 3) == (pytest.approx(0.059), 1_000)
    assert testing.duplicates(knights, 3, seconds=-1)[1] == 200
    with pytest.raises(AssertionError, match=r"5\.9% of 1,000 tasks are repeated"):
        testing.check_varied(knights)
