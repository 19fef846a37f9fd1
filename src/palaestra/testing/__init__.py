"""What every environment must stand up to.

Each check takes an environment's name and raises ``AssertionError`` on the first fault, saying
what is wrong. They are public, so that environments in other distributions can be held to the
same: ``palaestra check category/name`` runs them all.
"""

import math
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache, partial
from hashlib import sha256
from itertools import pairwise
from threading import get_ident
from time import process_time
from types import ModuleType
from typing import Any, NamedTuple, get_origin
from typing import Literal as LiteralType
from unittest.mock import patch

import numpy as np

from palaestra.address import Address
from palaestra.catalog import summary
from palaestra.episode import BARE, TAGS, Episode, Style
from palaestra.registry import class_name, load
from palaestra.scoring import score
from palaestra.task import KnobError, Match, Puzzle, Score, Task, Unreadable
from palaestra.testing import hostile
from palaestra.testing.hostile_texts import CONSTANTS

SEEDS = range(3)
SECONDS = 1.0
HOSTILE_SECONDS = 2.0
TURNS = 400
FLOOR = 0.05
DUPLICATES = 0.05

USUAL = 100
"""Tasks among which an answer that many have is looked for."""

HOSTILE = tuple(r.text for r in hostile.replies() if r.kind not in {"lazy", "monsters"})
"""Replies that try to break a judge."""

MONSTERS = tuple(reply.text for reply in hostile.replies("monsters"))
"""The same, of up to a megabyte."""

POISONED: Mapping[ModuleType, str] = {
    random: "random randrange randint choice choices shuffle sample uniform getrandbits",
    np.random: "rand randn randint random choice shuffle permutation default_rng",
    time: "time monotonic perf_counter process_time time_ns",
    os: "urandom",
}
"""Functions that no task may be drawn with."""

Check = Callable[[str], None]

Strategy = Callable[[Task], Episode | None]
"""A way to play without skill; ``None`` where a task does not give rise to it."""


def levels(name: str) -> range:
    """The levels of an environment."""
    return range(load(name).Knobs.levels())


@lru_cache(maxsize=4_000)
def task(name: str, seed: int, level: int) -> Task:
    """The task of a seed at a level."""
    return Address.of(name, seed, level).task()


def tasks(name: str, seeds: Iterable[int] = SEEDS) -> Iterator[Task]:
    """A few tasks of each level."""
    return (task(name, seed, level) for level in levels(name) for seed in seeds)


def moves_of(given: Task) -> list[str]:
    """The moves of the perfect player."""
    return list(given.solve())


def played(given: Task, moves: Iterable[str], style: Any = BARE) -> Episode:
    """An episode in which these moves were made, as far as it let them."""
    episode = Episode(given, style)
    for move in moves:
        if episode.scores is None:
            episode.hear(episode.style.write(move))
    return episode


@contextmanager
def _told_once(name: str) -> Iterator[None]:
    """Has each puzzle put into words once, which is most of what it costs to ask it again."""
    kind = load(name)
    if not issubclass(kind, Puzzle):
        yield
        return
    tell = kind.prompt
    told: dict[int, tuple[Puzzle, str]] = {}

    def prompt(given: Puzzle) -> str:
        if id(given) not in told:
            told[id(given)] = given, tell(given)  # kept, so that no other one gets its number
        return told[id(given)][1]

    with patch.object(kind, "prompt", prompt):
        yield


def repeated(given: Task, move: str, style: Any = BARE) -> Episode:
    """An episode in which the same is said over and over."""
    episode = Episode(given, style)
    for _ in range(TURNS):
        if episode.scores is not None:
            break
        episode.hear(episode.style.write(move))
    return episode


def earned(episode: Episode) -> float:
    """What an episode earned so far, or in the end."""
    return sum(episode.rewards)


# ------------------------------------------------------------------------------ how it is described


def check_described(name: str) -> None:
    """The class says in one line what to do, is tagged, and its file names its source."""
    kind = load(name)
    assert kind.__name__ == class_name(name), f"the class is called {class_name(name)}"
    assert summary(kind).endswith("."), "the docstring's first line is one full sentence"
    assert len(summary(kind)) <= 100, "which fits a table"
    assert kind.tags, "a few tags to find it by"
    assert sys.modules[kind.__module__].__doc__, "the file's docstring says where it comes from"
    assert all(field in kind.model_fields for field in kind.hidden), "hidden fields are fields"


