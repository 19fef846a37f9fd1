"""Train with TRL on a mixture of environments whose levels follow the model, and evaluate it.

pip install 'palaestra[data]' trl
accelerate launch examples/trl/curriculum.py --model Qwen/Qwen2.5-0.5B-Instruct
"""

import argparse

from datasets import concatenate_datasets
from trl import GRPOConfig, GRPOTrainer

from palaestra.trainers import trl
from palaestra.trainers.curricula import STRATEGIES, cells, make

MIXTURE = {"logic/knights_and_knaves": 1.0, "numbers/prime_factorization": 1.0, "grids/sudoku": 1.0}


def parsed() -> argparse.Namespace:
    """What is set on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="a path, or a name on the hub")
    parser.add_argument("--out", default="run")
    parser.add_argument("--curriculum", default="frontier", choices=sorted(STRATEGIES))
    parser.add_argument("--env", action="append", help="an environment; several may be given")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch", type=int, default=16, help="completions for each device")
    parser.add_argument("--group", type=int, default=8, help="completions of a task")
    parser.add_argument("--tokens", type=int, default=1024, help="the longest completion")
    parser.add_argument("--held-out", type=int, default=32, help="tasks of each environment")
    parser.add_argument("--cpu", action="store_true")
    return parser.parse_args()


def main() -> None:
    """Train, with an evaluation on held-out tasks every fifty steps."""
    wish = parsed()
    weights = dict.fromkeys(wish.env, 1.0) if wish.env else MIXTURE
    stream = trl.Stream(make(wish.curriculum, cells(weights), seed=1))
    held_out = [trl.dataset(env, range(wish.held_out), 1, "eval") for env in weights]
    trainer = GRPOTrainer(
        model=wish.model,
        reward_funcs=stream.reward,
        train_dataset=stream.dataset(),
        eval_dataset=concatenate_datasets(held_out),
        callbacks=[stream.callback()],
        args=GRPOConfig(
            output_dir=wish.out,
            max_steps=wish.steps,
            per_device_train_batch_size=wish.batch,
            per_device_eval_batch_size=wish.batch,
            num_generations=wish.group,
            max_completion_length=wish.tokens,
            shuffle_dataset=False,
            ignore_data_skip=True,
            eval_strategy="steps",
            eval_steps=50,
            save_steps=50,
            logging_steps=1,
            use_cpu=wish.cpu,
            bf16=not wish.cpu,
            report_to=[],
        ),
    )
    trainer.train()
    print(trainer.evaluate())


if __name__ == "__main__":
    main()
