"""Programming by example, after D. C. Smith's "Pygmalion" (1975) and S. Gulwani, "Automating
string processing in spreadsheets using input-output examples" (2011).

Examples alone never settle a function. Here all the steps that it may be made of are listed, and a
task is fair only if every chain of them that fits the examples agrees on the hidden tests as well.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, Self

from palaestra.generators.programs.players import by_rote, idioms
from palaestra.generators.programs.specifications.steps import (
    Stage,
    Step,
    chains,
    is_lively,
    run,
    solution,
    staged,
    typed_menu,
)
from palaestra.generators.programs.specifications.sufficient import (
    others,
    shown_inputs,
    sufficient,
    tested,
)
from palaestra.generators.programs.specifications.values import KINDS, NAMED, Kind
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.programs.judging import function, graded_calls

TESTS = 60
"""How many hidden inputs there are, beside those that kill mutants."""


class Search(NamedTuple):
    """What is known of the chains of steps that fit the examples."""

    outcomes: int
    """How many different things they make of other inputs: one, where the examples settle it."""
    shortest: int
    looked_at: int


@lru_cache(maxsize=64)
def searched(
    menu: tuple[Step, ...], program: tuple[Step, ...], argument: Kind, shown: int, seed: int
) -> Search:
    """Try every chain of up to as many steps of the menu on the examples."""
    values = shown_inputs(program, argument, shown)
    wanted = [run(program, value) for value in values]
    fitting, looked_at = chains(menu, len(program), argument, values, wanted)
    outcomes = 1
    for cases in (tested, sufficient) if len(fitting) > 1 else ():  # few go on to the second
        probes = [value for value, _ in cases(staged(program), argument, seed, TESTS)]
        outcomes = len({repr([run(chain, probe) for probe in probes]) for chain in fitting})
        if outcomes > 1:
            break
    return Search(outcomes, min(map(len, fitting)), looked_at)


class ProgramByExamples(Puzzle):
    """Write the Python function that was shown by examples alone."""

    version = 5
    tags = {"sandboxed", "code", "induction", "program-synthesis"}
    hidden = {"seed"}
    verbatim = True
    expensive = True

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(1, 2, 2, 3, 3, 4, 4)
        menu: int = ladder(8, 8, 14, 10, 14, 11, 16, low=6, high=20)
        examples: int = ladder(4, 5, 5, 6, 6, 7, 7, low=3, high=10)

    argument_type: Kind
    menu: tuple[Step, ...]
    program: tuple[Step, ...]
    examples: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        argument = rng.choice(KINDS)
        menu, program = typed_menu(rng, argument, knobs.steps, knobs.menu)
        seed = rng.randrange(2**32)
        return cls(
            argument_type=argument, menu=menu, program=program, examples=knobs.examples, seed=seed
        )

    def is_valid(self) -> bool:
        if not is_lively(
            self.stages(), tested(self.stages(), self.argument_type, self.seed, TESTS)
        ):
            return False
        rivals = searched(self.menu, self.program, self.argument_type, self.examples, self.seed)
        return rivals.outcomes == 1 and rivals.shortest == len(self.program)

    def stages(self) -> tuple[Stage, ...]:
        return staged(self.program)

    def cases(self) -> tuple[tuple[Any, Any], ...]:
        """The hidden inputs, with what is wanted."""
        return sufficient(self.stages(), self.argument_type, self.seed, TESTS)

    def canonical(self) -> str:
        return repr((self.argument_type, self.menu, self.program))

    def prompt(self) -> str:
        steps = "\n".join(f"- {step.as_text(self.wording)}" for step in self.menu)
        inputs = shown_inputs(self.program, self.argument_type, self.examples)
        shown = "\n".join(f"solve({v!r}) gives {run(self.program, v)!r}" for v in inputs)
        most = len(self.program)
        chain = "one step" if most == 1 else f"at most {most} steps, one after another,"
        ask = self.phrase(
            f"A function solve(v) of {NAMED[self.argument_type]} is known only from examples:",
            "Determine from examples what the function solve(v) does to "
            f"{NAMED[self.argument_type]}:",
        )
        again = "" if most == 1 else " A step may be used more than once, and the order matters."
        return (
            f"{ask}\n\n{shown}\n\nIt consists of {chain} out of these (to 'take' something means "
            f"that it becomes the result):\n\n{steps}\n\nEach step works on the result of the "
            f"previous step, the first step on v.{again} All such functions that fit the examples "
            "also agree on all other inputs.\n\nAnswer with a Python program that defines "
            "solve(v), such as 'def solve(v): return v'. It is tested on other inputs, including "
            "edge cases."
        )

    def answer(self) -> str:
        return solution(self.stages(), "solve")

    def verify(self, answer: str) -> Score:
        source = function(answer, "solve")
        return graded_calls(source, "solve", [((value,), want) for value, want in self.cases()])

    def audit(self, answer: str) -> bool:
        """Whether it stands other and many more tests, drawn in another way."""
        source, cases = (
            function(answer, "solve"),
            others(self.stages(), self.argument_type, self.seed, 300),
        )
        return graded_calls(source, "solve", [((value,), want) for value, want in cases]).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who know the examples by heart, or chain steps that fit together at random."""
        inputs = shown_inputs(self.program, self.argument_type, self.examples)
        shown = [(value, run(self.program, value)) for value in inputs]
        chain, result = list[Step](), self.argument_type
        while len(chain) < len(self.program):
            fitting = [step for step in self.menu if step.operation.takes == result]
            if not fitting:
                break
            chain.append(rng.choice(fitting))
            result = chain[-1].operation.gives
        return {
            **idioms("solve", "v"),
            **by_rote("solve", "v", shown),
            "random chain of steps": solution(staged(tuple(chain)), "solve"),
        }

    def difficulty(self) -> float:
        rivals = searched(self.menu, self.program, self.argument_type, self.examples, self.seed)
        return float(rivals.looked_at)

    def shortcuts(self) -> Iterable[str]:
        """Each step of the menu alone."""
        fit = [step for step in self.menu if step.operation.takes == self.argument_type]
        if len(self.program) > 1:
            yield from (solution([Stage(*step)], "solve") for step in fit)
        yield "def solve(v): return v"
