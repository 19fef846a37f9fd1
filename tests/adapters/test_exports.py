"""What is exported has the columns that trainers read, and no answers."""

import json

import pytest

from palaestra.address import Address, BadAddress
from palaestra.cli import main
from palaestra.episode import ANSWER_FORMATS
from palaestra.labels import BadLabel
from palaestra.task import JudgeError
from palaestra.trainers import exports
from palaestra.trainers.rows import chosen, selected, selected_rows
from palaestra.trainers.verl import compute_score

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"
WORLD = "tools/small_shop"


def solved(address, answer_format="tags"):
    return [
        ANSWER_FORMATS[answer_format].write(move) for move in Address.parse(address).task().solve()
    ]


def leaves(value):
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from leaves(each)
    else:
        yield value


@pytest.mark.parametrize("name", [PUZZLE, GAME, WORLD, "grids/sudoku"])
def test_a_row_holds_the_prompt_and_the_address_and_what_they_say(name):
    for row in exports.exported(name, range(5), 1):
        address = Address.parse(row["address"])
        assert str(address) == row["address"]
        asked = address.task(), row["prompt"][-1]["content"]
        known = {
            *(asked[1], row["address"], row.get("tools"), f"palaestra/{name}", "palaestra"),
            *("tags", "train", "rule", "user", "human", "gpt", name, name.partition("/")[0]),
            *(address.seed, address.level),
        }
        assert set(leaves(row)) <= known


def test_each_trainer_is_written_its_columns_only():
    (row,) = exports.exported(GAME, [3])
    for trainer, columns in exports.TRAINERS.items():
        (part,) = exports.exported(GAME, [3], trainer=trainer)
        assert part == {column: row[column] for column in columns}
        assert row["address"] in set(leaves(part)), trainer
        assert row["prompt"][0]["content"] in set(leaves(part)), trainer


def test_tools_are_text_since_their_arguments_differ():
    (row,) = exports.exported(WORLD, [3], trainer="slime")
    assert {tool["function"]["name"] for tool in json.loads(row["tools"])} >= {"find_customer"}


def test_a_trainer_that_is_not_known_is_named_beside_those_that_are_near(capsys):
    with pytest.raises(SystemExit):
        main(["export", GAME, "--trainer", "slim"])
    assert "slime" in capsys.readouterr().err


@pytest.mark.package("datasets")
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_files_are_read_back_as_they_were_written(form, tmp_path):
    from datasets import load_dataset

    file = tmp_path / f"rows.{form}"
    with pytest.raises(SystemExit) as end:
        main(["export", PUZZLE, "-n", "3", "--split", "eval", "--format", form, "-o", str(file)])
    assert not end.value.code
    kind = "json" if form == "jsonl" else "parquet"
    read = load_dataset(kind, data_files=str(file), cache_dir=str(tmp_path))["train"]
    rows = list(exports.exported(PUZZLE, range(3), split="eval"))
    assert list(read) == rows
    assert rows[0]["seed"] >= 2**31


def test_selections_name_seeds_of_a_split():
    wish = f"{GAME}?level=1&seeds=2:4&split=eval&guesses=7"
    assert [str(each) for each in selected(wish)] == [
        f"{GAME}@1?digits=6&guesses=7&length=3&seed={2**31 + seed}" for seed in (2, 3)
    ]
    assert len(list(selected(GAME))) == 1000
    (row,) = selected_rows(f"{PUZZLE}?seeds=5:6", "boxed")
    assert row["prompt"][0]["content"].endswith("\\boxed{}.")


@pytest.mark.parametrize(
    "wish",
    [
        *(
            f"{GAME}?seeds={seeds}"
            for seeds in ("3", "4:4", "5:1", "-1:4", "a:b", f"0:{2**31 + 1}")
        ),
        *(f"{GAME}?seed=4", f"{GAME}?split=test", f"{GAME}?seeds", "x" * 3000),
    ],
)
def test_what_is_no_selection_is_refused(wish):
    with pytest.raises((BadAddress, LookupError)):
        list(selected(wish))


ROWS = [
    {"problem": "6 * 7?", "answer": 42},
    {"prompt": [{"role": "user", "content": "Half of 1?"}], "solution": r"It is \boxed{\frac12}."},
    {"question": "The capital of France?", "answer": "Paris", "source": "quiz"},
]


