"""How fast tasks are drawn and judged, beside a peer's rates where that is installed."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from palaestra.peer_families import PEERS
from palaestra.registry import load
from palaestra.rng import Rng
from palaestra.scoring import score


def per_second(work: Callable[[int], object], seconds: float) -> float:
    """How often something is done a second: the median of several stretches, at least one each."""
    rates = []
    n = 0
    for _ in range(5):
        start, done = perf_counter(), 0
        while not done or perf_counter() - start < seconds / 5:
            work(n)
            n, done = n + 1, done + 1
        rates.append(done / (perf_counter() - start))
    return median(rates)


def rates(name: str, level: int | None = None, seconds: float = 0.2) -> dict[str, Any]:
    """Tasks drawn and replies judged a second at a level, the middle one unless given.

    ``peer`` names reasoning-gym's counterpart where that is installed, timed in the same run.
    """
    task_type = load(name)
    level = task_type.Knobs.levels() // 2 if level is None else level
    knobs = task_type.Knobs.at(level)
    tasks = [task_type.sample(Rng(seed), knobs, held_out=False) for seed in range(8)]
    moves = [list(task.solve()) for task in tasks]
    turns = sum(map(len, moves)) / len(moves)
    draws = per_second(lambda n: task_type.sample(Rng(n), knobs, held_out=False), seconds)
    verdicts = per_second(lambda n: score(tasks[n % 8], moves[n % 8], "bare"), seconds) * turns
    row = {"env": name, "level": level, "draws": draws, "verdicts": verdicts}
    return row | _peer(name, draws, seconds)


def _peer(name: str, draws: float, seconds: float) -> dict[str, Any]:
    """Reasoning-gym's rates for its counterpart, if there is one and it is installed."""
    nothing = {"peer": "", "peer_draws": 0.0, "ratio": 0.0}
    title = next((theirs for theirs, ours in PEERS.items() if ours.startswith(f"{name}?")), None)
    if title is None:
        return nothing
    try:
        import reasoning_gym
    except ImportError:
        return nothing
    data = reasoning_gym.create_dataset(title, size=500, seed=1)
    theirs = per_second(lambda n: data[n % 500], seconds)  # it makes each item anew
    return {"peer": title, "peer_draws": theirs, "ratio": draws / theirs}


def summarise(rows: list[dict[str, Any]]) -> str:
    """The medians over environments, in a sentence."""
    draws = median(rate["draws"] for rate in rows)
    verdicts = median(rate["verdicts"] for rate in rows)
    line = (
        f"median over {len(rows)}: {1e3 / draws:.2f} ms to draw a task, "
        f"{1e6 / verdicts:.0f} µs to judge a move"
    )
    ratios = [rate["ratio"] for rate in rows if rate["peer"]]
    if not ratios:
        return f"{line} (reasoning-gym is not installed, so there is nothing to compare with)"
    return f"{line}; {median(ratios):.1f} times reasoning-gym's rate of draws over {len(ratios)}"
