"""Tests of verifiers/reading/headings."""

import pytest

from palaestra.verifiers.reading.headings import LENGTH, unheaded

NOUNS = ("edge", "edges", "walk")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Edges: A-B, C-D", "A-B, C-D"),
        ("edges = A-B", "A-B"),
        ("**Edges**: A-B", "A-B"),
        ("**Chosen edges:** A-B", "A-B"),
        ("The chosen edges are A-B and C-D.", "A-B and C-D"),
        ("The shortest walk is: A, B", "A, B"),
        ("Edges:\nA-B\nC-D", "A-B\nC-D"),
        ("Answer: A-B", "A-B"),
        ("`Edges: A-B`", "A-B"),
        ('{"edges": "A-B"}', "A-B"),
        ('{"chosen_edges": ["A-B", "C-D"]}', "A-B, C-D"),
        ('{"edges": [["A", "B"]]}', '[["A", "B"]]'),
        ('{"answer": [2, 7]}', "2, 7"),
        ('{"answer": 85}', "85"),
        # These stay as they are, and the reader refuses them.
        ("Other edges: A-B", "Other edges: A-B"),
        ("Not edges: A-B", "Not edges: A-B"),
        ("edges A-B", "edges A-B"),
        ("Edges:", "Edges:"),
        ("Edges == A", "Edges == A"),
        ('{"not edges": "A-B"}', '{"not edges": "A-B"}'),
        ('{"edges": "A-B", "walk": "A"}', '{"edges": "A-B", "walk": "A"}'),
        ('{"edges": null}', '{"edges": null}'),
        ("A-B, C-D", "A-B, C-D"),
        ("", ""),
    ],
)
def test_headings(text, rest):
    assert unheaded(text, NOUNS) == rest


def test_long_and_deep_texts_stay_as_they_are():
    long = "Edges: " + "A-B " * LENGTH
    assert unheaded(long, NOUNS) == long
    deep = "{" * 5_000 + "}" * 5_000
    assert unheaded(deep, NOUNS) == deep
    assert unheaded('{"edges": ' + "[" * 4_000 + "]" * 4_000 + "}", NOUNS).startswith("{")


def test_a_key_with_two_values_is_left_to_the_reader():
    text = '{"answer": "A", "answer": "B"}'
    assert unheaded(text, ["answer"]) == text
