"""Running programs in jails."""

import pytest

from palaestra.verifiers.sandbox import Limits, MissingTool, Sandbox, SandboxUnavailable, languages
from palaestra.verifiers.sandbox.canaries import chosen, tried
from palaestra.verifiers.sandbox.languages import available
from palaestra.verifiers.sandbox.outcomes import Outcome
from palaestra.verifiers.sandbox.slots import JailError

BACKENDS = [
    backend
    for backend, level in (("native", "namespaces"), ("native-restricted", "landlock"))
    if not tried(level)
]
QUICK = Limits(cpu_s=1, wall_s=4, memory_mb=256)


def test_this_machine_has_a_backend():
    """Where it has none, the tests below are empty, and that has to be seen."""
    assert BACKENDS, tried("namespaces")


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("print('hi')", "PASS"),
        ("1 / 0", "RE"),
        ("import sys; sys.exit(3)", "RE"),
        ("import os; os._exit(0)", "PASS"),
        ("def f(", "RE"),
        ("while True: pass", "TLE"),
        ("import time; time.sleep(30)", "TLE"),
        ("b = bytearray(1 << 30)", "MLE"),
        ("while True: print('x' * 1000)", "OLE"),
        ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "VIOLATION"),
        ("import os, signal; os.abort()", "RE"),
    ],
)
def test_statuses(jail, source, status):
    outcome = jail.run(source, limits=QUICK)
    assert outcome.status == status, outcome
    assert status == "PASS" or outcome.reason


def test_what_a_program_is_given(jail):
    source = "import sys; print(input(), sys.argv[1:], open('data/notes.txt').read(), __name__)"
    outcome = jail.run(source, stdin="line\n", args=["a", "b"], files={"data/notes.txt": "n"})
    assert outcome.text == "line ['a', 'b'] n __main__\n"
    assert outcome.status == "PASS"
    assert outcome.isolation in {"namespaces", "landlock"}
    assert outcome.cpu_s > 0
    assert outcome.memory_kb > 1_000


def test_any_text_comes_through(jail):
    text = "é漢字🤼\udce9\x00\r\n"
    assert jail.run("import sys; sys.stdout.write(sys.stdin.read())", stdin=text).text.encode(
        "utf-8", "replace"
    ) == text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode(
        "utf-8", "replace"
    ).replace(b"\r\n", b"\n")


def test_tracebacks_speak_of_the_program_alone(jail):
    outcome = jail.run("def f():\n    return 1 / 0\nf()")
    lines = outcome.stderr.decode().splitlines()
    assert lines[1] == '  File "solution.py", line 3, in <module>'
    assert "    return 1 / 0" in lines
    assert "program.py" not in outcome.stderr.decode()


def test_every_program_starts_afresh(jail):
    first = "import json, builtins, os; json.x = builtins.y = 1; open('left', 'w').write('x')"
    assert jail.run(first).status == "PASS"
    for _ in range(3):
        second = (
            "import json, builtins, os; print(hasattr(json, 'x'), hasattr(builtins, 'y'), "
            "os.listdir('.'))"
        )
        assert jail.run(second).text == "False False []\n"


def test_chance_and_hashes_are_the_same_each_time(jail):
    source = "import random; print(random.random(), hash('a'))"
    assert len({jail.run(source).text for _ in range(4)}) == 1


@pytest.mark.parametrize("language", sorted(set(available()) - {"python"}))
def test_languages(native, language):
    source = {
        "c": '#include <stdio.h>\nint main(void){int n; scanf("%d", &n); printf("%d\\n", 2*n);}',
        "c++": "#include <iostream>\nint main(){int n; std::cin >> n; std::cout << 2*n << '\\n';}",
        "javascript": "console.log(2 * parseInt(require('fs').readFileSync(0, 'utf8')))",
        "bash": "read n; echo $((2 * n))",
        "sql": "create table t(n); insert into t values (21); select 2 * n, null from t;",
    }[language]
    outcome = native.run(source, language=language, stdin="21\n")
    assert outcome.text == ("42|NULL\n" if language == "sql" else "42\n"), outcome
    again = native.run(source, language=language.upper(), stdin="21\n")
    assert (again.status, again.text) == ("PASS", outcome.text)


