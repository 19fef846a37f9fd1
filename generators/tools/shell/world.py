"""A shell as a world with one tool, which takes plain commands as well as calls."""

import re
from functools import lru_cache

from palaestra.generators.tools.engine import DONE, Arguments, Changes, Tool, ToolWorld
from palaestra.generators.tools.shell.jail import TOP, Snapshot, executed
from palaestra.generators.tools.shell.trees import differences
from palaestra.task import InvalidAnswer
from palaestra.verifiers.calls.reading import Call, read_calls

_WORDS = """
awk basename bash cat chmod cmp comm cp cut dash date diff dirname echo env expand expr factor
false find fold grep gunzip gzip head id join ln ls mawk mkdir mkfifo mktemp mv nl nproc od paste
printf pwd python python3 readlink realpath rev rm rmdir sed seq sha256sum sh shuf sleep sort split
tac tail tee test timeout touch tr true tsort uname uniq wc whoami xargs yes zcat alias bind break
builtin caller case cd command compgen continue declare do done elif else esac eval exec exit export
fc fi for function getopts hash help history if jobs kill let local mapfile popd pushd read
readarray readonly return select set shift shopt source then time times trap type typeset ulimit
umask unalias unset until wait while du egrep fgrep git install less ll make man more nano patch
perl ps rename rsync sha1sum stat sudo tar tree truncate unlink vi vim which md5sum xz zip unzip
file dd csplit
"""

COMMANDS = frozenset(_WORDS.split())
"""Words with which a command may begin: those of bash, of its tools, and usual ones that are not
installed here, so that bash answers. Others are not run.
"""

_WORD = re.compile(r"[^\s;|&()<>]++|[;|&()<>]")


class Shell(ToolWorld):
    """A tree of files on which bash runs a player's commands, each in a process of its own.

    The tree and the working directory last from command to command; variables and processes do not.
    """

    def __init__(self, start: Snapshot) -> None:
        super().__init__([BASH])
        self.start = self.now = start
        self.directory = ""
        self._changes: Changes = {}

    def changes(self) -> Changes:
        return self._changes

    def state(self) -> str:
        return f"in {self.directory!r}, {super().state()}"

    def read(self, reply: str) -> list[Call]:
        """The calls of a reply; what is none is a command, or a script in a fence."""
        return list(_calls(reply))

    def run(self, command: str) -> str:
        """The output of a command, with the exit code and the directory where it ends.

        Raises :class:`InvalidAnswer` for one that cannot be run, or goes beyond its limits.
        """
        check_command(command)
        result = executed(self.now, self.directory, command)
        if result.fault:
            raise InvalidAnswer(f"{result.fault}; it has changed nothing")
        if result.snapshot is not self.now:
            self.now = result.snapshot
            self._changes = differences(self.start.tree, self.now.tree)
        self.directory = result.directory
        output = result.output
        gap = "" if not output or output.endswith("\n") else "\n"
        where = f"{TOP}/{self.directory}".rstrip("/")
        return f"{output}{gap}[exit code {result.code}, directory {where}]"


@lru_cache(maxsize=64)
def _calls(reply: str) -> tuple[Call, ...]:
    """The calls of a reply, which players often repeat; none where it says that it is done."""
    if reply.strip().strip(".").casefold() == DONE:
        return ()
    try:
        calls = read_calls(reply, lambda name: ("command",))
    except InvalidAnswer:
        return (Call("bash", {"command": script_of(reply)}),)
    if all(call.name == DONE for call in calls):
        return ()
    if all(call.name == "bash" for call in calls) or reply.lstrip()[:1] in "{[<`":
        return tuple(calls)
    return (Call("bash", {"command": script_of(reply)}),)


def _bash(world: Shell, arguments: Arguments) -> str:
    return world.run(arguments["command"])


BASH = Tool("bash", "Run a command or a script in bash.", {"command": str}, _bash)

HANDLING = (
    f"The shell is bash; the files are in {TOP}, where it starts. The files and the working "
    "directory last from command to command; variables, processes and files outside of it do not. "
    "Available are the GNU core utilities (without stat), find, grep, sed, awk (mawk), xargs, "
    "diff, gzip, sha256sum and python3. There is no network and no terminal. It is 1 January 2025, "
    "12:00 UTC, by the command date and by the times of files; nothing depends on other clocks. A "
    "long output is cut in the middle."
)
"""What players read of the shell."""


def instructions(calls: int) -> str:
    """How to use the shell, in words."""
    return (
        f"{HANDLING}\n\nYou have {calls} commands. Reply with one command, or with a script in one "
        'fenced block, or with a call of the tool bash: {"tool": "bash", "args": {"command": '
        '"ls"}}. When finished, answer: done'
    )


def script_of(reply: str) -> str:
    r"""The command in a reply: what stands in its one fenced block, or all of it.

    Raises :class:`InvalidAnswer` for an empty one, for one that begins with a word that is no
    command, as talk does, and where several blocks are fenced.

    >>> script_of("First I look around:\n```bash\nls -l\n```")
    'ls -l'
    """
    lines = reply.replace("\r\n", "\n").split("\n")
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    if fences:
        if len(fences) != 2:
            raise InvalidAnswer("expected one command, or one script in a fenced block")
        lines = lines[fences[0] + 1 : fences[1]]
    command = "\n".join(lines).strip()
    word = _WORD.match(command)
    if not word:
        raise InvalidAnswer("expected a command")
    if word[0][0].isalnum() and not (set("=/.") & set(word[0]) or word[0] in COMMANDS):
        raise InvalidAnswer(f"{word[0][:40]!r} is no command")
    return command


def check_command(command: str) -> None:
    """Raises :class:`InvalidAnswer` for what bash cannot take."""
    if "\0" in command or not command.strip():
        raise InvalidAnswer("a command is a text without zero bytes")
    try:
        size = len(command.encode())
    except UnicodeEncodeError:
        raise InvalidAnswer("a command with invalid characters") from None
    if size > 60_000:
        raise InvalidAnswer("a command has at most 60000 bytes")


def output_lines(observation: str) -> list[str]:
    r"""The lines of an output, without that of the exit code.

    >>> output_lines("a\nb\n[exit code 0, directory /tmp/work]")
    ['a', 'b']
    """
    return observation.rpartition("[exit code ")[0].splitlines()
