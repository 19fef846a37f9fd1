"""A small subset of Python with an interpreter of its own, for tasks about programs.

A program consists of functions on integers, Booleans, strings, lists, tuples and dictionaries.
Every construct of the subset means exactly what it means in Python; the parser rejects all others.
Nothing is passed to Python's own ``exec`` or ``eval``: a program can only do what
:mod:`palaestra.generators.programs.mini_python.run` implements, within limits of steps and sizes.
"""
