"""Running programs that nobody trusts, and judging them. Importing it starts nothing."""

from palaestra.verifiers.sandbox.canaries import SandboxUnavailable
from palaestra.verifiers.sandbox.languages import MissingTool
from palaestra.verifiers.sandbox.outcomes import Level, Limits, Outcome, Status, Test, Verdict
from palaestra.verifiers.sandbox.sandbox import Sandbox, sandbox

__all__ = [
    "Level",
    "Limits",
    "MissingTool",
    "Outcome",
    "Sandbox",
    "SandboxUnavailable",
    "Status",
    "Test",
    "Verdict",
    "sandbox",
]
