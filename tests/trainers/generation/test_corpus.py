"""Data sets of any size: the same rows in any number of runs and processes, none of them twice."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import Future

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import TAGS
from palaestra.scoring import score
from palaestra.task import KnobError, NoValidTask
from palaestra.trainers.generation import Corpus, corpus, generate, shortfalls
from palaestra.trainers.generation.quotas import Cell
from palaestra.trainers.generation.rows import Row
from palaestra.trainers.generation.state import FILE, BadFolder, Progress
from palaestra.trainers.manifests import MANIFEST
from palaestra.trainers.mixtures import Mixture

CODE, KNIGHTS, SHOP = "games/mastermind", "logic/knights_and_knaves", "tools/small_shop"
POWERS = "arithmetic/power_digits"
MIXTURE = Mixture({CODE: 1.0, KNIGHTS: 2.0}, {CODE: (0, 1), KNIGHTS: (0, 1)})


def wanted(rows=130, **options):
    return Corpus(MIXTURE, rows, **{"shard_rows": 50, **options})


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != FILE}


def lines(folder, pattern="rows-*.jsonl"):
    files = sorted(folder.glob(pattern))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A data set that was made in one go."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    generate(wanted(solutions="chats"), folder, workers=1)
    return folder


def test_the_rows_are_those_of_the_mixture(whole):
    manifest = json.loads((whole / MANIFEST).read_text())
    addresses = [Address.parse(row["address"]) for row in lines(whole)]
    assert manifest["rows"] == len(addresses) == 130
    for cell in manifest["cells"]:
        mine = [
            each for each in addresses if (each.env, each.level) == (cell["env"], cell["level"])
        ]
        assert len(mine) == cell["rows"] == cell["wanted"]
        assert all(each.seed in range(*cell["seeds"]) for each in mine)
        assert cell["rows"] + cell["duplicates"] == len(range(*cell["seeds"]))
    assert {each.env for each in addresses[:20]} == {CODE, KNIGHTS}
    assert sum(row["env"] == KNIGHTS for row in lines(whole)) in {86, 87}


def test_no_task_occurs_twice_and_none_is_held_out(whole):
    tasks = [Address.parse(row["address"]).task() for row in lines(whole)]
    assert len({task.canonical() for task in tasks}) == len(tasks)
    assert not any(task.held_out() for task in tasks)
    assert sum(cell["duplicates"] for cell in json.loads((whole / MANIFEST).read_text())["cells"])


def test_solutions_are_right_and_are_not_in_the_rows(whole):
    rows, chats = lines(whole), lines(whole, "solutions-*.jsonl")
    for row, chat in zip(rows, chats, strict=True):
        replies = [each["content"] for each in chat["messages"] if each["role"] == "assistant"]
        assert row["address"] == chat["address"]
        assert row["prompt"] == chat["messages"][:1]
        assert score(row["address"], replies, TAGS).value == 1
        assert not any(reply in json.dumps(row) for reply in replies)


def test_the_manifest_describes_the_files(whole):
    manifest = json.loads((whole / MANIFEST).read_text())
    assert manifest["files"].keys() == contents(whole).keys() - {MANIFEST}
    for name, file in manifest["files"].items():
        assert (whole / name).stat().st_size == file["bytes"]
        assert len((whole / name).read_bytes().splitlines()) == file["rows"]
    assert shortfalls(manifest) == []


class Cut(Exception):
    pass


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_cut_off_is_continued(whole, tmp_path, workers):
    folder = tmp_path / "data"

    def cut(done, total):
        if done:
            raise Cut

    for _ in range(2):
        with pytest.raises(Cut):
            generate(wanted(solutions="chats"), folder, workers, cut)
    manifest = generate(wanted(solutions="chats"), folder, workers)
    assert contents(folder) == contents(whole)
    assert generate(wanted(solutions="chats"), folder, workers) == manifest


def test_a_run_that_is_killed_is_continued(whole, tmp_path):
    mixture = tmp_path / "mixture.yaml"
    mixture.write_text(MIXTURE.text())
    folder = tmp_path / "data"
    command = [
        sys.executable, "-m", "palaestra", "generate", mixture, "-n", "130", "-o", folder,
        "--shard-rows", "50", "--solutions", "chats", "--workers", "1",
    ]  # fmt: skip
    with subprocess.Popen([*map(str, command)]) as running:
        while running.poll() is None and not [*folder.glob("rows-*1.jsonl*")]:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
    subprocess.run([*map(str, command)], check=True, capture_output=True)
    assert contents(folder) == contents(whole)


def test_more_rows_continue_a_data_set(whole, tmp_path):
    folder = tmp_path / "data"
    for rows in (70, 100, 130):
        generate(wanted(rows, solutions="chats"), folder, workers=1)
    assert contents(folder) == contents(whole)


def test_files_that_are_missing_or_short_are_made_again(whole, tmp_path):
    folder = tmp_path / "data"
    options = wanted(solutions="chats")
    generate(options, folder, workers=1)
    (folder / "rows-00001.jsonl").write_bytes(b"{}\n")
    (folder / "solutions-00002.jsonl").unlink()
    generate(options, folder, workers=1)
    assert contents(folder) == contents(whole)


def test_a_folder_with_another_data_set(whole, tmp_path):
    with pytest.raises(BadFolder, match="solutions was chats, not none"):
        generate(wanted(), whole)
    with pytest.raises(BadFolder, match="seed was 0, not 7"):
        generate(wanted(solutions="chats", seed=7), whole)
    for rows in (60, 129):
        with pytest.raises(BadFolder, match=f"for 130 rows already, more than {rows}"):
            generate(wanted(rows, solutions="chats"), whole)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(BadFolder, match="not empty"):
        generate(wanted(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def in_the_way(file):
    """Put a folder in the place of a file."""
    file.unlink()
    file.mkdir()


DAMAGE = {
    "no database": lambda folder: (folder / FILE).write_bytes(b"no database" * 500),
    "nothing": lambda folder: (folder / FILE).write_bytes(b""),
    "cut off": lambda folder: (folder / FILE).write_bytes((folder / FILE).read_bytes()[:8192]),
    "a folder as state": lambda folder: in_the_way(folder / FILE),
    "a folder as rows": lambda folder: in_the_way(folder / "rows-00001.jsonl"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_folders_that_are_damaged(damage, tmp_path):
    folder = tmp_path / "data"
    generate(wanted(60), folder, workers=1)
    before = (folder / "rows-00000.jsonl").read_bytes()
    damage(folder)
    with pytest.raises(BadFolder):
        generate(wanted(60), folder, workers=1)
    assert (folder / "rows-00000.jsonl").read_bytes() == before


def test_folders_that_are_none(tmp_path):
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(BadFolder, match="cannot be used"):
            generate(wanted(), folder)


def test_two_at_once_do_not_write_to_one_folder(tmp_path):
    folder = tmp_path / "data"

    def again(done, total):
        if done:
            with pytest.raises(BadFolder, match="another process"):
                generate(wanted(), folder, workers=1)
            raise Cut

    with pytest.raises(Cut):
        generate(wanted(), folder, 1, again)


def test_a_file_that_was_changed_is_made_again(whole, tmp_path):
    folder, options = tmp_path / "data", wanted(solutions="chats")
    generate(options, folder, workers=1)
    file = folder / "rows-00001.jsonl"
    file.write_bytes(file.read_bytes().replace(b"knight", b"knives"))
    generate(options, folder, workers=1)
    assert contents(folder) == contents(whole)


def test_processes_end_with_the_one_that_has_started_them(tmp_path):
    psutil = pytest.importorskip("psutil")
    mixture = tmp_path / "mixture.yaml"
    mixture.write_text(MIXTURE.text())
    command = [
        sys.executable, "-m", "palaestra", "generate", mixture, "-n", "10000000",
        "-o", tmp_path / "data", "--workers", "2",
    ]  # fmt: skip
    with subprocess.Popen([*map(str, command)]) as running:
        while len(children := psutil.Process(running.pid).children(recursive=True)) < 3:
            time.sleep(0.05)
        running.kill()
    assert psutil.wait_procs(children, timeout=60)[1] == []


def test_a_level_that_is_listed_twice_counts_twice(tmp_path):
    mixture = Mixture({CODE: 1.0, KNIGHTS: 3.0}, {CODE: (1,), KNIGHTS: (1, 1, 2)})
    manifest = generate(Corpus(mixture, 8), tmp_path / "data", workers=1)
    assert [(cell["level"], cell["rows"]) for cell in manifest["cells"]] == [(1, 2), (1, 4), (2, 2)]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_level_without_tasks(tmp_path, form):
    name = f"{KNIGHTS}+retry(3)"
    mixture = Mixture({name: 1.0}, {name: (0,)})
    with pytest.raises(NoValidTask, match=r"has no task at level 0: .*use a higher level"):
        generate(Corpus(mixture, 8, form=form), tmp_path / "data", workers=1)
    assert not (tmp_path / "data").exists()


def test_evaluation_sets_have_held_out_tasks_alone(tmp_path):
    generate(wanted(20, split="eval", trainer="trl"), tmp_path / "data", workers=1)
    rows = lines(tmp_path / "data")
    assert all(Address.parse(row["address"]).split == "eval" for row in rows)
    assert all(row.keys() == {"prompt", "address", "answer_format"} for row in rows)


def test_a_cell_with_few_tasks_is_exhausted(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus, "BARREN", 30)
    mixture = Mixture({POWERS: 1.0}, {POWERS: (0,)})
    manifest = generate(Corpus(mixture, 900, shard_rows=300), tmp_path / "data", workers=1)
    assert manifest["rows"] < 900
    (sentence,) = shortfalls(manifest)
    assert sentence.startswith(f"{POWERS} has only {manifest['rows']} different tasks at level 0")
    assert len(lines(tmp_path / "data")) == manifest["rows"]


def test_parquet_files_have_the_same_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    mixture = Mixture({KNIGHTS: 9.0, SHOP: 1.0}, {KNIGHTS: (1,), SHOP: (0,)})
    folder = tmp_path / "data"
    generate(Corpus(mixture, 12, form="parquet", shard_rows=4), folder, workers=1)
    tables = [parquet.read_table(file) for file in sorted(folder.glob("*.parquet"))]
    assert [table.num_rows for table in tables] == [4, 4, 4]
    assert len({table.schema.remove_metadata() for table in tables}) == 1
    tools = [each for table in tables for each in table.column("tools").to_pylist()]
    assert sum(each is not None for each in tools) == 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rows": 0}, "at least one row"),
        ({"shard_rows": 0}, "at least one row"),
        ({"trainer": "verll"}, "did you mean verl"),
        ({"answer_format": "tag"}, "tags"),
        ({"seed": 2**31}, "seed"),
    ],
)
def test_options_that_make_no_data_set(options, error):
    with pytest.raises(ValueError, match=error):
        wanted(**options)


def test_levels_and_environments_that_there_are_not():
    with pytest.raises(KnobError, match="level"):
        Corpus(Mixture({CODE: 1.0}, {CODE: (99,)}), 1)
    with pytest.raises(LookupError, match="games/mastermind"):
        Corpus(Mixture({"games/masterminds": 1.0}, {"games/masterminds": (0,)}), 1)


def test_the_command(tmp_path, capsys, monkeypatch):
    mixture = tmp_path / "mixture.yaml"
    mixture.write_text(MIXTURE.text())
    arguments = [
        "generate",
        str(mixture),
        "-n",
        "30",
        "-o",
        str(tmp_path / "data"),
        "--workers",
        "1",
    ]
    main_of(arguments)
    assert "30 rows in" in capsys.readouterr().out
    assert len(lines(tmp_path / "data")) == 30
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--seed", "3"])
    assert end.value.code == 2
    assert "seed was 0, not 3" in capsys.readouterr().err


def main_of(arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 0


# ------------------------------------------------------------------------- the rows of one cell


class Now:
    """Makes the rows of spans at once, from a table of digests by seed; None is no valid task."""

    def __init__(self, table):
        self.table = table

    def submit(self, _, span):
        seeds = range(span.first, span.first + span.number)
        digests = [(seed, self.table[seed % len(self.table)]) for seed in seeds]
        rows = [Row(seed, digest, b"", b"") for seed, digest in digests if digest is not None]
        future = Future()
        future.set_result((rows, 1.0))
        return future


def by_definition(table, number, barren):
    """The seeds of the rows, one seed after the other."""
    seen, seeds, nothing, seed = set(), [], 0, 0
    while len(seeds) < number and nothing < barren:
        digest = table[seed % len(table)]
        if digest is None or digest in seen:
            nothing += 1
        else:
            nothing = 0
            seen.add(digest)
            seeds.append(seed)
        seed += 1
    return seeds


@settings(max_examples=300)
@given(
    st.lists(st.none() | st.integers(0, 12), min_size=1, max_size=40),
    st.integers(1, 9),
    st.lists(st.integers(1, 12), min_size=1, max_size=5),
    st.integers(1, 8),
)
def test_rows_do_not_depend_on_how_seeds_are_sent(table, size, portions, barren):
    class Seen:
        known = set()

        def is_new(self, digest):
            fresh = digest not in self.known
            self.known.add(digest)
            return fresh

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "BARREN", barren)
        patch.setattr(corpus, "SPANS", range(1, size + 1))
        stream = corpus._Stream(wanted(), Cell(CODE, 0, 1.0), Progress(0, 0, 0, 0), Now(table))
        seen, taken = Seen(), []
        for portion in portions:
            stream.order(portion + 3)
            taken += [row.seed for row in stream.take(portion, seen)]
        assert taken == by_definition(table, sum(portions), barren)
        assert stream.progress.rows == len(taken)
