"""Random trees of small text files, with traps in directories, names and contents.

Near misses break careless scripts: ``plan.log.txt`` beside ``plan.log``, ``Amber`` beside
``amber``, a directory of the same name further down, files that are equal or empty.
"""

from functools import lru_cache
from random import Random

from palaestra.verifiers.programs.bash_task.scripts import Files, Kind, State

WORDS = (
    "amber", "birch", "cedar", "delta", "ember", "flint", "grove", "haven", "iris", "jade",
)  # fmt: skip
LEVELS = ("INFO", "WARN", "ERROR")
CITIES = ("Oslo", "Lima", "Bonn", "Kobe")
STEMS = (
    "plan", "note", "draft", "budget", "recipe", "letter", "poem", "menu", "report", "guide",
    "survey", "invoice", "journal", "sketch", "agenda", "memo", "quiz", "roster", "script", "trip",
)  # fmt: skip
FOLDERS = ("docs", "logs", "data", "notes", "old", "inbox", "lib", "lib2", "work")
ENDINGS = (".txt", ".md", ".log", ".csv")


class Clash(ValueError):
    """An impossible operation: two files at one path, or a line without columns."""


class Tree:
    """Files, directories and symbolic links by their paths, which begin below the top."""

    def __init__(self, files: Files) -> None:
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.folders: dict[str, None] = {}  # a dictionary keeps the order, which a set would not
        for path, text in files:
            self.put(path, text)

    def copy(self) -> "Tree":
        """A copy of the tree."""
        other = Tree(())
        other.files, other.links = dict(self.files), dict(self.links)
        other.folders = dict(self.folders)
        return other

    def put(self, path: str, text: str) -> None:
        """Write a new file and create its parent directories.

        Raises :class:`Clash` where something stands there already.
        """
        self._reach(path)
        self.files[path] = text

    def link(self, path: str, target: str) -> None:
        """Create a symbolic link. Raises :class:`Clash` if the path exists."""
        self._reach(path)
        self.links[path] = target

    def move(self, path: str, to: str) -> None:
        """Move a file. Raises :class:`Clash` if the target exists."""
        text = self.files.pop(path)
        self.put(to, text)

    def _reach(self, path: str) -> None:
        parents = above(path)
        for each in (path, *parents):
            if each in self.files or each in self.links:
                raise Clash(path)
        if path in self.folders:
            raise Clash(path)
        self.folders.update(dict.fromkeys(parents))

    def state(self) -> State:
        """The entry at each path."""
        entries: dict[str, tuple[Kind, str]] = dict.fromkeys(self.folders, ("directory", ""))
        entries |= {path: ("file", text) for path, text in self.files.items()}
        return entries | {path: ("link", target) for path, target in self.links.items()}


def above(path: str) -> tuple[str, ...]:
    """The directories above a path.

    >>> above("a/b/c.txt")
    ('a', 'a/b')
    """
    return _upto(parent(path))


@lru_cache(maxsize=1024)
def _upto(folder: str) -> tuple[str, ...]:
    """A directory, and those above it before it."""
    return (*_upto(parent(folder)), folder) if folder else ()


def base(path: str) -> str:
    """The name at the end of a path."""
    return path.rpartition("/")[2]


def parent(path: str) -> str:
    """The path of the directory that holds a path; nothing for the top.

    >>> parent("a/b/c.txt"), parent("c.txt")
    ('a/b', '')
    """
    return path.rpartition("/")[0]


def within(folder: str, name: str) -> str:
    """The path of a name in a directory.

    >>> within("a/b", "c.txt"), within("", "c.txt")
    ('a/b/c.txt', 'c.txt')
    """
    return f"{folder}/{name}" if folder else name


def drawn_files(rng: Random, number: int, oddity: int) -> Files:
    """Files of different names. ``oddity`` is how strange the names are, from 0 to 2."""
    folders = drawn_folders(rng, 2 + number // 4)
    contents: dict[str, str] = {}
    names: dict[str, None] = {}
    by_ending: dict[str, list[str]] = {}
    while len(contents) < number:
        name, ending = drawn_name(rng, oddity)
        if name.casefold() in names:
            continue
        names[name.casefold()] = None
        equals = by_ending.setdefault(ending, [])
        text = rng.choice(equals) if equals and rng.random() < 0.15 else drawn_text(rng, ending)
        equals.append(text)
        folder = rng.choice(folders)
        contents[within(folder, name)] = text
    return tuple(sorted(contents.items()))


def drawn_folders(rng: Random, number: int) -> list[str]:
    """The top, as an empty text, and directories in it and below."""
    folders = [""]
    while len(folders) <= number:
        path = within(rng.choice(["", *folders]), rng.choice(FOLDERS))
        if path not in folders and path.count("/") < 3:
            folders.append(path)
    return folders


def drawn_name(rng: Random, oddity: int) -> tuple[str, str]:
    """A name, and the extension that determines its contents."""
    stem, other, ending = rng.choice(STEMS), rng.choice(STEMS), rng.choice(ENDINGS)
    ways = [stem, f"{stem}{rng.randint(1, 30)}", f"{stem}_{other}", f"old_{stem}", stem.title()]
    if oddity > 0:
        ways += [f"{stem} {other}", f"{stem} {rng.randint(1, 9)}", f"{stem.upper()}_{other}"]
    if oddity > 1:
        ways += [f".{stem}", f"-{stem}", f"{stem}  {other}", f"{stem} ({rng.randint(1, 9)})"]
        ways += [f"{stem}*", f"{stem}'s {other}", f"{stem} & {other}", f"{stem}[{other}]"]
    name = rng.choice(ways)
    trap = rng.random()
    if trap < 0.06:
        return f"{name}{ending}{rng.choice(ENDINGS[:2])}", ".txt"
    if trap < 0.12:
        return f"{name}_{ending[1:]}{rng.choice(ENDINGS[:2])}", ".txt"
    return f"{name}{ending}", ending


def drawn_text(rng: Random, ending: str) -> str:
    """The contents of a file by its extension; every line ends with a line break."""
    if rng.random() < 0.08:
        return ""
    lines = [drawn_line(rng, ending) for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 5, 6)))]
    lines = [lines[n - 1] if n and rng.random() < 0.12 else line for n, line in enumerate(lines)]
    if ending == ".md":
        lines[0] = rng.choice((f"# {lines[0]}", lines[0]))
        lines[1:2] = ["", *lines[1:2]] if len(lines) > 1 else []
    return "".join(f"{line}\n" for line in lines)


def drawn_line(rng: Random, ending: str) -> str:
    """A line of a file by its extension."""
    if ending == ".log":
        return f"{rng.choice(LEVELS)} {rng.choice(WORDS)} {rng.randint(1, 60)}"
    if ending == ".csv":
        return f"{rng.choice(WORDS)},{rng.choice(CITIES)},{rng.randint(1, 60)}"
    words = [drawn_word(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    return " ".join(["-", *words] if ending == ".md" else words)


def drawn_word(rng: Random) -> str:
    """A word, sometimes capitalised or in the plural."""
    word = rng.choice(WORDS)
    return rng.choice((word,) * 6 + (word.title(), f"{word}s"))


def listing(files: Files) -> str:
    """A listing of files with their contents."""
    shown = []
    for path, text in files:
        shown.append(path if text else f"{path} (empty)")
        shown += [f"    {line}".rstrip() for line in text.splitlines()]
    return "\n".join(shown)
