"""A copy of what programs need, in memory of the jail's own.

Whatever two jails show of the same file can be felt from one to the other: which of its pages are
in memory, who waits on a futex in one of them. So programs are shown copies: the interpreter, the
standard library, the shared libraries that these need, a shell and its usual commands.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from struct import iter_unpack, unpack_from

UNUSED = {
    *("__pycache__", "dist-packages", "ensurepip", "idlelib", "lib2to3", "pydoc_data"),
    *("site-packages", "test", "tests", "tkinter", "turtledemo"),
}
"""Parts of the standard library that no program has a use for, or that are hidden from it. Compiled
modules are copied with their sources."""

UNUSED_MODULES = ("_ctypes_test", "_test", "_tkinter", "_xx", "nis.", "xx")

COMMANDS = (
    *("sh", "bash", "awk", "sed", "grep", "find", "xargs", "diff", "cmp", "basename", "cat"),
    *("chmod", "comm", "cp", "cut", "date", "dirname", "echo", "env", "expr", "expand", "factor"),
    *("false", "fold", "head", "id", "join", "ln", "ls", "mkdir", "mkfifo", "mktemp", "mv", "nl"),
    *("nproc", "od", "paste", "printf", "pwd", "readlink", "realpath", "rev", "rm", "rmdir", "seq"),
    *("shuf", "sleep", "sort", "split", "tac", "tail", "tee", "test", "timeout", "touch", "tr"),
    *("true", "tsort", "uname", "uniq", "wc", "whoami", "yes"),
)
LIBRARIES = ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "libdl.so.2",
             "libatomic.so.1", "libgomp.so.1", "librt.so.1")  # fmt: skip
"""What compiled programs are linked to."""

OTHERS = ("/etc/ld.so.cache", "/etc/localtime", "/usr/lib/locale/C.utf8")
ZONES = "/usr/share/zoneinfo"
PATHS = ("/usr/local/bin", "/usr/bin", "/bin")
ARCH = os.uname().machine
FOLDERS = (
    *(f"/lib/{ARCH}-linux-gnu", f"/usr/lib/{ARCH}-linux-gnu", "/lib64", "/usr/lib64", "/lib"),
    *("/usr/lib", "/usr/local/lib"),
)  # fmt: skip
"""Where the dynamic linker looks, on the systems that there are."""

LOAD, DYNAMIC, INTERPRETER = 1, 2, 3
NEEDED, STRINGS, RPATH, RUNPATH = 1, 5, 15, 29


def copy(root: str) -> None:
    """Copies everything into a directory, at the places where it lies."""
    created: set[str] = set()
    programs = [os.path.realpath(sys.executable), *commands()]
    modules = list(library(os.path.dirname(os.__file__)))
    linked = [*programs, *(file for file in modules if file.endswith(".so"))]
    shared = libraries(linked)
    for link in ("/bin", "/lib", "/lib64", "/sbin"):
        if os.path.islink(link):
            os.symlink(os.readlink(link), root + link)
    for file in (*programs, *modules, *shared, *within(OTHERS), *zones()):
        copied(root, file, created)
    if not os.path.lexists(f"{root}/usr/bin/python3"):
        os.symlink(programs[0], f"{root}/usr/bin/python3")
    for name in COMMANDS:  # by their usual names, which can be links such as awk
        if (path := which(name)) is not None:
            copied(root, path, created)


def copied(root: str, path: str, created: set[str]) -> None:
    """Copies a file, or a link with what it points to, once."""
    parent, _, name = path.rpartition("/")
    folder = real(parent)
    path = f"{folder}/{name}"
    if path in created:
        return
    created.add(path)
    if folder not in created:
        os.makedirs(root + folder, exist_ok=True)
        created.add(folder)
    if os.path.islink(path):
        text = os.readlink(path)
        os.symlink(text, root + path)
        copied(root, os.path.join(folder, text), created)
        return
    source = os.open(path, os.O_RDONLY)
    status = os.fstat(source)
    target = os.open(
        root + path, os.O_WRONLY | os.O_CREAT, 0o555 if status.st_mode & 0o111 else 0o444
    )
    rest = min(status.st_size, loaded(path))
    while rest and (sent := os.sendfile(target, source, None, rest)):
        rest -= sent
    if name.endswith(".py"):  # or what is compiled would be taken for that of another source
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    os.close(source)
    os.close(target)


@cache
def real(folder: str) -> str:
    """Where a directory lies, without links."""
    return os.path.realpath(folder)


def library(folder: str) -> Iterator[str]:
    """The files of the standard library, compiled modules among them."""
    suffix = f".{sys.implementation.cache_tag}.pyc"
    there = set(
        os.listdir(f"{folder}/__pycache__") if os.path.isdir(f"{folder}/__pycache__") else ()
    )
    for entry in os.scandir(folder):
        name = entry.name
        if entry.is_dir():
            if name not in UNUSED and not name.startswith("config-3"):
                yield from library(entry.path)
        elif name.endswith((".py", ".so")) and not name.startswith(UNUSED_MODULES):
            yield entry.path
            if (compiled := name.removesuffix(".py") + suffix) in there:
                yield f"{folder}/__pycache__/{compiled}"


def commands() -> Iterator[str]:
    """The programs of a shell, where they really lie."""
    for name in COMMANDS:
        if (path := which(name)) is not None:
            yield os.path.realpath(path)


def which(name: str) -> str | None:
    """Where a command lies."""
    folders = (os.path.join(folder, name) for folder in PATHS)
    return next((path for path in folders if os.path.exists(path)), None)


def within(paths: Iterable[str]) -> Iterator[str]:
    """The files that there are at or below some paths."""
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                yield from (os.path.join(folder, name) for name in names)
        elif os.path.exists(path):
            yield path


def zones() -> Iterator[str]:
    """The time zones, without the forms of them that count leap seconds."""
    return (file for file in within([ZONES])
            if not file.startswith((f"{ZONES}/right/", f"{ZONES}/posix/")))  # fmt: skip


# ------------------------------------------------------------------ what programs are linked to


def libraries(files: Iterable[str]) -> set[str]:
    """The shared libraries that programs and modules need, the dynamic linker among them."""
    library_paths: set[str] = set()
    waiting = [*files, *(path for name in LIBRARIES if (path := located(name, ())))]
    library_paths |= {path for path in waiting if ".so." in os.path.basename(path)}
    seen: set[str] = set()
    while waiting:
        file = os.path.realpath(waiting.pop())
        if file in seen:
            continue
        seen.add(file)
        interpreter, folders, names = linked(file)
        paths = [path for name in names if (path := located(name, folders))]
        for path in (*paths, *([interpreter] if interpreter else [])):
            if path not in library_paths:
                library_paths.add(path)
                waiting.append(path)
    return library_paths


def located(name: str, folders: Iterable[str]) -> str | None:
    """Where a shared library lies."""
    paths = (os.path.join(folder, name) for folder in (*folders, *FOLDERS))
    return next((path for path in paths if os.path.exists(path)), None)


def loaded(file: str) -> int:
    """How many bytes of a file are of use: of programs and libraries those that are loaded, which
    those for debuggers lie behind.
    """
    name = file.rpartition("/")[2]
    if not (name.endswith(".so") or ".so." in name or "/bin/" in file):
        return 1 << 62
    rows = segments(file)
    return max((start + length for _, start, _, length in rows), default=1 << 62)


@cache
def segments(file: str) -> list[tuple[int, int, int, int]]:
    """The segments of a file in the Executable and Linkable Format (elf(5)): their kinds, where
    they start in the file and in memory, and their lengths.

    Only of 64-bit little-endian files, which those of x86_64 and aarch64 are; none of others.
    """
    with open(file, "rb") as stream:
        head = stream.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            return []
        (table,), (size, count) = unpack_from("<Q", head, 32), unpack_from("<HH", head, 54)
        stream.seek(table)
        rows = [unpack_from("<IIQQQQQQ", stream.read(size)) for _ in range(count)]
    return [(row[0], row[2], row[3], row[5]) for row in rows]


def linked(file: str) -> tuple[str, list[str], list[str]]:
    """The dynamic linker that a file names, the directories that it has its libraries looked for
    in, and their names.
    """
    rows = segments(file)
    with open(file, "rb") as stream:

        def part(start: int, length: int) -> bytes:
            stream.seek(start)
            return stream.read(length)

        interpreter, entries = "", []
        for segment_type, start, _, length in rows:
            if segment_type == INTERPRETER:
                interpreter = part(start, length).rstrip(b"\0").decode()
            elif segment_type == DYNAMIC:
                entries = list(iter_unpack("<QQ", part(start, length - length % 16)))
        address = next((value for tag, value in entries if tag == STRINGS), 0)
        strings = next((start + address - at for segment_type, start, at, length in rows
                        if segment_type == LOAD and at <= address < at + length), 0)  # fmt: skip

        def text(offset: int) -> str:
            return part(strings + offset, 4096).split(b"\0", 1)[0].decode()

        names = [text(value) for tag, value in entries if tag == NEEDED]
        paths = [text(value) for tag, value in entries if tag in {RPATH, RUNPATH}]
    origin = os.path.dirname(file)
    folders = [folder.replace("$ORIGIN", origin).replace("${ORIGIN}", origin)
               for path in paths for folder in path.split(":") if folder]  # fmt: skip
    return interpreter, folders, names
