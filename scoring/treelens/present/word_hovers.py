"""What is said about a word of a table: its analysis, and the other file's with what differs."""

from __future__ import annotations

from treelens.compare.attachments import NOTHING, feature_sets
from treelens.differences.marks import View
from treelens.differences.parts import apart
from treelens.differences.table import BY_CODE
from treelens.present.alignment import SentenceWords, forms, reason, stretch
from treelens.present.counterpart import CounterpartGroup, group_at
from treelens.present.lines import Line, numbered
from treelens.present.names import in_quotes, quoted, short_name
from treelens.render.markdown import escaped
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.dependency_tree import DependencyTree, Word
from treelens.trees.forest import FEATS, LEMMA, ROOT, XPOS, decode, encode

_DEPENDENTS = 8
"""Dependents that are named."""


def about_word(snapshot: Snapshot, sentence: int, tree: DependencyTree, place: int) -> str:
    """Both analyses of a word, as Markdown."""
    word = tree.words[place]
    parts = [f"{analysis(tree, place)} · word {place + 1} of {len(tree.words)}"]
    parts += filter(None, [_morphology(word), _dependents(tree, place)])
    for other in snapshot.counterparts:
        name = f"**{escaped(short_name(other.name))}**"
        parts.append(f"{name} {_there(other, sentence, tree, place)}")
    return "\n\n".join(parts)


def about_part(snapshot: Snapshot, sentence: int, tree: DependencyTree, line: Line) -> str:
    """About a line that is no word: a multiword token, or an empty node."""
    cells = [decode(line.field(number)) for number in range(len(line.fields[:2]))]
    number, form = [*cells, "", ""][:2]
    if line.kind == "empty node":
        return (
            f"{in_quotes(form)} · empty node {escaped(number)}\n\n"
            "not a word of the sentence: not compared"
        )
    inside = numbered(line, tree)
    title = f"{in_quotes(form)} · one token of the text, words {escaped(number)}"
    parts = [title, *(analysis(tree, place) for place in inside)]
    for other in snapshot.counterparts if inside else ():
        name = f"**{escaped(short_name(other.name))}**"
        parts.append(f"{name} {_token_there(other, sentence, inside)}")
    return "\n\n".join(parts)


def _token_there(other: Counterpart, sentence: int, inside: list[int]) -> str:
    group = group_at(other, sentence)
    if not len(group.theirs):
        return "has nothing of this sentence"
    rows = [group.row(sentence, place) for place in inside]
    if bool(group.here.words.same[rows].all()):
        return "has the same words"
    return _words_there(group, sentence, inside[0], inside[-1] + 1)


def analysis(tree: DependencyTree, place: int) -> str:
    """``**NOUN** “dog” ← nsubj — “barks” (3)``: a word, its relation, and its head's form."""
    word = tree.words[place]
    tag = escaped(word.tag or word.xpos or "no tag")
    relation = escaped(word.relation or "no relation")
    return f"**{tag}** {in_quotes(word.form)} ← **{relation}** — {_head(tree, word)}"


def _head(tree: DependencyTree, word: Word) -> str:
    if word.head < 0:
        return "the root" if word.head == ROOT else "no head"
    head = tree.words[word.head]
    return f"{in_quotes(head.form)} ({escaped(head.number)})"


def _morphology(word: Word) -> str:
    parts = [word.lemma, word.xpos, word.features]
    return " · ".join(escaped(part) for part in parts if part not in ("", NOTHING))


def _dependents(tree: DependencyTree, place: int) -> str:
    below = [tree.words[k] for k in tree.words[place].dependents]
    shown = [f"{in_quotes(word.form)} {escaped(word.relation)}" for word in below[:_DEPENDENTS]]
    more = [f"{len(below) - _DEPENDENTS} more"] if len(below) > _DEPENDENTS else []
    return f"→ {', '.join([*shown, *more])}" if below else ""


def _there(other: Counterpart, sentence: int, tree: DependencyTree, place: int) -> str:
    """What the other file has for a word, after its name."""
    group = group_at(other, sentence)
    if not len(group.theirs):
        return "has nothing of this sentence"
    row = group.row(sentence, place)
    partner = int(group.here.words.partner[row])
    if partner < 0:
        return _words_there(group, sentence, place, place + 1)
    number, there = group.place_there(partner)
    theirs = other.document.dependency_tree(number)
    arcs = group.here.arcs
    if theirs is None or arcs is None:
        node = other.document.tree(number).nodes
        leaf = next(one for one in node if one.word is not None and one.row == there)
        tag, words = escaped(leaf.label or "no tag"), group.here.words
        if words.same[row] and words.tagged[row]:
            return f"has the same word and tag, **{tag}**"
        return f"has **{tag}** {in_quotes(leaf.word or '')} here"
    uncounted = _uncounted(other, sentence, place)
    differing = [*_differences(tree.words[place], theirs.words[there]), *uncounted]
    right = arcs.attached[row] and arcs.subtyped[row] and not arcs.unlike[row].any()
    words, right = group.here.words, right and not uncounted
    if right and words.same[row] and (words.tagged[row] or not words.counted[row]):
        return "has the same"
    if not words.same[row]:
        here = (other.pair.document(other.side), SentenceWords(sentence, place, place + 1))
        differing.append(
            escaped(reason(here, (other.document, SentenceWords(number, there, there + 1))))
        )
    if not arcs.attached[row]:
        differing.insert(0, "another head")
    told = f"\n\n{' · '.join(differing)}" if differing else ""
    return f"has {analysis(theirs, there)}{told}"


