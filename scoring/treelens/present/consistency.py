"""What varies in a corpus, at the places of one document: marks, quick fixes, the next place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from treelens.consistency.agreed import Agreed
from treelens.consistency.found import word_leaves
from treelens.consistency.groups import Occurrence, VariationGroup, ordered
from treelens.consistency.index import Index, Key
from treelens.consistency.options import TIERS, Tier
from treelens.consistency.outermost import largest
from treelens.consistency.wording import label_text, message
from treelens.edits.consistency import analysed, brackets_over, relabelled
from treelens.edits.text import Edits
from treelens.present.diagnostics import Diagnostic, Related, Severity
from treelens.present.window import is_near, near
from treelens.render.width import shortened
from treelens.session.document import Document
from treelens.session.view import View
from treelens.trees.dependency_tree import field_of
from treelens.trees.forest import DEPREL, FEATS, HEAD, LEMMA, XPOS

CODE = "varies"
_LONGEST = 60
"""Characters of an analysis in a title."""
RELATED = 5
"""Other places of a mark."""
_COLUMNS = {"tags:xpos": XPOS, "tags:feats": FEATS, "tags:lemma": LEMMA}


@dataclass(frozen=True, slots=True)
class IndexView:
    """What is wanted of an index: up to which tier, without what is right both ways.

    references: names of what the others are held against; where there are any, only what is in
    one of them and in one that is none.
    """

    index: Index
    tier: Tier = "A"
    agreed: Agreed = field(default_factory=Agreed)
    references: frozenset[str] = frozenset()

    def groups(self, name: str, sentence: int) -> list[VariationGroup]:
        """What varies at a sentence; of nested strings the longest."""
        found = self._shown(self.index.of_sentence(name, sentence))
        found.sort(key=lambda one: (one.tier, one.kind, one.identity))
        return largest(found)

    def all_groups(self) -> list[VariationGroup]:
        """What varies, the sharpest first; of nested strings the longest."""
        return ordered(largest(self._shown(self.index.groups.values())))

    def _shown(self, groups: Iterable[VariationGroup]) -> list[VariationGroup]:
        wanted = TIERS[: TIERS.index(self.tier) + 1]
        found = self.agreed.but(one for one in groups if one.tier in wanted)
        return [one for one in found if self._is_between(one)] if self.references else found

    def _is_between(self, one: VariationGroup) -> bool:
        names = {self.index.place(place.sentence).name for place in one.occurrences}
        return bool(names & self.references) and bool(names - self.references)


class Variation(NamedTuple):
    """One occurrence of a group, in a document."""

    group: VariationGroup
    here: Occurrence
    start: int
    end: int

    @property
    def key(self) -> Key:
        return self.group.kind, self.group.identity


def occurring(
    view: IndexView, name: str, sentence: int, *, deviant: bool = False
) -> list[Variation]:
    """What varies in a sentence; ``deviant``: without the majority's places."""
    document, number = view.index.document(name), view.index.number(name, sentence)
    return [
        Variation(one, here, *place_of(document, sentence, one, here))
        for one in view.groups(name, sentence)
        for here in one.occurrences
        if here.sentence == number and (here.deviant or not deviant)
    ]


def variations(view: IndexView, name: str, sentence: int) -> list[Variation]:
    """What varies in a sentence, in text order. The majority's places are none: there, nothing has
    to be done."""
    found = occurring(view, name, sentence, deviant=True)
    return sorted(found, key=lambda one: (one.start, one.end, one.group.kind))


def variation_at(view: IndexView, name: str, offset: int) -> Variation | None:
    """What varies at an offset, else in its sentence: the narrowest, and what is to be looked at
    before what the majority has."""
    sentence = view.index.document(name).sentence_at(offset)
    if sentence is None:
        return None
    found = occurring(view, name, sentence)
    found.sort(
        key=lambda one: (
            not one.start <= offset <= one.end,
            not one.here.deviant,
            one.end - one.start,
        )
    )
    return found[0] if found else None


def diagnostics(view: IndexView, name: str, visible: View) -> Iterator[Diagnostic]:
    """The marks in view and around it, in text order."""
    document = view.index.document(name)
    whole = is_near(len(document))
    for sentence in near(visible, len(document)):
        for one in variations(view, name, sentence):
            severity: Severity = "hint" if one.group.tier == "C" else "information"
            related = tuple(_related(view, one))
            text = message(one.group, one.here)
            yield Diagnostic(one.start, one.end, severity, CODE, text, related, listed=whole)


def _related(view: IndexView, one: Variation) -> Iterator[Related]:
    others = [place for place in one.group.occurrences if place.label != one.here.label]
    for other in others[:RELATED]:
        where = view.index.place(other.sentence)
        document = view.index.document(where.name)
        start, end = place_of(document, where.sentence, one.group, other)
        yield Related(where.name, start, end, label_text(one.group.kind, other.label))


