"""Tests of tools/small_shop."""

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.small_shop import SmallShop
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.small_shop.policy import resolve
from palaestra.generators.tools.small_shop.shop import Customer, Item, Order, Shop, Visit, Wish
from palaestra.toolbox import call

ITEM = Item("lamp", 2, 30, False)
ORDER = Order(1000, 7, 90, (ITEM,), "delivered", 95, "card", "none", "Mill Lane 1")


def shop(*wishes, vip=False, stock=5, **changed):
    order = ORDER._replace(**changed)
    other = Order(2000, 7, 80, (Item("desk", 1, 200, False),), "processing")
    return SmallShop(
        visit=Visit(130, "Ada", "Oslo", (wishes,)),
        kinds=5,
        calls=20,
        shop=Shop(
            (Customer(7, "Ada", "Oslo", vip),),
            (order, other),
            (("desk", 0), ("lamp", 1), ("rug", stock)),
        ),
    )


RETURN = Wish("return", "lamp", 0, "voucher")
CANCEL = Wish("cancel", "lamp", 0, "")
EXCHANGE = Wish("exchange", "lamp", 0, "rug")
DISCOUNT = Wish("discount", "lamp", 0, "SPRING")
ADDRESS = Wish("address", "lamp", 0, "Park Road 101")


@pytest.mark.parametrize(
    ("wish", "facts", "reason"),
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
def test_policy_by_hand(wish, facts, reason):
    task = shop(wish, **facts)
    ((decision,), _) = resolve(task.shop, task.visit)
    assert decision.reason == reason
    assert score(task, *task.solve()).value == 1
    assert score(task).value == 0


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
    second = Wish("cancel", "desk", 0, "")
    task = shop(RETURN, second)
    assert score(task, call("cancel_order", order=2000)).value == 1
    refusal = call("refuse", order=1000, request="return", reason="too_late")
    assert score(task, refusal, call("cancel_order", order=2000)).value == 0
    assert score(shop(RETURN, second, vip=True), refund("card")).value == 1


def test_stock_follows_earlier_wishes():
    """The first wish returns a rug to the stock, so the second can be fulfilled."""
    task = shop(EXCHANGE, delivered=110, stock=1)
    rugs = Order(3000, 7, 85, (Item("rug", 1, 20, False),), "processing")
    both = task.shop._replace(orders=(*task.shop.orders, rugs))
    visit = task.visit._replace(wishes=((Wish("cancel", "rug", 0, ""),), (EXCHANGE,)))
    task = task.model_copy(update={"shop": both, "visit": visit})
    calls = (
        call("cancel_order", order=3000),
        call("exchange_item", order=1000, product="lamp", new_product="rug"),
    )
    assert score(task, *calls).value == 1
    assert score(task, *reversed(calls)).value == 0


def test_invalid_calls_change_nothing():
    episode = Episode(shop(RETURN, vip=True), BARE)
    for move in (
        refund("gold"),
        call("return_item", order=1000, product="desk", refund_by="card"),
        call("exchange_item", order=1000, product="lamp", new_product="unicorn"),
        call("order_details", order=4),
        call("find_customer", name="Zed"),
    ):
        episode.step(move)
        assert episode.observation.startswith("Error")
        assert "changed []" in episode.turn.state
    assert "seen []" in episode.turn.state


@pytest.mark.parametrize("level", range(7))
def test_some_wishes_are_fulfilled_and_some_refused(level):
    reasons = []
    for seed in range(60):
        task = Address.of("tools/small_shop", seed, level).task()
        reasons += [d.reason for d in resolve(task.shop, task.visit)[0]]
    refused = sum(reason is not None for reason in reasons) / len(reasons)
    assert 0.2 < refused < 0.8
