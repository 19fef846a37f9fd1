"""Folders for the Hugging Face Hub load with ``datasets``, and their cards say what is in them."""

import json
import re

import pytest
import yaml

from palaestra.address import Address
from palaestra.catalog import recorded_fingerprint
from palaestra.cli import main
from palaestra.trainers.exports import ALL, NESTED, TRAINERS, exported
from palaestra.trainers.generation import Corpus, generate
from palaestra.trainers.hub import NotForTheHub, card, write_hub
from palaestra.trainers.mixtures import Mixture

PUZZLE, GAME, SUDOKU = "logic/knights_and_knaves", "games/mastermind", "grids/sudoku"


def run(*arguments):
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return end.value.code


@pytest.fixture
def load(tmp_path):
    datasets = pytest.importorskip("datasets", reason="no datasets here: it is an extra")

    def loaded(folder, split):
        return datasets.load_dataset(str(folder), split=split, cache_dir=str(tmp_path / "cache"))

    return loaded


def head_of(text):
    return yaml.safe_load(text.split("---\n")[1])


@pytest.mark.parametrize(("split", "name"), [("train", "train"), ("eval", "test")])
def test_a_folder_loads_under_the_split_that_its_card_names(split, name, tmp_path, load, capsys):
    folder = tmp_path / "hub"
    options = ["-n", 7, "--level", 1, "--split", split, "--format", "hub", "-o", folder]
    assert not run("export", PUZZLE, *options)
    assert "7 rows" in capsys.readouterr().out
    assert list(load(folder, name)) == list(exported(PUZZLE, range(7), 1, split))
    text = (folder / "README.md").read_text()
    head = head_of(text)
    assert {"rl-environment", "palaestra", "trl", "verl"} <= {*head["tags"]}
    assert head["size_categories"] == ["n<1K"]
    assert head["configs"][0]["data_files"][0]["split"] == name
    assert f"| `{PUZZLE}` | {Address.of(PUZZLE).version} | 1 |" in text
    assert recorded_fingerprint(PUZZLE) in text
    assert ("do not train on them" in text) == (split == "eval")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["rows"], manifest["cells"][0]["seeds"]) == (7, [0, 7])


def test_no_file_holds_an_answer(tmp_path):
    assert not run("export", PUZZLE, "-n", 3, "--format", "hub", "-o", tmp_path / "hub")
    content = b"".join(file.read_bytes() for file in (tmp_path / "hub").rglob("*.*"))
    for seed in range(3):
        (move,) = Address.of(PUZZLE, seed).task().solve()
        assert move.encode() not in content


@pytest.mark.parametrize("trainer", [ALL, *TRAINERS])
def test_the_code_of_a_card_runs_for_the_columns_of_every_trainer(trainer, tmp_path, load):
    rows = exported(PUZZLE, range(2), trainer=trainer)
    manifest = write_hub(rows, tmp_path, Address.of(PUZZLE), range(2), trainer=trainer)
    (code,) = re.findall(r"```python\n(.*?)```", card(manifest), re.DOTALL)
    code = code.replace("from datasets import load_dataset\n", "").replace(
        'load_dataset("USER', "("
    )
    row = load(tmp_path, "train")[0]
    lines = [line for line in code.splitlines() if not line.startswith("rows = ")]
    names = {"rows": [row]}
    exec("\n".join(lines), names)  # noqa: S102  it is our own
    assert names["score"].value == 0


def test_images_are_images(tmp_path, load):
    options = ["--observation", "both", "--image-size", "64", "--format", "hub"]
    assert not run("export", SUDOKU, "-n", 2, *options, "-o", tmp_path / "hub")
    (image,) = load(tmp_path / "hub", "train")[0]["images"]
    assert image.size == (64, 64)


