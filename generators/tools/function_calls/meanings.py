"""What functions of an interface are about: actions, records, and the roles of their arguments.

Each entry has wordings of the documentation and other wordings of requests, so that they share few
words. No wording of a request fits two entries of a table.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Family = Literal[
    "text", "list", "date", "time", "choice", "flag",
    "duration", "length", "mass", "volume", "money", "count",
]  # fmt: skip
"""The sorts of values. The last six are quantities, which have units."""


class Action(NamedTuple):
    """What a function does to a record: the sentence of its documentation, and requests for it."""

    gloss: str
    requests: tuple[str, ...]


ACTIONS = (
    Action("Hands {a} out on loan", (
        "lend {r} to somebody", "let somebody borrow {r}", "allow {r} to be borrowed")),
    Action("Takes {a} back from loan", (
        "get {r} back from its borrower", "have {r} returned by its borrower",
        "make the borrower return {r}")),
    Action("Books {a} for later use", (
        "reserve {r} for us", "keep {r} free for us", "make a reservation of {r}")),
    Action("Gives up the booking of {a}", (
        "cancel our reservation of {r}", "drop our reservation of {r}",
        "say that we no longer want {r} reserved")),
    Action("Raises the rent of {a}", (
        "make it dearer to hire {r}", "charge more for the hire of {r}",
        "put up the price of hiring {r}")),
    Action("Lowers the rent of {a}", (
        "make it cheaper to hire {r}", "charge less for the hire of {r}",
        "cut the price of hiring {r}")),
    Action("Offers {a} for sale", (
        "put {r} on the market", "look for a buyer of {r}", "try to sell {r}")),
    Action("Withdraws {a} from sale", (
        "take {r} off the market", "stop looking for a buyer of {r}",
        "give up the attempt to sell {r}")),
    Action("Enters {a} in the register", (
        "add {r} to our books", "list {r} among our property", "put {r} on our inventory")),
    Action("Strikes {a} off the register", (
        "delete {r} from our books", "no longer list {r} among our property",
        "take {r} off our inventory")),
    Action("Puts {a} into storage", (
        "stow {r} away in the depot", "lay {r} up in the depot", "take {r} to the depot")),
    Action("Brings {a} out of storage", (
        "get {r} from the depot", "have {r} leave the depot", "fetch {r} from the depot")),
    Action("Insures {a}", (
        "take out a policy on {r}", "cover {r} against damage", "get cover for {r}")),
    Action("Ends the insurance of {a}", (
        "let the policy on {r} lapse", "give up the cover of {r}",
        "stop paying for the policy on {r}")),
    Action("Has {a} examined for faults", (
        "check {r} for defects", "look for defects in {r}", "have {r} inspected")),
    Action("Has the faults of {a} mended", (
        "repair {r}", "fix the defects of {r}", "put {r} right again")),
    Action("Has {a} cleaned", (
        "wash {r}", "get the dirt off {r}", "rid {r} of its dirt")),
    Action("Has {a} painted", (
        "give {r} a coat of colour", "put fresh colour on {r}", "renew the colour of {r}")),
    Action("Locks {a}", (
        "secure {r} with its key", "turn the key so that nobody gets at {r}",
        "shut {r} off with its key")),
    Action("Unlocks {a}", (
        "open {r} with its key", "turn the key so that people get at {r} again",
        "make {r} accessible with its key")),
    Action("Has {a} weighed", (
        "learn how heavy {r} is", "put {r} on the scales", "determine the weight of {r}")),
    Action("Has {a} measured", (
        "learn how large {r} is", "take the dimensions of {r}", "determine the size of {r}")),
    Action("Extends the guarantee of {a}", (
        "make the warranty of {r} longer", "prolong the warranty of {r}",
        "let the warranty of {r} run out later")),
    Action("Shortens the guarantee of {a}", (
        "make the warranty of {r} briefer", "curtail the warranty of {r}",
        "let the warranty of {r} run out earlier")),
    Action("Adds a warning to the file of {a}", (
        "note that {r} is dangerous", "put up a caution about {r}", "mark {r} as dangerous")),
    Action("Removes the warning from the file of {a}", (
        "note that {r} is no longer dangerous", "take down the caution about {r}",
        "mark {r} as harmless again")),
    Action("Sends {a} to the customer", (
        "ship {r} to the client", "deliver {r} to the client", "dispatch {r} to the client")),
    Action("Collects {a} from the customer", (
        "pick {r} up from the client", "bring {r} in from the client",
        "relieve the client of {r}")),
)  # fmt: skip
"""Actions in pairs of opposites or neighbours: those of 2n and 2n + 1 belong together."""


class Noun(NamedTuple):
    """A thing, as it is called in documentation and in requests."""

    gloss: str
    requests: tuple[str, ...]


NOUNS = (
    Noun("bicycle", ("bike", "push-bike")),
    Noun("lorry", ("truck",)),
    Noun("apartment", ("flat",)),
    Noun("sofa", ("couch", "settee")),
    Noun("refrigerator", ("fridge", "icebox")),
    Noun("rucksack", ("backpack",)),
    Noun("motorcycle", ("motorbike",)),
    Noun("mobile telephone", ("cellphone", "smartphone")),
    Noun("television set", ("TV",)),
    Noun("aeroplane", ("aircraft", "airliner")),
    Noun("pram", ("baby carriage", "stroller")),
    Noun("spectacles case", ("box for glasses",)),
    Noun("car", ("automobile",)),
    Noun("armchair", ("easy chair",)),
)


class Axis(NamedTuple):
    """A property that divides the records of a noun in two types: documentation and requests."""

    glosses: tuple[str, str]
    requests: tuple[tuple[str, ...], tuple[str, ...]]


def _numeric(unit: str, low: int, limit: int, high: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Requests for a number up to a limit, and for a larger one."""
    below = tuple(f"{number} {unit}" for number in range(low, limit + 1))
    return below, tuple(f"{number} {unit}" for number in range(limit + 1, high))


