"""A small subset of Python with an interpreter of its own, for tasks about programs.

A program is a few functions on whole numbers, truth values, texts, lists, tuples and dictionaries.
Whatever is in the subset means just what it means in Python; whatever is not is refused when it is
read. Nothing is ever handed to Python's own ``exec`` or ``eval``: a program can only do what
:mod:`palaestra.generators.programs.mini_python.run` does for it, on a budget of steps and sizes.
"""
