"""Servers that are killed, told to stop, or lose their workers, while clients ask for much.

What was acknowledged has to be there afterwards. The requests that were under way may fail, but
only so that they can be made again.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import httpx2 as httpx
import pytest

from palaestra.address import Address
from palaestra.episode import TAGS
from palaestra.replay import recorded
from palaestra.trainers.curricula import cells, make

pytestmark = pytest.mark.slow

LONG = str(Address.of("games/game_2048", seed=1, level=3))
KNIGHTS = Address.of("logic/knights_and_knaves", seed=5, level=2)
RIGHT = TAGS.write(KNIGHTS.task().answer())
MOVES = ("left", "up", "right", "down")
COURSE = {"strategy": "frontier", "environments": [KNIGHTS.env], "seed": 3}


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    """The URL of a store that outlives a server."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres")
    return f"sqlite:///{tmp_path / 'kept'}"


class Server:
    """A service as a process."""

    def __init__(self, store, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "palaestra", "serve", "--port", str(self.port)]
        self.label = f"PALAESTRA_TEST={uuid4().hex}"
        environment = os.environ | {"PALAESTRA_WORKERS": "2"} | dict([self.label.split("=")])
        self.process = subprocess.Popen(
            [*command, "--store", store, *options], stderr=subprocess.PIPE, env=environment
        )
        self.said = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.until(lambda: httpx.get(f"{self.url}/readyz").status_code == 200)

    def _read(self):
        self.said += self.process.stderr

    def until(self, true, patience_s=300):
        """Waits for something that comes about in time."""
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            assert self.process.poll() is None, b"".join(self.said).decode()
            with suppress(httpx.TransportError):
                if true():
                    return
            time.sleep(0.02)
        raise AssertionError(b"".join(self.said).decode())

    def end(self):
        """Kills what is left of it: first that which would start others in place of the killed."""
        self.process.kill()
        self.process.wait(300)
        for process in labelled(self.label):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.reader.join(120)
        assert not self.reader.is_alive(), "something holds its standard error"
        self.process.stderr.close()


@contextmanager
def serving(store, *options):
    server = Server(store, *options)
    try:
        yield server
    finally:
        server.end()


def children(parent):
    """The processes that one has started, and they in turn."""
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                processes += [int(folder.name), *children(int(folder.name))]
    return processes


def labelled(label):
    """The processes that have this in their environment."""
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if label.encode() in (folder / "environ").read_bytes():
                processes.append(int(folder.name))
    return processes


def at_work(server):
    """The processes that serve."""
    return [n for n in children(server.process.pid) if b"spawn_main" in command_of(n)]


def command_of(process):
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


class Player(threading.Thread):
    """Plays a session, has things scored and asks a curriculum for tasks until that fails or it is
    told to stop, and remembers what was acknowledged.
    """

    def __init__(self, url, name):
        super().__init__()
        self.url, self.label = url, name
        self.rng = random.Random(name)
        self.moves, self.scored, self.drawn, self.faults, self.over = [], [], [], [], False
        self.enough = threading.Event()
        with httpx.Client(base_url=url, timeout=60) as http:
            (opened,) = http.post("/v1/sessions", json={"address": LONG}).json()["sessions"]
            self.session = opened["session"]
            self.course = http.post("/v1/curricula", json=COURSE).json()["id"]

    def run(self):
        with httpx.Client(base_url=self.url, timeout=60) as http:
            try:
                while not self.enough.is_set():
                    if not self.over:
                        self._step(http)
                    self._score(http)
                    self._draw(http)
            except httpx.TransportError as gone:
                self.faults.append(gone)

    def _step(self, http):
        n = len(self.moves)
        move = f"{self.label} {n} {TAGS.write(self.rng.choice(MOVES))}"
        path = f"/v1/sessions/{self.session}/step"
        response = http.post(path, json={"step": n, "move": move})
        if response.status_code == 200:
            assert response.json()["step"] == n + 1
            self.moves.append(move)
            self.over = response.json()["done"]
        else:
            self.faults.append(response.json())
            self.enough.set()

    def _score(self, http):
        reply = f"{self.label} {len(self.scored)} {RIGHT}"
        response = http.post("/v1/score", json={"address": str(KNIGHTS), "replies": reply})
        if response.status_code == 200:
            self.scored.append(reply)
        else:
            self.faults.append(response.json())

    def _draw(self, http):
        response = http.post(f"/v1/curricula/{self.course}/next", json={})
        if response.status_code == 200:
            self.drawn += response.json()["addresses"]
        else:
            self.faults.append(response.json())


