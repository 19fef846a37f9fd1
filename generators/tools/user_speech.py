"""How users speak: frames for each act of a conversation, hesitation, remarks and typing slips."""

from collections.abc import Mapping, Sequence
from random import Random

HELD_OUT = 2
"""So many frames of each act, its last ones, are those of users of tasks for evaluation alone."""

FRAMES: Mapping[str, tuple[str, ...]] = {
    "opening": (
        "Hello, {}", "Hi there, {}", "Good morning, {}", "Hello. I hope you can help me: {}",
        "Hi, {} Can you help?", "Good afternoon. {}", "Hey, quick one: {}", "Hello again. {}",
    ),
    "another": (
        "Yes, one more thing: {}", "Actually yes, {}", "There is something else: {}",
        "While I am at it, {}", "Yes please, {}", "One more: {}", "Right, the next one: {}",
    ),
    "nothing more": (
        "No, that is all.", "That is everything, thank you.", "Nothing else, thanks.",
        "No, nothing more.", "I think we are done.", "That would be all.", "No, we are good.",
    ),
    "unknown": (
        "I do not know that.", "No idea, sorry.", "I have no idea about that.",
        "I would have to guess, so I leave that to you.", "That I cannot tell you.",
        "I do not have that at hand.", "You would know that better than me.",
    ),
    "not understood": (
        "Sorry, what do you mean?", "I do not understand what you need from me.",
        "Could you put that differently?", "I am not sure what you are asking.",
        "Can you ask me something more precise?", "Pardon?", "I did not get that.",
    ),
    "agreement": (
        "Yes, please do.", "Yes, that is right.", "Yes, go on.", "Exactly, thank you.",
        "That is fine with me.", "Yes, please.", "Correct, do it.",
    ),
    "objection": (
        "No, that is not what I want. {}", "No, wait. {}", "That is wrong. {}",
        "Not like that. {}", "No. {}", "Hold on, no. {}", "You have mixed something up. {}",
    ),
    "changed": (
        "Hm, I have changed my mind. {}", "Wait, I would rather have it differently. {}",
        "Actually, no, let me think. {}", "On second thoughts: {}", "Oh, one change first. {}",
        "Sorry, I want something else after all. {}", "Now that you say it: {}",
    ),
    "corrected": (
        "Let me look again. {}", "Oh, I misread that. {}", "Sorry, that was wrong. {}",
        "I have it in front of me now. {}", "My mistake. {}", "Hm, let me check. {}",
        "You are right to ask again. {}",
    ),
    "instead": (
        "Too bad. Then something else instead: {}", "Then do this instead: {}",
        "If that does not work: {}", "Hm, my second choice then. {}", "Okay, plan B: {}",
        "In that case: {}", "All right, the other way then. {}",
    ),
    "acceptance": (
        "Too bad, then leave it as it is.", "Okay, then not.", "I see. Leave it, then.",
        "That is a pity, but fine.", "Understood.", "Oh well, never mind.",
        "Fine, then we skip it.",
    ),
    "did": (
        "Done. {}", "I have done that. {}", "Okay, one moment. {}", "So, I did it. {}",
        "Right, that is done. {}", "Just did it. {}", "There we go. {}",
    ),
}  # fmt: skip
"""For each act, ways to say it, some with a slot. All but the last two are those of training."""

HESITATION = (
    "", "", "", "", "Hm. ", "Well... ", "So... ", "Let me see. ", "Ah... ", "Okay. ", "Right. ",
)  # fmt: skip
REMARKS = (
    "", "", "", "", "", "", " It is raining here.", " I am in a hurry.", " Sorry for the bother.",
    " Thanks for your patience.", " My neighbour had the same trouble.", " I hope that helps.",
    " I have to leave in a minute.", " This is my lunch break.", " I like your new logo.",
)  # fmt: skip


class Voice:
    """The speech of one user. What is said is a function of the random generator that is given.

    >>> Voice(1).act(Random(3), "unknown")
    'No idea, sorry.'
    """

    def __init__(self, seed: int, is_held_out: bool = False) -> None:
        self.seed, self.is_held_out = seed, is_held_out
        self.slips = Random(f"{seed} slips").random() < 0.3

    def frame(self, rng: Random, frames: Sequence[str]) -> str:
        """One of several frames, the last ones of which are for evaluation, if there are many."""
        few = len(frames) <= HELD_OUT + 2
        return rng.choice(frames if self.is_held_out or few else frames[:-HELD_OUT])

    def act(self, rng: Random, act: str, text: str = "") -> str:
        """An act in words, with a text in its slot."""
        frame = self.frame(rng, FRAMES[act])
        return self._slipped(rng, frame).format(text)

    def opening(self, rng: Random, text: str) -> str:
        """The first message of a conversation. After a full stop its text has a capital letter."""
        opening = self.act(rng, "opening", "{}")
        before = opening.partition("{}")[0].rstrip()
        text = text[:1].upper() + text[1:] if before.endswith(".") else text
        return opening.format(text) + rng.choice(REMARKS)

    def joined(self, rng: Random, parts: Sequence[str]) -> str:
        """Sentences as a message."""
        return rng.choice(HESITATION) + " ".join(parts) + rng.choice(REMARKS)

    def _slipped(self, rng: Random, frame: str) -> str:
        """A frame with two letters of a word in the wrong order, where the user types so."""
        words = frame.split(" ")
        long = [n for n, word in enumerate(words) if len(word) > 4 and word.isalpha()]
        if not self.slips or not long or rng.random() < 0.6:
            return frame
        chosen = rng.choice(long)
        word, at = words[chosen], rng.randrange(1, len(words[chosen]) - 2)
        words[chosen] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return " ".join(words)
