"""Dirty tables with redundancy that determines their repair, and the tools to repair them."""
