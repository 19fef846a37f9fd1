"""Steps a second of text games in this process, through the episode and through Gymnasium.

python benchmarks/steps.py [NAME ...]
"""

import sys
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


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        heard, stepped = episode_steps(name), gym_steps(name)
        print(f"{name:24} {heard:10,.0f} replies/s  {stepped:10,.0f} env.step/s")
