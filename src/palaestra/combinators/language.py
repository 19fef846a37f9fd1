"""The prompt of a task in another language."""

from random import Random
from typing import ClassVar, Self

from palaestra.combination import Combination, Sampler
from palaestra.combinators import translations
from palaestra.combinators.combinator import Combinator, SameAnswer
from palaestra.combinators.templates import name_of
from palaestra.combinators.translations.grammar import Code
from palaestra.task import Puzzle, Task


class LanguagePuzzle(SameAnswer):
    """A puzzle whose prompt is in another language. Its answer stays as it is."""

    combinator: ClassVar["Language"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=task)

    def prompt(self) -> str:
        return translations.prompt(self.task, self.combinator.code)


class Language(Combinator):
    """The prompt is in another language: German, Chinese, Spanish or Arabic.

    ``code`` is that of the language by ISO 639-1. The prompt names the English words that the
    answer is written with. Only environments with templates in these languages have such prompts.
    """

    name: ClassVar[str] = "language"
    template: ClassVar[type[Combination]] = LanguagePuzzle

    code: Code = "de"

    def refusal(self, base: type[Task]) -> str:
        if issubclass(base, Combination):
            return "it translates environments, so it stands before all other combinators"
        if name_of(base) not in translations.names():
            return f"there are translations of {', '.join(translations.names())} only"
        return super().refusal(base)
