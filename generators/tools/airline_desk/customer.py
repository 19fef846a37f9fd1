"""The customer at the desk of an airline: what is said about which topic."""

from collections.abc import Mapping
from random import Random

from palaestra.generators.tools.airline_desk.airline import Airline, Visit, Wish
from palaestra.generators.tools.airline_desk.policy import Request
from palaestra.generators.tools.conversation import Agenda, Fact, Intent, Topic

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "request": {
        "cancel": (
            "cancel the whole trip", "call the trip off", "give the booking up", "not fly at all",
            "have the booking annulled", "drop the trip",
        ),
        "change": (
            "fly on another day", "get onto a different flight", "move the flight",
            "have my flight rebooked", "travel on a later day", "switch flights",
        ),
        "bags": (
            "take more luggage along", "add suitcases", "check in some more suitcases",
            "bring extra luggage", "put more suitcases on the booking", "have more luggage",
        ),
        "compensation": (
            "be compensated for the trouble with the flight", "get something for the disruption",
            "have a certificate for what went wrong", "be paid for the time that I lost",
            "claim for the disrupted flight", "get money for the mess with my flight",
        ),
        "upgrade": (
            "sit further in front", "travel in a better class", "have a better seat class",
            "get out of the class that we are in", "fly in more comfort",
            "move everyone to a higher class",
        ),
    },
    "preference": {
        "cheapest": (
            "whichever costs least", "the one with the lowest price", "the cheapest one",
            "whatever is least expensive", "the best bargain",
        ),
        "earliest": (
            "the one that arrives first", "whichever gets me there first",
            "the one that is there soonest", "the one that lands first of all",
            "whichever is at the destination before the others",
        ),
        "non-stop": (
            "a direct one, the cheapest of those", "one without stops, as cheap as can be",
            "non-stop, and then the lowest price", "no stopovers, otherwise whichever costs least",
            "the least expensive of the direct ones",
        ),
        "by": (
            "one that arrives by {}, as cheap as can be", "the cheapest that is there by {}",
            "the lowest price, but landing at {} or before",
            "whichever costs least and arrives no later than {}",
            "I have to be there by {}, and want to pay as little as I can",
        ),
    },
    "cause": {
        "illness": (
            "I am ill", "one of us has fallen ill", "the doctor has forbidden it",
            "I broke a leg", "we all have the flu",
        ),
        "weather": (
            "a storm is forecast", "the weather is too bad", "the roads are full of snow",
            "there is a hurricane warning", "the whole region is flooded",
        ),
        "plans": (
            "my plans have changed", "the meeting was called off", "we would rather stay at home",
            "I got a better offer", "I have to work that week",
        ),
    },
}  # fmt: skip
"""Ways to say what is meant, by topic and value. Those of a time have a slot for it."""

DETAILS: Mapping[Request, tuple[str, ...]] = {
    "cancel": ("cause",),
    "change": ("new day", "preference", "payment"),
    "bags": ("bags", "payment"),
    "upgrade": ("cabin", "payment"),
    "compensation": (),
}
"""The topics of the details that a request has."""

