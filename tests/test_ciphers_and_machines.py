"""Ciphers, small machines, chances, algebra and numbers, held against other ways to work them out,
against cases worked by hand, and against what their prompts say.
"""

import re
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.algebra.partial_fractions import PartialFractions
from palaestra.envs.ciphers.classical_ciphers import ClassicalCiphers
from palaestra.envs.ciphers.known_plaintext import KnownPlaintext
from palaestra.envs.numbers.continued_fractions import ContinuedFractions
from palaestra.generators.ciphers import classical, hidden_message
from palaestra.generators.counting.bounds import Bound
from palaestra.generators.counting.coin_flips import Claim
from palaestra.generators.machines import brackets, game_of_life_fate, tape_program
from palaestra.task import Unreadable

TEXTS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=30)
SEEDS = st.integers(0, 10_000)


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize("split", ["train", "eval"])
@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("ciphers/emoji_code", {"codes": 3, "listed": 8, "shortest": 3, "longest": 9}),
        ("machines/tape_program", {"blocks": 8, "depth": 3, "steps": 10, "inputs": 3}),
        ("machines/bracket_completion", {"pairs": 4, "kinds": 2, "gaps": 16, "anywhere": True}),
        ("machines/game_of_life_fate", {"size": 12, "settles": 2}),
        (
            "algebra/partial_fractions",
            {"linear": 5, "repeated": 3, "quadratics": 2, "largest": 12, "whole": False},
        ),
        ("numbers/recurrence", {"order": 1, "modulus": 12, "digits": 1, "constant": False}),
    ],
)
def test_knobs_at_the_ends_of_their_bounds_give_tasks(name: str, knobs: dict, split: str) -> None:
    for seed in range(3):
        drawn = Address.of(name, seed, 0, split, **knobs).task()
        assert drawn.verify(drawn.answer()).value == 1


# ------------------------------------------------------------------------------------------ ciphers


@pytest.mark.parametrize(
    ("cipher", "plain", "secret"),
    [
        (classical.Cipher("atbash"), "wizard", "draziw"),
        (classical.Cipher("affine", numbers=(5, 8)), "affinecipher", "ihhwvcswfrcp"),
        (
            classical.Cipher("rail", numbers=(3,)),
            "wearediscoveredfleeatonce",
            "wecrlteerdsoeefeaocaivden",
        ),
        (
            classical.Cipher("columns", "zebras"),
            "wearediscoveredfleeatonce",
            "evlnacdtesearofodeecwiree",
        ),
        (classical.Cipher("autokey", "queenly"), "attackatdawn", "qnxepvytwtwp"),
        (classical.Cipher("hill", numbers=(3, 3, 2, 5)), "help", "hiat"),
    ],
)
def test_ciphers_that_are_in_the_books(cipher, plain, secret) -> None:
    assert classical.enciphered(plain, cipher) == secret
    assert classical.enciphered(secret, cipher, back=True) == plain


@given(TEXTS, SEEDS)
@settings(max_examples=60, deadline=None)
def test_every_cipher_is_undone_by_deciphering(text: str, seed: int) -> None:
    rng = Random(seed)
    for kind in ("atbash", "affine", "autokey", "hill", "rail", "columns", *sorted(classical.LAST)):
        cipher = classical.keyed(rng, kind, ("goat", "letter", "zebras"))
        assert classical.enciphered(classical.enciphered(text, cipher), cipher, back=True) == text


def test_a_playfair_pair_in_a_row_a_column_and_a_rectangle() -> None:
    cipher = classical.Cipher("playfair", "abcdef")  # the square is in the order of the alphabet
    assert classical.enciphered("af", cipher) == "ba"
    assert classical.enciphered("a4", cipher) == "ga"
    assert classical.enciphered("ah", cipher) == "bg"
    assert classical.enciphered("aab", cipher) == "aab"


