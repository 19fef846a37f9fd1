"""The common part of puzzles that ask for a probability, perhaps under a condition."""

from abc import abstractmethod
from fractions import Fraction

from palaestra.task import Puzzle, Score
from palaestra.verifiers.probabilities import judged


class ProbabilityPuzzle(Puzzle):
    """A question for the exact probability of an event in a random experiment.

    A subclass declares the fields of the experiment, of the claims that make up the event, and of
    those that are known to hold, and defines

    - :meth:`experiment`, the first paragraph of the prompt;
    - :meth:`claims`, the event and the condition in words;
    - :meth:`probability`, the answer;
    - ``generate``, ``is_valid`` and an independent ``audit``, as for any puzzle.
    """

    @abstractmethod
    def experiment(self) -> str:
        """The random experiment in words, with everything that its probabilities depend on."""

    @abstractmethod
    def claims(self) -> tuple[list[str], list[str]]:
        """The claims of the event and those of the condition, as clauses to follow "that"."""

    @abstractmethod
    def probability(self) -> Fraction:
        """The probability of the event under the condition."""

    def prompt(self) -> str:
        event, known = map(" and that ".join, self.claims())
        ask = f"It is known that {known}. Under this condition, what" if known else "What"
        return (
            f"{self.experiment()}\n\n{ask} is the probability that {event}?\n\nGive the exact "
            "probability as a fraction such as '5/13', in any equal form; a decimal counts only if "
            "it is exact."
        )

    def answer(self) -> str:
        return str(self.probability())

    def verify(self, answer: str) -> Score:
        return judged(answer, self.probability())
