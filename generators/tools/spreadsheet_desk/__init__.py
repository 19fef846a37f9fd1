"""Workbooks with formulas, the tools to edit them, and requests about them."""
