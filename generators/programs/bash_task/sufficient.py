"""File trees on which wrong scripts fail, so that tests on them are sufficient."""

import re
import string
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random

from palaestra.generators.programs.bash_task.filters import MISSED, Filter
from palaestra.generators.programs.bash_task.operations import DEEDS
from palaestra.generators.programs.bash_task.slips import near
from palaestra.generators.programs.bash_task.tasks import (
    Program,
    Step,
    baited,
    hidden,
    is_free,
    mistakes,
    tested,
)
from palaestra.generators.programs.bash_task.trees import (
    ENDINGS,
    FOLDERS,
    Clash,
    Tree,
    base,
    drawn_files,
    drawn_text,
    parent,
    within,
)
from palaestra.verifiers.programs.bash_task.scripts import Files

MOST = 5
"""The maximum number of additional trees: the sandbox starts a process for each."""

CANDIDATES, ROUNDS = 24, 3
"""The number of candidates of which the tree that reveals the most mistakes is chosen."""


class _Either(Step):
    """A step that takes the files which pass any of its filters."""

    def taken(self, tree: Tree) -> list[tuple[str, str]]:
        files = sorted(tree.files.items())
        return [pair for pair in files if any(each.holds(*pair) for each in self.filters)]


def slips(program: Program) -> list[Program]:
    """Programs with one slip: a filter or a bound that is not quite the right one, files that are
    missed, a deed like the right one, a step left out or two of them exchanged.
    """
    mutants = mistakes(program)
    for n, step in enumerate(program):
        before, after = program[:n], program[n + 1 :]
        mutants += [(*before, wrong, *after) for wrong in slipped(step)]
        mutants += [(*before, *after)] if len(program) > 1 else []
        mutants += [(*before, after[0], step, *after[1:])] if after else []
    return mutants


def slipped(step: Step) -> Iterator[Step]:
    """A step with a slip, apart from those that :func:`mistakes` makes in its filters."""
    for deed in near(step.deed):
        yield step._replace(deed=deed)
    if step.first.isdigit():
        yield from (step._replace(first=str(int(step.first) + way)) for way in (1, -1))
    if len(step.filters) > 1:
        yield _Either(*step)
    for n, each in enumerate(step.filters):
        if each.value.isdigit():
            for way in (1, -1):
                wrong = each._replace(value=str(int(each.value) + way))
                yield step._replace(filters=(*step.filters[:n], wrong, *step.filters[n + 1 :]))
    if step.filters:
        for slip in MISSED:
            yield step._replace(filters=(*step.filters, Filter(f"missed {slip}")))


def works(program: Program, files: Files) -> bool:
    """Whether every step is possible and applies to at least one file."""
    tree = Tree(files)
    try:
        return all(step.apply(tree) or not step.filters for step in program)
    except Clash:
        return False


@lru_cache(maxsize=64)
def sufficient(
    program: Program, seed: int, trees: int, number: int, oddity: int
) -> tuple[Files, ...]:
    """The same as :func:`tested`, and a few more, each the one of some that shows most of the slips
    that none before it shows.
    """
    shown = [*tested(program, seed, trees, number, oddity)]
    left = slips(program)
    for files in shown:
        left = hidden(left, program, files)
    rng, room = Random(f"{seed} more"), MOST
    for _ in range(ROUNDS):
        choice = [_searched(rng, program, number, oddity, n) for n in range(CANDIDATES)]
        more, left = _telling(program, choice, left, room)
        shown += more
        room -= len(more)
        if not left or not room:
            break
    return tuple(shown)


def _telling(
    program: Program, choice: Sequence[Files], left: list[Program], most: int
) -> tuple[list[Files], list[Program]]:
    """So many trees of some, each the one that shows most slips that those before it do not show;
    and the slips that none of them shows.
    """
    sound = [files for files in choice if works(program, files)]
    rows = [(files, {*map(id, hidden(left, program, files))}) for files in sound]
    trees: list[Files] = []
    while rows and len(trees) < most:
        unseen = {*map(id, left)}
        files, passed = min(rows, key=lambda row: len(row[1] & unseen))
        if passed >= unseen:
            break
        trees.append(files)
        left = [slip for slip in left if id(slip) in passed]
    return trees, left


def _searched(rng: Random, program: Program, number: int, oddity: int, turn: int) -> Files:
    """A tree with near misses of the filters, and with such files as scripts miss."""
    files = baited(rng, drawn_files(rng, number + rng.randint(2, 12), oddity), program, turn)
    return _odder(rng, files, program, oddity)