TOPICS: Mapping[str, Topic] = {
    "name": Topic(
        ("who are you", "who am i speaking", "who am i talking", "what are you called", "name"),
        ("My name is {}.", "The name is {}.", "I am called {}.", "You have me down as {}.",
         "People call me {}."),
    ),
    "born": Topic(
        ("born", "birth", "birthday", "birthdate", "how old", "your age", "which year",
         "what year", "date of birth", "day of birth", "year of birth", "dob"),
        ("I was born in {}.", "My year of birth is {}.", "I came into the world in {}.",
         "My birth certificate says {}.", "The year of my birth is {}."),
    ),
    "request": Topic(
        ("how can i help", "how may i help", "what can i do", "what would you like to do",
         "what do you want", "what do you need", "request", "what should be done", "how * help",
         "how * assist", "what * help you with", "what * assist you", "would you like me to do",
         "would you like us to do", "would you like to have", "seems to be", "the problem",
         "the issue", "is it that you want", "i do with", "do you want me to do", "brings you",
         "your wish", "you want done", "be of help", "sorted out", "what is it about",
         "what is this about", "what s this about", "what s it about"),
        ("I want to {}.", "I would like to {}.", "My wish is to {}.", "Please help me to {}.",
         "I need to {}."),
    ),
    "route": Topic(
        ("route", "from where to where", "where do you fly", "where are you flying",
         "which flight", "which trip", "which leg", "origin", "destination", "which reservation",
         "which booking", "cities", "which city", "what city", "departure city", "fly from",
         "fly to", "flying to", "flying from", "travelling to", "traveling to",
         "does the flight go", "airport", "airports", "which booking is this about",
         "which reservation is this about", "which flight is this about",
         "which flight is it about"),
        ("It is the flight from {}.", "I mean the leg from {}.", "I fly from {}.",
         "My way is from {}.", "It is about the stretch from {}."),
    ),
    "day": Topic(
        ("when is", "when do you fly", "when does it depart", "departure day", "day of departure",
         "day of the flight", "date of the flight", "when was", "which day", "what day",
         "which date", "what date", "departure date", "travel date", "flight date",
         "when do you depart", "when do you leave", "when are you flying",
         "when are you travelling", "when does", "day of the trip", "day of travel",
         "date of departure", "date of travel", "date of your", "day of your", "when exactly"),
        ("It departs on day {}.", "The flight is on day {}.", "According to me it is on day {}.",
         "I have day {} in my calendar.", "Day {} is on my ticket."),
    ),
    "new day": Topic(
        ("new day", "to which day", "which other day", "new date", "when would you like to fly",
         "which day would you", "which day do you want", "what day would you", "day * prefer",
         "date * prefer", "day * instead", "date * instead", "when * instead", "other day",
         "other date", "another day", "to what date", "to which date", "to what day",
         "day would suit", "day do you want", "date do you want", "day would you",
         "date would you", "day should", "date should", "when do you want to fly",
         "when do you want to travel", "which day * moved", "which day * suit", "which day * work",
         "which day * instead", "which date * moved", "which date * suit", "which date * work",
         "which date * instead", "what day * moved", "what day * suit", "what day * work",
         "what day * instead", "what date * moved", "what date * suit", "what date * work",
         "what date * instead"),
        ("Put me on day {}.", "I would go on day {}.", "Day {} would suit me.",
         "I could travel on day {}.", "The new day should be day {}."),
    ),
    "preference": Topic(
        ("preference", "prefer", "what matters", "which of the flights", "requirement",
         "constraint", "cheapest or", "any wishes", "what kind of flight", "what is important",
         "important to you", "which flight do you prefer", "which flight would you", "direct",
         "stops", "stopover", "criteria", "by which", "among the flights", "save money",
         "money or time", "rather", "earliest or", "have to arrive", "need to arrive",
         "have to be there", "need to be there", "non stop"),
        ("For the flight itself: {}.", "My preference: {}.", "This is what matters: {}.",
         "If I may choose: {}.", "I look for this: {}."),
    ),
    "cause": Topic(
        ("why", "cause", "what has happened", "what happened", "how come", "what made you",
         "what reason", "is it because", "is that because", "reason"),
        ("It is because {}.", "The thing is, {}.", "You see, {}.", "Frankly, {}.",
         "The cause is simple: {}."),
        ("illness", "weather"),
    ),
    "bags": Topic(
        ("number of bags", "many more", "how many pieces", "how many extra", "how many additional",
         "number of * bags", "many bags", "much luggage", "much * luggage", "many suitcases",
         "how many do you", "how many would you", "additional bags", "extra bags"),
        ("I would add {} to what I have.", "I have {} more than now.", "Make it {} additional.",
         "It would be {} on top.", "We carry {} extra ones."),
    ),
    "cabin": Topic(
        ("which cabin", "what cabin", "which class", "what class", "cabin do you", "class do you",
         "cabin would you", "class would you", "new cabin", "upgrade to", "desired cabin",
         "travel class", "cabin * prefer", "class * prefer", "cabin class", "seat class",
         "premium or", "economy or", "or business", "class should", "cabin should"),
        ("We would like to sit in {}.", "Let us have {} seats.", "I thought of {} for us.",
         "The class should be {}.", "Put us into {}, please."),
        ("economy", "premium", "business"),
    ),
    "payment": Topic(
        ("payment", "pay with", "pay by", "which card", "charge it to", "method of payment",
         "how will you pay", "who is going to pay", "which method", "method should",
         "method * charged", "payment * prefer", "how are you paying", "paying", "pay for it",
         "want to pay", "like to pay", "pay * prefer", "what card"),
        ("I pay by the method {}.", "Charge the method {}.", "Use number {} of my methods.",
         "Take it from number {}.", "It should be charged to {}."),
    ),
}  # fmt: skip
"""What the player may ask the customer for."""

OPENINGS = (
    "it is about a booking of mine.", "I have a question about a trip.",
    "there is something to sort out about my flight.", "it is about the flight to {}.",
    "I am calling about a trip to {}.", "I have a booking with {} in it.",
    "my journey to {} is why I am here.", "it concerns a booking with {}.",
)  # fmt: skip


def in_words(rng: Random, topic: str, value: str) -> str:
    """A way to say a value, as the customer does."""
    phrases = PHRASES.get(topic)
    if phrases is None:
        return value
    name, _, time = value.partition(" ")
    return rng.choice(phrases[name]).format(time)


def meaning(topic: str, words: str) -> str:
    """The value that a way to say it means; empty for what is none.

    >>> meaning("preference", "the cheapest that is there by 14:30")
    'by 14:30'
    """
    if topic not in PHRASES:
        return words
    for value, phrases in PHRASES[topic].items():
        for phrase in phrases:
            before, slotted, after = phrase.partition("{}")
            if not slotted and words == phrase:
                return value
            if slotted and words.startswith(before) and words.endswith(after):
                return f"{value} {words[len(before) : len(words) - len(after)]}"
    return ""


def opening(rng: Random, wish: Wish) -> str:
    """What an intent is about."""
    return rng.choice(OPENINGS).format(wish.destination)


def agenda(airline: Airline, visit: Visit, seed: int) -> Agenda:
    """What the customer of a visit wants and knows."""
    rng = Random(f"{seed} agenda")
    me = next(each for each in airline.customers if each.number == visit.customer)
    intents = [
        Intent(
            begin := opening(rng, choices[0]),
            _facts(rng, choices[0]),
            _facts(rng, choices[1]) if len(choices) > 1 else (),
            (choices[0].destination,) if choices[0].destination in begin else (),
        )
        for choices in visit.wishes
    ]
    return Agenda(TOPICS, intents, (Fact("name", me.name), Fact("born", str(me.born))))


def _facts(rng: Random, wish: Wish) -> tuple[Fact, ...]:
    mistaken = str(wish.mistaken) if wish.mistaken else ""
    final = {"request": str(wish.request), **dict(wish.details)}
    before = dict(wish.before)
    facts = []
    for topic in dict.fromkeys([*final, *before]):
        value = in_words(rng, topic, before.get(topic) or final[topic])
        is_changed = topic in before and topic in final
        changed = in_words(rng, topic, final[topic]) if is_changed else ""
        facts.append(Fact(topic, value, changed=changed))
    route = f"{wish.origin} to {wish.destination}"
    return (facts[0], Fact("route", route), Fact("day", str(wish.day), mistaken), *facts[1:])
