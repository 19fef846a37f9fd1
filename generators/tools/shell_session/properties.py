"""Requests about modes, links and times: permissions of files, links that a renamed directory has
broken, logs to be compressed.
"""

import posixpath
from datetime import UTC, datetime, timedelta
from random import Random
from shlex import quote

from palaestra.generators.tools.shell.trees import Entry
from palaestra.generators.tools.shell_session.family import (
    WORDS,
    Draft,
    Family,
    Names,
    Terms,
    Use,
    awk,
    quoted,
    roles,
    sentence,
)

# Permissions

KEY = "-----BEGIN PRIVATE KEY-----"
PUBLIC = "-----BEGIN PUBLIC KEY-----"
MODES = (0o644, 0o600, 0o755, 0o777, 0o640, 0o700, 0o664, 0o660)


def draw_modes(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Scripts, keys and other files with modes at random."""
    names = Names(rng, odd)
    folders = names.folders(area, 2 + size // 6)
    terms = {
        "scripts": rng.choice(["755", "750", "700"]),
        "keys": rng.choice(["600", "400"]),
        "others": rng.choice(["644", "640", "664"]),
    }
    tree: dict[str, Entry] = {}
    wanted: dict[str, Entry] = {}
    traps = ("key", "bare", "late", "public", "mention")
    for role in roles(rng, size, 2, traps, "other"):
        suffix = {
            "right": rng.choice([".sh", "", ".txt"]),
            "bare": ".sh",
            "late": rng.choice([".sh", ".py"]),
            "key": rng.choice([".key", ".pem", ".txt"]),
            "public": rng.choice([".key", ".pem"]),
        }.get(role, rng.choice([".txt", ".md", ".cfg"]))
        path = f"{rng.choice(folders)}/{names.stem()}{suffix}"
        entry = Entry("file", _text(rng, role), rng.choice(MODES))
        tree[path] = entry
        mode = terms[{"right": "scripts", "key": "keys"}.get(role, "others")]
        wanted[path] = entry._replace(mode=int(mode, 8))
    return Draft(tree, wanted, terms)


def _text(rng: Random, role: str) -> str:
    shebang = rng.choice(["#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env python3"])
    code = f"{rng.getrandbits(96):024x}"
    lines = {
        "right": [shebang, f"echo {code}"],
        "late": [f"# {sentence(rng)}", shebang, f"echo {code}"],
        "bare": [f"echo {code}"],
        "key": [sentence(rng)] * rng.randint(0, 1) + [KEY, code, "-----END PRIVATE KEY-----"],
        "public": [PUBLIC, code, "-----END PUBLIC KEY-----"],
        "mention": [f"A key begins with {KEY} in this format.", sentence(rng)],
    }.get(role, [sentence(rng), code])
    return "\n".join(lines) + "\n"


def set_modes(use: Use, area: str, terms: Terms) -> None:
    """List scripts and keys by content, and set the modes of all files, then of those."""
    use(f"ls -lR {quote(area)} | head -n 30")
    scripts = use(awk(area, "*", "FNR == 1 && /^#!/ { print FILENAME }"))
    keys = use(f"grep -rlx -e {quote(KEY)} {quote(area)}")
    use(
        f"find {quote(area)} -type f -exec chmod {terms['others']} {{}} +\n"
        f"chmod {terms['scripts']} -- {quoted(scripts)}\nchmod {terms['keys']} -- {quoted(keys)}"
    )


def careless_modes(area: str, terms: Terms) -> str:
    """Set modes by the names of files."""
    return (
        f"find {quote(area)} -type f -exec chmod {terms['others']} {{}} +; "
        f"find {quote(area)} -name '*.sh' -exec chmod {terms['scripts']} {{}} +; "
        f"find {quote(area)} -name '*.key' -exec chmod {terms['keys']} {{}} +"
    )


PERMISSIONS = Family(
    ("deploy", "tools", "bundle", "release", "scripts"),
    (
        (
            "The permissions below {area} are wrong. Scripts must have mode {scripts}, private "
            "keys {keys}, all other files {others}."
        ),
        (
            "Repair the modes of the files in {area}: {keys} for private keys, {scripts} for "
            "scripts, {others} for the rest."
        ),
        (
            "Set permissions in {area} again: {others} is for ordinary files, {scripts} for "
            "scripts and {keys} for files with a private key."
        ),
        (
            "Every script below {area} gets mode {scripts}; every file with a private key gets "
            "{keys}; any other file gets {others}."
        ),
        (
            "Somebody has mixed up the modes in {area}. They should be {keys} (private keys), "
            "{others} (other files) and {scripts} (scripts)."
        ),
    ),
    "A script is a file whose first line begins with #!, whatever its name is; a file has a "
    "private "
    f"key if one of its lines is exactly {KEY}. Leave the modes of directories as they are.",
    draw_modes,
    set_modes,
    careless_modes,
)

# Links


def draw_links(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Links to a directory that was renamed, beside others that work or are broken."""
    names = Names(rng, odd)
    old, new = rng.sample(WORDS, 2)
    files = [f"{sub}{names.stem()}.txt" for sub in ["", "", "a/", "b/", "b/c/"]]
    files += [f"{rng.choice(['', 'a/', 'b/'])}{names.stem()}.txt" for _ in range(size // 3)]
    tree = {f"{area}/{new}/{file}": Entry("file", f"{sentence(rng)}\n") for file in files}
    for file in files[:3]:
        tree[f"{area}/{old}-2/{file}"] = Entry("file", f"{sentence(rng)}\n")
    links = [f"{area}/{folder}" for folder in ("links", "links/top", f"views/{old}", "views")]
    wanted = dict(tree)
    for role in roles(rng, size, 2, ("gone", "fine", "missing", "like", "absent"), "right"):
        folder, file = rng.choice(links), rng.choice(files)
        path = f"{folder}/{names.stem()}"
        lost = f"{names.stem()}.txt"
        target = {
            "gone": f"{area}/{old}/{lost}",
            "fine": f"{area}/{new}/{file}",
            "missing": f"{area}/lost/{file}",
            "like": f"{area}/{old}-2/{rng.choice(files[:3])}",
            "absent": f"{area}/{old}-2/{lost}",
        }.get(role, f"{area}/{old}/{file}")
        entry = Entry("link", posixpath.relpath(target, folder), 0o777)
        tree[path] = entry
        if role == "right":
            entry = entry._replace(text=posixpath.relpath(f"{area}/{new}/{file}", folder))
        if role != "gone":
            wanted[path] = entry
    return Draft(tree, wanted, {"old": f"{area}/{old}", "new": f"{area}/{new}"})


def repair_links(use: Use, area: str, terms: Terms) -> None:
    """List the broken links and the files, and set or delete the links into the old directory."""
    files = set(use(f"find {quote(terms['new'])} -type f"))
    commands = []
    for line in use(f"find {quote(area)} -xtype l -printf '%p\\t%l\\n'"):
        path, _, text = line.partition("\t")
        folder = posixpath.dirname(path)
        target = posixpath.normpath(f"{folder}/{text}")
        if not target.startswith(f"{terms['old']}/"):
            continue
        moved = terms["new"] + target.removeprefix(terms["old"])
        if moved in files:
            way = posixpath.relpath(moved, folder)
            commands.append(f"ln -sfn -- {quote(way)} {quote(path)}")
        else:
            commands.append(f"rm -- {quote(path)}")
    use("\n".join(commands))


def careless_links(area: str, terms: Terms) -> str:
    """Delete all broken links."""
    return f"find {quote(area)} -xtype l -delete"


LINKS = Family(
    ("site", "library", "gallery", "archive", "catalogue"),
    (
        (
            "The directory {old} is now called {new}, and symbolic links below {area} are broken. "
            "Repair them."
        ),
        "Repair the symbolic links in {area} that broke when {old} was renamed to {new}.",
        (
            "{new} used to be {old}. Some links below {area} still point into the old directory; "
            "correct them."
        ),
        (
            "Since the renaming of {old} to {new}, links in {area} lead nowhere. Make them right "
            "again."
        ),
        (
            "Links below {area} into {old} must lead into {new}, which is the new name of that "
            "directory."
        ),
    ),
    "A link whose target was in {old} gets a relative path to the same file in {new}; if there is "
    "no such file, delete the link. All other links, broken ones too, stay as they are.",
    draw_links,
    repair_links,
    careless_links,
)

# Logs


def draw_logs(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Logs of different ages, of which the old ones without errors are to be compressed."""
    names = Names(rng, odd)
    folders = names.folders(area, 2 + size // 6)
    limit = datetime(2024, rng.randint(2, 11), rng.randint(2, 27), tzinfo=UTC)
    word = rng.choice(["ERROR", "FATAL", "ALERT"])
    tree: dict[str, Entry] = {}
    wanted: dict[str, Entry] = {}
    traps = ("recent", "failed", "quoted", "suffix")
    for role in roles(rng, size, 1, traps, "recent"):
        is_old = role != "recent"
        days = rng.choice([0, 0, 1, 3, 30, 200])
        seconds = rng.randint(60, 86_000)
        day = limit - timedelta(days=days + 1) if is_old else limit + timedelta(days=min(days, 30))
        moment = int((day + timedelta(seconds=seconds)).timestamp())
        dated = limit + timedelta(days=rng.randint(-40, 40))
        suffix = rng.choice([".log.1", ".log.txt", ".logs"]) if role == "suffix" else ".log"
        path = f"{rng.choice(folders)}/{names.stem()}-{dated:%Y-%m-%d}{suffix}"
        entry = Entry("file", _log(rng, role, word), time=moment)
        tree[path] = entry
        if role in {"right", "quoted"}:
            wanted[f"{path}.gz"] = entry._replace(category="compressed")
        else:
            wanted[path] = entry
    return Draft(tree, wanted, {"date": f"{limit:%Y-%m-%d}", "word": word})


def _log(rng: Random, role: str, word: str) -> str:
    lines = [f"{rng.choice(('INFO', 'WARN', 'DEBUG'))} {sentence(rng)}" for _ in range(3)]
    if role == "failed" or (role == "recent" and rng.random() < 0.3):
        lines.insert(rng.randint(0, 3), f"{word} {sentence(rng)}")
    if role == "quoted":
        lines.insert(rng.randint(0, 3), f"INFO no {word} since then. {sentence(rng)}")
    return "\n".join(lines) + "\n"


def compress_logs(use: Use, area: str, terms: Terms) -> None:
    """List the old logs without a line that begins with the word, and compress them."""
    use(f"ls -lR --time-style=long-iso {quote(area)} | head -n 40")
    paths = use(
        f"find {quote(area)} -type f -name '*.log' ! -newermt '{terms['date']} 00:00:00' "
        f"-exec grep -L '^{terms['word']}' {{}} +"
    )
    use(f"gzip -- {quoted(paths)}")


def careless_logs(area: str, terms: Terms) -> str:
    """Compress the logs that do not have the word."""
    return f"grep -rLZ {terms['word']} {quote(area)} --include='*.log' | xargs -0 gzip"


LOGS = Family(
    ("logs", "journal", "traces", "records", "history"),
    (
        (
            "Compress the logs below {area} that were last modified before {date} and have no "
            "{word} line."
        ),
        "Logs in {area} older than {date} without {word} lines are to be compressed with gzip.",
        (
            "To save space, gzip all logs in {area} whose last modification was before {date}, "
            "except those with {word} lines."
        ),
        "Unless it has {word} lines, a log below {area} from before {date} shall be compressed.",
        (
            "{area} is too large: compress old logs there, which means modified before {date}. "
            "Logs with {word} lines stay readable."
        ),
    ),
    "A log is a file anywhere below {area} whose name ends in .log; its date is the time of its "
    "last modification, not the one in its name, and days begin at 00:00 UTC. A line is one of the "
    "{word} lines if it begins with {word}. NAME.log becomes NAME.log.gz in the same directory.",
    draw_logs,
    compress_logs,
    careless_logs,
)
