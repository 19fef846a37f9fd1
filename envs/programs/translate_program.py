"""Translating programs from one language to another. Translations were judged by running them in
B. Roziere, M.-A. Lachaux, L. Chanussot and G. Lample, "Unsupervised translation of programming
languages" (2020).
"""

import ast
import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.programs.translate_program.drawing import (
    Source,
    nameless,
    random_program,
    tested,
    written_out,
)
from palaestra.generators.programs.translate_program.running import cuts
from palaestra.generators.programs.translate_program.sufficient import others, tests
from palaestra.generators.programs.translate_program.writing import (
    LANGUAGES,
    NAMED,
    Language,
    written,
)
from palaestra.syntax import parse
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import foreign_program, graded_io, whole_program
from palaestra.verifiers.sandbox import Limits

LIMITS = Limits(cpu_s=2.0, sleep_s=1.0, memory_mb=512)

RUN: dict[Language, str] = {
    "python": "run by Python 3, with its standard library alone",
    "c": "compiled by gcc as C17, with the standard library alone",
    "javascript": "run by Node.js as a script, without packages",
}
"""How a program is run."""

TRAITS: dict[Language, str] = {
    "python": "",
    "c": " In it long long has 64 bits, and int and unsigned int have 32.",
    "javascript": "",
}

IDLE: dict[Language, str] = {
    "python": "import sys\nfor line in sys.stdin:\n    print({})",
    "c": '#include <stdio.h>\nint main(void) {{ int n; while (scanf("%d", &n) == 1) '
    'printf("%d\\n", {}); }}',
    "javascript": 'const n = 1; for (const line of require("fs").readFileSync(0, "utf8")'
    '.split("\\n")) console.log({});',
}
"""Programs that do next to nothing."""


PRINTING: dict[Language, str] = {
    "python": "import sys\nsys.stdin.read()\nprint({})",
    "c": "#include <stdio.h>\nint main(void) {{ getchar(); puts({}); }}",
    "javascript": 'require("fs").readFileSync(0);\nconsole.log({});',
}
"""Programs that print a text, whatever they read."""


class TranslateProgram(Puzzle):
    """Translate a program between Python, C and JavaScript, so that it prints the same."""

    version = 3
    tags = {"sandboxed", "code", "translation", "c", "javascript"}
    hidden = {"seed"}
    verbatim = True
    expensive = True  # gcc and Node.js take a tenth of a second

    class Knobs(Puzzle.Knobs):
        idioms: int = ladder(1, 2, 2, 3, 4, 6, high=7)  # loops one after another
        tier: int = ladder(0, 1, 2, 3, 3, 4)  # rows, nested loops, recursion, 32-bit arithmetic

    program: Source
    shown: Language
    wanted: Language
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        shown, wanted = rng.sample(LANGUAGES, 2)
        program = random_program(rng, shown, knobs.idioms, knobs.tier)
        return cls(program=program, shown=shown, wanted=wanted, seed=rng.randrange(2**32))

    def tests(self) -> tuple[tuple[str, str], ...]:
        """The hidden inputs, with what is printed; an ordinary one comes first."""
        return tests(self.program, self.seed)

    def source(self) -> str:
        """The program as it is given."""
        return written(*self.program, self.shown)

    def canonical(self) -> str:
        return repr((nameless(self.program.text), self.shown, self.wanted))

    def prompt(self) -> str:
        one, other = NAMED[self.shown], NAMED[self.wanted]
        ((stdin, printed),) = tested(self.program, -1, 1)
        ask = self.phrase(
            f"Translate this program from {one} to {other}.",
            f"This program is written in {one}. Write one in {other} that does the same.",
        )
        large = ", except where it cuts them down to 32 bits itself" * cuts(self.program.text)
        return (
            f"{ask}\n\n{self.source()}\n\nIt reads from standard input and prints to standard "
            "output, and the translation must print the same for every valid input. An input "
            "starts with the number of cases. For each case, the numbers follow that the program "
            "reads: whole numbers from -99 to 99, where each row of numbers is preceded by its "
            f"length, from 1 to 12.{TRAITS[self.shown]} No value that the "
            "program calculates goes beyond signed 32-bit integers (-2^31 to 2^31 - "
            f"1){large}.\n\nFor the input\n\n{stdin.strip()}\n\nit prints\n\n{printed}\n\nAnswer "
            f"with the program in {other}. It is {RUN[self.wanted]}, and has {LIMITS.cpu_s:g} "
            "seconds for each input."
        )

    def answer(self) -> str:
        return written(*self.program, self.wanted)

    def verify(self, answer: str) -> Score:
        return graded_io(self._read(answer), self.tests(), LIMITS, self.wanted)

    def _read(self, answer: str) -> str:
        if self.wanted == "python":
            return whole_program(answer)
        return foreign_program(answer, self.wanted)

    def audit(self, answer: str) -> bool:
        """Whether it stands other cases, drawn in another way."""
        cases = others(self.program, self.seed, 100)
        tests = [written_out(cases[:50]), written_out(cases[50:])]
        return graded_io(self._read(answer), tests, LIMITS, self.wanted).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who print what the example prints, or repeat the input, or change no word."""
        ((_, printed),) = tested(self.program, -1, 1)
        repeated = {"python": "line.strip()", "c": "n", "javascript": "line.trim()"}
        return {
            "output of the example": PRINTING[self.wanted].format(json.dumps(printed)),
            "input repeated": IDLE[self.wanted].format(repeated[self.wanted]),
            "program unchanged": self.source(),
        }

    def difficulty(self) -> float:
        """How many parts the program has."""
        return float(sum(1 for _ in ast.walk(parse(self.program.text))))

    def shortcuts(self) -> Iterable[str]:
        yield self.source()
        for value in ("0", "1", '"0"', '""', "n"):
            yield IDLE[self.wanted].format(value)
