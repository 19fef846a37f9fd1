"""Playing episodes to their end, and talking to users."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.conversation import Agenda, Fact, Intent, Topic, User
from palaestra.generators.tools.engine import Tool
from palaestra.generators.tools.records import RecordWorld
from palaestra.toolbox import call


def score(task, *moves):
    episode = Episode(task, BARE)
    for move in (*moves, "done"):
        if episode.scores is None:
            episode.step(move)
    return episode.score


def caller(episode):
    """A function from a tool and its arguments to what the player of an episode reads."""

    def use(tool, arguments):
        episode.step(call(tool, **arguments))
        return episode.observation

    return use


POLITE = (
    "{}?",
    "Thank you. {}?",
    "Could you please let me know: {}?",
    "Sorry, I have another question for you, {}, please?",
    "All right, I am looking into it. {}",
)


def in_polite_forms(questions: Iterable[str]) -> Iterator[str]:
    """Each question in five forms, as people type them."""
    for question in questions:
        for form in POLITE:
            yield form.format(question)


def stated(topics: Mapping[str, Topic], question: str, speaker: type[User] = User) -> list[str]:
    """The topics that a user who has a fact for each says something about when asked a question."""
    facts = tuple(Fact(topic, f"<{topic}>") for topic in topics)
    reply = speaker(Agenda(topics, [Intent("it is this.", facts)])).reply(question)
    return [topic for topic in topics if f"<{topic}>" in reply]


def earned(name: str, level: int, seeds: range) -> dict[str, float]:
    """What the lazy players of an environment get in the mean."""
    total: Counter[str] = Counter()
    for seed in seeds:
        task = Address.of(name, seed, level).task()
        for player, policy in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(policy(episode.turn))
            total[player] += episode.score.value
    return {player: value / len(seeds) for player, value in total.items()}


def damaging(
    world: RecordWorld, tool: Tool, numbers: Mapping[str, Iterable[int]], texts: Iterable[str] = ()
) -> str:
    """A call of a tool that changes a world. Its integers are those of a table that a parameter is
    named after, or else small ones.
    """
    rng, words = Random(tool.name), [*texts]
    pools = {name: [*values] for name, values in numbers.items()}
    before = world.changes()
    for _ in range(5_000):
        arguments = {
            name: rng.choice(pools.get(name) or [*world.start.get(name, range(1, 9))])
            if each is int else rng.choice((True, False)) if each is bool
            else rng.choice(words) if each is str else rng.choice(each)
            for name, each in tool.parameters.items()
        }  # fmt: skip
        move = call(tool.name, **arguments)
        world.use(move)
        if world.changes() != before:
            return move
    raise AssertionError(tool.name)
