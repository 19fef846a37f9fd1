"""The same task as a story."""

from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators import stories
from palaestra.combinators.combinator import Combinator, SameAnswer
from palaestra.combinators.templates import name_of
from palaestra.task import WORDINGS, Puzzle, Task


class StoryPuzzle(SameAnswer):
    """A puzzle whose prompt is a story. Its answer stays as it is."""

    combinator: ClassVar["Story"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=task)

    def prompt(self) -> str:
        return stories.prompt(self.task, self.combinator.number)


class Story(Combinator):
    """The same task is put into a story, such as a timetable in place of a graph to be coloured.

    Which one is selected by ``number``: an environment with two stories has the first at even
    numbers and the second at odd ones. Answers have the form of the environment, and are judged by
    it. Only environments with templates of stories have them.
    """

    name: ClassVar[str] = "story"
    template: ClassVar[type[Combination]] = StoryPuzzle

    number: int = Field(0, ge=0, lt=WORDINGS)

    def refusal(self, base: type[Task]) -> str:
        if issubclass(base, Combination):
            return "it puts environments into stories, so it stands before all other combinators"
        if name_of(base) not in stories.names():
            return f"there are stories of {', '.join(stories.names())} only"
        return super().refusal(base)