def place_of(
    document: Document, sentence: int, one: VariationGroup, here: Occurrence
) -> tuple[int, int]:
    """Where an occurrence is written: the field or the label that says it, else its words."""
    forest, row, shift = document.piece(sentence)
    # (Lists have thousands of them: for these, no trees are made.)
    leaves = word_leaves(forest, row)
    first, last = leaves[here.words[0]], leaves[here.words[-1]]

    def word(leaf: int) -> tuple[int, int]:
        return int(forest.word_start[leaf]) + shift, int(forest.word_end[leaf]) + shift

    def unless_empty(start: int, end: int, leaf: int) -> tuple[int, int]:
        return (int(start) + shift, int(end) + shift) if end > start else word(leaf)

    if one.kind == "tags":
        return unless_empty(forest.tag_start[first], forest.tag_end[first], first)
    if forest.dependencies is None or forest.fields is None:
        over = brackets_over(document, sentence, here) if one.kind == "brackets" else []
        if over:
            return over[0].label_start, over[0].label_end
        return word(first)[0], word(last)[1]
    if one.kind in _COLUMNS:
        return unless_empty(*field_of(forest, first, _COLUMNS[one.kind]), first)
    if one.kind == "relations":
        dependent = first if here.label is not None and here.label.endswith(">") else last
        column = HEAD if here.label is None else DEPREL
        return unless_empty(*field_of(forest, dependent, column), dependent)
    return word(first)


# --- what can be done about it ---------------------------------------------------------------


class Fix(NamedTuple):
    """Edits by file. title: what they do, in the words of a menu."""

    title: str
    edits: tuple[tuple[str, Edits], ...]


def as_elsewhere(view: IndexView, name: str, sentence: int, one: Variation) -> list[Fix]:
    """*Annotate as in the other places*, for each other label that the shapes allow. (Of what is
    rare, those of the others are not known.)"""
    found = []
    for label, count in one.group.labels:
        model = next((place for place in one.group.occurrences if place.label == label), None)
        edits = _annotated(view, one.group, one.here, model) if model else None
        if edits:
            places = "1 other place" if count == 1 else f"{count:,} other places"
            title = f"Annotate as {_shown(one.group, label)}, as in {places}"
            found.append(Fix(title, ((name, edits),)))
    return found


def others_as_here(view: IndexView, one: Variation) -> Fix | None:
    """*Annotate the others as here*; None unless all of them can be without another structure, or
    are whole sentences."""
    by_name: dict[str, list[Edits]] = {}
    others = [place for place in one.group.occurrences if place.label != one.here.label]
    for other in others:
        edits = _annotated(view, one.group, other, one.here)
        if not edits:
            return None
        by_name.setdefault(view.index.place(other.sentence).name, []).append(edits)
    if not others:
        return None
    label = _shown(one.group, one.here.label)
    places = "the other place" if len(others) == 1 else f"the {len(others):,} other places"
    joined = tuple(
        (name, tuple(sorted({edit for edits in parts for edit in edits})))
        for name, parts in by_name.items()
    )
    return Fix(f"Annotate {places} as {label}, as here", joined)


def _annotated(
    view: IndexView, one: VariationGroup, here: Occurrence, model: Occurrence
) -> Edits | None:
    """The edits that annotate an occurrence as another one is."""
    where = view.index.place(here.sentence)
    document = view.index.document(where.name)
    if here.label == model.label or one.kind != "texts":
        return relabelled(document, where.sentence, one, here, model.label)
    there = view.index.place(model.sentence)
    return analysed(document, where.sentence, view.index.document(there.name), there.sentence)


def _shown(one: VariationGroup, label: str | None) -> str:
    """A label in a title; of whole sentences only the beginning of what differs."""
    text = label_text(one.kind, label)
    return shortened(f"“{text}”", _LONGEST) if one.kind == "texts" else text


# --- going from one to the next --------------------------------------------------------------


Stands = Callable[[str, int], bool]
"""Whether a sentence of a document of the index is one of the text still."""


def _all(name: str, sentence: int) -> bool:
    return True


class VariationAt(NamedTuple):
    """A marked place, and the sentence and the document that it is in."""

    name: str
    sentence: int
    variation: Variation


def next_variation(
    view: IndexView, name: str, offset: int, stands: Stands = _all, *, back: bool = False
) -> VariationAt | None:
    """The next marked place that starts behind an offset, in this document and the ones that follow
    by name, round the end of all, in a sentence that ``stands``. ``back``: that *ends* before it;
    an editor that has gone to one has the cursor behind it."""
    # (A file of which all was deleted has no sentence at all.)
    here = name, view.index.document(name).sentence_at(offset) or 0
    there = {one for one in marked_sentences(view) if stands(*one)}
    marked = sorted(there | {here}, reverse=back)
    at = marked.index(here)
    for turn, (one, sentence) in enumerate([*marked[at:], *marked[: at + 1]]):
        found = variations(view, one, sentence) if (one, sentence) in there else []
        if turn == 0:
            found = [a for a in found if (a.end < offset if back else a.start > offset)]
        if found:
            return VariationAt(one, sentence, max(found, key=lambda a: a.end) if back else found[0])
    return None


def marked_sentences(view: IndexView) -> set[tuple[str, int]]:
    """The sentences, by document, that have something marked."""
    return {
        (place.name, place.sentence)
        for one in view.all_groups()
        for occurrence in one.occurrences
        if occurrence.deviant
        for place in [view.index.place(occurrence.sentence)]
    }


def other_place(view: IndexView, one: Variation, stands: Stands = _all) -> VariationAt | None:
    """A place of a group that is annotated otherwise than this one, in a sentence that ``stands``;
    the next one of the corpus's majority, where there is one."""
    for other in one.group.occurrences:
        there = view.index.place(other.sentence)
        if other.label != one.here.label and stands(*there):
            document = view.index.document(there.name)
            where = place_of(document, there.sentence, one.group, other)
            return VariationAt(*there, Variation(one.group, other, *where))
    return None
