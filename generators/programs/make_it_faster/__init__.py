"""Slow functions with faster equivalents that use standard techniques.

A program has one or more parts. Parts on lists form a pipeline; parts on a number are independent.
Each part has two versions: a naive loop or recursion that repeats its work, and an algorithm of
lower time complexity. Both are templates with random constants. No input makes the slow version
fast, because none of its loops ends early.
"""
