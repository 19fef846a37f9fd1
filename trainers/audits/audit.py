"""What is wrong with the rows of a data set: unparsable, duplicate, contradictory, wrong, leaked.

Rows are read one after the other. Of each prompt two digests are kept, the number of its first row
and its first answer, so that memory grows with the number of different prompts alone.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.address import Address
from palaestra.labels import COLUMNS, is_address
from palaestra.scoring import attempt
from palaestra.task import JudgeError, Puzzle, Score
from palaestra.trainers.audits.files import Row, rows_of
from palaestra.trainers.rows import QUESTIONS
from palaestra.verifiers.answers import judge, same
from palaestra.verifiers.meanings import same_meaning, say_same
from palaestra.verifiers.replies import spoken
from palaestra.verifiers.verifier import GoldError
from palaestra.verifiers.votes import LONG

FAULTS = {
    "unparsable": "the row, its address or its answer cannot be read",
    "duplicate": "an earlier row has the same prompt and the same answer",
    "contradictory": "an earlier row has the same prompt and another answer",
    "wrong": "the answer is not right by the task's rules or by the gold answer",
    "leaked": "a held-out task is in a training set, or the prompt states the answer",
    "unjudged": "the judge failed, so that nothing is known about the answer",
}
"""The faults of rows, and what they mean."""

ANSWERS = ("answer", "response", "completion", "output", "reply", "replies")
"""Columns with the answer that is judged, where a row has an address or a gold answer as well."""

GOLDS = ("gold", "gold_answer", "ground_truth", "reference")
"""Columns with the right answer, where a row has another answer as well."""

LEAST_WORDS = 3
"""An answer of fewer words may well occur in its prompt: an option, a name, a number."""

_STATED = re.compile(
    r"(?:^|\n|[.:;?!]\s)\s{0,8}(?:the )?(?:final |correct |right )?(?:answer|solution)"
    r"(?: is)?\s{0,3}[:=]?\s{0,3}(?=([^\n]{1,200}))|####\s{0,4}([^\n]{1,200})"
    r"|\\boxed\{([^{}\n]{1,200})\}",
    re.IGNORECASE,
)
"""Where a prompt states an answer outright; sentences behind it may state another one."""

_SENTENCE = re.compile(r"[.!?](?:\s|$)")
"""Where the sentence of an answer ends."""


class Finding(NamedTuple):
    """A fault of a row. ``earlier`` is the number of the row that it duplicates or contradicts."""

    row: int
    fault: str
    detail: str
    earlier: int | None = None


class _Example(NamedTuple):
    """What a row holds; texts are empty where it has none."""

    prompt: str
    answers: tuple[str, ...]
    gold: str
    address: str

    @property
    def answer(self) -> str:
        return "\n".join(self.answers) or self.gold


@dataclass(slots=True)
class Audit:
    """An audit under way, which looks at one row after the other.

    ``training`` says whether the rows are for training, so that held-out tasks are leaks.
    ``held_out`` are digests of prompts of other data that must not occur, see
    :meth:`hold_out`.
    """

    training: bool = True
    held_out: set[bytes] = field(default_factory=set)
    rows: int = 0
    faulty: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    _exact: dict[bytes, int] = field(default_factory=dict)
    _first: dict[bytes, tuple[int, str]] = field(default_factory=dict)

    def hold_out(self, rows: Iterable[Row]) -> None:
        """Take the prompts of rows, such as those of a test set, as held out."""
        for row in rows:
            if not row.error:
                for prompt in _prompts(_example(row.values)):
                    self.held_out.add(_digest(normal(prompt)))

    def look(self, row: Row) -> list[Finding]:
        """The faults of a row, and count them."""
        findings = [Finding(row.number, *each) for each in self._faults(row)]
        self.rows += 1
        self.faulty += bool(findings)
        self.counts.update({finding.fault for finding in findings})
        return findings

    def summary(self) -> dict[str, Any]:
        """The numbers of rows, in all and with each fault."""
        counts = {fault: self.counts[fault] for fault in FAULTS}
        return {"rows": self.rows, "faulty": self.faulty, **counts}

    def _faults(self, row: Row) -> Iterator[tuple[Any, ...]]:
        if row.error:
            yield "unparsable", row.error
            return
        example = _example(row.values)
        address, problem = _address(example.address)
        if problem:
            yield "unparsable", problem
        elif not example.prompt and address is None:
            yield "unparsable", "the row has neither a prompt nor an address"
        elif not example.answer and address is None:
            yield "unparsable", "the row has neither an answer nor an address"
        if example.prompt or address is not None:
            yield from self._repeated(row.number, example, address)
            yield from self._leaks(example, address)
        yield from _judged(example, address)

    def _repeated(
        self, number: int, example: _Example, address: Address | None
    ) -> Iterator[tuple[Any, ...]]:
        """Whether the prompt was there before, with the same or another answer."""
        prompt = example.prompt or str(address)
        exact, key = _digest(prompt), _digest(normal(prompt))
        earlier = self._first.setdefault(key, (number, example.answer[: LONG + 1]))
        as_written = self._exact.setdefault(exact, number)
        if earlier[0] == number:
            return
        if not example.answer or _agree(earlier[1], example.answer, address):
            form = (
                "the same prompt"
                if as_written != number
                else "the same prompt but for spaces or case"
            )
            yield "duplicate", f"{form} as row {earlier[0]}", earlier[0]
        else:
            yield "contradictory", f"row {earlier[0]} has another answer", earlier[0]

    def _leaks(self, example: _Example, address: Address | None) -> Iterator[tuple[str, str]]:
        if self.training and address is not None and address.split == "eval":
            yield "leaked", f"{address} is held out for evaluation"
        elif any(_digest(normal(prompt)) in self.held_out for prompt in _prompts(example)):
            yield "leaked", "the prompt is in the held-out data"
        if address is None and states_answer(example.prompt, example.answer):
            yield "leaked", "the prompt states the answer"


def audit_file(file: Path, audit: Audit) -> Iterator[tuple[Row, list[Finding]]]:
    """The rows of a file with their findings."""
    for row in rows_of(file):
        yield row, audit.look(row)


def normal(text: str) -> str:
    r"""A prompt without differences of case, spaces and composed characters.

    >>> normal(" What  is\n2+2?") == normal("what is 2+2?")
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def states_answer(prompt: str, answer: str) -> bool:
    """Whether a prompt holds its answer in a way that is no coincidence.

    That is, the whole answer where it has some words, or as what is called the answer. An answer
    of a word or two may be an option or a name of the prompt.

    >>> states_answer("Who won? Answer: Ada", "Ada"), states_answer("Did Ada or Bo win?", "Ada")
    (True, False)
    """
    wanted = normal(answer)
    if not wanted:
        return False
    if len(wanted.split()) >= LEAST_WORDS and len(wanted) <= LONG and wanted in normal(prompt):
        return True
    return names_answer(prompt, answer)


