"""A person who plays tasks in the terminal, one after another."""

import json
import re
import secrets
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from rich.rule import Rule

from palaestra import Address, Episode
from palaestra.cli import terminal
from palaestra.cli.scenes import lines_of
from palaestra.final_scenes import scene_of
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, JudgeError, Puzzle, Task
from palaestra.toolbox import call
from palaestra.trainers.spoken_users import Conversation, Speaker, Words

Reader = Callable[[], str]
"""Gives the next reply. Raises EOFError where there is none."""

SEEDS = 2**31
"""Seeds below this one are for training."""

LINE_BREAK = "\\n"
"""How a line break is written in a reply of one line."""


class Mistyped(ValueError):
    """A line that begins like a call of a tool and is none; the message says what is wrong."""


class Player:
    """Plays tasks of an environment; what is read is a reply, or a command such as ``/undo``."""

    episode: Episode

    def __init__(
        self, name: str, level: int, seed: int | None, knobs: Mapping[str, Any], read: Reader,
        speaker: Speaker | None = None, shows_scenes: bool = True,
    ) -> None:  # fmt: skip
        self.name, self.level, self.knobs, self.read = name, level, knobs, read
        self.speaker, self._words = speaker, list[Words]()
        self.shows_scenes = shows_scenes and terminal.out.is_terminal
        self.seed = secrets.randbelow(SEEDS) if seed is None else seed
        self.is_over = False
        self._commands: dict[str, tuple[str, Callable[[], None]]] = {
            "/help": ("list the commands", self.help),
            "/tools": ("list the tools and their parameters", self.tools),
            "/undo": ("take the last reply back", self.undo),
            "/retry": ("start the same task again", self.retry),
            "/solution": ("show the replies of a perfect player", self.solution),
            "/next": ("go on to another task of this level", self.next),
            "/up": ("go on to the next level", lambda: self.change_level(1)),
            "/down": ("go on to the level below", lambda: self.change_level(-1)),
            "/quit": ("stop", self.quit),
        }
        self.start()

    def play(self) -> None:
        """Play until there is nothing more to read, or the player stops."""
        try:
            with suppress(EOFError, KeyboardInterrupt):
                while not self.is_over:
                    self.take(self.read())
        finally:
            _discard_typed()
        if self.episode.score is None:
            _say("unfinished")

    def take(self, reply: str) -> None:
        """Carry out a command, or play a reply."""
        word = reply.strip().casefold()
        if word in self._commands:
            self._commands[word][1]()
        elif near := get_close_matches(word, self._commands, 1, 0.75) * word.startswith("/"):
            _say(f"There is no command {word}; did you mean {near[0]}?")
        elif self.episode.score is not None:
            _say("The task is over.", style="dim")
            self.help()
        else:
            try:
                move = written(reply, self.episode.task)
            except Mistyped as error:
                _say(f"Not played: {error}.")
                return
            self._step(move)
            self.show()

    def _step(self, reply: str) -> None:
        """Play a reply. One that could not be judged is as if it had not been given."""
        replies = [*self.episode.replies]
        try:
            self.episode.step(reply)
        except JudgeError as error:
            _say(f"The reply could not be judged: {error}", style="bold red")
            self.episode = Episode(self.episode.task, "bare", replies)

    # ------------------------------------------------------------------ what is shown

    def start(self) -> None:
        """Sample the task of the current level and seed, and show it."""
        title, task = self.sampled()
        self.episode = Episode(task, "bare")
        if terminal.out.is_terminal:
            terminal.out.print(Rule(title, style="dim"))
            _say("/help lists the commands.", style="dim")
            if functions_of(self.episode.task):
                _say("/tools lists the tools, and how calls are typed.", style="dim")
        else:
            _say(title)
        self.show()

    def sampled(self) -> tuple[str, Task]:
        """The task of the current level and seed, with its address."""
        address = Address.of(self.name, self.seed, self.level, None, **self.knobs)
        return str(address), address.task()

    def show(self) -> None:
        """Show the observation, or the score at the end."""
        score = self.episode.score
        if score is None:
            conversation = Conversation(self.episode, self.speaker, self._words)
            conversation.speak()
            self._words = conversation.words
            _say(f"\n{conversation.observation}\n")
            self._show_scene()
            return
        self._show_scene()
        style = "bold green" if score.correct else "bold red"
        _say(f"\nscore {score.value:g} {score.reason}".rstrip(), style=style)
        if terminal.out.is_terminal:
            _say("/next  /retry  /undo  /solution  /up  /down  /quit", style="dim")

    def _show_scene(self) -> None:
        """Draw what there is to see: what the text of the observation states as well, the final
        position of a game, or a puzzle with the reply drawn in.
        """
        if self.episode.scores is not None and isinstance(self.episode.task, Puzzle):
            self._draw(partial(self.episode.task.solved_scene, self.episode.moves[-1]))
        else:
            self._draw(partial(scene_of, self.episode))

    def _draw(self, describe: Callable[[], Scene | None]) -> None:
        """Draw a scene, if there is one that a terminal can show."""
        scene = None
        if self.shows_scenes:
            with suppress(InvalidAnswer):
                scene = describe()
        lines = lines_of(scene, terminal.out.width) if scene else None
        if lines:
            terminal.out.print(*lines, "", sep="\n", no_wrap=True)

    # ------------------------------------------------------------------ commands

    def help(self) -> None:
        """List the commands."""
        for name, (purpose, _) in self._commands.items():
            _say(f"{name:10} {purpose}")
        _say(
            "Any other input is a reply. A pasted text is one reply; Alt+Enter begins a new line, "
            f"and an empty line or Ctrl+D ends it. {LINE_BREAK} in a single line is a line break. "
            "A reply that begins with a space is played as it is, and no call of a tool."
        )

    def tools(self) -> None:
        """List the tools, with an example of how a call is typed."""
        functions = functions_of(self.episode.task)
        for name, function in functions.items():
            parameters = " ".join(f"{each}=…" for each in _properties(function))
            _say(f"{name} {parameters}".rstrip(), style="bold")
            _say(f"    {function.get('description', '')}")
        if not functions:
            _say("There are no tools.")

    def undo(self) -> None:
        """Take the last reply back."""
        if not self.episode.replies:
            _say("There is no reply to take back.")
            return
        self.episode = Episode(self.episode.task, "bare", self.episode.replies[:-1])
        self.show()

    def retry(self) -> None:
        """Start the same task again."""
        self.episode = Episode(self.episode.task, "bare")
        self.show()

    def solution(self) -> None:
        """Show the replies of a perfect player."""
        _say("A perfect player replies:", style="dim")
        functions = functions_of(self.episode.task)
        for move in self.episode.task.solve():
            _say(typed_form(move, functions) or move)
        if isinstance(self.episode.task, Puzzle):
            self._draw(partial(self.episode.task.solved_scene, self.episode.task.answer()))

    def next(self) -> None:
        """Go on to the task of the next seed."""
        self.seed += 1
        self.start()

    def change_level(self, by: int) -> None:
        """Go on to another level, if there is one."""
        levels = type(self.episode.task).Knobs.levels()
        if not 0 <= self.level + by < levels:
            _say(f"Levels go from 0 to {levels - 1}; this is level {self.level}.")
            return
        self.level += by
        self.start()

    def quit(self) -> None:
        """Stop."""
        self.is_over = True


