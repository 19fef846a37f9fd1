"""Generation of data sets of any size from a mixture of environments.

``palaestra generate mixture.yaml -n 1000000 -o folder`` does it from the command line.
"""

from palaestra.trainers.generation.corpus import Corpus, generate, shortfalls
from palaestra.trainers.generation.rows import Solutions

__all__ = ["Corpus", "Solutions", "generate", "shortfalls"]
