"""Tasks whose numbers, or which of them is asked, depend on the answer to another task."""

import json
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

import palaestra
from palaestra import Address, Episode, score
from palaestra.address import Split
from palaestra.combinators.batch import judged
from palaestra.combinators.branch import BranchPuzzle
from palaestra.combinators.holes import VALUES, _at, _numbers, _with
from palaestra.combinators.links import LinkedPuzzle, number_in, partner
from palaestra.combinators.nest import DEEPEST, NestPuzzle
from palaestra.episode import BARE
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import NoValidTask

GCD = "numbers/greatest_common_divisor"

BASES = (
    "arithmetic/base_conversion",
    "arithmetic/word_problem",
    "numbers/greatest_common_divisor",
    "machines/stack_machine",
)


def nested(name: str, seed: int, level: int = 1) -> NestPuzzle:
    task = Address.of(name, seed, level, "eval").task()
    assert isinstance(task, NestPuzzle)
    return task


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("depth", [2, 3])
def test_the_answer_of_each_task_gives_the_number_of_the_next(base: str, depth: int) -> None:
    for seed in range(3):
        task = nested(f"{base}+nest(arithmetic.word_problem,{depth},1)", seed)
        assert len(task.links) == len(task.holes) == depth - 1
        for link, hole, after in zip(task.links, task.holes, (*task.links[1:], task.task)):
            assert hole.values[number_in(link) % VALUES] == hole.number
            assert hole.punched(after.prompt()).count(hole.symbol) == 1
        assert score(task, task.answer(), BARE).value == 1


@pytest.mark.parametrize("base", BASES)
def test_each_value_of_a_hole_gives_another_answer(base: str) -> None:
    """Whoever skips the first task is right in one of 11 cases."""
    for seed in range(3):
        task = nested(f"{base}+nest", seed)
        (hole,), right = task.holes, task.answer()
        assert len(set(hole.values)) == VALUES >= 8
        dump = json.loads(task.task.model_dump_json())
        (path,) = [
            path
            for path in _numbers(dump)
            if _at(dump, path) == hole.number and hole.values != () and _shows(task, dump, path)
        ][:1]
        wrong = 0
        for value in hole.values:
            variant = type(task.task).model_validate_json(json.dumps(_with(dump, path, value)))
            wrong += not judged(task.task, variant.answer()).correct
            assert judged(variant, right).correct == (value == hole.number)
        assert wrong == VALUES - 1


def _shows(task: NestPuzzle, dump: object, path: tuple[str | int, ...]) -> bool:
    """Whether the number at a path is that of the hole."""
    (hole,) = task.holes
    other = next(value for value in hole.values if value != hole.number)
    try:
        variant = type(task.task).model_validate_json(json.dumps(_with(dump, path, other)))
    except ValueError:
        return False
    return variant.prompt() == hole.punched(task.task.prompt()).replace(hole.symbol, str(other))


def _variants(task: NestPuzzle) -> dict[int, str]:
    """The answers by the value of the only hole."""
    (hole,) = task.holes
    dump = json.loads(task.task.model_dump_json())
    paths = [path for path in _numbers(dump) if _at(dump, path) == hole.number]
    path = next(path for path in paths if _shows(task, dump, path))
    changed = {value: json.dumps(_with(dump, path, value)) for value in hole.values}
    kind = type(task.task)
    return {value: kind.model_validate_json(each).answer() for value, each in changed.items()}


@pytest.mark.parametrize(
    ("base", "level"),
    [
        ("numbers/greatest_common_divisor", 0),
        ("numbers/greatest_common_divisor", 3),
        ("algebra/linear_system", 1),
        ("algebra/simultaneous_congruences", 1),
    ],
)
@pytest.mark.parametrize("split", ["train", "eval"])
def test_no_value_stands_out_by_its_answer(base: str, level: int, split: Split) -> None:
    """Players who skip the first task and choose a value by the answer that belongs to it."""
    earned, played = Counter[str](), 0
    for seed in range(80):
        try:
            task = Address.of(f"{base}+nest", seed, level, split).task()
        except NoValidTask:
            continue
        assert isinstance(task, NestPuzzle)
        answers = _variants(task)
        played += 1
        for name, rule in RULES.items():
            earned[name] += task.verify(rule(answers)).correct
    if split == "eval":
        assert played > 60
    share = 1 / VALUES
    most = played * share + 3 * (played * share * (1 - share)) ** 0.5
    assert all(earned[name] <= most for name in RULES), earned


