"""An endpoint of the tests that says what users say in other words."""

import re
from contextlib import contextmanager
from threading import Thread

from tests.verifiers.judges.stubs import JSON, Stub, completion

CANNED = {
    "Say that there is nothing else": "Nope, that would be all, cheers.",
    "Say that you do not know": "Beats me, no idea.",
    "Say that you do not understand": "Hm, what exactly do you mean?",
    "Agree": "Yes, sounds good.",
    "Object": "No, certainly not.",
    "Say that you have changed your mind": "Actually, I would rather have this.",
    "Say that what you said before": "Oh, sorry, I mixed that up.",
    "Accept that this cannot be done, and ask": "Pity, then the following instead.",
    "Accept that this cannot be done, and want": "Well, never mind then.",
}
"""What an endpoint says for each act, before the sentence in it."""


def content(line):
    """The sentence in an act."""
    return re.sub(r" Repeat .*", "", line.partition("ay: " if "ay: " in line else "swer: ")[2])


def acts_of(body):
    """The acts that a request asks for, as lines."""
    text = body["messages"][-1]["content"]
    return [line[2:] for line in text.splitlines() if line.startswith("- ")]


def rephrased(body):
    """Every act in other words."""
    parts = []
    for line in acts_of(body):
        before = next((words for start, words in CANNED.items() if line.startswith(start)), "Mhm.")
        parts.append(f"{before} {content(line)}".strip())
    return " ".join(parts)


def speaks(words=rephrased):
    """A behaviour that says what a function makes of a request."""
    return lambda handler, body, number: handler.reply(200, completion(words(body)), JSON)


@contextmanager
def worded():
    """A server that says every act in other words."""
    server = Stub()
    server.behave = speaks()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.end.set()
        server.shutdown()
        thread.join()
        server.server_close()
