"""Random help desks, with tickets that look like others."""

from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.ticket_triage import grammar
from palaestra.generators.tools.ticket_triage.grammar import Facts
from palaestra.generators.tools.ticket_triage.policy import (
    PLANS,
    PRODUCTS,
    REGIONS,
    TEAMS,
    Policy,
    random_policy,
)
from palaestra.generators.tools.ticket_triage.records import (
    Article,
    Customer,
    Incident,
    Message,
    Records,
    Ticket,
)

SURNAMES = (
    "Abt", "Brandt", "Castell", "Dahl", "Ekman", "Farkas", "Grau", "Holm", "Iversen", "Jonsson",
)  # fmt: skip
ORGANISATIONS = (
    "Amber Works", "Blue Harbor", "Copper Lane", "Delta Print", "Eastgate", "Fernhill", "Glasswing",
    "Highmoor", "Ironbridge", "Juniper Supply",
)  # fmt: skip


class Size(NamedTuple):
    """How much there is of each."""

    tickets: int
    """New ones, from the time on from which they are handled."""
    others: int
    """Tickets that have been handled or are not to be handled."""
    organisations: int
    products: int
    rules: int
    traps: int
    """The percentage of tickets with a misleading subject, a correction, a note or a quote."""
    doubles: int
    """The percentage of new tickets like an earlier one."""
    decoys: int
    """Incidents and articles that look like the right one, for each new ticket."""


class _Drawing:
    """The records so far."""

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        self.products = rng.sample(PRODUCTS, size.products)
        self.policy = random_policy(rng, self.products, size.rules)
        start = datetime(2031, 1, 1) + timedelta(minutes=rng.randrange(600 * 24 * 60))
        self.now = start
        self.numbers = rng.sample(range(100, 1_000), 900)
        self.ages = rng.sample(range(5, 50 * 60), 80)
        """Minutes since the recent tickets were opened."""
        self.customers = self._customers()
        self.tickets = list[Ticket]()
        self.facts: dict[int, Facts] = {}
        self.messages = list[Message]()
        self.incidents = list[Incident]()
        self.articles = list[Article]()
        self.doubles = 0

    def _customers(self) -> list[Customer]:
        """Two people of each organisation; some have names that contain another one's."""
        rng = self.rng
        names = [*rng.sample(ORGANISATIONS, self.size.organisations)]
        names[1::3] = [f"{names[n]} North" for n in range(len(names[1::3]))]
        first = rng.sample((*NAMES, *MORE_NAMES), 2 * len(names))
        numbers = rng.sample(range(10, 100), len(first))
        customers = []
        for n, name in enumerate(names):
            plan, region = rng.choice(PLANS), rng.choice((self.policy.region, *REGIONS))
            end = self.now + timedelta(rng.choice((-20, -3, 30, 90, 200)))
            for each in first[2 * n : 2 * n + 2]:
                person = f"{each} {rng.choice(SURNAMES)}"
                customers.append(
                    Customer(numbers.pop(), person, name, plan, region, f"{end:%Y-%m-%d}")
                )
        return customers

    def time(self, minutes: int) -> str:
        """The time so many minutes ago."""
        return (self.now - timedelta(minutes=minutes)).isoformat(" ", "minutes")

    def random_facts(self) -> Facts:
        """Facts about a ticket; those that rules are about are frequent."""
        rng = self.rng
        symptoms = [*grammar.SYMPTOMS]
        return Facts(
            rng.choice((self.policy.product, *self.products)),
            rng.choice((*self.policy.critical, *symptoms)),
            rng.choice([*grammar.IMPACTS]),
            rng.randint(2, 7),
        )

    def trapped(self) -> bool:
        """Whether a ticket has a trap of some type."""
        return self.rng.randrange(100) < self.size.traps


