#!/usr/bin/env bash
# GRPO with slime on a curriculum of the service. Arguments of the model and of Megatron follow.
#   palaestra serve &
#   export PALAESTRA_CURRICULUM=http://127.0.0.1:8000/v1/curricula/NAME
#   examples/slime/train.sh --hf-checkpoint MODEL --load MODEL_torch_dist …
set -euo pipefail
: "${PALAESTRA_CURRICULUM:?the URL of a curriculum}"
service=${PALAESTRA_CURRICULUM%/v1/curricula/*}
PYTHONPATH="$(cd "$(dirname "$0")" && pwd):${PYTHONPATH:-}" python train.py \
  --data-source-path curriculum.CurriculumSource \
  --rollout-all-samples-process-path curriculum.report \
  --rm-type remote_rm \
  --rm-url "$service/compat/slime/all" \
  --advantage-estimator grpo \
  --rollout-batch-size 32 \
  --n-samples-per-prompt 8 \
  --rollout-max-response-len 4096 \
  --global-batch-size 256 \
  --num-rollout 500 \
  "$@"
