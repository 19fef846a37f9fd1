"""Programs run by the protocols of SandboxFusion and open-instruct."""

import json
from base64 import b64encode

import pytest
from fastapi.testclient import TestClient

from palaestra.server.app import build
from palaestra.server.service import Settings
from palaestra.verifiers.sandbox import sandbox

TOOLS = "/compat/open_instruct"
ADD = "def add(a, b):\n    return a + b\n"


def encoded(text):
    return b64encode(text if isinstance(text, bytes) else text.encode()).decode()


def run(http, code, language="python", **more):
    """What became of a program; fields that clients add change nothing."""
    body = {"code": code, "language": language, "fetch_files": [], "expected_stdout": "?"} | more
    response = http.post("/run_code", json=body, timeout=300)
    assert response.status_code == 200, response.text
    return response.json()


def needs(language):
    if language not in sandbox().languages():
        pytest.skip(f"no {language} here")


def test_a_program_runs(http):
    done = run(http, "import sys\nprint(int(input()) + 1)\nprint('é', file=sys.stderr)", stdin="41")
    result = done.pop("run_result")
    assert done == {
        "status": "Success", "message": "", "compile_result": None, "executor_pod_name": None,
        "files": {},
    }  # fmt: skip
    assert 0 < result.pop("execution_time") < 60
    assert result == {"status": "Finished", "return_code": 0, "stdout": "42\n", "stderr": "é\n"}


@pytest.mark.parametrize(
    ("code", "status", "code_back", "in_stderr"),
    [
        ("raise ValueError('no')", "Finished", 1, "ValueError: no"),
        ("import sys; sys.exit(3)", "Finished", 3, ""),
        ("def f(:", "Finished", 1, "SyntaxError"),
        ("import time\nprint('here', flush=True)\nwhile time.time(): pass",
         "TimeLimitExceeded", None, ""),
        ("print('here', flush=True)\nimport time; time.sleep(50)", "TimeLimitExceeded", None, ""),
    ],
)  # fmt: skip
def test_a_program_fails(http, code, status, code_back, in_stderr):
    done = run(http, code, run_timeout=1.5)
    assert done["status"] == "Failed"
    assert done["run_result"]["status"] == status
    assert done["run_result"]["return_code"] == code_back
    assert in_stderr in done["run_result"]["stderr"]
    assert done["run_result"]["stdout"] == ("here\n" if code_back is None else "")


def test_limits_end_a_program_and_are_named(http):
    done = run(http, "x = bytearray(900 << 20)", memory_limit_MB=256)
    assert done["status"] == "Failed"
    assert done["run_result"]["return_code"] not in {0, None}
    done = run(http, "while True: print('x' * 100_000)")
    assert (done["status"], done["run_result"]["status"]) == ("Failed", "Finished")
    assert done["run_result"]["return_code"] not in {0, None}
    assert "output" in done["message"]
    assert run(http, "x = bytearray(500 << 20)")["status"] == "Success"


def test_a_program_is_compiled(http):
    needs("c++")
    good = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 1; }"
    done = run(http, good, "cpp", stdin="41", compile_timeout=30)
    assert done["status"] == "Success"
    assert done["run_result"]["stdout"] == "42"
    compiled = done["compile_result"]
    assert (compiled["status"], compiled["return_code"]) == ("Finished", 0)
    done = run(http, "int main() { return nothing; }", "cpp", compile_timeout=30)
    assert (done["status"], done["run_result"]) == ("Failed", None)
    assert done["compile_result"]["status"] == "Finished"
    assert done["compile_result"]["return_code"] != 0
    assert "nothing" in done["compile_result"]["stderr"]


@pytest.mark.parametrize(
    ("language", "code", "output"),
    [
        ("bash", "read n; echo $((n + 1))", "42\n"),
        ("nodejs", "console.log(Number(require('fs').readFileSync(0)) + 1)", "42\n"),
        ("c", '#include <stdio.h>\nint main() {int n; scanf("%d", &n); printf("%d\\n", n + 1);}',
         "42\n"),
        ("sql", "SELECT 41 + 1;", "42\n"),
    ],
)  # fmt: skip
def test_other_languages(http, language, code, output):
    needs({"nodejs": "javascript"}.get(language, language))
    assert run(http, code, language, stdin="41")["run_result"]["stdout"] == output


@pytest.mark.parametrize("language", ["go", "python_gpu", "Python", "c++", ""])
def test_a_language_that_is_not_there_is_no_failed_program(http, language):
    done = run(http, "x", language)
    assert done["status"] == "SandboxError"
    assert f"no language {language!r} here; there are python" in done["message"]
    assert done["run_result"] is None


