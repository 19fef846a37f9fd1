"""Text and token ids: the chat of an episode as a policy reads and writes it.

A transcript is never tokenised anew. What was sampled stays as it was sampled, and only what the
task says in return is added, so that the policy is trained on exactly the ids that it chose.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

Message = Mapping[str, str]


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
        self.ids = {sign: place + 5 for place, sign in enumerate(self.alphabet)}
        self.vocabulary_size = len(self.alphabet) + 5

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Characters":
        """The tokenizer for the characters of some texts."""
        return cls("".join(sorted(set().union(*texts))))

    def encode(self, text: str) -> list[int]:
        """An id for each character."""
        return [self.ids.get(sign, self.unknown) for sign in text]

    def decode(self, ids: Sequence[int]) -> str:
        """The characters up to the end; what is no character is a question mark."""
        told = []
        for each in ids:
            if each == self.end:
                break
            told.append(self.alphabet[each - 5] if each >= 5 else "?")
        return "".join(told)

    def encode_prompt(self, messages: Sequence[Message]) -> list[int]:
        """The turns one after the other, each after the sign of who speaks."""
        ids: list[int] = []
        for message in messages:
            mine = message["role"] == "assistant"
            ids.append(self.policy if mine else self.user)
            ids += self.encode(message["content"])
            ids += [self.end] if mine else []
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
        signs = ["<pad>", "<user>", "<policy>", "<end>", "<unknown>"]
        self.inner.train_from_iterator(
            texts, vocab_size=size, min_frequency=2, special_tokens=signs, show_progress=False
        )
        self.inner._tokenizer.encode_special_tokens = True  # "<end>" in a text is five characters
        self.vocabulary_size = self.inner.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """The ids of the pieces."""
        return list(self.inner.encode(text).ids)

    def decode(self, ids: Sequence[int]) -> str:
        """The text up to the end."""
        kept = list(ids)
        if self.end in kept:
            kept = kept[: kept.index(self.end)]
        return str(self.inner.decode(kept))

    def save(self, folder: Path) -> None:
        """As the tokenizers library does."""
        folder.mkdir(parents=True, exist_ok=True)
        self.inner.save(str(folder / "tokenizer.json"))


class Pretrained:
    """The tokenizer of a Hugging Face model, by its own chat template.

    What a template puts between two turns is found out once, from a chat of two markers.
    """

    def __init__(self, tokenizer: Any, options: Mapping[str, Any] | None = None) -> None:
        self.inner, self.options = tokenizer, dict(options or {})
        self.end = int(tokenizer.eos_token_id)
        self.stop_ids: tuple[int, ...] = (self.end,)
        self.pad_id = int(self.end if tokenizer.pad_token_id is None else tokenizer.pad_token_id)
        self.vocabulary_size = len(tokenizer)
        self.between = self._between()

    @classmethod
    def load(cls, model: str, options: Mapping[str, Any] | None = None) -> "Pretrained":
        """The tokenizer of a model by path or name; ``options`` go to its chat template."""
        from transformers import AutoTokenizer

        return cls(AutoTokenizer.from_pretrained(model), options)

    def _between(self) -> tuple[str, str]:
        """What stands between the end of a reply and the next turn's text, and after that."""
        chat = [
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": "REPLY"},
            {"role": "user", "content": "TURN"},
        ]
        if not self.inner.chat_template:
            return "\n", "\n"
        told = self.inner.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        before, _, after = told.partition("REPLY")[2].partition("TURN")
        return before.removeprefix(self.inner.eos_token or ""), after

    def encode(self, text: str) -> list[int]:
        """Its ids, without any that the tokenizer puts around a text."""
        return list(self.inner.encode(text, add_special_tokens=False))

    def decode(self, ids: Sequence[int]) -> str:
        """The text up to the end."""
        kept = list(ids)
        if self.end in kept:
            kept = kept[: kept.index(self.end)]
        return str(self.inner.decode(kept, skip_special_tokens=True))

    def encode_prompt(self, messages: Sequence[Message]) -> list[int]:
        """By the chat template, or as plain lines where there is none."""
        chat = [dict(message) for message in messages]
        if not self.inner.chat_template:
            return self.encode("\n".join(message["content"] for message in chat) + "\n")
        told = self.inner.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        return self.encode(told)

    def save(self, folder: Path) -> None:
        """As transformers does."""
        self.inner.save_pretrained(folder)

    def encode_reply(self, text: str) -> list[int]:
        """A reply with its end."""
        return [*self.encode(text), self.end]

    def encode_observation(self, text: str, reply_ids: Sequence[int]) -> list[int]:
        """A turn of the task, between what the template puts there."""
        before, after = self.between
        return self.encode(f"{before}{text}{after}")
