"""Tests of tools/bank_desk."""

import json
import re
from collections import Counter
from random import Random

import pytest
from tests.envs.tools.playing import damaging, earned, in_polite_forms, score, stated

from palaestra.address import Address
from palaestra.envs.tools.bank_desk import BankDesk
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.bank_desk.caller import PHRASES, TOPICS, in_words, meaning
from palaestra.generators.tools.bank_desk.client import QUESTIONS, serve
from palaestra.generators.tools.bank_desk.desk import TOOLS
from palaestra.generators.tools.bank_desk.policy import (
    FACTS,
    FEES,
    REASONS,
    REQUESTS,
    Account,
    Card,
    Case,
    Client,
    Order,
    Payee,
    Request,
    Terms,
    Transaction,
    authority_reason,
    decision,
)
from palaestra.generators.tools.conversation import meant, normalised
from palaestra.generators.tools.engine import Tool
from palaestra.toolbox import call

NAME = "tools/bank_desk"
READS = ("say", "find_", "list_")
CHECKS = (*READS, "check_")
TERMS = Terms(FACTS, 500, 300, 7, 4, 10, 2_000, 3, 60, 45, 300)
DAY = 500
REGULAR, PREMIUM = Client(1, False, 400), Client(1, True, 400)
CARD = Card(77, 9, 1, "active", 900)
CURRENT = Account(9, "current", 1_000, 100, 200, 800, False)
SAVINGS = CURRENT._replace(type="savings", overdraft=0)
BLOCK = Case("block", DAY, REGULAR, (("card", "77"), ("cause", "lost")), card=CARD)
PAYEE = Payee(5, 9, "Arlo", 400)


def transfer(amount: int, urged: str = "no", **changed) -> Case:
    details = (("account", "current"), ("payee", "Arlo"), ("amount", str(amount)), ("urged", urged))
    case = Case("transfer", DAY, REGULAR, details, CURRENT, payee=PAYEE)
    return case._replace(**changed)


def limit(amount: int, **changed) -> Case:
    case = Case("limit", DAY, REGULAR, (("card", "77"), ("amount", str(amount))), card=CARD)
    return case._replace(**changed)


FEE = Transaction(3, 9, 0, 480, "fee", "overdraft fee", 25, "booked")
WAIVED = FEE._replace(number=4, day=300, type="waived")
WAIVING = Case("fee", DAY, REGULAR, (("day", "480"),), CURRENT, transaction=FEE, others=(FEE,))
PAID = Transaction(6, 9, 77, 480, "payment", "Jumbo Toys", 90, "booked")
BACK = PAID._replace(number=7, day=490, type="refund", amount=20)
LATE = (("complaint", "not delivered"), ("contacted", "yes"))
DISPUTE = Case("dispute", DAY, REGULAR, LATE, CURRENT, CARD, transaction=PAID, others=(PAID, BACK))
ORDER = Order(8, 9, "Northgas", 50, 503)
JOINT = CURRENT._replace(both_sign=True)


def standing(amount: int, **changed) -> Case:
    details = (("payee", "Northgas"), ("amount", str(amount)))
    return Case("standing", DAY, REGULAR, details, CURRENT, order=ORDER)._replace(**changed)


def instance(seed: int, level: int, **knobs: int) -> BankDesk:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, BankDesk)
    return task