def _differences(here: Word, there: Word) -> list[str]:
    """What there is written otherwise, as ``tag VERB, not NOUN``."""
    pairs = [
        ("form", here.form, there.form),
        ("relation", here.relation, there.relation),
        ("tag", here.tag, there.tag),
    ]
    mine, theirs = ((one.lemma, one.xpos, one.features) for one in (here, there))
    return [*_unequal(pairs), *_unlike(mine, theirs)]


def _uncounted(other: Counterpart, sentence: int, place: int) -> list[str]:
    """What a word has otherwise in the fields that no score counts."""
    pair, side = other.pair, other.side
    number = pair.group_of(side, sentence)
    found = []
    for finding in pair.findings(number):
        difference, mark = BY_CODE[finding.code], finding.at(side)
        here = mark is not None and (mark.sentence, mark.span) == (sentence, (place, place + 1))
        if here and difference.family in ("misc", "enhanced"):
            mine, theirs = (one.written if one else "" for one in (mark, finding.at(side.other)))
            lists = difference.listed and mine and theirs
            texts = apart(mine, theirs) if lists else (mine, theirs)
            # (A side may have more of it than what differs.)
            part = bool(lists) or difference.family == "enhanced"
            found.append(_instead(difference.tally.one, *texts, part=part))
    return found


def _unequal(pairs: list[tuple[str, str, str]]) -> list[str]:
    return [_instead(what, ours, theirs) for what, ours, theirs in pairs if ours != theirs]


def _instead(what: str, ours: str, theirs: str, *, part: bool = False) -> str:
    """As a problem says it, in brief: ``tag VERB, not NOUN``, ``tag VERB, no tag here``; of a
    ``part`` of something ``DEPS 1:x besides``."""
    mine, other = escaped(ours), escaped(theirs)
    if not theirs:
        return f"{what} without {mine}" if part else f"no {what}, not {mine}"
    if not ours:
        return f"{what} {other} besides" if part else f"{what} {other}, no {what} here"
    return f"{what} {other}, not {mine}"


_Morphology = tuple[str, str, str]
"""Lemma, second tag and features, as written."""


def _unlike(here: _Morphology, there: _Morphology) -> list[str]:
    said = [["" if field == NOTHING else field for field in one] for one in (here, there)]
    pairs = zip(("lemma", "second tag"), *said, strict=False)
    found = _unequal([*pairs])
    ours, theirs = ({*feature_sets(encode(one[-1]))[0]} for one in (here, there))
    if ours != theirs:
        more, less = (escaped("|".join(sorted(one))) for one in (theirs - ours, ours - theirs))
        if not ours or not theirs:
            found.append(f"{more}, no features here" if more else f"no features, not {less}")
        else:
            found.append(f"{more or 'without it'}, not {less}" if less else f"{more} besides")
    return found


def unlike_morphology(other: Counterpart, sentence: int, place: int) -> str:
    """What the other file has otherwise for a word of a lattice, beside its tag; empty if nothing,
    or if there is no such word, or none of a lattice."""
    group = group_at(other, sentence)
    row = group.row(sentence, place)
    partner = int(group.here.words.partner[row])
    if partner < 0 or group.here.forest.fields is None or group.there.forest.fields is None:
        return ""
    here, there = View(group.here), View(group.there)
    ours, theirs = (
        (one.field(at, LEMMA), one.field(at, XPOS), one.field(at, FEATS))
        for one, at in ((here, row), (there, partner))
    )
    return " · ".join(_unlike(ours, theirs))


def other_words(other: Counterpart, sentence: int, place: int) -> str:
    """What the other file has for a word without a partner, after its name."""
    return _words_there(group_at(other, sentence), sentence, place, place + 1)


def _words_there(group: CounterpartGroup, sentence: int, first: int, end: int) -> str:
    """The words there that some words were taken together with, and why."""
    taken = stretch(group, sentence, first, end)
    here = (group.other.pair.document(group.other.side), taken.here)
    if taken.there is None:
        return f"has no such word: {escaped(reason(here, None))}"
    there = (group.other.document, taken.there)
    told = escaped(reason(here, there))
    found = quoted(forms(*there))
    if taken.here.end - taken.here.first > end - first:
        mine = in_quotes(" ".join(forms(*here)))
        return f"has other words for {mine}: {told}\n\n{found}"
    return f"has other words here: {told}\n\n{found}"
