"""The token ids of a chat that a policy takes part in, by the chat template of its tokenizer.

A chat is never tokenised anew: what was sampled stays as it was sampled, and only what the template
writes between a reply and the next one is added. The ids of an episode are therefore those that
``apply_chat_template`` gives for the whole chat, as long as the template is *append-only*: what it
wrote for the first turns stands unchanged at the start of what it writes for more of them. A
template that is not, as of Qwen 3 without thinking or DeepSeek R1, is refused where a second turn
comes up. Used by the reference trainer and by the adapters; needs no torch.
"""

import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

Message = Mapping[str, str]

OPENING, REPLY, OBSERVATION, REASONING = "\ue000", "\ue001", "\ue002", "\ue003"
"""Texts of a chat by which a template is found out: characters that no template has."""

THINK = ("<think>", "</think>")
"""Tokens that a policy writes within a reply."""

THOUGHTFUL = f"{THINK[0]}\n{REASONING}\n{THINK[1]}\n\n{REPLY}"


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


class ChatTokens:
    """A tokenizer of Hugging Face and its chat template, or plain lines where it has none.

    ``options`` go to the template (``enable_thinking``; ``chat_template`` is another template).
    After any of ``stop_ids`` a reply is over: the token that the template writes after the last
    reply of a chat, the tokenizer's ``eos_token_id``, and those given, which should be the
    ``eos_token_id`` of the model's ``generation_config``. Control tokens in a text of the chat are
    encoded as the characters that they are written with, never as the tokens.

    Where the package ``renderers`` (Prime Intellect) is installed and knows the model by its name,
    its stop tokens are added, and it writes what stands between turns.

    Raises ``ValueError`` where nothing ends a reply.
    """

    def __init__(
        self, tokenizer: Any, options: Mapping[str, Any] | None = None, stop_ids: Sequence[int] = ()
    ) -> None:
        self.inner, self.options = tokenizer, dict(options or {})
        self.vocabulary_size = len(tokenizer)
        self.templated = bool(self.options.get("chat_template") or tokenizer.chat_template)
        opened = self.rendered([_user(OPENING)])
        turns = [_assistant(REPLY), _user(OBSERVATION)]
        two, three = (self.rendered([_user(OPENING), *turns * n]) for n in (1, 2))
        ended = self.rendered([_user(OPENING), turns[0]], False)
        written, _, self._tail = two.removeprefix(opened).partition(REPLY)
        # What a policy writes itself before the text of a reply, such as a channel's header.
        self._head = written if two.startswith(opened) else ""
        self._head_ids = self._ids_inside(self._head)
        self.append_only = opened + (self._head + REPLY + self._tail) * 2 == three
        thoughtful = self.rendered([_user(OPENING), _assistant(THOUGHTFUL), turns[1]])
        self.drops_reasoning = REASONING not in thoughtful
        self._warned = False
        self._set_control_tokens(three + ended)
        self._set_stop_ids(ended.partition(REPLY)[2], stop_ids)
        pad_id = tokenizer.pad_token_id
        self.pad_id = int(self.stop_ids[0] if pad_id is None else pad_id)

    def _set_control_tokens(self, scaffold: str) -> None:
        """Of the added tokens, control tokens are those that are special, and those that stand in
        what the template writes by itself.
        """
        added = self.inner.added_tokens_decoder
        special = {str(token) for token in self.inner.all_special_tokens}
        self._added_ids = {*added, *self.inner.all_special_ids}
        special |= {
            str(token) for token in added.values() if token.special or str(token) in scaffold
        }
        self._control = {token for token in special if len(token) > 1}
        self._control_in_replies = self._control.difference(THINK)
        self._lengths = sorted({len(token) for token in self._control})
        firsts = "".join(sorted({token[0] for token in self._control}))
        self._firsts = re.compile(f"[{re.escape(firsts)}]" if firsts else r"(?!)")

    def _set_stop_ids(self, after: str, more: Sequence[int]) -> None:
        """What ends a reply, from what stands after the last one of a chat."""
        closing = self._through_added(after)
        self._ending = self._through_added(self._tail.partition(OBSERVATION)[0])
        # GLM has no end of a turn: the next one's beginning is the end.
        self._closes = bool(closing)
        eos_id = self.inner.eos_token_id
        self._closing = closing or self._ending or ([] if eos_id is None else [int(eos_id)])
        stop_ids = [*self._closing[-1:], *([] if eos_id is None else [int(eos_id)]), *more]
        self.renderer = _renderer(self.inner, self.options)
        if self.renderer is not None:
            stop_ids += self.renderer.get_stop_token_ids()
        if not stop_ids:
            raise ValueError("neither the tokenizer nor its chat template has an end of a reply")
        self.stop_ids = tuple(dict.fromkeys(stop_ids))

    def _through_added(self, text: str) -> list[int]:
        """The ids of a text up to its first added token, with that; none where there is none."""
        ids = self._ids(text)
        end = next((n for n, each in enumerate(ids, 1) if each in self._added_ids), 0)
        return ids[:end]

    @classmethod
    def load(cls, model: str, options: Mapping[str, Any] | None = None) -> "ChatTokens":
        """The tokenizer of a model by path or name; ``options`` go to its chat template."""
        from transformers import AutoTokenizer

        return cls(AutoTokenizer.from_pretrained(model), options, generation_stop_ids(model))

    def save(self, folder: Path) -> None:
        """As transformers does."""
        self.inner.save_pretrained(folder)

    # ------------------------------------------------------------------ texts of a chat

    def rendered(self, messages: Sequence[Message], prompt: bool = True) -> str:
        """A chat as text; with ``prompt``, up to where the next reply begins."""
        if self.templated:
            chat = [dict(message) for message in messages]
            return str(
                self.inner.apply_chat_template(
                    chat, tokenize=False, add_generation_prompt=prompt, **self.options
                )
            )
        eos = self.inner.eos_token or ""
        return "".join(
            f"{message['content']}{eos if message['role'] == 'assistant' else ''}\n"
            for message in messages
        )

    def _marked(self, text: str, mark: str, control: Collection[str]) -> str:
        """A text with a mark after the first character of each control token in it.

        The tokenizer's own ``split_special_tokens`` will not do: it misses tokens that are not
        called special, and is a state that threads which encode at the same time would share.
        """
        places = [
            match.end()
            for match in self._firsts.finditer(text)
            if any(text[match.start() : match.start() + n] in control for n in self._lengths)
        ]
        return mark.join(text[i:j] for i, j in zip([0, *places], [*places, len(text)]))

    # ------------------------------------------------------------------ ids

    def _ids(self, text: str) -> list[int]:
        """Its ids, without any that the tokenizer puts around a text."""
        return list(self.inner.encode(text, add_special_tokens=False))

    def _ids_inside(self, text: str) -> list[int]:
        """The ids of a text that stands behind another: tokenizers of the SentencePiece kind begin
        a text with a blank.
        """
        eos = self.inner.eos_token
        ids = self._ids(f"{eos}{text}") if eos else []
        return ids[1:] if ids[:1] == [self.inner.eos_token_id] else self._ids(text)

    def _encode(self, text: str, mark: str) -> list[int]:
        """The ids of a text that is cut at a mark, so that no control token stands across it."""
        first, *rest = text.split(mark)
        return [*self._ids(first), *chain.from_iterable(map(self._ids_inside, rest))]

    def encode_prompt(self, messages: Sequence[Message]) -> list[int]:
        """The ids of a chat up to where the policy's reply begins."""
        mark = _unused(message["content"] for message in messages)
        chat = [
            {**one, "content": self._marked(one["content"], mark, self._control)}
            for one in messages
        ]
        ids = self._encode(self.rendered(chat), mark)
        # A template writes the beginning itself; before plain lines, some tokenizers do.
        first = [] if self.templated else self.inner.encode("x")[:1]
        return [*first, *ids] if first == [self.inner.bos_token_id] else ids

    def encode_reply(self, text: str) -> list[int]:
        """A reply as the template writes it, with its end; with reasoning, as it stands."""
        mark = _unused([text])
        reply = self._marked(text, mark, self._control_in_replies)
        written = self._head + reply
        if self.append_only:
            opening = [_user(OPENING)]
            whole = self.rendered([*opening, _assistant(reply), _user(OBSERVATION)])
            written = whole[len(self.rendered(opening)) :].removesuffix(self._tail)
        if self.drops_reasoning and THINK[1] in text:
            written = reply
        return [*self._encode(mark + written, mark), *self._closing]

    def encode_observation(self, text: str, reply_ids: Sequence[int]) -> list[int]:
        """The ids that follow a sampled reply: what the template writes after it, as far as it was
        not sampled, the user's turn, and the beginning of the next reply.

        A reply that ended with another stop token than the template's is not ended again. Raises
        ``ValueError`` where the template is not append-only.
        """
        self._check_append_only()
        mark = _unused([text])
        observation = self._marked(text, mark, self._control)
        stopped = bool(reply_ids) and reply_ids[-1] in self.stop_ids
        # Renderers would write control tokens in a text, and end what was cut in ways of their own.
        if self.renderer is not None and stopped and mark not in observation:
            prompt = self._ids(self.rendered([_user(OPENING)]))
            before = [*prompt, *reply_ids]
            whole = self.renderer.bridge_to_next_turn(prompt, list(reply_ids), [_user(text)])
            if whole is not None and whole.token_ids[: len(before)] == before:
                return list(whole.token_ids[len(before) :])
        chat = [_user(OPENING), _assistant(REPLY), _user(observation)]
        ids = self._encode(self.rendered(chat).partition(REPLY)[2], mark)
        if stopped and (self._closes or reply_ids[-1] in self._ending):
            ids = ids[len(self._ending) :]
        return ids

    def _check_append_only(self) -> None:
        name = getattr(self.inner, "name_or_path", "") or "this tokenizer"
        if not self.append_only:
            raise ValueError(
                f"the chat template of {name} is not append-only: with a second turn it writes the"
                " first reply otherwise than it was sampled, so an episode of several turns cannot"
                " be trained on; give another one as `chat_template` among the template's options,"
                " or tasks of one turn"
            )
        if self.drops_reasoning and not self._warned:
            self._warned = True
            warnings.warn(
                f"the chat template of {name} leaves the reasoning of earlier turns out; episodes"
                " keep all that was sampled",
                stacklevel=3,
            )

    def cut(self, ids: Sequence[int]) -> list[int]:
        """The ids up to the first stop token, with that."""
        end = next((n for n, each in enumerate(ids, 1) if each in self.stop_ids), len(ids))
        return list(ids[:end])

    def decode(self, ids: Sequence[int]) -> str:
        """The text of a reply up to the first stop token, without the header of its channel."""
        kept = self.cut(ids)
        kept = kept[:-1] if kept and kept[-1] in self.stop_ids else kept
        head = self._head_ids
        if self._added_ids.intersection(head):
            places = range(len(kept) - len(head), -1, -1)
            start = next((n for n in places if kept[n : n + len(head)] == head), -len(head))
            kept = kept[start + len(head) :]
        text = str(
            self.inner.decode(kept, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        )
        return text.removeprefix(self._head if text.startswith(self._head) else self._head.rstrip())


def _unused(texts: Iterable[str]) -> str:
    """A mark that stands in none of some texts."""
    whole, number = "\n".join(texts), 0
    while (mark := f"\ue010{number}\ue011") in whole:
        number += 1
    return mark


def generation_stop_ids(model: str) -> list[int]:
    """The ``eos_token_id`` of a model's generation config, one or several; none without one."""
    from transformers import GenerationConfig

    try:
        eos = GenerationConfig.from_pretrained(model).eos_token_id
    except OSError:
        return []
    return eos if isinstance(eos, list) else [] if eos is None else [int(eos)]


def _renderer(tokenizer: Any, options: Mapping[str, Any]) -> Any:
    """What Prime Intellect's ``renderers`` has for a model of that name, if it can be imported."""
    if "chat_template" in options:
        return None
    try:
        from renderers.base import (  # type: ignore[import-not-found]
            MODEL_RENDERER_MAP,
            create_renderer,
        )
        from renderers.configs import AutoRendererConfig  # type: ignore[import-not-found]
    except ImportError:  # also where it is installed without what it needs
        return None
    if getattr(tokenizer, "name_or_path", "") not in MODEL_RENDERER_MAP:
        return None
    try:
        # Reasoning of earlier turns stays, as it was sampled.
        kept = AutoRendererConfig(thinking_retention="all")
        return create_renderer(tokenizer, kept, chat_template_kwargs=dict(options) or None)
    except ValueError:  # options that it does not know; the template may
        return None