@pytest.mark.parametrize(
    ("case", "reason", "values"),
    [
        (BLOCK, None, [("lost",), (10,)]),
        (BLOCK._replace(client=PREMIUM), None, [("lost",), (0,)]),
        (BLOCK._replace(details=(("cause", "broken"),)), None, [(5,)]),
        (BLOCK._replace(details=(("cause", "stolen"),)), None, [("stolen",), (0,)]),
        (BLOCK._replace(card=CARD._replace(holder=2, status="blocked")), "not_holder", None),
        (BLOCK._replace(card=CARD._replace(status="blocked")), "already_blocked", None),
        (transfer(400), None, [(5, 400, 0)]),
        (transfer(400, account=SAVINGS), None, [(5, 400, 4)]),
        (transfer(400, account=SAVINGS, client=PREMIUM), None, [(5, 400, 0)]),
        (transfer(400, urged="yes"), "fraud", [("fraud",)]),
        (transfer(501, payee=PAYEE._replace(since=493)), "fraud", [("fraud",)]),
        (transfer(500, payee=PAYEE._replace(since=493)), None, [(5, 500, 0)]),
        (transfer(501, payee=PAYEE._replace(since=492)), None, [(5, 501, 0)]),
        (transfer(9, payee=PAYEE._replace(since=500), client=Client(1, True, 495)), "fraud",
         [("fraud",)]),
        (transfer(301, account=JOINT), "needs_other_owner", None),
        (transfer(300, account=JOINT), None, [(5, 300, 0)]),
        (transfer(801), "over_limit", None),
        (transfer(800, account=CURRENT._replace(held=401)), "insufficient", None),
        (transfer(497, account=SAVINGS._replace(held=500)), "insufficient", None),
        (transfer(496, account=SAVINGS._replace(held=500)), None, [(5, 496, 4)]),
        (limit(1_000), None, [(1_000,)]),
        (limit(2_001), "too_high", None),
        (limit(4_000, client=PREMIUM), None, [(4_000,)]),
        (limit(1_000, client=Client(1, False, 493)), "recent_change", None),
        (limit(900, client=Client(1, False, 493)), None, [(900,)]),
        (limit(900, card=CARD._replace(status="blocked")), "card_blocked", None),
        (WAIVING, None, [(12,)]),
        (WAIVING._replace(client=PREMIUM), None, [(25,)]),
        (WAIVING._replace(others=(FEE, WAIVED)), "waived_before", None),
        (WAIVING._replace(others=(FEE, WAIVED._replace(day=199))), None, [(12,)]),
        (WAIVING._replace(others=(FEE, WAIVED), client=PREMIUM), None, [(25,)]),
        (WAIVING._replace(transaction=FEE._replace(day=454)), "too_old", None),
        (WAIVING._replace(transaction=FEE._replace(merchant="fee for cash abroad")),
         "not_waivable", None),
        (DISPUTE, None, [(70,)]),
        (DISPUTE._replace(details=(("complaint", "not mine"),)), None, [(70,), ("stolen",)]),
        (DISPUTE._replace(others=(PAID, BACK._replace(day=479))), None, [(90,)]),
        (DISPUTE._replace(others=(PAID, BACK._replace(card=78))), None, [(90,)]),
        (DISPUTE._replace(others=(PAID, BACK._replace(amount=90))), "refunded", None),
        (DISPUTE._replace(details=(LATE[0], ("contacted", "no"))), "contact_merchant", None),
        (DISPUTE._replace(transaction=PAID._replace(status="pending", day=1)), "pending", None),
        (DISPUTE._replace(transaction=PAID._replace(day=439)), "too_old", None),
        (DISPUTE._replace(transaction=PAID._replace(status="disputed")), "already_disputed", None),
        (standing(90), None, [(90,)]),
        (standing(0), None, [()]),
        (standing(301, account=JOINT), "needs_other_owner", None),
        (standing(0, account=JOINT), None, [()]),
        (standing(301, account=JOINT, order=ORDER._replace(next=502)), "too_late", None),
    ],
)  # fmt: skip
def test_policy_by_hand(case: Case, reason: str | None, values: list[tuple] | None) -> None:
    verdict = decision(TERMS, case)
    assert verdict.reason == reason
    if values is None:
        assert [each.arguments["reason"] for each in verdict.steps] == [reason]
    else:
        assert [tuple(each.arguments.values())[1:] for each in verdict.steps] == values


def test_authority_by_hand() -> None:
    assert authority_reason("transfer", False, False) is None
    assert authority_reason("transfer", True, True) == "beyond_authority"
    assert authority_reason("limit", True, False) == "no_authority"
    assert authority_reason("fee", True, True) is None


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level: int) -> None:
    for seed in range(100, 122):
        task = instance(seed, level)
        assert score(task, *task.solve()).value == 1
        assert len(task.solution) * 3 // 2 < task.calls


def test_the_oracle_holds_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    client = serve(task.terms, task.today)
    move = next(client)
    while True:
        episode.step(move)
        try:
            move = client.send(episode.observation)
        except StopIteration:
            break
    episode.step("done")
    assert episode.score.value == 1


def numbers(text: str, pattern: str) -> list[int]:
    """The numbers that a policy has where a pattern is."""
    match = re.search(pattern, text)
    assert match, pattern
    return [int(each) for each in match.groups()]


Verdict = tuple[str | None, list[tuple]]


