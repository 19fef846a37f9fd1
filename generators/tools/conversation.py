"""A user who talks: answers questions, mishears nothing, but errs, and may have second thoughts.

The user has an agenda of intents, each with facts. A fact is stated when a message asks for its
topic, by a cue of that topic; nothing is stated unasked but what an intent is about. Conversations
with simulated users are after V. Barres and others, "tau2-bench: Evaluating Conversational Agents
in a Dual-Control Environment" (2025), and agendas after J. Schatzmann and others, "Agenda-Based
User Simulation for Bootstrapping a POMDP Dialogue System" (2007). Here a grammar speaks, so that
each reply is a function of the seed and of the messages before it. The acts of a reply are kept
besides its words, so that others may be put in their place (:mod:`palaestra.trainers.rephrasing`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from random import Random
from typing import ClassVar, NamedTuple, Self

from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.generators.tools.user_speech import Voice
from palaestra.generators.utterances import Act, SpokenTurn, Utterance
from palaestra.task import Turn

LONGEST = 2_000
"""So many characters of a message are read."""

_WORD = re.compile(r"[a-z0-9]+")


def asking(*nouns: str) -> tuple[str, ...]:
    """Cues of the questions whether there is another one of something.

    >>> "are there more lines" in asking("lines")
    True
    """
    leads = [f"{verb} {word}" for verb in ("is there", "do you have", "have you got", "you got")
             for word in ("another", "a second", "second", "a further", "any other")]  # fmt: skip
    leads += [f"{verb} {word}" for verb in ("are there", "is there", "do you have", "you got")
              for word in ("more", "any more", "any further", "other", "further")]  # fmt: skip
    return tuple(f"{lead} {noun}" for lead in leads for noun in nouns)


MORE = (
    "anything else", "something else", "any other", "what else", "anything more", "further request",
    "next request", "next one", "next matter", "next issue", "next thing", "next wish",
    "what is next", "what s next", "what comes next", "other request", "other matter",
    "another request", "another matter", "is that all", "that be all", "was that all",
    "is this all", "is that everything", "was that everything", "that be everything",
    "another one", "anything further", "something further", "are there others",
    "need more help", "need any more help", "need further help", "need further assistance",
    *asking("one", "matter", "issue", "problem", "request", "thing", "wish", "concern", "question"),
)  # fmt: skip
"""Cues of the question for the next intent."""

NOT_MORE = re.compile(
    r"\b(anything|something|what) (else|more|further) (that )?(i|we)"
    r" (should|need|have to|ought|must) know"
    r"|\b(anything|something|what) (else|more) (about|on) (it|this|that|them)\b"
    r"|\b((anything|something|what) else|another|any other)( \w+){0,6}"
    r" (instead|in its place|in their place)\b"
    r"|\b((is|was) (it|this|that)( about)?|like|want|prefer|take|choose|get|on|onto|to|in|found)"
    r" another one\b"
    r"|\bany other (preference|detail|constraint|requirement|day|date|time|reason)s?\b"
    r"|\bany other (criteria|option|choice|alternative)s?\b"
)
"""What sounds like the question for the next intent and is about this one."""

ALTERNATIVE = (
    "what else * instead", "anything else * instead", "something else * instead",
    "what else * in its place", "anything else * in its place",
    "do you have alternative", "do you have an alternative", "is there an alternative",
    "any alternative", "what alternative", "which alternative", "any other option",
    "any other choice", "second choice",
)  # fmt: skip
"""Cues of the question for what is wanted where this intent is refused."""

CONFIRM = (
    "confirm", "shall i", "should i", "shall we", "may i", "can i go ahead", "do you want me to",
    "would you like me to", "want us to", "like us to", "is that ok", "is this ok", "is it ok",
    "is that okay", "is this okay", "is it okay", "is that right", "is this right",
    "is that correct", "is this correct", "is that fine", "is this fine", "is that alright",
    "is this alright", "is everything correct", "is all of that", "is all of this",
    "details correct", "does that sound", "sound good", "sounds good", "sound right",
    "does that work", "do i have that right", "did i get that right",
    "do you agree", "do you approve", "are you sure", "are you certain", "proceed", "go ahead",
    "all right with you", "ok with you", "okay with you", "fine with you", "ok for you",
    "okay for you", "happy with", "agree to this", "agree with this", "agree with that",
)  # fmt: skip
"""Cues of a proposal that the user is to agree to."""

PROPOSED = ("do you want to", "would you like to", "do you wish to", "you want to", "is it correct")
"""Cues of a proposal in a message that asks for nothing else."""

QUESTIONS = re.compile(
    r"\b(may i (have|ask|know|help|assist|get|see|take)"
    r"|may i please (have|ask|know|get)"
    r"|(what|which|how|where|when)( \w+){0,4} (should|shall|would you like|do you want)"
    r" (i|me|us|we)( to)?"
    r"|(before|until|so that|in order|able|cannot|can t|unable)( \w+){0,4} (proceed|go ahead)"
    r"|(to|then) (proceed|go ahead) (i|we)"
    r"|confirm( (me|us|for me|with me|to me|your|the|both|first|last|four|full|complete|given))*"
    r" (name|identity|year|date|birth|birthday|age|branch|postcode|post code|city|phone|telephone"
    r"|number|memorable|digits|account holder))\b"
)
"""What sounds like a proposal and is a question."""

REFUSED = (
    "cannot", "can not", "can t", "not possible", "isn t possible", "impossible", "not allowed",
    "isn t allowed", "aren t allowed", "does not allow", "doesn t allow", "do not allow",
    "don t allow", "not eligible", "isn t eligible", "ineligible", "not entitled", "not able to",
    "unable", "refuse", "refused", "denied", "declined", "decline", "against the policy",
    "against our policy", "not permitted", "isn t permitted", "does not permit", "doesn t permit",
    "prohibited", "rejected", "turned down", "turn down", "won t", "will not",
)  # fmt: skip
"""Cues of the news that a request is not fulfilled."""

NOT_REFUSED = re.compile(
    r"\b(cannot|can not|can t|not able to|unable to|won t|will not)"
    r"( (yet|currently|quite|seem to|be able to|even|also|really))*"
    r" (find|locate|see|verify|identify|match|access|tell|read|look|proceed|continue|go|hear"
    r"|understand|reach|take|be charged|cost|affect|change anything|start|recognise|recognize)\b"
    r"|\b(why|what|who|if|you) (cannot|can not|can t|won t|will not)\b"
    r"|\b(why|what|who) (will|can|are) you (not|unable)\b"
    r"|\b(are|is|were|was) (\w+ )?\w+ (unable|not able)\b"
)
"""What sounds like such news and is none."""

NEGATION = re.compile(r"\b(not|never|without|don t|didn t|no need to|instead of)( \w+)?$")
"""What comes before a deed that is not asked for."""

GAP = 5
"""So many words at most a star in a cue stands for."""

Parts = tuple[tuple[str, ...], ...]
"""The words of a cue between its stars."""


class Topic(NamedTuple):
    """What a message may ask for: the cues are phrases, any of which names the topic. A star in a
    cue stands for up to five words.

    ``frames`` state a fact; each has the slot ``{}``. ``values`` are the other values that a
    proposal may wrongly name, for topics with few values.
    """

    cues: tuple[str, ...]
    frames: tuple[str, ...]
    values: tuple[str, ...] = ()
    is_closed: bool = False
    """Whether it is asked for with yes or no: it is then stated in place of an agreement to a
    proposal in the same message, which would be taken for the answer.
    """


class Fact(NamedTuple):
    """What the user knows about a topic, or wants.

    A user who errs says ``mistaken`` at first, and ``value`` when the question is repeated. A user
    with second thoughts says ``value`` until asked to confirm, and ``changed`` from then on.
    """

    topic: str
    value: str
    mistaken: str = ""
    changed: str = ""


class Intent(NamedTuple):
    """What the user wants, and what is wanted instead where it is refused.

    ``opening`` says what it is about and is the one thing that is said unasked; ``named`` are the
    values in it.
    """

    opening: str
    facts: tuple[Fact, ...]
    instead: tuple[Fact, ...] = ()
    named: tuple[str, ...] = ()


class Deed(NamedTuple):
    """Something that the user alone can do, and does when a message asks for it.

    ``run`` changes the world and returns what the user sees, as a sentence or a :class:`Report`.
    """

    cues: tuple[str, ...]
    run: Callable[[], str]


class Report(str):
    """What the user sees, as a sentence, with the value that it states."""

    value: str

    @classmethod
    def of(cls, frame: str, value: str) -> Self:
        """A value in a frame, which has the slot ``{}``.

        >>> Report.of("It is {} now.", "on").value
        'on'
        """
        report = cls(frame.format(value))
        report.value = value
        return report


class Agenda(NamedTuple):
    """What a user wants, one intent after the other, and knows; ``common`` facts hold for all."""

    topics: Mapping[str, Topic]
    intents: Sequence[Intent]
    common: Sequence[Fact] = ()
    deeds: Sequence[Deed] = ()


class User:
    """Who answers the messages of a player.

    The ``seed`` decides the wording, of which ``is_held_out`` users have frames of their own.
    """

    more: ClassVar[Sequence[str]] = MORE
    """Cues of the question for the next intent."""
    not_more: ClassVar[re.Pattern[str]] = NOT_MORE
    """What sounds like this question and is another."""

    def __init__(self, agenda: Agenda, seed: int = 0, is_held_out: bool = False) -> None:
        self.topics, self.intents, self.common, self.deeds = agenda
        deeds = tuple(deed.cues for deed in self.deeds)
        self._reader = _reader_of(deeds, tuple((n, t.cues) for n, t in self.topics.items()))
        self.voice = Voice(seed, is_held_out)
        self.number = 0
        self.acts: tuple[Act, ...] = ()
        """What the last reply consists of."""
        self._refused = self._confirmed = False
        self._times: Counter[str] = Counter()

    def state(self) -> str:
        """How far the conversation is, by which and by a message the reply is decided."""
        return f"{self.number} {self._refused} {self._confirmed} {sorted(self._times.items())}"

    def values(self) -> Set[str]:
        """All values that may be stated or named, be they right or wrong."""
        facts = [*self.common]
        values = {value for topic in self.topics.values() for value in topic.values}
        for intent in self.intents:
            facts += [*intent.facts, *intent.instead]
            values.update(intent.named)
        for fact in facts:
            values |= {fact.value, fact.mistaken, fact.changed}
        return values - {""}

    def opening(self) -> str:
        """The first message: what the first intent is about."""
        return self.voice.opening(Random(f"{self.voice.seed} opening"), self.intents[0].opening)

    def reply(self, message: str) -> str:
        """The answer to a message, of which the first 2,000 characters are read."""
        words = normalised(message)
        rng = Random(f"{self.voice.seed} {self.state()} {words}")
        self.acts = (*self._acts(rng, words),) or (self._act(rng, "not understood"),)
        return self.voice.joined(rng, [act.words for act in self.acts])

    def _act(self, rng: Random, name: str, content: str = "", *values: str) -> Act:
        return Act(name, self.voice.act(rng, name, content), content, values)

    def _acts(self, rng: Random, words: str) -> Iterable[Act]:
        meanings = self._reader.read(words)
        for name, is_negated in meanings:
            if name.isdecimal() and not is_negated:
                seen = self.deeds[int(name)].run()
                value = seen.value if isinstance(seen, Report) else seen.rstrip(".")
                yield self._act(rng, "did", str(seen), value)
        refused = has_cue(NOT_REFUSED.sub(" ", words), REFUSED)
        if has_cue(self.not_more.sub(" ", words), self.more):
            has_choice = self.intents[self.number].instead and not self._refused
            yield self._refusal(rng) if refused and has_choice else self._next(rng)
            return
        named = {name for name, _ in meanings}
        topics = [name for name in self.topics if name in named]
        closed = [name for name in topics if self.topics[name].is_closed]
        if refused or has_cue(words.replace(" instead of ", " "), ALTERNATIVE):
            yield self._refusal(rng)
        elif closed:
            yield from (self._stated(rng, topic) for topic in closed)
        elif has_cue(QUESTIONS.sub(" ", words), CONFIRM) or (
            not meanings and has_cue(QUESTIONS.sub(" ", words), PROPOSED)
        ):
            yield self._confirmation(rng, words)
        else:
            yield from (self._stated(rng, topic) for topic in topics[:3])

    def _facts(self) -> Iterable[Fact]:
        intent = self.intents[self.number]
        own = intent.instead if self._refused and intent.instead else intent.facts
        yield from own
        yield from (fact for fact in self.common if fact.topic not in {f.topic for f in own})

    def _stated(self, rng: Random, topic: str) -> Act:
        facts = [fact for fact in self._facts() if fact.topic == topic]
        if not facts:
            return self._act(rng, "unknown")
        times = self._times[topic]
        self._times[topic] += 1
        fact = facts[0]
        value = fact.mistaken if fact.mistaken and not times else self._current(fact)
        frames = self.topics[topic].frames
        text = self.voice.frame(rng, frames).format(value)
        if fact.mistaken and times == 1:
            return self._act(rng, "corrected", text, value)
        return Act("statement", text, text, (value,))

    def _current(self, fact: Fact) -> str:
        return fact.changed if fact.changed and self._confirmed else fact.value

    def _confirmation(self, rng: Random, words: str) -> Act:
        """Agreement, a second thought that has not been stated yet, or an objection."""
        changed = [fact for fact in self._facts() if fact.changed]
        if changed and not self._confirmed:
            self._confirmed = True
            texts = [self._in_words(rng, fact.topic, fact.changed) for fact in changed]
            return self._act(rng, "changed", " ".join(texts), *(fact.changed for fact in changed))
        self._confirmed = True
        for fact in self._facts():
            others = {normalised(v) for v in self.topics[fact.topic].values}
            current = normalised(self._current(fact))
            named = {other for other in others - {current} if has_cue(words, (other,))}
            if named and not has_cue(words, (current,)):
                text = self._in_words(rng, fact.topic, self._current(fact))
                return self._act(rng, "objection", text, self._current(fact))
        return self._act(rng, "agreement")

    def _in_words(self, rng: Random, topic: str, value: str) -> str:
        return self.voice.frame(rng, self.topics[topic].frames).format(value)

    def _refusal(self, rng: Random) -> Act:
        intent = self.intents[self.number]
        if not intent.instead or self._refused:
            return self._act(rng, "acceptance")
        self._refused, self._confirmed = True, False
        self._times.clear()
        first = intent.instead[0]
        text = self._in_words(rng, first.topic, first.value)
        return self._act(rng, "instead", text, first.value)

    def _next(self, rng: Random) -> Act:
        if self.number + 1 == len(self.intents):
            return self._act(rng, "nothing more")
        self.number += 1
        self._refused = self._confirmed = False
        common = {fact.topic for fact in self.common}
        self._times = Counter({t: n for t, n in self._times.items() if t in common})
        intent = self.intents[self.number]
        return self._act(rng, "another", intent.opening, *intent.named)


class ConversationWorld(RecordWorld):
    """A world of tables with a user, whom the tool :func:`say` sends messages to."""

    user: User

    def __init__(
        self, tools: Sequence[Tool], tables: Tables, seed: int = 0, busy: int = 0,
        free: Sequence[str] = (),
    ) -> None:  # fmt: skip
        super().__init__(tools, tables, seed, busy, free)
        self._speech: list[Utterance] = []
        """What the user has said since the last turn."""

    def state(self) -> str:
        return f"{super().state()}, conversation {self.user.state()}"

    def turn(self, observation: str, reward: float, state: str) -> Turn:
        """What the player gets, with what the user says in it."""
        speech, self._speech = self._speech, []
        return SpokenTurn(observation, reward=reward, state=state, speech=(*speech,))

    def say(self, message: str) -> str:
        """The reply of the user to a message."""
        text = self.user.reply(message)
        self._note(message, text, self.user.acts)
        return text

    def open(self, text: str) -> None:
        """Have the user begin with a text, which the first observation has in it."""
        intent = self.user.intents[0]
        self._note("", text, (Act("opening", text, intent.opening, intent.named),))

    def _note(self, message: str, text: str, acts: tuple[Act, ...]) -> None:
        self._speech.append(Utterance(message[:LONGEST], text, acts, self.user.values))


def say(name: str = "customer") -> Tool:
    """The tool that sends a message to the user."""

    def run(world: ConversationWorld, arguments: Arguments) -> str:
        return world.say(arguments["message"])

    return Tool("say", f"Send a message to the {name}, and get the reply.", {"message": str}, run)


def slot(frames: Iterable[str], text: str) -> str | None:
    """What stands in the slot of the frame that is in a text; None where there is none.

    >>> slot(["I am {}.", "My name is {}."], "Well, my name? My name is Ada. I am late.")
    'Ada'
    """
    for frame in sorted(frames, key=len, reverse=True):
        before, after = frame.split("{}")
        start = text.find(before)
        if start >= 0:
            start += len(before)
            end = text.find(after, start) if after else len(text)
            if end > start:
                return text[start:end]
    return None


def normalised(text: str) -> str:
    """The words of a text in lower case, with a space before and after each.

    >>> normalised("Order no. 12?")
    ' order no 12 '
    """
    return f" {' '.join(_WORD.findall(text[:LONGEST].casefold()))} "


def has_cue(words: str, cues: Iterable[str]) -> bool:
    """Whether normalised words have a phrase in them; a plural is as good as the singular, and a
    star stands for up to five words.

    >>> has_cue(normalised("Which orders?"), ["order"])
    True
    """
    return _reader(tuple(cues)).is_in(words.split())


def meant(words: str, cues: Mapping[str, Iterable[str]]) -> list[str]:
    """What normalised words have cues of. A cue that is a part of a longer one of something else
    does not count.

    >>> meant(normalised("Which new day?"), {"day": ["day"], "new day": ["new day"]})
    ['new day']
    """
    return [name for name, _ in Reader(cues).read(words)]


class Reader:
    """Finds cues in messages, by their first words."""

    def __init__(self, cues: Mapping[str, Iterable[str]]) -> None:
        self._lengths: dict[str, set[int]] = {}
        self._plain: dict[tuple[str, ...], list[str]] = {}
        self._starred: dict[str, list[tuple[str, Parts]]] = {}
        for name, phrases in cues.items():
            for cue in phrases:
                *parts, last = (tuple(_WORD.findall(part.casefold())) for part in cue.split("*"))
                if last:
                    self._add(name, (*parts, last))
                    self._add(name, (*parts, (*last[:-1], f"{last[-1]}s")))

    def _add(self, name: str, parts: Parts) -> None:
        first = parts[0]
        if len(parts) > 1:
            self._starred.setdefault(first[0], []).append((name, parts))
        else:
            self._lengths.setdefault(first[0], set()).add(len(first))
            self._plain.setdefault(first, []).append(name)

    def _spans(self, words: Sequence[str]) -> Iterator[tuple[str, int, int]]:
        """The names of cues, each with the numbers of its first word and of the one after it."""
        for start, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                end = start + length
                for name in self._plain.get(tuple(words[start:end]), ()):
                    if end <= len(words):
                        yield name, start, end
            for name, parts in self._starred.get(word, ()):
                end = _end(words, start, parts)
                if end:
                    yield name, start, end

    def is_in(self, words: Sequence[str]) -> bool:
        """Whether words have any of the cues."""
        return next(self._spans(words), None) is not None

    def read(self, text: str) -> list[tuple[str, bool]]:
        """The names of the cues in normalised words, each with whether it is negated. A cue that is
        a part of a longer one with another name does not count.
        """
        words = text.split()
        spans = [*self._spans(words)]
        names: dict[str, bool] = {}
        for name, start, end in spans:
            if not any(
                other != name and first <= start and end <= last and last - first > end - start
                for other, first, last in spans
            ):
                is_negated = bool(NEGATION.search(" ".join(words[max(0, start - 3) : start])))
                names[name] = names.get(name, True) and is_negated
        return [*names.items()]


def _end(words: Sequence[str], start: int, parts: Parts) -> int:
    """Where a cue with stars that starts at a word ends; 0 where there is none."""
    end = start
    for number, part in enumerate(parts):
        for at in range(end, end + (GAP if number else 0) + 1):
            if (*words[at : at + len(part)],) == part:
                end = at + len(part)
                break
        else:
            return 0
    return end


@lru_cache(maxsize=64)
def _reader_of(
    deeds: tuple[tuple[str, ...], ...], topics: tuple[tuple[str, tuple[str, ...]], ...]
) -> Reader:
    """A reader of cues of deeds, which have numbers for names, and of topics."""
    return Reader({**{str(n): cues for n, cues in enumerate(deeds)}, **dict(topics)})


@lru_cache(maxsize=512)
def _reader(cues: tuple[str, ...]) -> Reader:
    return Reader({"": cues})
