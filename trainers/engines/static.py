"""Sampling with a cache of fixed size; on a GPU, a CUDA graph records a step and is replayed."""

import inspect
import os
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import torch
from torch import Tensor, nn

from palaestra.trainers.engines.base import Completion, Replica, Sampling
from palaestra.trainers.models.decoder import Cache, Decoder
from palaestra.trainers.models.policies import sampling_mode

ROUND = 64
"""On a GPU, lengths are rounded up to multiples of this, so that few sizes occur."""

STOP_CHECK = 16
"""On a GPU, the number of tokens between checks for stopped rows; each check synchronises."""

READ_TOKENS = 65_536
"""The number of prompt tokens, including padding, per forward pass."""

Step = Callable[[], Tensor]
"""One decoding step on the buffers of a :class:`Stepper`: the logits (batch, vocabulary)."""


def cuda_graph(step: Step) -> Step:
    """Record a step as a CUDA graph and return its replay, whose result is always the same tensor.

    A warm-up run selects kernels and allocates memory before the recording.
    """
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        logits = step()

    def replay() -> Tensor:
        graph.replay()
        return logits

    return replay


MOST_ON_A_CPU = 2**31
"""The bytes of all caches on a CPU. Prefixes of episodes that have ended would fill any memory."""


def cache_budget(device: torch.device) -> int:
    """The number of bytes for caches: half of the free memory, as the other half is for training;
    on a CPU, which reads few prompts at once, 2 GiB at most.
    """
    if device.type == "cuda":
        unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int(torch.cuda.mem_get_info(device)[0] + unused) // 2
    if {"SC_PAGE_SIZE", "SC_AVPHYS_PAGES"} <= set(getattr(os, "sysconf_names", ())):
        free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
        return min(free // 2, MOST_ON_A_CPU)
    return MOST_ON_A_CPU


def token_bytes(model: Any) -> int:
    """An upper bound for the bytes of the keys and values of one token; windows may hold less."""
    size: int = next(model.parameters()).element_size()
    if isinstance(model, Decoder):
        return 2 * model.shape.layers * model.shape.width * size
    config = model.config.get_text_config()
    heads = config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // heads
    heads = getattr(config, "num_key_value_heads", None) or heads
    return int(2 * config.num_hidden_layers * heads * width) * size


def cache_argument(model: Any) -> str:
    """The argument of a model of Transformers that takes the cache, whose name depends on its
    version; adapters pass on what they do not know.
    """
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    return "cache" if "cache" in inspect.signature(base.forward).parameters else "past_key_values"


@dataclass(frozen=True, slots=True)
class Match:
    """A row of a cache that begins as a prompt does: the column of its first token, and how many
    tokens they have in common.
    """

    stepper: "Stepper"
    row: int
    first: int
    common: int


class Stepper:
    """A model with decoding state: buffers of shape (rows, length), and a cache.

    Only the numbers in the buffers depend on the column of a step, so that ``capture`` can record
    the step; it receives the step and returns its replacement.
    """

    def __init__(
        self, model: nn.Module, batch: int, length: int, capture: Callable[[Step], Step] | None
    ) -> None:
        self.model, self.batch, self.length = model, batch, length
        device = next(model.parameters()).device
        self.attention_mask = torch.zeros(batch, length, dtype=torch.long, device=device)
        self.attention_mask[:, 0] = 1
        self.ids = torch.zeros(batch, dtype=torch.long, device=device)
        self.column = torch.zeros(1, dtype=torch.long, device=device)
        self.rows: list[tuple[tuple[int, ...], int]] = []
        """The tokens of each row that the cache holds, and the column of the first."""
        self.cache = self._cache()
        self.cache_argument = "" if isinstance(model, Decoder) else cache_argument(model)
        # Not a method of this object: the cycle would keep the cache until Python looks for cycles.
        self._recorded: Step | None = None
        # A step moves the cache on; so those that allocate or record come before the first prompt
        # is read, and `read` starts the cache anew.
        if not isinstance(model, Decoder):
            self._step()  # allocates the cache of transformers
        if capture is not None and self.is_plain:
            self._recorded = capture(self._step)

    def _cache(self) -> Any:
        if isinstance(self.model, Decoder):
            weight = self.model.embed.weight
            return Cache(self.model.shape, self.batch, self.length, weight)
        from transformers.cache_utils import StaticCache, StaticLayer

        model: Any = self.model
        cache = StaticCache(config=model.config, max_cache_len=self.length)
        # A window that holds the whole length slides nowhere. Its layers would count in numbers of
        # Python's all the same, which a graph never sees again.
        cache.layers = [
            StaticLayer(self.length) if _slides_nowhere(layer, self.length) else layer
            for layer in cache.layers
        ]
        return cache

    @property
    def is_free(self) -> bool:
        """Whether the cache holds no prefix that can be reused."""
        return not any(tokens for tokens, _ in self.rows)

    @property
    def is_plain(self) -> bool:
        """Whether all that was read stays where it is: then a step is the same at any column, and
        rows can be read on from. Windows that slide move it.
        """
        return isinstance(self.model, Decoder) or all(
            type(layer).__name__ == "StaticLayer" for layer in self.cache.layers
        )

    def layers(self) -> list[tuple[Tensor, Tensor]]:
        """Keys and values, each (batch, heads, length, head width), of each layer."""
        if isinstance(self.model, Decoder):
            return list(self.cache.layers)
        return [(layer.keys, layer.values) for layer in self.cache.layers]

    def read(self, ids: Tensor, attention_mask: Tensor, start: int = 0) -> Tensor:
        """The logits (batch, vocabulary) after prompts (batch, length), padded at the left. What
        stands before ``start`` is in the cache.
        """
        length = ids.shape[1]
        self.attention_mask.zero_()
        self.column.fill_(length)
        size = max(1, READ_TOKENS // self.batch) if self.is_plain else length
        if not isinstance(self.model, Decoder):
            self._move_cache(start)
        for begin in range(start, length, size):
            end = min(begin + size, length)
            self.attention_mask[:, :end] = attention_mask[:, :end]
            logits = self._read(ids[:, begin:end], begin, end)
        return logits

    def _read(self, ids: Tensor, start: int, end: int) -> Tensor:
        mask = self.attention_mask[:, :end]
        if isinstance(self.model, Decoder):
            return self.model.logits(self.model.hidden(ids, mask, self.cache, start)[:, -1])
        positions = (mask.cumsum(-1) - 1).clamp(min=0)[:, start:]
        return self._pretrained(ids, positions, torch.arange(start, end, device=ids.device))

    def _move_cache(self, start: int) -> None:
        """Set the position of the transformers cache to a column."""
        for layer in self.cache.layers:
            if start == 0:
                layer.reset()
            elif hasattr(layer, "cumulative_length"):
                layer.cumulative_length.fill_(start)

    def copy_rows(
        self, matches: Sequence[Match | None], lengths: Sequence[int], start: int
    ) -> None:
        """Takes what stands before column ``start`` of each row from where it was read before, for
        prompts of some ``lengths`` that all end at the same column.
        """
        longest, device = max(lengths), self.ids.device
        sources: dict[Stepper, list[int]] = {}
        for row, match in enumerate(matches):
            if match is not None:
                sources.setdefault(match.stepper, []).append(row)
        parts = []
        for source, rows in sources.items():
            shared = [match for match in (matches[row] for row in rows) if match is not None]
            shift = [match.first - longest + lengths[row] for row, match in zip(rows, shared)]
            columns = torch.arange(start)[None] + torch.tensor(shift)[:, None]
            columns = columns.clamp(0, source.length - 1).to(device)
            held = torch.tensor([[match.row] for match in shared], device=device)
            parts.append((source.layers(), torch.tensor(rows, device=device), held, columns))
        for number, pair in enumerate(self.layers()):
            for side, mine in enumerate(pair):
                # First all is gathered: this may be one of the sources.
                gathered = torch.zeros_like(mine[:, :, :start])
                for layers, rows_, held, columns in parts:
                    gathered[rows_] = layers[number][side][held, :, columns].transpose(1, 2)
                mine[:, :, :start] = gathered

    def step(self, ids: Tensor, alive: Tensor) -> Tensor:
        """The logits after one more token of each row; rows that are not alive do not see it."""
        self.ids.copy_(ids)
        self.attention_mask.index_copy_(1, self.column, alive[:, None].long())
        logits = self._recorded() if self._recorded else self._step()
        self.column += 1
        return logits

    def _step(self) -> Tensor:
        if isinstance(self.model, Decoder):
            return self.model.step(self.ids, self.attention_mask, self.column, self.cache)
        positions = (self.attention_mask.sum(-1, keepdim=True) - 1).clamp(min=0)
        return self._pretrained(self.ids[:, None], positions, self.column)

    def _pretrained(self, ids: Tensor, positions: Tensor, columns: Tensor) -> Tensor:
        model: Any = self.model
        out = model(
            input_ids=ids, attention_mask=self.attention_mask, position_ids=positions,
            cache_position=columns, use_cache=True, logits_to_keep=1,
            **{self.cache_argument: self.cache},
        )  # fmt: skip
        return out.logits[:, -1]


class Static(Replica):
    """Samples batches with the policy itself, or with a copy of it in another dtype.

    Prefixes are reused until the next :meth:`sync`: a prompt that shares a prefix with a row of a
    cache, such as the next turn of an episode, continues from there. Caches are kept as long as
    they fit into ``cache_bytes``, for whose default see :func:`cache_budget`, and batches are split
    so that a cache fits. ``capture`` records a decoding step, by default as a CUDA graph if the
    model is on a GPU.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self, model: nn.Module, pad_id: int, stop_ids: Sequence[int], batch: int = 256,
        dtype: str = "float32", capture: Callable[[Step], Step] | None = None,
        cache_bytes: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(model, dtype)
        self.pad_id, self.stop_ids, self.batch = pad_id, stop_ids, batch
        self.capture, self.cache_bytes = capture, cache_bytes
        self.own_probabilities = self.model is not model
        self.steppers: list[Stepper] = []
        """Caches, the most recently used last."""

    def sync(self) -> None:
        """Copy the weights and discard the prefixes of the old weights. Graphs are kept."""
        super().sync()
        if self._capture is None:
            self.steppers = []
        for stepper in self.steppers:
            stepper.rows = []

    def sleep(self) -> None:
        """Caches stay, within their half of the memory: graphs that read there take seconds."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Sample a completion of each prompt; prompts of similar length form a batch."""
        limits, completions = sampling.limits(len(prompts)), dict[int, Completion]()
        order = sorted(range(len(prompts)), key=lambda n: -len(prompts[n]))
        used: list[Stepper] = []
        with sampling_mode(self.model):
            while order:
                size = self._size(len(order), len(prompts[order[0]]) + max(limits))
                rows, order = order[: size[0]], order[size[0] :]
                batch = self._batch(
                    [tuple(prompts[n]) for n in rows], [limits[n] for n in rows], size, used,
                    sampling.temperature, generator,
                )  # fmt: skip
                completions.update(zip(rows, batch))
        return [completions[n] for n in range(len(prompts))]

    def _size(self, rows: int, length: int) -> tuple[int, int]:
        """The rows and columns of a cache for so many rows of such a length, or as many rows of
        them as fit; on a GPU, one of a few sizes.
        """
        rows = min(rows, self.batch)
        if self._on_gpu:
            rows, length = 1 << (rows - 1).bit_length(), -(-length // ROUND) * ROUND
        fitting = max(1, self._budget() // (length * token_bytes(self.model)))
        if fitting < rows:
            rows = 1 << (fitting.bit_length() - 1) if self._on_gpu else fitting
        return rows, length

    @property
    def _capture(self) -> Callable[[Step], Step] | None:
        return self.capture or (cuda_graph if self._on_gpu else None)

    @property
    def _on_gpu(self) -> bool:
        return bool(next(self.model.parameters()).is_cuda)

    def _budget(self) -> int:
        if self.cache_bytes is None:
            self.cache_bytes = cache_budget(next(self.model.parameters()).device)
        return self.cache_bytes

    def _batch(  # noqa: PLR0913, PLR0917
        self, prompts: Sequence[tuple[int, ...]], limits: Sequence[int], size: tuple[int, int],
        used: list[Stepper], temperature: float, generator: torch.Generator,
    ) -> list[Completion]:  # fmt: skip
        lengths, most = list(map(len, prompts)), max(limits)
        longest, matches = max(lengths), self._matches(prompts)
        stepper = self._stepper(size, [match.stepper for match in matches if match], used)
        used.append(stepper)
        unread = max(
            length - (match.common if match else 0) for length, match in zip(lengths, matches)
        )
        start = longest - unread if stepper.is_plain else 0
        if start:
            stepper.copy_rows(matches, lengths, start)
        for match in matches:
            if match and match.common == len(match.stepper.rows[match.row][0]):
                match.stepper.rows[match.row] = (), 0  # goes on elsewhere
        stepper.rows = []
        device, rows = stepper.ids.device, stepper.batch
        ids = torch.full((rows, longest), self.pad_id)
        attention_mask = torch.zeros(rows, longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            attention_mask[row, longest - len(prompt) :] = 1
        attention_mask[len(prompts) :, -1] = 1  # rows that only fill the batch see something, too
        left = torch.tensor([*limits, *[0] * (rows - len(prompts))], device=device)
        stops = torch.tensor(list(self.stop_ids), dtype=torch.long, device=device)
        alive = left > 0
        logits = stepper.read(ids.to(device), attention_mask.to(device), start)
        chosen, logprobs = [], []
        every = STOP_CHECK if self._on_gpu else 1
        for n in range(1, most + 1):
            token, logprob = sampled_tokens(logits, temperature, generator)
            token = token.masked_fill(~alive, self.pad_id)
            chosen.append(token)
            logprobs.append(logprob)
            after = alive & (left > n) & (token[:, None] != stops).all(-1)
            if n == most or (n % every == 0 and not bool(after.any())):
                break
            logits = stepper.step(token, alive)
            alive = after
        sampled = [
            self._cut(row[:limit], values)
            for row, values, limit in zip(
                torch.stack(chosen, 1).tolist(), torch.stack(logprobs, 1).tolist(), limits
            )
        ]
        if stepper.is_plain:  # the token that was chosen last was not read
            stepper.rows = [
                ((*prompt, *one.ids[: len(chosen) - 1]), longest - len(prompt))
                for prompt, one in zip(prompts, sampled)
            ]
        return sampled

    def _matches(self, prompts: Sequence[tuple[int, ...]]) -> list[Match | None]:
        """The row of a cache that has most in common with each prompt, but for its last token,
        whose logits are wanted. In the order of the alphabet, that is a neighbour.
        """
        held = sorted(
            (
                (tokens, first, row, stepper)
                for stepper in self.steppers
                for row, (tokens, first) in enumerate(stepper.rows)
                if tokens
            ),
            key=itemgetter(0),
        )
        matches: list[Match | None] = []
        for prompt in prompts:
            index = bisect(held, prompt, key=itemgetter(0))
            near = [
                Match(stepper, row, first, min(_common(prompt, tokens), len(prompt) - 1))
                for tokens, first, row, stepper in held[max(0, index - 1) : index + 1]
            ]
            matches.append(max(near, key=lambda match: match.common, default=None))
        return matches

    def _stepper(
        self, size: tuple[int, int], sources: Sequence[Stepper], used: Sequence[Stepper]
    ) -> Stepper:
        """Buffers of a size: those that are read on from, or that hold nothing, or new ones if
        there is memory for them, or those that were used longest ago.
        """
        if self._capture is None:  # only graphs are worth keeping for a later batch of their size
            self.steppers = [
                one
                for one in self.steppers
                if not one.is_free or one in used or (one.batch, one.length) == size
            ]
        each = token_bytes(self.model)
        room = self._budget() - sum(each * one.batch * one.length for one in self.steppers)
        wanted = each * size[0] * size[1]
        same = [one for one in self.steppers if (one.batch, one.length) == size]
        fresh = [one for one in same if one not in used]
        best = [one for one in fresh if one in sources] or [one for one in fresh if one.is_free]
        if not best and room < wanted:
            best = same
        if best:
            self.steppers.remove(best[0])
        while self.steppers and not best and room < wanted:
            oldest = self.steppers.pop(0)
            room += each * oldest.batch * oldest.length
        if not best:
            best = [Stepper(self.model, *size, self._capture)]
        self.steppers.append(best[0])
        return best[0]

    def _cut(self, ids: list[int], logprobs: list[float]) -> Completion:
        """The sampled tokens before the first stop id."""
        end = next((n for n, token in enumerate(ids, 1) if token in self.stop_ids), len(ids))
        return Completion(ids[:end], logprobs[:end], ids[end - 1] in self.stop_ids)


def _slides_nowhere(layer: Any, length: int) -> bool:
    """Whether a layer of a cache has a window of this number of tokens."""
    return bool(getattr(layer, "is_sliding", False)) and layer.max_cache_len >= length


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """The length of the common prefix of two rows of tokens."""
    if one[: len(other)] == other:
        return len(other)
    return next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), len(one))


def sampled_tokens(
    logits: Tensor, temperature: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """A token of each row of logits (batch, vocabulary), and its log-probability at that
    temperature: both (batch,). At a temperature of 0 the likeliest token, at temperature 1.

    The race of exponential clocks, which is what ``torch.multinomial`` does for one draw, without
    the checks for which it waits for the GPU.
    """
    scaled = logits.float() / (temperature or 1.0)
    if temperature == 0:
        tokens = scaled.argmax(-1)
    else:
        clocks = torch.empty_like(scaled).exponential_(generator=generator)
        tokens = (scaled - clocks.log_()).argmax(-1)
    return tokens, scaled.gather(-1, tokens[:, None]).squeeze(-1) - scaled.logsumexp(-1)