class Reading:
    """The policy as another reader understands its text, and nothing else."""

    def __init__(self, text: str) -> None:
        self.rules = {line.split(" (")[0]: line for line in re.findall(r"\n- (.*)", text)}

    def first(self, request: str, holds: dict[str, bool]) -> str | None:
        """The reason that the rule names first of those that hold."""
        names = re.findall(r"\((\w+_\w+|insufficient|pending|refunded)\)", self.rules[request])
        assert {*names} == {*holds}
        return next((each for each in names if holds[each]), None)

    def facts(self, request: str, amount: int) -> int:
        """How many facts are checked."""
        few, above = re.findall(r"\((\d) facts?(?:, (.*?))?\)", self.rules[request])[0]
        more, limit = (
            re.findall(r"(\d) if the amount is above (\d+)", above)[0] if above else (0, 0)
        )
        return int(more) if above and amount > int(limit) else int(few)

    def block(self, case: Case) -> Verdict:
        lost, broken = numbers(
            self.rules["block"], r"costs (\d+) if .* lost, (\d+) if it is broken"
        )
        cause, card = dict(case.details)["cause"], case.card
        against = self.first("block", {
            "not_holder": card.holder != case.client.number,
            "already_blocked": card.status == "blocked",
        })  # fmt: skip
        price = 0 if case.client.is_premium else {"lost": lost, "broken": broken}.get(cause, 0)
        blocked = [("block_card", card.number, cause)] if cause in ("lost", "stolen") else []
        return against, [*blocked, ("issue_card", card.number, price)]

    def transfer(self, case: Case) -> Verdict:
        rule, details = self.rules["transfer"], dict(case.details)
        added, changed = numbers(
            rule, r"added at most (\d+) days ago; .* changed at most (\d+) days"
        )
        (joint,) = numbers(rule, r"sign for if the amount is above (\d+)")
        (fee,) = numbers(rule, r"The fee is (\d+) from a savings account")
        amount, account = int(details["amount"]), case.account
        signs = [amount > account.balance / 2, case.payee.since >= case.today - added]
        signs.append(case.client.changed >= case.today - changed)
        if details["urged"] == "yes" or signs.count(True) > 1:
            return "fraud", [("escalate", account.number, "fraud")]
        fee *= account.type == "savings" and not case.client.is_premium
        free = account.balance + account.overdraft - account.held
        against = self.first("transfer", {
            "needs_other_owner": account.both_sign and amount > joint,
            "over_limit": account.limit < amount,
            "insufficient": free < amount + fee,
        })  # fmt: skip
        return against, [("transfer", account.number, case.payee.number, amount, fee)]

    def fee(self, case: Case) -> Verdict:
        rule, fee = self.rules["fee"], case.transaction
        (old,) = numbers(rule, r"charged more than (\d+) days ago")
        (waived,) = numbers(rule, r"was waived at most (\d+) days ago")
        days = [each.day for each in case.others if each.type == "waived" and each != fee]
        is_again = max(days, default=0) >= case.today - waived
        against = self.first("fee", {
            "not_waivable": "abroad" in fee.merchant,
            "too_old": fee.day < case.today - old,
            "waived_before": not case.client.is_premium and is_again,
        })  # fmt: skip
        return against, [("waive_fee", fee.number, fee.amount // (2 - case.client.is_premium))]

    def limit(self, case: Case) -> Verdict:
        rule, card, wanted = self.rules["limit"], case.card, int(dict(case.details)["amount"])
        (recent,) = numbers(rule, r"changed at most (\d+) days ago")
        low, high = numbers(rule, r"nor above (\d+), for premium clients above (\d+)")
        against = self.first("limit", {
            "not_holder": card.holder != case.client.number,
            "card_blocked": card.status == "blocked",
            "recent_change": wanted > card.limit and case.client.changed >= case.today - recent,
            "too_high": wanted > (high if case.client.is_premium else low),
        })  # fmt: skip
        return against, [("set_card_limit", card.number, wanted)]

    def dispute(self, case: Case) -> Verdict:
        details, payment, left = dict(case.details), case.transaction, case.transaction.amount
        (old,) = numbers(self.rules["dispute"], r"more than (\d+) days old")
        for each in case.others:
            if each.type == "refund" and each.merchant == payment.merchant:
                left -= each.amount * (each.card == payment.card and each.day >= payment.day)
        undelivered = details["complaint"] == "not delivered"
        against = self.first("dispute", {
            "pending": payment.status == "pending",
            "too_old": payment.day < case.today - old,
            "already_disputed": payment.status == "disputed",
            "contact_merchant": undelivered and details["contacted"] == "no",
            "refunded": left <= 0,
        })  # fmt: skip
        steps: list[tuple] = [("open_dispute", payment.number, left)]
        if not undelivered and case.card.status != "blocked":
            steps.append(("block_card", case.card.number, "stolen"))
        return against, steps

    def standing(self, case: Case) -> Verdict:
        rule, order, wanted = self.rules["standing"], case.order, int(dict(case.details)["amount"])
        (lead,) = numbers(rule, r"in less than (\d+) days")
        (joint,) = numbers(rule, r"new amount is above (\d+)")
        against = self.first("standing", {
            "too_late": order.next < case.today + lead,
            "needs_other_owner": wanted > joint and case.account.both_sign,
        })  # fmt: skip
        changed = ("set_order", order.number, wanted)
        return against, [changed if wanted else ("stop_order", order.number)]


def drawn_transaction(rng: Random, number: int) -> Transaction:
    """A payment, a refund, a fee or a waived one, with much in common with others."""
    name = rng.choice(("payment", "refund", "refund", "fee", "waived"))
    shop = (
        rng.choice(FEES) if name in ("fee", "waived") else rng.choice(("Jumbo Toys", "Fleet Shoes"))
    )
    status = rng.choice(("booked", "booked", "booked", "pending", "disputed"))
    day, card = (
        DAY - rng.randint(0, 400) * rng.choice((0.02, 0.2, 1)) // 1,
        rng.choice((77, 77, 78)),
    )
    return Transaction(number, 9, card, int(day), name, shop, rng.randint(10, 90), status)


def drawn_case(rng: Random, request: Request) -> Case:
    """A situation in which much may be the case."""
    others = [drawn_transaction(rng, number) for number in range(20, rng.randint(25, 40))]
    wanted = {"fee": "fee"}.get(request, "payment")
    about = drawn_transaction(rng, 50)._replace(type=wanted)
    if request == "fee":
        about = about._replace(merchant=rng.choice(FEES))
    details = {
        "cause": rng.choice(("lost", "stolen", "broken")), "urged": rng.choice(("no", "no", "yes")),
        "amount": str(rng.choice((0, rng.randint(1, 900), rng.randint(1, 6_000)))),
        "complaint": rng.choice(("not mine", "not delivered")),
        "contacted": rng.choice(("yes", "no")),
    }  # fmt: skip
    days = (0, 5, 6, 7, 8, 10, 11, 14, 15, 40)
    account = Account(
        9, rng.choice(("current", "savings")), rng.randint(100, 3_000), rng.choice((0, 300)),
        rng.choice((0, 200)), rng.choice((250, 1_500)), rng.random() < 0.4,
    )  # fmt: skip
    return Case(
        request, DAY, Client(1, rng.random() < 0.4, DAY - rng.choice(days)), tuple(details.items()),
        account,
        Card(77, 9, rng.choice((1, 1, 2)), rng.choice(("active", "active", "blocked")), 900),
        Payee(5, 9, "Arlo", DAY - rng.choice(days)),
        Order(8, 9, "Northgas", 50, DAY + rng.choice((0, 1, 2, 3, 4, 9))), about, (*others, about),
    )  # fmt: skip


@pytest.mark.parametrize("request_type", REQUESTS)
def test_the_text_of_the_policy_is_what_decides(request_type: Request) -> None:
    """Situations decided by the text alone, with the numbers and reasons that are in it."""
    rng = Random(request_type)
    reasons: Counter[str | None] = Counter()
    for seed in range(15):
        task = instance(seed, 6)
        reading = Reading(task.brief())
        for _ in range(120):
            case = drawn_case(rng, request_type)
            verdict = decision(task.terms, case)
            against, steps = getattr(reading, request_type)(case)
            assert verdict.reason == against
            reasons[against] += 1
            amount = int(case.detail("amount"))
            assert task.terms.needs(request_type, amount) == reading.facts(request_type, amount)
            if against is None or against == "fraud":
                mine = [(each.tool, *each.arguments.values()) for each in verdict.steps]
                assert mine == steps
    assert len(reasons) >= 3
    assert min(reasons.values()) >= 10


def test_identities_by_another_reading() -> None:
    """Which facts match in the end, worked out from the wishes with sets."""
    seen = set()
    for seed in range(80):
        task = instance(seed, 5)
        checks, refused, failed = set(), {}, set()
        people = {each.number: each for each in task.bank.people}
        for wish in task.visit.wishes:
            mine = task.visit.caller in people[wish.client].representatives
            if wish.relation != "none" and not (mine and wish.request not in ("transfer", "limit")):
                refused[wish.client, wish.request] = "beyond_authority" if mine else "no_authority"
                continue
            amount = int(dict(wish.details).get("amount", "0"))
            number = {"block": 1, "fee": 2, "dispute": 2}.get(wish.request, 3)
            if wish.request == "transfer" and amount <= task.terms.large:
                number = 2
            facts = [*task.terms.facts[:number]]
            if wish.client in failed or wish.wrong in facts:
                if wish.client not in failed:
                    facts = facts[: facts.index(wish.wrong)]
                    checks |= {(wish.client, fact) for fact in facts}
                failed.add(wish.client)
                refused[wish.client, wish.request] = "not_verified"
            else:
                checks |= {(wish.client, fact) for fact in facts}
        world = task.world()
        for move in task.solution:
            world.use(move)
        assert {(row["client"], row["fact"]) for _, row in world.rows("check")} == checks
        reasons = {
            (row["client"], row["request"]): row["reason"] for _, row in world.rows("refusal")
        }
        assert refused.items() <= reasons.items()
        seen |= {*refused.values()}
        assert not any(row["is_locked"] for _, row in world.rows("client"))
    assert seen == {"no_authority", "beyond_authority", "not_verified"}


def test_disputed_amounts_by_brute_force() -> None:
    compared = 0
    for seed in range(100):
        task = instance(seed, 6)
        steps = [s for _, verdict in task.handled.decisions for s in verdict.steps]
        for step in steps:
            if step.tool != "open_dispute":
                continue
            rows = {each.number: each for each in task.bank.transactions}
            payment = rows[step.arguments["transaction"]]
            back = 0
            for other in rows.values():
                same = (other.account, other.card, other.merchant) == (
                    payment.account, payment.card, payment.merchant,
                )  # fmt: skip
                if same and other.type == "refund" and other.day >= payment.day:
                    back += other.amount
            assert step.arguments["amount"] == payment.amount - back
            compared += 1
    assert compared > 10


def test_all_decisions_come_up() -> None:
    tasks = [instance(seed, level) for seed in range(150) for level in (4, 6)]
    verdicts = [each for task in tasks for each in task.handled.decisions]
    refused = [verdict.reason for _, verdict in verdicts if verdict.reason]
    assert 0.3 < len(refused) / len(verdicts) < 0.8
    assert {*refused} == {*REASONS, "fraud"}
    assert {wish.request for wish, verdict in verdicts if not verdict.reason} == {*REQUESTS}


@pytest.mark.parametrize("level", range(7))
def test_collateral_damage_and_what_is_left_out_give_nothing(level: int) -> None:
    for seed in range(2):
        task = instance(seed, level, busy=0)
        moves = [*task.solution]
        account = task.bank.holdings[0].account
        stranger = task.bank.people[-1]
        for extra in (
            call("set_transfer_limit", account=account.number, limit=account.limit + 1),
            call("escalate", account=account.number, team="legal"),
            call("check_fact", client=stranger.number, fact="phone", value=str(stranger.phone)),
            call("issue_card", card=task.bank.cards[0].number, fee=1),
        ):
            needed = json.loads(extra)["args"] in [json.loads(move)["args"] for move in moves]
            assert score(task, *moves, extra).value == needed
        for n, move in enumerate(moves):
            name, arguments = json.loads(move).values()
            if not name.startswith(READS) and "check_fact" not in name:
                assert score(task, *moves[:n], *moves[n + 1 :]).value == 0
            if name == "check_fact" and str(arguments["value"]) in world_facts(task, arguments):
                assert score(task, *moves[:n], *moves[n + 1 :]).value == 0


def world_facts(task: BankDesk, arguments) -> list[str]:
    """The right value of a fact that is checked."""
    row = task.world().row("client", arguments["client"])
    return [str(row[arguments["fact"]])]


def test_wrong_amounts_and_reasons_give_nothing() -> None:
    tried = set()
    for seed in range(16):
        task = instance(seed, 4, busy=0)
        for n, move in enumerate(task.solution):
            name, arguments = json.loads(move).values()
            numbers = {"amount", "fee", "limit"} & arguments.keys()
            if name == "refuse":
                number = (REASONS.index(arguments["reason"]) + 1) % len(REASONS)
                arguments["reason"] = REASONS[number]
            elif numbers:
                arguments[min(numbers)] += 1
            else:
                continue
            tried.add(name)
            moves = [*task.solution[:n], call(name, **arguments), *task.solution[n + 1 :]]
            assert score(task, *moves).value == 0
    assert {"refuse", "transfer", "waive_fee", "open_dispute", "issue_card"} <= tried


@pytest.mark.parametrize("tool", [t for t in TOOLS if not t.name.startswith(CHECKS)])
def test_every_other_change_gives_nothing(tool: Tool) -> None:
    task = instance(2, 4, busy=0)
    world = task.world()
    for move in task.solution:
        world.use(move)
    payee = task.bank.payees[0]
    pools = {"payee": [payee.number], "account": [payee.account]} if tool.name == "transfer" else {}
    extra = damaging(world, tool, pools)
    assert score(task, *task.solution).value == 1
    assert score(task, *task.solution, extra).value == 0


def test_facts_are_compared_without_spaces_and_case() -> None:
    task = instance(2, 3, busy=0)
    client = task.bank.people[0]
    world = task.world()
    for fact, value, name in (
        ("word", f" {client.word.upper()} ", "memorable word"),
        ("postcode", f"{client.postcode // 1_000} {client.postcode % 1_000:03}", "postcode"),
        ("born", str(client.born), "year of birth"),
        ("phone", f" {client.phone}", "end of the phone number"),
    ):
        move = call("check_fact", client=client.number, fact=fact, value=value)
        assert world.use(move)[0] == f"The {name} matches."


def test_yes_and_no_are_never_an_agreement_to_a_proposal() -> None:
    """What is asked with yes or no is stated, even if the message also asks to confirm."""
    message = "Has anybody urged you to make this transfer? Please confirm before I proceed."
    assert stated(TOPICS, message) == ["urged"]
    assert stated(TOPICS, "Please confirm: have you contacted the merchant?") == ["contacted"]


def test_facts_are_not_to_be_guessed() -> None:
    """The third wrong fact locks a client, which nothing undoes."""
    task = instance(2, 3, busy=0)
    client = task.bank.people[0]
    wrong = call("check_fact", client=client.number, fact="phone", value="x")
    world = task.world()
    results = [world.use(wrong)[0] for _ in range(4)]
    assert results[:2] == ["The end of the phone number does not match."] * 2
    assert "locked" in results[2]
    assert results[3].startswith("Error")
    assert len(world.changes()) == 1


def test_questions_name_one_topic_and_phrases_have_one_meaning() -> None:
    for topic, question in QUESTIONS.items():
        words = normalised(question)
        assert meant(words, {name: each.cues for name, each in TOPICS.items()}) == [topic]
    for topic, each in TOPICS.items():
        assert len({*each.frames}) >= 5
        assert all(frame.index("{}") for frame in each.frames), topic
    for topic, phrases in PHRASES.items():
        for value, texts in phrases.items():
            assert len({*texts}) >= 5
            for seed in range(20):
                assert meaning(topic, in_words(Random(seed), topic, value)) == value


ASKED = {
    "name": (
        "what is your name", "may I have your full name", "who am I speaking with",
        "who is calling", "could you tell me your name", "your name please", "who are you",
        "what's your full name", "under what name should I look for you",
        "can you confirm your name for me", "I need your name first", "and you are called",
    ),
    "client": (
        "for whom are you calling", "is this for yourself or for somebody else",
        "on whose behalf are you calling", "is it your own account", "who is the client",
        "whose account is it", "are you calling for yourself", "which client is it about",
        "is the request for you or for another client", "whose card is concerned",
        "who is it for", "are you calling for someone else", "do you represent another client",
        "for whom is this request", "are you acting on behalf of someone else",
    ),
    "branch": (
        "which branch is it", "at which branch is the account held", "what is the branch",
        "where was the account opened", "which of our offices is it with", "where do you bank",
        "what is the client's branch", "in which office are the papers", "your home branch",
        "which location is the account at", "could you tell me the branch",
    ),
    "request": (
        "how can I help you", "what can I do for you today", "what would you like me to do",
        "what would you like to do", "what do you want", "what is your request",
        "what do you need", "what seems to be the problem", "how may I assist you",
        "what is this about", "what should be done", "what can I help you with",
        "what would you like to have sorted out", "what is it about", "what brings you to us",
        "could you describe your request", "what is the reason for your call",
        "why are you calling", "what is the matter", "how can I be of service",
    ),
    "born": (
        "what is the year of birth", "when were you born", "what is your date of birth",
        "in which year was the client born", "the birth year please", "how old is the client",
        "could you give me the birthday", "may I have the year of birth", "your birthdate",
        "please confirm your year of birth", "what year was she born in", "when was he born",
    ),
    "postcode": (
        "what is the postcode", "your postal code please", "what zip code do you have",
        "may I have the postcode", "what is the post code of the address",
        "can you give me the client's postcode", "which postcode is on file", "the ZIP",
        "please confirm the postcode", "what's the postcode of your address",
        "could you tell me the code of the address",
    ),
    "word": (
        "what is the memorable word", "your memorable word please", "what's the security word",
        "can you tell me the secret word", "which code word did you agree on",
        "could you give me the password", "may I have the memorable word",
        "what is the word that we agreed on", "please confirm the memorable word", "the keyword",
        "do you remember the word",
    ),
    "phone": (
        "in what does the phone number end", "what are the last four digits of the phone",
        "the last four digits of your phone number", "what's the end of the telephone number",
        "could you give me the last digits of your phone", "may I have the phone number",
        "which phone number do we have for you", "your mobile number please",
        "how does your phone number end", "what are the final four digits of your telephone",
        "please confirm the last four digits of the phone on file",
    ),
    "account": (
        "which account is it", "which account do you mean", "from which account",
        "is it the current account or the savings account", "current or savings",
        "what type of account is it", "which account should I take it from",
        "what account is concerned", "which of the accounts", "from what account should it go",
        "what kind of account is it", "which account was charged",
    ),
    "payee": (
        "who is the payee", "to whom should the money go", "who gets the money",
        "who is the recipient", "to whom do you want to send it", "who should receive it",
        "whom do you want to pay", "what is the name of the payee", "who will receive the money",
        "who is it going to", "which payee is it", "who is the money for",
        "which standing order is it", "which regular payment do you mean",
    ),
    "amount": (
        "what is the amount", "how much would you like to send", "how much is it",
        "what sum do you have in mind", "what should the new limit be", "how high should it be",
        "which amount do you want", "how much money", "what limit would you like",
        "how much should it be", "and the amount is", "what is the new amount",
        "to what amount should I change it",
    ),
    "urged": (
        "has anybody urged you to do it", "did anyone ask you to make this transfer",
        "has somebody told you to make the transfer", "are you under pressure",
        "has someone pressured you", "did somebody urge you to send it",
        "is anybody urging you to do so", "whose idea is it", "did someone tell you to do this",
        "has anyone asked you to make this payment", "are you being pressed to do it",
        "has anybody persuaded you to do it", "is someone making you do this",
    ),
    "card": (
        "which card is it", "what card do you mean", "what is the number of the card",
        "what are the last digits of the card", "in which digits does the card end",
        "which card is concerned", "could you give me the card number",
        "which of the cards is it", "what card is it about", "your card number please",
        "what number is on the card",
    ),
    "cause": (
        "what has happened to the card", "is it lost", "was it stolen or lost",
        "is the card lost, stolen or broken", "what happened", "has it been stolen",
        "is it broken", "what is wrong with the card", "why do you need a new one",
        "how did you lose it", "did somebody steal it", "why does it have to be replaced",
        "did you lose the card",
    ),
    "merchant": (
        "who is the merchant", "which shop was it", "which store took the money",
        "what is the name of the merchant", "which payment is it", "at which shop did you pay",
        "what company charged you", "which merchant do you mean", "which payment do you dispute",
        "who charged the card", "which card payment is it about", "what business was it",
    ),
    "day": (
        "on which day was it", "when was the payment", "what day was that", "which date is it",
        "when was it charged", "on what date did it happen", "the day of the payment is",
        "when did it take place", "how long ago was it", "on which day was the fee charged",
        "what is the date of the transaction", "when exactly was that",
    ),
    "complaint": (
        "what is your complaint", "why do you dispute it", "what is wrong with the payment",
        "why do you object to it", "what is the reason for the dispute", "did you get the goods",
        "did you make the payment yourself", "were the goods not delivered",
        "was it you who made the payment", "what do you complain about", "why is it wrong",
        "did the goods arrive", "what is the nature of the complaint",
        "did you authorise the payment", "have you received what you ordered",
    ),
    "contacted": (
        "have you contacted the merchant", "did you contact them", "have you spoken to the shop",
        "have you been in touch with the merchant", "did you write to the merchant",
        "have you tried to reach the merchant", "did you talk to the shop about it",
        "have you already contacted the shop", "have you reached out to them",
        "did you ask the merchant about it", "have you called the merchant",
    ),
}  # fmt: skip
"""Questions of people for each topic, each of which is put in five forms."""


@pytest.mark.parametrize("topic", TOPICS)
def test_fifty_questions_for_each_topic_are_understood_as_no_other(topic: str) -> None:
    questions = [*in_polite_forms(ASKED[topic])]
    assert len(questions) >= 50
    assert [q for q in questions if stated(TOPICS, q) != [topic]] == []


@pytest.mark.parametrize(
    "message",
    ["What should happen with the account?", "What would you like to happen?",
     "What needs to be done?", "What are you calling about?", "What can we do for you?",
     "What would you like done?", "What is the purpose of your call?", "What do you wish to do?"],
)  # fmt: skip
def test_questions_for_the_request_in_other_words(message: str) -> None:
    assert stated(TOPICS, message) == ["request"]


def test_callers_speak_of_themselves_in_whole_sentences() -> None:
    """The word "myself" fits every frame, and no request is negated by a split infinitive."""
    frames = [frame.format("myself") for frame in TOPICS["client"].frames]
    assert all(frame.endswith(" for myself.") for frame in frames)
    requests = [text for texts in PHRASES["request"].values() for text in texts]
    assert not [text for text in requests if text.startswith(("not ", "to "))]


def test_lists_state_that_they_are_complete_and_fees_have_no_card() -> None:
    seen = set()
    for seed in range(8):
        world = instance(seed, 2, busy=0).world()
        for number, _ in world.rows("account"):
            text = world.use(call("list_transactions", account=number))[0]
            assert re.search(r"\n\(page 1 of \d+\)$", text)
            seen.add(text.rpartition(" of ")[2])
            for line in text.split("\n")[:-1]:
                assert line == "no transactions" or ("fee" in line) != (", card " in line), line
    assert "1)" in seen


def test_rewards_add_up_and_are_taken_back() -> None:
    task = instance(5, 4)
    extra = call("escalate", account=task.bank.holdings[0].account.number, team="legal")
    for moves in ([*task.solution, "done"], [*task.solution, extra, "done"], ["x", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_replays_give_the_same_states() -> None:
    task = instance(2, 5)
    states = []
    for _ in range(2):
        episode = Episode(task, BARE)
        states.append([])
        for move in task.solution:
            episode.step(move)
            states[-1].append(episode.turn.state)
    assert states[0] == states[1]


def test_calls_in_several_dialects_do_the_same() -> None:
    task = instance(1, 2)
    arguments = {"account": task.bank.holdings[0].account.number}
    named = json.dumps({"name": "list_payees", "arguments": arguments})
    forms = [
        call("list_payees", **arguments),
        f"<tool_call>\n{named}\n</tool_call>",
        f"list_payees(account={arguments['account']})",
        f"Action: list_payees\nAction Input: {json.dumps(arguments)}",
    ]
    assert len({task.world(busy=0).use(form) for form in forms}) == 1


def test_hostile_calls_change_nothing() -> None:
    task = instance(2, 3)
    world = task.world(busy=0)
    payee = task.bank.payees[0]
    pay = {"account": payee.account, "payee": payee.number}
    payment = next(t for t in task.bank.transactions if t.type == "payment")
    for move in (
        call("transfer", **pay, amount=0, fee=0),
        call("transfer", **pay, amount=5, fee=-1),
        call("transfer", **pay, amount=10**9, fee=0),
        call("transfer", **pay, amount=99_999, fee=0),
        call("transfer", **pay, amount=True, fee=0),
        call("transfer", account=payee.account, payee=task.bank.payees[-1].number, amount="1"),
        call("waive_fee", transaction=payment.number, amount=1),
        call("block_card", card=-1, cause="lost"),
        call("block_card", card=task.bank.cards[0].number, cause="broken"),
        call("set_order", order=task.bank.orders[0].number, amount=0),
        call("stop_order", order=10**4000 // 10**3990),
        call("check_fact", client=1, fact="shoe size", value="44"),
        call("refuse", client=task.bank.people[0].number, request="fee", reason="no"),
        call("list_transactions", account=payee.account, page=10**6),
        call("find_clients", name="x" * 100_000),
        call("no_such_tool"),
        "{" * 10_000,
    ):
        assert world.use(move)[0].startswith("Error"), move[:80]
        assert not world.changes()
    world.use(call("say", message="hello " * 100_000))
    assert not world.changes()


@pytest.mark.parametrize("level", [1, 3, 6])
def test_random_calls_and_silence_earn_nothing(level: int) -> None:
    rng = Random(level)
    values = []
    for seed in range(12):
        task = instance(seed, level)
        tables = (task.bank.people, task.bank.cards, task.bank.payees, task.bank.transactions)
        numbers = [each.number for table in tables for each in table] + [1, 2]
        moves = []
        for _ in range(task.calls):
            tool = rng.choice(TOOLS)
            arguments = {
                name: rng.choice(numbers) if each is int else "Ada" if each is str
                else rng.choice(each)
                for name, each in tool.parameters.items()
            }  # fmt: skip
            moves.append(call(tool.name, **arguments))
        values.append(score(task, *moves).value)
        assert score(task).value == 0
    assert sum(values) / len(values) <= 0.05


@pytest.mark.parametrize(("level", "most"), [(0, 0.5), (1, 0.5), (2, 0.05), (4, 0.05)])
def test_players_that_decide_nothing_fail(level: int, most: float) -> None:
    """At the first levels too, a request is refused in half of the tasks and more."""
    rates = earned(NAME, level, range(200))
    assert rates["fulfil all"] <= most
    assert rates["refuse all"] <= most
    assert rates["no checks"] == 0
    assert level < 2 or max(rates.values()) <= 0.1
