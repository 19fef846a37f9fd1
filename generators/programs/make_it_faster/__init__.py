"""Slow functions that have a faster equivalent, by the classic ways of making them fast.

A program has one part or several. Parts on lists follow one another, those on a number stand side
by side. Each part is there twice: as a plain loop or recursion that does all of its work over and
over again, and as an algorithm of another order of growth. Both are our own texts, with numbers
that are drawn. No input makes a slow one quick, for none of its loops ends early.
"""
