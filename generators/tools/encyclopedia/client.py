"""A player that answers questions by what it finds in a search."""

import re
from collections.abc import Callable, Iterator

from palaestra.generators.tools.encyclopedia.questions import Question
from palaestra.generators.tools.encyclopedia.reader import Reader, Reading, read
from palaestra.generators.tools.engine import BUSY

Use = Callable[[str, dict[str, int | str]], str]
"""A function from a tool and its arguments to the result that a player reads."""

_PAGES = re.compile(r"\(page \d+ of (\d+)\)", re.ASCII)


class Client(Reader):
    """Knows the sentences that articles are made of and the question, and calls tools."""

    def __init__(self, use: Use) -> None:
        super().__init__()
        self.use = use
        self.readings: dict[str, Reading] = {}

    def answer(self, question: Question) -> None:
        """Find the answer out and submit it."""
        self.call("submit_answer", {"text": self.answer_to(question)})

    def call(self, tool: str, arguments: dict[str, int | str]) -> str:
        """The result of a call, which is repeated while the service is busy."""
        result = BUSY
        while result == BUSY:
            result = self.use(tool, arguments)
        return result

    def opened(self, title: str) -> Reading:
        """An article, opened once."""
        if title not in self.readings:
            self.readings[title] = self.read(self.call("open_article", {"title": title}))
        return self.readings[title]

    def read(self, result: str) -> Reading:
        """What an opened article says."""
        return read(result)

    def results(self, query: str) -> Iterator[str]:
        """The titles on all pages, as far as they are wanted."""
        page = last = 1
        while page <= last:
            more: dict[str, int | str] = {"page": page} if page > 1 else {}
            *lines, pages = self.call("search", {"query": query, **more}).splitlines()
            match = _PAGES.fullmatch(pages)
            assert match
            yield from (line.partition(": ")[0] for line in lines)
            page, last = page + 1, int(match[1])
