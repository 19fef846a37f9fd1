"""The playground: its files, and its page in a real Chromium.

The tests of the page are slow, and are skipped, saying so, where Playwright or a Chromium is
missing. What they do not drive is looks: those are for eyes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from types import ModuleType
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from palaestra import Address, Episode
from palaestra.client import Client
from palaestra.episode import TAGS
from palaestra.server import playground
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings

KNIGHTS = "logic/knights_and_knaves"
MASTERMIND = "games/mastermind"
HOSTILE = "<script>hacked = 1</script><img src=x onerror='hacked = 1'><b>bold</b>"


# ------------------------------------------------------------------------------------- the files


@pytest.fixture(scope="module")
def http():
    return TestClient(build())


def test_the_page_and_its_files_are_served(http):
    assert http.get("/play").headers["content-type"] == "text/html; charset=utf-8"
    for name, file in playground.read().items():
        served = http.get(f"/play/{name}")
        assert served.content == file.body
        assert served.headers["x-content-type-options"] == "nosniff"
    assert http.get("/play/nothing.js").json()["status"] == 404
    assert http.get("/play/..%2fapp.py").status_code == 404
    assert http.head("/play").status_code == 200
    moved = http.get("/play/", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (308, "../play")


def test_all_of_it_is_small():
    assert 20_000 < sum(len(file.body) for file in playground.read().values()) < 200_000


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(http):
    policy = http.get("/play").headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in policy
    for name, file in playground.read().items():
        text = file.body.decode()
        outside = set(re.findall(r"\bhttps?://[^\s\"'`)]+", text))
        assert outside <= {"http://www.w3.org/2000/svg"}, name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    page = playground.read()[playground.PAGE].body.decode()
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|<script(?! (type=\"module\" )?src=)", page)


def test_every_file_that_a_file_names_is_there():
    page = playground.read()
    named = {
        name
        for file in page.values()
        for name in re.findall(r'(?:from "\./|play/)([\w.]+\.\w+)"', file.body.decode())
    }
    assert named | {"index.html"} == page.keys()


def test_files_are_kept_and_asked_for_again(http):
    first = http.get("/play")
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = http.get("/play", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert http.get("/play", headers={"if-none-match": '"other"'}).status_code == 200
    assert tag != http.get("/play/main.js").headers["etag"]


def test_the_page_needs_no_token():
    http = TestClient(build(Settings(("sesame",))))
    assert http.get("/play").status_code == http.get("/play/main.js").status_code == 200
    assert http.get("/v1/environments").status_code == 401


def test_the_files_are_packaged():
    folder = files("palaestra.server").joinpath("play")
    assert {each.name for each in folder.iterdir()} == playground.read().keys()


# ------------------------------------------------------------------------------------- a browser


def executable():
    """A Chromium of this machine, or nothing, which is Playwright's own if it has one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@pytest.fixture(scope="module")
def browser():
    missing = "THE PLAYGROUND'S PAGE IS NOT TESTED: {} is missing"
    sync_api = pytest.importorskip("playwright.sync_api", reason=missing.format("playwright"))
    with sync_api.sync_playwright() as started:
        path = executable() or started.chromium.executable_path
        if not os.path.exists(path):  # noqa: PTH110
            pytest.skip(missing.format("a Chromium"))
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = started.chromium.launch(executable_path=path, args=root)
        yield chromium
        chromium.close()


@pytest.fixture
def url():
    """A service of the test's own: the workers that it has may be closed by another one."""
    with background_server() as where:
        yield where


