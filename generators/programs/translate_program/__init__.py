"""Programs that can be written in Python, in C and in JavaScript, and do the same in all three.

They are kept in a small part of Python's syntax: functions on whole numbers and rows of them, with
a few functions for what means something else in each language. :mod:`~.running` carries them out,
in exact arithmetic that notes whatever would not fit, and the others write them in each language.
"""
