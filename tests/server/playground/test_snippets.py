"""The code that the playground shows."""

import json
import shutil
import subprocess
import sys
from types import ModuleType

import pytest
from tests.server.playground.browser import KNIGHTS, MASTERMIND, Page, episode, slow, snippet

from palaestra import Address
from palaestra.episode import TAGS


@slow
@pytest.mark.parametrize("env", [KNIGHTS, MASTERMIND])
def test_snippets_say_what_the_page_shows(page, env, capsys, monkeypatch):
    """Quotes and line breaks of a reply come through the shell and through Python."""
    reply = 'it\'s "this"\n\\n $HOME `x` é'
    address = Address.of(env, 4, 1, "eval")
    page.go(f"#/{env}@{address.version}?level=1&seed=4&split=eval", ".replying")
    page.reply(reply)
    page.wait(".score, .replied")
    page.wait(".snippets code", "HOME")
    curl = snippet(page, "curl")
    if shutil.which("curl"):
        out = subprocess.run(["sh", "-c", curl], capture_output=True, check=True).stdout
        result = json.loads(out)
        assert result["address"] == str(address)
        assert result["extracted"] == reply
    shared = {}
    exec(compile(snippet(page, "Python"), "snippet", "exec"), shared)  # noqa: S102  # it is our own
    replies = shared["replies"]
    assert (replies if env == KNIGHTS else replies[0]) == TAGS.write(reply)
    assert str(shared["score"]) in capsys.readouterr().out

    pytest.importorskip("datasets")
    trainers = []
    trl = ModuleType("trl")
    trl.GRPOTrainer = lambda **options: trainers.append(options) or trl
    trl.train = lambda: None
    monkeypatch.setitem(sys.modules, "trl", trl)
    code = snippet(page, "TRL").replace("range(1_000)", "range(5)")
    exec(compile(code, "snippet", "exec"), {})  # noqa: S102
    row = trainers[0]["train_dataset"][4]
    assert row["address"] == str(address)
    assert row["prompt"][0]["content"] == episode(env, 4, 1, split="eval").observation


@slow
def test_what_is_copied(browser, url):
    page = Page(browser, url, permissions=["clipboard-read", "clipboard-write"])
    page.go(f"#/{KNIGHTS}@2?level=1&seed=4", ".stage p")
    read = "navigator.clipboard.readText()"
    page.locator(".snippets").get_by_role("button", name="Copy").click()
    page.wait(".snippets button", "Copied")
    assert page.evaluate(read) == page.locator(".snippets code").text_content()
    page.get_by_role("button", name="Copy prompt").click()
    page.wait(".puzzle button", "Copied")
    assert page.evaluate(read) == episode(KNIGHTS, 4, 1).observation
    page.get_by_role("button", name="Copy link").click()
    page.wait(".looks button", "Copied")
    assert page.evaluate(read) == f"{url}/play#/{KNIGHTS}@2?level=1&seed=4"
    page.close()
