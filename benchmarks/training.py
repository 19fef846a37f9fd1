"""What the reference trainer learns and what its steps cost, on a CPU.

python benchmarks/training.py            # three seeds of examples/sorting.yaml, then the costs
python benchmarks/training.py --costs    # the costs alone

Learning: the mean score on reserved seeds after the supervised steps and at the end. Costs, in CPU
milliseconds of a step in the middle of the run: playing, judging (in process, and by the HTTP
service, client and server together), and learning. Needs ``palaestra[train]``.
"""

import gc
import multiprocessing
import sys
from pathlib import Path
from time import process_time

from palaestra.client import Client
from palaestra.scoring import score
from palaestra.server.launcher import background_server
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.trainer import Trainer

EXAMPLES = Path(__file__).parents[1] / "examples"
SEEDS, STEPS = range(3), 10


def learn(seed: int) -> None:
    """One run: what it knew before and after."""
    config = Config.load(EXAMPLES / "sorting.yaml", {"seed": seed, "eval_every": 0})
    trainer, start = Trainer(config), process_time()
    trainer.warm_up()
    before = trainer.evaluate(512)
    trainer.train()
    spent = process_time() - start
    print(f"| {seed} | {before:.2f} | {trainer.evaluate(512):.2f} | {spent:.0f} |", flush=True)


def costs() -> None:
    """What a step consists of."""
    trainer = Trainer(Config.load(EXAMPLES / "sorting.yaml", {"eval_every": 0}))
    trainer.warm_up()
    trainer.take_step()
    start = process_time()
    steps = [trainer.take_step() for _ in range(STEPS)]
    step = (process_time() - start) / STEPS
    judging = sum(report.judge_s or 0.0 for report in steps) / STEPS
    rollouts = [one for group in trainer.sample_groups()[0] for one in group.rollouts]
    scored = [(str(one.address), one.reply, "bare") for one in rollouts]
    over_http = _over_http(scored)
    in_process = _in_process(scored)
    print(f"step            {1e3 * step:8.1f} ms of CPU, {len(scored)} rollouts")
    print(f"judged episodes {1e3 * judging:8.1f} ms on the clock, {judging / step:.1%} of a step")
    print(f"scored here     {1e3 * in_process:8.1f} ms, {in_process / step:.1%} of a step")
    print(f"scored by HTTP  {1e3 * over_http:8.1f} ms, {over_http / step:.1%}, both sides together")


def _in_process(scored: list[tuple[str, str, str]]) -> float:
    start = process_time()
    for address, reply, answer_format in scored:
        score(address, reply, answer_format)
    return process_time() - start


def _over_http(scored: list[tuple[str, str, str]]) -> float:
    with background_server() as url, Client(url) as client:
        client.score_many(scored)
        gc.collect()  # what the training has left is not to be looked through meanwhile
        start = process_time()
        client.score_many(scored)
        return process_time() - start


def main() -> None:
    """Prints both tables."""
    if "--costs" not in sys.argv:
        print("| seed | after 80 supervised steps | after 120 of GRPO | CPU-s |")
        print("|---:|---:|---:|---:|", flush=True)
        for seed in SEEDS:
            child = multiprocessing.get_context("spawn").Process(target=learn, args=(seed,))
            child.start()
            child.join()
    costs()


if __name__ == "__main__":
    main()