class FilePlayer(Player):
    """Plays the levels of a file of PuzzleScript.

    Raises ``ValueError`` for a file that is no game or has no such level.
    """

    def __init__(self, path: Path, level: int, read: Reader, shows_scenes: bool = True) -> None:
        from palaestra.envs.games.puzzles.puzzlescript import environment

        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        self.game = environment(path)
        levels = self.game.Knobs.levels()
        if level >= levels:
            raise ValueError(f"levels of {path} go from 0 to {levels - 1}, not to {level}")
        super().__init__(str(path), level, 0, {}, read, None, shows_scenes)

    def sampled(self) -> tuple[str, Task]:
        """The task of the current level, with its place."""
        task = self.game.sample(Random(0), self.game.Knobs.at(self.level))
        return f"{self.name}, level {self.level}", task

    def next(self) -> None:
        """Go on to the next level."""
        self.change_level(1)


def _say(text: str, style: str | None = None) -> None:
    """Print a text, with its words wrapped where a person reads it."""
    if terminal.out.is_terminal:
        terminal.out.print(text, style=style)
    else:
        print(text)


# ---------------------------------------------------------------------------------- what is typed


def written(reply: str, task: Task) -> str:
    r"""The reply that is played: ``\n`` in a single line is a line break, and the name of a tool
    with arguments is a call. JSON is played as it is, and so is a text after a space.

    Raises :class:`Mistyped` for a call that is not complete.
    """
    text = reply.strip("\r\n")
    if text.startswith(" "):
        return text.strip().replace(LINE_BREAK, "\n")
    if text.lstrip().startswith(("{", "[", "<")):
        return text
    if "\n" not in text and (typed := typed_call(text, functions_of(task))):
        return typed
    return text if "\n" in text else text.replace(LINE_BREAK, "\n")


def functions_of(task: Task) -> dict[str, Mapping[str, Any]]:
    """The functions of a task's tools, by name."""
    return {each["function"]["name"]: each["function"] for each in task.tools()}


