"""The rules of an office on its mail, in words; :mod:`.decisions` applies them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, Self

Rule = Literal[
    "hold", "outside", "protected", "confidential", "approval", "partner", "expired", "patience",
    "organiser", "deputy",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "hold", "outside", "protected", "confidential", "approval", "partner", "expired", "patience",
    "organiser", "deputy",
)  # fmt: skip
"""In the order in which levels add them."""


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them."""

    rules: tuple[Rule, ...]
    domain: str
    """Of the addresses of the office."""
    hold: str
    confidential: str
    refused: str
    """The labels of messages that are not moved, not sent, and to be asked about."""
    approval: str
    limit: int
    """The label of invoices with a total of that many euros or more."""
    partner: str
    """A company that gets mail without a draft."""
    expiry: str
    """The date before which a message is not held any more."""
    patience: str
    """The date from which on my messages are too new for a reminder."""
    away: str
    deputy: str
    """The names of a member of the office who is away, and of the one who gets the mail."""
    criterion: Literal["phone", "email"]
    """What two contacts have in common that are the same person."""
    survivor: Literal["lowest id", "latest update"]
    """The contact that is kept of the two."""

    def number(self, rule: Rule) -> int:
        """The number of a rule in the text."""
        return self.rules.index(rule) + 1

    def has(self, *rules: Rule) -> bool:
        """Whether all of these rules hold."""
        return all(rule in self.rules for rule in rules)

    def without_rules(self) -> Self:
        """What always holds."""
        return self._replace(rules=())

    def text(self) -> str:
        """All rules with their numbers."""
        lines = (f"Rule {n}: {_TEXTS[rule](self)}" for n, rule in enumerate(self.rules, 1))
        return "\n".join([*_general(self), *lines])


def _general(policy: Policy) -> Sequence[str]:
    """What holds besides the numbered rules."""
    same = {
        "phone": "the same digits in their phone numbers",
        "email": "the same e-mail address, if capitals and a part from '+' up to '@' are ignored",
    }[policy.criterion]
    kept = {
        "lowest id": "with the lower id",
        "latest update": "that has been updated later",
    }[policy.survivor]
    lines = (
        "A person is named with a company, and there are namesakes elsewhere. The messages from a "
        "person are those from all addresses of contacts with that name and company; the messages "
        "from a company are those from all its contacts.\n"
        "An invoice is a message with an attachment whose name begins with 'invoice'; the message "
        "states its total.\n"
        "To answer a question, reply to the message with the value alone, as it is stated. If "
        "messages contradict each other, the value counts that is stated in the message with the "
        "latest date. Quoted lines, which begin with '>', state nothing.\n"
        "My message is answered if its receiver has sent a message in the same thread later.\n"
        f"Two contacts of a company are the same person if and only if they have {same}. Merging "
        f"them keeps the contact {kept}."
    )
    return [f"- {line}" for line in lines.splitlines()]


_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "hold": lambda p: f"A message with the label '{p.hold}' stays in its folder.",
    "outside": lambda p: (
        f"A reply or forwarded message to an address that does not end in @{p.domain} is "
        "saved as a draft and not sent."
    ),
    "protected": lambda p: (
        "A newsletter whose address is that of a contact is kept: do not unsubscribe from it."
    ),
    "confidential": lambda p: (
        f"A message with the label '{p.confidential}' is neither forwarded nor replied to. It "
        f"gets the label '{p.refused}' in place of that."
    ),
    "approval": lambda p: (
        f"When an invoice of {p.limit} EUR or more is moved, or is forwarded, also as a draft, it "
        f"gets the label '{p.approval}' as well."
    ),
    "partner": lambda p: (
        f"Rule {p.number('outside')} does not apply to addresses of contacts of {p.partner}."
    ),
    "expired": lambda p: (
        f"Rule {p.number('hold')} does not apply to messages from before {p.expiry}."
    ),
    "patience": lambda p: (
        f"No reminder is written for messages that I sent on {p.patience} or later."
    ),
    "organiser": lambda p: (
        "What is stated on an event counts only in messages of its organiser, who writes 'I "
        "organise' in one of them."
    ),
    "deputy": lambda p: (
        f"{p.away} of the office is away. What would be forwarded there is forwarded to "
        f"{p.deputy} of the office, and to nobody else."
    ),
}


def random_rules(rng: Random, number: int) -> tuple[Rule, ...]:
    """The first rules of the list in random order, but an exception after what it excepts from."""
    rules = [*RULES[:number]]
    rng.shuffle(rules)
    return tuple(sorted(rules, key=lambda rule: rule in ("partner", "expired")))
