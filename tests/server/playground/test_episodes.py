"""Episodes of several turns, in a browser."""

import json
import re

import httpx2 as httpx
import pytest
from tests.server.playground.browser import MASTERMIND, episode, slow, tab_to

from palaestra import Address, Episode
from palaestra.episode import TAGS
from palaestra.registry import load

ARROWS = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}


@slow
def test_a_game_by_keyboard_alone(page):
    game, level, seed = "games/game_2048", 0, 3
    moves = list(Address.of(game, seed, level).task().solve())
    page.go(f"#/{game}@2?level={level}&seed={seed}", ".ways")
    page.keyboard.press(ARROWS[moves[0]])
    page.wait(".session .meta", "1 reply")
    page.expect_text(episode(game, seed, level, moves[0]).observation)
    page.keyboard.press("u")
    page.wait(".session .meta", "0 replies")
    page.expect_text(episode(game, seed, level).observation)
    for move in moves:  # quicker than the service answers
        page.keyboard.press(ARROWS[move])
    page.wait(".session .score.right")
    assert page.locator(".replied").count() == len(moves)
    assert page.locator(".replied mark").all_inner_texts() == moves
    page.keyboard.press("u")
    page.wait(".session .meta", f"{len(moves) - 1} repl")
    page.expect_text(episode(game, seed, level, *moves[:-1]).observation)


@slow
def test_the_board_of_tiles_is_the_board(page):
    game = "games/game_2048"
    page.go(f"#/{game}@2?level=4&seed=2", ".scene")
    rows = Address.of(game, 2, 4).task().board
    cells = page.locator(".stage .scene g").all_text_contents()
    assert cells == [str(tile or "") for row in rows for tile in row]
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
    page.wait(".stage", "not a guess")
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
    page.go("#/games/minesweeper@2?level=1&seed=2", ".scene")
    moves = list(Address.of("games/minesweeper", 2, 1).task().solve())
    page.locator(f".element[aria-label='{moves[0]}']").click()
    page.wait(".session .meta", "1 reply")
    assert page.locator(".replied mark").inner_text() == moves[0]
    page.go("#/matches/tic_tac_toe@2?level=2&seed=1", ".scene")
    task = Address.of("matches/tic_tac_toe", 1, 2).task()
    legal = set(Episode(task).turn.legal_moves)
    cells = page.locator(".stage .element")
    assert {cell.get_attribute("aria-label") for cell in cells.all()} == legal
    first = page.locator(".stage .element[tabindex='0']")
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
    page.go(f"#/{desk}@2?level={level}&seed={seed}", ".toolbox")
    page.get_by_role("button", name="Call agenda").click()  # without the person that is needed
    assert page.locator(".replied").count() == 0
    played = episode(desk, seed, level)
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
        played.step(TAGS.write(move))
        if played.score is None:
            assert page.wait(".stage p").inner_text() == played.observation.partition("\n\n")[0]
    page.wait(".session .score.right")


DESK = "tools/meeting_desk"


def calls(seed, level):
    """The tools that a perfect player calls, with their arguments."""
    for move in Address.of(DESK, seed, level).task().solve():
        call = {"tool": "done", "args": {}} if move == "done" else json.loads(move)
        yield call["tool"], call["args"]


@slow
def test_a_tool_world_is_won_by_mouse(page):
    page.go(f"#/{DESK}?level=1&seed=1", ".toolbox")
    for number, (tool, args) in enumerate(calls(1, 1), 1):
        page.locator(".toolbox .tab", has_text=re.compile(f"^{tool}$")).click()
        for name, value in args.items():
            field = page.locator(f".tool [name={name}]")
            field.click()
            field.fill(str(value))
        if tool != "done":
            page.locator(".tool .primary").click()
        page.wait(".session .meta", f"{number} repl")
    page.wait(".session .score.right")


