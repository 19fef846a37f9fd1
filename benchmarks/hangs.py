"""What programs that hang cost a step: batches of replies with and without some of them.

Replies to environments whose replies are programs are judged as the trainer's players do it, in
some threads, and as the service does it, in worker processes: first perfect ones alone, then with a
share of them in which a loop never ends, or that sleep, allocate, print, fork or use up nearly all
their time in each test. Told are the wall and processor time of both batches and their ratios.

    python benchmarks/hangs.py [--envs NAME,...] [--hangs NAME,...] [--replies 512] [--judges 2]
                               [--share 0.05] [--service]

With ``--mutants`` loops of perfect programs are spoiled in all ways that leave out a step or turn a
comparison around, and it is told of how many that ran out of time this was proved before.
"""

import argparse
import ast
import asyncio
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import Any

from palaestra import Address
from palaestra.episode import TAGS, Episode
from palaestra.server.judging import Judge
from palaestra.server.structs import ScoreRequest
from palaestra.task import JudgeError, Task
from palaestra.verifiers.programs.judging import unfenced
from palaestra.verifiers.sandbox import Limits, sandbox
from palaestra.verifiers.sandbox.slots import Run

ENVS = {
    "calls": "programs/function_from_specification",
    "interpreters": "programs/small_interpreter",
    "classes": "programs/class_from_specification",
    "repairs": "programs/repair_the_bug",
    "output": "programs/stdin_story",
    "scripts": "programs/bash_task",
}
HANGS = {
    "loop": "while True:\n    pass",
    "stuck": "_i, _n = 0, 10\nwhile _i < _n:\n    _x = _i + 1",
    "counting": "_i = 0\nwhile True:\n    _i += 1",
    "growing": "_i = 0\nwhile _i >= 0:\n    _i += 1",
    "sleeping": "import time\nwhile True:\n    time.sleep(60)",
    "allocating": "_a = []\nwhile True:\n    _a.append(0)",
    "printing": "while True:\n    print('on and on')",
    "forking": "import os\nwhile True:\n    os.fork()",
    "slow": "import time\n_t = time.process_time() + 0.09\n"
    "while time.process_time() < _t:\n    pass",
}
SCRIPTS = {
    "loop": "while :; do :; done > looped",
    "sleeping": "sleep 1000 > slept",
    "printing": "while :; do echo on and on; done | tee printed",
    "forking": "while :; do sleep 1 & done > forked",
}
LEVEL = 1
TICK = os.sysconf("SC_CLK_TCK")


def hanging(reply: str, hang: str) -> str:
    """A reply whose functions hang as soon as they are called, or a whole program at its start."""
    tree = ast.parse(unfenced(reply))
    steps = ast.parse(HANGS[hang]).body
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        function.body = deepcopy(steps) + function.body
    if not functions:
        tree.body = steps + tree.body
    return ast.unparse(tree)


def replies(env: str, number: int, hang: str, share: float) -> Iterator[tuple[Address, str]]:
    """Addresses and replies, of which a share hang, spread evenly."""
    every = round(1 / share) if hang else number + 1
    for seed in range(number):
        address = Address.of(env, seed, LEVEL)
        (reply,) = address.task().solve()
        if hang and seed % every == every // 2:
            reply = SCRIPTS[hang] if env.endswith("bash_task") else hanging(reply, hang)
        yield address, reply


def cpu_s() -> float:
    """The processor time of this process and of all that it has started, jails included."""
    parents, used = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        used[int(folder.name)] = sum(map(int, fields[11:15])) / TICK
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(used[pid] for pid in ours)


def judged_in_threads(batch: Sequence[tuple[Task, str]], judges: int) -> list[float | None]:
    """Values of replies, each heard by its episode in one of some threads."""

    def heard(item: tuple[Task, str]) -> float | None:
        episode = Episode(item[0], TAGS)
        episode.step(TAGS.write(item[1]))
        try:
            return episode.result().value
        except JudgeError:
            return None

    with ThreadPoolExecutor(judges) as pool:
        return list(pool.map(heard, batch))


