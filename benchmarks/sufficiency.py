"""Whether hidden tests are sufficient: how many mutants of the references pass them.

Programs of one or two random changes are drawn from the reference of each task. Those that differ
from it on a large sample of legal inputs, drawn by another generator than the tests', are wrong;
a survivor is one of them that passes all hidden tests.

    python benchmarks/sufficiency.py [--tasks N] [--mutants N] [--show] [ENVIRONMENT ...]
"""

import argparse
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from palaestra.envs.programs.bash_task import TREES, BashTask
from palaestra.envs.programs.class_from_specification import ClassFromSpecification
from palaestra.envs.programs.complete_the_hole import CompleteTheHole
from palaestra.envs.programs.function_from_specification import FunctionFromSpecification
from palaestra.envs.programs.make_it_faster import MakeItFaster
from palaestra.envs.programs.mini_repository import MiniRepository
from palaestra.envs.programs.minimise_program import MinimiseProgram
from palaestra.envs.programs.program_by_examples import ProgramByExamples
from palaestra.envs.programs.regex_for_examples import RegexForExamples, trials
from palaestra.envs.programs.repair_the_bug import RepairTheBug
from palaestra.envs.programs.small_interpreter import SmallInterpreter
from palaestra.envs.programs.stdin_story import StdinStory
from palaestra.envs.programs.translate_program import TranslateProgram
from palaestra.generators.mutants.changes import mutated
from palaestra.generators.mutants.killing import differs, tried
from palaestra.generators.mutants.running import Subject
from palaestra.generators.programs.bash_task import sufficient as file_sufficient
from palaestra.generators.programs.bash_task.tasks import Program as Work
from palaestra.generators.programs.bash_task.tasks import after, gives
from palaestra.generators.programs.class_from_specification import sufficient as class_rows
from palaestra.generators.programs.class_from_specification.composing import written
from palaestra.generators.programs.make_it_faster import sufficient as arguments
from palaestra.generators.programs.mini_python.parameters import (
    LONG,
    SHORT,
    Parameter,
    Signature,
    call_of,
)
from palaestra.generators.programs.mini_python.run import Program
from palaestra.generators.programs.mini_python.trials import battery
from palaestra.generators.programs.mini_repository import sufficient as repository_sufficient
from palaestra.generators.programs.regex_for_examples import members
from palaestra.generators.programs.small_interpreter import programs as machine_programs
from palaestra.generators.programs.specifications import sufficient as specification_tests
from palaestra.generators.programs.stdin_story import inputs as story_inputs
from palaestra.generators.programs.translate_program import sufficient as translations
from palaestra.generators.regexes import matches
from palaestra.task import InvalidAnswer, Task

Wrong = Callable[[Any], bool]
"""Whether a program gives something else on an input than the reference."""


class Reference(NamedTuple):
    """What replies to a task are held against."""

    source: str
    mutant: Callable[[str], Wrong | None]
    """What tells a program that is not the reference from it; None where it is no program."""
    tests: Iterable[Any]
    others: Iterable[Any]
    """Legal inputs that are drawn in another way than the tests."""
    changed: Callable[[str, Random, int], str] = mutated
    """What makes another program with so many changes."""


class Count(NamedTuple):
    """What came of the mutants of some tasks."""

    mutants: int
    different: int
    survivors: tuple[str, ...]

    def __add__(self, other: "Count") -> "Count":  # type: ignore[override]
        return Count(*(one + two for one, two in zip(self, other)))  # type: ignore[operator]


NOTHING = Count(0, 0, ())


def python(subject: Subject, tests: Iterable[Any], others: Iterable[Any], source: str) -> Reference:
    """A reference that is a Python program."""
    known = {
        id(trial.argument): trial for trial in (*tried(subject, tests), *tried(subject, others))
    }

    def mutant(text: str) -> Wrong | None:
        try:
            other = Subject(text, subject.call, subject.namespace)
        except (SyntaxError, ValueError, TypeError, LookupError, NameError, AttributeError):
            return None
        return lambda arguments: id(arguments) in known and differs(other, known[id(arguments)])

    return Reference(source, mutant, tests, others)


def _specified(task: Any) -> Reference:
    program = task.program if isinstance(task, FunctionFromSpecification) else task.stages()
    tests = [value for value, _ in task.cases()]
    others = [v for v, _ in specification_tests.others(program, task.argument_type, task.seed, 300)]
    return python(specification_tests.subject(program), tests, others, task.answer())


def _class(task: Any) -> Reference:
    tests = [calls for calls, _ in task.cases()]
    others = [calls for calls, _ in class_rows.others(task.built, task.seed, 200)]
    source = written(task.built, "Made")
    return python(class_rows.subject(task.built), tests, others, source)


