"""The tools of a web: a search, its pages, the links to them, and the answers."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from palaestra.generators.tools.conflicting_sources.web import Page
from palaestra.generators.tools.conflicting_sources.wording import heading, text, title
from palaestra.generators.tools.engine import Arguments, Changes, Tool, ToolWorld
from palaestra.task import InvalidAnswer

PAGE = 6
"""How many results a page of a search has."""

LONGEST = 200
"""How many characters an argument may have."""

UNRESOLVED = "unresolved"
"""The answer where the rules do not decide."""

_WORD = re.compile(r"[a-z\d]+")
_STOP = {"the", "in", "of", "and"}
_ANSWER = re.compile(
    r"(\d{1,3}(?:[,'\u202f ]?\d{3})*)(?:\.0+)?(?: ?(?:m|metres?|meters?))?", re.ASCII
)
_WRAPPING = "\"'`*_.;:!?$[]() \t\n\u201c\u201d\u2018\u2019"


def answer_of(value: str) -> str:
    """An answer in its canonical form. Raises :class:`InvalidAnswer` for what is none.

    >>> answer_of(" 1,204 metres."), answer_of("Unresolved")
    ('1204', 'unresolved')
    """
    plain = " ".join(value[: LONGEST + 1].casefold().split()).strip(_WRAPPING)
    match = _ANSWER.fullmatch(plain)
    if plain != UNRESOLVED and (match is None or len(plain) > 20):
        raise InvalidAnswer(f"the value is a whole number in digits, or {UNRESOLVED}")
    if match is None:
        return UNRESOLVED
    return str(int(re.sub(r"\D", "", match[1])))


class World(ToolWorld):
    """A web, which nothing changes, and the last answer to each question."""

    def __init__(self, pages: Sequence[Page], questions: int, seed: int, busy: int) -> None:
        super().__init__(TOOLS, seed, busy)
        self.pages, self.questions = pages, questions
        self.by_address = {page.claim.address: page for page in pages}
        self.answers: dict[int, str] = {}

    def changes(self) -> Changes:
        return {("answer", str(number)): value for number, value in self.answers.items()}

    @cached_property
    def words(self) -> list[set[str]]:
        """The words of each page that a search goes by."""
        headings = (f"{title(page)} {page.claim.publisher}".casefold() for page in self.pages)
        return [{*_WORD.findall(each)} for each in headings]

    def search(self, query: str) -> list[Page]:
        """The pages whose titles and publishers have words of a query, those with most words
        first.
        """
        wanted = {*_WORD.findall(query.casefold())} - _STOP
        scores = Counter[int]()
        for number, words in enumerate(self.words):
            scores[number] = len(wanted & words)
        return [self.pages[number] for number, score in scores.most_common() if score]

    def page(self, address: str) -> Page:
        """The page at an address. Raises :class:`InvalidAnswer` where there is none."""
        page = self.by_address.get(address.strip().casefold()[:LONGEST])
        if page is None:
            raise InvalidAnswer("there is no page at this address")
        return page


def _search(world: World, arguments: Arguments) -> str:
    query, page = arguments["query"], arguments["page"]
    if not query.strip() or len(query) > LONGEST:
        raise InvalidAnswer(f"the query has from 1 to {LONGEST} characters")
    results = world.search(query)
    pages = max(1, -(-len(results) // PAGE))
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    lines = [heading(each) for each in results[(page - 1) * PAGE : page * PAGE]]
    return "\n".join([*(lines or ["no results"]), f"(page {page} of {pages})"])


def _open(world: World, arguments: Arguments) -> str:
    return text(world.page(arguments["address"]))


def _links(world: World, arguments: Arguments) -> str:
    address = world.page(arguments["address"]).claim.address
    lines = [heading(each) for each in world.pages if each.claim.refers == address]
    return "\n".join(lines or ["no links"])


def _answer(world: World, arguments: Arguments) -> str:
    number, value = arguments["question"], answer_of(arguments["value"])
    if not 1 <= number <= world.questions:
        raise InvalidAnswer(f"questions go from 1 to {world.questions}")
    world.answers[number] = value
    return f"The answer to question {number} is {value}."


TOOLS = (
    Tool(
        "links_to",
        "List the pages that name the page at an address, such as copies, corrections and "
        "retractions.",
        {"address": str},
        _links,
    ),
    Tool("open_page", "Show the page at an address.", {"address": str}, _open),
    Tool(
        "search",
        f"List pages whose titles and publishers have words of the query, those with most of them "
        f"first, {PAGE} on a page. The titles of corrections and retractions do not say what they "
        "are about.",
        {"query": str, "page": int},
        _search,
        {"page": 1},
    ),
    Tool(
        "submit_answer",
        f"Answer a question, by its number: the value is a whole number in digits, or "
        f"{UNRESOLVED}. A second answer replaces the first.",
        {"question": int, "value": str},
        _answer,
    ),
)
"""The tools in alphabetical order."""
