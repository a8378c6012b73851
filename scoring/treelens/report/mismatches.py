"""What differs between gold and system, group by group: drawn for people, or as JSON lines.

The same findings that the editor shows, with the numbers of the same tallies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from treelens.align.groups import GroupedBy
from treelens.align.uncertain import WHY
from treelens.differences import wording
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE
from treelens.metrics import Score
from treelens.render.width import clean, width
from treelens.report.content import counts, headline, line_of, numbers, place
from treelens.report.drawing import Underline, draw
from treelens.report.paint import Paint, plain
from treelens.session.document import Document
from treelens.session.pair import Pair, Side

_MARGIN = "    "


class PairFileNames(NamedTuple):
    """What the two files are called, and the sides in words."""

    gold: str
    system: str
    called: wording.SideNames = wording.ROLES

    def of(self, side: Side) -> str:
        return self.gold if side is Side.GOLD else self.system


# --- drawn -----------------------------------------------------------------------------------


def drawn(
    pair: Pair, names: PairFileNames, group: int, columns: int, paint: Paint
) -> Iterator[str]:
    """One group: its numbers, where it is, and what differs under its words."""
    findings = pair.findings(group)
    gold, system = map(numbers, pair.numbered(group))
    title = f"sentence {gold or '–'}"
    if gold != system:
        title += f" / {system or '–'}"
    score = paint("bold", headlined(pair.scores(group)))
    said = " · ".join(
        filter(None, [_uncertainty(pair, names.called, group), summary(findings, names.called)])
    )
    yield f"{paint('bold', title)}  {score} · {said}"
    yield from _places(pair, names, group, columns, paint)
    room = max(6, *map(width, names.called)) + 2
    for excerpt in _excerpts(pair, names.called, group, findings):
        yield ""
        blanks = " " * (room - width(excerpt.heading))
        margin = f"  {excerpt.heading}{blanks}" if excerpt.heading else _MARGIN
        yield from draw(excerpt.words, excerpt.underlines, columns, margin, paint)


def _uncertainty(pair: Pair, called: wording.SideNames, group: int) -> str:
    """Why sentences were paired, where that is a guess; or where else one stands."""
    how = pair.how(group)
    for side, sentences in zip(Side, pair.group(group), strict=True):
        alone = how in (GroupedBy.ALONE, GroupedBy.MOVED) and len(sentences) == 1
        elsewhere = pair.elsewhere(side, sentences[0]) if alone else None
        if elsewhere is not None:
            guess = "reworded (a guess), " if elsewhere.reworded else ""
            there = "compared" if how is GroupedBy.MOVED else "not compared"
            place = f"sentence {elsewhere.sentence + 1} of {called.of(side.other)}"
            return f"moved: {place}, {guess}{there}"
    # (One without words is said to be missing.)
    return "" if how is GroupedBy.PLACE else WHY.get(how, "")


def headlined(scores: Sequence[Score]) -> str:
    """The first headline of some scores that there is anything of."""
    score = headline(_defined(scores) or scores)
    return f"{score.ratio.headline} {'–' if score.value is None else f'{score.value:.2f}'}"


def _defined(scores: Sequence[Score]) -> list[Score]:
    return [one for one in scores if one.ratio.headline and one.value is not None]


def summary(findings: Sequence[Finding], called: wording.SideNames = wording.ROLES) -> str:
    """How many mismatches of which kind: ``2 missing · 1 label``."""
    return " · ".join(wording.counts_in_words(findings, called))


def _places(
    pair: Pair, names: PairFileNames, group: int, columns: int, paint: Paint
) -> Iterator[str]:
    """``FILE:LINE`` of both sides, which terminals make links of."""
    places = [
        f"{clean(names.of(side))}:{line_of(pair.document(side), sentences[0])}"
        for side, sentences in zip(Side, pair.group(group), strict=True)
        if sentences
    ]
    line = "  " + "  ".join(places)
    lines = [line] if width(line) <= columns else [f"  {each}" for each in places]
    yield from (paint("dim", each) for each in lines)


class _Excerpt(NamedTuple):
    """A sentence of one side and what is drawn under it."""

    heading: str
    words: list[str]
    underlines: list[Underline]


def _excerpts(
    pair: Pair, called: wording.SideNames, group: int, findings: Sequence[Finding]
) -> list[_Excerpt]:
    """One text if both sides have the same words, both texts if not."""
    placed = [_underline(finding, called) for finding in findings]
    common = _common_words(pair, group, findings)
    if common is not None:
        words, gold_word = common
        underlines = []
        for side, _, underline in placed:
            if side is Side.SYSTEM:
                at = [
                    gold_word[word]
                    for word in range(underline.first, underline.last)
                    if gold_word[word] is not None
                ]
                if not at:
                    break
                underline = underline._replace(first=min(at), last=max(at) + 1)
            underlines.append(underline)
        else:
            return [_Excerpt("", words, sorted(underlines, key=_reading_order))]
    placed += [_twin(finding, called) for finding in findings if BY_CODE[finding.code].sign.twin]
    excerpts = []
    for side, sentences in zip(Side, pair.group(group), strict=True):
        for sentence in sentences:
            under = [line for s, n, line in placed if s is side and n == sentence]
            words = _words(pair.document(side), sentence)
            if words:
                excerpts.append(_Excerpt(called.of(side), words, sorted(under, key=_reading_order)))
    return excerpts


def _reading_order(underline: Underline) -> tuple[int, int]:
    return underline.first, -underline.last


def _common_words(
    pair: Pair, group: int, findings: Sequence[Finding]
) -> tuple[list[str], Sequence[Any]] | None:
    """Gold's words, and each of system's words' place among them, if they are the same.

    Traces, which are no part of the text, may be on one side only.
    """
    gold, system = pair.group(group)
    if len(gold) != 1 or len(system) != 1:
        return None
    words = _words(pair.gold, gold[0])
    if words == _words(pair.system, system[0]):
        return words, range(len(words))
    if any(BY_CODE[finding.code].sign.twin for finding in findings):
        return None  # (Known without a comparison of this group alone, which takes longest.)
    comparison = pair.comparison(group)
    for side in (comparison.gold.words, comparison.system.words):
        if not (side.same | (side.end <= side.start)).all():
            return None
    partners = comparison.system.words.partner.tolist()
    return words, [None if partner < 0 else partner for partner in partners]


def _words(document: Document, sentence: int) -> list[str]:
    forest, row, _ = document.piece(sentence)
    return forest.words(row)


def _underline(finding: Finding, called: wording.SideNames) -> tuple[Side, int, Underline]:
    """The side a finding is drawn on, the sentence there, and the line itself."""
    owner = BY_CODE[finding.code].owner
    return _line(finding, owner or Side.GOLD, called, twin=False)


def _twin(finding: Finding, called: wording.SideNames) -> tuple[Side, int, Underline]:
    """Where words differ, system's are drawn under too."""
    return _line(finding, Side.SYSTEM, called, twin=True)


