"""The store of sessions: its version, what it refuses to work with, and how it says so."""

import asyncio
import json
import logging
import time

import httpx2 as httpx
import pytest
from sqlalchemy import create_engine, text

from palaestra.cli import main
from palaestra.server import service
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.problems import StoreUnavailable
from palaestra.server.service import Settings
from palaestra.server.store import IdempotencyRecord, ReplyRecord, SessionRecord, Store
from palaestra.server.tables import VERSION, StoreError, url_of, versions

FIRST = """
CREATE TABLE sessions (id VARCHAR(64) NOT NULL PRIMARY KEY, owner VARCHAR(80) NOT NULL,
    address TEXT NOT NULL, style VARCHAR(20) NOT NULL, seats VARCHAR(200) NOT NULL,
    created FLOAT NOT NULL, generation INTEGER NOT NULL);
CREATE TABLE steps (session VARCHAR(64) NOT NULL, step INTEGER NOT NULL, reply TEXT NOT NULL,
    at FLOAT NOT NULL, PRIMARY KEY (session, step));
INSERT INTO sessions VALUES ('old', 'me', 'games/mastermind@1', 'tags', 'null', 5.0, 0);
INSERT INTO steps VALUES ('old', 0, '"111"', 6.0)
"""
"""Tables of the first version, which stated no version."""

SECOND = """
CREATE TABLE palaestra_store (version INTEGER NOT NULL PRIMARY KEY, probed FLOAT NOT NULL);
CREATE TABLE sessions (id VARCHAR(64) NOT NULL PRIMARY KEY, owner VARCHAR(80) NOT NULL,
    address TEXT NOT NULL, style VARCHAR(20) NOT NULL, seats VARCHAR(200) NOT NULL,
    created FLOAT NOT NULL, generation INTEGER NOT NULL, recipe TEXT);
CREATE TABLE curricula (id VARCHAR(64) NOT NULL PRIMARY KEY, owner VARCHAR(80) NOT NULL,
    kind VARCHAR(40) NOT NULL, state TEXT NOT NULL, generation INTEGER NOT NULL,
    touched FLOAT NOT NULL);
CREATE TABLE rollouts (id INTEGER NOT NULL PRIMARY KEY, at FLOAT NOT NULL,
    owner VARCHAR(80) NOT NULL, session VARCHAR(64) NOT NULL, address TEXT NOT NULL,
    style VARCHAR(20) NOT NULL, seats VARCHAR(200) NOT NULL, replies TEXT NOT NULL, value FLOAT,
    status VARCHAR(40) NOT NULL, fingerprint VARCHAR(80) NOT NULL);
INSERT INTO palaestra_store VALUES (2, 5.0);
INSERT INTO sessions VALUES ('old', 'me', 'games/mastermind@1', 'boxed', 'null', 5.0, 0, NULL);
INSERT INTO curricula VALUES ('course', 'me', 'uniform', '{"known": {"drawn": 3}}', 0, 5.0);
INSERT INTO rollouts VALUES (1, 6.0, 'me', 'old', '"games/mastermind@1"', 'boxed', 'null',
    '["111"]', 0.5, 'scored', 'f')
"""
"""Tables of the second version, as far as later ones change them."""


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'kept.sqlite'}"
    return request.getfixturevalue("postgres")


def execute(url, *statements):
    engine = create_engine(url_of(url))
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def with_store(url, work):
    async def run():
        store = Store(url)
        try:
            return await work(store)
        finally:
            store.close()

    return asyncio.run(run())


def test_a_store_of_the_first_version_is_brought_up_to_date(database):
    execute(database, *FIRST.split(";"))

    async def work(store):
        old = await store.load("old")
        assert await store.append(ReplyRecord("old", 0, 1, "222"))
        await store.create([SessionRecord("new", "me", "x", "tags", None, 0.0, recipe="Truth()")])
        return old, await store.load("old"), await store.load("new")

    for _ in range(2):  # the second time there is nothing to bring
        old, later, new = with_store(database, work)
        assert (old.owner, old.replies[0], old.recipe) == ("me", "111", None)
        assert later.replies == ("111", "222")
        assert new.recipe == "Truth()"
        execute(
            database, "DELETE FROM steps WHERE step = 1", "DELETE FROM sessions WHERE id = 'new'"
        )


def test_a_store_of_the_second_version_is_brought_up_to_date(database):
    execute(database, *SECOND.split(";"))

    async def work(store):
        assert await store.append(ReplyRecord("old", 0, 0, "222"))
        return await store.load("old"), [*store.rollouts()], await store.course("course")

    session, rollouts, course = with_store(database, work)
    assert (course.strategy, course.state) == ("uniform", {"known": {"sampled": 3}})
    assert (session.answer_format, session.replies) == ("boxed", ("222",))
    assert [(one.answer_format, one.replies, one.value) for one in rollouts] == [
        ("boxed", ("111",), 0.5)
    ]


def test_a_store_of_a_newer_version_is_refused(database):
    Store(database).close()
    execute(database, f"UPDATE {versions.name} SET version = {VERSION + 1}")
    with pytest.raises(StoreError, match=f"version {VERSION + 1} and this palaestra uses"):
        Store(database)
    execute(database, f"DELETE FROM {versions.name}")
    with pytest.raises(StoreError, match="version 0"):
        Store(database)


def test_tables_of_another_program_are_refused(database):
    execute(database, "CREATE TABLE sessions (id INTEGER PRIMARY KEY, cookie TEXT)")
    with pytest.raises(StoreError, match="'sessions' has no address, created"):
        Store(database)
    execute(database, "INSERT INTO sessions VALUES (1, 'kept as it is')")


