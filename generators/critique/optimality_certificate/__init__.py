"""Problems of optimisation with their optima, and proofs that nothing better exists."""