def _line(
    finding: Finding, side: Side, called: wording.SideNames, *, twin: bool
) -> tuple[Side, int, Underline]:
    mark, sign = finding.at(side), BY_CODE[finding.code].sign
    assert mark is not None
    label, detail = wording.drawn(finding, called, twin=twin)
    return side, mark.sentence, Underline(*mark.span, sign.sign, label, sign.style, detail)


# --- for programs ----------------------------------------------------------------------------


def json_line(pair: Pair, names: PairFileNames, group: int) -> str:
    """One group as an object on one line; lines and columns (in characters) count from 1."""
    ranges = pair.group(group)
    value: dict[str, Any] = {}
    for side, sentences in zip(Side, ranges, strict=True):
        document = pair.document(side)
        value[side.value] = {
            "file": names.of(side),
            "sentences": [document.before.sentences + sentence + 1 for sentence in sentences],
            "lines": [line_of(document, sentence) for sentence in sentences],
            "words": [_words(document, sentence) for sentence in sentences],
        }
    value["scores"] = {score.ratio.name: score.value for score in pair.scores(group)}
    value["counts"] = counts(pair.tally(group), pair.metrics)
    value["findings"] = [
        {
            "code": finding.code,
            **{side.value: _json_mark(pair, finding, side, names.called) for side in Side},
        }
        for finding in pair.findings(group)
    ]
    import json  # which drawings do without

    return json.dumps(value, ensure_ascii=False)


def _json_mark(
    pair: Pair, finding: Finding, side: Side, called: wording.SideNames
) -> dict[str, Any] | None:
    mark, document = finding.at(side), pair.document(side)
    if mark is None:
        return None
    (line, character), (end_line, end_character) = (
        place(document, offset) for offset in (mark.start, mark.end)
    )
    return {
        "sentence": document.before.sentences + mark.sentence + 1,
        "words": list(mark.span),
        "line": line,
        "column": character,
        "end_line": end_line,
        "end_column": end_character,
        "message": wording.message(finding, side, called),
    }


# --- the end ---------------------------------------------------------------------------------


class Differing(NamedTuple):
    """What two files come to. groups: of sentences; mismatches: how many have a finding; strict:
    whether what no score counts is one; mixed: whether neither file has what the other annotates.
    """

    groups: int
    mismatches: int
    strict: bool
    mixed: bool
    scores: tuple[Score, ...]
    signature: str


def closing(found: Differing, shown: int, paint: Paint = plain) -> Iterator[str]:
    """What there is to say after the groups that were shown."""
    rest = f" ({shown} shown)" if shown < found.mismatches else ""
    differ = "differs" if found.mismatches == 1 else "differ"
    what = f"{found.mismatches} of {found.groups} sentences {differ}{rest}"
    if not found.mismatches:
        of_these = "" if found.strict else "that F1 or LAS counts "
        what = f"nothing {of_these}differs{wording.ALL_SHARED if found.mixed else ''}"
    scores = found.scores
    yield paint("bold", f"{what} · {headlined(scores)}" if _defined(scores) else what)
    yield paint("dim", clean(found.signature))
