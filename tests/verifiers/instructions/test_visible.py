"""Only what a reader sees counts."""

import pytest

from palaestra.verifiers.instructions import Instruction, visible
from palaestra.verifiers.instructions.visible import looks


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a<!-- b -->c", "ac"),
        ("a<!-- b", "a"),
        ("a<!-->b", "ab"),
        ("a<!-- b --> c <!-- d -->", "a c "),
        ("a\u200bb\u2060c\ufeff", "abc"),
        ("a\U000e0062\U000e0063b", "ab"),
        ("a\u202eb\u2066c\u200f", "abc"),
        ("a\u00adb\u034fc\u3164d\u2800", "abcd"),
        ("x\ufe0fy\U000e0100", "xy"),
        ("a\x00b\x07\x1bc\ud800", "abc"),
        ("[//]: # (b c d)\na", "\na"),
        ("[x]: http://y 'z'\na", "\na"),
        ("[^1]: a note", "[^1]: a note"),
        ("[a]: b c d", "[a]: b c d"),
        ("[a](http://b 'c')", "a"),
        ("![a](http://b)c", "c"),
        ("<b>a</b><i class='x'>b</i>", "ab"),
        ("a<br>b", "a\nb"),
        ("<p>a</p><p>b</p>", "\na\n\nb\n"),
        ("a<span hidden>b</span>c", "ac"),
        ('a<div style="display: none">b<div>c</div>d</div>e', "a\ne"),
        ("a<script>b</script>c<style>d", "ac"),
        ("a<SPAN STYLE='font-size:0'>b</SPAN>c", "ac"),
        ("vector<int> x<y", "vector<int> x<y"),
        ("<<A title>>", "<<A title>>"),
        ("a&nbsp;b", "a\xa0b"),
        ("a&#8203;b&ZeroWidthSpace;", "ab"),
        ("&#115;ecret &amp;lt;", "secret &lt;"),
        ("AT&T; &unknown;", "AT&T; &unknown;"),
        ("&lt;!-- a --&gt;", "<!-- a -->"),
        ("<!\u200b-- a -->", "<!-- a -->"),
        ("`<!-- a -->` b", "`<!-- a -->` b"),
        ("```\n<!-- a -->\n```\nb", "```\n<!-- a -->\n```\nb"),
        ("<!--\n```\n-->\nb", "\nb"),
        ("```\n<b>a\u200b", "```\n<b>a"),
        ("a\r\nb\u2028c", "a\nb\nc"),
    ],
    ids=ascii,
)  # fmt: skip
def test_only_what_is_seen_is_left(text, seen):
    assert visible(text) == seen


PADDING = (
    "<!-- {} -->", "<span style='display:none'>{}</span>", "<div hidden>{}</div>", "[//]: # ({})",
    "<script>{}</script>", "<!-- {}", "<template>{}</template>",
)  # fmt: skip


@pytest.mark.parametrize("hiding", PADDING)
def test_hidden_text_counts_for_nothing(hiding):
    text = "Two words.\n" + hiding.format("forty, two? words: beta BETA 42 " * 8)
    for kind, values in (
        ("words_exactly", {"n": 2}),
        ("exclude_words", {"words": ["beta"]}),
        ("no_commas", {}),
        ("no_digits", {}),
        ("sentences_exactly", {"n": 1}),
        ("last_word", {"word": "words"}),
    ):
        assert Instruction(kind, **values).kept(text), kind
    assert not Instruction("include_words", words=["beta"]).kept(text)


def test_padding_with_invisible_signs_counts_for_nothing():
    for sign in "\u200b\u2060\u00ad\u3164\U000e0041\ufeff":
        assert not Instruction("characters_at_least", n=20).kept("short" + sign * 100)
        assert not Instruction("paragraphs_at_least", n=2).kept(f"a\n\n{sign}\n\n{sign}")
    assert not Instruction("words_at_least", n=5).kept("one" + "&nbsp;" * 50)


def test_a_word_is_compared_as_it_looks():
    assert looks("ｆｉｒｓｔ") == looks("first") == looks("ﬁrst") == looks("FIRST")
    assert looks("сор") == "cop"
    assert looks("рост") == "рост"
    assert looks("Straße") == looks("STRASSE")
