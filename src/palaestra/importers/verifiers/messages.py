"""Messages of a chat as one text."""

from collections.abc import Mapping
from typing import Any


def text_of(messages: Any) -> str:
    r"""The contents of messages other than the model's, with empty lines between them.

    >>> text_of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2 + 2?"}])
    'Be brief.\n\n2 + 2?'
    """
    if isinstance(messages, str):
        return messages
    texts = (_content(message) for message in messages if _role(message) != "assistant")
    return "\n\n".join(filter(None, texts))


def _role(message: Any) -> str:
    role = message.get("role") if isinstance(message, Mapping) else getattr(message, "role", "")
    return str(role)


def _content(message: Any) -> str:
    content = message.get("content") if isinstance(message, Mapping) else message.content
    if content is None or isinstance(content, str):
        return content or ""
    parts = [part if isinstance(part, Mapping) else vars(part) for part in content]
    return "".join(str(part.get("text") or "") for part in parts)
