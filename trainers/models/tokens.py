"""Text and token ids: the chat of an episode as a policy reads and writes it.

A chat is never tokenised anew. What was sampled stays as it was sampled, and only the observation
is added, so that the policy is trained on exactly the ids that it sampled. Models of transformers
have :class:`~palaestra.trainers.chat_tokens.ChatTokens`; those here are for models that are trained
from nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
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


class Phrases(Characters):
    """A token for each character, and for each passage of words that many texts of the tasks share.

    The rules of a task become a few tokens, and what varies stays text by character, as do all
    replies. Prompts are several times shorter than by characters, so that a small decoder sees as
    many more of them in the same time.
    """

    windows = (4, 6, 9, 13, 20)
    """Words, digits and other characters in a row that texts share, at least two of them words."""

    texts_of_phrase = 4
    """Texts that share a passage before it becomes a token."""

    _word = re.compile(r"\s?[^\W\d_]{2,}|.", re.DOTALL)

    def __init__(self, alphabet: str, phrases: Iterable[str]) -> None:
        super().__init__(alphabet)
        self.phrases = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
        first = self.vocabulary_size
        self.phrase_ids = {phrase: n for n, phrase in enumerate(self.phrases, first)}
        self.vocabulary_size += len(self.phrases)
        self._passages = re.compile(f"({'|'.join(map(re.escape, self.phrases)) or '(?!)'})")

    @classmethod
    def learn(cls, tasks: Iterable[str], replies: Iterable[str]) -> "Phrases":
        """Return the tokenizer for the texts of some tasks and the replies to them."""
        texts = sorted(set(tasks))
        split = [cls._word.findall(text) for text in texts]
        phrases = Counter[str]()
        for window in cls.windows:
            counts = Counter(gram for words in split for gram in set(_grams(words, window)))
            shared = {
                gram
                for gram, number in counts.items()
                if number >= cls.texts_of_phrase and sum(len(word) > 2 for word in gram) > 1
            }
            for words in split:
                phrases.update(set(_shared_passages(words, shared, window)))
        alphabet = "".join(sorted(set().union(*texts, *replies)))
        return cls(alphabet, (each for each, number in phrases.items() if number > 1))

    def encode(self, text: str) -> list[int]:
        """The ids of the phrases and of the characters between them."""
        ids: list[int] = []
        for part in self._passages.split(text):
            known = self.phrase_ids.get(part)
            ids += super().encode(part) if known is None else [known]
        return ids

    def encode_reply(self, text: str) -> list[int]:
        """A reply by characters, with its end."""
        return [*super().encode(text), self.end]

    def decode(self, ids: Sequence[int]) -> str:
        """The characters up to the end; what is no character is a question mark."""
        first = len(self.alphabet) + 5
        return super().decode([each if each < first else self.unknown for each in ids])

    def save(self, folder: Path) -> None:
        """The alphabet as a text file, and the phrases as JSON."""
        super().save(folder)
        (folder / "phrases.json").write_text(json.dumps(self.phrases, indent=1), "utf-8")


def _grams(words: Sequence[str], window: int) -> Iterator[tuple[str, ...]]:
    """Iterate over all runs of ``window`` words."""
    return zip(*(words[n:] for n in range(window)))


def _shared_passages(
    words: Sequence[str], shared: set[tuple[str, ...]], window: int
) -> Iterator[str]:
    """Iterate over the longest passages of shared runs of words, which cut no number in two."""
    covered = {
        position
        for start, gram in enumerate(_grams(words, window))
        if gram in shared
        for position in range(start, start + window)
    }
    for is_shared, passage in groupby(range(len(words)), covered.__contains__):
        if is_shared:
            yield "".join(words[position] for position in passage).strip("0123456789")


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