def names_answer(prompt: str, answer: str) -> bool:
    r"""Whether a prompt calls its answer the answer, as in ``Answer: Ada`` or ``\boxed{4}``.

    >>> [names_answer(text, "4") for text in ("The answer is 4. Why?", "Answer: 4.5", "2 + 2 = 4?")]
    [True, False, False]
    >>> names_answer("Answer:\n1. Ada\n2. Bo", "1")
    False
    """
    wanted = normal(answer).rstrip(" .!")
    stated = (match[1] or match[2] or match[3] for match in _STATED.finditer(prompt))
    is_label = len(wanted) == 1 and (wanted.isalpha() or _is_number_of_option(prompt, wanted))
    return bool(wanted) and any(_states(normal(text), wanted, is_label) for text in stated)


def _is_number_of_option(prompt: str, wanted: str) -> bool:
    """Whether options are numbered in a prompt, and a digit may be the number of one."""
    numbers = (str(int(wanted) + step) for step in (-1, 1)) if wanted.isdecimal() else ()
    return any(re.search(rf"(?:^|[\s(]){number}[.)]\s", prompt) for number in numbers)


def _states(text: str, wanted: str, is_label: bool) -> bool:
    """Whether a text is an answer, or its first sentence is, unless that may label an option."""
    if text.rstrip(" .!") == wanted:
        return True
    return text.startswith(wanted) and not is_label and bool(_SENTENCE.match(text, len(wanted)))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _prompts(example: _Example) -> Iterator[str]:
    """The prompt of a row, and that of its address."""
    if example.prompt:
        yield example.prompt
    address, _ = _address(example.address)
    task = address.task() if address is not None else None
    if isinstance(task, Puzzle):
        yield task.prompt()


