"""The tools of an encyclopaedia: a search, its articles, and the answer."""

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random

from palaestra.generators.tools.encyclopedia.articles import Encyclopedia
from palaestra.generators.tools.encyclopedia.index import RESULTS, Index, words_of
from palaestra.generators.tools.engine import Arguments, Changes, Tool, ToolWorld
from palaestra.task import InvalidAnswer

PAGE = 5
"""How many results a page has."""

LONGEST = 200
"""How many characters an argument may have."""

SNIPPET = 90
"""How many characters of a sentence a result shows."""

UNKNOWN = "unknown"
"""The answer to a question that the encyclopaedia does not answer."""

GOAL = ("answer",)
"""The path of the answer among the changes."""

_WRAPPING = "\"'`*_.,;:!?$[]{} \t\n“”‘’«»"


def normalised(answer: str) -> str:
    """An answer without case, wrapping, extra spaces, a leading article and a word for what is
    counted.

    >>> normalised(' "The  Amber Lamp". '), normalised("Ulor (born 712)"), normalised("12 years")
    ('amber lamp', 'ulor (born 712)', '12')
    """
    text = " ".join(answer.casefold().split()).strip(_WRAPPING)
    text = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    first, _, rest = text.partition(" ")
    if first.isdecimal() and rest.isalpha():
        return first
    return rest.strip(_WRAPPING) if first in {"the", "a", "an"} and rest else text


class World(ToolWorld):
    """An encyclopaedia, which nothing changes, and the last answer.

    ``noise`` in 100 results of a search have an unwanted one before them, the neighbour of the
    result in the alphabet.
    """

    def __init__(
        self,
        load: Callable[[], Index],
        noise: int,
        seed: int,
        busy: int,
        tools: Sequence[Tool] | None = None,
    ) -> None:
        super().__init__(tools or TOOLS, seed, busy)
        self.load, self.noise = load, noise
        self.answer: str | None = None

    @cached_property
    def index(self) -> Index:
        """The search, loaded by the first call that needs it."""
        return self.load()

    @property
    def source(self) -> Encyclopedia:
        """The encyclopaedia."""
        return self.index.source

    def changes(self) -> Changes:
        return {} if self.answer is None else {GOAL: self.answer}

    def results(self, query: str) -> list[int]:
        """The results of a query with noise, the same each time."""
        rng = Random(f"{self.seed} {query}".encode("utf-8", "surrogatepass"))
        numbers = dict[int, None]()
        for number in self.index.search(query):
            if rng.random() * 100 < self.noise:
                numbers[self.index.neighbours[number]] = None
            numbers[number] = None
        return [*numbers][:RESULTS]

    def snippet(self, number: int, query: str) -> str:
        """The beginning of the sentence that has most words of a query."""
        wanted = {*words_of(query)}
        sentences = self.source.sentences(number)
        best = max(sentences, key=lambda sentence: len(wanted.intersection(words_of(sentence))))
        return best if len(best) <= SNIPPET else f"{best[:SNIPPET]}..."


def checked(text: str, name: str) -> str:
    """The text of an argument. Raises :class:`InvalidAnswer` for one that is too long or empty."""
    if len(text) > LONGEST:
        raise InvalidAnswer(f"the {name} has at most {LONGEST} characters")
    if not text.strip():
        raise InvalidAnswer(f"the {name} is empty")
    return text


def _search(world: World, arguments: Arguments) -> str:
    query, page = checked(arguments["query"], "query"), arguments["page"]
    numbers = world.results(query)
    pages = max(1, -(-len(numbers) // PAGE))
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    shown = numbers[(page - 1) * PAGE : page * PAGE]
    lines = [f"{world.source.titles[n]}: {world.snippet(n, query)}" for n in shown]
    return "\n".join([*(lines or ["no results"]), f"(page {page} of {pages})"])


def article_number(world: World, title: str) -> int:
    """The number of the article with a title. Raises :class:`InvalidAnswer` where there is none."""
    number = world.source.numbers.get(" ".join(checked(title, "title").casefold().split()))
    if number is None:
        raise InvalidAnswer("there is no article with exactly this title; search shows titles")
    return number


def _open(world: World, arguments: Arguments) -> str:
    number = article_number(world, arguments["title"])
    return f"{world.source.titles[number]}\n{' '.join(world.source.sentences(number))}"


def _answer(world: World, arguments: Arguments) -> str:
    world.answer = normalised(checked(arguments["text"], "text"))
    return "The answer is noted."


SUBMIT = Tool(
    "submit_answer",
    "Answer the question. A second answer replaces the first.",
    {"text": str},
    _answer,
)

SEARCH = Tool(
    "search",
    f"List the titles of articles with a part of each, best first, {PAGE} on a page and {RESULTS} "
    "at most. It goes by names, years, professions, trades and subjects in the articles; other "
    "words do not count. It may list articles that do not fit.",
    {"query": str, "page": int},
    _search,
    {"page": 1},
)

TOOLS = (
    SUBMIT,
    Tool(
        "open_article",
        "Show an article by its exact title, with what stands in brackets.",
        {"title": str},
        _open,
    ),
    SEARCH,
)
"""The tools of a search for an answer."""