class Page:
    """A page of the playground, and what went wrong on it."""

    def __init__(self, browser, url, **options):
        self.url = url
        self.context = browser.new_context(
            **({"viewport": {"width": 1280, "height": 900}} | options)
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.wrong, self.asked = [], []
        self.page.on("pageerror", lambda fault: self.wrong.append(str(fault)))
        self.page.on("console", self._logged)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda box: (self.wrong.append(box.message), box.dismiss()))

    def __getattr__(self, name):
        return getattr(self.page, name)

    def _logged(self, line):
        refused = "Failed to load resource" in line.text  # what the service refused, or could not
        if line.type in {"error", "warning"} and not refused:
            self.wrong.append(line.text)

    def go(self, place="", wait="h1"):
        """Opens a place anew, as a link from elsewhere does."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/play{place}")
        self.page.wait_for_selector(wait)

    def wait(self, selector, text=None):
        """The first of what a selector finds, once it is there and has some text."""
        found = self.page.locator(selector, has_text=text).first
        found.wait_for()
        return found

    def until(self, wish, told=None):
        """Waits for something; Playwright's own way makes code of text, which the policy bars."""
        for _ in range(1_200):
            if self.page.evaluate(wish, told):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{wish} with {told!r}, but it is at {self.page.url}")

    def hash(self, *parts):
        """The hash, once all these parts are in it."""
        self.until("parts => parts.every(part => location.hash.includes(part))", list(parts))
        return self.page.evaluate("location.hash")

    def reply(self, text, column=0):
        self.page.locator(".replying textarea").nth(column).fill(text)
        self.page.locator(".replying .primary").nth(column).click()

    def said(self, text):
        """Waits until this is what the task says, word for word."""
        self.wait(".looks")
        self.page.locator(".looks input").check()
        self.until("text => document.querySelector('.stage .raw')?.textContent === text", text)

    def close(self):
        self.context.close()
        paths = {urlsplit(asked).path for asked in self.asked if not asked.startswith("about:")}
        assert all(asked.startswith((self.url, "about:")) for asked in self.asked)
        assert all(re.match(r"/(play|v1)(/|$)", path) for path in paths), paths
        assert self.wrong == []


@pytest.fixture
def page(browser, url):
    made = Page(browser, url)
    yield made
    made.close()


slow = pytest.mark.slow


def episode(env, seed, level, *moves, split="train", **knobs):
    return Episode(
        Address.of(env, seed, level, split, **knobs).task(), TAGS, map(TAGS.write, moves)
    )


# ------------------------------------------------------------------------------------ the catalog


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
    assert "Nothing" in page.wait(".seek [role=status]").inner_text()
    page.locator("#search").fill("")
    page.get_by_role("button", name=re.compile(r"^Games \d")).click()
    page.get_by_role("button", name="hidden-state").click()
    page.hash("category=games", "tag=hidden-state")
    found = [c for c in cards if c["category"] == "games" and "hidden-state" in c["tags"]]
    assert page.locator(".entry:visible").count() == len(found)
    page.reload()
    page.wait(".entry:visible")
    assert page.locator(".entry:visible").count() == len(found)
    page.locator(".entry:visible", has_text="Mastermind").click()
    page.wait("h1", "Mastermind")
    page.go_back()
    page.wait("h1", f"{len(cards)} environments")
    assert page.locator(".entry:visible").count() == len(found)


@slow
def test_a_card(page, url):
    card = httpx.get(f"{url}/v1/environments/games.mastermind@1").json()
    page.go("#/games/mastermind@1?level=2", ".figure")
    assert page.locator(".lede").inner_text() == card["summary"]
    told = page.locator(".card").inner_text()
    assert card["fingerprint"] in told
    assert f"0 to {card['levels'] - 1}" in told
    difficulty = page.locator(".figure", has_text="Difficulty")
    assert difficulty.locator("polyline").get_attribute("points").count(",") == card["levels"]
    assert difficulty.locator(".amount").inner_text() == f"{card['measured']['difficulty'][2]:,.0f}"
    assert page.locator(".figure", has_text="Verify").locator("rect.own").count() == 1
    page.keyboard.press("]")
    page.hash("level=3")
    at_3 = f"{card['measured']['tokens'][3]:,.0f}"
    assert page.wait(".figure:has-text('Tokens') .amount", at_3)


# ------------------------------------------------------------------------------ which task it is


