"""What of another file's tree of brackets this file's gets: a label, a bracket, a tag, words.

Each finding is taken by itself, from the files as they are. Where it cannot be (words that are
cut differently, broken brackets, words without tags), there is no edit, and the whole sentence
is the thing to take (:mod:`treelens.edits.take`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.edits import whole
from treelens.edits.brackets import (
    TreeText,
    delete,
    kept_children,
    relabel,
    replace_label,
    retag,
    reword,
    untagged,
    without_words,
    wrap,
)
from treelens.edits.sides import EditedSide, GroupSides, NodePlace
from treelens.edits.text import Edit, Edits, ordered
from treelens.trees.forest import encode
from treelens.trees.tree import Node


def take(both: GroupSides, finding: Finding) -> Edits | None:
    """The edits of this side's file that end a finding; None if it cannot be ended alone."""
    here, there = both.marks(finding)
    difference = BY_CODE[finding.code]
    if difference.family == "brackets":
        if difference.owner is both.into:
            return _remove(both.here, here) if here else None
        if difference.owner is not None:
            return _insert(both, there) if there else None
        return _label(both, here, there) if here and there else None
    if difference.family in ("category", "function", "index") and here and there:
        return _label(both, here, there)
    if difference.family == "uncounted label" and here and there:
        return _whole_label(both, here, there)
    if difference.family == "uncounted bracket":
        return _uncounted(both, here, there)
    if difference.family == "trace" and difference.owner is both.into and here:
        return _remove_trace(both.here, here)
    if difference.family in ("tag", "uncounted tag") and here and there:
        return _tag(both, here, there)
    if difference.family == "comment":
        return _comment(both, here, there)
    if difference.family == "words" and both.simple:
        return _words(both, here, there)
    return None


def _label(both: GroupSides, here: Mark, there: Mark) -> Edits | None:
    mine, theirs = both.here.place(here), both.there.place(there)
    if mine is None or theirs is None:
        return None
    label = _node(both.there, theirs).label
    return relabel(both.here.text(mine.sentence), mine.node, label)


def _whole_label(both: GroupSides, here: Mark, there: Mark) -> Edits | None:
    """As it is written there: what no parameters read has no parts that stay."""
    mine, theirs = both.here.place(here), both.there.place(there)
    if mine is None or theirs is None:
        return None
    return replace_label(both.here.text(mine.sentence), mine.node, _node(both.there, theirs).label)


def _tag(both: GroupSides, here: Mark, there: Mark) -> Edits | None:
    mine, theirs = both.here.place(here), both.there.place(there)
    if mine is None or theirs is None:
        return None
    tag = _node(both.there, theirs).label
    return retag(both.here.text(mine.sentence), mine.node, tag)


def _node(view: EditedSide, place: NodePlace) -> Node:
    return view.text(place.sentence).node(place.node)


