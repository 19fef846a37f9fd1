"""Natural deduction: random sequents, and short proofs of them."""