def _story(task: Any) -> Reference:
    tests = [text for text, _ in task.cases()[:-2]]  # the last ones are about speed
    others = [text for text, _ in story_inputs.others(task.family, task.numbers, task.seed, 150)]
    source = story_inputs.program(task.family, task.numbers)
    return python(story_inputs.subject(task.family, task.numbers), tests, others, source)


def _interpreter(task: Any) -> Reference:
    tests = [program for program, _ in task.cases()]
    others = [program for program, _ in machine_programs.others(task.machine, task.seed, 200)]
    return python(machine_programs.subject(task.machine), tests, others, task.answer())


def _translated(task: Any) -> Reference:
    cases = translations.sufficient(task.program, task.seed)
    tests = [arguments for row in cases for arguments, _ in row]
    others = [arguments for arguments, _ in translations.others(task.program, task.seed, 200)]
    return python(translations.subject(task.program), tests, others, task.program.text)


def _repository(task: Any) -> Reference:
    repository = task.repository()
    tests = [trial.call for trial in repository_sufficient.sufficient(repository, task.seed)]
    others = repository_sufficient.others(repository, task.seed, 40)
    right, slipped = (
        repository_sufficient.program(repository.modules, repository.constants, slips)
        for slips in ((), repository.slips)
    )
    reference = python(
        repository_sufficient.subject(repository.modules, repository.constants),
        tests,
        others,
        right,
    )
    return reference._replace(changed=_repaired_badly(slipped))


def _repaired_badly(slipped: str) -> Callable[[str, Random, int], str]:
    """Mutants of modules as they are to be, and now and then of those as the player finds them."""

    def changed(right: str, rng: Random, changes: int) -> str:
        return mutated(slipped if rng.random() < 0.3 else right, rng, changes)

    return changed


def _faster(task: Any) -> Reference:
    tests = [value for (value,), _ in task.cases()]
    others = [value for (value,), _ in arguments.others(task.parts, task.seed, 200)]
    return python(arguments.subject(task.parts), tests, others, task.answer())


def _files(task: Any) -> Reference:
    """Work on trees of files, with a slip or two in its steps."""
    program, size, seen = task.program, len(task.shown), {repr(task.program): task.program}
    tests = file_sufficient.sufficient(program, task.seed, TREES, size, task.oddity)
    others = file_sufficient.others(program, task.seed, 80, task.oddity)
    wanted = {files: after(program, files) for files in (*tests, *others)}

    def changed(text: str, rng: Random, changes: int) -> str:
        other: Work = seen[text]
        for _ in range(changes):
            other = rng.choice(file_sufficient.slips(other) or [other])
        seen[repr(other)] = other
        return repr(other)

    def mutant(text: str) -> Wrong:
        return lambda files: not gives(seen[text], files, wanted[files])

    return Reference(repr(program), mutant, tests, others, changed)


def _small_python(task: Any) -> Reference:
    """A reference in the subset of Python that runs in an interpreter of ours."""
    source = task.filled(task.right) if isinstance(task, CompleteTheHole) else task.reference
    return within(source, task.name, task.signature, small_tests(task))


def small_tests(task: Any) -> list[str]:
    """The calls on which a reply is tried."""
    if isinstance(task, MinimiseProgram):
        return [trial.call for trial in task.tests()]
    shown = [trial.call for trial in task.examples]
    reference = task.filled(task.right)
    return [*shown, *(t.call for t in battery(reference, task.name, task.signature))]


def within(source: str, name: str, signature: Signature, tests: list[str]) -> Reference:
    """A reference that is a program of the subset."""
    running, rng = Program(source), Random(f"others {source}")
    others = [call_of(name, [spread(rng, p) for p in signature]) for _ in range(150)]
    wanted = {call: running.call(call) for call in (*tests, *others)}

    def mutant(text: str) -> Wrong | None:
        try:
            other = Program(text)
        except InvalidAnswer:
            return None
        return lambda call: (
            not wanted[call].fault
            and (other.call(call, 10 * wanted[call].steps + 500).shown != wanted[call].shown)
        )

    return Reference(source, mutant, tests, others)


def _repaired(task: Any) -> Reference:
    tests = [call_of(task.name, case.values) for case in task.cases()]
    return within(task.right, task.name, task.signature, tests)