def _example(values: Mapping[str, Any]) -> _Example:
    prompt = next((text for name in QUESTIONS if (text := _question(values.get(name)))), "")
    label = next(
        (values[name] for name in ("address", *COLUMNS) if is_address(values.get(name))), ""
    )
    gold = next((text for name in GOLDS if (text := _text(values.get(name)))), "")
    answers = next((each for name in ANSWERS if (each := _texts(values.get(name)))), ())
    if not answers:
        answers = next((each for name in COLUMNS if (each := _texts(values.get(name)))), ())
    address = str(values.get("address") or label or "")
    if not address and (env := values.get("environment") or values.get("env")):
        knobs = {name: values[name] for name in ("level", "seed") if name in values}
        if "seed" in knobs:
            address = f"{env}?" + "&".join(f"{name}={value}" for name, value in knobs.items())
    return _Example(
        prompt,
        () if answers and is_address(answers[0]) else answers,
        "" if is_address(gold) else gold,
        address,
    )


def _question(value: Any) -> str:
    """A prompt: a text, or the messages of a chat before the last answer."""
    if isinstance(value, list):
        texts = [
            _text(message.get("content"))
            for message in value
            if isinstance(message, dict) and message.get("role") != "assistant"
        ]
        return "\n\n".join(filter(None, texts))
    return _text(value)


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(value) if value and all(isinstance(each, str) for each in value) else ()
    text = _text(value)
    return (text,) if text else ()


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value if value.strip() else ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _address(text: str) -> tuple[Address | None, str]:
    """The address of a row, or what is wrong with it."""
    if not text:
        return None, ""
    try:
        address = Address.parse(text)
        address.task()
    except (ValueError, LookupError, RuntimeError) as error:
        return None, f"the address cannot be used: {str(error)[:200]}"
    return address, ""


def _agree(one: str, other: str, address: Address | None) -> bool:
    """Whether two answers to the same prompt are the same in other words."""
    if max(len(one), len(other)) > LONG:
        return one[:LONG].strip() == other[:LONG].strip()
    if address is not None:
        return same_meaning(address.task())(_bare(one), _bare(other))
    one, other = spoken(one).strip(), spoken(other).strip()
    if say_same(one, other, ordered=True):
        return True
    return bool(same(one, other).correct)


def _bare(answer: str) -> str:
    """An answer without the tags around it."""
    text = spoken(answer)
    _, opened, rest = text.rpartition("<answer>")
    return rest.partition("</answer>")[0] if opened else text


def _judged(example: _Example, address: Address | None) -> Iterator[tuple[str, str]]:
    """Whether the answer is right by the task at the address, or by the gold answer."""
    if address is not None and example.answers:
        yield from _by_rule(address, example.answers)
    elif example.gold and example.answers and example.answers != (example.gold,):
        yield from _by_gold(example.gold, example.answers[-1])


def _by_rule(address: Address, answers: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if not isinstance(address.task(), Puzzle) and len(answers) == 1:
        return  # one text is not an episode of several turns
    tagged = "<answer>" in answers[-1]
    score = attempt(address, list(answers), "tags" if tagged else "bare")
    if isinstance(score, JudgeError):
        yield "unjudged", score.reason[:200]
    elif score.status in {"no_answer", "malformed", "limit"}:
        yield "unparsable", f"the answer cannot be read: {score.reason[:200]}"
    elif not score.correct:
        yield "wrong", _reason(score)


def _by_gold(gold: str, answer: str) -> Iterator[tuple[str, str]]:
    try:
        verdicts = [same(gold, answer), judge(gold, answer)]
    except GoldError as error:
        yield "unparsable", f"the gold answer cannot be read: {str(error)[:200]}"
        return
    statuses = [verdict.status for verdict in verdicts]
    if any(verdict.correct for verdict in verdicts):
        return
    if "gold_error" in statuses:
        yield "unparsable", f"the gold answer cannot be read: {verdicts[0].reason[:200]}"
    elif "infra_error" in statuses:
        yield "unjudged", verdicts[0].reason[:200]
    else:
        yield "wrong", "the answer is not the gold answer"


def _reason(score: Score) -> str:
    return score.reason[:200] or f"the answer scores {score.value:g}"
