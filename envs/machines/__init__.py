"""Abstract machines and formal languages: automata, Turing machines, regular expressions."""
