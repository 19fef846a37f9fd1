#!/usr/bin/env bash
# GRPO with veRL 0.9 on a mixture whose levels follow the model, with an evaluation on held-out
# tasks. Run it in its folder, with palaestra and veRL installed on all nodes.
#
#   ./curriculum.sh Qwen/Qwen2.5-1.5B-Instruct
#   ./curriculum.sh Qwen/Qwen2.5-7B-Instruct trainer.n_gpus_per_node=8 +data.curriculum.unlock=0.7
set -euo pipefail
cd "$(dirname "$0")"
model=${1:?the model: a path, or a name on the hub}
shift

python -m verl.trainer.main_ppo \
  algorithm.adv_estimator=grpo \
  algorithm.use_kl_in_reward=False \
  data.custom_cls.path=pkg://palaestra.trainers.verl_curricula \
  data.custom_cls.name=CurriculumTasks \
  data.dataloader_num_workers=0 \
  +data.curriculum.strategy=frontier \
  +data.curriculum.seed=1 \
  +data.curriculum.tasks=12800 \
  data.train_files='["mixture.yaml"]' \
  data.val_files='["logic/knights_and_knaves?level=2&split=eval&seeds=0:100","games/mastermind?level=1&split=eval&seeds=0:100"]' \
  data.train_batch_size=128 \
  data.max_prompt_length=1024 \
  data.max_response_length=4096 \
  data.filter_overlong_prompts=True \
  reward.custom_reward_function.path=pkg://palaestra.trainers.verl \
  actor_rollout_ref.model.path="$model" \
  actor_rollout_ref.actor.optim.lr=1e-6 \
  actor_rollout_ref.actor.ppo_mini_batch_size=64 \
  actor_rollout_ref.actor.use_dynamic_bsz=True \
  actor_rollout_ref.rollout.name=vllm \
  actor_rollout_ref.rollout.tensor_model_parallel_size=1 \
  actor_rollout_ref.rollout.n=8 \
  actor_rollout_ref.rollout.agent.agent_loop_config_path=agents.yaml \
  actor_rollout_ref.rollout.agent.default_agent_loop=palaestra \
  trainer.n_gpus_per_node=1 \
  trainer.logger=console \
  trainer.project_name=palaestra \
  trainer.experiment_name=curriculum \
  trainer.test_freq=20 \
  trainer.save_freq=100 \
  trainer.total_epochs=10 \
  "$@"
