"""The sentence at an offset as a picture: what is drawn, and where each thing in it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Literal, NamedTuple

import numpy as np

from treelens.compare.comparison import compare
from treelens.differences.wording import ROLES, SideNames
from treelens.pictures.alone import lit
from treelens.pictures.canvas import is_right_to_left
from treelens.pictures.drawing import MOST_NODES, MOST_WORDS, Drawing, DrawnPart
from treelens.pictures.folding import folded as fold
from treelens.pictures.latex import latex
from treelens.pictures.scene import ComparedSystem, PictureLayout, drawing
from treelens.pictures.views import views
from treelens.pictures.walking import walkable
from treelens.pictures.whole import whole
from treelens.present.broken import broken, broken_elsewhere
from treelens.present.lines import sentence_id
from treelens.present.names import short_name
from treelens.present.numbers import headlines_of
from treelens.present.revisions import side_names
from treelens.render.numbers import number_of
from treelens.rules.parameters import PRESETS
from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.enhanced import enhanced
from treelens.trees.forest import DEPREL, HEAD, Forest, Ints

_TOGETHER = 6
"""Systems that are drawn beside gold at most."""


class PictureChoice(NamedTuple):
    """How a sentence is to be drawn.

    partner: the name of the file that it is drawn with, if there are several. folded: ids of what
    is folded. everything: whether nothing is folded but those; if not, of a long sentence what
    is alike on both sides is folded too.
    """

    layout: PictureLayout = "overlaid"
    partner: str = ""
    folded: Set[str] = frozenset()
    everything: bool = False


class WrittenPlace(NamedTuple):
    """Where something is written: a document's name, all of it, what of it is pointed at, and
    what a new label, tag or relation replaces."""

    name: str
    start: int
    end: int
    label_start: int
    label_end: int
    given_start: int
    given_end: int


class PointedNode(NamedTuple):
    part: DrawnPart
    places: tuple[WrittenPlace, ...]


class PicturePartner(NamedTuple):
    name: str
    active: bool


class ShownPicture(NamedTuple):
    """A picture, or in ``message`` why there is none.

    nodes: everything in it that can be pointed at; at: the id of the one at the offset. names:
    what the sides are called. drawing: what the picture is of.
    """

    sentence: int
    title: str
    message: str
    partners: tuple[PicturePartner, ...]
    svg: str = ""
    mirrored: bool = False
    nodes: tuple[PointedNode, ...] = ()
    at: str | None = None
    drawing: Drawing | None = None
    names: SideNames = ROLES

    @property
    def latex(self) -> str:
        """The picture in LaTeX; nothing where there is none."""
        return latex(self.drawing, self.title) if self.drawing is not None else ""


class _Source(NamedTuple):
    """Where a side's rows are from: sentences of a document, as one forest."""

    name: str
    document: Document
    sentences: range
    forest: Forest


Spans = list[tuple[int, int, int, int, int, int]]
"""For each row the offsets of :class:`WrittenPlace`."""


