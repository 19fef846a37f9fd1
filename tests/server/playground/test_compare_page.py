"""The page that compares two evaluations, whose files never leave the browser."""

import pytest
from tests.server.playground.browser import Page, tab_to

from palaestra import Address, Episode
from palaestra.episode import TAGS
from palaestra.trainers.evaluation.attempts import Attempt

pytestmark = pytest.mark.slow

KNIGHTS, MASTERMIND = "logic/knights_and_knaves", "games/mastermind"
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def right(env, seed, level=1):
    return [TAGS.write(move) for move in Address.of(env, seed, level, "eval").task().solve()]


def line(env, seed, replies, sample=0, level=1, **fields):
    """An attempt as a line of a file."""
    address = Address.of(env, seed, level, "eval")
    episode = Episode(address.task(), TAGS, replies)
    score = episode.result()
    attempt = Attempt(
        str(address), env, level, f"level {level}", sample, "", score.value, score.status,
        score.reason, replies=tuple(replies), rewards=tuple(episode.rewards), **fields,
    )  # fmt: skip
    return attempt.line()


def unscored(env, seed, level=1):
    address = str(Address.of(env, seed, level, "eval"))
    return Attempt(address, env, level, f"level {level}", 0, "", None, "infra_error").line()


@pytest.fixture
def files(tmp_path):
    """Two evaluations: A is right at tasks 0 and 1, B at 0 and 2, and B tries task 3 twice."""
    wrong = [f"{HOSTILE} <answer>{HOSTILE}</answer>"]
    ours = {0: True, 1: True, 2: False, 3: False}
    theirs = {0: True, 1: False, 2: True, 3: False}
    first = [line(KNIGHTS, n, right(KNIGHTS, n) if ok else wrong) for n, ok in ours.items()]
    second = [line(KNIGHTS, n, right(KNIGHTS, n) if ok else wrong) for n, ok in theirs.items()]
    first += [
        line(MASTERMIND, 1, right(MASTERMIND, 1)),
        unscored(KNIGHTS, 5),
        line(KNIGHTS, 7, wrong),
    ]
    second += [
        line(MASTERMIND, 1, ["nonsense", "1"]),
        line(KNIGHTS, 5, wrong),
        line(KNIGHTS, 3, wrong, 1),
    ]
    second += [
        "not JSON\n",
        '{"address": 3, "sample": 0, "score": 1}\n',
        '{"address": "a"}\n',
        "[" * 9_999,
    ]
    paths = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for path, lines in zip(paths, (first, second)):
        path.write_text("".join(lines))
    return paths


def load(page, files):
    page.go("#/compare", ".files")
    for n, file in enumerate(files):
        page.locator("input[type=file]").nth(n).set_input_files(file)
    page.wait(".task-item")


def shown(page):
    """The seeds of the tasks in the list, without the offset of evaluation."""
    texts = page.locator(".task-item .hint").all_inner_texts()
    return [int(text.rpartition("seed ")[2]) - 2**31 for text in texts]


def test_tasks_are_matched_and_filtered(page, files):
    load(page, files)
    assert "6 tasks in both files, 1 task only in A" in page.locator(".comparison").inner_text()
    assert "4 lines without an attempt skipped" in page.locator(".file").nth(1).inner_text()
    assert shown(page) == [0, 1, 2, 3, 1, 5]
    wanted = {"one": [1, 1], "other": [2], "both": [0], "neither": [3], "unscored": [5]}
    for outcome, seeds in wanted.items():
        page.locator(f"[data-outcome='{outcome}']").click()
        assert shown(page) == seeds
    page.locator("[data-outcome='']").click()
    assert shown(page) == [0, 1, 2, 3, 1, 5]
    page.get_by_label("Environment").select_option(MASTERMIND)
    assert shown(page) == [1]
    page.locator("[data-outcome='both']").click()
    assert "No task matches" in page.locator(".tasks").inner_text()


def test_transcripts_stand_side_by_side_as_text(page, files):
    load(page, files)
    page.locator(".task-item").nth(1).click()
    left, right_ = (page.locator(".side").nth(n) for n in (0, 1))
    assert left.locator("mark").inner_text().split() == TAGS.read(right(KNIGHTS, 1)[0]).split()
    assert right_.locator("mark").inner_text() == HOSTILE
    assert page.locator(".detail :is(img, script)").count() == 0
    page.locator(".task-item").nth(3).click()
    assert page.locator(".side").nth(1).locator("article").count() == 2
    page.locator(".task-item").nth(4).click()
    replies = page.locator(".side").nth(0).locator(".turn mark").all_inner_texts()
    assert replies == [TAGS.read(reply) for reply in right(MASTERMIND, 1)]


def test_a_task_opens_in_the_playground(page, files):
    load(page, files)
    page.locator(".task-item").nth(1).click()
    page.get_by_role("link", name="Open this task").click()
    page.wait(".replying")
    page.expect_text(Episode(Address.of(KNIGHTS, 1, 1, "eval").task()).observation)
    page.go_back()
    page.wait("h1", "Compare two evaluations")


def test_files_are_not_uploaded(page, files):
    page.go("#/compare", ".files")
    page.asked.clear()
    bodies = []
    page.on("request", lambda request: bodies.append(request.post_data))
    load(page, files)
    page.locator(".task-item").nth(2).click()
    assert not [body for body in bodies if body]
    assert all("/v1/tasks" not in url and "/v1/score" not in url for url in page.asked)


def test_by_keyboard_alone(page, files):
    load(page, files)
    page.locator("h1").focus()
    page.keyboard.press("2")
    assert shown(page) == [1, 1]
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    pressed = page.locator(".task-item[aria-pressed='true']")
    assert pressed.get_attribute("data-address") == str(Address.of(KNIGHTS, 2, 1, "eval"))
    page.keyboard.press("ArrowUp")
    assert pressed.get_attribute("data-address") == str(Address.of(KNIGHTS, 1, 1, "eval"))
    tab_to(page, ".detail a")


def test_a_file_without_attempts(page, tmp_path):
    (tmp_path / "x.jsonl").write_text("hello\n\n{}\n")
    page.go("#/compare", ".files")
    page.locator("input[type=file]").first.set_input_files(tmp_path / "x.jsonl")
    page.wait(".file .hint", "0 attempts, 2 lines without an attempt skipped")
    assert page.locator(".task-item").count() == 0


def test_many_tasks_and_long_replies(page, tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    attempt = Attempt("x/y@1?seed=0", "x/y", 0, "", 0, "", 0, "scored", "", replies=("z" * 50_000,))
    lines = [attempt.line().replace("seed=0", f"seed={n}") for n in range(150)]
    for path in (first, second):
        path.write_text("".join(lines))
    load(page, (first, second))
    assert page.locator(".task-item").count() == 100
    page.get_by_role("button", name="Show more").click()
    assert page.locator(".task-item").count() == 150
    assert len(page.locator(".turn pre").first.inner_text()) == 20_000
    page.get_by_role("button", name="Show all").first.click()
    assert len(page.locator(".turn pre").first.inner_text()) == 50_000


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_sticks_out(browser, url, files, width):
    page = Page(browser, url, viewport={"width": width, "height": 844})
    load(page, files)
    for n in range(5):
        page.locator(".task-item").nth(n).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