def _odder(rng: Random, files: Files, program: Program, oddity: int) -> Files:
    """For each step, some of the files that it is to take under a name, in a directory or with a
    text such that a script may miss them; the filters still let them pass.
    """
    for step in program:
        other = _odder_for(rng, files, step, ODD[min(oddity, 1)])
        files = other if works(program, other) else files
    return files


def _odder_for(rng: Random, files: Files, step: Step, odd: Sequence[str]) -> Files:
    changed = dict(files)
    pool = step.taken(Tree(files))
    for way in rng.sample(WAYS * 2, rng.randint(2, 2 * len(WAYS)) if pool else 0):
        n, another = rng.randrange(len(pool)), rng.choice(pool)
        path, text = pool[n]
        if way is _emptied and ending(another[0]) == ending(path):
            text = rng.choice((text, another[1]))
        there, new = way(rng, path, text, odd)
        passes = all(each.holds(there, new) for each in step.filters)
        if passes and (there == path or is_free(there, changed)):
            del changed[path]
            changed[there] = new
            pool[n] = there, new
    return tuple(sorted(changed.items()))


def ending(path: str) -> str:
    """The extension of a path."""
    return path.rpartition(".")[2]


ODD = ("_B.x1", "1_b.C.d"), ("  B's [1]", " & (C)  d", "*_E.f g")
"""What is put into plain names and into names of any signs."""

Way = Callable[[Random, str, str, Sequence[str]], tuple[str, str]]


def _marked(rng: Random, path: str, text: str, odd: Sequence[str]) -> tuple[str, str]:
    name = base(path)
    stem, dot, ending = name[1:].rpartition(".")
    return within(parent(path), f"{name[:1]}{stem}{rng.choice(odd)}{dot}{ending}"), text


def _led(rng: Random, path: str, text: str, odd: Sequence[str]) -> tuple[str, str]:
    lead = rng.choice((".", "-", "-", "A", "0") if odd == ODD[1] else ("A", "0"))
    return within(parent(path), lead + base(path)), text


def _laid(rng: Random, path: str, text: str, odd: Sequence[str]) -> tuple[str, str]:
    folders = rng.choices(FOLDERS, k=rng.choice((0, 0, 1, 2, 3)))
    return "/".join([*folders, base(path)]), text


def _emptied(rng: Random, path: str, text: str, odd: Sequence[str]) -> tuple[str, str]:
    return path, rng.choice(("", text, text * 2))


_LETTERS = re.compile(r"[A-Za-z]+")


def _reworded(rng: Random, path: str, text: str, odd: Sequence[str]) -> tuple[str, str]:
    """Some words with other capitals, longer, or twice; the columns are as many as before."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        if rng.random() < 0.6:
            return word
        return rng.choice((word.title(), word.swapcase(), f"{word}s", f"{word}_{word}", word * 2))

    return path, _LETTERS.sub(other, text)


WAYS: tuple[Way, ...] = (
    _marked,
    _marked,
    _led,
    _led,
    _laid,
    _laid,
    _emptied,
    _emptied,
    _reworded,
    _reworded,
)


# ------------------------------------------------------------------------------- a second opinion

SIGNS = "._", "._ -(*'&["
"""What names hold beside letters and digits, plain ones and those of any signs."""


def others(program: Program, seed: int, number: int, oddity: int) -> list[Files]:
    """Trees for a second opinion on which the program works: other names, and deeper."""
    rng = Random(f"others {seed}")
    candidates = (other_files(rng, program, oddity) for _ in range(number))
    return [files for files in candidates if works(program, files)]


def other_files(rng: Random, program: Program, oddity: int) -> Files:
    """Files with names of any signs, anywhere; some of them such as filters of the program ask."""
    contents: dict[str, str] = {}
    names: set[str] = set()
    for _ in range(rng.randint(4, 25)):
        ending = rng.choice(ENDINGS)
        name = _name(rng, oddity) + ending
        if name.lower() not in names:
            names.add(name.lower())
            folder = ""
            for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
                folder = within(folder, rng.choice(FOLDERS))
            contents[within(folder, name)] = drawn_text(rng, ending)
    files = tuple(sorted(contents.items()))
    return baited(rng, files, program, rng.randrange(12)) if rng.random() < 0.7 else files


def _name(rng: Random, oddity: int) -> str:
    letters = string.ascii_lowercase[:18] * 2 + string.ascii_uppercase + string.digits
    marks = SIGNS[min(oddity, 1)] * 3
    first = rng.choice(letters + (".-" if oddity else ""))
    return first + "".join(rng.choices(letters + marks, k=rng.randint(1, 8)))


assert all(near(deed) for deed in DEEDS if deed not in {"folder", "csv add"})
