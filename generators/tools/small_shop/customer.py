"""The customer at the counter of a small shop: what is said about which topic."""

from collections.abc import Mapping
from random import Random

from palaestra.generators.tools.conversation import Agenda, Fact, Intent, Topic
from palaestra.generators.tools.small_shop.policy import Request
from palaestra.generators.tools.small_shop.shop import CODES, PRODUCTS, Shop, Visit, Wish

PHRASES: Mapping[Request, tuple[str, ...]] = {
    "cancel": (
        "cancel the order", "call the whole order off", "drop the order", "get out of the order",
        "take the order back", "stop the order",
    ),
    "address": (
        "have it sent somewhere else", "change where it is delivered", "change the address",
        "get it delivered to another place", "redirect it", "have the parcel go elsewhere",
    ),
    "return": (
        "send it back", "return it", "give it back", "bring it back and get my money",
        "have a refund for it", "hand it back",
    ),
    "discount": (
        "use a code", "redeem a code", "add a discount code", "enter a code for the order",
        "pay less with a code that I have", "get a discount with a code",
    ),
    "exchange": (
        "exchange it", "swap it for something else", "trade it for another product",
        "get another product for it", "change it for something different", "have it replaced",
    ),
}  # fmt: skip
"""Ways to say what is wanted."""

DETAILS: Mapping[Request, str] = {
    "address": "address", "return": "refund", "discount": "code", "exchange": "new product",
}  # fmt: skip
"""The topic of the detail that a request has."""

TOPICS: Mapping[str, Topic] = {
    "name": Topic(
        ("name", "who are you", "who am i speaking", "who am i talking", "and you are"),
        ("My name is {}.", "I am {}.", "The name is {}.", "This is {} speaking.", "It is {}, hi."),
    ),
    "city": Topic(
        ("city", "town", "where do you live", "where are you", "where you live"),
        ("I live in {}.", "I am from {}.", "My city is {}.", "That would be {}, where I live.",
         "You find me in {}."),
    ),
    "request": Topic(
        ("how can i help", "how may i help", "what can i do", "what would you like",
         "what do you want", "what do you need", "what is it you want", "request",
         "what should i do", "what is wrong", "what is the problem", "which service",
         "what would you like to do", "would you like me to do", "would you like us to do",
         "would you like to have", "want me to do", "want us to do", "how * help", "how * assist",
         "what * help you with", "what * assist you", "seems to be", "the issue", "the trouble",
         "describe your", "what is this about", "what is it about", "sorted out", "i do with",
         "brings you", "your wish"),
        ("I want to {}.", "I would like to {}.", "My plan is to {}.", "Please help me to {}.",
         "I need to {}."),
    ),
    "product": Topic(
        ("which product", "which item", "what product", "what item", "which article", "product is",
         "which of", "item is", "article", "product do you mean", "which order",
         "what did you order", "what did you buy", "what have you ordered", "name of the product",
         "name of the item"),
        ("It is about the {}.", "I mean the {}.", "The {}, please.", "It is the {} that I ordered.",
         "I am talking about the {}."),
        PRODUCTS,
    ),
    "day": Topic(
        ("when", "which day", "what day", "day of the order", "date", "how long ago", "the day",
         "which date", "what date", "order date"),
        ("I ordered on day {}.", "That was on day {}.", "The order is from day {}.",
         "It must have been day {}.", "I placed the order on day {}."),
    ),
    "address": Topic(
        ("address", "where should", "where do you want", "where shall", "which street", "where to",
         "where would you like it", "where would you like us to send", "delivery address"),
        ("Please send it to {}.", "The new address is {}.", "It should go to {}.",
         "I can get it at {}.", "Let it be delivered to {}."),
    ),
    "refund": Topic(
        ("refund", "money back", "how would you like to be paid", "get the money", "which method",
         "payment method", "money go", "get your money", "how * refund you"),
        ("I want the money by {}.", "Pay me by {}.", "By {}, if you can.", "The refund by {}.",
         "I prefer {}, for the money."),
    ),
    "code": Topic(
        ("code", "voucher code", "coupon"),
        ("The code is {}.", "I have the code {}.", "It says {} on my voucher.", "Use {}, please.",
         "My code reads {}."),
        CODES,
    ),
    "new product": Topic(
        ("exchange it for", "swap it for", "instead of", "new product",
         "what would you like for it", "which other product", "other product", "replacement",
         "want for it", "replace it with", "what do you want to swap", "what do you want instead",
         "what would you like instead", "what would you prefer instead",
         "what do you want * instead", "want * instead", "in exchange", "to swap it for",
         "which product would you like for it", "what would you like * instead",
         "what do you want * for it", "which product * instead", "which product * in exchange",
         "what product * instead", "which item * instead"),
        ("I would take the {} for it.", "Give me the {} for it.", "I want the {} in its place.",
         "The new one should be the {}.", "I have the {} in mind."),
        PRODUCTS,
    ),
}  # fmt: skip
"""What the player may ask the customer for."""

OPENINGS = (
    "it is about something that I ordered.", "I have a question about an order.",
    "I need something done about an order of mine.", "it is about the {}.",
    "I am calling about the {} that I ordered.", "there is something with my {}.",
    "I ordered the {} from you.", "my {} is why I am here.",
)  # fmt: skip


def agenda(shop: Shop, visit: Visit, seed: int) -> Agenda:
    """What the customer of a visit wants and knows."""
    rng = Random(f"{seed} agenda")
    me = next(each for each in shop.customers if each.number == visit.customer)
    intents = [
        Intent(
            begin := rng.choice(OPENINGS).format(choices[0].product),
            _facts(rng, choices[0]),
            _facts(rng, choices[1]) if len(choices) > 1 else (),
            (choices[0].product,) if choices[0].product in begin else (),
        )
        for choices in visit.wishes
    ]
    return Agenda(TOPICS, intents, (Fact("name", me.name), Fact("city", me.city)))


def _facts(rng: Random, wish: Wish) -> tuple[Fact, ...]:
    mistaken = str(wish.mistaken) if wish.mistaken else ""
    facts = (
        Fact("request", rng.choice(PHRASES[wish.request])),
        Fact("product", wish.product),
        Fact("day", str(wish.day), mistaken),
    )
    if wish.request not in DETAILS:
        return facts
    return (*facts, Fact(DETAILS[wish.request], wish.detail, changed=wish.changed))
