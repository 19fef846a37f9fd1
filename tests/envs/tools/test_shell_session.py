"""Tests of tools/shell_session."""

import json
import posixpath
import re
from datetime import UTC, datetime
from hashlib import sha256
from random import Random

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.shell_session import ShellSession
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.shell.busy import UNAVAILABLE
from palaestra.generators.tools.shell.jail import Snapshot
from palaestra.generators.tools.shell.trees import Entry, content, differences, whole
from palaestra.generators.tools.shell.world import Shell, output_lines
from palaestra.generators.tools.shell_session.requests import FAMILIES, in_words
from palaestra.toolbox import call

NAME = "tools/shell_session"


def instance(seed: int, level: int, **knobs: int) -> ShellSession:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, ShellSession)
    return task


def bash(command: str) -> str:
    return call("bash", command=command)


@pytest.mark.parametrize(
    ("level", "seeds"), [(0, 32), (1, 16), (2, 10), (3, 8), (4, 5), (5, 4), (6, 4)]
)
def test_the_oracle_wins(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solve()).value == 1, (seed, level)


def test_each_family_is_requested() -> None:
    tasks = [instance(seed, 0) for seed in range(100)]
    assert {task.requests[0].family for task in tasks} == set(FAMILIES)
    frames = {
        (task.requests[0].family, task.wording % len(FAMILIES[task.requests[0].family].frames))
        for task in tasks
    }
    assert len(frames) > 30


def wanted_by_hand(task: ShellSession) -> dict[str, Entry]:
    """Another computation of the goal, from the hidden tree and the requests."""
    tree = dict(task.tree)
    for request in task.requests:
        terms = request.slots
        below = {p: e for p, e in tree.items() if p.startswith(f"{request.area}/")}
        files = {p: e for p, e in below.items() if e.category == "file"}
        BY_HAND[request.family](tree, below, files, terms)
    return tree


def notes(tree, below, files, terms):
    for path, entry in files.items():
        header = dict(line.split(": ") for line in entry.text.partition("\n\n")[0].split("\n"))
        wanted = {"Project": terms["project"], "Status": terms["status"]}
        if path.endswith(".txt") and wanted.items() <= header.items():
            tree[f"{terms['target']}/{posixpath.basename(path)}"] = tree.pop(path)


def settings(tree, below, files, terms):
    for path, entry in files.items():
        parts = entry.text.split("\n\n")
        named = {part[1 : part.index("]")]: n for n, part in enumerate(parts)}
        region = f"\nregion = {terms['region']}\n" in parts[named["service"]]
        n = named[terms["section"]]
        if path.endswith(".conf") and region:
            parts[n] = re.sub(
                rf"^host = {re.escape(terms['old'])}$", f"host = {terms['new']}", parts[n],
                flags=re.MULTILINE,
            )  # fmt: skip
            tree[path] = entry._replace(text="\n\n".join(parts))


def orders(tree, below, files, terms):
    rows = []
    for path, entry in files.items():
        if path.endswith(".csv"):
            head, *lines = entry.text.splitlines()
            rows += [dict(zip(head.split(","), line.split(","))) for line in lines]
    fit = [r for r in rows if (r["city"], r["state"]) == (terms["city"], terms["state"])]
    pairs = sorted((int(r["id"]), int(r["amount"])) for r in fit)
    text = "".join(f"{number},{amount}\n" for number, amount in pairs)
    total = sum(amount for _, amount in pairs)
    tree[terms["target"]] = Entry("file", f"{text}total,{total}\n")


def permissions(tree, below, files, terms):
    for path, entry in files.items():
        lines = entry.text.splitlines()
        name = "others"
        if lines[0][:2] == "#!":
            name = "scripts"
        elif "-----BEGIN PRIVATE KEY-----" in lines:
            name = "keys"
        tree[path] = entry._replace(mode=int(terms[name], 8))


def links(tree, below, files, terms):
    for path, entry in below.items():
        if entry.category != "link":
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), entry.text))
        if target in tree or posixpath.commonpath([target, terms["old"]]) != terms["old"]:
            continue
        moved = posixpath.join(terms["new"], posixpath.relpath(target, terms["old"]))
        tree.pop(path)
        if moved in tree:
            way = posixpath.relpath(moved, posixpath.dirname(path))
            tree[path] = entry._replace(text=way)


def logs(tree, below, files, terms):
    limit = datetime.fromisoformat(terms["date"]).replace(tzinfo=UTC).timestamp()
    for path, entry in files.items():
        has_word = any(line.startswith(terms["word"]) for line in entry.text.splitlines())
        if path.endswith(".log") and entry.time < limit and not has_word:
            tree[f"{path}.gz"] = tree.pop(path)._replace(category="compressed")


