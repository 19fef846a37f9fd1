"""Tool worlds: calls of all kinds, and what the player is told of the tools."""

import json
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from palaestra import InvalidAnswer, Score
from palaestra.toolbox import World, call, manual, schemas, tool


class Lamp(World):
    """A lamp."""

    def __init__(self):
        self.on = 0

    @tool
    def dim(self, level: int, room: str = "hall") -> str:
        """Set how bright
        the lamp is."""
        if level > 10:
            raise InvalidAnswer("it is not that bright")
        self.on = level
        return f"{room}: {level}"

    def secret(self) -> str:
        return "not a tool"

    def state(self):
        return f"lamp {self.on}"

    def progress(self):
        return min(self.on, 10) / 10


class TwoLamps(Lamp):
    """A lamp with one tool more."""

    @tool
    def off(self) -> str:
        """Turn it off."""
        self.on = 0
        return "off"


@pytest.mark.parametrize(
    ("move", "observation"),
    [
        (call("dim", level=3), "hall: 3"),
        (call("dim", level=3, room="attic"), "attic: 3"),
        ('{"name": "dim", "arguments": {"level": 4}}', "hall: 4"),
        (call("dim", level=99), "Error: it is not that bright"),
        (call("dim"), "Error: level: Field required"),
        (call("dim", level="much"), "Error: level: Input should be a valid integer"),
        (call("dim", level=3, colour="red"), "Error: colour: Extra inputs are not permitted"),
        (call("secret"), "Error: there is no tool 'secret'; there is dim"),
        (call("__init__"), "Error: there is no tool '__init__'; there is dim"),
        ("dim(3)", "Error: call: Invalid JSON"),
        ("[]", "Error: call: Input should be an object"),
        ('{"tool": "dim", "args": {"level": 3}, "x": 1}', "Error: x: Extra inputs"),
    ],
)
def test_calls(move, observation):
    assert Lamp().use(move).startswith(observation)


@given(st.text(max_size=40) | st.dictionaries(st.text(max_size=5), st.integers()).map(json.dumps))
def test_nonsense_changes_nothing(move):
    lamp = Lamp()
    assert lamp.use(move).startswith("Error: ")
    assert lamp.on == 0


def test_manual_and_schemas_say_the_same():
    assert manual(Lamp) == "- dim(level: int, room: str = 'hall'): Set how bright the lamp is."
    (function,) = schemas(Lamp)
    assert function["function"]["name"] == "dim"
    assert function["function"]["parameters"]["required"] == ["level"]
    assert function["function"]["parameters"]["additionalProperties"] is False
    assert {f["function"]["name"] for f in schemas(TwoLamps)} == {"dim", "off"}
    json.dumps(schemas(TwoLamps))


def step(session, move):
    try:
        return session.send(move) if isinstance(move, str) else session.throw(move)
    except StopIteration:
        return None


def test_a_session_goes_on_until_done_or_out_of_calls():
    lamp = Lamp()
    session = lamp.session("Light it.", calls=4)
    turn = next(session)
    assert "Light it." in turn.observation
    assert "4 calls" in turn.observation
    assert turn.state == "3 lamp 0"
    turn = step(session, call("dim", level=5))
    assert (turn.observation, turn.reward, turn.state) == ("hall: 5", 0.5, "2 lamp 5")
    turn = step(session, InvalidAnswer("nothing said"))
    assert (turn.observation, turn.reward) == ("Error: nothing said", 0)
    assert step(session, " DONE ") is None
    out = Lamp().session("Light it.", calls=1)
    next(out)
    assert step(out, call("dim", level=1)) is None
    assert Score(1).correct
    assert World().state() == ""
    assert World().progress() == 0


def test_bounds_stand_in_the_schema_and_not_in_the_words():
    class Oven(World):
        """An oven."""

        @tool
        def heat(self, degrees: Annotated[int, Field(ge=50, le=250)], fan: bool = False) -> str:
            """Heat it."""
            return f"{degrees}"

    assert manual(Oven) == "- heat(degrees: int, fan: bool = False): Heat it."
    (schema,) = schemas(Oven)
    assert schema["function"]["parameters"]["properties"]["degrees"]["maximum"] == 250
    assert "Error: degrees" in Oven().use(call("heat", degrees=300))
