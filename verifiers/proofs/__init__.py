"""Verifiers of proofs, models and counterexamples, each checked by a small kernel or by Z3."""

from palaestra.verifiers.proofs.equations import EquationalProof
from palaestra.verifiers.proofs.formulas import entails, formula, written
from palaestra.verifiers.proofs.natural import NaturalDeduction
from palaestra.verifiers.proofs.resolution import ResolutionProof
from palaestra.verifiers.proofs.rewriting import equation, term
from palaestra.verifiers.proofs.sat import SatModel, SatVerdict, Unsat
from palaestra.verifiers.proofs.smt import SmtModel, SmtValid

__all__ = [
    "EquationalProof",
    "NaturalDeduction",
    "ResolutionProof",
    "SatModel",
    "SatVerdict",
    "SmtModel",
    "SmtValid",
    "Unsat",
    "entails",
    "equation",
    "formula",
    "term",
    "written",
]