def renames(tree, below, files, terms):
    area = terms["area"]
    log = files.pop(f"{area}/{terms['log']}")
    names = {path: path for path in files}  # from the name now to the name once
    for line in reversed(log.text.splitlines()):
        if line.startswith("ok "):
            old, new = line.removeprefix("ok ").split(" -> ")
            now = next(n for n, once in names.items() if once == f"{area}/{new}")
            names[now] = f"{area}/{old}"
    for path in files:
        tree.pop(path)
    tree |= {once: files[now] for now, once in names.items()}


def damage(tree, below, files, terms):
    area = terms["area"]
    by_digest = {sha256(e.text.encode()).hexdigest(): e for e in files.values()}
    for line in files[f"{area}/SHA256SUMS"].text.splitlines():
        digest, path = line.split("  ", 1)
        tree[f"{area}/{path}"] = by_digest[digest]


BY_HAND = {
    "notes": notes, "settings": settings, "orders": orders, "permissions": permissions,
    "links": links, "logs": logs, "renames": renames, "damage": damage,
}  # fmt: skip


def test_the_goal_is_what_the_requests_say() -> None:
    for seed in range(200):
        task = instance(seed, seed % 7)
        goal = differences(dict(task.tree), whole(wanted_by_hand(task)))
        assert goal == dict(task.goal), (seed, task.requests)


@pytest.mark.parametrize("level", [1, 3, 6])
def test_any_other_change_is_damage(level: int) -> None:
    rng = Random(level)
    for seed in range(3):
        task = instance(seed, level, busy=0)  # so that each command is carried out
        *moves, done = task.solve()
        changed = {path for (_, path), _ in task.goal}
        others = [p for p, e in task.tree if e.category == "file" and p not in changed]
        path = rng.choice(others)
        for extra in (f"rm \"{path}\"", f"echo x >> \"{path}\"", f"chmod 701 \"{path}\"",
                      "mkdir extra", "echo > left.txt", "ln -s /etc passwords"):  # fmt: skip
            result = score(task, *moves, extra, done)
            assert result.value == 0, extra
            assert result.parts["damage"] >= 1


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("date", "Wed Jan  1 12:00:00 UTC 2025"),
        ("date -u +%s", "1735732800"),
        ("date -Iseconds", "2025-01-01T12:00:00+00:00"),
        ("date -d yesterday +%F", "2024-12-31"),
        ("date --date='2 days ago' +%F", "2024-12-30"),
        ("date -ud 'now - 3 days' +%F", "2024-12-29"),
        ("date --date 'next month' +%F", "2025-02-01"),
        ("date -d '' +%F", "2025-01-01"),
        ("date -d @86400 +%F", "1970-01-02"),
        ("date -d '2024-05-01 +2 days' +%F", "2024-05-03"),
        ("date -d2024-05-01 +%F", "2024-05-01"),
        ("touch -d 2024-03-01 x; date -r x +%F", "2024-03-01"),
        ("echo 2024-03-01 | date -f - +%F", "2024-03-01"),
        ("date -d nonsense", "date: invalid date ‘nonsense’"),
    ],
)
def test_the_command_date_has_the_clock_of_the_world(command: str, expected: str) -> None:
    world = Shell(Snapshot(whole({"a": Entry("file", "x\n")})))
    assert output_lines(world.use(command)[0]) == [expected]


def test_requests_have_no_wrong_article() -> None:
    tasks = (instance(seed, level) for seed in range(60) for level in (0, 5))
    texts = [in_words(task.requests, task.wording) for task in tasks]
    assert any("ALERT lines" in text for text in texts)
    assert not [text for text in texts if re.search(r"\b[Aa] [AEIOaeio]\w+", text)]


def test_what_is_as_good_is_accepted() -> None:
    assert content("a", Entry("file", "x\n")) == content("a", Entry("file", "x"))
    assert content("l/a", Entry("link", "../b")) == content("l/a", Entry("link", "../l/../b"))
    world = Shell(Snapshot(whole({"a": Entry("file", "x\n")})))
    for command in ("gzip a", "gzip -9 < a > a.gz; rm a", "python3 -m gzip a; rm a"):
        world = Shell(Snapshot(whole({"a": Entry("file", "x\n")})))
        world.use(command)
        assert world.changes() == {("content", "a"): "", ("content", "a.gz"): "compressed: x"}


def test_wrong_answers_of_each_family() -> None:
    """The command that comes to mind first, and the right work on the wrong area."""
    for seed in range(16):
        task = instance(seed, 0)
        request = task.requests[0]
        careless = FAMILIES[request.family].careless(request.area, request.slots)
        assert score(task, careless).value == 0
        other = instance(seed + 100, 0)
        assert score(other, *task.solve()).value == 0


def test_commands_in_every_dialect_do_the_same() -> None:
    task = instance(4, 2)
    command = f"ls -l {task.requests[0].area} | head -n 3"
    named = json.dumps({"name": "bash", "arguments": {"command": command}})
    forms = [
        command,
        bash(command),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"[{named}]",
        f"bash(command={command!r})",
        f"Action: bash\nAction Input: {json.dumps({'command': command})}",
        f"```json\n{named}\n```",
        f"```bash\n{command}\n```",
        f"I look first.\n```sh\n{command}\n```\n",
    ]
    results = {task.world().use(form) for form in forms}
    assert len(results) == 1
    assert "[exit code 0, directory /tmp/work]" in next(iter(results))[0]


