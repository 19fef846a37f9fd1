"""The reference of the routes at ``/docs``: the OpenAPI document as a page to be read.

It is made here, without scripts and without anything from elsewhere, so that it can be read where
nothing but this service is in reach.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from typing import Any

from fastapi import FastAPI, Request, Response

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: .5rem 1rem; border: 1px solid #8886; border-radius: .3rem; }
details { border-top: 1px solid #8886; padding: .4rem 0; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0; }
"""

POLICY = "; ".join(
    (
        "default-src 'none'",
        f"style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

BOUNDS = {
    "minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}", "exclusiveMaximum": "< {}",
    "minLength": "at least {} characters", "maxLength": "at most {} characters",
    "minItems": "at least {} items", "maxItems": "at most {} items", "pattern": "matches {}",
}  # fmt: skip


def install(app: FastAPI) -> None:
    """Serve the page at ``/docs``."""

    async def docs(request: Request) -> Response:
        html = page(request.app.openapi())
        return Response(html, media_type="text/html", headers=HEADERS)

    app.add_api_route("/docs", docs, methods=["GET", "HEAD"], include_in_schema=False)


HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def page(document: Mapping[str, Any]) -> str:
    """The whole page."""
    info = document["info"]
    title = escape(f"{info['title']} {info['version']}")
    tags: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            name = (operation.get("tags") or ["other"])[0]
            tags.setdefault(name, []).append(_operation(method, path, operation))
    routes = "".join(f"<h2>{escape(tag)}</h2>{''.join(some)}" for tag, some in tags.items())
    known = document["components"]["schemas"].items()
    schemas = "".join(_schema(name, schema) for name, schema in known)
    about = _paragraphs(info.get("description", ""))
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        '<meta name="viewport" content="width=device-width">'
        f"<style>{STYLE}</style><h1>{title}</h1>{about}"
        '<p>As a document for programs: <a href="openapi.json"><code>/openapi.json</code></a>.</p>'
        f"{routes}<h2>Schemas</h2>{schemas}</html>"
    )


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    """A route: what it does, takes and gives."""
    body = operation.get("requestBody", {}).get("content", {})
    parts = [
        _paragraphs(operation.get("description", "")),
        _table((_parameter(each) for each in operation.get("parameters", ())), "Parameters"),
        _bodies("Body", body),
        _table(map(_answer, operation["responses"].items()), "Responses"),
    ]
    name, summary = operation["operationId"], operation.get("summary", "")
    return (
        f'<details id="{escape(name)}"><summary><b>{method.upper()}</b> <code>{escape(path)}</code>'
        f" {escape(summary)}</summary>{''.join(parts)}</details>"
    )


def _parameter(parameter: Mapping[str, Any]) -> list[str]:
    location = parameter["in"] + (", required" if parameter.get("required") else "")
    about = _inline(parameter.get("description", ""))
    return [
        f"<code>{escape(parameter['name'])}</code>",
        location,
        _type(parameter.get("schema", {})),
        about,
    ]


def _bodies(title: str, contents: Mapping[str, Any]) -> str:
    lines = []
    for media, content in contents.items():
        lines.append(f"<p>{title}, <code>{escape(media)}</code>: {_type(content['schema'])}</p>")
        if "example" in content:
            lines.append(f"<pre>{escape(_json(content['example']))}</pre>")
    return "".join(lines)


def _answer(item: tuple[str, Mapping[str, Any]]) -> list[str]:
    status, response = item
    kinds = response.get("content", {})
    types = ", ".join(
        f"<code>{escape(media)}</code> {_type(content.get('schema', {}))}"
        for media, content in kinds.items()
        if media != "application/problem+json"
    )
    return [f"<b>{escape(status)}</b>", _inline(response.get("description", "")), types]


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    """A type of the document: its fields, or what it is."""
    required = set(schema.get("required", ()))
    fields = (
        [f"<code>{escape(field)}</code>", "required" if field in required else "", _type(property_),
         _inline(property_.get("description", ""))]
        for field, property_ in schema.get("properties", {}).items()
    )  # fmt: skip
    inside = _table(fields, "") or f"<p>{_type(schema)}</p>"
    about = _paragraphs(schema.get("description", ""))
    return (
        f'<details id="schema-{escape(name)}"><summary><code>{escape(name)}</code></summary>'
        f"{about}{inside}</details>"
    )


def _type(schema: Mapping[str, Any]) -> str:
    """What a value may be, in a few words."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f'<a href="#schema-{escape(name)}">{escape(name)}</a>'
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(map(_type, schema[several]))
    if "enum" in schema:
        return " or ".join(f"<code>{escape(_json(each))}</code>" for each in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(_json(schema['const']))}</code>"
    type_ = schema.get("type", "anything")
    text = " or ".join(type_) if isinstance(type_, list) else str(type_)
    text = f"list of {_type(schema.get('items', {}))}" if text == "array" else escape(text)
    bounds = [words.format(schema[name]) for name, words in BOUNDS.items() if name in schema]
    if "default" in schema:
        bounds.append(f"otherwise {_json(schema['default'])}")
    return text + (f" ({escape(', '.join(bounds))})" if bounds else "")


def _table(rows: Iterable[list[str]], title: str) -> str:
    """A table of cells that are HTML already; nothing where it has no rows."""
    inside = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}" for row in rows)
    if not inside:
        return ""
    return (f"<p>{title}</p>" if title else "") + f"<table>{inside}</table>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def _inline(text: str) -> str:
    """Text with code between back quotes, and lists by their dashes."""
    parts = escape(text.replace("``", "`")).split("`")
    html = "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))
    return html.replace("\n- ", "<br>– ")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict) else None)
