"""Scores and transcripts that several tests use."""

import struct

from palaestra.task import Score
from palaestra.verifiers.shaping import Format, Transcript

RIGHT, WRONG = Score(1.0), Score(0.0)


def float32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def bfloat16(number):
    """The upper half of a float32, rounded to even."""
    (bits,) = struct.unpack("I", struct.pack("f", number))
    bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("f", struct.pack("I", bits & 0xFFFF0000))[0]


def paid(recipe, score, tokens=None, reply="", **transcript):
    return recipe(score, Transcript(reply, tokens, **transcript))


GATE = Format(tags=["a"])
OPEN, SHUT = "<a>1</a>", "1"