def random_desk(rng: Random, size: Size) -> tuple[Records, Policy, str, str]:
    """Random records, the policy, the time, and the time since when new tickets are handled."""
    drawing = _Drawing(rng, size)
    for n in range(size.others):
        _add_other(drawing, n)
    ages = sorted(drawing.ages[: size.tickets], reverse=True)
    for age in ages:
        _add_new(drawing, age)
    if size.others > 5:
        _write(drawing, rng.choice(drawing.customers), drawing.random_facts(), ages[0] + 200)
    for ticket in drawing.tickets[-size.tickets :]:
        _add_help(drawing, ticket)
    rng.shuffle(drawing.articles)
    records = Records(
        tuple(drawing.customers), tuple(drawing.tickets), tuple(drawing.messages),
        tuple(drawing.incidents), tuple(drawing.articles),
    )  # fmt: skip
    since = drawing.time(ages[0] + 60)
    return records, drawing.policy, drawing.time(0), since


def _add_other(drawing: _Drawing, number: int) -> None:
    """A ticket that has been handled, open or closed."""
    rng, policy = drawing.rng, drawing.policy
    customer, facts = rng.choice(drawing.customers), drawing.random_facts()
    is_open = number % 2 == 0
    age = drawing.ages[-number - 1] + (300 if is_open else 60 * 24 * rng.randint(3, 50))
    ticket = _write(drawing, customer, facts, age)
    category, team = policy.category(facts.symptom)
    drawing.tickets[-1] = ticket._replace(
        status="open" if is_open else "closed", category=category, team=team,
        priority=rng.randint(1, 4),
    )  # fmt: skip


def _add_new(drawing: _Drawing, age: int) -> None:
    """A new ticket, which may be like an earlier one."""
    rng, policy = drawing.rng, drawing.policy
    customer, facts = rng.choice(drawing.customers), drawing.random_facts()
    models = _recent(drawing, age)
    is_double = drawing.size.doubles > 45 and bool(models) and not drawing.doubles
    if models and (is_double or rng.randrange(100) < drawing.size.doubles):
        model = rng.choice(models)
        customers = [c for c in drawing.customers if c.organisation == model.organisation]
        customer, known = rng.choice(customers), drawing.facts[model.number]
        facts = facts._replace(product=known.product)
        if is_double or rng.randrange(4):
            facts = facts._replace(symptom=known.symptom)
        if not is_double and rng.randrange(5) == 0:
            customer = rng.choice(drawing.customers)
        drawing.doubles += is_double
    if policy.has("repeat") and rng.randrange(4) == 0:
        for n in range(policy.repeats - (rng.randrange(3) == 0)):
            old = drawing.random_facts()._replace(product=facts.product)
            days = rng.randint(3, policy.days - 4) if n else policy.days + rng.choice((-3, 3))
            _write(drawing, customer, old, age + 24 * 60 * days)
            drawing.tickets[-1] = drawing.tickets[-1]._replace(
                status="closed", category=policy.category(old.symptom)[0], priority=3,
                team=policy.category(old.symptom)[1],
            )  # fmt: skip
    _write(drawing, customer, facts, age)


def _recent(drawing: _Drawing, age: int) -> list[Ticket]:
    """The open tickets of which one with an age in minutes may be a duplicate."""
    first, end = drawing.time(age + 60 * drawing.policy.window), drawing.time(age)
    return [
        each for each in drawing.tickets if each.status == "open" and first <= each.opened < end
    ]


