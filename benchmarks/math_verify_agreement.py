"""How far Palaestra's answer reader agrees with the tests of Math-Verify.

Their tests are read where they lie, as literals; nothing of them is run or copied. To get them:

    pip download --no-binary :all: --no-deps math-verify && tar xzf math_verify-*.tar.gz
    python benchmarks/math_verify_agreement.py --source math_verify-*/tests

Each disagreement is told with the rule of ours that it comes from, where a person has named one.
"""

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from palaestra.verifiers.answers import judge, same

UNNAMED = "no rule of ours"

CHAIN = "section 2: a chain of equations must hold"
COMMA = "section 2: a comma parts a list or groups three digits"
MARK = "R8: nothing in the reply marks the answer"
PROSE = "R7: what follows the anchor is prose"
EXACT = "R22: an exact question has an exact answer"
APART = "R3: more than a connective stands between the boxes"

NAMED = {
    **dict.fromkeys(("20ce4cd6", "df15bd7f", "602b0ef7", "b8837a1d"), CHAIN),
    **dict.fromkeys(("d6d73831", "3f0e4064", "ae44de2d"), COMMA),
    **dict.fromkeys(("401a11bc", "66f0fd25", "11787bbf", "d26bf9b2"), MARK),
    **dict.fromkeys(("0b337e44", "176cdf4e", "2af6a3b6", "590ba627"), PROSE),
    **dict.fromkeys(("7d1cabb9", "949ee771", "8a7d6cd8"), EXACT),
    **dict.fromkeys(("d08604d2", "cd18562b", "01a3e2b3", "966f8af3"), APART),
    "0067856a": "R4: one member is listed twice",
    "6ee021e8": "R2: the last box decides, not what is written after it",
    "6fdcfa6e": "section 2: a pair has an order, a set has none",
    "a71e5a50": "R26: the gold answer is cut off",
    "fbbeb7fd": "a slip there: 1 - 1/e is not 1 + 1/e",
}
"""By the digest of a pair, the rule of ours because of which it is judged in another way."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of one of their tests."""

    test: str
    gold: str
    answer: str
    expected: bool

    @property
    def digest(self) -> str:
        """What stands for the pair in ``NAMED``."""
        return blake2b(f"{self.gold}\0{self.answer}".encode(), digest_size=4).hexdigest()


def pairs(source: Path) -> Iterator[Pair]:
    """The rows of all parametrised tests that give a gold answer, another and what is expected."""
    for file in sorted(source.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    yield from rows(f"{file.stem}.{node.name}", mark)


def rows(test: str, mark: ast.expr) -> Iterator[Pair]:
    """The rows of one ``parametrize``, where they are literals."""
    if not (isinstance(mark, ast.Call) and len(mark.args) >= 2):
        return
    try:
        names = ast.literal_eval(mark.args[0])
    except ValueError:
        return
    names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
    table = mark.args[1]
    if not {"gold", "pred"} <= set(names) or not isinstance(table, ast.List):
        return
    for row in table.elts:
        try:
            values = dict(zip(names, ast.literal_eval(row)))
        except (ValueError, TypeError):
            continue  # it is worked out, not written down
        expected = values.get("expected", values.get("result"))
        if expected is not None and values.get("strict", True):
            yield Pair(test, values["gold"], values["pred"], bool(expected))


BETWEEN = re.compile(r"(?:[\s$,;.\\()\[\]]|quad|text\{ *(?:and|or) *\}|and|or)*")


def bare(text: str) -> str:
    """What stands in the last boxes of a gold answer, or all of it where there are none."""
    texts: list[str] = []
    end = 0
    while (start := text.find("\\boxed{", end)) >= 0:
        if not BETWEEN.fullmatch(text[end:start]):
            texts.clear()
        depth, end = 1, start + 7
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        texts.append(text[start + 7 : end - 1])
    return ", ".join(texts) or text


def anchored(text: str) -> bool:
    """Whether something in a reply marks the answer."""
    return any(mark in text.lower() for mark in ("\\boxed", "answer:", "<answer>", "####"))


def judged(pair: Pair) -> bool:
    """Our verdict: on a whole reply where something marks the answer, on a bare answer else."""
    judging = judge if anchored(pair.answer) else same
    return judging(bare(pair.gold), pair.answer).correct


def judged_alone(pair: Pair) -> bool:
    """Our verdict where theirs is the extraction: without a mark, the last maths of the reply."""
    spans = re.findall(r"\$\$?([^$]+)\$\$?", pair.answer)
    if anchored(pair.answer) or not spans:
        return judged(pair)
    return judged(pair) or same(bare(pair.gold), spans[-1]).correct


def rule(pair: Pair) -> str:
    """The rule of ours that a disagreement comes from, as far as it is known."""
    words = re.findall(r"(?<![\\\w{])[A-Za-z]{3,}", re.sub(r"\\text\{[^}]*\}", "", pair.answer))
    if pair.expected and set(words) - {"and"} and not anchored(pair.answer):
        return NAMED.get(pair.digest, MARK)
    return NAMED.get(pair.digest, UNNAMED)


def main() -> None:
    """Print the agreement, test by test, and the disagreements."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--source", type=Path, required=True, help="the folder of their tests")
    parser.add_argument("--rules-only", action="store_true", help="leave out the pairs themselves")
    wish = parser.parse_args()
    seen = {pair.digest: pair for pair in pairs(wish.source)}.values()
    if not seen:
        raise SystemExit(f"there are no such tests in {wish.source}")
    split = [pair for pair in seen if judged(pair) is not pair.expected]
    for pair in split:
        what = "" if wish.rules_only else f": {pair.gold[-80:]!r} and {pair.answer[-160:]!r}"
        theirs = "equal" if pair.expected else "not equal"
        print(f"{pair.digest} {rule(pair)}; there they are {theirs}{what}")
    rules = Counter(map(rule, split))
    print(f"{len(seen)} pairs, {1 - len(split) / len(seen):.1%} of them judged as there")
    alone = sum(judged_alone(pair) is pair.expected for pair in seen)
    print(f"{alone / len(seen):.1%} where the last maths of a reply without a mark is its answer")
    print(f"{1 - rules[UNNAMED] / len(seen):.1%} judged as there or by a named rule of ours")
    for name, count in rules.most_common():
        print(f"{count:4} {name}")


if __name__ == "__main__":
    main()
