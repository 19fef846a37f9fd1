"""The commands about tasks from commits: build, prompt, score."""

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from palaestra.cli import terminal
from palaestra.cli.commands import Application

commits = Application(help="Turn the commits of a git repository into tasks, and score patches.")

Tasks = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="File of tasks.")]

Where = Annotated[
    Path | None,
    typer.Option(help="The repository, where it is no longer at the path in the tasks."),
]


@commits.command()
def build(
    path: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="A repository.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File of tasks, as JSON lines.")],
    commits: Annotated[
        int, typer.Option(min=1, help="How many commits to try, newest first.")
    ] = 100,
    tasks: Annotated[int, typer.Option(min=1, help="Stop after so many tasks.")] = 1_000,
    start: Annotated[str, typer.Option(help="Begin with this commit or branch.")] = "HEAD",
    package: Annotated[
        list[str] | None, typer.Option(help="An installed package that the tests need.")
    ] = None,
    detect: Annotated[
        bool, typer.Option(help="Find the installed packages that the repository imports.")
    ] = True,
    pytest: Annotated[bool, typer.Option(help="Run the tests by pytest.")] = True,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of pytest, such as --noconftest.")
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option(help="A folder that modules are imported from.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="A folder that is left out of the tree.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each tree is tested.")] = 3,
    related: Annotated[
        int, typer.Option(min=0, help="How many other files of tests are run as well.")
    ] = 0,
    cpu_s: Annotated[float, typer.Option(help="Limit on a run, in seconds of a processor.")] = 60.0,
    memory_mb: Annotated[int, typer.Option(help="Limit on a run, in megabytes.")] = 2_048,
) -> None:
    """Build tasks from commits that change source and tests, and say why others give none."""
    from palaestra.verifiers.commits import Builder, History, Settings, needed
    from palaestra.verifiers.commits.running import with_pytest

    history, defaults = History(path), Settings()
    paths = tuple(source) if source else defaults.paths
    packages = [*(with_pytest() if pytest else ()), *(package or ())]
    if detect:
        tree = history.tree(start, without or ())
        packages += [name for name in needed(tree, paths) if pytest or name not in with_pytest()]
    settings = Settings(
        packages=tuple(dict.fromkeys(packages)),
        options=(*defaults.options, *(option or ())),
        paths=paths,
        without=tuple(without or ()),
        cpu_s=cpu_s,
        memory_mb=memory_mb,
    )
    builder = Builder(history, settings, repeats=repeats, related=related)

    def note(commit: Any, why: str) -> None:
        terminal.err.print(f"{commit.name[:12]} {why or 'a task'}")

    with out.open("w", encoding="utf-8") as file:
        for task in islice(builder.tasks(history.commits(commits, start), note), tasks):
            file.write(json.dumps(task.as_json(), ensure_ascii=False) + "\n")
            file.flush()
    print(builder.report)


@commits.command()
def prompt(
    tasks: Tasks,
    name: Annotated[str, typer.Argument(help="The id of a task.")],
    repository: Where = None,
    show: Annotated[bool, typer.Option(help="Show the files that the commit changed.")] = True,
) -> None:
    """Print the prompt of a task."""
    from palaestra.verifiers.commits import History, read_tasks

    task = {each.name: each for each in read_tasks(tasks)}[name]
    print(task.prompt(History(repository or Path(task.repository)), show))


@commits.command()
def score(tasks: Tasks, repository: Where = None) -> None:
    """Score JSON lines of {"id", "reply"} from stdin; prints one line for each.

    A line that cannot be scored gives a line with its error, and the exit code is 1.
    """
    from palaestra.verifiers.commits import read_tasks

    known = {task.name: task for task in read_tasks(tasks)}
    if sys.stdin.isatty():
        terminal.note(
            'waiting for lines such as {"id": "…", "reply": "…"} on standard input; '
            "Ctrl+D ends them"
        )
    failed = False
    for line in sys.stdin:
        if line.strip():
            result = _scored(line, known, repository)
            failed |= result["value"] is None
            print(json.dumps(result, ensure_ascii=False), flush=True)
    if failed:
        raise typer.Exit(1)


def _scored(line: str, known: dict[str, Any], repository: Path | None) -> dict[str, Any]:
    from palaestra.task import JudgeError
    from palaestra.verifiers.commits import History
    from palaestra.verifiers.commits.running import SuiteRunner

    try:
        wish = json.loads(line)
        task, reply = known[wish["id"]], str(wish["reply"])
        with SuiteRunner(task.settings) as runner:
            done = task.score(reply, History(repository or Path(task.repository)), runner)
    except (ValueError, KeyError, TypeError, RecursionError, JudgeError) as error:
        return {"id": None, "value": None, "status": "infra_error", "reason": str(error)[:300]}
    result = {"id": task.name, "value": done.value, "correct": done.correct}
    return result | {"status": done.status, "reason": done.reason, "parts": dict(done.parts)}