def picture(snapshot: Snapshot, offset: int, choice: PictureChoice) -> ShownPicture | None:
    """The sentence at an offset drawn; None where there is no sentence."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return None
    others = _chosen(snapshot, sentence, choice)
    partners = _partners(snapshot, others)
    known = others or _of_another_kind(snapshot, sentence)
    title = _title(snapshot, sentence, known)
    message = _no_picture(snapshot, sentence, known)
    if message:
        return ShownPicture(sentence, title, message, partners)
    compared, sources, layout = _compared(snapshot, sentence, others, choice.layout)
    own = next(number for number, one in enumerate(sources) if one.name == snapshot.name)
    made = drawing(compared, layout, choice.folded, own=own, everything=choice.everything)
    laid = made.picture(title)
    if laid is None:
        message = "This sentence is nested too deeply to be drawn."
        return ShownPicture(sentence, title, message, partners)
    nodes = tuple(_nodes(made, sources, snapshot.name))
    at = _at(nodes, snapshot.name, offset)
    mirrored = made.right_to_left
    svg, names = laid.svg(), compared[0].names
    return ShownPicture(sentence, title, "", partners, svg, mirrored, nodes, at, made, names)


class Sentence(NamedTuple):
    """A sentence of a document; ``words``: its rows that are to be looked at."""

    name: str
    document: Document
    number: int
    words: Set[int]


def one_below_the_other(
    first: Sentence, second: Sentence, offset: int, folded: Set[str] = frozenset()
) -> ShownPicture:
    """Two sentences that are no versions of each other, each as it is; ``offset``: in the first."""
    title = f"{_place(first)} and {_place(second)}"
    sources, sketches, parts = [], [], dict[str, DrawnPart]()
    for side, (name, document, number, words) in enumerate((first, second)):
        message = too_large([(document, range(number, number + 1))])
        if message:
            return ShownPicture(first.number, title, message, ())
        forest = document.forest(range(number, number + 1))
        group = np.zeros(1, np.int32)
        view = views(compare(forest, group, forest, group, 1, PRESETS["none"]), 1)[side]
        sketch, found = whole(lit(view, words), _place((first, second)[side]))
        sketches.append(sketch)
        parts |= {id: part._replace(twins=()) for id, part in found.items()}
        sources.append(_Source(name, document, range(number, number + 1), forest))
    right_to_left = is_right_to_left(line for word in view.words for line in word.lines)
    kind: Literal["trees", "arcs"] = "arcs" if view.tree is None else "trees"
    made = walkable(fold(Drawing(kind, tuple(sketches), parts, right_to_left), folded))
    laid = made.picture(title)
    if laid is None:
        return ShownPicture(first.number, title, "These are nested too deeply to be drawn.", ())
    nodes = tuple(_nodes(made, sources, first.name))
    at = _at(nodes, first.name, offset)
    return ShownPicture(first.number, title, "", (), laid.svg(), right_to_left, nodes, at, made)


def _place(one: Sentence) -> str:
    name = sentence_id(one.document, one.number)
    where = f"{short_name(one.name)}, sentence {one.number + 1:,}"
    return f"{where} · {name}" if name else where


# --- what is drawn together --------------------------------------------------------------------


def _chosen(snapshot: Snapshot, sentence: int, choice: PictureChoice) -> list[Counterpart]:
    """The counterparts that are drawn: the one that was asked for, or the first that has the
    sentence; beside gold, all systems that have it with the same of gold."""
    having = [
        other for other in snapshot.counterparts if other.pair.is_takeable and _has(other, sentence)
    ]
    having.sort(key=lambda other: other.name != choice.partner)
    if choice.layout != "beside" or not having or having[0].side is Side.SYSTEM:
        return having[:1]
    first = _gold_sentences(having[0], sentence)
    together = [
        other
        for other in having
        if other.side is Side.GOLD and _gold_sentences(other, sentence) == first
    ]
    return together[:_TOGETHER]


def _has(other: Counterpart, sentence: int) -> bool:
    """Whether a counterpart has anything of a sentence."""
    return all(map(len, other.pair.group(other.pair.group_of(other.side, sentence))))


def _of_another_kind(snapshot: Snapshot, sentence: int) -> list[Counterpart]:
    """The first counterpart that has a sentence where none is drawn with it: it is a table beside
    brackets, or the other way round, of which words and tags are compared."""
    return [other for other in snapshot.counterparts if _has(other, sentence)][:1]


def _gold_sentences(other: Counterpart, sentence: int) -> range:
    return other.pair.group(other.pair.group_of(other.side, sentence)).gold


def _partners(snapshot: Snapshot, others: Sequence[Counterpart]) -> tuple[PicturePartner, ...]:
    active = {other.name for other in others}
    return tuple(PicturePartner(one.name, one.name in active) for one in snapshot.counterparts)


def _title(snapshot: Snapshot, sentence: int, others: Sequence[Counterpart]) -> str:
    """``Sentence 12 · F1 83.33 · TedEval 92.10 · weblog-001``: an ID may be longer than there is
    room for. Where the text is broken, what is drawn is what could be made of it."""
    first = snapshot.document.before.sentences + 1
    numbers, scores = f"Sentence {first + sentence:,}", ""
    said = broken(snapshot.document, sentence)
    if others:
        group = others[0].pair.group_of(others[0].side, sentence)
        mine = others[0].pair.group(group)[0 if others[0].side is Side.GOLD else 1]
        if len(mine) > 1:
            numbers = f"Sentences {first + mine.start:,}–{first + mine.stop - 1:,}"
        scores = headlines_of(others[0].pair, group) if len(others) == 1 else ""
    elsewhere = [broken_elsewhere(other, sentence) for other in others]
    name = sentence_id(snapshot.document, sentence)
    return " · ".join(filter(None, [numbers, said, *elsewhere, scores, name]))


def _no_picture(snapshot: Snapshot, sentence: int, others: Sequence[Counterpart]) -> str:
    """Why there is no picture; nothing is made of a sentence before its size is known."""
    documents = [(snapshot.document, range(sentence, sentence + 1))]
    for other in others:
        group = other.pair.group(other.pair.group_of(other.side, sentence))
        documents += [(other.pair.gold, group.gold), (other.pair.system, group.system)]
    return too_large(documents)


def too_large(documents: Sequence[tuple[Document, range]]) -> str:
    """Why sentences cannot be drawn together; nothing where they can."""
    for document, sentences in documents:
        words, nodes = _size(document, sentences)
        if not words:
            return "This sentence has no words: there is nothing to be drawn."
        if words > MOST_WORDS or nodes > MOST_NODES:
            return (
                f"This sentence is too large to be drawn: it has {number_of(words, 'word')} and "
                f"{number_of(nodes, 'bracket')}; up to {MOST_WORDS:,} and {MOST_NODES:,} are drawn."
            )
    return ""


def _size(document: Document, sentences: range) -> tuple[int, int]:
    """Words and constituents of some sentences together."""
    words = nodes = 0
    for sentence in sentences:
        forest, row, _ = document.piece(sentence)
        words += int(forest.first_leaf[row + 1] - forest.first_leaf[row])
        nodes += int(forest.first_node[row + 1] - forest.first_node[row])
    return words, nodes


def _compared(
    snapshot: Snapshot, sentence: int, others: Sequence[Counterpart], layout: PictureLayout
) -> tuple[list[ComparedSystem], list[_Source], PictureLayout]:
    """What is drawn, and the sources of its sides: gold's first, then the systems'."""
    if not others:
        return *_alone(snapshot, sentence), "own"
    made, sources = [], list[_Source]()
    for number, other in enumerate(others, 1):
        pair = other.pair
        group_number = pair.group_of(other.side, sentence)
        ranges, comparison = pair.group(group_number), pair.comparison(group_number)
        gold, system = snapshot.name, other.name
        if other.side is Side.SYSTEM:
            gold, system = system, gold
        if not sources:
            sources.append(_Source(gold, pair.gold, ranges.gold, comparison.gold.forest))
        sources.append(_Source(system, pair.system, ranges.system, comparison.system.forest))
        names = side_names(snapshot.name, other)
        headings = f"{names.gold} · {short_name(gold)}", f"{names.system} · {short_name(system)}"
        made.append(ComparedSystem(comparison, number, *headings, names, pair.strict))
    return made, sources, layout


def _alone(snapshot: Snapshot, sentence: int) -> tuple[list[ComparedSystem], list[_Source]]:
    """A sentence by itself, of which nothing is left out; beside an analysis of another kind, of
    which only words and their tags can be compared, with what these are there."""
    document = snapshot.document
    others = _of_another_kind(snapshot, sentence)
    if not others:
        sentences = range(sentence, sentence + 1)
        forest = document.forest(sentences)
        group = np.zeros(1, np.int32)
        alone = compare(forest, group, forest, group, 1, PRESETS["none"])
        made = ComparedSystem(alone, 1, "", "")
    else:
        other = others[0]
        pair, number = other.pair, other.pair.group_of(other.side, sentence)
        own = 0 if other.side is Side.GOLD else 1
        sentences, comparison = pair.group(number)[own], pair.comparison(number)
        # (Its tags are those of the column that is compared.)
        forest = (comparison.gold, comparison.system)[own].forest
        group = np.zeros(len(forest), np.int32)
        alone = compare(forest, group, forest, group, 1, PRESETS["none"])
        names = side_names(snapshot.name, other)
        mine, theirs = (names.of(side) for side in (other.side, other.side.other))
        words = comparison, own
        made = ComparedSystem(alone, 1, "", "", SideNames(mine, theirs), pair.strict, words)
    source = _Source(snapshot.name, document, sentences, forest)
    return [made], [source, source]


# --- where it is written -----------------------------------------------------------------------


def _nodes(made: Drawing, sources: Sequence[_Source], name: str) -> Iterator[PointedNode]:
    spans = [_spans(source) for source in sources]
    for part in made.parts.values():
        places = [
            WrittenPlace(sources[place.side].name, *spans[place.side][_column(part)][place.row])
            for place in part.places
        ]
        places.sort(key=lambda place: place.name != name)  # the asked document's place first
        yield PointedNode(part, tuple(places))


def _column(part: DrawnPart) -> str:
    return part.state if part.state == "wrong-head" else part.kind


def _spans(source: _Source) -> dict[str, Spans]:
    """Where the rows of a side are written: constituents, words, and of tables the fields of
    relations and heads; a word's form if its line does not have the field. Of enhanced
    dependencies where each is itself."""
    forest = source.forest
    by = source.document.start[source.sentences.start : source.sentences.stop] - forest.piece[:, 0]
    node_by = np.repeat(by, np.diff(forest.first_node))
    word_by = np.repeat(by, np.diff(forest.first_leaf))
    line, form = (
        (forest.leaf_open, forest.leaf_close),
        (forest.word_start, forest.word_end),
    )
    labels = forest.label_start, forest.label_end
    found = {
        "constituent": _moved((forest.open, forest.close, *labels, *labels), node_by),
        "word": _moved((*line, *form, forest.tag_start, forest.tag_end), word_by),
    }
    if forest.dependencies is not None:
        relation, head = (_field(forest, column, form) for column in (DEPREL, HEAD))
        found["arc"] = _moved((*line, *relation, *relation), word_by)
        found["wrong-head"] = _moved((*line, *head, *relation), word_by)
        found["enhanced"] = [*_edge_spans(forest, by)]
    return found


def _edge_spans(forest: Forest, by: Ints) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Of each enhanced dependency all of it, twice, and its relation."""
    for deps in enhanced(forest):
        for edge in deps.edges:
            start, end = (one + int(by[deps.sentence]) for one in (edge.start, edge.end))
            yield start, end, start, end, end - len(edge.relation), end


def _field(forest: Forest, column: int, form: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    assert forest.fields is not None
    bounds = forest.fields.bounds
    start, end = bounds[:, column], bounds[:, column + 1] - 1
    there = end > start
    return np.where(there, start, form[0]), np.where(there, end, form[1])


def _moved(columns: Sequence[Ints], by: Ints) -> Spans:
    return list(map(tuple, np.stack([column + by for column in columns], axis=1).tolist()))


def _at(nodes: Sequence[PointedNode], name: str, offset: int) -> str | None:
    """The narrowest thing written around an offset: of a word's line, the arc only where it is
    written itself."""
    found, size = None, 0
    for part, places in nodes:
        for place in places:
            start, end = place[1:3] if part.kind not in ("arc", "enhanced") else place[3:5]
            inside = place.name == name and start <= offset <= end
            if inside and (found is None or end - start <= size):
                found, size = part.id, end - start
    return found
