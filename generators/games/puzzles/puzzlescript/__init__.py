"""A PuzzleScript engine (after Stephen Lavelle, 2013): files, rules, levels and turns.

>>> from palaestra.generators.games.puzzles.puzzlescript.library import library
>>> library("crates").game.title
'Crates'
"""
