"""Support for customers whose phones have faults, an original world with dual control.

V. Barres and others, "tau2-bench: Evaluating Conversational Agents in a Dual-Control Environment"
(2025), whose telecom domain also divides an account and a phone between agent and user. Records,
faults and policies are drawn for each task here, and a grammar speaks in the user's place.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import Changes, acting, judged, manual, scripted, solved
from palaestra.generators.tools.service_desk import Step
from palaestra.generators.tools.telecom_support.client import Habits, serve
from palaestra.generators.tools.telecom_support.company import (
    Company,
    Size,
    Trouble,
    random_terms,
    random_troubles,
)
from palaestra.generators.tools.telecom_support.customer import Subscriber, agenda
from palaestra.generators.tools.telecom_support.desk import TOOLS, Desk
from palaestra.generators.tools.telecom_support.goals import handled
from palaestra.generators.tools.telecom_support.policy import SYMPTOMS, Terms
from palaestra.task import Play, Policy, Task, ladder

MEANINGS = {"service": "calls", "data": "mobile internet", "pictures": "picture messages"}


class TelecomSupport(Task):
    """Find what is wrong with phones that the customer alone can touch, and set it right."""

    tags = {"tool-use", "policy", "hidden-state", "conversation", "dual-control"}
    version = 2
    hidden = {"company", "customer", "troubles", "seed"}

    class Knobs(Task.Knobs):
        symptoms: int = ladder(1, 2, 3, 3, 3, 3, 3)  # types, in their order
        troubles: int = ladder(1, 1, 2, 2, 2, 3, 4, high=6)
        faults: int = ladder(1, 2, 2, 3, 4, 5, 6, high=8)  # of each line, at most
        decoys: int = ladder(1, 1, 2, 3, 3, 4, 5, high=8)  # settings that have to stay
        hopeless: int = ladder(0, 0, 1, 1, 1, 1, 2)  # troubles that are escalated for certain
        more_hopeless: int = ladder(60, 60, 15, 15, 20, 25, 25, high=100)  # percentage of others
        lines: int = ladder(2, 2, 3, 4, 6, 8, 10, high=20)  # without trouble
        mistakes: int = ladder(0, 0, 1, 1, 1, 2, 3)  # troubles with a mistaken number
        busy: int = ladder(0, 0, 0, 3, 5, 8, 12, high=30)  # percentage of calls that fail

    company: Company
    customer: str
    troubles: tuple[Trouble, ...]
    terms: Terms
    opening: str
    symptoms: int
    calls: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        terms = random_terms(rng)
        limits = {
            "hopeless": min(knobs.hopeless, knobs.troubles - 1),
            "mistakes": min(knobs.mistakes, knobs.troubles),
        }
        size = Size(**knobs.model_dump(exclude={"busy"}) | limits)
        company, customer, troubles = random_troubles(rng, size, terms)
        seed = rng.getrandbits(32)
        desk = Desk(company, troubles, terms)
        user = Subscriber(agenda(desk, customer, troubles, seed), seed)
        return cls(
            company=company, customer=customer, troubles=troubles, terms=terms, seed=seed,
            opening=user.opening(), symptoms=knobs.symptoms, calls=40 + 55 * knobs.troubles,
            busy=knobs.busy,
        )  # fmt: skip

    def canonical(self) -> str:
        own = {trouble.line for trouble in self.troubles}
        pairs = zip(self.company.lines, self.company.phones)
        lines = [(line[3:], phone) for line, phone in pairs if line.number in own]
        bills = [bill.amount for bill in self.company.bills if bill.line in own]
        return repr((lines, sorted(bills), [t[1:6] for t in self.troubles], self.terms))

    def world(self, busy: int | None = None) -> Desk:
        """The world at its start, with a customer who has not said anything yet."""
        busy = self.busy if busy is None else busy
        desk = Desk(self.company, self.troubles, self.terms, self.seed, busy)
        wants = agenda(desk, self.customer, self.troubles, self.seed)
        desk.user = Subscriber(wants, self.seed, self.held_out())
        return desk

    @cached_property
    def handled(self) -> tuple[tuple[tuple[Step, ...], ...], Changes]:
        """The steps for each trouble by the policy, and what differs then."""
        return handled(self.world(), self.terms)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the policy and the results of calls alone."""
        return solved(self.world(), serve(self.terms), 1_000)

    def play(self) -> Play:
        world = self.world()
        _, goal = self.handled
        world.open(self.opening)
        yield from world.session(self.brief(), self.calls, goal)
        return judged(world.changes(), goal)

    def brief(self) -> str:
        """The policy and the customer's first message."""
        work = self.phrase(
            "You support the customers of a telephone company by its policy.",
            "A customer of a telephone company needs help, and you give it. Follow the policy.",
            "You are at the support desk of a telephone company, and bound by its policy.",
        )
        *most, last = (MEANINGS[each] for each in SYMPTOMS[: self.symptoms])
        meanings = f"{', '.join(most)} or {last}" if most else last
        return (
            f"{work}\n\nPolicy:\n"
            "- Talk to the customer with the tool `say`. Customers answer questions, one or a few "
            "at a time, and state nothing unless you ask for it. Your tools reach the account "
            "alone. The phone is the customer's: ask to have something looked at, tested, turned "
            "on or off, set, reset or granted, in one step for each message, and the customer does "
            "it and reports. What can be looked at are the status bar, the network settings and "
            "the permissions of the app for messages; there is a speed test, and a test picture "
            "can be sent. Some settings are not to be seen before the phone has its signal.\n"
            "- Customers are identified by name, and lines by telephone number. If a line is not "
            "the customer's, or there is none, the customer has misread the number: ask again.\n"
            "- Customers may have trouble with several phones: handle one after the other, and ask "
            f"for the next one until there is none. What they complain about is {meanings}; ask "
            "what should work.\n"
            "- For each of them go through the steps below in their order, as far as they are "
            "about the complaint. Set right what a step names, and go on with the next step. An "
            "escalation (with its team and reason in brackets) ends the work on the line: what was "
            "set right before stays, and nothing is done after it. Otherwise close the case of the "
            "line, with the complaint, when all steps are done (`service` is calls, `data` mobile "
            "internet, and `pictures` picture messages).\n"
            "- A resumed line and a new access point take effect when the phone is restarted.\n"
            "- Change nothing else: the customer wants other settings as they are, however unusual "
            "they look. No line is suspended, no plan changed and no SIM replaced here.\n\n"
            f"Steps:\n{self.terms.text(self.symptoms)}\n\n{manual(TOOLS, self.calls)}\n\n"
            f"The customer: {self.opening}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, escalate everything or nothing, set right whatever looks
        unusual, or know one side alone.
        """
        habits = {
            "escalate all": Habits(is_hasty=True),
            "escalate nothing": Habits(escalates=False),
            "fix whatever looks unusual": Habits(fixes_all=True),
            "account alone": Habits(stages=("account",)),
            "phone alone": Habits(stages=("service", "rest")),
        }
        players = {name: acting(serve(self.terms, each)) for name, each in habits.items()}
        return {"do nothing": scripted([]), **players}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