@slow
def test_level_seed_split_and_knobs(page):
    page.go(f"#/{KNIGHTS}@1", ".stage p")
    page.said(episode(KNIGHTS, 0, 0).observation)
    page.locator(".level input").press("ArrowRight")
    page.said(episode(KNIGHTS, 0, 1).observation)
    page.get_by_label("Next seed").click()
    page.get_by_label("Next seed").click()
    page.get_by_label("Previous seed").click()
    page.said(episode(KNIGHTS, 1, 1).observation)
    page.get_by_label("Seed", exact=True).fill("77")
    page.get_by_label("Seed", exact=True).press("Enter")
    page.said(episode(KNIGHTS, 77, 1).observation)
    page.locator(".segments label", has_text="eval").click()
    page.said(episode(KNIGHTS, 77, 1, split="eval").observation)
    page.locator(".byhand summary").click()
    page.get_by_label("people").fill("6")
    page.get_by_label("people").press("Enter")
    page.said(episode(KNIGHTS, 77, 1, split="eval", people=6).observation)
    where = page.hash("level=1", "seed=77", "split=eval", "knob.people=6")
    page.go(where, ".stage pre")
    page.said(episode(KNIGHTS, 77, 1, split="eval", people=6).observation)
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
    page.get_by_role("link", name="Open the version that is installed").click()
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
        page.go(f"#/{env}?level={level}&seed={seed}", ".board")
        observation = re.sub(r"\s", "", episode(env, seed, level).observation)
        assert re.sub(r"\s", "", page.locator(".stage .said").text_content()) == observation


# ------------------------------------------------------------------------------ replies and scores


@slow
def test_wrong_and_right_replies(page):
    env = "language/constrained_text"
    right = Address.of(env, 1, 2).task().answer()
    page.go(f"#/{env}@1?level=2&seed=1", ".stage p")
    page.reply("I think so: <answer>Nothing is right.</answer> There.")
    score = page.wait(".score")
    assert score.locator(".value").inner_text() != "1"
    assert score.locator("mark").inner_text() == "Nothing is right."
    result = episode(env, 1, 2, "Nothing is right.").result()
    assert result.reason in score.inner_text()
    for name, value in result.parts.items():
        part = score.locator(".part", has_text=name.replace("_", " "))
        assert part.locator("dd").inner_text() == f"{value:g}"
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
    page.go(f"#/{KNIGHTS}@1", ".stage p")
    page.reply(HOSTILE)
    page.wait(".score")
    assert page.locator(".score pre.reply").text_content() == f"<answer>{HOSTILE}</answer>"
    page.go("#/tools/meeting_desk@1", ".toolbox")
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
    page.go(f"#/{KNIGHTS}@1?seed=5&level=2", ".stage p")
    page.context.set_offline(True)
    page.reply(Address.of(KNIGHTS, 5, 2).task().answer())
    assert "cannot be reached" in page.wait(".problem").inner_text()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.wait(".score.right")


# ------------------------------------------------------------------------------- several turns


ARROWS = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}


@slow
def test_a_game_by_keyboard_alone(page):
    game, level, seed = "games/game_2048", 0, 3
    moves = list(Address.of(game, seed, level).task().solve())
    page.go(f"#/{game}@1?level={level}&seed={seed}", ".ways")
    page.keyboard.press(ARROWS[moves[0]])
    page.wait(".session .meta", "1 reply")
    page.said(episode(game, seed, level, moves[0]).observation)
    page.keyboard.press("u")
    page.wait(".session .meta", "0 replies")
    page.said(episode(game, seed, level).observation)
    for move in moves:  # quicker than the service answers
        page.keyboard.press(ARROWS[move])
    page.wait(".session .score.right")
    assert page.locator(".replied").count() == len(moves)
    assert page.locator(".replied mark").all_inner_texts() == moves
    page.keyboard.press("u")
    page.wait(".session .meta", f"{len(moves) - 1} repl")
    page.said(episode(game, seed, level, *moves[:-1]).observation)


