"""Steps a second of text games in this process: through the episode, through Gymnasium, and through
vector environments of one and of 1,024 copies.

python benchmarks/steps.py [NAME ...]
"""

import sys
from collections.abc import Iterator
from itertools import cycle
from time import perf_counter

import gymnasium

import palaestra
import palaestra.gym
from palaestra.gym import env_id

GAMES = ("games/mastermind", "games/minesweeper", "games/game_2048", "tools/meeting_desk")


def episode_steps(name: str, seconds: float = 1.0) -> float:
    """Replies heard a second, playing the perfect player's moves of a few tasks over and over."""
    tasks = [palaestra.Address.of(name, seed, 1).task() for seed in range(8)]
    played = [(task, list(task.solve())) for task in tasks]
    steps, start = 0, perf_counter()
    for task, moves in cycle(played):
        episode = palaestra.Episode(task, "bare")
        for move in moves:
            episode.step(move)
        steps += len(moves)
        if perf_counter() - start > seconds:
            break
    return steps / (perf_counter() - start)


def gym_steps(name: str, seconds: float = 1.0) -> float:
    """The same through ``env.step``; only the steps are timed."""
    env = gymnasium.make(
        env_id(name, palaestra.load(name).version),
        level=1,
        answer_format="bare",
        disable_env_checker=True,
    )
    steps, spent = 0, 0.0
    for seed in cycle(range(8)):
        _, info = env.reset(seed=seed)
        moves = list(palaestra.Address.parse(info["address"]).task().solve())
        start = perf_counter()
        for move in moves:
            env.step(move)
        spent += perf_counter() - start
        steps += len(moves)
        if spent > seconds / 2:
            break
    return steps / spent


def vector_steps(name: str, copies: int, seconds: float = 1.0) -> float:
    """The same through a vector environment of so many copies, with the draws of new tasks: steps
    of single copies a second.
    """
    env = gymnasium.make_vec(
        env_id(name, palaestra.load(name).version),
        num_envs=copies,
        level=1,
        answer_format="bare",
        vectorization_mode="vector_entry_point",
    )
    _, infos = env.reset(seed=0)
    plans = [_plan(address) for address in infos["address"]]
    steps, spent, over = 0, 0.0, [False] * copies
    while spent < seconds:
        actions = ["" if ended else next(plan) for plan, ended in zip(plans, over)]
        start = perf_counter()
        _, _, now_over, _, infos = env.step(actions)
        spent += perf_counter() - start
        steps += copies - sum(over)
        plans = [
            _plan(address) if ended else plan
            for plan, address, ended in zip(plans, infos["address"], over)
        ]
        over = [bool(each) for each in now_over]
    return steps / spent


def _plan(address: str) -> Iterator[str]:
    """The moves of the perfect player."""
    return iter(palaestra.Address.parse(address).task().solve())


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        rates = {
            "replies/s": episode_steps(name),
            "env.step/s": gym_steps(name),
            "with 1 copy": vector_steps(name, 1),
            "with 1,024": vector_steps(name, 1_024),
        }
        print(f"{name:24}", *(f"{rate:9,.0f} {label}" for label, rate in rates.items()))
