"""What changed from one version of a system to the next, as a page; sentences that changed most
are drawn as they are now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.differences.wording import SideNames
from treelens.pictures.sentence import sentence_picture
from treelens.render.markup import Markup, element, isolated, joined
from treelens.render.width import shortened
from treelens.report import changes, versions
from treelens.report.content import short_names
from treelens.report.page.frame import framed
from treelens.report.page.pictures import how_drawn, legend, pictured
from treelens.report.page.tables import section, table
from treelens.report.versions import (
    ChangedPlace,
    ChangeRow,
    FileNames,
    ShownChanges,
    VersionComparison,
)
from treelens.session.pair import Side

_NAME = 60
_NEW = "the new version"
_MESSAGE = 160


def html(found: VersionComparison, limit: int) -> Iterator[str]:
    """The page, piece by piece; ``limit``: how many sentences are drawn at most."""
    names = FileNames(*(shortened(name, _NAME) for name in short_names(found.names)))
    yield from framed(f"{names.old} → {names.new}", _content(found, names, limit))


def _content(found: VersionComparison, names: FileNames, limit: int) -> Iterator[str]:
    yield _header(found, names)
    yield "<main>"
    yield section("scores", "Scores", _scores(found))
    for key, title, rows in (
        ("classes", "Classes of errors", versions.by_class(found)),
        ("labels", "Labels", versions.by_label(found)),
        ("lengths", "Length of the sentence", versions.by_length(found)),
        ("files", "Files", versions.by_file(found)),
    ):
        if rows or key != "files":
            yield section(key, title, _sums(title, rows))
    drawn = element("div", *map(Markup, found.foremost.told()), class_="sentences")
    arcs, chosen = found.counts.annotation == "dependencies", found.foremost.count
    note = f"{min(limit, chosen):,} of {chosen:,} sentences, most changed first. "
    note += how_drawn(arcs, _NEW)
    signs = [legend(arcs, _NEW)] if min(limit, chosen) else []
    yield section("sentences", "Sentences", element("p", note, class_="quiet"), *signs, drawn)
    yield "</main>"


def _header(found: VersionComparison, names: FileNames) -> Markup:
    files = (
        element("div", element("dt", role), element("dd", isolated(name)))
        for role, name in zip(FileNames._fields, names, strict=True)
    )
    return element(
        "header",
        element("p", "Treelens changes", class_="kicker"),
        element("h1", isolated(names.old), " → ", isolated(names.new)),
        element("dl", *files, class_="files"),
        element("p", _fates(found.total)),
        *(
            element("p", f"{row.name}: {_fates(row)}", class_="quiet")
            for row in changes.uncounted(found)
        ),
        *(element("p", line) for line in changes.left_out(found)),
        element("p", element("code", found.signature)),
    )


def _fates(row: ChangeRow) -> str:
    return f"{row.mended:,} mended · {row.new:,} new · {row.stays:,} as before"


def _scores(found: VersionComparison) -> Markup:
    rows = (
        [test.ratio.title, *changes.score_cells(test), changes.sign(test)] for test in found.tests
    )
    heads = ["", "old", "new", "change", "p", ""]
    return joined(
        [table("Scores of both versions", heads, rows), element("p", f"{changes.WHAT_P_IS}.")]
    )


def _sums(title: str, rows: Sequence[ChangeRow]) -> Markup:
    cells = ([isolated(row.name), *changes.sum_cells(row)] for row in rows)
    heads = ["", "mended", "new", "stays", "balance"]
    return table(f"{title}: what became of the differences", heads, cells, sortable=True)


def sentence(place: ChangedPlace, shown: ShownChanges) -> Markup:
    """One stretch, as the page has it."""
    stretch = place.stretch
    said = _fates(versions.tally(stretch))
    title = f"Sentence {changes.sentence_numbers(place)}"
    items = (
        element("li", isolated(shortened(changes.message(one), _MESSAGE)))
        for one in versions.shown_changes(stretch, shown)
    )
    return element(
        "article",
        element("h3", title, element("span", said, class_="quiet")),
        element("p", isolated(" · ".join(changes.places(place))), class_="places"),
        *_pictures(place, title, f"picture-{place.number}"),
        element("ul", *items),
        class_="sentence",
    )


def _pictures(place: ChangedPlace, title: str, key: str) -> Iterator[Markup]:
    """The groups of the new version that gold's sentences are in, drawn."""
    new = place.new
    groups = {new.group_of(Side.GOLD, sentence) for sentence in place.stretch.gold}
    for at, group in enumerate(sorted(groups), 1):
        names = SideNames(system=_NEW)
        drawn = sentence_picture(new.comparison(group), f"{title}: gold above, new below", names)
        if drawn is not None:
            yield pictured(drawn, f"{key}-{at}")
