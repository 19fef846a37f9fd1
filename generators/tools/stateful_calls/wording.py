"""Requests in words, and what the user answers when asked."""

from collections.abc import Mapping, Sequence

from palaestra.generators.tools.stateful_calls.domain import Entity
from palaestra.generators.tools.stateful_calls.requests import Reference, Request
from palaestra.generators.tools.stateful_calls.world import UserTurn
from palaestra.generators.vocabulary import plural

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh")

FRAMES: Mapping[str, tuple[str, ...]] = {
    "raise": (
        "{record} has {amount} more of {stock} now; see to it.",
        "We got {amount} for the {stock} of {record}.",
        "Please let the {stock} of {record} grow by {amount}.",
        "Put {amount} on top of the {stock} of {record}.",
        "The {stock} of {record} should be {amount} larger.",
    ),
    "raise without amount": (
        "{record} has more of {stock} now; see to it.",
        "We got something for the {stock} of {record}.",
        "Please let the {stock} of {record} grow.",
        "Put something on top of the {stock} of {record}.",
        "The {stock} of {record} should be larger.",
    ),
    "lower": (
        "{record} has {amount} less of {stock} now; see to it.",
        "We lost {amount} of the {stock} of {record}.",
        "Please let the {stock} of {record} shrink by {amount}.",
        "Take {amount} away from the {stock} of {record}.",
        "The {stock} of {record} should be {amount} smaller.",
    ),
    "lower without amount": (
        "{record} has less of {stock} now; see to it.",
        "We lost something of the {stock} of {record}.",
        "Please let the {stock} of {record} shrink.",
        "Take something away from the {stock} of {record}.",
        "The {stock} of {record} should be smaller.",
    ),
    "transfer": (
        "{receiver} should get {amount} of {stock} from {record}.",
        "Let {record} pass {amount} of its {stock} on to {receiver}.",
        "From the {stock} of {record}, {amount} should go to {receiver}.",
        "Please take {amount} of {stock} from {record} and give it to {receiver}.",
        "{record} hands {amount} of {stock} over to {receiver}; see to it.",
    ),
    "state": (
        "{record} is '{state}' from now on; see to it.",
        "Make '{state}' the {column} of {record}.",
        "Please bring {record} into the {column} '{state}'.",
        "The {column} of {record} should be '{state}'.",
        "We want {record} to have the {column} '{state}'.",
    ),
    "state without state": (
        "{record} has another {column} from now on; see to it.",
        "Give {record} a new {column}.",
        "Please change the {column} of {record}.",
        "The {column} of {record} should be another one.",
        "We want {record} to have a different {column}.",
    ),
    "enter": (
        "We have a new {noun}: its {label} is '{name}', its {trait} '{value}'.",
        "Please put {a} with the {trait} '{value}' and the {label} '{name}' on record.",
        "Add {a} called '{name}', with '{value}' as its {trait}.",
        "One {noun} of the {trait} '{value}' has come in; '{name}' is its {label}.",
        "There should be {a} '{name}' whose {trait} is '{value}'.",
    ),
    "list": (
        "Which {nouns} have the {column} '{value}'? Give their ids, {order}.",
        "We need the ids of the {nouns} with the {column} '{value}', {order}.",
        "Tell us the ids, {order}, of all {nouns} whose {column} is '{value}'.",
        "For the {column} '{value}': the ids of its {nouns}, {order}.",
        "Please name all {nouns} that have '{value}' as their {column}, by id, {order}.",
    ),
    "count": (
        "How many {nouns} have the {column} '{value}'?",
        "Count the {nouns} with the {column} '{value}'.",
        "Tell us the number of {nouns} whose {column} is '{value}'.",
        "For the {column} '{value}': how many {nouns} are there?",
        "Please find out how many {nouns} have '{value}' as their {column}.",
    ),
    "look at stock": (
        "How many {small} of {stock} has {record}?",
        "What is the {stock} of {record}, in {small}?",
        "Tell us how much {stock} {record} has, in {small}.",
        "In {small}, how large is the {stock} of {record}?",
        "We need to know the {stock} of {record} in {small}.",
    ),
    "look at state": (
        "What {column} is {record} in?",
        "Which {column} has {record} got?",
        "Tell us the {column} of {record}.",
        "As to the {column}: what is that of {record}?",
        "We need to know the {column} of {record}.",
    ),
    "undo 1": (
        "No, undo that.",
        "That was a mistake; take it back.",
        "Sorry, reverse what you just did.",
        "Please undo that last change.",
        "On second thoughts, put that back as it was.",
    ),
    "undo 2": (
        "Undo what you did for the last request but one.",
        "The request before the last one was a mistake; take its change back.",
        "Sorry, reverse the change before the request that we just had.",
        "Not the last request, but the one before it: please undo its change.",
        "On second thoughts, put back what the last request but one changed.",
    ),
    "repeat 1": (
        "The same again, {differences}.",
        "Do that once more, {differences}.",
        "As before, {differences}.",
        "Repeat what you just did, {differences}.",
        "Now likewise, {differences}.",
    ),
    "repeat 2": (
        "The same as for the last request but one, {differences}.",
        "Do once more what the request before the last one was about, {differences}.",
        "As in the last request but one, {differences}.",
        "Not the last request, but the one before it: repeat that, {differences}.",
        "Now the same as in the request before the last, {differences}.",
    ),
}
"""Several ways to put each request."""