def moves_kept(url, session):
    session_record = httpx.get(f"{url}/v1/sessions/{session}", timeout=60).json()
    return [message["content"] for message in session_record["messages"][1::2]]


def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(store):
    players, rng = [], random.Random(20)
    for lap in range(3):
        with serving(store, "--record") as server:
            some = [Player(server.url, f"player {lap} {n}") for n in range(6)]
            for each in some:
                each.start()
            server.until(lambda some=some: all(each.scored[2:] for each in some))
            time.sleep(rng.random() / 2)
            server.process.send_signal(signal.SIGKILL)
            for each in some:
                each.join()
                assert each.moves
                assert all(isinstance(fault, httpx.TransportError) for fault in each.faults)
            players += some
    with serving(store) as server:
        for each in players:
            alike = make("frontier", cells({KNIGHTS.env: 1.0}), seed=3)
            kept = moves_kept(server.url, each.session)
            # The last one may have been kept without anybody having been told.
            assert kept[: len(each.moves)] == each.moves
            assert len(kept) <= len(each.moves) + 1
            path = f"{server.url}/v1/sessions/{each.session}/step"
            again = {"step": len(each.moves) - 1, "move": each.moves[-1]}
            assert httpx.post(path, json=again, timeout=60).json()["step"] == len(each.moves)
            course = httpx.get(f"{server.url}/v1/curricula/{each.course}", timeout=60).json()
            assert course["sampled"] - len(each.drawn) in {0, 1}
            assert each.drawn == [*map(str, alike.sample(len(each.drawn)))]
    rollouts = {rollout.replies[0] for rollout in recorded(store, KNIGHTS.env)}
    for each in players:
        assert {*each.scored} <= rollouts


ITEM = {"address": str(KNIGHTS), "replies": "x" * 200_000 + RIGHT}
WORLD = "games/mastermind?length=4&digits=6&guesses=9&seed=1"


def _score_long_replies(url, scores, enough):
    with httpx.Client(base_url=url, timeout=60) as http:
        while not enough.is_set():
            answer = http.post("/v1/score", json=ITEM)
            assert answer.status_code == 200
            scores.append(answer.json())


def _play_away(url, faults, enough):
    with httpx.Client(base_url=url, timeout=60) as http:
        while not enough.is_set():
            opened = http.post("/v1/sessions", json={"address": WORLD})
            if opened.status_code != 201:
                faults.append(opened.json())
                continue
            (one,) = opened.json()["sessions"]
            path, step = f"/v1/sessions/{one['session']}/step", 0
            while step < 8 and not enough.is_set():
                answer = http.post(path, json={"step": step, "move": f"{step}"})
                if answer.status_code == 200:
                    step += 1
                else:
                    faults.append(answer.json())


def test_a_worker_that_is_killed_fails_what_it_did_and_nothing_else(tmp_path):
    """Long replies are judged by worker processes, and worlds with knobs set by hand are played by
    them.
    """
    scores, faults, enough = [], [], threading.Event()
    with serving(f"sqlite:///{tmp_path / 'kept'}") as server:
        asking = [
            threading.Thread(target=_score_long_replies, args=(server.url, scores, enough)),
            threading.Thread(target=_score_long_replies, args=(server.url, scores, enough)),
            threading.Thread(target=_play_away, args=(server.url, faults, enough)),
        ]
        for each in asking:
            each.start()
        killed, rng = [], random.Random(4)

        def kill_one():
            """Kills a worker; whether six died, one of them at work."""
            time.sleep(0.2 * rng.random())
            workers = [n for n in children(server.process.pid) if b"worker import" in command_of(n)]
            for process in {*workers} - {*killed}:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)
                    break
            return len(killed) >= 6 and (faults or any(one["value"] is None for one in scores))

        server.until(lambda: scores)
        try:
            server.until(kill_one)
        finally:
            enough.set()
        for each in asking:
            each.join()
        assert httpx.post(f"{server.url}/v1/score", json=ITEM, timeout=60).json()["value"] == 1
    lost = [one for one in scores if one["value"] is None]
    assert {one["value"] for one in scores} <= {1, None}
    assert {one["error"] for one in lost} <= {"worker-lost"}
    assert {fault["status"] for fault in faults} <= {503}
    assert all(fault["retryable"] for fault in faults)
    assert lost or faults


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_server_that_is_told_to_stop_finishes_what_it_has_begun(store, processes):
    with serving(store, "--drain-s", "5", "--record", "--workers", processes) as server:
        players = [Player(server.url, f"player {n}") for n in range(4)]
        for each in players:
            each.start()
        server.until(lambda: all(each.scored for each in players))
        server.process.send_signal(signal.SIGTERM)
        server.until(lambda: httpx.get(f"{server.url}/readyz").status_code == 503, 5)
        # It goes on for a while: whoever has not heard of it yet is still answered, and what is
        # asked for then is finished, though it takes for longer than that while.
        slow = threading.Thread(target=_ask_slowly, args=(server.url, answers := []))
        slow.start()
        before = [len(each.scored) for each in players]
        server.until(lambda: all(len(e.scored) > n for e, n in zip(players, before)), 5)
        for each in players:
            each.enough.set()
        for each in (*players, slow):
            each.join()
        assert server.process.wait(300) in {0, -signal.SIGTERM}
        assert [each.faults for each in players] == [[]] * 4
        assert answers == [200]
    with serving(store) as server:
        for each in players:
            assert moves_kept(server.url, each.session) == each.moves
    rollouts = {rollout.replies[0] for rollout in recorded(store, KNIGHTS.env)}
    assert {reply for each in players for reply in each.scored} == rollouts


