"""Verifiers of solutions that are checked by the rules of their problem, with their cost."""

from palaestra.verifiers.certified.choices import (
    ColoringCertificate,
    MatchingCertificate,
    NodeSetCertificate,
)
from palaestra.verifiers.certified.grading import Certificate
from palaestra.verifiers.certified.graph import Graph
from palaestra.verifiers.certified.plans import (
    AssignmentCertificate,
    BinPackingCertificate,
    KnapsackCertificate,
    ScheduleCertificate,
)
from palaestra.verifiers.certified.routes import (
    HamiltonianCertificate,
    PathCertificate,
    TopologicalCertificate,
)

__all__ = [
    "AssignmentCertificate",
    "BinPackingCertificate",
    "Certificate",
    "ColoringCertificate",
    "Graph",
    "HamiltonianCertificate",
    "KnapsackCertificate",
    "MatchingCertificate",
    "NodeSetCertificate",
    "PathCertificate",
    "ScheduleCertificate",
    "TopologicalCertificate",
]
