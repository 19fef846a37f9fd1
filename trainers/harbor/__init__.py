"""Tasks in the format of Harbor, the framework for evaluating agents in containers.

:func:`export` writes a folder for each task; ``palaestra.trainers.harbor.scoring`` is what their
verifiers run.
"""

from palaestra.trainers.harbor.files import Options
from palaestra.trainers.harbor.suite import BadSuite, export

__all__ = ["BadSuite", "Options", "export"]