def _sizes(answer: str) -> list[float]:
    return [float(abs(Fraction(number))) for number in re.findall(r"-?\d+(?:/\d+)?", answer)]


RULES: dict[str, Callable[[dict[int, str]], str]] = {
    "largest answer": lambda answers: max(answers.values(), key=_sizes),
    "smallest answer": lambda answers: min(answers.values(), key=_sizes),
    "shortest answer": lambda answers: min(answers.values(), key=len),
    "longest answer": lambda answers: max(answers.values(), key=len),
    "largest value": lambda answers: answers[max(answers)],
    "smallest value": lambda answers: answers[min(answers)],
}


def test_a_task_for_training_has_no_task_that_is_held_out() -> None:
    for seed in range(30):
        task = Address.of("arithmetic/base_conversion+nest", seed, 2, "train").task()
        assert isinstance(task, NestPuzzle)
        assert not any(each.held_out() for each in (task, task.task, *task.links))
        assert nested("arithmetic/base_conversion+nest", seed, 2).held_out()


def test_links_that_a_reply_gives_are_parts() -> None:
    task = nested("arithmetic/base_conversion+nest(arithmetic.word_problem,3,0)", 4)
    first, second = (link.answer() for link in task.links)
    both = score(task, f"Task 1: {first}\nTask 2: 0\nTask 3: {task.answer()}", BARE)
    assert both.value == 1
    assert (both.parts["task 1"], both.parts["task 2"]) == (1, 0)
    last = score(task, f"Task 1: {first}\nTask 2: {second}\nTask 3: 0", BARE)
    assert last.value == 0
    assert (last.parts["task 1"], last.parts["task 2"]) == (1, 1)
    assert score(task, f"Task 1: {first}\nTask 3: {task.answer()}", BARE).status == "malformed"


def test_pairs_and_the_greatest_depth_are_reserved_for_evaluation() -> None:
    reserved = []
    for base in sorted(palaestra.names()):
        try:
            environment = load(f"{base}+nest")
        except UnknownEnvironment:
            continue
        assert issubclass(environment, NestPuzzle)
        if environment.is_reserved():
            reserved.append(base)
            with pytest.raises(NoValidTask, match="reserved for evaluation"):
                Address.of(f"{base}+nest", 0).task()
    assert 3 <= len(reserved) <= 20
    deep = f"arithmetic/base_conversion+nest(arithmetic.word_problem,{DEEPEST},0)"
    with pytest.raises(NoValidTask, match="reserved for evaluation"):
        Address.of(deep, 1).task()
    task = Address.of(deep, 1, 0, "eval").task()
    assert task.held_out()
    assert nested(deep, 1, 0).links[0].held_out()
    assert not Address.of("arithmetic/word_problem+branch", 1).task().held_out()


