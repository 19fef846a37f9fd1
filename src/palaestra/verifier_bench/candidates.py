"""The graders that the bench knows, each used where its library is installed.

A grader of whole replies is shown a bare answer in the form that it asks for: in a box, or after
its own anchor.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from palaestra.verifier_bench.cases import Case

Grader = Callable[[str, str], object]
"""Called with a gold answer and a reply; what it gives is true where the reply is right."""

Judge = Callable[[Case], tuple[bool, str]]
"""The verdict on a case, and how the judging ended where the judge says so."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that judges, by name; ``load`` raises ImportError where it is not installed."""

    name: str
    load: Callable[[], Judge]
    policies: bool = False
    """Whether it can be told what a task asks for; if not, cases with a policy are left out."""

    def takes(self, case: Case) -> bool:
        """Whether a case is put to this candidate."""
        return self.policies or not case.policy


def candidate(name: str) -> Candidate:
    """A candidate of the bench by name, or any function as ``module:function``.

    >>> candidate("math-verify").name
    'math-verify'
    """
    if name in CANDIDATES:
        return CANDIDATES[name]
    if name.count(":") != 1:
        known = ", ".join(CANDIDATES)
        raise ValueError(f"a candidate is module:function or one of {known}, not {name!r}")
    return Candidate(name, Named(name))


@dataclass(frozen=True, slots=True)
class Named:
    """Loads a grader by its name."""

    name: str

    def __call__(self) -> Judge:
        """The function as a judge; ImportError where there is no such thing."""
        module, _, function = self.name.partition(":")
        try:
            return judge_of(getattr(import_module(module), function))
        except AttributeError:
            raise ImportError(f"{module} has no {function!r}") from None


def judge_of(grader: Grader, shape: str = "\\boxed{%s}") -> Judge:
    """A grader of replies as a judge of cases; ``shape`` is how it wants a bare answer."""

    def judge(case: Case) -> tuple[bool, str]:
        reply = case.text if case.kind == "judge" else shape.replace("%s", case.text)
        return any(bool(grader(gold, reply)) for gold in case.golds), ""

    return judge


def exact(gold: str, reply: str) -> bool:
    """Whether a reply is the gold answer in a box, letter for letter: the least one can do."""
    return reply == f"\\boxed{{{gold}}}"


def _palaestra() -> Judge:
    answers: Any = import_module("palaestra.verifiers.answers")

    def judge(case: Case) -> tuple[bool, str]:
        policy = answers.Policy(**case.policy)
        if case.kind == "same":
            verdicts = [answers.same(gold, case.text, policy) for gold in case.golds]
        else:
            gold = case.gold if isinstance(case.gold, str) else list(case.gold)
            verdicts = [answers.judge(gold, case.text, policy)]
        best = max(verdicts, key=lambda verdict: bool(verdict.correct))
        return bool(best.correct), str(best.status)

    return judge


def _math_verify() -> Judge:
    math_verify: Any = import_module("math_verify")

    def grade(gold: str, reply: str) -> object:
        return math_verify.verify(math_verify.parse(f"\\boxed{{{gold}}}"), math_verify.parse(reply))

    return judge_of(grade)


def _trl() -> Judge:
    rewards: Any = import_module("trl.rewards")

    def grade(gold: str, reply: str) -> object:
        conversation = [[{"role": "assistant", "content": reply}]]
        return rewards.accuracy_reward(conversation, [f"\\boxed{{{gold}}}"])[0]

    return judge_of(grade)


@dataclass(frozen=True, slots=True)
class Verl:
    """Loads one of veRL's graders; they give a number, a tuple or a mapping."""

    module: str
    shape: str = "\\boxed{%s}"

    def __call__(self) -> Judge:
        """The grader as a judge; ImportError where veRL is not installed."""
        score: Any = import_module(f"verl.utils.reward_score.{self.module}").compute_score

        def grade(gold: str, reply: str) -> object:
            result = score(reply, gold)
            if isinstance(result, Mapping):
                result = result.get("acc", result.get("score"))
            return (result[0] if isinstance(result, tuple) else result) == 1

        return judge_of(grade, self.shape)


CANDIDATES = {
    known.name: known
    for known in (
        Candidate("palaestra", _palaestra, policies=True),
        Candidate("math-verify", _math_verify),
        Candidate("trl-accuracy", _trl),
        Candidate("verl-math-verify", Verl("math_verify")),
        Candidate("verl-prime-math", Verl("prime_math")),
        Candidate("verl-math-dapo", Verl("math_dapo", "Answer: %s")),
        Candidate("verl-math", Verl("math_reward")),
        Candidate("verl-gsm8k", Verl("gsm8k", "#### %s")),
    )
}
"""The candidates that the bench knows, by name."""
