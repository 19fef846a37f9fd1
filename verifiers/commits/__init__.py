"""Tasks from the commits of a git repository, and patches judged by their tests.

After C. Jimenez and others, "SWE-bench: Can Language Models Resolve Real-World GitHub Issues?"
(2023), and I. Badertdinov and others, "SWE-rebench: An Automated Pipeline for Task Collection and
Decontaminated Evaluation of Software Engineering Agents" (2025).

What a repository has to be like: its tests run on the interpreter of this machine, without network,
in one process, within :class:`Settings` of time and memory, and in files named ``test*.py`` or
``*_test.py``. Packages that they import are installed here and named in the settings, as
:func:`~palaestra.verifiers.commits.packages.needed` finds them; the jail sees them read-only, with
their metadata, so that pytest loads the plugins among them. A ``conftest.py`` that needs more is
left out by the option ``--noconftest``. Tests run by pytest where it is among the packages, and
otherwise by themselves: functions without parameters and classes of ``unittest``. The tree has up
to 4,000 files and 60 MB. It runs in namespaces only.

A commit gives a task if it changes source and tests, if some tests fail before it and pass after it
in every run, and if a patch may do what it does.
"""

from palaestra.verifiers.commits.building import Builder, Report
from palaestra.verifiers.commits.history import History
from palaestra.verifiers.commits.packages import needed
from palaestra.verifiers.commits.patching import applied, protected, read_patch
from palaestra.verifiers.commits.running import Settings
from palaestra.verifiers.commits.tasks import CommitTask, read_tasks

__all__ = [
    "Builder",
    "CommitTask",
    "History",
    "Report",
    "Settings",
    "applied",
    "needed",
    "protected",
    "read_patch",
    "read_tasks",
]
