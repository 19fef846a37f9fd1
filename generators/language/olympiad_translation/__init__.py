"""Invented languages, sentences in them, and all languages of a class that fit these sentences."""
