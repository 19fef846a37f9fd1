"""A bank with accounts and cards, and callers who may or may not be whom they say they are."""
