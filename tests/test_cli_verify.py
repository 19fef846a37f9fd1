"""palaestra verify: golds and options from the shell, lines, the list, and errors in one line."""

import io
import json

import pytest

from palaestra.cli import main
from palaestra.verification import listing


@pytest.fixture
def verify(capsys, monkeypatch):
    """The exit code, the lines of JSON and the errors of the command."""

    def run(*argv, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            main(["verify", *argv])
            code = 0
        except SystemExit as end:
            code = end.code or 0
        shown = capsys.readouterr()
        return code, [json.loads(line) for line in shown.out.splitlines()], shown.err

    return run


def test_a_reply_from_standard_input_or_a_file(verify, tmp_path):
    code, (row,), _ = verify("answer", "--gold", "1/2", stdin="so \\boxed{0.5}\n")
    assert (code, row["value"], row["correct"], row["status"]) == (0, 1, True, "scored")
    reply = tmp_path / "reply.txt"
    reply.write_text("<answer>26 m/s</answer>")
    options = ("--gold", "90 km/h", "--option", "relative=0.1", "--answer-format", "tags")
    assert verify("quantity", str(reply), *options)[1][0]["correct"]
    code, (row,), _ = verify("quantity", "--gold", "90 km/h", "-", stdin="3 m/s")
    assert (code, row["value"]) == (0, 0)
    assert row["reason"]


def test_golds_are_text_or_json_as_the_verifier_takes_them(verify, tmp_path):
    assert verify("set", "--gold", '["2", "3"]', stdin="3, 2")[1][0]["correct"]
    assert verify("exact", "--gold", '["2", "3"]', stdin='["2", "3"]')[1][0]["correct"]
    assert verify("exact", "--gold-json", '["2", "3"]', stdin="3")[1][0]["correct"]
    file = tmp_path / "gold.json"
    file.write_text('{"a": [1]}')
    assert verify("json_equal", "--gold-file", str(file), stdin='{"a": [1.0]}')[1][0]["correct"]
    assert verify("exact", "--gold-file", str(file), stdin="x")[0] == 2
    text = tmp_path / "gold.txt"
    text.write_text("[A-Z]+")
    assert verify("pattern", "--gold-file", str(text), stdin="ABC")[1][0]["correct"]


def test_lines(verify, tmp_path):
    lines = [
        '"3, 2"',
        '{"reply": "2, 3"}',
        '{"replies": ["2", "2, 3"]}',
        '{"reply": "x", "gold": ["x"]}',
        '{"reply": "1", "verifier": "number", "gold": 1}',
        "",
        '{"x": 1}',
        "neither",
        '{"reply": 1}',
        '{"reply": "1", "rply": "2"}',
        '{"reply": "1", "verifier": "nubmer"}',
    ]
    text = "\n".join(lines)
    code, rows, _ = verify("set", "--gold", '["2","3"]', "--lines", stdin=text)
    assert code == 1
    assert [row["value"] for row in rows] == [1, 1, 0, 1, 1, 1, None, None, None, None, None]
    reasons = " ".join(row["reason"] for row in rows)
    for reason in ("an object with a reply", "not a line of JSON", "a reply is a text",
                   "no such fields: rply", "did you mean number"):  # fmt: skip
        assert reason in reasons
    file = tmp_path / "rows.jsonl"
    file.write_text('{"verifier": "number", "gold": 1, "reply": "1"}\n{"gold": 1, "reply": "1"}\n')
    code, rows, _ = verify("--lines", "number", str(file))
    assert (code, [row["value"] for row in rows]) == (0, [1, 1])


def test_the_list_and_the_schemas(verify, capsys):
    code, rows, _ = verify("--list", "--json")
    assert (code, rows) == (0, json.loads(json.dumps(listing())))
    main_code = verify_text(capsys, "--list")
    assert "quantity" in main_code
    assert "sandbox" in main_code
    schema = json.loads(verify_text(capsys, "quantity", "--schema"))
    assert schema["options"]["properties"]["relative"]["exclusiveMaximum"] == 1


def verify_text(capsys, *argv):
    with pytest.raises(SystemExit) as end:
        main(["verify", *argv])
    assert not end.value.code
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        ((), "name a verifier"),
        (("--schema",), "name a verifier"),
        (("number",), "state what is right by --gold"),
        (("nubmer", "--gold", "1"), "did you mean number"),
        (("number", "--gold", "x"), "gold of number: the gold 'x' cannot be read"),
        (("number", "--gold", "1", "--option", "digits=0"), "option of number: digits"),
        (("number", "--gold", "1", "--option", "digits"), "write an option as name=value"),
        (("number", "--gold", "1", "--gold-json", "1"), "state the gold once"),
        (("set", "--gold", "[1"), "the gold is not JSON"),
        (("set", "--gold", "[" * 100_000), "the gold is not JSON"),
        (("number", "nowhere.txt", "--gold", "1"), "nowhere.txt cannot be read"),
        (("number", "--gold", "1", "--answer-format", "tag"), "tag"),
        (("format", "--gold", '["a"]', "--answer-format", "tags"), "judges replies as they are"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(verify, argv, reason):
    code, rows, error = verify(*argv, stdin="1")
    assert (code, rows) == (2, [])
    assert reason in " ".join(error.split())
    assert "Traceback" not in error


def test_a_judge_that_fails_is_no_verdict(verify):
    script = "(declare-const x Int)(declare-const y Int)(assert (= (* x x x x y) (* 7 y y y 11 x)))"
    code, (row,), _ = verify("smt_valid", "--gold", script, "--option", "rlimit=1000",
                             stdin="valid")  # fmt: skip
    assert (code, row["value"], row["status"]) == (1, None, "infra_error")
