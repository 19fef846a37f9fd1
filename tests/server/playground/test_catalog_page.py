"""The catalog and the choice of a task, in a browser."""

import re

import httpx2 as httpx
from tests.server.playground.browser import KNIGHTS, episode, slow

from palaestra.client import Client


@slow
def test_browsing_and_searching(page, url):
    with Client(url) as client:
        cards = client.environments()
    page.go(wait=".entry")
    assert page.locator(".entry:visible").count() == len(cards)
    page.locator("#search").press_sequentially("knav")
    page.hash("q=knav")
    assert page.locator(".entry:visible").all_inner_texts()[0].startswith("Knights and knaves")
    assert page.locator(".entry:visible").count() == len(
        [c for c in cards if "knav" in str(c).lower()]
    )
    page.locator("#search").fill("no such thing")
    assert page.locator(".entry:visible").count() == 0
    assert "No environment" in page.wait(".seek [role=status]").inner_text()
    page.locator("#search").fill("")
    page.get_by_role("button", name=re.compile(r"^Games \d")).click()
    page.get_by_role("button", name="hidden-state").click()
    page.hash("category=games", "tag=hidden-state")
    matches = [c for c in cards if c["category"] == "games" and "hidden-state" in c["tags"]]
    assert page.locator(".entry:visible").count() == len(matches)
    page.reload()
    page.wait(".entry:visible")
    assert page.locator(".entry:visible").count() == len(matches)
    page.locator(".entry:visible", has_text="Mastermind").click()
    page.wait("h1", "Mastermind")
    page.go_back()
    page.wait("h1", f"{len(cards)} environments")
    assert page.locator(".entry:visible").count() == len(matches)


@slow
def test_a_card(page, url):
    card = httpx.get(f"{url}/v1/environments/games.mastermind@1").json()
    page.go("#/games/mastermind@1?level=2", ".figure")
    assert page.locator(".lede").inner_text() == card["summary"]
    text = page.locator(".card").inner_text()
    assert card["fingerprint"] in text
    assert f"0 to {card['levels'] - 1}" in text
    difficulty = page.locator(".figure", has_text="Difficulty")
    assert difficulty.locator("polyline").get_attribute("points").count(",") == card["levels"]
    assert difficulty.locator(".amount").inner_text() == f"{card['measured']['difficulty'][2]:,.0f}"
    assert page.locator(".figure", has_text="Verify").locator("rect.own").count() == 1
    page.keyboard.press("]")
    page.hash("level=3")
    at_3 = f"{card['measured']['tokens'][3]:,.0f}"
    assert page.wait(".figure:has-text('Tokens') .amount", at_3)


@slow
def test_level_seed_split_and_knobs(page):
    page.go(f"#/{KNIGHTS}@2", ".stage p")
    page.expect_text(episode(KNIGHTS, 0, 0).observation)
    page.locator(".level input").press("ArrowRight")
    page.expect_text(episode(KNIGHTS, 0, 1).observation)
    page.get_by_label("Next seed").click()
    page.get_by_label("Next seed").click()
    page.get_by_label("Previous seed").click()
    page.expect_text(episode(KNIGHTS, 1, 1).observation)
    page.get_by_label("Seed", exact=True).fill("77")
    page.get_by_label("Seed", exact=True).press("Enter")
    page.expect_text(episode(KNIGHTS, 77, 1).observation)
    page.locator(".segments label", has_text="eval").click()
    page.expect_text(episode(KNIGHTS, 77, 1, split="eval").observation)
    page.locator(".byhand summary", has_text="Knobs").click()
    page.get_by_label("people").fill("6")
    page.get_by_label("people").press("Enter")
    page.expect_text(episode(KNIGHTS, 77, 1, split="eval", people=6).observation)
    where = page.hash("level=1", "seed=77", "split=eval", "knob.people=6")
    page.go(where, ".stage pre")
    page.expect_text(episode(KNIGHTS, 77, 1, split="eval", people=6).observation)
    assert page.locator(".level output").inner_text().startswith("1 of")
    assert page.get_by_label("Seed", exact=True).input_value() == "77"
    page.get_by_role("button", name="Random seed").click()
    page.until("!location.hash.includes('seed=77')")
    page.locator(".segments label", has_text="boxed").click()
    page.hash("answer_format=boxed")
    page.wait(".stage", "\\boxed{}")


@slow
def test_a_link_to_another_version_says_so(page):
    page.go(f"#/{KNIGHTS}@99?seed=3", ".problem")
    assert "version" in page.locator(".problem").inner_text()
    page.get_by_role("link", name="Open the installed version").click()
    page.wait(".stage")
    page.go("#/logic/knights", ".problem")
    assert "knights_and_knaves" in page.locator(".problem").inner_text()


@slow
def test_matrices_and_mazes_are_drawn_as_they_are(page):
    path = "graphs/shortest_path"
    graphs = (episode(path, n, 2).task.graph for n in range(200))
    matrix = next(  # one whose nodes are numbers
        n for n, it in enumerate(graphs) if it.encoding == "matrix" and it.names[0].isdigit()
    )
    for env, level, seed in ((path, 2, matrix), ("planning/sokoban", 2, 1), ("grids/sudoku", 1, 1)):
        page.go(f"#/{env}?level={level}&seed={seed}", ".stage .prose pre")
        observation = re.sub(r"\s", "", episode(env, seed, level).observation)
        assert re.sub(r"\s", "", page.locator(".stage .prose").text_content()) == observation


@slow
def test_the_best_match_stands_first(page):
    for words, best in (
        ("tic tac", "Tic tac toe"),
        ("sudoku", "Sudoku"),
        ("path shortest", "Shortest path"),
    ):
        page.go("", "#search")
        page.locator("#search").fill(words)
        page.wait(".group[aria-label='Results'] .entry")
        assert page.locator("#listing .entry:visible h3").first.inner_text() == best
    page.locator("#search").fill("")
    page.wait(".group.first .shot")
    assert page.locator(".group[aria-label='Results']").is_hidden()


@slow
def test_a_dozen_environments_are_shown_with_pictures(page):
    page.go("", ".group.first .scene svg")
    tiles = page.locator(".group.first .shot")
    assert tiles.count() == 12
    tiles.first.click()
    page.wait(".stage")
    assert "grids/sudoku" in page.hash("sudoku")
