"""Train a model that calls tools on a mixture of environments, with a reward for each part.

pip install 'palaestra[data]' trl
accelerate launch examples/trl/mixture.py --model Qwen/Qwen3-1.7B
"""

import argparse

from trl import GRPOConfig, GRPOTrainer

from palaestra.trainers import trl

MIXTURE = {"tools/meeting_desk": 2.0, "games/mastermind": 1.0, "logic/knights_and_knaves": 1.0}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--model", required=True, help="a path, or a name on the hub")
parser.add_argument("--out", default="run")
parser.add_argument("--steps", type=int, default=500)
parser.add_argument("--batch", type=int, default=16, help="completions for each device")
parser.add_argument("--tokens", type=int, default=4096, help="the longest completion")
parser.add_argument("--cpu", action="store_true")
wish = parser.parse_args()

spec = trl.spec(MIXTURE, curriculum="frontier", rewards=["score", "format"])
GRPOTrainer(
    model=wish.model,
    train_dataset=spec.train_dataset,
    environment_factory=spec.environment_factory,
    reward_funcs=spec.reward_funcs,
    callbacks=spec.callbacks,
    args=GRPOConfig(
        output_dir=wish.out, max_steps=wish.steps, per_device_train_batch_size=wish.batch,
        max_completion_length=wish.tokens, reward_weights=[1.0, 0.2],
        multi_objective_aggregation="normalize_then_sum",
        shuffle_dataset=False, ignore_data_skip=True,  # for the curriculum
        logging_steps=1, report_to=[], use_cpu=wish.cpu, bf16=not wish.cpu,
    ),
).train()  # fmt: skip
