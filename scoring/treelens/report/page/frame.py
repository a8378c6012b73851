"""What every page is put into: its head, its styles, its script. Nothing is loaded from elsewhere.

The script only sorts and filters: without one all of a page is there.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from importlib import resources

from treelens import __version__
from treelens.pictures.style import style
from treelens.render.markup import Markup, element


def framed(title: str, content: Iterable[str], also: str = "") -> Iterator[str]:
    """A page of some content, piece by piece; ``also``: the name of a style sheet and a script of
    its own in place of the reports' script."""
    script = _asset(f"{also or 'page'}.js")
    styles = _asset("page.css") + style() + (_asset(f"{also}.css") if also else "")
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield _head(title, styles, script)
    yield "<body>"
    yield from content
    yield f"<script>{script}</script>"
    yield "</body>"
    yield "</html>"


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _head(title: str, styles: str, script: str) -> Markup:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Should anything in a file ever be taken for markup, it can load and start nothing.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", attributes=[("http-equiv", "Content-Security-Policy")], content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"treelens {__version__}"),
        element("title", f"{title} – Treelens"),
        Markup(f"<style>{styles}</style>"),
    )
