"""How often the verifiers accept wrong answers and refuse right ones, kind by kind."""
