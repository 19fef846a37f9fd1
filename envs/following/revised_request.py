"""Requests that later messages revise, as in MultiChallenge (Sirdeshmukh et al., 2025)."""

import re
from collections.abc import Mapping
from random import Random
from typing import Self

from palaestra.generators.following.revised_request import (
    EDITS,
    Request,
    Size,
    is_nested,
    random_request,
    result,
    simple_results,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import numbered
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list

_HEAD = re.compile(
    r"\A\s{0,9}\*{0,2}(?:the )?(?:final |resulting |new )?(?:list|order|result|answer)(?: is)?"
    r"\*{0,2}:\*{0,2}(?=\s)",
    re.IGNORECASE,
)
"""A label before the whole list."""


class RevisedRequest(Puzzle):
    """Edit a list as messages ask for, of which later ones withdraw or correct earlier ones."""

    tags = {"instruction-following", "revision", "state-tracking", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        words: int = ladder(4, 5, 6, 7, 8, 10, 12, low=4, high=20)
        edits: int = ladder(4, 5, 6, 8, 10, 14, 18, low=3, high=30)
        withdrawals: int = ladder(1, 3, 3, 4, 5, 7, 10, low=1, high=16)
        corrections: int = ladder(0, 0, 1, 2, 3, 4, 5, high=8)
        nested: int = ladder(0, 40, 50, 60, 60, 65, 70, high=90)  # percent of the withdrawals

    request: Request

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(knobs.words, knobs.edits, knobs.withdrawals, knobs.corrections, knobs.nested)
        return cls(request=random_request(rng, size))

    def is_valid(self) -> bool:
        """Whether the rules that the messages use matter for the list."""
        right = self.result()
        simple = simple_results(self.request)
        if not self.is_nested:
            del simple["all withdrawals"], simple["withdrawals of edits alone"]
        if not any(message.action == "correct" for message in self.request.messages):
            del simple["no corrections"]
        return len(right) > 2 and right not in simple.values()

    @property
    def is_nested(self) -> bool:
        """Whether a message withdraws one that is no edit."""
        messages = self.request.messages
        return any(is_nested(messages, each) for each in messages)

    def result(self) -> list[str]:
        """The list after all messages."""
        return result(self.request)

    def prompt(self) -> str:
        task = self.phrase(
            "Someone wants a list changed and sends these messages, one after another.",
            "A list is edited by messages. Some messages revise earlier ones.",
        )
        messages = numbered(message.text() for message in self.request.messages)
        example = joined([*self.request.start[2:], *self.request.start[:2]])
        return (
            f"{task}\n\nList at the start: {joined(self.request.start)}\n\nMessages:\n{messages}"
            "\n\nA message can withdraw an earlier one, in words such as 'Forget message 7'. A "
            "message that is withdrawn counts as if it had never been sent, unless the message "
            "that withdraws it is withdrawn itself, and so on: a message is in force if no later "
            "message that is in force withdraws it. In the same way, a message can correct a word "
            "of an earlier one, which keeps its position among the messages; if several correct "
            "the same message, the earlier correction comes first, and one of a word that the "
            "message does not have at that time changes nothing. Start from the list above, and "
            "apply all messages in force that edit it, in the order of their numbers. An item that "
            "is put somewhere leaves its old position if it is on the list, and is added if it is "
            "not. A message changes nothing if an item that it moves, takes out, swaps or "
            "replaces, or next to which it puts another, is not on the list at that time, or if it "
            "names the same item twice. Answer with the list that results, in order, such as "
            f"'{example}'."
        )

    def answer(self) -> str:
        return joined(self.result())

    def verify(self, answer: str) -> Score:
        words, right = (
            word_list(_HEAD.sub("", answer), len(self.result()), what="a list of items"),
            self.result(),
        )
        hits = sum(one == other for one, other in zip(words, right))
        parts = {"progress": hits / max(len(words), len(right))}
        if words == right:
            return Score(1, parts=parts)
        if sorted(words) == sorted(right):
            return Score(0, "the order is wrong", parts)
        return Score(0, "an item is missing, or does not belong to the list", parts)

    def difficulty(self) -> float:
        """The number of items on the list for each edit, and of messages for each revision."""
        messages = self.request.messages
        edits = sum(message.action in EDITS for message in messages)
        return float(edits * len(self.request.start) + (len(messages) - edits) * len(messages))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do not apply one of the rules, and a random order."""
        right = self.result()
        rows = simple_results(self.request) | {
            "items in random order": rng.sample(right, len(right))
        }
        return {player: joined(row) for player, row in rows.items()}
