"""A reference implementation of group-relative policy optimisation on Palaestra's tasks.

It is meant to be read: begin with ``trainer.py``, the loop; ``advantages.py``, ``losses.py`` and
``recipes.json`` hold the algorithms, ``config.py`` the options. The sampling engines are in
:mod:`palaestra.trainers.engines`, the small decoder in :mod:`palaestra.trainers.models`.

It runs on a CPU and on one GPU, and requires ``palaestra[train]``. For more than one machine, use
veRL, OpenRLHF or TRL through the adapters beside this package.
"""