AXES = (
    Axis(
        ("that is at most 10 years old", "that is more than 10 years old"),
        _numeric("years of age", 2, 10, 30),
    ),
    Axis(
        ("that weighs at most 20 kilograms", "that weighs more than 20 kilograms"),
        _numeric("kg", 3, 20, 60),
    ),
    Axis(
        ("that cost at most 50 euros", "that cost more than 50 euros"),
        _numeric("EUR when it was bought", 15, 50, 120),
    ),
    Axis(
        ("that the town owns", "that a private person owns"),
        (("municipal", "council property"), ("in the hands of a citizen", "not public property")),
    ),
    Axis(
        ("that is in use", "that is out of use"),
        (("working every day", "in service"), ("standing idle", "not needed at present")),
    ),
    Axis(
        ("that comes from abroad", "that comes from this country"),
        (("imported", "foreign"), ("domestic", "home-produced")),
    ),
    Axis(
        ("that nobody had before", "that somebody had before"),
        (("brand new", "fresh from the factory"), ("second-hand", "pre-owned")),
    ),
)


class Role(NamedTuple):
    """What an argument means: the documentation and clauses of requests.

    Choices have options with two words each. The clauses of a flag are the two of its truth and
    the two of its opposite, and its documentation is the truth and the opposite.
    """

    family: Family
    gloss: str
    clauses: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()


