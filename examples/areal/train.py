"""GRPO with AReaL on a curriculum of the service.

export PALAESTRA_CURRICULUM=http://127.0.0.1:8000/v1/curricula/NAME
PYTHONPATH=examples/areal python examples/areal/train.py --config examples/areal/grpo.yaml \
  actor.path=Qwen/Qwen2.5-1.5B-Instruct
"""

import sys

from areal import PPOTrainer
from areal.api.cli_args import GRPOConfig, load_expr_config
from curriculum import CurriculumDataset

TASKS = 12_800
"""Tasks of an epoch."""


def main(arguments: list[str]) -> None:
    """Train."""
    config, _ = load_expr_config(arguments, GRPOConfig)
    workflow = {
        "reward_fn": "curriculum.reward",
        "gconfig": config.gconfig,
        "tokenizer": config.tokenizer_path,
    }
    with PPOTrainer(config, train_dataset=CurriculumDataset(TASKS)) as trainer:
        trainer.train(workflow="areal.workflow.rlvr.RLVRWorkflow", workflow_kwargs=workflow)


if __name__ == "__main__":
    main(sys.argv[1:])
