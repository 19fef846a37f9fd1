"""Palaestra's tasks where the verifiers library looks for them: a module of this name."""

from palaestra.trainers.verifiers import exported, load_environment

globals().update(exported())
__all__ = ["load_environment", *exported()]  # noqa: PLE0604  they are names
