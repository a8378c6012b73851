"""What systems agree on against gold, in every form of report."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from treelens.counting.waiting import Waiting
from treelens.render.markup import Markup, element, isolated
from treelens.render.numbers import number_of
from treelens.render.sheet import csv_line
from treelens.render.width import clean
from treelens.report.batches import Foremost
from treelens.report.drawing import Underline, draw
from treelens.report.page import tables
from treelens.report.paint import Paint
from treelens.session.document import Document
from treelens.session.pair import Pair
from treelens.session.sentence_ids import sent_id
from treelens.session.suspects import NOTHING, Suspect, batches, claim
from treelens.trees.tree import Node

KEY = "suspects"
TITLE = "What systems agree on against gold"
_AROUND = 4
"""Words of the sentence that a page shows on either side."""
_DRAWN = 160
"""Words of a sentence that are drawn in a terminal; on either side of a place in a longer one, a
quarter of them."""

_FIELDS = (
    "kind", "file", "sentence", "sent_id", "line", "words", "gold", "systems", "said", "of",
)  # fmt: skip


class Places:
    """Words and lines of gold's sentences, each sentence looked at once in a row."""

    def __init__(self, gold: Document) -> None:
        self._gold = gold
        self._words = functools.lru_cache(8)(functools.partial(_words_of, gold))

    def words(self, one: Suspect) -> Sequence[str]:
        return self._words(one.sentence)[1]

    def sentence(self, one: Suspect) -> int:
        """From 1, of the whole file."""
        return self._gold.before.sentences + one.sentence + 1

    def line(self, one: Suspect) -> int:
        """From 1, where its first word stands."""
        line = self._gold.line_at(self._words(one.sentence)[0][one.first].word_start)
        return self._gold.before.lines + line + 1

    def fields(self, one: Suspect, name: str) -> dict[str, Any]:
        """All of it, as programs read it: numbers count from 1."""
        ends = [one.first + 1, one.last + 1] if one.key == "brackets" else [one.first + 1]
        labels = [None if label == NOTHING else label for label in (one.gold, one.other)]
        place = self.sentence(one), sent_id(self._gold, one.sentence), self.line(one)
        values = (one.key, name, *place, ends, *labels, one.said, one.systems)
        return dict(zip(_FIELDS, values, strict=True))


def _words_of(gold: Document, sentence: int) -> tuple[list[Node], list[str]]:
    """As nodes and as they are written."""
    nodes = [node for node in gold.tree(sentence).nodes if node.word is not None]
    return nodes, [node.word or "" for node in nodes]


def json_line(one: Suspect, places: Places, name: str) -> str:
    import json  # which other forms do without

    return json.dumps(places.fields(one, name), ensure_ascii=False)


def foremost(
    together: Iterable[Sequence[Pair]],
    tell: Callable[[Suspect, Places], str],
    waiting: Waiting,
    least: int | None = None,
    limit: int | None = None,
) -> Foremost:
    """What most systems say first, all or so much of it. together: of some of gold's sentences
    after the other, the pairs with each system."""
    found = Foremost(waiting, limit)
    for pairs in together:
        places = Places(pairs[0].gold)
        for some in batches(pairs[0].gold, pairs, least):
            for one in sorted(some, key=lambda one: (one.sentence, one.first, one.key)):
                found.add((-one.said,), functools.partial(tell, one, places))
        del pairs  # (Two are never held.)
    return found


def head() -> str:
    """Of the lines of CSV."""
    return csv_line(_FIELDS)


def row(one: Suspect, places: Places, name: str) -> str:
    """A line of CSV."""
    cells = places.fields(one, name).values()
    return csv_line(" ".join(map(str, c)) if isinstance(c, list) else c for c in cells)


def drawn(one: Suspect, places: Places, name: str, columns: int, paint: Paint) -> str:
    """A place under its sentence, for a terminal; of a long one under what is around it."""
    place = f"{clean(name)}:{places.line(one)}  {one.title.lower()}"
    words, first, end = _excerpt(places.words(one), one.first, one.last + 1)
    mark = Underline(first, end, "^", f"gold {clean(one.gold)}", "missing")
    lines = draw(words, [mark], columns, "    ", paint)
    return "\n".join([f"{paint('bold', clean(claim(one)))}  {place}", *lines])


def _excerpt(words: Sequence[str], first: int, end: int) -> tuple[Sequence[str], int, int]:
    """What is drawn of a sentence, and where a place is in that; what is left out is a ``…``."""
    if len(words) <= _DRAWN:
        return words, first, end
    start, stop = max(first - _DRAWN // 4, 0), min(first + _DRAWN, end + _DRAWN // 4)
    before, behind = ["…"] * (start > 0), ["…"] * (stop < len(words))
    shift = len(before) - start
    return [*before, *words[start:stop], *behind], first + shift, min(end, stop + 1) + shift


def drawn_below(drawn: Iterable[str], count: int, limit: int | None) -> Iterator[str]:
    """What is drawn, below how many there are."""
    yield summary(count)
    for one in drawn:
        yield ""
        yield one
    if limit is not None and count > limit:
        yield ""
        yield f"and {count - limit:,} more (--limit shows more)"


def summary(count: int) -> str:
    return f"{number_of(count, 'place')} where systems agree against gold"


def html(rows: Iterable[Markup], count: int, name: str) -> Iterator[str]:
    """A page of its own."""
    from treelens.report.page.frame import framed  # which other forms do without

    head = element(
        "header",
        element("p", "Treelens suspects", class_="kicker"),
        element("h1", isolated(name)),
    )
    content = [head, "<main>", section(rows, count), "</main>"]
    yield from framed("Suspects", content, own=None)


def section(rows: Iterable[Markup], count: int) -> Markup:
    """A row a place, with the words that it is in, of so many places."""
    heads = ["say", "of", "gold", "systems", "words", "sentence", "line", "what"]
    rows = [*rows]
    lead = element("p", f"{number_of(count, 'place')}, those first that most systems say.")
    return tables.section(
        KEY, TITLE, lead, tables.table(TITLE, heads, rows, kind="text") if rows else ""
    )


def html_row(one: Suspect, places: Places) -> Markup:
    """A place in a table."""
    cells = (
        str(one.said),
        str(one.systems),
        isolated(one.gold),
        isolated(one.other),
        _words(places.words(one), one),
        str(places.sentence(one)),
        str(places.line(one)),
        one.title,
    )
    return tables.row(cells)


def _words(words: Sequence[str], one: Suspect) -> Markup:
    first, end = max(one.first - _AROUND, 0), min(one.last + 1 + _AROUND, len(words))
    before, inside, after = (
        " ".join(part)
        for part in (
            words[first : one.first],
            words[one.first : one.last + 1],
            words[one.last + 1 : end],
        )
    )
    start, rest = ("… " if first else ""), (" …" if end < len(words) else "")
    return element("bdi", f"{start}{before} ", element("mark", inside), f" {after}{rest}")