@pytest.mark.parametrize("level", range(7))
def test_known_plaintext_refuses_what_one_letter_spoils(level: int) -> None:
    drawn = task("ciphers/known_plaintext", 5, level)
    right = drawn.answer()
    assert drawn.verify(right).value == 1
    spoilt = ("a" if right[0] != "a" else "b") + right[1:]
    assert drawn.verify(spoilt).value == 0


@pytest.mark.parametrize("text", ["number", "wrong"])
def test_no_text_is_asked_for_that_a_reason_would_give_away(text: str) -> None:
    shift = classical.Cipher("affine", numbers=(1, 3))
    secret = classical.enciphered(text, shift)
    known = (("several", classical.enciphered("several", shift)),)
    assert not KnownPlaintext(cipher="shift", size=2, known=known, given=secret).fair()
    assert not ClassicalCiphers(ciphers=(shift,), given=secret, encipher=False).fair()


def test_an_emoji_code_is_read_in_one_way_only() -> None:
    drawn = task("ciphers/emoji_code", 1, 1)
    right = 0
    fits = [[w for w in drawn.listed if len(w) == len(code)] for code in drawn.codes]
    for words in product(*fits):
        letters, signs = "".join(words), [sign for code in drawn.codes for sign in code]
        pairs = set(zip(letters, signs))
        right += len(pairs) == len(set(letters)) == len(set(signs))
    assert right == 1


def test_a_hidden_message_is_as_long_as_is_asked_for() -> None:
    for seed in range(300):
        put = "zoban"
        text = hidden_message.HIDERS["case"](Random(seed), put, 1, 1)
        assert hidden_message.read("case", text, 1, 1) == put


def test_a_hidden_message_may_be_spelt_out_and_is_moved_by_one_place() -> None:
    drawn = task("ciphers/hidden_message", 0, 2)
    assert drawn.verify(" ".join(drawn.answer().upper())).value == 1
    told = drawn.model_copy(update={"shift": 1}).prompt()
    assert "moved 1 place back" in told


# ----------------------------------------------------------------------------------------- machines


def test_a_tape_program_that_says_hello() -> None:
    program = (
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------."
        "--------.>>+."
    )
    end = tape_program.run(program, (), 10_000)
    assert bytes(end.printed).decode() == "Hello World!"
    assert end.halted
    assert not tape_program.run("+[]", (), 100).halted


