"""Wrong acceptances and wrong refusals of the verifiers, on cases that share no code with them.

    python -m benchmarks.error_rates [--cases 1000] [--seed 0] [--kind units] [--wrong] [--forms]

The table is that of ``docs/verifiers.md``. ``--wrong`` lists each error, ``--forms`` the forms of
right answers that are refused, with how often.
"""

import argparse
import random
from collections import Counter
from collections.abc import Mapping
from itertools import islice

from benchmarks.error_rates import (
    call_formats,
    instruction_texts,
    item_collections,
    json_documents,
    option_choices,
    proof_cases,
    query_pairs,
    unit_conversions,
)
from benchmarks.error_rates.cases import Case, Cases

from palaestra.task import JudgeError
from palaestra.trainers.evaluation.intervals import beta_quantile

KINDS: Mapping[str, Cases] = {
    "SQL queries": query_pairs.cases,
    "tool calls": call_formats.cases,
    "JSON documents": json_documents.cases,
    "units": unit_conversions.cases,
    "sets and lists": item_collections.set_cases,
    "rankings and orders": item_collections.ranking_cases,
    "instructions": instruction_texts.cases,
    "choices": option_choices.cases,
    "proofs": proof_cases.cases,
}
"""The kinds of verifier, and what makes their cases."""

LEVEL = 0.975


def at_most(errors: int, cases: int) -> float:
    """The upper end of the 95 % interval of Clopper and Pearson for a rate.

    >>> round(at_most(0, 100), 3)
    0.036
    """
    return 1.0 if errors >= cases else beta_quantile(LEVEL, errors + 1, cases - errors)


def accepted(case: Case) -> bool:
    """Whether the verifier takes an answer for right; a judge's failure is a refusal."""
    try:
        return case.verifier(case.answer).correct
    except JudgeError:
        return False


def mistakes(verifier: str, seed: int, count: int) -> tuple[list[Case], list[Case]]:
    """The cases of a kind, and those among them that are judged wrongly."""
    rng = random.Random(f"{verifier} {seed}")
    cases = list(islice(KINDS[verifier](rng), count))
    return cases, [case for case in cases if accepted(case) != case.right]


def cell(errors: int, cases: int) -> str:
    """A rate with the upper end of its interval."""
    return f"{errors} of {cases} (under {at_most(errors, cases):.1%})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="cases of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=list(KINDS), help="this kind only")
    parser.add_argument("--wrong", action="store_true", help="list each error")
    parser.add_argument("--forms", action="store_true", help="count refused forms")
    chosen = parser.parse_args()
    print("| verifier | wrong answers accepted | right answers refused |\n|---|---|---|")
    for verifier in [chosen.kind] if chosen.kind else KINDS:
        cases, errors = mistakes(verifier, chosen.seed, chosen.cases)
        right = sum(case.right for case in cases)
        lost = [case for case in errors if case.right]
        passed = cell(len(errors) - len(lost), len(cases) - right)
        print(f"| {verifier} | {passed} | {cell(len(lost), right)} |", flush=True)
        if chosen.forms:
            every = Counter(case.form for case in cases if case.right)
            for form, number in Counter(case.form for case in lost).most_common():
                print(f"    refused: {form}: {number} of {every[form]}")
        for case in errors if chosen.wrong else ():
            print(f"  right={case.right} {case.form}: {case.verifier!r:.300}\n    {case.answer!r}")


if __name__ == "__main__":
    main()
