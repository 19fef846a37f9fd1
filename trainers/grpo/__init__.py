"""A reference trainer: group-relative policy optimisation on palaestra's tasks, to be read top to
bottom, tested on a CPU and fast on one GPU. Needs ``palaestra[train]``.

It does not try to be distributed: beyond one machine there are veRL, OpenRLHF and TRL, and the
adapters beside this package.
"""
