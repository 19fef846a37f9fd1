"""Playing episodes to their end."""

from palaestra.episode import BARE, Episode


def score(task, *moves):
    episode = Episode(task, BARE)
    for move in (*moves, "done"):
        if episode.scores is None:
            episode.step(move)
    return episode.score