def check_ladders(name: str) -> None:
    """There are three levels at least, each with other knobs than the one below, all bounded."""
    knobs = load(name).Knobs
    rungs = [knobs.at(level) for level in range(knobs.levels())]
    assert len(rungs) >= 3, "three levels at least"
    assert all(low != high for low, high in pairwise(rungs)), "two levels are the same"
    for knob, field in knobs.model_fields.items():
        assert knobs.ladders()[knob], f"knob {knob} is a ladder"
        if field.annotation is bool:
            continue
        if field.annotation in (int, float):
            outside: Any = -(10**9)
        else:
            assert get_origin(field.annotation) is LiteralType, f"knob {knob} of words is a Literal"
            outside = "no such word"
        assert knob in refusal(knobs, knob, outside), f"knob {knob} takes {outside!r}"


def refusal(knobs: type[Task.Knobs], knob: str, value: Any) -> str:
    """What is said when a knob is set to a value; nothing where it is taken."""
    try:
        knobs.at(0, **{knob: value})
    except KnobError as told:
        return str(told)
    return ""


def check_bounds(name: str) -> None:
    """At both ends of what a knob may be set to by hand there are tasks, and they are solved."""
    knobs = load(name).Knobs
    for knob, schema in knobs.model_json_schema()["properties"].items():
        ends = [schema[end] for end in ("minimum", "maximum") if end in schema]
        for value in schema.get("enum", ends):
            given = Address.of(name, 0, 0, **{knob: value}).task()
            solved = isinstance(given, Match) or score(given, given.solve(), BARE).value == 1
            assert solved, f"with {knob}={value} the oracle is wrong"


# --------------------------------------------------------------------------------- how it is drawn


