"""For OpenRLHF's --reward.remote_url: the score of one reply, in the rollout actors."""

from palaestra.trainers.openrlhf import reward_func

__all__ = ["reward_func"]
