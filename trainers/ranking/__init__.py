"""Rankings of players by matches against each other: ``palaestra ladder``."""

from palaestra.trainers.ranking.games import Game, GameError, NoReply, games_of, play
from palaestra.trainers.ranking.players import Player, endpoint_player, player
from palaestra.trainers.ranking.ratings import Standing, standings
from palaestra.trainers.ranking.tournament import OtherTournament, Tournament, run_games

__all__ = [
    "Game",
    "GameError",
    "NoReply",
    "OtherTournament",
    "Player",
    "Standing",
    "Tournament",
    "endpoint_player",
    "games_of",
    "play",
    "player",
    "run_games",
    "standings",
]
