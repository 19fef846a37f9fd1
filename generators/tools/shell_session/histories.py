"""Requests to restore an earlier state: undoing renames by their log, replacing damaged files."""

from hashlib import sha256
from posixpath import dirname
from random import Random
from shlex import quote

from palaestra.generators.tools.shell.trees import Entry
from palaestra.generators.tools.shell_session.family import (
    Draft,
    Family,
    Names,
    Terms,
    Use,
    roles,
    sentence,
)

ARROW = " -> "

# Renames


def draw_renames(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Files after a series of renames, some of which take a name that another has given up."""
    names = Names(rng, odd)
    start = {
        f"{names.stem()}.dat": f"{sentence(rng)} {rng.getrandbits(40):x}\n" for _ in range(size)
    }
    while True:
        files, lines = _renamed(rng, names, start)
        orders = (lines, lines[::-1], [line for line in lines if line.startswith("ok ")])
        undone = [_undone(files, order, keep) for order in orders for keep in (False, True)]
        if start not in (files, *undone):
            break
    name = f"{rng.choice(('rename', 'moves', 'changes'))}.log"
    log = Entry("file", "".join(f"{line}\n" for line in lines))
    return Draft(_below(area, files, name, log), _below(area, start, name, log), {"log": name})


def _below(area: str, files: dict[str, str], name: str, log: Entry) -> dict[str, Entry]:
    entries = {f"{area}/{path}": Entry("file", text) for path, text in files.items()}
    return {**entries, f"{area}/{name}": log}


def _renamed(rng: Random, names: Names, start: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Files after about as many renames as there are files, and the lines of the log."""
    files, lines, freed = dict(start), list[str](), list[str]()
    for _ in range(len(start)):
        old = rng.choice(sorted(files))
        is_chained = bool(freed) and rng.random() < 0.6
        new = freed.pop(rng.randrange(len(freed))) if is_chained else f"{names.stem()}.dat"
        if rng.random() < 0.2:
            lines.append(_failed(rng, files, freed))
            continue
        if new == old or new in files:
            continue
        files[new] = files.pop(old)
        freed.append(old)
        lines.append(f"ok {old}{ARROW}{new}")
    return files, lines


def _failed(rng: Random, files: dict[str, str], freed: list[str]) -> str:
    """The line of a rename that failed: its new name is taken, and its old one perhaps gone."""
    new = rng.choice(sorted(files))
    old = rng.choice(freed or sorted(files.keys() - {new}))
    return f"failed {old}{ARROW}{new}"


def _undone(files: dict[str, str], lines: list[str], keep: bool) -> dict[str, str]:
    """The files after a careless repair that takes back failed renames, too, and may ``keep`` a
    file from being overwritten.
    """
    files = dict(files)
    for line in lines:
        old, _, new = line.partition(" ")[2].partition(ARROW)
        if new in files and not (keep and old in files):
            files[old] = files.pop(new)
    return files


def undo_renames(use: Use, area: str, terms: Terms) -> None:
    """Read the log, and take back what went well, the last rename first."""
    lines = use(f"ls {quote(area)} | head -n 20 > /dev/null; cat {quote(area)}/{terms['log']}")
    commands = [f"cd {quote(area)}"]
    for line in reversed(lines):
        result, _, names = line.partition(" ")
        old, _, new = names.partition(ARROW)
        if result == "ok":
            commands.append(f"mv -n -- {quote(new)} {quote(old)}")
    use("\n".join([*commands, "cd .."]))


def careless_renames(area: str, terms: Terms) -> str:
    """Take back the renames in the order of the log."""
    return (
        f"cd {quote(area)}; sed 's/^[a-z]* //; s/ -> /\\t/' {terms['log']} "
        '| while IFS=\'\t\' read -r old new; do mv -- "$new" "$old"; done; cd ..'
    )


RENAMES = Family(
    ("photos", "samples", "scans", "takes", "frames"),
    (
        "A script renamed files in {area} by mistake and wrote {log} there. Undo all its renames.",
        "Undo the renames in {area}; they are listed in the file {log} there.",
        "Give the files in {area} the names that they had before the renames in {area}/{log}.",
        "The file {log} in {area} lists renames that should not have happened. Reverse them.",
        "Use the log {area}/{log} to restore the old names of all files in {area}.",
    ),
    "The log has one line for each rename in the order in which they were done: ok or failed, the "
    "old name, an arrow, the new name. A rename that failed has changed nothing. Keep the log.",
    draw_renames,
    undo_renames,
    careless_renames,
)

# Checksums

SUMS = "SHA256SUMS"
BACKUPS = ("backup-1", "backup-2")


def draw_damage(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Files with checksums, some of them damaged or lost, and two backups of mixed quality."""
    names = Names(rng, odd)
    tree: dict[str, Entry] = {}
    wanted: dict[str, Entry] = {}
    sums = list[str]()
    folders = ["", "", "data/", "data/raw/", "pages/"]
    for role in roles(rng, size, 1, ("right", "lost", "unlisted"), "fine"):
        path = f"{rng.choice(folders)}{names.stem()}.txt"
        text, damaged, stale = (f"{sentence(rng)} {rng.getrandbits(64):x}\n" for _ in range(3))
        intact = len(sums) % 2
        copies = [stale, text] if intact else [text, stale]
        if role == "unlisted":
            tree[f"{area}/{path}"] = wanted[f"{area}/{path}"] = Entry("file", damaged)
            tree[f"{area}/{BACKUPS[0]}/{path}"] = Entry("file", text)
            continue
        sums.append(f"{sha256(text.encode()).hexdigest()}  {path}")
        if role != "lost":
            tree[f"{area}/{path}"] = Entry("file", text if role == "fine" else damaged)
        wanted[f"{area}/{path}"] = Entry("file", text)
        for folder, copy in zip(BACKUPS, copies):
            if copy == text or len(sums) == 1 or rng.random() < 0.8:
                tree[f"{area}/{folder}/{path}"] = Entry("file", copy)
    tree[f"{area}/{SUMS}"] = Entry("file", "\n".join(sums) + "\n")
    return Draft(tree, {**tree, **wanted}, {"sums": SUMS})


def restore_files(use: Use, area: str, terms: Terms) -> None:
    """Check the files and both backups, and copy what is intact to where it is not."""
    check = f"sha256sum -c --quiet ../{terms['sums']} 2> /dev/null"
    quoted_area = quote(area)
    broken = use(f"cd {quoted_area}; sha256sum -c --quiet {terms['sums']} 2> /dev/null; cd ..")
    paths = [line.rpartition(": FAILED")[0] for line in broken]
    commands = [f"cd {quoted_area}"]
    failed = [
        {line.rpartition(": FAILED")[0] for line in use(f"(cd {quoted_area}/{folder}; {check})")}
        for folder in BACKUPS
    ]
    for path in paths:
        folder = next(f for f, unfit in zip(BACKUPS, failed) if path not in unfit)
        commands.append(f"mkdir -p {quote(dirname(path) or '.')}")
        commands.append(f"cp -- {quote(f'{folder}/{path}')} {quote(path)}")
    use("\n".join([*commands, "cd .."]))


def careless_restore(area: str, terms: Terms) -> str:
    """Copy one backup over everything."""
    return f"cd {quote(area)}; cp -r {BACKUPS[0]}/. .; cd .."


DAMAGE = Family(
    ("store", "vault", "mirror", "depot", "dataset"),
    (
        (
            "Some files in {area} are damaged or missing. Restore them from the backups, "
            "guided by {area}/{sums}."
        ),
        (
            "Check the files in {area} against {sums} there, and replace those that do not match "
            "from "
            "the backups."
        ),
        (
            "Make {area} agree with its {sums} again: wrong and missing files are to come from "
            "the backups."
        ),
        (
            "Restore the damaged files of {area}. The right checksums are in {sums}, copies in the "
            "backups."
        ),
        (
            "{area}/{sums} lists the files of {area} with checksums; take those that are wrong "
            "or gone "
            "from the backups."
        ),
    ),
    f"The backups are {{area}}/{BACKUPS[0]} and {{area}}/{BACKUPS[1]}; a copy there may be "
    f"damaged, "
    "too, or missing. Do not change the backups, the list, or files that it does not name.",
    draw_damage,
    restore_files,
    careless_restore,
)
