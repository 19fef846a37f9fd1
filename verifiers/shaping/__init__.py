"""Rewards for training, made from scores and transcripts; the truth of a score stays as it is.

>>> from palaestra.task import Score
>>> reward = Reward(Format() * (Truth(partial=0) + LaserStep(target=1_000)))
>>> reply = "<think>6 * 7</think><answer>42</answer>"
>>> reward(Score(1), Transcript(reply, tokens=12)), reward(Score(1), Transcript("42", tokens=2))
(1.5, 0.0)
"""

from palaestra.verifiers.shaping.calibration import Confidence, stated
from palaestra.verifiers.shaping.formats import Format
from palaestra.verifiers.shaping.lengths import (
    CosineLength,
    L1Exact,
    L1Max,
    LaserStep,
    SoftOverlong,
)
from palaestra.verifiers.shaping.recipe import Clip, Gate, Gated, Gates, Product, Recipe, Span, Sum
from palaestra.verifiers.shaping.repetition import NGramRepetition
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript
from palaestra.verifiers.shaping.truth import Reward, Truth

__all__ = [
    "Clip",
    "Confidence",
    "CosineLength",
    "Format",
    "Gate",
    "Gated",
    "Gates",
    "L1Exact",
    "L1Max",
    "LaserStep",
    "NGramRepetition",
    "Product",
    "Recipe",
    "RecipeError",
    "Reward",
    "SoftOverlong",
    "Span",
    "Sum",
    "Transcript",
    "Truth",
    "stated",
]