@contextmanager
def poisoned() -> Iterator[None]:
    """Chance and clocks that raise when they are used in this thread."""
    here = get_ident()

    def guard(real: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(*args: Any, **kwargs: Any) -> Any:
            assert get_ident() != here, "chance or a clock other than `rng` was used"
            return real(*args, **kwargs)

        return refuse

    with ExitStack() as stack:
        for module, functions in POISONED.items():
            for function in functions.split():
                real = getattr(module, function)
                stack.enter_context(patch.object(module, function, guard(real)))
        yield


def check_seeded(name: str) -> None:
    """The same seed gives the same task and other seeds others; no other chance is used."""
    kind = load(name)
    knobs = kind.Knobs.at(kind.Knobs.levels() // 2)
    with poisoned():
        twice = [kind.draw(random.Random("seed"), knobs) for _ in range(2)]
        assert twice[0] == twice[1], "the same seed gave two tasks"
        drawn = {kind.draw(random.Random(seed), knobs).canonical() for seed in range(20)}
    assert len(drawn) >= 10, f"20 seeds gave {len(drawn)} tasks"


def check_threads(name: str) -> None:
    """Sixteen threads that draw and solve at once get what one does."""
    kind = load(name)
    level = kind.Knobs.levels() // 2
    knobs = kind.Knobs.at(level)

    def told(seed: int) -> tuple[str, list[str]]:
        drawn = kind.draw(random.Random(seed), knobs)
        return drawn.model_dump_json(), list(drawn.solve())

    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(told, [0, 1] * 8))
    assert together == [told(0), told(1)] * 8, "threads disturb each other"


def transcript(name: str) -> str:
    """A digest of tasks of each level and of one for evaluation: what they are, what they say, how
    they are solved and what lazy players say, in which the order of a set would show.
    """
    drawn = [task(name, level, level) for level in levels(name)]
    drawn.append(Address.of(name, 0, 0, "eval").task())
    told = [
        (each.model_dump_json(), each.canonical(), Episode(each, TAGS).says, moves_of(each))
        for each in drawn
    ]
    told_of = [(list(each.lazy()), each.effort(), each.chance()) for each in drawn]
    return sha256(repr((told, told_of)).encode()).hexdigest()[:12]


def transcripts(*names: str, hash_seed: str = "1") -> dict[str, str]:
    """The transcripts that another process finds, under another hash seed."""
    code = (
        "import sys; from palaestra.testing import transcript\n"
        "for name in sys.argv[1:]: print(name, transcript(name))"
    )
    command = [sys.executable, "-c", code, *names]
    env = {"PYTHONHASHSEED": hash_seed, "PATH": ""}
    out = subprocess.run(command, env=env, capture_output=True, check=True, text=True)
    return dict(line.split() for line in out.stdout.splitlines())


def check_processes(name: str) -> None:
    """Other processes, with other hash seeds, draw the same tasks, and say and solve the same."""
    for hash_seed in ("1", "2"):
        assert transcripts(name, hash_seed=hash_seed) == {name: transcript(name)}


def check_split(name: str) -> None:
    """No training seed gives a task that an evaluation seed gives, at any level."""
    for level in levels(name):
        train = [task(name, seed, level) for seed in range(12)]
        held_out = [Address.of(name, seed, level, "eval").task() for seed in range(4)]
        assert not any(each.reserved() for each in train), f"level {level}: reserved in training"
        assert all(each.reserved() for each in held_out), f"level {level}: evaluation not reserved"
        assert not {t.canonical() for t in train} & {t.canonical() for t in held_out}


def duplicates(name: str, level: int, seeds: int) -> float:
    """The share of seeds that give a task which an earlier one gave, canonically."""
    drawn = {Address.of(name, seed, level).task().canonical() for seed in range(seeds)}
    return 1 - len(drawn) / seeds


def check_varied(name: str) -> None:
    """At the middle level at most 5 % of 1,000 seeds repeat a task."""
    # Repeats grow with the square of the seeds, so their share in 200 is a fifth of that.
    share = duplicates(name, load(name).Knobs.levels() // 2, 200) * 5
    assert share <= DUPLICATES, f"about {share:.0%} of 1,000 tasks are repeated"


def check_harder(name: str) -> None:
    """Each level takes about as much effort as the one below or more, and the last one more."""

    def size(given: Task) -> float:
        effort = given.effort()
        return len(given.model_dump_json()) if effort is None else effort

    def flaw(number: int) -> str:
        sums = [sum(size(task(name, n, level)) for n in range(number)) for level in levels(name)]
        means = [round(each / number, 2) for each in sums]
        if means[0] >= means[-1]:
            return f"the top level is no harder than the bottom one: {means}"
        for level, (low, high) in enumerate(pairwise(means)):
            if high < 0.85 * low:
                return f"level {level + 1} is easier than {level}: {means}"
        return ""

    # A dozen tasks of a level may be hard ones; many are drawn only where a dozen look odd.
    found = flaw(12) and flaw(96)
    assert not found, found


# -------------------------------------------------------------------------------- how it is played


def check_round_trip(name: str) -> None:
    """A task survives JSON."""
    for given in tasks(name):
        again = type(given).model_validate_json(given.model_dump_json())
        assert again == given, "JSON changes the task"
        assert Episode(again).says == Episode(given).says, "JSON changes what it says"
        assert again.canonical() == given.canonical(), "JSON changes the canonical form"


def check_replay(name: str) -> None:
    """An episode is its replies: played again, in whole or from the middle, it is the same."""
    for given in tasks(name, seeds=[0, 1]):
        whole = played(given, moves_of(given), TAGS)
        again = Episode(given, TAGS, whole.replies)
        assert again.heard == whole.heard, "a replay hears something else"
        assert again.rewards == whole.rewards, "a replay earns something else"
        assert again.scores == whole.scores, "a replay scores something else"
        half = Episode(given, TAGS, whole.replies[: len(whole.replies) // 2])
        branch = half.fork()
        for reply in whole.replies[len(whole.replies) // 2 :]:
            branch.hear(reply)
        assert branch.scores == whole.scores, "a fork goes another way"
        if half.scores is None:
            assert half.turn.state == Episode(given, TAGS, half.replies).turn.state


def check_turns(name: str) -> None:
    """Legal moves hold the perfect player's, states are texts, pictures are RGB arrays."""
    for given in tasks(name, seeds=[0]):
        episode = Episode(given, BARE)
        for move in moves_of(given):
            turn = episode.turn
            assert isinstance(turn.state, str), "a state is a text"
            if turn.moves is not None:
                known = {words(legal) for legal in turn.moves}
                assert words(move) in known, f"{move!r} is not among the legal moves"
                assert len(known) == len(turn.moves), "legal moves are listed twice"
            if turn.picture is not None and len(episode.replies) < 2:
                picture = turn.picture()
                assert picture.dtype == np.uint8, "a picture is of bytes"
                assert picture.ndim == 3, "a picture is height by width by 3"
                assert picture.shape[2] == 3, "a picture is RGB"
                assert (picture == turn.picture()).all(), "a picture is drawn twice the same"
            episode.hear(move)


def check_rewards(name: str) -> None:
    """What the turns earn is finite, bounded, and adds up to the score, however it is played."""
    for given in tasks(name, seeds=[0, 1]):
        solution = moves_of(given)
        half = solution[: len(solution) // 2]
        for moves in (solution, half + ["?"] * TURNS, ["0"] * TURNS):
            episode = played(given, moves)
            assert all(math.isfinite(reward) for reward in episode.rewards)
            running = 0.0
            for reward in episode.rewards:
                running += reward
                assert -1 - 1e-9 <= running <= 1 + 1e-9, "credit runs beyond what a score can be"
            if episode.score is not None:
                assert abs(running - episode.score.value) < 1e-9, "the return is not the score"


def check_hidden(name: str) -> None:
    """The opening is the same whatever the hidden fields hold."""
    kind = load(name)
    for level in levels(name) if kind.hidden else ():
        one, other = task(name, 0, level), task(name, 1, level)
        swapped = one.model_copy(update={field: getattr(other, field) for field in kind.hidden})
        first, second = Episode(one), Episode(swapped)
        assert first.says == second.says, "the opening tells something of what is hidden"
        assert first.turn.state == second.turn.state, "the state tells something of what is hidden"
        assert first.turn.moves == second.turn.moves, "the moves tell something of what is hidden"


def check_oracle(name: str) -> None:
    """The perfect player scores 1, every time it is asked, and leaves the task as it was."""
    for given in tasks(name, seeds=range(4)):
        before = given.model_dump_json()
        for _ in range(2):
            result = score(given, given.solve(), BARE)
            assert result.value == 1, f"{result.reason}: {given!r}"
        assert result.status == "scored"
        assert given.model_dump_json() == before, "playing changed the task"


def check_quick(name: str) -> None:
    """A task is made, solved and scored within the budget of an exception."""
    kind = load(name)
    for level in levels(name):
        start = process_time()
        drawn = kind.draw(random.Random(level), kind.Knobs.at(level))
        score(drawn, drawn.solve(), BARE)
        assert process_time() - start < SECONDS, f"level {level} takes too long"


# -------------------------------------------------------------------------------- how it is judged


def words(text: str) -> tuple[str, ...]:
    """What a text says, apart from blanks, commas, brackets and leading zeros.

    >>> words("[1, 02]") == words("1 2")
    True
    """
    lines = [line.strip() for line in text.casefold().splitlines() if line.strip()]
    if all(":" in line for line in lines):  # named values, which may come in any order
        text = "\n".join(sorted(lines))
    found = re.findall(r"-?\d+\.\d+|-?\d+|[^\W\d_]+|[^\w\s,;\[\]().]", text.casefold())
    return tuple(str(int(w)) if w.lstrip("-").isdecimal() and len(w) < 400 else w for w in found)


def check_small(name: str) -> None:
    """On small tasks, what is accepted is what brute force finds; unique where that is claimed."""
    kind = load(name)
    knobs = kind.small()
    if knobs is None:
        return
    for seed in range(5):
        drawn = kind.draw(random.Random(seed), knobs)
        assert isinstance(drawn, Puzzle), "small() is for puzzles"
        accepted = {words(c) for c in drawn.candidates() if judged(drawn, c).value == 1}
        assert words(drawn.answer()) in accepted, "the oracle's answer is not among the candidates"
        if "unique-solution" in kind.tags:
            assert len(accepted) == 1, f"{len(accepted)} answers are right: {drawn!r}"
        for candidate in drawn.candidates():
            second = drawn.audit(candidate)
            assert second is None or second == (words(candidate) in accepted), (
                f"the audit finds otherwise on {candidate!r}: {drawn!r}"
            )


def judged(given: Puzzle, answer: str) -> Score:
    """The score of an answer, whatever it is."""
    result = repeated(given, answer).score
    assert result is not None
    return result


def spoils(text: str, rng: random.Random, number: int) -> Iterator[str]:
    """Texts that differ from one in a single edit."""
    signs = sorted(set(text)) or ["?"]
    for _ in range(number):
        place = rng.randrange(len(text) + 1)
        head, tail = text[:place], text[place:]
        sign = rng.choice(signs)
        yield rng.choice((head + sign + tail, head + tail[1:], head + sign + tail[1:]))
        parts = re.split(r"(\W+)", text)
        if len(parts) > 2:
            one, other = (2 * rng.randrange((len(parts) + 1) // 2) for _ in range(2))
            parts[one], parts[other] = parts[other], parts[one]
            yield "".join(parts)


def check_mutants(name: str) -> None:
    """Single edits of the right answer are wrong, or right by a second opinion as well."""
    rng = random.Random(name)
    for given in tasks(name, seeds=[0, 1]):
        if not isinstance(given, Puzzle):
            solution = moves_of(given)
            for _ in range(6):
                spoilt = rng.randrange(len(solution))
                for move in spoils(solution[spoilt], rng, 1):
                    played(given, [*solution[:spoilt], move, *solution[spoilt + 1 :]])
            continue
        right = given.answer()
        for mutant in spoils(right, rng, 30):
            if judged(given, mutant).value == 1 and words(mutant) != words(right):
                told = f"{mutant!r} is taken for {right!r}: {given!r}"
                assert given.audit(mutant) or _lucky(given, mutant), told


def _lucky(given: Puzzle, reply: str) -> bool:
    """Whether a program is judged wrong when it is judged again, as one that races with itself may
    be; that is no fault of the judge's.
    """
    again = (judged(given, reply).value for _ in range(3))
    return "sandboxed" in given.tags and any(value < 1 for value in again)


def check_hostile(name: str) -> None:
    """Whatever is said, there is no error, no hang and no reward but for a lucky guess.

    All of :mod:`palaestra.testing.hostile` is said, bare and between tags, at the first and the
    last level; what has up to a megabyte, at the first alone.
    """
    with _told_once(name):
        for level in sorted({0, levels(name)[-1]}):
            given = task(name, 0, level)
            idle = max(FLOOR, given.chance(), earned(repeated(given, "no such move")))
            for saying in (*_said_to_all(), *_sayings(hostile.for_task(given))):
                reply = saying.reply
                if reply.kind == "monsters" and level:
                    continue
                told = f"{reply.kind} reply {reply.name[:60]!r} at level {level}"
                gain = earned(_insisted(given, saying.style, saying.text, told))
                if gain > idle + 1e-9:
                    assert reply.kind in hostile.GUESSES, f"{told} earned {gain}"
                    _check_luck(name, level, partial(_said_of, saying), told)


class Saying(NamedTuple):
    """A reply and how it is said: in a style, between its tags or not."""

    reply: hostile.Reply
    style: Style
    dress: Callable[[str], str]
    text: str


def _sayings(
    replies: Iterable[hostile.Reply], bare: Style = BARE, tags: Style = TAGS
) -> Iterator[Saying]:
    """All ways in which replies are said."""
    for reply in replies:
        yield Saying(reply, bare, str, reply.text)
        if "<" in reply.text:  # no other one holds a move, so that all of them are the same
            yield Saying(reply, tags, str, reply.text)
        yield Saying(reply, tags, tags.write, tags.write(reply.text))


@cache
def _said_to_all() -> tuple[Saying, ...]:
    """What is said to every task, and has to be read but once."""
    return tuple(_sayings(hostile.replies(), _remembering(BARE), _remembering(TAGS)))


def _remembering(style: Style) -> Style:
    """The same style, but it remembers what it read."""
    known: dict[str, str | Unreadable] = {}

    def read(reply: str) -> str:
        if reply not in known:
            try:
                known[reply] = style.read(reply)
            except Unreadable as flaw:
                known[reply] = flaw
        found = known[reply]
        if isinstance(found, Unreadable):
            raise Unreadable(str(found), found.status)
        return found

    return style._replace(read=read)


def _insisted(given: Task, style: Style, text: str, told: str = "it") -> Episode:
    """An episode in which the same is replied over and over; a few times, where that is long."""
    turns = TURNS if len(text) < 10_000 else 3
    start = process_time()
    episode = Episode(given, style)
    while episode.scores is None and len(episode.replies) < turns:
        episode.hear(text)
    spent = (process_time() - start) / max(1, len(episode.replies))
    assert spent < HOSTILE_SECONDS, f"{told} hangs"
    assert turns < TURNS or episode.score, f"{told} never comes to an end"
    if episode.score is not None and episode.score.value < 1:
        assert episode.score.reason, f"{told}: a low score gives its reason"
    return episode


def _said_of(saying: Saying, given: Task) -> Episode | None:
    """The same reply to another task, or what is made of that task in the same way."""
    reply = saying.reply
    made = hostile.for_task(given) if reply.kind == "task" else [reply]
    text = next((each.text for each in made if each.name == reply.name), None)
    return None if text is None else _insisted(given, saying.style, saying.dress(text))


def _check_luck(name: str, level: int, strategy: Strategy, told: str) -> None:
    """What was right for one task earns no more than a guess on many."""
    fresh = [task(name, seed, level) for seed in _fresh(task(name, 0, level))]
    bound = max(FLOOR, sum(each.chance() for each in fresh) / len(fresh))
    mean = _mean(strategy, fresh)
    assert mean <= bound + _slack(bound, len(fresh)), f"{told} earned {mean:.2f} on many tasks"


def check_format(name: str) -> None:
    """The right answer is right in any of the usual wrappings."""
    kind = load(name)
    for given in tasks(name, seeds=[0]):
        if not isinstance(given, Puzzle):
            continue
        right = given.answer()
        wraps = ["  {}\n"]
        if not kind.verbatim:
            wraps += ["```\n{}\n```", "${}$", "{}."]
        for wrap in wraps:
            text = wrap.replace("{}", right)
            result = judged(given, text)
            assert result.value == 1, f"{text!r} is refused: {result.reason}"
        for style, thought in ((TAGS, "<think><answer>0</answer></think>"), ("boxed", "I think: ")):
            episode = Episode(given, style)
            episode.hear(thought + episode.style.write(right))
            assert episode.score is not None
            assert episode.score.value == 1, f"not read in {episode.style.name}: {right!r}"


def check_reasons(name: str) -> None:
    """What is said of a wrong answer says why, and does not give the right one away."""
    for given in tasks(name, seeds=range(2)):
        if not isinstance(given, Puzzle):
            continue
        right = given.answer()
        others = [task(name, seed, 0) for seed in range(2, 6)]
        wrong = [o.answer() for o in others if isinstance(o, Puzzle)]
        wrong += [*spoils(right, random.Random(name), 5), "0", "no"]
        for answer in wrong:
            result = judged(given, answer)
            if result.value == 1:
                continue
            assert result.reason, f"{answer!r} is wrong without a reason"
            if len(right) > 3 and right not in answer and right not in given.prompt():
                assert right not in result.reason, f"the reason gives {right!r} away"


def check_secret(name: str) -> None:
    """The question does not contain its answer."""
    for given in tasks(name):
        if isinstance(given, Puzzle) and len(given.answer()) > 8:
            assert given.answer() not in given.prompt(), "the prompt holds the answer"


# ------------------------------------------------------------------------- what no skill earns


def floor(name: str, level: int) -> Mapping[str, float]:
    """What each kind of player without any skill earns on average at a level.

    Of each kind there are many: every number of the prompt is one, every answer to another task.
    Those that do well on a dozen tasks are asked again on fresh ones, and only that counts, for the
    best of many is lucky on the tasks it was found by.
    """
    first = _asked(name, level)
    fresh = _fresh(first[0])
    chance = sum(each.chance() for each in first) / len(first)
    found: dict[str, float] = {}
    for kind, strategy in _strategies(first):
        mean = _mean(strategy, first)
        if mean > max(FLOOR, chance):
            mean = _mean(strategy, [task(name, seed, level) for seed in fresh])
        found[kind] = max(mean, found.get(kind, 0.0))
    if (usual := _usual(name, level, chance)) is not None:
        mean = _mean(partial(repeated, move=usual), map(partial(task, name, level=level), fresh))
        found["constant"] = max(mean, found["constant"])
    return found


def _usual(name: str, level: int, chance: float) -> str | None:
    """An answer that many tasks have, which a dozen of them need not show; none at higher levels,
    where there are more answers, and where a task takes several moves or is heavy.
    """
    kind = load(name)
    if level > 1 or kind.heavy or not issubclass(kind, Puzzle):
        return None
    drawn = (task(name, seed, level) for seed in range(2_000, 2_000 + USUAL))
    told = Counter(each.answer() for each in drawn if isinstance(each, Puzzle))
    answer, times = told.most_common(1)[0]
    return answer if times > max(FLOOR, chance) * USUAL else None


def _asked(name: str, level: int) -> list[Task]:
    """The tasks that every strategy is tried on; fewer where judging is heavy, as of programs."""
    return [task(name, seed, level) for seed in range(5 if load(name).heavy else 12)]


def _fresh(like: Task) -> range:
    """Seeds to ask a strategy again on; fewer where an episode is long, or heavy to judge."""
    quick = isinstance(like, Puzzle) and not like.heavy
    return range(1_000, 1_150 if quick else 1_048)


def _mean(strategy: Strategy, given: Iterable[Task]) -> float:
    """The mean score of a strategy, over the tasks that give rise to it."""
    episodes = [episode for each in given if (episode := strategy(each)) is not None]
    scores = [episode.score.value for episode in episodes if episode.score is not None]
    return sum(scores) / max(1, len(episodes))


def _slack(mean: float, number: int) -> float:
    """Three standard errors of a mean taken over so many tasks."""
    return 3 * math.sqrt(mean * (1 - mean) / number)


def _strategies(first: list[Task]) -> Iterator[tuple[str, Strategy]]:
    """Every way to play without skill that the checks know of, with its kind."""
    yield "blank", lambda given: repeated(given, "")
    yield "echo", lambda given: repeated(given, Episode(given, BARE).says)
    for kind, replies in (("example", _examples), ("part", _parts), ("lazy", _lazy)):
        for n in range(max(len(replies(given)) for given in first)):
            yield kind, partial(_nth, replies, n)
    legal = (move for given in first[:3] for move in _legal(given))
    for move in dict.fromkeys([*CONSTANTS, *legal]):
        yield "constant", partial(repeated, move=move)
    for given in first:
        yield "constant", partial(_copied, given, moves_of(given))


def _nth(replies: Callable[[Task], list[str]], n: int, given: Task) -> Episode | None:
    """Say the n-th of some replies over and over."""
    found = replies(given)
    return repeated(given, found[n]) if n < len(found) else None


def _copied(source: Task, moves: list[str], given: Task) -> Episode | None:
    """Make the moves that are right for another task, and the last of them over and over."""
    return None if given == source else played(given, [*moves, *moves[-1:] * TURNS])


def _examples(given: Task) -> list[str]:
    """What the opening puts in quotation marks, such as an example of an answer."""
    says = Episode(given, BARE).says
    quoted = (re.findall(f"{mark}([^{mark}\n]{{1,200}}){mark}", says) for mark in "'\"`")
    return [text for found in quoted for text in found][-8:]


def _parts(given: Task) -> list[str]:
    """Paragraphs, lines and numbers of the opening."""
    says = Episode(given, BARE).says
    lines = [line.strip() for line in says.splitlines() if line.strip()]
    numbers = re.findall(r"-?\d+", says)
    return [*says.split("\n\n")[-6:], *lines[-6:], *lines[:3], *numbers[:4], *numbers[-4:]]


def _lazy(given: Task) -> list[str]:
    """The replies that the environment itself suspects."""
    return list(given.lazy())


def _legal(given: Task) -> list[str]:
    """A few legal moves of the opening, where they are listed."""
    return list(Episode(given, BARE).turn.moves or ())[:4]


def check_unskilled(name: str) -> None:
    """Players without skill earn at most 0.05, or the exact chance of a small answer space."""
    with _told_once(name):
        _check_unskilled(name)


def _check_unskilled(name: str) -> None:
    for level in levels(name):
        few = _asked(name, level)
        bound = max(FLOOR, sum(given.chance() for given in few) / len(few))
        slack = _slack(bound, len(_fresh(few[0])))
        for player, value in floor(name, level).items():
            assert value <= bound + slack, (
                f"level {level}: the player '{player}' earns {value:.2f}, more than {bound:.2f}"
            )


CHECKS: tuple[Check, ...] = (
    check_described,
    check_ladders,
    check_bounds,
    check_seeded,
    check_threads,
    check_processes,
    check_split,
    check_varied,
    check_harder,
    check_round_trip,
    check_replay,
    check_turns,
    check_rewards,
    check_hidden,
    check_oracle,
    check_quick,
    check_small,
    check_mutants,
    check_hostile,
    check_format,
    check_reasons,
    check_secret,
    check_unskilled,
)
