"""Faults that stop the build of a project, or make it differ from its documentation."""

from collections.abc import Callable, Mapping
from random import Random

from palaestra.generators.tools.failing_build.project import Files, Project, Step

Fault = Callable[[Random, Project], tuple[Project, Files] | None]
"""Changes steps and files of a project; nothing where it cannot."""


def _step(project: Project, old: Step, new: Step) -> Project:
    return project._replace(steps=tuple(new if step is old else step for step in project.steps))


def wrong_path(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """An input or a script that does not exist."""
    steps = [step for step in project.steps if step.run == "tools/extract.py"]
    step = rng.choice(steps)
    if rng.random() < 0.5:
        name = step.inputs[0].removeprefix("data/")
        wrong = rng.choice([f"data/{name[:-5]}.csv", f"tables/{name}", f"data/{name}".upper()])
        return _step(project, step, step._replace(inputs=(wrong,))), {}
    wrong = rng.choice(["tool/extract.py", "tools/extracts.py", "src/extract.py"])
    return _step(project, step, step._replace(run=wrong)), {}


def wrong_flag(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """A flag that the script does not have, or a value that it does not take."""
    step = rng.choice([step for step in project.steps if step.run.startswith("tools/")])
    if "title" in step.flags:
        flags = step.flags.replace("--title", rng.choice(["--name", "--heading"]))
    else:
        _, column, _, least = step.flags.split()
        flags = rng.choice([
            f"--columns {column} --at-least {least}",
            f"--column {column} --minimum {least}",
            f"--column {column} --at-least {column}",
            f"--column {column}s --at-least {least}",
        ])  # fmt: skip
    return _step(project, step, step._replace(flags=flags)), {}


def wrong_version(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """A version that is not the one in VERSION."""
    major, minor, patch = project.version.split(".")
    other = f"{major}.{minor}.{int(patch) + rng.randint(1, 3)}"
    if rng.random() < 0.5 and f"version = {project.version}" in project.configuration():
        return project._replace(version=other), {}
    path = f"src/{project.package}/__init__.py"
    version = project.files["VERSION"].strip()
    return project, {path: project.files[path].replace(version, other)}


def missing_import(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """A module without an import that it needs."""
    lines = [
        (path, line)
        for path, text in sorted(project.files.items())
        for line in text.splitlines()
        if path.startswith("src/") and line.startswith("from ") and "lines" not in line
    ]
    path, line = rng.choice(lines)
    return project, {path: project.files[path].replace(f"{line}\n", "", 1)}


def circular_import(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """Two modules that import each other when they are loaded."""
    path = f"src/{project.package}/settings.py"
    line = f"from {project.package}.clip import clip"
    text = project.files[path]
    if f"    {line}\n\n" not in text:
        return None
    text = text.replace(f"    {line}\n\n", "", 1)
    return project, {path: text.replace("\n\nLIMIT", f"\n\n{line}\n\nLIMIT", 1)}


def missing_need(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """A step that does not name another whose output it reads, and that would run before it."""
    steps = [step for step in project.steps if step.needs]
    rng.shuffle(steps)
    for step in steps:
        lost = rng.choice(step.needs)
        other = step._replace(needs=tuple(need for need in step.needs if need != lost))
        changed = _step(project, step, other)
        order = [other, *(each for each in changed.steps if each is not other)]
        changed = changed._replace(steps=tuple(order))
        names = [each.name for each in in_order(changed.steps)]
        if names.index(other.name) < names.index(lost):
            return changed, {}
    return None


def in_order(steps: tuple[Step, ...]) -> list[Step]:
    """The steps in the order in which the build runs them."""
    left, order = list(steps), list[Step]()
    while left:
        done = {step.name for step in order}
        step = next(step for step in left if done.issuperset(step.needs))
        order.append(step)
        left.remove(step)
    return order


def bad_data(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """A table with another separator in a row, or with a second row of a name."""
    step = rng.choice([step for step in project.steps if step.run == "tools/extract.py"])
    path = next((path for path in step.inputs if path in project.files), None)
    if path is None:
        return None
    lines = project.files[path].splitlines()
    if any(";" in line for line in lines) or len({line.split(",")[0] for line in lines}) < len(
        lines
    ):
        return None
    number = rng.randrange(1, len(lines))
    if rng.random() < 0.5:
        lines[number] = lines[number].replace(",", ";")
    else:
        name, *values = lines[number].split(",")
        row = ",".join([name, *(str(rng.randint(41, 99)) for _ in values)])
        lines.insert(rng.randint(number + 1, len(lines)), row)
    return project, {path: "\n".join(lines) + "\n"}


def drift(rng: Random, project: Project) -> tuple[Project, Files] | None:
    """A limit in the configuration that is not the documented one; the build succeeds."""
    steps = [step for step in project.steps if step.flags.startswith("--column ")]
    steps = [step for step in steps if step.flags.split()[2] == "--at-least"]
    if not steps:
        return None
    step = rng.choice(steps)
    *start, least = step.flags.split()
    if not least.isdecimal() or f"{least} " in step.flags:
        return None
    flags = " ".join([*start, str(int(least) + rng.choice([-4, -2, 25, 30]))])
    return _step(project, step, step._replace(flags=flags)), {}


FAULTS: Mapping[str, tuple[int, Fault]] = {
    "path": (0, wrong_path),
    "flag": (0, wrong_flag),
    "version": (0, wrong_version),
    "import": (0, missing_import),
    "circle": (1, circular_import),
    "need": (1, missing_need),
    "data": (1, bad_data),
    "drift": (2, drift),
}
"""The faults by name, each from a tier on."""


def most_faults(tier: int) -> int:
    """How many types of faults there are up to a tier, of which a project has one each."""
    return sum(least <= tier for least, _ in FAULTS.values())


def broken(rng: Random, project: Project, number: int, tier: int) -> tuple[list[str], Project]:
    """The names of some faults of different types, and the project with them."""
    names = [name for name, (least, _) in FAULTS.items() if least <= tier]
    rng.shuffle(names)
    chosen: list[str] = []
    for name in names:
        if len(chosen) == number:
            break
        result = FAULTS[name][1](rng, project)
        if result is not None and result[0].whole() | result[1] != project.whole():
            project = result[0]._replace(files={**result[0].files, **result[1]})
            chosen.append(name)
    return chosen, project
