"""Operations on files: in English, in Python on a :class:`Tree`, and in bash."""

# ruff: noqa: E501  (rows of a table are not broken)

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from palaestra.generators.programs.bash_task.trees import (
    CITIES,
    FOLDERS,
    LEVELS,
    WORDS,
    Clash,
    Tree,
    above,
    base,
    parent,
    within,
)

Lines = list[str]


class Edit(NamedTuple):
    """A change of the lines of each file."""

    text: str
    python: Callable[[Lines, str, str], Lines]
    bash: str
    """A filter from standard input to standard output."""

    first: tuple[str, ...] = ("",)
    second: tuple[str, ...] = ("",)
    tier: int = 0
    ending: str = ""
    """The ending of the files whose lines the command splits into columns."""


class Move(NamedTuple):
    """A new path for each file."""

    text: str
    python: Callable[[str, str, str], str]
    """A function of the path, the text and the argument."""

    bash: str
    first: tuple[str, ...] = ("",)
    tier: int = 0
    copies: bool = False
    """Whether the file is copied instead of moved."""


class Report(NamedTuple):
    """One new file made from all of the files."""

    text: str
    python: Callable[[Sequence[tuple[str, str]], str], Lines]
    bash: str
    """Commands that print the report; each path in the list ends with a zero byte."""

    first: tuple[str, ...] = ("",)
    tier: int = 0
    ending: str = ""


class Other(NamedTuple):
    """Any other operation on the files."""

    text: str
    python: Callable[[Tree, Sequence[str], str], None]
    bash: str
    first: tuple[str, ...] = ("",)
    tier: int = 0
    ending: str = ""
    whole: bool = False
    """Whether the operation applies to the whole tree instead of some of the files."""


def _columns(lines: Lines, sign: str) -> list[list[str]]:
    rows = [line.split(sign) for line in lines]
    if not all(len(row) == 3 and row[2].isdecimal() for row in rows):
        raise Clash("a line of other columns")
    return rows


def _csv(lines: Lines) -> list[list[str]]:
    return _columns(lines, ",")


def _log(lines: Lines) -> list[list[str]]:
    return _columns(lines, " ")


def _raised(lines: Lines, by: str) -> Lines:
    return [f"{one},{two},{int(number) + int(by)}" for one, two, number in _csv(lines)]


NUMBERS = ("10", "20", "30", "40")
NEW = ("fern", "moss", "reed")
LINES = ("END", "checked", "--")

