"""Rows of data sets under all the names that trainers look for.

Every trainer carries one opaque label to its scorer. Ours is the address, which goes by the name
that each of them has for it. No row holds an answer: a scorer works it out from the address.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from palaestra.address import SEEDS, Address, BadAddress
from palaestra.episode import TAGS, Style, style_of
from palaestra.scoring import Drawn, opening

FIRST = 1_000
"""How many seeds a selection has that names none."""


def trainer_row(
    address: str, messages: Sequence[Mapping[str, str]], style: str = "tags"
) -> dict[str, Any]:
    """One row, in which every trainer of :data:`palaestra.trainers.exports.TRAINERS` finds its own.

    Whatever is called a truth, a label or a turn of the model's in it is the address.
    """
    named = Address.parse(address)
    said = [dict(message) for message in messages]
    asked = said[-1]["content"]
    return {
        "prompt": said,
        "messages": said,
        "input": asked,
        "problem": asked,
        "conversations": [
            {"from": "human", "value": asked},
            {"from": "gpt", "value": address},
        ],
        "label": address,
        "labels": address,
        "ground_truth": address,
        "address": address,
        "reward_model": {"style": "rule", "ground_truth": address},
        "reward_spec": {"method": "rule", "ground_truth": address},
        "env_class": "palaestra",
        "data_source": f"palaestra/{named.env}",
        "ability": named.env.partition("/")[0],
        "extra_info": {"address": address, "split": named.split, "style": style},
        "metadata": {"address": address, "style": style},
        "tag": named.env,
        "domain": "palaestra",
        "env": named.env,
        "style": style,
        "seed": named.seed,
        "level": named.level,
    }


def row_of(drawn: Drawn, style: Style | str = TAGS) -> dict[str, Any]:
    """The row of a task that was drawn, with its tools as JSON where it has some.

    As text, for a column whose entries differ in shape is more than Parquet can hold.
    """
    made = trainer_row(drawn.address, drawn.messages, style_of(style).name)
    return made | ({"tools": json.dumps(list(drawn.tools))} if drawn.tools else {})


def selected(wish: str) -> Iterator[Address]:
    r"""The addresses that a selection names, for configurations that hold nothing but texts.

    It looks like an address with ``seeds=FROM:TO`` instead of a seed, and with ``split=eval`` it
    counts from the first seed of evaluation. Without ``seeds`` it has the first thousand.

    >>> print(*selected("games/mastermind?level=1&seeds=3:5"), sep="\n")
    games/mastermind@1?digits=6&guesses=8&length=3&seed=3
    games/mastermind@1?digits=6&guesses=8&length=3&seed=4

    Raises :class:`~palaestra.address.BadAddress` for what is no selection, and what
    :meth:`Address.parse <palaestra.address.Address.parse>` does.
    """
    path, _, query = wish.strip().partition("?")
    parts = [part for part in query.split("&") if part]
    own = {"seeds": f"0:{FIRST}", "split": "train"}
    rest = []
    for part in parts:
        name, _, value = part.partition("=")
        if name in own:
            own[name] = value
        else:
            rest.append(part)
    if any(part.startswith("seed=") for part in rest):
        raise BadAddress(f"a selection has seeds=FROM:TO, not a seed: {wish[:200]!r}")
    if own["split"] not in SEEDS:
        raise BadAddress(f"a split is train or eval, not {own['split'][:20]!r}")
    reserve = SEEDS["eval" if own["split"] == "eval" else "train"]
    first, _, last = own["seeds"].partition(":")
    numbers = [each for each in (first, last) if each.isascii() and each.isdecimal()]
    if len(numbers) < 2 or not int(first) < int(last) <= len(reserve):
        raise BadAddress(f"seeds are FROM:TO, such as 0:1000, not {own['seeds'][:40]!r}")
    base = Address.parse("?".join(filter(None, (path, "&".join(rest)))))
    for seed in range(int(first), int(last)):
        yield Address(base.env, base.version, base.knobs, reserve.start + seed)


def selected_rows(wish: str, style: Style | str = TAGS) -> Iterator[dict[str, Any]]:
    """The rows of a selection."""
    return (row_of(opening(address, style), style) for address in selected(wish))