def _expression(task: Any) -> Reference:
    language, rng = task.language(), Random(f"others {task.pattern}")
    words = ["".join(rng.choices(task.letters, k=rng.randint(0, 30))) for _ in range(200)]
    words += members(language, rng, 200, 40)
    tests = [word.decode() for cases in trials(language) for word, _ in cases]

    def mutant(text: str) -> Wrong | None:
        try:
            matches(text, "")
        except (ValueError, IndexError):
            return None
        return lambda word: matches(text, word) != language.accepts(word)

    return Reference(task.pattern, mutant, tests, words, _edited(task.letters))


def _edited(letters: str) -> Callable[[str, Random, int], str]:
    """Expressions of which a sign is another one, is left out, or stands twice."""

    def changed(text: str, rng: Random, changes: int) -> str:
        for _ in range(changes):
            position, sign = rng.randrange(len(text)), rng.choice(f"{letters}{letters}*+?|")
            text = (
                text[:position]
                + rng.choice(("", sign, sign + text[position]))
                + text[position + 1 :]
            )
            text = text or letters
        return text

    return changed


def spread(rng: Random, parameter: Parameter) -> Any:
    """A value within the bounds of a parameter, drawn in another way than tests are."""
    low, high = parameter.low, parameter.high
    if parameter.type_name == "number":
        return min(high, low + int(rng.expovariate(3 / (high - low + 1))))
    size = rng.choice(
        (parameter.fewest, parameter.most, rng.randint(parameter.fewest, parameter.most))
    )
    if parameter.type_name == "numbers":
        middle, reach = rng.randint(low, high), rng.choice((0, 1, 3, high - low))
        return [max(low, min(high, middle + rng.randint(-reach, reach))) for _ in range(size)]
    pool = rng.sample(parameter.letters, rng.randint(1, len(parameter.letters)))
    if parameter.type_name == "word":
        return "".join(rng.choices(pool, k=size))
    return ["".join(rng.choices(pool, k=rng.randint(SHORT, LONG))) for _ in range(size)]


REFERENCES: dict[type[Task], Callable[[Any], Reference]] = {
    FunctionFromSpecification: _specified,
    ProgramByExamples: _specified,
    ClassFromSpecification: _class,
    StdinStory: _story,
    SmallInterpreter: _interpreter,
    TranslateProgram: _translated,
    MiniRepository: _repository,
    BashTask: _files,
    MakeItFaster: _faster,
    CompleteTheHole: _small_python,
    MinimiseProgram: _small_python,
    RepairTheBug: _repaired,
    RegexForExamples: _expression,
}


def wrong_programs(reference: Reference, rng: Random, number: int) -> Iterator[tuple[str, Wrong]]:
    """So many programs that differ from a reference by a change or two, or some less."""
    seen = {reference.source}
    for _ in range(number):
        text = reference.changed(reference.source, rng, rng.choice((1, 1, 2)))
        wrong = None if text in seen else reference.mutant(text)
        seen.add(text)
        if wrong is not None:
            yield text, wrong


def counted(reference: Reference, rng: Random, number: int) -> Count:
    """What comes of so many mutants of a reference."""
    tally = NOTHING
    for text, wrong in wrong_programs(reference, rng, number):
        shown = next((arguments for arguments in reference.others if wrong(arguments)), None)
        survives = shown is not None and not any(wrong(arguments) for arguments in reference.tests)
        alive = (f"{text}\n# wrong for {shown!r:.300}",) if survives else ()
        tally += Count(1, int(shown is not None), alive)
    return tally


def measured(task_type: type[Task], tasks: int, mutants: int, start: int = 88_000) -> Count:
    """What comes of the mutants of so many tasks of an environment, over all levels."""
    tally = NOTHING
    for seed in range(start, start + tasks):
        knobs = task_type.Knobs.at(seed % task_type.Knobs.levels())
        task = task_type.sample(Random(seed), knobs, held_out=False)
        tally += counted(REFERENCES[task_type](task), Random(f"mutants {seed}"), mutants)
    return tally


def main() -> None:
    """Print a row for each environment, and the sum."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("names", nargs="*")
    reader.add_argument("--tasks", type=int, default=20)
    reader.add_argument("--mutants", type=int, default=40)
    reader.add_argument("--show", action="store_true", help="print the survivors")
    options = reader.parse_args()
    total = NOTHING
    print("| environment | mutants | different | survivors |\n|---|---:|---:|---:|")
    for task_type in REFERENCES:
        name = task_type.__module__.rpartition(".")[2]
        if options.names and name not in options.names:
            continue
        tally = measured(task_type, options.tasks, options.mutants)
        total += tally
        print(f"| {name} | {tally.mutants} | {tally.different} | {len(tally.survivors)} |")
        if options.show:
            print(*tally.survivors, sep="\n\n")
    print(f"| all | {total.mutants} | {total.different} | {len(total.survivors)} |")


if __name__ == "__main__":
    main()
