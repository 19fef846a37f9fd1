"""Text and token ids: the chat of an episode as a policy reads and writes it.

A chat is never tokenised anew. What was sampled stays as it was sampled, and only the observation
is added, so that the policy is trained on exactly the ids that it sampled. Models of transformers
have :class:`~palaestra.trainers.chat_tokens.ChatTokens`; those here are for models that are trained
from nothing.
"""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Protocol

from palaestra.trainers.chat_tokens import Message


class Tokenizer(Protocol):
    """How a chat becomes ids. After any of ``stop_ids`` a reply is over."""

    pad_id: int
    stop_ids: tuple[int, ...]
    vocabulary_size: int

    def encode_prompt(self, messages: Sequence[Message]) -> list[int]:
        """The ids of a chat up to where the policy's reply begins."""

    def encode_reply(self, text: str) -> list[int]:
        """The ids of a reply with its end."""

    def encode_observation(self, text: str, reply_ids: Sequence[int]) -> list[int]:
        """The ids that follow a sampled reply, up to where the next one begins."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of a reply, up to its end."""

    def save(self, folder: Path) -> None:
        """Keeps it beside a model's weights."""


class Characters:
    """A token for each character of some texts, for models that are trained from nothing."""

    pad_id, user, policy, end, unknown = range(5)
    stop_ids: tuple[int, ...] = (end,)

    def __init__(self, alphabet: str) -> None:
        self.alphabet = "".join(sorted(set(alphabet)))
        self.ids = {character: n for n, character in enumerate(self.alphabet, 5)}
        self.vocabulary_size = len(self.alphabet) + 5

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Characters":
        """The tokenizer for the characters of some texts."""
        return cls("".join(sorted(set().union(*texts))))

    def encode(self, text: str) -> list[int]:
        """An id for each character."""
        return [self.ids.get(character, self.unknown) for character in text]

    def decode(self, ids: Sequence[int]) -> str:
        """The characters up to the end; what is no character is a question mark."""
        kept = takewhile(lambda each: each != self.end, ids)
        return "".join(self.alphabet[each - 5] if each >= 5 else "?" for each in kept)

    def encode_prompt(self, messages: Sequence[Message]) -> list[int]:
        """The turns one after the other, each after the token of who speaks."""
        ids: list[int] = []
        for message in messages:
            if message["role"] == "assistant":
                ids += [self.policy, *self.encode_reply(message["content"])]
            else:
                ids += [self.user, *self.encode(message["content"])]
        return [*ids, self.policy]

    def save(self, folder: Path) -> None:
        """The alphabet, as a text file."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "alphabet.txt").write_text(self.alphabet, "utf-8")

    def encode_reply(self, text: str) -> list[int]:
        """A reply with its end."""
        return [*self.encode(text), self.end]

    def encode_observation(self, text: str, reply_ids: Sequence[int]) -> list[int]:
        """A turn of the task, after the end of the reply where that is missing."""
        ended = [] if self.end in reply_ids[-1:] else [self.end]
        return [*ended, self.user, *self.encode(text), self.policy]


class Pieces(Characters):
    """A token for each of some pieces of bytes, merged where they often stand together in some
    texts (byte-pair encoding; R. Sennrich et al., 2016), as larger models have them.
    """

    def __init__(self, texts: Iterable[str], size: int) -> None:
        from tokenizers import ByteLevelBPETokenizer

        self.inner = ByteLevelBPETokenizer()
        special = ["<pad>", "<user>", "<policy>", "<end>", "<unknown>"]
        self.inner.train_from_iterator(
            texts, vocab_size=size, min_frequency=2, special_tokens=special, show_progress=False
        )
        self.inner._tokenizer.encode_special_tokens = True  # "<end>" in a text is five characters
        self.vocabulary_size = self.inner.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """The ids of the pieces."""
        return list(self.inner.encode(text).ids)

    def decode(self, ids: Sequence[int]) -> str:
        """The text up to the end."""
        return str(self.inner.decode(list(takewhile(lambda each: each != self.end, ids))))

    def save(self, folder: Path) -> None:
        """As the tokenizers library does."""
        folder.mkdir(parents=True, exist_ok=True)
        self.inner.save(str(folder / "tokenizer.json"))
