"""A shell on a machine that sometimes starts no process, so that a command has to be repeated."""

from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.shell.jail import TOP, Snapshot
from palaestra.generators.tools.shell.world import Shell
from palaestra.verifiers.calls.reading import Call

UNAVAILABLE = "bash: fork: Resource temporarily unavailable"
"""What bash says where a command has not been started."""

WARNING = (
    "The machine is short of processes: now and then a command is not started at all, and the "
    f'output is "{UNAVAILABLE}". '
    "Then nothing has changed, and the same command may be repeated."
)
"""What players read of it."""


class BusyShell(Shell):
    """A shell that starts nothing for ``busy`` in 100 commands; which ones is a function of the
    ``seed`` and the number of the command.
    """

    def __init__(self, start: Snapshot, seed: int, busy: int) -> None:
        super().__init__(start)
        self.seed, self.busy = seed, busy

    def result(self, call: Call) -> str:
        result = super().result(call)
        if result != BUSY:
            return result
        where = f"{TOP}/{self.directory}".rstrip("/")
        return f"{UNAVAILABLE}\n[exit code 254, directory {where}]"


def used(shell: Shell, command: str) -> tuple[str, tuple[str, ...]]:
    """The output of a command, which is repeated until it is started, and all commands for that."""
    moves = [command]
    while (result := shell.use(command)[0]).startswith(UNAVAILABLE):
        moves.append(command)
    return result, tuple(moves)