def test_what_does_not_compile(native):
    outcome = native.run("int main(void) { return x; }", language="c")
    assert outcome.status == "CE"
    assert "undeclared" in outcome.reason
    verdict = native.judge_io("int main(", [("", "")], language="c")
    assert (verdict.fraction, verdict.status) == (0.0, "CE")


def test_a_program_that_is_too_long_is_no_failure_of_ours(native):
    verdict = native.judge_io("// " + "x" * 70_000, [("", "")], language="javascript")
    assert (verdict.fraction, verdict.status) == (0.0, "CE")
    long = "print(1)  #" + "x" * 200_000
    assert native.run(long).text == "1\n"


def test_bad_requests_are_told(jail):
    with pytest.raises(ValueError, match="a language is python"):
        jail.run("", language="cobol")
    for name in ("/etc/x", "../x", "a//b", ".", "a\0", "x" * 300):
        with pytest.raises(ValueError, match="a file lies below"):
            jail.run("", files={name: ""})
    with pytest.raises(ValueError, match="files beside a program"):
        jail.run("", files={"x": "y" * 30_000})
    for limit in ({"cpu_s": 0}, {"memory_mb": 1}, {"output_kb": 0}, {"wall_s": -1}):
        with pytest.raises(ValueError, match="lies from"):
            Limits(**limit)
    for wrong in ({"backend": "magic"}, {"minimum": "total"}, {"slots": 0}):
        with pytest.raises(ValueError, match=r"backend|level|slots"):
            Sandbox(**wrong)


