"""Random repositories, and calls that test them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.programs.mini_repository.calls import called, entries
from palaestra.generators.programs.mini_repository.parts import PARTS
from palaestra.generators.programs.mini_repository.repositories import (
    Called,
    Constants,
    Running,
    Slip,
    constants,
    functions,
    line_of,
    needs,
    slips,
    source,
)

Telling = Literal["functions", "entries"]
"""Whether all functions are tested, or only those of modules that no other module imports."""

Place = tuple[str, str]
"""A module and a function of it."""

KILLERS = 4
"""So many hidden calls are looked for that show a slip."""

FEW, MANY = 25, 300
"""How often each function is tried when it is to show a slip: in the visible tests, where a slip
that is hard to show is not taken, and in the hidden ones.
"""


class Trial(NamedTuple):
    """A call and its result in a repository without slips."""

    call: Called
    wanted: Any


class Repository(NamedTuple):
    """Modules, the values of their constants, and their slips."""

    modules: tuple[str, ...]
    constants: Constants
    slips: tuple[Slip, ...]

    def files(self) -> dict[str, str]:
        """The texts of the modules, by the names of their files."""
        return {f"{m}.py": source(m, self.constants, self.slips) for m in self.modules}

    def running(self, slipped: Sequence[Slip]) -> Running:
        """The running modules, with some slips."""
        return Running(self.modules, self.constants, slipped)

    def tested(self, telling: Telling) -> list[Place]:
        """The modules and functions that tests are about."""
        imported = {name for module in self.modules for name in needs(module)[:-1]}
        chosen = [m for m in self.modules if telling != "entries" or m not in imported]
        return [(module, name) for module in chosen for name in entries(module)]


def killers(
    repository: Repository, slip: Slip, about: Sequence[Place], rng: Random, tries: int
) -> Iterator[Trial]:
    """Trials that show a slip, of some functions, each of which is tried so often."""
    right, wrong = repository.running(()), repository.running([slip])
    near = [function for function in about if slip.module in needs(function[0])]
    for function in near * tries:
        call = called(*function, rng)
        wanted = right.result(call)
        if wrong.result(call) != wanted:
            yield Trial(call, wanted)


@lru_cache(maxsize=64)
def visible(repository: Repository, telling: Telling, each: int, seed: int) -> tuple[Trial, ...]:
    """The trials that the tests of a repository make: some of each function, and for each slip one
    that shows it. There are none where some slip does not show.
    """
    rng = Random(f"{seed} visible")
    about = repository.tested(telling)
    shown = [
        list(islice(killers(repository, slip, about, rng, FEW), 1)) for slip in repository.slips
    ]
    if not all(shown):
        return ()
    right = repository.running(())
    calls = [called(module, name, rng) for module, name in about for _ in range(each)]
    return in_order([*(Trial(call, right.result(call)) for call in calls), *chain(*shown)])


@lru_cache(maxsize=64)
def hidden(repository: Repository, seed: int, each: int = 3) -> tuple[Trial, ...]:
    """Trials of all functions, among them several that show each slip in its own module. There are
    none where some slip does not show.
    """
    rng = Random(f"{seed} hidden")
    about = repository.tested("functions")
    shown = []
    for slip in repository.slips:
        own = [function for function in about if function[0] == slip.module]
        shown.append(list(islice(killers(repository, slip, own, rng, MANY), KILLERS)))
    if not all(shown):
        return ()
    right = repository.running(())
    calls = [called(module, name, rng) for module, name in about for _ in range(each)]
    return in_order([*(Trial(call, right.result(call)) for call in calls), *chain(*shown)])


def in_order(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """Different trials, in the order in which their functions stand in the modules."""
    different = {trial.call.module + trial.call.shown(): trial for trial in trials}
    order = list(PARTS)
    rank = {
        f"{module}.{name}": (order.index(module), n)
        for module in order
        for n, name in enumerate(functions(module))
    }
    return tuple(
        sorted(different.values(), key=lambda t: rank[f"{t.call.module}.{t.call.function}"])
    )


def named(trials: Sequence[Trial]) -> list[tuple[str, str, Trial]]:
    """Trials with the file that holds them as tests, and their names there."""
    names, counts = [], Counter[str]()
    for trial in trials:
        name = trial.call.function
        counts[f"{trial.call.module}.{name}"] += 1
        number = counts[f"{trial.call.module}.{name}"]
        names.append((f"test_{trial.call.module}.py", f"test_{name}_{number}", trial))
    return names


def files_of_tests(trials: Sequence[Trial]) -> dict[str, str]:
    """The trials as files of tests."""
    files: dict[str, str] = {}
    for file, name, trial in named(trials):
        module = trial.call.module
        head = f"from {module} import {', '.join(entries(module))}\n"
        body = f"    assert {trial.call.shown()} == {trial.wanted!r}\n"
        files[file] = files.get(file, head) + f"\n\ndef {name}():\n{body}"
    return files


def start(repository: Repository, trials: Sequence[Trial]) -> int:
    """The number of trials that the unrepaired repository passes."""
    running = repository.running(repository.slips)
    return sum(running.result(trial.call) == trial.wanted for trial in trials)


def random_repository(
    rng: Random, modules: int, number: int, telling: Telling
) -> Repository | None:
    """A repository with ``number`` slips in as many functions, which the visible tests reveal;
    ``None`` after too many attempts.
    """
    names = drawn_modules(rng, modules)
    clean = Repository(names, drawn_constants(rng, names), ())
    imported = [m for m in names if any(m in needs(other)[:-1] for other in names)]
    about = clean.tested(telling)
    chosen_slips: list[Slip] = []
    for _ in range(6 * number):
        # What others import is the better place for a slip: it shows elsewhere.
        module = rng.choice(imported if imported and rng.random() < 0.6 else names)
        slip = rng.choice(slips(module))
        places = {line_of(other) for other in chosen_slips if other.module == module}
        if any(abs(line_of(slip) - line) < 6 for line in places):
            continue
        if any(killers(clean, slip, about, rng, FEW)):
            chosen_slips.append(slip)
        if len(chosen_slips) == number:
            return Repository(names, clean.constants, tuple(sorted(chosen_slips)))
    return None


def drawn_modules(rng: Random, number: int) -> tuple[str, ...]:
    """So many modules, or one more, with all that they import; in the order of the parts."""
    names = list(PARTS)
    while True:
        modules: dict[str, None] = {}
        while len(modules) < number:
            modules.update(dict.fromkeys(needs(rng.choice(names))))
        if len(modules) <= number + 1:
            return tuple(name for name in names if name in modules)


def drawn_constants(rng: Random, modules: Sequence[str]) -> Constants:
    """A value for each constant."""
    return tuple(
        (f"{module}.{name}", rng.choice(values))
        for module in modules
        for name, values in constants(module).items()
    )