EDITS: dict[str, Edit] = {
    "sort": Edit("sort the lines of each of them by their bytes", lambda v, a, b: sorted(v), "sort"),
    "sort different": Edit("sort the lines of each of them by their bytes and keep only one of equal lines", lambda v, a, b: sorted(set(v)), "sort -u", tier=1),
    "backwards": Edit("reverse the order of the lines of each of them", lambda v, a, b: v[::-1], "tac"),
    "head": Edit("cut each of them off after its first {a} lines (those with fewer stay as they are)", lambda v, a, b: v[: int(a)], "head -n {a}", ("2", "3")),
    "tail": Edit("keep only the last {a} lines of each of them (those with fewer stay as they are)", lambda v, a, b: v[-int(a) :], "tail -n {a}", ("2", "3")),
    "behead": Edit("remove the first line of each of them (an empty one stays empty)", lambda v, a, b: v[1:], "tail -n +2"),
    "drop": Edit("remove every line that has '{a}' in it from each of them", lambda v, a, b: [x for x in v if a not in x], "sed '/{a}/d'", WORDS + LEVELS),
    "keep": Edit("remove every line that does not have '{a}' in it from each of them", lambda v, a, b: [x for x in v if a in x], "sed -n '/{a}/p'", WORDS + LEVELS),
    "replace": Edit("replace '{a}' by '{b}' in each of them, wherever it stands, also within longer words", lambda v, a, b: [x.replace(a, b) for x in v], "sed 's/{a}/{b}/g'", WORDS + LEVELS + CITIES, NEW),
    "replace first": Edit("replace the first '{a}' of each line by '{b}' in each of them, also within longer words", lambda v, a, b: [x.replace(a, b, 1) for x in v], "sed 's/{a}/{b}/'", ("a", "e", "r", "1"), NEW, 1),
    "numbered": Edit("put its number, a colon and a space before each line in each of them; the lines of each file are numbered from 1", lambda v, a, b: [f"{n}: {x}" for n, x in enumerate(v, 1)], "awk '{ print NR \": \" $0 }'", tier=1),
    "capitals": Edit("change all small letters in the text of each of them to capital letters", lambda v, a, b: [x.upper() for x in v], "tr a-z A-Z"),
    "append": Edit("add the line '{a}' at the end of each of them", lambda v, a, b: [*v, a], "{ cat; echo '{a}'; }", LINES),
    "prepend": Edit("add the line '{a}' at the beginning of each of them", lambda v, a, b: [a, *v], "{ echo '{a}'; cat; }", LINES),
    "no blanks": Edit("remove the empty lines from each of them", lambda v, a, b: [x for x in v if x], "sed '/^$/d'", tier=1),
    "squeeze": Edit("where equal lines follow one another directly, keep only one of them, in each of the files", lambda v, a, b: [x for x, _ in groupby(v)], "uniq", tier=1),
    "without repeats": Edit("remove every line that stood further up in the same file, in each of them", lambda v, a, b: list(dict.fromkeys(v)), "awk '!seen[$0]++'", tier=2),
    "longest word": Edit("replace each line by the last of its words in each of them (words are separated by spaces; empty lines stay)", lambda v, a, b: [(x.split() or [""])[-1] for x in v], "awk '{ print $NF }'", tier=2),
    "total line": Edit("add one line at the end of each of them with the number of lines that it had before", lambda v, a, b: [*v, str(len(v))], "awk '{ print } END { print NR }'", tier=1),
    "log swap": Edit("exchange the first and the second word of each line in each of them", lambda v, a, b: [f"{y} {x} {n}" for x, y, n in _log(v)], "awk '{ print $2, $1, $3 }'", tier=1, ending=".log"),
    "log above": Edit("remove every line whose number, the third word, is not greater than {a}, in each of them", lambda v, a, b: [" ".join(row) for row in _log(v) if int(row[2]) > int(a)], "awk '$3 > {a}'", NUMBERS, tier=1, ending=".log"),
    "csv column": Edit("keep only column {a} of the three columns in each of them (columns are separated by commas and counted from 1)", lambda v, a, b: [row[int(a) - 1] for row in _csv(v)], "cut -d , -f {a}", ("1", "2", "3"), tier=1, ending=".csv"),
    "csv turn": Edit("move the last of the three columns, which are separated by commas, to the front in each of them", lambda v, a, b: [f"{n},{x},{y}" for x, y, n in _csv(v)], "awk -F , '{ print $3 \",\" $1 \",\" $2 }'", tier=1, ending=".csv"),
    "csv add": Edit("add {a} to the number in the third column, columns being separated by commas, of each line in each of them", lambda v, a, b: _raised(v, a), "awk -F , -v OFS=, '{ $3 += {a}; print }'", ("5", "100"), tier=2, ending=".csv"),
    "csv sort": Edit("sort the lines of each of them by the number in the third column, columns being separated by commas, the smallest first; lines with equal numbers are sorted by their bytes", lambda v, a, b: [",".join(row) for row in sorted(_csv(v), key=lambda row: (int(row[2]), ",".join(row)))], "sort -t , -k 3,3n", tier=2, ending=".csv"),
}  # fmt: skip


def _lettered(path: str) -> str:
    if not base(path)[0].isalnum():
        raise Clash("a name that begins with a sign")
    return f"{base(path)[0]}/{base(path)}"


def _worded(path: str, text: str) -> str:
    word = (text.partition("\n")[0].split() or [""])[0]
    if not word.isalnum():
        raise Clash("a first line without a word")
    return f"{word}/{base(path)}"


def _raised_one(path: str) -> str:
    if "/" not in path:
        raise Clash("a file at the top")
    return within(parent(parent(path)), base(path))


PLACES = ("archive", "sorted", "picked", "store")

