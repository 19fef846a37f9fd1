"""A mixture is read by the trainer, the service and the adapters."""

from collections import Counter

import pytest

from palaestra.server.curricula import CurriculumRequest
from palaestra.trainers.curricula import Cell, make
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.rows import selected, selected_rows

RETRIED = "logic/knights_and_knaves+retry(2,verdict)"

MIXTURE = Mixture(
    {"games/mastermind": 1.5, RETRIED: 0.5}, {"games/mastermind": (0, 2), RETRIED: (3,)}, "boxed"
)


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "mixture.yaml"
    file.write_text(MIXTURE.text("Where it comes from.\nAnd how."))
    return file


def test_the_file_has_all_of_it(file):
    assert Mixture.load(file) == MIXTURE


def test_the_trainer_reads_it(file):
    config = Config.load(file, {"steps": 3, "warmup_steps": 0})
    assert config.environments == MIXTURE.environments
    assert config.levels == MIXTURE.levels
    assert config.answer_format == "boxed"
    from palaestra.trainers.curricula import cells

    mixture = cells(config.environments, config.levels)  # as the trainer does
    assert mixture == MIXTURE.cells() == (
        Cell("games/mastermind", 0, 1.5), Cell("games/mastermind", 2, 1.5), Cell(RETRIED, 3, 0.5),
    )  # fmt: skip
    sampled = Counter((a.env, a.level) for a in make("uniform", mixture, 1).sample(400))
    assert {*sampled} == {("games/mastermind", 0), ("games/mastermind", 2), (RETRIED, 3)}
    assert 60 < sampled[RETRIED, 3] < 140


def test_the_service_reads_it():
    wish = CurriculumRequest.model_validate(
        {"strategy": "frontier", "environments": MIXTURE.entries()}
    )
    assert [(each.env, each.weight, each.levels) for each in wish.environments] == [
        ("games/mastermind", 1.5, [0, 2]), (RETRIED, 0.5, [3]),
    ]  # fmt: skip


def test_adapters_read_its_selections():
    wishes = [*MIXTURE.selections(8, first=100)]
    addresses = [address for wish in wishes for address in selected(wish)]
    assert Counter((a.env, a.level) for a in addresses) == {
        ("games/mastermind", 0): 3, ("games/mastermind", 2): 3, (RETRIED, 3): 2,
    }  # fmt: skip
    assert {a.split for a in addresses} == {"train"}
    assert min(a.seed for a in addresses) == 100
    rows = [row for wish in wishes for row in selected_rows(wish, MIXTURE.answer_format)]
    assert [row["address"] for row in rows] == [str(a) for a in addresses]
    assert all(list(selected(wish)) for wish in MIXTURE.selections(1))
    for tasks, first in ((0, 0), (1, -1), (1, 2**31)):
        with pytest.raises(ValueError, match=r"no .* tasks"):
            next(MIXTURE.selections(tasks, first))


@pytest.mark.parametrize(
    "text",
    ["", "3", "environments: {a/b: 1}", "levels: {a/b: [1]}", "environments: [a/b]\nlevels: {}",
     "environments: {a/b: 1}\nlevels: {c/d: [1]}", "environments: {a/b: 1}\nlevels: {a/b: []}",
     "environments: {a/b: x}\nlevels: {a/b: [1]}", "environments: {}\nlevels: {}", "a: [", "\t"],
)  # fmt: skip
def test_what_is_no_mixture(text, tmp_path):
    file = tmp_path / "mixture.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"mixture|could not convert"):
        Mixture.load(file)


@pytest.mark.parametrize(
    "levels", ["['0']", "'01'", "[0.7]", "[.inf]", "[true]", "[[0]]", "0", "[a]"]
)
def test_levels_are_whole_numbers(tmp_path, levels):
    file = tmp_path / "mixture.yaml"
    file.write_text(
        f"environments: {{games/mastermind: 1}}\nlevels: {{games/mastermind: {levels}}}"
    )
    with pytest.raises(ValueError, match=r"mixture\.yaml is not a mixture"):
        Mixture.load(file)


def test_what_a_mixture_lacks_is_named(tmp_path):
    file = tmp_path / "mixture.yaml"
    file.write_text("environments: {games/mastermind: 1}")
    with pytest.raises(ValueError, match=r"mixture\.yaml is not a mixture: it has no levels"):
        Mixture.load(file)


@pytest.mark.parametrize("content", [b"", b"[]", b"a: \xff", b"environments: 1", b"9" * 500])
def test_files_that_are_no_mixture(tmp_path, content):
    file = tmp_path / "mixture.yaml"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"mixture\.yaml is not a mixture"):
        Mixture.load(file)


@pytest.mark.parametrize("weight", ["heavy", "9" * 401, "[1]"])
def test_weights_are_numbers(tmp_path, weight):
    file = tmp_path / "mixture.yaml"
    file.write_text(
        f"environments: {{games/mastermind: {weight}}}\nlevels: {{games/mastermind: [0]}}"
    )
    with pytest.raises(ValueError, match=r"mixture\.yaml is not a mixture"):
        Mixture.load(file)
