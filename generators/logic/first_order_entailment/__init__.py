"""Questions of first-order entailment: the rules in words, and their clauses."""
