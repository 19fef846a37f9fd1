#!/usr/bin/env bash
# REINFORCE++ with OpenRLHF 0.11 on a Ray cluster, on games of several turns through our agent.
# Start Ray first (`ray start --head`, and `ray start --address=…` on further machines), with
# palaestra and OpenRLHF installed on all of them.
#
#   examples/openrlhf/train.sh Qwen/Qwen2.5-1.5B-Instruct --train.num_episodes 2
set -euo pipefail
cd "$(dirname "$0")/../.."
model=${1:?the model: a path, or a name on the hub}
shift
rows=${ROWS:-rows}
mkdir -p "$rows"
palaestra export games/mastermind -n 4000 --level 1 --trainer openrlhf -o "$rows/train.jsonl"
palaestra export games/mastermind -n 100 --level 1 --split eval --trainer openrlhf -o "$rows/eval.jsonl"

ray job submit --working-dir . -- python -m openrlhf.cli.train_ppo_ray \
  --actor.model_name_or_path "$model" \
  --train.agent_func_path examples/openrlhf/agent.py \
  --data.prompt_dataset "$PWD/$rows/train.jsonl" \
  --data.input_key prompt \
  --data.label_key label \
  --data.apply_chat_template \
  --data.max_len 6144 \
  --eval.dataset "$PWD/$rows/eval.jsonl" \
  --eval.steps 20 \
  --algo.advantage.estimator reinforce_baseline \
  --algo.kl.init_coef 0 \
  --rollout.batch_size 128 \
  --rollout.n_samples_per_prompt 8 \
  --train.batch_size 1024 \
  --train.colocate_all \
  --vllm.num_engines 4 \
  --vllm.tensor_parallel_size 1 \
  --vllm.enable_sleep \
  --ds.zero_stage 3 \
  --ds.enable_sleep \
  --actor.num_nodes 1 \
  --actor.num_gpus_per_node 4 \
  --ref.num_nodes 1 \
  --ref.num_gpus_per_node 4 \
  --actor.gradient_checkpointing_enable \
  --ckpt.output_dir run \
  "$@"