def _write(drawing: _Drawing, customer: Customer, facts: Facts, age: int) -> Ticket:
    """Add a ticket with its messages, and give it."""
    rng = drawing.rng
    number, wrong = drawing.numbers.pop(), drawing.random_facts()
    subject = wrong if drawing.trapped() else facts
    first = facts
    follow_up = ""
    if drawing.trapped() and rng.randrange(5):
        follow_up, first = _changed(drawing, facts, wrong)
    other = drawing.random_facts()
    quoted = [
        grammar.symptom_in_words(rng, other.symptom, other.product),
        rng.choice(grammar.IMPACTS[other.impact]),
    ]
    text = grammar.opening(rng, first, quoted if drawing.trapped() else ())
    _add_message(drawing, number, "customer", age, text)
    if drawing.trapped():
        guess = grammar.symptom_in_words(rng, wrong.symptom, wrong.product)
        note = rng.choice(grammar.NOTES).format(guess)
        _add_message(drawing, number, "colleague", max(1, age - rng.randint(3, 300)), note)
    if follow_up:
        _add_message(drawing, number, "customer", max(0, age - rng.randint(3, 300)), follow_up)
    title = f"{subject.product}: {subject.symptom}"
    ticket = Ticket(number, customer.number, customer.organisation, title, drawing.time(age))
    drawing.tickets.append(ticket)
    drawing.facts[number] = facts
    return ticket


def _changed(drawing: _Drawing, facts: Facts, wrong: Facts) -> tuple[str, Facts]:
    """A later message, and the facts as the first message states them."""
    rng, change = drawing.rng, drawing.rng.randrange(6)
    if change == 0:
        return grammar.message(rng, [rng.choice(grammar.WITHDRAWALS)]), facts
    if change == 1:
        sentences = [rng.choice(grammar.VERSIONS).format(facts.version)]
        first = facts._replace(version=wrong.version)
    elif change in (2, 3):
        sentences = [rng.choice(grammar.IMPACTS[facts.impact])]
        first = facts._replace(impact=wrong.impact)
    else:
        sentences = [grammar.symptom_in_words(rng, facts.symptom, facts.product)]
        first = facts._replace(symptom=wrong.symptom, product=wrong.product)
    lead = rng.choice(grammar.CORRECTIONS if change != 2 else grammar.UPDATES)
    return f"{lead}\n{grammar.message(rng, sentences)}", first


def _add_message(drawing: _Drawing, ticket: int, sender: str, age: int, text: str) -> None:
    number = len(drawing.messages) + 1
    drawing.messages.append(Message(number, ticket, sender, drawing.time(age), text))


def _add_help(drawing: _Drawing, ticket: Ticket) -> None:
    """Incidents and articles for a ticket, and others that look like them."""
    rng, facts = drawing.rng, drawing.facts[ticket.number]
    (region,) = {c.region for c in drawing.customers if c.number == ticket.customer}
    age = int((drawing.now - datetime.fromisoformat(ticket.opened)).total_seconds() // 60)
    rows = {(each.product, each.problem, each.region, each.status) for each in drawing.incidents}
    for n in range(1 + drawing.size.decoys):
        problem = facts.symptom if n < 2 or rng.randrange(2) else drawing.random_facts().symptom
        where = region if n != 1 else rng.choice(REGIONS)
        status = "open" if n == 0 or rng.randrange(2) else "resolved"
        key = (facts.product, problem, where, status)
        if rng.randrange(2) and key not in rows:
            started = drawing.time(age + rng.choice((-50, 30, 90, 400)))
            number, team = drawing.numbers.pop(), rng.choice(TEAMS[:8])
            drawing.incidents.append(
                Incident(number, facts.product, problem, where, started, status, team)
            )
            rows.add(key)
    for n in range(1 + drawing.size.decoys):
        problem = facts.symptom if n < 3 or rng.randrange(2) else drawing.random_facts().symptom
        versions = sorted({facts.version if n == 0 else rng.randint(2, 7), rng.randint(2, 7)})
        updated = drawing.now - timedelta(rng.randint(5, 400), minutes=len(drawing.articles))
        if rng.randrange(4):
            drawing.articles.append(
                Article(
                    drawing.numbers.pop(), facts.product, problem, ", ".join(map(str, versions)),
                    rng.choice(("current", "current", "outdated")), f"{updated:%Y-%m-%d %H:%M}",
                )
            )  # fmt: skip
