"""The tour of ``palaestra quickstart``: tasks, two players, two ways to score, next steps."""

from time import perf_counter

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaestra import Address, Score, __version__, names
from palaestra.client import Client
from palaestra.episode import TAGS, Episode
from palaestra.scoring import Item, score_many
from palaestra.server.launcher import background_server
from palaestra.task import JudgeError

TOUR = (
    "algorithms/sort_six",
    "arithmetic/countdown",
    "grids/sudoku",
    "logic/knights_and_knaves",
    "graphs/shortest_path",
    "games/mastermind",
    "tools/meeting_desk",
    "matches/connect_four",
)
"""Environments to show: short and long, of one move and many, with tools and an opponent."""

UNSKILLED = "I do not know."

NEXT = """\
Next steps

  in Python     palaestra.score(address, reply)
  Gymnasium     import palaestra.gym; gymnasium.make("palaestra/Sudoku-v2", level=2)
  HTTP          palaestra serve   then POST {"address": …, "replies": […]} to /v1/score
  trainers      palaestra.trainers.trl.dataset("grids/sudoku", range(1000)) and .reward,
                or: palaestra export grids/sudoku -n 1000 -o rows.jsonl
  terminal      palaestra play games/mastermind
  catalog       palaestra list
"""


def timed_sample(env: str, seed: int, level: int) -> tuple[Address, float]:
    """A task's address, and the seconds that drawing it took."""
    address = Address.of(env, seed, level)
    start = perf_counter()
    address.task()
    return address, perf_counter() - start


def perfect(address: Address) -> list[str]:
    """The replies of a perfect player."""
    return [TAGS.write(move) for move in address.task().solve()]


def unskilled(address: Address) -> list[str]:
    """The replies of a player who always says the same."""
    episode = Episode(address.task())
    while episode.score is None:
        episode.step(TAGS.write(UNSKILLED))
    return episode.replies


def table(tasks: list[tuple[Address, float]], scores: list[Score | JudgeError]) -> Table:
    """What the players scored, task by task: a perfect one first, then one without skill."""
    result = Table(box=SIMPLE)
    result.add_column("address, and why the player without skill failed", overflow="fold")
    for title in ("sampled in", "perfect", "no skill"):
        result.add_column(title, justify="right", no_wrap=True)
    for n, (address, draw_s) in enumerate(tasks):
        best, worst = scores[2 * n : 2 * n + 2]
        cell = Text(f"{address}\n").append(f"  {worst.reason}", "dim")
        result.add_row(cell, f"{draw_s * 1e3:.1f} ms", f"{best.value:g}", f"{worst.value:g}")
    return result


def key(score: Score | JudgeError) -> tuple[object, ...]:
    """What has to be the same wherever it is scored."""
    return score.value, score.status, score.reason


def run() -> None:
    """Take the tour."""
    out = Console()
    out.print(f"palaestra {__version__}: {len(names())} environments\n", highlight=False)
    tasks = [timed_sample(env, seed=2026, level=1) for env in TOUR if env in names()]
    items = [Item(address, play(address)) for address, _ in tasks for play in (perfect, unskilled)]
    start = perf_counter()
    here = score_many(items, workers=0)
    here_s = perf_counter() - start
    with background_server() as url, Client(url) as client:
        client.score_many(items[:1])  # the first request opens the connection
        start = perf_counter()
        there = client.score_many(items)
        there_s = perf_counter() - start
    out.print(table(tasks, here))
    same = [key(one) for one in here] == [key(other) for other in there]
    what = "the same" if same else "OTHER"
    out.print(
        f"\n{len(items)} episodes scored in {here_s * 1e3:.1f} ms in process and in "
        f"{there_s * 1e3:.1f} ms over HTTP at {url}, with {what} scores.\n",
        highlight=False,
        soft_wrap=True,
    )
    out.print(NEXT, highlight=False, markup=False, soft_wrap=True)
    if not same:
        raise SystemExit(1)
