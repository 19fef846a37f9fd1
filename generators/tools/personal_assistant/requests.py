"""Requests to an assistant: what they are about, and their wording."""

from typing import Literal, NamedTuple

from palaestra.generators.tools.apps import worded
from palaestra.generators.tools.personal_assistant.policy import weekday

Action = Literal["collect", "todo", "invite", "repay", "reschedule", "share", "settle"]
ACTIONS: tuple[Action, ...] = (
    "collect", "todo", "invite", "repay", "reschedule", "share", "settle",
)  # fmt: skip
"""In the order in which levels add them."""


class Request(NamedTuple):
    """What is wanted. Each action uses some of the fields."""

    action: Action
    title: str = ""
    date: str = ""
    """Of an event, or the date of the meetings."""
    team: str = ""


_FRAMES = {
    "collect": (
        "ask everyone who came to {event} for their share by the note, less what they have paid.",
        "some people who came to {event} still owe me their share. Request the payments.",
        "collect the shares for {event} from those who came: what is missing, and no more.",
        "{event} is not settled yet: request from everybody who came what is still to be paid.",
        "please request the money that I should still get for {event} from the people who came.",
        "by the note on {event}, request the shares that those who came have not paid.",
    ),
    "todo": (
        "make a to-do for each file that somebody of the team {team} asks me for.",
        "people of the team {team} need files from me; add a to-do for each.",
        "go through the messages of the team {team}, and add to-dos for the files they ask for.",
        "each file that the team {team} wants from me should be a to-do.",
        "add to my to-dos the files that people of the team {team} ask for in their messages.",
    ),
    "invite": (
        "invite to {event} everyone of the team {team} who would like to come.",
        "who wants to come to {event} and is of the team {team} should be invited.",
        "of the team {team}, invite those to {event} who write that they would like to come.",
        "please send invitations to {event}: to people of the team {team} who want to come.",
        (
            "look through the messages, and invite to {event} whoever of the team {team} wants to "
            "come."
        ),
    ),
    "repay": (
        "pay back what people advanced for {event}.",
        "several people advanced money for {event}; pay them what they have not got yet.",
        "for {event}, pay everyone what they advanced, less what I have paid already.",
        "please settle what others advanced for {event} by the note.",
        "I owe people money that they advanced for {event}. Pay what is missing.",
    ),
    "reschedule": (
        "move every meeting on {day} with somebody of the team {team} to the next free time.",
        (
            "on {day} I have no time for the team {team}: move my meetings with its people to the "
            "next free time."
        ),
        "meetings on {day} that someone of the team {team} takes part in go to the next free time.",
        "for each meeting with people of the team {team} on {day}: move it to the next free time.",
        "clear {day} of meetings with anyone of the team {team}; each goes to the next free time.",
    ),
    "share": (
        "share the files that the note on {event} lists with the people of the event.",
        "everyone who is invited to {event} should have the files of the note about it.",
        "please give the people of {event} access to the files that its note lists.",
        "the note on {event} lists files; share them with all people of the event.",
        "see to it that all people of {event} have the files in the note.",
    ),
    "settle": (
        "tick off the to-dos about money for '{title}' events that is there by now.",
        "of my to-dos to get money for '{title}' events, complete those that are done.",
        "has the money for '{title}' events come? Complete the to-dos for which it has.",
        "please complete all to-dos about getting money for '{title}' events that are done.",
        "check my to-dos about money for '{title}' events by the payments; tick off what is done.",
    ),
}


def in_words(request: Request, wording: int, number: int) -> str:
    """A request as a sentence, which depends on the wording of the task."""
    day = f"{weekday(request.date)} {request.date}" if request.date else ""
    event = f"the {request.title.lower()} on {day}"
    slots = {"event": event, "day": day, "team": f"'{request.team}'", "title": request.title}
    return worded(_FRAMES[request.action], wording, number, **slots)
