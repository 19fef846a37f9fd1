"""For OpenRLHF's --train.agent_func_path: episodes of several turns."""

from palaestra.trainers.openrlhf import AgentExecutor

__all__ = ["AgentExecutor"]