RECORDS: Mapping[str, tuple[str, ...]] = {
    "label": (
        "the {noun} '{name}'{which}",
        "the {noun} with the {label} '{name}'{which}",
        "the {noun} called '{name}'{which}",
        "'{name}', the {noun}{which},",
        "the {noun} whose {label} is '{name}'{which}",
    ),
    "listed": (
        "the {ordinal} of those on your list",
        "the {ordinal} {noun} of the list that you gave us",
        "the {ordinal} of those {nouns} that you named last",
        "the {noun} that comes {ordinal} on your list",
        "the {ordinal} of the {nouns} on that list",
    ),
    "latest": (
        "the same {noun}",
        "the {noun} that we just had",
        "that {noun} of the last request",
        "the {noun} in question just now",
        "the very same {noun}",
    ),
    "entered": (
        "the new {noun}",
        "the {noun} that you put on record",
        "the {noun} that has come in",
        "the {noun} that you added",
        "the {noun} that is new here",
    ),
}
"""Several ways to name a record."""

REPLIES: Mapping[str, tuple[str, ...]] = {
    "amount": ("By {amount}.", "{amount}, please.", "The amount is {amount}.", "I mean {amount}."),
    "state": ("It should be '{state}'.", "'{state}', please.", "I mean '{state}'."),
    "receiver": ("To {receiver}.", "I mean {receiver}.", "It goes to {receiver}."),
    "which": (
        "The one with the {trait} '{value}'.",
        "I mean that whose {trait} is '{value}'.",
        "The {trait} is '{value}'.",
    ),
}
"""Several ways to answer what the user is asked."""


