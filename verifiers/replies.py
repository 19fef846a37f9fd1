"""Finding the answer in a reply: what was thought aloud, what is marked as the answer.

All of it is linear in the length of the reply, whatever it holds.
"""

import re

from palaestra.task import InvalidAnswer

_OPENED = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_CUT_TAG = re.compile(r"</(?:a(?:n(?:s(?:w(?:er?)?)?)?)?)?\s*\Z", re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]*\n?")
_COMMAND = re.compile(
    r"\\(?:boxed|fbox|text|textbf|textrm|texttt|mathrm|mathbf|mathtt|displaystyle)\s?\{"
)
_LEAD_IN = re.compile(
    r"(?:\*\*|__)?(?:(?:so|thus|hence|therefore)?,?[ \t]*+(?:the|my)?[ \t]*+(?:final[ \t]++)?"
    r"(?:answer|solution|result|guess)[ \t]*+(?:is[ \t]*+:|is(?=\s)|:|=)(?:\*\*|__)?:?|=(?!=))"
    r"\s*+(?=\S)",
    re.IGNORECASE,
)
_CELLS = frozenset(". \n")  # a full stop behind one of these is a cell of a grid or a third dot
_SIGNS = frozenset("#-.*@ \n")  # signs of cells in grids with stars
_WRAPPINGS = (
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("`", "`"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ('"', '"'),
    ("'", "'"),
    ("\u201c", "\u201d"),
)


class Conflicting(InvalidAnswer):
    """Several answers in a reply that differ."""


def spoken(reply: str) -> str:
    """What is left of a reply without its thoughts.

    Closed ``<think>`` blocks are dropped, and so is what stands before a stray ``</think>`` or
    after an unclosed ``<think>``.

    >>> spoken("<think>5?</think>It is 4.<think>or")
    'It is 4.'
    """
    if "think" not in reply and "THINK" not in reply.upper():
        return reply
    last = _behind_closing(reply)
    # Every thought that opens before the last closing tag is closed, so that this is linear.
    kept = _THOUGHT.sub("", reply[:last])
    opened = _OPENED.search(reply, last)
    return kept[_behind_closing(kept) :] + reply[last : opened.start() if opened else len(reply)]


def _behind_closing(text: str) -> int:
    """The place behind the last closing tag, or the start."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = text  # a few letters are longer in lower case, and places would be off
    places = ((lower.rfind(tag), tag) for tag in ("</think>", "</thinking>"))
    return max((position + len(tag) for position, tag in places if position >= 0), default=0)


def tagged(reply: str, *, last: bool = False, truncated: bool = False) -> str:
    """Return the text between answer tags, the innermost if they are nested.

    If ``truncated``, the text after a last tag that is never closed counts as well. If ``last``,
    the last of several answers that differ counts, or none if its tag is never closed.

    Raises :class:`InvalidAnswer` where there is none, and :class:`Conflicting` where two of them
    differ, unless ``last``.

    >>> tagged("so <answer> 42 </answer>."), tagged("so <answer>42</ans", truncated=True)
    ('42', '42')
    """
    contents: list[str] = []
    opened = -1
    for mark in TAG.finditer(reply):
        if not mark[1]:
            opened = mark.end()
        elif opened >= 0:
            contents.append(reply[opened : mark.start()].strip())
            opened = -1
    if opened >= 0 and truncated:
        contents.append(_CUT_TAG.sub("", reply[opened:]).strip())
    elif opened >= 0 and last:
        contents.append("")  # the last answer is not complete, and no earlier one replaces it
    if not contents or not contents[-1]:
        raise InvalidAnswer("there is no text between <answer> and </answer>", "no_answer")
    if not last and len(set(contents)) > 1:
        raise Conflicting("two answers in tags differ")
    return contents[-1]


def boxed(reply: str, *, same: bool = False, truncated: bool = False) -> str:
    r"""Return the content of the last ``\boxed{}``, the innermost if they are nested.

    If ``truncated``, the text after a last box that is never closed counts.

    Raises :class:`InvalidAnswer` where there is none. If ``same``, raises :class:`Conflicting`
    where another box has another content.

    >>> boxed(r"not \boxed{3} but \boxed{\frac{1}{2}}"), boxed(r"so \boxed{42", truncated=True)
    ('\\frac{1}{2}', '42')
    """
    *others, last = reply.split("\\boxed{")
    content = _closed(last) if others else None
    if content is None and others and truncated:
        content = last.strip()
    if not content:
        raise InvalidAnswer("there is no closed \\boxed{} with text in it", "no_answer")
    # A box that is not closed before the next one opens encloses it.
    if same and any(_closed(other) not in {None, content} for other in others[1:]):
        raise Conflicting("two answers in boxes differ")
    return content


def _closed(text: str) -> str | None:
    """What stands before the brace that closes one opened before the text; None without one."""
    depth = 1
    for position, sign in enumerate(text):
        if sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return text[:position].strip()
    return None


def unwrapped(answer: str) -> str:
    r"""Return an answer without the wrappings that models put around it.

    That is, in any nesting up to six deep: spaces, a code fence, ``$…$``, ``\(…\)``, ``\[…\]``,
    ``\boxed{…}``, ``\text{…}``, quotes, backticks, bold, a full stop, and a lead-in such as "The
    answer is", "Final answer:" or a leading equals sign.

    >>> [unwrapped(text) for text in ("$42$.", "```text\n4 2\n```", " `x` ", "'7'", "3.")]
    ['42', '4 2', 'x', '7', '3']
    >>> unwrapped(r"The answer is **$\boxed{\text{B}}$**."), unwrapped("= 24"), unwrapped("== 24")
    ('B', '24', '== 24')
    """
    text = answer.strip()
    if text[:1].isalnum() and text[-1:].isalnum() and not _LEAD_IN.match(text):
        return text  # nothing is wrapped in letters and digits
    for _ in range(6):
        shorter = _peeled(text.strip())
        if shorter == text:
            break
        text = shorter
    return text


def _peeled(text: str) -> str:
    """An answer without one layer of each of its wrappings."""
    if text.startswith("```") and text.endswith("```") and len(text) > 6:
        opening = _FENCE.match(text)
        text = text[opening.end() if opening else 3 : -3].strip("\n")
    if lead_in := _LEAD_IN.match(text):
        text = text[lead_in.end() :]
    if text.endswith(".") and text[-2:-1] not in _CELLS:
        text = text[:-1].rstrip()
    for left, right in _WRAPPINGS:
        text = enclosed(text, left, right) or text
    if (command := _COMMAND.match(text)) and _closes_last(text, command.end()):
        text = text[command.end() : -1].strip() or text
    return text


def enclosed(text: str, left: str, right: str) -> str:
    r"""Return what two marks enclose, or "" if they do not enclose the whole text once.

    A single star counts only next to letters and digits, and two stars only around something else
    than signs of cells: elsewhere they may be cells of a grid themselves.

    >>> enclosed("**a b**", "**", "**"), enclosed("'a' or 'b'", "'", "'")
    ('a b', '')
    >>> enclosed("*--*", "*", "*"), enclosed("**--**", "**", "**")
    ('', '')
    """
    if not (text.startswith(left) and text.endswith(right) and len(text) > len(left + right)):
        return ""
    inner = text[len(left) : len(text) - len(right)]
    if left in inner or right in inner:
        return ""
    if left == "*" and not (inner[0].isalnum() and inner[-1].isalnum()):
        return ""
    if left == "**" and _SIGNS.issuperset(inner):
        return ""
    return inner.strip()


def _closes_last(text: str, start: int) -> bool:
    """Whether the brace opened before ``start`` is closed by the last character of the text."""
    depth = 1
    for position in range(start, len(text)):
        if text[position] in "{}":
            depth += 1 if text[position] == "{" else -1
            if depth == 0:
                return position == len(text) - 1
    return False
