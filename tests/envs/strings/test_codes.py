"""Codes of texts and their inverses."""

from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.strings.burrows_wheeler import restored, transformed
from palaestra.envs.strings.repeat_decoding import expanded
from palaestra.generators.strings.phrase_codes import copied, copies, entries, phrased

texts = st.text("abc", min_size=1, max_size=40)


@given(texts)
def test_decoding_inverts_encoding(text):
    assert restored(transformed(text)) == text
    assert copied(copies(text)) == text
    assert phrased(entries(text)) == text


def test_the_classic_transform():
    assert transformed("banana") == "annb!aa"


def test_nested_repeats():
    assert expanded("2(a3(bc)2d)e") == ("a" + "bc" * 3 + "dd") * 2 + "e"
