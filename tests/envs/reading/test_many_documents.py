"""Tests of reading/many_documents."""

import re
from datetime import datetime

import pytest

from palaestra.address import Address
from palaestra.envs.reading.many_documents import ManyDocuments
from palaestra.generators.reading.many_documents import Document, Fact, Names, Policy, Question

HEADING = re.compile(r"Document (\d+): (\w+) by ([\w ]+), written in (\w+) on ([\w ]+)")
STATEMENTS = (
    re.compile(r"The (?P<what>[a-z ]+) of (?P<town>[A-Z]\w+) is (?P<value>\w+)"),
    re.compile(r"(?P<town>[A-Z]\w+) has (?P<value>\w+) as its (?P<what>[a-z ]+)"),
    re.compile(r"As for (?P<town>[A-Z]\w+), its (?P<what>[a-z ]+) is (?P<value>\w+)"),
    re.compile(r"It is (?P<value>\w+) that is the (?P<what>[a-z ]+) of (?P<town>[A-Z]\w+)"),
)


def day(text):
    return datetime.strptime(text, "%d %B %Y").toordinal()


def documents_from(prompt):
    documents = {}
    for block in prompt.partition("Documents:\n\n")[2].split("\n\n"):
        if not (match := HEADING.match(block)):
            continue
        sentences = re.split(r"\.(?: |$)", block[match.end() + 1 :])
        matches = [p.fullmatch(each) for each in sentences for p in STATEMENTS]
        facts = {(m["town"], m["what"]): m["value"] for m in matches if m}
        revokes = re.search(r"This revokes document (\d+)", block)
        documents[match[1]] = (*match.groups()[1:4], day(match[5]), facts, revokes and revokes[1])
    return documents


def counts(documents, barred, number):
    """Whether a document counts, by the rules word for word."""
    _, author, _, written, _, _ = documents[number]
    if barred and author == barred[0] and written >= barred[1]:
        return False
    revoking = [other for other, each in documents.items() if each[5] == number]
    return not any(counts(documents, barred, other) for other in revoking)


def answers_from(prompt):
    """The answers to a prompt by its text alone."""
    documents = documents_from(prompt)
    match = re.search(r"Documents that ([\w ]+) wrote on ([\w ]+) or later", prompt)
    barred = (match[1], day(match[2])) if match else None
    ranks = re.search(r"the highest first: ([\w, ]+)\.", prompt)
    ranks = [each.rstrip("s") for each in ranks[1].split(", ")] if ranks else None
    local = "written in that town" in prompt

    def settled(town, what):
        def weight(number):
            kind, _, origin, written, _, _ = documents[number]
            rank = ranks.index(kind) if ranks else 0
            return not (local and origin == town), rank, -written

        stated = [n for n, each in documents.items() if (town, what) in each[4]]
        best = min((n for n in stated if counts(documents, barred, n)), key=weight)
        return documents[best][4][town, what], int(best)

    answers = []
    for line in re.findall(r"^\d: the ([^.\n]+)$", prompt.rpartition("numbers")[2], re.MULTILINE):
        *path, value = line.split(" of ")
        steps = [re.sub("^the ", "", each) for each in path]
        if "depth" in steps:
            steps[steps.index("depth") : steps.index("depth") + 2] = ["depth of the well"]
        if "number" in steps:
            at = steps.index("number")
            steps[at : at + 2] = [f"number of {steps[at + 1]}"]
        proof = []
        for what in reversed(steps):
            value, number = settled(value, what)
            proof.append(number)
        answers.append((int(value), *proof))
    return answers


@pytest.mark.parametrize("level", range(ManyDocuments.Knobs.levels()))
def test_the_text_alone_gives_the_answers(level):
    for seed in range(6):
        task = Address.of("reading/many_documents", seed, level).task()
        assert answers_from(task.prompt().rpartition("\n\nWrite")[0]) == task.right


@pytest.mark.parametrize("tokens", [8_000, 32_000, 128_000])
def test_long_texts(tokens):
    task = Address.of("reading/many_documents", 3, 6, tokens=tokens).task()
    prompt = task.prompt()
    assert 0.95 * tokens < len(prompt) / 4 < 1.15 * tokens
    assert answers_from(prompt.rpartition("\n\nWrite")[0]) == task.right


TOLL = Fact(0, 4)
TASK = ManyDocuments(
    documents=(
        Document(101, 0, 0, 1, 480_000, ((TOLL, 55),)),
        Document(102, 3, 0, 1, 481_000, ((TOLL, 66),)),
        Document(103, 3, 1, 1, 482_000, (), revokes=101),
        Document(104, 3, 0, 1, 483_000, (), revokes=103),
        Document(105, 0, 1, 1, 484_000, ((TOLL, 77),)),
        Document(106, 3, 0, 0, 479_000, ((TOLL, 88),)),
    ),
    policy=Policy(3, (0, 1, 2, 3, 4), 1, 483_500),
    names=Names(("Ulor", "Zakan"), ("Ada Kubif", "Bo Vapar")),
    questions=(Question(0, (4,)),),
    seed=1,
    tokens=300,
)


def test_a_revoked_revocation_has_no_effect():
    # 105 is barred by its author, 103 is revoked, so that 101 counts, and is of the highest rank.
    assert TASK.right == [(55, 101)]
    assert TASK.verify("1: 55, 101").value == 1
    assert TASK.verify("1: 55, 102").reason == "1 of the 1 values is wrong"


def test_documents_of_the_town_are_above_others():
    task = ManyDocuments(**TASK.model_dump() | {"policy": TASK.policy._replace(rules=4)})
    assert task.right == [(88, 106)]


def test_the_commonest_value_is_wrong():
    for level in range(ManyDocuments.Knobs.levels()):
        for seed in range(10):
            task = Address.of("reading/many_documents", seed, level).task()
            assert task.verify(task.baselines(None)["commonest value"]).value == 0


@pytest.mark.parametrize("level", range(ManyDocuments.Knobs.levels()))
def test_documents_revoke_others_only_if_a_rule_says_what_that_means(level):
    prompts = [Address.of("reading/many_documents", n, level).task().prompt() for n in range(4)]
    for prompt in prompts:
        assert ("This revokes document" in prompt) <= ("another one revokes" in prompt)
