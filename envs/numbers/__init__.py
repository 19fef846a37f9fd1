"""Number theory: divisors, primes and remainders."""
