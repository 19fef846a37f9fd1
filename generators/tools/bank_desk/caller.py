"""The caller at the desk of a bank: what is said about which topic."""

from collections.abc import Mapping
from random import Random

from palaestra.generators.tools.bank_desk.bank import BRANCHES, WORDS, Bank, Person, Visit, Wish
from palaestra.generators.tools.bank_desk.policy import FACTS, Request
from palaestra.generators.tools.conversation import Agenda, Fact, Intent, Topic

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "request": {
        "block": (
            "report a card that is no good any more", "get a new card for one that is gone",
            "tell you about trouble with a card", "have a card replaced",
            "deal with a card that can no longer be used",
        ),
        "transfer": (
            "send some money", "make a payment to somebody", "have money sent to somebody",
            "pay somebody from an account", "move money to somebody on the list",
        ),
        "fee": (
            "get a fee back", "complain about a charge of yours", "have a fee taken off",
            "have a fee that you charged cancelled", "be refunded what the bank has charged",
        ),
        "limit": (
            "have a different spending limit on a card", "have the limit of a card changed",
            "change how much can be spent by card in a month", "get another limit for a card",
            "change what may be spent with a card",
        ),
        "dispute": (
            "object to a card payment", "contest something that was paid by card",
            "get back what a shop has taken", "question a payment by card",
            "have a card payment looked into",
        ),
        "standing": (
            "change what is paid regularly", "deal with a regular payment",
            "have a standing order changed", "change a payment that goes out every month",
            "adjust something that is paid automatically",
        ),
    },
    "urged": {
        "yes": (
            "a man from the police says that I must", "your colleague on the phone tells me to",
            "somebody called and said that my money is in danger",
            "a stranger is helping me with it on the other line",
            "a friend from the internet needs it at once",
        ),
        "no": (
            "nobody, it is my own idea", "no, that is my decision", "no one at all",
            "nobody, I simply owe it", "I came up with it alone",
        ),
    },
    "cause": {
        "lost": (
            "I cannot find it anywhere", "it fell out of my pocket somewhere", "I have lost it",
            "it has been missing since the move", "it must be at the bottom of the lake",
        ),
        "stolen": (
            "somebody took it from my bag", "it was stolen", "a thief has it",
            "I was robbed of it", "it was in the bag that was snatched",
        ),
        "broken": (
            "the chip does not work any more", "it has snapped in two", "it is broken",
            "the dog has chewed it", "no machine can read it",
        ),
    },
    "complaint": {
        "not mine": (
            "I have never bought anything there", "nobody here made that payment",
            "I do not know that shop at all", "somebody else must have used the card",
            "it was not me who paid that",
        ),
        "not delivered": (
            "what I bought has never arrived", "the parcel did not come",
            "I paid and got nothing for it", "the goods were not delivered",
            "I am still waiting for the things",
        ),
    },
    "contacted": {
        "yes": (
            "yes, I have written to them", "I called them twice", "I did, without an answer",
            "yes, and they do nothing", "sure, last week",
        ),
        "no": (
            "no, I came to you at once", "not yet", "I have not", "no, why should I",
            "I was going to, but have not",
        ),
    },
}  # fmt: skip
"""Ways to say what is meant, by topic and value."""

DETAILS: Mapping[Request, tuple[str, ...]] = {
    "block": ("card", "cause"),
    "transfer": ("account", "payee", "amount", "urged"),
    "fee": ("account", "day"),
    "limit": ("card", "amount"),
    "dispute": ("merchant", "day", "complaint", "contacted"),
    "standing": ("payee", "amount"),
}
"""The topics of the details that a request has."""

