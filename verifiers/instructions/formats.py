"""Kinds about format: titles, lists, headings, sections, and marks within and between lines."""

import re
from collections.abc import Callable

from palaestra.verifiers.instructions.registry import MANY, Measure, counted, instruction_type
from palaestra.verifiers.instructions.text import Text, written
from palaestra.verifiers.instructions.values import Count, OneOf, Phrase, Several, Word
from palaestra.verifiers.instructions.visible import looks

_TITLE = re.compile(r"<<([^<>\n]{1,200})>>")
_BOLD = re.compile(r"(?<!\*)\*\*(?=\S)([^*\n]{1,500})(?<=\S)\*\*(?!\*)")
_PLACEHOLDER = re.compile(r"\[([^\[\]\n]{1,100})\](?![(:\[])")
_CHECKBOX = re.compile(r"\[[ xX]\]\s+(?=\S)")
_QUOTES = ('""', "\u201c\u201d", "\u00ab\u00bb", "\u201e\u201c")


def _worded(pattern: re.Pattern[str]) -> Callable[[Text], int]:
    """Counts what a pattern finds, where a word stands in it."""

    def count(text: Text) -> int:
        return sum(bool(written(match)) for match in pattern.findall(text.markup))

    return count


BOTH = ("at_least", "exactly")

counted(
    Measure(
        "bullets",
        "bullet point",
        lambda text: len(text.bullets),
        200,
        "A bullet point is a line that begins with '-', '*', '+' or '•' and a blank.",
    ),
    *BOTH,
)
counted(
    Measure(
        "headings",
        "heading",
        lambda text: len(text.headings),
        100,
        "A heading is a line that begins with one to six '#' and a blank.",
    ),
    *BOTH,
)
counted(
    Measure("highlights", "highlight", _worded(_BOLD), 100, "Highlight words **like this**."), *BOTH
)
counted(
    Measure(
        "placeholders",
        "placeholder",
        _worded(_PLACEHOLDER),
        100,
        "A placeholder is put in square brackets, as in [your name].",
    ),
    *BOTH,
)


@instruction_type(
    "Give the text a title in double angular brackets, such as <<My title>>, on a line of its own.",
    "One line is the title, wrapped as in <<My title>>.",
)
def _title(text: Text) -> str:
    titles = [match for line in text.lines if (match := _TITLE.fullmatch(line))]
    if len(titles) != 1:
        return f"it has {len(titles)} titles on lines of their own"
    return "" if written(titles[0][1]) else "the title has no words"


@instruction_type(
    "Give a numbered list of {n} items, '1.' to '{n}.', and no other.",
    "Number {n} points from 1 to {n}, each on a line of its own that begins as in '1. '.",
    implies=lambda n: {"lines": (n, MANY)},
    n=Count(2, 100),
)
def _numbered_list(text: Text, n: int) -> str:
    if text.numbers == list(range(1, n + 1)):
        return ""
    return f"the numbers of its list are {', '.join(map(str, text.numbers[:20])) or 'missing'}"


@instruction_type(
    "Give a checklist of {n} items, each a line such as '- [ ] buy milk' or '- [x] sleep'.",
    "Write {n} lines that are boxes to tick, as in '- [ ] buy milk'.",
    implies=lambda n: {"bullets": (n, MANY)},
    n=Count(1, 100),
)
def _checklist(text: Text, n: int) -> str:
    boxes = sum(bool(_CHECKBOX.match(bullet)) for bullet in text.bullets)
    return "" if boxes == n else f"it has {boxes} boxes to tick"


@instruction_type(
    "Divide the text into {n} sections; their first lines are '{name} 1' to '{name} {n}'.",
    "Write {n} sections, each headed by '{name}' and its number, counted from 1.",
    implies=lambda name, n: {"lines": (2 * n, MANY), "words": (2 * n, MANY)},
    name=Word(),
    n=Count(2, 50),
)
def _sections(text: Text, name: str, n: int) -> str:
    heads = [line_number for line_number, line in enumerate(text.lines) if _headed(line, name)]
    numbers = [written(text.lines[line_number])[1] for line_number in heads]
    if numbers != [str(number) for number in range(1, n + 1)]:
        return f"it has {len(heads)} such sections, or not in order"
    ends = [*heads[1:], len(text.lines)]
    bare = (i for i, (a, b) in enumerate(zip(heads, ends), 1) if not written(_body(text, a, b)))
    number = next(bare, 0)
    return f"section {number} is empty" if number else ""


def _headed(line: str, name: str) -> bool:
    words = written(line)
    return len(words) == 2 and looks(words[0]) == looks(name) and words[1].isdecimal()


def _body(text: Text, head: int, end: int) -> str:
    return "\n".join(text.lines[head + 1 : end])


@instruction_type(
    "Use headings that read {names}, in this order, and no others.",
    "The headings, lines that begin with '#', are {names}, in this order.",
    implies=lambda names: {"headings": (len(names), len(names))},
    names=Several(1, 20, Phrase(80)),
)
def _named_headings(text: Text, names: tuple[str, ...]) -> str:
    headings = [heading.strip("# :*").casefold() for heading in text.headings]
    return "" if headings == [name.casefold() for name in names] else "the headings are others"


@instruction_type(
    "Wrap the whole reply in double quotation marks.",
    "The reply begins and ends with a double quotation mark.",
    implies=lambda: {"form of the whole": "quoted"},
)
def _wrapped_in_quotes(text: Text) -> str:
    shown = text.shown
    if len(shown) < 3 or shown[0] + shown[-1] not in _QUOTES:
        return "it is not wrapped in double quotation marks"
    return "" if written(shown) else "there are no words in the quotation marks"


@instruction_type(
    "End with a postscript that starts with '{marker}'.",
    "The last paragraph is a postscript; it begins with '{marker}' and says something.",
    implies=lambda marker: {"start of the last paragraph": marker},
    marker=OneOf(("P.S.", "P.P.S.", "PS:", "NB:")),
)
def _postscript(text: Text, marker: str) -> str:
    if len(text.paragraphs) < 2 or not text.paragraphs[-1].startswith(marker):
        return "the last paragraph is not such a postscript"
    rest = text.paragraphs[-1].removeprefix(marker)
    return "" if written(rest) else "the postscript is empty"


@instruction_type(
    "Divide the text into {n} parts by lines that are '***' and nothing else.",
    "There are {n} parts, none of them empty, and between each two a line that is just '***'.",
    implies=lambda n: {"lines": (2 * n - 1, MANY), "words": (n, MANY)},
    n=Count(2, 50),
)
def _separated_parts(text: Text, n: int) -> str:
    return _parts_violation(text, "***", n)


def parted(text: Text, separator: str) -> list[str]:
    """The parts of a text between lines that are a separator and nothing else."""
    parts = [""]
    for line in text.shown.split("\n"):
        if line.strip() == separator:
            parts.append("")
        else:
            parts[-1] += line + "\n"
    return parts


def _parts_violation(text: Text, separator: str, n: int) -> str:
    parts = parted(text, separator)
    if len(parts) != n:
        return f"it has {len(parts)} parts"
    return "" if all(map(written, parts)) else "one of the parts is empty"
