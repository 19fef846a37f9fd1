"""Rules to infer from examples: any rules, and short programs composed of listed steps.

Examples alone never settle a rule. A prompt of this family therefore lists all possible rules, and
a task is valid only if all of them that fit the examples give the same outcome for the new case.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.induction.list_programs import Numbers, Search, Step, fitting, run
from palaestra.task import Puzzle, Score
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import in_order
from palaestra.verifiers.reading.values import joined


class HiddenRule(Puzzle):
    """Infer a rule from examples, and state its outcome for a new case.

    A new environment of this family defines

    - its fields, :class:`Knobs`, ``generate`` and ``prompt``, as every puzzle does; the prompt
      lists all possible rules, and states that those that fit agree;
    - :meth:`outcomes`, by trying every possible rule;
    - :meth:`as_text` and ``verify``, unless the outcome is a list of whole numbers;
    - ``shortcuts``, such as copies of an example; a task that one of them solves is not valid.
    """

    tags = {"induction", "unique-solution"}

    @abstractmethod
    def outcomes(self) -> Collection[Any]:
        """The outcomes of all rules that fit the examples; two of them suffice if they differ."""

    def outcome(self) -> Any:
        """The only outcome, which a valid task has."""
        (only,) = self.outcomes()
        return only

    def as_text(self, outcome: Any) -> str:
        """An outcome as an answer."""
        return joined(outcome)

    def is_valid(self) -> bool:
        """Whether all rules that fit agree, and no shortcut gives the outcome."""
        outcomes = self.outcomes()
        return len(outcomes) == 1 and self.as_text(*outcomes) not in self.shortcuts()

    def answer(self) -> str:
        return self.as_text(self.outcome())

    def verify(self, answer: str) -> Score:
        outcome = self.outcome()
        return in_order(integers(answer, len(outcome)), outcome)


class HiddenProgram(HiddenRule):
    """Infer a short program, composed of steps of a menu, and apply it to new cases.

    A case is a row of whole numbers. A new environment defines, beside its prompt and knobs,
    :meth:`random_menu`, :meth:`random_cases`, :meth:`case_text` and :meth:`read`; its steps are a
    subclass of :class:`~palaestra.generators.induction.list_programs.Step`.
    """

    tags = HiddenRule.tags | {"program-synthesis"}

    unit: ClassVar[str] = "output"
    """What a reason calls the result of a new case."""

    menu: tuple[Step, ...]
    """All the steps that the program may consist of."""

    program: tuple[Step, ...]
    inputs: tuple[Numbers, ...]
    """The cases of the examples, before the program is applied."""

    new: tuple[Numbers, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        menu = cls.random_menu(rng, knobs)
        cases = cls.random_cases(rng, knobs)
        return cls(
            menu=menu,
            program=tuple(rng.sample(menu, knobs.steps)),
            inputs=tuple(cases[: knobs.examples]),
            new=tuple(cases[knobs.examples :]),
        )

    @classmethod
    @abstractmethod
    def random_menu(cls, rng: Random, knobs: Any) -> Sequence[Any]:
        """The steps that the program may consist of."""

    @classmethod
    @abstractmethod
    def random_cases(cls, rng: Random, knobs: Any) -> Sequence[Numbers]:
        """The cases of the examples, and the new cases after them."""

    @staticmethod
    @abstractmethod
    def case_text(numbers: Numbers) -> str:
        """A case as text."""

    @abstractmethod
    def read(self, answer: str) -> Sequence[Sequence[int]]:
        """The results for the new cases that an answer states. Raises :class:`InvalidAnswer`."""

    def is_valid(self) -> bool:
        """Whether the examples determine the new results, and no shorter program gives them."""
        cases = (*self.inputs, *self.new)
        outputs = [run(self.program, numbers) for numbers in cases]
        # Equal outputs are no evidence, and steps without effect make a dull rule.
        if len(set(outputs)) < len(outputs) or any(a == b for a, b in zip(cases, outputs)):
            return False
        results = outputs[len(self.inputs) :]
        if any(
            [step.applied(numbers) for numbers in self.new] == results
            for step in self.single_steps()
        ):
            return False
        if self.is_refuted(outputs):
            return False
        result = self.search()
        return len(result.outcomes) == 1 and result.shortest == len(self.program)

    def single_steps(self) -> Sequence[Step]:
        """The programs of one step that are shorter than the program."""
        return self.menu if len(self.program) > 1 else ()

    def is_refuted(self, outputs: Sequence[Numbers]) -> bool:
        """Whether the outputs of all cases show, without a search, that the task is not valid."""
        return False

    def search(self) -> Search:
        """The results of all programs that fit the examples."""
        examples = tuple((numbers, run(self.program, numbers)) for numbers in self.inputs)
        return fitting(self.menu, len(self.program), examples, self.new)

    def outcomes(self) -> Collection[tuple[Numbers, ...]]:
        return self.search().outcomes

    def examples(self) -> list[tuple[Numbers, Numbers]]:
        """The cases of the examples, each with what the program makes of it."""
        return [(numbers, run(self.program, numbers)) for numbers in self.inputs]

    def results(self) -> list[Numbers]:
        """What the program gives for the new cases."""
        return [run(self.program, numbers) for numbers in self.new]

    def canonical(self) -> str:
        examples = sorted((numbers, run(self.program, numbers)) for numbers in self.inputs)
        return repr((self.menu, len(self.program), examples, sorted(self.new)))

    def menu_text(self) -> str:
        """The menu, one line per step."""
        return "\n".join(f"- {step.as_text()}" for step in self.menu)

    def size_text(self) -> str:
        """The number of steps of the program."""
        most = len(self.program)
        return "one step" if most == 1 else f"at most {most} steps, one after another"

    def order_text(self, end: str) -> str:
        """That steps may be repeated, if there are several; ``end`` follows the sentence."""
        sentence = f"A step may be used more than once, and the order matters.{end}"
        return sentence if self.single_steps() else ""

    def as_text(self, outcome: Sequence[Numbers]) -> str:
        return "\n".join(map(self.case_text, outcome))

    def verify(self, answer: str) -> Score:
        right = [tuple(row) == result for row, result in zip(self.read(answer), self.results())]
        parts = {f"{self.unit} {n}": float(fits) for n, fits in enumerate(right, 1)}
        parts["progress"] = sum(right) / len(right)
        reason = "" if all(right) else f"{self.unit} {right.index(False) + 1} is wrong"
        return Score(float(not reason), reason, parts)

    def difficulty(self) -> float:
        return float(self.search().visited)

    def shortcuts(self) -> Iterable[str]:
        """The new cases unchanged, and the result of each single step."""
        yield self.as_text(self.new)
        for step in self.single_steps():
            yield self.as_text([step.applied(numbers) for numbers in self.new])

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The new cases unchanged, what became of the examples like them, and single steps.

        The steps are a random one, and the one that comes closest to the examples.
        """
        outputs = {numbers: run(self.program, numbers) for numbers in self.inputs}

        def alike(one: Numbers, other: Numbers) -> float:
            equal = sum(a == b for a, b in zip(one, other))
            return equal / max(1, len(one), len(other))

        def nearest(new: Numbers) -> Numbers:
            return outputs[max(self.inputs, key=lambda numbers: alike(numbers, new))]

        def fit(step: Step) -> float:
            return sum(alike(step.applied(numbers), out) for numbers, out in outputs.items())

        best, any_step = max(self.menu, key=fit), rng.choice(self.menu)
        players = {
            "unchanged": self.new,
            "result of the nearest example": [nearest(numbers) for numbers in self.new],
            "random step": [any_step.applied(numbers) for numbers in self.new],
            "step that fits the examples best": [best.applied(numbers) for numbers in self.new],
        }
        return {player: self.as_text(results) for player, results in players.items()}
