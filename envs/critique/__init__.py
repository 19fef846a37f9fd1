"""Checking claims and proofs: faults, counterexamples, certificates and second solutions."""
