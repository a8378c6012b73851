"""Taking what the other file has: at one finding, in a sentence, everywhere of a kind, everywhere.

"Take gold's" edits the system's file and "accept the system's" edits gold: the same function,
``into`` says which file is changed. Several findings are taken one after the other on a copy of
the sentence, each scored before the next, and what comes of it is one edit; a sentence that this
does not make right gets the other's tree as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np
import numpy.typing as npt

from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE
from treelens.edits import take_brackets, take_rows, whole
from treelens.edits.sides import GroupSides, all_group_sides, group_sides
from treelens.edits.text import Edits, applied, difference, ordered, shifted
from treelens.metrics import tagging
from treelens.session.counts import Progress
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair

_STEPS = 400
"""Findings of a sentence that are taken one by one; a sentence with more is taken as a whole."""
_WORTH = 500_000
"""Findings times bytes of a sentence: past it, taking all one by one costs too much."""

Wanted = Callable[[Finding], bool]


def take(found: Pair, group: int, finding: Finding, into: Side) -> Edits | None:
    """The edits of one side's file that end a finding of a group; None where only the whole
    sentence can be taken, or the files are of different formats."""
    if _is_lone(finding):
        return take_whole(found, group, into)
    return _taken(group_sides(found, group, into), finding) if found.is_takeable else None


def _is_lone(finding: Finding) -> bool:
    """Whether it is of a sentence that only one side has."""
    return BY_CODE[finding.code].family == "sentence"


def _is_replaceable(finding: Finding) -> bool:
    """Whether it ends with a label or a field written over, each one another."""
    return BY_CODE[finding.code].replaceable


def _taken(both: GroupSides, finding: Finding, *, in_place: bool = False) -> Edits | None:
    if both.here.document.format.layout == "rows":
        return take_rows.take(both, finding, in_place=in_place)
    return take_brackets.take(both, finding, in_place=in_place)


def take_whole(found: Pair, group: int, into: Side) -> Edits | None:
    """The other file's whole sentence, or sentences, in the place of what is here."""
    if not found.is_takeable:
        return None
    ranges = found.group(group)
    here, there = found.document(into), found.document(into.other)
    mine, theirs = ranges.gold, ranges.system
    if into is Side.SYSTEM:
        mine, theirs = theirs, mine
    style = take_rows if here.format.layout == "rows" else whole
    if not mine:
        return style.insertion(here, mine.start, there, theirs)
    return style.replace(here, mine, there, theirs)


def take_sentence(
    found: Pair, group: int, into: Side, wanted: Wanted | None = None
) -> Edits | None:
    """All findings of a group taken, or those that are ``wanted``; None where it cannot be done.

    With all of them taken nothing is left to find, whichever way leads there. So are all in broken
    text where one that is wanted cannot be ended by itself; elsewhere that stays, as somebody may
    have meant all the rest.
    """
    here = found.group(group)
    mine = here.gold if into is Side.GOLD else here.system
    if not mine or not (here.system if into is Side.GOLD else here.gold):
        return take_whole(found, group, into) if wanted is None else None
    if not found.is_takeable:
        return None
    base, copy = _copied(found, group)
    start = copy.document(into)
    many = len(found.findings(group)) * len(start.text()) > _WORTH
    after = copy if many and wanted is None else _stepwise(copy, into, wanted)
    if wanted is None and not _right(after):
        return take_whole(found, group, into)
    broken = any(map(found.document(into).is_broken, mine))
    if wanted is not None and broken and any(map(wanted, _left(after))):
        return take_sentence(found, group, into)
    edits = difference(start.text(), after.document(into).text())
    return shifted(edits, base[into]) or None


