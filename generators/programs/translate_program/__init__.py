"""Programs with equivalent versions in Python, C and JavaScript.

Programs are stored in a small subset of Python's syntax: functions on integers and arrays, with
helper functions for operations that differ between the languages. :mod:`~.running` executes them in
exact arithmetic that detects overflow, and :mod:`~.writing` translates them.
"""