@slow
def test_a_tool_world_is_won_by_keyboard_alone(page):
    page.go(f"#/{DESK}?level=1&seed=1", ".toolbox")
    for number, (tool, args) in enumerate(calls(1, 1), 1):
        page.locator("h1").focus()
        tab_to(page, ".toolbox .tab")
        while page.evaluate("document.activeElement.textContent") != tool:
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        for name, value in args.items():
            tab_to(page, f".tool [name={name}]")
            page.keyboard.insert_text(str(value))
        if tool != "done":
            tab_to(page, ".tool .primary")
            page.keyboard.press("Space")
        page.wait(".session .meta", f"{number} repl")
    page.wait(".session .score.right")


@slow
@pytest.mark.parametrize("game", ["matches/tic_tac_toe", "matches/connect_four"])
def test_the_final_position_is_shown_with_the_winning_line(page, game):
    moves = list(Address.of(game, 1, 1).task().solve())
    page.go(f"#/{game}?level=1&seed=1", ".scene")
    for number, move in enumerate(moves, 1):
        assert page.locator(".stage .scene polyline").count() == 0
        page.reply(move)
        page.wait(".session .meta", f"{number} repl")
    page.wait(".session .score.right")
    page.wait(".stage .scene polyline")
    assert page.locator(".stage .element").count() == 0  # the game is over
    page.get_by_role("button", name="Undo").click()
    page.wait(".session .meta", f"{len(moves) - 1} repl")
    page.until("document.querySelectorAll('.stage .scene polyline').length === 0")


@slow
def test_a_puzzle_is_answered_after_calls_of_a_tool(page):
    name, seed, level = "arithmetic/word_problem+tools(python,2)", 1, 2
    (answer,) = Address.of(name, seed, level).task().solve()
    page.go(f"#/{name}@{load(name).version}?level={level}&seed={seed}", ".toolbox")
    assert page.locator(".tab.done").count() == 0
    page.locator(".tool textarea[name=code]").fill("x = 6\nprint(x * 7)")
    page.get_by_role("button", name="Call python").click()
    page.wait(".session .meta", "1 reply")
    assert page.wait(".stage p").inner_text() == "42"
    page.locator(".toolbox .tab", has_text="answer").click()
    page.locator(".tool [name=text]").fill(answer)
    page.get_by_role("button", name="Call answer").click()
    page.wait(".session .score.right")


@slow
def test_a_combination_is_played_like_its_environment(page):
    name, seed, level = "arithmetic/long_multiplication+length(20)+refine(2)", 1, 2
    answer = next(iter(Address.of(name, seed, level).task().solve()))
    for first in ("1, 2, 3, 4", f"{'so ' * 20}1, 2, 3, 4"):
        page.go(f"#/{name}@{load(name).version}?level={level}&seed={seed}", ".replying")
        page.reply(TAGS.write(first))
        page.wait(".session .meta", "1 reply")
        seen = episode(name, seed, level, first).observation
        assert page.wait(".stage p").inner_text() == seen.partition("\n\n")[0]
        page.reply(TAGS.write(answer))
        page.wait(".session .score.right")
        page.go(wait=".entry")


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
    page.go(f"#/{game}@2?level={level}&seed={seed}", ".ways")
    first = Episode(Address.of(game, seed, level).task())
    move = first.turn.legal_moves[0]
    page.keyboard.press(ARROWS[move])
    page.wait(".session .meta", "1 reply")
    page.keyboard.press("f")
    page.wait(".arena.forked")
    played = episode(game, seed, level, move)
    others = played.turn.legal_moves[:2]
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
    page.wait(".notices p", "has ended")
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
    page.wait(".notices p", "another window")
    page.wait(".session .meta", "2 replies")
    assert page.locator(".replied mark").all_inner_texts() == ["1111", "2222"]


@slow
def test_sessions_that_nobody_played_are_not_kept(page):
    opened = []
    page.on(
        "response",
        lambda response: opened.append(response) if response.url.endswith("/v1/sessions") else 0,
    )
    page.go(f"#/{MASTERMIND}@1?level=2&seed=3", ".replying")
    (session,) = opened[0].json()["sessions"]
    with page.expect_response(lambda response: response.request.method == "DELETE"):
        page.keyboard.press("n")
    page.wait(".session .meta", "0 replies")
    assert httpx.get(f"{page.url}/v1/sessions/{session['session']}").status_code == 404
