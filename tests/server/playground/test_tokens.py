"""Services that ask for a token."""

from tests.server.playground.browser import KNIGHTS, Page, slow, snippet

from palaestra import Address
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings


@slow
def test_a_token_is_asked_for_and_kept_in_the_tab_alone(browser):
    with background_server(build(Settings(("sesame",)))) as where:
        page = Page(browser, where)
        page.go(f"#/{KNIGHTS}@2?seed=5&level=2", "dialog")
        for given in ("wrong", "sesame"):
            page.locator("#token-box").fill(given)
            page.get_by_role("button", name="Sign in").click()
            if given == "wrong":
                page.wait("dialog label", "does not accept")
        page.wait(".stage p")
        page.reply(Address.of(KNIGHTS, 5, 2).task().answer())
        page.wait(".score.right")
        assert page.evaluate("Object.values(sessionStorage)") == ["sesame"]
        assert (
            page.evaluate("JSON.stringify(localStorage) + document.cookie + location.href").find(
                "sesame"
            )
            < 0
        )
        assert "$PALAESTRA_TOKEN" in snippet(page, "curl")
        assert all("sesame" not in snippet(page, name) for name in ("curl", "Python", "TRL"))
        page.reload()
        page.wait(".stage p")
        page.get_by_role("button", name="Forget token").click()
        page.wait("dialog")
        assert page.evaluate("sessionStorage.length") == 0
        page.keyboard.press("Escape")
        assert "token" in page.wait(".problem").inner_text()
        page.close()
