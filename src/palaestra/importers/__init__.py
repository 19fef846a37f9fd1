"""Environments and verifiers of others behind addresses, and rows of files as tasks.

An import writes a folder of environments, one file for each, which is then used like any folder
that ``PALAESTRA_ENVS`` names. Nothing of another package is imported before it is used.
"""
