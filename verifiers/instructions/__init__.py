"""Instructions about a free text that rules can check: length, words, format, signs, scripts."""

from palaestra.verifiers.instructions.instruction import Instruction, conflicts
from palaestra.verifiers.instructions.instructions import DEFINITIONS, Instructions
from palaestra.verifiers.instructions.registry import KINDS, Kind
from palaestra.verifiers.instructions.visible import visible

__all__ = ["DEFINITIONS", "KINDS", "Instruction", "Instructions", "Kind", "conflicts", "visible"]
