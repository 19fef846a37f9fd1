"""The benchmark of a player that is fitted on solved tasks."""

import json
import random
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from palaestra.address import Address
from palaestra.registry import load

BENCH = SimpleNamespace(
    **runpy.run_path(str(Path(__file__).parents[1] / "benchmarks/fitted_player.py"))
)
BEGIN, END = BENCH.BEGIN, BENCH.END
WORLD = "tools/meeting_desk"


def row(name=WORLD, level=2, mean=0.0, **more):
    fields = {"version": load(name).version, "train": 3, "tasks": 4, **more}
    return BENCH.Row(name, level=level, mean=mean, **fields)


@pytest.mark.parametrize(
    "name", [WORLD, "tools/bank_desk", "tools/mail_desk", "tools/log_analysis"]
)
def test_the_player_wins_a_task_that_it_is_fitted_on(name):
    """So what it does not win elsewhere takes more than patterns; services are busy at the top."""
    level = load(name).Knobs.levels() - 1
    task = Address.of(name, 5, level).task()
    examples = [BENCH.example(Address.of(name, seed, level).task()) for seed in (4, 5)]
    assert BENCH.earned(task, examples) == 1


def test_a_place_is_named_by_its_words_and_its_rank():
    text = BENCH.Text.of("from town Oak to town Elm, from town Ash")
    for value in ("Oak", "Elm", "Ash"):
        pattern = BENCH._pattern([text], value)
        assert BENCH._filled(pattern, [text], "none") == value
    other = BENCH.Text.of("from town Fir to town Yew, from town Box")
    assert BENCH._filled(BENCH._pattern([text], "Ash"), [other], "none") == "Box"
    assert (
        BENCH._filled(BENCH._pattern([text], "Oak"), [BENCH.Text.of("nothing")], "none") == "none"
    )


def test_worlds_of_several_turns_are_measured_at_three_levels():
    worlds = BENCH.worlds()
    assert WORLD in worlds
    assert "tools/function_calls" not in worlds  # one reply
    assert BENCH.levels(WORLD) == (0, 2, load(WORLD).Knobs.levels() - 1)


def test_results_of_other_versions_and_worlds_do_not_count(tmp_path):
    rows = [row(), row(level=0, version=0), row(level=5, mean=0.5)]
    lines = [json.dumps(each._asdict()) for each in rows]
    lines.append(json.dumps(row()._asdict() | {"name": "tools/no_such_world"}))
    file = tmp_path / "results.jsonl"
    assert BENCH.read(file) == {}
    file.write_text("\n".join(lines))
    assert BENCH.read(file) == {(WORLD, 2): rows[0], (WORLD, 5): rows[2]}


def test_the_page_gets_a_table_between_its_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}old\n{END}after\n")
    rows = [row(level=0, mean=0.5), row(mean=0.25), row(level=5, tasks=8)]
    random.Random(1).shuffle(rows)
    BENCH.write_page({(each.name, each.level): each for each in rows}, page)
    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}")
    assert text.endswith(f"{END}after\n")
    assert "| `meeting_desk` | 0.500 | 0.250 | 0.000 | 3 | 4 to 8 |" in text
    assert f"`{WORLD}` at level 2." in text
    assert "old" not in text
    page.write_text("no marks")
    with pytest.raises(ValueError, match="lacks the marks"):
        BENCH.write_page({}, page)


def test_the_page_of_the_documentation_is_the_one_of_the_results():
    _, _, rest = BENCH.PAGE.read_text("utf-8").partition(BEGIN)
    part, end, _ = rest.partition(END)
    assert end
    assert part.strip() == BENCH.table(BENCH.read(BENCH.RESULTS)).strip()
