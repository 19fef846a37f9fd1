"""Interfaces over hidden records, and requests whose calls take results of other calls."""
