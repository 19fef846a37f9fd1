"""Fulfilling orders from the stock of several sites by a policy, an original world.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose tasks are judged by the final records, and S. Yao and
others, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains" (2024), whose
agents follow a written policy. Lots expire, are recalled, reserved and damaged here.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Known, carry_out, worded
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import ErrandTask, random_calls
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.generators.tools.warehouse_stock.app import TOOLS, WarehouseWorld
from palaestra.generators.tools.warehouse_stock.client import Habits, fulfil
from palaestra.generators.tools.warehouse_stock.decisions import Desk, in_turn
from palaestra.generators.tools.warehouse_stock.drawing import Size, random_warehouse
from palaestra.generators.tools.warehouse_stock.policy import Policy
from palaestra.generators.tools.warehouse_stock.records import Records, tables
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder

FRAMES = (
    "handle all open orders that are due on {until} or earlier; the others can wait.",
    "please work off the open orders due by {until}, that day included. Leave all later ones.",
    "up to {until}, every open order that is due has to be handled, and no other one.",
    "the open orders with a due date until {until} are yours today; do not touch the rest.",
    "what is due after {until} can wait: handle the open orders that are due until then.",
    "{until} is the last due date that matters today. Handle all open orders up to it.",
)


class WarehouseStock(ErrandTask):
    """Ship, transfer, substitute and buy stock of several sites for orders by a policy."""

    tags = {"tool-use", "policy", "hidden-state", "apps"}
    version = 3
    hidden = {"records", "seed"}

    class Knobs(Task.Knobs):
        orders: int = ladder(1, 2, 3, 5, 6, 7, 8)  # that are to be handled
        others: int = ladder(2, 4, 6, 8, 10, 14, 18, high=24)  # that are not
        items: int = ladder(4, 4, 6, 6, 8, 10, 12, high=16)
        sites: int = ladder(2, 3, 3, 4, 5, 6, 6, high=7)
        lots: int = ladder(2, 2, 3, 3, 3, 4, 4, high=5)  # of each item at each site, at most
        recalls: int = ladder(1, 1, 2, 2, 3, 4, 5, high=8)
        rules: int = ladder(2, 3, 5, 7, 9, 11, 12, low=0)
        strict: int = ladder(20, 40, 70, 95, 95, 95, 95, low=0, high=100)
        # ^ percentage of quantities that are drawn again if little matters to them
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=15)  # percentage of calls that fail

    records: Records
    policy: Policy
    today: str
    until: str
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(**knobs.model_dump(exclude={"busy"}))
        records, policy, today, until = random_warehouse(rng, size)
        return cls(
            records=records,
            policy=policy,
            today=today,
            until=until,
            calls=60 + 40 * knobs.orders,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def start(self) -> Tables:
        return tables(self.records)

    def world(self) -> RecordWorld:
        return WarehouseWorld(self.tables, self.seed, self.busy)

    def fulfil(self, world: RecordWorld) -> None:
        carry_out(world, [*Desk(Known.of(world).rows, self.policy).recalls()])
        for number in in_turn([*world.rows("order")], self.until):
            carry_out(world, Desk(Known.of(world).rows, self.policy).deeds(number))

    def client(self) -> Client:
        return fulfil(self.policy, self.until)

    def brief(self) -> str:
        work = self.phrase(
            "You look after the stock of several warehouses by a policy.",
            "Orders have come in at a company with several sites. You must follow its policy.",
            "You are in charge of the stock at all sites of a company. Its policy binds you.",
        )
        return (
            f"{work} Today is {self.today}.\n\nPolicy:\n{self.policy.text()}\n"
            "- Change nothing else.\n\n"
            f"{worded(FRAMES, self.wording, 1, until=self.until)}"
        )

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, call at random, or work as the oracle does, but without rules,
        with the first row of each list, without other sites, units, expiry or recalls.
        """
        lawless = self.policy._replace(rules=())
        texts = [self.until, *(each.name for each in self.records.sites)]
        texts += [lot.code for lot in self.records.lots[:20]]
        numbers = [*range(1, 9), *(each.number for each in self.records.orders)]
        habits = {
            "first hits": Habits(rows=1),
            "own site": Habits(sites=False),
            "no units": Habits(units=False),
            "no expiry": Habits(expiry=False),
            "no recalls": Habits(recalls=False),
        }
        players = {
            name: acting(fulfil(self.policy, self.until, each)) for name, each in habits.items()
        }
        return {
            "do nothing": scripted([]),
            "random calls": scripted(random_calls(rng, self, texts, numbers)),
            "no rules": acting(fulfil(lawless, self.until)),
            **players,
        }
