"""Forms of right answers that users report as refused, in the environments that they name.

Each form of the right answer scores 1; the same form of the answer to another task scores 0, and so
do the near misses at the end.
"""

import json
import re
from collections.abc import Callable
from datetime import date

import pytest

from palaestra import Address, Puzzle
from palaestra.episode import BARE, TAGS, Episode
from palaestra.registry import load, names
from palaestra.scoring import score
from palaestra.testing import formats, number_formats

Form = Callable[[str], str]

CELL = re.compile(r"r(\d+)c(\d+)")
LEVEL = 1


def rows(answer: str) -> list[list[str]]:
    """The cells of a grid."""
    return [line.split() for line in answer.split("\n")]


def cells(form: str) -> Form:
    """A rewriting of the names of cells."""
    return lambda answer: CELL.sub(lambda name: form.format(name[1], name[2]), answer)


def lines(form: str) -> Form:
    """A rewriting of each line, of which ``{0}`` is the number."""
    return lambda answer: "\n".join(
        form.format(number, line) for number, line in enumerate(answer.split("\n"), 1)
    )


def items(form: Callable[[list[str]], str]) -> Form:
    """A rewriting of the items of a list."""
    return lambda answer: form(answer.replace(", ", " ").split())


def weekday_last(answer: str) -> str:
    """A date with its weekday in brackets, where the answer is one."""
    return re.sub(r"(\w+day) (\S+)", r"\2 (\1)", answer)


def decimal(answer: str) -> str:
    """A fraction with its value as a decimal behind it, rounded where that has no end."""
    above, _, below = answer.partition("/")
    value = int(above) / int(below or 1)
    exact = f"{value:.6f}".rstrip("0")
    return (
        f"{answer} = {exact}"
        if float(exact) * int(below or 1) == int(above)
        else f"{answer} \u2248 {value:.4f}"
    )


def with_value(answer: str) -> str:
    """Expressions, each with its value behind an equals sign."""
    return dict(number_formats.expressions(answer))["value behind"]


WRAPPINGS: list[Form] = [
    "\\boxed{{{}}}".format, "\\[{}\\]".format, "\\text{{{}}}".format, "${}$".format,
    "**{}**".format, "The answer is {}.".format, "`{}`".format,
]  # fmt: skip
GRIDS: list[Form] = [
    lambda answer: json.dumps(rows(answer)),
    lines("Row {0}: {1}"),
    lambda answer: "\n".join(["+---+", *(f"| {line} |" for line in answer.split("\n")), "+---+"]),
]
LISTS: list[Form] = [
    items(lambda parts: f"{', '.join(parts[:-1])} and {parts[-1]}"),
    items(json.dumps),
    items(lambda parts: ", ".join(f'"{part}"' for part in parts)),
    items(lambda parts: "\n".join(f"{n}. {part}" for n, part in enumerate(parts, 1))),
    items(lambda parts: "\n".join(f"{part}." for part in parts)),
]
CELLS: list[Form] = [cells("({0}, {1})"), cells("row {0} column {1}"), cells("R{0}, C{1}")]
PRODUCTS: list[Form] = [
    lambda answer: answer.replace("*", "\\cdot "),
    lambda answer: answer.replace("*", "\u00d7"),
    lambda answer: re.sub(r"\^(\d+)", r"^{\1}", answer),
]

