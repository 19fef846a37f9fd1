"""Decisions under chance, after textbook problems of decision theory."""