def _comment(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits:
    document = both.here.document
    new = both.there.document.text(there.start, there.end) if there else b""
    if here is None:
        return whole.with_comments(document, both.here.sentences[0], [new])
    if there is None:
        return (whole.without_line(document, here.start, here.end),)
    return (Edit(here.start, here.end, new),)


# --- brackets ------------------------------------------------------------------------------


def _remove(here: EditedSide, mark: Mark) -> Edits | None:
    place = here.place(mark)
    return delete(here.text(place.sentence), {place.node}) if place else None


def _uncounted(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits | None:
    """A bracket that no parameters read: gone, but for a root that holds several things; or, of a
    whole tree, written around it."""
    mine, theirs = here and both.here.place(here), there and both.there.place(there)
    if mine is not None:
        node = _node(both.here, mine)
        if node.parent < 0 and len(node.children) != 1:
            return None
        return delete(both.here.text(mine.sentence), {mine.node})
    if theirs is None or not both.simple or _node(both.there, theirs).parent >= 0:
        return None
    root = _node(both.there, theirs)
    return wrap(both.here.text(both.here.sentences[0]), 0, 0, root.label)


def _remove_trace(here: EditedSide, mark: Mark) -> Edits | None:
    """An empty element, with the brackets that hold nothing else."""
    edits = without_words(
        here.text(mark.sentence), [here.leaf(row).node for row in here.rows(mark)]
    )
    return ordered(edits) if edits else None


def remove_all(both: GroupSides, findings: Iterable[Finding]) -> Edits | None:
    """All brackets taken out that only this side has: a sentence needs them gone in any case."""
    gone: dict[int, set[int]] = {}
    for finding in findings:
        difference = BY_CODE[finding.code]
        if difference.family != "brackets" or difference.owner is not both.into:
            continue
        here, _ = both.marks(finding)
        place = both.here.place(here) if here else None
        if place:
            gone.setdefault(place.sentence, set()).add(place.node)
    edits = [delete(both.here.text(sentence), nodes) for sentence, nodes in gone.items()]
    if any(edit is None for edit in edits):
        return None
    return ordered(chain.from_iterable(edit for edit in edits if edit))


def _insert(both: GroupSides, mark: Mark) -> Edits | None:
    """A bracket of the other file over the same words here; what would cross it goes."""
    view = both.there
    place = view.place(mark)
    core = _core(both, place) if place else None
    if place is None or core is None:
        return None
    sentence, first, last = core
    text = both.here.text(sentence)
    base = both.here.first_row(sentence)
    counting = both.here.counting
    words = [row - base for row in range(base + first, base + last) if counting[row]]
    gone = {
        index
        for index, node in enumerate(text.tree.nodes)
        if node.word is None and _crosses(node, words, counting, base)
    }
    around = _around(both, place, sentence, (first, last), gone)
    if around is None:
        return None
    return wrap(text, *around, _node(view, place).label, gone)


def _core(both: GroupSides, place: NodePlace) -> tuple[int, int, int] | None:
    """The words here that a bracket there is about, from the first to the last that counts:
    the sentence, and the span in its words. None if they are cut differently, or none at all."""
    here, there = both.here, both.there
    node, base = _node(there, place), there.first_row(place.sentence)
    theirs = [row for row in range(base + node.first, base + node.last) if there.counting[row]]
    if not theirs:
        return None
    low, high = int(there.words.start[theirs[0]]), int(there.words.end[theirs[-1]])
    inside = (here.words.end > low) & (here.words.start < high)
    rows = [row for row in inside.nonzero()[0].tolist() if here.counting[row]]
    if not rows or here.words.start[rows[0]] < low or here.words.end[rows[-1]] > high:
        return None
    sentence = here.sentence_of(rows[0])
    if sentence != here.sentence_of(rows[-1]):
        return None
    first = here.first_row(sentence)
    return sentence, rows[0] - first, rows[-1] + 1 - first


def _crosses(node: Node, words: list[int], counting: list[bool], base: int) -> bool:
    """Whether a constituent holds some of these words, not all, and others that count."""
    inside = [word for word in (words[0], words[-1]) if node.first <= word < node.last]
    if len(inside) == 2 or node.first > words[-1] or node.last <= words[0]:
        return False
    before = any(counting[base + word] for word in range(node.first, min(words[0], node.last)))
    after = any(counting[base + word] for word in range(max(words[-1] + 1, node.first), node.last))
    return before or after


def _around(
    both: GroupSides, place: NodePlace, sentence: int, span: tuple[int, int], gone: set[int]
) -> tuple[int, int] | None:
    """The siblings here, first and last, that the bracket goes around."""
    text = both.here.text(sentence)
    beside, outside = _in_chain(both, place, sentence) or (None, False)
    if beside in gone:
        beside = None
    holder = beside if beside is not None and not outside else None
    if beside is not None and outside:
        holder = next((at for at in text.tree.path(beside)[1:] if at not in gone), None)
        if holder is None:
            return beside, beside
    elif holder is None:
        holder = _smallest(text, span, gone)
    if holder is None:  # a tree that is nothing but a word
        return (0, 0) if len(text.tree.nodes) == 1 else None
    children = [*kept_children(text.tree, holder, gone)]
    held = [
        at
        for at, child in enumerate(children)
        if (child == beside if outside else _overlaps(text.node(child), span))
    ]
    if not held:
        return None
    wanted = _wanted(both, place, sentence)
    low, high = held[0], held[-1]
    while low > 0 and wanted.issuperset(_words_of(text, children[low - 1])):
        low -= 1
    while high + 1 < len(children) and wanted.issuperset(_words_of(text, children[high + 1])):
        high += 1
    return children[low], children[high]


def _overlaps(node: Node, span: tuple[int, int]) -> bool:
    return max(node.first, span[0]) < min(node.last, span[1])


def _smallest(text: TreeText, span: tuple[int, int], gone: set[int]) -> int | None:
    """The lowest constituent that holds a span; parents stand before their children."""
    found = None
    for index, node in enumerate(text.tree.nodes):
        if (
            node.word is None
            and index not in gone
            and node.first <= span[0]
            and node.last >= span[1]
        ):
            found = index
    return found


def _words_of(text: TreeText, index: int) -> range:
    node = text.node(index)
    return range(node.first, node.last) if node.first < node.last else range(-1, 0)


def _wanted(both: GroupSides, place: NodePlace, sentence: int) -> set[int]:
    """The words of a sentence here whose partners are in the bracket there."""
    node, base = _node(both.there, place), both.there.first_row(place.sentence)
    partners = both.there.words.partner[base + node.first : base + node.last].tolist()
    first = both.here.first_row(sentence)
    return {row - first for row in partners if row >= 0}


def _in_chain(both: GroupSides, place: NodePlace, sentence: int) -> tuple[int, bool] | None:
    """Beside which constituent here of the same words the bracket goes, and whether outside of
    it: of the one that stands for the next below it there, else inside of that for the next
    above it."""
    brackets = both.there.side.brackets
    forest = both.there.side.forest
    local = place.sentence - both.there.sentences.start
    row = int(forest.first_node[local]) + _node(both.there, place).row
    at = brackets.row.searchsorted(row)
    for step, outside in ((1, True), (-1, False)):
        other = int(at) + step
        while 0 <= other < len(brackets.row) and _same_span(both.there, int(at), other):
            partner = max(int(brackets.partner[other]), int(brackets.relabelled[other]))
            found = _own(both.here, partner, sentence) if partner >= 0 else None
            if found is not None:
                return found, outside
            other += step
    return None


def _same_span(view: EditedSide, one: int, other: int) -> bool:
    brackets = view.side.brackets
    return bool(
        brackets.start[one] == brackets.start[other] and brackets.end[one] == brackets.end[other]
    )


def _own(here: EditedSide, bracket: int, sentence: int) -> int | None:
    """The index of a bracket of the comparison in its tree, if that is the sentence's."""
    forest = here.side.forest
    local = sentence - here.sentences.start
    row = int(here.side.brackets.row[bracket]) - int(forest.first_node[local])
    if not 0 <= row < forest.first_node[local + 1] - forest.first_node[local]:
        return None
    nodes = here.text(sentence).tree.nodes
    return next(i for i, node in enumerate(nodes) if node.word is None and node.row == row)


# --- words ---------------------------------------------------------------------------------


def _words(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits | None:
    """Words of the other file, with their tags, in the place of those here."""
    mine = both.here.rows(here) if here else range(0)
    theirs = both.there.rows(there) if there else range(0)
    text = both.here.text(both.here.sentences[0])
    taken = [_node(both.there, both.there.leaf(row)) for row in theirs]
    own = [both.here.leaf(row).node for row in mine]
    if any(map(untagged, taken)) or any(untagged(text.node(index)) for index in own):
        return None
    written = [_leaf_text(both.there, row) for row in theirs]
    edits: list[Edit] = []
    for index, node, leaf in zip(own, taken, written, strict=False):
        edits += reword(text, index, encode(node.word or ""), leaf[0])
    removed = without_words(text, own[len(taken) :]) if len(own) > len(taken) else []
    if removed is None:
        return None
    edits += removed
    more = b"".join(b" (%b %b)" % leaf for leaf in written[len(own) :])
    if more and own:
        edits.append(Edit(text.node(own[-1]).end, text.node(own[-1]).end, more))
    elif more:
        edits.append(_inserted(both, text, theirs[0], more))
    return ordered(edits)


def _leaf_text(view: EditedSide, row: int) -> tuple[bytes, bytes]:
    """A tag and its word, as they are written."""
    place = view.leaf(row)
    text, node = view.text(place.sentence), _node(view, place)
    return text.between(node.label_start, node.label_end), text.between(
        node.word_start, node.word_end
    )


def _inserted(both: GroupSides, text: TreeText, row: int, more: bytes) -> Edit:
    """Words that are not here, behind the word before them or before the first one."""
    words, cell = both.here.words, int(both.there.words.start[row])
    before = [
        other
        for other in range(len(words.start))
        if words.end[other] > words.start[other] and words.end[other] <= cell
    ]
    if before:
        at = _highest(both, text, both.here.leaf(before[-1]).node, row)
        return Edit(text.node(at).end, text.node(at).end, more)
    first = next(node for node in text.tree.nodes if node.word is not None)
    return Edit(first.start, first.start, more.removeprefix(b" ") + b" ")


def _highest(both: GroupSides, text: TreeText, leaf: int, row: int) -> int:
    """How far up from the word before it a new word goes: out of every constituent that ends
    there and whose counterpart does not hold the word."""
    at = leaf
    for parent in text.tree.path(leaf)[1:-1]:
        if text.node(parent).last != text.node(leaf).last or _holds(both, parent, row):
            break
        at = parent
    return at


def _holds(both: GroupSides, index: int, row: int) -> bool:
    """Whether the counterpart of a constituent holds a word of the other file."""
    here, there = both.here, both.there
    brackets = here.side.brackets
    node_row = int(here.side.forest.first_node[0]) + _tree_row(here, index)
    at = int(brackets.row.searchsorted(node_row))
    if at >= len(brackets.row) or brackets.row[at] != node_row:
        return True
    partner = max(int(brackets.partner[at]), int(brackets.relabelled[at]))
    if partner < 0:
        return True
    forest, theirs = there.side.forest, int(there.side.brackets.row[partner])
    return bool(forest.first[theirs] <= row < forest.last[theirs])


def _tree_row(here: EditedSide, index: int) -> int:
    return here.text(here.sentences[0]).node(index).row