FORMS: dict[str, list[Form]] = {
    "algebra/determinant": WRAPPINGS,
    "arithmetic/word_problem": WRAPPINGS,
    "strings/spell_backwards": WRAPPINGS,
    "strings/word_sorting": LISTS,
    "spatial/lattice_walk": LISTS,
    "arithmetic/bit_counting": LISTS,
    "grids/n_queens": LISTS,
    "machines/bracket_trace_errors": LISTS,
    "planning/water_jugs": [lines("Step {0}: {1}"), lines("{0}. {1}"), lines("{1}.")],
    "planning/tower_of_hanoi": [lines("Step {0}: {1}"), lambda plan: plan.replace("->", "to")],
    "planning/ball_sort": [lambda plan: plan.replace("->", "to"), lines("{0}. {1}")],
    "planning/rush_hour": [lines("Move {1}"), lines("{0}) {1}")],
    "strings/edit_script": [lines("Step {0}: {1}"), lines("{0}. {1}."), str.upper],
    "algebra/linear_system": [
        lambda answer: re.sub(r"(?m)^(\w)", r"**\1**", answer),
        lambda answer: answer.replace("\n", ", "),
        lambda answer: answer.replace("\n", "; ").replace(" = ", "="),
    ],
    "arithmetic/game_of_24": [with_value],
    "arithmetic/countdown": [with_value, *PRODUCTS[:2]],
    "numbers/prime_factorization": [*PRODUCTS, with_value],
    "algebra/polynomial_multiplication": PRODUCTS,
    "algebra/symbolic_derivative": PRODUCTS,
    "algebra/antiderivative": PRODUCTS,
    "algebra/matrix_product": [
        lambda answer: answer.replace("\n", "; "),
        lambda answer: f"[{answer.replace(chr(10), '; ')}]",
        *GRIDS[:2],
    ],
    "grids/word_search": CELLS,
    "grids/minesweeper_deduction": CELLS,
    "grids/shikaku": CELLS,
    "spatial/map_walk": CELLS,
    "arithmetic/calendar_arithmetic": [weekday_last],
    "arithmetic/time_intervals": [
        lambda answer: re.sub(r"^(\d+):(\d+)$", r"\1 hours \2 minutes", answer),
        lambda answer: re.sub(r"^(\d+):(\d+)$", r"\1 h \2 min", answer),
    ],
    "counting/coin_flips": [decimal],
    "counting/dice_probability": [decimal],
    "counting/urn_probability": [decimal],
    "geometry/triangle_centres": [
        lambda answer: re.sub(r"\((.+), (.+)\)", r"x = \1, y = \2", answer),
        lambda answer: re.sub(r"\((.+), (.+)\)", r"x = \1, y = \2", answer).replace("\n", "; "),
    ],
    "graphs/eccentricity_and_centre": [
        lambda answer: answer.replace("centre", "Center"),
        lambda answer: re.sub(r"(?m)^(?!centre)", "node ", answer),
    ],
    "optimisation/job_shop": [lines("Job {0}: {1}"), lines("[{1}]")],
    "induction/list_functions": [lines("{0}. {1}"), lines("Output {0}: {1}")],
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_a_reported_form_is_read(name: str) -> None:
    right, other = (Address.of(name, seed, LEVEL).task() for seed in (0, 1))
    assert isinstance(right, Puzzle)
    assert isinstance(other, Puzzle)
    wrong = other.answer()
    for number, form in enumerate(FORMS[name]):
        text = form(right.answer())
        result = score(right, [text], BARE)
        assert result.value == 1, (number, text, result.reason)
        if score(right, [wrong], BARE).value < 1:
            assert score(right, [form(wrong)], BARE).value < 1, (number, form(wrong))


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("grids/")])
def test_a_grid_may_be_an_array_and_have_labels_or_a_border(name: str) -> None:
    task = Address.of(name, 0, LEVEL).task()
    assert isinstance(task, Puzzle)
    answer = task.answer()
    table = rows(answer)
    if "\n" not in answer or len({*map(len, table)}) > 1 or not formats.is_grid(table):
        return
    forms = list(GRIDS)
    if "-" in answer and "." not in answer:
        forms.append(lambda text: text.replace("-", "."))
    for form in forms:
        result = score(task, [form(answer)], BARE)
        assert result.value == 1, (form(answer), result.reason)


