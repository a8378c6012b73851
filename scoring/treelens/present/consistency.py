"""What varies in a corpus, at the places of one document: marks, quick fixes, the next place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from treelens.consistency.agreed import Agreed
from treelens.consistency.found import word_nodes
from treelens.consistency.groups import Group, Occurrence, largest
from treelens.consistency.index import Index, Key
from treelens.consistency.options import TIERS, Tier
from treelens.consistency.wording import label_text, message
from treelens.edits.consistency import brackets_over, relabelled
from treelens.edits.text import Edits
from treelens.present.diagnostics import Diagnostic, Related, Severity
from treelens.present.window import near
from treelens.session.document import Document
from treelens.trees.forest import DEPREL, FEATS, HEAD, LEMMA, XPOS

CODE = "varies"
RELATED = 5
"""Other places of a mark."""
_COLUMNS = {"tags:xpos": XPOS, "tags:feats": FEATS, "tags:lemma": LEMMA}


@dataclass(frozen=True, slots=True)
class View:
    """What is wanted of an index: up to which tier, without what is right both ways."""

    index: Index
    tier: Tier = "A"
    agreed: Agreed = field(default_factory=Agreed)

    def groups(self, name: str, sentence: int) -> list[Group]:
        """What varies at a sentence; of nested strings the longest."""
        wanted = TIERS[: TIERS.index(self.tier) + 1]
        found = [one for one in self.index.of_sentence(name, sentence) if one.tier in wanted]
        found.sort(key=lambda one: (one.tier, one.kind, one.identity))
        return largest(self.agreed.but(found))


class Variation(NamedTuple):
    """One occurrence of a group, in a document."""

    group: Group
    here: Occurrence
    start: int
    end: int

    @property
    def key(self) -> Key:
        return self.group.kind, self.group.identity


def variations(view: View, name: str, sentence: int) -> list[Variation]:
    """What varies in a sentence, in text order. The majority's places are none: there, nothing has
    to be done."""
    document, number = view.index.document(name), view.index.number(name, sentence)
    found = [
        Variation(one, here, *span(document, sentence, one, here))
        for one in view.groups(name, sentence)
        for here in one.occurrences
        if here.sentence == number and here.deviant
    ]
    return sorted(found, key=lambda one: (one.start, one.end, one.group.kind))


def diagnostics(view: View, name: str, visible: range) -> Iterator[Diagnostic]:
    """The marks in view and around it, in text order."""
    document = view.index.document(name)
    for sentence in near(visible, len(document)):
        for one in variations(view, name, sentence):
            severity: Severity = "hint" if one.group.tier == "C" else "information"
            related = tuple(_related(view, one))
            text = message(one.group, one.here)
            yield Diagnostic(one.start, one.end, severity, CODE, text, related)


def _related(view: View, one: Variation) -> Iterator[Related]:
    others = [place for place in one.group.occurrences if place.label != one.here.label]
    for other in others[:RELATED]:
        where = view.index.place(other.sentence)
        document = view.index.document(where.name)
        start, end = span(document, where.sentence, one.group, other)
        yield Related(where.name, start, end, label_text(one.group.kind, other.label))


def span(document: Document, sentence: int, one: Group, here: Occurrence) -> tuple[int, int]:
    """Where an occurrence is written: the field or the label that says it, else its words."""
    words = word_nodes(document, sentence)
    first, last = words[here.words[0]], words[here.words[-1]]
    if one.kind == "tags":
        return _unless_empty(first.label_start, first.label_end, first.word_start, first.word_end)
    table = document.dependency_tree(sentence)
    if table is None:
        over = brackets_over(document, sentence, here) if one.kind == "brackets" else []
        return (
            (over[0].label_start, over[0].label_end) if over else (first.word_start, last.word_end)
        )
    if one.kind in _COLUMNS:
        fields = table.words[first.row].fields
        return _unless_empty(*fields[_COLUMNS[one.kind]], first.word_start, first.word_end)
    if one.kind == "relations":
        dependent = first if here.label is not None and here.label.endswith(">") else last
        column = HEAD if here.label is None else DEPREL
        fields = table.words[dependent.row].fields
        return _unless_empty(*fields[column], dependent.word_start, dependent.word_end)
    return first.word_start, first.word_end


def _unless_empty(start: int, end: int, other: int, other_end: int) -> tuple[int, int]:
    return (start, end) if end > start else (other, other_end)


# --- what can be done about it ---------------------------------------------------------------


class Fix(NamedTuple):
    """Edits by file. title: what they do, in the words of a menu."""

    title: str
    edits: tuple[tuple[str, Edits], ...]


def as_elsewhere(view: View, name: str, sentence: int, one: Variation) -> list[Fix]:
    """*Annotate as in the other places*, for each other label that the shapes allow."""
    found = []
    for label, count in one.group.labels:
        edits = relabelled(view.index.document(name), sentence, one.group, one.here, label)
        if edits:
            places = "1 other place" if count == 1 else f"{count:,} other places"
            title = f"Annotate as {label_text(one.group.kind, label)}, as in {places}"
            found.append(Fix(title, ((name, edits),)))
    return found


def others_as_here(view: View, one: Variation) -> Fix | None:
    """*Annotate the others as here*; None unless all of them can be by a change of names."""
    by_name: dict[str, list[Edits]] = {}
    others = [place for place in one.group.occurrences if place.label != one.here.label]
    for other in others:
        where = view.index.place(other.sentence)
        document = view.index.document(where.name)
        edits = relabelled(document, where.sentence, one.group, other, one.here.label)
        if not edits:
            return None
        by_name.setdefault(where.name, []).append(edits)
    if not others:
        return None
    label = label_text(one.group.kind, one.here.label)
    places = "the other place" if len(others) == 1 else f"the {len(others):,} other places"
    joined = tuple(
        (name, tuple(sorted({edit for edits in parts for edit in edits})))
        for name, parts in by_name.items()
    )
    return Fix(f"Annotate {places} as {label}, as here", joined)


# --- going from one to the next --------------------------------------------------------------


def next_variation(view: View, name: str, offset: int, *, back: bool = False) -> Variation | None:
    """The next marked place behind an offset (``back``: before it), round the end of the text."""
    document = view.index.document(name)
    if not len(document):
        return None
    here = document.sentence_at(offset) or 0
    marked = marked_sentences(view, name)
    if back:
        marked = marked[::-1]
    ahead = [one for one in marked if (one <= here if back else one >= here)]
    behind = [one for one in marked if (one > here if back else one < here)]
    for turn, sentence in enumerate([*ahead, *behind, here]):
        found = variations(view, name, sentence)
        if turn < len(ahead) and sentence == here:
            found = [one for one in found if (one.start < offset if back else one.start > offset)]
        if found:
            return found[-1 if back else 0]
    return None


def marked_sentences(view: View, name: str) -> Sequence[int]:
    """The sentences of a document that may have something marked, ascending."""
    places = {
        view.index.place(occurrence.sentence)
        for one in view.index.groups.values()
        for occurrence in one.occurrences
        if occurrence.deviant
    }
    return sorted(place.sentence for place in places if place.name == name)