MOVES: dict[str, Move] = {
    "into": Move("move each of them into the directory '{a}' at the top, under the name it has", lambda p, t, a: f"{a}/{base(p)}", "./{a}/$name", PLACES),
    "copied": Move("put a copy of each of them into the directory '{a}' at the top, under the name it has", lambda p, t, a: f"{a}/{base(p)}", "./{a}/$name", PLACES, copies=True),
    "beside": Move("move each of them into a directory '{a}' in the directory where it is", lambda p, t, a: within(parent(p), f"{a}/{base(p)}"), "$dir/{a}/$name", PLACES, 1),
    "spare": Move("put a copy of each of them beside it, under its name with '{a}' added at the end", lambda p, t, a: p + a, "$f{a}", (".bak", "~", ".orig"), 0, copies=True),
    "added": Move("rename each of them, adding '{a}' at the end of its name", lambda p, t, a: p + a, "$f{a}", (".old", ".done", ".1")),
    "before": Move("rename each of them, putting '{a}' before its name", lambda p, t, a: within(parent(p), a + base(p)), "$dir/{a}$name", ("x_", "my-", "2024_")),
    "small": Move("rename each of them, changing all capital letters of its name to small letters", lambda p, t, a: within(parent(p), base(p).lower()), "$dir/${name,,}", tier=1),
    "dashes": Move("rename each of them, replacing every '_' in its name with '-'", lambda p, t, a: within(parent(p), base(p).replace("_", "-")), "$dir/${name//_/-}", tier=1),
    "joined": Move("rename each of them, replacing every space in its name with '_'", lambda p, t, a: within(parent(p), base(p).replace(" ", "_")), "$dir/${name// /_}", tier=1),
    "top": Move("move each of them to the top, under the name it has", lambda p, t, a: base(p), "./$name", tier=1),
    "up": Move("move each of them one level up, out of the directory where it is into the one that holds this directory", lambda p, t, a: _raised_one(p), "${dir%/*}/$name", tier=1),
    "letters": Move("move each of them into the directory at the top whose name is the first character of the file's name", lambda p, t, a: _lettered(p), "./${name:0:1}/$name", tier=1),
    "headed": Move("move each of them into the directory at the top whose name is the first word of the file's first line (words are separated by spaces)", lambda p, t, a: _worded(p, t), "./$(awk 'NR == 1 { print $1 }' \"$f\")/$name", tier=2),
    "lengths": Move("move each of them into the directory at the top that is called '{a}' followed by the number of the file's lines", lambda p, t, a: f"{a}{t.count(chr(10))}/{base(p)}", "./{a}$(wc -l < \"$f\")/$name", ("lines", "n"), 2),
    "pathed": Move("move each of them to the top, under its path as the name, with every slash replaced with '{a}'", lambda p, t, a: p.replace("/", a), "./$(tmp=${f#./}; echo \"${tmp//\\//{a}}\")", ("__", "-"), 2),
}  # fmt: skip


def _counted(words: Sequence[str], most: int) -> Lines:
    ranked = sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]))
    return [f"{times} {word}" for word, times in ranked[:most]]


def _rows(files: Sequence[tuple[str, str]]) -> Lines:
    return [line for _, text in files for line in text.splitlines()]


def _sums(files: Sequence[tuple[str, str]]) -> Lines:
    sums: Counter[str] = Counter()
    for _, key, number in _log(_rows(files)):
        sums[key] += int(number)
    return [f"{key} {total}" for key, total in sorted(sums.items())]


def _largest(files: Sequence[tuple[str, str]]) -> Lines:
    return [min(files, key=lambda pair: (-len(pair[1]), pair[0]))[0]]


def _shared(files: Sequence[tuple[str, str]]) -> Lines:
    return sorted(set.intersection(*(set(text.splitlines()) for _, text in files)))


EACH = "while IFS= read -r -d '' f; do {}; done < /tmp/files"
"""A loop over the files ``f`` whose paths are in a list."""

_CAT = "xargs -0 -r cat < /tmp/files"

