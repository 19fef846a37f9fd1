"""Replies and scores of single-turn tasks, in a browser."""

import pytest
from tests.server.playground.browser import KNIGHTS, Page, episode, slow

from palaestra import Address
from palaestra.registry import load
from palaestra.server.launcher import background_server

HOSTILE = "<script>hacked = 1</script><img src=x onerror='hacked = 1'><b>bold</b>"


@slow
def test_wrong_and_right_replies(page):
    env = "language/constrained_text"
    right = Address.of(env, 1, 2).task().answer()
    page.go(f"#/{env}@{load(env).version}?level=2&seed=1", ".stage p")
    page.reply("I think so: <answer>Nothing is right.</answer> There.")
    score = page.wait(".score")
    assert score.locator(".value").inner_text() != "1"
    assert score.locator("mark").inner_text() == "Nothing is right."
    result = episode(env, 1, 2, "Nothing is right.").result()
    assert result.reason in score.inner_text()
    for name, value in result.parts.items():
        part = score.locator(".part", has_text=name.replace("_", " "))
        assert part.locator("dd").inner_text() == f"{value:.3g}"
    page.reply(right)
    score = page.wait(".score.right")
    assert score.locator(".value").inner_text() == "1"
    assert score.locator("mark").inner_text() == right
    assert score.get_attribute("data-status") == "scored"
    assert page.locator(".score").count() == 2
    page.locator(".replying .check input").uncheck()
    page.reply("untagged")
    page.wait(".score[data-status=no_answer]")
    assert page.locator(".score").first.locator("mark").count() == 0


@slow
def test_markup_in_replies_stays_text(page):
    page.go(f"#/{KNIGHTS}@2", ".stage p")
    page.reply(HOSTILE)
    page.wait(".score")
    assert page.locator(".score pre.reply").text_content() == f"<answer>{HOSTILE}</answer>"
    page.go("#/tools/meeting_desk@2", ".toolbox")
    page.reply(HOSTILE)
    page.wait(".replied")
    assert page.locator(".replied pre.reply").text_content() == f"<answer>{HOSTILE}</answer>"
    page.get_by_label("person").fill(HOSTILE)
    page.get_by_role("button", name="Call agenda").click()
    page.until("document.querySelectorAll('.replied').length === 2")
    assert page.locator("main script, main img, main b:not(.knob b)").count() == 0
    assert page.evaluate("typeof hacked") == "undefined"


WEIRD = f'''"""A puzzle of a test."""

from palaestra.task import Puzzle, Score, ladder


class Markup(Puzzle):
    """{HOSTILE}"""

    tags = {{"{HOSTILE}"}}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(1, 2)

    number: int

    @classmethod
    def generate(cls, rng, knobs):
        return cls(number=rng.randrange(10**6))

    def prompt(self):
        return "{HOSTILE}"

    def answer(self):
        return str(self.number)

    def verify(self, answer):
        return Score(0.5, "{HOSTILE}", {{"{HOSTILE}": 0.5}})
'''


@slow
def test_markup_from_environments_stays_text(browser, other_distribution):
    """Also an environment of somebody else's, of which the catalog knows nothing."""
    other_distribution("weird", {"markup": WEIRD})
    with background_server() as where:
        page = Page(browser, where)
        page.go("#/weird/markup", ".stage p")
        assert HOSTILE in page.locator(".stage").text_content()
        page.reply("x")
        score = page.wait(".score.partly")
        assert score.locator(".reason").text_content() == HOSTILE
        assert score.locator(".part dt").text_content() == HOSTILE.replace("_", " ")
        assert page.locator("main script, main img, main b:not(.knob b)").count() == 0
        assert page.evaluate("typeof hacked") == "undefined"
        page.close()


@slow
def test_not_even_our_own_code_makes_markup_of_text(page):
    page.go(wait=".entry")
    with pytest.raises(Exception, match="TrustedHTML"):
        page.evaluate("document.body.innerHTML = '<b>x</b>'")
    page.wrong.clear()  # the policy has logged that


@slow
def test_a_service_that_cannot_be_reached(page):
    page.go(f"#/{KNIGHTS}@2?seed=5&level=2", ".stage p")
    page.context.set_offline(True)
    page.reply(Address.of(KNIGHTS, 5, 2).task().answer())
    assert "cannot be reached" in page.wait(".problem").inner_text()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.wait(".score.right")


@slow
@pytest.mark.parametrize("answer_format", ["tags-last", "boxed-same", "tags-last-truncated"])
def test_answer_formats_with_options_are_marked_like_those_without(page, answer_format):
    answer = Address.of(KNIGHTS, 1, 1).task().answer()
    page.go(f"#/{KNIGHTS}?level=1&seed=1&answer_format={answer_format}", ".replying")
    page.reply(answer)
    assert page.wait(".score.right mark").inner_text() == answer
