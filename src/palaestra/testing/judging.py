"""Checks of how replies are judged: right ones, nearly right ones and hostile ones."""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from time import process_time
from typing import NamedTuple

from palaestra.episode import BARE, TAGS, AnswerFormat, Episode
from palaestra.registry import load
from palaestra.scoring import score
from palaestra.task import InvalidAnswer, Puzzle, Task
from palaestra.testing import hostile
from palaestra.testing.players import (
    FLOOR,
    TURNS,
    Outcome,
    Strategy,
    fresh_seeds,
    judged,
    levels,
    mean_score,
    moves_of,
    outcome,
    played,
    rendered_once,
    repeated,
    slack,
    task,
    tasks,
    words,
)

HOSTILE_SECONDS = 2.0
_THOUSANDS = re.compile(r"(?<=\d)[, ](?=\d{3}(?!\d))", re.ASCII)


def check_small(name: str) -> None:
    """On small tasks, what is accepted is what brute force finds; unique where that is claimed."""
    task_type = load(name)
    knobs = task_type.small()
    if knobs is None:
        return
    for seed in range(5):
        instance = task_type.sample(random.Random(seed), knobs)
        assert isinstance(instance, Puzzle), "small() is for puzzles"
        accepted = {words(c) for c in instance.candidates() if judged(instance, c).value == 1}
        assert words(instance.answer()) in accepted, (
            "the oracle's answer is not among the candidates"
        )
        if "unique-solution" in task_type.tags:
            assert len(accepted) == 1, f"{len(accepted)} answers are right: {instance!r}"
        for candidate in instance.candidates():
            second = instance.audit(candidate)
            assert second is None or second == (words(candidate) in accepted), (
                f"the audit finds otherwise on {candidate!r}: {instance!r}"
            )