REPORTS: dict[str, Report] = {
    "paths": Report("with a line for each of them, its path", lambda v, a: [p for p, _ in v], EACH.format('echo "${f#./}"')),
    "line counts": Report("with a line for each of them: its path, a colon, a space and the number of its lines", lambda v, a: [f"{p}: {t.count(chr(10))}" for p, t in v], EACH.format('echo "${f#./}: $(wc -l < "$f")"')),
    "byte counts": Report("with a line for each of them: the number of its bytes, a space and its path", lambda v, a: [f"{len(t)} {p}" for p, t in v], EACH.format('echo "$(wc -c < "$f") ${f#./}"')),
    "how many": Report("with one line, how many of these files there are", lambda v, a: [str(len(v))], "tr -d -c '\\0' < /tmp/files | wc -c"),
    "total": Report("with one line, how many lines they have in all", lambda v, a: [str(len(_rows(v)))], f"{_CAT} | wc -l"),
    "all": Report("with their texts, one right after the other", lambda v, a: _rows(v), _CAT),
    "titled": Report("with their texts, one right after the other, each after a line that consists of '{a}', a space and its path", lambda v, a: [line for p, t in v for line in [f"{a} {p}", *t.splitlines()]], EACH.format('echo "{a} ${f#./}"; cat "$f"'), ("==", "##", ">"), 1),
    "hits": Report("with a line for each of them: its path, a colon, a space and how many of its lines have '{a}' in them", lambda v, a: [f"{p}: {sum(a in x for x in t.splitlines())}" for p, t in v], EACH.format("echo \"${f#./}: $(grep -c -F -e '{a}' \"$f\")\""), WORDS, 1),
    "matches": Report("with a line for each of their lines that has '{a}' in it: the path of the file, a colon, the number of the line in its file (from 1), a colon and the line itself", lambda v, a: [f"{p}:{n}:{x}" for p, t in v for n, x in enumerate(t.splitlines(), 1) if a in x], "xargs -0 -r grep -H -n -F -e '{a}' < /tmp/files | sed 's,^\\./,,'", WORDS, 1),
    "first lines": Report("with the first line of each of them (of an empty file, nothing)", lambda v, a: [line for _, t in v for line in t.splitlines()[:1]], EACH.format('head -n 1 "$f"'), tier=1),
    "different": Report("with all different lines that they have, each of them once, sorted by their bytes", lambda v, a: sorted(set(_rows(v))), f"{_CAT} | sort -u", tier=1),
    "frequent": Report("with the {a} words that are most frequent in all of them together (words are separated by spaces; all words, if there are fewer), the most frequent first, equally frequent ones in the order of their bytes, on each line the number of times, a space and the word", lambda v, a: _counted([w for x in _rows(v) for w in x.split()], int(a)), f"{_CAT} | tr ' ' '\\n' | sed '/^$/d' | sort | uniq -c | sort -k 1,1nr -k 2,2 | awk '{{ print $1, $2 }}' | head -n {{a}}", ("3", "5"), 2),
    "folders": Report("with a line for each directory that has some of them in it (not only further down), in the order of the directories' paths: how many of them it has, a space and its path, which is '.' for the top", lambda v, a: [f"{n} {folder}" for folder, n in sorted(Counter(parent(p) or "." for p, _ in v).items())], EACH.format('d=${f%/*}; d=${d#.}; d=${d#/}; echo "${d:-.}"') + " | sort | uniq -c | sed 's/^ *//'", tier=2),
    "sums": Report("with a line for each different second word of their lines, in the order of the words' bytes: the word, a space and the sum of the numbers (the third words) of all lines that have it", lambda v, a: _sums(v), f"{_CAT} | awk '{{ sum[$2] += $3 }} END {{ for (key in sum) print key, sum[key] }}' | sort", tier=2, ending=".log"),
    "csv total": Report("with one line, the sum of all numbers in their third columns (columns are separated by commas)", lambda v, a: [str(sum(int(row[2]) for row in _csv(_rows(v))))], f"{_CAT} | awk -F , '{{ sum += $3 }} END {{ print sum + 0 }}'", tier=1, ending=".csv"),
    "csv cities": Report("with a line for each different entry of their second columns (columns are separated by commas), sorted by bytes: the entry, a comma and the number of lines that have it", lambda v, a: [f"{c},{n}" for c, n in sorted(Counter(row[1] for row in _csv(_rows(v))).items())], f"{_CAT} | awk -F , '{{ n[$2]++ }} END {{ for (c in n) print c \",\" n[c] }}' | sort", tier=2, ending=".csv"),
    "largest": Report("with one line, the path of the one with the most bytes (of several, the first by path)", lambda v, a: _largest(v), EACH.format('n=$(wc -c < "$f"); if [ "$n" -gt "${most:--1}" ]; then most=$n; which=${f#./}; fi') + '; echo "$which"', tier=1),
    "shared": Report("with all lines that stand in every single one of them, each once, sorted by their bytes", lambda v, a: _shared(v), "n=$(tr -d -c '\\0' < /tmp/files | wc -c); " + EACH.format('sort -u "$f"') + " | sort | uniq -c | awk -v n=\"$n\" '$1 == n' | sed 's/^ *[0-9]* //'", tier=2),
}  # fmt: skip


