"""Programs of steps on file trees: in English, in Python, and as a script.

Each step applies one operation to the files that pass its filters. The Python implementation
defines the expected result; the script is an equivalent reference solution.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import NamedTuple

from palaestra.generators.programs.bash_task.filters import CRITERIA, Filter
from palaestra.generators.programs.bash_task.operations import (
    DEEDS,
    EACH,
    EDITS,
    MOVES,
    NAMES,
    OTHERS,
    REPORTS,
    Edit,
    Lines,
    Move,
    Other,
    Report,
)
from palaestra.generators.programs.bash_task.slips import WRONG
from palaestra.generators.programs.bash_task.trees import (
    Clash,
    Tree,
    above,
    drawn_files,
)
from palaestra.verifiers.programs.bash_task.scripts import Files, State


class Step(NamedTuple):
    """One step: an operation, the filters of its files, and two arguments."""

    deed: str
    filters: tuple[Filter, ...] = ()
    first: str = ""
    second: str = ""

    def as_text(self) -> str:
        """The step in words."""
        what = self._filled(DEEDS[self.deed].text)
        if self.deed in OTHERS and OTHERS[self.deed].whole:
            return what
        which = " and ".join(each.as_text() for each in self.filters) or "there is"
        if self.deed in REPORTS:
            return f"Take every file {which}. Write the file '{self.second}' {what}."
        return f"Take every file {which}; {what}."

    def apply(self, tree: Tree) -> int:
        """Apply the step to a tree and return the number of files that it applied to.

        Raises :class:`Clash` if the step is impossible.
        """
        files = self.taken(tree)
        row = DEEDS.get(self.deed) or WRONG[self.deed]
        if isinstance(row, Edit):
            for path, text in files:
                lines = row.python(text.splitlines(), self.first, self.second)
                tree.files[path] = _joined(lines)
        elif isinstance(row, Move):
            _move(tree, files, row, self.first)
        elif isinstance(row, Report):
            if not files:
                raise Clash("a report on no file")
            tree.put(self.second, _joined(row.python(files, self.first)))
        else:
            row.python(tree, [path for path, _ in files], self.first)
        return len(files)

    def taken(self, tree: Tree) -> list[tuple[str, str]]:
        """The files that the step applies to, in the order of their paths."""
        files = sorted(tree.files.items())
        for each in self.filters:
            files = each.passing(files)
        return files

    def is_plain(self, tree: Tree) -> bool:
        """Whether it takes one file at the most, or would take the same ones with a filter less, or
        could as well report on the first or the last of them.
        """
        files = self.taken(tree)
        fewer = (
            self._replace(filters=self.filters[:n] + self.filters[n + 1 :])
            for n in range(len(self.filters))
        )
        if self.filters and (len(files) < 2 or any(each.taken(tree) == files for each in fewer)):
            return True
        if self.deed not in REPORTS or not files:
            return False
        report = REPORTS[self.deed].python
        whole = report(files, self.first)
        return whole in (report(files[:1], self.first), report(files[-1:], self.first))

    def bash(self) -> list[str]:
        """The step as lines of a script."""
        body = self._filled(DEEDS[self.deed].bash)
        # What starts a process comes after what does not, and last what starts one for all files.
        order = sorted(self.filters, key=lambda one: ("-exec" in one.find(), "-Z" in one.prints()))
        finds = [*(one.find() for one in order[:-1]), *(one.prints() for one in order[-1:])]
        select = f"find . -type f {' '.join(finds or ['-print0'])} | sort -z > /tmp/files"
        if self.deed in EDITS and body.startswith("sed"):
            return [select, f"xargs -0 -r sed -i {body[4:]} < /tmp/files"]
        if self.deed in EDITS:
            edit = f'{body} < "$f" > /tmp/new && cat /tmp/new > "$f"'
            return [select, EACH.format(edit)]
        if self.deed in MOVES:
            verb = "cp" if MOVES[self.deed].copies else "mv"
            make = '[ -d "${to%/*}" ] || mkdir -p "${to%/*}"'
            goto = f'to="{body}"; {make}; [ "$f" = "$to" ] || {verb} "$f" "$to"'
            return [select, EACH.format(f"dir=${{f%/*}}; name=${{f##*/}}; {goto}")]
        if self.deed in REPORTS:
            reach = [f"mkdir -p '{self.second.rpartition('/')[0]}'"] if "/" in self.second else []
            return [select, f"{{ {body}; }} > /tmp/new", *reach, f"mv /tmp/new '{self.second}'"]
        return [body] if OTHERS[self.deed].whole else [select, body]

    def _filled(self, text: str) -> str:
        one, _, other = self.first.partition(" ")
        for sign, word in (("a", self.first), ("b", self.second), ("one", one), ("other", other)):
            text = text.replace(f"{{{sign}}}", word)
        return text


Program = tuple[Step, ...]


def _joined(lines: Lines) -> str:
    return "".join(f"{line}\n" for line in lines)


def _move(tree: Tree, files: Sequence[tuple[str, str]], move: Move, word: str) -> None:
    for path, text in files:
        to = move.python(path, text, word)
        if move.copies:
            tree.put(to, text)
        elif to != path:
            tree.move(path, to)


# --------------------------------------------------------------------------------------- drawing


@lru_cache(maxsize=8)
def _laid(files: Files) -> Tree:
    """The tree of some files, to be copied."""
    return Tree(files)


def after(program: Sequence[Step], files: Files) -> State:
    """The tree after all steps. Raises :class:`Clash` if a step is impossible."""
    tree = _laid(files).copy()
    for step in program:
        step.apply(tree)
    return tree.state()


def random_program(
    rng: Random, files: Files, steps: int, filters: int, tier: int
) -> Program | None:
    """A program whose steps all change the tree, or ``None`` after too many attempts."""
    program: list[Step] = []
    tree = _laid(files).copy()
    for _ in range(25 * steps):
        step = random_step(rng, filters, tier)
        if step.deed in {each.deed for each in program}:
            continue
        tried = tree.copy()
        if changes(step, tried):
            program.append(step)
            tree = tried
        if len(program) == steps:
            return tuple(program) if tree.files and matters(tuple(program), files) else None
    return None


def random_step(rng: Random, filters: int, tier: int) -> Step:
    """A random step, which may be impossible."""
    deed = rng.choice([name for name, row in DEEDS.items() if row.tier <= tier])
    row = DEEDS[deed]
    second = rng.choice(NAMES) if isinstance(row, Report) else ""
    if isinstance(row, Edit):
        second = rng.choice(row.second)
    if isinstance(row, Other) and row.whole:
        return Step(deed, (), rng.choice(row.first))
    ending = "" if isinstance(row, Move) else row.ending
    chosen = [Filter("suffix", ending)] if ending else []
    while len(chosen) < max(1, rng.randint(1, filters)):
        criterion = rng.choice(
            [name for name, criterion in CRITERIA.items() if criterion.tier <= tier]
        )
        if criterion not in {each.criterion for each in chosen}:
            chosen.append(Filter(criterion, rng.choice(CRITERIA[criterion].values)))
    return Step(deed, tuple(sorted(chosen)), rng.choice(row.first), second)


def changes(step: Step, tree: Tree) -> bool:
    """Whether a step is possible, applies to some but not all files, and changes the tree."""
    before, number = tree.state(), len(tree.files)
    try:
        taken = step.apply(tree)
    except Clash:
        return False
    if step.filters and not 0 < taken < number:
        return False
    if step.deed in REPORTS and not 0 < len(tree.files[step.second]) < 1_000:
        return False
    return tree.state() != before


def matters(program: Program, files: Files) -> bool:
    """Whether omitting any step, or exchanging two, changes the result."""
    whole = after(program, files)
    without = [program[:n] + program[n + 1 :] for n in range(len(program))]
    turned = [
        (*program[:n], program[n + 1], program[n], *program[n + 2 :])
        for n in range(len(program) - 1)
    ]
    return not any(gives(other, files, whole) for other in without) and (
        not turned or not all(gives(other, files, whole) for other in turned)
    )


def gives(program: Program, files: Files, state: State) -> bool:
    """Whether a program, which may be wrong, turns the files into this tree."""
    return _turns_into(program, _laid(files), state)


def _turns_into(steps: Sequence[Step], start: Tree, state: State) -> bool:
    tree = start.copy()
    try:
        for step in steps:
            step.apply(tree)
    except (ValueError, LookupError):  # a wrong one may look for words where there are none
        return False
    return tree.state() == state


def alive(program: Program, files: Files) -> bool:
    """Whether every step is possible, applies to enough files, and changes the tree."""
    try:
        tree = _laid(files).copy()
        for step in program:
            before = tree.state()
            if step.is_plain(tree):
                return False
            step.apply(tree)
            if tree.state() == before:
                return False
    except Clash:
        return False
    return True


TRIES, BAITS = 15, 2
"""How many trees are tried for one on which all steps have something to do, and in how many ways
each of them gets its near misses.
"""

CHOICE = 5
"""The number of candidates for one tree."""


@lru_cache(maxsize=64)
def tested(program: Program, seed: int, trees: int, number: int, oddity: int) -> tuple[Files, ...]:
    """Other trees on which each step applies to files, with near misses of its filters.

    Each is the one of a few that shows most of the mistakes that those before it do not show. There
    are fewer where such are rare.
    """
    chosen_trees: list[Files] = []
    left = mistakes(program)
    for n in range(trees):
        rng = Random(f"{seed} {n}")
        plain = (drawn_files(rng, number, oddity) for _ in range(TRIES))
        tried = (baited(rng, files, program, n) for files in plain for _ in range(BAITS))
        sound = (files for files in tried if alive(program, files))
        rows = _until_none_is_left((files, hidden(left, program, files)) for files in sound)
        if not rows:
            break
        files, left = min(rows, key=lambda row: len(row[1]))
        chosen_trees.append(files)
    return tuple(chosen_trees)


def _until_none_is_left(
    rows: Iterable[tuple[Files, list[Program]]],
) -> list[tuple[Files, list[Program]]]:
    """A few of some rows, up to the first one that leaves nothing."""
    trees = []
    for row in islice(rows, CHOICE):
        trees.append(row)
        if not row[1]:
            break
    return trees


def hidden(others: Iterable[Program], program: Program, files: Files) -> list[Program]:
    """Those of some programs that do the same as another one on this tree.

    Raises :class:`Clash` if a step of the other one is impossible.
    """
    trees = [_laid(files)]
    for step in program:
        trees.append(trees[-1].copy())
        step.apply(trees[-1])
    wanted = trees[-1].state()
    return [other for other in others if _gives_from(other, program, trees, wanted)]


def _gives_from(other: Program, program: Program, trees: Sequence[Tree], wanted: State) -> bool:
    """Whether a program gives the same tree as another one, whose trees after each step are known,
    so that only the steps from the first different one on are applied.
    """
    same = 0
    # Steps of another class may be equal as tuples, and take other files.
    for one, step in zip(other, program):
        if one != step or type(one) is not type(step):
            break
        same += 1
    return _turns_into(other[same:], trees[same], wanted)


def mistakes(program: Program) -> list[Program]:
    """The programs with a mistaken reading of one filter."""
    return [
        (
            *program[:n],
            step._replace(filters=(*step.filters[:m], wrong, *step.filters[m + 1 :])),
            *program[n + 1 :],
        )
        for n, step in enumerate(program)
        for m, each in enumerate(step.filters)
        for wrong in each.mistaken()
    ]


def baited(rng: Random, files: Files, program: Program, turn: int) -> Files:
    """A tree in which a few files only just pass each filter, or only just do not.

    They are among those that pass the other filters of the step. In the next ``turn``, other ways
    to do so have theirs.
    """
    changed = dict(files)
    pairs = [(step, one) for step in program for one in step.filters]
    each = max(2, 6 // max(1, len(pairs)))
    for step, one in pairs:
        others = [other for other in step.filters if other != one]
        pool = [pair for pair in changed.items() if all(other.holds(*pair) for other in others)]
        n = turn * each
        for path, text in rng.sample(pool, len(pool)):
            there, new = CRITERIA[one.criterion].bait(n, path, text, one.value)
            free = there == path or is_free(there, changed)
            if free and all(other.holds(there, new) for other in others):
                del changed[path]
                changed[there] = new
                n += 1
            if n == (turn + 1) * each:
                break
    return tuple(sorted(changed.items()))


def is_free(path: str, files: Mapping[str, str]) -> bool:
    """Whether a file may be created at a path: neither the path nor a file above it exists."""
    if any(other.startswith(f"{path}/") for other in files):
        return False
    return not any(each in files for each in (path, *above(path)))


def script(program: Program) -> str:
    """The reference script."""
    body = [line for step in program for line in step.bash()]
    return "\n".join(["export LC_ALL=C", *body])
