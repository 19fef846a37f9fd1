"""Chess as a match: its rules, and the exact values of endings against a bare king."""