def _delete(tree: Tree, paths: Sequence[str], _: str) -> None:
    for path in paths:
        del tree.files[path]


def _dedupe(tree: Tree, paths: Sequence[str], _: str) -> None:
    seen: dict[str, None] = {}
    for path in paths:
        if tree.files[path] in seen:
            del tree.files[path]
        else:
            seen[tree.files[path]] = None


def _prune(tree: Tree, *_: object) -> None:
    kept = {folder for path in (*tree.files, *tree.links) for folder in above(path)}
    tree.folders = {folder: None for folder in tree.folders if folder in kept}


def _rename_folder(tree: Tree, _: Sequence[str], names: str) -> None:
    old, new = names.split()
    if old not in tree.folders or new in tree.state():
        raise Clash(old)
    tree.folders = {_renamed(path, old, new): None for path in tree.folders}
    tree.files = {_renamed(path, old, new): text for path, text in tree.files.items()}
    tree.links = {_renamed(path, old, new): goal for path, goal in tree.links.items()}


def _renamed(path: str, old: str, new: str) -> str:
    return new + path[len(old) :] if path == old or path.startswith(f"{old}/") else path


def _split(tree: Tree, paths: Sequence[str], folder: str) -> None:
    parts: dict[str, str] = {}
    for _, text in [(path, tree.files[path]) for path in paths]:
        for row in _log(text.splitlines()):
            parts[row[1]] = parts.get(row[1], "") + " ".join(row) + "\n"
    for key, text in parts.items():
        tree.put(f"{folder}/{key}.txt", text)


def _link(tree: Tree, paths: Sequence[str], folder: str) -> None:
    for path in paths:
        tree.link(f"{folder}/{base(path)}", f"../{path}")


def _companions(tree: Tree, paths: Sequence[str], ending: str) -> None:
    for path in paths:
        tree.put(path + ending, f"{tree.files[path].count(chr(10))}\n")


def _pairs(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{one} {other}" for one in first for other in second)


OTHERS: dict[str, Other] = {
    "delete": Other("delete them", _delete, "xargs -0 -r rm -- < /tmp/files"),
    "dedupe": Other("of those with exactly the same text keep only the first by path, and delete the others", _dedupe, "declare -A seen=(); " + EACH.format('IFS= read -r -d \'\' text < "$f"; if [ "${seen[x$text]}" ]; then rm -- "$f"; else seen[x$text]=1; fi'), tier=1),
    "prune": Other("Remove every directory that has no file or link in it, neither directly nor further down.", _prune, "find . -mindepth 1 -type d -empty -delete", tier=1, whole=True),
    "folder": Other("Rename the directory '{one}' at the top to '{other}'.", _rename_folder, "mv '{one}' '{other}'", _pairs(FOLDERS, ("past", "base")), 1, whole=True),
    "split": Other("put every line of them at the end of the file in the directory '{a}' at the top that is called like the line's second word, with '.txt' at the end (such files are to be made)", _split, "if xargs -0 -r cat < /tmp/files | grep -q ''; then mkdir -p '{a}'; fi; xargs -0 -r awk '{ print >> (\"{a}/\" $2 \".txt\") }' < /tmp/files", ("by_word", "parts"), 2, ".log"),
    "link": Other("make a symbolic link for each of them in the directory '{a}' at the top, of the same name, that points to it by '../' followed by its path (from here on, a link is not a file)", _link, "mkdir -p '{a}'; " + EACH.format('ln -s "../${f#./}" "{a}/${f##*/}"'), ("links", "here"), 2),
    "companion": Other("make another file beside each of them, called like it with '{a}' added, with one line: how many lines the file has", _companions, EACH.format('wc -l < "$f" > "$f{a}"'), (".count", ".n"), 1),
}  # fmt: skip

GROUPS: tuple[Mapping[str, Edit | Move | Report | Other], ...] = (EDITS, MOVES, REPORTS, OTHERS)
DEEDS = {deed: row for group in GROUPS for deed, row in group.items()}
assert len(DEEDS) == sum(map(len, GROUPS)), "two deeds have one name"

NAMES = ("report.txt", "summary.md", "out/list.txt", "index", "results.csv")
"""The files to which a report is written."""
