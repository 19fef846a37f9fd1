"""The playground: a page of our own that reads ``/v1`` like any other client.

Its files are in ``play/``, ready to be served: nothing is built, and nothing is loaded from
elsewhere. They are read once, when the application is made.
"""

from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from fastapi import FastAPI, HTTPException, Request, Response

PAGE = "index.html"

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # Text that models wrote is shown here, so not even our own code may make markup of text.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # A copy is kept, and asked for again each time: a new version is seen at once, and an old one
    # costs a line.
    "cache-control": "no-cache",
}


class File(NamedTuple):
    """A file of the page, and the headers that it goes with."""

    body: bytes
    headers: dict[str, str]


def read() -> dict[str, File]:
    """The files of the page by their names."""
    served = {}
    for each in files("palaestra.server").joinpath("play").iterdir():
        media_type = TYPES.get(each.name.rpartition(".")[2])
        if media_type is None:
            continue
        body = each.read_bytes()
        tag = f'"{sha256(body).hexdigest()[:16]}"'
        served[each.name] = File(body, HEADERS | {"content-type": media_type, "etag": tag})
    return served


def install(app: FastAPI) -> None:
    """Serve the playground at ``/play``."""
    page = read()

    async def play(request: Request) -> Response:
        return answer(request, page[PAGE])

    async def part(request: Request, name: str) -> Response:
        if not name:  # the page names its files from where it stands, which is without a slash
            return Response(status_code=308, headers={"location": "../play"})
        if name not in page:
            raise HTTPException(404, "the playground has no such file")
        return answer(request, page[name])

    for path, endpoint in (("/play", play), ("/play/{name:path}", part)):
        app.add_api_route(path, endpoint, methods=["GET", "HEAD"], include_in_schema=False)


def answer(request: Request, file: File) -> Response:
    """A file, or only its tag to whom has it already."""
    known_tags = request.headers.get("if-none-match", "")
    known = {tag.strip().removeprefix("W/") for tag in known_tags.split(",")}
    if known & {file.headers["etag"], "*"}:
        return Response(status_code=304, headers=file.headers)
    return Response(file.body, headers=file.headers)