def test_a_folder_is_written_anew_but_nothing_of_somebody_elses(tmp_path, capsys):
    folder = tmp_path / "hub"
    for split in ("eval", "train"):
        options = ["-n", 2, "--split", split, "--format", "hub", "-o", folder]
        assert not run("export", PUZZLE, *options)
    assert [file.name for file in (folder / "data").iterdir()] == ["train-00000.parquet"]
    (folder / "notes.txt").write_text("mine")
    assert run("export", PUZZLE, "-n", 2, "--format", "hub", "-o", folder)
    assert "notes.txt is no part of a data set" in capsys.readouterr().err
    assert (folder / "data/train-00000.parquet").exists()
    assert run("export", PUZZLE, "-n", 2, "--format", "hub", "-o", folder / "notes.txt")
    assert "is a file" in capsys.readouterr().err
    assert run("export", PUZZLE, "-n", 2, "--format", "hub")
    assert "requires --out" in capsys.readouterr().err
    with pytest.raises(NotForTheHub):
        write_hub([], folder, Address.of(PUZZLE), range(0))
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign/README.md").write_text("mine")
    with pytest.raises(NotForTheHub, match=r"README\.md is no part"):
        write_hub([], tmp_path / "foreign", Address.of(PUZZLE), range(0))


def test_what_is_cut_off_can_be_repeated(tmp_path, capsys):
    def broken():
        yield from exported(PUZZLE, range(2))
        raise OSError("the disk is gone")

    folder = tmp_path / "hub"
    with pytest.raises(OSError, match="disk"):
        write_hub(broken(), folder, Address.of(PUZZLE), range(3))
    assert not (folder / "README.md").exists()
    assert not run("export", PUZZLE, "-n", 2, "--format", "hub", "-o", folder)
    assert json.loads((folder / "manifest.json").read_text())["rows"] == 2


@pytest.mark.parametrize("form", ["hub", "lm-eval", "jsonl"])
def test_what_cannot_be_written_is_an_error_in_a_line(form, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    out = tmp_path / "file/deeper"
    assert run("export", PUZZLE, "-n", 1, "--format", form, "-o", out) == 2
    assert "cannot be written to" in capsys.readouterr().err
    assert run(
        "export", PUZZLE, "-n", 2, "--seed", 2**31 - 1, "--format", form, "-o", tmp_path / "x"
    )
    assert "between 0 and 2147483647" in capsys.readouterr().err.replace(",", "")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("trainer", NESTED)
def test_rows_that_are_no_tables_are_refused(trainer, tmp_path, capsys):
    assert run("export", PUZZLE, "--trainer", trainer, "--format", "hub", "-o", tmp_path / "hub")
    assert "are JSON lines" in capsys.readouterr().err
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_mixture_has_a_card_too(form, tmp_path, load):
    mixture = Mixture({GAME: 1.0, PUZZLE: 1.0}, {GAME: (0, 1), PUZZLE: (1,)})
    manifest = generate(Corpus(mixture, 12, form=form), tmp_path / "data", 1)
    text = card(manifest)
    assert head_of(text)["configs"][0]["data_files"][0]["path"] == f"rows-*.{form}"
    assert "2 environments" in text
    assert text.count("| `games/mastermind` |") == 2
    (tmp_path / "data/README.md").write_text(text)
    assert len(load(tmp_path / "data", "train")) == 12


def test_answers_are_not_for_the_hub(tmp_path, capsys):
    file = tmp_path / "mixture.yaml"
    file.write_text(f"environments: {{{PUZZLE}: 1}}\nlevels: {{{PUZZLE}: [0]}}\n")
    options = ["-n", 2, "-o", tmp_path / "data", "--card", "--workers", 1]
    assert run("generate", file, *options, "--solutions", "answers")
    assert "not for the Hub" in capsys.readouterr().err
    assert not run("generate", file, *options)
    assert head_of((tmp_path / "data/README.md").read_text())["license"] == "apache-2.0"
    manifest = json.loads((tmp_path / "data/manifest.json").read_text())
    with pytest.raises(NotForTheHub, match="answers"):
        card(manifest | {"solutions": "chats"})
    with pytest.raises(NotForTheHub, match="without rows"):
        write_hub([], tmp_path / "empty", Address.of(PUZZLE), range(0))