@given(SEEDS, st.integers(1, 12), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_brackets_are_judged_as_striking_out_pairs_does(seed: int, pairs: int, kinds: int) -> None:
    rng = Random(seed)
    row = brackets.balanced(rng, pairs, kinds)
    assert len(row) == 2 * pairs
    assert brackets.reduced(row) == ""
    place = rng.randrange(len(row))
    other = row[:place] + rng.choice(brackets.OPENING + brackets.CLOSING) + row[place + 1 :]
    assert (brackets.judged(other).place == 0) == (brackets.reduced(other) == "")


def test_ways_to_complete_brackets_are_counted_as_trying_all_does() -> None:
    for seed in range(5):
        drawn = Address.of("machines/bracket_completion", seed, 3, pairs=4, kinds=2, gaps=5).task()
        signs = "()[]"
        gaps = [n for n, sign in enumerate(drawn.row) if sign == "_"]
        found = 0
        for filling in product(signs, repeat=len(gaps)):
            row = [*drawn.row]
            for place, sign in zip(gaps, filling):
                row[place] = sign
            found += brackets.reduced("".join(row)) == ""
            assert (drawn.verify(" ".join(row)).value == 1) == (
                brackets.reduced("".join(row)) == ""
            )
        assert drawn.chance() == pytest.approx(found / 4 ** len(gaps))


def test_a_completed_row_must_keep_the_brackets_given() -> None:
    drawn = task("machines/bracket_completion", 0, 0)
    other = "()" * (len(drawn.row) // 2)
    assert drawn.verify(other).value == 0
    with pytest.raises(Unreadable):
        drawn.verify("()")


@given(st.lists(st.integers(0, 127), min_size=7, max_size=7))
@settings(max_examples=40, deadline=None)
def test_life_on_a_torus_goes_as_counting_neighbours_says(rows: list[int]) -> None:
    size = 7
    alive = {(r, c) for r in range(size) for c in range(size) if rows[r] >> c & 1}
    around = [(r, c) for r, c in product((-1, 0, 1), repeat=2) if r or c]
    after = []
    for r in range(size):
        row = 0
        for c in range(size):
            near = sum(((r + a) % size, (c + b) % size) in alive for a, b in around)
            row |= (near == 3 or (near == 2 and (r, c) in alive)) << c
        after.append(row)
    assert game_of_life_fate.stepped(tuple(rows)) == tuple(after)


def test_gaps_anywhere_leave_half_of_the_row() -> None:
    for seed in range(5):
        knobs = {"pairs": 5, "gaps": 16, "anywhere": True}
        row = Address.of("machines/bracket_completion", seed, 0, **knobs).task().row
        assert row.count("_") == 5


def test_verdicts_on_brackets_may_stand_in_brackets_and_with_any_blanks() -> None:
    drawn = task("machines/bracket_errors", 1, 2)
    assert drawn.verify(f"[{drawn.answer()}]").value == 1
    assert drawn.verify(drawn.answer().replace(" ", "\u00a0")).value == 1
    assert drawn.verify(drawn.answer().replace(", ", "\n").upper()).value == 1


@pytest.mark.parametrize("level", range(7))
def test_a_counter_machine_runs_as_its_lines_say(level: int) -> None:
    drawn = task("machines/counter_machine", 7, level)
    prompt = drawn.prompt()
    start, rest = prompt.split("It begins with line 1")
    registers = {name: int(number) for name, number in re.findall(r"([a-d]) = (\d+)", start)}
    lines = dict(re.findall(r"^(\d+): (.*)$", rest, re.MULTILINE))
    at, steps = "1", 0
    while at:
        steps += 1
        done = lines[at]
        name = re.findall(r"\b([a-d]),? ?(?:is|then)", done)[0]
        if done.startswith("if"):
            done = done.split(";")[registers[name] > 0]
            registers[name] -= registers[name] > 0
        else:
            registers[name] += 1
        at = (re.findall(r"go to line (\d+)", done) or [""])[0]
    told = ", ".join(map(str, [*registers.values(), steps]))
    assert drawn.verify(told).value == 1


@pytest.mark.parametrize("level", range(7))
def test_the_fate_of_a_board_is_what_going_on_shows(level: int) -> None:
    drawn = task("machines/game_of_life_fate", 3, level)
    board, seen = drawn.rows, []
    while board not in seen:
        seen.append(board)
        board = game_of_life_fate.stepped(board)
    first = seen.index(board)
    cells = sum(row.bit_count() for rows in seen[:first] for row in rows)
    assert drawn.verify(f"{first}, {len(seen) - first}, {cells}").value == 1
    assert drawn.verify(f"{first + 1}, {len(seen) - first}, {cells}").value == 0


# ------------------------------------------------------------------- chances, algebra and numbers


@pytest.mark.parametrize(
    "name",
    [
        "counting/coin_flips",
        "counting/urn_probability",
        "algebra/partial_fractions",
        "numbers/continued_fractions",
        "numbers/diophantine_equation",
        "numbers/recurrence",
    ],
)
def test_the_second_opinion_agrees_and_can_disagree(name: str) -> None:
    opinions = []
    for level in range(6):
        for seed in range(3):
            drawn, other = task(name, seed, level), task(name, seed + 50, level)
            assert drawn.audit(drawn.answer()) in (True, None)
            if len(other.answer().split(",")) == len(drawn.answer().split(",")):
                opinion = drawn.audit(other.answer())
                assert opinion is None or opinion == (drawn.verify(other.answer()).value == 1)
                opinions.append(opinion)
    assert False in opinions


def test_squares_that_are_completed_give_the_polynomial_back() -> None:
    for level in range(7):
        drawn = task("algebra/complete_the_square", 2, level)
        names = "xyzw"[: len(drawn.form) - 1]
        rng = Random(level)
        for _ in range(5):
            point = {name: Fraction(rng.randint(-9, 9)) for name in names}
            pattern = drawn.pattern()[0]
            values = dict(zip("abcdefghijklmnopq", drawn.values())) | point
            terms = drawn.polynomial().replace("^", "**")
            whole = eval(terms, {}, dict(point))  # noqa: S307
            assert eval(pattern.replace("^", "**"), {}, values) == whole  # noqa: S307


@pytest.mark.parametrize(
    ("statistic", "number", "words"),
    [
        ("heads", 1, "heads comes up at most once"),
        ("heads", 3, "heads comes up at most 3 times"),
        ("changes", 1, "at most 1 flip shows another side than the flip just before it"),
        ("changes", 2, "at most 2 flips show another side than the flip just before them"),
        ("early", 1, "at most 1 of the first 4 flips shows heads"),
    ],
)
def test_claims_about_coins_are_told_in_good_english(statistic, number: int, words: str) -> None:
    assert Claim(statistic, Bound("at most", number)).told(8) == words


def test_without_heads_the_longest_run_is_told_to_be_0() -> None:
    told = Claim("run", Bound("at most", 1)).told(8)
    assert "its length is 0 where none does" in told
    assert told.endswith("has at most 1 flip")


def test_one_term_above_stands_without_brackets() -> None:
    factors = (((1, 2), 2), ((1, 5), 1))
    for numerator, told in (
        ((9,), "9 / [(x + 2)^2(x + 5)]"),
        ((-7, 0), "-7x / [(x + 2)^2(x + 5)]"),
        ((1, 0, 9), "(x^2 + 9) / [(x + 2)^2(x + 5)]"),
    ):
        prompt = PartialFractions(factors=factors, numerator=numerator).prompt()
        assert told in prompt.splitlines()


def test_the_example_has_as_many_constants_as_are_asked_for() -> None:
    knobs = {"linear": 5, "repeated": 3, "quadratics": 2, "whole": True}
    prompt = Address.of("algebra/partial_fractions", 1, 0, **knobs).task().prompt()
    example = re.findall(r"such as '(.*)'", prompt)[0]
    assert f"with {len(example.split(', '))} constants" in prompt


@pytest.mark.parametrize(("above", "below", "most"), [(649, 52, 14), (233, 52, 14), (77, 52, 13)])
def test_no_closest_fraction_is_asked_for_where_two_are(above: int, below: int, most: int) -> None:
    share = Fraction(above, below)
    near = {Fraction(round(share * n), n) for n in range(1, most + 1)}
    off = sorted(abs(share - other) for other in near)
    assert off[0] == off[1]
    assert not ContinuedFractions(about="best", numbers=(above, below, most)).fair()


@pytest.mark.parametrize("name", ["algebra/partial_fractions", "algebra/complete_the_square"])
def test_fractions_may_have_blanks_beside_the_slash(name: str) -> None:
    answers = ((drawn, drawn.answer()) for drawn in (task(name, seed, 1) for seed in range(9)))
    drawn, right = next(pair for pair in answers if "/" in pair[1])
    assert drawn.verify(right.replace("/", " / ")).value == 1
    assert drawn.verify(right.replace("/", " / 1")).value == 0


@pytest.mark.parametrize("level", range(3))
def test_recurrences_are_told_by_their_first_terms(level: int) -> None:
    for seed in range(10):
        drawn = task("numbers/recurrence", seed, level)
        row = [*drawn.start]
        while len(row) < drawn.place + 2:
            back = zip(drawn.factors, reversed(row))
            row.append((sum(a * b for a, b in back) + drawn.constant) % drawn.modulus)
        assert drawn.verify(f"{row[-2]}, {row[-1]}").value == 1
