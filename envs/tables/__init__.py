"""Tables: formulas for their columns."""
