"""Header lines of replies, such as ``Task 2:`` or ``**Answer**``, in the layouts of Markdown.

All of it is linear in the length of a reply, whatever it holds.
"""

import re
from typing import NamedTuple

_LEAD = re.compile(r"[ \t>#+*_`\u2022-]{0,12}")
"""The marks of quotes, headings, bullets and emphasis before a label."""

_EMPHASIS = "*_`"

COLON = re.compile(r"[ \t]{0,3}(?:[:\uff1a]|$)")
"""A colon, or the end of the line, for labels that a sentence may begin with."""

SEPARATOR = re.compile(
    r"[ \t]{0,3}(?:[:\uff1a]|\)(?=[ \t*_]|$)|=(?!=)>?|$"
    r"|(?<=[ \t])(?:-{1,2}>?|[\u2013\u2014\u2192\u21d2])(?=[ \t]))"
)
"""The same, a closing parenthesis, an equals sign, an arrow, or a dash between spaces, which is no
minus sign there.
"""

_FENCE = re.compile(r"```[\w+-]{0,20}[ \t]{0,9}\n")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")


class Header(NamedTuple):
    """A header line."""

    label: re.Match[str]

    rest: str
    """What stands behind the separator, without the end of emphasis around the label."""


def header(line: str, label: re.Pattern[str], separator: re.Pattern[str]) -> Header | None:
    """The header that a line is: a label in any markup and a separator; None for another line.

    Bold and other emphasis may end before the separator, behind it, or with the line.

    >>> task = re.compile("Task [0-9]")
    >>> lines = ("**Task 1**: 91", "**Task 1:** 91", "- *Task 1: 91*", "Task 1 - 91")
    >>> [header(line, task, SEPARATOR).rest for line in lines]
    ['91', '91', '91', '91']
    >>> header("Task 1 -91", task, SEPARATOR), header("Task 1 is done", task, SEPARATOR)
    (None, None)
    """
    lead = _LEAD.match(line)
    start = lead.end() if lead else 0
    match = label.match(line, start)
    if match is None:
        return None
    mark = line[len(line[:start].rstrip(_EMPHASIS)) : start]
    closed = line.startswith(mark, match.end())
    ends = separator.match(line.rstrip(), match.end() + (len(mark) if closed else 0))
    if ends is None:
        return None
    rest = line[ends.end() :].strip()
    if not closed and rest.startswith(mark):
        rest = rest.removeprefix(mark).lstrip()
    elif not closed:
        rest = rest.removesuffix(mark).rstrip()
    return Header(match, rest)


def unmarked(line: str) -> str:
    """A line without quote, heading, bullet and emphasis before it, and the latter's end.

    >>> unmarked("# **wrong**"), unmarked("- x")
    ('wrong', 'x')
    """
    lead = _LEAD.match(line)
    return line[lead.end() if lead else 0 :].rstrip(f" \t{_EMPHASIS}")


def uncovered(text: str) -> str:
    r"""A reply without a code fence around all of it, and without the marks of a quote.

    One with several fences keeps them.

    >>> uncovered("```text\nTask 1: 4\n```"), uncovered("> right")
    ('Task 1: 4', 'right')
    """
    body = text.strip()
    lines = body.splitlines()
    if body.startswith(">") and all(map(_QUOTE.match, filter(str.strip, lines))):
        body = "\n".join(_QUOTE.sub("", line, count=1) for line in lines).strip()
    fence = _FENCE.match(body)
    if fence and body.endswith("\n```") and body.count("```") == 2:
        body = body[fence.end() : -3]
    return body.strip()


def without_rules(text: str) -> str:
    r"""A text without a rule such as ``---`` at either end, which separates it from others.

    What may be a row of a grid is no rule: one below signs alone, or below another row of its
    length that has its sign.

    >>> without_rules("91\n---"), without_rules("#-#\n---"), without_rules("A--\n---")
    ('91', '#-#\n---', 'A--\n---')
    """
    lines = text.strip().splitlines()
    for end in (-1, 0):
        if lines and _is_rule(lines[end].strip(), "\n".join(lines[1:] if end == 0 else lines[:-1])):
            del lines[end]
    return "\n".join(lines).strip()


def _is_rule(line: str, rest: str) -> bool:
    sign = line[:1]
    if len(line) < 3 or sign not in "-*_" or line.strip(sign):
        return False
    rows = (row.strip() for row in rest.splitlines())
    of_grid = any(len(row) == len(line) and sign in row for row in rows)
    return not of_grid and any(map(str.isalnum, rest))
