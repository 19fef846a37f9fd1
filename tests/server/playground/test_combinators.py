"""Combinators in the playground."""

from tests.server.playground.browser import slow

from palaestra import Address, Episode
from palaestra.episode import TAGS

BASE = "arithmetic/long_multiplication"


def prompt(name):
    return Episode(Address.of(name, 3, 2).task(), TAGS).observation


@slow
def test_combinators_are_added_and_removed(page):
    """The level and the seed stay; the score is that of the combination."""
    page.go(f"#/{BASE}?level=2&seed=3", ".combining")
    page.locator(".combining summary").click()
    page.locator(".combining select").first.select_option("batch")
    page.locator(".combining input").fill("2")
    page.locator(".combining .primary").click()
    page.wait("h1", "batch(2)")
    assert "level=2&seed=3" in page.hash("batch(2)")
    page.expect_text(prompt(f"{BASE}+batch(2)"))
    (answer,) = Address.of(f"{BASE}+batch(2)", 3, 2).task().solve()
    page.reply(TAGS.write(answer))
    page.wait(".score", "1")

    page.locator(".combining select").first.select_option("confidence")
    page.locator(".combining .primary").click()
    page.wait("h1", "confidence")
    page.expect_text(prompt(f"{BASE}+batch(2)+confidence"))
    page.locator('[aria-label="Remove batch(2)"]').click()
    page.until("() => !location.hash.includes('batch')")
    page.expect_text(prompt(f"{BASE}+confidence"))


@slow
def test_the_name_of_a_combination_has_all_arguments(page):
    page.go(f"#/{BASE}+retry?level=2&seed=3", ".combining")
    page.hash("retry(3%2Cverdict)")
    page.wait(".combining .hint", "No further combinator applies")
    page.reply(TAGS.write("1, 2, 3, 4"))
    page.wait(".stage", "Try again")
