"""Tests of tools/small_shop."""

import re
from random import Random

import pytest
from tests.envs.tools.playing import damaging, earned, in_polite_forms, score, stated

from palaestra.address import Address
from palaestra.envs.tools.small_shop import SmallShop
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.conversation import slot
from palaestra.generators.tools.engine import solved
from palaestra.generators.tools.small_shop.client import Habits, serve
from palaestra.generators.tools.small_shop.counter import TOOLS
from palaestra.generators.tools.small_shop.customer import PHRASES, TOPICS
from palaestra.generators.tools.small_shop.policy import REQUESTS, Situation, Terms, reason
from palaestra.generators.tools.small_shop.shop import (
    PRODUCTS,
    Customer,
    Item,
    Order,
    Shop,
    Visit,
    Wish,
)
from palaestra.toolbox import call

READS = ("say", "find_", "list_", "order_", "check_")
ITEM = Item("lamp", 2, 30, False)
ORDER = Order(1000, 7, 90, (ITEM,), "delivered", 95, "card", "none", "Mill Lane 1")
TERMS = Terms(30, 45, 100)


def shop(*wishes, vip=False, stock=5, **changed):
    order = ORDER._replace(**changed)
    other = Order(2000, 7, 80, (Item("desk", 1, 200, False),), "processing")
    return SmallShop(
        visit=Visit(7, (wishes,)),
        today=130,
        calls=40,
        terms=TERMS,
        requests=5,
        seed=5,
        busy=0,
        shop=Shop(
            (Customer(7, "Ada", "Oslo", vip),),
            (order, other),
            (("desk", 0), ("lamp", 1), ("rug", stock), ("vase", 9)),
        ),
    )


RETURN = Wish("return", "lamp", 90, "voucher")
CANCEL = Wish("cancel", "lamp", 90, "")
EXCHANGE = Wish("exchange", "lamp", 90, "rug")
DISCOUNT = Wish("discount", "lamp", 90, "SPRING")
ADDRESS = Wish("address", "lamp", 90, "Park Road 101")


@pytest.mark.parametrize(
    ("wish", "facts", "against"),
    [
        (RETURN, {}, "too_late"),
        (RETURN, {"vip": True}, None),
        (RETURN, {"delivered": 100}, None),
        (RETURN, {"vip": True, "delivered": 84}, "too_late"),
        (RETURN, {"items": (ITEM._replace(final=True),)}, "final_sale"),
        (RETURN, {"status": "shipped"}, "not_delivered"),
        (EXCHANGE, {"delivered": 110}, None),
        (EXCHANGE, {"delivered": 110, "stock": 2}, None),
        (EXCHANGE, {"delivered": 110, "stock": 1}, "out_of_stock"),
        (EXCHANGE, {"stock": 1}, "too_late"),
        (CANCEL, {}, "too_advanced"),
        (CANCEL, {"status": "packed"}, "too_advanced"),
        (CANCEL, {"status": "packed", "vip": True}, None),
        (ADDRESS, {"status": "processing"}, None),
        (DISCOUNT, {"status": "packed"}, "below_minimum"),
        (DISCOUNT, {"status": "packed", "vip": True}, None),
        (DISCOUNT, {"status": "packed", "discount": "WELCOME"}, "has_discount"),
        (DISCOUNT, {"status": "packed", "items": (ITEM._replace(price=50),)}, None),
        (DISCOUNT, {"discount": "WELCOME"}, "too_advanced"),
    ],
)
def test_policy_by_hand(wish, facts, against):
    task = shop(wish, **facts)
    ((decision,), _) = task.handled
    assert decision.reason == against
    assert score(task, *task.solve()).value == 1
    assert score(task).value == 0