def stores(tmp_path):
    """URLs of what is no store, and what is wrong with each."""
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"no database, by far. " * 500)
    other = tmp_path / "other.sqlite"
    execute(f"sqlite:///{other}", "CREATE TABLE steps (id INTEGER PRIMARY KEY)")
    return {
        f"sqlite:///{garbage}": "file is not a database",
        f"sqlite:///{tmp_path}": "unable to open database file",
        "sqlite:////proc/palaestra/kept.sqlite": "unable to open database file",
        f"sqlite:///{other}": "is not one of palaestra",
        "mysql://localhost/x": "SQLite or PostgreSQL, not 'mysql'",
        "nosuch://localhost/x": "SQLite or PostgreSQL, not 'nosuch'",
        "postgresql+nosuch://localhost/x": "there is no driver for postgresql+nosuch",
        "kept.sqlite": "a store is a URL such as",
        "postgresql://me:secret@127.0.0.1:1/x?connect_timeout=2": "cannot be used",
    }


def test_what_is_no_store_is_told_in_a_line_when_the_service_starts(tmp_path, capsys):
    for url, why in stores(tmp_path).items():
        for command in (["serve", "--store", url], ["serve", "--workers", "2", "--store", url]):
            with pytest.raises(SystemExit) as ended:
                main(command)
            output = capsys.readouterr()
            assert ended.value.code == 2, url
            assert why in output.err
            assert "Traceback" not in output.err
            assert "secret" not in output.err
            assert len(output.err.strip().splitlines()) == 1
        if "secret" in url:
            continue
        with pytest.raises(SystemExit):
            main(["replay", "--store", url])
        assert why in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told_in_a_line(monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    with pytest.raises(SystemExit):
        main(["serve"])
    error = capsys.readouterr().err
    assert "sessions cannot be kept in /proc/nowhere" in error
    assert len(error.strip().splitlines()) == 1


LOSE = f"ALTER TABLE {versions.name} RENAME TO lost"
FIND = f"ALTER TABLE lost RENAME TO {versions.name}"


def test_a_probe_writes_and_the_cause_of_what_fails_is_in_the_log(tmp_path, caplog):
    url = f"sqlite:///{tmp_path / 'kept.sqlite'}"

    async def work(store):
        await store.ping()
        execute(url, LOSE)
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match="out of reach"):
                await store.ping()

    with caplog.at_level(logging.ERROR, "palaestra.store"):
        with_store(url, work)
    (line,) = [each.getMessage() for each in caplog.records if each.name == "palaestra.store"]
    assert "no such table" in line


def test_a_store_whose_tables_have_changed_meanwhile_is_out_of_reach(database):
    async def work(store):
        execute(database, f"UPDATE {versions.name} SET version = {VERSION + 1}")
        with pytest.raises(StoreUnavailable):
            await store.ping()

    with_store(database, work)


def test_readiness_is_that_of_writing(tmp_path, monkeypatch):
    monkeypatch.setattr(service, "PROBING_S", 0.05)
    monkeypatch.setattr(service, "PATIENCE_S", 0.05)
    url = f"sqlite:///{tmp_path / 'kept.sqlite'}"

    def until(status):
        end = time.monotonic() + 120
        while (response := httpx.get(f"{base}/readyz")).status_code != status:
            assert time.monotonic() < end
            time.sleep(0.02)
        return json.loads(response.text)

    with background_server(build(Settings(store=url))) as base:
        until(200)
        execute(url, LOSE)
        assert "out of reach" in until(503)["detail"]
        execute(url, FIND)
        until(200)


def test_sessions_that_are_opened_at_the_same_time_are_committed_together(database, monkeypatch):
    commits = []
    flush = Store._flush

    def counted(store, *given):
        commits.append(given)
        flush(store, *given)

    monkeypatch.setattr(Store, "_flush", counted)

    async def work(store):
        made = [SessionRecord(f"s{n}", "me", "x", "tags", None, 0.0) for n in range(200)]
        results = await asyncio.gather(*(store.create([one]) for one in made))
        assert results == [(one.id,) for one in made]
        assert [kept.id for one in made if (kept := await store.load(one.id))] == [
            one.id for one in made
        ]

    with_store(database, work)
    assert 1 <= len(commits) < 20


def test_a_key_holds_for_those_who_open_at_the_same_time(database):
    async def work(store):
        made = [SessionRecord(f"s{n}", "me", "x", "tags", None, 0.0) for n in range(9)]
        keys = [
            IdempotencyRecord("me", key, request) for key in "ab" for request in ("1", "1", "2")
        ]
        wishes = [store.create([one], key) for one, key in zip(made, [*keys, None, None, None])]
        reply = store.append(ReplyRecord("nobody", 0, 0, "lost"))
        *results, kept = await asyncio.gather(*wishes, reply)
        first, second = (
            {results[0], results[1], results[2]} - {None},
            {results[3], results[4], results[5]} - {None},
        )
        assert (len(first), len(second), kept) == (1, 1, False)
        assert results[:6].count(None) in {2, 3, 4}  # by which request of a key was the first
        assert results[6:] == [("s6",), ("s7",), ("s8",)]
        there = [one.id for one in made if await store.load(one.id)]
        assert sorted(there) == sorted([*first.pop(), *second.pop(), "s6", "s7", "s8"])

    with_store(database, work)