def take_alike(
    found: Pair,
    into: Side,
    wanted: Wanted,
    progress: Progress | None = None,
    kept: npt.NDArray[np.bool_] | None = None,
) -> Edits:
    """The wanted findings of all groups, each group by itself, but of those with sentences of gold
    that are to be ``kept``; ``progress`` as of a pair's."""
    edits: list[Edits | None] = []
    for both, findings in all_group_sides(found, into) if found.is_takeable else ():
        groups: dict[int, list[Edits | None]] = {}
        for finding in filter(wanted, findings):
            group = _group(found, finding)
            _report(progress, group, found)
            in_place = _is_replaceable(finding)
            written = _taken(both, finding, in_place=True) if in_place else None
            groups.setdefault(group, []).append(written)
        for group, written_over in groups.items():
            if kept is not None and kept[found.group(group).gold].any():
                continue
            if all(written_over):
                edits += written_over
                continue
            _report(progress, group, found)
            edits.append(take_sentence(found, group, into, wanted))
    return _together(edits)


def _group(found: Pair, finding: Finding) -> int:
    if finding.gold is not None:
        return found.group_of(Side.GOLD, finding.gold.sentence)
    assert finding.system is not None
    return found.group_of(Side.SYSTEM, finding.system.sentence)


def take_everything(found: Pair, into: Side, progress: Progress | None = None) -> Edits:
    """All of the other file's sentences where there is any finding; ``progress`` as of a pair's."""
    edits: list[Edits | None] = []
    for group in found.mismatching().nonzero()[0].tolist():
        _report(progress, group, found)
        edits.append(take_whole(found, group, into))
    return _together(edits)


def _together(edits: Iterable[Edits | None]) -> Edits:
    """One label that is wrong in two ways is written over once."""
    return ordered(dict.fromkeys(chain.from_iterable(edit for edit in edits if edit)))


def _report(progress: Progress | None, group: int, found: Pair) -> None:
    if progress:
        progress(group / len(found))


def _copied(found: Pair, group: int) -> tuple[dict[Side, int], Pair]:
    """A group's sentences as a pair of their own, and where its texts start in the files."""
    ranges = found.group(group)
    base: dict[Side, int] = {}
    copies = []
    for side, sentences in ((Side.GOLD, ranges.gold), (Side.SYSTEM, ranges.system)):
        of = found.document(side)
        base[side] = int(of.start[sentences.start])
        text = of.text(base[side], int(of.start[sentences.stop]))
        copies.append(document(text, of.symbols, of.format))
    # (One that costs little: findings are what counts here.)
    return base, pair(copies[0], copies[1], found.parameters, metrics=(tagging.METRIC,)).strictly(
        found.strict
    )


def _stepwise(copy: Pair, into: Side, wanted: Wanted | None) -> Pair:
    """A pair after one finding after the other was taken, as long as any can be."""
    for _ in range(_STEPS):
        edits = next(filter(None, _steps(copy, into, wanted)), None)
        if edits is None:
            break
        copy = after_edits(copy, into, edits)
    return copy


def _steps(copy: Pair, into: Side, wanted: Wanted | None) -> Iterator[Edits]:
    """What can be taken next: all that is written over in its place, else all brackets to be
    taken out, else one finding."""
    for group in copy.mismatching().nonzero()[0].tolist():
        findings = [one for one in copy.findings(group) if wanted is None or wanted(one)]
        if any(map(_is_lone, findings)):
            yield take_whole(copy, group, into) or ()
            continue
        both = group_sides(copy, group, into)
        in_place = filter(_is_replaceable, findings)
        yield _together(_taken(both, one, in_place=True) for one in in_place)
        yield take_brackets.remove_all(both, findings) or ()
        for finding in findings:
            if not _is_replaceable(finding):
                yield _taken(both, finding) or ()


def _left(found: Pair) -> Iterator[Finding]:
    """All findings of all groups."""
    groups = found.mismatching().nonzero()[0].tolist()
    return chain.from_iterable(map(found.findings, groups))


def _right(found: Pair) -> bool:
    """Whether nothing is left: traces that parameters count have tags to get wrong, and no
    findings."""
    tags = (score for score in found.scores() if score.denominator)
    return not found.mismatches and all(one.numerator == one.denominator for one in tags)


def after_edits(found: Pair, into: Side, edits: Edits) -> Pair:
    """The pair when one of its files has been edited, all in one go."""
    if not edits:
        return found
    before, start, end = found.document(into), edits[0].start, edits[-1].end
    text = applied(before.text(start, end), shifted(edits, -start))
    of, change = before.edit(start, end, text)
    return found.edit(into, of, change)
