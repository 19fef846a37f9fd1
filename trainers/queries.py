"""Queries as OpenRLHF sends them to a reward function: a prompt and a reply in one text."""

import re

OVERLAP = 48
"""How many characters at the end of a prompt must be found before the reply."""

_TOKEN = re.compile(
    r"(?:<\|[^<>|\s]{1,40}\|>|<｜[^<>｜\s]{1,40}｜>|</?s>|<(?:eos|pad|unk|end_of_turn)>|"
    r"\[(?:PAD|EOS|SEP)\])\Z"
)


class PromptNotFound(ValueError):
    """A query does not begin with its prompt, so where its reply starts is unknown."""


def reply_in(query: str, prompt: str) -> str:
    """The reply in a query, which is a prompt followed by the reply.

    The query was decoded from tokens, so its whitespace may differ from that of the prompt, and the
    start of a prompt that was truncated may be missing. Raises :class:`PromptNotFound` where no end
    of the prompt is found: the rules in a prompt must not be read as an answer.

    >>> reply_in("What is 2 + 2?<answer>4</answer><|im_end|>", "What is 2 + 2 ?")
    '<answer>4</answer>'
    """
    if query.startswith(prompt):
        return without_tokens(query[len(prompt) :])
    packed, whole = "".join(prompt.split()), "".join(query.split())
    length = len(packed) if whole.startswith(packed) else _overlap(packed, whole)
    if not length:
        raise PromptNotFound("the query does not begin with its prompt, nor with an end of it")
    return without_tokens(_behind(query, length))


def _overlap(prompt: str, query: str) -> int:
    """The length of the longest end of a prompt that a query begins with; 0 below ``OVERLAP``."""
    tail = prompt[-OVERLAP:]
    if len(tail) < OVERLAP:
        return 0
    end = len(query)
    for _ in range(64):  # bounds the search in a reply that repeats its prompt
        start = query.rfind(tail, 0, end)
        if start < 0:
            return 0
        if prompt.endswith(query[: start + OVERLAP]):
            return start + OVERLAP
        end = start + OVERLAP - 1
    return 0


def _behind(text: str, number: int) -> str:
    """The text after its first ``number`` characters that are not whitespace."""
    for word in re.finditer(r"\S+", text):
        length = word.end() - word.start()
        if number <= length:
            return text[word.start() + number :]
        number -= length
    return ""


def without_tokens(reply: str) -> str:
    """A reply without special tokens at its end.

    >>> without_tokens("42 </s> <pad><pad>")
    '42 '
    """
    kept = end = len(reply)
    while True:
        while end and reply[end - 1].isspace():
            end -= 1
        token = _TOKEN.search(reply, max(0, end - 50), end)
        if token is None:
            return reply[:kept]
        kept = end = token.start()
