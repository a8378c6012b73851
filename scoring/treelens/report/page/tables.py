"""Tables of a page: what every one of them has. Knows nothing of scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treelens.render.markup import Markup, element


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    sortable: bool = False,
    kind: str = "",
) -> Markup:
    """A table that scrolls by itself where the page is too narrow; rows start with their head, or
    are made already."""
    head = element("tr", *(element("th", cell, scope="col") for cell in heads))
    body = (cells if isinstance(cells, Markup) else row(cells) for cells in rows)
    classes = " ".join(filter(None, (kind, "sortable" if sortable else "")))
    return figure(
        caption,
        element("table", element("thead", head), element("tbody", *body), class_=classes or None),
    )


def row(cells: Sequence[str]) -> Markup:
    """A row of a table."""
    return element("tr", element("th", cells[0], scope="row"), *map(_cell, cells[1:]))


def figure(caption: str, *content: Markup) -> Markup:
    """Something that may be wider than the page, under a caption that is not."""
    return element("figure", element("figcaption", caption), scrolling(caption, *content))


def scrolling(label: str, *content: Markup) -> Markup:
    """What may be wider than the page; the keyboard reaches it too."""
    return element("div", *content, class_="scroll", tabindex=0, role="region", aria_label=label)


def _cell(content: str) -> Markup:
    return content if isinstance(content, Cell) else element("td", content)


class Cell(Markup):
    """A cell that is an element already, with attributes of its own."""

    __slots__ = ()


def cell(content: str, kind: str) -> Cell:
    """A cell of some class."""
    return Cell(element("td", content, class_=kind))


def section(key: str, title: str, *content: str) -> Markup:
    """A section of the page that links can name."""
    return element(
        "section", element("h2", title, id=f"{key}-title"), *content, id=key,
        aria_labelledby=f"{key}-title",
    )  # fmt: skip