ROLES: Mapping[str, Role] = {
    "keeper": Role("text", "the person in charge", (
        "{v} looks after it", "{v} has the responsibility", "{v} is to lead this")),
    "payer": Role("text", "the person who pays", (
        "{v} bears the costs", "the bill goes to {v}", "the money comes from {v}")),
    "contact": Role("text", "the person who is informed", (
        "let {v} know", "{v} should hear of it", "send word to {v}")),
    "site": Role("text", "the town in which the work is done", (
        "it all happens in {v}", "do it in {v}", "{v} is where it should happen")),
    "archive": Role("text", "the town in which the papers are kept", (
        "file the documents in {v}", "the documents belong in {v}",
        "{v} is where the documents go")),
    "helpers": Role("list", "the persons who help", (
        "{v} lend a hand", "assistance comes from {v}", "the assistants are {v}")),
    "readers": Role("list", "the persons who get a copy of the report", (
        "{v} want to read what comes of it", "send the results to {v}",
        "the results are for {v}")),
    "begin": Role("date", "the day on which the work begins", (
        "start on {v}", "the first day is {v}", "nothing happens before {v}, when it starts")),
    "deadline": Role("date", "the day by which the work is finished", (
        "be done no later than {v}", "the last day is {v}", "it has to be over by {v}")),
    "hour": Role("time", "the time of day at which the work begins", (
        "start at {v}", "set about it at {v}", "the first hand is laid on it at {v}")),
    "ring": Role("time", "the time of day at which the guard is called", (
        "ring up the watchman at {v}", "at {v} the watchman gets a ring",
        "telephone the watchman at {v}")),
    "span": Role("duration", "the time that the work takes", (
        "it lasts {v}", "allow {v} from start to end", "{v} is how long it lasts")),
    "notice": Role("duration", "the time from the reminder to the work", (
        "jog our memory {v} ahead", "{v} ahead we want a nudge",
        "nudge us {v} before the start")),
    "gap": Role("length", "the distance from other things", (
        "stay {v} away from everything else", "leave {v} of room around it",
        "nothing else comes nearer than {v}")),
    "rope": Role("length", "the length of the rope", (
        "tie it with {v} of cord", "the cord measures {v}", "cut off {v} of cord for it")),
    "load": Role("mass", "the mass of the load", (
        "{v} of goods are on board", "it carries {v}", "put {v} of goods on it")),
    "sand": Role("mass", "the amount of sand", (
        "strew {v} of grit", "{v} of grit are needed", "order {v} of grit")),
    "water": Role("volume", "the amount of water", (
        "pour out {v} from the pipe", "take {v} from the pipe", "the pipe has to yield {v}")),
    "oil": Role("volume", "the amount of oil", (
        "{v} of lubricant go in", "fill in {v} of lubricant", "use {v} of lubricant")),
    "budget": Role("money", "the greatest cost allowed", (
        "spend no more than {v}", "anything up to {v} is fine with us", "the ceiling is {v}")),
    "deposit": Role("money", "the deposit", (
        "demand {v} as security", "the security is {v}", "hold {v} as security")),
    "stickers": Role("count", "the number of labels", (
        "of stickers, use {v}", "as to stickers, {v} will do", "stickers: {v}")),
    "screws": Role("count", "the number of screws", (
        "of bolts, take {v}", "as to bolts, {v} will do", "bolts: {v}")),
    "urgency": Role("choice", "how soon it is dealt with", (
        "treat it as {v}", "regard it as {v}", "in our view it is {v}"), (
        ("urgent", "a rush job"), ("normal", "routine"),
        ("leisurely", "in no hurry"), ("deferred", "shelved for now"))),
    "payment": Role("choice", "the means of payment", (
        "settle the bill by {v}", "we settle by {v}", "the bill is settled by {v}"), (
        ("cash", "notes and coins"), ("card", "plastic"),
        ("bank transfer", "wire"), ("cheque", "written order to the bank"))),
    "channel": Role("choice", "the means of communication", (
        "get in touch by {v}", "answer us by {v}", "reach us by {v}"), (
        ("letter", "post"), ("telephone", "voice call"),
        ("e-mail", "electronic message"), ("courier", "messenger on foot"))),
    "secrecy": Role("choice", "who may see the papers", (
        "the documents are {v}", "class the documents as {v}", "keep the documents {v}"), (
        ("public", "open to all"), ("internal", "for staff only"),
        ("confidential", "for managers only"), ("secret", "for the director alone"))),
    "receipt": Role("flag", "a receipt is printed|no receipt is printed", (
        "we want proof of payment", "print out a proof of payment",
        "we do without a proof of payment", "no proof of payment, please")),
    "photographs": Role("flag", "photographs are taken|no photographs are taken", (
        "take pictures of it", "pictures are wanted",
        "take no pictures of it", "pictures are unwanted")),
    "signature": Role("flag", "a signature is required|no signature is required", (
        "somebody has to sign", "it only counts if it is signed",
        "nobody has to sign", "it counts even if it is not signed")),
}  # fmt: skip

QUANTITIES = frozenset({"duration", "length", "mass", "volume", "money", "count"})