@slow
def test_the_board_of_tiles_is_the_board(page):
    game = "games/game_2048"
    page.go(f"#/{game}@1?level=4&seed=2", ".board.tiles")
    rows = Address.of(game, 2, 4).task().board
    cells = page.locator(".stage .cell").all_text_contents()
    assert cells == [str(tile or ".") for row in rows for tile in row]
    page.locator(".way:not([aria-disabled])").first.click()
    page.wait(".session .meta", "1 reply")
    assert page.evaluate("document.activeElement.closest('.session') !== null")


@slow
def test_moves_that_are_typed(page):
    moves = Address.of(MASTERMIND, 3, 2).task().solve()
    page.go(f"#/{MASTERMIND}@1?level=2&seed=3", ".replying")
    box = page.locator(".replying textarea")
    for n, move in enumerate(moves[:-1]):
        box.fill(move)
        box.press("Enter")
        page.wait(".session .meta", f"{n + 1} repl")
        assert page.wait(".stage", f"{move}:")
    box.fill("nonsense")
    box.press("Enter")
    page.wait(".stage", "A guess is")
    page.get_by_role("button", name="Undo").click()
    page.wait(".session .meta", f"{len(moves) - 1} repl")
    box.fill(moves[-1])
    box.press("Enter")
    page.wait(".score.right")
    page.get_by_role("button", name="Back to before reply 2").click()
    page.wait(".session .meta", "1 reply")
    page.get_by_role("button", name="Restart").click()
    page.wait(".session .meta", "0 replies")


@slow
def test_cells_of_a_board_are_moves(page):
    page.go("#/games/minesweeper@1?level=1&seed=2", ".board")
    moves = list(Address.of("games/minesweeper", 2, 1).task().solve())
    page.locator(f".cell[aria-label='{moves[0]}']").click()
    page.wait(".session .meta", "1 reply")
    assert page.locator(".replied mark").inner_text() == moves[0]
    page.go("#/matches/tic_tac_toe@1?level=2&seed=1", ".board")
    task = Address.of("matches/tic_tac_toe", 1, 2).task()
    legal = set(Episode(task).turn.legal_moves)
    cells = page.locator(".stage button.cell")
    assert {cell.get_attribute("aria-label") for cell in cells.all()} == legal
    first = page.locator(".stage button.cell[tabindex='0']")
    first.focus()
    page.keyboard.press("ArrowDown")
    chosen = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert chosen in legal
    page.keyboard.press("Enter")
    page.wait(".replied")
    assert page.locator(".replied mark").first.inner_text() == chosen


@slow
def test_tools_are_called_by_forms(page):
    desk, seed, level = "tools/meeting_desk", 1, 1
    moves = list(Address.of(desk, seed, level).task().solve())
    page.go(f"#/{desk}@1?level={level}&seed={seed}", ".toolbox")
    page.get_by_role("button", name="Call agenda").click()  # without the person that is needed
    assert page.locator(".replied").count() == 0
    told = episode(desk, seed, level)
    for n, move in enumerate(moves):
        if move == "done":
            page.locator(".tab.done").click()
            break
        call = json.loads(move)
        page.locator(".toolbox .tab", has_text=re.compile(f"^{call['tool']}$")).click()
        for name, value in call["args"].items():
            page.locator(f".tool [name={name}]").fill(str(value))
        page.get_by_role("button", name=f"Call {call['tool']}").click()
        page.wait(".session .meta", f"{n + 1} repl")
        told.step(TAGS.write(move))
        if told.score is None:
            assert page.wait(".stage p").inner_text() == told.observation.partition("\n\n")[0]
    page.wait(".session .score.right")


