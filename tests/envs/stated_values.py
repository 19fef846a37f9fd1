"""Ways of stating a probability in a sentence, which environments with such an answer share."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer

FORMS = (
    "Probability: {0}", "P(it is so): {0}", "P(A = 1 | B = 0) = {0}", "The probability is {0}.",
    "{0} (about {1})", '{{"answer": "{0}"}}', "({2})/({3})", "**Probability:** {0}",
    "{0} (approximately {1})", "{0}, about {1}", "Answer: the probability is {0}",
    r"$P(A \mid B) = \frac{{{2}}}{{{3}}}$", "The conditional probability is {0}",
)  # fmt: skip
"""With a fraction, its decimal value, its numerator and its denominator."""

OTHERS = ("not {0}", "1 - P = {0}", "1 - {0}", "The complement: {0}", "-{0}")
"""Sentences that state something else."""


class StatedProbability:
    """Tests of an environment, by its ``name``, whose answer is a probability."""

    name: str

    @pytest.mark.parametrize("form", FORMS)
    def test_sentences_and_labels(self, form):
        task = Address.of(self.name, 1, 1).task()
        right = Fraction(task.answer())
        for value in (right, 1 - right):
            parts = (value, f"{float(value):.4f}", value.numerator, value.denominator)
            assert task.verify(form.format(*parts)).value == (value == right)

    @pytest.mark.parametrize("form", OTHERS)
    def test_what_is_not_the_value(self, form):
        task = Address.of(self.name, 1, 1).task()
        try:
            score = task.verify(form.format(task.answer()))
        except InvalidAnswer:
            score = None
        assert score is None or score.value == 0
