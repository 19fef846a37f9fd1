"""The policy of a help desk, in words; :mod:`.decisions` applies it."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.numbered_rules import policy_text, random_rules
from palaestra.generators.tools.ticket_triage.grammar import IMPACTS, SYMPTOMS

Rule = Literal[
    "enterprise", "critical", "product", "incident", "escalate", "region", "silent", "starter",
    "repeat", "calm", "version", "patient", "expired",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "enterprise", "critical", "product", "incident", "escalate", "region", "silent", "starter",
    "repeat", "calm", "version", "patient", "expired",
)  # fmt: skip
EXCEPTED: Mapping[Rule, tuple[Rule, ...]] = {"calm": ("incident",), "patient": ("escalate",)}
"""The rules that a rule builds on."""

CODES = (
    "Agate", "Beryl", "Cobalt", "Dolomite", "Emerald", "Flint", "Garnet", "Halite", "Indigo",
    "Jasper", "Kyanite", "Lapis",
)  # fmt: skip
"""Names of categories."""
TEAMS = (
    "Heron", "Ibis", "Jay", "Kestrel", "Lark", "Martin", "Nuthatch", "Osprey", "Plover", "Quail",
    "Robin", "Swift",
)  # fmt: skip
PRODUCTS = (
    "Quillow", "Tallyman", "Brightdesk", "Rosterly", "Cellarium", "Notefold", "Papertrail",
    "Gridmate", "Signpost", "Workbench", "Ledgerly", "Mapwise",
)  # fmt: skip
REGIONS = ("north", "south", "east", "west")
PLANS = ("starter", "business", "enterprise")
LOWEST = 4
"""The least urgent priority; 1 is the most urgent one."""


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them."""

    rules: tuple[Rule, ...]
    categories: tuple[tuple[str, str, tuple[str, ...]], ...]
    """The name, the team and the symptoms of each category."""
    window: int
    """The hours within which a ticket may be a duplicate."""
    critical: tuple[str, str]
    """Two symptoms with the priority 1."""
    product: str
    product_team: str
    region: str
    region_team: str
    expired_team: str
    repeats: int
    days: int
    """So many closed tickets in so many days make a repeated problem."""
    limits: tuple[int, int, int, int]
    """The hours after which a ticket is escalated, by priority."""

    def has(self, rule: Rule) -> bool:
        """Whether a rule holds."""
        return rule in self.rules

    def category(self, symptom: str) -> tuple[str, str]:
        """The category of a symptom, and its team."""
        return next((name, team) for name, team, known in self.categories if symptom in known)

    def text(self) -> str:
        """All rules with their numbers."""
        return policy_text(_general(self), (_TEXTS[rule](self) for rule in self.rules))


def _general(policy: Policy) -> Sequence[str]:
    """What holds besides the numbered rules."""
    first, second, third = IMPACTS
    kinds = "; ".join(
        f"{name} (team {team}): {', '.join(symptoms)}" for name, team, symptoms in policy.categories
    )
    lines = (
        "A new ticket is one with the status open and without a team. Handle new tickets in the "
        "order in which they were opened, each by the records as they are then.\n"
        "What a ticket is about is stated in the messages of the customer, and not in the subject. "
        "A later message overrules an earlier one. Messages of colleagues do not count, nor do "
        "quoted lines, which begin with '>'.\n"
        "If the customer writes that nothing needs to be done any more, close the ticket, and do "
        "nothing else with it.\n"
        "Otherwise, a ticket is a duplicate if it is of the same organisation and about the same "
        "product and the same problem as another open ticket that was opened before it, by at most "
        f"{policy.window} hours. Merge it into the earliest of these, and do nothing else with "
        "it.\n"
        "Every other new ticket gets a category, a priority and a team.\n"
        f"The categories with their teams and problems are: {kinds}.\n"
        f"The priority is 3 if {first} is affected, 2 for {second} and 1 for {third}; 1 is the most"
        f" urgent one, {LOWEST} the least.\n"
        "The customer gets the article on the product and the problem that is current, if there is "
        "one; if there are several, the one that was updated last.\n"
        "Apply the rules in the order of their numbers, each to what the earlier ones result in. "
        f"Raising a priority by one makes 3 of {LOWEST}, for instance; 1 stays 1."
    )
    return lines.splitlines()


_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "enterprise": lambda p: "Tickets of customers with the plan enterprise are raised by one.",
    "critical": lambda p: (
        f"Tickets about {p.critical[0]} or {p.critical[1]} have the priority 1."
    ),
    "product": lambda p: f"Tickets about {p.product} go to the team {p.product_team}.",
    "region": lambda p: (
        f"Tickets of customers in the region {p.region} go to the team {p.region_team}."
    ),
    "incident": lambda p: (
        "If there is an open incident with the product, the problem and the region of the "
        "customer that started before the ticket was opened, link the ticket to it; it goes to "
        "the team of the incident, and gets no article."
    ),
    "calm": lambda p: f"Tickets that are linked to an incident have the priority {LOWEST}.",
    "silent": lambda p: "Tickets with the priority 1 by now get no article.",
    "starter": lambda p: (
        "Tickets of customers with the plan starter are lowered by one, to "
        f"{LOWEST} at most."
    ),
    "repeat": lambda p: (
        f"If the organisation has {p.repeats} closed tickets or more about the same product that "
        f"were opened in the {p.days} days before this one, this one is raised by one."
    ),
    "version": lambda p: (
        "Articles count only if the version that the customer has is one of those that the article "
        "is for."
    ),
    "escalate": lambda p: (
        "When all rules have been applied, escalate the ticket if it was opened more hours ago "
        "than its priority allows: "
        + ", ".join(f"{hours} for priority {n}" for n, hours in enumerate(p.limits, 1))
        + "."
    ),
    "patient": lambda p: (
        "Tickets of customers with the plan starter are not escalated, nor are those that are "
        "linked to an incident."
    ),
    "expired": lambda p: (
        "If the contract of the customer ended before today, the ticket goes to the team "
        f"{p.expired_team}, has the priority {LOWEST}, and gets no article."
    ),
}  # fmt: skip


def random_policy(rng: Random, products: Sequence[str], number: int) -> Policy:
    """A policy of so many rules with random names and values."""
    symptoms = rng.sample([*SYMPTOMS], len(SYMPTOMS))
    sizes = rng.choice(((3, 3, 2, 2), (2, 2, 2, 2, 2), (4, 3, 2, 1), (3, 2, 2, 2, 1)))
    teams = rng.sample(TEAMS, len(TEAMS))
    codes = rng.sample(CODES, len(sizes))
    categories = []
    for n, size in enumerate(sizes):
        start = sum(sizes[:n])
        categories.append((codes[n], teams[n % 4], tuple(symptoms[start : start + size])))
    first, second = rng.sample(symptoms, 2)
    hours = rng.randint(2, 4)
    return Policy(
        rules=random_rules(rng, RULES, EXCEPTED, number),
        categories=tuple(categories),
        window=rng.choice((12, 18, 24, 30)),
        critical=(first, second),
        product=rng.choice(products),
        product_team=teams[5],
        region=rng.choice(REGIONS),
        region_team=teams[6],
        expired_team=teams[7],
        repeats=rng.randint(2, 3),
        days=rng.randint(20, 40),
        limits=(hours, hours + rng.randint(3, 7), 4 * hours + rng.randint(8, 14), 58),
    )
