"""Commands that run the service and replay what it recorded."""

from collections.abc import Iterator
from errno import EADDRINUSE
from pathlib import Path
from socket import AI_PASSIVE, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, getaddrinfo, socket
from typing import Annotated, Any

import typer

from palaestra.cli.datasets import write
from palaestra.cli.options import (
    Format,
    Out,
    Protocol,
    UserApiKeyEnv,
    UserBaseUrl,
    UserModel,
    UserPersona,
)
from palaestra.cli.terminal import print_faults

USERS_AT_ONCE = 64
"""How many requests to the endpoint of users a server process has under way at most."""


def serve(
    served: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TASKS",
            help="With --protocol ors, the tasks for clients that name no environment: an "
            "environment, or selections and suites (files).",
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 for a free one.")
    ] = 8000,
    token_file: Annotated[
        Path | None,
        typer.Option(exists=True, help="File with one token per line; requests must present one."),
    ] = None,
    insecure_no_auth: Annotated[
        bool,
        typer.Option("--insecure-no-auth", help="Serve other machines without tokens."),
    ] = False,
    store: Annotated[
        str | None, typer.Option(help="Database for sessions: a URL of SQLite or PostgreSQL.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Number of server processes.")] = 1,
    log_share: Annotated[
        float, typer.Option(min=0, max=1, help="Fraction of requests to log.")
    ] = 0.0,
    record: Annotated[
        bool, typer.Option("--record", help="Record scored episodes for `palaestra replay`.")
    ] = False,
    drain_s: Annotated[float, typer.Option(min=0, help="Seconds to continue after SIGTERM.")] = 0.0,
    protocol: Annotated[
        Protocol | None,
        typer.Option(help="Protocol to serve at the root, for clients that expect it there."),
    ] = None,
    user_base_url: UserBaseUrl = None,
    user_model: UserModel = None,
    user_api_key_env: UserApiKeyEnv = "OPENAI_API_KEY",
    user_persona: UserPersona = "",
) -> None:
    """Run the service: tasks, scores, sessions and programs over HTTP."""
    from palaestra.server.launcher import default_store, read_tokens
    from palaestra.server.launcher import serve as run
    from palaestra.server.service import Settings
    from palaestra.trainers.spoken_users import speaker_of

    print_faults()
    tokens = read_tokens(token_file) if token_file else ()
    user = None
    if user_base_url is not None or user_model is not None:
        user = {
            "base_url": user_base_url, "model": user_model, "api_key_env": user_api_key_env,
            "persona": user_persona, "concurrency": USERS_AT_ONCE,
        }  # fmt: skip
        speaker_of(user)  # so that what is wrong with the options is said at once
    settings = Settings(
        tokens,
        store or default_store(),
        log_share=log_share,
        record=record,
        drain_s=drain_s,
        neighbours=not (tokens or insecure_no_auth),
        protocol=protocol or "",
        served=_served(served or [], protocol),
        user=user,
    )
    refuse_taken(host, port)
    run(host, port, settings, insecure=insecure_no_auth, workers=workers)


def _served(tasks: list[str], protocol: Protocol | None) -> tuple[str, ...]:
    """What is served to clients that name no environment, with whole paths of files.

    Raises ``ValueError`` or ``LookupError`` for what there is not, before a server starts.
    """
    from palaestra.server.compat.ors_tasks import SUITES, Sources

    if tasks and protocol is not Protocol.ors:
        raise ValueError(f"{tasks[0]!r} is served to clients of --protocol ors only")
    Sources.of(tasks)
    return tuple(str(Path(text).resolve()) if text.endswith(SUITES) else text for text in tasks)


def refuse_taken(host: str, port: int) -> None:
    """Raise ``ValueError`` where nothing can listen on a port, before a server starts."""
    try:
        family, *_, address = getaddrinfo(host, port, type=SOCK_STREAM, flags=AI_PASSIVE)[0]
        with socket(family, SOCK_STREAM) as listener:
            listener.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
            listener.bind(address)
    except OSError as error:
        if error.errno == EADDRINUSE:
            raise ValueError(
                f"port {port} of {host} is in use; choose another one with --port"
            ) from None
        raise ValueError(f"nothing can listen on port {port} of {host}: {error.strerror}") from None


def replay(
    env: Annotated[str, typer.Argument(help="Only this environment.")] = "",
    store: Annotated[
        str | None, typer.Option(help="Database of `serve --record`, as a URL.")
    ] = None,
    scored: Annotated[
        bool, typer.Option("--score/--no-score", help="Score the rollouts again.")
    ] = True,
    form: Annotated[Format, typer.Option("--format", help="Format of the rows.")] = Format.jsonl,
    file: Out = None,
) -> None:
    """Score recorded rollouts again and list rewards that differ; with --out, export all rollouts.

    The exit code is 1 if any reward differs or cannot be computed any more.
    """
    from palaestra.replay import recorded, replayed, row
    from palaestra.server.launcher import default_store

    counts = {"the same": 0, "differ": 0, "cannot be scored any more": 0}

    def replays() -> Iterator[dict[str, Any]]:
        for one in replayed(recorded(store or default_store(), env)):
            gone = one.now.value is None
            counts[list(counts)[0 if one.same else 2 if gone else 1]] += 1
            if not one.same:
                print(one)
            yield row(one.rollout, one)

    if not scored:
        rollouts = recorded(store or default_store(), env)
        write((row(rollout) for rollout in rollouts), form, file)
        return
    if file is None:
        for _ in replays():
            pass
    else:
        write(replays(), form, file)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    if counts["the same"] < sum(counts.values()):
        raise typer.Exit(1)