TOPICS: Mapping[str, Topic] = {
    "name": Topic(
        ("who are you", "who am i speaking", "who am i talking", "what are you called",
         "who is calling", "name", "you are called"),
        ("My name is {}.", "The name is {}.", "I am called {}.", "People call me {}.",
         "You are speaking with {}."),
    ),
    "client": Topic(
        ("whose account", "for whom", "on whose behalf", "for yourself", "your own account",
         "who is the client", "on behalf of", "whose behalf", "which client", "whose card",
         "for you or for", "for someone else", "for somebody else", "who is it for",
         "who is this for", "do you represent", "are you representing", "for whom * request",
         "whose card is", "who is the request for", "is the request for", "your own request",
         "whose account is it", "name of the client"),
        ("I am calling for {}.", "The request is for {}.", "It is for {}.", "This call is for {}.",
         "I am doing this for {}."),
    ),
    "branch": Topic(
        ("branch", "which office", "where was the account opened", "where is the account",
         "which of our offices", "where do you bank", "which location", "home office"),
        ("The branch is {}.", "The account is with the branch {}.", "The office is {}.",
         "The papers are at the branch {}.", "Everything is kept at the branch {}."),
        BRANCHES,
    ),
    "request": Topic(
        ("how can i help", "how may i help", "what can i do", "what do you want",
         "what do you need", "what is it about", "request", "what should be done", "how * help",
         "how * assist", "what * help you with", "what * assist you", "would you like me to do",
         "would you like us to do", "would you like to do", "would you like to have",
         "seems to be", "the problem", "the issue", "i do with", "do you want me to do",
         "brings you", "your wish", "you want done", "of help", "of service", "sorted out",
         "what is this about", "what s this about", "reason for your call", "why are you calling",
         "why do you call", "what is the matter", "what s the matter", "should happen",
         "like to happen", "want to happen", "has to happen", "needs to happen", "to be done",
         "should we do", "can we do", "calling about", "purpose of", "you wish to do",
         "you d like to do", "like done", "want changed", "like changed"),
        ("I want to {}.", "I would like to {}.", "My wish is to {}.", "Please help me to {}.",
         "I need to {}."),
    ),
    "born": Topic(
        ("born", "birth", "birthday", "birthdate", "how old", "which year", "what year",
         "age of the client", "date of birth", "day of birth", "year of birth", "dob", "your age",
         "when was * born", "when were * born"),
        ("The year of birth is {}.", "Born in {}.", "The birth certificate says {}.",
         "In the passport the year of birth is {}.", "The birth was in {}."),
    ),
    "postcode": Topic(
        ("postcode", "post code", "zip code", "zip", "postal code", "code of the address",
         "postal address", "address on file", "confirm * postcode"),
        ("The postcode is {}.", "Letters go to the postcode {}.", "The house has the postcode {}.",
         "On letters the postcode is {}.", "The address has the postcode {}."),
    ),
    "word": Topic(
        ("memorable word", "password", "secret word", "security word", "code word",
         "pass phrase", "keyword", "the word"),
        ("The word is {}.", "We agreed on {}.", "The secret word is {}.",
         "The word that I have is {}.",
         "It should be {}, if I remember it right."),
    ),
    "phone": Topic(
        ("phone", "telephone", "digits of the number", "mobile number", "last four digits",
         "last digits", "number that we call", "phone number", "digits of the phone",
         "digits of your phone", "digits of * telephone", "digits of * mobile", "final digits",
         "final four digits"),
        ("The phone number ends in {}.", "The last four digits are {}.",
         "The number has {} at the end.", "The last digits of the number are {}.",
         "The mobile number ends with {}."),
    ),
    "account": Topic(
        ("which account", "what account", "from which of the accounts", "current or savings",
         "savings or current", "account type", "type of account", "account should",
         "account is it", "current account or", "savings account or", "of the accounts",
         "of your accounts", "of your two accounts", "account do you"),
        ("The {} account.", "It is the {} account.", "I mean the {} account.",
         "That concerns the {} account.", "Take the {} account."),
        ("current", "savings"),
    ),
    "payee": Topic(
        ("payee", "to whom", "who gets", "who receives", "who is paid", "recipient",
         "who should get", "who is the money for", "whom do you want to pay", "should receive",
         "will receive", "shall receive", "who is it going to", "standing order",
         "regular payment", "whom should * pay", "whom is * paid", "name of the payee",
         "name of the recipient", "payee s name", "recipient s name"),
        ("The money goes to {}.", "The money is for {}.", "The payee is {}.",
         "On the list the payee is {}.", "The money is paid to {}."),
    ),
    "amount": Topic(
        ("amount", "how much", "what sum", "which sum", "how high", "what limit", "which limit",
         "new limit"),
        ("The amount should be {}.", "I was thinking of {}.", "Make it {}.", "Let it be {}.",
         "The sum that I want is {}."),
    ),
    "urged": Topic(
        ("urged", "anybody ask you", "anyone ask you", "somebody ask you", "someone ask you",
         "pressed", "has told you to", "told you to make", "under pressure", "whose idea", "urge",
         "urging", "pressured", "pressuring", "pressure", "persuaded", "convinced", "tell you to",
         "tells you to", "making you do", "made you do", "behind this", "own idea",
         "your own decision", "instructed you", "anyone asked you", "anyone told you",
         "anyone tell you", "anyone asking you", "anyone telling you", "anybody asked you",
         "anybody told you", "anybody tell you", "anybody asking you", "anybody telling you",
         "someone asked you", "someone told you", "someone tell you", "someone asking you",
         "someone telling you", "somebody asked you", "somebody told you", "somebody tell you",
         "somebody asking you", "somebody telling you"),
        ("To be honest, {}.", "Since you ask: {}.", "Well, as for that, {}.",
         "I can say this much: {}.", "The answer is simple: {}."),
        is_closed=True,
    ),
    "card": Topic(
        ("which card", "what card", "card number", "digits of the card", "number of the card",
         "card is it", "card do you", "card does", "digits * card", "number * on the card",
         "of the cards", "of your cards", "last digits of the card",
         "last four digits of the card", "last digits * card", "last four digits * card"),
        ("The card ends in {}.", "It is the card that ends in {}.", "I mean card {}.",
         "The last digits on the card are {}.", "The card number ends in {}."),
    ),
    "cause": Topic(
        ("what has happened", "what happened", "lost or stolen", "lost", "stolen", "broken",
         "what is wrong with", "why do you need", "lose it", "did you lose", "lose the card",
         "steal", "happened to the card", "why * replaced", "damaged"),
        ("The matter is this: {}.", "It is bad: {}.", "I am sorry to say that {}.",
         "As for the card, {}.", "The trouble is that {}."),
    ),
    "merchant": Topic(
        ("merchant", "which shop", "what shop", "which store", "who was paid", "which company",
         "which payment", "who charged", "what company", "what business", "which business",
         "name of the shop", "name of the merchant", "name of the company", "card payment is it",
         "card payment do you", "which card payment", "what card payment",
         "payment do you dispute", "merchant s name", "shop s name"),
        ("The merchant is {}.", "The shop is called {}.", "The statement names {}.",
         "The money went to {}.", "The business calls itself {}."),
    ),
    "day": Topic(
        ("which day", "what day", "when was", "when did", "what date", "which date", "day of the",
         "how long ago", "date of the", "when exactly", "when is", "date of your"),
        ("That was on day {}.", "The statement says day {}.", "It was on day {}.",
         "It is from day {}.", "It dates from day {}."),
    ),
    "complaint": Topic(
        ("complaint", "why do you dispute", "what is wrong with the payment", "why do you object",
         "reason for the dispute", "did you make the payment", "why is it wrong",
         "did you get the goods", "goods arrive", "goods not delivered", "goods delivered",
         "goods were delivered", "you who made", "complain", "authorise", "authorize",
         "receive what", "received what", "receive the goods", "received the goods",
         "make the payment yourself", "parcel arrive", "recognise the payment",
         "recognize the payment", "made the payment", "did you make this payment"),
        ("My complaint is this: {}.", "The trouble with it: {}.", "I object because {}.",
         "The reason is that {}.", "I can tell you that {}."),
    ),
    "contacted": Topic(
        ("contacted", "spoken to the", "been in touch", "written to the", "talked to the",
         "reached out", "asked the merchant", "called the merchant", "contact", "contacting",
         "in touch", "contact * merchant", "contact * shop", "contact * store",
         "contacted * merchant", "contacted * shop", "contacted * store", "touch with * merchant",
         "touch with * shop", "touch with * store", "write to * merchant", "write to * shop",
         "write to * store", "written to * merchant", "written to * shop", "written to * store",
         "reach * merchant", "reach * shop", "reach * store", "reached * merchant",
         "reached * shop", "reached * store", "ask * merchant", "ask * shop", "ask * store",
         "asked * merchant", "asked * shop", "asked * store", "spoken to * merchant",
         "spoken to * shop", "spoken to * store", "speak to * merchant", "speak to * shop",
         "speak to * store", "spoke to * merchant", "spoke to * shop", "spoke to * store",
         "talk to * merchant", "talk to * shop", "talk to * store", "talked to * merchant",
         "talked to * shop", "talked to * store", "call * merchant", "call * shop", "call * store",
         "called * merchant", "called * shop", "called * store", "complained to * merchant",
         "complained to * shop", "complained to * store"),
        ("My answer to that: {}.", "About contacting them: {}.", "Since you ask about them: {}.",
         "As for talking to them: {}.", "On that point: {}."),
        is_closed=True,
    ),
}  # fmt: skip
"""What the player may ask the caller for."""