def rules(text):
    """The policy as another reader understands its text: reasons in the order they are named."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    reasons = re.findall(r"\((\w+_\w+)\)", text) or ["too_advanced"]

    early = "only while" in text

    def against(now):
        holds = {
            "too_advanced": now.status != "processing" and not (now.vip and now.status == "packed")
            if early
            else now.status in ("shipped", "delivered"),
            "not_delivered": now.status != "delivered",
            "final_sale": now.final,
            "too_late": "too_late" in reasons and now.since > numbers[1 if now.vip else 0],
            "has_discount": now.discount != "none",
            "below_minimum": numbers and now.total < numbers[-1] and not now.vip,
            "out_of_stock": now.stock < now.pieces,
        }
        return next((each for each in reasons if holds[each]), None)

    return against


@pytest.mark.parametrize("request_type", REQUESTS)
def test_the_text_of_the_policy_is_what_decides(request_type):
    """1,000 situations decided by the text alone, in the order in which it names reasons."""
    rng = Random(request_type)
    for _ in range(1_000):
        terms = Terms(rng.randint(10, 30), rng.randint(31, 50), rng.randint(50, 150))
        now = Situation(
            rng.choice(("processing", "packed", "shipped", "delivered")), rng.random() < 0.5,
            rng.random() < 0.3, rng.randint(0, 60), rng.choice(("none", "SPRING")),
            rng.randint(20, 200), rng.randint(1, 3), rng.randint(0, 4),
        )  # fmt: skip
        assert reason(terms, request_type, now) == rules(terms.text(request_type))(now)


def refund(by):
    return call("return_item", order=1000, product="lamp", refund_by=by)


def test_refunds_use_the_method_of_payment():
    task = shop(RETURN, vip=True)
    assert score(task, refund("card")).value == 1
    assert score(task, refund("voucher")).value == 0


def test_other_changes_count_unless_undone():
    task = shop(RETURN, vip=True)
    move = call("change_address", order=1000, address="Dock Street 5")
    back = call("change_address", order=1000, address="Mill Lane 1")
    assert score(task, move, refund("card")).value == 0
    assert score(task, move, back, refund("card")).value == 1
    assert score(task, refund("card"), call("cancel_order", order=2000)).value == 0
    refusal = call("refuse", order=1000, request="return", reason="too_late")
    assert score(task, refund("card"), refusal).value == 0


def test_reasons_must_be_right_and_may_be_corrected():
    task = shop(RETURN)
    wrong = call("refuse", order=1000, request="return", reason="final_sale")
    right = call("refuse", order=1000, request="return", reason="too_late")
    assert score(task, wrong).value == 0
    assert score(task, wrong, right).value == 1
    assert score(task, refund("card")).value == 0


def test_second_choices():
    second = Wish("cancel", "desk", 80, "")
    task = shop(RETURN, second)
    assert score(task, call("cancel_order", order=2000)).value == 1
    refusal = call("refuse", order=1000, request="return", reason="too_late")
    assert score(task, refusal, call("cancel_order", order=2000)).value == 0
    assert score(shop(RETURN, second, vip=True), refund("card")).value == 1


def test_second_thoughts_count_and_come_with_the_question_to_confirm():
    task = shop(EXCHANGE._replace(changed="vase"), delivered=110)
    first = call("exchange_item", order=1000, product="lamp", new_product="rug")
    later = call("exchange_item", order=1000, product="lamp", new_product="vase")
    assert (score(task, first).value, score(task, later).value) == (0, 1)
    user = task.user()
    question = "Which new product would you like?"
    assert slot(TOPICS["new product"].frames, user.reply(question)) == "rug"
    user.reply("A rug for the lamp. Do you confirm?")
    assert slot(TOPICS["new product"].frames, user.reply(question)) == "vase"
    assert score(task, *task.solve()).value == 1


def test_a_mistaken_day_is_corrected():
    task = shop(RETURN._replace(mistaken=77), vip=True)
    user = task.user()
    days = [slot(TOPICS["day"].frames, user.reply("When was it?")) for _ in range(3)]
    assert days == ["77", "90", "90"]
    assert score(task, *task.solve()).value == 1


def test_stock_follows_earlier_wishes():
    """The first wish returns a rug to the stock, so the second can be fulfilled."""
    task = shop(EXCHANGE, delivered=110, stock=1)
    rugs = Order(3000, 7, 85, (Item("rug", 1, 20, False),), "processing")
    both = task.shop._replace(orders=(*task.shop.orders, rugs))
    visit = task.visit._replace(wishes=((Wish("cancel", "rug", 85, ""),), (EXCHANGE,)))
    task = task.model_copy(update={"shop": both, "visit": visit})
    calls = (
        call("cancel_order", order=3000),
        call("exchange_item", order=1000, product="lamp", new_product="rug"),
    )
    assert score(task, *calls).value == 1
    assert score(task, *reversed(calls)).value == 0
    assert score(task, *task.solve()).value == 1


def test_invalid_calls_change_nothing():
    episode = Episode(shop(RETURN, vip=True), BARE)
    for move in (
        refund("gold"),
        call("return_item", order=1000, product="desk", refund_by="card"),
        call("exchange_item", order=1000, product="lamp", new_product="unicorn"),
        call("order_details", order=4),
        call("find_customer", name="Zed"),
        call("refuse", order=1000, request="return", reason="bad_mood"),
    ):
        episode.step(move)
        assert episode.observation.startswith("Error")
        assert "changed []" in episode.turn.state
    assert "seen []" in episode.turn.state


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins_and_wishes_are_fulfilled_and_refused(level):
    reasons = []
    for seed in range(30):
        task = Address.of("tools/small_shop", seed, level).task()
        reasons += [decision.reason for decision in task.handled[0]]
        assert score(task, *task.solve()).value == 1
    refused = sum(against is not None for against in reasons) / len(reasons)
    assert 0.2 < refused < 0.8


QUESTIONS = {
    "name": ("your name please", "what's your full name", "under which name did you order",
             "may I have your name", "who am I talking to", "name of the customer",
             "what name is the account under", "tell me your name", "who are you",
             "I need the name on the order"),
    "city": ("which city are you in", "where do you live", "what town is that", "your city",
             "where are you from", "could you give me the city of the account",
             "the city where you live", "in what city do you live", "your town",
             "and the city, to tell you from others"),
    "request": ("how can I help you", "what can I do for you", "what would you like me to do",
                "what do you want", "what is your request", "what do you need from us",
                "what is the problem with it", "how may I help", "what should I do with the order",
                "can you describe your request", "what seems to be the problem",
                "how may I assist you", "what is this about", "what can I help you with",
                "what would you like to have sorted out", "what exactly do you want me to do"),
    "product": ("which product do you mean", "what item is it", "which item is concerned",
                "what did you order", "which article", "what did you buy from us",
                "which order are you talking about", "what product is this about",
                "the product is what exactly", "which of the items",
                "what is the name of the product"),
    "day": ("when did you order", "on what day was that", "the date of the order",
            "which day did you place it", "how long ago was that", "when was this",
            "do you remember the day of the order", "date of purchase", "what date did you buy it",
            "when exactly", "order date please", "could you check the day again"),
    "address": ("what is the new address", "where should we send it", "to which address",
                "where do you want it delivered", "which street and number", "your new address",
                "where shall the parcel go", "give me the address", "where to",
                "the address for the delivery", "where would you like it sent"),
    "refund": ("how would you like the refund", "which method for the money",
               "how do you want your money back", "refund to what", "what refund do you prefer",
               "which method of refund", "money back by card or otherwise",
               "your preferred payment method", "how should the refund be paid",
               "how would you like to be paid"),
    "code": ("what is the code", "which code do you have", "please spell the code",
             "the discount code", "what does the code say", "your coupon", "which voucher code",
             "read me the code", "the code for the discount", "what's the coupon code"),
    "new product": ("which new product do you want", "what should we exchange it for",
                    "what would you like for it", "which other product",
                    "what do you want to swap it for", "which replacement",
                    "what would you like instead of it", "what other product do you have in mind",
                    "what shall we replace it with", "the new product, which one",
                    "which product would you like in exchange", "what do you want to get instead",
                    "which product would you prefer instead"),
}  # fmt: skip


@pytest.mark.parametrize("topic", QUESTIONS)
def test_fifty_questions_for_each_topic_are_understood_as_no_other(topic):
    """Questions as people type them, by hand in five polite forms, get the fact and no other."""
    questions = [*in_polite_forms(QUESTIONS[topic])]
    assert len(questions) >= 50
    assert [q for q in questions if stated(TOPICS, q) != [topic]] == []


def test_phrases_of_requests_differ():
    phrases = [phrase for each in PHRASES.values() for phrase in each]
    assert len({*phrases}) == len(phrases) >= 30


def test_players_that_do_not_talk_or_think_earn_little_at_the_top():
    earned = {}
    for seed in range(30):
        task = Address.of("tools/small_shop", seed, 6).task()
        for name, policy in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(policy(episode.turn))
            earned[name] = earned.get(name, 0) + episode.score.value / 30
    assert all(value <= 0.05 for value in earned.values()), earned


def test_players_that_ask_for_no_confirmation_often_lose():
    scores = []
    for seed in range(30):
        task = Address.of("tools/small_shop", seed, 6).task()
        careless = solved(task.world(), serve(task.terms, task.today, Habits(False)), 1_000)
        scores.append(score(task, *careless).value)
    assert sum(scores) / 30 < 0.5


def test_rewards_add_up_to_the_score_and_replays_are_equal():
    task = Address.of("tools/small_shop", 3, 4).task()
    runs = []
    for _ in range(2):
        episode, seen = Episode(task, BARE), []
        for move in task.solve():
            seen.append((episode.turn.state, episode.observation))
            episode.step(move)
        runs.append(seen)
        assert sum(episode.rewards) == pytest.approx(episode.score.value)
    assert runs[0] == runs[1]


@pytest.mark.parametrize("tool", [t for t in TOOLS if not t.name.startswith(READS)])
def test_every_other_change_gives_nothing(tool):
    task = Address.of("tools/small_shop", 3, 4, busy=0).task()
    world = task.world()
    for move in task.solution:
        world.use(move)
    extra = damaging(world, tool, {}, [*PRODUCTS, "Elm Walk 7", "SPRING"])
    assert score(task, *task.solution).value == 1
    assert score(task, *task.solution, extra).value == 0


@pytest.mark.parametrize(("level", "most"), [(0, 0.55), (1, 0.55), (2, 0.05), (4, 0.05)])
def test_players_that_decide_nothing_fail(level, most):
    rates = earned("tools/small_shop", level, range(60))
    assert max(rates.values()) <= most


def test_names_of_products_and_codes_are_read_in_any_case():
    task = shop(EXCHANGE, delivered=110)
    exchange = call("exchange_item", order=1000, product=" Lamp ", new_product="Rug")
    assert score(task, exchange).value == 1
    task = shop(DISCOUNT, status="packed", vip=True)
    assert score(task, call("apply_discount", order=1000, code="spring")).value == 1


def test_the_number_of_calls_tells_nothing_of_the_solution():
    sizes = {Address.of("tools/small_shop", seed, 3).task().calls for seed in range(8)}
    assert len(sizes) == 1


def test_calls_are_read_in_several_dialects():
    task = shop(RETURN, vip=True)
    arguments = '{"order": 1000, "product": "lamp", "refund_by": "card"}'
    for reply in (
        f'<tool_call>{{"name": "return_item", "arguments": {arguments}}}</tool_call>',
        'return_item(order=1000, product="lamp", refund_by="card")',
        f"Action: return_item\nAction Input: {arguments}",
    ):
        assert score(task, reply).value == 1