def test_files_stand_beside_a_program(http):
    files = {"data/numbers.txt": encoded("40\n2"), "nothing.txt": None}
    code = "print(sum(map(int, open('data/numbers.txt'))))"
    assert run(http, code, files=files)["run_result"]["stdout"] == "42\n"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"files": {"a.txt": "%%%"}}, "the file 'a.txt' is not base64 of text"),
        ({"files": {"a.txt": encoded(b"\xff\xfe")}}, "the file 'a.txt' is not base64 of text"),
        ({"files": {"../a.txt": encoded("x")}}, "below the program's directory, not at '../a.txt'"),
        ({"files": {"a.txt": encoded("x" * 30_000)}}, "of 20000 bytes in all"),
        ({"fetch_files": ["a.txt"]}, "'fetch_files' has to be empty"),
    ],
)
def test_files_that_cannot_be_had_are_refused(http, more, message):
    done = run(http, "print(1)", **more)
    assert done["status"] == "SandboxError"
    assert message in done["message"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"run_timeout": 0}, {"run_timeout": 61}, {"compile_timeout": -1}, {"stdin": 1},
        {"memory_limit_MB": 1 << 20}, {"files": ["a"]}, {"code": None}, {"language": "x" * 41},
        {"code": "x" * ((1 << 20) + 1)},
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused(http, wrong):
    body = {"code": "print(1)", "language": "python"} | wrong
    response = http.post("/run_code", json=body)
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == f"/{next(iter(wrong))}"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/run_code", {"code": "print(1)", "language": "python"}),
        (f"{TOOLS}/test_program", {"program": ADD, "tests": []}),
        (f"{TOOLS}/test_program_stdio", {"program": ADD, "tests": []}),
        (f"{TOOLS}/execute", {"code": "print(1)"}),
    ],
)
def test_programs_ask_for_their_scope(path, body):
    client = TestClient(build(Settings(("runner scopes=programs", "scorer scopes=score"))))
    for token, status in (("runner", 200), ("scorer", 403), ("none", 401)):
        assert client.post(path, json=body, auth=("any", token)).status_code == status


def test_a_key_pays_for_the_time_of_its_programs():
    client = TestClient(build(Settings(("runner cpu_per_minute=1",))))
    body = {"code": "import time\nend = time.time() + 1.2\nwhile time.time() < end: pass",
            "language": "python"}  # fmt: skip
    statuses = [
        client.post("/run_code", json=body, headers={"x-api-key": "runner"}).status_code
        for _ in range(2)
    ]
    assert statuses == [200, 429]


# ------------------------------------------------------------------ open-instruct


def judged(http, tests, program=ADD, path="test_program", **more):
    body = {"program": program, "tests": tests, "max_execution_time": 2.0} | more
    return http.post(f"{TOOLS}/{path}", json=body, timeout=300)


@pytest.mark.parametrize("written", [list, json.dumps], ids=["a list", "its text"])
def test_assertions_are_judged_one_by_one(http, written):
    tests = ["assert add(1, 2) == 3", "assert add(1, 1) == 3", "assert add('a', 'b') == 'ab'"]
    done = judged(http, written(tests)).json()
    assert done["results"] == [1, 0, 1]
    assert [time >= 0 for time in done["runtimes"]] == [True, False, True]
    assert done["runtimes"][1] == -1


def test_a_program_cannot_pass_by_ending(http):
    done = judged(http, ["assert add(1, 2) == 3"] * 2, "import os\nos._exit(0)").json()
    assert done["results"] == [0, 0]


def test_outputs_are_compared(http):
    tests = [{"input": "1\n", "output": "2\n"}, {"input": "100\n", "output": "102"}]
    program = "import sys\nfor line in sys.stdin: print(int(line) + 1)"
    assert judged(http, tests, program, "test_program_stdio").json()["results"] == [1, 0]
    assert judged(http, [], program, "test_program_stdio").json() == {"results": [], "runtimes": []}


@pytest.mark.parametrize(
    ("tests", "pointer"),
    [
        ("gASVCwAAAAAAAACMB3B3bmVkX3iULg==", "/tests"),
        ("[" * 100_000, "/tests"),
        ('{"a": 1}', "/tests"),
        ([1], "/tests/0"),
        (["assert True"] * 501, "/tests"),
    ],
)
def test_tests_that_are_none_are_refused(http, tests, pointer):
    response = judged(http, tests)
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == pointer


def test_a_test_that_cannot_be_made_is_no_failed_program(http):
    response = judged(http, ["assert add(1, 2) == 3", "assert add(1, "])
    assert response.status_code == 422
    assert "test 1 could not be made" in response.json()["detail"]


def test_snippets_run(http):
    def executed(**body):
        return http.post(f"{TOOLS}/execute", json=body, timeout=300).json()

    assert executed(code="print(6 * 7)") == {"output": "42\n", "error": None, "success": True}
    failed = executed(code="print(1)\n1 / 0")
    assert (failed["output"], failed["success"]) == ("1\n", False)
    assert "ZeroDivisionError" in failed["error"]
    late = executed(code="import time; time.sleep(50)", timeout=1)
    assert not late["success"]
    assert late["error"]