OPENINGS = (
    "it is about something at your bank.", "I have a question about an account.",
    "there is something that the bank has to do for me.", "I am calling about an account.",
    "I need your help with a bank matter.", "something needs to be taken care of.",
    "it concerns a matter of money.",
)  # fmt: skip

MYSELF = "myself"


def in_words(rng: Random, topic: str, value: str) -> str:
    """A way to say a value, as the caller does."""
    return rng.choice(PHRASES[topic][value]) if topic in PHRASES else value


def meaning(topic: str, words: str) -> str:
    """The value that a way to say it means; empty for what is none.

    >>> meaning("cause", "a thief has it")
    'stolen'
    """
    if topic not in PHRASES:
        return words
    return next((value for value, each in PHRASES[topic].items() if words in each), "")


def agenda(bank: Bank, visit: Visit, seed: int) -> Agenda:
    """What the caller of a visit wants and knows."""
    rng = Random(f"{seed} agenda")
    people = {each.number: each for each in bank.people}
    intents = [
        Intent(rng.choice(OPENINGS), _facts(rng, wish, people[wish.client]))
        for wish in visit.wishes
    ]
    return Agenda(TOPICS, intents, (Fact("name", visit.caller),))


def _facts(rng: Random, wish: Wish, person: Person) -> tuple[Fact, ...]:
    final = {"request": str(wish.request), **dict(wish.details)}
    before = dict(wish.before)
    facts = []
    for topic in dict.fromkeys([*final, *before]):
        value = in_words(rng, topic, before.get(topic) or final[topic])
        is_changed = topic in before and topic in final
        changed = in_words(rng, topic, final[topic]) if is_changed else ""
        facts.append(Fact(topic, value, changed=changed))
    who = MYSELF if wish.relation == "none" else f"my {wish.relation} {person.name}"
    facts += [Fact("client", who), Fact("branch", person.branch)]
    return (*facts, *(_identity(rng, wish, person, fact) for fact in FACTS))


def _identity(rng: Random, wish: Wish, person: Person, fact: str) -> Fact:
    """What the caller knows of a fact that identifies the client."""
    right = str(person._asdict()[fact])
    if fact == "word":
        other = rng.choice([each for each in WORDS if each != right])
    else:
        other = str(int(right) + rng.choice((-10, -2, -1, 1, 2, 10)))
    if wish.wrong == fact:
        return Fact(fact, other)
    return Fact(fact, right, other if wish.mistaken == fact else "")
