"""A player that cites what it read."""

from palaestra.generators.tools.encyclopedia.client import Client
from palaestra.generators.tools.encyclopedia.questions import Question
from palaestra.generators.tools.encyclopedia.reader import Reading, read

LISTED = {"members", "head"}
"""The relations that the sentence with a list states."""


def read_numbered(text: str) -> Reading:
    """What an article with numbered sentences says."""
    title, *lines = text.splitlines()
    return read(f"{title}\n{' '.join(line.partition('. ')[2] for line in lines)}")


class Reporter(Client):
    """Answers a question, and cites for each fact the article that states it."""

    def read(self, result: str) -> Reading:
        return read_numbered(result)

    def report(self, question: Question) -> None:
        """Find the answer out, cite the facts, and submit it."""
        answer = self.answer_to(question)
        for title, relation, value in dict.fromkeys(self.evidence):
            sentences = self.opened(title).sentences
            claim: dict[str, int | str] = {"topic": title, "relation": relation, "value": value}
            number = sentences["members" if relation in LISTED else relation]
            self.call("cite", {**claim, "article": title, "sentence": number})
        self.call("submit_answer", {"text": answer})
