"""The customer of a telephone company: what is said, and done to the phone when asked for."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from random import Random

from palaestra.generators.tools.conversation import (
    LONGEST,
    MORE,
    NOT_MORE,
    Agenda,
    Deed,
    Fact,
    Intent,
    Topic,
    User,
    asking,
)
from palaestra.generators.tools.telecom_support.company import Trouble
from palaestra.generators.tools.telecom_support.desk import Desk
from palaestra.generators.tools.telecom_support.policy import MODES, Symptom

PHRASES: Mapping[Symptom, tuple[str, ...]] = {
    "service": (
        "make calls again", "have a signal again", "be reachable on the phone",
        "talk to people on my phone again", "get the phone to ring again",
        "have the phone find its network",
    ),
    "data": (
        "get online with my phone", "use the internet on the go at a decent pace",
        "have websites load as they used to", "surf with the phone", "watch videos on the phone",
        "have proper mobile internet",
    ),
    "pictures": (
        "send photos in messages", "get my picture messages through",
        "have the pictures that I send arrive", "message a photo to a friend",
        "send a snapshot to my sister", "share photos by message",
    ),
}  # fmt: skip
"""Ways to say what should work."""

PAYING = (
    "willing to pay", "ready to pay", "want to pay", "like to pay", "able to pay", "agree to pay",
    "prepared to pay", "will you pay", "would you pay", "can you pay", "for you to pay",
    "going to pay", "happy to pay", "willing to settle",
)  # fmt: skip
BILLS = ("bill", "overdue", "them", "outstanding")
"""The question whether bills are paid is no demand to pay them, whose cues are a part of it."""

TOPICS: Mapping[str, Topic] = {
    "name": Topic(
        ("who are you", "who am i speaking", "who am i talking", "what are you called", "name"),
        ("My name is {}.", "The name is {}.", "I am called {}.", "You have me down as {}.",
         "People call me {}."),
    ),
    "number": Topic(
        ("telephone number", "phone number", "which number", "what number", "number of phone",
         "which line", "what line", "number is it", "mobile number", "number of * line",
         "number of line", "which of * lines", "which of lines", "which phone", "what is number",
         "number again", "which device", "what phone"),
        ("The number is {}.", "It is about {}.", "I mean the line {}.", "You would reach me at {}.",
         "The phone in question has {}."),
    ),
    "symptom": Topic(
        ("how can i help", "how may i help", "what can i do", "what is problem",
         "what doesn t work", "what is issue", "what trouble", "how * help", "how * assist",
         "what * help you with", "what * assist you", "seems to be", "describe problem",
         "describe issue", "describe trouble", "kind of problem", "what problem", "which problem",
         "what s problem", "what s issue", "what s trouble", "what s wrong", "is trouble",
         "wrong with", "not work", "not working", "should work", "have working", "to work",
         "working again", "having trouble", "trouble with", "is matter", "s matter",
         "calls mobile internet or", "calls or", "which service", "what would you like to do",
         "what is it about", "what is this about", "internet or picture", "what is wrong"),
        ("I want to {}.", "I would like to {}.", "All I want is to {}.", "I need to {}.",
         "It should be possible to {}."),
    ),
    "area": Topic(
        ("where are you", "where is phone", "location", "which area", "what area", "which country",
         "are you abroad", "whereabouts", "where do you use", "what country", "which town",
         "what town", "which city", "what city", "which place", "what place", "home or abroad",
         "at home or", "travelling", "traveling", "located", "where you are", "where you re"),
        ("I am in {}.", "Right now we are in {}.", "The phone and I are in {}.",
         "You find me in {}.", "I am staying in {}."),
    ),
    "willing": Topic(
        tuple(f"{way}{end}" for way in PAYING for end in ("", *(f" * {bill}" for bill in BILLS))),
        ("As for paying: {}.", "If you ask me to pay: {}.", "My answer on the bills: {}.",
         "About the money: {}.", "You want me to pay, and I say {}."),
        is_closed=True,
    ),
    "gigabytes": Topic(
        ("how many gigabytes", "how many gb", "how much data", "more data", "gigabytes would you",
         "add data", "buy data", "gigabytes do you", "amount of data", "how many * gigabytes",
         "how many * gb", "how many gigs", "how many * gigs", "gigabytes should"),
        ("I would take {} gigabytes.", "Give me {} GB.", "Let it be {} GB more.",
         "I would buy {} gigabytes.", "Add {} GB, please."),
    ),
}  # fmt: skip
"""What the player may ask the customer for."""

ANSWERS = {
    True: ("yes, I will", "sure", "of course", "gladly", "no problem"),
    False: ("no, I will not", "not this month", "I have no money left", "never", "not a cent"),
}
"""Ways to be willing to pay, or not."""

OPENINGS = (
    "something is the matter with my phone.", "my phone does not do what it should.",
    "I have a problem with one of my phones.", "there is trouble with a phone of mine.",
    "I am calling about my phone.", "one of my phones is playing up.",
    "I need help with my phone.",
)  # fmt: skip

SWITCHES = {
    "airplane": ("airplane mode", "flight mode", "aeroplane mode", "plane mode"),
    "data": ("mobile data", "cellular data", "mobile internet"),
    "roaming": ("roaming", "data roaming", "roaming switch", "mobile data roaming"),
    "saver": ("data saver", "data saving", "data saver mode", "data saving mode",
              "mobile data saver"),
    "vpn": ("vpn", "vpn app"),
}  # fmt: skip
"""The names of the switches of a phone."""

LOOKS = {
    "look": (
        "status bar", "status line", "top of screen", "signal bars", "any bars", "how many bars",
        "which symbols", "what symbols", "symbols at top", "symbol at top", "which icons",
        "what icons", "icons at top", "airplane symbol", "airplane icon", "is there airplane",
        "see airplane", "do you have signal", "do you see signal", "any signal", "is sim",
        "is airplane mode", "is flight mode", "whether airplane mode", "if airplane mode",
        "check airplane mode", "is vpn", "whether vpn", "is there vpn", "is data saver",
        "whether data saver",
    ),
    "settings": (
        "network settings", "settings screen", "mobile settings", "sim settings", "phone settings",
        "check settings", "look at settings", "open settings", "go to settings",
        "settings of network", "settings of phone", "settings network", "which access point",
        "what access point", "what is access point", "access point name", "which apn", "what apn",
        "what is apn", "which network mode", "what network mode", "what is network mode",
        "is network mode", "is mobile data", "whether mobile data", "if mobile data",
        "is cellular data", "is roaming", "is data roaming", "whether roaming", "if roaming",
    ),
    "permissions": (
        "which permissions", "what permissions", "list permissions", "check permissions",
        "look at permissions", "permissions screen", "see permissions", "permissions does",
        "app permissions", "app s permissions", "permissions of app", "open permissions",
        "have permission", "allowed to use", "has permission", "have sms permission",
        "have storage permission",
    ),
    "speed": (
        "speed test", "test speed", "measure speed", "run test", "test of speed", "check speed",
        "how fast is", "how fast",
    ),
    "picture": (
        "test picture", "test photo", "send picture", "send photo", "send me picture",
        "send me photo", "test message", "try to send", "try sending", "send one picture",
    ),
}  # fmt: skip
"""Cues of what the customer looks at or tries."""

GRANTS = ("grant", "allow", "give", "enable", "turn on", "switch on", "tick", "activate")
"""Verbs for a permission."""

OTHERS = {
    "restart": (
        "restart", "reboot", "turn phone off and on", "switch phone off and on", "power cycle",
        "off and on again", "off and back on", "turn it off and on",
    ),
    "reseat": (
        "reseat", "take sim out", "take sim card out", "take out sim", "put sim back", "remove sim",
        "reinsert", "re insert", "pull out sim", "pull sim out", "pull sim card out", "eject sim",
    ),
    "reset apn": (
        "reset access point", "reset apn", "restore access point", "restore apn",
        "restore * access point", "restore * apn", "access point be reset", "access point reset",
        "apn reset", "default access point", "default apn", "access point back to", "apn back to",
        "access point to default", "apn to default",
    ),
    "pay": (
        "pay bill", "pay overdue", "pay requested", "pay outstanding", "pay them", "pay it now",
        "pay now", "pay these", "pay those", "make payment", "settle bill", "settle them",
    ),
    "grant sms": tuple(f"{verb}{gap}sms" for verb in GRANTS for gap in (" ", " * ")),
    "grant storage": tuple(f"{verb}{gap}storage" for verb in GRANTS for gap in (" ", " * ")),
}  # fmt: skip
"""Cues of what the customer does to the phone."""

MORE_WAYS = {
    "airplane off": ("out of airplane mode", "out of flight mode", "leave airplane mode"),
    "airplane on": ("go into airplane mode", "into airplane mode"),
    "vpn off": ("disconnect vpn", "disconnect from vpn"),
    "vpn on": ("connect vpn", "connect to vpn"),
}
"""More cues of switches."""

_NAMES = "|".join(sorted((each for names in SWITCHES.values() for each in names), reverse=True))
_TWO = re.compile(
    r"\b((?:turn|switch) (?:on|off)|enable|disable|activate|deactivate) +"
    rf"({_NAMES}) +and +(?={_NAMES})",
    re.IGNORECASE,
)
"""Two switches that are named after one verb."""

_ARTICLE = re.compile(r"\b(?:the|a|an|your)\b", re.IGNORECASE)


MORE_PHONES = (
    *MORE, "another phone", "another line", "another device", "second phone", "second line",
    "second device", "next phone", "next line", "next device", "other phones", "other lines",
    "other devices", "more phones", "more lines", "more devices", "have other phone",
    *asking("phone", "line", "device"),
)  # fmt: skip
"""Cues of the question for another phone that has trouble."""

NOT_MORE_PHONES = re.compile(
    rf"{NOT_MORE.pattern}"
    r"|\b(on|onto|from|in|into|to|try|use|using|is it|was it|is this|is that|is it about)"
    r"( \w+)? (another|any other|second|next|other) (phone|line|device)s?\b"
    r"|\b(number|area|plan|owner|bills?) of (another|second|next|other) (phone|line|device)s?\b"
)
"""What sounds like this question and asks for something about another phone."""


def _switched(value: str, names: tuple[str, ...]) -> Iterator[str]:
    more = ("enable", "activate") if value == "on" else ("disable", "deactivate")
    for verb in ("turn", "switch", "toggle", "put", "set"):
        for name in names:
            yield from (f"{verb} {value} {name}", f"{verb} {name} {value}")
            yield from (f"{verb} {name} back {value}", f"{verb} {name} to {value}")
    for verb in (f"turn {value}", f"switch {value}", *more):
        yield from (f"{verb} {name}" for name in names)


def _cues() -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from LOOKS.items()
    yield from OTHERS.items()
    for subject, names in SWITCHES.items():
        for value in ("on", "off"):
            name = f"{subject} {value}"
            yield name, (*_switched(value, names), *MORE_WAYS.get(name, ()))
    for mode in MODES:
        forms = ("mode to {}", "mode * to {}", "network to {}", "switch to {}", "switch * to {}",
                 "change to {}", "change * to {}", "select {}", "choose {}", "set it to {}",
                 "set phone to {}", "network mode to be {}")  # fmt: skip
        yield f"mode {mode}", tuple(each.format(mode) for each in forms)


CUES = dict(_cues())
"""The cues of each deed."""


class Subscriber(User):
    """A customer for whom articles in a message make no difference, and one verb may do for two
    switches. Another intent is about another phone.
    """

    more = MORE_PHONES
    not_more = NOT_MORE_PHONES

    def reply(self, message: str) -> str:
        """The answer to a message, and what comes of the deeds that it asks for."""
        words = " ".join(_ARTICLE.sub(" ", message[:LONGEST]).split())
        return super().reply(_TWO.sub(r"\1 \2 and \1 ", words))


def agenda(desk: Desk, customer: str, troubles: tuple[Trouble, ...], seed: int) -> Agenda:
    """What the customer wants, knows and can do."""
    rng = Random(f"{seed} agenda")
    intents = [Intent(rng.choice(OPENINGS), _facts(rng, desk, each)) for each in troubles]
    deeds = [Deed(cues, partial(desk.perform, name)) for name, cues in CUES.items()]
    return Agenda(TOPICS, intents, (Fact("name", customer),), deeds)


def _facts(rng: Random, desk: Desk, trouble: Trouble) -> tuple[Fact, ...]:
    telephone = desk.row("line", trouble.line)["telephone"]
    changed = str(trouble.gigabytes) if trouble.before else ""
    return (
        Fact("number", str(telephone), str(trouble.mistaken) if trouble.mistaken else ""),
        Fact("symptom", rng.choice(PHRASES[trouble.symptom])),
        Fact("area", trouble.area),
        Fact("willing", rng.choice(ANSWERS[trouble.willing])),
        Fact("gigabytes", str(trouble.before or trouble.gigabytes), changed=changed),
    )