def test_a_box_may_stand_in_tags() -> None:
    """In each environment whose answer has one line and no braces."""
    boxed = 0
    for name in names():
        task_type = load(name)
        if not issubclass(task_type, Puzzle) or task_type.verbatim or task_type.expensive:
            continue
        if task_type.answer_type.startswith("code"):
            continue
        task = Address.of(name, 0, 0).task()
        assert isinstance(task, Puzzle)
        if "\n" in task.answer() or set("{}\\") & set(task.answer()):
            continue
        boxed += 1
        for form in ("\\boxed{{{}}}", "\\[{}\\]", "\\text{{{}}}"):
            episode = Episode(task, TAGS)
            episode.step(f"<answer>{form.format(task.answer())}</answer>")
            assert episode.score is not None
            assert episode.score.value == 1, (name, form, episode.score.reason)
    assert boxed > 60


NEAR_MISSES: list[tuple[str, Form]] = [
    ("algebra/determinant", "-{}".format),
    ("algebra/determinant", "{}0".format),
    ("algebra/determinant", "not {}".format),
    ("algebra/linear_system", lambda answer: answer.replace("x", "z", 1).replace("y", "x", 1)),
    ("algebra/matrix_product", lambda answer: "; ".join(answer.split("\n")[::-1])),
    ("algebra/polynomial_multiplication", lambda answer: f"{answer} = 0"),
    ("algebra/symbolic_derivative", lambda answer: f"{answer} + 1"),
    ("arithmetic/countdown", lambda answer: f"{answer} = 1"),
    ("numbers/prime_factorization", lambda answer: f"7 = {answer}"),
    ("numbers/prime_factorization", lambda answer: answer.replace("*", "+")),
    ("counting/coin_flips", lambda answer: answer.replace("/", ":")),
    ("counting/coin_flips", lambda answer: f"{answer} = 0.999"),
    ("arithmetic/time_intervals", lambda answer: answer.replace(":", " minutes ") + " hours"),
    ("strings/word_sorting", items(lambda parts: " and ".join(parts[::-1]))),
    ("grids/shikaku", cells("({1}, {0})")),
    ("spatial/map_walk", lambda answer: answer.replace("end: ", "end: : ")),
    ("planning/tower_of_hanoi", lines("Step {0}0: {1}")),
    ("planning/tower_of_hanoi", lambda plan: plan.replace("->", "from")),
    ("strings/edit_script", lambda answer: "\n".join(answer.split("\n")[::-1][1:])),
    ("optimisation/job_shop", lambda answer: lines("Job {0}: {1}")(f"0\n{answer}")),
    ("logic/common_time_slot", lambda answer: answer.replace("day ", "day 1")),
    ("planning/rubiks_cube", lambda plan: plan.lower()),
    ("induction/list_functions", lambda answer: "\n".join(answer.split("\n")[::-1])),
    ("machines/lindenmayer_system", lambda answer: f"-{answer}"),
    ("strings/ab_rewriting", lambda answer: answer.replace(" ", " -")),
]


@pytest.mark.parametrize(("name", "form"), NEAR_MISSES, ids=range(len(NEAR_MISSES)))
def test_a_near_miss_stays_wrong(name: str, form: Form) -> None:
    task = Address.of(name, 0, LEVEL).task()
    assert isinstance(task, Puzzle)
    text = form(task.answer())
    assert text != task.answer()
    assert score(task, [text], BARE).value == 0, text


def test_a_date_whose_day_and_month_are_swapped_is_refused() -> None:
    for seed in range(20):
        task = Address.of("arithmetic/calendar_arithmetic", seed, 3).task()
        assert isinstance(task, Puzzle)
        named = re.fullmatch(r"(\w+day) (\d+)-(\d+)-(\d+)", task.answer())
        if named and int(named[4]) <= 12:
            day = date(int(named[2]), int(named[4]), int(named[3]))
            for text in (f"{named[1]} {named[4]}/{named[3]}/{named[2]}", f"{named[1]} {day}"):
                assert score(task, [text], BARE).value == (text == task.answer()), text
