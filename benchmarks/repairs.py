"""Repairs that do what the examples of a broken program say: whether they are right, and paid.

Each of the repairs that the kinds of slips allow is made. Of those that fit all examples, those
count as wrong that differ from the program as it should be on one of a thousand inputs, which are
drawn apart from all that judge. In ``repair_the_bug`` all bugs but one are repaired already.

    python benchmarks/repairs.py
"""

from collections import Counter
from collections.abc import Iterator

import palaestra
from palaestra.envs.programs.find_the_bug import FindTheBug
from palaestra.envs.programs.repair_the_bug import RepairTheBug
from palaestra.generators.programs.mini_python.parameters import Signature
from palaestra.generators.programs.mini_python.repairs import repairs
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import Trial, drawn_calls, killer, trials
from palaestra.generators.programs.repair_the_bug import passing, relocations, spoilt

SEED, INPUTS = 500_000, 1_000
TASKS = {
    "programs/find_the_bug": (70, 60, 50, 40, 40, 25, 15),
    "programs/repair_the_bug": (60, 60, 20, 15, 10, 5),
}

Fitting = tuple[str, bool]
"""A repaired program that fits the examples, and whether it is paid."""


def of_slip(task: FindTheBug) -> Iterator[Fitting]:
    """The repairs of a slip that fit."""
    wrong = Program(task.source)
    for repair in repairs(task.source):
        if killer(wrong, repair, task.examples) is None:
            paid = task.verify(f"{repair.line}: {repair.text}").correct
            yield replaced(task.source, repair.line, repair.text), paid


def of_bugs(task: RepairTheBug) -> Iterator[Fitting]:
    """The repairs of the last bug that fit; of several, those on its line."""
    cases, examples = task.cases(), task.shown().examples
    for bug in task.bugs:
        wrong = Program(spoilt(task.right, [bug]))
        every_fit = [
            replaced(wrong.source, repair.line, repair.text)
            for repair in repairs(wrong.source)
            if (len(task.bugs) == 1 or repair.line == bug.line)
            and killer(wrong, repair, examples) is None
        ]
        if task.moved and len(task.bugs) == 1:
            every_fit += [s for s in relocations(wrong.source) if fits(s, examples)]
        yield from ((source, all(passing(source, task.name, cases))) for source in every_fit)


def fits(source: str, wanted: tuple[Trial, ...]) -> bool:
    """Whether a program gives what it should."""
    program = compiled(source)
    return all(program.call(trial.call).shown == trial.shown for trial in wanted)


def judged(right: str, name: str, signature: Signature, fitting: Iterator[Fitting]) -> Counter[str]:
    """How many repairs are right and paid, right and not, wrong and not, and wrong and paid."""
    calls = drawn_calls(name, signature, f"figures for {right}", INPUTS)
    wanted, counts = tuple(trials(compiled(right), calls)), Counter[str]()
    for source, paid in fitting:
        same = "right" if fits(source, wanted) else "wrong"
        counts[f"{same} and {'paid' if paid else 'unpaid'}"] += 1
    return counts


def main() -> None:
    """Print the counts of each environment."""
    for name, numbers in TASKS.items():
        counts: Counter[str] = Counter()
        for level, number in enumerate(numbers):
            for n in range(number):
                task = palaestra.Address.of(name, SEED + n, level).task()
                if isinstance(task, FindTheBug):
                    right, fitting = task.reference(), of_slip(task)
                else:
                    assert isinstance(task, RepairTheBug)
                    right, fitting = task.right, of_bugs(task)
                counts += judged(right, task.name, task.signature, fitting)
        print(f"{name}, {sum(numbers)} tasks: {dict(sorted(counts.items()))}")


if __name__ == "__main__":
    main()