@pytest.fixture
def maths(tmp_path):
    """A file of questions with gold answers."""
    file = tmp_path / "maths.jsonl"
    file.write_text("\n".join([*map(json.dumps, ROWS), ""]), "utf-8")
    return file


def test_files_of_questions_are_selections_too(maths):
    sums, half, city = chosen(str(maths), "boxed")
    assert sums.label == "42"
    assert sums.name == f"{maths}:1"
    assert half.label == r"\frac12"
    assert half.question == "Half of 1?\n\nGive your answer inside \\boxed{}."
    assert city.address is None
    assert next(each.question for each in chosen(str(maths), "any")) == "6 * 7?"
    ours = next(selected_rows(f"{PUZZLE}?seeds=5:6", "any"))
    row = next(selected_rows(str(maths), "any"))
    assert row.keys() == ours.keys()
    assert {row[name] for name in ("label", "ground_truth", "labels")} == {"42"}
    assert row["data_source"] == "maths"
    scored = compute_score(row["data_source"], r"\boxed{42}", "42", row["extra_info"])
    assert scored["score"] == 1.0
    (boxed, *_) = selected_rows(str(maths), "boxed")
    scored = compute_score("maths", "<answer>42</answer>", "42", boxed["extra_info"])
    assert scored["score"] == 0.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2"),
        ("[]", "a row is a JSON object"),
        ('{"problem": "?"}', "neither an address nor a gold answer"),
        ('{"problem": "?", "anwser": 1}', "rename it to 'answer'"),
        ('{"answer": 1}', "there is no question"),
        ('{"problem": 7, "answer": 1}', "neither a text nor a single message"),
        ('{"problem": "?", "answer": ["1", "2"]}', "one gold answer"),
        ('{"problem": "?", "answer": "\\\\frac{1}{0}"}', "divides by zero"),
        ('{"problem": "?", "answer": "games/mastermind?seed=1"}', "select tasks of ours"),
    ],
)
def test_a_line_that_is_no_such_question_is_refused_with_its_number(maths, line, message):
    maths.write_text(f"{json.dumps(ROWS[0])}\n{line}\n")
    with pytest.raises(BadLabel, match=message) as raised:
        list(chosen(str(maths)))
    assert "line 2" in str(raised.value)


def test_easyr1_is_given_what_it_reads_one_by_one_or_in_batches():
    address = str(Address.of(PUZZLE, 3))
    (right,) = solved(address)
    wish = {"response": right, "response_length": 9, "ground_truth": address}
    assert exports.easyr1_reward(wish) == {"overall": 1.0, "accuracy": 1.0}
    done = exports.easyr1_reward([wish, {**wish, "response": ""}])
    assert [each["overall"] for each in done] == [1.0, 0.0]
    with pytest.raises(JudgeError):
        exports.easyr1_reward([{**wish, "ground_truth": r"\frac{1}{0}"}], "bare")
    with pytest.raises(LookupError, match="no/such"):
        exports.easyr1_reward([{**wish, "ground_truth": "no/such?seed=1"}])


def test_reward_functions_take_plain_gold_answers():
    wish = {"response": r"\boxed{42}", "response_length": 9, "ground_truth": 42}
    assert exports.easyr1_reward(wish)["overall"] == 1.0
    assert exports.areal_reward("prompt", r"\boxed{42}", [1], [2], answer="42") == 1.0
    assert exports.areal_reward("prompt", r"\boxed{42}", [1], [2], answer="41") == 0.0
    assert exports.swift_reward(["Answer: 42", "no"], solution=[r"\boxed{42}"] * 2) == [1.0, 0.0]
    with pytest.raises(BadLabel, match="'anser'; rename it to 'answer'"):
        exports.areal_reward("prompt", "42", [1], [2], anser="42")


def test_areal_and_swift_are_given_numbers():
    address = str(Address.of(PUZZLE, 3))
    (right,) = solved(address, "boxed")
    columns = {"address": address, "answer_format": "boxed", "messages": []}
    assert exports.areal_reward("prompt", right, [1], [2], **columns) == 1.0
    rewards = exports.swift_reward(
        [right, "no"], [address] * 2, answer_format=["boxed"] * 2, more=1
    )
    assert rewards == [1.0, 0.0]
