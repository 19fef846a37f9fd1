"""Words and sentences of many scripts."""

import pytest

from palaestra.verifiers.instructions.sentences import split_sentences
from palaestra.verifiers.instructions.text import Text, written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don’t — stop", ["don’t", "stop"]),
        ("mother-in-law's", ["mother-in-law's"]),
        ("a-b-c-d-e", ["a-b-c-d", "e"]),
        ("snake_case **bold**", ["snake_case", "bold"]),
        ("x_y, i.e. _this_", ["x_y", "i.e", "this"]),
        ("__init__ a_b_c_d_e", ["init", "a_b_c_d", "e"]),
        ("E.g. in the U.S.A. at 5 p.m.", ["E.g", "in", "the", "U.S.A", "at", "5", "p.m"]),
        ("a Ph.D. (e.g.) x.y.z", ["a", "Ph.D", "e.g", "x.y.z"]),
        ("U.K.'s M.Sc. B.Scot", ["U.K.'s", "M.Sc", "B", "Scot"]),
        ("e.g.this I.Am a.bc 3.a", ["e.g", "this", "I", "Am", "a", "bc", "3", "a"]),
        ("3.14 1,000,000.5 v2", ["3.14", "1,000,000.5", "v2"]),
        ("end.Start", ["end", "Start"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("안녕 세계", ["안녕", "세계"]),
        ("日本・かな", ["日", "本", "か", "な"]),
        ("naïve cafe\u0301", ["naïve", "cafe\u0301"]),
        ("... - ' !", []),
    ],
    ids=ascii,
)
def test_words_of_many_scripts(text, words):
    assert written(text) == words


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Mr. Smith met Dr. No. They talked.", 2),
        ("I have pets, e.g. a cat. i.e. one.", 2),
        ("Pi is 3.14. It goes on.", 2),
        ("Well... maybe. Or… perhaps.", 2),
        ("Well... Maybe.", 2),
        ('"Stop!" he said. "Why?"', 2),
        ('"Stop!" He left.', 2),
        ("J. K. Rowling wrote it.", 1),
        ("So did I. Then I left.", 2),
        ("At 5 p.m. we left. At 6 p.m. They came.", 3),
        ("Cats, dogs, etc. were there.", 1),
        ("Cats, dogs, etc. Then mice.", 2),
        ("See No. 5. No. I will not.", 3),
        ("all small. still two.", 2),
        ("What?! No way!!!", 2),
        ("No end", 1),
        ("Visit example.com today.", 1),
        ("你好。再见！", 2),
        ("ठीक है। चलो।", 2),
        ("१. ... !", 1),
        ("(One.) [Two.] **Three.** 'Four.'", 4),
        ("Hello． World．", 2),
        ("Plan B. Go.", 2),
        ("We took option A. Then we left.", 2),
        ("Take vitamin C. It helps.", 2),
        ("I got an A. Great!", 2),
        ("Choose A, B or C. Then stop.", 2),
        ("See Fig. A. It is there.", 2),
        ("Let x = A. Then y = B. Done.", 3),
        ("Plan B. was there.", 1),
        ("She has a Ph.D. in physics.", 1),
        ("She has a Ph.D. He has an M.Sc. Both work.", 3),
        ("John F. Kennedy came with J. Smith and A. B. Jones.", 1),
        ("A. Smith and the Plan of C. Doe.", 1),
    ],
    ids=ascii,
)
def test_sentences_end_where_the_rule_says(text, number):
    assert len([s for s in split_sentences(text) if written(s)]) == number
    assert len(Text(text).sentences) == number


def test_lists_and_headings_are_sentences_of_their_own():
    assert (
        len(Text("# Title\nText one\nruns on.\n- item\n- item two\n1. first\n2. second").sentences)
        == 6
    )
