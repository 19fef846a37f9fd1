"""Trees of files as data: what stands at each path, and in what two trees differ."""

import posixpath
import zlib
from collections.abc import Mapping
from typing import Literal, NamedTuple

from palaestra.generators.tools.engine import Changes

Category = Literal["file", "directory", "link", "compressed"]
"""Of an entry that is wanted: ``compressed`` is any file in the format of gzip with that text."""

SCRIPT, PLAIN = 0o755, 0o644
LARGEST = 200_000
"""How many bytes are read of a compressed file."""


class Entry(NamedTuple):
    """A file with its text, a directory, or a link with its target. Bytes of a file that are not
    UTF-8 are lone surrogates of the text, as in ``os.fsdecode``.
    """

    category: Category
    text: str = ""
    mode: int = PLAIN
    time: int = 0
    """When it was last modified, in seconds since 1970."""


FOLDER = Entry("directory", mode=SCRIPT)

Tree = Mapping[str, Entry]
"""The entries by their paths, which begin below the top."""


def above(path: str) -> list[str]:
    """The directories above a path.

    >>> above("a/b/c.txt")
    ['a', 'a/b']
    """
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def whole(entries: Tree) -> dict[str, Entry]:
    """A tree with all directories that its paths need."""
    tree: dict[str, Entry] = {}
    for path, entry in entries.items():
        for folder in above(path):
            tree.setdefault(folder, FOLDER)
        tree[path] = entry
    return tree


def content(path: str, entry: Entry | None) -> str:
    """What stands at a path in a form that is the same for what is as good: texts do not depend on
    line breaks at their end, links not on the way to their target, and compressed files not on how
    they were compressed. Nothing stands at the path of ``None``.
    """
    if entry is None:
        return ""
    if entry.category == "link":
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), entry.text))
        return f"link to {target}"
    text = entry.text
    if entry.category == "file" and path.endswith(".gz"):
        unpacked = decompressed(text.encode("utf-8", "surrogateescape"))
        if unpacked is not None:
            return f"compressed: {unpacked.rstrip()}"
    return f"{entry.category}: {text.rstrip()}"


def decompressed(data: bytes) -> str | None:
    """The text of a file in the format of gzip; ``None`` for another or one that is too large."""
    reader = zlib.decompressobj(wbits=31)
    try:
        text = reader.decompress(data, LARGEST)
    except zlib.error:
        return None
    return text.decode("utf-8", "surrogateescape") if reader.eof else None


def differences(start: Tree, tree: Tree) -> Changes:
    """The new contents of all paths whose contents differ, and the new modes of those that were a
    file or a directory, and are, but have another mode.
    """
    changes: Changes = {}
    for path in start.keys() | tree.keys():
        before, after = start.get(path), tree.get(path)
        if before == after:
            continue
        if content(path, before) != content(path, after):
            changes["content", path] = content(path, after)
        if before and after and before.category == after.category != "link":
            changes |= {("mode", path): f"{after.mode:o}"} if before.mode != after.mode else {}
    return changes