def spoils(text: str, rng: random.Random, number: int) -> Iterator[str]:
    """Texts that differ from one in a single edit."""
    signs = sorted(set(text)) or ["?"]
    for _ in range(number):
        position = rng.randrange(len(text) + 1)
        head, tail = text[:position], text[position:]
        sign = rng.choice(signs)
        yield rng.choice((head + sign + tail, head + tail[1:], head + sign + tail[1:]))
        parts = re.split(r"(\W+)", text)
        if len(parts) > 2:
            one, other = (2 * rng.randrange((len(parts) + 1) // 2) for _ in range(2))
            parts[one], parts[other] = parts[other], parts[one]
            yield "".join(parts)


def check_mutants(name: str) -> None:
    """Single edits of the right answer are wrong, or right by a second opinion as well.

    There are fewer of them where judging is expensive, as of programs: nearly all edits of a single
    character make a program that does not run, and all of those meet the same judgement. The slips
    that matter there are changes of meaning, which the tests of those environments make in full.
    """
    rng = random.Random(name)
    edits = 5 if load(name).expensive else 30
    for instance in tasks(name, seeds=[0, 1]):
        if not isinstance(instance, Puzzle):
            solution = moves_of(instance)
            for _ in range(6):
                spoilt = rng.randrange(len(solution))
                for move in spoils(solution[spoilt], rng, 1):
                    played(instance, [*solution[:spoilt], move, *solution[spoilt + 1 :]])
            continue
        right = instance.answer()
        for mutant in spoils(right, rng, edits):
            # A comma or a space between thousands makes no other number.
            same = {words(mutant), words(_THOUSANDS.sub("", mutant))}
            if judged(instance, mutant).value == 1 and words(right) not in same:
                message = f"{mutant!r} is taken for {right!r}: {instance!r}"
                assert instance.audit(mutant) or _lucky(instance, mutant), message


def _lucky(puzzle: Puzzle, reply: str) -> bool:
    """Whether a program is judged wrong when it is judged again, as one that races with itself may
    be; that is no fault of the judge's.
    """
    again = (judged(puzzle, reply).value for _ in range(3))
    return "sandboxed" in puzzle.tags and any(value < 1 for value in again)


def check_hostile(name: str) -> None:
    """Whatever is said, there is no error, no hang and no reward but for a lucky guess.

    All of :mod:`palaestra.testing.hostile` is said, bare and between tags, at the first and the
    last level; what has up to a megabyte, at the first alone.
    """
    with rendered_once(name):
        for level in sorted({0, levels(name)[-1]}):
            instance = task(name, 0, level)
            idle = max(FLOOR, instance.random_baseline(), repeated(instance, "no such move").earned)
            for saying in (*_said_to_all(), *_sayings(hostile.for_task(instance))):
                reply = saying.reply
                if reply.category == "monsters" and level:
                    continue
                context = f"{reply.category} reply {reply.name[:60]!r} at level {level}"
                gain = _insisted(instance, saying.answer_format, saying.text, context).earned
                if gain > idle + 1e-9:
                    assert reply.category in hostile.GUESSES, f"{context} earned {gain}"
                    _check_luck(name, level, partial(_said_of, saying), context)


class Saying(NamedTuple):
    """A reply and how it is said: in an answer format, between its tags or not."""

    reply: hostile.Reply
    answer_format: AnswerFormat
    dress: Callable[[str], str]
    text: str


def _sayings(
    replies: Iterable[hostile.Reply], bare: AnswerFormat = BARE, tags: AnswerFormat = TAGS
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


def _remembering(answer_format: AnswerFormat) -> AnswerFormat:
    """The same answer format, but it remembers what it read."""
    known: dict[str, str | InvalidAnswer] = {}

    def read(reply: str) -> str:
        if reply not in known:
            try:
                known[reply] = answer_format.read(reply)
            except InvalidAnswer as error:
                known[reply] = error
        result = known[reply]
        if isinstance(result, InvalidAnswer):
            raise InvalidAnswer(str(result), result.status)
        return result

    return answer_format._replace(read=read)


def _insisted(
    instance: Task, answer_format: AnswerFormat, text: str, context: str = "it"
) -> Outcome:
    """What the same reply comes to, over and over; a few times, where it is long."""
    turns = TURNS if len(text) < 10_000 else 3
    start = process_time()
    if isinstance(instance, Puzzle):
        result = score(instance, text, answer_format)
        done, replies = Outcome(result.value, result), 1
    else:
        episode = Episode(instance, answer_format)
        while episode.scores is None and len(episode.replies) < turns:
            episode.step(text)
        done, replies = outcome(episode), max(1, len(episode.replies))
    assert (process_time() - start) / replies < HOSTILE_SECONDS, f"{context} hangs"
    assert turns < TURNS or done.score, f"{context} never comes to an end"
    if done.score is not None and done.score.value < 1:
        assert done.score.reason, f"{context}: a low score gives its reason"
    return done


def _said_of(saying: Saying, instance: Task) -> Outcome | None:
    """The same reply to another task, or what is made of that task in the same way."""
    reply = saying.reply
    replies = hostile.for_task(instance) if reply.category == "task" else [reply]
    text = next((each.text for each in replies if each.name == reply.name), None)
    return None if text is None else _insisted(instance, saying.answer_format, saying.dress(text))


def _check_luck(name: str, level: int, strategy: Strategy, context: str) -> None:
    """What was right for one task earns no more than a guess on many."""
    fresh = [task(name, seed, level) for seed in fresh_seeds(task(name, 0, level))]
    bound = max(FLOOR, sum(each.random_baseline() for each in fresh) / len(fresh))
    mean = mean_score(strategy, fresh)
    assert mean <= bound + slack(bound, len(fresh)), f"{context} earned {mean:.2f} on many tasks"


def check_reasons(name: str) -> None:
    """What is said of a wrong answer says why, and does not give the right one away."""
    for instance in tasks(name, seeds=range(2)):
        if not isinstance(instance, Puzzle):
            continue
        right = instance.answer()
        others = [task(name, seed, 0) for seed in range(2, 6)]
        wrong = [o.answer() for o in others if isinstance(o, Puzzle)]
        wrong += [*spoils(right, random.Random(name), 5), "0", "no"]
        for answer in wrong:
            result = judged(instance, answer)
            if result.value == 1:
                continue
            assert result.reason, f"{answer!r} is wrong without a reason"
            if len(right) > 3 and right not in answer and right not in instance.prompt():
                assert right not in result.reason, f"the reason gives {right!r} away"


def check_secret(name: str) -> None:
    """The question does not contain its answer."""
    for instance in tasks(name) if issubclass(load(name), Puzzle) else ():
        if isinstance(instance, Puzzle) and len(instance.answer()) > 8:
            assert instance.answer() not in instance.prompt(), "the prompt holds the answer"
