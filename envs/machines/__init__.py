"""Abstract machines and the languages they accept: automata, tapes, regular expressions."""