SCHEMA = {
    "type": "object",
    "properties": {
        "word": {"type": "string"},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "share": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
        "loud": {"type": "boolean", "default": False},
        "colour": {"$ref": "#/$defs/Colour"},
        "places": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["word", "count", "colour", "places"],
    "$defs": {"Colour": {"enum": ["red", "green"], "type": "string"}},
}


@slow
def test_forms_of_every_kind_of_argument(page):
    """Schemas that no environment of ours has now, in the page's own module."""
    page.go(wait=".entry")
    page.evaluate(
        """async schema => {
          const { toolbox } = await import("/play/tools.js");
          const paint = { name: "paint", description: "Paint.", parameters: schema };
          const called = (name, args) => (window.called = { name, args });
          const made = toolbox([{ type: "function", function: paint }], called, () => {});
          document.querySelector("main").replaceChildren(made);
        }""",
        SCHEMA,
    )
    send = page.get_by_role("button", name="Call paint")
    page.get_by_label("word").fill("hi")
    page.get_by_label("count").fill("12")
    page.get_by_label("colour").select_option("green")
    page.get_by_label("places").fill("[1, 2")
    send.click()
    assert page.evaluate("window.called") is None
    page.get_by_label("count").fill("3")
    send.click()
    assert page.evaluate("window.called") is None
    page.get_by_label("places").fill("[1, 2]")
    send.click()
    args = {"word": "hi", "count": 3, "colour": "green", "places": [1, 2]}
    assert page.evaluate("window.called") == {"name": "paint", "args": args}
    page.get_by_label("share").fill("0.5")
    page.get_by_label("loud").check()
    send.click()
    assert page.evaluate("window.called.args") == args | {"share": 0.5, "loud": True}


@slow
def test_a_fork_goes_its_own_way_and_is_restored(page):
    game, seed, level = "games/game_2048", 4, 4
    page.go(f"#/{game}@1?level={level}&seed={seed}", ".ways")
    first = Episode(Address.of(game, seed, level).task())
    move = first.turn.legal_moves[0]
    page.keyboard.press(ARROWS[move])
    page.wait(".session .meta", "1 reply")
    page.keyboard.press("f")
    page.wait(".arena.forked")
    told = episode(game, seed, level, move)
    others = told.turn.legal_moves[:2]
    page.keyboard.press(ARROWS[others[0]])
    page.wait(".session:nth-child(2) .meta", "2 replies")
    assert page.locator(".session:nth-child(1) .meta").inner_text().startswith("1 reply")
    page.locator(".session:nth-child(1) h2").click()
    page.keyboard.press(ARROWS[others[1]])
    page.wait(".session:nth-child(1) .meta", "2 replies")
    marks = [
        page.locator(f".session:nth-child({n}) .replied mark").all_inner_texts() for n in (1, 2)
    ]
    assert marks == [[move, others[1]], [move, others[0]]]
    page.hash("sessions=")
    page.reload()
    page.wait(".arena.forked .session:nth-child(2) .meta", "2 replies")
    assert page.locator(".session:nth-child(1) .replied mark").all_inner_texts() == [
        move,
        others[1],
    ]
    page.get_by_label("Close Fork").click()
    page.until("document.querySelectorAll('.session').length === 1")
    (kept,) = re.findall(r"sessions=([\w-]+)$", page.hash("sessions="))
    httpx.delete(f"{page.url}/v1/sessions/{kept}").raise_for_status()
    page.reload()
    page.wait(".notices p", "is over")
    page.wait(".session .meta", "0 replies")


@slow
def test_a_session_that_goes_on_elsewhere(page):
    page.go(f"#/{MASTERMIND}@1?level=2&seed=3", ".replying")
    page.reply("1111")
    page.wait(".session .meta", "1 reply")
    (session,) = re.findall(r"sessions=([\w-]+)", page.hash("sessions="))
    body = {"step": 1, "move": "<answer>2222</answer>"}
    httpx.post(f"{page.url}/v1/sessions/{session}/step", json=body).raise_for_status()
    page.reply("3333")
    page.wait(".notices p", "elsewhere")
    page.wait(".session .meta", "2 replies")
    assert page.locator(".replied mark").all_inner_texts() == ["1111", "2222"]


@slow
def test_sessions_that_nobody_played_are_not_kept(page):
    opened = []
    page.on(
        "response", lambda told: opened.append(told) if told.url.endswith("/v1/sessions") else 0
    )
    page.go(f"#/{MASTERMIND}@1?level=2&seed=3", ".replying")
    (session,) = opened[0].json()["sessions"]
    with page.expect_response(lambda told: told.request.method == "DELETE"):
        page.keyboard.press("n")
    page.wait(".session .meta", "0 replies")
    assert httpx.get(f"{page.url}/v1/sessions/{session['session']}").status_code == 404


# ------------------------------------------------------------------------------------- snippets


def snippet(page, name):
    page.locator(".snippets .tab", has_text=name).click()
    return page.locator(".snippets code").text_content()


@slow
@pytest.mark.parametrize("env", [KNIGHTS, MASTERMIND])
def test_snippets_say_what_the_page_shows(page, env, capsys, monkeypatch):
    """Quotes and line breaks of a reply come through the shell and through Python."""
    said = 'it\'s "this"\n\\n $HOME `x` é'
    page.go(f"#/{env}@1?level=1&seed=4&split=eval", ".replying")
    page.reply(said)
    page.wait(".score, .replied")
    address = Address.of(env, 4, 1, "eval")
    page.wait(".snippets code", "HOME")
    curl = snippet(page, "curl")
    if shutil.which("curl"):
        out = subprocess.run(["sh", "-c", curl], capture_output=True, check=True).stdout
        result = json.loads(out)
        assert result["address"] == str(address)
        assert result["extracted"] == said
    shared = {}
    exec(compile(snippet(page, "Python"), "snippet", "exec"), shared)  # noqa: S102  # it is our own
    told = shared["replies"]
    assert (told if env == KNIGHTS else told[0]) == TAGS.write(said)
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
    page.go(f"#/{KNIGHTS}@1?level=1&seed=4", ".stage p")
    read = "navigator.clipboard.readText()"
    page.locator(".snippets").get_by_role("button", name="Copy").click()
    page.wait(".snippets button", "Copied")
    assert page.evaluate(read) == page.locator(".snippets code").text_content()
    page.get_by_role("button", name="Copy prompt").click()
    page.wait(".puzzle button", "Copied")
    assert page.evaluate(read) == episode(KNIGHTS, 4, 1).observation
    page.get_by_role("button", name="Copy link").click()
    page.wait(".looks button", "Copied")
    assert page.evaluate(read) == f"{url}/play#/{KNIGHTS}@1?level=1&seed=4"
    page.close()


# --------------------------------------------------------------------------------- looks and reach


def paper(page):
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@slow
def test_light_and_dark(browser, url):
    seen = {}
    for scheme in ("light", "dark"):
        page = Page(browser, url, color_scheme=scheme)
        page.go(wait=".entry")
        seen[scheme] = paper(page)
        for chosen in ("light", "dark"):
            page.keyboard.press("t")
            page.wait("#theme", f"Theme: {chosen}")
            seen[scheme, chosen] = paper(page)
        page.reload()
        page.wait("#theme", "Theme: dark")
        assert paper(page) == seen["light", "dark"]
        page.locator("#theme").click()
        page.wait("#theme", "Theme: system")
        assert paper(page) == seen[scheme]
        page.close()
    assert seen["light"] == seen["light", "light"] == seen["dark", "light"] != seen["dark"]
    assert seen["dark"] == seen["dark", "dark"] == seen["light", "dark"]


PLACES = [
    "",
    "#/graphs/shortest_path@2?level=6&seed=1",
    "#/games/game_2048@1?level=6",
    "#/tools/meeting_desk@1?level=2",
    "#/programs/predict_output@1?level=6",
    "#/grids/sudoku@1?level=6",
]

OUTSIDE = """() => {
  const nodes = [...document.querySelectorAll("main :is(button, input, textarea, h1, p)")];
  const boxes = nodes
    .filter(node => node.checkVisibility() && !node.closest(".segments, .boardroom"))
    .map(node => [node.outerHTML.slice(0, 200), node.getBoundingClientRect()]);
  return boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth).map(([text]) => text);
}"""

NAMELESS = """() => {
  const kinds = "a, button, input, textarea, select, summary, svg[role], section";
  const named = node =>
    node.getAttribute("aria-label") || node.labels?.length || node.textContent.trim();
  return [...document.querySelectorAll(kinds)]
    .filter(node => !named(node)).map(node => node.outerHTML.slice(0, 200));
}"""

DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
  return ids.filter((id, n) => ids.indexOf(id) !== n);
}"""

RINGED = """() => {
  const node = document.activeElement;
  if (node === document.body) return "";
  const shown = node.matches(".segments input") ? node.nextElementSibling : node;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return seen ? "" : node.outerHTML.slice(0, 200);
}"""


@slow
@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("place", PLACES)
def test_nothing_sticks_out(browser, url, place, width):
    page = Page(browser, url, viewport={"width": width, "height": 844})
    page.go(place, ".entry, .replying")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    page.close()


@slow
def test_everything_has_a_name(page):
    for place in PLACES:
        page.go(place, ".entry, .replying")
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(DOUBLED) == []
        assert page.locator("h1").count() == page.locator("main").count() == 1


@slow
def test_by_keyboard_alone(page):
    task = Address.of(KNIGHTS, 1, 1).task()
    page.go(wait=".entry")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    page.keyboard.type("knaves")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.className") == "entry"
    page.keyboard.press("Enter")
    page.wait("h1", "Knights and knaves")
    page.wait(".replying")
    page.keyboard.press("]")
    page.keyboard.press("n")
    page.hash("level=1", "seed=1")
    page.wait(".snippets code", "seed=1")
    page.said(Episode(task).observation)
    page.locator("h1").focus()
    page.keyboard.press("b")
    page.keyboard.press("i")
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    page.keyboard.insert_text(task.answer())
    page.keyboard.press("Control+Enter")
    page.wait(".score.right")
    page.keyboard.press("n")  # it is written, for somebody is writing
    page.keyboard.press("Escape")
    assert page.locator(".replying textarea").input_value() == task.answer() + "n"
    page.keyboard.press("?")
    listed = page.wait("dialog").inner_text()
    assert all(word in listed for word in ("Next seed", "Search the catalog", "Change the theme"))
    page.keyboard.press("n")  # a dialog is open
    page.keyboard.press("Escape")
    page.until("!document.querySelector('dialog')")
    page.hash("seed=1")
    for _ in range(60):  # the focus is seen wherever it goes
        page.keyboard.press("Tab")
        assert page.evaluate(RINGED) == ""


@slow
def test_the_search_has_the_focus_before_the_next_key(page):
    page.go(wait=".entry")
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}))"
    assert page.evaluate(f"{press}, document.activeElement.id") == "search"


@slow
def test_keys_can_be_turned_off(page):
    page.go(f"#/{KNIGHTS}@1?seed=1", ".replying")
    page.locator("#help").click()
    page.get_by_label("Keys without Ctrl are on").uncheck()
    page.get_by_label("Close").click()
    page.keyboard.press("n")
    page.locator("#help").click()
    page.get_by_label("Keys without Ctrl are on").check()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.hash("seed=2")


# -------------------------------------------------------------------------------------- tokens


@slow
def test_a_token_is_asked_for_and_kept_in_the_tab_alone(browser):
    with background_server(build(Settings(("sesame",)))) as where:
        page = Page(browser, where)
        page.go(f"#/{KNIGHTS}@1?seed=5&level=2", "dialog")
        for given in ("wrong", "sesame"):
            page.locator("#token-box").fill(given)
            page.get_by_role("button", name="Use it").click()
            if given == "wrong":
                page.wait("dialog label", "does not take")
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