def test_the_shell_keeps_files_and_directory_and_nothing_else() -> None:
    world = instance(1, 0).world()
    world.use("mkdir -p a/b && cd a && x=1 && echo hi > /tmp/other")
    assert "[exit code 0, directory /tmp/work/a]" in world.use("ls")[0]
    assert world.use('echo "$x-"; cat /tmp/other')[0].startswith("-\n")
    assert "directory /tmp/work]" in world.use("cd ..; ls")[0]
    assert "directory /tmp/work]" in world.use("cd /usr")[0]


def test_hostile_commands_are_answered() -> None:
    task = instance(2, 1)
    world = task.world()
    for move in (
        "sleep 100",
        "head -c 900000 /dev/zero > big",
        bash("ls \0"),
        bash("ls \ud800"),
        bash("x" * 70_000),
        call("bash", command=5),
        call("bash"),
        call("python", code="1"),
        "```\nls\n```\n```\nls\n```",
        "please do it",
        "",
        "{" * 5_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error") or "bash:" in result, move
        assert not world.changes(), move
    assert world.use(":(){ :|:& };:")[1] == 1  # what it prints is a matter of timing
    assert not world.changes()
    world.use("rm -rf /tmp/work")
    assert set(world.changes().values()) == {""}
    assert "[exit code 0" in world.use("ls -la")[0]
    assert len(world.use("yes | head -n 100000")[0]) < 9_000
    assert "bytes of the output are left out" in world.use("yes | head -n 100000")[0]


def test_rewards_add_up_to_the_score_and_damage_takes_them_back() -> None:
    task = instance(5, 3)
    *moves, done = task.solve()
    for extra in ([], ["echo > x"], ["echo > x", "rm x"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in [*moves, *extra, done]]
        assert sum(rewards) == pytest.approx(episode.score.value)
        assert episode.score.value == (0 if extra == ["echo > x"] else 1)


def test_a_replay_gives_the_same_states() -> None:
    task = instance(3, 3)
    moves = [*task.solve()][:-1]
    runs = []
    for _ in range(2):
        world = task.world()
        runs.append([(world.use(move), world.state()) for move in [*moves, "echo $RANDOM > x"]])
    assert runs[0] == runs[1]


@pytest.mark.parametrize("level", [3, 6])
def test_careless_players_earn_nothing(level: int) -> None:
    for seed in range(5):
        task = instance(seed, level)
        for name, policy in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(policy(episode.turn))
            assert episode.score.value == 0, name


def test_nothing_of_the_goal_enters_the_jail() -> None:
    task = instance(7, 3)
    output = task.world().use("ls /tmp /; env; cat /proc/*/cmdline | tr '\\0' ' ' | head -c 2000")[
        0
    ]
    assert "goal" not in output
    assert "compressed" not in output


def test_a_busy_machine_starts_some_commands_not_at_all() -> None:
    task = instance(3, 2, busy=30)
    assert UNAVAILABLE in task.brief()
    assert UNAVAILABLE not in instance(3, 2).brief()
    results = []
    for _ in range(2):
        world = task.world()
        results.append([world.use("touch a; cd /tmp/work")[0] for _ in range(40)])
    assert results[0] == results[1]
    assert set(results[0]) == {
        "[exit code 0, directory /tmp/work]",
        f"{UNAVAILABLE}\n[exit code 254, directory /tmp/work]",
    }
    world = task.world()
    number = results[0].index(f"{UNAVAILABLE}\n[exit code 254, directory /tmp/work]")
    for _ in range(number):
        world.use("true")
    world.use("rm -rf *")
    assert not world.changes()
    for seed in range(4):
        busy = instance(seed, 1, busy=30)
        moves = [*busy.solve()]
        assert len(moves) <= busy.calls
        assert score(busy, *moves).value == 1


@pytest.mark.parametrize("flag", ["", "-n"])
@pytest.mark.parametrize("chosen", ["^ok", "."])
@pytest.mark.parametrize("order", ["cat", "tac"])
def test_renames_are_undone_in_reverse_and_only_those_that_were_done(
    order: str, chosen: str, flag: str
) -> None:
    tasks = [task for task in (instance(seed, 0) for seed in range(100)) if
             task.requests[0].family == "renames"]  # fmt: skip
    assert tasks
    for task in tasks:
        slots = task.requests[0].slots
        command = (
            f"cd {slots['area']}; {order} {slots['log']} | grep '{chosen}' | sed 's/^[a-z]* //; "
            f's/ -> /\\t/\' | while IFS=$\'\\t\' read -r old new; do mv {flag} -- "$new" "$old"; '
            "done"
        )
        assert score(task, command).value == (order == "tac" and chosen == "^ok")
