r"""Verdicts of named verifiers on replies whose gold answer the caller has.

:func:`verify` judges one reply, :func:`verify_many` many, each with a gold of its own.
:class:`palaestra.client.Client` has the same functions as methods.

>>> verify("answer", "1/2", r"So it is $\boxed{0.5}$.").correct
True
>>> verify("quantity", "90 km/h", "<answer>25 m/s</answer>", answer_format="tags").correct
True
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from palaestra.episode import ANSWER_FORMATS, BARE, AnswerFormat
from palaestra.extras import MissingExtra
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.named import BadField, Entry, UnknownVerifier, built, entry_of, registry
from palaestra.verifiers.verifier import Judge

SHOWN = 1_000
"""How many characters of an extracted answer are shown."""

BUDGET_S = 1.0
"""Seconds after which a worker process begins no further verdict of a call."""


class Verification(NamedTuple):
    """A reply to be judged by a named verifier against a gold."""

    verifier: str
    gold: Any
    reply: str
    options: Mapping[str, Any] | None = None
    answer_format: str | None = None
    """How the answer is marked in the reply, by the name of an answer format. Without one, the
    reply without its reasoning is the answer, or the verifier finds the answer by itself.
    """


def listing() -> list[dict[str, Any]]:
    """All named verifiers, with the JSON Schemas of their golds and options."""
    return [entry.described() for entry in registry().values()]


def verify(
    verifier: str,
    gold: Any,
    reply: str,
    options: Mapping[str, Any] | None = None,
    answer_format: str | None = None,
) -> Score:
    """The verdict of a named verifier on a reply.

    ``gold`` and ``options`` are plain JSON values. Raises
    :class:`~palaestra.verifiers.named.UnknownVerifier`,
    :class:`~palaestra.verifiers.named.BadField` for a gold or options that it does not take,
    :class:`~palaestra.extras.MissingExtra` where a library is not installed, and
    :class:`~palaestra.task.JudgeError` where the judge fails.
    """
    judge, entry = judge_of(verifier, as_json(gold, "/gold"), as_json(options), answer_format)
    return _verdict(judge, entry, reply, answer_format)[0]


def verify_many(items: Iterable[Verification | Sequence[Any]]) -> list[Score | JudgeError]:
    """The verdicts on many replies, in their order; a failing one never fails the others.

    What :func:`verify` raises stands as a :class:`~palaestra.task.JudgeError` in the place of a
    verdict. Items are judged one after the other, in this process.
    """
    return [_attempted(Verification(*item)) for item in items]


def _attempted(item: Verification) -> Score | JudgeError:
    try:
        return verify(*item)
    except JudgeError as fault:
        return fault
    except BadField as error:
        return JudgeError(f"{error.pointer}: {error}", "gold_error")
    except Exception as error:  # noqa: BLE001  whatever it was, it must not become a reward
        return JudgeError(f"{type(error).__name__}: {error}"[:500])


def as_json(value: Any, pointer: str = "/options") -> str:
    """A plain value as JSON, with U+FFFD in the place of halves of surrogate pairs.

    Raises :class:`BadField` for a value that JSON has not.
    """
    if value is None and pointer == "/options":
        return "{}"
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        if text.isascii():
            return text
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except (TypeError, ValueError, RecursionError) as error:
        raise BadField(f"not a JSON value: {error}"[:300], pointer) from None


def judge_of(name: str, gold: str, options: str, answer_format: str | None) -> tuple[Judge, Entry]:
    """A verifier, from JSON texts, with its entry. Raises what :func:`verify` does."""
    entry = entry_of(name)
    if answer_format is not None and answer_format not in ANSWER_FORMATS:
        known = ", ".join(ANSWER_FORMATS)
        raise BadField(f"an answer format is one of {known}", "/answer_format")
    if answer_format is not None and entry.reads == "raw":
        raise BadField(f"{name} judges replies as they are", "/answer_format")
    return built(name, gold, options, bare=answer_format is not None), entry


def _verdict(
    judge: Judge, entry: Entry, reply: str, answer_format: str | None
) -> tuple[Score, str | None]:
    """The verdict on a reply, and the answer that was extracted from it."""
    if entry.reads == "raw":
        return judge(reply), None
    if answer_format is None and entry.reads == "reply":
        finder = getattr(judge, "extracted", None)
        return judge(reply), finder(reply) if finder else None
    chosen: AnswerFormat = ANSWER_FORMATS[answer_format] if answer_format else BARE
    try:
        answer = chosen.read(reply)
    except InvalidAnswer as slip:
        return Score(0.0, str(slip), status=slip.status), None
    return judge(answer), answer


# ------------------------------------------------------------------ in worker processes


def judged_chunk(groups: Sequence[Mapping[str, Any]], budget_s: float) -> list[dict[str, Any]]:
    """Verdicts on some replies in groups, as plain values; what worker processes are asked.

    A group has a ``verifier``, ``gold`` and ``options`` as JSON texts, an ``answer_format`` and
    ``replies``. After ``budget_s`` seconds no further verdict is begun, so the list may be shorter
    than there are replies.
    """
    start = perf_counter()
    done: list[dict[str, Any]] = []
    for group in groups:
        for position, reply in enumerate(group["replies"]):
            if done and perf_counter() - start > budget_s:
                return done
            fields = _fields(group, reply)
            done.append(fields)
            if fields.get("pointer") is not None:  # the others would meet the same
                done += [fields] * (len(group["replies"]) - position - 1)
                break
    return done


def _fields(group: Mapping[str, Any], reply: str) -> dict[str, Any]:
    """A verdict as plain values. ``error`` names what hindered it, and ``pointer`` what of the
    request did.
    """
    start = perf_counter()
    try:
        judge, entry = judge_of(
            group["verifier"], group["gold"], group["options"], group["answer_format"]
        )
        score, answer = _verdict(judge, entry, reply, group["answer_format"])
    except BadField as error:
        return _failed("bad-gold", str(error), "gold_error", error.pointer)
    except UnknownVerifier as error:
        return _failed("unknown-verifier", str(error), "infra_error", "/verifier")
    except MissingExtra as error:
        return _failed("not-installed", str(error), "infra_error", "/verifier")
    except JudgeError as fault:
        return _failed("unscored", fault.reason, fault.status)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  whatever it was, it must not become a reward
        reason = f"the judge failed ({type(error).__name__})"
        return _failed("internal", reason, "infra_error")
    return {
        "value": score.value,
        "correct": score.correct,
        "status": score.status,
        "reason": score.reason[:SHOWN],
        "parts": dict(score.parts),
        "extracted": None if answer is None else answer[:SHOWN],
        "micros": round((perf_counter() - start) * 1e6),
    }


def _failed(error: str, reason: str, status: str, pointer: str | None = None) -> dict[str, Any]:
    return {
        "value": None, "correct": None, "status": status, "reason": reason[:SHOWN],
        "error": error, "pointer": pointer,
    }  # fmt: skip