def test_a_machine_without_walls_is_refused_with_advice(monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.sandbox.canaries.tried", lambda level: "no unshare")
    monkeypatch.setattr(
        "palaestra.verifiers.sandbox.canaries.contained", lambda engine, build: "no engine"
    )
    with pytest.raises(SandboxUnavailable, match="user namespaces") as refusal:
        chosen("auto", "landlock")
    assert "no unshare" in str(refusal.value)
    with pytest.raises(SandboxUnavailable):
        chosen("native-restricted", "namespaces")


def test_without_walls_only_where_that_is_said(monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.sandbox.canaries.tried", lambda level: "no unshare")
    with Sandbox("native", slots=1) as refused, pytest.raises(SandboxUnavailable):
        refused.run("print(1)")
    try:
        with Sandbox("native", slots=1, allow_unsafe=True) as unsafe:
            outcome = unsafe.run("print(1)")
            assert (outcome.text, outcome.isolation) == ("1\n", "none")
            assert unsafe.run("import os; os.fork()").status == "RE"
            with pytest.raises(SandboxUnavailable, match="held by 'none'"):
                unsafe.at_least("landlock")
            with pytest.raises(MissingTool, match="needs namespaces"):
                unsafe.run("true", language="bash")
    except JailError as why:
        pytest.skip(str(why))


def test_a_level_can_be_demanded(jail):
    assert jail.at_least(jail.level) is jail
    if jail.level == "landlock":
        with pytest.raises(SandboxUnavailable, match="held by 'landlock'"):
            jail.at_least("namespaces")


NUMPY = """
import numpy as np
print(np.arange(1_000_000).sum(), np.linalg.det(np.eye(3)))
"""


def test_packages(jail):
    assert jail.run(NUMPY).status == "RE"
    with Sandbox(jail.backend, slots=1, packages=("numpy",)) as calculating:
        assert calculating.run(NUMPY).text == "499999500000 1.0\n"
        assert calculating.run("import palaestra.task").status == "RE"
        assert calculating.run("import pytest").status == "RE"
    for name in ("palaestra", "no_such_package", "json.tool", "math"):
        with pytest.raises(ValueError, match="cannot be given the package"):
            Sandbox(packages=(name,))


def test_memory_is_limited_in_all_of_a_jail(native):
    native.run("print(1)")
    if native.free[-1].group is None:
        pytest.skip("no control groups can be made here")
    hoard = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        hoard = b"x" * (200 << 20)
        time.sleep(5)
        os._exit(0)
for _ in range(20):
    os.wait()
"""
    outcome = native.run(hoard, limits=Limits(cpu_s=5, memory_mb=256))
    assert (outcome.status, "all its processes" in outcome.reason) == ("MLE", True)
    assert native.run("print(1)").status == "PASS"


LONE = "\ud800"
LANGUAGES = {
    "python": "print('ok')  # {}",
    "sql": "select 'ok'; -- {}",
    "c": '#include <stdio.h>\nint main(void) {{ puts("ok"); return 0; }} // {}',
    "c++": '#include <cstdio>\nint main() {{ puts("ok"); }} // {}',
    "javascript": "console.log('ok') // {}",
    "bash": "echo ok # {}",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_lone_surrogates_in_a_program_are_the_programs_affair(native, language):
    if language not in native.languages():
        pytest.skip(f"no {language} here")
    source = LANGUAGES[language].format(LONE)
    limits = Limits(memory_mb=2_048)
    assert native.run(source, language=language, limits=limits).status in {"PASS", "RE", "CE"}
    verdict = native.judge_io(source, [(LONE, "ok\n")], language=language, limits=limits)
    assert verdict.status in {"PASS", "RE", "CE"}, verdict


def test_lone_surrogates_elsewhere(jail):
    both = f"{LONE} \udcff\xe9"
    read = "import sys; print(sys.stdin.buffer.read().hex(), sys.argv[1:] == [], end='')"
    assert jail.run(read, stdin=both).text == "eda08020ffc3a9 True"
    laid = jail.run("print(open('a', 'rb').read().hex())", files={"a": both})
    assert laid.text == "eda08020ffc3a9\n"
    for text in (both, f"{LONE}\udc00", "\U00010000"):
        assert jail.judge_calls("def f(x): return x", "f", [([text], text)]).fraction == 1
    assert jail.judge_calls(LONE, "f", [([1], 1)]).status == "RE"
    assert jail.judge_calls("def f(): return 1", f"f{LONE}", [([], 1)]).status == "RE"
    assert jail.judge_asserts("def f(x): return x", f"assert f({both!r}) == {both!r}").fraction == 1
    assert jail.judge_asserts("def f(x): return x", f"assert f('{LONE}')").fraction is None


@pytest.mark.parametrize(
    "source",
    [
        "def f(): raise ValueError('\\ud800')",
        "def f(): raise type('\\udcff', (Exception,), {})('x')",
        "class C: pass\nC.__name__ = '\\ud800'\ndef f(): return C()",
    ],
)
def test_reasons_can_be_written(jail, source):
    for verdict in (
        jail.judge_calls(source, "f", [([], 1)]),
        jail.judge_asserts(source, "def test(): assert f() == 1"),
    ):
        assert verdict.fraction == 0
        "".join(test.reason for test in verdict.per_test).encode()
    Outcome("RE", reason=LONE).reason.encode()


def test_what_a_program_may_say_is_bounded(native):
    """Whatever it says, reading it costs the judge little."""
    source = "def f(n): return [[]] * 90_000"
    verdict = native.judge_calls(source, "f", [([n], []) for n in range(40)])
    statuses = [test.status for test in verdict.per_test]
    assert statuses[:5] == ["WA"] * 5
    assert statuses[6:] == ["OLE"] * 34, statuses
    many = native.judge_calls("def f(n): return [[]] * 200_000", "f", [([1], [])])
    assert many.status == "OLE"


def test_a_compiler_that_is_stopped_is_not_remembered(native):
    if "c" not in native.languages():
        pytest.skip("no C here")
    levels = "".join(f"#define A{n + 1} {f'A{n} ' * 10}\n" for n in range(9))
    bomb = f"#define A0\n{levels}int a A9;\nint main() {{ return a; }}\n"
    short = native.run(bomb, language="c", limits=Limits(compile_s=0.5))
    assert (short.status, short.stdout) == ("TLE", b""), short
    assert "compiling" in short.reason
    plain = '#include <stdio.h>\nint main(void) { puts("again"); return 0; }\n'
    runs = []
    message = b"gcc: fatal error: Killed signal terminated program cc1"
    stopped = Outcome("RE", stderr=message, exit_code=1)

    def run(job):
        runs.append(job)
        return native.run_job(job) if len(runs) > 1 else stopped

    assert languages.prepared("c", plain, run, limits=Limits(compile_s=3)).status == "MLE"
    assert not isinstance(languages.prepared("c", plain, run), Outcome)
    assert [job.limits.cpu_s for job in runs] == [3, 10]


def test_a_program_that_closes_its_channel_is_told_as_what_it_is(jail):
    source = "import os\ndef f():\n    os.close(3)\n    while True: pass"
    verdict = jail.judge_calls(source, "f", [([], 1)], limits=Limits(cpu_s=0.2, wall_s=2))
    assert (verdict.fraction, verdict.status) == (0, "TLE")