@pytest.mark.parametrize("other", ["numbers.greatest_common_divisor", "grids.futoshiki"])
@pytest.mark.parametrize("number", [2, 4])
def test_the_first_answer_decides_which_task_is_asked(other: str, number: int) -> None:
    cases = set()
    for seed in range(6):
        name = f"graphs/shortest_path+branch({other},{number},0)"
        task = Address.of(name, seed, 1).task()
        assert isinstance(task, BranchPuzzle)
        assert task.task == Address.of("graphs/shortest_path", seed, 1).task()
        case = number_in(task.links[0]) % number
        cases.add(case)
        text = task.prompt()
        for n in range(number):
            begins = text.index(f"Task 2, case {n}:\n") + len(f"Task 2, case {n}:\n")
            assert text[begins:].startswith(task.task.prompt()) == (n == case)
        assert score(task, task.answer(), BARE).value == 1
        for each in task.others:
            assert score(task, each.answer(), BARE).value < 1
    assert len(cases) > 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("arithmetic/word_problem+nest(grids.nothing)", "no environment of Palaestra is called"),
        ("arithmetic/word_problem+nest(nothing)", "other is the name of an environment, such as"),
        ("arithmetic/word_problem+nest(games.mastermind)", "no unique answer that is a number"),
        ("arithmetic/word_problem+nest(arithmetic.word_problem,7)", "an integer from 2 to 6"),
        ("programs/bash_task+branch", "programs are neither"),
        ("logic/knights_and_knaves+nest", "not calculated from numbers"),
        ("arithmetic/word_problem+batch(2)+branch", "have numbers already"),
        ("games/minesweeper+branch", "one reply"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(UnknownEnvironment) as error:
        load(name)
    assert sentence in str(error.value)


def test_answers_that_are_no_numbers_lead_nowhere() -> None:
    with pytest.raises(NoValidTask, match="are not numbers"):
        Address.of("arithmetic/word_problem+branch(logic.knights_and_knaves)", 0).task()
    with pytest.raises(NoValidTask, match="no number in its text"):
        Address.of("games/mahjong_hand+nest", 1, 0, "eval").task()


def test_a_slash_is_read_as_a_dot() -> None:
    """A slash would end a part of a URL."""
    name = "arithmetic/base_conversion+branch(arithmetic/word_problem,3)"
    address = Address.of(name, 2)
    assert address.env == "arithmetic/base_conversion+branch(arithmetic.word_problem,3,0)"
    assert Address.parse(str(address)) == address
    assert Address.parse(f"{name}?seed=2") == address
    gym = pytest.importorskip("palaestra.gym")
    env = gym.TextEnv("arithmetic/base_conversion", combinators="branch(arithmetic/word_problem,3)")
    observation, info = env.reset(seed=2)
    assert info["address"] == str(address)
    assert observation == Episode(address.task(), "tags").observation


def test_names_that_clients_choose_do_not_pile_up() -> None:
    for number in range(300):
        assert partner(f"arithmetic.nothing_{number}") is None
    assert partner.cache_info().currsize <= 256


# What a player earns who leaves out the links


@pytest.mark.parametrize("other", ["arithmetic.word_problem", "arithmetic.long_multiplication"])
def test_all_positions_and_cases_are_equally_frequent(other: str) -> None:
    """Also where the answers of the other environment have some remainders more often."""
    cases, positions = Counter[int](), Counter[int]()
    for seed in range(120):
        branch = Address.of(f"logic/syllogism+branch({other},2)", seed, 0, "eval").task()
        assert isinstance(branch, BranchPuzzle)
        nest = nested(f"{BASES[0]}+nest({other},2)", seed)
        cases[number_in(branch.links[0]) % 2] += 1
        positions[nest.holes[0].values.index(nest.holes[0].number)] += 1
    assert max(cases.values()) <= 80
    assert len(positions) == 11
    assert max(positions.values()) <= 26


def test_answers_without_some_remainders_decide_nothing() -> None:
    """All of these answers are odd, and so the second case would always be the one."""
    with pytest.raises(NoValidTask, match="do not have all remainders when divided by 2"):
        Address.of("logic/syllogism+branch(arithmetic.power_digits,2)", 0, 0).task()
    with pytest.raises(NoValidTask, match="do not have all remainders when divided by 11"):
        Address.of(f"{GCD}+nest(grids.binairo,2)", 0, 0, "eval").task()


@pytest.mark.parametrize("combinator", ["nest(arithmetic.word_problem,3)", "branch"])
def test_the_last_answer_may_stand_below_its_header(combinator: str) -> None:
    task = Address.of(f"{GCD}+{combinator}", 0, 0, "eval").task()
    assert isinstance(task, LinkedPuzzle)
    last, answers = len(task.links) + 1, [each.answer() for each in (*task.links, task.task)]
    for form in ("Task {}: {}", "**Task {}:** {}", "Task {}\n{}"):
        assert score(task, form.format(last, answers[-1]), BARE).value == 1
        assert score(task, form.format(last, f"{answers[-1]}1"), BARE).value == 0
        assert score(task, form.format(last - 1, answers[-1]), BARE).value == 0
    every = "\n".join(f"Task {n}: {answer}" for n, answer in enumerate(answers, 1))
    assert score(task, every, BARE).value == score(task, every, BARE).parts["task 1"] == 1
