"""What every page is put into: its head, its styles, its script. Nothing is loaded from elsewhere.

A script only sorts and filters: without one all of a page is there.
"""

from __future__ import annotations

import base64
import hashlib
import pkgutil
from collections.abc import Iterable, Iterator

from treelens import __version__
from treelens.pictures.style import style
from treelens.render.markup import Markup, element


def framed(title: str, content: Iterable[str], own: str | None = "page") -> Iterator[str]:
    """A page of some content, piece by piece.

    own: the name of its script, and of a style sheet beside that of all pages; None: no script.
    """
    script = _asset(f"{own}.js") if own else ""
    styles = (
        _asset("page.css") + style() + (_asset(f"{own}.css") if own not in (None, "page") else "")
    )
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield _head(title, styles, script)
    yield "<body>"
    yield from content
    if script:
        yield f"<script>{script}</script>"
    yield "</body>"
    yield "</html>"


def _asset(name: str) -> str:
    return (pkgutil.get_data(__name__, name) or b"").decode()


def _head(title: str, styles: str, script: str) -> Markup:
    # Should anything in a file ever be taken for markup, it can load and start nothing.
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy += f"; script-src 'sha256-{digest}'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", attributes=[("http-equiv", "Content-Security-Policy")], content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"treelens {__version__}"),
        element("title", f"{title} – Treelens"),
        Markup(f"<style>{styles}</style>"),
    )