def _ask_slowly(url, answers):
    """A request that is under way for longer than the server would go on."""
    program = {"source": "import time; time.sleep(7); print(1)", "stdin": ""}
    response = httpx.post(f"{url}/v1/programs", json=program, timeout=60)
    answers.append(response.status_code)


def test_two_processes_serve_the_same_sessions(store):
    """Each request comes over a connection of its own, and so to either process. One of them is
    killed now and then, and another one started in its place.
    """
    with serving(store, "--workers", "2") as server:
        (opened,) = httpx.post(f"{server.url}/v1/sessions", json={"address": LONG}).json()[
            "sessions"
        ]
        path, rng = f"{server.url}/v1/sessions/{opened['session']}", random.Random(1)
        moves, step = [], 0
        while step < 40:
            assert server.process.poll() is None
            move = f"{step} {TAGS.write(MOVES[step % 4])}"
            try:
                response = httpx.post(
                    f"{path}/step", json={"step": step, "move": move}, timeout=300
                )
            except httpx.TransportError:
                continue  # it was under way when its process was killed
            assert response.status_code == 200, response.text
            assert response.json()["step"] == step + 1
            moves.append(move)
            step += 1
            if step in {10, 20, 30}:
                server.until(lambda: len(at_work(server)) >= 2)
                os.kill(rng.choice(at_work(server)), signal.SIGKILL)
        assert moves_kept(server.url, opened["session"]) == moves
        metrics = httpx.get(f"{server.url}/metrics").text
        assert 'route="/v1/sessions/{session}/step"' in metrics


def test_processes_end_with_the_one_that_has_started_them(tmp_path):
    """It has no time to tell them where it is killed, and they would hold the port for ever."""
    with serving(f"sqlite:///{tmp_path / 'kept'}", "--workers", "2") as server:
        server.until(lambda: len(at_work(server)) == 2)
        before = at_work(server)
        server.process.kill()
        server.process.wait(300)
        deadline = time.monotonic() + 30
        while any(command_of(process) for process in before):
            assert time.monotonic() < deadline, "they serve on"
            time.sleep(0.05)
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/livez")


def test_tokens_are_in_no_environment_of_a_process(tmp_path):
    """Nor is where they are kept: workers run what models wrote, and inherit nothing of it."""
    tokens = tmp_path / "tokens"
    tokens.write_text("open-sesame-4711\n")
    store = f"sqlite:///{tmp_path / 'kept'}"
    with serving(store, "--token-file", str(tokens), "--workers", "2") as server:
        shown = {"x-api-key": "open-sesame-4711"}
        assert httpx.get(f"{server.url}/v1", headers=shown).status_code == 200
        server.until(lambda: len(at_work(server)) == 2)
        servers = at_work(server)
        inside = [each for one in servers for each in children(one)]
        assert inside
        for process in [server.process.pid, *children(server.process.pid)]:
            with suppress(OSError):
                assert b"sesame" not in Path(f"/proc/{process}/environ").read_bytes()
        for process in inside:
            with suppress(OSError):
                environment = Path(f"/proc/{process}/environ").read_bytes()
                assert not environment or b"PALAESTRA_SERVE" not in environment
