"""A shell in the sandbox over a tree of files, one command after the other."""
