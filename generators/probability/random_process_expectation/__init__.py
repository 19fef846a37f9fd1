"""Random processes and totals of them: in words, their expectations, and these case by case."""