_NAMED = re.compile(r"\s[A-Za-z_]\w*=")


def typed_call(line: str, functions: Mapping[str, Mapping[str, Any]]) -> str:
    """The call that a line types, such as ``book room=Oak day=Tue``; empty where it types none.

    Arguments without a name are those of the first parameters that have none yet, in order. More
    of them than there are parameters are words of a sentence, and no call. Raises
    :class:`Mistyped` for arguments that do not fit.

    >>> function = {"parameters": {"properties": {"room": {}, "hour": {"type": "integer"}}}}
    >>> typed_call("book 'Oak Room' hour=9", {"book": function})
    '{"tool": "book", "args": {"room": "Oak Room", "hour": 9}}'
    """
    name = next(iter(line.split()), "")
    if name not in functions:
        return ""
    names_arguments = bool(_NAMED.search(line))
    try:
        arguments = _arguments(name, shlex.split(line)[1:], functions[name])
    except (ValueError, LookupError) as error:
        if names_arguments or isinstance(error, Mistyped):
            raise Mistyped(f"{error}; {_usage(name, functions[name])}") from None
        return ""
    return call(name, **arguments)


def _arguments(name: str, words: Sequence[str], function: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments that words state. Raises ``LookupError`` for a word too many."""
    properties = _properties(function)
    arguments: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not (equals and key in properties):
            if equals and key.isidentifier():
                raise Mistyped(f"{name} has no parameter {key!r}")
            key, text = next((each for each in properties if each not in arguments), ""), word
        if not key:
            raise LookupError(f"{name} has no parameter for {word!r}")
        if key in arguments:
            raise Mistyped(f"{key!r} has two values")
        arguments[key] = _value(text, properties[key].get("type", "string"))
    if missing := [
        key for key in function["parameters"].get("required", ()) if key not in arguments
    ]:
        raise Mistyped(f"{name} needs a value of {' and of '.join(missing)}")
    return arguments


def _usage(name: str, function: Mapping[str, Any]) -> str:
    return "type it as: " + " ".join([name, *(f"{key}=…" for key in _properties(function))])


def typed_form(move: str, functions: Mapping[str, Mapping[str, Any]]) -> str:
    """A call as :func:`typed_call` reads it; empty for a move that is none.

    >>> function = {"parameters": {"properties": {"room": {}, "hour": {"type": "integer"}}}}
    >>> typed_form(call("book", room="Oak Room", hour=9), {"book": function})
    "book room='Oak Room' hour=9"
    """
    with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
        wish = json.loads(move)
        properties = _properties(functions[wish["tool"]])
        words = [wish["tool"]]
        for key, value in wish["args"].items():
            is_text = properties[key].get("type", "string") == "string"
            words.append(f"{key}={shlex.quote(value if is_text else json.dumps(value))}")
        line = " ".join(words)
        if "\n" not in line and json.loads(typed_call(line, functions)) == wish:
            return line
    return ""


def _properties(function: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    properties: Mapping[str, Mapping[str, Any]] = function["parameters"].get("properties", {})
    return properties


def _value(text: str, json_type: str) -> Any:
    """A typed argument as a value of its type; text where it is none."""
    if json_type == "string":
        return text
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return text


# ------------------------------------------------------------------------------- where it is typed


def reader() -> Reader:
    """What reads replies: an editor of several lines in a terminal, and lines otherwise.

    Where standard output goes elsewhere, the editor is shown on standard error.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _editor()
    if sys.stdin.isatty() and sys.stderr.isatty():
        from prompt_toolkit.output import create_output

        return _editor(create_output(stdout=sys.stderr))
    return _line


def _discard_typed() -> None:
    """Forget what was typed and not read, such as the rest of a text that was pasted after the last
    reply, so that the shell does not run it.
    """
    if not sys.stdin.isatty():
        return
    with suppress(ImportError):  # Windows has no such queue
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _editor(output: Any = None) -> Reader:
    """An editor in which a pasted text is one reply, whatever lines it has.

    Enter ends a reply of one line, and one of several lines where the last one is empty.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: Any) -> None:
        buffer = event.current_buffer
        lines = buffer.text.split("\n")
        if len(lines) == 1 or not lines[-1].strip():
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("escape", "enter")
    def _(event: Any) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("c-d")
    def _(event: Any) -> None:
        buffer = event.current_buffer
        if buffer.text:
            buffer.validate_and_handle()
        else:
            event.app.exit(exception=EOFError)

    session: Any = PromptSession(multiline=True, key_bindings=keys, output=output)
    return lambda: str(session.prompt([("bold ansicyan", "> ")], prompt_continuation="  "))