async def judged_by_service(batch: Sequence[tuple[Address, str]]) -> list[float | None]:
    """Values of the same replies, as the items of a batch over HTTP are judged."""
    judge = Judge()
    items = [ScoreRequest(str(address), TAGS.write(reply)) for address, reply in batch]
    results = await asyncio.gather(*(judge.attempted(item) for item in items))
    judge.close()
    return [one.value for one in results]


def measured(env: str, number: int, hang: str, options: argparse.Namespace) -> tuple[float, float]:
    """Wall and processor seconds of judging a batch, whose honest replies must be right."""
    share: float = options.share
    batch = list(replies(env, number, hang, share))
    work = [(address.task(), reply) for address, reply in batch]
    start, used = perf_counter(), cpu_s()
    if options.service:
        values = asyncio.run(judged_by_service(batch))
    else:
        values = judged_in_threads(work, options.judges)
    taken = perf_counter() - start, cpu_s() - used
    right = sum(value == 1 for value in values)
    expected = number - (len(range(round(1 / share) // 2, number, round(1 / share))) if hang else 0)
    if right < expected:
        print(f"  {expected - right} honest replies were not right")
    return taken


def spoiled(source: str) -> Iterator[str]:
    """Programs in which a loop has one step less, or one comparison turned around."""
    tree = ast.parse(source)
    loops = [n for n, node in enumerate(ast.walk(tree)) if isinstance(node, ast.While)]
    for position in loops:
        size = len(list(ast.walk(list(ast.walk(tree))[position])))
        for inner in range(size):
            mutant = deepcopy(tree)
            loop = list(ast.walk(mutant))[position]
            node = list(ast.walk(loop))[inner]
            if isinstance(node, ast.Compare):
                turned = {ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
                          ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}  # fmt: skip
                node.ops = [turned.get(type(how), type(how))() for how in node.ops]
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.Break | ast.Expr):
                for other in ast.walk(loop):
                    for body in (getattr(other, "body", []), getattr(other, "orelse", [])):
                        if isinstance(body, list) and node in body:
                            body[body.index(node)] = ast.Pass()
            else:
                continue
            yield ast.unparse(mutant)


def mutants(number: int) -> None:
    """Prints of how many spoiled programs that ran out of time this was proved before."""
    reasons: list[str] = []
    judged = Run.judged

    def noted(*outcome: Any) -> tuple[Any, str]:
        verdict = judged(*outcome)
        reasons.append(verdict[1])
        return verdict

    Run.judged = noted  # type: ignore[method-assign]
    for name in ("interpreters", "classes", "repairs"):
        late = proved = 0
        for seed in range(number):
            task = Address.of(ENVS[name], seed, LEVEL).task()
            (reply,) = task.solve()
            for source in dict.fromkeys(spoiled(unfenced(reply))):
                try:
                    reasons.clear()
                    Episode(task, TAGS).step(TAGS.write(source))
                except JudgeError:
                    continue
                late += any("s on the clock" in why or "never ends" in why for why in reasons)
                proved += any("never ends" in why for why in reasons)
        print(f"{name}: {proved} of {late} mutants that ran out of time were proved endless")


def main() -> None:
    """Prints all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", default=",".join(ENVS))
    parser.add_argument("--hangs", default="loop,stuck,counting")
    parser.add_argument("--replies", type=int, default=512)
    parser.add_argument("--judges", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--service", action="store_true")
    parser.add_argument("--mutants", type=int, metavar="TASKS")
    options = parser.parse_args()
    if options.mutants:
        mutants(options.mutants)
        return
    sandbox().run("print(1)", limits=Limits(cpu_s=1))
    for name in options.envs.split(","):
        measured(ENVS[name], options.replies, "", options)  # jails start, hidden tests are drawn
        for hang in options.hangs.split(","):
            if name == "scripts" and hang not in SCRIPTS:
                continue
            honest = measured(ENVS[name], options.replies, "", options)
            hung = measured(ENVS[name], options.replies, hang, options)
            print(f"{name:12} {hang:10} wall {honest[0]:6.2f} s and {hung[0]:6.2f} s, "
                  f"{hung[0] / honest[0]:5.2f} times; processor {honest[1]:6.2f} s and "
                  f"{hung[1]:6.2f} s, {hung[1] / honest[1]:5.2f} times", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