class Speech:
    """The words of a user about ledgers; a wording selects the frames."""

    def __init__(self, entities: Sequence[Entity], wording: int) -> None:
        self.entities, self.wording = entities, wording

    def _choice(self, n: int, options: Sequence[str]) -> str:
        return options[(self.wording // (n % 4 + 1) + 3 * n) % len(options)]

    def request(self, n: int, request: Request) -> str:
        """The n-th request in words."""
        entity = self.entities[request.entity]
        frame = self._choice(n, FRAMES[_key(request)])
        values = self._values(n, request, entity)
        text = frame.format(**values)
        for mark in (",.", ",;", ",,"):
            text = text.replace(mark, mark[1:])
        return (text[0].upper() + text[1:]).replace(",?", "?")

    def _values(self, n: int, request: Request, entity: Entity) -> dict[str, str]:
        by_state = request.action in {"list", "count"} and request.state
        column, value = entity.state, request.state
        if request.action in {"list", "count", "enter"} and not by_state:
            column, value = entity.trait, request.trait
        values = {
            "noun": entity.noun,
            "nouns": plural(entity.noun),
            "a": entity.a(),
            "stock": entity.stock,
            "small": entity.small,
            "label": entity.label,
            "trait": entity.trait,
            "column": column,
            "value": value,
            "name": request.label,
            "state": request.state,
            "amount": self.amount(request),
            "order": f"the largest {entity.stock} first" if request.by_stock else "in rising order",
            "receiver": f"another {entity.noun}",
        }
        if request.action == "repeat":
            return values | {"differences": self._differences(n, request)}
        if request.target:
            values["record"] = self.record(n, request.target, request.missing == "which")
        if request.receiver and request.missing != "receiver":
            values["receiver"] = self.record(n + 1, request.receiver)
        if request.missing == "amount":
            values["amount"] = "some"
        return values

    def amount(self, request: Request) -> str:
        """An amount with its unit."""
        entity = self.entities[request.entity]
        if request.counted:
            return f"as many {entity.small} as the number that you just told us"
        return f"{abs(request.amount)} {entity.large if request.in_large else entity.small}"

    def record(self, n: int, reference: Reference, is_vague: bool = False) -> str:
        """A record as a request names it; without its trait if that is vague."""
        entity = self.entities[reference.entity]
        which = f" with the {entity.trait} '{reference.trait}'" if reference.trait else ""
        position = reference.position
        return self._choice(n, RECORDS[reference.manner]).format(
            noun=entity.noun,
            nouns=plural(entity.noun),
            label=entity.label,
            name=reference.label,
            which="" if is_vague else which,
            ordinal="last" if position < 0 else ORDINALS[position],
        )

    def _differences(self, n: int, request: Request) -> str:
        parts = []
        if request.target:
            parts.append(f"but this time for {self.record(n, request.target)}")
        if request.receiver:
            parts.append(f"but to the benefit of {self.record(n + 1, request.receiver)}")
        if request.amount:
            parts.append(f"but with {self.amount(request)}")
        if request.factor > 1:
            parts.append("but " + ("twice", "three times")[request.factor - 2] + " as much")
        if request.state:
            parts.append(f"but with '{request.state}' as the {self.entities[request.entity].state}")
        return " and ".join([parts[0], *(part.removeprefix("but ") for part in parts[1:])])

    def turn(self, n: int, request: Request) -> UserTurn:
        """The n-th request in words, and the answer to a question about what it does not say."""
        text = self.request(n, request)
        if not request.missing:
            return UserTurn(text, "", "")
        entity = self.entities[request.entity]
        reply = self._choice(n, REPLIES[request.missing]).format(
            amount=self.amount(request),
            state=request.state,
            receiver=self._plain(request.receiver) if request.receiver else "",
            trait=entity.trait,
            value=request.target.trait if request.target else "",
        )
        return UserTurn(text, request.missing, reply[0].upper() + reply[1:])

    def _plain(self, reference: Reference) -> str:
        entity = self.entities[reference.entity]
        which = f" with the {entity.trait} '{reference.trait}'" if reference.trait else ""
        return f"the {entity.noun} '{reference.label}'{which}"


def _key(request: Request) -> str:
    """The key of the frames of a request."""
    if request.action == "adjust":
        key = "lower" if request.amount < 0 else "raise"
        return f"{key} without amount" if request.missing == "amount" else key
    if request.action == "state" and request.missing == "state":
        return "state without state"
    if request.action in {"undo", "repeat"}:
        return f"{request.action} {request.back}"
    if request.action == "look":
        return "look at state" if request.state else "look at stock"
    return request.action
